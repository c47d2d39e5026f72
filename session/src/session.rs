//! A machine in use: the machine, the media put into it, and the text being typed.
mod copy;
mod disks;
mod hardware;
mod past;
mod slots;
mod snapshot;

pub use self::hardware::Hardware;
pub use self::slots::Plugged;
pub use self::snapshot::SnapshotError;
use crate::built_in;
use crate::host_keys::{HostKeys, KeyWatch, Looks};
use crate::media::{Line, Mount, Mounts, Place};
use crate::program::{Kind, Origin, Program, ProgramError};
use crate::setup::{Setup, SetupError};
use crate::timeline::{Event, Limits, Moment};
use crate::track::Track;
use crate::typist::{self, KeyWait, Keyboard, Stroke, TypingError, Typist};
use machine::host::{HostReply, status};
use std::collections::VecDeque;
use std::ops::Range;

use machine::{Frame, InjectError, Input, Machine, NoProbe, Probe, SoundChange, StateError};
use media::Identity;

/// SDMCTL: 0 while the screen is switched off.
const SDMCTL: u16 = 0x022F;

/// A BASIC program is running by this frame.
const STARTED: u64 = 600;

/// A pasted text is not being taken when no key was taken for this many frames.
const STALLED: u32 = 60;

/// The address at which the menu names its choice, [`MENU_CHOSEN`] and then the number of the program, and a built-in game says
/// that it has ended, [`GAME_OVER`].
const MARK: u16 = 0x0600;
/// The letters "GO".
const MENU_CHOSEN: u16 = u16::from_le_bytes(*b"GO");
/// The letters "ME".
const GAME_OVER: u16 = u16::from_le_bytes(*b"ME");

/// Result of a frame.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It has run.
    Done,
    /// It has run, and a built-in program asks for this one to follow it: the one that was chosen in the menu, or the menu when a
    /// game has ended. See [`Session::start`].
    Next(Box<Program>),
    /// It has not run: the BASIC program does not fit into the machine's memory.
    DoesNotFit(InjectError),
    /// It has run by a recording, and the machine is not as the recorded one was at this moment: this build runs it differently.
    Differs(Moment),
}

/// The reason why a frame has not led where it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The BASIC program does not fit into the machine's memory.
    #[error("{0}")]
    DoesNotFit(InjectError),
    /// The machine is not as the recorded one was at this moment.
    #[error(
        "this build runs the recording differently: the machine is another one at cycle {}",
        .0.0
    )]
    Differs(Moment),
}

impl Outcome {
    /// The program that follows, to be started by whoever runs the frames: see [`Session::start`].
    ///
    /// # Errors
    /// The [`Trouble`], whose text is a sentence for a person.
    pub fn next(self) -> Result<Option<Program>, Trouble> {
        match self {
            Self::Done => Ok(None),
            Self::Next(program) => Ok(Some(*program)),
            Self::DoesNotFit(error) => Err(Trouble::DoesNotFit(error)),
            Self::Differs(moment) => Err(Trouble::Differs(moment)),
        }
    }
}

/// The reason why the session's machine becomes another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A saved state was loaded.
    Load,
    /// Back to an earlier moment of this machine.
    Back,
    /// Switched off and on.
    PowerCycle,
    /// Another program in a fresh machine.
    Program,
}

/// States that the session has made and knows as its own when they are loaded again.
const OWN_STATES: usize = 1000;

