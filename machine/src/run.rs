//! The run loop.
//!
//! ```text
//! one machine cycle:  the machine's deadline, if the slot has its flag; then, by the rest of the slot:
//!                     slot 0 --------------------------------> one step of the processor; without an active probe, the span of
//!                                                              such cycles up to the next flagged one, in batches of instructions
//!                     playfield or refresh DMA only ---------> the processor is halted; the fetch is made when it matters
//!                     anything else: ANTIC's event -> DMA, or a step, or a stop by RDY -> bytes that ANTIC or GTIA take from the bus
//! a line that begins with the DMA of missiles, display list and players alone: all of that as one step, without an active probe
//! ```
use crate::bus::{SpanBus, Tapped, Watched};
use crate::memory::CHIPS;
use crate::{Machine, Memory, bus::Bus};
use antic_gtia::antic::{Fetch, FreeCycles, Load, RELEASE, Show};
use antic_gtia::gtia::{MISSILES, PLAYERS};
use antic_gtia::{CYCLES, slot};
use cpu6502::Cpu;

/// Where the beam is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beam {
    /// Scan line, 0 to 261 or 311.
    pub line: u16,
    /// Machine cycle of the line, 0 to 113.
    pub cycle: u8,
}

/// A DMA cycle that is not the playfield's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dma {
    /// Missile graphics.
    Missiles,
    /// Graphics of player 0 to 3.
    Player(u8),
    /// The display list instruction.
    List,
    /// The address of LMS or of a jump, low byte (0) and high byte (1).
    Operand(u8),
    /// Memory refresh.
    Refresh,
}

/// Observes a run of the machine.
pub trait Probe {
    /// Whether the machine goes from cycle to cycle and all of these are called.
    const ACTIVE: bool = true;
    /// Whether [`Probe::written`] is to be called although the probe is not [`Probe::ACTIVE`]: the run keeps its speed.
    const WRITES: bool = false;

    /// Whether [`Probe::loaded`] and [`Probe::shown`] are called.
    const FETCHES: bool = Self::ACTIVE;

    /// Called before each machine cycle; returning `true` stops the run before it.
    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        let _ = (cpu, bus);
        false
    }

    /// The processor reads in this cycle.
    fn read(&mut self, now: u64, address: u16, data: u8) {
        let _ = (now, address, data);
    }

    /// The processor writes in this cycle. Without [`Probe::ACTIVE`] the first, useless write of a read-modify-write instruction may be
    /// left out.
    fn written(&mut self, now: u64, address: u16, data: u8) {
        let _ = (now, address, data);
    }

    /// DMA takes this cycle.
    fn dma(&mut self, now: u64, kind: Dma, address: u16, data: u8) {
        let _ = (now, kind, address, data);
    }

    /// The line buffer takes a byte in the line that began with cycle `line`.
    fn loaded(&mut self, line: u64, load: Load) {
        let _ = (line, load);
    }

    /// The shift register takes a byte in the line that began with cycle `line`.
    fn shown(&mut self, line: u64, show: Show) {
        let _ = (line, show);
    }

    /// A change of DMACTL or HSCROL empties the AN lines of this line from colour clock `from` on, before this cycle.
    fn cut(&mut self, now: u64, from: u16) {
        let _ = (now, from);
    }

    /// The NMI line falls before this cycle.
    fn nmi(&mut self, now: u64) {
        let _ = now;
    }
}

/// Sees nothing and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {
    const ACTIVE: bool = false;
}

/// What the bus shows while the memory is being refreshed.
const FLOATING: u8 = 0xFF;

impl Bus {
    /// The level of the IRQ line.
    #[inline]
    pub(crate) fn irq_line(&self) -> bool {
        self.io.irq_line()
    }

    /// Marks the slot of this line in which the deadline of [`crate::Io`] falls: to be called after it may have changed
    /// in the course of a cycle.
    #[inline]
    pub(crate) fn schedule(&mut self) {
        let at = self.io.deadline();
        self.mark(at.max(self.now() + 1));
    }

    /// The same between two cycles.
    fn schedule_from_here(&mut self) {
        let at = self.io.deadline();
        self.mark(at.max(self.now()));
    }

