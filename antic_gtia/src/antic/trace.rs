//! The playfield's DMA, one fetch at a time: for debuggers. Nothing here changes the chip.
use super::playfield::Fetch;
use super::{Antic, Shape};
use crate::CYCLES;

/// A byte that goes into the line buffer: a character name or a bitmap byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// The machine cycle of the line.
    pub cycle: u8,
    /// Its place in the line buffer.
    pub place: u8,
    /// A character name.
    pub text: bool,
    /// The address of the read; `None` if the fetch was virtual and took the byte that was on the bus.
    pub address: Option<u16>,
    /// The byte.
    pub data: u8,
}

/// A byte that goes into the shift register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show {
    /// The machine cycle of the line.
    pub cycle: u8,
    /// The place in the line buffer that it (or its name) came from.
    pub place: u8,
    /// The colour clock of its first bit on the AN lines, before the delay by bit 0 of HSCROL.
    pub at: u8,
    /// The byte is a row of a character's glyph, not one of the line buffer.
    pub text: bool,
    /// Text: the character name. Bitmaps: 0.
    pub name: u8,
    /// The address at which the glyph was read; `None` for bitmaps, and for virtual fetches, which take the byte on the bus.
    pub glyph: Option<u16>,
    /// The byte as it was read.
    pub raw: u8,
    /// The byte as it is shifted out: after CHACTL and the blank rows of modes 2 and 3.
    pub data: u8,
    /// The way in which it is shifted out.
    pub shape: Shape,
}

/// The immediate effect of a change of DMACTL or HSCROL on the AN lines, beside its effect on the fetches to come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Redriven {
    /// The AN lines carry background from this colour clock on.
    pub cut: Option<u16>,
    /// The line buffer appears without a fetch, as if the playfield had run from one cycle to another.
    pub(super) replay: Option<(u8, u8)>,
}

impl Shape {
    /// Colour clocks that a byte lasts.
    pub const fn clocks(self) -> u8 {
        match self {
            Self::Hires | Self::Pairs | Self::TextPairs => 4,
            Self::TextBits | Self::Bits | Self::Pairs2 => 8,
            Self::Bits2 | Self::Pairs4 => 16,
            Self::Blank => 0,
        }
    }

    /// The bits of a byte that decide its colour clock number `clock`.
    pub const fn bits_at(self, clock: u8) -> u8 {
        match self {
            Self::Hires | Self::Pairs | Self::TextPairs => 0xC0 >> (2 * (clock & 3)),
            Self::TextBits | Self::Bits => 0x80 >> (clock & 7),
            Self::Pairs2 => 0xC0 >> (clock & 6),
            Self::Bits2 => 0x80 >> (clock >> 1 & 7),
            Self::Pairs4 => 0xC0 >> (clock >> 1 & 6),
            Self::Blank => 0,
        }
    }
}

impl Show {
    /// The AN code of one of its colour clocks if its byte (as shifted out) were `data`.
    pub const fn code(&self, data: u8, clock: u8) -> u8 {
        let bits = self.shape.bits_at(clock);
        let value = match bits.trailing_zeros() {
            shift @ 0..=7 => (data & bits) >> shift,
            _ => 0,
        };
        match self.shape {
            Shape::Blank => 0,
            Shape::Hires => 4 | value,
            Shape::Bits | Shape::Bits2 => value << 2,
            Shape::TextBits if value == 0 => 0,
            Shape::TextBits => 4 | self.name >> 6,
            _ if value == 0 => 0,
            Shape::TextPairs if value == 3 && self.name & 0x80 != 0 => 7,
            _ => 3 + value,
        }
    }
}

impl Antic {
    /// [`Antic::catch_up`] that reports each fetch. Those of a planned line come in the order of the line buffer: loads first.
    pub fn catch_up_with(
        &mut self,
        cycle: usize,
        memory: &impl Fetch,
        load: impl FnMut(Load),
        show: impl FnMut(Show),
    ) {
        if self.playfield.irregular {
            return self.fetch_each(cycle, memory, load, show);
        }
        self.planned_before(cycle, memory, load, show);
        self.catch_up(cycle, memory);
    }

