//! Playfield fetches: line buffer, glyphs and the display window.
use super::beam;
use super::plan::{DmaClock, NEVER, Timing};
use super::trace::{Load, Show};
use super::{Antic, Mode, Shape, slot};
use crate::CYCLES;
use serde::{Deserialize, Serialize};

/// The source of a line's glyphs, and the way in which CHACTL changes them.
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

impl Glyphs {
    /// The address of the glyph of a name.
    pub(super) fn address(self, name: u8) -> u16 {
        self.base | u16::from(name & self.mask) << 3
    }

    /// The displayed bits of a row of a glyph.
    pub(super) fn shown(self, name: u8, data: u8) -> u8 {
        self.inverted(name, self.row(name, data))
    }

    /// Puts the displayed bits of the row of each glyph into `shown`, for the first `count` names. The rest of the array means nothing.
    fn fetch(self, names: &LineBuffer, count: usize, memory: &impl Fetch, shown: &mut LineBuffer) {
        let set = memory.block(self.base).map(|set| set.as_chunks::<8>().0);
        let glyphs: Option<&[[u8; 8]; 128]> = set.and_then(|set| set.try_into().ok());
        let Some(glyphs) = glyphs else {
            for (to, &name) in shown.iter_mut().zip(names).take(count) {
                *to = self.shown(name, memory.fetch(self.address(name)));
            }
            return;
        };
        let row = usize::from(self.base & 7);
        let first = (self.base >> 3) as u8;
        // Plain loops over whole arrays: the compiler makes vectors of all but the one that looks rows up.
        let numbers = names.map(|name| name & self.mask | first);
        let (eights, _) = shown.as_chunks_mut::<8>();
        let (number_eights, _) = numbers.as_chunks::<8>();
        for (rows, numbers) in eights.iter_mut().zip(number_eights).take(count.div_ceil(8)) {
            for i in 0..8 {
                rows[i] = glyphs[usize::from(numbers[i] & 0x7F)][row];
            }
        }
        if self.blank_low | self.blank_high {
            for i in 0..names.len() {
                shown[i] = self.row(names[i], shown[i]);
            }
        }
        if self.changes_inverse() {
            // Places without memory have bit 7.
            let stored = &names[..BUFFER.into()];
            let any = stored.iter().fold(0, |any, name| any | name);
            if any & 0x80 == 0 {
                return;
            }
            for i in 0..names.len() {
                shown[i] = self.inverted(names[i], shown[i]);
            }
        }
    }

    /// True if names with bit 7 have other bits than those without.
    fn changes_inverse(self) -> bool {
        (self.and, self.xor) != (0xFF, 0)
    }

    /// The row, or nothing where it is blank.
    fn row(self, name: u8, data: u8) -> u8 {
        let high = name & 0x60 == 0x60;
        let blank = if high {
            self.blank_high
        } else {
            self.blank_low
        };
        if blank { 0 } else { data }
    }

    /// A row of a glyph as CHACTL changes it for names with bit 7.
    fn inverted(self, name: u8, data: u8) -> u8 {
        // In this form the compiler makes vectors of it.
        let inverse = (name as i8 >> 7) as u8;
        data & (self.and | !inverse) ^ self.xor & inverse
    }
}

/// The memory that ANTIC's DMA reads.
pub trait Fetch {
    /// The byte at an address.
    fn fetch(&self, address: u16) -> u8;
    /// The 1K that contains an address, if its bytes are contiguous.
    fn block(&self, address: u16) -> Option<&[u8; 0x400]>;
}

/// The fetches of a line that have not been made yet. Of an irregular line only the next one's cycle is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// The cycle of the next one; 255 for none.
    pub(super) next: u8,
    /// The cycle of the next name or bitmap byte from memory, and how many are left.
    pub(super) next_load: u8,
    pub(super) loads: u8,
    /// The cycle of the next glyph, or of the next bitmap byte that goes to the screen, and how many are left.
    pub(super) next_show: u8,
    pub(super) shows: u8,
    /// Cycles between two as a power of two.
    pub(super) shift: u8,
}

impl Default for Pending {
    fn default() -> Self {
        Self::NONE
    }
}

impl Pending {
    /// Nothing.
    pub const NONE: Self = Self {
        next: 255,
        next_load: 255,
        loads: 0,
        next_show: 255,
        shows: 0,
        shift: 1,
    };

