//! Macros with parameters.
use super::words::{cheap, is_name, replaced};
use crate::expression::clip;
use std::collections::BTreeMap;

/// A macro: its parameters and its lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Macro {
    parameters: Vec<String>,
    lines: Vec<String>,
}

/// The macros of a pass.
#[derive(Debug, Default)]
pub(super) struct Macros {
    known: BTreeMap<String, Macro>,
    /// The macro that is being defined, and its name.
    open: Option<(String, Macro)>,
    /// Expansions so far: each has a scope of its own.
    pub(super) expansions: u32,
}

impl Macros {
    /// Begins the definition after `.macro`: `NAME FIRST, SECOND`.
    pub(super) fn begin(&mut self, text: &str) -> Result<(), String> {
        let mut words = text.split([',', ' ', '\t']).filter(|word| !word.is_empty());
        let name = words.next().filter(|name| is_name(name));
        let name = name.ok_or("a macro needs a name: .macro NAME FIRST, SECOND")?;
        let parameters: Vec<String> = words.map(str::to_owned).collect();
        if let Some(wrong) = parameters.iter().find(|word| !is_name(word)) {
            return Err(format!("\"{}\" is no name for a parameter", clip(wrong)));
        }
        if self.known.contains_key(name) {
            return Err(format!("there is a macro \"{}\" already", clip(name)));
        }
        let lines = Vec::new();
        self.open = Some((name.to_owned(), Macro { parameters, lines }));
        Ok(())
    }

    /// Takes a line of the macro that is being defined; false if there is none.
    pub(super) fn takes(&mut self, line: &str) -> bool {
        let Some((_, open)) = &mut self.open else {
            return false;
        };
        let word = line.split_whitespace().next().unwrap_or("");
        let ends = [".endmacro", ".endmac", ".endm", ".mend"];
        if !ends.iter().any(|end| word.eq_ignore_ascii_case(end)) {
            open.lines.push(line.to_owned());
        } else if let Some((name, done)) = self.open.take() {
            self.known.insert(name, done);
        }
        true
    }

    /// The name of a macro that has no end.
    pub(super) fn unfinished(&self) -> Option<&str> {
        self.open.as_ref().map(|(name, _)| name.as_str())
    }

    /// True for the name of a macro.
    pub(super) fn has(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// The lines of a macro with its values, and the name of this expansion's scope.
    pub(super) fn expand(
        &mut self,
        name: &str,
        values: &[&str],
    ) -> Result<(String, Vec<String>), String> {
        let called = self.known.get(name).ok_or("there is no such macro")?;
        let (wanted, given) = (called.parameters.len(), values.len());
        if wanted != given {
            return Err(format!(
                "{} has {wanted} parameters, and {given} values are here",
                clip(name)
            ));
        }
        let value = |word: &str| {
            let plain = word.trim_start_matches(':');
            let number = || plain.parse::<usize>().ok()?.checked_sub(1);
            let place = called.parameters.iter().position(|known| known == plain);
            let place = place.or_else(number)?;
            values.get(place).map(|&value| value.to_owned())
        };
        let lines = called.lines.iter();
        let lines = lines.map(|line| replaced(line, value).into_owned());
        let lines = lines.collect();
        self.expansions += 1;
        Ok((format!("{name}@{}", self.expansions), lines))
    }
}

/// True if the line names the labels of a macro: `.local NAME, NAME`. They are its own in any case.
pub(super) fn names_labels(operand: &str) -> bool {
    let mut names = operand.split(',').map(str::trim);
    !operand.is_empty() && names.all(|name| is_name(name) || cheap(name).is_some())
}
