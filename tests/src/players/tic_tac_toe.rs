//! A player of Tic-Tac-Toe: reads the marks from the board's characters, types numbers or moves the light with the stick.
use std::sync::OnceLock;

use machine::{Model, Tv};

use crate::Atari;
use crate::arena::{Record, Winner};
use crate::rules::Chance;
use crate::rules::tic_tac_toe::{Board, Mark, moves, value, winner};

use super::{Next, press_start, push, trigger};

/// Rows of characters from the top of one square to that of the next, and columns.
const SQUARE: (usize, usize) = (6, 7);
/// Column of the left squares.
const LEFT: usize = 10;
/// Screen row of the first squares, below the numbers of the columns.
const TOP: usize = 1;
/// First screen code of the two pictures (roms/games/tic-tac-toe/marks.txt; O is in inverse characters).
const X: u8 = 1;
const O: u8 = 0x80 | 31;
/// Most frames for a turn of the computer.
const PATIENCE: u32 = 900;

/// A game that is being played.
#[derive(Clone, Debug)]
pub struct Game {
    /// The machine.
    pub atari: Atari,
    /// The player's mark.
    pub side: Mark,
    /// The marks as the rules have them.
    pub board: Board,
    /// Frames the computer took for each of its marks.
    pub moves: Vec<u32>,
    /// Wrong entries that were refused.
    pub refused: u32,
}

/// The marks on the screen.
///
/// # Errors
/// When a square shows neither nothing nor a whole picture.
pub fn board(atari: &Atari) -> Result<Board, String> {
    let rows = atari.machine.displayed_text().rows;
    let mut board = [None; 9];
    for (number, square) in board.iter_mut().enumerate() {
        let first = rows[TOP + SQUARE.0 * (number / 3)][LEFT + SQUARE.1 * (number % 3)];
        *square = match first {
            0 => None,
            X => Some(Mark::X),
            O => Some(Mark::O),
            other => return Err(format!("square {number} shows character {other}")),
        };
        for row in 0..5 {
            for column in 0..6 {
                let code = rows[TOP + SQUARE.0 * (number / 3) + row]
                    [LEFT + SQUARE.1 * (number % 3) + column];
                let want = if first == 0 {
                    0
                } else {
                    first + (6 * row + column) as u8
                };
                if code != want {
                    return Err(format!("square {number} is no whole picture"));
                }
            }
        }
    }
    Ok(board)
}

/// A machine that shows the title page.
///
/// # Panics
/// When it does not come.
#[must_use]
pub fn at_the_title(model: Model, tv: Tv, seed: u64) -> Atari {
    super::at_the_title("tic-tac-toe", "ESC  MENU", model, tv, seed)
}

impl Game {
    /// Starts a game from the title page; `side` O lets the computer begin.
    ///
    /// # Errors
    /// When the board does not come.
    pub fn start(mut atari: Atari, side: Mark) -> Result<Self, String> {
        if side == Mark::O {
            atari.machine.input.option = true;
            atari.run(6);
            atari.machine.input.option = false;
            if !atari.wait_for_text("THE COMPUTER BEGINS", 60) {
                return Err(format!("OPTION does nothing:\n{}", atari.text()));
            }
            atari.run(10);
        }
        press_start(&mut atari, 6);
        let mut game = Self {
            atari,
            side,
            board: [None; 9],
            moves: Vec::new(),
            refused: 0,
        };
        match game.wait()? {
            Next::Yours => Ok(game),
            Next::Over(_) => Err("over before it began".into()),
        }
    }

    /// Waits for the player's turn or the end, and holds the computer's mark to the rules.
    fn wait(&mut self) -> Result<Next<Winner>, String> {
        let mut thinking = None;
        for waited in 0..PATIENCE {
            let text = self.atari.text();
            if text.contains("THE COMPUTER THINKS") {
                thinking.get_or_insert(waited);
                if let Ok(now) = board(&self.atari)
                    && now != self.board
                    && thinking != Some(u32::MAX)
                {
                    self.moves.push(waited - thinking.unwrap_or(waited));
                    self.computer_marked(now)?;
                    thinking = Some(u32::MAX);
                }
            } else if text.contains(": ROW 1-3") {
                return match board(&self.atari)? {
                    now if now == self.board => Ok(Next::Yours),
                    now => Err(format!("the board is {now:?}, not {:?}", self.board)),
                };
            } else if text.contains("ANOTHER GAME?") {
                return self.over(&text).map(Next::Over);
            }
            self.atari.run(1);
        }
        Err(format!(
            "nothing for {PATIENCE} frames:\n{}",
            self.atari.text()
        ))
    }

    fn computer_marked(&mut self, now: Board) -> Result<(), String> {
        let other = self.side.other();
        let before = value(&self.board, other);
        let changed: Vec<usize> = (0..9).filter(|&s| now[s] != self.board[s]).collect();
        let &[square] = &changed[..] else {
            return Err(format!("{} squares changed at once", changed.len()));
        };
        if now[square] != Some(other) || !moves(&self.board).contains(&square) {
            return Err(format!(
                "the computer's mark {now:?} after {:?}",
                self.board
            ));
        }
        self.board = now;
        if -value(&now, self.side) < before {
            return Err(format!("the computer gave something away: {now:?}"));
        }
        Ok(())
    }

    fn over(&self, text: &str) -> Result<Winner, String> {
        let now = board(&self.atari)?;
        let truth = match winner(&self.board) {
            Some(mark) if mark == self.side => Winner::Player,
            Some(_) => Winner::Computer,
            None if moves(&self.board).is_empty() => Winner::Nobody,
            None => return Err(format!("over in the middle: {:?}", self.board)),
        };
        let words = match truth {
            Winner::Player => "YOU WIN",
            Winner::Computer => "THE COMPUTER WINS",
            Winner::Nobody => "A TIE",
        };
        if now != self.board || !text.contains(words) {
            return Err(format!("{words} expected:\n{text}"));
        }
        Ok(truth)
    }

