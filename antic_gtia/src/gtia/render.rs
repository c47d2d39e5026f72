//! From AN codes and objects to colour indexes.
use super::Gtia;
use super::objects::Lit;
use super::priority;
use crate::antic::AnBus;
use crate::{COLOUR_CLOCKS, END_VISIBLE, FIRST_VISIBLE};

/// How GTIA reads the AN codes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
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
struct Codes<'a> {
    an: &'a AnBus,
    from: usize,
    to: usize,
    late: usize,
}

impl Codes<'_> {
    #[inline]
    fn at(&self, x: usize) -> u8 {
        if x >= self.from && x < self.to {
            self.an.codes[x.wrapping_sub(self.late) & 255]
        } else {
            0
        }
    }

    /// The four bits of the two colour clocks at the even position `x`.
    #[inline]
    fn nibble(&self, x: usize) -> u8 {
        (self.at(x) & 3) << 2 | self.at(x + 1) & 3
    }
}

impl Gtia {
    /// Brings picture, objects and collisions up to colour clock `to` (not included) of the line on the AN lines.
    #[inline]
    pub fn sync_to(&mut self, to: usize, an: &AnBus) {
        let to = to.min(COLOUR_CLOCKS);
        let from = usize::from(self.at);
        if to > from {
            self.at = to as u16;
            self.render(from, to, an);
        }
    }

    fn render(&mut self, from: usize, to: usize, an: &AnBus) {
        if from <= FIRST_VISIBLE {
            // The flip-flop can be set only during horizontal blank.
            self.hires = an.hires && self.prior & 0xC0 == 0;
        }
        let a = from.max(FIRST_VISIBLE);
        let b = to.min(END_VISIBLE);
        let codes = Codes {
            an,
            from: usize::from(an.from),
            to: if self.absent { 0 } else { usize::from(an.to) },
            late: usize::from(an.late + self.held),
        };
        let reading = match self.prior >> 6 {
            0 if self.hires => Reading::Hires,
            0 => Reading::Lores,
            1 => Reading::Luminance,
            2 => Reading::Registers,
            _ => Reading::Hue,
        };
        let (open, close) = if an.blank { (b, b) } else { (a, b) };
        if a < b {
            if an.blank {
                self.pixels[2 * (a - FIRST_VISIBLE)..2 * (b - FIRST_VISIBLE)].fill(0);
            }
            if open < close {
                self.playfield(open, close, reading, codes);
            }
        }
        let active = if self.objects.idle() {
            0
        } else {
            self.objects.active(from, to)
        };
        if active != 0 {
            let mut lit = Lit::new();
            self.objects.run(from, to, active, &mut lit);
            let start = lit.from.max(open);
            let end = lit.to.min(close);
            if start < end {
                self.overlay(start, end, reading, codes, &lit);
            }
        }
    }

    /// Draws the playfield alone, from colour clock `a` up to `b`.
    fn playfield(&mut self, a: usize, b: usize, reading: Reading, codes: Codes) {
        match reading {
            Reading::Lores | Reading::Hires => {
                // Nothing was shifted out: all border.
                let empty = !codes.an.used && !codes.an.hires;
                let from = codes.from.clamp(a, b);
                let to = if empty { from } else { codes.to.clamp(from, b) };
                let late = codes.late;
                let bk = self.colours.bk;
                let all = &mut self.pixels[2 * (a - FIRST_VISIBLE)..2 * (b - FIRST_VISIBLE)];
                let (left, rest) = all.split_at_mut(2 * (from - a));
                let (middle, right) = rest.split_at_mut(2 * (to - from));
                left.fill(bk);
                right.fill(bk);
                if from < to {
                    let shifted = &codes.an.codes[from - late..to - late];
                    let pf = self.colours.pf;
                    if reading == Reading::Hires {
                        let dark = pf[2];
                        let bright = pf[2] & 0xF0 | pf[1] & 0x0F;
                        hires(middle, shifted, dark, bright);
                    } else {
                        lores(middle, shifted, bk, pf);
                    }
                }
            }
            Reading::Luminance => {
                let bk = self.colours.bk;
                let table = core::array::from_fn(|v| bk | v as u8 & 15);
                self.nibbles(a, b, 0, codes, &table);
            }
            Reading::Hue => {
                let bk = self.colours.bk;
                let table = core::array::from_fn(|v| match v as u8 & 15 {
                    0 => bk & 0xF0,
                    v => bk | v << 4,
                });
                self.nibbles(a, b, 0, codes, &table);
            }
            Reading::Registers => {
                let c = self.colours;
                let table = core::array::from_fn(|v| {
                    let muted = v & 0x10 == 0 && v & 4 != 0;
                    match v & 15 {
                        _ if muted => c.bk,
                        v @ 0..=3 => c.pm[v],
                        8..=11 => c.bk,
                        v => c.pf[v & 3],
                    }
                });
                self.nibbles(a, b, 1, codes, &table);
            }
        }
    }

