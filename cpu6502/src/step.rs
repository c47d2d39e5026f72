//! The state machine: one arm per kind of cycle.

use crate::flags::{B, I, U};
use crate::opcodes::{OPCODES, Operation};
use crate::state::{ENTRIES, State};
use crate::{Bus, Cpu, STACK};

pub(crate) const NMI_VECTOR: u16 = 0xFFFA;
const RESET_VECTOR: u16 = 0xFFFC;
pub(crate) const IRQ_VECTOR: u16 = 0xFFFE;

/// Some bus.
#[cfg(target_family = "wasm")]
struct AnyBus<'a>(&'a mut dyn Bus);

#[cfg(target_family = "wasm")]
impl Bus for AnyBus<'_> {
    fn read(&mut self, address: u16) -> u8 {
        self.0.read(address)
    }

    fn write(&mut self, address: u16, data: u8) {
        self.0.write(address, data);
    }

    fn irq(&self) -> bool {
        self.0.irq()
    }
}

impl Cpu {
    /// One cycle: exactly one bus access. Not called while HALT or RDY stops the processor.
    #[inline]
    pub fn step<B: Bus>(&mut self, bus: &mut B) {
        #[cfg(not(target_family = "wasm"))]
        self.step_inlined(bus);
        #[cfg(target_family = "wasm")]
        self.step_on_any(&mut AnyBus(bus));
    }

    /// [`Self::step`], once for all buses: a copy for each of them would be a tenth of the page's program.
    #[cfg(target_family = "wasm")]
    #[inline(never)]
    fn step_on_any(&mut self, bus: &mut AnyBus) {
        self.step_inlined(bus);
    }

