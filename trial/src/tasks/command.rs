//! `anticlock tasks`.
use super::{Task, built_in, load, prove};
use clap::Subcommand;
use host::failure::Failure;
use host::files;
use host::options::number;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The commands of `anticlock tasks`.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// List the tasks: grade, name, language, title
    List {
        /// Only those of this grade, 1 to 4
        #[arg(long, value_name = "N", value_parser = number(1..=4u8))]
        grade: Option<u8>,
        /// A folder of tasks in place of those that come with the program
        #[arg(long, value_name = "FOLDER")]
        tasks: Option<PathBuf>,
    },
    /// Print a task, and the program to begin with where there is one
    Show {
        /// Its name
        name: String,
        /// A folder of tasks in place of those that come with the program
        #[arg(long, value_name = "FOLDER")]
        tasks: Option<PathBuf>,
    },
    /// Judge a solution; the status is 0 if it is right, and 1 if it is not
    Check {
        /// The task's name
        name: String,
        /// The solution: .lst, .bas, .s, .asm, .xex or .com
        file: PathBuf,
        /// A folder of tasks in place of those that come with the program
        #[arg(long, value_name = "FOLDER")]
        tasks: Option<PathBuf>,
    },
    /// For authors: run the solutions of a folder of tasks, which must pass, and their wrong programs, which must fail
    Prove {
        /// The folder
        folder: PathBuf,
    },
}

/// Runs it.
///
/// # Errors
/// Status 1 for a solution that is wrong, 2 for a name or file that is not usable.
pub fn run(command: &Command, out: &mut impl Write) -> Result<(), Failure> {
    let mut print = |text: &str| {
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .map_err(|error| Failure::input(format!("the output cannot be written: {error}")))
    };
    match command {
        Command::List { grade, tasks } => print(&list(&all(tasks.as_deref())?, *grade)),
        Command::Show { name, tasks } => print(&show(&find(name, tasks.as_deref())?)),
        Command::Check { name, file, tasks } => {
            let task = find(name, tasks.as_deref())?;
            let ending = file.extension().unwrap_or_default().to_string_lossy();
            let verdict = task.check(&files::read(file)?, &ending.to_ascii_lowercase())?;
            let Some(first) = verdict.faults.first() else {
                return print(&format!("ok    {name}: {}\n", task.title));
            };
            let mut text = String::new();
            for fault in &verdict.faults {
                let _ = writeln!(text, "FAIL  {fault}");
                for row in verdict.screen.lines().filter(|_| fault == first) {
                    let _ = writeln!(text, "      | {row}");
                }
            }
            print(&text)?;
            Err(Failure::Expectation(format!("{name} is not solved")))
        }
        Command::Prove { folder } => {
            let (runs, faults) = prove(folder)?;
            print(
                &faults
                    .iter()
                    .fold(String::new(), |text, fault| text + fault + "\n"),
            )?;
            if faults.is_empty() {
                return print(&format!("{runs} programs fared as they should\n"));
            }
            Err(Failure::Expectation(format!(
                "{} of {runs} programs fared otherwise than they should",
                faults.len()
            )))
        }
    }
}

fn all(folder: Option<&Path>) -> Result<Vec<Task>, Failure> {
    folder.map_or_else(built_in, load)
}

fn find(name: &str, folder: Option<&Path>) -> Result<Task, Failure> {
    let found = all(folder)?.into_iter().find(|task| task.name == name);
    let shown: String = name.chars().take(60).collect();
    found.ok_or_else(|| {
        Failure::input(format!(
            "there is no task \"{shown}\": anticlock tasks list has their names"
        ))
    })
}

fn list(tasks: &[Task], grade: Option<u8>) -> String {
    let tasks = tasks
        .iter()
        .filter(|task| grade.is_none_or(|grade| task.grade == grade));
    tasks.fold(String::new(), |mut text, task| {
        let (language, name, title) = (task.language.name(), &task.name, &task.title);
        let _ = writeln!(text, "{}  {name:<22} {language:<9} {title}", task.grade);
        text
    })
}

fn show(task: &Task) -> String {
    let language = task.language.name();
    let mut text = format!(
        "{} (grade {}, {language})\n\n{}\n",
        task.title, task.grade, task.statement
    );
    if let Some(start) = task.start() {
        let _ = write!(text, "\nThe program to begin with:\n\n{start}");
    }
    text
}
