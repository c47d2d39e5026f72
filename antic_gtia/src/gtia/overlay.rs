//! Objects over the playfield: colours by priority, and collisions.
use super::objects::{LEAD, Lit};
use super::render::{Codes, Reading};
use super::{Colours, Gtia, priority};
use crate::{END_VISIBLE, FIRST_VISIBLE};

/// The AN code of PF2, and the bit of PF1 among the outputs of the priority logic.
const PF2: u8 = 6;
const USES_PF1: u16 = 1 << 5;
/// Stands for PRIOR among the outputs: even where no colour comes through, that depends on it.
const USES_PRIOR: u16 = 1 << 15;

/// What the columns of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Columns {
    /// AN codes of one playfield a colour clock; 0 is also what modes 9 and 11 are to the priority logic.
    Playfields,
    /// AN codes of hires pixels.
    Hires,
    /// Pixels of mode 10.
    Registers,
}

/// Colours of objects over each kind of playfield, as far as they have been asked for: two pixels each.
///
/// They follow from the registers, so this is no state: all machines are equal in it.
#[derive(Clone, Debug)]
pub(super) struct Merged {
    playfields: Table<8, false>,
    hires: Table<8, true>,
    registers: Table<16, false>,
}

#[derive(Clone, Debug)]
struct Table<const N: usize, const HIRES: bool> {
    columns: Columns,
    /// By objects and column.
    pairs: [[u16; N]; 256],
    /// The objects whose row has been worked out.
    known: [bool; 256],
    /// The colour registers in the entries, numbered as the outputs of the priority logic.
    uses: u16,
}

