//! The machine without a window, for tests and scripts.
use crate::animation::Animation;
use crate::cli::Headless;
use crate::failure::Failure;
use crate::program::Program;
use crate::script::{self, Action, Direction, Step, Switch, When};
use crate::session::Session;
use crate::sound::Synth;
use crate::video::{Look, PictureConfig};
use crate::{files, screenshot, typing, wav};
use machine::Frame;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Samples of a recording in a second.
const SAMPLE_RATE: u32 = 44_100;
/// Without `--frames`: the machine must wait for a key this many frames in a row.
const AT_REST: u32 = 30;
/// Without `--frames`: frames after which it is enough.
const ENOUGH: u64 = 3600;
/// Frames that `wait-text` waits at most.
const PATIENCE: u64 = 3600;

/// Runs a program as the command line says, and writes what it asks for.
///
/// # Errors
/// A file that is not usable, or an expectation of the script that is not met.
pub fn run(options: &Headless, out: &mut impl Write) -> Result<(), Failure> {
    let program = Program::find(&options.program)?;
    let mut session = Session::new(&options.machine, &program)?;
    if let Some(path) = &options.load_state {
        let state = files::read(path)?;
        session
            .load_state(&state)
            .map_err(|error| Failure::file(path, error))?;
    }
    if let Some(text) = &options.text_to_type {
        session.type_strokes(typing::strokes(text)?);
    }
    let steps = match &options.script {
        Some(path) => {
            let text = files::read(path)?;
            script::parse(&String::from_utf8_lossy(&text))
                .map_err(|error| Failure::file(path, error))?
        }
        None => Vec::new(),
    };
    let tv = session.machine.config().tv;
    // What a script sees does not depend on the configuration of who runs it.
    let picture = options.picture.over(&PictureConfig::default())?;
    let look = Look::new(tv, &picture)?;
    session.watch = options.frames.is_none();
    let mut animation = match &options.animation {
        Some(path) => Some(Animation::begin(path, tv.frame_rate(), look.rgb())?),
        None => None,
    };
    let mut recorder = Recorder::new(&session, options.audio.is_some());
    let mut player = Player {
        steps: steps.into(),
        acted: 0,
        waiting_since: None,
    };
    let mut rested = 0;
    let started = cpu_time();
    let outcome = loop {
        let outcome = player.act(&mut session, &look);
        if outcome.is_err() {
            break outcome;
        }
        let done = if let Some(frames) = options.frames {
            session.frames >= frames
        } else {
            let rests = session.is_idle() && session.is_waiting();
            rested = if rests { rested + 1 } else { 0 };
            let enough = session.frames >= ENOUGH.max(player.acted + 1);
            player.is_done() && (rested > AT_REST || enough)
        };
        if done {
            break outcome;
        }
        session.run_frame()?;
        recorder.frame(&mut session);
        if let Some(animation) = &mut animation {
            animation.frame(session.machine.frame())?;
        }
        if let Some(program) = session.next_program()? {
            session = session.followed_by(&options.machine, &program)?;
            recorder.restart(&session);
        }
    };
    if let Some(animation) = animation {
        animation.end()?;
    }
    let spent = cpu_time().saturating_sub(started);

    let machine = &session.machine;
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
    session.save_media()?;
    let machine = &session.machine;
    let print = |out: &mut dyn Write, text: &str| {
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .map_err(|error| Failure::input(format!("the output cannot be written: {error}")))
    };
    if options.text {
        print(out, &machine.displayed_text().text())?;
    }
    if options.speed {
        let seconds = spent.as_secs_f64();
        let emulated = session.frames as f64 / tv.frame_rate();
        print(
            out,
            &format!(
                "{} frames, {seconds:.3} s of CPU time, {:.1} times real time\n",
                session.frames,
                emulated / seconds.max(1e-6)
            ),
        )?;
    }
    if outcome.is_ok() && session.untyped() > 0 {
        crate::failure::tell(format_args!(
            "{} keys were not typed: the machine did not wait for them in these {} frames",
            session.untyped(),
            session.frames
        ));
    }
    if outcome.is_ok() && !player.is_done() {
        return Err(Failure::Expectation(format!(
            "the script was not finished after {} frames; its next line is line {}",
            session.frames,
            player.steps.front().map_or(0, |step| step.line)
        )));
    }
    outcome
}

