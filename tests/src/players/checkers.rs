//! A player of Checkers: reads the pieces from the board's characters, types squares or moves the light with the stick.
use std::sync::OnceLock;

use machine::{Frame, Model, Tv};

use crate::Atari;
use crate::arena::{Record, Winner};
use crate::rules::Chance;
use crate::rules::checkers::{Board, Outcome, Piece, Position, Side, Step, name, square};

use super::{Next, press_start, push, trigger};

/// Column of the board's left edge, and rows and columns of characters of a square.
const LEFT: usize = 4;
const SQUARE: (usize, usize) = (3, 4);
/// First characters of the pictures (roms/games/checkers/board.txt), and of the crowns in their middle.
const LIGHT: u8 = 1;
const DARK: u8 = 2;
const BLACK: u8 = 4;
const WHITE: u8 = 16;
const CROWN_ON_BLACK: u8 = 0x80 | 0x1C;
const CROWN_ON_WHITE: u8 = 0x80 | 0x1E;
/// First character of the point that lights a goal.
const GOAL: u8 = 68;
/// Rows of text below the board: messages, and the entry.
const MESSAGE: usize = 25;
const ENTRY: usize = 26;
/// Picture row and column of the upper left corner of the board: scan line 18, colour clock 64.
const CORNER: (usize, usize) = (10, 60);
/// Most frames for a turn of the computer.
const PATIENCE: u32 = 1200;

/// A game that is being played.
#[derive(Clone, Debug)]
pub struct Game {
    /// The machine.
    pub atari: Atari,
    /// The sides that the player has.
    pub sides: Vec<Side>,
    /// The position as the rules have it.
    pub position: Position,
    /// Frames the computer took for each of its steps.
    pub moves: Vec<u32>,
    /// Wrong entries that were refused.
    pub refused: u32,
    seen: String,
}

/// The pieces on the screen.
///
/// # Errors
/// When a square shows no whole picture.
pub fn board(atari: &Atari) -> Result<Board, String> {
    let rows = atari.machine.displayed_text().rows;
    let mut board = [None; 64];
    for (number, place) in board.iter_mut().enumerate() {
        let top = SQUARE.0 * (7 - number / 8);
        let left = LEFT + SQUARE.1 * (number % 8);
        let first = rows[top][left];
        let crown = rows[top + 1][left + 1];
        let is_dark = (number / 8 + number % 8).is_multiple_of(2);
        *place = match (first, crown) {
            (LIGHT, _) if !is_dark => None,
            (DARK, _) if is_dark => None,
            (BLACK, code) if is_dark => Some(Piece {
                side: Side::Black,
                king: code == CROWN_ON_BLACK,
            }),
            (WHITE, code) if is_dark => Some(Piece {
                side: Side::White,
                king: code == CROWN_ON_WHITE,
            }),
            _ => return Err(format!("{} shows character {first}", name(number))),
        };
        for row in 0..SQUARE.0 {
            for column in 0..SQUARE.1 {
                let code = rows[top + row][left + column];
                let mut want = match first {
                    LIGHT | DARK => first,
                    _ => first + (SQUARE.1 * row + column) as u8,
                };
                if let (Some(piece), 1, 1 | 2) = (*place, row, column)
                    && piece.king
                {
                    want = crown + column as u8 - 1;
                }
                if first == DARK && crown == GOAL && row == 1 && matches!(column, 1 | 2) {
                    want = GOAL + column as u8 - 1;
                }
                if code != want {
                    return Err(format!("{} is no whole picture", name(number)));
                }
            }
        }
    }
    Ok(board)
}

/// The squares that are lit as goals, in the order of their numbers.
#[must_use]
pub fn goals(atari: &Atari) -> Vec<usize> {
    let rows = atari.machine.displayed_text().rows;
    let is_lit = |number: &usize| {
        let top = SQUARE.0 * (7 - number / 8);
        rows[top + 1][LEFT + SQUARE.1 * (number % 8) + 1] == GOAL
    };
    (0..64).filter(is_lit).collect()
}

