//! Source files of 6502 assembly to a program file: for small programs, and tests of them.

use crate::assembler::is_mnemonic;
use crate::expression::clip;
use crate::{Expression, Symbols, assemble};
use media::atascii;
use std::fmt;
use std::ops::RangeInclusive;

/// Passes until labels keep their addresses: each shortens or lengthens instructions whose operands moved.
const PASSES: usize = 8;
/// Bytes of a program.
const MOST: usize = 0x10000;
/// Files that include one another.
const DEPTH: usize = 8;
/// Lines of a program with those that it includes, each as often as it is.
const LINES: usize = 100_000;
/// The label at which a program starts, where it has it.
const START: &str = "start";

/// A program that was assembled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// A binary file of DOS, with the address where it starts.
    pub xex: Vec<u8>,
    /// Labels with their addresses, in the order of the source.
    pub labels: Vec<(String, u16)>,
    /// The lines that have bytes.
    pub lines: Vec<AssembledLine>,
}

/// A line of a source file and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssembledLine {
    /// The number of its file among those that were given.
    pub file: usize,
    /// The line, from 1.
    pub line: usize,
    /// Its addresses.
    pub code: RangeInclusive<u16>,
}

/// A line that is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssembleError {
    /// The number of its file among those that were given.
    pub file: usize,
    /// The line, from 1.
    pub line: usize,
    /// A sentence.
    pub why: String,
}

impl fmt::Display for AssembleError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for AssembleError {}

/// Assembles a single source; see [`assemble_files`].
///
/// # Errors
/// The first line that is not understood.
pub fn assemble_program(source: &str, known: &Symbols) -> Result<Assembled, AssembleError> {
    assemble_files(&[("", source)], known)
}

/// Assembles the first of these files, by name and text; the others are for `.include "NAME"`.
///
/// A line is `label: instruction ; comment`; the colon may be left out where the label begins the line and something follows. Beside instructions there are `NAME = VALUE`
/// (or `equ`), `* = ADDRESS` (or `org`: a part of the program begins there; $2000 at first), `.byte` with numbers and texts in quotes (ATASCII),
/// `.sbyte` (codes of the screen), `.word`, `.res N` (or `.ds`: zeros), `.include` (or `icl`), and `run ADDRESS`. The program starts there, or at the
/// label `start`, or else at its first byte.
///
/// # Errors
/// The first line that is not understood.
pub fn assemble_files(files: &[(&str, &str)], known: &Symbols) -> Result<Assembled, AssembleError> {
    let (mut labels, mut constants) = (Vec::new(), Vec::new());
    for pass in 0..PASSES {
        let mut assembler = Assembler::new(known, &labels, &constants, pass == 0);
        assembler.file(files, 0, 0)?;
        if pass > 0 && assembler.labels == labels && assembler.constants == constants {
            return assembler.finish();
        }
        (labels, constants) = (assembler.labels, assembler.constants);
    }
    Err(AssembleError {
        file: 0,
        line: 1,
        why: "labels do not keep their addresses".to_owned(),
    })
}

/// One pass over the source.
struct Assembler {
    symbols: Symbols,
    labels: Vec<(String, u16)>,
    /// Parts with their addresses.
    parts: Vec<(u16, Vec<u8>)>,
    /// Names that are not known yet stand for the current address.
    guesses: bool,
    constants: Vec<(String, u16)>,
    /// The address after `run`.
    run: Option<u16>,
    lines: Vec<AssembledLine>,
    lines_read: usize,
}

impl Assembler {
    /// A pass with the names of the pass before.
    fn new(
        known: &Symbols,
        labels: &[(String, u16)],
        constants: &[(String, u16)],
        guesses: bool,
    ) -> Self {
        let mut symbols = known.clone();
        for (name, value) in constants {
            symbols.add_constant(name, *value);
        }
        for (name, address) in labels {
            symbols.add(*address, name);
        }
        Self {
            symbols,
            labels: Vec::new(),
            parts: vec![(0x2000, Vec::new())],
            guesses,
            constants: Vec::new(),
            run: None,
            lines: Vec::new(),
            lines_read: 0,
        }
    }

