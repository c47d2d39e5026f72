//! Saved states, the past, and moments for links.
use crate::emulator::{Emulator, opened, setup_of};
use crate::journal::{DRAWN, Replay, is_edit};
use crate::options::Options;
use crate::words::ProgramKind;
use machine::{Machine, Media, NoProbe, Rom, Snapshot, codec};
use session::timeline::{Event, Forward, Limits, Moment, Recording, Timeline};
use session::{Outcome, Session};
use wasm_bindgen::prelude::wasm_bindgen;

/// The ROM images that every page has: a moment in a link does not carry them.
fn known() -> [&'static [u8]; 3] {
    [roms::os_xl(), roms::os_800(), roms::basic()]
}

/// A copy of the machine whose own ROM images a recording names only by their hashes.
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

const DIFFERS: &str = "this moment was made by another build, which runs the machine differently";
/// Frames between two looks at whether a moment has come.
const SLICE: u32 = 600;

/// Frames that [`Emulator::follow`] runs on at most: the minute of a run to a breakpoint, and what was stepped after it.
const FOLLOWED: u64 = 4000;
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
    /// The state of a built-in program when it has started by itself, for [`Self::jump`]: a hash of the state, and how it differs from that of
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
            && self.load_state(&machine.save_state()).is_ok()
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
        if loaded.is_ok() {
            self.journal.give_up();
        }
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
        let reached = self.session.go_to(Moment(moment.max(0.0) as u64));
        if reached {
            self.journal.went_to(&self.session);
        }
        reached
    }

    /// Goes back by `frames` frames; false when the past reaches no further.
    pub fn back(&mut self, frames: u32) -> bool {
        let moved = self.session.back(frames.into());
        if moved {
            self.journal.went_to(&self.session);
        }
        moved
    }

    /// Bytes that the past takes.
    pub fn past_bytes(&self) -> usize {
        self.session.timeline().bytes()
    }

    /// The present moment as a recording of at least the last `frames` frames, and as many as the picture and the machine need.
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
        self.begin_moment(bytes, hash)?;
        while self.run_moment(SLICE)? < 1.0 {}
        self.take_moment()
    }

    /// Begins to open a moment beside the machine, which runs on: then [`Self::run_moment`] until it gives 1, and [`Self::take_moment`].
    ///
    /// # Errors
    /// One sentence, when the bytes are damaged, or claim more time than a page runs on account of a link.
    pub fn begin_moment(&mut self, bytes: &[u8], hash: &str) -> Result<(), String> {
        self.arriving = None;
        let roms = known().map(Rom::own);
        let recording = Recording::parse(bytes, &roms, &[]).map_err(|error| error.to_string())?;
        let newest = recording.newest();
        if newest > LONGEST {
            return Err("the moment is damaged: it claims more time than a moment has".to_owned());
        }
        let limits = Self::limits();
        let session = Session::play(recording, limits).map_err(|error| error.to_string())?;
        self.arriving = Some(Arriving {
            way: Way::Recording {
                session: Box::new(session),
                newest,
            },
            hash: hash.to_owned(),
        });
        Ok(())
    }

    /// Begins to open a moment of a program by its calls ([`Self::save_calls`]), as [`Self::begin_moment`] does by a recording.
    /// `bytes` are the listing's text or the file.
    ///
    /// # Errors
    /// One sentence on the program, the options, or damaged bytes.
    pub fn begin_calls(
        &mut self,
        kind: ProgramKind,
        name: &str,
        bytes: &[u8],
        text: &str,
        calls: &[u8],
        hash: &str,
    ) -> Result<(), String> {
        self.arriving = None;
        let options = Options::parse(text)?;
        let session = opened(setup_of(kind, name, bytes)?, &options)?;
        let replay = Replay::new(session, calls);
        let replay = replay.ok_or("this link is damaged: part of it was lost on its way")?;
        self.arriving = Some(Arriving {
            way: Way::Calls {
                replay: Box::new(replay),
                options,
                text: text.to_owned(),
            },
            hash: hash.to_owned(),
        });
        Ok(())
    }

    /// The calls since the program was opened, for a link; nothing when the present moment does not follow from them: a disk was put
    /// in, or a saved state was loaded.
    pub fn save_calls(&self) -> Option<Vec<u8>> {
        self.journal.to_bytes()
    }

    /// The options with which the program was opened.
    pub fn opened_options(&self) -> String {
        self.opened.clone()
    }

    /// The way of this machine since it was another one at the moment `begun` of its own, for [`Self::follow`] of that other machine: what was
    /// done to it, and the moment to which it has come.
    pub fn way_since(&self, begun: f64) -> Vec<u8> {
        let since = |at: Moment| at.0.cast_signed() - begun as i64;
        // What happened at the first moment is in the machine of the recording.
        let all = self.session.timeline().events();
        let done = all
            .filter(|(at, event)| at.0 > 0 && *at <= self.session.moment() && is_followed(event));
        let done: Vec<_> = done.map(|(at, event)| (since(at), event)).collect();
        codec::encode(&(-(begun as i64), since(self.session.moment()), done))
    }

    /// Does what another machine did ([`Self::way_since`]) that was this one at the moment `begun`: goes back and forth and changes what was
    /// changed there. False when it does not come to that moment; the caller compares the states.
    pub fn follow(&mut self, begun: f64, way: &[u8]) -> bool {
        let Some((start, end, done)) = codec::decode::<(i64, i64, Vec<(i64, Event)>)>(way) else {
            return false;
        };
        let here = |since: i64| Moment((begun as u64).saturating_add_signed(since));
        let events = self.session.timeline().events();
        let own = events.filter(|(at, event)| *at > here(start) && is_followed(event));
        let same = own
            .zip(&done)
            .take_while(|((at, event), (since, other))| *at == here(*since) && *event == other)
            .count();
        for (since, event) in done.into_iter().skip(same) {
            if !self.run_to(here(since)) || !self.follow_event(event) {
                return false;
            }
        }
        self.run_to(here(end))
    }

    /// Runs at most `frames` frames of the moment that is being opened. Gives the part that has run, 0 to 1.
    ///
    /// # Errors
    /// One sentence, when this build runs it differently or it cannot be reached; then it is given up.
    pub fn run_moment(&mut self, frames: u32) -> Result<f64, String> {
        let Some(arriving) = &mut self.arriving else {
            return Err(DIFFERS.to_owned());
        };
        let part = arriving.run(frames);
        if part.is_none() {
            self.arriving = None;
        }
        part.ok_or_else(|| DIFFERS.to_owned())
    }

    /// The moment that was opened takes the machine's place.
    ///
    /// # Errors
    /// One sentence, when it is not the one that the link was made at; then nothing has changed.
    pub fn take_moment(&mut self) -> Result<(), String> {
        let arriving = self.arriving.take().ok_or(DIFFERS)?;
        let session = match &arriving.way {
            Way::Recording { session, .. } => session,
            Way::Calls { replay, .. } => replay.session(),
        };
        let found = format!("{:016x}", session.machine().state_hash());
        if !arriving.hash.is_empty() && found != arriving.hash {
            return Err(DIFFERS.to_owned());
        }
        match arriving.way {
            Way::Recording { session, .. } => self.take(*session),
            Way::Calls {
                replay,
                options,
                text,
            } => {
                let (session, journal) = replay.into_parts();
                self.take_with(session, journal, options, &text);
            }
        }
        Ok(())
    }

    /// The moment that is being opened is given up.
    pub fn drop_moment(&mut self) {
        self.arriving = None;
    }
}