    /// The fetches of a planned line: how many bytes are loaded from memory, and how many are shown.
    pub(super) const fn of(t: &Timing, loads: u8, shows: u8) -> Self {
        if loads | shows == 0 {
            return Self::NONE;
        }
        let start = t.start();
        let mut pending = Self {
            next: 255,
            next_load: if t.text { start } else { start + 2 },
            loads,
            next_show: if t.text { start + 3 } else { start + 2 },
            shows,
            shift: t.ring.trailing_zeros() as u8,
        };
        pending.find_next();
        pending
    }

    /// The fetches that are not before `cycle`.
    pub(super) fn from(self, cycle: usize) -> Self {
        let loaded = self.due(self.next_load, self.loads, cycle);
        let shown = self.due(self.next_show, self.shows, cycle);
        let mut rest = Self {
            next_load: self.next_load.wrapping_add(loaded << self.shift),
            loads: self.loads - loaded,
            next_show: self.next_show.wrapping_add(shown << self.shift),
            shows: self.shows - shown,
            ..self
        };
        rest.find_next();
        rest
    }

    /// Number of the `left` fetches from cycle `next` on that are before `cycle`.
    pub(super) fn due(self, next: u8, left: u8, cycle: usize) -> u8 {
        let next = usize::from(next);
        if next >= cycle {
            return 0;
        }
        let due = (cycle - next + (1 << self.shift) - 1) >> self.shift;
        left.min(due as u8)
    }

    /// The colour clock of the next byte that has not been shifted out yet.
    pub(super) fn unshown(self, text: bool) -> Option<usize> {
        let lead = if text { 6 } else { 8 };
        (self.shows != 0).then(|| 2 * usize::from(self.next_show) + lead)
    }

    /// The colour clock from which the next byte is shifted out, and the colour clocks up to the one after it.
    #[inline]
    fn clocks(self, text: bool) -> (u8, u8) {
        let lead = if text { 6 } else { 8 };
        let at = self.next_show.wrapping_mul(2).wrapping_add(lead);
        (at, 2 << self.shift)
    }

    /// The next bytes have been shifted out.
    #[inline]
    fn pass_shown(&mut self, count: u8) {
        self.shows -= count;
        self.next_show = self.next_show.wrapping_add(count << self.shift);
    }

    /// True if these can be fetches of a line.
    pub(super) fn is_valid(self) -> bool {
        self.loads <= BUFFER && self.shows <= BUFFER && matches!(self.shift, 1..=3)
    }

    const fn find_next(&mut self) {
        self.next = if self.loads != 0 { self.next_load } else { 255 };
        if self.shows != 0 && self.next_show < self.next {
            self.next = self.next_show;
        }
    }
}

/// The line buffer with the places that have no memory.
pub(super) type LineBuffer = [u8; PLACES as usize + 1];

/// Places of the line buffer's address counter.
pub(super) const PLACES: u8 = 63;
/// Places with memory.
pub(super) const BUFFER: u8 = 48;
/// No line loads more bytes, not even one that loads a byte in each cycle.
const MOST_LOADS: u8 = CYCLES as u8;

/// The memory scan counter counts within 4K.
pub(super) const fn step_4k(address: u16) -> u16 {
    address & 0xF000 | address.wrapping_add(1) & 0x0FFF
}

const fn next_place(index: u8) -> u8 {
    if index + 1 >= PLACES { 0 } else { index + 1 }
}

/// True if the fetches of this slot are made by [`Antic::catch_up`], when they can be observed. The others are made in their cycles: those that
/// take what is on the bus, those that share a cycle of the line's head, and names and glyphs in one cycle, which share an address.
pub(super) const fn is_late(slot: u8, cycle: usize) -> bool {
    const BOTH: u8 = slot::NAME | slot::GLYPH;
    let fetches = slot & (BOTH | slot::BITMAP);
    fetches != 0 && fetches != BOTH && slot & slot::VIRTUAL == 0 && cycle >= beam::COUNTERS
}

