//! Debug information of ld65 (`--dbgfile`), version 2: a record a line, `kind<TAB>name=value,...`.

use super::{SourceError, SourceLine, Sources, Span, attributes};
use crate::Symbols;
use crate::c::{Function, Local, Location, Storage};
use std::collections::HashMap;
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
    let mut files: HashMap<u32, String> = HashMap::new();
    let mut segments: HashMap<u32, (u32, bool)> = HashMap::new();
    let mut spans: HashMap<u32, (u32, u32, u32)> = HashMap::new();
    let mut lines = Vec::new();
    let mut labels = Vec::new();
    let mut c = C65::default();
    for (index, record) in text.lines().enumerate() {
        let wrong = |expected| SourceError {
            line: index + 1,
            expected,
        };
        let Some((kind, rest)) = record.split_once('\t') else {
            if record.trim().is_empty() {
                continue;
            }
            return Err(wrong("a record of cc65's debug information"));
        };
        let fields = attributes(rest);
        let get = |name: &str| fields.get(name).copied();
        let value = |name: &str| get(name).and_then(number);
        match kind {
            "version" if get("major") != Some("2") => {
                return Err(wrong("version 2 of cc65's debug information"));
            }
            "file" => {
                let file = value("id")
                    .zip(get("name"))
                    .ok_or(wrong("a file with id and name"))?;
                files.insert(file.0, file.1.to_owned());
            }
            "seg" => {
                let (id, start) = value("id")
                    .zip(value("start"))
                    .ok_or(wrong("a segment with id and start"))?;
                // Headers of the file have no address.
                let real = start != 0 || get("addrsize") == Some("zeropage");
                segments.insert(id, (start, real));
            }
            "span" => {
                let span = (value("seg"), value("start"), value("size"));
                let (id, (Some(segment), Some(start), Some(size))) =
                    (value("id").ok_or(wrong("a span with id"))?, span)
                else {
                    return Err(wrong("a span with segment, start and size"));
                };
                spans.insert(id, (segment, start, size));
            }
            "line" => {
                let (file, line) = value("file")
                    .zip(value("line"))
                    .ok_or(wrong("a line with file and number"))?;
                let rank = match get("type") {
                    Some(C) => 2,
                    Some(MACRO) => 0,
                    _ => 1,
                };
                let ids = numbers(get("span"));
                if let Some(id) = value("id") {
                    c.lines.insert(id, ids.clone());
                }
                lines.push((file, line, rank, ids));
            }
            "scope" => {
                if let (Some(id), Some(name)) = (value("id"), get("name"))
                    && get("type") == Some("scope")
                {
                    c.scopes.push((id, name.to_owned(), numbers(get("span"))));
                }
            }
            "csym" => {
                if let (Some(scope), Some(name), Some(class @ ("auto" | "reg"))) =
                    (value("scope"), get("name"), get("sc"))
                {
                    let offset = get("offs").map_or(Some(0), |text| text.parse().ok());
                    let offset = offset.ok_or(wrong("a C symbol with its offset"))?;
                    let local = Local {
                        name: name.to_owned(),
                        storage: if class == "reg" {
                            Storage::Bank(offset)
                        } else {
                            Storage::Frame(offset)
                        },
                        kind: None,
                    };
                    c.locals.push((scope, local));
                }
            }
            "sym" => {
                if let (Some(name), Some("imp")) = (get("name"), get("type")) {
                    c.imports.push((name.to_owned(), numbers(get("ref"))));
                }
                if let (Some(name), Some(value)) = (get("name"), value("val")) {
                    labels.push((name, value, get("type") == Some("lab")));
                }
                if let (Some(number), Some(scope), Some(segment), Some(address)) = (
                    get("name").and_then(made),
                    value("scope"),
                    value("seg"),
                    value("val").and_then(|value| u16::try_from(value).ok()),
                ) {
                    c.made.push(Made {
                        number,
                        scope,
                        segment,
                        address,
                    });
                }
            }
            _ => {}
        }
    }
    let range = |id: &u32| {
        let &(segment, start, size) = spans.get(id)?;
        let &(base, true) = segments.get(&segment)? else {
            return None;
        };
        let first = base.saturating_add(start);
        let last = first.saturating_add(size).saturating_sub(1);
        let (first, last) = (u16::try_from(first).ok()?, u16::try_from(last).ok()?);
        (size > 0).then_some(first..=last)
    };
    for (file, line, rank, ids) in lines {
        let Some(name) = files.get(&file) else {
            continue;
        };
        let at = SourceLine {
            file: sources.file(name),
            line,
        };
        let code = ids.iter().filter_map(range);
        let spans = code.map(|code| Span { code, at, rank });
        sources.spans.extend(spans);
    }
    let segment = |id: &u32| spans.get(id).map(|span| span.0);
    let is_c = c.add(sources, &range, &segment);
    for (name, value, is_label) in labels {
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

/// Numbers with plus signs between them.
fn numbers(text: Option<&str>) -> Vec<u32> {
    text.unwrap_or("").split('+').filter_map(number).collect()
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
    /// Adds the functions; false if there are none.
    fn add(
        self,
        sources: &mut Sources,
        range: &dyn Fn(&u32) -> Option<RangeInclusive<u16>>,
        segment: &dyn Fn(&u32) -> Option<u32>,
    ) -> bool {
        let instructions = |lines: &[u32]| {
            let spans = lines
                .iter()
                .filter_map(|line| self.lines.get(line))
                .flatten();
            spans.filter_map(range).collect::<Vec<_>>()
        };
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
            for code in instructions(lines) {
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
        for (id, name, spans) in &self.scopes {
            // Of a function's spans the longest is its code.
            let code = spans
                .iter()
                .filter_map(|span| Some((range(span)?, segment(span)?)))
                .max_by_key(|(code, _)| code.end() - code.start());
            let (Some(name), Some((code, code_segment))) = (name.strip_prefix('_'), code) else {
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
            let data = |made: &&Made| made.scope == *id && made.segment != code_segment;
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
}
