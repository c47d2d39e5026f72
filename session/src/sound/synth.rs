//! One output's levels to samples.
//!
//! Each change of the level is a step at an exact moment; its band-limited form, a windowed sinc, is added to the samples
//! around it, and a running sum makes the steps out of the impulses. Frequencies above hearing are gone before they can fold back.
use super::impulse::{FINE, Four, IMPULSES, PARTS, PHASES, RESPONSE, SPAN, SPLINES, TAPS};
use machine::SoundChange;
use serde::{Deserialize, Serialize};
use std::{array, mem};

/// Time constants in seconds of the machine's two coupling capacitors.
const COUPLING: [f64; 2] = [0.0026, 0.0247];
/// Levels below this are silence.
const SILENCE: f32 = 1e-6;
/// Binary places of a place of the grid beyond those that tell its part.
const BELOW: u32 = 32 - PARTS.trailing_zeros();
/// Bit of a level that is the console speaker.
const SPEAKER: u8 = 0x40;
/// The console speaker against a channel at full volume.
const SPEAKER_LEVEL: f64 = 0.8;

/// The way in which the volumes of the four channels add up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mixing {
    /// As the machine does: proportional up to the sum 15 (one channel at full volume), then less and less; the sum 60 is
    /// twice as loud as 15 (Altirra Hardware Reference Manual 5.3).
    #[default]
    Saturating,
    /// Proportional to the sum.
    Linear,
}

impl Mixing {
    /// The output for every level, 1 being full scale.
    fn curve(self) -> [f32; 128] {
        std::array::from_fn(|level| {
            let sum = (level & 63).min(60) as f64;
            let channels = match self {
                Self::Linear => sum / 60.0,
                Self::Saturating if sum <= 15.0 => sum / 15.0 / 2.2,
                // Sums of 15, 30 and 60 give 1, 1.52 and 1.95.
                Self::Saturating => {
                    (1.0 + 1.125 * (1.0 - (-1.861 * (sum - 15.0) / 45.0).exp())) / 2.2
                }
            };
            let one = match self {
                Self::Linear => 0.25,
                Self::Saturating => 1.0 / 2.2,
            };
            let speaker = if level as u8 & SPEAKER != 0 {
                SPEAKER_LEVEL * one
            } else {
                0.0
            };
            (channels + speaker) as f32
        })
    }
}

/// Everything that changes in a [`Synth`] while it renders.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Tail {
    origin: f64,
    impulses: Vec<f32>,
    level: f32,
    first: f32,
    second: f32,
    busy: u64,
}

/// Turns changes of the sound level into samples.
#[derive(Clone, Debug)]
pub struct Synth {
    /// Half machine cycles for each sample.
    step: f64,
    /// Time of the first sample of `impulses`, in half machine cycles since power-on.
    origin: f64,
    /// Samples not yet given out, as differences.
    impulses: Vec<f32>,
    /// Steps on their way to `impulses`: see [`Self::add_by_grid`]. Empty between two calls, but for its room.
    grid: Vec<f32>,
    curve: [f32; 128],
    /// The output after the last change.
    level: f32,
    /// The output after the first coupling, and the charge of the second.
    first: f32,
    second: f32,
    /// The share of a constant level that each coupling takes away in a sample's time.
    leak: [f32; 2],
    /// Samples until the last impulse has been heard.
    busy: usize,
}

impl Synth {
    /// For a machine of `clock` cycles a second that is now at cycle `now`, at `rate` samples a second.
    pub fn new(clock: f64, rate: f64, now: u64) -> Self {
        Self {
            step: clock * 2.0 / rate,
            origin: now as f64 * 2.0,
            impulses: Vec::new(),
            grid: Vec::new(),
            curve: Mixing::default().curve(),
            level: 0.0,
            first: 0.0,
            second: 0.0,
            leak: COUPLING.map(|seconds| 1.0 - (-1.0 / (rate * seconds)).exp() as f32),
            busy: 0,
        }
    }

    pub(super) fn tail(&self) -> Tail {
        Tail {
            origin: self.origin,
            impulses: self.impulses.clone(),
            level: self.level,
            first: self.first,
            second: self.second,
            busy: self.busy as u64,
        }
    }

    pub(super) fn resume(&mut self, tail: Tail) {
        self.origin = tail.origin;
        self.impulses = tail.impulses;
        (self.level, self.first, self.second) = (tail.level, tail.first, tail.second);
        self.busy = usize::try_from(tail.busy).unwrap_or(usize::MAX);
    }

    /// Chooses how the channels add up, from the next change on.
    pub fn set_mixing(&mut self, mixing: Mixing) {
        self.curve = mixing.curve();
    }

