//! BASIC programs: the SAVE format of Atari BASIC, listings, and the way from one to the other.
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

mod listing;
mod memory;
pub mod number;
mod parser;
mod tokens;

pub use listing::{Line, listing_lines};
pub(crate) use listing::{begins, without_mark};
use parser::{Names, What};
use tokens::{OPERATORS, STATEMENTS, op, statement};

/// The end of a line in ATASCII.
pub const EOL: u8 = 0x9B;
/// The number of the immediate-mode line that ends a program.
pub const IMMEDIATE: u16 = 0x8000;
/// Bytes in front of the variable names: the token buffer.
const NAMES_START: u16 = 0x0100;
/// Lines with errors after which [`Program::tokenize`] reads no further.
pub const MOST_ERRORS: usize = 100;
/// Bytes of a line that [`SyntaxError::text`] has of it at most.
const SHOWN: usize = 160;

/// The words of the language: statements, functions and operators that are words, in the order of their tokens.
pub fn words() -> impl Iterator<Item = &'static str> {
    let all = STATEMENTS.into_iter().chain(OPERATORS).map(str::trim);
    // The text of a wrong line is among the statements.
    all.filter(|word| {
        word.len() > 1 && word.starts_with(|c: char| c.is_ascii_uppercase()) && !word.contains('-')
    })
}

/// A tokenised program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Variable names; the last byte of each has bit 7 set. Protected programs may hold anything here.
    pub names: Vec<u8>,
    /// Eight bytes for each variable.
    pub values: Vec<u8>,
    /// The lines in ascending order, without the immediate one.
    pub lines: Vec<u8>,
    /// The immediate-mode line at the end.
    pub immediate: Vec<u8>,
}

/// A line that is not BASIC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Line of the file, from 1.
    pub file_line: usize,
    /// Byte of that line, from 0, at which nothing fits.
    pub column: usize,
    /// The syntax that was expected there.
    pub wanted: String,
    /// The line's text around the column, one character for each byte.
    pub text: String,
    /// Byte of the line with which `text` begins.
    pub text_start: usize,
}

impl SyntaxError {
    fn new(index: usize, line: &[u8], refusal: parser::Refusal) -> Self {
        let latest = line.len().saturating_sub(SHOWN);
        let text_start = refusal.column.saturating_sub(SHOWN / 2).min(latest);
        let plain = |&byte: &u8| {
            if (32..127).contains(&byte) {
                char::from(byte)
            } else {
                '.'
            }
        };
        Self {
            file_line: index + 1,
            column: refusal.column,
            wanted: refusal.wanted,
            text: line[text_start..].iter().take(SHOWN).map(plain).collect(),
            text_start,
        }
    }
}

impl core::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        writeln!(
            f,
            "line {}, column {}: expected {}",
            self.file_line,
            self.column + 1,
            self.wanted
        )?;
        writeln!(f, "  {}", self.text)?;
        write!(f, "  {}^", " ".repeat(self.column - self.text_start))
    }
}

/// Reason why bytes are not a SAVEd program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SaveError {
    /// The first word is not 0.
    #[error("not a SAVEd BASIC program: it does not begin with two zero bytes")]
    NotSave,
    /// The file ends early.
    #[error("the BASIC program is cut off: {wanted} bytes are promised, {found} are there")]
    Truncated {
        /// Bytes that the pointers promise.
        wanted: usize,
        /// Bytes in the file.
        found: usize,
    },
    /// The pointers run backwards.
    #[error("the BASIC program is damaged: its pointers are out of order")]
    Pointers,
}

/// The places of a program's parts in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointers {
    /// VNTP, VNTD, VVTP, STMTAB, STMCUR and STARP relative to LOMEM.
    pub words: [u16; 6],
}

/// True if bytes look like a SAVEd program.
#[must_use]
pub fn is_save(bytes: &[u8]) -> bool {
    bytes.len() >= 14 && bytes[..2] == [0, 0] && bytes[3] >= 1 && Program::parse_save(bytes).is_ok()
}

