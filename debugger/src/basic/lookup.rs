//! One of BASIC's variables by its name, without reading the others: for conditions, which are evaluated often.

use super::{STARP, STMTAB, VARIABLES, VNTP, VVTP, number, word};
use machine::Bus;

/// Longest name that is read.
const LONGEST: usize = 120;

/// Names and addresses of the entries, in the order of BASIC's table; names as BASIC keeps them, with `$` or `(`.
pub(super) fn entries(peek: &impl Fn(u16) -> u8) -> impl Iterator<Item = (String, u16)> {
    let (mut at, values, end) = (word(peek, VNTP), word(peek, VVTP), word(peek, STMTAB));
    (0..VARIABLES as u16).map_while(move |index| {
        let address = values.wrapping_add(8 * index);
        if address.wrapping_add(8) > end || at >= values || peek(at) == 0 {
            return None;
        }
        let mut name = String::new();
        loop {
            let byte = peek(at);
            at = at.wrapping_add(1);
            name.push((byte & 0x7F) as char);
            if byte & 0x80 != 0 || name.len() > LONGEST {
                return Some((name, address));
            }
        }
    })
}

/// The names of all variables; empty without BASIC.
pub(crate) fn names(bus: &Bus) -> Vec<String> {
    if !is_there(bus) {
        return Vec::new();
    }
    entries(&|address: u16| bus.peek(address))
        .map(|(name, _)| name)
        .collect()
}

/// True if a ROM or cartridge is at BASIC's addresses, and BASIC's pointers make sense.
pub(crate) fn is_there(bus: &Bus) -> bool {
    !crate::is_ram(0xA000, bus) && super::has_pointers(&|address: u16| bus.peek(address))
}

/// The eight bytes of a variable.
pub(crate) fn entry(peek: &impl Fn(u16) -> u8, name: &str) -> Option<u16> {
    let mut entries = entries(peek);
    entries
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, address)| address)
}

/// A number in memory.
pub(crate) fn number_at(peek: &impl Fn(u16) -> u8, address: u16) -> f64 {
    number(std::array::from_fn(|n| {
        peek(address.wrapping_add(n as u16))
    }))
}

/// The address of an element of an array, which is named with its bracket.
pub(crate) fn element(peek: &impl Fn(u16) -> u8, name: &str, row: u16, column: u16) -> Option<u16> {
    let entry = entry(peek, name)?;
    let (rows, columns) = (word(peek, entry + 4), word(peek, entry + 6).max(1));
    if peek(entry) & 0xC1 != 0x41 || row >= rows || column >= columns {
        return None;
    }
    let start = word(peek, STARP).wrapping_add(word(peek, entry + 2));
    let number = row.wrapping_mul(columns).wrapping_add(column);
    Some(start.wrapping_add(number.wrapping_mul(6)))
}

/// The bytes of a string that has been dimensioned, at most 16,384.
pub(crate) fn text(peek: &impl Fn(u16) -> u8, name: &str) -> Option<Vec<u8>> {
    let entry = entry(peek, name)?;
    if peek(entry) & 0xC1 != 0x81 {
        return None;
    }
    let start = word(peek, STARP).wrapping_add(word(peek, entry + 2));
    let length = word(peek, entry + 4).min(0x4000);
    Some((0..length).map(|n| peek(start.wrapping_add(n))).collect())
}

/// ATASCII as text: points for characters that ASCII does not have.
pub(crate) fn readable(bytes: &[u8]) -> String {
    let character = |&byte: &u8| match byte & 0x7F {
        code @ 0x20..=0x7E => code as char,
        _ => '.',
    };
    bytes.iter().map(character).collect()
}
