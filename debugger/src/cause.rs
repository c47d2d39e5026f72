//! The causes of a pixel: from the colour on the screen back to the stores, fetches and display list instructions that made it.
//!
//! The frame runs again from a copy of the machine: with a [`Recorder`] up to the pixel's line, and then cycle by cycle with GTIA drawn
//! up to the beam, so that a copy of GTIA can show the inputs of the priority logic in each colour clock.

mod sentence;
mod text;

pub use text::{WhyLine, WhyPart};

use crate::Replay;
use crate::frame_log::{Event, FrameLog, Kind, ListLine, Recorder, effect_delay};
use antic_gtia::antic::{Load, Show};
use antic_gtia::gtia::{Outputs, Reading, reg};
use antic_gtia::{CYCLES, END_VISIBLE, FIRST_VISIBLE};
use machine::Machine;
use std::collections::HashMap;

/// Colour clocks of a line.
const CLOCKS: u64 = 228;
const GTIA: u16 = 0xD000;
const ANTIC: u16 = 0xD400;
const PRIOR: u16 = GTIA + reg::PRIOR as u16;

/// The origin of the value of a register or a byte of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A store of the processor in this frame.
    Store {
        /// Its cycle.
        now: u64,
        /// The instruction.
        pc: u16,
        /// The address.
        address: u16,
        /// The byte.
        data: u8,
    },
    /// The user has written it in this frame.
    Edit {
        /// Its cycle.
        now: u64,
        /// The address.
        address: u16,
        /// The byte.
        data: u8,
    },
    /// DMA of player or missile graphics in this frame.
    Dma {
        /// Its cycle.
        now: u64,
        /// The address of the byte.
        address: u16,
        /// The byte.
        data: u8,
    },
    /// The value from before the frame.
    Before {
        /// The address.
        address: u16,
        /// The byte.
        data: u8,
    },
}

impl Origin {
    fn of(event: &Event) -> Self {
        let Event {
            now,
            pc,
            address,
            data,
            ..
        } = *event;
        if event.kind == Kind::Edit {
            return Self::Edit { now, address, data };
        }
        Self::Store {
            now,
            pc,
            address,
            data,
        }
    }

    /// The cycle, if that is in this frame.
    pub fn now(&self) -> Option<u64> {
        match *self {
            Self::Store { now, .. } | Self::Edit { now, .. } | Self::Dma { now, .. } => Some(now),
            Self::Before { .. } => None,
        }
    }

    /// The address and the byte.
    pub fn byte(&self) -> (u16, u8) {
        match *self {
            Self::Store { address, data, .. }
            | Self::Edit { address, data, .. }
            | Self::Dma { address, data, .. }
            | Self::Before { address, data } => (address, data),
        }
    }
}

/// The layer that won at a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// Outside the picture that ANTIC shows: black.
    Blank,
    /// COLBK outside the playfield's window, or where the playfield is background.
    Background,
    /// Playfield 0 to 3.
    Playfield(u8),
    /// A pixel of a GTIA mode.
    Gtia,
    /// Players, by bits; more than one where their colours mix.
    Players(u8),
    /// The missiles as fifth player.
    FifthPlayer,
    /// Players and playfields mixed, or neither of them: black.
    Mixed,
}

/// A colour register that came through, and the store that loaded it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Colour {
    /// Its number: COLPM0-3, COLPF0-3, COLBK.
    pub number: u8,
    /// Its value.
    pub value: u8,
    /// The store that loaded it.
    pub origin: Origin,
}

/// A byte of DMA that a pixel shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The cycle in which it went into the shift register.
    pub shown: u64,
    /// The way in which it went there.
    pub show: Show,
    /// The cycle in which the line buffer took it (bitmaps) or its name (text), and the load; `None` if that was before this frame.
    pub load: Option<(u64, Load)>,
    /// The bits that decide the pixel.
    pub bits: u8,
    /// Text: the last writer of the glyph's byte.
    pub glyph_origin: Option<Origin>,
    /// The last writer of the bitmap byte or the name.
    pub origin: Option<Origin>,
    /// A virtual fetch, which takes the byte on the bus: the address of the processor's access in its cycle.
    pub passed: Option<u16>,
}

/// The source of the playfield at a pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playfield {
    /// The display list instruction, its row, and the address of its fetch.
    pub list: ListLine,
    /// The last writer of the instruction.
    pub list_origin: Option<Origin>,
    /// The bytes: one, or two where a GTIA pixel spans two.
    pub bytes: Vec<Fetched>,
    /// The store that loaded CHBASE, in text modes.
    pub chbase: Option<Origin>,
}

