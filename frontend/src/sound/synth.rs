//! POKEY's levels to samples.
use machine::SoundChange;

/// The largest level: four channels at volume 15.
const LOUDEST: f32 = 60.0;

/// Turns changes of the sound level into samples; each sample is the mean level over its time.
#[derive(Clone, Debug)]
pub struct Synth {
    /// Half machine cycles for each sample.
    step: f64,
    /// Where the next sample ends, in half machine cycles since power-on.
    next: f64,
    /// Up to where the level has been added.
    at: f64,
    level: f32,
    sum: f64,
    /// Slow mean of the level, taken away so that silence is 0.
    rest: f32,
}

impl Synth {
    /// For a machine of `clock` cycles a second that is now at cycle `now`, at `rate` samples a second.
    pub fn new(clock: f64, rate: f64, now: u64) -> Self {
        let start = now as f64 * 2.0;
        let step = clock * 2.0 / rate;
        Self {
            step,
            next: start + step,
            at: start,
            level: 0.0,
            sum: 0.0,
            rest: 0.0,
        }
    }

    /// Makes samples slightly longer or shorter: `factor` 1.001 gives 0.1 % more samples.
    pub fn stretch(&mut self, clock: f64, rate: f64, factor: f64) {
        self.step = clock * 2.0 / (rate * factor);
    }

    /// Appends the samples up to cycle `now`, with `changes` in order of time since the last call; from -1 to 1.
    pub fn render(&mut self, changes: &[SoundChange], now: u64, out: &mut Vec<f32>) {
        for change in changes {
            self.run_to(change.at as f64, out);
            self.level = f32::from(change.level);
        }
        self.run_to(now as f64 * 2.0, out);
    }

    fn run_to(&mut self, until: f64, out: &mut Vec<f32>) {
        while self.next <= until {
            self.sum += f64::from(self.level) * (self.next - self.at).max(0.0);
            self.at = self.next;
            self.next += self.step;
            let mean = (self.sum / self.step) as f32;
            self.sum = 0.0;
            self.rest += (mean - self.rest) * 0.0005;
            out.push(((mean - self.rest) / LOUDEST).clamp(-1.0, 1.0));
        }
        if until > self.at {
            self.sum += f64::from(self.level) * (until - self.at);
            self.at = until;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_wave_keeps_its_frequency() {
        let clock = 1_789_772.5;
        let mut synth = Synth::new(clock, 44_100.0, 0);
        let half = clock * 2.0 / 440.0 / 2.0;
        let changes: Vec<SoundChange> = (0..880)
            .map(|i| SoundChange {
                at: (f64::from(i) * half) as u64,
                level: if i % 2 == 0 { 15 } else { 0 },
            })
            .collect();
        let mut out = Vec::new();
        synth.render(&changes, clock as u64, &mut out);
        assert!((44_098..=44_101).contains(&out.len()), "{}", out.len());
        let later = &out[4410..];
        let rises = later
            .windows(2)
            .filter(|w| w[0] <= 0.0 && w[1] > 0.0)
            .count();
        assert!((394..=398).contains(&rises), "{rises}");
    }
}