impl Default for Merged {
    fn default() -> Self {
        Self {
            playfields: Table::new(Columns::Playfields),
            hires: Table::new(Columns::Hires),
            registers: Table::new(Columns::Registers),
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
    /// Forgets what holds one of these outputs.
    #[inline]
    pub(super) fn forget(&mut self, outputs: u16) {
        self.playfields.forget(outputs);
        self.hires.forget(outputs);
        self.registers.forget(outputs);
    }
}

/// The columns where there is no playfield.
const NONE: &[u8; 64] = &[0; 64];

impl<const N: usize, const HIRES: bool> Table<N, HIRES> {
    fn new(columns: Columns) -> Self {
        Self {
            columns,
            pairs: [[0; N]; 256],
            known: [false; 256],
            uses: 0,
        }
    }

    #[inline]
    fn forget(&mut self, outputs: u16) {
        if self.uses & outputs != 0 {
            self.uses = 0;
            self.known = [false; 256];
        }
    }

    /// Works out the row of `objects`.
    #[inline(never)]
    fn learn(&mut self, objects: u8, prior: u8, colours: &Colours) {
        let index = usize::from(objects);
        self.known[index] = true;
        self.uses |= USES_PRIOR;
        let (players, fifth) = if prior & 0x10 != 0 {
            (objects & 15, objects & 0xF0 != 0)
        } else {
            ((objects | objects >> 4) & 15, false)
        };
        for (column, entry) in self.pairs[index].iter_mut().enumerate() {
            let column = column as u8;
            let (code, shown) = match (self.columns, column) {
                (Columns::Hires, _) => (PF2, players),
                (Columns::Registers, 0..=3) => (0, players | 1 << column),
                (Columns::Registers, 8..=11) => (0, players),
                (Columns::Registers, _) => (4 | column & 3, players),
                // There are no such codes.
                (Columns::Playfields, 1..=3) => continue,
                (Columns::Playfields, _) => (column, players),
            };
            let mut outputs = priority::resolve(prior, code, fifth, shown);
            let colour = colours.mix(outputs);
            let mut pair = [colour; 2];
            if self.columns == Columns::Hires {
                let bright = colour & 0xF0 | colours.pf[1] & 0x0F;
                for (i, pixel) in pair.iter_mut().enumerate() {
                    if column << i & 2 != 0 {
                        *pixel = bright;
                    }
                }
                outputs |= USES_PF1;
            }
            *entry = u16::from_le_bytes(pair);
            self.uses |= outputs;
        }
    }

    /// Draws what is lit at the bits of `mask`, where the playfield is that of the columns of `line`.
    fn lay<F: Fn(usize) -> u8>(
        &mut self,
        lit: &Lit,
        mask: [u64; 4],
        line: &mut Line<impl Fn(usize) -> F>,
    ) {
        for span in lit.spans() {
            // Word 4, of which nothing is seen, has the mask of word 0.
            let word = usize::from(span.word & 3);
            let bits = span.bits & mask[word] & !lit.several[word];
            if bits != 0 {
                self.draw(1 << (span.number & 7), (word, bits), line);
            }
        }
        if (1..4).any(|word| lit.several[word] & mask[word] != 0) {
            self.lay_several(lit, mask, line);
        }
    }

    /// The same where more than one object is lit: overlaps are rare.
    #[inline(never)]
    fn lay_several<F: Fn(usize) -> u8>(
        &mut self,
        lit: &Lit,
        mask: [u64; 4],
        line: &mut Line<impl Fn(usize) -> F>,
    ) {
        for (word, &mask) in mask.iter().enumerate().skip(1) {
            let mut several = lit.several[word] & mask;
            while several != 0 {
                let bit = several & several.wrapping_neg();
                several ^= bit;
                let objects = lit.objects(word, bit);
                self.draw(objects, (word, bit), line);
                for (i, met) in line.met.iter_mut().enumerate() {
                    *met |= (objects >> i & 1).wrapping_neg() & objects & !(1 << i);
                }
            }
        }
    }

    /// Puts pixels of a row where `bits` are set. The columns they were in, a bit for each; hires: their codes ORed.
    // So that the number of pixels is known.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn put(bits: u64, pairs: &mut [[u8; 2]], row: &[u16; N], column: impl Fn(usize) -> u8) -> u32 {
        let mut left = bits;
        let mut touched = 0;
        while left != 0 {
            let i = left.trailing_zeros() as usize & 63;
            left &= left - 1;
            let column = usize::from(column(i)) & (N - 1);
            touched |= if HIRES { column as u32 } else { 1 << column };
            if let Some(pixels) = pairs.get_mut(i) {
                *pixels = row[column].to_le_bytes();
            }
        }
        touched
    }

    /// Draws `objects` at some bits of a word.
    #[inline]
    fn draw<F: Fn(usize) -> u8>(
        &mut self,
        objects: u8,
        (word, bits): (usize, u64),
        line: &mut Line<impl Fn(usize) -> F>,
    ) {
        let index = usize::from(objects);
        if !self.known[index] {
            self.learn(objects, line.prior, line.colours);
        }
        let row = &self.pairs[index];
        let Some((_, pairs)) = line.pairs.split_at_mut_checked(64 * (word - 1)) else {
            return;
        };
        let column = (line.column)(word);
        // Of the last word not all is seen; the others need no test.
        let touched = match pairs.first_chunk_mut::<64>() {
            Some(pairs) => Self::put(bits, pairs, row, column),
            None => Self::put(bits, pairs, row, column),
        };
        if HIRES {
            // Codes with a lit pixel.
            if touched & 3 != 0 {
                line.hits[2] |= objects;
            }
        } else if touched & 0xF0F0 != 0 {
            for (i, hit) in line.hits.iter_mut().enumerate() {
                if touched & 0x1010 << i != 0 {
                    *hit |= objects;
                }
            }
        }
    }
}

/// What objects are laid over, and what they have come upon.
struct Line<'a, F> {
    prior: u8,
    colours: &'a Colours,
    pairs: &'a mut [[u8; 2]],
    /// The column at a bit, by word.
    column: F,
    /// Objects by playfield, and by object.
    hits: &'a mut [u8; 4],
    met: &'a mut [u8; 8],
}

/// The bits of the colour clocks that are seen before each.
static BEFORE: [[u64; 4]; 256] = {
    let mut table = [[0; 4]; 256];
    let mut x = 0;
    while x < 256 {
        let mut before = FIRST_VISIBLE;
        while before < x && before < END_VISIBLE {
            let bit = before + LEAD;
            table[x][bit >> 6] |= 1 << (bit & 63);
            before += 1;
        }
        x += 1;
    }
    table
};

