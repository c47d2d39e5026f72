//! The probes: observers of the machine while it runs.

use crate::Sources;
use crate::basic::Statements;
use crate::breakpoints::{Breakpoint, Breakpoints, Hit, Now, Place};
use crate::first_writes::FirstWrites;
use crate::step::{End, Step};
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
/// JMP (address): the return of a routine that has its return address in memory.
const JMP_INDIRECT: u8 = 0x6C;

/// The reason for the end of a step.
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
    /// [`crate::Interrupt`] was asked for.
    Interrupted,
}

/// The interrupt whose handler begins.
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
    /// The interrupt of the vector that the processor begins to read.
    pub(crate) fn of_vector(vector: u16, bus: &Bus) -> Self {
        match vector {
            NMI_VECTOR if bus.peek(NMIST) & 0x80 != 0 => Self::Dli,
            NMI_VECTOR => Self::Vbi,
            IRQ_VECTOR => Self::Irq,
            _ => Self::Reset,
        }
    }

    /// The vector of an interrupt; none for RESET, from which nothing returns.
    pub(crate) fn vector(self) -> Option<u16> {
        match self {
            Self::Dli | Self::Vbi => Some(NMI_VECTOR),
            Self::Irq => Some(IRQ_VECTOR),
            Self::Reset => None,
        }
    }
}

impl std::fmt::Display for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Dli => "a display list interrupt",
            Self::Vbi => "a vertical blank interrupt",
            Self::Irq => "an IRQ",
            Self::Reset => "RESET",
        })
    }
}

/// The aim of a step.
#[derive(Clone, Copy)]
pub(crate) struct Aim<'a> {
    pub(crate) step: Step,
    /// S at the beginning of the step.
    pub(crate) s: u8,
    pub(crate) back: bool,
    pub(crate) sources: &'a Sources,
}

impl Aim<'_> {
    /// True if the end of the step depends on the time before a run.
    pub(crate) fn needs_past(&self) -> bool {
        matches!(self.step.kind().end, End::AfterPast(_))
    }

    /// True if the step ends in this cycle; `inside` while a call from its beginning is open.
    fn is_reached(&self, begun: &Begun, inside: bool, cpu: &Cpu, bus: &Bus) -> bool {
        let (End::At(ends) | End::AfterPast(ends)) = self.step.kind().end else {
            return false;
        };
        ends(&Seen {
            step: self.step,
            begun,
            cpu,
            bus,
            aim: self,
            inside,
        })
    }
}

/// The facts in a cycle by which a kind of step ends.
pub(crate) struct Seen<'a> {
    pub(crate) step: Step,
    pub(crate) begun: &'a Begun,
    pub(crate) cpu: &'a Cpu,
    bus: &'a Bus,
    aim: &'a Aim<'a>,
    inside: bool,
}

impl Seen<'_> {
    /// An instruction begins, not an interrupt sequence.
    pub(crate) fn begins_instruction(&self) -> bool {
        self.begun.instruction && !self.cpu.at_interrupt_start()
    }

    /// Number of bytes by which the stack is smaller than where the step began.
    fn above(&self) -> i8 {
        above(self.cpu.s, self.aim.s)
    }

    /// An instruction begins, and a call before it has returned; backwards, no call is open.
    pub(crate) fn is_over(&self) -> bool {
        self.begun.instruction && !self.inside && (!self.aim.back || self.above() >= 0)
    }

    /// The routine has returned; backwards, the call of it begins.
    pub(crate) fn is_out(&self) -> bool {
        let leads = if self.aim.back {
            self.cpu.at_interrupt_start() || matches!(self.bus.peek(self.cpu.pc), JSR | BRK)
        } else {
            matches!(self.cpu.opcode(), RTS | RTI)
        };
        self.begun.instruction && leads && self.above() > 0
    }

    /// A source line begins, with no fewer bytes taken from the stack than this: with an instruction, or with a byte that an interpreter reads.
    pub(crate) fn begins_source_line(&self, above: i8) -> bool {
        let sources = self.aim.sources;
        (above < 0 || !self.inside)
            && self.above() >= above
            && (self.begins_instruction() && sources.begins_line(self.cpu.pc)
                || self.begun.access && sources.reads_line(self.cpu, self.bus))
    }
}

/// Tracks the processor from cycle to cycle.
#[derive(Clone, Debug)]
pub(crate) struct Follow {
    /// The processor was not halted in the last cycle.
    stepped: bool,
    /// The interrupt of the vector being read.
    vector: Option<Entry>,
    /// The DLI's way through the OS to its routine has not ended.
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
    /// The cycle in which the frame of the last display list interrupt began, and the number that it has had.
    dlis: (u64, u16),
}

