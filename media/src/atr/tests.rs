use super::*;

#[test]
fn blank_disks_have_the_sizes_of_real_ones() {
    for (kind, sectors, file) in [
        (Blank::Single, 720, 92_160),
        (Blank::Enhanced, 1040, 133_120),
        (Blank::Double, 720, 183_936),
    ] {
        let disk = Disk::blank(kind);
        assert_eq!(disk.sectors(), sectors);
        let bytes = disk.to_bytes();
        assert_eq!(bytes.len(), file + 16);
        assert_eq!(Disk::parse(&bytes), Ok(disk));
    }
}

#[test]
fn the_first_three_sectors_hold_128_bytes() {
    let mut disk = Disk::blank(Blank::Double);
    assert!(disk.write_sector(3, &[3; 256]));
    assert!(disk.write_sector(4, &[4; 256]));
    assert_eq!(disk.sector(3), Some(&[3; 128][..]));
    assert_eq!(disk.sector(4), Some(&[4; 256][..]));
    assert_eq!(disk.sector(0), None);
    assert_eq!(disk.sector(721), None);
    assert!(disk.changed());
}

/// A double-density image of 5 sectors with padded boot sectors, header bytes 7 to 14 and a trailer.
fn odd_image(padding: u8) -> Vec<u8> {
    let mut file = alloc::vec![0x96, 0x02, 80, 0, 0, 1, 0];
    file.extend(8..=15);
    file.push(0);
    for sector in 1..=3 {
        file.extend([sector; 128]);
        file.extend([padding; 128]);
    }
    file.extend([4; 256]);
    file.extend([5; 256]);
    file.extend(b"whatever a tool put here");
    file
}

#[test]
fn nothing_of_the_file_is_lost_but_the_sectors_written() {
    let file = odd_image(0xEE);
    let mut disk = Disk::parse(&file).unwrap();
    assert_eq!((disk.sectors(), disk.sector_size()), (5, 256));
    assert_eq!(disk.to_bytes(), file);
    assert!(disk.write_sector(2, &[0xA2; 128]) && disk.write_sector(5, &[0xA5; 256]));
    let mut wanted = file;
    wanted[16 + 256..16 + 384].fill(0xA2);
    wanted[16 + 1024..16 + 1280].fill(0xA5);
    assert_eq!(disk.to_bytes(), wanted);
    assert!(disk.changed() && disk.identity() == Identity::of(&wanted));
}

#[test]
fn a_format_keeps_what_does_not_belong_to_the_sectors() {
    let file = odd_image(0);
    let mut disk = Disk::parse(&file).unwrap();
    assert!(disk.format(5, 256), "the geometry that it has");
    assert_eq!(disk.to_bytes()[16 + 1280..], file[16 + 1280..]);
    assert!(disk.to_bytes()[16..16 + 1280].iter().all(|&b| b == 0));
    assert!(disk.format(720, 128));
    let formatted = disk.to_bytes();
    assert_eq!(formatted[7..15], file[7..15]);
    assert_eq!(formatted[16 + 92_160..], file[16 + 1280..]);
    assert_eq!(Disk::parse(&formatted).unwrap().sectors(), 720);
    disk.set_write_protected(true);
    assert!(!disk.format(720, 128));
}

#[test]
fn boot_sectors_that_would_be_read_in_another_way_lose_their_padding() {
    // Padding only in sector 1: with sectors 2 and 3 zeroed this looks like 384 bytes and 384 unused ones.
    let mut file = odd_image(0);
    file[16 + 128..16 + 256].fill(7);
    let mut disk = Disk::parse(&file).unwrap();
    for sector in 2..=3 {
        assert!(disk.write_sector(sector, &[]));
    }
    let again = Disk::parse(&disk.to_bytes()).unwrap();
    assert_eq!(again.sectors(), 5);
    for sector in 1..=5 {
        assert_eq!(again.sector(sector), disk.sector(sector), "{sector}");
    }
    assert!(disk.to_bytes().ends_with(b"whatever a tool put here"));
    assert_eq!(disk.identity(), Identity::of(&disk.to_bytes()));
}

