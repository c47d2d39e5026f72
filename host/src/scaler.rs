//! The picture in the shape that the television gives it, as large as wanted.
use crate::canvas::{Canvas, mix};
use crate::config::WindowConfig;
use crate::tube::{Tube, TubeConfig};
use clap::ValueEnum;
use machine::{Frame, Tv};
use serde::{Deserialize, Serialize};
use session::picture::Look;
use std::ops::Range;

/// Pixels of a line of the picture.
pub const WIDTH: usize = 376;
/// Lines of the picture.
pub const HEIGHT: usize = 240;

/// Where the picture goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Left edge.
    pub x: usize,
    /// Upper edge.
    pub y: usize,
    /// Width.
    pub width: usize,
    /// Height.
    pub height: usize,
}

/// Colours of the screen, 0x00RRGGBB.
pub fn colour(look: &Look, frame: &Frame, picture: &mut [u32]) {
    look.picture(frame, |y, line| {
        let row = picture.iter_mut().skip(y * WIDTH);
        for (pixel, &[red, green, blue]) in row.zip(line) {
            *pixel = u32::from_be_bytes([0, red, green, blue]);
        }
    });
}

/// A picture in another size: each pixel is the mean of those that it covers.
pub fn resize(picture: &[u32], from: (usize, usize), to: (usize, usize)) -> Vec<u32> {
    let covered = |at: usize, from: usize, to: usize| {
        let begin = at * from / to;
        begin
            ..((at + 1) * from)
                .div_ceil(to)
                .clamp(begin + 1, from.max(begin + 1))
    };
    let pixel = |n: usize| {
        let (columns, rows) = (
            covered(n % to.0, from.0, to.0),
            covered(n / to.0, from.1, to.1),
        );
        let count = (columns.len() * rows.len()) as u32;
        let row = |y: usize| picture.get(y * from.0..).unwrap_or(&[]);
        let all = rows.flat_map(|y| row(y).iter().take(columns.end).skip(columns.start));
        let sums = all.fold([0; 3], |[r, g, b], pixel| {
            [
                r + (pixel >> 16 & 0xFF),
                g + (pixel >> 8 & 0xFF),
                b + (pixel & 0xFF),
            ]
        });
        let [r, g, b] = sums.map(|sum| sum / count);
        r << 16 | g << 8 | b
    };
    (0..to.0 * to.1).map(pixel).collect()
}

/// Width and height of the picture on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// As the television shows it
    #[default]
    Television,
    /// Square pixels: 376 by 240
    Square,
    /// As large as the window
    Window,
}

/// Part of the picture that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Overscan {
    /// All that GTIA makes
    #[default]
    All,
    /// The part that a television of the time shows: 12 pixels at each side and 8 lines above and below are hidden
    Television,
    /// The usual playfield: 320 by 192
    Playfield,
}

impl Overscan {
    /// The part, in pixels and lines of the picture.
    pub fn part(self) -> Place {
        let (x, y) = match self {
            Self::All => (0, 0),
            Self::Television => (12, 8),
            // 28 hires pixels from colour clock 34 to 48; line 32 is row 24.
            Self::Playfield => (28, 24),
        };
        Place {
            x,
            y,
            width: WIDTH - 2 * x,
            height: HEIGHT - 2 * y,
        }
    }
}

/// How the picture is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The television system.
    pub tv: Tv,
    /// Width and height.
    pub shape: Shape,
    /// The part that is shown.
    pub overscan: Overscan,
}

impl View {
    /// All of the picture as the television shows it.
    pub fn of(tv: Tv) -> Self {
        Self {
            tv,
            shape: Shape::Television,
            overscan: Overscan::All,
        }
    }

    /// Width of a hires pixel for a height of 1.
    fn aspect(self) -> f64 {
        match self.shape {
            Shape::Square => 1.0,
            Shape::Television | Shape::Window => self.tv.pixel_aspect(),
        }
    }

    /// The size of the picture for a multiple of its lines, for a window or a file.
    pub fn size(self, scale: usize) -> (usize, usize) {
        let part = self.overscan.part();
        let width = part.width as f64 * self.aspect() * scale as f64;
        (width.round() as usize, part.height * scale)
    }

