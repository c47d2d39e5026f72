//! The machine of a page: opening, running, controls, picture and sound.
use crate::folder::{Change, Folder};
use crate::journal::{Call, Journal};
use crate::options::{NAMES, Options};
use crate::past::Arriving;
use crate::requests::HostRequest;
use crate::{folder, listing, options};
use machine::host::{HostReply, status};
use machine::{Frame, Tv};
use session::picture::{Look, Settings};
use session::sound::Listener;
use session::timeline::{Event, EventError, Limits, Moment};
use session::{
    Answer, Ask, CopyId, HostKeys, Origin, Outcome, Place, Refused, RequestId, Session, Setup,
    Stops,
};
use session::{built_in, keys};
use std::collections::VecDeque;
use std::fmt::Write as _;
use wasm_bindgen::prelude::wasm_bindgen;

/// Memory for the past, so that the page stays below 64 MB.
const PAST: Limits = Limits {
    bytes: 20 << 20,
    dense: 3600,
    ..Limits::OFF
};

/// Another program has begun.
pub(crate) const BEGUN: u32 = 1;
/// [`Emulator::message`] has something to say.
const MESSAGE: u32 = 2;
/// Frames between two checks for written and printed output of programs.
const FLUSH: u64 = 60;
/// [`Emulator::host_keys`] has changed.
const KEYS: u32 = 4;

/// The machine stands at one of [`Emulator::set_stops`].
const STOPPED: u32 = 8;

/// A request that the page has not answered yet.
#[derive(Debug)]
struct Pending {
    number: u32,
    id: RequestId,
    changes: Vec<Change>,
    folder: bool,
}

/// The machine of a page.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Emulator {
    pub(crate) session: Session,
    pub(crate) options: Options,
    folder: Folder,
    listener: Listener,
    rate: f64,
    samples: Vec<f32>,
    settings: Settings,
    palette: Option<Vec<u8>>,
    look: Look,
    colours: Box<[u32; 256]>,
    rgba: Vec<u32>,
    pub(crate) message: String,
    pending: Vec<Pending>,
    numbers: u32,
    queued: VecDeque<HostRequest>,
    pub(crate) arriving: Option<Arriving>,
    pub(crate) journal: Journal,
    /// The options with which the program was opened, as text.
    pub(crate) opened: String,
    stops: Vec<u16>,
    /// The moment from which the machine continues though it may be at one of them: the last stop, or when they were set.
    stands: Moment,
}

fn rgba([red, green, blue]: [u8; 3]) -> u32 {
    u32::from_le_bytes([red, green, blue, 0xFF])
}

/// The usual look, which is without a palette file and cannot be wrong.
fn usual(tv: Tv) -> Look {
    let look = Look::new(tv, &Settings::<String>::default(), None);
    look.unwrap_or_else(|_| unreachable!("no palette file"))
}

/// Opening.
#[wasm_bindgen]
impl Emulator {
    /// A machine that is switched off: the READY prompt, until something is opened.
    ///
    /// # Errors
    /// One sentence on the options.
    #[wasm_bindgen(constructor)]
    pub fn new(rate: f64) -> Result<Self, String> {
        let session = Session::new(Setup::default()).map_err(|error| error.to_string())?;
        let look = usual(Tv::Ntsc);
        Ok(Self {
            listener: Listener::new(&session, rate),
            colours: Box::new(look.rgb().map(rgba)),
            look,
            settings: Settings::default(),
            palette: None,
            session,
            options: Options::default(),
            folder: Folder::default(),
            rate,
            samples: Vec::new(),
            rgba: vec![0; Frame::WIDTH * Frame::HEIGHT],
            message: String::new(),
            pending: Vec::new(),
            numbers: 0,
            queued: VecDeque::new(),
            arriving: None,
            journal: Journal::default(),
            opened: String::new(),
            stops: Vec::new(),
            stands: Moment::default(),
        })
    }

    /// The built-in programs: a line each with name, title, whether it is played with a joystick, and its description; tabs between.
    pub fn programs() -> String {
        let mut out = String::new();
        for known in built_in::all() {
            let about = known.place.map_or("", |place| place.description);
            let stick = u8::from(known.joystick);
            let _ = writeln!(out, "{}\t{}\t{stick}\t{about}", known.name, known.title);
        }
        out
    }

