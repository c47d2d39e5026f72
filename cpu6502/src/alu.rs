//! Arithmetic and logic: the effects of operations on registers and flags, without any bus cycle.

use crate::Cpu;
use crate::flags::{B, C, D, I, N, V, Z};
use crate::opcodes::Operation;
use crate::status::Status;

// Always inlined where the operation is known: each is its own few instructions there.
impl Cpu {
    /// Applies an operation to the byte that it has read.
    #[inline(always)]
    pub(crate) fn take(&mut self, operation: Operation, data: u8) {
        match operation {
            Operation::Adc => self.adc(data),
            Operation::And => self.load_a(self.a & data),
            Operation::Bit => self.bit(data),
            Operation::Cmp => self.compare(self.a, data),
            Operation::Cpx => self.compare(self.x, data),
            Operation::Cpy => self.compare(self.y, data),
            Operation::Eor => self.load_a(self.a ^ data),
            Operation::Lda | Operation::Pla => self.load_a(data),
            Operation::Ldx => self.load_x(data),
            Operation::Ldy => self.load_y(data),
            Operation::Ora => self.load_a(self.a | data),
            Operation::Sbc => self.sbc(data),
            Operation::Alr => self.a = self.lsr(self.a & data),
            Operation::Anc => {
                self.load_a(self.a & data);
                self.status.carry = self.a >> 7;
            }
            Operation::Ane => {
                let and = (self.a | self.unstable.ane_a) & self.x;
                self.load_a(and & data);
                self.a = and & (data | self.unstable.ane_operand);
            }
            Operation::Arr => {
                let (a, p) = arr(self.a & data, self.status.get());
                self.a = a;
                self.status = Status::new(p);
            }
            Operation::Las => {
                self.s &= data;
                self.x = self.s;
                self.load_a(self.s);
            }
            Operation::Lax => {
                self.x = data;
                self.load_a(data);
            }
            Operation::Lxa => {
                self.x = (self.a | self.unstable.lxa) & data;
                self.load_a(self.x);
            }
            // A AND X minus the operand, without borrow, in binary.
            Operation::Sbx => {
                let and = self.a & self.x;
                self.compare(and, data);
                self.x = and.wrapping_sub(data);
            }
            _ => {}
        }
    }

    /// Carries out an operation that reads nothing.
    #[inline(always)]
    pub(crate) fn imply(&mut self, operation: Operation) {
        match operation {
            Operation::Clc => self.status.carry = 0,
            Operation::Cld => self.status.rest &= !D,
            Operation::Cli => self.status.rest &= !I,
            Operation::Clv => self.status.overflow = 0,
            Operation::Sec => self.status.carry = C,
            Operation::Sed => self.status.rest |= D,
            Operation::Sei => self.status.rest |= I,
            Operation::Dex => self.load_x(self.x.wrapping_sub(1)),
            Operation::Dey => self.load_y(self.y.wrapping_sub(1)),
            Operation::Inx => self.load_x(self.x.wrapping_add(1)),
            Operation::Iny => self.load_y(self.y.wrapping_add(1)),
            Operation::Tax => self.load_x(self.a),
            Operation::Tay => self.load_y(self.a),
            Operation::Tsx => self.load_x(self.s),
            Operation::Txa => self.load_a(self.x),
            Operation::Txs => self.s = self.x,
            Operation::Tya => self.load_a(self.y),
            _ => {}
        }
    }

    /// The byte that a read-modify-write operation writes in place of the one that it has read.
    #[inline(always)]
    pub(crate) fn modified(&mut self, operation: Operation, data: u8) -> u8 {
        let result = match operation {
            Operation::Asl | Operation::Slo => self.shifted(data << 1, data >> 7),
            Operation::Rol | Operation::Rla => {
                self.shifted(data << 1 | self.status.carry, data >> 7)
            }
            Operation::Lsr | Operation::Sre => self.lsr(data),
            Operation::Ror | Operation::Rra => {
                self.shifted(data >> 1 | self.status.carry << 7, data & C)
            }
            Operation::Inc | Operation::Isc => data.wrapping_add(1),
            _ => data.wrapping_sub(1),
        };
        match operation {
            Operation::Inc | Operation::Dec => self.status.result = result as u16,
            Operation::Slo => self.load_a(self.a | result),
            Operation::Rla => self.load_a(self.a & result),
            Operation::Sre => self.load_a(self.a ^ result),
            Operation::Rra => self.adc(result),
            Operation::Dcp => self.compare(self.a, result),
            Operation::Isc => self.sbc(result),
            _ => {}
        }
        result
    }

    /// The byte that a store or a push writes.
    #[inline(always)]
    pub(crate) fn stored(&self, operation: Operation) -> u8 {
        match operation {
            Operation::Stx => self.x,
            Operation::Sty => self.y,
            Operation::Sax => self.a & self.x,
            Operation::Php => self.status.get() | B,
            _ => self.a,
        }
    }