    /// The size of a window for at most this multiple, so that it fits onto a screen of this size.
    pub fn fitting_size(self, scale: usize, screen: Option<(usize, usize)>) -> (usize, usize) {
        let fits = |scale: &usize| {
            let (width, height) = self.size(*scale);
            screen.is_none_or(|screen| width <= screen.0 && height + DESKTOP <= screen.1)
        };
        let scale = (1..=scale).rev().find(fits).unwrap_or(1);
        self.size(scale)
    }

    /// The place of the picture in a window.
    pub fn place(self, width: usize, height: usize, whole_multiples: bool) -> Place {
        let part = self.overscan.part();
        let lines = part.height as f64;
        let shape = match self.shape {
            Shape::Window => width as f64 / height.max(1) as f64,
            _ => part.width as f64 * self.aspect() / lines,
        };
        // A pixel of rounding in the window's width must not cost a line.
        let mut tall = (height as f64).min((width as f64 + 0.5) / shape);
        if whole_multiples && tall >= lines {
            tall = (tall / lines).floor() * lines;
        }
        let h = (tall as usize).clamp(1, height.max(1));
        let w = ((h as f64 * shape).round() as usize).clamp(1, width.max(1));
        Place {
            x: (width - w.min(width)) / 2,
            y: (height - h.min(height)) / 2,
            width: w,
            height: h,
        }
    }
}

/// Height of the screen that a desktop needs for its title bar and panel.
const DESKTOP: usize = 80;

/// Two source pixels, and the weight of the second, 0 to 256.
type Tap = (usize, usize, u32);

/// For each of `target` output pixels its taps of `source` pixels from `from` on: what it covers, or with `smooth` what is nearest.
fn taps(from: usize, source: usize, target: usize, smooth: bool) -> Vec<Tap> {
    let step = source as f64 / target as f64;
    let last = source - 1;
    let tap = |i: usize| {
        let (first, over) = if smooth {
            let middle = ((i as f64 + 0.5) * step - 0.5).max(0.0);
            (middle as usize, middle.fract())
        } else {
            let start = i as f64 * step;
            let first = (start as usize).min(last);
            (first, (start + step - (first + 1) as f64).max(0.0) / step)
        };
        let weight = (over.min(1.0) * 256.0).round() as u32;
        (from + first.min(last), from + (first + 1).min(last), weight)
    };
    (0..target).map(tap).collect()
}

/// How dark the gaps between lines are, of 256.
const GAP: u32 = 112;

/// True if a line of the screen is in the gap below one of the picture's `lines`: the last third or half of it.
fn gap(i: usize, lines: usize, height: usize) -> bool {
    let within = (i as f64 + 0.5) * lines as f64 / height as f64;
    height >= 2 * lines && within.fract() > 0.6
}

/// Stretches pictures; keeps its tables from one picture to the next.
#[derive(Debug, Default)]
pub struct Scaler {
    key: (usize, usize, Overscan, bool),
    columns: Vec<Tap>,
    rows: Vec<Tap>,
    lines: [Vec<u32>; 2],
    /// Dark gaps between the picture's lines, where there are two lines of the screen or more to one.
    pub scan_lines: bool,
    /// Pixels that run into each other, and not ones with edges.
    pub smooth: bool,
    /// The part of the picture that is drawn.
    pub overscan: Overscan,
    /// The effects of a tube.
    pub glass: TubeConfig,
    tube: Tube,
}

impl Scaler {
    /// As the settings of the window say.
    pub fn configure(&mut self, window: &WindowConfig) {
        self.scan_lines = window.scan_lines;
        self.smooth = window.smooth;
        self.overscan = window.overscan;
        self.glass = window.tube;
    }

    /// Draws `picture` ([`WIDTH`] x [`HEIGHT`] pixels) at `place`: each output pixel is the mean of what it covers.
    pub fn draw(&mut self, canvas: &mut Canvas, place: Place, picture: &[u32]) {
        self.draw_rows(canvas, place, picture, &(0..HEIGHT));
    }