    /// The choices of the options panel: a line each with option, value, its text, and the models that it fits; tabs between.
    pub fn choices() -> String {
        Options::choices()
    }

    /// The names of the options, with blanks between.
    pub fn option_names() -> String {
        NAMES.join(" ")
    }

    /// Brings the ROM images, a file that the page loads beside this program. False when it is not that file.
    pub fn supply_roms(file: Vec<u8>) -> bool {
        roms::supply(file)
    }

    /// Brings the built-in games, which the page loads after its first picture. False when the file is damaged.
    pub fn supply_games(file: Vec<u8>) -> bool {
        roms::games::supply(file)
    }

    /// True if the built-in games are there.
    pub fn has_games() -> bool {
        roms::games::are_here()
    }

    /// Starts a built-in program in a fresh machine.
    ///
    /// # Errors
    /// One sentence.
    pub fn open_built_in(&mut self, name: &str, options: &str) -> Result<(), String> {
        self.open(built_in_setup(name)?, options)
    }

    /// True if an entry of an archive is for the machine, by its path, its first bytes and its length.
    pub fn is_usable(path: &str, start: &[u8], length: usize) -> bool {
        media::is_for_machine(path, start, length)
    }

    /// Kind of a file: `disk`, `tape`, or `program` for anything else.
    pub fn kind_of(name: &str, bytes: &[u8]) -> String {
        match media::recognise(name, bytes) {
            media::Kind::Disk => "disk",
            media::Kind::Tape => "tape",
            _ => "program",
        }
        .to_owned()
    }

    /// Starts a file in a fresh machine. Gives what is wrong with it though it can be used, or nothing.
    ///
    /// # Errors
    /// One sentence on the file or the options.
    pub fn open_file(&mut self, name: &str, bytes: &[u8], options: &str) -> Result<String, String> {
        let setup = Setup::for_file(name, bytes).map_err(|error| error.to_string())?;
        let flaw = setup.program.flaw();
        self.open(setup, options)?;
        Ok(flaw.unwrap_or_default())
    }

    /// Puts a listing into a fresh machine and runs it.
    ///
    /// # Errors
    /// One sentence on the listing or the options.
    pub fn open_listing(&mut self, text: &str, options: &str) -> Result<(), String> {
        self.open(listing_setup(text)?, options)
    }

    /// The program's name.
    pub fn title(&self) -> String {
        self.session.title().to_owned()
    }

    /// `menu`, `game` or `user`.
    pub fn origin(&self) -> String {
        match self.session.origin() {
            Origin::Menu => "menu",
            Origin::Game { .. } => "game",
            Origin::User => "user",
        }
        .to_owned()
    }

    /// Present role of arrows and Space: 0 type, 1 joystick 1, 2 joystick 1 and W A S D joystick 2, 3 joystick 1 and Space types as well.
    pub fn host_keys(&self) -> u8 {
        match self.session.host_keys() {
            HostKeys::Typing => 0,
            HostKeys::Stick => 1,
            HostKeys::Sticks => 2,
            HostKeys::StickAndSpace => 3,
        }
    }

    /// The user's choice of it: `type`, `stick`, `sticks`, or `auto`, as the program wants.
    pub fn keys_choice(&self) -> String {
        let choice = self.session.host_keys_choice();
        choice.map_or("auto", HostKeys::name).to_owned()
    }

    /// Takes a choice by its name; another name is `auto`.
    pub fn choose_keys(&mut self, name: &str) {
        self.session.choose_host_keys(HostKeys::of_name(name));
    }

    /// Takes the next choice, and gives its name.
    pub fn next_keys(&mut self) -> String {
        let choice = self.session.host_keys_choice();
        let next = self.session.host_keys().next_choice(choice);
        self.session.choose_host_keys(next);
        self.keys_choice()
    }

    /// The machine in a few words.
    pub fn machine_name(&self) -> String {
        let config = self.session.machine().config();
        let tv = if config.tv == Tv::Pal { "PAL" } else { "NTSC" };
        format!("{} {tv}", config.model.name().to_ascii_uppercase())
    }
}