    /// The address of the next byte.
    fn at(&self) -> Result<u16, String> {
        let (start, bytes) = self.parts.last().expect("there is always a part");
        u16::try_from(usize::from(*start) + bytes.len())
            .map_err(|_| "the program passes the end of memory".to_owned())
    }

    /// Assembles a file, which `depth` others include.
    fn file(
        &mut self,
        files: &[(&str, &str)],
        file: usize,
        depth: usize,
    ) -> Result<(), AssembleError> {
        for (index, text) in files[file].1.lines().enumerate() {
            let line = index + 1;
            let error = |why: String| AssembleError { file, line, why };
            self.lines_read += 1;
            if self.lines_read > LINES {
                return Err(error(format!("the program has more than {LINES} lines")));
            }
            let named = self.line(text, file, line).map_err(error)?;
            let Some(name) = named else {
                continue;
            };
            let included = files
                .iter()
                .position(|(known, _)| !known.is_empty() && known.eq_ignore_ascii_case(&name));
            let included = included
                .ok_or_else(|| error(format!("there is no file \"{}\" to include", clip(&name))))?;
            if depth + 1 >= DEPTH {
                return Err(error(format!(
                    "more than {DEPTH} files include one another"
                )));
            }
            self.file(files, included, depth + 1)?;
        }
        Ok(())
    }

    /// Assembles a line; gives the name of a file that it includes.
    fn line(&mut self, text: &str, file: usize, line: usize) -> Result<Option<String>, String> {
        let text = without_comment(text);
        let mut rest = text.trim();
        if let Some((label, after)) = rest.split_once(':')
            && is_name(label.trim())
        {
            let at = self.at()?;
            self.label(label.trim(), at)?;
            rest = after.trim();
        }
        if let Some((name, value)) = constant(rest) {
            self.equals(name, value)?;
            return Ok(None);
        }
        if let Some((label, after)) = label_without_colon(text) {
            let at = self.at()?;
            self.label(label, at)?;
            rest = after;
        }
        if rest.is_empty() {
            return Ok(None);
        }
        let (word, operand) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        match word.to_ascii_lowercase().as_str() {
            ".include" | "icl" => return included(operand).map(Some),
            "run" => self.run = Some(self.number(operand)?),
            "org" | ".org" => self.equals("*", operand)?,
            _ => self.put(rest, file, line)?,
        }
        Ok(None)
    }

    /// Adds the bytes of a line.
    fn put(&mut self, text: &str, file: usize, line: usize) -> Result<(), String> {
        let bytes = self.bytes(text)?;
        if let Some(more) = bytes.len().checked_sub(1) {
            let first = self.at()?;
            let last = u16::try_from(usize::from(first) + more);
            let last = last.map_err(|_| "the program passes the end of memory")?;
            let code = first..=last;
            self.lines.push(AssembledLine { file, line, code });
        }
        let (_, part) = self.parts.last_mut().expect("there is always a part");
        part.extend(bytes);
        let size: usize = self.parts.iter().map(|(_, bytes)| bytes.len()).sum();
        if size > MOST {
            return Err("the program has more than 64 KB".to_owned());
        }
        Ok(())
    }

    fn label(&mut self, name: &str, at: u16) -> Result<(), String> {
        self.is_free(name)?;
        self.labels.push((name.to_owned(), at));
        self.symbols.add(at, name);
        Ok(())
    }

    /// Checks that a name has no meaning yet, as a label, a constant, a register or a position of the beam.
    fn is_free(&self, name: &str) -> Result<(), String> {
        let label = self.labels.iter().any(|(known, _)| known == name);
        let taken = label
            || self.constants.iter().any(|(known, _)| known == name)
            || Expression::parse(name, &Symbols::default()).is_ok();
        if taken {
            return Err(format!("\"{}\" has a meaning already", clip(name)));
        }
        Ok(())
    }

