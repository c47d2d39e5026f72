//! From AN codes and objects to colour indexes.
use super::Gtia;
use super::overlay::{NO_REGISTER, lit_pixel};
use crate::antic::AnBus;
use crate::{COLOUR_CLOCKS, END_VISIBLE, FIRST_VISIBLE};

/// The way in which GTIA reads the AN codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reading {
    /// A playfield a colour clock.
    Lores,
    /// Two pixels a colour clock.
    Hires,
    /// GTIA mode 9: luminances.
    Luminance,
    /// GTIA mode 10: nine colour registers, a colour clock later.
    Registers,
    /// GTIA mode 11: hues.
    Hue,
}

/// The AN codes with window and delay.
#[derive(Clone, Copy)]
pub(super) struct Codes<'a> {
    pub an: &'a AnBus,
    pub from: usize,
    pub to: usize,
    pub late: usize,
}

impl Codes<'_> {
    /// True if the line is read as playfields or hires pixels, and has any: where nothing was shifted out, all is border.
    #[inline]
    pub fn is_playfield(&self, reading: Reading) -> bool {
        matches!(reading, Reading::Lores | Reading::Hires) && (self.an.used || self.an.hires)
    }

    /// True if the playfield is shown at `x`.
    #[inline]
    pub fn show(&self, x: usize) -> bool {
        // One comparison; a window that is empty is so here, too.
        x.wrapping_sub(self.from) < self.to.saturating_sub(self.from)
    }

    #[inline]
    pub fn at(&self, x: usize) -> u8 {
        if self.show(x) {
            self.an.codes[x.wrapping_sub(self.late) & 255]
        } else {
            0
        }
    }

    /// The four bits of the two colour clocks at the even position `x`.
    #[inline]
    pub fn nibble(&self, x: usize) -> u8 {
        (self.at(x) & 3) << 2 | self.at(x + 1) & 3
    }

    /// The value of a GTIA mode 10 pixel at `x`; a background code in its second half mutes the playfield.
    #[inline]
    pub fn nine(&self, x: usize) -> u8 {
        let x = (x - 1) & !1;
        let v = self.nibble(x);
        if v & 4 != 0 && self.at(x + 1) == 0 {
            8
        } else {
            v
        }
    }
}

impl Gtia {
    /// Brings picture, objects and collisions up to colour clock `to` (not included) of the line on the AN lines.
    #[inline]
    pub fn sync_to(&mut self, to: usize, an: &AnBus) {
        if to > usize::from(self.at) {
            self.draw_to(to, an);
        }
    }

    #[inline(never)]
    fn draw_to(&mut self, to: usize, an: &AnBus) {
        let to = to.min(COLOUR_CLOCKS);
        let from = usize::from(self.at);
        if to <= from {
            return;
        }
        self.at = to as u16;
        if from <= FIRST_VISIBLE {
            // The flip-flop can be set only during horizontal blank.
            self.hires = an.hires && self.prior & 0xC0 == 0;
        }
        let passed = self.objects.passed(from, to);
        let mut active = self.objects.active(passed);
        if active != 0 && from == 0 && self.objects.some_parked(active) {
            // Their images end before the picture begins.
            active = self.objects.end_before(to.min(FIRST_VISIBLE), active);
        }
        let whole = from == 0 && to == COLOUR_CLOCKS && active == 0;
        // The row of the line before, or none at all.
        let drawn = whole && an.repeats() && *self.row_stands;
        let seen = active != 0 || !(drawn || *self.leaves_out_pixels);
        self.row_stands.0 = drawn || whole && seen;
        if seen && to > FIRST_VISIBLE && from < END_VISIBLE {
            let plain = active == 0 && self.prior & 0xC0 == 0 && !an.blank;
            if plain && from >= usize::from(an.to).max(FIRST_VISIBLE) {
                // Only the right border, after a colour changed in it.
                self.fill(from, to.min(END_VISIBLE), self.colours.bk());
            } else if *self.leaves_out_pixels && !an.blank {
                self.touch(from, to, active, an);
            } else {
                self.render(from, to, active, an);
            }
        } else if active != 0 {
            self.objects.run_hidden(from, to, active);
        }
        if passed != 0 {
            self.objects.settle(passed);
        }
    }

