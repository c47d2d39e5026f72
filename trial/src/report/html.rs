//! A page of results with pictures, in one file.
use super::{CaseResult, escape};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write;

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;margin:2em;max-width:76em}\
h2{font-size:1em;margin:1.6em 0 .3em}.ok h2:before{content:'ok ';color:#177245}.failed h2:before{content:'failed ';color:#b3261e}\
pre{background:#f2f2f2;padding:.6em;overflow:auto}figure{display:inline-block;margin:.4em .8em .4em 0}\
img{image-rendering:pixelated;width:376px;height:240px;display:block}small{color:#555}";

/// The page.
pub fn page(results: &[CaseResult]) -> String {
    let failed = results
        .iter()
        .filter(|result| !result.problems.is_empty())
        .count();
    let passed = results.len() - failed;
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{passed} passed, {failed} failed</title>\
         <style>{STYLE}</style></head><body>\n<h1>{passed} passed, {failed} failed</h1>\n"
    );
    // What failed comes first.
    let (good, bad): (Vec<_>, Vec<_>) = results
        .iter()
        .partition(|result| result.problems.is_empty());
    for result in bad.into_iter().chain(good) {
        case(&mut out, result);
    }
    out.push_str("</body></html>\n");
    out
}

fn case(out: &mut String, result: &CaseResult) {
    let class = if result.problems.is_empty() {
        "ok"
    } else {
        "failed"
    };
    // A string takes everything.
    let _ = writeln!(
        out,
        "<section class=\"{class}\"><h2>{}</h2><small>{}:{}, {} frames, {:.2} s</small>",
        escape(&result.title()),
        escape(&result.file.to_string_lossy()),
        result.line,
        result.frames,
        result.seconds
    );
    for problem in &result.problems {
        let _ = writeln!(
            out,
            "<p>line {}: {}</p>",
            problem.line,
            escape(&problem.sentence)
        );
        if !problem.details.is_empty() {
            let _ = writeln!(out, "<pre>{}</pre>", escape(&problem.details));
        }
    }
    for shown in &result.shown {
        let title = escape(&shown.title);
        let data = STANDARD.encode(&shown.png);
        let _ = writeln!(
            out,
            "<figure><img alt=\"{title}\" src=\"data:image/png;base64,{data}\"><figcaption>{title}</figcaption></figure>"
        );
    }
    out.push_str("</section>\n");
}
