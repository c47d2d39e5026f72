//! Nothing that a program in the machine wrote, or that was recorded, is lost: `docs/media.md`.
#![cfg(unix)]
mod common;

use common::{Folder, anticlock, binary, coloured, wait_for};
use media::atr::{Blank, Disk};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Output, Stdio};

/// The sector that [`writer`] writes.
const SECTOR: usize = 720;

/// Waits for START if `waits`, then writes sector 720 of D1: full of `byte`; SIO's status is at $0600 then.
fn writer(byte: u8, waits: bool) -> Vec<u8> {
    let mut code = vec![0xA9, 0x00, 0x8D, 0x00, 0x06]; // LDA #0, STA $0600
    if waits {
        // LDA CONSOL, AND #1, BNE back
        code.extend([0xAD, 0x1F, 0xD0, 0x29, 0x01, 0xD0, 0xF9]);
    }
    code.extend([0xA9, byte, 0xA2, 0x00]); // LDA #byte, LDX #0
    code.extend([0x9D, 0x00, 0x30, 0xE8, 0x10, 0xFA]); // STA $3000,X, INX, BPL
    let block = [
        (0, 0x31),
        (1, 0x01),
        (2, b'W'),
        (3, 0x80),
        (4, 0x00),
        (5, 0x30),
        (6, 0x07),
        (8, 0x80),
        (9, 0x00),
        (10, (SECTOR & 0xFF) as u8),
        (11, (SECTOR >> 8) as u8),
    ];
    for (offset, value) in block {
        code.extend([0xA9, value, 0x8D, offset, 0x03]); // LDA #value, STA $0300 + offset
    }
    code.extend([0x20, 0x59, 0xE4]); // JSR SIOV
    code.extend([0x8C, 0x00, 0x06]); // STY $0600
    let here = 0x2000 + code.len() as u16;
    code.extend([0x4C, here as u8, (here >> 8) as u8]);
    binary(&code)
}

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = anticlock(&folder.0);
    command.arg("headless").args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn disk(folder: &Folder, name: &str) {
    folder.file(name, &Disk::blank(Blank::Single).to_bytes());
}

/// The first byte of the sector that is written, in a file.
fn written(path: &Path) -> u8 {
    let disk = Disk::parse(&std::fs::read(path).unwrap()).unwrap();
    disk.sector(SECTOR).unwrap()[0]
}

#[test]
fn a_file_that_may_not_be_written_is_a_write_protected_disk() {
    let folder = Folder::new("losses-readonly");
    folder.file("w.xex", &writer(7, false));
    disk(&folder, "a.atr");
    let path = folder.0.join("a.atr");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
    let output = run(
        &folder,
        &[
            "w.xex", "--disk", "a.atr", "--frames", "900", "--ram", "ram",
        ],
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let told = stderr(&output);
    assert!(
        told.contains("a.atr is write-protected: its file is read-only"),
        "{told}"
    );
    assert_eq!(written(&path), 0);
    // The drive refuses the command: an error status of SIO.
    let status = std::fs::read(folder.0.join("ram")).unwrap()[0x600];
    assert!(status >= 128, "SIO gave {status}");
}

#[test]
fn a_picture_that_cannot_be_written_costs_no_disk() {
    let folder = Folder::new("losses-screenshot");
    folder.file("w.xex", &writer(7, false));
    disk(&folder, "a.atr");
    let output = run(
        &folder,
        &[
            "w.xex",
            "--disk",
            "a.atr",
            "--frames",
            "600",
            "--screenshot",
            "no/such/x.png",
        ],
    );
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert!(told.contains("x.png: cannot be written"), "{told}");
    // Not the temporary file's name.
    assert!(!told.contains(".tmp"), "{told}");
    assert_eq!(written(&folder.0.join("a.atr")), 7);
}

#[test]
fn a_script_replaces_no_picture_that_it_did_not_make_unless_it_is_told_to() {
    let folder = Folder::new("losses-pictures");
    folder.file("c.xex", &coloured());
    folder.file("mine.png", b"mine");
    let script = b"10 screenshot new.png\n20 screenshot new.png\n30 screenshot mine.png\n";
    folder.file("s.txt", script);
    let run = |more: &[&str]| {
        let usual = ["c.xex", "--frames", "40", "--script", "s.txt"];
        self::run(&folder, &[&usual[..], more].concat())
    };
    let output = run(&[]);
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.contains("mine.png: is there already"), "{told}");
    let read = |name| std::fs::read(folder.0.join(name)).unwrap();
    assert_eq!(read("mine.png"), b"mine");
    let first = read("new.png");
    assert!(first.starts_with(b"\x89PNG"));
    let output = run(&["--replace"]);
    assert_eq!(stderr(&output), "");
    assert!(read("mine.png").starts_with(b"\x89PNG"));
}

