//! Objects over the playfield: colours by priority, and collisions.
use super::objects::{Lit, SEEN};
use super::render::{Codes, Reading};
use super::{Colours, Gtia, priority};
use crate::FIRST_VISIBLE;

/// The AN code of PF2, and the bit of PF1 among the outputs of the priority logic.
const PF2: u8 = 6;
const USES_PF1: u16 = 1 << 5;
/// Stands for PRIOR, on which every entry depends: also those in which no register is, black ones.
const ALWAYS: u16 = 1 << 15;
/// An entry of a table that has not been worked out; bit 0 of a colour does not exist.
const UNKNOWN: u16 = 1;

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
    playfields: Table<8>,
    hires: Table<8>,
    registers: Table<16>,
}

#[derive(Clone, Debug)]
struct Table<const N: usize> {
    columns: Columns,
    /// By objects and column.
    pairs: [[u16; N]; 256],
    /// A set of objects with entries.
    known: [u64; 4],
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

impl<const N: usize> Table<N> {
    fn new(columns: Columns) -> Self {
        Self {
            columns,
            pairs: [[UNKNOWN; N]; 256],
            known: [0; 4],
            uses: 0,
        }
    }

    #[inline]
    fn forget(&mut self, outputs: u16) {
        if self.uses & outputs != 0 {
            self.forget_all();
        }
    }

    #[inline(never)]
    fn forget_all(&mut self) {
        self.uses = 0;
        for (i, known) in self.known.iter_mut().enumerate() {
            while *known != 0 {
                self.pairs[(64 * i + known.trailing_zeros() as usize) & 255] = [UNKNOWN; N];
                *known &= *known - 1;
            }
        }
    }

    /// Works out the entries for `objects` that are missing for `columns`.
    #[inline(never)]
    fn learn(&mut self, objects: u8, columns: u32, prior: u8, colours: &Colours) {
        let index = usize::from(objects);
        self.known[index >> 6] |= 1 << (index & 63);
        let (players, fifth) = if prior & 0x10 != 0 {
            (objects & 15, objects & 0xF0 != 0)
        } else {
            ((objects | objects >> 4) & 15, false)
        };
        for (column, entry) in self.pairs[index].iter_mut().enumerate() {
            if columns >> column & 1 == 0 || *entry != UNKNOWN {
                continue;
            }
            let column = column as u8;
            let (code, shown) = match (self.columns, column) {
                (Columns::Hires, _) => (PF2, players),
                (Columns::Registers, 0..=3) => (0, players | 1 << column),
                (Columns::Registers, 8..=11) => (0, players),
                (Columns::Registers, _) => (4 | column & 3, players),
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
            self.uses |= outputs | ALWAYS;
        }
    }

    /// Draws `objects` at some bits of a word, where the playfield is that of `columns`. Returns the columns they came upon.
    #[inline]
    fn draw(
        &mut self,
        objects: u8,
        bits: u64,
        columns: &[u8; 64],
        pairs: &mut [[u8; 2]],
        (prior, colours): (u8, &Colours),
    ) -> u32 {
        loop {
            let row = &self.pairs[usize::from(objects)];
            let mut left = bits;
            let mut found = 0;
            let mut touched = 0;
            while left != 0 {
                let i = left.trailing_zeros() as usize & 63;
                left &= left - 1;
                let column = usize::from(columns[i]) & (N - 1);
                touched |= 1 << column;
                found |= row[column];
                if let Some(pixels) = pairs.get_mut(i) {
                    *pixels = row[column].to_le_bytes();
                }
            }
            if found & UNKNOWN == 0 {
                return touched;
            }
            self.learn(objects, touched, prior, colours);
        }
    }

    /// The playfields, a bit each, of some columns.
    #[inline]
    fn playfields(&self, columns: u32) -> u8 {
        match self.columns {
            Columns::Playfields => (columns >> 4) as u8 & 15,
            // Codes with a lit pixel.
            Columns::Hires => u8::from(columns & 0xEE != 0) << 2,
            Columns::Registers => (columns >> 4 | columns >> 12) as u8 & 15,
        }
    }

    /// Draws what is lit at the bits of `mask` in a word. Returns the objects that came upon each playfield.
    #[inline(never)]
    fn merge(
        &mut self,
        lit: &Lit,
        (word, mask): (usize, u64),
        columns: &[u8; 64],
        pairs: &mut [[u8; 2]],
        with: (u8, &Colours),
    ) -> [u8; 4] {
        let mut hits = [0; 4];
        let mut hit = |playfields: u8, objects: u8| {
            if playfields != 0 {
                for (i, hit) in hits.iter_mut().enumerate() {
                    *hit |= (playfields >> i & 1).wrapping_neg() & objects;
                }
            }
        };
        let mut several = lit.several[word] & mask;
        let alone = mask & !several;
        for (i, plane) in lit.planes.iter().enumerate() {
            let bits = plane[word] & alone;
            if bits != 0 {
                let touched = self.draw(1 << i, bits, columns, pairs, with);
                hit(self.playfields(touched), 1 << i);
            }
        }
        while several != 0 {
            let bit = several.trailing_zeros() as usize;
            let objects = lit.objects(word, bit);
            let touched = self.draw(objects, 1 << bit, columns, pairs, with);
            hit(self.playfields(touched), objects);
            several &= several - 1;
        }
        hits
    }
}

/// The bits of the colour clocks from `a` up to `b` in a word.
#[inline]
fn between(a: usize, b: usize, word: usize) -> u64 {
    let below = |x: usize| {
        let bit = x.saturating_sub(FIRST_VISIBLE + 64 * word);
        if bit < 64 { (1 << bit) - 1 } else { u64::MAX }
    };
    below(b) & !below(a)
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
        for word in 0..SEEN {
            let mask = between(a, b, word) & lit.any[word];
            if mask != 0 {
                self.overlay_word(word, mask, reading, codes, lit);
                if lit.several[word] & mask != 0 {
                    self.meet(word, mask, lit);
                }
            }
        }
    }

