//! Regular timers against a chip that works off every stage of every timer.
use crate::Pokey;
use std::format;
use std::vec::Vec;

struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// A chip with regular timers, and one that works off every stage of every timer.
struct Pair {
    regular: Pokey,
    exact: Pokey,
    now: u64,
}

impl Pair {
    /// Two chips with these writes from cycle 100 on, four cycles apart.
    fn new(writes: &[(u8, u8)]) -> Self {
        let mut pair = Self {
            regular: Pokey::new(0),
            exact: Pokey::new(0),
            now: 100,
        };
        pair.exact.every_stage = true;
        for &write in writes {
            pair.write(write);
            pair.now += 4;
        }
        pair
    }

    fn both(&mut self) -> [&mut Pokey; 2] {
        [&mut self.regular, &mut self.exact]
    }

    fn write(&mut self, (register, data): (u8, u8)) {
        let now = self.now;
        for pokey in self.both() {
            pokey.write(register, data, now);
        }
    }

    fn set_serial_input(&mut self, level: bool) {
        let now = self.now;
        for pokey in self.both() {
            pokey.set_serial_input(level, now);
        }
    }

    fn sync(&mut self) {
        let now = self.now;
        for pokey in self.both() {
            pokey.sync_to(now);
        }
    }

    /// The number of changes of the level since the last call, which are equal.
    fn compare_sound(&mut self, place: &str) -> usize {
        let [regular, exact] = self.both().map(|pokey| {
            let mut changes = Vec::new();
            pokey.take_sound(&mut changes);
            changes
        });
        assert_eq!(regular, exact, "{place}");
        regular.len()
    }
}

/// A write as programs make them: more volumes and periods than mode changes.
fn write(random: &mut Random) -> (u8, u8) {
    match random.next(16) {
        0..=3 => {
            let n = if random.next(2) == 0 {
                random.next(8)
            } else {
                random.next(256)
            };
            (random.next(4) as u8 * 2, n as u8)
        }
        4..=9 => {
            let volume = if random.next(2) == 0 {
                0
            } else {
                random.next(16) as u8
            };
            (
                random.next(4) as u8 * 2 + 1,
                (random.next(16) as u8) << 4 & [0xE0, 0xF0][random.next(2) as usize] | volume,
            )
        }
        10 => {
            let modes = [
                0, 0x01, 0x40, 0x60, 0x28, 0x50, 0x78, 0x10, 0x08, 0x04, 0x06, 0x64, 0x66, 0x80,
                0x81,
            ];
            let any = random.next(256) as u8;
            (
                8,
                if random.next(4) == 0 {
                    any
                } else {
                    modes[random.next(15) as usize]
                },
            )
        }
        11 => (9, 0),
        12 => (14, [0, 0xC0, 0x01, 0x07, 0x30][random.next(5) as usize]),
        13 => (13, random.next(256) as u8),
        14 => (
            15,
            [3, 3, 3, 0x13, 0x23, 0x63, 0x0B, 0x8B, 0, 0x73][random.next(10) as usize],
        ),
        _ => (10, 0),
    }
}

#[test]
fn regular_timers_do_what_single_stages_do() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut pair = Pair::new(&[]);
        for step in 0..150 {
            pair.write(write(&mut random));
            if random.next(8) == 0 {
                pair.set_serial_input(random.next(2) == 0);
            }
            pair.now +=
                [4, 6, 50, 400, 3000, 30_000, 200_000][random.next(7) as usize] + random.next(40);
            pair.sync();
            let now = pair.now;
            let [regular, exact] = pair.both().map(|p| [14, 15].map(|r| p.read(r, now)));
            assert_eq!(regular, exact, "seed {seed} step {step}");
            pair.compare_sound(&format!("seed {seed} step {step}"));
        }
        // So are the outputs that cannot be heard.
        let Pair {
            regular,
            exact,
            now,
        } = pair;
        let mut next = [regular, exact];
        for pokey in &mut next {
            pokey.unfold_all(now);
            pokey.every_stage = false;
            pokey.forget_leftovers();
        }
        assert!(
            next[0] == next[1],
            "seed {seed}:\n{:?}\n{:?}",
            next[0],
            next[1]
        );
    }
}

