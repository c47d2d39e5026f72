//! Keyboard and pot scan, each fact as the hardware manual and the test programs give it.

use pokey::{Keys, Pokey, irq};

const ALLPOT: u8 = 8;
const KBCODE: u8 = 9;
const SKRES: u8 = 10;
const POTGO: u8 = 11;
const IRQEN: u8 = 14;
const IRQST: u8 = 14;
const SKCTL: u8 = 15;
const SKSTAT: u8 = 15;
/// The SKCTL write that leaves initialization mode.
const W: u64 = 10_000;
/// The first 15 kHz tick.
const TICK: u64 = W + 81;

fn started(skctl: u8) -> Pokey {
    let mut pokey = Pokey::new(0);
    pokey.write(SKCTL, 0, 100);
    pokey.write(SKCTL, skctl, W);
    pokey.write(IRQEN, irq::KEY | irq::BREAK, W + 8);
    pokey
}

/// Runs to `cycle` as a machine does, and says when the interrupt line first fell.
fn run(pokey: &mut Pokey, from: u64, to: u64) -> Option<u64> {
    for now in from..to {
        if pokey.next_event() <= now {
            pokey.sync_to(now);
        }
        if pokey.irq() {
            return Some(now);
        }
    }
    None
}

#[test]
fn a_key_is_reported_when_two_scans_in_a_row_have_seen_it() {
    let mut pokey = started(3);
    pokey.set_keys(Keys::code(0x3F), W + 10);
    // Code $3F is looked at in step 63 of each scan of 64 steps.
    let seen = run(&mut pokey, W + 10, W + 40_000);
    assert_eq!(seen, Some(TICK + (63 + 64) * 114));
    assert_eq!(pokey.read(KBCODE, seen.unwrap()), 0x3F);
    assert_eq!(pokey.read(IRQST, seen.unwrap()) & irq::KEY, 0);
    assert_eq!(pokey.read(SKSTAT, seen.unwrap()) & 0x04, 0);
}

#[test]
fn shift_and_control_are_the_upper_bits_of_kbcode() {
    for code in [0x00, 0x3F, 0x7F, 0xBF, 0xC7, 0x95, 0x52] {
        let mut pokey = started(3);
        pokey.set_keys(Keys::code(code), W + 10);
        let seen = run(&mut pokey, W + 10, W + 40_000).unwrap();
        assert_eq!(pokey.read(KBCODE, seen), code);
        assert_eq!(pokey.read(SKSTAT, seen) & 0x08 == 0, code & 0x40 != 0);
    }
}

#[test]
fn skstat_shows_shift_alone_without_an_interrupt() {
    let mut pokey = started(3);
    pokey.set_keys(
        Keys {
            shift: true,
            ..Keys::default()
        },
        W + 10,
    );
    assert_eq!(run(&mut pokey, W + 10, W + 20_000), None);
    assert_eq!(pokey.read(SKSTAT, W + 20_000) & 0x08, 0);
    pokey.set_keys(Keys::default(), W + 20_000);
    assert_eq!(pokey.read(SKSTAT, W + 40_000) & 0x08, 0x08);
}

#[test]
fn a_released_key_is_up_after_two_scans_and_kbcode_stays() {
    let mut pokey = started(3);
    pokey.set_keys(Keys::code(0x21), W + 10);
    let down = run(&mut pokey, W + 10, W + 40_000).unwrap();
    pokey.write(IRQEN, 0, down);
    pokey.write(IRQEN, irq::KEY, down);
    pokey.set_keys(Keys::default(), down + 10);
    assert_eq!(pokey.read(SKSTAT, down + 2 * 64 * 114 - 1) & 0x04, 0);
    assert_eq!(pokey.read(SKSTAT, down + 2 * 64 * 114) & 0x04, 0x04);
    assert_eq!(pokey.read(KBCODE, down + 50_000), 0x21);
    assert!(
        !pokey.irq(),
        "no interrupt on release, and none again while held"
    );
}

#[test]
fn two_keys_at_once_give_none() {
    let mut pokey = started(3);
    pokey.set_keys(
        Keys {
            matrix: 1 << 5 | 1 << 40,
            ..Keys::default()
        },
        W + 10,
    );
    assert_eq!(run(&mut pokey, W + 10, W + 100_000), None);
}

#[test]
fn a_second_key_press_before_the_first_was_acknowledged_is_an_overrun() {
    let mut pokey = started(3);
    let mut now = W + 10;
    for code in [0x12, 0x13] {
        pokey.set_keys(Keys::code(code), now);
        now += 30_000;
        pokey.set_keys(Keys::default(), now);
        now += 30_000;
    }
    assert_eq!(pokey.read(SKSTAT, now) & 0x40, 0);
    assert_eq!(pokey.read(KBCODE, now), 0x13);
    pokey.write(SKRES, 0, now);
    assert_eq!(pokey.read(SKSTAT, now) & 0x40, 0x40);
}

