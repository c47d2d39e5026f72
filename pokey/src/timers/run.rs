//! Output changes and filter pulses of regular timers, many together.
use super::PULSE_TO_OUTPUT;
use crate::sound::Channels;
use crate::{NEVER, Pokey};
use core::ops::RangeInclusive;

/// Cycles of a period below which two tones are worked off by themselves.
const FAST: u64 = 64;

/// Six kinds of events, most of which come again a period later: output changes of channels 0 to 3 (numbers 0 to 3), and pulses that clock the filters of
/// channels 0 and 1 (4 and 5), which come after the output changes of their cycle.
pub(super) struct Run {
    /// The time that the others count from.
    origin: u64,
    /// Cycles from there, times eight, plus the number of the event, the earliest first; [`NEVER`] for one that does not come. Without its two lowest bits a
    /// key is the half cycle from which on the event is heard.
    keys: [u64; 6],
    /// No event comes after this.
    last: u64,
    /// Bits of output changes that toggle the output, a period apart.
    toggles: u8,
    /// Bits of the channels whose high-pass flip-flops follow their clocks.
    filters: u8,
}

impl Run {
    /// Events at `times`, of which those of `cycles` will be worked off; none is earlier. Those that `toggles` names toggle outputs.
    pub(super) fn new(
        times: &[u64; 6],
        cycles: RangeInclusive<u64>,
        toggles: u8,
        filters: u8,
    ) -> Self {
        let (origin, until) = cycles.into_inner();
        let (mut keys, mut sorted) = ([NEVER; 6], 0);
        for (event, &at) in (0..).zip(times) {
            if at != NEVER {
                let key = (at - origin) << 3 | event;
                let mut place = sorted;
                while place > 0 && keys[place - 1] > key {
                    keys[place] = keys[place - 1];
                    place -= 1;
                }
                keys[place] = key;
                sorted += 1;
            }
        }
        Self {
            origin,
            keys,
            last: until.saturating_sub(origin) << 3 | 7,
            toggles,
            filters,
        }
    }

    /// Works off what comes again after one of these periods, up to the next event whose period is 0: its number and cycle.
    pub(super) fn play(
        &mut self,
        periods: &[u64; 8],
        channels: &mut Channels,
        pokey: &Pokey,
    ) -> Option<(usize, u64)> {
        // The page's first load has no byte to spare for the other way.
        if cfg!(target_family = "wasm") || !self.is_for_two(periods) {
            return self.play_each(self.last, periods, channels, pokey);
        }
        while self.keys[0] <= self.last {
            let both = 1 << (self.keys[0] & 7) | 1 << (self.keys[1] & 7);
            if self.toggles & both == both {
                self.play_two(periods, channels);
            }
            let next = self.keys[0].min(self.last);
            let other = self.play_each(next, periods, channels, pokey);
            if other.is_some() {
                return other;
            }
        }
        None
    }

    /// [`Self::play`] up to this key, one event after the other.
    #[inline(never)]
    fn play_each(
        &mut self,
        last: u64,
        periods: &[u64; 8],
        channels: &mut Channels,
        pokey: &Pokey,
    ) -> Option<(usize, u64)> {
        let (mut outputs, mut high_pass) = (channels.outputs, channels.high_pass);
        let other = loop {
            let first = self.keys[0];
            if first > last {
                break None;
            }
            let event = first as usize & 7;
            let bit = 1 << event;
            if self.toggles & bit != 0 {
                outputs ^= bit;
            } else if event >= 4 {
                let clocked = bit >> 4 & self.filters;
                high_pass = high_pass & !clocked | outputs & clocked;
            } else {
                let at = self.origin + (first >> 3);
                if periods[event] == 0 {
                    break Some((event, at));
                }
                outputs = pokey
                    .next_output(event, at - PULSE_TO_OUTPUT)
                    .apply(outputs, bit);
            }
            repeat(&mut self.keys, periods[event]);
            channels.set_level(outputs ^ high_pass, 2 * self.origin + (first >> 2));
        };
        (channels.outputs, channels.high_pass) = (outputs, high_pass);
        other
    }

    /// True if the next two events toggle outputs and come much more often than all others.
    fn is_for_two(&self, periods: &[u64; 8]) -> bool {
        let [first, second, others @ ..] = &self.keys;
        let period = |key: &u64| periods[*key as usize & 7];
        let is_fast = |key| self.toggles >> (key & 7) & 1 != 0 && period(key) < FAST;
        is_fast(first)
            && is_fast(second)
            && others
                .iter()
                .all(|key| *key == NEVER || period(key) >= 4 * FAST)
    }

    /// Works off the next two events, which toggle outputs, up to any other.
    #[inline(never)]
    fn play_two(&mut self, periods: &[u64; 8], channels: &mut Channels) {
        let (mut outputs, high_pass) = (channels.outputs, channels.high_pass);
        let [mut first, mut second, third, ..] = self.keys;
        let [(a, a_period), (b, b_period)] = [first, second].map(|key| {
            let event = key as usize & 7;
            (1 << event, periods[event] << 3)
        });
        let (until, origin) = (third.min(self.last + 1), 2 * self.origin);
        loop {
            let key;
            if first < second {
                key = first;
                if key >= until {
                    break;
                }
                outputs ^= a;
                first += a_period;
            } else {
                key = second;
                if key >= until {
                    break;
                }
                outputs ^= b;
                second += b_period;
            }
            channels.set_level(outputs ^ high_pass, origin + (key >> 2));
        }
        // The third may be the first now, and others may come before these two.
        (self.keys[0], self.keys[1]) = (first, second);
        self.keys.sort_unstable();
        channels.outputs = outputs;
    }

    /// The earliest event comes again this many cycles later.
    pub(super) fn repeat(&mut self, cycles: u64) {
        repeat(&mut self.keys, cycles);
    }

    /// The cycles of the events that come next.
    pub(super) fn times(&self) -> [u64; 6] {
        let mut times = [NEVER; 6];
        for &key in self.keys.iter().filter(|&&key| key != NEVER) {
            times[key as usize & 7] = self.origin + (key >> 3);
        }
        times
    }
}

/// The first of these keys grows by `cycles` and goes to its place.
#[inline]
fn repeat(keys: &mut [u64; 6], cycles: u64) {
    let key = keys[0] + (cycles << 3);
    let mut place = 0;
    while place < 5 && keys[place + 1] < key {
        keys[place] = keys[place + 1];
        place += 1;
    }
    keys[place] = key;
}
