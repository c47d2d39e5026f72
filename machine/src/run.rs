//! The run loop.
//!
//! ```text
//! one machine cycle:  the machine's deadline, if the slot has its flag; then, by the rest of the slot:
//!                     slot 0 --------------------------------> one step of the processor; without an active probe, the span of
//!                                                              such cycles up to the next flagged one, in batches of instructions
//!                     playfield or refresh DMA only ---------> the processor is halted; the fetch is made when it matters
//!                     anything else: ANTIC's event -> DMA, or a step, or a stop by RDY -> bytes that ANTIC or GTIA take from the bus
//! a line that begins with the DMA of missiles, display list and players only: all of that as one step, without an active probe
//! ```
mod line;
mod probe;
mod span;
mod waiting;

pub use probe::{Beam, Dma, NoProbe, Probe};
pub(crate) use span::Span;
pub(crate) use waiting::Waiting;

use crate::probes::{Accessed, Cycles, Observer, Writes};
use crate::{Board, Machine, bus::Bus};
use antic_gtia::antic::beam;
use antic_gtia::{CYCLES, slot};
use probe::step_probed;

/// The value on the bus while the memory is being refreshed.
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

    /// Marks the next deadline between two cycles.
    fn schedule_from_here(&mut self) {
        let at = self.io.deadline();
        self.mark(at.max(self.now()));
    }

    /// Marks the cycle `at` as a deadline, if it is in this line.
    fn mark(&mut self, at: u64) {
        let cycle = at.wrapping_sub(self.video.line_start);
        if cycle <= CYCLES as u64 {
            self.video.antic.flag(cycle as usize, slot::DEADLINE);
            self.span.over = true;
        }
    }

    /// Keeps only the marks of this line that follow from the deadline. Others are the ends of runs, and deadlines that have been put off: they do
    /// nothing, but a machine that was stopped on its way would have more of them than one that was not.
    fn remove_stale_marks(&mut self) {
        self.video.antic.clear_deadlines();
        self.schedule_from_here();
    }

    #[inline]
    fn slot(&self) -> u8 {
        self.video.antic.slots()[self.video.cycle as usize & 255]
    }

    /// Makes the fetches of the playfield before this cycle; to be called before anything changes that they depend on.
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
}

impl Bus {
    /// The position of the beam: the cycle that will run next.
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

    /// The position of the beam: the cycle that will run next.
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

    /// [`Self::run_frame`] with a probe, which may stop it; true if it did.
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

    /// [`Self::run_cycles`] with a probe, which may stop it; true if it did.
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

    /// Switches frames on or off. Without them [`Self::frame`] keeps its pixels; everything else is the same, also collisions, but for the pixels
    /// and AN codes of the beam's line, which no program can read. Not part of a saved state.
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
        self.apply_input();
        if self.board.bus.cartridge.sees_windows() {
            return self.board.run_with_windows(until, P::FETCHES, probe);
        }
        match (P::ACTIVE || P::FETCHES, P::FETCHES, P::WRITES) {
            (true, true, _) => self.board.run_for_fetches(until, probe),
            (true, false, _) => self.board.run_for_cycles(until, probe),
            (false, _, true) => self.board.run_for_writes(until, probe),
            (false, _, false) => self.board.run_unobserved(until),
        }
    }
}

/// The run loop is compiled here, once for each of these, and not wherever a probe is: it is 60K of the host's code.
impl Board {
    fn run_for_fetches(&mut self, until: u64, observer: &mut dyn Observer) -> bool {
        self.run(until, &mut Cycles::<true>(observer))
    }

    fn run_for_cycles(&mut self, until: u64, observer: &mut dyn Observer) -> bool {
        self.run(until, &mut Cycles::<false>(observer))
    }

    fn run_for_writes(&mut self, until: u64, observer: &mut dyn Observer) -> bool {
        let mut writes = Writes(observer);
        if cfg!(feature = "writes") {
            self.run(until, &mut writes)
        } else {
            self.run_for_cycles(until, &mut writes)
        }
    }

