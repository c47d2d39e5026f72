//! The probes: what looks on while the machine runs.

use crate::Sources;
use crate::basic::Statements;
use crate::breakpoints::{Breakpoints, Hit, Now, Place};
use crate::first_writes::FirstWrites;
use cpu6502::Cpu;
use machine::{Bus, Dma, Machine, Probe};

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
    DisplayList,
    /// With S before.
    DliEnd(u8),
    NthDli(u16),
    Statement,
    BasicLine,
    /// With S before, if subroutines run to their ends.
    Source(Option<u8>),
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
    DisplayList,
    DliEnd,
    NthDli(u16),
    Statement,
    BasicLine,
    /// With S before, if subroutines run to their ends.
    Source(Option<u8>),
}

impl Goal {
    /// Whether what came before the run says where it ends.
    pub(crate) fn needs_past(self) -> bool {
        use Goal as G;
        matches!(
            self,
            G::DliRoutine | G::NthDli(_) | G::Statement | G::BasicLine
        )
    }
}

impl Find {
    /// Whether what came before a piece of time says what is in it.
    pub(crate) fn needs_past(self, breakpoints: &Breakpoints) -> bool {
        use Find as F;
        match self {
            F::DliRoutine | F::NthDli(_) | F::Statement | F::BasicLine => true,
            F::Breakpoint => breakpoints.need_past(),
            _ => false,
        }
    }
}

/// Follows the processor from cycle to cycle.
#[derive(Clone, Debug)]
pub(crate) struct Follow {
    /// The processor was not halted in the last cycle.
    stepped: bool,
    /// The vector being read says whose handler comes.
    vector: Option<Entry>,
    /// The DLI's way through the OS to its routine is still going on.
    dli: bool,
    /// Handlers that have begun and not returned, with S at their first instruction.
    open: Vec<(Entry, u8)>,
    /// S when the current instruction began, and the one before it.
    s: u8,
    s_before: u8,
    /// A display list instruction was fetched in the last cycle.
    list: bool,
    /// The byte that was written into NXTSTD in the last cycle.
    next: Option<u8>,
    statements: Statements,
    /// When the frame of the last display list interrupt began, and how many it has had.
    dlis: (u64, u16),
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
    /// A handler has returned.
    returned: Option<Entry>,
    /// An RTI is done, whatever it returned from.
    rti: bool,
    /// The number in its frame of a display list interrupt whose handler begins.
    dli_number: Option<u16>,
    /// A display list instruction was fetched in the cycle before.
    list: bool,
    /// A BASIC statement begins, of this line.
    statement: Option<u16>,
    /// And it is the first one of another line.
    basic_line: bool,
}

impl Follow {
    fn new(cpu: &Cpu, bus: &Bus) -> Self {
        Self {
            stepped: false,
            vector: cpu.at_vector().map(|vector| Entry::of_vector(vector, bus)),
            dli: false,
            open: Vec::new(),
            s: cpu.s,
            s_before: cpu.s,
            list: false,
            next: None,
            statements: Statements::new(bus),
            dlis: (u64::MAX, 0),
        }
    }

    /// The instruction with which BASIC begins a statement, where it is known.
    pub(crate) fn dispatch(&mut self) -> &mut Option<u16> {
        &mut self.statements.dispatch
    }

    fn written(&mut self, address: u16, data: u8) {
        self.stepped = true;
        if address == crate::basic::NXTSTD {
            self.next = Some(data);
        }
    }

