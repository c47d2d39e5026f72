//! The time of the first write to each address since power-on: for breakpoints on reads of memory that nothing has initialised.

use crate::Moment;
use crate::basic::{APPMHI, MEMTOP2, STARP, VNTP};
use crate::frame_log::is_chip;
use machine::{Bus, Machine, Probe};
use session::timeline::{Event, Timeline};
use std::ops::RangeInclusive;

/// The clock of the first write to each address, by the address that the processor sees. Memory that was filled from outside counts
/// as written.
#[derive(Clone, Debug)]
pub(crate) struct FirstWrites {
    /// The moment at which the machine was switched on.
    life: Moment,
    /// Everything before this clock is known.
    until: u64,
    first: Vec<u64>,
}

impl Probe for FirstWrites {
    const ACTIVE: bool = false;
    const WRITES: bool = true;

    fn written(&mut self, now: u64, address: u16, _: u8) {
        let first = &mut self.first[usize::from(address)];
        *first = now.min(*first);
    }
}

impl FirstWrites {
    /// The first writes up to the present of a machine; `None` if the recording does not reach back to its power-on, or another machine has taken its
    /// place since. `known` is continued where it can be.
    pub fn up_to(timeline: &Timeline, machine: &Machine, known: Option<Self>) -> Option<Self> {
        let now = timeline.moment_of(machine);
        let life = Moment(now.0.checked_sub(machine.now())?);
        if life < timeline.oldest() {
            return None;
        }
        let mut writes = known
            .filter(|known| known.life == life)
            .unwrap_or_else(|| Self {
                life,
                until: 0,
                first: vec![u64::MAX; 0x10000],
            });
        if writes.until > machine.now() {
            // The time after this may be another branch.
            writes.until = machine.now();
            for first in &mut writes.first {
                if *first >= writes.until {
                    *first = u64::MAX;
                }
            }
        }
        // A cycle earlier: an event may have been applied at the known moment.
        let mut visit = timeline.visit(Moment(life.0 + writes.until.saturating_sub(1)))?;
        let since = visit.moment();
        let events = timeline
            .events()
            .filter(|(at, _)| *at > since && *at <= now);
        for (at, event) in events {
            if let Event::Replace(_) = event {
                // Another machine, of whose past nothing is recorded.
                return None;
            }
            if matches!(event, Event::Poke { .. } | Event::LoadBasic(_)) {
                visit.run(timeline, at, &mut writes);
                writes.filled(event, visit.machine());
            }
        }
        visit.run(timeline, now, &mut writes);
        writes.until = machine.now();
        Some(writes)
    }

    /// Takes what an event has just written from outside, before the cycle of the machine's clock.
    fn filled(&mut self, event: &Event, machine: &Machine) {
        let clock = machine.now().saturating_sub(1);
        let mut fill = |addresses: RangeInclusive<u16>| {
            for address in addresses {
                self.written(clock, address, 0);
            }
        };
        match event {
            Event::Poke { address, .. } => fill(*address..=*address),
            Event::LoadBasic(_) => {
                // The name table to the last statement, and the pointers.
                fill(machine.peek_word(VNTP)..=machine.peek_word(STARP).saturating_sub(1));
                fill(VNTP..=MEMTOP2 + 1);
                fill(APPMHI..=APPMHI + 1);
            }
            _ => {}
        }
    }

    /// The run that they looked on has come to this clock.
    pub fn known_until(&mut self, clock: u64) {
        self.until = clock;
    }

    /// True if a read of this address in this cycle shows the contents of power-on.
    pub fn is_uninitialised(&self, address: u16, bus: &Bus) -> bool {
        is_ram(address, bus) && self.first[usize::from(address)] >= bus.now()
    }
}

/// True if the processor sees RAM at an address.
pub fn is_ram(address: u16, bus: &Bus) -> bool {
    let memory = &bus.memory;
    let portb = memory.portb();
    let there = usize::from(address) < memory.ram().len() && !is_chip(address);
    there
        && match address {
            0x5000..=0x57FF => portb & 0x81 != 0x01,
            0xA000..=0xBFFF => portb & 0x02 != 0 && !memory.cartridge_at_a000(),
            0xC000..=0xFFFF => portb & 0x01 == 0,
            _ => true,
        }
}
