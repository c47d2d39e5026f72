//! The configuration file.
mod actions;
mod folders;
mod keys;
mod machine;

pub use self::machine::{MachineConfig, Rom, RomFiles};
use crate::failure::Failure;
use crate::scaler::{Overscan, Shape, View};
use crate::tube::TubeConfig;
pub use actions::{ACTIONS, Action, FIXED};
pub use folders::{
    debugger, games, home, library, needs, path, pictures, portraits, recovered, states, take_over,
};
pub use keys::{Chord, KEY_NAMES, StickKeys, Sticks};
use serde::{Deserialize, Serialize};
use session::mouse::MouseRole;
use session::picture::{Look, Settings};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Settings of the picture's colours; the palette is a file.
pub type PictureConfig = Settings<PathBuf>;

/// The colours for a television system.
///
/// # Errors
/// When the palette file is not a palette.
pub fn look(tv: ::machine::Tv, picture: &PictureConfig) -> Result<Look, Failure> {
    let Some(path) = &picture.palette else {
        return Look::new(tv, picture, None).map_err(|error| Failure::input(error.to_string()));
    };
    let bytes = crate::files::read(path)?;
    Look::new(tv, picture, Some(&bytes)).map_err(|error| Failure::file(path, error))
}

/// Roles of the buttons of gamepads.
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
    /// Buttons that open the menu.
    pub menu: Vec<PadButton>,
}

impl Default for GamepadButtons {
    fn default() -> Self {
        Self {
            trigger: vec![PadButton::South, PadButton::East],
            start: vec![PadButton::Start],
            select: vec![PadButton::Select],
            option: vec![PadButton::North],
            menu: vec![PadButton::Mode],
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
    /// The one in the middle.
    Mode,
}

impl PadButton {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::South,
        Self::East,
        Self::North,
        Self::West,
        Self::LeftShoulder,
        Self::RightShoulder,
        Self::LeftTrigger,
        Self::RightTrigger,
        Self::Start,
        Self::Select,
        Self::Mode,
    ];
}

/// The role of the mouse in the window in a few words, after "the mouse".
pub fn about_mouse(role: MouseRole) -> &'static str {
    match role {
        MouseRole::Off => "opens the menu with its right button",
        _ => role.about(),
    }
}

/// The window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WindowConfig {
    /// Multiples of the picture's 240 lines.
    pub scale: u8,
    /// Fill the screen.
    pub fullscreen: bool,
    /// Role of the mouse.
    pub mouse: MouseRole,
    /// Only whole multiples of the picture's lines; otherwise as large as fits.
    pub whole_multiples: bool,
    /// Dark gaps between the picture's lines, as a television has them.
    pub scan_lines: bool,
    /// Pixels that run into each other, and not ones with edges.
    pub smooth: bool,
    /// Shape of the picture: television, square (pixels), window.
    pub shape: Shape,
    /// Part of the picture that is shown: all, television, playfield.
    pub overscan: Overscan,
    /// Ask before RESET, switching off and on, and leaving a program.
    pub ask: bool,
    /// The effects of a tube: mask, bloom and curvature, each 0 to 100.
    pub tube: TubeConfig,
}

impl WindowConfig {
    /// How the picture of a television system is shown.
    pub fn view(&self, tv: ::machine::Tv) -> View {
        View {
            tv,
            shape: self.shape,
            overscan: self.overscan,
        }
    }
}

impl Default for WindowConfig {
    fn default() -> Self {
        Self {
            scale: 3,
            fullscreen: false,
            mouse: MouseRole::Off,
            whole_multiples: false,
            scan_lines: false,
            smooth: false,
            shape: Shape::Television,
            overscan: Overscan::All,
            ask: true,
            tube: TubeConfig::default(),
        }
    }
}

/// File of a recording of the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VideoForm {
    /// MP4, with sound.
    #[default]
    Mp4,
    /// Animated PNG, without.
    Png,
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
    /// The folder for pictures and recordings; the folder in which the program was started when it is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pictures: Option<PathBuf>,
    /// Multiples of the picture's 240 lines that pictures and recordings have, in the television's shape; 0 for raw ones, 376 by 240
    /// colour numbers; as large as in the window when it is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture_scale: Option<u8>,
    /// File of a recording of the picture: mp4 (with sound) or png.
    pub video: VideoForm,
    /// Folders of the library.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub library: Vec<PathBuf>,
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
    /// The fault in the file, and its place.
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
    /// The fault in it, and its place.
    pub fn parse(text: &str) -> Result<Self, String> {
        let config: Self =
            toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        if !(1..=8).contains(&config.window.scale) {
            return Err("window.scale must be 1 to 8".into());
        }
        if config.picture_scale.is_some_and(|scale| scale > 8) {
            return Err("picture_scale must be 0 to 8".into());
        }
        if config.sound.volume > 100 {
            return Err("sound.volume must be 0 to 100".into());
        }
        config.picture.check()?;
        config.window.tube.check()?;
        let sticks = &config.joysticks;
        for stick in [&sticks.always, &sticks.first, &sticks.second] {
            for key in stick.keys() {
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

    /// The keys of an action, as the user reads them.
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

/// Output of `anticlock config`: the place of the file, and a complete file with the settings in force.
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
        "# Saved states: {}\n# Files of BASIC, its H: and D:: {}\n# Files that built-in games keep: {}\n# What programs wrote and was not stored: {}\n# Last played and favourites of the library: {}\n# Its pictures, which can be removed: {}\n",
        states().display(),
        home().display(),
        games().display(),
        recovered().display(),
        library().display(),
        portraits().display()
    );
    if config.pictures.is_none() {
        out.push_str("# pictures = \"FOLDER\" is where pictures and recordings go; now the folder in which Anticlock is started\n\n");
    }
    if config.picture_scale.is_none() {
        out.push_str("# picture_scale = 0 to 8 is their size in multiples of 240 lines, 0 for raw colour numbers; now as in the window\n\n");
    }
    out.push_str("# [machine] takes the names of the command line: model, tv, memory = [\"320k\", \"zero\"], seed, stereo, covox, rtime8, os, basic\n\n");
    if config.library.is_empty() {
        out.push_str(
            "# library = [\"FOLDER\"] are the folders whose programs the library shows\n\n",
        );
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
        config.machine.model = Some(::machine::Model::Xe130);
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
    fn mistakes_are_named() {
        for (text, wanted) in [
            ("[window]\nscale = 9", "window.scale"),
            ("[machine]\nmemory = [\"321k\"]", "320k"),
            ("picture_scale = 9", "picture_scale"),
            ("[window.tube]\nbloom = 101", "window.tube.bloom"),
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
