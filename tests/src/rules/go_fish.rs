//! Go Fish: what the table must show after each thing that is said.

/// The ranks as they are called, one card and several.
pub const NAMES: [(&str, &str); 13] = [
    ("ACE", "ACES"),
    ("TWO", "TWOS"),
    ("THREE", "THREES"),
    ("FOUR", "FOURS"),
    ("FIVE", "FIVES"),
    ("SIX", "SIXES"),
    ("SEVEN", "SEVENS"),
    ("EIGHT", "EIGHTS"),
    ("NINE", "NINES"),
    ("TEN", "TENS"),
    ("JACK", "JACKS"),
    ("QUEEN", "QUEENS"),
    ("KING", "KINGS"),
];

/// The rank (1 to 13) of a name, for one card or for several.
#[must_use]
pub fn rank(name: &str, several: bool) -> Option<u8> {
    NAMES
        .iter()
        .position(|&(one, many)| name == if several { many } else { one })
        .map(|index| index as u8 + 1)
}

/// A card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card {
    /// 1 (ace) to 13 (king).
    pub rank: u8,
    /// 1 heart, 2 diamond, 3 club, 4 spade.
    pub suit: u8,
}

/// The view of the player at the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The player's cards, by rank and suit.
    pub hand: Vec<Card>,
    /// Cards in the computer's hand.
    pub computer: usize,
    /// Cards in the deck.
    pub deck: usize,
    /// Ranks of the player's books, and of the computer's.
    pub books: [Vec<u8>; 2],
}

impl Table {
    /// The player's cards of a rank.
    #[must_use]
    pub fn held(&self, rank: u8) -> usize {
        self.hand.iter().filter(|card| card.rank == rank).count()
    }

    /// All 52 cards are somewhere, no card is twice in the hand, four of a rank lie as a book, and no book is there twice.
    ///
    /// # Errors
    /// A sentence saying what is wrong.
    pub fn holds_together(&self) -> Result<(), String> {
        let books: Vec<u8> = self.books.concat();
        let all = self.hand.len() + self.computer + self.deck + 4 * books.len();
        let mut seen = self.hand.clone();
        seen.sort_unstable();
        seen.dedup();
        let mut ranks = books.clone();
        ranks.sort_unstable();
        ranks.dedup();
        if all != 52 {
            Err(format!("{all} cards"))
        } else if seen.len() != self.hand.len() {
            Err("a card is there twice".into())
        } else if ranks.len() != books.len() || books.iter().any(|&rank| self.held(rank) > 0) {
            Err("a book is there twice, or a card of it in the hand".into())
        } else if (1..=13).any(|rank| self.held(rank) == 4) {
            Err("four of a rank are no book".into())
        } else {
            Ok(())
        }
    }
}

/// A thing that happened, as the words on the screen say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A question for a rank, of the player (true) or of the computer.
    Asks(bool, u8),
    /// The asker gets this many cards of a rank: the player (true) or the computer.
    Gets(bool, usize, u8),
    /// The player draws this card.
    PlayerDraws(Card),
    /// The computer draws; the rank of the card, which it shows when it asked for it.
    ComputerDraws(Option<u8>),
    /// A book of a rank is laid down: by the player (true) or the computer.
    Book(bool, u8),
    /// The deck is empty: nothing can be drawn.
    Empty,
}

/// The state of a game as its events make it.
#[derive(Clone, Debug, Default)]
pub struct Play {
    /// The table.
    pub table: Table,
    /// The side that asked last, and the rank.
    pub asked: Option<(bool, u8)>,
    /// The side whose turn it is, once that is known: the player's (true) or the computer's.
    pub turn: Option<bool>,
}

impl Play {
    /// Holds an event to the rules and carries it out.
    ///
    /// # Errors
    /// When it must not happen here.
    pub fn happens(&mut self, event: Event) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("{event:?} after {:?}: {what}", self.asked));
        match event {
            Event::Asks(player, rank) => {
                if self.turn.is_some_and(|turn| turn != player) {
                    return wrong("it is not its turn");
                }
                if player && self.table.held(rank) == 0 {
                    return wrong("a rank that is not in the hand");
                }
                self.asked = Some((player, rank));
                self.turn = None;
            }
            Event::Gets(player, count, rank) => {
                if self.asked != Some((player, rank)) {
                    return wrong("nobody asked for that");
                }
                if player {
                    // Which suits it gets shows on the table.
                    self.table.computer = self.table.computer.wrapping_sub(count);
                } else {
                    if self.table.held(rank) != count {
                        return wrong("all cards of the rank change hands, no others");
                    }
                    self.table.hand.retain(|card| card.rank != rank);
                    self.table.computer += count;
                }
                self.turn = Some(player);
            }
            Event::PlayerDraws(card) => {
                let Some((true, rank)) = self.asked else {
                    return wrong("it did not ask");
                };
                self.table.deck = self.table.deck.wrapping_sub(1);
                self.table.hand.push(card);
                self.turn = Some(card.rank == rank);
            }
            Event::ComputerDraws(shown) => {
                let Some((false, rank)) = self.asked else {
                    return wrong("it did not ask");
                };
                if self.table.held(rank) > 0 {
                    return wrong("the player holds what it asked for");
                }
                if shown.is_some_and(|shown| shown != rank) {
                    return wrong("it shows another rank than it asked for");
                }
                self.table.deck = self.table.deck.wrapping_sub(1);
                self.table.computer += 1;
                self.turn = Some(shown.is_none());
            }
            Event::Book(player, rank) => {
                self.table.books[usize::from(!player)].push(rank);
                if player {
                    self.table.hand.retain(|card| card.rank != rank);
                } else {
                    self.table.computer = self.table.computer.wrapping_sub(4);
                }
            }
            Event::Empty => {
                let Some((player, _)) = self.asked else {
                    return wrong("nobody asked");
                };
                if self.table.deck > 0 {
                    return wrong("the deck is not empty");
                }
                self.turn = Some(!player);
            }
        }
        Ok(())
    }
}
