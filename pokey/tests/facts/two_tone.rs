//! Two-tone mode (AHRM 5.6 "Two-tone resync" to "Two-tone force break mode"; Acid800 pokey_timertiming, pokey_twotone). Cycles are
//! counted from the STIMER write, which comes four cycles after SKCTL's.
use crate::rig::*;

const S: u64 = W + 4;
const TIMER1: u8 = 1;
const TIMER2: u8 = 2;

fn started(skctl: u8, registers: &[(u8, u8)]) -> Rig {
    let mut rig = Rig::new(skctl, registers);
    rig.write(S, STIMER, 0).write(S + 5, IRQEN, 7);
    rig
}

fn edges<const N: usize>(rig: &Rig, bit: u8) -> [u64; N] {
    let found = rig.irqs(bit, S + 5, S + 2_000);
    core::array::from_fn(|i| found.get(i).map_or(0, |at| at - S))
}

/// Only timer 1, at 1.79 MHz, with the output line at 1.
fn alone(n: u8) -> Vec<(u8, u8)> {
    vec![(AUDCTL, 0x40), (AUDF1, n), (AUDF2, 255)]
}

#[test]
fn timer_1_restarting_both_has_a_period_of_n_and_6_but_for_the_first() {
    for (n, wanted) in [(8, [16, 30, 44]), (0, [8, 14, 20]), (10, [18, 34, 50])] {
        let rig = started(0x0B, &alone(n));
        assert_eq!(edges(&rig, TIMER1), wanted, "AUDF1 = {n}");
    }
}

#[test]
fn a_pair_with_a_forced_break_has_a_period_of_n_and_9() {
    let rig = started(0x8B, &[(AUDCTL, 0x50), (AUDF1, 8)]);
    assert_eq!(edges(&rig, TIMER1), [16, 33, 50]);
    assert_eq!(edges(&rig, TIMER2), [19, 36, 53]);
}

#[test]
fn on_slow_clocks_the_restart_costs_nothing() {
    let rig = started(0x0B, &[(AUDF1, 1), (AUDF2, 255)]);
    let at: [u64; 4] = edges(&rig, TIMER1);
    assert!(at.windows(2).all(|w| w[1] - w[0] == 56), "{at:?}");
}

/// The interrupt after `edge` when AUDF1 is written in cycle `cycle` after STIMER.
fn after_write(n: u8, data: u8, edge: u64, cycle: u64) -> u64 {
    let mut rig = Rig::new(0x0B, &alone(n));
    rig.write(S, STIMER, 0)
        .write(S + cycle, AUDF1, data)
        .write(S + edge, IRQEN, 0)
        .write(S + edge, IRQEN, 1);
    rig.irq(TIMER1, S + edge + 1, S + 500).unwrap() - S
}

#[test]
fn a_period_can_be_written_until_irqst_shows_the_end_of_the_one_before() {
    // Eight periods' lengths apart, to be told from one another.
    for (n, edge) in [(8, 16), (8, 30), (10, 18), (10, 34)] {
        let next = edge + u64::from(n) + 6;
        assert_eq!(
            after_write(n, n + 8, edge, edge),
            next + 8,
            "N = {n} at {edge}"
        );
        assert_eq!(
            after_write(n, n + 8, edge, edge + 1),
            next,
            "N = {n} at {edge} + 1"
        );
    }
}

#[test]
fn stimer_four_cycles_before_the_interrupt_prevents_it_in_two_tone_mode_too() {
    for (n, edge) in [(8, 30), (8, 44), (10, 34), (10, 50)] {
        for (cycle, wanted) in [(edge - 4, edge - 4 + 8 + u64::from(n)), (edge - 3, edge)] {
            let mut rig = Rig::new(0x0B, &alone(n));
            rig.write(S, STIMER, 0)
                .write(S + cycle, STIMER, 0)
                .write(S + cycle, IRQEN, 1);
            assert_eq!(edges(&rig, TIMER1), [wanted], "N = {n}, STIMER at {cycle}");
        }
    }
}

#[test]
fn timer_1_still_fires_one_cycle_after_timer_2_restarted_it_and_not_two() {
    // 64 kHz and AUDF2 = 3: 25 + 3 * 28 cycles after W.
    let second = 25 + 3 * 28 - 4;
    for (audf1, fires) in [(98, true), (99, false), (100, false)] {
        let rig = started(0x8B, &[(AUDCTL, 0x40), (AUDF1, audf1), (AUDF2, 3)]);
        assert_eq!(edges(&rig, TIMER2), [second]);
        let first = rig.irqs(TIMER1, S + 5, S + second + 20);
        let wanted = if fires { vec![S + second + 1] } else { vec![] };
        assert_eq!(8 + u64::from(audf1), second + 1 + u64::from(audf1) - 98);
        assert_eq!(first, wanted, "AUDF1 = {audf1}");
    }
}

