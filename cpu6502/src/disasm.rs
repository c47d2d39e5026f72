//! The disassembler.

use crate::opcodes::{Mode, OPCODES, Opcode, is_documented};
use core::fmt;

/// One instruction in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The address of its opcode.
    pub address: u16,
    /// The opcode and the two bytes after it, of which [`Instruction::length`] belong to the instruction.
    pub bytes: [u8; 3],
}

impl Instruction {
    /// The instruction at `address`, whose bytes `read` returns. Addresses wrap at the end of memory.
    pub fn at(address: u16, mut read: impl FnMut(u16) -> u8) -> Self {
        let bytes = [0, 1, 2].map(|offset| read(address.wrapping_add(offset)));
        Self { address, bytes }
    }

    /// Its entry in the opcode table.
    pub fn opcode(&self) -> Opcode {
        OPCODES[self.bytes[0] as usize]
    }

    /// Length in bytes, 1 to 3.
    pub fn length(&self) -> u16 {
        self.opcode().length()
    }

    /// The address of the next instruction.
    pub fn next(&self) -> u16 {
        self.address.wrapping_add(self.length())
    }

    /// The address that the operand names: the target of a branch or jump, the address before indexing, the pointer of an indirect mode. `None`
    /// without an operand and for immediate ones.
    pub fn operand_address(&self) -> Option<u16> {
        match self.opcode().mode {
            Mode::Imp | Mode::Acc | Mode::Imm => None,
            Mode::Zp | Mode::ZpX | Mode::ZpY | Mode::IndX | Mode::IndY => {
                Some(self.bytes[1] as u16)
            }
            Mode::Abs | Mode::AbsX | Mode::AbsY | Mode::Ind => {
                Some(u16::from_le_bytes([self.bytes[1], self.bytes[2]]))
            }
            Mode::Rel => Some(self.next().wrapping_add(self.bytes[1] as i8 as u16)),
        }
    }

    /// The text in the usual notation, without address and bytes. `label` gives the name of an address if it has
    /// one. Undocumented opcodes are marked by a star before the mnemonic.
    pub fn text<'a>(&'a self, label: &'a dyn Fn(u16) -> Option<&'a str>) -> impl fmt::Display + 'a {
        Text {
            instruction: self,
            label,
        }
    }
}

struct Text<'a> {
    instruction: &'a Instruction,
    label: &'a dyn Fn(u16) -> Option<&'a str>,
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { instruction, label } = self;
        let opcode = instruction.opcode();
        if !is_documented(instruction.bytes[0]) {
            f.write_str("*")?;
        }
        f.write_str(opcode.operation.mnemonic())?;
        let (before, after) = match opcode.mode {
            Mode::Imp => return Ok(()),
            Mode::Acc => return f.write_str(" A"),
            Mode::Imm => return write!(f, " #${:02X}", instruction.bytes[1]),
            Mode::Zp | Mode::Abs | Mode::Rel => ("", ""),
            Mode::ZpX | Mode::AbsX => ("", ",X"),
            Mode::ZpY | Mode::AbsY => ("", ",Y"),
            Mode::Ind => ("(", ")"),
            Mode::IndX => ("(", ",X)"),
            Mode::IndY => ("(", "),Y"),
        };
        let address = instruction.operand_address().unwrap_or(0);
        f.write_str(" ")?;
        f.write_str(before)?;
        match label(address) {
            Some(name) => f.write_str(name)?,
            None if opcode.mode.operand_bytes() == 1 && opcode.mode != Mode::Rel => {
                write!(f, "${address:02X}")?;
            }
            None => write!(f, "${address:04X}")?,
        }
        f.write_str(after)
    }
}
