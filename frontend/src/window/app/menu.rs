//! The menu's side of the loop: what it shows, and what becomes of the user's wishes.
use super::{App, Found, Mode};
use crate::window::keyboard::Command;
use host::config::{Action, Config, Rom, about_mouse};
use host::failure::{Failure, plain};
use host::library::Source;
use host::{files, packed, playlist};
use media::atr::Blank;
use session::mouse::Mouse;
use session::{Columns, Place, Session};
use std::path::{Path, PathBuf};
use ui::keys::Event;
use ui::overlay::{Deck, Disk, Draft, Facts, Overlay, Page, Printer, Shared, Wish};

/// Characters of a file's name in a question.
const LONGEST: usize = 60;

/// The file itself, or the first of a list of disks.
fn first_of(path: &Path) -> Result<PathBuf, Failure> {
    if !playlist::is_list(path) {
        return Ok(path.to_owned());
    }
    playlist::read(path).map(|list| list.into_iter().next().unwrap_or_default())
}

/// The menu over the picture, and what outlives it.
pub(super) struct Menu {
    /// While it is open.
    pub overlay: Option<Overlay>,
    /// The folder that the list of files showed last.
    pub folder: PathBuf,
    /// Settings have changed that are not in the configuration file yet.
    pub unsaved: bool,
    /// A command that the user was asked about and wants.
    pub sure: Option<Action>,
}

impl Menu {
    /// Closed; the list of files begins with the folder of what is played.
    pub fn new(found: &Found) -> Self {
        let folder = found.path.as_ref().and_then(|path| path.parent());
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        Self {
            overlay: None,
            folder: folder.map_or_else(|| PathBuf::from("."), PathBuf::from),
            unsaved: false,
            sure: None,
        }
    }
}

impl App {
    /// Opens the menu; the Atari waits.
    pub(super) fn open_menu(&mut self, page: Page) {
        self.controls.keyboard.let_go();
        let mut overlay = Overlay::new(&self.menu.folder);
        overlay.show(page);
        self.menu.overlay = Some(overlay);
        self.presentation.forget();
    }

    /// Shows the programs in a folder or an archive.
    pub(super) fn list(&mut self, folder: PathBuf) {
        self.menu.folder = folder;
        self.open_menu(Page::Files);
    }

    /// Asks a question that stands alone.
    pub(super) fn open_question(&mut self, question: &str, wish: Wish) {
        self.open_menu(Page::Keys);
        if let Some(overlay) = &mut self.menu.overlay {
            overlay.ask_alone(question, wish);
        }
    }

