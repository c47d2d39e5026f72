//! Atari BASIC's program and variables by its documented pointers: for BASIC of any origin.

pub(crate) mod lookup;

use machine::{Bus, Machine};
use media::basic::{IMMEDIATE, Program};
use std::collections::BTreeSet;
use std::fmt;

pub(crate) const APPMHI: u16 = 0x0E;
pub(crate) const VNTP: u16 = 0x82;
const VVTP: u16 = 0x86;
const STMTAB: u16 = 0x88;
const STMCUR: u16 = 0x8A;
pub(crate) const STARP: u16 = 0x8C;
const RUNSTK: u16 = 0x8E;
pub(crate) const MEMTOP2: u16 = 0x90;
/// The offset of the next statement in its line; written when a statement begins.
pub(crate) const NXTSTD: u16 = 0xA7;
/// The token of IF, which writes NXTSTD, too.
const IF: u8 = 7;
/// Tokens of statements that go back and forth.
const FOR: u8 = 8;
const NEXT: u8 = 9;
const GOSUB: u8 = 12;
const ON: u8 = 30;
const RETURN: u8 = 36;
/// Variables that a BASIC program can have.
const VARIABLES: usize = 128;

fn word(peek: &impl Fn(u16) -> u8, address: u16) -> u16 {
    u16::from_le_bytes([peek(address), peek(address.wrapping_add(1))])
}

/// A statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Begun {
    /// Its line.
    pub line: u16,
    /// Its number in the line, from 1.
    pub number: u8,
    token: u8,
}

/// The statement of the current line whose end `next` gives.
fn statement_until(peek: &impl Fn(u16) -> u8, next: u8) -> Option<Begun> {
    let at = word(peek, STMCUR);
    let line = word(peek, at);
    let length = peek(at.wrapping_add(2));
    if line > IMMEDIATE || length < 5 || next > length {
        return None;
    }
    let (mut offset, mut number) = (3, 1);
    while offset < length {
        let end = peek(at.wrapping_add(offset.into()));
        if end <= offset {
            return None;
        }
        let token = peek(at.wrapping_add(u16::from(offset) + 1));
        if end == next {
            return Some(Begun {
                line,
                number,
                token,
            });
        }
        offset = end;
        number += 1;
    }
    None
}

/// Follows the statements: each begins with a write of NXTSTD.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statements {
    /// The line of the last statement.
    line: Option<u16>,
    token: Option<u8>,
    /// The number of the last statement in its line.
    number: u8,
    /// The line that RETURN goes back to.
    returning: Option<u16>,
    /// The instruction that writes NXTSTD where a statement begins, once one has.
    pub dispatch: Option<u16>,
    /// The instruction that wrote last, if that was taken for the end of an IF that is not true while nothing was known of the one above.
    skipped: Option<u16>,
}

impl Statements {
    /// The reader of statements, at the one that runs now, if BASIC does.
    pub fn new(bus: &Bus) -> Self {
        let peek = |address: u16| bus.peek(address);
        let running = running_line(bus).and_then(|_| statement_until(&peek, peek(NXTSTD)));
        let mut statements = Self::default();
        if let Some(running) = running {
            statements.take(running, bus);
        }
        statements
    }

    fn take(&mut self, begun: Begun, bus: &Bus) {
        self.line = Some(begun.line);
        self.token = Some(begun.token);
        self.number = begun.number;
        if begun.token == RETURN {
            let frames = stack(&|address: u16| bus.peek(address));
            self.returning = frames.iter().rev().find_map(|(frame, _)| match frame {
                Frame::Gosub(line) => Some(*line),
                Frame::For(..) => None,
            });
        }
    }

