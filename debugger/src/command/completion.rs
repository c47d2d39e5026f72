//! The words that may come next in a line that is being typed.

use super::canonical;
use super::table::COMMANDS;
use crate::expression::Expression;
use crate::{Debugger, basic};

/// Steps that `back` takes.
const STEPS: &[&str] = &[
    "into",
    "over",
    "out",
    "cycle",
    "line",
    "frame",
    "list",
    "dli",
    "routine",
    "dliend",
    "vbi",
    "nth",
    "statement",
    "basicline",
    "step",
    "next",
    "to",
    "beam",
    "pixel",
];
/// Places of a breakpoint, but for addresses and source lines.
const PLACES: &[&str] = &[
    "read",
    "write",
    "access",
    "uninitialised",
    "beam",
    "dli",
    "vbi",
    "irq",
    "brk",
    "reset",
    "opcode",
    "cio",
    "sio",
    "sector",
    "basic",
    "stack",
];
/// What follows the place of a breakpoint.
const OPTIONS: &[&str] = &["if", "after", "once", "log"];
/// Registers that `set` loads.
const REGISTERS: &[&str] = &["a", "x", "y", "s", "p", "pc"];
/// Names of labels that are shown at once.
const MOST: usize = 200;

/// The words that may come next, for a line that is being typed.
pub fn complete(debugger: &Debugger, line: &str) -> Vec<String> {
    let start = line.rfind(|c: char| c.is_whitespace() || "[(+-*/&|=<>!".contains(c));
    let (before, word) = start.map_or(("", line), |at| line.split_at(at + 1));
    let mut words = before.split_whitespace();
    let Some(name) = words.next() else {
        return matching(commands(), word);
    };
    let Some(name) = canonical(name) else {
        return Vec::new();
    };
    let arguments: Vec<&str> = words.collect();
    let mut found = matching(own_words(debugger, name, &arguments), word);
    if !word.is_empty() && takes_expressions(name, &arguments) {
        found.extend(matching(Expression::names().map(str::to_owned), word));
        let labels = debugger.symbols.names_from(word).take(MOST);
        found.extend(labels.map(str::to_owned));
    }
    found
}

fn commands() -> impl Iterator<Item = String> {
    COMMANDS
        .iter()
        .flat_map(|(names, ..)| names.split(' '))
        .map(str::to_owned)
}

fn matching(words: impl IntoIterator<Item = String>, start: &str) -> Vec<String> {
    let words = words.into_iter();
    words.filter(|word| word.starts_with(start)).collect()
}

/// Whether a command's next word may be an address or part of an expression.
fn takes_expressions(name: &str, arguments: &[&str]) -> bool {
    let most = match name {
        "help" | "clear" | "enable" | "disable" | "unwatch" | "switch" | "log" | "breaks" => 0,
        "back" => return matches!(arguments.first(), Some(&"to")),
        "set" => return !arguments.is_empty(),
        _ => return true,
    };
    arguments.len() < most
}

/// Words that this command alone understands.
fn own_words(debugger: &Debugger, name: &str, arguments: &[&str]) -> Vec<String> {
    let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let breakpoints = || debugger.breakpoints.list().iter().map(|b| b.id.to_string());
    let files = || {
        let files = debugger.sources.files().iter();
        files.map(|file| {
            let name = file.name.rsplit(['/', '\\']).next();
            format!("{}:", name.unwrap_or(&file.name))
        })
    };
    let first = arguments.is_empty();
    match name {
        "help" if first => commands().collect(),
        "back" if first => owned(STEPS),
        "set" if first => owned(REGISTERS),
        "when" if first => owned(&["last"]),
        "find" if first => owned(&["screen"]),
        "source" if first => files().collect(),
        "break" if first => {
            let mut words: Vec<String> = owned(PLACES);
            words.extend(files());
            words
        }
        "break" => owned(OPTIONS),
        "trace" => owned(&["in", "if"]),
        "clear" if first => [owned(&["last", "all"]), breakpoints().collect()].concat(),
        "enable" | "disable" if first => [owned(&["last"]), breakpoints().collect()].concat(),
        "unwatch" if first => {
            let numbers = (1..=debugger.watches.len()).map(|n| n.to_string());
            [owned(&["all"]), numbers.collect()].concat()
        }
        "switch" if first => debugger.history.timeline().map_or(Vec::new(), |timeline| {
            let branches = timeline.branches();
            branches.map(|branch| branch.id.0.to_string()).collect()
        }),
        "whoset" if first => {
            let timeline = debugger.history.timeline();
            let machine = timeline.and_then(|t| t.machine_at(t.cursor().moment));
            let basic = machine.as_ref().and_then(basic::Basic::of);
            basic.map_or(Vec::new(), |basic| {
                basic.variables.iter().map(|v| v.name.clone()).collect()
            })
        }
        _ => Vec::new(),
    }
}