/// The square of the cursor: a frame in red for black, in blue for white.
fn cursor(atari: &Atari) -> Option<usize> {
    (0..64).find(|number| {
        let row = CORNER.0 + 24 * (7 - number / 8);
        let column = CORNER.1 + 32 * (number % 8);
        let pixel = atari.machine.frame().pixels()[row * Frame::WIDTH + column];
        matches!(pixel >> 4, 4 | 8)
    })
}

/// A machine that shows the title page.
///
/// # Panics
/// When it does not come.
#[must_use]
pub fn at_the_title(model: Model, tv: Tv, seed: u64) -> Atari {
    super::at_the_title("checkers", "LEVEL  MIDDLE", model, tv, seed)
}

/// A step in the words of the message row, as `BLACK C3-D4. NOW WHITE`.
fn step_in(message: &str) -> Option<(Side, Step)> {
    let message = message.trim();
    let side = match message.get(..6)? {
        "BLACK " => Side::Black,
        "WHITE " => Side::White,
        _ => return None,
    };
    let step = (square(message.get(6..8)?)?, square(message.get(9..11)?)?);
    let rest = message.get(11..)?;
    let whole = [". NOW BLACK", ". NOW WHITE", ": IT MUST JUMP ON"].contains(&rest);
    (whole && message.get(8..9) == Some("-")).then_some((side, step))
}

impl Game {
    /// Starts a game from the title page: as one side, as both or as none.
    ///
    /// # Errors
    /// When the board does not come, or a step that is played before the player's turn is wrong.
    pub fn start(mut atari: Atari, sides: &[Side]) -> Result<(Self, Next<Outcome>), String> {
        let key = match sides {
            [Side::Black] => "1",
            [Side::White] => "2",
            [_, _] => "3",
            _ => "4",
        };
        atari.type_text(key);
        atari.run(15);
        press_start(&mut atari, 4);
        let mut game = Self {
            atari,
            sides: sides.to_vec(),
            position: Position::start(Side::Black),
            moves: Vec::new(),
            refused: 0,
            seen: String::new(),
        };
        if !game.atari.wait_for_text("BLACK BEGINS", 240) {
            return Err(format!("no board:\n{}", game.atari.text()));
        }
        let next = game.wait()?;
        Ok((game, next))
    }

    fn row(&self, row: usize) -> String {
        self.atari.machine.displayed_text().row_text(row)
    }

    /// Waits for the player's turn or the end, and holds every step that is played to the rules.
    fn wait(&mut self) -> Result<Next<Outcome>, String> {
        let mut thinking = None;
        let mut waited = 0;
        while waited < PATIENCE {
            let (message, entry) = (self.row(MESSAGE), self.row(ENTRY));
            if !entry.contains(" THINKS")
                && let Some(since) = thinking.take()
            {
                self.moves.push(waited - since);
            }
            if message != self.seen
                && let Some((side, step)) = step_in(&message)
            {
                if side != self.position.turn {
                    return Err(format!("{message} out of turn"));
                }
                self.position.play(step)?;
                let now = board(&self.atari)?;
                if now != self.position.board {
                    return Err(format!(
                        "after {message} the board is {now:?}, not {:?}",
                        self.position.board
                    ));
                }
                self.seen = message;
                waited = 0;
            } else if entry.contains(" THINKS") {
                thinking.get_or_insert(waited);
            } else if entry.contains("ANOTHER GAME?") {
                return self.over(&message).map(Next::Over);
            } else if entry.contains("MOVE:")
                && entry.contains('_')
                && self.sides.contains(&self.position.turn)
                && self.position.outcome().is_none()
                && (self.seen == message || self.seen.is_empty())
            {
                return Ok(Next::Yours);
            }
            self.atari.run(1);
            waited += 1;
        }
        Err(format!(
            "nothing for {PATIENCE} frames:\n{}",
            self.atari.text()
        ))
    }

