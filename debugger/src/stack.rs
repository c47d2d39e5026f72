//! The calls and interrupts that have not returned, read from the stack and, for interrupts, from the last frames.

use crate::watch::{Entry, Follow, Follower};
use crate::{Debugger, Moment, Track};
use machine::Machine;
use session::timeline::BranchId;

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

impl Debugger {
    /// The calls and interrupts that have not returned, the latest first: [`calls`], with the interrupts of the last two frames of recorded time.
    pub fn call_stack(&self, track: &Track) -> Vec<Call> {
        let mut known = self.interrupts.borrow_mut();
        if known.as_ref().is_none_or(|known| !known.holds(track)) {
            *known = Some(OpenInterrupts::of(track));
        }
        let known = known.as_ref().map_or(&[][..], |known| &known.list);
        between(track.machine(), known)
    }
}

/// The interrupts that have not returned at a moment of a branch.
#[derive(Debug)]
pub(crate) struct OpenInterrupts {
    at: (BranchId, Moment),
    /// The latest last.
    list: Vec<Handler>,
}

impl OpenInterrupts {
    /// Runs the last frames of recorded time again.
    fn of(track: &Track) -> Self {
        let machine = track.machine();
        let frame = u64::from(machine.bus().video.antic.lines()) * crate::LINE;
        let (timeline, now) = (track.timeline(), track.moment());
        let from = Moment(now.0.saturating_sub(FRAMES * frame)).max(timeline.oldest());
        let open = timeline.visit(from).map(|visit| {
            let mut follower = Follower::new(visit.machine(), None);
            visit.without_pictures().run(timeline, now, &mut follower);
            follower.finish(machine)
        });
        let mut list: Vec<Handler> = Vec::new();
        // Each has fewer bytes below it than the one that it interrupted; a program may have left one by moving S.
        let mut least = machine.cpu.s;
        for &(entry, s) in open.iter().flat_map(Follow::open).rev() {
            let Some(vector) = entry.vector().filter(|_| s >= least) else {
                continue;
            };
            least = s.saturating_add(1);
            list.insert(
                0,
                Handler {
                    entry,
                    routine: machine.peek_word(vector),
                    s,
                },
            );
        }
        Self {
            at: (timeline.branch(), now),
            list,
        }
    }

    fn holds(&self, track: &Track) -> bool {
        self.at == (track.timeline().branch(), track.moment())
    }
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
