//! A player of the FOCAL checkers: reads what the teletype prints, types squares or lets the stick show the moves.
use std::sync::OnceLock;

use machine::{Model, Tv};

use crate::Atari;
use crate::arena::{Record, Winner};
use crate::rules::Chance;
use crate::rules::checkers::{Board, Outcome, Piece, Position, Side, Step};

use super::checkers::{self, Program, greedy, random};
use super::{Next, press_start, push, trigger};

/// The computer's side: its home is at the top of the print.
const COMPUTER: Side = Side::Black;
/// Column of the first square in a printed row, and columns from one to the next.
const COLUMNS: (usize, usize) = (5, 3);
/// The line above a printed board.
const HEADER: &str = "     1  2  3  4  5  6  7  8";
/// Most frames for a turn of the computer with its printing.
const PATIENCE: u32 = 1800;
/// Frames without a change after which the paper is read.
const STILL: u32 = 4;

/// A game that is being played.
#[derive(Clone, Debug)]
pub struct Game {
    /// The machine.
    pub atari: Atari,
    /// The position as the rules have it.
    pub position: Position,
    /// Frames the computer took before it printed each of its moves.
    pub moves: Vec<u32>,
    /// Wrong entries that were refused.
    pub refused: u32,
}

/// The number by which the program calls a square: 1 to 64, from the upper left.
fn number(square: usize) -> usize {
    8 * (square / 8) + 8 - square % 8
}

fn square(number: usize) -> Option<usize> {
    let index = number.checked_sub(1).filter(|&i| i < 64)?;
    Some(8 * (index / 8) + 7 - index % 8)
}

/// The text on the paper, without the blank lines and the margin.
fn paper(atari: &Atari) -> Vec<String> {
    let text = atari.text();
    let lines = text.lines().map(|line| {
        line.strip_prefix("  ")
            .unwrap_or(line)
            .trim_end()
            .to_owned()
    });
    lines.filter(|line| !line.is_empty()).collect()
}

/// The board that is printed in eight lines.
///
/// # Errors
/// When a square shows another letter than it may.
pub fn board(lines: &[String]) -> Result<Board, String> {
    let mut board = [None; 64];
    for (row, line) in lines.iter().enumerate().take(8) {
        if line.get(..2).map(str::trim) != Some(&(8 * row).to_string()) {
            return Err(format!("row {row} begins otherwise: {line}"));
        }
        for column in 0..8 {
            let index = COLUMNS.0 + COLUMNS.1 * column;
            let letter = line.as_bytes().get(index).copied().unwrap_or(b' ');
            let is_used = (row + column) % 2 == 1;
            let piece = |side, king| Some(Piece { side, king });
            board[8 * row + 7 - column] = match letter {
                b' ' if !is_used => None,
                b'.' if is_used => None,
                b'C' if is_used => piece(COMPUTER, false),
                b'Q' if is_used => piece(COMPUTER, true),
                b'O' if is_used => piece(COMPUTER.other(), false),
                b'K' if is_used => piece(COMPUTER.other(), true),
                _ => return Err(format!("square {}: {line}", 8 * row + column + 1)),
            };
        }
    }
    Ok(board)
}

/// A computer's move in print, as `I MOVE 18-25`.
fn step_in(line: &str) -> Option<Step> {
    let rest = line
        .strip_prefix("I MOVE ")
        .or_else(|| line.strip_prefix("I JUMP "))?;
    let (from, to) = rest.split_once('-')?;
    Some((square(from.parse().ok()?)?, square(to.parse().ok()?)?))
}

/// True if the old algorithm may choose this step: a jump where there is one; else a thrust where there is one, that is a man's
/// step away from a piece of his own that stands behind him, unless he is on the home row; else any, home men last.
fn is_as_described(position: &Position, step: Step) -> bool {
    let (from, to) = step;
    let steps = position.steps();
    if from.abs_diff(to) > 9 || position.hop.is_some() {
        return true;
    }
    let is_man = |square: usize| position.board[square].is_some_and(|piece| !piece.king);
    let is_thrust = |&(from, to): &Step| {
        let behind = (2 * from).checked_sub(to).filter(|&b| b < 64);
        from > 7
            && is_man(from)
            && behind.is_some_and(|b| {
                (b % 8).abs_diff(from % 8) == 1
                    && position.board[b].is_some_and(|piece| piece.side == COMPUTER)
            })
    };
    if steps.iter().any(is_thrust) {
        return is_thrust(&step);
    }
    let stays_home = |&(from, _): &Step| from < 8 && is_man(from);
    !stays_home(&step) || steps.iter().all(stays_home)
}

