//! Disks in ATX images: what the parser finds, and what programs see of it over the serial bus.
use machine::{Model, Tv};
use media::atr::{AtrError, Disk};
use media::atx::{AtxError, Surface, status};
use media::{Kind, recognise};
use tests::calls::{Os, Registers};

const HEADER: usize = 48;
const RECORD: usize = 32;
const CHUNK: usize = 8;
const ENTRY: usize = 8;
const SECTOR: usize = 128;

/// A sector of a track that [`image_of`] puts together: number, status, position, and the byte that fills it; from where on it is weak.
type Part = (u8, u8, u16, u8, Option<u16>);

/// The image of some tracks of single density.
fn image_of(tracks: &[(u8, &[Part])]) -> Vec<u8> {
    let mut file = vec![0; HEADER];
    file[..4].copy_from_slice(b"AT8X");
    file[4] = 1;
    file[28] = HEADER as u8;
    for &(number, parts) in tracks {
        let list = CHUNK + ENTRY * parts.len();
        let data = RECORD + list + CHUNK;
        let weak = parts.iter().filter(|part| part.4.is_some()).count();
        let length = data + SECTOR * parts.len() + CHUNK * (weak + 1);
        let mut record = vec![0; RECORD];
        record[..4].copy_from_slice(&(length as u32).to_le_bytes());
        record[8] = number;
        record[10] = parts.len() as u8;
        record[20] = RECORD as u8;
        record.extend_from_slice(&(list as u32).to_le_bytes());
        record.extend([1, 0, 0, 0]);
        for (i, &(number, status, position, _, _)) in parts.iter().enumerate() {
            record.extend([number, status]);
            record.extend(position.to_le_bytes());
            record.extend(((data + SECTOR * i) as u32).to_le_bytes());
        }
        record.extend_from_slice(&((CHUNK + SECTOR * parts.len()) as u32).to_le_bytes());
        record.extend([0; 4]);
        for part in parts {
            record.extend([part.3; SECTOR]);
        }
        for (i, part) in parts.iter().enumerate() {
            if let Some(from) = part.4 {
                record.extend([CHUNK as u8, 0, 0, 0, 0x10, i as u8]);
                record.extend(from.to_le_bytes());
            }
        }
        record.extend([0; CHUNK]);
        file.extend(record);
    }
    let length = file.len() as u32;
    file[32..36].copy_from_slice(&length.to_le_bytes());
    file
}

/// Track 0 with two sectors 1, a sector 2 that is not found, and one with a wrong checksum and weak bytes; track 5 with its sector 18.
fn image() -> Vec<u8> {
    let first: &[Part] = &[
        (1, status::CRC, 100, 0x11, None),
        (2, status::NOT_FOUND, 2000, 0x22, None),
        (1, 0, 13_000, 0x33, None),
        (3, status::CRC, 20_000, 0x44, Some(100)),
    ];
    image_of(&[(0, first), (5, &[(18, 0, 500, 0x55, None)])])
}

#[test]
fn sectors_are_found_by_number_with_place_and_status() {
    let surface = Surface::parse(&image()).unwrap();
    assert_eq!((surface.per_track(), surface.sectors()), (18, 720));
    let ones: Vec<_> = surface.copies(1).map(|s| (s.position, s.status)).collect();
    assert_eq!(ones, [(100, status::CRC), (13_000, 0)]);
    let two = surface.copies(2).next().unwrap();
    assert_eq!((two.status, surface.bytes(two)), (status::NOT_FOUND, None));
    let three = surface.copies(3).next().unwrap();
    assert_eq!(three.weak_from, Some(100));
    assert_eq!(surface.bytes(three), Some(&[0x44; 128]));
    assert_eq!(surface.copies(5 * 18 + 18).count(), 1);
    assert_eq!(surface.copies(4).count(), 0);
    assert_eq!(surface.copies(0).count(), 0);
}

#[test]
fn the_disk_is_the_file_and_has_the_good_sectors() {
    let file = image();
    assert_eq!(recognise("GAME.ATX", &file), Kind::Disk);
    let mut disk = Disk::parse(&Disk::image("GAME.ATX", &file)).unwrap();
    assert_eq!(disk.to_bytes(), file);
    assert_eq!(disk.identity(), media::Identity::of(&file));
    assert_eq!((disk.sectors(), disk.sector_size()), (720, 128));
    assert_eq!(disk.sector(1), Some(&[0x33; 128][..]));
    assert_eq!(disk.sector(2), Some(&[0; 128][..]));
    assert_eq!(disk.sector(108), Some(&[0x55; 128][..]));
    assert!(disk.write_protected() && disk.flaw().is_none());
    disk.set_write_protected(false);
    assert!(!disk.write_sector(1, &[1]) && !disk.format(720, 128));
    assert!(!disk.changed());
    assert_eq!(disk, Disk::parse(&file).unwrap());
}

