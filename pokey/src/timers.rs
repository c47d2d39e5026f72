//! The four countdown timers and the effects of their pulses.
//!
//! A counter that is reloaded at cycle R with N underflows on its (N+1)th clock tick not before R+2. An underflow at U
//! reloads it at U+2 (so AUDF must be written by U+1) and gives a pulse at U+3, when reads of IRQST first show it; the
//! output flip-flop and the serial clock follow at U+5. STIMER at S reloads at S+3 and cancels underflows after S.
//! With 1.79 MHz this makes 8+N after STIMER, then every N+4; linked 11+N, then N+7 (hardware manual 5.3; Acid800
//! pokey_timertiming, pokey_inittiming, pokey_sertiming).
//!
//! Each of these stages is an event with its own time, but those of timers that are *regular*.

mod regular;
mod run;
mod words;

use crate::{NEVER, Pokey, irq};
use regular::Regular;
use serde::{Deserialize, Serialize};

/// Machine cycles from the SKCTL write that leaves initialization mode to the first 64 kHz tick, and between ticks.
const TICK_64K: (u64, u64) = (22, 28);
/// Machine cycles from that write to the first 15 kHz tick, and between ticks.
const TICK_15K: (u64, u64) = (81, 114);

/// Kinds of events, in the order in which they happen within a cycle; each has a slot per timer.
const PRESET: usize = 0;
const OUTPUT: usize = 1;
const PULSE: usize = 5;
const RELOAD: usize = 9;
const UNDERFLOW: usize = 13;
const SLOTS: usize = 17;

/// From an underflow's pulse, and from its reload, to the change of the output.
const PULSE_TO_OUTPUT: u64 = 2;
const RELOAD_TO_OUTPUT: u64 = 3;
/// No output changes earlier after power-on.
const FIRST_OUTPUT: u64 = 8;

/// Times of the next stages of each timer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Timers {
    /// Cycle of each event; [`NEVER`] in slots that are not in use.
    at: [u64; SLOTS],
    /// Bit mask of the slots in use.
    used: u32,
    /// The earliest event, and its slot.
    next: u64,
    slot: u8,
    /// The counts of counters that are not clocked now, or are clocked by the low half of a pair.
    count: [u8; 4],
    /// Cycle of the last reload, or of the one that an underflow asked for, with the registers as they are now; else [`NEVER`].
    reloaded: [u64; 4],
    regular: [Option<Regular>; 4],
    /// The stages since a reload are gone through again, whose pulses have clocked the filters.
    replaying: bool,
    /// Timers 3 and 4 are held in reset, waiting for a start bit.
    held: bool,
}

impl Timers {
    pub(crate) fn new() -> Self {
        Self {
            at: [NEVER; SLOTS],
            used: 0,
            next: NEVER,
            slot: 0,
            count: [0; 4],
            reloaded: [NEVER; 4],
            regular: [None; 4],
            replaying: false,
            held: false,
        }
    }

    #[cfg(test)]
    pub(crate) fn is_regular(&self, i: usize) -> bool {
        self.regular[i].is_some()
    }

    /// The earliest stage of any timer.
    #[inline]
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Puts an event into a slot, or [`NEVER`] to leave the slot free. [`Self::find_next`] must follow.
    #[inline]
    fn set(&mut self, slot: usize, at: u64) {
        self.at[slot] = at;
        let bit = 1 << slot;
        self.used = if at == NEVER {
            self.used & !bit
        } else {
            self.used | bit
        };
    }

    /// Puts an event into a slot, and finds the next one.
    fn put(&mut self, slot: usize, at: u64) {
        self.set(slot, at);
        if usize::from(self.slot) == slot {
            self.find_next();
        } else if (at, slot) < (self.next, usize::from(self.slot)) {
            (self.next, self.slot) = (at, slot as u8);
        }
    }

    #[inline]
    fn find_next(&mut self) {
        (self.next, self.slot) = self.earliest(self.used);
    }

    /// The earliest event in any of these slots (bit mask), and its slot.
    #[inline]
    fn earliest(&self, mut slots: u32) -> (u64, u8) {
        let mut first = (NEVER, 0);
        while slots != 0 {
            let slot = slots.trailing_zeros() as usize;
            slots &= slots - 1;
            // The mask never names a slot past the last.
            let at = self.at.get(slot).copied().unwrap_or(NEVER);
            if at < first.0 {
                first = (at, slot as u8);
            }
        }
        first
    }

