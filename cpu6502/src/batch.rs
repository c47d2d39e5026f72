//! Batches of whole instructions, for cycles in which nothing else acts on the CPU.
//!
//! Here the cycles of an instruction are run together, with the same accesses in the same order and the same state at the end
//! as in [`Cpu::step`]. Skips what cannot be observed: dummy reads of memory, and the first write of a
//! read-modify-write, which writes what is there. Where it could be observed (a chip's address on the way to the operand, an
//! interrupt, the opcodes that are not worth it), nothing happens here at all, and the instruction is left to `step`.

use crate::flags::{B, I, U};
use crate::opcodes::{Access, Mode, OPCODES, Opcode, Operation};
use crate::state::State;
use crate::status::Status;
use crate::step::{IRQ_VECTOR, NMI_VECTOR};
use crate::{BatchBus, Cpu, STACK};

/// A run of whole instructions.
struct Batch<'a, B> {
    pc: u16,
    /// The opcode that is being run.
    opcode: u8,
    /// All but `pc`. Copies of more registers would be more than the host has: the compiler would keep them in memory, too.
    cpu: &'a mut Cpu,
    bus: &'a mut B,
    /// Cycles that have not been run yet; less by [`OVER`] when the bus has ended the batch, so that nothing fits any more.
    left: i32,
    /// Address and data of a write.
    // Here and not in `Outcome`, which would be put together in one register of the host and taken apart again.
    write: (u16, u8),
}

const OVER: i32 = 1 << 30;

/// Result of an instruction.
enum Outcome {
    Done,
    /// Done but for [`Batch::write`], its last cycle.
    Write,
    /// Nothing has happened: it is left to `step`, and the batch is over.
    Left,
}

use Outcome::{Done, Left, Write};

impl Cpu {
    /// Runs instructions as long as each fits as a whole into the rest of `cycles`; returns the rest then. In all of them nothing may happen that
    /// the processor notices, but for the effects of its own accesses of chips. If the bus says so at such an access, which is the last one of its
    /// instruction, the batch is over.
    ///
    /// The state after these cycles is that after as many calls of [`Cpu::step`].
    #[inline(always)]
    pub fn run<B: BatchBus>(&mut self, bus: &mut B, cycles: u32) -> u32 {
        let interrupt =
            self.state == State::Interrupt && cycles >= 7 && !B::CHIPS.contains(&self.pc);
        let quiet =
            self.state == State::Fetch && !self.nmi && (self.status.masks_irq() || !bus.irq());
        if !interrupt && !quiet {
            return cycles;
        }
        let mut batch = Batch {
            pc: self.pc,
            opcode: 0,
            cpu: self,
            bus,
            left: cycles as i32,
            write: (0, 0),
        };
        if interrupt {
            batch.interrupt(batch.pc, U, batch.cpu.nmi);
            batch.cpu.nmi = false;
            batch.cpu.state = State::Fetch;
            batch.cpu.next = State::Fetch;
        }
        loop {
            match batch.dispatch(batch.bus.opcode(batch.pc)) {
                Done => {}
                Write => batch.write_last(),
                Left => break,
            }
        }
        batch.cpu.pc = batch.pc;
        if batch.left < 0 {
            batch.left += OVER;
        }
        batch.left as u32
    }
}

