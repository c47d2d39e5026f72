//! The machine without a window, for tests and scripts.
use crate::animation::{Animation, Form};
use crate::cli::Headless;
use crate::wav::Wav;
use host::config::{self, PictureConfig};
use host::failure::Failure;
use host::files::{self, Growing};
use host::hosted::serve;
use host::platform::signals;
use host::scaler::{Shaped, View};
use host::screenshot;
use host::{Found, Host, write_recording};
use machine::Frame;
use session::Session;
use session::picture::Look;
use session::script::{self, Player};
use session::sound::{Heard, Mixer};
use session::timeline::Limits;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Samples of a recording in a second.
const SAMPLE_RATE: u32 = 44_100;
/// Without `--frames`: the machine must wait for a key this many frames in a row.
const AT_REST: u32 = 30;
/// Without `--frames`: frames after which it is enough.
const ENOUGH: u64 = 3600;

/// Runs a program as the command line says, and writes what it asks for.
///
/// # Errors
/// A file that is not usable, or an expectation of the script that is not met.
pub fn run(options: &Headless, out: &mut impl Write) -> Result<(), Failure> {
    let (mut session, host) = switch_on(options)?;
    let playing = session.is_playing();
    load(options, &mut session)?;
    let steps = script_steps(options)?;
    let tv = session.machine().config().tv;
    // The pictures of a script do not depend on the user's configuration.
    let picture = options.picture.over(&PictureConfig::default())?;
    let look = config::look(tv, &picture)?;
    session.watch = options.frames.is_none();
    signals::catch();
    let animation = match &options.animation {
        Some(path) => Some(Animation::begin(
            Growing::named(path)?,
            tv.frame_rate(),
            Form::new(&look, options.shape(tv)),
        )?),
        None => None,
    };
    let mut run = Run {
        options,
        recorder: Recorder::new(&session, options.audio.as_deref())?,
        session,
        host,
        playing,
        player: Player::new(steps),
        animation,
        pictures: Pictures {
            look: &look,
            options,
            replace: options.replace,
            made: BTreeSet::new(),
        },
        problems: Problems::default(),
        rested: 0,
    };
    let started = cpu_time();
    let outcome = run.frames();
    run.end_recordings();
    let spent = cpu_time().saturating_sub(started);
    run.write_files();
    run.print(out, spent);
    run.outcome(outcome)
}

/// Switches the machine on with its program, or with the recording that it plays.
fn switch_on(options: &Headless) -> Result<(Session, Host), Failure> {
    let (mut session, host) = match (&options.time.play, &options.program) {
        (Some(path), _) => Host::play(&options.machine, path)?,
        (None, name) => {
            // A state without a program is the program.
            let state = options.load_state.as_ref().map(OsString::from);
            let name = name.clone().or(state).unwrap_or_default();
            Host::switch_on(&options.machine, &Found::named(&name, &options.machine)?)?
        }
    };
    if options.time.record.is_some() && options.time.play.is_none() {
        session.remember(Limits::default());
    }
    Ok((session, host))
}

/// Loads the state for the program, and begins to type the text.
fn load(options: &Headless, session: &mut Session) -> Result<(), Failure> {
    if let Some(path) = &options.load_state
        && options.program.is_some()
    {
        let state = files::read(path)?;
        session
            .load_state(&state)
            .map_err(|error| Failure::file(path, error))?;
    }
    if let Some(text) = &options.text_to_type {
        session
            .type_text(text)
            .map_err(|error| Failure::input(error.to_string()))?;
    }
    Ok(())
}

/// The steps of the script; none without a script.
fn script_steps(options: &Headless) -> Result<Vec<script::Step>, Failure> {
    let Some(path) = &options.script else {
        return Ok(Vec::new());
    };
    let text = files::read(path)?;
    script::parse(&String::from_utf8_lossy(&text)).map_err(|error| Failure::file(path, error))
}

/// A machine that runs without a window, with all that is made of it.
struct Run<'a> {
    options: &'a Headless,
    session: Session,
    host: Host,
    /// True if the run began with a recording: it ends with it.
    playing: bool,
    player: Player,
    animation: Option<Animation>,
    recorder: Recorder,
    pictures: Pictures<'a>,
    problems: Problems,
    /// Frames in a row in which the machine has waited for a key.
    rested: u32,
}