    /// True if a branch is taken.
    #[inline(always)]
    pub(crate) fn condition(&self, operation: Operation) -> bool {
        let status = self.status;
        match operation {
            Operation::Bcc => status.carry == 0,
            Operation::Bcs => status.carry != 0,
            Operation::Bne => !status.is_zero(),
            Operation::Beq => status.is_zero(),
            Operation::Bpl => !status.is_negative(),
            Operation::Bmi => status.is_negative(),
            Operation::Bvc => !status.is_overflow(),
            _ => status.is_overflow(),
        }
    }

    /// N and Z of `result`, with the carry 0 or 1.
    #[inline(always)]
    fn shifted(&mut self, result: u8, carry: u8) -> u8 {
        self.status.result = result as u16;
        self.status.carry = carry;
        result
    }

    #[inline(always)]
    fn lsr(&mut self, value: u8) -> u8 {
        self.shifted(value >> 1, value & C)
    }

    #[inline(always)]
    fn load_a(&mut self, value: u8) {
        self.a = value;
        self.status.result = value as u16;
    }

    #[inline(always)]
    fn load_x(&mut self, value: u8) {
        self.x = value;
        self.status.result = value as u16;
    }

    #[inline(always)]
    fn load_y(&mut self, value: u8) {
        self.y = value;
        self.status.result = value as u16;
    }

    #[inline(always)]
    fn compare(&mut self, register: u8, value: u8) {
        self.shifted(register.wrapping_sub(value), (register >= value) as u8);
    }

    #[inline(always)]
    fn bit(&mut self, value: u8) {
        self.status.result = (self.a & value) as u16 | ((value & N) as u16) << 1;
        self.status.overflow = value << 1;
    }

    #[inline(always)]
    fn adc(&mut self, value: u8) {
        if self.status.is_decimal() {
            let (a, p) = adc_decimal(self.a, value, self.status.get());
            self.a = a;
            self.status = Status::new(p);
        } else {
            self.add(value);
        }
    }

    /// All flags are those of the binary subtraction, also in decimal mode.
    #[inline(always)]
    fn sbc(&mut self, value: u8) {
        let (a, carry) = (self.a, self.status.carry);
        self.add(!value);
        if self.status.is_decimal() {
            self.a = sbc_decimal(a, value, carry);
        }
    }

    /// A binary addition.
    #[inline(always)]
    fn add(&mut self, value: u8) {
        let sum = self.a as u16 + value as u16 + self.status.carry as u16;
        let result = sum as u8;
        self.status.overflow = (self.a ^ result) & (value ^ result);
        self.status.carry = (sum >> 8) as u8;
        self.load_a(result);
    }
}

/// N and Z of a value.
const fn nz(value: u8) -> u8 {
    value & N | if value == 0 { Z } else { 0 }
}

/// NMOS decimal addition: Z is that of the binary sum, N and V are those of the sum after the correction of the
/// low digit and before that of the high digit.
#[cold]
#[inline(never)]
fn adc_decimal(a: u8, value: u8, p: u8) -> (u8, u8) {
    let carry = (p & C) as u16;
    let binary = a.wrapping_add(value).wrapping_add(p & C);
    let (wide_a, wide_b) = (a as u16, value as u16);
    let mut low = (wide_a & 0x0F) + (wide_b & 0x0F) + carry;
    if low > 9 {
        low = ((low + 6) & 0x0F) + 0x10;
    }
    let mut sum = (wide_a & 0xF0) + (wide_b & 0xF0) + low;
    let between = sum as u8;
    let overflow = ((a ^ between) & (value ^ between)) >> 1 & V;
    if sum > 0x9F {
        sum += 0x60;
    }
    let p = p & !(N | V | Z | C) | between & N | overflow | nz(binary) & Z | (sum > 0xFF) as u8;
    (sum as u8, p)
}

/// NMOS decimal subtraction: the result in A.
#[cold]
#[inline(never)]
fn sbc_decimal(a: u8, value: u8, carry: u8) -> u8 {
    let borrow = 1 - carry as i16;
    let (wide_a, wide_b) = (a as i16, value as i16);
    let mut low = (wide_a & 0x0F) - (wide_b & 0x0F) - borrow;
    if low < 0 {
        low = ((low - 6) & 0x0F) - 0x10;
    }
    let mut difference = (wide_a & 0xF0) - (wide_b & 0xF0) + low;
    if difference < 0 {
        difference -= 0x60;
    }
    difference as u8
}

/// ARR after its AND: a rotation whose carry and overflow come from the adder.
#[cold]
#[inline(never)]
fn arr(and: u8, p: u8) -> (u8, u8) {
    let rotated = and >> 1 | (p & C) << 7;
    let mut after = p & !(N | V | Z | C) | nz(rotated) | (rotated ^ and) & V;
    let mut result = rotated;
    if p & D == 0 {
        after |= rotated >> 6 & C;
    } else {
        if (and & 0x0F) + (and & 1) > 5 {
            result = result & 0xF0 | result.wrapping_add(6) & 0x0F;
        }
        if (and & 0xF0) as u16 + (and & 0x10) as u16 > 0x50 {
            result = result.wrapping_add(0x60);
            after |= C;
        }
    }
    (result, after)
}