/// The playfield's fetches of this line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Playfield {
    /// Memory scan counter.
    pub scan: u16,
    /// The 48 bytes of the line buffer; the counter also runs through 15 places without memory.
    #[serde(with = "serde_bytes")]
    pub buffer: [u8; 64],
    pub name_index: u8,
    pub glyph_index: u8,
    /// In an irregular line: the cycle in which the shift register was loaded last (0 = not yet), with what, and whether
    /// that was in even (bit 0) and odd (bit 1) cycles.
    pub loaded: u8,
    pub shifting: u8,
    pub parities: u8,
    pub clock: DmaClock,
    /// The cycle that `clock` will tick next.
    pub clock_at: u8,
    pub timing: Timing,
    /// The playfield runs though its start was missed: until the next change.
    pub provisional: bool,
    pub shape: Shape,
    pub glyphs: Glyphs,
    pub pending: Pending,
    /// The line follows no plan: its fetches are made one by one.
    pub irregular: bool,
    /// This line is planned as the one before.
    pub follows: bool,
}

impl Playfield {
    /// At power-on.
    pub fn new() -> Self {
        Self {
            scan: 0,
            buffer: core::array::from_fn(|i| if i < BUFFER.into() { 0 } else { 0xFF }),
            name_index: 0,
            glyph_index: 0,
            loaded: 0,
            shifting: 0,
            parities: 0,
            clock: DmaClock::CLEAR,
            clock_at: 0,
            timing: Timing::new(Mode::of(0), true, 0, false, 0),
            provisional: false,
            shape: Shape::Blank,
            glyphs: Glyphs::default(),
            pending: Pending::NONE,
            irregular: false,
            follows: false,
        }
    }

    /// Takes back what belongs to the line that has ended: counters, changes in its course, fetches.
    #[inline]
    pub fn begin_line(&mut self) {
        self.name_index = 0;
        self.glyph_index = 0;
        self.loaded = 0;
        self.parities = 0;
        self.clock_at = 0;
        self.clock.started = false;
        self.provisional = false;
        self.pending = Pending::NONE;
        let t = &mut self.timing;
        t.head_ring = t.ring;
        t.held_until = 0;
        t.late_start = NEVER;
        t.missed = NEVER;
    }
}

impl Antic {
    /// The first cycle from `cycle` on with a fetch for [`Antic::catch_up`]; 255 for none.
    pub(super) fn late_fetch_from(&self, cycle: usize) -> u8 {
        let late = |&c: &usize| is_late(self.schedule.slots[c], c);
        (cycle..CYCLES).find(late).map_or(255, |c| c as u8)
    }

    fn step_scan(&mut self) {
        self.playfield.scan = step_4k(self.playfield.scan);
    }

    /// The address of the name or bitmap byte of this cycle.
    #[inline]
    pub fn scan_address(&self) -> u16 {
        self.playfield.scan
    }

    /// The cycle of the next fetch that has not been made yet; 255 for none.
    #[inline]
    pub fn next_fetch(&self) -> u8 {
        self.playfield.pending.next
    }

    /// True if fetches of cycles before `cycle` have not been made yet.
    #[inline]
    pub fn is_behind(&self, cycle: usize) -> bool {
        usize::from(self.playfield.pending.next) < cycle
    }

    /// True if a fetch of this line that has not been made may read memory at an address: it is the memory scan counter's, or one of
    /// the next within its 4K, or in the 1K of the glyphs.
    #[inline]
    pub fn depends_on(&self, address: u16) -> bool {
        let loads = if self.playfield.irregular {
            MOST_LOADS
        } else {
            self.playfield.pending.loads
        };
        self.is_near_fetches(address, loads)
    }

    /// True if a fetch that has not been made may read memory at an address, however many are left: true for more addresses, but quicker to say.
    #[inline]
    pub fn may_depend_on(&self, address: u16) -> bool {
        self.is_near_fetches(address, MOST_LOADS)
    }

    /// [`Self::may_depend_on`] for the addresses of a page: true if it is for one of them, and seldom otherwise.
    #[inline]
    pub fn may_depend_on_page(&self, page: u16) -> bool {
        let last = (page | 0xFF).wrapping_sub(self.playfield.scan) & 0x0FFF;
        last < u16::from(MOST_LOADS) + 0xFF || self.is_glyphs(page)
    }

    /// True if the 1K of an address holds the glyphs of this line.
    #[inline]
    fn is_glyphs(&self, address: u16) -> bool {
        self.playfield.timing.text && (address ^ self.playfield.glyphs.base) & 0xFC00 == 0
    }

