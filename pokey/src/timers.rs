//! The four countdown timers and what their pulses do.
//!
//! A counter that is reloaded at cycle R with N underflows on its (N+1)th clock tick not before R+2. An underflow at U
//! reloads it at U+2 (so AUDF must be written by U+1) and gives a pulse at U+3, when reads of IRQST first show it.
//! STIMER at S reloads at S+3 and cancels underflows after S. With 1.79 MHz this makes 8+N after STIMER, then every
//! N+4; linked 11+N, then N+7 (hardware manual 5.3; Acid800 pokey_timertiming, pokey_inittiming).

use crate::{NEVER, Pokey, irq};
use serde::{Deserialize, Serialize};

/// Machine cycles from the SKCTL write that leaves initialization mode to the first 64 kHz tick, and between ticks.
const TICK_64K: (u64, u64) = (22, 28);
/// The same for 15 kHz.
const TICK_15K: (u64, u64) = (81, 114);

const UNDERFLOW: usize = 0;
const RELOAD: usize = 4;
const PULSE: usize = 8;
const OUTPUT: usize = 12;
const PRESET: usize = 16;
const SLOTS: usize = 17;

/// Times of the next stages of each timer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Timers {
    /// Cycle of each event: underflow, reload, pulse and output change of the four timers, and the STIMER preset.
    at: [u64; SLOTS],
    /// The earliest of them.
    next: u64,
    /// What is left in counters that are not clocked now, or clocked by the low half of a pair.
    count: [u8; 4],
    /// Timers 3 and 4 are held in reset, waiting for a start bit.
    held: bool,
}

impl Timers {
    pub(crate) fn new() -> Self {
        Self {
            at: [NEVER; SLOTS],
            next: NEVER,
            count: [0; 4],
            held: false,
        }
    }

    /// The earliest stage of any timer.
    #[inline]
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    fn set(&mut self, slot: usize, at: u64) {
        self.at[slot] = at;
        self.find_next();
    }

    fn find_next(&mut self) {
        self.next = self.at.iter().copied().min().unwrap_or(NEVER);
    }
}

impl Pokey {
    /// Whether timer `i` runs at 1.79 MHz (timers 1 and 3 only).
    fn is_fast(&self, i: usize) -> bool {
        (i == 0 && self.audctl & 0x40 != 0) || (i == 2 && self.audctl & 0x20 != 0)
    }

    /// Whether timer `i` is the high half of a 16-bit pair.
    fn is_linked_high(&self, i: usize) -> bool {
        (i == 1 && self.audctl & 0x10 != 0) || (i == 3 && self.audctl & 0x08 != 0)
    }

    /// First tick of the slow clock not before `from`.
    fn slow_tick(&self, from: u64) -> u64 {
        let (first, period) = if self.audctl & 1 != 0 {
            TICK_15K
        } else {
            TICK_64K
        };
        let first = self.clock_epoch + first;
        if from <= first {
            first
        } else {
            first + (from - first).div_ceil(period) * period
        }
    }

    fn slow_period(&self) -> u64 {
        if self.audctl & 1 != 0 {
            TICK_15K.1
        } else {
            TICK_64K.1
        }
    }

    /// Starts timer `i` with `count` left: it underflows on the (count+1)th tick not before `from`.
    fn start_timer(&mut self, i: usize, count: u8, from: u64) {
        self.timers.count[i] = count;
        let at = if self.is_linked_high(i) || (i >= 2 && self.timers.held) {
            NEVER
        } else if self.is_fast(i) {
            from + u64::from(count)
        } else if self.in_init() {
            NEVER
        } else {
            self.slow_tick(from) + u64::from(count) * self.slow_period()
        };
        self.timers.set(UNDERFLOW + i, at);
    }

    /// What is left in counter `i` after cycle `now`.
    fn count_left(&self, i: usize, now: u64) -> u8 {
        let at = self.timers.at[UNDERFLOW + i];
        if at == NEVER || at <= now || self.is_linked_high(i) {
            self.timers.count[i]
        } else if self.is_fast(i) {
            (at - now - 1) as u8
        } else {
            ((at - self.slow_tick(now + 1).min(at)) / self.slow_period()) as u8
        }
    }

    /// Keeps the counters over a change of their clocks made by `change` at cycle `now`.
    pub(crate) fn change_clocks(&mut self, now: u64, change: impl FnOnce(&mut Self)) {
        let left: [u8; 4] = core::array::from_fn(|i| self.count_left(i, now));
        // The high half of a pair may be between its last count and its underflow.
        let due: [u64; 4] = core::array::from_fn(|i| {
            if self.is_linked_high(i) {
                self.timers.at[UNDERFLOW + i]
            } else {
                NEVER
            }
        });
        change(self);
        for i in 0..4 {
            self.start_timer(i, left[i], now + 1);
            if due[i] != NEVER {
                self.timers.set(UNDERFLOW + i, due[i]);
            }
        }
    }

