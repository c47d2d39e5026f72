//! POKEY, PIA and the serial bus on the bus.
use crate::bus::Bus;
use crate::config::{Model, Tv};
use crate::input::Input;

/// A change of the sound output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoundChange {
    /// When, in half machine cycles since power-on.
    pub at: u64,
    /// The sum of the channels' volumes, 0 to 60.
    pub level: u8,
}

/// POKEY, PIA and what hangs on the serial bus.
#[derive(Clone, Debug, PartialEq)]
pub struct Io {}

impl Io {
    pub(crate) fn new(_model: Model, _tv: Tv, _seed: u64) -> Self {
        Self {}
    }
}

impl Bus {
    pub(crate) fn read_pokey(&mut self, _register: u8) -> u8 {
        0xFF
    }

    pub(crate) fn write_pokey(&mut self, _register: u8, _data: u8) {}

    pub(crate) fn read_pia(&mut self, _register: u8) -> u8 {
        0xFF
    }

    /// Calls `self.memory.set_portb(levels)` when the levels of port B change.
    pub(crate) fn write_pia(&mut self, _register: u8, _data: u8) {}

    pub(crate) fn peek_pokey(&self, _register: u8) -> u8 {
        0xFF
    }

    pub(crate) fn peek_pia(&self, _register: u8) -> u8 {
        0xFF
    }

    pub(crate) fn io_input_changed(&mut self, _old: &Input) {}

    /// Takes over disks and tapes from a machine that is switched off.
    pub(crate) fn keep_media(&mut self, _old: &mut Bus) {}
}

impl crate::Machine {
    /// Puts a disk into drive `number` (0 = D1:).
    pub fn insert_disk(&mut self, _number: usize, _disk: media::atr::Disk) {}
}
