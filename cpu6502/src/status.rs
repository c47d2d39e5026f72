//! The status register.

use crate::flags::{B, C, D, I, N, U, V, Z};
use serde::{Deserialize, Serialize};

/// The status register, kept as the results that its flags follow from and put together when it is read: most flags are overwritten
/// before that.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
// The size and the place of the 16-bit field are for speed, see [`crate::Cpu`].
#[repr(C, align(4))]
pub(crate) struct Status {
    /// C in bit 0.
    pub carry: u8,
    /// V in bit 7.
    pub overflow: u8,
    /// The value that N and Z follow from: Z is set if the low byte is 0, N if bit 7 or 8 is set.
    pub result: u16,
    /// The other flags: I, D and bit 5.
    pub rest: u8,
}

impl Status {
    #[inline(always)]
    pub const fn new(p: u8) -> Self {
        Self {
            carry: p & C,
            overflow: p << 1 & 0x80,
            result: (!p & Z) as u16 | ((p & N) as u16) << 1,
            rest: p & (I | D) | U,
        }
    }

    /// The flags in their places; bit 4 is 0 and bit 5 is 1.
    #[inline(always)]
    pub const fn get(self) -> u8 {
        let zero = if self.is_zero() { Z } else { 0 };
        let negative = (self.result | self.result >> 1) as u8 & N;
        self.rest | self.carry | self.overflow >> 1 & V | zero | negative
    }

    #[inline(always)]
    pub const fn is_zero(self) -> bool {
        self.result as u8 == 0
    }

    #[inline(always)]
    pub const fn is_negative(self) -> bool {
        self.result & 0x180 != 0
    }

    #[inline(always)]
    pub const fn is_overflow(self) -> bool {
        self.overflow & 0x80 != 0
    }

    #[inline(always)]
    pub const fn is_decimal(self) -> bool {
        self.rest & D != 0
    }

    #[inline(always)]
    pub const fn masks_irq(self) -> bool {
        self.rest & I != 0
    }
}

impl PartialEq for Status {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Status {}

impl From<Status> for u8 {
    fn from(status: Status) -> Self {
        status.get()
    }
}

impl TryFrom<u8> for Status {
    type Error = &'static str;

    fn try_from(p: u8) -> Result<Self, Self::Error> {
        if p & (B | U) == U {
            Ok(Self::new(p))
        } else {
            Err("no status register is like this")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_comes_back() {
        for p in 0..=255 {
            let status = Status::new(p);
            assert_eq!(status.get(), p & !B | U);
            assert_eq!(status.is_zero(), p & Z != 0);
            assert_eq!(status.is_negative(), p & N != 0);
            assert_eq!(status.is_overflow(), p & V != 0);
        }
    }
}