/// A machine in use. Everything but the machine lives outside of saved states.
#[derive(Debug)]
pub struct Session {
    track: Track,
    /// The setup from which the machine was made; its disks and its tape are in the machine.
    setup: Setup,
    mounts: Mounts,
    /// Frames run since the session began.
    frames: u64,
    /// Frames since the machine was switched on.
    machine_frames: u64,
    typist: Typist,
    /// A BASIC program that goes into memory as soon as BASIC waits for a line.
    to_load: Option<media::basic::Program>,
    /// The text to type once that is done.
    later: Vec<Stroke>,
    keyboard: KeyWait,
    /// Frames in which no key of a pasted text was taken.
    stalled: u32,
    /// Hashes of the states that were saved, and the media in the drives then.
    own_states: VecDeque<(Identity, Line)>,
    /// A recording is played: the user's actions are ignored.
    playing: bool,
    /// The time in which the session last loaded the program and typed RUN. Going back into it would lose the program.
    starting: Range<Moment>,
    /// The owner of the machine's media, from which moment on.
    placements: Vec<(Moment, Line)>,
    /// Reads of this frame, and whether they are watched.
    looks: Looks,
    looking: bool,
    key_watch: KeyWatch,
    /// This frame has begun, and has been stopped before its end.
    within_frame: bool,
    /// Output to a tape that was not recorded.
    missed: disks::Missed,
    /// Notice about the disk in D1:.
    boot: disks::Boot,
    /// Media of snapshots.
    shelf: snapshot::Shelf,
    /// Watch for [`Session::is_waiting`] also when nothing is being typed; costs some speed.
    pub watch: bool,
}

impl Session {
    /// Switches on a machine with the program in it.
    ///
    /// # Errors
    /// The parts of the setup that do not fit together.
    pub fn new(mut setup: Setup) -> Result<Self, SetupError> {
        let (machine, mounts) = setup.power_on()?;
        let mut session = Self::of(setup, Track::new(machine, Limits::OFF), mounts);
        session.to_load = session.basic_program().cloned();
        session.type_load();
        Ok(session)
    }

    fn of(setup: Setup, track: Track, mounts: Mounts) -> Self {
        let mut key_watch = KeyWatch::default();
        key_watch.begin(setup.keys_choice(), 0);
        Self {
            track,
            setup,
            mounts,
            frames: 0,
            machine_frames: 0,
            typist: Typist::default(),
            to_load: None,
            later: Vec::new(),
            keyboard: KeyWait::default(),
            stalled: 0,
            own_states: VecDeque::new(),
            playing: false,
            starting: Moment::default()..Moment::default(),
            placements: Vec::new(),
            looks: Looks::default(),
            looking: false,
            key_watch,
            within_frame: false,
            missed: disks::Missed::default(),
            boot: disks::Boot::default(),
            shelf: snapshot::Shelf::default(),
            watch: false,
        }
    }

    /// Continues with another program in a fresh machine. Disks and tape stay in their drives, but for the disk of the program that
    /// ends; text that is still to be typed follows.
    ///
    /// # Errors
    /// The parts of the setup that do not fit together; the session continues as it was.
    pub fn start(&mut self, program: Program) -> Result<(), SetupError> {
        self.start_from(program, None)
    }

    /// Like [`Self::start`] for a program whose disk is a file.
    ///
    /// # Errors
    /// See [`Self::start`].
    pub fn start_from(
        &mut self,
        program: Program,
        file: Option<crate::MediumFile>,
    ) -> Result<(), SetupError> {
        self.flush();
        self.store_open_files();
        // A moment that is only looked at stays in the past.
        let present = self.mounts.present(&self.track.machine).clone();
        let mut setup = self.setup.clone();
        let own = usize::from(matches!(self.setup.program.kind, Kind::Disk(_)));
        setup.disks = (own..crate::setup::DRIVES)
            .filter_map(|drive| {
                let file = self.mounts.file(Place::Drive(drive))?.clone();
                let medium = present.disk(drive)?.clone();
                Some(Mount { file, medium })
            })
            .collect();
        if !matches!(setup.program.kind, Kind::Cartridge(_))
            && setup.cartridge == present.config().cartridge
            && let (Some(cartridge), Some(now)) =
                (&mut setup.cartridge, present.written_cartridge())
        {
            *cartridge = now;
        }
        setup.program = program;
        setup.program_file = file;
        let (mut machine, mut mounts) = setup.power_on()?;
        let tapes = [&self.setup.program.kind, &setup.program.kind];
        let stays = !tapes.iter().any(|kind| matches!(kind, Kind::Tape(_)));
        if let (true, Some(tape), Some(file)) =
            (stays, present.tape(), self.mounts.file(Place::Recorder))
        {
            machine.insert_tape(tape.clone());
            mounts.insert(&mut machine, Place::Recorder, file.clone());
        }
        let old = std::mem::take(&mut self.mounts);
        mounts.take_over(&mut machine, old, &present);
        self.mounts = mounts;
        self.setup = setup;
        self.key_watch.begin(self.setup.keys_choice(), self.frames);
        self.track.controls = Input::default();
        let strokes: Vec<Stroke> = self.typist.rest().collect();
        let later = std::mem::take(&mut self.later);
        self.own_states.clear();
        self.replace(machine, Why::Program);
        self.note_placement();
        self.to_load = self.basic_program().cloned();
        self.type_load();
        self.type_strokes(strokes);
        self.type_strokes(later);
        Ok(())
    }

