//! Files of our DOS through CIO, compared with a model of its file system.

use machine::{Model, Tv};
use media::atr::{Blank, Disk};
use media::dos2::{Dos2, Name};
use std::collections::BTreeMap;
use tests::calls::Os;
use tests::dos::{DENSITIES, boot, iocb_at};
use tests::random::Random;

/// Status of CIO.
const END: u8 = 136;

fn ready(model: Model, kind: Blank) -> Os {
    boot(
        &tests::config(model, Tv::Ntsc, false),
        session::dos_disk(kind),
    )
}

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

fn content(os: &Os, file: &str) -> Vec<u8> {
    Dos2::new(os.disk(0)).unwrap().read(name(file)).unwrap()
}

fn bytes(random: &mut Random, length: usize) -> Vec<u8> {
    (0..length).map(|_| random.byte()).collect()
}

/// Writes a file in parts of any size, some byte by byte.
fn put_parts(os: &mut Os, random: &mut Random, iocb: u8, data: &[u8]) {
    let mut rest = data;
    while !rest.is_empty() {
        let (part, after) = rest.split_at(rest.len().min(1 + random.below(700)));
        if random.below(4) == 0 {
            for &byte in &part[..part.len().min(20)] {
                assert_eq!(os.put(iocb, byte), 1);
            }
            rest = &rest[part.len().min(20)..];
        } else {
            assert_eq!(os.write(iocb, part), (1, part.len()));
            rest = after;
        }
    }
}

/// Reads all that is left, in parts of any size.
fn get_parts(os: &mut Os, random: &mut Random, iocb: u8) -> Vec<u8> {
    let mut all = Vec::new();
    loop {
        let length = 1 + random.below(900) as u16;
        let (status, part) = os.read(iocb, length);
        all.extend(&part);
        if status == END {
            return all;
        }
        assert!(status == 1 || status == 3, "{status}");
        assert_eq!(part.len(), usize::from(length));
    }
}

#[test]
fn memlo_is_not_above_that_of_dos_2_5_and_d_is_a_device() {
    for model in [Model::Xl800, Model::Atari800] {
        let os = ready(model, Blank::Single);
        assert!(os.word(0x02E7) <= 0x1CFC, "{:04X}", os.word(0x02E7));
        let devices: Vec<u8> = (0..11).map(|i| os.peek(0x031A + i * 3)).collect();
        assert!(devices.contains(&b'D'), "{devices:?}");
    }
}

