//! The calls that have not returned, read from the stack.

use machine::Machine;

const JSR: u8 = 0x20;
/// Calls that are looked for.
const MOST: usize = 64;

/// A JSR whose return address lies on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The JSR.
    pub at: u16,
    /// The routine that it calls.
    pub routine: u16,
    /// Where in page 1 the return address is.
    pub slot: u8,
}

/// The calls that have not returned, the latest first. The stack does not say what its bytes are: two that point to the last byte of a JSR are taken
/// for its return address.
pub fn calls(machine: &Machine) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut slot = u16::from(machine.cpu.s) + 1;
    while slot < 0xFF && calls.len() < MOST {
        let returns = machine.peek_word(0x0100 + slot);
        let at = returns.wrapping_sub(2);
        if machine.peek(at) == JSR && !crate::is_chip(at) {
            calls.push(Call {
                at,
                routine: machine.peek_word(at.wrapping_add(1)),
                slot: slot as u8,
            });
            slot += 2;
        } else {
            slot += 1;
        }
    }
    calls
}
