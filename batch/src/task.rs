//! Tasks: the beginning of a program's game, and the signals of reward and end, in a small file for each program.
use debugger::basic::Basic;
use machine::screen::atascii;
use machine::{Input, Machine, Model, Tv};
use serde::Deserialize;
use session::{Session, Setup};

/// Frames until the game's beginning, at most: ten minutes.
const PATIENCE: u64 = 36_000;

/// A number that is read from a machine. Exactly one of the fields of where it is read is given.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signal {
    /// A byte of memory.
    pub byte: Option<u16>,
    /// A word of memory, low byte first.
    pub word: Option<u16>,
    /// A number of BASIC by its name, `SCORE` or `HITS(2)`; 0 while no variable has that name.
    pub basic: Option<String>,
    /// 1 while this text is in a row of the screen, else 0.
    pub text: Option<String>,
    /// The reward for each step up by one; in `end`, 1 or nothing.
    #[serde(default = "one")]
    pub weight: f64,
}

fn one() -> f64 {
    1.0
}

/// A step on the way to the game's beginning. Exactly one of the fields is given.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Step {
    /// Runs until this text is on the screen.
    pub wait_text: Option<String>,
    /// Runs this many frames.
    pub wait: Option<u64>,
    /// Types this text, `{start}` and the like included.
    #[serde(rename = "type")]
    pub typed: Option<String>,
}

/// A task: the file of a program.
///
/// ```
/// let task = batch::Task::parse(r#"
/// program = "tic-tac-toe"
/// start = [{ wait-text = "ESC  MENU" }, { type = "{start}" }]
/// reward = [{ basic = "WON" }, { basic = "LOST", weight = -1.0 }]
/// end = [{ basic = "WON" }, { basic = "LOST" }, { basic = "TIES" }]
/// "#)?;
/// assert_eq!(task.reward[1].weight, -1.0);
/// # Ok::<(), batch::BatchError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Name of a built-in program; empty where the caller has the machine.
    #[serde(default)]
    pub program: String,
    /// The inputs from power-on to the beginning of the game.
    #[serde(default)]
    pub start: Vec<Step>,
    /// The reward of a step is the sum of these signals' changes.
    #[serde(default)]
    pub reward: Vec<Signal>,
    /// The episode ends when one of these signals differs from its value at the beginning.
    #[serde(default)]
    pub end: Vec<Signal>,
    /// Names of the actions that do something in this program: `noop`, `fire`, `up`, `upright`, `upfire` and so on as ALE has them, console keys
    /// by their names, and keys as `key:a` or `key:return`.
    #[serde(default)]
    pub actions: Vec<String>,
}

/// Tasks for the programs that come with the machine: name and file.
pub const TASKS: &[(&str, &str)] = &[
    (
        "crazy-eights",
        include_str!("../programs/crazy-eights.toml"),
    ),
    ("gammon", include_str!("../programs/gammon.toml")),
    ("go-fish", include_str!("../programs/go-fish.toml")),
    ("tic-tac-toe", include_str!("../programs/tic-tac-toe.toml")),
    ("checkers", include_str!("../programs/checkers.toml")),
    ("focal", include_str!("../programs/focal.toml")),
    ("hexapawn", include_str!("../programs/hexapawn.toml")),
];

use crate::BatchError;

impl Task {
    /// Reads a task's file (TOML).
    ///
    /// # Errors
    /// A sentence with the place.
    pub fn parse(text: &str) -> Result<Self, BatchError> {
        let task: Self = toml::from_str(text)
            .map_err(|error| BatchError::Task(error.to_string().trim().replace('\n', " ")))?;
        for signal in task.reward.iter().chain(&task.end) {
            let places = [
                signal.byte.is_some(),
                signal.word.is_some(),
                signal.basic.is_some(),
                signal.text.is_some(),
            ];
            if places.iter().filter(|&&there| there).count() != 1 {
                let what = "a signal has exactly one of byte, word, basic and text";
                return Err(BatchError::Task(what.into()));
            }
        }
        for step in &task.start {
            let kinds = [
                step.wait_text.is_some(),
                step.wait.is_some(),
                step.typed.is_some(),
            ];
            if kinds.iter().filter(|&&there| there).count() != 1 {
                let what = "a step has exactly one of wait-text, wait and type";
                return Err(BatchError::Task(what.into()));
            }
        }
        Ok(task)
    }

