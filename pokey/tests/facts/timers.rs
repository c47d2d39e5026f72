//! The timers to the cycle (AHRM 5.3 "Timer period" to "Reload timing", 5.7; Acid800 pokey_timertiming). Cycles are counted from
//! the STIMER write.
use crate::rig::*;

/// The STIMER write.
const S: u64 = W + 2_000;
const TIMER1: u8 = 1;
const TIMER2: u8 = 2;
const TIMER4: u8 = 4;

/// A chip that runs, with STIMER just written and all timers' interrupts enabled.
fn started(registers: &[(u8, u8)]) -> Rig {
    let mut rig = Rig::new(3, registers);
    // What was under way before has fired or been stopped five cycles later.
    rig.write(S, STIMER, 0).write(S + 5, IRQEN, 7);
    rig
}

/// The first interrupts of a timer.
fn edges<const N: usize>(rig: &Rig, bit: u8) -> [u64; N] {
    let found = rig.irqs(bit, S + 5, S + 2_000);
    core::array::from_fn(|i| found.get(i).map_or(0, |at| at - S))
}

#[test]
fn an_8_bit_timer_at_1_79_mhz_fires_after_8_and_n_cycles_and_then_every_n_and_4() {
    for (n, wanted) in [
        (16, [24, 44]),
        (8, [16, 28]),
        (0, [8, 12]),
        (255, [263, 522]),
    ] {
        let rig = started(&[(AUDCTL, 0x40), (AUDF1, n)]);
        assert_eq!(edges(&rig, TIMER1), wanted, "AUDF1 = {n}");
    }
}

#[test]
fn irqst_shows_audf1_0_eight_cycles_after_stimer_and_audf1_1_not_yet() {
    for (n, value) in [(0, 0), (1, 1)] {
        let rig = started(&[(AUDCTL, 0x40), (AUDF1, n)]);
        assert_eq!(rig.read(S + 8, IRQST) & 1, value);
    }
}

#[test]
fn a_16_bit_timer_at_1_79_mhz_fires_after_11_and_n_cycles_and_then_every_n_and_7() {
    for (low, high, n) in [(16, 0, 16), (0, 1, 256), (0x40, 1, 0x140), (0x28, 0, 0x28)] {
        let rig = started(&[(AUDCTL, 0x50), (AUDF1, low), (AUDF2, high)]);
        let wanted = [11 + n, 11 + n + n + 7];
        assert_eq!(edges(&rig, TIMER2), wanted, "timer 2 of {n}");
        let rig = started(&[(AUDCTL, 0x28), (AUDF3, low), (AUDF4, high)]);
        assert_eq!(edges(&rig, TIMER4), wanted, "timer 4 of {n}");
    }
}

#[test]
fn the_low_half_of_a_pair_fires_first_after_8_and_its_n_and_then_once_in_the_pair_s_period() {
    let rig = started(&[(AUDCTL, 0x50), (AUDF1, 16), (AUDF2, 0)]);
    assert_eq!(edges(&rig, TIMER1), [24, 47]);
    assert_eq!(edges(&rig, TIMER2), [27, 50]);
}

#[test]
fn the_low_half_of_a_pair_fires_every_256_ticks_until_the_high_half_does() {
    // $0240: at 8 + 64, then twice 256 later; the high half three cycles after the last.
    let rig = started(&[(AUDCTL, 0x50), (AUDF1, 0x40), (AUDF2, 2)]);
    let high = 11 + 0x240;
    assert_eq!(edges(&rig, TIMER2), [high, high + 0x247]);
    let low = [72, 328, 584];
    assert_eq!(
        edges::<6>(&rig, TIMER1)[..],
        [low, low.map(|at| at + 0x247)].concat()[..]
    );
}

#[test]
fn linked_timers_on_a_slow_clock_have_the_period_n_and_1_ticks() {
    for (audctl, tick) in [(0x18, 28), (0x19, 114)] {
        let n = 0x0102u64;
        let rig = started(&[
            (AUDCTL, audctl),
            (AUDF1, 2),
            (AUDF2, 1),
            (AUDF3, 2),
            (AUDF4, 1),
        ]);
        for bit in [TIMER2, TIMER4] {
            let at = rig.irqs(bit, S + 5, S + 4 * (n + 1) * tick);
            assert!(at.len() >= 3);
            assert!(at.windows(2).all(|w| w[1] - w[0] == (n + 1) * tick));
        }
    }
}

