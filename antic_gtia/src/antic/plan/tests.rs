use super::*;
use crate::antic::beam;
use crate::antic::slots::slot;

/// The clock in single cycles, which [`Course`] has for a whole line.
impl DmaClock {
    /// A playfield that is still switched off at the normal start, or switched on in that very cycle, does not begin in this line; the bits
    /// left in the clock end.
    fn is_off_at_start(self, t: &Timing, c: u8) -> bool {
        let off = t.width & 3 == 0 || c == t.missed && c == t.start();
        c == START[2] + t.delay && off && !self.started
    }

    /// Runs to `cycle` and returns the DMA of playfield and refresh there.
    pub fn tick(&mut self, t: &Timing, cycle: usize) -> u8 {
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
                if cycle >= beam::VIRTUAL || cycle == 0 || width == 0 || replayed {
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
        let mut clock = DmaClock::CLEAR;
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
        let mut clock = DmaClock::CLEAR;
        for cycle in 2..CYCLES {
            assert_eq!(plan.course.clock(cycle), clock, "{t:?} in cycle {cycle}");
            clock.tick(&t, cycle);
        }
        assert_eq!(plan.end, clock, "{t:?}");
    }
}

/// The DMA that the clock asks for in a cycle, without the glyph of cycle 0.
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
                    ..DmaClock::CLEAR
                };
                let clear = t.is_clear(left, cycle);
                let (mut clock, mut empty) = (left, DmaClock::CLEAR);
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
        let mut before = DmaClock::CLEAR;
        for cycle in 2..CYCLES {
            if cycle > 2 {
                let mut t = new;
                t.keep(&old, cycle);
                let plan = plan_of(&t);
                let continues = plan.agrees(&t, before, cycle) && plan.continues(&t, before, cycle);
                assert!(continues || cycle >= 8, "{old:?} {t:?} in {cycle}");
                if continues {
                    let mut clock = before;
                    let mut planned = plan.course.clock(cycle);
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
