//! The reference pictures: small programs with the exact frame each must give.
use std::path::Path;

use machine::{Config, Machine, Model, Tv};
use media::xex::Xex;

/// Frames from the start of the program to the one that is compared.
const FRAMES: usize = 12;

/// A line of `index.tsv`.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its name.
    pub name: String,
    /// The file of the program.
    pub program: String,
    /// The television system.
    pub pal: bool,
    /// Rows that are compared.
    pub rows: usize,
    /// The open question about it.
    pub note: String,
}

/// The lines of `index.tsv`: name, program, television, kind, size, note and more.
///
/// # Panics
/// When the file is missing or no such list.
#[must_use]
pub fn index(folder: &Path) -> Vec<Picture> {
    let file = folder.join("index.tsv");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    text.lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
            let [name, program, tv, _, size, ..] = fields[..] else {
                panic!("{}: fewer than five fields: {line}", file.display());
            };
            let rows = size.split_once('x').and_then(|(_, rows)| rows.parse().ok());
            Picture {
                name: name.to_owned(),
                program: program.to_owned(),
                pal: tv.eq_ignore_ascii_case("pal"),
                rows: rows.unwrap_or_else(|| panic!("{name}: {size} is no size")),
                note: (*fields.get(5).unwrap_or(&"-")).to_owned(),
            }
        })
        .collect()
}

/// An OS that makes port B an output and then waits: the programs need no more.
fn waiting_os() -> Vec<u8> {
    let mut os = vec![0xEA; 0x4000];
    os[..26].copy_from_slice(&[
        0x78, 0xD8, // SEI, CLD
        0xA2, 0xFF, 0x9A, // LDX #$FF, TXS
        0xA9, 0x3C, 0x8D, 0x03, 0xD3, // LDA #$3C, STA PBCTL
        0x8E, 0x01, 0xD3, // STX PORTB
        0xA9, 0x38, 0x8D, 0x03, 0xD3, // LDA #$38, STA PBCTL
        0x8E, 0x01, 0xD3, // STX PORTB: all lines are outputs
        0xA9, 0x3C, 0x8D, 0x03, 0xD3, // LDA #$3C, STA PBCTL
    ]);
    os[26..29].copy_from_slice(&[0x4C, 0x1A, 0xC0]); // JMP *
    os[0x3FFA..].copy_from_slice(&[0x00, 0xC0, 0x00, 0xC0, 0x00, 0xC0]);
    os
}

/// The machine at the start of the frame that is compared.
///
/// # Errors
/// A sentence, when the program cannot be read.
pub fn started(path: &Path, pal: bool) -> Result<Machine, String> {
    let problem = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let program = std::fs::read(path).map_err(|e| problem(&e))?;
    let xex = Xex::parse(&program).map_err(|e| problem(&e))?;
    let start = xex
        .run_address()
        .ok_or_else(|| problem(&"no run address"))?;
    let config = Config {
        model: Model::Xl800,
        tv: if pal { Tv::Pal } else { Tv::Ntsc },
        os: waiting_os().into(),
        basic: None,
        cartridge: None,
        second: None,
        seed: 1,
        extras: machine::Extras::default(),
    };
    let mut machine = Machine::new(&config).map_err(|e| problem(&e))?;
    machine.run_frame();
    for segment in &xex.segments {
        for (i, &byte) in segment.data.iter().enumerate() {
            machine.poke(segment.start.wrapping_add(i as u16), byte);
        }
    }
    machine.cpu.set_pc(start);
    for _ in 0..FRAMES {
        machine.run_frame();
    }
    Ok(machine)
}
