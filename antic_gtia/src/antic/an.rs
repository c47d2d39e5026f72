//! The AN lines: ANTIC's codes for GTIA in each colour clock.
use super::mode::Shape;
use super::playfield::{BUFFER, LineBuffer};
use scratch::Scratch;
use serde::{Deserialize, Serialize};

/// Room for a masked byte position plus the longest expansion.
const CODES: usize = 256 + LONGEST as usize;
/// The most colour clocks of a byte.
const LONGEST: u8 = 16;

/// The codes of a scan line, before the delay by bit 0 of HSCROL.
///
/// A code is 0 for background; 4 to 7 mean PF0 to PF3 in lores lines, and in hires lines 4 plus a pair of pixels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnBus {
    /// Indexed by colour clock.
    #[serde(with = "serde_bytes")]
    pub codes: [u8; CODES],
    /// The playfield is shown from this colour clock on...
    pub from: u8,
    /// ...up to this one.
    pub to: u8,
    /// Bit 0 of HSCROL in a scrolled line: the codes come a colour clock later.
    pub late: u8,
    /// ANTIC announces a hires line in horizontal blank.
    pub hires: bool,
    /// ANTIC holds blanking outside the playfield: vertical blank.
    pub blank: bool,
    /// Something was shifted out since the last clearing.
    pub(crate) used: bool,
    /// See [`AnBus::repeats`].
    #[serde(skip)]
    repeats: Scratch<bool>,
    #[serde(skip)]
    shifted: Scratch<Shifted>,
}

/// The bytes that were shifted out last, while their codes are still there.
#[derive(Clone, Debug)]
struct Shifted {
    shape: Shape,
    /// From which colour clock on.
    at: u8,
    /// Number of these bytes; 0 if the codes are not there any more.
    count: u8,
    /// The colour clock after the last code that may not be empty.
    end: u8,
    // The rest of the arrays means nothing: if it differs, they are only shifted out once more.
    bytes: LineBuffer,
    /// Their names, if those give them colour.
    names: LineBuffer,
}

impl Default for Shifted {
    fn default() -> Self {
        Self {
            shape: Shape::Blank,
            at: 0,
            count: 0,
            end: u8::MAX,
            bytes: [0; 64],
            names: [0; 64],
        }
    }
}

impl Default for AnBus {
    fn default() -> Self {
        Self {
            codes: [0; CODES],
            from: 0,
            to: 0,
            late: 0,
            hires: false,
            blank: true,
            used: false,
            repeats: Scratch::default(),
            shifted: Scratch::default(),
        }
    }
}

/// Two bits a colour clock as playfield numbers; `three` is the code of %11.
const fn pairs(three: u8) -> [u32; 256] {
    let codes = [0, 4, 5, three];
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = u32::from_le_bytes([
            codes[byte >> 6 & 3],
            codes[byte >> 4 & 3],
            codes[byte >> 2 & 3],
            codes[byte & 3],
        ]);
        byte += 1;
    }
    table
}

const fn hires() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] =
            u32::from_le_bytes([4 | b >> 6 & 3, 4 | b >> 4 & 3, 4 | b >> 2 & 3, 4 | b & 3]);
        byte += 1;
    }
    table
}

/// $FF for each bit set.
const fn bits() -> [u64; 256] {
    let mut table = [0; 256];
    let mut byte = 0usize;
    while byte < 256 {
        let mut codes = [0; 8];
        let mut i = 0;
        while i < 8 {
            if byte << i & 0x80 != 0 {
                codes[i] = 0xFF;
            }
            i += 1;
        }
        table[byte] = u64::from_le_bytes(codes);
        byte += 1;
    }
    table
}

const fn text_pairs() -> [u32; 512] {
    let mut table = [0; 512];
    let (low, high) = table.split_at_mut(256);
    low.copy_from_slice(&pairs(6));
    high.copy_from_slice(&pairs(7));
    table
}

/// The four colour clocks of each byte in a hires mode.
static HIRES: [u32; 256] = hires();
static PAIRS: [u32; 256] = pairs(6);
/// The colour clocks of each byte of text: %11 is PF2, or PF3 for names with bit 7.
static TEXT_PAIRS: [u32; 512] = text_pairs();
static BITS: [u64; 256] = bits();

const EACH: u64 = 0x0101_0101_0101_0101;

