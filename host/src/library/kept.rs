//! Facts of titles that are kept from one session to the next: when they were played, and favourites.
use crate::failure::Failure;
use crate::files;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Keys of programs of ours begin with this; no path of a file does.
pub const BUILT_IN: &str = "anticlock:";
/// Titles that were played and are no favourites; the ones played longest ago are dropped.
const MOST: usize = 300;

/// The facts that are kept of a title.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mark {
    /// When it was last played: seconds since the beginning of 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<u64>,
    /// The user has marked it.
    pub favourite: bool,
}

/// All marks, and their file.
#[derive(Debug)]
pub struct Kept {
    path: PathBuf,
    marks: BTreeMap<String, Mark>,
    changed: bool,
    /// The file was not understood.
    damaged: bool,
}

impl Kept {
    /// Reads the file; one that does not exist is empty.
    pub fn read(path: PathBuf) -> Self {
        let text = std::fs::read_to_string(&path).ok();
        let marks = text.and_then(|text| toml::from_str(&text).ok());
        Self {
            damaged: marks.is_none() && path.exists(),
            path,
            marks: marks.unwrap_or_default(),
            changed: false,
        }
    }

    /// The mark of a key.
    pub fn mark(&self, key: &str) -> Mark {
        self.marks.get(key).copied().unwrap_or_default()
    }

    /// The files that have marks.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let keys = self.marks.keys();
        keys.filter(|key| !key.starts_with(BUILT_IN))
            .map(PathBuf::from)
    }

    /// Changes a mark.
    pub fn change(&mut self, key: &str, change: impl FnOnce(&mut Mark)) {
        let mut mark = self.mark(key);
        change(&mut mark);
        if mark == Mark::default() {
            self.marks.remove(key);
        } else {
            self.marks.insert(key.to_owned(), mark);
        }
        self.changed = true;
        let plain = || self.marks.iter().filter(|(_, mark)| !mark.favourite);
        if plain().count() > MOST
            && let Some((oldest, _)) = plain().min_by_key(|(_, mark)| mark.played)
        {
            let oldest = oldest.clone();
            self.marks.remove(&oldest);
        }
    }

    /// Writes the file if a mark has changed; one that was not understood is put aside first.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&mut self) -> Result<(), Failure> {
        if !self.changed {
            return Ok(());
        }
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|error| Failure::file(folder, format!("cannot be made: {error}")))?;
        }
        if self.damaged {
            let aside = self.path.with_extension("damaged");
            std::fs::rename(&self.path, &aside).map_err(|error| {
                Failure::file(&self.path, format!("cannot be put aside: {error}"))
            })?;
        }
        self.damaged = false;
        let text = toml::to_string(&self.marks).unwrap_or_default();
        files::write(&self.path, text.as_bytes())?;
        self.changed = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_back_and_a_damaged_file_is_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/library.toml");
        let mut kept = Kept::read(path.clone());
        kept.save().unwrap();
        assert!(!path.exists(), "nothing has changed");
        kept.change("/a \"b\"\n.xex", |mark| mark.favourite = true);
        kept.change("anticlock:gammon", |mark| mark.played = Some(7));
        kept.save().unwrap();
        let mut again = Kept::read(path.clone());
        assert_eq!(again.marks, kept.marks);
        assert_eq!(
            again.files().collect::<Vec<_>>(),
            [PathBuf::from("/a \"b\"\n.xex")]
        );
        again.change("/a \"b\"\n.xex", |mark| mark.favourite = false);
        assert_eq!(again.marks.len(), 1);
        for damaged in [&b"not = [toml"[..], b"\xFF\xFE", b"a = 3"] {
            std::fs::write(&path, damaged).unwrap();
            let mut kept = Kept::read(path.clone());
            kept.change("b", |mark| mark.played = Some(1));
            kept.save().unwrap();
            assert_eq!(
                std::fs::read(path.with_extension("damaged")).unwrap(),
                damaged
            );
            assert_eq!(Kept::read(path.clone()).marks, kept.marks);
        }
    }

    #[test]
    fn titles_that_were_played_long_ago_are_dropped_and_favourites_stay() {
        let mut kept = Kept::read("/nowhere/at/all".into());
        kept.change("favourite", |mark| mark.favourite = true);
        for n in 0..2 * MOST as u64 {
            kept.change(&n.to_string(), |mark| mark.played = Some(n));
        }
        assert_eq!(kept.marks.len(), MOST + 1);
        assert!(kept.mark("favourite").favourite);
        assert_eq!(kept.mark("0"), Mark::default());
        assert_eq!(kept.mark("599").played, Some(599));
    }
}
