//! The folder of H: and D:, from BASIC and from C: `docs/media.md`.
mod common;

use common::{Folder, anticlock, installed};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs a program without a window on a folder `h`, and gives its output.
fn run(folder: &Folder, arguments: &[&str]) -> Output {
    std::fs::create_dir_all(folder.0.join("h")).unwrap();
    let mut command = anticlock(&folder.0);
    command.arg("headless").args(arguments);
    command.output().unwrap()
}

fn screen(output: &Output) -> String {
    assert!(output.status.success(), "{}", told(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn program(name: &str) -> PathBuf {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs/folder");
    programs.join(name)
}

/// Compiles a program of C; `None` without cc65.
fn compiled(folder: &Folder, source: &str, options: &[&str]) -> Option<String> {
    if !installed("cl65") {
        return None;
    }
    let made = folder.0.join("c.xex");
    let output = Command::new("cl65")
        .args(["-t", "atari", "-O"])
        .args(options)
        .arg("-o")
        .arg(&made)
        .arg("-m")
        .arg(folder.0.join("map"))
        .arg(program(source))
        .env("TMPDIR", &folder.0)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", told(&output));
    // cl65 leaves the object beside the source.
    let _ = std::fs::remove_file(program(source).with_extension("o"));
    Some(made.to_str().unwrap().to_owned())
}

#[test]
fn hw_bas_reads_back_the_bytes_that_it_has_written() {
    let folder = Folder::new("folder-hw");
    let listing = program("hw.lst");
    let listing = listing.to_str().unwrap();
    let output = run(&folder, &[listing, "--host", "h", "--host-write", "--text"]);
    let screen = screen(&output);
    assert_eq!(
        screen.matches("72 10 73 13 10 90 E136").count(),
        2,
        "{screen}"
    );
    let file = std::fs::read(folder.0.join("h/SCORE.DAT")).unwrap();
    assert_eq!(file, [72, 10, 73, 13, 10, 90]);
}

#[test]
fn fio2_c_opens_files_by_names_that_end_with_a_zero_byte() {
    let folder = Folder::new("folder-fio2");
    let Some(made) = compiled(&folder, "fio2.c", &[]) else {
        return;
    };
    std::fs::create_dir_all(folder.0.join("h")).unwrap();
    folder.file("h/keep.txt", b"kept");
    let arguments = ["--host", "h", "--host-write", "--frames", "400", "--text"];
    let output = run(&folder, &[&[&made[..]], &arguments[..]].concat());
    let screen = screen(&output);
    assert_eq!(screen.matches("good").count(), 5, "{screen}");
    for name in ["C.TXT", "D.TXT", "E.TXT"] {
        let file = std::fs::read(folder.0.join("h").join(name)).unwrap();
        assert_eq!(file, b"hi\x9B", "{name}");
    }
}

#[test]
fn stdio_c_finds_every_mode_right_on_every_device() {
    let folder = Folder::new("folder-stdio");
    for (device, text) in [
        ("H:", false),
        ("D:", false),
        ("H2:", false),
        ("H6:", true),
        ("H7:", true),
    ] {
        let define = format!("-DDEVICE=\"{device}\"");
        let mut options = vec![&define[..]];
        options.extend(text.then_some("-DTEXT"));
        let Some(made) = compiled(&folder, "stdio.c", &options) else {
            return;
        };
        for name in ["h", "h2"] {
            let _ = std::fs::remove_dir_all(folder.0.join(name));
            std::fs::create_dir_all(folder.0.join(name)).unwrap();
        }
        let hosts = ["--host", "h", "--host", "h2", "--host-write"];
        let arguments = [&[&made[..]], &hosts[..], &["--frames", "1500", "--text"]].concat();
        let screen = screen(&run(&folder, &arguments));
        assert!(screen.contains("all good"), "{device}\n{screen}");
        let at = if device.contains(['2', '7']) {
            "h2"
        } else {
            "h"
        };
        let file = std::fs::read(folder.0.join(at).join("BYTES.DAT")).unwrap();
        assert_eq!(file, b"shOUT", "{device}");
    }
}

#[test]
fn text_goes_from_the_host_to_basic_and_back() {
    let folder = Folder::new("folder-text");
    std::fs::create_dir_all(folder.0.join("h")).unwrap();
    folder.file(
        "h/my new listing.txt",
        b"10 PRINT \"FROM THE HOST\"\r\n20 PRINT 1\r\n",
    );
    let alias = session::folder::alias("my new listing.txt");
    let typed = format!("ENTER \"H6:{alias}\"\nRUN\nLIST \"H6:BACK.TXT\"\nLIST \"H:RAW.LST\"\n");
    let output = run(
        &folder,
        &[
            "basic",
            "--host",
            "h",
            "--host-write",
            "--type",
            &typed,
            "--text",
        ],
    );
    assert!(screen(&output).contains("FROM THE HOST"));
    let text = std::fs::read(folder.0.join("h/BACK.TXT")).unwrap();
    assert_eq!(text, b"10 PRINT \"FROM THE HOST\"\n20 PRINT 1\n");
    let raw = std::fs::read(folder.0.join("h/RAW.LST")).unwrap();
    assert_eq!(raw, b"10 PRINT \"FROM THE HOST\"\x9B20 PRINT 1\x9B");
}

#[test]
fn basic_has_a_place_to_save_from_the_first_minute() {
    let folder = Folder::new("folder-home");
    let data = folder.0.join("elsewhere");
    let anticlock = |typed: &str| {
        let mut command = anticlock(&folder.0);
        command
            .env("ANTICLOCK_DATA", &data)
            .args(["headless", "basic", "--text"]);
        command.args(["--type", typed]).output().unwrap()
    };
    let output = anticlock("10 PRINT \"HERE\";6*7\nSAVE \"D:GAME.BAS\"\n");
    let home = data.join("files");
    let told = told(&output);
    assert!(
        told.contains(&format!(
            "files on H: and D: are kept in {}",
            home.display()
        )),
        "{told}"
    );
    let file = std::fs::read(home.join("GAME.BAS")).unwrap();
    assert!(media::basic::is_save(&file));
    let output = anticlock("RUN \"H:GAME.BAS\"\n");
    assert!(screen(&output).contains("HERE42"));
    assert_eq!(self::told(&output), "", "the folder is named once");
}

#[test]
fn modes_lst_has_the_results_that_it_has_on_the_page() {
    let folder = Folder::new("folder-modes");
    let listing = program("modes.lst");
    let arguments = ["--host", "h", "--host-write", "--frames", "6000", "--text"];
    let output = run(
        &folder,
        &[&[listing.to_str().unwrap()], &arguments[..]].concat(),
    );
    let screen = screen(&output);
    assert!(screen.contains("ALL DONE"), "{screen}");
    let result = std::fs::read(folder.0.join("h/RESULT.TXT")).unwrap();
    let result = session::folder::text::from_atascii(&result);
    let wanted = std::fs::read_to_string(program("modes.wanted")).unwrap();
    assert_eq!(String::from_utf8_lossy(&result), wanted);
}

#[test]
fn files_that_are_open_at_the_end_have_what_was_written() {
    let folder = Folder::new("folder-end");
    let listing = program("h-open-at-end.lst");
    let listing = listing.to_str().unwrap();
    std::fs::create_dir_all(folder.0.join("h")).unwrap();
    folder.file("h/LOG.TXT", b"old");
    let arguments = [
        "--host",
        "h",
        "--host-write",
        "--frames",
        "600",
        "--ram",
        "ram",
    ];
    let output = run(&folder, &[&[listing], &arguments[..]].concat());
    assert!(output.status.success(), "{}", told(&output));
    let log = std::fs::read(folder.0.join("h/LOG.TXT")).unwrap();
    let lines = log.split(|&c| c == 0x9B).filter(|line| !line.is_empty());
    let count = lines.count();
    // The program is between its PRINT and its POKE.
    let counted = usize::from(std::fs::read(folder.0.join("ram")).unwrap()[1536]);
    assert!(log.starts_with(b"LINE 1\x9BLINE 2\x9B") && count > 10);
    assert!(
        (counted..=counted + 1).contains(&count),
        "{count} {counted}"
    );
}

#[cfg(unix)]
mod ended {
    use super::*;
    use common::wait_for;
    use std::process::{Child, Stdio};

    fn begin(folder: &Folder, more: &[&str]) -> Child {
        std::fs::create_dir_all(folder.0.join("h")).unwrap();
        let listing = program("h-open-at-end.lst");
        let hosts = ["--host", "h", "--host-write", "--frames", "100000000"];
        let child = anticlock(&folder.0)
            .arg("headless")
            .arg(listing)
            .args(hosts)
            .args(more)
            .args(["--audio", "a.wav"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The recording begins when everything has been read; then it takes some seconds of the machine's time.
        wait_for("a second of the run", || {
            let mut files = std::fs::read_dir(&folder.0).unwrap().flatten();
            let grown = |item: std::fs::DirEntry| {
                let temporary = item
                    .file_name()
                    .to_string_lossy()
                    .starts_with(".anticlock-");
                temporary && item.metadata().is_ok_and(|about| about.len() > 2_000_000)
            };
            files.any(grown).then_some(())
        });
        child
    }

    fn signal(child: &Child, signal: &str) {
        let id = child.id().to_string();
        let status = Command::new("kill").args([signal, &id]).status();
        assert!(status.unwrap().success());
    }

    #[test]
    fn h_open_at_end_is_written_when_a_signal_ends_the_run() {
        let folder = Folder::new("folder-term");
        let child = begin(&folder, &[]);
        signal(&child, "-TERM");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(143));
        assert!(
            told(&output).contains("everything was written"),
            "{}",
            told(&output)
        );
        let log = std::fs::read(folder.0.join("h/LOG.TXT")).unwrap();
        assert!(log.starts_with(b"LINE 1\x9BLINE 2\x9B"));
    }

    /// A new user's first two days.
    #[test]
    fn what_is_typed_and_saved_is_there_after_the_end_of_the_run_and_comes_back_from_an_editor() {
        let folder = Folder::new("folder-walk");
        let files = folder.0.join("data/files");
        let basic = |typed: &str, more: &[&str]| {
            let mut command = anticlock(&folder.0);
            command
                .env("ANTICLOCK_DATA", folder.0.join("data"))
                .args(["headless", "basic", "--type", typed])
                .args(more);
            command
        };
        let typed = "10 PRINT \"KEPT \";6*7\nSAVE \"D:GAME.BAS\"\n";
        let child = basic(typed, &["--frames", "100000000"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for("the saved program", || {
            files.join("GAME.BAS").exists().then_some(())
        });
        signal(&child, "-TERM");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(143), "{}", told(&output));
        let typed = "LOAD \"D:GAME.BAS\"\n20 PRINT \"CHANGED\"\nRUN\nLIST \"H6:GAME.LST\"\n";
        let output = basic(typed, &["--text"]).output().unwrap();
        assert!(screen(&output).contains("KEPT 42\n  CHANGED\n"));
        let listing = std::fs::read_to_string(files.join("GAME.LST")).unwrap();
        assert_eq!(listing, "10 PRINT \"KEPT \";6*7\n20 PRINT \"CHANGED\"\n");
        // An editor of the host writes another file in its place.
        let edited = format!("{listing}30 PRINT \"EDITED\"\r\n");
        std::fs::write(files.join("new"), edited).unwrap();
        std::fs::rename(files.join("new"), files.join("GAME.LST")).unwrap();
        let typed = "ENTER \"H6:GAME.LST\"\nRUN\n";
        let output = basic(typed, &["--text"]).output().unwrap();
        assert!(screen(&output).contains("KEPT 42\n  CHANGED\n  EDITED\n"));
    }

    #[test]
    fn what_cannot_be_written_at_the_end_is_named() {
        use std::os::unix::fs::symlink;
        let folder = Folder::new("folder-lost");
        let child = begin(&folder, &[]);
        // A link has the name now: nothing is written through it.
        symlink(folder.0.join("outside"), folder.0.join("h/LOG.TXT")).unwrap();
        signal(&child, "-TERM");
        let output = child.wait_with_output().unwrap();
        let told = told(&output);
        assert_eq!(output.status.code(), Some(143), "{told}");
        assert!(told.contains("is lost: H:LOG.TXT"), "{told}");
        assert!(told.contains("not everything could be written"), "{told}");
        assert!(!folder.0.join("outside").exists());
    }

    #[test]
    fn a_second_signal_of_a_kind_ends_a_run_that_hangs() {
        for (name, number) in [("-TERM", 143), ("-INT", 130)] {
            let folder = Folder::new(&format!("folder-twice{name}"));
            let pipe = folder.0.join("pipe");
            let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
            assert!(made.success());
            // Nothing reads the pipe: the end waits for it for ever.
            let mut child = begin(&folder, &["--screenshot", "pipe"]);
            signal(&child, name);
            wait_for("the file of the end", || {
                folder.0.join("h/LOG.TXT").exists().then_some(())
            });
            std::thread::sleep(std::time::Duration::from_millis(400));
            assert!(child.try_wait().unwrap().is_none(), "it hangs");
            signal(&child, name);
            let ended = wait_for("the end", || child.try_wait().unwrap());
            assert_eq!(ended.code(), Some(number));
        }
    }
}
