//! ANTIC: display list, playfield and player/missile DMA, NMIs and the vertical counter.
mod an;
mod course;
mod events;
mod mode;
mod plan;
mod playfield;
mod registers;
mod slots;
mod trace;
mod valid;

pub use an::AnBus;
pub use events::Event;
pub use mode::{Mode, Shape};
pub use plan::{DmaClock, FreeCycles, Timing};
pub use playfield::Fetch;
pub use registers::{RELEASE, reg};
pub use slots::{Slots, slot};
pub use trace::{Load, Redriven, Show};

use crate::CYCLES;
use course::Course;
use scratch::Scratch;
use serde::{Deserialize, Serialize};

/// First line of the display list.
pub const FIRST_LINE: u16 = 8;
/// First line of vertical blank.
pub const VBLANK_LINE: u16 = 248;

/// The slots of the line's head with the fetch of the missiles.
const MISSILES: u64 = slot::SPECIAL as u64;
/// The slots of the line's head with the fetches of the four players.
const PLAYERS: u64 = {
    let s = slot::SPECIAL;
    u64::from_le_bytes([0, 0, s, s, s, s, 0, 0])
};
/// The slots of the line's head with the fetches of an address.
const ADDRESS: u64 = {
    let s = slot::SPECIAL;
    u64::from_le_bytes([0, 0, 0, 0, 0, 0, s, s])
};

/// A register write on its way: DMACTL, HSCROL, CHBASE and CHACTL reach the DMA logic two cycles later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Delayed {
    /// The cycle in which the value is in effect.
    due: u8,
    register: u8,
    data: u8,
}

/// The chip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Antic {
    /// What happens in each cycle of this line; see [`slot`].
    slots: Slots,
    /// The plan of this line, if its ordinary DMA is where that says.
    #[serde(skip)]
    plan: Scratch<Option<&'static plan::Plan>>,
    /// The course of the DMA clock in this line from its last change on, if there is no plan.
    #[serde(skip)]
    course: Scratch<Option<Course>>,
    /// The AN lines of this line.
    an: AnBus,
    /// Lines of a frame: 262 or 312.
    lines: u16,
    line: u16,

    // Registers as written.
    vscrol: u8,
    pmbase: u8,
    nmien: u8,
    nmist: u8,
    chactl_written: u8,
    /// Where the next instruction comes from.
    dlist: u16,

    // Registers as they act.
    dmactl: u8,
    hscrol: u8,
    chbase: u8,
    chactl: u8,
    delayed: [Delayed; 4],
    delayed_count: u8,
    /// VSCROL as the end of the line compares it: writes after cycle 108 are too late.
    vscrol_end: u8,
    /// NMIEN as it was up to cycle 6, from cycle 8 on with what was enabled in 7.
    nmien_before: u8,
    /// The bit of NMIST that this line's NMI sets, or 0.
    nmi_source: u8,
    /// The NMI of this line has been given.
    nmi_given: bool,
    /// The cycle of this line in which RDY falls.
    stop_at: Option<u8>,
    /// The Reset key of a 400/800 waits for vertical blank.
    reset_key: bool,

    // Display list.
    instruction: u8,
    row: u8,
    /// This is the first line of the mode line.
    first: bool,
    /// The instruction ends a vertically scrolled region: VSCROL is its last row.
    ends_region: bool,
    /// Bit 5 of the previous instruction.
    scrolling: bool,
    /// JVB has stopped the list.
    waiting: bool,
    address_low: u8,

    // Playfield.
    /// Memory scan counter.
    scan: u16,
    /// The 48 bytes of the line buffer; the counter also runs through 15 places without memory.
    #[serde(with = "serde_bytes")]
    buffer: [u8; 64],
    name_index: u8,
    glyph_index: u8,
    /// In a line out of the ordinary: the cycle in which the shift register was loaded last (0 = not yet), with what, and whether
    /// that was in even (bit 0) and odd (bit 1) cycles.
    loaded: u8,
    shifting: u8,
    parities: u8,
    clock: DmaClock,
    /// The cycle that `clock` will tick next.
    clock_at: u8,
    timing: Timing,
    /// The playfield runs though its start was missed: until the next change.
    provisional: bool,
    shape: Shape,
    glyphs: playfield::Glyphs,
    pending: playfield::Pending,
    /// The line follows no plan: its fetches are made one by one.
    irregular: bool,
    /// This line is planned as the one before.
    follows: bool,
    #[serde(skip)]
    start: Scratch<ModeLineStart>,
    /// See [`Antic::take_redriven`].
    #[serde(skip)]
    redriven: Scratch<Redriven>,
}

