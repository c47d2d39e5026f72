//! Turns the listings of the games, and that of the checker of typed lines, into tokenised programs, the form in which BASIC saves them.

use std::collections::BTreeMap;
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
    println!("cargo:rerun-if-changed=type-in");
    println!("cargo:rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR").unwrap_or_else(|_| fail("OUT_DIR is not set"));
    let type_in = Path::new("type-in/type-in.lst");
    let listing =
        fs::read(type_in).unwrap_or_else(|error| fail(&format!("{}: {error}", type_in.display())));
    save(type_in, &listing, &Path::new(&out).join("type-in.bas"));
    for game in GAMES {
        let path = Path::new("games").join(game).join(format!("{game}.lst"));
        let listing =
            fs::read(&path).unwrap_or_else(|error| fail(&format!("{}: {error}", path.display())));
        save(
            &path,
            &listing,
            &Path::new(&out).join(format!("{game}.bas")),
        );
        // Machines with more memory have some lines more, or others.
        let extra = path.with_file_name("extra.lst");
        if let Ok(lines) = fs::read_to_string(&extra) {
            let merged = merge(&String::from_utf8_lossy(&listing), &lines);
            let target = Path::new(&out).join(format!("{game}-full.bas"));
            save(&extra, merged.as_bytes(), &target);
        }
    }
}

/// A listing as it is when the lines of another one have been typed in after it.
fn merge(listing: &str, extra: &str) -> String {
    let mut lines = BTreeMap::new();
    for line in listing.lines().chain(extra.lines()) {
        let number = line
            .split(' ')
            .next()
            .and_then(|word| word.parse::<u32>().ok());
        let number = number.unwrap_or_else(|| fail(&format!("no line number in: {line}")));
        lines.insert(number, line);
    }
    lines.values().flat_map(|line| [line, "\n"]).collect()
}

/// Tokenises a listing.
fn save(path: &Path, listing: &[u8], target: &Path) {
    let program = match media::basic::Program::tokenize(listing) {
        Ok(program) => program,
        Err(errors) => {
            let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
            fail(&format!("{}:\n{}", path.display(), all.join("\n")))
        }
    };
    fs::write(target, program.to_save())
        .unwrap_or_else(|error| fail(&format!("{}: {error}", target.display())));
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    process::exit(1)
}