    /// The earliest cycle in which timer `i`, which counts together with `first..=last`, can give its next pulse.
    #[inline]
    fn next_pulse(&self, i: usize, (first, last): (usize, usize)) -> u64 {
        let at = |slot: usize, cycles: u64| self.at[slot].saturating_add(cycles);
        // After a reload a counter underflows two cycles later at the earliest.
        let counted = at(UNDERFLOW + first, 0).min(at(RELOAD + first, 2));
        let underflow = if first == last {
            counted
        } else if i == first {
            // The high half reloads the low one.
            counted.min(at(UNDERFLOW + last, 4))
        } else {
            // An underflow of the low half counts the high half, which underflows three cycles later at the earliest.
            counted.saturating_add(3).min(at(UNDERFLOW + last, 0))
        };
        underflow.saturating_add(3).min(self.at[PULSE + i])
    }

    /// The earliest event of timers `first..=last`, and its slot.
    fn next_of(&self, first: usize, last: usize) -> (u64, usize) {
        let mut next = (NEVER, 0);
        for kind in [OUTPUT, PULSE, RELOAD, UNDERFLOW] {
            for slot in kind + first..=kind + last {
                if self.at[slot] < next.0 {
                    next = (self.at[slot], slot);
                }
            }
        }
        next
    }
}

/// The interrupt of each timer.
const SOURCES: [u8; 4] = [irq::TIMER1, irq::TIMER2, 0, irq::TIMER4];

/// Timers (bit mask) that give these interrupts of IRQEN.
pub(crate) fn interrupting_timers(sources: u8) -> u8 {
    sources & (irq::TIMER1 | irq::TIMER2) | (sources & irq::TIMER4) << 1
}

impl Pokey {
    /// True if timer `i` runs at 1.79 MHz (timers 1 and 3 only).
    fn is_fast(&self, i: usize) -> bool {
        (i == 0 && self.audctl & 0x40 != 0) || (i == 2 && self.audctl & 0x20 != 0)
    }

    /// True if timer `i` is the high half of a 16-bit pair.
    fn is_linked_high(&self, i: usize) -> bool {
        (i == 1 && self.audctl & 0x10 != 0) || (i == 3 && self.audctl & 0x08 != 0)
    }

    /// The timers that count together with timer `i`: first and last; the last gives the period.
    fn unit(&self, i: usize) -> (usize, usize) {
        let high = i | 1;
        if self.is_linked_high(high) {
            (high - 1, high)
        } else {
            (i, i)
        }
    }

    fn slow_period(&self) -> u64 {
        if self.audctl & 1 != 0 {
            TICK_15K.1
        } else {
            TICK_64K.1
        }
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

    /// The count of counter `i` after cycle `now`, and the cycle from which on it counts.
    fn count_left(&self, i: usize, now: u64) -> (u8, u64) {
        let at = self.timers.at[UNDERFLOW + i];
        let count = self.timers.count[i];
        // One that was reloaded in this very cycle does not count in the next.
        if self.timers.reloaded[i] == now {
            return (count, now + 2);
        }
        if at == NEVER || at <= now || self.is_linked_high(i) {
            return (count, now + 1);
        }
        let left = if self.is_fast(i) {
            at - now - 1
        } else {
            (at - self.slow_tick(now + 1).min(at)) / self.slow_period()
        };
        if left > u64::from(count) {
            (count, now + 2)
        } else {
            (left as u8, now + 1)
        }
    }

    /// True if the timers can be in this state.
    pub(crate) fn timers_are_valid(&self) -> bool {
        let timers = &self.timers;
        let mut found = timers.clone();
        found.used = 0;
        for slot in 0..SLOTS {
            found.set(slot, timers.at[slot]);
        }
        found.find_next();
        let slots = timers.at.iter().enumerate().all(|(slot, &at)| {
            Self::is_ahead(at, self.now)
                && at
                    >= if (OUTPUT..PULSE).contains(&slot) {
                        FIRST_OUTPUT
                    } else {
                        1
                    }
        });
        slots
            && (found.used, found.next) == (timers.used, timers.next)
            && (timers.next == NEVER
                || timers.at.get(usize::from(timers.slot)) == Some(&timers.next))
            && !timers.replaying
            && timers
                .regular
                .iter()
                .flatten()
                .all(|r| r.is_valid(self.now))
    }

    /// Keeps the counters over a change of their clocks made by `change` at cycle `now`.
    pub(crate) fn change_clocks(&mut self, now: u64, change: impl FnOnce(&mut Self)) {
        self.unfold_all(now);
        let left: [(u8, u64); 4] = core::array::from_fn(|i| self.count_left(i, now));
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
            let waits =
                self.timers.at[UNDERFLOW + i] == NEVER && self.timers.at[RELOAD + i] != NEVER;
            if due[i] != NEVER {
                self.timers.set(UNDERFLOW + i, due[i]);
            } else if !waits {
                self.start_timer(i, left[i].0, left[i].1);
            }
        }
        self.timers.reloaded = [NEVER; 4];
        self.timers.find_next();
    }

