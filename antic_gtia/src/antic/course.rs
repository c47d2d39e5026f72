//! The DMA clock over the rest of a line, as sets of cycles.
//!
//! A bit at the entrance of the ring is there again after as many cycles as the ring has bits, until the playfield's stop takes it out. So the
//! entrance is a pattern that repeats from one start or stop to the next, and each kind of fetch is this pattern some cycles later.
use super::beam;
use super::plan::{DmaClock, START, Timing};
use super::slots::{Planned, Special, slot, spread};
use crate::CYCLES;

/// A bit for each cycle of the line.
type Cycles = u128;

/// All cycles of a line.
const LINE: Cycles = (1 << CYCLES) - 1;
/// Cycles of the line's head, in which the counters of the line buffer are held.
const HEAD: Cycles = (1 << beam::COUNTERS) - 1;
/// Cycles before cycle 0 in [`Course::entrance`]: as many as the clock has bits.
const HISTORY: usize = 8;
/// The cycles that ask for a refresh: every fourth from the first to the last.
const REQUESTS: Cycles = every(4) << beam::REFRESH & ((2 << beam::LAST_REFRESH) - 1);

/// [`Course::starts`] of a line in which the playfield has not started.
const NOT_STARTED: u8 = u8::MAX;

/// A bit every `ring` cycles; every eight without a ring.
const fn every(ring: u8) -> Cycles {
    match ring {
        2 => Cycles::MAX / 3,
        4 => Cycles::MAX / 15,
        _ => Cycles::MAX / 255,
    }
}

/// Adds a cycle to a set, if it is one of a line.
const fn mark(cycles: &mut [u64; 2], cycle: u8) {
    if (cycle as usize) < CYCLES {
        cycles[(cycle >> 6) as usize & 1] |= 1 << (cycle & 63);
    }
}

/// The cycles from `cycle` on.
const fn from(cycle: usize) -> Cycles {
    LINE & Cycles::MAX << cycle
}

/// Each byte with its bits in reverse order, which few hosts have an instruction for.
static REVERSED: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).reverse_bits();
        byte += 1;
    }
    table
};

/// A byte with its bits in reverse order. The page has a bar of bytes.
const fn reversed(byte: u8) -> u8 {
    if cfg!(target_family = "wasm") {
        byte.reverse_bits()
    } else {
        REVERSED[byte as usize]
    }
}

/// The clock's course from some cycle to the end of the line.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// The bit at the entrance of the ring in each cycle, [`HISTORY`] further up.
    entrance: u128,
    /// The cycles before which a refresh waits.
    waits: Cycles,
    /// From the cycle after this one on, the playfield has started.
    starts: u8,
}

/// The fetches that the clock asks for in the rest of a line.
#[derive(Clone, Copy, Debug)]
pub struct Fetches {
    names: Cycles,
    glyphs: Cycles,
    bitmaps: Cycles,
    /// Those of them that do not take the bus.
    virtuals: Cycles,
    refresh: Cycles,
}

impl Course {
    /// The course of a clock whose state before cycle `first` is `clock`, and its fetches.
    pub const fn new(t: &Timing, clock: DmaClock, first: usize) -> (Self, Fetches) {
        let mut course = Self {
            entrance: 0,
            waits: 0,
            starts: if clock.started { 0 } else { NOT_STARTED },
        };
        if t.ring != 0 {
            course.enter(t, clock, first);
        }
        let mut fetches = course.fetches(t, first);
        fetches.refresh = course.refresh(clock.waiting, !fetches.taking_bus(), first);
        (course, fetches)
    }

    /// Finds the bits at the entrance.
    const fn enter(&mut self, t: &Timing, clock: DmaClock, first: usize) {
        let history = (clock.bits.reverse_bits() as u128) << first;
        let now = HISTORY + first;
        let last = history >> (now - t.ring as usize) & ((1 << t.ring) - 1);
        let every = every(t.ring);
        self.entrance = history | last * every << now;
        if first <= 2 {
            // In cycle 2 the ring is the head's.
            let back = HISTORY + 2 - ((t.head_ring.wrapping_sub(1) & 7) as usize + 1);
            if (self.entrance >> back ^ self.entrance >> (HISTORY + 2)) & 1 != 0 {
                self.entrance ^= every << (HISTORY + 2);
            }
        }
        // A word of 64 cycles for starts, and one for stops.
        let mut changes = [0u64; 2];
        mark(&mut changes, t.start());
        mark(&mut changes, t.late_start);
        mark(&mut changes, START[2] + t.delay);
        mark(&mut changes, t.stop());
        mark(&mut changes, t.wide_stop());
        mark(&mut changes, t.held_stop);
        mark(&mut changes, t.held_wide_stop);
        self.change(t, 0, changes[0] & from(first) as u64);
        self.change(t, 64, changes[1] & (from(first) >> 64) as u64);
    }