    /// The fetches that [`Antic::catch_up`] would make in a planned line.
    fn planned_before(
        &self,
        cycle: usize,
        memory: &impl Fetch,
        mut load: impl FnMut(Load),
        mut show: impl FnMut(Show),
    ) {
        let p = self.playfield.pending;
        let text = self.playfield.timing.text;
        let loads = p.due(p.next_load, p.loads, cycle);
        let first = self.playfield.name_index;
        let mut names = [0; 64];
        let mut scan = self.playfield.scan;
        for i in 0..loads {
            let data = memory.fetch(scan);
            names[usize::from(i & 63)] = data;
            load(Load {
                cycle: p.next_load + (i << p.shift),
                place: first + i,
                text,
                address: Some(scan),
                data,
            });
            scan = super::playfield::step_4k(scan);
        }
        for i in 0..p.due(p.next_show, p.shows, cycle) {
            let place = self.playfield.glyph_index + i;
            let fresh = place.wrapping_sub(first);
            let name = if fresh < loads {
                names[usize::from(fresh & 63)]
            } else {
                self.buffered(place)
            };
            let cycle = p.next_show + (i << p.shift);
            if text {
                let address = self.playfield.glyphs.address(name);
                let data = memory.fetch(address);
                show(self.text_show(cycle, place, name, Some(address), data));
            } else {
                show(self.bitmap_show(cycle, place, name));
            }
        }
    }

    /// The byte that [`Antic::name`] or [`Antic::bitmap`] of this cycle loads.
    pub fn load_in(&self, cycle: usize, text: bool, address: Option<u16>, data: u8) -> Load {
        Load {
            cycle: cycle as u8,
            place: self.playfield.name_index & 63,
            text,
            address,
            data,
        }
    }

    /// The byte that [`Antic::glyph`] of this cycle shows.
    pub fn glyph_in(&self, cycle: usize, address: Option<u16>, data: u8) -> Show {
        let place = self.playfield.glyph_index & 63;
        self.text_show(cycle as u8, place, self.buffered(place), address, data)
    }

    /// The byte that [`Antic::replay_bitmap`] of this cycle shows; `data` is the byte if this cycle loads it.
    pub fn bitmap_in(&self, cycle: usize, loaded: Option<u8>) -> Show {
        let place = self.playfield.glyph_index & 63;
        let data = match loaded {
            Some(data) if self.playfield.name_index & 63 == place => data,
            _ => self.buffered(place),
        };
        self.bitmap_show(cycle as u8, place, data)
    }

    /// Takes the effect on the AN lines of the last change of DMACTL or HSCROL that has acted.
    pub fn take_redriven(&mut self) -> Redriven {
        core::mem::take(&mut self.redriven.0)
    }

    /// The bytes that a change in `cycle` has made appear.
    pub fn replayed(&self, cycle: usize, redriven: Redriven) -> impl Iterator<Item = Show> + '_ {
        let (start, stop) = redriven.replay.unwrap_or((CYCLES as u8, 0));
        let cycles = (start..stop).step_by(self.playfield.timing.ring.max(1).into());
        cycles.zip(0u8..).map(move |(fetch, place)| Show {
            at: fetch.wrapping_mul(2).wrapping_add(12),
            ..self.bitmap_show(cycle as u8, place, self.buffered(place))
        })
    }

    fn text_show(&self, cycle: u8, place: u8, name: u8, glyph: Option<u16>, raw: u8) -> Show {
        Show {
            cycle,
            place,
            at: cycle.wrapping_mul(2).wrapping_add(6),
            text: true,
            name,
            glyph,
            raw,
            data: self.playfield.glyphs.shown(name, raw),
            shape: self.playfield.shape,
        }
    }

    fn bitmap_show(&self, cycle: u8, place: u8, data: u8) -> Show {
        Show {
            cycle,
            place,
            at: cycle.wrapping_mul(2).wrapping_add(8),
            text: false,
            name: 0,
            glyph: None,
            raw: data,
            data,
            shape: self.playfield.shape,
        }
    }
}
