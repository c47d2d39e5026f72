//! Scripts: plain text, one `FRAME ACTION` a line, and the player that carries them out on a session.
use crate::Session;
use crate::keys;
use crate::typist::{self, Stroke};
use machine::{Input, Joystick};
use std::collections::VecDeque;

/// Frames that `wait-text` waits at most.
const PATIENCE: u64 = 3600;
/// Keys of all texts of a script together.
const MOST_STROKES: usize = 1_000_000;

/// A switch that a script moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// A joystick's direction or trigger: port from 0.
    Stick(usize, Direction),
    /// START.
    Start,
    /// SELECT.
    Select,
    /// OPTION.
    Option,
    /// BREAK.
    Break,
}

/// A joystick's switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Away.
    Up,
    /// Towards.
    Down,
    /// Left.
    Left,
    /// Right.
    Right,
    /// The button.
    Trigger,
    /// All five at once.
    All,
}

/// The action of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Type a text.
    Type(Vec<Stroke>),
    /// Press a key, or release it.
    Key(u8, bool),
    /// Press or release a switch.
    Switch(Switch, bool),
    /// Press the RESET key.
    Reset,
    /// Write the picture to the file of this name.
    Screenshot(String),
    /// Fail unless this text is on the screen.
    ExpectText(String),
    /// Hold the script until this text is on the screen.
    WaitText(String),
}

impl Action {
    /// Does it at once: keys are typed from now on, switches move before the next frame.
    ///
    /// # Errors
    /// One sentence: a recording plays, the text that is expected is not on the screen, or only a host can do it (`screenshot`).
    pub fn act(&self, session: &mut Session) -> Result<(), String> {
        match self {
            _ if session.is_playing() => {
                Err("a recording plays: nothing else is entered before its end".to_owned())
            }
            Self::ExpectText(text) | Self::WaitText(text) if !session.text().contains(text) => {
                Err(format!("the screen does not show: {text}"))
            }
            Self::Screenshot(_) => Err("pictures are not written here".to_owned()),
            Self::ExpectText(_) | Self::WaitText(_) => Ok(()),
            Self::Type(_) | Self::Key(..) | Self::Switch(..) | Self::Reset => {
                self.enter(session);
                Ok(())
            }
        }
    }

    /// Keys and switches of a session; nothing for the other actions.
    fn enter(&self, session: &mut Session) {
        match self {
            Self::Type(strokes) => session.type_strokes(strokes.clone()),
            Self::Key(key, down) => session.controls().key = down.then_some(*key),
            Self::Switch(switch, down) => apply(session.controls(), *switch, *down),
            Self::Reset => session.reset(),
            Self::Screenshot(_) | Self::ExpectText(_) | Self::WaitText(_) => {}
        }
    }
}

/// The time at which a line acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before this frame, counted from 0.
    At(u64),
    /// This many frames after the line before.
    After(u64),
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its number in the file, from 1.
    pub line: usize,
    /// The time at which it acts.
    pub when: When,
    /// The action.
    pub action: Action,
}

/// A line of a script that is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the script: {why}: {shown}")]
pub struct ScriptError {
    /// Its number, from 1.
    pub line: usize,
    /// The reason.
    pub why: String,
    /// The beginning of the line.
    pub shown: String,
}

/// An expectation of a script that was not met.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unmet {
    /// `expect-text`.
    #[error("line {line} of the script: at frame {frame} the screen does not show: {text}")]
    Expect {
        /// The line of the script.
        line: usize,
        /// The frame.
        frame: u64,
        /// The text.
        text: String,
    },
    /// `wait-text`.
    #[error("line {line} of the script: in {PATIENCE} frames the screen never showed: {text}")]
    Wait {
        /// The line of the script.
        line: usize,
        /// The text.
        text: String,
    },
}

/// Frames that `key`, `start` and the like hold when neither press nor release is said.
const TAP: u64 = 3;

/// Reads a script.
///
/// # Errors
/// Names the line that is not understood and why.
pub fn parse(text: &str) -> Result<Vec<Step>, ScriptError> {
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        let content = line.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        reader.line = index + 1;
        reader.read(content).map_err(|why| {
            // Control characters must not reach the terminal as they are.
            let plain = content
                .chars()
                .map(|c| if c.is_control() { '.' } else { c });
            ScriptError {
                line: reader.line,
                why,
                shown: plain.take(100).collect(),
            }
        })?;
    }
    Ok(reader.steps)
}

/// A script that is being read.
#[derive(Default)]
struct Reader {
    steps: Vec<Step>,
    /// The number of the line.
    line: usize,
    /// Keys of all texts so far.
    typed: usize,
}

