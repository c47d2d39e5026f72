//! The machine without a window, for tests and scripts.
use crate::animation::Animation;
use crate::cli::Headless;
use crate::config::{self, PictureConfig};
use crate::failure::Failure;
use crate::host::{Found, Host};
use crate::{files, screenshot, wav};
use machine::Frame;
use session::picture::Look;
use session::script::{self, Player};
use session::sound::Synth;
use session::{Outcome, Session};
use std::io::Write;
use std::path::Path;
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
    let found = Found::named(&options.program)?;
    let (mut session, mut host) = Host::switch_on(&options.machine, &found)?;
    if let Some(path) = &options.load_state {
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
    // What a script sees does not depend on the configuration of who runs it.
    let picture = options.picture.over(&PictureConfig::default())?;
    let look = config::look(tv, &picture)?;
    session.watch = options.frames.is_none();
    let mut animation = match &options.animation {
        Some(path) => Some(Animation::begin(path, tv.frame_rate(), look.rgb())?),
        None => None,
    };
    let mut recorder = Recorder::new(&session, options.audio.is_some());
    let mut player = Player::new(steps);
    let mut rested = 0;
    let started = cpu_time();
    let outcome = loop {
        let outcome = play_script(&mut player, &mut session, &look);
        if outcome.is_err() {
            break outcome;
        }
        let done = if let Some(frames) = options.frames {
            session.frames() >= frames
        } else {
            let rests = session.is_idle() && session.is_waiting();
            rested = if rests { rested + 1 } else { 0 };
            let enough = session.frames() >= ENOUGH.max(player.acted() + 1);
            player.is_done() && (rested > AT_REST || enough)
        };
        if done {
            break outcome;
        }
        host.serve(&mut session)?;
        let next = match session.run_frame() {
            Outcome::Done => None,
            Outcome::Next(program) => Some(*program),
            Outcome::DoesNotFit(error) => return Err(Failure::input(error.to_string())),
        };
        recorder.frame(&mut session);
        if let Some(animation) = &mut animation {
            animation.frame(session.picture())?;
        }
        if let Some(program) = next {
            let path = None;
            let found = Found { program, path };
            host.start(&mut session, &options.machine, &found)?;
            recorder.restart(&session);
        }
    };
    if let Some(animation) = animation {
        animation.end()?;
    }
    let spent = cpu_time().saturating_sub(started);

    let machine = session.machine();
    if let Some(path) = &options.screenshot {
        write_screenshot(&session, &look, path)?;
    }
    if let Some(path) = &options.screenshot_rgb {
        write_rgb_screenshot(&session, &look, path)?;
    }
    if let Some(path) = &options.audio {
        files::write(path, &wav::file(SAMPLE_RATE, &recorder.samples))?;
    }
    if let Some(path) = &options.ram {
        let ram: Vec<u8> = (0..=0xFFFF).map(|address| machine.peek(address)).collect();
        files::write(path, &ram)?;
    }
    if let Some(path) = &options.save_state {
        files::write(path, &machine.save_state())?;
    }
    host.save(&mut session)?;
    let print = |out: &mut dyn Write, text: &str| {
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .map_err(|error| Failure::input(format!("the output cannot be written: {error}")))
    };
    if options.text {
        print(out, &session.text())?;
    }
    if options.speed {
        let seconds = spent.as_secs_f64();
        let emulated = session.frames() as f64 / tv.frame_rate();
        print(
            out,
            &format!(
                "{} frames, {seconds:.3} s of CPU time, {:.1} times real time\n",
                session.frames(),
                emulated / seconds.max(1e-6)
            ),
        )?;
    }
    if outcome.is_ok() && session.untyped() > 0 {
        crate::failure::tell(format_args!(
            "{} keys were not typed: the machine did not wait for them in these {} frames",
            session.untyped(),
            session.frames()
        ));
    }
    if outcome.is_ok() && !player.is_done() {
        return Err(Failure::Expectation(format!(
            "the script was not finished after {} frames; its next line is line {}",
            session.frames(),
            player.next_line().unwrap_or(0)
        )));
    }
    outcome
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

/// CPU time that this process has used.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Where the system's clock of CPU time is not reached, the time on the wall.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Records the sound, or throws it away.
struct Recorder {
    synth: Option<Synth>,
    changes: Vec<machine::SoundChange>,
    fresh: Vec<f32>,
    samples: Vec<i16>,
    /// A binary file had not been started at the end of the last frame.
    loading: bool,
}

impl Recorder {
    fn new(session: &Session, record: bool) -> Self {
        let clock = session.machine().config().tv.clock();
        let synth =
            record.then(|| Synth::new(clock, f64::from(SAMPLE_RATE), session.machine().now()));
        Self {
            synth,
            changes: Vec::new(),
            fresh: Vec::new(),
            samples: Vec::new(),
            loading: session.machine().program_loading(),
        }
    }

    /// Another machine is to be recorded.
    fn restart(&mut self, session: &Session) {
        let fresh = Self::new(session, self.synth.is_some());
        self.synth = fresh.synth;
        self.loading = fresh.loading;
    }

    fn frame(&mut self, session: &mut Session) {
        self.changes.clear();
        session.take_sound(&mut self.changes);
        if let Some(synth) = &mut self.synth {
            // The noise of loading a binary file is not the program's sound; its last frame has both.
            if self.loading {
                self.changes.clear();
            }
            self.loading = session.machine().program_loading();
            self.fresh.clear();
            synth.render(&self.changes, session.machine().now(), &mut self.fresh);
            self.samples
                .extend(self.fresh.iter().map(|s| (s * 32_767.0) as i16));
        }
    }
}

/// Does what is due in the script before the next frame.
fn play_script(player: &mut Player, session: &mut Session, look: &Look) -> Result<(), Failure> {
    let unmet = |unmet: script::Unmet| Failure::Expectation(unmet.to_string());
    while let Some(name) = player.act(session).map_err(unmet)? {
        let path = Path::new(&name);
        if name.ends_with(".rgb.png") {
            write_rgb_screenshot(session, look, path)?;
        } else {
            write_screenshot(session, look, path)?;
        }
    }
    Ok(())
}