#[test]
fn protection_by_the_host_is_no_part_of_the_file() {
    let mut disk = Disk::blank(Blank::Single);
    let file = disk.to_bytes();
    disk.set_write_protected(true);
    assert!(disk.write_protected() && !disk.write_sector(4, &[1]));
    assert_eq!(disk.to_bytes(), file);
    let mut flagged = file;
    flagged[15] = 1;
    let mut disk = Disk::parse(&flagged).unwrap();
    disk.set_write_protected(false);
    assert!(disk.write_protected(), "the image's own flag stays");
}

#[test]
fn a_copy_of_the_largest_disk_shares_all_pages_but_those_written() {
    let mut disk = Disk::with_geometry(65_535, 256);
    for number in 4..=65_535 {
        assert!(disk.write_sector(number, &(number as u32).to_le_bytes()));
    }
    let mut copy = disk.clone();
    assert_eq!(copy.shared_pages(&disk), 4_096);
    assert!(copy.write_sector(40_000, b"one page"));
    assert_eq!(copy.shared_pages(&disk), 4_095);
    assert_eq!(disk.sector(40_000).unwrap()[..2], 40_000u16.to_le_bytes());
}

#[test]
fn sectors_of_512_bytes_are_all_alike() {
    let mut disk = Disk::with_geometry(100, 512);
    assert_eq!((disk.sectors(), disk.sector_size()), (100, 512));
    for number in 1..=100 {
        assert_eq!(disk.size_of(number), 512);
        assert!(disk.write_sector(number, &[number as u8; 512]));
    }
    let bytes = disk.to_bytes();
    assert_eq!(bytes.len(), 16 + 100 * 512);
    let again = Disk::parse(&bytes).unwrap();
    assert_eq!(again.sector(1), Some(&[1; 512][..]));
    assert_eq!(again.sector(100), Some(&[100; 512][..]));
    assert_eq!(again.identity(), Identity::of(&bytes));
    assert!(disk.format(50, 512) && disk.sectors() == 50);
}

#[test]
fn a_disk_without_a_header_is_known_by_its_length() {
    for (length, sectors, size) in [
        (92_160, 720, 128),
        (133_120, 1040, 128),
        (183_936, 720, 256),
        (184_320, 720, 256),
        (368_256, 1440, 256),
        (368_640, 1440, 256),
    ] {
        let raw: Vec<u8> = (0..length).map(|i| (i / 128) as u8).collect();
        let mut disk = Disk::parse(&Disk::atr_of_raw(&raw).unwrap()).unwrap();
        assert_eq!((disk.sectors(), disk.sector_size()), (sectors, size));
        assert!(disk.to_bytes()[16..] == raw);
        assert!(disk.write_sector(700, &[0xAA; 256]));
        assert_eq!(disk.to_bytes().len(), 16 + length);
    }
    assert_eq!(Disk::atr_of_raw(&[0; 1000]), None);
}

#[test]
fn an_image_beyond_every_drive_is_refused() {
    let mut file = Disk::blank(Blank::Single).to_bytes();
    file.resize(LONGEST + 1, 0);
    assert_eq!(Disk::parse(&file), Err(AtrError::TooLong(LONGEST + 1)));
}

/// A header, and that many bytes that are not zero.
fn image(says: usize, size: u16, length: usize) -> Vec<u8> {
    let mut file = Disk::with_geometry(1, 128).to_bytes();
    file.truncate(HEADER);
    file[2..4].copy_from_slice(&((says / 16) as u16).to_le_bytes());
    file[4..6].copy_from_slice(&size.to_le_bytes());
    file[6] = (says >> 20) as u8;
    file.extend((0..length).map(|i| (i / 128) as u8 | 0x80));
    file
}