#[test]
fn a_faster_timer_1_fires_within_timer_2_s_period_and_a_slower_one_never() {
    let rig = started(0x8B, &[(AUDF1, 1), (AUDF2, 6)]);
    let limit = S + 28 * 7 * 4;
    assert_eq!(rig.irqs(TIMER2, S, limit).len(), 4);
    assert_eq!(rig.irqs(TIMER1, S, limit).len(), 4 * 3);
    let rig = started(0x8B, &[(AUDF1, 9), (AUDF2, 6)]);
    assert_eq!(rig.irqs(TIMER2, S, limit).len(), 4);
    assert_eq!(rig.irqs(TIMER1, S, limit), []);
}

#[test]
fn timer_2_restarts_both_whatever_the_output_bit_is() {
    let rig = started(0x0B, &[(AUDF1, 9), (AUDF2, 6)]);
    assert_eq!(rig.irqs(TIMER2, S, S + 28 * 7 * 4).len(), 4);
    assert_eq!(rig.irqs(TIMER1, S, S + 28 * 7 * 4), []);
}

#[test]
fn out_of_two_tone_mode_neither_timer_restarts_the_other() {
    let rig = started(0x83, &[(AUDF1, 9), (AUDF2, 6)]);
    assert_eq!(rig.irqs(TIMER1, S, S + 28 * 70).len(), 7);
    assert_eq!(rig.irqs(TIMER2, S, S + 28 * 70).len(), 10);
}

#[test]
fn spaces_are_sent_with_timer_2_and_marks_with_timer_1() {
    // 15 kHz, 32 lines for a bit; the start bit and bits 0 and 1 are spaces.
    let mut rig = started(0x2B, &[(AUDCTL, 1), (AUDF1, 0), (AUDF2, 1), (AUDF4, 15)]);
    rig.write(S + 10, SEROUT, 0xFC).write(S + 11, IRQEN, 0x17);
    let start = rig.irq(0x10, S + 11, S + 40 * 114).unwrap();
    rig.write(start, IRQEN, 7);
    let spaces = start..start + 96 * 114;
    let marks = spaces.end + 228..spaces.end + 96 * 114;
    let count = |bit, span: &core::ops::Range<u64>| {
        let all = rig.irqs(bit, start, marks.end);
        all.iter().filter(|at| span.contains(at)).count()
    };
    // A period of timer 2 takes two lines.
    let found = count(TIMER2, &spaces);
    assert!((47..=49).contains(&found), "{found} for spaces");
    // Timer 1 fires in the middle of each, and at its end together with timer 2.
    assert!(count(TIMER1, &spaces).abs_diff(2 * found) <= 1);
    assert_eq!(count(TIMER2, &marks), 0);
    assert_eq!(count(TIMER1, &marks), 94);
}

#[test]
fn two_timers_one_cycle_apart_restart_each_other_and_timer_1_loses_three_cycles() {
    // Both restart: the output line is at 1. Timer 2 fires at 105, timer 1 at 104.
    let second = 25 + 3 * 28 - 4;
    for (audf1, next) in [(96, 96 + 4 + 3), (95, 95 + 6)] {
        let rig = started(0x0B, &[(AUDCTL, 0x40), (AUDF1, audf1), (AUDF2, 3)]);
        let first = 8 + u64::from(audf1);
        assert_eq!(
            edges(&rig, TIMER1),
            [first, first + next],
            "AUDF1 = {audf1}"
        );
        let fires = rig.irqs(TIMER2, S + 5, S + second + 20).len();
        assert_eq!(fires, usize::from(audf1 == 96));
    }
}

#[test]
fn a_send_that_initialization_mode_interrupts_leaves_the_line_as_it_is_until_the_next_byte() {
    for (byte, restarts) in [(0x00, false), (0xFF, true)] {
        // Timer 2 sends; the bit after the start bit is on the line when it stops.
        let mut rig = Rig::new(0x63, &[(AUDCTL, 0x40), (AUDF1, 8), (AUDF2, 9)]);
        rig.write(W + 10, SEROUT, byte);
        let load = (W + 10..W + 2000)
            .find(|&at| rig.read(at, IRQST) & 8 != 0)
            .unwrap();
        let stop = load + 30 * 28;
        rig.write(stop, SKCTL, 0);
        let begin = stop + 3000;
        rig.write(stop + 1000, SKCTL, 0x6B)
            .write(begin, STIMER, 0)
            .write(begin + 5, IRQEN, 1);
        // Only at 1 does timer 1 restart both, which takes two cycles more.
        let period = if restarts { 14 } else { 12 };
        let found = rig.irqs(TIMER1, begin + 5, begin + 200);
        assert!(found.len() > 10);
        assert!(found.windows(2).all(|w| w[1] - w[0] == period), "{found:?}");
    }
}
