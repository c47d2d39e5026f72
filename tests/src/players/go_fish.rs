//! A player of Go Fish: reads the cards from the table's characters and what happens from the words, types ranks or moves the arrow.
use std::sync::OnceLock;

use machine::screen::{TextScreen, atascii};
use machine::{Frame, Model, Tv};

use crate::Atari;
use crate::arena::{Record, Winner};
use crate::rules::Chance;
use crate::rules::go_fish::{Card, Event, NAMES, Play, Table, rank};

use super::{Next, press_start, push, trigger};

/// Keys of the ranks.
const KEYS: &[u8; 13] = b"A23456789TJQK";
const SUITS: [&str; 4] = ["HEARTS", "DIAMONDS", "CLUBS", "SPADES"];
/// First characters of the ranks and of the suits beside them, four each (roms/games/go-fish/cards.txt).
const RANKS: u8 = 8;
const SUIT: u8 = 60;
/// The rows of characters with the parts of the screen.
const COMPUTER_SAYS: usize = 3;
const COMPUTERS_BOOKS: usize = 4;
const PLAYERS_BOOKS: usize = 7;
const PLAYER_SAYS: usize = 10;
const HAND: usize = 12;
const STATUS: usize = 21;
const MESSAGE: usize = 22;
/// Most frames without an event.
const PATIENCE: u32 = 900;

/// A game that is being played.
#[derive(Clone, Debug)]
pub struct Game {
    /// The machine.
    pub atari: Atari,
    /// The game as its events make it.
    pub play: Play,
    /// Cards the player was given and has not yet looked at: of which rank, how many.
    given: Option<(u8, usize)>,
    /// Ranks the computer asked for, the last one last.
    pub asked: Vec<u8>,
    /// Frames the computer took for each of its questions.
    pub moves: Vec<u32>,
    /// Wrong entries that were refused.
    pub refused: u32,
}

fn rank_at(rows: &[Vec<u8>], row: usize, column: usize) -> Option<u8> {
    let code = rows[row][column] & 0x7F;
    let whole = |first: u8| {
        rows[row][column + 1] & 0x7F == first + 1
            && rows[row + 1][column] & 0x7F == first + 2
            && rows[row + 1][column + 1] & 0x7F == first + 3
    };
    ((RANKS..SUIT).contains(&code) && (code - RANKS).is_multiple_of(4) && whole(code))
        .then(|| (code - RANKS) / 4 + 1)
}

/// Columns of the fans of the player's hand, with the rank of each.
#[must_use]
pub fn fans(atari: &Atari) -> Vec<(usize, u8)> {
    let rows = atari.machine.displayed_text().rows;
    (0..39)
        .filter_map(|column| Some((column, rank_at(&rows, HAND, column)?)))
        .collect()
}

/// The table as it is on the screen.
///
/// # Errors
/// When it makes no sense.
pub fn table(atari: &Atari) -> Result<Table, String> {
    let screen = atari.machine.displayed_text();
    let rows = &screen.rows;
    let status = screen.row_text(STATUS);
    let numbers: Vec<usize> = status
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    let [deck, computer, mine, others] = numbers[..] else {
        return Err(format!("the line of numbers is: {status}"));
    };
    let mut hand = Vec::new();
    for (column, rank) in fans(atari) {
        for row in (HAND..HAND + 6).step_by(2) {
            if rank_at(rows, row, column) != Some(rank) {
                break;
            }
            // Where fans overlap only the left half of a suit is to be seen.
            let code = rows[row][column + 2] & 0x7F;
            if !(SUIT..SUIT + 16).contains(&code) {
                return Err(format!("no suit at row {row}, column {column}"));
            }
            let suit = (code - SUIT) / 4 + 1;
            if (rows[row][column] & 0x80 != 0) != (suit < 3) {
                return Err(format!("the wrong colour at row {row}, column {column}"));
            }
            hand.push(Card { rank, suit });
        }
    }
    let books = |row: usize| -> Vec<u8> {
        (10..39)
            .step_by(2)
            .map_while(|column| rank_at(rows, row, column))
            .collect()
    };
    let books = [books(PLAYERS_BOOKS), books(COMPUTERS_BOOKS)];
    if [books[0].len(), books[1].len()] != [mine, others] {
        return Err(format!("{books:?}, but the line says {mine} to {others}"));
    }
    Ok(Table {
        hand,
        computer,
        deck,
        books,
    })
}

/// The words in the balloon of the player or of the computer: the inverse cells of its row.
#[must_use]
pub fn says(screen: &TextScreen, player: bool) -> String {
    let row = if player { PLAYER_SAYS } else { COMPUTER_SAYS };
    let cells = screen.rows.get(row).into_iter().flatten();
    cells
        .filter(|&&code| code & 0x80 != 0)
        .map(|&code| char::from(atascii(code)))
        .collect()
}

