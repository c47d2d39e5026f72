//! The table and the picture of `docs/sound.md`: high notes, band-limited and plainly sampled.
use session::sound::{Mixing, Synth};
use tests::spectrum::{CLOCK, Spectrum, note, sampled, sound, square};

/// AUDF1 of the notes in the table, and of that in the picture.
const NOTES: [u8; 5] = [255, 151, 95, 60, 46];
const SHOWN: u8 = 255;
const RATE: f64 = 44_100.0;
const PICTURE: &str = "docs/pictures/spectrum.png";

/// Size of one of the two graphs, and the margins.
const WIDTH: usize = 660;
const HEIGHT: usize = 180;
const LEFT: usize = 44;
const BELOW: usize = 24;
/// Range of the graphs: Hz from left to right, dB from top to bottom.
const HERTZ: f64 = 22_000.0;
const DEPTH: f64 = 120.0;

const PAPER: [u8; 3] = [0xFF; 3];
const GRID: [u8; 3] = [0xD8; 3];
const INK: [u8; 3] = [0x40; 3];
const OWN: [u8; 3] = [0x1F, 0x5F, 0xA8];
const FALSE: [u8; 3] = [0xC8, 0x30, 0x20];

/// Digits and the other characters at the axes: five rows of three dots, the first row in the highest bits.
const GLYPHS: [(char, u16); 14] = [
    ('0', 0b111_101_101_101_111),
    ('1', 0b010_110_010_010_111),
    ('2', 0b111_001_111_100_111),
    ('3', 0b111_001_111_001_111),
    ('4', 0b101_101_111_001_001),
    ('5', 0b111_100_111_001_111),
    ('6', 0b111_100_111_101_111),
    ('7', 0b111_001_010_010_010),
    ('8', 0b111_101_111_101_111),
    ('9', 0b111_101_111_001_111),
    ('-', 0b000_000_111_000_000),
    ('K', 0b101_110_100_110_101),
    ('D', 0b110_101_101_101_110),
    ('B', 0b110_101_110_101_110),
];

struct Picture {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: [u8; 3]) {
        for row in self.pixels.chunks_mut(self.width).skip(y).take(height) {
            row[x..x + width].fill(colour);
        }
    }

    /// Text in dots of two by two pixels.
    fn text(&mut self, x: usize, y: usize, text: &str) {
        for (i, c) in text.chars().enumerate() {
            let glyph = GLYPHS.iter().find(|g| g.0 == c).map_or(0, |g| g.1);
            for dot in 0..15 {
                if glyph >> (14 - dot) & 1 != 0 {
                    self.fill(x + 8 * i + dot % 3 * 2, y + dot / 3 * 2, 2, 2, INK);
                }
            }
        }
    }

    fn graph(&mut self, top: usize, spectrum: &Spectrum, note: f64) {
        for db in (0..=DEPTH as usize).step_by(20) {
            let y = top + db * HEIGHT / DEPTH as usize;
            self.fill(LEFT, y, WIDTH, 1, GRID);
            let label = if db == 0 {
                "0DB".to_owned()
            } else {
                format!("-{db}")
            };
            self.text(LEFT - 4 - 8 * label.len(), y.max(5) - 5, &label);
        }
        for k in (0..=20).step_by(5) {
            let x = LEFT + k * WIDTH * 1000 / HERTZ as usize;
            self.fill(x, top, 1, HEIGHT, GRID);
            self.text(x.saturating_sub(8), top + HEIGHT + 6, &format!("{k}K"));
        }
        for x in 0..WIDTH {
            let hz = |x: usize| x as f64 * HERTZ / WIDTH as f64;
            let steps = (hz(x) / spectrum.step) as usize..(hz(x + 1) / spectrum.step) as usize + 1;
            let own = (hz(x) / note).round() * note;
            let colour = if (hz(x) - own).abs() < 2.0 * hz(1) && own > 0.0 {
                OWN
            } else {
                FALSE
            };
            let level = spectrum.levels[steps]
                .iter()
                .copied()
                .fold(f64::MIN, f64::max);
            let height = ((1.0 + level / DEPTH).clamp(0.0, 1.0) * HEIGHT as f64) as usize;
            self.fill(LEFT + x, top + HEIGHT - height, 1, height, colour);
        }
    }
}

/// One second with the synthesizer.
fn band_limited(audf: u8) -> Spectrum {
    let mut synth = Synth::new(CLOCK, RATE, 0);
    synth.set_mixing(Mixing::Linear);
    let mut out = Vec::new();
    synth.render(&sound(&square(audf)), CLOCK as u64, &mut out);
    Spectrum::new(&out.into_iter().map(f64::from).collect::<Vec<_>>(), RATE)
}

fn plain(audf: u8) -> Spectrum {
    Spectrum::new(&sampled(&sound(&square(audf)), RATE), RATE)
}

/// Prints the table and writes the picture.
pub fn run() -> Result<(), String> {
    println!(
        "| AUDF at 1.79 MHz | note | strongest false line, band-limited | the same, plain sampling |"
    );
    println!("| --- | --- | --- | --- |");
    for audf in NOTES {
        let cell = |spectrum: &Spectrum| {
            let (hz, db) = spectrum.strongest_false(note(audf));
            format!("{:.0} dB at {hz:.0} Hz", db - spectrum.line(note(audf)))
        };
        println!(
            "| {audf} | {:.0} Hz | {} | {} |",
            note(audf),
            cell(&band_limited(audf)),
            cell(&plain(audf))
        );
    }
    let (width, height) = (LEFT + WIDTH + 12, 2 * (HEIGHT + BELOW) + 10);
    let mut picture = Picture {
        width,
        pixels: vec![PAPER; width * height],
    };
    for (i, spectrum) in [band_limited(SHOWN), plain(SHOWN)].iter().enumerate() {
        picture.graph(8 + i * (HEIGHT + BELOW), spectrum, note(SHOWN));
    }
    let png = host::screenshot::png_rgb(width, &picture.pixels).map_err(|e| e.to_string())?;
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(PICTURE);
    std::fs::write(&file, png).map_err(|e| format!("{}: {e}", file.display()))?;
    println!("\n{PICTURE}: AUDF1 = {SHOWN}, above band-limited, below plainly sampled.");
    Ok(())
}