/// A player or missile that puts out a bit at a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// Players are 0 to 3, missiles 4 to 7.
    pub number: u8,
    /// The colour clock at which HPOS loaded its bits.
    pub trigger: u16,
    /// The bit of the graphics byte that is on the screen.
    pub bit: u8,
    /// The store that loaded HPOS.
    pub hpos: Origin,
    /// The store that loaded SIZE.
    pub size: Origin,
    /// The origin of GRAF: a store, DMA, or its value before.
    pub graf: Origin,
    /// The last writer of the byte that DMA fetched.
    pub graf_origin: Option<Origin>,
    /// True if its player comes through.
    pub wins: bool,
}

/// The explanation of a pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// Column 0 to 375 and row 0 to 239 of the picture.
    pub pixel: (usize, usize),
    /// The colour index.
    pub colour: u8,
    /// The scan line.
    pub line: u16,
    /// The cycle in which the beam is there.
    pub now: u64,
    /// The layer that won.
    pub layer: Layer,
    /// The inputs and outputs of the priority logic.
    pub outputs: Outputs,
    /// The colour registers that came through, and COLPF1 where it gives the luminance.
    pub colours: Vec<Colour>,
    /// The store that loaded PRIOR, where objects or a GTIA mode make it matter.
    pub prior: Option<Origin>,
    /// The playfield, where its window is open.
    pub playfield: Option<Playfield>,
    /// The objects that put out a bit here, whether they win or not.
    pub objects: Vec<Object>,
}

/// The causes of a frame's pixels, or of some of its lines.
#[derive(Clone, Debug)]
pub struct FrameCause {
    /// All events of the frame.
    pub log: FrameLog,
    /// The outputs of the priority logic by row of the picture, by colour clock from 34 on.
    rows: Vec<Vec<Outputs>>,
    /// Memory at the start of the frame, for addresses that were not written in it.
    before: Box<Machine>,
    /// Stores by address (registers by their first mirror), in the order of time.
    stores: HashMap<u16, Vec<Event>>,
    /// DMA of players 0 to 3 and missiles that GTIA took, in the order of time.
    objects: [Vec<Event>; 5],
}

/// A register's address without its mirrors.
fn canonical(address: u16) -> u16 {
    match address >> 8 {
        0xD0 => address & 0xFF1F,
        0xD2 | 0xD4 => address & 0xFF0F,
        0xD3 => address & 0xFF03,
        _ => address,
    }
}

impl FrameCause {
    /// The causes in a row of the picture, 0 to 239. The replay is at cycle 0 of line 0.
    pub fn of_row(start: Replay, row: usize) -> Self {
        Self::of_rows(start, row, row + 1)
    }

    /// The causes in a whole frame.
    pub fn of_frame(start: Replay) -> Self {
        Self::of_rows(start, 0, 240)
    }

    /// The causes in some rows.
    pub(crate) fn of_rows(mut replay: Replay, first: usize, end: usize) -> Self {
        let before = Box::new(replay.machine().clone());
        let mut recorder = Recorder::new(&before).with_details();
        replay.run(((first + 8) * CYCLES) as u64, &mut recorder);
        let mut rows = vec![Vec::new(); first];
        for _ in first..end {
            rows.push(trace_line(&mut replay, &mut recorder));
        }
        let mut cause = Self {
            log: recorder.finish(replay.machine()),
            rows,
            before,
            stores: HashMap::new(),
            objects: Default::default(),
        };
        for event in &cause.log.events {
            if event.is_write() {
                let stores = cause.stores.entry(canonical(event.address)).or_default();
                stores.push(*event);
            }
        }
        for event in &cause.log.events {
            let number = match event.kind {
                Kind::Player(n) => n,
                Kind::Missiles => 4,
                _ => continue,
            };
            if number == 4 || cause.takes(number, event.now) {
                cause.objects[usize::from(number & 7)].push(*event);
            }
        }
        cause
    }

    /// The picture of the rows that were traced, as it was drawn.
    pub fn row(&self, y: usize) -> &[Outputs] {
        self.rows.get(y).map_or(&[], Vec::as_slice)
    }