    /// Ends a frame for a host without files of programs: starts the program that its outcome asks for, and flushes when that is due. True if another
    /// program has begun.
    ///
    /// # Errors
    /// One sentence: the frame's trouble, or why the program cannot be started.
    pub fn after_frame(&mut self, outcome: Outcome) -> Result<bool, String> {
        if self.is_flush_due() {
            self.flush();
        }
        let next = outcome.next().map_err(|trouble| trouble.to_string())?;
        let Some(program) = next else {
            return Ok(false);
        };
        self.start(program).map_err(|error| error.to_string())?;
        Ok(true)
    }

    /// Types the command that loads the program, from its cassette or its file on H5:.
    fn type_load(&mut self) {
        if let Some(text) = self.setup.program.typed(!self.setup.no_run) {
            // It is a text of ours.
            let _ = self.type_text(&text);
        }
    }

    /// The machine becomes another one: the only place besides going to another moment of its past.
    fn replace(&mut self, machine: Machine, why: Why) {
        self.track.replace(machine);
        if why == Why::Program {
            let now = self.moment();
            self.track.floor = now;
            self.starting = now..now;
        }
        self.became(why);
    }

    /// Resets the session's knowledge about the machine before, after it has become another one.
    fn became(&mut self, why: Why) {
        self.playing &= why == Why::Back;
        self.keyboard = KeyWait::default();
        self.looks = Looks::default();
        self.key_watch.clear_reads(self.frames);
        self.within_frame = false;
        if why == Why::Back {
            let now = self.moment();
            if now < self.starting.start {
                // The start that was recorded is in another future.
                self.starting = now..now;
            }
            return;
        }
        self.typist.clear();
        self.later.clear();
        self.to_load = None;
        self.boot = disks::Boot::default();
        if why != Why::Load {
            self.machine_frames = 0;
        }
    }

    /// The machine. Only the session changes it.
    pub fn machine(&self) -> &Machine {
        self.track.machine()
    }

    /// The machine, its past, and the controls that the user holds.
    pub fn track(&self) -> &Track {
        &self.track
    }

    /// The controls that the user holds; the typist's key is added to them.
    pub fn controls(&mut self) -> &mut Input {
        &mut self.track.controls
    }

    /// A program in the machine writes to a disk.
    #[cfg(test)]
    pub(crate) fn program_writes(&mut self, drive: usize, sector: usize, data: &[u8]) {
        self.program_does(|machine| {
            let disk = machine.disk_mut(drive).expect("a disk");
            assert!(disk.write_sector(sector, data));
        });
    }

    /// A program in the machine does something to its media.
    #[cfg(test)]
    pub(crate) fn program_does(&mut self, act: impl FnOnce(&mut Machine)) {
        let mut machine = self.track.machine.clone();
        act(&mut machine);
        self.track.replace(machine);
    }

    /// Its media, as the tests look into them.
    #[cfg(test)]
    pub(crate) fn mounts(&self) -> &Mounts {
        &self.mounts
    }