/// The setup of a built-in program.
fn built_in_setup(name: &str) -> Result<Setup, String> {
    let setup = Setup::built_in(name).map_err(|error| error.to_string())?;
    setup.ok_or_else(|| {
        let names: Vec<_> = built_in::all().iter().map(|known| known.name).collect();
        let shown: String = name.chars().take(60).collect();
        let names = names.join(", ");
        format!("there is no built-in program called \"{shown}\"; there are menu, {names}")
    })
}

/// The setup of a BASIC listing.
fn listing_setup(text: &str) -> Result<Setup, String> {
    let program = session::Program::of_listing("Your program", text.as_bytes());
    program
        .map(Setup::for_program)
        .map_err(|error| error.to_string())
}

/// The setup of a program as a link names it: `game` with its name, `listing` with its text, or a file's name and its bytes.
pub(crate) fn setup_of(kind: &str, name: &str, bytes: &[u8]) -> Result<Setup, String> {
    match kind {
        "game" => built_in_setup(name),
        "listing" => listing_setup(&String::from_utf8_lossy(bytes)),
        _ => Setup::for_file(name, bytes).map_err(|error| error.to_string()),
    }
}

/// A session for a setup with options, whose past is remembered.
pub(crate) fn opened(mut setup: Setup, options: &Options) -> Result<Session, String> {
    options.apply(&mut setup);
    let mut session = Session::new(setup).map_err(|error| error.to_string())?;
    session.remember(PAST);
    Ok(session)
}

impl Emulator {
    /// The drive (1 is D1:) that a copy is in; 0 for none.
    fn drive_of(&self, copy: CopyId) -> usize {
        let copies = self.session.copies();
        let found = copies.iter().find(|known| known.id == copy);
        match found.map(|known| known.place) {
            Some(Place::Drive(drive)) => drive + 1,
            _ => 0,
        }
    }

    fn open(&mut self, setup: Setup, text: &str) -> Result<(), String> {
        let options = Options::parse(text)?;
        let session = opened(setup, &options)?;
        let journal = Journal::new(&session);
        self.take_with(session, journal, options, text);
        Ok(())
    }

    /// Continues with a session, the calls made to it, and the options with which it was opened.
    pub(crate) fn take_with(
        &mut self,
        session: Session,
        journal: Journal,
        options: Options,
        text: &str,
    ) {
        self.options = options;
        self.take(session);
        self.journal = journal;
        text.clone_into(&mut self.opened);
    }

    /// The menu has started a program, or a program the menu: the journal begins with it, where a link could open the same machine.
    fn begin_journal(&mut self) {
        let title = self.session.title();
        let all = built_in::all();
        let known = all.iter().find(|known| known.title == title);
        let name = known.map_or("menu", |known| known.name);
        let fresh = built_in_setup(name).and_then(|setup| opened(setup, &self.options));
        let same =
            |fresh: Session| fresh.machine().state_hash() == self.session.machine().state_hash();
        if fresh.is_ok_and(same) {
            self.session.remember(PAST);
            self.journal = Journal::new(&self.session);
        } else {
            self.journal.give_up();
        }
    }

    /// Runs to the end of the frame; true where it has stopped before.
    fn run_frame(&mut self) -> (Outcome, bool) {
        let (outcome, stopped) = if self.stops.is_empty() {
            (self.session.run_frame(), false)
        } else {
            let stands = self.session.moment() == self.stands;
            let mut stops = Stops::new(&self.stops, stands);
            self.session.run_frame_with(&mut stops)
        };
        if stopped {
            self.stands = self.session.moment();
            self.journal.went_to(&self.session);
        } else {
            self.journal.after_frame(&self.session);
        }
        (outcome, stopped)
    }

    /// Writes memory or a register from outside.
    pub(crate) fn edit(&mut self, event: Event) -> Result<(), EventError> {
        self.session.apply(event.clone())?;
        self.journal.note(Call::Edit(event));
        Ok(())
    }

    /// Continues with another session.
    pub(crate) fn take(&mut self, mut session: Session) {
        if session.timeline().is_off() {
            session.remember(PAST);
        }
        self.session = session;
        self.session.watch_host_keys(true);
        self.journal.give_up();
        self.pending.clear();
        self.queued.clear();
        self.stops.clear();
        self.refresh();
    }

    /// The limits of the past.
    pub(crate) fn limits() -> Limits {
        PAST
    }