#[test]
fn mkatr_the_length_counts_where_the_header_says_something_else() {
    // What the header says, its sector size, the length; sectors, their size, and where sector 4 lies.
    for (says, size, length, sectors, real, fourth) in [
        (92_160, 128, 133_120, 1040, 128, 384),
        (92_160, 128, 92_160 + 300, 722, 128, 384),
        (92_160, 128, 92_160 + 100, 720, 128, 384),
        (133_120, 128, 92_160, 1040, 128, 384),
        (0, 128, 92_160, 720, 128, 384),
        (0, 256, 184_320, 720, 256, 768),
        (0, 256, 183_936, 720, 256, 384),
        (184_320, 256, 183_936, 720, 256, 384),
        (183_936, 256, 184_320, 720, 256, 768),
        (183_936, 256, 100_096, 720, 256, 384),
        (184_320, 256, 100_000, 720, 256, 768),
        (92_160, 0, 92_160, 720, 128, 384),
        (183_936, 3, 183_936, 720, 256, 384),
        (992, 128, 1000, 8, 128, 384),
        (0, 128, 1000, 8, 128, 384),
        (92_160, 128, 0, 720, 128, 384),
    ] {
        let case = format!("{says} {size} {length}");
        let file = image(says, size, length);
        let disk = Disk::parse(&file).unwrap();
        assert_eq!(
            (disk.sectors(), disk.sector_size()),
            (sectors, real),
            "{case}"
        );
        let wanted = file.get(HEADER + fourth).copied().unwrap_or(0);
        assert_eq!(disk.sector(4).unwrap()[0], wanted, "{case}");
        assert!(disk.sector(sectors).is_some() && disk.sector(sectors + 1).is_none());
        assert!(disk.to_bytes() == file, "{case}");
        let tail = length == 92_160 + 100;
        assert_eq!(disk.flaw().is_none(), tail, "{case}: {:?}", disk.flaw());
    }
    assert_eq!(Disk::blank(Blank::Double).flaw(), None);
    assert_eq!(Disk::parse(&odd_image(1)).unwrap().flaw(), None);
}

#[test]
fn missing_sectors_are_zero_and_come_into_the_file_with_the_first_that_is_written() {
    for length in [0, 1, 127, 128, 383, 384, 5000, 92_159] {
        let file = image(92_160, 128, length);
        let mut disk = Disk::parse(&file).unwrap();
        let held = length / 128;
        let mut partial = file[HEADER + held * 128..].to_vec();
        partial.resize(128, 0);
        assert_eq!(disk.sector(held + 1), Some(&partial[..]), "{length}");
        // Zeros are there already, and a sector that is there makes nothing longer.
        assert!(held >= 719 || disk.write_sector(720, &[]));
        assert!(held == 0 || disk.write_sector(1, &[1; 128]));
        assert_eq!(disk.to_bytes().len(), file.len());
        assert!(disk.write_sector(720, &[7; 128]));
        let whole = disk.to_bytes();
        assert_eq!(whole.len(), HEADER + 92_160);
        assert_eq!(disk.identity(), Identity::of(&whole));
        assert_eq!(disk.flaw(), None);
        let again = Disk::parse(&whole).unwrap();
        for sector in 1..=720 {
            assert_eq!(
                again.sector(sector),
                disk.sector(sector),
                "{length} {sector}"
            );
        }
        assert_eq!(again.sector(720), Some(&[7; 128][..]));
    }
}

#[test]
fn a_small_file_that_promises_much_takes_little_memory() {
    let mut disk = Disk::parse(&image(0xFFFF_0000, 256, 1000)).unwrap();
    assert_eq!(disk.sectors(), 65_535);
    assert!(disk.memory_beside(None) < 10_000);
    assert!(disk.write_sector(65_535, &[1; 256]));
    assert!(disk.memory_beside(None) < 100_000);
    assert_eq!(disk.identity(), Identity::of(&disk.to_bytes()));
}

#[test]
fn of_a_cut_image_only_the_header_is_needed() {
    let bytes = Disk::with_geometry(4, 128).to_bytes();
    for length in 0..bytes.len() {
        let disk = Disk::parse(&bytes[..length]);
        assert_eq!(disk.is_ok(), length >= HEADER, "length {length}");
        if let Ok(disk) = disk {
            assert_eq!(disk.sectors(), 4);
            assert!(disk.flaw().unwrap().contains("are zero"));
        }
    }
}
