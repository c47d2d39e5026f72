//! `anticlock test`: tests of programs, in files beside them. A file is TOML (`file.rs`) or a script of `anticlock headless`.
//!
//! Each test runs in a machine of its own, which sees copies of the files that it may write to, so that tests run at the same time and leave
//! nothing. All bounds are frames of the machine; nothing depends on the host's clock.
#![forbid(unsafe_code)]

mod build;
mod fence;
mod file;
mod find;
mod golden;
mod observer;
mod play;
mod report;
mod run;
mod stage;
mod step;
pub mod tasks;
mod watch;

use clap::Args;
use host::failure::Failure;
use host::options::number;
use std::io::Write;
use std::path::PathBuf;

pub use fence::Fence;
pub use file::{files_of, machine_options};
pub use report::{CaseResult, Problem, Shown};
pub use run::{Summary, run_all};
pub use stage::Stage;

/// Results as text, a line for a test that passed.
pub fn results_text(results: &[CaseResult]) -> String {
    report::text(results)
}

/// Arguments of the test runner.
#[derive(Clone, Debug, Default, Args)]
pub struct Options {
    /// Files of tests, or folders: of a folder all test.toml and *.test.toml in it, and scripts with a line "# program: NAME"
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Only tests whose name has this text in it
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Test this program in place of the one that the files name; it is not built
    #[arg(long, value_name = "FILE")]
    pub program: Option<PathBuf>,
    /// Write the golden pictures as they are now; look at each of them afterwards
    #[arg(long)]
    pub bless: bool,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write the results as a page with pictures
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write how often each line of source ran, by the debug information beside the programs (.dbg, .lst of MADS), as lcov
    #[arg(long, value_name = "FILE")]
    pub lcov: Option<PathBuf>,
    /// Tests that run at the same time (default: as many as the computer has processors)
    #[arg(long, value_name = "N", value_parser = number(1..=256usize))]
    pub jobs: Option<usize>,
    /// Run again whenever a file beside the tests changes, until a signal ends it
    #[arg(long)]
    pub watch: bool,
    /// Nothing outside of a folder is read or written, and no build is run.
    #[arg(skip)]
    pub fence: Fence,
}

/// Runs tests, prints their results, and writes what was asked for.
///
/// # Errors
/// Status 1 when a test fails, 2 when a file is not usable.
pub fn run(options: &Options, out: &mut impl Write) -> Result<(), Failure> {
    if options.watch {
        return watch::run(options, out);
    }
    once(options, out)
}

/// Runs all tests once.
fn once(options: &Options, out: &mut impl Write) -> Result<(), Failure> {
    let summary = run_all(options)?;
    let text = report::text(&summary.results);
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::input(format!("the output cannot be written: {error}")))?;
    report::write_files(options, &summary)?;
    let failed = summary.failed();
    if failed == 0 {
        return Ok(());
    }
    let all = summary.results.len();
    Err(Failure::Expectation(format!(
        "{failed} of {all} tests failed"
    )))
}
