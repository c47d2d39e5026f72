//! A session with its debugger and a stand-in for its host: folders for H:, and memory for printed text and written media.
use crate::held::value;
use debugger::{Debuggee, Debugger, Limits, Sources, Symbols};
use host::failure::Failure;
use host::hosted::{Attendant, Hosted};
use host::hostfolder::HostFolder;
use host::options::MachineOptions;
use host::{Found, debug_files};
use machine::host::{HostReply, HostRequest, status};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use session::folder::Device;
use session::picture::palette;
use session::sound::{Heard, Mixer};
use session::{Answer, Ask, Printed, Program, Session};
use std::path::PathBuf;
use std::sync::Arc;

/// Samples that are kept: a minute at 48,000 a second.
const MOST_SAMPLES: usize = 60 * 48_000;
/// Printed characters that are kept.
const MOST_PRINTED: usize = 1 << 20;

/// Bytes of the past that are kept.
const HISTORY: usize = 64 << 20;

/// The limits of the past that is kept.
pub fn limits() -> Limits {
    Limits {
        bytes: HISTORY,
        ..Limits::default()
    }
}

/// Names of addresses and source lines, shared by the copies of a machine.
#[derive(Debug, Default)]
struct Names {
    symbols: Symbols,
    sources: Sources,
}

/// A machine in use, with its debugger. The parts that a copy may never need, its debugger and its history, are made when they are needed first.
pub struct Inner {
    pub session: Session,
    /// `None` until it is needed.
    debugger: Option<Debugger>,
    /// The debugger's names, as long as they have not changed.
    names: Option<Arc<Names>>,
    /// The history begins with the next run.
    remembers: bool,
    /// Frames are drawn.
    pub drawing: bool,
    pub desk: Desk,
    /// The picture until the next frame has run: a state has none.
    pub shown: Option<Vec<u8>>,
}

/// The host's side of a session: its folders, and the output that was not taken yet.
#[derive(Default)]
pub struct Desk {
    /// H1: to H4:.
    pub folders: Vec<HostFolder>,
    /// The printed text that was not taken yet.
    pub printed: Vec<char>,
    /// Sentences for the user that were not taken yet.
    pub notices: Vec<String>,
    pub sound: Option<Sound>,
}

/// Samples of the sound that were not taken yet.
pub struct Sound {
    mixer: Mixer,
    heard: Heard,
    pub rate: f64,
    pub samples: Vec<[f32; 2]>,
    now: u64,
}

impl Sound {
    /// From now on, at `rate` samples a second.
    pub fn new(session: &Session, rate: f64) -> Self {
        Self {
            mixer: Mixer::new(session.machine(), rate),
            heard: Heard::default(),
            rate,
            samples: Vec::new(),
            now: session.machine().now(),
        }
    }

    fn frame(&mut self, session: &mut Session) {
        self.heard.take(session);
        let (now, clock) = (
            session.machine().now(),
            session.machine().config().tv.clock(),
        );
        if now < self.now || (now - self.now) as f64 > clock {
            // A jump in time: the sound begins again.
            self.mixer = Mixer::new(session.machine(), self.rate);
        } else {
            self.mixer.render(&self.heard, now, &mut self.samples);
        }
        self.now = now;
        let surplus = self.samples.len().saturating_sub(MOST_SAMPLES);
        self.samples.drain(..surplus);
    }
}

impl Attendant for Desk {
    fn serve(&mut self, session: &mut Session) {
        self.notices.extend(session.take_notice());
        for request in session.requests() {
            let answer = match request.ask {
                Ask::Folder(asked) => Answer::Folder(self.folder(&asked)),
                Ask::Print(Printed { text, .. }) => {
                    self.printed.extend(text.chars());
                    let surplus = self.printed.len().saturating_sub(MOST_PRINTED);
                    self.printed.drain(..surplus);
                    Answer::Done
                }
                // Media are in the machine, where the caller finds them; no file changes.
                Ask::Store { .. } | Ask::Keep { .. } => Answer::Done,
            };
            session.answer(request.id, Ok(answer));
        }
    }

    fn ran(&mut self, session: &mut Session) {
        if let Some(sound) = &mut self.sound {
            sound.frame(session);
        }
    }

    fn start(
        &mut self,
        session: &mut Session,
        _options: Option<&MachineOptions>,
        program: Box<Program>,
    ) -> Result<Option<Box<Program>>, Failure> {
        let started = session.start(*program);
        started.map_err(|error| Failure::Expectation(error.to_string()))?;
        Ok(None)
    }
}

impl Desk {
    fn folder(&self, asked: &HostRequest) -> HostReply {
        let device = Device::from(asked);
        let found = device.and_then(|device| Some((self.folders.get(device.folder)?, device)));
        match found {
            Some((folder, device)) => folder.answer(asked, device.text),
            None => HostReply::status(status::NO_DEVICE),
        }
    }
}

/// The reason for which a run ended early.
pub struct Stopped {
    /// `breakpoint` or `jammed`.
    pub why: &'static str,
    /// The breakpoint's number.
    pub number: u32,
}

/// The exception of a failure.
fn raised(failure: Failure) -> PyErr {
    match failure {
        Failure::Input(sentence) => value(sentence),
        failure => PyRuntimeError::new_err(failure.to_string()),
    }
}

impl Inner {
    pub fn new(session: Session, folders: Vec<HostFolder>, path: Option<PathBuf>) -> Self {
        let mut inner = Self {
            session,
            debugger: None,
            names: None,
            remembers: false,
            drawing: true,
            desk: Desk {
                folders,
                ..Desk::default()
            },
            shown: None,
        };
        inner.find_names(path);
        inner
    }