    /// [`Self::step`], to be called in one hot loop: always inlined there, which saves the call.
    #[inline(always)]
    pub fn step_inlined<B: Bus>(&mut self, bus: &mut B) {
        match self.state {
            State::Interrupt => {
                bus.read(self.pc);
                self.next = State::Fetch;
                self.instruction = self.pc;
                self.opcode = 0;
                self.go(State::Break2, self.pc);
            }
            State::Fetch => {
                let data = bus.read(self.pc);
                self.fetch(bus, data);
            }

            State::FetchAfterPlp => {
                let data = bus.read(self.pc);
                self.fetch_after_plp(bus, data);
            }

            State::Zp2 => {
                let data = self.read(bus);
                self.operate(bus, data as u16);
            }
            State::ZpX2 => {
                let data = self.read(bus);
                self.go(State::ZpX3, data as u16);
            }
            State::ZpX3 => {
                self.read(bus);
                self.operate(bus, self.address.wrapping_add(self.x as u16) & 0xFF);
            }
            State::ZpY2 => {
                let data = self.read(bus);
                self.go(State::ZpY3, data as u16);
            }
            State::ZpY3 => {
                self.read(bus);
                self.operate(bus, self.address.wrapping_add(self.y as u16) & 0xFF);
            }

            State::Abs2 => {
                let data = self.read(bus);
                self.next_operand(State::Abs3, data);
            }
            State::Abs3 => {
                let data = self.read(bus);
                self.operate(bus, (data as u16) << 8 | self.target & 0xFF);
            }
            State::AbsX2 => {
                let data = self.read(bus);
                self.next_operand(State::AbsX3, data);
            }
            State::AbsX3 => {
                let data = self.read(bus);
                self.index_short(bus, data, self.x);
            }
            State::AbsY2 => {
                let data = self.read(bus);
                self.next_operand(State::AbsY3, data);
            }
            State::AbsY3 => {
                let data = self.read(bus);
                self.index_short(bus, data, self.y);
            }
            State::AbsXLong2 => {
                let data = self.read(bus);
                self.next_operand(State::AbsXLong3, data);
            }
            State::AbsXLong3 => {
                let data = self.read(bus);
                self.index_long(data, self.x);
            }
            State::AbsYLong2 => {
                let data = self.read(bus);
                self.next_operand(State::AbsYLong3, data);
            }
            State::AbsYLong3 => {
                let data = self.read(bus);
                self.index_long(data, self.y);
            }

            State::IndX2 => {
                let data = self.read(bus);
                self.go(State::IndX3, data as u16);
            }
            State::IndX3 => {
                self.read(bus);
                self.go(
                    State::IndX4,
                    self.address.wrapping_add(self.x as u16) & 0xFF,
                );
            }
            State::IndX4 => {
                let data = self.read(bus);
                self.target = data as u16;
                self.go(State::IndX5, self.address.wrapping_add(1) & 0xFF);
            }
            State::IndX5 => {
                let data = self.read(bus);
                self.operate(bus, (data as u16) << 8 | self.target & 0xFF);
            }

            State::IndY2 => {
                let data = self.read(bus);
                self.go(State::IndY3, data as u16);
            }
            State::IndY3 => {
                let data = self.read(bus);
                self.target = data as u16;
                self.go(State::IndY4, self.address.wrapping_add(1) & 0xFF);
            }
            State::IndY4 => {
                let data = self.read(bus);
                self.index_short(bus, data, self.y);
            }
            State::IndYLong2 => {
                let data = self.read(bus);
                self.go(State::IndYLong3, data as u16);
            }
            State::IndYLong3 => {
                let data = self.read(bus);
                self.target = data as u16;
                self.go(State::IndYLong4, self.address.wrapping_add(1) & 0xFF);
            }
            State::IndYLong4 => {
                let data = self.read(bus);
                self.index_long(data, self.y);
            }

            State::Fix => {
                self.read(bus);
                self.operate(bus, self.target);
            }
            State::FixUnstable => {
                self.read(bus);
                self.fix_unstable(bus);
            }

            State::Jmp2 => {
                let data = self.read(bus);
                self.next_operand(State::JmpHigh, data);
                self.poll(bus);
            }
            State::JmpInd2 => {
                let data = self.read(bus);
                self.next_operand(State::JmpInd3, data);
            }
            State::JmpInd3 => {
                let data = self.read(bus);
                self.go(State::JmpInd4, (data as u16) << 8 | self.target & 0xFF);
            }
            State::JmpInd4 => {
                let data = self.read(bus);
                self.target = data as u16;
                // The carry into the high byte is missing.
                self.go(
                    State::JmpHigh,
                    self.address & 0xFF00 | self.address.wrapping_add(1) & 0xFF,
                );
                self.poll(bus);
            }
            State::JmpHigh | State::JsrHigh => {
                let data = self.read(bus);
                self.jump((data as u16) << 8 | self.target & 0xFF);
            }

            State::Jsr2 => {
                let data = self.read(bus);
                self.target = data as u16;
                self.go(State::Jsr3, self.stack());
            }
            State::Jsr3 => {
                self.read(bus);
                self.state = State::Jsr4;
            }

            State::Push2 => {
                self.read(bus);
                self.operate(bus, self.stack());
            }
            State::Pull2 => {
                self.read(bus);
                self.go(State::Pull3, self.stack());
            }
            State::Pull3 => {
                self.read(bus);
                self.pull(self.last);
                self.poll(bus);
            }
            State::Plp => {
                let data = self.read(bus);
                let masked = self.status.masks_irq();
                self.set_p(data);
                self.finish();
                if masked && !self.status.masks_irq() && self.state == State::Fetch {
                    self.state = State::FetchAfterPlp;
                }
            }
            State::PlpAgain => {
                let data = self.read(bus);
                self.set_p(data);
                if self.status.masks_irq() && !self.nmi {
                    self.next = State::Fetch;
                }
                self.finish();
            }
            State::Rts4 => {
                let data = self.read(bus);
                self.target = data as u16;
                self.pull(State::Rts5);
            }
            State::Rts5 => {
                let data = self.read(bus);
                self.pc = (data as u16) << 8 | self.target & 0xFF;
                self.go(State::Rts6, self.pc);
                self.next = State::Fetch;
                self.poll(bus);
            }
            State::Rts6 => {
                self.read(bus);
                self.jump(self.pc.wrapping_add(1));
            }
            State::Rti4 => {
                let data = self.read(bus);
                self.set_p(data);
                self.pull(State::Rti5);
            }
            State::Rti5 => {
                let data = self.read(bus);
                self.target = data as u16;
                self.pull(State::Rti6);
                self.next = State::Fetch;
                self.poll(bus);
            }
            State::Rti6 => {
                let data = self.read(bus);
                self.jump((data as u16) << 8 | self.target & 0xFF);
            }

            State::Brk2 => {
                self.read(bus);
                self.data = B | U;
                self.go(State::BreakPushHigh, self.stack());
            }
            State::Break2 => {
                self.read(bus);
                self.data = U;
                self.go(State::BreakPushHigh, self.stack());
            }
            State::VectorLow => {
                let data = self.read(bus);
                self.status.rest |= I;
                self.data = data;
                self.go(State::VectorHigh, self.target | 1);
            }
            State::VectorHigh => {
                let data = self.read(bus);
                self.jump((data as u16) << 8 | self.data as u16);
            }

            State::Reset1 => {
                self.read(bus);
                self.go(State::Reset2, self.pc);
            }
            State::Reset2 => {
                self.read(bus);
                self.go(State::Reset3, self.stack());
            }
            State::Reset3 => {
                self.read(bus);
                self.reset_push(State::Reset4);
            }
            State::Reset4 => {
                self.read(bus);
                self.reset_push(State::Reset5);
            }
            State::Reset5 => {
                self.read(bus);
                self.s = self.s.wrapping_sub(1);
                self.target = RESET_VECTOR;
                self.go(State::VectorLow, RESET_VECTOR);
            }

            State::Jam1 => {
                self.read(bus);
                self.go(State::Jam2, 0xFFFF);
            }
            State::Jam2 => {
                self.read(bus);
                self.go(State::Jam3, 0xFFFE);
            }
            State::Jam3 => {
                self.read(bus);
                self.go(State::Jam4, 0xFFFE);
            }
            State::Jam4 => {
                self.read(bus);
                self.go(State::Jam5, 0xFFFF);
            }
            State::Jam5 => {
                self.read(bus);
            }

            State::Bcc => self.branch(bus, Operation::Bcc),
            State::Bcs => self.branch(bus, Operation::Bcs),
            State::Bne => self.branch(bus, Operation::Bne),
            State::Beq => self.branch(bus, Operation::Beq),
            State::Bpl => self.branch(bus, Operation::Bpl),
            State::Bmi => self.branch(bus, Operation::Bmi),
            State::Bvc => self.branch(bus, Operation::Bvc),
            State::Bvs => self.branch(bus, Operation::Bvs),
            State::BranchTaken => {
                self.read(bus);
                if (self.pc ^ self.target) & 0xFF00 == 0 {
                    // The lines are not sampled here: an interrupt that came in cycle 2 waits for one more instruction.
                    self.jump(self.target);
                } else {
                    self.go(State::BranchFix, self.pc & 0xFF00 | self.target & 0xFF);
                    self.poll(bus);
                }
            }
            State::BranchFix => {
                self.read(bus);
                self.jump(self.target);
            }

            State::Clc => self.imply_in(bus, Operation::Clc),
            State::Cld => self.imply_in(bus, Operation::Cld),
            State::Cli => self.imply_in(bus, Operation::Cli),
            State::Clv => self.imply_in(bus, Operation::Clv),
            State::Sec => self.imply_in(bus, Operation::Sec),
            State::Sed => self.imply_in(bus, Operation::Sed),
            State::Sei => self.imply_in(bus, Operation::Sei),
            State::Dex => self.imply_in(bus, Operation::Dex),
            State::Dey => self.imply_in(bus, Operation::Dey),
            State::Inx => self.imply_in(bus, Operation::Inx),
            State::Iny => self.imply_in(bus, Operation::Iny),
            State::Tax => self.imply_in(bus, Operation::Tax),
            State::Tay => self.imply_in(bus, Operation::Tay),
            State::Tsx => self.imply_in(bus, Operation::Tsx),
            State::Txa => self.imply_in(bus, Operation::Txa),
            State::Txs => self.imply_in(bus, Operation::Txs),
            State::Tya => self.imply_in(bus, Operation::Tya),
            State::AslA => self.modify_a(bus, Operation::Asl),
            State::LsrA => self.modify_a(bus, Operation::Lsr),
            State::RolA => self.modify_a(bus, Operation::Rol),
            State::RorA => self.modify_a(bus, Operation::Ror),

            State::Adc => self.take_in(bus, Operation::Adc),
            State::And => self.take_in(bus, Operation::And),
            State::Bit => self.take_in(bus, Operation::Bit),
            State::Cmp => self.take_in(bus, Operation::Cmp),
            State::Cpx => self.take_in(bus, Operation::Cpx),
            State::Cpy => self.take_in(bus, Operation::Cpy),
            State::Eor => self.take_in(bus, Operation::Eor),
            State::Lda => self.take_in(bus, Operation::Lda),
            State::Ldx => self.take_in(bus, Operation::Ldx),
            State::Ldy => self.take_in(bus, Operation::Ldy),
            State::Nop => self.take_in(bus, Operation::Nop),
            State::Ora => self.take_in(bus, Operation::Ora),
            State::Pla => self.take_in(bus, Operation::Pla),
            State::Sbc => self.take_in(bus, Operation::Sbc),
            State::Alr => self.take_in(bus, Operation::Alr),
            State::Anc => self.take_in(bus, Operation::Anc),
            State::Ane => self.take_in(bus, Operation::Ane),
            State::Arr => self.take_in(bus, Operation::Arr),
            State::Las => self.take_in(bus, Operation::Las),
            State::Lax => self.take_in(bus, Operation::Lax),
            State::Lxa => self.take_in(bus, Operation::Lxa),
            State::Sbx => self.take_in(bus, Operation::Sbx),

            State::Asl => self.modify(bus, Operation::Asl),
            State::Lsr => self.modify(bus, Operation::Lsr),
            State::Rol => self.modify(bus, Operation::Rol),
            State::Ror => self.modify(bus, Operation::Ror),
            State::Inc => self.modify(bus, Operation::Inc),
            State::Dec => self.modify(bus, Operation::Dec),
            State::Slo => self.modify(bus, Operation::Slo),
            State::Rla => self.modify(bus, Operation::Rla),
            State::Sre => self.modify(bus, Operation::Sre),
            State::Rra => self.modify(bus, Operation::Rra),
            State::Dcp => self.modify(bus, Operation::Dcp),
            State::Isc => self.modify(bus, Operation::Isc),

            State::StoreA => self.store(bus, self.stored(Operation::Sta)),
            State::StoreX => self.store(bus, self.stored(Operation::Stx)),
            State::StoreY => self.store(bus, self.stored(Operation::Sty)),
            State::StoreAX => self.store(bus, self.stored(Operation::Sax)),
            State::StoreData => self.store(bus, self.data),
            State::ModifyOld => {
                bus.write(self.address, self.data);
                self.data = self.result;
                self.state = State::StoreData;
                self.next = State::Fetch;
                self.poll(bus);
            }
            State::PushA => {
                self.push(bus, self.stored(Operation::Pha));
                self.finish();
            }
            State::PushP => {
                self.push(bus, self.stored(Operation::Php));
                self.finish();
            }
            State::Jsr4 => {
                self.push(bus, (self.pc >> 8) as u8);
                self.state = State::Jsr5;
            }
            State::Jsr5 => {
                self.push(bus, self.pc as u8);
                self.go(State::JsrHigh, self.pc);
                self.poll(bus);
            }
            State::BreakPushHigh => {
                self.push(bus, (self.pc >> 8) as u8);
                self.state = State::BreakPushLow;
            }
            State::BreakPushLow => {
                self.push(bus, self.pc as u8);
                self.state = State::BreakPushP;
                self.target = if self.nmi { NMI_VECTOR } else { IRQ_VECTOR };
            }
            State::BreakPushP => {
                // An edge after the choice of the vector is taken for the one that is being served: lost.
                self.nmi = false;
                self.push(bus, self.p() | self.data);
                self.go(State::VectorLow, self.target);
            }
        }
    }