    /// The setup from which the session was made, without the media that are in the machine.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The program's name.
    pub fn title(&self) -> &str {
        &self.setup.program.title
    }

    /// The origin of the program.
    pub fn origin(&self) -> Origin {
        self.setup.program.origin
    }

    /// Frames run since the session began.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// The last complete picture: colour numbers. [`crate::picture::Look`] makes red, green and blue of them.
    pub fn picture(&self) -> &Frame {
        self.track.machine.frame()
    }

    /// Switches pictures off or on, for time that is run unseen; see [`Machine::set_drawing`].
    pub fn set_drawing(&mut self, drawing: bool) {
        self.track.machine.set_drawing(drawing);
    }

    /// The text on the screen, each row ended by a line feed.
    pub fn text(&self) -> String {
        self.track.machine.displayed_text().text()
    }

    /// Takes the sound of a second POKEY and a Covox, when the machine has them.
    pub fn take_added_sound(
        &mut self,
        second: &mut Vec<SoundChange>,
        covox: &mut Vec<machine::CovoxChange>,
    ) {
        self.track.machine.take_second_sound(second);
        self.track.machine.take_covox(covox);
    }

    /// Moves the changes of the sound since the last call to the end of `changes`. [`crate::sound::Synth`] makes samples of them.
    pub fn take_sound(&mut self, changes: &mut Vec<SoundChange>) {
        self.track.machine.take_sound(changes);
    }

    /// The BASIC program that is put into memory.
    fn basic_program(&self) -> Option<&media::basic::Program> {
        match &self.setup.program.kind {
            Kind::Basic(program) if self.setup.program.source.is_none() => Some(program),
            _ => None,
        }
    }
}

/// Typing.
impl Session {
    /// Types a text, each key when the machine waits for one; see [`typist::strokes`] for the characters of each key.
    ///
    /// # Errors
    /// The first character that the Atari's keyboard does not have.
    pub fn type_text(&mut self, text: &str) -> Result<(), TypingError> {
        self.type_strokes(typist::strokes(text)?);
        Ok(())
    }

    /// Types `strokes` after everything that is still being typed.
    pub fn type_strokes(&mut self, strokes: Vec<Stroke>) {
        if self.to_load.is_some() {
            self.later.extend(strokes);
        } else {
            self.typist.push(strokes);
        }
    }

    /// Types a text from somewhere else, as fast as the machine takes keys. Gives the number of its characters that the Atari
    /// does not have.
    pub fn paste(&mut self, text: &str) -> usize {
        let (strokes, unknown) = typist::pasted(text, typist::caps(&self.track.machine));
        self.typist.push_quick(strokes);
        self.stalled = 0;
        unknown
    }

    /// True if a pasted text is being typed.
    pub fn is_pasting(&self) -> bool {
        self.typist.is_quick() && !self.typist.is_done()
    }

    /// True if a pasted text is being typed and the machine takes its keys.
    pub fn takes_paste(&self) -> bool {
        self.is_pasting() && self.stalled < STALLED
    }

    /// Drops the rest of a pasted text.
    pub fn stop_pasting(&mut self) {
        if self.is_pasting() {
            self.typist.clear();
        }
    }

    /// True if nothing is left to load or to type.
    pub fn is_idle(&self) -> bool {
        self.to_load.is_none() && self.typist.is_done()
    }

    /// True if the binary file has ended: it has returned, or left through DOSVEC. The machine continues.
    pub fn has_ended(&self) -> bool {
        self.track.machine.program_ended()
    }

    /// Strokes that are still to be typed.
    pub fn untyped(&self) -> usize {
        self.typist.left() + self.later.len()
    }

    /// True if the machine is waiting for a key: during the last frame the processor looked at the OS's key cell again and
    /// again and found it empty.
    pub fn is_waiting(&self) -> bool {
        self.keyboard.is_waiting()
    }