impl AnBus {
    /// Lines that carry these codes, shown from colour clock `from` up to `to`.
    pub fn new(codes: &[u8; 228], from: u8, to: u8, hires: bool) -> Self {
        let mut an = Self {
            from,
            to,
            hires,
            blank: false,
            used: true,
            ..Self::default()
        };
        an.codes[..228].copy_from_slice(codes);
        an
    }

    /// True if everything is as it was at the end of the line before, in so far as this line has come.
    #[inline]
    pub(crate) fn repeats(&self) -> bool {
        *self.repeats
    }

    /// A new line begins.
    #[inline]
    pub(super) fn begin_line(&mut self) {
        self.repeats.0 = true;
    }

    /// The codes are about to change.
    #[inline]
    fn change(&mut self) {
        self.repeats.0 = false;
        self.shifted.count = 0;
    }

    /// Empties the shift register and its output for a new line.
    pub(super) fn clear(&mut self, fill: u8) {
        if self.used || self.codes[0] != fill {
            self.change();
            self.codes = [fill; CODES];
            self.shifted.end = 0;
            self.used = false;
        }
    }

    /// Something may be shifted out in this line.
    pub(super) fn will_be_used(&mut self) {
        self.repeats.0 &= self.used;
        self.used = true;
    }

    /// Announces a hires line, or one of playfields.
    pub(super) fn announce(&mut self, hires: bool) {
        self.repeats.0 &= self.hires == hires;
        self.hires = hires;
    }

    /// Shows the playfield from colour clock `from` up to `to`, `late` of them late; or nothing but blanking.
    pub(super) fn show(&mut self, from: u8, to: u8, late: u8, blank: bool) {
        let old = (self.from, self.to, self.late, self.blank);
        self.repeats.0 &= old == (from, to, late, blank);
        (self.from, self.to, self.late, self.blank) = (from, to, late, blank);
    }

    /// Empties the output from colour clock `from` on.
    pub(super) fn cut(&mut self, from: usize, empty: u8) {
        self.change();
        if from >= self.shifted.end.into() {
            return;
        }
        if let Some(rest) = self.codes.get_mut(from..) {
            rest.fill(empty);
            self.shifted.end = from as u8;
        }
    }

    /// Empties some colour clocks.
    pub(super) fn cut_between(&mut self, from: usize, length: usize) {
        self.change();
        if let Some(codes) = self.codes.get_mut(from & 255..(from & 255) + length) {
            codes.fill(0);
        }
    }

    #[inline]
    fn put8(&mut self, at: usize, codes: u64) {
        self.codes[at..at + 8].copy_from_slice(&codes.to_le_bytes());
    }

    /// Shifts out `data` from colour clock `at` on. `name` gives text its colour.
    #[inline]
    pub(super) fn shift_out(&mut self, shape: Shape, at: u8, data: u8, name: u8) {
        // Codes that come after the window and after those of the line's bytes are never shown.
        if at < self.to.max(self.shifted.end) {
            self.change();
        }
        self.shifted.end = self.shifted.end.max(at.saturating_add(LONGEST));
        let (index, at) = (usize::from(data), usize::from(at));
        let four = match shape {
            Shape::Hires => HIRES[index],
            Shape::Pairs => PAIRS[index],
            Shape::TextPairs => TEXT_PAIRS[index | usize::from(name & 0x80) << 1],
            _ => return self.shift_out_slowly(shape, at as u8, data, name),
        };
        self.codes[at..at + 4].copy_from_slice(&four.to_le_bytes());
    }

    /// Shifts out the first `count` bytes of a line, one every `step` colour clocks from `at` on, unless they are the bytes shifted out
    /// last. The names, one for each byte, give text its colour.
    pub(super) fn shift_out_line(
        &mut self,
        shape: Shape,
        at: u8,
        step: u8,
        count: u8,
        (bytes, names): (&LineBuffer, &LineBuffer),
    ) {
        let old = &mut self.shifted;
        let coloured = shape.takes_names();
        if (old.shape, old.at, old.count) == (shape, at, count)
            // Most lines that differ do so in their first bytes.
            && old.bytes[..8] == bytes[..8]
            && old.bytes == *bytes
            && (!coloured || old.names == *names)
        {
            return;
        }
        let end = usize::from(count).min(bytes.len());
        // Text in which no name has bit 7 has the codes of a bitmap.
        let stored = &names[..BUFFER.into()];
        let is_plain = || stored.iter().fold(0, |any, name| any | name) < 0x80;
        let kind = match shape {
            Shape::TextPairs if is_plain() => Shape::Pairs,
            other => other,
        };
        self.shift_out_all(kind, at, step, &bytes[..end], &names[..end]);
        let new = &mut self.shifted;
        (new.shape, new.at, new.count) = (shape, at, count);
        let end = at.saturating_add(count.saturating_mul(step));
        new.end = new.end.max(end);
        new.bytes = *bytes;
        if coloured {
            new.names = *names;
        }
    }