impl Run<'_> {
    /// Runs frames until the program, the script or a signal ends the run.
    fn frames(&mut self) -> Result<(), Failure> {
        loop {
            self.play_script()?;
            if let Some(number) = signals::asked() {
                let complete = true;
                return Err(Failure::Signal { number, complete });
            }
            if self.is_done() {
                return Ok(());
            }
            self.frame()?;
        }
    }

    /// Does what is due in the script before the next frame.
    fn play_script(&mut self) -> Result<(), Failure> {
        let unmet = |unmet: script::Unmet| Failure::Expectation(unmet.to_string());
        while let Some(name) = self.player.act(&mut self.session).map_err(unmet)? {
            let written = self.pictures.write(&self.session, &name);
            self.problems.note(written);
        }
        Ok(())
    }

    /// True before the frame that is not run any more. Counts the frames of rest.
    fn is_done(&mut self) -> bool {
        let session = &self.session;
        if let Some(frames) = self.options.frames {
            session.frames() >= frames
        } else if self.playing {
            !session.is_playing()
        } else {
            let rests = session.is_idle() && session.is_waiting();
            self.rested = if rests { self.rested + 1 } else { 0 };
            let enough = session.frames() >= ENOUGH.max(self.player.acted() + 1);
            self.player.is_done() && (self.rested > AT_REST || enough)
        }
    }

    /// Runs a frame and records it; then starts the program that the machine has asked for.
    fn frame(&mut self) -> Result<(), Failure> {
        serve(&mut self.host, &mut self.session);
        tell(&mut self.host);
        let next = self.session.run_frame().next()?;
        self.problems.note(self.recorder.frame(&mut self.session));
        if let Some(recording) = &mut self.animation
            && let Err(failure) = recording.frame(self.session.picture())
        {
            self.problems.note(Err(failure));
            self.animation = None;
        }
        if let Some(program) = next {
            let found = Found::built_in(program);
            self.host
                .start(&mut self.session, &self.options.machine, &found)?;
            self.recorder.restart(&self.session);
        }
        Ok(())
    }

    /// Ends the files that have grown with the run: of the machine's devices, of pictures and of sound.
    fn end_recordings(&mut self) {
        // What programs wrote comes first; whatever else fails, it is done.
        self.problems.note(self.host.finish(&mut self.session));
        tell(&mut self.host);
        if let Some(animation) = self.animation.take() {
            self.problems.note(animation.end().map(drop));
        }
        self.problems.note(self.recorder.end());
    }

    /// Writes the files of the machine's last state: pictures, memory, the recording, the saved state.
    fn write_files(&mut self) {
        let (options, look) = (self.options, self.pictures.look);
        let session = &mut self.session;
        let problems = &mut self.problems;
        let tv = session.machine().config().tv;
        if let Some(path) = &options.screenshot {
            problems.note(match options.shape(tv) {
                Some(shape) => write_shaped_screenshot(session, look, shape, path),
                None => write_screenshot(session, look, path),
            });
        }
        if let Some(path) = &options.screenshot_rgb {
            problems.note(match options.shape(tv) {
                Some(shape) => write_shaped_screenshot(session, look, shape, path),
                None => write_rgb_screenshot(session, look, path),
            });
        }
        if let Some(path) = options.machine.ram_file() {
            let machine = session.machine();
            let ram: Vec<u8> = (0..=0xFFFF).map(|address| machine.peek(address)).collect();
            problems.note(files::write(path, &ram));
        }
        if let Some(path) = &options.time.record {
            problems.note(write_recording(session, path));
        }
        if let Some(path) = &options.save_state {
            problems.note(files::write(path, &session.save_state()));
        }
    }

    /// Prints the screen's text and the speed, if they were asked for.
    fn print(&mut self, out: &mut dyn Write, spent: Duration) {
        let mut print =
            |text: &str| {
                let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
                self.problems.note(printed.map_err(|error| {
                    Failure::input(format!("the output cannot be written: {error}"))
                }));
            };
        let session = &self.session;
        if self.options.text {
            print(&session.text());
        }
        if self.options.speed {
            let seconds = spent.as_secs_f64();
            let emulated = session.frames() as f64 / session.machine().config().tv.frame_rate();
            print(&format!(
                "{} frames, {seconds:.3} s of CPU time, {:.1} times real time\n",
                session.frames(),
                emulated / seconds.max(1e-6)
            ));
        }
    }

    /// Outcome of the whole run: keys and lines of the script that are left count only if nothing else has ended it.
    fn outcome(self, ended: Result<(), Failure>) -> Result<(), Failure> {
        let frames = self.session.frames();
        if ended.is_ok() && self.session.untyped() > 0 {
            host::failure::tell(format_args!(
                "{} keys were not typed: the machine did not wait for them in these {frames} frames",
                self.session.untyped(),
            ));
        }
        if ended.is_ok() && !self.player.is_done() {
            let unfinished = Failure::Expectation(format!(
                "the script was not finished after {frames} frames; its next line is line {}",
                self.player.next_line().unwrap_or(0)
            ));
            return self.problems.outcome(Err(unfinished));
        }
        self.problems.outcome(ended)
    }
}

/// The failures of writing. The run continues; at the end the first of them decides the exit status.
#[derive(Default)]
struct Problems(Vec<Failure>);

impl Problems {
    fn note(&mut self, result: Result<(), Failure>) {
        if let Err(failure) = result {
            self.0.push(failure);
        }
    }

    /// Outcome of a run that ended so. The caller tells the last problem, if there is one.
    fn outcome(mut self, ended: Result<(), Failure>) -> Result<(), Failure> {
        let complete = self.0.is_empty();
        match ended {
            Ok(()) => {}
            Err(Failure::Signal { number, .. }) => {
                self.0.push(Failure::Signal { number, complete });
            }
            Err(failure) => self.0.push(failure),
        }
        let last = self.0.pop();
        for failure in self.0 {
            host::failure::tell(failure);
        }
        last.map_or(Ok(()), Err)
    }
}

