//! `anticlock disk` and the files on disks of DOS 2.

mod common;

use common::{Folder, anticlock};
use std::process::Output;

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    let mut all = vec!["disk"];
    all.extend(arguments);
    anticlock(&folder.0).args(all).output().unwrap()
}

fn fails(output: &Output, status: i32, sentence: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{error}");
    assert!(error.contains(sentence), "{sentence}: {error}");
}

fn good(folder: &Folder, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn files_go_to_a_disk_and_come_back() {
    for density in ["single", "enhanced", "double"] {
        let folder = Folder::new(&format!("disks-{density}"));
        good(&folder, &["new", "a.atr", "--density", density]);
        let bytes: Vec<u8> = (0..30_000u32).map(|i| (i * 7 % 251) as u8).collect();
        folder.file("data.bin", &bytes);
        folder.file("text.txt", b"one\r\ntwo\tthree\nfour");
        good(&folder, &["put", "a.atr", "data.bin"]);
        good(
            &folder,
            &["put", "a.atr", "text.txt", "--text", "--name", "t.lst"],
        );
        let listed = good(&folder, &["ls", "a.atr"]);
        for line in [
            "  DOS.SYS ",
            "  DATA.BIN       30000",
            "  T.LST ",
            " sectors free",
        ] {
            assert!(listed.contains(line), "{line}: {listed}");
        }
        assert_eq!(good(&folder, &["ls", "a.atr", "*.lst"]).lines().count(), 2);
        assert_eq!(
            run(&folder, &["get", "a.atr", "t.lst", "--to", "-"]).stdout,
            b"one\x9btwo\x7fthree\x9bfour\x9b"
        );
        assert_eq!(
            good(&folder, &["get", "a.atr", "t.lst", "--to", "-", "--text"]),
            "one\ntwo\tthree\nfour\n"
        );
        std::fs::create_dir(folder.0.join("out")).unwrap();
        good(&folder, &["get", "a.atr", "*.*", "--to", "out"]);
        assert_eq!(std::fs::read(folder.0.join("out/DATA.BIN")).unwrap(), bytes);
        assert!(good(&folder, &["check", "a.atr"]).contains("no errors"));
        good(&folder, &["rm", "a.atr", "*.bin", "t.lst"]);
        assert_eq!(good(&folder, &["ls", "a.atr"]).lines().count(), 3);
        assert!(good(&folder, &["info", "a.atr"]).contains("DOS 2: 2 files"));
    }
}

#[test]
fn bad_input_is_a_sentence_and_changes_nothing() {
    let folder = Folder::new("disks-bad");
    good(&folder, &["new", "a.atr", "--no-dos"]);
    let empty = std::fs::read(folder.0.join("a.atr")).unwrap();
    folder.file("big", &vec![0; 100_000]);
    folder.file("a file with spaces", b"x");
    folder.file("x", b"x");
    folder.file(
        "blank.atr",
        &media::atr::Disk::blank(media::atr::Blank::Single).to_bytes(),
    );
    let bad: [(&[&str], &str); 9] = [
        (
            &["put", "a.atr", "big"],
            "the disk is full: BIG needs 800 sectors and 707 are free",
        ),
        (
            &["put", "a.atr", "a file with spaces"],
            "is not a file name of DOS 2",
        ),
        (&["put", "a.atr", "none"], "there is no such file"),
        (
            &["put", "a.atr", "x", "big", "--name", "Y"],
            "--name is for one file",
        ),
        (
            &["rm", "a.atr", "none"],
            "there is no file NONE on the disk",
        ),
        (&["get", "a.atr", "*.x"], "there is no file *.X on the disk"),
        (&["ls", "blank.atr"], "this is not a disk of DOS 2.0 or 2.5"),
        (&["ls", "x"], "not an ATR disk image"),
        (
            &["dos", "blank.atr"],
            "this is not a disk of DOS 2.0 or 2.5",
        ),
    ];
    for (arguments, sentence) in bad {
        fails(&run(&folder, arguments), 2, sentence);
        assert_eq!(std::fs::read(folder.0.join("a.atr")).unwrap(), empty);
    }
    // A file on the host is not replaced unless that is asked for.
    good(&folder, &["put", "a.atr", "x"]);
    folder.file("X", b"mine");
    fails(
        &run(&folder, &["get", "a.atr", "x", "--to", "X"]),
        2,
        "exists already",
    );
    good(&folder, &["get", "a.atr", "x", "--to", "X", "--force"]);
    // The write protection in the image's header.
    let mut locked = empty;
    locked[15] = 1;
    folder.file("locked.atr", &locked);
    fails(
        &run(&folder, &["put", "locked.atr", "x"]),
        2,
        "the disk is write-protected",
    );
}

#[test]
fn a_dos_is_added_and_a_packed_image_stays_packed() {
    let folder = Folder::new("disks-dos");
    good(&folder, &["new", "a.atr", "--no-dos"]);
    assert_eq!(good(&folder, &["ls", "a.atr"]), "707 sectors free\n");
    for _ in 0..2 {
        good(&folder, &["dos", "a.atr"]);
        let listed = good(&folder, &["ls", "a.atr"]);
        assert!(
            listed.contains("DOS.SYS") && listed.contains("COMMAND.SYS"),
            "{listed}"
        );
    }
    let raw = std::fs::read(folder.0.join("a.atr")).unwrap()[16..].to_vec();
    folder.file("raw.xfd", &raw);
    folder.file("x", b"hello");
    good(&folder, &["put", "raw.xfd", "x"]);
    assert_eq!(
        std::fs::read(folder.0.join("raw.xfd")).unwrap().len(),
        raw.len()
    );
    assert_eq!(
        good(&folder, &["get", "raw.xfd", "x", "--to", "-"]),
        "hello"
    );
}
