//! Listings of MADS: its manual shows lines `NUMBER [FFFF>] ADDRESS[-ADDRESS>] BYTES SOURCE` after a line `Source: FILE`.

use super::{SourceLine, Sources, Span};

pub(super) fn is_listing(text: &str) -> bool {
    text.lines()
        .take(20)
        .any(|line| line.starts_with("Source: "))
}

/// A line of a listing.
struct Listed<'a> {
    number: u32,
    /// The address and count of its bytes.
    code: Option<(u16, u16)>,
    source: &'a str,
}

fn parse(line: &str) -> Option<Listed<'_>> {
    let rest = line.strip_prefix(' ')?.trim_start();
    let (number, mut rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
    let number = number.parse().ok()?;
    rest = rest.trim_start_matches(' ');
    let all = rest;
    let hexadecimal = |text: &str| u16::from_str_radix(text, 16).ok();
    let mut address = None;
    // What comes before the bytes: the mark of a new block, and an address, which may be one of a bank or the range of a block.
    while let Some((word, after)) = rest.split_once(' ') {
        let plain = word.trim_end_matches('>');
        let plain = plain.split_once(',').map_or(plain, |(_, address)| address);
        let start = plain.split_once('-').map_or(plain, |(start, _)| start);
        if start.len() != 4 {
            break;
        }
        let Some(value) = hexadecimal(start) else {
            break;
        };
        if word != "FFFF>" {
            address = Some(value);
        }
        rest = after;
        if !word.ends_with('>') || word != "FFFF>" {
            break;
        }
    }
    let Some(address) = address else {
        return Some(Listed {
            number,
            code: None,
            source: all,
        });
    };
    let mut count = 0;
    loop {
        let end = rest.find([' ', '\t']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if word.len() != 2 || hexadecimal(word).is_none() {
            break;
        }
        count += 1;
        rest = after.strip_prefix(' ').unwrap_or(after);
        if after.starts_with('\t') {
            break;
        }
    }
    // Long rows of bytes are cut off by a plus sign.
    rest = rest.strip_prefix('+').unwrap_or(rest);
    Some(Listed {
        number,
        code: Some((address, count)),
        source: rest,
    })
}

pub(super) fn add(sources: &mut Sources, text: &str) {
    // The files with the last line that was listed of each: an included file ends without a word, and its parent goes on.
    let mut listed: Vec<(usize, u32)> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("Source: ") {
            let file = sources.file(name.trim());
            listed.push((file, 0));
            continue;
        }
        if line.starts_with("Label table:") {
            break;
        }
        let Some(Listed {
            number,
            code,
            source,
        }) = parse(line)
        else {
            continue;
        };
        // The file in which this line is the next one: the innermost that has it.
        if let Some(parent) = listed.iter().rposition(|(_, last)| last + 1 == number) {
            listed.truncate(parent + 1);
        }
        let Some((file, last)) = listed.last_mut() else {
            continue;
        };
        *last = number;
        let at = SourceLine {
            file: *file,
            line: number,
        };
        let text = &mut sources.files[at.file].text;
        if text.len() < number as usize && number < 1_000_000 {
            text.resize(number as usize, String::new());
        }
        if let Some(slot) = text.get_mut((number as usize).wrapping_sub(1))
            && slot.is_empty()
        {
            source.trim_start_matches(' ').clone_into(slot);
        }
        if let Some((address, count)) = code.filter(|(_, count)| *count > 0) {
            sources.spans.push(Span {
                code: address..=address.saturating_add(count - 1),
                at,
                rank: 1,
            });
        }
    }
}