impl SyntaxError {
    /// Tokenises a line of a file.
    fn read(index: usize, line: &Line<'_>, names: &mut Names) -> Result<parser::Parsed, Self> {
        if let Some((column, character)) = line.foreign {
            let wanted = format!("characters that the Atari has, not {character}");
            return Err(Self::new(
                index,
                &line.text,
                parser::Refusal { column, wanted },
            ));
        }
        parser::line(&line.text, names).map_err(|refusal| Self::new(index, &line.text, refusal))
    }
}

/// A listing with what it makes BASIC do while it is entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The program of its lines with numbers.
    pub program: Program,
    /// Lines without a number, which ENTER does when it meets them.
    pub direct: usize,
    /// One of them runs the program.
    pub starts: bool,
    /// All lines as ENTER takes them: ATASCII, keywords in capitals.
    pub text: Vec<u8>,
}

impl Listing {
    /// Reads a listing as ENTER would, starting from NEW: lines sort by number, a later one replaces an earlier one, a number by itself
    /// deletes. Small letters outside of strings, REM and DATA are capitals.
    ///
    /// # Errors
    /// The lines that are not BASIC, [`MOST_ERRORS`] at most.
    pub fn read(text: &[u8]) -> Result<Self, Vec<SyntaxError>> {
        let mut names = Names::default();
        let mut lines: BTreeMap<u16, Vec<u8>> = BTreeMap::new();
        let mut errors = Vec::new();
        let (mut direct, mut starts) = (0, false);
        let mut entered = Vec::new();
        for (index, line) in listing_lines(text).enumerate() {
            match SyntaxError::read(index, &line, &mut names) {
                Ok(parsed) => {
                    entered.extend_from_slice(&parsed.text);
                    entered.push(EOL);
                    match parsed.what {
                        What::Nothing => {}
                        What::Number(number) => {
                            lines.remove(&number);
                        }
                        What::Line(number, tokens) => {
                            lines.insert(number, tokens);
                        }
                        What::Direct { runs } => {
                            direct += 1;
                            starts |= runs;
                        }
                    }
                }
                Err(error) => {
                    errors.push(error);
                    if errors.len() == MOST_ERRORS {
                        break;
                    }
                }
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut values = Vec::new();
        for (i, name) in names.0.iter().enumerate() {
            let kind = match name.last().map(|b| b & 0x7F) {
                Some(b'$') => 0x80,
                Some(b'(') => 0x40,
                _ => 0,
            };
            values.extend_from_slice(&[kind, i as u8, 0, 0, 0, 0, 0, 0]);
        }
        Ok(Self {
            program: Program {
                names: names.0.concat(),
                values,
                lines: lines.into_values().flatten().collect(),
                immediate: vec![0x00, 0x80, 0x06, 0x06, statement::CSAVE, op::END],
            },
            direct,
            starts,
            text: entered,
        })
    }
}

impl Program {
    /// The program of a listing, see [`Listing::read`].
    ///
    /// # Errors
    /// The lines that are not BASIC, or have no number, [`MOST_ERRORS`] at most.
    pub fn tokenize(text: &[u8]) -> Result<Self, Vec<SyntaxError>> {
        let listing = Listing::read(text)?;
        if listing.direct == 0 {
            return Ok(listing.program);
        }
        let mut names = Names::default();
        let numberless = listing_lines(text).enumerate().filter_map(|(index, line)| {
            let parsed = parser::line(&line.text, &mut names).ok()?;
            let direct = matches!(parsed.what, What::Direct { .. });
            direct.then(|| SyntaxError::new(index, &line.text, parser::no_number(&line.text)))
        });
        Err(numberless.take(MOST_ERRORS).collect())
    }

    /// False for a program that only runs from a file: the lengths of its lines do not lead to the line at its end, and BASIC would look
    /// for a line for ever ("RUN only").
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let all = [&self.lines[..], &self.immediate].concat();
        let mut rest = &all[..];
        while let [_, high, length, ..] = *rest {
            if high >= 0x80 {
                return true;
            }
            let length = usize::from(length);
            if length < 5 || length > rest.len() {
                return false;
            }
            rest = &rest[length..];
        }
        // Some tools leave out the line at the end.
        rest.is_empty()
    }

    /// One sentence about a program that another BASIC has saved, which runs here as far as its first foreign word at most.
    #[must_use]
    pub fn flaw(&self) -> Option<String> {
        let mut foreign = self.lines().filter(|(_, line)| has_foreign_word(line));
        let (number, _) = foreign.next()?;
        Some(format!(
            "line {number} has a word that Atari BASIC does not have: another BASIC has saved this program"
        ))
    }

    /// Reads a SAVEd program, also one of revision B, whose pointers grew with every SAVE.
    ///
    /// # Errors
    /// Not a SAVE file, or one that ends early.
    pub fn parse_save(bytes: &[u8]) -> Result<Self, SaveError> {
        if bytes.len() < 2 || bytes[..2] != [0, 0] {
            return Err(SaveError::NotSave);
        }
        let Some(header) = bytes.first_chunk::<14>() else {
            return Err(SaveError::Truncated {
                wanted: 14,
                found: bytes.len(),
            });
        };
        let word = |i: usize| usize::from(u16::from_le_bytes([header[2 * i], header[2 * i + 1]]));
        let [vntp, vntd, vvtp, stmtab, stmcur, starp] = [1, 2, 3, 4, 5, 6].map(word);
        if !(vntp <= vntd && vntd <= vvtp && vvtp <= stmtab && stmtab <= stmcur && stmcur <= starp)
        {
            return Err(SaveError::Pointers);
        }
        let body = &bytes[14..];
        if body.len() < starp - vntp {
            return Err(SaveError::Truncated {
                wanted: 14 + starp - vntp,
                found: bytes.len(),
            });
        }
        let part = |from: usize, to: usize| body[from - vntp..to - vntp].to_vec();
        Ok(Self {
            names: part(vntp, vvtp.saturating_sub(1).clamp(vntp, vvtp)),
            values: part(vvtp, stmtab),
            lines: part(stmtab, stmcur),
            immediate: part(stmcur, starp),
        })
    }

    /// The pointers that the program has in memory or in a SAVE file.
    #[must_use]
    pub fn pointers(&self) -> Pointers {
        let vntd = NAMES_START.wrapping_add(self.names.len() as u16);
        let vvtp = vntd.wrapping_add(1);
        let stmtab = vvtp.wrapping_add(self.values.len() as u16);
        let stmcur = stmtab.wrapping_add(self.lines.len() as u16);
        let starp = stmcur.wrapping_add(self.immediate.len() as u16);
        Pointers {
            words: [NAMES_START, vntd, vvtp, stmtab, stmcur, starp],
        }
    }

    /// The bytes from VNTP to STARP.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        let mut out = self.names.clone();
        out.push(0);
        out.extend_from_slice(&self.values);
        out.extend_from_slice(&self.lines);
        out.extend_from_slice(&self.immediate);
        out
    }