    fn over(&self, message: &str) -> Result<Outcome, String> {
        let Some(outcome) = self.position.outcome() else {
            return Err(format!("{message} in the middle: {:?}", self.position));
        };
        let words = match outcome {
            Outcome::Won(Side::Black) => "BLACK WINS",
            Outcome::Won(Side::White) => "WHITE WINS",
            Outcome::Draw => "A DRAW",
        };
        if message.contains(words) && board(&self.atari)? == self.position.board {
            Ok(outcome)
        } else {
            Err(format!("{words} expected, not {message}"))
        }
    }

    /// Types a step; the piece in the middle of its jumps stands there already.
    ///
    /// # Errors
    /// When the program or the computer breaks a rule.
    pub fn step(&mut self, step: Step) -> Result<Next<Outcome>, String> {
        // The dash comes by itself; to type it does no harm.
        let from = match self.position.hop {
            Some(_) => String::new(),
            None if step.0.is_multiple_of(3) => format!("{}-", name(step.0)),
            None => name(step.0),
        };
        self.atari.type_text(&format!("{from}{}\n", name(step.1)));
        self.played(step)
    }

    /// Plays a step with the stick in a port.
    ///
    /// # Errors
    /// When the program or the computer breaks a rule.
    pub fn step_with_stick(&mut self, step: Step, port: usize) -> Result<Next<Outcome>, String> {
        if self.position.hop.is_none() {
            self.point_at(step.0, port)?;
        }
        self.point_at(step.1, port)?;
        self.played(step)
    }

    /// Moves the cursor to a square and presses the trigger.
    fn point_at(&mut self, goal: usize, port: usize) -> Result<(), String> {
        for _ in 0..40 {
            let Some(at) = cursor(&self.atari) else {
                return Err("no cursor to be seen".into());
            };
            if at == goal {
                trigger(&mut self.atari, port, 4, 12);
                return Ok(());
            }
            let (row, column) = (at / 8, at % 8);
            let way = [
                goal / 8 > row,
                goal / 8 < row,
                goal % 8 < column,
                goal % 8 > column,
            ];
            push(&mut self.atari, port, way, 3, 12);
        }
        Err(format!("the cursor does not come to {}", name(goal)))
    }

    fn played(&mut self, step: Step) -> Result<Next<Outcome>, String> {
        let moved = (self.position.turn, step);
        for _ in 0..300 {
            let message = self.row(MESSAGE);
            if step_in(&message) == Some(moved) {
                return self.wait();
            }
            self.atari.run(1);
        }
        Err(format!(
            "{}-{} is not played:\n{}",
            name(step.0),
            name(step.1),
            self.atari.text()
        ))
    }

    /// Tries an entry that is not allowed: an illegal step, half a step, or keys without a meaning.
    ///
    /// # Errors
    /// When the program takes it.
    pub fn try_wrong(&mut self, chance: &mut Chance) -> Result<(), String> {
        let legal = self.position.steps();
        let keys = if chance.below(4) == 0 {
            chance.one_of(&["Z", "9", "CC", "/", "C3\n"]).to_owned()
        } else {
            let step = loop {
                let from = self.position.hop.unwrap_or_else(|| chance.below(64));
                let step = (from, chance.below(64));
                if !legal.contains(&step) {
                    break step;
                }
            };
            let from = if self.position.hop.is_some() {
                String::new()
            } else {
                name(step.0)
            };
            format!("{from}{}\n", name(step.1))
        };
        let keys = if self.position.hop.is_some() && keys == "C3\n" {
            "Z".to_owned()
        } else {
            keys
        };
        self.atari.type_text(&keys);
        self.atari.run(40);
        let (message, entry) = (self.row(MESSAGE), self.row(ENTRY));
        if message == self.seen || step_in(&message).is_some() || message.trim().is_empty() {
            return Err(format!(
                "{keys:?} is not refused in words:\n{}",
                self.atari.text()
            ));
        }
        let now = board(&self.atari)?;
        if now != self.position.board || !entry.contains("MOVE:") {
            return Err(format!(
                "{keys:?} changed something:\n{}",
                self.atari.text()
            ));
        }
        self.atari.type_text("{BKS*5}");
        self.atari.run(4);
        self.refused += 1;
        Ok(())
    }
}

