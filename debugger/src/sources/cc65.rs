//! Debug information of ld65 (`--dbgfile`), version 2: a record a line, `kind<TAB>name=value,...`.

use super::{SourceError, SourceLine, Sources, Span, attributes};
use crate::Symbols;
use std::collections::HashMap;

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
                // Headers of the file lie at no address.
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
                let ids = get("span").unwrap_or("").split('+').filter_map(number);
                lines.push((file, line, rank, ids.collect::<Vec<u32>>()));
            }
            "sym" => {
                if let (Some(name), Some(value)) = (get("name"), value("val")) {
                    labels.push((name, value, get("type") == Some("lab")));
                }
            }
            _ => {}
        }
    }
    for (file, line, rank, ids) in lines {
        let Some(name) = files.get(&file) else {
            continue;
        };
        let file = sources.file(name);
        for id in ids {
            let Some(&(segment, start, size)) = spans.get(&id) else {
                continue;
            };
            let Some(&(base, true)) = segments.get(&segment) else {
                continue;
            };
            let first = base.saturating_add(start);
            let last = first.saturating_add(size).saturating_sub(1);
            if let (Ok(first), Ok(last), true) =
                (u16::try_from(first), u16::try_from(last), size > 0)
            {
                sources.spans.push(Span {
                    code: first..=last,
                    at: SourceLine { file, line },
                    rank,
                });
            }
        }
    }
    for (name, value, is_label) in labels {
        let Ok(address) = u16::try_from(value) else {
            continue;
        };
        // A constant is no name for an address that happens to be equal, but may be typed.
        if is_label {
            symbols.add(address, name);
        } else {
            symbols.add_constant(name, address);
        }
    }
    Ok(())
}
