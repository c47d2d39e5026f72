//! ANTIC and GTIA on the bus: registers, DMA and the picture.
use crate::bus::Bus;
use crate::config::Tv;
use crate::memory::Memory;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use antic_gtia::antic;
use antic_gtia::gtia::{MISSILES, reg};
use antic_gtia::{Antic, COLOUR_CLOCKS, CYCLES, Gtia, WIDTH};
use core::{mem, slice};

/// No fetch of this line has been taken for the missiles' yet.
const NONE: u8 = 255;
/// The last cycle of horizontal blank.
const LAST_BLANK: usize = 16;

/// Colour indexes of a scan line.
type Line = [u8; WIDTH];

/// Colour indexes of a frame, hue * 16 + luminance, in hires pixels.
///
/// A row is 376 pixels wide and begins at colour clock 34. The picture is the lines 8 to 247; all lines of the frame are
/// there for tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Shared with copies of the machine, until one of them completes another frame.
    lines: Arc<Vec<Line>>,
    number: u64,
}

impl Frame {
    /// Pixels of a row.
    pub const WIDTH: usize = WIDTH;
    /// Rows of the picture.
    pub const HEIGHT: usize = 240;

    /// A black one.
    fn new(lines: u16, number: u64) -> Self {
        Self {
            lines: Arc::new(vec![[0; WIDTH]; lines.into()]),
            number,
        }
    }

    /// Takes the lines of a newer frame, and leaves others or room for them.
    fn take(&mut self, drawn: &mut Drawn) {
        if let Some(old) = Arc::get_mut(&mut self.lines) {
            mem::swap(old, &mut drawn.0);
        } else {
            let room = Drawn::with_room(drawn.0.capacity());
            self.lines = Arc::new(mem::replace(drawn, room).0);
        }
    }

    /// The picture: 240 rows of 376 colour indexes.
    pub fn pixels(&self) -> &[u8] {
        self.lines[8..248].as_flattened()
    }

    /// A row of the picture, 0 to 239; an empty slice outside.
    pub fn row(&self, y: usize) -> &[u8] {
        if y < Self::HEIGHT {
            self.line(y + 8)
        } else {
            &[]
        }
    }

    /// A scan line, 0 to 261 or 311; an empty slice outside.
    pub fn line(&self, line: usize) -> &[u8] {
        self.lines.get(line).map_or(&[], Line::as_slice)
    }

    /// Frames since power-on that were complete before this one began.
    pub fn number(&self) -> u64 {
        self.number
    }
}

/// The lines of the frame being drawn that are above the beam, with room for all.
#[derive(Debug, PartialEq)]
struct Drawn(Vec<Line>);

impl Drawn {
    fn with_room(lines: usize) -> Self {
        Self(Vec::with_capacity(lines))
    }
}

