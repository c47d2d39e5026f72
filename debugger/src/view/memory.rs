//! Memory.

use machine::Machine;

/// Sixteen bytes of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryLine {
    /// The first one's address.
    pub address: u16,
    /// The bytes as the processor would read them, without side effects.
    pub bytes: [u8; 16],
}

impl MemoryLine {
    /// Text: address, bytes, and the characters that are printable in ATASCII and ASCII alike.
    pub fn line(&self) -> String {
        let bytes: Vec<String> = self
            .bytes
            .iter()
            .map(|byte| format!("{byte:02X}"))
            .collect();
        let text: String = self
            .bytes
            .iter()
            .map(|&byte| {
                if matches!(byte & 0x7F, 0x20..=0x5F | 0x61..=0x7A) {
                    (byte & 0x7F) as char
                } else {
                    '.'
                }
            })
            .collect();
        format!("{:04X}  {}  {text}", self.address, bytes.join(" "))
    }
}

/// `count` lines of memory from an address on; addresses wrap.
pub fn memory(machine: &Machine, address: u16, count: usize) -> Vec<MemoryLine> {
    (0..count)
        .map(|index| {
            let address = address.wrapping_add((index as u16).wrapping_mul(16));
            let bytes =
                std::array::from_fn(|offset| machine.peek(address.wrapping_add(offset as u16)));
            MemoryLine { address, bytes }
        })
        .collect()
}
