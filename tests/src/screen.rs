//! The form in which the behaviour cases describe a screen.
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
        out.push_str(&format!("|{row}\n"));
    }
    let inverse = screen.inverse();
    if !inverse.is_empty() {
        out.push_str("INVERSE");
        for (row, first, last) in inverse {
            out.push_str(&format!(" {row}:{first}-{last}"));
        }
        out.push('\n');
    }
    out.push_str(&format!(
        "CURSOR row={} col={}\n",
        screen.cursor.0, screen.cursor.1
    ));
    out
}
