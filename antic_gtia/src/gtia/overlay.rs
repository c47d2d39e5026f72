//! Objects over the playfield: colours by priority, and collisions.
//!
//! Each object is drawn by itself, eight colour clocks at a time, by its row of a table: colours by AN code. The rest is drawn
//! afterwards, once for all objects, colour clock by colour clock: where several objects meet, where the playfield begins or ends, and in
//! modes 9 and 11 under the fifth player.
use super::objects::Paint;
use super::render::{Codes, Reading};
use super::{Colours, Gtia, Palette, priority};
use crate::{FIRST_VISIBLE, WIDTH};
use core::ops::Range;

/// The AN code of PF2, and the bit of PF1 among the outputs of the priority logic.
const PF2: u8 = 6;
const USES_PF1: u16 = 1 << 5;

/// The fifth player as the only object.
const FIFTH: u8 = 0x10;

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
pub(super) static CLOCKS: [[u8; GROUP]; 256] = spread();
static PIXELS: [[u8; 2 * GROUP]; 256] = spread();

/// The kinds of playfield under objects, by the meaning of their columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Columns {
    /// AN codes of one playfield a colour clock; 0 is also the code of modes 9 and 11 for the priority logic.
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

    /// The outputs of the priority logic for objects, as it sees them, over a column.
    #[inline]
    fn outputs(self, column: u8, objects: u8, prior: u8) -> u16 {
        let (code, objects) = match (self, column) {
            (Self::Playfields, _) => (column, objects),
            (Self::Hires, _) => (PF2, objects),
            (Self::Registers, 0..=3) => (0, objects | 1 << column),
            (Self::Registers, 8..=11) => (0, objects),
            (Self::Registers, _) => (4 | column & 3, objects),
        };
        priority::resolve(prior, code, objects)
    }
}

/// The pixels of a group.
type Group = [u8; 2 * GROUP];

/// The colours of one object over one kind of playfield, for a group: each colour sixteen times.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Over the background; in hires over dark pixels.
    base: Group,
    /// The differences to that by column; in hires column 0 stands for bright pixels.
    changes: [Group; 8],
}

/// Objects times kinds of playfield.
const ROWS: usize = 24;

/// The colours of each object by itself over each kind of playfield, as far as they have been asked for since the registers changed on which they
/// depend. They follow from the registers, so they are not part of the state: all machines are equal in them.
#[derive(Clone, Debug)]
pub(super) struct ColourTables {
    rows: [Row; ROWS],
    /// The rows that are filled in, a bit each.
    filled: u32,
    /// The colour registers in each of them, numbered as the outputs of the priority logic, and those in any.
    row_uses: [u16; ROWS],
    uses: u16,
}

impl Default for ColourTables {
    fn default() -> Self {
        let row = Row {
            base: [0; 2 * GROUP],
            changes: [[0; 2 * GROUP]; 8],
        };
        Self {
            rows: [row; ROWS],
            filled: 0,
            row_uses: [0; ROWS],
            uses: 0,
        }
    }
}

impl ColourTables {
    /// Invalidates the rows that hold one of these colour registers.
    #[inline]
    pub(super) fn invalidate(&mut self, registers: u16) {
        if self.uses & registers != 0 {
            self.invalidate_rows(registers);
        }
    }

    /// Invalidates all rows: PRIOR has changed.
    pub(super) fn clear(&mut self) {
        self.filled = 0;
        self.uses = 0;
    }

    #[inline(never)]
    fn invalidate_rows(&mut self, registers: u16) {
        self.uses = 0;
        let mut rows = self.filled;
        while rows != 0 {
            let row = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            let uses = self.row_uses.get(row).copied().unwrap_or(0);
            if uses & registers != 0 {
                self.filled &= !(1 << row);
            } else {
                self.uses |= uses;
            }
        }
    }

    /// The row of one object.
    #[inline]
    fn row(&mut self, columns: Columns, number: usize, prior: u8, colours: &Colours) -> &Row {
        let row = 8 * columns as usize + (number & 7);
        if self.filled >> row & 1 == 0 {
            self.fill_row(columns, row, prior, colours);
        }
        &self.rows[row]
    }