    /// Asks for a look at the clock at the beginning of the cycle `at`, if that is in this line.
    fn mark(&mut self, at: u64) {
        let cycle = at.wrapping_sub(self.video.line_start);
        if cycle <= CYCLES as u64 {
            self.video.antic.flag(cycle as usize, slot::DEADLINE);
            self.span.over = true;
        }
    }

    /// Leaves the marks of this line as they follow from the deadline alone. Others are the ends of runs, and deadlines that have been put off: they do
    /// nothing, but a machine that was stopped on its way would have more of them than one that was not.
    fn remove_stale_marks(&mut self) {
        self.video.antic.clear_deadlines();
        self.schedule_from_here();
    }

    #[inline]
    fn slot(&self) -> u8 {
        self.video.antic.slots()[self.video.cycle as usize & 255]
    }

    /// Makes the fetches of the playfield that lie before this cycle; to be called before anything changes that they depend on.
    #[inline]
    pub(crate) fn catch_up(&mut self) {
        let cycle = self.video.cycle as usize;
        if self.video.antic.is_behind(cycle) {
            self.catch_up_to(cycle);
        }
    }

    #[inline(never)]
    fn catch_up_to(&mut self, cycle: usize) {
        self.video.antic.catch_up(cycle, &self.memory);
    }

    /// [`Self::catch_up`] for a probe, which is told each fetch.
    fn catch_up_with<P: Probe>(&mut self, cycle: usize, probe: &mut P) {
        if !self.video.antic.is_behind(cycle) {
            return;
        }
        let line = self.video.line_start;
        let probe = core::cell::RefCell::new(probe);
        self.video.antic.catch_up_with(
            cycle,
            &self.memory,
            |load| probe.borrow_mut().loaded(line, load),
            |show| probe.borrow_mut().shown(line, show),
        );
        self.video.cycle = cycle as u32;
    }

    /// Tells a probe of a cycle that refresh takes.
    fn tell_refresh<P: Probe>(&mut self, cycle: usize, slot: u8, probe: &mut P) {
        if slot & slot::DMA == slot::REFRESH {
            probe.dma(
                self.video.line_start + cycle as u64,
                Dma::Refresh,
                0,
                FLOATING,
            );
        }
    }

    /// The DMA at the beginning of a line as one step, as far as nothing else happens: missiles, or missiles, display list, players and
    /// address. Returns the cycle to go on with.
    #[inline(never)]
    fn line_head(&mut self) -> u8 {
        let instruction = self.memory.read_antic(self.video.antic.display_list());
        if !self.video.antic.begins_with_dma(instruction) {
            return u8::from(self.object_dma(MISSILES));
        }
        if !self.object_dma(MISSILES | PLAYERS) {
            return 0;
        }
        let antic = &mut self.video.antic;
        antic.instruction(instruction);
        if !antic.only_address_follows() {
            return 6;
        }
        for cycle in [6, 7] {
            antic.address_byte(cycle, self.memory.read_antic(antic.display_list()));
        }
        8
    }

    /// The DMA of all four players, if nothing else happens in their cycles.
    #[inline(never)]
    fn player_dma(&mut self) -> bool {
        self.video.antic.only_players_fetch() && self.object_dma(PLAYERS)
    }

    /// Ends the line and begins the next one, with its deadlines marked; returns the cycle to go on with.
    #[inline(never)]
    fn end_line<P: Probe>(&mut self, until: u64) -> u8 {
        self.catch_up();
        self.video.end_line();
        self.schedule_from_here();
        self.mark(until);
        if P::ACTIVE || self.video.antic.slots()[0] != slot::SPECIAL {
            return 0;
        }
        self.line_head()
    }
}

/// What a fetch of the line's head is by its cycle.
fn special_kind(cycle: usize) -> Dma {
    match cycle {
        0 => Dma::Missiles,
        2..=5 => Dma::Player(cycle as u8 - 2),
        _ => Dma::Operand(u8::from(cycle == 7)),
    }
}

impl Bus {
    /// Where the beam is: the cycle that will run next.
    pub fn beam(&self) -> Beam {
        Beam {
            line: self.video.antic.line(),
            cycle: self.video.cycle as u8,
        }
    }
}

/// # Running
impl Machine {
    /// Machine cycles since power-on.
    pub fn now(&self) -> u64 {
        self.bus.now()
    }

    /// Where the beam is: the cycle that will run next.
    pub fn beam(&self) -> Beam {
        self.bus.beam()
    }

