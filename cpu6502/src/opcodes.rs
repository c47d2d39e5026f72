//! The opcode table: the operation and the addressing mode of each of the 256 opcodes.
//!
//! Documented opcodes follow MOS's programming manual; the undocumented ones carry the names most used for them.

/// An operation. The second group is undocumented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip]
#[expect(missing_docs, reason = "the mnemonics are their own documentation")]
pub enum Operation {
    Adc, And, Asl, Bcc, Bcs, Beq, Bit, Bmi, Bne, Bpl, Brk, Bvc, Bvs, Clc, Cld, Cli, Clv, Cmp, Cpx, Cpy, Dec, Dex, Dey,
    Eor, Inc, Inx, Iny, Jmp, Jsr, Lda, Ldx, Ldy, Lsr, Nop, Ora, Pha, Php, Pla, Plp, Rol, Ror, Rti, Rts, Sbc, Sec, Sed,
    Sei, Sta, Stx, Sty, Tax, Tay, Tsx, Txa, Txs, Tya,
    Alr, Anc, Ane, Arr, Dcp, Isc, Jam, Las, Lax, Lxa, Rla, Rra, Sax, Sbx, Sha, Shx, Shy, Slo, Sre, Tas,
}

/// An addressing mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// No operand.
    Imp,
    /// The accumulator.
    Acc,
    /// `#$nn`
    Imm,
    /// `$nn`
    Zp,
    /// `$nn,X`, within page zero
    ZpX,
    /// `$nn,Y`, within page zero
    ZpY,
    /// `$nnnn`
    Abs,
    /// `$nnnn,X`
    AbsX,
    /// `$nnnn,Y`
    AbsY,
    /// `($nnnn)`, JMP only; the high byte comes from the same page
    Ind,
    /// `($nn,X)`
    IndX,
    /// `($nn),Y`
    IndY,
    /// A branch target, signed distance from the next instruction
    Rel,
}

/// The access of an operation to the byte at the effective address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads it.
    Read,
    /// Writes it.
    Write,
    /// Reads it, writes it back unchanged, writes the result.
    Modify,
    /// No access, or the operation has a sequence of its own.
    Other,
}

/// One entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opcode {
    /// The operation.
    pub operation: Operation,
    /// Its addressing mode.
    pub mode: Mode,
}

use Mode::{Abs, AbsX, AbsY, Acc, Imm, Imp, Ind, IndX, IndY, Rel, Zp, ZpX, ZpY};
#[allow(clippy::enum_glob_use, reason = "a table of 76 names")]
use Operation::*;

