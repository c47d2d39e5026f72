//! The states of the processor: one for each kind of cycle, and the table that says which states an opcode passes.
//!
//! An instruction is: `Fetch`, the cycles of its addressing mode beginning with [`Entry::first`], then
//! [`Entry::last`] (for a read-modify-write operation followed by its two writes).

use crate::opcodes::{Access, Mode, OPCODES, Operation};
use serde::{Deserialize, Serialize};

/// The next step of the processor. The order carries meaning, see [`State::is_write`] and [`State::is_last_with_poll`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[rustfmt::skip]
#[repr(u8)]
pub enum State {
    // Opcode fetch, or the first cycle of an interrupt sequence.
    Fetch, Interrupt,
    // The opcode fetch after a PLP that cleared I.
    FetchAfterPlp,
    // Addressing modes; the number is the cycle of the instruction, X and Y the index.
    Zp2, ZpX2, ZpX3, ZpY2, ZpY3,
    Abs2, Abs3,
    AbsX2, AbsX3, AbsY2, AbsY3,
    // With the extra cycle whatever the index: writes and read-modify-writes.
    AbsXLong2, AbsXLong3, AbsYLong2, AbsYLong3,
    IndX2, IndX3, IndX4, IndX5,
    IndY2, IndY3, IndY4, IndYLong2, IndYLong3, IndYLong4,
    // The read at the address whose high byte is not yet corrected.
    Fix, FixUnstable,
    // Sequences.
    Jmp2, JmpInd2, JmpInd3, JmpInd4,
    Jsr2, Jsr3,
    Push2, Pull2, Pull3, Rts4, Rts5, Rti4, Rti5,
    Brk2, Break2, VectorLow, VectorHigh,
    Reset1, Reset2, Reset3, Reset4, Reset5,
    Jam1, Jam2, Jam3, Jam4, Jam5,
    BranchTaken,
    // The read of read-modify-write operations.
    Asl, Lsr, Rol, Ror, Inc, Dec, Slo, Rla, Sre, Rra, Dcp, Isc,
    // From here on: last cycles of instructions (unless a branch is taken).
    BranchFix,
    Bcc, Bcs, Beq, Bmi, Bne, Bpl, Bvc, Bvs,
    JmpHigh, JsrHigh, Rts6, Rti6, Pla, Plp, PlpAgain,
    Clc, Cld, Cli, Clv, Dex, Dey, Inx, Iny, Sec, Sed, Sei, Tax, Tay, Tsx, Txa, Txs, Tya, AslA, LsrA, RolA, RorA,
    Adc, And, Bit, Cmp, Cpx, Cpy, Eor, Lda, Ldx, Ldy, Nop, Ora, Sbc, Alr, Anc, Ane, Arr, Las, Lax, Lxa, Sbx,
    // From here on: writes. First those that are last cycles.
    StoreA, StoreX, StoreY, StoreAX, StoreData, PushA, PushP,
    ModifyOld,
    Jsr4, Jsr5, BreakPushHigh, BreakPushLow, BreakPushP,
}

impl State {
    /// True if the cycle is a write.
    #[inline]
    pub fn is_write(self) -> bool {
        self as u8 >= State::StoreA as u8
    }

    /// True if the cycle is a read whose byte the processor does not use: a *dummy read*. The processor has no cycle without an access.
    pub fn is_dummy_read(self) -> bool {
        matches!(
            self,
            // The zero page address before it is indexed, and an address whose high byte may still be wrong.
            Self::ZpX3 | Self::ZpY3 | Self::IndX3 | Self::Fix | Self::FixUnstable
            // The bytes after BRK and before an interrupt, and the stack before S has moved.
            | Self::Jsr3 | Self::Push2 | Self::Pull2 | Self::Pull3 | Self::Rts6 | Self::Brk2
            | Self::Break2 | Self::Interrupt
            | Self::Reset1 | Self::Reset2 | Self::Reset3 | Self::Reset4 | Self::Reset5
            | Self::Jam1 | Self::Jam2 | Self::Jam3 | Self::Jam4 | Self::Jam5
            // The instruction after a branch that is taken, and PC before its high byte is right.
            | Self::BranchTaken | Self::BranchFix
            // The byte after an implied instruction.
            | Self::Clc | Self::Cld | Self::Cli | Self::Clv | Self::Sec | Self::Sed | Self::Sei
            | Self::Dex | Self::Dey | Self::Inx | Self::Iny
            | Self::Tax | Self::Tay | Self::Tsx | Self::Txa | Self::Txs | Self::Tya
            | Self::AslA | Self::LsrA | Self::RolA | Self::RorA | Self::Nop
        )
    }

    /// True if the cycle ends an instruction and the interrupt lines were sampled in the cycle before.
    pub fn is_last_with_poll(self) -> bool {
        (State::BranchFix as u8..=State::PushP as u8).contains(&(self as u8))
    }
}

/// The way of one opcode through the states.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The second cycle.
    pub first: State,
    /// The state after the addressing cycles.
    pub last: State,
    /// 1 if the byte after the opcode is an operand, 0 if it is a dummy read.
    pub operand: u8,
    /// True if the interrupt lines are sampled in the opcode fetch: the instruction may end with its second cycle.
    pub short: bool,
}

