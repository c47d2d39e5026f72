//! The processor.

use cpu6502::opcodes::OPCODES;
use machine::Machine;

/// The processor between two cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// The address of the current instruction: the one that runs, or the next one at a boundary.
    pub pc: u16,
    /// Accumulator.
    pub a: u8,
    /// Index register X.
    pub x: u8,
    /// Index register Y.
    pub y: u8,
    /// Stack pointer.
    pub s: u8,
    /// Status register.
    pub p: u8,
    /// The next access: its address and whether it writes.
    pub next: (u16, bool),
    /// The state of the processor.
    pub doing: Doing,
    /// The bytes on the stack, the last pushed first, at most 8.
    pub stack: Vec<u8>,
    /// Machine cycles since power-on.
    pub now: u64,
}

/// The processor's use of the next cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// It begins an instruction.
    Instruction,
    /// It begins an interrupt sequence.
    Interrupt,
    /// It is within the instruction (or sequence) of this opcode.
    Within(u8),
    /// It reads this vector.
    Vector(u16),
    /// It is jammed.
    Jammed,
}

impl Cpu {
    /// The processor of a machine.
    pub fn of(machine: &Machine) -> Self {
        let cpu = &machine.cpu;
        let doing = if cpu.is_jammed() {
            Doing::Jammed
        } else if cpu.at_interrupt_start() {
            Doing::Interrupt
        } else if cpu.at_instruction_start() {
            Doing::Instruction
        } else if let Some(vector) = cpu.at_vector() {
            Doing::Vector(vector)
        } else {
            Doing::Within(cpu.opcode())
        };
        let stack = (1..=u16::from(0xFF - cpu.s).min(8))
            .map(|n| machine.peek(0x0100 + u16::from(cpu.s) + n))
            .collect();
        Self {
            pc: if cpu.at_instruction_start() {
                cpu.pc
            } else {
                cpu.instruction()
            },
            a: cpu.a,
            x: cpu.x,
            y: cpu.y,
            s: cpu.s,
            p: cpu.p(),
            next: (cpu.next_address(), cpu.next_is_write()),
            doing,
            stack,
            now: machine.now(),
        }
    }

    /// The flags, capital if set: `NV-BDIZC`.
    pub fn flags(&self) -> String {
        "nv-bdizc"
            .chars()
            .enumerate()
            .map(|(bit, name)| {
                if self.p >> (7 - bit) & 1 != 0 {
                    name.to_ascii_uppercase()
                } else {
                    name
                }
            })
            .collect()
    }

    /// Text.
    pub fn lines(&self) -> Vec<String> {
        let doing = match self.doing {
            Doing::Instruction => "instruction begins".to_owned(),
            Doing::Interrupt => "interrupt begins".to_owned(),
            Doing::Within(opcode) => {
                format!("within {}", OPCODES[opcode as usize].operation.mnemonic())
            }
            Doing::Vector(vector) => format!("reads vector ${vector:04X}"),
            Doing::Jammed => "jammed".to_owned(),
        };
        let stack: Vec<String> = self
            .stack
            .iter()
            .map(|byte| format!("{byte:02X}"))
            .collect();
        let (address, write) = self.next;
        vec![
            format!(
                "PC {:04X}  A {:02X}  X {:02X}  Y {:02X}  S {:02X}  {}",
                self.pc,
                self.a,
                self.x,
                self.y,
                self.s,
                self.flags()
            ),
            format!(
                "next: {} ${address:04X}, {doing}",
                if write { "write" } else { "read" }
            ),
            format!("stack: {}", stack.join(" ")),
            format!("cycle {}", self.now),
        ]
    }
}