/// True for what [`Emulator::follow`] does again; all else is the program's own doing.
fn is_followed(event: &Event) -> bool {
    is_edit(event) || matches!(event, Event::Controls(_))
}

impl Emulator {
    fn follow_event(&mut self, event: Event) -> bool {
        if let Event::Controls(input) = event {
            *self.session.controls() = input;
            self.journal.before_frame(&input);
            return self.session.apply(event).is_ok();
        }
        is_edit(&event) && self.edit(event).is_ok()
    }

    /// Runs from the past or the present to a moment, in the middle of a frame if need be. False when it cannot be reached.
    fn run_to(&mut self, wanted: Moment) -> bool {
        let now = self.session.moment();
        let frame = u64::from(self.session.machine().config().tv.lines()) * 114;
        if wanted.0 > now.0 + FOLLOWED * frame {
            return false;
        }
        while self.session.moment() < wanted {
            let left = wanted.0 - self.session.moment().0;
            self.session.set_drawing(left <= u64::from(DRAWN) * frame);
            let news = self.run();
            // What there is to say is said with the next frame that is shown.
            self.message = news.message.unwrap_or_default();
            if news.begun {
                return false;
            }
        }
        wanted == self.session.moment() || self.go_to(wanted.0 as f64)
    }
}

/// A moment that is being opened, on its way.
#[derive(Debug)]
pub(crate) struct Arriving {
    way: Way,
    /// The hash of the state where the link was made.
    hash: String,
}

