//! The files of saved states: slots that belong to a program, by its content.
use host::Found;
use host::config;
use host::failure::Failure;
use host::files;
use host::recovery::{short_hash, slug};
use session::Kind;
use std::path::{Path, PathBuf};

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
}

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
        Self {
            folder,
            stem,
            old_stem,
            note,
        }
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

    /// Writes a state.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, slot: u8, state: &[u8]) -> Result<(), Failure> {
        std::fs::create_dir_all(&self.folder)
            .map_err(|error| Failure::file(&self.folder, format!("cannot be made: {error}")))?;
        files::write(&self.path(slot), state)?;
        match &self.note {
            Some(note) if !note.exists() => files::write(note, self.stem.as_bytes()),
            _ => Ok(()),
        }
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
    pub fn load(&self, slot: u8) -> Result<(PathBuf, Vec<u8>), Failure> {
        let path = self.existing(slot).unwrap_or_else(|| self.path(slot));
        let state = read(&path, slot)?;
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
    fn programs_of_one_name_have_slots_of_their_own_and_a_disk_keeps_them_when_it_is_written() {
        let folder = std::env::temp_dir().join(format!("anticlock-slots-{}", std::process::id()));
        let states = folder.join("states");
        for name in ["X", "Y"] {
            std::fs::create_dir_all(folder.join(name)).unwrap();
        }
        let slots = |found: &Found| Slots::in_folder(states.clone(), found);
        let [x, y] = ["X/dos.atr", "Y/dos.atr"].map(|name| folder.join(name));
        let (first, second) = (slots(&disk(&x, 1)), slots(&disk(&y, 2)));
        assert_ne!(first.path(0), second.path(0));
        first.save(0, b"state of x").unwrap();
        assert!(second.load(0).is_err());
        // The disk is written to; a session later it has the same slots.
        let later = slots(&disk(&x, 3));
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
