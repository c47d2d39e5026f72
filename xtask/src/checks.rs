//! Two letters for each line of the games' listings, for those who type them in: `docs/games/checks`. `roms/games/check.lst` works out the
//! same on an Atari from what LIST writes.
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

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

/// The table of a listing.
fn table(listing: &[u8], name: &str) -> Result<String, String> {
    let program = media::basic::Program::tokenize(listing).map_err(|errors| {
        let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
        format!("{name}: {}", all.join("; "))
    })?;
    let list = program.list();
    let cells: Vec<String> = list
        .split(|&c| c == 0x9B)
        .filter(|line| !line.is_empty())
        .map(|line| {
            let number: String = line
                .iter()
                .take_while(|c| c.is_ascii_digit())
                .map(|&c| char::from(c))
                .collect();
            let [first, second] = letters(line);
            format!("{number:>5} {first}{second}")
        })
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
    Ok(text)
}

/// Writes the tables of all listings, or with `check` says which one is stale.
///
/// # Errors
/// A sentence naming the file.
pub fn run(check: bool) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = root.join("docs/games/checks");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for game in roms::games::ALL {
        for (listing, name) in [
            (format!("{}.lst", game.name), game.name.to_owned()),
            ("extra.lst".to_owned(), format!("{}-extra", game.name)),
        ] {
            let source = root.join("roms/games").join(game.name).join(listing);
            let Ok(text) = fs::read(&source) else {
                continue;
            };
            let fresh = table(&text, &name)?;
            let path = folder.join(format!("{name}.txt"));
            if fs::read_to_string(&path).is_ok_and(|old| old == fresh) {
                continue;
            }
            if check {
                return Err(format!(
                    "{}: not the check sums of its listing; run `cargo run -p xtask -- games`",
                    path.display()
                ));
            }
            fs::write(&path, fresh).map_err(|error| format!("{}: {error}", path.display()))?;
            println!("{name}: check sums written");
        }
    }
    Ok(())
}
