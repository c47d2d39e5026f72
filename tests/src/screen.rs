//! The form in which the behaviour cases describe a screen.
use std::fmt::Write;

use machine::Machine;

/// `SCREEN`, the rows each after a `|`, `INVERSE`, `CURSOR`.
#[must_use]
pub fn describe(machine: &Machine) -> String {
    let screen = machine.text_screen();
    let mut rows: Vec<String> = (0..24).map(|r| screen.row_text(r)).collect();
    while rows.last().is_some_and(String::is_empty) {
        rows.pop();
    }
    let mut out = String::from("SCREEN\n");
    for row in rows {
        let _ = writeln!(out, "|{row}");
    }
    let inverse = screen.inverse();
    if !inverse.is_empty() {
        out.push_str("INVERSE");
        for (row, first, last) in inverse {
            let _ = write!(out, " {row}:{first}-{last}");
        }
        out.push('\n');
    }
    let _ = writeln!(
        out,
        "CURSOR row={} col={}",
        screen.cursor.0, screen.cursor.1
    );
    out
}