#[test]
fn broken_files_are_refused_or_read_and_none_panics() {
    let file = image();
    for length in 0..file.len() {
        let cut = Surface::parse(&file[..length]);
        assert!(
            cut.is_err()
                || length
                    == HEADER + usize::from(u16::from_le_bytes([file[HEADER], file[HEADER + 1]]))
        );
    }
    assert_eq!(
        Disk::parse(&file[..100]).unwrap_err(),
        AtrError::Atx(AtxError::Truncated(0))
    );
    let mut long = file.clone();
    long.resize((4 << 20) + 1, 0);
    assert_eq!(Surface::parse(&long), Err(AtxError::TooLong(long.len())));
    let mut double = file.clone();
    double[18] = 2;
    assert_eq!(Surface::parse(&double), Err(AtxError::Density(2)));
    assert_eq!(Surface::parse(&file[..HEADER]), Err(AtxError::Empty));
    let mut seed = 7u32;
    for _ in 0..20_000 {
        let mut broken = file.clone();
        for _ in 0..4 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (seed >> 8) as usize % broken.len();
            broken[at] = (seed >> 3) as u8;
        }
        if let Ok(surface) = Surface::parse(&broken) {
            assert_eq!(surface.plain().len(), surface.sectors() * SECTOR);
        }
    }
}

/// A machine with the image in its first drive, and mechanical times.
fn machine(image: &[u8]) -> Os {
    let mut os = Os::new(&tests::config(Model::Xl800, Tv::Ntsc, false));
    os.machine.insert_disk(0, Disk::parse(image).unwrap());
    os
}

/// Reads a sector through SIOV; its first byte, its last two, and the status.
fn read(os: &mut Os, sector: u16) -> (u8, [u8; 2], u8) {
    os.poke(0x0300, &[0x31, 1, b'R', 0x40]);
    os.poke(0x0304, &0x0500u16.to_le_bytes());
    os.poke(0x0306, &[7, 0]);
    os.poke(0x0308, &128u16.to_le_bytes());
    os.poke(0x030A, &sector.to_le_bytes());
    let after = os.call(0xE459, Registers::default());
    let last = [os.peek(0x057E), os.peek(0x057F)];
    (os.peek(0x0500), last, after.y)
}

/// The second byte of the drive's status: the controller's, inverted.
fn controller(os: &mut Os) -> u8 {
    os.poke(0x0300, &[0x31, 1, b'S', 0x40]);
    os.poke(0x0304, &0x0500u16.to_le_bytes());
    os.poke(0x0306, &[7, 0]);
    os.poke(0x0308, &4u16.to_le_bytes());
    assert_eq!(os.call(0xE459, Registers::default()).y, 1);
    os.peek(0x0501)
}

#[test]
fn of_two_sectors_with_one_number_the_next_is_read() {
    let mut os = machine(&image_of(&[(
        0,
        &[(1, 0, 0, 0x11, None), (1, 0, 13_000, 0x33, None)],
    )]));
    let mut found = Vec::new();
    for i in 0..12 {
        os.machine.run_cycles(31_000 * i);
        let (byte, _, status) = read(&mut os, 1);
        assert_eq!(status, 1);
        found.push(byte);
    }
    assert!(found.iter().all(|byte| [0x11, 0x33].contains(byte)));
    let first: u32 = found.iter().map(|&byte| u32::from(byte == 0x11)).sum();
    assert!((3..=9).contains(&first), "{found:x?}");
}

#[test]
fn errors_of_sectors_are_errors_of_the_drive() {
    let mut os = machine(&image());
    // The OS tries again; then it says 144, and what came is there.
    let (first, last, status) = read(&mut os, 3);
    assert_eq!((first, status), (0x44, 144));
    assert_eq!(controller(&mut os), !status::CRC);
    let (_, again, _) = read(&mut os, 3);
    assert_ne!(last, again, "weak bytes differ");
    for missing in [2, 4, 720] {
        let before = os.machine.now();
        assert_eq!(read(&mut os, missing).2, 144);
        assert_eq!(controller(&mut os), !status::NOT_FOUND);
        // Two tries of four turns, a fifth of a second each.
        let turns = (os.machine.now() - before) as f64 / 1_789_773.0 / 0.208_333;
        assert!((8.0..11.0).contains(&turns), "{turns}");
    }
    assert_eq!(read(&mut os, 108), (0x55, [0x55; 2], 1));
    assert_eq!(controller(&mut os), 0xFF);
}

#[test]
fn a_saved_state_has_the_tracks_and_writing_is_refused() {
    let mut os = machine(&image());
    let state = os.machine.save_state();
    os.machine.eject_disk(0);
    os.machine.load_state(&state).unwrap();
    assert_eq!(os.machine.disk(0).map(Disk::to_bytes), Some(image()));
    assert_eq!(read(&mut os, 3).2, 144);
    os.poke(0x0300, &[0x31, 1, b'P', 0x80]);
    os.poke(0x0308, &128u16.to_le_bytes());
    os.poke(0x030A, &1u16.to_le_bytes());
    assert_eq!(os.call(0xE459, Registers::default()).y, 144);
}