#[test]
fn a_slow_timer_has_the_period_n_and_1_ticks_whatever_its_reload_takes() {
    for (audctl, tick) in [(0, 28), (1, 114)] {
        for n in [0, 1, 7, 255u64] {
            let rig = started(&[(AUDCTL, audctl), (AUDF4, n as u8)]);
            let at = rig.irqs(TIMER4, S + 5, S + 5 * (n + 1) * tick);
            assert!(at.len() >= 4);
            assert!(at.windows(2).all(|w| w[1] - w[0] == (n + 1) * tick));
        }
    }
}

#[test]
fn only_timers_1_and_3_run_at_1_79_mhz() {
    // Every bit of AUDCTL that does not link.
    let rig = started(&[
        (AUDCTL, 0x60),
        (AUDF1, 8),
        (AUDF2, 8),
        (AUDF3, 8),
        (AUDF4, 8),
    ]);
    assert_eq!(edges(&rig, TIMER1), [16, 28]);
    for bit in [TIMER2, TIMER4] {
        let [first, second] = edges(&rig, bit);
        assert_eq!(second - first, 9 * 28);
    }
}

/// The second interrupt when `register` is written with `data` in cycle `cycle` after STIMER.
fn second_after_write(registers: &[(u8, u8)], bit: u8, register: u8, data: u8, cycle: u64) -> u64 {
    let mut rig = Rig::new(3, registers);
    rig.write(S, STIMER, 0).write(S + 5, IRQEN, 7);
    let mut found = rig.irqs(bit, S + 5, S + cycle);
    rig.write(S + cycle, IRQEN, 0)
        .write(S + cycle, IRQEN, 7)
        .write(S + cycle, register, data);
    found.extend(rig.irqs(bit, S + cycle, S + 2_000));
    found[1] - S
}

#[test]
fn an_8_bit_period_can_be_written_until_two_cycles_before_irqst_shows_the_end_of_the_one_before() {
    let set_up = [(AUDCTL, 0x40), (AUDF1, 16)];
    for (cycle, second) in [(10, 46), (21, 46), (22, 46), (23, 44)] {
        let found = second_after_write(&set_up, TIMER1, AUDF1, 18, cycle);
        assert_eq!(found, second, "written at {cycle}");
    }
}

#[test]
fn a_pair_s_period_can_be_written_until_two_cycles_before_the_end_of_its_high_half() {
    // $000D: low 21, high 24; then 41 and 44.
    let set_up = [(AUDCTL, 0x50), (AUDF1, 13), (AUDF2, 0)];
    for (cycle, low, high) in [(12, 43, 300), (22, 43, 300), (23, 41, 44)] {
        let found = second_after_write(&set_up, TIMER1, AUDF1, 15, cycle);
        assert_eq!(found, low, "AUDF1 written at {cycle}");
        let found = second_after_write(&set_up, TIMER2, AUDF2, 1, cycle);
        assert_eq!(found, high, "AUDF2 written at {cycle}");
    }
}

#[test]
fn the_first_period_is_that_written_up_to_two_cycles_after_stimer() {
    for (cycle, first) in [(1, 18), (2, 18), (3, 24)] {
        let mut rig = Rig::new(3, &[(AUDCTL, 0x40), (AUDF1, 16)]);
        rig.write(S, STIMER, 0)
            .write(S + cycle, AUDF1, 10)
            .write(S + 5, IRQEN, 7);
        assert_eq!(edges(&rig, TIMER1), [first], "written at {cycle}");
    }
}

#[test]
fn stimer_four_cycles_before_the_interrupt_is_the_last_that_prevents_it() {
    for n in [0, 8, 255u64] {
        let end = 8 + n;
        for (cycle, wanted) in [(end - 4, end - 4 + end), (end - 3, end), (end - 2, end)] {
            let mut rig = Rig::new(3, &[(AUDCTL, 0x40), (AUDF1, n as u8)]);
            rig.write(S, STIMER, 0).write(S + 5, IRQEN, 0);
            // With N = 0 the second write comes before IRQEN can.
            let mut rig = if cycle < 5 {
                let mut rig = Rig::new(3, &[(AUDCTL, 0x40), (AUDF1, n as u8)]);
                rig.write(S, STIMER, 0);
                rig
            } else {
                rig
            };
            rig.write(S + cycle, STIMER, 0)
                .write(S + cycle.max(5), IRQEN, 7);
            assert_eq!(edges(&rig, TIMER1), [wanted], "N = {n}, STIMER at {cycle}");
        }
    }
}