    /// The last complete frame.
    pub fn frame(&self) -> &crate::Frame {
        self.bus.video.frame()
    }

    /// Runs to the end of the frame: until the beam is at cycle 0 of line 0.
    pub fn run_frame(&mut self) {
        self.run_frame_with(&mut NoProbe);
    }

    /// [`Self::run_frame`] with a probe, which may stop it; returns whether it did.
    pub fn run_frame_with<P: Probe>(&mut self, probe: &mut P) -> bool {
        let video = &self.bus.video;
        let left = u64::from(video.antic.lines() - video.antic.line());
        let end = video.line_start + left * CYCLES as u64;
        self.run(end, probe)
    }

    /// Runs a number of machine cycles.
    pub fn run_cycles(&mut self, cycles: u64) {
        self.run_cycles_with(cycles, &mut NoProbe);
    }

    /// [`Self::run_cycles`] with a probe, which may stop it; returns whether it did.
    pub fn run_cycles_with<P: Probe>(&mut self, cycles: u64, probe: &mut P) -> bool {
        let end = self.now().saturating_add(cycles);
        self.run(end, probe)
    }

    /// Runs one machine cycle.
    pub fn step_cycle(&mut self) {
        self.run_cycles(1);
    }

    /// [`Self::step_cycle`] with a probe.
    pub fn step_cycle_with<P: Probe>(&mut self, probe: &mut P) -> bool {
        self.run_cycles_with(1, probe)
    }

    /// Runs until the processor is about to begin an instruction or an interrupt sequence: at least one cycle, and no more than a
    /// frame (a jammed processor begins none).
    pub fn step_instruction(&mut self) {
        self.step_instruction_with(&mut NoProbe);
    }

    /// [`Self::step_instruction`] with a probe.
    pub fn step_instruction_with<P: Probe>(&mut self, probe: &mut P) -> bool {
        let mut begun = false;
        for _ in 0..usize::from(self.bus.video.antic.lines()) * CYCLES {
            if self.step_cycle_with(probe) {
                return true;
            }
            let start = self.cpu.at_instruction_start();
            if start && begun {
                break;
            }
            begun |= !start;
        }
        false
    }

    /// Whether frames are wanted. Without them [`Self::frame`] keeps its pixels; everything else is the same, also collisions. Not part of a
    /// saved state.
    pub fn set_drawing(&mut self, drawing: bool) {
        self.bus.video.set_drawing(drawing);
    }

    /// Draws up to the beam position, for inspecting a stopped machine.
    pub fn draw_to_beam(&mut self) {
        self.bus.video.sync_to_beam();
    }

    /// The RESET key.
    pub fn reset(&mut self) {
        self.bus.catch_up();
        self.bus.video_reset();
        self.bus.io_reset();
        self.bus.parallel_reset();
        if self.bus.model.is_xl() {
            self.cpu.reset();
        }
    }

    /// Runs to the beginning of cycle `until`; `true` if the probe stopped it before.
    fn run<P: Probe>(&mut self, until: u64, probe: &mut P) -> bool {
        let stopped = if self.bus.cartridge.sees_windows() {
            self.run_watched_windows(until, probe)
        } else {
            self.run_on(until, probe)
        };
        self.bus.catch_up();
        self.bus.remove_stale_marks();
        stopped
    }

    /// [`Self::run_on`] with a cartridge that decodes accesses of its windows. It is told of them between the cycles, so that no access
    /// costs more while such a cartridge is not there.
    #[cold]
    #[inline(never)]
    fn run_watched_windows<P: Probe>(&mut self, until: u64, probe: &mut P) -> bool {
        while self.now() < until {
            let address = self.cpu.next_address();
            let mut before = self.cpu.clone();
            if self.run_on(self.now() + 1, probe) {
                return true;
            }
            // A halted processor has not moved on, but may have been told of an NMI.
            let moved = self.cpu != before && {
                before.nmi();
                self.cpu != before
            };
            if moved {
                self.bus.catch_up();
                let bus = &mut self.bus;
                bus.cartridge.window_access(address, &mut bus.memory);
            }
        }
        false
    }

