//! `cargo run --release -p xtask -- strength [GAME] [--against OPPONENT] [--games N]`: the Atari's players against those of the tests,
//! 500 games each by default. OPPONENT is the beginning of its name.

use tests::arena::{PAIRINGS, play};

/// Plays the pairings of one game or of all, prints a row for each and leaves them for `xtask results`.
///
/// # Errors
/// A sentence when the options make no sense or a game broke a rule.
pub fn run(options: &[&str]) -> Result<(), String> {
    let mut games = 500;
    let mut only = None;
    let mut against = "";
    let mut rest = options.iter();
    while let Some(&word) = rest.next() {
        if word == "--games" {
            let number = rest.next().and_then(|n| n.parse().ok());
            games = number.ok_or("--games needs a number")?;
        } else if word == "--against" {
            against = rest.next().ok_or("--against needs a name")?;
        } else if PAIRINGS.iter().any(|pairing| pairing.game == word) {
            only = Some(word);
        } else {
            return Err(format!("strength: no pairing of a game called {word}"));
        }
    }
    let mut faults = 0;
    let mut rows: Vec<(&str, String)> = Vec::new();
    let pairings: Vec<_> = PAIRINGS
        .iter()
        .filter(|pairing| only.is_none_or(|name| name == pairing.game))
        .filter(|pairing| pairing.opponent.starts_with(against))
        .collect();
    if pairings.is_empty() {
        return Err(format!(
            "strength: no opponent whose name begins with {against}"
        ));
    }
    for pairing in pairings {
        let results = play(games, pairing.play);
        let row = format!("| {} | {} | {results} |\n", pairing.game, pairing.opponent);
        print!("{row}");
        for (seed, fault) in results.faults.iter().take(5) {
            println!("  seed {seed}: {fault}");
        }
        faults += results.faults.len();
        if rows.last().is_none_or(|(game, _)| *game != pairing.game) {
            rows.push((pairing.game, String::new()));
        }
        if let Some((game, rows)) = rows.last_mut() {
            rows.push_str(&row);
            tests::write_result(&format!("strength-{game}.md"), rows);
        }
    }
    if faults > 0 {
        return Err(format!("{faults} games broke a rule or did not end"));
    }
    Ok(())
}