#[test]
fn random_operations_leave_what_the_model_says() {
    for (number, kind) in DENSITIES.into_iter().enumerate() {
        let mut os = ready(Model::Xl800, kind);
        let mut random = Random(1 + number as u64);
        let mut files: BTreeMap<String, (Vec<u8>, bool)> = BTreeMap::new();
        for step in 0..60 {
            let file = format!("F{}.DAT", random.below(7));
            let path = format!("D:{file}");
            let old = files.get(&file).cloned();
            let locked = old.as_ref().is_some_and(|old| old.1);
            let refused = if locked { 167 } else { 170 };
            match random.below(8) {
                0 | 1 => {
                    let length = random.below(1200);
                    let data = bytes(&mut random, length);
                    let status = os.open(1, &path, [8, 0]);
                    if locked {
                        assert_eq!(status, 167, "{step}");
                    } else {
                        assert_eq!(status, 1, "{step}");
                        put_parts(&mut os, &mut random, 1, &data);
                        assert_eq!(os.close(1), 1);
                        files.insert(file, (data, false));
                    }
                }
                2 => {
                    let length = random.below(400);
                    let data = bytes(&mut random, length);
                    let status = os.open(1, &path, [9, 0]);
                    match files.get_mut(&file).filter(|file| !file.1) {
                        Some(file) => {
                            assert_eq!(status, 1, "{step}");
                            put_parts(&mut os, &mut random, 1, &data);
                            assert_eq!(os.close(1), 1);
                            file.0.extend(data);
                        }
                        None => assert_eq!(status, refused),
                    }
                }
                3 => {
                    let status = os.open(1, &path, [12, 0]);
                    match files.get_mut(&file).filter(|file| !file.1) {
                        Some(file) => {
                            assert_eq!(status, 1, "{step}");
                            let from = random.below(file.0.len() + 1);
                            if from > 0 {
                                let (_, read) = os.read(1, from as u16);
                                assert_eq!(read, file.0[..from]);
                            }
                            let room = file.0.len() - from;
                            let length = room.min(random.below(400));
                            let data = bytes(&mut random, length);
                            if length > 0 {
                                assert_eq!(os.write(1, &data), (1, length));
                                file.0[from..from + length].copy_from_slice(&data);
                            }
                            if length == room {
                                assert_eq!(os.put(1, 0), END, "a file keeps its length");
                            }
                            assert_eq!(os.close(1), 1);
                        }
                        None => assert_eq!(status, refused),
                    }
                }
                4 => {
                    let status = os.special(1, 33, &path);
                    if old.is_some() && !locked {
                        assert_eq!(status, 1);
                        files.remove(&file);
                    } else {
                        assert_eq!(status, refused, "{step}");
                    }
                }
                5 => {
                    let new = format!("F{}.DAT", random.below(7));
                    let status = os.special(1, 32, &format!("{path},{new}"));
                    if old.is_none() || locked {
                        assert_eq!(status, refused, "{step}");
                    } else if new != file && files.contains_key(&new) {
                        assert_eq!(status, 172, "{step}");
                    } else {
                        assert_eq!(status, 1, "{step}");
                        let moved = files.remove(&file).unwrap();
                        files.insert(new, moved);
                    }
                }
                6 => {
                    let on = random.below(2) == 0;
                    let status = os.special(1, if on { 35 } else { 36 }, &path);
                    match files.get_mut(&file) {
                        Some(file) => {
                            assert_eq!(status, 1);
                            file.1 = on;
                        }
                        None => assert_eq!(status, 170),
                    }
                }
                _ => match (old, os.open(1, &path, [4, 0])) {
                    (Some((data, _)), status) => {
                        assert_eq!(status, 1, "{step}");
                        assert_eq!(get_parts(&mut os, &mut random, 1), data, "{step}");
                        assert_eq!(os.close(1), 1);
                    }
                    (None, status) => assert_eq!(status, 170),
                },
            }
        }
        let dos = Dos2::new(os.disk(0)).unwrap();
        let report = dos.check();
        assert!(report.is_clean(), "{kind:?}: {report}");
        assert_eq!(dos.files().len(), files.len() + 2, "and the DOS");
        for (file, (data, locked)) in &files {
            assert_eq!(&dos.read(name(file)).unwrap(), data, "{kind:?} {file}");
            assert_eq!(dos.find(name(file)).unwrap().locked(), *locked);
        }
    }
}

#[test]
fn three_files_are_open_at_the_same_time_and_a_fourth_is_refused() {
    let mut os = ready(Model::Xl800, Blank::Single);
    let mut random = Random(5);
    let data: Vec<Vec<u8>> = (0..3).map(|_| bytes(&mut random, 1500)).collect();
    for iocb in 1..=3 {
        assert_eq!(os.open(iocb, &format!("D:F{iocb}"), [8, 0]), 1);
    }
    assert_eq!(os.open(4, "D:F4", [8, 0]), 161);
    for part in 0..5 {
        for iocb in 1..=3u8 {
            let part = &data[usize::from(iocb) - 1][part * 300..][..300];
            assert_eq!(os.write(iocb, part).0, 1);
        }
    }
    assert_eq!(os.special(4, 33, "D:F1"), 170, "it is not there yet");
    for iocb in 1..=3 {
        assert_eq!(os.close(iocb), 1);
    }
    for (i, data) in data.iter().enumerate() {
        assert_eq!(&content(&os, &format!("F{}", i + 1)), data);
    }
    // A file that is open is neither deleted nor written.
    assert_eq!(os.open(1, "D:F1", [4, 0]), 1);
    assert_eq!(os.special(4, 33, "D:F1"), 167);
    assert_eq!(os.open(2, "D:F1", [8, 0]), 167);
    assert!(Dos2::new(os.disk(0)).unwrap().check().is_clean());
}