    /// Lets the starts and stops in some of 64 cycles act.
    const fn change(&mut self, t: &Timing, base: u8, cycles: u64) {
        let mut cycles = cycles;
        while cycles != 0 {
            let c = base + cycles.trailing_zeros() as u8;
            cycles &= cycles - 1;
            let place = HISTORY + c as usize;
            let before = self.entrance >> place & 1 != 0;
            let mut bit = before;
            let starts = t.width & 3 != 0 && c == t.start() && c != t.missed || c == t.late_start;
            if starts && self.starts == NOT_STARTED {
                bit = true;
                self.starts = c;
            }
            let (stop, wide_stop) = if c < t.held_until {
                (t.held_stop, t.held_wide_stop)
            } else {
                (t.stop(), t.wide_stop())
            };
            if c == stop || c == wide_stop || self.is_off_at_start(t, c) {
                bit = false;
            }
            if bit != before {
                self.entrance ^= every(t.ring) << place;
            }
        }
    }

    /// True if a playfield that is still switched off at the normal start, or switched on in that very cycle, does not begin in this line; the bits
    /// left in the clock end (reference picture mid_dmactl_off).
    const fn is_off_at_start(&self, t: &Timing, c: u8) -> bool {
        let off = t.width & 3 == 0 || c == t.missed && c == t.start();
        c == START[2] + t.delay && off && self.starts == NOT_STARTED
    }

    /// The playfield's fetches from cycle `first` on: a name is asked for by a bit at the entrance, a bitmap byte two and a glyph three cycles later.
    const fn fetches(&self, t: &Timing, first: usize) -> Fetches {
        let mut f = Fetches {
            names: 0,
            glyphs: 0,
            bitmaps: 0,
            virtuals: 0,
            refresh: 0,
        };
        if t.ring == 0 {
            return f;
        }
        let rest = from(first);
        if t.text {
            f.glyphs = self.entrance >> (HISTORY - 3) & rest;
            if t.first {
                f.names = self.entrance >> HISTORY & rest;
            }
        } else {
            f.bitmaps = self.entrance >> (HISTORY - 2) & rest;
        }
        let replayed = !t.text && !t.first;
        f.virtuals = f.asked();
        if t.width & 3 != 0 && !replayed {
            f.virtuals &= from(beam::VIRTUAL) | 1;
        }
        f
    }

    /// Finds the cycles with refresh: the first `free` one after each request. One that is left over from the line before waits for the first request.
    const fn refresh(&mut self, waiting: bool, free: Cycles, first: usize) -> Cycles {
        let mut requests = REQUESTS & from(first);
        if waiting && first < beam::REFRESH {
            requests |= 1 << beam::REFRESH;
            self.waits = (2 << beam::REFRESH) - (2 << first);
        } else if waiting {
            requests |= 1 << first;
        }
        // Added to a run of busy cycles, a request in it is carried to the free cycle after the run.
        let busy = !free & from(first);
        let delayed = requests & busy;
        let carried = busy + delayed;
        self.waits |= (busy & !carried | delayed) << 1;
        (requests | carried) & free & from(first)
    }

    /// The clock before `cycle`, which comes after the one that the course begins with.
    pub const fn clock(&self, cycle: usize) -> DmaClock {
        DmaClock {
            bits: reversed((self.entrance >> cycle) as u8),
            waiting: self.waits >> cycle & 1 != 0,
            started: (self.starts as usize) < cycle,
        }
    }
}

impl Fetches {
    const fn asked(&self) -> Cycles {
        self.names | self.glyphs | self.bitmaps
    }

    const fn taking_bus(&self) -> Cycles {
        self.asked() & !self.virtuals
    }

    /// The cycle of the first fetch that [`Antic::catch_up`](super::Antic::catch_up) makes; 255 for none.
    pub fn next_late(&self) -> u8 {
        let late = self.taking_bus() & !(HEAD | self.names & self.glyphs);
        if late == 0 {
            255
        } else {
            late.trailing_zeros() as u8
        }
    }

    /// Bytes that are loaded from memory.
    pub const fn loads(&self) -> u8 {
        ((self.names | self.bitmaps) & !self.virtuals).count_ones() as u8
    }

    /// Bytes that are shown. Those of later lines of a mode line come out of the line buffer, without a bus cycle.
    pub const fn shows(&self, t: &Timing) -> u8 {
        let shown = if t.text {
            self.glyphs & !self.virtuals
        } else if t.first {
            self.bitmaps & !self.virtuals
        } else {
            self.bitmaps
        };
        shown.count_ones() as u8
    }

