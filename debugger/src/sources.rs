//! Source lines of a program and the addresses of their code: from cc65's debug information, from listings of MADS and from labels of FastBasic.

mod cc65;
mod fastbasic;
mod mads;

use crate::breakpoints::interprets;
use crate::c::CProgram;
use crate::{Assembled, Place, Symbols};
use cpu6502::Cpu;
use machine::{Bus, Machine};
use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

/// A file of source text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFile {
    /// Its name, as the assembler or compiler was given it.
    pub name: String,
    /// Its lines, where they are known.
    pub text: Vec<String>,
}

/// A line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLine {
    /// The number of the file in [`Sources::files`].
    pub file: usize,
    /// The line, from 1.
    pub line: u32,
}

/// Code of a line.
#[derive(Clone, Debug)]
struct Span {
    code: RangeInclusive<u16>,
    at: SourceLine,
    /// The rank of its language. Where spans overlap the higher one is shown: C before assembler, a call of a macro before the macro's own lines.
    rank: u8,
}

/// Source lines, files and C names of a program.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    numbers: HashMap<String, usize>,
    spans: Vec<Span>,
    /// For each address 0, or the number of its span and 1; empty without spans.
    map: Vec<u32>,
    interpreter: Option<Interpreter>,
    /// Names of a C program.
    pub c: CProgram,
}

/// The interpreter of a file whose lines the processor does not run itself.
#[derive(Clone, Copy, Debug)]
struct Interpreter {
    /// The number of the file.
    file: usize,
    /// The address of its pointer to the byte that it interprets.
    pointer: u16,
}

/// Reason why debug information is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// The line, from 1.
    pub line: usize,
    /// The syntax that was expected there.
    pub expected: &'static str,
}

impl std::fmt::Display for SourceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: expected {}", self.line, self.expected)
    }
}

impl std::error::Error for SourceError {}

impl Sources {
    /// Adds the contents of a file beside a program: cc65 debug information (`.dbg`), a MADS listing (`.lst`), or labels of any of the
    /// formats that [`Symbols::add_file`] reads, with the lines of a FastBasic program among them. The content decides the kind.
    ///
    /// # Errors
    /// The first line that is not understood; nothing is added then.
    pub fn add_file(&mut self, text: &str, symbols: &mut Symbols) -> Result<(), SourceError> {
        if text.starts_with("version\tmajor=") {
            cc65::add(self, symbols, text)?;
        } else if mads::is_listing(text) {
            mads::add(self, text);
        } else {
            symbols.add_file(text).map_err(|error| SourceError {
                line: error.line,
                expected: "a label: \"ADDRESS NAME\", \"al ADDRESS .NAME\", \"BANK ADDRESS NAME\" or \"NAME = $ADDRESS\"",
            })?;
            if fastbasic::is_labels(text) {
                fastbasic::add(self, symbols);
            }
        }
        if !self.c.is_empty() {
            symbols.hide(cc65::is_made);
        }
        self.rebuild();
        Ok(())
    }

    /// Adds the lines of a program that was assembled from these files, by name and text.
    pub fn add_assembled(&mut self, program: &Assembled, files: &[(&str, &str)]) {
        let numbers: Vec<usize> = files.iter().map(|(name, _)| self.file(name)).collect();
        for (&number, (_, text)) in numbers.iter().zip(files) {
            self.set_text(number, text);
        }
        for line in &program.lines {
            let at = SourceLine {
                file: numbers[line.file],
                line: line.line as u32,
            };
            let code = line.code.clone();
            self.spans.push(Span { code, at, rank: 1 });
        }
        self.rebuild();
    }

    /// The files.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Gives a file its text.
    pub fn set_text(&mut self, file: usize, text: &str) {
        if let Some(file) = self.files.get_mut(file) {
            file.text = text.lines().map(str::to_owned).collect();
            if [".c", ".h", ".C", ".H"]
                .iter()
                .any(|end| file.name.ends_with(end))
            {
                self.c.read_types(text);
            }
        }
    }

    /// Gives the source of an interpreted program, whose debug information names no file, its name and its text.
    pub fn set_interpreted(&mut self, name: &str, text: &str, symbols: &Symbols) {
        let Some(Interpreter { file, .. }) = self.interpreter else {
            return;
        };
        name.clone_into(&mut self.files[file].name);
        self.set_text(file, text);
        fastbasic::name_numbers(self, symbols, text);
    }

    /// True if the program is interpreted, and the file of its source is not known yet.
    pub fn lacks_interpreted(&self) -> bool {
        self.interpreter
            .is_some_and(|interpreter| self.files[interpreter.file].name == fastbasic::UNKNOWN)
    }

    /// The line that the machine is in: of the instruction that runs, or of the byte that an interpreter has come to.
    pub fn line_of(&self, machine: &Machine) -> Option<SourceLine> {
        self.line_at(crate::instruction_address(&machine.cpu))
            .or_else(|| self.interpreted_line(machine))
    }

    /// The line of the byte that the interpreter has come to.
    pub fn interpreted_line(&self, machine: &Machine) -> Option<SourceLine> {
        let Interpreter { file, pointer } = self.interpreter?;
        let at = [pointer, pointer.wrapping_add(1)].map(|at| machine.peek(at));
        let line = self.line_at(u16::from_le_bytes(at))?;
        (line.file == file).then_some(line)
    }

    /// The interpreter of the line whose code is at an address.
    fn interpreter_of(&self, address: u16) -> Option<Interpreter> {
        let interpreter = self.interpreter?;
        (self.line_at(address)?.file == interpreter.file).then_some(interpreter)
    }

