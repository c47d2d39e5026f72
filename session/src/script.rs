//! Scripts: plain text, one `FRAME ACTION` a line, and the player that carries them out on a session.
use crate::Session;
use crate::keys;
use crate::mouse::{self, MouseRole};
use crate::typist::{self, Stroke};
use machine::{Input, Joystick, Model, PointerKind};
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
    /// A paddle's button: number from 0.
    Paddle(usize),
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

/// An action on a pointing device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointing {
    /// A light pen or gun points at a pixel and line of the picture.
    At(usize, usize),
    /// It points at nothing.
    Away,
    /// A mouse or trak-ball is moved by steps to the right and down.
    By(i16, i16),
    /// Its button is pressed or released.
    Button(bool),
    /// It is unplugged.
    Off,
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
    /// Turn a paddle: its number from 0, its position from 0 to 228.
    Paddle(usize, u8),
    /// Use a pointing device, which is plugged in if it is not there.
    Pointer(PointerKind, Pointing),
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
            _ => {
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
            Self::Paddle(number, position) => {
                if let Some(paddle) = session.controls().paddles.get_mut(*number) {
                    *paddle = *position;
                }
            }
            Self::Pointer(kind, how) => {
                let model = session.machine().config().model;
                // The reader of scripts has tried it.
                _ = point(session.controls(), model, *kind, *how);
            }
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
            "paddle" => self.paddle(when, rest)?,
            "screenshot" if !rest.is_empty() => {
                self.push(when, Action::Screenshot(picture_name(rest)));
            }
            "expect-text" if !rest.is_empty() => self.push(when, Action::ExpectText(rest.into())),
            "wait-text" if !rest.is_empty() => self.push(when, Action::WaitText(rest.into())),
            "screenshot" => return Err("the name of the file is missing".to_owned()),
            "expect-text" | "wait-text" | "type" => return Err("the text is missing".to_owned()),
            "reset" => return Err("nothing may follow reset".to_owned()),
            _ => {
                if let Some(kind) = pointer_kind(verb) {
                    return self.pointer(when, kind, rest);
                }
                return Err("unknown action; there are type, key, joystick, paddle, light-pen, light-gun, st-mouse, amiga-mouse, trak-ball, start, select, option, break, reset, screenshot, expect-text, wait-text".to_owned());
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

    /// A paddle that is turned, or whose button is pressed.
    fn paddle(&mut self, when: When, text: &str) -> Result<(), String> {
        let mut words = text.split_whitespace();
        let number = words.next().and_then(|word| word.parse::<usize>().ok());
        let number = number
            .filter(|number| *number < 8)
            .ok_or("paddles are numbered 0 to 7")?;
        match words.next() {
            Some("trigger") => {
                let how = words.next().unwrap_or("");
                self.switch(when, Switch::Paddle(number), how)?;
            }
            position => {
                let position = position.and_then(|word| word.parse::<u8>().ok());
                let position = position
                    .filter(|position| *position <= 228)
                    .ok_or("a paddle's position is 0 to 228, or trigger")?;
                self.push(when, Action::Paddle(number, position));
            }
        }
        match words.next() {
            None => Ok(()),
            Some(_) => Err("nothing more may follow a paddle".to_owned()),
        }
    }

    /// An action on a pointing device.
    fn pointer(&mut self, when: When, kind: PointerKind, text: &str) -> Result<(), String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let how = match words[..] {
            ["away"] => Pointing::Away,
            ["off"] => Pointing::Off,
            ["trigger", ref how @ ..] => {
                let how = how.join(" ");
                return self.press(when, &how, |down| {
                    Action::Pointer(kind, Pointing::Button(down))
                });
            }
            [x, y] => place(kind, x, y)?,
            _ => return Err(POINTER.to_owned()),
        };
        point(&mut Input::default(), Model::Xl800, kind, how)?;
        self.push(when, Action::Pointer(kind, how));
        Ok(())
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

const POINTER: &str = "expected two numbers (a pen's pixel and line, or a mouse's steps to the right and down), trigger, away or off";

/// The pointing device with this name.
fn pointer_kind(name: &str) -> Option<PointerKind> {
    let kind = MouseRole::from_name(name)?.device();
    (kind != PointerKind::None).then_some(kind)
}

/// The place of a pen, or the steps of a mouse.
fn place(kind: PointerKind, x: &str, y: &str) -> Result<Pointing, String> {
    let expected = |_| POINTER.to_owned();
    if mouse::plugged(kind, Model::Xl800).is_pen() {
        let (x, y) = (x.parse().map_err(expected)?, y.parse().map_err(expected)?);
        return Ok(Pointing::At(x, y));
    }
    let (right, down) = (x.parse().map_err(expected)?, y.parse().map_err(expected)?);
    Ok(Pointing::By(right, down))
}

/// Does it to the pointing device of the controls.
fn point(input: &mut Input, model: Model, kind: PointerKind, how: Pointing) -> Result<(), String> {
    mouse::plug(input, kind, model);
    match how {
        Pointing::At(x, y) => mouse::point(input, x, y),
        Pointing::Away => mouse::point_away(input),
        Pointing::By(right, down) => mouse::move_by(input, right, down),
        Pointing::Button(down) => mouse::button(input, down),
        Pointing::Off => {
            input.pointer = machine::Pointer::default();
            Ok(())
        }
    }
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
                _ => step.action.enter(session),
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
        Switch::Paddle(number) => {
            if let Some(trigger) = input.paddle_triggers.get_mut(number) {
                *trigger = down;
            }
        }
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
    fn pointing_devices_and_paddles_move_as_a_script_says() {
        let script = "0 light-pen 188 120\n+0 light-pen trigger press\n1 light-pen away\n2 trak-ball 5 -3\n\
            +0 paddle 1 20\n+0 paddle 1 trigger\n6 trak-ball 1 1\n9 trak-ball off\n";
        let mut player = Player::new(parse(script).unwrap());
        let mut session = Session::new(crate::Setup::default()).unwrap();
        let mut seen = Vec::new();
        for _ in 0..10 {
            assert_eq!(player.act(&mut session), Ok(None));
            seen.push(*session.controls());
            session.run_frame();
        }
        let pen = mouse::plugged(PointerKind::LightPen, Model::Xl800);
        let mut tip = pen.at_pixel(188, 120);
        tip.button = true;
        assert_eq!(seen[0].pointer, tip);
        assert_eq!(seen[1].pointer, tip.away());
        let ball = mouse::plugged(PointerKind::TrakBall, Model::Xl800);
        assert_eq!(seen[2].pointer, ball.moved(5, -3));
        assert_eq!((seen[2].paddles[1], seen[2].paddle_triggers[1]), (20, true));
        assert_eq!(seen[5].pointer, ball.moved(5, -3));
        assert_eq!(seen[6].pointer, ball.moved(6, -2));
        assert_eq!(
            (seen[5].paddles[1], seen[5].paddle_triggers[1]),
            (20, false)
        );
        assert_eq!(seen[9].pointer, machine::Pointer::default());
        // ANTIC has seen the pen where it pointed.
        let mut plain = Session::new(crate::Setup::default()).unwrap();
        for _ in 0..10 {
            plain.run_frame();
        }
        let latched = |session: &Session| [0xD40C, 0xD40D].map(|at| session.machine().peek(at));
        assert_ne!(latched(&session), latched(&plain));
        assert_eq!(latched(&session)[1], 64);
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
            "10 paddle 8 0",
            "10 paddle 0 229",
            "10 paddle 0",
            "10 paddle 0 trigger press now",
            "10 light-pen",
            "10 light-pen 376 0",
            "10 light-pen 10 240",
            "10 light-pen -1 0",
            "10 light-pen trigger perhaps",
            "10 trak-ball away",
            "10 st-mouse 5",
            "10 st-mouse 40000 0",
            "10 mouse 5 5",
        ] {
            let error = parse(&format!("# first\n{bad}")).unwrap_err();
            assert!(
                error.to_string().starts_with("line 2 of the script: "),
                "{error}"
            );
        }
    }
}
