//! Disassembly.

use crate::{Breakpoints, Debugger, SourceLine, Symbols};
use cpu6502::disasm::Instruction;
use cpu6502::opcodes::{Mode, Operation};
use machine::Machine;
use std::fmt::Write as _;

/// A line of disassembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLine {
    /// The instruction.
    pub instruction: Instruction,
    /// The name of its address.
    pub label: Option<String>,
    /// The instruction in assembler notation, with names.
    pub text: String,
    /// The processor runs this instruction, or begins it next.
    pub current: bool,
    /// A breakpoint is here.
    pub breakpoint: bool,
    /// The address that the instruction reads or writes, with the registers as they are now, and the byte that is there; `None` for jumps.
    pub effective: Option<(u16, u8)>,
    /// Cycles that it takes with the registers as they are now; both numbers where a branch decides.
    pub cycles: (u8, u8),
    /// True if it was executed in the time that [`Executed`](crate::Executed) knows; `None` if nothing is known.
    pub executed: Option<bool>,
    /// These bytes are data before the next executed instruction, and no instruction.
    pub data: bool,
    /// The source line of which it is the first instruction.
    pub source: Option<(SourceLine, String)>,
}

impl CodeLine {
    fn new(machine: &Machine, symbols: &Symbols, breakpoints: &Breakpoints, address: u16) -> Self {
        let instruction = Instruction::at(address, |address| machine.peek(address));
        let name = |address| symbols.name(address);
        let cpu = &machine.cpu;
        let current = if cpu.at_instruction_start() {
            cpu.pc
        } else {
            cpu.instruction()
        };
        Self {
            instruction,
            label: symbols.name(address).map(str::to_owned),
            text: instruction.text(&name).to_string(),
            current: address == current,
            breakpoint: breakpoints.at_pc(address).is_some(),
            effective: effective(machine, instruction).map(|at| (at, machine.peek(at))),
            cycles: cycles(machine, instruction),
            executed: None,
            data: false,
            source: None,
        }
    }

    /// Bytes that are not an instruction.
    fn into_data(mut self, length: u16) -> Self {
        let bytes: Vec<String> = self.instruction.bytes[..usize::from(length)]
            .iter()
            .map(|byte| format!("${byte:02X}"))
            .collect();
        self.text = format!(".BYTE {}", bytes.join(","));
        self.effective = None;
        self.cycles = (0, 0);
        self.data = true;
        self
    }

    /// Text: mark, address, bytes, instruction, and the label before them.
    pub fn line(&self) -> String {
        let bytes: Vec<String> = self.instruction.bytes[..usize::from(self.instruction.length())]
            .iter()
            .map(|byte| format!("{byte:02X}"))
            .collect();
        format!(
            "{}{} {:04X}  {:8}  {:10} {}",
            if self.breakpoint { '*' } else { ' ' },
            if self.current { '>' } else { ' ' },
            self.instruction.address,
            bytes.join(" "),
            self.label.as_deref().unwrap_or(""),
            self.text,
        )
    }

    /// [`Self::line`] with what the instruction does now: the byte at its address, its cycles.
    pub fn details(&self) -> String {
        let mut text = format!("{:<44}", self.line());
        // Writing to a String cannot fail.
        if let Some((at, data)) = self.effective {
            let _ = write!(text, " ${at:04X}={data:02X}");
        }
        let _ = match self.cycles {
            (0, 0) => Ok(()),
            (least, most) if least == most => write!(text, " {least} cycles"),
            (least, most) => write!(text, " {least}-{most} cycles"),
        };
        if self.executed == Some(false) && !self.data {
            text.push_str(" (not executed)");
        }
        text.trim_end().to_owned()
    }
}

/// `count` instructions from an address on.
pub(crate) fn code_from(
    machine: &Machine,
    symbols: &Symbols,
    breakpoints: &Breakpoints,
    address: u16,
    count: usize,
) -> Vec<CodeLine> {
    let mut address = address;
    (0..count)
        .map(|_| {
            let line = CodeLine::new(machine, symbols, breakpoints, address);
            address = line.instruction.next();
            line
        })
        .collect()
}

/// The address that an instruction reads or writes with the registers as they are now.
fn effective(machine: &Machine, instruction: Instruction) -> Option<u16> {
    let cpu = &machine.cpu;
    let [_, byte, _] = instruction.bytes;
    let word = u16::from_le_bytes([instruction.bytes[1], instruction.bytes[2]]);
    // A pointer at $FF has its high byte at $00.
    let pointer =
        |at: u8| u16::from_le_bytes([at, at.wrapping_add(1)].map(|at| machine.peek(u16::from(at))));
    let opcode = instruction.opcode();
    if matches!(opcode.operation, Operation::Jmp | Operation::Jsr) {
        return None;
    }
    Some(match opcode.mode {
        Mode::Zp => u16::from(byte),
        Mode::ZpX => u16::from(byte.wrapping_add(cpu.x)),
        Mode::ZpY => u16::from(byte.wrapping_add(cpu.y)),
        Mode::Abs => word,
        Mode::AbsX => word.wrapping_add(u16::from(cpu.x)),
        Mode::AbsY => word.wrapping_add(u16::from(cpu.y)),
        Mode::IndX => pointer(byte.wrapping_add(cpu.x)),
        Mode::IndY => pointer(byte).wrapping_add(u16::from(cpu.y)),
        _ => return None,
    })
}