    /// The breakpoint for a line whose code begins at an address.
    pub fn breakpoint(&self, address: u16) -> Place {
        match self.interpreter_of(address) {
            Some(Interpreter { pointer, .. }) => Place::Interpreted {
                at: address,
                pointer,
            },
            None => Place::Pc(address),
        }
    }

    /// True if an interpreter is about to read the first byte of a line.
    pub(crate) fn reads_line(&self, cpu: &Cpu, bus: &Bus) -> bool {
        self.interpreter.is_some_and(|interpreter| {
            let address = cpu.next_address();
            self.begins_line(address)
                && self.interpreter_of(address).is_some()
                && interprets(interpreter.pointer, cpu, bus)
        })
    }

    /// True if any code has a line.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The file of a name: as it was given, or by its last parts (`main.s` for `src/main.s`), whatever the case of letters.
    pub fn find(&self, name: &str) -> Option<usize> {
        let plain = |text: &str| text.replace('\\', "/").to_ascii_lowercase();
        let wanted = plain(name);
        let ends = |long: &str, short: &str| {
            long.strip_suffix(short)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let files = || self.files.iter().map(|file| plain(&file.name)).enumerate();
        files()
            .find(|(_, known)| *known == wanted)
            .or_else(|| files().find(|(_, known)| ends(known, &wanted) || ends(&wanted, known)))
            .map(|(n, _)| n)
    }

    /// The line whose code is at an address.
    pub fn line_at(&self, address: u16) -> Option<SourceLine> {
        let span = self.map.get(usize::from(address))?.checked_sub(1)?;
        Some(self.spans[span as usize].at)
    }

    /// The text of a line, where it is known.
    pub fn text(&self, at: SourceLine) -> Option<&str> {
        let text = &self.files.get(at.file)?.text;
        Some(text.get(at.line.checked_sub(1)? as usize)?)
    }

    /// `hello.s:12`.
    pub fn name(&self, at: SourceLine) -> String {
        let file = self.files.get(at.file).map_or("?", |file| &file.name);
        let short = file.rsplit(['/', '\\']).next().unwrap_or(file);
        format!("{short}:{}", at.line)
    }

    /// True if the code of a line begins at an address: steps by lines end there.
    pub fn begins_line(&self, address: u16) -> bool {
        let here = self.line_at(address);
        here.is_some() && (address == 0 || self.line_at(address - 1) != here)
    }

    /// The addresses of the code of a line, or of the next one that has code; and that line.
    pub fn code_of(&self, at: SourceLine) -> Option<(SourceLine, Vec<u16>)> {
        let next = self.lines_of(at.file).find(|line| *line >= at.line)?;
        let line = SourceLine { line: next, ..at };
        let begins =
            |&address: &u16| self.begins_line(address) && self.line_at(address) == Some(line);
        Some((line, (0..=0xFFFF).filter(begins).collect()))
    }

    /// The lines of a file that have code, in order.
    pub fn lines_of(&self, file: usize) -> impl Iterator<Item = u32> {
        let lines: std::collections::BTreeSet<u32> = self
            .map
            .iter()
            .filter_map(|span| Some(self.spans[span.checked_sub(1)? as usize].at))
            .filter(|at| at.file == file)
            .map(|at| at.line)
            .collect();
        lines.into_iter()
    }

    /// The place that `FILE:LINE` means: its line with code, and the addresses at which that begins.
    pub fn place(&self, text: &str) -> Option<(SourceLine, Vec<u16>)> {
        let (file, line) = text.rsplit_once(':')?;
        let line = line.parse().ok()?;
        let file = self.find(file)?;
        self.code_of(SourceLine { file, line })
    }

    /// The number of a file, which is added if it is new.
    fn file(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.files.len();
        self.files.push(SourceFile {
            name: name.to_owned(),
            text: Vec::new(),
        });
        self.numbers.insert(name.to_owned(), number);
        number
    }

    fn rebuild(&mut self) {
        if self.spans.is_empty() {
            return;
        }
        // The most important span first; of equal rank the smaller one is more exact, and then the later one. Each address is given once.
        let mut order: Vec<usize> = (0..self.spans.len()).collect();
        order.sort_by_key(|&n| {
            let span = &self.spans[n];
            std::cmp::Reverse((span.rank, usize::MAX - span.code.len(), n))
        });
        self.map = vec![0; 0x10000];
        let mut free = Free::default();
        for n in order {
            let (first, last) = (*self.spans[n].code.start(), *self.spans[n].code.end());
            while let Some(address) = free.take(first, last) {
                self.map[usize::from(address)] = n as u32 + 1;
            }
        }
    }
}

/// Addresses that no span has yet: for each one the next that is free, at this place or after it.
struct Free(Vec<u32>);

impl Default for Free {
    fn default() -> Self {
        Self((0..=0x10000).collect())
    }
}

impl Free {
    /// Takes the first free address of a range.
    fn take(&mut self, first: u16, last: u16) -> Option<u16> {
        let mut root = u32::from(first);
        while self.0[root as usize] != root {
            root = self.0[root as usize];
        }
        let mut at = u32::from(first);
        while at != root {
            at = std::mem::replace(&mut self.0[at as usize], root);
        }
        let address = u16::try_from(root)
            .ok()
            .filter(|address| *address <= last)?;
        self.0[root as usize] = root + 1;
        Some(address)
    }
}

/// Attributes `name=value` of a record, separated by commas outside of quotes.
fn attributes(text: &str) -> BTreeMap<&str, &str> {
    let mut quoted = false;
    text.split(|c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    })
    .filter_map(|item| {
        let (name, value) = item.split_once('=')?;
        Some((name.trim(), value.trim().trim_matches('"')))
    })
    .collect()
}
