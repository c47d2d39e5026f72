//! Choosing a file, for starting it or as a disk.
use super::super::theme;
use super::{Deed, Facts, Medium, Shared, Wish};
use egui::{Event, InputState, Key, RichText, Ui, vec2};
use host::config::Action;
use host::config::Rom;
use host::failure::plain;
use host::files::canonical;
use host::library::order;
use host::packed;
use media::atr::Blank;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Files that are of use: programs, disks, cartridges, tapes, states.
const ENDINGS: &[&str] = &[
    "xex",
    "com",
    "exe",
    "obj",
    "bas",
    "lst",
    "txt",
    "atr",
    "car",
    "rom",
    "bin",
    "cas",
    "sap",
    "state",
    "anticlock",
    "colleen",
    "xfd",
    "atx",
    "gz",
    "atz",
    "xfz",
    "m3u",
];
/// Those of them that go into a drive, and into the recorder.
const DISKS: &[&str] = &[
    ".atr", ".atx", ".xfd", ".atz", ".xfz", ".atr.gz", ".atx.gz", ".xfd.gz",
];
const TAPES: &[&str] = &[".cas", ".cas.gz"];
const CARTRIDGES: &[&str] = &[".car", ".rom", ".bin", ".car.gz", ".rom.gz", ".bin.gz"];
const ROMS: &[&str] = &[".rom", ".bin", ".rom.gz", ".bin.gz"];
/// Archives, which are opened like folders.
const ARCHIVE: &str = "zip";

/// Device that a file is inserted into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A drive or the recorder.
    Medium(Medium),
    /// A cartridge slot: 0 or 1.
    Slot(usize),
    /// A ROM of the machine that is being chosen.
    Rom(Rom),
}

impl Target {
    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Medium(Medium::Recorder) => TAPES,
            Self::Medium(Medium::Drive(_) | Medium::Cartridge) => DISKS,
            Self::Slot(_) => CARTRIDGES,
            Self::Rom(_) => ROMS,
        }
    }

    /// Where a file goes, in words: "into D1:", "as OS".
    fn place(self) -> String {
        match self {
            Self::Rom(_) => format!("as {self}"),
            _ => format!("into {self}"),
        }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Medium(medium) => medium.fmt(f),
            Self::Slot(slot) => write!(f, "slot {}", slot + 1),
            Self::Rom(Rom::Os) => f.write_str("OS"),
            Self::Rom(Rom::Basic) => f.write_str("BASIC"),
        }
    }
}

struct Entry {
    /// As it is shown.
    name: String,
    /// As the system has it: not every name is text.
    file: OsString,
    folder: bool,
}

/// Entries from one page to the next.
const PAGE: usize = 10;

/// The list.
pub struct State {
    folder: PathBuf,
    entries: Vec<Entry>,
    /// The entry that the keys are at.
    at: usize,
    /// The list scrolls there.
    moved: bool,
    /// Device that an inserted file goes into.
    pub target: Target,
    /// The density of new disks.
    pub density: Blank,
    /// The key that a stick waited for.
    pub pressed: Option<String>,
}

impl State {
    /// The list of a folder's files.
    pub fn new(folder: &Path) -> Self {
        let folder = canonical(folder).unwrap_or_else(|_| folder.to_path_buf());
        let mut state = Self {
            folder,
            entries: Vec::new(),
            at: 0,
            moved: false,
            target: Target::Medium(Medium::Drive(0)),
            density: Blank::Single,
            pressed: None,
        };
        state.read();
        state
    }

    /// The folder that is shown.
    pub fn folder(&self) -> &Path {
        // What is stored goes beside an archive, not into it.
        let archive = self.folder.is_file().then(|| self.folder.parent());
        archive.flatten().unwrap_or(&self.folder)
    }