    /// The statement that begins with a write of `next` into NXTSTD by the instruction at `pc`, and true if its line does; `None` if no statement
    /// begins: NEXT and RETURN write where FOR and GOSUB ended, and an IF that is not true writes where its line ends.
    pub fn begin(&mut self, bus: &Bus, pc: u16, next: u8) -> Option<(Begun, bool)> {
        let begun = statement_until(&|address: u16| bus.peek(address), next)?;
        let skipped = self.skipped.take();
        if self.token == Some(IF) && self.line == Some(begun.line) && begun.number >= self.number {
            let skips = begun.number > self.number + 1 || self.dispatch != Some(pc);
            let line = bus.peek(word(&|at: u16| bus.peek(at), STMCUR).wrapping_add(2));
            // After the end of an IF comes another line: a second write by the same instruction is that of an IF that leads to its own line.
            let again = self.dispatch.is_none() && skipped == Some(pc);
            if next == line && skips && !again {
                self.skipped = Some(pc);
                return None;
            }
        }
        let back = match (self.token, begun.token) {
            (Some(NEXT), FOR) => stack(&|address: u16| bus.peek(address))
                .iter()
                .any(|(frame, _)| matches!(frame, Frame::For(line, _) if *line == begun.line)),
            (Some(RETURN), GOSUB | ON) => self.returning == Some(begun.line),
            _ => false,
        };
        let writes_more = matches!(self.token, None | Some(IF | NEXT | RETURN));
        if back {
            // Once only: the next one is a statement.
            self.token = None;
            return None;
        }
        if !writes_more || self.dispatch.is_none() {
            self.dispatch = Some(pc);
        }
        let other = begun.number == 1 || self.line != Some(begun.line);
        self.take(begun, bus);
        Some((begun, other))
    }
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A string: its bytes, and the length it may have; `None` if it was not dimensioned.
    String(Option<(Vec<u8>, u16)>),
    /// An array: its numbers row by row, and the sizes of its dimensions; `None` if it was not dimensioned.
    Array(Option<(Vec<f64>, u16, u16)>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::String(None) | Self::Array(None) => f.write_str("not dimensioned"),
            Self::String(Some((bytes, most))) => {
                let text = lookup::readable(bytes);
                write!(f, "\"{text}\" ({} of {most})", bytes.len())
            }
            Self::Array(Some((numbers, ..))) => {
                let shown: Vec<String> = numbers.iter().take(16).map(f64::to_string).collect();
                let more = if numbers.len() > 16 { " ..." } else { "" };
                write!(f, "{}{more}", shown.join(" "))
            }
        }
    }
}

/// A variable with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name, with `$` or `(` as BASIC keeps it.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// The address of its eight bytes.
    pub address: u16,
}

impl Variable {
    /// Its name and value in one line.
    pub fn line(&self) -> String {
        let name = match &self.value {
            Value::String(None) | Value::Array(None) => {
                return format!("{} is not dimensioned", self.name);
            }
            Value::Array(Some((_, first, 0 | 1))) => {
                &format!("{}{})", self.name, first.saturating_sub(1))
            }
            Value::Array(Some((_, first, second))) => {
                &format!("{}{},{})", self.name, first.saturating_sub(1), second - 1)
            }
            Value::Number(_) | Value::String(_) => &self.name,
        };
        format!("{name} = {}", self.value)
    }
}

/// An entry of the runtime stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// GOSUB, from this line.
    Gosub(u16),
    /// FOR in this line; the number of its variable.
    For(u16, u8),
}

/// A FOR that runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The number of its variable, as in [`Frame::For`].
    pub variable: u8,
    /// Its end value.
    pub to: f64,
    /// The number added each time.
    pub step: f64,
}

/// The state of BASIC.
#[derive(Clone, Debug, PartialEq)]
pub struct Basic {
    /// The line that runs; `None` for immediate commands.
    pub line: Option<u16>,
    /// The number of the statement in it, from 1.
    pub statement: u8,
    /// The line as LIST shows it, without its number.
    pub text: Option<String>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// GOSUB and FOR, the oldest first.
    pub stack: Vec<Frame>,
    /// The loops of the FORs on the stack.
    pub loops: Vec<Loop>,
}

/// A number as BASIC keeps it: an exponent of 100 and five pairs of digits.
pub fn number(bytes: [u8; 6]) -> f64 {
    if bytes[0] & 0x7F == 0 {
        return 0.0;
    }
    let digits: Vec<String> = bytes[1..]
        .iter()
        .map(|byte| format!("{byte:02X}"))
        .collect();
    let digits = digits.concat();
    // Read as decimal text, the value is rounded once.
    let exponent = (i32::from(bytes[0] & 0x7F) - 0x40) * 2;
    let sign = if bytes[0] & 0x80 != 0 { "-" } else { "" };
    let text = format!("{sign}{}.{}e{exponent}", &digits[..2], &digits[2..]);
    text.parse().unwrap_or(f64::NAN)
}