/// Says what the host has to say.
fn tell(host: &mut Host) {
    for notice in host.notices() {
        host::failure::tell(notice);
    }
}

/// Writes the last complete picture as PNG with colour numbers.
///
/// # Errors
/// When the file cannot be written.
pub fn write_screenshot(session: &Session, look: &Look, path: &Path) -> Result<(), Failure> {
    let pixels = session.picture().pixels();
    let picture = screenshot::png(Frame::WIDTH, pixels, look.rgb())?;
    files::write(path, &picture)
}

/// Writes the last complete picture as PNG with the colours that it has on the screen.
///
/// # Errors
/// When the file cannot be written.
pub fn write_rgb_screenshot(session: &Session, look: &Look, path: &Path) -> Result<(), Failure> {
    let mut pixels = Vec::with_capacity(Frame::WIDTH * Frame::HEIGHT);
    look.picture(session.picture(), |_, line| {
        pixels.extend_from_slice(line);
    });
    files::write(path, &screenshot::png_rgb(Frame::WIDTH, &pixels)?)
}

/// Writes the last complete picture as PNG in the television's shape.
///
/// # Errors
/// When the file cannot be written.
pub fn write_shaped_screenshot(
    session: &Session,
    look: &Look,
    mut shape: Shaped,
    path: &Path,
) -> Result<(), Failure> {
    let width = shape.size().0;
    let pixels = shape.draw(look, session.picture()).rgb();
    files::write(path, &screenshot::png_rgb(width, &pixels)?)
}

impl Headless {
    /// The television's shape, where the pictures are to have it.
    fn shape(&self, tv: machine::Tv) -> Option<Shaped> {
        let size = View::of(tv).size(usize::from(self.shape?));
        Some(Shaped::new(size))
    }
}

/// CPU time that this process has used.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// The process's CPU time; without that clock, the time on the wall.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Records the sound, or throws it away.
struct Recorder {
    recording: Option<(Wav, Mixer)>,
    heard: Heard,
    fresh: Vec<[f32; 2]>,
    /// A binary file had not been started at the end of the last frame.
    loading: bool,
}

impl Recorder {
    fn new(session: &Session, path: Option<&Path>) -> Result<Self, Failure> {
        let recording = match path {
            Some(path) => {
                let mixer = mixer(session);
                let stereo = mixer.is_stereo();
                let wav = Wav::begin(Growing::named(path)?, SAMPLE_RATE, stereo)?;
                Some((wav, mixer))
            }
            None => None,
        };
        Ok(Self {
            recording,
            heard: Heard::default(),
            fresh: Vec::new(),
            loading: session.machine().program_loading(),
        })
    }

    /// Another machine is to be recorded.
    fn restart(&mut self, session: &Session) {
        if let Some((_, old)) = &mut self.recording {
            *old = mixer(session);
        }
        self.loading = session.machine().program_loading();
    }

    fn frame(&mut self, session: &mut Session) -> Result<(), Failure> {
        self.heard.take(session);
        let Some((wav, mixer)) = &mut self.recording else {
            return Ok(());
        };
        // The noise of loading a binary file is not the program's sound; its last frame has both.
        if self.loading {
            self.heard.clear();
        }
        self.loading = session.machine().program_loading();
        self.fresh.clear();
        mixer.render(&self.heard, session.machine().now(), &mut self.fresh);
        let written = wav.add_frames(&self.fresh);
        if written.is_err() {
            self.recording = None;
        }
        written
    }

    /// Ends the file.
    fn end(&mut self) -> Result<(), Failure> {
        match self.recording.take() {
            Some((wav, _)) => wav.end().map(drop),
            None => Ok(()),
        }
    }
}

fn mixer(session: &Session) -> Mixer {
    Mixer::new(session.machine(), f64::from(SAMPLE_RATE))
}

/// The pictures of a script.
struct Pictures<'a> {
    look: &'a Look,
    options: &'a Headless,
    /// They may replace files that were there before.
    replace: bool,
    /// Files that this run has made.
    made: BTreeSet<PathBuf>,
}

impl Pictures<'_> {
    fn write(&mut self, session: &Session, name: &str) -> Result<(), Failure> {
        let path = Path::new(name);
        let free = fs::symlink_metadata(path).is_err();
        // Devices stay what they are.
        let file = fs::metadata(path).is_ok_and(|about| about.is_file());
        if file && !self.replace && !self.made.contains(path) {
            return Err(Failure::file(
                path,
                "is there already, and the script does not replace it (--replace lets it)",
            ));
        }
        let tv = session.machine().config().tv;
        if let Some(shape) = self.options.shape(tv) {
            write_shaped_screenshot(session, self.look, shape, path)?;
        } else if name.ends_with(".rgb.png") {
            write_rgb_screenshot(session, self.look, path)?;
        } else {
            write_screenshot(session, self.look, path)?;
        }
        if free {
            self.made.insert(path.to_owned());
        }
        Ok(())
    }
}
