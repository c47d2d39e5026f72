//! A program given on the command line starts by itself within ten seconds, on every machine.
mod common;

use common::{Folder, anticlock, binary};
use host::options::MachineOptions;
use host::{Found, Host};

/// The address at which the programs leave a mark.
const MARK: usize = 0x06F0;

/// LDA #$5A, STA MARK, JMP to itself, for this address.
fn code(at: u16) -> Vec<u8> {
    let [low, high] = (at + 5).to_le_bytes();
    vec![
        0xA9,
        0x5A,
        0x8D,
        MARK as u8,
        (MARK >> 8) as u8,
        0x4C,
        low,
        high,
    ]
}

#[test]
fn binaries_listings_saved_programs_and_boot_disks_start_within_600_frames_on_all_models() {
    let folder = Folder::new("starts");
    folder.file("p.xex", &binary(&code(0x2000)));
    let listing = b"10 POKE 1776,90\n20 GOTO 20\n";
    folder.file("p.lst", listing);
    let program = media::basic::Program::tokenize(listing).unwrap();
    folder.file("p.bas", &program.to_save());
    let mut disk = media::atr::Disk::with_geometry(720, 128);
    // Flags, one sector, to $0700, DOSINI; the program begins after them.
    let mut sector = [0; 128];
    sector[..6].copy_from_slice(&[0, 1, 0x00, 0x07, 0x06, 0x07]);
    sector[6..14].copy_from_slice(&code(0x0706));
    assert!(disk.write_sector(1, &sector));
    folder.file("p.atr", &disk.to_bytes());

    for model in ["400", "800", "800xl", "130xe"] {
        for tv in ["ntsc", "pal"] {
            for program in ["p.xex", "p.lst", "p.bas", "p.atr"] {
                let output = anticlock(&folder.0)
                    .args(["headless", program, "--frames", "600", "--ram", "ram.bin"])
                    .args(["--machine", model, "--tv", tv])
                    .output()
                    .unwrap();
                assert!(output.status.success(), "{output:?}");
                let ram = std::fs::read(folder.0.join("ram.bin")).unwrap();
                assert_eq!(ram[MARK], 0x5A, "{program} on the {model}, {tv}");
            }
        }
    }
}

#[test]
fn another_model_and_another_television_keep_disks_that_can_be_written() {
    let folder = Folder::new("another-model");
    let blank = media::atr::Disk::blank(media::atr::Blank::Single);
    let path = folder.file("d.atr", &blank.to_bytes());
    let with_disk = MachineOptions {
        disk: vec![path.clone()],
        ..MachineOptions::default()
    };
    let basic = Found::named("basic".as_ref(), &with_disk).unwrap();
    let disk = Found::file(&path, None).unwrap();
    // A disk beside the program, and a disk that is the program.
    for (options, found) in [(with_disk, basic), (MachineOptions::default(), disk)] {
        let (mut session, mut host) = Host::switch_on(&options, &found).unwrap();
        session.set_hardware(session::Hardware {
            model: Some(machine::Model::Xe130),
            tv: Some(machine::Tv::Pal),
            ..session.hardware()
        });
        host.start(&mut session, &options, &found).unwrap();
        let machine = session.machine();
        assert_eq!(machine.config().model, machine::Model::Xe130);
        assert_eq!(machine.config().tv, machine::Tv::Pal);
        assert!(!machine.disk(0).unwrap().write_protected());
        let file = session.file_at(session::Place::Drive(0)).unwrap();
        assert_eq!(file.name, "d.atr");
        assert_eq!(host.notices(), Vec::<String>::new());
    }
}

/// Standard output and error of a run without a window that has to end well.
fn headless(folder: &Folder, arguments: &[&str]) -> (String, String) {
    let output = anticlock(&folder.0)
        .arg("headless")
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

/// The lines of a screen after the last line that begins with `mark`.
fn after<'a>(screen: &'a str, mark: &str) -> Vec<&'a str> {
    let lines: Vec<&str> = screen.lines().map(str::trim).collect();
    let at = lines.iter().rposition(|line| line.starts_with(mark));
    let at = at.unwrap_or_else(|| panic!("no {mark}: {screen}"));
    lines[at + 1..]
        .iter()
        .filter(|line| !line.is_empty())
        .copied()
        .collect()
}