    #[inline]
    fn is_near_fetches(&self, address: u16, loads: u8) -> bool {
        let ahead = address.wrapping_sub(self.playfield.scan) & 0x0FFF;
        ahead < u16::from(loads) || self.is_glyphs(address)
    }

    /// Makes the fetches of an ordinary line before `cycle`. Between two of them nothing has changed that they depend on:
    /// a change of memory, banks or registers calls this first.
    pub fn catch_up(&mut self, cycle: usize, memory: &impl Fetch) {
        if self.playfield.irregular {
            return self.fetch_each(cycle, memory, |_| {}, |_| {});
        }
        self.load_before(cycle, memory);
        let p = self.playfield.pending;
        let shows = p.due(p.next_show, p.shows, cycle);
        if shows != 0 {
            self.show_bytes(shows, memory);
        }
        self.playfield.pending.find_next();
    }

    /// [`Self::catch_up`] to the end of a line where nothing will look at the codes: only what later lines need is done. The codes stay those of
    /// the line before until they are shifted out or cleared.
    pub fn end_unseen(&mut self, memory: &impl Fetch) {
        if self.playfield.irregular {
            return self.catch_up(CYCLES, memory);
        }
        self.load_before(CYCLES, memory);
        let p = &mut self.playfield.pending;
        let shows = p.shows;
        if shows != 0 {
            let (at, step) = p.clocks(self.playfield.timing.text);
            p.pass_shown(shows);
            self.playfield.glyph_index += shows;
            self.an.leave_out(at, step, shows);
        }
        p.find_next();
    }

    /// Loads the bytes of an ordinary line that are due before `cycle`.
    #[inline]
    fn load_before(&mut self, cycle: usize, memory: &impl Fetch) {
        let p = self.playfield.pending;
        let loads = p.due(p.next_load, p.loads, cycle);
        if loads != 0 {
            self.load_bytes(loads, memory);
        }
    }

    /// Makes the fetches of an irregular line before `cycle`, one by one.
    pub(super) fn fetch_each(
        &mut self,
        cycle: usize,
        memory: &impl Fetch,
        mut load: impl FnMut(Load),
        mut show: impl FnMut(Show),
    ) {
        while self.is_behind(cycle) {
            let c = usize::from(self.playfield.pending.next);
            if self.schedule.slots[c] & slot::GLYPH != 0 {
                let address = self.glyph_address();
                let data = memory.fetch(address);
                show(self.glyph_in(c, Some(address), data));
                self.glyph(c, data);
            } else if self.schedule.slots[c] & slot::NAME != 0 {
                let data = memory.fetch(self.playfield.scan);
                load(self.load_in(c, true, Some(self.playfield.scan), data));
                self.name(c, data);
            } else {
                let data = memory.fetch(self.playfield.scan);
                load(self.load_in(c, false, Some(self.playfield.scan), data));
                show(self.bitmap_in(c, Some(data)));
                self.bitmap(c, data);
            }
            self.playfield.pending.next = self.late_fetch_from(c + 1);
        }
    }

    /// Loads the next bytes of an ordinary line into the line buffer.
    #[inline]
    fn load_bytes(&mut self, count: u8, memory: &impl Fetch) {
        let start = usize::from(self.playfield.name_index & 63);
        let end = (start + usize::from(count)).min(64);
        let bytes = &mut self.playfield.buffer[start..end];
        let at = usize::from(self.playfield.scan & 0x3FF);
        let side_by_side = memory
            .block(self.playfield.scan)
            .and_then(|block| block.get(at..at + bytes.len()));
        if let Some(block) = side_by_side {
            bytes.copy_from_slice(block);
            self.playfield.scan = self.playfield.scan & 0xF000
                | self.playfield.scan.wrapping_add(u16::from(count)) & 0x0FFF;
        } else {
            for byte in bytes {
                *byte = memory.fetch(self.playfield.scan);
                self.playfield.scan = step_4k(self.playfield.scan);
            }
        }
        self.playfield.name_index += count;
        let p = &mut self.playfield.pending;
        p.loads -= count;
        p.next_load = p.next_load.wrapping_add(count << p.shift);
    }

