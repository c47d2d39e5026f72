//! Media that the user puts in, takes out and stores.
use super::{Host, cartridge, is_tape, name_of, read_disk, read_tape, write_beside};
use crate::failure::Failure;
use crate::files;
use crate::options::MachineOptions;
use crate::packed::{self, Wrapping};
use media::cas::Tape;
use session::{Columns, Copy, Mount, Place, Plugged, Session};
use std::path::{Path, PathBuf};

impl Host {
    /// Puts a disk into a drive (0 = D1:) in place of the one that is there.
    ///
    /// # Errors
    /// When it is not a disk.
    pub fn insert_disk(
        &mut self,
        session: &mut Session,
        drive: usize,
        path: &Path,
    ) -> Result<(), Failure> {
        self.save(session);
        self.look(session);
        let leaves = session.file_at(Place::Drive(drive)).map(|file| file.id);
        self.mounted.retain(|id| Some(*id) != leaves);
        let disk = self.disk(path)?;
        session.insert_disk(drive, disk);
        self.serve(session);
        Ok(())
    }

    /// Takes the disk out of a drive (0 = D1:), after its writes are in their file. False if the drive is empty.
    pub fn eject_disk(&mut self, session: &mut Session, drive: usize) -> bool {
        self.save(session);
        let ejected = session.eject_disk(drive);
        self.serve(session);
        ejected
    }

    /// Puts a tape into the recorder in place of the one that is there.
    ///
    /// # Errors
    /// When it is not a tape.
    pub fn insert_tape(&mut self, session: &mut Session, path: &Path) -> Result<(), Failure> {
        self.save(session);
        self.look(session);
        let leaves = session.file_at(Place::Recorder).map(|file| file.id);
        self.mounted.retain(|id| Some(*id) != leaves);
        let opened = packed::open(path)?;
        let medium = Tape::parse(&opened.bytes).map_err(|error| Failure::file(path, error))?;
        self.note_flaw(path, opened.flaw);
        let file = self.file(path, opened.wrapping);
        session.insert_tape(Mount { file, medium });
        self.serve(session);
        Ok(())
    }

    /// Takes the tape out of the recorder, after its writes are in their file. False if the recorder is empty.
    pub fn eject_tape(&mut self, session: &mut Session) -> bool {
        self.save(session);
        let ejected = session.eject_tape();
        self.serve(session);
        ejected
    }

    /// The cartridge in a file, for a slot (0 or 1).
    ///
    /// # Errors
    /// If it is not a cartridge.
    pub fn plugged(
        &mut self,
        options: &MachineOptions,
        slot: usize,
        path: &Path,
    ) -> Result<Plugged, Failure> {
        let cartridge = cartridge(options, Some(path))?;
        let cartridge = cartridge.ok_or_else(|| Failure::file(path, "is not a cartridge"))?;
        let file = (slot == 0).then(|| self.cartridge_file(path, &cartridge));
        Ok(Plugged {
            cartridge,
            name: name_of(path),
            file: file.flatten(),
        })
    }

    /// Stores what is at a place as a new file, which is in no drive. Gives its name.
    ///
    /// # Errors
    /// When there is nothing, or the file cannot be written.
    pub fn save_copy(
        &self,
        session: &Session,
        place: Place,
        folder: &Path,
    ) -> Result<PathBuf, Failure> {
        let bytes = session.bytes_at(place);
        let bytes = bytes.ok_or_else(|| Failure::input(format!("{place} is empty")))?;
        let copies = session.copies();
        let copy = copies.iter().find(|copy| copy.place == place);
        let name = session.file_at(place).map(|file| &file.name);
        let name = name.or(copy.map(|copy| &copy.name));
        let stem = name.map_or("", |name| &**name);
        let stem = Path::new(stem).file_stem().unwrap_or_default();
        let stem = format!("{}-copy", stem.to_string_lossy());
        write_beside(folder, &stem, place, &bytes)
    }

    /// The file that what is printed goes into.
    pub fn printer(&self) -> Option<&Path> {
        self.printer.as_deref()
    }

    /// Switches the printer on, or off with `None`. One that was off gets a new file in this folder. Gives the file.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn switch_printer(
        &mut self,
        session: &mut Session,
        printer: Option<Columns>,
        folder: &Path,
    ) -> Result<Option<PathBuf>, Failure> {
        self.save(session);
        self.printer = match (printer, self.printer.take()) {
            (Some(_), None) => Some(files::reserve(folder, "printer", "txt")?),
            (Some(_), same) => same,
            (None, _) => None,
        };
        session.set_printer(printer);
        Ok(self.printer.clone())
    }

    /// Puts the copy that an earlier session has left of a disk into D1:, or of a tape into the recorder. Gives its place and name.
    ///
    /// # Errors
    /// When no such disk exists, or it cannot be read.
    pub fn recover(&mut self, session: &mut Session) -> Result<(Place, String), Failure> {
        let Some((of, name, path)) = self.offers.last().cloned() else {
            return Err(Failure::input(
                "no copy of a disk or tape in the drives is kept",
            ));
        };
        self.save(session);
        let (place, copy) = if is_tape(&path) {
            let tape = read_tape(&path)?;
            let copy = session.insert_tape_copy(tape, name.clone(), Some(of));
            (Place::Recorder, copy)
        } else {
            let disk = read_disk(&path)?;
            let copy = session.insert_copy(0, disk, name.clone(), Some(of));
            (Place::Drive(0), copy)
        };
        self.offers.pop();
        if let Some(copy) = copy {
            self.kept.insert(copy, path);
        }
        Ok((place, name))
    }

    /// Stores the first copy in the drives as a file beside its original: with the contents that it has in the present machine, also while the past
    /// is looked at. Returns the file's name.
    ///
    /// # Errors
    /// When no drive has a copy, or the file cannot be written.
    pub fn store_copy(&mut self, session: &mut Session, folder: &Path) -> Result<PathBuf, Failure> {
        self.save(session);
        let copies = session.copies();
        let worth = |copy: &&Copy| copy.written || copy.shown;
        let kept = |copy: &&Copy| self.kept.contains_key(&copy.id);
        let Some(copy) = copies.iter().find(|copy| worth(copy) || kept(copy)) else {
            return Err(Failure::input("no drive holds a copy"));
        };
        let Some(bytes) = session.bytes_at(copy.place) else {
            return Err(Failure::input("no drive holds a copy"));
        };
        let of = copy.of.and_then(|id| self.files.get(id.0 as usize));
        let folder = of.and_then(|of| of.path.parent()).unwrap_or(folder);
        let stem = Path::new(&copy.name).file_stem().unwrap_or_default();
        let stem = format!("{}-copy", stem.to_string_lossy());
        let path = write_beside(folder, &stem, copy.place, &bytes)?;
        let file = self.file(&path, Wrapping::default());
        session.attach(copy.id, file, &bytes);
        // What was kept goes when the file is seen to have it. Else it is older, and stays.
        if let Some(kept) = self.kept.get(&copy.id)
            && let (Ok(kept_bytes), Ok(stored)) = (files::read(kept), files::read(&path))
            && kept_bytes == stored
            && files::remove(kept).is_ok()
        {
            self.kept.remove(&copy.id);
        }
        Ok(path)
    }
}
