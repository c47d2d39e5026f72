//! POKEY: timers, interrupts, serial port, keyboard and pot scan, and sound as timestamped levels.
//!
//! Every call carries the machine cycle `now`. The chip does nothing between calls: it keeps the times of its next
//! internal events and works them off, in order, up to `now`. `sync_to(a); sync_to(b)` equals `sync_to(b)`.
//! After each call [`Pokey::next_event`] says when it must be called again for its IRQ line to be right.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod keyboard;
mod noise;
mod pots;
mod registers;
mod serial;
mod sound;
#[cfg(test)]
mod tests;
mod timers;
mod valid;

pub use keyboard::Keys;
pub use serial::SerialByte;
pub use sound::{SPEAKER, SoundChange};

use keyboard::Keyboard;
use noise::Noise;
use pots::Pots;
use serde::{Deserialize, Serialize};
use serial::Serial;
use sound::Sound;
use timers::Timers;

/// A time that never comes.
pub const NEVER: u64 = u64::MAX;

/// Cycles whose events of regular timers cost less one by one than together.
const SHORT: u64 = 8;

/// IRQEN/IRQST bits.
pub mod irq {
    /// Timer 1.
    pub const TIMER1: u8 = 0x01;
    /// Timer 2.
    pub const TIMER2: u8 = 0x02;
    /// Timer 4.
    pub const TIMER4: u8 = 0x04;
    /// Serial output complete: a level, not latched.
    pub const SEROC: u8 = 0x08;
    /// Serial output data needed.
    pub const SEROR: u8 = 0x10;
    /// Serial input data ready.
    pub const SERIN: u8 = 0x20;
    /// A key was pressed.
    pub const KEY: u8 = 0x40;
    /// The BREAK key was pressed.
    pub const BREAK: u8 = 0x80;
}

/// The chip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pokey {
    audf: [u8; 4],
    audc: [u8; 4],
    audctl: u8,
    skctl: u8,
    irqen: u8,
    /// Latched interrupts, 1 = active (IRQST inverted), without SEROC.
    pending: u8,
    /// Latched errors of SKSTAT, 1 = error: bit 7 framing, bit 6 keyboard overrun, bit 5 serial input overrun.
    errors: u8,
    /// The cycle up to which everything has happened.
    now: u64,
    timers: Timers,
    noise: Noise,
    sound: Sound,
    serial: Serial,
    keyboard: Keyboard,
    pots: Pots,
    /// Cycle of the SKCTL write that left (or entered) initialization mode: phase of the 64 and 15 kHz clocks.
    clock_epoch: u64,
    /// Tests compare with a chip that works off every stage.
    #[cfg(test)]
    every_stage: bool,
}

impl Pokey {
    /// A chip at power-on, in initialization mode, all registers 0.
    pub fn new(now: u64) -> Self {
        let mut pokey = Self {
            audf: [0; 4],
            audc: [0; 4],
            audctl: 0,
            skctl: 0,
            irqen: 0,
            pending: 0,
            errors: 0,
            now,
            timers: Timers::new(),
            noise: Noise::new(now),
            sound: Sound::new(),
            serial: Serial::new(),
            keyboard: Keyboard::new(),
            pots: Pots::new(),
            clock_epoch: now,
            #[cfg(test)]
            every_stage: false,
        };
        pokey.strobe_stimer(now);
        pokey
    }

    /// True if the chip is in initialization mode (SKCTL bits 0 and 1 both 0).
    fn in_init(&self) -> bool {
        self.skctl & 3 == 0
    }

    /// The level of the IRQ output, `true` while pulled low, as of the last call.
    #[inline]
    pub fn irq(&self) -> bool {
        self.pending | (self.irqen & irq::SEROC & self.serial.idle_mask()) != 0
    }

    /// The latest cycle at which the chip must be called again so that its IRQ line, its serial output and its
    /// registers are right; [`NEVER`] when nothing is due. Sound by itself needs no call.
    #[inline]
    pub fn next_event(&self) -> u64 {
        self.timers_event().min(self.keyboard_event())
    }

    /// Works off everything up to and including cycle `now`.
    #[inline]
    pub fn sync_to(&mut self, now: u64) {
        if now >= self.next_stage() {
            self.work_off(now);
        }
        self.now = self.now.max(now);
    }

    /// Works off what moves the interrupt line and the serial port up to and including cycle `now`. Sound may wait for [`Self::sync_to`].
    pub fn sync_interrupts(&mut self, now: u64) {
        if now >= self.next_stage() {
            self.raise_early(now);
            if now >= self.next_stage() && now >= self.next_event() {
                self.sync_to(now);
            }
        }
    }

    /// The cycle in which anything happens next, whether it shows or not.
    #[inline]
    fn next_stage(&self) -> u64 {
        self.timers.next().min(self.keyboard_event())
    }

    /// Works off the stages up to and including cycle `now`.
    fn work_off(&mut self, now: u64) {
        self.raise_early(now);
        while self.next_stage() <= now {
            let timers = self.timers.next();
            let keyboard = self.keyboard_event();
            if timers < keyboard {
                let irregular = self.next_irregular();
                if timers < irregular {
                    let until = now.min(keyboard).min(irregular - 1);
                    if until - timers < SHORT {
                        self.step_regular(timers);
                    } else {
                        self.run_regular(until);
                    }
                    continue;
                }
            }
            self.now = timers.min(keyboard);
            if keyboard < timers {
                self.keyboard_tick(keyboard);
            } else {
                self.timer_event(timers);
            }
        }
    }

    /// Raises latched interrupts if they are enabled; a disabled source loses its events.
    fn raise(&mut self, source: u8) {
        self.pending |= source & self.irqen;
    }

    /// The changes of the output level since the last call are moved to the end of `into`.
    pub fn take_sound(&mut self, into: &mut alloc::vec::Vec<SoundChange>) {
        self.sound.take(into);
    }

    /// The level as of the last call, as in [`SoundChange::level`].
    pub fn sound_level(&self) -> u8 {
        self.sound.level()
    }
}