    /// Types the numbers of a free square.
    ///
    /// # Errors
    /// When the program or the computer breaks a rule.
    pub fn mark(&mut self, square: usize) -> Result<Next<Winner>, String> {
        self.atari
            .type_text(&format!("{}{}", square / 3 + 1, square % 3 + 1));
        self.marked(square)
    }

    /// Moves the light with the stick and presses the trigger.
    ///
    /// # Errors
    /// When the program or the computer breaks a rule.
    pub fn mark_with_stick(&mut self, square: usize) -> Result<Next<Winner>, String> {
        // First to the upper left: pushing on at the edge must do no harm.
        let way = [(true, false); 3].into_iter().chain([(false, true); 3]);
        for (up, left) in way {
            self.push(up, false, left, false);
        }
        for _ in 0..square / 3 {
            self.push(false, true, false, false);
        }
        for _ in 0..square % 3 {
            self.push(false, false, false, true);
        }
        trigger(&mut self.atari, 0, 10, 0);
        self.marked(square)
    }

    fn push(&mut self, up: bool, down: bool, left: bool, right: bool) {
        push(&mut self.atari, 0, [up, down, left, right], 10, 20);
    }

    fn marked(&mut self, square: usize) -> Result<Next<Winner>, String> {
        self.board[square] = Some(self.side);
        for _ in 0..240 {
            // The words for this mark go before those for what comes next are waited for.
            if board(&self.atari).is_ok_and(|now| now == self.board)
                && !self.atari.text().contains(": ROW ")
            {
                return self.wait();
            }
            self.atari.run(1);
        }
        Err(format!(
            "square {square} is not marked:\n{}",
            self.atari.text()
        ))
    }

    /// Tries an entry that is not allowed: a square that is taken, or a key without a meaning.
    ///
    /// # Errors
    /// When the program takes it.
    pub fn try_wrong(&mut self, chance: &mut Chance) -> Result<(), String> {
        let taken: Vec<usize> = (0..9).filter(|&s| self.board[s].is_some()).collect();
        let words = if taken.is_empty() || chance.once_in(2) {
            self.atari.type_text(chance.one_of(&[
                "4",
                "0",
                "9",
                "A",
                "*{LEFT}5",
                "-7",
                "{INV}Q",
                "{CAPS}7",
                "{CTRL-3}8",
            ]));
            "TYPE 1, 2 OR 3"
        } else {
            let square = chance.one_of(&taken);
            self.atari
                .type_text(&format!("{}{}", square / 3 + 1, square % 3 + 1));
            "THAT SQUARE IS TAKEN"
        };
        if !self.atari.wait_for_text(words, 120) {
            return Err(format!("not refused with {words}:\n{}", self.atari.text()));
        }
        self.refused += 1;
        // The answer stays for two seconds, and then until the next input.
        self.atari.run(100);
        if !self.atari.text().contains(words) {
            return Err(format!("{words} went too soon:\n{}", self.atari.text()));
        }
        self.atari.run(60);
        // Whatever number was typed first, the stick starts the entry again.
        self.push(true, false, false, false);
        self.push(false, true, false, false);
        if !self.atari.wait_for_text(": ROW ", 240) {
            return Err(format!("no way on:\n{}", self.atari.text()));
        }
        match board(&self.atari)? {
            now if now == self.board => Ok(()),
            now => Err(format!("a wrong entry changed the board to {now:?}")),
        }
    }
}

/// Plays a game to its end, marking squares that `choose` picks; one entry in `wrong` is a wrong one first.
///
/// # Errors
/// When the program or the computer breaks a rule.
pub fn play<F>(
    mut game: Game,
    chance: &mut Chance,
    wrong: usize,
    choose: F,
) -> Result<Record, String>
where
    F: Fn(&Board, Mark, &mut Chance) -> usize,
{
    loop {
        if chance.once_in(wrong) {
            game.try_wrong(chance)?;
        }
        let square = choose(&game.board, game.side, chance);
        let next = if chance.once_in(4) {
            game.mark_with_stick(square)?
        } else {
            game.mark(square)?
        };
        if let Next::Over(winner) = next {
            return Ok(Record {
                winner,
                moves: game.moves,
                refused: game.refused,
            });
        }
    }
}

/// Any free square.
pub fn random(board: &Board, _: Mark, chance: &mut Chance) -> usize {
    chance.one_of(&moves(board))
}

/// A square that wins, else one that stops the other side, else any.
pub fn greedy(board: &Board, side: Mark, chance: &mut Chance) -> usize {
    for mark in [side, side.other()] {
        for square in moves(board) {
            let mut after = *board;
            after[square] = Some(mark);
            if winner(&after).is_some() {
                return square;
            }
        }
    }
    random(board, side, chance)
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

fn pairing<F>(seed: u64, choose: F) -> Result<Record, String>
where
    F: Fn(&Board, Mark, &mut Chance) -> usize,
{
    let mut chance = Chance::new(seed);
    let side = if seed.is_multiple_of(2) {
        Mark::X
    } else {
        Mark::O
    };
    play(Game::start(fresh(seed), side)?, &mut chance, 8, choose)
}

/// The pairing with [`random`].
///
/// # Errors
/// When the program or the computer breaks a rule.
pub fn against_random(seed: u64) -> Result<Record, String> {
    pairing(seed, random)
}

/// The pairing with [`greedy`].
///
/// # Errors
/// When the program or the computer breaks a rule.
pub fn against_greedy(seed: u64) -> Result<Record, String> {
    pairing(seed, greedy)
}
