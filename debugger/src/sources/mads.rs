//! Listings of MADS, as its manual shows them and MADS 2.1.8 writes them: `Source: FILE` begins a file, and its lines follow as
//! `NUMBER [FFFF>] [ADDRESS[-LAST]>] [ADDRESS] BYTES  TEXT`, with a bank before the address (`01,2000`) where one is chosen.

use super::{SourceLine, Sources, Span};
use std::ops::RangeInclusive;

/// Begins a source file.
const FILE: &str = "Source: ";
/// Begins the lines of a macro; the file continues after [`FILE`].
const MACRO: &str = "Macro: ";
/// The file of lines that are repeated (`.rept`).
const REPEATED: &str = "REPT";
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
    // The line of a Pascal program that code comes from.
    let mut pascal = None;
    for line in text.lines().take_while(|line| !line.starts_with(LABELS)) {
        if line.starts_with(MACRO) {
            (nest.in_macro, nest.macro_row) = (true, None);
        } else if let Some(name) = line.strip_prefix(FILE) {
            nest.in_macro = false;
            // Repeated lines have the numbers of their file.
            if name.trim() != REPEATED {
                nest.begin(sources.file(name.trim()));
            }
        } else if let Some(row) = Row::parse(line)
            && let Some((at, is_own)) = nest.place_of(&row, sources)
        {
            if is_own {
                row.add_text(sources, at, &mut left);
            }
            match pascal_line(row.text.trim()) {
                Some(Pascal::Line(name, line)) => {
                    let file = sources.file(name);
                    pascal = Some(SourceLine { file, line });
                }
                Some(Pascal::End) => pascal = None,
                None => {}
            }
            let at = pascal.unwrap_or(at);
            let spans = row.code.map(|code| Span { code, at, rank: 1 });
            sources.spans.extend(spans);
        }
    }
}

/// A comment of Mad Pascal's compiler in the source that it writes for MADS.
enum Pascal<'a> {
    /// `; optimize OK (bands.pas), line = 7`, or `; optimize FAIL ('@print', bands.pas), line = 15`: the code of that line follows.
    Line(&'a str, u32),
    /// A row of dashes, or `@exit`: the code of a procedure has ended.
    End,
}

fn pascal_line(text: &str) -> Option<Pascal<'_>> {
    if text.starts_with("; ------") || text == "@exit" {
        return Some(Pascal::End);
    }
    let text = text.strip_prefix("; optimize ")?;
    let (names, line) = text.split_once("), line = ")?;
    let (_, names) = names.split_once('(')?;
    let name = names.rsplit(", ").next()?;
    Some(Pascal::Line(name, line.parse().ok()?))
}

/// A file that is being read.
struct Open {
    file: usize,
    /// The number that its next line has.
    next: u32,
    /// Its last line, which may be the call of a macro.
    last: u32,
}

/// The files that include one another, outermost first.
#[derive(Default)]
struct Nest {
    files: Vec<Open>,
    /// The lines are those of a macro.
    in_macro: bool,
    /// The number of the macro's last line.
    macro_row: Option<u32>,
}

impl Nest {
    /// Another file, or one that continues after a macro or an included file.
    fn begin(&mut self, file: usize) {
        match self.files.iter().rposition(|open| open.file == file) {
            Some(index) => self.files.truncate(index + 1),
            None => self.files.push(Open {
                file,
                next: 1,
                last: 1,
            }),
        }
    }

    /// Leaves a macro whose end the listing does not mark: with the next line of the file, if that is not the macro's next one, too.
    fn leave_macro(&mut self, number: u32) {
        if !self.in_macro {
            return;
        }
        let is_next = self.files.last().is_some_and(|open| open.next == number);
        let before = self.macro_row.replace(number);
        if is_next && before.is_some_and(|before| before.saturating_add(1) != number) {
            self.in_macro = false;
        }
    }

    /// The source line that a row belongs to, and true if it is that line itself. The listing does not mark the end of an included file: it has
    /// ended when the number is not its next one but that of a file around it. Lines that a listing leaves out are skipped in the innermost file.
    /// A number that has been there is that of a repeated line, if that has the row's text, or of a line of a macro within another one, after
    /// which the listing names the file again. Lines of macros belong to the line that calls them.
    fn place_of(&mut self, row: &Row<'_>, sources: &Sources) -> Option<(SourceLine, bool)> {
        self.leave_macro(row.number);
        if !self.in_macro {
            let mut files = self.files.iter();
            let around = files.rposition(|open| open.next == row.number);
            let kept = around.map_or(self.files.len(), |index| index + 1);
            self.files.truncate(kept);
        }
        let open = self.files.last_mut()?;
        let (file, line) = (open.file, row.number);
        let at = SourceLine { file, line };
        if !self.in_macro && line >= open.next {
            (open.next, open.last) = (line.saturating_add(1), line);
            return Some((at, true));
        }
        let same = |text: &str| text.trim().eq_ignore_ascii_case(row.text.trim());
        if !self.in_macro && sources.text(at).is_some_and(same) {
            open.last = line;
        }
        let line = open.last;
        Some((SourceLine { file, line }, false))
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

    /// Gives a line its text. `left`: how many lines may be added to the files.
    fn add_text(&self, sources: &mut Sources, at: SourceLine, left: &mut usize) {
        let lines = &mut sources.files[at.file].text;
        let Some(index) = (at.line as usize).checked_sub(1) else {
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
    }
}

/// Up to the next blank or tab, and the rest after it; a tab is left.
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