    fn number_dli(&mut self, bus: &Bus) -> u16 {
        let frame = frame_start(bus);
        if self.dlis.0 != frame {
            self.dlis = (frame, 0);
        }
        self.dlis.1 += 1;
        self.dlis.1 - 1
    }

    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> Moment {
        let mut moment = Moment {
            list: std::mem::take(&mut self.list),
            ..Moment::default()
        };
        if let Some(next) = self.next.take()
            && let Some((begun, line)) = self.statements.begin(bus, cpu.instruction(), next)
        {
            moment.statement = Some(begun.line);
            moment.basic_line = line;
        }
        if !std::mem::take(&mut self.stepped) {
            return moment;
        }
        moment.access = true;
        if let Some(vector) = cpu.at_vector() {
            self.vector = Some(Entry::of_vector(vector, bus));
        }
        if cpu.at_instruction_start() {
            moment.instruction = true;
            if cpu.opcode() == RTI {
                moment.rti = true;
                if self.open.last().is_some_and(|&(_, s)| s == self.s) {
                    moment.returned = self.open.pop().map(|(entry, _)| entry);
                }
            }
            self.s_before = std::mem::replace(&mut self.s, cpu.s);
            moment.entry = self.vector.take();
            if let Some(entry) = moment.entry {
                self.dli = entry == Entry::Dli;
                if self.dli {
                    moment.dli_number = Some(self.number_dli(bus));
                }
                self.open.push((entry, cpu.s));
                if self.open.len() > 64 {
                    // Handlers that never return.
                    self.open.remove(0);
                }
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

impl Moment {
    /// An instruction begins with which a source line does.
    fn begins_line(self, s: Option<u8>, cpu: &Cpu, begins: impl Fn(u16) -> bool) -> bool {
        self.instruction
            && !cpu.at_interrupt_start()
            && s.is_none_or(|s| above(cpu.s, s) >= 0)
            && begins(cpu.pc)
    }

    fn now(self, cpu: &Cpu, follow: &Follow) -> Now {
        Now {
            instruction: self.instruction && !cpu.at_interrupt_start(),
            entry: self.entry,
            access: self.access,
            basic_line: self.statement.filter(|_| self.basic_line),
            s_before: self.instruction.then_some(follow.s_before),
            s: follow.s,
        }
    }
}

/// Stops a forward run.
pub(crate) struct Watch<'a> {
    breakpoints: &'a Breakpoints,
    pub(crate) sources: Option<&'a Sources>,
    goal: Goal,
    pub(crate) follow: Follow,
    started: u64,
    /// The instruction stepped over was a call or an interrupt sequence.
    entered: Option<bool>,
    stop: Stop,
    /// Breakpoints that were hit.
    hits: Vec<Hit>,
    /// Kept up to date while the machine runs.
    pub(crate) first_writes: Option<FirstWrites>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(machine: &Machine, breakpoints: &'a Breakpoints, goal: Goal) -> Self {
        Self {
            breakpoints,
            sources: None,
            goal,
            follow: Follow::new(&machine.cpu, machine.bus()),
            started: machine.now(),
            entered: None,
            stop: Stop::Limit,
            hits: Vec::new(),
            first_writes: None,
        }
    }

    pub(crate) fn stop(&self) -> Stop {
        self.stop
    }

    /// The breakpoints that were hit.
    pub(crate) fn take_hits(&mut self) -> Vec<Hit> {
        std::mem::take(&mut self.hits)
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
            Goal::DisplayList => moment.list,
            Goal::DliEnd(s) => {
                moment.returned == Some(Entry::Dli)
                    || moment.rti
                        && self.follow.open.is_empty()
                        && moment.returned.is_none()
                        && above(cpu.s, s) > 0
            }
            Goal::NthDli(number) => moment.dli_number == Some(number),
            Goal::Statement => moment.statement.is_some(),
            Goal::BasicLine => moment.basic_line,
            Goal::Source(s) => {
                let sources = self.sources;
                moment.begins_line(s, cpu, |at| sources.is_some_and(|s| s.begins_line(at)))
            }
        }
    }
}

/// When cycle 0 of line 0 of this frame was.
fn frame_start(bus: &Bus) -> u64 {
    let beam = bus.beam();
    bus.now() - u64::from(beam.line) * crate::LINE - u64::from(beam.cycle)
}

/// How many bytes fewer are on the stack than with this S.
fn above(s: u8, before: u8) -> i8 {
    s.wrapping_sub(before) as i8
}

impl Probe for Watch<'_> {
    const FETCHES: bool = false;

    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        let moment = self.follow.cycle(cpu, bus);
        if self.reached(moment, cpu, bus) {
            self.stop = Stop::Done;
            return true;
        }
        let now = moment.now(cpu, &self.follow);
        let first = self.first_writes.as_ref();
        for breakpoint in self.breakpoints.hit(now, cpu, bus, first) {
            if matches!(breakpoint.place, Place::Beam(..)) && bus.now() == self.started {
                continue;
            }
            let id = breakpoint.id;
            let before = self.hits.iter().filter(|hit| hit.id == id).count() as u32;
            let stops = !breakpoint.log && breakpoint.hits + before >= breakpoint.ignore;
            self.hits.push(Hit::new(breakpoint, stops, cpu, bus));
            if stops {
                self.stop = Stop::Breakpoint(id);
                return true;
            }
        }
        false
    }

