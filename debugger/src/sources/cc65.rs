//! Debug information of ld65 (`--dbgfile`), version 2: a record a line, `kind<TAB>name=value,...`.

use super::{SourceError, SourceLine, Sources, Span, attributes};
use crate::Symbols;
use crate::c::{Function, Local, Location, Storage};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::RangeInclusive;

/// The type of a line: of C, or of a macro's text.
const C: &str = "1";
const MACRO: &str = "2";

fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

pub(super) fn add(
    sources: &mut Sources,
    symbols: &mut Symbols,
    text: &str,
) -> Result<(), SourceError> {
    let mut records = Records::default();
    for (index, record) in text.lines().enumerate() {
        records.add(record).map_err(|expected| SourceError {
            line: index + 1,
            expected,
        })?;
    }
    records.add_lines(sources);
    let is_c = records.c.add(sources, &records.code);
    for (name, value, is_label) in records.labels {
        let Ok(address) = u16::try_from(value) else {
            continue;
        };
        // A constant does not name an address that happens to be equal, but may be typed.
        if is_label {
            symbols.add(address, name);
        } else {
            symbols.add_constant(name, address);
        }
        if let (true, Some(name)) = (is_c && is_label, name.strip_prefix('_')) {
            sources.c.add_global(name, address);
        }
    }
    Ok(())
}

/// A record's fields by name.
struct Fields<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Fields<'a> {
    fn get(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).copied()
    }

    fn value(&self, name: &str) -> Option<u32> {
        self.get(name).and_then(number)
    }

    /// The numbers of other records.
    fn numbers(&self, name: &str) -> Vec<u32> {
        let text = self.get(name).unwrap_or("");
        text.split('+').filter_map(number).collect()
    }
}

/// The segments and the spans of code and data in them, by their numbers.
#[derive(Default)]
struct Code {
    /// First addresses; false for segments that have none.
    segments: HashMap<u32, (u32, bool)>,
    /// The segments that have bytes in a file. The others hold variables only: what runs there is no line of theirs.
    stored: HashSet<u32>,
    /// Segments, offsets and sizes.
    spans: HashMap<u32, (u32, u32, u32)>,
}

impl Code {
    /// The addresses of a span.
    fn range(&self, id: u32) -> Option<RangeInclusive<u16>> {
        let &(segment, start, size) = self.spans.get(&id)?;
        let &(base, true) = self.segments.get(&segment)? else {
            return None;
        };
        let first = base.saturating_add(start);
        let last = first.saturating_add(size).saturating_sub(1);
        let (first, last) = (u16::try_from(first).ok()?, u16::try_from(last).ok()?);
        (size > 0).then_some(first..=last)
    }

    /// The segment of a span.
    fn segment(&self, id: u32) -> Option<u32> {
        self.spans.get(&id).map(|span| span.0)
    }
}

/// A line of a source file.
struct Line {
    file: u32,
    number: u32,
    rank: u8,
    spans: Vec<u32>,
}

/// The records of a file.
#[derive(Default)]
struct Records<'a> {
    files: HashMap<u32, &'a str>,
    code: Code,
    lines: Vec<Line>,
    /// Names and values; true for those of addresses.
    labels: Vec<(&'a str, u32, bool)>,
    c: C65,
}