impl Reader {
    /// Reads a line with an action; the error is the reason why it is not understood.
    fn read(&mut self, content: &str) -> Result<(), String> {
        let (frame, action) = content
            .split_once(char::is_whitespace)
            .ok_or("an action must follow the frame")?;
        let when = match frame.strip_prefix('+') {
            Some(after) => After(after.parse().map_err(|_| "the frame is no number")?),
            None => At(frame.parse().map_err(|_| "the frame is no number")?),
        };
        let action = action.trim();
        let (verb, rest) = action
            .split_once(char::is_whitespace)
            .unwrap_or((action, ""));
        // Blanks at the end of a text to type or expect count for nothing; write {space} for one.
        let rest = rest.trim();
        match verb {
            "type" if !rest.is_empty() => {
                let strokes = typist::strokes(rest).map_err(|error| error.to_string())?;
                self.typed += strokes.len();
                if self.typed > MOST_STROKES {
                    return Err("the script types more than a million keys".to_owned());
                }
                self.push(when, Action::Type(strokes));
            }
            "key" => {
                let (key, how) = key(rest)?;
                self.press(when, how, |down| Action::Key(key, down))?;
            }
            "start" => self.switch(when, Switch::Start, rest)?,
            "select" => self.switch(when, Switch::Select, rest)?,
            "option" => self.switch(when, Switch::Option, rest)?,
            "break" => self.switch(when, Switch::Break, rest)?,
            "reset" if rest.is_empty() => self.push(when, Action::Reset),
            "joystick" => {
                let (stick, how) = joystick(rest)?;
                self.switch(when, stick, how)?;
            }
            "screenshot" if !rest.is_empty() => {
                self.push(when, Action::Screenshot(picture_name(rest)));
            }
            "expect-text" if !rest.is_empty() => self.push(when, Action::ExpectText(rest.into())),
            "wait-text" if !rest.is_empty() => self.push(when, Action::WaitText(rest.into())),
            "screenshot" => return Err("the name of the file is missing".to_owned()),
            "expect-text" | "wait-text" | "type" => return Err("the text is missing".to_owned()),
            "reset" => return Err("nothing may follow reset".to_owned()),
            _ => {
                return Err("unknown action; there are type, key, joystick, start, select, option, break, reset, screenshot, expect-text, wait-text".to_owned());
            }
        }
        Ok(())
    }

    fn push(&mut self, when: When, action: Action) {
        let line = self.line;
        self.steps.push(Step { line, when, action });
    }

    fn switch(&mut self, when: When, switch: Switch, how: &str) -> Result<(), String> {
        self.press(when, how, |down| Action::Switch(switch, down))
    }

    /// Presses, releases, or does both when neither is said.
    fn press(
        &mut self,
        when: When,
        how: &str,
        action: impl Fn(bool) -> Action,
    ) -> Result<(), String> {
        match how {
            "press" => self.push(when, action(true)),
            "release" => self.push(when, action(false)),
            "" => {
                self.push(when, action(true));
                self.push(After(TAP), action(false));
            }
            _ => return Err("expected press or release".to_owned()),
        }
        Ok(())
    }
}

/// A key by its name, and the word after it.
fn key(text: &str) -> Result<(u8, &str), String> {
    let (name, how) = match text.rsplit_once(char::is_whitespace) {
        Some((name, how @ ("press" | "release"))) => (name.trim(), how),
        _ => (text, ""),
    };
    let key = keys::of_name(name).ok_or_else(|| {
        let names: Vec<_> = keys::names().collect();
        format!(
            "there is no such key (what a key types, or {})",
            names.join(", ")
        )
    })?;
    Ok((key, how))
}

/// A switch of a joystick, and the word after it.
fn joystick(text: &str) -> Result<(Switch, &str), String> {
    let mut words = text.split_whitespace();
    let port = words
        .next()
        .and_then(|n| n.parse::<usize>().ok())
        .filter(|n| (1..=4).contains(n))
        .ok_or("joysticks are numbered 1 to 4")?
        - 1;
    let direction = match words.next() {
        Some("up") => Direction::Up,
        Some("down") => Direction::Down,
        Some("left") => Direction::Left,
        Some("right") => Direction::Right,
        Some("trigger" | "fire") => Direction::Trigger,
        Some("release") => Direction::All,
        _ => return Err("expected up, down, left, right, trigger or release".to_owned()),
    };
    let how = if direction == Direction::All {
        "release"
    } else {
        words.next().unwrap_or("")
    };
    Ok((Switch::Stick(port, direction), how))
}

use When::{After, At};

/// Plays a script.
#[derive(Clone, Debug)]
pub struct Player {
    steps: VecDeque<Step>,
    /// The frame at which the last line acted.
    acted: u64,
    waiting_since: Option<u64>,
}

impl Player {
    /// A player at the beginning of a script.
    pub fn new(steps: Vec<Step>) -> Self {
        Self {
            steps: steps.into(),
            acted: 0,
            waiting_since: None,
        }
    }

    /// True if all lines have acted.
    pub fn is_done(&self) -> bool {
        self.steps.is_empty()
    }

    /// The frame at which the last line acted.
    pub fn acted(&self) -> u64 {
        self.acted
    }

