//! A machine that is switched off while our DOS writes: files may be lost that were being written, and sectors, and nothing else.

use machine::{Model, Tv};
use media::atr::{Blank, Disk};
use media::dos2::{Dos2, Name, Report};
use tests::calls::{Os, Registers};
use tests::dos::{DATA, boot, iocb_at};
use tests::random::Random;

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

/// A call of CIO that is cut off after `left` cycles. True if it came back before.
fn cut(os: &mut Os, iocb: u8, setup: (u8, u16, u16, u8), left: &mut u64) -> bool {
    let (command, buffer, length, mode) = setup;
    let base = iocb_at(iocb);
    os.poke(base + 2, &[command]);
    os.poke(base + 4, &buffer.to_le_bytes());
    os.poke(base + 8, &length.to_le_bytes());
    os.poke(base + 10, &[mode, 0]);
    let start = os.machine.now();
    let registers = Registers {
        x: iocb * 16,
        ..Registers::default()
    };
    let done = os.run_call(0xE456, registers, *left);
    *left = left.saturating_sub(os.machine.now() - start);
    done
}

/// Writes, appends, replaces, renames and deletes until the power fails.
fn work(os: &mut Os, random: &mut Random, mut left: u64) {
    os.poke(DATA, &[0xEE; 0x800]);
    let text = |os: &mut Os, text: &str| {
        os.poke(0x0600, text.as_bytes());
        os.poke(0x0600 + text.len() as u16, &[0x9B]);
    };
    for _ in 0..12 {
        let file = format!("D:W{}", random.below(4));
        let mode = [8, 9, 12][random.below(3)];
        text(os, &file);
        let alive = match random.below(5) {
            0 => cut(os, 1, (33, 0x0600, 0, 0), &mut left),
            1 => {
                text(os, &format!("{file},W{}", random.below(4)));
                cut(os, 1, (32, 0x0600, 0, 0), &mut left)
            }
            _ => {
                let length = 1 + random.below(0x3FF) as u16;
                cut(os, 1, (3, 0x0600, 0, mode), &mut left)
                    && cut(os, 1, (11, DATA, length, mode), &mut left)
                    && cut(os, 1, (12, 0, 0, 0), &mut left)
            }
        };
        if !alive {
            return;
        }
    }
}

fn check(disk: &Disk, kept: &[(Name, Vec<u8>)], when: u64) -> Report {
    let dos = Dos2::new(disk.clone()).unwrap();
    let report = dos.check();
    assert!(report.is_safe(), "cut at {when}: {report}");
    for (name, data) in kept {
        assert_eq!(&dos.read(*name).unwrap(), data, "cut at {when}");
    }
    report
}

#[test]
fn a_power_cut_at_any_cycle_cross_links_nothing() {
    let mut losses = 0;
    for (number, kind) in [Blank::Single, Blank::Enhanced, Blank::Double]
        .into_iter()
        .enumerate()
    {
        let mut dos = Dos2::new(session::dos_disk(kind)).unwrap();
        for i in 0..4u8 {
            dos.write(name(&format!("W{i}")), &[i; 700]).unwrap();
            dos.write(name(&format!("KEEP{i}")), &[i; 900]).unwrap();
        }
        let kept: Vec<_> = (0..4u8)
            .map(|i| (name(&format!("KEEP{i}")), vec![i; 900]))
            .collect();
        let config = tests::config(Model::Xl800, Tv::Ntsc, false);
        let ready = boot(&config, dos.into_disk());
        let mut random = Random(40 + number as u64);
        for _ in 0..8 {
            let mut os = ready.clone();
            let when = random.below(8_000_000) as u64;
            work(&mut os, &mut random, when);
            let disk = os.disk(0);
            let report = check(&disk, &kept, when);
            losses += usize::from(!report.is_clean());
            // The next machine that writes to the disk spoils nothing, either.
            let mut next = ready.clone();
            next.machine.insert_disk(0, disk);
            work(&mut next, &mut random, u64::MAX / 4);
            check(&next.disk(0), &kept, when);
        }
    }
    assert!(losses > 5, "the cuts came between the writes: {losses}");
}