impl<'a> Records<'a> {
    /// Adds a record; the error is the syntax that was expected.
    fn add(&mut self, record: &'a str) -> Result<(), &'static str> {
        let Some((kind, rest)) = record.split_once('\t') else {
            if record.trim().is_empty() {
                return Ok(());
            }
            return Err("a record of cc65's debug information");
        };
        let fields = Fields(attributes(rest));
        match kind {
            "version" if fields.get("major") != Some("2") => {
                return Err("version 2 of cc65's debug information");
            }
            "file" => {
                let file = fields.value("id").zip(fields.get("name"));
                let (id, name) = file.ok_or("a file with id and name")?;
                self.files.insert(id, name);
            }
            "seg" => {
                let segment = fields.value("id").zip(fields.value("start"));
                let (id, start) = segment.ok_or("a segment with id and start")?;
                // Headers of the file have no address.
                let real = start != 0 || fields.get("addrsize") == Some("zeropage");
                self.code.segments.insert(id, (start, real));
                if fields.get("oname").is_some() {
                    self.code.stored.insert(id);
                }
            }
            "span" => {
                let id = fields.value("id").ok_or("a span with id")?;
                let place = ["seg", "start", "size"].map(|name| fields.value(name));
                let [Some(segment), Some(start), Some(size)] = place else {
                    return Err("a span with segment, start and size");
                };
                self.code.spans.insert(id, (segment, start, size));
            }
            "line" => self.add_line(&fields)?,
            "scope" => self.c.add_scope(&fields),
            "csym" => self.c.add_local(&fields)?,
            "sym" => self.add_symbol(&fields),
            _ => {}
        }
        Ok(())
    }

    fn add_line(&mut self, fields: &Fields) -> Result<(), &'static str> {
        let place = fields.value("file").zip(fields.value("line"));
        let (file, number) = place.ok_or("a line with file and number")?;
        let rank = match fields.get("type") {
            Some(C) => 2,
            Some(MACRO) => 0,
            _ => 1,
        };
        let spans = fields.numbers("span");
        if let Some(id) = fields.value("id") {
            self.c.lines.insert(id, spans.clone());
        }
        self.lines.push(Line {
            file,
            number,
            rank,
            spans,
        });
        Ok(())
    }

    fn add_symbol(&mut self, fields: &Fields<'a>) {
        let (name, value) = (fields.get("name"), fields.value("val"));
        if let (Some(name), Some("imp")) = (name, fields.get("type")) {
            let import = (name.to_owned(), fields.numbers("ref"));
            self.c.imports.push(import);
        }
        if let (Some(name), Some(value)) = (name, value) {
            let is_label = fields.get("type") == Some("lab");
            self.labels.push((name, value, is_label));
        }
        if let (Some(number), Some(scope), Some(segment), Some(address)) = (
            name.and_then(made),
            fields.value("scope"),
            fields.value("seg"),
            value.and_then(|value| u16::try_from(value).ok()),
        ) {
            self.c.made.push(Made {
                number,
                scope,
                segment,
                address,
            });
        }
    }

    /// Adds the lines of files that are named.
    fn add_lines(&self, sources: &mut Sources) {
        for line in &self.lines {
            let Some(name) = self.files.get(&line.file) else {
                continue;
            };
            let at = SourceLine {
                file: sources.file(name),
                line: line.number,
            };
            let is_stored = |id: &&u32| {
                let segment = self.code.segment(**id);
                segment.is_some_and(|segment| self.code.stored.contains(&segment))
            };
            let spans = line.spans.iter().filter(is_stored);
            let code = spans.filter_map(|&id| self.code.range(id));
            let rank = line.rank;
            let spans = code.map(|code| Span { code, at, rank });
            sources.spans.extend(spans);
        }
    }
}

/// True for a label that the compiler made: `L002E`.
pub(super) fn is_made(name: &str) -> bool {
    made(name).is_some()
}

/// The number of a label that the compiler made.
fn made(name: &str) -> Option<u16> {
    let digits = name.strip_prefix('L')?;
    let is = digits.len() == 4 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is.then(|| u16::from_str_radix(digits, 16).ok()).flatten()
}

/// A label that the compiler made.
struct Made {
    /// They are counted as they are needed.
    number: u16,
    scope: u32,
    segment: u32,
    address: u16,
}

/// Records about a C program.
#[derive(Default)]
struct C65 {
    /// Spans of lines.
    lines: HashMap<u32, Vec<u32>>,
    /// Numbers, names with their underscore, spans.
    scopes: Vec<(u32, String, Vec<u32>)>,
    /// Scopes and their variables.
    locals: Vec<(u32, Local)>,
    /// Names and the lines that use them.
    imports: Vec<(String, Vec<u32>)>,
    made: Vec<Made>,
}