/// How the last mode line began, if the next one can begin in the same way. It follows from the rest, so this is no state: without it
/// all is only slower.
#[derive(Clone, Copy, Debug, Default)]
struct ModeLineStart {
    /// The instruction, or none.
    instruction: Option<u8>,
    pending: playfield::Pending,
}

impl Antic {
    /// At power-on. NTSC has 262 lines, PAL 312.
    pub fn new(pal: bool) -> Self {
        let mut antic = Self {
            slots: Slots::default(),
            plan: Scratch::default(),
            course: Scratch::default(),
            an: AnBus::default(),
            lines: if pal { 312 } else { 262 },
            line: 0,
            vscrol: 0,
            pmbase: 0,
            nmien: 0,
            nmist: 0,
            chactl_written: 0,
            dlist: 0,
            dmactl: 0,
            hscrol: 0,
            chbase: 0,
            chactl: 0,
            delayed: [Delayed::default(); 4],
            delayed_count: 0,
            vscrol_end: 0,
            nmien_before: 0,
            nmi_source: 0,
            nmi_given: false,
            stop_at: None,
            reset_key: false,
            instruction: 0,
            row: 0,
            first: false,
            ends_region: false,
            scrolling: false,
            waiting: false,
            address_low: 0,
            scan: 0,
            buffer: core::array::from_fn(|i| if i < 48 { 0 } else { 0xFF }),
            name_index: 0,
            glyph_index: 0,
            loaded: 0,
            shifting: 0,
            parities: 0,
            clock: DmaClock::default(),
            clock_at: 0,
            timing: Timing::new(Mode::of(0), true, 0, false, 0),
            provisional: false,
            shape: Shape::Blank,
            glyphs: playfield::Glyphs::default(),
            pending: playfield::Pending::NONE,
            irregular: false,
            follows: false,
            start: Scratch::default(),
            redriven: Scratch::default(),
        };
        antic.line = antic.lines - 1;
        antic.begin_line();
        antic
    }

    /// The RESET line: NMIEN, DMACTL and the DMA clock are cleared, the rest stays.
    pub fn reset(&mut self, cycle: usize) {
        self.start.instruction = None;
        if cycle > 7 && self.is_unsampled(cycle) {
            self.sample_interrupt();
        }
        self.nmien = 0;
        self.delayed_count = 0;
        self.advance_clock(cycle);
        self.clock.bits = 0;
        self.dmactl = 0;
        self.window();
        self.plan_rest(cycle);
    }

    /// The scan line, 0 to 261 or 311.
    pub fn line(&self) -> u16 {
        self.line
    }

    /// Lines of a frame.
    pub fn lines(&self) -> u16 {
        self.lines
    }

    /// Whether the display list runs in this line.
    pub fn displays(&self) -> bool {
        self.line >= FIRST_LINE && self.line < VBLANK_LINE
    }

    /// The display list counter.
    pub fn display_list(&self) -> u16 {
        self.dlist
    }

    /// The instruction being shown.
    pub fn current_instruction(&self) -> u8 {
        self.instruction
    }

    /// The row counter.
    pub fn row(&self) -> u8 {
        self.row
    }

    /// The memory scan counter.
    pub fn memory_scan(&self) -> u16 {
        self.scan
    }

    /// DMACTL as it acts.
    pub fn dmactl(&self) -> u8 {
        self.dmactl
    }

    /// NMIEN.
    pub fn nmien(&self) -> u8 {
        self.nmien
    }

    /// What the AN lines say while the shift register is empty.
    fn empty_code(&self) -> u8 {
        match (self.an.hires, self.displays()) {
            (false, _) => 0,
            (true, true) => 4,
            // The hires bug: in vertical blank the code for blanking becomes a pair of pixels. (Reference picture.)
            (true, false) => 6,
        }
    }

    fn mode(&self) -> Mode {
        Mode::of(self.instruction)
    }

    fn last_row(&self, vscrol: u8) -> u8 {
        if self.ends_region {
            vscrol
        } else {
            self.mode().last_row(self.instruction)
        }
    }

