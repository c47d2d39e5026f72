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
use session::picture::Look;
use session::script::{self, Player};
use session::sound::{Heard, Mixer};
use session::timeline::Limits;
use session::{Outcome, Session};
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
    let (mut session, mut host) = match (&options.time.play, &options.program) {
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
    let playing = session.is_playing();
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
    let steps = match &options.script {
        Some(path) => {
            let text = files::read(path)?;
            script::parse(&String::from_utf8_lossy(&text))
                .map_err(|error| Failure::file(path, error))?
        }
        None => Vec::new(),
    };
    let tv = session.machine().config().tv;
    // The pictures of a script do not depend on the user's configuration.
    let picture = options.picture.over(&PictureConfig::default())?;
    let look = config::look(tv, &picture)?;
    session.watch = options.frames.is_none();
    signals::catch();
    let mut animation = match &options.animation {
        Some(path) => Some(Animation::begin(
            Growing::named(path)?,
            tv.frame_rate(),
            Form::new(&look, options.shape(tv)),
        )?),
        None => None,
    };
    let mut recorder = Recorder::new(&session, options.audio.as_deref())?;
    let mut problems = Problems::default();
    let mut player = Player::new(steps);
    let mut pictures = Pictures {
        look: &look,
        options,
        replace: options.replace,
        made: BTreeSet::new(),
    };
    let mut rested = 0;
    let started = cpu_time();
    let outcome = loop {
        let outcome = play_script(&mut player, &mut session, &mut pictures, &mut problems);
        if outcome.is_err() {
            break outcome;
        }
        if let Some(number) = signals::asked() {
            let complete = true;
            break Err(Failure::Signal { number, complete });
        }
        let done = if let Some(frames) = options.frames {
            session.frames() >= frames
        } else if playing {
            !session.is_playing()
        } else {
            let rests = session.is_idle() && session.is_waiting();
            rested = if rests { rested + 1 } else { 0 };
            let enough = session.frames() >= ENOUGH.max(player.acted() + 1);
            player.is_done() && (rested > AT_REST || enough)
        };
        if done {
            break outcome;
        }
        serve(&mut host, &mut session);
        tell(&mut host);
        let next = match session.run_frame() {
            Outcome::Done => None,
            Outcome::Next(program) => Some(*program),
            Outcome::DoesNotFit(error) => break Err(Failure::input(error.to_string())),
            Outcome::Differs(moment) => {
                break Err(Failure::Expectation(format!(
                    "this build runs the recording differently: the machine is another one at cycle {}",
                    moment.0
                )));
            }
        };
        problems.note(recorder.frame(&mut session));
        if let Some(recording) = &mut animation
            && let Err(failure) = recording.frame(session.picture())
        {
            problems.note(Err(failure));
            animation = None;
        }
        if let Some(program) = next {
            let found = Found::built_in(program);
            if let Err(failure) = host.start(&mut session, &options.machine, &found) {
                break Err(failure);
            }
            recorder.restart(&session);
        }
    };
    // What programs wrote comes first; whatever else fails, it is done.
    problems.note(host.finish(&mut session));
    tell(&mut host);
    if let Some(animation) = animation {
        problems.note(animation.end().map(drop));
    }
    problems.note(recorder.end());
    let spent = cpu_time().saturating_sub(started);

    if let Some(path) = &options.screenshot {
        problems.note(match options.shape(tv) {
            Some(shape) => write_shaped_screenshot(&session, &look, shape, path),
            None => write_screenshot(&session, &look, path),
        });
    }
    if let Some(path) = &options.screenshot_rgb {
        problems.note(match options.shape(tv) {
            Some(shape) => write_shaped_screenshot(&session, &look, shape, path),
            None => write_rgb_screenshot(&session, &look, path),
        });
    }
    if let Some(path) = options.machine.ram_file() {
        let machine = session.machine();
        let ram: Vec<u8> = (0..=0xFFFF).map(|address| machine.peek(address)).collect();
        problems.note(files::write(path, &ram));
    }
    if let Some(path) = &options.time.record {
        problems.note(write_recording(&session, path));
    }
    if let Some(path) = &options.save_state {
        problems.note(files::write(path, &session.save_state()));
    }
    let print = |out: &mut dyn Write, text: &str| {
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .map_err(|error| Failure::input(format!("the output cannot be written: {error}")))
    };
    if options.text {
        problems.note(print(out, &session.text()));
    }
    if options.speed {
        let seconds = spent.as_secs_f64();
        let emulated = session.frames() as f64 / tv.frame_rate();
        problems.note(print(
            out,
            &format!(
                "{} frames, {seconds:.3} s of CPU time, {:.1} times real time\n",
                session.frames(),
                emulated / seconds.max(1e-6)
            ),
        ));
    }
    if outcome.is_ok() && session.untyped() > 0 {
        host::failure::tell(format_args!(
            "{} keys were not typed: the machine did not wait for them in these {} frames",
            session.untyped(),
            session.frames()
        ));
    }
    if outcome.is_ok() && !player.is_done() {
        let unfinished = Failure::Expectation(format!(
            "the script was not finished after {} frames; its next line is line {}",
            session.frames(),
            player.next_line().unwrap_or(0)
        ));
        return problems.outcome(Err(unfinished));
    }
    problems.outcome(outcome)
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
    fn end(self) -> Result<(), Failure> {
        match self.recording {
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

/// Does what is due in the script before the next frame.
fn play_script(
    player: &mut Player,
    session: &mut Session,
    pictures: &mut Pictures,
    problems: &mut Problems,
) -> Result<(), Failure> {
    let unmet = |unmet: script::Unmet| Failure::Expectation(unmet.to_string());
    while let Some(name) = player.act(session).map_err(unmet)? {
        problems.note(pictures.write(session, &name));
    }
    Ok(())
}