/// Reads sectors 1, 720 and 721 of D2: to $2000 each, and leaves status and first byte of each at MARK.
fn reader() -> Vec<u8> {
    let mut code = Vec::new();
    for (number, sector) in [1u16, 720, 721].into_iter().enumerate() {
        let [low, high] = sector.to_le_bytes();
        let at = MARK as u8 + 2 * number as u8;
        for (value, cell) in [(2, 1), (0x52, 2), (0, 4), (0x20, 5), (low, 10), (high, 11)] {
            code.extend([0xA9, value, 0x8D, cell, 3]);
        }
        // JSR DSKINV, STY MARK, LDA $2000, STA MARK+1
        code.extend([
            0x20,
            0x53,
            0xE4,
            0x8C,
            at,
            6,
            0xAD,
            0,
            0x20,
            0x8D,
            at + 1,
            6,
        ]);
    }
    let [low, high] = (0x3000 + code.len() as u16).to_le_bytes();
    code.extend([0x4C, low, high]);
    let [low, high] = (0x3000 + code.len() as u16 - 1).to_le_bytes();
    let mut file = vec![0xFF, 0xFF, 0x00, 0x30, low, high];
    file.extend(code);
    file
}

#[test]
fn mkatr_images_of_odd_sizes_are_mounted_with_one_line() {
    let folder = Folder::new("mkatr");
    folder.file("r.xex", &reader());
    folder.file(
        "d1.atr",
        &media::atr::Disk::blank(media::atr::Blank::Single).to_bytes(),
    );
    let sectors = |count: usize| {
        (0..count * 128)
            .map(|i| (i / 128 + 1) as u8)
            .collect::<Vec<u8>>()
    };
    let atr = |says: usize, bytes: &[u8]| {
        let mut file = media::atr::Disk::from_sectors(128, &[]).to_bytes();
        file[2..4].copy_from_slice(&((says / 16) as u16).to_le_bytes());
        file.extend_from_slice(bytes);
        file
    };
    // The file, the message, and status and byte of sectors 1, 720 and 721 ($8B: the drive refuses).
    let missing = "the missing sectors are zero";
    let used = "all are used";
    let whole = sectors(720);
    let cases: [(&str, Vec<u8>, &str, [u8; 6]); 7] = [
        (
            "short.atr",
            atr(92_160, &sectors(100)),
            missing,
            [1, 1, 1, 0, 0x8B, 0],
        ),
        (
            "cut.atr",
            atr(92_160, &whole[..92_100]),
            missing,
            [1, 1, 1, 208, 0x8B, 208],
        ),
        (
            "long.atr",
            atr(92_160, &sectors(1040)),
            used,
            [1, 1, 1, 208, 1, 209],
        ),
        ("none.atr", atr(0, &whole), used, [1, 1, 1, 208, 0x8B, 208]),
        ("raw.img", whole.clone(), "", [1, 1, 1, 208, 0x8B, 208]),
        ("raw.xex", whole.clone(), "", [1, 1, 1, 208, 0x8B, 208]),
        ("raw", sectors(1040), "", [1, 1, 1, 208, 1, 209]),
    ];
    for (name, file, said, wanted) in cases {
        folder.file(name, &file);
        let run = [
            "r.xex", "--disk", "d1.atr", "--disk", name, "--frames", "600",
        ];
        let options = ["--ram", "ram.bin"];
        let (_, stderr) = headless(&folder, &[&run[..], &options].concat());
        let lines: Vec<&str> = stderr.lines().filter(|line| line.contains(name)).collect();
        assert_eq!(lines.len(), usize::from(!said.is_empty()), "{stderr}");
        assert!(lines.iter().all(|line| line.contains(said)), "{stderr}");
        let ram = std::fs::read(folder.0.join("ram.bin")).unwrap();
        assert_eq!(ram[MARK..MARK + 6], wanted, "{name}");
        // As the program, it is a disk as well.
        let (_, stderr) = headless(&folder, &[name, "--frames", "1"]);
        assert!(stderr.contains(said), "{stderr}");
        assert!(
            std::fs::read(folder.0.join(name)).unwrap() == file,
            "{name}"
        );
    }
}

