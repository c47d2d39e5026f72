//! POKEY's levels to samples.
//!
//! Each change of the level is a step at an exact moment; its band-limited form, a windowed sinc, is added to the samples
//! around it, and a running sum makes the steps out of the impulses. Frequencies above hearing are gone before they can fold back.
use crate::Session;
use crate::sine::sin;
use machine::{CovoxChange, SoundChange};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Samples that a step's impulse covers.
const TAPS: usize = 32;
/// Places of a step between two samples for which the impulse is tabulated; between them it is interpolated.
const PHASES: usize = 64;
/// Corner of the low-pass, as a part of the sample rate: 20.3 kHz at 44.1 kHz.
const CORNER: f64 = 0.46;
/// Shape of the Kaiser window: 80 dB.
const BETA: f64 = 7.86;
/// Time constants in seconds of the machine's two coupling capacitors.
const COUPLING: [f64; 2] = [0.0026, 0.0247];
/// Levels below this are silence.
const SILENCE: f32 = 1e-6;
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
struct Tail {
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
            curve: Mixing::default().curve(),
            level: 0.0,
            first: 0.0,
            second: 0.0,
            leak: COUPLING.map(|seconds| 1.0 - (-1.0 / (rate * seconds)).exp() as f32),
            busy: 0,
        }
    }

    fn tail(&self) -> Tail {
        Tail {
            origin: self.origin,
            impulses: self.impulses.clone(),
            level: self.level,
            first: self.first,
            second: self.second,
            busy: self.busy as u64,
        }
    }

    fn resume(&mut self, tail: Tail) {
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
    fn render_steps(
        &mut self,
        steps: impl Iterator<Item = (u64, f32)>,
        now: u64,
        out: &mut Vec<f32>,
    ) {
        let per_half_cycle = 1.0 / self.step;
        let ready = ((now as f64 * 2.0 - self.origin) * per_half_cycle).max(0.0) as usize;
        // A change may come some cycles after `now`.
        self.impulses
            .resize(ready.max(self.impulses.len()) + TAPS + 2, 0.0);
        let table = &**IMPULSES;
        for (at, level) in steps {
            let height = level - self.level;
            self.level = level;
            // Numbers of 32 bits: the host converts them in an instruction.
            let place = ((at as f64 - self.origin) * per_half_cycle).max(0.0);
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

/// A row of the table of impulses: the samples of one phase, and the way to those of the next.
type Impulse = ([f32; TAPS], [f32; TAPS]);

/// The band-limited impulse for each phase, which sums to 1. Made at its first use: as data it would be 18 KB of the compressed page.
static IMPULSES: LazyLock<Box<[Impulse; PHASES]>> = LazyLock::new(|| Box::new(impulses()));

/// Points of the impulse that make one sample: the running sum replaces an integral, so each sample takes the mean over its time.
const PARTS: usize = PHASES / 2;
/// The impulse is needed at odd multiples of 1 / [`PHASES`] samples for even phases, at even ones for odd phases: from this far before its middle...
const BEFORE: usize = PHASES * (TAPS / 2 + 1);
/// ...to as far after it.
const POINTS: usize = 2 * BEFORE;

#[allow(clippy::large_stack_arrays)]
fn impulses() -> [Impulse; PHASES] {
    let mut points = [0.0; POINTS];
    let mut i = 0;
    while i < POINTS {
        points[i] = impulse((i as f64 - BEFORE as f64) / PHASES as f64);
        i += 1;
    }
    let mut table = [([0.0; TAPS], [0.0; TAPS]); PHASES];
    let mut row = impulse_row(&points, 0);
    let mut phase = 0;
    while phase < PHASES {
        let next = impulse_row(&points, phase + 1);
        let mut i = 0;
        while i < TAPS {
            table[phase].0[i] = row[i];
            table[phase].1[i] = next[i] - row[i];
            i += 1;
        }
        row = next;
        phase += 1;
    }
    table
}

/// The samples of a phase.
const fn impulse_row(points: &[f64; POINTS], phase: usize) -> [f32; TAPS] {
    let mut row = [0.0; TAPS];
    let mut sum = 0.0;
    let mut i = 0;
    while i < TAPS {
        // The middle is at sample TAPS / 2 - 1.
        let first = BEFORE + PHASES * i - PHASES * (TAPS / 2 - 1) - phase - PARTS;
        let mut part = 0;
        while part < PARTS {
            row[i] += points[first + 2 * part + 1];
            part += 1;
        }
        sum += row[i];
        i += 1;
    }
    let mut samples = [0.0; TAPS];
    let mut i = 0;
    while i < TAPS {
        samples[i] = (row[i] / sum) as f32;
        i += 1;
    }
    samples
}

/// The windowed sinc at `x` samples from its middle.
const fn impulse(x: f64) -> f64 {
    let angle = std::f64::consts::TAU * CORNER * x;
    let sinc = if angle.abs() < 1e-9 {
        1.0
    } else {
        sin(angle) / angle
    };
    // The taps of every phase cover this much on both sides, the mean over a sample's time included.
    let edge = x / ((TAPS - 1) as f64 / 2.0);
    if edge.abs() > 1.0 {
        return 0.0;
    }
    sinc * bessel(BETA * BETA * (1.0 - edge * edge))
}

/// The modified Bessel function of order 0, of the root of `square`.
const fn bessel(square: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    let mut k = 1;
    while k < 40 {
        term *= square / (4 * k * k) as f64;
        sum += term;
        k += 1;
    }
    sum
}

/// The output of a session's machine: the changes of all its sound hardware.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// The changes of the machine's own POKEY.
    pub first: Vec<SoundChange>,
    /// The changes of a second one.
    pub second: Vec<SoundChange>,
    covox: Vec<CovoxChange>,
}

impl Heard {
    /// Takes the changes since the last call, in place of the present ones.
    pub fn take(&mut self, session: &mut Session) {
        self.clear();
        session.take_sound(&mut self.first);
        session.take_added_sound(&mut self.second, &mut self.covox);
    }

    /// Drops the changes.
    pub fn clear(&mut self) {
        self.first.clear();
        self.second.clear();
        self.covox.clear();
    }
}

/// Makes the left and right samples of a machine's sound: the first POKEY is on the left and the second on the right; without a second
/// the first is on both.
#[derive(Clone, Debug)]
pub struct Mixer {
    first: Synth,
    second: Option<Synth>,
    covox: Option<[Synth; 2]>,
    samples: Vec<f32>,
}

/// See [`Mixer::tails`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct MixerTails(Vec<Tail>);

/// The Covox's full scale against that of a POKEY.
const COVOX: f32 = 0.5;

impl Mixer {
    /// For the machine as it is now, at `rate` samples a second.
    pub fn new(machine: &machine::Machine, rate: f64) -> Self {
        let config = machine.config();
        let synth = || Synth::new(config.tv.clock(), rate, machine.now());
        Self {
            first: synth(),
            second: config.extras.stereo.then(synth),
            covox: config.extras.covox.then(|| [synth(), synth()]),
            samples: Vec::new(),
        }
    }

    /// Everything that changes while it renders: the samples that have been begun and the charge of the coupling capacitors.
    pub(crate) fn tails(&self) -> MixerTails {
        let covox = self.covox.iter().flatten();
        let synths = [&self.first].into_iter().chain(&self.second).chain(covox);
        MixerTails(synths.map(Synth::tail).collect())
    }

    /// Continues from other tails; false, and nothing happens, if they are of a mixer for other sound hardware.
    pub(crate) fn resume(&mut self, tails: MixerTails) -> bool {
        let covox = self.covox.iter_mut().flatten();
        let synths = [&mut self.first].into_iter().chain(&mut self.second);
        let synths: Vec<_> = synths.chain(covox).collect();
        if synths.len() != tails.0.len() {
            return false;
        }
        for (synth, tail) in synths.into_iter().zip(tails.0) {
            synth.resume(tail);
        }
        true
    }

    /// True if left and right may differ.
    pub fn is_stereo(&self) -> bool {
        self.second.is_some() || self.covox.is_some()
    }

    /// See [`Synth::stretch`].
    pub fn stretch(&mut self, clock: f64, rate: f64, factor: f64) {
        let covox = self.covox.iter_mut().flatten();
        for synth in [&mut self.first]
            .into_iter()
            .chain(&mut self.second)
            .chain(covox)
        {
            synth.stretch(clock, rate, factor);
        }
    }

    /// Appends the samples up to cycle `now`, left and right, with the changes since the last call.
    pub fn render(&mut self, heard: &Heard, now: u64, out: &mut Vec<[f32; 2]>) {
        let from = out.len();
        self.samples.clear();
        self.first.render(&heard.first, now, &mut self.samples);
        out.extend(self.samples.iter().map(|&sample| [sample; 2]));
        if let Some(second) = &mut self.second {
            self.samples.clear();
            second.render(&heard.second, now, &mut self.samples);
            for (frame, &sample) in out[from..].iter_mut().zip(&self.samples) {
                frame[1] = sample;
            }
        }
        let Some(covox) = &mut self.covox else { return };
        // Converters 0 and 3 are on the left, 1 and 2 on the right.
        for (side, (synth, [a, b])) in covox.iter_mut().zip([[0, 3], [1, 2]]).enumerate() {
            self.samples.clear();
            let steps = heard.covox.iter().map(|change| {
                let sum = u16::from(change.levels[a]) + u16::from(change.levels[b]);
                (2 * change.at, (f32::from(sum) / 255.0 - 1.0) * COVOX)
            });
            synth.render_steps(steps, now, &mut self.samples);
            for (frame, &sample) in out[from..].iter_mut().zip(&self.samples) {
                frame[side] = (frame[side] + sample).clamp(-1.0, 1.0);
            }
        }
    }
}

/// Makes samples of a session's sound, frame by frame.
///
/// ```
/// use session::{Session, Setup, sound::Listener};
/// let mut session = Session::new(Setup::default()).unwrap();
/// let mut listener = Listener::new(&session, 48_000.0);
/// session.run_frame();
/// // A sixtieth of a second.
/// assert!((790..=810).contains(&listener.frame(&mut session).len()));
/// ```
#[derive(Clone, Debug)]
pub struct Listener {
    synth: Synth,
    clock: f64,
    rate: f64,
    heard: u64,
    changes: Vec<SoundChange>,
    samples: Vec<f32>,
}

impl Listener {
    /// A listener from now on, with `rate` samples a second.
    pub fn new(session: &Session, rate: f64) -> Self {
        let machine = session.machine();
        let (clock, heard) = (machine.config().tv.clock(), machine.now());
        Self {
            synth: Synth::new(clock, rate, heard),
            clock,
            rate,
            heard,
            changes: Vec::new(),
            samples: Vec::new(),
        }
    }

    /// The samples since the last call, -1 to 1. After a jump in time the sound begins again.
    pub fn frame(&mut self, session: &mut Session) -> &[f32] {
        let now = session.machine().now();
        self.changes.clear();
        self.samples.clear();
        session.take_sound(&mut self.changes);
        // A jump of a second is not a frame.
        if now < self.heard || (now - self.heard) as f64 > self.clock {
            self.synth = Synth::new(self.clock, self.rate, now);
        } else {
            self.synth.render(&self.changes, now, &mut self.samples);
        }
        self.heard = now;
        &self.samples
    }
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
    fn every_row_of_the_table_is_the_mean_of_a_kaiser_windowed_sinc() {
        let bessel = |x: f64| {
            let terms = (1..40).scan(1.0, |term, k| {
                *term *= (x / 2.0 / f64::from(k)).powi(2);
                Some(*term)
            });
            1.0 + terms.sum::<f64>()
        };
        let point = |x: f64| {
            let angle = std::f64::consts::TAU * CORNER * x;
            let edge = x / 15.5;
            let sinc = if angle == 0.0 {
                1.0
            } else {
                angle.sin() / angle
            };
            let inside = 1.0 - edge * edge;
            if inside < 0.0 {
                0.0
            } else {
                sinc * bessel(BETA * inside.sqrt())
            }
        };
        for (phase, (row, change)) in IMPULSES.iter().enumerate() {
            let samples = |phase: usize| -> Vec<f32> {
                let mean = |i: usize| {
                    let x = i as f64 - 15.5 - phase as f64 / 64.0;
                    let part = |part| point(x + (f64::from(part) + 0.5) / 32.0);
                    (0..32).map(part).sum::<f64>()
                };
                let sum: f64 = (0..TAPS).map(mean).sum();
                (0..TAPS).map(|i| (mean(i) / sum) as f32).collect()
            };
            let (these, next) = (samples(phase), samples(phase + 1));
            assert_eq!(row[..], these, "phase {phase}");
            let way: Vec<f32> = next.iter().zip(&these).map(|(a, b)| a - b).collect();
            assert_eq!(change[..], way, "phase {phase}");
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
    fn left_and_right_are_the_two_pokeys_and_the_sides_of_the_covox() {
        let change = |at, level| SoundChange { at, level };
        let heard = Heard {
            first: vec![change(10, 15)],
            second: vec![change(10, 60)],
            covox: vec![CovoxChange {
                at: 5,
                levels: [0xFF, 0x80, 0x80, 0xFF],
            }],
        };
        let loudest = |stereo, covox| {
            let mut config = machine::Config::xl(machine::Rom::own(roms::OS_XL));
            config.extras.stereo = stereo;
            config.extras.covox = covox;
            let machine = machine::Machine::new(&config).unwrap();
            let mut mixer = Mixer::new(&machine, RATE);
            assert_eq!(mixer.is_stereo(), stereo || covox);
            let mut out = Vec::new();
            mixer.render(&heard, 40_000, &mut out);
            let most = |side: usize| out.iter().map(|frame| frame[side]).fold(0.0, f32::max);
            [most(0), most(1)]
        };
        let [left, right] = loudest(false, false);
        assert!(left > 0.3 && (left - right).abs() < 1e-6);
        let [left, right] = loudest(true, false);
        assert!(right > 1.9 * left, "{left} {right}");
        let [with, without] = loudest(false, true);
        assert!(with > without + 0.3, "{with} {without}");
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
