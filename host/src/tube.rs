//! The picture as a television tube shows it: a mask of coloured stripes, light that spreads, lines with dark between them, curved glass.
use crate::canvas::{Canvas, mix};
use crate::scaler::{HEIGHT, Place, WIDTH};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The tube's effects on the picture, each from 0 (nothing) to 100.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TubeConfig {
    /// Stripes of red, green and blue.
    pub mask: u8,
    /// Light that spreads around what is bright.
    pub bloom: u8,
    /// Curvature of the glass.
    pub curvature: u8,
}

impl TubeConfig {
    /// True if the picture is drawn without it.
    pub fn is_off(self) -> bool {
        self == Self::default()
    }

    /// # Errors
    /// The setting that is larger than 100.
    pub(crate) fn check(self) -> Result<(), String> {
        let all = [
            (self.mask, "mask"),
            (self.bloom, "bloom"),
            (self.curvature, "curvature"),
        ];
        match all.into_iter().find(|(value, _)| *value > 100) {
            Some((_, name)) => Err(format!("window.tube.{name} must be 0 to 100")),
            None => Ok(()),
        }
    }
}

/// Pixels of the canvas that have the same two lines above each other. With curved glass the next ones may have others.
const CHUNK: usize = 8;
/// How far light spreads to each side, in pixels of the picture.
const SPREAD: usize = 4;
/// Lines above and below one that its light reaches.
const REACH: usize = 1;
/// A weight of one.
const ONE: u16 = 256;
/// The mask's one: half of 255, so that a stripe can be brighter than the pixel.
const STRIPE: u16 = 128;

/// Two lines above each other, and their weights; together at most [`ONE`].
#[derive(Clone, Copy, Debug, Default)]
struct Blend {
    line: u16,
    upper: u16,
    lower: u16,
}

/// A pixel of a line: the left one of two neighbours, and the weight of the right one.
#[derive(Clone, Copy, Debug, Default)]
struct Tap {
    left: u16,
    right: u16,
}

/// The settings from which the tables follow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Key {
    config: TubeConfig,
    scan_lines: bool,
    part: (usize, usize, usize, usize),
    size: (usize, usize),
}

/// Draws pictures as a tube shows them; keeps its tables from one picture to the next.
#[derive(Debug, Default)]
pub(crate) struct Tube {
    key: Key,
    /// For each line of the part that is shown (for all the same without curvature) those of its pixels that a line of the canvas has.
    taps: Vec<Tap>,
    /// For each line of the canvas its chunks.
    blends: Vec<Blend>,
    /// The mask along a line.
    mask: Vec<[u8; 4]>,
    /// Lines of the part with their light, as wide as the canvas shows them.
    lines: Vec<[u8; 4]>,
    /// Light of each line of the picture to its sides.
    glow: Vec<[u16; 3]>,
}

impl Tube {
    /// Draws the lines of the canvas that show these rows of the picture; gives the lines that were drawn.
    pub fn draw(
        &mut self,
        (canvas, place): (&mut Canvas, Place),
        (picture, part): (&[u32], Place),
        (config, scan_lines): (TubeConfig, bool),
        changed: &Range<usize>,
    ) -> Range<usize> {
        let key = Key {
            config,
            scan_lines,
            part: (part.x, part.y, part.width, part.height),
            size: (place.width, place.height),
        };
        let mut rows = changed.clone();
        if self.key != key {
            self.key = key;
            self.prepare(part, place);
            rows = 0..HEIGHT;
        }
        let spread = if config.bloom > 0 { REACH } else { 0 };
        let of_part = |row: usize| row.saturating_sub(part.y).min(part.height);
        let rows = of_part(rows.start.saturating_sub(spread))..of_part(rows.end + spread);
        if rows.is_empty() {
            return 0..0;
        }
        self.light(picture, part, &rows);
        for row in rows.clone() {
            self.stretch(picture, part, row);
        }
        self.show(canvas, place, &rows)
    }

