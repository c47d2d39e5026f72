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
    pub line: u16,
    pub cycle: u8,
    pub nmien: u8,
    pub nmist: u8,
    pub wsync: bool,
}

impl Video {
    pub(crate) fn new(_tv: Tv, _seed: u64) -> Self {
        Self {
            now: 0,
            line: 0,
            cycle: 0,
            nmien: 0,
            nmist: 0x1F,
            wsync: false,
        }
    }
}

impl Bus {
    /// Machine cycles since power-on.
    pub fn now(&self) -> u64 {
        self.video.now
    }

    pub(crate) fn read_gtia(&mut self, register: u8) -> u8 {
        self.peek_gtia(register)
    }

    pub(crate) fn write_gtia(&mut self, _register: u8, _data: u8) {}

    pub(crate) fn read_antic(&mut self, register: u8) -> u8 {
        self.peek_antic(register)
    }

    pub(crate) fn write_antic(&mut self, register: u8, data: u8) {
        match register & 15 {
            10 => self.video.wsync = true,
            14 => self.video.nmien = data,
            15 => self.video.nmist = 0x1F,
            _ => {}
        }
    }

    pub(crate) fn peek_gtia(&self, register: u8) -> u8 {
        match register & 31 {
            r @ 16..=19 => self.trigger_pin(usize::from(r - 16)),
            20 => 0x0F,
            31 => self.console_pins(),
            _ => 0,
        }
    }

    pub(crate) fn peek_antic(&self, register: u8) -> u8 {
        match register & 15 {
            11 => (self.video.line >> 1) as u8,
            15 => self.video.nmist,
            _ => 0xFF,
        }
    }

    pub(crate) fn video_input_changed(&mut self, _old: &Input) {}
}
