//! The server with the client of the protocol's own SDK, in conversations.
mod talk;

use serde_json::json;
use std::path::{Path, PathBuf};
use talk::talk;
use tempfile::TempDir;

fn build(folder: &Path, source: &str) {
    std::fs::write(folder.join("chain.s"), source).unwrap();
    let output = std::process::Command::new("cl65")
        .args([
            "-t",
            "atari",
            "-C",
            "atari-asm-xex.cfg",
            "-g",
            "-o",
            "chain.xex",
            "-Wl",
            "--dbgfile,chain.dbg",
            "chain.s",
        ])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Colours of the row in which the third band begins, in its left and right half.
fn halves(picture: &[[u8; 3]], row: usize) -> ([u8; 3], [u8; 3]) {
    (picture[row * 376 + 60], picture[row * 376 + 320])
}

#[test]
fn a_late_display_list_interrupt_is_found_and_mended() {
    if std::process::Command::new("cl65")
        .arg("--version")
        .output()
        .is_err()
    {
        eprintln!("skipped: this test needs cl65");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = include_str!("chain.s");
    build(folder.path(), source);
    std::fs::write(
        folder.path().join("test.toml"),
        "program = \"chain.xex\"\nbuild = \"touch built\"\n[[test]]\nname = \"the third band has whole lines\"\nsteps = [{ wait = 120 }, { pixel = [60, 129], colour = 0xC6 }]\n",
    )
    .unwrap();
    talk(folder.path(), async |client| {
        let tools = client.0.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        for name in [
            "load",
            "type",
            "press",
            "wait_for",
            "look",
            "memory",
            "disassembly",
            "breakpoints",
            "step",
            "why",
            "who",
            "dlis",
            "lint",
            "run_tests",
            "assemble",
            "basic_check",
            "debugger",
        ] {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
        // A test says that something is wrong; the picture shows where.
        let tests = client.asks("run_tests", json!({})).await;
        assert!(tests.contains("FAIL  ./test.toml:5: the third band has whole lines: the pixel at 60, 129 has colour $34, not $C6"), "{tests}");
        assert!(!folder.path().join("built").exists(), "a build has run");
        let loaded = client.asks("load", json!({ "program": "chain.xex" })).await;
        assert!(
            loaded.contains("chain.xex is loaded")
                && loaded.contains("sources: ")
                && loaded.contains("chain.s"),
            "{loaded}"
        );
        assert!(loaded.contains("\n\nNext: "), "{loaded}");
        client.asks("wait_for", json!({ "frames": 60 })).await;
        let picture = client.picture().await;
        let (left, right) = halves(&picture, 129);
        assert_ne!(left, right, "the line is of one colour");
        let third = right;
        // What looks wrong, and the cause of both halves.
        let lint = client.asks("lint", json!({})).await;
        assert!(lint.contains("DLI 2") && lint.contains("COLPF2"), "{lint}");
        let why = client.asks("why", json!({ "x": 320, "y": 129 })).await;
        assert!(why.contains("put (chain.s:59)"), "{why}");
        let why = client.asks("why", json!({ "x": 60, "y": 129 })).await;
        assert!(
            why.contains("second+") && !why.contains("put (chain.s:59)"),
            "{why}"
        );
        let dlis = client.asks("dlis", json!({})).await;
        assert!(
            dlis.contains("DLI 2 line ") && dlis.contains("third"),
            "{dlis}"
        );
        // There, backwards and forwards.
        client.asks("breakpoints", json!({ "set": "put" })).await;
        let there = client
            .asks("step", json!({ "step": "run", "back": true }))
            .await;
        assert!(there.contains("put"), "{there}");
        let code = client
            .asks("disassembly", json!({ "address": "put", "lines": 5 }))
            .await;
        assert!(code.contains("STA COLPF2"), "{code}");
        client.asks("breakpoints", json!({ "clear": "all" })).await;
        // It is tried in memory: the colour is there before the line ends, and is stored when it does.
        let lines = ["PHA", "LDA #$C6", "STA WSYNC", "STA COLPF2", "PLA", "RTI"];
        client
            .asks("assemble", json!({ "address": "third", "lines": lines }))
            .await;
        client.asks("wait_for", json!({ "frames": 3 })).await;
        let (left, right) = halves(&client.picture().await, 129);
        assert_eq!((left, left), (right, third));
        let lint = client.asks("lint", json!({})).await;
        assert!(
            lint.starts_with("nothing looks wrong with the 3 display list interrupts"),
            "{lint}"
        );
        // So it goes into the source, and the test keeps it.
        let (before, rest) = source.split_once("third:").unwrap();
        let (_, after) = rest.split_once("        .data").unwrap();
        let mended = lines.map(|line| format!("        {line}\n")).concat();
        build(
            folder.path(),
            &format!("{before}third:\nput:\n{mended}        .data{after}"),
        );
        let tests = client.asks("run_tests", json!({ "only": "third" })).await;
        assert!(
            tests.starts_with("ok ") && tests.contains("1 passed, 0 failed"),
            "{tests}"
        );
    });
}

/// A folder `in` beside a program, a listing and a picture that are not its own.
fn beside() -> (TempDir, PathBuf) {
    let top = tempfile::tempdir().unwrap();
    let inside = top.path().join("in");
    std::fs::create_dir(&inside).unwrap();
    std::fs::write(top.path().join("secret.lst"), "10 PRINT \"SECRET\"\n").unwrap();
    std::fs::write(
        inside.join("main.lst"),
        "10 DIM A$(20):PRINT \"OURS\"\n20 INPUT A$\n30 PRINT \"GOT \";A$\n40 GOTO 20\n",
    )
    .unwrap();
    (top, inside)
}

#[test]
fn a_program_is_typed_to_and_looked_at() {
    let (_top, folder) = beside();
    talk(&folder, async |client| {
        assert_eq!(
            client.ask("look", json!({})).await.unwrap_err(),
            "no program is loaded: load one first"
        );
        let check = client
            .asks("basic_check", json!({ "file": "main.lst" }))
            .await;
        assert!(check.starts_with("no errors, "), "{check}");
        client
            .asks(
                "load",
                json!({ "program": "main.lst", "options": ["--tv", "pal"] }),
            )
            .await;
        let shown = client.asks("wait_for", json!({ "text": "OURS" })).await;
        assert!(shown.starts_with("so it is after "), "{shown}");
        let typed = client.asks("type", json!({ "text": "HELLO\\n" })).await;
        assert!(typed.starts_with("typed; "), "{typed}");
        // The answer shows what the line did.
        assert!(typed.contains("GOT HELLO"), "{typed}");
        let late = client
            .asks("wait_for", json!({ "text": "NEVER", "frames": 30 }))
            .await;
        assert!(
            late.starts_with("30 frames have run, and it did not come; the screen:"),
            "{late}"
        );
        let pressed = client.asks("press", json!({ "what": "break" })).await;
        assert!(pressed.starts_with("pressed; "), "{pressed}");
        client.asks("wait_for", json!({ "frames": 10 })).await;
        assert!(
            client
                .asks("look", json!({ "what": "text" }))
                .await
                .contains("STOPPED")
        );
        let condition = client
            .asks(
                "wait_for",
                json!({ "condition": "line > 100", "frames": 5 }),
            )
            .await;
        assert!(
            condition.starts_with("so it is after ") || condition.contains("did not come"),
            "{condition}"
        );
        let who = client.asks("who", json!({ "address": "COLPF2" })).await;
        assert!(who.contains("COLPF2") && who.contains("Next: "), "{who}");
        let memory = client
            .asks("memory", json!({ "address": "$0600", "lines": 2 }))
            .await;
        assert!(
            memory.contains("0600") && memory.contains("0610") || memory.contains("0608"),
            "{memory}"
        );
        // What is not understood is one sentence.
        for (tool, arguments, sentence) in [
            (
                "press",
                json!({ "what": "fire" }),
                "key, joystick, paddle, light-pen, light-gun, st-mouse, amiga-mouse, trak-ball, start, select, option, break, reset are what can be pressed",
            ),
            (
                "memory",
                json!({ "address": "nowhere" }),
                "there is no \"nowhere\"",
            ),
            (
                "debugger",
                json!({ "line": "dance" }),
                "there is no command \"dance\"",
            ),
            (
                "look",
                json!({ "what": "sound" }),
                "what is text, picture or both",
            ),
            (
                "wait_for",
                json!({ "text": "a", "place": "b" }),
                "one of text, place and condition is wanted",
            ),
            ("type", json!({ "text": "\u{e9}" }), ""),
            (
                "assemble",
                json!({ "address": "$0600", "lines": ["NOP", "FLY"] }),
                "line 2: ",
            ),
            (
                "basic_check",
                json!({ "file": "none.lst" }),
                "none.lst: there is no such file",
            ),
        ] {
            let error = client.ask(tool, arguments).await.unwrap_err();
            assert!(
                error.contains(sentence) && error.lines().count() == 1,
                "{tool}: {error}"
            );
        }
    });
}

#[test]
fn answers_and_runs_are_bounded() {
    let (_top, folder) = beside();
    talk(&folder, async |client| {
        client.asks("load", json!({ "program": "main.lst" })).await;
        let memory = client
            .asks("memory", json!({ "address": "0", "lines": 4096 }))
            .await;
        assert!(
            memory.contains(" more lines: ask for fewer\n\nNext: "),
            "{}",
            memory.len()
        );
        let error = client
            .ask("debugger", json!({ "line": "run 36001" }))
            .await
            .unwrap_err();
        assert_eq!(error, "one request runs 36000 frames at most");
    });
}

#[test]
fn nothing_outside_of_the_folder_is_read_or_written() {
    let (top, folder) = beside();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let secret = top.path().join("secret.lst");
    // Debug information that names a source elsewhere, and a test for each way out.
    write("main.dbg", "version\tmajor=2,minor=0\n");
    let test = |head: &str, body: &str| format!("{head}\n[[test]]\nname = \"x\"\n{body}\n");
    let waits = "steps = [{ wait = 1 }]";
    write("a.toml", &test("program = \"../secret.lst\"", waits));
    write(
        "b.toml",
        &test(
            "program = \"main.lst\"\noptions = [\"--disk\", \"../secret.lst\"]",
            waits,
        ),
    );
    write(
        "c.toml",
        &test(
            "program = \"main.lst\"",
            "steps = [{ picture = \"../made.png\" }]",
        ),
    );
    write(
        "d.toml",
        &test("program = \"main.lst\"", "script = \"../secret.lst\""),
    );
    write(
        "e.toml",
        &test(
            "program = \"main.lst\"\nbuild = \"echo x > ../made.png\"",
            waits,
        ),
    );
    write("f.txt", "# program: ../secret.lst\n0 key a\n");
    write(
        "g.toml",
        &test(
            "program = \"main.lst\"\noptions = [\"--host\", \"..\"]",
            waits,
        ),
    );
    #[cfg(unix)]
    std::os::unix::fs::symlink(&secret, folder.join("link.lst")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(top.path(), folder.join("up")).unwrap();
    let outside = "this is outside of the folder, or is not there";
    talk(&folder, async |client| {
        let absolute = secret.to_str().unwrap();
        for name in [
            "../secret.lst",
            absolute,
            "link.lst",
            "up/secret.lst",
            "/etc/passwd",
        ] {
            for (tool, key) in [
                ("load", "program"),
                ("basic_check", "file"),
                ("run_tests", "path"),
            ] {
                let error = client.ask(tool, json!({ key: name })).await.unwrap_err();
                assert!(error.ends_with(outside), "{tool} {name}: {error}");
            }
        }
        for options in [
            ["--disk", "../secret.lst"],
            ["--labels", absolute],
            ["--os", "link.lst"],
            ["--host", "up"],
        ] {
            let error = client
                .ask("load", json!({ "program": "main.lst", "options": options }))
                .await
                .unwrap_err();
            assert!(error.ends_with(outside), "{options:?}: {error}");
        }
        for file in ["a.toml", "b.toml", "c.toml", "d.toml", "f.txt", "g.toml"] {
            let error = client
                .ask("run_tests", json!({ "path": file, "bless": true }))
                .await
                .unwrap_err();
            assert!(error.ends_with(outside), "{file}: {error}");
        }
        let ran = client.asks("run_tests", json!({ "path": "e.toml" })).await;
        assert!(ran.contains("1 passed"), "{ran}");
    });
    let left: Vec<_> = std::fs::read_dir(top.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn text_of_sources_elsewhere_stays_unknown() {
    let (top, folder) = beside();
    let secret = top.path().join("secret.asm");
    std::fs::write(&secret, "one\nsecret line\nthree\n").unwrap();
    // LDA #1, JMP to it, with a listing of MADS that names a source outside.
    let program = [
        0xFF, 0xFF, 0x00, 0x20, 0x04, 0x20, 0xA9, 0x01, 0x4C, 0x00, 0x20, 0xE0, 0x02, 0xE1, 0x02,
        0x00, 0x20,
    ];
    std::fs::write(folder.join("p.xex"), program).unwrap();
    let listing = format!(
        "mads 2.1.8\nSource: {}\n     1 \t\t\t\torg $2000\n     2 2000 A9 01\t\tstart\tlda #1\n     3 2002 4C 00 20\t\tjmp start\n",
        secret.display()
    );
    std::fs::write(folder.join("p.lst"), listing).unwrap();
    talk(&folder, async |client| {
        let loaded = client.asks("load", json!({ "program": "p.xex" })).await;
        assert!(loaded.contains("secret.asm"), "{loaded}");
        let source = client
            .ask("debugger", json!({ "line": "source secret.asm:2" }))
            .await;
        let text = source.unwrap_or_else(|error| error);
        assert!(!text.contains("secret line"), "{text}");
    });
}
