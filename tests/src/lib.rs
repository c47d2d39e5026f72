//! The harness of the whole-machine tests.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use machine::{Config, Machine, Model, Rom, Tv};
use session::timeline::{Event, Timeline};
use session::typist::{self, Keyboard, Pace, Stroke, Typist};
use std::sync::{Arc, Mutex};

pub mod acid800;
pub mod arena;
pub mod basic;
pub mod behaviour;
pub mod busy;
pub mod calls;
pub mod crawl;
pub mod desk;
pub mod dos;
pub mod folder;
pub mod fp_model;
pub mod golden;
pub mod pictures;
pub mod players;
pub mod random;
pub mod rules;
pub mod screen;
pub mod spectrum;
pub mod steps;
pub mod tunes;
pub mod why;

/// The folder or file that an environment variable names. `None`, with a line on stderr, when it is not set.
#[must_use]
pub fn outside(variable: &str, what: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).map(PathBuf::from);
    if path.is_none() {
        eprintln!("skipped: set {variable} to {what}");
    }
    path
}

/// Writes a table of results to the folder `results` below the target folder.
///
/// # Panics
/// When the file cannot be written.
pub fn write_result(name: &str, text: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| folder.join("../target"), PathBuf::from);
    let results = target.join("results");
    std::fs::create_dir_all(&results).unwrap();
    std::fs::write(results.join(name), text).unwrap();
}

/// Our ROMs on a model; BASIC as asked for.
#[must_use]
pub fn config(model: Model, tv: Tv, basic: bool) -> Config {
    Config {
        model,
        tv,
        os: Rom::own(if model.is_xl() {
            roms::OS_XL
        } else {
            roms::OS_800
        }),
        basic: basic.then(|| Rom::own(roms::BASIC)),
        cartridge: None,
        second: None,
        seed: 1,
        extras: machine::Extras::default(),
    }
}

/// CH: the key that the OS holds ready, $FF = none.
const CH: u16 = 0x02FC;
/// KEYDEL: frames until the OS believes the same key again.
const KEYDEL: u16 = 0x02F1;

/// Each key two frames down and two up; the same key waits for KEYDEL.
const PACE: Pace = Pace {
    held: 2,
    gap: 2,
    gap_same: 2,
    console_held: 2,
    console_gap: 2,
};
/// A game's listing for a machine with `kilobytes` of memory; `None` where it does not fit or the game does not exist.
///
/// Listings are read from `roms/games`, or from the folder that the environment variable `GAMES` names, so that a change in a copy of
/// one is tested without building what contains the game.
///
/// # Panics
/// When a file of that folder cannot be read.
#[must_use]
pub fn game_listing(name: &str, kilobytes: u32) -> Option<String> {
    let game = roms::games::find(name)?;
    game.for_memory(kilobytes)?;
    let folder = std::env::var_os("GAMES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../roms/games"),
        PathBuf::from,
    );
    let folder = folder.join(name);
    let read = |file: String| {
        let path = folder.join(file);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let mut text = read(format!("{name}.lst"));
    if game.full.is_some_and(|full| kilobytes >= full.needs) {
        text += &read("extra.lst".to_owned());
    }
    let mut lines = BTreeMap::new();
    for line in text.lines() {
        let number = line
            .split(' ')
            .next()
            .and_then(|word| word.parse::<u32>().ok());
        lines.insert(number, line);
    }
    Some(lines.values().flat_map(|line| [line, "\n"]).collect())
}

/// The kilobytes of memory that BASIC may use on a model, its own ROM's place included.
#[must_use]
pub const fn memory(model: Model) -> u32 {
    match model {
        Model::Atari400 => 16,
        _ => 48,
    }
}

/// A machine with someone at its keyboard.
#[derive(Clone, Debug)]
pub struct Atari {
    /// The machine.
    pub machine: Machine,
    /// Frames run since it was switched on.
    pub frames: u32,
    /// Is told of every frame and of all controls.
    pub past: Option<Arc<Mutex<Timeline>>>,
    /// The controls of the last frame.
    pub held: machine::Input,
}