    /// Fills the tables.
    fn prepare(&mut self, part: Place, place: Place) {
        let bend = f64::from(self.key.config.curvature) / 100.0 * 0.06;
        // From -1 to 1 over a number of pixels.
        let across = |n: usize, all: usize| (n as f64 + 0.5) * 2.0 / all as f64 - 1.0;
        let lines = if bend > 0.0 { part.height } else { 1 };
        self.taps.clear();
        for line in 0..lines {
            let y = if bend > 0.0 { across(line, lines) } else { 0.0 };
            let scale = 1.0 + bend * y * y;
            self.taps.extend((0..place.width).map(|n| {
                let x = across(n, place.width) * scale;
                let (left, right) = sharp(x, part.width, place.width);
                Tap { left, right }
            }));
        }
        self.blends.clear();
        for n in 0..place.height {
            let y = across(n, place.height);
            let chunks = (0..place.width).step_by(CHUNK);
            let key = &self.key;
            self.blends.extend(chunks.map(|first| {
                let x = across(first + CHUNK / 2, place.width);
                blend(
                    y * (1.0 + bend * x * x),
                    part.height,
                    place.height,
                    key.scan_lines,
                )
            }));
        }
        let depth = f64::from(self.key.config.mask) / 100.0;
        // A stripe is a pixel wide in a small window, and about a 320th of the width of a large one's picture.
        let wide = (place.width / 960).max(1);
        let weight = |on: bool| {
            let weight = if on {
                1.0 + 0.9 * depth
            } else {
                1.0 - 0.45 * depth
            };
            (weight * f64::from(STRIPE)) as u8
        };
        let stripe = |n: usize| {
            let colour = n / wide % 3;
            [
                weight(colour == 2),
                weight(colour == 1),
                weight(colour == 0),
                0,
            ]
        };
        self.mask = (0..place.width).map(stripe).collect();
        self.lines = vec![[0; 4]; part.height * place.width];
        self.glow = vec![[0; 3]; part.height * part.width];
    }

    /// The light that spreads to the sides in these lines and those that reach into them.
    fn light(&mut self, picture: &[u32], part: Place, rows: &Range<usize>) {
        if self.key.config.bloom == 0 {
            return;
        }
        let rows = rows.start.saturating_sub(REACH)..(rows.end + REACH).min(part.height);
        for row in rows {
            let line = source(picture, part, row);
            let glow = &mut self.glow[row * part.width..(row + 1) * part.width];
            let mut sum = [0u16; 3];
            let add = |sum: &mut [u16; 3], pixel: u32, sign: i16| {
                for (sum, byte) in sum.iter_mut().zip(pixel.to_le_bytes()) {
                    *sum = sum.wrapping_add_signed(sign * i16::from(byte));
                }
            };
            for &pixel in line.iter().take(SPREAD) {
                add(&mut sum, pixel, 1);
            }
            for (x, glow) in glow.iter_mut().enumerate() {
                if let Some(&pixel) = line.get(x + SPREAD) {
                    add(&mut sum, pixel, 1);
                }
                *glow = sum;
                if let Some(&pixel) = x.checked_sub(SPREAD).and_then(|at| line.get(at)) {
                    add(&mut sum, pixel, -1);
                }
            }
        }
    }

    /// A line with the light of its neighbours, as wide as on the canvas and behind its mask.
    fn stretch(&mut self, picture: &[u32], part: Place, row: usize) {
        // A pixel of black at the right end, which is left of the first one, too.
        let mut line = [[0u8; 4]; WIDTH + 2];
        let bloom = u32::from(self.key.config.bloom);
        let glow = |row: usize| &self.glow[row * part.width..(row + 1) * part.width];
        let above = glow(row.saturating_sub(REACH));
        let below = glow((row + REACH).min(part.height - 1));
        let own = glow(row);
        for (x, &pixel) in source(picture, part, row).iter().enumerate() {
            let mut bytes = pixel.to_le_bytes();
            if bloom > 0 {
                for (k, byte) in bytes.iter_mut().take(3).enumerate() {
                    let sum =
                        u32::from(above[x][k]) + 2 * u32::from(own[x][k]) + u32::from(below[x][k]);
                    // Four sums of 2 x SPREAD + 1 pixels each; all of it is 60 % of the mean.
                    let more = sum * bloom * 3 / (5 * 100 * 4 * (2 * SPREAD as u32 + 1));
                    *byte = (u32::from(*byte) + more).min(255) as u8;
                }
            }
            line[x + 1] = bytes;
        }
        let width = self.key.size.0;
        let first = if self.taps.len() > width {
            row * width
        } else {
            0
        };
        let taps = &self.taps[first..first + width];
        let out = &mut self.lines[row * width..(row + 1) * width];
        for (out, tap) in out.iter_mut().zip(taps) {
            let (left, right) = (line[usize::from(tap.left)], line[usize::from(tap.left) + 1]);
            let [left, right] = [left, right].map(u32::from_le_bytes);
            *out = mix(left, right, u32::from(tap.right)).to_le_bytes();
        }
        if self.key.config.mask > 0 {
            let bytes = out.as_flattened_mut().iter_mut();
            for (byte, &weight) in bytes.zip(self.mask.as_flattened()) {
                let sum = u16::from(*byte) * u16::from(weight) / STRIPE;
                *byte = sum.min(255) as u8;
            }
        }
    }

