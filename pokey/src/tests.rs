//! Regular timers against a chip that works off every stage of every timer.
use crate::Pokey;
use std::vec;
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
        let mut regular = Pokey::new(0);
        let mut exact = Pokey::new(0);
        exact.every_stage = true;
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let mut now = 100;
        for step in 0..150 {
            let (register, data) = write(&mut random);
            regular.write(register, data, now);
            exact.write(register, data, now);
            if random.next(8) == 0 {
                let level = random.next(2) == 0;
                regular.set_serial_input(level, now);
                exact.set_serial_input(level, now);
            }
            now +=
                [4, 6, 50, 400, 3000, 30_000, 200_000][random.next(7) as usize] + random.next(40);
            regular.sync_to(now);
            exact.sync_to(now);
            assert_eq!(
                regular.read(14, now),
                exact.read(14, now),
                "seed {seed} step {step}"
            );
            assert_eq!(
                regular.read(15, now),
                exact.read(15, now),
                "seed {seed} step {step}"
            );
            regular.take_sound(&mut a);
            exact.take_sound(&mut b);
            assert_eq!(a, b, "seed {seed} step {step}");
            a.clear();
            b.clear();
        }
        // What cannot be heard is the same too.
        regular.unfold_all(now);
        exact.unfold_all(now);
        exact.every_stage = false;
        let mut next = vec![regular.clone(), exact.clone()];
        for pokey in &mut next {
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

/// Timers at 1.79 MHz and their high-pass filters, with periods of a few cycles: amplitudes made out of pulses, as programs play samples.
#[test]
fn regular_timers_clock_the_filters_as_single_stages_do() {
    let mut changes = 0;
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut regular = Pokey::new(0);
        let mut exact = Pokey::new(0);
        exact.every_stage = true;
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let mut now = 100;
        for (register, data) in [(15, 3), (8, 0x66), (0, 3), (4, 3), (1, 0xAA), (9, 0)] {
            regular.write(register, data, now);
            exact.write(register, data, now);
            now += 4;
        }
        for step in 0..300 {
            let (register, data) = match random.next(32) {
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
            regular.write(register, data, now);
            exact.write(register, data, now);
            let (from, mut cut) = (now, regular.clone());
            now += [1, 2, 5, 40, 300][random.next(5) as usize] + random.next(8);
            cut.sync_to(from + random.next(now - from + 1));
            cut.sync_to(now);
            regular.sync_to(now);
            assert!(cut == regular, "seed {seed} step {step}, cut");
            exact.sync_to(now);
            assert_eq!(
                regular.peek(14, now),
                exact.peek(14, now),
                "seed {seed} step {step}"
            );
            regular.take_sound(&mut a);
            exact.take_sound(&mut b);
            assert_eq!(a, b, "seed {seed} step {step}");
            if regular.clocks_filter(2) && regular.timers.is_regular(2) {
                changes += a.len();
            }
            a.clear();
            b.clear();
        }
    }
    assert!(
        changes > 50_000,
        "{changes} changes of the level while a regular timer clocked a filter"
    );
}

/// Bytes out and in, at random, with periods and modes that change in the middle of them.
#[test]
fn a_regular_timer_clocks_the_serial_port_as_single_stages_do() {
    for seed in 0..200 {
        let mut random = Random(seed);
        let mut regular = Pokey::new(0);
        let mut exact = Pokey::new(0);
        exact.every_stage = true;
        let mut now = 100;
        let start = [
            (15, 3),
            (8, 0x28),
            (4, 0x28),
            (6, 0),
            (0, 9),
            (2, 5),
            (9, 0),
        ];
        for (register, data) in start {
            regular.write(register, data, now);
            exact.write(register, data, now);
            now += 4;
        }
        for step in 0..600 {
            let (register, data) = match random.next(24) {
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
            regular.write(register, data, now);
            exact.write(register, data, now);
            if random.next(2) == 0 {
                let level = random.next(3) != 0;
                regular.set_serial_input(level, now);
                exact.set_serial_input(level, now);
            }
            now += [1, 7, 94, 188, 600, 2000][random.next(6) as usize] + random.next(40);
            regular.sync_to(now);
            exact.sync_to(now);
            let state = |p: &mut Pokey| {
                let reads = [9, 13, 14, 15].map(|register| p.peek(register, now));
                (reads, p.irq(), p.take_serial_output(), p.timers_held())
            };
            assert_eq!(
                state(&mut regular),
                state(&mut exact),
                "seed {seed} step {step} at {now}"
            );
        }
    }
}

/// Interrupts of timers, enabled, disabled and answered at any cycle: the chip that is called only when it asks shows the same line
/// in every cycle.
#[test]
fn a_regular_timer_interrupts_as_single_stages_do() {
    let mut cycles = 0;
    for seed in 0..120 {
        let mut random = Random(seed);
        let mut regular = Pokey::new(0);
        let mut exact = Pokey::new(0);
        exact.every_stage = true;
        let mut now = 100;
        for (register, data) in [(15, 3), (8, 0x40), (0, 40), (2, 1), (6, 2), (9, 0)] {
            regular.write(register, data, now);
            exact.write(register, data, now);
            now += 4;
        }
        for step in 0..400 {
            let (register, data) = match random.next(24) {
                0..=14 => (14, [0, 1, 1, 7, 7, 4, 2][random.next(7) as usize]),
                15 => (random.next(4) as u8 * 2, random.next(64) as u8),
                16 => (
                    random.next(4) as u8 * 2 + 1,
                    [0xA8, 0, 0x18][random.next(3) as usize],
                ),
                17 => (
                    8,
                    [0x40, 0x60, 0x78, 0x50, 0x00, 0x04][random.next(6) as usize],
                ),
                18 => (9, 0),
                19 => (15, [3, 3, 0x0B, 0][random.next(4) as usize]),
                _ => (10, 0),
            };
            regular.write(register, data, now);
            exact.write(register, data, now);
            for _ in 0..[0, 0, 1, 3, 60, 500][random.next(6) as usize] {
                now += 1;
                exact.sync_to(now);
                if regular.next_event() <= now {
                    regular.sync_to(now);
                }
                let shown = |pokey: &Pokey| (pokey.irq(), pokey.peek(14, now));
                assert_eq!(
                    shown(&regular),
                    shown(&exact),
                    "seed {seed} step {step} at {now}"
                );
                cycles += u32::from(regular.irqen & 1 != 0 && regular.timers.is_regular(0));
            }
            now += 1;
        }
    }
    assert!(
        cycles > 100_000,
        "timer 1 interrupted as a regular one for {cycles} cycles"
    );
}