/// A machine that shows the title page.
///
/// # Panics
/// When it does not come.
#[must_use]
pub fn at_the_title(model: Model, tv: Tv, seed: u64) -> Atari {
    super::at_the_title("focal", "M  MUSIC", model, tv, seed)
}

impl Game {
    /// Starts a game from the title page.
    ///
    /// # Errors
    /// When the program breaks a rule before the player's first turn.
    pub fn start(mut atari: Atari, first: Side) -> Result<(Self, Next<Outcome>), String> {
        atari.type_text(if first == COMPUTER { "2" } else { "1" });
        atari.run(15);
        press_start(&mut atari, 4);
        let mut game = Self {
            atari,
            position: Position::start(first),
            moves: Vec::new(),
            refused: 0,
        };
        if !game.atari.wait_for_text("O AND K ARE YOURS", 900) {
            return Err(format!("no game:\n{}", game.atari.text()));
        }
        let next = game.wait()?;
        Ok((game, next))
    }

    /// Waits for the player's turn or the end, and holds what was printed to the rules.
    fn wait(&mut self) -> Result<Next<Outcome>, String> {
        let mut has_moved = false;
        let mut still = 0;
        for waited in 0..PATIENCE {
            let lines = paper(&self.atari);
            let last = lines.last().map_or("", String::as_str);
            if !has_moved && step_in(last).is_some() {
                has_moved = true;
                self.moves.push(waited);
            }
            let asks = last.ends_with('_') || last == "ANOTHER GAME? (Y/N)";
            self.atari.run(1);
            // A frame may end while the paper moves up.
            still = if asks && paper(&self.atari) == lines {
                still + 1
            } else {
                0
            };
            if still == STILL {
                return self.printed(&lines);
            }
        }
        Err(format!(
            "nothing for {PATIENCE} frames:\n{}",
            self.atari.text()
        ))
    }

    /// Plays the computer's moves that are on the paper below the player's last one, and compares the board below them.
    fn printed(&mut self, lines: &[String]) -> Result<Next<Outcome>, String> {
        let last = lines.last().map_or("", String::as_str);
        if self.position.hop.is_some() && self.position.turn != COMPUTER {
            return if last.starts_with("AND JUMP ON TO? _") {
                Ok(Next::Yours)
            } else {
                Err(format!("no further jump asked for:\n{}", lines.join("\n")))
            };
        }
        let header = lines
            .iter()
            .rposition(|line| line == HEADER)
            .ok_or("no board on the paper")?;
        let begin = lines[..header]
            .iter()
            .rposition(|line| line.contains("TO?") || line.starts_with("56"))
            .map_or(0, |index| index + 1);
        for line in &lines[begin..header] {
            let Some(step) = step_in(line) else {
                continue;
            };
            if self.position.turn != COMPUTER {
                return Err(format!("{line}, but it is the player's turn"));
            }
            if !is_as_described(&self.position, step) {
                return Err(format!(
                    "{line} is not what the algorithm does in {:?}",
                    self.position
                ));
            }
            self.position.play(step)?;
        }
        let now = board(&lines[header + 1..])?;
        if now != self.position.board {
            return Err(format!(
                "the rules have {:?}, the paper\n{}",
                self.position.board,
                lines.join("\n")
            ));
        }
        let outcome = self.position.outcome();
        let words = match outcome {
            None if self.position.turn == COMPUTER => {
                return Err(format!("the computer does not move:\n{}", lines.join("\n")));
            }
            None => "YOUR MOVE",
            Some(Outcome::Won(COMPUTER)) => "I WIN",
            Some(Outcome::Won(_)) => "YOU WIN",
            Some(Outcome::Draw) => "A DRAW",
        };
        if !lines[header..].iter().any(|line| line.contains(words)) {
            return Err(format!("{words} expected:\n{}", lines.join("\n")));
        }
        Ok(outcome.map_or(Next::Yours, Next::Over))
    }

    /// The keys of a step; in the middle of a piece's jumps only its goal is asked for.
    fn keys(&self, step: Step) -> String {
        if self.position.hop.is_some() {
            format!("{}\n", number(step.1))
        } else {
            format!("{}-{}\n", number(step.0), number(step.1))
        }
    }