    fn read(&mut self, _: u64, _: u16, _: u8) {
        self.follow.stepped = true;
    }

    fn written(&mut self, now: u64, address: u16, data: u8) {
        self.follow.written(address, data);
        if let Some(first) = &mut self.first_writes {
            first.written(now, address, data);
        }
    }

    fn dma(&mut self, _: u64, kind: Dma, _: u16, _: u8) {
        self.follow.list |= kind == Dma::List;
    }
}

/// Remembers when something was last.
pub(crate) trait Seek: Probe {
    /// The machine's clock then.
    fn found(&self) -> Option<u64>;
}

/// Remembers when a kind of moment was last.
pub(crate) struct Finder<'a> {
    breakpoints: &'a Breakpoints,
    sources: &'a Sources,
    find: Find,
    pub(crate) follow: Follow,
    found: Option<u64>,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(
        machine: &Machine,
        breakpoints: &'a Breakpoints,
        sources: &'a Sources,
        find: Find,
    ) -> Self {
        Self {
            breakpoints,
            sources,
            find,
            follow: Follow::new(&machine.cpu, machine.bus()),
            found: None,
        }
    }
}

impl Seek for Finder<'_> {
    fn found(&self) -> Option<u64> {
        self.found
    }
}

impl Probe for Finder<'_> {
    const FETCHES: bool = false;

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
            Find::DisplayList => moment.list,
            Find::DliEnd => moment.returned == Some(Entry::Dli),
            Find::NthDli(number) => moment.dli_number == Some(number),
            Find::Statement => moment.statement.is_some(),
            Find::BasicLine => moment.basic_line,
            Find::Source(s) => moment.begins_line(s, cpu, |at| self.sources.begins_line(at)),
            Find::Breakpoint => {
                let now = moment.now(cpu, &self.follow);
                let first = self.breakpoints.first_writes.as_ref();
                self.breakpoints
                    .hit(now, cpu, bus, first)
                    .any(|breakpoint| !breakpoint.log)
            }
        };
        if matches {
            self.found = Some(bus.now());
        }
        false
    }

    fn read(&mut self, _: u64, _: u16, _: u8) {
        self.follow.stepped = true;
    }

    fn written(&mut self, _: u64, address: u16, data: u8) {
        self.follow.written(address, data);
    }

    fn dma(&mut self, _: u64, kind: Dma, _: u16, _: u8) {
        self.follow.list |= kind == Dma::List;
    }
}

/// Follows the processor, and stops nothing.
pub(crate) struct Follower(Follow);

impl Follower {
    pub(crate) fn new(machine: &Machine, dispatch: Option<u16>) -> Self {
        let mut follow = Follow::new(&machine.cpu, machine.bus());
        *follow.dispatch() = dispatch;
        Self(follow)
    }

    /// With what begins where the machine stands.
    pub(crate) fn finish(mut self, machine: &Machine) -> Follow {
        self.0.cycle(&machine.cpu, machine.bus());
        self.0
    }
}

impl Probe for Follower {
    const FETCHES: bool = false;

    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        self.0.cycle(cpu, bus);
        false
    }

    fn read(&mut self, _: u64, _: u16, _: u8) {
        self.0.stepped = true;
    }

    fn written(&mut self, _: u64, address: u16, data: u8) {
        self.0.written(address, data);
    }
}
