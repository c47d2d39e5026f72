//! Checks that a state read from a file is one that the chip can be in.
use crate::serial::SerialByte;
use crate::{NEVER, Pokey};

/// No clock of a machine gets there: 160 years.
const LATEST: u64 = 1 << 53;
/// The greatest distance of an event: 65,536 periods of the slowest clock, and more.
const AHEAD: u64 = 1 << 30;

impl Pokey {
    /// True if every field is within the range that the rest of the chip relies on.
    pub fn is_valid(&self) -> bool {
        self.now < LATEST
            && self.clock_epoch <= self.now
            && self.timers_are_valid()
            && self.noise.is_valid(self.now)
            && self.sound.is_valid()
            && self.serial.is_valid(self.now)
            && self.keyboard.is_valid(self.now)
            && self.pots.is_valid(self.now)
    }

    /// The cycle up to which the chip has been brought.
    pub fn synced_to(&self) -> u64 {
        self.now
    }

    /// True if an event can be due at this cycle.
    pub(crate) fn is_ahead(at: u64, now: u64) -> bool {
        at == NEVER || at >= now && at - now <= AHEAD
    }
}

impl SerialByte {
    /// True if it can have been sent before `now`.
    pub(crate) fn is_valid(self, now: u64) -> bool {
        self.start <= self.end && self.end <= now
    }
}
