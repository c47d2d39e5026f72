//! The menu over the picture: keys, files, machine, picture, sound, sticks, states, recordings. It shows facts and changes nothing by
//! itself: every wish leaves as a [`Wish`].

mod drives;
mod files;
mod library;
mod machine;
mod pad;
mod pages;
mod sheet;
mod states;
#[cfg(test)]
mod tests;

use super::input::Input;
use super::surface::{Surface, scale_over};
use super::theme;
use crate::{keys, mouse};
use egui::{
    Event, FocusDirection, InputState, Key, Modifiers, RichText, ScrollArea, Stroke, Ui, vec2,
};
use host::config::{Action, Config, Rom};
use host::library::{Library, Portrait, Source};
use media::atr::Blank;
use minifb::{Key as HostKey, Window};
use session::mouse::MouseRole;
use session::timeline::Moment;
use session::{Columns, Hardware, HostKeys, Place as Medium};
use std::path::{Path, PathBuf};

pub use self::machine::Draft;
pub use library::Deed;
pub use states::{Saved, Slot, Still};

/// The facts that the pages show.
pub struct Facts<'a> {
    /// The settings in force.
    pub config: &'a Config,
    /// The program that is played.
    pub title: &'a str,
    /// The switches that are not as usual, in words.
    pub states: &'a [String],
    /// The machine as it is.
    pub machine: &'a ::machine::Config,
    /// The choices that it was made from.
    pub hardware: &'a Hardware,
    /// No sound.
    pub mute: bool,
    /// Role of arrows and space bar.
    pub keys: HostKeys,
    /// The user's choice of it.
    pub keys_choice: Option<HostKeys>,
    /// The controller that the mouse is.
    pub mouse: MouseRole,
    /// The machine stands still when the menu is closed.
    pub paused: bool,
    /// As fast as it goes.
    pub turbo: bool,
    /// The sound is recorded.
    pub recording: bool,
    /// The picture is recorded.
    pub animation: bool,
    /// A GIF has been begun.
    pub gif: bool,
    /// The window fills the screen.
    pub fullscreen: bool,
    /// The slot of saved states.
    pub slot: u8,
    /// The disks in the drives.
    pub disks: &'a [Disk],
    /// The tape in the recorder.
    pub tape: Option<&'a Deck>,
    /// The printer, while it is on.
    pub printer: Option<&'a Printer>,
    /// Name and kind of the cartridges in the two slots.
    pub slots: &'a [Option<(String, String)>; 2],
    /// With BASIC, without, or `None` as the program needs it.
    pub basic: Option<bool>,
    /// The folders behind H1: to H4:.
    pub folders: &'a [Shared],
    /// The user's programs and ours.
    pub library: &'a Library,
}

/// The program recorder with a tape in it.
pub struct Deck {
    /// The file's name, or whose copy it is.
    pub name: String,
    /// The block at the head, from 0, and the number of blocks.
    pub position: (usize, usize),
    /// RECORD is pressed together with PLAY.
    pub records: bool,
}

/// The printer.
pub struct Printer {
    /// Its columns.
    pub columns: Columns,
    /// The file that collects what is printed.
    pub file: String,
}

/// A folder that programs see.
pub struct Shared {
    /// Where it is.
    pub path: PathBuf,
    /// The user has chosen it, and can take it away.
    pub chosen: bool,
}

/// A disk in a drive.
pub struct Disk {
    /// The drive: 0 is D1:.
    pub drive: usize,
    /// The file's name, or whose copy it is.
    pub name: String,
    /// Nothing can be written to it.
    pub protected: bool,
}

/// Commands that cost the user what is in the machine, and what is asked before them.
pub const QUESTIONS: &[(Action, &str)] = &[
    (Action::Reset, "Press RESET?"),
    (Action::ColdStart, "Switch the Atari off and on?"),
    (Action::Menu, "Leave for the menu of games?"),
    (Action::Quit, "End Anticlock?"),
    (
        Action::OtherTv,
        "Start the program again on the other television system?",
    ),
];