    fn run_on<P: Probe>(&mut self, until: u64, probe: &mut P) -> bool {
        self.apply_input();
        if self.now() >= until {
            return false;
        }
        self.bus.schedule_from_here();
        self.bus.mark(until);
        if self.bus.video.stopped && self.run_stopped(until, probe) {
            return self.now() < until;
        }
        let mut cycle = self.bus.video.cycle as u8;
        loop {
            if P::FETCHES {
                self.bus.catch_up_with(cycle.into(), probe);
            }
            let slot = self.bus.video.antic.slots()[usize::from(cycle)];
            if P::ACTIVE && usize::from(cycle) < CYCLES {
                self.bus.video.cycle = u32::from(cycle);
                if self.now() < until && probe.cycle(&self.cpu, &self.bus) {
                    return true;
                }
            }
            if slot & slot::DEADLINE != 0 {
                self.bus.video.cycle = u32::from(cycle);
                if usize::from(cycle) == CYCLES {
                    cycle = self.bus.end_line::<P>(until);
                    continue;
                }
                let now = self.now();
                if now == until {
                    return false;
                }
                if now >= self.bus.io.deadline() {
                    self.bus.io_event();
                }
            }
            let slot = slot & !slot::DEADLINE;
            if slot == 0 {
                let antic = &self.bus.video.antic;
                match antic.free_cycles() {
                    // For one or two cycles the preparations are not worth it.
                    Some(free) if !P::ACTIVE && !antic.slots().is_special_in_two(cycle + 1) => {
                        let limit = antic.next_special(usize::from(cycle) + 3, CYCLES) as u8;
                        cycle = self.run_span(cycle, limit, free, probe);
                    }
                    _ => {
                        self.bus.video.cycle = u32::from(cycle);
                        self.step_cpu(probe);
                        cycle = cycle.wrapping_add(1);
                    }
                }
                continue;
            }
            if slot < slot::SPECIAL {
                if P::ACTIVE {
                    self.bus.tell_refresh(cycle.into(), slot, probe);
                }
                cycle = cycle.wrapping_add(1);
                continue;
            }
            self.bus.video.cycle = u32::from(cycle);
            if !P::ACTIVE && cycle == 2 && slot & slot::SPECIAL != 0 && self.bus.player_dma() {
                cycle = 6;
                continue;
            }
            if self.special_cycle(probe) {
                self.step_cpu(probe);
            }
            cycle = cycle.wrapping_add(1);
            if self.bus.video.stopped {
                self.bus.video.cycle = u32::from(cycle);
                if self.run_stopped(until, probe) {
                    return self.now() < until;
                }
                cycle = self.bus.video.cycle as u8;
            }
        }
    }

    /// A step of the processor, of which a probe is told the access.
    #[inline(always)]
    fn step_cpu<P: Probe>(&mut self, probe: &mut P) {
        if P::ACTIVE || P::WRITES {
            let now = self.bus.now();
            let bus = &mut self.bus;
            self.cpu.step(&mut Tapped { bus, now, probe });
        } else {
            self.cpu.step(&mut self.bus);
        }
    }

    /// Runs the processor from `cycle` to `limit`, the next in which more happens than steps of the processor and planned DMA, or to an
    /// access that may change which one that is; returns the cycle to go on with. DMA halts the processor; the fetches themselves are
    /// made when they can be observed. A stop by WSYNC within the span halts it like DMA.
    fn run_span<P: Probe>(
        &mut self,
        cycle: u8,
        limit: u8,
        free: &'static FreeCycles,
        probe: &mut P,
    ) -> u8 {
        let mut bus = SpanBus::new(&mut self.bus, free, cycle, limit, probe);
        loop {
            while bus.span().left != 0 {
                if self.cpu.at_instruction_start() {
                    let left = bus.span().left;
                    bus.span().left = self.cpu.run(&mut bus, left);
                    if bus.span().left == 0 || bus.span().over {
                        break;
                    }
                }
                bus.span().left -= 1;
                self.cpu.step_inlined(&mut bus);
                if bus.span().over {
                    break;
                }
            }
            if !bus.span().over {
                return limit;
            }
            let left = bus.span().left;
            let next = bus.cycle(left) + 1;
            // Between the two writes of a read-modify-write instruction the next address is WSYNC's, too.
            let in_memory = !CHIPS.contains(&self.cpu.next_address());
            if !(in_memory && bus.pass_stop(next, limit)) {
                return next;
            }
        }
    }