#[test]
fn ctl_is_taken_as_enter_takes_it() {
    let folder = Folder::new("ctl");
    folder.file(
        "ctl.lst",
        b"10 PRINT \"A\nB\rC\tD\":REM \r\n\x9B20 PRINT LEN(\"\n\r\")\x9B30 END\x9B",
    );
    let (screen, _) = headless(&folder, &["ctl.lst", "--text"]);
    assert_eq!(after(&screen, "RUN"), ["A◣B▔C▗D", "2", "READY"]);
}

#[test]
fn listings_of_other_editors_are_read() {
    let folder = Folder::new("listings");
    for (name, listing) in [
        (
            "bom.lst",
            "\u{FEFF}10 print \"Hi ♥\"\r\n20 rem Small\r\n".as_bytes(),
        ),
        (
            "unix.lst",
            "10\tPRINT \u{201C}Hi ♥\u{201D}\n20 REM".as_bytes(),
        ),
        ("mac.lst", "10 print \"Hi ♥\"\r20 end\r".as_bytes()),
        ("cr.lst", b"10 ? \"Hi \0\"\r20 END"),
        ("atascii.lst", b"10 ? \"Hi \0\"\x9B20 END\x9B"),
        ("bytes.lst", b"10 ? \"Hi \0\"\n20 END\n"),
    ] {
        folder.file(name, listing);
        let (screen, _) = headless(&folder, &[name, "--text"]);
        assert_eq!(after(&screen, "RUN"), ["Hi ♥", "READY"], "{name}");
        let output = anticlock(&folder.0).args(["basic", "check", name]).output();
        assert!(output.unwrap().status.success(), "{name}");
    }
    // What LIST shows is read back to the same program, whatever characters it has.
    let mut all: Vec<u8> = (0..=255)
        .filter(|&byte| byte != b'"' && byte != 0x9B)
        .collect();
    all.splice(0..0, *b"10 ? \"");
    all.truncate(100);
    let more: Vec<u8> = (160..=255).chain(0x80..0x9B).collect();
    all.extend([b"\"\x9B20 ? \"", &more[..], b"\"\x9B"].concat());
    folder.file("all.lst", &all);
    let list = |name| {
        anticlock(&folder.0)
            .args(["basic", "list", name])
            .output()
            .unwrap()
            .stdout
    };
    let shown = list("all.lst");
    folder.file("shown.lst", &shown);
    assert!(core::str::from_utf8(&shown).is_ok_and(|text| text.contains('♣')));
    assert!(list("shown.lst") == shown);
    let tokens = |bytes: &[u8]| media::basic::Program::tokenize(bytes).unwrap();
    assert!(tokens(&all) == tokens(&shown));
}

#[test]
fn commands_in_a_listing_are_done_when_enter_meets_them() {
    let folder = Folder::new("commands");
    for (name, listing, mark, wanted) in [
        (
            "before.lst",
            "poke 1776,9\n10 ? \"n=\";peek(1776)\n",
            "RUN",
            &["n=9", "READY"][..],
        ),
        (
            "runs.lst",
            "10 PRINT \"ONCE\"\nRUN\n",
            "ENTER",
            &["ONCE", "READY"],
        ),
        (
            "goto.lst",
            "10 PRINT \"TEN\"\n20 ? \"ONCE\"\nGOTO 20\n",
            "ENTER",
            &["ONCE", "READY"],
        ),
    ] {
        folder.file(name, listing.as_bytes());
        let (screen, _) = headless(&folder, &[name, "--text"]);
        let shown = after(&screen, mark);
        assert_eq!(
            shown.iter().filter(|&&line| line != "READY").count(),
            wanted.len() - 1
        );
        assert_eq!(shown[..wanted.len()], *wanted, "{name}: {screen}");
    }
    let output = anticlock(&folder.0)
        .args(["basic", "tokenize", "runs.lst", "runs.bas"])
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.contains("line 2, column 1: expected a line number"),
        "{stderr}"
    );
    assert!(!folder.0.join("runs.bas").exists());
}

