//! A plain interpreter, one instruction at a time, written from the opcode's bit fields: it shares no code, no table
//! and no formula with the processor under test. Cycles are counted by rule, not by access.

pub struct Reference {
    pub pc: u16,
    pub a: u8,
    pub x: u8,
    pub y: u8,
    pub s: u8,
    pub n: bool,
    pub v: bool,
    pub d: bool,
    pub i: bool,
    pub z: bool,
    pub c: bool,
    pub ram: Vec<u8>,
}

/// The place of an operand.
enum Place {
    Accumulator,
    Memory {
        address: u16,
        base: u16,
        crossed: bool,
    },
}

impl Reference {
    pub fn status(&self) -> u8 {
        [self.n, self.v, true, false, self.d, self.i, self.z, self.c]
            .iter()
            .fold(0, |p, &bit| p * 2 + u8::from(bit))
    }

    pub fn set_status(&mut self, p: u8) {
        let bit = |number: u32| p / 2u8.pow(number) % 2 == 1;
        (self.n, self.v, self.d, self.i, self.z, self.c) =
            (bit(7), bit(6), bit(3), bit(2), bit(1), bit(0));
    }

    fn at(&self, address: u16) -> u8 {
        self.ram[usize::from(address)]
    }

    fn word(&self, low: u16, high: u16) -> u16 {
        u16::from_le_bytes([self.at(low), self.at(high)])
    }

    fn operand_byte(&mut self) -> u8 {
        let byte = self.at(self.pc);
        self.pc = self.pc.wrapping_add(1);
        byte
    }

    fn operand_word(&mut self) -> u16 {
        let low = self.operand_byte();
        u16::from_le_bytes([low, self.operand_byte()])
    }

    fn push(&mut self, byte: u8) {
        self.ram[0x100 + usize::from(self.s)] = byte;
        self.s = self.s.wrapping_sub(1);
    }

    fn pull(&mut self) -> u8 {
        self.s = self.s.wrapping_add(1);
        self.ram[0x100 + usize::from(self.s)]
    }

    fn sign(&mut self, value: u8) -> u8 {
        self.n = value >= 128;
        self.z = value == 0;
        value
    }

    fn indexed(base: u16, index: u8) -> Place {
        let address = base.wrapping_add(u16::from(index));
        Place::Memory {
            address,
            base,
            crossed: address.to_be_bytes()[0] != base.to_be_bytes()[0],
        }
    }

    fn zero_page(address: u8) -> Place {
        Place::Memory {
            address: address.into(),
            base: address.into(),
            crossed: false,
        }
    }

    /// The place and its cycles (of a read without page crossing), from the mode field of the opcode.
    fn place(&mut self, opcode: u8) -> (Place, u32) {
        let (mode, column) = (opcode / 4 % 8, opcode % 4);
        // STX, LDX, SAX, LAX, SHX, SHA use Y where others use X.
        let by_y = (column >= 2) && matches!(opcode / 32, 4 | 5);
        let index = if by_y { self.y } else { self.x };
        match mode {
            0 if column % 2 == 1 => {
                let pointer = self.operand_byte().wrapping_add(self.x);
                let address = self.word(pointer.into(), pointer.wrapping_add(1).into());
                (
                    Place::Memory {
                        address,
                        base: address,
                        crossed: false,
                    },
                    6,
                )
            }
            2 if column == 2 => (Place::Accumulator, 2),
            0 | 2 => {
                let address = self.pc;
                self.pc = self.pc.wrapping_add(1);
                (
                    Place::Memory {
                        address,
                        base: address,
                        crossed: false,
                    },
                    2,
                )
            }
            1 => (Self::zero_page(self.operand_byte()), 3),
            3 => {
                let address = self.operand_word();
                (
                    Place::Memory {
                        address,
                        base: address,
                        crossed: false,
                    },
                    4,
                )
            }
            4 => {
                let pointer = self.operand_byte();
                let base = self.word(pointer.into(), pointer.wrapping_add(1).into());
                (Self::indexed(base, self.y), 5)
            }
            5 => (Self::zero_page(self.operand_byte().wrapping_add(index)), 4),
            6 => {
                let base = self.operand_word();
                (Self::indexed(base, self.y), 4)
            }
            _ => {
                let base = self.operand_word();
                (Self::indexed(base, index), 4)
            }
        }
    }

