//! A source file of 6502 assembly to a program file: for small programs, and tests of them.

use crate::expression::clip;
use crate::{Expression, Symbols, assemble};
use media::atascii;
use std::fmt;

/// Passes until labels keep their addresses: each shortens or lengthens instructions whose operands moved.
const PASSES: usize = 8;
/// Bytes of a program.
const MOST: usize = 0x10000;
/// The label at which a program starts, where it has it.
const START: &str = "start";

/// A program that was assembled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// A binary file of DOS, with the address where it starts.
    pub xex: Vec<u8>,
    /// Labels with their addresses, in the order of the source.
    pub labels: Vec<(String, u16)>,
}

/// A line that is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssembleError {
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

/// Assembles lines `label: instruction ; comment`. Beside instructions there are `NAME = VALUE`, `* = ADDRESS` (a part of the program begins
/// there; $2000 at first), `.byte` with numbers and texts in quotes (ATASCII), `.sbyte` (codes of the screen), `.word`, and `.res N` (zeros). The
/// program starts at the label `start`, or else at its first byte.
///
/// # Errors
/// The first line that is not understood.
pub fn assemble_program(source: &str, known: &Symbols) -> Result<Assembled, AssembleError> {
    let mut labels: Vec<(String, u16)> = Vec::new();
    for pass in 0..PASSES {
        let mut assembler = Assembler::new(known, &labels, pass == 0);
        for (index, line) in source.lines().enumerate() {
            assembler.line(line).map_err(|why| AssembleError {
                line: index + 1,
                why,
            })?;
        }
        if pass > 0 && assembler.labels == labels {
            return assembler.finish();
        }
        labels = assembler.labels;
    }
    Err(AssembleError {
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
    constants: Vec<String>,
}

impl Assembler {
    fn new(known: &Symbols, labels: &[(String, u16)], guesses: bool) -> Self {
        let mut symbols = known.clone();
        for (name, address) in labels {
            symbols.add(*address, name);
        }
        Self {
            symbols,
            labels: Vec::new(),
            parts: vec![(0x2000, Vec::new())],
            guesses,
            constants: Vec::new(),
        }
    }

    /// The address of the next byte.
    fn at(&self) -> Result<u16, String> {
        let (start, bytes) = self.parts.last().expect("there is always a part");
        u16::try_from(usize::from(*start) + bytes.len())
            .map_err(|_| "the program passes the end of memory".to_owned())
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let mut rest = without_comment(line).trim();
        if let Some((label, after)) = rest.split_once(':')
            && is_name(label.trim())
        {
            let at = self.at()?;
            self.label(label.trim(), at)?;
            rest = after.trim();
        }
        if let Some((name, value)) = rest.split_once('=')
            && (is_name(name.trim()) || name.trim() == "*")
        {
            return self.equals(name.trim(), value.trim());
        }
        if rest.is_empty() {
            return Ok(());
        }
        let bytes = self.bytes(rest)?;
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
            || self.constants.iter().any(|known| known == name)
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
        self.constants.push(name.to_owned());
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
            ".res" => Ok(vec![0; usize::from(self.number(operand)?)]),
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
        let mut symbols = self.symbols.clone();
        let names = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let unknown = |name: &&str| is_name(name) && self.symbols.address(name).is_none();
        for name in names.filter(unknown) {
            symbols.add_constant(name, at);
        }
        assemble(text, at, &symbols)
    }

    fn finish(self) -> Result<Assembled, AssembleError> {
        let parts: Vec<_> = self
            .parts
            .iter()
            .filter(|(_, bytes)| !bytes.is_empty())
            .collect();
        let nothing = || AssembleError {
            line: 1,
            why: "the program has no instruction".to_owned(),
        };
        let first = parts.first().ok_or_else(nothing)?.0;
        let named = self.labels.iter().find(|(name, _)| name == START);
        let start = named.map_or(first, |(_, address)| *address);
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
        })
    }
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
        assert!(fault(".res 60000\n.res 60000").starts_with("line 2: "));
        assert!(fault("x: nop").starts_with("line 1: "));
    }
}