/// Takes typed text and these keys, pressed by themselves, out of the events.
fn take_keys(input: &mut InputState, keys: &[Key]) -> Vec<Event> {
    let is_taken = |event: &mut Event| match event {
        Event::Text(_) => true,
        Event::Key {
            key,
            pressed: true,
            modifiers,
            ..
        } => *modifiers == Modifiers::NONE && keys.contains(key),
        _ => false,
    };
    input.events.extract_if(.., is_taken).collect()
}

/// The question before a command; none for one that costs nothing.
pub fn question(action: Action) -> Option<&'static str> {
    let found = QUESTIONS.iter().find(|(known, _)| *known == action);
    found.map(|(_, question)| *question)
}

/// A request of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// Close the menu.
    Close,
    /// Close the menu and do what a key does.
    Act(Action),
    /// Close the menu and do it without another question.
    Sure(Action),
    /// Do what a key does, and stay.
    Switch(Action),
    /// Role of arrows and space bar; `None`: as the program wants them.
    Keys(Option<HostKeys>),
    /// These settings from now on, and in the configuration file.
    Settings(Box<Config>),
    /// Another machine, which the program is started on again.
    Machine(Box<Draft>),
    /// Read this ROM for the machine that is being chosen.
    Rom(Rom, PathBuf),
    /// Start this file, after a question where something would be lost.
    Choose(PathBuf),
    /// Start this program.
    Start(Source),
    /// An act of the library.
    Library(Deed),
    /// Put this disk or tape into a drive or the recorder.
    Insert(Medium, PathBuf),
    /// Make a new disk of this density, or a blank tape, here and put it there.
    New(Medium, PathBuf, Blank),
    /// Store what is there as a new file.
    SaveCopy(Medium),
    /// Change the disks of this drive and D1:.
    Swap(usize),
    /// Take the tape out of the recorder.
    EjectTape,
    /// Wind the tape to this block, or to its end.
    Wind(usize),
    /// Press RECORD together with PLAY, or PLAY alone.
    Record(bool),
    /// Switch the printer on, or off with `None`.
    Printer(Option<Columns>),
    /// Put this cartridge into a slot (0 or 1), or take the one that is in it out with `None`, after a question: the Atari is switched off
    /// and on.
    Plug(usize, Option<PathBuf>),
    /// Do so.
    Plugged(usize, Option<PathBuf>),
    /// Start with BASIC, without, or with `None` as the program needs it, after a question.
    Basic(Option<bool>),
    /// Do so.
    Switched(Option<bool>),
    /// Cover the notch of the disk in this drive, or uncover it.
    Protect(usize, bool),
    /// Take the disk out of this drive.
    Eject(usize),
    /// Show this folder to programs as the next of H1: to H4:.
    Share(PathBuf),
    /// Do not show this one any more: 0 is H1:.
    Unshare(usize),
    /// Save the state in a slot.
    Save(u8),
    /// Load the state of a slot.
    Load(u8),
    /// Name the state of a slot.
    NameState(u8, String),
    /// Delete the state of a slot.
    DeleteState(u8),
    /// Go back to a remembered moment.
    Back(Moment),
    /// Read what is in the slots, and what is remembered.
    ReadSlots,
}

/// A page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    /// All keys.
    #[default]
    Keys,
    /// The user's programs and ours, with their pictures.
    Library,
    /// Files to start and disks to insert.
    Files,
    /// Drives, recorder, printer.
    Drives,
    /// The machine: switches, model, speed.
    Machine,
    /// Colours and window.
    Picture,
    /// Sound.
    Sound,
    /// Keys that are joysticks, and the mouse.
    Sticks,
    /// Saved states.
    States,
    /// Pictures and recordings.
    Record,
}

const PAGES: [(Page, &str); 10] = [
    (Page::Keys, "Keys"),
    (Page::Library, "Library"),
    (Page::Files, "Files"),
    (Page::Drives, "Drives, tape"),
    (Page::Machine, "Machine"),
    (Page::Picture, "Picture"),
    (Page::Sound, "Sound"),
    (Page::Sticks, "Sticks"),
    (Page::States, "States"),
    (Page::Record, "Record"),
];

/// Frames for which a page that has just changed is drawn.
const FRESH: u8 = 3;

