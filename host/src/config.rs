//! The configuration file, and what every key does.
use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use session::picture::{Look, Settings};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What can be chosen about the picture's colours; the palette is a file.
pub type PictureConfig = Settings<PathBuf>;

/// The colours for a television system.
///
/// # Errors
/// When the palette file is none.
pub fn look(tv: machine::Tv, picture: &PictureConfig) -> Result<Look, Failure> {
    let Some(path) = &picture.palette else {
        return Look::new(tv, picture, None).map_err(|error| Failure::input(error.to_string()));
    };
    let bytes = crate::files::read(path)?;
    Look::new(tv, picture, Some(&bytes)).map_err(|error| Failure::file(path, error))
}

/// What a key of the host does, apart from typing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Show or hide the list of keys.
    Help,
    /// The OPTION key.
    Option,
    /// The SELECT key.
    Select,
    /// The START key.
    Start,
    /// The RESET key.
    Reset,
    /// Switch off and on.
    ColdStart,
    /// The HELP key.
    HelpKey,
    /// The BREAK key.
    Break,
    /// Open the debug view and stop, or run on.
    Debug,
    /// Pause.
    Pause,
    /// Run one frame and pause.
    FrameAdvance,
    /// Write a picture.
    Screenshot,
    /// Begin or end recording the sound.
    Record,
    /// Begin or end recording the picture.
    RecordPicture,
    /// Fill the screen.
    Fullscreen,
    /// As fast as it goes, while held.
    Turbo,
    /// As fast as it goes, on and off.
    TurboToggle,
    /// Save the state in the current slot.
    SaveState,
    /// Load the state of the current slot.
    LoadState,
    /// The slot before.
    SlotDown,
    /// The slot after.
    SlotUp,
    /// Back in time, while held.
    Rewind,
    /// Which keys are joysticks.
    JoystickKeys,
    /// Put the next disk of the command line into D1:.
    NextDisk,
    /// Store the copy in a drive as a file.
    StoreCopy,
    /// Put the copy that an earlier session has left into D1:.
    Recover,
    /// Choose a file from a list.
    Open,
    /// Start the program again with the other television system.
    OtherTv,
    /// Whether the mouse is a pair of paddles.
    Mouse,
    /// Type the text of the host's clipboard.
    Paste,
    /// Put the text on the screen into the host's clipboard.
    Copy,
    /// What a composite signal adds to the colours, off and on.
    Artifacts,
    /// Sound off and on.
    Mute,
    /// Back to the menu of games.
    Menu,
    /// Inverse video.
    Inverse,
    /// CAPS.
    Caps,
    /// CLEAR the screen.
    Clear,
    /// Insert a character.
    Insert,
    /// Delete a character.
    Delete,
    /// End the program.
    Quit,
}

/// Every action with its default keys and what it does, in the order of the help screen.
pub const ACTIONS: &[(Action, &[&str], &str)] = &[
    (Action::Help, &["F1"], "menu, with this list of keys"),
    (Action::Option, &["F2"], "OPTION"),
    (Action::Select, &["F3"], "SELECT"),
    (Action::Start, &["F4"], "START"),
    (Action::Reset, &["F5"], "RESET"),
    (Action::ColdStart, &["Shift+F5"], "cold start: off and on"),
    (Action::HelpKey, &["F6"], "HELP"),
    (Action::Break, &["F7", "Pause"], "BREAK"),
    (Action::Debug, &["F8"], "debug view / run on"),
    (Action::Pause, &["F9"], "pause"),
    (Action::FrameAdvance, &["Shift+F9"], "one frame, then pause"),
    (Action::Screenshot, &["F10"], "screenshot"),
    (Action::Record, &["Shift+F10"], "record the sound on/off"),
    (
        Action::RecordPicture,
        &["Ctrl+F10"],
        "record the picture on/off",
    ),
    (Action::Fullscreen, &["F11", "Alt+Enter"], "full screen"),
    (Action::Turbo, &["F12"], "turbo while held"),
    (Action::TurboToggle, &["Shift+F12"], "turbo on/off"),
    (Action::SaveState, &["Alt+S"], "save the state"),
    (Action::LoadState, &["Alt+L"], "load the state"),
    (Action::SlotDown, &["Alt+PageDown", "Alt+["], "slot down"),
    (Action::SlotUp, &["Alt+PageUp", "Alt+]"], "slot up"),
    (
        Action::Rewind,
        &["Alt+Backspace"],
        "back in time while held",
    ),
    (Action::JoystickKeys, &["Alt+J"], "joystick keys"),
    (Action::NextDisk, &["Alt+D"], "next disk into D1:"),
    (
        Action::StoreCopy,
        &["Alt+W"],
        "store a drive's copy as a file",
    ),
    (Action::Recover, &["Alt+U"], "the kept copy into D1:"),
    (Action::Open, &["Alt+F"], "choose a file"),
    (
        Action::OtherTv,
        &["Alt+T"],
        "the program again on PAL or NTSC",
    ),
    (Action::Mouse, &["Alt+P"], "mouse = paddles, or not"),
    (
        Action::Paste,
        &["Alt+V"],
        "type the clipboard's text; Esc stops",
    ),
    (Action::Copy, &["Alt+C"], "copy the screen's text"),
    (Action::Artifacts, &["Alt+A"], "artifact colours off/on"),
    (Action::Mute, &["Alt+M"], "sound off/on"),
    (Action::Menu, &["Alt+O"], "menu of games"),
    (Action::Quit, &["Alt+Q"], "quit"),
    (Action::Inverse, &["`", "End"], "inverse video"),
    (Action::Caps, &["CapsLock"], "CAPS"),
    (Action::Clear, &["Home"], "CLEAR"),
    (Action::Insert, &["Insert"], "insert a character"),
    (Action::Delete, &["Delete"], "delete a character"),
];

