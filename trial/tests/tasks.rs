//! The tasks for programs that write programs, `tasks`: their solutions pass, and programs that are nearly right are told why they are not.
use std::collections::BTreeSet;
use std::path::Path;
use trial::tasks::{self, Language};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tasks")
}

#[test]
fn solutions_pass_and_wrong_programs_fail() {
    let (runs, faults) = tasks::prove(&folder()).unwrap();
    assert_eq!(faults, Vec::<String>::new());
    let count = tasks::built_in().unwrap().len();
    assert!(runs >= 4 * count, "{runs} runs of {count} tasks");
}

#[test]
fn the_tasks_in_the_program_are_those_of_the_folder() {
    let (packed, loaded) = (tasks::built_in().unwrap(), tasks::load(&folder()).unwrap());
    let about = |task: &tasks::Task| (task.name.clone(), task.statement.clone(), task.start());
    assert_eq!(
        packed.iter().map(about).collect::<Vec<_>>(),
        loaded.iter().map(about).collect::<Vec<_>>()
    );
    let titles: BTreeSet<&str> = packed.iter().map(|task| task.title.as_str()).collect();
    assert_eq!(titles.len(), packed.len(), "titles are not unique");
    for grade in 1..=4 {
        let count = packed.iter().filter(|task| task.grade == grade).count();
        assert!(count >= 20, "grade {grade} has {count}");
    }
}

#[test]
fn a_solution_that_is_no_program_is_told_so() {
    let all = tasks::built_in().unwrap();
    let of = |language| all.iter().find(|task| task.language == language).unwrap();
    let told = |language: Language, program: &str, ending| {
        let verdict = of(language).check(program.as_bytes(), ending).unwrap();
        verdict.faults.join("; ")
    };
    let fault = told(Language::Assembly, "start: ldq #1\n", "s");
    assert_eq!(fault, "solution.s: line 1: there is no instruction \"LDQ\"");
    for (program, ending) in [("", "lst"), ("10 PRNT 5\n", "lst"), ("no binary", "xex")] {
        let fault = told(Language::Basic, program, ending);
        assert!(!fault.is_empty(), "{program}");
    }
    let error = of(Language::Basic).check(b"", "atr").unwrap_err();
    assert_eq!(error.status(), 2);
}
