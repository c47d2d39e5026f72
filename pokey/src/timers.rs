//! The four countdown timers and the effects of their pulses.
//!
//! A counter that is reloaded at cycle R with N underflows on its (N+1)th clock tick not before R+2. An underflow at U
//! reloads it at U+2 (so AUDF must be written by U+1) and gives a pulse at U+3, when reads of IRQST first show it; the
//! output flip-flop and the serial clock follow at U+5. STIMER at S reloads at S+3 and cancels underflows after S.
//! With 1.79 MHz this makes 8+N after STIMER, then every N+4; linked 11+N, then N+7 (hardware manual 5.3; Acid800
//! pokey_timertiming, pokey_inittiming, pokey_sertiming).
//!
//! Each of these stages is an event with its own time. A timer that only its sound channel, a high-pass filter, the serial port and its
//! interrupt depend on is *regular*: one event a period for each of them, none for those that are silent, idle or disabled.
//! [`Pokey::unfold`] brings such a timer back to single stages before a register write that concerns it.

use crate::{NEVER, Pokey, irq};
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

/// A timer (or pair, under its high half) whose periods are all alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Regular {
    /// Cycles of a period.
    period: u64,
    /// Cycle of the next output change that has not been made.
    output: u64,
    /// A pair's low half that cannot be heard: its changes are made up to this reload.
    low_since: u64,
    /// A pair's low half that is heard: cycles between its pulses, their number in a period, and how many are left.
    low_step: u64,
    low_pulses: u16,
    low_left: u16,
}

impl Regular {
    /// The next pulse after cycle `now`.
    fn next_pulse(&self, now: u64) -> u64 {
        let pulse = self.output - PULSE_TO_OUTPUT;
        if pulse > now {
            pulse
        } else {
            pulse + ((now - pulse) / self.period + 1) * self.period
        }
    }

