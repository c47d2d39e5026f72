//! Keys by their names in the configuration: single, with modifiers, as joysticks.
use serde::{Deserialize, Serialize};

/// A key with its modifiers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Chord {
    /// Alt is held.
    pub alt: bool,
    /// Shift is held.
    pub shift: bool,
    /// Ctrl is held.
    pub ctrl: bool,
    /// The key's name in lower case: `f1`, `s`, `[`, `enter`.
    pub key: String,
}

impl TryFrom<String> for Chord {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut chord = Self {
            alt: false,
            shift: false,
            ctrl: false,
            key: String::new(),
        };
        let mut rest = text.trim();
        // "+" by itself is a key.
        while let Some((modifier, after)) =
            rest.split_once('+').filter(|(_, after)| !after.is_empty())
        {
            match modifier.trim().to_ascii_lowercase().as_str() {
                "alt" => chord.alt = true,
                "shift" => chord.shift = true,
                "ctrl" => chord.ctrl = true,
                other => {
                    return Err(format!(
                        "{other} is no modifier; there are Alt, Shift and Ctrl"
                    ));
                }
            }
            rest = after;
        }
        chord.key = rest.trim().to_ascii_lowercase();
        if KEY_NAMES.contains(&chord.key.as_str()) {
            Ok(chord)
        } else {
            Err(format!(
                "there is no key called {rest}; keys are called {}",
                KEY_NAMES.join(" ")
            ))
        }
    }
}

impl From<Chord> for String {
    fn from(chord: Chord) -> Self {
        chord.to_string()
    }
}

impl std::fmt::Display for Chord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (held, name) in [
            (self.alt, "Alt+"),
            (self.ctrl, "Ctrl+"),
            (self.shift, "Shift+"),
        ] {
            if held {
                f.write_str(name)?;
            }
        }
        match self.key.as_str() {
            "pagedown" => return f.write_str("PageDown"),
            "pageup" => return f.write_str("PageUp"),
            "capslock" => return f.write_str("CapsLock"),
            "scrolllock" => return f.write_str("ScrollLock"),
            _ => {}
        }
        let mut letters = self.key.chars();
        if let Some(first) = letters.next() {
            write!(f, "{}{}", first.to_ascii_uppercase(), letters.as_str())?;
        }
        Ok(())
    }
}

/// Names of the keys that can be bound.
pub const KEY_NAMES: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
    "g",
    "h",
    "i",
    "j",
    "k",
    "l",
    "m",
    "n",
    "o",
    "p",
    "q",
    "r",
    "s",
    "t",
    "u",
    "v",
    "w",
    "x",
    "y",
    "z",
    "f1",
    "f2",
    "f3",
    "f4",
    "f5",
    "f6",
    "f7",
    "f8",
    "f9",
    "f10",
    "f11",
    "f12",
    "down",
    "left",
    "right",
    "up",
    "'",
    "`",
    "\\",
    ",",
    "=",
    "[",
    "-",
    ".",
    "]",
    ";",
    "/",
    "backspace",
    "delete",
    "end",
    "enter",
    "escape",
    "home",
    "insert",
    "menu",
    "pagedown",
    "pageup",
    "pause",
    "space",
    "tab",
    "capslock",
    "scrolllock",
    "leftctrl",
    "rightctrl",
    "keypad0",
    "keypad1",
    "keypad2",
    "keypad3",
    "keypad4",
    "keypad5",
    "keypad6",
    "keypad7",
    "keypad8",
    "keypad9",
    "keypad.",
    "keypad/",
    "keypad*",
    "keypad-",
    "keypad+",
    "keypadenter",
];

/// Keys of the host that are one joystick.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StickKeys {
    /// Keys for away from the player.
    pub up: Vec<String>,
    /// Keys for towards the player.
    pub down: Vec<String>,
    /// Keys for left.
    pub left: Vec<String>,
    /// Keys for right.
    pub right: Vec<String>,
    /// Keys for the trigger.
    pub trigger: Vec<String>,
}

impl StickKeys {
    /// The keys of all directions and of the trigger.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        let directions = [&self.up, &self.down, &self.left, &self.right];
        directions.into_iter().chain([&self.trigger]).flatten()
    }

    fn new(up: &[&str], down: &[&str], left: &[&str], right: &[&str], trigger: &[&str]) -> Self {
        let own = |keys: &[&str]| keys.iter().map(|&k| k.to_owned()).collect();
        Self {
            up: own(up),
            down: own(down),
            left: own(left),
            right: own(right),
            trigger: own(trigger),
        }
    }
}

/// Joystick keys of both players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sticks {
    /// Joystick 1, always.
    pub always: StickKeys,
    /// Joystick 1 while joystick keys are on.
    pub first: StickKeys,
    /// Joystick 2 while the second set is on too.
    pub second: StickKeys,
}

impl Default for Sticks {
    fn default() -> Self {
        Self {
            always: StickKeys::new(
                &["keypad8", "keypad7", "keypad9"],
                &["keypad2", "keypad1", "keypad3"],
                &["keypad4", "keypad7", "keypad1"],
                &["keypad6", "keypad9", "keypad3"],
                &["keypad0", "keypad5"],
            ),
            first: StickKeys::new(
                &["up"],
                &["down"],
                &["left"],
                &["right"],
                &["rightctrl", "space"],
            ),
            second: StickKeys::new(&["w"], &["s"], &["a"], &["d"], &["leftctrl"]),
        }
    }
}