/// Timer 1 that restarts timer 2 before that gives a pulse, or is restarted by it, and bits that are sent, which decide between the two.
#[test]
fn regular_timers_in_two_tone_mode_do_what_single_stages_do() {
    let mut regular = [0; 2];
    for seed in 0..200 {
        let mut random = Random(seed);
        let mut pair = Pair::new(&[(15, 0x0B), (8, 0x40), (0, 3), (2, 9), (1, 0xAA), (9, 0)]);
        for step in 0..300 {
            pair.write(match random.next(32) {
                0..=3 => (random.next(2) as u8 * 2, random.next(12) as u8),
                4..=7 => (
                    random.next(2) as u8 * 2 + 1,
                    [0xAA, 0x12, 0, 0x84, 0x28, 0xC3][random.next(6) as usize],
                ),
                8 => (
                    8,
                    [0x40, 0x40, 0, 4, 0xD2, 0x50, 0x10, 0x60][random.next(8) as usize],
                ),
                9 => (
                    15,
                    [0x0B, 0x0B, 0x8B, 0x8B, 0x03, 0, 0x2B, 0x6B][random.next(8) as usize],
                ),
                10 => (9, 0),
                11 => (14, [0, 1, 2, 7][random.next(4) as usize]),
                12..=14 => (13, random.next(256) as u8),
                15 => (random.next(2) as u8 * 2 + 4, random.next(4) as u8),
                _ => (10, 0),
            });
            pair.now += [1, 2, 5, 40, 300][random.next(5) as usize] + random.next(8);
            pair.sync();
            let now = pair.now;
            let [a, b] = pair.both().map(|pokey| pokey.peek(14, now));
            let place = format!("seed {seed} step {step}");
            assert_eq!(a, b, "{place}");
            let heard = pair.compare_sound(&place);
            if pair.regular.skctl & 8 != 0 && pair.regular.timers.is_regular(0) {
                regular[usize::from(pair.regular.skctl >> 7)] += heard;
            }
        }
    }
    assert!(
        regular.into_iter().all(|heard| heard > 10_000),
        "{regular:?}"
    );
}

/// Timers at 1.79 MHz and their high-pass filters, with periods of a few cycles: amplitudes made out of pulses, as programs play samples.
#[test]
fn regular_timers_clock_the_filters_as_single_stages_do() {
    let mut changes = 0;
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut pair = Pair::new(&[(15, 3), (8, 0x66), (0, 3), (4, 3), (1, 0xAA), (9, 0)]);
        for step in 0..300 {
            let write = match random.next(32) {
                0..=5 => (random.next(4) as u8 * 2, random.next(12) as u8),
                6..=11 => (
                    random.next(4) as u8 * 2 + 1,
                    [0xAA, 0x12, 0, 0x84, 0x28, 0xC3][random.next(6) as usize],
                ),
                12 => (
                    8,
                    [0x66, 0x64, 0x62, 0x06, 0x7E, 0x76, 0x6E, 0x60][random.next(8) as usize],
                ),
                13 => (15, [3, 3, 0, 0x0B][random.next(4) as usize]),
                14 => (9, 0),
                15 => (14, [0, 4, 7][random.next(3) as usize]),
                _ => (10, 0),
            };
            pair.write(write);
            let (from, mut cut) = (pair.now, pair.regular.clone());
            pair.now += [1, 2, 5, 40, 300][random.next(5) as usize] + random.next(8);
            cut.sync_to(from + random.next(pair.now - from + 1));
            cut.sync_to(pair.now);
            pair.sync();
            let place = format!("seed {seed} step {step}");
            assert!(cut == pair.regular, "{place}, cut");
            let now = pair.now;
            let [regular, exact] = pair.both().map(|pokey| pokey.peek(14, now));
            assert_eq!(regular, exact, "{place}");
            let heard = pair.compare_sound(&place);
            if pair.regular.clocks_filter(2) && pair.regular.timers.is_regular(2) {
                changes += heard;
            }
        }
    }
    assert!(
        changes > 50_000,
        "{changes} changes of the level while a regular timer clocked a filter"
    );
}

/// Noise of all kinds with periods of a few cycles, heard for a while at a time, alone and beside tones.
#[test]
fn noise_of_few_cycles_is_what_single_stages_make() {
    let mut dense = 0;
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut pair = Pair::new(&[(15, 3), (8, 0x60), (0, 3), (4, 3), (1, 0x88), (9, 0)]);
        for _ in 0..100 {
            pair.write(match random.next(16) {
                0..=5 => (random.next(4) as u8 * 2, random.next(12) as u8),
                6..=11 => (
                    random.next(4) as u8 * 2 + 1,
                    (random.next(8) as u8) << 5 | random.next(16) as u8,
                ),
                12 => (
                    8,
                    [0x60, 0xE0, 0x40, 0x20, 0x78, 0x70, 0x66][random.next(7) as usize],
                ),
                13 => (15, [3, 3, 0, 0x0B][random.next(4) as usize]),
                14 => (9, 0),
                _ => (10, 0),
            });
            let mut cut = pair.regular.clone();
            let from = pair.now;
            pair.now += [4, 300, 1500, 9000][random.next(4) as usize] + random.next(100);
            cut.sync_to(from + random.next(pair.now - from + 1));
            cut.sync_to(pair.now);
            pair.sync();
            let place = format!("seed {seed} at {}", pair.now);
            assert!(cut == pair.regular, "{place}, cut");
            let heard = pair.compare_sound(&place);
            let control = pair.regular.audc[0];
            if pair.now - from >= 300 && control & 0xA0 != 0xA0 && pair.regular.timers.is_regular(0)
            {
                dense += heard;
            }
        }
    }
    assert!(dense > 50_000, "{dense} changes of the level beside noise");
}

