//! The program in the memory of a machine, by BASIC's documented pointers.
use super::{IMMEDIATE, Program};
use alloc::vec::Vec;

/// Pointers of page zero.
const LOMEM: u16 = 0x80;
const VNTP: u16 = 0x82;
const VNTD: u16 = 0x84;
const VVTP: u16 = 0x86;
const STMTAB: u16 = 0x88;
const STARP: u16 = 0x8C;
/// The shortest line: its number, its length, and a statement's end and token.
const SHORTEST: u8 = 5;

impl Program {
    /// The program that BASIC has in memory; `None` if the pointers are out of order, a line is damaged, or there is no line. `peek` reads a byte.
    ///
    /// STMCUR is not used: while a program runs, it is in the middle of it. The line of immediate commands ends the program.
    pub fn in_memory(peek: impl Fn(u16) -> u8) -> Option<Self> {
        let word = |at: u16| u16::from_le_bytes([peek(at), peek(at.wrapping_add(1))]);
        let [lomem, vntp, vntd, vvtp, stmtab, starp] =
            [LOMEM, VNTP, VNTD, VVTP, STMTAB, STARP].map(word);
        if lomem < 0x0100 || ![lomem, vntp, vntd, vvtp, stmtab, starp].is_sorted() {
            return None;
        }
        let mut end = stmtab;
        while end < starp && word(end) < IMMEDIATE {
            let length = peek(end.wrapping_add(2));
            if length < SHORTEST {
                return None;
            }
            end = end.saturating_add(length.into());
        }
        if end == stmtab || end > starp {
            return None;
        }
        let part = |from: u16, to: u16| -> Vec<u8> { (from..to).map(&peek).collect() };
        Some(Self {
            // A zero is between the names and the values.
            names: part(vntp, vvtp.saturating_sub(1).max(vntp)),
            values: part(vvtp, stmtab),
            lines: part(stmtab, end),
            immediate: part(end, starp),
        })
    }
}