    /// Looks at the folder again.
    pub fn read(&mut self) {
        self.entries.clear();
        self.at = 0;
        if let Some(names) = packed::programs(&self.folder) {
            self.entries.extend(names.into_iter().map(|name| Entry {
                file: (&name).into(),
                name: plain(&name),
                folder: false,
            }));
        }
        self.entries.extend(self.drives());
        for item in std::fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
        {
            let file = item.file_name();
            let name = plain(&file.to_string_lossy());
            // Links count as what they lead to.
            let Ok(about) = std::fs::metadata(item.path()) else {
                continue;
            };
            let ending = Path::new(&name)
                .extension()
                .map(|e| e.to_string_lossy().to_ascii_lowercase());
            let folder = about.is_dir() || ending.as_deref() == Some(ARCHIVE);
            let known = ending.is_some_and(|e| ENDINGS.contains(&e.as_str()));
            if !name.starts_with('.') && (folder || known) {
                self.entries.push(Entry { name, file, folder });
            }
        }
        self.entries
            .sort_by_cached_key(|entry| (!entry.folder, order::key(&entry.name)));
    }

    /// The drives of Windows, in the folder above them all: an empty path.
    fn drives(&self) -> impl Iterator<Item = Entry> + use<> {
        let shown = cfg!(windows) && self.folder.as_os_str().is_empty();
        let letters = (b'A'..=b'Z').filter(move |_| shown);
        letters.filter_map(|letter| {
            let name = format!("{}:\\", char::from(letter));
            let file = OsString::from(&name);
            Path::new(&name).is_dir().then_some(Entry {
                name: name.trim_end_matches('\\').to_owned(),
                file,
                folder: true,
            })
        })
    }

    /// The folder above this one.
    fn above(&self) -> Option<PathBuf> {
        let drives = cfg!(windows) && self.folder.has_root();
        let parent = self.folder.parent().map(Path::to_path_buf);
        parent.or_else(|| drives.then(PathBuf::new))
    }

    fn go_to(&mut self, folder: PathBuf) {
        let from = self.folder.file_name().map(OsString::from);
        let up = self.folder.parent() == Some(&folder);
        self.folder = folder;
        self.read();
        let place = self
            .entries
            .iter()
            .position(|entry| up && Some(&entry.file) == from.as_ref());
        self.at = place.unwrap_or(0);
        self.moved = true;
    }

    fn path(&self, entry: &Entry) -> PathBuf {
        self.folder.join(&entry.file)
    }

    /// The keys' requests: a letter goes to the next entry that begins with it. Tab goes to the buttons, up and down come back to the list.
    fn keys(&mut self, ui: &Ui, wishes: &mut Vec<Wish>) {
        const KEYS: [Key; 9] = [
            Key::ArrowUp,
            Key::ArrowDown,
            Key::Home,
            Key::End,
            Key::Enter,
            Key::Insert,
            Key::Backspace,
            Key::ArrowLeft,
            Key::ArrowRight,
        ];
        if let Some(button) = ui.memory(egui::Memory::focused) {
            let back = |input: &InputState| {
                input.key_pressed(Key::ArrowUp) || input.key_pressed(Key::ArrowDown)
            };
            if ui.ctx().text_edit_focused() || !ui.input(back) {
                return;
            }
            ui.memory_mut(|memory| memory.surrender_focus(button));
        }
        let last = self.entries.len().saturating_sub(1);
        for event in ui.input_mut(|input| super::take_keys(input, &KEYS)) {
            self.moved = true;
            match event {
                Event::Text(text) => self.go_to_letter(&text),
                Event::Key { key, .. } => match key {
                    Key::ArrowUp => self.at = self.at.saturating_sub(1),
                    Key::ArrowDown => self.at = (self.at + 1).min(last),
                    Key::Home => self.at = 0,
                    Key::End => self.at = last,
                    Key::ArrowLeft | Key::ArrowRight => {
                        let by = if key == Key::ArrowLeft { 0 } else { 2 * PAGE };
                        self.at = (self.at + by).saturating_sub(PAGE).min(last);
                    }
                    Key::Backspace => {
                        if let Some(folder) = self.above() {
                            self.go_to(folder);
                        }
                    }
                    _ => self.choose(self.at, key == Key::Insert, wishes),
                },
                _ => {}
            }
        }
    }