impl C65 {
    fn add_scope(&mut self, fields: &Fields) {
        if let (Some(id), Some(name), Some("scope")) =
            (fields.value("id"), fields.get("name"), fields.get("type"))
        {
            let spans = fields.numbers("span");
            self.scopes.push((id, name.to_owned(), spans));
        }
    }

    fn add_local(&mut self, fields: &Fields) -> Result<(), &'static str> {
        if let (Some(scope), Some(name), Some(class @ ("auto" | "reg"))) =
            (fields.value("scope"), fields.get("name"), fields.get("sc"))
        {
            let offset = fields.get("offs").map_or(Some(0), |text| text.parse().ok());
            let offset = offset.ok_or("a C symbol with its offset")?;
            let local = Local {
                name: name.to_owned(),
                storage: if class == "reg" {
                    Storage::Bank(offset)
                } else {
                    Storage::Frame(offset)
                },
                kind: None,
            };
            self.locals.push((scope, local));
        }
        Ok(())
    }

    /// Adds the functions; false if there are none.
    fn add(&self, sources: &mut Sources, code: &Code) -> bool {
        let pushes = self.add_stack_users(sources, code);
        for (id, name, spans) in &self.scopes {
            // Of a function's spans the longest is its code.
            let own = spans
                .iter()
                .filter_map(|&span| Some((code.range(span)?, code.segment(span)?)))
                .max_by_key(|(code, _)| code.end() - code.start());
            let (Some(name), Some((code, segment))) = (name.strip_prefix('_'), own) else {
                continue;
            };
            let own = self.locals.iter().filter(|(scope, _)| scope == id);
            let locals: Vec<Local> = own.map(|(_, local)| local.clone()).collect();
            // A function without parameters may begin with a push, too.
            let takes_any = locals.iter().any(|l| l.storage == Storage::Frame(0));
            let pushed = pushes.get(code.start()).filter(|_| takes_any);
            let pushed = pushed.copied().unwrap_or(0);
            sources.c.depths.add_entry(*code.start(), pushed);
            // Strings have their labels outside of functions.
            let data = |made: &&Made| made.scope == *id && made.segment != segment;
            let mut statics: Vec<&Made> = self.made.iter().filter(data).collect();
            statics.sort_by_key(|made| made.number);
            sources.c.add_function(Function {
                name: name.to_owned(),
                pushed,
                locals,
                statics: statics.iter().map(|made| made.address).collect(),
                code,
            });
        }
        !sources.c.is_empty()
    }

    /// Adds the instructions that use cc65's stack or its bank of registers; returns the bytes that calls push, by address.
    fn add_stack_users(&self, sources: &mut Sources, code: &Code) -> HashMap<u16, u16> {
        let mut pushes = HashMap::new();
        let depths = &sources.c.depths;
        for (name, lines) in &self.imports {
            let location = match name.as_str() {
                "sp" | "c_sp" => Some(Location::Stack),
                "regbank" => Some(Location::Bank),
                _ => None,
            };
            let pushed = match name.as_str() {
                "pusha" => 1,
                "pushax" => 2,
                "pusheax" => 4,
                name if name.starts_with("decsp") || name == "ldaxysp" => 0,
                _ if location.is_some() => 0,
                _ => continue,
            };
            let spans = lines.iter().filter_map(|line| self.lines.get(line));
            for code in spans.flatten().filter_map(|&span| code.range(span)) {
                // With an address in the zero page an instruction has two bytes.
                match location {
                    Some(location) if code.end() - code.start() == 1 => {
                        depths.add_operand(location, *code.start());
                    }
                    Some(_) => {}
                    None => depths.add_user(*code.start()),
                }
                if pushed != 0 {
                    pushes.insert(*code.start(), pushed);
                }
            }
        }
        pushes
    }
}