    /// A file was chosen or dropped onto the window: starts it, after a question where something runs. Of an archive with several programs
    /// it shows the list. A folder goes into the library.
    pub(super) fn choose(&mut self, path: PathBuf) {
        if path.is_dir() {
            self.collect(path);
            return;
        }
        if packed::holds_several(&path) {
            self.list(path);
            return;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = plain(&name);
        self.ask_to_start(Source::File(path), &name);
    }

    /// Files were dropped onto the window: folders go into the library, and the first file is chosen.
    pub(super) fn take_dropped(&mut self, files: Vec<PathBuf>) {
        if files.is_empty() {
            self.say("only files and folders can be dropped here");
            return;
        }
        let (folders, files): (Vec<_>, Vec<_>) = files.into_iter().partition(|path| path.is_dir());
        for folder in folders {
            self.collect(folder);
        }
        let number = files.len();
        if let Some(first) = files.into_iter().next() {
            self.choose(first);
        }
        if number > 1 {
            self.say(format!("the first of {number} files is taken"));
        }
    }

    /// Starts a program, after a question where something runs. One that cannot be started gets its sentence without a question.
    pub(super) fn ask_to_start(&mut self, source: Source, name: &str) {
        if self.is_careless() {
            self.carry_out(Wish::Start(source));
            return;
        }
        let found = match &source {
            Source::File(path) => first_of(path).and_then(|first| Found::file(&first, None)),
            Source::BuiltIn(_) => self.found(&source),
        };
        if let Err(failure) = found {
            self.say(failure.to_string());
            return;
        }
        let mut short: String = name.chars().take(LONGEST).collect();
        if short.len() < name.len() {
            short.push_str("...");
        }
        self.open_question(&format!("Start {short}?"), Wish::Start(source));
    }

    pub(super) fn close_menu(&mut self) {
        if let Some(overlay) = self.menu.overlay.take() {
            self.shelf.forget_pictures();
            overlay.folder().clone_into(&mut self.menu.folder);
            self.controls.keyboard.let_go();
            self.presentation.forget();
            self.save_settings();
        }
    }

    /// Gives what was entered to the menu; false when it is closed. The right mouse button opens it.
    pub(super) fn menu_takes(&mut self) -> bool {
        let Some(overlay) = &mut self.menu.overlay else {
            let page = if self.controls.pad_opens_menu(&self.config) {
                Page::Library
            } else if self.controls.is_right_clicked() {
                Page::Keys
            } else {
                return false;
            };
            self.open_menu(page);
            return true;
        };
        overlay.poll(&self.presentation.window, self.controls.clicks());
        for key in self.controls.menu_keys() {
            overlay.key(key, true, || None);
            overlay.key(key, false, || None);
        }
        while let Some(event) = self.controls.next() {
            let command = self.controls.keyboard.event(event);
            if command == Some(Command::Act(Action::Fullscreen)) && !overlay.wants_key() {
                self.presentation.fill(!self.presentation.fullscreen);
                continue;
            }
            // The key that asked the question says yes to it.
            if let (Some(asked), Some(Command::Act(action))) = (overlay.asks_about(), command)
                && asked == action
            {
                overlay.say_yes();
                continue;
            }
            match event {
                Event::Key(key, down) => {
                    overlay.key(key, down, || self.controls.clipboard.text().ok());
                }
                Event::Char(character) => overlay.character(character),
            }
        }
        true
    }

    /// Draws the menu over the canvas, and does what it asks for.
    pub(super) fn draw_menu(&mut self) {
        let Some(mut overlay) = self.menu.overlay.take() else {
            return;
        };
        let states = self.state_words();
        let config = self.started.session.machine().config();
        let hardware = self.started.session.hardware();
        let disks = self.disks();
        let tape = self.tape();
        let columns = self.started.session.setup().printer;
        let printer = columns
            .zip(self.started.host.printer())
            .map(|(columns, path)| Printer {
                columns,
                file: path.display().to_string(),
            });
        let slots = [0, 1].map(|slot| self.started.session.slot(slot));
        let folders = self.shared();
        let facts = Facts {
            config: &self.config,
            title: self.started.session.title(),
            states: &states,
            machine: config,
            hardware: &hardware,
            mute: self.speaker.is_mute(),
            keys: self.started.session.host_keys(),
            keys_choice: self.started.session.host_keys_choice(),
            disks: &disks,
            tape: tape.as_ref(),
            printer: printer.as_ref(),
            slots: &slots,
            basic: self.started.session.basic(),
            folders: &folders,
            library: &self.shelf.library,
            mouse: self.controls.mouse.role(),
            paused: self.mode == Mode::Paused,
            turbo: self.pace.turbo,
            recording: self.recordings.has_sound(),
            animation: self.recordings.has_picture(),
            gif: self.recordings.has_gif(),
            fullscreen: self.presentation.fullscreen,
            slot: self.states.slot,
        };
        let canvas = &mut self.presentation.display.canvas;
        let size = (canvas.width, canvas.height);
        let wishes = overlay.draw(&mut canvas.pixels, size, &facts);
        self.menu.overlay = Some(overlay);
        for wish in wishes {
            self.carry_out(wish);
        }
    }

    /// The folders that the program in the machine sees, or the next one.
    fn shared(&self) -> Vec<Shared> {
        let folders = self.started.host.folders(&self.started.session).into_iter();
        let chosen = self.started.host.has_chosen_folders();
        let shown = chosen || self.started.session.machine().host_connected();
        let shared = folders.filter(|_| shown).map(|folder| Shared {
            path: folder.path().to_owned(),
            chosen,
        });
        shared.collect()
    }

    pub(super) fn carry_out(&mut self, wish: Wish) {
        self.presentation.forget();
        match wish {
            Wish::Close => self.close_menu(),
            Wish::Act(action) => {
                self.close_menu();
                self.act(action);
            }
            Wish::Sure(action) => {
                self.close_menu();
                self.menu.sure = Some(action);
                self.act(action);
            }
            Wish::Switch(action) => self.act(action),
            Wish::Keys(choice) => {
                let done = self.choose_keys(choice);
                self.complain(done);
                self.update_title();
            }
            Wish::Protect(drive, on) => self.protect(drive, on),
            Wish::Eject(drive) => self.eject_disk(drive),
            Wish::Share(folder) => self.share(&folder),
            Wish::Unshare(number) => {
                self.started.host.unshare(number);
                self.say(format!("H{}: is taken away", number + 1));
            }
            Wish::Settings(settings) => self.take_settings(*settings),
            Wish::Machine(draft) => self.take_hardware(*draft),
            Wish::Rom(rom, path) => self.read_rom(rom, path),
            Wish::Choose(path) => self.choose_file(path),
            Wish::Library(deed) => self.serve_library(deed),
            Wish::Start(source) => self.start_chosen(&source),
            Wish::Insert(place, path) => {
                self.close_menu();
                self.insert(place, &path);
            }
            Wish::New(place, path, density) => self.insert_new(place, &path, density),
            Wish::SaveCopy(place) => self.save_copy(place),
            Wish::Swap(drive) => {
                self.started.session.swap_disks(0, drive);
                self.say(format!("D1: and D{}: have changed their disks", drive + 1));
            }
            Wish::EjectTape => {
                self.started.host.eject_tape(&mut self.started.session);
                self.say("the recorder is empty");
            }
            Wish::Wind(block) => self.started.session.wind_tape(block),
            Wish::Record(pressed) => self.started.session.press_record(pressed),
            Wish::Plug(slot, path) => self.ask_to_plug(slot, path),
            Wish::Plugged(slot, path) => {
                self.close_menu();
                let done = self.plug(slot, path.as_deref());
                self.complain(done);
            }
            Wish::Basic(basic) => self.ask_for_basic(basic),
            Wish::Switched(basic) => {
                self.close_menu();
                let done = self.change_basic(basic);
                self.complain(done);
            }
            Wish::Printer(printer) => self.switch_printer(printer),
            Wish::Save(slot) => {
                self.states.slot = slot;
                self.save_state();
                self.read_slots();
            }
            Wish::Load(slot) => {
                self.states.slot = slot;
                self.close_menu();
                self.act(Action::LoadState);
            }
            Wish::NameState(slot, name) => self.name_state(slot, &name),
            Wish::DeleteState(slot) => self.delete_state(slot),
            Wish::Back(moment) => {
                self.close_menu();
                self.go_back_to(moment);
            }
            Wish::ReadSlots => self.read_slots(),
        }
    }

    fn eject_disk(&mut self, drive: usize) {
        let started = &mut self.started;
        started.host.eject_disk(&mut started.session, drive);
        self.say(format!("D{}: is empty", drive + 1));
    }

    /// Shows programs a folder as H:.
    fn share(&mut self, folder: &Path) {
        match self.started.host.share(&mut self.started.session, folder) {
            Ok(number) if self.started.session.machine().host_connected() => {
                self.say(format!("H{number}: {}", folder.display()));
            }
            Ok(number) => self.say(format!("H{number}: comes with the next program")),
            Err(error) => self.say(error.to_string()),
        }
    }

    /// Starts a file. What cannot be started leaves the menu open.
    fn choose_file(&mut self, path: PathBuf) {
        match first_of(&path).and_then(|first| Found::file(&first, None)) {
            Ok(_) => {
                self.close_menu();
                self.choose(path);
            }
            Err(error) => self.say(error.to_string()),
        }
    }

    /// Starts a program of the library.
    fn start_chosen(&mut self, source: &Source) {
        self.close_menu();
        match self.start_source(source) {
            Ok(Some(flaw)) => self.say(flaw),
            Ok(None) => {}
            Err(error) => self.say(error.to_string()),
        }
    }

    fn save_copy(&mut self, place: Place) {
        let started = &self.started;
        let saved = started
            .host
            .save_copy(&started.session, place, &self.menu.folder);
        self.report(saved, |path| format!("saved: {}", path.display()));
    }

    fn ask_for_basic(&mut self, basic: Option<bool>) {
        let how = match basic {
            None => "with BASIC when the program wants it",
            Some(true) => "with BASIC",
            Some(false) => "without BASIC",
        };
        let question = format!("Start again {how}? What is in memory is lost.");
        self.open_question(&question, Wish::Switched(basic));
    }

    fn switch_printer(&mut self, printer: Option<Columns>) {
        let folder = self.pictures();
        let started = &mut self.started;
        let switched = started
            .host
            .switch_printer(&mut started.session, printer, &folder);
        self.report(switched, |path| match path {
            Some(path) => format!("what is printed goes into {}", path.display()),
            None => "the printer is off".to_owned(),
        });
    }

    /// The disks in the drives.
    fn disks(&self) -> Vec<Disk> {
        let copies = self.started.session.copies();
        let disk = |drive| {
            let disk = self.started.session.machine().disk(drive)?;
            let place = Place::Drive(drive);
            let file = self
                .started
                .session
                .file_at(place)
                .map(|file| file.name.clone());
            let copy = copies.iter().find(|copy| copy.place == place);
            let copy = || copy.map(|copy| format!("copy of {}", copy.name));
            Some(Disk {
                drive,
                name: file.or_else(copy).unwrap_or_default(),
                protected: disk.write_protected(),
            })
        };
        (0..session::DRIVES).filter_map(disk).collect()
    }

    /// The tape in the recorder.
    fn tape(&self) -> Option<Deck> {
        let machine = self.started.session.machine();
        machine.tape()?;
        let file = self.started.session.file_at(Place::Recorder);
        let copies = self.started.session.copies();
        let copy = copies.iter().find(|copy| copy.place == Place::Recorder);
        let copy = || copy.map(|copy| format!("copy of {}", copy.name));
        Some(Deck {
            name: file.map(|file| file.name.clone()).or_else(copy)?,
            position: machine.tape_position(),
            records: machine.tape_records(),
        })
    }

    /// Starts a program; of a list of disks the first, with the others in the next drives. Gives what is wrong with the file and does not
    /// keep it from running.
    fn start_source(&mut self, source: &Source) -> Result<Option<String>, Failure> {
        let mut disks = match source {
            Source::File(path) if playlist::is_list(path) => playlist::read(path)?,
            _ => Vec::new(),
        }
        .into_iter();
        let first = disks.next().map(Source::File);
        let found = self.found(first.as_ref().unwrap_or(source))?;
        self.start(&found)?;
        for (drive, disk) in (1..).zip(disks) {
            self.started
                .host
                .insert_disk(&mut self.started.session, drive, &disk)?;
        }
        Ok(found.program.flaw())
    }

    /// Covers the notch of the disk in a drive, or uncovers it.
    fn protect(&mut self, drive: usize, on: bool) {
        let done = self.started.session.protect_disk(drive, on);
        let protected = self.started.session.machine().disk(drive);
        let protected = protected.is_some_and(media::atr::Disk::write_protected);
        let end = match (done, protected) {
            (false, _) => "is no file",
            (true, true) if !on => "is write-protected by its file",
            (true, true) => "is write-protected",
            (true, false) => "can be written",
        };
        self.say(format!("the disk in D{}: {end}", drive + 1));
    }

    fn insert(&mut self, place: Place, path: &Path) {
        let inserted = match place {
            Place::Drive(drive) => {
                self.started
                    .host
                    .insert_disk(&mut self.started.session, drive, path)
            }
            Place::Recorder | Place::Cartridge => self
                .started
                .host
                .insert_tape(&mut self.started.session, path),
        };
        // A program that is saved to D: would go into the folder, not onto the disk that was just inserted.
        let is_folder = self.started.session.machine().host_is_disk();
        let reach = match place {
            Place::Drive(_) if is_folder => {
                "; D: is your folder until the Atari is switched off and on"
            }
            _ => "",
        };
        self.report(inserted, |()| format!("{place} {}{reach}", path.display()));
    }

    /// Makes a blank disk or tape, and inserts it: a tape with RECORD pressed.
    fn insert_new(&mut self, place: Place, path: &Path, density: Blank) {
        let bytes = match place {
            Place::Drive(_) => session::dos_disk(density).to_bytes(),
            Place::Recorder | Place::Cartridge => media::cas::Tape::default().to_bytes(),
        };
        if let Err(error) = files::write(path, &bytes) {
            self.say(error.to_string());
            return;
        }
        self.insert(place, path);
        if place == Place::Recorder {
            self.started.session.press_record(true);
        }
    }

    fn ask_to_plug(&mut self, slot: usize, path: Option<PathBuf>) {
        let number = slot + 1;
        let what = match &path {
            Some(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let name: String = plain(&name).chars().take(LONGEST).collect();
                format!("Put {name} into slot {number}")
            }
            None => format!("Take the cartridge out of slot {number}"),
        };
        let question = format!("{what}? The Atari is switched off and on.");
        self.open_question(&question, Wish::Plugged(slot, path));
    }

    /// Puts a cartridge into a slot, or takes it out, and switches the Atari off and on. What BASIC runs does not run with a cartridge: the
    /// READY prompt takes its place.
    fn plug(&mut self, slot: usize, path: Option<&Path>) -> Result<(), Failure> {
        let plugged = path
            .map(|path| self.started.host.plugged(&self.started.options, slot, path))
            .transpose()?;
        let session = &self.started.session;
        let found = if session.survives_slot(slot, plugged.is_some()) {
            self.again()?
        } else {
            Found::named("basic".as_ref(), &self.started.options)?
        };
        let set = |session: &mut Session, plugged| session.set_slot(slot, plugged);
        self.start_with(&found, set, plugged)
    }

    /// Starts the program again on the machine that was chosen on its page, which is kept for later starts.
    fn take_hardware(&mut self, draft: Draft) {
        let old = self.started.session.hardware();
        let Draft { hardware, files } = draft;
        self.close_menu();
        let done = self.change_hardware(|machine| machine.clone_from(&hardware));
        self.kept(done, |config| config.machine.keep(&old, &hardware, files));
    }

    /// Reads a ROM for the page of the machine.
    fn read_rom(&mut self, rom: Rom, path: PathBuf) {
        match rom.read(&path) {
            Ok(image) => {
                let hardware = self.started.session.hardware();
                if let Some(overlay) = &mut self.menu.overlay {
                    overlay.set_rom(rom, path, image, &hardware);
                }
            }
            Err(error) => self.say(error.to_string()),
        }
    }

    fn change_basic(&mut self, basic: Option<bool>) -> Result<(), Failure> {
        let found = self.again()?;
        self.start_with(&found, Session::set_basic, basic)
    }

    /// Settings from now on, and in the configuration file.
    fn take_settings(&mut self, settings: Config) {
        let picture = settings.picture.clone();
        if let Err(error) = self.take_look(&picture) {
            self.say(error.to_string());
            return;
        }
        self.controls.configure(&settings);
        self.speaker.set_volume(settings.sound.volume);
        self.keep(|config| *config = settings);
    }

    /// Changes the settings; the configuration file follows within a second, not with each step of a slider.
    pub(super) fn keep(&mut self, change: impl FnOnce(&mut Config)) {
        change(&mut self.config);
        self.menu.unsaved = true;
    }

    /// Writes the configuration file if the settings have changed.
    pub(super) fn save_settings(&mut self) {
        if std::mem::take(&mut self.menu.unsaved)
            && let Err(error) = self.config.save()
        {
            self.say(error.to_string());
        }
    }

    /// Keeps in the configuration file what was done, or says why it was not.
    fn kept(&mut self, done: Result<(), Failure>, change: impl FnOnce(&mut Config)) {
        match done {
            Ok(()) => self.keep(change),
            Err(error) => self.say(error.to_string()),
        }
    }

    /// Another use of the mouse from now on.
    pub(super) fn next_mouse(&mut self) {
        let mouse = self.controls.mouse.role().next();
        self.controls.mouse = Mouse::new(mouse);
        self.say(format!("the mouse {}", about_mouse(mouse)));
    }
}
