//! Atari BASIC's program and variables by its documented pointers: for BASIC of any origin.

use machine::{Bus, Machine};

const VNTP: u16 = 0x82;
const VVTP: u16 = 0x86;
const STMTAB: u16 = 0x88;
const STMCUR: u16 = 0x8A;
const STARP: u16 = 0x8C;
const RUNSTK: u16 = 0x8E;
const MEMTOP2: u16 = 0x90;
/// The offset of the next statement in its line; written when a statement begins.
pub(crate) const NXTSTD: u16 = 0xA7;
/// The line of immediate commands.
const IMMEDIATE: u16 = 0x8000;
/// The token of IF, which writes NXTSTD, too.
const IF: u8 = 7;
/// Variables that a BASIC program can have.
const VARIABLES: usize = 128;

fn word(peek: &impl Fn(u16) -> u8, address: u16) -> u16 {
    u16::from_le_bytes([peek(address), peek(address.wrapping_add(1))])
}

/// The line of the statement that begins with a write of `next` into NXTSTD; none if the write is no beginning.
pub(crate) fn statement_begins(bus: &Bus, next: u8) -> Option<u16> {
    let peek = |address: u16| bus.peek(address);
    let line = word(&peek, STMCUR);
    let number = word(&peek, line);
    let length = peek(line.wrapping_add(2));
    if number > IMMEDIATE || length < 5 || next > length {
        return None;
    }
    let mut offset = 3;
    while offset < length {
        let end = peek(line.wrapping_add(offset.into()));
        if end <= offset {
            return None;
        }
        let token = peek(line.wrapping_add(u16::from(offset) + 1));
        if end == next {
            return Some(number);
        }
        if token == IF && next == length && end < length {
            // Perhaps the rest of the line is left out; then no statement begins.
            return None;
        }
        offset = end;
    }
    None
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A string: its bytes, and the length it may have; none that was not dimensioned.
    String(Option<(Vec<u8>, u16)>),
    /// An array: its numbers row by row, and the sizes of its dimensions; none that was not dimensioned.
    Array(Option<(Vec<f64>, u16, u16)>),
}

/// A variable with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name, with `$` or `(` as BASIC keeps it.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// Where its eight bytes are.
    pub address: u16,
}

impl Variable {
    /// Text.
    pub fn line(&self) -> String {
        match &self.value {
            Value::Number(number) => format!("{} = {number}", self.name),
            Value::String(None) | Value::Array(None) => format!("{} is not dimensioned", self.name),
            Value::String(Some((bytes, most))) => {
                let text: String = bytes
                    .iter()
                    .map(|&byte| match byte & 0x7F {
                        code @ 0x20..=0x7E => code as char,
                        _ => '.',
                    })
                    .collect();
                format!("{} = \"{text}\" ({} of {most})", self.name, bytes.len())
            }
            Value::Array(Some((numbers, first, second))) => {
                let shown: Vec<String> = numbers.iter().take(16).map(f64::to_string).collect();
                let more = if numbers.len() > 16 { " ..." } else { "" };
                let size = if *second <= 1 {
                    format!("{}", first.saturating_sub(1))
                } else {
                    format!("{},{}", first.saturating_sub(1), second - 1)
                };
                format!("{}{size}) = {}{more}", self.name, shown.join(" "))
            }
        }
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

/// What BASIC is doing.
#[derive(Clone, Debug, PartialEq)]
pub struct Basic {
    /// The line that runs; none for immediate commands.
    pub line: Option<u16>,
    /// The number of the statement in it, from 1.
    pub statement: u8,
    /// The variables.
    pub variables: Vec<Variable>,
    /// GOSUB and FOR, the oldest first.
    pub stack: Vec<Frame>,
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

impl Basic {
    /// BASIC on a machine; none if its pointers make no sense.
    pub fn of(machine: &Machine) -> Option<Self> {
        let peek = |address: u16| machine.peek(address);
        let pointers: Vec<u16> = (0..9).map(|n| word(&peek, 0x80 + 2 * n)).collect();
        // LOMEM, VNTP, VNTD, VVTP, STMTAB, STMCUR, STARP, RUNSTK, MEMTOP.
        let ordered = pointers[0] >= 0x0600
            && pointers[1] >= pointers[0]
            && pointers[3] > pointers[1]
            && pointers[4] >= pointers[3]
            && pointers[6] > pointers[4]
            && pointers[7] >= pointers[6]
            && pointers[8] >= pointers[7]
            && pointers[8] < 0xC000;
        if !ordered {
            return None;
        }
        let line = word(&peek, STMCUR);
        let number = word(&peek, line);
        Some(Self {
            line: (number < IMMEDIATE).then_some(number),
            statement: statement(&peek, line),
            variables: variables(&peek),
            stack: stack(&peek),
        })
    }

    /// Text.
    pub fn lines(&self) -> Vec<String> {
        let place = match self.line {
            Some(line) => format!("line {line} statement {}", self.statement),
            None => "immediate".to_owned(),
        };
        let mut lines = vec![place];
        lines.extend(self.stack.iter().map(|frame| match frame {
            Frame::Gosub(line) => format!("GOSUB in line {line}"),
            Frame::For(line, variable) => {
                let name = self.variables.get(usize::from(variable & 0x7F));
                format!(
                    "FOR {} in line {line}",
                    name.map_or("?", |variable| variable.name.as_str())
                )
            }
        }));
        lines.extend(self.variables.iter().map(Variable::line));
        lines
    }

    /// The address of a variable's value: of a number, or of a string's first byte.
    pub fn address_of(machine: &Machine, name: &str) -> Option<(u16, u16)> {
        let basic = Self::of(machine)?;
        let variable = basic
            .variables
            .iter()
            .find(|variable| variable.name.eq_ignore_ascii_case(name))?;
        let peek = |address: u16| machine.peek(address);
        if matches!(variable.value, Value::Number(_)) {
            return Some((variable.address + 2, 6));
        }
        let at = word(&peek, STARP).wrapping_add(word(&peek, variable.address + 2));
        Some((at, word(&peek, variable.address + 6).max(1)))
    }
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
    let (names, values, end) = (word(peek, VNTP), word(peek, VVTP), word(peek, STMTAB));
    let arrays = word(peek, STARP);
    let mut at = names;
    let mut variables = Vec::new();
    for index in 0..VARIABLES as u16 {
        let address = values.wrapping_add(8 * index);
        if address.wrapping_add(8) > end || at >= values || peek(at) == 0 {
            break;
        }
        let mut name = String::new();
        loop {
            let byte = peek(at);
            at = at.wrapping_add(1);
            name.push((byte & 0x7F) as char);
            if byte & 0x80 != 0 || name.len() > 120 {
                break;
            }
        }
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
fn stack(peek: &impl Fn(u16) -> u8) -> Vec<Frame> {
    let (bottom, mut at) = (word(peek, RUNSTK), word(peek, MEMTOP2));
    let mut frames = Vec::new();
    while at >= bottom.wrapping_add(4) && frames.len() < 200 {
        let kind = peek(at - 4);
        let line = word(peek, at - 3);
        if kind == 0 {
            frames.push(Frame::Gosub(line));
            at -= 4;
        } else {
            frames.push(Frame::For(line, kind));
            if at < bottom.wrapping_add(16) {
                break;
            }
            at -= 16;
        }
    }
    frames.reverse();
    frames
}
