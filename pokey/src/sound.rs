//! The four sound channels: output flip-flops, high-pass flip-flops, volume.

use crate::{NEVER, Pokey};
use alloc::vec::Vec;
use scratch::Scratch;
use serde::{Deserialize, Serialize};

/// The output level from a moment on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoundChange {
    /// Half machine cycles since power-on.
    pub at: u64,
    /// Bits 0-5: sum of the volumes of the channels that are on, 0..=60. Bit 6: the console speaker ([`SPEAKER`]).
    pub level: u8,
}

/// The bit of a level that is the console speaker.
pub const SPEAKER: u8 = 0x40;

/// The effect of a pulse on an output flip-flop two cycles later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Next {
    Keep,
    Toggle,
    Set(bool),
}

impl Next {
    /// The flip-flops `outputs` after the one named by `bit` has taken its next value.
    #[inline]
    pub(crate) fn apply(self, outputs: u8, bit: u8) -> u8 {
        match self {
            Self::Keep => outputs,
            Self::Toggle => outputs ^ bit,
            Self::Set(true) => outputs | bit,
            Self::Set(false) => outputs & !bit,
        }
    }
}

/// Machine cycles from the SKCTL write that leaves initialization mode to the first pulse that a high-pass flip-flop follows. Of the
/// reference set's model only this is known: its flip-flops are at 1 eight cycles after that write.
const FILTER_RELEASE: u64 = 8;

/// Unread changes beyond this limit are dropped.
const LOG_LIMIT: usize = 1 << 18;

/// Output waiting to be taken; not part of the chip's state.
#[derive(Clone, Debug, Default)]
struct Log {
    changes: Vec<SoundChange>,
    /// The time of the last of them, [`NEVER`] where it is not known, and the level before it.
    last_at: u64,
    before_last: u8,
}

impl Log {
    /// The level changes from `before` to that of `change`.
    #[inline]
    fn push(&mut self, change: SoundChange, before: u8) {
        if change.at == self.last_at && self.merge(change) {
            return;
        }
        self.last_at = change.at;
        self.before_last = before;
        self.changes.push(change);
    }

    /// Several changes at one moment are one change, or none. False if the other one was taken.
    #[cold]
    fn merge(&mut self, change: SoundChange) -> bool {
        let Some(last) = self.changes.last_mut() else {
            return false;
        };
        last.level = change.level;
        if change.level == self.before_last {
            self.changes.pop();
            self.last_at = NEVER;
        }
        true
    }

    /// Drops unread changes if there are too many of them.
    fn limit(&mut self) {
        if self.changes.len() >= LOG_LIMIT {
            self.changes.clear();
        }
    }
}

/// State of the sound channels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sound {
    output: [bool; 4],
    next: [Next; 4],
    high_pass: [bool; 2],
    speaker: bool,
    /// The share of each channel in the level.
    parts: [u8; 4],
    level: u8,
    #[serde(skip)]
    log: Scratch<Log>,
}

impl Sound {
    pub(crate) fn new() -> Self {
        Self {
            output: [true; 4],
            next: [Next::Toggle; 4],
            high_pass: [true; 2],
            speaker: false,
            parts: [0; 4],
            level: 0,
            log: Scratch::default(),
        }
    }

    pub(crate) fn level(&self) -> u8 {
        self.level
    }

    /// True if the channels can be in this state.
    pub(crate) fn is_valid(&self) -> bool {
        let speaker = if self.speaker { SPEAKER } else { 0 };
        self.parts.iter().all(|&part| part <= 15)
            && self.level == self.parts.iter().sum::<u8>() | speaker
    }

    pub(crate) fn take(&mut self, into: &mut Vec<SoundChange>) {
        if into.is_empty() {
            core::mem::swap(into, &mut self.log.changes);
        } else {
            into.append(&mut self.log.changes);
        }
    }
}

/// The sound channels without what does not change from pulse to pulse: a bit for each channel.
pub(crate) struct Channels {
    pub(crate) outputs: u8,
    /// Of channels 0 and 1.
    pub(crate) high_pass: u8,
    /// Channels whose output each pulse toggles.
    pub(crate) tones: u8,
    /// The level for each set of channels that are on.
    levels: [u8; 16],
    level: u8,
    log: Log,
}

impl Channels {
    /// These channels (a bit for each) are on from half cycle `at` on.
    #[inline(always)]
    pub(crate) fn set_level(&mut self, on: u8, at: u64) {
        let level = self.levels[usize::from(on & 15)];
        if level != self.level {
            let before = core::mem::replace(&mut self.level, level);
            self.log.push(SoundChange { at, level }, before);
        }
    }