impl<B: BatchBus> Batch<'_, B> {
    #[inline(always)]
    fn dispatch(&mut self, opcode: u8) -> Outcome {
        macro_rules! each {
            ($($n:literal)*) => { match opcode { $($n => self.instruction::<$n>(),)* } };
        }
        #[rustfmt::skip]
        let next = each! {
                0x00 0x01 0x02 0x03 0x04 0x05 0x06 0x07 0x08 0x09 0x0A 0x0B 0x0C 0x0D 0x0E 0x0F
                0x10 0x11 0x12 0x13 0x14 0x15 0x16 0x17 0x18 0x19 0x1A 0x1B 0x1C 0x1D 0x1E 0x1F
                0x20 0x21 0x22 0x23 0x24 0x25 0x26 0x27 0x28 0x29 0x2A 0x2B 0x2C 0x2D 0x2E 0x2F
                0x30 0x31 0x32 0x33 0x34 0x35 0x36 0x37 0x38 0x39 0x3A 0x3B 0x3C 0x3D 0x3E 0x3F
                0x40 0x41 0x42 0x43 0x44 0x45 0x46 0x47 0x48 0x49 0x4A 0x4B 0x4C 0x4D 0x4E 0x4F
                0x50 0x51 0x52 0x53 0x54 0x55 0x56 0x57 0x58 0x59 0x5A 0x5B 0x5C 0x5D 0x5E 0x5F
                0x60 0x61 0x62 0x63 0x64 0x65 0x66 0x67 0x68 0x69 0x6A 0x6B 0x6C 0x6D 0x6E 0x6F
                0x70 0x71 0x72 0x73 0x74 0x75 0x76 0x77 0x78 0x79 0x7A 0x7B 0x7C 0x7D 0x7E 0x7F
                0x80 0x81 0x82 0x83 0x84 0x85 0x86 0x87 0x88 0x89 0x8A 0x8B 0x8C 0x8D 0x8E 0x8F
                0x90 0x91 0x92 0x93 0x94 0x95 0x96 0x97 0x98 0x99 0x9A 0x9B 0x9C 0x9D 0x9E 0x9F
                0xA0 0xA1 0xA2 0xA3 0xA4 0xA5 0xA6 0xA7 0xA8 0xA9 0xAA 0xAB 0xAC 0xAD 0xAE 0xAF
                0xB0 0xB1 0xB2 0xB3 0xB4 0xB5 0xB6 0xB7 0xB8 0xB9 0xBA 0xBB 0xBC 0xBD 0xBE 0xBF
                0xC0 0xC1 0xC2 0xC3 0xC4 0xC5 0xC6 0xC7 0xC8 0xC9 0xCA 0xCB 0xCC 0xCD 0xCE 0xCF
                0xD0 0xD1 0xD2 0xD3 0xD4 0xD5 0xD6 0xD7 0xD8 0xD9 0xDA 0xDB 0xDC 0xDD 0xDE 0xDF
                0xE0 0xE1 0xE2 0xE3 0xE4 0xE5 0xE6 0xE7 0xE8 0xE9 0xEA 0xEB 0xEC 0xED 0xEE 0xEF
                0xF0 0xF1 0xF2 0xF3 0xF4 0xF5 0xF6 0xF7 0xF8 0xF9 0xFA 0xFB 0xFC 0xFD 0xFE 0xFF
        };
        next
    }

    #[inline(always)]
    fn instruction<const OPCODE: u8>(&mut self) -> Outcome {
        let Opcode { operation, mode } = const { OPCODES[OPCODE as usize] };
        if self.left < const { longest(OPCODES[OPCODE as usize]) } {
            return Left;
        }
        if B::leaves_memory(self.pc.wrapping_add(1 + mode.operand_bytes())) {
            return Left;
        }
        self.opcode = OPCODE;
        match (operation.access(), mode) {
            (_, Mode::Acc) => {
                self.cpu.a = self.cpu.modified(operation, self.cpu.a);
                self.done(1, 2)
            }
            (Access::Read, Mode::Imp) => self.done(1, 2),
            (Access::Read, _) => self.read(operation, mode),
            (Access::Write, _) => self.write(operation, mode),
            (Access::Modify, _) => self.modify(operation, mode),
            (Access::Other, Mode::Rel) => self.branch(operation),
            (Access::Other, Mode::Abs | Mode::Ind) => self.jump(operation, mode),
            (Access::Other, _) => self.imply(operation),
        }
    }

    /// Ends an instruction with the next one in memory.
    #[inline(always)]
    fn done(&mut self, length: u16, cycles: i32) -> Outcome {
        self.go_to(self.pc.wrapping_add(length), cycles)
    }

    /// Ends an instruction with the one at `pc`.
    #[inline(always)]
    fn go_to(&mut self, pc: u16, cycles: i32) -> Outcome {
        self.cpu.instruction = self.pc;
        self.pc = pc;
        self.left -= cycles;
        self.cpu.opcode = self.opcode;
        Done
    }

    /// The write with which an instruction ends. All opcodes come to one place for it, as it is long.
    #[inline(always)]
    fn write_last(&mut self) {
        let (address, data) = self.write;
        if !self.bus.write_leaving(self.left as u32, address, data) {
            self.left -= OVER;
        }
    }

    /// The byte after the opcode.
    #[inline(always)]
    fn byte(&self) -> u8 {
        self.bus.operand_byte(self.pc)
    }

    /// The two bytes after the opcode.
    #[inline(always)]
    fn word(&self) -> u16 {
        self.bus.operand_word(self.pc)
    }

    /// A word in page zero.
    #[inline(always)]
    fn pointer(&self, at: u8) -> u16 {
        let high = self.bus.memory(at.wrapping_add(1) as u16);
        u16::from_le_bytes([self.bus.memory(at as u16), high])
    }

    /// The effective address, and the cycles up to its first access. `None` if a chip is read on the way.
    #[inline(always)]
    fn address(&self, mode: Mode, long: bool) -> Option<(u16, i32)> {
        let Cpu { x, y, .. } = *self.cpu;
        let found = match mode {
            Mode::Zp => (self.byte() as u16, 3),
            Mode::ZpX => (self.byte().wrapping_add(x) as u16, 4),
            Mode::ZpY => (self.byte().wrapping_add(y) as u16, 4),
            Mode::Abs => (self.word(), 4),
            Mode::AbsX => return Self::indexed(self.word(), x, 4, long),
            Mode::AbsY => return Self::indexed(self.word(), y, 4, long),
            Mode::IndX => (self.pointer(self.byte().wrapping_add(x)), 6),
            Mode::IndY => return Self::indexed(self.pointer(self.byte()), y, 5, long),
            Mode::Imp | Mode::Acc | Mode::Imm | Mode::Ind | Mode::Rel => return None,
        };
        Some(found)
    }

    /// With the read at the address whose high byte is not yet corrected, if there is one.
    #[inline(always)]
    fn indexed(base: u16, index: u8, cycles: i32, long: bool) -> Option<(u16, i32)> {
        let address = base.wrapping_add(index as u16);
        let crosses = (base ^ address) & 0xFF00 != 0;
        if !long && !crosses {
            return Some((address, cycles));
        }
        let first = base & 0xFF00 | address & 0xFF;
        (!B::CHIPS.contains(&first)).then_some((address, cycles + 1))
    }

    #[inline(always)]
    fn read(&mut self, operation: Operation, mode: Mode) -> Outcome {
        if mode == Mode::Imm {
            self.cpu.take(operation, self.byte());
            return self.done(2, 2);
        }
        let Some((address, cycles)) = self.address(mode, false) else {
            return Left;
        };
        let chip = B::CHIPS.contains(&address);
        let data = if chip {
            let (data, on) = self.bus.read_chip((self.left - cycles) as u32, address);
            if !on {
                self.left -= OVER;
            }
            data
        } else {
            self.bus.memory(address)
        };
        self.cpu.take(operation, data);
        self.done(1 + mode.operand_bytes(), cycles)
    }

    #[inline(always)]
    fn write(&mut self, operation: Operation, mode: Mode) -> Outcome {
        if !matches!(
            operation,
            Operation::Sta | Operation::Stx | Operation::Sty | Operation::Sax
        ) {
            return Left;
        }
        let Some((address, cycles)) = self.address(mode, true) else {
            return Left;
        };
        self.done(1 + mode.operand_bytes(), cycles);
        self.write = (address, self.cpu.stored(operation));
        Write
    }

    #[inline(always)]
    fn modify(&mut self, operation: Operation, mode: Mode) -> Outcome {
        let Some((address, cycles)) = self.address(mode, true) else {
            return Left;
        };
        if B::CHIPS.contains(&address) {
            return Left;
        }
        self.done(1 + mode.operand_bytes(), cycles + 2);
        let data = self.bus.memory(address);
        self.write = (address, self.cpu.modified(operation, data));
        Write
    }

    #[inline(always)]
    fn branch(&mut self, operation: Operation) -> Outcome {
        let distance = self.byte() as i8 as u16;
        if !self.cpu.condition(operation) {
            return self.done(2, 2);
        }
        let from = self.pc.wrapping_add(2);
        let target = from.wrapping_add(distance);
        self.left -= ((from ^ target) & 0xFF00 != 0) as i32;
        self.go_to(target, 3)
    }

    /// Pushes bytes, the last one in this cycle of the instruction.
    #[inline(always)]
    fn push<const N: usize>(&mut self, cycle: i32, bytes: [u8; N]) {
        let s = self.cpu.s;
        self.cpu.s = s.wrapping_sub(N as u8);
        self.bus.push((self.left - cycle) as u32, s, bytes);
    }

    #[inline(always)]
    fn pull(&mut self) -> u8 {
        self.cpu.s = self.cpu.s.wrapping_add(1);
        self.bus.memory(STACK | self.cpu.s as u16)
    }

    /// The sequence of BRK and interrupts.
    #[inline(always)]
    fn interrupt(&mut self, back: u16, kind: u8, nmi: bool) {
        let [low, high] = back.to_le_bytes();
        self.push(5, [high, low, self.cpu.status.get() | kind]);
        self.cpu.status.rest |= I;
        let vector = if nmi { NMI_VECTOR } else { IRQ_VECTOR };
        let handler = u16::from_le_bytes([self.bus.memory(vector), self.bus.memory(vector + 1)]);
        self.go_to(handler, 7);
    }

    /// The byte of the pull with this number from now, from 1.
    #[inline(always)]
    fn pulled(&self, number: u8) -> u8 {
        let s = self.cpu.s.wrapping_add(number);
        self.bus.memory(STACK | s as u16)
    }

    #[inline(always)]
    fn jump(&mut self, operation: Operation, mode: Mode) -> Outcome {
        let mut target = self.word();
        let mut cycles = 3;
        if mode == Mode::Ind {
            if B::CHIPS.contains(&target) {
                return Left;
            }
            // The carry into the high byte is missing.
            let second = target & 0xFF00 | target.wrapping_add(1) & 0xFF;
            target = u16::from_le_bytes([self.bus.memory(target), self.bus.memory(second)]);
            cycles = 5;
        }
        if operation == Operation::Jsr {
            let [low, high] = self.pc.wrapping_add(2).to_le_bytes();
            self.push(5, [high, low]);
            // The high byte is read after them, and may be one of them.
            let at = self.pc.wrapping_add(2);
            target = target & 0xFF | (self.bus.memory(at) as u16) << 8;
            cycles = 6;
        }
        self.go_to(target, cycles)
    }

    /// Operations without operand. Those that unmask an interrupt are left to `step`.
    #[inline(always)]
    fn imply(&mut self, operation: Operation) -> Outcome {
        match operation {
            Operation::Jam => Left,
            Operation::Brk => {
                self.interrupt(self.pc.wrapping_add(2), B | U, false);
                Done
            }
            Operation::Pha | Operation::Php => {
                self.done(1, 3);
                self.write = (STACK | self.cpu.s as u16, self.cpu.stored(operation));
                self.cpu.s = self.cpu.s.wrapping_sub(1);
                Write
            }
            Operation::Pla => {
                let data = self.pull();
                self.cpu.take(operation, data);
                self.done(1, 4)
            }
            Operation::Plp => {
                if self.pulled(1) & I == 0 && self.cpu.status.masks_irq() {
                    return Left;
                }
                let p = self.pull();
                self.cpu.status = Status::new(p);
                self.done(1, 4)
            }
            Operation::Rts => {
                let from = u16::from_le_bytes([self.pulled(1), self.pulled(2)]);
                if B::CHIPS.contains(&from) {
                    return Left;
                }
                self.cpu.s = self.cpu.s.wrapping_add(2);
                self.go_to(from.wrapping_add(1), 6)
            }
            Operation::Rti => {
                if self.pulled(1) & I == 0 && self.bus.irq() {
                    return Left;
                }
                let p = self.pull();
                self.cpu.status = Status::new(p);
                let back = u16::from_le_bytes([self.pull(), self.pull()]);
                self.go_to(back, 6)
            }
            Operation::Cli if self.bus.irq() => Left,
            _ => {
                self.cpu.imply(operation);
                self.done(1, 2)
            }
        }
    }
}

/// The most cycles that an instruction takes.
const fn longest(opcode: Opcode) -> i32 {
    opcode.cycles() as i32
        + if opcode.operation.is_branch() {
            2
        } else {
            opcode.has_page_penalty() as i32
        }
}
