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
        self.interim_cycle();
    }
}

// A stand-in until ANTIC drives the machine: refresh, WSYNC and the vertical blank interrupt only.
impl Machine {
    pub fn run_cycles(&mut self, n: u64) {
        for _ in 0..n {
            self.step_cycle();
        }
    }
    pub fn run_frame(&mut self) {
        self.apply_input();
        loop {
            self.interim_cycle();
            if self.bus.video.cycle == 0 && self.bus.video.line == 0 {
                break;
            }
        }
    }
    pub fn step_instruction(&mut self) {
        self.apply_input();
        loop {
            self.interim_cycle();
            if self.cpu.at_instruction_start() {
                break;
            }
        }
    }
    fn interim_cycle(&mut self) {
        let lines = self.bus.tv.lines();
        if self.bus.now() >= self.bus.io.deadline() {
            self.bus.io_event();
        }
        let v = &mut self.bus.video;
        if v.cycle == 8 && v.line == 248 {
            v.nmist = 0x5F;
            if v.nmien & 0x40 != 0 {
                self.cpu.nmi();
            }
        }
        let v = &mut self.bus.video;
        if v.cycle == 105 {
            v.wsync = false;
        }
        let refresh = v.cycle >= 25 && v.cycle <= 57 && v.cycle % 4 == 1;
        if !refresh && !(v.wsync && !self.cpu.next_is_write()) {
            self.cpu.step(&mut self.bus);
        }
        let v = &mut self.bus.video;
        v.now += 1;
        v.cycle += 1;
        if v.cycle == 114 {
            v.cycle = 0;
            v.line += 1;
            if v.line == lines {
                v.line = 0;
            }
        }
    }
}
