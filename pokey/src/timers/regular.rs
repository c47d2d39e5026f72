//! Regular timers: one that only its sound channel, a high-pass filter, the serial port and its interrupt depend on has one event a period for each
//! of them, and none for those that are silent, idle or disabled. [`Pokey::unfold`] brings such a timer back to single stages before a register write
//! that concerns it.
//!
//! In two-tone mode timer 1 is regular between two restarts by timer 2, or restarts timer 2 each time before that can give a pulse.
use super::run::Run;
use super::words;
use super::{
    OUTPUT, PULSE, PULSE_TO_OUTPUT, RELOAD, RELOAD_TO_OUTPUT, SOURCES, UNDERFLOW,
    interrupting_timers,
};
use crate::sound::Channels;
use crate::{NEVER, Pokey};
use core::mem;
use core::ops::RangeInclusive;
use serde::{Deserialize, Serialize};

/// Cycles of one [`Pokey::run_regular`], so that its changes are far fewer than are kept unread.
const LONGEST_RUN: u64 = 1 << 16;

/// Cycles of a period from which on a program can answer an interrupt before the next one.
const SELDOM: u64 = 64;

/// A timer (or pair, under its high half) whose periods are all alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Regular {
    /// Cycles of a period.
    pub(super) period: u64,
    /// Cycle of the next output change that has not been made.
    pub(super) output: u64,
    /// A pair's low half that cannot be heard: its changes are made up to this reload.
    low_since: u64,
    /// A pair's low half that is heard: cycles between its pulses, their number in a period, and how many are left.
    low_step: u64,
    low_pulses: u16,
    low_left: u16,
}

/// What regular timers do.
pub(super) struct Events {
    /// The cycles of their output changes, and then of the pulses of timers 3 and 4 that clock a filter, which come after the output changes of their
    /// cycle. [`NEVER`] where nothing comes.
    pub(super) times: [u64; 6],
    /// Cycles between them; 0 for the low half of a pair.
    pub(super) periods: [u64; 8],
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

    /// The pulse that is to be waited for after the one at `at` has given an interrupt: with a short period, the next one comes before IRQEN clears that
    /// interrupt, and does nothing. [`Pokey::expect_pulses`] finds the one after that.
    fn next_shown(&self, at: u64) -> u64 {
        if self.period < SELDOM {
            NEVER
        } else {
            at + self.period
        }
    }

