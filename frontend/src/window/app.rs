//! The program in its window: one turn of the loop is one frame of the machine.
mod commands;
mod controls;
mod editors;
mod host_keys;
mod library;
mod menu;
mod offers;
mod presentation;
mod recording;
mod speaker;
mod states;
mod stepping;

use super::keyboard::Command;
use super::pacer::Pace;
use crate::cli::Play;
use crate::headless;
use crate::platform::{events, screen::Desktop};
use controls::Controls;
use editors::Editors;
pub use editors::show;
use host::config::{self, Action, Config, PictureConfig};
use host::failure::{self, Failure};
use host::files;
use host::files::Growing;
use host::hosted::Hosted;
use host::platform::signals;
use host::recovery::slug;
use host::scaler::Shaped;
use host::started::Started;
use host::{Found, Host, write_recording};
use library::Shelf;
use menu::Menu;
use minifb::{Key, Scale, ScaleMode, Window, WindowOptions};
use offers::Seen;
use presentation::{Display, Presentation};
use recording::Recordings;
use session::picture::Look;
use session::timeline::Limits;
use session::{Hardware, Kind, Session, Trouble};
use speaker::Speaker;
use states::States;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use stepping::Debugging;
use ui::keys::Event;
use ui::overlay::Overlay;

/// Frames that each frame goes back while the key is held.
const BACK: u64 = 4;
/// A machine that stands still looks for the user's keys this often, ...
const REST: Duration = Duration::from_millis(33);
/// ... and so often when it is minimised, too.
const REST_HIDDEN: Duration = Duration::from_millis(100);
/// At full speed a picture is shown this often.
const TURBO_PICTURE: Duration = Duration::from_millis(16);

/// The machine's activity. The menu may lie over each of them; then it waits.
#[derive(Debug, PartialEq, Eq)]
enum Mode {
    /// It runs.
    Running,
    /// The user has paused it.
    Paused,
    /// It stands still for the debug view, maybe in the middle of a frame.
    Stopped,
    /// The window is to be closed; why, when something has failed.
    Ending(Option<Failure>),
}

/// Everything that lives as long as the window.
pub struct App {
    /// The options of the command line.
    options: Play,
    config: Config,
    started: Started,
    played: Played,
    mode: Mode,
    pace: Pace,
    presentation: Presentation,
    controls: Controls,
    speaker: Speaker,
    menu: Menu,
    shelf: Shelf,
    states: States,
    recordings: Recordings,
    debugging: Debugging,
    editors: Editors,
}

/// The window's knowledge of the program that is played.
struct Played {
    /// Its acts that an offer may follow.
    seen: Seen,
    /// It has been said that its arrows are a joystick.
    stick_said: bool,
}

impl Played {
    fn new() -> Self {
        Self {
            seen: Seen::new(),
            stick_said: false,
        }
    }
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

fn open_window((width, height): (usize, usize)) -> Result<Window, Failure> {
    let options = WindowOptions {
        resize: true,
        scale: Scale::X1,
        scale_mode: ScaleMode::UpperLeft,
        ..WindowOptions::default()
    };
    let mut window = Window::new("Anticlock", width, height, options).map_err(|error| {
        Failure::input(format!(
            "no window can be opened ({error}); `anticlock headless` runs without one"
        ))
    })?;
    // The pacer waits, not minifb.
    window.set_target_fps(0);
    Ok(window)
}

/// A window that shows nothing yet.
struct Opened {
    window: Window,
    /// Its size in pixels.
    size: (usize, usize),
    look: Look,
}

impl App {
    fn open(options: &Play) -> Result<Self, Failure> {
        let mut options = options.clone();
        let config = Config::load()?;
        options.machine.fast_media = !options.window.exact_media;
        options.machine.time = since_2000();
        let archive = options.program.as_ref().map(PathBuf::from);
        let archive = archive.filter(|path| host::packed::holds_several(path));
        let mut left_out = Vec::new();
        let (found, (mut session, host)) = if let Some(path) = &options.time.play {
            let (session, host) = Host::play(&options.machine, path)?;
            let found = Found::built_in(session.setup().program.clone());
            (found, (session, host))
        } else {
            let name = options.program.clone().filter(|_| archive.is_none());
            let name = name.unwrap_or_else(|| "menu".into());
            let found = Found::named(&name, &options.machine)?;
            // A saved state brings its machine.
            if !matches!(found.program.kind, Kind::State(_)) {
                left_out = config.machine.complete(&mut options.machine);
            }
            options.machine.seed.get_or_insert_with(chance);
            let (mut session, host) = Host::switch_on(&options.machine, &found)?;
            session.remember(Limits::default());
            (found, (session, host))
        };
        session.watch_host_keys(true);
        let machine = options.machine.clone();
        let started = Started::new(session, host, machine, found);
        let opened = Self::window(&options, &config, &started)?;
        let mut app = Self::with(options, config, started, opened);
        app.editors.let_through(app.options.window.debug_port)?;
        if let Some(keys) = app.options.window.keys {
            app.choose_keys(keys)?;
        }
        if let Some(archive) = archive {
            app.list(archive);
        }
        for failure in left_out {
            failure::tell(&failure);
            app.say(failure.to_string());
        }
        Ok(app)
    }

