//! The instructions that were executed: they tell code from data.

use crate::Moment;
use cpu6502::Cpu;
use machine::{Bus, Probe};
use session::timeline::Timeline;

/// Machine cycles that are looked at the first time: two seconds.
const FIRST: u64 = 120 * 262 * crate::LINE;
/// Machine cycles that are looked at at most when time has passed.
const MOST: u64 = 600 * 262 * crate::LINE;

/// Addresses at which an instruction began.
#[derive(Clone, Debug, Default)]
pub struct Executed {
    /// A bit for each address; empty when nothing was looked at.
    bits: Vec<u64>,
    known: Option<(Moment, Moment)>,
}

impl Executed {
    /// True if an instruction began at an address.
    pub(crate) fn is_executed(&self, address: u16) -> bool {
        self.bits
            .get(usize::from(address >> 6))
            .is_some_and(|bits| bits >> (address & 63) & 1 != 0)
    }

    /// True if nothing is known.
    pub fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    /// Number of addresses.
    pub fn len(&self) -> u32 {
        self.bits.iter().map(|bits| bits.count_ones()).sum()
    }

    /// The time that was looked at.
    pub fn known(&self) -> Option<(Moment, Moment)> {
        self.known
    }

    /// Looks at the time from the last look up to `now`; the first time at the last two seconds.
    pub(crate) fn learn(&mut self, timeline: &Timeline, now: Moment) {
        let from = match self.known {
            Some((_, to)) if to < now => Moment(to.0.max(now.0.saturating_sub(MOST))),
            Some(_) => return,
            None => Moment(now.0.saturating_sub(FIRST)),
        };
        let from = from.max(timeline.oldest());
        if self.bits.is_empty() {
            self.bits = vec![0; 1024];
        }
        if let Some(visit) = timeline.visit(from) {
            let mut visit = visit.without_pictures();
            visit.run(timeline, now, self);
        }
        let first = self.known.map_or(from, |(first, _)| first);
        self.known = Some((first, now));
    }
}

impl Probe for Executed {
    fn cycle(&mut self, cpu: &Cpu, _: &Bus) -> bool {
        if cpu.at_instruction_start() && !cpu.at_interrupt_start() {
            self.bits[usize::from(cpu.pc >> 6)] |= 1 << (cpu.pc & 63);
        }
        false
    }
}
