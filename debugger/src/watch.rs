//! The probes: what looks on while the machine runs.

use crate::breakpoints::Breakpoints;
use cpu6502::Cpu;
use machine::{Bus, Machine, Probe};

const NMI_VECTOR: u16 = 0xFFFA;
const IRQ_VECTOR: u16 = 0xFFFE;
const NMIST: u16 = 0xD40F;
const VDSLST: u16 = 0x0200;
const JSR: u8 = 0x20;
const RTI: u8 = 0x40;
const RTS: u8 = 0x60;
const BRK: u8 = 0x00;

/// Why a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The step is done.
    Done,
    /// This breakpoint came first.
    Breakpoint(u32),
    /// The step did not end in reasonable time.
    Limit,
    /// A JAM opcode has stopped the processor.
    Jammed,
}

/// Whose handler begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Entry {
    /// A display list interrupt.
    Dli,
    /// A vertical blank interrupt (or the Reset key of a 400 or 800).
    Vbi,
    /// IRQ or BRK.
    Irq,
    /// RESET.
    Reset,
}

impl Entry {
    /// Whose handler the vector leads to that the processor begins to read.
    pub(crate) fn of_vector(vector: u16, bus: &Bus) -> Self {
        match vector {
            NMI_VECTOR if bus.peek(NMIST) & 0x80 != 0 => Self::Dli,
            NMI_VECTOR => Self::Vbi,
            IRQ_VECTOR => Self::Irq,
            _ => Self::Reset,
        }
    }
}

/// What a forward step wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    None,
    Instruction,
    /// With S before.
    Over(u8),
    Out(u8),
    Entry(Entry),
    DliRoutine,
    To(u16),
    Beam(u16, u8),
}

/// What a backward step looks for: the last moment of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Find {
    Instruction,
    Over(u8),
    Call(u8),
    Entry(Entry),
    DliRoutine,
    To(u16),
    Breakpoint,
}

/// Follows the processor from cycle to cycle.
#[derive(Clone, Debug)]
struct Follow {
    last: Cpu,
    /// The vector being read says whose handler comes.
    vector: Option<Entry>,
    /// The DLI's way through the OS to its routine is still going on.
    dli: bool,
}

/// What begins in a cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Moment {
    /// An instruction or interrupt sequence begins; only in the first cycle in which that is so.
    instruction: bool,
    entry: Option<Entry>,
    dli_routine: bool,
    /// The next access is a new one, not one that waits for a halt to end.
    access: bool,
}

impl Follow {
    fn new(cpu: &Cpu) -> Self {
        Self {
            last: cpu.clone(),
            vector: None,
            dli: false,
        }
    }

    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> Moment {
        let mut moment = Moment::default();
        if let Some(vector) = cpu.at_vector() {
            self.vector = Some(Entry::of_vector(vector, bus));
        }
        if *cpu == self.last {
            return moment;
        }
        self.last.clone_from(cpu);
        moment.access = true;
        if cpu.at_instruction_start() {
            moment.instruction = true;
            moment.entry = self.vector.take();
            if let Some(entry) = moment.entry {
                self.dli = entry == Entry::Dli;
            }
            if self.dli && !cpu.at_interrupt_start() {
                let routine = u16::from_le_bytes([bus.peek(VDSLST), bus.peek(VDSLST + 1)]);
                moment.dli_routine = cpu.pc == routine;
                self.dli &= !moment.dli_routine && cpu.opcode() != RTI;
            }
        }
        moment
    }
}

fn breakpoint(breakpoints: &Breakpoints, moment: Moment, cpu: &Cpu) -> Option<u32> {
    if !moment.access {
        return None;
    }
    let entry = moment.entry.and_then(|entry| breakpoints.hit_entry(entry));
    let pc = if moment.instruction && !cpu.at_interrupt_start() {
        breakpoints.hit_pc(cpu.pc)
    } else {
        None
    };
    entry
        .or(pc)
        .or_else(|| breakpoints.hit_access(cpu.next_address(), cpu.next_is_write()))
}

