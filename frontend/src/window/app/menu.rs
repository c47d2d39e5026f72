//! The menu's side of the loop: what it shows, and what becomes of the user's wishes.
use super::display::colour;
use super::{App, Found, Host, Limits, Mode, Pacer, scaler, slots};
use crate::cli::{ModelName, TvName};
use crate::config::{self, Action, Config, MouseMode};
use crate::failure::{Failure, plain};
use crate::files;
use crate::ui::overlay::{Facts, Overlay, Page, Saved, Wish};
use crate::window::keyboard::{Command, Event, Keyboard};
use clap::ValueEnum;
use minifb::MouseButton;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// Pixels of the picture to one of a thumbnail, across and down.
const SMALLER: usize = 4;

impl App {
    /// Opens the menu; the Atari waits.
    pub(super) fn open_menu(&mut self, page: Page) {
        self.keyboard.let_go();
        let mut menu = Overlay::new(&self.folder);
        menu.show(page);
        self.menu = Some(menu);
        self.display.forget();
    }

    /// Asks a question that stands alone.
    pub(super) fn open_question(&mut self, question: &str, wish: Wish) {
        self.open_menu(Page::Keys);
        if let Some(menu) = &mut self.menu {
            menu.ask_alone(question, wish);
        }
    }

    /// A file was dropped onto the window: starts it, after a question where something runs.
    pub(super) fn dropped(&mut self, path: PathBuf) {
        if self.is_careless() {
            self.grant(Wish::Start(path));
            return;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let question = format!("Start {}?", plain(&name));
        self.open_question(&question, Wish::Start(path));
    }

    pub(super) fn close_menu(&mut self) {
        if let Some(menu) = self.menu.take() {
            menu.folder().clone_into(&mut self.folder);
            self.keyboard.let_go();
            self.display.forget();
        }
    }

    /// Gives what was entered to the menu; false when it is closed. The right mouse button opens it.
    pub(super) fn menu_takes(&mut self) -> bool {
        let Some(menu) = &mut self.menu else {
            let right = self.window.get_mouse_down(MouseButton::Right);
            let pressed = right && !std::mem::replace(&mut self.right_button, right);
            self.right_button = right;
            if pressed && self.mouse == MouseMode::Off {
                self.open_menu(Page::Keys);
                return true;
            }
            return false;
        };
        menu.poll(&mut self.window);
        while let Some(event) = self.events.next() {
            // The key that asked the question says yes to it.
            let command = self.keyboard.event(event);
            if let (Some(asked), Some(Command::Act(action))) = (menu.asks_about(), command)
                && asked == action
            {
                menu.say_yes();
                continue;
            }
            match event {
                Event::Key(key, down) => menu.key(key, down, || self.clipboard.text().ok()),
                Event::Char(character) => menu.character(character),
            }
        }
        true
    }

    /// Draws the menu over the canvas, and does what it asks for.
    pub(super) fn draw_menu(&mut self) {
        let Some(mut menu) = self.menu.take() else {
            return;
        };
        let config = self.session.machine().config();
        let model = ModelName::value_variants()
            .iter()
            .copied()
            .find(|&name| machine::Model::from(name) == config.model);
        let facts = Facts {
            config: &self.config,
            title: self.session.title(),
            model: model.unwrap_or(ModelName::Xl800),
            tv: if config.tv == machine::Tv::Pal {
                TvName::Pal
            } else {
                TvName::Ntsc
            },
            mute: self.mute,
            sticks: self.keyboard.mode,
            protected: self
                .session
                .machine()
                .disk(0)
                .map(media::atr::Disk::write_protected),
            mouse: self.mouse,
            paused: self.mode == Mode::Paused,
            turbo: self.turbo,
            recording: self.recording.is_some(),
            animation: self.animation.is_some(),
            fullscreen: self.fullscreen,
            slot: self.slot,
        };
        let canvas = &mut self.display.canvas;
        let size = (canvas.width, canvas.height);
        let wishes = menu.draw(&mut canvas.pixels, size, &facts);
        self.menu = Some(menu);
        for wish in wishes {
            self.grant(wish);
        }
    }

    fn grant(&mut self, wish: Wish) {
        self.display.forget();
        match wish {
            Wish::Close => self.close_menu(),
            Wish::Act(action) => {
                self.close_menu();
                self.act(action);
            }
            Wish::Sure(action) => {
                self.close_menu();
                self.sure = Some(action);
                self.act(action);
            }
            Wish::Switch(action) => self.act(action),
            Wish::Protect(on) => self.protect(on),
            Wish::Settings(settings) => self.take_settings(*settings),
            Wish::Model(model) => {
                let old = self.options.machine.machine.replace(model);
                match self.switch_on() {
                    Ok(()) => self.keep(|config| config.machine.model = Some(model)),
                    Err(error) => {
                        self.options.machine.machine = old;
                        self.say(error.to_string());
                    }
                }
                self.close_menu();
            }
            Wish::Tv(tv) => {
                let old = self.options.machine.tv.replace(tv);
                match self.switch_on() {
                    Ok(()) => self.keep(|config| config.machine.tv = Some(tv)),
                    Err(error) => {
                        self.options.machine.tv = old;
                        self.say(error.to_string());
                    }
                }
                self.close_menu();
            }
            Wish::Start(path) => {
                self.close_menu();
                let started = Found::file(&path, None)
                    .and_then(|found| self.start(&found).map(|()| found.program.flaw()));
                match started {
                    Ok(Some(flaw)) => self.say(flaw),
                    Ok(None) => {}
                    Err(error) => self.say(error.to_string()),
                }
            }
            Wish::Insert(path) => {
                self.close_menu();
                self.insert(&path);
            }
            Wish::NewDisk(path) => {
                self.close_menu();
                let disk = media::atr::Disk::blank(media::atr::Blank::Single);
                match files::write(&path, &disk.to_bytes()) {
                    Ok(()) => self.insert(&path),
                    Err(error) => self.say(error.to_string()),
                }
            }
            Wish::Save(slot) => {
                self.slot = slot;
                self.act(Action::SaveState);
                self.read_slots();
            }
            Wish::Load(slot) => {
                self.slot = slot;
                self.close_menu();
                self.act(Action::LoadState);
            }
            Wish::ReadSlots => self.read_slots(),
        }
    }

    /// Covers the notch of the disk in D1:, or uncovers it.
    fn protect(&mut self, on: bool) {
        let done = self.session.protect_disk(0, on);
        let protected = self.session.machine().disk(0);
        let protected = protected.is_some_and(media::atr::Disk::write_protected);
        self.say(match (done, protected) {
            (false, _) => "the disk in D1: is no file",
            (true, true) if !on => "the disk in D1: is write-protected by its file",
            (true, true) => "the disk in D1: is write-protected",
            (true, false) => "the disk in D1: can be written",
        });
    }

    fn insert(&mut self, path: &Path) {
        let inserted = self.host.insert_disk(&mut self.session, path);
        self.report(inserted, |()| format!("D1: {}", path.display()));
    }

    /// A machine as the options say, with the program that is played.
    fn switch_on(&mut self) -> Result<(), Failure> {
        self.host.finish(&mut self.session)?;
        let found = self.found.clone();
        let (mut session, host) = Host::switch_on(&self.options.machine, &found)?;
        session.remember(Limits::default());
        self.session = session;
        self.host = host;
        let tv = self.session.machine().config().tv;
        self.pacer = Pacer::new(tv.frame_rate(), Instant::now());
        self.take_look(&self.config.clone())?;
        self.after_jump();
        self.update_title();
        Ok(())
    }

    fn take_look(&mut self, config: &Config) -> Result<(), Failure> {
        let tv = self.session.machine().config().tv;
        let picture = self.options.picture.over(&config.picture)?;
        self.display.set_look(config::look(tv, &picture)?);
        Ok(())
    }

    /// Settings from now on, and in the configuration file.
    fn take_settings(&mut self, settings: Config) {
        if let Err(error) = self.take_look(&settings) {
            self.say(error.to_string());
            return;
        }
        let mode = self.keyboard.mode;
        self.keyboard = Keyboard::new(&settings, mode);
        #[cfg(feature = "sound")]
        if let Some(output) = &mut self.output {
            output.volume = f32::from(settings.sound.volume) / 100.0;
        }
        self.keep(|config| *config = settings);
    }

    /// Changes the settings in the configuration file, too.
    fn keep(&mut self, change: impl FnOnce(&mut Config)) {
        change(&mut self.config);
        if let Err(error) = self.config.save() {
            self.say(error.to_string());
        }
    }

    /// Tells the menu what is in the slots.
    fn read_slots(&mut self) {
        let picture = |slot| self.slot_picture(&self.slots.existing(slot)?);
        let pictures = (0..slots::COUNT).map(picture).collect();
        if let Some(menu) = &mut self.menu {
            menu.set_slots(pictures);
        }
    }

    /// When a state was saved, and what it shows, made smaller.
    fn slot_picture(&self, path: &Path) -> Option<Saved> {
        let saved = std::fs::metadata(path)
            .and_then(|about| about.modified())
            .ok()?;
        let state = files::read(path).ok()?;
        let size = (scaler::WIDTH / SMALLER, scaler::HEIGHT / SMALLER);
        let mut machine = self.session.machine().clone();
        let mut picture = vec![0; scaler::WIDTH * scaler::HEIGHT];
        if machine.load_state(&state).is_ok() {
            // States hold no picture; the second frame is whole.
            machine.run_frame();
            machine.run_frame();
            colour(self.display.look(), machine.frame(), &mut picture);
        }
        let mean = |x: usize, y: usize, shift: usize| {
            let row = |dy: usize| (y * SMALLER + dy) * scaler::WIDTH + x * SMALLER;
            let pixels = (0..SMALLER).flat_map(|dy| &picture[row(dy)..row(dy) + SMALLER]);
            pixels.map(|pixel| pixel >> shift & 0xFF).sum::<u32>() / (SMALLER * SMALLER) as u32
        };
        let pixel = |n: usize| {
            let (x, y) = (n % size.0, n / size.0);
            mean(x, y, 16) << 16 | mean(x, y, 8) << 8 | mean(x, y, 0)
        };
        Some(Saved {
            when: ago(saved),
            size,
            pixels: (0..size.0 * size.1).map(pixel).collect(),
        })
    }
}

/// How long ago something was, in words.
fn ago(then: SystemTime) -> String {
    let minutes = SystemTime::now()
        .duration_since(then)
        .unwrap_or_default()
        .as_secs()
        / 60;
    match minutes {
        0 => "just now".to_owned(),
        1..60 => format!("{minutes} min ago"),
        60..1440 => format!("{} h ago", minutes / 60),
        _ => format!("{} days ago", minutes / 1440),
    }
}