    /// Leaves out `count` bytes of a line, one every `step` colour clocks from `at` on: nothing looks at their codes.
    pub(super) fn leave_out(&mut self, at: u8, step: u8, count: u8) {
        self.change();
        let end = at.saturating_add(count.saturating_mul(step));
        self.shifted.end = self.shifted.end.max(end);
    }

    /// Shifts out bytes, one every `step` colour clocks from `at` on.
    pub(super) fn shift_out_all(
        &mut self,
        shape: Shape,
        at: u8,
        step: u8,
        bytes: &[u8],
        names: &[u8],
    ) {
        self.change();
        match shape {
            Shape::Hires => self.put_quads(at, bytes, names, &HIRES, |byte, _| byte.into()),
            Shape::Pairs => self.put_quads(at, bytes, names, &PAIRS, |byte, _| byte.into()),
            Shape::TextPairs => self.put_quads(at, bytes, names, &TEXT_PAIRS, |byte, name| {
                u16::from_le_bytes([byte, name >> 7])
            }),
            _ => {
                let mut at = at;
                for (&byte, &name) in bytes.iter().zip(names) {
                    self.shift_out_slowly(shape, at, byte, name);
                    at = at.wrapping_add(step);
                }
            }
        }
    }

    /// Shifts out bytes that last four colour clocks each: `index` says where in the table those of a byte and its name are.
    #[inline]
    fn put_quads<const N: usize>(
        &mut self,
        at: u8,
        bytes: &[u8],
        names: &[u8],
        table: &[u32; N],
        index: impl Fn(u8, u8) -> u16,
    ) {
        let codes = |index: u16| table[usize::from(index) % N].to_le_bytes();
        let quads = self.codes[usize::from(at)..].as_chunks_mut::<4>().0;
        // Eight at a time: most lines have nothing else.
        let count = bytes.len().min(quads.len());
        let (eights, rest) = quads[..count].as_chunks_mut::<8>();
        let (byte_eights, rest_bytes) = bytes.as_chunks::<8>();
        let (name_eights, rest_names) = names.as_chunks::<8>();
        for ((quads, bytes), names) in eights.iter_mut().zip(byte_eights).zip(name_eights) {
            let mut indexes = [0; 8];
            for i in 0..8 {
                indexes[i] = index(bytes[i], names[i]);
            }
            for i in 0..8 {
                quads[i] = codes(indexes[i]);
            }
        }
        for ((quad, &byte), &name) in rest.iter_mut().zip(rest_bytes).zip(rest_names) {
            *quad = codes(index(byte, name));
        }
    }

    /// The modes whose bytes last longer than four colour clocks.
    #[inline(never)]
    fn shift_out_slowly(&mut self, shape: Shape, at: u8, data: u8, name: u8) {
        let index = usize::from(data);
        match shape {
            Shape::Hires | Shape::Pairs | Shape::TextPairs | Shape::Blank => {}
            Shape::TextBits => {
                self.put8(at.into(), BITS[index] & (EACH * u64::from(4 | name >> 6)));
            }
            Shape::Bits => self.put8(at.into(), BITS[index] & (EACH * 4)),
            Shape::Pairs2 => {
                let four = PAIRS[index].to_le_bytes();
                let mut codes = [0; 8];
                for (i, code) in codes.iter_mut().enumerate() {
                    *code = four[i / 2];
                }
                self.put8(at.into(), u64::from_le_bytes(codes));
            }
            Shape::Bits2 => {
                let eight = (BITS[index] & (EACH * 4)).to_le_bytes();
                self.put16(at, |i| eight[i / 2]);
            }
            Shape::Pairs4 => {
                let four = PAIRS[index].to_le_bytes();
                self.put16(at, |i| four[i / 4]);
            }
        }
    }

    #[inline]
    fn put16(&mut self, at: u8, code: impl Fn(usize) -> u8) {
        let at = usize::from(at);
        for (i, to) in self.codes[at..at + 16].iter_mut().enumerate() {
            *to = code(i);
        }
    }
}
