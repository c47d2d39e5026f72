//! Register reads and writes. Sixteen registers, repeated through the page.

use crate::timers::interrupting_timers;
use crate::{Pokey, irq};

impl Pokey {
    /// A read of register `register` (low four bits) in cycle `now`.
    pub fn read(&mut self, register: u8, now: u64) -> u8 {
        self.sync_interrupts(now);
        self.peek(register, now)
    }

    /// The value of a read, without moving anything. The chip must have been called for all its events up to `now`.
    pub fn peek(&self, register: u8, now: u64) -> u8 {
        match register & 15 {
            i @ 0..=7 => self.read_pot(i as usize, now),
            8 => self.read_allpot(now),
            9 => self.keyboard.kbcode,
            10 => self.noise.random(now),
            13 => self.serial.serin(),
            14 => !(self.pending | self.serial.idle_mask()),
            15 => !self.errors & 0xE0 | self.serial.status() | self.keyboard.status() | 1,
            _ => 0xFF,
        }
    }

    /// The value of a register that programs can only write, for a debugger: AUDF1 to AUDC4, AUDCTL, IRQEN, SKCTL.
    pub fn written(&self, register: u8) -> u8 {
        match register & 15 {
            i @ (0 | 2 | 4 | 6) => self.audf[i as usize >> 1],
            i @ (1 | 3 | 5 | 7) => self.audc[i as usize >> 1],
            8 => self.audctl,
            14 => self.irqen,
            15 => self.skctl,
            _ => 0xFF,
        }
    }

    /// A write of `data` to register `register` (low four bits) in cycle `now`.
    pub fn write(&mut self, register: u8, data: u8, now: u64) {
        let register = register & 15;
        if register == 14 {
            return self.write_irqen(data, now);
        }
        self.sync_to(now);
        match register {
            0 | 2 | 4 | 6 => {
                let i = register as usize >> 1;
                if self.audf[i] != data {
                    self.write_audf(i, data, now);
                }
            }
            1 | 3 | 5 | 7 => self.write_audc(register as usize >> 1, data, now),
            8 => self.write_audctl(data, now),
            9 => self.strobe_stimer(now),
            // SKRES.
            10 => self.errors = 0,
            11 => self.start_pots(now),
            13 => self.write_serout(data, now),
            15 => self.write_skctl(data, now),
            _ => {}
        }
    }

    #[inline(never)]
    fn write_audf(&mut self, i: usize, data: u8, now: u64) {
        self.unfold(i, now);
        self.audf[i] = data;
        self.change_period(i);
    }

    fn write_audc(&mut self, i: usize, data: u8, now: u64) {
        let before = self.audc[i];
        let audible = self.is_audible(i);
        self.audc[i] = data;
        // A change of only the volume does not touch the timers.
        if (before ^ data) & 0xE0 != 0 || self.is_audible(i) != audible {
            self.audc[i] = before;
            self.unfold(i, now);
            self.audc[i] = data;
        }
        self.update_channel(i, 2 * now + 2);
    }

    fn write_irqen(&mut self, data: u8, now: u64) {
        if now >= self.next_stage() {
            self.sync_for_irqen(data, now);
        }
        let mut enabled = interrupting_timers(data & !self.irqen);
        while enabled != 0 {
            self.expect_pulses(enabled.trailing_zeros() as usize, now);
            enabled &= enabled - 1;
        }
        self.irqen = data;
        self.pending &= data & !irq::SEROC;
    }

    /// Works off what goes by the old value of IRQEN before `data` is written to it: the stages of timers that are not regular, and pulses of timer 4 that
    /// clock a filter before their interrupt is enabled.
    #[inline(never)]
    fn sync_for_irqen(&mut self, data: u8, now: u64) {
        let changed = interrupting_timers(self.irqen ^ data);
        let enabled = changed & interrupting_timers(data);
        let filter = enabled & 8 != 0 && self.clocks_filter(3);
        if self.stay_regular(changed) && !filter {
            self.sync_interrupts(now);
        } else {
            self.sync_to(now);
        }
    }

    #[inline(never)]
    fn write_audctl(&mut self, data: u8, now: u64) {
        let changed = self.audctl ^ data;
        if changed == 0 {
            return;
        }
        if changed & 0x79 != 0 {
            self.change_clocks(now, |pokey| pokey.audctl = data);
        } else {
            self.unfold_all(now);
            self.audctl = data;
        }
        if changed & 0x80 != 0 {
            self.noise.set_mode(self.in_init(), data & 0x80 != 0, now);
        }
        if changed & 0x06 != 0 {
            self.update_level(2 * now + 2);
        }
    }

    #[inline(never)]
    fn write_skctl(&mut self, data: u8, now: u64) {
        if data == self.skctl {
            return;
        }
        self.unfold_all(now);
        self.settle_pots(now);
        let was_scanning = self.skctl & 2 != 0;
        let was_init = self.in_init();
        let init = data & 3 == 0;
        if was_init == init {
            self.skctl = data;
        } else {
            self.change_clocks(now, |pokey| {
                pokey.skctl = data;
                if !init {
                    pokey.clock_epoch = now;
                }
            });
            self.noise.set_mode(init, self.audctl & 0x80 != 0, now);
            self.update_level(2 * now + 2);
        }
        self.restart_scan(was_scanning, now);
        self.serial_mode(now);
    }
}
