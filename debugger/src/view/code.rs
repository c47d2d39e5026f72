//! Disassembly.

use crate::{Breakpoints, Symbols};
use cpu6502::disasm::Instruction;
use machine::Machine;

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
        }
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
}

/// `count` instructions from an address on.
pub fn code_from(
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

/// The current instruction with `before` instructions before it and `after` behind it.
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
    let mut lines: Vec<CodeLine> = lead(machine, symbols, pc, before)
        .into_iter()
        .map(|address| CodeLine::new(machine, symbols, breakpoints, address))
        .collect();
    lines.extend(code_from(machine, symbols, breakpoints, pc, after + 1));
    lines
}

/// Addresses of up to `count` instructions that end where `pc` begins.
fn lead(machine: &Machine, symbols: &Symbols, pc: u16, count: usize) -> Vec<u16> {
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
