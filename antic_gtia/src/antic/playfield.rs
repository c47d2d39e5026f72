//! Playfield fetches: line buffer, glyphs and the display window.
use super::Antic;
use serde::{Deserialize, Serialize};

/// Where a line's glyphs come from and what CHACTL makes of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Glyphs {
    /// Character set and row.
    base: u16,
    /// The bits of a name that choose the glyph.
    mask: u8,
    /// Codes below $60 are blank in this row.
    blank_low: bool,
    /// Codes from $60 on are blank in this row.
    blank_high: bool,
    /// For names with bit 7: ANDed to the row.
    and: u8,
    /// For names with bit 7: exclusively ORed to the row.
    xor: u8,
}

/// Places of the line buffer's address counter.
const PLACES: u8 = 63;
/// Places with memory.
const BUFFER: u8 = 48;

const fn next_place(index: u8) -> u8 {
    if index + 1 >= PLACES { 0 } else { index + 1 }
}

impl Antic {
    /// The memory scan counter counts within 4K.
    #[inline(always)]
    fn step_scan(&mut self) {
        self.scan = self.scan & 0xF000 | self.scan.wrapping_add(1) & 0x0FFF;
    }

    /// Where the name or bitmap byte of this cycle comes from.
    #[inline]
    pub fn scan_address(&self) -> u16 {
        self.scan
    }

    /// Takes a character name in an ordinary line: cycle 8 to 105, no more than 48 bytes a line.
    #[inline(always)]
    pub fn plain_name(&mut self, data: u8) {
        self.buffer[usize::from(self.name_index & 63)] = data;
        self.name_index += 1;
        self.step_scan();
    }

    /// Takes a row of a glyph in an ordinary line.
    #[inline(always)]
    pub fn plain_glyph(&mut self, cycle: usize, data: u8) {
        let name = self.buffer[usize::from(self.glyph_index & 63)];
        self.glyph_index += 1;
        self.show_glyph(cycle, name, data);
    }

    /// Takes a bitmap byte in an ordinary line.
    #[inline(always)]
    pub fn plain_bitmap(&mut self, cycle: usize, data: u8) {
        self.buffer[usize::from(self.name_index & 63)] = data;
        self.name_index += 1;
        self.step_scan();
        self.an
            .shift_out(self.shape, (2 * cycle + 8) as u8, data, 0);
    }

    /// Takes a character name.
    pub fn name(&mut self, cycle: usize, data: u8) {
        self.load(cycle, data);
        self.step_scan();
    }

    /// Loads the line buffer and steps its counter, which is held during the head of the line (Acid800 antic_hscrolbug).
    fn load(&mut self, cycle: usize, data: u8) {
        let index = self.name_index & 63;
        if index < BUFFER {
            self.buffer[usize::from(index)] = data;
        }
        if cycle >= 8 {
            self.name_index = next_place(index);
        }
    }

    fn buffered(&self, index: u8) -> u8 {
        let index = index & 63;
        if index < BUFFER {
            self.buffer[usize::from(index)]
        } else {
            0xFF
        }
    }

    /// Where the glyph of this cycle comes from.
    #[inline]
    pub fn glyph_address(&self) -> u16 {
        // The places without memory hold $FF.
        let name = self.buffer[usize::from(self.glyph_index & 63)];
        self.glyphs.base | u16::from(name & self.glyphs.mask) << 3
    }

    /// Takes a row of a glyph.
    pub fn glyph(&mut self, cycle: usize, data: u8) {
        let name = self.buffered(self.glyph_index);
        if cycle >= 8 {
            self.glyph_index = next_place(self.glyph_index & 63);
        }
        self.show_glyph(cycle, name, data);
    }

    #[inline(always)]
    fn show_glyph(&mut self, cycle: usize, name: u8, data: u8) {
        let mut data = data;
        let g = self.glyphs;
        if g.blank_low | g.blank_high {
            let high = name & 0x60 == 0x60;
            if if high { g.blank_high } else { g.blank_low } {
                data = 0;
            }
        }
        if name & 0x80 != 0 {
            data = data & g.and ^ g.xor;
        }
        self.an
            .shift_out(self.shape, (2 * cycle + 6) as u8, data, name);
    }

    /// Takes a bitmap byte.
    pub fn bitmap(&mut self, cycle: usize, data: u8) {
        self.load(cycle, data);
        self.step_scan();
        self.an
            .shift_out(self.shape, (2 * cycle + 8) as u8, data, 0);
    }

    /// Shows the next byte of the line buffer again, in the later lines of a mode line.
    pub fn replay_bitmap(&mut self, cycle: usize) {
        let data = self.buffered(self.name_index);
        if cycle >= 8 {
            self.name_index = next_place(self.name_index & 63);
        }
        self.an
            .shift_out(self.shape, (2 * cycle + 8) as u8, data, 0);
    }

    /// Whether the bytes of this line are loaded into the line buffer.
    #[inline]
    pub fn loads(&self) -> bool {
        self.timing.first
    }

    /// Works out what the glyph fetches of this line have in common.
    pub(super) fn choose_glyphs(&mut self) {
        let mode = self.mode().number();
        let mut row = self.row;
        let mut g = Glyphs {
            and: 0xFF,
            ..Glyphs::default()
        };
        if mode == 5 || mode == 7 {
            row >>= 1;
        }
        let reflected = if self.chactl & 4 != 0 { 7 } else { 0 };
        let set = if mode >= 6 {
            g.mask = 0x3F;
            self.chbase & 0xFE
        } else {
            g.mask = 0x7F;
            self.chbase & 0xFC
        };
        g.base = u16::from(set) << 8 | u16::from(row & 7 ^ reflected);
        if mode == 2 || mode == 3 {
            g.blank_low = row == 8 || row == 9;
            g.blank_high = mode == 3 && row < 2;
            if self.chactl & 1 != 0 {
                g.and = 0;
            }
            if self.chactl & 2 != 0 {
                g.xor = 0xFF;
            }
        }
        self.glyphs = g;
    }

    /// Sets what part of the line shows playfield: AHRM 4.3 and 6.2.
    pub(super) fn window(&mut self) {
        let (from, to) = match self.dmactl & 3 {
            0 => (0, 0),
            1 => (64, 192),
            2 => (48, 208),
            _ => (44, 222),
        };
        // The hires bug: a hires instruction keeps ANTIC from blanking the lines outside the display (AHRM 4.6, 6.2).
        self.an.blank = !self.displays() && !(self.an.hires && to != 0);
        self.an.from = from;
        self.an.to = to;
        self.an.late = if self.scrolled() { self.hscrol & 1 } else { 0 };
    }
}
