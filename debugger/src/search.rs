//! Questions about the past that take a while: which store wrote this, when did this become true. Each is asked piece by piece, can be looked
//! at in between, and is cancelled by dropping it.

use crate::expression::{Context, Expression};
use crate::frame_log::is_chip;
use cpu6502::Cpu;
use cpu6502::opcodes::{Mode, OPCODES, Operation};
use machine::{Bus, Machine, Probe};
use session::timeline::{Event, Moment, Timeline, Visit};
use std::ops::RangeInclusive;

/// A query was ended before it was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// Progress of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Machine cycles that were searched.
    pub searched: u64,
    /// Machine cycles that there are to search.
    pub total: u64,
    /// There is nothing more to search.
    pub done: bool,
}

/// Addresses to look for. Those of a chip's register are its mirrors, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target(RangeInclusive<u16>);

impl Target {
    /// A range of addresses.
    pub fn new(range: RangeInclusive<u16>) -> Self {
        Self(range)
    }

    /// One address.
    pub fn one(address: u16) -> Self {
        Self(address..=address)
    }

    /// True if an access reaches it.
    pub fn has(&self, address: u16) -> bool {
        if self.0.contains(&address) {
            return true;
        }
        let start = *self.0.start();
        let mask = match address >> 8 {
            0xD0 => 31,
            0xD2 | 0xD4 => 15,
            0xD3 => 3,
            _ => return false,
        };
        start >> 8 == address >> 8 && {
            let length = self.0.end() - start;
            (address & mask).wrapping_sub(start & mask) & mask <= length
        }
    }
}

/// A set of addresses, whose stores a search looks for.
#[derive(Clone, Debug)]
struct Cells(Box<[u64; 1024]>);

impl Cells {
    fn of(has: impl Fn(u16) -> bool) -> Self {
        let mut cells = Self(Box::new([0; 1024]));
        cells.extend((0..=0xFFFF).filter(|address| has(*address)));
        cells
    }

    fn extend(&mut self, addresses: impl IntoIterator<Item = u16>) {
        for address in addresses {
            self.0[usize::from(address >> 6)] |= 1 << (address & 63);
        }
    }

    fn has(&self, address: u16) -> bool {
        self.0[usize::from(address >> 6)] >> (address & 63) & 1 != 0
    }

    /// The pages from the first to the last address.
    fn pages(&self) -> RangeInclusive<u8> {
        let is_full = |word: &u64| *word != 0;
        let first = self.0.iter().position(is_full).unwrap_or(1023);
        let last = self.0.iter().rposition(is_full).unwrap_or(0);
        (first / 4) as u8..=(last / 4) as u8
    }

    /// The addresses whose stores decide a condition, for as long as nothing is stored there; `None` if anything else decides it too.
    fn deciding(condition: &Expression, machine: &Machine) -> Option<Self> {
        let addresses = condition.decided_by(machine)?;
        let config = machine.config();
        // A cartridge may be switched by a read, and a register's value depends on events.
        let has_cartridge = config.cartridge.is_some() || config.second.is_some();
        let changes = |address: &u16| is_chip(*address) || has_cartridge && *address >= CARTRIDGE;
        if addresses.iter().any(changes) {
            return None;
        }
        let is_banked = addresses.iter().any(|address| *address >= BANKS);
        let mut cells = Self(Box::new([0; 1024]));
        cells.extend(addresses);
        if is_banked {
            cells.extend(AXLON.chain(PIA));
        }
        Some(cells)
    }

    /// The moment after which nothing need be searched: from there to `before` no store reached these addresses.
    fn untouched_since(&self, timeline: &Timeline, before: Moment) -> Moment {
        timeline.untouched_since(before, &self.pages(), &|address| self.has(address))
    }

    /// The moment before which nothing need be searched: from `after` to there no store reached these addresses.
    fn untouched_until(&self, timeline: &Timeline, after: Moment) -> Moment {
        timeline.untouched_until(after, &self.pages(), &|address| self.has(address))
    }
}

