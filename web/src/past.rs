//! Saved states, the past, and moments for links.
use crate::emulator::Emulator;
use machine::{Machine, Media, NoProbe, Rom, Snapshot};
use session::Session;
use session::timeline::{Forward, Limits, Moment, Recording, Timeline};
use wasm_bindgen::prelude::wasm_bindgen;

/// The ROM images that every page has: a moment in a link does not carry them.
fn known() -> [&'static [u8]; 3] {
    [roms::os_xl(), roms::os_800(), roms::basic()]
}

/// The same machine, whose own ROM images a recording names only by their hashes.
fn lean(machine: &Machine) -> Option<Machine> {
    let named = |rom: &Rom| {
        if known().iter().any(|known| *rom == *known) {
            Rom::foreign(rom)
        } else {
            rom.clone()
        }
    };
    let mut config = machine.config().clone();
    config.os = named(&config.os);
    config.basic = config.basic.as_ref().map(named);
    let now = Snapshot::of(machine);
    let (raw, media) = (now.raw().to_vec(), now.media().clone());
    Snapshot::with(config.into(), raw, media).machine().ok()
}

/// A picture depends on nothing older than this many frames.
const PICTURE: u64 = 3;
/// A moment is the end of a recording that is not longer than this: ten seconds, which are run when it is opened.
const LONGEST: Moment = Moment(10 * 60 * 312 * 114);

/// The raw state of a machine as its differences from another one's, and back.
fn beside(new: &Machine, raw: &[u8]) -> Vec<u8> {
    let mut other = Vec::new();
    new.raw_state(&mut other);
    let other = other.into_iter().chain(std::iter::repeat(0));
    raw.iter().zip(other).map(|(a, b)| a ^ b).collect()
}

/// States and the past.
#[wasm_bindgen]
impl Emulator {
    /// What a built-in program comes to by itself when it has started, for [`Self::jump`]: a hash of the state, and how it differs from that of
    /// the machine just switched on. Made when the page is built.
    ///
    /// # Errors
    /// One sentence.
    pub fn started(name: &str) -> Result<Vec<u8>, String> {
        let mut emulator = Self::new(48_000.0)?;
        emulator.open_built_in(name, "")?;
        let new = emulator.session.machine().clone();
        while emulator.is_starting() {
            emulator.frame();
        }
        let machine = emulator.session.machine();
        let mut raw = Vec::new();
        machine.raw_state(&mut raw);
        let mut file = machine.state_hash().to_le_bytes().to_vec();
        file.extend(beside(&new, &raw));
        Ok(file)
    }

    /// Goes at once to where a program that has just been opened comes by itself. False, and nothing happens, when that was another machine.
    pub fn jump(&mut self, started: &[u8]) -> bool {
        let Some((hash, raw)) = started.split_first_chunk::<8>() else {
            return false;
        };
        let mut machine = self.session.machine().clone();
        let raw = beside(&machine, raw);
        let media = machine.media(&Media::default());
        machine.load_raw_state(&raw, &media).is_ok()
            && machine.state_hash() == u64::from_le_bytes(*hash)
            && self.session.load_state(&machine.save_state()).is_ok()
    }

    /// The machine as bytes.
    pub fn save_state(&mut self) -> Vec<u8> {
        self.session.save_state()
    }

    /// Loads a saved state into this session's machine; the past stays reachable.
    ///
    /// # Errors
    /// One sentence; then nothing has changed.
    pub fn load_state(&mut self, state: &[u8]) -> Result<(), String> {
        let loaded = self.session.load_state(state);
        loaded.map_err(|error| error.to_string())
    }

    /// The oldest moment that can be gone back to, in cycles.
    pub fn oldest(&self) -> f64 {
        self.session.oldest().0 as f64
    }

    /// The newest remembered moment.
    pub fn newest(&self) -> f64 {
        let newest = self.session.timeline().newest();
        newest.max(self.session.moment()).0 as f64
    }

    /// The present moment.
    pub fn moment(&self) -> f64 {
        self.session.moment().0 as f64
    }

    /// Goes to a remembered moment. False, and nothing happens, when it cannot be reached.
    pub fn go_to(&mut self, moment: f64) -> bool {
        self.session.go_to(Moment(moment.max(0.0) as u64))
    }

    /// Goes back by so many frames; false when it goes no further.
    pub fn back(&mut self, frames: u32) -> bool {
        self.session.back(frames.into())
    }

    /// Bytes that the past takes.
    pub fn past_bytes(&self) -> usize {
        self.session.timeline().bytes()
    }

