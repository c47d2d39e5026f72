//! A player of Crazy Eights: reads the cards from the card characters on the table and the questions below it, answers with keys or
//! the joystick, now and then wrongly, and compares all that happens with the rules.
use std::collections::HashSet;

use session::keys::{code as keys, key_alone as key_for};

use crate::Atari;
use crate::arena::{Record, Winner};
use crate::rules::Chance;
use crate::rules::crazy_eights::{Card, MOST, Table};

use super::{push, trigger};

/// Screen row of the rank on the player's cards, and of the pile's top card.
const HAND: usize = 12;
const PILE: usize = 5;
const PILE_COLUMN: usize = 18;
/// First character of the ranks' and of the small types' pairs (roms/games/crazy-eights/ranks.rows).
const RANKS: u8 = 6;
const SUITS: u8 = 32;
const WORDS: [&str; 13] = [
    "AC", "TW", "TH", "FO", "FI", "SI", "SE", "EI", "NI", "TE", "JA", "QU", "KI",
];
const TYPES: [&str; 4] = ["HEARTS", "DIAMONDS", "CLUBS", "SPADES"];

/// The device that the player uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Keys.
    Keyboard,
    /// The first joystick.
    Joystick,
}

/// The strategy of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Any card that fits.
    Random,
    /// Eights last; of an eight's types the one it holds most of.
    Sensible,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The winner.
    pub winner: Winner,
    /// Frames from power-on to the announcement.
    pub frames: u32,
    /// Turns the player took.
    pub turns: u32,
    /// Wrong entries, all refused.
    pub refused: u32,
    /// Frames that the computer took for each turn with its messages.
    pub moves: Vec<u32>,
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

/// The table on the screen while it is the player's turn.
fn table(atari: &Atari) -> Option<Table> {
    let rows = atari.machine.displayed_text().rows;
    let text = atari.text();
    let number = |word: &str| {
        text.split_once(word)
            .and_then(|(_, rest)| rest.split_whitespace().next()?.parse::<usize>().ok())
    };
    let hand: Vec<Card> = (0..39).filter_map(|c| card_at(&rows, HAND, c)).collect();
    (number("YOU ")? == hand.len()).then_some(())?;
    Some(Table {
        deck: number("DECK ")?,
        computer: number("COMPUTER ")?,
        hand,
        top: card_at(&rows, PILE, PILE_COLUMN)?,
        wanted: TYPES
            .iter()
            .position(|t| text.contains(&format!("TYPE IS {t}")))? as u8
            + 1,
    })
}

/// Number of cards in the player's hand that fit, once the menu is there.
///
/// # Panics
/// When the table makes no sense.
pub fn fits(atari: &Atari) -> usize {
    let table = table(atari).expect("a table");
    table.hand.iter().filter(|&&card| table.fits(card)).count()
}

/// Presses RETURN on the title page.
///
/// # Panics
/// When the title page does not come or does not go.
pub fn start(atari: &mut Atari) {
    assert!(
        atari.wait_for_text("RETURN, START OR TRIGGER", 3000),
        "no title page:\n{}",
        atari.text()
    );
    atari.run(10);
    press(atari, keys::RETURN);
    assert!(
        atari.wait_for_text("SHUFFLING", 300),
        "no game:\n{}",
        atari.text()
    );
}

/// Holds a key for some frames.
pub fn press(atari: &mut Atari, key: u8) {
    atari.machine.input.key = Some(key);
    atari.run(3);
    atari.machine.input.key = None;
    atari.run(3);
}

fn tap(atari: &mut Atari, way: [bool; 4]) {
    push(atari, 0, way, 4, 16);
}

/// A game in play.
struct Game<'a> {
    atari: &'a mut Atari,
    by: By,
    player: Player,
    chance: Chance,
    gone: HashSet<Card>,
    eights: u32,
    ending: Ending,
    limit: u32,
}

/// Plays one game from the shuffling to the question for another one.
///
/// # Errors
/// When the program breaks a rule, says something unknown, or the game does not end within `limit` frames.
pub fn play(
    atari: &mut Atari,
    by: By,
    player: Player,
    seed: u64,
    limit: u32,
) -> Result<Ending, String> {
    let limit = atari.frames + limit;
    let mut game = Game {
        atari,
        by,
        player,
        chance: Chance::new(seed),
        gone: HashSet::new(),
        eights: 0,
        ending: Ending {
            winner: Winner::Nobody,
            frames: 0,
            turns: 0,
            refused: 0,
            moves: Vec::new(),
        },
        limit,
    };
    game.whole()?;
    Ok(game.ending)
}