    /// In each cycle of `changes` the channels are on whose words have its bit; the first is cycle `at`.
    #[inline]
    pub(crate) fn set_levels(&mut self, words: &[u64; 4], mut changes: u64, at: u64) {
        let [a, b, c, d] = *words;
        while changes != 0 {
            let cycle = changes.trailing_zeros();
            changes &= changes - 1;
            let bit = |on, word: u64| on << 1 | (word >> cycle & 1) as u8;
            self.set_level(
                bit(bit(bit(bit(0, d), c), b), a),
                2 * (at + u64::from(cycle)),
            );
        }
    }

    /// The output of channel `i` changes at cycle `at`.
    pub(crate) fn output_change(&mut self, i: usize, change: Next, at: u64) {
        self.outputs = change.apply(self.outputs, 1 << i);
        self.set_level(self.outputs ^ self.high_pass, 2 * at);
    }
}

impl Pokey {
    /// The channels, with the changes that have not been taken: for a while in which only their outputs and filters change, until [`Self::put_channels`].
    pub(crate) fn take_channels(&mut self) -> Channels {
        let bits = |flip_flops: &[bool]| {
            let bits = flip_flops.iter().enumerate();
            bits.fold(0, |bits, (i, &on)| bits | u8::from(on) << i)
        };
        let mut levels = [if self.sound.speaker { SPEAKER } else { 0 }; 16];
        let mut tones = 0;
        for (i, control) in self.audc.into_iter().enumerate() {
            tones |= u8::from(control & 0xA0 == 0xA0) << i;
            // The sets with and without this channel, of those without the later ones.
            let (volume, always) = (
                control & 15,
                if control & 0x10 != 0 { control & 15 } else { 0 },
            );
            for without in 0..1 << i {
                levels[without | 1 << i] = levels[without] + volume;
                levels[without] += always;
            }
        }
        let mut log = core::mem::take(&mut self.sound.log.0);
        log.limit();
        Channels {
            outputs: bits(&self.sound.output),
            high_pass: bits(&self.sound.high_pass),
            tones,
            levels,
            level: self.sound.level,
            log,
        }
    }

    /// Takes the channels back.
    pub(crate) fn put_channels(&mut self, channels: Channels) {
        self.sound.output = core::array::from_fn(|i| channels.outputs >> i & 1 != 0);
        self.sound.high_pass = core::array::from_fn(|i| channels.high_pass >> i & 1 != 0);
        self.sound.parts = core::array::from_fn(|i| self.channel_level(i));
        self.sound.level = channels.level;
        self.sound.log.0 = channels.log;
    }

    /// The console speaker, which GTIA drives and the machine mixes with POKEY's sound, from cycle `now` on.
    pub fn set_speaker(&mut self, on: bool, now: u64) {
        if on != self.sound.speaker {
            self.sync_to(now);
            self.sound.speaker = on;
            self.update_level(2 * now + 2);
        }
    }

    /// True if channel `i` makes sound out of its pulses.
    pub(crate) fn is_audible(&self, i: usize) -> bool {
        self.audc[i] & 0x0F != 0 && self.audc[i] & 0x10 == 0
    }

    /// True if the high-pass flip-flop of channel `i` (0 or 1) follows its clock; else it is held at 1.
    ///
    /// Initialization mode holds it too: the hardware manual names it neither among what that mode resets nor among what
    /// it leaves alone; the reference set's cycle model begins with 1, see [`FILTER_RELEASE`].
    fn filters(&self, i: usize) -> bool {
        self.audctl & (4 >> i) != 0 && !self.in_init()
    }

    /// True if channel `i` (0 to 3) is heard through a high-pass filter that is on.
    pub(crate) fn is_filtered(&self, i: usize) -> bool {
        i < 2 && self.filters(i)
    }

    /// True if the pulses of channel `i` (0 to 3) clock a high-pass filter that is on.
    pub(crate) fn clocks_filter(&self, i: usize) -> bool {
        i >= 2 && self.filters(i - 2)
    }

    /// The first cycle in which high-pass flip-flops follow their clocks.
    pub(crate) fn filters_follow(&self) -> u64 {
        self.clock_epoch + FILTER_RELEASE
    }

    /// A pulse of channel `i` at cycle `at` clocks the high-pass filter that is its own: the flip-flop follows the output.
    #[inline]
    pub(crate) fn filter_pulse(&mut self, i: usize, at: u64) {
        if self.clocks_filter(i) && at >= self.filters_follow() {
            let low = i - 2;
            self.sound.high_pass[low] = self.sound.output[low];
            self.update_channel(low, 2 * at + 1);
        }
    }