/// Which key of a joystick waits for being pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wanted {
    second: bool,
    direction: usize,
}

/// The menu.
pub struct Overlay {
    /// Put aside while it draws.
    surface: Option<Surface>,
    input: Input,
    page: Page,
    files: files::State,
    /// The machine that is being chosen, if it is another one.
    draft: Option<Draft>,
    library: library::State,
    slots: Vec<Slot>,
    strip: Vec<Still>,
    wanted: Option<Wanted>,
    /// A question that has to be answered before a wish is let out.
    question: Option<(String, Wish)>,
    /// The question is all that is shown.
    alone: bool,
    /// A key was pressed since the menu was opened; a character before that belongs to the key that opened it.
    awake: bool,
    wishes: Vec<Wish>,
    /// Something may have changed that no event tells of.
    fresh: u8,
}

impl Overlay {
    /// With its first page, and files from a folder on.
    pub fn new(folder: &Path) -> Self {
        Self {
            surface: Some(Surface::new(true)),
            input: Input::default(),
            page: Page::Keys,
            files: files::State::new(folder),
            draft: None,
            library: library::State::default(),
            slots: Vec::new(),
            strip: Vec::new(),
            wanted: None,
            question: None,
            alone: false,
            awake: false,
            wishes: Vec::new(),
            fresh: FRESH,
        }
    }

    /// Opens this page.
    pub fn show(&mut self, page: Page) {
        self.page = page;
        self.fresh = FRESH;
        match page {
            Page::States => self.wishes.push(Wish::ReadSlots),
            Page::Files => {
                self.files.target = files::Target::Medium(Medium::Drive(0));
                self.files.read();
            }
            _ => {}
        }
    }

    /// The folder that the list of files shows.
    pub fn folder(&self) -> &Path {
        self.files.folder()
    }

    /// True if the Atari waits.
    pub fn stops(&self) -> bool {
        self.alone || !self.page.is_live()
    }

    /// Pixels at the right edge of a window of this size that the menu covers.
    pub fn covers(&self, size: (usize, usize)) -> usize {
        if self.alone {
            return 0;
        }
        let scale = scale_over(size);
        let width = self.page.sheet(size.0 as f32 / scale) * scale;
        (width.ceil() as usize).min(size.0)
    }

    /// A ROM for the machine that is being chosen has been read; `hardware` is the machine as it is.
    pub fn set_rom(&mut self, rom: Rom, path: PathBuf, image: Vec<u8>, hardware: &Hardware) {
        let as_it_is = || Draft {
            hardware: hardware.clone(),
            ..Draft::default()
        };
        let draft = self.draft.get_or_insert_with(as_it_is);
        draft.set_rom(rom, Some((path, image)));
        self.show(Page::Machine);
    }

    /// True if the saved states are shown.
    pub fn shows_states(&self) -> bool {
        self.page == Page::States && !self.alone
    }

    /// True if the library is shown.
    pub fn shows_library(&self) -> bool {
        self.page == Page::Library && !self.alone
    }

    /// The picture of a title has come, or it has none.
    pub fn set_portrait(&mut self, source: Source, portrait: Option<&Portrait>) {
        if let Some(surface) = &self.surface {
            let scale = surface.scale();
            self.library
                .set_portrait(&surface.context, scale, source, portrait);
        }
        self.renew();
    }

    /// The picture of the pages has changed.
    pub fn renew(&mut self) {
        self.fresh = self.fresh.max(1);
    }

    /// The contents of the slots.
    pub fn set_slots(&mut self, slots: Vec<Option<Saved>>) {
        if let Some(surface) = &self.surface {
            let slot = |slot| Slot::new(&surface.context, slot);
            self.slots = slots.into_iter().map(slot).collect();
        }
        self.fresh = FRESH;
    }

    /// The moments that are remembered, the oldest first; their pictures come later.
    pub fn set_strip(&mut self, strip: Vec<Still>) {
        self.strip = strip;
    }

