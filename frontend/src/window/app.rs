//! The program in its window: one turn of the loop is one frame of the machine.
mod commands;
mod display;
mod menu;
mod offers;
mod recording;
mod stepping;

use super::clipboard::Clipboard;
use super::debug::{self, DebugView};
use super::gamepad::Gamepads;
use super::keyboard::{Command, Event, Events, Keyboard, StickMode};
use super::mouse;
use super::pacer::{Meter, Pacer};
use super::scaler;
use crate::animation::Animation;
use crate::cli::Play;
use crate::config::{self, Action, Config, MouseMode};
use crate::failure::{self, Failure};
use crate::files::Growing;
use crate::host::{Found, Host, write_recording};
use crate::platform::{screen, signals};
use crate::recovery::slug;
use crate::slots::{self, Slots};
use crate::ui::debugger::voices::Double;
use crate::ui::overlay::Overlay;
use crate::{files, headless};
use debugger::Stop;
use display::Display;
use machine::Machine;
use minifb::{Key, MouseButton, Scale, ScaleMode, Window, WindowOptions};
use recording::Recording;
use session::sound::Heard;
use session::timeline::{Limits, Timeline};
use session::{Origin, Outcome, Session};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Frames that each frame goes back while the key is held.
const BACK: u64 = 4;
/// At full speed a picture is shown this often.
const TURBO_PICTURE: Duration = Duration::from_millis(16);

/// What the machine does. The menu may lie over each of them; then it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// It runs.
    Running,
    /// The user has paused it.
    Paused,
    /// It stands still for the debug view, maybe in the middle of a frame.
    Stopped,
    /// The window is to be closed.
    Ending,
}

/// Everything that lives as long as the window.
pub struct App {
    options: Play,
    config: Config,
    session: Session,
    host: Host,
    window: Window,
    events: Events,
    drops: screen::Drops,
    keyboard: Keyboard,
    gamepads: Gamepads,
    #[cfg(feature = "sound")]
    output: Option<crate::sound::output::Output>,
    display: Display,
    heard: Heard,
    seen: offers::Seen,
    pacer: Pacer,
    meter: Meter,
    message: Option<(String, Instant)>,
    clipboard: Clipboard,
    /// The program was chosen in the window, not on the command line.
    chosen: bool,
    /// The folder that the list showed last.
    folder: PathBuf,
    mouse: MouseMode,
    animation: Option<Animation>,
    debug: Option<DebugView>,
    /// What makes the sound while some voices are not to be heard.
    double: Option<Double>,
    /// What lives on while the debug view is closed.
    debug_kept: Option<debug::Kept>,
    recording: Option<Recording>,
    slot: u8,
    slots: Slots,
    mode: Mode,
    /// An action that the user was asked about and wants.
    sure: Option<Action>,
    turbo: bool,
    mute: bool,
    /// The menu over the picture, while it is open.
    menu: Option<Overlay>,
    /// What is played, for switching on another model.
    found: Found,
    right_button: bool,
    fullscreen: bool,
    was_active: bool,
    /// The window is minimised: nothing needs to be drawn.
    hidden: bool,
    title: String,
    /// Why the window is to be closed.
    failure: Option<Failure>,
}

/// Plays in a window until it is closed.
///
/// # Errors
/// A file that is not usable, or no window.
pub fn run(options: &Play) -> Result<(), Failure> {
    App::open(options)?.run()
}

/// A seed that differs from one start to the next.
fn chance() -> u64 {
    rand::random()
}

/// Seconds from the beginning of 2000 to now, in Greenwich.
fn since_2000() -> u64 {
    const FROM_1970: u64 = 946_684_800;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs().saturating_sub(FROM_1970))
}

/// The program's icon: its size, and its pixels as 0xAARRGGBB.
fn icon() -> Option<(usize, Vec<u32>)> {
    let bytes: &[u8] = include_bytes!("../../desktop/anticlock.png");
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    reader.next_frame(&mut pixels).ok()?;
    let (pixels, _) = pixels.as_chunks::<4>();
    let packed = |&[r, g, b, a]: &[u8; 4]| u32::from_be_bytes([a, r, g, b]);
    Some((
        reader.info().width as usize,
        pixels.iter().map(packed).collect(),
    ))
}

