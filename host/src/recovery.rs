//! The folder for output of programs that no file of the user's has: copies of disks that were not stored, contents of a disk before
//! the machine went back in time, files that could not be written in their place.
use crate::failure::Failure;
use crate::files;
use crate::packed;
use std::path::{Path, PathBuf};

/// Versions of a disk that are kept from before the machine went back in time.
const UNDONE: usize = 10;

/// A title as the beginning of a file's name.
pub fn slug(title: &str) -> String {
    let plain = title.chars().map(|c| match c {
        c if c.is_ascii_alphanumeric() => c.to_ascii_lowercase(),
        _ => '-',
    });
    let plain: String = plain.collect();
    let parts: Vec<&str> = plain.split('-').filter(|part| !part.is_empty()).collect();
    let mut joined = parts.join("-");
    joined.truncate(100);
    if joined.is_empty() {
        "anticlock".into()
    } else {
        joined
    }
}

/// FNV-1a with 32 bits, for names.
pub fn short_hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |hash, &byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// The beginning of the names of copies of this disk: its own name and a hash of its path.
fn stem(name: &str, of: Option<&Path>) -> String {
    let place = of.map(|path| path.canonicalize().unwrap_or_else(|_| path.to_owned()));
    let place = place.unwrap_or_default();
    let hash = short_hash(place.as_os_str().as_encoded_bytes());
    format!("{}-{hash:08x}", slug(name))
}

fn ending(tape: bool, bytes: &[u8]) -> &'static str {
    match tape {
        _ if bytes.starts_with(b"CART") => "car",
        true => "cas",
        false => "atr",
    }
}

/// The folder.
#[derive(Clone, Debug)]
pub struct Recovery {
    folder: PathBuf,
}

impl Recovery {
    /// In this folder, which is made when something is kept.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Its path.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn made(&self) -> Result<&Path, Failure> {
        std::fs::create_dir_all(&self.folder)
            .map_err(|error| Failure::file(&self.folder, format!("cannot be made: {error}")))?;
        Ok(&self.folder)
    }

    /// Keeps what was written to a copy; gives the name of the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(
        &self,
        name: &str,
        of: Option<&Path>,
        tape: bool,
        bytes: &[u8],
    ) -> Result<PathBuf, Failure> {
        let path = files::reserve(self.made()?, &stem(name, of), ending(tape, bytes))?;
        files::write(&path, bytes).inspect_err(|_| {
            let _ = std::fs::remove_file(&path);
        })?;
        Ok(path)
    }

    /// Keeps what a file holds before the machine, gone back in time, writes something older to it.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub(crate) fn keep_undone(&self, path: &Path, name: &str) -> Result<(), Failure> {
        let bytes = packed::open(path)?.bytes;
        let stem = format!("undone-{}", stem(name, Some(path)));
        let tape = !bytes.starts_with(&[0x96, 0x02]);
        let mut old = named(&self.folder, &stem);
        if old
            .iter()
            .any(|old| files::read(old).is_ok_and(|old| old == bytes))
        {
            return Ok(());
        }
        let path = files::reserve(self.made()?, &stem, ending(tape, &bytes))?;
        files::write(&path, &bytes).inspect_err(|_| {
            let _ = std::fs::remove_file(&path);
        })?;
        while old.len() >= UNDONE {
            let _ = std::fs::remove_file(old.remove(0));
        }
        Ok(())
    }

    /// The newest copy of the disk or tape in a file that programs have written to and that no file of the user's has; not one of `known`.
    pub fn of<'a>(
        &self,
        path: &Path,
        name: &str,
        known: impl Iterator<Item = &'a PathBuf>,
    ) -> Option<PathBuf> {
        let mut all = named(&self.folder, &stem(name, Some(path)));
        let known: Vec<_> = known.collect();
        // A cartridge is not put into a machine that runs.
        let fits = |kept: &PathBuf| kept.extension().is_none_or(|ending| ending != "car");
        all.retain(|kept| fits(kept) && !known.contains(&kept));
        all.pop()
    }
}

/// Files whose names begin like this, the one written last at the end.
fn named(folder: &Path, stem: &str) -> Vec<PathBuf> {
    let items = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> = items
        .filter(|item| item.file_name().to_string_lossy().starts_with(stem))
        .filter_map(|item| {
            let about = item.metadata().ok().filter(|about| about.len() > 0)?;
            Some((about.modified().ok()?, item.path()))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn titles_make_file_names() {
        assert_eq!(super::slug("Crazy Eights"), "crazy-eights");
        assert_eq!(super::slug("../My Disk (1).atr"), "my-disk-1-atr");
        assert_eq!(super::slug("??"), "anticlock");
    }
}
