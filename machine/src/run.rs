//! The run loop.
use crate::{Machine, bus::Bus};

/// Where the beam is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beam {
    /// Scan line, 0 to 261 or 311.
    pub line: u16,
    /// Machine cycle of the line, 0 to 113.
    pub cycle: u8,
}

/// Looks on while the machine runs.
pub trait Probe {}

/// Sees nothing and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {}

impl Bus {
    /// The level of the IRQ line.
    #[inline]
    pub(crate) fn irq_line(&self) -> bool {
        self.io.irq_line()
    }
}

impl Bus {
    /// To be called after the deadline of [`crate::Io`] may have changed.
    #[inline]
    pub(crate) fn schedule(&mut self) {}
}

impl Machine {
    /// Machine cycles since power-on.
    pub fn now(&self) -> u64 {
        self.bus.now()
    }

    /// Runs one machine cycle.
    pub fn step_cycle(&mut self) {
        self.apply_input();
        if self.bus.now() >= self.bus.io.deadline() {
            self.bus.io_event();
        }
        self.cpu.step(&mut self.bus);
        self.bus.video.now += 1;
    }
}
