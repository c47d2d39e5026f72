//! The rules of Crazy Eights, written apart from the game: what a player sees, and what may have come of what was seen before.
use std::collections::HashSet;

/// A card: rank 1 (ace) to 13 (king), type 1 heart, 2 diamond, 3 club, 4 spade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Card {
    /// 1 (ace) to 13 (king).
    pub rank: u8,
    /// 1 heart, 2 diamond, 3 club, 4 spade.
    pub suit: u8,
}

/// The most cards that a hand may hold.
pub const MOST: usize = 18;

/// The player's view of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Cards left in the deck.
    pub deck: usize,
    /// Cards in the computer's hand.
    pub computer: usize,
    /// The player's cards.
    pub hand: Vec<Card>,
    /// The card on top, as it is shown: an eight takes on the type that was named.
    pub top: Card,
    /// The type that is wanted.
    pub wanted: u8,
}

impl Table {
    /// True if a card may be put down.
    #[must_use]
    pub const fn fits(&self, card: Card) -> bool {
        card.rank == 8 || card.rank == self.top.rank || card.suit == self.wanted
    }

    /// True if a side with `cards` cards may pass.
    #[must_use]
    pub const fn may_pass(&self, cards: usize) -> bool {
        self.deck == 0 || cards >= MOST
    }

    /// Looks at the table by itself, and for cards that were put down before (`gone`).
    ///
    /// # Errors
    /// The rule that is broken.
    pub fn check(&self, gone: &HashSet<Card>) -> Result<(), String> {
        let different: HashSet<_> = self.hand.iter().collect();
        if different.len() != self.hand.len() {
            return Err("a card is there twice".to_owned());
        }
        if let Some(card) = self
            .hand
            .iter()
            .find(|card| gone.contains(card) || **card == self.top && card.rank != 8)
        {
            return Err(format!("{card:?} was put down before"));
        }
        if self.hand.len() > MOST || self.computer > MOST {
            return Err("a hand holds more than 18 cards".to_owned());
        }
        if self.deck + self.computer + self.hand.len() >= 52 {
            return Err("more than 52 cards".to_owned());
        }
        if self.wanted != self.top.suit {
            return Err("the type that is wanted is not that of the top card".to_owned());
        }
        Ok(())
    }

    /// Checks that the computer's turn may have led from this table to another; returns true if it put a card down.
    ///
    /// # Errors
    /// The rule that is broken.
    pub fn computer_turn(&self, after: &Self) -> Result<bool, String> {
        if after.hand != self.hand {
            return Err("the player's hand changed".to_owned());
        }
        let drawn = self
            .deck
            .checked_sub(after.deck)
            .ok_or("the deck has grown")?;
        let held = self.computer + drawn;
        // An eight on an eight, of the same type by name, shows the same picture.
        let eight_again = self.top.rank == 8 && after.computer + 1 == held;
        if after.top == self.top && !eight_again {
            if after.computer != held || after.wanted != self.wanted {
                return Err("the computer passed, but the cards do not add up".to_owned());
            }
            return if after.may_pass(held) {
                Ok(false)
            } else {
                Err("the computer passed and could draw".to_owned())
            };
        }
        if after.computer + 1 != held {
            return Err("the cards of the computer do not add up".to_owned());
        }
        if !self.fits(after.top) {
            return Err(format!("{:?} does not match", after.top));
        }
        Ok(true)
    }
}
