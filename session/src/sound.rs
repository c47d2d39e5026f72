//! POKEY's levels to samples.
mod impulse;
mod synth;

pub use synth::{Mixing, Synth};

use crate::Session;
use machine::{CovoxChange, SoundChange};
use serde::{Deserialize, Serialize};
use synth::Tail;

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

    const RATE: f64 = 44_100.0;

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
}