    /// Sound and colours begin again with the machine.
    pub(crate) fn refresh(&mut self) {
        self.listener = Listener::new(&self.session, self.rate);
        self.samples.clear();
        self.settings.artifacts = self.options.composite;
        self.see();
    }

    /// Makes the colours of the settings, and of the palette file where there is one.
    fn see(&mut self) {
        let tv = self.session.machine().config().tv;
        let look = Look::new(tv, &self.settings, self.palette.as_deref());
        self.look = look.unwrap_or_else(|_| usual(tv));
        *self.colours = self.look.rgb().map(rgba);
    }

    fn say(&mut self, message: String) -> u32 {
        self.message = message;
        MESSAGE
    }
}

/// Running.
#[wasm_bindgen]
impl Emulator {
    /// Runs one frame. Bit 0 of the result: another program has begun; bit 1: there is a message; bit 2: [`Self::host_keys`] has changed;
    /// bit 3: the machine stands at one of [`Self::set_stops`], in the middle of the frame.
    pub fn frame(&mut self) -> u32 {
        let mut flags = 0;
        let keys = self.session.host_keys();
        let controls = *self.session.controls();
        self.journal.before_frame(&controls);
        let (outcome, stopped) = self.run_frame();
        if stopped {
            flags |= STOPPED;
        }
        match outcome {
            Outcome::Done => {}
            Outcome::Next(program) => match self.session.start(*program) {
                Ok(()) => {
                    self.begin_journal();
                    self.refresh();
                    flags |= BEGUN;
                }
                Err(error) => flags |= self.say(error.to_string()),
            },
            Outcome::DoesNotFit(error) => flags |= self.say(error.to_string()),
            Outcome::Differs(_) => {
                flags |= self.say("this build runs the recording differently".to_owned());
            }
        }
        if self.session.frames().is_multiple_of(FLUSH) {
            self.session.flush();
        }
        if self.session.missed_recording() {
            let why = match self.session.machine().tape() {
                Some(_) => "RECORD is not pressed",
                None => "no tape is in the recorder",
            };
            flags |= self.say(format!(
                "A program saves to C:, and nothing is recorded: {why} (Drives, Cassette deck)"
            ));
        }
        if self.session.missed_print() {
            flags |= self.say(
                "A program prints, and the printer is off: switch it on (Drives, Printer) for its paper"
                    .to_owned(),
            );
        }
        if let Some(notice) = self.session.take_notice() {
            self.message = notice;
        }
        if !self.message.is_empty() {
            flags |= MESSAGE;
        }
        if keys != self.session.host_keys() {
            flags |= KEYS;
        }
        self.samples.clear();
        let samples = self.listener.frame(&mut self.session);
        self.samples.extend_from_slice(samples);
        flags
    }

    /// Addresses of instructions before which [`Self::frame`] stops, until another program begins; each cycle is looked at meanwhile, which
    /// takes a few times as long.
    pub fn set_stops(&mut self, addresses: &[u16]) {
        self.stops = addresses.to_vec();
        self.stands = self.session.moment();
    }

    /// The program counter.
    pub fn pc(&self) -> u16 {
        self.session.machine().cpu.pc
    }

    /// The message for the user since the last call.
    pub fn message(&mut self) -> String {
        std::mem::take(&mut self.message)
    }

    /// True if a program is still on its way into memory.
    pub fn is_starting(&self) -> bool {
        self.session.is_starting()
    }

    /// Frames since the session began.
    pub fn frames(&self) -> f64 {
        self.session.frames() as f64
    }

    /// Frames a second of the machine's time.
    pub fn frame_rate(&self) -> f64 {
        let tv = self.session.machine().config().tv;
        tv.clock() / (114.0 * f64::from(tv.lines()))
    }

    /// Width of a hires pixel for a height of 1: half a colour clock against a square pixel of a 4:3 picture.
    pub fn pixel_aspect(&self) -> f64 {
        match self.session.machine().config().tv {
            Tv::Ntsc => 6.136_363 / 7.159_090,
            Tv::Pal => 7.375 / 7.093_788,
        }
    }

    /// A hash of everything that decides how the machine runs on, in hexadecimal.
    pub fn state_hash(&self) -> String {
        format!("{:016x}", self.session.machine().state_hash())
    }

