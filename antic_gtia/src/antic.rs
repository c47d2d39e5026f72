//! ANTIC: display list, playfield and player/missile DMA, NMIs and the vertical counter.
mod an;
pub mod beam;
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
use events::Nmi;
pub use mode::{Mode, Shape};
pub use plan::{DmaClock, FreeCycles, Timing};
pub use playfield::Fetch;
use playfield::Playfield;
use registers::Registers;
pub use registers::reg;
pub use slots::{Slots, slot};
pub use trace::{Load, Redriven, Show};

use crate::CYCLES;
use core::mem;
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

/// The chip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Antic {
    schedule: Schedule,
    /// The AN lines of this line.
    an: AnBus,
    /// Lines of a frame: 262 or 312.
    lines: u16,
    line: u16,
    registers: Registers,
    nmi: Nmi,
    /// The cycle of this line in which RDY falls.
    stop_at: Option<u8>,
    /// The Reset key of a 400/800 waits for vertical blank.
    reset_key: bool,
    list: List,
    playfield: Playfield,
    #[serde(skip)]
    start: Scratch<ModeLineStart>,
    /// See [`Antic::take_redriven`].
    #[serde(skip)]
    redriven: Scratch<Redriven>,
}

/// The purpose of each cycle of this line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Schedule {
    /// The slot of each cycle: its DMA and events; see [`slot`].
    slots: Slots,
    /// The plan of this line, if its ordinary DMA is where that says.
    #[serde(skip)]
    plan: Scratch<Option<&'static plan::Plan>>,
    /// The course of the DMA clock in this line from its last change on, if there is no plan.
    #[serde(skip)]
    course: Scratch<Option<Course>>,
}

/// The display list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct List {
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
}

/// The beginning of the last mode line, if the next one can begin in the same way. It follows from the other fields, so it is not part of the state:
/// without it the chip is only slower.
#[derive(Clone, Copy, Debug, Default)]
struct ModeLineStart {
    /// The instruction; `None` if the next mode line cannot begin in the same way.
    instruction: Option<u8>,
    pending: playfield::Pending,
}