/// Bytes out and in, at random, with periods and modes that change in the middle of them.
#[test]
fn a_regular_timer_clocks_the_serial_port_as_single_stages_do() {
    for seed in 0..200 {
        let mut random = Random(seed);
        let mut pair = Pair::new(&[
            (15, 3),
            (8, 0x28),
            (4, 0x28),
            (6, 0),
            (0, 9),
            (2, 5),
            (9, 0),
        ]);
        for step in 0..600 {
            let write = match random.next(24) {
                0 => (
                    15,
                    [0x13, 0x23, 0x33, 0x63, 0x73, 0x6B, 3, 0x20][random.next(8) as usize],
                ),
                1..=3 => (13, random.next(256) as u8),
                4 => (14, [0x38, 0x3F, 0, 0x20][random.next(4) as usize]),
                5 => ([4, 6, 2][random.next(3) as usize], random.next(48) as u8),
                6 => (7, [0, 0xA8][random.next(2) as usize]),
                7 => (8, [0x28, 0x28, 0, 0x78, 0x29][random.next(5) as usize]),
                8 => (9, 0),
                _ => (10, 0),
            };
            pair.write(write);
            if random.next(2) == 0 {
                pair.set_serial_input(random.next(3) != 0);
            }
            pair.now += [1, 7, 94, 188, 600, 2000][random.next(6) as usize] + random.next(40);
            pair.sync();
            let now = pair.now;
            let state = |p: &mut Pokey| {
                let reads = [9, 13, 14, 15].map(|register| p.peek(register, now));
                (reads, p.irq(), p.take_serial_output(), p.timers_held())
            };
            let [regular, exact] = pair.both().map(state);
            assert_eq!(regular, exact, "seed {seed} step {step} at {now}");
        }
    }
}

/// Interrupts of timers, enabled, disabled and answered at any cycle: the chip that is called only when it asks shows the same line
/// in every cycle, and comes to the same state as one that is called in each.
#[test]
fn a_regular_timer_interrupts_as_single_stages_do() {
    let mut cycles = 0;
    for seed in 0..120 {
        let mut random = Random(seed);
        let mut pair = Pair::new(&[(15, 3), (8, 0x40), (0, 40), (2, 1), (6, 2), (9, 0)]);
        let mut busy = pair.regular.clone();
        for step in 0..400 {
            let write = match random.next(24) {
                0..=14 => (14, [0, 1, 1, 7, 7, 4, 2][random.next(7) as usize]),
                15 => (random.next(4) as u8 * 2, random.next(64) as u8),
                16 => (
                    random.next(4) as u8 * 2 + 1,
                    [0xA8, 0, 0x18][random.next(3) as usize],
                ),
                17 => (
                    8,
                    [0x40, 0x60, 0x78, 0x50, 0x00, 0x04, 0x42, 0x66][random.next(8) as usize],
                ),
                18 => (9, 0),
                19 => (15, [3, 3, 0x0B, 0][random.next(4) as usize]),
                _ => (10, 0),
            };
            pair.write(write);
            busy.write(write.0, write.1, pair.now);
            for _ in 0..[0, 0, 1, 3, 60, 500][random.next(6) as usize] {
                pair.now += 1;
                let Pair {
                    regular,
                    exact,
                    now,
                } = &mut pair;
                exact.sync_to(*now);
                busy.sync_to(*now);
                if regular.next_event() <= *now {
                    regular.sync_interrupts(*now);
                }
                let shown = |pokey: &Pokey| (pokey.irq(), pokey.peek(14, *now));
                assert_eq!(
                    shown(regular),
                    shown(exact),
                    "seed {seed} step {step} at {now}"
                );
                cycles += u32::from(regular.irqen & 1 != 0 && regular.timers.is_regular(0));
            }
            let mut caught_up = pair.regular.clone();
            caught_up.sync_to(pair.now);
            busy.sync_to(pair.now);
            assert!(caught_up == busy, "seed {seed} step {step} at {}", pair.now);
            if random.next(8) == 0 {
                pair.regular = caught_up;
            }
            pair.now += 1;
        }
    }
    assert!(
        cycles > 100_000,
        "timer 1 interrupted as a regular one for {cycles} cycles"
    );
}