    #[inline(never)]
    fn fill_row(&mut self, columns: Columns, row: usize, prior: u8, colours: &Colours) {
        let palette = colours.palette();
        let object = priority::seen(prior)[1 << (row & 7)];
        let mut uses = 0;
        let mut colour = |columns: Columns, column| {
            let outputs = columns.outputs(column, object, prior);
            uses |= outputs;
            mix(&palette, outputs)
        };
        let Row { base, changes } = &mut self.rows[row % ROWS];
        let ground;
        match columns {
            Columns::Playfields => {
                ground = colour(Columns::Playfields, 0);
                for column in 4..8 {
                    let change = colour(Columns::Playfields, column) ^ ground;
                    changes[usize::from(column)] = [change; 2 * GROUP];
                }
            }
            Columns::Hires => {
                ground = colour(Columns::Hires, PF2);
                changes[0] = [lit_pixel(ground, colours.pf()[1]) ^ ground; 2 * GROUP];
                uses |= USES_PF1;
            }
            Columns::Registers => {
                ground = colour(Columns::Registers, NO_REGISTER);
                for column in 0..8 {
                    let change = colour(Columns::Registers, column) ^ ground;
                    changes[usize::from(column)] = [change; 2 * GROUP];
                }
            }
        }
        *base = [ground; 2 * GROUP];
        self.row_uses[row % ROWS] = uses;
        self.uses |= uses;
        self.filled |= 1 << (row % ROWS);
    }
}