    fn add(&mut self, value: u8) {
        let carry = u32::from(self.c);
        let binary = u32::from(self.a) + u32::from(value) + carry;
        let signed = i32::from(self.a as i8) + i32::from(value as i8) + carry as i32;
        if !self.d {
            self.v = !(-128..=127).contains(&signed);
            self.c = binary > 255;
            self.a = self.sign((binary % 256) as u8);
            return;
        }
        // Digit by digit. N and V see the high digits plus the carry of the low ones, Z the binary sum.
        let mut low = u32::from(self.a % 16) + u32::from(value % 16) + carry;
        let mut to_high = 0;
        if low >= 10 {
            low = (low + 6) % 16;
            to_high = 1;
        }
        let mut high = u32::from(self.a / 16) + u32::from(value / 16) + to_high;
        let signed = i32::from(self.a as i8 / 16 - i8::from(self.a as i8 % 16 < 0))
            + i32::from(value as i8 / 16 - i8::from(value as i8 % 16 < 0))
            + to_high as i32;
        self.z = binary.is_multiple_of(256);
        self.n = high % 16 >= 8;
        self.v = !(-8..=7).contains(&signed);
        self.c = high >= 10;
        if high >= 10 {
            high += 6;
        }
        self.a = (high % 16 * 16 + low) as u8;
    }

    fn subtract(&mut self, value: u8) {
        let borrow = i32::from(!self.c);
        let binary = i32::from(self.a) - i32::from(value) - borrow;
        let signed = i32::from(self.a as i8) - i32::from(value as i8) - borrow;
        let mut low = i32::from(self.a % 16) - i32::from(value % 16) - borrow;
        let mut high = i32::from(self.a / 16) - i32::from(value / 16);
        if low < 0 {
            low -= 6;
            high -= 1;
        }
        if high < 0 {
            high -= 6;
        }
        self.v = !(-128..=127).contains(&signed);
        self.c = binary >= 0;
        let result = self.sign(binary.rem_euclid(256) as u8);
        self.a = if self.d {
            (high.rem_euclid(16) * 16 + low.rem_euclid(16)) as u8
        } else {
            result
        };
    }

    fn compare(&mut self, register: u8, value: u8) {
        self.c = register >= value;
        self.sign(register.wrapping_sub(value));
    }

    /// ASL, ROL, LSR, ROR, -, -, DEC, INC by the row of the opcode.
    fn modified(&mut self, row: u8, old: u8) -> u8 {
        let carry = u8::from(self.c);
        let result = match row {
            0 | 1 => {
                self.c = old >= 128;
                old.wrapping_mul(2) + if row == 1 { carry } else { 0 }
            }
            2 | 3 => {
                self.c = old % 2 == 1;
                old / 2 + if row == 3 { carry * 128 } else { 0 }
            }
            6 => old.wrapping_sub(1),
            _ => old.wrapping_add(1),
        };
        self.sign(result)
    }

    /// ORA, AND, EOR, ADC, -, LDA, CMP, SBC by the row of the opcode.
    fn arithmetic(&mut self, row: u8, value: u8) {
        match row {
            0 => self.a = self.sign(self.a | value),
            1 => self.a = self.sign(self.a & value),
            2 => self.a = self.sign(self.a ^ value),
            3 => self.add(value),
            5 => self.a = self.sign(value),
            6 => self.compare(self.a, value),
            _ => self.subtract(value),
        }
    }