impl Atari {
    /// Switches a machine on.
    ///
    /// # Panics
    /// When the configuration makes no machine.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let machine = Machine::new(config).unwrap();
        Self {
            held: machine.input,
            machine,
            frames: 0,
            past: None,
        }
    }

    /// A machine with a binary file waiting to be booted.
    ///
    /// # Panics
    /// When the file is not a binary file.
    #[must_use]
    pub fn with_xex(config: &Config, file: &[u8]) -> Self {
        let mut atari = Self::new(config);
        atari
            .machine
            .insert_program(media::xex::Xex::parse(file).unwrap().boot());
        atari
    }

    /// A machine at BASIC's READY prompt with this program in memory.
    ///
    /// # Panics
    /// When the listing is not BASIC or the prompt does not come.
    #[must_use]
    pub fn with_basic(config: &Config, listing: &[u8]) -> Self {
        let program = media::basic::Program::tokenize(listing)
            .unwrap_or_else(|errors| panic!("{}", errors[0]));
        let mut atari = Self::new(config);
        assert!(
            atari.wait_for_key(600),
            "no READY prompt:\n{}",
            atari.text()
        );
        atari.machine.load_basic(&program).unwrap();
        atari
    }

    /// A machine in which one of our games was just started.
    ///
    /// # Panics
    /// When no game has this name or it does not start.
    #[must_use]
    pub fn with_game(name: &str, model: Model, tv: Tv, seed: u64) -> Self {
        let mut config = config(model, tv, true);
        config.seed = seed;
        let listing = game_listing(name, memory(model)).unwrap();
        let mut atari = Self::with_basic(&config, listing.as_bytes());
        atari.type_text("RUN\n");
        atari
    }

    /// Runs frames.
    pub fn run(&mut self, frames: u32) {
        for _ in 0..frames {
            self.record(false);
            self.machine.run_frame();
            self.record(true);
        }
        self.frames += frames;
    }

    /// Tells the timeline of the controls before a frame, and of the frame after it.
    fn record(&mut self, frame: bool) {
        if let Some(past) = &self.past
            && let Ok(mut past) = past.lock()
        {
            if frame {
                // No sound is heard here.
                self.machine.take_sound(&mut Vec::new());
                past.frame(&self.machine);
            } else {
                // The machine has had those of the last frame up to now.
                let input = std::mem::replace(&mut self.machine.input, self.held);
                drop(past.apply(&mut self.machine, Event::Controls(input)));
            }
        }
        self.held = self.machine.input;
    }

    /// Runs until the machine waits for a key, `frames` at most.
    pub fn wait_for_key(&mut self, frames: u32) -> bool {
        for _ in 0..frames {
            self.frames += 1;
            self.record(false);
            let waits = typist::frame_waits_for_key(&mut self.machine);
            self.record(true);
            if waits {
                return true;
            }
        }
        false
    }

    /// Runs until the screen shows `text`, `frames` at most.
    pub fn wait_for_text(&mut self, text: &str, frames: u32) -> bool {
        for _ in 0..frames {
            if self.text().contains(text) {
                return true;
            }
            self.run(1);
        }
        self.text().contains(text)
    }

    /// Runs until the screen shows `text`.
    ///
    /// # Panics
    /// When it has not after `frames`.
    pub fn expect_text(&mut self, text: &str, frames: u32) {
        assert!(
            self.wait_for_text(text, frames),
            "{text} does not appear:\n{}",
            self.text()
        );
    }

    /// Types keys, each when the machine has taken the one before; gives up after `frames`.
    pub fn press(&mut self, keys: Vec<Stroke>, frames: u32) -> bool {
        let mut typist = Typist::new(PACE);
        typist.push(keys);
        // What the test itself holds down, before and after.
        let own = (self.machine.input.key, self.machine.input.break_key);
        for _ in 0..frames {
            if typist.is_done() {
                return true;
            }
            let machine = &mut self.machine;
            // The OS has taken the key before, and would believe the same one again.
            let waiting = machine.peek(CH) == 0xFF && machine.peek(KEYDEL) == 0;
            machine.input.key = None;
            machine.input.break_key = false;
            let caps = false;
            typist.frame(Keyboard { waiting, caps }, &mut machine.input);
            if machine.input.key.is_none() && !machine.input.break_key {
                (machine.input.key, machine.input.break_key) = own;
            }
            self.run(1);
        }
        typist.is_done()
    }

    /// Types text (see [`typist::strokes_of_plain`]), a line feed being RETURN.
    ///
    /// # Panics
    /// When the text cannot be typed or the machine does not take it within ten seconds for each key.
    pub fn type_text(&mut self, text: &str) {
        let keys = typist::strokes_of_plain(text).unwrap();
        let frames = keys.len() as u32 * 600;
        assert!(
            self.press(keys, frames),
            "the machine takes no keys:\n{}",
            self.text()
        );
    }

    /// The character rows on the screen.
    #[must_use]
    pub fn text(&self) -> String {
        self.machine.displayed_text().text()
    }
}