#[rustfmt::skip]
const TABLE: [(Operation, Mode); 256] = [
    (Brk, Imp), (Ora, IndX), (Jam, Imp), (Slo, IndX), (Nop, Zp), (Ora, Zp), (Asl, Zp), (Slo, Zp), // $00
    (Php, Imp), (Ora, Imm), (Asl, Acc), (Anc, Imm), (Nop, Abs), (Ora, Abs), (Asl, Abs), (Slo, Abs),
    (Bpl, Rel), (Ora, IndY), (Jam, Imp), (Slo, IndY), (Nop, ZpX), (Ora, ZpX), (Asl, ZpX), (Slo, ZpX), // $10
    (Clc, Imp), (Ora, AbsY), (Nop, Imp), (Slo, AbsY), (Nop, AbsX), (Ora, AbsX), (Asl, AbsX), (Slo, AbsX),
    (Jsr, Abs), (And, IndX), (Jam, Imp), (Rla, IndX), (Bit, Zp), (And, Zp), (Rol, Zp), (Rla, Zp), // $20
    (Plp, Imp), (And, Imm), (Rol, Acc), (Anc, Imm), (Bit, Abs), (And, Abs), (Rol, Abs), (Rla, Abs),
    (Bmi, Rel), (And, IndY), (Jam, Imp), (Rla, IndY), (Nop, ZpX), (And, ZpX), (Rol, ZpX), (Rla, ZpX), // $30
    (Sec, Imp), (And, AbsY), (Nop, Imp), (Rla, AbsY), (Nop, AbsX), (And, AbsX), (Rol, AbsX), (Rla, AbsX),
    (Rti, Imp), (Eor, IndX), (Jam, Imp), (Sre, IndX), (Nop, Zp), (Eor, Zp), (Lsr, Zp), (Sre, Zp), // $40
    (Pha, Imp), (Eor, Imm), (Lsr, Acc), (Alr, Imm), (Jmp, Abs), (Eor, Abs), (Lsr, Abs), (Sre, Abs),
    (Bvc, Rel), (Eor, IndY), (Jam, Imp), (Sre, IndY), (Nop, ZpX), (Eor, ZpX), (Lsr, ZpX), (Sre, ZpX), // $50
    (Cli, Imp), (Eor, AbsY), (Nop, Imp), (Sre, AbsY), (Nop, AbsX), (Eor, AbsX), (Lsr, AbsX), (Sre, AbsX),
    (Rts, Imp), (Adc, IndX), (Jam, Imp), (Rra, IndX), (Nop, Zp), (Adc, Zp), (Ror, Zp), (Rra, Zp), // $60
    (Pla, Imp), (Adc, Imm), (Ror, Acc), (Arr, Imm), (Jmp, Ind), (Adc, Abs), (Ror, Abs), (Rra, Abs),
    (Bvs, Rel), (Adc, IndY), (Jam, Imp), (Rra, IndY), (Nop, ZpX), (Adc, ZpX), (Ror, ZpX), (Rra, ZpX), // $70
    (Sei, Imp), (Adc, AbsY), (Nop, Imp), (Rra, AbsY), (Nop, AbsX), (Adc, AbsX), (Ror, AbsX), (Rra, AbsX),
    (Nop, Imm), (Sta, IndX), (Nop, Imm), (Sax, IndX), (Sty, Zp), (Sta, Zp), (Stx, Zp), (Sax, Zp), // $80
    (Dey, Imp), (Nop, Imm), (Txa, Imp), (Ane, Imm), (Sty, Abs), (Sta, Abs), (Stx, Abs), (Sax, Abs),
    (Bcc, Rel), (Sta, IndY), (Jam, Imp), (Sha, IndY), (Sty, ZpX), (Sta, ZpX), (Stx, ZpY), (Sax, ZpY), // $90
    (Tya, Imp), (Sta, AbsY), (Txs, Imp), (Tas, AbsY), (Shy, AbsX), (Sta, AbsX), (Shx, AbsY), (Sha, AbsY),
    (Ldy, Imm), (Lda, IndX), (Ldx, Imm), (Lax, IndX), (Ldy, Zp), (Lda, Zp), (Ldx, Zp), (Lax, Zp), // $A0
    (Tay, Imp), (Lda, Imm), (Tax, Imp), (Lxa, Imm), (Ldy, Abs), (Lda, Abs), (Ldx, Abs), (Lax, Abs),
    (Bcs, Rel), (Lda, IndY), (Jam, Imp), (Lax, IndY), (Ldy, ZpX), (Lda, ZpX), (Ldx, ZpY), (Lax, ZpY), // $B0
    (Clv, Imp), (Lda, AbsY), (Tsx, Imp), (Las, AbsY), (Ldy, AbsX), (Lda, AbsX), (Ldx, AbsY), (Lax, AbsY),
    (Cpy, Imm), (Cmp, IndX), (Nop, Imm), (Dcp, IndX), (Cpy, Zp), (Cmp, Zp), (Dec, Zp), (Dcp, Zp), // $C0
    (Iny, Imp), (Cmp, Imm), (Dex, Imp), (Sbx, Imm), (Cpy, Abs), (Cmp, Abs), (Dec, Abs), (Dcp, Abs),
    (Bne, Rel), (Cmp, IndY), (Jam, Imp), (Dcp, IndY), (Nop, ZpX), (Cmp, ZpX), (Dec, ZpX), (Dcp, ZpX), // $D0
    (Cld, Imp), (Cmp, AbsY), (Nop, Imp), (Dcp, AbsY), (Nop, AbsX), (Cmp, AbsX), (Dec, AbsX), (Dcp, AbsX),
    (Cpx, Imm), (Sbc, IndX), (Nop, Imm), (Isc, IndX), (Cpx, Zp), (Sbc, Zp), (Inc, Zp), (Isc, Zp), // $E0
    (Inx, Imp), (Sbc, Imm), (Nop, Imp), (Sbc, Imm), (Cpx, Abs), (Sbc, Abs), (Inc, Abs), (Isc, Abs),
    (Beq, Rel), (Sbc, IndY), (Jam, Imp), (Isc, IndY), (Nop, ZpX), (Sbc, ZpX), (Inc, ZpX), (Isc, ZpX), // $F0
    (Sed, Imp), (Sbc, AbsY), (Nop, Imp), (Isc, AbsY), (Nop, AbsX), (Sbc, AbsX), (Inc, AbsX), (Isc, AbsX),
];

/// The opcode table.
pub const OPCODES: [Opcode; 256] = {
    let mut opcodes = [Opcode {
        operation: Brk,
        mode: Imp,
    }; 256];
    let mut index = 0;
    while index < 256 {
        opcodes[index] = Opcode {
            operation: TABLE[index].0,
            mode: TABLE[index].1,
        };
        index += 1;
    }
    opcodes
};

