//! Objects over the playfield: colours by priority, and collisions.
use super::objects::Lit;
use super::render::{Codes, Reading};
use super::{Colours, Gtia, priority};
use crate::{END_VISIBLE, FIRST_VISIBLE};

/// Colour clocks that are merged at a time.
const BLOCK: usize = 8;
/// The row of [`Merged`] for background, which is also what modes 9 and 11 are to the priority logic.
const BACKGROUND: u8 = 0;
/// The row of PF2. The rows of PF0 to PF3 are their AN codes.
const PF2: u8 = 6;
/// The first of the rows for the pixels of mode 10 that take COLPM0 to COLPM3.
const REGISTERS: u8 = 8;
/// An entry of [`Merged`] that has not been worked out; bit 0 of a colour does not exist.
const UNKNOWN: u16 = 1;

/// Colours of objects over each kind of playfield, as far as they have been asked for, twice in a word.
///
/// They follow from the registers, so this is no state: all machines are equal in it.
#[derive(Clone, Debug)]
pub(super) struct Merged {
    pairs: [[u16; 256]; 16],
    /// The colour registers in the entries of each row, numbered as the outputs of the priority logic.
    uses: [u16; 16],
    /// Those of all rows.
    all: u16,
}

impl Default for Merged {
    fn default() -> Self {
        let mut row = [UNKNOWN; 256];
        row[0] = 0;
        Self {
            pairs: [row; 16],
            uses: [0; 16],
            all: 0,
        }
    }
}

impl PartialEq for Merged {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Merged {}

impl Merged {
    /// Forgets the rows that hold one of these outputs.
    #[inline]
    pub(super) fn forget(&mut self, outputs: u16) {
        if self.all & outputs != 0 {
            self.forget_rows(outputs);
        }
    }

    #[inline(never)]
    fn forget_rows(&mut self, outputs: u16) {
        self.all = 0;
        for (uses, row) in self.uses.iter_mut().zip(&mut self.pairs) {
            if *uses & outputs != 0 {
                *uses = 0;
                *row = [UNKNOWN; 256];
                row[0] = 0;
            }
            self.all |= *uses;
        }
    }

    /// Works out the entries for what is lit in a block.
    #[cold]
    fn learn(&mut self, rows: [u8; BLOCK], lit: [u8; BLOCK], prior: u8, colours: &Colours) {
        for (row, objects) in rows.into_iter().zip(lit) {
            let (players, fifth) = players(objects, prior);
            let (code, shown) = match row {
                REGISTERS.. => (0, players | 1 << (row & 3)),
                _ => (row, players),
            };
            let outputs = priority::resolve(prior, code, fifth, shown);
            let row = usize::from(row & 15);
            if objects != 0 {
                self.uses[row] |= outputs;
                self.all |= outputs;
                self.pairs[row][usize::from(objects)] = u16::from(colours.mix(outputs)) * 0x0101;
            }
        }
    }
}

/// Players and the fifth player among what is lit on one spot.
#[inline]
fn players(objects: u8, prior: u8) -> (u8, bool) {
    if prior & 0x10 != 0 {
        (objects & 15, objects & 0xF0 != 0)
    } else {
        ((objects | objects >> 4) & 15, false)
    }
}

/// The bytes from `from` up to `to`.
#[inline]
fn bytes_between(from: usize, to: usize) -> u64 {
    let below = |n: usize| (1u64 << (8 * n)).wrapping_sub(1);
    let to = if to < BLOCK { below(to) } else { u64::MAX };
    to & !below(from & 7)
}

/// The AN codes of a block.
#[inline]
fn block_of(codes: &[u8], start: usize) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    if let Some(eight) = codes.get(start..start + BLOCK) {
        block.copy_from_slice(eight);
    }
    block
}

impl Gtia {
    /// Draws objects over the playfield and notes collisions, from colour clock `a` up to `b`.
    pub(super) fn overlay(
        &mut self,
        a: usize,
        b: usize,
        reading: Reading,
        codes: Codes,
        lit: &Lit,
    ) {
        let from = codes.from.clamp(a, b);
        let to = codes.to.clamp(from, b);
        let late = codes.late;
        match reading {
            Reading::Lores | Reading::Hires => {
                self.over_background(a, from, lit);
                let an = &codes.an.codes;
                if reading == Reading::Hires {
                    self.over_hires(from, to, lit, |x| block_of(an, x.wrapping_sub(late)));
                } else {
                    self.over_rows(from, to, lit, |x| block_of(an, x.wrapping_sub(late)));
                }
                self.over_background(to, b, lit);
            }
            Reading::Registers => self.over_rows(a, b, lit, |x| {
                core::array::from_fn(|i| match codes.nine(x + i) {
                    v @ 0..=3 => REGISTERS | v,
                    8..=11 => BACKGROUND,
                    v => 4 | v & 3,
                })
            }),
            _ => {
                self.over_background(a, b, lit);
                if self.prior & 0x10 != 0 {
                    self.impress(a, b, reading, codes, lit);
                }
            }
        }
    }

    /// Calls `block` for all blocks with something lit between `a` and `b`, with its place and what is lit.
    #[inline]
    fn blocks(
        &mut self,
        a: usize,
        b: usize,
        lit: &Lit,
        mut block: impl FnMut(&mut Self, usize, u64),
    ) {
        let mut x = a.max(lit.from);
        let end = b.min(lit.to);
        while x < end {
            let at = x.min(END_VISIBLE - BLOCK);
            let mut word = lit.word(at);
            if at != x || end - at < BLOCK {
                word &= bytes_between(x - at, end - at);
            }
            x = at + BLOCK;
            if word != 0 {
                block(self, at, word);
            }
        }
    }