    /// Like [`Self::draw`] where only some rows of the picture are others than before. Gives the lines of the canvas that were drawn.
    pub fn draw_rows(
        &mut self,
        canvas: &mut Canvas,
        place: Place,
        picture: &[u32],
        changed: &Range<usize>,
    ) -> Range<usize> {
        if picture.len() < WIDTH * HEIGHT
            || place.x + place.width > canvas.width
            || place.y + place.height > canvas.height
            || changed.is_empty()
        {
            return 0..0;
        }
        let part = self.overscan.part();
        if !self.glass.is_off() {
            let how = (self.glass, self.scan_lines);
            return self
                .tube
                .draw((canvas, place), (picture, part), how, changed);
        }
        let key = (place.width, place.height, self.overscan, self.smooth);
        if self.key != key {
            self.key = key;
            self.columns = taps(part.x, part.width, place.width, self.smooth);
            self.rows = taps(part.y, part.height, place.height, self.smooth);
        }
        // Source lines that the two buffers hold.
        let mut held = [usize::MAX; 2];
        let mut last = None;
        let shows =
            |&(a, b, weight): &Tap| changed.contains(&a) || weight > 0 && changed.contains(&b);
        let first = self.rows.iter().position(shows).unwrap_or(0);
        let end = self.rows.iter().rposition(shows).map_or(first, |at| at + 1);
        for (i, &tap) in self.rows.iter().enumerate().take(end).skip(first) {
            let at = (place.y + i) * canvas.width + place.x;
            if last == Some(tap) && tap.2 == 0 && !self.scan_lines {
                canvas
                    .pixels
                    .copy_within(at - canvas.width..at - canvas.width + place.width, at);
                continue;
            }
            last = Some(tap);
            let dark = self.scan_lines && gap(i, part.height, place.height);
            let (a, b, weight) = tap;
            for source in [a, b] {
                if held[source & 1] != source {
                    held[source & 1] = source;
                    let line = &picture[source * WIDTH..(source + 1) * WIDTH];
                    let stretched = &mut self.lines[source & 1];
                    stretched.clear();
                    stretched.extend(
                        self.columns
                            .iter()
                            .map(|&(l, r, w)| mix(line[l], line[r], w)),
                    );
                }
            }
            let target = &mut canvas.pixels[at..at + place.width];
            if weight == 0 {
                target.copy_from_slice(&self.lines[a & 1]);
            } else {
                let (upper, lower) = (&self.lines[a & 1], &self.lines[b & 1]);
                for ((pixel, &u), &l) in target.iter_mut().zip(upper).zip(lower) {
                    *pixel = mix(u, l, weight);
                }
            }
            if dark {
                for pixel in target {
                    *pixel = mix(*pixel, 0, GAP);
                }
            }
        }
        place.y + first..place.y + end
    }
}

/// Makes pictures of one size, for files.
#[derive(Debug, Default)]
pub struct Shaped {
    scaler: Scaler,
    picture: Vec<u32>,
    canvas: Canvas,
}

impl Shaped {
    /// Pictures of this width and height, all of the picture and without dark gaps.
    pub fn new((width, height): (usize, usize)) -> Self {
        let mut shaped = Self {
            picture: vec![0; WIDTH * HEIGHT],
            ..Self::default()
        };
        shaped.canvas.resize(width, height);
        shaped
    }

    /// Pictures of this width and height as a window shows them.
    pub fn as_in(window: &WindowConfig, size: (usize, usize)) -> Self {
        let mut shaped = Self::new(size);
        shaped.scaler.configure(window);
        shaped
    }

    /// Width and height.
    pub fn size(&self) -> (usize, usize) {
        (self.canvas.width, self.canvas.height)
    }

