//! The modes of the display list instructions.

/// The low four bits of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Mode(u8);

/// The way in which the playfield's bytes become AN codes. Those that last four colour clocks come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum Shape {
    /// Modes 2, 3 and F: pairs of hires pixels.
    Hires,
    /// Modes D, E: two bits a colour clock.
    Pairs,
    /// Modes 4, 5: two bits a colour clock; bit 7 of the name makes PF3 of PF2.
    TextPairs,
    /// Modes 6, 7: a bit a colour clock; bits 7-6 of the name choose the playfield.
    TextBits,
    /// Modes B, C: a bit a colour clock.
    Bits,
    /// Mode A: two bits each two colour clocks.
    Pairs2,
    /// Mode 9: a bit each two colour clocks.
    Bits2,
    /// Mode 8: two bits each four colour clocks.
    Pairs4,
    /// Nothing is shifted out.
    Blank,
}

impl Shape {
    /// True if bits of a name are part of its colours.
    pub(super) const fn takes_names(self) -> bool {
        matches!(self, Self::TextPairs | Self::TextBits)
    }

    /// Bits that leave the shift register in a number of colour clocks.
    pub(super) const fn shifted(self, clocks: usize) -> u32 {
        let bits = match self {
            Self::Hires | Self::Pairs | Self::TextPairs => 2 * clocks,
            Self::TextBits | Self::Bits => clocks,
            Self::Pairs2 => clocks & !1,
            Self::Bits2 => clocks / 2,
            Self::Pairs4 => clocks / 4 * 2,
            Self::Blank => 8,
        };
        if bits > 8 { 8 } else { bits as u32 }
    }
}

// Not within the function: the compiler would build it again for each lookup.
static LAST_ROWS: [u8; 16] = [0, 0, 7, 9, 7, 15, 7, 15, 7, 3, 3, 1, 0, 1, 0, 0];

impl Mode {
    /// The mode of an instruction.
    pub const fn of(instruction: u8) -> Self {
        Self(instruction & 15)
    }

    /// A blank line or a jump.
    pub const fn is_blank(self) -> bool {
        self.0 < 2
    }

    /// A jump.
    pub const fn is_jump(self) -> bool {
        self.0 == 1
    }

    /// A character mode.
    pub const fn is_text(self) -> bool {
        self.0 >= 2 && self.0 < 8
    }

    /// A mode of 320 pixels.
    pub const fn is_hires(self) -> bool {
        matches!(self.0, 2 | 3 | 15)
    }

    /// Bits of the DMA clock's ring: cycles between two fetches; 0 without playfield. AHRM 4.12 table 7.
    pub const fn ring(self) -> u8 {
        [0, 0, 2, 2, 2, 2, 4, 4, 8, 8, 4, 4, 4, 2, 2, 2][self.0 as usize & 15]
    }

    /// The last row of the mode line without vertical scrolling.
    pub const fn last_row(self, instruction: u8) -> u8 {
        if self.0 == 0 {
            return instruction >> 4 & 7;
        }
        LAST_ROWS[self.0 as usize & 15]
    }

    /// The way in which bytes become AN codes.
    pub const fn shape(self) -> Shape {
        match self.0 {
            2 | 3 | 15 => Shape::Hires,
            4 | 5 => Shape::TextPairs,
            6 | 7 => Shape::TextBits,
            8 => Shape::Pairs4,
            9 => Shape::Bits2,
            10 => Shape::Pairs2,
            11 | 12 => Shape::Bits,
            13 | 14 => Shape::Pairs,
            _ => Shape::Blank,
        }
    }

    /// The number of the mode, 0 to 15.
    pub const fn number(self) -> u8 {
        self.0
    }
}
