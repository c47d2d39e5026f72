//! The settings of the user, as text: kept by the host for each program.

use super::execute;
use crate::{Debuggee, Debugger};
use std::fmt::Write;

impl Debugger {
    /// Names an address for the user; the name is one of [`Self::settings`].
    pub(crate) fn add_label(&mut self, name: &str, address: u16) {
        self.symbols.add(address, name);
        self.labels.retain(|(known, _)| known != name);
        self.labels.push((name.to_owned(), address));
    }

    /// Labels, breakpoints and watches as commands that set them again: a line each. [`Self::restore`] reads it.
    pub fn settings(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        for (name, address) in &self.labels {
            let _ = writeln!(text, "label {name} ${address:04X}");
        }
        for breakpoint in self.breakpoints.list() {
            let line = breakpoint.line(|_| None);
            let _ = writeln!(text, "break {line}");
            if !breakpoint.enabled {
                text.push_str("disable last\n");
            }
        }
        for watch in &self.watches {
            let _ = writeln!(text, "watch {watch}");
        }
        text
    }

    /// Sets again what [`Self::settings`] gave; the old settings are removed. Each line that is not understood now is a sentence of the
    /// result: a label that it needs may be gone.
    pub fn restore(&mut self, debuggee: &mut dyn Debuggee, settings: &str) -> Vec<String> {
        self.breakpoints.clear();
        self.watches.clear();
        let mut wrong = Vec::new();
        for line in settings.lines() {
            let word = line.split_whitespace().next().unwrap_or("");
            let result = if ["label", "break", "disable", "watch"].contains(&word) {
                execute(self, debuggee, line).map(|_| ())
            } else if word.is_empty() {
                Ok(())
            } else {
                Err("it is no setting".to_owned())
            };
            if let Err(error) = result {
                wrong.push(format!("\"{}\": {error}", crate::expression::clip(line)));
            }
        }
        wrong
    }
}
