//! Drives, cassette deck and printer of a page's machine.
use crate::emulator::Emulator;
use crate::options;
use media::atr::{Blank, Disk};
use media::cartridge::Cartridge;
use media::cas::Tape;
use session::{Columns, DRIVES, Kind, Place, Plugged};
use std::fmt::Write as _;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Emulator {
    /// The drives with a disk in them, a line each: number, name, 1 when a program has written to it, 1 when it is write-protected; tabs
    /// between.
    pub fn drives(&self) -> String {
        let copies = self.session.copies();
        let mut out = String::new();
        for drive in 0..DRIVES {
            let place = Place::Drive(drive);
            let Some(disk) = self.session.machine().disk(drive) else {
                continue;
            };
            let copy = copies.iter().find(|copy| copy.place == place);
            let name = copy.map_or("", |copy| copy.name.as_str());
            let written = u8::from(copy.is_some_and(|copy| copy.written));
            let protected = u8::from(disk.write_protected());
            let _ = writeln!(out, "{}\t{name}\t{written}\t{protected}", drive + 1);
        }
        out
    }

    /// The disk in a drive (1 is D1:) as a file.
    pub fn disk_bytes(&self, drive: usize) -> Option<Vec<u8>> {
        self.session.bytes_at(Place::Drive(drive.checked_sub(1)?))
    }

    /// Puts a disk into a drive (1 is D1:) in place of the one that is there. Returns its number for the kept copies of it,
    /// [`crate::HostRequest::copy`].
    ///
    /// # Errors
    /// One sentence, when it is not a disk image or the drive does not exist.
    pub fn insert_disk(
        &mut self,
        drive: usize,
        name: &str,
        bytes: &[u8],
    ) -> Result<Option<u32>, String> {
        let disk = Disk::parse(&Disk::image(name, bytes)).map_err(|error| error.to_string())?;
        let place = drive.checked_sub(1).filter(|&place| place < DRIVES);
        let place = place.ok_or_else(|| format!("there is no drive D{drive}:"))?;
        self.journal.give_up();
        if let Some(flaw) = disk.flaw() {
            self.message = format!("{name}: {flaw}");
        }
        let copy = self.session.insert_copy(place, disk, name.to_owned(), None);
        Ok(copy.map(|copy| copy.0))
    }

    /// Takes the disk out of a drive (1 is D1:); the drive stays on. False without a disk.
    pub fn eject_disk(&mut self, drive: usize) -> bool {
        let drive = drive.checked_sub(1);
        self.journal.give_up();
        drive.is_some_and(|drive| self.session.eject_disk(drive))
    }

    /// Puts the next drive's disk into D1: and the one that was there last. Returns its name; nothing if only one drive has a disk.
    pub fn next_disk(&mut self) -> Option<String> {
        self.journal.give_up();
        self.session.next_disk()
    }

    /// Changes the disks of D1: and another drive (2 is D2:).
    pub fn swap_disks(&mut self, drive: usize) {
        if (2..=DRIVES).contains(&drive) {
            self.journal.give_up();
            self.session.swap_disks(0, drive - 1);
        }
    }

    /// Covers the notch of the disk in a drive (1 is D1:), so that nothing is written to it, or uncovers it. False if the drive is empty.
    pub fn protect_disk(&mut self, drive: usize, on: bool) -> bool {
        self.journal.give_up();
        let drive = drive.checked_sub(1);
        drive.is_some_and(|drive| self.session.protect_disk(drive, on))
    }

    /// A new disk with our DOS: `single` (90K), `enhanced` (130K) or `double` (180K) density.
    pub fn blank_disk(density: &str) -> Vec<u8> {
        let kind = match density {
            "double" => Blank::Double,
            "enhanced" => Blank::Enhanced,
            _ => Blank::Single,
        };
        session::dos_disk(kind).to_bytes()
    }
}

/// The cassette deck.
#[wasm_bindgen]
impl Emulator {
    /// The tape in the recorder: name, number of the block at its head (from 0), number of blocks, 1 when RECORD is pressed; tabs between.
    /// Empty if the drive is empty.
    pub fn tape(&self) -> String {
        let machine = self.session.machine();
        if machine.tape().is_none() {
            return String::new();
        }
        let copies = self.session.copies();
        let copy = copies.iter().find(|copy| copy.place == Place::Recorder);
        let name = copy.map_or("", |copy| copy.name.as_str());
        let (at, blocks) = machine.tape_position();
        let records = u8::from(machine.tape_records());
        format!("{name}\t{at}\t{blocks}\t{records}\n")
    }