    /// The window of a program that is switched on, still empty.
    fn window(options: &Play, config: &Config, started: &Started) -> Result<Opened, Failure> {
        let tv = started.session.machine().config().tv;
        let picture = options.picture.over(&config.picture)?;
        let look = config::look(tv, &picture)?;
        let view = config.window.view(tv);
        let desktop = Desktop::open();
        let size = if let Some(scale) = options.window.scale {
            view.size(usize::from(scale))
        } else {
            let scale = f32::from(config.window.scale) * desktop.scale();
            view.fitting_size(scale.round() as usize, desktop.size())
        };
        let window = open_window(size)?;
        Ok(Opened { window, size, look })
    }

    /// Everything around a window that was opened for a program.
    fn with(options: Play, config: Config, started: Started, opened: Opened) -> Self {
        let Opened {
            mut window,
            size,
            look,
        } = opened;
        let tv = started.session.machine().config().tv;
        let mouse = options.window.mouse.unwrap_or(config.window.mouse);
        let controls = Controls::of(&mut window, &config, started.session.host_keys(), mouse);
        let fullscreen = options.window.fullscreen || config.window.fullscreen;
        let display = Display::new(look, config.window.view(tv), size);
        let presentation = Presentation::new(window, display, fullscreen);
        if let Some((size, icon)) = icon() {
            presentation.screen.introduce(size, &icon);
        }
        let mut app = Self {
            mode: Mode::Running,
            pace: Pace::new(tv.frame_rate(), presentation.screen.rate(), Instant::now()),
            presentation,
            controls,
            speaker: Speaker::new(options.window.mute || config.sound.mute),
            menu: Menu::new(&started.found),
            shelf: Shelf::new(),
            states: States::of(&started.found),
            recordings: Recordings::default(),
            debugging: Debugging::default(),
            editors: Editors::default(),
            played: Played::new(),
            started,
            options,
            config,
        };
        app.open_sound();
        app.note_played();
        app
    }

    fn open_sound(&mut self) {
        if self.options.window.mute {
            return;
        }
        let volume = self.config.sound.volume;
        if let Err(error) = self.speaker.open(self.started.session.machine(), volume) {
            failure::tell(format_args!("running without sound: {error}"));
            self.say(format!("no sound: {error}"));
        }
    }

    /// Opens the sound card again.
    ///
    /// # Errors
    /// Why there is no sound.
    fn reopen_sound(&mut self) -> Result<(), String> {
        let machine = self.started.session.machine();
        self.speaker.open(machine, self.config.sound.volume)
    }

    /// A sound card or sound server that has gone is looked for until there is one again.
    fn look_at_sound(&mut self) {
        if self.speaker.has_lost() {
            self.say("the sound device has gone; it is looked for");
        } else if self.speaker.looks_again() && self.reopen_sound().is_ok() {
            self.say("there is a sound device again");
        }
    }