/// True if BASIC's pointers are in the order that BASIC keeps them in.
fn has_pointers(peek: &impl Fn(u16) -> u8) -> bool {
    let pointers: Vec<u16> = (0..9).map(|n| word(peek, 0x80 + 2 * n)).collect();
    // LOMEM, VNTP, VNTD, VVTP, STMTAB, STMCUR, STARP, RUNSTK, MEMTOP.
    pointers[0] >= 0x0600
        && pointers[1] >= pointers[0]
        && pointers[3] > pointers[1]
        && pointers[4] >= pointers[3]
        && pointers[6] > pointers[4]
        && pointers[7] >= pointers[6]
        && pointers[8] >= pointers[7]
        && pointers[8] < 0xC000
}

impl Basic {
    /// The state of BASIC in a machine; `None` if its pointers make no sense.
    pub fn of(machine: &Machine) -> Option<Self> {
        let peek = |address: u16| machine.peek(address);
        if !has_pointers(&peek) {
            return None;
        }
        let line = word(&peek, STMCUR);
        let number = word(&peek, line);
        let stack = stack(&peek);
        let listed = listing(machine).into_iter().find(|(n, _)| *n == number);
        Some(Self {
            line: (number < IMMEDIATE).then_some(number),
            text: listed.map(|(_, text)| text),
            statement: statement(&peek, line),
            variables: variables(&peek),
            stack: stack.iter().map(|(frame, _)| frame.clone()).collect(),
            loops: stack.into_iter().filter_map(|(_, span)| span).collect(),
        })
    }

    /// Text.
    pub fn lines(&self) -> Vec<String> {
        let place = match (self.line, &self.text) {
            (Some(line), Some(text)) => format!("line {line} statement {}: {text}", self.statement),
            (Some(line), None) => format!("line {line} statement {}", self.statement),
            (None, _) => "immediate".to_owned(),
        };
        let mut lines = vec![place];
        lines.extend(self.stack_lines());
        lines.extend(self.variables.iter().map(Variable::line));
        lines
    }

    /// GOSUB and FOR on the stack as text, the oldest first.
    pub fn stack_lines(&self) -> impl Iterator<Item = String> {
        self.stack.iter().map(|frame| match frame {
            Frame::Gosub(line) => format!("GOSUB in line {line}"),
            Frame::For(line, variable) => {
                let name = self.variables.get(usize::from(variable & 0x7F));
                let name = name.map_or("?", |variable| variable.name.as_str());
                let span = self.loops.iter().find(|span| span.variable == *variable);
                let span = span.map_or(String::new(), |span| {
                    format!(" TO {} STEP {}", span.to, span.step)
                });
                format!("FOR {name}{span} in line {line}")
            }
        })
    }

    /// Number of the subroutines that have been called by GOSUB and have not returned.
    pub fn depth(&self) -> usize {
        let is_gosub = |frame: &&Frame| matches!(frame, Frame::Gosub(_));
        self.stack.iter().filter(is_gosub).count()
    }

    /// The address and length of a variable's value: of a number, a string's bytes, an array, or of one element: `A(2)`, `B(1,3)`.
    pub fn address_of(machine: &Machine, name: &str) -> Option<(u16, u16)> {
        let basic = Self::of(machine)?;
        let peek = |address: u16| machine.peek(address);
        if let Some((array, rest)) = name.split_once('(')
            && let Some(indexes) = rest.trim_end().strip_suffix(')')
        {
            let mut parts = indexes.split(',').map(|part| part.trim().parse::<u16>());
            let row = parts.next()?.ok()?;
            let column = parts.next().map_or(Ok(0), |part| part).ok()?;
            let array = format!("{}(", array.trim());
            return lookup::element(&peek, &array, row, column).map(|address| (address, 6));
        }
        let variable = basic
            .variables
            .iter()
            .find(|variable| variable.name.eq_ignore_ascii_case(name))?;
        if matches!(variable.value, Value::Number(_)) {
            return Some((variable.address + 2, 6));
        }
        let at = word(&peek, STARP).wrapping_add(word(&peek, variable.address + 2));
        Some((at, word(&peek, variable.address + 6).max(1)))
    }
}

