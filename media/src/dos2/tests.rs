use super::*;
use proptest::prelude::*;

const ALL: [Blank; 3] = [Blank::Single, Blank::Enhanced, Blank::Double];

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

#[test]
fn formatted_disks_have_the_free_sectors_of_the_published_formats() {
    for (kind, free) in ALL.into_iter().zip([707, 1010, 707]) {
        let dos = Dos2::format(kind);
        assert_eq!((dos.free(), dos.counted()), (free, free));
        assert!(dos.check().is_clean());
        let vtoc = dos.sector(360);
        // Sectors 0 to 3 and 360 to 368 are taken.
        assert_eq!((vtoc[0], vtoc[10], vtoc[55], vtoc[56]), (2, 0x0F, 0, 0x7F));
        assert_eq!(vtoc[1..3], (free as u16).to_le_bytes());
    }
    let dos = Dos2::format(Blank::Enhanced);
    let second = dos.sector(1024);
    assert_eq!(
        (second[84], second[85], second[121]),
        (0x7F, 0xFF, 0xFF),
        "720 is not used"
    );
    assert_eq!(second[..84], dos.sector(360)[16..100]);
    assert_eq!(second[122..124], 303u16.to_le_bytes());
}

#[test]
fn a_file_has_the_links_counts_and_flags_of_dos_2() {
    let mut dos = Dos2::format(Blank::Single);
    dos.write(name("a"), &[1; 125]).unwrap();
    dos.write(name("hello.bas"), &[2; 126]).unwrap();
    assert_eq!(dos.sector(361)[..16], *b"\x42\x01\0\x04\0A          ");
    assert_eq!(dos.sector(361)[16..32], *b"\x42\x02\0\x05\0HELLO   BAS");
    assert_eq!(dos.sector(4)[125..], [0, 0, 125]);
    assert_eq!(dos.sector(5)[125..], [4, 6, 125]);
    assert_eq!(dos.sector(6)[125..], [4, 0, 1]);
    dos.lock(name("A"), true).unwrap();
    assert_eq!(dos.sector(361)[0], 0x62);
    dos.delete(name("HELLO.BAS")).unwrap();
    assert_eq!(dos.sector(361)[16], 0x80);
    assert_eq!(dos.free(), 706);
    let mut dos = Dos2::format(Blank::Double);
    dos.write(name("A"), &[1; 254]).unwrap();
    assert_eq!(dos.sector(4)[253..], [0, 5, 253]);
}

#[test]
fn a_file_that_needs_the_upper_sectors_is_hidden_from_dos_2_0() {
    let mut dos = Dos2::format(Blank::Enhanced);
    dos.write(name("BIG"), &vec![7; 708 * 125]).unwrap();
    let entry = dos.find(name("BIG")).unwrap();
    assert!(entry.extended() && dos.raw_entry(0)[0] == 0x03);
    assert_eq!(dos.read(name("BIG")).unwrap().len(), 708 * 125);
    dos.lock(name("BIG"), true).unwrap();
    assert_eq!(dos.raw_entry(0)[0], 0x23);
    assert_eq!(dos.delete(name("BIG")), Err(Dos2Error::Locked(name("BIG"))));
    assert_eq!(dos.free(), 1010 - 708);
    assert!(dos.check().is_clean());
}

#[test]
fn what_does_not_fit_changes_nothing() {
    for kind in ALL {
        let mut dos = Dos2::format(kind);
        dos.write(name("KEEP"), &[1; 1000]).unwrap();
        let before = dos.disk().clone();
        assert!(matches!(
            dos.write(name("KEEP"), &vec![0; 300_000]),
            Err(Dos2Error::Full { .. })
        ));
        assert_eq!(dos.disk(), &before);
        for i in 0..63 {
            dos.write(name(&alloc::format!("F{i}")), &[]).unwrap();
        }
        assert_eq!(
            dos.write(name("ONE.MOR"), &[]),
            Err(Dos2Error::DirectoryFull)
        );
        assert_eq!(dos.files().len(), 64);
        let mut disk = dos.into_disk();
        disk.set_write_protected(true);
        let mut dos = Dos2::new(disk).unwrap();
        for refused in [
            dos.write(name("KEEP"), &[]).map(drop),
            dos.delete(name("KEEP")),
            dos.rename(name("KEEP"), name("X")),
        ] {
            assert_eq!(refused, Err(Dos2Error::WriteProtected));
        }
    }
}