/// Keys that are not bound to actions, for the help screen.
pub const FIXED: &[(&str, &str)] = &[
    ("Alt+0 to Alt+9", "slot 0 to 9; also on the keypad"),
    ("arrows", "cursor keys"),
    ("keypad 8 4 6 2, 7 9 1 3", "joystick 1"),
    ("keypad 0, 5", "its trigger"),
    ("arrows, right Ctrl or Space", "joystick 1 once it is read"),
    ("W A S D, left Ctrl", "joystick 2, by Alt+J"),
];

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
        // "+" alone is a key.
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

/// What the buttons of gamepads are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GamepadButtons {
    /// Buttons that are the trigger.
    pub trigger: Vec<PadButton>,
    /// Buttons that are START.
    pub start: Vec<PadButton>,
    /// Buttons that are SELECT.
    pub select: Vec<PadButton>,
    /// Buttons that are OPTION.
    pub option: Vec<PadButton>,
}

impl Default for GamepadButtons {
    fn default() -> Self {
        Self {
            trigger: vec![PadButton::South, PadButton::East],
            start: vec![PadButton::Start],
            select: vec![PadButton::Select],
            option: vec![PadButton::North],
        }
    }
}

/// A button of a gamepad, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PadButton {
    /// The lower one of the right four.
    South,
    /// The right one.
    East,
    /// The upper one.
    North,
    /// The left one.
    West,
    /// The upper shoulder button on the left.
    LeftShoulder,
    /// The upper shoulder button on the right.
    RightShoulder,
    /// The lower shoulder button on the left.
    LeftTrigger,
    /// The lower shoulder button on the right.
    RightTrigger,
    /// Start.
    Start,
    /// Select.
    Select,
}

/// What the mouse is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MouseMode {
    /// Nothing
    #[default]
    Off,
    /// Left and right turn paddle 0, up and down paddle 1; the buttons are theirs
    Paddles,
}

/// The window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WindowConfig {
    /// Multiples of the picture's 240 lines.
    pub scale: u8,
    /// Fill the screen.
    pub fullscreen: bool,
    /// What the mouse is: off or paddles.
    pub mouse: MouseMode,
    /// Only whole multiples of the picture's lines; otherwise as large as fits.
    pub whole_multiples: bool,
    /// Dark gaps between the picture's lines, as a television has them.
    pub scan_lines: bool,
    /// Ask before RESET, switching off and on, and leaving a program.
    pub ask: bool,
}

impl Default for WindowConfig {
    fn default() -> Self {
        Self {
            scale: 3,
            fullscreen: false,
            mouse: MouseMode::Off,
            whole_multiples: false,
            scan_lines: false,
            ask: true,
        }
    }
}

/// The machine, where the command line does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MachineConfig {
    /// The model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<crate::options::ModelName>,
    /// The television system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tv: Option<crate::options::TvName>,
}

/// The sound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SoundConfig {
    /// Off.
    pub mute: bool,
    /// 0 to 100.
    pub volume: u8,
}

impl Default for SoundConfig {
    fn default() -> Self {
        Self {
            mute: false,
            volume: 80,
        }
    }
}

/// Everything that can be configured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Where pictures and recordings go; the folder in which the program was started when it is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pictures: Option<PathBuf>,
    /// The machine.
    pub machine: MachineConfig,
    /// The window.
    pub window: WindowConfig,
    /// Colours.
    pub picture: PictureConfig,
    /// The sound.
    pub sound: SoundConfig,
    /// Keys of actions; an action that is not named keeps its default.
    pub keys: BTreeMap<Action, Vec<Chord>>,
    /// Keys that are joysticks.
    pub joysticks: Sticks,
    /// Buttons of gamepads.
    pub gamepads: GamepadButtons,
}