#[test]
fn a_full_disk_is_a_message_and_what_is_lost_is_named_at_the_end() {
    let folder = Folder::new("losses-full");
    folder.file("p.lst", b"10 LPRINT \"HELLO\"\n20 END\n");
    let output = run(
        &folder,
        &["p.lst", "--printer", "/dev/full", "--frames", "1200"],
    );
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("kept in memory and tried again"), "{told}");
    assert!(told.contains("is lost: the printer's text"), "{told}");
}

/// Of a picture that cannot be written whole the message names the file that was wanted, not the temporary one.
#[test]
fn a_picture_for_which_there_is_no_room_is_named_in_the_message() {
    let folder = Folder::new("losses-room");
    let program = anticlock(&folder.0);
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh"])
        .arg(program.get_program())
        .args([
            "headless",
            "menu",
            "--frames",
            "300",
            "--screenshot",
            "a.png",
        ])
        .current_dir(&folder.0);
    for (name, value) in program.get_envs() {
        shell.env(name, value.unwrap_or_default());
    }
    let output = shell.output().unwrap();
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("a.png: cannot be written: "), "{told}");
    assert!(!told.contains(" at path "), "{told}");
    assert!(!folder.0.join("a.png").exists());
}

#[test]
fn a_file_that_was_deleted_is_written_again() {
    let folder = Folder::new("losses-deleted");
    folder.file("w.xex", &writer(7, true));
    disk(&folder, "a.atr");
    folder.file("s.txt", b"30000 start\n");
    let child = anticlock(&folder.0)
        .args(["headless", "w.xex", "--disk", "a.atr", "--script", "s.txt"])
        .args(["--frames", "31000", "--audio", "a.wav"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The recording begins when everything has been read.
    wait_for("the beginning", || {
        let names = std::fs::read_dir(&folder.0).unwrap().flatten();
        let mut names = names.map(|item| item.file_name());
        names
            .any(|name| name.to_string_lossy().starts_with(".anticlock-"))
            .then_some(())
    });
    let path = folder.0.join("a.atr");
    std::fs::remove_file(&path).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(written(&path), 7);
}

#[test]
fn signals_end_a_run_as_closing_the_window_does() {
    for (signal, number) in [("-TERM", 15), ("-HUP", 1), ("-INT", 2)] {
        let folder = Folder::new(&format!("losses-signal{signal}"));
        folder.file("w.xex", &writer(7, false));
        disk(&folder, "a.atr");
        let child = anticlock(&folder.0)
            .args([
                "headless",
                "w.xex",
                "--disk",
                "a.atr",
                "--frames",
                "100000000",
            ])
            .args(["--audio", "a.wav", "--animation", "a.png"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let path = folder.0.join("a.atr");
        wait_for("the disk", || (written(&path) == 7).then_some(()));
        assert!(!folder.0.join("a.wav").exists());
        let status = std::process::Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .unwrap();
        assert!(status.success());
        let output = child.wait_with_output().unwrap();
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(128 + number), "{told}");
        assert_eq!(output.status.signal(), None);
        let wav = std::fs::read(folder.0.join("a.wav")).unwrap();
        let samples = u32::from_le_bytes(wav[76..80].try_into().unwrap());
        assert!(samples > 0 && samples as usize + frontend::wav::HEADER == wav.len());
        let file = std::fs::File::open(folder.0.join("a.png")).unwrap();
        let mut reader = png::Decoder::new(std::io::BufReader::new(file))
            .read_info()
            .unwrap();
        let count = reader.info().animation_control.unwrap().num_frames;
        let mut picture = vec![0; reader.output_buffer_size().unwrap()];
        for _ in 0..count {
            reader.next_frame(&mut picture).unwrap();
        }
        // Nothing temporary is left.
        let names = std::fs::read_dir(&folder.0).unwrap().flatten();
        let names: Vec<_> = names.map(|item| item.file_name()).collect();
        let temporary = |name: &&std::ffi::OsString| name.to_string_lossy().starts_with('.');
        assert_eq!(names.iter().find(temporary), None);
    }
}

#[test]
fn a_second_program_on_the_same_disk_is_write_protected_and_says_so() {
    let folder = Folder::new("losses-two");
    folder.file("w.xex", &writer(7, false));
    folder.file("v.xex", &writer(9, false));
    disk(&folder, "a.atr");
    let first = anticlock(&folder.0)
        .args([
            "headless",
            "w.xex",
            "--disk",
            "a.atr",
            "--frames",
            "100000000",
        ])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut first = common::Running(first);
    let path = folder.0.join("a.atr");
    // The file is locked also after it was replaced.
    wait_for("the disk", || (written(&path) == 7).then_some(()));
    let output = run(&folder, &["v.xex", "--disk", "a.atr", "--frames", "900"]);
    let told = stderr(&output);
    assert!(told.contains("another Anticlock writes to it"), "{told}");
    assert_eq!(written(&path), 7);
    first.0.kill().unwrap();
    first.0.wait().unwrap();
    let output = run(&folder, &["v.xex", "--disk", "a.atr", "--frames", "900"]);
    assert_eq!(stderr(&output), "");
    assert_eq!(written(&path), 9);
    // One file in two drives.
    let twice = [
        "w.xex", "--disk", "a.atr", "--disk", "a.atr", "--frames", "900",
    ];
    let output = run(&folder, &twice);
    let told = stderr(&output);
    assert!(
        told.contains("a.atr is write-protected: it is in another drive"),
        "{told}"
    );
    assert_eq!(written(&path), 7);
}

#[test]
fn a_state_with_another_disk_does_not_write_to_the_file_in_the_drive() {
    let folder = Folder::new("losses-state");
    folder.file("w.xex", &writer(7, true));
    let disk = |first: u8| {
        let mut disk = Disk::blank(Blank::Single);
        disk.write_sector(10, &[first]);
        disk.to_bytes()
    };
    folder.file("a.atr", &disk(1));
    folder.file("b.atr", &disk(2));
    folder.file("s.txt", b"20 start\n");
    let output = run(
        &folder,
        &[
            "w.xex",
            "--disk",
            "a.atr",
            "--frames",
            "400",
            "--save-state",
            "a.state",
        ],
    );
    assert_eq!(stderr(&output), "");
    let load = |name: &str| {
        let state = ["w.xex", "--disk", name, "--load-state", "a.state"];
        let rest = ["--script", "s.txt", "--frames", "400"];
        run(&folder, &[&state[..], &rest].concat())
    };
    let output = load("b.atr");
    let told = stderr(&output);
    assert_eq!(std::fs::read(folder.0.join("b.atr")).unwrap(), disk(2));
    let (_, kept) = told
        .split_once("what programs wrote to a copy is kept in ")
        .unwrap();
    let kept = Path::new(kept.lines().next().unwrap());
    let copy = Disk::parse(&std::fs::read(kept).unwrap()).unwrap();
    assert_eq!((copy.sector(10).unwrap()[0], written(kept)), (1, 7));
    // It is named when that disk is mounted next.
    let output = run(&folder, &["w.xex", "--disk", "b.atr", "--frames", "10"]);
    let told = stderr(&output);
    assert!(told.contains(&kept.display().to_string()), "{told}");
    // The state's own disk is still as it was then: the drive continues with it.
    let output = load("a.atr");
    assert_eq!(stderr(&output), "");
    assert_eq!(written(&folder.0.join("a.atr")), 7);
    // Now it is not.
    folder.file("w.xex", &writer(8, true));
    let output = load("a.atr");
    assert!(stderr(&output).contains("kept in"), "{}", stderr(&output));
}

#[test]
fn what_a_name_says_to_the_terminal_does_not_reach_it_and_names_need_not_be_text() {
    let folder = Folder::new("losses-names");
    let output = run(&folder, &["no\u{1B}[2Jsuch.xex"]);
    let told = stderr(&output);
    assert!(
        told.contains("no\\u{1b}[2Jsuch.xex: there is no such file"),
        "{told}"
    );
    let name = OsStr::from_bytes(b"caf\xE9.xex");
    std::fs::write(folder.0.join(name), coloured()).unwrap();
    let output = anticlock(&folder.0)
        .arg("headless")
        .arg(name)
        .args(["--frames", "5"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    folder.file(
        "long.lst",
        format!("10 PRINT )\n20 {}\n", "x".repeat(1 << 20)).as_bytes(),
    );
    let output = run(&folder, &["long.lst"]);
    assert!(stderr(&output).len() < 2000);
}