    /// True if a timer can be as regular as this: its times step forwards, and by no less than a timer can.
    fn is_valid(&self, now: u64) -> bool {
        let low_half = u64::from(self.low_pulses).saturating_sub(1) * self.low_step;
        (4..1 << 24).contains(&self.period)
            && self.output <= now + self.period
            && self
                .low_since
                .saturating_add(self.period + RELOAD_TO_OUTPUT)
                <= self.output
            && self.low_step < 1 << 16
            && (self.low_pulses == 0 || self.low_step >= 4 && low_half < self.period)
            && self.low_left <= self.low_pulses
    }
}

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

    #[inline]
    fn find_next(&mut self) {
        let (mut next, mut first) = (NEVER, 0);
        let mut used = self.used;
        while used != 0 {
            let slot = used.trailing_zeros() as usize;
            used &= used - 1;
            // The mask never names a slot past the last.
            let at = self.at.get(slot).copied().unwrap_or(NEVER);
            if at < next {
                next = at;
                first = slot as u8;
            }
        }
        self.next = next;
        self.slot = first;
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

/// Times of six events, the earliest first, of equal ones that with the lowest number.
struct Queue {
    /// The time that the others count from.
    origin: u64,
    /// Cycles from there, times eight, plus the number of the event: so the least of them tells both. [`NEVER`] for an event that does not come.
    keys: [u64; 6],
    /// No event comes after this.
    last: u64,
}

impl Queue {
    /// The events up to cycle `until`. `origin` is later than none of the times.
    fn new(times: &[u64; 6], origin: u64, until: u64) -> Self {
        let cycles = until.saturating_sub(origin).min(NEVER >> 4);
        let mut queue = Self {
            origin,
            keys: [NEVER; 6],
            last: cycles << 3 | 7,
        };
        for (event, &at) in times.iter().enumerate() {
            if at != NEVER {
                queue.put(event, at);
            }
        }
        queue
    }

    /// Event number `event` comes at cycle `at`.
    #[inline]
    fn put(&mut self, event: usize, at: u64) {
        self.keys[event] = (at - self.origin) << 3 | event as u64;
    }

    /// The cycle and the number of the earliest event.
    #[inline]
    fn next(&self) -> Option<(u64, usize)> {
        let [a, b, c, d, e, f] = self.keys;
        let first = a.min(b).min(c.min(d)).min(e.min(f));
        (first <= self.last).then_some((self.origin + (first >> 3), first as usize & 7))
    }

    /// The cycle of an event.
    fn time(&self, event: usize) -> u64 {
        match self.keys[event] {
            NEVER => NEVER,
            key => self.origin + (key >> 3),
        }
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
        // In two-tone mode either of timers 1 and 2 restarts both.
        if wanted & 3 != 0 && self.skctl & 8 != 0 {
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

    /// The interrupt of timer `i` is about to be enabled after cycle `now`: a regular timer may have left its pulses out so far.
    #[inline(never)]
    pub(crate) fn expect_pulses(&mut self, i: usize, now: u64) {
        match self.timers.regular[i] {
            // The next pulse is still known if the interrupt was disabled for less than a period.
            Some(_) if self.timers.at[PULSE + i] != NEVER => {}
            Some(regular) => {
                self.timers.set(PULSE + i, regular.next_pulse(now));
                self.timers.find_next();
            }
            // It may be the low half of a pair.
            None => self.unfold(i, now),
        }
    }

    /// True if the next event is a pulse that clocks no filter.
    pub(crate) fn interrupt_is_next(&self) -> bool {
        let slot = usize::from(self.timers.slot);
        (PULSE..RELOAD).contains(&slot) && !self.clocks_filter(slot - PULSE)
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

    /// A regular timer gives pulses up to cycle `until`, the first one at `at`: they interrupt. The filter has followed them.
    fn regular_pulses(&mut self, i: usize, at: u64, until: u64) {
        self.raise(SOURCES[i]);
        let next = match self.timers.regular[i] {
            Some(regular) if self.irqen & SOURCES[i] != 0 || self.clocks_filter(i) => {
                at + ((until - at) / regular.period + 1) * regular.period
            }
            _ => NEVER,
        };
        self.timers.set(PULSE + i, next);
    }

    fn pulse(&mut self, i: usize, at: u64) {
        self.raise(SOURCES[i]);
        if !self.timers.replaying {
            self.filter_pulse(i, at);
        }
        self.sound_pulse(i, at);
        self.timers.set(OUTPUT + i, at + PULSE_TO_OUTPUT);
        // Two-tone mode: timer 2 always restarts both, timer 1 while it carries the output (a 1 bit, no forced break).
        if self.skctl & 8 != 0
            && (i == 1 || (i == 0 && self.skctl & 0x80 == 0 && self.serial.output_bit()))
        {
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
        if self.timers.reloaded[i] == at.wrapping_sub(RELOAD_TO_OUTPUT) {
            self.make_regular(i, at);
        }
    }

    /// A regular timer changes its output at `at`: when it does so next. Nothing for other timers.
    #[inline]
    fn regular_next(&mut self, i: usize, at: u64) -> Option<u64> {
        if let Some(regular) = &mut self.timers.regular[i] {
            regular.output = at + regular.period;
            return Some(regular.output);
        }
        // The low half of a regular pair.
        let regular = self.timers.regular[i | 1]
            .as_mut()
            .filter(|r| i & 1 == 0 && r.low_pulses != 0)?;
        Some(if regular.low_left > 1 {
            regular.low_left -= 1;
            at + regular.low_step
        } else {
            regular.low_left = regular.low_pulses;
            at + regular.period - u64::from(regular.low_pulses - 1) * regular.low_step
        })
    }

    /// True if the sound channel of timer `i`, its filter or the serial port listens to it.
    fn is_heard(&self, i: usize) -> bool {
        self.is_audible(i) || self.is_filtered(i) || self.serial_timers() >> i & 1 != 0
    }

    /// True if all events are output changes and pulses of regular timers, which the serial port does not wait for.
    pub(crate) fn only_regular(&self) -> bool {
        const EACH: u32 = 0b1111;
        let used = self.timers.used;
        if used & !(EACH << OUTPUT | EACH << PULSE) != 0 || self.serial_timers() != 0 {
            return false;
        }
        let regular = &self.timers.regular;
        let mut slots = 0;
        for i in 0..4 {
            let low = i & 1 == 0 && regular[i | 1].is_some_and(|r| r.low_pulses != 0);
            slots |= u32::from(regular[i].is_some() || low) << (OUTPUT + i);
            slots |= u32::from(regular[i].is_some()) << (PULSE + i);
        }
        used & !slots == 0
    }

    /// Works off the output changes and pulses of regular timers up to cycle `until`; there are no other events.
    pub(crate) fn run_regular(&mut self, until: u64) {
        let (times, periods) = self.regular_events();
        let mut queue = Queue::new(&times, self.timers.next, until);
        while let Some((at, event)) = queue.next() {
            if periods[event] != 0 {
                queue.put(event, at + periods[event]);
            } else if let Some(next) = self.regular_next(event, at) {
                queue.put(event, next);
            } else {
                break;
            }
            if event < 4 {
                self.regular_output(event, at, PULSE_TO_OUTPUT);
            } else {
                self.filter_pulse(event - 2, at);
            }
        }
        for i in 0..4 {
            let next = queue.time(i);
            self.timers.at[OUTPUT + i] = next;
            if let Some(regular) = &mut self.timers.regular[i]
                && next != NEVER
            {
                let pulses = (next - regular.output) / regular.period;
                regular.output = next;
                if i & 1 != 0 {
                    self.skip_serial_pulses(i, pulses);
                }
            }
        }
        for i in 0..4 {
            let at = self.timers.at[PULSE + i];
            if at <= until {
                self.regular_pulses(i, at, until);
            }
        }
        self.timers.find_next();
    }

    /// The times of the regular timers' output changes, and then of the pulses of timers 3 and 4 that clock a filter, which come after the output changes
    /// of their cycle; and their periods, 0 for the low half of a pair.
    fn regular_events(&self) -> ([u64; 6], [u64; 6]) {
        let (mut times, mut periods) = ([NEVER; 6], [0; 6]);
        for i in 0..4 {
            times[i] = self.timers.at[OUTPUT + i];
            let Some(regular) = self.timers.regular[i] else {
                continue;
            };
            periods[i] = regular.period;
            if self.clocks_filter(i) {
                times[2 + i] = self.timers.at[PULSE + i];
                periods[2 + i] = regular.period;
            }
        }
        (times, periods)
    }

    /// Turns the timer that has just changed its output into a regular one if nothing else listens to it.
    fn make_regular(&mut self, i: usize, at: u64) {
        #[cfg(test)]
        if self.every_stage {
            return;
        }
        let (first, last) = self.unit(i);
        let members = 1u8 << first | 1 << last;
        let interrupts = self.irq_timers();
        // The low half of a pair, with an interrupt or a filter of its own.
        let low_is_busy = first != last
            && (interrupts >> first & 1 != 0
                || self.is_filtered(first)
                || self.clocks_filter(first));
        let busy = if low_is_busy { members } else { 0 }
            | if self.skctl & 8 != 0 { 3 } else { 0 }
            | if self.timers.held { 12 } else { 0 };
        let stands_still = self.in_init() && !self.is_fast(first);
        // A pair that was linked after its high half asked for the reload is not reloaded together.
        let together = self.timers.reloaded[first] == self.timers.reloaded[last];
        if i != last || busy & members != 0 || stands_still || !together {
            return;
        }
        let (n, delay) = if first == last {
            (u64::from(self.audf[i]), 4)
        } else {
            (
                u64::from(self.audf[first]) | u64::from(self.audf[last]) << 8,
                7,
            )
        };
        let period = if self.is_fast(first) {
            n + delay
        } else {
            // A change of clocks may have left an underflow away from the ticks.
            let tick = at - (delay + 1);
            if self.slow_tick(tick) != tick {
                return;
            }
            (n + 1) * self.slow_period()
        };
        for timer in first..=last {
            for kind in [OUTPUT, PULSE, RELOAD, UNDERFLOW] {
                self.timers.set(kind + timer, NEVER);
            }
        }
        let output = at + period;
        let reload = at - RELOAD_TO_OUTPUT;
        let mut regular = Regular {
            period,
            output,
            low_since: reload,
            low_step: 0,
            low_pulses: 0,
            low_left: 0,
        };
        if first != last && self.is_audible(first) {
            let (underflow, step) = self.low_underflows(first, reload);
            regular.low_step = step;
            regular.low_pulses = u16::from(self.audf[last]) + 1;
            regular.low_left = regular.low_pulses;
            self.timers
                .set(OUTPUT + first, underflow + 3 + PULSE_TO_OUTPUT);
        }
        self.timers.regular[i] = Some(regular);
        if self.is_heard(i) {
            self.timers.set(OUTPUT + i, output);
        }
        if interrupts >> i & 1 != 0 || self.clocks_filter(i) {
            self.timers.set(PULSE + i, output - PULSE_TO_OUTPUT);
        }
    }

    /// The first underflow of a pair's low half after a reload, and the cycles between it and the next ones.
    fn low_underflows(&self, low: usize, reload: u64) -> (u64, u64) {
        let n = u64::from(self.audf[low]);
        if self.is_fast(low) {
            (reload + 2 + n, 256)
        } else {
            let tick = self.slow_period();
            (self.slow_tick(reload + 2) + n * tick, 256 * tick)
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

    /// Brings all timers back to single stages.
    pub(crate) fn unfold_all(&mut self, now: u64) {
        for i in 0..4 {
            self.unfold(i, now);
        }
    }

    /// Brings timer `i` (and its partner) back to single stages as they are after cycle `now`.
    #[inline(never)]
    pub(crate) fn unfold(&mut self, i: usize, now: u64) {
        let (first, last) = self.unit(i);
        let Some(regular) = self.timers.regular[last].take() else {
            return;
        };
        let Regular {
            period,
            mut output,
            low_since,
            low_pulses,
            ..
        } = regular;
        // Periods that nothing listened to.
        if output <= now {
            let periods = (now - output) / period + 1;
            self.skip_pulses(last, output - PULSE_TO_OUTPUT, period, periods);
            if last & 1 != 0 {
                self.skip_serial_pulses(last, periods);
            }
            output += period * periods;
        }
        self.timers.set(OUTPUT + last, NEVER);
        self.timers.set(OUTPUT + first, NEVER);
        self.timers.set(PULSE + last, NEVER);
        // The state right after the reload before; the output change that belongs to that reload has been made.
        let reload = output - period - RELOAD_TO_OUTPUT;
        self.timers.reloaded[first] = reload;
        self.timers.reloaded[last] = reload;
        if first == last {
            self.start_timer(last, self.audf[last], reload + 2);
        } else {
            if low_pulses == 0 {
                let periods = (reload - low_since) / period;
                self.skip_low_pulses(first, low_since, period, periods);
            }
            self.timers.count[last] = self.audf[last];
            self.start_timer(first, self.audf[first], reload + 2);
        }
        // On from there to now. Pulses on the way have given their interrupts, or were disabled.
        let pending = self.pending;
        self.timers.replaying = true;
        loop {
            let (at, slot) = self.timers.next_of(first, last);
            if at > now {
                break;
            }
            // A low half that is heard has made its output changes.
            if low_pulses != 0 && slot == OUTPUT + first {
                self.timers.set(slot, NEVER);
            } else {
                self.stage(slot, at);
            }
        }
        self.timers.replaying = false;
        self.pending = pending;
        self.timers.find_next();
    }

    /// The low half of a pair gave pulses for a number of the pair's periods since a reload.
    fn skip_low_pulses(&mut self, low: usize, reload: u64, period: u64, periods: u64) {
        let (first, step) = self.low_underflows(low, reload);
        let each = u64::from(self.audf[low + 1]) + 1;
        // The 5-bit counter sees the same pulses again after 31 periods: 62 of them toggle an even number of times, and a noise sample is at most 31
        // periods old.
        for p in periods - periods.min(62 + periods % 62)..periods {
            for k in 0..each {
                self.sound_pulse(low, first + 3 + p * period + k * step);
                self.apply_output(low);
            }
        }
    }
}