    /// The AN codes as they act now.
    #[inline]
    pub(super) fn codes<'a>(&self, an: &'a AnBus) -> Codes<'a> {
        Codes {
            an,
            from: usize::from(an.from),
            to: if self.absent { 0 } else { usize::from(an.to) },
            late: usize::from(an.late + self.held),
        }
    }

    /// The reading of the AN codes now.
    #[inline]
    pub(super) fn reading(&self) -> Reading {
        match self.prior >> 6 {
            0 if self.hires => Reading::Hires,
            0 => Reading::Lores,
            1 => Reading::Luminance,
            2 => Reading::Registers,
            _ => Reading::Hue,
        }
    }

    /// Draws colour clocks some of which are in the picture.
    #[inline(never)]
    fn render(&mut self, from: usize, to: usize, active: u64, an: &AnBus) {
        let a = from.max(FIRST_VISIBLE);
        let b = to.min(END_VISIBLE);
        if an.blank {
            self.pixels[2 * (a - FIRST_VISIBLE)..2 * (b - FIRST_VISIBLE)].fill(0);
            if active != 0 {
                self.objects.run_hidden(from, to, active);
            }
            return;
        }
        let codes = self.codes(an);
        let reading = self.reading();
        self.playfield(a, b, reading, codes, active != 0);
        if active != 0 {
            self.overlay((from, to, active), a..b, reading, codes);
        }
    }

    /// Draws only the playfield, from colour clock `a` up to `b`.
    ///
    /// Stores the codes of the playfield for objects that will be drawn over it.
    fn playfield(&mut self, a: usize, b: usize, reading: Reading, codes: Codes, objects: bool) {
        match reading {
            Reading::Lores | Reading::Hires => {
                let from = codes.from.max(a);
                let to = codes.to.min(b);
                let late = codes.late;
                let bk = self.colours.bk();
                self.fill(a, b, bk);
                if codes.is_playfield(reading) && from < to {
                    let shifted = &codes.an.codes[from - late..to - late];
                    let middle =
                        &mut self.pixels[2 * (from - FIRST_VISIBLE)..2 * (to - FIRST_VISIBLE)];
                    let pf = self.colours.pf();
                    let ground =
                        &mut self.lit.ground[2 * (from - FIRST_VISIBLE)..2 * (to - FIRST_VISIBLE)];
                    if reading == Reading::Hires {
                        let dark = pf[2];
                        let change = dark ^ lit_pixel(pf[2], pf[1]);
                        if objects {
                            hires::<true>(middle, ground, shifted, dark, change);
                        } else {
                            hires::<false>(middle, ground, shifted, dark, change);
                        }
                    } else {
                        // In whole groups, for which the compiler makes vectors.
                        let groups = &codes.an.codes[from - late..]
                            [..shifted.len().next_multiple_of(2 * GROUP)];
                        lores(middle, groups, bk, pf);
                        if objects {
                            // The rest after the playfield means nothing.
                            double(&mut self.lit.ground[2 * (from - FIRST_VISIBLE)..], groups);
                        }
                    }
                }
            }
            Reading::Luminance | Reading::Registers | Reading::Hue => {
                self.nibbles(a, b, reading, codes, objects);
            }
        }
    }

    /// Draws four-bit pixels, each two colour clocks wide; those of mode 10 come a colour clock later.
    fn nibbles(&mut self, a: usize, b: usize, reading: Reading, codes: Codes, objects: bool) {
        let late = usize::from(reading == Reading::Registers);
        let from = (codes.from + late).clamp(a, b);
        let to = (codes.to + late).clamp(from, b);
        let (pm, pf, bk) = (self.colours.pm(), self.colours.pf(), self.colours.bk());
        // That of the value 0.
        let border = match reading {
            Reading::Registers => pm[0],
            Reading::Hue => bk & 0xF0,
            _ => bk,
        };
        self.fill(a, from, border);
        self.fill(to, b, border);
        let objects = objects && reading == Reading::Registers;
        if objects {
            self.lit.ground[2 * (a - FIRST_VISIBLE)..2 * (b - FIRST_VISIBLE)].fill(0);
        }
        if from == to {
            return;
        }
        // Whole pixels, the first of which may have begun before.
        let start = (from - late) & !1;
        let begun = from - late - start;
        let groups = (to - late - start).div_ceil(GROUP);
        let shown = &codes.an.codes[start - codes.late..].as_chunks().0[..groups];
        let mut values = [[0; GROUP]; NIBBLE_GROUPS];
        let values = &mut values[..groups];
        let place = 2 * (from - FIRST_VISIBLE)..2 * (to - FIRST_VISIBLE);
        let pixels = &mut self.pixels[place.clone()];
        match reading {
            Reading::Registers => {
                nibble_columns(values, shown);
                if objects {
                    each_twice(&mut self.lit.ground[place], begun, values, |column| column);
                }
                let changes = [pm, pf].map(|colours| colours.map(|colour| colour ^ bk));
                each_twice(pixels, begun, values, |column| {
                    let mut colour = bk;
                    for (i, change) in changes.as_flattened().iter().enumerate() {
                        // As a product: the compiler makes jumps of a choice of eight.
                        colour ^= change * u8::from(column == i as u8);
                    }
                    colour
                });
            }
            Reading::Luminance => {
                nibble_values(values, shown);
                each_twice(pixels, begun, values, |value| bk | value);
            }
            _ => {
                nibble_values(values, shown);
                each_twice(pixels, begun, values, |value| {
                    if value == 0 { border } else { bk | value << 4 }
                });
            }
        }
    }

    /// Draws one colour from colour clock `a` up to `b`.
    #[inline]
    fn fill(&mut self, a: usize, b: usize, colour: u8) {
        if a < b {
            self.pixels[2 * (a - FIRST_VISIBLE)..2 * (b - FIRST_VISIBLE)].fill(colour);
        }
    }
}