    /// The task of a built-in program; `None` for other names.
    ///
    /// # Errors
    /// A damaged file; a test shows that no file is.
    pub fn named(name: &str) -> Result<Option<Self>, BatchError> {
        let found = TASKS.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| Self::parse(text)).transpose()
    }

    /// Switches on a machine with the task's program and goes to the beginning of its game.
    ///
    /// # Errors
    /// When the program is not known or its beginning does not come within ten minutes of the machine's time.
    pub fn prepare(
        &self,
        model: Option<Model>,
        tv: Option<Tv>,
        seed: u64,
    ) -> Result<Machine, BatchError> {
        let unknown = || {
            BatchError::Task(format!(
                "there is no built-in program {:?}",
                head(&self.program)
            ))
        };
        let setup = Setup::built_in(&self.program)
            .ok()
            .flatten()
            .ok_or_else(unknown)?;
        let setup = Setup {
            model,
            tv,
            seed,
            ..setup
        };
        let mut session =
            Session::new(setup).map_err(|error| BatchError::Start(error.to_string()))?;
        self.begin(&mut session)
    }

    /// The controls that the names in `actions` stand for, in their order.
    ///
    /// # Errors
    /// A name that is not known.
    pub fn inputs(&self) -> Result<Vec<Input>, BatchError> {
        let named = self.actions.iter().map(|name| {
            let unknown = || BatchError::Task(format!("there is no action {:?}", head(name)));
            action(name).ok_or_else(unknown)
        });
        named.collect()
    }

    /// Goes to the beginning of the game in a session that has its program; the machine there, with nothing held. A pointing device that is plugged in stays so.
    ///
    /// # Errors
    /// When the beginning does not come within ten minutes of the machine's time.
    pub fn begin(&self, session: &mut Session) -> Result<Machine, BatchError> {
        let mut left = PATIENCE;
        let mut frame = |session: &mut Session| {
            left = left.checked_sub(1).ok_or_else(|| {
                let text = session.text();
                let first = text.lines().find(|line| !line.trim().is_empty());
                BatchError::Start(format!(
                    "the beginning of {} does not come; the screen shows {:?}",
                    session.title(),
                    first.unwrap_or_default().trim()
                ))
            })?;
            let next = session.run_frame().next();
            next.map(drop)
                .map_err(|trouble| BatchError::Start(trouble.to_string()))
        };
        for step in &self.start {
            if let Some(text) = &step.wait_text {
                while !session.text().contains(text.as_str()) {
                    frame(session)?;
                }
            }
            for _ in 0..step.wait.unwrap_or(0) {
                frame(session)?;
            }
            if let Some(text) = &step.typed {
                let typed = session.type_text(text);
                typed.map_err(|error| BatchError::Start(error.to_string()))?;
            }
            while !session.is_idle() {
                frame(session)?;
            }
        }
        let mut machine = session.machine().clone();
        machine.input = Input {
            pointer: crate::released(session.controls().pointer),
            ..Input::default()
        };
        Ok(machine)
    }
}

/// The first characters of a name, for a message.
fn head(name: &str) -> String {
    name.chars().take(40).collect()
}

/// The controls of an action's name, see [`Task::actions`]; `None` if it is not one.
pub fn action(name: &str) -> Option<Input> {
    let mut input = Input::default();
    match name {
        "noop" => return Some(input),
        "start" => input.start = true,
        "select" => input.select = true,
        "option" => input.option = true,
        _ => {
            if let Some(key) = name.strip_prefix("key:") {
                input.key = Some(session::keys::of_name(key)?);
                return Some(input);
            }
            let stick = input.joystick(0);
            let way = name.strip_suffix("fire").unwrap_or(name);
            stick.trigger = way.len() < name.len();
            let across = if let Some(rest) = way.strip_prefix("up") {
                stick.up = true;
                rest
            } else if let Some(rest) = way.strip_prefix("down") {
                stick.down = true;
                rest
            } else {
                way
            };
            match across {
                "" => {}
                "left" => stick.left = true,
                "right" => stick.right = true,
                _ => return None,
            }
        }
    }
    (input != Input::default()).then_some(input)
}