    /// True if a BASIC program is on its way into memory and RUN is not yet typed, or a built-in program still prepares its
    /// picture on a dark screen: nothing to watch.
    pub fn is_starting(&self) -> bool {
        let dark = || self.origin() != Origin::User && self.track.machine.peek(SDMCTL) == 0;
        self.to_load.is_some()
            || matches!(self.setup.program.kind, Kind::Basic(_))
                && self.machine_frames < STARTED
                && (!self.typist.is_done() || dark())
    }
}

/// Roles of the host's keys.
impl Session {
    /// Makes the keyboard's arrows and space bar depend on [`Self::host_keys`], or not; then the machine is watched in some frames.
    pub fn watch_host_keys(&mut self, on: bool) {
        self.key_watch.on = on;
    }

    /// The present role of arrows and space bar: the user's choice, or as the program wants them.
    pub fn host_keys(&self) -> HostKeys {
        self.key_watch.keys()
    }

    /// The user's choice for this program; `None`: as the program wants them.
    pub fn host_keys_choice(&self) -> Option<HostKeys> {
        self.key_watch.choice
    }

    /// The user's choice, until another program starts.
    pub fn choose_host_keys(&mut self, choice: Option<HostKeys>) {
        self.key_watch.choice = choice;
    }
}

/// Running.
impl Session {
    /// Runs one frame, or on to the end of a frame that was stopped.
    pub fn run_frame(&mut self) -> Outcome {
        self.run_to(self.track.frame_end(), &mut NoProbe).0
    }

    /// [`Self::run_frame`] with a probe; true when it has stopped the machine.
    pub fn run_frame_with(&mut self, probe: &mut impl Probe) -> (Outcome, bool) {
        self.run_to(self.track.frame_end(), probe)
    }

    /// Runs on to a moment of this frame, or to its end; true when the probe has stopped the machine before. Where a frame begins, keys are
    /// pressed and the program that waits is loaded.
    pub fn run_to(&mut self, until: Moment, probe: &mut impl Probe) -> (Outcome, bool) {
        if self.playing {
            return self.replay_to(until, probe);
        }
        let end = self.track.frame_end();
        let until = until.min(end);
        if let Err(error) = self.begin_frame() {
            return (Outcome::DoesNotFit(error), false);
        }
        let stopped = if self.looking || !self.is_idle() {
            let mut both = (std::mem::take(&mut self.looks), probe);
            let stopped = self.track.run(until, &mut both);
            self.looks = both.0;
            stopped
        } else {
            self.track.run(until, probe)
        };
        if stopped || until < end {
            return (Outcome::Done, stopped);
        }
        (self.end_frame(), false)
    }

    /// [`Self::run_to`] for a debugger: in the past, the recorded events happen again as long as the user touches nothing. Otherwise running
    /// on from there begins another future.
    pub fn run_again_to(&mut self, until: Moment, probe: &mut impl Probe) -> (Outcome, bool) {
        let untouched = self.track.controls == Input::default() && self.typist.is_done();
        if !self.timeline().is_live() && untouched {
            return self.replay_to(until, probe);
        }
        self.run_to(until, probe)
    }

    /// Gives the past other limits: a debugger that is opened asks for more.
    pub fn set_limits(&mut self, limits: Limits) {
        self.track.set_limits(limits);
    }

    /// The oldest moment that can be reached: no further back than the beginning of this program.
    pub fn oldest(&self) -> Moment {
        let oldest = self.track.oldest();
        if self.starting.contains(&oldest) {
            self.starting.end
        } else {
            oldest
        }
    }

