//! Objects over the playfield: colours by priority, and collisions.
//!
//! Each object is drawn alone, eight colour clocks at a time, by its row of a table: colours by objects and AN code. What is not
//! drawn so is drawn again colour clock by colour clock: where several objects meet, where the playfield begins or ends, and in
//! modes 9 and 11 under the fifth player.
use super::objects::Paint;
use super::render::{Codes, Reading};
use super::{Colours, Gtia, priority};
use crate::{FIRST_VISIBLE, WIDTH};
use core::ops::Range;

/// The AN code of PF2, and the bit of PF1 among the outputs of the priority logic.
const PF2: u8 = 6;
const USES_PF1: u16 = 1 << 5;
/// Stands for PRIOR among the outputs: even where no colour comes through, that depends on it.
const USES_PRIOR: u16 = 1 << 15;

/// The column of mode 10 that is COLBK.
pub(super) const NO_REGISTER: u8 = 8;

/// Colour clocks of an image, and those that are drawn together.
const SPAN: usize = 32;
const GROUP: usize = 8;
const EACH: u64 = 0x0101_0101_0101_0101;

/// $FF for each bit set, the lowest bit first; `N` of them for each.
const fn spread<const N: usize>() -> [[u8; N]; 256] {
    let mut table = [[0; N]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut i = 0;
        while i < N {
            if byte >> (i * GROUP / N) & 1 != 0 {
                table[byte][i] = 0xFF;
            }
            i += 1;
        }
        byte += 1;
    }
    table
}

/// Colour clocks by the bits of an image, and pixels.
static CLOCKS: [[u8; GROUP]; 256] = spread();
static PIXELS: [[u8; 2 * GROUP]; 256] = spread();

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

impl Columns {
    /// The playfield that objects hit in a column.
    #[inline]
    fn playfield(self, column: u8) -> Option<u8> {
        match self {
            // A code with a lit pixel.
            Self::Hires => (column & 3 != 0).then_some(2),
            _ => (column & 4 != 0).then_some(column & 3),
        }
    }
}

/// Colours of objects over each kind of playfield, as far as they have been asked for: two pixels each.
///
/// They follow from the registers, so this is no state: all machines are equal in it.
#[derive(Clone, Debug)]
pub(super) struct ColourTables {
    playfields: Table<2048>,
    hires: Table<2048>,
    registers: Table<4096>,
}

/// The pixels of a group.
type Group = [u8; 2 * GROUP];

/// The row of a table for a group, each colour sixteen times.
#[derive(Clone, Debug)]
struct Wide {
    /// Over the background; in hires over dark pixels.
    base: Group,
    /// The differences to that by column; in hires column 0 stands for bright pixels.
    changes: [Group; 8],
}

/// `N` is 256 times the number of columns.
#[derive(Clone, Debug)]
struct Table<const N: usize> {
    columns: Columns,
    /// By objects and column.
    pairs: [u16; N],
    /// The objects whose row is filled in, a bit each.
    filled: [u64; 4],
    /// The rows of single objects again.
    wide: [Wide; 8],
    /// The colour registers in each row that is filled in, numbered as the outputs of the priority logic.
    row_uses: [u16; 256],
    /// Those in any of them.
    uses: u16,
}

impl Default for ColourTables {
    fn default() -> Self {
        Self {
            playfields: Table::new(Columns::Playfields),
            hires: Table::new(Columns::Hires),
            registers: Table::new(Columns::Registers),
        }
    }
}

impl ColourTables {
    /// Invalidates what holds one of these outputs.
    #[inline]
    pub(super) fn invalidate(&mut self, outputs: u16) {
        self.playfields.invalidate(outputs);
        self.hires.invalidate(outputs);
        self.registers.invalidate(outputs);
    }
}

/// For objects on one spot: by object, in bytes, those that it meets.
static MET: [u64; 256] = {
    let mut table = [0; 256];
    let mut objects = 0;
    while objects < 256 {
        let mut n = 0;
        while n < 8 {
            if objects >> n & 1 != 0 {
                table[objects] |= (objects as u64 & !(1 << n)) << (8 * n);
            }
            n += 1;
        }
        objects += 1;
    }
    table
};

/// The colour of a lit hires pixel over `colour`.
#[inline]
pub(super) fn lit_pixel(colour: u8, pf1: u8) -> u8 {
    colour & 0xF0 | pf1 & 0x0F
}

impl<const N: usize> Table<N> {
    const COLUMNS: usize = N / 256;

    fn new(columns: Columns) -> Self {
        Self {
            columns,
            pairs: [0; N],
            filled: [0; 4],
            row_uses: [0; 256],
            wide: core::array::from_fn(|_| Wide {
                base: [0; 2 * GROUP],
                changes: [[0; 2 * GROUP]; 8],
            }),
            uses: 0,
        }
    }

