//! Timer and interrupt timing, each fact as Acid800 and the hardware manual give it.

use pokey::{Pokey, SoundChange, irq};

const AUDF1: u8 = 0;
const AUDF2: u8 = 2;
const AUDF3: u8 = 4;
const AUDF4: u8 = 6;
const AUDCTL: u8 = 8;
const STIMER: u8 = 9;
const IRQEN: u8 = 14;
const IRQST: u8 = 14;
const SKCTL: u8 = 15;

/// The cycle of the STIMER write in these tests.
const S: u64 = 10_000;

/// A chip out of initialization mode for long, with the registers written before STIMER at [`S`].
fn strobed(registers: &[(u8, u8)], skctl: u8) -> Pokey {
    let mut pokey = Pokey::new(0);
    pokey.write(SKCTL, 3, 5000);
    pokey.write(SKCTL, skctl, 5010);
    for &(register, data) in registers {
        pokey.write(register, data, 9000);
    }
    pokey.write(IRQEN, 0, 9990);
    pokey.write(STIMER, 0, S);
    pokey.write(IRQEN, 7, S + 4);
    pokey
}

/// Cycles after STIMER at which reads first show the interrupts `source`, up to `limit`.
fn edges(mut pokey: Pokey, source: u8, limit: u64) -> Vec<u64> {
    let mut edges = Vec::new();
    for k in 5..limit {
        if pokey.read(IRQST, S + k) & source == 0 {
            edges.push(k);
            // Acknowledge and enable again, as a handler would.
            pokey.write(IRQEN, 7 & !source, S + k);
            pokey.write(IRQEN, 7, S + k);
        }
    }
    edges
}

#[test]
fn a_179_mhz_timer_fires_8_plus_n_after_stimer_then_every_n_plus_4() {
    for (n, first, second) in [(16, 24, 44), (8, 16, 28), (0, 8, 12)] {
        let pokey = strobed(&[(AUDCTL, 0x40), (AUDF1, n)], 3);
        assert_eq!(edges(pokey, irq::TIMER1, 60)[..2], [first, second]);
    }
}

#[test]
fn a_linked_179_mhz_pair_fires_11_plus_n_then_every_n_plus_7() {
    let registers = [(AUDCTL, 0x50), (AUDF1, 0x10), (AUDF2, 0)];
    assert_eq!(edges(strobed(&registers, 3), irq::TIMER1, 60), [24, 47]);
    assert_eq!(edges(strobed(&registers, 3), irq::TIMER2, 60), [27, 50]);
}

#[test]
fn two_tone_mode_lengthens_the_period_of_the_timer_that_restarts_both_by_two() {
    let pokey = strobed(&[(AUDCTL, 0x40), (AUDF1, 8), (AUDF2, 255)], 0x0B);
    assert_eq!(edges(pokey, irq::TIMER1, 45), [16, 30, 44]);
    let registers = [(AUDCTL, 0x50), (AUDF1, 8), (AUDF2, 0)];
    assert_eq!(edges(strobed(&registers, 0x8B), irq::TIMER1, 40), [16, 33]);
    assert_eq!(edges(strobed(&registers, 0x8B), irq::TIMER2, 40), [19, 36]);
}

/// Edges when `register` is written `data` at `at` cycles after STIMER.
fn edges_with_write(
    registers: &[(u8, u8)],
    skctl: u8,
    write: (u8, u8, u64),
    source: u8,
    limit: u64,
) -> Vec<u64> {
    let mut pokey = strobed(registers, skctl);
    let mut edges = Vec::new();
    for k in 5..limit {
        if pokey.read(IRQST, S + k) & source == 0 {
            edges.push(k);
            pokey.write(IRQEN, 7 & !source, S + k);
            pokey.write(IRQEN, 7, S + k);
        }
        if k == write.2 {
            pokey.write(write.0, write.1, S + k);
        }
    }
    edges
}

