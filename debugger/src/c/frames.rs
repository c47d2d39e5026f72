//! The frames of running C functions. cc65 addresses parameters and variables from its stack pointer, which moves within an expression, and keeps no
//! frame pointer. A frame's base is the stack pointer's value at the function's first instruction less what that pushes. It is looked up where the
//! function was called: the last store of its return address on the processor's stack. It is the same for as long as the processor's stack from
//! there up is the same, and the distance from it to the stack pointer is the same each time an instruction runs: both are remembered.

use super::{CProgram, Function};
use crate::instruction_address;
use crate::search::{Target, WriteQuery};
use cpu6502::Cpu;
use cpu6502::opcodes::{Mode, OPCODES};
use machine::{Bus, Machine, Probe};
use session::timeline::{Moment, Timeline};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Machine cycles that a search for a call goes back: 30 minutes of NTSC. Beyond that the frame counts as unknown.
const FARTHEST: u64 = 30 * 60 * 60 * 262 * crate::LINE;
/// Calls that are remembered.
const MOST_CALLS: usize = 64;
/// Return addresses above the innermost one that are tried: bytes that a function has pushed may look like one.
const TRIED: usize = 4;
/// Bytes of a routine of the compiler's runtime in which it names the stack pointer.
const PROLOGUE: u16 = 16;

/// The known frames; expressions share them with the program that they belong to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Depths(Arc<Mutex<Learned>>);

impl PartialEq for Depths {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Depths {}

#[derive(Debug, Default)]
struct Learned {
    /// Instructions with a zero page operand that names a location of the runtime, by the location.
    operands: BTreeMap<Location, Vec<u16>>,
    /// JSRs to routines of the runtime that name the stack pointer first of all.
    users: Vec<u16>,
    /// Bytes that a function's first instruction pushes on the C stack, by its address.
    entries: BTreeMap<u16, u16>,
    /// For each instruction the frame's base less the stack pointer.
    depths: BTreeMap<u16, u16>,
    calls: Vec<KnownCall>,
    /// An unknown frame was asked for.
    missing: bool,
}

/// A place in the zero page that the compiler's runtime chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Location {
    /// The C stack pointer; the higher word of a long in registers comes after it.
    Stack,
    /// Register variables.
    Bank,
}

/// A call of a function.
#[derive(Debug)]
struct KnownCall {
    function: u16,
    /// The processor's stack from the return address up.
    stack: Vec<u8>,
    base: u16,
}

/// A function that runs or has called another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The instruction that runs, or the JSR that has not returned.
    pub(crate) at: u16,
    /// The places in page 1 of the next return addresses that were pushed before it ran, the latest first.
    slots: [Option<u8>; TRIED],
}

/// The routines that have not returned, the innermost first. `calls`: the calls and interrupts that have not returned.
pub(crate) fn places(machine: &Machine, calls: &[crate::Call]) -> Vec<Place> {
    let pc = instruction_address(&machine.cpu);
    let sites = std::iter::once(pc).chain(calls.iter().map(|call| call.at));
    let place = |(n, at)| Place {
        at,
        slots: std::array::from_fn(|more| calls.get(n + more).map(|call: &crate::Call| call.slot)),
    };
    sites.enumerate().map(place).collect()
}