/// The first address at which memory can be switched.
const BANKS: u16 = 0x4000;
/// The first address at which a cartridge can be.
const CARTRIDGE: u16 = 0x8000;
/// The bank register of Axlon's memory.
const AXLON: RangeInclusive<u16> = 0xCFC0..=0xCFFF;
/// PORTB switches the banks of the 130XE.
const PIA: RangeInclusive<u16> = 0xD300..=0xD3FF;

/// A store of the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The cycle of the write.
    pub at: Moment,
    /// The address.
    pub address: u16,
    /// The byte.
    pub data: u8,
}

/// A store with its instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The store.
    pub write: Write,
    /// The instruction.
    pub pc: u16,
    /// Its opcode.
    pub opcode: u8,
    /// The byte before; `None` for a register.
    pub before: Option<u8>,
    /// The beam's line and cycle.
    pub beam: (u16, u8),
    /// The frame's number.
    pub frame: u64,
}

impl Write {
    /// The details, from the machine of that moment.
    pub fn detail(&self, timeline: &Timeline) -> Option<Detail> {
        let machine = timeline.machine_at(self.at)?;
        let beam = machine.beam();
        Some(Detail {
            write: *self,
            pc: machine.cpu.instruction(),
            opcode: machine.cpu.opcode(),
            before: (!is_chip(self.address)).then(|| machine.peek(self.address)),
            beam: (beam.line, beam.cycle),
            frame: machine.frame().number(),
        })
    }
}

/// Notes the writes of a piece; the run keeps its speed.
struct Writes<'a> {
    target: &'a Target,
    all: bool,
    found: Vec<(u64, u16, u8)>,
}

impl Probe for Writes<'_> {
    const ACTIVE: bool = false;
    const WRITES: bool = true;

    fn written(&mut self, now: u64, address: u16, data: u8) {
        if self.target.has(address) {
            if !self.all {
                self.found.clear();
            }
            self.found.push((now, address, data));
        }
    }
}

/// Cycles of the first piece of a search; each one is twice as long as the one that came before, up to a second.
const FRAME: u64 = 262 * crate::LINE;
const SECOND: u64 = 60 * FRAME;

/// The stores into an address: the last one before a moment, or all of them.
#[derive(Clone, Debug)]
pub struct WriteQuery {
    target: Target,
    cells: Cells,
    all: bool,
    from: Moment,
    start: Moment,
    /// Everything from here on has been searched.
    before: Moment,
    /// Cycles of the next piece.
    length: u64,
    writes: Vec<Write>,
    done: bool,
}

/// Advances a search to its end, or until `ended` says between two pieces that it is enough.
fn search(
    ended: &dyn Fn() -> bool,
    mut advance: impl FnMut() -> Progress,
) -> Result<(), Interrupted> {
    while !advance().done {
        if ended() {
            return Err(Interrupted);
        }
    }
    Ok(())
}

impl WriteQuery {
    /// The last store into a target before a moment.
    pub fn last(target: Target, before: Moment) -> Self {
        Self {
            cells: Cells::of(|address| target.has(address)),
            target,
            all: false,
            from: Moment(0),
            start: before,
            before,
            length: 0,
            writes: Vec::new(),
            done: false,
        }
    }

    /// All stores into a target from one moment to another.
    pub fn all(target: Target, from: Moment, before: Moment) -> Self {
        Self {
            from,
            all: true,
            ..Self::last(target, before)
        }
    }

    /// The stores found so far, the latest first.
    pub fn writes(&self) -> &[Write] {
        &self.writes
    }

