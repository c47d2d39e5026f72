//! Developer chores: build ROMs, check layering, bench.

use std::process::ExitCode;

mod acid800;
mod behaviour;
mod bench;
mod checks;
mod compat;
mod crawl;
mod fuzz;
mod games;
mod layering;
mod names;
mod registers;
mod results;
mod roms;
mod run_rom;
mod soak;
mod spectrum;
mod strength;
mod tool;
mod why;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["games"] => games::run(false).and_then(|()| checks::run(false)),
        ["games", "--check"] => games::run(true).and_then(|()| checks::run(true)),
        ["roms"] => roms::run(false),
        ["roms", "--check"] => roms::run(true),
        ["crawl", ref options @ ..] => crawl::run(options),
        ["sheets", ref options @ ..] => crawl::sheets(options),
        ["fuzz", ref options @ ..] => fuzz::run(options),
        ["layering"] => layering::run(),
        ["registers"] => registers::run(false),
        ["registers", "--check"] => registers::run(true),
        ["names"] => names::run(false),
        ["names", "--check"] => names::run(true),
        ["release", ref options @ ..] => tool::run("release", options),
        ["results"] => results::run(),
        ["spectrum"] => spectrum::run(),
        ["bench", ref options @ ..] => bench::run(options),
        ["acid800", ref options @ ..] => acid800::run(options),
        ["behaviour", ref options @ ..] => behaviour::run(options),
        ["compat", ref options @ ..] => compat::run(options),
        ["soak", ref options @ ..] => soak::run(options),
        ["strength", ref options @ ..] => strength::run(options),
        ["web", ref options @ ..] => tool::run("web-build", options),
        ["why", ref options @ ..] => why::run(options),
        ["run-rom", ref options @ ..] => run_rom::run(options),
        _ => Err(
            "usage: xtask roms [--check] | games [--check] | crawl [GAME] [--frames N] | sheets FOLDER [GAME] [--frames N] | fuzz [--target NAME] [--minutes N] [--seed N] | layering | names [--check] | registers [--check] | release [--try] [--only PART,...] [--out FOLDER] [--url URL] | results | spectrum | bench [--callgrind] | acid800 OPTIONS | behaviour OPTIONS | run-rom OPTIONS | compat DIR [OPTIONS] | strength [GAME] [--games N] | why [--sample N] [PICTURE] | web [--serve [PORT] | --test | --report] | soak [--steps N] [--seed N]"
                .to_owned(),
        ),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