    /// Memory as the processor would read it, without side effects: `count` bytes from `address` on, which continues at 0 after $FFFF.
    pub fn peek(&self, address: u16, count: u32) -> Vec<u8> {
        let machine = self.session.machine();
        let at = |offset: u32| machine.peek(address.wrapping_add(offset as u16));
        (0..count.min(0x1_0000)).map(at).collect()
    }

    /// Writes a byte of memory or of a chip's register as the processor would.
    ///
    /// # Errors
    /// One sentence, when the machine does not take it.
    pub fn poke(&mut self, address: u16, data: u8) -> Result<(), String> {
        self.edit(Event::poke(address, data))
            .map_err(|error| error.to_string())
    }

    /// The RESET key.
    pub fn reset(&mut self) {
        self.session.reset();
        self.journal.note(Call::Reset);
    }

    /// Off and on.
    pub fn cold_start(&mut self) {
        self.session.cold_start();
        self.journal.note(Call::ColdStart);
        self.refresh();
    }

    /// The sample rate of the page's sound.
    pub fn set_rate(&mut self, rate: f64) {
        self.rate = rate;
        self.listener = Listener::new(&self.session, rate);
    }

    /// The address of the last frame's samples: `f32`, -1 to 1.
    pub fn samples_at(&self) -> *const f32 {
        self.samples.as_ptr()
    }

    /// Number of samples.
    pub fn samples_count(&self) -> usize {
        self.samples.len()
    }

    /// Draws the last complete picture. Gives where it is: 376 x 240 pixels of red, green, blue and opacity.
    pub fn draw(&mut self) -> *const u32 {
        let frame = self.session.picture();
        if self.look.is_plain() {
            for (pixel, &colour) in self.rgba.iter_mut().zip(frame.pixels()) {
                *pixel = self.colours[usize::from(colour)];
            }
        } else {
            let rows = &mut self.rgba;
            self.look.picture(frame, |y, line| {
                let row = &mut rows[y * Frame::WIDTH..][..Frame::WIDTH];
                for (pixel, &colour) in row.iter_mut().zip(line) {
                    *pixel = rgba(colour);
                }
            });
        }
        self.rgba.as_ptr()
    }

    /// The colour numbers of the last complete picture.
    pub fn colour_numbers(&self) -> Vec<u8> {
        self.session.picture().pixels().to_vec()
    }

    /// Sets the effects of a composite signal: the values of the option `artifacts`.
    ///
    /// # Errors
    /// One sentence on another value.
    pub fn set_artifacts(&mut self, name: &str) -> Result<(), String> {
        self.options.composite = options::artifacts(name)?;
        self.settings.artifacts = self.options.composite;
        self.look.composite = self.options.composite;
        Ok(())
    }

    /// The usual colours, for [`Self::set_colours`].
    pub fn usual_colours() -> Vec<f64> {
        let usual = Settings::<String>::default();
        [
            usual.hue,
            usual.saturation,
            usual.black,
            usual.white,
            usual.gamma,
        ]
        .to_vec()
    }

    /// The colours from now on: all hues turned by `hue` degrees; strength; brightness of level 0 and of level 15, 0 to 1; exponent of the
    /// levels between. A palette file goes before them.
    pub fn set_colours(&mut self, hue: f64, saturation: f64, black: f64, white: f64, gamma: f64) {
        self.settings.hue = hue;
        self.settings.saturation = saturation;
        self.settings.black = black;
        self.settings.white = white;
        self.settings.gamma = gamma;
        self.see();
    }

    /// Takes the colours from a palette file, or no longer where it is empty.
    ///
    /// # Errors
    /// One sentence, when it is not a palette; then nothing has changed.
    pub fn set_palette(&mut self, file: &[u8]) -> Result<(), String> {
        let file = (!file.is_empty()).then(|| file.to_vec());
        let tv = self.session.machine().config().tv;
        Look::new(tv, &self.settings, file.as_deref()).map_err(|error| error.to_string())?;
        self.palette = file;
        self.see();
        Ok(())
    }

    /// The text on the screen.
    pub fn text(&self) -> String {
        self.session.text()
    }
}

#[cfg(feature = "inspect")]
impl Emulator {
    /// Draws other colour numbers with this machine's palette.
    pub(crate) fn rgba_of(&self, pixels: &[u8]) -> Vec<u32> {
        let colour = |&number: &u8| self.colours[usize::from(number)];
        pixels.iter().map(colour).collect()
    }
}