    /// Shifts out the next bytes of an ordinary line.
    #[inline]
    fn show_bytes(&mut self, count: u8, memory: &impl Fetch) {
        let start = usize::from(self.playfield.glyph_index & 63);
        let mut moved;
        let names = if start == 0 {
            &self.playfield.buffer
        } else {
            // The bytes after the last place mean nothing.
            moved = [0; 2 * PLACES as usize + 2];
            moved[..64].copy_from_slice(&self.playfield.buffer);
            moved[start..]
                .first_chunk()
                .unwrap_or(&self.playfield.buffer)
        };
        let mut row;
        let shown = if self.playfield.timing.text {
            row = [0; PLACES as usize + 1];
            let glyphs = self.playfield.glyphs;
            glyphs.fetch(names, count.into(), memory, &mut row);
            &row
        } else {
            names
        };
        let p = &mut self.playfield.pending;
        let (at, step) = p.clocks(self.playfield.timing.text);
        self.an
            .shift_out_line(self.playfield.shape, at, step, count, (shown, names));
        self.playfield.glyph_index += count;
        p.pass_shown(count);
    }

    /// Takes a character name.
    pub fn name(&mut self, cycle: usize, data: u8) {
        self.load(cycle, data);
        self.step_scan();
    }

    /// Loads the line buffer and steps its counter, which is held during the head of the line (Acid800 antic_hscrolbug).
    fn load(&mut self, cycle: usize, data: u8) {
        let index = self.playfield.name_index & 63;
        if index < BUFFER {
            self.playfield.buffer[usize::from(index)] = data;
        }
        if cycle >= beam::COUNTERS {
            self.playfield.name_index = next_place(index);
        }
    }

    pub(super) fn buffered(&self, index: u8) -> u8 {
        let index = index & 63;
        if index < BUFFER {
            self.playfield.buffer[usize::from(index)]
        } else {
            0xFF
        }
    }

    /// The address of the glyph of this cycle.
    #[inline]
    pub fn glyph_address(&self) -> u16 {
        // The places without memory hold $FF.
        let name = self.playfield.buffer[usize::from(self.playfield.glyph_index & 63)];
        self.playfield.glyphs.base | u16::from(name & self.playfield.glyphs.mask) << 3
    }

    /// Takes a row of a glyph.
    pub fn glyph(&mut self, cycle: usize, data: u8) {
        let name = self.buffered(self.playfield.glyph_index);
        if cycle >= beam::COUNTERS {
            self.playfield.glyph_index = next_place(self.playfield.glyph_index & 63);
        }
        self.shift_register(cycle, 6, self.playfield.glyphs.row(name, data), name);
    }

    /// Loads the shift register: a byte that comes before the last one is out is ORed to the bits that are left of that. Bits 7 and 6 of a name act
    /// after the register, so they act on those bits, too (AHRM 4.12).
    fn shift_register(&mut self, cycle: usize, lead: usize, data: u8, name: u8) {
        if cycle < beam::COUNTERS {
            // The register is held empty.
            return;
        }
        let mut data = data;
        let mut shape = self.playfield.shape;
        // Even and odd fetches make mode 8's shift clock run at twice its speed.
        if self.playfield.parities == 3 && shape == Shape::Pairs4 {
            shape = Shape::Pairs2;
        }
        if self.playfield.loaded != 0 && cycle > usize::from(self.playfield.loaded) {
            let clocks = 2 * (cycle - usize::from(self.playfield.loaded));
            data |= ((u32::from(self.playfield.shifting) << shape.shifted(clocks)) & 0xFF) as u8;
        }
        self.playfield.loaded = cycle as u8;
        self.playfield.shifting = data;
        self.playfield.parities |= 1 << (cycle & 1);
        if self.playfield.parities == 3 && self.playfield.shape == Shape::Pairs4 {
            self.an.cut_between(2 * cycle + lead, 16);
            shape = Shape::Pairs2;
        }
        let data = self.playfield.glyphs.inverted(name, data);
        self.an
            .shift_out(shape, (2 * cycle + lead) as u8, data, name);
    }

    /// Takes a bitmap byte.
    pub fn bitmap(&mut self, cycle: usize, data: u8) {
        self.load(cycle, data);
        self.step_scan();
        self.replay_bitmap(cycle);
    }

