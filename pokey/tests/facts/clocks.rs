//! The slow clocks after initialization mode (AHRM 5.2 and 5.4; Acid800 pokey_inittiming).
//!
//! The manual's 24 and 83 cycles lie between the SKCTL write and the cycle that shows the interrupt: the test's reads, 83 and 84
//! cycles after the write, give 1 and 0.
use crate::rig::*;

/// Cycles from the SKCTL write to the one in which IRQST shows timer 1.
fn first_irq(audctl: u8, audf: u8, stimer: Option<u64>) -> Option<u64> {
    let mut rig = Rig::new(3, &[(AUDCTL, audctl), (AUDF1, audf), (IRQEN, 1)]);
    if let Some(after) = stimer {
        rig.write(W + after, STIMER, 0);
    }
    rig.irq(1, W, W + 1000).map(|at| at - W)
}

#[test]
fn a_timer_of_one_tick_shows_its_irq_after_24_cycles_at_64_khz_and_after_83_at_15_khz() {
    assert_eq!(first_irq(0, 0, Some(4)), Some(24 + 1));
    assert_eq!(first_irq(1, 0, Some(4)), Some(83 + 1));
}

#[test]
fn a_timer_of_three_ticks_at_64_khz_shows_its_irq_after_80_cycles() {
    assert_eq!(first_irq(0, 2, Some(4)), Some(24 + 2 * 28 + 1));
}

#[test]
fn stimer_does_not_move_the_slow_clocks() {
    for after in 1..=14 {
        assert_eq!(first_irq(0, 0, Some(after)), Some(25), "STIMER at {after}");
    }
    for after in 1..=70 {
        assert_eq!(first_irq(1, 0, Some(after)), Some(84), "STIMER at {after}");
    }
}

#[test]
fn the_slow_clocks_tick_every_28_and_114_cycles_for_ever() {
    for (audctl, first, period) in [(0, 25, 28), (1, 84, 114)] {
        let mut rig = Rig::new(3, &[(AUDCTL, audctl), (IRQEN, 1)]);
        rig.write(W + 4, STIMER, 0);
        let wanted: Vec<u64> = (0..100).map(|n| W + first + n * period).collect();
        assert_eq!(rig.irqs(1, W, W + first + 100 * period - 1), wanted);
    }
}

#[test]
fn slow_timers_stand_still_in_initialization_mode_and_fast_ones_run() {
    let mut rig = Rig::new(3, &[(AUDF1, 1), (AUDF2, 1), (AUDF3, 1), (AUDF4, 1)]);
    rig.write(W + 500, SKCTL, 0).write(W + 520, IRQEN, 0x07);
    assert_eq!(rig.irq(0x07, W + 520, W + 5000), None);
    rig.write(W + 530, AUDCTL, 0x40);
    assert!(rig.irq(0x01, W + 540, W + 600).is_some());
    assert_eq!(rig.irq(0x06, W + 540, W + 5000), None);
}

#[test]
fn entering_initialization_mode_anew_starts_the_clocks_anew() {
    for again in [300, 311, 337] {
        let mut rig = Rig::new(3, &[(AUDF1, 0), (IRQEN, 1)]);
        let leave = W + again + 200;
        rig.write(W + again, SKCTL, 0)
            .write(leave, SKCTL, 3)
            .write(leave + 4, STIMER, 0)
            .write(leave + 5, IRQEN, 0)
            .write(leave + 6, IRQEN, 1);
        assert_eq!(rig.irq(1, leave, leave + 200), Some(leave + 25));
    }
}