    /// Runs while RDY stops the processor. `true`: the run is over.
    fn run_stopped<P: Probe>(&mut self, until: u64, probe: &mut P) -> bool {
        loop {
            let cycle = self.bus.video.cycle;
            if P::FETCHES {
                self.bus.catch_up_with(cycle as usize, probe);
            }
            let slot = self.bus.slot();
            if slot & slot::DEADLINE != 0 {
                if cycle == CYCLES as u32 {
                    self.bus.video.cycle = self.bus.end_line::<P>(until).into();
                    continue;
                }
                let now = self.now();
                if now == until {
                    return true;
                }
                if now >= self.bus.io.deadline() {
                    self.bus.io_event();
                }
            }
            if cycle == RELEASE.into() {
                self.bus.video.stopped = false;
                self.cpu.stopped(self.bus.irq_line());
                return false;
            }
            if P::ACTIVE && probe.cycle(&self.cpu, &self.bus) {
                return true;
            }
            let slot = slot & !slot::DEADLINE;
            let waits = !self.cpu.next_is_write();
            let mut next = cycle as usize + 1;
            if slot >= slot::SPECIAL || slot == 0 && !waits {
                if self.special_cycle(probe) {
                    self.step_cpu(probe);
                }
            } else if P::ACTIVE {
                self.bus.tell_refresh(cycle as usize, slot, probe);
            } else if waits {
                // The CPU repeats its read; no probe is attached. Stopped after this line's release, it waits for the next line's.
                let limit = if cycle < RELEASE.into() {
                    RELEASE.into()
                } else {
                    CYCLES
                };
                next = self.bus.video.antic.next_special(next, limit);
            }
            self.bus.video.cycle = next as u32;
        }
    }

    /// A cycle in which more than a step of the processor may happen; returns whether that is still to be made.
    #[inline(never)]
    fn special_cycle<P: Probe>(&mut self, probe: &mut P) -> bool {
        let bus = &mut self.bus;
        let cycle = bus.video.cycle as usize;
        let busy = bus.slot() & slot::DMA != 0 || bus.video.antic.has_delayed_writes();
        if busy || bus.video.watches(cycle) {
            self.busy_cycle(probe);
            return false;
        }
        let event = bus.video.antic.event(cycle);
        bus.video.stopped |= event.stop;
        if event.nmi {
            self.cpu.nmi();
            if P::ACTIVE {
                probe.nmi(bus.now());
            }
        }
        if let Some(address) = event.fetch {
            let data = bus.memory.read_antic(address);
            if P::ACTIVE {
                probe.dma(bus.now(), Dma::List, address, data);
            }
            bus.video.antic.instruction(data);
            return false;
        }
        !bus.video.stopped || self.cpu.next_is_write()
    }