    /// Invalidates the rows that hold one of these outputs.
    #[inline]
    fn invalidate(&mut self, outputs: u16) {
        if self.uses & outputs != 0 {
            self.invalidate_rows(outputs);
        }
    }

    #[inline(never)]
    fn invalidate_rows(&mut self, outputs: u16) {
        self.uses = 0;
        for (word, uses) in self.filled.iter_mut().zip(self.row_uses.chunks(64)) {
            let mut rows = *word;
            while rows != 0 {
                let row = rows.trailing_zeros() as usize;
                rows &= rows - 1;
                if uses[row] & outputs != 0 {
                    *word &= !(1 << row);
                } else {
                    self.uses |= uses[row];
                }
            }
        }
    }

    /// Fills in the row of `objects`.
    #[inline(never)]
    fn fill_row(&mut self, objects: u8, prior: u8, colours: &Colours) {
        let index = usize::from(objects);
        self.filled[index / 64] |= 1 << (index % 64);
        let mut uses = USES_PRIOR;
        let (players, fifth) = if prior & 0x10 != 0 {
            (objects & 15, objects & 0xF0 != 0)
        } else {
            ((objects | objects >> 4) & 15, false)
        };
        let rows = self.pairs.chunks_exact_mut(Self::COLUMNS);
        for (column, entry) in rows.skip(index).take(1).flatten().enumerate() {
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
                for (i, pixel) in pair.iter_mut().enumerate() {
                    if column << i & 2 != 0 {
                        *pixel = lit_pixel(colour, colours.pf[1]);
                    }
                }
                outputs |= USES_PF1;
            }
            *entry = u16::from_le_bytes(pair);
            uses |= outputs;
        }
        self.row_uses[index] = uses;
        self.uses |= uses;
        if objects.is_power_of_two() {
            let background = match self.columns {
                Columns::Playfields => 0,
                Columns::Hires => 4,
                Columns::Registers => NO_REGISTER,
            };
            let base = self.pair(objects, background)[0];
            let change = |column: u8| self.pair(objects, column)[0] ^ base;
            let changes = match self.columns {
                Columns::Hires => [change(7), 0, 0, 0, 0, 0, 0, 0],
                _ => [0, 1, 2, 3, 4, 5, 6, 7].map(change),
            };
            self.wide[objects.trailing_zeros() as usize & 7] = Wide {
                base: [base; 2 * GROUP],
                changes: changes.map(|colour| [colour; 2 * GROUP]),
            };
        }
    }

    /// Fills in the row of `objects`, unless that has been done.
    #[inline]
    fn need(&mut self, objects: u8, prior: u8, colours: &Colours) {
        let index = usize::from(objects);
        if self.filled[index / 64] >> (index % 64) & 1 == 0 {
            self.fill_row(objects, prior, colours);
        }
    }

    /// The row of one object, which is filled in if that has not been done.
    #[inline]
    fn row(&mut self, number: usize, prior: u8, colours: &Colours) -> &Wide {
        self.need(1 << (number & 7), prior, colours);
        &self.wide[number & 7]
    }

    /// The colours of objects whose row is known over one colour clock.
    #[inline]
    fn pair(&self, objects: u8, column: u8) -> [u8; 2] {
        let column = usize::from(column) & (Self::COLUMNS - 1);
        self.pairs[(usize::from(objects) * Self::COLUMNS + column) & (N - 1)].to_le_bytes()
    }
}

/// Draws an object over hires pixels, where `shape` is $FF: `ground` is $FF for bright ones.
// In this form, and in those of the next two, the compiler makes vectors of sixteen.
#[allow(clippy::inline_always)]
#[inline(always)]
fn lay_hires(pixels: &mut Group, ground: &Group, shape: &Group, colours: &Wide, hits: &mut Group) {
    for i in 0..2 * GROUP {
        let new = colours.base[i] ^ colours.changes[0][i] & ground[i];
        pixels[i] ^= (pixels[i] ^ new) & shape[i];
        hits[i] |= ground[i] & shape[i];
    }
}

/// Draws an object over playfields, and over the players' registers in mode 10, where `shape` is $FF.
#[inline]
fn lay_columns<const PLAYERS: bool>(
    pixels: &mut Group,
    ground: &Group,
    shape: &Group,
    colours: &Wide,
    hits: &mut [Group; 4],
) {
    let mut new = colours.base;
    if PLAYERS {
        for player in 0..4 {
            for i in 0..2 * GROUP {
                let shown = if ground[i] == player as u8 { 0xFF } else { 0 };
                new[i] ^= colours.changes[player][i] & shown;
            }
        }
    }
    for (playfield, hits) in hits.iter_mut().enumerate() {
        for i in 0..2 * GROUP {
            let shown = if ground[i] == 4 + playfield as u8 {
                0xFF
            } else {
                0
            };
            new[i] ^= colours.changes[4 + playfield][i] & shown;
            hits[i] |= shape[i] & shown;
        }
    }
    lay(pixels, &new, shape);
}