/// The beginnings in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Begun {
    /// An instruction or interrupt sequence begins; only in the first cycle in which that is so.
    pub(crate) instruction: bool,
    pub(crate) entry: Option<Entry>,
    pub(crate) dli_routine: bool,
    /// The next access is a new one, not one that waits for a halt to end.
    access: bool,
    /// A handler has returned.
    pub(crate) returned: Option<Entry>,
    /// The number in its frame of a display list interrupt whose handler begins.
    pub(crate) dli_number: Option<u16>,
    /// A display list instruction was fetched in the cycle before.
    pub(crate) list: bool,
    /// A BASIC statement begins, of this line.
    pub(crate) statement: Option<u16>,
    /// And it is the first one of another line.
    pub(crate) basic_line: bool,
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

    /// Handlers that have begun and not returned, the latest last, with S at their first instruction.
    pub(crate) fn open(&self) -> &[(Entry, u8)] {
        &self.open
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

    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> Begun {
        let mut begun = Begun {
            list: std::mem::take(&mut self.list),
            ..Begun::default()
        };
        if let Some(next) = self.next.take()
            && let Some((statement, line)) = self.statements.begin(bus, cpu.instruction(), next)
        {
            begun.statement = Some(statement.line);
            begun.basic_line = line;
        }
        if !std::mem::take(&mut self.stepped) {
            return begun;
        }
        begun.access = true;
        if let Some(vector) = cpu.at_vector() {
            self.vector = Some(Entry::of_vector(vector, bus));
        }
        if cpu.at_instruction_start() {
            begun.instruction = true;
            let open = self.open.last();
            if cpu.opcode() == RTI && open.is_some_and(|&(_, s)| s == self.s) {
                begun.returned = self.open.pop().map(|(entry, _)| entry);
            }
            self.s_before = std::mem::replace(&mut self.s, cpu.s);
            begun.entry = self.vector.take();
            if let Some(entry) = begun.entry {
                self.dli = entry == Entry::Dli;
                if self.dli {
                    begun.dli_number = Some(self.number_dli(bus));
                }
                self.open.push((entry, cpu.s));
                if self.open.len() > 64 {
                    // Handlers that never return.
                    self.open.remove(0);
                }
            }
            if self.dli && !cpu.at_interrupt_start() {
                let routine = u16::from_le_bytes([bus.peek(VDSLST), bus.peek(VDSLST + 1)]);
                begun.dli_routine = cpu.pc == routine;
                self.dli &= !begun.dli_routine && cpu.opcode() != RTI;
            }
        }
        begun
    }
}

impl Begun {
    fn now(self, cpu: &Cpu, follow: &Follow) -> Now {
        Now {
            instruction: self.instruction && !cpu.at_interrupt_start(),
            entry: self.entry,
            dli_routine: self.dli_routine,
            access: self.access,
            basic_line: self.statement.filter(|_| self.basic_line),
            s_before: self.instruction.then_some(follow.s_before),
        }
    }
}

/// A call or interrupt from the beginning of a step, until it has returned: by RTS, RTI or JMP (address) with no more on the stack than before. A
/// routine may take its return address off the stack and put another one there.
#[derive(Clone, Copy, Debug, Default)]
struct OpenCall(bool);

impl OpenCall {
    /// Examines the instruction that has ended; true while the call is open.
    #[inline]
    fn cycle(&mut self, begun: &Begun, aim: Option<&Aim<'_>>, follow: &Follow, cpu: &Cpu) -> bool {
        if let (true, Some(aim)) = (begun.instruction, aim) {
            let opcode = cpu.opcode();
            if self.0 {
                let returns = matches!(opcode, RTS | RTI | JMP_INDIRECT);
                self.0 = !(returns && above(cpu.s, aim.s) >= 0);
            } else {
                self.0 = matches!(opcode, JSR | BRK) && follow.s_before == aim.s;
            }
        }
        self.0
    }
}