    /// A constant, or the address of what follows.
    fn equals(&mut self, name: &str, value: &str) -> Result<(), String> {
        let value = self.number(value)?;
        if name == "*" {
            self.parts.push((value, Vec::new()));
            return Ok(());
        }
        self.is_free(name)?;
        self.constants.push((name.to_owned(), value));
        self.symbols.add_constant(name, value);
        Ok(())
    }

    /// The value of a constant expression of 16 bits.
    fn number(&self, text: &str) -> Result<u16, String> {
        let bytes = self.assemble(&format!(".word {text}"))?;
        match bytes[..] {
            [low, high] => Ok(u16::from_le_bytes([low, high])),
            _ => Err(format!("\"{}\" is not one number", clip(text))),
        }
    }

    /// Bytes of an instruction or of data.
    fn bytes(&self, text: &str) -> Result<Vec<u8>, String> {
        let (word, operand) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word.to_ascii_lowercase().as_str() {
            ".byte" | ".sbyte" => {
                let screen = word.eq_ignore_ascii_case(".sbyte");
                let mut bytes = Vec::new();
                for item in items(operand)? {
                    match item
                        .strip_prefix('"')
                        .and_then(|item| item.strip_suffix('"'))
                    {
                        Some(text) if screen => {
                            bytes.extend(characters(text)?.into_iter().map(screen_code));
                        }
                        Some(text) => bytes.extend(characters(text)?),
                        None => bytes.extend(self.assemble(&format!(".byte {item}"))?),
                    }
                }
                Ok(bytes)
            }
            ".res" | ".ds" => Ok(vec![0; usize::from(self.number(operand)?)]),
            other if other.starts_with('.') && other != ".word" => {
                Err(format!("this assembler has no {}", clip(word)))
            }
            _ => self.assemble(text),
        }
    }

    /// A line by the line assembler. In the first pass labels are known that come later.
    fn assemble(&self, text: &str) -> Result<Vec<u8>, String> {
        let at = self.at()?;
        let text = &halves(text);
        let assembled = assemble(text, at, &self.symbols);
        if assembled.is_ok() || !self.guesses {
            return assembled;
        }
        let names = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let unknown = |name: &&str| is_name(name) && self.symbols.address(name).is_none();
        let names: Vec<&str> = names.filter(unknown).collect();
        let guessed = |value: u16| {
            let mut symbols = self.symbols.clone();
            for name in &names {
                symbols.add_constant(name, value);
            }
            assemble(text, at, &symbols)
        };
        // A branch reaches this address, a byte takes 0.
        guessed(at).or_else(|_| guessed(0))
    }

    fn finish(self) -> Result<Assembled, AssembleError> {
        let parts: Vec<_> = self
            .parts
            .iter()
            .filter(|(_, bytes)| !bytes.is_empty())
            .collect();
        let nothing = || AssembleError {
            file: 0,
            line: 1,
            why: "the program has no instruction".to_owned(),
        };
        let first = parts.first().ok_or_else(nothing)?.0;
        let named = self.labels.iter().find(|(name, _)| name == START);
        let start = named.map_or(first, |(_, address)| *address);
        let start = self.run.unwrap_or(start);
        let mut xex = vec![0xFF, 0xFF];
        let mut part = |start: u16, bytes: &[u8]| {
            let end = start.wrapping_add((bytes.len() - 1) as u16);
            xex.extend(start.to_le_bytes());
            xex.extend(end.to_le_bytes());
            xex.extend(bytes);
        };
        for (start, bytes) in parts {
            part(*start, bytes);
        }
        part(0x2E0, &start.to_le_bytes());
        Ok(Assembled {
            xex,
            labels: self.labels,
            lines: self.lines,
        })
    }
}

