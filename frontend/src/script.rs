//! Scripts of the headless mode: plain text, one `FRAME ACTION` a line.
use crate::failure::Failure;
use crate::keys;
use crate::typing::{self, Stroke};
use std::path::PathBuf;

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

/// What a line does.
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
    /// Write the picture.
    Screenshot(PathBuf),
    /// Fail unless this text is on the screen.
    ExpectText(String),
    /// Hold the script until this text is on the screen.
    WaitText(String),
}

/// When a line acts.
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
    /// When.
    pub when: When,
    /// What.
    pub action: Action,
}

/// Frames that `key`, `start` and the like hold when neither press nor release is said.
const TAP: u64 = 3;

/// Reads a script.
///
/// # Errors
/// Names the line that is not understood and why.
pub fn parse(text: &str) -> Result<Vec<Step>, Failure> {
    let mut steps: Vec<Step> = Vec::new();
    for (index, full) in text.lines().enumerate() {
        let line = index + 1;
        let content = full.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let bad = |why: &str| {
            // What is no text must not reach the terminal as it is.
            let plain = content
                .chars()
                .map(|c| if c.is_control() { '.' } else { c });
            let shown: String = plain.take(100).collect();
            Failure::input(format!("line {line} of the script: {why}: {shown}"))
        };
        let (frame, action) = content
            .split_once(char::is_whitespace)
            .ok_or_else(|| bad("an action must follow the frame"))?;
        let when = match frame.strip_prefix('+') {
            Some(after) => After(after.parse().map_err(|_| bad("the frame is no number"))?),
            None => At(frame.parse().map_err(|_| bad("the frame is no number"))?),
        };
        let (verb, rest) = action
            .trim()
            .split_once(char::is_whitespace)
            .unwrap_or((action.trim(), ""));
        // Blanks at the end of a text to type or expect count for nothing; write {space} for one.
        let rest = rest.trim();
        let mut push = |when, action| steps.push(Step { line, when, action });
        let mut tap = |switch, how: &str| -> Result<(), Failure> {
            match how {
                "press" => push(when, Action::Switch(switch, true)),
                "release" => push(when, Action::Switch(switch, false)),
                "" => {
                    push(when, Action::Switch(switch, true));
                    push(After(TAP), Action::Switch(switch, false));
                }
                _ => return Err(bad("expected press or release")),
            }
            Ok(())
        };
        match verb {
            "type" if !rest.is_empty() => {
                let strokes = typing::strokes(rest).map_err(|error| bad(&error.to_string()))?;
                push(when, Action::Type(strokes));
            }
            "key" => {
                let (name, how) = match rest.rsplit_once(char::is_whitespace) {
                    Some((name, how @ ("press" | "release"))) => (name.trim(), how),
                    _ => (rest, ""),
                };
                let key = keys::of_name(name).ok_or_else(|| bad("there is no such key"))?;
                match how {
                    "press" => push(when, Action::Key(key, true)),
                    "release" => push(when, Action::Key(key, false)),
                    _ => {
                        push(when, Action::Key(key, true));
                        push(After(TAP), Action::Key(key, false));
                    }
                }
            }
            "start" => tap(Switch::Start, rest)?,
            "select" => tap(Switch::Select, rest)?,
            "option" => tap(Switch::Option, rest)?,
            "break" => tap(Switch::Break, rest)?,
            "reset" if rest.is_empty() => push(when, Action::Reset),
            "joystick" => {
                let mut words = rest.split_whitespace();
                let port = words
                    .next()
                    .and_then(|n| n.parse::<usize>().ok())
                    .filter(|n| (1..=4).contains(n))
                    .ok_or_else(|| bad("joysticks are numbered 1 to 4"))?
                    - 1;
                let direction = match words.next() {
                    Some("up") => Direction::Up,
                    Some("down") => Direction::Down,
                    Some("left") => Direction::Left,
                    Some("right") => Direction::Right,
                    Some("trigger" | "fire") => Direction::Trigger,
                    Some("release") => Direction::All,
                    _ => return Err(bad("expected up, down, left, right, trigger or release")),
                };
                let how = if direction == Direction::All {
                    "release"
                } else {
                    words.next().unwrap_or("")
                };
                tap(Switch::Stick(port, direction), how)?;
            }
            "screenshot" if !rest.is_empty() => push(when, Action::Screenshot(rest.into())),
            "expect-text" if !rest.is_empty() => push(when, Action::ExpectText(rest.into())),
            "wait-text" if !rest.is_empty() => push(when, Action::WaitText(rest.into())),
            "screenshot" => return Err(bad("the name of the file is missing")),
            "expect-text" | "wait-text" | "type" => return Err(bad("the text is missing")),
            "reset" => return Err(bad("nothing may follow reset")),
            _ => {
                return Err(bad(
                    "unknown action; there are type, key, joystick, start, select, option, break, reset, screenshot, expect-text, wait-text",
                ));
            }
        }
    }
    Ok(steps)
}

use When::{After, At};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_read_line_by_line() {
        let steps = parse(
            "# comment\n60 type A\\n\n\n100 joystick 1 left press\n+10 joystick 1 release\n120 start\n130 key ctrl-c press\n140 expect-text READY\n150 screenshot a b.png\n",
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
            assert_eq!(error.status(), 2);
        }
    }
}
