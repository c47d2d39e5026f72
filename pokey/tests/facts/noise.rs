//! RANDOM (AHRM 5.5; Acid800 pokey_noise).
use crate::rig::*;

/// The values of reads of RANDOM, this many cycles after the SKCTL write that leaves initialization mode.
fn random(audctl: u8, after: impl Iterator<Item = u64>) -> Vec<u8> {
    let rig = Rig::new(3, &[(AUDCTL, audctl)]);
    after.map(|k| rig.read(W + k, RANDOM)).collect()
}

const SHORT: [u8; 24] = [
    0xFF, 0xFF, 0x7F, 0x3F, 0x1F, 0x0F, 0x87, 0xC3, 0xE1, 0xF0, 0x78, 0xBC, 0xDE, 0xEF, 0x77, 0x3B,
    0x1D, 0x0E, 0x87, 0x43, 0xA1, 0xD0, 0x68, 0x34,
];

#[test]
fn random_in_9_bit_mode_begins_with_the_known_values() {
    assert_eq!(random(0x80, 0..24), SHORT);
}

#[test]
fn random_in_17_bit_mode_begins_with_the_known_values() {
    let long = [
        0xFF, 0xFF, 0x7F, 0x3F, 0x1F, 0x0F, 0x07, 0x03, 0x01, 0, 0, 0, 0, 0, 0x80, 0xC0, 0xE0,
        0xF0, 0xF8, 0x7C,
    ];
    assert_eq!(random(0, 0..20), long);
}

#[test]
fn random_read_once_in_every_line_gives_the_known_values() {
    let lines = || (1..=10).map(|line| line * 114);
    let short = [0x95, 0x4B, 0x1B, 0xD1, 0x44, 0xD0, 0x25, 0xE2, 0x1F, 0x29];
    assert_eq!(random(0x80, lines()), short);
    let long = [0x08, 0xBD, 0x36, 0xB9, 0x16, 0xD9, 0x0B, 0xFF, 0xB1, 0x5F];
    assert_eq!(random(0, lines()), long);
}

#[test]
fn random_repeats_after_511_and_131071_cycles() {
    let rig = Rig::new(3, &[(AUDCTL, 0x80)]);
    let all: Vec<u8> = (0..2 * 511).map(|k| rig.read(W + 50 + k, RANDOM)).collect();
    assert_eq!(all[..511], all[511..]);
    // 511 is 7 times 73: the period is not shorter.
    assert!(all[..511] != all[73..511 + 73] && all[..511] != all[7..511 + 7]);
    let rig = Rig::new(3, &[]);
    for k in 0..100 {
        let at = W + 50 + 1303 * k;
        assert_eq!(rig.read(at, RANDOM), rig.read(at + 131_071, RANDOM));
    }
}

#[test]
fn entering_initialization_mode_shifts_ones_in_at_once_and_random_is_ff_nine_cycles_later() {
    for (audctl, value) in [(0x80, 0xE9), (0, 0xF0)] {
        let mut rig = Rig::new(3, &[(AUDCTL, audctl)]);
        rig.write(W + 114, SKCTL, 0);
        assert_eq!(rig.read(W + 114 + 4, RANDOM), value);
        for k in 9..200 {
            assert_eq!(rig.read(W + 114 + k, RANDOM), 0xFF);
        }
    }
}

#[test]
fn initialization_mode_has_cleared_the_whole_register_after_9_or_17_cycles() {
    for (audctl, bits) in [(0x80, 9), (0, 17)] {
        let begins_anew = |cycles: u64| {
            let mut rig = Rig::new(3, &[(AUDCTL, audctl)]);
            let enter = W + 1005;
            rig.write(enter, SKCTL, 0).write(enter + cycles, SKCTL, 3);
            (0..60).all(|k| {
                rig.read(enter + cycles + k, RANDOM)
                    == Rig::new(3, &[(AUDCTL, audctl)]).read(W + k, RANDOM)
            })
        };
        for cycles in [bits + 1, bits + 8, 300] {
            assert!(begins_anew(cycles), "{cycles} cycles");
        }
        for cycles in [2, 4, bits - 2] {
            assert!(!begins_anew(cycles), "{cycles} cycles");
        }
    }
}

#[test]
fn registers_that_cannot_be_read_give_ff() {
    let rig = Rig::new(3, &[]);
    for register in [11, 12] {
        assert_eq!(rig.read(W + 77, register), 0xFF);
    }
}