    fn overlay_word(&mut self, word: usize, mask: u64, reading: Reading, codes: Codes, lit: &Lit) {
        let with = (self.prior, &self.colours);
        let merged = &mut self.merged;
        let (_, pixels) = self.pixels.split_at_mut(128 * word);
        let (pairs, _) = pixels.as_chunks_mut();
        let window = between(codes.from, codes.to.max(codes.from), word);
        let (inside, outside) = match reading {
            Reading::Lores | Reading::Hires => (mask & window, mask & !window),
            Reading::Registers => (mask, 0),
            Reading::Luminance | Reading::Hue => (0, mask),
        };
        let start = FIRST_VISIBLE + 64 * word;
        let mut hits = [0; 4];
        if inside != 0 {
            let shifted = codes.an.codes.get(start - codes.late..);
            let columns = shifted.and_then(<[u8]>::first_chunk).unwrap_or(NONE);
            let inside = (word, inside);
            hits = match reading {
                Reading::Hires => merged.hires.merge(lit, inside, columns, pairs, with),
                Reading::Lores => merged.playfields.merge(lit, inside, columns, pairs, with),
                _ => {
                    let columns = codes.nines(start);
                    merged.registers.merge(lit, inside, &columns, pairs, with)
                }
            };
        }
        if outside != 0 {
            let outside = (word, outside);
            merged.playfields.merge(lit, outside, NONE, pairs, with);
            if reading != Reading::Lores && reading != Reading::Hires && self.prior & 0x10 != 0 {
                impress(pairs, start, outside, reading, codes, lit);
            }
        }
        for (hit, new) in self.playfield_hits.iter_mut().zip(hits) {
            *hit |= new;
        }
    }

    /// Notes the objects that are together on one spot.
    #[inline(never)]
    fn meet(&mut self, word: usize, mask: u64, lit: &Lit) {
        let mut several = lit.several[word] & mask;
        let mut last = 0;
        while several != 0 {
            let objects = lit.objects(word, several.trailing_zeros() as usize);
            several &= several - 1;
            if objects != last {
                last = objects;
                for (i, met) in self.met.iter_mut().enumerate() {
                    *met |= (objects >> i & 1).wrapping_neg() & objects & !(1 << i);
                }
            }
        }
    }
}

/// Where only the fifth player is lit, modes 9 and 11 impress the playfield on it.
#[inline(never)]
fn impress(
    pairs: &mut [[u8; 2]],
    start: usize,
    (word, mask): (usize, u64),
    reading: Reading,
    codes: Codes,
    lit: &Lit,
) {
    let players = lit.planes[..4]
        .iter()
        .fold(0, |all, plane| all | plane[word]);
    let mut alone = lit.any[word] & mask & !players;
    while alone != 0 {
        let bit = alone.trailing_zeros() as usize;
        alone &= alone - 1;
        let Some(pair) = pairs.get_mut(bit) else {
            continue;
        };
        *pair = pair.map(|colour| match (reading, codes.nibble((start + bit) & !1)) {
            (Reading::Luminance, v) => colour | v,
            (_, 0) => colour & 0xF0,
            (_, v) => colour | v << 4,
        });
    }
}