    /// Searches on, at least `cycles` machine cycles unless that is the end.
    pub fn advance(&mut self, timeline: &Timeline, cycles: u64) -> Progress {
        let goal = self.before.0.saturating_sub(cycles);
        while !self.done && self.before.0 > goal {
            let untouched = self.cells.untouched_since(timeline, self.before);
            if untouched < self.before {
                self.before = untouched;
                self.done = self.before <= self.from;
                continue;
            }
            // A machine's life may begin at the very moment; the piece of no length is passed over.
            let mut pieces = timeline.long_pieces_before(self.before, self.length);
            let piece = pieces.find(|piece| piece.start() < self.before);
            let Some((piece, mut visit)) = piece.and_then(|piece| Some((piece, piece.visit()?)))
            else {
                self.done = true;
                break;
            };
            let mut probe = Writes {
                target: &self.target,
                all: self.all,
                found: Vec::new(),
            };
            piece.run(timeline, &mut visit, &mut probe);
            let found = probe.found.into_iter().rev();
            let found = found.map(|(now, address, data)| Write {
                at: visit.moment_at(now),
                address,
                data,
            });
            self.writes
                .extend(found.filter(|write| write.at >= self.from && write.at < self.start));
            self.before = piece.start();
            self.length = (2 * self.length).clamp(2 * FRAME, SECOND);
            self.done = self.before <= self.from || !self.all && !self.writes.is_empty();
        }
        let oldest = timeline.oldest().max(self.from);
        self.done |= self.before <= oldest;
        Progress {
            searched: self.start.0 - self.before.0,
            total: self.start.0.saturating_sub(oldest.0),
            done: self.done,
        }
    }

    /// Searches to the end.
    pub fn finish(self, timeline: &Timeline) -> Vec<Write> {
        self.finish_unless(timeline, &|| false).unwrap_or_default()
    }

    /// Searches to the end, or until `ended` says between two pieces that it is enough.
    ///
    /// # Errors
    /// When it was enough.
    pub fn finish_unless(
        mut self,
        timeline: &Timeline,
        ended: &dyn Fn() -> bool,
    ) -> Result<Vec<Write>, Interrupted> {
        search(ended, || self.advance(timeline, SECOND))?;
        Ok(self.writes)
    }
}

/// The last store into an address before a moment.
pub fn last_write(timeline: &Timeline, target: Target, before: Moment) -> Option<Write> {
    WriteQuery::last(target, before)
        .finish(timeline)
        .first()
        .copied()
}

/// The last byte that an edit put into a target (a command of the debugger, a click in its view) after the moment of a store, and not later
/// than `until`. An edit happens before the cycle of its moment, so a store in that cycle comes after it.
pub fn last_edit(
    timeline: &Timeline,
    target: &Target,
    after: Option<Moment>,
    until: Moment,
) -> Option<Write> {
    let later = timeline.events().rev().skip_while(|(at, _)| *at > until);
    later
        .take_while(|(at, _)| after.is_none_or(|after| *at > after))
        .find_map(|(at, event)| match *event {
            Event::Poke { address, data } | Event::WriteRegister { address, data } => {
                target.has(address).then_some(Write { at, address, data })
            }
            _ => None,
        })
}

/// Finds the moments at which an expression becomes true.
struct Edges<'a> {
    condition: &'a Expression,
    was: bool,
    first: bool,
    /// The processor was not halted in the last cycle.
    stepped: bool,
    stop: bool,
    last: Option<u64>,
}

impl Probe for Edges<'_> {
    const FETCHES: bool = false;

    fn read(&mut self, _: u64, _: u16, _: u8) {
        self.stepped = true;
    }

    fn written(&mut self, _: u64, _: u16, _: u8) {
        self.stepped = true;
    }

    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        if !std::mem::take(&mut self.stepped) || !cpu.at_instruction_start() {
            return false;
        }
        let is = self.condition.is_true(&Context::new(cpu, bus));
        if is && !self.was {
            self.last = Some(bus.now());
            if self.first {
                self.stop = true;
            }
        }
        self.was = is;
        self.stop
    }
}

/// The moment at which an expression became true: it is evaluated where instructions begin.
#[derive(Clone, Debug)]
pub struct WhenQuery {
    condition: Expression,
    /// For the last time: the addresses whose stores decide the condition where the search has come to, if nothing else does.
    deciding: Option<Cells>,
    first: bool,
    from: Moment,
    to: Moment,
    /// For the first time: how far the search has come.
    visit: Option<Visit>,
    was: bool,
    /// For the last time: everything from here on has been searched, and whether it was true there.
    before: Moment,
    /// Cycles of the next piece.
    length: u64,
    after: Option<bool>,
    found: Option<Moment>,
    done: bool,
}

