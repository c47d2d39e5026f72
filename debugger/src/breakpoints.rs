//! Places to stop at.

use crate::expression::{Context, Expression, Names};
use crate::first_writes::FirstWrites;
use crate::search::Target;
use crate::watch::Entry;
use crate::{Moment, instruction_address};
use cpu6502::Cpu;
use machine::Bus;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// The OS's entry for input and output, and for the serial bus: programs call them there.
const CIOV: u16 = 0xE456;
const SIOV: u16 = 0xE459;
/// The device of a serial bus command, and its sector.
const DDEVIC: u16 = 0x0300;
const DAUX: u16 = 0x030A;
/// The number of an IOCB's handler, its command and its buffer; and the table of handlers.
const ICHID: u16 = 0x0340;
const HATABS: u16 = 0x031A;
const OPEN: u8 = 3;

/// The event that a breakpoint waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The instruction at this address is about to begin.
    Pc(u16),
    /// The processor is about to read one of these addresses (dummy reads and instruction bytes included). Of chips' registers their
    /// mirrors count, too.
    Read(RangeInclusive<u16>),
    /// The processor is about to write one of these addresses.
    Write(RangeInclusive<u16>),
    /// Either of these.
    Access(RangeInclusive<u16>),
    /// The processor is about to read a byte of RAM in this range that nothing has written since power-on. Reads of
    /// the stack that an instruction makes and does not use do not count.
    Uninitialised(RangeInclusive<u16>),
    /// The beam comes to this line and cycle.
    Beam(u16, u8),
    /// The first instruction of an interrupt's handler is about to begin.
    Interrupt(Entry),
    /// The first instruction of the routine that VDSLST points to is about to begin, in a display list interrupt.
    DliRoutine,
    /// An instruction with this opcode is about to begin.
    Opcode(u8),
    /// The OS is called for input or output: for the device of this letter, or for any.
    Cio(Option<u8>),
    /// The OS is called for the serial bus: for this device (`$31` is D1:), or for any.
    Sio(Option<u8>),
    /// The OS is called for this sector of a disk.
    Sector(u16),
    /// A BASIC line of this number is about to begin.
    BasicLine(u16),
    /// An interpreter is about to read its code at this address, to which its pointer points.
    Interpreted {
        /// The address of the code.
        at: u16,
        /// The address of the pointer.
        pointer: u16,
    },
    /// The stack pointer goes around: from 0 to `$FF` by a push, or back by a pull.
    StackWrap,
}

impl Place {
    /// Text, as the `break` command takes it.
    pub fn describe(&self, name: impl Fn(u16) -> Option<String>) -> String {
        let range = |range: &RangeInclusive<u16>| {
            if range.start() == range.end() {
                let name = name(*range.start()).map_or(String::new(), |name| format!("  {name}"));
                format!("${:04X}{name}", range.start())
            } else {
                format!("${:04X}-${:04X}", range.start(), range.end())
            }
        };
        match self {
            Self::Pc(address) => range(&(*address..=*address)),
            Self::Read(addresses) => format!("read {}", range(addresses)),
            Self::Write(addresses) => format!("write {}", range(addresses)),
            Self::Access(addresses) => format!("access {}", range(addresses)),
            Self::Uninitialised(addresses) => format!("uninitialised {}", range(addresses)),
            Self::Beam(line, cycle) => format!("beam {line} {cycle}"),
            Self::Interrupt(Entry::Dli) => "dli".to_owned(),
            Self::Interrupt(Entry::Vbi) => "vbi".to_owned(),
            Self::Interrupt(Entry::Irq) => "irq".to_owned(),
            Self::Interrupt(Entry::Reset) => "reset".to_owned(),
            Self::DliRoutine => "routine".to_owned(),
            Self::Opcode(opcode) => format!("opcode ${opcode:02X}"),
            Self::Cio(None) => "cio".to_owned(),
            Self::Cio(Some(letter)) => format!("cio {}", *letter as char),
            Self::Sio(None) => "sio".to_owned(),
            Self::Sio(Some(device)) => format!("sio ${device:02X}"),
            Self::Sector(sector) => format!("sector {sector}"),
            Self::BasicLine(line) => format!("basic {line}"),
            Self::Interpreted { at, pointer } => {
                format!("interpreted {} by ${pointer:04X}", range(&(*at..=*at)))
            }
            Self::StackWrap => "stack".to_owned(),
        }
    }
}

