//! A player of Hexapawn: reads the pawns from the board's characters, types squares or moves the cursor with the stick, and keeps
//! account of what the computer must have learnt from the games it saw.
use std::collections::BTreeMap;
use std::sync::OnceLock;

use machine::host::{HostReply, HostRequest, status};
use machine::{Model, Tv};

use crate::Atari;
use crate::arena::{Record, Winner};
use crate::rules::Chance;
use crate::rules::hexapawn::{Board, Knowledge, Move, START, Side, after, moves, winner};

use super::{Next, press_start, push, trigger};

/// Most frames for a turn of the computer.
const PATIENCE: u32 = 900;

/// A folder for H:.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    /// Its files.
    pub files: BTreeMap<String, Vec<u8>>,
    /// True if nothing can be written.
    pub read_only: bool,
}

impl Folder {
    /// Answers the machine, where it asks.
    pub fn serve(&mut self, atari: &mut Atari) {
        let Some(request) = atari.machine.host_request().cloned() else {
            return;
        };
        let file = |name: &[u8]| String::from_utf8_lossy(&name[2..]).into_owned();
        let reply = match request {
            HostRequest::Open { mode, .. } if mode & 8 != 0 && self.read_only => {
                HostReply::status(status::LOCKED)
            }
            HostRequest::Open { name, mode } => match self.files.get(&file(&name)) {
                Some(data) => HostReply {
                    status: status::OK,
                    data: data.clone(),
                },
                None if mode & 4 == 0 => HostReply::status(status::OK),
                None => HostReply::status(status::NOT_FOUND),
            },
            HostRequest::Write { name, data } => {
                self.files.insert(file(&name), data);
                HostReply::status(status::OK)
            }
            HostRequest::Command { .. } => HostReply::status(status::NOT_IMPLEMENTED),
        };
        atari.machine.answer_host(reply);
    }

    /// Runs until the screen shows `text`, `frames` at most.
    pub fn wait_for_text(&mut self, atari: &mut Atari, text: &str, frames: u32) -> bool {
        for _ in 0..frames {
            if atari.text().contains(text) {
                return true;
            }
            atari.run(1);
            self.serve(atari);
        }
        atari.text().contains(text)
    }
}

/// A series of games in one machine.
#[derive(Clone, Debug)]
pub struct Series {
    /// The machine.
    pub atari: Atari,
    /// The board as the rules have it.
    pub board: Board,
    /// The moves that the computer can still choose, after the games so far.
    pub knowledge: Knowledge,
    /// The board before the computer's last move, and that move.
    last: Option<(Board, Move)>,
    /// Games won by the computer and by the player.
    pub score: [u32; 2],
    /// The moves of the game so far.
    pub record: Vec<Move>,
    /// Frames the computer took for each of its moves.
    pub moves: Vec<u32>,
    /// Wrong entries that were refused.
    pub refused: u32,
}

/// The pawns on the screen.
///
/// # Errors
/// When a square does not show its number and either nothing or a whole pawn.
pub fn board(atari: &Atari) -> Result<Board, String> {
    let rows = atari.machine.displayed_text().rows;
    let mut board = [None; 9];
    for (index, square) in board.iter_mut().enumerate() {
        let (row, column) = (7 * (index / 3), 1 + 8 * (index % 3));
        let light = index % 2 == 0;
        // The number hides the first cell.
        let first = rows[row][column + 2];
        let ground = if light { 85 } else { 0 };
        let pawn = if light { 44 } else { 2 };
        *square = match first {
            code if code == ground => None,
            code if code == pawn => Some(Side::Computer),
            code if code == pawn | 0x80 => Some(Side::Player),
            other => return Err(format!("square {} shows character {other}", index + 1)),
        };
        if rows[row][column + 1] != 86 + index as u8 {
            return Err(format!("square {} has no number", index + 1));
        }
        for cell in 1..42 {
            let want = if square.is_none() {
                ground
            } else {
                first + cell as u8 - 1
            };
            if rows[row + cell / 6][column + 1 + cell % 6] != want {
                return Err(format!("square {} shows half a pawn", index + 1));
            }
        }
    }
    Ok(board)
}

