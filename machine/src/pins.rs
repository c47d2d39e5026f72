//! The chips by their pins: for tests that want a register written in a cycle that no program reaches, and for debuggers that edit one.
use crate::{Bus, Machine};
use core::ops::Deref;

/// The pins of the chips, driven from outside between two cycles, with a view of the effects. See [`Machine::pins`].
#[derive(Debug)]
pub struct Pins<'a> {
    bus: &'a mut Bus,
}

impl Machine {
    /// Everything but the processor, to look at.
    pub fn bus(&self) -> &Bus {
        &self.bus
    }

    /// The chips by their pins. A recording does not hold what is done here, because it is not input.
    pub fn pins(&mut self) -> Pins<'_> {
        Pins { bus: &mut self.bus }
    }
}

impl Deref for Pins<'_> {
    type Target = Bus;

    fn deref(&self) -> &Bus {
        self.bus
    }
}

impl Pins<'_> {
    /// A read of the processor's in the cycle before this one, with its side effects.
    pub fn read(&mut self, address: u16) -> u8 {
        cpu6502::Bus::read(self.bus, address)
    }

    /// A write of the processor's in the cycle before this one, with its side effects.
    pub fn write(&mut self, address: u16, data: u8) {
        cpu6502::Bus::write(self.bus, address, data);
    }

    /// A write to ANTIC's register 0 to 15 in cycle 0 to 113 of the line in which the beam is.
    pub fn antic(&mut self, register: u8, data: u8, cycle: usize) {
        self.bus.video.antic.write(register, data, cycle);
    }

    /// The value of a read of ANTIC's register 0 to 15 in cycle 0 to 113 of the line in which the beam is.
    pub fn antic_read(&mut self, register: u8, cycle: usize) -> u8 {
        self.bus.video.antic.read(register, cycle)
    }

    /// A write to GTIA's register 0 to 31 in cycle 0 to 113 of the line in which the beam is.
    pub fn gtia(&mut self, register: u8, data: u8, cycle: usize) {
        self.bus.write_gtia_in(register, data, cycle);
    }

    /// The Proceed line of the serial bus (CA1 of the PIA): `true` = low.
    pub fn proceed(&mut self, low: bool) {
        self.bus.io.pia.set_proceed(low);
    }

    /// The Interrupt line of the serial bus (CB1 of the PIA): `true` = low.
    pub fn interrupt(&mut self, low: bool) {
        self.bus.io.pia.set_interrupt(low);
    }
}
