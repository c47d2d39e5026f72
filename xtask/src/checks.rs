//! Two letters for each line of the games' listings, for those who type them in: tables in `docs/games/checks`, and in
//! `docs/games/listings` each listing as a magazine prints it. `roms/games/check.lst` works the letters out on an Atari from what LIST
//! writes.
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Characters in a row of the screen at the margins that the editor begins with.
const ROW: usize = 38;
/// Lines side by side in a table.
const COLUMNS: usize = 8;

/// The two letters of a line as LIST writes it: the sum of its characters, each times its place, in the base of 26.
fn letters(line: &[u8]) -> [char; 2] {
    let sum: u32 = line
        .iter()
        .zip(1..)
        .map(|(&c, place)| u32::from(c) * place)
        .sum();
    [sum / 26 % 26, sum % 26].map(|digit| char::from(b'A' + digit as u8))
}

/// Number and letters of each line of a listing.
fn lettered(listing: &[u8], name: &str) -> Result<Vec<(String, String)>, String> {
    let program = media::basic::Program::tokenize(listing).map_err(|errors| {
        let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
        format!("{name}: {}", all.join("; "))
    })?;
    Ok(program
        .list()
        .split(|&c| c == 0x9B)
        .filter(|line| !line.is_empty())
        .map(|line| {
            let number: String = line
                .iter()
                .take_while(|c| c.is_ascii_digit())
                .map(|&c| char::from(c))
                .collect();
            (number, letters(line).iter().collect())
        })
        .collect())
}

/// The table of a listing.
fn table(lettered: &[(String, String)]) -> String {
    let cells: Vec<String> = lettered
        .iter()
        .map(|(number, letters)| format!("{number:>5} {letters}"))
        .collect();
    let rows = cells.len().div_ceil(COLUMNS);
    let mut text = String::new();
    for row in 0..rows {
        let line: Vec<&str> = cells
            .iter()
            .skip(row)
            .step_by(rows)
            .map(String::as_str)
            .collect();
        let _ = writeln!(text, "{}", line.join("  "));
    }
    text
}

/// The listing as a magazine prints it: the letters before each line, and the line broken where the editor breaks it on the screen.
///
/// # Errors
/// A sentence naming the line whose letters are not known, or that is not typed in three rows.
fn printed(
    listing: &str,
    lettered: &[(String, String)],
    name: &str,
    title: &str,
) -> Result<String, String> {
    let mut text = format!(
        "{title}\n\nThe two letters before a line are its check letters and are not typed (see ../checks.md). A line continues in the next\n\
         row where the screen's right edge breaks it, after {ROW} characters: type on without RETURN.\n\n"
    );
    for line in listing.lines() {
        let number = line.split(' ').next().unwrap_or_default();
        let letters = lettered
            .iter()
            .find(|entry| entry.0 == number)
            .ok_or_else(|| format!("{name}: line {number} is not listed"))?;
        let characters: Vec<char> = line.chars().collect();
        if characters.len() > 3 * ROW {
            return Err(format!("{name}: line {number} is longer than three rows"));
        }
        for (row, part) in characters.chunks(ROW).enumerate() {
            let before = if row == 0 { &letters.1 } else { "  " };
            let part: String = part.iter().collect();
            let _ = writeln!(text, "{before}  {part}");
        }
    }
    Ok(text)
}

/// Writes the tables and the printed pages of all listings, or with `check` says which one is stale.
///
/// # Errors
/// A sentence naming the file.
pub fn run(check: bool) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let [checks, listings] = ["docs/games/checks", "docs/games/listings"].map(|at| root.join(at));
    for folder in [&checks, &listings] {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    for game in roms::games::ALL {
        for (listing, name, title) in [
            (
                format!("{}.lst", game.name),
                game.name.to_owned(),
                format!("{}, for {}K and more", game.title, game.needs),
            ),
            (
                "extra.lst".to_owned(),
                format!("{}-extra", game.name),
                format!(
                    "{}, lines to type after the listing, for {}K and more",
                    game.title,
                    game.full.map_or(game.needs, |full| full.needs)
                ),
            ),
        ] {
            let source = root.join("roms/games").join(game.name).join(listing);
            let Ok(text) = fs::read_to_string(&source) else {
                continue;
            };
            let lettered = lettered(text.as_bytes(), &name)?;
            let pages = [
                (checks.join(format!("{name}.txt")), table(&lettered)),
                (
                    listings.join(format!("{name}.txt")),
                    printed(&text, &lettered, &name, &title)?,
                ),
            ];
            for (path, fresh) in pages {
                if fs::read_to_string(&path).is_ok_and(|old| old == fresh) {
                    continue;
                }
                if check {
                    return Err(format!(
                        "{}: not that of its listing; run `cargo run -p xtask -- games`",
                        path.display()
                    ));
                }
                fs::write(&path, fresh).map_err(|error| format!("{}: {error}", path.display()))?;
                println!("{}: written", path.display());
            }
        }
    }
    Ok(())
}