    /// Puts the lines of the canvas together that show these lines of the part.
    fn show(&self, canvas: &mut Canvas, place: Place, rows: &Range<usize>) -> Range<usize> {
        let width = place.width;
        let chunks = width.div_ceil(CHUNK);
        let shows = |blends: &[Blend]| {
            let mut lines = blends.iter().map(|blend| usize::from(blend.line));
            lines.any(|line| line + 1 >= rows.start && line < rows.end)
        };
        let all = || self.blends.chunks_exact(chunks);
        let Some(first) = all().position(shows) else {
            return 0..0;
        };
        let end = all().rposition(shows).map_or(first, |at| at + 1);
        for (n, blends) in all().enumerate().take(end).skip(first) {
            let at = (place.y + n) * canvas.width + place.x;
            let target = &mut canvas.pixels[at..at + width];
            for (c, (pixels, blend)) in target.chunks_mut(CHUNK).zip(blends).enumerate() {
                let from = usize::from(blend.line) * width + c * CHUNK;
                let below = (from + width).min(self.lines.len() - width + c * CHUNK);
                let upper = &self.lines[from..from + pixels.len()];
                let lower = &self.lines[below..below + pixels.len()];
                let mut mixed = [[0u8; 4]; CHUNK];
                let bytes = mixed.as_flattened_mut().iter_mut();
                for ((out, &a), &b) in bytes.zip(upper.as_flattened()).zip(lower.as_flattened()) {
                    *out = ((u16::from(a) * blend.upper + u16::from(b) * blend.lower) >> 8) as u8;
                }
                for (pixel, bytes) in pixels.iter_mut().zip(mixed) {
                    *pixel = u32::from_le_bytes(bytes);
                }
            }
        }
        place.y + first..place.y + end
    }
}

/// The pixels of a line of the part.
fn source(picture: &[u32], part: Place, row: usize) -> &[u32] {
    let at = (part.y + row) * WIDTH + part.x;
    &picture[at..at + part.width]
}

/// The pixel at a place from -1 to 1 of `source` pixels shown as `target`, counted from the black one before the first, and the weight of
/// the next: the mean of what is covered, so that pixels keep their edges.
fn sharp(place: f64, source: usize, target: usize) -> (u16, u16) {
    let step = source as f64 / target as f64;
    let start = place.midpoint(1.0) * source as f64 - step / 2.0 + 1.0;
    let start = start.clamp(0.0, source as f64 + 1.0);
    let over = (start.fract() + step - 1.0).max(0.0) / step;
    // The last pixel of black has no neighbour.
    let left = (start as usize).min(source);
    let right = if start as usize > source {
        1.0
    } else {
        over.min(1.0)
    };
    (left as u16, (right * f64::from(ONE)).round() as u16)
}

