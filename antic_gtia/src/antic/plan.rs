//! The DMA clock and the plan of a scan line.
//!
//! The playfield's fetches are timed by an eight-bit shift register, of which the first two, four or eight bits form a
//! ring. A bit put in at the playfield's start comes by every two, four or eight cycles, asks for a name, two cycles
//! later for a bitmap byte, three cycles later for a glyph, and is taken out at the playfield's stop.
use super::beam;
use super::course::Course;
use super::mode::Mode;
use super::playfield::Pending;
use super::slots::{Planned, Special, special};
use crate::CYCLES;

/// The cycles of a line that its planned DMA leaves to the processor.
#[derive(Clone, Copy, Debug)]
pub struct FreeCycles {
    /// Number of the line's free cycles before each cycle.
    before: [u8; 128],
    /// The cycle of each free cycle, and the end of the line after the last.
    cycles: [u8; 128],
}

impl FreeCycles {
    const fn new(slots: &Planned) -> Self {
        let mut free = Self {
            before: [0; 128],
            cycles: [CYCLES as u8; 128],
        };
        let mut count = 0;
        let mut cycle = 0;
        while cycle < 128 {
            free.before[cycle] = count;
            if cycle < CYCLES && slots[cycle] == 0 {
                free.cycles[count as usize] = cycle as u8;
                count += 1;
            }
            cycle += 1;
        }
        free
    }

    /// The free cycles of a line that has only refresh DMA.
    pub fn of_blank_line() -> &'static Self {
        &BLANK.free_cycles
    }

    /// Number of the line's free cycles before this one.
    #[inline]
    pub fn before(&self, cycle: u8) -> u8 {
        self.before[usize::from(cycle & 127)]
    }

    /// The greatest number of free cycles left by an access in cycle `next` or later, up to the free one of number `last`.
    #[inline]
    pub fn left_from(&self, next: u8, last: u32) -> i32 {
        last as i32 - i32::from(self.before(next))
    }

    /// The cycle that is free as number `number` of the line, from 0.
    #[inline]
    pub fn cycle(&self, number: u32) -> u8 {
        self.cycles[number as usize & 127]
    }
}

/// A cycle that no line has.
pub(super) const NEVER: u8 = 128;
/// The cycles in which fetches may begin and end, as cycles of the name fetch: AHRM 4.11 and 4.14.
pub(super) const START: [u8; 4] = [NEVER, 26, 18, 10];
const STOP: [u8; 4] = [NEVER, 90, 98, 106];
/// The cycle of the last start, with the longest delay.
const LAST_START: u8 = START[1] + 7;

/// The properties of a line on which the timing of its playfield depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Timing {
    /// Bits of the ring: 2, 4 or 8; 0 for lines without playfield.
    pub ring: u8,
    /// The ring in cycle 2, when the new instruction does not act on it yet: a bit put in before cycle 109 leaves the longest ring
    /// unseen (AHRM 4.12).
    pub head_ring: u8,
    /// Character mode.
    pub text: bool,
    /// The first line of the mode line.
    pub first: bool,
    /// Fetch width: 0 none, 1 narrow, 2 normal, 3 wide.
    pub width: u8,
    /// Cycles of delay by HSCROL.
    pub delay: u8,
    /// A start that was due in the very cycle of a change; 128 = none.
    pub late_start: u8,
    /// A start that a change in its very cycle came too late for; 128 = none.
    pub missed: u8,
    /// Before this cycle a stop is still where it was before the last change...
    pub held_until: u8,
    /// ...here...
    pub held_stop: u8,
    /// ...or here.
    pub held_wide_stop: u8,
}

impl Timing {
    /// A line without irregularities.
    pub const fn plain(ring: u8, text: bool, first: bool, width: u8, delay: u8) -> Self {
        Self {
            ring,
            head_ring: ring,
            text,
            first,
            width,
            delay,
            late_start: NEVER,
            missed: NEVER,
            held_until: 0,
            held_stop: NEVER,
            held_wide_stop: NEVER,
        }
    }

    /// The cycle in which the playfield starts.
    pub const fn start(&self) -> u8 {
        START[(self.width & 3) as usize] + self.delay
    }

    /// The cycle in which it stops.
    pub const fn stop(&self) -> u8 {
        STOP[(self.width & 3) as usize] + self.delay
    }

    /// The wide stop stops narrower playfields, too, but none that is switched off.
    pub const fn wide_stop(&self) -> u8 {
        if self.width & 3 == 0 {
            NEVER
        } else {
            STOP[3] + self.delay
        }
    }

