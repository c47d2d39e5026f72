//! The machine of a page: opening, running and sound.
use crate::controls::Pointing;
use crate::journal::{Call, Journal};
use crate::options::{Choice, NAMES, Options};
use crate::past::Arriving;
use crate::requests::Requests;
use crate::screen::Screen;
use crate::words::{FileKind, ProgramKind};
use machine::{Named, Tv};
use session::built_in;
use session::sound::Listener;
use session::timeline::{Event, EventError, Limits, Moment, Position};
use session::{KeyQueue, Outcome, Session, Setup, Stops};
use wasm_bindgen::prelude::wasm_bindgen;

/// Memory for the past, so that the page stays below 64 MB.
const PAST: Limits = Limits {
    bytes: 20 << 20,
    dense: 3600,
    ..Limits::OFF
};

/// News of a frame.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// Another program has begun.
    #[wasm_bindgen(readonly)]
    pub begun: bool,
    /// A sentence for the user.
    #[wasm_bindgen(readonly)]
    pub message: Option<String>,
    /// [`Emulator::host_keys`] has changed.
    #[wasm_bindgen(readonly)]
    pub keys: bool,
    /// The machine is at one of [`Emulator::set_stops`], in the middle of the frame.
    #[wasm_bindgen(readonly)]
    pub stopped: bool,
}

/// A built-in program.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug)]
pub struct BuiltIn {
    /// Its name.
    #[wasm_bindgen(readonly)]
    pub name: String,
    /// Its title.
    #[wasm_bindgen(readonly)]
    pub title: String,
    /// It is played with a joystick.
    #[wasm_bindgen(readonly)]
    pub joystick: bool,
    /// Its description.
    #[wasm_bindgen(readonly)]
    pub about: String,
}

