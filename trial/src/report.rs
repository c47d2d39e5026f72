//! Results as text, as files for other programs, and as a page.
mod html;
mod junit;
mod lcov;

use crate::Options;
use crate::run::Summary;
use host::failure::Failure;
use host::files;
pub use lcov::{Coverage, coverage};
use std::fmt::Write;
use std::path::PathBuf;

/// Lines of details that are printed.
const DETAILS: usize = 40;

/// A test's result on one machine.
#[derive(Clone, Debug, Default)]
pub struct CaseResult {
    /// The file of the test.
    pub file: PathBuf,
    /// The line where the test begins.
    pub line: usize,
    /// Its name.
    pub name: String,
    /// The machine, where the file says it.
    pub machine: String,
    /// Frames that ran.
    pub frames: u64,
    /// Time that it took here.
    pub seconds: f64,
    /// Expectations and rules that were not met; empty: the test has passed.
    pub problems: Vec<Problem>,
    /// Pictures.
    pub shown: Vec<Shown>,
}

/// Something that was not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line of the file.
    pub line: usize,
    /// One sentence.
    pub sentence: String,
    /// The screen, or what a build has printed.
    pub details: String,
}

/// A picture.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Its title.
    pub title: String,
    /// The file.
    pub png: Vec<u8>,
}

impl CaseResult {
    /// The name with the machine.
    pub fn title(&self) -> String {
        if self.machine.is_empty() {
            return self.name.clone();
        }
        format!("{} ({})", self.name, self.machine)
    }
}

/// Results as text, a line for a test that passed.
pub fn text(results: &[CaseResult]) -> String {
    let mut out = String::new();
    // A string takes everything.
    let mut line = |text: std::fmt::Arguments| {
        let _ = writeln!(out, "{text}");
    };
    for result in results {
        let (file, title) = (result.file.display(), result.title());
        if result.problems.is_empty() {
            line(format_args!(
                "ok    {file}: {title}, {} frames",
                result.frames
            ));
        }
        for problem in &result.problems {
            line(format_args!(
                "FAIL  {file}:{}: {title}: {}",
                problem.line, problem.sentence
            ));
            for detail in problem.details.lines().take(DETAILS) {
                line(format_args!("      | {detail}"));
            }
        }
    }
    let failed = results
        .iter()
        .filter(|result| !result.problems.is_empty())
        .count();
    line(format_args!(
        "{} passed, {failed} failed",
        results.len() - failed
    ));
    out
}

/// Writes the files that were asked for.
///
/// # Errors
/// One that cannot be written.
pub fn write_files(options: &Options, summary: &Summary) -> Result<(), Failure> {
    if let Some(path) = &options.junit {
        files::write(path, junit::text(&summary.results).as_bytes())?;
    }
    if let Some(path) = &options.html {
        files::write(path, html::page(&summary.results).as_bytes())?;
    }
    if let Some(path) = &options.lcov {
        files::write(path, summary.coverage.text().as_bytes())?;
    }
    Ok(())
}

/// A text for XML and HTML; characters that XML does not have become question marks.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(character),
            '\u{FFFE}' | '\u{FFFF}' => out.push('?'),
            control if control.is_control() => out.push('?'),
            other => out.push(other),
        }
    }
    out
}