    /// Goes to the next entry that begins with a text's first letter.
    fn go_to_letter(&mut self, text: &str) {
        let first = |text: &str| text.chars().flat_map(char::to_lowercase).next();
        let letter = first(text);
        let begins = |entry: &Entry| first(&entry.name) == letter;
        let after = self.at + 1;
        let next = self.entries.iter().skip(after).position(begins);
        let next = next.map(|n| n + after);
        self.at = next
            .or(self.entries.iter().position(begins))
            .unwrap_or(self.at);
    }

    /// Starts a file, inserts it, or goes into a folder.
    fn choose(&mut self, number: usize, insert: bool, wishes: &mut Vec<Wish>) {
        let Some(entry) = self.entries.get(number) else {
            return;
        };
        let path = self.path(entry);
        if entry.folder {
            self.go_to(path);
        } else if insert {
            wishes.push(match self.target {
                Target::Medium(medium) => Wish::Insert(medium, path),
                Target::Slot(slot) => Wish::Plug(slot, Some(path)),
                Target::Rom(rom) => Wish::Rom(rom, path),
            });
        } else {
            wishes.push(Wish::Choose(path));
        }
    }

    /// The first name for a new disk or tape that is free.
    pub fn free_name(&self, medium: Medium) -> PathBuf {
        let name = |n: u32| {
            self.folder().join(match medium {
                Medium::Recorder => format!("tape-{n}.cas"),
                Medium::Drive(_) | Medium::Cartridge => format!("disk-{n}.atr"),
            })
        };
        (1..10_000)
            .map(name)
            .find(|path| !path.exists())
            .unwrap_or_default()
    }
}

/// The page.
pub fn ui(ui: &mut Ui, state: &mut State, facts: &Facts, wishes: &mut Vec<Wish>) {
    let colours = theme::colours(ui);
    state.keys(ui, wishes);
    let up = buttons(ui, state, wishes);
    for (n, folder) in facts.folders.iter().enumerate() {
        shared(ui, n, folder, wishes);
    }
    let folder = plain(&state.folder.display().to_string());
    ui.label(RichText::new(folder).color(colours.weak));
    let keys = format!(
        "Enter: start; Insert: {}; Backspace: up; Tab: buttons",
        state.target.place()
    );
    ui.label(RichText::new(keys).color(colours.weak).small());
    ui.separator();
    if state.entries.is_empty() {
        ui.label("no programs, disks or tapes in this folder");
    }
    let mut chosen = None;
    for n in 0..state.entries.len() {
        chosen = row(ui, state, n).or(chosen);
    }
    state.moved = false;
    if let Some((n, insert)) = chosen {
        state.choose(n, insert, wishes);
    }
    if up && let Some(folder) = state.above() {
        state.go_to(folder);
    }
}

/// The buttons above the list; true for the way to the folder above.
fn buttons(ui: &mut Ui, state: &State, wishes: &mut Vec<Wish>) -> bool {
    let mut up = false;
    ui.horizontal_wrapped(|ui| {
        up = ui.button("Up").on_hover_text("Backspace").clicked();
        if let Target::Medium(medium) = state.target {
            let hint = format!("makes one here and puts it into {medium}");
            let name = match medium {
                Medium::Recorder => "New tape",
                Medium::Drive(_) | Medium::Cartridge => "New disk",
            };
            if ui.button(name).on_hover_text(hint).clicked() {
                wishes.push(Wish::New(medium, state.free_name(medium), state.density));
            }
        }
        if ui
            .button("Swap disks")
            .on_hover_text("the next disk into D1:")
            .clicked()
        {
            wishes.push(Wish::Switch(Action::NextDisk));
        }
        if ui.button("Menu of games").clicked() {
            wishes.push(Wish::Act(Action::Menu));
        }
        if ui
            .button("Folder as H:")
            .on_hover_text("programs may read and write what is in this folder")
            .clicked()
        {
            wishes.push(Wish::Share(state.folder().to_owned()));
        }
        if ui
            .button("Into the library")
            .on_hover_text("the library shows the programs in this folder and in those in it")
            .clicked()
        {
            let folder = state.folder().to_owned();
            wishes.push(Wish::Library(Deed::Collect(folder)));
        }
    });
    up
}

