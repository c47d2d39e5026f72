//! A player of Crazy Eights: reads the cards from the card characters on the table and the questions below it.
use super::Ending;
use crate::Atari;

/// Screen row of the rank on the player's cards, and of the pile's top card.
const HAND: usize = 12;
const PILE: usize = 5;
const PILE_COLUMN: usize = 18;
/// First character of the ranks' and of the small suits' pairs (roms/games/crazy-eights/cards.txt).
const RANKS: u8 = 6;
const SUITS: u8 = 32;
const WORDS: [&str; 13] = [
    "AC", "TW", "TH", "FO", "FI", "SI", "SE", "EI", "NI", "TE", "JA", "QU", "KI",
];
const TYPES: [&str; 4] = ["HEARTS", "DIAMONDS", "CLUBS", "SPADES"];

/// A card: rank 1 to 13 and type 1 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// 1 (ace) to 13 (king).
    pub rank: u8,
    /// 1 heart, 2 diamond, 3 club, 4 spade.
    pub suit: u8,
}

/// The card whose upper left corner is at a place of the screen.
fn card_at(rows: &[Vec<u8>], row: usize, column: usize) -> Option<Card> {
    let rank = rows[row][column] & 0x7F;
    let suit = rows[row + 1][column] & 0x7F;
    let pair = |code: u8, first: u8, count: u8| {
        (code >= first && code < first + 2 * count && (code - first).is_multiple_of(2))
            .then(|| (code - first) / 2 + 1)
    };
    Some(Card {
        rank: pair(rank, RANKS, 13)?,
        suit: pair(suit, SUITS, 4)?,
    })
}

/// The cards of the player's hand, from left to right.
#[must_use]
pub fn hand(atari: &Atari) -> Vec<Card> {
    let rows = atari.machine.displayed_text().rows;
    (0..39).filter_map(|c| card_at(&rows, HAND, c)).collect()
}

/// The card on top of the pile.
#[must_use]
pub fn top(atari: &Atari) -> Option<Card> {
    card_at(&atari.machine.displayed_text().rows, PILE, PILE_COLUMN)
}

/// Plays one game from the title page to the question for another one.
///
/// # Panics
/// When the program asks something that the player does not understand, or takes longer than `limit` frames.
pub fn play(atari: &mut Atari, limit: u32) -> Ending {
    let mut turns = 0;
    let mut longest_turn = 0;
    let mut last_answer = atari.frames;
    let mut asked_for: Option<Card> = None;
    let mut played_at: Option<u32> = None;
    loop {
        assert!(
            atari.frames < limit,
            "no end after {limit} frames:\n{}",
            atari.text()
        );
        let waits = atari.wait_for_key(60);
        let text = atari.text();
        if text.contains("PRESS RETURN TO PLAY") {
            // The title page looks at the key between the notes of its tune.
            atari.machine.input.key = Some(machine::typist::keys::RETURN);
            atari.run(4);
            atari.machine.input.key = None;
            atari.run(60);
            continue;
        }
        if !waits {
            continue;
        }
        let now = atari.frames;
        if text.contains("ANOTHER GAME") {
            let message = ["YOU WIN!", "THE COMPUTER WINS", "A TIE"]
                .into_iter()
                .find(|m| text.contains(m))
                .unwrap_or_else(|| panic!("no result:\n{text}"));
            return Ending {
                message: message.to_owned(),
                frames: now,
                turns,
                longest_turn,
            };
        } else if text.contains("YOUR TURN") {
            if let Some(at) = played_at.take() {
                longest_turn = longest_turn.max(now - at);
            }
            turns += 1;
            let wanted = TYPES
                .iter()
                .position(|t| text.contains(&format!("TYPE {t}")))
                .map_or_else(|| panic!("no type:\n{text}"), |i| i as u8 + 1);
            let top = top(atari).expect("a card on the pile");
            let fits = |c: &&Card| c.rank == 8 || c.rank == top.rank || c.suit == wanted;
            let hand = hand(atari);
            assert!(!hand.is_empty(), "no cards to be seen:\n{text}");
            let choice = hand
                .iter()
                .filter(fits)
                .find(|c| c.rank != 8)
                .or_else(|| hand.iter().find(fits));
            asked_for = choice.copied();
            atari.type_text(if choice.is_some() {
                "P"
            } else if text.contains("DECK 0 ") || hand.len() == 18 {
                played_at = Some(now);
                "S"
            } else {
                "D"
            });
        } else if text.contains("WHICH CARD") {
            let card = asked_for.expect("a card in mind");
            played_at = Some(now);
            atari.type_text(&format!("{}\n", WORDS[usize::from(card.rank) - 1]));
        } else if text.contains("WHICH TYPE") {
            let card = asked_for.expect("a card in mind");
            played_at = Some(now);
            atari.type_text(&format!("{}\n", &TYPES[usize::from(card.suit) - 1][..1]));
        } else if text.contains("NAME THE TYPE") {
            let suit = hand(atari).first().map_or(1, |c| c.suit);
            played_at = Some(now);
            atari.type_text(&format!("{}\n", &TYPES[usize::from(suit) - 1][..1]));
        } else {
            assert!(
                now - last_answer < 1200,
                "the program waits for a key and says nothing known:\n{text}"
            );
            atari.run(1);
            continue;
        }
        last_answer = atari.frames;
    }
}