/// The bits of the colour clocks from `a` up to `b`.
#[inline]
fn between(a: usize, b: usize) -> [u64; 4] {
    let (below, mut bits) = (&BEFORE[a & 255], BEFORE[b & 255]);
    for (bits, below) in bits.iter_mut().zip(below) {
        *bits &= !below;
    }
    bits
}

impl Gtia {
    /// Draws what is lit over the playfield and notes collisions, from colour clock `a` up to `b`.
    pub(super) fn overlay(&mut self, a: usize, b: usize, reading: Reading, codes: Codes) {
        let mut inside = between(a, b);
        let mut outside = [0; 4];
        match reading {
            Reading::Lores | Reading::Hires => {
                let window = between(codes.from, codes.to.max(codes.from));
                for word in 1..4 {
                    outside[word] = inside[word] & !window[word];
                    inside[word] &= window[word];
                }
            }
            Reading::Registers => {}
            Reading::Luminance | Reading::Hue => outside = core::mem::take(&mut inside),
        }
        let lit = &self.lit;
        let (pairs, _) = self.pixels.as_chunks_mut();
        let (prior, colours) = (self.prior, &self.colours);
        let (hits, met) = (&mut self.playfield_hits, &mut self.met);
        if (1..4).any(|word| lit.any[word] & outside[word] != 0) {
            let line = &mut Line {
                prior,
                colours,
                pairs: &mut *pairs,
                column: |_| |_| 0,
                hits: &mut *hits,
                met: &mut *met,
            };
            self.merged.playfields.lay(lit, outside, line);
        }
        if reading == Reading::Registers {
            let line = &mut Line {
                prior,
                colours,
                pairs,
                column: |word| move |i| codes.nine(64 * word + i - LEAD),
                hits,
                met,
            };
            self.merged.registers.lay(lit, inside, line);
        } else if inside != [0; 4] {
            let columns: [&[u8; 64]; 4] = core::array::from_fn(|word| {
                let start = (64 * word).wrapping_sub(LEAD + codes.late);
                let columns = codes.an.codes.get(start..);
                columns.and_then(<[u8]>::first_chunk).unwrap_or(NONE)
            });
            let line = &mut Line {
                prior,
                colours,
                pairs,
                column: |word: usize| {
                    let columns = columns[word & 3];
                    move |i: usize| columns[i & 63]
                },
                hits,
                met,
            };
            if reading == Reading::Hires {
                self.merged.hires.lay(lit, inside, line);
            } else {
                self.merged.playfields.lay(lit, inside, line);
            }
        } else if prior & 0x10 != 0 && matches!(reading, Reading::Luminance | Reading::Hue) {
            self.impress(&outside, reading, codes);
        }
    }

    /// Where only the fifth player is lit, modes 9 and 11 impress the playfield on it.
    #[inline(never)]
    fn impress(&mut self, seen: &[u64; 4], reading: Reading, codes: Codes) {
        let mut missiles = [0; 8];
        let mut players = [0; 8];
        for span in self.lit.spans() {
            let lit = if span.number < 4 {
                &mut players
            } else {
                &mut missiles
            };
            lit[usize::from(span.word & 7)] |= span.bits;
        }
        for word in 1..4 {
            let mut alone = missiles[word] & !players[word] & seen[word];
            while alone != 0 {
                let x = 64 * word - LEAD + alone.trailing_zeros() as usize;
                alone &= alone - 1;
                let i = 2 * (x - FIRST_VISIBLE);
                let Some(&colour) = self.pixels.get(i) else {
                    continue;
                };
                let colour = match (reading, codes.nibble(x & !1)) {
                    (Reading::Luminance, v) => colour | v,
                    (_, 0) => colour & 0xF0,
                    (_, v) => colour | v << 4,
                };
                self.pair(x, colour, colour);
            }
        }
    }
}