impl Depths {
    fn lock(&self) -> MutexGuard<'_, Learned> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add_operand(&self, location: Location, instruction: u16) {
        self.lock()
            .operands
            .entry(location)
            .or_default()
            .push(instruction);
    }

    pub(crate) fn add_user(&self, call: u16) {
        self.lock().users.push(call);
    }

    pub(crate) fn add_entry(&self, function: u16, pushed: u16) {
        let mut learned = self.lock();
        learned.entries.insert(function, pushed);
        learned.depths.insert(function, 0u16.wrapping_sub(pushed));
    }

    /// The base of the frame of the function at PC; `None`, and noted as missing, if that is not known.
    pub(crate) fn base(&self, cpu: &Cpu, bus: &Bus) -> Option<u16> {
        let mut learned = self.lock();
        let depth = learned.depths.get(&instruction_address(cpu)).copied();
        let stack = learned.stack(&|address| bus.peek(address));
        let base = depth
            .zip(stack)
            .map(|(depth, stack)| stack.wrapping_add(depth));
        learned.missing |= base.is_none();
        base
    }

    /// True if nothing is known of the frame of the function at PC.
    pub(crate) fn is_missing(&self, cpu: &Cpu, bus: &Bus) -> bool {
        self.base(cpu, bus).is_none()
    }

    pub(crate) fn take_missing(&self) -> bool {
        std::mem::take(&mut self.lock().missing)
    }

    /// The address of a location of the runtime, once the program is in memory.
    pub(super) fn location(&self, location: Location, peek: &dyn Fn(u16) -> u8) -> Option<u16> {
        self.lock().location(location, peek)
    }

    /// The C stack pointer's value.
    pub(super) fn stack(&self, machine: &Machine) -> Option<u16> {
        self.lock().stack(&|address| machine.peek(address))
    }

    /// At a function's first instruction: a parameter's bytes that are still in registers. `offset`: from the frame's base.
    pub(crate) fn argument(&self, cpu: &Cpu, bus: &Bus, offset: i32) -> Option<[u8; 4]> {
        let learned = self.lock();
        let pushed = *learned.entries.get(&instruction_address(cpu))?;
        let first = usize::try_from(offset).ok()?;
        if first >= usize::from(pushed) {
            return None;
        }
        let pointer = learned.location(Location::Stack, &|address| bus.peek(address))?;
        let mut bytes = [cpu.a, cpu.x, bus.peek(pointer + 2), bus.peek(pointer + 3)];
        bytes.rotate_left(first);
        Some(bytes)
    }

    /// Finds the base of the frame of the function at PC; false if the past does not show it.
    pub(crate) fn learn(
        &self,
        program: &CProgram,
        timeline: &Timeline,
        machine: &Machine,
        now: Moment,
    ) -> bool {
        let place = places(machine, &crate::calls(machine))[0];
        program.function_at(place.at).is_some_and(|function| {
            self.base_at(timeline, function, &place, now, machine)
                .is_some()
        })
    }

    /// The base of the frame of a function that runs at a place.
    pub(super) fn base_at(
        &self,
        timeline: &Timeline,
        function: &Function,
        place: &Place,
        now: Moment,
        machine: &Machine,
    ) -> Option<u16> {
        let pc = instruction_address(&machine.cpu);
        let stack = self.stack(machine)?;
        let known = self.lock().depths.get(&pc).copied();
        if let Some(depth) = known.filter(|_| place.at == pc) {
            return Some(stack.wrapping_add(depth));
        }
        let base = place
            .slots
            .iter()
            .flatten()
            .find_map(|&slot| self.base_of_call(timeline, function, slot, now, machine))?;
        if place.at == pc {
            self.lock().depths.insert(pc, base.wrapping_sub(stack));
        }
        Some(base)
    }

    /// The base of the frame of a function whose return address is in a slot; `None` if it is that of another routine.
    fn base_of_call(
        &self,
        timeline: &Timeline,
        function: &Function,
        slot: u8,
        now: Moment,
        machine: &Machine,
    ) -> Option<u16> {
        let start = *function.code.start();
        let stack: Vec<u8> = (slot..=0xFF)
            .map(|n| machine.peek(0x0100 | u16::from(n)))
            .collect();
        let same = |call: &&KnownCall| call.function == start && call.stack == stack;
        if let Some(call) = self.lock().calls.iter().find(same) {
            return Some(call.base);
        }
        let pointer = self.location(Location::Stack, &|address| machine.peek(address))?;
        // The low byte of the return address is stored last.
        let call = last_store(timeline, 0x0100 | u16::from(slot), now)?;
        let mut visit = timeline.visit(call)?.without_pictures();
        let mut entry = Entry {
            start,
            s: slot.wrapping_sub(1),
        };
        if !visit.run(timeline, now, &mut entry) {
            return None;
        }
        let base = visit
            .machine()
            .peek_word(pointer)
            .wrapping_sub(function.pushed);
        let mut learned = self.lock();
        if learned.calls.len() >= MOST_CALLS {
            learned.calls.remove(0);
        }
        learned.calls.push(KnownCall {
            function: start,
            stack,
            base,
        });
        Some(base)
    }
}

/// The last store into an address before a moment, in the time that is searched.
fn last_store(timeline: &Timeline, address: u16, now: Moment) -> Option<Moment> {
    let mut query = WriteQuery::last(Target::one(address), now);
    loop {
        let progress = query.advance(timeline, crate::LINE);
        if let Some(write) = query.writes().first() {
            return Some(write.at);
        }
        if progress.done || progress.searched > FARTHEST {
            return None;
        }
    }
}

/// Stops at a function's first instruction, with this S.
struct Entry {
    start: u16,
    s: u8,
}

impl Probe for Entry {
    const FETCHES: bool = false;

    fn cycle(&mut self, cpu: &Cpu, _: &Bus) -> bool {
        cpu.pc == self.start
            && cpu.s == self.s
            && cpu.at_instruction_start()
            && !cpu.at_interrupt_start()
    }
}

impl Learned {
    /// The lowest operand: the higher half of a word is named, too. Where the program's own code does not name the stack pointer, the routines of the
    /// runtime that it calls do.
    fn location(&self, location: Location, peek: &dyn Fn(u16) -> u8) -> Option<u16> {
        let instructions = self.operands.get(&location).into_iter().flatten();
        let own = instructions.map(|at| peek(at.wrapping_add(1))).min();
        let found = own.or_else(|| {
            let mut users = self.users.iter().filter(|_| location == Location::Stack);
            users.find_map(|&call| zero_page_operand(call, peek))
        });
        found.map(u16::from)
    }

    fn stack(&self, peek: &dyn Fn(u16) -> u8) -> Option<u16> {
        let pointer = self.location(Location::Stack, peek)?;
        Some(u16::from_le_bytes([
            peek(pointer),
            peek(pointer.wrapping_add(1)),
        ]))
    }
}

/// The first operand in the zero page of the routine that a JSR calls.
fn zero_page_operand(call: u16, peek: &dyn Fn(u16) -> u8) -> Option<u8> {
    if peek(call) != 0x20 {
        return None;
    }
    let start = u16::from_le_bytes([peek(call.wrapping_add(1)), peek(call.wrapping_add(2))]);
    let mut at = start;
    while at.wrapping_sub(start) < PROLOGUE {
        let opcode = OPCODES[usize::from(peek(at))];
        if matches!(opcode.mode, Mode::Zp | Mode::IndY) {
            return Some(peek(at.wrapping_add(1)));
        }
        at = at.wrapping_add(opcode.length());
    }
    None
}