#[test]
fn note_and_point_lead_to_any_byte() {
    for kind in DENSITIES {
        let mut os = ready(Model::Xl800, kind);
        let mut random = Random(7);
        let data = bytes(&mut random, 1200);
        os.open(1, "D:R", [8, 0]);
        os.write(1, &data);
        os.close(1);
        os.open(1, "D:R", [12, 0]);
        let mut places = Vec::new();
        for (at, &byte) in data.iter().enumerate() {
            assert_eq!(os.cio(1, 38, 0, 0, [12, 0]).0, 1);
            let base = iocb_at(1);
            places.push([12, 13, 14].map(|i| os.peek(base + i)));
            let status = if at == 1199 { 3 } else { 1 };
            assert_eq!(os.get(1), (status, byte));
        }
        let mut expected = data.clone();
        for _ in 0..40 {
            let at = random.below(data.len());
            os.poke(iocb_at(1) + 12, &places[at]);
            assert_eq!(os.cio(1, 37, 0, 0, [12, 0]).0, 1);
            if random.below(2) == 0 {
                let byte = random.byte();
                assert_eq!(os.put(1, byte), 1);
                expected[at] = byte;
            } else {
                assert_eq!(os.get(1).1, expected[at]);
            }
        }
        // A sector of another file, a byte after the sector's last one, a file that is written.
        os.poke(iocb_at(1) + 12, &[4, 0, 0]);
        assert_eq!(os.cio(1, 37, 0, 0, [12, 0]).0, 164);
        let [low, high, _] = places[0];
        os.poke(iocb_at(1) + 12, &[low, high, 254]);
        assert_eq!(os.cio(1, 37, 0, 0, [12, 0]).0, 166);
        assert_eq!(os.close(1), 1);
        assert_eq!(content(&os, "R"), expected);
        os.open(1, "D:R", [9, 0]);
        assert_eq!(os.cio(1, 37, 0, 0, [9, 0]).0, 171);
    }
}

/// The lines of a listing, and its last status.
fn listing(os: &mut Os, pattern: &str, mode: u8) -> (Vec<String>, u8) {
    let mut lines = Vec::new();
    let status = os.open(1, pattern, [mode, 0]);
    assert_eq!(status, 1);
    loop {
        let (status, _) = os.cio(1, 5, 0x4000, 40, [mode, 0]);
        if status >= 0x80 {
            os.close(1);
            return (lines, status);
        }
        let length = os.word(iocb_at(1) + 8) - 1;
        let line = (0..length).map(|i| char::from(os.peek(0x4000 + i)));
        lines.push(line.collect());
    }
}

#[test]
fn a_listing_has_the_form_of_dos_2() {
    let mut os = ready(Model::Xl800, Blank::Single);
    os.open(1, "D:HELLO.BAS", [8, 0]);
    os.write(1, &[0; 300]);
    os.close(1);
    os.special(1, 35, "D:DOS.SYS");
    let (lines, status) = listing(&mut os, "D:*.*", 6);
    let free = Dos2::new(os.disk(0)).unwrap().free();
    assert_eq!(status, END);
    assert_eq!(lines.len(), 4);
    assert!(lines[0].starts_with("* DOS     SYS 0"), "{lines:?}");
    assert_eq!(lines[2], "  HELLO   BAS 003");
    assert_eq!(lines[3], format!("{free:03} FREE SECTORS"));
    assert_eq!(listing(&mut os, "D:H?L*.B*", 6).0.len(), 2);
    assert_eq!(listing(&mut os, "D:NONE", 6).0.len(), 1);
    // More than fits in three digits, and files that DOS 2.0 cannot reach.
    let mut dos = Dos2::format(Blank::Enhanced);
    dos.write(name("LOW"), &vec![0; 87_500]).unwrap();
    dos.write(name("HIGH"), &[0; 2_000]).unwrap();
    os.machine.insert_disk(1, dos.into_disk());
    os.machine
        .insert_disk(2, Dos2::format(Blank::Enhanced).into_disk());
    for (mode, high) in [(6, "  HIGH        016"), (7, " <HIGH       >016")] {
        let (lines, _) = listing(&mut os, "D2:*.*", mode);
        assert_eq!(lines[..2], ["  LOW         700", high]);
    }
    assert_eq!(listing(&mut os, "D3:*.*", 6).0, ["999+FREE SECTORS"]);
}

