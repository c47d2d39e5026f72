//! Turns the listings of the games into tokenised programs, the form in which BASIC saves them.

use std::path::Path;
use std::{env, fs, process};

/// The games in the order of the menu: the folder below `games`, which is also the name of the listing in it.
const GAMES: &[&str] = &[
    "crazy-eights",
    "gammon",
    "go-fish",
    "tic-tac-toe",
    "checkers",
    "focal",
    "hexapawn",
];

fn main() {
    println!("cargo:rerun-if-changed=games");
    println!("cargo:rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR").unwrap_or_else(|_| fail("OUT_DIR is not set"));
    for game in GAMES {
        let path = Path::new("games").join(game).join(format!("{game}.lst"));
        let listing =
            fs::read(&path).unwrap_or_else(|error| fail(&format!("{}: {error}", path.display())));
        let program = match media::basic::Program::tokenize(&listing) {
            Ok(program) => program,
            Err(errors) => {
                let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
                fail(&format!("{}:\n{}", path.display(), all.join("\n")))
            }
        };
        let target = Path::new(&out).join(format!("{game}.bas"));
        fs::write(&target, program.to_save())
            .unwrap_or_else(|error| fail(&format!("{}: {error}", target.display())));
    }
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    process::exit(1)
}
