//! The host of a session: the file of each medium, and the session's requests.
mod drives;
mod requests;
mod setup;

use crate::failure::Failure;
use crate::files;
use crate::found::{Found, cartridge_type, remember_type};
use crate::hostfolder::HostFolder;
use crate::options::MachineOptions;
use crate::packed::{self, Wrapping};
use crate::platform::lock::Lock;
use crate::recovery::Recovery;
use media::atr::Disk;
use media::cartridge::Cartridge;
use media::cas::Tape;
use session::{CopyId, Kind, MediumId, Place, Session};
use setup::explain;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A file's name without its folder.
pub fn name_of(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| "?".to_owned(), |n| n.to_string_lossy().into_owned())
}

/// A file that is a medium.
#[derive(Debug)]
struct MediaFile {
    path: PathBuf,
    /// Other programs of ours do not write to it.
    lock: Option<Lock>,
    /// The reason why it is not written to.
    protected: Option<&'static str>,
    wrapping: Wrapping,
}

/// The files of a session's media.
#[derive(Debug)]
pub struct Host {
    /// By [`MediumId`].
    files: Vec<MediaFile>,
    /// Files that are in a drive, as of the last look.
    mounted: BTreeSet<MediumId>,
    /// The paths of the kept copies.
    kept: BTreeMap<CopyId, PathBuf>,
    /// Copies of the disks in the drives that an earlier session has left: the number of the disk, its name, the copy's file.
    offers: Vec<(MediumId, String, PathBuf)>,
    recovery: Recovery,
    /// The file of the printer's output; `None` while the printer is off.
    printer: Option<PathBuf>,
    /// H1: to H4: as the user has named them; without any, the program has a folder of ours.
    folders: Vec<HostFolder>,
    /// The tape is a file that does not exist yet.
    blank_tape: bool,
    /// Messages for the user.
    notices: Vec<String>,
    /// Files that cannot be written and were named to the user; they are not named again.
    complaints: BTreeSet<PathBuf>,
}

impl Host {
    /// Looks which files are in a drive.
    fn look(&mut self, session: &Session) {
        let mounted = places().filter_map(|place| session.file_at(place));
        self.mounted = mounted.map(|file| file.id).collect();
    }

    /// Continues with another program in a fresh machine.
    ///
    /// # Errors
    /// One sentence on what does not fit; the session stays as it was.
    pub fn start(
        &mut self,
        session: &mut Session,
        options: &MachineOptions,
        found: &Found,
    ) -> Result<(), Failure> {
        // What is in the drives of the machine that ends is written first: its disk may be the one that comes now.
        self.save(session);
        self.look(session);
        if matches!(session.setup().program.kind, Kind::Disk(_)) {
            let ends = session.file_at(Place::Drive(0)).map(|file| file.id);
            self.mounted.retain(|id| Some(*id) != ends);
        }
        let (program, file) = self.program(found);
        let started = session.start_from(program, file);
        self.serve(session);
        self.release(session);
        started.map_err(|error| explain(options, &found.shown(), &error))
    }

    /// Lets go of the files that the session does not use any more.
    fn release(&mut self, session: &Session) {
        let used: BTreeSet<_> = session.files().map(|file| file.id).collect();
        for (number, file) in self.files.iter_mut().enumerate() {
            if !used.contains(&MediumId(number as u32)) {
                file.lock = None;
            }
        }
        self.offers.retain(|offer| used.contains(&offer.0));
    }

    /// Takes the messages for the user.
    pub fn notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }
}

fn too_many() -> Failure {
    Failure::input("there are only H1: to H4:")
}

/// Writes what a session remembers.
///
/// # Errors
/// When it is too long, or the file cannot be written.
pub fn write_recording(session: &Session, path: &Path) -> Result<(), Failure> {
    let Some(recording) = session.recording() else {
        return Ok(());
    };
    let bytes = recording
        .to_bytes()
        .map_err(|error| Failure::file(path, error))?;
    files::write(path, &bytes)
}

/// The cartridge in a file.
fn cartridge(options: &MachineOptions, path: Option<&Path>) -> Result<Option<Cartridge>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let bytes = packed::open(path)?.bytes;
    let asked = options.cart_type.filter(|_| !bytes.starts_with(b"CART"));
    let cartridge = match cartridge_type(&bytes, asked)? {
        Some(number) if !bytes.starts_with(b"CART") => Cartridge::from_rom_of_type(&bytes, number),
        _ => Cartridge::parse(&bytes),
    };
    if cartridge.is_ok() {
        remember_type(&bytes, asked)?;
    }
    cartridge
        .map(Some)
        .map_err(|error| Failure::file(path, error))
}

/// Everything that a medium can be put into.
fn places() -> impl Iterator<Item = Place> {
    let others = [Place::Recorder, Place::Cartridge];
    (0..session::DRIVES).map(Place::Drive).chain(others)
}

/// Writes a medium to the first name `STEM-NNN` that is free in a folder.
fn write_beside(folder: &Path, stem: &str, place: Place, bytes: &[u8]) -> Result<PathBuf, Failure> {
    let ending = match place {
        Place::Drive(_) => "atr",
        Place::Recorder => "cas",
        Place::Cartridge => "car",
    };
    let path = files::reserve(folder, stem, ending)?;
    files::write(&path, bytes).inspect_err(|_| {
        let _ = fs::remove_file(&path);
    })?;
    Ok(path)
}

/// True if a kept copy is one of a tape.
fn is_tape(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "cas")
}

/// Reads a cassette image.
fn read_tape(path: &Path) -> Result<Tape, Failure> {
    Tape::parse(&packed::open(path)?.bytes).map_err(|error| Failure::file(path, error))
}

/// Reads a disk image.
///
/// # Errors
/// One sentence on what is wrong with the file.
pub fn read_disk(path: &Path) -> Result<Disk, Failure> {
    Disk::parse(&packed::open(path)?.bytes).map_err(|error| Failure::file(path, error))
}

#[cfg(test)]
mod tests;
