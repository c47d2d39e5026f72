//! A frame run again without a store, with it at another time, or with another value in a register of the processor.

use crate::LINE;
use crate::dli::Store;
use crate::frame_log::FrameLog;
use crate::replay::Replay;
use machine::{Frame, Machine};
use session::timeline::{Event, Register};

/// Cycles of the next line after which a row is drawn to its end.
const DRAWN: u64 = 24;
/// The stack: values of registers that were pushed and are no longer used.
const STACK: std::ops::Range<usize> = 0x0100..0x0200;

/// Columns in which two drawings of a row differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) first: usize,
    pub(super) last: usize,
}

/// A recorded frame that is run again in other ways.
pub(super) struct Effects<'a> {
    start: Replay<'a>,
    /// As far as it was run.
    here: Replay<'a>,
    log: &'a FrameLog,
}

impl<'a> Effects<'a> {
    /// `frame` is at the start of the frame that `log` has.
    pub(super) fn new(frame: Replay<'a>, log: &'a FrameLog) -> Self {
        Self {
            start: frame.clone(),
            here: frame,
            log,
        }
    }

    /// The machine of a cycle of the frame.
    fn machine_at(&mut self, now: u64) -> Machine {
        if now < self.here.machine().now() {
            self.here = self.start.clone();
        }
        self.here.advance(now - self.here.machine().now());
        self.here.machine().clone()
    }

    /// The difference in a row if the store does not last: its register gets its old value back in the next cycle.
    pub(super) fn undone(&mut self, store: &Store, line: u16) -> Option<Span> {
        let before = store.before?;
        let plain = self.machine_at(store.event.now + 1);
        let other = written(plain.clone(), store.event.address, before)?;
        difference(&self.row(plain, line), &self.row(other, line))
    }

    /// The difference in a row if the register has the store's value from another time on, before it.
    pub(super) fn moved(&mut self, store: &Store, now: u64, line: u16) -> Option<Span> {
        let plain = self.machine_at(now);
        let other = written(plain.clone(), store.event.address, store.event.data)?;
        difference(&self.row(plain, line), &self.row(other, line))
    }

    /// True if the machine acts differently in the frame after `now` when A, X or Y (0, 1, 2) has another value there: in memory but for the
    /// stack, in its picture, or by where its program is.
    pub(super) fn register_matters(&mut self, now: u64, register: usize, value: u8) -> bool {
        let mut plain = self.machine_at(now);
        let mut other = plain.clone();
        let event = Event::LoadRegister {
            register: [Register::A, Register::X, Register::Y][register],
            value: value.into(),
        };
        if event.apply(&mut other).is_err() {
            return false;
        }
        let frame = u64::from(self.log.lines) * LINE;
        plain.run_cycles(frame);
        other.run_cycles(frame);
        let memory = |machine: &Machine| -> Vec<u8> {
            let outside = (0..0x1_0000).filter(|at| !STACK.contains(at));
            let ram = outside.filter(|&at| !crate::is_chip(at as u16));
            ram.map(|at| machine.peek(at as u16)).collect()
        };
        plain.cpu.pc != other.cpu.pc
            || plain.frame() != other.frame()
            || memory(&plain) != memory(&other)
    }

    /// The byte at an address when the frame began.
    pub(super) fn peek(&self, address: u16) -> u8 {
        self.start.machine().peek(address)
    }

    /// True if the vector at this address leads to a routine of the program: into RAM.
    pub(super) fn has_routine(&mut self, vector: u16) -> bool {
        let machine = self.here.machine();
        crate::is_ram(machine.peek_word(vector), machine.bus())
    }

    /// A row as a machine draws it whose beam is before its end.
    fn row(&self, mut machine: Machine, line: u16) -> Vec<u8> {
        let end = self.log.time(line + 1, 0) + DRAWN;
        machine.run_cycles(end.saturating_sub(machine.now()));
        machine.draw_to_beam();
        let from = usize::from(line) * Frame::WIDTH;
        let drawn = machine.bus().video.drawing();
        drawn
            .get(from..from + Frame::WIDTH)
            .unwrap_or_default()
            .to_vec()
    }
}

/// A machine whose program writes a register in this cycle.
fn written(mut machine: Machine, address: u16, data: u8) -> Option<Machine> {
    let write = Event::WriteRegister { address, data };
    write.apply(&mut machine).ok().map(|()| machine)
}

fn difference(one: &[u8], other: &[u8]) -> Option<Span> {
    let differs = |x: &usize| one[*x] != other[*x];
    let width = one.len().min(other.len());
    Some(Span {
        first: (0..width).find(differs)?,
        last: (0..width).rev().find(differs)?,
    })
}