    /// Shows the next byte of the line buffer, in the later lines of a mode line again. Of fetches in cycles side by side all but the
    /// last show the byte of the next one (AHRM 4.12).
    pub fn replay_bitmap(&mut self, cycle: usize) {
        let data = self.buffered(self.playfield.glyph_index);
        if cycle != 0 && self.schedule.slots[(cycle - 1) & 127] & slot::BITMAP != 0 {
            self.shift_register(cycle - 1, 8, data, 0);
        }
        if cycle >= beam::COUNTERS {
            self.playfield.glyph_index = next_place(self.playfield.glyph_index & 63);
        }
        if self.schedule.slots[(cycle + 1) & 127] & slot::BITMAP == 0 {
            self.shift_register(cycle, 8, data, 0);
        }
    }

    /// Shows the line buffer without a single fetch, for a playfield from `start` to `stop`.
    pub(super) fn replay_from(&mut self, start: u8, stop: u8) {
        self.redriven.replay = Some((start, stop));
        let step = self.playfield.timing.ring.max(1);
        for (i, cycle) in (start..stop).step_by(step.into()).enumerate() {
            let data = self.buffered(i as u8);
            self.an.shift_out(
                self.playfield.shape,
                cycle.wrapping_mul(2).wrapping_add(12),
                data,
                0,
            );
        }
    }

    /// True if the bytes of this line are loaded into the line buffer.
    #[inline]
    pub fn loads(&self) -> bool {
        self.playfield.timing.first
    }

    /// Finds the common part of the glyph fetches of this line.
    pub(super) fn choose_glyphs(&mut self) {
        let mode = self.mode().number();
        let mut g = Glyphs {
            and: 0xFF,
            ..Glyphs::default()
        };
        g.mask = if mode >= 6 { 0x3F } else { 0x7F };
        if mode == 2 || mode == 3 {
            if self.registers.chactl & 1 != 0 {
                g.and = 0;
            }
            if self.registers.chactl & 2 != 0 {
                g.xor = 0xFF;
            }
        }
        self.playfield.glyphs = g;
        self.choose_set();
        self.choose_row();
    }

    /// Chooses the character set of the glyphs, whose row stays.
    pub(super) fn choose_set(&mut self) {
        let set = if self.mode().number() >= 6 {
            self.registers.chbase & 0xFE
        } else {
            self.registers.chbase & 0xFC
        };
        let g = &mut self.playfield.glyphs;
        g.base = u16::from(set) << 8 | g.base & 7;
    }

    /// Chooses the glyphs' row: the part of them that changes from line to line of a mode line.
    pub(super) fn choose_row(&mut self) {
        let mode = self.mode().number();
        let row = if matches!(mode, 5 | 7) {
            self.list.row >> 1
        } else {
            self.list.row
        };
        let reflected = if self.registers.chactl & 4 != 0 { 7 } else { 0 };
        let g = &mut self.playfield.glyphs;
        g.base = g.base & !7 | u16::from(row & 7 ^ reflected);
        g.blank_low = matches!(mode, 2 | 3) && matches!(row, 8 | 9);
        g.blank_high = mode == 3 && row < 2;
    }

    /// Sets the part of the line that shows playfield: AHRM 4.3 and 6.2.
    pub(super) fn window(&mut self) {
        let (from, to) = match self.registers.dmactl & 3 {
            0 => (0, 0),
            1 => (64, 192),
            2 => (48, 208),
            _ => (44, 222),
        };
        // The hires bug: a hires instruction keeps ANTIC from blanking the lines outside the display (AHRM 4.6, 6.2).
        let blank = !self.displays() && (!self.an.hires || to == 0);
        let late = if self.scrolled() {
            self.registers.hscrol & 1
        } else {
            0
        };
        self.an.show(from, to, late, blank);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_if_one_of_its_addresses_is() {
        let mut antic = Antic::new(false);
        let mut found = [0; 2];
        for text in [false, true] {
            antic.playfield.timing.text = text;
            for scan in (0..=u16::MAX).step_by(37) {
                antic.playfield.scan = scan;
                antic.playfield.glyphs.base = scan.rotate_left(5) & 0xFC07;
                let page = scan.rotate_left(11) & 0xFF00;
                let read = (0..256).any(|i| antic.may_depend_on(page | i));
                assert!(
                    !read || antic.may_depend_on_page(page),
                    "${scan:04X}, page ${page:04X}"
                );
                found[usize::from(read)] += 1;
            }
        }
        assert!(found.iter().all(|&pages| pages > 100), "{found:?}");
    }
}