#[test]
fn names_are_those_of_the_directory() {
    assert_eq!(name("d1:hello.b").as_bytes(), b"HELLO   B  ");
    assert_eq!(name("A_1@").to_string(), "A_1@");
    for bad in [
        "",
        ".BAS",
        "NINECHARS",
        "A.LONG",
        "A B",
        "a/b",
        "D2:X",
        "É",
        "A*",
    ] {
        assert!(Name::parse(bad).is_err(), "{bad}");
    }
    let fits = |pattern: &str, text: &str| Pattern::parse(pattern).unwrap().matches(name(text));
    assert!(fits("*.*", "A") && fits("*.BAS", "HELLO.BAS") && fits("H?LLO*", "HELLO"));
    assert!(!fits("*", "HELLO.BAS") && !fits("?", "AB"));
}

#[test]
fn disks_of_another_form_are_refused() {
    for disk in [
        Disk::blank(Blank::Single),
        Disk::with_geometry(719, 128),
        Disk::with_geometry(720, 512),
    ] {
        assert!(matches!(Dos2::new(disk), Err(Dos2Error::NotDos2(_))));
    }
}

#[test]
fn files_without_their_number_in_the_links_are_read() {
    let mut dos = Dos2::format(Blank::Double);
    for (file, byte) in [("A", 1), ("B", 2), ("C", 3)] {
        dos.write(name(file), &[byte; 700]).unwrap();
    }
    let numbered = dos.clone();
    for number in 7..=12 {
        let mut sector = dos.sector(number).to_vec();
        sector[253] &= 3;
        dos.disk.write_sector(number, &sector);
    }
    assert!(dos.check().is_clean(), "{}", dos.check());
    assert_eq!(dos.read(name("B")), Ok(vec![2; 700]));
    dos.delete(name("B")).unwrap();
    dos.write(name("D"), &[4; 800]).unwrap();
    assert_eq!(dos.read(name("C")), Ok(vec![3; 700]));
    assert!(dos.check().is_clean(), "{}", dos.check());
    // A file that begins within the first one is damaged all the same.
    let mut dos = numbered;
    let entry = dos.find(name("B")).unwrap();
    dos.set_entry(Entry { start: 5, ..entry }).unwrap();
    assert!(dos.read(name("B")).is_err() && !dos.check().is_safe());
}

#[test]
fn damage_is_found() {
    let mut dos = Dos2::format(Blank::Single);
    dos.write(name("A"), &[1; 300]).unwrap();
    dos.write(name("B"), &[2; 300]).unwrap();
    let sound = dos.clone();
    // A's second sector leads into B.
    let mut sector = dos.sector(5).to_vec();
    sector[126] = 8;
    dos.disk.write_sector(5, &sector);
    let report = dos.check();
    assert_eq!(report.damaged[0].0, name("A"));
    assert!(!report.is_safe() && dos.read(name("A")).is_err());
    // A chain that runs in a circle.
    sector[126] = 4;
    dos.disk.write_sector(5, &sector);
    assert!(dos.read(name("A")).is_err());
    // A sector of a file that counts as free, and one that belongs to none.
    let mut dos = sound.clone();
    let mut map = dos.map();
    map[0] |= 0x80 >> 5;
    map[80] &= 0x7F;
    dos.set_map(&map);
    let report = dos.check();
    assert_eq!(report.unprotected, [(5, name("A"))]);
    assert_eq!(report.lost, [640]);
    assert!(!report.is_safe());
    // A file that was being written when the power failed.
    let mut dos = sound;
    dos.set_entry(Entry {
        flags: 0x43,
        ..dos.find(name("B")).unwrap()
    })
    .unwrap();
    let report = dos.check();
    assert_eq!((report.open.len(), report.lost.len()), (1, 3));
    assert!(report.is_safe() && dos.find(name("B")).is_none());
}

