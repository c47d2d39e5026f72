//! Arithmetic and logic: what operations do to registers and flags, without any bus cycle.

use crate::Cpu;
use crate::flags::{C, D, N, V, Z};

/// N and Z of each value.
static NZ: [u8; 256] = {
    let mut table = [0; 256];
    let mut value = 0;
    while value < 256 {
        table[value] = value as u8 & N | if value == 0 { Z } else { 0 };
        value += 1;
    }
    table
};

impl Cpu {
    #[inline(always)]
    pub(crate) fn nz(&mut self, value: u8) {
        self.p = self.p & !(N | Z) | NZ[value as usize];
    }

    #[inline(always)]
    fn nzc(&mut self, value: u8, carry: bool) {
        self.p = self.p & !(N | Z | C) | NZ[value as usize] | carry as u8;
    }

    #[inline(always)]
    pub(crate) fn load_a(&mut self, value: u8) {
        self.a = value;
        self.nz(value);
    }

    #[inline(always)]
    pub(crate) fn load_x(&mut self, value: u8) {
        self.x = value;
        self.nz(value);
    }

    #[inline(always)]
    pub(crate) fn load_y(&mut self, value: u8) {
        self.y = value;
        self.nz(value);
    }

    #[inline(always)]
    pub(crate) fn compare(&mut self, register: u8, value: u8) {
        self.nzc(register.wrapping_sub(value), register >= value);
    }

    #[inline(always)]
    pub(crate) fn bit(&mut self, value: u8) {
        self.p = self.p & !(N | V | Z) | value & (N | V) | NZ[(self.a & value) as usize] & Z;
    }

    #[inline(always)]
    pub(crate) fn asl(&mut self, value: u8) -> u8 {
        let result = value << 1;
        self.nzc(result, value & 0x80 != 0);
        result
    }

    #[inline(always)]
    pub(crate) fn lsr(&mut self, value: u8) -> u8 {
        let result = value >> 1;
        self.nzc(result, value & 1 != 0);
        result
    }

    #[inline(always)]
    pub(crate) fn rol(&mut self, value: u8) -> u8 {
        let result = value << 1 | self.p & C;
        self.nzc(result, value & 0x80 != 0);
        result
    }

    #[inline(always)]
    pub(crate) fn ror(&mut self, value: u8) -> u8 {
        let result = value >> 1 | (self.p & C) << 7;
        self.nzc(result, value & 1 != 0);
        result
    }

    #[inline(always)]
    pub(crate) fn adc(&mut self, value: u8) {
        if self.p & D != 0 {
            self.adc_decimal(value);
        } else {
            self.add(value);
        }
    }

    #[inline(always)]
    pub(crate) fn sbc(&mut self, value: u8) {
        if self.p & D != 0 {
            self.sbc_decimal(value);
        } else {
            self.add(!value);
        }
    }

    #[inline(always)]
    fn add(&mut self, value: u8) {
        let sum = self.a as u16 + value as u16 + (self.p & C) as u16;
        let result = sum as u8;
        let overflow = ((self.a ^ result) & (value ^ result)) >> 1 & V;
        self.p = self.p & !(N | V | Z | C) | NZ[result as usize] | overflow | (sum >> 8) as u8;
        self.a = result;
    }

    /// NMOS decimal addition: Z is that of the binary sum, N and V are those of the sum after the correction of the
    /// low digit and before that of the high digit.
    #[cold]
    fn adc_decimal(&mut self, value: u8) {
        let carry = (self.p & C) as u16;
        let (a, b) = (self.a as u16, value as u16);
        let binary = (a + b + carry) as u8;
        let mut low = (a & 0x0F) + (b & 0x0F) + carry;
        if low > 9 {
            low = ((low + 6) & 0x0F) + 0x10;
        }
        let mut sum = (a & 0xF0) + (b & 0xF0) + low;
        let between = sum as u8;
        let overflow = ((self.a ^ between) & (value ^ between)) >> 1 & V;
        if sum > 0x9F {
            sum += 0x60;
        }
        self.p = self.p & !(N | V | Z | C)
            | between & N
            | overflow
            | NZ[binary as usize] & Z
            | (sum > 0xFF) as u8;
        self.a = sum as u8;
    }

    /// NMOS decimal subtraction: all flags are those of the binary subtraction.
    #[cold]
    fn sbc_decimal(&mut self, value: u8) {
        let borrow = 1 - (self.p & C) as i16;
        let (a, b) = (self.a as i16, value as i16);
        let mut low = (a & 0x0F) - (b & 0x0F) - borrow;
        if low < 0 {
            low = ((low - 6) & 0x0F) - 0x10;
        }
        let mut difference = (a & 0xF0) - (b & 0xF0) + low;
        if difference < 0 {
            difference -= 0x60;
        }
        self.add(!value);
        self.a = difference as u8;
    }

    /// ARR: AND, then a rotation whose carry and overflow come from the adder.
    #[cold]
    pub(crate) fn arr(&mut self, value: u8) {
        let and = self.a & value;
        let rotated = and >> 1 | (self.p & C) << 7;
        self.p = self.p & !(N | V | Z | C) | NZ[rotated as usize] | (rotated ^ and) & V;
        let mut result = rotated;
        if self.p & D == 0 {
            self.p |= rotated >> 6 & C;
        } else {
            if (and & 0x0F) + (and & 1) > 5 {
                result = result & 0xF0 | result.wrapping_add(6) & 0x0F;
            }
            if (and & 0xF0) as u16 + (and & 0x10) as u16 > 0x50 {
                result = result.wrapping_add(0x60);
                self.p |= C;
            }
        }
        self.a = result;
    }

    /// SBX: X becomes A AND X minus the operand, without borrow, in binary.
    #[inline(always)]
    pub(crate) fn sbx(&mut self, value: u8) {
        let and = self.a & self.x;
        self.compare(and, value);
        self.x = and.wrapping_sub(value);
    }
}
