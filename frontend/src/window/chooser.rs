//! Choosing a file: a list over the picture.
use super::canvas::Canvas;
use crate::failure::plain;
use crate::packed;
use minifb::Key;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

const WHITE: u32 = 0xFF_FFFF;
const GOLD: u32 = 0xF0_C040;
const DIM: u32 = 0x90_A0B0;
const BAR: u32 = 0x30_5080;

/// Files that are of use: programs, disks, cartridges, states.
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
    "state",
    "anticlock",
    "colleen",
    "xfd",
    "cas",
    "gz",
    "atz",
    "xfz",
];
/// Archives, which are opened like folders.
const ARCHIVE: &str = "zip";
/// Entries from one page to the next.
const PAGE: usize = 10;

/// What a person has decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// To go without a file.
    Nothing,
    /// To start this file.
    Start(PathBuf),
    /// To put this disk into D1:.
    Insert(PathBuf),
}

struct Entry {
    /// As it is shown.
    name: String,
    /// As the system has it: not every name is text.
    file: OsString,
    folder: bool,
}

/// The list.
pub struct Chooser {
    folder: PathBuf,
    entries: Vec<Entry>,
    at: usize,
    /// A key was pressed since the list was opened; what is typed before belongs to the key that opened it.
    asked: bool,
}

impl Chooser {
    /// The list of a folder's files.
    pub fn open(folder: &Path) -> Self {
        let mut chooser = Self {
            folder: folder
                .canonicalize()
                .unwrap_or_else(|_| folder.to_path_buf()),
            entries: Vec::new(),
            at: 0,
            asked: false,
        };
        chooser.read();
        chooser
    }

