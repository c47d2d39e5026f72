//! Writes the tables that test runs have left below the target folder into the documents.
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The head of the table of the computer's strength.
const STRENGTH: &str = "| game | opponent | played | finished | won | lost | tied | rate % | refused | faults | s a move | longest |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";

pub fn run() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    for (name, make) in [
        ("acid800", acid800 as fn(&str) -> String),
        ("basic-oracle", behaviour),
    ] {
        // What was not run again stays as it is.
        let table = target.join("results").join(format!("{name}.tsv"));
        if table.is_file() {
            let table = make(&read(&table)?);
            update(&root.join("docs/conformance.md"), name, |_| table)?;
        }
    }
    let mut played = String::new();
    for pairing in ::tests::arena::PAIRINGS {
        let rows = target.join(format!("results/strength-{}.md", pairing.game));
        if rows.is_file() {
            played.push_str(&read(&rows)?);
        }
    }
    update(&root.join("docs/strength.md"), "strength", |before| {
        format!("{STRENGTH}{}", strength_rows(&played, before))
    })
}

/// Replaces the table of this name in a document by the result of `make` for the document as it is.
fn update(document: &Path, name: &str, make: impl FnOnce(&str) -> String) -> Result<(), String> {
    let text = read(document)?;
    let text = replaced(&text, name, &make(&text))
        .map_err(|mark| format!("{} has no {mark}", document.display()))?;
    std::fs::write(document, text).map_err(|e| format!("{}: {e}", document.display()))
}

/// A row for each pairing: as it was played now, else as it was before.
fn strength_rows(played: &str, before: &str) -> String {
    let mut rows = String::new();
    for pairing in ::tests::arena::PAIRINGS {
        let head = format!("| {} | {} |", pairing.game, pairing.opponent);
        let mut known = played.lines().chain(before.lines());
        if let Some(row) = known.find(|line| line.starts_with(&head)) {
            writeln!(rows, "{row}").unwrap_or_default();
        }
    }
    rows
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
        .ok_or_else(|| format!("mark {name}"))?;
    let (_, after) = rest
        .split_once(&last)
        .ok_or_else(|| format!("end of {name}"))?;
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

/// The number of passing cases of each topic.
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
    fn rows_that_were_not_played_again_stay() {
        let before = "| focal | greedy | 2 |\n| gammon | random legal | 3 |\n";
        let played = "| focal | random legal | 4 |\n| focal | greedy | 5 |\n";
        assert_eq!(
            strength_rows(played, before),
            "| gammon | random legal | 3 |\n| focal | random legal | 4 |\n| focal | greedy | 5 |\n"
        );
    }

    #[test]
    fn cases_are_counted_by_topic() {
        assert_eq!(
            behaviour("n1\ta\tpass\nn2\ta\tFAIL\nn3\tb\tpass\n"),
            "2 of 3 cases: a 1/2, b 1/1.\n"
        );
    }
}
