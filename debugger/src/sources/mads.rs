//! Listings of MADS, as its manual shows them: `Source: FILE` begins a file, and its lines follow as
//! `NUMBER [FFFF>] [ADDRESS[-LAST]>] [ADDRESS] BYTES  TEXT`, with a bank before the address (`01,2000`) where one is chosen.

use super::{SourceLine, Sources, Span};
use std::ops::RangeInclusive;

/// Begins a source file.
const FILE: &str = "Source: ";
/// Ends the listing; labels follow.
const LABELS: &str = "Label table:";
/// All files of a listing together have no more lines; those after it are left out.
const MOST_LINES: usize = 1_000_000;

pub(super) fn is_listing(text: &str) -> bool {
    let mut head = text.lines().take(20);
    head.any(|line| line.starts_with(FILE))
}

pub(super) fn add(sources: &mut Sources, text: &str) {
    let mut nest = Nest::default();
    let mut left = MOST_LINES;
    for line in text.lines().take_while(|line| !line.starts_with(LABELS)) {
        if let Some(name) = line.strip_prefix(FILE) {
            nest.begin(sources.file(name.trim()));
        } else if let Some(row) = Row::parse(line)
            && let Some(file) = nest.file_of(row.number)
        {
            row.add(sources, file, &mut left);
        }
    }
}

/// The files that include one another, outermost first, with the number that each one's next line has.
#[derive(Default)]
struct Nest(Vec<(usize, u32)>);

impl Nest {
    fn begin(&mut self, file: usize) {
        self.0.push((file, 1));
    }

    /// The file that a line number belongs to. The listing does not mark the end of an included file: it has ended when the number is not its
    /// next one but that of a file around it. Lines that a listing leaves out are skipped in the innermost file.
    fn file_of(&mut self, number: u32) -> Option<usize> {
        let around = self.0.iter().rposition(|&(_, next)| next == number);
        self.0
            .truncate(around.map_or(self.0.len(), |index| index + 1));
        let (file, next) = self.0.last_mut()?;
        *next = number.saturating_add(1);
        Some(*file)
    }
}

/// A line of a source file in the listing.
struct Row<'a> {
    number: u32,
    code: Option<RangeInclusive<u16>>,
    text: &'a str,
}

impl<'a> Row<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (number, rest) = word(line.strip_prefix(' ')?.trim_start_matches(' '));
        let number = number.parse().ok()?;
        let mut row = Row {
            number,
            code: None,
            text: rest,
        };
        let (mut first, mut rest) = word(rest);
        if first == "FFFF>" {
            (first, rest) = word(rest);
        }
        let Some(start) = address(first) else {
            return Some(row);
        };
        let mut count = 0;
        while let (byte, after) = word(rest)
            && byte.len() == 2
            && byte.bytes().all(|digit| digit.is_ascii_hexdigit())
        {
            count += 1;
            rest = after;
            // A tab separates the bytes from the text, which may begin like a byte.
            if rest.starts_with('\t') {
                break;
            }
        }
        // A plus sign stands for bytes that the listing leaves out.
        row.text = rest.strip_prefix('+').unwrap_or(rest);
        row.code = (count > 0).then(|| start..=start.saturating_add(count - 1));
        Some(row)
    }

    /// `left`: how many lines may be added to the files.
    fn add(self, sources: &mut Sources, file: usize, left: &mut usize) {
        let at = SourceLine {
            file,
            line: self.number,
        };
        let lines = &mut sources.files[file].text;
        let Some(index) = (self.number as usize).checked_sub(1) else {
            return;
        };
        let new = (index + 1).saturating_sub(lines.len());
        let Some(after) = left.checked_sub(new) else {
            return;
        };
        *left = after;
        lines.resize(lines.len() + new, String::new());
        if lines[index].is_empty() {
            self.text
                .trim_start_matches(' ')
                .clone_into(&mut lines[index]);
        }
        let rank = 1;
        sources
            .spans
            .extend(self.code.map(|code| Span { code, at, rank }));
    }
}

/// Up to the next blank or tab, and what comes after it; a tab is left.
fn word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_at(text.find([' ', '\t']).unwrap_or(text.len()));
    (word, rest.strip_prefix(' ').unwrap_or(rest))
}

/// `2000`, `01,2000`, `2000>`, `2000-20FF>`: the address with which the bytes begin.
fn address(word: &str) -> Option<u16> {
    let word = word.strip_suffix('>').unwrap_or(word);
    let word = word.rsplit(',').next()?;
    let start = word.split('-').next()?;
    let hexadecimal = start.len() == 4 && start.bytes().all(|digit| digit.is_ascii_hexdigit());
    u16::from_str_radix(start, 16).ok().filter(|_| hexadecimal)
}
