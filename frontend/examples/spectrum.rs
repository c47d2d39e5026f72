//! Spectra of high notes: band-limited against plain sampling. Prints the table of `docs/sound.md`.
use frontend::sound::{Mixing, Synth};
use machine::SoundChange;
use std::f64::consts::TAU;

const CLOCK: f64 = 1_789_772.5;
const RATE: f64 = 44_100.0;
const SAMPLES: usize = 32_768;

/// One second of a square wave of POKEY at 1.79 MHz with this AUDF.
fn changes(audf: u64) -> Vec<SoundChange> {
    let half_cycles = (audf + 4) * 2;
    (0..(CLOCK * 2.0) as u64 / half_cycles)
        .map(|i| SoundChange {
            at: i * half_cycles,
            level: if i % 2 == 0 { 15 } else { 0 },
        })
        .collect()
}

fn band_limited(changes: &[SoundChange]) -> Vec<f64> {
    let mut synth = Synth::new(CLOCK, RATE, 0);
    synth.set_mixing(Mixing::Linear);
    let mut out = Vec::new();
    synth.render(changes, CLOCK as u64, &mut out);
    out.into_iter().map(f64::from).collect()
}

fn sampled(changes: &[SoundChange]) -> Vec<f64> {
    let mut next = 0;
    let mut level = 0;
    (0..RATE as usize)
        .map(|i| {
            let at = i as f64 * CLOCK * 2.0 / RATE;
            while next < changes.len() && changes[next].at as f64 <= at {
                level = changes[next].level;
                next += 1;
            }
            f64::from(level) / 60.0 - 0.125
        })
        .collect()
}

/// Level in dB of each frequency step, full scale = 0.
fn spectrum(samples: &[f64]) -> Vec<f64> {
    let samples = &samples[samples.len() - SAMPLES..];
    let window = |i: usize| {
        let w = TAU * i as f64 / SAMPLES as f64;
        0.35875 - 0.48829 * w.cos() + 0.14128 * (2.0 * w).cos() - 0.01168 * (3.0 * w).cos()
    };
    let mut data: Vec<(f64, f64)> = samples
        .iter()
        .enumerate()
        .map(|(i, s)| (s * window(i), 0.0))
        .collect();
    transform(&mut data);
    let scale = 2.0 / (0.35875 * SAMPLES as f64);
    data[..SAMPLES / 2]
        .iter()
        .map(|c| 20.0 * (c.0.hypot(c.1) * scale + 1e-12).log10())
        .collect()
}

/// The Fourier transform, by halves.
fn transform(data: &mut [(f64, f64)]) {
    let n = data.len();
    if n == 1 {
        return;
    }
    let mut even: Vec<_> = data.iter().step_by(2).copied().collect();
    let mut odd: Vec<_> = data.iter().skip(1).step_by(2).copied().collect();
    transform(&mut even);
    transform(&mut odd);
    for k in 0..n / 2 {
        let (sin, cos) = (-TAU * k as f64 / n as f64).sin_cos();
        let t = (
            odd[k].0 * cos - odd[k].1 * sin,
            odd[k].0 * sin + odd[k].1 * cos,
        );
        data[k] = (even[k].0 + t.0, even[k].1 + t.1);
        data[k + n / 2] = (even[k].0 - t.0, even[k].1 - t.1);
    }
}

/// The strongest line from 50 Hz to 18 kHz that is no harmonic of the note, relative to the note.
fn strongest_foreign(spectrum: &[f64], note: f64) -> (f64, f64) {
    let step = RATE / SAMPLES as f64;
    let level = |hz: f64| {
        let i = (hz / step).round() as usize;
        (i - 2..=i + 2)
            .map(|i| spectrum[i])
            .fold(f64::MIN, f64::max)
    };
    let own = level(note);
    let (mut frequency, mut worst) = (0.0, f64::MIN);
    for (i, &db) in spectrum.iter().enumerate() {
        let hz = i as f64 * step;
        let distance = (hz / note - (hz / note).round()).abs() * note;
        if (50.0..18_000.0).contains(&hz) && distance > 8.0 * step && db > worst {
            (frequency, worst) = (hz, db);
        }
    }
    (frequency, worst - own)
}

fn main() {
    println!(
        "| AUDF at 1.79 MHz | note | strongest false line, band-limited | the same, plain sampling |"
    );
    println!("| --- | --- | --- | --- |");
    for audf in [255, 151, 95, 60, 46] {
        let note = CLOCK / 2.0 / (audf + 4) as f64;
        let changes = changes(audf);
        let (f1, a) = strongest_foreign(&spectrum(&band_limited(&changes)), note);
        let (f2, b) = strongest_foreign(&spectrum(&sampled(&changes)), note);
        println!("| {audf} | {note:.0} Hz | {a:.0} dB at {f1:.0} Hz | {b:.0} dB at {f2:.0} Hz |");
    }
}