    /// The colours, in pairs, of what is lit in a block over playfield of these kinds.
    #[inline]
    fn merge(&mut self, rows: [u8; BLOCK], objects: [u8; BLOCK]) -> [u16; BLOCK] {
        loop {
            let mut unknown = 0;
            let pairs: [u16; BLOCK] = core::array::from_fn(|i| {
                let pair = self.merged.pairs[usize::from(rows[i] & 15)][usize::from(objects[i])];
                unknown |= pair;
                pair
            });
            if unknown & UNKNOWN == 0 {
                return pairs;
            }
            self.merged.learn(rows, objects, self.prior, &self.colours);
        }
    }

    /// The pixels of a block.
    #[inline]
    fn pixels_of(&mut self, at: usize) -> &mut [u8; 2 * BLOCK] {
        let i = 2 * (at - FIRST_VISIBLE).min(END_VISIBLE - FIRST_VISIBLE - BLOCK);
        // The range has this length.
        (&mut self.pixels[i..i + 2 * BLOCK])
            .try_into()
            .unwrap_or_else(|_| unreachable!())
    }

    /// Objects where the priority logic sees no playfield and there are no collisions with it.
    fn over_background(&mut self, a: usize, b: usize, lit: &Lit) {
        self.blocks(a, b, lit, |gtia, at, word| {
            let objects = word.to_le_bytes();
            let pairs = gtia.merge([BACKGROUND; BLOCK], objects);
            lay(gtia.pixels_of(at), objects, pairs);
        });
    }

    /// Objects over a playfield of one kind a colour clock, which is told by `rows`.
    fn over_rows(&mut self, a: usize, b: usize, lit: &Lit, rows: impl Fn(usize) -> [u8; BLOCK]) {
        let mut hits = [0u8; 16];
        self.blocks(a, b, lit, |gtia, at, word| {
            let objects = word.to_le_bytes();
            let rows = rows(at);
            for (row, lit) in rows.into_iter().zip(objects) {
                hits[usize::from(row & 15)] |= lit;
            }
            let pairs = gtia.merge(rows, objects);
            lay(gtia.pixels_of(at), objects, pairs);
        });
        for (hit, new) in self.playfield_hits.iter_mut().zip(&hits[4..8]) {
            *hit |= new;
        }
    }

    /// Objects over hires pixels: the priority logic sees PF2, collisions see lit pixels.
    fn over_hires(&mut self, a: usize, b: usize, lit: &Lit, codes: impl Fn(usize) -> [u8; BLOCK]) {
        let luminance = self.colours.pf[1] & 0x0F;
        let mut hits = [0u8; BLOCK];
        self.blocks(a, b, lit, |gtia, at, word| {
            let objects = word.to_le_bytes();
            let codes = codes(at);
            for i in 0..BLOCK {
                hits[i] |= if codes[i] & 3 != 0 { objects[i] } else { 0 };
            }
            let pairs = gtia.merge([PF2; BLOCK], objects);
            lay_hires(gtia.pixels_of(at), objects, pairs, codes, luminance);
        });
        self.playfield_hits[2] |= hits.into_iter().fold(0, |all, hit| all | hit);
    }

    /// Where only the fifth player is lit, modes 9 and 11 impress the playfield on it.
    fn impress(&mut self, a: usize, b: usize, reading: Reading, codes: Codes, lit: &Lit) {
        for x in a.max(lit.from)..b.min(lit.to) {
            let objects = lit.at[x & 0xFF];
            if objects & 0xF0 == 0 || objects & 0x0F != 0 {
                continue;
            }
            let i = 2 * (x - FIRST_VISIBLE);
            let Some(pair) = self.pixels.get_mut(i..i + 2) else {
                continue;
            };
            let colour = pair[0];
            let colour = match (reading, codes.nibble(x & !1)) {
                (Reading::Luminance, v) => colour | v,
                (_, 0) => colour & 0xF0,
                (_, v) => colour | v << 4,
            };
            pair.fill(colour);
        }
    }
}

/// Replaces the pixels where something is lit.
#[inline]
fn lay(pixels: &mut [u8; 2 * BLOCK], objects: [u8; BLOCK], pairs: [u16; BLOCK]) {
    let colours = flat(pairs);
    for (i, pixel) in pixels.iter_mut().enumerate() {
        *pixel = if objects[i / 2] != 0 {
            colours[i]
        } else {
            *pixel
        };
    }
}

/// The same with the luminance of PF1 where a hires pixel is lit.
#[inline]
fn lay_hires(
    pixels: &mut [u8; 2 * BLOCK],
    objects: [u8; BLOCK],
    pairs: [u16; BLOCK],
    codes: [u8; BLOCK],
    luminance: u8,
) {
    let colours = flat(pairs);
    for (i, pixel) in pixels.iter_mut().enumerate() {
        let bright = colours[i] & 0xF0 | luminance;
        let bit = if i & 1 == 0 { 2 } else { 1 };
        let colour = if codes[i / 2] & bit != 0 {
            bright
        } else {
            colours[i]
        };
        *pixel = if objects[i / 2] != 0 { colour } else { *pixel };
    }
}

#[inline]
fn flat(pairs: [u16; BLOCK]) -> [u8; 2 * BLOCK] {
    let mut bytes = [0; 2 * BLOCK];
    for (two, pair) in bytes.chunks_exact_mut(2).zip(pairs) {
        two.copy_from_slice(&pair.to_le_bytes());
    }
    bytes
}