/// A breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakpoint {
    /// Its number, for [`Breakpoints::remove`] and [`crate::Stop::Breakpoint`].
    pub id: u32,
    /// The event that it waits for.
    pub place: Place,
    /// True if it stops.
    pub enabled: bool,
    /// It counts only while this is true.
    pub condition: Option<Expression>,
    /// Number of hits that are passed over.
    pub ignore: u32,
    /// It is removed when it has stopped.
    pub once: bool,
    /// It is counted and logged, and does not stop.
    pub log: bool,
    /// The log's text for a hit.
    pub message: Option<Message>,
    /// Number of hits.
    pub hits: u32,
}

impl Breakpoint {
    /// Text, as the `break` command takes it, without number and state.
    pub fn line(&self, name: impl Fn(u16) -> Option<String>) -> String {
        let mut text = self.place.describe(name);
        // Writing to a String cannot fail.
        if let Some(condition) = &self.condition {
            let _ = write!(text, " if {condition}");
        }
        if self.ignore != 0 {
            let _ = write!(text, " after {}", self.ignore);
        }
        if self.once {
            text.push_str(" once");
        }
        if self.log {
            text.push_str(" log");
        }
        if let Some(message) = &self.message {
            let _ = write!(text, " \"{message}\"");
        }
        text
    }

    /// True if its condition is true, or it has none.
    pub(crate) fn is_wanted(&self, cpu: &Cpu, bus: &Bus) -> bool {
        let condition = self.condition.as_ref();
        condition.is_none_or(|condition| condition.is_true(&context(self, cpu, bus)))
    }

    /// True if its condition or its message asks for variables of the C function at PC, of whose frame nothing is known.
    pub(crate) fn misses_frame(&self, cpu: &Cpu, bus: &Bus) -> bool {
        let message = self.message.iter().flat_map(|message| &message.parts);
        let asked = message.filter_map(|(_, expression)| expression.as_ref());
        let mut asked = asked.chain(&self.condition);
        asked.any(|expression| expression.misses_frame(&context(self, cpu, bus)))
    }

    /// [`Self::line`], and how often it was reached.
    pub fn line_with_hits(&self, name: impl Fn(u16) -> Option<String>) -> String {
        let line = self.line(name);
        match self.hits {
            0 => line,
            1 => format!("{line}  (1 hit)"),
            hits => format!("{line}  ({hits} hits)"),
        }
    }
}

/// The log's text for a hit, with expressions in braces, such as `x is {x}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    text: String,
    /// Text and the expression after it.
    parts: Vec<(String, Option<Expression>)>,
}

impl std::fmt::Display for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl Message {
    /// Reads a message.
    ///
    /// # Errors
    /// An expression that is not understood, or a brace that is not closed.
    pub fn parse(text: &str, names: &Names<'_>) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (inside, after) = after.split_once('}').ok_or("\"}\" is missing")?;
            parts.push((
                before.to_owned(),
                Some(Expression::parse_in(inside, names)?),
            ));
            rest = after;
        }
        parts.push((rest.to_owned(), None));
        Ok(Self {
            text: text.to_owned(),
            parts,
        })
    }

    fn of(&self, context: &Context) -> String {
        let mut text = String::new();
        for (before, expression) in &self.parts {
            text.push_str(before);
            match expression {
                // The recorded time does not show where the function's variables are.
                Some(expression) if expression.misses_frame(context) => text.push('?'),
                // Writing to a String cannot fail.
                Some(expression) => {
                    let _ = write!(text, "{}", expression.value(context));
                }
                None => {}
            }
        }
        text
    }
}

/// A hit in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// The breakpoint's number.
    pub id: u32,
    /// Its moment.
    pub at: Moment,
    /// The beam's line and cycle.
    pub beam: (u16, u8),
    /// The instruction.
    pub pc: u16,
    /// Its message, or the registers.
    pub text: String,
}

/// A hit during a run.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub id: u32,
    stops: bool,
    clock: u64,
    logged: Option<Logged>,
}

impl Hit {
    /// The machine's clock at the hit.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    pub fn new(breakpoint: &Breakpoint, stops: bool, cpu: &Cpu, bus: &Bus) -> Self {
        let logged = breakpoint.log.then(|| {
            let beam = bus.beam();
            let text = match &breakpoint.message {
                Some(message) => message.of(&context(breakpoint, cpu, bus)),
                None => format!(
                    "A={:02X} X={:02X} Y={:02X} S={:02X} P={:02X}",
                    cpu.a,
                    cpu.x,
                    cpu.y,
                    cpu.s,
                    cpu.p()
                ),
            };
            Logged {
                id: breakpoint.id,
                at: Moment(0),
                beam: (beam.line, beam.cycle),
                pc: instruction_address(cpu),
                text,
            }
        });
        Self {
            id: breakpoint.id,
            stops,
            clock: bus.now(),
            logged,
        }
    }
}

