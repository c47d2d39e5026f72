//! JUnit XML, which servers of continuous integration read.
use super::{CaseResult, escape};
use std::fmt::Write;

/// A suite for each file.
pub fn text(results: &[CaseResult]) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for suite in results.chunk_by(|a, b| a.file == b.file) {
        let name = escape(&suite[0].file.to_string_lossy());
        let failed = suite
            .iter()
            .filter(|result| !result.problems.is_empty())
            .count();
        let seconds: f64 = suite.iter().map(|result| result.seconds).sum();
        let tests = suite.len();
        // A string takes everything.
        let _ = writeln!(
            out,
            "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failed}\" errors=\"0\" time=\"{seconds:.3}\">"
        );
        for result in suite {
            case(&mut out, result, &name);
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn case(out: &mut String, result: &CaseResult, file: &str) {
    let title = escape(&result.title());
    let (line, seconds) = (result.line, result.seconds);
    let head = format!(
        "    <testcase classname=\"{file}\" name=\"{title}\" file=\"{file}\" line=\"{line}\" time=\"{seconds:.3}\""
    );
    if result.problems.is_empty() {
        let _ = writeln!(out, "{head}/>");
        return;
    }
    let _ = writeln!(out, "{head}>");
    for problem in &result.problems {
        let message = escape(&problem.sentence);
        let details = escape(&format!(
            "line {}: {}\n{}",
            problem.line, problem.sentence, problem.details
        ));
        let _ = writeln!(
            out,
            "      <failure message=\"{message}\">{details}</failure>"
        );
    }
    out.push_str("    </testcase>\n");
}