/// The event that words of the player or of the computer tell.
#[must_use]
pub fn event(player: bool, words: &str) -> Option<Event> {
    let counted = |text: &str| {
        let (count, name) = text.split_once(' ')?;
        let count = count.parse().ok()?;
        Some((count, rank(name, count != 1)?))
    };
    let after = |start: &str| words.strip_prefix(start);
    if let Some(rest) = after("DO YOU HAVE ANY ") {
        return Some(Event::Asks(player, rank(rest.strip_suffix('?')?, true)?));
    }
    if let Some(rest) = after("YES: YOU GET ") {
        return counted(rest).map(|(count, rank)| Event::Gets(!player, count, rank));
    }
    if let Some(rest) = after("I DRAW THE ").filter(|_| player) {
        let (name, suit) = rest.split_once(" OF ")?;
        let suit = SUITS.iter().position(|&known| known == suit)? as u8 + 1;
        let rank = rank(name, false)?;
        return Some(Event::PlayerDraws(Card { rank, suit }));
    }
    if let Some(rest) = after("I DRAW THE ") {
        let (name, suit) = rest.strip_suffix(", AS ASKED")?.split_once(" OF ")?;
        SUITS.iter().position(|&known| known == suit)?;
        return Some(Event::ComputerDraws(Some(rank(name, false)?)));
    }
    if let Some(rest) = after("I LAY DOWN THE ") {
        return Some(Event::Book(player, rank(rest, true)?));
    }
    match words {
        "I DRAW A CARD" => Some(Event::ComputerDraws(None)),
        "BUT THE DECK IS EMPTY" => Some(Event::Empty),
        _ => None,
    }
}

/// A machine that shows the title page.
///
/// # Panics
/// When it does not come.
#[must_use]
pub fn at_the_title(model: Model, tv: Tv, seed: u64) -> Atari {
    super::at_the_title("go-fish", "YOU BEGIN", model, tv, seed)
}

impl Game {
    /// Starts a game from the title page.
    ///
    /// # Errors
    /// When the table does not come.
    pub fn start(mut atari: Atari, computer_begins: bool) -> Result<Self, String> {
        if computer_begins {
            atari.machine.input.option = true;
            atari.run(10);
            atari.machine.input.option = false;
            if !atari.wait_for_text("THE COMPUTER BEGINS", 60) {
                return Err(format!("OPTION does nothing:\n{}", atari.text()));
            }
            atari.run(10);
        }
        press_start(&mut atari, 8);
        let mut game = Self {
            atari,
            play: Play::default(),
            given: None,
            asked: Vec::new(),
            moves: Vec::new(),
            refused: 0,
        };
        // Everything is dealt, and books are laid down, when one side begins.
        let begins = if computer_begins {
            "I BEGIN"
        } else {
            "YOU BEGIN"
        };
        if !game.atari.wait_for_text(begins, 1500) {
            return Err(format!("nobody begins:\n{}", game.atari.text()));
        }
        game.play.table = table(&game.atari)?;
        game.play.table.holds_together()?;
        let dealt = &game.play.table;
        if dealt.deck != 38 || dealt.computer + 4 * dealt.books[1].len() != 7 {
            return Err(format!("dealt {dealt:?}"));
        }
        game.play.turn = Some(!computer_begins);
        match game.wait()? {
            Next::Yours => Ok(game),
            Next::Over(_) => Err("over before it began".into()),
        }
    }

    /// Watches what happens until the player is to ask or the game is over. The trigger, held down, makes the program hurry.
    fn wait(&mut self) -> Result<Next<Winner>, String> {
        self.atari.machine.input.joystick(0).trigger = true;
        let mut last: [Option<Event>; 2] = [None, None];
        let mut thinking = None;
        let mut quiet = 0;
        loop {
            self.atari.run(1);
            quiet += 1;
            let screen = self.atari.machine.displayed_text();
            for (line, last) in last.iter_mut().enumerate() {
                let player = line == 0;
                let now = event(player, &says(&screen, player));
                if now != *last {
                    *last = now;
                    if let Some(now) = now {
                        // The player's own question brings nothing new.
                        if quiet == 1 && line == 0 {
                            continue;
                        }
                        self.happens(now)?;
                        quiet = 2;
                        if let (Event::Asks(false, _), Some(since)) = (now, thinking.take()) {
                            self.moves.push(self.atari.frames - since);
                        }
                    }
                }
            }
            if says(&screen, false) == "I THINK" {
                thinking.get_or_insert(self.atari.frames);
            }
            let words = screen.row_text(MESSAGE);
            if words.contains("WHAT DO YOU ASK FOR?") {
                self.atari.machine.input.joystick(0).trigger = false;
                self.atari.run(8);
                self.look()?;
                if self.play.turn != Some(true) {
                    return Err(format!("it is not the player's turn: {:?}", self.play));
                }
                return Ok(Next::Yours);
            }
            if words.contains("ANOTHER GAME?") {
                self.atari.machine.input.joystick(0).trigger = false;
                self.atari.run(8);
                self.look()?;
                return self.over(&words).map(Next::Over);
            }
            if quiet > PATIENCE {
                return Err(format!(
                    "nothing for {PATIENCE} frames:\n{}",
                    self.atari.text()
                ));
            }
        }
    }

