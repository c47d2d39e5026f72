//! The proof that the tests of a folder of tasks are right: their solutions pass, and programs that are nearly right fail as they should.
use super::{Task, Verdict, load};
use host::failure::Failure;
use host::files;
use serde::Deserialize;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Wrong programs that a task has at least.
const FEWEST: usize = 3;

/// The wrong programs of a task.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrongOnes {
    wrong: Vec<Wrong>,
}

/// A program that must fail.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wrong {
    /// Its fault.
    about: String,
    /// Texts of the solution, each of which occurs once, and what takes their place.
    #[serde(default)]
    replace: Vec<(String, String)>,
    /// The whole program.
    program: Option<String>,
    /// A part of a sentence that it is told.
    says: String,
}

/// A program and how it has to fare.
struct Trial<'a> {
    task: &'a Task,
    about: String,
    program: String,
    /// A part of a sentence on its fault; `None` for a solution.
    says: Option<String>,
}

/// Runs the solutions and the wrong programs of a folder of tasks: their number, and a sentence on each that fared otherwise than it should.
///
/// # Errors
/// A file that is not usable.
pub fn prove(folder: &Path) -> Result<(usize, Vec<String>), Failure> {
    let tasks = load(folder)?;
    let mut trials = Vec::new();
    let mut faults = Vec::new();
    for task in &tasks {
        let place = folder.join(&task.name);
        let path = place.join(format!("reference.{}", task.language.ending()));
        let solution = text(&path)?;
        let path = place.join("wrong.toml");
        let wrong: WrongOnes = toml::from_str(&text(&path)?)
            .map_err(|error| Failure::file(&path, error.message().replace('\n', " ")))?;
        if wrong.wrong.len() < FEWEST {
            faults.push(format!(
                "{}: it has fewer than {FEWEST} wrong programs",
                task.name
            ));
        }
        for wrong in wrong.wrong {
            let program = wrong
                .program(&solution)
                .map_err(|why| Failure::file(&path, why))?;
            trials.push(Trial {
                task,
                about: wrong.about,
                program,
                says: Some(wrong.says),
            });
        }
        trials.push(Trial {
            task,
            about: "the reference solution".to_owned(),
            program: solution,
            says: None,
        });
    }
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<Result<String, Failure>>> = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(trial) = trials.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let fault = trial.run().transpose();
                    if let (Some(fault), Ok(mut found)) = (fault, found.lock()) {
                        found.push(fault);
                    }
                }
            });
        }
    });
    for fault in found.into_inner().unwrap_or_default() {
        faults.push(fault?);
    }
    faults.sort();
    Ok((trials.len(), faults))
}

fn text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(files::read(path)?)
        .map_err(|_| Failure::file(path, "this is no text, or not one in UTF-8"))
}

impl Wrong {
    fn program(&self, solution: &str) -> Result<String, String> {
        let fault = |why: String| format!("\"{}\": {why}", self.about);
        match (&self.program, self.replace.is_empty()) {
            (Some(program), true) => return Ok(program.clone()),
            (None, false) => {}
            _ => return Err(fault("it needs either replace or program".to_owned())),
        }
        let mut program = solution.to_owned();
        for (old, new) in &self.replace {
            if program.matches(old.as_str()).count() != 1 {
                return Err(fault(format!("\"{old}\" is not once in the solution")));
            }
            program = program.replace(old.as_str(), new);
        }
        Ok(program)
    }
}

impl Trial<'_> {
    /// A sentence if the program fares otherwise than it should.
    fn run(&self) -> Result<Option<String>, Failure> {
        let Verdict { faults, screen } = self
            .task
            .check(self.program.as_bytes(), self.task.language.ending())?;
        let (name, about) = (&self.task.name, &self.about);
        Ok(match &self.says {
            None if faults.is_empty() => None,
            None => Some(format!("{name}: {about} fails: {}\n{screen}", faults[0])),
            Some(says) if faults.iter().any(|fault| fault.contains(says.as_str())) => None,
            Some(_) if faults.is_empty() => Some(format!("{name}: {about}: it passes")),
            Some(says) => Some(format!(
                "{name}: {about}: it is not told \"{says}\", but: {}",
                faults.join("; ")
            )),
        })
    }
}
