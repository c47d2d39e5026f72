//! The DMA clock and the plan of a scan line.
//!
//! The playfield's fetches are timed by an eight-bit shift register, of which the first two, four or eight bits form a
//! ring. A bit put in at the playfield's start comes by every two, four or eight cycles, asks for a name, two cycles
//! later for a bitmap byte, three cycles later for a glyph, and is taken out at the playfield's stop.
use super::mode::Mode;
use super::playfield::Pending;
use super::slots::{Planned, Special, slot, special};
use crate::CYCLES;

/// The cycles of a line that its planned DMA leaves to the processor.
#[derive(Clone, Copy, Debug)]
pub struct FreeCycles {
    /// How many of the line's free cycles are before a cycle.
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

    /// Those of a line with refresh alone.
    pub fn of_blank_line() -> &'static Self {
        &BLANK.free_cycles
    }

    /// How many of the line's free cycles are before this one.
    #[inline]
    pub fn before(&self, cycle: u8) -> u8 {
        self.before[usize::from(cycle & 127)]
    }

    /// How many free cycles an access leaves, at most, that comes in cycle `next` or later, up to the free one of number `last`.
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

/// Where fetches may begin and end, in cycles of the name fetch: AHRM 4.11 and 4.14.
const NEVER: u8 = 128;
const START: [u8; 4] = [NEVER, 26, 18, 10];
const STOP: [u8; 4] = [NEVER, 90, 98, 106];
/// From this cycle on playfield fetches do not take the bus.
const VIRTUAL_FROM: usize = 106;

/// What the timing of a line's playfield depends on.
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
    /// A line without anything out of the ordinary.
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
    const fn wide_stop(&self) -> u8 {
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

    /// True if what the line before has left in `clock` asks for nothing from `cycle` (0 to 2) on: this line's plan is that of an empty
    /// clock.
    #[inline]
    pub const fn is_clear(&self, clock: DmaClock, cycle: usize) -> bool {
        (clock.bits == 0 || clock.bits & self.live_bits(cycle) == 0) && !clock.waiting
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
    /// A playfield that is still switched off at the normal start, or switched on in that very cycle, does not begin in this line; what is
    /// left in the clock ends (reference picture mid_dmactl_off).
    const fn is_off_at_start(self, t: &Timing, c: u8) -> bool {
        let off = t.width & 3 == 0 || c == t.missed && c == t.start();
        c == START[2] + t.delay && off && !self.started
    }

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

    /// Goes on to `cycle` and says what the playfield and refresh do there.
    #[inline]
    pub const fn tick(&mut self, t: &Timing, cycle: usize) -> u8 {
        let mut found = 0;
        if t.ring != 0 {
            let ring = if cycle == 2 { t.head_ring } else { t.ring };
            let back = self.bits >> (ring.wrapping_sub(1) & 7) & 1;
            self.bits = self.bits << 1 | back;
            let c = cycle as u8;
            let width = (t.width & 3) as usize;
            let starts = width != 0 && c == t.start() && c != t.missed || c == t.late_start;
            if starts && !self.started {
                self.bits |= 1;
                self.started = true;
            }
            let (stop, wide_stop) = if c < t.held_until {
                (t.held_stop, t.held_wide_stop)
            } else {
                (t.stop(), t.wide_stop())
            };
            if c == stop || c == wide_stop || self.is_off_at_start(t, c) {
                self.bits &= !1;
            }
            if t.text {
                if self.bits & 1 != 0 && t.first {
                    found |= slot::NAME;
                }
                if self.bits & 8 != 0 {
                    found |= slot::GLYPH;
                }
            } else if self.bits & 4 != 0 {
                found |= slot::BITMAP;
            }
            if found != 0 {
                let replayed = !t.text && !t.first;
                if cycle >= VIRTUAL_FROM || cycle == 0 || width == 0 || replayed {
                    found |= slot::VIRTUAL;
                } else if cycle < 8 {
                    // Together with the fetches of the line's head: not for the fast path.
                    found |= slot::EVENT;
                }
            }
        } else {
            self.bits = 0;
        }
        if cycle >= 25 {
            if cycle <= 57 && cycle & 3 == 1 {
                self.waiting = true;
            }
            if self.waiting && (found == 0 || found & slot::VIRTUAL != 0) {
                self.waiting = false;
                found |= slot::REFRESH;
            }
        }
        found
    }
}

/// A line from cycle 2 on. The DMA clock is empty there but for history: [`Timing::is_clear`].
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub slots: Planned,
    /// See [`special`].
    pub special: Special,
    pub free_cycles: FreeCycles,
    /// The DMA clock before each cycle, and after cycle 113.
    pub clocks: [DmaClock; CYCLES + 1],
    /// Its fetches: names or bitmap bytes that are loaded from memory, glyphs or bitmap bytes that are shown.
    pub pending: Pending,
}