/// The way to a moment.
#[derive(Debug)]
enum Way {
    /// A recording is run to its end.
    Recording {
        session: Box<Session>,
        newest: Moment,
    },
    /// A program is opened, and its calls are made again.
    Calls {
        replay: Box<Replay>,
        options: Options,
        text: String,
    },
}

impl Arriving {
    /// Runs at most `frames` frames. Gives the part that has run, 1 at the end; `None` when the moment cannot be reached.
    fn run(&mut self, frames: u32) -> Option<f64> {
        match &mut self.way {
            Way::Recording { session, newest } => run_recording(session, *newest, frames),
            Way::Calls { replay, .. } => replay.run(frames),
        }
    }
}

fn run_recording(session: &mut Session, newest: Moment, frames: u32) -> Option<f64> {
    let frame = u64::from(session.machine().config().tv.lines()) * 114;
    for _ in 0..frames {
        let now = session.moment();
        if now.0 + frame >= newest.0 {
            let reached = newest.0 == 0 || session.go_to(newest);
            return reached.then_some(1.0);
        }
        let outcome = session.run_frame();
        // A round that does not move on never ends.
        if matches!(outcome, Outcome::Differs(_)) || session.moment() <= now {
            return None;
        }
    }
    let now = session.moment();
    // Less than 1, which says that it is there.
    Some((now.0 as f64 / newest.0.max(1) as f64).min(0.999))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::News;

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

    /// The recording of `doors/freeze-link.txt`: an end in 2^51 cycles, and sums that are right.
    #[test]
    fn a_moment_that_claims_years_is_refused_at_once() {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        emulator.open_built_in("basic", "").unwrap();
        for _ in 0..20 {
            emulator.frame();
        }
        let mut file = emulator.save_moment(0).unwrap();
        // The last section is TAIL: its length twice, then the number of cycles; after it the sum.
        let tail = file.windows(4).rposition(|tag| tag == b"TAIL").unwrap();
        let newest = machine::codec::encode(&(1u64 << 51));
        file.truncate(tail + 4);
        for _ in 0..2 {
            file.extend((newest.len() as u32).to_le_bytes());
        }
        file.extend(newest);
        file.extend(machine::codec::crc32(&file).to_le_bytes());
        let before = emulator.state_hash();
        emulator.open_moment(&file, "").unwrap_err();
        assert_eq!(emulator.state_hash(), before);
        // Calls that claim more than a page runs on account of a link: sixteen minutes.
        let frames = machine::codec::encode(&57_600u32);
        let calls = [&frames[..], &[0; 4]].concat();
        let error = emulator
            .begin_calls(ProgramKind::Game, "basic", &[], "", &calls, "")
            .unwrap_err();
        assert!(error.contains("damaged"), "{error}");
        assert_eq!(emulator.state_hash(), before);
    }

    #[test]
    fn a_moment_is_run_in_slices() {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        emulator.open_built_in("basic", "").unwrap();
        for _ in 0..700 {
            emulator.frame();
        }
        let file = emulator.save_moment(500).unwrap();
        let hash = emulator.state_hash();
        let mut other = Emulator::new(48_000.0).unwrap();
        let before = other.state_hash();
        other.begin_moment(&file, &hash).unwrap();
        let parts: Vec<f64> = std::iter::from_fn(|| other.run_moment(100).ok())
            .take_while(|&part| part < 1.0)
            .collect();
        assert!(parts.len() >= 4 && parts.is_sorted(), "{parts:?}");
        assert_eq!(other.state_hash(), before);
        other.take_moment().unwrap();
        assert_eq!(other.state_hash(), hash);
        // Given up, it is gone.
        other.begin_moment(&file, &hash).unwrap();
        other.drop_moment();
        assert!(other.run_moment(1).is_err() && other.take_moment().is_err());
        assert_eq!(other.state_hash(), hash);
    }

    /// Opens the present moment of an emulator by its calls, elsewhere. Gives the length of the calls.
    fn opens_by_calls(emulator: &Emulator, name: &str) -> usize {
        let calls = emulator.save_calls().unwrap();
        let hash = emulator.state_hash();
        let mut other = Emulator::new(48_000.0).unwrap();
        other
            .begin_calls(ProgramKind::Game, name, &[], "", &calls, &hash)
            .unwrap();
        while other.run_moment(600).unwrap() < 1.0 {}
        other.take_moment().unwrap();
        assert_eq!(other.state_hash(), hash);
        assert!(other.save_calls().is_some());
        calls.len()
    }

    #[test]
    fn steps_and_edits_in_another_machine_are_followed_and_stay_short() {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        emulator.open_built_in("hexapawn", "").unwrap();
        for frame in 0..600 {
            emulator.stick(0, u8::from(frame % 50 < 5) << 4);
            emulator.frame();
        }
        let mut inside = Emulator::new(48_000.0).unwrap();
        inside
            .open_moment(&emulator.save_moment(180).unwrap(), &emulator.state_hash())
            .unwrap();
        let (page, here) = (emulator.moment(), inside.moment());
        let follows = |emulator: &mut Emulator, inside: &Emulator| {
            assert!(emulator.follow(page, &inside.way_since(here)));
            assert_eq!(emulator.state_hash(), inside.state_hash());
            opens_by_calls(emulator, "hexapawn")
        };
        // A step forwards; back within a frame with controls; an edit there; on; and another edit.
        assert!(inside.go_to(here - 1.0));
        follows(&mut emulator, &inside);
        assert!(inside.go_to(here - 100_000.0));
        follows(&mut emulator, &inside);
        let edit = Event::poke(1536, 77);
        inside.edit(edit.clone()).unwrap();
        follows(&mut emulator, &inside);
        for _ in 0..200 {
            inside.frame();
        }
        follows(&mut emulator, &inside);
        let x = Event::LoadRegister {
            register: session::timeline::Register::X,
            value: 3,
        };
        inside.edit(x).unwrap();
        inside.edit(Event::poke(0xD01A, 0x44)).unwrap();
        let length = follows(&mut emulator, &inside);
        assert!(length < 200, "{length}");
        // The page plays on from there, and its link has all of it.
        for frame in 0..100 {
            emulator.stick(0, u8::from(frame % 20 < 5) << 2);
            emulator.frame();
        }
        emulator.poke(1537, 12).unwrap();
        opens_by_calls(&emulator, "hexapawn");
        // To the very end of a frame whose controls have changed, and on.
        let back = emulator.session.moment().0 as f64 - 20.0 * 262.0 * 114.0;
        assert!(emulator.go_to(back));
        opens_by_calls(&emulator, "hexapawn");
        emulator.stick(0, 0);
        emulator.frame();
        opens_by_calls(&emulator, "hexapawn");
        assert!(!emulator.follow(page, &[1, 2, 3]));
    }

    #[test]
    fn a_link_has_what_the_mouse_did_in_a_few_bytes() {
        use crate::words::MouseRole::{Paddles, TrakBall};
        for role in [TrakBall, Paddles] {
            let mut emulator = Emulator::new(48_000.0).unwrap();
            emulator.open_built_in("hexapawn", "").unwrap();
            emulator.choose_mouse(role);
            for frame in 0..300u16 {
                let part = f32::from(frame) / 300.0;
                let button = u8::from(frame % 7 == 0);
                emulator.mouse_at(part, 0.5 - part / 3.0, 1.3, button);
                emulator.frame();
            }
            // A click counts though it is over before the frame.
            emulator.mouse_at(1.0, 0.2, 1.3, 1);
            emulator.mouse_at(1.0, 0.2, 1.3, 0);
            emulator.frame();
            let controls = emulator.session.controls();
            assert!(controls.pointer.button || controls.paddle_triggers[0]);
            if role == TrakBall {
                // 1.3 times 240 lines to the right, the last part of a step perhaps still to come, and 0.3 times up.
                assert!((311..=312).contains(&controls.pointer.x));
                assert_eq!(controls.pointer.y, -72);
            }
            let length = opens_by_calls(&emulator, "hexapawn");
            assert!(length < 301 * 6, "{length}");
            // Who opens the link has the same device.
            let calls = emulator.save_calls().unwrap();
            let mut other = Emulator::new(48_000.0).unwrap();
            other
                .begin_calls(
                    ProgramKind::Game,
                    "hexapawn",
                    &[],
                    "",
                    &calls,
                    &emulator.state_hash(),
                )
                .unwrap();
            while other.run_moment(600).unwrap() < 1.0 {}
            other.take_moment().unwrap();
            assert_eq!(other.mouse_role() == role, role == TrakBall);
            if role == TrakBall {
                let before = emulator.session.controls().pointer;
                other.frame();
                let after = other.session.controls().pointer;
                assert_eq!((after.x, after.y), (before.x, before.y));
            }
            // Without a role, nothing is plugged in.
            emulator.choose_mouse(crate::words::MouseRole::Off);
            emulator.frame();
            assert_eq!(*emulator.session.controls(), machine::Input::default());
        }
    }

    #[test]
    fn a_stop_within_a_frame_is_a_moment_like_others() {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        emulator.open_built_in("hexapawn", "").unwrap();
        // The first stop comes in the frame in which the program has just begun.
        while emulator.is_starting() {
            emulator.frame();
        }
        // Where the OS's interrupt of the vertical blank ends.
        let machine = emulator.session.machine();
        let address = machine.peek_word(0x224);
        emulator.set_stops(&[address], &[]);
        let stopped = |news: Option<News>| news.is_some_and(|news| news.stopped);
        let mut hits = 0;
        for _ in 0..40 {
            let flags = emulator.frame();
            if stopped(flags) {
                assert_eq!(emulator.pc(), address);
                hits += 1;
            }
        }
        assert!(hits >= 15, "{hits}");
        opens_by_calls(&emulator, "hexapawn");
        // The same time without stops is the same machine.
        let mut other = Emulator::new(48_000.0).unwrap();
        other.open_built_in("hexapawn", "").unwrap();
        assert!(other.run_to(emulator.session.moment()));
        assert_eq!(other.state_hash(), emulator.state_hash());
        emulator.set_stops(&[], &[]);
        assert!((0..40).all(|_| !stopped(emulator.frame())));
        opens_by_calls(&emulator, "hexapawn");
    }

    #[test]
    fn a_moment_while_a_text_was_typed_has_no_calls() {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        emulator.open_built_in("basic", "").unwrap();
        for _ in 0..100 {
            emulator.frame();
        }
        let before = emulator.moment();
        emulator.type_text("? 1234567890\n").unwrap();
        for _ in 0..10 {
            emulator.frame();
        }
        let within = emulator.moment();
        for _ in 0..400 {
            emulator.frame();
        }
        assert!(!emulator.is_typing());
        opens_by_calls(&emulator, "basic");
        let journal = emulator.journal.clone();
        assert!(emulator.go_to(within));
        assert_eq!(emulator.save_calls(), None);
        // Before it nothing of it is left.
        emulator.journal = journal;
        assert!(emulator.go_to(before - 5.0 * 262.0 * 114.0));
        opens_by_calls(&emulator, "basic");
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