#[test]
fn a_bootable_disk_has_the_boot_record_and_loses_its_mark_with_the_file() {
    for kind in ALL {
        let mut image = [0; 384 + 3000];
        image[1..4].copy_from_slice(&[3, 0, 7]);
        image[200] = 9;
        let mut dos = Dos2::format(kind);
        dos.write(name("X"), &[5; 700]).unwrap();
        dos.install(&image).unwrap();
        dos.lock(name(DOS_SYS), true).unwrap();
        dos.install(&image).unwrap();
        let entry = dos.find(name(DOS_SYS)).unwrap();
        let boot = dos.sector(1);
        assert_eq!(usize::from(boot[17]), dos.capacity());
        assert_eq!(boot[15..17], entry.start.to_le_bytes());
        assert_eq!(
            (boot[14], dos.sector(2)[72]),
            (if kind == Blank::Double { 2 } else { 1 }, 9)
        );
        assert_eq!(dos.read(name(DOS_SYS)).unwrap(), image[384..]);
        dos.delete(name(DOS_SYS)).unwrap();
        assert_eq!(dos.sector(1)[14], 0);
        assert!(dos.check().is_clean());
    }
}

#[derive(Clone, Debug)]
enum Step {
    Write(u8, usize),
    Delete(u8),
    Rename(u8, u8),
    Lock(u8, bool),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let file = 0..12u8;
    proptest::collection::vec(
        prop_oneof![
            4 => (file.clone(), 0..20_000usize).prop_map(|(file, size)| Step::Write(file, size)),
            2 => file.clone().prop_map(Step::Delete),
            1 => (file.clone(), file.clone()).prop_map(|(from, to)| Step::Rename(from, to)),
            1 => (file, any::<bool>()).prop_map(|(file, on)| Step::Lock(file, on)),
        ],
        0..60,
    )
}

proptest! {
    #[test]
    fn files_are_what_was_written(steps in steps(), kind in 0..3usize) {
        let mut dos = Dos2::format(ALL[kind]);
        let mut files: BTreeMap<Name, (Vec<u8>, bool)> = BTreeMap::new();
        let file = |number: u8| name(&alloc::format!("FILE{number}.DAT"));
        for (i, step) in steps.into_iter().enumerate() {
            match step {
                Step::Write(number, size) => {
                    let data: Vec<u8> = (0..size).map(|at| (at * 7 + i) as u8).collect();
                    let locked = files.get(&file(number)).is_some_and(|file| file.1);
                    match dos.write(file(number), &data) {
                        Ok(_) => { prop_assert!(!locked); files.insert(file(number), (data, false)); }
                        Err(Dos2Error::Locked(_)) => prop_assert!(locked),
                        Err(Dos2Error::Full { needed, free, .. }) => prop_assert!(needed > free),
                        Err(error) => prop_assert!(false, "{}", error),
                    }
                }
                Step::Delete(number) => {
                    let may = files.get(&file(number)).is_some_and(|file| !file.1);
                    prop_assert_eq!(dos.delete(file(number)).is_ok(), may);
                    if may { files.remove(&file(number)); }
                }
                Step::Rename(from, to) => {
                    let may = files.get(&file(from)).is_some_and(|file| !file.1)
                        && (from == to || !files.contains_key(&file(to)));
                    prop_assert_eq!(dos.rename(file(from), file(to)).is_ok(), may);
                    if may { let old = files.remove(&file(from)).unwrap(); files.insert(file(to), old); }
                }
                Step::Lock(number, on) => {
                    let found = dos.lock(file(number), on).is_ok();
                    prop_assert_eq!(found, files.contains_key(&file(number)));
                    if let Some(file) = files.get_mut(&file(number)) { file.1 = on; }
                }
            }
        }
        let report = dos.check();
        prop_assert!(report.is_clean(), "{}", report);
        prop_assert_eq!(dos.files().len(), files.len());
        for (name, (data, locked)) in files {
            prop_assert_eq!(&dos.read(name).unwrap(), &data);
            prop_assert_eq!(dos.find(name).unwrap().locked(), locked);
        }
    }
}