/// A machine that shows the title page; with `host` it has a folder for H:.
///
/// # Panics
/// When it does not come.
#[must_use]
pub fn at_the_title(model: Model, tv: Tv, seed: u64, host: bool) -> Atari {
    let listing = crate::game_listing("hexapawn", crate::memory(model)).unwrap();
    let program = media::basic::Program::tokenize(listing.as_bytes()).unwrap();
    let mut config = crate::config(model, tv, true);
    config.seed = seed;
    let mut atari = Atari::new(&config);
    if host {
        atari.machine.attach_host(false);
    }
    assert!(atari.wait_for_key(600), "no READY:\n{}", atari.text());
    atari.machine.load_basic(&program).unwrap();
    atari.type_text("RUN\n");
    super::shows_its_title(atari, "46 MOVES")
}

impl Series {
    /// Starts the first game from the title page of a computer that has learnt nothing.
    ///
    /// # Errors
    /// When the board does not come.
    pub fn start(mut atari: Atari) -> Result<Self, String> {
        press_start(&mut atari, 6);
        let mut series = Self {
            atari,
            board: START,
            knowledge: Knowledge::default(),
            last: None,
            score: [0; 2],
            record: Vec::new(),
            moves: Vec::new(),
            refused: 0,
        };
        match series.wait()? {
            Next::Yours => Ok(series),
            Next::Over(_) => Err("over before it began".into()),
        }
    }

    /// Answers the question for another game with Y.
    ///
    /// # Errors
    /// When the board does not come.
    pub fn another(&mut self) -> Result<(), String> {
        self.atari.type_text("Y");
        for _ in 0..240 {
            if !self.atari.text().contains("ANOTHER GAME?") {
                break;
            }
            self.atari.run(1);
        }
        self.board = START;
        self.last = None;
        self.record.clear();
        match self.wait()? {
            Next::Yours => Ok(()),
            Next::Over(_) => Err("over before it began".into()),
        }
    }

