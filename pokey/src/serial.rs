//! The serial port (Altirra Hardware Reference Manual 5.6).

use crate::{NEVER, Pokey, irq};
use serde::{Deserialize, Serialize};

/// A byte that has left the output shift register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SerialByte {
    /// The byte.
    pub data: u8,
    /// Cycle at which its start bit began.
    pub start: u64,
    /// Cycle at which its stop bit ended.
    pub end: u64,
}

/// State of the serial port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Serial {
    /// SEROUT and whether it waits for the shift register.
    serout: u8,
    serout_valid: bool,
    /// Bits left in the output shift register, the next lowest; 0 = idle.
    out_bits: u16,
    out_left: u8,
    out_data: u8,
    out_start: u64,
    /// The level of the data output line.
    out_line: bool,
    /// Divide-by-two of the output and of the input clock.
    out_clock: bool,
    in_clock: bool,
    /// A byte that has been sent and not been taken.
    sent: Option<SerialByte>,
    /// The level of the data input line.
    in_line: bool,
    /// Input shift register and how many bits are still to come (0 = waiting for a start bit).
    in_bits: u16,
    in_left: u8,
    serin: u8,
}

impl Serial {
    pub(crate) fn new() -> Self {
        Self {
            serout: 0,
            serout_valid: false,
            out_bits: 0,
            out_left: 0,
            out_data: 0,
            out_start: 0,
            out_line: true,
            out_clock: false,
            in_clock: true,
            sent: None,
            in_line: true,
            in_bits: 0,
            in_left: 0,
            serin: 0,
        }
    }

    /// True if the port can be in this state.
    pub(crate) fn is_valid(&self, now: u64) -> bool {
        self.out_left <= 10
            && self.in_left <= 9
            && self.out_start <= now
            && self.sent.is_none_or(|byte| byte.is_valid(now))
    }

    /// IRQST bit 3 as an active-high mask: the output shift register is idle.
    #[inline]
    pub(crate) fn idle_mask(&self) -> u8 {
        if self.out_left == 0 { irq::SEROC } else { 0 }
    }

    /// The bit on the data output line.
    pub(crate) fn output_bit(&self) -> bool {
        self.out_line
    }

    pub(crate) fn serin(&self) -> u8 {
        self.serin
    }

    /// SKSTAT bits 4 (input line) and 1 (input shift register idle).
    pub(crate) fn status(&self) -> u8 {
        u8::from(self.in_line) << 4 | u8::from(self.in_left == 0) << 1
    }
}

impl Pokey {
    /// The data input line of the serial bus has this level from cycle `now` on.
    pub fn set_serial_input(&mut self, level: bool, now: u64) {
        self.sync_to(now);
        if level == self.serial.in_line {
            return;
        }
        self.listen(self.input_timer(), now);
        self.serial.in_line = level;
        if !level && self.serial.in_left == 0 && self.skctl & 0x10 != 0 && !self.in_init() {
            self.serial.in_clock = false;
            self.hold_timers(false, now);
        }
    }

    /// True if [`Self::take_serial_output`] has a byte.
    #[inline]
    pub fn has_serial_output(&self) -> bool {
        self.serial.sent.is_some()
    }

    /// A byte sent since the last call.
    pub fn take_serial_output(&mut self) -> Option<SerialByte> {
        self.serial.sent.take()
    }

    /// The timer that clocks the output (1 = timer 2, 3 = timer 4), if any.
    fn output_timer(&self) -> Option<usize> {
        match self.skctl >> 4 & 7 {
            0 | 1 => None,
            2..=5 => Some(3),
            _ => Some(1),
        }
    }

    fn input_timer(&self) -> Option<usize> {
        if matches!(self.skctl >> 4 & 7, 0 | 4) {
            None
        } else {
            Some(3)
        }
    }

    /// Timers (bit mask) the serial port needs to hear of now.
    pub(crate) fn serial_timers(&self) -> u8 {
        let mut timers = 0;
        if self.serial.serout_valid || self.serial.out_left != 0 {
            timers |= self.output_timer().map_or(0, |i| 1 << i);
        }
        if self.input_shifts() != 0 {
            timers |= self.input_timer().map_or(0, |i| 1 << i);
        }
        timers
    }

    /// The number of input shifts up to the one that ends a byte, or finds no start bit after all; 0 = the input is idle.
    fn input_shifts(&self) -> u8 {
        match self.serial.in_left {
            0 if !self.serial.in_line => 10,
            // A start bit that went away before it was sampled: the sample holds the timers again.
            0 => u8::from(self.skctl & 0x10 != 0 && !self.timers_held()),
            left => left,
        }
    }

    /// The port is about to need the pulses of a timer: a regular one may have left them out so far.
    fn listen(&mut self, timer: Option<usize>, now: u64) {
        if let Some(i) = timer
            && self.serial_timers() >> i & 1 == 0
        {
            self.unfold(i, now);
        }
    }