/// Groups of codes of a whole line.
const NIBBLE_GROUPS: usize = (END_VISIBLE - FIRST_VISIBLE + 2).div_ceil(GROUP);

/// From the codes of two colour clocks to the value of their pixel, twice.
fn nibble_values(values: &mut [[u8; GROUP]], codes: &[[u8; GROUP]]) {
    let values = values.as_flattened_mut().as_chunks_mut::<2>().0;
    for (value, codes) in values
        .iter_mut()
        .zip(codes.as_flattened().as_chunks::<2>().0)
    {
        let codes = u16::from_le_bytes(*codes);
        let pixel = (codes & 3) << 2 | codes >> 8 & 3;
        *value = (pixel | pixel << 8).to_le_bytes();
    }
}

/// From the codes of two colour clocks to the register of their pixel in mode 10, twice: 0 to 3 COLPM0-3, 4 to 7 COLPF0-3, or
/// [`NO_REGISTER`].
///
/// A background code in the second colour clock mutes the playfield.
fn nibble_columns(columns: &mut [[u8; GROUP]], codes: &[[u8; GROUP]]) {
    let columns = columns.as_flattened_mut().as_chunks_mut::<2>().0;
    for (column, codes) in columns
        .iter_mut()
        .zip(codes.as_flattened().as_chunks::<2>().0)
    {
        let codes = u16::from_le_bytes(*codes);
        let register = codes >> 8 & 3;
        let pixel = if codes & 1 != 0 {
            if codes >> 8 != 0 {
                4 | register
            } else {
                NO_REGISTER.into()
            }
        } else if codes & 2 != 0 {
            NO_REGISTER.into()
        } else {
            register
        };
        *column = (pixel | pixel << 8).to_le_bytes();
    }
}

