//! Machines, cartridges, disks and sound hardware, each tried by a small program that is made here.
mod cartridges;
mod disks;
mod flash;
mod keys;
mod ram;
mod sound;
mod tapes;

use machine::Config;
use media::xex::{RUNAD, Segment, Xex};
use tests::Atari;

/// The address of the programs' findings.
const FOUND: u16 = 0x0600;
/// The byte at [`FOUND`] + 1 of a program that has come to its end.
const DONE: u8 = 0xA5;

/// A binary file with one segment, which is run.
fn xex(at: u16, code: &[u8]) -> Vec<u8> {
    let segment = |start, data: &[u8]| Segment {
        start,
        data: data.to_vec(),
    };
    Xex {
        segments: vec![segment(at, code), segment(RUNAD, &at.to_le_bytes())],
        flaw: None,
    }
    .to_bytes()
}

/// A machine in which the program has come to its end.
fn done(mut atari: Atari, what: &str) -> Atari {
    for _ in 0..1200 {
        atari.run(1);
        if atari.machine.peek(FOUND + 1) == DONE {
            return atari;
        }
    }
    panic!(
        "{what}: the program did not come to its end:\n{}",
        atari.text()
    );
}

/// The machine that a file has run on.
fn ran(config: &Config, file: &[u8], what: &str) -> Atari {
    done(Atari::with_xex(config, file), what)
}