    /// A pulse at cycle `at` reaches channel `i`; [`Self::output_change`] follows two cycles later.
    pub(crate) fn sound_pulse(&mut self, i: usize, at: u64) {
        self.sound.next[i] = self.next_output(i, at);
    }

    /// A pattern bit arrives at channels 1, 2, 3, 4 in successive cycles; that of the 5-bit counter one cycle later.
    pub(crate) fn next_output(&self, i: usize, at: u64) -> Next {
        let control = self.audc[i];
        let index = at.saturating_sub(i as u64);
        if control & 0x80 == 0 && !self.noise.bit5(index.saturating_sub(1)) {
            Next::Keep
        } else if control & 0x20 != 0 {
            Next::Toggle
        } else if control & 0x40 != 0 {
            Next::Set(self.noise.bit4(index))
        } else {
            Next::Set(self.noise.long_bit(index))
        }
    }

    #[cfg(test)]
    pub(crate) fn forget_next_output(&mut self, i: usize) {
        self.sound.next[i] = Next::Keep;
    }

    /// The output flip-flop of channel `i` takes its next value.
    pub(crate) fn apply_output(&mut self, i: usize) {
        match self.sound.next[i] {
            Next::Keep => {}
            Next::Toggle => self.sound.output[i] ^= true,
            Next::Set(value) => self.sound.output[i] = value,
        }
    }

    /// A pulse of channel `i` and its output change in one, which comes at cycle `at`, `delay` cycles after the pulse.
    pub(crate) fn regular_output(&mut self, i: usize, at: u64, delay: u64) {
        let output = u8::from(self.sound.output[i]);
        self.sound.output[i] = self.next_output(i, at - delay).apply(output, 1) != 0;
        self.update_channel(i, 2 * at);
    }

    /// The output flip-flop of channel `i` takes its next value at cycle `at`.
    pub(crate) fn output_change(&mut self, i: usize, at: u64) {
        self.apply_output(i);
        self.update_channel(i, 2 * at);
    }

    /// Applies `count` pulses from `first` on, `period` cycles apart, to the flip-flop of a channel that cannot be heard.
    pub(crate) fn skip_pulses(&mut self, i: usize, first: u64, period: u64, count: u64) {
        let control = self.audc[i];
        let toggles = match (control & 0x20 != 0, control & 0x80 != 0) {
            (true, true) => count,
            (true, false) => {
                // The 5-bit counter's bits come again after 31 pulses.
                let passed = |n| {
                    (0..n)
                        .filter(|j| self.next_output(i, first + j * period) != Next::Keep)
                        .count() as u64
                };
                passed(count % 31)
                    + if count >= 31 {
                        count / 31 * passed(31)
                    } else {
                        0
                    }
            }
            (false, _) => {
                // The last pulse that got through.
                for j in (count.saturating_sub(31)..count).rev() {
                    self.sound.next[i] = self.next_output(i, first + j * period);
                    if self.sound.next[i] != Next::Keep {
                        self.apply_output(i);
                        break;
                    }
                }
                0
            }
        };
        self.sound.output[i] ^= toggles & 1 != 0;
    }

    /// STIMER sets all output flip-flops.
    pub(crate) fn preset_outputs(&mut self, at: u64) {
        self.sound.output = [true; 4];
        self.update_level(2 * at);
    }

    /// The share of channel `i` in the level.
    #[inline]
    fn channel_level(&self, i: usize) -> u8 {
        let control = self.audc[i];
        let mut on = self.sound.output[i];
        if i < 2 {
            on ^= self.sound.high_pass[i];
        }
        if on || control & 0x10 != 0 {
            control & 15
        } else {
            0
        }
    }

    /// Computes the level after something about channel `i` changed at half cycle `at`.
    #[inline]
    pub(crate) fn update_channel(&mut self, i: usize, at: u64) {
        let part = self.channel_level(i);
        let before = core::mem::replace(&mut self.sound.parts[i], part);
        if part != before {
            self.change_level(self.sound.level.wrapping_add(part).wrapping_sub(before), at);
        }
    }

    /// Computes the level after something changed at half cycle `at`.
    pub(crate) fn update_level(&mut self, at: u64) {
        for i in 0..2 {
            if !self.filters(i) {
                self.sound.high_pass[i] = true;
            }
        }
        self.sound.parts = core::array::from_fn(|i| self.channel_level(i));
        let speaker = if self.sound.speaker { SPEAKER } else { 0 };
        let level = self.sound.parts.iter().sum::<u8>() | speaker;
        if level != self.sound.level {
            self.change_level(level, at);
        }
    }

    fn change_level(&mut self, level: u8, at: u64) {
        let before = core::mem::replace(&mut self.sound.level, level);
        self.sound.log.limit();
        self.sound.log.push(SoundChange { at, level }, before);
    }
}