/// The two lines at a place from -1 to 1 of `source` lines shown as `target`. With dark between lines, the light falls off from the middle
/// of one to its edges.
fn blend(place: f64, source: usize, target: usize, scan_lines: bool) -> Blend {
    if place.abs() > 1.0 {
        return Blend {
            line: if place < 0.0 { 0 } else { source as u16 - 1 },
            ..Blend::default()
        };
    }
    let (line, over) = sharp(place, source, target);
    let within = place.midpoint(1.0) * source as f64;
    let off = (within.fract() - 0.5) * 2.0;
    let light = if scan_lines && target >= 2 * source {
        1.0 - 0.6 * off * off
    } else {
        1.0
    };
    let weight = |part: u16| (f64::from(part) * light) as u16;
    // Above the first line there is none.
    let (line, upper, lower) = match line.checked_sub(1) {
        Some(line) => (line, weight(ONE - over), weight(over)),
        None => (0, weight(over), 0),
    };
    Blend { line, upper, lower }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::WindowConfig;
    use crate::scaler::{Scaler, View};
    use machine::Tv;

    fn scaler(tube: TubeConfig, scan_lines: bool) -> Scaler {
        let mut scaler = Scaler::default();
        scaler.configure(&WindowConfig {
            scan_lines,
            tube,
            ..WindowConfig::default()
        });
        scaler
    }

    fn drawn(tube: TubeConfig, scan_lines: bool, picture: &[u32], scale: usize) -> Canvas {
        let view = View::of(Tv::Ntsc);
        let (width, height) = view.size(scale);
        let mut canvas = Canvas::default();
        canvas.resize(width, height);
        let place = view.place(width, height, false);
        scaler(tube, scan_lines).draw(&mut canvas, place, picture);
        canvas
    }

    fn noise() -> Vec<u32> {
        let noise = |n: u32| n.wrapping_mul(2_654_435_761) >> 8 & 0xFF_FFFF;
        (0..(WIDTH * HEIGHT) as u32).map(noise).collect()
    }

    #[test]
    fn the_mask_has_stripes_of_three_colours_and_darkens_no_mean() {
        let grey = vec![0x80_8080; WIDTH * HEIGHT];
        let mask = TubeConfig {
            mask: 100,
            ..TubeConfig::default()
        };
        let canvas = drawn(mask, false, &grey, 3);
        let row = &canvas.pixels[300 * canvas.width + 300..][..3];
        let channel = |pixel: u32, k: usize| pixel >> (16 - 8 * k) & 0xFF;
        for k in 0..3 {
            let all: Vec<u32> = row.iter().map(|&pixel| channel(pixel, k)).collect();
            assert_eq!(
                all.iter().filter(|&&value| value > 0x80).count(),
                1,
                "{all:?}"
            );
            let mean = all.iter().sum::<u32>() / 3;
            assert!(mean.abs_diff(0x80) < 4, "{all:?}");
        }
    }

    #[test]
    fn light_spreads_around_what_is_bright_and_darkens_nothing() {
        let mut picture = vec![0; WIDTH * HEIGHT];
        picture[120 * WIDTH + 188] = 0xFF_FFFF;
        let bloom = TubeConfig {
            bloom: 100,
            ..TubeConfig::default()
        };
        let with = drawn(bloom, false, &picture, 1);
        let without = drawn(TubeConfig::default(), false, &picture, 1);
        let lit = |canvas: &Canvas| canvas.pixels.iter().filter(|&&pixel| pixel != 0).count();
        assert!(
            lit(&with) > lit(&without) + 12,
            "{} {}",
            lit(&with),
            lit(&without)
        );
        let pairs = with.pixels.iter().zip(&without.pixels);
        assert!(
            pairs
                .into_iter()
                .all(|(with, without)| with & 0xFF >= without & 0xFF)
        );
    }

    #[test]
    fn curved_glass_has_black_corners_and_the_same_middle() {
        let white = vec![0xFF_FFFF; WIDTH * HEIGHT];
        let curved = TubeConfig {
            curvature: 100,
            ..TubeConfig::default()
        };
        let canvas = drawn(curved, false, &white, 4);
        let at = |x: usize, y: usize| canvas.pixels[y * canvas.width + x];
        let (right, low) = (canvas.width - 1, canvas.height - 1);
        for (x, y) in [(0, 0), (right, 0), (0, low), (right, low)] {
            assert_eq!(at(x, y), 0, "{x} {y}");
        }
        for (x, y) in [(right / 2, low / 2), (1, low / 2), (right / 2, 1)] {
            assert!(at(x, y) >= 0xFE_FEFE, "{x} {y}: {:06x}", at(x, y));
        }
    }

    #[test]
    fn a_part_that_has_changed_is_drawn_as_in_the_whole_picture() {
        let tube = TubeConfig {
            mask: 50,
            bloom: 70,
            curvature: 80,
        };
        let view = View::of(Tv::Pal);
        for (scan_lines, size) in [
            (false, (783, 480)),
            (true, (1500, 1100)),
            (false, (200, 130)),
        ] {
            let place = view.place(size.0, size.1, false);
            let mut scaler = scaler(tube, scan_lines);
            let mut canvas = Canvas::default();
            canvas.resize(size.0, size.1);
            let mut picture = noise();
            scaler.draw(&mut canvas, place, &picture);
            for pixel in &mut picture[100 * WIDTH..130 * WIDTH] {
                *pixel ^= 0xFF_FFFF;
            }
            let before = canvas.pixels.clone();
            let lines = scaler.draw_rows(&mut canvas, place, &picture, &(100..130));
            let mut whole = Canvas::default();
            whole.resize(size.0, size.1);
            self::scaler(tube, scan_lines).draw(&mut whole, place, &picture);
            assert!(canvas.pixels == whole.pixels, "{size:?}");
            // The lines that are said to be drawn are all that differ.
            let width = canvas.width;
            let rows = canvas.pixels.chunks(width).zip(before.chunks(width));
            for (n, (new, old)) in rows.enumerate() {
                assert!(new == old || lines.contains(&n), "{n} {lines:?}");
            }
            assert!(lines.len() < size.1 / 2, "{lines:?}");
        }
    }

    #[test]
    fn lines_have_dark_between_them() {
        let white = vec![0xFF_FFFF; WIDTH * HEIGHT];
        let bloom = TubeConfig {
            bloom: 1,
            ..TubeConfig::default()
        };
        let canvas = drawn(bloom, true, &white, 4);
        let column: Vec<u32> = (400..404)
            .map(|y| canvas.pixels[y * canvas.width + 500] & 0xFF)
            .collect();
        assert!(column[1] > 0xE0 && column[3] < 0xC0, "{column:?}");
    }
}