    fn wait(&mut self) -> Result<Next<Side>, String> {
        let mut thinking = None;
        let mut moved = false;
        for waited in 0..PATIENCE {
            let text = self.atari.text();
            if ["I LOOK FOR THIS BOARD", "I SHAKE BOX", ": I MOVE "]
                .iter()
                .any(|words| text.contains(words))
            {
                let since = *thinking.get_or_insert(waited);
                // Squares are drawn one after the other: until all are, the board is not one that a move makes.
                if !moved
                    && let Ok(now) = board(&self.atari)
                    && let Some(choice) = self.choice(&now)
                {
                    self.moves.push(waited - since);
                    self.computer_moved(choice)?;
                    moved = true;
                }
            } else if text.contains("YOUR MOVE") {
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

    /// The move among those that the computer can still choose that makes `now`.
    fn choice(&self, now: &Board) -> Option<Move> {
        let choices = self.knowledge.moves(&self.board)?;
        choices
            .into_iter()
            .find(|&choice| after(&self.board, choice) == *now)
    }

    fn computer_moved(&mut self, choice: Move) -> Result<(), String> {
        if !moves(&self.board, Side::Computer).contains(&choice) {
            return Err(format!("{choice:?} is no move on {:?}", self.board));
        }
        self.last = Some((self.board, choice));
        self.record.push(choice);
        self.board = after(&self.board, choice);
        Ok(())
    }

    fn over(&mut self, text: &str) -> Result<Side, String> {
        if board(&self.atari)? != self.board {
            return Err(format!("another board at the end:\n{text}"));
        }
        let mover = if self.record.len() % 2 == 1 {
            Side::Player
        } else {
            Side::Computer
        };
        let resigned = text.contains("AND RESIGN");
        let truth = if resigned {
            let left = self.knowledge.moves(&self.board).unwrap_or_default();
            if !left.is_empty() {
                return Err(format!("it resigned with {left:?} left"));
            }
            Side::Player
        } else {
            winner(&self.board, mover)
                .ok_or_else(|| format!("over in the middle: {:?}", self.board))?
        };
        let words = match truth {
            Side::Computer => "I WIN",
            Side::Player => "YOU WIN",
        };
        match truth {
            Side::Computer => self.score[0] += 1,
            Side::Player => {
                self.score[1] += 1;
                if let Some((board, choice)) = self.last {
                    self.knowledge.strike(&board, choice);
                }
            }
        }
        let [won, lost] = self.score;
        let score = format!("I HAVE WON {won} AND YOU {lost} OF {} GAMES", won + lost);
        if !text.contains(words) || !text.contains(&score) {
            return Err(format!("{words} and {score} expected:\n{text}"));
        }
        Ok(truth)
    }

    /// Types a move.
    ///
    /// # Errors
    /// When the program or the computer breaks a rule.
    pub fn play(&mut self, choice: Move) -> Result<Next<Side>, String> {
        self.atari.type_text(&format!("{},{}", choice.0, choice.1));
        self.played(choice)
    }

    /// Moves the cursor with the stick and presses the trigger, twice.
    ///
    /// # Errors
    /// When the program or the computer breaks a rule.
    pub fn play_with_stick(&mut self, choice: Move) -> Result<Next<Side>, String> {
        self.point_at(choice.0);
        if !self
            .atari
            .wait_for_text(&format!("FROM {} TO", choice.0), 60)
        {
            return Err(format!("{} is not taken:\n{}", choice.0, self.atari.text()));
        }
        self.atari.run(20);
        self.point_at(choice.1);
        self.played(choice)
    }

    fn point_at(&mut self, square: usize) {
        // First to the upper left: pushing on at the edge must do no harm.
        for _ in 0..2 {
            self.push(true, false, false, false);
            self.push(false, false, true, false);
        }
        for _ in 0..(square - 1) / 3 {
            self.push(false, true, false, false);
        }
        for _ in 0..(square - 1) % 3 {
            self.push(false, false, false, true);
        }
        trigger(&mut self.atari, 0, 10, 0);
    }

    fn push(&mut self, up: bool, down: bool, left: bool, right: bool) {
        push(&mut self.atari, 0, [up, down, left, right], 10, 20);
    }

    fn played(&mut self, choice: Move) -> Result<Next<Side>, String> {
        self.board = after(&self.board, choice);
        self.record.push(choice);
        for _ in 0..240 {
            let text = self.atari.text();
            if !text.contains(" TO (1-9)") && !text.contains("YOUR MOVE") {
                return self.wait();
            }
            self.atari.run(1);
        }
        Err(format!("{choice:?} is not played:\n{}", self.atari.text()))
    }

    /// Tries an entry that is not allowed.
    ///
    /// # Errors
    /// When the program takes it.
    pub fn try_wrong(&mut self, chance: &mut Chance) -> Result<(), String> {
        let (from, to) = (1 + chance.below(9), 1 + chance.below(9));
        let words = if chance.once_in(4) {
            self.atari
                .type_text(chance.one_of(&["0", "X", "{INV}Q", "{CAPS}-"]));
            "TYPE THE NUMBER OF A SQUARE"
        } else if self.board[from - 1] != Some(Side::Player) {
            self.atari.type_text(&from.to_string());
            "THAT IS NOT YOUR PAWN"
        } else if from != to && !moves(&self.board, Side::Player).contains(&(from, to)) {
            self.atari.type_text(&format!("{from}{to}"));
            "A PAWN CANNOT MOVE THERE"
        } else {
            return Ok(());
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
        self.atari.type_text("{UP}");
        if !self.atari.wait_for_text("YOUR MOVE", 240) {
            return Err(format!("no way on:\n{}", self.atari.text()));
        }
        match board(&self.atari)? {
            now if now == self.board => Ok(()),
            now => Err(format!("a wrong entry changed the board to {now:?}")),
        }
    }

    /// Plays the game to its end, with moves that `choose` picks; one entry in `wrong` is a wrong one first.
    ///
    /// # Errors
    /// When the program or the computer breaks a rule.
    pub fn game(
        &mut self,
        chance: &mut Chance,
        wrong: usize,
        choose: impl Fn(&Self, &mut Chance) -> Move,
    ) -> Result<Side, String> {
        loop {
            if chance.once_in(wrong) {
                self.try_wrong(chance)?;
            }
            let choice = choose(self, chance);
            let next = if chance.once_in(8) {
                self.play_with_stick(choice)?
            } else {
                self.play(choice)?
            };
            if let Next::Over(side) = next {
                return Ok(side);
            }
        }
    }
}

/// Any legal move.
pub fn random(series: &Series, chance: &mut Chance) -> Move {
    chance.one_of(&moves(&series.board, Side::Player))
}

/// The move that most likely wins, by a player who has kept account of what the computer learnt.
pub fn best(series: &Series, chance: &mut Chance) -> Move {
    let worth = |choice: &Move| {
        let next = after(&series.board, *choice);
        series.knowledge.chance_after(&next)
    };
    let choices = moves(&series.board, Side::Player);
    let most = choices.iter().map(worth).fold(0.0, f64::max);
    let mut equal = choices;
    equal.retain(|choice| worth(choice) >= most);
    chance.one_of(&equal)
}

/// A machine at the title page, started once, whose chance is that of `seed`: it has waited a different time.
#[must_use]
pub fn fresh(seed: u64) -> Atari {
    static TITLE: OnceLock<Atari> = OnceLock::new();
    super::waited(
        &TITLE,
        || at_the_title(Model::Xl800, Tv::Ntsc, 1, false),
        seed * 31_657,
    )
}

/// Plays against `choose` until nothing the computer can still choose loses, `most` games at most: the series, and who won each game.
///
/// # Errors
/// When a rule is broken, or the series does not end.
pub fn teach(
    seed: u64,
    most: usize,
    choose: impl Fn(&Series, &mut Chance) -> Move,
) -> Result<(Series, Vec<Side>), String> {
    let mut chance = Chance::new(seed);
    let mut series = Series::start(fresh(seed))?;
    let mut won = Vec::new();
    while series.knowledge.can_lose() {
        if won.len() == most {
            return Err(format!("after {most} games it can still lose"));
        }
        if !won.is_empty() {
            series.another()?;
        }
        won.push(series.game(&mut chance, 20, &choose)?);
    }
    Ok((series, won))
}

fn outcome(
    mut series: Series,
    seed: u64,
    learnt: bool,
    choose: fn(&Series, &mut Chance) -> Move,
) -> Result<Record, String> {
    let mut chance = Chance::new(seed);
    series.moves.clear();
    series.refused = 0;
    if learnt {
        series.another()?;
    }
    let side = series.game(&mut chance, 8, choose)?;
    Ok(Record {
        winner: match side {
            Side::Computer => Winner::Computer,
            Side::Player => Winner::Player,
        },
        moves: series.moves,
        refused: series.refused,
    })
}

/// The first game of a computer that has learnt nothing, against random moves.
///
/// # Errors
/// When the program or the computer breaks a rule.
pub fn untaught_against_random(seed: u64) -> Result<Record, String> {
    outcome(Series::start(fresh(seed))?, seed, false, random)
}

/// The first game of a computer that has learnt nothing, against the best moves.
///
/// # Errors
/// When the program or the computer breaks a rule.
pub fn untaught_against_best(seed: u64) -> Result<Record, String> {
    outcome(Series::start(fresh(seed))?, seed, false, best)
}

/// A game of a computer that has lost all it can, against random moves.
///
/// # Errors
/// When the program or the computer breaks a rule.
pub fn taught_against_random(seed: u64) -> Result<Record, String> {
    static TAUGHT: OnceLock<Result<Series, String>> = OnceLock::new();
    let mut series = TAUGHT
        .get_or_init(|| teach(1, 200, best).map(|(series, _)| series))
        .clone()?;
    series.atari.machine.run_cycles(seed * 31_657);
    outcome(series, seed, true, random)
}