    /// Explains a pixel; `None` if its row was not traced.
    pub fn why(&self, x: usize, y: usize) -> Option<Why> {
        let outputs = *self.row(y).get(x / 2)?;
        let line = (y + 8) as u16;
        let clock = u16::from(outputs.x);
        let right = x & 1 != 0;
        let at = Self::clock_of(line, clock);
        let gtia_mode = !matches!(outputs.reading, Reading::Lores | Reading::Hires);
        let objects = self.objects(&outputs, line);
        let in_playfield = outputs.window && !outputs.blank;
        Some(Why {
            pixel: (x, y),
            colour: outputs.pixels[usize::from(right)],
            line,
            now: self.log.time(line, (clock / 2) as u8),
            layer: layer(&outputs),
            outputs,
            colours: self.colours(&outputs, right, at),
            prior: (outputs.objects != 0 || gtia_mode)
                .then(|| self.register(PRIOR, at, if gtia_mode { 3 } else { 2 })),
            playfield: in_playfield
                .then(|| self.playfield(&outputs, line, right))
                .flatten(),
            objects,
        })
    }

    /// Colour clocks from the start of the frame.
    fn clock_of(line: u16, clock: u16) -> u64 {
        u64::from(line) * CLOCKS + u64::from(clock)
    }

    fn effect_of(&self, now: u64, delay: u16) -> u64 {
        2 * (now - self.log.frame_start) + u64::from(delay)
    }

    /// The store that loaded a register that acts `delay` colour clocks after a write's cycle has begun, seen from a colour clock.
    fn register(&self, address: u16, clock: u64, delay: u16) -> Origin {
        let stores = self.stores.get(&address).map_or(&[][..], Vec::as_slice);
        let until = stores.partition_point(|event| self.effect_of(event.now, delay) <= clock);
        match until.checked_sub(1) {
            Some(last) => Origin::of(&stores[last]),
            None => Origin::Before {
                address,
                data: self.log.value_before(address).unwrap_or(0),
            },
        }
    }

    /// The store that loaded a register, seen from a pixel: writes act `delay` colour clocks after the first one of their cycle.
    pub fn register_at(&self, address: u16, why: &Why, delay: u16) -> Origin {
        let clock = Self::clock_of(why.line, u16::from(why.outputs.x));
        self.register(canonical(address), clock, delay)
    }

    fn gtia_register(&self, register: u8, clock: u64) -> Origin {
        let address = GTIA + u16::from(register);
        self.register(address, clock, effect_delay(address).unwrap_or(0))
    }

    /// The last writer of a byte of memory before a cycle.
    pub fn writer(&self, address: u16, now: u64) -> Origin {
        let stores = self.stores.get(&canonical(address));
        let stores = stores.map_or(&[][..], Vec::as_slice);
        let until = stores.partition_point(|event| event.now < now);
        match until.checked_sub(1) {
            Some(last) => Origin::of(&stores[last]),
            None => Origin::Before {
                address,
                data: self.before.peek(address),
            },
        }
    }

    fn colours(&self, outputs: &Outputs, right: bool, clock: u64) -> Vec<Colour> {
        if outputs.blank {
            return Vec::new();
        }
        let mut registers = outputs.registers;
        if outputs.bright & if right { 1 } else { 2 } != 0 {
            registers |= 1 << Outputs::PF1;
        }
        (0..9u8)
            .filter(|&number| registers >> number & 1 != 0)
            .map(|number| Colour {
                number,
                value: outputs.colours.register(number.into()),
                origin: self.gtia_register(reg::COLPM0 + number, clock),
            })
            .collect()
    }

    fn playfield(&self, outputs: &Outputs, line: u16, right: bool) -> Option<Playfield> {
        let list = *self.log.list_line(line)?;
        let x = u16::from(outputs.x);
        let late = u16::from(outputs.late);
        let clocks = match outputs.reading {
            Reading::Lores | Reading::Hires => x..x + 1,
            Reading::Luminance | Reading::Hue => x & !1..(x & !1) + 2,
            Reading::Registers => (x - 1) & !1..((x - 1) & !1) + 2,
        };
        // Mode 10 shows the codes before a change for one more colour clock.
        let held = outputs.reading == Reading::Registers;
        let (start, end) = (self.log.time(line, 0), self.log.time(line + 1, 0));
        let place = |time: u64| self.log.shows.partition_point(|(now, _)| *now < time);
        let shows = &self.log.shows[place(start)..place(end)];
        let mut bytes: Vec<Fetched> = Vec::new();
        for clock in clocks {
            let clock = clock.checked_sub(late)?;
            let covering = shows.iter().rev().find(|(_, show)| {
                let at = u16::from(show.at);
                // A change of DMACTL shows nothing to the left of the beam.
                (at..at + u16::from(show.shape.clocks())).contains(&clock)
                    && x >= 2 * u16::from(show.cycle) + u16::from(held)
            });
            let Some(&(shown, show)) = covering else {
                continue;
            };
            if self.is_cut(shown, clock, end) {
                continue;
            }
            let mut bits = show.shape.bits_at((clock - u16::from(show.at)) as u8);
            if outputs.reading == Reading::Hires {
                // The left pixel is the upper bit.
                bits = if right {
                    bits & bits.wrapping_neg()
                } else {
                    bits & !(bits & bits.wrapping_neg())
                };
            }
            let known = |byte: &&mut Fetched| (byte.shown, byte.show) == (shown, show);
            match bytes.iter_mut().find(known) {
                Some(byte) => byte.bits |= bits,
                None => bytes.push(self.fetched(shown, show, bits)),
            }
        }
        let text = bytes.iter().any(|byte| byte.show.glyph.is_some());
        let shown = bytes.first().map(|byte| byte.shown);
        Some(Playfield {
            list,
            list_origin: list.fetched.map(|(address, now)| self.writer(address, now)),
            chbase: shown
                .filter(|_| text)
                .map(|now| self.register(ANTIC + 9, 2 * (now - self.log.frame_start), 4)),
            bytes,
        })
    }