/// For objects on one spot: by object, in bytes, those that it meets.
pub(super) static MET: [u64; 256] = {
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

/// A bit for each byte that is not 0.
#[inline]
pub(super) fn occupied(bytes: u64) -> u8 {
    let low = 0x7F * EACH;
    let high = ((bytes & low) + low | bytes) & !low;
    ((high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The number of COLPF1 in a palette.
const PF1: usize = 5;

/// The colour registers of a palette that the priority logic lets through, mixed.
#[inline]
pub(super) fn mix(palette: &Palette, outputs: u16) -> u8 {
    let mut colour = 0;
    let mut outputs = outputs;
    while outputs != 0 {
        colour |= palette[outputs.trailing_zeros() as usize & 15];
        outputs &= outputs - 1;
    }
    colour
}

/// The colour of a lit hires pixel over `colour`.
#[inline]
pub(super) fn lit_pixel(colour: u8, pf1: u8) -> u8 {
    colour & 0xF0 | pf1 & 0x0F
}

/// Draws an object over hires pixels, where `shape` is $FF: `ground` is $FF for bright ones.
// In this form, and in those of the next two, the compiler makes vectors of sixteen.
#[allow(clippy::inline_always)]
#[inline(always)]
fn lay_hires(pixels: &mut Group, ground: &Group, shape: &Group, colours: &Row, hits: &mut Group) {
    for i in 0..2 * GROUP {
        let new = colours.base[i] ^ colours.changes[0][i] & ground[i];
        pixels[i] ^= (pixels[i] ^ new) & shape[i];
        hits[i] |= ground[i] & shape[i];
    }
}

/// Draws an object over playfields, and over the players' registers in mode 10, where `shape` is $FF.
#[allow(clippy::inline_always)]
#[inline(always)]
fn lay_columns<const PLAYERS: bool>(
    pixels: &mut Group,
    ground: &Group,
    shape: &Group,
    colours: &Row,
    hits: &mut [Group; 4],
) {
    let mut new = colours.base;
    if PLAYERS {
        for player in 0..4 {
            over_column(ground, player, &colours.changes, &mut new);
        }
    }
    let [first, second, third, fourth] = hits;
    over_playfield(ground, 4, shape, &colours.changes, &mut new, first);
    over_playfield(ground, 5, shape, &colours.changes, &mut new, second);
    over_playfield(ground, 6, shape, &colours.changes, &mut new, third);
    over_playfield(ground, 7, shape, &colours.changes, &mut new, fourth);
    lay(pixels, &new, shape);
}

/// Changes the colours over one column; returns where it is, as $FF.
#[allow(clippy::inline_always)]
#[inline(always)]
fn over_column(ground: &Group, column: u8, changes: &[Group; 8], new: &mut Group) -> Group {
    let mut shown = [0; 2 * GROUP];
    for i in 0..2 * GROUP {
        shown[i] = if ground[i] == column { 0xFF } else { 0 };
        new[i] ^= changes[usize::from(column & 7)][i] & shown[i];
    }
    shown
}

/// [`over_column`] with the places where the object hits this playfield.
#[allow(clippy::inline_always)]
#[inline(always)]
fn over_playfield(
    ground: &Group,
    column: u8,
    shape: &Group,
    changes: &[Group; 8],
    new: &mut Group,
    hits: &mut Group,
) {
    let shown = over_column(ground, column, changes, new);
    for i in 0..2 * GROUP {
        hits[i] |= shape[i] & shown[i];
    }
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

/// Colour clocks of the picture, and room for an image that begins in the last one.
const PLACES: usize = WIDTH / 2 + SPAN;

/// The contents of a stretch that is being drawn. Between two stretches they mean nothing, so they are not part of the state.
#[derive(Clone, Debug)]
pub(super) struct DrawnRow {
    /// The playfield by pixel, where it is shown: AN codes, $FF for bright hires pixels and 0 for dark ones, or columns of mode 10.
    pub ground: [u8; WIDTH],
    /// The objects that have been drawn, by colour clock of the picture: all 0 between two stretches.
    objects: [u8; PLACES],
}

impl Default for DrawnRow {
    fn default() -> Self {
        Self {
            ground: [0; WIDTH],
            objects: [0; PLACES],
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

/// A part of a line that objects are drawn over; `GROUND` is the kind of playfield under them in groups.
struct Canvas<'a, const GROUND: u8> {
    /// Without its objects, which are being run.
    gtia: &'a mut Gtia,
    reading: Reading,
    codes: Codes<'a>,
    /// The bits of an object's number that choose its colours: a missile that is no fifth player has its player's.
    distinct: usize,
    /// Colour clocks where objects are drawn in groups.
    whole: Range<usize>,
    /// The colour clocks of the picture that are left to [`Self::draw_each`], a bit each.
    rest: [u64; PLACES.div_ceil(64)],
}

impl<const GROUND: u8> Canvas<'_, GROUND> {
    /// Notes an image that cannot be drawn in groups.
    #[inline(never)]
    fn note(&mut self, object: u8, x: usize, image: u32) {
        // The part before the picture is not seen.
        let hidden = FIRST_VISIBLE.saturating_sub(x);
        let image = u64::from(image) >> hidden.min(SPAN);
        let place = x.max(FIRST_VISIBLE) - FIRST_VISIBLE;
        let Some(objects) = self.gtia.lit.0.objects.get_mut(place..place + SPAN) else {
            return;
        };
        let (groups, _) = objects.as_chunks_mut::<GROUP>();
        for (group, clocks) in groups.iter_mut().zip(image.to_le_bytes()) {
            let clocks = u64::from_le_bytes(CLOCKS[usize::from(clocks)]);
            *group = (u64::from_le_bytes(*group) | clocks & EACH * u64::from(object)).to_le_bytes();
        }
        self.leave(place, image);
    }

    /// Leaves colour clocks from `place` on to [`Self::draw_each`]: the 32 bits of an image.
    #[inline]
    fn leave(&mut self, place: usize, image: u64) {
        let bits = u128::from(image) << (place & 63);
        let words = [bits as u64, (bits >> 64) as u64];
        for (word, bits) in self.rest.iter_mut().skip(place >> 6).zip(words) {
            *word |= bits;
        }
    }

    /// Draws, one by one and with all objects there, the colour clocks that are left for it.
    #[inline(never)]
    fn draw_each(&mut self) {
        let gtia = &mut *self.gtia;
        let (codes, prior) = (self.codes, gtia.prior);
        let shown = priority::seen(prior);
        let palette = gtia.colours.palette();
        let mut met = u64::from_le_bytes(gtia.met);
        let (pixels, _) = gtia.pixels.as_chunks_mut::<2>();
        let lit = &gtia.lit.0.objects[..pixels.len()];
        for (first, mut word) in (0..).step_by(64).zip(self.rest) {
            while word != 0 {
                let place = first + word.trailing_zeros() as usize;
                word &= word - 1;
                let (Some(&objects), Some(pixels)) = (lit.get(place), pixels.get_mut(place)) else {
                    break;
                };
                let x = place + FIRST_VISIBLE;
                let (columns, column) = match GROUND {
                    REGISTERS => (Columns::Registers, codes.nine(x)),
                    HIRES if codes.show(x) => (Columns::Hires, codes.at(x)),
                    LORES => (Columns::Playfields, codes.at(x)),
                    _ => (Columns::Playfields, 0),
                };
                if let Some(playfield) = columns.playfield(column) {
                    gtia.playfield_hits[usize::from(playfield & 3)] |= objects;
                }
                met |= MET[usize::from(objects)];
                let seen = shown[usize::from(objects)];
                let colour = mix(&palette, columns.outputs(column, seen, prior));
                *pixels = if columns == Columns::Hires {
                    let lit = lit_pixel(colour, palette[PF1]);
                    [2, 1].map(|bit| if column & bit != 0 { lit } else { colour })
                } else if GROUND == NONE && seen == FIFTH {
                    // Modes 9 and 11 impress the playfield on the fifth player where it is the only object.
                    match (self.reading, codes.nibble(x & !1)) {
                        (Reading::Luminance, v) => [colour | v; 2],
                        (Reading::Hue, 0) => [colour & 0xF0; 2],
                        (Reading::Hue, v) => [colour | v << 4; 2],
                        _ => [colour; 2],
                    }
                } else {
                    [colour; 2]
                };
            }
        }
        gtia.met = met.to_le_bytes();
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
                self.note(object, x, image);
            }
            return;
        }
        let gtia = &mut *self.gtia;
        let number = number & self.distinct;
        let (prior, colours, tables) = (gtia.prior, &gtia.colours, &mut gtia.merged.0);
        let colours = match GROUND {
            HIRES => tables.row(Columns::Hires, number, prior, colours),
            REGISTERS => tables.row(Columns::Registers, number, prior, colours),
            _ => tables.row(Columns::Playfields, number, prior, colours),
        };
        let row = &mut gtia.lit.0;
        let (pixels, _) = gtia.pixels[2 * place..][..2 * SPAN].as_chunks_mut();
        let (ground, _) = row.ground[2 * place..][..2 * SPAN].as_chunks();
        let (lit, _) = row.objects[place..][..SPAN].as_chunks_mut();
        // For hires pixels the first, else for each playfield.
        let mut hits = [[0; 2 * GROUP]; 4];
        let mut overlap = 0;
        let mut left = image;
        let mut i = 0;
        while left != 0 && i < SPAN / GROUP {
            let byte = usize::from(left as u8);
            if byte != 0 {
                let clocks = u64::from_le_bytes(CLOCKS[byte]);
                let before = u64::from_le_bytes(lit[i]);
                if before & clocks != 0 {
                    overlap |= u64::from(occupied(before & clocks)) << (GROUP * i);
                }
                lit[i] = (before | clocks & EACH * u64::from(object)).to_le_bytes();
                let (pixels, shape) = (&mut pixels[i], &PIXELS[byte]);
                match GROUND {
                    HIRES => lay_hires(pixels, &ground[i], shape, colours, &mut hits[0]),
                    LORES => lay_columns::<false>(pixels, &ground[i], shape, colours, &mut hits),
                    REGISTERS => lay_columns::<true>(pixels, &ground[i], shape, colours, &mut hits),
                    _ => lay(pixels, &colours.base, shape),
                }
            }
            left >>= GROUP;
            i += 1;
        }
        let playfields = match GROUND {
            // Hires pixels are PF2.
            HIRES => 2..3,
            NONE => 0..0,
            _ => 0..4,
        };
        for (all, hits) in gtia.playfield_hits[playfields].iter_mut().zip(hits) {
            // Most are there already.
            if *all & object == 0 && hits != [0; 2 * GROUP] {
                *all |= object;
            }
        }
        if overlap != 0 {
            self.leave(place, overlap);
        }
    }
}

impl Gtia {
    /// Runs the objects from colour clock `a` up to `b`, draws their pixels over the playfield, and notes collisions, as far as colour
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
        // Objects are drawn in groups within the playfield, or anywhere without one.
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
            distinct: if self.prior & 0x10 != 0 { 7 } else { 3 },
            gtia: self,
            reading,
            codes,
            whole,
            rest: [0; _],
        };
        objects.run(a, b, active, &mut canvas);
        if canvas.rest != [0; _] {
            canvas.draw_each();
        }
        self.objects = objects;
        self.lit.objects = [0; PLACES];
    }
}
