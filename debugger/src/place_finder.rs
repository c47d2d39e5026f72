//! The last hit of breakpoints that depend only on places: on processor or beam now, not on what ran before. A run back to such a
//! breakpoint examines a cycle only as far as needed to see that no breakpoint waits there.

use crate::breakpoints::{Breakpoints, Now};
use crate::watch::Seek;
use cpu6502::Cpu;
use machine::{Bus, Probe};

/// Keeps the time of the last hit of a breakpoint.
pub(crate) struct PlaceFinder<'a> {
    breakpoints: &'a Breakpoints,
    /// The processor was not halted in the last cycle.
    stepped: bool,
    /// The clock up to which no breakpoint waits for the beam.
    beam: u64,
    found: Option<u64>,
}

impl<'a> PlaceFinder<'a> {
    /// For breakpoints of which [`Breakpoints::are_places`] is true.
    pub(crate) fn new(breakpoints: &'a Breakpoints) -> Self {
        Self {
            breakpoints,
            stepped: false,
            beam: 0,
            found: None,
        }
    }

    #[inline(never)]
    fn look(&mut self, access: bool, cpu: &Cpu, bus: &Bus) {
        if bus.now() >= self.beam {
            self.beam = self.breakpoints.next_beam(bus).unwrap_or(u64::MAX);
        }
        let now = Now {
            instruction: access && cpu.at_instruction_start() && !cpu.at_interrupt_start(),
            access,
            ..Now::default()
        };
        let mut hits = self.breakpoints.hit(now, cpu, bus, None);
        if hits.any(|breakpoint| !breakpoint.log) {
            self.found = Some(bus.now());
        }
    }
}

impl Probe for PlaceFinder<'_> {
    const FETCHES: bool = false;

    #[inline]
    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        let access = std::mem::take(&mut self.stepped);
        if access && self.breakpoints.may_hit(cpu) || bus.now() >= self.beam {
            self.look(access, cpu, bus);
        }
        false
    }

    fn read(&mut self, _: u64, _: u16, _: u8) {
        self.stepped = true;
    }

    fn written(&mut self, _: u64, _: u16, _: u8) {
        self.stepped = true;
    }
}

impl Seek for PlaceFinder<'_> {
    fn found(&self) -> Option<u64> {
        self.found
    }
}
