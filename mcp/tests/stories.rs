//! A fault in a C and in a BASIC program, found in a conversation, mended in the source, and kept away by a test.
mod talk;

use serde_json::{Value, json};
use std::path::Path;
use talk::{Client, talk};

const PRIMES: &str = include_str!("../../tests/programs/stories/primes.c");
const SORT: &str = include_str!("../../tests/programs/stories/sort.lst");

/// Asks one tool after the other; the answers, each of which must have its part.
async fn asks(client: &Client, steps: &[(&str, Value, &str)]) -> Vec<String> {
    let mut answers = Vec::new();
    for (tool, arguments, part) in steps {
        let answer = client.asks(tool, arguments.clone()).await;
        assert!(answer.contains(part), "{tool} {arguments}: {answer}");
        answers.push(answer);
    }
    answers
}

fn build(folder: &Path, text: &str) {
    std::fs::write(folder.join("primes.c"), text).unwrap();
    let arguments = [
        "-t",
        "atari",
        "-g",
        "-o",
        "primes.xex",
        "-Wl",
        "--dbgfile,primes.dbg",
        "primes.c",
    ];
    let mut tool = std::process::Command::new("cl65");
    let output = tool.args(arguments).current_dir(folder).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

#[test]
fn a_loop_in_c_that_ends_too_early() {
    let version = std::process::Command::new("cl65").arg("--version").output();
    if version.is_err() {
        eprintln!("skipped: this test needs cl65");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let test = include_str!("../../tests/programs/stories/primes.toml");
    std::fs::write(folder.path().join("test.toml"), test).unwrap();
    build(folder.path(), PRIMES);
    talk(folder.path(), async |client| {
        let steps = [
            (
                "run_tests",
                json!({}),
                "the screen does not show \"46 primes\"",
            ),
            ("load", json!({ "program": "primes.xex" }), "primes.c"),
            ("wait_for", json!({ "text": "primes" }), "47 primes"),
            ("debugger", json!({ "line": "print sieve[169]" }), "0"),
            ("breakpoints", json!({ "set": "mark" }), "mark"),
            ("step", json!({ "step": "run", "back": true }), "primes.c:"),
            ("debugger", json!({ "line": "print p" }), "11"),
        ];
        asks(&client, &steps).await;
        assert_eq!(PRIMES.matches("p < 13").count(), 1);
        build(folder.path(), &PRIMES.replace("p < 13", "p < 15"));
        asks(&client, &[("run_tests", json!({}), "1 passed, 0 failed")]).await;
    });
}

#[test]
fn a_sort_in_basic_that_leaves_out_its_last_round() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    file(
        "test.toml",
        include_str!("../../tests/programs/stories/sort.toml"),
    );
    file("sort.lst", SORT);
    talk(folder.path(), async |client| {
        let steps = [
            ("run_tests", json!({}), "1 2 4 9 3 5 10 6 7 11 12 8 DONE"),
            ("load", json!({ "program": "sort.lst" }), "sort.lst"),
            ("wait_for", json!({ "text": "DONE" }), "DONE"),
            ("breakpoints", json!({ "set": "basic 150" }), "150"),
            (
                "step",
                json!({ "step": "run", "back": true }),
                "150 IF GAP>1 THEN 60",
            ),
            ("debugger", json!({ "line": "print GAP" }), "1"),
        ];
        asks(&client, &steps).await;
        file("sort.lst", &SORT.replace("IF GAP>1 THEN", "IF GAP>=1 THEN"));
        asks(&client, &[("run_tests", json!({}), "1 passed, 0 failed")]).await;
    });
}