    fn happens(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Gets(true, count, rank) => self.given = Some((rank, count)),
            Event::Asks(false, rank) => self.asked.push(rank),
            Event::Book(true, rank) => {
                let given = self.given.take().filter(|given| given.0 == rank);
                let held = self.play.table.held(rank) + given.map_or(0, |given| given.1);
                if held != 4 {
                    return Err(format!("{held} of rank {rank} are no book"));
                }
            }
            _ => {}
        }
        self.play.happens(event)
    }

    /// Compares the screen with what the events made of the table.
    fn look(&mut self) -> Result<(), String> {
        let seen = table(&self.atari)?;
        seen.holds_together()?;
        let mut want = self.play.table.clone();
        if let Some((rank, count)) = self.given.take() {
            let (mut new, old): (Vec<Card>, Vec<Card>) = seen
                .hand
                .iter()
                .partition(|card| card.rank == rank && !want.hand.contains(card));
            if new.len() != count || old.len() != want.hand.len() {
                return Err(format!("{count} of rank {rank} were to come, {new:?} came"));
            }
            want.hand.append(&mut new);
        }
        want.hand.sort_unstable();
        let mut hand = seen.hand.clone();
        hand.sort_unstable();
        if (&hand, seen.computer, seen.deck, &seen.books)
            != (&want.hand, want.computer, want.deck, &want.books)
        {
            return Err(format!("the screen shows {seen:?}, the rules {want:?}"));
        }
        self.play.table = seen;
        Ok(())
    }

    fn over(&self, words: &str) -> Result<Winner, String> {
        let table = &self.play.table;
        let [mine, others] = [table.books[0].len(), table.books[1].len()];
        let (winner, name) = match mine.cmp(&others) {
            std::cmp::Ordering::Greater => (Winner::Player, "YOU WIN"),
            std::cmp::Ordering::Less => (Winner::Computer, "I WIN"),
            std::cmp::Ordering::Equal => (Winner::Nobody, "A TIE"),
        };
        if !table.hand.is_empty() && table.computer > 0 {
            return Err("over, but both hands hold cards".into());
        }
        let text = format!("{name}, {} TO {}.", mine.max(others), mine.min(others));
        if !words.contains(&text) {
            return Err(format!("{text} expected: {words}"));
        }
        Ok(winner)
    }

    /// Types the rank to ask for.
    ///
    /// # Errors
    /// When the program breaks a rule.
    pub fn ask(&mut self, rank: u8) -> Result<Next<Winner>, String> {
        let key = char::from(KEYS[usize::from(rank) - 1]);
        self.atari.type_text(&key.to_string());
        self.asks(rank)
    }

    /// The rank below the arrow.
    fn arrow(&self) -> Option<u8> {
        let frame = self.atari.machine.frame();
        // Its first lines, in the row below the player's balloon; the left edge of the picture shows the sea.
        let row = &frame.pixels()[121 * Frame::WIDTH..122 * Frame::WIDTH];
        let left = row.iter().position(|&colour| colour != row[4])?;
        fans(&self.atari)
            .into_iter()
            .find(|&(column, _)| left == 28 + 8 * column)
            .map(|(_, rank)| rank)
    }

    /// Moves the arrow with the stick and presses the trigger.
    ///
    /// # Errors
    /// When the program breaks a rule.
    pub fn ask_with_stick(&mut self, rank: u8) -> Result<Next<Winner>, String> {
        for _ in 0..14 {
            if self.arrow() == Some(rank) {
                trigger(&mut self.atari, 0, 10, 0);
                return self.asks(rank);
            }
            push(&mut self.atari, 0, [false, false, false, true], 10, 20);
        }
        Err(format!("the arrow does not come to rank {rank}"))
    }

    fn asks(&mut self, rank: u8) -> Result<Next<Winner>, String> {
        let question = format!("DO YOU HAVE ANY {}?", NAMES[usize::from(rank) - 1].1);
        for _ in 0..120 {
            let screen = self.atari.machine.displayed_text();
            if says(&screen, true) == question && !screen.row_text(MESSAGE).contains("WHAT DO") {
                self.happens(Event::Asks(true, rank))?;
                return self.wait();
            }
            self.atari.run(1);
        }
        Err(format!("{question} is not asked:\n{}", self.atari.text()))
    }

    /// Tries a rank that is not in the hand, or a key without a meaning.
    ///
    /// # Errors
    /// When the program takes it.
    pub fn try_wrong(&mut self, chance: &mut Chance) -> Result<(), String> {
        let absent: Vec<u8> = (1..=13)
            .filter(|&rank| self.play.table.held(rank) == 0)
            .collect();
        let words = if absent.is_empty() || chance.once_in(3) {
            self.atari
                .type_text(chance.one_of(&["X", "{CAPS}W", "{TAB}", "{INV}/"]));
            "TYPE A, 2 TO 9, T, J, Q OR K".to_owned()
        } else {
            let rank = chance.one_of(&absent);
            let key = char::from(KEYS[usize::from(rank) - 1]);
            self.atari.type_text(&key.to_string());
            format!("YOU HOLD NO {}", NAMES[usize::from(rank) - 1].1)
        };
        if !self.atari.wait_for_text(&words, 120) {
            return Err(format!("not refused with {words}:\n{}", self.atari.text()));
        }
        self.refused += 1;
        // The words stay until the next key.
        self.atari.run(150);
        if !self.atari.text().contains(&words) {
            return Err(format!("{words} went away:\n{}", self.atari.text()));
        }
        self.look()
    }
}

