//! The 6520 PIA: two ports and their control lines (Altirra Hardware Reference Manual 2.5; Acid800 pia_basic, pia_irq).
use serde::{Deserialize, Serialize};

/// Control register bits.
mod control {
    /// IRQ enable of the first control line.
    pub const IRQ1: u8 = 0x01;
    /// Active edge of the first control line: 1 = rising.
    pub const RISING1: u8 = 0x02;
    /// The data address reaches the port (1) or the direction register (0).
    pub const PORT: u8 = 0x04;
    /// Input mode: IRQ enable of the second control line.
    pub const IRQ2: u8 = 0x08;
    /// Input mode: active edge of the second control line: 1 = rising.
    pub const RISING2: u8 = 0x10;
    /// The second control line is an output.
    pub const OUTPUT2: u8 = 0x20;
    /// Interrupt flag of the second control line.
    pub const FLAG2: u8 = 0x40;
    /// Interrupt flag of the first control line.
    pub const FLAG1: u8 = 0x80;
}

/// One half of the chip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Side {
    control: u8,
    direction: u8,
    output: u8,
    /// A change of the second control line made as an output, which becomes an interrupt flag once it is an input.
    pending: bool,
    /// The level of the second control line: `true` = low.
    low: bool,
    /// The level of the first control line (Proceed, Interrupt): `true` = low.
    line1_low: bool,
}

impl Side {
    fn mode(self) -> u8 {
        self.control >> 3 & 7
    }

    fn irq(self) -> bool {
        self.control & control::FLAG1 != 0 && self.control & control::IRQ1 != 0
            || self.control & control::FLAG2 != 0
                && self.control & (control::IRQ2 | control::OUTPUT2) == control::IRQ2
    }

    /// Writes the control register; `is_b`: the two sides differ in spurious interrupts.
    fn write_control(&mut self, data: u8, is_b: bool) {
        let was_low = self.low;
        self.control = self.control & 0xC0 | data & 0x3F;
        if data & control::OUTPUT2 != 0 {
            self.control &= !control::FLAG2;
            match self.mode() {
                6 => {
                    self.low = true;
                    self.pending = !is_b;
                }
                7 => {
                    self.low = false;
                    self.pending |= is_b && was_low;
                }
                // Pulse mode returns the line to high; handshake keeps it low.
                5 => {
                    self.low = false;
                    self.pending = false;
                }
                _ => {}
            }
        } else {
            if self.pending && (is_b || data & control::RISING2 != 0) {
                self.control |= control::FLAG2;
            }
            self.pending = false;
            self.low = false;
        }
    }

    fn set_line1(&mut self, low: bool) {
        if low != self.line1_low {
            self.line1_low = low;
            if low == (self.control & control::RISING1 == 0) {
                self.control |= control::FLAG1;
            }
        }
    }
}

/// The chip.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pia {
    a: Side,
    b: Side,
}

impl Pia {
    /// A chip just reset: all registers 0, all pins inputs.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Reads register 0 to 3 (PORTA, PORTB, PACTL, PBCTL); `pins` are the levels outside of ports A and B.
    pub(crate) fn read(&mut self, register: u8, pins: [u8; 2]) -> u8 {
        let data = self.peek(register, pins);
        if register & 2 == 0 {
            let side = if register & 1 == 0 {
                &mut self.a
            } else {
                &mut self.b
            };
            if side.control & control::PORT != 0 {
                side.control &= 0x3F;
            }
        }
        data
    }

    /// The value of a read, without side effects.
    pub(crate) fn peek(&self, register: u8, pins: [u8; 2]) -> u8 {
        match register & 3 {
            0 if self.a.control & control::PORT == 0 => self.a.direction,
            // An output pin of port A reads low too when something outside pulls it low.
            0 => pins[0] & (self.a.output | !self.a.direction),
            1 if self.b.control & control::PORT == 0 => self.b.direction,
            1 => self.b.output & self.b.direction | pins[1] & !self.b.direction,
            2 => self.a.control,
            _ => self.b.control,
        }
    }

    /// Writes register 0 to 3.
    pub(crate) fn write(&mut self, register: u8, data: u8) {
        let side = if register & 1 == 0 {
            &mut self.a
        } else {
            &mut self.b
        };
        if register & 2 != 0 {
            side.write_control(data, register & 1 != 0);
        } else if side.control & control::PORT != 0 {
            side.output = data;
        } else {
            side.direction = data;
        }
    }

    /// The levels port B drives; inputs are pulled high.
    pub(crate) fn portb_levels(&self) -> u8 {
        self.b.output | !self.b.direction
    }

