//! Drives, cassette deck and printer of a page's machine.
use crate::emulator::Emulator;
use crate::options;
use crate::words::Density;
use media::atr::{Blank, Disk};
use media::cartridge::Cartridge;
use media::cas::Tape;
use session::{Columns, DRIVES, Place, Plugged};
use wasm_bindgen::prelude::wasm_bindgen;

/// Slots for cartridges.
const SLOTS: usize = 2;

/// The disk in a drive.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskState {
    /// The name of its file.
    #[wasm_bindgen(readonly)]
    pub name: String,
    /// A program has written to it.
    #[wasm_bindgen(readonly)]
    pub written: bool,
    /// It is write-protected.
    #[wasm_bindgen(readonly)]
    pub protected: bool,
}

/// The tape in the recorder.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TapeState {
    /// The name of its file.
    #[wasm_bindgen(readonly)]
    pub name: String,
    /// The number of the block at its head, from 0.
    #[wasm_bindgen(readonly)]
    pub at: usize,
    /// The number of its blocks.
    #[wasm_bindgen(readonly)]
    pub blocks: usize,
    /// RECORD is pressed.
    #[wasm_bindgen(readonly)]
    pub records: bool,
}

/// The cartridge in a slot.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartridgeState {
    /// The name of its file.
    #[wasm_bindgen(readonly)]
    pub name: String,
    /// Its kind.
    #[wasm_bindgen(readonly)]
    pub about: String,
}

impl Emulator {
    /// The copy of a medium that is in a place.
    fn copy_in(&self, place: Place) -> Option<session::Copy> {
        let copies = self.session.copies();
        copies.into_iter().find(|copy| copy.place == place)
    }
}

