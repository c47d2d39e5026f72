//! The NMOS 6502C ("SALLY") of the Atari 8-bit computers, one bus cycle at a time.
//!
//! [`Cpu::step`] makes exactly one bus access, like the chip does in one clock cycle, including every dummy read and
//! every double write. Between two steps the whole state is in [`Cpu`], so a machine can be stopped, saved and
//! compared in the middle of an instruction or of an interrupt sequence.
//!
//! # Interrupts
//! The interrupt lines are sampled in the last but one cycle of an instruction, after its bus access; their levels there decide whether the
//! interrupt sequence replaces the next instruction. From this follow the latencies of CLI, SEI and PLP (one more instruction) and of RTI (none),
//! and the delay of a taken branch within one page, which samples them only in its first cycle. NMOS quirk: after a PLP that clears I, an
//! immediately following PLP or SEI that sets I still masks a pending IRQ (after CLI it comes, with I set in the byte pushed).
#![no_std]
#![forbid(unsafe_code)]
// The state machine is one function whose arms must not become calls: measured with callgrind.
#![allow(clippy::inline_always)]
// Cycles with equal bodies stand where their sequence is.
#![allow(clippy::match_same_arms)]

mod alu;
mod batch;
pub mod disasm;
pub mod opcodes;
mod state;
mod status;
mod step;

use serde::{Deserialize, Serialize};
use state::State;
use status::Status;

/// The system that the processor is connected to.
pub trait Bus {
    /// One read cycle.
    fn read(&mut self, address: u16) -> u8;
    /// One write cycle.
    fn write(&mut self, address: u16, data: u8);
    /// The level of the IRQ line in this cycle: `true` while a device pulls it low. Asked after the access of the
    /// cycle, and only in cycles in which the processor samples the line.
    fn irq(&self) -> bool;
}

/// A bus on which the processor runs batches of whole instructions: see [`Cpu::run`]. The time of an access is given by the number of
/// cycles of the batch that are `left` after it.
pub trait BatchBus: Bus {
    /// The addresses at which chips answer. Everywhere else is memory: a read there can be made at any time.
    const CHIPS: core::ops::Range<u16>;

    /// The byte of memory at an address outside of [`Self::CHIPS`].
    fn memory(&self, address: u16) -> u8;

    /// The opcode at an address; $02 where a chip answers, which leaves the instruction to [`Cpu::step`].
    fn opcode(&self, address: u16) -> u8;

    /// True if an instruction that is followed by an address reaches a chip or the end of memory with its operand or with the dummy read
    /// of the byte after it, or may do so: it is left to `step`, too.
    fn leaves_memory(next: u16) -> bool;

    /// The byte after an opcode at an address.
    fn operand_byte(&self, address: u16) -> u8;

    /// The two bytes after it.
    fn operand_word(&self, address: u16) -> u16;

    /// A read of a chip, and true if the batch may continue after it.
    fn read_chip(&mut self, left: u32, address: u16) -> (u8, bool);

    /// A write; true if the batch may continue after it.
    fn write_leaving(&mut self, left: u32, address: u16, data: u8) -> bool;

    /// Pushes bytes from the stack pointer `s` down, the last of which leaves `left` cycles. A bus may have a shorter way.
    #[inline(always)]
    fn push<const N: usize>(&mut self, left: u32, s: u8, bytes: [u8; N]) {
        push_each(self, left, s, &bytes);
    }
}

/// Makes each write of [`BatchBus::push`] for itself.
#[cold]
#[inline(never)]
pub fn push_each<B: BatchBus + ?Sized>(bus: &mut B, left: u32, s: u8, bytes: &[u8]) {
    for (after, (i, byte)) in (0..bytes.len() as u32).rev().zip((0..).zip(bytes)) {
        bus.write_leaving(left + after, STACK | s.wrapping_sub(i) as u16, *byte);
    }
}

/// The first address of the stack.
pub const STACK: u16 = 0x0100;