/// Draws two equal pixels for each colour clock, as `pixel` makes them of its value. The first ones, up to `begun`, are not among `pixels`.
// In this form the compiler makes vectors of sixteen, and moves pixels once.
#[inline]
fn each_twice(pixels: &mut [u8], begun: usize, values: &[[u8; GROUP]], pixel: impl Fn(u8) -> u8) {
    let mut drawn = [[0; 2 * GROUP]; NIBBLE_GROUPS];
    for (drawn, group) in drawn.iter_mut().zip(values) {
        let mut clocks = [0; GROUP];
        for i in 0..GROUP {
            clocks[i] = pixel(group[i]);
        }
        for i in 0..GROUP {
            drawn[2 * i] = clocks[i];
            drawn[2 * i + 1] = clocks[i];
        }
    }
    pixels.copy_from_slice(&drawn.as_flattened()[2 * begun..][..pixels.len()]);
}

/// Two equal pixels for each code.
// Two passes over slices: the compiler makes vectors of both.
#[inline(never)]
fn lores(pixels: &mut [u8], codes: &[u8], bk: u8, pf: [u8; 4]) {
    let [pf0, pf1, pf2, pf3] = pf.map(|colour| colour ^ bk);
    let mut colours = [0; COLOUR_CLOCKS];
    for (colour, &code) in colours.iter_mut().zip(codes) {
        *colour = bk
            ^ if code == 4 { pf0 } else { 0 }
            ^ if code == 5 { pf1 } else { 0 }
            ^ if code == 6 { pf2 } else { 0 }
            ^ if code == 7 { pf3 } else { 0 };
    }
    double(pixels, &colours);
}

/// Each byte twice.
// In this form the compiler makes vectors of sixteen.
fn double(pairs: &mut [u8], bytes: &[u8]) {
    for (pair, &byte) in pairs.chunks_exact_mut(2).zip(bytes) {
        pair[0] = byte;
        pair[1] = byte;
    }
}

/// Codes that are turned into pixels at a time.
const GROUP: usize = 16;

/// Two pixels for each code; with `OBJECTS` also which of them are bright.
#[inline]
fn hires<const OBJECTS: bool>(
    pixels: &mut [u8],
    ground: &mut [u8],
    codes: &[u8],
    dark: u8,
    change: u8,
) {
    let (groups, rest) = codes.as_chunks::<GROUP>();
    let (wide, end) = pixels.as_chunks_mut::<{ 2 * GROUP }>();
    let (wide_ground, end_ground) = ground.as_chunks_mut::<{ 2 * GROUP }>();
    hires_groups::<OBJECTS>(wide, wide_ground, groups, dark, change);
    if !rest.is_empty() {
        let mut last = [0; GROUP];
        last[..rest.len()].copy_from_slice(rest);
        let mut drawn = [[0; 2 * GROUP]];
        let mut ground = [[0; 2 * GROUP]];
        hires_groups::<OBJECTS>(&mut drawn, &mut ground, &[last], dark, change);
        let length = end.len().min(2 * GROUP);
        end[..length].copy_from_slice(&drawn[0][..length]);
        if OBJECTS {
            end_ground[..length].copy_from_slice(&ground[0][..length]);
        }
    }
}

// In this form the compiler makes vectors of sixteen.
#[inline(never)]
fn hires_groups<const OBJECTS: bool>(
    pixels: &mut [[u8; 2 * GROUP]],
    ground: &mut [[u8; 2 * GROUP]],
    codes: &[[u8; GROUP]],
    dark: u8,
    change: u8,
) {
    for ((pixels, ground), codes) in pixels.iter_mut().zip(ground).zip(codes) {
        let mut left = [0; GROUP];
        let mut right = [0; GROUP];
        for i in 0..GROUP {
            left[i] = if codes[i] & 2 != 0 { 0xFF } else { 0 };
        }
        for i in 0..GROUP {
            right[i] = if codes[i] & 1 != 0 { 0xFF } else { 0 };
        }
        if OBJECTS {
            for i in 0..GROUP {
                ground[2 * i] = left[i];
                ground[2 * i + 1] = right[i];
            }
        }
        for i in 0..GROUP {
            pixels[2 * i] = dark ^ left[i] & change;
            pixels[2 * i + 1] = dark ^ right[i] & change;
        }
    }
}
