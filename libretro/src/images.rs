//! The disks and tapes that the frontend's disk control changes, and where what programs write to them is kept.
use host::packed;
use media::Kind;
use media::atr::Disk;
use media::cas::Tape;
use session::{CopyId, Place, Session};
use std::fs;
use std::path::{Path, PathBuf};

/// A disk or a tape.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// Its path; empty for a place of the list that nothing has been put into.
    pub path: PathBuf,
    /// Its name without folders.
    pub name: String,
    /// Its contents now.
    pub bytes: Vec<u8>,
    /// The file in the frontend's folder of saves that has what programs have written to it.
    pub kept: PathBuf,
    /// Its number while it is in the machine.
    pub copy: Option<CopyId>,
}

/// The file for the output of programs to a medium: its name, and the check sum of its contents without that.
pub fn kept(saves: &Path, name: &str, original: &[u8]) -> PathBuf {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "atr"));
    let ending = match media::recognise(name, original) {
        Kind::Tape => "cas",
        Kind::Cartridge | Kind::Rom => "car",
        Kind::Disk => "atr",
        _ => ending,
    };
    let sum = machine::codec::crc32(original);
    saves.join(format!("{stem}-{sum:08x}.{ending}"))
}

impl Image {
    /// The medium of a file, as programs have left it.
    ///
    /// # Errors
    /// One sentence on what is wrong with the file.
    pub fn open(path: &Path, saves: &Path) -> Result<Self, String> {
        let opened = packed::open(path).map_err(|failure| failure.to_string())?;
        let kept = kept(saves, &opened.name, &opened.bytes);
        Ok(Self {
            path: path.to_owned(),
            bytes: fs::read(&kept).unwrap_or(opened.bytes),
            name: opened.name,
            copy: None,
            kept,
        })
    }

    /// Puts it into D1:, or into the recorder.
    ///
    /// # Errors
    /// One sentence, if it is neither a disk nor a tape.
    pub fn insert(&mut self, session: &mut Session) -> Result<(), String> {
        let told = |error: &dyn std::fmt::Display| format!("{}: {error}", self.name);
        self.copy = if media::recognise(&self.name, &self.bytes) == Kind::Tape {
            let tape = Tape::parse(&self.bytes).map_err(|error| told(&error))?;
            session.insert_tape_copy(tape, self.name.clone(), None)
        } else {
            let image = Disk::image(&self.name, &self.bytes);
            let disk = Disk::parse(&image).map_err(|error| told(&error))?;
            session.insert_copy(0, disk, self.name.clone(), None)
        };
        Ok(())
    }

    /// Takes it out, with what programs have written to it.
    pub fn eject(&mut self, session: &mut Session) {
        let copies = session.copies();
        let place = copies.iter().find(|copy| Some(copy.id) == self.copy);
        let Some(place) = place.map(|copy| copy.place) else {
            return;
        };
        if let Some(bytes) = session.bytes_at(place) {
            self.bytes = bytes;
        }
        match place {
            Place::Drive(drive) => session.eject_disk(drive),
            _ => session.eject_tape(),
        };
        self.copy = None;
    }
}
