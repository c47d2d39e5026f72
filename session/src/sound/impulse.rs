//! The impulse of a step: a Kaiser-windowed sinc, as tables.
use crate::sine::sin;
use std::sync::LazyLock;

/// Samples that a step's impulse covers.
pub(super) const TAPS: usize = 32;
/// Places of a step between two samples for which the impulse is tabulated; between them it is interpolated.
pub(super) const PHASES: usize = 64;
/// Places of the grid for each sample.
pub(super) const FINE: usize = 8;
/// Places of the grid that a sample depends on.
pub(super) const SPAN: usize = TAPS * FINE;
/// Corner of the low-pass, as a part of the sample rate: 20.3 kHz at 44.1 kHz.
const CORNER: f64 = 0.46;
/// Shape of the Kaiser window: 80 dB.
const BETA: f64 = 7.86;

/// A row of the table of impulses: the samples of one phase, and the way to those of the next.
type Impulse = ([f32; TAPS], [f32; TAPS]);

/// The band-limited impulse for each phase, which sums to 1. Made at its first use: as data it would be 18 KB of the compressed page.
pub(super) static IMPULSES: LazyLock<Box<[Impulse; PHASES]>> =
    LazyLock::new(|| Box::new(impulses()));

/// Four numbers that the host reads at once.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct Four(pub(super) [f32; 4]);

/// The weights of the grid's places around a sample; that of the sample's own moment has number [`SPAN`] - [`FINE`].
pub(super) static RESPONSE: LazyLock<Box<[Four; SPAN / 4]>> =
    LazyLock::new(|| Box::new(response()));

/// Parts of a place of the grid for which [`SPLINES`] has weights.
pub(super) const PARTS: usize = 4096;

/// Cubic B-splines at the four places around a step, for steps in the middle of each part of the second of them.
pub(super) static SPLINES: LazyLock<Box<[Four; PARTS]>> = LazyLock::new(|| {
    let spline = |number| Four(spline((number as f32 + 0.5) / PARTS as f32));
    let all: Vec<Four> = (0..PARTS).map(spline).collect();
    all.try_into()
        .unwrap_or_else(|_| unreachable!("one for each part"))
});

/// A cubic B-spline at the four places around a step which is `part` of a place after the second.
fn spline(part: f32) -> [f32; 4] {
    let after = 1.0 - part;
    // At most a place and at most two from the middle.
    let near = |x: f32| 2.0 / 3.0 + x * x * (x / 2.0 - 1.0);
    let far = |x: f32| x * x * x / 6.0;
    [far(after), near(part), near(after), far(part)]
}

/// The numbers that make the impulse at every place when splines are drawn around them: those of cubic interpolation (Unser, "Splines", 1999).
fn response() -> [Four; SPAN / 4] {
    let pole = 3f64.sqrt() - 2.0;
    let mut numbers: [f64; SPAN] = std::array::from_fn(|place| {
        let (row, _) = &IMPULSES[place % FINE * (PHASES / FINE)];
        6.0 * f64::from(row[TAPS - 1 - place / FINE])
    });
    for place in 1..SPAN {
        numbers[place] += pole * numbers[place - 1];
    }
    numbers[SPAN - 1] *= pole / (pole * pole - 1.0);
    for place in (0..SPAN - 1).rev() {
        numbers[place] = pole * (numbers[place + 1] - numbers[place]);
    }
    // Each step ends at its level.
    let sum = |phase| numbers.iter().skip(phase).step_by(FINE).sum::<f64>();
    let sums: [f64; FINE] = std::array::from_fn(sum);
    let number = |place| (numbers[place] / sums[place % FINE]) as f32;
    std::array::from_fn(|four| Four(std::array::from_fn(|i| number(4 * four + i))))
}

/// Points of the impulse that make one sample: the running sum replaces an integral, so each sample takes the mean over its time.
const MEAN: usize = PHASES / 2;
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
        let first = BEFORE + PHASES * i - PHASES * (TAPS / 2 - 1) - phase - MEAN;
        let mut part = 0;
        while part < MEAN {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