/// The bits of the status register.
pub mod flags {
    /// Carry.
    pub const C: u8 = 0x01;
    /// Zero.
    pub const Z: u8 = 0x02;
    /// IRQ disable.
    pub const I: u8 = 0x04;
    /// Decimal mode.
    pub const D: u8 = 0x08;
    /// Break: exists only in the byte pushed on the stack.
    pub const B: u8 = 0x10;
    /// Not connected: always 1 in the byte pushed on the stack.
    pub const U: u8 = 0x20;
    /// Overflow.
    pub const V: u8 = 0x40;
    /// Negative.
    pub const N: u8 = 0x80;
}

/// The difference between chips in the unstable opcodes: bits that float high on the internal bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unstable {
    /// ANE (`$8B`): ored to A before A is anded with X and the operand.
    pub ane_a: u8,
    /// ANE (`$8B`): ored to the operand for the value left in A, but not for the flags.
    pub ane_operand: u8,
    /// LXA (`$AB`): ored to A before it is anded with the operand.
    pub lxa: u8,
}

impl Unstable {
    /// The Atari: ANE gives `A & X & (operand | $EF)` with N and Z of `A & X & operand`; LXA gives `A & operand` (AHRM 3.5; `$FF` in
    /// `lxa` makes it only the operand, as reported of a 800).
    pub const ATARI: Self = Self {
        ane_a: 0,
        ane_operand: 0xEF,
        lxa: 0x00,
    };
}

impl Default for Unstable {
    fn default() -> Self {
        Self::ATARI
    }
}

/// The processor. Between two calls of [`Cpu::step`] its whole state is in this struct.
// The order of the fields is for speed: a 16-bit field on a multiple of four would be loaded together with the field
// after it, and such a load has to wait for the stores that it overlaps. So every 16-bit field sits two bytes after
// one (a third of the processor's speed, measured).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(C, align(4))]
pub struct Cpu {
    /// Accumulator.
    pub a: u8,
    /// Index register X.
    pub x: u8,
    /// Program counter. Within an instruction it may already be one ahead of the chip's: see [`Cpu::instruction`].
    pub pc: u16,
    /// Index register Y.
    pub y: u8,
    /// Stack pointer.
    pub s: u8,
    /// The address of the next access, except in the first cycle of an instruction: that is at `pc`.
    address: u16,
    status: Status,
    opcode: u8,
    /// The effective address while it is being put together; the vector in interrupt sequences.
    target: u16,
    /// The next step.
    state: State,
    /// The operation that follows the addressing cycles of this opcode.
    last: State,
    /// The address of the current instruction.
    instruction: u16,
    /// The state after the current instruction: `Fetch`, or `Interrupt` once one was recognised.
    next: State,
    /// The NMI edge latch.
    nmi: bool,
    /// The byte of the next data write.
    data: u8,
    /// The byte of the write after it (read-modify-write).
    result: u8,
    /// The constants of the unstable opcodes.
    pub unstable: Unstable,
}

impl Default for Cpu {
    fn default() -> Self {
        Self::new()
    }
}

impl Cpu {
    /// A processor at power-on: the next step is the first cycle of the RESET sequence.
    pub fn new() -> Self {
        Self {
            pc: 0,
            a: 0,
            x: 0,
            y: 0,
            s: 0,
            status: Status::new(0),
            unstable: Unstable::ATARI,
            state: State::Reset1,
            last: State::Fetch,
            opcode: 0,
            address: 0,
            target: 0,
            data: 0,
            result: 0,
            next: State::Fetch,
            nmi: false,
            instruction: 0,
        }
    }

    /// Pulls and releases the RESET line: the next step is the first cycle of the RESET sequence, which reads seven
    /// times (two opcodes, three stack bytes while S goes down by 3, the vector at `$FFFC`) and sets I. A, X, Y and
    /// the other flags stay.
    pub fn reset(&mut self) {
        self.state = State::Reset1;
        self.address = self.pc;
        self.next = State::Fetch;
        self.nmi = false;
    }

    /// Starts an instruction at `pc` with the next step, whatever the processor was doing. For tests and debuggers.
    pub fn set_pc(&mut self, pc: u16) {
        self.pc = pc;
        self.instruction = pc;
        self.state = State::Fetch;
        self.next = State::Fetch;
        self.forget();
    }