#[test]
fn audf_counts_for_the_next_period_until_two_cycles_before_irqst() {
    let alone = [(AUDCTL, 0x40), (AUDF1, 16)];
    assert_eq!(
        edges_with_write(&alone, 3, (AUDF1, 18, 22), irq::TIMER1, 50)[1],
        46
    );
    assert_eq!(
        edges_with_write(&alone, 3, (AUDF1, 18, 23), irq::TIMER1, 50)[1],
        44
    );
    let pair = [(AUDCTL, 0x50), (AUDF1, 13), (AUDF2, 0)];
    assert_eq!(
        edges_with_write(&pair, 3, (AUDF1, 15, 22), irq::TIMER1, 50)[1],
        43
    );
    assert_eq!(
        edges_with_write(&pair, 3, (AUDF1, 15, 23), irq::TIMER1, 50)[1],
        41
    );
    assert_eq!(
        edges_with_write(&pair, 3, (AUDF2, 1, 22), irq::TIMER2, 400)[1],
        300
    );
    assert_eq!(
        edges_with_write(&pair, 3, (AUDF2, 1, 23), irq::TIMER2, 400)[1],
        44
    );
}

#[test]
fn audf_in_two_tone_mode_counts_until_irqst_shows_the_interrupt() {
    for (n, in_time) in [(8, 16), (10, 18)] {
        let registers = [(AUDCTL, 0x40), (AUDF1, n), (AUDF2, 255)];
        let period = u64::from(n) + 6;
        let with = |at| edges_with_write(&registers, 0x0B, (AUDF1, n + 2, at), irq::TIMER1, 60)[1];
        assert_eq!(with(in_time), in_time + period + 2);
        assert_eq!(with(in_time + 1), in_time + period);
    }
}

#[test]
fn stimer_four_cycles_before_an_interrupt_is_the_last_to_prevent_it() {
    let alone = [(AUDCTL, 0x40), (AUDF1, 8)];
    assert_eq!(
        edges_with_write(&alone, 3, (STIMER, 0, 12), irq::TIMER1, 60)[0],
        28
    );
    assert_eq!(
        edges_with_write(&alone, 3, (STIMER, 0, 24), irq::TIMER1, 60)[1],
        40
    );
    assert_eq!(
        edges_with_write(&alone, 3, (STIMER, 0, 25), irq::TIMER1, 60)[1],
        28
    );
    for (n, prevented, edge) in [(8, 26, 30), (8, 40, 44), (10, 30, 34), (10, 46, 50)] {
        let registers = [(AUDCTL, 0x40), (AUDF1, n), (AUDF2, 255)];
        let has = |at| {
            edges_with_write(&registers, 0x0B, (STIMER, 0, at), irq::TIMER1, 60).contains(&edge)
        };
        assert!(!has(prevented), "N = {n}, STIMER at {prevented}");
        assert!(has(prevented + 1), "N = {n}, STIMER at {}", prevented + 1);
    }
}

#[test]
fn stimer_every_four_cycles_keeps_a_timer_of_period_four_from_firing() {
    let mut pokey = strobed(&[(AUDCTL, 0x40), (AUDF1, 0)], 3);
    for k in 1..20 {
        pokey.write(STIMER, 0, S + 4 * k);
        assert_eq!(pokey.read(IRQST, S + 4 * k) & irq::TIMER1, irq::TIMER1);
    }
}

/// Leaves initialization mode at W = 20,000, STIMER at W + 4; the cycles after W at which `source` shows.
fn edges_after_init(registers: &[(u8, u8)], skctl: u8, source: u8, limit: u64) -> Vec<u64> {
    const W: u64 = 20_000;
    let mut pokey = Pokey::new(0);
    pokey.write(SKCTL, 0, 100);
    for &(register, data) in registers {
        pokey.write(register, data, 9000);
    }
    pokey.write(SKCTL, skctl, W);
    pokey.write(STIMER, 0, W + 4);
    pokey.write(IRQEN, 7, W + 8);
    let mut edges = Vec::new();
    for k in 9..limit {
        if pokey.read(IRQST, W + k) & source == 0 {
            edges.push(k);
            pokey.write(IRQEN, 7 & !source, W + k);
            pokey.write(IRQEN, 7, W + k);
        }
    }
    edges
}

#[test]
fn slow_clocks_tick_at_fixed_times_after_initialization() {
    assert_eq!(
        edges_after_init(&[(AUDCTL, 1), (AUDF1, 0)], 3, irq::TIMER1, 320),
        [84, 198, 312]
    );
    assert_eq!(
        edges_after_init(&[(AUDF1, 0)], 3, irq::TIMER1, 83),
        [25, 53, 81]
    );
    assert_eq!(
        edges_after_init(&[(AUDF1, 2)], 3, irq::TIMER1, 200),
        [81, 165]
    );
}