impl WhenQuery {
    /// The first time from one moment to another.
    pub fn first(condition: Expression, from: Moment, to: Moment) -> Self {
        Self {
            condition,
            deciding: None,
            first: true,
            from,
            to,
            visit: None,
            was: false,
            before: to,
            length: 0,
            after: None,
            found: None,
            done: false,
        }
    }

    /// The last time.
    pub fn last(condition: Expression, from: Moment, to: Moment) -> Self {
        Self {
            first: false,
            ..Self::first(condition, from, to)
        }
    }

    /// The moment, once it was found.
    pub fn found(&self) -> Option<Moment> {
        self.found
    }

    /// Searches on, at least `cycles` machine cycles unless that is the end.
    pub fn advance(&mut self, timeline: &Timeline, cycles: u64) -> Progress {
        if self.first {
            self.advance_forwards(timeline, cycles)
        } else {
            self.advance_backwards(timeline, cycles)
        }
    }

    fn advance_forwards(&mut self, timeline: &Timeline, cycles: u64) -> Progress {
        let from = self.from.max(timeline.oldest());
        let to = self.to.min(timeline.newest());
        if self.visit.is_none() && !self.done {
            self.visit = timeline.visit(from).map(Visit::without_pictures);
            match &self.visit {
                Some(visit) => {
                    self.was = self.condition.is_true(&Context::of(visit.machine()));
                    if self.was {
                        self.found = Some(from);
                        self.done = true;
                    }
                }
                None => self.done = true,
            }
        }
        let mut at = from;
        if let Some(visit) = &mut self.visit {
            if !self.done {
                if let Some(cells) = Cells::deciding(&self.condition, visit.machine()) {
                    let untouched = cells.untouched_until(timeline, visit.moment()).min(to);
                    let far = untouched.0.saturating_sub(visit.moment().0) > 2 * SECOND;
                    if let Some(later) = far.then(|| timeline.visit(untouched)).flatten() {
                        *visit = later.without_pictures();
                    }
                }
                let until = Moment(visit.moment().0.saturating_add(cycles)).min(to);
                let mut edges = Edges {
                    condition: &self.condition,
                    was: self.was,
                    first: true,
                    stepped: true,
                    stop: false,
                    last: None,
                };
                visit.run(timeline, until, &mut edges);
                self.was = edges.was;
                if let Some(now) = edges.last {
                    self.found = Some(visit.moment_at(now));
                }
                self.done = self.found.is_some() || visit.moment() >= to;
            }
            at = visit.moment();
        }
        Progress {
            searched: at.0.saturating_sub(from.0),
            total: to.0.saturating_sub(from.0),
            done: self.done,
        }
    }

    fn advance_backwards(&mut self, timeline: &Timeline, cycles: u64) -> Progress {
        let goal = self.before.0.saturating_sub(cycles);
        while !self.done && self.before.0 > goal {
            if let Some(cells) = &self.deciding {
                // It is evaluated where instructions begin, which may be a while after the store.
                let untouched = cells.untouched_since(timeline, self.before).0 + FRAME;
                if untouched < self.before.0 {
                    self.before = Moment(untouched);
                    self.done = self.before <= self.from;
                    continue;
                }
            }
            let mut pieces = timeline.long_pieces_before(self.before, self.length);
            let piece = pieces.find(|piece| piece.start() < self.before);
            let Some((piece, mut visit)) = piece.and_then(|piece| Some((piece, piece.visit()?)))
            else {
                self.done = true;
                break;
            };
            let was = self.condition.is_true(&Context::of(visit.machine()));
            self.deciding = Cells::deciding(&self.condition, visit.machine());
            let mut edges = Edges {
                condition: &self.condition,
                was,
                first: false,
                stepped: true,
                stop: false,
                last: None,
            };
            piece.run(timeline, &mut visit, &mut edges);
            // It became true just where the pieces meet.
            let is = self.condition.is_true(&Context::of(visit.machine()));
            if is && !edges.was && self.after != Some(false) && self.before < self.to {
                self.found = Some(self.before);
            } else if let Some(now) = edges.last {
                self.found = Some(visit.moment_at(now));
            }
            self.after = Some(was);
            self.before = piece.start();
            self.length = (2 * self.length).clamp(2 * FRAME, SECOND);
            self.done = self.found.is_some() || self.before <= self.from;
        }
        let oldest = timeline.oldest().max(self.from);
        self.done |= self.before <= oldest;
        Progress {
            searched: self.to.0.saturating_sub(self.before.0),
            total: self.to.0.saturating_sub(oldest.0),
            done: self.done,
        }
    }

