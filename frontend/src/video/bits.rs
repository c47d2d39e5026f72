//! Bits, the highest first.

/// Bytes that are put together from bits.
#[derive(Debug, Default)]
pub struct Bits {
    bytes: Vec<u8>,
    /// Bits that make no byte yet, and their number.
    rest: u64,
    count: u32,
}

impl Bits {
    /// Adds the low bits of a value, at most 32.
    pub fn put(&mut self, value: u32, bits: u32) {
        let value = u64::from(value) & ((1 << bits) - 1);
        self.rest = self.rest << bits | value;
        self.count += bits;
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.rest >> self.count) as u8);
        }
        self.rest &= (1 << self.count) - 1;
    }

    /// Adds an unsigned number as an Exp-Golomb code (H.264, 9.1).
    pub fn ue(&mut self, value: u32) {
        let code = value + 1;
        let bits = u32::BITS - code.leading_zeros();
        self.put(0, bits - 1);
        self.put(code, bits);
    }

    /// Adds a signed number as an Exp-Golomb code: 0, 1, -1, 2, -2 ...
    pub fn se(&mut self, value: i32) {
        self.ue(if value > 0 {
            2 * value.unsigned_abs() - 1
        } else {
            2 * value.unsigned_abs()
        });
    }

    /// Adds zeros up to the end of a byte.
    pub fn align(&mut self) {
        self.put(0, (8 - self.count) % 8);
    }

    /// Adds a byte where one begins.
    pub fn byte(&mut self, byte: u8) {
        self.put(u32::from(byte), 8);
    }

    /// The bytes so far; bits that make no byte are left out.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, the last one filled with zeros.
    pub fn finish(mut self) -> Vec<u8> {
        self.align();
        self.bytes
    }
}