    /// Gives the debugger the names of the program that runs, whose file is at `path`.
    pub fn find_names(&mut self, path: Option<PathBuf>) {
        let found = Found {
            program: self.session.setup().program.clone(),
            path,
            content: None,
        };
        self.names = None;
        let debugger = self.debugger.get_or_insert_default();
        debugger.breakpoints.clear();
        let notices = debug_files::names(debugger, self.session.machine(), &found);
        self.desk.notices.extend(notices);
    }

    /// The history begins with the next run.
    pub fn remember(&mut self) {
        self.remembers = true;
    }

    /// Begins the history, if one is to be kept.
    pub fn begin_history(&mut self) {
        if std::mem::take(&mut self.remembers) {
            self.session.remember(limits());
        }
    }

    /// True if a history is kept.
    pub fn has_history(&self) -> bool {
        self.remembers || !self.session.timeline().is_off()
    }

    /// Samples from now on, at `rate` a second; 0 = none.
    pub fn listen(&mut self, rate: f64) -> PyResult<()> {
        if rate == 0.0 {
            self.desk.sound = None;
        } else if (8000.0..=192_000.0).contains(&rate) {
            self.desk.sound = Some(Sound::new(&self.session, rate));
        } else {
            return Err(value(format!(
                "sound is {rate}, and must be 0 or 8000 to 192000 samples a second"
            )));
        }
        Ok(())
    }

    /// A machine of its own that is as this one: history, breakpoints and sound begin again.
    pub fn copy(&mut self) -> PyResult<Self> {
        let names = match (&self.names, &self.debugger) {
            (Some(names), _) => Arc::clone(names),
            (None, debugger) => {
                let (symbols, sources) = debugger.as_ref().map_or_else(Default::default, |one| {
                    (one.symbols.clone(), one.sources.clone())
                });
                Arc::new(Names { symbols, sources })
            }
        };
        self.names = Some(Arc::clone(&names));
        let mut copy = Self {
            session: self.session.fork(),
            debugger: None,
            names: Some(names),
            remembers: self.has_history(),
            drawing: self.drawing,
            desk: Desk {
                folders: self.desk.folders.clone(),
                ..Desk::default()
            },
            shown: self.shown.clone(),
        };
        copy.listen(self.desk.sound.as_ref().map_or(0.0, |sound| sound.rate))?;
        Ok(copy)
    }

    /// Session and debugger, to look at.
    pub fn debugged(&mut self) -> (&Session, &mut Debugger) {
        let names = &self.names;
        let debugger = self.debugger.get_or_insert_with(|| {
            let mut debugger = Debugger::default();
            if let Some(names) = names {
                debugger.symbols = names.symbols.clone();
                debugger.sources = names.sources.clone();
            }
            debugger
        });
        (&self.session, debugger)
    }

    /// Names that are about to change.
    pub fn symbols(&mut self) -> &mut Symbols {
        self.debugged();
        self.names = None;
        &mut self.debugged().1.symbols
    }

    pub fn pixels(&self) -> &[u8] {
        match &self.shown {
            Some(pixels) => pixels,
            None => self.session.picture().pixels(),
        }
    }

    pub fn rgb(&self) -> Vec<[u8; 3]> {
        let colours = palette(self.session.machine().config().tv);
        let pixels = self.pixels().iter();
        pixels.map(|&colour| colours[usize::from(colour)]).collect()
    }

    /// The address of a label, or the value of an expression.
    pub fn address(&mut self, text: &str) -> PyResult<u16> {
        let (session, debugger) = self.debugged();
        let shown = debugger.evaluate(session.track(), text);
        let number = shown.map_err(value)?.value;
        u16::try_from(number)
            .map_err(|_| value(format!("{number} is not an address: 0 to 65535 ($FFFF)")))
    }

    /// Runs a frame, or to a breakpoint in it.
    pub fn frame(&mut self) -> PyResult<Option<Stopped>> {
        use debugger::Stop;
        self.begin_history();
        self.shown = None;
        self.session.set_drawing(self.drawing);
        let mut hosted = Hosted::new(&mut self.session, &mut self.desk).live();
        let debugger = self.debugger.as_mut();
        let debugger = debugger.filter(|debugger| !debugger.breakpoints.list().is_empty());
        let stopped = match debugger {
            Some(debugger) => match debugger.run_frame(&mut hosted) {
                Stop::Done | Stop::Limit | Stop::Interrupted => None,
                Stop::Breakpoint(number) => Some(Stopped {
                    why: "breakpoint",
                    number,
                }),
                Stop::Jammed => Some(Stopped {
                    why: "jammed",
                    number: 0,
                }),
            },
            None => {
                let end = hosted.track().frame_end();
                hosted.run(end, None);
                None
            }
        };
        hosted.result().map_err(raised)?;
        Ok(stopped)
    }

    /// Does something with the session, as one that has a host.
    pub fn host<R>(&mut self, act: impl FnOnce(&mut Hosted<'_, Desk>) -> R) -> PyResult<R> {
        self.begin_history();
        self.shown = None;
        let mut hosted = Hosted::new(&mut self.session, &mut self.desk);
        let result = act(&mut hosted);
        hosted.result().map_err(raised)?;
        Ok(result)
    }

    /// Does something with debugger and session; it may change the names.
    pub fn act<R>(
        &mut self,
        act: impl FnOnce(&mut Debugger, &mut Hosted<'_, Desk>) -> R,
    ) -> PyResult<R> {
        self.begin_history();
        self.shown = None;
        self.symbols();
        let mut hosted = Hosted::new(&mut self.session, &mut self.desk);
        let debugger = self.debugger.get_or_insert_default();
        let result = act(debugger, &mut hosted);
        hosted.result().map_err(raised)?;
        Ok(result)
    }
}