    /// A frame as it looks.
    pub fn draw(&mut self, look: &Look, frame: &Frame) -> &Canvas {
        colour(look, frame, &mut self.picture);
        let place = Place {
            x: 0,
            y: 0,
            width: self.canvas.width,
            height: self.canvas.height,
        };
        self.scaler.draw(&mut self.canvas, place, &self.picture);
        &self.canvas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_no_larger_than_the_screen() {
        let size = |screen| View::of(Tv::Ntsc).fitting_size(3, screen).1 / HEIGHT;
        assert_eq!(size(None), 3);
        assert_eq!(size(Some((1920, 1080))), 3);
        assert_eq!(size(Some((1366, 768))), 2);
        assert_eq!(size(Some((320, 200))), 1);
    }

    #[test]
    fn the_picture_keeps_its_shape_in_every_window() {
        for tv in [Tv::Ntsc, Tv::Pal] {
            for (w, h) in [(967, 720), (1920, 1080), (300, 900), (64, 48), (1, 1)] {
                let place = View::of(tv).place(w, h, false);
                assert!(place.x + place.width <= w && place.y + place.height <= h);
                if w > 100 {
                    let shape = place.width as f64 / place.height as f64;
                    assert!(
                        (shape - 376.0 * tv.pixel_aspect() / 240.0).abs() < 0.01,
                        "{place:?}"
                    );
                }
            }
        }
        let (w, h) = View::of(Tv::Ntsc).size(3);
        assert_eq!(View::of(Tv::Ntsc).place(w, h, true).height, 720);
        assert_eq!(View::of(Tv::Ntsc).place(w, h, false).height, 720);
    }

    #[test]
    fn one_line_of_the_picture_becomes_exactly_three() {
        let mut picture = vec![0; WIDTH * HEIGHT];
        picture[WIDTH * 100..WIDTH * 101].fill(0xFF_FFFF);
        let mut canvas = Canvas::default();
        canvas.resize(967, 720);
        Scaler::default().draw(
            &mut canvas,
            View::of(Tv::Ntsc).place(967, 720, false),
            &picture,
        );
        let lit: Vec<usize> = (0..720)
            .filter(|y| canvas.pixels[y * 967 + 400] != 0)
            .collect();
        assert_eq!(lit, [300, 301, 302]);
    }

    #[test]
    fn rows_that_have_changed_are_drawn_as_in_the_whole_picture() {
        let mut before = vec![0; WIDTH * HEIGHT];
        for (n, pixel) in before.iter_mut().enumerate() {
            *pixel = (n * 2_654_435) as u32 & 0xFF_FFFF;
        }
        for (size, scan_lines) in [
            ((645, 480), false),
            ((967, 720), true),
            ((480, 360), false),
            ((700, 211), false),
            ((1612, 1200), true),
        ] {
            for rows in [0..1, 17..18, 100..160, 239..240, 0..240, 5..5] {
                let mut scaler = Scaler {
                    scan_lines,
                    ..Scaler::default()
                };
                let place = View::of(Tv::Ntsc).place(size.0, size.1, false);
                let mut canvas = Canvas::default();
                canvas.resize(size.0, size.1);
                scaler.draw(&mut canvas, place, &before);
                let mut after = before.clone();
                for pixel in &mut after[rows.start * WIDTH..rows.end * WIDTH] {
                    *pixel ^= 0x5A_A53C;
                }
                let mut whole = canvas.clone();
                let lines = scaler.draw_rows(&mut canvas, place, &after, &rows);
                let old = whole.pixels.clone();
                Scaler {
                    scan_lines,
                    ..Scaler::default()
                }
                .draw(&mut whole, place, &after);
                assert!(canvas.pixels == whole.pixels, "{size:?} {rows:?}");
                for y in (0..size.1).filter(|y| !lines.contains(y)) {
                    let line = y * size.0..(y + 1) * size.0;
                    assert!(
                        old[line.clone()] == whole.pixels[line],
                        "{size:?} {rows:?} {y}"
                    );
                }
            }
        }
    }

    #[test]
    fn scan_lines_leave_dark_gaps_where_there_is_room() {
        let picture = vec![0xC8_C8C8; WIDTH * HEIGHT];
        let mut scaler = Scaler {
            scan_lines: true,
            ..Scaler::default()
        };
        for (scale, dark) in [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2)] {
            let (width, height) = View::of(Tv::Ntsc).size(scale);
            let mut canvas = Canvas::default();
            canvas.resize(width, height);
            scaler.draw(
                &mut canvas,
                View::of(Tv::Ntsc).place(width, height, false),
                &picture,
            );
            let column: Vec<u32> = (0..height).map(|y| canvas.pixels[y * width + 9]).collect();
            for lines in column.chunks(scale) {
                let light = scale - dark;
                assert!(lines[..light].iter().all(|&pixel| pixel == 0xC8_C8C8));
                assert!(
                    lines[light..].iter().all(|&pixel| pixel < 0x80_8080),
                    "{scale}"
                );
            }
        }
    }