impl Clone for Drawn {
    fn clone(&self) -> Self {
        let mut copy = Self::with_room(self.0.capacity());
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

/// ANTIC, GTIA and the beam.
#[derive(Debug, PartialEq)]
pub struct Video {
    /// ANTIC.
    pub antic: Antic,
    /// GTIA.
    pub gtia: Gtia,
    /// Machine cycles since power-on at cycle 0 of this line.
    pub(crate) line_start: u64,
    /// The cycle of the line that comes next, 0 to 113.
    pub(crate) cycle: u32,
    /// RDY is low: the processor waits for cycle 105.
    pub(crate) stopped: bool,
    /// The cycle that GTIA takes for the missiles' fetch.
    pub(crate) missile_cycle: u8,
    /// The number of the frame that is being drawn.
    pub(crate) frame: u64,
    drawn: Drawn,
    complete: Frame,
}

crate::clone::clone_by_fields!(Video {
    antic,
    line_start,
    cycle,
    stopped,
    missile_cycle,
    frame,
    drawn,
    complete,
    gtia,
});

impl Video {
    pub(crate) fn new(tv: Tv) -> Self {
        let pal = tv == Tv::Pal;
        let antic = Antic::new(pal);
        let lines = antic.lines();
        Self {
            antic,
            gtia: Gtia::new(pal),
            line_start: 0,
            cycle: 0,
            stopped: false,
            missile_cycle: NONE,
            frame: 0,
            drawn: Drawn::with_room(lines.into()),
            complete: Frame::new(lines, 0),
        }
    }

    /// Makes everything black that has been drawn, in the frame of this number.
    pub(crate) fn blacken(&mut self, frame: u64) {
        self.frame = frame;
        self.blacken_above();
        self.complete = Frame::new(self.antic.lines(), frame.saturating_sub(1));
    }

    /// Machine cycles since power-on.
    #[inline]
    pub(crate) fn now(&self) -> u64 {
        self.line_start + u64::from(self.cycle)
    }

    /// See [`crate::Machine::set_drawing`]. The frame in which pictures come back is black above the beam.
    pub(crate) fn set_drawing(&mut self, drawing: bool) {
        if drawing && !self.gtia.is_drawing() {
            self.blacken_above();
        }
        self.gtia.set_drawing(drawing);
    }

    /// Makes the frame that is being drawn black above the beam's line.
    fn blacken_above(&mut self) {
        self.drawn.0.clear();
        self.drawn.0.resize(self.antic.line().into(), [0; WIDTH]);
    }

    /// The last complete frame.
    pub fn frame(&self) -> &Frame {
        &self.complete
    }

    /// The frame being drawn, from line 0 to the one above the beam's.
    pub fn drawing(&self) -> &[u8] {
        self.drawn.0.as_flattened()
    }

    /// The beam's line as far as it is drawn, and how many of its pixels that are.
    pub fn drawing_line(&self) -> (&[u8; WIDTH], usize) {
        let done = self
            .gtia
            .drawn_to()
            .saturating_sub(antic_gtia::FIRST_VISIBLE)
            * 2;
        (self.gtia.pixels(), done.min(WIDTH))
    }

    #[inline]
    fn sync(&mut self, delay: usize) {
        let to = 2 * self.cycle as usize + delay;
        self.gtia.sync_to(to, self.antic.an());
    }

    /// Draws everything that the beam has passed.
    pub(crate) fn sync_to_beam(&mut self) {
        self.sync(0);
    }

    /// Ends the line after its cycle 113.
    pub(crate) fn end_line(&mut self) {
        self.gtia.sync_to(COLOUR_CLOCKS, self.antic.an());
        if self.gtia.is_drawing() {
            // Not `push`, which would copy the line twice.
            let line = slice::from_ref(self.gtia.pixels());
            self.drawn.0.extend_from_slice(line);
        }
        self.line_start += CYCLES as u64;
        self.cycle = 0;
        self.antic.begin_line();
        self.gtia.begin_line();
        if self.antic.line() == 0 {
            self.end_frame();
        }
        self.missile_cycle = NONE;
        self.watch_bus(0);
    }

    // Within `end_line` it would cost each line registers.
    #[inline(never)]
    fn end_frame(&mut self) {
        if self.drawn.0.len() == usize::from(self.antic.lines()) {
            self.complete.take(&mut self.drawn);
        }
        self.drawn.0.clear();
        self.complete.number = self.frame;
        self.frame += 1;
    }

    /// Marks the cycles in which GTIA may take a byte for missiles from the bus: the DMA of horizontal blank. To be called again when that is
    /// elsewhere.
    fn watch_bus(&mut self, from: usize) {
        // With player DMA on, GTIA's cycles are ANTIC's.
        if self.gtia.takes() != 0 && self.antic.dmactl() & 8 == 0 && self.antic.displays() {
            self.antic.watch(from, LAST_BLANK);
        }
    }

    /// GTIA's share of a cycle of horizontal blank: the first halted cycle counts as the missiles', two to five cycles
    /// later come the players (AHRM 6.5).
    #[inline]
    pub(crate) fn pass_byte(&mut self, data: u8, halted: bool) {
        let cycle = self.cycle as usize;
        if self.gtia.takes() != 0 && cycle <= LAST_BLANK + 5 && self.antic.displays() {
            self.take_byte(data, halted, cycle);
        }
    }

    /// True if [`Self::pass_byte`] may have an effect in this cycle.
    #[inline]
    pub(crate) fn watches(&self, cycle: usize) -> bool {
        let near = match (cycle as u8).wrapping_sub(self.missile_cycle) {
            _ if self.missile_cycle == NONE => cycle <= LAST_BLANK,
            n => matches!(n, 2..=5),
        };
        near && self.gtia.takes() != 0 && self.antic.displays()
    }

    /// GTIA's share of the cycles in which ANTIC fetches the bytes of objects: 0 for missiles, 2 to 5 for players. `false`: it must look at
    /// each cycle.
    // A part of `Bus::object_dma`.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn pass_object_bytes(&mut self, objects: u64, memory: &Memory) -> bool {
        let addresses = self.antic.object_addresses();
        let bytes = addresses.map(|address| memory.read_antic(address));
        let missiles = objects & MISSILES != 0;
        let odd = self.antic.line() & 1 != 0;
        let in_step = missiles || self.missile_cycle == 0;
        if !in_step || !self.gtia.object_bytes(objects, bytes, odd) {
            return false;
        }
        if missiles {
            self.missile_cycle = 0;
            self.antic.watch_four(2);
        }
        true
    }

    fn take_byte(&mut self, data: u8, halted: bool, cycle: usize) {
        if self.missile_cycle == NONE && halted && cycle <= LAST_BLANK {
            self.missile_cycle = cycle as u8;
            self.antic.watch_four(cycle + 2);
        }
        let odd = self.antic.line() & 1 != 0;
        let an = self.antic.an();
        match cycle.wrapping_sub(self.missile_cycle.into()) {
            0 => self.gtia.missile_byte(data, odd, cycle, an),
            n @ 2..=5 => self.gtia.player_byte(n - 2, data, odd, cycle, an),
            _ => {}
        }
    }

    /// Runs ANTIC's event of this cycle, before the access.
    pub(crate) fn event(&mut self) -> antic_gtia::antic::Event {
        if self.antic.picture_changes(self.cycle as usize) {
            // The display window and bit 0 of HSCROL act on the picture two colour clocks after the write's cycle has
            // begun (reference pictures mid_dmactl_modeE, mid_hscrol_modeE). GTIA mode 10 shows the codes from before for one more.
            self.sync(usize::from(self.gtia.prior() >> 6 == 2));
        }
        let event = self.antic.event(self.cycle as usize);
        if self.cycle as usize <= LAST_BLANK {
            self.watch_bus(self.cycle as usize);
        }
        event
    }
}

/// Draws up to colour clock `to` (not included) with what ANTIC fetches before `cycle`.
#[inline(never)]
fn draw(gtia: &mut Gtia, antic: &mut Antic, memory: &Memory, cycle: usize, to: usize) {
    if antic.is_behind(cycle) {
        antic.catch_up(cycle, memory);
    }
    gtia.sync_to(to, antic.an());
}

impl Bus {
    /// The DMA of `objects`, $FF each, in whose cycles nothing else happens. `false`: GTIA must look at each cycle, and nothing is done.
    // A constant argument leaves little of it.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(crate) fn object_dma(&mut self, objects: u64) -> bool {
        self.video.gtia.takes() == 0 || self.video.pass_object_bytes(objects, &self.memory)
    }