    /// The cycle in which the port next does something that interrupts, sends a byte or holds timers, if timer `i` gives it a pulse at
    /// `first` and then every `period` cycles.
    #[inline(never)]
    pub(crate) fn serial_event(&self, i: usize, first: u64, period: u64) -> u64 {
        let serial = &self.serial;
        // Every other pulse is a shift.
        let shifts = |clock: bool, count: u8| {
            let pulses = 2 * u64::from(count) - u64::from(!clock);
            first + (pulses - 1) * period
        };
        let mut next = NEVER;
        if self.output_timer() == Some(i) && (serial.serout_valid || serial.out_left != 0) {
            next = shifts(serial.out_clock, serial.out_left.max(1));
        }
        let count = self.input_shifts();
        if self.input_timer() == Some(i) && count != 0 {
            next = next.min(shifts(serial.in_clock, count));
        }
        next
    }

    pub(crate) fn write_serout(&mut self, data: u8, now: u64) {
        self.listen(self.output_timer(), now);
        self.serial.serout = data;
        self.serial.serout_valid = true;
    }

    /// SKCTL was written.
    pub(crate) fn serial_mode(&mut self, now: u64) {
        // The two work on opposite phases of a clock that they share.
        if self.skctl & 0x70 == 0 {
            self.serial.out_clock = false;
            self.serial.in_clock = true;
        }
        if self.in_init() {
            self.serial.serout_valid = false;
            self.serial.out_left = 0;
            self.serial.in_left = 0;
        }
        let waiting = self.skctl & 0x10 != 0 && self.serial.in_left == 0 && self.serial.in_line;
        self.hold_timers(waiting && !self.in_init(), now);
    }

    /// Timer `i` gave a pulse; timers 2 and 4 clock the port.
    pub(crate) fn serial_pulse(&mut self, i: usize, at: u64) {
        if i & 1 == 0 {
            return;
        }
        if self.output_timer() == Some(i) {
            self.serial.out_clock = !self.serial.out_clock;
            if self.serial.out_clock && !self.in_init() {
                self.shift_out(at);
            }
        }
        if self.input_timer() == Some(i) {
            self.serial.in_clock = !self.serial.in_clock;
            if self.serial.in_clock && !self.in_init() {
                self.shift_in(at);
            }
        }
    }

    /// Pulses of a timer went by while the port was idle: only its clocks have turned.
    pub(crate) fn skip_serial_pulses(&mut self, i: usize, count: u64) {
        let odd = count & 1 != 0;
        if self.output_timer() == Some(i) {
            self.serial.out_clock ^= odd;
        }
        if self.input_timer() == Some(i) {
            self.serial.in_clock ^= odd;
        }
    }

    fn shift_out(&mut self, at: u64) {
        let serial = &mut self.serial;
        if serial.out_left > 0 {
            serial.out_left -= 1;
            if serial.out_left == 0 {
                serial.sent = Some(SerialByte {
                    data: serial.out_data,
                    start: serial.out_start,
                    end: at,
                });
            }
        }
        if serial.out_left == 0 {
            // The line keeps the last bit: the stop bit, or whatever initialization mode interrupted.
            if !serial.serout_valid {
                return;
            }
            serial.serout_valid = false;
            serial.out_data = serial.serout;
            serial.out_bits = u16::from(serial.serout) << 1 | 0x200;
            serial.out_left = 10;
            serial.out_start = at;
            self.raise(irq::SEROR);
        }
        let bit = self.serial.out_bits & 1 != 0;
        if bit != self.serial.out_line {
            // In two-tone mode it decides what restarts timers 1 and 2, in this cycle too.
            self.unfold_two_tone(at - 1);
        }
        self.serial.out_line = bit;
        self.serial.out_bits >>= 1;
    }

    /// Holds timers 3 and 4 from within cycle `at`: they do not count in it.
    fn wait_for_start(&mut self, at: u64) {
        self.unfold(2, at - 1);
        self.unfold(3, at - 1);
        self.hold_timers(true, at);
    }

    fn shift_in(&mut self, at: u64) {
        let level = self.serial.in_line;
        let serial = &mut self.serial;
        if serial.in_left == 0 {
            if level {
                // No start bit after all.
                if self.skctl & 0x10 != 0 {
                    self.wait_for_start(at);
                }
                return;
            }
            serial.in_left = 9;
            serial.in_bits = 0;
            return;
        }
        serial.in_left -= 1;
        if serial.in_left > 0 {
            serial.in_bits = serial.in_bits >> 1 | u16::from(level) << 7;
            return;
        }
        serial.serin = serial.in_bits as u8;
        if !level {
            self.errors |= 0x80;
        }
        if self.pending & irq::SERIN != 0 {
            self.errors |= 0x20;
        }
        self.raise(irq::SERIN);
        // A line that stays low is the start bit of the next byte.
        if self.skctl & 0x10 != 0 && level {
            self.wait_for_start(at);
        }
    }
}
