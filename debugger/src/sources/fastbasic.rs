//! Labels of FastBasic's compiler (`-g`): they name the interpreter's code of each line, the variables, and the interpreter's pointer.
//!
//! The processor never runs such a line: the interpreter reads its bytes as data. So a line begins with the read of its first byte, and the one that
//! runs is where the interpreter's pointer is.

use super::{Interpreter, SourceLine, Sources, Span};
use crate::Symbols;
use crate::c::Type;
use std::collections::BTreeMap;

/// Before the number of a line.
const LINE: &str = "@FastBasic_LINE_";
/// Before the name of a variable.
const VARIABLE: &str = "fb_var_";
/// The interpreter's pointer.
const POINTER: &str = "interpreter_cptr";
/// Name of the source while its file is not known: the labels do not have it.
pub(super) const UNKNOWN: &str = "FastBasic";
/// Bytes that the last line may have.
const LAST: u16 = 255;
/// Variables that a program may have.
const MOST: usize = 256;

/// True for a file with labels of lines.
pub(super) fn is_labels(text: &str) -> bool {
    text.contains(LINE)
}

/// Takes the lines out of the program's labels.
pub(super) fn add(sources: &mut Sources, symbols: &mut Symbols) {
    let Some(pointer) = symbols.address(POINTER) else {
        return;
    };
    // Of lines without code of their own the last one is shown.
    let mut lines = BTreeMap::new();
    for name in symbols.names_from(LINE) {
        let number = name[LINE.len()..].parse::<u32>();
        if let (Ok(line), Some(address)) = (number, symbols.address(name)) {
            let shown: &mut u32 = lines.entry(address).or_default();
            *shown = line.max(*shown);
        }
    }
    let file = sources.file(UNKNOWN);
    sources.interpreter = Some(Interpreter { file, pointer });
    let mut ends = lines.keys().skip(1).map(|next| next - 1);
    for (&first, &line) in &lines {
        let last = ends.next().unwrap_or_else(|| first.saturating_add(LAST));
        sources.spans.push(Span {
            code: first..=last,
            at: SourceLine { file, line },
            rank: 0,
        });
    }
    symbols.hide(|name| name.starts_with(LINE));
}

/// Names the variables that are numbers: those that no place of the source has as a string, a floating-point number or an array.
pub(super) fn name_numbers(sources: &mut Sources, symbols: &Symbols, text: &str) {
    let text = text.to_ascii_uppercase();
    let is_number = |name: &str| {
        text.match_indices(name).all(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + name.len()..]
                .trim_start_matches(' ')
                .chars()
                .next();
            let of_name = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            of_name(before) || !matches!(after, Some('$' | '%' | '('))
        })
    };
    for label in symbols.names_from(VARIABLE).take(MOST) {
        let name = label[VARIABLE.len()..].to_ascii_uppercase();
        if let Some(address) = symbols.address(label).filter(|_| is_number(&name)) {
            sources.c.add_typed(
                &name,
                address,
                Type::Int {
                    size: 2,
                    signed: true,
                },
            );
        }
    }
}