    /// The bits of the DMA clock before `cycle` that will still reach the end of the ring or the tap of a fetch. The others are history: they only
    /// run out of the register. A glyph asked for in cycle 0 does not count: it takes no bus cycle, and the shift register is held empty.
    const fn live_bits(&self, cycle: usize) -> u8 {
        if self.ring == 0 {
            return 0;
        }
        let ring_end = (1u16 << self.ring) - 1;
        let ends = if cycle == 2 {
            // The ring of this instruction acts from the next cycle on.
            1 << (self.head_ring.wrapping_sub(1) & 7) | ring_end >> 1
        } else {
            ring_end
        };
        let taps = if self.text && cycle != 0 { 0b111 } else { 0b11 };
        (ends | taps) as u8
    }

    /// True if the bits that the line before has left in `clock` ask for nothing from `cycle` (0 to 2) on: this line's plan is that of an empty
    /// clock.
    #[inline]
    pub const fn is_clear(&self, clock: DmaClock, cycle: usize) -> bool {
        (clock.bits == 0 || clock.bits & self.live_bits(cycle) == 0) && !clock.waiting
    }

    /// True if no fetch and no refresh comes from `cycle` on: the ring is empty, and a playfield that has not started does not start any more.
    pub const fn is_over(&self, clock: DmaClock, cycle: usize) -> bool {
        cycle > beam::LAST_REFRESH && clock.bits & self.live_bits(cycle) == 0 && !clock.waiting
    }

    /// True if the playfield neither starts nor stops in `cycle` or the next one, by this timing or by what it keeps of the one before.
    fn is_quiet(&self, cycle: u8) -> bool {
        if cycle > LAST_START && cycle + 1 < STOP[1] {
            return true;
        }
        let begins = [self.start(), self.late_start, START[2] + self.delay];
        let ends = [
            self.stop(),
            self.wide_stop(),
            self.held_stop,
            self.held_wide_stop,
        ];
        let near = |at: &u8| at.wrapping_sub(cycle) < 2;
        !begins.iter().chain(&ends).any(near)
    }

    /// Keeps of the timing `old` what a change in `cycle` is too late for: a start in that cycle, a stop in that cycle
    /// or the next (Acid800 antic_pfstarttiming and antic_pfstoptiming; AHRM 4.11 and 4.12).
    pub fn keep(&mut self, old: &Self, cycle: usize) {
        let c = cycle as u8;
        if old.ring != 0 && old.width != 0 && old.start() == c {
            self.late_start = c;
        }
        // A wide start is still in time (reference pictures mid_dmactl_modeE and mid_hscrol_start), others are not (AHRM 4.11).
        if self.width != 3 && old.start() != c {
            self.missed = c;
        }
        self.held_until = c + 2;
        (self.held_stop, self.held_wide_stop) = if c < old.held_until {
            (old.held_stop, old.held_wide_stop)
        } else {
            (old.stop(), old.wide_stop())
        };
    }
}

/// The DMA clock between two cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DmaClock {
    /// Bit n: a bit that was at the ring's entrance n cycles ago.
    pub bits: u8,
    /// A refresh waits for a free cycle.
    pub waiting: bool,
    /// The playfield has started in this line.
    pub started: bool,
}

impl DmaClock {
    /// Nothing is in it.
    pub const CLEAR: Self = Self {
        bits: 0,
        waiting: false,
        started: false,
    };

    /// A playfield that was off at the wide stop is switched on, before `cycle` (114 for cycle 0 of the next line): it stops now. Switched on
    /// later it has missed its stop and runs on (reference picture mid_dmactl_off; AHRM 4.12).
    pub fn stop_late(&mut self, old: &Timing, cycle: usize) {
        let stop = usize::from(STOP[3] + old.delay);
        if old.ring == 0 || old.width != 0 || cycle < stop {
            return;
        }
        for age in 0..usize::from(old.ring) {
            // Bit `age` was at the entrance in cycle - 1 - age: in phase with the stop?
            if (cycle + 8 - 1 - age - stop).is_multiple_of(old.ring.into()) {
                self.bits &= !(1 << age);
            }
        }
    }
}

/// A line from cycle 2 on. The DMA clock is empty there but for history: [`Timing::is_clear`].
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub slots: Planned,
    /// See [`special`].
    pub special: Special,
    pub free_cycles: FreeCycles,
    pub course: Course,
    /// The DMA clock after cycle 113.
    pub end: DmaClock,
    /// Its fetches: names or bitmap bytes that are loaded from memory, glyphs or bitmap bytes that are shown.
    pub pending: Pending,
}