/// Hits that the log keeps.
const LOG: usize = 10_000;

const PC: u8 = 1;
const READ: u8 = 2;
const WRITE: u8 = 4;

/// All breakpoints of a machine.
#[derive(Clone, Debug)]
pub struct Breakpoints {
    list: Vec<Breakpoint>,
    next_id: u32,
    /// The kinds of enabled breakpoints that may be at each address.
    map: Box<[u8]>,
    /// All bits of the map.
    bits: u8,
    /// True if others are enabled.
    others: bool,
    log: VecDeque<Logged>,
    /// Made when a breakpoint needs it.
    pub(crate) first_writes: Option<FirstWrites>,
}

impl Default for Breakpoints {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            next_id: 1,
            map: vec![0; 0x10000].into_boxed_slice(),
            bits: 0,
            others: false,
            log: VecDeque::new(),
            first_writes: None,
        }
    }
}

/// The beginnings of a cycle, for [`Breakpoints::hit`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Now {
    /// An instruction, not an interrupt sequence.
    pub instruction: bool,
    pub entry: Option<Entry>,
    /// The routine of a display list interrupt.
    pub dli_routine: bool,
    /// An access that does not just wait for a halt to end.
    pub access: bool,
    /// A BASIC statement that is the first of its line.
    pub basic_line: Option<u16>,
    /// S before the instruction that has ended.
    pub s_before: Option<u8>,
}