    /// A cycle with DMA, or one in which a chip latches the byte on the bus.
    #[inline(never)]
    fn busy_cycle<P: Probe>(&mut self, probe: &mut P) {
        let bus = &mut self.bus;
        let cycle = bus.video.cycle as usize;
        let mut halted = false;
        let mut instruction = None;
        bus.catch_up();
        let watched = bus.slot() & slot::EVENT != 0;
        if watched {
            if P::FETCHES {
                bus.video.antic.take_redriven();
            }
            let event = bus.video.event();
            if P::FETCHES {
                tell_change(bus, probe);
            }
            if event.stop {
                bus.video.stopped = true;
            }
            if event.nmi {
                self.cpu.nmi();
                if P::ACTIVE {
                    probe.nmi(bus.now());
                }
            }
            instruction = event.fetch;
        }
        let slot = bus.slot() & slot::DMA;
        let mut playfield = slot & (slot::NAME | slot::GLYPH | slot::BITMAP);
        let mut takes_bus = playfield != 0 && slot & slot::VIRTUAL == 0;
        // Where the playfield's byte came from, for a probe.
        let mut source = None;
        if takes_bus && usize::from(bus.video.antic.next_fetch()) == cycle {
            // The fetch is made later, but GTIA may want the byte now.
            let antic = &bus.video.antic;
            let address = if slot & slot::GLYPH != 0 {
                antic.glyph_address()
            } else {
                antic.scan_address()
            };
            *bus.data = bus.memory.read_antic(address);
            halted = true;
            playfield = 0;
            takes_bus = false;
        }
        if slot & slot::SPECIAL != 0 || takes_bus || instruction.is_some() {
            halted = true;
            let antic = &bus.video.antic;
            // Fetches that fall together put the AND of their addresses on the bus (AHRM 4.12).
            let mut address = instruction.unwrap_or(0xFFFF);
            if slot & slot::SPECIAL != 0 {
                address &= antic.special_address(cycle);
            }
            if takes_bus {
                if slot & slot::GLYPH != 0 {
                    address &= antic.glyph_address();
                }
                if slot & (slot::NAME | slot::BITMAP) != 0 {
                    address &= antic.scan_address();
                }
            }
            *bus.data = bus.memory.read_antic(address);
            if P::ACTIVE {
                if slot & slot::SPECIAL != 0 {
                    probe.dma(bus.now(), special_kind(cycle), address, *bus.data);
                } else if instruction.is_some() {
                    probe.dma(bus.now(), Dma::List, address, *bus.data);
                }
                source = takes_bus.then_some(address);
            }
            if slot & slot::SPECIAL != 0 && cycle >= 6 {
                bus.video.antic.address_byte(cycle, *bus.data);
            }
        } else if slot & slot::REFRESH != 0 {
            halted = true;
            *bus.data = FLOATING;
            if P::ACTIVE {
                probe.dma(bus.now(), Dma::Refresh, 0, FLOATING);
            }
        }
        if !halted {
            if bus.video.stopped && !self.cpu.next_is_write() {
                if watched || playfield != 0 {
                    // The processor repeats the read it is stopped in.
                    *bus.data = bus.peek(self.cpu.next_address());
                }
            } else if P::ACTIVE || P::WRITES {
                let now = bus.now();
                let bus = &mut Watched(bus);
                self.cpu.step(&mut Tapped { bus, now, probe });
            } else {
                self.cpu.step(&mut Watched(bus));
            }
        }
        let data = *bus.data;
        if P::ACTIVE && playfield != 0 {
            tell_fetches(bus, slot, source, probe);
        }
        if playfield != 0 {
            let antic = &mut bus.video.antic;
            if slot & slot::GLYPH != 0 {
                antic.glyph(cycle, data);
            }
            if slot & slot::NAME != 0 {
                antic.name(cycle, data);
            }
            if slot & slot::BITMAP != 0 {
                if antic.loads() {
                    antic.bitmap(cycle, data);
                } else {
                    antic.replay_bitmap(cycle);
                }
            }
        }
        if instruction.is_some() {
            bus.video.antic.instruction(data);
        }
        bus.video.pass_byte(data, halted);
        *bus.data = FLOATING;
    }
}

/// Tells a probe what a change of DMACTL or HSCROL that acts in this cycle does to the AN lines.
fn tell_change<P: Probe>(bus: &mut Bus, probe: &mut P) {
    let (now, cycle) = (bus.now(), bus.video.cycle as usize);
    let redriven = bus.video.antic.take_redriven();
    if let Some(from) = redriven.cut {
        probe.cut(now, from);
    }
    for show in bus.video.antic.replayed(cycle, redriven) {
        probe.shown(bus.video.line_start, show);
    }
}

/// Tells a probe of the playfield's fetch in a line whose fetches are made in their cycles.
fn tell_fetches<P: Probe>(bus: &Bus, slot: u8, source: Option<u16>, probe: &mut P) {
    let (antic, data) = (&bus.video.antic, *bus.data);
    let (line, cycle) = (bus.video.line_start, bus.video.cycle as usize);
    if slot & slot::GLYPH != 0 {
        probe.shown(line, antic.glyph_in(cycle, source, data));
    }
    if slot & slot::NAME != 0 {
        probe.loaded(line, antic.load_in(cycle, true, source, data));
    }
    if slot & slot::BITMAP != 0 {
        let loaded = antic.loads().then_some(data);
        if loaded.is_some() {
            probe.loaded(line, antic.load_in(cycle, false, source, data));
        }
        probe.shown(line, antic.bitmap_in(cycle, loaded));
    }
}

impl Fetch for Memory {
    #[inline]
    fn fetch(&self, address: u16) -> u8 {
        self.read_antic(address)
    }

    #[inline]
    fn block(&self, address: u16) -> Option<&[u8; 0x400]> {
        self.antic_block(address)
    }
}