/// One entry per opcode.
pub static ENTRIES: [Entry; 256] = {
    let mut entries = [Entry {
        first: State::Fetch,
        last: State::Fetch,
        operand: 0,
        short: false,
    }; 256];
    let mut opcode = 0;
    while opcode < 256 {
        entries[opcode] = entry(OPCODES[opcode].operation, OPCODES[opcode].mode);
        opcode += 1;
    }
    entries
};

const fn entry(operation: Operation, mode: Mode) -> Entry {
    let last = last(operation, mode);
    let long = !matches!(operation.access(), Access::Read);
    let first = match (operation, mode) {
        (Operation::Brk, _) => State::Brk2,
        (Operation::Jsr, _) => State::Jsr2,
        (Operation::Jmp, Mode::Abs) => State::Jmp2,
        (Operation::Pha | Operation::Php, _) => State::Push2,
        (Operation::Pla | Operation::Plp | Operation::Rts | Operation::Rti, _) => State::Pull2,
        (_, Mode::Ind) => State::JmpInd2,
        (_, Mode::Imp | Mode::Acc | Mode::Imm | Mode::Rel) => last,
        (_, Mode::Zp) => State::Zp2,
        (_, Mode::ZpX) => State::ZpX2,
        (_, Mode::ZpY) => State::ZpY2,
        (_, Mode::Abs) => State::Abs2,
        (_, Mode::AbsX) if long => State::AbsXLong2,
        (_, Mode::AbsX) => State::AbsX2,
        (_, Mode::AbsY) if long => State::AbsYLong2,
        (_, Mode::AbsY) => State::AbsY2,
        (_, Mode::IndX) => State::IndX2,
        (_, Mode::IndY) if long => State::IndYLong2,
        (_, Mode::IndY) => State::IndY2,
    };
    let operand = mode.operand_bytes() != 0 || matches!(operation, Operation::Brk);
    let short = matches!(mode, Mode::Imp | Mode::Acc | Mode::Imm | Mode::Rel)
        && (State::BranchFix as u8) < first as u8;
    Entry {
        first,
        last,
        operand: operand as u8,
        short,
    }
}

/// The state that carries the operation out.
const fn last(operation: Operation, mode: Mode) -> State {
    match operation {
        Operation::Sta => State::StoreA,
        Operation::Stx => State::StoreX,
        Operation::Sty => State::StoreY,
        Operation::Sax => State::StoreAX,
        Operation::Sha | Operation::Shx | Operation::Shy | Operation::Tas => State::FixUnstable,
        Operation::Pha => State::PushA,
        Operation::Php => State::PushP,
        Operation::Rts => State::Rts4,
        Operation::Rti => State::Rti4,
        Operation::Jam => State::Jam1,
        Operation::Brk | Operation::Jsr | Operation::Jmp => State::Fetch,
        Operation::Asl if matches!(mode, Mode::Acc) => State::AslA,
        Operation::Lsr if matches!(mode, Mode::Acc) => State::LsrA,
        Operation::Rol if matches!(mode, Mode::Acc) => State::RolA,
        Operation::Ror if matches!(mode, Mode::Acc) => State::RorA,
        Operation::Clc => State::Clc,
        Operation::Cld => State::Cld,
        Operation::Cli => State::Cli,
        Operation::Clv => State::Clv,
        Operation::Dex => State::Dex,
        Operation::Dey => State::Dey,
        Operation::Inx => State::Inx,
        Operation::Iny => State::Iny,
        Operation::Sec => State::Sec,
        Operation::Sed => State::Sed,
        Operation::Sei => State::Sei,
        Operation::Tax => State::Tax,
        Operation::Tay => State::Tay,
        Operation::Tsx => State::Tsx,
        Operation::Txa => State::Txa,
        Operation::Txs => State::Txs,
        Operation::Tya => State::Tya,
        Operation::Adc => State::Adc,
        Operation::And => State::And,
        Operation::Bit => State::Bit,
        Operation::Cmp => State::Cmp,
        Operation::Cpx => State::Cpx,
        Operation::Cpy => State::Cpy,
        Operation::Eor => State::Eor,
        Operation::Lda => State::Lda,
        Operation::Ldx => State::Ldx,
        Operation::Ldy => State::Ldy,
        Operation::Nop => State::Nop,
        Operation::Ora => State::Ora,
        Operation::Sbc => State::Sbc,
        Operation::Alr => State::Alr,
        Operation::Anc => State::Anc,
        Operation::Ane => State::Ane,
        Operation::Arr => State::Arr,
        Operation::Las => State::Las,
        Operation::Lax => State::Lax,
        Operation::Lxa => State::Lxa,
        Operation::Sbx => State::Sbx,
        Operation::Bcc => State::Bcc,
        Operation::Bcs => State::Bcs,
        Operation::Beq => State::Beq,
        Operation::Bmi => State::Bmi,
        Operation::Bne => State::Bne,
        Operation::Bpl => State::Bpl,
        Operation::Bvc => State::Bvc,
        Operation::Bvs => State::Bvs,
        Operation::Asl => State::Asl,
        Operation::Lsr => State::Lsr,
        Operation::Rol => State::Rol,
        Operation::Ror => State::Ror,
        Operation::Inc => State::Inc,
        Operation::Dec => State::Dec,
        Operation::Slo => State::Slo,
        Operation::Rla => State::Rla,
        Operation::Sre => State::Sre,
        Operation::Rra => State::Rra,
        Operation::Dcp => State::Dcp,
        Operation::Isc => State::Isc,
        Operation::Pla => State::Pla,
        Operation::Plp => State::Plp,
    }
}
