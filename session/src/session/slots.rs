//! The cartridge slots: their cartridges from the next cold start on.
use super::Session;
use crate::program::Kind;
use crate::setup::MediumFile;
use media::cartridge::Cartridge;

/// A cartridge in a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plugged {
    /// The cartridge.
    pub cartridge: Cartridge,
    /// Its name.
    pub name: String,
    /// Its file, when it is one that a program can write to.
    pub file: Option<MediumFile>,
}

impl Session {
    /// Name and kind of the cartridge in a slot of the machine: 0 is the first, 1 the right one of an 800, or that on top of a
    /// SpartaDOS X cartridge.
    pub fn slot(&self, slot: usize) -> Option<(String, String)> {
        let config = self.machine().config();
        let cartridge = if slot == 0 {
            config.cartridge.as_ref()?
        } else {
            config.second.as_ref()?
        };
        let name = match self.setup.program.kind {
            Kind::Cartridge(_) if slot == 0 => &self.setup.program.title,
            _ => self.setup.slot_names.get(slot)?,
        };
        let size = cartridge.rom.len() / 1024;
        let kind = cartridge.type_number();
        let kind = kind.map_or(String::new(), |number| format!(", CAR type {number}"));
        Some((name.clone(), format!("{size}K{kind}")))
    }

    /// The cartridge of a slot of the machines that [`Self::start`] makes from now on; returns the old setting. A program that is
    /// itself a cartridge does not count: it is in the first slot.
    pub fn set_slot(&mut self, slot: usize, plugged: Option<Plugged>) -> Option<Plugged> {
        let (cartridge, name, file) = match plugged {
            Some(plugged) => (Some(plugged.cartridge), plugged.name, plugged.file),
            None => (None, String::new(), None),
        };
        let setup = &mut self.setup;
        let place = if slot == 0 {
            &mut setup.cartridge
        } else {
            &mut setup.second
        };
        let before = std::mem::replace(place, cartridge);
        let named = setup.slot_names.get_mut(slot);
        let named = named.map_or(String::new(), |old| std::mem::replace(old, name));
        let filed = if slot == 0 {
            std::mem::replace(&mut setup.cartridge_file, file)
        } else {
            None
        };
        before.map(|cartridge| Plugged {
            cartridge,
            name: named,
            file: filed,
        })
    }

    /// True if the program still runs after a slot was filled or emptied: a cartridge takes the place of the one in the first slot, and what BASIC runs
    /// does not run beside a cartridge.
    pub fn survives_slot(&self, slot: usize, filled: bool) -> bool {
        match self.setup.program.kind {
            Kind::Cartridge(_) => slot != 0,
            Kind::Basic(_) | Kind::State(_) => !filled,
            _ => true,
        }
    }

    /// True with, false without BASIC, `None` as the program needs it.
    pub fn basic(&self) -> Option<bool> {
        match (self.setup.with_basic, self.setup.no_basic) {
            (_, true) => Some(false),
            (true, _) => Some(true),
            _ => None,
        }
    }

    /// Sets BASIC for the machines that [`Self::start`] makes from now on, see [`Self::basic`]; returns the old setting.
    pub fn set_basic(&mut self, basic: Option<bool>) -> Option<bool> {
        let before = self.basic();
        self.setup.with_basic = basic == Some(true);
        self.setup.no_basic = basic == Some(false);
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Program, Setup};
    use machine::Model;
    use machine::screen::glyph;

    /// A cartridge of 8K that writes a letter into the middle of the screen, over and over.
    fn cartridge(letter: u8) -> Plugged {
        let mut rom = vec![0xFF; 0x2000];
        // LDA #letter - 32; LDY #100; STA (SAVMSC),Y; JMP.
        rom[..9].copy_from_slice(&[0xA9, letter - 32, 0xA0, 100, 0x91, 0x58, 0x4C, 0x04, 0xA0]);
        // Start address; no cartridge is $00 at $BFFC; start it; initialise at an RTS.
        rom[0x100] = 0x60;
        rom[0x1FFA..].copy_from_slice(&[0x00, 0xA0, 0x00, 0x04, 0x00, 0xA1]);
        Plugged {
            cartridge: Cartridge::from_rom(&rom).unwrap(),
            name: format!("{}.rom", glyph(letter)),
            file: None,
        }
    }

    fn shows(session: &mut Session, wanted: &str) {
        for _ in 0..300 {
            session.run_frame();
        }
        assert!(session.text().contains(wanted), "{}", session.text());
    }

    #[test]
    fn cartridges_go_in_and_come_out_by_a_cold_start() {
        let mut session = Session::new(Setup::default()).unwrap();
        shows(&mut session, "READY");
        assert_eq!(session.slot(0), None);
        assert_eq!(session.set_slot(0, Some(cartridge(b'A'))), None);
        assert_eq!(session.slot(0), None, "nothing before the cold start");
        session.start(Program::default()).unwrap();
        shows(&mut session, "A");
        let about = ("A.rom".to_owned(), "8K, CAR type 1".to_owned());
        assert_eq!(session.slot(0), Some(about));
        // Only an 800 has a second slot: the sentence says so, and the machine runs on.
        assert_eq!(session.set_slot(1, Some(cartridge(b'B'))), None);
        let error = session.start(Program::default()).unwrap_err();
        assert!(error.to_string().contains("only an 800"), "{error}");
        assert_eq!(session.set_slot(1, None), Some(cartridge(b'B')));
        assert_eq!(session.set_slot(0, None), Some(cartridge(b'A')));
        session.start(Program::default()).unwrap();
        shows(&mut session, "READY");
        assert_eq!(session.slot(0), None);
    }

    #[test]
    fn basic_is_switched_by_a_cold_start() {
        let mut session = Session::new(Setup {
            model: Some(Model::Atari800),
            ..Setup::default()
        })
        .unwrap();
        assert_eq!(session.set_basic(Some(false)), None);
        session.start(Program::default()).unwrap();
        for _ in 0..300 {
            session.run_frame();
        }
        assert!(!session.text().contains("READY"), "{}", session.text());
        assert_eq!(session.set_basic(None), Some(false));
        session.start(Program::default()).unwrap();
        shows(&mut session, "READY");
    }
}
