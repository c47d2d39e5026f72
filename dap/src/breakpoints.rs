//! Breakpoints as the client sets them: each request names all of its kind.

use super::places::{array, clip, parse, reference};
use super::program::Program;
use debugger::{Entry, Expression, Message, Place, SourceLine, basic};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The client's sets of breakpoints, by source or kind: numbers of the debugger's.
pub type Sets = BTreeMap<String, Vec<u32>>;

/// Exceptions that the client can ask for: name, label, place.
pub const EXCEPTIONS: [(&str, &str, Place); 6] = [
    ("dli", "Display list interrupts", Place::DliRoutine),
    (
        "vbi",
        "Vertical blank interrupts",
        Place::Interrupt(Entry::Vbi),
    ),
    ("irq", "IRQs", Place::Interrupt(Entry::Irq)),
    ("brk", "BRK instructions", Place::Opcode(0)),
    ("stack", "Stack wraps around", Place::StackWrap),
    (
        "uninitialised",
        "Reads of memory that nothing has written",
        Place::Uninitialised(0..=0xFFFF),
    ),
];

impl Program<'_> {
    /// Forgets a set.
    fn clear(&mut self, key: &str) {
        for id in self.known.sets.remove(key).unwrap_or_default() {
            self.started.debugger.breakpoints.remove(id);
            self.known.shown.remove(&id);
        }
    }

    /// Sets one with its condition, count and message.
    fn set(&mut self, key: &str, places: Vec<Place>, wanted: &Value) -> Result<u32, String> {
        // All places of a line are in the same function.
        let place = places.first().ok_or("there is no code")?;
        let names = self.started.debugger.names_at(self.track(), place);
        let text = |name: &str| wanted[name].as_str().filter(|text| !text.trim().is_empty());
        let condition = text("condition")
            .map(|text| Expression::parse_in(text, &names))
            .transpose()?;
        let message = text("logMessage")
            .map(|text| Message::parse(text, &names))
            .transpose()?;
        // `5`, `== 5`, `>= 5` and `> 5`.
        let ignore = match text("hitCondition") {
            None => 0,
            Some(text) => {
                let text = text.trim();
                let (more, digits) = match text.strip_prefix('>') {
                    Some(rest) if !rest.starts_with('=') => (0, rest),
                    _ => (1, text.trim_start_matches(['>', '='])),
                };
                let count: u32 = digits
                    .trim()
                    .parse()
                    .map_err(|_| format!("\"{}\" is no number of hits", clip(text)))?;
                count.saturating_sub(more)
            }
        };
        let mut first = None;
        for place in places {
            let id = self.started.debugger.breakpoints.add(place);
            self.started.debugger.breakpoints.change(id, |breakpoint| {
                breakpoint.condition.clone_from(&condition);
                breakpoint.ignore = ignore;
                breakpoint.log = message.is_some();
                breakpoint.message.clone_from(&message);
            });
            self.known.sets.entry(key.to_owned()).or_default().push(id);
            // Several places of one line are one breakpoint to the client.
            let shown = *first.get_or_insert(id);
            self.known.shown.insert(id, shown);
        }
        first.ok_or_else(|| "there is no code".to_owned())
    }

    fn answer(result: Result<(u32, Value), String>) -> Value {
        match result {
            Ok((id, mut more)) => {
                more["id"] = json!(id);
                more["verified"] = json!(true);
                more
            }
            Err(message) => json!({ "verified": false, "message": message }),
        }
    }

    /// The name of the set of a source's breakpoints.
    pub fn set_of(source: &Value) -> String {
        format!("source {}{}", source["path"], source["sourceReference"])
    }

    pub fn set_breakpoints(&mut self, arguments: &Value) -> Value {
        let source = &arguments["source"];
        let key = Self::set_of(source);
        self.clear(&key);
        self.learn_source(source);
        let mut answers = Vec::new();
        for wanted in array(arguments, "breakpoints") {
            let line = wanted["line"].as_u64().unwrap_or(0) as usize;
            let found = self.place_of(source, line);
            let result = found.and_then(|(places, line)| {
                let id = self.set(&key, places, wanted)?;
                Ok((id, json!({ "line": line })))
            });
            answers.push(Self::answer(result));
        }
        json!({ "breakpoints": answers })
    }

    fn place_of(&self, source: &Value, line: usize) -> Result<(Vec<Place>, usize), String> {
        if self.known.basic && self.is_listing(source) {
            let (number, line) = self.basic_line(line).ok_or("there is no BASIC line")?;
            return Ok((vec![Place::BasicLine(number)], line));
        }
        let file = self
            .file_of(source)
            .ok_or("the program's debug information does not know this file")?;
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let sources = &self.started.debugger.sources;
        let (at, code) = sources
            .code_of(SourceLine { file, line })
            .ok_or("there is no code from this line on")?;
        let places = code.into_iter().map(|at| sources.breakpoint(at)).collect();
        Ok((places, at.line as usize))
    }

    pub fn set_instruction_breakpoints(&mut self, arguments: &Value) -> Value {
        self.clear("instructions");
        let mut answers = Vec::new();
        for wanted in array(arguments, "breakpoints") {
            let text = wanted["instructionReference"].as_str().unwrap_or("");
            let offset = wanted["offset"].as_i64().unwrap_or(0) as u16;
            let result = parse(text)
                .ok_or_else(|| format!("\"{}\" is no address", clip(text)))
                .and_then(|address| {
                    let address = address.wrapping_add(offset);
                    let id = self.set("instructions", vec![Place::Pc(address)], wanted)?;
                    Ok((id, json!({ "instructionReference": reference(address) })))
                });
            answers.push(Self::answer(result));
        }
        json!({ "breakpoints": answers })
    }

    pub fn set_function_breakpoints(&mut self, arguments: &Value) -> Value {
        self.clear("functions");
        let mut answers = Vec::new();
        for wanted in array(arguments, "breakpoints") {
            let name = wanted["name"].as_str().unwrap_or("");
            let result = self.address(name).and_then(|at| {
                Ok((
                    self.set("functions", vec![Place::Pc(at)], wanted)?,
                    json!({}),
                ))
            });
            answers.push(Self::answer(result));
        }
        json!({ "breakpoints": answers })
    }

    pub fn set_exception_breakpoints(&mut self, arguments: &Value) -> Value {
        self.clear("exceptions");
        let options = array(arguments, "filterOptions");
        let filters = array(arguments, "filters").iter();
        let plain = filters.filter_map(|name| Some((name.as_str()?, &Value::Null)));
        let with = options
            .iter()
            .filter_map(|option| Some((option["filterId"].as_str()?, option)));
        let wanted: Vec<(&str, &Value)> = plain.chain(with).collect();
        let mut answers = Vec::new();
        for (name, wanted) in wanted {
            let place = EXCEPTIONS.iter().find(|(known, ..)| *known == name);
            let result = place
                .ok_or_else(|| format!("there is no \"{}\"", clip(name)))
                .and_then(|(.., place)| {
                    Ok((
                        self.set("exceptions", vec![place.clone()], wanted)?,
                        json!({}),
                    ))
                });
            answers.push(Self::answer(result));
        }
        json!({ "breakpoints": answers })
    }

    pub fn data_breakpoint_info(&mut self, arguments: &Value) -> Value {
        let name = arguments["name"].as_str().unwrap_or("");
        let range = if self.known.basic {
            basic::Basic::address_of(self.machine(), name)
        } else {
            None
        };
        let size = arguments["bytes"].as_u64().unwrap_or(1).clamp(1, 0x10000) as u32;
        let range = range.map_or_else(
            || self.address(name).map(|at| (at, size)),
            |(at, length)| Ok((at, length.into())),
        );
        match range {
            Ok((at, size)) => {
                let last = (u32::from(at) + size - 1).min(0xFFFF);
                json!({
                    "dataId": format!("0x{at:04X}-0x{last:04X}"),
                    "description": format!("{name} (${at:04X})"),
                    "accessTypes": ["read", "write", "readWrite"],
                    "canPersist": true,
                })
            }
            Err(message) => json!({ "dataId": null, "description": message }),
        }
    }

    pub fn set_data_breakpoints(&mut self, arguments: &Value) -> Value {
        self.clear("data");
        let mut answers = Vec::new();
        for wanted in array(arguments, "breakpoints") {
            let id = wanted["dataId"].as_str().unwrap_or("");
            let range = id
                .split_once('-')
                .and_then(|(from, to)| Some(parse(from)?..=parse(to)?));
            let result = range
                .ok_or_else(|| format!("\"{}\" is no place in memory", clip(id)))
                .and_then(|range| {
                    let place = match wanted["accessType"].as_str() {
                        Some("read") => Place::Read(range),
                        Some("readWrite") => Place::Access(range),
                        _ => Place::Write(range),
                    };
                    Ok((self.set("data", vec![place], wanted)?, json!({})))
                });
            answers.push(Self::answer(result));
        }
        json!({ "breakpoints": answers })
    }
}
