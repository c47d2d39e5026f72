//! The command line of our DOS, its start and its loader.

use machine::{Model, Tv};
use media::atr::{Blank, Disk};
use media::dos2::{Dos2, Name};
use tests::Atari;
use tests::dos::DENSITIES;

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

fn start(model: Model, basic: bool, disk: Disk) -> Atari {
    let mut atari = Atari::new(&tests::config(model, Tv::Ntsc, basic));
    atari.machine.set_fast_drives(true);
    atari.machine.insert_disk(0, disk);
    assert!(atari.wait_for_key(1500), "{}", atari.text());
    atari
}

/// A machine without BASIC at the prompt.
fn prompt(disk: Disk) -> Atari {
    let atari = start(Model::Xl800, false, disk);
    assert!(atari.text().contains("D1:"), "{}", atari.text());
    atari
}

/// Types a line and waits until the machine waits for the next.
fn line(atari: &mut Atari, text: &str) {
    atari.type_text(&format!("{text}\n"));
    atari.run(2);
    assert!(atari.wait_for_key(3000), "{text}: {}", atari.text());
}

fn disk(atari: &Atari, drive: usize) -> Dos2 {
    Dos2::new(atari.machine.disk(drive).unwrap().clone()).unwrap()
}

fn has(atari: &Atari, text: &str) {
    assert!(atari.text().contains(text), "{text}: {}", atari.text());
}

/// Stores 7 at $0610 and returns.
const SEVEN: [u8; 6] = [0xA9, 7, 0x8D, 0x10, 0x06, 0x60];

/// A binary file: one segment, and the words that go to INITAD and RUNAD.
fn binary(at: u16, code: &[u8], vectors: &[(u16, u16)]) -> Vec<u8> {
    let mut file = vec![0xFF, 0xFF];
    let mut segment = |at: u16, bytes: &[u8]| {
        file.extend(at.to_le_bytes());
        file.extend((at + bytes.len() as u16 - 1).to_le_bytes());
        file.extend(bytes);
    };
    segment(at, code);
    for &(vector, value) in vectors {
        segment(vector, &value.to_le_bytes());
    }
    file
}

#[test]
fn all_models_boot_all_densities_to_the_prompt_or_to_basic() {
    for kind in DENSITIES {
        let atari = start(Model::Xl800, false, session::dos_disk(kind));
        has(&atari, "HELP lists commands");
    }
    for model in [Model::Atari400, Model::Atari800, Model::Xe130] {
        let atari = start(model, false, session::dos_disk(Blank::Single));
        has(&atari, "HELP lists commands");
        let atari = start(model, true, session::dos_disk(Blank::Double));
        has(&atari, "READY");
    }
}

#[test]
fn commands_do_what_they_say() {
    let mut dos = Dos2::new(session::dos_disk(Blank::Single)).unwrap();
    dos.write(name("A.TXT"), b"FIRST LINE\x9BSECOND\x9B")
        .unwrap();
    dos.write(name("B.TXT"), &[b'B'; 5000]).unwrap();
    let mut atari = prompt(dos.into_disk());
    let second = Dos2::format(Blank::Double);
    atari.machine.insert_disk(1, second.into_disk());
    line(&mut atari, "DIR");
    has(&atari, "  COMMAND SYS 0");
    has(&atari, "FREE SECTORS");
    line(&mut atari, "TYPE A.TXT");
    has(&atari, "FIRST LINE");
    has(&atari, "SECOND");
    line(&mut atari, "COPY *.TXT,D2:");
    assert_eq!(disk(&atari, 1).read(name("B.TXT")).unwrap(), [b'B'; 5000]);
    assert_eq!(disk(&atari, 1).files().len(), 2);
    line(&mut atari, "COPY B.TXT,D2:C.TXT");
    assert_eq!(disk(&atari, 1).read(name("C.TXT")).unwrap().len(), 5000);
    line(&mut atari, "D2:");
    line(&mut atari, "REN C.TXT,NEW.TXT");
    line(&mut atari, "LOCK NEW.TXT");
    line(&mut atari, "DEL NEW.TXT");
    has(&atari, "ERROR 167");
    line(&mut atari, "UNLOCK NEW.TXT");
    line(&mut atari, "DEL NEW.TXT");
    assert_eq!(disk(&atari, 1).files().len(), 2);
    line(&mut atari, "DEL *.*");
    line(&mut atari, "N");
    assert_eq!(disk(&atari, 1).files().len(), 2, "it was not meant");
    line(&mut atari, "DEL *.*");
    line(&mut atari, "Y");
    assert_eq!(disk(&atari, 1).files().len(), 0);
    line(&mut atari, "SYS D2:");
    assert!(disk(&atari, 1).check().is_clean());
    let copy = disk(&atari, 1).into_disk();
    has(&start(Model::Atari800, false, copy), "HELP lists");
    line(&mut atari, "NONSENSE");
    has(&atari, "ERROR 170");
    line(&mut atari, "HELP");
    has(&atari, "SAVE file,start,end");
    line(&mut atari, "CAR");
    has(&atari, "No cartridge");
    assert!(disk(&atari, 0).check().is_clean());
}