    /// One instruction; the cycles it takes, or `None` for a JAM, which is not executed.
    pub fn instruction(&mut self) -> Option<u32> {
        let opcode = self.at(self.pc);
        let (row, mode, column) = (opcode / 32, opcode / 4 % 8, opcode % 4);
        if column == 2 && (mode == 4 || mode == 0 && row < 4) {
            return None;
        }
        self.pc = self.pc.wrapping_add(1);
        Some(match (column, mode) {
            (0, 4) => self.branch(row),
            (0 | 2, 2 | 6) if column == 0 || mode == 6 || row >= 4 => self.single(opcode),
            (0, 0) if row < 4 => self.control(row),
            (0, 3) if row == 2 || row == 3 => self.jump(row),
            (3, 2 | 4 | 6 | 7) if mode == 2 || row == 4 || opcode == 0xBB => self.oddity(opcode),
            (0 | 2, 7) if row == 4 => self.oddity(opcode),
            _ => self.regular(opcode),
        })
    }

    fn branch(&mut self, row: u8) -> u32 {
        let distance = self.operand_byte() as i8;
        let flag = [self.n, self.v, self.c, self.z][usize::from(row / 2)];
        if flag != (row % 2 == 1) {
            return 2;
        }
        let target = (i32::from(self.pc) + i32::from(distance)).rem_euclid(0x10000) as u16;
        let crossed = target / 256 != self.pc / 256;
        self.pc = target;
        if crossed { 4 } else { 3 }
    }

    fn control(&mut self, row: u8) -> u32 {
        match row {
            0 => {
                let back = self.pc.wrapping_add(1).to_be_bytes();
                self.push(back[0]);
                self.push(back[1]);
                self.push(self.status() | 0x10);
                self.i = true;
                self.pc = self.word(0xFFFE, 0xFFFF);
                7
            }
            1 => {
                // The high byte of the target is read after the return address is on the stack.
                let low = self.operand_byte();
                let back = self.pc.to_be_bytes();
                self.push(back[0]);
                self.push(back[1]);
                self.pc = u16::from_le_bytes([low, self.at(self.pc)]);
                6
            }
            2 => {
                let p = self.pull();
                self.set_status(p);
                self.pc = u16::from_le_bytes([self.pull(), self.pull()]);
                6
            }
            _ => {
                self.pc = u16::from_le_bytes([self.pull(), self.pull()]).wrapping_add(1);
                6
            }
        }
    }

    fn jump(&mut self, row: u8) -> u32 {
        let address = self.operand_word();
        if row == 2 {
            self.pc = address;
            return 3;
        }
        let [high, low] = address.to_be_bytes();
        self.pc = self.word(address, u16::from_be_bytes([high, low.wrapping_add(1)]));
        5
    }

    fn single(&mut self, opcode: u8) -> u32 {
        match opcode {
            0x08 => self.push(self.status() | 0x10),
            0x28 => {
                let p = self.pull();
                self.set_status(p);
                return 4;
            }
            0x48 => self.push(self.a),
            0x68 => {
                let a = self.pull();
                self.a = self.sign(a);
                return 4;
            }
            0x18 => self.c = false,
            0x38 => self.c = true,
            0x58 => self.i = false,
            0x78 => self.i = true,
            0xB8 => self.v = false,
            0xD8 => self.d = false,
            0xF8 => self.d = true,
            0x88 => self.y = self.sign(self.y.wrapping_sub(1)),
            0xC8 => self.y = self.sign(self.y.wrapping_add(1)),
            0xCA => self.x = self.sign(self.x.wrapping_sub(1)),
            0xE8 => self.x = self.sign(self.x.wrapping_add(1)),
            0x98 => self.a = self.sign(self.y),
            0xA8 => self.y = self.sign(self.a),
            0x8A => self.a = self.sign(self.x),
            0xAA => self.x = self.sign(self.a),
            0xBA => self.x = self.sign(self.s),
            0x9A => self.s = self.x,
            _ => {}
        }
        if opcode == 0x08 || opcode == 0x48 {
            3
        } else {
            2
        }
    }