    /// Ends the line after cycle 113 and plans the next one.
    pub fn begin_line(&mut self) {
        self.advance_clock(CYCLES);
        self.an.begin_line();
        let ended = self.row == self.last_row(self.vscrol_end);
        self.vscrol_end = self.vscrol;
        self.line += 1;
        if self.line >= self.lines {
            self.line = 0;
        }
        let displays = self.displays();
        // Nothing has been out of the ordinary in a line that was not its mode line's first, and this one is not either.
        self.follows = displays
            && !(ended | self.first | self.irregular)
            && self.delayed_count | self.timing.held_until == 0;
        self.nmi_source = 0;
        self.nmi_given = false;
        self.name_index = 0;
        self.glyph_index = 0;
        self.loaded = 0;
        self.parities = 0;
        self.clock_at = 0;
        self.clock.started = false;
        self.provisional = false;
        self.timing.head_ring = self.timing.ring;
        self.timing.held_until = 0;
        self.timing.late_start = 128;
        self.timing.missed = 128;
        self.pending = playfield::Pending::NONE;
        self.first = displays && (ended || self.line == FIRST_LINE);
        if !self.first {
            self.start.instruction = None;
            self.row = (self.row + u8::from(displays)) & 15;
        }
        if !displays {
            self.clock.bits = 0;
        }
        if self.line == VBLANK_LINE {
            self.waiting = false;
            self.instruction &= !0x40;
        }
        // Missile DMA in cycle 0 is decided before a write of cycle 113 acts (AHRM 4.13).
        let mut head = 0;
        if displays && self.dmactl & 0x0C != 0 {
            head = MISSILES;
        }
        if self.delayed_count != 0 {
            self.due(0);
        }
        if displays {
            // The old instruction until the new one is there in cycle 1; while the DMA clock is clear that is nothing.
            let clear = self.is_clear();
            if self.first && clear {
                // Most often it is the same once more: see `plan_from`.
                self.fresh_slots(self.planned());
                self.irregular = false;
                head |= self.player_fetches();
            } else if self.follows && clear && self.timing.text {
                // As the line before, but for the row: the codes are all shifted out anew.
                let plan = self.planned();
                self.fresh_slots(plan);
                self.pending = plan.pending;
                self.choose_row();
                head |= self.head_fetches();
            } else {
                if !self.first {
                    self.an.clear(self.empty_code());
                }
                self.timing.ring = self.mode().ring();
                self.plan_from(0, true);
            }
        } else {
            self.fresh_slots(plan::blank());
            self.irregular = false;
            self.timing.ring = 0;
            self.an.clear(self.empty_code());
            self.window();
        }
        self.add_to_head(head);
        self.flag_events();
        self.slots.add(CYCLES, slot::DEADLINE);
    }

    /// The slots of a new line.
    #[inline]
    fn fresh_slots(&mut self, plan: &'static plan::Plan) {
        self.slots.plan(plan);
        self.plan.0 = Some(plan);
    }

