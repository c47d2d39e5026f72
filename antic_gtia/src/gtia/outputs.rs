//! The outputs of the priority logic in a colour clock, with their causes: for debuggers. A copy of the chip draws colour clock by colour clock.
use super::objects::Paint;
pub use super::render::Reading;
use super::{Colours, Gtia, priority, reg};
use crate::antic::AnBus;
use crate::{COLOUR_CLOCKS, END_VISIBLE, FIRST_VISIBLE};

/// The inputs and outputs of GTIA's priority logic in one colour clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// The colour clock of the line.
    pub x: u8,
    /// ANTIC keeps the picture blanked: nothing below counts.
    pub blank: bool,
    /// The reading of the AN codes.
    pub reading: Reading,
    /// The display window is open.
    pub window: bool,
    /// Bit 0 of HSCROL in a scrolled line: the codes come this many colour clocks late.
    pub late: u8,
    /// The AN code; 0 outside the window.
    pub code: u8,
    /// The value of the pixel in the three GTIA modes, 0 to 15; in mode 10 8 where the playfield is muted.
    pub value: u8,
    /// The objects that put out a pixel: players 0 to 3 in bits 0 to 3, missiles in bits 4 to 7.
    pub objects: u8,
    /// PRIOR as it acts.
    pub prior: u8,
    /// The colour registers that come through, ORed: COLPM0-3 in bits 0-3, COLPF0-3 in bits 4-7, COLBK in bit 8.
    pub registers: u16,
    /// In hires: bit 1 the left pixel and bit 0 the right one take their luminance from COLPF1.
    pub bright: u8,
    /// The colour registers as they act.
    pub colours: Colours,
    /// The two pixels that were drawn.
    pub pixels: [u8; 2],
}

impl Outputs {
    /// The number of COLPF1 in [`Outputs::registers`].
    pub const PF1: usize = 5;
    /// The number of COLBK.
    pub const BK: usize = 8;

    /// The pixels with other colours in the registers.
    pub fn colours_with(&self, colours: &Colours) -> [u8; 2] {
        if self.blank {
            return [0; 2];
        }
        let colour = super::overlay::mix(&colours.palette(), self.registers);
        let fifth_alone = self.objects & 15 == 0 && self.objects != 0 && self.prior & 0x10 != 0;
        if self.objects == 0 || fifth_alone {
            match self.reading {
                Reading::Luminance => return [colour | self.value; 2],
                Reading::Hue if self.value == 0 => return [colour & 0xF0; 2],
                Reading::Hue => return [colour | self.value << 4; 2],
                _ => {}
            }
        }
        let bright = super::overlay::lit_pixel(colour, colours.pf()[1]);
        [2, 1].map(|bit| {
            if self.bright & bit != 0 {
                bright
            } else {
                colour
            }
        })
    }

    /// The objects as the priority logic takes them: players with their missiles, and the fifth player.
    pub fn players(&self) -> (u8, bool) {
        let seen = priority::seen(self.prior)[usize::from(self.objects)];
        (seen & 15, seen > 15)
    }

    /// Works out [`Self::registers`] and [`Self::bright`] from the rest: also after something of it was changed.
    pub fn resolve(&mut self) {
        self.registers = 0;
        self.bright = 0;
        if self.blank {
            return;
        }
        let players = priority::seen(self.prior)[usize::from(self.objects)];
        let (code, shown) = match self.reading {
            Reading::Hires if self.window => {
                self.bright = self.code & 3;
                (6, players)
            }
            Reading::Hires | Reading::Luminance | Reading::Hue => (0, players),
            Reading::Lores => (self.code, players),
            Reading::Registers => match self.value {
                n @ 0..=3 => (0, players | 1 << n),
                8..=11 => (0, players),
                n => (4 | n & 3, players),
            },
        };
        self.registers = if self.objects != 0 {
            priority::resolve(self.prior, code, shown)
        } else if self.reading == Reading::Registers && self.value < 4 {
            1 << self.value
        } else if code & 4 != 0 {
            1 << (4 + (code & 3))
        } else {
            1 << Self::BK
        };
    }
}

/// Collects the objects that put out a pixel in one colour clock.
struct ObjectMask(u8);

impl Paint for ObjectMask {
    fn paint(&mut self, number: usize, _x: usize, image: u32) {
        if image & 1 != 0 {
            self.0 |= 1 << (number & 7);
        }
    }
}

impl Gtia {
    /// Draws up to colour clock `to` (not included) and tells what comes through in each colour clock of the picture.
    pub fn trace_to(&mut self, to: usize, an: &AnBus, each: &mut impl FnMut(Outputs)) {
        let to = to.min(COLOUR_CLOCKS);
        while usize::from(self.at) < to {
            let x = usize::from(self.at);
            if !(FIRST_VISIBLE..END_VISIBLE).contains(&x) {
                self.sync_to(x + 1, an);
                continue;
            }
            if x == FIRST_VISIBLE {
                self.hires = an.hires && self.prior & 0xC0 == 0;
            }
            let mut outputs = self.outputs(x, an);
            self.sync_to(x + 1, an);
            let i = 2 * (x - FIRST_VISIBLE);
            outputs.pixels = [self.pixels[i], self.pixels[i + 1]];
            each(outputs);
        }
    }

    /// [`Self::write`], drawing as [`Self::trace_to`] does.
    pub fn trace_write(
        &mut self,
        register: u8,
        data: u8,
        cycle: usize,
        an: &AnBus,
        each: &mut impl FnMut(Outputs),
    ) {
        if let reg::COLPM0..=reg::PRIOR = register & 31 {
            // The colour clocks before this write have the old value, even if no pixel shows it.
            self.trace_to(2 * cycle + Self::delay(register), an, each);
        }
        self.write(register, data, cycle, |gtia, to| {
            gtia.trace_to(to, an, each);
        });
    }

    fn outputs(&self, x: usize, an: &AnBus) -> Outputs {
        let codes = self.codes(an);
        let reading = self.reading();
        let mut mask = ObjectMask(0);
        let mut objects = self.objects.clone();
        let active = objects.active(objects.passed(x, x + 1));
        objects.run(x, x + 1, active, &mut mask);
        let mut outputs = Outputs {
            x: x as u8,
            blank: an.blank,
            reading,
            window: match reading {
                Reading::Lores | Reading::Hires => codes.show(x),
                Reading::Luminance | Reading::Hue => codes.show(x & !1) || codes.show(x | 1),
                Reading::Registers => codes.show((x - 1) & !1) || codes.show((x - 1) | 1),
            },
            late: codes.late as u8,
            code: 0,
            value: 0,
            objects: mask.0,
            prior: self.prior,
            registers: 0,
            bright: 0,
            colours: self.colours,
            pixels: [0; 2],
        };
        if an.blank {
            return outputs;
        }
        match reading {
            Reading::Lores | Reading::Hires => outputs.code = codes.at(x),
            Reading::Luminance | Reading::Hue => {
                outputs.code = codes.at(x);
                outputs.value = codes.nibble(x & !1);
            }
            Reading::Registers => {
                outputs.code = codes.at(x.wrapping_sub(1));
                outputs.value = codes.nine(x);
            }
        }
        outputs.resolve();
        outputs
    }
}

/// The name of a colour register, numbered as in [`Outputs::registers`].
pub fn register_name(number: usize) -> &'static str {
    [
        "COLPM0", "COLPM1", "COLPM2", "COLPM3", "COLPF0", "COLPF1", "COLPF2", "COLPF3", "COLBK",
    ][number.min(8)]
}