/// A program that plays checkers, with the rules beside it.
pub trait Program: Sized {
    /// One step in this many is played with the stick.
    const STICK: usize;
    /// The position as the rules have it.
    fn position(&self) -> &Position;
    /// Types a step.
    ///
    /// # Errors
    /// When the program or the computer breaks a rule.
    fn type_step(&mut self, step: Step) -> Result<Next<Outcome>, String>;
    /// Plays a step with the first stick.
    ///
    /// # Errors
    /// When the program or the computer breaks a rule.
    fn point_step(&mut self, step: Step) -> Result<Next<Outcome>, String>;
    /// Tries an entry that is not allowed.
    ///
    /// # Errors
    /// When the program takes it.
    fn try_wrong(&mut self, chance: &mut Chance) -> Result<(), String>;
    /// The record of a finished game for the arena.
    fn record(self, winner: Winner) -> Record;
}

impl Program for Game {
    const STICK: usize = 6;
    fn position(&self) -> &Position {
        &self.position
    }
    fn type_step(&mut self, step: Step) -> Result<Next<Outcome>, String> {
        self.step(step)
    }
    fn point_step(&mut self, step: Step) -> Result<Next<Outcome>, String> {
        self.step_with_stick(step, 0)
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

/// Plays a game to its end with steps that `choose` picks; one entry in `wrong` is a wrong one first.
///
/// # Errors
/// When the program or the computer breaks a rule.
pub fn play<G, F>(
    (mut game, mut next): (G, Next<Outcome>),
    chance: &mut Chance,
    wrong: usize,
    choose: F,
) -> Result<(Outcome, G), String>
where
    G: Program,
    F: Fn(&Position, &mut Chance) -> Step,
{
    loop {
        if let Next::Over(outcome) = next {
            return Ok((outcome, game));
        }
        if chance.once_in(wrong) {
            game.try_wrong(chance)?;
        }
        let step = choose(game.position(), chance);
        next = if chance.once_in(G::STICK) {
            game.point_step(step)?
        } else {
            game.type_step(step)?
        };
    }
}

/// A whole game for the arena, against the computer's side.
///
/// # Errors
/// When the program or the computer breaks a rule.
pub fn pairing<G, F>(
    game: (G, Next<Outcome>),
    computer: Side,
    seed: u64,
    choose: F,
) -> Result<Record, String>
where
    G: Program,
    F: Fn(&Position, &mut Chance) -> Step,
{
    let (outcome, game) = play(game, &mut Chance::new(seed), 10, choose)?;
    Ok(game.record(match outcome {
        Outcome::Won(winner) if winner == computer => Winner::Computer,
        Outcome::Won(_) => Winner::Player,
        Outcome::Draw => Winner::Nobody,
    }))
}

/// Any legal step.
pub fn random(position: &Position, chance: &mut Chance) -> Step {
    chance.one_of(&position.steps())
}

/// A step that wins most and gives back least; any of them.
pub fn greedy(position: &Position, chance: &mut Chance) -> Step {
    let steps = position.steps();
    let best = steps.iter().map(|&s| position.gain(s)).max();
    let good: Vec<Step> = steps
        .into_iter()
        .filter(|&s| Some(position.gain(s)) == best)
        .collect();
    chance.one_of(&good)
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
    let side = if seed.is_multiple_of(2) {
        Side::Black
    } else {
        Side::White
    };
    let game = Game::start(fresh(seed), &[side])?;
    pairing(game, side.other(), seed, choose)
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