    /// Machine cycles since power-on.
    #[inline]
    pub fn now(&self) -> u64 {
        self.video.now()
    }

    /// The level of the trigger that a GTIA register reads.
    fn trigger_of(&self, register: u8) -> u8 {
        let number = usize::from(register & 3);
        if register & 0x1C != 0x10 {
            1
        } else if self.pen_pulled(number) && self.video.gtia.latches_triggers() {
            0
        } else {
            self.trigger_pin(number)
        }
    }

    #[inline(never)]
    pub(crate) fn read_gtia(&mut self, register: u8) -> u8 {
        let cycle = self.video.cycle as usize;
        if let Some(to) = self.video.gtia.read_needs(register, cycle) {
            let Video { antic, gtia, .. } = &mut self.video;
            draw(gtia, antic, &self.memory, cycle, to);
        }
        self.peek_gtia(register)
    }

    #[inline(never)]
    pub(crate) fn write_gtia(&mut self, register: u8, data: u8) {
        self.write_gtia_in(register, data, self.video.cycle as usize);
    }

    /// A write in `cycle` of this line, before which no fetch may be due that has not been made.
    #[inline]
    pub(crate) fn write_gtia_in(&mut self, register: u8, data: u8, cycle: usize) {
        if register & 31 == reg::GRACTL {
            self.write_gractl(data, cycle);
        } else {
            self.pass_gtia_write(register, data, cycle);
        }
    }