/// Puts pixels where `shape` is $FF.
#[inline]
fn lay(pixels: &mut Group, new: &Group, shape: &Group) {
    let (old, new, shape) = (*pixels, *new, *shape);
    let mut drawn = old;
    for i in 0..2 * GROUP {
        drawn[i] = old[i] ^ (old[i] ^ new[i]) & shape[i];
    }
    *pixels = drawn;
}

/// What a stretch holds while it is being drawn. Between two stretches it means nothing, so it is no state.
#[derive(Clone, Debug)]
pub(super) struct DrawnRow {
    /// The playfield by pixel, where it is shown: AN codes, $FF for bright hires pixels and 0 for dark ones, or columns of mode 10.
    pub ground: [u8; WIDTH],
    /// The objects that have been drawn, by colour clock of the picture: all 0 between two stretches.
    objects: [u8; WIDTH / 2],
}

impl Default for DrawnRow {
    fn default() -> Self {
        Self {
            ground: [0; WIDTH],
            objects: [0; WIDTH / 2],
        }
    }
}

/// No playfield at all.
const NONE: u8 = 0;
/// One playfield a colour clock.
const LORES: u8 = 1;
/// Hires pixels.
const HIRES: u8 = 2;
/// Pixels of mode 10.
const REGISTERS: u8 = 3;

/// A part of a line that objects are drawn over; `GROUND` is what they are drawn over in groups.
struct Canvas<'a, const GROUND: u8> {
    /// Without its objects, which are being run.
    gtia: &'a mut Gtia,
    reading: Reading,
    codes: Codes<'a>,
    /// Colour clocks where objects are drawn in groups.
    whole: Range<usize>,
}

impl<const GROUND: u8> Canvas<'_, GROUND> {
    /// Draws an object over one colour clock and those that are there already.
    fn draw_one(&mut self, x: usize, object: u8) {
        let place = x.wrapping_sub(FIRST_VISIBLE);
        let Some(lit) = self.gtia.lit.objects.get_mut(place) else {
            return;
        };
        *lit |= object;
        let objects = *lit;
        let codes = self.codes;
        let mut pair = match self.reading {
            Reading::Registers => self.blend(|all| &mut all.registers, objects, codes.nine(x)),
            Reading::Hires if codes.show(x) => {
                self.blend(|all| &mut all.hires, objects, codes.at(x))
            }
            Reading::Lores => self.blend(|all| &mut all.playfields, objects, codes.at(x)),
            _ => self.blend(|all| &mut all.playfields, objects, 0),
        };
        if objects & 15 == 0 && self.gtia.prior & 0x10 != 0 {
            // Modes 9 and 11 impress the playfield on the fifth player where it is alone.
            let colour = pair[0];
            pair = match (self.reading, codes.nibble(x & !1)) {
                (Reading::Luminance, v) => [colour | v; 2],
                (Reading::Hue, 0) => [colour & 0xF0; 2],
                (Reading::Hue, v) => [colour | v << 4; 2],
                _ => pair,
            };
        }
        let (pairs, _) = self.gtia.pixels.as_chunks_mut::<2>();
        if let Some(pixels) = pairs.get_mut(place) {
            *pixels = pair;
        }
    }

    /// The colours of `objects` over one colour clock; notes what they come upon.
    #[inline]
    fn blend<const N: usize>(
        &mut self,
        table: impl Fn(&mut ColourTables) -> &mut Table<N>,
        objects: u8,
        column: u8,
    ) -> [u8; 2] {
        let gtia = &mut *self.gtia;
        let table = table(&mut gtia.merged);
        table.need(objects, gtia.prior, &gtia.colours);
        if let Some(playfield) = table.columns.playfield(column) {
            gtia.playfield_hits[usize::from(playfield & 3)] |= objects;
        }
        let met = u64::from_le_bytes(gtia.met) | MET[usize::from(objects)];
        gtia.met = met.to_le_bytes();
        table.pair(objects, column)
    }

    /// Draws the colour clocks of an image one by one; with `again`, those where other objects are.
    #[inline(never)]
    fn draw_singly(&mut self, object: u8, x: usize, image: u32, again: bool) {
        // What is left of the picture is not seen.
        let hidden = FIRST_VISIBLE.saturating_sub(x).min(SPAN);
        let mut image = image & (u64::from(u32::MAX) << hidden) as u32;
        while image != 0 {
            let x = x + image.trailing_zeros() as usize;
            let lit = self.gtia.lit.objects.get(x - FIRST_VISIBLE);
            if !again || lit.is_some_and(|&lit| lit != object) {
                self.draw_one(x, object);
            }
            image &= image - 1;
        }
    }
}