/// Writes the last complete picture as PNG with colour numbers.
///
/// # Errors
/// When the file cannot be written.
pub fn write_screenshot(session: &Session, look: &Look, path: &Path) -> Result<(), Failure> {
    let pixels = session.machine.frame().pixels();
    let picture = screenshot::png(Frame::WIDTH, pixels, look.rgb())?;
    files::write(path, &picture)
}

/// Writes the last complete picture as PNG with the colours that it has on the screen.
///
/// # Errors
/// When the file cannot be written.
pub fn write_rgb_screenshot(session: &Session, look: &Look, path: &Path) -> Result<(), Failure> {
    let mut pixels = Vec::with_capacity(Frame::WIDTH * Frame::HEIGHT);
    look.picture(session.machine.frame(), |_, line| {
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
        let clock = session.machine.config().tv.clock();
        let synth =
            record.then(|| Synth::new(clock, f64::from(SAMPLE_RATE), session.machine.now()));
        Self {
            synth,
            changes: Vec::new(),
            fresh: Vec::new(),
            samples: Vec::new(),
            loading: session.machine.program_loading(),
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
        session.machine.take_sound(&mut self.changes);
        if let Some(synth) = &mut self.synth {
            // The noise of loading a binary file is not the program's sound; its last frame has both.
            if self.loading {
                self.changes.clear();
            }
            self.loading = session.machine.program_loading();
            self.fresh.clear();
            synth.render(&self.changes, session.machine.now(), &mut self.fresh);
            self.samples
                .extend(self.fresh.iter().map(|s| (s * 32_767.0) as i16));
        }
    }
}

/// Plays a script.
struct Player {
    steps: std::collections::VecDeque<Step>,
    /// The frame at which the last line acted.
    acted: u64,
    waiting_since: Option<u64>,
}

impl Player {
    fn is_done(&self) -> bool {
        self.steps.is_empty()
    }

    /// Does what is due before the next frame.
    fn act(&mut self, session: &mut Session, look: &Look) -> Result<(), Failure> {
        while let Some(step) = self.steps.front() {
            let due = match step.when {
                When::At(frame) => frame,
                When::After(frames) => self.acted.saturating_add(frames),
            };
            if session.frames < due {
                return Ok(());
            }
            let on_screen = |text: &str| session.machine.displayed_text().text().contains(text);
            let line = step.line;
            match &step.action {
                Action::ExpectText(text) if !on_screen(text) => {
                    return Err(Failure::Expectation(format!(
                        "line {line} of the script: at frame {} the screen does not show: {text}",
                        session.frames
                    )));
                }
                Action::WaitText(text) if !on_screen(text) => {
                    let since = *self.waiting_since.get_or_insert(session.frames);
                    if session.frames - since < PATIENCE {
                        return Ok(());
                    }
                    return Err(Failure::Expectation(format!(
                        "line {line} of the script: in {PATIENCE} frames the screen never showed: {text}"
                    )));
                }
                Action::ExpectText(_) | Action::WaitText(_) => {}
                Action::Type(strokes) => session.type_strokes(strokes.clone()),
                Action::Key(key, down) => session.controls.key = down.then_some(*key),
                Action::Switch(switch, down) => apply(&mut session.controls, *switch, *down),
                Action::Reset => session.reset(),
                Action::Screenshot(path) if path.to_string_lossy().ends_with(".rgb.png") => {
                    write_rgb_screenshot(session, look, path)?;
                }
                Action::Screenshot(path) => write_screenshot(session, look, path)?,
            }
            self.waiting_since = None;
            self.acted = session.frames;
            self.steps.pop_front();
        }
        Ok(())
    }
}

/// Moves one switch.
fn apply(input: &mut machine::Input, switch: Switch, down: bool) {
    match switch {
        Switch::Start => input.start = down,
        Switch::Select => input.select = down,
        Switch::Option => input.option = down,
        Switch::Break => input.break_key = down,
        Switch::Stick(port, direction) => {
            let Some(stick) = input.joysticks.get_mut(port) else {
                return;
            };
            match direction {
                Direction::Up => stick.up = down,
                Direction::Down => stick.down = down,
                Direction::Left => stick.left = down,
                Direction::Right => stick.right = down,
                Direction::Trigger => stick.trigger = down,
                Direction::All => *stick = machine::Joystick::default(),
            }
        }
    }
}