impl Antic {
    /// At power-on. NTSC has 262 lines, PAL 312.
    pub fn new(pal: bool) -> Self {
        let mut antic = Self {
            schedule: Schedule::default(),
            an: AnBus::default(),
            lines: if pal { 312 } else { 262 },
            line: 0,
            registers: Registers::default(),
            nmi: Nmi::default(),
            stop_at: None,
            reset_key: false,
            list: List::default(),
            playfield: Playfield::new(),
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
        if cycle > beam::NMI_SAMPLED && self.is_unsampled(cycle) {
            self.sample_interrupt();
        }
        self.registers.nmien = 0;
        self.registers.delayed_count = 0;
        self.advance_clock(cycle);
        self.playfield.clock.bits = 0;
        self.registers.dmactl = 0;
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

    /// True if the display list runs in this line.
    pub fn displays(&self) -> bool {
        self.line >= FIRST_LINE && self.line < VBLANK_LINE
    }

    /// The display list counter.
    pub fn display_list(&self) -> u16 {
        self.registers.dlist
    }

    /// The instruction being shown.
    pub fn current_instruction(&self) -> u8 {
        self.list.instruction
    }

    /// The row counter.
    pub fn row(&self) -> u8 {
        self.list.row
    }

    /// The memory scan counter.
    pub fn memory_scan(&self) -> u16 {
        self.playfield.scan
    }

    /// DMACTL as it acts.
    pub fn dmactl(&self) -> u8 {
        self.registers.dmactl
    }

    /// NMIEN.
    pub fn nmien(&self) -> u8 {
        self.registers.nmien
    }

    /// The AN code while the shift register is empty.
    fn empty_code(&self) -> u8 {
        match (self.an.hires, self.displays()) {
            (false, _) => 0,
            (true, true) => 4,
            // The hires bug: in vertical blank the code for blanking becomes a pair of pixels. (Reference picture.)
            (true, false) => 6,
        }
    }

    fn mode(&self) -> Mode {
        Mode::of(self.list.instruction)
    }

    fn last_row(&self, vscrol: u8) -> u8 {
        if self.list.ends_region {
            vscrol
        } else {
            self.mode().last_row(self.list.instruction)
        }
    }

    /// Ends the line after cycle 113 and plans the next one.
    pub fn begin_line(&mut self) {
        self.advance_clock(CYCLES);
        self.an.begin_line();
        let ended = self.list.row == self.last_row(self.registers.vscrol_end);
        self.registers.vscrol_end = self.registers.vscrol;
        self.line += 1;
        if self.line >= self.lines {
            self.line = 0;
        }
        let displays = self.displays();
        // True while every line since the mode line's first one followed a plan, this one included.
        self.playfield.follows = displays
            && !(ended | self.list.first | self.playfield.irregular)
            && self.registers.delayed_count == 0;
        let changed = self.playfield.timing.held_until != 0;
        self.nmi.begin_line();
        self.playfield.begin_line();
        self.list.first = displays && (ended || self.line == FIRST_LINE);
        if !self.list.first {
            self.start.instruction = None;
            self.list.row = (self.list.row + u8::from(displays)) & 15;
        }
        if !displays {
            self.playfield.clock.bits = 0;
        }
        if self.line == VBLANK_LINE {
            self.list.waiting = false;
            self.list.instruction &= !0x40;
        }
        // Missile DMA in cycle 0 is decided before a write of cycle 113 acts (AHRM 4.13).
        let mut head = 0;
        if displays && self.registers.dmactl & 0x0C != 0 {
            head = MISSILES;
        }
        if self.registers.delayed_count != 0 {
            self.due(0);
        }
        head |= if displays {
            self.plan_displayed(changed)
        } else {
            self.plan_blanked();
            0
        };
        self.add_to_head(head);
        self.flag_events();
        self.schedule.slots.add(CYCLES, slot::DEADLINE);
    }

    /// Plans a new line of the display; returns the slots of its head but for the missiles'. The old instruction acts until the new one is there
    /// in cycle 1; while the DMA clock is clear it asks for nothing. The line before may have `changed` its plan.
    #[inline]
    fn plan_displayed(&mut self, changed: bool) -> u64 {
        let clear = self.is_clear();
        if self.list.first && clear {
            // Most often the plan is the same again: see `plan_from`.
            self.fresh_slots(self.planned());
            self.playfield.irregular = false;
            return self.player_fetches();
        }
        if self.playfield.follows && clear && self.playfield.timing.text {
            // As the line before, but for the row: the codes are all shifted out again, those of a new plan elsewhere.
            if changed {
                self.an.clear(self.empty_code());
                self.an.will_be_used();
            }
            let plan = self.planned();
            self.fresh_slots(plan);
            self.playfield.pending = plan.pending;
            self.choose_row();
            return self.head_fetches();
        }
        if !self.list.first {
            self.an.clear(self.empty_code());
        }
        self.playfield.timing.ring = self.mode().ring();
        self.plan_from(0, true);
        0
    }

    /// Plans a new line of vertical blank.
    #[inline]
    fn plan_blanked(&mut self) {
        self.fresh_slots(plan::blank());
        self.playfield.irregular = false;
        self.playfield.timing.ring = 0;
        self.an.clear(self.empty_code());
        self.window();
    }

    /// The slots of a new line.
    #[inline]
    fn fresh_slots(&mut self, plan: &'static plan::Plan) {
        self.schedule.slots.plan(plan);
        self.schedule.plan.0 = Some(plan);
    }

    /// The plan of a line with the timing of this one.
    #[inline]
    fn planned(&self) -> &'static plan::Plan {
        match self.schedule.plan.0 {
            Some(plan) => plan,
            None => plan::plan_of(&self.playfield.timing),
        }
    }

    /// The slot of each cycle of this line; see [`slot`].
    #[inline]
    pub fn slots(&self) -> &Slots {
        &self.schedule.slots
    }

    /// The AN lines of this line, as far as they have been driven.
    #[inline]
    pub fn an(&self) -> &AnBus {
        &self.an
    }

    /// Marks the cycles from `from` to `to`, which are less than 24, in which ANTIC takes the bus for [`slot::EVENT`]: GTIA may take
    /// what is on the bus then.
    #[inline]
    pub fn watch(&mut self, from: usize, to: usize) {
        self.schedule.slots.watch(from, to);
    }

    /// Marks four cycles from `from` on, in horizontal blank, for [`slot::EVENT`].
    #[inline]
    pub fn watch_four(&mut self, from: usize) {
        self.schedule.slots.watch_four(from);
    }

    /// Sets bits of a slot at any time.
    #[inline]
    pub fn flag(&mut self, cycle: usize, bits: u8) {
        self.schedule.slots.add(cycle, bits);
    }

    /// Takes away the machine's deadlines of this line, but for the end of the line: their places depend on how a run was
    /// cut into pieces.
    pub fn clear_deadlines(&mut self) {
        self.schedule.slots.remove_all(slot::DEADLINE);
    }

    /// Empties the codes that this line has yet to shift out. A mode line that begins as the one before it keeps the old ones, which a chip that was
    /// loaded does not know.
    pub fn clear_unshown(&mut self) {
        if let Some(from) = self.playfield.pending.unshown(self.playfield.timing.text) {
            self.an.cut(from, self.empty_code());
        }
    }

    /// The processor's cycles of this line, if ordinary DMA is where its plan says.
    #[inline]
    pub fn free_cycles(&self) -> Option<&'static FreeCycles> {
        self.schedule.plan.map(|plan| &plan.free_cycles)
    }

