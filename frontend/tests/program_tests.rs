//! `anticlock test` as its users and their CI run it.
mod common;

use common::{Folder, Running, anticlock};
use std::io::{BufRead, BufReader, Lines};
use std::process::{ChildStdout, Stdio};

const LISTING: &[u8] = b"10 PRINT \"HELLO\"\n20 GOTO 20\n";

fn test(text: &str) -> String {
    format!(
        "program = \"main.lst\"\n[[test]]\nname = \"greets\"\nsteps = [{{ wait-text = \"{text}\", within = 400 }}]\n"
    )
}

#[test]
fn the_exit_status_says_how_it_went() {
    let folder = Folder::new("program-tests");
    folder.file("main.lst", LISTING);
    let run = |text: &str| {
        folder.file("test.toml", text.as_bytes());
        let output = anticlock(&folder.0).args(["test", "."]).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let (status, out, errors) = run(&test("HELLO"));
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(
        out.starts_with("ok    ./test.toml: greets, ") && out.ends_with("1 passed, 0 failed\n"),
        "{out}"
    );
    let (status, out, errors) = run(&test("GOODBYE"));
    assert_eq!(
        (status, errors.as_str()),
        (1, "anticlock: 1 of 1 tests failed\n")
    );
    assert!(
        out.starts_with(
            "FAIL  ./test.toml:4: greets: the screen never showed \"GOODBYE\" in 400 frames\n"
        ),
        "{out}"
    );
    // The screen is shown with it.
    assert!(out.contains("      |   HELLO\n"), "{out}");
    let (status, out, errors) = run("program = \"main.lst\"\ntset = 1\n");
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(
        errors
            .starts_with("anticlock: ./test.toml: line 2: unknown field `tset`, expected one of ")
            && errors.lines().count() == 1,
        "{errors}"
    );
}

/// `anticlock test --watch` in a folder, and its lines up to the next wait.
struct Watched {
    lines: Lines<BufReader<ChildStdout>>,
    _running: Running,
}

impl Watched {
    fn new(folder: &Folder) -> Self {
        let mut child = anticlock(&folder.0)
            .args(["test", ".", "--watch", "--junit", "out.xml"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self {
            lines,
            _running: Running(child),
        }
    }

    fn round(&mut self) -> Vec<String> {
        let lines = self.lines.by_ref().map(Result::unwrap);
        lines
            .take_while(|line| line != "waiting for a change")
            .collect()
    }
}

#[test]
fn a_change_runs_the_tests_again() {
    let folder = Folder::new("program-watch");
    folder.file("main.lst", LISTING);
    folder.file("test.toml", test("HELLO").as_bytes());
    let mut watched = Watched::new(&folder);
    // A file that is just being written may be found empty, and be no program for a run or a round.
    let mut last = || {
        let mut rounds = (0..3).map(|_| watched.round());
        let lines = rounds.find(|lines| !lines.is_empty()).unwrap_or_default();
        let mut cases = lines.into_iter().filter(|line| line.contains("greets"));
        cases.next_back().unwrap()
    };
    assert!(last().starts_with("ok    "));
    folder.file("main.lst", b"10 PRINT \"GOODBYE\"\n20 GOTO 20\n");
    assert!(last().starts_with("FAIL  "));
    folder.file("main.lst", LISTING);
    assert!(last().starts_with("ok    "));
}

#[cfg(unix)]
#[test]
fn a_change_while_the_tests_run_is_not_lost_and_a_build_is_no_change() {
    for (build, runs) in [
        ("test -e changed || touch changed", 2),
        ("date +%s%N >written", 2),
        ("test -e main.lst", 1),
    ] {
        let folder = Folder::new("program-watch-run");
        folder.file("main.lst", LISTING);
        let text = format!("build = \"{build}\"\n{}", test("HELLO"));
        folder.file("test.toml", text.as_bytes());
        let lines = Watched::new(&folder).round();
        let passed = lines.iter().filter(|line| line.starts_with("ok    "));
        assert_eq!(passed.count(), runs, "{build}: {lines:?}");
    }
}
