//! Puts a BASIC program into the memory of a machine that shows READY, as LOAD would have done.
use crate::failure::Failure;
use machine::Machine;
use media::basic::Program;

/// LOMEM, the first of BASIC's pointers; VNTP, VNTD, VVTP, STMTAB, STMCUR, STARP, RUNSTK and MEMTOP follow.
const LOMEM: u16 = 0x80;
/// The first free byte above BASIC's own memory: the display list of the screen.
const OS_MEMTOP: u16 = 0x02E5;

/// Loads `program`.
///
/// # Errors
/// When the machine has too little memory for it.
pub fn load(machine: &mut Machine, program: &Program) -> Result<(), Failure> {
    let lomem = machine.peek_word(LOMEM);
    let words = program.pointers().words.map(|word| word.wrapping_add(lomem));
    let image = program.image();
    let end = usize::from(words[0]) + image.len();
    let top = usize::from(machine.peek_word(OS_MEMTOP));
    if end > top {
        return Err(Failure::input(format!(
            "the BASIC program needs {} bytes, this machine has {} free",
            image.len(),
            top.saturating_sub(usize::from(words[0]))
        )));
    }
    for (offset, &byte) in image.iter().enumerate() {
        machine.poke(words[0].wrapping_add(offset as u16), byte);
    }
    // RUNSTK and MEMTOP: no arrays, no strings, an empty stack.
    let starp = words[5];
    for (index, word) in words.into_iter().chain([starp, starp]).enumerate() {
        let at = LOMEM + 2 + 2 * index as u16;
        let [low, high] = word.to_le_bytes();
        machine.poke(at, low);
        machine.poke(at + 1, high);
    }
    Ok(())
}