/// Plays a game to its end, asking for ranks that `choose` picks; one entry in `wrong` is a wrong one first.
///
/// # Errors
/// When the program breaks a rule.
pub fn play(
    mut game: Game,
    chance: &mut Chance,
    wrong: usize,
    choose: impl Fn(&Game, &mut Chance) -> u8,
) -> Result<Record, String> {
    for _ in 0..500 {
        if chance.once_in(wrong) {
            game.try_wrong(chance)?;
        }
        let rank = choose(&game, chance);
        let next = if chance.once_in(6) {
            game.ask_with_stick(rank)?
        } else {
            game.ask(rank)?
        };
        if let Next::Over(winner) = next {
            return Ok(Record {
                winner,
                moves: game.moves,
                refused: game.refused,
            });
        }
    }
    Err("500 questions and no end".into())
}

/// Any rank in the hand.
pub fn random(game: &Game, chance: &mut Chance) -> u8 {
    let ranks: Vec<u8> = game.play.table.hand.iter().map(|card| card.rank).collect();
    let mut ranks = ranks;
    ranks.dedup();
    chance.one_of(&ranks)
}

/// The rank the computer asked for last and the player holds now, else the one of which he holds most.
pub fn greedy(game: &Game, chance: &mut Chance) -> u8 {
    let table = &game.play.table;
    let asked = game.asked.iter().rev().copied();
    // What it asked for it holds, unless it has been asked back since.
    let last = game.play.asked.filter(|asked| asked.0).map(|asked| asked.1);
    if let Some(rank) = asked
        .take(4)
        .find(|&rank| table.held(rank) > 0 && last != Some(rank))
    {
        return rank;
    }
    let most = (1..=13).map(|rank| table.held(rank)).max().unwrap_or(0);
    let ranks: Vec<u8> = (1..=13).filter(|&rank| table.held(rank) == most).collect();
    chance.one_of(&ranks)
}

/// A machine at the title page, started once, whose chance is that of `seed`: it has waited a different time.
#[must_use]
pub fn fresh(seed: u64) -> Atari {
    static TITLE: OnceLock<Atari> = OnceLock::new();
    super::waited(
        &TITLE,
        || at_the_title(Model::Xl800, Tv::Ntsc, 1),
        seed * 31_657,
    )
}

fn pairing(seed: u64, choose: fn(&Game, &mut Chance) -> u8) -> Result<Record, String> {
    let mut chance = Chance::new(seed);
    let game = Game::start(fresh(seed), seed.is_multiple_of(2))?;
    play(game, &mut chance, 12, choose)
}

/// The pairing with [`random`].
///
/// # Errors
/// When the program breaks a rule.
pub fn against_random(seed: u64) -> Result<Record, String> {
    pairing(seed, random)
}

/// The pairing with [`greedy`].
///
/// # Errors
/// When the program breaks a rule.
pub fn against_greedy(seed: u64) -> Result<Record, String> {
    pairing(seed, greedy)
}