impl Plan {
    /// True if a clock asks for the same fetches as this plan's clock, from `cycle` on and as long as both tick alike.
    fn agrees(&self, t: &Timing, clock: DmaClock, cycle: usize) -> bool {
        let planned = self.clocks[cycle];
        (clock.bits ^ planned.bits) & t.live_bits(cycle) == 0
            && (clock.waiting, clock.started) == (planned.waiting, planned.started)
    }

    /// True if a line whose timing became `t` in `cycle`, from 3 on, goes on as this plan of such a line says, from this cycle on. What the
    /// change comes too late for ([`Timing::keep`]) shows in this cycle or the next.
    pub fn continues(&self, t: &Timing, mut clock: DmaClock, cycle: usize) -> bool {
        for c in cycle..CYCLES.min(cycle + 2) {
            if !self.agrees(t, clock, c) {
                return false;
            }
            clock.tick(t, c);
        }
        self.agrees(t, clock, CYCLES.min(cycle + 2))
    }

    /// What a clock that agrees with this plan's in cycle `from` is in cycle `to`: only the history in it differs.
    pub fn clock(&self, t: &Timing, clock: DmaClock, from: usize, to: usize) -> DmaClock {
        let history = match to - from {
            age @ 0..8 if t.ring != 0 || age == 0 => (clock.bits ^ self.clocks[from].bits) << age,
            _ => 0,
        };
        let planned = self.clocks[to];
        DmaClock {
            bits: planned.bits ^ history,
            ..planned
        }
    }
}