impl App {
    fn open(options: &Play) -> Result<Self, Failure> {
        let mut options = options.clone();
        let config = Config::load()?;
        options.machine.seed.get_or_insert_with(chance);
        options.machine.fast_media = !options.window.exact_media;
        options.machine.time = since_2000();
        let (found, (session, host)) = if let Some(path) = &options.time.play {
            let (session, host) = Host::play(&options.machine, path)?;
            let found = Found::built_in(session.setup().program.clone());
            (found, (session, host))
        } else {
            let machine = &mut options.machine;
            machine.machine = machine.machine.or(config.machine.model);
            machine.tv = machine.tv.or(config.machine.tv);
            let name = options.program.clone().unwrap_or_else(|| "menu".into());
            let found = Found::named(&name, &options.machine)?;
            let (mut session, host) = Host::switch_on(&options.machine, &found)?;
            session.remember(Limits::default());
            (found, (session, host))
        };
        let tv = session.machine().config().tv;
        let picture = options.picture.over(&config.picture)?;
        let look = config::look(tv, &picture)?;
        let (width, height) = match options.window.scale {
            Some(scale) => scaler::window_size(tv, usize::from(scale)),
            None => scaler::fitting_size(tv, usize::from(config.window.scale), screen::size()),
        };
        let window_options = WindowOptions {
            resize: true,
            scale: Scale::X1,
            scale_mode: ScaleMode::UpperLeft,
            ..WindowOptions::default()
        };
        let mut window =
            Window::new("Anticlock", width, height, window_options).map_err(|error| {
                Failure::input(format!(
                    "no window can be opened ({error}); `anticlock headless` runs without one"
                ))
            })?;
        if let Some((size, icon)) = icon() {
            screen::introduce(&window, size, &icon);
        }
        // The pacer waits, not minifb.
        window.set_target_fps(0);
        let events = Events::default();
        window.set_input_callback(Box::new(events.clone()));
        let mode = if found.program.joystick {
            StickMode::First
        } else {
            StickMode::Off
        };
        let now = Instant::now();
        let mute = options.window.mute || config.sound.mute;
        let mut app = Self {
            drops: screen::Drops::accept(&window),
            keyboard: Keyboard::new(&config, mode),
            gamepads: Gamepads::new(),
            #[cfg(feature = "sound")]
            output: None,
            display: Display::new(look, tv, (width, height)),
            heard: Heard::default(),
            seen: offers::Seen::new(),
            pacer: Pacer::new(tv.frame_rate(), now),
            meter: Meter::new(now),
            message: None,
            clipboard: Clipboard::default(),
            chosen: false,
            folder: found
                .path
                .as_ref()
                .and_then(|path| path.parent())
                .filter(|folder| !folder.as_os_str().is_empty())
                .map_or_else(|| PathBuf::from("."), PathBuf::from),
            mouse: options.window.mouse.unwrap_or(config.window.mouse),
            animation: None,
            debug: None,
            double: None,
            debug_kept: None,
            recording: None,
            slot: 0,
            slots: Slots::of(&found),
            mode: Mode::Running,
            sure: None,
            turbo: false,
            mute,
            menu: None,
            found,
            right_button: false,
            fullscreen: options.window.fullscreen || config.window.fullscreen,
            was_active: false,
            hidden: false,
            title: String::new(),
            failure: None,
            options,
            config,
            session,
            host,
            window,
            events,
        };
        app.open_sound();
        Ok(app)
    }

    #[cfg(feature = "sound")]
    fn open_sound(&mut self) {
        if self.options.window.mute {
            return;
        }
        let machine = self.session.machine();
        match crate::sound::output::Output::open(machine) {
            Ok(mut output) => {
                output.volume = f32::from(self.config.sound.volume) / 100.0;
                output.mute = self.mute;
                self.output = Some(output);
            }
            Err(error) => {
                failure::tell(format_args!("running without sound: {error}"));
                self.say(format!("no sound: {error}"));
            }
        }
    }

    #[cfg(not(feature = "sound"))]
    fn open_sound(&mut self) {}

    fn run(mut self) -> Result<(), Failure> {
        signals::catch();
        let ended = self.turns();
        // However it ended: what was recorded and written comes first.
        self.message = None;
        self.end_recording();
        self.end_animation();
        let mut finished = self.host.finish(&mut self.session);
        if let Some(path) = &self.options.time.record {
            finished = finished.and(write_recording(&self.session, path));
        }
        if let Some((text, _)) = self.message.take() {
            failure::tell(text);
        }
        for notice in self.host.notices() {
            failure::tell(notice);
        }
        ended.and(finished)
    }