    /// Searches to the end, or until `ended` says between two pieces that it is enough.
    ///
    /// # Errors
    /// When it was enough.
    pub fn finish_unless(
        mut self,
        timeline: &Timeline,
        ended: &dyn Fn() -> bool,
    ) -> Result<Option<Moment>, Interrupted> {
        search(ended, || self.advance(timeline, SECOND))?;
        Ok(self.found)
    }

    /// Searches to the end.
    pub fn finish(self, timeline: &Timeline) -> Option<Moment> {
        self.finish_unless(timeline, &|| false).ok().flatten()
    }
}

/// The origin of a byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A store copied it from this address.
    Copied {
        /// The store.
        by: Detail,
        /// The address at which the byte was read.
        from: u16,
    },
    /// It is part of the program: an immediate operand at this address.
    Immediate {
        /// The store.
        by: Detail,
        /// The operand.
        at: u16,
    },
    /// The instruction at this address computed it, and a store put it here.
    Computed {
        /// The store.
        by: Detail,
        /// The instruction.
        at: u16,
    },
    /// An edit in the debugger put it there.
    Edited(Write),
    /// No program stored it since the recording began: it was there at power-on, is in ROM, or came from outside.
    NotStored(u16),
}

impl Cause {
    /// The store, if there was one.
    pub fn store(&self) -> Option<&Detail> {
        match self {
            Self::Copied { by, .. } | Self::Immediate { by, .. } | Self::Computed { by, .. } => {
                Some(by)
            }
            Self::Edited(_) | Self::NotStored(_) => None,
        }
    }
}

/// Longest chain of copies that is followed.
const CHAIN: usize = 32;
/// Machine cycles before a store in which its value is looked for.
const RECENT: u64 = 3 * 262 * crate::LINE;

/// The origin of the byte at an address, through plain copies (loads, transfers, the stack, stores), from the last copy to the origin.
///
/// # Errors
/// When `ended` said between two pieces that it is enough.
pub fn origin(
    timeline: &Timeline,
    address: u16,
    before: Moment,
    ended: &dyn Fn() -> bool,
) -> Result<Vec<Cause>, Interrupted> {
    let mut chain = Vec::new();
    let (mut address, mut before) = (address, before);
    while chain.len() < CHAIN {
        let query = WriteQuery::last(Target::one(address), before);
        let writes = query.finish_unless(timeline, ended)?;
        let write = writes.first();
        let stored = write.map(|write| write.at);
        if let Some(edit) = last_edit(timeline, &Target::one(address), stored, before) {
            chain.push(Cause::Edited(edit));
            break;
        }
        let Some(by) = write.and_then(|write| write.detail(timeline)) else {
            chain.push(Cause::NotStored(address));
            break;
        };
        let at = by.write.at;
        match value_of(timeline, &by) {
            Value::Memory(from, when) => {
                chain.push(Cause::Copied { by, from });
                (address, before) = (from, when.min(at));
            }
            Value::Immediate(operand) => {
                chain.push(Cause::Immediate { by, at: operand });
                break;
            }
            Value::Computed(pc) => {
                chain.push(Cause::Computed { by, at: pc });
                break;
            }
        }
    }
    Ok(chain)
}

enum Value {
    Memory(u16, Moment),
    Immediate(u16),
    Computed(u16),
}

/// An instruction that was run, and its last read.
#[derive(Clone, Copy)]
struct Ran {
    pc: u16,
    opcode: u8,
    interrupt: bool,
    s: u8,
    read: (u64, u16),
}