    /// The picture of a moment of the strip has come.
    pub fn set_still(&mut self, number: usize, size: (usize, usize), pixels: Vec<u32>) {
        if let (Some(surface), Some(still)) = (&self.surface, self.strip.get_mut(number)) {
            still.set(&surface.context, size, pixels);
        }
        self.renew();
    }

    /// Asks a question and shows nothing else.
    pub fn ask_alone(&mut self, question: &str, wish: Wish) {
        self.question = Some((question.to_owned(), wish));
        self.alone = true;
    }

    /// The subject of a question without a page.
    pub fn asks_about(&self) -> Option<Action> {
        match &self.question {
            Some((_, Wish::Sure(action))) if self.alone => Some(*action),
            _ => None,
        }
    }

    /// True while a field waits for the key that it is to have.
    pub fn wants_key(&self) -> bool {
        self.wanted.is_some()
    }

    /// Answers the question.
    pub fn say_yes(&mut self) {
        self.fresh = FRESH;
        self.wishes
            .extend(self.question.take().map(|(_, wish)| wish));
    }

    /// Takes what the mouse did.
    pub fn poll(&mut self, window: &Window, events: &[mouse::Event]) {
        let scale = self.surface.as_ref().map_or(1.0, Surface::scale);
        self.input.poll_mouse(window, events, scale);
    }

    /// The wheel was turned.
    pub fn wheel(&mut self, x: f32, y: f32) {
        self.input.wheel(x, y);
    }

    /// A character was typed.
    pub fn character(&mut self, character: char) {
        if self.awake {
            self.input.character(character);
        }
    }

    /// A key. One that a stick waits for no page is asked about.
    pub fn key(&mut self, key: HostKey, down: bool, mut paste: impl FnMut() -> Option<String>) {
        self.awake |= down;
        if self.wanted.is_some() && down {
            self.fresh = FRESH;
            if key == HostKey::Escape {
                self.wanted = None;
            } else {
                self.files.pressed = Some(keys::name(key).to_owned());
            }
            return;
        }
        self.input.key(key, down, &mut paste);
    }

    /// True if the menu looks other than it did.
    pub fn is_due(&self) -> bool {
        self.fresh > 0
            || self.input.is_waiting()
            || self
                .surface
                .as_ref()
                .is_some_and(|surface| surface.is_due(std::time::Instant::now()))
    }

    /// Draws the menu over the pixels of a window; what the user wants.
    pub fn draw(&mut self, pixels: &mut [u32], size: (usize, usize), facts: &Facts) -> Vec<Wish> {
        let settles = self.fresh == FRESH;
        self.fresh = self.fresh.saturating_sub(1);
        let events = self.input.take();
        let focused = self.input.is_focused();
        if let Some(mut surface) = self.surface.take() {
            surface.resize(size, scale_over(size));
            if settles {
                surface.settle(|ui| self.ui(ui, facts));
            }
            surface.run_over(pixels, events, focused, |ui| self.ui(ui, facts));
            self.surface = Some(surface);
        }
        std::mem::take(&mut self.wishes)
    }

    /// Lays out the menu.
    pub fn ui(&mut self, ui: &mut Ui, facts: &Facts) {
        let colours = theme::colours(ui);
        let (closes, pages) = ui.input(|input| {
            let pressed = |key| input.num_presses(key) as i32;
            let pages = pressed(Key::PageDown) - pressed(Key::PageUp);
            (pressed(Key::Escape) + pressed(Key::F1) > 0, pages)
        });
        if closes && self.page == Page::Library && self.library.ends_search() {
            return;
        }
        if closes {
            if self.question.take().is_none() || self.alone {
                self.wishes.push(Wish::Close);
            }
            return;
        }
        if self.alone {
            self.ask_in_the_middle(ui);
            return;
        }
        if pages != 0 {
            self.turn(pages);
        }
        self.focus_first(ui);
        ui.visuals_mut().widgets.inactive.bg_stroke =
            Stroke::new(1.0, colours.weak.gamma_multiply(0.5));
        self.sheet(ui, facts);
    }