    /// The value of a GTIA mode 10 pixel at `x`; a background code in its second half mutes the playfield.
    #[inline]
    fn nine(codes: Codes, x: usize) -> u8 {
        let x = (x - 1) & !1;
        let v = codes.nibble(x);
        if v & 4 != 0 && codes.at(x + 1) == 0 {
            8
        } else {
            v
        }
    }

    #[inline]
    fn pair(&mut self, x: usize, left: u8, right: u8) {
        let i = 2 * (x - FIRST_VISIBLE);
        if let Some(pixels) = self.pixels.get_mut(i..i + 2) {
            pixels[0] = left;
            pixels[1] = right;
        }
    }

    /// Draws four-bit pixels, each two colour clocks wide and `shift` colour clocks late. The table's index is the pixel, plus $10 if
    /// its second half is not the background.
    fn nibbles(&mut self, a: usize, b: usize, shift: usize, codes: Codes, table: &[u8; 32]) {
        let one = |x: usize| {
            let x = (x - shift) & !1;
            let second = codes.at(x + 1);
            table[usize::from((codes.at(x) & 3) << 2 | second & 3 | second << 2 & 0x10) & 31]
        };
        // Whole pixels inside the playfield; the rest one by one, or as the same colour outside.
        let whole = |x: usize| (x - shift).next_multiple_of(2) + shift;
        let from = whole(codes.from.max(a)).min(b);
        let to = codes.to.clamp(from, b);
        let to = from + ((to - from) & !1);
        for x in a..from {
            if x + 1 < codes.from {
                continue;
            }
            let colour = one(x);
            self.pair(x, colour, colour);
        }
        let outside = codes.from.saturating_sub(1).clamp(a, from);
        self.pixels[2 * (a - FIRST_VISIBLE)..2 * (outside - FIRST_VISIBLE)].fill(table[0]);
        if from < to {
            let start = from - shift - codes.late;
            let shifted = &codes.an.codes[start..start + (to - from)];
            let pixels = &mut self.pixels[2 * (from - FIRST_VISIBLE)..2 * (to - FIRST_VISIBLE)];
            for (four, two) in pixels.chunks_exact_mut(4).zip(shifted.chunks_exact(2)) {
                let index = (two[0] & 3) << 2 | two[1] & 3 | two[1] << 2 & 0x10;
                let colour = u32::from(table[usize::from(index & 31)]) * 0x0101_0101;
                four.copy_from_slice(&colour.to_le_bytes());
            }
        }
        let outside = (codes.to + 2).clamp(to, b);
        for x in to..outside {
            let colour = one(x);
            self.pair(x, colour, colour);
        }
        self.pixels[2 * (outside - FIRST_VISIBLE)..2 * (b - FIRST_VISIBLE)].fill(table[0]);
    }

    /// Draws objects over the playfield and notes collisions, from colour clock `a` up to `b`.
    fn overlay(&mut self, a: usize, b: usize, reading: Reading, codes: Codes, lit: &Lit) {
        let from = codes.from.clamp(a, b);
        let to = codes.to.clamp(from, b);
        match reading {
            Reading::Lores | Reading::Hires => {
                self.over_border(a, from, lit);
                let start = from.saturating_sub(codes.late);
                let shifted = codes
                    .an
                    .codes
                    .get(start..start + (to - from))
                    .unwrap_or(&[]);
                if reading == Reading::Hires {
                    self.over_hires(from, shifted, lit);
                } else {
                    self.over_lores(from, shifted, lit);
                }
                self.over_border(to, b, lit);
            }
            _ => self.over_nibbles(a, b, reading, codes, lit),
        }
    }