    fn run_unobserved(&mut self, until: u64) -> bool {
        self.run(until, &mut NoProbe)
    }

    /// See [`Machine::run`].
    fn run<P: Probe>(&mut self, until: u64, probe: &mut P) -> bool {
        let stopped = self.run_on(until, probe);
        self.end_run();
        stopped
    }

    /// [`Self::run`] with a cartridge that decodes the accesses of its windows. It sees them between the cycles, so that no access
    /// costs more while such a cartridge is not there.
    #[cold]
    fn run_with_windows(&mut self, until: u64, fetches: bool, observer: &mut dyn Observer) -> bool {
        let mut seen = (Accessed::default(), Cycles::<true>(observer));
        let mut stopped = false;
        while !stopped && self.bus.now() < until {
            let next = self.bus.now() + 1;
            stopped = if fetches {
                self.run_on(next, &mut Cycles::<true>(&mut seen))
            } else {
                self.run_on(next, &mut Cycles::<false>(&mut seen))
            };
            if let Some(address) = seen.0.take() {
                self.bus.catch_up();
                let bus = &mut self.bus;
                bus.cartridge.window_access(address, &mut bus.memory);
            }
        }
        self.end_run();
        stopped
    }

    fn end_run(&mut self) {
        self.bus.catch_up();
        self.bus.remove_stale_marks();
        self.bus.settle_pen();
    }

    fn run_on<P: Probe>(&mut self, until: u64, probe: &mut P) -> bool {
        if self.bus.now() >= until {
            return false;
        }
        self.bus.schedule_from_here();
        self.bus.mark(until);
        if self.bus.video.stopped && self.run_stopped(until, probe) {
            return self.bus.now() < until;
        }
        loop {
            let cycle = self.bus.video.cycle as u8;
            if P::FETCHES {
                self.bus.catch_up_with(cycle.into(), probe);
            }
            let slot = self.bus.video.antic.slots()[usize::from(cycle)];
            if P::ACTIVE
                && usize::from(cycle) < CYCLES
                && self.bus.now() < until
                && probe.cycle(&self.cpu, &self.bus)
            {
                return true;
            }
            if slot & slot::DEADLINE != 0 {
                if usize::from(cycle) == CYCLES {
                    self.bus.end_line::<P>(until);
                    continue;
                }
                let now = self.bus.now();
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
                // For one or two cycles the preparations are not worth it.
                if !P::ACTIVE
                    && !antic.slots().is_special_in_two(cycle + 1)
                    && let Some(free) = antic.free_cycles()
                {
                    let limit = antic.next_special(usize::from(cycle) + 3, CYCLES) as u8;
                    self.run_span(limit, free, probe);
                    continue;
                }
                self.step_cpu(probe);
            } else if slot < slot::SPECIAL {
                if P::ACTIVE {
                    self.bus.tell_refresh(cycle.into(), slot, probe);
                }
            } else if !P::ACTIVE
                && usize::from(cycle) == beam::FIRST_PLAYER
                && slot & slot::SPECIAL != 0
                && self.bus.player_dma()
            {
                self.bus.video.cycle = beam::LAST_PLAYER as u32 + 1;
                continue;
            } else if self.special_cycle(probe) {
                self.step_cpu(probe);
            }
            self.bus.video.cycle += 1;
            if self.bus.video.stopped && self.run_stopped(until, probe) {
                return self.bus.now() < until;
            }
        }
    }

    /// A step of the processor, with a report of the access to a probe.
    #[inline(always)]
    fn step_cpu<P: Probe>(&mut self, probe: &mut P) {
        if P::ACTIVE || P::WRITES {
            step_probed(&mut self.cpu, &mut self.bus, probe);
            *self.bus.data = FLOATING;
        } else {
            self.cpu.step(&mut self.bus);
        }
    }
}
