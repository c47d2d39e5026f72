//! From AN codes and objects to colour indexes.
use super::Gtia;
use super::objects::Lit;
use crate::antic::AnBus;
use crate::{COLOUR_CLOCKS, END_VISIBLE, FIRST_VISIBLE};

/// How GTIA reads the AN codes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
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
            let mut lit = Lit::new(open, close);
            self.objects.run(from, to, active, &mut lit);
            self.meet(&lit);
            let start = lit.from.max(open);
            let end = lit.to.min(close);
            if start < end {
                self.overlay(start, end, reading, codes, &lit);
            }
        }
    }

    /// Notes the objects that were together on one spot.
    #[inline]
    fn meet(&mut self, lit: &Lit) {
        for (met, new) in self.met.iter_mut().zip(lit.met) {
            *met |= new;
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
}

/// Codes that are turned into pixels at a time.
const GROUP: usize = 16;

/// Two equal pixels for each code.
#[inline(never)]
fn lores(pixels: &mut [u8], codes: &[u8], bk: u8, pf: [u8; 4]) {
    let change = pf.map(|colour| colour ^ bk);
    in_groups(pixels, codes, |codes| {
        let mut colours = [bk; GROUP];
        for (i, change) in change.into_iter().enumerate() {
            for (colour, &code) in colours.iter_mut().zip(codes) {
                *colour ^= if code == 4 | i as u8 { change } else { 0 };
            }
        }
        core::array::from_fn(|i| colours[i / 2])
    });
}

/// Two pixels for each code.
#[inline(never)]
fn hires(pixels: &mut [u8], codes: &[u8], dark: u8, bright: u8) {
    let change = dark ^ bright;
    in_groups(pixels, codes, |codes| {
        core::array::from_fn(|i| {
            let bit = if i & 1 == 0 { 2 } else { 1 };
            dark ^ if codes[i / 2] & bit != 0 { change } else { 0 }
        })
    });
}

/// Draws `codes` with a function that makes pixels of sixteen of them at a time.
#[inline(always)]
fn in_groups(pixels: &mut [u8], codes: &[u8], draw: impl Fn(&[u8; GROUP]) -> [u8; 2 * GROUP]) {
    let (groups, rest) = codes.as_chunks::<GROUP>();
    let (wide, end) = pixels.as_chunks_mut::<{ 2 * GROUP }>();
    for (pixels, codes) in wide.iter_mut().zip(groups) {
        *pixels = draw(codes);
    }
    if !rest.is_empty() {
        let mut last = [0; GROUP];
        last[..rest.len()].copy_from_slice(rest);
        let drawn = draw(&last);
        let length = end.len().min(2 * GROUP);
        end[..length].copy_from_slice(&drawn[..length]);
    }
}