    /// The status register, see [`flags`]. Bit 4 is always 0 and bit 5 always 1.
    pub fn p(&self) -> u8 {
        self.status.get()
    }

    /// Sets the status register; bits 4 and 5 do not exist in the chip and are ignored.
    pub fn set_p(&mut self, p: u8) {
        self.status = Status::new(p);
    }

    /// True if the next step writes: RDY does not stop a write cycle.
    #[inline]
    pub fn next_is_write(&self) -> bool {
        self.state.is_write()
    }

    /// True if the next step reads a byte that is not used: hardware sees the access, the program does not.
    #[inline]
    pub fn next_is_dummy_read(&self) -> bool {
        self.state.is_dummy_read()
    }

    /// The address of the next step's access.
    #[inline]
    pub fn next_address(&self) -> u16 {
        if self.at_instruction_start() {
            self.pc
        } else {
            self.address
        }
    }

    /// The byte that the next step writes, if it writes.
    pub fn next_data(&self) -> u8 {
        match self.state {
            State::StoreA | State::PushA => self.a,
            State::StoreX => self.x,
            State::StoreY => self.y,
            State::StoreAX => self.a & self.x,
            State::PushP => self.p() | flags::B,
            State::BreakPushP => self.p() | self.data,
            State::Jsr4 | State::BreakPushHigh => (self.pc >> 8) as u8,
            State::Jsr5 | State::BreakPushLow => self.pc as u8,
            _ => self.data,
        }
    }

    /// A falling edge of the NMI line before the next step; latched until served.
    ///
    /// If the next step is the last but one cycle of an instruction, the NMI sequence follows that instruction. In a
    /// BRK or IRQ sequence an edge before one of the first four cycles takes the vector over, an edge before the fifth
    /// is lost, and a later one is served after the first instruction of the handler (hardware manual, 3.4 and 4.8).
    #[inline]
    pub fn nmi(&mut self) {
        self.nmi = true;
    }

    /// To be called when RDY has stopped the processor for some cycles, before the step that ends the stop, with the
    /// level of the IRQ line in the last stopped cycle: the processor still samples its interrupt lines while RDY
    /// stretches a cycle, so an edge that fell meanwhile is served after the instruction that was stopped in its
    /// last cycle.
    pub fn stopped(&mut self, irq: bool) {
        if self.state.is_last_with_poll() {
            self.recognise(irq);
        }
    }

    /// True if the next step is the first cycle of an instruction (or of an interrupt sequence).
    #[inline]
    pub fn at_instruction_start(&self) -> bool {
        matches!(
            self.state,
            State::Fetch | State::Interrupt | State::FetchAfterPlp
        )
    }

    /// True if the next step is the first cycle of an IRQ or NMI sequence.
    #[inline]
    pub fn at_interrupt_start(&self) -> bool {
        matches!(self.state, State::Interrupt)
    }

    /// The vector of which the next step reads a byte, the low or the high one: the address of its low byte. The handler begins after
    /// the high one.
    #[inline]
    pub fn at_vector(&self) -> Option<u16> {
        matches!(self.state, State::VectorLow | State::VectorHigh).then_some(self.target)
    }

    /// The address of the instruction (or the interrupted one) that the last step belongs to.
    #[inline]
    pub fn instruction(&self) -> u16 {
        self.instruction
    }

    /// The opcode that was fetched last.
    #[inline]
    pub fn opcode(&self) -> u8 {
        self.opcode
    }

    /// True if the processor can be in this state: for one that was read from a file.
    pub fn is_valid(&self) -> bool {
        matches!(self.next, State::Fetch | State::Interrupt)
    }

    /// True if a JAM opcode has stopped the processor until RESET.
    pub fn is_jammed(&self) -> bool {
        matches!(
            self.state,
            State::Jam1 | State::Jam2 | State::Jam3 | State::Jam4 | State::Jam5
        )
    }

    #[cold]
    #[inline(never)]
    fn recognise(&mut self, irq: bool) {
        let recognised = self.nmi || irq && !self.status.masks_irq();
        self.next = if recognised {
            State::Interrupt
        } else {
            State::Fetch
        };
    }
}