/// Name and value of a constant: `NAME = VALUE`, `NAME equ VALUE`, or `*` for the address of what follows.
fn constant(text: &str) -> Option<(&str, &str)> {
    let parts = text.split_once('=').or_else(|| {
        let (name, rest) = text.split_once(char::is_whitespace)?;
        let (word, value) = rest.trim_start().split_once(char::is_whitespace)?;
        word.eq_ignore_ascii_case("equ").then_some((name, value))
    })?;
    let (name, value) = (parts.0.trim(), parts.1.trim());
    (is_name(name) || name == "*").then_some((name, value))
}

/// A label that begins a line without a colon, and the instruction or data after it. A name with nothing after it is more often a word that was
/// mistyped.
fn label_without_colon(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.split_once(char::is_whitespace)?;
    let next = rest.split_whitespace().next()?;
    let has_meaning = |word: &str| {
        let own = ["org", "icl", "run"];
        own.iter().any(|known| word.eq_ignore_ascii_case(known)) || is_mnemonic(word)
    };
    let is_label = is_name(word) && !has_meaning(word);
    (is_label && (next.starts_with('.') || has_meaning(next))).then_some((word, rest.trim()))
}

/// The name of a file in quotes.
fn included(operand: &str) -> Result<String, String> {
    let name = operand.trim();
    let inner = ['"', '\'']
        .iter()
        .find_map(|&quote| name.strip_prefix(quote)?.strip_suffix(quote));
    inner
        .map(str::to_owned)
        .ok_or_else(|| "the name of a file to include stands in quotes".to_owned())
}

/// `#<VALUE` and `>VALUE` as the expressions of the debugger have them: `#lo(VALUE)`, `hi(VALUE)`.
fn halves(text: &str) -> String {
    let (word, operand) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let operand = operand.trim();
    let (sign, value) = operand
        .strip_prefix('#')
        .map_or(("", operand), |value| ("#", value.trim_start()));
    let half = |name, value| format!("{word} {sign}{name}({value})");
    match (value.strip_prefix('<'), value.strip_prefix('>')) {
        (Some(value), _) => half("lo", value),
        (_, Some(value)) => half("hi", value),
        _ => text.to_owned(),
    }
}

/// A line up to its comment; a semicolon in a text does not begin one.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let end = line.find(|c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    &line[..end.unwrap_or(line.len())]
}

/// Items between commas; a comma in a text does not count.
fn items(text: &str) -> Result<Vec<&str>, String> {
    let mut quoted = false;
    let items = text.split(|c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    });
    let items: Vec<&str> = items.map(str::trim).collect();
    if quoted {
        return Err("a text has no end".to_owned());
    }
    Ok(items)
}

/// True for a label: letters, digits and underscores, and no digit first.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A text in ATASCII.
fn characters(text: &str) -> Result<Vec<u8>, String> {
    let code = |character| {
        atascii::of_char(character).ok_or_else(|| format!("the Atari has no character {character}"))
    };
    text.chars().map(code).collect()
}