const fn make_plan(t: Timing) -> Plan {
    let mut clock = DmaClock {
        bits: 0,
        waiting: false,
        started: false,
    };
    let mut slots = [0u8; 128];
    let mut loads = 0;
    let mut shows = 0;
    let mut clocks = [clock; CYCLES + 1];
    let mut cycle = 2;
    while cycle < CYCLES {
        let mut slot = clock.tick(&t, cycle);
        clocks[cycle + 1] = clock;
        let real = slot & slot::VIRTUAL == 0;
        if slot & (slot::NAME | slot::BITMAP) != 0 && real {
            loads += 1;
        }
        if slot & slot::GLYPH != 0 && real || slot & slot::BITMAP != 0 && (real || !t.first) {
            shows += 1;
        }
        if slot & slot::BITMAP != 0 && !t.first {
            // Out of the line buffer, without a bus cycle.
            slot &= slot::REFRESH;
        }
        slots[cycle] = slot;
        cycle += 1;
    }
    Plan {
        slots,
        special: special(&slots),
        free_cycles: FreeCycles::new(&slots),
        clocks,
        pending: Pending::of(&t, loads, shows),
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

impl Timing {
    /// The timing of a line in `mode`.
    pub fn new(mode: Mode, first: bool, dmactl: u8, scrolled: bool, hscrol: u8) -> Self {
        let mut width = dmactl & 3;
        if scrolled && width != 0 {
            width = (width + 1).min(3);
        }
        let delay = if scrolled { hscrol >> 1 & 7 } else { 0 };
        Self::plain(mode.ring(), mode.is_text(), first, width, delay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every timing that has a plan.
    fn timings() -> impl Iterator<Item = Timing> {
        KINDS.into_iter().flat_map(|(ring, text)| {
            (0..64).map(move |i| Timing::plain(ring, text, i >> 5 != 0, i >> 3 & 3, i & 7))
        })
    }

    #[test]
    fn every_plan_knows_how_many_fetches_are_due_in_every_cycle() {
        for t in timings() {
            let pending = plan_of(&t).pending;
            let mut clock = DmaClock::default();
            let (mut loads, mut shows) = (0, 0);
            for cycle in 2..=CYCLES {
                let due = |next, left| pending.due(next, left, cycle);
                let found = (
                    due(pending.next_load, pending.loads),
                    due(pending.next_show, pending.shows),
                );
                assert_eq!(found, (loads, shows), "{t:?} in cycle {cycle}");
                if cycle == CYCLES {
                    break;
                }
                let slot = clock.tick(&t, cycle);
                let real = slot & slot::VIRTUAL == 0;
                loads += u8::from(slot & (slot::NAME | slot::BITMAP) != 0 && real);
                let bitmap = slot & slot::BITMAP != 0 && (real || !t.first);
                shows += u8::from(slot & slot::GLYPH != 0 && real || bitmap);
            }
        }
    }

    #[test]
    fn what_an_access_leaves_says_whether_it_comes_before_a_fetch() {
        for t in timings() {
            let free = &plan_of(&t).free_cycles;
            let count = u32::from(free.before(CYCLES as u8));
            for next in (0..CYCLES as u8).chain([255]) {
                for last in 0..count {
                    let limit = free.left_from(next, last);
                    for left in 0..=last {
                        let cycle = free.cycle(last - left);
                        assert_eq!(
                            left as i32 <= limit,
                            cycle >= next,
                            "{t:?} {next} {last} {left}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn every_plan_has_the_clock_of_every_cycle() {
        for t in timings() {
            let plan = plan_of(&t);
            let mut clock = DmaClock::default();
            for cycle in 2..CYCLES {
                assert_eq!(plan.clocks[cycle], clock, "{t:?} in cycle {cycle}");
                clock.tick(&t, cycle);
            }
            assert_eq!(plan.clocks[CYCLES], clock, "{t:?}");
        }
    }

    /// What the clock asks for in a cycle, without the glyph of cycle 0.
    fn found(t: &Timing, clock: &mut DmaClock, cycle: usize) -> u8 {
        let ignored = if cycle == 0 {
            slot::GLYPH | slot::VIRTUAL
        } else {
            0
        };
        clock.tick(t, cycle) & !ignored
    }

    #[test]
    fn a_clock_is_clear_exactly_if_what_is_left_in_it_asks_for_nothing() {
        for plain in timings() {
            let heads = [(0, plain.ring), (1, plain.ring), (2, 2), (2, 4), (2, 8)];
            for (cycle, head_ring) in heads {
                let t = Timing { head_ring, ..plain };
                let plan = plan_of(&t);
                for bits in 0..=255 {
                    let left = DmaClock {
                        bits,
                        ..DmaClock::default()
                    };
                    let clear = t.is_clear(left, cycle);
                    let (mut clock, mut empty) = (left, DmaClock::default());
                    let mut same = true;
                    for c in cycle..CYCLES {
                        same &= found(&t, &mut clock, c) == found(&t, &mut empty, c);
                        let planned = plan.clock(&t, left, cycle, c + 1);
                        assert!(
                            !clear || planned == clock,
                            "{t:?} from {cycle} with {bits:02X} in {c}"
                        );
                    }
                    assert_eq!(clear, same, "{t:?} from {cycle} with {bits:02X}");
                }
            }
        }
    }

    #[test]
    fn a_line_with_a_change_continues_by_the_plan_that_its_clock_agrees_with() {
        for (old, new) in timings().flat_map(|old| (0..32).map(move |i| (old, i))) {
            let (ring, text, first) = (old.ring, old.text, old.first);
            let new = Timing::plain(ring, text, first, new >> 3, new & 7);
            let mut before = DmaClock::default();
            for cycle in 2..CYCLES {
                if cycle > 2 {
                    let mut t = new;
                    t.keep(&old, cycle);
                    let plan = plan_of(&t);
                    let continues = plan.continues(&t, before, cycle);
                    assert!(continues || cycle >= 8, "{old:?} {t:?} in {cycle}");
                    if continues {
                        let mut clock = before;
                        let mut planned = plan.clocks[cycle];
                        for c in cycle..CYCLES {
                            let found = clock.tick(&t, c);
                            assert_eq!(found, planned.tick(&new, c), "{old:?} {t:?} in {c}");
                            assert_eq!(plan.clock(&t, before, cycle, c + 1), clock);
                        }
                    }
                }
                before.tick(&old, cycle);
            }
        }
    }
}