/// Controls.
#[wasm_bindgen]
impl Emulator {
    /// A joystick: bits 0 to 3 up, down, left, right, bit 4 the trigger.
    pub fn stick(&mut self, port: usize, bits: u8) {
        let bit = |n: u8| bits & 1 << n != 0;
        let controls = self.session.controls();
        controls.joystick(port).push(bit(0), bit(1), bit(2), bit(3));
        controls.joystick(port).trigger = bit(4);
    }

    /// A paddle: 0 to 228, and its button.
    pub fn paddle(&mut self, number: usize, position: u8, button: bool) {
        let controls = self.session.controls();
        if let Some(paddle) = controls.paddles.get_mut(number) {
            *paddle = position.min(228);
            controls.paddle_triggers[number] = button;
        }
    }

    /// The key that is down as KBCODE shows it; negative for none.
    pub fn key(&mut self, code: i32, shift: bool) {
        self.session.controls().key = u8::try_from(code).ok();
        self.session.controls().shift = shift;
    }

    /// The console keys and BREAK: bit 0 START, 1 SELECT, 2 OPTION, 3 BREAK.
    pub fn console(&mut self, bits: u8) {
        let controls = self.session.controls();
        controls.start = bits & 1 != 0;
        controls.select = bits & 2 != 0;
        controls.option = bits & 4 != 0;
        controls.break_key = bits & 8 != 0;
    }

    /// The KBCODE of a character with SHIFT where it needs it, or of a key by its name; negative for none.
    pub fn key_code(name: &str) -> i32 {
        let mut characters = name.chars();
        let code = match (characters.next(), characters.next()) {
            (Some(only), None) => keys::of_char(only),
            _ => keys::of_name(name),
        };
        code.map_or(-1, i32::from)
    }

    /// Types a text with keys in braces, each when the machine waits for one.
    ///
    /// # Errors
    /// The character that the Atari's keyboard does not have.
    pub fn type_text(&mut self, text: &str) -> Result<(), String> {
        let typed = self.session.type_text(text);
        typed.map_err(|error| error.to_string())?;
        self.journal.note(Call::Type(text.to_owned()));
        Ok(())
    }

    /// Types a text from somewhere else as fast as the machine takes it. Gives the number of characters that the Atari does not have.
    pub fn paste(&mut self, text: &str) -> usize {
        self.journal.note(Call::Paste(text.to_owned()));
        self.session.paste(text)
    }

    /// True if something is still to be typed.
    pub fn is_typing(&self) -> bool {
        !self.session.is_idle()
    }

    /// Forgets what is left of a pasted text.
    pub fn stop_pasting(&mut self) {
        self.session.stop_pasting();
        self.journal.note(Call::StopPasting);
    }

    /// The errors of a listing: a line for each, with its line, column and what was expected, tabs between.
    pub fn check_listing(text: &str) -> String {
        listing::errors(text)
    }

    /// The listing of the program in the machine's memory.
    ///
    /// # Errors
    /// When it holds none.
    pub fn take_listing(&self) -> Result<String, String> {
        listing::of_machine(self.session.machine())
    }
}

/// Files and requests.
#[wasm_bindgen]
impl Emulator {
    /// A file of H: that the page has in its storage. False when no Atari name fits.
    pub fn put_file(&mut self, name: &str, bytes: &[u8], locked: bool) -> bool {
        let Some(name) = Folder::name_for(name) else {
            return false;
        };
        self.folder.change(Change {
            name,
            data: Some(bytes.to_vec()),
            locked,
        });
        true
    }

    /// The name under which programs find a file of H:: its own, or its alias.
    pub fn name_in_h(name: &str) -> String {
        if session::folder::is_atari_name(name) {
            name.to_owned()
        } else {
            session::folder::alias(name)
        }
    }

    /// The page has removed a file of H:.
    pub fn remove_file(&mut self, name: &str) {
        self.folder.change(Change {
            name: name.to_owned(),
            data: None,
            locked: false,
        });
    }

    /// Removes all files of H: from the machine's view; the page hands over others.
    pub fn remove_files(&mut self) {
        self.folder = Folder::default();
    }