    /// Makes samples slightly longer or shorter: `factor` 1.001 gives 0.1 % more samples.
    pub fn stretch(&mut self, clock: f64, rate: f64, factor: f64) {
        self.step = clock * 2.0 / (rate * factor);
    }

    /// Appends the samples up to cycle `now`, with `changes` in order of time since the last call; from -1 to 1. The
    /// sound comes 16 samples late.
    pub fn render(&mut self, changes: &[SoundChange], now: u64, out: &mut Vec<f32>) {
        let curve = self.curve;
        let steps = changes.iter();
        let steps = steps.map(|change| (change.at, curve[usize::from(change.level & 127)]));
        self.render_steps(steps, now, out);
    }

    /// Renders outputs, -1 to 1, with their times in half machine cycles.
    pub(super) fn render_steps(
        &mut self,
        steps: impl ExactSizeIterator<Item = (u64, f32)>,
        now: u64,
        out: &mut Vec<f32>,
    ) {
        let ready = ((now as f64 * 2.0 - self.origin) / self.step).max(0.0) as usize;
        // A change may come some cycles after `now`.
        self.impulses
            .resize(ready.max(self.impulses.len()) + TAPS + 2, 0.0);
        if steps.len() < 2 * self.impulses.len() {
            self.add_each(steps);
        } else {
            self.add_by_grid(steps);
        }
        self.give_out(ready, out);
    }

    /// The output changes: the height of that step.
    fn step_to(&mut self, level: f32) -> f32 {
        level - mem::replace(&mut self.level, level)
    }

    /// Adds each step's impulse to the samples around it.
    fn add_each(&mut self, steps: impl Iterator<Item = (u64, f32)>) {
        let per_half_cycle = 1.0 / self.step;
        let table = &**IMPULSES;
        for (at, level) in steps {
            let height = self.step_to(level);
            // Signed, and numbers of 32 bits: the host converts them in an instruction.
            let place = ((at.cast_signed() as f64 - self.origin) * per_half_cycle).max(0.0);
            let sample = place as u32;
            let phase = (place - f64::from(sample)) as f32 * PHASES as f32;
            let row = (phase as u32).min(PHASES as u32 - 1);
            let between = phase - row as f32;
            let (row, change) = &table[row as usize];
            let index = sample as usize;
            let Some(samples) = self
                .impulses
                .get_mut(index..)
                .and_then(|s| s.first_chunk_mut::<TAPS>())
            else {
                // Far ahead of `now`: the caller's times do not fit together; the level is right afterwards.
                self.first += height;
                continue;
            };
            self.busy = self.busy.max(index + TAPS);
            for i in 0..TAPS {
                samples[i] += height * (row[i] + change[i] * between);
            }
        }
    }

    /// Adds steps that are close together: each one to four places of a grid that is finer than the samples, and the grid's impulses to the samples.
    /// A step costs a quarter of its cost in [`Self::add_each`], and each sample as much as two steps there. The two differ by less than the
    /// impulse lets through (80 dB).
    fn add_by_grid(&mut self, steps: impl Iterator<Item = (u64, f32)>) {
        // Places are fixed-point numbers with 32 binary places: the host works them out without turning numbers into floats and back.
        let fixed = FINE as f64 / self.step * f64::from(1u32 << 31) * 2.0;
        let start = self.origin.ceil();
        let (per_half_cycle, first_place) = (fixed as u64, ((start - self.origin) * fixed) as u64);
        let start = start as u64;
        let splines = &**SPLINES;
        let places = (self.impulses.len() - TAPS + 1) * FINE;
        self.grid.resize(self.impulses.len() * FINE + SPAN, 0.0);
        // A place's impulse reaches back over all but its own sample's places, and the spline one more.
        let grid = &mut self.grid[SPAN - FINE - 1..][..places + 3];
        let (mut output, mut last) = (self.level, 0);
        for (at, level) in steps {
            let height = level - mem::replace(&mut output, level);
            let half_cycles = at.saturating_sub(start) as u32;
            let place = u64::from(half_cycles) * per_half_cycle + first_place;
            let index = (place >> 32) as usize;
            let Four(weights) = splines[place as u32 as usize >> BELOW];
            let around = grid.get_mut(index..index + 4);
            let Some(Ok(around)) = around.map(<&mut [f32; 4]>::try_from) else {
                // Times that do not fit together, as in `add_each`.
                self.first += height;
                continue;
            };
            last = index;
            *around = array::from_fn(|i| around[i] + height * weights[i]);
        }
        self.level = output;
        self.busy = self.busy.max(last / FINE + TAPS);
        let response = &**RESPONSE;
        let (steps, _) = self.grid.as_chunks::<FINE>();
        for (sample, around) in self.impulses.iter_mut().zip(steps.windows(TAPS)) {
            if let Some(around) = around.as_flattened().first_chunk() {
                *sample += dot(around, response);
            }
        }
        self.grid.clear();
    }

