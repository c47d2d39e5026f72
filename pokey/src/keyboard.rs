//! The keyboard scan (Altirra Hardware Reference Manual 5.8).
//!
//! A 6-bit counter steps with the 15 kHz clock while SKCTL bit 1 is 1; one key is scanned per step. Only the steps at
//! which something can happen are worked off.

use crate::{NEVER, Pokey, irq};
use serde::{Deserialize, Serialize};

/// Cycles from the SKCTL write that leaves initialization mode to the first 15 kHz tick as the scan sees it. The pots see it a cycle
/// earlier; no program is known that measures it for the keyboard.
const FIRST_TICK: u64 = 81;
const TICK: u64 = 114;

/// The keys that are held down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keys {
    /// One bit per scan code 0..=63.
    pub matrix: u64,
    /// A SHIFT key.
    pub shift: bool,
    /// The CONTROL key.
    pub control: bool,
    /// The BREAK key.
    pub break_key: bool,
}

impl Keys {
    /// One key as KBCODE reports it: scan code, $40 for SHIFT, $80 for CONTROL.
    pub fn code(kbcode: u8) -> Self {
        Self {
            matrix: 1 << (kbcode & 0x3F),
            shift: kbcode & 0x40 != 0,
            control: kbcode & 0x80 != 0,
            break_key: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Scan {
    Up,
    DebounceDown,
    Down,
    DebounceUp,
}

/// State of the scan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Keyboard {
    keys: Keys,
    state: Scan,
    compare: u8,
    pub(crate) kbcode: u8,
    shift: bool,
    control: bool,
    break_seen: bool,
    /// Cycle of the next step that can matter.
    next: u64,
    /// Cycle of the step at which the counter was last reset to 0 (it is 0 there).
    zero: u64,
}

impl Keyboard {
    pub(crate) fn new() -> Self {
        Self {
            keys: Keys::default(),
            state: Scan::Up,
            compare: 0,
            kbcode: 0xFF,
            shift: false,
            control: false,
            break_seen: false,
            next: NEVER,
            zero: 0,
        }
    }

    /// True if the scan can be in this state.
    pub(crate) fn is_valid(&self, now: u64) -> bool {
        self.compare < 64
            && Pokey::is_ahead(self.next, now)
            && self.zero <= self.next
            && self.zero <= now + 2 * TICK
    }

    /// SKSTAT bits 3 (SHIFT) and 2 (a key is down), 0 = pressed.
    pub(crate) fn status(&self) -> u8 {
        u8::from(!self.shift) << 3
            | u8::from(!matches!(self.state, Scan::Down | Scan::DebounceUp)) << 2
    }
}

impl Pokey {
    /// Sets the keys held down from cycle `now` on.
    pub fn set_keys(&mut self, keys: Keys, now: u64) {
        if keys != self.keyboard.keys {
            self.sync_to(now);
            self.keyboard.keys = keys;
            self.plan_scan(now);
        }
    }

    /// The keys held down.
    pub fn keys(&self) -> Keys {
        self.keyboard.keys
    }

    /// The cycle in which the scan needs a call.
    pub(crate) fn keyboard_event(&self) -> u64 {
        self.keyboard.next
    }

    /// SKCTL was written: the scan is switched on or off, or the 15 kHz clock was restarted.
    pub(crate) fn restart_scan(&mut self, was_on: bool, now: u64) {
        let on = self.skctl & 2 != 0;
        if !on {
            self.keyboard.state = Scan::Up;
            self.keyboard.next = NEVER;
            return;
        }
        if !was_on {
            let first = self.clock_epoch + FIRST_TICK;
            self.keyboard.zero = if now < first {
                first
            } else {
                first + ((now - first) / TICK + 1) * TICK
            };
        }
        self.plan_scan(now);
    }

    /// Finds the next step after `now` at which the counter meets a code that can matter.
    fn plan_scan(&mut self, now: u64) {
        let keyboard = &mut self.keyboard;
        keyboard.next = NEVER;
        if self.skctl & 2 == 0 {
            return;
        }
        let mut codes = keyboard.keys.matrix;
        if keyboard.state != Scan::Up {
            codes |= if self.skctl & 1 != 0 {
                1 << keyboard.compare
            } else {
                u64::MAX
            };
        }
        if keyboard.keys.control != keyboard.control {
            codes |= 1 << 0x00;
        }
        if keyboard.keys.shift != keyboard.shift {
            codes |= 1 << 0x10;
        }
        if keyboard.keys.break_key != keyboard.break_seen {
            codes |= 1 << 0x30;
        }
        if codes == 0 {
            return;
        }
        // Number of the first step after `now`; the counter there is its low six bits.
        let step = if now < keyboard.zero {
            0
        } else {
            (now - keyboard.zero) / TICK + 1
        };
        let ahead = codes.rotate_right((step & 63) as u32).trailing_zeros();
        keyboard.next = keyboard.zero + (step + u64::from(ahead)) * TICK;
    }

    /// One step of the scan.
    pub(crate) fn keyboard_tick(&mut self, at: u64) {
        let counter = ((at - self.keyboard.zero) / TICK % 64) as u8;
        let keyboard = &mut self.keyboard;
        let mut source = 0;
        match counter {
            0x00 => keyboard.control = keyboard.keys.control,
            0x10 => keyboard.shift = keyboard.keys.shift,
            0x30 => {
                if keyboard.keys.break_key && !keyboard.break_seen {
                    source |= irq::BREAK;
                }
                keyboard.break_seen = keyboard.keys.break_key;
            }
            _ => {}
        }
        let down = keyboard.keys.matrix >> counter & 1 != 0;
        let matches = self.skctl & 1 == 0 || counter == keyboard.compare;
        match keyboard.state {
            Scan::Up if down => {
                keyboard.compare = counter;
                keyboard.state = Scan::DebounceDown;
            }
            Scan::DebounceDown if matches && down => {
                keyboard.state = Scan::Down;
                keyboard.kbcode =
                    counter | u8::from(keyboard.shift) << 6 | u8::from(keyboard.control) << 7;
                source |= irq::KEY;
            }
            Scan::DebounceDown if matches || down => keyboard.state = Scan::Up,
            Scan::Down if matches && !down => keyboard.state = Scan::DebounceUp,
            Scan::DebounceUp if matches => {
                keyboard.state = if down { Scan::Down } else { Scan::Up }
            }
            _ => {}
        }
        if source & irq::KEY != 0 && self.pending & irq::KEY != 0 {
            self.errors |= 0x40;
        }
        if source != 0 {
            self.raise(source);
        }
        self.plan_scan(at);
    }
}