#[test]
fn a_full_disk_and_a_full_directory_are_errors_and_lose_nothing() {
    for kind in DENSITIES {
        let mut dos = Dos2::new(session::dos_disk(kind)).unwrap();
        let capacity = if kind == Blank::Double { 253 } else { 125 };
        for i in 0..60 {
            dos.write(name(&format!("N{i}")), b"").unwrap();
        }
        let rest = dos.free() - 9;
        dos.write(name("REST"), &vec![0; rest * capacity]).unwrap();
        let mut os = boot(
            &tests::config(Model::Xl800, Tv::Ntsc, false),
            dos.into_disk(),
        );
        assert_eq!(os.open(1, "D:BIG", [8, 0]), 1);
        let (status, written) = os.write(1, &[0xA5; 0xA00]);
        assert_eq!((status, written), (162, 9 * capacity), "{kind:?}");
        assert_eq!(os.close(1), 1);
        assert_eq!(content(&os, "BIG"), vec![0xA5; written]);
        // The last free entry of the directory, but no sector for it.
        assert_eq!(os.open(1, "D:MORE", [8, 0]), 169);
        os.close(1);
        assert_eq!(os.special(1, 33, "D:N0"), 1);
        assert_eq!(os.special(1, 33, "D:BIG"), 1);
        for file in ["D:A", "D:B"] {
            assert_eq!(os.open(1, file, [8, 0]), 1);
            assert_eq!(os.close(1), 1);
        }
        assert_eq!(os.open(1, "D:C", [8, 0]), 169);
        let dos = Dos2::new(os.disk(0)).unwrap();
        assert!(dos.check().is_clean());
        assert_eq!((dos.free(), dos.files().len()), (8, 64));
    }
}

#[test]
fn bad_requests_are_the_errors_of_dos_2() {
    let mut os = ready(Model::Xl800, Blank::Single);
    os.machine.insert_disk(1, Disk::blank(Blank::Single));
    for (name, mode, status) in [
        ("D:NONE", 4, 170),
        ("D:", 4, 165),
        ("D:A*", 8, 165),
        ("D9:X", 4, 160),
        ("D:X", 0, 168),
        ("D2:X", 8, 163),
    ] {
        assert_eq!(os.open(1, name, [mode, 0]), status, "{name} {mode}");
        os.close(1);
    }
    assert_eq!(os.special(1, 34, "D:X"), 168);
    assert_eq!(os.special(1, 33, "D:NONE*"), 170);
    assert_eq!(os.special(1, 13, "D:DOS.SYS"), 1);
    let mut disk = os.disk(0);
    disk.set_write_protected(true);
    os.machine.insert_disk(0, disk);
    assert_eq!(os.open(1, "D:X", [8, 0]), 144);
    os.close(1);
    assert_eq!(os.special(1, 33, "D:COMMAND.SYS"), 144);
    assert_eq!(os.file(1, "D:COMMAND.SYS").unwrap(), roms::DOS_COMMANDS);
}

#[test]
fn formats_are_those_of_the_model() {
    for (command, aux2, kind) in [
        (253, 0, Blank::Single),
        (254, 0, Blank::Enhanced),
        (254, 0, Blank::Double),
    ] {
        let mut os = ready(Model::Xl800, Blank::Single);
        // The drive formats what the disk in it has.
        let old = if command == 253 { Blank::Single } else { kind };
        os.machine.insert_disk(1, Disk::blank(old));
        os.poke(0x0600, b"D2:\x9B");
        assert_eq!(os.cio(1, command, 0x0600, 0, [0, aux2]).0, 1);
        let formatted = os.disk(1);
        let model = Dos2::format(kind).into_disk();
        for sector in (4..=720).chain(1024..=1024) {
            assert_eq!(
                formatted.sector(sector),
                model.sector(sector),
                "{kind:?} {sector}"
            );
        }
        assert_eq!(formatted.sector(1).unwrap()[14], 0, "no DOS.SYS");
    }
}