    /// The number of the line that acts next.
    pub fn next_line(&self) -> Option<usize> {
        self.steps.front().map(|step| step.line)
    }

    /// Does what is due before the next frame. Returns the name of a picture that the script wants written now; it is to be called again then, until
    /// it returns `None`.
    ///
    /// # Errors
    /// The expectation that was not met.
    pub fn act(&mut self, session: &mut Session) -> Result<Option<String>, Unmet> {
        while let Some(step) = self.steps.front() {
            let due = match step.when {
                At(frame) => frame,
                After(frames) => self.acted.saturating_add(frames),
            };
            let frame = session.frames();
            if frame < due {
                return Ok(None);
            }
            let on_screen = |text: &str| session.text().contains(text);
            let line = step.line;
            let mut picture = None;
            match &step.action {
                Action::ExpectText(text) if !on_screen(text) => {
                    let text = text.clone();
                    return Err(Unmet::Expect { line, frame, text });
                }
                Action::WaitText(text) if !on_screen(text) => {
                    let since = *self.waiting_since.get_or_insert(frame);
                    if frame - since < PATIENCE {
                        return Ok(None);
                    }
                    let text = text.clone();
                    return Err(Unmet::Wait { line, text });
                }
                Action::ExpectText(_) | Action::WaitText(_) => {}
                Action::Screenshot(name) => picture = Some(name.clone()),
                Action::Type(_) | Action::Key(..) | Action::Switch(..) | Action::Reset => {
                    step.action.enter(session);
                }
            }
            self.waiting_since = None;
            self.acted = frame;
            self.steps.pop_front();
            if picture.is_some() {
                return Ok(picture);
            }
        }
        Ok(None)
    }
}

/// Moves one switch.
fn apply(input: &mut Input, switch: Switch, down: bool) {
    match switch {
        Switch::Start => input.start = down,
        Switch::Select => input.select = down,
        Switch::Option => input.option = down,
        Switch::Break => input.break_key = down,
        Switch::Stick(port, direction) => {
            let Some(stick) = input.joysticks.get_mut(port) else {
                return;
            };
            match direction {
                Direction::Up => stick.up = down,
                Direction::Down => stick.down = down,
                Direction::Left => stick.left = down,
                Direction::Right => stick.right = down,
                Direction::Trigger => stick.trigger = down,
                Direction::All => *stick = Joystick::default(),
            }
        }
    }
}

/// The name of a picture: PNG files have their ending, also where it was left out.
fn picture_name(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let ending = if file.contains('.') { "" } else { ".png" };
    format!("{name}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_read_line_by_line() {
        let steps = parse(
            "# comment\n60 type A\\n\n\n100 joystick 1 left press\n+10 joystick 1 release\n120 start\n130 key ctrl-c press\n140 expect-text READY\n150 screenshot a b.png\n160 screenshot shots.d/title\n",
        )
        .unwrap();
        let actions: Vec<_> = steps.iter().map(|s| (s.when, s.action.clone())).collect();
        assert_eq!(
            actions,
            [
                (
                    At(60),
                    Action::Type(vec![Stroke::Key(0x3F), Stroke::Key(0x0C)])
                ),
                (
                    At(100),
                    Action::Switch(Switch::Stick(0, Direction::Left), true)
                ),
                (
                    After(10),
                    Action::Switch(Switch::Stick(0, Direction::All), false)
                ),
                (At(120), Action::Switch(Switch::Start, true)),
                (After(3), Action::Switch(Switch::Start, false)),
                (At(130), Action::Key(0x92, true)),
                (At(140), Action::ExpectText("READY".into())),
                (At(150), Action::Screenshot("a b.png".into())),
                (At(160), Action::Screenshot("shots.d/title.png".into())),
            ]
        );
    }

    #[test]
    fn a_missing_argument_is_not_an_unknown_action() {
        for (bad, why) in [
            ("10 type", "the text is missing: 10 type"),
            ("10 expect-text", "the text is missing: 10 expect-text"),
            (
                "10 screenshot",
                "the name of the file is missing: 10 screenshot",
            ),
            ("\u{1B}[2J fly", "the frame is no number: .[2J fly"),
        ] {
            let error = parse(bad).unwrap_err().to_string();
            assert_eq!(error, format!("line 1 of the script: {why}"));
        }
    }

    #[test]
    fn what_is_not_understood_is_named_with_its_line() {
        for bad in [
            "10",
            "x type A",
            "10 fly",
            "10 joystick 5 up",
            "10 joystick 1 sideways",
            "10 start perhaps",
            "10 key nonsense",
            "10 type \u{e9}",
            "10 screenshot",
            "+x reset",
            "10 reset now",
        ] {
            let error = parse(&format!("# first\n{bad}")).unwrap_err();
            assert!(
                error.to_string().starts_with("line 2 of the script: "),
                "{error}"
            );
        }
    }
}