    /// Moves the first `ready` samples to the end of `out`.
    fn give_out(&mut self, ready: usize, out: &mut Vec<f32>) {
        if self.busy == 0 && self.first.abs() < SILENCE && self.second.abs() < SILENCE {
            self.first = 0.0;
            self.second = 0.0;
            out.resize(out.len() + ready, 0.0);
        } else {
            // The running sum of the impulses and the first coupling are one step: a sum that leaks.
            let [leak, part] = self.leak;
            let (keep, mut first, mut second) = (1.0 - leak, self.first, self.second);
            let from = out.len();
            out.extend(self.impulses[..ready].iter().map(|impulse| {
                first = first * keep + impulse;
                let sample = first - second;
                second += sample * part;
                sample
            }));
            for sample in &mut out[from..] {
                *sample = sample.clamp(-1.0, 1.0);
            }
            (self.first, self.second) = (first, second);
        }
        self.busy = self.busy.saturating_sub(ready);
        self.impulses.drain(..ready);
        self.origin += ready as f64 * self.step;
    }
}

/// The sum of the products, in sixteen parts as the host adds them.
fn dot(places: &[f32; SPAN], response: &[Four; SPAN / 4]) -> f32 {
    let mut sums = [[0.0; 4]; 4];
    let (fours, _) = places.as_chunks::<4>();
    for (places, response) in fours.chunks_exact(8).zip(response.chunks_exact(8)) {
        for part in 0..8 {
            let Four(row) = response[part];
            for i in 0..4 {
                sums[part & 3][i] += places[part][i] * row[i];
            }
        }
    }
    sums.as_flattened().iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: f64 = 1_789_772.5;
    const RATE: f64 = 44_100.0;

    /// A second of a square wave with this half period in half cycles, volume 15, and one to settle before.
    fn square(half: u64, mixing: Mixing) -> Vec<f32> {
        let mut synth = Synth::new(CLOCK, RATE, 0);
        synth.set_mixing(mixing);
        let end = (CLOCK * 2.0) as u64;
        let mut out = Vec::new();
        let (mut at, mut level, mut now) = (0, 0, 0);
        while now < end {
            now += 29_868;
            let mut changes = vec![];
            while at < now * 2 {
                level = 15 - level;
                changes.push(SoundChange { at, level });
                at += half;
            }
            synth.render(&changes, now, &mut out);
        }
        out.split_off(RATE as usize)
    }

    /// Amplitude of the sine of `frequency` in `samples`.
    fn amplitude(samples: &[f32], frequency: f64) -> f64 {
        let n = samples.len();
        let (mut re, mut im, mut weight) = (0.0, 0.0, 0.0);
        for (i, &s) in samples.iter().enumerate() {
            let w = std::f64::consts::TAU * i as f64 / n as f64;
            let window =
                0.35875 - 0.48829 * w.cos() + 0.14128 * (2.0 * w).cos() - 0.01168 * (3.0 * w).cos();
            let angle = std::f64::consts::TAU * frequency * i as f64 / RATE;
            re += f64::from(s) * window * angle.cos();
            im += f64::from(s) * window * angle.sin();
            weight += window;
        }
        2.0 * re.hypot(im) / weight
    }

    fn db(ratio: f64) -> f64 {
        20.0 * ratio.log10()
    }

    #[test]
    fn a_square_wave_has_its_harmonics_and_nothing_else() {
        // 4,000 half cycles: 447.44 Hz.
        let out = square(4000, Mixing::Linear);
        let base = CLOCK / 4000.0;
        let first = amplitude(&out, base);
        assert!(
            (first - 0.25 * 2.0 / std::f64::consts::PI).abs() < 0.003,
            "{first}"
        );
        for harmonic in [3, 5, 7, 9, 11, 21, 31] {
            let found = db(amplitude(&out, base * f64::from(harmonic)) / first);
            let wanted = -db(f64::from(harmonic));
            assert!(
                (found - wanted).abs() < 0.3,
                "harmonic {harmonic}: {found} dB, wanted {wanted} dB"
            );
        }
        for between in [1.5, 2.5, 6.5, 20.5] {
            assert!(db(amplitude(&out, base * between) / first) < -90.0);
        }
    }

    #[test]
    fn what_would_fold_back_is_not_heard() {
        // A pulse rate of 64 half cycles gives 27,965 Hz: folded, it would be heard at 16,135 Hz and other places.
        let out = square(64, Mixing::Linear);
        for frequency in (200..18_000).step_by(100) {
            let level = db(amplitude(&out[..8192], f64::from(frequency)));
            assert!(level < -80.0, "{frequency} Hz: {level} dB");
        }
        // Tones by way of the grid, near its own rate (353 kHz) and half of it, too.
        for half in [7, 9, 10, 11, 20, 21] {
            let out = square(half, Mixing::Linear);
            for frequency in (200..18_000).step_by(100) {
                let level = db(amplitude(&out[..8192], f64::from(frequency)));
                assert!(level < -80.0, "{half}: {frequency} Hz: {level} dB");
            }
        }
        // The harmonics of a high tone fold to inharmonic places.
        let out = square(500, Mixing::Linear);
        let base = CLOCK / 500.0;
        let first = amplitude(&out, base);
        for harmonic in (7..40).step_by(2) {
            let folded = (base * f64::from(harmonic)) % RATE;
            let folded = folded.min(RATE - folded);
            if folded < 18_000.0 {
                let level = db(amplitude(&out, folded) / first);
                assert!(
                    level < -75.0,
                    "harmonic {harmonic} at {folded} Hz: {level} dB"
                );
            }
        }
    }

    #[test]
    fn many_steps_by_the_grid_sound_as_each_by_itself() {
        let mut seed = 1u32;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % below
        };
        let mut at = 0;
        let changes: Vec<SoundChange> = (0..40_000)
            .map(|_| {
                at += u64::from(random(24)) + 1;
                let level = random(61) as u8;
                SoundChange { at, level }
            })
            .collect();
        let end = at / 2;
        let (mut by_grid, mut each) = (Vec::new(), Vec::new());
        Synth::new(CLOCK, RATE, 0).render(&changes, end, &mut by_grid);
        let mut synth = Synth::new(CLOCK, RATE, 0);
        for some in changes.chunks(2 * TAPS) {
            synth.render(some, some[some.len() - 1].at / 2, &mut each);
        }
        let apart = |(a, b): (&f32, &f32)| f64::from((a - b).abs());
        let most = by_grid.iter().zip(&each).map(apart).fold(0.0, f64::max);
        let loudest = each
            .iter()
            .fold(0f32, |most, sample| most.max(sample.abs()));
        assert!(each.len() > 6000 && loudest > 0.3, "{loudest}");
        assert!(most < 1e-4, "{most}");
    }

    #[test]
    fn the_number_of_samples_is_the_time_times_the_rate() {
        let mut synth = Synth::new(CLOCK, RATE, 1000);
        let mut out = Vec::new();
        for frame in 1..=60 {
            synth.render(&[], 1000 + frame * 29_868, &mut out);
        }
        let wanted = 60.0 * 29_868.0 / CLOCK * RATE;
        assert!((out.len() as f64 - wanted).abs() < 1.0);
        assert!(out.iter().all(|&s| s == 0.0));
    }

    #[test]
    fn a_constant_level_fades_to_silence() {
        let mut synth = Synth::new(CLOCK, RATE, 0);
        let mut out = Vec::new();
        synth.render(&[SoundChange { at: 10, level: 60 }], CLOCK as u64, &mut out);
        assert!(out.iter().fold(0f32, |a, &b| a.max(b.abs())) > 0.5);
        assert!(out[RATE as usize - 2000..].iter().all(|s| s.abs() < 1e-4));
    }

    #[test]
    fn the_mixing_curve_rises_and_bends_as_the_machine_s() {
        for mixing in [Mixing::Saturating, Mixing::Linear] {
            let curve = mixing.curve();
            assert!(curve[..61].windows(2).all(|w| w[1] > w[0]));
        }
        let curve = Mixing::Saturating.curve();
        assert!((curve[30] / curve[15] - 1.52).abs() < 0.02);
        assert!((curve[60] / curve[15] - 1.95).abs() < 0.02);
        let curve = Mixing::Linear.curve();
        assert!((curve[60] / curve[15] - 4.0).abs() < 0.001);
    }

    #[test]
    fn changes_that_come_in_pieces_sound_the_same() {
        let changes: Vec<SoundChange> = (0..2000)
            .map(|i| SoundChange {
                at: i * 1777,
                level: (i % 16) as u8,
            })
            .collect();
        let end = 2000 * 1777 / 2;
        let mut whole = Vec::new();
        Synth::new(CLOCK, RATE, 0).render(&changes, end, &mut whole);
        let mut pieces = Vec::new();
        let mut synth = Synth::new(CLOCK, RATE, 0);
        for piece in changes.chunks(7) {
            synth.render(piece, piece[piece.len() - 1].at / 2, &mut pieces);
        }
        assert!(whole.len() - pieces.len() < 50);
        assert!(pieces.iter().zip(&whole).all(|(a, b)| (a - b).abs() < 1e-4));
    }
}
