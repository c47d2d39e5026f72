//! Actions of the host's keys: the one table that help, `docs/keys.md` and window share.
use serde::{Deserialize, Serialize};

/// An action of a host key other than typing.
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
    /// Write a GIF of the last seconds.
    Gif,
    /// Begin a GIF, or end and write it.
    RecordGif,
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
    /// Choose a title of the library.
    Library,
    /// Choose a file from a list.
    Open,
    /// Start the program again with the other television system.
    OtherTv,
    /// Make the mouse a pair of paddles, or a mouse again.
    Mouse,
    /// Type the text of the host's clipboard.
    Paste,
    /// Put the text on the screen into the host's clipboard.
    Copy,
    /// Artifact colours of a composite signal, off and on.
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

/// Every action with its default keys and its description, in the order of the help screen.
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
    (Action::Gif, &["Alt+G"], "GIF of the last 10 seconds"),
    (Action::RecordGif, &["Alt+R"], "GIF from here on/off"),
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
    (
        Action::Library,
        &["Alt+B"],
        "library of your programs and ours",
    ),
    (Action::Open, &["Alt+F"], "choose a file"),
    (
        Action::OtherTv,
        &["Alt+T"],
        "the program again on PAL or NTSC",
    ),
    (Action::Mouse, &["Alt+P"], "next role of the mouse"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, StrDeserializer};

    #[test]
    fn no_two_actions_share_a_key() {
        let mut all: Vec<&str> = ACTIONS.iter().flat_map(|a| a.1).copied().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn the_page_has_the_same_names_and_keys() {
        let page = include_str!("../../../web/site/src/keyboard.ts");
        let start = "const COMMANDS: Record<string, Command> = {";
        let (_, table) = page.split_once(start).unwrap();
        let (table, _) = table.split_once("};").unwrap();
        let entries = table.split(',').map(str::trim);
        let entries: Vec<&str> = entries.filter(|entry| !entry.is_empty()).collect();
        assert!(entries.len() > 20, "{table}");
        for entry in entries {
            let (key, name) = entry.split_once(": ").unwrap();
            // The page names keys by their places.
            let key = key.trim_matches('"').replace("Key", "");
            let key = key.replace("BracketLeft", "[").replace("BracketRight", "]");
            let name: StrDeserializer<'_, Error> = name.trim_matches('"').into_deserializer();
            let action = Action::deserialize(name).unwrap();
            let known = ACTIONS.iter().find(|(other, ..)| *other == action);
            assert!(known.unwrap().1.contains(&key.as_str()), "{entry}");
        }
    }
}
