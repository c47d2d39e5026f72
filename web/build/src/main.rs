//! The page: builds it, serves it, measures and tests it.
//!
//! A program of its own, because a new user who wants to see the page should not have to build the window and all tests for it.
mod bindings;
mod serve;
mod site;
mod split;

use site::Kind;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: xtask web [--serve [PORT]] | --test [quick] [WORD OF A FLOW'S NAME ...] | --sizes | --report [quick] | --pictures";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the page into `web/dist`, and does what the options say.
fn run(options: &[&str]) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .ok_or("the crate is not in its workspace")?;
    match options {
        [] => {
            site::build(root, Kind::Small).map(|site| println!("the page is in {}", site.display()))
        }
        ["--serve"] => serve::forever(&site::build(root, Kind::Small)?, 8080),
        ["--serve", port] => {
            let number = port.parse();
            let number = number.map_err(|_| format!("{port} is no number of a port"))?;
            serve::forever(&site::build(root, Kind::Small)?, number)
        }
        ["--test", "quick", words @ ..] => {
            let dist = site::build(root, Kind::Quick)?;
            site::node(root, &dist, "test.mjs", &[&["quick"], words].concat())
        }
        ["--test", words @ ..] => {
            let dist = site::build(root, Kind::Small)?;
            site::node(root, &dist, "test.mjs", words)
        }
        ["--sizes"] => {
            let dist = site::build(root, Kind::Sized)?;
            site::node(root, &dist, "sizes.mjs", &[])
        }
        ["--report", words @ ..] => {
            let dist = site::build(root, Kind::Small)?;
            site::node(root, &dist, "report.mjs", words)
        }
        ["--pictures"] => {
            let dist = site::build(root, Kind::Small)?;
            site::node(root, &dist, "pictures.mjs", &[])
        }
        _ => Err(USAGE.to_owned()),
    }
}