    /// The next job of the page, if any. To be asked for before each frame until there is nothing more.
    pub fn next_request(&mut self) -> Option<HostRequest> {
        for request in self.session.requests() {
            let mut shown = HostRequest {
                id: 0,
                copy: 0,
                drive: 0,
                kind: "keep",
                name: String::new(),
                tape: false,
                text: String::new(),
                bytes: Vec::new(),
                changes: Vec::new(),
            };
            let mut folder = false;
            match request.ask {
                Ask::Store { bytes, .. } => shown.bytes = bytes,
                Ask::Keep {
                    copy,
                    name,
                    tape,
                    bytes,
                    ..
                } => {
                    shown.copy = copy.0;
                    shown.tape = tape;
                    shown.drive = self.drive_of(copy);
                    shown.name = name;
                    shown.bytes = bytes;
                }
                Ask::Print(printed) => {
                    shown.kind = "print";
                    shown.text = printed.text;
                    shown.bytes = printed.sent;
                }
                Ask::Folder(wanted) => match self.folder.answer(&wanted) {
                    folder::Outcome::Reply(reply) => {
                        self.journal.note(Call::Reply(reply.clone()));
                        self.session.answer(request.id, Ok(Answer::Folder(reply)));
                        continue;
                    }
                    folder::Outcome::Store(changes) => {
                        shown.kind = "folder";
                        shown.changes = changes;
                        folder = true;
                    }
                },
            }
            self.numbers = self.numbers.wrapping_add(1);
            shown.id = self.numbers;
            self.pending.push(Pending {
                number: shown.id,
                id: request.id,
                changes: shown.changes.clone(),
                folder,
            });
            self.queued.push_back(shown);
        }
        self.queued.pop_front()
    }

    /// The page has done what it was asked, or could not.
    pub fn answer(&mut self, number: u32, done: bool) {
        let Some(at) = self.pending.iter().position(|p| p.number == number) else {
            return;
        };
        let Pending {
            id,
            changes,
            folder,
            ..
        } = self.pending.remove(at);
        let answer = match (folder, done) {
            (false, true) => Ok(Answer::Done),
            (false, false) => Err(Refused::Failed),
            (true, done) => {
                if done {
                    for change in changes {
                        self.folder.change(change);
                    }
                }
                let code = if done { status::OK } else { status::DISK_FULL };
                let reply = HostReply::status(code);
                self.journal.note(Call::Reply(reply.clone()));
                Ok(Answer::Folder(reply))
            }
        };
        self.session.answer(id, answer);
    }

    /// Asks for everything to be kept that is nowhere yet.
    pub fn flush(&mut self) {
        self.session.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colours(emulator: &mut Emulator) -> Vec<u32> {
        emulator.colours.to_vec()
    }

    #[test]
    fn colours_follow_the_settings_and_a_palette_file() {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        emulator.open_built_in("basic", "").unwrap();
        let usual = colours(&mut emulator);
        let [hue, saturation, black, white, gamma] = Emulator::usual_colours()[..] else {
            panic!("five numbers");
        };
        emulator.set_colours(hue + 30.0, saturation, black, white, gamma);
        assert!(colours(&mut emulator) != usual);
        emulator.set_colours(hue, saturation, black, white, gamma);
        assert!(colours(&mut emulator) == usual);

        let file: Vec<u8> = (0..768).map(|n| (n % 251) as u8).collect();
        emulator.set_palette(&file).unwrap();
        assert_eq!(colours(&mut emulator)[1], rgba([3, 4, 5]));
        assert!(emulator.set_palette(&file[..100]).is_err());
        // It stays with the next program.
        emulator.open_built_in("menu", "").unwrap();
        assert_eq!(colours(&mut emulator)[1], rgba([3, 4, 5]));
        emulator.set_palette(&[]).unwrap();
        assert!(colours(&mut emulator) == usual);
    }

    #[test]
    fn artifacts_are_chosen_by_name() {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        emulator.open_built_in("basic", "artifacts=ntsc").unwrap();
        assert!(!emulator.look.is_plain());
        emulator.set_artifacts("off").unwrap();
        assert!(emulator.look.is_plain());
        let error = emulator.set_artifacts("green").unwrap_err();
        assert!(error.contains("it takes off, on, ntsc, pal"), "{error}");
    }
}