    /// The page itself, or the question that stands in for it.
    fn body(&mut self, ui: &mut Ui, facts: &Facts) {
        if self.question.is_some() {
            self.ask(ui);
            return;
        }
        if self.page == Page::Library {
            let (wishes, question) = (&mut self.wishes, &mut self.question);
            if library::ui(ui, &mut self.library, facts.library, wishes, question) {
                self.show(Page::Files);
            }
            return;
        }
        let mut target = None;
        ScrollArea::vertical()
            .id_salt(self.page as u8)
            .auto_shrink(false)
            .show(ui, |ui| match self.page {
                // It scrolls by itself.
                Page::Library => {}
                Page::Keys => pages::keys(ui, facts),
                Page::Files => files::ui(ui, &mut self.files, facts, &mut self.wishes),
                Page::Drives => {
                    target = drives::ui(ui, &mut self.files, facts, &mut self.wishes);
                }
                Page::Machine => {
                    let (wishes, question) = (&mut self.wishes, &mut self.question);
                    target = machine::ui(ui, facts, &mut self.draft, wishes, question);
                }
                Page::Picture => pages::picture(ui, facts, &mut self.wishes),
                Page::Sound => pages::sound(ui, facts, &mut self.wishes),
                Page::Sticks => {
                    let pressed = self.files.pressed.take();
                    pages::sticks(ui, facts, &mut self.wanted, pressed, &mut self.wishes);
                }
                Page::States => {
                    let shown = (&mut self.slots[..], &self.strip[..]);
                    states::ui(ui, facts, shown, &mut self.wishes, &mut self.question);
                }
                Page::Record => pages::record(ui, facts, &mut self.wishes),
            });
        if let Some(target) = target {
            self.show(Page::Files);
            self.files.target = target;
        }
    }

    /// The first arrow key goes to the first thing on a page; the list of files has keys of its own.
    fn focus_first(&self, ui: &Ui) {
        let arrows = [
            Key::ArrowUp,
            Key::ArrowDown,
            Key::ArrowLeft,
            Key::ArrowRight,
        ];
        let pressed = ui.input(|input| arrows.into_iter().any(|key| input.key_pressed(key)));
        let listed = matches!(self.page, Page::Files | Page::Keys | Page::Library)
            && self.question.is_none();
        if pressed && !listed && ui.memory(|memory| memory.focused().is_none()) {
            ui.memory_mut(|memory| memory.move_focus(FocusDirection::Next));
        }
    }

    fn ask_in_the_middle(&mut self, ui: &mut Ui) {
        let colours = theme::colours(ui);
        let shade = egui::Color32::from_black_alpha(120);
        ui.painter().rect_filled(ui.max_rect(), 0.0, shade);
        let width = 330.0;
        let text = self.question.as_ref().map_or("", |(text, _)| text);
        let font = egui::FontId::proportional(16.0);
        let text = (ui.painter()).layout(text.to_owned(), font, colours.text, width - 20.0);
        let size = vec2(width, text.size().y + 84.0);
        let area = egui::Rect::from_center_size(ui.max_rect().center(), size);
        ui.painter().rect(
            area,
            4.0,
            colours.panel,
            egui::Stroke::new(1.0, colours.accent),
            egui::StrokeKind::Inside,
        );
        ui.scope_builder(egui::UiBuilder::new().max_rect(area.shrink(10.0)), |ui| {
            self.ask(ui);
            let hint = if self.asks_about().is_some() {
                "Enter or the same key again: yes; Esc: no"
            } else {
                "Enter: yes; Esc: no"
            };
            ui.label(RichText::new(hint).color(colours.weak).small());
        });
        if self.question.is_none() && self.wishes.is_empty() {
            self.wishes.push(Wish::Close);
        }
    }

    fn ask(&mut self, ui: &mut Ui) {
        let Some((text, wish)) = self.question.clone() else {
            return;
        };
        ui.add_space(4.0);
        ui.label(RichText::new(text).size(16.0));
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let yes = ui.button("Yes");
            // Enter means what is on the left.
            if ui.memory(|memory| memory.focused().is_none()) {
                yes.request_focus();
            }
            if yes.clicked() {
                self.wishes.push(wish);
                self.question = None;
            }
            if ui.button("No").clicked() {
                self.question = None;
            }
        });
    }
}