impl Config {
    /// Reads the configuration; a file that does not exist means the defaults.
    ///
    /// # Errors
    /// What is wrong with the file, and where.
    pub fn load() -> Result<Self, Failure> {
        let path = path();
        let mut config = if path.exists() {
            let bytes = crate::files::read(&path)?;
            Self::parse(&String::from_utf8_lossy(&bytes))
                .map_err(|error| Failure::file(&path, error))?
        } else {
            Self::default()
        };
        for &(action, keys, _) in ACTIONS {
            config.keys.entry(action).or_insert_with(|| {
                keys.iter()
                    .filter_map(|&key| Chord::try_from(key.to_owned()).ok())
                    .collect()
            });
        }
        Ok(config)
    }

    /// Reads a configuration's text.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(text: &str) -> Result<Self, String> {
        let config: Self =
            toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        if !(1..=8).contains(&config.window.scale) {
            return Err("window.scale must be 1 to 8".into());
        }
        if config.sound.volume > 100 {
            return Err("sound.volume must be 0 to 100".into());
        }
        config.picture.check()?;
        let sticks = &config.joysticks;
        for stick in [&sticks.always, &sticks.first, &sticks.second] {
            for key in [
                &stick.up,
                &stick.down,
                &stick.left,
                &stick.right,
                &stick.trigger,
            ]
            .into_iter()
            .flatten()
            {
                if !KEY_NAMES.contains(&key.to_ascii_lowercase().as_str()) {
                    return Err(format!(
                        "there is no key called {key}; keys are called {}",
                        KEY_NAMES.join(" ")
                    ));
                }
            }
        }
        Ok(config)
    }

    /// Writes the configuration file. Keys that are the usual ones are left out, so that they follow those of later versions.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self) -> Result<(), Failure> {
        let path = path();
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, error))?;
        }
        crate::files::write(&path, self.kept().as_bytes())
    }

    /// The text of the configuration file that [`Config::save`] writes.
    fn kept(&self) -> String {
        let mut config = self.clone();
        config.keys.retain(|action, chords| {
            let usual = ACTIONS.iter().find(|(other, ..)| other == action);
            let usual = usual.map_or(&[][..], |(_, keys, _)| keys);
            let usual = usual
                .iter()
                .filter_map(|&key| Chord::try_from(key.to_owned()).ok());
            !usual.eq(chords.iter().cloned())
        });
        format!(
            "# Written by the menu (F1); `anticlock config` prints everything that can be set here.\n\n{}",
            toml::to_string(&config).unwrap_or_default()
        )
    }

    /// The keys of an action, as a person reads them.
    pub fn keys_of(&self, action: Action) -> String {
        let keys: Vec<String> = self
            .keys
            .get(&action)
            .into_iter()
            .flatten()
            .map(ToString::to_string)
            .collect();
        keys.join(" or ")
    }
}

/// The name that the program had before; its folders are taken over at the first start, its environment variables still
/// read.
const OLD_NAME: &str = "colleen";

/// Where the configuration file is: `ANTICLOCK_CONFIG` (or `COLLEEN_CONFIG`) when that is set, else in the folder that the
/// system gives to programs.
pub fn path() -> PathBuf {
    let named = ["ANTICLOCK_CONFIG", "COLLEEN_CONFIG"];
    if let Some(path) = named.into_iter().find_map(std::env::var_os) {
        return path.into();
    }
    directories::ProjectDirs::from("", "", "anticlock").map_or_else(
        || PathBuf::from("anticlock.toml"),
        |dirs| dirs.config_dir().join("anticlock.toml"),
    )
}