impl Breakpoints {
    /// Adds one and returns its number.
    pub fn add(&mut self, place: Place) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        self.list.push(Breakpoint {
            id,
            place,
            enabled: true,
            condition: None,
            ignore: 0,
            once: false,
            log: false,
            message: None,
            hits: 0,
        });
        self.rebuild();
        id
    }

    /// Changes one; false if none has this number.
    pub fn change(&mut self, id: u32, change: impl FnOnce(&mut Breakpoint)) -> bool {
        let found = self.list.iter_mut().find(|breakpoint| breakpoint.id == id);
        let exists = found.is_some();
        if let Some(breakpoint) = found {
            change(breakpoint);
        }
        self.rebuild();
        exists
    }

    /// Removes one; false if none has this number.
    pub fn remove(&mut self, id: u32) -> bool {
        let before = self.list.len();
        self.list.retain(|breakpoint| breakpoint.id != id);
        self.rebuild();
        self.list.len() != before
    }

    /// Removes the breakpoint at an instruction, or sets one; true if one is set now.
    pub fn toggle_pc(&mut self, address: u16) -> bool {
        if let Some(id) = self.at_pc(address) {
            return !self.remove(id);
        }
        self.add(Place::Pc(address));
        true
    }

    /// The number of a breakpoint at an instruction.
    pub fn at_pc(&self, address: u16) -> Option<u32> {
        self.list.iter().find_map(|breakpoint| {
            (breakpoint.place == Place::Pc(address)).then_some(breakpoint.id)
        })
    }

    /// Switches one on or off; false if none has this number.
    pub fn enable(&mut self, id: u32, enabled: bool) -> bool {
        self.change(id, |breakpoint| breakpoint.enabled = enabled)
    }

    /// All, in the order of their numbers.
    pub fn list(&self) -> &[Breakpoint] {
        &self.list
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.list.clear();
        self.rebuild();
    }

    /// The entries of the breakpoints that log, the oldest first; at most the last 10,000.
    pub fn log(&self) -> impl ExactSizeIterator<Item = &Logged> {
        self.log.iter()
    }

    /// Takes what was logged.
    pub fn take_log(&mut self) -> Vec<Logged> {
        self.log.drain(..).collect()
    }

    /// Counts and logs hits of a run that has come to a moment; those that stop once and have stopped are removed.
    pub(crate) fn count(&mut self, hits: Vec<Hit>, moment: Moment, clock: u64) {
        for hit in hits {
            let mut gone = false;
            for breakpoint in self.list.iter_mut().filter(|b| b.id == hit.id) {
                breakpoint.hits += 1;
                gone = breakpoint.once && (hit.stops || breakpoint.log);
            }
            if let Some(mut logged) = hit.logged {
                logged.at = Moment((moment.0 + hit.clock).saturating_sub(clock));
                if self.log.len() == LOG {
                    self.log.pop_front();
                }
                self.log.push_back(logged);
            }
            if gone {
                self.remove(hit.id);
            }
        }
    }

    /// True if an enabled breakpoint depends on the writes since power-on.
    pub(crate) fn need_first_writes(&self) -> bool {
        self.any_enabled(|place| matches!(place, Place::Uninitialised(_)))
    }

    /// True if an enabled breakpoint depends on the time before a run.
    pub(crate) fn need_past(&self) -> bool {
        self.any_enabled(|place| matches!(place, Place::BasicLine(_) | Place::DliRoutine))
    }

    /// True if any enabled breakpoint waits for such a place.
    pub(crate) fn any_enabled(&self, asks: impl Fn(&Place) -> bool) -> bool {
        self.list.iter().any(|b| b.enabled && asks(&b.place))
    }

    /// True if [`Self::may_hit`] and [`Self::next_beam`] know of all enabled ones: they depend on the present state of processor and beam, and not on
    /// the instructions before.
    pub(crate) fn are_places(&self) -> bool {
        !self.any_enabled(|place| {
            use Place as P;
            !matches!(
                place,
                P::Pc(_)
                    | P::Cio(_)
                    | P::Sio(_)
                    | P::Sector(_)
                    | P::Read(_)
                    | P::Write(_)
                    | P::Access(_)
                    | P::Interpreted { .. }
                    | P::Beam(..)
            )
        })
    }

    /// The first cycle after this one at which an enabled breakpoint waits for the beam, or at which the next frame begins; `None`
    /// if none waits for the beam.
    pub(crate) fn next_beam(&self, bus: &Bus) -> Option<u64> {
        let beam = bus.beam();
        let lines = bus.video.antic.lines();
        let done = u64::from(beam.line) * crate::LINE + u64::from(beam.cycle);
        let places = self.list.iter().filter(|breakpoint| breakpoint.enabled);
        places
            .filter_map(|breakpoint| match breakpoint.place {
                Place::Beam(line, cycle) => Some((line, cycle)),
                _ => None,
            })
            .map(|(line, cycle)| {
                let wanted = u64::from(line) * crate::LINE + u64::from(cycle);
                let comes = line < lines && u64::from(cycle) < crate::LINE && wanted > done;
                let frame = u64::from(lines) * crate::LINE;
                bus.now() - done + if comes { wanted } else { frame }
            })
            .min()
    }

    /// True if a breakpoint that goes by an instruction or an access may be at the processor's next access.
    #[inline]
    pub(crate) fn may_hit(&self, cpu: &Cpu) -> bool {
        let mut wanted = 0;
        if self.bits & (READ | WRITE) != 0 {
            wanted = if cpu.next_is_write() { WRITE } else { READ };
        }
        if cpu.at_instruction_start() && !cpu.at_interrupt_start() {
            wanted |= PC;
        }
        self.map[cpu.next_address() as usize] & wanted != 0
    }

    fn rebuild(&mut self) {
        self.map.fill(0);
        self.bits = 0;
        self.others = false;
        for breakpoint in self.list.iter().filter(|breakpoint| breakpoint.enabled) {
            let (range, bits) = match &breakpoint.place {
                Place::Pc(address) => (*address..=*address, PC),
                Place::Cio(_) => (CIOV..=CIOV, PC),
                Place::Sio(_) | Place::Sector(_) => (SIOV..=SIOV, PC),
                Place::Read(range) | Place::Uninitialised(range) => (range.clone(), READ),
                Place::Interpreted { at, .. } => (*at..=*at, READ),
                Place::Write(range) => (range.clone(), WRITE),
                Place::Access(range) => (range.clone(), READ | WRITE),
                _ => {
                    self.others = true;
                    continue;
                }
            };
            self.bits |= bits;
            for address in range.clone() {
                self.map[address as usize] |= bits;
            }
            if bits & PC == 0 {
                let target = Target::new(range);
                for address in (0xD000..=0xD7FF).filter(|&address| target.has(address)) {
                    self.map[address as usize] |= bits;
                }
            }
        }
    }

    /// The enabled breakpoints that are hit in this cycle.
    pub(crate) fn hit<'a>(
        &'a self,
        now: Now,
        cpu: &'a Cpu,
        bus: &'a Bus,
        first: Option<&'a FirstWrites>,
    ) -> impl Iterator<Item = &'a Breakpoint> {
        let pc = now.instruction && self.map[cpu.pc as usize] & PC != 0;
        let access = now.access && self.bits & (READ | WRITE) != 0 && {
            let bit = if cpu.next_is_write() { WRITE } else { READ };
            self.map[cpu.next_address() as usize] & bit != 0
        };
        let any = pc || access || self.others;
        let list = if any { &self.list[..] } else { &[] };
        list.iter().filter(move |breakpoint| {
            breakpoint.enabled
                && is_at(&breakpoint.place, now, cpu, bus, first)
                && breakpoint.is_wanted(cpu, bus)
        })
    }
}