    #[inline]
    fn pass_gtia_write(&mut self, register: u8, data: u8, cycle: usize) {
        let Video { antic, gtia, .. } = &mut self.video;
        let memory = &self.memory;
        gtia.write(register, data, cycle, |gtia, to| {
            draw(gtia, antic, memory, cycle, to);
        });
    }

    #[inline(never)]
    fn write_gractl(&mut self, data: u8, cycle: usize) {
        self.settle_pen();
        self.pass_gtia_write(reg::GRACTL, data, cycle);
        if data & 4 != 0 {
            self.video_input_changed();
        }
        let next = self.video.cycle as usize + 1;
        self.video.watch_bus(next);
        self.span.over = true;
    }

    #[inline(never)]
    pub(crate) fn read_antic(&mut self, register: u8) -> u8 {
        self.peek_antic(register)
    }

    #[inline(never)]
    pub(crate) fn write_antic(&mut self, register: u8, data: u8) {
        self.span.over = true;
        let video = &mut self.video;
        let cycle = video.cycle as usize;
        match register & 15 {
            antic::reg::WSYNC => video.antic.wsync(cycle),
            register => self.write_antic_slowly(register, data, cycle),
        }
    }

    /// Registers that are written less often than WSYNC. What the playfield's fetches depend on acts some cycles later: those before are made then.
    #[inline(never)]
    fn write_antic_slowly(&mut self, register: u8, data: u8, cycle: usize) {
        self.video.antic.write(register, data, cycle);
    }

    pub(crate) fn peek_gtia(&self, register: u8) -> u8 {
        self.video
            .gtia
            .read(register, self.console_pins(), self.trigger_of(register))
    }

    pub(crate) fn peek_antic(&self, register: u8) -> u8 {
        if register & 0xE == antic::reg::PENH {
            return self.pen_register(register);
        }
        self.video.antic.read(register, self.video.cycle as usize)
    }

    /// PENH, or PENV for an odd number.
    #[inline(never)]
    fn pen_register(&self, register: u8) -> u8 {
        self.pen_registers()[usize::from(register & 1)]
    }

    pub(crate) fn video_input_changed(&mut self) {
        for number in 0..4 {
            let level = self.trigger_pin(number);
            self.video.gtia.trigger(number, level);
        }
    }

    /// The RESET key of an XL reaches ANTIC; on a 400/800 it asks ANTIC for an NMI.
    pub(crate) fn video_reset(&mut self) {
        self.settle_pen();
        if self.model.is_xl() {
            self.video.antic.reset(self.video.cycle as usize);
            self.video.stopped = false;
        } else {
            self.video.antic.reset_key();
        }
    }
}