/// The code on the screen of an ATASCII character.
fn screen_code(character: u8) -> u8 {
    let code = match character & 0x7F {
        control @ 0..0x20 => control + 0x40,
        capital @ 0x20..0x60 => capital - 0x20,
        small => small,
    };
    code | character & 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assembled(source: &str) -> Result<Assembled, String> {
        let mut symbols = Symbols::default();
        symbols.add_hardware();
        assemble_program(source, &symbols).map_err(|error| error.to_string())
    }

    #[test]
    fn labels_that_come_later_are_known() {
        let source = "
two = 2                 ; a constant
start:  ldx #two*3
        ldy #>text
loop:   lda text,x
        sta COLBK
        dex
        bpl loop
        jmp done
* = $80
cell:   .res 1
* = $3000
text:   .byte \"A;,B\", $9B, <done, two
        .sbyte \"A b\"
        .word done
done:   inc cell
        rts
";
        let got = assembled(source).unwrap();
        let code = [
            0xFF, 0xFF, 0x00, 0x20, 0x0F, 0x20, 0xA2, 6, 0xA0, 0x30, 0xBD, 0x00, 0x30, 0x8D, 0x1A,
            0xD0, 0xCA, 0x10, 0xF7, 0x4C, 0x0C, 0x30, 0x80, 0x00, 0x80, 0x00, 0,
        ];
        assert_eq!(got.xex[..code.len()], code);
        let data = [
            0x00, 0x30, 0x0E, 0x30, b'A', b';', b',', b'B', 0x9B, 0x0C, 2, 0x21, 0, b'b', 0x0C,
            0x30, 0xE6, 0x80, 0x60, 0xE0, 0x02, 0xE1, 0x02, 0x00, 0x20,
        ];
        assert_eq!(got.xex[code.len()..], data);
        assert_eq!(got.labels[3], ("text".to_owned(), 0x3000));
    }

    #[test]
    fn words_of_other_assemblers_have_their_meaning() {
        let plain = "two = 2\n* = $3000\n.res 3\nfirst: lda #two\nrts";
        let other = "two equ 2\n org $3000\n .ds 3\nfirst lda #two\n rts\n run first\nstart nop";
        let (plain, other) = (assembled(plain).unwrap(), assembled(other).unwrap());
        assert_eq!(plain.xex[6..12], other.xex[6..12]);
        assert_eq!(other.xex[other.xex.len() - 2..], [0x03, 0x30]);
        assert_eq!(other.labels[0], ("first".to_owned(), 0x3003));
        assert_eq!(
            assembled("loop\n bne loop").unwrap_err(),
            "line 1: there is no instruction \"LOOP\""
        );
        assert_eq!(
            assembled(" .proc x").unwrap_err(),
            "line 1: this assembler has no .proc"
        );
    }

    #[test]
    fn included_files_have_their_own_lines() {
        let main = "start: lda #size\n.include \"part.s\"\njmp start";
        let part = "; two lines\nsize = 7\nnop\n";
        let symbols = Symbols::default();
        let got = assemble_files(&[("main.s", main), ("PART.S", part)], &symbols).unwrap();
        let line = |file, line, code| AssembledLine { file, line, code };
        let lines = [
            line(0, 1, 0x2000..=0x2001),
            line(1, 3, 0x2002..=0x2002),
            line(0, 3, 0x2003..=0x2005),
        ];
        assert_eq!(got.lines, lines);
        let wrong = [("main.s", main), ("part.s", "\nldq #1")];
        let error = assemble_files(&wrong, &symbols).unwrap_err();
        assert_eq!((error.file, error.line), (1, 2));
        let round = [("a", ".include \"a\"")];
        let error = assemble_files(&round, &symbols).unwrap_err();
        assert_eq!(error.why, "more than 8 files include one another");
        let error = assemble_files(&[("a", " icl 'b'")], &symbols).unwrap_err();
        assert_eq!(error.why, "there is no file \"b\" to include");
    }

    #[test]
    fn a_fault_is_one_sentence_with_its_line() {
        let fault = |source: &str| assembled(source).unwrap_err();
        assert_eq!(
            fault("nop\nldq #1"),
            "line 2: there is no instruction \"LDQ\""
        );
        assert_eq!(
            fault("a1: nop\na1: nop"),
            "line 2: \"a1\" has a meaning already"
        );
        assert_eq!(fault("; nothing"), "line 1: the program has no instruction");
        assert_eq!(fault(".byte \"open"), "line 1: a text has no end");
        assert!(
            fault("jmp nowhere").starts_with("line 1: "),
            "{}",
            fault("jmp nowhere")
        );
        assert_eq!(
            fault("* = $FFFF\nnop\nnop"),
            "line 3: the program passes the end of memory"
        );
        assert_eq!(
            fault(".res 60000"),
            "line 1: the program passes the end of memory"
        );
        assert_eq!(
            fault("* = 0\n.res 60000\n* = 0\n.res 60000"),
            "line 4: the program has more than 64 KB"
        );
        assert!(fault("x: nop").starts_with("line 1: "));
    }
}
