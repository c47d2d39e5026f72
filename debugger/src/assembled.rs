//! Source files of 6502 assembly to a program file: for small programs, and tests of them.

mod conditions;
mod macros;
mod scopes;
#[cfg(test)]
mod tests;
mod words;

use crate::assembler::is_mnemonic;
use crate::expression::clip;
use crate::{Expression, Symbols, assemble};
use conditions::Conditions;
use macros::{Macros, names_labels};
use media::atascii;
use scopes::{Kind, Scopes};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;
use words::{cheap, is_name, replaced, without_comment};

/// Passes until labels keep their addresses: each shortens or lengthens instructions whose operands moved.
const PASSES: usize = 8;
/// Bytes of a program.
const MOST: usize = 0x10000;
/// Files that include one another.
const DEPTH: usize = 8;
/// Macros that use one another.
const MACROS: usize = 32;
/// Lines of a program with those of files and macros, each as often as it is taken in.
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
/// `@NAME` (or `?NAME`) is a label of its own after each other label. Names between `.proc NAME` and `.endproc` (`.endp`), or `.scope NAME`
/// and `.endscope` (`.local` and `.endl`) are local, outside `NAME::LABEL` (or `NAME.LABEL`). `.if VALUE`, `.ifdef NAME`, `.ifndef NAME`,
/// `.elseif`, `.else` and `.endif` leave lines out. `.macro NAME FIRST, SECOND` to `.endmacro` (`.endm`) is a macro; its labels are its own.
///
/// # Errors
/// The first line that is not understood.
pub fn assemble_files(files: &[(&str, &str)], known: &Symbols) -> Result<Assembled, AssembleError> {
    let (mut labels, mut constants) = (Vec::new(), Vec::new());
    for pass in 0..PASSES {
        let mut assembler = Assembler::new(files, known, &labels, &constants);
        assembler.guesses = pass == 0;
        assembler.file(0)?;
        assembler.ended()?;
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

/// A line of a file.
#[derive(Clone, Copy)]
struct Place {
    file: usize,
    line: usize,
}

impl Place {
    fn error(self, why: String) -> AssembleError {
        let Self { file, line } = self;
        AssembleError { file, line, why }
    }
}

/// The lines that a line stands for.
enum Lines {
    None,
    /// Those of the file with this name.
    Included(String),
    /// Those of a macro: its name, and the name of its scope.
    Macro {
        name: String,
        scope: String,
        lines: Vec<String>,
    },
}

/// One pass over the source.
struct Assembler<'a> {
    files: &'a [(&'a str, &'a str)],
    /// The names that every program has.
    known: &'a Symbols,
    symbols: Symbols,
    labels: Vec<(String, u16)>,
    /// Parts with their addresses.
    parts: Vec<(u16, Vec<u8>)>,
    /// Names that are not known yet stand for the current address.
    guesses: bool,
    constants: Vec<(String, u16)>,
    /// Names of the labels and constants.
    taken: BTreeSet<String>,
    scopes: Scopes,
    conditions: Conditions,
    macros: Macros,
    /// The address after `run`.
    run: Option<u16>,
    lines: Vec<AssembledLine>,
    lines_read: usize,
    /// Files and macros within which the line is.
    including: usize,
    expanding: usize,
}

impl<'a> Assembler<'a> {
    /// A pass with the names of the pass before.
    fn new(
        files: &'a [(&'a str, &'a str)],
        known: &'a Symbols,
        labels: &[(String, u16)],
        constants: &[(String, u16)],
    ) -> Self {
        let mut symbols = known.clone();
        for (name, value) in constants {
            symbols.add_constant(name, *value);
        }
        for (name, address) in labels {
            symbols.add(*address, name);
        }
        Self {
            files,
            known,
            symbols,
            labels: Vec::new(),
            parts: vec![(0x2000, Vec::new())],
            guesses: false,
            constants: Vec::new(),
            taken: BTreeSet::new(),
            scopes: Scopes::default(),
            conditions: Conditions::default(),
            macros: Macros::default(),
            run: None,
            lines: Vec::new(),
            lines_read: 0,
            including: 0,
            expanding: 0,
        }
    }

    /// The address of the next byte.
    fn at(&self) -> Result<u16, String> {
        let (start, bytes) = self.parts.last().expect("there is always a part");
        u16::try_from(usize::from(*start) + bytes.len())
            .map_err(|_| "the program passes the end of memory".to_owned())
    }

    /// Assembles a file.
    fn file(&mut self, file: usize) -> Result<(), AssembleError> {
        for (index, text) in self.files[file].1.lines().enumerate() {
            let line = index + 1;
            self.line(text, Place { file, line })?;
        }
        Ok(())
    }

    /// Checks that everything that was begun has its end.
    fn ended(&self) -> Result<(), AssembleError> {
        let why = if let Some(name) = self.macros.unfinished() {
            format!("the macro {} has no .endmacro", clip(name))
        } else if self.conditions.depth() > 0 {
            "an .if has no .endif".to_owned()
        } else {
            match self.scopes.innermost() {
                None => return Ok(()),
                Some(Kind::Procedure) => "a .proc has no .endproc".to_owned(),
                Some(_) => "a .scope has no .endscope".to_owned(),
            }
        };
        let line = self.files[0].1.lines().count().max(1);
        Err(Place { file: 0, line }.error(why))
    }

    /// Assembles a line of a file, or of a macro that is used there.
    fn line(&mut self, text: &str, place: Place) -> Result<(), AssembleError> {
        self.lines_read += 1;
        if self.lines_read > LINES {
            return Err(place.error(format!("the program has more than {LINES} lines")));
        }
        let text = without_comment(text);
        if self.macros.takes(text) {
            return Ok(());
        }
        match self.statement(text, place) {
            Err(why) => Err(place.error(why)),
            Ok(Lines::None) => Ok(()),
            Ok(Lines::Included(name)) => self.include(&name, place),
            Ok(Lines::Macro { name, scope, lines }) => {
                self.expanding += 1;
                let expanded = self.expand(&scope, &lines, place);
                self.expanding -= 1;
                expanded.map_err(|error| match self.expanding {
                    0 => place.error(format!("in macro {}: {}", clip(&name), error.why)),
                    _ => error,
                })
            }
        }
    }

    fn include(&mut self, name: &str, place: Place) -> Result<(), AssembleError> {
        let included = self
            .files
            .iter()
            .position(|(known, _)| !known.is_empty() && known.eq_ignore_ascii_case(name));
        let included = included.ok_or_else(|| {
            place.error(format!("there is no file \"{}\" to include", clip(name)))
        })?;
        if self.including + 1 >= DEPTH {
            return Err(place.error(format!("more than {DEPTH} files include one another")));
        }
        self.including += 1;
        self.file(included)?;
        self.including -= 1;
        Ok(())
    }

    /// Assembles the lines of a macro.
    fn expand(&mut self, scope: &str, lines: &[String], place: Place) -> Result<(), AssembleError> {
        if self.expanding > MACROS {
            return Err(place.error(format!("more than {MACROS} macros use one another")));
        }
        self.scopes.open(Kind::Macro, scope);
        for line in lines {
            self.line(line, place)?;
        }
        if self.scopes.close(Kind::Macro) {
            Ok(())
        } else {
            Err(place.error("a .proc or .scope in it has no end".to_owned()))
        }
    }

    /// Assembles a line without its comment.
    fn statement(&mut self, text: &str, place: Place) -> Result<Lines, String> {
        let (word, operand) = first_word(text.trim());
        let word = word.to_ascii_lowercase();
        if self.condition(&word, operand)?
            || self.conditions.skips()
            || self.scope(&word, operand)?
        {
            return Ok(Lines::None);
        }
        let mut rest = text.trim();
        if let Some((label, after)) = rest.split_once(':')
            && is_label(label.trim())
            && !after.starts_with(':')
        {
            self.label(label.trim())?;
            rest = after.trim();
        }
        if let Some((name, value)) = constant(rest) {
            self.equals(name, value)?;
            return Ok(Lines::None);
        }
        if let Some((label, after)) = self.label_without_colon(text) {
            self.label(label)?;
            rest = after;
        }
        if rest.is_empty() {
            return Ok(Lines::None);
        }
        let (word, operand) = first_word(rest);
        match word.to_ascii_lowercase().as_str() {
            _ if self.macros.has(word) => return self.called(word, operand),
            ".include" | "icl" => return included(operand).map(Lines::Included),
            "run" => self.run = Some(self.number(operand)?),
            "org" | ".org" => self.equals("*", operand)?,
            _ => self.put(rest, place)?,
        }
        Ok(Lines::None)
    }

    /// The lines of a macro with these values.
    fn called(&mut self, name: &str, values: &str) -> Result<Lines, String> {
        let values = match values {
            "" => Vec::new(),
            values => items(values)?,
        };
        let (scope, lines) = self.macros.expand(name, &values)?;
        let name = name.to_owned();
        Ok(Lines::Macro { name, scope, lines })
    }

    /// Takes a line that begins, divides or ends a condition; false if it is another one.
    fn condition(&mut self, word: &str, operand: &str) -> Result<bool, String> {
        let is_read = !self.conditions.skips();
        match word {
            ".if" => {
                let value = is_read.then(|| self.truth(operand)).transpose()?;
                self.conditions.begin(value)?;
            }
            ".ifdef" | ".ifndef" => {
                let value = self.is_defined(operand) == (word == ".ifdef");
                self.conditions.begin(is_read.then_some(value))?;
            }
            ".elseif" => {
                let value = self.conditions.asks() && self.truth(operand)?;
                self.conditions.next(value, false)?;
            }
            ".else" => self.conditions.next(true, true)?,
            ".endif" => self.conditions.end()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// True if the value is not 0. Its names have been defined before.
    fn truth(&self, text: &str) -> Result<bool, String> {
        let value = Expression::parse(&self.resolved(text, None), &self.symbols)?;
        let value = value.constant();
        value
            .map(|value| value != 0)
            .ok_or_else(|| format!("\"{}\" is no constant", clip(text)))
    }

    /// True for a name that has been defined before this line.
    fn is_defined(&self, name: &str) -> bool {
        let mut names = self.scopes.candidates(name).into_iter();
        names.any(|name| self.taken.contains(&name) || self.known.address(&name).is_some())
    }

    /// Takes a line that begins or ends a procedure or scope, or begins a macro; false if it is another one.
    fn scope(&mut self, word: &str, operand: &str) -> Result<bool, String> {
        let (kind, begins) = match word {
            ".macro" => {
                self.macros.begin(operand)?;
                return Ok(true);
            }
            ".local" if self.scopes.innermost() == Some(Kind::Macro) && names_labels(operand) => {
                return Ok(true);
            }
            ".proc" => (Kind::Procedure, true),
            ".scope" | ".local" => (Kind::Scope, true),
            ".endproc" | ".endp" => (Kind::Procedure, false),
            ".endscope" | ".endl" => (Kind::Scope, false),
            _ => return Ok(false),
        };
        if !begins {
            let closed = self.scopes.close(kind);
            return closed
                .then_some(true)
                .ok_or_else(|| format!("there is nothing that {word} ends"));
        }
        if !is_name(operand) {
            return Err(format!("{word} needs a name, not \"{}\"", clip(operand)));
        }
        if kind == Kind::Procedure {
            self.label(operand)?;
        }
        self.scopes.open(kind, operand);
        Ok(true)
    }

    /// Adds the bytes of a line.
    fn put(&mut self, text: &str, Place { file, line }: Place) -> Result<(), String> {
        let bytes = self.bytes(text)?;
        if let Some(more) = bytes.len().checked_sub(1) {
            let first = self.at()?;
            let last = u16::try_from(usize::from(first) + more);
            let last = last.map_err(|_| "the program passes the end of memory")?;
            match self.lines.last_mut() {
                // The lines of a macro are one.
                Some(before)
                    if (before.file, before.line) == (file, line)
                        && before.code.end().checked_add(1) == Some(first) =>
                {
                    before.code = *before.code.start()..=last;
                }
                _ => {
                    let code = first..=last;
                    self.lines.push(AssembledLine { file, line, code });
                }
            }
        }
        let (_, part) = self.parts.last_mut().expect("there is always a part");
        part.extend(bytes);
        let size: usize = self.parts.iter().map(|(_, bytes)| bytes.len()).sum();
        if size > MOST {
            return Err("the program has more than 64 KB".to_owned());
        }
        Ok(())
    }

    fn label(&mut self, name: &str) -> Result<(), String> {
        let at = self.at()?;
        let full = self.defined(name)?;
        if cheap(name).is_none() {
            self.scopes.begin_label(&full);
        }
        self.symbols.add(at, &full);
        self.labels.push((full, at));
        Ok(())
    }

    /// The full name of a label or constant, which has no meaning yet: as a label, a constant, a register or a position of the beam.
    fn defined(&mut self, name: &str) -> Result<String, String> {
        let full = self.scopes.defined(name);
        let is_free = Expression::parse(name, &Symbols::default()).is_err();
        full.filter(|full| is_free && self.taken.insert(full.clone()))
            .ok_or_else(|| format!("\"{}\" has a meaning already", clip(name)))
    }

    /// A constant, or the address of what follows.
    fn equals(&mut self, name: &str, value: &str) -> Result<(), String> {
        let value = self.number(value)?;
        if name == "*" {
            self.parts.push((value, Vec::new()));
            return Ok(());
        }
        let full = self.defined(name)?;
        self.symbols.add_constant(&full, value);
        self.constants.push((full, value));
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
        let (word, operand) = first_word(text);
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
        let (word, operand) = first_word(text);
        let with = |guess: Option<u16>| {
            let text = format!("{word} {}", self.resolved(operand, guess));
            assemble(&halves(&text), at, &self.symbols)
        };
        let assembled = with(None);
        if assembled.is_ok() || !self.guesses {
            return assembled;
        }
        // A branch reaches this address, a byte takes 0.
        with(Some(at)).or_else(|_| with(Some(0)))
    }

    /// A text with the full names of what it names; names that are not known become the guess.
    fn resolved<'t>(&self, text: &'t str, guess: Option<u16>) -> Cow<'t, str> {
        replaced(text, |name| {
            let names = self.scopes.candidates(name).into_iter();
            let mut names = names.filter(|full| self.symbols.address(full).is_some());
            let guess = guess.filter(|_| !has_own_meaning(name));
            names
                .next()
                .or_else(|| guess.map(|value| format!("${value:04X}")))
        })
    }

    /// A label that begins a line without a colon, and the instruction, data or macro after it. A name with nothing after it is more often a word that
    /// was mistyped.
    fn label_without_colon<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let (word, rest) = text.split_once(char::is_whitespace)?;
        let next = rest.split_whitespace().next()?;
        let has_meaning = |word: &str| {
            let own = ["org", "icl", "run"];
            own.iter().any(|known| word.eq_ignore_ascii_case(known))
                || is_mnemonic(word)
                || self.macros.has(word)
        };
        let begins = is_label(word) && !has_meaning(word);
        (begins && (next.starts_with('.') || has_meaning(next))).then_some((word, rest.trim()))
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

/// A word, and what follows it.
fn first_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// True for a label, local or not.
fn is_label(text: &str) -> bool {
    is_name(text) || cheap(text).is_some()
}

/// True for names that the expressions of the debugger have: registers, functions, the beam.
fn has_own_meaning(name: &str) -> bool {
    let functions = ["lo", "hi", "w"];
    let mut names = Expression::names().chain(functions);
    names.any(|known| known.eq_ignore_ascii_case(name))
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
    let (word, operand) = first_word(text);
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
