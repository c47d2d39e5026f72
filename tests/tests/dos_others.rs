//! Our disks in the hands of other DOSes, and theirs in ours. The disks come from outside: DOS2_ATR names bootable ones of DOS 2.0S or 2.5.

use machine::{Model, Tv};
use media::atr::{Blank, Disk};
use media::dos2::{Dos2, Name};
use tests::Atari;

/// A machine with BASIC that has booted the first disk.
fn start(first: &Disk, second: &Disk) -> Atari {
    let mut atari = Atari::new(&tests::config(Model::Atari800, Tv::Ntsc, true));
    atari.machine.set_fast_drives(true);
    atari.machine.insert_disk(0, first.clone());
    atari.machine.insert_disk(1, second.clone());
    assert!(atari.wait_for_key(1500), "{}", atari.text());
    atari
}

fn line(atari: &mut Atari, text: &str) {
    atari.type_text(&format!("{text}\n"));
    atari.run(2);
    assert!(atari.wait_for_key(3000), "{text}: {}", atari.text());
    assert!(!atari.text().contains("ERROR"), "{text}: {}", atari.text());
}

/// Loads and runs `from`, and writes what it has printed and the program to `to`.
fn copy(atari: &mut Atari, from: &str, to: &str) {
    line(atari, &format!("LOAD \"{from}\""));
    line(atari, "RUN");
    assert!(atari.text().contains("SUM 5050"), "{}", atari.text());
    line(atari, &format!("SAVE \"{to}\""));
    line(atari, "OPEN #1,8,0,\"D2:NUMBERS\"");
    line(atari, "FOR I=1 TO 200:PRINT #1;I:NEXT I:CLOSE #1");
    line(
        atari,
        "OPEN #1,9,0,\"D2:NUMBERS\":PRINT #1;\"END\":CLOSE #1",
    );
}

fn checked(atari: &Atari, drive: usize, wanted: &[u8]) -> Disk {
    let dos = Dos2::new(atari.machine.disk(drive).unwrap().clone()).unwrap();
    let report = dos.check();
    assert!(report.is_clean(), "{report}");
    let program = dos.read(Name::parse("COPY.BAS").unwrap()).unwrap();
    let program = media::basic::Program::parse_save(&program).unwrap();
    assert_eq!(program.list(), wanted);
    let lines: Vec<String> = (1..=200).map(|i| i.to_string()).collect();
    let numbers = lines.join("\u{9B}") + "\u{9B}END\u{9B}";
    let read = dos.read(Name::parse("NUMBERS").unwrap()).unwrap();
    assert_eq!(read, numbers.chars().map(|c| c as u8).collect::<Vec<_>>());
    dos.into_disk()
}

#[test]
fn other_doses_read_and_write_our_disks_and_ours_theirs() {
    let Some(paths) = tests::outside("DOS2_ATR", "bootable disks of DOS 2.0S or 2.5") else {
        return;
    };
    let listing = b"10 FOR I=1 TO 100\n20 S=S+I\n30 NEXT I\n40 PRINT \"SUM \";S\n50 END \n";
    let program = media::basic::Program::tokenize(listing).unwrap();
    for path in std::env::split_paths(&paths) {
        let theirs = Disk::parse(&std::fs::read(&path).unwrap()).unwrap();
        for kind in [Blank::Single, Blank::Enhanced] {
            // Only DOS 2.5 knows enhanced density.
            if kind == Blank::Enhanced && theirs.sectors() == 720 {
                continue;
            }
            let mut ours = Dos2::new(session::dos_disk(kind)).unwrap();
            ours.write(Name::parse("SUM.BAS").unwrap(), &program.to_save())
                .unwrap();
            let ours = ours.into_disk();
            let mut atari = start(&theirs, &ours);
            copy(&mut atari, "D2:SUM.BAS", "D2:COPY.BAS");
            let ours = checked(&atari, 1, &program.list());
            let mut atari = start(&ours, &theirs);
            copy(&mut atari, "D1:COPY.BAS", "D2:COPY.BAS");
            let written = checked(&atari, 1, &program.list());
            let mut atari = start(&written, &ours);
            line(&mut atari, "LOAD \"D1:COPY.BAS\"");
            line(&mut atari, "RUN");
            assert!(atari.text().contains("SUM 5050"), "{}", atari.text());
        }
    }
}