/// Cycles of an instruction with the registers as they are now, at least and at most.
fn cycles(machine: &Machine, instruction: Instruction) -> (u8, u8) {
    let opcode = instruction.opcode();
    let cycles = opcode.cycles();
    if opcode.mode == Mode::Rel {
        let target = instruction.operand_address().unwrap_or(0);
        let crosses = target >> 8 != instruction.next() >> 8;
        return (cycles, cycles + 1 + u8::from(crosses));
    }
    let index = match opcode.mode {
        Mode::AbsX => machine.cpu.x,
        _ => machine.cpu.y,
    };
    let crosses = opcode.has_page_penalty()
        && effective(machine, instruction)
            .is_some_and(|at| at >> 8 != at.wrapping_sub(u16::from(index)) >> 8);
    let cycles = cycles + u8::from(crosses);
    (cycles, cycles)
}

/// `count` lines of disassembly from `address` on, with the debugger's knowledge: source lines, and code told from data by the executed instructions
/// ([`Debugger::learn_executed`]): before an executed instruction no other one reaches into it.
pub fn code(machine: &Machine, debugger: &Debugger, address: u16, count: usize) -> Vec<CodeLine> {
    let mut address = address;
    let executed = &debugger.executed;
    (0..count)
        .map(|_| {
            let mut line =
                CodeLine::new(machine, &debugger.symbols, &debugger.breakpoints, address);
            let length = line.instruction.length();
            let here = executed.is_executed(address);
            let inside = (1..length).find(|&n| executed.is_executed(address.wrapping_add(n)));
            line.executed = (!executed.is_empty()).then_some(here);
            if let (false, Some(data)) = (here, inside) {
                line = line.into_data(data);
                address = address.wrapping_add(data);
            } else {
                address = line.instruction.next();
            }
            let at = line.instruction.address;
            let source = debugger.sources.line_at(at);
            line.source = source
                .filter(|_| debugger.sources.begins_line(at))
                .map(|at| {
                    let text = debugger.sources.text(at).unwrap_or("").trim();
                    (at, format!("{} {text}", debugger.sources.name(at)))
                });
            line
        })
        .collect()
}

/// The current instruction with `before` instructions before it and `after` after it.
///
/// 6502 code cannot be read backwards with certainty: of the starts that lead to the current instruction the one that
/// needs the fewest undocumented opcodes and has the most labels at instruction starts is taken.
pub fn code_around(
    machine: &Machine,
    symbols: &Symbols,
    breakpoints: &Breakpoints,
    before: usize,
    after: usize,
) -> Vec<CodeLine> {
    let cpu = &machine.cpu;
    let pc = if cpu.at_instruction_start() {
        cpu.pc
    } else {
        cpu.instruction()
    };
    let mut lines: Vec<CodeLine> = code_before(machine, symbols, pc, before)
        .into_iter()
        .map(|address| CodeLine::new(machine, symbols, breakpoints, address))
        .collect();
    lines.extend(code_from(machine, symbols, breakpoints, pc, after + 1));
    lines
}

/// Addresses of up to `count` instructions that end where `pc` begins.
pub fn code_before(machine: &Machine, symbols: &Symbols, pc: u16, count: usize) -> Vec<u16> {
    let mut best: (i32, Vec<u16>) = (i32::MIN, Vec::new());
    if count == 0 {
        return best.1;
    }
    let farthest = (count as u16)
        .saturating_mul(3)
        .saturating_add(6)
        .min(0x400);
    for distance in 1..=farthest {
        let mut at = pc.wrapping_sub(distance);
        let mut score = 0;
        let mut addresses = Vec::new();
        let mut left = i32::from(distance);
        while left > 0 {
            let instruction = Instruction::at(at, |address| machine.peek(address));
            addresses.push(at);
            if !cpu6502::opcodes::is_documented(instruction.bytes[0]) || instruction.bytes[0] == 0 {
                score -= 4;
            }
            for inside in 1..instruction.length() {
                score -= if symbols.name(at.wrapping_add(inside)).is_some() {
                    4
                } else {
                    0
                };
            }
            left -= i32::from(instruction.length());
            at = instruction.next();
        }
        if left != 0 {
            continue;
        }
        // Starts that give all the lines that are asked for come before those that give fewer.
        let enough = addresses.len().min(count);
        let skipped = addresses.len() - enough;
        let score = score + enough as i32 * 2;
        if score > best.0 {
            best = (score, addresses.split_off(skipped));
        }
    }
    best.1
}
