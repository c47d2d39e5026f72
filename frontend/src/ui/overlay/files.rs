//! Choosing a file, for starting it or as a disk.
use super::super::theme;
use super::Wish;
use crate::packed;
use egui::{Key, RichText, Ui, vec2};
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
    "state",
    "anticlock",
    "colleen",
    "xfd",
    "gz",
    "atz",
    "xfz",
];
/// Archives, which are opened like folders.
const ARCHIVE: &str = "zip";

struct Entry {
    name: String,
    folder: bool,
}

/// The list.
pub struct State {
    folder: PathBuf,
    entries: Vec<Entry>,
    /// The key that a stick waited for.
    pub pressed: Option<String>,
}

impl State {
    /// The list of a folder's files.
    pub fn new(folder: &Path) -> Self {
        let folder = folder
            .canonicalize()
            .unwrap_or_else(|_| folder.to_path_buf());
        let mut state = Self {
            folder,
            entries: Vec::new(),
            pressed: None,
        };
        state.read();
        state
    }

    /// The folder that is shown.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Looks at the folder anew.
    pub fn read(&mut self) {
        self.entries.clear();
        if let Some(names) = packed::programs(&self.folder) {
            self.entries.extend(names.into_iter().map(|name| Entry {
                name,
                folder: false,
            }));
        }
        for item in std::fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = item.file_name().to_string_lossy().into_owned();
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
                self.entries.push(Entry { name, folder });
            }
        }
        self.entries
            .sort_by_cached_key(|entry| (!entry.folder, entry.name.to_lowercase()));
    }

    fn go_to(&mut self, folder: PathBuf) {
        self.folder = folder;
        self.read();
    }

    /// The first name for a new disk that is free.
    fn free_name(&self) -> PathBuf {
        let name = |n: u32| self.folder.join(format!("disk-{n}.atr"));
        (1..10_000)
            .map(name)
            .find(|path| !path.exists())
            .unwrap_or_default()
    }
}

/// The page.
pub fn ui(ui: &mut Ui, state: &mut State, wishes: &mut Vec<Wish>) {
    let colours = theme::colours(ui);
    let typing = ui.ctx().text_edit_focused();
    let back = !typing && ui.input(|input| input.key_pressed(Key::Backspace));
    let mut target = None;
    ui.horizontal_wrapped(|ui| {
        if (ui.button("Up").on_hover_text("Backspace").clicked() || back)
            && let Some(parent) = state.folder.parent()
        {
            target = Some(parent.to_path_buf());
        }
        if ui
            .button("New disk")
            .on_hover_text("makes a blank disk here and puts it into D1:")
            .clicked()
        {
            wishes.push(Wish::NewDisk(state.free_name()));
        }
        if ui
            .button("Swap disks")
            .on_hover_text("the next disk into D1:")
            .clicked()
        {
            wishes.push(Wish::Switch(crate::config::Action::NextDisk));
        }
        if ui.button("Menu of games").clicked() {
            wishes.push(Wish::Act(crate::config::Action::Menu));
        }
    });
    ui.label(RichText::new(state.folder.display().to_string()).color(colours.weak));
    ui.separator();
    if state.entries.is_empty() {
        ui.label("no programs, disks or tapes in this folder");
    }
    for entry in &state.entries {
        ui.horizontal(|ui| {
            let path = state.folder.join(&entry.name);
            let name = entry.name.to_ascii_lowercase();
            let disk = [".atr", ".xfd", ".atz", ".xfz", ".atr.gz", ".xfd.gz"]
                .iter()
                .any(|ending| name.ends_with(ending));
            let width = ui.available_width() - if disk { 80.0 } else { 0.0 };
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
            let button = egui::Button::selectable(false, text)
                .min_size(vec2(width, 20.0))
                .truncate();
            if ui.add(button).clicked() {
                if entry.folder {
                    target = Some(path.clone());
                } else {
                    wishes.push(Wish::Start(path.clone()));
                }
            }
            if disk && ui.small_button("into D1:").clicked() {
                wishes.push(Wish::Insert(path));
            }
        });
    }
    if let Some(folder) = target {
        state.go_to(folder);
    }
}