    /// A write to STIMER: all counters are reloaded, the output flip-flops set.
    #[inline(never)]
    pub(crate) fn strobe_stimer(&mut self, now: u64) {
        self.unfold_all(now);
        for i in 0..4 {
            self.timers.set(UNDERFLOW + i, NEVER);
            self.timers.set(RELOAD + i, now + 3);
            self.timers.reloaded[i] = NEVER;
        }
        self.timers.set(PRESET, now + 4);
        self.timers.find_next();
    }

    /// True if timers 3 and 4 are held in reset.
    pub(crate) fn timers_held(&self) -> bool {
        self.timers.held
    }

    /// Holds timers 3 and 4 in reset (asynchronous receive without a start bit) or lets them go.
    pub(crate) fn hold_timers(&mut self, hold: bool, now: u64) {
        if hold == self.timers.held {
            return;
        }
        self.unfold(2, now);
        self.unfold(3, now);
        self.timers.held = hold;
        for i in 2..4 {
            self.timers.set(UNDERFLOW + i, NEVER);
            self.timers
                .set(RELOAD + i, if hold { NEVER } else { now + 3 });
            self.timers.reloaded[i] = NEVER;
        }
        self.timers.find_next();
    }

    /// The cycle in which the timers need a call for the sake of interrupts and the serial port.
    pub(crate) fn timers_event(&self) -> u64 {
        // An interrupt that shows stays until IRQEN clears it: more pulses change nothing.
        let interrupting = interrupting_timers(self.irqen & !self.pending);
        let clocking = self.serial_timers();
        if interrupting | clocking == 0 {
            return NEVER;
        }
        self.event_of(interrupting, clocking)
    }

    /// The time at which timers (bit masks) that interrupt and that clock the serial port need a call.
    #[inline(never)]
    fn event_of(&self, interrupting: u8, clocking: u8) -> u64 {
        let mut wanted = interrupting | clocking;
        let mut next = NEVER;
        // In two-tone mode either of timers 1 and 2 restarts both, if timer 1 does not hold 2 back.
        if wanted & 3 != 0 && self.is_two_tone() && !self.holds_timer_2_back() {
            next = self.timers.next_of(0, 1).0;
        }
        while wanted != 0 {
            let i = wanted.trailing_zeros() as usize & 3;
            wanted &= wanted - 1;
            let clocks = clocking >> i & 1 != 0;
            next = next.min(match &self.timers.regular[i] {
                Some(regular) if clocks => {
                    let serial = self.serial_event(i, regular.output, regular.period);
                    serial.min(self.timers.at[PULSE + i])
                }
                Some(_) => self.timers.at[PULSE + i],
                None => self.stage_event(i, interrupting >> i & 1 != 0, clocks),
            });
        }
        next
    }

    /// The time at which timer `i` needs a call, which interrupts or clocks the serial port and works by single stages.
    #[inline(never)]
    fn stage_event(&self, i: usize, interrupts: bool, clocks: bool) -> u64 {
        let pulse = self.timers.next_pulse(i, self.unit(i));
        let output = self.timers.at[OUTPUT + i];
        match (interrupts, clocks) {
            (true, true) => pulse.min(output),
            (true, false) => pulse,
            _ => pulse.saturating_add(PULSE_TO_OUTPUT).min(output),
        }
    }

    /// Timers (bit mask) whose interrupts are enabled.
    fn irq_timers(&self) -> u8 {
        interrupting_timers(self.irqen)
    }

    /// Works off the next event, which is due at cycle `at`.
    pub(crate) fn timer_event(&mut self, at: u64) {
        let slot = usize::from(self.timers.slot);
        match slot.wrapping_sub(PULSE) {
            i @ 0..4 if self.timers.regular[i].is_some() => {
                self.filter_pulse(i, at);
                self.regular_pulses(i, at, at);
            }
            _ => self.stage(slot, at),
        }
        self.timers.find_next();
    }

