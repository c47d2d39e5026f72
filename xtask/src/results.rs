//! Writes the tables that test runs have left below the target folder into the README.
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The head of the table of the computer's strength.
const STRENGTH: &str = "| game | opponent | played | finished | won | lost | tied | rate % | refused | faults | s a move | longest |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";

pub fn run() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let readme = root.join("README.md");
    let mut text = read(&readme)?;
    for (name, make) in [
        ("acid800", acid800 as fn(&str) -> String),
        ("basic-oracle", behaviour),
    ] {
        let table = read(&target.join("results").join(format!("{name}.tsv")))?;
        text = replaced(&text, name, &make(&table))?;
    }
    // Rows of games that were not played again stay as they are.
    let mut strength = String::from(STRENGTH);
    let mut games: Vec<&str> = ::tests::arena::PAIRINGS.iter().map(|p| p.game).collect();
    games.dedup();
    for game in games {
        let played = target.join("results").join(format!("strength-{game}.md"));
        if played.is_file() {
            strength.push_str(&read(&played)?);
        } else {
            let head = format!("| {game} |");
            let rows = text.lines().filter(|line| line.starts_with(&head));
            rows.for_each(|row| strength = format!("{strength}{row}\n"));
        }
    }
    text = replaced(&text, "strength", &strength)?;
    std::fs::write(&readme, text).map_err(|e| format!("{}: {e}", readme.display()))
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Puts `table` between the marks `<!-- NAME -->` and `<!-- end of NAME -->`.
fn replaced(text: &str, name: &str, table: &str) -> Result<String, String> {
    let (first, last) = (
        format!("<!-- {name} -->\n"),
        format!("<!-- end of {name} -->"),
    );
    let (before, rest) = text
        .split_once(&first)
        .ok_or_else(|| format!("README.md has no mark {name}"))?;
    let (_, after) = rest
        .split_once(&last)
        .ok_or_else(|| format!("README.md has no end of {name}"))?;
    Ok(format!("{before}{first}{table}{last}{after}"))
}

/// The whole table, as Markdown, in two columns of tests where all machines agree.
fn acid800(table: &str) -> String {
    let mut out = String::new();
    for (i, line) in table.lines().enumerate() {
        let cells: Vec<&str> = line.split('\t').collect();
        writeln!(out, "| {} |", cells.join(" | ")).unwrap_or_default();
        if i == 0 {
            writeln!(out, "|{}", " --- |".repeat(cells.len())).unwrap_or_default();
        }
    }
    out
}

/// How many cases of each topic pass.
fn behaviour(table: &str) -> String {
    let mut topics: Vec<(&str, usize, usize)> = Vec::new();
    for line in table.lines() {
        let mut cells = line.split('\t').skip(1);
        let (Some(topic), Some(result)) = (cells.next(), cells.next()) else {
            continue;
        };
        let at = topics.iter().position(|t| t.0 == topic).unwrap_or_else(|| {
            topics.push((topic, 0, 0));
            topics.len() - 1
        });
        topics[at].2 += 1;
        topics[at].1 += usize::from(result == "pass");
    }
    let (passed, all) = topics
        .iter()
        .fold((0, 0), |sum, t| (sum.0 + t.1, sum.1 + t.2));
    let list: Vec<String> = topics
        .iter()
        .map(|(topic, passed, all)| format!("{topic} {passed}/{all}"))
        .collect();
    format!("{passed} of {all} cases: {}.\n", list.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_goes_between_its_marks() {
        let text = "a\n<!-- x -->\nold\n<!-- end of x -->\nb\n";
        assert_eq!(
            replaced(text, "x", "new\n").unwrap(),
            "a\n<!-- x -->\nnew\n<!-- end of x -->\nb\n"
        );
        assert!(replaced(text, "y", "").is_err());
    }

    #[test]
    fn cases_are_counted_by_topic() {
        assert_eq!(
            behaviour("n1\ta\tpass\nn2\ta\tFAIL\nn3\tb\tpass\n"),
            "2 of 3 cases: a 1/2, b 1/1.\n"
        );
    }
}