    /// The undocumented opcodes outside the pattern, with the Atari's constants.
    fn oddity(&mut self, opcode: u8) -> u32 {
        let (place, cycles) = self.place(opcode);
        let Place::Memory {
            address,
            base,
            crossed,
        } = place
        else {
            unreachable!("none uses the accumulator")
        };
        let value = self.at(address);
        match opcode {
            0x0B | 0x2B => {
                self.a = self.sign(self.a & value);
                self.c = self.n;
            }
            0x4B => {
                self.a &= value;
                self.a = self.modified(2, self.a);
            }
            0x6B => self.rotate_right_with_adder(value),
            0x8B => {
                let and = self.a & self.x;
                self.sign(and & value);
                self.a = and & (value | 0xEF);
            }
            0xAB => {
                self.a = self.sign(self.a & value);
                self.x = self.a;
            }
            0xCB => {
                let and = self.a & self.x;
                self.compare(and, value);
                self.x = and.wrapping_sub(value);
            }
            0xEB => self.subtract(value),
            0xBB => {
                self.s = self.sign(self.s & value);
                (self.a, self.x) = (self.s, self.s);
                return cycles + u32::from(crossed);
            }
            0x9B | 0x9C | 0x9E | 0x9F | 0x93 => {
                let register = match opcode {
                    0x9C => self.y,
                    0x9E => self.x,
                    _ => self.a & self.x,
                };
                if opcode == 0x9B {
                    self.s = register;
                }
                let stored = register & base.to_be_bytes()[0].wrapping_add(1);
                let high = if crossed {
                    stored
                } else {
                    address.to_be_bytes()[0]
                };
                self.ram[usize::from(u16::from_be_bytes([high, address.to_be_bytes()[1]]))] =
                    stored;
                return cycles + 1;
            }
            // SAX zp,Y and the like follow the pattern.
            _ => unreachable!("{opcode:02X} is regular"),
        }
        cycles
    }

    fn rotate_right_with_adder(&mut self, value: u8) {
        let and = self.a & value;
        let rotated = and / 2 + if self.c { 128 } else { 0 };
        self.sign(rotated);
        self.v = (rotated ^ and) & 0x40 != 0;
        if !self.d {
            self.c = rotated & 0x40 != 0;
            self.a = rotated;
            return;
        }
        let (mut high, mut low) = (rotated / 16, rotated % 16);
        if and % 16 >= 5 {
            low = (low + 6) % 16;
        }
        self.c = and / 16 >= 5;
        if self.c {
            high = (high + 6) % 16;
        }
        self.a = high * 16 + low;
    }

    fn regular(&mut self, opcode: u8) -> u32 {
        let (row, mode, column) = (opcode / 32, opcode / 4 % 8, opcode % 4);
        let (place, cycles) = self.place(opcode);
        let Place::Memory {
            address, crossed, ..
        } = place
        else {
            self.a = self.modified(row, self.a);
            return 2;
        };
        let indexed = matches!(mode, 4 | 6 | 7);
        let value = self.at(address);
        let modify = column >= 2 && !matches!(row, 4 | 5) && mode != 0
            || column == 3 && !matches!(row, 4 | 5) && mode == 0;
        if modify {
            let result = self.modified(row, value);
            self.ram[usize::from(address)] = result;
            if column == 3 {
                self.arithmetic(row, result);
            }
            return cycles + 2 + u32::from(indexed);
        }
        let immediate = matches!((mode, column), (0, 0 | 2) | (2, _));
        if row == 4 && !immediate {
            self.ram[usize::from(address)] = match column {
                0 => self.y,
                1 => self.a,
                2 => self.x,
                _ => self.a & self.x,
            };
            return cycles + u32::from(indexed);
        }
        match (column, row) {
            (_, 4) => {}
            (1, _) => self.arithmetic(row, value),
            (0, 1) if matches!(mode, 1 | 3) => {
                self.n = value & 0x80 != 0;
                self.v = value & 0x40 != 0;
                self.z = value & self.a == 0;
            }
            (0, 5) => self.y = self.sign(value),
            (0, 6 | 7) if matches!(mode, 0 | 1 | 3) => {
                self.compare(if row == 6 { self.y } else { self.x }, value);
            }
            (2, 5) => self.x = self.sign(value),
            (3, 5) => {
                self.a = self.sign(value);
                self.x = self.a;
            }
            _ => {}
        }
        cycles + u32::from(crossed && indexed)
    }
}
