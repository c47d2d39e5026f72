//! The synthesizer's output for POKEY's notes: no line that is not in them, and no constant level.
use machine::SoundChange;
use session::sound::{Mixing, Synth};
use std::f64::consts::TAU;
use tests::spectrum::{CLOCK, Spectrum, note, sampled, sound, square};

const RATES: [f64; 2] = [44_100.0, 48_000.0];

fn render(changes: &[SoundChange], rate: f64, mixing: Mixing) -> Vec<f64> {
    let mut synth = Synth::new(CLOCK, rate, 0);
    synth.set_mixing(mixing);
    let mut out = Vec::new();
    synth.render(changes, CLOCK as u64, &mut out);
    out.into_iter().map(f64::from).collect()
}

#[test]
fn the_strongest_false_line_of_a_high_note_is_85_db_below_it() {
    for audf in [255, 200, 151, 120, 95, 77, 60, 53, 46] {
        let changes = sound(&square(audf));
        for rate in RATES {
            for mixing in [Mixing::Linear, Mixing::Saturating] {
                let spectrum = Spectrum::new(&render(&changes, rate, mixing), rate);
                let (hz, db) = spectrum.strongest_false(note(audf));
                let below = db - spectrum.line(note(audf));
                assert!(
                    below < -85.0,
                    "AUDF {audf} at {rate} Hz: {below:.1} dB at {hz:.0} Hz"
                );
            }
            // The measure sees what plain sampling folds back.
            let spectrum = Spectrum::new(&sampled(&changes, rate), rate);
            let below = spectrum.strongest_false(note(audf)).1 - spectrum.line(note(audf));
            assert!(
                below > -30.0,
                "AUDF {audf} at {rate} Hz, sampled: {below:.1} dB"
            );
        }
    }
}

#[test]
fn notes_above_hearing_are_not_heard() {
    for audf in [0, 1, 4, 10, 21, 33] {
        assert!(note(audf) > 24_000.0);
        let changes = sound(&square(audf));
        for rate in RATES {
            let spectrum = Spectrum::new(&render(&changes, rate, Mixing::Linear), rate);
            // The note itself would have -14 dB.
            let (hz, db) = spectrum.strongest_false(note(audf));
            assert!(
                db < -85.0,
                "AUDF {audf} at {rate} Hz: {db:.1} dB at {hz:.0} Hz"
            );
            let (_, sampled) =
                Spectrum::new(&sampled(&changes, rate), rate).strongest_false(note(audf));
            assert!(
                sampled > -50.0,
                "AUDF {audf} at {rate} Hz, sampled: {sampled:.1} dB"
            );
        }
    }
}

#[test]
fn harmonics_have_the_levels_of_a_square_wave() {
    let changes = sound(&square(251));
    for rate in RATES {
        let spectrum = Spectrum::new(&render(&changes, rate, Mixing::Linear), rate);
        let first = spectrum.line(note(251));
        for harmonic in [3.0, 5.0] {
            let found = spectrum.line(note(251) * harmonic) - first;
            let wanted = -20.0 * f64::log10(harmonic);
            assert!(
                (found - wanted).abs() < 0.6,
                "{harmonic}: {found:.2} dB, wanted {wanted:.2}"
            );
        }
    }
}

/// A square wave of volume 8 with this many cycles in half a period, upon a constant level.
fn low_note(half: u64, constant: u8) -> Vec<SoundChange> {
    (0..(2.0 * CLOCK) as u64 / (2 * half))
        .map(|i| SoundChange {
            at: 2 * half * i + 1,
            level: constant + if i % 2 == 0 { 8 } else { 0 },
        })
        .collect()
}

#[test]
fn a_constant_level_is_taken_out() {
    for rate in RATES {
        for mixing in [Mixing::Linear, Mixing::Saturating] {
            let alone = render(&[SoundChange { at: 1, level: 60 }], rate, mixing);
            let loudest = |part: &[f64]| part.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
            assert!(loudest(&alone) > 0.5);
            assert!(loudest(&alone[rate as usize / 2..]) < 1e-5);
            // Whole periods: the mean is what is constant.
            let period = rate as usize / 100;
            for constant in [0, 45] {
                let samples = render(&low_note((CLOCK / 200.0) as u64, constant), rate, mixing);
                let part = &samples[rate as usize / 2..][..period * 40];
                let mean = part.iter().sum::<f64>() / part.len() as f64;
                assert!(loudest(part) > 0.02);
                assert!(mean.abs() < 1e-4, "{mean}");
            }
        }
    }
}

#[test]
fn low_notes_lose_what_two_coupling_capacitors_take() {
    // Time constants of 2.6 and 24.7 ms.
    let passes = |hz: f64| {
        let part = |tau: f64| TAU * hz * tau / (TAU * hz * tau).hypot(1.0);
        part(0.0026) * part(0.0247)
    };
    for rate in RATES {
        for hz in [40.0, 100.0, 250.0, 1000.0] {
            let half = (CLOCK / hz / 2.0) as u64;
            let samples = render(&low_note(half, 0), rate, Mixing::Linear);
            let exact = CLOCK / (2 * half) as f64;
            // The fundamental, over whole periods.
            let length = ((0.4 * exact).floor() / exact * rate).round();
            let (mut re, mut im) = (0.0, 0.0);
            for (i, s) in samples[rate as usize / 2..]
                .iter()
                .take(length as usize)
                .enumerate()
            {
                let (sin, cos) = (TAU * exact * i as f64 / rate).sin_cos();
                re += s * cos;
                im += s * sin;
            }
            let found = 2.0 * re.hypot(im) / length;
            let wanted = 8.0 / 60.0 * 2.0 / std::f64::consts::PI * passes(exact);
            let error = 20.0 * (found / wanted).log10();
            assert!(error.abs() < 0.1, "{hz} Hz at {rate}: {error:.3} dB off");
        }
    }
}
