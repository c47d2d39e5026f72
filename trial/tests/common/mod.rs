//! Programs and tests of them in a folder of their own.
#![allow(dead_code)]
use debugger::{Symbols, assemble};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use trial::{CaseResult, Options, Summary, run_all};

/// The address of programs.
const START: u16 = 0x2000;

/// Assembles lines `label: instruction`, `.byte $12,$34` and `; comment` from $2000 on: the bytes and the labels.
pub fn assembled(source: &str) -> (Vec<u8>, BTreeMap<String, u16>) {
    let lines: Vec<(Option<&str>, &str)> = source.lines().map(parts).collect();
    let mut labels: BTreeMap<String, u16> = BTreeMap::new();
    let mut code = Vec::new();
    // In the first pass a label that comes later is here: an address of two bytes, and near.
    for _ in 0..2 {
        let before = labels.clone();
        code.clear();
        for (label, instruction) in &lines {
            let at = START + code.len() as u16;
            if let Some(label) = label {
                labels.insert((*label).to_owned(), at);
            }
            let mut symbols = Symbols::default();
            symbols.add_hardware();
            for (label, _) in &lines {
                if let Some(label) = label {
                    symbols.add(before.get(*label).copied().unwrap_or(at), label);
                }
            }
            code.extend(bytes(instruction, at, &symbols));
        }
    }
    (code, labels)
}

/// The label and the instruction of a line.
fn parts(line: &str) -> (Option<&str>, &str) {
    let line = line.split(';').next().unwrap().trim();
    match line.split_once(':') {
        Some((label, rest)) => (Some(label.trim()), rest.trim()),
        None => (None, line),
    }
}

fn bytes(instruction: &str, at: u16, symbols: &Symbols) -> Vec<u8> {
    if let Some(bytes) = instruction.strip_prefix(".byte ") {
        let byte =
            |text: &str| u8::from_str_radix(text.trim().trim_start_matches('$'), 16).unwrap();
        return bytes.split(',').map(byte).collect();
    }
    if instruction.is_empty() {
        return Vec::new();
    }
    assemble(instruction, at, symbols).unwrap_or_else(|error| panic!("{instruction}: {error}"))
}

/// A folder with a program `main.xex`, its labels, and a file of tests.
pub struct Place(pub TempDir);

impl Place {
    /// With a program that is assembled from this source.
    pub fn assembled(source: &str) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.assemble(source);
        place
    }

    /// With a BASIC listing `main.lst`.
    pub fn basic(listing: &str) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        std::fs::write(place.path("main.lst"), listing).unwrap();
        place
    }

    pub fn assemble(&self, source: &str) {
        let (code, labels) = assembled(source);
        let end = START + code.len() as u16 - 1;
        let mut file = vec![0xFF, 0xFF];
        for word in [START, end] {
            file.extend(word.to_le_bytes());
        }
        file.extend(code);
        file.extend([0xE0, 0x02, 0xE1, 0x02]);
        file.extend(START.to_le_bytes());
        std::fs::write(self.path("main.xex"), file).unwrap();
        let mut text = String::new();
        for (name, address) in labels {
            writeln!(text, "{name} = ${address:04X}").unwrap();
        }
        std::fs::write(self.path("main.lab"), text).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn options(&self) -> Options {
        Options {
            paths: vec![self.0.path().to_owned()],
            ..Options::default()
        }
    }

    /// Writes a file of tests: the lines before the first test, and those of one test.
    pub fn test(&self, head: &str, test: &str) {
        let program = if self.path("main.lst").exists() {
            "main.lst"
        } else {
            "main.xex"
        };
        let text = format!("program = \"{program}\"\n{head}\n[[test]]\nname = \"test\"\n{test}\n");
        std::fs::write(self.path("test.toml"), text).unwrap();
    }

    pub fn run(&self) -> Summary {
        run_all(&self.options()).unwrap()
    }

    /// Sentences on what was not as a test expects.
    pub fn judge(&self, test: &str) -> Vec<String> {
        self.test("", test);
        sentences(&self.run().results)
    }

    /// The test passes.
    pub fn passes(&self, test: &str) {
        assert_eq!(self.judge(test), Vec::<String>::new(), "{test}");
    }

    /// The test fails with this sentence, and no other.
    pub fn fails(&self, test: &str, sentence: &str) {
        let problems = self.judge(test);
        assert_eq!(problems.len(), 1, "{test}: {problems:?}");
        assert!(problems[0].contains(sentence), "{test}: {problems:?}");
    }
}

pub fn sentences(results: &[CaseResult]) -> Vec<String> {
    let problems = results.iter().flat_map(|result| &result.problems);
    problems
        .map(|problem| format!("{}: {}", problem.line, problem.sentence))
        .collect()
}

pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