    /// Loads the program that waits, and presses keys.
    fn begin_frame(&mut self) -> Result<(), InjectError> {
        if self.within_frame {
            if self.is_idle() {
                self.hold(self.track.controls);
            }
            return Ok(());
        }
        self.run_on();
        if self.to_load.is_some()
            && self.is_waiting()
            && let Some(program) = self.to_load.take()
        {
            self.track.machine.load_basic(&program)?;
            self.note(Event::load_basic(&program));
            if !self.setup.no_run || self.origin() == Origin::Menu {
                let run = typist::strokes("RUN\n").unwrap_or_default();
                self.typist.push(run);
            }
            self.typist.push(std::mem::take(&mut self.later));
        }
        self.answer_source();
        if self.track.machine.host_request().is_some() && !self.setup.wants_folder() {
            // A state from a machine with a folder: this session has none, so the device does not answer.
            self.answer_folder(HostReply::status(status::NO_DEVICE));
        }
        let keyboard = Keyboard::of(&self.track.machine, self.keyboard);
        let mut input = self.track.controls;
        let left = self.typist.left();
        self.typist.frame(keyboard, &mut input);
        self.hold(input);
        self.stalled = if self.typist.left() == left {
            self.stalled.saturating_add(1)
        } else {
            0
        };
        self.looks = Looks::default();
        // The typist needs to see which keys the program looks at, and so does the mapping of the host's keys.
        self.looking = self.watch
            || !self.is_idle()
            || self.key_watch.wants(self.frames) && !self.track.machine.serial_busy();
        self.within_frame = true;
        Ok(())
    }

    /// The machine gets these controls.
    fn hold(&mut self, input: Input) {
        // Controls can always be held.
        drop(self.track.apply(Event::Controls(input)));
    }

    fn end_frame(&mut self) -> Outcome {
        self.within_frame = false;
        self.frames += 1;
        self.machine_frames += 1;
        self.look_at_recorder();
        self.look_at_boot();
        if self.looking && self.key_watch.on {
            let machine = &self.track.machine;
            self.key_watch.frame(self.frames, self.looks, machine);
        }
        if self.watch || !self.is_idle() {
            self.keyboard.frame(self.looks, &self.track.machine);
        } else {
            self.keyboard = KeyWait::default();
        }
        if self.is_starting() {
            self.starting.end = self.moment();
        }
        self.next_program()
            .map_or(Outcome::Done, |program| Outcome::Next(Box::new(program)))
    }

    /// The menu of built-in programs with its cursor on the program that runs, if it is one of them.
    ///
    /// # Errors
    /// When the menu's listing is not BASIC; a test shows that it is.
    pub fn menu(&self) -> Result<Program, ProgramError> {
        built_in::menu_at(&self.setup.program.title)
    }

    /// The program that follows this one: the one that was chosen in the menu just now, or the menu when a built-in game has
    /// ended. Programs of the user ask for nothing, whatever they write into memory.
    fn next_program(&self) -> Option<Program> {
        let wanted = match self.origin() {
            Origin::User => return None,
            Origin::Menu => MENU_CHOSEN,
            Origin::Game { .. } => GAME_OVER,
        };
        // Before the program is in memory there is only noise and the changes of the OS.
        if self.to_load.is_some() || self.track.machine.peek_word(MARK) != wanted {
            return None;
        }
        if self.origin() != Origin::Menu {
            return self.menu().ok();
        }
        let number = usize::from(self.track.machine.peek(MARK + 2));
        built_in::all().get(number)?.program().ok()
    }

    /// Presses the RESET key.
    pub fn reset(&mut self) {
        if self.playing {
            return;
        }
        self.run_on();
        self.store_open_files();
        self.typist.clear();
        // RESET can always be pressed.
        drop(self.track.apply(Event::Reset));
    }

    /// Switches the machine off and on; a BASIC program comes again.
    pub fn cold_start(&mut self) {
        self.run_on();
        self.store_open_files();
        // As can the power switch.
        drop(self.track.apply(Event::PowerCycle));
        self.became(Why::PowerCycle);
        let now = self.moment();
        self.starting = now..now;
        self.to_load = self.basic_program().cloned();
        self.type_load();
    }
}

/// Saved states.
impl Session {
    /// The machine as bytes.
    pub fn save_state(&mut self) -> Vec<u8> {
        let state = self.track.machine.save_state();
        let own = (Identity::of(&state), self.mounts.line());
        self.own_states.push_back(own);
        if self.own_states.len() > OWN_STATES {
            self.own_states.pop_front();
        }
        state
    }

