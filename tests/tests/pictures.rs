//! The reference pictures: small programs with the exact frame each must give. `ORACLE` names the folder that holds
//! `pictures/`.
use std::path::Path;

use machine::{Beam, Bus, Machine, Probe};
use tests::pictures::{index, started};

/// The GTIA register.
const PRIOR: u16 = 0xD01B;
/// Pixels of a row.
const WIDTH: usize = 376;

/// Colour indexes of a greyscale PNG of `rows` rows.
fn load_png(path: &Path, rows: usize) -> Result<Vec<u8>, String> {
    let problem = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let file = std::fs::File::open(path).map_err(|e| problem(&e))?;
    let mut reader = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .map_err(|e| problem(&e))?;
    let mut pixels = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let info = reader.next_frame(&mut pixels).map_err(|e| problem(&e))?;
    if info.width as usize != WIDTH || (info.height as usize) < rows {
        return Err(problem(&format!("{}x{} pixels", info.width, info.height)));
    }
    if (info.color_type, info.bit_depth) != (png::ColorType::Grayscale, png::BitDepth::Eight) {
        return Err(problem(&"no greyscale of 8 bits"));
    }
    Ok(pixels)
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

/// True if the reference and the manual disagree here: within five colour clocks of a change of PRIOR (note `prior`).
fn open(writes: &[(Beam, u16)], line: usize, x: usize) -> bool {
    let cclk = 34 + x / 2;
    writes.iter().any(|&(at, address)| {
        let from = 2 * usize::from(at.cycle) + 1;
        address == PRIOR && usize::from(at.line) == line && (from..from + 5).contains(&cclk)
    })
}

/// The machine after a frame of the program, and what that frame wrote.
fn run(path: &Path, pal: bool) -> Result<(Machine, Vec<(Beam, u16)>), String> {
    let mut machine = started(path, pal)?;
    // Every frame is the same: one is noted on another machine, because a probe makes the run loop take its longer ways.
    let mut writes = Writes(Vec::new());
    machine.clone().run_frame_with(&mut writes);
    machine.run_frame();
    Ok((machine, writes.0))
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
        let compared = load_png(&folder.join(format!("{}.png", picture.name)), picture.rows)
            .and_then(|expected| {
                let (machine, writes) = run(&folder.join(&picture.program), picture.pal)?;
                let prior = picture.note.contains("prior");
                Ok(compare(&machine, &expected, picture.rows, &writes, prior))
            });
        let differences = match compared {
            Ok(differences) => differences,
            Err(problem) => {
                println!("{}: not compared: {problem}", picture.name);
                failed.push(picture.name);
                continue;
            }
        };
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
    assert!(equal + failed.len() != 0, "no pictures in the index");
    assert!(failed.is_empty(), "{failed:?}");
}