/// Stops a forward run.
pub(crate) struct Watch<'a> {
    breakpoints: &'a Breakpoints,
    goal: Goal,
    follow: Follow,
    started: u64,
    /// The instruction stepped over was a call or an interrupt sequence.
    entered: Option<bool>,
    stop: Stop,
}

impl<'a> Watch<'a> {
    /// `dli`: a display list interrupt is on its way to its routine.
    pub(crate) fn new(
        machine: &Machine,
        breakpoints: &'a Breakpoints,
        goal: Goal,
        dli: bool,
    ) -> Self {
        let mut follow = Follow::new(&machine.cpu);
        follow.dli = dli;
        Self {
            breakpoints,
            goal,
            follow,
            started: machine.now(),
            entered: None,
            stop: Stop::Limit,
        }
    }

    pub(crate) fn stop(&self) -> Stop {
        self.stop
    }

    /// Whether a display list interrupt has begun whose routine has not.
    pub(crate) fn dli(&self) -> bool {
        self.follow.dli
    }

    fn reached(&mut self, moment: Moment, cpu: &Cpu, bus: &Bus) -> bool {
        match self.goal {
            Goal::None => false,
            Goal::Instruction => moment.instruction,
            Goal::Over(s) => {
                if !moment.instruction {
                    return false;
                }
                let entered = *self
                    .entered
                    .get_or_insert(matches!(cpu.opcode(), JSR | BRK));
                !entered || above(cpu.s, s) >= 0
            }
            Goal::Out(s) => {
                moment.instruction && matches!(cpu.opcode(), RTS | RTI) && above(cpu.s, s) > 0
            }
            Goal::Entry(entry) => moment.entry == Some(entry),
            Goal::DliRoutine => moment.dli_routine,
            Goal::To(address) => {
                moment.instruction && cpu.pc == address && !cpu.at_interrupt_start()
            }
            Goal::Beam(line, cycle) => {
                let beam = bus.beam();
                (beam.line, beam.cycle) == (line, cycle) && bus.now() != self.started
            }
        }
    }
}

/// How many bytes fewer are on the stack than with this S.
fn above(s: u8, before: u8) -> i8 {
    s.wrapping_sub(before) as i8
}

impl Probe for Watch<'_> {
    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        let moment = self.follow.cycle(cpu, bus);
        if self.reached(moment, cpu, bus) {
            self.stop = Stop::Done;
            return true;
        }
        let beam = bus.beam();
        let hit = breakpoint(self.breakpoints, moment, cpu).or_else(|| {
            self.breakpoints
                .hit_beam(beam.line, beam.cycle)
                .filter(|_| bus.now() != self.started)
        });
        if let Some(id) = hit {
            self.stop = Stop::Breakpoint(id);
            return true;
        }
        false
    }
}

/// Remembers when a kind of moment was last.
pub(crate) struct Finder<'a> {
    breakpoints: &'a Breakpoints,
    find: Find,
    follow: Follow,
    pub(crate) found: Option<u64>,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(cpu: &Cpu, breakpoints: &'a Breakpoints, find: Find) -> Self {
        Self {
            breakpoints,
            find,
            follow: Follow::new(cpu),
            found: None,
        }
    }
}

impl Probe for Finder<'_> {
    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        let moment = self.follow.cycle(cpu, bus);
        let matches = match self.find {
            Find::Instruction => moment.instruction,
            Find::Over(s) => moment.instruction && above(cpu.s, s) >= 0,
            Find::Call(s) => {
                let call = cpu.at_interrupt_start() || matches!(bus.peek(cpu.pc), JSR | BRK);
                moment.instruction && above(cpu.s, s) > 0 && call
            }
            Find::Entry(entry) => moment.entry == Some(entry),
            Find::DliRoutine => moment.dli_routine,
            Find::To(address) => {
                moment.instruction && cpu.pc == address && !cpu.at_interrupt_start()
            }
            Find::Breakpoint => {
                let beam = bus.beam();
                breakpoint(self.breakpoints, moment, cpu).is_some()
                    || self.breakpoints.hit_beam(beam.line, beam.cycle).is_some()
            }
        };
        if matches {
            self.found = Some(bus.now());
        }
        false
    }
}