impl<const GROUND: u8> Paint for Canvas<'_, GROUND> {
    // A function of its own takes half as many instructions again.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn paint(&mut self, number: usize, x: usize, image: u32) {
        let object = 1u8 << (number & 7);
        let place = x.wrapping_sub(FIRST_VISIBLE);
        let whole = self.whole.start <= x
            && (x + SPAN <= self.whole.end
                || x + SPAN - image.leading_zeros() as usize <= self.whole.end);
        if !whole || place > WIDTH / 2 - SPAN {
            let hidden = FIRST_VISIBLE.saturating_sub(x);
            if u64::from(image) >> hidden.min(SPAN) != 0 {
                self.draw_singly(object, x, image, false);
            }
            return;
        }
        let gtia = &mut *self.gtia;
        let (prior, colours, tables) = (gtia.prior, &gtia.colours, &mut gtia.merged.0);
        let colours = match GROUND {
            HIRES => tables.hires.row(number, prior, colours),
            REGISTERS => tables.registers.row(number, prior, colours),
            _ => tables.playfields.row(number, prior, colours),
        };
        let row = &mut gtia.lit.0;
        let (pixels, _) = gtia.pixels[2 * place..][..2 * SPAN].as_chunks_mut();
        let (ground, _) = row.ground[2 * place..][..2 * SPAN].as_chunks();
        let (lit, _) = row.objects[place..][..SPAN].as_chunks_mut();
        let mut hits = [[0; 2 * GROUP]; 4];
        let mut bright = [0; 2 * GROUP];
        let mut overlap = 0;
        let mut left = image;
        let mut i = 0;
        while left != 0 && i < SPAN / GROUP {
            let byte = usize::from(left as u8);
            if byte != 0 {
                let clocks = u64::from_le_bytes(CLOCKS[byte]);
                let before = u64::from_le_bytes(lit[i]);
                overlap |= before & clocks;
                lit[i] = (before | clocks & EACH * u64::from(object)).to_le_bytes();
                let (pixels, shape) = (&mut pixels[i], &PIXELS[byte]);
                match GROUND {
                    HIRES => lay_hires(pixels, &ground[i], shape, colours, &mut bright),
                    LORES => lay_columns::<false>(pixels, &ground[i], shape, colours, &mut hits),
                    REGISTERS => lay_columns::<true>(pixels, &ground[i], shape, colours, &mut hits),
                    _ => lay(pixels, &colours.base, shape),
                }
            }
            left >>= GROUP;
            i += 1;
        }
        if GROUND == HIRES {
            // Hires pixels are PF2.
            hits[2] = bright;
        }
        for (all, hits) in gtia.playfield_hits.iter_mut().zip(hits) {
            // Most are there already.
            if *all & object == 0 && hits != [0; 2 * GROUP] {
                *all |= object;
            }
        }
        if overlap != 0 {
            self.draw_singly(object, x, image, true);
        }
    }
}

impl Gtia {
    /// Runs the objects from colour clock `a` up to `b`, draws what is lit over the playfield, and notes collisions, as far as colour
    /// clocks are `seen`.
    pub(super) fn overlay(
        &mut self,
        (a, b, active): (usize, usize, u64),
        seen: Range<usize>,
        reading: Reading,
        codes: Codes,
    ) {
        let (start, end) = (codes.from.max(seen.start), codes.to.min(seen.end));
        let shown = codes.is_playfield(reading) && start < end;
        // Objects are drawn in groups within the playfield, or anywhere if there is none.
        let whole = match reading {
            _ if shown => start..end,
            Reading::Luminance | Reading::Hue if self.prior & 0x10 != 0 => 0..0,
            _ => seen,
        };
        let stretch = (a, b, active);
        match reading {
            Reading::Hires if shown => self.lay_over::<HIRES>(stretch, whole, reading, codes),
            Reading::Lores if shown => self.lay_over::<LORES>(stretch, whole, reading, codes),
            Reading::Registers => self.lay_over::<REGISTERS>(stretch, whole, reading, codes),
            _ => self.lay_over::<NONE>(stretch, whole, reading, codes),
        }
    }

    /// Runs and draws the objects.
    #[inline]
    fn lay_over<const GROUND: u8>(
        &mut self,
        (a, b, active): (usize, usize, u64),
        whole: Range<usize>,
        reading: Reading,
        codes: Codes,
    ) {
        let mut objects = core::mem::take(&mut self.objects);
        let mut canvas = Canvas::<GROUND> {
            gtia: self,
            reading,
            codes,
            whole,
        };
        objects.run(a, b, active, &mut canvas);
        self.objects = objects;
        self.lit.objects = [0; WIDTH / 2];
    }
}