    /// Works off the event in `slot`.
    fn stage(&mut self, slot: usize, at: u64) {
        self.timers.set(slot, NEVER);
        match slot {
            PRESET => self.preset_outputs(at),
            OUTPUT..PULSE => self.output_stage(slot - OUTPUT, at),
            PULSE..RELOAD => self.pulse(slot - PULSE, at),
            RELOAD..UNDERFLOW => {
                let i = slot - RELOAD;
                self.timers.reloaded[i] = at;
                self.start_timer(i, self.audf[i], at + 2);
            }
            _ => self.underflow(slot - UNDERFLOW, at),
        }
    }

    fn underflow(&mut self, i: usize, at: u64) {
        self.timers.set(PULSE + i, at + 3);
        let linked_low = i & 1 == 0 && self.is_linked_high(i + 1);
        if linked_low {
            // No reload of its own; the high half counts, and 256 ticks follow.
            self.start_timer(i, 255, at + 1);
            if self.timers.count[i + 1] == 0 {
                self.timers.set(UNDERFLOW + i + 1, at + 3);
            }
            self.timers.count[i + 1] = self.timers.count[i + 1].wrapping_sub(1);
        } else {
            self.timers.count[i] = 255;
            self.timers.set(RELOAD + i, at + 2);
            self.timers.reloaded[i] = at + 2;
            if self.is_linked_high(i) {
                self.timers.set(RELOAD + i - 1, at + 2);
            }
        }
    }

    fn pulse(&mut self, i: usize, at: u64) {
        self.raise(SOURCES[i]);
        if !self.timers.replaying {
            self.filter_pulse(i, at);
        }
        self.sound_pulse(i, at);
        self.timers.set(OUTPUT + i, at + PULSE_TO_OUTPUT);
        if self.restarts_both(i) {
            if i == 1 {
                self.unfold(0, at - 1);
            }
            // STIMER's reload, if it comes later, is the one that counts.
            let strobe = self.timers.at[PRESET];
            let reload = if strobe == NEVER { at + 1 } else { strobe - 1 };
            for j in 0..2 {
                let pulse = self.timers.at[PULSE + j];
                if pulse != NEVER && pulse > at + 1 {
                    self.timers.set(PULSE + j, NEVER);
                }
                self.timers.set(UNDERFLOW + j, NEVER);
                self.timers.set(RELOAD + j, reload.max(at + 1));
                self.timers.reloaded[j] = NEVER;
            }
        }
    }

    /// True in two-tone mode.
    fn is_two_tone(&self) -> bool {
        self.skctl & 8 != 0
    }

    /// True if a pulse of timer `i` restarts timers 1 and 2: in two-tone mode that of timer 2 always, that of timer 1 while it carries the
    /// output (a 1 bit, no forced break).
    fn restarts_both(&self, i: usize) -> bool {
        let carries = self.skctl & 0x80 == 0 && self.serial.output_bit();
        self.is_two_tone() && (i == 1 || i == 0 && carries)
    }

    fn output_stage(&mut self, i: usize, at: u64) {
        if let Some(next) = self.regular_next(i, at) {
            self.timers.set(OUTPUT + i, next);
            self.sound_pulse(i, at - PULSE_TO_OUTPUT);
            self.output_change(i, at);
            self.serial_pulse(i, at);
            if !self.is_heard(i) && self.timers.regular[i].is_some() {
                self.timers.set(OUTPUT + i, NEVER);
            }
            return;
        }
        self.output_change(i, at);
        self.serial_pulse(i, at);
        if self.timers.reloaded[i] == at.wrapping_sub(self.reload_to_output(i)) {
            self.make_regular(i, at);
        }
    }

    /// The period of timer `i` was changed: it is not regular before its next reload.
    pub(crate) fn change_period(&mut self, i: usize) {
        let (_, last) = self.unit(i);
        self.timers.reloaded[last] = NEVER;
    }

    /// Clears values that only decide when a timer becomes regular, and values that no stage will use.
    #[cfg(test)]
    pub(crate) fn forget_leftovers(&mut self) {
        self.timers.reloaded = [NEVER; 4];
        for i in 0..4 {
            if self.timers.at[UNDERFLOW + i] != NEVER {
                self.timers.count[i] = 0;
            }
            if self.timers.at[OUTPUT + i] == NEVER {
                self.forget_next_output(i);
            }
        }
    }
}