/// The probe of a forward run: stops it at the end of a step or at a breakpoint.
pub struct Watch<'a> {
    breakpoints: &'a Breakpoints,
    aim: Option<Aim<'a>>,
    pub(crate) follow: Follow,
    started: u64,
    open_call: OpenCall,
    stop: Stop,
    /// Breakpoints that were hit.
    hits: Vec<Hit>,
    /// The run has stopped because a breakpoint asks for variables in the frame of a C function, of which nothing is known yet.
    asks_frame: bool,
    /// A frame was not found: the run stops for no other.
    frames_unknown: bool,
    /// Kept up to date while the machine runs.
    pub(crate) first_writes: Option<FirstWrites>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(
        machine: &Machine,
        breakpoints: &'a Breakpoints,
        aim: Option<Aim<'a>>,
    ) -> Self {
        Self {
            breakpoints,
            aim,
            follow: Follow::new(&machine.cpu, machine.bus()),
            started: machine.now(),
            open_call: OpenCall::default(),
            stop: Stop::Limit,
            hits: Vec::new(),
            asks_frame: false,
            frames_unknown: false,
            first_writes: None,
        }
    }

    pub(crate) fn stop(&self) -> Stop {
        self.stop
    }

    /// True if the run has stopped to have the frame of the C function at PC looked up; [`Self::with_frame`] says how it goes on.
    pub(crate) fn asks_frame(&self) -> bool {
        self.asks_frame
    }

    /// After the look-up of a frame, which has found it or not: asks the breakpoints of this cycle again. True if the run stops here.
    pub(crate) fn with_frame(&mut self, known: bool, machine: &Machine) -> bool {
        self.asks_frame = false;
        self.frames_unknown |= !known;
        let first = self.hits.partition_point(|hit| hit.clock() < machine.now());
        self.stop = Stop::Limit;
        let (list, cpu, bus) = (self.breakpoints.list(), &machine.cpu, machine.bus());
        for hit in self.hits.split_off(first) {
            let mut wanted = list
                .iter()
                .filter(|b| b.id == hit.id && b.is_wanted(cpu, bus));
            let stop = wanted.next().and_then(|b| self.note(b, cpu, bus));
            if let Some(stop) = stop {
                self.stop = stop;
                return true;
            }
        }
        false
    }

    /// Notes a hit; the stop if the breakpoint stops here.
    fn note(&mut self, breakpoint: &Breakpoint, cpu: &Cpu, bus: &Bus) -> Option<Stop> {
        let id = breakpoint.id;
        let before = self.hits.iter().filter(|hit| hit.id == id).count() as u32;
        let stops = !breakpoint.log && breakpoint.hits + before >= breakpoint.ignore;
        self.hits.push(Hit::new(breakpoint, stops, cpu, bus));
        stops.then_some(Stop::Breakpoint(id))
    }

    /// The breakpoints that were hit.
    pub(crate) fn take_hits(&mut self) -> Vec<Hit> {
        std::mem::take(&mut self.hits)
    }
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch")
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

/// The cycle of cycle 0 of line 0 of this frame.
fn frame_start(bus: &Bus) -> u64 {
    let beam = bus.beam();
    bus.now() - u64::from(beam.line) * crate::LINE - u64::from(beam.cycle)
}

/// Number of bytes by which the stack is smaller than with this S.
fn above(s: u8, before: u8) -> i8 {
    s.wrapping_sub(before) as i8
}

impl Probe for Watch<'_> {
    const FETCHES: bool = false;

    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        let begun = self.follow.cycle(cpu, bus);
        let inside = self
            .open_call
            .cycle(&begun, self.aim.as_ref(), &self.follow, cpu);
        if let Some(aim) = &self.aim
            && aim.is_reached(&begun, inside, cpu, bus)
        {
            self.stop = Stop::Done;
            return true;
        }
        let now = begun.now(cpu, &self.follow);
        let first = self.first_writes.take();
        let (breakpoints, mut stop) = (self.breakpoints, None);
        for breakpoint in breakpoints.hit(now, cpu, bus, first.as_ref()) {
            if matches!(breakpoint.place, Place::Beam(..)) && bus.now() == self.started {
                continue;
            }
            self.asks_frame |= !self.frames_unknown && breakpoint.misses_frame(cpu, bus);
            let stopped = self.note(breakpoint, cpu, bus);
            stop = stop.or(stopped);
            // With a frame that is to be looked up, those after it are asked again too.
            if stop.is_some() && !self.asks_frame {
                break;
            }
        }
        self.first_writes = first;
        self.stop = stop.unwrap_or(self.stop);
        stop.is_some() || self.asks_frame
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

/// Keeps the time of the last find.
pub(crate) trait Seek: Probe {
    /// The machine's clock then.
    fn found(&self) -> Option<u64>;
}

/// Keeps the time of the last end of a step, or, without an aim, of the last hit of a breakpoint.
pub(crate) struct Finder<'a> {
    breakpoints: &'a Breakpoints,
    aim: Option<Aim<'a>>,
    open_call: OpenCall,
    pub(crate) follow: Follow,
    found: Option<u64>,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(
        machine: &Machine,
        breakpoints: &'a Breakpoints,
        aim: Option<Aim<'a>>,
    ) -> Self {
        Self {
            breakpoints,
            aim,
            open_call: OpenCall::default(),
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
        let begun = self.follow.cycle(cpu, bus);
        let inside = self
            .open_call
            .cycle(&begun, self.aim.as_ref(), &self.follow, cpu);
        let matches = if let Some(aim) = &self.aim {
            aim.is_reached(&begun, inside, cpu, bus)
        } else {
            let now = begun.now(cpu, &self.follow);
            let first = self.breakpoints.first_writes.as_ref();
            self.breakpoints
                .hit(now, cpu, bus, first)
                .any(|breakpoint| !breakpoint.log)
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

/// Tracks the processor, and stops nothing.
pub(crate) struct Follower(Follow);

impl Follower {
    pub(crate) fn new(machine: &Machine, dispatch: Option<u16>) -> Self {
        let mut follow = Follow::new(&machine.cpu, machine.bus());
        *follow.dispatch() = dispatch;
        Self(follow)
    }

    /// The state, with the beginnings in the machine's present cycle.
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
