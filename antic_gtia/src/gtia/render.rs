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
        if !self.objects.idle() && self.objects.active(from, to) {
            let mut lit = Lit::new();
            self.objects.run(from, to, &mut lit);
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
                let from = codes.from.clamp(a, b);
                let to = codes.to.clamp(from, b);
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
        let x = x - 1 & !1;
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
            let x = x - shift & !1;
            let second = codes.at(x + 1);
            table[usize::from((codes.at(x) & 3) << 2 | second & 3 | second << 2 & 0x10) & 31]
        };
        // Whole pixels inside the playfield; the rest one by one, or as the same colour outside.
        let whole = |x: usize| (x - shift).next_multiple_of(2) + shift;
        let from = whole(codes.from.max(a)).min(b);
        let to = codes.to.clamp(from, b);
        let to = from + (to - from & !1);
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
        let prior = self.prior;
        let c = self.colours;
        let mut x = a;
        while x < b {
            let objects = lit.at[x];
            if objects == 0 {
                x = lit.next(x + 1);
                continue;
            }
            // A run of the same objects.
            let mut end = x + 1;
            while end < b && lit.at[end] == objects {
                end += 1;
            }
            if objects & objects - 1 != 0 {
                self.met[usize::from(objects >> 5)] |= 1 << (objects & 31);
            }
            let (players, fifth) = if prior & 0x10 != 0 {
                (objects & 15, objects & 0xF0 != 0)
            } else {
                ((objects | objects >> 4) & 15, false)
            };
            let mut hits = [0; 8];
            match reading {
                Reading::Lores => {
                    // By AN code; computed when met.
                    let mut known = [0; 8];
                    let mut have = 0u8;
                    for x in x..end {
                        let code = codes.at(x) & 7;
                        let n = usize::from(code);
                        if have >> code & 1 == 0 {
                            have |= 1 << code;
                            known[n] = c.mix(priority::resolve(prior, code, fifth, players));
                        }
                        hits[n] |= objects;
                        self.pair(x, known[n], known[n]);
                    }
                }
                Reading::Hires => {
                    let colour = c.mix(priority::resolve(prior, 6, fifth, players));
                    let bright = colour & 0xF0 | c.pf[1] & 0x0F;
                    for x in x..end {
                        let code = codes.at(x);
                        if code == 0 {
                            let border = c.mix(priority::resolve(prior, 0, fifth, players));
                            self.pair(x, border, border);
                            continue;
                        }
                        if code & 3 != 0 {
                            hits[6] |= objects;
                        }
                        let left = if code & 2 != 0 { bright } else { colour };
                        let right = if code & 1 != 0 { bright } else { colour };
                        self.pair(x, left, right);
                    }
                }
                Reading::Luminance | Reading::Hue => {
                    let colour = c.mix(priority::resolve(prior, 0, fifth, players));
                    for x in x..end {
                        let mut colour = colour;
                        if players == 0 {
                            // Only the fifth player: the playfield is impressed on it.
                            let v = codes.nibble(x & !1);
                            if reading == Reading::Luminance {
                                colour |= v;
                            } else {
                                if v == 0 {
                                    colour &= 0xF0;
                                }
                                colour |= v << 4;
                            }
                        }
                        self.pair(x, colour, colour);
                    }
                }
                Reading::Registers => {
                    for x in x..end {
                        let v = Self::nine(codes, x);
                        let (shown, code) = match v {
                            0..=3 => (players | 1 << v, 0),
                            8..=11 => (players, 0),
                            _ => (players, 4 | v & 3),
                        };
                        hits[usize::from(code & 7)] |= objects;
                        let colour = c.mix(priority::resolve(prior, code, fifth, shown));
                        self.pair(x, colour, colour);
                    }
                }
            }
            for (hit, new) in self.playfield_hits.iter_mut().zip(&hits[4..]) {
                *hit |= new;
            }
            x = end;
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