    /// True if nothing but the DMA of missiles, display list and players happens in cycles 0 to 5, given that cycle 1 fetches `instruction`.
    #[inline]
    pub fn begins_with_dma(&self, instruction: u8) -> bool {
        const DMA: [u8; 6] = {
            let mut slots = [slot::SPECIAL; 6];
            slots[1] = slot::EVENT;
            slots
        };
        // Bits that are history for shorter rings come round again in the ring of modes 8 and 9.
        let clear =
            self.playfield.clock.bits == 0 || Mode::of(instruction).ring() < 8 && self.is_clear();
        self.schedule.slots[..6] == DMA
            && clear
            && self.registers.delayed_count == 0
            && self.stop_at.is_none()
            && self.registers.dmactl & 0x20 != 0
            && !self.list.waiting
    }

    /// True if cycles 6 and 7 fetch an address and nothing else happens.
    #[inline]
    pub fn only_address_follows(&self) -> bool {
        self.schedule.slots[6..8] == [slot::SPECIAL; 2]
    }

    /// True if nothing but the DMA of players happens in cycles 2 to 5, whatever is flagged.
    #[inline]
    pub fn only_players_fetch(&self) -> bool {
        const SPECIAL: u32 = u32::from_le_bytes([slot::SPECIAL; 4]);
        const EVENT: u32 = u32::from_le_bytes([slot::EVENT; 4]);
        let [_, _, a, b, c, d, ..] = *self.schedule.slots;
        u32::from_le_bytes([a, b, c, d]) & !EVENT == SPECIAL
            && self.registers.delayed_count == 0
            && self.stop_at.is_none()
    }

    /// The first cycle from `cycle` on with more than ordinary DMA, or `limit` if that is before.
    #[inline]
    pub fn next_special(&self, cycle: usize, limit: usize) -> usize {
        self.schedule.slots.next_special(cycle, limit)
    }

    /// The display list instruction, fetched in cycle 1.
    pub fn instruction(&mut self, data: u8) {
        self.registers.dlist = step_1k(self.registers.dlist);
        self.list.instruction = data;
        self.begin_mode_line();
    }

    fn begin_mode_line(&mut self) {
        let quiet = self.is_clear() && self.registers.delayed_count == 0;
        if quiet && self.start.instruction == Some(self.list.instruction) {
            // As the line before, which was one of this kind, too.
            self.list.row = 0;
            self.advance_clock(2);
            self.playfield.pending = self.start.pending;
            // The players' fetches are marked since the line began.
            self.add_to_head(self.address_fetches());
            self.flag_interrupt();
            return;
        }
        let before = self.list.scrolling;
        self.begin_other_mode_line();
        let usual = quiet && !self.playfield.irregular && !before && !self.list.scrolling;
        self.start.0 = ModeLineStart {
            instruction: usual.then_some(self.list.instruction),
            pending: self.playfield.pending,
        };
    }