#[test]
fn break_is_seen_at_code_30_once_for_each_press() {
    let mut pokey = started(3);
    pokey.set_keys(
        Keys {
            break_key: true,
            ..Keys::default()
        },
        W + 10,
    );
    let seen = run(&mut pokey, W + 10, W + 20_000);
    assert_eq!(seen, Some(TICK + 0x30 * 114));
    let seen = seen.unwrap();
    assert_eq!(pokey.read(IRQST, seen) & irq::BREAK, 0);
    pokey.write(IRQEN, 0, seen + 4);
    pokey.write(IRQEN, irq::BREAK, seen + 8);
    assert_eq!(run(&mut pokey, seen + 9, seen + 30_000), None);
}

#[test]
fn without_scan_no_key_is_seen_and_kbcode_stays() {
    let mut pokey = started(1);
    pokey.set_keys(Keys::code(0x21), W + 10);
    assert_eq!(run(&mut pokey, W + 10, W + 40_000), None);
    assert_eq!(pokey.read(SKSTAT, W + 40_000) & 0x04, 0x04);
}

#[test]
fn without_debounce_only_neighbours_are_seen_and_for_two_steps() {
    let mut pokey = started(2);
    pokey.set_keys(
        Keys {
            matrix: 1 << 1,
            ..Keys::default()
        },
        W + 10,
    );
    assert_eq!(run(&mut pokey, W + 10, W + 40_000), None);
    let mut pokey = started(2);
    pokey.set_keys(
        Keys {
            matrix: 3,
            ..Keys::default()
        },
        W + 10,
    );
    let seen = run(&mut pokey, W + 10, W + 40_000).unwrap();
    assert_eq!(pokey.read(KBCODE, seen), 1);
    assert_eq!(pokey.read(SKSTAT, seen + 113) & 0x04, 0);
    assert_eq!(pokey.read(SKSTAT, seen + 3 * 114) & 0x04, 0x04);
}

#[test]
fn a_fast_pot_scan_reads_the_bits_common_to_two_counts() {
    const G: u64 = 50_000;
    let mut pokey = started(7);
    pokey.write(POTGO, 0, G);
    for k in 2..=230u64 {
        let n = (k - 2) as u8;
        assert_eq!(pokey.read(3, G + k), n & (n + 1), "cycle {k}");
        assert_eq!(pokey.read(ALLPOT, G + k), 0xFF, "cycle {k}");
    }
    for k in [231, 232, 500, 100_000] {
        assert_eq!(pokey.read(3, G + k), 0xE5, "cycle {k}");
        assert_eq!(pokey.read(ALLPOT, G + k), 0x00, "cycle {k}");
    }
}

#[test]
fn a_slow_pot_scan_steps_with_the_15_khz_clock_and_ends_at_228() {
    let mut pokey = started(3);
    pokey.write(POTGO, 0, W + 20);
    assert_eq!(pokey.read(0, TICK - 1), 0);
    for n in [0u8, 1, 2, 3, 100, 226, 227] {
        let tick = TICK + u64::from(n) * 114;
        assert_eq!(pokey.read(0, tick), n & (n + 1), "in the cycle of step {n}");
        assert_eq!(pokey.read(0, tick + 1), n + 1);
        assert_eq!(pokey.read(ALLPOT, tick + 1), 0xFF);
    }
    let end = TICK + 227 * 114;
    assert_eq!(pokey.read(ALLPOT, end + 2), 0);
    assert_eq!(pokey.read(0, end + 100_000), 228);
}

#[test]
fn a_paddle_stops_its_register_at_its_position() {
    let mut pokey = started(3);
    pokey.set_pot(1, 100);
    pokey.write(POTGO, 0, W + 20);
    let tick = |n: u64| TICK + n * 114;
    assert_eq!(pokey.read(1, tick(98) + 1), 99);
    assert_eq!(pokey.read(ALLPOT, tick(99) + 1), 0xFF);
    assert_eq!(pokey.read(ALLPOT, tick(100) + 1), 0xFD);
    assert_eq!(pokey.read(1, tick(150)), 100);
    pokey.set_pot(1, 50);
    assert_eq!(pokey.read(1, tick(400)), 100, "until the next scan");
    pokey.write(POTGO, 0, tick(400) + 5);
    assert_eq!(pokey.read(1, tick(700)), 50);
}

#[test]
fn in_initialization_mode_a_slow_pot_scan_stands_still() {
    let mut pokey = started(0);
    pokey.write(POTGO, 0, W + 20);
    assert_eq!(pokey.read(0, W + 100_000), 0);
    assert_ne!(pokey.read(ALLPOT, W + 100_000), 0);
}

#[test]
fn unreadable_registers_read_ff_and_all_repeat_every_sixteen() {
    let mut pokey = started(3);
    assert_eq!(pokey.read(0x0B, W + 100), 0xFF);
    assert_eq!(pokey.read(0x0C, W + 100), 0xFF);
    for register in 0..16 {
        assert_eq!(
            pokey.read(register, W + 300),
            pokey.read(register + 0x20, W + 300)
        );
    }
}