    /// The pixels of the colour clocks from `x` on, as pairs, with what is lit there.
    #[inline]
    fn spots<'a>(
        pixels: &'a mut [u8],
        lit: &'a Lit,
        x: usize,
    ) -> impl Iterator<Item = (&'a mut [u8], &'a u8)> {
        pixels[2 * (x - FIRST_VISIBLE)..]
            .chunks_exact_mut(2)
            .zip(&lit.at[x..])
    }

    /// Players and the fifth player among what is lit on one spot.
    #[inline]
    fn players(&self, objects: u8) -> (u8, bool) {
        if self.prior & 0x10 != 0 {
            (objects & 15, objects & 0xF0 != 0)
        } else {
            ((objects | objects >> 4) & 15, false)
        }
    }

    /// Notes the objects that are together on one spot.
    #[inline]
    fn meet(&mut self, objects: u8) {
        if objects & objects.wrapping_sub(1) != 0 {
            self.met[usize::from(objects >> 5)] |= 1 << (objects & 31);
        }
    }

    /// Objects where there is no playfield.
    fn over_border(&mut self, a: usize, b: usize, lit: &Lit) {
        let mut last = 0;
        let mut colour = 0;
        let mut x = lit.next(a);
        while x < b {
            let objects = lit.at[x];
            if objects == 0 {
                x = lit.next(x + 1);
                continue;
            }
            if objects != last {
                last = objects;
                self.meet(objects);
                let (players, fifth) = self.players(objects);
                colour = self
                    .colours
                    .mix(priority::resolve(self.prior, 0, fifth, players));
            }
            self.pair(x, colour, colour);
            x += 1;
        }
    }

    /// Objects over hires pixels: the priority logic sees PF2, collisions see lit pixels.
    fn over_hires(&mut self, a: usize, codes: &[u8], lit: &Lit) {
        let b = a + codes.len();
        let luminance = self.colours.pf[1] & 0x0F;
        let mut hits = 0;
        let mut last = 0;
        let mut dark = 0;
        let mut bright = 0;
        let mut x = lit.next(a);
        while x < b {
            for ((pair, &objects), &code) in
                Self::spots(&mut self.pixels, lit, x).zip(&codes[x - a..])
            {
                if objects == 0 {
                    break;
                }
                if objects != last {
                    last = objects;
                    if objects & (objects - 1) != 0 {
                        self.met[usize::from(objects >> 5)] |= 1 << (objects & 31);
                    }
                    let (players, fifth) = if self.prior & 0x10 != 0 {
                        (objects & 15, objects & 0xF0 != 0)
                    } else {
                        ((objects | objects >> 4) & 15, false)
                    };
                    dark = self
                        .colours
                        .mix(priority::resolve(self.prior, 6, fifth, players));
                    bright = dark & 0xF0 | luminance;
                }
                if code & 3 != 0 {
                    hits |= objects;
                }
                pair[0] = if code & 2 != 0 { bright } else { dark };
                pair[1] = if code & 1 != 0 { bright } else { dark };
                x += 1;
            }
            x = lit.next(x + 1);
        }
        self.playfield_hits[2] |= hits;
    }

    /// Objects over a playfield of one colour a colour clock.
    fn over_lores(&mut self, a: usize, codes: &[u8], lit: &Lit) {
        let b = a + codes.len();
        let mut hits = [0; 8];
        let mut x = lit.next(a);
        while x < b {
            for ((pair, &objects), &code) in
                Self::spots(&mut self.pixels, lit, x).zip(&codes[x - a..])
            {
                if objects == 0 {
                    break;
                }
                if objects & (objects - 1) != 0 {
                    self.met[usize::from(objects >> 5)] |= 1 << (objects & 31);
                }
                let (players, fifth) = if self.prior & 0x10 != 0 {
                    (objects & 15, objects & 0xF0 != 0)
                } else {
                    ((objects | objects >> 4) & 15, false)
                };
                hits[usize::from(code & 7)] |= objects;
                let colour = self
                    .colours
                    .mix(priority::resolve(self.prior, code, fifth, players));
                pair[0] = colour;
                pair[1] = colour;
                x += 1;
            }
            x = lit.next(x + 1);
        }
        for (hit, new) in self.playfield_hits.iter_mut().zip(&hits[4..]) {
            *hit |= new;
        }
    }

    /// Objects over the GTIA modes.
    fn over_nibbles(&mut self, a: usize, b: usize, reading: Reading, codes: Codes, lit: &Lit) {
        let mut x = lit.next(a);
        while x < b {
            let objects = lit.at[x];
            if objects == 0 {
                x = lit.next(x + 1);
                continue;
            }
            self.meet(objects);
            let (players, fifth) = self.players(objects);
            let colour = if reading == Reading::Registers {
                let v = Self::nine(codes, x);
                let (shown, code) = match v {
                    0..=3 => (players | 1 << v, 0),
                    8..=11 => (players, 0),
                    _ => (players, 4 | v & 3),
                };
                if code != 0 {
                    self.playfield_hits[usize::from(code & 3)] |= objects;
                }
                self.colours
                    .mix(priority::resolve(self.prior, code, fifth, shown))
            } else {
                let colour = self
                    .colours
                    .mix(priority::resolve(self.prior, 0, fifth, players));
                if players == 0 {
                    // Only the fifth player: the playfield is impressed on it.
                    match (reading, codes.nibble(x & !1)) {
                        (Reading::Luminance, v) => colour | v,
                        (_, 0) => colour & 0xF0,
                        (_, v) => colour | v << 4,
                    }
                } else {
                    colour
                }
            };
            self.pair(x, colour, colour);
            x += 1;
        }
    }
}

#[inline(never)]
fn lores(pixels: &mut [u8], codes: &[u8], bk: u8, pf: [u8; 4]) {
    for (pair, &code) in pixels.chunks_exact_mut(2).zip(codes) {
        let mut colour = bk;
        colour = if code == 4 { pf[0] } else { colour };
        colour = if code == 5 { pf[1] } else { colour };
        colour = if code == 6 { pf[2] } else { colour };
        colour = if code == 7 { pf[3] } else { colour };
        pair[0] = colour;
        pair[1] = colour;
    }
}

#[inline(never)]
fn hires(pixels: &mut [u8], codes: &[u8], dark: u8, bright: u8) {
    for (pair, &code) in pixels.chunks_exact_mut(2).zip(codes) {
        pair[0] = if code & 2 != 0 { bright } else { dark };
        pair[1] = if code & 1 != 0 { bright } else { dark };
    }
}