#[test]
fn format_makes_each_density() {
    for (letter, kind) in [
        ("S", Blank::Single),
        ("E", Blank::Enhanced),
        ("D", Blank::Double),
    ] {
        for old in DENSITIES {
            let mut atari = prompt(session::dos_disk(Blank::Single));
            atari.machine.insert_disk(1, Disk::blank(old));
            line(&mut atari, &format!("FORMAT D2:{letter}"));
            line(&mut atari, "Y");
            let made = disk(&atari, 1);
            assert_eq!(made.free(), Dos2::format(kind).free(), "{letter}");
            let (sectors, size) = (Disk::blank(kind).sectors(), Disk::blank(kind).sector_size());
            assert_eq!(
                (made.disk().sectors(), made.disk().sector_size()),
                (sectors, size)
            );
            assert!(made.check().is_clean());
        }
    }
}

#[test]
fn binary_files_are_loaded_saved_and_started() {
    let mut dos = Dos2::new(session::dos_disk(Blank::Single)).unwrap();
    let code = [0xEE, 0x11, 0x06, 0x60]; // INC $0611
    dos.write(
        name("INIT.COM"),
        &binary(0x3000, &code, &[(0x02E2, 0x3000), (0x02E2, 0x3000)]),
    )
    .unwrap();
    dos.write(
        name("RUN.COM"),
        &binary(0x3010, &SEVEN, &[(0x02E0, 0x3010)]),
    )
    .unwrap();
    dos.write(name("TEXT"), b"NO PROGRAM").unwrap();
    let mut atari = prompt(dos.into_disk());
    atari.machine.poke(0x0611, 0);
    line(&mut atari, "LOAD INIT.COM");
    assert_eq!(atari.machine.peek(0x0611), 2);
    line(&mut atari, "RUN.COM");
    assert_eq!(atari.machine.peek(0x0610), 7);
    line(&mut atari, "RUN 3000");
    assert_eq!(atari.machine.peek(0x0611), 3);
    line(&mut atari, "LOAD TEXT");
    has(&atari, "ERROR 180");
    line(&mut atari, "SAVE OUT,3010,3015,,3010");
    let saved = disk(&atari, 0).read(name("OUT")).unwrap();
    assert_eq!(saved, binary(0x3010, &SEVEN, &[(0x02E0, 0x3010)]));
    atari.machine.poke(0x0610, 0);
    line(&mut atari, "OUT");
    assert_eq!(atari.machine.peek(0x0610), 7);
}

#[test]
fn autorun_sys_runs_once_before_basic() {
    let mut dos = Dos2::new(session::dos_disk(Blank::Single)).unwrap();
    let code = [0xEE, 0x11, 0x06, 0x60];
    dos.write(
        name("AUTORUN.SYS"),
        &binary(0x3000, &code, &[(0x02E0, 0x3000)]),
    )
    .unwrap();
    for model in [Model::Xl800, Model::Atari800] {
        let mut atari = start(model, true, dos.disk().clone());
        has(&atari, "READY");
        assert_eq!(atari.machine.peek(0x0611), 1, "{model:?}");
        atari.machine.reset();
        assert!(atari.wait_for_key(600));
        assert_eq!(atari.machine.peek(0x0611), 1, "not after RESET");
    }
}

#[test]
fn basic_keeps_its_program_while_dos_is_used_and_saves_it() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut atari = start(model, true, session::dos_disk(Blank::Single));
        line(&mut atari, "10 PRINT \"STILL HERE\"");
        line(&mut atari, "SAVE \"D:P.BAS\"");
        line(&mut atari, "DOS");
        has(&atari, "HELP lists");
        line(&mut atari, "DIR *.BAS");
        has(&atari, "P       BAS");
        line(&mut atari, "COPY P.BAS,Q.BAS");
        line(&mut atari, "CAR");
        line(&mut atari, "RUN");
        has(&atari, "STILL HERE");
        atari.machine.reset();
        assert!(atari.wait_for_key(600));
        line(&mut atari, "NEW");
        line(&mut atari, "LOAD \"D:Q.BAS\"");
        line(&mut atari, "LIST \"D:L.LST\"");
        line(&mut atari, "LIST");
        has(&atari, "10 PRINT \"STILL HERE\"");
        let dos = disk(&atari, 0);
        assert!(dos.check().is_clean());
        let program = media::basic::Program::parse_save(&dos.read(name("P.BAS")).unwrap());
        assert_eq!(program.unwrap().list(), b"10 PRINT \"STILL HERE\"\x9B");
        assert_eq!(
            dos.read(name("L.LST")).unwrap(),
            b"10 PRINT \"STILL HERE\"\x9B"
        );
    }
}

#[test]
fn a_disk_whose_dos_is_deleted_starts_basic_and_says_so() {
    let mut atari = prompt(session::dos_disk(Blank::Single));
    line(&mut atari, "DEL DOS.SYS");
    let disk = atari.machine.disk(0).unwrap().clone();
    let atari = start(Model::Xl800, true, disk);
    has(&atari, "No DOS");
    has(&atari, "READY");
}
