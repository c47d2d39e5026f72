//! The keyboard scan (AHRM 5.8).
use crate::rig::*;
use pokey::Keys;

const KBCODE: u8 = 9;
const KEY: u8 = 0x40;
const BREAK: u8 = 0x80;
/// A look at all 64 keys.
const SCAN: u64 = 64 * 114;

fn pressed(skctl: u8, keys: Keys) -> Rig {
    let mut rig = Rig::new(skctl, &[(IRQEN, KEY | BREAK)]);
    rig.pokey.set_keys(keys, W + 20);
    rig
}

fn matrix(codes: &[u8]) -> Keys {
    Keys {
        matrix: codes.iter().fold(0, |bits, code| bits | 1 << code),
        ..Keys::default()
    }
}

#[test]
fn a_key_is_reported_when_a_second_scan_finds_it_down() {
    for code in 0..64u8 {
        let rig = pressed(3, matrix(&[code]));
        let at = rig.irq(KEY, W + 20, W + 3 * SCAN).unwrap() - W;
        // One key is looked at in each period of the 15 kHz clock.
        let first = 81 + 114 * u64::from(code);
        assert_eq!((at - first) % SCAN, 0, "key {code:02X} at {at}");
        assert_eq!((at - first) / SCAN, 1);
        assert_eq!(rig.read(W + at, KBCODE), code);
        assert_eq!(rig.read(W + at - 1, SKSTAT) & 4, 4);
        assert_eq!(rig.read(W + at, SKSTAT) & 4, 0);
    }
}

#[test]
fn a_key_is_up_when_two_scans_do_not_find_it_and_nothing_else_tells_so() {
    let mut rig = pressed(3, matrix(&[0x21]));
    let at = rig.irq(KEY, W, W + 3 * SCAN).unwrap();
    rig.write(at, IRQEN, 0).write(at, IRQEN, KEY);
    rig.pokey.set_keys(Keys::default(), at + 10);
    assert_eq!(rig.read(at + 2 * SCAN - 1, SKSTAT) & 4, 0);
    assert_eq!(rig.read(at + 2 * SCAN, SKSTAT) & 4, 4);
    assert_eq!(rig.irq(KEY, at + 10, at + 5 * SCAN), None);
    assert_eq!(rig.read(at + 5 * SCAN, KBCODE), 0x21);
}

#[test]
fn a_key_that_bounces_is_not_reported() {
    let mut rig = pressed(3, matrix(&[0x21]));
    // Down when the first scan comes by, up at the second.
    rig.pokey.set_keys(Keys::default(), W + SCAN);
    assert_eq!(rig.irq(KEY, W + SCAN, W + 5 * SCAN), None);
}

#[test]
fn two_keys_down_together_are_not_reported_and_a_second_one_later_is_ignored() {
    let rig = pressed(3, matrix(&[0x21, 0x3F]));
    assert_eq!(rig.irq(KEY, W + 20, W + 20 * SCAN), None);
    let mut rig = pressed(3, matrix(&[0x21]));
    let at = rig.irq(KEY, W + 20, W + 3 * SCAN).unwrap();
    rig.write(at, IRQEN, 0).write(at, IRQEN, KEY);
    rig.pokey.set_keys(matrix(&[0x21, 0x3F]), at + 10);
    assert_eq!(rig.irq(KEY, at + 10, at + 10 * SCAN), None);
    rig.pokey.set_keys(matrix(&[0x3F]), at + 10 * SCAN);
    let next = rig.irq(KEY, at + 10 * SCAN, at + 20 * SCAN).unwrap();
    assert_eq!(rig.read(next, KBCODE), 0x3F);
}

#[test]
fn shift_and_control_are_latched_with_the_key_and_shift_shows_at_once_in_skstat() {
    for (shift, control, code) in [
        (false, false, 0x21),
        (true, false, 0x61),
        (false, true, 0xA1),
        (true, true, 0xE1),
    ] {
        let keys = Keys {
            shift,
            control,
            ..matrix(&[0x21])
        };
        let mut rig = pressed(3, keys);
        let at = rig.irq(KEY, W + 20, W + 3 * SCAN).unwrap();
        assert_eq!(rig.read(at, KBCODE), code);
        assert_eq!(rig.read(at, SKSTAT) & 8 == 0, shift);
        rig.pokey.set_keys(
            Keys {
                shift: !shift,
                ..keys
            },
            at + 10,
        );
        assert_eq!(rig.read(at + SCAN, SKSTAT) & 8 == 0, !shift);
        assert_eq!(rig.read(at + SCAN, KBCODE), code);
    }
    // Without any other key.
    let rig = pressed(
        3,
        Keys {
            shift: true,
            ..Keys::default()
        },
    );
    let seen = W + 81 + 114 * 0x10;
    assert_eq!(rig.read(seen - 1, SKSTAT) & 8, 8);
    assert_eq!(rig.read(seen, SKSTAT) & 8, 0);
    assert_eq!(rig.irq(KEY | BREAK, W + 20, W + 5 * SCAN), None);
}