/// Notes the instructions of a stretch of time.
struct Instructions {
    ran: Vec<Ran>,
    stepped: bool,
}

impl Probe for Instructions {
    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        if std::mem::take(&mut self.stepped) && cpu.at_instruction_start() {
            self.ran.push(Ran {
                pc: cpu.pc,
                opcode: bus.peek(cpu.pc),
                interrupt: cpu.at_interrupt_start(),
                s: cpu.s,
                read: (0, 0),
            });
        }
        false
    }

    fn read(&mut self, now: u64, address: u16, _: u8) {
        self.stepped = true;
        if let Some(last) = self.ran.last_mut() {
            last.read = (now, address);
        }
    }

    fn written(&mut self, _: u64, _: u16, _: u8) {
        self.stepped = true;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Register {
    A,
    X,
    Y,
}

/// The value of a store's register, and the moment since which it was held.
fn value_of(timeline: &Timeline, by: &Detail) -> Value {
    let computed = Value::Computed(by.pc);
    let mut wanted = match OPCODES[usize::from(by.opcode)].operation {
        Operation::Sta | Operation::Pha => Register::A,
        Operation::Stx => Register::X,
        Operation::Sty => Register::Y,
        _ => return computed,
    };
    let at = by.write.at;
    // A little first, then as much as a handler in between may take.
    for back in [300, RECENT] {
        let from = Moment(at.0.saturating_sub(back)).max(timeline.oldest());
        let Some(mut visit) = timeline.visit(from) else {
            return computed;
        };
        let mut probe = Instructions {
            ran: Vec::new(),
            stepped: false,
        };
        visit.run(timeline, at, &mut probe);
        // The last one is the store itself.
        let mut ran = &probe.ran[..probe.ran.len().saturating_sub(1)];
        while let Some((last, earlier)) = ran.split_last() {
            ran = earlier;
            if last.interrupt {
                continue;
            }
            let opcode = OPCODES[usize::from(last.opcode)];
            let Some(defined) = defines(opcode.operation, opcode.mode) else {
                continue;
            };
            if !defined.contains(&wanted) {
                continue;
            }
            match opcode.operation {
                Operation::Lda | Operation::Ldx | Operation::Ldy if opcode.mode == Mode::Imm => {
                    return Value::Immediate(last.pc.wrapping_add(1));
                }
                Operation::Lda | Operation::Ldx | Operation::Ldy => {
                    let (now, address) = last.read;
                    return Value::Memory(address, visit.moment_at(now));
                }
                Operation::Pla => {
                    let (now, _) = last.read;
                    let slot = 0x0100 | u16::from(last.s.wrapping_add(1));
                    return Value::Memory(slot, visit.moment_at(now));
                }
                Operation::Txa => wanted = Register::X,
                Operation::Tya => wanted = Register::Y,
                Operation::Tax | Operation::Tay => wanted = Register::A,
                _ => return Value::Computed(last.pc),
            }
        }
    }
    computed
}

/// The registers that an operation changes.
fn defines(operation: Operation, mode: Mode) -> Option<&'static [Register]> {
    use Operation::{
        Adc, Alr, Anc, And, Ane, Arr, Asl, Dex, Dey, Eor, Inx, Iny, Isc, Las, Lax, Lda, Ldx, Ldy,
        Lsr, Lxa, Ora, Pla, Rla, Rol, Ror, Rra, Sbc, Sbx, Slo, Sre, Tax, Tay, Tsx, Txa, Tya,
    };
    Some(match operation {
        Asl | Lsr | Rol | Ror if mode != Mode::Acc => return None,
        Adc | Alr | Anc | And | Ane | Arr | Asl | Eor | Isc | Lda | Lsr | Ora | Pla | Rla | Rol
        | Ror | Rra | Sbc | Slo | Sre | Txa | Tya => &[Register::A],
        Dex | Inx | Ldx | Sbx | Tax | Tsx => &[Register::X],
        Dey | Iny | Ldy | Tay => &[Register::Y],
        Las | Lax | Lxa => &[Register::A, Register::X],
        _ => return None,
    })
}