impl Mode {
    /// Operand bytes after the opcode.
    pub const fn operand_bytes(self) -> u16 {
        match self {
            Imp | Acc => 0,
            Imm | Zp | ZpX | ZpY | IndX | IndY | Rel => 1,
            Abs | AbsX | AbsY | Ind => 2,
        }
    }
}

impl Operation {
    /// The mnemonic in capitals.
    #[rustfmt::skip]
    pub const fn mnemonic(self) -> &'static str {
        match self {
            Adc => "ADC", And => "AND", Asl => "ASL", Bcc => "BCC", Bcs => "BCS", Beq => "BEQ",
            Bit => "BIT", Bmi => "BMI", Bne => "BNE", Bpl => "BPL", Brk => "BRK", Bvc => "BVC",
            Bvs => "BVS", Clc => "CLC", Cld => "CLD", Cli => "CLI", Clv => "CLV", Cmp => "CMP",
            Cpx => "CPX", Cpy => "CPY", Dec => "DEC", Dex => "DEX", Dey => "DEY", Eor => "EOR",
            Inc => "INC", Inx => "INX", Iny => "INY", Jmp => "JMP", Jsr => "JSR", Lda => "LDA",
            Ldx => "LDX", Ldy => "LDY", Lsr => "LSR", Nop => "NOP", Ora => "ORA", Pha => "PHA",
            Php => "PHP", Pla => "PLA", Plp => "PLP", Rol => "ROL", Ror => "ROR", Rti => "RTI",
            Rts => "RTS", Sbc => "SBC", Sec => "SEC", Sed => "SED", Sei => "SEI", Sta => "STA",
            Stx => "STX", Sty => "STY", Tax => "TAX", Tay => "TAY", Tsx => "TSX", Txa => "TXA",
            Txs => "TXS", Tya => "TYA", Alr => "ALR", Anc => "ANC", Ane => "ANE", Arr => "ARR",
            Dcp => "DCP", Isc => "ISC", Jam => "JAM", Las => "LAS", Lax => "LAX", Lxa => "LXA",
            Rla => "RLA", Rra => "RRA", Sax => "SAX", Sbx => "SBX", Sha => "SHA", Shx => "SHX",
            Shy => "SHY", Slo => "SLO", Sre => "SRE", Tas => "TAS",
        }
    }

    /// The access of the operation to the byte at the effective address.
    pub const fn access(self) -> Access {
        match self {
            Sta | Stx | Sty | Sax | Sha | Shx | Shy | Tas => Access::Write,
            Asl | Lsr | Rol | Ror | Inc | Dec | Slo | Rla | Sre | Rra | Dcp | Isc => Access::Modify,
            Adc | And | Bit | Cmp | Cpx | Cpy | Eor | Lda | Ldx | Ldy | Nop | Ora | Sbc | Alr
            | Anc | Ane | Arr | Las | Lax | Lxa | Sbx => Access::Read,
            _ => Access::Other,
        }
    }

    /// True if this is a conditional branch.
    pub const fn is_branch(self) -> bool {
        matches!(self, Bcc | Bcs | Beq | Bmi | Bne | Bpl | Bvc | Bvs)
    }
}

impl Opcode {
    /// Length of the instruction in bytes. BRK skips the byte after it but counts as one byte here.
    pub const fn length(self) -> u16 {
        1 + self.mode.operand_bytes()
    }

    /// Cycles without page crossing; a branch that is not taken. 0 for JAM, which never ends.
    pub const fn cycles(self) -> u8 {
        let access = self.operation.access();
        let modify = if matches!(access, Access::Modify) {
            2
        } else {
            0
        };
        let fixed = if matches!(access, Access::Read) { 0 } else { 1 };
        match (self.operation, self.mode) {
            (Jam, _) => 0,
            (Brk, _) => 7,
            (Jsr | Rti | Rts, _) => 6,
            (Jmp, Abs) | (Pha | Php, _) => 3,
            (Pla | Plp, _) => 4,
            (_, Imp | Acc | Imm | Rel) => 2,
            (_, Zp) => 3 + modify,
            (_, ZpX | ZpY | Abs) => 4 + modify,
            (_, AbsX | AbsY) => 4 + fixed + modify,
            (_, IndX) => 6 + modify,
            (_, IndY) => 5 + fixed + modify,
            (_, Ind) => 5,
        }
    }

    /// True if an index that crosses a page costs one more cycle.
    pub const fn has_page_penalty(self) -> bool {
        matches!(self.operation.access(), Access::Read) && matches!(self.mode, AbsX | AbsY | IndY)
    }
}

/// True if MOS's manual has the opcode.
pub const fn is_documented(opcode: u8) -> bool {
    match OPCODES[opcode as usize].operation {
        Nop => opcode == 0xEA,
        Sbc => opcode != 0xEB,
        operation => (operation as u8) < Alr as u8,
    }
}