    /// The present moment as a recording of so many of the last frames, and of no fewer than the picture and the machine need.
    ///
    /// # Errors
    /// One sentence, when the past does not reach far enough.
    pub fn save_moment(&self, frames: u32) -> Result<Vec<u8>, String> {
        const TOO_EARLY: &str = "this moment cannot be shared: the past does not reach back to it";
        let timeline = self.session.timeline();
        let now = self.session.moment();
        let lines = self.session.machine().config().tv.lines();
        let frame = u64::from(lines) * 114;
        let beam = self.session.machine().beam();
        let done = u64::from(beam.line) * 114 + u64::from(beam.cycle);
        let before = done + PICTURE.max(frames.into()) * frame;
        let start = Moment(now.0.saturating_sub(before)).max(timeline.oldest());
        let visit = timeline.visit(start).ok_or(TOO_EARLY)?;
        let mut machine = lean(visit.machine()).ok_or(TOO_EARLY)?;
        let mut short = Timeline::new(&machine, Limits::default());
        let events: Vec<_> = timeline
            .events()
            .filter(|(at, _)| *at >= start && *at <= now)
            .map(|(at, event)| (Moment(at.0 - start.0), event.clone()))
            .collect();
        for (at, event) in events {
            // What happened at the first moment is in its machine already, or is done once more to the same effect.
            let _: Forward = short.forward(&mut machine, at, &mut NoProbe);
            short
                .apply(&mut machine, event)
                .map_err(|_| TOO_EARLY.to_owned())?;
        }
        let end = Moment(now.0 - start.0);
        let _: Forward = short.forward(&mut machine, end, &mut NoProbe);
        short.frame(&machine);
        if machine.state_hash() != self.session.machine().state_hash() {
            return Err(TOO_EARLY.to_owned());
        }
        let file = short.recording().ok_or(TOO_EARLY)?.to_loose_bytes();
        file.map_err(|error| error.to_string())
    }

    /// Opens a moment; `hash` is the state's hash where it was made.
    ///
    /// # Errors
    /// One sentence, when the bytes are damaged or this build runs them differently.
    pub fn open_moment(&mut self, bytes: &[u8], hash: &str) -> Result<(), String> {
        let roms = known().map(Rom::own);
        let recording = Recording::parse(bytes, &roms, &[]).map_err(|error| error.to_string())?;
        let newest = recording.newest();
        if newest > LONGEST {
            return Err("the moment is damaged: it claims more time than a moment has".to_owned());
        }
        let limits = Self::limits();
        let mut session = Session::play(recording, limits).map_err(|error| error.to_string())?;
        let reached = newest.0 == 0 || session.go_to(newest);
        let found = format!("{:016x}", session.machine().state_hash());
        if !reached || !hash.is_empty() && found != hash {
            return Err(
                "this moment was made by another build, which runs the machine differently"
                    .to_owned(),
            );
        }
        self.take(session);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_started_menu_is_what_the_machine_comes_to_by_itself() {
        let started = Emulator::started("menu").unwrap();
        let mut slow = Emulator::new(48_000.0).unwrap();
        slow.open_built_in("menu", "").unwrap();
        while slow.is_starting() {
            slow.frame();
        }
        let mut fast = Emulator::new(48_000.0).unwrap();
        fast.open_built_in("menu", "").unwrap();
        assert!(fast.jump(&started) && !fast.is_starting());
        for _ in 0..50 {
            assert_eq!(fast.state_hash(), slow.state_hash());
            fast.frame();
            slow.frame();
        }
        assert!(fast.colour_numbers() == slow.colour_numbers());
        // Another machine starts as usual.
        fast.open_built_in("menu", "tv=pal").unwrap();
        let before = fast.state_hash();
        assert!(!fast.jump(&started) && !fast.jump(&started[..20]) && !fast.jump(&[]));
        assert_eq!(fast.state_hash(), before);
    }

    #[test]
    fn a_moment_opens_with_the_same_picture_and_state() {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        emulator.open_built_in("hexapawn", "").unwrap();
        for frame in 0..500 {
            emulator.stick(0, u8::from(frame % 50 == 0) << 4);
            emulator.frame();
        }
        let file = emulator.save_moment(0).unwrap();
        let hash = emulator.state_hash();
        let picture = emulator.colour_numbers();
        assert!(file.len() < 120_000, "{}", file.len());

        let mut other = Emulator::new(44_100.0).unwrap();
        other.open_moment(&file, &hash).unwrap();
        assert_eq!(other.state_hash(), hash);
        assert!(other.colour_numbers() == picture);
        other.frame();
        emulator.frame();
        assert_eq!(other.state_hash(), emulator.state_hash());

        let wrong = other.open_moment(&file, "0000000000000000").unwrap_err();
        assert!(wrong.contains("another build"), "{wrong}");
        for cut in [0, 1, 10, file.len() / 2, file.len() - 1] {
            other.open_moment(&file[..cut], &hash).unwrap_err();
        }
        assert_eq!(other.state_hash(), emulator.state_hash());
    }
}
