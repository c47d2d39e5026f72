//! ANTIC and GTIA on the bus.
use crate::bus::Bus;
use crate::config::Tv;
use crate::input::Input;

/// Colour indexes of the lines 8 to 247: 376 x 240 hires pixels.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Frame {}

/// ANTIC, GTIA and the beam.
#[derive(Clone, Debug, PartialEq)]
pub struct Video {
    pub(crate) now: u64,
}

impl Video {
    pub(crate) fn new(_tv: Tv, _seed: u64) -> Self {
        Self { now: 0 }
    }
}

impl Bus {
    /// Machine cycles since power-on.
    pub fn now(&self) -> u64 {
        self.video.now
    }

    pub(crate) fn read_gtia(&mut self, _register: u8) -> u8 {
        0x0F
    }

    pub(crate) fn write_gtia(&mut self, _register: u8, _data: u8) {}

    pub(crate) fn read_antic(&mut self, _register: u8) -> u8 {
        0xFF
    }

    pub(crate) fn write_antic(&mut self, _register: u8, _data: u8) {}

    pub(crate) fn peek_gtia(&self, _register: u8) -> u8 {
        0x0F
    }

    pub(crate) fn peek_antic(&self, _register: u8) -> u8 {
        0xFF
    }

    pub(crate) fn video_input_changed(&mut self, _old: &Input) {}
}
