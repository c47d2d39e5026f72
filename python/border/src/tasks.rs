//! Tasks for programs that write programs, and the judge of their solutions.
use crate::held::{apart, value};
use pyo3::prelude::*;
use std::path::PathBuf;
use trial::tasks;

/// A task; its words do not change.
#[pyclass(frozen)]
pub struct Task(tasks::Task);

#[pymethods]
impl Task {
    /// Name, title, grade, language, statement, and the program to begin with.
    fn words(&self) -> (String, String, u8, &'static str, String, Option<String>) {
        let task = &self.0;
        (
            task.name.clone(),
            task.title.clone(),
            task.grade,
            task.language.name(),
            task.statement.clone(),
            task.start(),
        )
    }

    /// Judges the bytes of a file with an ending, or with that of the task's language: sentences on its faults, and the screen at the first.
    fn check(
        &self,
        py: Python<'_>,
        solution: &[u8],
        ending: Option<String>,
    ) -> PyResult<(Vec<String>, String)> {
        let solution = solution.to_vec();
        apart(py, || {
            let ending = ending.as_deref().unwrap_or(self.0.language.ending());
            let verdict = self.0.check(&solution, ending).map_err(value)?;
            Ok((verdict.faults, verdict.screen))
        })
    }
}

/// The tasks of a folder, or those that come with the package.
#[pyfunction]
pub fn all_tasks(py: Python<'_>, folder: Option<PathBuf>) -> PyResult<Vec<Task>> {
    apart(py, || {
        let all = folder.map_or_else(tasks::built_in, |folder| tasks::load(&folder));
        Ok(all.map_err(value)?.into_iter().map(Task).collect())
    })
}