    /// True if a change of DMACTL or HSCROL has emptied the AN lines at a colour clock of a line after the byte that came there was shown.
    fn is_cut(&self, shown: u64, clock: u16, end: u64) -> bool {
        let cuts = self.log.cuts.iter();
        cuts.skip_while(|(now, _)| *now <= shown)
            .take_while(|(now, _)| *now < end)
            .any(|(_, from)| clock >= *from)
    }

    fn fetched(&self, shown: u64, show: Show, bits: u8) -> Fetched {
        let until = self.log.loads.partition_point(|(now, _)| *now <= shown);
        let load = self.log.loads[..until]
            .iter()
            .rev()
            .find(|(_, load)| load.place == show.place)
            .copied();
        let origin = load.and_then(|(now, load)| Some(self.writer(load.address?, now)));
        let taken = match load {
            Some((now, load)) if !show.text && load.address.is_none() => now,
            _ => shown,
        };
        let passed = self.log.passed.iter().find(|(now, _)| *now == taken);
        Fetched {
            shown,
            show,
            load,
            bits,
            glyph_origin: show.glyph.map(|address| self.writer(address, shown)),
            origin,
            passed: passed.map(|&(_, address)| address),
        }
    }

    fn objects(&self, outputs: &Outputs, line: u16) -> Vec<Object> {
        if outputs.blank {
            return Vec::new();
        }
        (0..8u8)
            .filter(|&number| outputs.objects >> number & 1 != 0)
            .map(|number| self.object(outputs, line, number))
            .collect()
    }

    fn object(&self, outputs: &Outputs, line: u16, number: u8) -> Object {
        let x = u16::from(outputs.x);
        let (hpos, trigger) = self.trigger(number, line, x);
        let at_trigger = Self::clock_of(line, 0) + u64::from(trigger);
        let size_register = if number < 4 {
            reg::SIZEP0 + number
        } else {
            reg::SIZEM
        };
        let size = self.gtia_register(size_register, Self::clock_of(line, x));
        let width = match if number < 4 {
            size.byte().1 & 3
        } else {
            size.byte().1 >> (2 * (number - 4)) & 3
        } {
            1 => 2,
            3 => 4,
            _ => 1,
        };
        let graf = self.graf(number, at_trigger);
        let bit = (x.saturating_sub(trigger) / width).min(7) as u8;
        let player = 1u16 << (number & 3);
        let fifth = number >= 4 && outputs.prior & 0x10 != 0;
        Object {
            number,
            trigger,
            bit,
            hpos,
            size,
            graf,
            graf_origin: match graf {
                Origin::Dma { now, address, .. } => Some(self.writer(address, now)),
                _ => None,
            },
            wins: if fifth {
                outputs.registers & 0x80 != 0
            } else {
                outputs.registers & player != 0
            },
        }
    }

    /// The last time before this colour clock at which HPOS matched: the origin of HPOS, and its value.
    fn trigger(&self, number: u8, line: u16, x: u16) -> (Origin, u16) {
        let line_start = Self::clock_of(line, 0);
        let mut clock = Self::clock_of(line, x);
        loop {
            let origin = self.gtia_register(number, clock);
            let (_, value) = origin.byte();
            let since = origin
                .now()
                .map_or(0, |now| self.effect_of(now, 5))
                .max(line_start);
            let matched = line_start + u64::from(value);
            if matched >= since && matched <= clock {
                return (origin, u16::from(value));
            }
            if since <= line_start {
                // It was loaded in the line before and is still being shifted out.
                return (origin, u16::from(value));
            }
            clock = since - 1;
        }
    }

