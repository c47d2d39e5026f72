//! BASIC at its READY prompt, with a device `M:`: a small handler at $0480 that reads and writes RAM at $6000.
use std::sync::OnceLock;

use machine::{Model, Tv};

use crate::Atari;

/// The address at which the handler keeps the file.
const FILE: u16 = 0x6000;
/// The word at which it keeps the end of the file.
const END: u16 = 0x00CD;

/// The handler: six entries minus 1, JMP init, a spare byte; OPEN at $0490, CLOSE $04A6, GET $04A9, PUT $04C2.
const HANDLER: [u8; 87] = [
    0x8F, 0x04, 0xA5, 0x04, 0xA8, 0x04, 0xC1, 0x04, 0xA5, 0x04, 0xA5, 0x04, 0x4C, 0xA6, 0x04, 0x00,
    0xA9, 0x00, 0x85, 0xCB, 0xA9, 0x60, 0x85, 0xCC, 0xA5, 0x2A, 0x29, 0x08, 0xF0, 0x08, 0xA9, 0x00,
    0x85, 0xCD, 0xA9, 0x60, 0x85, 0xCE, 0xA0, 0x01, 0x60, 0xA5, 0xCB, 0xC5, 0xCD, 0xA5, 0xCC, 0xE5,
    0xCE, 0xB0, 0x0C, 0xA0, 0x00, 0xB1, 0xCB, 0xE6, 0xCB, 0xD0, 0xEB, 0xE6, 0xCC, 0xD0, 0xE7, 0xA0,
    0x88, 0x60, 0xA0, 0x00, 0x91, 0xCB, 0xE6, 0xCB, 0xD0, 0x02, 0xE6, 0xCC, 0xA6, 0xCB, 0x86, 0xCD,
    0xA6, 0xCC, 0x86, 0xCE, 0xA0, 0x01, 0x60,
];

/// A machine at READY with the device `M:`.
///
/// # Panics
/// When the prompt does not come.
#[must_use]
pub fn ready() -> Atari {
    static READY: OnceLock<Atari> = OnceLock::new();
    READY
        .get_or_init(|| {
            let mut atari = Atari::new(&crate::config(Model::Xl800, Tv::Ntsc, true));
            assert!(atari.wait_for_key(600), "no READY:\n{}", atari.text());
            for (i, &byte) in HANDLER.iter().enumerate() {
                atari.machine.poke(0x0480 + i as u16, byte);
            }
            let free = (0..11)
                .map(|i| 0x031A + 3 * i)
                .find(|&at| atari.machine.peek(at) == 0)
                .unwrap();
            for (i, byte) in [b'M', 0x80, 0x04].into_iter().enumerate() {
                atari.machine.poke(free + i as u16, byte);
            }
            atari
        })
        .clone()
}

/// Sets the file of `M:`.
pub fn set_file(atari: &mut Atari, bytes: &[u8]) {
    for (i, &byte) in bytes.iter().enumerate() {
        atari.machine.poke(FILE + i as u16, byte);
    }
    let end = FILE + bytes.len() as u16;
    atari.machine.poke(END, end as u8);
    atari.machine.poke(END + 1, (end >> 8) as u8);
}

/// The file of `M:`.
#[must_use]
pub fn file(atari: &Atari) -> Vec<u8> {
    (FILE..atari.machine.peek_word(END))
        .map(|at| atari.machine.peek(at))
        .collect()
}

/// Text with the Atari's ends of lines.
#[must_use]
pub fn atascii(text: &str) -> Vec<u8> {
    text.bytes()
        .map(|b| if b == b'\n' { 0x9B } else { b })
        .collect()
}

/// Types lines; the machine then waits for the next key.
///
/// # Panics
/// When it does not.
pub fn type_lines(atari: &mut Atari, text: &str) {
    for line in text.lines() {
        atari.type_text(&format!("{line}\n"));
        assert!(
            atari.wait_for_key(20_000),
            "no prompt after {line} (PC {:04X}):\n{}",
            atari.machine.cpu.pc,
            atari.text()
        );
    }
}

/// ENTERs a listing.
pub fn enter(atari: &mut Atari, listing: &[u8]) {
    set_file(atari, listing);
    type_lines(atari, "NEW\nENTER \"M:\"");
}

/// ENTERs a program, runs it and gives back what it printed on #1.
///
/// # Panics
/// When that is nothing.
#[must_use]
pub fn printed(listing: &str) -> String {
    let mut atari = ready();
    enter(
        &mut atari,
        &atascii(&format!("1 OPEN #1,8,0,\"M:\"\n{listing}\n")),
    );
    type_lines(&mut atari, "RUN");
    let text: String = file(&atari)
        .into_iter()
        .map(|b| if b == 0x9B { '\n' } else { char::from(b) })
        .collect();
    assert!(!text.is_empty(), "nothing was printed:\n{}", atari.text());
    text
}
