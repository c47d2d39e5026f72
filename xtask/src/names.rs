//! Writes the names of registers and of the OS's variables, with a sentence for each, for hovers in editors:
//! `cargo run -p xtask -- names [--check]`. Registers are those of the index, variables those of the OS's source.
use crate::registers::{ROWS, Row};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const TARGET: &str = "editors/vscode/data/names.json";
const VARIABLES: &str = "roms/os/variables.inc";

/// # Errors
/// A file that cannot be read or written; with `check` one that differs.
pub fn run(check: bool) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |name: &str| {
        fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"))
    };
    let mut lines: Vec<String> = ROWS.iter().flat_map(of_row).collect();
    lines.extend(variables(&read(VARIABLES)?));
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    if !check {
        return fs::write(root.join(TARGET), text).map_err(|error| format!("{TARGET}: {error}"));
    }
    if read(TARGET)? == text {
        Ok(())
    } else {
        Err(format!("{TARGET} is not what xtask names writes"))
    }
}

/// An entry; the texts are ASCII without backslashes, so that Rust's form of a string is JSON's.
fn entry(name: &str, address: u16, kind: &str, text: &str, read: bool) -> String {
    let mut line = format!(
        "{{\"name\": {name:?}, \"address\": {address}, \"kind\": {kind:?}, \"text\": {text:?}"
    );
    if read {
        line.push_str(", \"read\": true");
    }
    // Writing to a String cannot fail.
    let _ = write!(line, "}}");
    line
}

/// The registers of a row: `COLPF0 to COLPF3` and `DLISTL, DLISTH` are several.
fn of_row(row: &Row) -> Vec<String> {
    let addresses: Vec<u16> = row
        .addresses
        .split(['$', '-', ' '])
        .filter_map(|digits| u16::from_str_radix(digits, 16).ok())
        .collect();
    let (first, last) = (addresses[0], addresses[addresses.len() - 1]);
    let is_read = row.addresses.ends_with("(read)");
    let names = names(row.names);
    let steps = u16::try_from(names.len() - 1).unwrap_or(0).max(1);
    let step = (last - first) / steps;
    (0u16..)
        .zip(&names)
        .map(|(n, name)| entry(name, first + n * step, row.chip, row.text, is_read))
        .collect()
}

fn names(text: &str) -> Vec<String> {
    let Some((first, last)) = text.split_once(" to ") else {
        return text.split(", ").map(str::to_owned).collect();
    };
    // The digit in which they differ.
    let at = first
        .bytes()
        .zip(last.bytes())
        .position(|(a, b)| a != b)
        .unwrap_or(0);
    let name = |digit: u8| format!("{}{}{}", &first[..at], char::from(digit), &first[at + 1..]);
    (first.as_bytes()[at]..=last.as_bytes()[at])
        .map(name)
        .collect()
}

/// `NAME = $ADDRESS ; text`, each name once: the XL's place comes first.
fn variables(source: &str) -> Vec<String> {
    let mut known = Vec::new();
    let mut lines = Vec::new();
    for line in source.lines() {
        let (code, text) = line.split_once(';').unwrap_or((line, ""));
        let Some((name, address)) = code.split_once("= $") else {
            continue;
        };
        let (name, text) = (name.trim(), text.trim());
        let Ok(address) = u16::from_str_radix(address.trim(), 16) else {
            continue;
        };
        if known.contains(&name) {
            continue;
        }
        known.push(name);
        lines.push(entry(name, address, "OS", &sentence(text), false));
    }
    lines
}

/// A comment as a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{names, of_row, run, variables};
    use crate::registers::ROWS;

    #[test]
    fn names_of_a_row_are_taken_apart() {
        assert_eq!(names("M0PF to M3PF"), ["M0PF", "M1PF", "M2PF", "M3PF"]);
        assert_eq!(names("DLISTL, DLISTH"), ["DLISTL", "DLISTH"]);
        let audio = ROWS
            .iter()
            .find(|row| row.names == "AUDC1 to AUDC4")
            .unwrap();
        assert!(of_row(audio)[3].starts_with("{\"name\": \"AUDC4\", \"address\": 53767,"));
    }

    #[test]
    fn variables_have_their_comments() {
        let all = variables("A = $12 ; frames\nA = $13\nEOL = 155\nB = $0230\n");
        assert_eq!(
            all,
            [
                "{\"name\": \"A\", \"address\": 18, \"kind\": \"OS\", \"text\": \"Frames.\"}",
                "{\"name\": \"B\", \"address\": 560, \"kind\": \"OS\", \"text\": \"\"}",
            ]
        );
    }

    #[test]
    fn the_extension_has_them() {
        assert_eq!(run(true), Ok(()));
    }
}