    /// The program as a SAVE file.
    #[must_use]
    pub fn to_save(&self) -> Vec<u8> {
        let mut out = vec![0, 0];
        for word in self.pointers().words {
            out.extend_from_slice(&word.to_le_bytes());
        }
        out.extend_from_slice(&self.image());
        out
    }

    /// The names of the variables as a listing shows them; an array's without its "(".
    #[must_use]
    pub fn variable_names(&self) -> Vec<Vec<u8>> {
        let mut out = Vec::new();
        let mut name = Vec::new();
        for &byte in &self.names {
            name.push(byte & 0x7F);
            if byte & 0x80 != 0 {
                out.push(core::mem::take(&mut name));
            }
        }
        out
    }

    /// The text that LIST writes, in ATASCII.
    #[must_use]
    pub fn list(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (number, text) in self.listed() {
            out.extend_from_slice(format!("{number} ").as_bytes());
            out.extend_from_slice(&text);
            out.push(EOL);
        }
        out
    }

    /// The lines as LIST shows them: the number, and the text after it in ATASCII without its end of line.
    #[must_use]
    pub fn listed(&self) -> Vec<(u16, Vec<u8>)> {
        let names = self.variable_names();
        let text = |line: &[u8]| {
            let mut text = Vec::new();
            for statement in statements(line) {
                list_statement(statement, &names, &mut text);
            }
            text
        };
        self.lines()
            .map(|(number, line)| (number, text(line)))
            .collect()
    }