/// A signal whose place is found.
#[derive(Clone, Debug)]
pub(crate) enum Read {
    Byte(u16),
    Word(u16),
    Number(Option<u16>),
    Text(Vec<u8>),
}

impl Read {
    /// The place of a signal, in machines that continue from this one.
    pub fn new(signal: &Signal, machine: &Machine) -> Self {
        match (signal.byte, signal.word, &signal.basic, &signal.text) {
            (Some(at), ..) => Self::Byte(at),
            (_, Some(at), ..) => Self::Word(at),
            (_, _, Some(name), _) => {
                Self::Number(Basic::address_of(machine, name).map(|(at, _)| at))
            }
            (.., text) => Self::Text(text.as_deref().unwrap_or_default().bytes().collect()),
        }
    }

    /// Its value now. A text allocates, the others do not.
    pub fn value(&self, machine: &Machine) -> f64 {
        match self {
            Self::Byte(at) => machine.peek(*at).into(),
            Self::Word(at) => machine.peek_word(*at).into(),
            Self::Number(None) => 0.0,
            Self::Number(Some(at)) => number(std::array::from_fn(|n| {
                machine.peek(at.wrapping_add(n as u16))
            })),
            Self::Text(text) => {
                let rows = machine.displayed_text().rows;
                let shows = rows.iter().any(|row| {
                    let mut windows = row.windows(text.len().max(1));
                    windows.any(|cells| {
                        let mut pairs = cells.iter().zip(text);
                        pairs.all(|(&code, &byte)| atascii(code) == byte)
                    })
                });
                f64::from(u8::from(shows))
            }
        }
    }
}

/// The value of BASIC's six bytes: sign and exponent of 100, five pairs of decimal digits.
fn number(bytes: [u8; 6]) -> f64 {
    if bytes[0] & 0x7F == 0 {
        return 0.0;
    }
    let digits = bytes[1..].iter().fold(0u64, |sum, &byte| {
        sum * 100 + u64::from(byte >> 4) * 10 + u64::from(byte & 15)
    });
    let value = digits as f64 * 100f64.powi(i32::from(bytes[0] & 0x7F) - 0x40 - 4);
    if bytes[0] & 0x80 == 0 { value } else { -value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_the_debugger_reads_them() {
        for bytes in [
            [0, 0, 0, 0, 0, 0],
            [0x40, 3, 0, 0, 0, 0],
            [0xC0, 0x12, 0x50, 0, 0, 0],
            [0x41, 1, 0, 0, 0, 0],
            [0x3F, 0x50, 0, 0, 0, 0],
        ] {
            assert!((number(bytes) - debugger::basic::number(bytes)).abs() < 1e-9);
        }
    }

    #[test]
    fn actions_are_controls_by_name() {
        let lines = |name| {
            action(name).map(|input| (input.joysticks[0].lines(), input.joysticks[0].trigger))
        };
        assert_eq!(lines("noop"), Some((15, false)));
        assert_eq!(lines("fire"), Some((15, true)));
        assert_eq!(lines("uprightfire"), Some((15 - 1 - 8, true)));
        assert_eq!(lines("downleft"), Some((15 - 2 - 4, false)));
        assert_eq!(action("key:a").unwrap().key, Some(0x3F));
        assert!(action("start").unwrap().start);
        for wrong in ["", "jump", "leftup", "key:nonsense", "fireup"] {
            assert_eq!(action(wrong), None, "{wrong}");
        }
        for (name, _) in TASKS {
            let task = Task::named(name).unwrap().unwrap();
            assert_eq!(task.inputs().unwrap().len(), 6);
        }
    }

    #[test]
    fn mistakes_in_a_file_are_named() {
        for (text, wanted) in [
            ("program = 3", "string"),
            ("program = \"x\"\nreward = [{ weight = 2 }]", "exactly one"),
            ("program = \"x\"\nrewards = []", "rewards"),
            (
                "program = \"x\"\nstart = [{ wait = 1, wait-text = \"A\" }]",
                "exactly one",
            ),
        ] {
            let error = Task::parse(text).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        }
    }
}
