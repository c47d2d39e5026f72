//! A fault in a program of each language, found at the debugger's prompt, mended in the source, and kept away by a test.
mod common;

use common::{Folder, anticlock, installed};
use std::io::Write;
use std::process::{Command, Stdio};

/// A program with a fault.
struct Story {
    folder: Folder,
    /// The source's name.
    source: &'static str,
    text: String,
    /// The command that builds the program, if it is to be built.
    build: &'static [&'static str],
}

impl Story {
    fn new(source: &'static str, text: &str, test: &str, build: &'static [&'static str]) -> Self {
        let story = Self {
            folder: Folder::new(&format!("story-{source}")),
            source,
            text: text.to_owned(),
            build,
        };
        story.folder.file("test.toml", test.as_bytes());
        story.built(text);
        story
    }

    fn built(&self, text: &str) {
        self.folder.file(self.source, text.as_bytes());
        let Some((tool, arguments)) = self.build.split_first() else {
            return;
        };
        let output = Command::new(tool)
            .args(arguments)
            .current_dir(&self.folder.0)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
    }

    /// The answers of the prompt to each command, one after the other.
    fn asks(&self, program: &str, commands: &[&str]) -> Vec<String> {
        let mut debugger = anticlock(&self.folder.0)
            .args(["debug", program, "--fresh"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A number that no answer has stands between two answers.
        let lines: Vec<String> = commands
            .iter()
            .map(|command| format!("{command}\nprint 31415\n"))
            .collect();
        let mut input = debugger.stdin.take().unwrap();
        input.write_all(lines.concat().as_bytes()).unwrap();
        drop(input);
        let output = debugger.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        let answers = out
            .split("31415 $7AB7\n")
            .map(|text| text.trim().to_owned());
        let answers: Vec<String> = answers.take(commands.len()).collect();
        for (command, answer) in commands.iter().zip(&answers) {
            println!("> {command}\n{answer}");
        }
        assert_eq!(answers.len(), commands.len());
        answers
    }

    /// The test's result.
    fn test(&self) -> (bool, String) {
        let output = anticlock(&self.folder.0)
            .args(["test", "."])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success(), text)
    }

    /// The test fails with this; with the mended text it passes.
    fn mended(&self, sentence: &str, from: &str, to: &str) {
        let (passed, text) = self.test();
        assert!(!passed && text.contains(sentence), "{text}");
        assert_eq!(self.text.matches(from).count(), 1, "{from}");
        self.built(&self.text.replace(from, to));
        let (passed, text) = self.test();
        assert!(passed && text.ends_with("1 passed, 0 failed\n"), "{text}");
    }
}

#[track_caller]
fn has(answer: &str, part: &str) {
    assert!(answer.contains(part), "{part}: {answer}");
}

#[test]
fn an_interrupt_that_loses_x() {
    if !installed("cl65") {
        return;
    }
    let story = Story::new(
        "bands.s",
        include_str!("../../tests/programs/stories/bands.s"),
        include_str!("../../tests/programs/stories/bands.toml"),
        &[
            "cl65",
            "-t",
            "atari",
            "-C",
            "atari-asm-xex.cfg",
            "-g",
            "-o",
            "bands.xex",
            "-Wl",
            "--dbgfile,bands.dbg",
            "bands.s",
        ],
    );
    let answers = story.asks(
        "bands.xex",
        &[
            "run 120",
            "dlis",
            "break dli2",
            "back",
            "print x",
            "dliend",
            "print x",
        ],
    );
    // The finding names the interrupt, the register and both values; there they are seen.
    has(&answers[1], "DLI 1 line 111 to dli2 (bands.s:56)");
    let lost = "DLI 1: X is $03 after it, was $";
    has(&answers[1], lost);
    let (_, rest) = answers[1].split_once(lost).unwrap();
    let before = &rest[..2];
    has(rest, " before, and the program uses it");
    has(&answers[3], "bands.s:56");
    has(&answers[4], &format!("${before}"));
    has(&answers[6], "3 $3");
    story.mended(
        "from main to filled 2",
        "        pla             ; fault: X is not given back\n",
        "        pla\n        tax\n",
    );
}

#[test]
fn a_loop_in_c_that_ends_too_early() {
    if !installed("cl65") {
        return;
    }
    let story = Story::new(
        "primes.c",
        include_str!("../../tests/programs/stories/primes.c"),
        include_str!("../../tests/programs/stories/primes.toml"),
        &[
            "cl65",
            "-t",
            "atari",
            "-g",
            "-o",
            "primes.xex",
            "-Wl",
            "--dbgfile,primes.dbg",
            "primes.c",
        ],
    );
    let answers = story.asks(
        "primes.xex",
        &[
            "run 300",
            "text",
            "print sieve[169]",
            "break mark",
            "back",
            "print p",
        ],
    );
    has(&answers[1], "47 primes");
    // 13 times 13 is not struck out, and 11 is the last number whose multiples are.
    assert_eq!(answers[2], "0");
    has(&answers[4], "primes.c:");
    has(&answers[5], "11");
    story.mended("\"46 primes\"", "p < 13", "p < 15");
}

#[test]
fn a_sort_in_basic_that_leaves_out_its_last_round() {
    let story = Story::new(
        "sort.lst",
        include_str!("../../tests/programs/stories/sort.lst"),
        include_str!("../../tests/programs/stories/sort.toml"),
        &[],
    );
    let answers = story.asks(
        "sort.lst",
        &[
            "run 600",
            "text",
            "break basic 150",
            "back",
            "print GAP",
            "print GAP>1",
        ],
    );
    has(&answers[1], "1 2 4 9 3 5 10 6 7 11 12 8 DONE");
    has(&answers[3], "150 IF GAP>1 THEN 60");
    assert_eq!((answers[4].as_str(), answers[5].as_str()), ("1", "0"));
    story.mended("1 2 3 4 5 6 7", "IF GAP>1 THEN", "IF GAP>=1 THEN");
}