    /// The tokenised lines with their numbers, as far as their lengths lead.
    fn lines(&self) -> impl Iterator<Item = (u16, &[u8])> {
        let mut rest = &self.lines[..];
        core::iter::from_fn(move || {
            let [low, high, length, ..] = *rest else {
                return None;
            };
            let number = u16::from_le_bytes([low, high]);
            if length < 4 || number >= IMMEDIATE {
                return None;
            }
            let (line, after) = rest.split_at_checked(usize::from(length))?;
            rest = after;
            Some((number, line))
        })
    }
}

/// The tokens of the statements of one line.
fn statements(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = 3;
    core::iter::from_fn(move || {
        let end = usize::from(*line.get(at)?);
        if end <= at + 1 || end > line.len() {
            return None;
        }
        let tokens = &line[at + 1..end];
        at = end;
        Some(tokens)
    })
}

/// True if a line has a statement or an operator with a token that Atari BASIC does not have.
fn has_foreign_word(line: &[u8]) -> bool {
    statements(line).any(|tokens| {
        let Some((&first, mut rest)) = tokens.split_first() else {
            return false;
        };
        if matches!(first, statement::REM | statement::DATA | statement::ERROR) {
            return false;
        }
        if usize::from(first) >= STATEMENTS.len() {
            return true;
        }
        while let Some((&token, after)) = rest.split_first() {
            let length = match token {
                op::NUMBER => 6,
                op::STRING => after.first().map_or(0, |&length| 1 + usize::from(length)),
                // What comes after the end of a line is not read.
                op::END => return false,
                0x12..=0x54 | 0x80.. => 0,
                _ => return true,
            };
            rest = after.get(length..).unwrap_or(&[]);
        }
        false
    })
}

fn list_statement(tokens: &[u8], names: &[Vec<u8>], out: &mut Vec<u8>) {
    let Some((&first, mut rest)) = tokens.split_first() else {
        return;
    };
    if first != statement::IMPLIED_LET {
        out.extend_from_slice(STATEMENTS.get(usize::from(first)).unwrap_or(&"").as_bytes());
        out.push(b' ');
    }
    if matches!(first, statement::REM | statement::DATA | statement::ERROR) {
        out.extend(rest.iter().take_while(|&&b| b != EOL));
        return;
    }
    while let Some((&token, after)) = rest.split_first() {
        rest = after;
        match token {
            op::NUMBER => {
                let Some((value, after)) = rest.split_first_chunk::<6>() else {
                    return;
                };
                out.extend_from_slice(number::format(value).as_bytes());
                rest = after;
            }
            op::STRING => {
                let Some((&length, after)) = rest.split_first() else {
                    return;
                };
                let Some((text, after)) = after.split_at_checked(usize::from(length)) else {
                    return;
                };
                out.push(b'"');
                out.extend_from_slice(text);
                out.push(b'"');
                rest = after;
            }
            0x12..=0x54 => out.extend_from_slice(OPERATORS[usize::from(token - 0x12)].as_bytes()),
            0x80.. => {
                if let Some(name) = names.get(usize::from(token & 0x7F)) {
                    out.extend_from_slice(name);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
