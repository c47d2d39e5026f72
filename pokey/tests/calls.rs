//! The chip's promises to its caller: when it must be called, and that it may be called more often.
use pokey::{Pokey, SoundChange};

const AUDF1: u8 = 0;
const AUDF2: u8 = 2;
const AUDF3: u8 = 4;
const AUDF4: u8 = 6;
const AUDCTL: u8 = 8;
const STIMER: u8 = 9;
const IRQEN: u8 = 14;
const SKCTL: u8 = 15;

/// The cycle of a STIMER write.
const S: u64 = 10_000;

#[test]
fn next_event_is_never_later_than_the_interrupt() {
    for audctl in [0x00, 0x01, 0x40, 0x50, 0x28, 0x78, 0x10, 0x09] {
        let mut pokey = Pokey::new(0);
        pokey.write(SKCTL, 3, 5000);
        let registers = [
            (AUDCTL, audctl),
            (AUDF1, 5),
            (AUDF2, 1),
            (AUDF3, 9),
            (AUDF4, 0),
        ];
        for (register, data) in registers {
            pokey.write(register, data, 9000);
        }
        pokey.write(STIMER, 0, S);
        pokey.write(IRQEN, 7, S + 4);
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

/// Checks `next_event` with random writes in all modes and a serial line that moves.
#[test]
fn next_event_is_never_later_than_any_interrupt() {
    let mut seed = 7u64;
    let mut random = move || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as u32
    };
    for _ in 0..300 {
        let mut pokey = Pokey::new(0);
        let mut every = pokey.clone();
        let mut now = 100;
        for _ in 0..60 {
            let (register, data) = match random() % 8 {
                0..=2 => (random() as u8 % 4 * 2, random() as u8 & 31),
                3 => (AUDCTL, random() as u8),
                4 => (STIMER, 0),
                5 => (13, random() as u8),
                6 => (IRQEN, [7, 1, 0x3F, 0x38, 0][random() as usize % 5]),
                _ => (
                    SKCTL,
                    [3, 3, 0x0B, 0x8B, 0x13, 0x23, 0x73, 0][random() as usize % 8],
                ),
            };
            let level = random() % 4 != 0;
            for p in [&mut pokey, &mut every] {
                p.write(register, data, now);
                p.set_serial_input(level, now);
            }
            for _ in 0..random() % 400 {
                now += 1;
                every.sync_to(now);
                if pokey.next_event() <= now {
                    pokey.sync_to(now);
                }
                assert_eq!(pokey.irq(), every.irq(), "at {now}");
                assert_eq!(pokey.take_serial_output(), every.take_serial_output());
            }
            now += 1;
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
            if random() % 4 == 0 {
                let level = random() % 2 == 0;
                a.set_serial_input(level, now);
                b.set_serial_input(level, now);
            }
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
