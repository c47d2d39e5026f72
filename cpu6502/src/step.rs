//! The state machine: one arm per kind of cycle.

use crate::flags::{B, C, D, I, N, U, V, Z};
use crate::opcodes::{OPCODES, Operation};
use crate::state::{ENTRIES, State};
use crate::{Bus, Cpu};

const STACK: u16 = 0x0100;
const NMI_VECTOR: u16 = 0xFFFA;
const RESET_VECTOR: u16 = 0xFFFC;
const IRQ_VECTOR: u16 = 0xFFFE;

impl Cpu {
    /// One cycle: exactly one bus access. Not called while HALT or RDY stops the processor.
    #[inline]
    pub fn step<B: Bus>(&mut self, bus: &mut B) {
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
            State::Pla => {
                let data = self.read(bus);
                self.load_a(data);
                self.finish();
            }
            State::Plp => {
                let data = self.read(bus);
                let masked = self.p & I != 0;
                self.set_p(data);
                self.finish();
                if masked && self.p & I == 0 && self.state == State::Fetch {
                    self.state = State::FetchAfterPlp;
                }
            }
            State::PlpAgain => {
                let data = self.read(bus);
                self.set_p(data);
                if self.p & I != 0 && !self.nmi {
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
                self.p |= I;
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

            State::Bcc => {
                let data = self.read(bus);
                self.branch(self.p & C == 0, data);
            }
            State::Bcs => {
                let data = self.read(bus);
                self.branch(self.p & C != 0, data);
            }
            State::Bne => {
                let data = self.read(bus);
                self.branch(self.p & Z == 0, data);
            }
            State::Beq => {
                let data = self.read(bus);
                self.branch(self.p & Z != 0, data);
            }
            State::Bpl => {
                let data = self.read(bus);
                self.branch(self.p & N == 0, data);
            }
            State::Bmi => {
                let data = self.read(bus);
                self.branch(self.p & N != 0, data);
            }
            State::Bvc => {
                let data = self.read(bus);
                self.branch(self.p & V == 0, data);
            }
            State::Bvs => {
                let data = self.read(bus);
                self.branch(self.p & V != 0, data);
            }
            State::BranchTaken => {
                self.read(bus);
                if (self.pc ^ self.target) & 0xFF00 == 0 {
                    // No look at the lines here: an interrupt that came in cycle 2 waits for one more instruction.
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

            State::Clc => {
                self.read(bus);
                self.flag_off(C);
            }
            State::Cld => {
                self.read(bus);
                self.flag_off(D);
            }
            State::Cli => {
                self.read(bus);
                self.flag_off(I);
            }
            State::Clv => {
                self.read(bus);
                self.flag_off(V);
            }
            State::Sec => {
                self.read(bus);
                self.flag_on(C);
            }
            State::Sed => {
                self.read(bus);
                self.flag_on(D);
            }
            State::Sei => {
                self.read(bus);
                self.flag_on(I);
            }
            State::Dex => {
                self.read(bus);
                self.load_x(self.x.wrapping_sub(1));
                self.finish();
            }
            State::Dey => {
                self.read(bus);
                self.load_y(self.y.wrapping_sub(1));
                self.finish();
            }
            State::Inx => {
                self.read(bus);
                self.load_x(self.x.wrapping_add(1));
                self.finish();
            }
            State::Iny => {
                self.read(bus);
                self.load_y(self.y.wrapping_add(1));
                self.finish();
            }
            State::Tax => {
                self.read(bus);
                self.load_x(self.a);
                self.finish();
            }
            State::Tay => {
                self.read(bus);
                self.load_y(self.a);
                self.finish();
            }
            State::Tsx => {
                self.read(bus);
                self.load_x(self.s);
                self.finish();
            }
            State::Txa => {
                self.read(bus);
                self.load_a(self.x);
                self.finish();
            }
            State::Txs => {
                self.read(bus);
                self.s = self.x;
                self.finish();
            }
            State::Tya => {
                self.read(bus);
                self.load_a(self.y);
                self.finish();
            }
            State::AslA => {
                self.read(bus);
                self.a = self.asl(self.a);
                self.finish();
            }
            State::LsrA => {
                self.read(bus);
                self.a = self.lsr(self.a);
                self.finish();
            }
            State::RolA => {
                self.read(bus);
                self.a = self.rol(self.a);
                self.finish();
            }
            State::RorA => {
                self.read(bus);
                self.a = self.ror(self.a);
                self.finish();
            }

            State::Adc => {
                let data = self.read(bus);
                self.adc(data);
                self.finish();
            }
            State::Sbc => {
                let data = self.read(bus);
                self.sbc(data);
                self.finish();
            }
            State::And => {
                let data = self.read(bus);
                self.load_a(self.a & data);
                self.finish();
            }
            State::Ora => {
                let data = self.read(bus);
                self.load_a(self.a | data);
                self.finish();
            }
            State::Eor => {
                let data = self.read(bus);
                self.load_a(self.a ^ data);
                self.finish();
            }
            State::Bit => {
                let data = self.read(bus);
                self.bit(data);
                self.finish();
            }
            State::Cmp => {
                let data = self.read(bus);
                self.compare(self.a, data);
                self.finish();
            }
            State::Cpx => {
                let data = self.read(bus);
                self.compare(self.x, data);
                self.finish();
            }
            State::Cpy => {
                let data = self.read(bus);
                self.compare(self.y, data);
                self.finish();
            }
            State::Lda => {
                let data = self.read(bus);
                self.load_a(data);
                self.finish();
            }
            State::Ldx => {
                let data = self.read(bus);
                self.load_x(data);
                self.finish();
            }
            State::Ldy => {
                let data = self.read(bus);
                self.load_y(data);
                self.finish();
            }
            State::Nop => {
                self.read(bus);
                self.finish();
            }
            State::Alr => {
                let data = self.read(bus);
                self.a = self.lsr(self.a & data);
                self.finish();
            }
            State::Anc => {
                let data = self.read(bus);
                self.load_a(self.a & data);
                self.p = self.p & !C | self.a >> 7;
                self.finish();
            }
            State::Ane => {
                let data = self.read(bus);
                let and = (self.a | self.unstable.ane_a) & self.x;
                self.nz(and & data);
                self.a = and & (data | self.unstable.ane_operand);
                self.finish();
            }
            State::Arr => {
                let data = self.read(bus);
                self.arr(data);
                self.finish();
            }
            State::Las => {
                let data = self.read(bus);
                self.s &= data;
                self.x = self.s;
                self.load_a(self.s);
                self.finish();
            }
            State::Lax => {
                let data = self.read(bus);
                self.x = data;
                self.load_a(data);
                self.finish();
            }
            State::Lxa => {
                let data = self.read(bus);
                self.x = (self.a | self.unstable.lxa) & data;
                self.load_a(self.x);
                self.finish();
            }
            State::Sbx => {
                let data = self.read(bus);
                self.sbx(data);
                self.finish();
            }

            State::Asl => {
                let data = self.read(bus);
                let result = self.asl(data);
                self.modify(data, result);
            }
            State::Lsr => {
                let data = self.read(bus);
                let result = self.lsr(data);
                self.modify(data, result);
            }
            State::Rol => {
                let data = self.read(bus);
                let result = self.rol(data);
                self.modify(data, result);
            }
            State::Ror => {
                let data = self.read(bus);
                let result = self.ror(data);
                self.modify(data, result);
            }
            State::Inc => {
                let data = self.read(bus);
                let result = data.wrapping_add(1);
                self.nz(result);
                self.modify(data, result);
            }
            State::Dec => {
                let data = self.read(bus);
                let result = data.wrapping_sub(1);
                self.nz(result);
                self.modify(data, result);
            }
            State::Slo => {
                let data = self.read(bus);
                let result = self.asl(data);
                self.load_a(self.a | result);
                self.modify(data, result);
            }
            State::Rla => {
                let data = self.read(bus);
                let result = self.rol(data);
                self.load_a(self.a & result);
                self.modify(data, result);
            }
            State::Sre => {
                let data = self.read(bus);
                let result = self.lsr(data);
                self.load_a(self.a ^ result);
                self.modify(data, result);
            }
            State::Rra => {
                let data = self.read(bus);
                let result = self.ror(data);
                self.adc(result);
                self.modify(data, result);
            }
            State::Dcp => {
                let data = self.read(bus);
                let result = data.wrapping_sub(1);
                self.compare(self.a, result);
                self.modify(data, result);
            }
            State::Isc => {
                let data = self.read(bus);
                let result = data.wrapping_add(1);
                self.sbc(result);
                self.modify(data, result);
            }

            State::StoreA => self.store(bus, self.a),
            State::StoreX => self.store(bus, self.x),
            State::StoreY => self.store(bus, self.y),
            State::StoreAX => self.store(bus, self.a & self.x),
            State::StoreData => self.store(bus, self.data),
            State::ModifyOld => {
                bus.write(self.address, self.data);
                self.data = self.result;
                self.state = State::StoreData;
                self.next = State::Fetch;
                self.poll(bus);
            }
            State::PushA => {
                self.push(bus, self.a);
                self.finish();
            }
            State::PushP => {
                self.push(bus, self.p | B | U);
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
                self.push(bus, self.p | self.data);
                self.go(State::VectorLow, self.target);
            }
        }
    }

    #[inline(always)]
    fn read<B: Bus>(&self, bus: &mut B) -> u8 {
        bus.read(self.address)
    }

    /// Looks at the interrupt lines: to be done in the last but one cycle of each instruction.
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

    /// Indexing without a spare cycle: the high byte is only corrected when it must be.
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
    fn branch(&mut self, taken: bool, distance: u8) {
        if taken {
            self.target = self.pc.wrapping_add(distance as i8 as u16);
            self.go(State::BranchTaken, self.pc);
        } else {
            self.finish();
        }
    }

    /// Read-modify-write: `old` is written back first.
    #[inline(always)]
    fn modify(&mut self, old: u8, result: u8) {
        self.data = old;
        self.result = result;
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

    /// The instruction behind a PLP that cleared I: SEI and PLP mask an IRQ in time here, which they do not behind CLI (AHRM 3.4).
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
    fn flag_on(&mut self, flag: u8) {
        self.p |= flag;
        self.finish();
    }

    #[inline(always)]
    fn flag_off(&mut self, flag: u8) {
        self.p &= !flag;
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