#[wasm_bindgen]
impl Emulator {
    /// The disk in a drive (1 is D1:).
    pub fn disk(&self, drive: usize) -> Option<DiskState> {
        let drive = drive.checked_sub(1)?;
        let protected = self.session.machine().disk(drive)?.write_protected();
        let copy = self.copy_in(Place::Drive(drive));
        Some(DiskState {
            written: copy.as_ref().is_some_and(|copy| copy.written),
            name: copy.map(|copy| copy.name).unwrap_or_default(),
            protected,
        })
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

    /// A new disk with our DOS.
    pub fn blank_disk(density: Density) -> Vec<u8> {
        let kind = match density {
            Density::Double => Blank::Double,
            Density::Enhanced => Blank::Enhanced,
            _ => Blank::Single,
        };
        session::dos_disk(kind).to_bytes()
    }
}

/// The cassette deck.
#[wasm_bindgen]
impl Emulator {
    /// The tape in the recorder.
    pub fn tape(&self) -> Option<TapeState> {
        let machine = self.session.machine();
        machine.tape()?;
        let copy = self.copy_in(Place::Recorder);
        let (at, blocks) = machine.tape_position();
        Some(TapeState {
            name: copy.map(|copy| copy.name).unwrap_or_default(),
            at,
            blocks,
            records: machine.tape_records(),
        })
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
    /// The cartridge in a slot (1 or 2).
    pub fn cartridge(&self, slot: usize) -> Option<CartridgeState> {
        let (name, about) = self
            .session
            .slot(slot.checked_sub(1).filter(|&slot| slot < SLOTS)?)?;
        Some(CartridgeState { name, about })
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
        let at = slot.checked_sub(1).filter(|&slot| slot < SLOTS);
        let slot = at.ok_or_else(|| format!("there is no cartridge slot {slot}"))?;
        let cartridge = bytes.map(|bytes| Cartridge::parse(&bytes));
        let cartridge = cartridge.transpose().map_err(|error| error.to_string())?;
        let plugged = cartridge.map(|cartridge| Plugged {
            cartridge,
            name: name.to_owned(),
            file: None,
        });
        let program = if self.session.survives_slot(slot, plugged.is_some()) {
            self.session.setup().program.clone()
        } else {
            session::Program::default()
        };
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
    use crate::words::RequestKind;

    /// The drives with a disk in them: each with its disk's name, `w` for a written one and `p` for a protected one.
    fn drives(emulator: &Emulator) -> Vec<String> {
        let shown = |drive| {
            let disk = emulator.disk(drive)?;
            let mark = |on, mark| if on { mark } else { "" };
            let (written, protected) = (mark(disk.written, " w"), mark(disk.protected, " p"));
            Some(format!("{drive} {}{written}{protected}", disk.name))
        };
        (0..=DRIVES + 1).filter_map(shown).collect()
    }

    #[test]
    fn a_disk_goes_in_and_comes_out() {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        emulator.open_built_in("basic", "").unwrap();
        let blank = Emulator::blank_disk(Density::Single);
        emulator.insert_disk(2, "two.atr", &blank).unwrap();
        emulator.insert_disk(1, "one.atr", &blank).unwrap();
        assert_eq!(drives(&emulator), ["1 one.atr", "2 two.atr"]);
        for drive in [0, 9] {
            let refused = emulator.insert_disk(drive, "none.atr", &blank);
            assert_eq!(refused, Err(format!("there is no drive D{drive}:")));
        }
        assert!(emulator.eject_disk(2));
        assert_eq!(emulator.disk_bytes(1), Some(blank));
        assert!(emulator.next_disk().is_none() && !emulator.eject_disk(0));
        assert!(emulator.eject_disk(1) && !emulator.eject_disk(1));
        assert_eq!((emulator.disk(1), emulator.disk_bytes(1)), (None, None));
    }
    /// Runs until a file is asked to be kept, and gives whether it is a tape.
    fn kept(emulator: &mut Emulator) -> Vec<(bool, String)> {
        let mut kept = Vec::new();
        emulator.flush();
        while let Some(request) = emulator.next_request() {
            if request.kind == RequestKind::Keep {
                kept.push((request.tape, request.name));
            }
            emulator.answer(request.id, true);
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
            (Density::Single, 92_176),
            (Density::Enhanced, 133_136),
            (Density::Double, 183_952),
        ] {
            assert_eq!(Emulator::blank_disk(density).len(), size, "{density:?}");
        }
        let blank = Emulator::blank_disk(Density::Double);
        emulator.insert_disk(1, "one.atr", &blank).unwrap();
        emulator.insert_disk(3, "three.atr", &blank).unwrap();
        emulator.swap_disks(3);
        assert!(emulator.protect_disk(1, true) && !emulator.protect_disk(2, true));
        assert_eq!(drives(&emulator), ["1 three.atr p", "3 one.atr"]);
        emulator.swap_disks(2);
        assert_eq!(drives(&emulator), ["2 three.atr p", "3 one.atr"]);
        assert!(emulator.protect_disk(2, false));
        assert_eq!(drives(&emulator), ["2 three.atr", "3 one.atr"]);
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
            let blank = Emulator::blank_disk(Density::Single);
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
        assert_eq!((emulator.tape(), emulator.eject_tape()), (None, false));
        assert!(emulator.insert_tape("none.cas", b"none").is_err());
        let blank = Emulator::blank_tape();
        emulator.insert_tape("one.cas", &blank).unwrap();
        emulator.press_record(true);
        let recording = TapeState {
            name: "one.cas".to_owned(),
            at: 0,
            blocks: 0,
            records: true,
        };
        assert_eq!(emulator.tape(), Some(recording));
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
        let wound = emulator.tape().unwrap();
        assert!(wound.at == 0 && wound.blocks > 0, "{wound:?}");
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
        assert_eq!((emulator.tape(), emulator.tape_bytes()), (None, None));
    }

    #[test]
    fn what_is_saved_and_not_recorded_is_said() {
        let mut emulator = basic("10 REM\\nCSAVE\\n\\n", 1);
        let mut said = Vec::new();
        for _ in 0..1500 {
            said.extend(emulator.frame().and_then(|news| news.message));
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
                    paper += &request.text;
                    emulator.answer(request.id, true);
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
        let blank = Emulator::blank_disk(Density::Single);
        let disk = emulator.insert_disk(3, "three.atr", &blank).unwrap();
        // RTS at $A000; start and initialise there.
        let mut rom = vec![0x60; 0x2000];
        rom[0x1FFA..].copy_from_slice(&[0x00, 0xA0, 0x00, 0x04, 0x00, 0xA0]);
        let numbers = emulator.plug(1, "game.rom", Some(rom.clone())).unwrap();
        assert_eq!(numbers[0], disk.unwrap());
        let game = CartridgeState {
            name: "game.rom".to_owned(),
            about: "8K, CAR type 1".to_owned(),
        };
        let slots = |emulator: &Emulator| [0, 1, 2, 3].map(|slot| emulator.cartridge(slot));
        let filled = [None, Some(game), None, None];
        assert_eq!(slots(&emulator), filled);
        assert_eq!(drives(&emulator), ["3 three.atr"]);
        for (slot, bytes, wanted) in [
            (3, rom.clone(), "there is no cartridge slot 3"),
            (1, vec![0; 100], "a plain cartridge dump has"),
            (2, rom, "only an 800"),
        ] {
            let error = emulator.plug(slot, "x.rom", Some(bytes)).unwrap_err();
            assert!(error.contains(wanted), "{error}");
            assert_eq!(slots(&emulator), filled);
        }
        emulator.plug(1, "", None).unwrap();
        assert_eq!(emulator.cartridge(1), None);
        for _ in 0..300 {
            emulator.frame();
        }
        assert!(emulator.text().contains("READY"), "{}", emulator.text());
    }
}
