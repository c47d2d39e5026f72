//! The words that may come next in a line that is being typed: by the commands' arguments.

use super::breaks::PLACES;
use super::edit::REGISTERS;
use super::table::{Act, Command};
use crate::expression::Expression;
use crate::step::KINDS;
use crate::{Debugger, basic};
use session::{Track, mouse};

/// Names of labels that are shown at once.
const MOST: usize = 200;

/// The words that may come next, for a line that is being typed. Branches and variables are known with the track only.
pub fn complete(debugger: &Debugger, track: Option<&Track>, line: &str) -> Vec<String> {
    let start = line.rfind(|c: char| c.is_whitespace() || "[(+-*/&|=<>!".contains(c));
    let (before, word) = start.map_or(("", line), |at| line.split_at(at + 1));
    let mut words = before.split_whitespace();
    let Some(name) = words.next() else {
        return matching(names(), word);
    };
    let Some(mut command) = Command::named(name) else {
        return Vec::new();
    };
    let mut place = words.clone().count();
    if command.arguments == "[STEP]"
        && let Some(step) = words.next()
    {
        // The words after a step backwards are those after the step.
        match Command::named(step).filter(|step| matches!(step.act, Act::Step(_))) {
            Some(step) => (command, place) = (step, place - 1),
            None => return Vec::new(),
        }
    }
    let mut found = Vec::new();
    let mut expressions = false;
    for argument in arguments(command.arguments, place) {
        let own = own_words(debugger, track, argument);
        found.extend(matching(own, word));
        expressions |= is_expression(argument);
    }
    if !word.is_empty() && expressions {
        found.extend(matching(Expression::names().map(str::to_owned), word));
        let labels = debugger.symbols.names_from(word).take(MOST);
        found.extend(labels.map(str::to_owned));
    }
    found
}

fn names() -> impl Iterator<Item = String> {
    Command::all()
        .flat_map(|command| command.names.split(' '))
        .map(str::to_owned)
}

fn matching(words: impl IntoIterator<Item = String>, start: &str) -> Vec<String> {
    let words = words.into_iter();
    words.filter(|word| word.starts_with(start)).collect()
}

/// The arguments that may come after `place` words: the first ones up to one that must be there, or those after it, and the ones that continue it.
fn arguments(grammar: &'static str, place: usize) -> impl Iterator<Item = &'static str> {
    let needed = first_needed(grammar);
    let (first, later) = grammar.split_at(needed);
    let shown = match (place, later.is_empty()) {
        (0, _) => first,
        (_, true) => grammar,
        (_, false) => later,
    };
    let more = Some(first).filter(|first| place > 0 && first.contains("EXPRESSION"));
    let split = |text: &'static str| text.split(|c: char| !c.is_ascii_alphabetic());
    let words = split(shown).chain(split(more.unwrap_or("")));
    words.filter(|word| !word.is_empty())
}

/// The end of the first argument that must be there, with its alternatives.
fn first_needed(grammar: &str) -> usize {
    let mut depth = 0;
    let mut inside = false;
    for (at, c) in grammar.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            ' ' if inside && depth == 0 && !grammar[at..].trim_start().starts_with('|') => {
                return at;
            }
            ' ' => {}
            '|' => inside = false,
            _ if depth == 0 => inside = true,
            _ => {}
        }
    }
    grammar.len()
}

/// True if an argument may be an address or an expression.
fn is_expression(argument: &str) -> bool {
    matches!(
        argument,
        "ADDRESS" | "EXPRESSION" | "VALUE" | "PLACE" | "MOMENT" | "INSTRUCTION"
    )
}

/// The words that an argument can be.
fn own_words(debugger: &Debugger, track: Option<&Track>, argument: &str) -> Vec<String> {
    let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let files = || {
        let files = debugger.sources.files().iter();
        files.map(|file| {
            let name = file.name.rsplit(['/', '\\']).next();
            format!("{}:", name.unwrap_or(&file.name))
        })
    };
    let firsts = |words: &str| words.split(' ').next().unwrap_or_default().to_owned();
    match argument {
        "COMMAND" => names().collect(),
        "STEP" => KINDS.iter().map(|kind| firsts(kind.words)).collect(),
        "REGISTER" => REGISTERS
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect(),
        "PLACE" => {
            let mut words: Vec<String> = owned(PLACES);
            words.extend(files());
            words
        }
        "FILE" => files().collect(),
        "DEVICE" => mouse::devices().map(str::to_owned).collect(),
        "NUMBER" => {
            let breakpoints = debugger.breakpoints.list().iter();
            breakpoints.map(|b| b.id.to_string()).collect()
        }
        "WATCH" => (1..=debugger.watches.len())
            .map(|n| n.to_string())
            .collect(),
        "BRANCH" => track.map_or(Vec::new(), |track| {
            let branches = track.timeline().branches();
            branches.map(|branch| branch.id.0.to_string()).collect()
        }),
        "VARIABLE" => {
            let basic = track.and_then(|track| basic::Basic::of(track.machine()));
            basic.map_or(Vec::new(), |basic| {
                basic.variables.iter().map(|v| v.name.clone()).collect()
            })
        }
        word if word.starts_with(|c: char| c.is_ascii_lowercase()) => vec![word.to_owned()],
        _ => Vec::new(),
    }
}
