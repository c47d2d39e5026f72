//! The files of saved states: slots that belong to a program, by its content.
use host::Found;
use host::config;
use host::failure::Failure;
use host::files;
use host::recovery::{short_hash, slug};
use session::Kind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Slots of saved states.
pub const COUNT: u8 = 10;
/// Characters of a name.
const LONGEST: usize = 40;

/// The slots of a program.
#[derive(Clone, Debug)]
pub struct Slots {
    folder: PathBuf,
    stem: String,
    /// As earlier versions named them: programs of one name shared their slots.
    old_stem: String,
    /// The file in which the stem of a disk is noted. A disk's content changes; it keeps the slots that it had when the first state was saved.
    note: Option<PathBuf>,
    /// The files of the slots as this window has saved, loaded or shown them. Another window may have written a slot since.
    seen: [Option<Stamp>; COUNT as usize],
}

/// Time and size of a slot's file.
type Stamp = (SystemTime, u64);

impl Slots {
    /// The slots of this program.
    pub fn of(found: &Found) -> Self {
        Self::in_folder(config::states(), found)
    }

    fn in_folder(folder: PathBuf, found: &Found) -> Self {
        let old_stem = slug(&found.program.title);
        let key = found.content.map_or(0, |content| content.hash);
        let mut stem = format!("{old_stem}-{key:016x}");
        let mut note = None;
        if let (Kind::Disk(_), Some(path)) = (&found.program.kind, &found.path) {
            let path = path.canonicalize().unwrap_or_else(|_| path.clone());
            let hash = short_hash(path.as_os_str().as_encoded_bytes());
            let path = folder.join(format!("{old_stem}-{hash:08x}.slots"));
            let noted = std::fs::read_to_string(&path).unwrap_or_default();
            let noted = noted.trim();
            // The note is ours, but a file all the same.
            if !noted.is_empty() && noted == slug(noted) {
                noted.clone_into(&mut stem);
            }
            note = Some(path);
        }
        let mut slots = Self {
            folder,
            stem,
            old_stem,
            note,
            seen: [None; COUNT as usize],
        };
        slots.see_all();
        slots
    }

    /// Takes note of what is in all slots, which the user sees now.
    pub fn see_all(&mut self) {
        (0..COUNT).for_each(|slot| self.see(slot));
    }

    fn see(&mut self, slot: u8) {
        self.seen[usize::from(slot)] = self.stamp(slot);
    }

    fn stamp(&self, slot: u8) -> Option<Stamp> {
        let about = std::fs::metadata(self.existing(slot)?).ok()?;
        Some((about.modified().ok()?, about.len()))
    }

    /// The file of a slot's state, whether it exists or not.
    pub fn path(&self, slot: u8) -> PathBuf {
        self.folder.join(format!("{}-{slot}.state", self.stem))
    }

    /// The file with the state in a slot, also one of an earlier version.
    pub fn existing(&self, slot: u8) -> Option<PathBuf> {
        let old = self.folder.join(format!("{}-{slot}.state", self.old_stem));
        [self.path(slot), old]
            .into_iter()
            .find(|path| path.exists())
    }

    /// Writes a state. A state that another window has saved in the slot meanwhile moves to an empty slot, whose number is the result.
    ///
    /// # Errors
    /// When it cannot be written, or when no slot is empty for the other window's state.
    pub fn save(&mut self, slot: u8, state: &[u8]) -> Result<Option<u8>, Failure> {
        std::fs::create_dir_all(&self.folder)
            .map_err(|error| Failure::file(&self.folder, format!("cannot be made: {error}")))?;
        let moved = self.make_room(slot)?;
        files::write(&self.path(slot), state)?;
        self.see(slot);
        match &self.note {
            Some(note) if !note.exists() => files::write(note, self.stem.as_bytes())?,
            _ => {}
        }
        Ok(moved)
    }

    /// Moves a state that this window has not seen, with its name, to the first empty slot.
    fn make_room(&mut self, slot: u8) -> Result<Option<u8>, Failure> {
        let Some(path) = self.existing(slot) else {
            return Ok(None);
        };
        if self.stamp(slot) == self.seen[usize::from(slot)] {
            return Ok(None);
        }
        let empty = (0..COUNT).find(|&other| self.existing(other).is_none());
        let Some(empty) = empty else {
            return Err(Failure::input(format!(
                "another window has saved in slot {slot}, and no slot is empty; the menu's page of states shows them"
            )));
        };
        let moved = |from: &Path, to: &Path| {
            std::fs::rename(from, to)
                .map_err(|error| Failure::file(from, format!("cannot be moved: {error}")))
        };
        moved(&path, &self.path(empty))?;
        let name = self.name_file(slot);
        if name.exists() {
            moved(&name, &self.name_file(empty))?;
        }
        self.see(empty);
        Ok(Some(empty))
    }

    /// The file of the name of a slot's state.
    fn name_file(&self, slot: u8) -> PathBuf {
        self.folder.join(format!("{}-{slot}.name", self.stem))
    }

    /// The user's name for the state in a slot; empty when there is none.
    pub fn name(&self, slot: u8) -> String {
        let text = files::read(&self.name_file(slot)).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let shown = text.chars().filter(|c| !c.is_control());
        shown.take(LONGEST).collect()
    }