    #[test]
    fn a_small_window_and_a_wrong_picture_do_no_harm() {
        let mut canvas = Canvas::default();
        canvas.resize(50, 40);
        Scaler::default().draw(
            &mut canvas,
            View::of(Tv::Pal).place(50, 40, false),
            &vec![5; WIDTH * HEIGHT],
        );
        assert_eq!(canvas.pixels[20 * 50 + 25], 5);
        Scaler::default().draw(&mut canvas, View::of(Tv::Pal).place(50, 40, false), &[]);
    }

    #[test]
    fn a_part_of_the_picture_fills_the_window_in_its_shape() {
        let mut picture = vec![0xFF_0000; WIDTH * HEIGHT];
        for row in picture.chunks_exact_mut(WIDTH).skip(24).take(192) {
            row[28..348].fill(0x00_FF00);
        }
        for smooth in [false, true] {
            let view = View {
                overscan: Overscan::Playfield,
                ..View::of(Tv::Ntsc)
            };
            let (width, height) = view.size(3);
            assert_eq!((width, height), (823, 576));
            let mut canvas = Canvas::default();
            canvas.resize(width, height);
            let mut scaler = Scaler {
                overscan: Overscan::Playfield,
                smooth,
                ..Scaler::default()
            };
            let place = view.place(width, height, false);
            assert_eq!((place.width, place.height), (width, height));
            scaler.draw(&mut canvas, place, &picture);
            assert!(canvas.pixels.iter().all(|&pixel| pixel == 0x00_FF00));
        }
    }

    #[test]
    fn shapes_are_those_of_television_pixels_and_window() {
        let place = |shape| {
            let view = View {
                shape,
                ..View::of(Tv::Ntsc)
            };
            let place = view.place(1600, 720, false);
            (place.width, place.height)
        };
        assert_eq!(place(Shape::Television), (967, 720));
        assert_eq!(place(Shape::Square), (1128, 720));
        assert_eq!(place(Shape::Window), (1600, 720));
    }

    #[test]
    fn a_picture_in_another_size_has_the_means_of_its_pixels() {
        let picture = [
            0x00_0010, 0x00_0030, 0xFF_0050, 0x00_0070, 0x10_0000, 0x20_0000, 0, 0x40_0000,
        ];
        assert_eq!(resize(&picture, (4, 2), (2, 1)), [0x0C_0010, 0x4F_0030]);
        assert_eq!(resize(&picture, (4, 2), (4, 2)), picture);
        assert_eq!(resize(&picture[..1], (1, 1), (2, 2)), [0x10; 4]);
        assert_eq!(resize(&picture, (4, 2), (3, 1)).len(), 3);
        assert_eq!(resize(&[], (0, 0), (1, 1)), [0]);
    }

    #[test]
    fn smooth_pixels_run_into_each_other_and_others_have_edges() {
        let mut picture = vec![0; WIDTH * HEIGHT];
        for row in picture.chunks_exact_mut(WIDTH) {
            row[188..].fill(0xFF_FFFF);
        }
        let between = |smooth| {
            let (width, height) = (WIDTH * 4, HEIGHT * 4);
            let mut canvas = Canvas::default();
            canvas.resize(width, height);
            let mut scaler = Scaler {
                smooth,
                ..Scaler::default()
            };
            let place = Place {
                x: 0,
                y: 0,
                width,
                height,
            };
            scaler.draw(&mut canvas, place, &picture);
            let row = &canvas.pixels[..width];
            row.iter()
                .filter(|&&pixel| pixel != 0 && pixel != 0xFF_FFFF)
                .count()
        };
        assert_eq!((between(false), between(true)), (0, 4));
    }
}