    /// True if CA2, the motor line of the serial bus, is low: the recorder runs.
    pub(crate) fn motor(&self) -> bool {
        self.a.low
    }

    /// True if CB2, the command line of the serial bus, is low: a command frame is under way.
    pub(crate) fn command(&self) -> bool {
        self.b.low
    }

    /// The level of the IRQ outputs: `true` = low.
    pub(crate) fn irq(&self) -> bool {
        let flags = (self.a.control | self.b.control) & (control::FLAG1 | control::FLAG2);
        flags != 0 && (self.a.irq() || self.b.irq())
    }

    /// The Proceed line of the serial bus (CA1): `true` = low.
    pub fn set_proceed(&mut self, low: bool) {
        self.a.set_line1(low);
    }

    /// The Interrupt line of the serial bus (CB1): `true` = low.
    pub fn set_interrupt(&mut self, low: bool) {
        self.b.set_line1(low);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: [u8; 2] = [0xFF, 0xFF];

    fn after(register: u8, writes: [u8; 4]) -> (u8, bool) {
        let mut pia = Pia::new();
        for data in writes {
            pia.write(register, data);
        }
        (pia.peek(register, FREE), pia.irq())
    }

    #[test]
    fn cb2_rising_as_output_becomes_an_interrupt_as_input() {
        for (writes, result, irq) in [
            ([0x34, 0x3C, 0x3C, 0x04], 0x44, false),
            ([0x34, 0x3C, 0x3C, 0x0C], 0x4C, true),
            ([0x34, 0x3C, 0x04, 0x04], 0x44, false),
            ([0x34, 0x3C, 0x04, 0x24], 0x24, false),
            ([0x34, 0x24, 0x3C, 0x04], 0x44, false),
            ([0x34, 0x28, 0x3C, 0x04], 0x04, false),
            ([0x34, 0x04, 0x3C, 0x04], 0x04, false),
            ([0x34, 0x3C, 0x34, 0x04], 0x04, false),
            ([0x3C, 0x34, 0x3C, 0x04], 0x44, false),
        ] {
            assert_eq!(after(3, writes), (result, irq), "{writes:02X?}");
        }
    }

    #[test]
    fn ca2_having_been_low_becomes_an_interrupt_as_rising_input() {
        for (writes, result, irq) in [
            ([0x3C, 0x3C, 0x3C, 0x14], 0x14, false),
            ([0x3C, 0x3C, 0x34, 0x14], 0x54, false),
            ([0x3C, 0x34, 0x3C, 0x14], 0x54, false),
            ([0x3C, 0x34, 0x3C, 0x1C], 0x5C, true),
            ([0x34, 0x34, 0x34, 0x04], 0x04, false),
            ([0x34, 0x34, 0x2C, 0x14], 0x14, false),
            ([0x34, 0x34, 0x24, 0x14], 0x54, false),
            ([0x34, 0x34, 0x14, 0x34], 0x34, false),
        ] {
            assert_eq!(after(2, writes), (result, irq), "{writes:02X?}");
        }
    }

    #[test]
    fn flag_bits_of_the_control_registers_cannot_be_written() {
        for register in [2, 3] {
            let mut pia = Pia::new();
            pia.write(register, 0xFF);
            assert_eq!(pia.peek(register, FREE), 0x3F);
            assert!(!pia.irq());
        }
    }

    #[test]
    fn port_a_reads_pins_and_port_b_its_latch() {
        let mut pia = Pia::new();
        for register in [0, 1] {
            pia.write(register, 0xFF);
            pia.write(register + 2, 0x04);
            pia.write(register, 0xF0);
        }
        assert_eq!(pia.peek(0, [0x7F, 0]), 0x70);
        assert_eq!(pia.peek(1, [0, 0x0F]), 0xF0);
        pia.write(3, 0x00);
        pia.write(1, 0x00);
        pia.write(3, 0x04);
        pia.write(1, 0x55);
        assert_eq!(pia.peek(1, FREE), 0xFF);
        pia.write(3, 0x00);
        pia.write(1, 0xFF);
        pia.write(3, 0x04);
        assert_eq!(pia.peek(1, FREE), 0x55);
    }

    #[test]
    fn reading_the_port_but_not_the_direction_clears_both_flags() {
        let mut pia = Pia::new();
        pia.set_interrupt(true);
        assert_eq!(pia.peek(3, FREE), 0x80);
        pia.read(1, FREE);
        assert_eq!(pia.peek(3, FREE), 0x80);
        pia.write(3, 0x05);
        assert!(pia.irq());
        pia.read(1, FREE);
        assert_eq!(pia.peek(3, FREE), 0x05);
        assert!(!pia.irq());
    }
}