#[test]
fn break_interrupts_once_for_each_press_and_a_press_while_disabled_is_lost() {
    let keys = Keys {
        break_key: true,
        ..Keys::default()
    };
    let mut rig = pressed(3, keys);
    assert_eq!(rig.irqs(BREAK, W + 20, W + 9 * SCAN), [W + 81 + 114 * 0x30]);
    assert_eq!(
        rig.read(W + 9 * SCAN, SKSTAT) & 0x4C,
        0x4C,
        "no other sign of it"
    );
    rig.write(W + 2 * SCAN, IRQEN, 0);
    rig.pokey.set_keys(Keys::default(), W + 3 * SCAN);
    rig.pokey.set_keys(keys, W + 5 * SCAN);
    rig.write(W + 7 * SCAN, IRQEN, BREAK);
    assert_eq!(rig.irq(BREAK, W + 7 * SCAN, W + 12 * SCAN), None);
}

#[test]
fn a_key_while_the_interrupt_of_the_last_is_active_is_an_overrun_until_skres() {
    let mut rig = pressed(3, matrix(&[0x21]));
    let at = rig.irq(KEY, W + 20, W + 3 * SCAN).unwrap();
    rig.pokey.set_keys(Keys::default(), at + 10);
    rig.pokey.set_keys(matrix(&[0x3F]), at + 4 * SCAN);
    assert_eq!(rig.read(at + 4 * SCAN, SKSTAT) & 0x40, 0x40);
    let end = at + 8 * SCAN;
    assert_eq!(rig.read(end, SKSTAT) & 0x40, 0);
    assert_eq!(rig.read(end, KBCODE), 0x3F, "the new key replaces the old");
    rig.write(end, SKRES, 0);
    assert_eq!(rig.read(end + 1, SKSTAT) & 0x40, 0x40);
}

#[test]
fn without_the_scan_no_key_is_seen_and_what_was_seen_stays() {
    for skctl in [0, 1] {
        let mut rig = pressed(3, matrix(&[0x21]));
        let at = rig.irq(KEY, W + 20, W + 3 * SCAN).unwrap();
        rig.pokey.set_keys(
            Keys {
                shift: true,
                break_key: true,
                ..matrix(&[0x3F])
            },
            at + 9,
        );
        rig.write(at + 10, SKCTL, skctl);
        assert_eq!(rig.read(at + 11, SKSTAT) & 0x0C, 0x0C);
        assert_eq!(rig.read(at + 11, IRQST) & KEY, 0);
        assert_eq!(rig.irq(BREAK, at + 11, at + 5 * SCAN), None);
        assert_eq!(rig.read(at + 5 * SCAN, KBCODE), 0x21);
        assert_eq!(rig.read(at + 5 * SCAN, SKSTAT) & 0x0C, 0x0C);
    }
}

#[test]
fn without_debounce_two_keys_next_to_each_other_give_the_second_once_in_every_scan() {
    let rig = pressed(2, matrix(&[0x20, 0x21]));
    let found = rig.irqs(KEY, W + 20, W + 5 * SCAN);
    let first = W + 81 + 114 * 0x21;
    assert_eq!(found, [0, 1, 2, 3, 4].map(|n| first + n * SCAN));
    assert_eq!(rig.read(first, KBCODE), 0x21);
    // It is reported as down for two steps more.
    assert_eq!(rig.read(first + 2 * 114 - 1, SKSTAT) & 4, 0);
    assert_eq!(rig.read(first + 2 * 114, SKSTAT) & 4, 4);
    let rig = pressed(2, matrix(&[0x20]));
    assert_eq!(rig.irq(KEY, W + 20, W + 5 * SCAN), None);
}
