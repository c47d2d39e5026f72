//! The pot scan (AHRM 5.9; timing of the counter as programs measured it, see `FIRST_TICK`).
use crate::rig::*;

/// A chip whose pot 0 never reaches its threshold, scanning from a POTGO write in cycle `W + go` on.
fn scanning(skctl: u8, go: u64) -> Rig {
    let mut rig = Rig::new(skctl, &[]);
    rig.write(W + go, POTGO, 0);
    rig
}

#[test]
fn a_fast_scan_reads_the_bits_that_stay_as_the_counter_steps() {
    let rig = scanning(7, 100);
    // From two cycles after the write on.
    let wanted = [
        0x00, 0x00, 0x02, 0x00, 0x04, 0x04, 0x06, 0x00, 0x08, 0x08, 0x0A, 0x08, 0x0C, 0x0C, 0x0E,
        0x00,
    ];
    for (n, value) in wanted.into_iter().enumerate() {
        assert_eq!(rig.read(W + 102 + n as u64, 0), value, "count {n}");
    }
    for k in 2..231 {
        let n = (k - 2) as u8;
        assert_eq!(
            rig.read(W + 100 + k, 0),
            n & (n + 1),
            "{k} cycles after POTGO"
        );
    }
}

#[test]
fn a_fast_scan_ends_231_cycles_after_potgo_at_229() {
    let rig = scanning(7, 100);
    assert_eq!(rig.read(W + 100 + 230, ALLPOT), 0xFF);
    for k in [231, 232, 300, 10_000] {
        assert_eq!(rig.read(W + 100 + k, 0), 229);
        assert_eq!(rig.read(W + 100 + k, ALLPOT), 0);
    }
}

#[test]
fn a_slow_scan_steps_80_cycles_after_initialization_mode_and_every_114() {
    let rig = scanning(3, 10);
    for n in 0..228u64 {
        let step = W + 80 + 114 * n;
        let (old, new) = (n as u8, n as u8 + 1);
        assert_eq!(rig.read(step - 1, 0), old);
        assert_eq!(rig.read(step, 0), old & new, "step {n}");
        assert_eq!(rig.read(step + 1, 0), new);
    }
}

#[test]
fn a_slow_scan_ends_at_228_and_allpot_is_0_two_cycles_after_the_last_step() {
    let rig = scanning(3, 10);
    let last = W + 80 + 114 * 227;
    assert_eq!(rig.read(last, 0), 0xE0);
    assert_eq!(rig.read(last + 1, ALLPOT), 0xFF);
    assert_eq!(rig.read(last + 2, ALLPOT), 0);
    for after in [1, 2, 114, 115, 100_000] {
        assert_eq!(rig.read(last + after, 0), 228);
    }
}

#[test]
fn a_pot_at_its_threshold_keeps_its_count_and_its_bit_of_allpot_falls() {
    let mut rig = Rig::new(3, &[]);
    rig.pokey.set_pot(3, 77);
    rig.write(W + 10, POTGO, 0);
    let step = W + 80 + 114 * 77;
    assert_eq!(rig.read(step - 1, ALLPOT), 0xFF);
    assert_eq!(rig.read(step + 1, ALLPOT), 0xF7);
    for after in [1, 114, 228, 1140, 30_000] {
        assert_eq!(rig.read(step + after, 3), 77);
    }
}

#[test]
fn a_pot_moved_during_a_scan_counts_from_the_next_one() {
    let mut rig = scanning(3, 10);
    rig.pokey.set_pot(0, 50);
    let end = W + 229 * 114;
    assert_eq!(rig.read(end, 0), 228);
    rig.write(end, POTGO, 0);
    assert_eq!(rig.read(end + 229 * 114, 0), 50);
}

#[test]
fn in_initialization_mode_a_slow_scan_stands_still_and_a_fast_one_runs() {
    let mut rig = Rig::new(3, &[]);
    rig.write(W + 1000, SKCTL, 0).write(W + 1100, POTGO, 0);
    for after in [10, 1000, 100_000] {
        assert_eq!(rig.read(W + 1100 + after, 0), 0);
        assert_ne!(rig.read(W + 1100 + after, ALLPOT), 0);
    }
    rig.write(W + 2000, SKCTL, 4).write(W + 2010, POTGO, 0);
    assert_eq!(rig.read(W + 2010 + 231, 0), 229);
    assert_eq!(rig.read(W + 2010 + 231, ALLPOT), 0);
}

#[test]
fn potgo_in_the_middle_of_a_scan_begins_anew() {
    let mut rig = scanning(3, 10);
    let again = W + 80 + 114 * 64 + 20;
    assert_eq!(rig.read(again, 0), 65);
    rig.write(again, POTGO, 0);
    assert_eq!(rig.read(again + 5, 0), 0);
    assert_eq!(rig.read(again + 114 * 10, 0), 10);
}
