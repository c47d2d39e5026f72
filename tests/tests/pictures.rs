//! The reference pictures: small programs with the exact frame each must give. `ORACLE` names the folder that holds
//! `pictures/`.
use std::path::Path;

use machine::{Beam, Bus, Config, Machine, Model, Probe, Tv};
use media::xex::Xex;

/// Frames from the start of the program to the one that is compared.
const FRAMES: usize = 12;
/// The GTIA register.
const PRIOR: u16 = 0xD01B;
/// Pixels of a row.
const WIDTH: usize = 376;

/// Pictures that are not equal yet: the one line that differs, and how.
///
/// In line 115 of `mid_dmactl_modeE` a write in cycle 17 moves the playfield's start from narrow to normal, one cycle after the
/// deadline. By the manual no playfield starts; the reference shows none either until DMACTL is written again in cycle 48, then
/// the bytes that an undisturbed line would have there, those of fetches before that cycle included.
const KNOWN: &[(&str, &str)] = &[("mid_dmactl_modeE", "line 115 cclk 98.0-190")];

/// A line of `index.tsv`.
struct Picture {
    name: String,
    program: String,
    pal: bool,
    rows: usize,
    note: String,
}

fn index(folder: &Path) -> Vec<Picture> {
    let text = std::fs::read_to_string(folder.join("index.tsv")).unwrap();
    text.lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            Picture {
                name: fields[0].to_owned(),
                program: fields[1].to_owned(),
                pal: fields[2] == "pal",
                rows: fields[4].split_once('x').unwrap().1.parse().unwrap(),
                note: fields[5].to_owned(),
            }
        })
        .collect()
}

/// Colour indexes of a greyscale PNG.
fn load_png(path: &Path) -> Vec<u8> {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.width as usize, WIDTH, "{}", path.display());
    assert_eq!(info.color_type, png::ColorType::Grayscale);
    pixels.truncate(info.buffer_size());
    pixels
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

/// Notes the writes of ANTIC's and GTIA's registers in a frame.
struct Writes(Vec<(Beam, u16)>);

impl Probe for Writes {
    fn cycle(&mut self, cpu: &cpu6502::Cpu, bus: &Bus) -> bool {
        let address = cpu.next_address();
        if cpu.next_is_write() && matches!(address >> 8, 0xD0 | 0xD4) {
            self.0.push((bus.beam(), address));
        }
        false
    }
}

/// Whether the reference and the manual disagree here: within five colour clocks of a change of PRIOR (note `prior`).
fn open(writes: &[(Beam, u16)], line: usize, x: usize) -> bool {
    let cclk = 34 + x / 2;
    writes.iter().any(|&(at, address)| {
        let from = 2 * usize::from(at.cycle) + 1;
        address == PRIOR && usize::from(at.line) == line && (from..from + 5).contains(&cclk)
    })
}

fn run(program: &[u8], pal: bool) -> (Machine, Vec<(Beam, u16)>) {
    let config = Config {
        model: Model::Xl800,
        tv: if pal { Tv::Pal } else { Tv::Ntsc },
        os: waiting_os(),
        basic: None,
        cartridge: None,
        seed: 1,
    };
    let mut machine = Machine::new(&config).unwrap();
    machine.run_frame();
    let xex = Xex::parse(program).unwrap();
    for segment in &xex.segments {
        for (i, &byte) in segment.data.iter().enumerate() {
            machine.poke(segment.start.wrapping_add(i as u16), byte);
        }
    }
    machine.cpu.set_pc(xex.run_address().unwrap());
    for _ in 0..FRAMES {
        machine.run_frame();
    }
    let mut writes = Writes(Vec::new());
    machine.run_frame_with(&mut writes);
    (machine, writes.0)
}

/// The first difference of two rows: pixel, and the shift in pixels that would make the row fit.
fn compare(
    machine: &Machine,
    expected: &[u8],
    rows: usize,
    writes: &[(Beam, u16)],
    prior_is_open: bool,
) -> Vec<String> {
    let open = |y, x| prior_is_open && open(writes, y + 8, x);
    let mut differences = Vec::new();
    for y in 0..rows {
        let row = machine.frame().line(y + 8);
        let wanted = &expected[y * WIDTH..(y + 1) * WIDTH];
        let Some(x) = (0..WIDTH).find(|&x| row[x] != wanted[x] && !open(y, x)) else {
            continue;
        };
        let last = (0..WIDTH)
            .rfind(|&x| row[x] != wanted[x] && !open(y, x))
            .unwrap();
        let written: Vec<String> = writes
            .iter()
            .filter(|(at, _)| usize::from(at.line) == y + 8)
            .map(|(at, address)| format!("{address:04X}@{}", at.cycle))
            .collect();
        let fits = [-4i32, -3, -2, -1, 1, 2, 3, 4]
            .into_iter()
            .find(|&shift| (8..WIDTH - 8).all(|x| row[x] == wanted[(x as i32 + shift) as usize]));
        differences.push(format!(
            "line {} cclk {}.{}-{} (x {x}-{last}): {:02X?} wanted {:02X?}{} written: {}",
            y + 8,
            34 + x / 2,
            x & 1,
            34 + last / 2,
            &row[x..(x + 8).min(WIDTH)],
            &wanted[x..(x + 8).min(WIDTH)],
            fits.map_or(String::new(), |s| format!(" fits when shifted by {s}")),
            written.join(" ")
        ));
    }
    differences
}

#[test]
fn every_reference_picture_is_equal() {
    let Some(oracle) = tests::outside("ORACLE", "the folder with the reference pictures") else {
        return;
    };
    let folder = oracle.join("pictures");
    let only = std::env::var("PICTURE").ok();
    let mut failed = Vec::new();
    let mut equal = 0;
    for picture in index(&folder) {
        if only.as_ref().is_some_and(|o| !picture.name.starts_with(o)) {
            continue;
        }
        let program = std::fs::read(folder.join(&picture.program)).unwrap();
        let expected = load_png(&folder.join(format!("{}.png", picture.name)));
        let (machine, writes) = run(&program, picture.pal);
        let prior = picture.note == "prior";
        let differences = compare(&machine, &expected, picture.rows, &writes, prior);
        let known = KNOWN.iter().find(|(name, _)| *name == picture.name);
        if let Some((name, start)) = known {
            assert!(
                differences.len() == 1 && differences[0].starts_with(start),
                "{name} differs elsewhere than it is known to: {differences:?}"
            );
            println!("{name}: known difference: {start}");
            continue;
        }
        if differences.is_empty() {
            equal += 1;
            continue;
        }
        println!(
            "{} [{}]: {} of {} lines differ",
            picture.name,
            picture.note,
            differences.len(),
            picture.rows
        );
        let shown = if only.is_some() { 240 } else { 2 };
        for difference in differences.iter().take(shown) {
            println!("    {difference}");
        }
        failed.push(picture.name);
    }
    println!("{equal} pictures equal, {} differ", failed.len());
    assert!(failed.is_empty(), "{failed:?}");
}