    /// A write to STIMER: all counters are reloaded, the output flip-flops set.
    pub(crate) fn strobe_stimer(&mut self, now: u64) {
        for i in 0..4 {
            self.timers.at[UNDERFLOW + i] = NEVER;
            self.timers.at[RELOAD + i] = now + 3;
        }
        self.timers.set(PRESET, now + 4);
    }

    /// Holds timers 3 and 4 in reset (asynchronous receive without a start bit) or lets them go.
    pub(crate) fn hold_timers(&mut self, hold: bool, now: u64) {
        if hold == self.timers.held {
            return;
        }
        self.timers.held = hold;
        for i in 2..4 {
            self.timers.at[UNDERFLOW + i] = NEVER;
            self.timers.at[RELOAD + i] = NEVER;
            if !hold {
                self.timers.at[RELOAD + i] = now + 3;
            }
        }
        self.timers.find_next();
    }

    /// When the timers need a call for the sake of interrupts and the serial port.
    pub(crate) fn timers_event(&self) -> u64 {
        let mut wanted = 0;
        for (i, bit) in [(0, irq::TIMER1), (1, irq::TIMER2), (3, irq::TIMER4)] {
            if self.irqen & bit != 0 {
                wanted |= 1 << i;
            }
        }
        if wanted | self.serial_timers() == 0 {
            NEVER
        } else {
            self.timers.next
        }
    }

    /// Works off the stages that are due at cycle `at`.
    pub(crate) fn timer_event(&mut self, at: u64) {
        // Order within a cycle: outputs settle before the high-pass flip-flops sample them half a cycle later.
        let mut settled = false;
        if self.timers.at[PRESET] == at {
            self.timers.at[PRESET] = NEVER;
            self.preset_outputs();
            settled = true;
        }
        for i in 0..4 {
            if self.timers.at[OUTPUT + i] == at {
                self.timers.at[OUTPUT + i] = NEVER;
                self.output_change(i);
                settled = true;
                if i == 1 || i == 3 {
                    self.serial_pulse(i, at);
                }
            }
        }
        if settled {
            self.update_level(2 * at);
        }
        for i in 0..4 {
            if self.timers.at[PULSE + i] == at {
                self.timers.at[PULSE + i] = NEVER;
                self.pulse(i, at);
            }
        }
        for i in 0..4 {
            if self.timers.at[RELOAD + i] == at {
                self.timers.at[RELOAD + i] = NEVER;
                self.start_timer(i, self.audf[i], at + 2);
            }
        }
        for i in 0..4 {
            if self.timers.at[UNDERFLOW + i] == at {
                self.underflow(i, at);
            }
        }
        self.timers.find_next();
    }

    fn underflow(&mut self, i: usize, at: u64) {
        self.timers.at[UNDERFLOW + i] = NEVER;
        self.timers.at[PULSE + i] = at + 3;
        let linked_low = i & 1 == 0 && self.is_linked_high(i + 1);
        if linked_low {
            // No reload of its own; the high half counts, and 256 ticks follow.
            self.start_timer(i, 255, at + 1);
            if self.timers.count[i + 1] == 0 {
                self.timers.at[UNDERFLOW + i + 1] = at + 3;
            } else {
                self.timers.count[i + 1] -= 1;
            }
        } else {
            self.timers.at[RELOAD + i] = at + 2;
            if self.is_linked_high(i) {
                self.timers.at[RELOAD + i - 1] = at + 2;
            }
        }
    }

    fn timer_irq(&mut self, i: usize) {
        let source = match i {
            0 => irq::TIMER1,
            1 => irq::TIMER2,
            3 => irq::TIMER4,
            _ => return,
        };
        self.raise(source);
    }

    fn pulse(&mut self, i: usize, at: u64) {
        self.timer_irq(i);
        // The output flip-flops and the serial clock follow two cycles later.
        let clocked = self.sound_pulse(i, at);
        if clocked || i == 1 || i == 3 {
            self.timers.at[OUTPUT + i] = at + 2;
        }
        // Two-tone mode: timer 2 always restarts both, timer 1 while it carries the output (a 1 bit, no forced break).
        if self.skctl & 8 != 0
            && (i == 1 || (i == 0 && self.skctl & 0x80 == 0 && self.serial.output_bit()))
        {
            for j in 0..2 {
                let pulse = self.timers.at[PULSE + j];
                if pulse != NEVER && pulse > at + 1 {
                    self.timers.at[PULSE + j] = NEVER;
                }
                self.timers.at[UNDERFLOW + j] = NEVER;
                self.timers.at[RELOAD + j] = at + 1;
            }
        }
    }
}