impl Game<'_> {
    fn fault<T>(&self, what: &str) -> Result<T, String> {
        Err(format!(
            "{what}\nframe {}\n{}",
            self.atari.frames,
            self.atari.text()
        ))
    }

    /// Runs until one of these stands on the screen: which.
    fn wait(&mut self, texts: &[&str]) -> Result<usize, String> {
        for _ in 0..1500 {
            let text = self.atari.text();
            if let Some(found) = texts.iter().position(|t| text.contains(t)) {
                return Ok(found);
            }
            self.atari.run(1);
        }
        self.fault(&format!("none of {texts:?} appears"))
    }

    /// The menu, complete: the table then, or `None` when the game is over.
    fn menu(&mut self) -> Result<Option<Table>, String> {
        loop {
            let text = self.atari.text();
            if text.contains("ANOTHER GAME? (Y/N)") {
                return Ok(None);
            }
            if text.contains("YOUR TURN") && text.contains("> P  PUT DOWN") {
                self.atari.run(4);
                let Some(table) = table(self.atari) else {
                    return self.fault("the table makes no sense");
                };
                if let Err(what) = table.check(&self.gone) {
                    return self.fault(&what);
                }
                return Ok(Some(table));
            }
            if self.atari.frames > self.limit {
                return self.fault("no end");
            }
            self.atari.run(1);
        }
    }

    fn whole(&mut self) -> Result<(), String> {
        // What the table should look like before the computer's turn; unknown when the computer begins.
        let mut expected: Option<Table> = None;
        let mut since = self.atari.frames;
        let mut begun = false;
        loop {
            let Some(table) = self.menu()? else {
                return self.result(expected.as_ref());
            };
            if let Some(before) = &expected {
                self.ending.moves.push(self.atari.frames - since);
                match before.computer_turn(&table) {
                    Err(what) => {
                        return self.fault(&format!("{what}: {before:?} then {table:?}"));
                    }
                    Ok(true) => self.covered(before.top)?,
                    Ok(false) => {}
                }
            } else if begun || table.hand.len() != 5 {
                return self.fault("the deal");
            }
            begun = true;
            expected = Some(self.turn(table)?);
            since = self.atari.frames;
        }
    }

    /// The player's turn, until the computer's begins: the table as it should be then.
    fn turn(&mut self, mut table: Table) -> Result<Table, String> {
        self.ending.turns += 1;
        loop {
            if self.chance.below(4) == 0 && self.wrong(&table)? {
                let Some(again) = self.menu()? else {
                    return self.fault("a wrong entry ended the game");
                };
                if again != table {
                    return self.fault("a wrong entry changed the table");
                }
                self.ending.refused += 1;
                continue;
            }
            let fitting: Vec<usize> = (0..table.hand.len())
                .filter(|&i| table.fits(table.hand[i]))
                .collect();
            if !fitting.is_empty() {
                let index = if self.player == Player::Random {
                    fitting[self.chance.below(fitting.len())]
                } else {
                    *fitting
                        .iter()
                        .min_by_key(|&&i| table.hand[i].rank == 8)
                        .unwrap_or(&fitting[0])
                };
                return self.put_down(table, index);
            }
            if table.may_pass(table.hand.len()) {
                self.option('S')?;
                self.wait(&["THE COMPUTER'S TURN", "A TIE"])?;
                return Ok(table);
            }
            let before = table;
            self.option('D')?;
            self.wait(&["YOU DRAW THE"])?;
            let Some(after) = self.menu()? else {
                return self.fault("drawing ended the game");
            };
            let as_it_should = Table {
                deck: before.deck - 1,
                hand: after.hand.clone(),
                ..before.clone()
            };
            if after != as_it_should
                || after.hand.len() != before.hand.len() + 1
                || !before.hand.iter().all(|card| after.hand.contains(card))
            {
                return self.fault(&format!("drawing led from {before:?} to {after:?}"));
            }
            table = after;
        }
    }

    /// Picks from the menu, and waits until it goes: a message stands in it until then.
    fn option(&mut self, letter: char) -> Result<(), String> {
        if self.by == By::Keyboard {
            press(self.atari, key_for(letter).unwrap_or(keys::SPACE));
            return self.leaves_the_menu();
        }
        match letter {
            'D' => tap(self.atari, [true, false, false, false]),
            'S' => tap(self.atari, [false, true, false, false]),
            _ => {}
        }
        if !self.atari.text().contains(&format!("> {letter}")) {
            return self.fault("the marker does not move");
        }
        trigger(self.atari, 0, 5, 3);
        self.leaves_the_menu()
    }

    fn leaves_the_menu(&mut self) -> Result<(), String> {
        for _ in 0..300 {
            if !self.atari.text().contains("YOUR TURN") {
                return Ok(());
            }
            self.atari.run(1);
        }
        self.fault("the menu stays")
    }

    /// Points at number `index` from the left, and presses the trigger. With much memory the pointer stands from the start, on number
    /// `first`, as soon as the letters below the cards are written.
    fn point(&mut self, index: usize, first: Option<usize>) {
        self.atari.run(45);
        let stands = self.atari.text().lines().any(|line| line.trim() == "^");
        let at = first.filter(|_| stands);
        for _ in at.map_or(0, |at| at + 1)..=index {
            tap(self.atari, [false, false, false, true]);
        }
        for _ in index..at.unwrap_or(index) {
            tap(self.atari, [false, false, true, false]);
        }
        trigger(self.atari, 0, 5, 3);
    }

    /// Types an answer and RETURN.
    fn answer(&mut self, text: &str) {
        self.atari.run(6);
        self.atari.type_text(&format!("{text}\n"));
    }

    /// Types the letter of a type, and RETURN where the letter is not enough.
    fn answer_type(&mut self, letter: &str) {
        self.atari.run(6);
        let enough = self.atari.text().contains("A LETTER, OR ARROWS");
        let end = if enough { "" } else { "\n" };
        self.atari.type_text(&format!("{letter}{end}"));
    }

    /// Goes back from a question.
    fn answer_nothing(&mut self) {
        self.atari.run(6);
        self.atari.type_text("{ESC}");
    }

    /// Picks a card of the hand. The screen then asks for the type where another has the rank (keys), and for an eight's.
    fn pick(&mut self, table: &Table, index: usize) -> Result<(), String> {
        let card = table.hand[index];
        self.option('P')?;
        self.wait(&["WHICH CARD"])?;
        if self.by == By::Joystick {
            let first = table.hand.iter().position(|&card| table.fits(card));
            self.point(index, first);
            return Ok(());
        }
        self.answer(WORDS[usize::from(card.rank) - 1]);
        if table.hand.iter().filter(|c| c.rank == card.rank).count() > 1 {
            self.wait(&["WHICH TYPE"])?;
            self.answer_type(&TYPES[usize::from(card.suit) - 1][..1]);
        }
        Ok(())
    }

    /// The top card goes below another one. What an eight's own type was cannot be seen; there are four of them.
    fn covered(&mut self, top: Card) -> Result<(), String> {
        if top.rank == 8 {
            self.eights += 1;
        } else if !self.gone.insert(top) {
            return self.fault(&format!("{top:?} was on top twice"));
        }
        if self.eights > 4 {
            return self.fault("a fifth eight");
        }
        Ok(())
    }

    fn put_down(&mut self, mut table: Table, index: usize) -> Result<Table, String> {
        let card = table.hand[index];
        self.pick(&table, index)?;
        self.covered(table.top)?;
        table.hand.remove(index);
        if card.rank == 8 {
            self.gone.insert(card);
        }
        table.top = card;
        table.wanted = card.suit;
        if table.hand.is_empty() {
            self.wait(&["YOU WIN!"])?;
            return Ok(table);
        }
        if card.rank == 8 {
            self.wait(&["NAME THE TYPE"])?;
            if self.by == By::Keyboard && self.chance.below(2) == 0 {
                self.answer_type("X");
                self.wait(&["TYPE H, D, C OR S"])?;
                self.wait(&["NAME THE TYPE"])?;
                self.ending.refused += 1;
            }
            let count = |suit: u8| table.hand.iter().filter(|c| c.suit == suit).count();
            let best = (1..=4).max_by_key(|&suit| count(suit)).unwrap_or(1);
            table.wanted = best;
            table.top.suit = best;
            if self.by == By::Joystick {
                // The pointer stands at the type of most of the other cards, the first one of several.
                let others = |suit: u8| {
                    let other = |card: &&Card| card.suit == suit && card.rank != 8;
                    table.hand.iter().filter(other).count()
                };
                let first = (2..=4).fold(1, |best, suit| {
                    if others(suit) > others(best) {
                        suit
                    } else {
                        best
                    }
                });
                self.point(usize::from(best) - 1, Some(usize::from(first) - 1));
            } else {
                self.answer_type(&TYPES[usize::from(best) - 1][..1]);
            }
        }
        self.wait(&["THE COMPUTER'S TURN"])?;
        Ok(table)
    }

    /// Tries something that must be refused. `false` when the hand has nothing of the kind.
    fn wrong(&mut self, table: &Table) -> Result<bool, String> {
        match self.chance.below(5) {
            0 if !table.may_pass(table.hand.len()) => {
                self.option('S')?;
                self.wait(&["YOU CAN STILL DRAW"])?;
            }
            1 => {
                let Some(index) = (0..table.hand.len()).find(|&i| !table.fits(table.hand[i]))
                else {
                    return Ok(false);
                };
                self.pick(table, index)?;
                self.wait(&["IT DOES NOT MATCH"])?;
            }
            2 => {
                let Some(rank) = (1..=13u8).find(|&rank| table.hand.iter().all(|c| c.rank != rank))
                else {
                    return Ok(false);
                };
                self.option('P')?;
                self.wait(&["WHICH CARD"])?;
                self.answer(WORDS[usize::from(rank) - 1]);
                self.wait(&["YOU DO NOT HOLD THAT RANK"])?;
                self.wait(&["WHICH CARD"])?;
                self.answer_nothing();
            }
            3 => {
                // Digits are not an answer, nor are other words.
                self.option('P')?;
                self.wait(&["WHICH CARD"])?;
                self.atari.run(6);
                self.atari.type_text("10");
                self.atari.run(20);
                let text = self.atari.text();
                if !["KING) _", "WHICH CARD? _"]
                    .iter()
                    .any(|t| text.contains(t))
                {
                    return self.fault("digits were taken");
                }
                self.answer("XX");
                self.wait(&["TWO LETTERS OF ITS RANK"])?;
                self.atari.run(10);
                press(self.atari, keys::RETURN);
                self.wait(&["WHICH CARD"])?;
                self.answer_nothing();
            }
            _ if table.deck == 0 || table.hand.len() == MOST => {
                self.option('D')?;
                self.wait(&["THE DECK IS EMPTY", "YOU HOLD 18 CARDS"])?;
            }
            _ => press(self.atari, key_for('X').unwrap_or(keys::SPACE)),
        }
        Ok(true)
    }

    /// The result, compared with what was seen last.
    fn result(&mut self, last: Option<&Table>) -> Result<(), String> {
        let text = self.atari.text();
        self.ending.frames = self.atari.frames;
        let Some(last) = last else {
            return self.fault("the game ended before it began");
        };
        let fair = if text.contains("YOU WIN!") {
            self.ending.winner = Winner::Player;
            last.hand.is_empty()
        } else if text.contains("THE COMPUTER WINS") {
            self.ending.winner = Winner::Computer;
            text.contains("COMPUTER 0 ") && !last.hand.is_empty()
        } else {
            self.ending.winner = Winner::Nobody;
            let fits = |c: &Card| last.fits(*c);
            text.contains("A TIE") && text.contains("DECK 0 ") && !last.hand.iter().any(fits)
        };
        if fair {
            Ok(())
        } else {
            self.fault(&format!("the result is wrong: {last:?}"))
        }
    }
}

fn record(player: Player, seed: u64) -> Result<Record, String> {
    let mut atari = Atari::with_game(
        "crazy-eights",
        machine::Model::Xl800,
        machine::Tv::Ntsc,
        seed,
    );
    start(&mut atari);
    let ending = play(&mut atari, By::Keyboard, player, seed, 60 * 60 * 30)?;
    Ok(Record {
        winner: ending.winner,
        moves: ending.moves,
        refused: ending.refused,
    })
}

/// One game against a player that puts down any card that fits, for `xtask strength`.
///
/// # Errors
/// As [`play`].
pub fn against_random(seed: u64) -> Result<Record, String> {
    record(Player::Random, seed)
}

/// One game against a player that keeps its eights.
///
/// # Errors
/// As [`play`].
pub fn against_sensible(seed: u64) -> Result<Record, String> {
    record(Player::Sensible, seed)
}