    fn begin_other_mode_line(&mut self) {
        let mode = self.mode();
        self.an.announce(mode.is_hires());
        let scrolling = !mode.is_blank() && self.list.instruction & 0x20 != 0;
        self.list.row = if scrolling && !self.list.scrolling {
            self.registers.vscrol & 15
        } else {
            0
        };
        self.list.ends_region = self.list.scrolling && !scrolling;
        self.list.scrolling = scrolling;
        self.an.clear(self.empty_code());
        self.playfield.shape = mode.shape();
        self.advance_clock(2);
        self.schedule.slots.remove(2, slot::SPECIAL);
        self.add_to_head(self.player_fetches() & 0xFF << 16);
        self.plan_from(2, false);
        self.flag_interrupt();
    }

    /// The address of the fetch that a [`slot::SPECIAL`] cycle makes.
    pub fn special_address(&self, cycle: usize) -> u16 {
        match cycle {
            0 => self.object_addresses()[0],
            beam::FIRST_PLAYER..=beam::LAST_PLAYER => self.object_addresses()[cycle - 1],
            _ => self.registers.dlist,
        }
    }

    /// The addresses of the bytes of the missiles and the four players.
    #[inline]
    pub fn object_addresses(&self) -> [u16; 5] {
        let base = u16::from(self.registers.pmbase) << 8;
        let (area, line, length) = if self.registers.dmactl & 0x10 != 0 {
            (base & 0xF800, self.line & 0xFF, 0x100)
        } else {
            (base & 0xFC00, self.line >> 1 & 0x7F, 0x80)
        };
        core::array::from_fn(|i| area + (3 + i as u16) * length + line)
    }

    /// Takes the address bytes of cycles 6 and 7.
    pub fn address_byte(&mut self, cycle: usize, data: u8) {
        if cycle == beam::ADDRESS_LOW {
            self.list.address_low = data;
            self.registers.dlist = step_1k(self.registers.dlist);
            return;
        }
        let address = u16::from_le_bytes([self.list.address_low, data]);
        if self.mode().is_jump() {
            self.registers.dlist = address;
            self.list.waiting = self.list.instruction & 0x40 != 0;
        } else {
            self.registers.dlist = step_1k(self.registers.dlist);
            self.playfield.scan = address;
        }
    }

    /// The player and address fetches of a displayed line's head.
    fn head_fetches(&self) -> u64 {
        self.player_fetches() | self.address_fetches()
    }

    /// The player fetches of a displayed line's head.
    fn player_fetches(&self) -> u64 {
        if self.registers.dmactl & 0x08 != 0 {
            PLAYERS
        } else {
            0
        }
    }

    /// The address fetches of a displayed line's head.
    fn address_fetches(&self) -> u64 {
        let mode = self.mode();
        let wanted = mode.is_jump()
            || self.list.first && self.list.instruction & 0x40 != 0 && !mode.is_blank();
        if wanted && self.registers.dmactl & 0x20 != 0 && !self.list.waiting {
            ADDRESS
        } else {
            0
        }
    }

    /// True if the DMA clock, at the beginning of the line, is empty but for history.
    #[inline]
    fn is_clear(&self) -> bool {
        self.playfield
            .timing
            .is_clear(self.playfield.clock, self.playfield.clock_at.into())
    }

    /// Brings the DMA clock to the start of `cycle`.
    fn advance_clock(&mut self, cycle: usize) {
        let from = usize::from(self.playfield.clock_at);
        if from >= cycle {
            return;
        }
        if from <= 2 && self.playfield.clock.bits == 0 && !self.playfield.clock.waiting {
            // In cycles 0 and 1 no playfield begins, and no refresh.
            if cycle > 2 {
                let plan = self.planned();
                self.playfield.clock = if cycle == CYCLES {
                    plan.end
                } else {
                    plan.course.clock(cycle)
                };
            }
            self.playfield.clock_at = cycle as u8;
            return;
        }
        self.advance_clock_with_history(from, cycle);
    }