fn is_at(place: &Place, now: Now, cpu: &Cpu, bus: &Bus, first: Option<&FirstWrites>) -> bool {
    let (address, write) = (cpu.next_address(), cpu.next_is_write());
    match place {
        Place::Pc(at) => now.instruction && cpu.pc == *at,
        Place::Read(range) => now.access && !write && reaches(range, address),
        Place::Write(range) => now.access && write && reaches(range, address),
        Place::Access(range) => now.access && reaches(range, address),
        Place::Uninitialised(range) => {
            now.access
                && !write
                && range.contains(&address)
                && !cpu.next_is_dummy_read()
                && first.is_some_and(|first| first.is_uninitialised(address, bus))
        }
        Place::Beam(line, cycle) => {
            let beam = bus.beam();
            (beam.line, beam.cycle) == (*line, *cycle)
        }
        Place::Interrupt(entry) => now.entry == Some(*entry),
        Place::DliRoutine => now.dli_routine,
        Place::Opcode(opcode) => now.instruction && bus.peek(cpu.pc) == *opcode,
        Place::Cio(letter) => {
            now.instruction
                && cpu.pc == CIOV
                && letter.is_none_or(|letter| cio_device(cpu.x, bus) == letter)
        }
        Place::Sio(device) => {
            let wanted = || {
                device.is_none_or(|device| {
                    bus.peek(DDEVIC)
                        .wrapping_add(bus.peek(DDEVIC + 1))
                        .wrapping_sub(1)
                        == device
                        || bus.peek(DDEVIC) == device
                })
            };
            now.instruction && cpu.pc == SIOV && wanted()
        }
        Place::Sector(sector) => {
            now.instruction
                && cpu.pc == SIOV
                && bus.peek(DDEVIC) == 0x31
                && u16::from_le_bytes([bus.peek(DAUX), bus.peek(DAUX + 1)]) == *sector
        }
        Place::BasicLine(line) => now.basic_line == Some(*line),
        Place::Interpreted { at, pointer } => {
            now.access && address == *at && interprets(*pointer, cpu, bus)
        }
        Place::StackWrap => now
            .s_before
            .is_some_and(|before| before.abs_diff(cpu.s) > 0x80 && before != cpu.s),
    }
}

/// True if the processor is about to read the byte that an interpreter's pointer points to.
pub(crate) fn interprets(pointer: u16, cpu: &Cpu, bus: &Bus) -> bool {
    let to = [pointer, pointer.wrapping_add(1)].map(|at| bus.peek(at));
    !cpu.next_is_write()
        && !cpu.next_is_dummy_read()
        && cpu.next_address() == u16::from_le_bytes(to)
}

/// The letter of the device that a call of CIO is for: of the handler, or of the name that is opened.
fn cio_device(x: u8, bus: &Bus) -> u8 {
    let iocb = ICHID + u16::from(x & 0x70);
    if bus.peek(iocb + 2) == OPEN {
        let name = u16::from_le_bytes([bus.peek(iocb + 4), bus.peek(iocb + 5)]);
        return bus.peek(name);
    }
    bus.peek(HATABS + u16::from(bus.peek(iocb)))
}

/// True if an access reaches one of the addresses, or a register by one of its mirrors.
fn reaches(range: &RangeInclusive<u16>, address: u16) -> bool {
    range.contains(&address) || Target::new(range.clone()).has(address)
}

fn context<'a>(breakpoint: &Breakpoint, cpu: &'a Cpu, bus: &'a Bus) -> Context<'a> {
    let address = cpu.next_address();
    let old = bus.peek(address);
    Context {
        value: if cpu.next_is_write() {
            cpu.next_data()
        } else {
            old
        },
        old,
        address,
        hits: breakpoint.hits,
        ..Context::new(cpu, bus)
    }
}