/// True if a ROM or cartridge is at BASIC's addresses, and BASIC's pointers make sense.
pub fn is_there(machine: &Machine) -> bool {
    lookup::is_there(machine.bus())
}

/// The program as LIST shows it: numbers and texts of the lines, a dot for what is not ASCII; empty without a program.
pub fn listing(machine: &Machine) -> Vec<(u16, String)> {
    let program = Program::in_memory(|address| machine.peek(address));
    let lines = program.iter().flat_map(Program::listed);
    let ascii = |&byte: &u8| match byte {
        0x20..=0x7E => byte as char,
        _ => '\u{B7}',
    };
    lines
        .map(|(number, text)| (number, text.iter().map(ascii).collect()))
        .collect()
}

/// The line that BASIC runs; `None` if its pointers make no sense.
pub(crate) fn running_line(bus: &Bus) -> Option<u16> {
    let peek = |address: u16| bus.peek(address);
    let line = word(&peek, STMCUR);
    let inside = line >= word(&peek, STMTAB) && line < word(&peek, STARP);
    let number = word(&peek, line);
    (inside && number < IMMEDIATE).then_some(number)
}

/// The lines of the GOSUBs that have not returned.
pub(crate) fn gosub_lines(bus: &Bus) -> BTreeSet<u16> {
    let frames = stack(&|address: u16| bus.peek(address));
    let line = |(frame, _)| match frame {
        Frame::Gosub(line) => Some(line),
        Frame::For(..) => None,
    };
    frames.into_iter().filter_map(line).collect()
}

fn statement(peek: &impl Fn(u16) -> u8, line: u16) -> u8 {
    let next = peek(NXTSTD);
    let length = peek(line.wrapping_add(2));
    let (mut offset, mut count) = (3u8, 1);
    while offset < length {
        let end = peek(line.wrapping_add(offset.into()));
        if end >= next || end <= offset {
            break;
        }
        offset = end;
        count += 1;
    }
    count
}

fn variables(peek: &impl Fn(u16) -> u8) -> Vec<Variable> {
    let arrays = word(peek, STARP);
    let mut variables = Vec::new();
    for (name, address) in lookup::entries(peek) {
        let start = arrays.wrapping_add(word(peek, address + 2));
        let bytes = |from: u16| std::array::from_fn(|n| peek(from.wrapping_add(n as u16)));
        let kind = peek(address);
        let dimensioned = kind & 1 != 0;
        let value = match kind & 0xC0 {
            0x80 => Value::String(dimensioned.then(|| {
                let length = word(peek, address + 4);
                let text = (0..length.min(0x4000)).map(|n| peek(start.wrapping_add(n)));
                (text.collect(), word(peek, address + 6))
            })),
            0x40 => Value::Array(dimensioned.then(|| {
                let (first, second) = (word(peek, address + 4), word(peek, address + 6));
                let count = u32::from(first) * u32::from(second.max(1));
                let numbers = (0..count.min(1000) as u16)
                    .map(|n| number(bytes(start.wrapping_add(6 * n))))
                    .collect();
                (numbers, first, second)
            })),
            _ => Value::Number(number(bytes(address + 2))),
        };
        variables.push(Variable {
            name,
            value,
            address,
        });
    }
    variables
}

/// The runtime stack: an entry ends with four bytes, its kind (0 = GOSUB, else FOR's variable), its line and its offset; FOR has limit
/// and step before them.
fn stack(peek: &impl Fn(u16) -> u8) -> Vec<(Frame, Option<Loop>)> {
    let (bottom, mut at) = (word(peek, RUNSTK), word(peek, MEMTOP2));
    let mut frames = Vec::new();
    while at >= bottom.wrapping_add(4) && frames.len() < 200 {
        let kind = peek(at - 4);
        let line = word(peek, at - 3);
        if kind == 0 {
            frames.push((Frame::Gosub(line), None));
            at -= 4;
        } else {
            let span = (at >= bottom.wrapping_add(16)).then(|| {
                let read = |from: u16| number(std::array::from_fn(|n| peek(from + n as u16)));
                Loop {
                    variable: kind,
                    to: read(at - 16),
                    step: read(at - 10),
                }
            });
            let whole = span.is_some();
            frames.push((Frame::For(line, kind), span));
            if !whole {
                break;
            }
            at -= 16;
        }
    }
    frames.reverse();
    frames
}