#[test]
fn protected_runs_as_run_from_a_file_does() {
    let folder = Folder::new("protected");
    let mut program = media::basic::Program::tokenize(
        b"10 PRINT \"PROTECTED RUNS\":A=5\n20 FOR I=1 TO 3:PRINT I*A:NEXT I\n30 END\n",
    )
    .unwrap();
    let last = program
        .lines
        .windows(2)
        .position(|bytes| bytes == [30, 0])
        .unwrap();
    program.lines[last + 2] = 0;
    assert!(!program.is_whole());
    folder.file("PROT.BAS", &program.to_save());
    let shown = ["PROTECTED RUNS", "5", "10", "15"];
    for model in ["800", "800xl"] {
        let (screen, _) = headless(&folder, &["PROT.BAS", "--text", "--machine", model]);
        let lines = after(&screen, "RUN \"H5:PROT.BAS\"");
        assert_eq!(lines[..4], shown, "{model}: {screen}");
    }
    // H: of the user is there, too, and the file is not in it.
    std::fs::create_dir(folder.0.join("h")).unwrap();
    let (screen, _) = headless(
        &folder,
        &["PROT.BAS", "--text", "--host", "h", "--host-write"],
    );
    assert_eq!(after(&screen, "RUN \"H5:PROT.BAS\"")[..4], shown);
    assert_eq!(std::fs::read_dir(folder.0.join("h")).unwrap().count(), 0);
    let (screen, _) = headless(
        &folder,
        &["PROT.BAS", "--no-run", "--text", "--frames", "600"],
    );
    assert_eq!(after(&screen, "LOAD \"H5:PROT.BAS\""), ["READY"]);
}

#[test]
fn c9_trunc_is_played_as_far_as_it_goes() {
    let folder = Folder::new("c9-trunc");
    let listing = "10 PRINT \"TAPE RUNS\"\n20 END\n";
    let mut records = Vec::new();
    let program = media::basic::Program::tokenize(listing.as_bytes()).unwrap();
    for (number, bytes) in program.to_save().chunks(128).enumerate() {
        let full = bytes.len() == 128;
        let mut record = vec![0x55, 0x55, if full { 0xFC } else { 0xFA }];
        record.extend(bytes);
        record.resize(131, 0);
        if !full {
            record[130] = bytes.len() as u8;
        }
        records.push((number, record));
    }
    records.push((records.len(), [&[0x55, 0x55, 0xFE][..], &[0; 128]].concat()));
    let blocks = records.into_iter().map(|(number, mut bytes)| {
        let sum = bytes.iter().fold(0u16, |sum, &byte| {
            let sum = sum + u16::from(byte);
            (sum & 0xFF) + (sum >> 8)
        });
        bytes.push(sum as u8);
        let gap = if number == 0 { 10_000 } else { 250 };
        media::cas::Block::Data {
            gap,
            baud: 600,
            bytes,
        }
    });
    let mut tape = media::cas::Tape {
        description: Vec::new(),
        blocks: blocks.collect(),
    };
    // A program of something else follows, of which a part is missing.
    tape.blocks.push(media::cas::Block::Data {
        gap: 5000,
        baud: 600,
        bytes: vec![0x55; 132],
    });
    let mut file = tape.to_bytes();
    file.truncate(file.len() - 20);
    folder.file("t.cas", &file);
    let run = ["t.cas", "--text", "--frames", "2500"];
    let (screen, stderr) = headless(&folder, &run);
    assert_eq!(after(&screen, "RUN"), ["TAPE RUNS", "READY"], "{screen}");
    assert_eq!(
        stderr.matches("cut off in its chunk").count(),
        1,
        "{stderr}"
    );
    let (_, stderr) = headless(&folder, &["basic", "--tape", "t.cas", "--frames", "2"]);
    assert_eq!(
        stderr.matches("cut off in its chunk").count(),
        1,
        "{stderr}"
    );
    assert!(std::fs::read(folder.0.join("t.cas")).unwrap() == file);
}
