//! The program in its window: one turn of the loop is one frame of the machine.
mod choosing;
mod menu;
mod offers;
mod recording;
mod stepping;

use super::canvas::Canvas;
use super::chooser::Chooser;
use super::clipboard::Clipboard;
use super::debug::{self, DebugView};
use super::gamepad::Gamepads;
use super::keyboard::{Event, Events, Keyboard, StickMode};
use super::mouse;
use super::pacer::{Meter, Pacer};
use super::scaler::{self, Scaler};
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
use crate::ui::overlay::{Overlay, Page};
use crate::{files, headless};
use debugger::Stop;
use machine::Machine;
use minifb::{Key, MouseButton, Scale, ScaleMode, Window, WindowOptions};
use recording::Recording;
use session::picture::{Composite, Look};
use session::sound::Heard;
use session::timeline::{Limits, Timeline};
use session::{Origin, Outcome, Session};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long a message stays on the picture, and how much longer for each of its letters.
const MESSAGE: Duration = Duration::from_millis(1500);
/// See [`MESSAGE`].
const LETTER: Duration = Duration::from_millis(60);
/// Frames that each frame goes back while the key is held.
const BACK: u64 = 4;
/// At full speed a picture is shown this often.
const TURBO_PICTURE: Duration = Duration::from_millis(16);
/// A picture that stands still is shown again this often.
const AGAIN: Duration = Duration::from_millis(500);

/// Everything that lives as long as the window.
pub struct App {
    options: Play,
    config: Config,
    session: Session,
    host: Host,
    window: Window,
    events: Events,
    keyboard: Keyboard,
    gamepads: Gamepads,
    #[cfg(feature = "sound")]
    output: Option<crate::sound::output::Output>,
    canvas: Canvas,
    scaler: Scaler,
    /// Where the picture is in the window.
    place: scaler::Place,
    look: Look,
    palette: Box<[u32; 256]>,
    picture: Vec<u32>,
    heard: Heard,
    seen: offers::Seen,
    pacer: Pacer,
    meter: Meter,
    message: Option<(String, Instant)>,
    clipboard: Clipboard,
    /// The program was chosen in the window, not on the command line.
    chosen: bool,
    /// The list of files, while it is open.
    chooser: Option<Chooser>,
    /// The folder that the list showed last.
    folder: PathBuf,
    mouse: MouseMode,
    animation: Option<Animation>,
    debug: Option<DebugView>,
    /// What makes the sound while some voices are not to be heard.
    double: Option<Double>,
    /// What lives on while the debug view is closed.
    debug_kept: Option<debug::Kept>,
    /// What the window shows while the machine stands still, and since when.
    resting: Option<(u64, (usize, usize), Instant)>,
    /// The machine stands still for the debug view, maybe in the middle of a frame.
    stopped: bool,
    recording: Option<Recording>,
    slot: u8,
    slots: Slots,
    paused: bool,
    turbo: bool,
    mute: bool,
    /// The menu over the picture, while it is open.
    menu: Option<Overlay>,
    /// What is played, for switching on another model.
    found: Found,
    right_button: bool,
    fullscreen: bool,
    was_active: bool,
    quit: bool,
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

fn pack([red, green, blue]: [u8; 3]) -> u32 {
    u32::from_be_bytes([0, red, green, blue])
}

fn packed(palette: &[[u8; 3]; 256]) -> Box<[u32; 256]> {
    Box::new(palette.map(pack))
}

/// The machine's picture in colours of the screen.
fn colour(look: &Look, machine: &Machine, picture: &mut [u32]) {
    look.picture(machine.frame(), |y, line| {
        let row = picture.iter_mut().skip(y * scaler::WIDTH);
        for (pixel, &rgb) in row.zip(line) {
            *pixel = pack(rgb);
        }
    });
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
            keyboard: Keyboard::new(&config, mode),
            gamepads: Gamepads::new(),
            #[cfg(feature = "sound")]
            output: None,
            canvas: Canvas::default(),
            scaler: Scaler::default(),
            place: scaler::place(tv, width, height, false),
            palette: packed(look.rgb()),
            look,
            picture: vec![0; scaler::WIDTH * scaler::HEIGHT],
            heard: Heard::default(),
            seen: offers::Seen::new(),
            pacer: Pacer::new(tv.frame_rate(), now),
            meter: Meter::new(now),
            message: None,
            clipboard: Clipboard::default(),
            chosen: false,
            chooser: None,
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
            resting: None,
            stopped: false,
            recording: None,
            slot: 0,
            slots: Slots::of(&found),
            paused: false,
            turbo: false,
            mute,
            menu: None,
            found,
            right_button: false,
            fullscreen: options.window.fullscreen || config.window.fullscreen,
            was_active: false,
            quit: false,
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
        while self.window.is_open() && !self.quit && signals::asked().is_none() {
            self.take_events()?;
            if self.chooser.is_some() || self.menu.is_some() {
                // The Atari waits.
            } else if self.keyboard.is_held(Action::Rewind) {
                self.back_in_time();
            } else if !self.paused && !self.stopped {
                self.run_frames()?;
            }
            self.draw()?;
            self.debug_view()?;
            let now = Instant::now();
            if self.meter.frame(now) {
                self.update_title();
                self.host.save(&mut self.session);
            }
            let notices = self.host.notices();
            if !notices.is_empty() {
                self.say(notices.join("; "));
            }
            let wait = self.pacer.next(now);
            if !self.is_turbo() {
                std::thread::sleep(wait);
            }
        }
        self.close_debug_view();
        Ok(())
    }