/// An entry of the list: its number if it was chosen, and true if it is to be inserted.
fn row(ui: &mut Ui, state: &State, n: usize) -> Option<(usize, bool)> {
    let colours = theme::colours(ui);
    let entry = &state.entries[n];
    let mut chosen = None;
    ui.horizontal(|ui| {
        let name = entry.name.to_ascii_lowercase();
        let endings = state.target.endings();
        let fits = endings.iter().any(|ending| name.ends_with(ending));
        let width = ui.available_width() - if fits { 80.0 } else { 0.0 };
        let text = if entry.folder {
            format!("{}/", entry.name)
        } else {
            entry.name.clone()
        };
        let text = RichText::new(text).color(if entry.folder {
            colours.accent
        } else {
            colours.text
        });
        let button = egui::Button::selectable(state.at == n, (text, egui::Atom::grow()))
            .sense(egui::Sense::CLICK)
            .min_size(vec2(width, 20.0))
            .truncate();
        let response = ui.add(button);
        if state.moved && state.at == n {
            response.scroll_to_me(None);
        }
        if response.clicked() {
            chosen = Some((n, false));
        }
        if fits && ui.small_button(state.target.place()).clicked() {
            chosen = Some((n, true));
        }
    });
    chosen
}

/// A folder that programs see as H:.
fn shared(ui: &mut Ui, number: usize, folder: &Shared, wishes: &mut Vec<Wish>) {
    let name = format!("H{}:", number + 1);
    ui.horizontal(|ui| {
        ui.label(RichText::new(&name).color(theme::colours(ui).accent));
        let layout = egui::Layout::right_to_left(egui::Align::Center);
        ui.with_layout(layout, |ui| {
            if folder.chosen && ui.small_button(format!("take away {name}")).clicked() {
                wishes.push(Wish::Unshare(number));
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let path = plain(&folder.path.display().to_string());
                ui.add(egui::Label::new(path).truncate());
            });
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_walked_and_files_chosen() {
        let top = std::env::temp_dir().join(format!("anticlock-files-{}", std::process::id()));
        let games = top.join("games");
        std::fs::create_dir_all(&games).unwrap();
        for name in ["b.XEX", "A.atr", ".hidden.atr", "notes.pdf"] {
            std::fs::write(games.join(name), "x").unwrap();
        }
        for name in ["x.bas", "x 10.bas", "x 9.bas"] {
            std::fs::write(top.join(name), "x").unwrap();
        }
        let mut state = State::new(&top);
        let names = |state: &State| -> Vec<String> {
            state
                .entries
                .iter()
                .map(|entry| entry.name.clone())
                .collect()
        };
        assert_eq!(names(&state), ["games", "x 9.bas", "x 10.bas", "x.bas"]);
        let mut wishes = Vec::new();
        state.choose(0, false, &mut wishes);
        assert_eq!(names(&state), ["A.atr", "b.XEX"]);
        state.choose(1, false, &mut wishes);
        state.choose(0, true, &mut wishes);
        let folder = state.folder().to_path_buf();
        assert_eq!(
            wishes,
            [
                Wish::Choose(folder.join("b.XEX")),
                Wish::Insert(Medium::Drive(0), folder.join("A.atr"))
            ]
        );
        state.go_to(top.canonicalize().unwrap());
        assert_eq!(state.at, 0);
        std::fs::remove_dir_all(&top).unwrap();
        // A folder that has gone.
        state.read();
        state.choose(3, false, &mut wishes);
        assert!(state.entries.is_empty() && wishes.len() == 2);
    }
}
