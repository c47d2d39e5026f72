//! The calls and interrupts that have not returned, read from the stack and, for interrupts, from the last frames.

use crate::watch::Entry;
use crate::{Moment, Track};
use cpu6502::Cpu;
use machine::{Bus, Machine, Probe};

const JSR: u8 = 0x20;
/// Calls that are looked for.
const MOST: usize = 64;
/// Frames in which the interrupts that have not returned are looked for: a handler that runs longer is not known as one.
const FRAMES: u64 = 2;

/// A JSR whose return address is on the stack, or an instruction that an interrupt came before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The JSR, or the instruction that comes next once the interrupt has ended.
    pub at: u16,
    /// The routine or handler.
    pub routine: u16,
    /// The place of the return address in page 1.
    pub slot: u8,
    /// The interrupt; `None` for a JSR.
    pub interrupt: Option<Entry>,
}

/// The calls that have not returned, the latest first. The stack does not mark its bytes: two that point to the last byte of a JSR are taken
/// for its return address, and interrupts are not told apart.
pub fn calls(machine: &Machine) -> Vec<Call> {
    between(machine, &[])
}

/// The calls and interrupts that have not returned, the latest first: [`calls`], with the interrupts of the last two frames of recorded time.
pub fn call_stack(track: &Track) -> Vec<Call> {
    between(track.machine(), &interrupts(track))
}

/// Calls, with the interrupts that are known, the latest last.
fn between(machine: &Machine, interrupts: &[Handler]) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut slot = u16::from(machine.cpu.s) + 1;
    let handler_at =
        |slot: u16| (interrupts.iter().rev()).find(|handler| u16::from(handler.s) + 1 == slot);
    while slot < 0xFF && calls.len() < MOST {
        // P, then the address of the next instruction.
        if let Some(handler) = handler_at(slot) {
            calls.push(Call {
                at: machine.peek_word(0x0101 + slot),
                routine: handler.routine,
                slot: (slot + 1) as u8,
                interrupt: Some(handler.entry),
            });
            slot += 3;
            continue;
        }
        let at = machine.peek_word(0x0100 + slot).wrapping_sub(2);
        let is_call = machine.peek(at) == JSR && !crate::is_chip(at);
        if is_call && handler_at(slot + 1).is_none() {
            calls.push(Call {
                at,
                routine: machine.peek_word(at.wrapping_add(1)),
                slot: slot as u8,
                interrupt: None,
            });
            slot += 2;
        } else {
            slot += 1;
        }
    }
    calls
}

/// A handler that has begun.
#[derive(Clone, Copy, Debug)]
struct Handler {
    entry: Entry,
    routine: u16,
    /// S when its first instruction begins.
    s: u8,
}

/// Tracks interrupts: one has returned when S is above its value at the handler's beginning.
#[derive(Default)]
struct Handlers {
    vector: Option<Entry>,
    stepped: bool,
    open: Vec<Handler>,
}

impl Probe for Handlers {
    const FETCHES: bool = false;

    fn read(&mut self, _: u64, _: u16, _: u8) {
        self.stepped = true;
    }

    fn written(&mut self, _: u64, _: u16, _: u8) {
        self.stepped = true;
    }

    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        if let Some(vector) = cpu.at_vector() {
            self.vector = Some(Entry::of_vector(vector, bus));
        }
        if !std::mem::take(&mut self.stepped) || !cpu.at_instruction_start() {
            return false;
        }
        self.open.retain(|handler| cpu.s <= handler.s);
        match self.vector.take() {
            // The program does not return from it.
            Some(Entry::Reset) => self.open.clear(),
            Some(entry) => self.open.push(Handler {
                entry,
                routine: cpu.pc,
                s: cpu.s,
            }),
            None => {}
        }
        false
    }
}

/// The interrupts of the last frames that have not returned, the latest last.
fn interrupts(track: &Track) -> Vec<Handler> {
    let frame = u64::from(track.machine().bus().video.antic.lines()) * crate::LINE;
    let (timeline, now) = (track.timeline(), track.moment());
    let from = Moment(now.0.saturating_sub(FRAMES * frame)).max(timeline.oldest());
    let mut handlers = Handlers::default();
    if let Some(visit) = timeline.visit(from) {
        visit.without_pictures().run(timeline, now, &mut handlers);
    }
    // A program may have moved S since.
    let s = track.machine().cpu.s;
    handlers.open.retain(|handler| s <= handler.s);
    handlers.open
}