    /// The tape as a file.
    pub fn tape_bytes(&self) -> Option<Vec<u8>> {
        self.session.bytes_at(Place::Recorder)
    }

    /// Puts a tape into the recorder in place of the one that is there, wound to its beginning. Returns its number for the kept copies of it,
    /// [`crate::HostRequest::copy`].
    ///
    /// # Errors
    /// One sentence, if it is not a cassette image.
    pub fn insert_tape(&mut self, name: &str, bytes: &[u8]) -> Result<Option<u32>, String> {
        let (tape, flaw) = Tape::read(bytes).map_err(|error| error.to_string())?;
        if let Some(flaw) = flaw {
            self.message = format!("{name}: {flaw}");
        }
        self.journal.give_up();
        let copy = self.session.insert_tape_copy(tape, name.to_owned(), None);
        Ok(copy.map(|copy| copy.0))
    }

    /// A new tape.
    pub fn blank_tape() -> Vec<u8> {
        Tape::default().to_bytes()
    }

    /// Takes the tape out. False without a tape.
    pub fn eject_tape(&mut self) -> bool {
        self.journal.give_up();
        self.session.eject_tape()
    }

    /// Winds the tape to the beginning of a block, from 0; of one that the tape does not have, to its end.
    pub fn wind_tape(&mut self, block: usize) {
        self.journal.give_up();
        self.session.wind_tape(block);
    }

    /// Presses RECORD together with PLAY, or only PLAY.
    pub fn press_record(&mut self, pressed: bool) {
        self.journal.give_up();
        self.session.press_record(pressed);
    }
}

/// The cartridge slots.
#[wasm_bindgen]
impl Emulator {
    /// The cartridges in the slots, a line each: slot (1 or 2), name, kind; tabs between.
    pub fn slots(&self) -> String {
        let mut out = String::new();
        for slot in 0..2 {
            if let Some((name, about)) = self.session.slot(slot) {
                let _ = writeln!(out, "{}\t{name}\t{about}", slot + 1);
            }
        }
        out
    }

    /// Puts a cartridge into a slot (1 or 2), or takes out what is in it where `bytes` is missing, and switches the machine off and on. What
    /// is in the drives stays there. A BASIC program does not run with a cartridge: the READY prompt takes its place. Gives the numbers that
    /// copies had, each followed by the one that it has now.
    ///
    /// # Errors
    /// One sentence, if it is not a cartridge or does not fit the machine; then nothing has changed.
    pub fn plug(
        &mut self,
        slot: usize,
        name: &str,
        bytes: Option<Vec<u8>>,
    ) -> Result<Vec<u32>, String> {
        let at = slot.checked_sub(1).filter(|&slot| slot < 2);
        let slot = at.ok_or_else(|| format!("there is no cartridge slot {slot}"))?;
        let cartridge = bytes.map(|bytes| Cartridge::parse(&bytes));
        let cartridge = cartridge.transpose().map_err(|error| error.to_string())?;
        let plugged = cartridge.map(|cartridge| Plugged {
            cartridge,
            name: name.to_owned(),
            file: None,
        });
        let mut program = self.session.setup().program.clone();
        let goes = match program.kind {
            Kind::Cartridge(_) => slot == 0,
            Kind::Basic(_) | Kind::State(_) => plugged.is_some(),
            _ => false,
        };
        if goes {
            program = session::Program::default();
        }
        let machine = self.session.machine();
        let disks: Vec<_> = (0..DRIVES)
            .map(|drive| machine.disk(drive).cloned())
            .collect();
        let tape = machine.tape().cloned();
        let copies = self.session.copies();
        let old = self.session.set_slot(slot, plugged);
        if let Err(error) = self.session.start(program) {
            self.session.set_slot(slot, old);
            return Err(error.to_string());
        }
        self.journal.give_up();
        let mut numbers = Vec::new();
        for copy in copies {
            let name = copy.name;
            let now = match copy.place {
                Place::Drive(drive) => disks[drive]
                    .clone()
                    .and_then(|disk| self.session.insert_copy(drive, disk, name, None)),
                Place::Recorder => tape
                    .clone()
                    .and_then(|tape| self.session.insert_tape_copy(tape, name, None)),
                Place::Cartridge => None,
            };
            numbers.extend(now.into_iter().flat_map(|now| [copy.id.0, now.0]));
        }
        self.refresh();
        Ok(numbers)
    }
}

