//! A machine with an OS of a few instructions: a loop with a subroutine, a display list with one DLI, and a handler that
//! changes the background twice.
#![allow(dead_code, reason = "each test program uses a part of it")]

use debugger::{Limits, Track};
use machine::{Config, Machine, Model, Tv};

/// First instruction.
pub const COLD: u16 = 0xE000;
/// The loop: `INC $80`.
pub const LOOP: u16 = 0xE025;
/// Its `JSR`.
pub const CALL: u16 = 0xE027;
/// The subroutine.
pub const SUB: u16 = 0xE060;
/// The NMI handler.
pub const NMI: u16 = 0xE080;
/// The DLI routine.
pub const DLI: u16 = 0xE100;
/// Its first store into COLBK.
pub const FIRST_STORE: u16 = 0xE106;
/// The display list.
pub const LIST: u16 = 0xE200;
/// The scan line of the DLI.
pub const DLI_LINE: u16 = 31;

#[rustfmt::skip]
const PIECES: &[(u16, &[u8])] = &[
    (COLD, &[
        0x78, 0xD8, 0xA2, 0xFF, 0x9A,       // SEI, CLD, LDX #$FF, TXS
        0xA9, 0x00, 0x8D, 0x00, 0x02,       // LDA #<DLI, STA VDSLST
        0xA9, 0xE1, 0x8D, 0x01, 0x02,       // LDA #>DLI, STA VDSLST+1
        0xA9, 0x00, 0x8D, 0x02, 0xD4,       // LDA #<LIST, STA DLISTL
        0xA9, 0xE2, 0x8D, 0x03, 0xD4,       // LDA #>LIST, STA DLISTH
        0xA9, 0x22, 0x8D, 0x00, 0xD4,       // LDA #$22, STA DMACTL
        0xA9, 0xC0, 0x8D, 0x0E, 0xD4,       // LDA #$C0, STA NMIEN
        0xEA, 0xEA,                         // NOP, NOP
        0xE6, 0x80,                         // LOOP: INC $80
        0x20, 0x60, 0xE0,                   // JSR SUB
        0xAD, 0x10, 0xD0,                   // LDA TRIG0
        0x18, 0x65, 0x81, 0x85, 0x81,       // CLC, ADC $81, STA $81
        0x4C, 0x25, 0xE0,                   // JMP LOOP
    ]),
    (SUB, &[0x48, 0x68, 0x60]),             // PHA, PLA, RTS
    (NMI, &[
        0x2C, 0x0F, 0xD4, 0x10, 0x03,       // BIT NMIST, BPL +3
        0x6C, 0x00, 0x02,                   // JMP (VDSLST)
        0x48, 0x8D, 0x0F, 0xD4, 0x68, 0x40, // PHA, STA NMIRES, PLA, RTI
    ]),
    (DLI, &[
        0x48, 0xA9, 0x0E, 0xEA, 0xEA, 0xEA, // PHA, LDA #$0E, NOP, NOP, NOP
        0x8D, 0x1A, 0xD0,                   // STA COLBK
        0xA9, 0x34, 0x8D, 0x0A, 0xD4,       // LDA #$34, STA WSYNC
        0x8D, 0x1A, 0xD0,                   // STA COLBK
        0x68, 0x40,                         // PLA, RTI
    ]),
    (LIST, &[
        0x70, 0x70, 0xF0,                   // 24 blank lines, the last with DLI
        0x4D, 0x00, 0xE3, 0x0D, 0x0D,       // three lines of mode D
        0x41, 0x00, 0xE2,                   // JVB
    ]),
    (0xFFFA, &[0x80, 0xE0, 0x00, 0xE0, 0x80, 0xE0]),
];

pub fn os() -> Vec<u8> {
    let mut os = vec![0xEA; 0x4000];
    for &(address, bytes) in PIECES {
        let start = usize::from(address - 0xC000);
        os[start..start + bytes.len()].copy_from_slice(bytes);
    }
    os
}

pub fn machine() -> Machine {
    machine_with(os())
}

pub fn machine_with(os: Vec<u8>) -> Machine {
    let config = Config {
        model: Model::Xl800,
        tv: Tv::Ntsc,
        os: os.into(),
        basic: None,
        cartridge: None,
        second: None,
        seed: 1,
        extras: machine::Extras::default(),
    };
    Machine::new(&config).expect("the configuration is good")
}

/// A machine that is remembered as for a debugger.
pub fn tracked(machine: Machine) -> Track {
    Track::new(machine, Limits::debugger())
}

/// In the loop, some frames after power-on.
pub fn running() -> Machine {
    let mut machine = machine();
    for _ in 0..3 {
        machine.run_frame();
    }
    machine
}
