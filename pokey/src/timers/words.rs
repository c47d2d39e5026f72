//! Noise with periods of few cycles: the output changes of regular timers in 64 cycles together, each cycle a bit of a word.
use super::PULSE_TO_OUTPUT;
use super::regular::Events;
use crate::sound::Channels;
use crate::{NEVER, Pokey};

/// Cycles for each pulse of a channel with noise up to which words are faster than one event after the other ([`super::run::Run`]).
const DENSE: u64 = 16;
/// Cycles that are worth the preparation.
const LONG: u64 = 64;

/// Cycles from the index of the first noise that an output change hears, the 5-bit counter's of channel 3, to the change.
const FIRST_INDEX: u64 = PULSE_TO_OUTPUT + 4;

/// The cycles in which a timer changes its output.
struct Ticks {
    /// The ticks of a word that begins with one.
    pattern: u64,
    /// Cycles from the next word's start to the first tick since then.
    first: u64,
    period: u64,
    /// Cycles, fewer than a period, by which that becomes more from a word with ticks to the next.
    later: u64,
}

impl Ticks {
    /// One tick `first` cycles after the first word's start, and then one each `period`. No ticks if that is 0.
    fn new(first: u64, period: u64) -> Self {
        if period == 0 {
            return Self {
                pattern: 0,
                first: NEVER,
                period,
                later: 0,
            };
        }
        let (mut pattern, mut tick) = (0, 0);
        while tick < 64 {
            pattern |= 1 << tick;
            tick += period;
        }
        Self {
            pattern,
            first,
            period,
            later: 64u64.next_multiple_of(period) - 64,
        }
    }

    /// The ticks of the next word.
    #[inline(always)]
    fn word(&mut self) -> u64 {
        if self.first >= 64 {
            self.first -= 64;
            return 0;
        }
        let word = self.pattern << self.first;
        self.first += self.later;
        if self.first >= self.period {
            self.first -= self.period;
        }
        word
    }
}

/// All bits like the last cycle's: the state of a flip-flop that the next word begins with.
fn last(word: u64) -> u64 {
    (word.cast_signed() >> 63).cast_unsigned()
}

/// A flip-flop in the cycles of a word, which takes the bit of `values` at each of `ticks`.
fn hold(ticks: u64, values: u64, before: u64) -> u64 {
    let (set, kept) = (ticks & values, !ticks);
    // Added to a row of ones, a one at its beginning clears the row.
    let rows = (set << 1 | before & 1) & kept;
    set | kept & !kept.wrapping_add(rows)
}

/// A flip-flop in the cycles of a word, which changes at each of `ticks`.
fn toggle(ticks: u64, before: u64) -> u64 {
    let mut word = ticks;
    for shift in [1, 2, 4, 8, 16, 32] {
        word ^= word << shift;
    }
    word ^ before
}

/// True if words are faster for these events in cycles `start` to `until`, and can be used: no filter is clocked, all periods are known, and so is the
/// noise.
pub(super) fn are_faster(
    events: &Events,
    start: u64,
    until: u64,
    tones: u8,
    pokey: &Pokey,
) -> bool {
    let (cycles, mut pulses) = (until - start, 0);
    for i in 0..4 {
        if events.times[i] != NEVER {
            if events.periods[i] == 0 {
                return false;
            }
            if tones >> i & 1 == 0 {
                pulses += cycles / events.periods[i];
            }
        }
    }
    cycles >= LONG
        && pulses * DENSE >= cycles
        && events.times[4..] == [NEVER; 2]
        && start >= pokey.noise.first_word() + FIRST_INDEX
}

/// Works off these events up to cycle `until`, none of which is earlier than `start`.
#[inline(never)]
pub(super) fn play(
    events: &mut Events,
    start: u64,
    until: u64,
    channels: &mut Channels,
    pokey: &Pokey,
) {
    let flip_flop = |set: u8, i: usize| u64::from(set >> i & 1).wrapping_neg();
    let mut outputs: [u64; 4] = core::array::from_fn(|i| flip_flop(channels.outputs, i));
    let high_pass: [u64; 4] = core::array::from_fn(|i| flip_flop(channels.high_pass, i));
    let mut ticks: [Ticks; 4] = core::array::from_fn(|i| match events.times[i] {
        NEVER => Ticks::new(0, 0),
        at => Ticks::new(at - start, events.periods[i]),
    });
    let mut at = start;
    while at <= until {
        let left = until - at;
        let wanted = if left < 63 { (2 << left) - 1 } else { !0 };
        let (mut words, mut changes) = (outputs, 0);
        for (i, ticks) in ticks.iter_mut().enumerate() {
            let ticked = ticks.word() & wanted;
            if ticked != 0 {
                let before = outputs[i];
                let word = pokey.output_word(i, ticked, before, at - PULSE_TO_OUTPUT);
                changes |= word ^ (word << 1 | before & 1);
                words[i] = word;
                outputs[i] = last(word);
            }
            words[i] ^= high_pass[i];
        }
        channels.set_levels(&words, changes, at);
        at += 64;
    }
    channels.outputs = (0..4).fold(0, |set, i| set | (outputs[i] & 1 << i) as u8);
    for (time, &period) in events.times.iter_mut().zip(&events.periods) {
        if *time <= until {
            *time += ((until - *time) / period + 1) * period;
        }
    }
}

impl Pokey {
    /// The output of channel `i` in the cycles of a word: it was `before`, and pulses reach it at `ticks`; the one of the first cycle at cycle `at`.
    /// It does in words what [`Self::next_output`] does.
    #[inline]
    fn output_word(&self, i: usize, mut ticks: u64, before: u64, at: u64) -> u64 {
        let control = self.audc[i];
        let index = at - i as u64;
        if control & 0x80 == 0 {
            ticks &= self.noise.word5(index - 1);
        }
        if control & 0x20 != 0 {
            toggle(ticks, before)
        } else if control & 0x40 != 0 {
            hold(ticks, self.noise.word4(index), before)
        } else {
            hold(ticks, self.noise.long_word(index), before)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_do_what_single_cycles_do() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed ^ seed >> 29
        };
        for period in 1..200 {
            let first = random() % period;
            let mut ticks = Ticks::new(first, period);
            let (mut held, mut toggled) = (random() & 1, random() & 1);
            let mut before = [held, toggled].map(u64::wrapping_neg);
            for word in 0..20 {
                let (ticked, values) = (ticks.word(), random());
                let [hold, toggle] = [hold(ticked, values, before[0]), toggle(ticked, before[1])];
                before = [hold, toggle].map(last);
                for bit in 0..64 {
                    let cycle = word * 64 + bit;
                    let tick = cycle >= first && (cycle - first) % period == 0;
                    assert_eq!(ticked >> bit & 1 != 0, tick, "{period}, {cycle}");
                    if tick {
                        held = values >> bit & 1;
                        toggled ^= 1;
                    }
                    assert_eq!(hold >> bit & 1, held, "{period}, {cycle}");
                    assert_eq!(toggle >> bit & 1, toggled, "{period}, {cycle}");
                }
            }
        }
        assert_eq!(Ticks::new(0, 0).word(), 0);
    }
}