    #[inline(always)]
    fn read<B: Bus>(&self, bus: &mut B) -> u8 {
        bus.read(self.address)
    }

    /// Samples the interrupt lines: to be called in the last but one cycle of each instruction.
    #[inline(always)]
    fn poll<B: Bus>(&mut self, bus: &B) {
        if bus.irq() | self.nmi {
            self.recognise(bus.irq());
        }
    }

    /// The addressing cycles are over, one more cycle (or the three of a read-modify-write) follows.
    #[inline(always)]
    fn operate<B: Bus>(&mut self, bus: &B, address: u16) {
        self.address = address;
        self.state = self.last;
        self.poll(bus);
    }

    #[inline(always)]
    fn go(&mut self, state: State, address: u16) {
        self.state = state;
        self.address = address;
    }

    /// The instruction is over.
    #[inline(always)]
    fn finish(&mut self) {
        self.state = self.next;
        self.forget();
    }

    /// Clears the values that the cycles of an instruction have shared: between two instructions they mean nothing.
    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.address = 0;
        self.target = 0;
        self.last = State::Fetch;
        self.data = 0;
        self.result = 0;
    }

    #[inline(always)]
    fn jump(&mut self, pc: u16) {
        self.pc = pc;
        self.finish();
    }

    #[inline(always)]
    fn next_operand(&mut self, state: State, data: u8) {
        self.target = data as u16;
        self.go(state, self.pc);
        self.pc = self.pc.wrapping_add(1);
    }

    /// Indexing without a fixed extra cycle: the high byte is only corrected when it must be.
    #[inline(always)]
    fn index_short<B: Bus>(&mut self, bus: &B, high: u8, index: u8) {
        let low = (self.target & 0xFF) + index as u16;
        let high = (high as u16) << 8;
        if low > 0xFF {
            self.target = high.wrapping_add(low);
            self.go(State::Fix, high | low & 0xFF);
        } else {
            self.operate(bus, high | low);
        }
    }

    #[inline(always)]
    fn index_long(&mut self, high: u8, index: u8) {
        let low = (self.target & 0xFF) + index as u16;
        let high = (high as u16) << 8;
        self.target = high.wrapping_add(low);
        let fix = if matches!(self.last, State::FixUnstable) {
            State::FixUnstable
        } else {
            State::Fix
        };
        self.go(fix, high | low & 0xFF);
    }

    #[inline(always)]
    fn branch<B: Bus>(&mut self, bus: &mut B, operation: Operation) {
        let distance = self.read(bus);
        if self.condition(operation) {
            self.target = self.pc.wrapping_add(distance as i8 as u16);
            self.go(State::BranchTaken, self.pc);
        } else {
            self.finish();
        }
    }

    /// The last cycle of an operation that reads a byte.
    #[inline(always)]
    fn take_in<B: Bus>(&mut self, bus: &mut B, operation: Operation) {
        let data = self.read(bus);
        self.take(operation, data);
        self.finish();
    }

    /// The second and last cycle of an operation without operand.
    #[inline(always)]
    fn imply_in<B: Bus>(&mut self, bus: &mut B, operation: Operation) {
        self.read(bus);
        self.imply(operation);
        self.finish();
    }

    /// The second and last cycle of a shift of the accumulator.
    #[inline(always)]
    fn modify_a<B: Bus>(&mut self, bus: &mut B, operation: Operation) {
        self.read(bus);
        self.a = self.modified(operation, self.a);
        self.finish();
    }

    /// The read of a read-modify-write: the byte is written back before the result.
    #[inline(always)]
    fn modify<B: Bus>(&mut self, bus: &mut B, operation: Operation) {
        self.data = self.read(bus);
        self.result = self.modified(operation, self.data);
        self.state = State::ModifyOld;
    }

    #[inline(always)]
    fn stack(&self) -> u16 {
        STACK | self.s as u16
    }

    #[inline(always)]
    fn pull(&mut self, state: State) {
        self.s = self.s.wrapping_add(1);
        self.go(state, self.stack());
    }

    #[inline(always)]
    fn push<B: Bus>(&mut self, bus: &mut B, data: u8) {
        bus.write(self.address, data);
        self.s = self.s.wrapping_sub(1);
        self.address = self.stack();
    }

    #[inline(always)]
    fn fetch<B: Bus>(&mut self, bus: &B, data: u8) {
        self.instruction = self.pc;
        let entry = ENTRIES[data as usize];
        let next = self.pc.wrapping_add(1);
        self.opcode = data;
        self.pc = next.wrapping_add(entry.operand as u16);
        self.last = entry.last;
        self.go(entry.first, next);
        if (bus.irq() | self.nmi) && entry.short {
            self.recognise(bus.irq());
        }
    }

    /// The instruction after a PLP that cleared I: SEI and PLP mask an IRQ in time here, which they do not after CLI (AHRM 3.4).
    #[cold]
    #[inline(never)]
    fn fetch_after_plp<B: Bus>(&mut self, bus: &B, data: u8) {
        self.fetch(bus, data);
        match OPCODES[data as usize].operation {
            Operation::Sei if !self.nmi => self.next = State::Fetch,
            Operation::Plp => self.last = State::PlpAgain,
            _ => {}
        }
    }

    #[inline(always)]
    fn store<B: Bus>(&mut self, bus: &mut B, data: u8) {
        bus.write(self.address, data);
        self.finish();
    }

    #[inline(always)]
    fn reset_push(&mut self, state: State) {
        self.s = self.s.wrapping_sub(1);
        self.go(state, self.stack());
    }

    /// SHA, SHX, SHY and TAS store the register anded with the high byte of the base address plus 1; that value also
    /// replaces the high byte of the address when the index crosses a page.
    #[cold]
    fn fix_unstable<B: Bus>(&mut self, bus: &B) {
        let register = match OPCODES[self.opcode as usize].operation {
            Operation::Shx => self.x,
            Operation::Shy => self.y,
            Operation::Tas => {
                self.s = self.a & self.x;
                self.s
            }
            _ => self.a & self.x,
        };
        let base = (self.address >> 8) as u8;
        self.data = register & base.wrapping_add(1);
        if self.target >> 8 != base as u16 {
            self.target = (self.data as u16) << 8 | self.target & 0xFF;
        }
        self.go(State::StoreData, self.target);
        self.poll(bus);
    }
}