    fn is_turbo(&self) -> bool {
        self.turbo
            || self.keyboard.is_held(Action::Turbo)
            || self.session.is_starting()
            || self.session.takes_paste()
            || self.options.machine.fast_media && self.seen.is_loading()
    }

    fn take_events(&mut self) -> Result<(), Failure> {
        let active = self.window.is_active();
        if self.was_active && !active {
            self.keyboard.clear();
        }
        self.was_active = active;
        if self.menu_takes() {
            return Ok(());
        }
        while let Some(event) = self.events.next() {
            if self.choose(event) {
                continue;
            }
            if event == Event::Key(Key::Escape, true) && self.session.is_pasting() {
                self.stop_pasting();
                continue;
            }
            if let Some(action) = self.keyboard.event(event) {
                self.act(action)?;
            }
        }
        Ok(())
    }

    fn say(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), Instant::now()));
    }

    fn act(&mut self, action: Action) -> Result<(), Failure> {
        if self.debug.is_some() && self.spare(action) {
            return Ok(());
        }
        match action {
            Action::Help => self.open_menu(Page::Keys),
            Action::Reset => self.session.reset(),
            Action::ColdStart => {
                self.session.cold_start();
                self.after_jump();
            }
            Action::Debug => {
                if self.debug.is_some() && self.stopped {
                    self.stopped = false;
                } else {
                    self.open_debug_view();
                }
            }
            Action::Pause => self.paused = !self.paused,
            Action::FrameAdvance => {
                self.paused = true;
                self.run_one_frame()?;
            }
            Action::Screenshot => {
                let written = self.screenshot();
                self.report(written, |path| format!("picture: {}", path.display()));
            }
            Action::Record => self.record_sound(),
            Action::RecordPicture => self.record_picture(),
            Action::Open => {
                self.keyboard.clear();
                self.chooser = Some(Chooser::open(&self.folder));
            }
            Action::Mouse => {
                self.mouse = match self.mouse {
                    MouseMode::Off => MouseMode::Paddles,
                    MouseMode::Paddles => MouseMode::Off,
                };
                self.say(match self.mouse {
                    MouseMode::Off => "the mouse is nothing",
                    MouseMode::Paddles => "the mouse is paddles 0 and 1",
                });
            }
            Action::Fullscreen => {
                self.fullscreen = !self.fullscreen;
                screen::fill(&self.window, self.fullscreen);
            }
            Action::TurboToggle => self.turbo = !self.turbo,
            Action::SaveState => {
                let state = self.session.save_state();
                let written = self.slots.save(self.slot, &state);
                let slot = self.slot;
                self.report(written, |()| format!("saved in slot {slot}"));
            }
            Action::LoadState => {
                let slot = self.slot;
                let loaded = self.slots.load(slot).and_then(|(path, state)| {
                    self.session
                        .load_state(&state)
                        .map_err(|error| Failure::file(&path, error))
                });
                self.report(loaded, |()| format!("loaded slot {slot}"));
                self.after_jump();
            }
            Action::SlotDown => self.choose_slot(self.slot + slots::COUNT - 1),
            Action::SlotUp => self.choose_slot(self.slot + 1),
            Action::JoystickKeys => {
                self.keyboard.mode = self.keyboard.mode.next();
                self.say(self.keyboard.mode.describe());
                self.update_title();
            }
            Action::StoreCopy => {
                let stored = self.host.store_copy(&mut self.session, &self.folder);
                self.report(stored, |path| {
                    format!("stored: {}, which is in the drive now", path.display())
                });
                self.update_title();
            }
            Action::Recover => {
                let recovered = self.host.recover(&mut self.session);
                self.report(recovered, |name| format!("D1: the copy of {name}"));
                self.update_title();
            }
            Action::NextDisk => match self.session.next_disk() {
                Some(name) => self.say(format!("D1: {name}")),
                None => self.say("no other disk was given (--disk FILE)"),
            },
            Action::Paste => match self.clipboard.text() {
                Ok(text) => {
                    let unknown = self.session.paste(&text);
                    self.say(match unknown {
                        0 => "typing the clipboard's text, Esc stops".to_owned(),
                        n => format!("typing the clipboard's text without {n} characters that the Atari does not have, Esc stops"),
                    });
                }
                Err(sentence) => self.say(sentence),
            },
            Action::Copy => {
                let text = self.session.text();
                let copied = self.clipboard.set_text(text);
                self.say(
                    copied
                        .err()
                        .unwrap_or_else(|| "copied the text on the screen".to_owned()),
                );
            }
            Action::Break => self.stop_pasting(),
            Action::Artifacts => {
                let on = self.look.is_plain();
                self.look.composite = if on { Composite::On } else { Composite::Off };
                self.say(if on {
                    "artifact colours on"
                } else {
                    "artifact colours off"
                });
            }
            Action::Mute => {
                self.mute = !self.mute;
                #[cfg(feature = "sound")]
                if let Some(output) = &mut self.output {
                    output.mute = self.mute;
                }
                self.say(if self.mute { "sound off" } else { "sound on" });
            }
            Action::Menu => {
                let menu = Found::named("menu".as_ref(), &self.options.machine)?;
                self.start(&menu)?;
            }
            Action::OtherTv => {
                let started = self.other_tv();
                if let Err(failure) = started {
                    self.say(failure.to_string());
                }
            }
            Action::Quit => self.quit = true,
            // Held down, or keys of the Atari.
            Action::Option
            | Action::Select
            | Action::Start
            | Action::HelpKey
            | Action::Turbo
            | Action::Rewind
            | Action::Inverse
            | Action::Caps
            | Action::Clear
            | Action::Insert
            | Action::Delete => {}
        }
        Ok(())
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

    fn choose_slot(&mut self, slot: u8) {
        self.slot = slot % slots::COUNT;
        let state = if self.slots.existing(self.slot).is_some() {
            "has a state"
        } else {
            "is empty"
        };
        self.say(format!("slot {} {state}", self.slot));
    }

    /// Writes the picture under a name that is free.
    fn screenshot(&self) -> Result<PathBuf, Failure> {
        let path = files::reserve(&self.pictures(), &slug(self.session.title()), "png")?;
        let written = if self.look.is_plain() {
            headless::write_screenshot(&self.session, &self.look, &path)
        } else {
            headless::write_rgb_screenshot(&self.session, &self.look, &path)
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
        let composite = self.look.composite;
        self.look = config::look(tv, &picture)?;
        self.look.composite = composite;
        self.palette = packed(self.look.rgb());
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
                mouse::apply(controls, self.place, at, buttons);
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
                    self.stopped = true;
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
            colour(&self.look, self.session.machine(), &mut self.picture);
            self.after_jump();
        } else {
            self.say("this is as far back as it goes");
        }
        let mut ignored = machine::Input::default();
        self.keyboard.frame(&mut ignored);
    }

    fn draw(&mut self) -> Result<(), Failure> {
        let (width, height) = self.window.get_size();
        let (width, height) = (width.max(1), height.max(1));
        if self.is_resting((width, height)) {
            self.window.update();
            return Ok(());
        }
        if (width, height) != (self.canvas.width, self.canvas.height) {
            self.canvas.resize(width, height);
        }
        if !self.keyboard.is_held(Action::Rewind) {
            colour(&self.look, self.session.machine(), &mut self.picture);
        }
        let tv = self.session.machine().config().tv;
        let place = scaler::place(tv, width, height, self.config.window.whole_multiples);
        self.place = place;
        self.scaler.draw(&mut self.canvas, place, &self.picture);
        if let Some(chooser) = &self.chooser {
            chooser.draw(&mut self.canvas);
        }
        self.draw_menu()?;
        self.draw_message();
        let drawn = self
            .window
            .update_with_buffer(&self.canvas.pixels, width, height);
        drawn.map_err(|error| Failure::input(format!("the window cannot be drawn: {error}")))
    }

    /// Whether the window shows already what there is to show: the machine stands still, and nothing lies over the picture.
    fn is_resting(&mut self, size: (usize, usize)) -> bool {
        let still = (self.stopped || self.paused || self.menu.is_some())
            && self.message.is_none()
            && self.chooser.is_none()
            && self.menu.as_ref().is_none_or(|menu| !menu.is_due())
            && !self.keyboard.is_held(Action::Rewind);
        let key = (self.session.machine().now(), size);
        // Something may have lain over the window.
        let rests = still
            && self
                .resting
                .is_some_and(|(now, size, since)| (now, size) == key && since.elapsed() < AGAIN);
        if !rests {
            self.resting = still.then(|| (key.0, key.1, Instant::now()));
        }
        rests
    }

    fn draw_message(&mut self) {
        if self
            .message
            .as_ref()
            .is_some_and(|(text, since)| since.elapsed() > MESSAGE + LETTER * text.len() as u32)
        {
            self.message = None;
            // Wipes what the message has drawn beside the picture.
            self.canvas.pixels.fill(0);
        }
        let text = match &self.message {
            Some((text, _)) => text.as_str(),
            None if self.paused => "paused: F9 goes on, Shift+F9 one frame",
            None => return,
        };
        let scale = (self.canvas.height / 320).max(1);
        let line = 12 * scale;
        let y = self.canvas.height.saturating_sub(line);
        let width = self.canvas.width;
        self.canvas.shade(0, y, width, line, 0, 160);
        self.canvas
            .text(8 * scale, y + 2 * scale, scale, 0xFF_FFFF, text);
    }

    fn update_title(&mut self) {
        let rate = self.session.machine().config().tv.frame_rate();
        let speed = (self.meter.rate() / rate * 100.0).round();
        let speed = if self.paused {
            "paused".to_owned()
        } else {
            format!("{speed} %")
        };
        let copies = self.session.copies().into_iter();
        let copies = copies.filter(|copy| copy.shown || copy.written);
        let copies = copies.fold(String::new(), |all, copy| {
            format!("{all} - {} copy", copy.place)
        });
        let title = format!(
            "Anticlock: {}{}{copies} - {speed} - {} - F1 help",
            failure::plain(self.session.title()),
            if self.session.has_ended() {
                " (ended)"
            } else {
                ""
            },
            self.keyboard.mode.describe()
        );
        self.window.set_title(&title);
    }
}
