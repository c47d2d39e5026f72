//! What is in the drives of a page's machine.
use crate::emulator::{Emulator, with_header};
use media::atr::Disk;
use session::{DRIVES, Place};
use std::fmt::Write as _;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Emulator {
    /// The drives with a disk in them, a line each: number, name, 1 when a program has written to it; tabs between.
    pub fn drives(&self) -> String {
        let copies = self.session.copies();
        let mut out = String::new();
        for drive in 0..DRIVES {
            let place = Place::Drive(drive);
            if self.session.machine().disk(drive).is_none() {
                continue;
            }
            let copy = copies.iter().find(|copy| copy.place == place);
            let name = copy.map_or("", |copy| copy.name.as_str());
            let written = u8::from(copy.is_some_and(|copy| copy.written));
            let _ = writeln!(out, "{}\t{name}\t{written}", drive + 1);
        }
        out
    }

    /// The disk in a drive (1 is D1:) as a file.
    pub fn disk_bytes(&self, drive: usize) -> Option<Vec<u8>> {
        self.session.bytes_at(Place::Drive(drive.checked_sub(1)?))
    }

    /// Puts a disk into a drive (1 is D1:) in place of the one that is there. Gives its number for what is kept of it,
    /// [`crate::HostRequest::copy`].
    ///
    /// # Errors
    /// One sentence, when it is no disk image or there is no such drive.
    pub fn insert_disk(
        &mut self,
        drive: usize,
        name: &str,
        bytes: &[u8],
    ) -> Result<Option<u32>, String> {
        let bytes = with_header(name, bytes);
        let disk = Disk::parse(&bytes).map_err(|error| error.to_string())?;
        let place = drive.checked_sub(1).filter(|&place| place < DRIVES);
        let place = place.ok_or_else(|| format!("there is no drive D{drive}:"))?;
        self.journal.give_up();
        let copy = self.session.insert_copy(place, disk, name.to_owned(), None);
        Ok(copy.map(|copy| copy.0))
    }

    /// Takes the disk out of a drive (1 is D1:); the drive stays on. False where there is none.
    pub fn eject_disk(&mut self, drive: usize) -> bool {
        let drive = drive.checked_sub(1);
        self.journal.give_up();
        drive.is_some_and(|drive| self.session.eject_disk(drive))
    }

    /// Puts the next drive's disk into D1: and the one that was there last. Gives its name; nothing where there is no other.
    pub fn next_disk(&mut self) -> Option<String> {
        self.journal.give_up();
        self.session.next_disk()
    }

    /// A new disk in single density, with our DOS.
    pub fn blank_disk() -> Vec<u8> {
        session::dos_disk(media::atr::Blank::Single).to_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_goes_in_and_comes_out() {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        emulator.open_built_in("basic", "").unwrap();
        let blank = Emulator::blank_disk();
        emulator.insert_disk(2, "two.atr", &blank).unwrap();
        emulator.insert_disk(1, "one.atr", &blank).unwrap();
        assert_eq!(emulator.drives(), "1\tone.atr\t0\n2\ttwo.atr\t0\n");
        for drive in [0, 9] {
            let refused = emulator.insert_disk(drive, "none.atr", &blank);
            assert_eq!(refused, Err(format!("there is no drive D{drive}:")));
        }
        assert!(emulator.eject_disk(2));
        assert_eq!(emulator.disk_bytes(1), Some(blank));
        assert!(emulator.next_disk().is_none() && !emulator.eject_disk(0));
        assert!(emulator.eject_disk(1) && !emulator.eject_disk(1));
        assert_eq!(
            (emulator.drives(), emulator.disk_bytes(1)),
            (String::new(), None)
        );
    }
}