    /// Loads a saved state; programs and text still to be loaded and typed are dropped. When the state cannot be used, nothing changes.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn load_state(&mut self, state: &[u8]) -> Result<(), StateError> {
        let mut machine = self.track.machine.clone();
        machine.load_state(state)?;
        let own = Identity::of(state);
        let own = self
            .own_states
            .iter()
            .rev()
            .find(|(known, _)| *known == own);
        let line = own.map_or(Line::Foreign, |(_, line)| line.clone());
        self.put_aside(line.clone());
        self.mounts.load();
        self.replace(machine, Why::Load);
        self.note_line(line, self.moment());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDS: &[u8] = b"10 POKE 1538,0:POKE 1536,77:POKE 1537,69:END\n";

    fn after(origin: Origin, frames: u32) -> Option<Program> {
        let mut program = Program::of_file("game.lst", ENDS).unwrap();
        program.origin = origin;
        let mut session = Session::new(Setup::for_program(program)).unwrap();
        (0..frames).find_map(|_| match session.run_frame() {
            Outcome::Next(program) => Some(*program),
            Outcome::Done => None,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn a_built_in_game_that_ends_brings_the_menu_back() {
        let next = after(Origin::Game { saves: false }, 600).unwrap();
        assert_eq!((next.title.as_str(), next.origin), ("Menu", Origin::Menu));
    }

    #[test]
    fn a_program_of_the_user_never_brings_the_menu() {
        assert!(after(Origin::User, 600).is_none());
    }

    #[test]
    fn a_pause_that_is_typed_before_the_menu_comes_back_is_as_long_as_it_says() {
        let program = Program::of_file("game.lst", ENDS).unwrap();
        let origin = Origin::Game { saves: false };
        let mut session = Session::new(Setup::for_program(Program { origin, ..program })).unwrap();
        session.type_text("{wait 2000}").unwrap();
        let mut ended = None;
        for frame in 0..4000u32 {
            let outcome = session.run_frame();
            if session.after_frame(outcome).unwrap() {
                ended = Some(frame);
            }
            if ended.is_some() && session.is_idle() {
                assert!(frame >= 2000, "{frame}, the menu came at {ended:?}");
                return;
            }
        }
        panic!("the menu: {ended:?}");
    }

    /// True if the program that counts in page 6 runs.
    fn counts(session: &mut Session) -> bool {
        let before = session.machine().peek(1536);
        for _ in 0..20 {
            session.run_frame();
        }
        session.machine().peek(1536) != before
    }

    fn counting() -> Session {
        let program =
            Program::of_file("count.lst", b"10 POKE 1536,N:N=N+1-256*(N=255):GOTO 10\n").unwrap();
        let mut session = Session::new(Setup::for_program(program)).unwrap();
        session.remember(crate::timeline::Limits::default());
        run_started(&mut session);
        session
    }

    fn run_started(session: &mut Session) {
        while session.is_starting() {
            session.run_frame();
        }
        assert!(counts(session));
    }

    #[test]
    fn as_far_back_as_it_goes_the_program_runs() {
        let mut session = counting();
        while session.back(7) {}
        assert_eq!(session.moment(), session.oldest());
        assert!(session.moment() > Moment::default());
        assert!(counts(&mut session));
        assert!(session.go_to(Moment::default()));
        assert_eq!(session.moment(), session.oldest());
        assert!(counts(&mut session));
    }

    #[test]
    fn back_from_a_cold_start_leads_to_the_program_before_it() {
        let mut session = counting();
        let before = session.moment();
        session.cold_start();
        session.run_frame();
        assert!(!counts(&mut session));
        assert!(session.back(1) && session.moment() < before);
        assert!(counts(&mut session));
        let cold = session.moment();
        session.cold_start();
        run_started(&mut session);
        assert!(session.back(1) && session.moment() > cold);
        assert!(counts(&mut session));
        assert!(session.back(60) && session.moment() < cold);
        assert!(counts(&mut session));
    }
}