#[test]
fn stimer_prevents_the_end_of_later_periods_too() {
    // N = 8: 16, 28. The second period is stopped by a write at 24, not by one at 25.
    for (cycle, wanted) in [(24, 40), (25, 28)] {
        let mut rig = Rig::new(3, &[(AUDCTL, 0x40), (AUDF1, 8)]);
        rig.write(S, STIMER, 0)
            .write(S + cycle, STIMER, 0)
            .write(S + cycle, IRQEN, 7);
        assert_eq!(edges(&rig, TIMER1), [wanted], "STIMER at {cycle}");
    }
}

#[test]
fn stimer_every_four_cycles_keeps_a_timer_of_0_from_firing() {
    let mut rig = Rig::new(3, &[(AUDCTL, 0x40), (AUDF1, 0)]);
    rig.write(S, STIMER, 0)
        .write(S + 4, STIMER, 0)
        .write(S + 5, IRQEN, 7);
    for n in 2..200 {
        rig.write(S + 4 * n, STIMER, 0);
        assert_eq!(rig.read(S + 4 * n, IRQST) & 1, 1);
    }
    let last = 4 * 199;
    assert_eq!(edges(&rig, TIMER1), [last + 8]);
}

#[test]
fn a_disabled_source_reads_1_and_its_events_are_lost() {
    let mut rig = Rig::new(3, &[(AUDCTL, 0x40), (AUDF1, 46)]);
    rig.write(S, STIMER, 0);
    assert_eq!(rig.read(S + 54, IRQST) & 1, 1);
    rig.write(S + 60, IRQEN, 1);
    assert_eq!(rig.irq(1, S + 60, S + 200), Some(S + 104));
    rig.write(S + 110, IRQEN, 0);
    assert_eq!(rig.read(S + 110, IRQST) & 1, 1, "disabling acknowledges");
    assert!(!rig.pokey.irq());
}

#[test]
fn an_interrupt_stays_until_it_is_disabled_whatever_else_is_enabled() {
    let mut rig = started(&[(AUDCTL, 0x40), (AUDF1, 16), (AUDF2, 255), (AUDF4, 255)]);
    rig.write(S + 100, IRQEN, 1);
    assert_eq!(rig.read(S + 100, IRQST) & 7, 6);
    rig.write(S + 101, IRQEN, 0xFF);
    assert_eq!(rig.read(S + 101, IRQST) & 7, 6);
    assert!(rig.pokey.irq());
}

#[test]
fn three_ticks_of_64_khz_fire_and_256_do_not_within_four_lines() {
    for bit in [TIMER1, TIMER2, TIMER4] {
        let rig = started(&[(AUDF1, 2), (AUDF2, 2), (AUDF4, 2)]);
        assert!(rig.irq(bit, S + 5, S + 4 * 114).is_some());
        let rig = started(&[(AUDF1, 255), (AUDF2, 255), (AUDF4, 255)]);
        assert_eq!(rig.irq(bit, S + 5, S + 4 * 114), None);
    }
}

#[test]
fn a_timer_of_50_cycles_fires_45_or_46_times_in_twenty_lines() {
    let rig = started(&[(AUDCTL, 0x40), (AUDF1, 46)]);
    let all = rig.irqs(TIMER1, S + 5, S + 3000);
    for begin in S + 100..S + 160 {
        let found = all
            .iter()
            .filter(|&&at| (begin..begin + 20 * 114).contains(&at))
            .count();
        assert!((45..=46).contains(&found), "{found}");
    }
}

#[test]
fn a_timer_counts_on_when_its_clock_changes() {
    // 100 cycles after STIMER 200 + 8 - 100 counts of the fast clock are left; the slow one takes 28 cycles for each.
    let mut rig = started(&[(AUDCTL, 0x40), (AUDF1, 200)]);
    rig.write(S + 100, AUDCTL, 0);
    let at = rig.irq(TIMER1, S + 100, S + 10_000).unwrap() - S - 100;
    assert!((104 * 28..=109 * 28).contains(&at), "{at}");
    rig.write(S + 1000, AUDCTL, 0x40);
    let at = rig.irq(TIMER1, S + 1000, S + 10_000).unwrap() - S;
    assert!(
        (1000 + 104 - 900 / 28 - 2..=1000 + 109 - 900 / 28 + 2).contains(&at),
        "{at}"
    );
}

#[test]
fn irqen_enables_until_the_cycle_before_irqst_would_show_the_interrupt() {
    for (cycle, seen) in [(14, true), (15, true), (16, false)] {
        let mut rig = Rig::new(3, &[(AUDCTL, 0x40), (AUDF1, 8)]);
        rig.write(S, STIMER, 0).write(S + cycle, IRQEN, 1);
        assert_eq!(rig.read(S + 17, IRQST) & 1 == 0, seen, "enabled at {cycle}");
    }
}