/// The printer.
#[wasm_bindgen]
impl Emulator {
    /// The columns of the printer, 40 or 80; 0 while it is off.
    pub fn printer(&self) -> usize {
        self.session.setup().printer.map_or(0, Columns::count)
    }

    /// The printer from now on: a value of the option `printer`.
    ///
    /// # Errors
    /// One sentence on any other value.
    pub fn set_printer(&mut self, name: &str) -> Result<(), String> {
        self.options.printer = options::printer(name)?;
        self.session.set_printer(self.options.printer.0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_goes_in_and_comes_out() {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        emulator.open_built_in("basic", "").unwrap();
        let blank = Emulator::blank_disk("single");
        emulator.insert_disk(2, "two.atr", &blank).unwrap();
        emulator.insert_disk(1, "one.atr", &blank).unwrap();
        assert_eq!(emulator.drives(), "1\tone.atr\t0\t0\n2\ttwo.atr\t0\t0\n");
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
    /// Runs until a file is asked to be kept, and gives whether it is a tape.
    fn kept(emulator: &mut Emulator) -> Vec<(bool, String)> {
        let mut kept = Vec::new();
        emulator.flush();
        while let Some(request) = emulator.next_request() {
            if request.kind() == "keep" {
                kept.push((request.tape(), request.name()));
            }
            emulator.answer(request.id(), true);
        }
        kept
    }

    fn basic(text: &str, frames: u32) -> Emulator {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        emulator.open_built_in("basic", "").unwrap();
        emulator.type_text(text).unwrap();
        for _ in 0..frames {
            emulator.frame();
        }
        emulator
    }

    #[test]
    fn disks_change_their_drives_and_are_protected() {
        let mut emulator = basic("", 60);
        for (density, size) in [
            ("single", 92_176),
            ("enhanced", 133_136),
            ("double", 183_952),
        ] {
            assert_eq!(Emulator::blank_disk(density).len(), size, "{density}");
        }
        let blank = Emulator::blank_disk("double");
        emulator.insert_disk(1, "one.atr", &blank).unwrap();
        emulator.insert_disk(3, "three.atr", &blank).unwrap();
        emulator.swap_disks(3);
        assert!(emulator.protect_disk(1, true) && !emulator.protect_disk(2, true));
        assert_eq!(emulator.drives(), "1\tthree.atr\t0\t1\n3\tone.atr\t0\t0\n");
        emulator.swap_disks(2);
        assert_eq!(emulator.drives(), "2\tthree.atr\t0\t1\n3\tone.atr\t0\t0\n");
        assert!(emulator.protect_disk(2, false));
        assert!(emulator.drives().starts_with("2\tthree.atr\t0\t0\n"));
    }

    #[test]
    fn a_protected_disk_is_not_written() {
        for protected in [false, true] {
            // FORMAT through the OS's disk handler: DUNIT, DCOMND, DBUF; PLA, JMP DSKINV.
            let listing = "10 ? \"INSERT\":FOR W=1 TO 900:NEXT W\n\
                20 POKE 769,1:POKE 770,33:POKE 772,0:POKE 773,6:A=USR(ADR(\"hLS\u{e4}\")):? \"DONE\"\n";
            let mut emulator = Emulator::new(48_000.0).unwrap();
            emulator.open_listing(listing, "").unwrap();
            let run_until = |emulator: &mut Emulator, wanted: &str| {
                for _ in 0..6000 {
                    if emulator.text().contains(wanted) {
                        return;
                    }
                    emulator.frame();
                }
                panic!("no {wanted}:\n{}", emulator.text());
            };
            run_until(&mut emulator, "INSERT");
            let blank = Emulator::blank_disk("single");
            emulator.insert_disk(1, "one.atr", &blank).unwrap();
            assert!(emulator.protect_disk(1, protected));
            run_until(&mut emulator, "DONE");
            let changed = emulator.disk_bytes(1) != Some(blank);
            assert_eq!(changed, !protected, "{}", emulator.text());
        }
    }

    #[test]
    fn a_tape_is_recorded_wound_and_played() {
        let mut emulator = basic("10 ? \"ON TAPE\"\\n", 200);
        assert_eq!(
            (emulator.tape(), emulator.eject_tape()),
            (String::new(), false)
        );
        assert!(emulator.insert_tape("none.cas", b"none").is_err());
        let blank = Emulator::blank_tape();
        emulator.insert_tape("one.cas", &blank).unwrap();
        emulator.press_record(true);
        assert_eq!(emulator.tape(), "one.cas\t0\t0\t1\n");
        // CSAVE sounds twice and waits for a key.
        emulator.type_text("CSAVE\\n\\n").unwrap();
        for _ in 0..2400 {
            emulator.frame();
        }
        assert_eq!(kept(&mut emulator), [(true, "one.cas".to_owned())]);
        let tape = emulator.tape_bytes().unwrap();
        assert!(tape.len() > blank.len() + 100);
        emulator.press_record(false);
        emulator.wind_tape(0);
        assert!(
            emulator.tape().starts_with("one.cas\t0\t"),
            "{}",
            emulator.tape()
        );
        emulator.type_text("NEW\\nCLOAD\\n\\n").unwrap();
        for _ in 0..2400 {
            emulator.frame();
        }
        emulator.type_text("RUN\\n").unwrap();
        for _ in 0..200 {
            emulator.frame();
        }
        assert!(emulator.text().contains("ON TAPE\n"), "{}", emulator.text());
        assert!(emulator.eject_tape());
        assert_eq!(
            (emulator.tape(), emulator.tape_bytes()),
            (String::new(), None)
        );
    }

    #[test]
    fn what_is_saved_and_not_recorded_is_said() {
        let mut emulator = basic("10 REM\\nCSAVE\\n\\n", 1);
        let mut said = Vec::new();
        for _ in 0..1500 {
            if emulator.frame() & 2 != 0 {
                said.push(emulator.message());
            }
        }
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains("no tape is in the recorder"), "{said:?}");
    }

    #[test]
    fn the_printer_has_40_or_80_columns_or_is_off() {
        let line = "LPRINT \"0123456789012345678901234567890123456789ABCDE\"\\n";
        for (option, wanted) in [
            ("40", "0123456789012345678901234567890123456789\nABCDE\n"),
            ("80", "0123456789012345678901234567890123456789ABCDE\n"),
            ("off", ""),
        ] {
            let mut emulator = basic("", 120);
            emulator.set_printer(option).unwrap();
            emulator.type_text(line).unwrap();
            let mut paper = String::new();
            for _ in 0..900 {
                emulator.frame();
                while let Some(request) = emulator.next_request() {
                    paper += &request.text();
                    emulator.answer(request.id(), true);
                }
            }
            assert_eq!(paper, wanted, "{option}");
            let columns = option.parse().unwrap_or(0);
            assert_eq!(emulator.printer(), columns);
        }
        let mut emulator = Emulator::new(48_000.0).unwrap();
        assert!(emulator.set_printer("41").unwrap_err().contains("40, 80"));
    }

    #[test]
    fn cartridges_go_into_their_slots_and_disks_stay() {
        let mut emulator = basic("", 200);
        let blank = Emulator::blank_disk("single");
        let disk = emulator.insert_disk(3, "three.atr", &blank).unwrap();
        // RTS at $A000; start and initialise there.
        let mut rom = vec![0x60; 0x2000];
        rom[0x1FFA..].copy_from_slice(&[0x00, 0xA0, 0x00, 0x04, 0x00, 0xA0]);
        let numbers = emulator.plug(1, "game.rom", Some(rom.clone())).unwrap();
        assert_eq!(numbers[0], disk.unwrap());
        assert_eq!(emulator.slots(), "1\tgame.rom\t8K, CAR type 1\n");
        assert_eq!(emulator.drives(), "3\tthree.atr\t0\t0\n");
        for (slot, bytes, wanted) in [
            (3, rom.clone(), "there is no cartridge slot 3"),
            (1, vec![0; 100], "a plain cartridge dump has"),
            (2, rom, "only an 800"),
        ] {
            let error = emulator.plug(slot, "x.rom", Some(bytes)).unwrap_err();
            assert!(error.contains(wanted), "{error}");
            assert_eq!(emulator.slots(), "1\tgame.rom\t8K, CAR type 1\n");
        }
        emulator.plug(1, "", None).unwrap();
        assert_eq!(emulator.slots(), "");
        for _ in 0..300 {
            emulator.frame();
        }
        assert!(emulator.text().contains("READY"), "{}", emulator.text());
    }
}
