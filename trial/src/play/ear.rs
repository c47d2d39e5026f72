//! The notes that a machine plays, by the registers of its first POKEY at the end of each frame.
use machine::Machine;
use session::voices::{note, voices};

/// Notes that are kept of each voice.
const MOST: usize = 10_000;

/// Listens to the four voices. A note begins when a voice sounds another one than in the frame before, or the same one louder.
#[derive(Clone, Debug, Default)]
pub struct Ear {
    /// Note and volume of each voice in the last frame.
    last: [(Option<String>, u8); 4],
    begun: [Vec<String>; 4],
}

impl Ear {
    /// After a frame.
    pub fn listen(&mut self, machine: &Machine) {
        let pokey = &machine.bus().io.pokey;
        let audf = std::array::from_fn(|n| pokey.written(2 * n as u8));
        let audc = std::array::from_fn(|n| pokey.written(2 * n as u8 + 1));
        let clock = machine.config().tv.clock();
        let all = voices(audf, audc, pokey.written(8), clock);
        for ((voice, last), begun) in all.iter().zip(&mut self.last).zip(&mut self.begun) {
            let pure = voice.volume > 0 && voice.sound == "pure tone";
            let name = voice.frequency.filter(|_| pure).and_then(note);
            let name = name.map(|(name, _)| name);
            let louder = voice.volume > last.1;
            if let Some(name) = name
                .clone()
                .filter(|name| louder || last.0.as_ref() != Some(name))
                && begun.len() < MOST
            {
                begun.push(name);
            }
            *last = (name, voice.volume);
        }
    }

    /// True if these notes were begun one after the other, by this voice or, without one, by any.
    pub fn has(&self, notes: &[String], channel: Option<usize>) -> bool {
        let voices = self.begun.iter().enumerate();
        let mut asked = voices.filter(|(n, _)| channel.is_none_or(|channel| channel == *n));
        asked.any(|(_, begun)| begun.windows(notes.len()).any(|window| window == notes))
    }
}