    /// True if a timer can be as regular as this: its times step forwards, and by no less than a timer can.
    pub(super) fn is_valid(&self, now: u64) -> bool {
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

impl Pokey {
    /// True if the sound channel of timer `i`, its filter or the serial port listens to it.
    pub(super) fn is_heard(&self, i: usize) -> bool {
        self.is_audible(i) || self.is_filtered(i) || self.serial_timers() >> i & 1 != 0
    }

    /// Turns the timer that has just changed its output into a regular one if nothing else listens to it.
    pub(super) fn make_regular(&mut self, i: usize, at: u64) {
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
        let restarts = self.restarts_both(0) && !self.can_hold_timer_2_back();
        let busy = if low_is_busy { members } else { 0 }
            | u8::from(restarts)
            | u8::from(self.is_two_tone()) << 1
            | if self.timers.held { 12 } else { 0 };
        let stands_still = self.in_init() && !self.is_fast(first);
        // A pair that was linked after its high half asked for the reload is not reloaded together.
        let together = self.timers.reloaded[first] == self.timers.reloaded[last];
        if i != last || busy & members != 0 || stands_still || !together {
            return;
        }
        let held_back = usize::from(i == 0 && self.restarts_both(0));
        let (n, delay) = if first == last {
            (u64::from(self.audf[i]), 4 + 2 * held_back as u64)
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
            let tick = at - if first == last { 5 } else { 8 };
            if self.slow_tick(tick) != tick {
                return;
            }
            (n + 1) * self.slow_period()
        };
        for timer in first..=last + held_back {
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

    /// True if timer 1, which has just restarted timer 2 and changed its output, will do so each time before that can give a pulse.
    fn can_hold_timer_2_back(&self) -> bool {
        let timers = &self.timers;
        let [n, other] = [0, 1].map(|i| u64::from(self.audf[i]));
        let step = if self.is_fast(0) {
            1
        } else {
            self.slow_period()
        };
        !self.is_linked_high(1)
            && !self.in_init()
            && timers.reloaded[0] == timers.reloaded[1]
            && timers.at[PULSE + 1] == NEVER
            && timers.at[OUTPUT + 1] == NEVER
            // A pulse that comes no later than one cycle after timer 1's still counts.
            && other * self.slow_period() > n * step + 1
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

    /// True if timer 1 is regular and restarts timer 2 each time before that can give a pulse.
    pub(super) fn holds_timer_2_back(&self) -> bool {
        self.timers.regular[0].is_some() && self.restarts_both(0)
    }

    /// Cycles from the reload of timer `i` to the change of its output: where a pulse of timer 1 restarts it, it is reloaded in the cycle after that.
    pub(super) fn reload_to_output(&self, i: usize) -> u64 {
        if i == 0 && self.restarts_both(0) {
            PULSE_TO_OUTPUT - 1
        } else {
            RELOAD_TO_OUTPUT
        }
    }

    /// The earliest event that is not an output change or a pulse of a regular timer; 0 if the serial port waits for a timer.
    pub(crate) fn next_irregular(&self) -> u64 {
        if self.serial_timers() != 0 {
            return 0;
        }
        let regular = &self.timers.regular;
        let mut slots = 0;
        for i in 0..4 {
            let low = i & 1 == 0 && regular[i | 1].is_some_and(|r| r.low_pulses != 0);
            slots |= u32::from(regular[i].is_some() || low) << (OUTPUT + i);
            slots |= u32::from(regular[i].is_some()) << (PULSE + i);
        }
        self.timers.earliest(self.timers.used & !slots).0
    }

    /// Works off the output changes and pulses of regular timers up to cycle `until`, or some of them; there are no other events until then.
    pub(crate) fn run_regular(&mut self, until: u64) {
        let start = self.timers.next;
        let follow = self.filters_follow();
        let end = if start < follow { follow - 1 } else { NEVER };
        let until = until.min(start + LONGEST_RUN).min(end);
        let filters = if start < follow { 0 } else { 3 };
        let mut events = self.regular_events();
        let mut channels = self.take_channels();
        // Not in the page: its first load has no byte to spare for this.
        let words = !cfg!(target_family = "wasm")
            && words::are_faster(&events, start, until, channels.tones, self);
        if words {
            words::play(&mut events, start, until, &mut channels, self);
        } else {
            self.run_each(&mut events, start..=until, filters, &mut channels);
        }
        self.put_channels(channels);
        for (i, next) in events.times.into_iter().take(4).enumerate() {
            self.timers.at[OUTPUT + i] = next;
            if let Some(regular) = &mut self.timers.regular[i]
                && next != NEVER
            {
                let cycles = next.saturating_sub(mem::replace(&mut regular.output, next));
                if i & 1 != 0 {
                    let pulses = cycles / regular.period;
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

    /// Works off these events within `cycles`, one after the other.
    fn run_each(
        &mut self,
        events: &mut Events,
        cycles: RangeInclusive<u64>,
        filters: u8,
        channels: &mut Channels,
    ) {
        let mut toggles = channels.tones;
        for (i, &period) in events.periods.iter().take(4).enumerate() {
            toggles &= !(u8::from(period == 0) << i);
        }
        let mut run = Run::new(&events.times, cycles, toggles, filters);
        while let Some((event, at)) = run.play(&events.periods, channels, self) {
            let Some(next) = self.regular_next(event, at) else {
                break;
            };
            run.repeat(next - at);
            let change = self.next_output(event, at - PULSE_TO_OUTPUT);
            channels.output_change(event, change, at);
        }
        events.times = run.times();
    }

    /// Works off the next event, an output change or pulse of a regular timer at cycle `at`, as [`Self::run_regular`] does.
    pub(crate) fn step_regular(&mut self, at: u64) {
        let slot = usize::from(self.timers.slot);
        if let i @ 0..4 = slot.wrapping_sub(PULSE) {
            self.filter_pulse(i, at);
            self.regular_pulses(i, at, at);
        } else if let Some(next) = self.regular_next(slot - OUTPUT, at) {
            let i = slot - OUTPUT;
            self.timers.set(slot, next);
            self.regular_output(i, at, PULSE_TO_OUTPUT);
            if i & 1 != 0 {
                self.skip_serial_pulses(i, 1);
            }
        }
        self.timers.find_next();
    }

    fn regular_events(&self) -> Events {
        let (mut times, mut periods) = ([NEVER; 6], [0; 8]);
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
        Events { times, periods }
    }

    /// A regular timer changes its output at `at`: when it does so next. Nothing for other timers.
    #[inline]
    pub(super) fn regular_next(&mut self, i: usize, at: u64) -> Option<u64> {
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

    /// A regular timer gives pulses up to cycle `until`, the first one at `at`: they interrupt. The filter has followed them.
    pub(super) fn regular_pulses(&mut self, i: usize, at: u64, until: u64) {
        let shows = self.irqen & !self.pending & SOURCES[i] != 0;
        self.raise(SOURCES[i]);
        let next = match self.timers.regular[i] {
            Some(regular) if self.clocks_filter(i) => {
                at + ((until - at) / regular.period + 1) * regular.period
            }
            Some(regular) if shows => regular.next_shown(at),
            _ => NEVER,
        };
        self.timers.put(PULSE + i, next);
    }

    /// True if these timers (bit mask) are regular and only a call can change that.
    pub(crate) fn stay_regular(&self, mut timers: u8) -> bool {
        if timers & 3 != 0 && self.is_two_tone() || self.serial_timers() != 0 {
            return false;
        }
        while timers != 0 {
            let i = timers.trailing_zeros() as usize & 3;
            timers &= timers - 1;
            if self.timers.regular[i].is_none() {
                return false;
            }
        }
        true
    }

    /// The pulses of regular timers up to cycle `now` interrupt, before all else that happens until then.
    pub(crate) fn raise_early(&mut self, now: u64) {
        let mut timers = interrupting_timers(self.irqen & !self.pending);
        while timers != 0 {
            let i = timers.trailing_zeros() as usize & 3;
            timers &= timers - 1;
            let at = self.timers.at[PULSE + i];
            if at <= now && self.stay_regular(1 << i) {
                self.pending |= SOURCES[i];
                if !self.clocks_filter(i) {
                    let next = self.timers.regular[i].map_or(NEVER, |r| r.next_shown(at));
                    self.timers.put(PULSE + i, next);
                }
            }
        }
    }

    /// The interrupt of timer `i` is about to be enabled after cycle `now`: a regular timer may have left its pulses out so far.
    #[inline(never)]
    pub(crate) fn expect_pulses(&mut self, i: usize, now: u64) {
        match self.timers.regular[i] {
            // The next pulse is still known if the interrupt was disabled for less than a period.
            Some(_) if (now + 1..NEVER).contains(&self.timers.at[PULSE + i]) => {}
            Some(regular) => {
                self.timers.put(PULSE + i, regular.next_pulse(now));
            }
            // It may be the low half of a pair.
            None => self.unfold(i, now),
        }
    }

    /// Brings all timers back to single stages.
    pub(crate) fn unfold_all(&mut self, now: u64) {
        for i in 0..4 {
            self.unfold(i, now);
        }
    }

    /// Brings timer 1 back to single stages as they are after cycle `now`, if it is in two-tone mode.
    pub(crate) fn unfold_two_tone(&mut self, now: u64) {
        if self.is_two_tone() {
            self.unfold(0, now);
        }
    }

    /// Brings timer `i` (and its partner) back to single stages as they are after cycle `now`.
    #[inline(never)]
    pub(crate) fn unfold(&mut self, i: usize, now: u64) {
        let held_back = i < 2 && self.holds_timer_2_back();
        let (first, last) = self.unit(if held_back { 0 } else { i });
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
        let reload = output - period - self.reload_to_output(last);
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
        if held_back {
            self.timers.reloaded[1] = reload;
            self.start_timer(1, self.audf[1], reload + 2);
        }
        // On from there to now. Pulses on the way have given their interrupts, or were disabled.
        let pending = self.pending;
        self.timers.replaying = true;
        loop {
            let (at, slot) = self.timers.next_of(first, last + usize::from(held_back));
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
