//! Tasks for programs that write programs: each has a statement, and tests that judge a solution with inputs that the statement does not name.
//!
//! A task is a folder: `task.toml` with its words, `test.toml` with its tests (files of `anticlock test`), `start.lst` or `start.s` where there is
//! something to begin with; and for the proof that the tests are right a solution, `reference.lst` or `reference.s`, and `wrong.toml` with at
//! least three programs that must fail.
mod command;
mod proof;

use crate::{Options, run_all};
use host::failure::Failure;
use host::files;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

pub use command::{Command, run};
pub use proof::prove;

/// Names and files of the tasks that come with the program.
type Packed = &'static [(&'static str, &'static [(&'static str, &'static [u8])])];
const BUILT_IN: Packed = include!(concat!(env!("OUT_DIR"), "/tasks.rs"));

/// Endings of files that a solution may have.
const ENDINGS: [&str; 6] = ["lst", "bas", "s", "asm", "xex", "com"];
/// Bytes of a solution.
const MOST: usize = 1 << 20;

/// The language of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// A listing.
    Basic,
    /// A source for [`debugger::assemble_program`].
    Assembly,
}

impl Language {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Basic => "BASIC",
            Self::Assembly => "assembly",
        }
    }

    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Basic => "lst",
            Self::Assembly => "s",
        }
    }
}

/// The words of a task.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    title: String,
    grade: u8,
    language: Language,
    statement: String,
}

/// A task.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its name: that of its folder.
    pub name: String,
    /// A few words.
    pub title: String,
    /// 1 (a first program) to 4 (an evening's work).
    pub grade: u8,
    /// The language that its statement asks for.
    pub language: Language,
    /// The text of the task.
    pub statement: String,
    /// The files that its tests need.
    files: Vec<(String, Vec<u8>)>,
}

/// The result of a solution's tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// A sentence on each fault; empty for a solution.
    pub faults: Vec<String>,
    /// The text on the screen at the first fault.
    pub screen: String,
}

impl Task {
    fn new(name: &str, files: Vec<(String, Vec<u8>)>) -> Result<Self, Failure> {
        let wrong = |why: String| Failure::input(format!("the task {name}: {why}"));
        let find = |wanted: &str| files.iter().find(|(file, _)| file == wanted);
        let (_, words) = find("task.toml").ok_or_else(|| wrong("it has no task.toml".into()))?;
        if find("test.toml").is_none() {
            return Err(wrong("it has no test.toml".into()));
        }
        let words = String::from_utf8_lossy(words);
        let words: Words = toml::from_str(&words)
            .map_err(|error| wrong(format!("task.toml: {}", error.message().replace('\n', " "))))?;
        if !(1..=4).contains(&words.grade) {
            return Err(wrong("its grade is not 1 to 4".into()));
        }
        Ok(Self {
            name: name.to_owned(),
            title: words.title,
            grade: words.grade,
            language: words.language,
            statement: words.statement.trim().to_owned(),
            files,
        })
    }

    /// The program to begin with.
    pub fn start(&self) -> Option<String> {
        let name = format!("start.{}", self.language.ending());
        let found = self.files.iter().find(|(file, _)| *file == name);
        found.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
    }

    /// Judges a solution: the bytes of a file with this ending.
    ///
    /// # Errors
    /// An ending that no solution has, a solution that is too long, or the host's files.
    pub fn check(&self, solution: &[u8], ending: &str) -> Result<Verdict, Failure> {
        if !ENDINGS.contains(&ending) {
            return Err(Failure::input(format!(
                "a solution is a file with one of the endings {}",
                ENDINGS.join(", ")
            )));
        }
        if solution.len() > MOST {
            return Err(Failure::input(format!(
                "a solution has {MOST} bytes at most"
            )));
        }
        let place = tempfile::tempdir()
            .map_err(|error| Failure::input(format!("there is no folder for the task: {error}")))?;
        let program = format!("solution.{ending}");
        let solution = (program.clone(), solution.to_vec());
        for (name, bytes) in self.files.iter().chain([&solution]) {
            let path = place.path().join(name);
            let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
            folder
                .and_then(|()| fs::write(&path, bytes))
                .map_err(|error| Failure::file(&path, error))?;
        }
        let options = Options {
            paths: vec![place.path().join("test.toml")],
            program: Some(place.path().join(program)),
            jobs: Some(1),
            ..Options::default()
        };
        let summary = match run_all(&options) {
            Ok(summary) => summary,
            Err(failure) => {
                // The tests are proven: it is the solution that cannot be used.
                let folder = format!("{}{}", place.path().display(), std::path::MAIN_SEPARATOR);
                return Ok(Verdict {
                    faults: vec![failure.to_string().replace(&folder, "")],
                    screen: String::new(),
                });
            }
        };
        let mut verdict = Verdict::default();
        for result in &summary.results {
            for problem in &result.problems {
                if verdict.faults.is_empty() {
                    verdict.screen.clone_from(&problem.details);
                }
                let fault =
                    format!("{}: {}", result.title(), problem.sentence).replace('\n', "\\n");
                verdict.faults.push(fault);
            }
        }
        Ok(verdict)
    }
}

/// The tasks that come with the program, in the order of their grades.
///
/// # Errors
/// None with the tasks that were tested.
pub fn built_in() -> Result<Vec<Task>, Failure> {
    let tasks = BUILT_IN.iter().map(|(name, files)| {
        let files = files.iter();
        let files = files.map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec()));
        Task::new(name, files.collect())
    });
    Ok(sorted(tasks.collect::<Result<_, _>>()?))
}

/// The tasks in a folder.
///
/// # Errors
/// A file that is not usable, or a folder without tasks.
pub fn load(folder: &Path) -> Result<Vec<Task>, Failure> {
    let mut tasks = Vec::new();
    for path in entries(folder)? {
        if path.join("task.toml").is_file() {
            tasks.push(Task::new(&name(&path), files_of(&path)?)?);
        }
    }
    if tasks.is_empty() {
        return Err(Failure::file(
            folder,
            "there is no task in this folder: no folder in it has a task.toml",
        ));
    }
    Ok(sorted(tasks))
}

/// The files of a task and of the folders in it, without its solutions.
fn files_of(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        let name = name(&path);
        if path.is_dir() {
            for inner in entries(&path)?.into_iter().filter(|inner| inner.is_file()) {
                found.push((
                    format!("{name}/{}", self::name(&inner)),
                    files::read(&inner)?,
                ));
            }
        } else if !name.starts_with("reference.") && name != "wrong.toml" {
            found.push((name, files::read(&path)?));
        }
    }
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| Failure::file(folder, error))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    paths
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::file(folder, error))
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn sorted(mut tasks: Vec<Task>) -> Vec<Task> {
    tasks.sort_by(|a, b| (a.grade, &a.name).cmp(&(b.grade, &b.name)));
    tasks
}