    #[inline(never)]
    fn advance_clock_with_history(&mut self, from: usize, cycle: usize) {
        let (t, clock) = (&self.playfield.timing, &mut self.playfield.clock);
        let plan = match self.schedule.plan.0 {
            _ if from <= 2 && !t.is_clear(*clock, from) => None,
            // The effects of a change that came too late may show in the two cycles after it.
            plan if from > 2 => plan.filter(|_| cycle >= from + 2),
            Some(plan) => Some(plan),
            None => Some(plan::plan_of(t)),
        };
        *clock = match plan {
            Some(plan) => plan.clock(t, *clock, from, cycle),
            None => match (self.schedule.plan.0, self.schedule.course.0) {
                (None, Some(course)) => course.clock(cycle),
                _ => Course::new(t, *clock, from).0.clock(cycle),
            },
        };
        self.playfield.clock_at = cycle as u8;
    }

    /// Plans the rest of the line from `cycle` on; the DMA clock must have been brought there.
    fn plan_rest(&mut self, cycle: usize) {
        if cycle > 2 {
            self.change_course(cycle);
        } else {
            self.plan_from(cycle, false);
        }
    }

    /// Plans the line from `cycle`, 0 to 2, on; the slots of a `fresh` line hold nothing yet.
    // As a part of `begin_mode_line`, where its arguments are known, it is half as long.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn plan_from(&mut self, cycle: usize, fresh: bool) {
        let mode = self.mode();
        if !fresh {
            self.an.clear(self.empty_code());
        }
        let timing = if self.displays() {
            Timing::new(
                mode,
                self.list.first,
                self.registers.dmactl,
                self.scrolled(),
                self.registers.hscrol,
            )
        } else {
            Timing::plain(0, false, false, 0, 0)
        };
        let old = mem::replace(&mut self.playfield.timing, timing);
        if cycle == 2 && old.ring != 0 && self.playfield.timing.ring != 0 {
            self.playfield.timing.head_ring = old.head_ring;
        }
        self.playfield.shape = mode.shape();
        if mode.is_text() {
            self.choose_glyphs();
        }
        if self.playfield.timing.ring != 0 {
            self.an.will_be_used();
        }
        self.window();
        let special = !fresh && self.schedule.slots[cycle] & slot::SPECIAL != 0;
        let plan = plan::plan_of(&self.playfield.timing);
        if self.playfield.timing.is_clear(self.playfield.clock, cycle) {
            self.playfield.pending = plan.pending;
            let irregular = mem::take(&mut self.playfield.irregular);
            if fresh {
                self.fresh_slots(plan);
            }
            // The line has begun with the plan of the line before, and it is the same; but not its fetches of display list and objects.
            else if cycle == 2
                && !irregular
                && self
                    .schedule
                    .plan
                    .is_some_and(|old| core::ptr::eq(plan, old))
            {
                self.schedule.slots.remove_head();
            }
            // The cycles that have passed keep their slots, and those after 113 are not the plan's.
            else {
                self.schedule.plan.0 = Some(plan);
                self.schedule.slots.replan(cycle, plan);
            }
        } else {
            // Bits are left over in the clock.
            self.leave_plan(cycle, fresh);
        }
        // DMACTL acts on these a cycle later (AHRM 4.6, 4.13).
        if special {
            self.schedule.slots.add(cycle, slot::SPECIAL);
        }
        self.plan_special(cycle);
    }

    /// Plans the line from `cycle`, 3 or later, on after a change. The mode and the row stay as they are.
    fn change_course(&mut self, cycle: usize) {
        let head = self.schedule.slots.head_before(cycle + 1);
        self.window();
        if self.playfield.timing.ring != 0 {
            self.change_playfield(cycle);
        }
        if cycle < 8 {
            // DMACTL acts on these a cycle later (AHRM 4.6, 4.13).
            self.schedule.slots.set_head(head);
            self.plan_special(cycle);
        }
    }

    /// Moves the fetches of a playfield from `cycle` on.
    fn change_playfield(&mut self, cycle: usize) {
        self.forget_unshown();
        let old = self.playfield.timing;
        let (width, delay) = plan::width_and_delay(
            self.registers.dmactl,
            self.scrolled(),
            self.registers.hscrol,
        );
        let mut timing = Timing::plain(old.ring, old.text, old.first, width, delay);
        timing.keep(&old, cycle);
        self.playfield.timing = timing;
        self.change_start(&old, cycle);
        self.an.will_be_used();
        let plan = plan::plan_of(&timing);
        if !self.continue_as(plan, cycle) {
            // The change has disturbed the clock.
            self.leave_plan(cycle, false);
        }
    }

    /// Lets a line whose timing has just changed continue as `plan` says from `cycle` on, if it does, and its bytes have places in the line buffer.
    fn continue_as(&mut self, plan: &'static plan::Plan, cycle: usize) -> bool {
        let (timing, clock) = (&self.playfield.timing, self.playfield.clock);
        if self.playfield.irregular || !plan.agrees(timing, clock, cycle) {
            return false;
        }
        if timing.is_over(clock, cycle) {
            // There are no more slots with DMA, by the new plan or the old one.
            self.playfield.pending = playfield::Pending::NONE;
            self.schedule.plan.0 = Some(plan);
            return true;
        }
        let rest = plan.pending.from(cycle);
        if self.playfield.name_index + rest.loads > playfield::BUFFER
            || self.playfield.glyph_index + rest.shows > playfield::BUFFER
            || !plan.continues(timing, clock, cycle)
        {
            return false;
        }
        self.playfield.pending = rest;
        self.schedule.plan.0 = Some(plan);
        let passed = self.schedule.slots.head_before(cycle);
        self.schedule.slots.replan(0, plan);
        self.add_to_head(passed);
        true
    }

    /// Plans the line from `cycle` on by what its clock holds, which no plan describes.
    #[inline(never)]
    fn leave_plan(&mut self, cycle: usize, fresh: bool) {
        self.playfield.irregular = true;
        if fresh {
            self.fresh_slots(plan::blank());
        }
        let (course, fetches) = Course::new(&self.playfield.timing, self.playfield.clock, cycle);
        self.schedule.plan.0 = None;
        self.schedule.course.0 = Some(course);
        let (slots, special) = fetches.irregular_slots();
        self.schedule.slots.replan_from(cycle, &slots, special);
        self.playfield.pending = playfield::Pending {
            next: fetches.next_late(),
            ..playfield::Pending::NONE
        };
    }

    /// Removes the codes that the line before has left where a byte of this line would have come.
    fn forget_unshown(&mut self) {
        if let Some(from) = self.playfield.pending.unshown(self.playfield.timing.text) {
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
        if cycle < beam::ADDRESS_HIGH && self.displays() {
            let later = !0 << (8 * (cycle + 1));
            self.add_to_head(self.head_fetches() & later);
        }
    }

    /// Marks fetches in the line's head.
    fn add_to_head(&mut self, fetches: u64) {
        if fetches != 0 {
            self.schedule.slots.add_to_head(fetches);
        }
    }

    /// A wide start moved earlier to the cycle just passed: a bitmap that has not begun to fetch still comes, but only until the
    /// next change (reference picture mid_dmactl_modeE).
    ///
    /// A bitmap's start moved to the very cycle of the change fetches nothing, but the next change makes the line buffer appear where
    /// its bytes would be, as the line before left them (the same picture). By AHRM 4.11 nothing appears at all.
    fn change_start(&mut self, old: &Timing, cycle: usize) {
        if self.playfield.provisional {
            self.playfield.provisional = false;
            self.playfield.clock.bits = 0;
            self.cut(2 * cycle);
        }
        let t = self.playfield.timing;
        if t.ring == 0 || t.text || self.playfield.clock.started {
            return;
        }
        if old.width != 0 && old.missed == old.start() {
            self.replay_from(old.start(), t.stop());
        }
        if t.width != 3 {
            return;
        }
        if cycle == usize::from(t.start()) + 1 {
            self.playfield.clock.bits |= 1;
            self.playfield.provisional = true;
        }
    }

    fn scrolled(&self) -> bool {
        !self.mode().is_blank() && self.list.instruction & 0x10 != 0
    }
}

/// The display list counter counts within 1K.
const fn step_1k(address: u16) -> u16 {
    address & 0xFC00 | address.wrapping_add(1) & 0x03FF
}