    /// The slots of a line that follows its plan.
    pub const fn planned_slots(&self, t: &Timing) -> Planned {
        let mut planned = *self;
        if !t.text && !t.first {
            planned.bitmaps = 0;
            planned.virtuals = 0;
        }
        // Together with the fetches of the line's head: not for the fast path.
        planned.slots(planned.taking_bus() & HEAD)
    }

    /// The slots of a line whose fetches are made one by one, with [`slot::EVENT`] where they are made in their cycle: see
    /// [`is_late`](super::playfield::is_late).
    pub fn irregular_slots(&self) -> (Planned, Special) {
        let events = self.taking_bus() & (HEAD | self.names & self.glyphs);
        let special = self.virtuals | events;
        (self.slots(events), [special as u64, (special >> 64) as u64])
    }

    const fn slots(&self, events: Cycles) -> Planned {
        // A line has names and glyphs or bitmap bytes.
        let text = self.bitmaps == 0;
        let kinds = if text {
            [slot::NAME as u64, slot::GLYPH as u64]
        } else {
            [slot::BITMAP as u64, 0]
        };
        let firsts = if text { self.names } else { self.bitmaps }.to_le_bytes();
        let seconds = self.glyphs.to_le_bytes();
        let refresh = self.refresh.to_le_bytes();
        let virtuals = self.virtuals.to_le_bytes();
        let events = events.to_le_bytes();
        let mut slots = [0; 128];
        let (eights, _) = slots.as_chunks_mut::<8>();
        let mut i = (self.asked() | self.refresh).trailing_zeros() as usize / 8;
        while i < eights.len() {
            let mut eight = spread(firsts[i]) * kinds[0]
                | spread(seconds[i]) * kinds[1]
                | spread(refresh[i]) * slot::REFRESH as u64;
            if virtuals[i] | events[i] != 0 {
                eight |= spread(virtuals[i]) * slot::VIRTUAL as u64
                    | spread(events[i]) * slot::EVENT as u64;
            }
            eights[i] = eight.to_le_bytes();
            i += 1;
        }
        slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::antic::playfield::is_late;
    use crate::antic::slots;

    /// Steps of a generator (Knuth's MMIX).
    fn random(seed: &mut u64) -> u8 {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as u8
    }

    /// A timing, most often one that has just changed in `cycle`.
    fn some_timing(seed: &mut u64, cycle: usize) -> Timing {
        let ring = [0, 2, 4, 8, 2, 4, 8, 2][usize::from(random(seed) & 7)];
        let (text, first) = (random(seed) & 1 != 0, random(seed) & 1 != 0);
        let mut some = || Timing::plain(ring, text, first, random(seed) & 3, random(seed) & 7);
        let (old, mut t) = (some(), some());
        if cycle > 2 {
            t.keep(&old, cycle);
        }
        t.head_ring = [t.ring, 0, 2, 4, 8][usize::from(random(seed) % 5)];
        t
    }

    #[test]
    fn a_course_is_what_single_cycles_come_to() {
        let mut seed = 1;
        for _ in 0..100_000 {
            let first = usize::from(random(&mut seed)) % CYCLES;
            let t = some_timing(&mut seed, first);
            let mut clock = DmaClock {
                bits: random(&mut seed),
                waiting: random(&mut seed) & 3 == 0,
                started: random(&mut seed) & 1 != 0,
            };
            let (course, fetches) = Course::new(&t, clock, first);
            let planned = fetches.planned_slots(&t);
            let (irregular, special) = fetches.irregular_slots();
            assert_eq!(special, slots::special(&irregular));
            let late = (first..CYCLES).find(|&cycle| is_late(irregular[cycle], cycle));
            assert_eq!(fetches.next_late(), late.map_or(255, |cycle| cycle as u8));
            for cycle in first..CYCLES {
                let slot = clock.tick(&t, cycle);
                assert_eq!(course.clock(cycle + 1), clock, "{t:?} {first} in {cycle}");
                let event = slot & slot::VIRTUAL == 0
                    && slot & !slot::REFRESH != 0
                    && !is_late(slot, cycle);
                let found = irregular[cycle];
                let expected = slot & !slot::EVENT | if event { slot::EVENT } else { 0 };
                assert_eq!(found, expected, "{t:?} {first} in {cycle}");
                let replayed = slot & slot::BITMAP != 0 && !t.first;
                let kept = if replayed { slot::REFRESH } else { !0 };
                assert_eq!(planned[cycle], slot & kept, "{t:?} {first} in {cycle}");
            }
        }
    }
}
