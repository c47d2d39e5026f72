//! The four sound channels: output flip-flops, high-pass flip-flops, volume.

use crate::Pokey;
use alloc::vec::Vec;
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

/// What a pulse does to an output flip-flop two cycles later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Next {
    Keep,
    Toggle,
    Set(bool),
}

/// More changes than this that nobody takes are thrown away.
const LOG_LIMIT: usize = 1 << 18;

/// Output waiting to be taken; not part of the chip's state.
#[derive(Clone, Debug, Default)]
struct Log(Vec<SoundChange>);

impl PartialEq for Log {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Log {
    fn push(&mut self, change: SoundChange) {
        if self.0.len() >= LOG_LIMIT {
            self.0.clear();
        }
        // Several changes at one moment are one change, or none.
        if let Some(last) = self.0.last_mut()
            && last.at == change.at
        {
            last.level = change.level;
            if let [.., before, last] = self.0[..]
                && before.level == last.level
            {
                self.0.pop();
            }
            return;
        }
        self.0.push(change);
    }
}

/// State of the sound channels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sound {
    output: [bool; 4],
    next: [Next; 4],
    high_pass: [bool; 2],
    speaker: bool,
    level: u8,
    #[serde(skip)]
    log: Log,
}

impl Sound {
    pub(crate) fn new() -> Self {
        Self {
            output: [true; 4],
            next: [Next::Toggle; 4],
            high_pass: [true; 2],
            speaker: false,
            level: 0,
            log: Log::default(),
        }
    }

    pub(crate) fn level(&self) -> u8 {
        self.level
    }

    pub(crate) fn take(&mut self, into: &mut Vec<SoundChange>) {
        into.append(&mut self.log.0);
    }
}

impl Pokey {
    /// The console speaker, which GTIA drives and the machine mixes with POKEY's sound, from cycle `now` on.
    pub fn set_speaker(&mut self, on: bool, now: u64) {
        if on != self.sound.speaker {
            self.sync_to(now);
            self.sound.speaker = on;
            self.update_level(2 * now + 2);
        }
    }

    /// A timer pulse reaches channel `i`; `true` if its output flip-flop will be clocked.
    ///
    /// A pattern bit arrives at channels 1, 2, 3, 4 in successive cycles; the 5-bit counter one cycle later.
    pub(crate) fn sound_pulse(&mut self, i: usize, at: u64) -> bool {
        if i >= 2 && self.audctl & (4 >> (i - 2)) != 0 {
            let low = i - 2;
            self.sound.high_pass[low] = self.sound.output[low];
            self.update_level(2 * at + 1);
        }
        let control = self.audc[i];
        let index = at.saturating_sub(i as u64);
        if control & 0x80 == 0 && !self.noise.bit5(index.saturating_sub(1)) {
            self.sound.next[i] = Next::Keep;
            return false;
        }
        self.sound.next[i] = if control & 0x20 != 0 {
            Next::Toggle
        } else if control & 0x40 != 0 {
            Next::Set(self.noise.bit4(index))
        } else {
            Next::Set(self.noise.long_bit(index))
        };
        true
    }

    /// The output flip-flop of channel `i` takes its next value.
    pub(crate) fn output_change(&mut self, i: usize) {
        self.sound.output[i] = match self.sound.next[i] {
            Next::Keep => self.sound.output[i],
            Next::Toggle => !self.sound.output[i],
            Next::Set(value) => value,
        };
    }

    /// STIMER sets all output flip-flops.
    pub(crate) fn preset_outputs(&mut self) {
        self.sound.output = [true; 4];
    }

    /// Computes the level after a change at half cycle `at` and logs it if it differs.
    pub(crate) fn update_level(&mut self, at: u64) {
        let mut level = 0;
        for i in 0..4 {
            let control = self.audc[i];
            let mut on = self.sound.output[i];
            if i < 2 {
                if self.audctl & (4 >> i) == 0 {
                    self.sound.high_pass[i] = true;
                }
                on ^= self.sound.high_pass[i];
            }
            if on || control & 0x10 != 0 {
                level += control & 15;
            }
        }
        if self.sound.speaker {
            level |= SPEAKER;
        }
        if level != self.sound.level {
            self.sound.level = level;
            self.sound.log.push(SoundChange { at, level });
        }
    }
}