    /// The origin of GRAF before a colour clock.
    fn graf(&self, number: u8, clock: u64) -> Origin {
        let register = if number < 4 {
            reg::GRAFP0 + number
        } else {
            reg::GRAFM
        };
        let store = self.gtia_register(register, clock);
        let fetches = &self.objects[usize::from(number.min(4))];
        let until = fetches.partition_point(|event| self.effect_of(event.now, 3) <= clock);
        let dma = fetches[..until]
            .iter()
            .rev()
            .find(|event| number < 4 || self.takes(number, event.now));
        match dma {
            Some(event) if store.now().is_none_or(|now| now < event.now) => Origin::Dma {
                now: event.now,
                address: event.address,
                data: event.data,
            },
            _ => store,
        }
    }

    /// True if GTIA took the DMA byte of an object: GRACTL, and VDELAY in even lines.
    fn takes(&self, number: u8, now: u64) -> bool {
        let value = |register: u8| {
            let clock = 2 * (now - self.log.frame_start);
            self.register(GTIA + u16::from(register), clock, 2).byte().1
        };
        let gractl = if number < 4 { 2 } else { 1 };
        let (line, _) = self.log.beam(now);
        let vdelay = if number < 4 { number + 4 } else { number - 4 };
        value(reg::GRACTL) & gractl != 0 && (line & 1 != 0 || value(reg::VDELAY) >> vdelay & 1 == 0)
    }
}

fn layer(outputs: &Outputs) -> Layer {
    if outputs.blank {
        return Layer::Blank;
    }
    let players = (outputs.registers & 15) as u8;
    let playfields = (outputs.registers >> 4 & 15) as u8;
    if outputs.objects == 0 {
        return match outputs.reading {
            Reading::Luminance | Reading::Hue | Reading::Registers => Layer::Gtia,
            _ if playfields != 0 => Layer::Playfield(playfields.trailing_zeros() as u8),
            _ => Layer::Background,
        };
    }
    let fifth = outputs.prior & 0x10 != 0 && outputs.objects & 0xF0 != 0;
    match (players, playfields) {
        (0, 8) if fifth => Layer::FifthPlayer,
        (0, 0) if outputs.registers != 0 => Layer::Background,
        (0, n) if n.is_power_of_two() => Layer::Playfield(n.trailing_zeros() as u8),
        (n, 0) if n != 0 => Layer::Players(n),
        _ => Layer::Mixed,
    }
}

/// Runs a line cycle by cycle and returns the inputs and outputs of the priority logic in each of its colour clocks.
fn trace_line(replay: &mut Replay, recorder: &mut Recorder) -> Vec<Outputs> {
    let mut row = Vec::with_capacity(END_VISIBLE - FIRST_VISIBLE);
    for cycle in 0..CYCLES {
        replay.draw_to_beam();
        let machine = replay.machine();
        let mut gtia = machine.bus().video.gtia.clone();
        let mut an = machine.bus().video.antic.an().clone();
        let now = machine.now();
        replay.run(1, recorder);
        if replay.machine().now() == now {
            // The machine's life begins again here.
            return row;
        }
        let events = recorder.log().events.iter().rev();
        let written = events
            .take_while(|event| event.now >= now)
            .find(|event| event.is_write() && event.address & 0xFF00 == GTIA)
            .map(|event| (event.address as u8 & 31, event.data));
        let last = cycle + 1 == CYCLES;
        let to = 2 * (cycle + 1);
        let mut push = |outputs: Outputs| row.push(outputs);
        if !last {
            let new = replay.machine().bus().video.antic.an();
            let window = |an: &antic_gtia::AnBus| (an.from, an.to, an.late, an.blank, an.hires);
            if window(&an) != window(new) && gtia.prior() >> 6 == 2 {
                // Mode 10 shows the codes before for one more colour clock.
                gtia.trace_to(2 * cycle + 1, &an, &mut push);
            }
            an.clone_from(new);
        }
        if let Some((register, data)) = written {
            gtia.trace_write(register, data, cycle, &an, &mut push);
        }
        let drawn = if last {
            to
        } else {
            replay.draw_to_beam();
            replay.machine().bus().video.gtia.drawn_to()
        };
        gtia.trace_to(drawn, &an, &mut push);
    }
    debug_assert_eq!(row.len(), END_VISIBLE - FIRST_VISIBLE);
    row
}