    /// The plan of a line with the timing of this one.
    #[inline]
    fn planned(&self) -> &'static plan::Plan {
        match self.plan.0 {
            Some(plan) => plan,
            None => plan::plan_of(&self.timing),
        }
    }

    /// What happens in each cycle of this line; see [`slot`].
    #[inline]
    pub fn slots(&self) -> &Slots {
        &self.slots
    }

    /// The AN lines of this line, as far as they have been driven.
    #[inline]
    pub fn an(&self) -> &AnBus {
        &self.an
    }

    /// Marks the cycles from `from` to `to` for [`slot::EVENT`], when GTIA may take what is on the bus then.
    pub fn watch(&mut self, from: usize, to: usize) {
        for cycle in from..=to {
            self.slots.add(cycle, slot::EVENT);
        }
    }

    /// The same for four cycles from `from` on, in horizontal blank.
    #[inline]
    pub fn watch_four(&mut self, from: usize) {
        self.slots.watch_four(from);
    }

    /// Sets bits of a slot at any time.
    #[inline]
    pub fn flag(&mut self, cycle: usize, bits: u8) {
        self.slots.add(cycle, bits);
    }

    /// Takes away the machine's deadlines of this line, but for the end of the line: where they stand depends on how a run was
    /// cut into pieces.
    pub fn clear_deadlines(&mut self) {
        self.slots.remove_all(slot::DEADLINE);
    }

    /// The processor's cycles of this line, if ordinary DMA is where its plan says.
    #[inline]
    pub fn free_cycles(&self) -> Option<&'static FreeCycles> {
        self.plan.map(|plan| &plan.free_cycles)
    }

    /// Whether in cycles 0 to 5 nothing happens but the DMA of missiles, display list and players, if cycle 1 fetches `instruction`.
    #[inline]
    pub fn begins_with_dma(&self, instruction: u8) -> bool {
        const DMA: [u8; 6] = {
            let mut slots = [slot::SPECIAL; 6];
            slots[1] = slot::EVENT;
            slots
        };
        // What is history to shorter rings comes round again in that of modes 8 and 9.
        let clear = self.clock.bits == 0 || Mode::of(instruction).ring() < 8 && self.is_clear();
        self.slots[..6] == DMA
            && clear
            && self.delayed_count == 0
            && self.stop_at.is_none()
            && self.dmactl & 0x20 != 0
            && !self.waiting
    }

    /// Whether cycles 6 and 7 fetch an address and nothing else happens.
    #[inline]
    pub fn only_address_follows(&self) -> bool {
        self.slots[6..8] == [slot::SPECIAL; 2]
    }

    /// Whether in cycles 2 to 5 nothing happens but the DMA of players, whatever is flagged.
    #[inline]
    pub fn only_players_fetch(&self) -> bool {
        const SPECIAL: u32 = u32::from_le_bytes([slot::SPECIAL; 4]);
        const EVENT: u32 = u32::from_le_bytes([slot::EVENT; 4]);
        let [_, _, a, b, c, d, ..] = *self.slots;
        u32::from_le_bytes([a, b, c, d]) & !EVENT == SPECIAL
            && self.delayed_count == 0
            && self.stop_at.is_none()
    }

    /// The first cycle from `cycle` on with more than ordinary DMA, or `limit` if that is before.
    #[inline]
    pub fn next_special(&self, cycle: usize, limit: usize) -> usize {
        self.slots.next_special(cycle, limit)
    }

    /// The display list instruction, fetched in cycle 1.
    pub fn instruction(&mut self, data: u8) {
        self.dlist = step_1k(self.dlist);
        self.instruction = data;
        self.begin_mode_line();
    }

    fn begin_mode_line(&mut self) {
        let quiet = self.is_clear() && self.delayed_count == 0;
        if quiet && self.start.instruction == Some(self.instruction) {
            // As the line before, which was one of this kind, too.
            self.row = 0;
            self.advance_clock(2);
            self.pending = self.start.pending;
            // The players' fetches are marked since the line began.
            self.add_to_head(self.address_fetches());
            self.flag_interrupt();
            return;
        }
        let before = self.scrolling;
        self.begin_other_mode_line();
        let usual = quiet && !self.irregular && !before && !self.scrolling;
        self.start.0 = ModeLineStart {
            instruction: usual.then_some(self.instruction),
            pending: self.pending,
        };
    }

    fn begin_other_mode_line(&mut self) {
        let mode = self.mode();
        self.an.announce(mode.is_hires());
        let scrolling = !mode.is_blank() && self.instruction & 0x20 != 0;
        self.row = if scrolling && !self.scrolling {
            self.vscrol & 15
        } else {
            0
        };
        self.ends_region = self.scrolling && !scrolling;
        self.scrolling = scrolling;
        self.an.clear(self.empty_code());
        self.shape = mode.shape();
        self.advance_clock(2);
        self.slots.remove(2, slot::SPECIAL);
        self.add_to_head(self.player_fetches() & 0xFF << 16);
        self.plan_from(2, false);
        self.flag_interrupt();
    }

    /// The address of the fetch that a [`slot::SPECIAL`] cycle makes.
    pub fn special_address(&self, cycle: usize) -> u16 {
        match cycle {
            0 => self.object_addresses()[0],
            2..=5 => self.object_addresses()[cycle - 1],
            _ => self.dlist,
        }
    }

    /// Where the bytes of the missiles and the four players come from.
    #[inline]
    pub fn object_addresses(&self) -> [u16; 5] {
        let base = u16::from(self.pmbase) << 8;
        let (area, line, length) = if self.dmactl & 0x10 != 0 {
            (base & 0xF800, self.line & 0xFF, 0x100)
        } else {
            (base & 0xFC00, self.line >> 1 & 0x7F, 0x80)
        };
        core::array::from_fn(|i| area + (3 + i as u16) * length + line)
    }

    /// Takes the address bytes of cycles 6 and 7.
    pub fn address_byte(&mut self, cycle: usize, data: u8) {
        if cycle == 6 {
            self.address_low = data;
            self.dlist = step_1k(self.dlist);
            return;
        }
        let address = u16::from_le_bytes([self.address_low, data]);
        if self.mode().is_jump() {
            self.dlist = address;
            self.waiting = self.instruction & 0x40 != 0;
        } else {
            self.dlist = step_1k(self.dlist);
            self.scan = address;
        }
    }

    /// The player and address fetches of a displayed line's head.
    fn head_fetches(&self) -> u64 {
        self.player_fetches() | self.address_fetches()
    }

    /// The player fetches alone.
    fn player_fetches(&self) -> u64 {
        if self.dmactl & 0x08 != 0 { PLAYERS } else { 0 }
    }

    /// The address fetches alone.
    fn address_fetches(&self) -> u64 {
        let mode = self.mode();
        let wanted =
            mode.is_jump() || self.first && self.instruction & 0x40 != 0 && !mode.is_blank();
        if wanted && self.dmactl & 0x20 != 0 && !self.waiting {
            ADDRESS
        } else {
            0
        }
    }

    /// True if the DMA clock, at the beginning of the line, is empty but for history.
    #[inline]
    fn is_clear(&self) -> bool {
        self.timing.is_clear(self.clock, self.clock_at.into())
    }

    /// Brings the DMA clock to the start of `cycle`.
    fn advance_clock(&mut self, cycle: usize) {
        let from = usize::from(self.clock_at);
        if from >= cycle {
            return;
        }
        if from <= 2 && self.clock.bits == 0 && !self.clock.waiting {
            // In cycles 0 and 1 no playfield begins, and no refresh.
            if cycle > 2 {
                let plan = self.planned();
                self.clock = if cycle == CYCLES {
                    plan.end
                } else {
                    plan.course.clock(cycle)
                };
            }
            self.clock_at = cycle as u8;
            return;
        }
        self.advance_clock_with_history(from, cycle);
    }

    #[inline(never)]
    fn advance_clock_with_history(&mut self, from: usize, cycle: usize) {
        let (t, clock) = (&self.timing, &mut self.clock);
        let plan = match self.plan.0 {
            _ if from <= 2 && !t.is_clear(*clock, from) => None,
            // What a change came too late for may show in the two cycles after it.
            plan if from > 2 => plan.filter(|_| cycle >= from + 2),
            Some(plan) => Some(plan),
            None => Some(plan::plan_of(t)),
        };
        *clock = match plan {
            Some(plan) => plan.clock(t, *clock, from, cycle),
            None => match (self.plan.0, self.course.0) {
                (None, Some(course)) => course.clock(cycle),
                _ => Course::new(t, *clock, from).0.clock(cycle),
            },
        };
        self.clock_at = cycle as u8;
    }

    /// Plans the line anew from `cycle` on; the DMA clock must have been brought there.
    fn plan_rest(&mut self, cycle: usize) {
        self.plan_from(cycle, false);
    }

    /// The same; the slots of a fresh line hold nothing yet.
    // As a part of `begin_mode_line`, with what it is called with known, it is half as long.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn plan_from(&mut self, cycle: usize, fresh: bool) {
        let mode = self.mode();
        if !fresh && cycle <= 2 {
            self.an.clear(self.empty_code());
        }
        if cycle > 2 {
            self.forget_unshown();
        }
        let special = !fresh && cycle < 8 && self.slots[cycle] & slot::SPECIAL != 0;
        let old = self.timing;
        self.timing = if self.displays() {
            Timing::new(mode, self.first, self.dmactl, self.scrolled(), self.hscrol)
        } else {
            Timing::plain(0, false, false, 0, 0)
        };
        if cycle > 2 {
            self.timing.keep(&old, cycle);
            self.change_start(&old, cycle);
        } else if cycle == 2 && old.ring != 0 && self.timing.ring != 0 {
            self.timing.head_ring = old.head_ring;
        }
        self.shape = mode.shape();
        if mode.is_text() {
            self.choose_glyphs();
        }
        if self.timing.ring != 0 {
            self.an.will_be_used();
        }
        self.window();
        self.pending = playfield::Pending::NONE;
        let plan = plan::plan_of(&self.timing);
        if cycle <= 2 && self.timing.is_clear(self.clock, cycle) {
            self.pending = plan.pending;
            let irregular = core::mem::take(&mut self.irregular);
            if fresh {
                self.fresh_slots(plan);
            }
            // The line has begun with the plan of the line before, and it is the same; but not its fetches of display list and objects.
            else if cycle == 2 && !irregular && core::ptr::eq(plan, plan::plan_of(&old)) {
                self.slots.remove_head();
            }
            // What is before cycle 2 is over, and what is after 113 is not the plan's.
            else {
                self.plan.0 = Some(plan);
                self.slots.replan(plan);
            }
        } else {
            self.plan_changed(plan, cycle, fresh);
        }
        // DMACTL acts on these a cycle later (AHRM 4.6, 4.13).
        if cycle < 8 && special {
            self.slots.add(cycle, slot::SPECIAL);
        }
        self.plan_special(cycle);
    }

    /// Plans a line from `cycle` on whose clock is not clear. After a change in mid-line it may go on as `plan` says.
    #[inline(never)]
    fn plan_changed(&mut self, plan: &'static plan::Plan, cycle: usize, fresh: bool) {
        let (course, fetches) = Course::new(&self.timing, self.clock, cycle);
        if cycle > 2 && self.continues(plan, &course, cycle) {
            self.pending = plan.pending.from(cycle);
            self.plan.0 = Some(plan);
            let passed = self.slots.head_before(cycle);
            self.slots.replan(plan);
            self.add_to_head(passed);
            return;
        }
        // No plan describes it: bits are left over in its clock, or a change has disturbed it.
        self.irregular = true;
        if fresh {
            self.fresh_slots(plan::blank());
        }
        self.plan.0 = None;
        self.course.0 = Some(course);
        let (slots, special) = fetches.irregular_slots();
        self.slots.replan_from(cycle, &slots, special);
        self.pending.next = self.late_fetch_from(cycle);
    }

    /// True if a line whose timing has just changed goes on, from `cycle` on, as `plan` says, and its bytes have places in the line buffer.
    fn continues(&self, plan: &plan::Plan, course: &Course, cycle: usize) -> bool {
        let rest = plan.pending.from(cycle);
        !self.irregular
            && self.name_index + rest.loads <= playfield::BUFFER
            && self.glyph_index + rest.shows <= playfield::BUFFER
            && plan.continues(&self.timing, self.clock, course, cycle)
    }

    /// Takes away what the line before has left where a byte of this line would have come.
    fn forget_unshown(&mut self) {
        if let Some(from) = self.pending.unshown(self.timing.text) {
            self.cut(from);
        }
    }

    /// Empties the AN lines from colour clock `from` on.
    fn cut(&mut self, from: usize) {
        self.an.cut(from, self.empty_code());
        let before = self.redriven.cut.unwrap_or(u16::MAX);
        self.redriven.cut = Some(before.min(from as u16));
    }

    /// Marks player and address fetches in the cycles after `cycle`.
    fn plan_special(&mut self, cycle: usize) {
        if cycle < 7 && self.displays() {
            let later = !0 << (8 * (cycle + 1));
            self.add_to_head(self.head_fetches() & later);
        }
    }

    /// Marks fetches in the line's head.
    fn add_to_head(&mut self, fetches: u64) {
        if fetches != 0 {
            self.slots.add_to_head(fetches);
        }
    }

    /// A wide start moved earlier to the cycle just passed: a bitmap that has not begun to fetch still comes, but only until the
    /// next change (reference picture mid_dmactl_modeE).
    ///
    /// A bitmap's start moved to the very cycle of the change fetches nothing, but the next change makes the line buffer appear where
    /// its bytes would be, as the line before left them (the same picture). By AHRM 4.11 nothing appears at all.
    fn change_start(&mut self, old: &Timing, cycle: usize) {
        if self.provisional {
            self.provisional = false;
            self.clock.bits = 0;
            self.cut(2 * cycle);
        }
        let t = self.timing;
        if t.ring == 0 || t.text || self.clock.started {
            return;
        }
        if old.width != 0 && old.missed == old.start() {
            self.replay_from(old.start(), t.stop());
        }
        if t.width != 3 {
            return;
        }
        if cycle == usize::from(t.start()) + 1 {
            self.clock.bits |= 1;
            self.provisional = true;
        }
    }

    fn scrolled(&self) -> bool {
        !self.mode().is_blank() && self.instruction & 0x10 != 0
    }
}

/// The display list counter counts within 1K.
const fn step_1k(address: u16) -> u16 {
    address & 0xFC00 | address.wrapping_add(1) & 0x03FF
}