impl Plan {
    /// True if a clock asks for the same fetches as this plan's clock, from `cycle` on and as long as both tick alike.
    #[inline]
    pub fn agrees(&self, t: &Timing, clock: DmaClock, cycle: usize) -> bool {
        let planned = self.course.clock(cycle);
        (clock.bits ^ planned.bits) & t.live_bits(cycle) == 0
            && (clock.waiting, clock.started) == (planned.waiting, planned.started)
    }

    /// True if a line whose timing became `t` in `cycle`, from 3 on, continues as this plan says for such a line, from this cycle on. The parts that
    /// the change comes too late for ([`Timing::keep`]) show in this cycle or the next. The clock [agrees](Self::agrees) in this cycle.
    pub fn continues(&self, t: &Timing, clock: DmaClock, cycle: usize) -> bool {
        if t.is_quiet(cycle as u8) {
            return true;
        }
        let (course, _) = Course::new(t, clock, cycle);
        let next = |c: usize| self.agrees(t, course.clock(c.min(CYCLES)), c.min(CYCLES));
        next(cycle + 1) && next(cycle + 2)
    }

    /// The state in cycle `to` of a clock that agrees with this plan's in cycle `from`: they differ only in their history.
    pub fn clock(&self, t: &Timing, clock: DmaClock, from: usize, to: usize) -> DmaClock {
        let history = match to - from {
            age @ 0..8 if t.ring != 0 || age == 0 => {
                (clock.bits ^ self.course.clock(from).bits) << age
            }
            _ => 0,
        };
        let planned = if to == CYCLES {
            self.end
        } else {
            self.course.clock(to)
        };
        DmaClock {
            bits: planned.bits ^ history,
            ..planned
        }
    }
}

const fn make_plan(t: Timing) -> Plan {
    let (course, fetches) = Course::new(&t, DmaClock::CLEAR, 2);
    let slots = fetches.planned_slots(&t);
    Plan {
        special: special(&slots),
        free_cycles: FreeCycles::new(&slots),
        pending: Pending::of(&t, fetches.loads(), fetches.shows(&t)),
        end: course.clock(CYCLES),
        course,
        slots,
    }
}

/// Kinds of playfield by timing: ring and text.
const KINDS: [(u8, bool); 5] = [(2, true), (4, true), (8, false), (4, false), (2, false)];
const PLANS: usize = 5 * 2 * 4 * 8;

// Evaluated by the compiler only.
#[allow(long_running_const_eval, clippy::large_stack_arrays)]
const fn make_plans() -> [Plan; PLANS] {
    let blank = Timing::plain(0, false, false, 0, 0);
    let mut plans = [make_plan(blank); PLANS];
    let mut i = 0;
    while i < PLANS {
        let (ring, text) = KINDS[i >> 6];
        plans[i] = make_plan(Timing::plain(
            ring,
            text,
            i >> 5 & 1 != 0,
            (i >> 3 & 3) as u8,
            (i & 7) as u8,
        ));
        i += 1;
    }
    plans
}

static TABLE: [Plan; PLANS] = make_plans();
static BLANK: Plan = make_plan(Timing::plain(0, false, false, 0, 0));

/// The plan of a line from cycle 2 on, for a DMA clock that is clear.
pub fn plan_of(t: &Timing) -> &'static Plan {
    if t.ring == 0 {
        return &BLANK;
    }
    let kind = match (t.ring, t.text) {
        (2, true) => 0,
        (_, true) => 1,
        (8, false) => 2,
        (4, false) => 3,
        _ => 4,
    };
    let index = kind << 6
        | usize::from(t.first) << 5
        | usize::from(t.width & 3) << 3
        | usize::from(t.delay & 7);
    &TABLE[index]
}

/// Refresh only.
pub fn blank() -> &'static Plan {
    &BLANK
}

/// The width of a line's fetches (0 none, 1 narrow, 2 normal, 3 wide) and their delay by HSCROL in cycles.
#[inline]
pub fn width_and_delay(dmactl: u8, scrolled: bool, hscrol: u8) -> (u8, u8) {
    let width = dmactl & 3;
    if !scrolled {
        (width, 0)
    } else if width == 0 {
        (0, hscrol >> 1 & 7)
    } else {
        ((width + 1).min(3), hscrol >> 1 & 7)
    }
}

impl Timing {
    /// The timing of a line in `mode`.
    pub fn new(mode: Mode, first: bool, dmactl: u8, scrolled: bool, hscrol: u8) -> Self {
        let (width, delay) = width_and_delay(dmactl, scrolled, hscrol);
        Self::plain(mode.ring(), mode.is_text(), first, width, delay)
    }
}

#[cfg(test)]
mod tests;