    /// The loop: until the window is closed or a signal comes.
    fn turns(&mut self) -> Result<(), Failure> {
        self.update_title();
        self.draw()?;
        if self.options.window.debug {
            self.open_debug_view();
        }
        if self.fullscreen {
            screen::fill(&self.window, true);
        }
        while self.window.is_open() && self.mode != Mode::Ending && signals::asked().is_none() {
            let wait = self.pacer.next(Instant::now());
            if !self.is_turbo() {
                std::thread::sleep(wait);
            }
            // What was entered until now counts in the frame that begins.
            self.window.update();
            self.take_events();
            if let Some(path) = self.drops.take().into_iter().next() {
                self.dropped(path);
            }
            if self.menu.is_some() {
                // The Atari waits.
            } else if self.keyboard.is_held(Action::Rewind) {
                self.back_in_time();
            } else if self.mode == Mode::Running {
                self.run_frames()?;
            }
            self.draw()?;
            self.debug_view()?;
            if self.meter.frame(Instant::now()) {
                self.each_second();
            }
            let notices = self.host.notices();
            if !notices.is_empty() {
                self.say(notices.join("; "));
            }
        }
        self.close_debug_view();
        self.failure.take().map_or(Ok(()), Err)
    }

    fn each_second(&mut self) {
        self.update_title();
        self.host.save(&mut self.session);
        let hidden = screen::is_hidden(&self.window);
        if self.hidden && !hidden {
            self.display.forget();
        }
        self.hidden = hidden;
    }

    fn is_turbo(&self) -> bool {
        self.turbo
            || self.keyboard.is_held(Action::Turbo)
            || self.session.is_starting()
            || self.session.takes_paste()
            || self.options.machine.fast_media && self.seen.is_loading()
    }

    fn take_events(&mut self) {
        let active = self.window.is_active();
        if self.was_active != active {
            // Another window may have lain over this one.
            self.display.forget();
            if !active {
                self.keyboard.clear();
            }
        }
        self.was_active = active;
        if self.menu_takes() {
            return;
        }
        while let Some(event) = self.events.next() {
            if event == Event::Key(Key::Escape, true) && self.session.is_pasting() {
                self.stop_pasting();
                continue;
            }
            match self.keyboard.event(event) {
                Some(Command::Act(action)) => self.act(action),
                Some(Command::Slot(slot)) => self.choose_slot(slot),
                None => {}
            }
            if self.menu.is_some() {
                break;
            }
        }
    }