/// Copies the configuration file, and the folder of saved states and games, of the program's old name to where they are
/// looked for now. Nothing that exists is replaced, and the old files stay.
///
/// # Errors
/// A sentence on what could not be copied.
pub fn take_over() -> Result<(), Failure> {
    let project = |name: &str| directories::ProjectDirs::from("", "", name);
    let (Some(old), Some(new)) = (project(OLD_NAME), project("anticlock")) else {
        return Ok(());
    };
    let old_file = old.config_dir().join(format!("{OLD_NAME}.toml"));
    let new_file = new.config_dir().join("anticlock.toml");
    if old_file.is_file() && !new_file.exists() {
        copy(&old_file, &new_file)?;
    }
    let elsewhere = std::env::var_os("ANTICLOCK_DATA").is_some();
    if !elsewhere && old.data_dir().is_dir() && !new.data_dir().exists() {
        copy(old.data_dir(), new.data_dir())?;
    }
    Ok(())
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::file(to, error);
    if from.is_dir() {
        std::fs::create_dir_all(to).map_err(failed)?;
        let entries = std::fs::read_dir(from).map_err(|error| Failure::file(from, error))?;
        for entry in entries.flatten() {
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::copy(from, to).map(drop).map_err(failed)
}

/// The user's table of what files need: beside the configuration file.
pub fn needs() -> PathBuf {
    path().with_file_name("needs.txt")
}

/// The folder of saved states.
pub fn states() -> PathBuf {
    data("states")
}

/// The folder of files that built-in games keep.
pub fn games() -> PathBuf {
    data("games")
}

/// The folder of breakpoints, watches and labels, a file for each program.
pub fn debugger() -> PathBuf {
    data("debugger")
}

/// The folder of what programs wrote and no file of the user's has.
pub fn recovered() -> PathBuf {
    data("recovered")
}

/// The folder behind H: and D: of BASIC.
pub fn home() -> PathBuf {
    data("files")
}

/// A folder among the user's data: in `ANTICLOCK_DATA` when that is set, else in the folder that the system gives to programs.
fn data(name: &str) -> PathBuf {
    if let Some(folder) = std::env::var_os("ANTICLOCK_DATA").filter(|name| !name.is_empty()) {
        return PathBuf::from(folder).join(name);
    }
    directories::ProjectDirs::from("", "", "anticlock")
        .map_or_else(|| PathBuf::from(name), |dirs| dirs.data_dir().join(name))
}

/// What `anticlock config` prints: the place of the file, and a complete file with what is in force.
pub fn describe(path: &Path, config: &Config) -> String {
    let mut out = String::new();
    let state = if path.exists() {
        "in force now:"
    } else {
        "which does not exist yet; in force are the defaults:"
    };
    let _ = writeln!(out, "# {}\n# {state}\n", path.display());
    let _ = writeln!(
        out,
        "# Saved states: {}\n# Files of BASIC, its H: and D:: {}\n# Files that built-in games keep: {}\n# What programs wrote and was not stored: {}\n",
        states().display(),
        home().display(),
        games().display(),
        recovered().display()
    );
    if config.pictures.is_none() {
        out.push_str("# pictures = \"FOLDER\" is where pictures and recordings go; now the folder in which Anticlock is started\n\n");
    }
    out.push_str(&toml::to_string(config).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_config_prints_can_be_used_as_the_file() {
        let mut config = Config::default();
        for &(action, keys, _) in ACTIONS {
            let chords = keys
                .iter()
                .map(|&k| Chord::try_from(k.to_owned()).unwrap())
                .collect();
            assert!(config.keys.insert(action, chords).is_none());
        }
        let text = describe(Path::new("/nowhere/anticlock.toml"), &config);
        assert_eq!(Config::parse(&text).unwrap(), config);
    }

    #[test]
    fn what_the_menu_writes_is_read_back_without_the_usual_keys() {
        let mut config = Config::default();
        config.machine.model = Some(crate::options::ModelName::Xe130);
        config.sound.volume = 33;
        for &(action, keys, _) in ACTIONS {
            let chords = keys.iter().map(|&k| Chord::try_from(k.to_owned()).unwrap());
            config.keys.insert(action, chords.collect());
        }
        let other = vec![Chord::try_from("Alt+X".to_owned()).unwrap()];
        config.keys.insert(Action::Quit, other.clone());
        let text = config.kept();
        let read = Config::parse(&text).unwrap();
        assert_eq!((read.machine, read.sound), (config.machine, config.sound));
        assert_eq!(read.keys, BTreeMap::from([(Action::Quit, other)]));
    }

    #[test]
    fn no_two_actions_share_a_key() {
        let mut all: Vec<&str> = ACTIONS.iter().flat_map(|a| a.1).copied().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, wanted) in [
            ("[window]\nscale = 9", "window.scale"),
            ("[keys]\npause = [\"Hyper+F1\"]", "hyper is no modifier"),
            ("[keys]\npause = [\"F99\"]", "no key called F99"),
            ("[keys]\nfly = [\"F1\"]", "fly"),
            ("colour = 1", "colour"),
            ("[picture]\ngamma = 0.0", "picture.gamma"),
            ("[picture]\nartifacts = \"secam\"", "secam"),
            (
                "[joysticks.first]\nup=[\"upp\"]\ndown=[]\nleft=[]\nright=[]\ntrigger=[]",
                "no key called upp",
            ),
        ] {
            let error = Config::parse(text).unwrap_err();
            assert!(error.contains(wanted), "{error}");
        }
    }
}
