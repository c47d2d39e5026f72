//! The NMOS 6502C ("SALLY") of the Atari 8-bit computers, one bus cycle at a time.
#![no_std]
#![forbid(unsafe_code)]

use serde::{Deserialize, Serialize};

/// What the processor is connected to.
pub trait Bus {
    /// One read cycle.
    fn read(&mut self, address: u16) -> u8;
    /// One write cycle.
    fn write(&mut self, address: u16, data: u8);
    /// The level of the IRQ line in this cycle: `true` while a device pulls it low.
    fn irq(&self) -> bool;
}

/// The processor. Between two calls of [`Cpu::step`] its whole state is in this struct.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cpu {
    /// Program counter.
    pub pc: u16,
    /// Accumulator.
    pub a: u8,
    /// Index register X.
    pub x: u8,
    /// Index register Y.
    pub y: u8,
    /// Stack pointer.
    pub s: u8,
    /// Status register.
    pub p: u8,
}

impl Default for Cpu {
    fn default() -> Self {
        Self::new()
    }
}

impl Cpu {
    /// A processor at power-on: the next step is the first cycle of the RESET sequence.
    pub fn new() -> Self {
        Self {
            pc: 0,
            a: 0,
            x: 0,
            y: 0,
            s: 0,
            p: 0,
        }
    }

    /// Pulls and releases the RESET line: the next step is the first cycle of the RESET sequence.
    pub fn reset(&mut self) {}

    /// One cycle: exactly one bus access. Not called while HALT or RDY stops the processor.
    #[inline]
    pub fn step<B: Bus>(&mut self, bus: &mut B) {
        bus.read(self.pc);
    }

    /// Whether the next step writes: RDY does not stop a write cycle.
    #[inline]
    pub fn next_is_write(&self) -> bool {
        false
    }

    /// A falling edge of the NMI line before the next step; latched until served.
    pub fn nmi(&mut self) {}

    /// Whether the next step is the first cycle of an instruction (or of an interrupt sequence).
    pub fn at_instruction_start(&self) -> bool {
        true
    }
}
