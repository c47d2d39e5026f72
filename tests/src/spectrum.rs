//! Spectra of POKEY's notes: the lines in them that are not harmonics.
use machine::{Config, Machine, Model, SoundChange, Tv};
use std::f64::consts::TAU;

/// Machine cycles a second of an NTSC machine.
pub const CLOCK: f64 = 1_789_772.5;
/// The frequencies that can be heard, in Hz.
pub const HEARD: std::ops::Range<f64> = 50.0..18_000.0;
/// Steps around a line that belong to it: the window's width, and room for the rounding of its place.
const WIDTH: f64 = 8.0;

/// A second and more of POKEY's sound with these registers (low byte of the address, data), from a machine.
///
/// # Panics
/// Never: the configuration is complete.
pub fn sound(registers: &[(u8, u8)]) -> Vec<SoundChange> {
    // JMP to itself.
    let mut os = vec![0xEA; 0x4000];
    os[..3].copy_from_slice(&[0x4C, 0x00, 0xC0]);
    os[0x3FFA..].copy_from_slice(&[0x00, 0xC0, 0x00, 0xC0, 0x00, 0xC0]);
    let config = Config {
        model: Model::Xl800,
        tv: Tv::Ntsc,
        os: os.into(),
        basic: None,
        cartridge: None,
        second: None,
        seed: 1,
        extras: machine::Extras::default(),
    };
    let mut machine = Machine::new(&config).expect("the configuration is complete");
    machine.pins().write(0xD20F, 3);
    for &(register, data) in registers {
        machine.pins().write(0xD200 + u16::from(register), data);
    }
    let mut changes = Vec::new();
    for _ in 0..65 {
        machine.run_frame();
        machine.take_sound(&mut changes);
    }
    changes
}

/// The registers of a square wave on channel 1 at 1.79 MHz with this AUDF1.
pub fn square(audf: u8) -> [(u8, u8); 3] {
    [(8, 0x40), (0, audf), (1, 0xAF)]
}

/// Its frequency in Hz.
pub fn note(audf: u8) -> f64 {
    CLOCK / 2.0 / (f64::from(audf) + 4.0)
}

/// A second of the level as it is at the moment of each sample, full scale = 1: what a plain emulator would play.
pub fn sampled(changes: &[SoundChange], rate: f64) -> Vec<f64> {
    let mut next = 0;
    let mut level = 0;
    (0..rate as usize)
        .map(|i| {
            let at = i as f64 * CLOCK * 2.0 / rate;
            while next < changes.len() && changes[next].at as f64 <= at {
                level = changes[next].level;
                next += 1;
            }
            f64::from(level) / 60.0
        })
        .collect()
}

/// A spectrum.
#[derive(Clone, Debug)]
pub struct Spectrum {
    /// Hz from one level to the next.
    pub step: f64,
    /// Level in dB of each step, a sine at full scale = 0.
    pub levels: Vec<f64>,
}

impl Spectrum {
    /// The spectrum of the last samples, by a Fourier transform with a four-term Blackman-Harris window.
    pub fn new(samples: &[f64], rate: f64) -> Self {
        const SAMPLES: usize = 1 << 15;
        let samples = &samples[samples.len() - SAMPLES..];
        let mean = samples.iter().sum::<f64>() / SAMPLES as f64;
        let window = |i: usize| {
            let w = TAU * i as f64 / SAMPLES as f64;
            0.35875 - 0.48829 * w.cos() + 0.14128 * (2.0 * w).cos() - 0.01168 * (3.0 * w).cos()
        };
        let mut data: Vec<(f64, f64)> = samples
            .iter()
            .enumerate()
            .map(|(i, s)| ((s - mean) * window(i), 0.0))
            .collect();
        transform(&mut data);
        let scale = 2.0 / (0.35875 * SAMPLES as f64);
        Self {
            step: rate / SAMPLES as f64,
            levels: data[..SAMPLES / 2]
                .iter()
                .map(|c| 20.0 * (c.0.hypot(c.1) * scale + 1e-12).log10())
                .collect(),
        }
    }

    /// The level of the line at this frequency.
    pub fn line(&self, hz: f64) -> f64 {
        let i = (hz / self.step).round() as usize;
        self.levels[i - 2..=i + 2]
            .iter()
            .copied()
            .fold(f64::MIN, f64::max)
    }

    /// Frequency and level of the strongest line that can be heard and is not a harmonic of the note.
    pub fn strongest_false(&self, note: f64) -> (f64, f64) {
        self.levels
            .iter()
            .enumerate()
            .map(|(i, &db)| (i as f64 * self.step, db))
            .filter(|&(hz, _)| {
                let distance = (hz / note - (hz / note).round()).abs() * note;
                HEARD.contains(&hz) && distance > WIDTH * self.step
            })
            .fold((0.0, f64::MIN), |a, b| if b.1 > a.1 { b } else { a })
    }
}

/// The Fourier transform, by halves; the number of elements is a power of two.
fn transform(data: &mut [(f64, f64)]) {
    let n = data.len();
    if n <= 1 {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sine_is_one_line_of_its_level() {
        let samples: Vec<f64> = (0..44_100)
            .map(|i| 0.5 * (TAU * 5000.3 * f64::from(i) / 44_100.0).sin())
            .collect();
        let spectrum = Spectrum::new(&samples, 44_100.0);
        assert!((spectrum.line(5000.3) + 6.02).abs() < 1.0);
        let (hz, db) = spectrum.strongest_false(5000.3);
        assert!(db < -90.0, "{db} dB at {hz} Hz");
    }
}