    fn run(&mut self) -> Result<(), Failure> {
        signals::catch();
        let ended = self.turns();
        // However it ended: what was recorded and written comes first.
        self.presentation.take_message();
        self.end_sound();
        self.end_picture();
        self.await_gifs();
        self.save_settings();
        let mut finished = self.started.host.finish(&mut self.started.session);
        if let Some(path) = &self.options.time.record {
            finished = finished.and(write_recording(&self.started.session, path));
        }
        if let Some(text) = self.presentation.take_message() {
            failure::tell(text);
        }
        for notice in self.started.host.notices() {
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
        if self.presentation.fullscreen {
            self.presentation.fill(true);
        }
        while self.presentation.window.is_open() && signals::asked().is_none() {
            if let Mode::Ending(failure) = &mut self.mode {
                let failure = failure.take();
                self.close_debug_view();
                return failure.map_or(Ok(()), Err);
            }
            self.turn()?;
        }
        self.close_debug_view();
        Ok(())
    }

    /// Waits for the frame's time, takes what was entered until then, runs the frame and shows it.
    fn turn(&mut self) -> Result<(), Failure> {
        let wait = self.pace.next(Instant::now());
        if let Some(rest) = self.rest() {
            std::thread::sleep(rest);
            self.pace.begin_anew(Instant::now());
        } else if !self.is_turbo() {
            std::thread::sleep(wait);
        }
        // What was entered until now counts in the frame that begins.
        events::update(&mut self.presentation.window);
        self.take_events();
        if let Some(files) = self.controls.dropped() {
            self.take_dropped(files);
        }
        if self.menu.overlay.as_ref().is_some_and(Overlay::stops) {
            // The Atari waits.
        } else if self.controls.keyboard.is_held(Action::Rewind) {
            self.back_in_time();
        } else if self.mode == Mode::Running {
            self.run_frames()?;
        }
        self.look_at_library();
        self.draw_stills();
        self.draw()?;
        self.debug_view()?;
        self.serve_editors();
        if self.pace.meter.frame(Instant::now()) {
            self.each_second();
        }
        let notices = self.started.host.notices();
        if !notices.is_empty() {
            self.say(notices.join("; "));
        }
        Ok(())
    }

    /// How long the window may sleep where nothing moves and the user can only wake it.
    fn rest(&self) -> Option<Duration> {
        let rewinds = self.controls.keyboard.is_held(Action::Rewind);
        if self.mode != Mode::Paused || rewinds || self.menu.overlay.is_some() {
            None
        } else if self.presentation.is_hidden() && !self.debugging.is_open() {
            Some(REST_HIDDEN)
        } else {
            Some(REST)
        }
    }

    fn each_second(&mut self) {
        self.update_title();
        self.save_settings();
        self.look_at_gifs();
        if self.rest().is_some() {
            self.speaker.rest();
        }
        self.started.host.save(&mut self.started.session);
        self.look_at_sound();
        if !self.presentation.look_at_screen() {
            self.pace.set_display(self.presentation.screen.rate());
        }
    }

    fn is_turbo(&self) -> bool {
        // The Atari waits while the menu is open, and rewinding keeps its pace.
        self.menu.overlay.is_none()
            && !self.controls.keyboard.is_held(Action::Rewind)
            && (self.pace.turbo
                || self.controls.keyboard.is_held(Action::Turbo)
                || self.started.session.is_starting()
                || self.started.session.takes_paste()
                || self.started.options.fast_media && self.played.seen.is_loading())
    }

    fn take_events(&mut self) {
        if self.controls.has_changed_focus(&self.presentation.window) {
            // Another window may have lain over this one.
            self.presentation.forget();
        }
        self.controls.look_at_mouse(&self.presentation.window);
        self.controls.keyboard.keys = self.started.session.host_keys();
        if self.menu_takes() {
            return;
        }
        while let Some(event) = self.controls.next() {
            if event == Event::Key(Key::Escape, true) && self.started.session.is_pasting() {
                self.controls.keyboard.spend(Key::Escape);
                self.stop_pasting();
                continue;
            }
            match self.controls.keyboard.event(event) {
                Some(Command::Act(action)) => self.act(action),
                Some(Command::Slot(slot)) => self.choose_slot(slot),
                None => {}
            }
            if self.menu.overlay.is_some() {
                break;
            }
        }
    }

    fn say(&mut self, text: impl Into<String>) {
        self.presentation.say(text);
    }

    fn stop_pasting(&mut self) {
        if self.started.session.is_pasting() {
            let left = self.started.session.untyped();
            self.started.session.stop_pasting();
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
        let path = files::reserve(&self.pictures(), &slug(self.started.session.title()), "png")?;
        let look = self.presentation.display.look();
        let session = &self.started.session;
        let written = match self.shape() {
            Some(shape) => headless::write_shaped_screenshot(session, look, shape, &path),
            None if look.is_plain() => headless::write_screenshot(session, look, &path),
            None => headless::write_rgb_screenshot(session, look, &path),
        };
        match written {
            Ok(()) => Ok(path),
            Err(failure) => {
                let _ = std::fs::remove_file(&path);
                Err(failure)
            }
        }
    }

    /// The shape of pictures and recordings; `None` for raw ones.
    fn shape(&self) -> Option<Shaped> {
        let place = self.presentation.display.place;
        let tv = self.started.session.machine().config().tv;
        let size = match self.config.picture_scale {
            None => (place.width, place.height),
            Some(0) => return None,
            Some(scale) => self.config.window.view(tv).size(usize::from(scale)),
        };
        Some(Shaped::as_in(&self.config.window, size))
    }

    /// A file for a recording under a name that is free.
    fn free_file(&self, extension: &str) -> Result<Growing, Failure> {
        Growing::free(
            &self.pictures(),
            &slug(self.started.session.title()),
            extension,
        )
    }

    /// The folder for pictures and recordings.
    fn pictures(&self) -> PathBuf {
        self.config
            .pictures
            .clone()
            .unwrap_or_else(config::pictures)
    }

    /// Switches on a machine with another program: the one door through which a program comes after the first.
    fn start(&mut self, found: &Found) -> Result<(), Failure> {
        self.started
            .host
            .start(&mut self.started.session, &self.started.options, found)?;
        self.started.found = found.clone();
        self.note_played();
        self.played = Played::new();
        self.states.change(found);
        if let Some(view) = &mut self.debugging.view {
            view.take_up(&mut self.started);
        } else if self.editors.debug() {
            self.started.remarks = self.started.set_up();
        }
        self.changed_program()
    }

    /// After another program has been started in this window.
    fn changed_program(&mut self) -> Result<(), Failure> {
        // The key that chose it is not the program's.
        self.controls.keyboard.let_go();
        self.change_look()?;
        self.after_jump();
        self.update_title();
        self.tell_program();
        Ok(())
    }

    /// The program that is played, read again.
    fn again(&self) -> Result<Found, Failure> {
        match &self.started.found.path {
            Some(path) => Found::file(path, self.started.options.cart_type),
            None => Ok(Found::built_in(
                self.started.session.setup().program.clone(),
            )),
        }
    }

    /// Starts the program again on another machine; disks and tape stay where they are.
    fn change_hardware(&mut self, change: impl FnOnce(&mut Hardware)) -> Result<(), Failure> {
        let found = self.again()?;
        let mut hardware = self.started.session.hardware();
        change(&mut hardware);
        self.start_with(&found, Session::set_hardware, hardware)
    }

    /// Starts a program after a choice for new machines, which is undone if it cannot be started. `set` returns the old choice.
    fn start_with<T>(
        &mut self,
        found: &Found,
        set: impl Fn(&mut Session, T) -> T,
        choice: T,
    ) -> Result<(), Failure> {
        let old = set(&mut self.started.session, choice);
        self.start(found).inspect_err(|_| {
            set(&mut self.started.session, old);
        })
    }

    /// Another machine may be one of the other television system.
    fn change_look(&mut self) -> Result<(), Failure> {
        let tv = self.started.session.machine().config().tv;
        let picture = self.options.picture.over(&self.config.picture)?;
        let mut look = config::look(tv, &picture)?;
        look.composite = self.presentation.display.look().composite;
        self.presentation.set_look(look);
        self.pace
            .restart(tv.frame_rate(), self.presentation.screen.rate());
        Ok(())
    }

    /// Other settings of the picture.
    fn take_look(&mut self, picture: &PictureConfig) -> Result<(), Failure> {
        let tv = self.started.session.machine().config().tv;
        let picture = self.options.picture.over(picture)?;
        self.presentation.set_look(config::look(tv, &picture)?);
        Ok(())
    }

    /// The machine's time is not what it was a frame ago.
    fn after_jump(&mut self) {
        self.speaker.restart(&mut self.started.session);
        self.jump_recordings();
    }

    fn run_frames(&mut self) -> Result<(), Failure> {
        self.run_one_frame()?;
        if self.is_turbo() {
            let began = Instant::now();
            while began.elapsed() < TURBO_PICTURE {
                self.run_one_frame()?;
                self.pace.meter.frame(began);
            }
        }
        Ok(())
    }

    fn run_one_frame(&mut self) -> Result<(), Failure> {
        let hides_start = self.hides_start();
        let model = self.started.session.machine().config().model;
        let input = self.started.session.controls();
        if self.menu.overlay.is_some() {
            self.controls.let_go(input);
        } else if hides_start {
            // What is entered meanwhile waits for the program, and does not get between the lines that are typed for it.
            *input = machine::Input::default();
        } else {
            let place = self.presentation.display.place;
            let window = &self.presentation.window;
            self.controls
                .frame(window, place, &self.config, model, input);
        }
        let muted = self.debugging.muted();
        let mut frame_start = None;
        let outcome = if self.is_debugged() {
            frame_start = (muted != 0).then(|| self.started.session.machine().clone());
            let started = &mut self.started;
            let mut hosted = Hosted::new(&mut started.session, &mut started.host);
            let stop = started.debugger.run_frame(&mut hosted);
            let outcome = hosted.outcome();
            self.ran(stop);
            outcome
        } else {
            self.started.host.serve(&mut self.started.session);
            self.started.session.run_frame()
        };
        let next = match outcome.next() {
            Ok(next) => next,
            Err(trouble @ Trouble::DoesNotFit(_)) => return self.give_up(&trouble.into()),
            Err(trouble @ Trouble::Differs(_)) => {
                self.say(trouble.to_string());
                None
            }
        };
        self.speaker
            .take(&mut self.started.session, muted, frame_start);
        self.record_frame();
        self.look_at_frame();
        self.look_at_keys();
        let turbo = self.is_turbo();
        let speed = self.pace.speed();
        self.speaker
            .play(self.started.session.machine(), turbo, speed);
        if let Some(program) = next
            && let Err(error) = self.start(&Found::built_in(program))
        {
            return self.give_up(&error);
        }
        Ok(())
    }

    /// Starts the menu with its cursor on the program that has run.
    fn start_menu(&mut self) -> Result<(), Failure> {
        let menu = self.started.session.menu();
        let menu = menu.map_err(|error| Failure::input(error.to_string()))?;
        self.start(&Found::built_in(menu))
    }

    /// A program that cannot run after all: the menu comes back, and says why.
    fn give_up(&mut self, error: &Failure) -> Result<(), Failure> {
        self.start_menu()?;
        failure::tell(error);
        self.say(error.to_string());
        Ok(())
    }

    fn back_in_time(&mut self) {
        if self.started.session.back(BACK) {
            self.states.forget_after(self.started.session.moment());
            self.after_jump();
        } else {
            self.say("this is as far back as it goes");
        }
        let mut ignored = machine::Input::default();
        self.controls.keyboard.frame(&mut ignored);
    }
}