    fn say(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), Instant::now()));
    }

    fn stop_pasting(&mut self) {
        if self.session.is_pasting() {
            let left = self.session.untyped();
            self.session.stop_pasting();
            self.say(format!("stopped typing; {left} keys were left"));
        }
    }

    /// Says what came of something.
    fn report<T>(&mut self, result: Result<T, Failure>, success: impl FnOnce(T) -> String) {
        match result {
            Ok(value) => self.say(success(value)),
            Err(error) => self.say(error.to_string()),
        }
    }

    /// Writes the picture under a name that is free.
    fn screenshot(&self) -> Result<PathBuf, Failure> {
        let path = files::reserve(&self.pictures(), &slug(self.session.title()), "png")?;
        let written = if self.display.look().is_plain() {
            headless::write_screenshot(&self.session, self.display.look(), &path)
        } else {
            headless::write_rgb_screenshot(&self.session, self.display.look(), &path)
        };
        match written {
            Ok(()) => Ok(path),
            Err(failure) => {
                let _ = std::fs::remove_file(&path);
                Err(failure)
            }
        }
    }

    /// A file for a recording under a name that is free.
    fn free_file(&self, extension: &str) -> Result<Growing, Failure> {
        Growing::free(&self.pictures(), &slug(self.session.title()), extension)
    }

    /// The folder for pictures and recordings.
    fn pictures(&self) -> PathBuf {
        self.config.pictures.clone().unwrap_or_default()
    }

    /// Switches on a machine with another program.
    fn start(&mut self, found: &Found) -> Result<(), Failure> {
        self.host
            .start(&mut self.session, &self.options.machine, found)?;
        self.keyboard.mode = if found.program.joystick {
            StickMode::First
        } else {
            StickMode::Off
        };
        self.chosen = found.program.origin != Origin::Menu;
        self.slots = Slots::of(found);
        self.found = found.clone();
        self.seen = offers::Seen::new();
        self.change_look()?;
        self.after_jump();
        self.update_title();
        Ok(())
    }

    /// Another machine may be one of the other television system.
    fn change_look(&mut self) -> Result<(), Failure> {
        let tv = self.session.machine().config().tv;
        let picture = self.options.picture.over(&self.config.picture)?;
        let mut look = config::look(tv, &picture)?;
        look.composite = self.display.look().composite;
        self.display.set_look(look);
        self.pacer = Pacer::new(tv.frame_rate(), Instant::now());
        Ok(())
    }

    /// The machine's time is not what it was a frame ago.
    fn after_jump(&mut self) {
        self.double = None;
        self.heard.take(&mut self.session);
        #[cfg(feature = "sound")]
        if let Some(output) = &mut self.output {
            output.restart(self.session.machine());
        }
        if self.recording.is_some() {
            self.end_recording();
        }
    }

    fn run_frames(&mut self) -> Result<(), Failure> {
        self.run_one_frame()?;
        if self.is_turbo() {
            let began = Instant::now();
            while began.elapsed() < TURBO_PICTURE {
                self.run_one_frame()?;
                self.meter.frame(began);
            }
        }
        Ok(())
    }

    fn run_one_frame(&mut self) -> Result<(), Failure> {
        let controls = &mut self.session.controls;
        self.keyboard.frame(controls);
        self.gamepads.frame(&self.config.gamepads, controls);
        match (
            self.mouse,
            self.window.get_mouse_pos(minifb::MouseMode::Pass),
        ) {
            (MouseMode::Paddles, Some(at)) => {
                let buttons = [MouseButton::Left, MouseButton::Right];
                let buttons = buttons.map(|button| self.window.get_mouse_down(button));
                mouse::apply(controls, self.display.place, at, buttons);
            }
            _ => mouse::release(controls),
        }
        self.host.serve(&mut self.session);
        let replays = self.replays();
        let mut frame_start = None;
        let outcome = match &mut self.debug {
            Some(view) => {
                let session = &mut self.session;
                let mutes = view.muted() != 0;
                let run = |machine: &mut Machine, past: &mut Option<Timeline>| {
                    let start = mutes.then(|| machine.clone());
                    (view.run_frame(machine, past), start)
                };
                let (outcome, result) = if replays {
                    (Outcome::Done, Some(session.step_by(run)))
                } else {
                    session.run_frame_by(run)
                };
                let (stop, start) = result.unzip();
                frame_start = start.flatten();
                if let Some(stop) = stop.filter(|stop| *stop != Stop::Done) {
                    self.mode = Mode::Stopped;
                    view.status = debug::outcome(stop);
                }
                outcome
            }
            None => self.session.run_frame(),
        };
        let next = match outcome {
            Outcome::Done => None,
            Outcome::Next(program) => Some(*program),
            Outcome::DoesNotFit(error) => {
                return self.give_up(Failure::input(error.to_string()));
            }
            Outcome::Differs(_) => {
                self.say("this build runs the recording differently from here on");
                None
            }
        };
        self.heard.take(&mut self.session);
        let now = self.session.machine().now();
        self.silence_voices(frame_start, now);
        self.record_frame();
        self.look_at_frame();
        #[cfg(feature = "sound")]
        {
            let turbo = self.is_turbo();
            if let Some(output) = &mut self.output {
                if turbo {
                    // A chipmunk chorus helps nobody.
                    output.restart(self.session.machine());
                } else {
                    output.frame(&self.heard, now);
                }
            }
        }
        if let Some(program) = next {
            self.start(&Found::built_in(program))?;
        }
        Ok(())
    }

    /// A program that cannot run after all: when it was chosen in the window, the menu comes back.
    fn give_up(&mut self, error: Failure) -> Result<(), Failure> {
        if !self.chosen {
            return Err(error);
        }
        let menu = Found::named("menu".as_ref(), &self.options.machine)?;
        self.start(&menu)?;
        self.say(error.to_string());
        Ok(())
    }

    fn back_in_time(&mut self) {
        if self.session.back(BACK) {
            self.after_jump();
        } else {
            self.say("this is as far back as it goes");
        }
        let mut ignored = machine::Input::default();
        self.keyboard.frame(&mut ignored);
    }
}