/// The machine of a page.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Emulator {
    pub(crate) session: Session,
    pub(crate) options: Options,
    listener: Listener,
    rate: f64,
    samples: Vec<f32>,
    pub(crate) screen: Screen,
    pub(crate) message: String,
    pub(crate) requests: Requests,
    pub(crate) arriving: Option<Arriving>,
    pub(crate) typed: KeyQueue<String>,
    pub(crate) pointing: Pointing,
    pub(crate) journal: Journal,
    /// The options with which the program was opened, as text.
    pub(crate) opened: String,
    stops: Vec<u16>,
    /// Addresses of writes before which the machine stops, in ascending order.
    write_stops: Vec<u16>,
    /// The moment from which the machine continues though it may be at one of them: the last stop, or when they were set.
    stands: Moment,
    /// The position up to which [`Self::take_events`] has told events.
    pub(crate) told: Position,
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
        Ok(Self {
            listener: Listener::new(&session, rate),
            screen: Screen::new(),
            session,
            options: Options::default(),
            rate,
            samples: Vec::new(),
            message: String::new(),
            requests: Requests::default(),
            arriving: None,
            typed: KeyQueue::default(),
            pointing: Pointing::default(),
            journal: Journal::default(),
            opened: String::new(),
            stops: Vec::new(),
            write_stops: Vec::new(),
            stands: Moment::default(),
            told: Position::default(),
        })
    }

    /// The built-in programs.
    pub fn programs() -> Vec<BuiltIn> {
        let all = built_in::all().into_iter().map(|known| BuiltIn {
            name: known.name.to_owned(),
            title: known.title.to_owned(),
            joystick: known.joystick,
            about: known.about.to_owned(),
        });
        all.collect()
    }

    /// True if a built-in program has this name.
    pub fn is_built_in(name: &str) -> bool {
        built_in::all().iter().any(|known| known.name == name)
    }

    /// The choices of the options panel.
    pub fn choices() -> Vec<Choice> {
        Options::choices()
    }

    /// True if an option has this name.
    pub fn is_option(name: &str) -> bool {
        NAMES.contains(&name)
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

    /// Kind of a file.
    pub fn kind_of(name: &str, bytes: &[u8]) -> FileKind {
        match media::recognise(name, bytes) {
            media::Kind::Disk => FileKind::Disk,
            media::Kind::Tape => FileKind::Tape,
            _ => FileKind::Program,
        }
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

    /// The name of the built-in program that the menu has started, or `menu`.
    pub fn built_in(&self) -> String {
        self.built_in_name().to_owned()
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

/// The setup of a program as a link names it; `bytes` are the listing's text or the file.
pub(crate) fn setup_of(kind: ProgramKind, name: &str, bytes: &[u8]) -> Result<Setup, String> {
    match kind {
        ProgramKind::Game => built_in_setup(name),
        ProgramKind::Listing => listing_setup(&String::from_utf8_lossy(bytes)),
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

    fn built_in_name(&self) -> &'static str {
        let title = self.session.title();
        let mut all = built_in::all().into_iter();
        let known = all.find(|known| known.title == title);
        known.map_or("menu", |known| known.name)
    }

    /// The menu has started a program, or a program the menu: the journal begins with it, where a link could open the same machine.
    fn begin_journal(&mut self) {
        let fresh =
            built_in_setup(self.built_in_name()).and_then(|setup| opened(setup, &self.options));
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
        let (outcome, stopped) = if self.stops.is_empty() && self.write_stops.is_empty() {
            (self.session.run_frame(), false)
        } else {
            let stands = self.session.moment() == self.stands;
            let mut stops = Stops::new(&self.stops, &self.write_stops, stands);
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
        self.pointing = Pointing::of(&self.session.machine().input);
        self.journal.give_up();
        self.requests.clear();
        self.stops.clear();
        self.write_stops.clear();
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
        self.see();
    }

    /// Ends a frame. True if another program has begun.
    fn end_frame(&mut self, outcome: Outcome) -> bool {
        match self.session.after_frame(outcome) {
            Ok(false) => false,
            Ok(true) => {
                self.begin_journal();
                self.refresh();
                true
            }
            Err(sentence) => {
                self.message = sentence;
                false
            }
        }
    }

    /// Notes what the session has to say to the user.
    fn hear(&mut self) {
        if self.session.missed_recording() {
            let why = match self.session.machine().tape() {
                Some(_) => "RECORD is not pressed",
                None => "no tape is in the recorder",
            };
            self.message = format!(
                "A program saves to C:, and nothing is recorded: {why} (Drives, Cassette deck)"
            );
        }
        if self.session.missed_print() {
            "A program prints, and the printer is off: switch it on (Drives, Printer) for its paper"
                .clone_into(&mut self.message);
        }
        if let Some(notice) = self.session.take_notice() {
            self.message = notice;
        }
    }

    /// Runs one frame.
    pub(crate) fn run(&mut self) -> News {
        let keys = self.session.host_keys();
        self.pointing.frame(&mut self.session);
        let controls = *self.session.controls();
        self.journal.before_frame(&controls);
        let (outcome, stopped) = self.run_frame();
        let begun = self.end_frame(outcome);
        self.hear();
        self.samples.clear();
        let samples = self.listener.frame(&mut self.session);
        self.samples.extend_from_slice(samples);
        let message = std::mem::take(&mut self.message);
        News {
            begun,
            message: (!message.is_empty()).then_some(message),
            keys: keys != self.session.host_keys(),
            stopped,
        }
    }
}

/// Running.
#[wasm_bindgen]
impl Emulator {
    /// Runs one frame. Gives what is new after it.
    pub fn frame(&mut self) -> Option<News> {
        let news = self.run();
        (news != News::default()).then_some(news)
    }

    /// Addresses of instructions, and of writes in ascending order, before which [`Self::frame`] stops, until another program begins; each cycle is
    /// looked at meanwhile, which takes a few times as long.
    pub fn set_stops(&mut self, instructions: &[u16], writes: &[u16]) {
        self.stops = instructions.to_vec();
        self.write_stops = writes.to_vec();
        self.stands = self.session.moment();
    }

    /// The program counter.
    pub fn pc(&self) -> u16 {
        self.session.machine().cpu.pc
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
        self.session.machine().config().tv.frame_rate()
    }

    /// Width of a hires pixel for a height of 1: half a colour clock against a square pixel of a 4:3 picture.
    pub fn pixel_aspect(&self) -> f64 {
        self.session.machine().config().tv.pixel_aspect()
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
}