    /// Types a step.
    ///
    /// # Errors
    /// When the program or the computer breaks a rule.
    pub fn step(&mut self, step: Step) -> Result<Next<Outcome>, String> {
        let keys = self.keys(step);
        self.atari.type_text(&keys);
        self.played(step)
    }

    /// Lets the stick show the moves until the right one comes, and presses the trigger.
    ///
    /// # Errors
    /// When it does not come, or the program or the computer breaks a rule.
    pub fn step_with_stick(&mut self, step: Step) -> Result<Next<Outcome>, String> {
        let wanted = format!("? {}_", self.keys(step).trim_end());
        for _ in 0..60 {
            if paper(&self.atari)
                .last()
                .is_some_and(|line| line.ends_with(&wanted))
            {
                trigger(&mut self.atari, 0, 6, 0);
                return self.played(step);
            }
            push(&mut self.atari, 0, [false, false, false, true], 4, 16);
        }
        Err(format!(
            "the stick does not show {wanted}:\n{}",
            self.atari.text()
        ))
    }

    fn played(&mut self, step: Step) -> Result<Next<Outcome>, String> {
        self.position.play(step)?;
        let mut gone = 0;
        for _ in 0..120 {
            // The entry loses its cursor when it is taken; for a moment also with each character.
            gone = if paper(&self.atari)
                .last()
                .is_some_and(|line| !line.ends_with('_'))
            {
                gone + 1
            } else {
                0
            };
            if gone == STILL {
                return self.wait();
            }
            self.atari.run(1);
        }
        Err(format!("{step:?} is not taken:\n{}", self.atari.text()))
    }

    /// Tries an entry that is not allowed: an illegal step, half a step, or a key without a meaning.
    ///
    /// # Errors
    /// When the program takes it.
    pub fn try_wrong(&mut self, chance: &mut Chance) -> Result<(), String> {
        let legal = self.position.steps();
        let keys = if chance.once_in(4) {
            chance.one_of(&["A", "Z", "\n", "99\n", "0-0\n"]).to_owned()
        } else {
            loop {
                let from = self.position.hop.unwrap_or_else(|| chance.below(64));
                let step = (from, chance.below(64));
                if !legal.contains(&step) {
                    break self.keys(step);
                }
            }
        };
        self.atari.type_text(&keys);
        for _ in 0..180 {
            let lines = paper(&self.atari);
            if let [.., entry, words, prompt] = &lines[..]
                && prompt.ends_with("? _")
                && entry.contains("TO?")
                && !words.contains("TO?")
            {
                self.refused += 1;
                return Ok(());
            }
            self.atari.run(1);
        }
        Err(format!(
            "{keys:?} is not refused in words:\n{}",
            self.atari.text()
        ))
    }
}

impl Program for Game {
    const STICK: usize = 8;
    fn position(&self) -> &Position {
        &self.position
    }
    fn type_step(&mut self, step: Step) -> Result<Next<Outcome>, String> {
        self.step(step)
    }
    fn point_step(&mut self, step: Step) -> Result<Next<Outcome>, String> {
        self.step_with_stick(step)
    }
    fn try_wrong(&mut self, chance: &mut Chance) -> Result<(), String> {
        self.try_wrong(chance)
    }
    fn record(self, winner: Winner) -> Record {
        Record {
            winner,
            moves: self.moves,
            refused: self.refused,
        }
    }
}

/// A machine at the title page, started once, whose chance is that of `seed`: it has waited a different time.
#[must_use]
pub fn fresh(seed: u64) -> Atari {
    static TITLE: OnceLock<Atari> = OnceLock::new();
    super::waited(
        &TITLE,
        || at_the_title(Model::Xl800, Tv::Ntsc, 1),
        seed * 7919 % 2_000_003,
    )
}

fn against<F>(seed: u64, choose: F) -> Result<Record, String>
where
    F: Fn(&Position, &mut Chance) -> Step,
{
    let first = if seed.is_multiple_of(2) {
        COMPUTER
    } else {
        COMPUTER.other()
    };
    let game = Game::start(fresh(seed), first)?;
    checkers::pairing(game, COMPUTER, seed, choose)
}

/// The pairing with [`random`].
///
/// # Errors
/// When the program or the computer breaks a rule.
pub fn against_random(seed: u64) -> Result<Record, String> {
    against(seed, random)
}

/// The pairing with [`greedy`].
///
/// # Errors
/// When the program or the computer breaks a rule.
pub fn against_greedy(seed: u64) -> Result<Record, String> {
    against(seed, greedy)
}