    /// The folder that is shown.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn read(&mut self) {
        self.at = 0;
        self.entries.clear();
        if let Some(names) = packed::programs(&self.folder) {
            self.entries.extend(names.into_iter().map(|name| Entry {
                file: (&name).into(),
                name: plain(&name),
                folder: false,
            }));
        }
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
            .sort_by_cached_key(|entry| (!entry.folder, entry.name.to_lowercase()));
        if self.folder.parent().is_some() {
            self.entries.insert(
                0,
                Entry {
                    name: "..".to_owned(),
                    file: "..".into(),
                    folder: true,
                },
            );
        }
    }

    fn go_up(&mut self) {
        let from = self.folder.file_name().map(OsStr::to_owned);
        if self.folder.pop() {
            self.read();
            let place = self
                .entries
                .iter()
                .position(|e| Some(&e.file) == from.as_ref());
            self.at = place.unwrap_or(0);
        }
    }

    /// A key was pressed.
    pub fn key(&mut self, key: Key) -> Option<Choice> {
        self.asked = true;
        let last = self.entries.len().saturating_sub(1);
        match key {
            Key::Escape => return Some(Choice::Nothing),
            Key::Up => self.at = self.at.saturating_sub(1),
            Key::Down => self.at = (self.at + 1).min(last),
            Key::PageUp => self.at = self.at.saturating_sub(PAGE),
            Key::PageDown => self.at = (self.at + PAGE).min(last),
            Key::Home => self.at = 0,
            Key::End => self.at = last,
            Key::Backspace | Key::Left => self.go_up(),
            Key::Enter | Key::NumPadEnter | Key::Right | Key::Insert => {
                let entry = self.entries.get(self.at)?;
                if entry.folder && entry.name == ".." {
                    self.go_up();
                } else if entry.folder {
                    self.folder.push(&entry.file);
                    self.read();
                } else {
                    let path = self.folder.join(&entry.file);
                    return Some(if key == Key::Insert {
                        Choice::Insert(path)
                    } else {
                        Choice::Start(path)
                    });
                }
            }
            _ => {}
        }
        None
    }

    /// A character was typed: the next entry that begins with it.
    pub fn character(&mut self, character: char) {
        if !self.asked {
            return;
        }
        let begins = |entry: &Entry| {
            let mut first = entry.name.chars().flat_map(char::to_lowercase);
            first.next() == character.to_lowercase().next()
        };
        let after = self.at + 1;
        let found = self.entries.iter().skip(after).position(begins);
        self.at = match found {
            Some(n) => after + n,
            None => self.entries.iter().position(begins).unwrap_or(self.at),
        };
    }

    /// Draws the list over the whole canvas.
    pub fn draw(&self, canvas: &mut Canvas) {
        let (width, height) = (canvas.width, canvas.height);
        canvas.shade(0, 0, width, height, 0x00_1020, 216);
        let scale = (height / 300).min(width / 360).max(1);
        let line = 12 * scale;
        let left = 2 * 8 * scale;
        let letters = (width / (8 * scale)).saturating_sub(4);
        let fit = |text: &str| -> String {
            let count = text.chars().count();
            if count <= letters {
                return text.to_owned();
            }
            // The end of a path says more than its beginning.
            let end: String = text.chars().skip(count + 3 - letters.max(3)).collect();
            format!("...{end}")
        };
        let folder = fit(&self.folder.display().to_string());
        canvas.text(left, line, scale, GOLD, &folder);
        let rows = (height / line).saturating_sub(6).max(1);
        let top = self.at.saturating_sub(rows / 2);
        let top = top.min(self.entries.len().saturating_sub(rows));
        for (row, (i, entry)) in self
            .entries
            .iter()
            .enumerate()
            .skip(top)
            .take(rows)
            .enumerate()
        {
            let y = (row + 3) * line;
            if i == self.at {
                let bar = (width + 8 * scale).saturating_sub(2 * left);
                canvas.fill(left - 4 * scale, y - 2 * scale, bar, line, BAR);
            }
            let mark = if entry.folder { "/" } else { "" };
            let colour = if entry.folder { GOLD } else { WHITE };
            canvas.text(
                left,
                y,
                scale,
                colour,
                &fit(&format!("{}{mark}", entry.name)),
            );
        }
        let keys = fit("Enter starts, Insert puts a disk into D1:, Esc goes back");
        canvas.text(left, (rows + 4) * line, scale, DIM, &keys);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(chooser: &Chooser) -> Vec<&str> {
        chooser.entries.iter().map(|e| e.name.as_str()).collect()
    }

    #[test]
    fn folders_are_walked_and_files_chosen_by_keys() {
        let top = std::env::temp_dir().join(format!("anticlock-chooser-{}", std::process::id()));
        std::fs::create_dir_all(top.join("games")).unwrap();
        for name in ["b.XEX", "A.atr", "notes.pdf", ".hidden.xex", "games/x.bas"] {
            std::fs::write(top.join(name), "x").unwrap();
        }
        let mut chooser = Chooser::open(&top);
        assert_eq!(names(&chooser), ["..", "games", "A.atr", "b.XEX"]);
        // The letter of the key that opened the list chooses nothing.
        chooser.character('b');
        assert_eq!(chooser.at, 0);
        assert_eq!(chooser.key(Key::Down), None);
        assert_eq!(chooser.key(Key::Enter), None);
        assert_eq!(names(&chooser), ["..", "x.bas"]);
        assert_eq!(chooser.key(Key::Backspace), None);
        assert_eq!(chooser.entries[chooser.at].name, "games");
        chooser.character('B');
        let folder = chooser.folder().to_path_buf();
        assert_eq!(
            chooser.key(Key::Enter),
            Some(Choice::Start(folder.join("b.XEX")))
        );
        chooser.character('a');
        assert_eq!(
            chooser.key(Key::Insert),
            Some(Choice::Insert(folder.join("A.atr")))
        );
        assert_eq!(chooser.key(Key::Escape), Some(Choice::Nothing));
        for size in [(1, 1), (40, 20), (320, 240), (2000, 1200)] {
            let mut canvas = Canvas::default();
            canvas.resize(size.0, size.1);
            chooser.draw(&mut canvas);
        }
        std::fs::remove_dir_all(&top).unwrap();
        // A folder that has gone.
        assert_eq!(chooser.key(Key::End), None);
        chooser.read();
        chooser.key(Key::Enter);
    }
}