#[test]
fn timer_1_is_cancelled_from_two_cycles_after_timer_2_in_two_tone_mode() {
    for (n, fires) in [(98, true), (99, false), (100, false)] {
        let registers = [(AUDCTL, 0x40), (AUDF1, n), (AUDF2, 3)];
        let edges = edges_after_init(&registers, 0x8B, irq::TIMER1, 120);
        assert_eq!(!edges.is_empty(), fires, "AUDF1 = {n}: {edges:?}");
    }
}

#[test]
fn a_disabled_source_reads_inactive_and_loses_its_events() {
    let mut pokey = strobed(&[(AUDCTL, 0x40), (AUDF1, 8)], 3);
    pokey.write(IRQEN, 0, S + 14);
    assert_eq!(pokey.read(IRQST, S + 20) & irq::TIMER1, irq::TIMER1);
    pokey.write(IRQEN, 1, S + 20);
    assert_eq!(pokey.read(IRQST, S + 21) & irq::TIMER1, irq::TIMER1);
    assert_eq!(pokey.read(IRQST, S + 28) & irq::TIMER1, 0);
    assert!(pokey.irq());
}

#[test]
fn irqen_enables_until_the_cycle_before_the_event() {
    // Acid800 pokey_timertiming enables two cycles before and sees the interrupt.
    for (at, seen) in [(14, true), (15, true), (16, false)] {
        let mut pokey = strobed(&[(AUDCTL, 0x40), (AUDF1, 8)], 3);
        pokey.write(IRQEN, 0, S + 6);
        pokey.write(IRQEN, 1, S + at);
        assert_eq!(
            pokey.read(IRQST, S + 17) & irq::TIMER1 == 0,
            seen,
            "enabled at {at}"
        );
    }
}

#[test]
fn linked_timers_3_and_4_count_as_one() {
    // 2 x (40 + 7) cycles are the bit time of 19,200 baud.
    let pokey = strobed(&[(AUDCTL, 0x28), (AUDF3, 40), (AUDF4, 0)], 3);
    assert_eq!(edges(pokey, irq::TIMER4, 150), [51, 98, 145]);
}

#[test]
fn next_event_is_never_later_than_the_interrupt() {
    for audctl in [0x00, 0x01, 0x40, 0x50, 0x28, 0x78, 0x10, 0x09] {
        let mut pokey = strobed(
            &[
                (AUDCTL, audctl),
                (AUDF1, 5),
                (AUDF2, 1),
                (AUDF3, 9),
                (AUDF4, 0),
            ],
            3,
        );
        let mut every = pokey.clone();
        for now in S + 5..S + 4000 {
            every.sync_to(now);
            if pokey.next_event() <= now {
                pokey.sync_to(now);
            }
            assert_eq!(
                pokey.irq(),
                every.irq(),
                "AUDCTL {audctl:02X} at {}",
                now - S
            );
            if every.irq() {
                for p in [&mut pokey, &mut every] {
                    p.write(IRQEN, 0, now);
                    p.write(IRQEN, 7, now);
                }
            }
        }
    }
}

/// The level after each moment: of several changes at one moment the last, and none that changes nothing.
fn settled(mut changes: Vec<SoundChange>) -> Vec<SoundChange> {
    changes.reverse();
    changes.dedup_by_key(|c| c.at);
    changes.reverse();
    changes.dedup_by_key(|c| c.level);
    changes
}

#[test]
fn syncing_in_pieces_equals_syncing_at_once() {
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as u32
    };
    for _ in 0..200 {
        let (mut a, mut b) = (Pokey::new(0), Pokey::new(0));
        let (mut sound_a, mut sound_b) = (vec![], vec![]);
        let mut now = 0u64;
        for _ in 0..60 {
            let (register, data) = (random() as u8 & 15, random() as u8);
            a.write(register, data, now);
            b.write(register, data, now);
            let next = now + u64::from(random() % 3000);
            let mut piece = now;
            while piece < next {
                piece = (piece + 1 + u64::from(random() % 50)).min(next);
                a.sync_to(piece);
                a.take_sound(&mut sound_a);
            }
            b.sync_to(next);
            b.take_sound(&mut sound_b);
            assert_eq!(a, b);
            now = next;
        }
        assert_eq!(settled(sound_a), settled(sound_b));
    }
}