    /// Names the state in a slot; an empty name takes the name away.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn set_name(&self, slot: u8, name: &str) -> Result<(), Failure> {
        let path = self.name_file(slot);
        if name.is_empty() {
            return remove(&path);
        }
        files::write(&path, name.as_bytes())
    }

    /// Deletes the state in a slot, and its name.
    ///
    /// # Errors
    /// When it cannot be deleted.
    pub fn delete(&self, slot: u8) -> Result<(), Failure> {
        if let Some(path) = self.existing(slot) {
            remove(&path)?;
        }
        remove(&self.name_file(slot))
    }

    /// Reads a state; gives its file, too.
    ///
    /// # Errors
    /// When the slot is empty or its file cannot be read.
    pub fn load(&mut self, slot: u8) -> Result<(PathBuf, Vec<u8>), Failure> {
        let path = self.existing(slot).unwrap_or_else(|| self.path(slot));
        let state = read(&path, slot)?;
        self.see(slot);
        Ok((path, state))
    }
}

/// Removes a file that may not exist.
fn remove(path: &Path) -> Result<(), Failure> {
    if path.exists() {
        files::remove(path)
    } else {
        Ok(())
    }
}

fn read(path: &Path, slot: u8) -> Result<Vec<u8>, Failure> {
    if path.exists() {
        files::read(path)
    } else {
        Err(Failure::input(format!("slot {slot} is empty")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use media::Identity;
    use media::atr::{Blank, Disk};
    use session::Program;

    fn disk(path: &Path, first: u8) -> Found {
        let mut disk = Disk::blank(Blank::Single);
        disk.write_sector(1, &[first]);
        let bytes = disk.to_bytes();
        files::write(path, &bytes).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        Found {
            program: Program::of_file(&name, &bytes).unwrap(),
            path: Some(path.to_owned()),
            content: Some(Identity::of(&bytes)),
        }
    }

    #[test]
    fn what_another_window_has_saved_in_a_slot_moves_to_an_empty_one() {
        let folder = std::env::temp_dir().join(format!("anticlock-slots2-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let found = disk(&folder.join("dos.atr"), 1);
        let window = || Slots::in_folder(folder.join("states"), &found);
        let (mut first, mut second) = (window(), window());
        assert_eq!(first.save(0, b"of the first").unwrap(), None);
        assert_eq!(first.save(0, b"of the first, again").unwrap(), None);
        first.set_name(0, "before the end").unwrap();
        assert_eq!(second.save(0, b"of the second").unwrap(), Some(1));
        assert_eq!(second.load(0).unwrap().1, b"of the second");
        assert_eq!(second.load(1).unwrap().1, b"of the first, again");
        assert_eq!(
            (second.name(0), second.name(1)),
            (String::new(), "before the end".into())
        );
        // What has been loaded or shown is written over, as one's own.
        assert_eq!(first.load(0).unwrap().1, b"of the second");
        assert_eq!(first.save(0, b"first").unwrap(), None);
        second.see_all();
        assert_eq!(second.save(0, b"second").unwrap(), None);
        // No slot is empty.
        for slot in 2..COUNT {
            assert_eq!(second.save(slot, b"more").unwrap(), None);
        }
        let refused = first.save(0, b"lost").unwrap_err().to_string();
        assert!(
            refused.starts_with("another window has saved in slot 0"),
            "{refused}"
        );
        assert_eq!(first.load(0).unwrap().1, b"second");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn programs_of_one_name_have_slots_of_their_own_and_a_disk_keeps_them_when_it_is_written() {
        let folder = std::env::temp_dir().join(format!("anticlock-slots-{}", std::process::id()));
        let states = folder.join("states");
        for name in ["X", "Y"] {
            std::fs::create_dir_all(folder.join(name)).unwrap();
        }
        let slots = |found: &Found| Slots::in_folder(states.clone(), found);
        let [x, y] = ["X/dos.atr", "Y/dos.atr"].map(|name| folder.join(name));
        let (mut first, mut second) = (slots(&disk(&x, 1)), slots(&disk(&y, 2)));
        assert_ne!(first.path(0), second.path(0));
        first.save(0, b"state of x").unwrap();
        assert!(second.load(0).is_err());
        // The disk is written to; a session later it has the same slots.
        let mut later = slots(&disk(&x, 3));
        assert_eq!(later.load(0).unwrap().1, b"state of x");
        // Names belong to the slot, and go with its state.
        later.set_name(0, "before the \u{F6}\u{E4} boss").unwrap();
        assert_eq!(later.name(0), "before the \u{F6}\u{E4} boss");
        assert_eq!(second.name(0), "");
        later.set_name(0, "").unwrap();
        assert_eq!(later.name(0), "");
        later.set_name(0, "again").unwrap();
        later.delete(0).unwrap();
        assert!(later.load(0).is_err() && later.name(0).is_empty());
        later.delete(0).unwrap();
        // Names without a Latin letter.
        let [one, two] =
            ["\u{43C}\u{438}\u{440}.atr", "\u{65E5}.atr"].map(|name| folder.join(name));
        assert_ne!(slots(&disk(&one, 4)).path(0), slots(&disk(&two, 5)).path(0));
        // A slot of an earlier version.
        files::write(&states.join("dos-atr-7.state"), b"old").unwrap();
        assert_eq!(second.load(7).unwrap().1, b"old");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
