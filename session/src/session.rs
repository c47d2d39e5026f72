//! A machine in use: the machine, what was put into it, and what is being typed.
use crate::built_in;
use crate::media::{Answer, Mount, Mounts, Refused, Request, RequestId};
use crate::program::{Kind, Origin, Program};
use crate::setup::{Setup, SetupError};
use crate::typist::{self, KeyWait, Keyboard, Looks, Stroke, TypingError, Typist};
use machine::host::{HostReply, status};
use machine::{Frame, InjectError, Input, Machine, Probe, SoundChange, StateError};
use media::atr::Disk;

/// SDMCTL: 0 while the screen is switched off.
const SDMCTL: u16 = 0x022F;

/// A BASIC program is running by this frame.
const STARTED: u64 = 600;

/// A pasted text is not being taken when no key was taken for this many frames.
const STALLED: u32 = 60;

/// Where the menu says what was chosen, [`MENU_CHOSEN`] and then the number of the program, and where a built-in game says
/// that it has ended, [`GAME_OVER`].
const MARK: u16 = 0x0600;
/// The letters "GO".
const MENU_CHOSEN: u16 = u16::from_le_bytes(*b"GO");
/// The letters "ME".
const GAME_OVER: u16 = u16::from_le_bytes(*b"ME");

/// What came of a frame.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It has run.
    Done,
    /// It has run, and a built-in program asks for this one to follow it: the one that was chosen in the menu, or the menu when a
    /// game has ended. See [`Session::start`].
    Next(Box<Program>),
    /// It has not run: the BASIC program does not fit into the machine's memory.
    DoesNotFit(InjectError),
}

/// Why the session's machine becomes another one.
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

/// A machine in use. Everything but the machine lives outside of saved states.
#[derive(Debug)]
pub struct Session {
    machine: Machine,
    /// What the user holds down; the typist's key is added to it.
    pub controls: Input,
    /// What the machine was made from; its disks and its tape are in the machine.
    setup: Setup,
    mounts: Mounts,
    /// Frames run since the session began.
    frames: u64,
    /// Frames since the machine was switched on.
    machine_frames: u64,
    typist: Typist,
    /// A BASIC program that goes into memory as soon as BASIC waits for a line.
    to_load: Option<media::basic::Program>,
    /// What is typed once that is done.
    later: Vec<Stroke>,
    keyboard: KeyWait,
    /// Frames in which no key of a pasted text was taken.
    stalled: u32,
    /// Watch for [`Session::is_waiting`] also when nothing is being typed; costs some speed.
    pub watch: bool,
}

impl Session {
    /// Switches on a machine with the program in it.
    ///
    /// # Errors
    /// What does not fit together.
    pub fn new(mut setup: Setup) -> Result<Self, SetupError> {
        let (machine, mounts) = setup.power_on()?;
        let mut session = Self {
            controls: machine.input,
            machine,
            setup,
            mounts,
            frames: 0,
            machine_frames: 0,
            typist: Typist::default(),
            to_load: None,
            later: Vec::new(),
            keyboard: KeyWait::default(),
            stalled: 0,
            watch: false,
        };
        session.to_load = session.basic_program().cloned();
        Ok(session)
    }

    /// Goes on with another program in a fresh machine. Disks and tape stay in their drives, but for the disk of the program that
    /// ends; what is still to be typed follows.
    ///
    /// # Errors
    /// What does not fit together; the session goes on as it was.
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
        let mut setup = self.setup.clone();
        let own = usize::from(matches!(
            self.setup.program.kind,
            Kind::Binary(_) | Kind::Disk(_)
        ));
        setup.disks = (own..crate::setup::DRIVES)
            .filter_map(|drive| {
                let file = self.mounts.file(drive)?.clone();
                let medium = self.machine.disk(drive)?.clone();
                Some(Mount { file, medium })
            })
            .collect();
        setup.program = program;
        setup.program_file = file;
        let (mut machine, mut mounts) = setup.power_on()?;
        if let (Some(tape), Some(file)) = (self.machine.tape(), self.mounts.tape_file()) {
            mounts.tape(file.clone(), tape);
            machine.insert_tape(tape.clone());
        }
        mounts.follow(std::mem::take(&mut self.mounts));
        self.mounts = mounts;
        self.setup = setup;
        self.controls = Input::default();
        let strokes: Vec<Stroke> = self.typist.rest().collect();
        let later = std::mem::take(&mut self.later);
        self.replace(machine, Why::Program);
        self.to_load = self.basic_program().cloned();
        self.type_strokes(strokes);
        self.type_strokes(later);
        Ok(())
    }

    /// The only place where the machine becomes another one.
    fn replace(&mut self, machine: Machine, why: Why) {
        self.machine = machine;
        self.mounts.forget_folder();
        self.keyboard = KeyWait::default();
        if why == Why::Back {
            return;
        }
        self.typist.clear();
        self.later.clear();
        self.to_load = None;
        if why != Why::Load {
            self.machine_frames = 0;
        }
    }

    /// The machine. Only the session changes it.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// What the session was made from, without the media that are in the machine.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The program's name.
    pub fn title(&self) -> &str {
        &self.setup.program.title
    }

    /// Where the program comes from.
    pub fn origin(&self) -> Origin {
        self.setup.program.origin
    }

    /// Frames run since the session began.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// The last complete picture: colour numbers. [`crate::picture::Look`] makes red, green and blue of them.
    pub fn picture(&self) -> &Frame {
        self.machine.frame()
    }

    /// The text on the screen, each row ended by a line feed.
    pub fn text(&self) -> String {
        self.machine.displayed_text().text()
    }

    /// Moves the changes of the sound since the last call to the end of `changes`. [`crate::sound::Synth`] makes samples of them.
    pub fn take_sound(&mut self, changes: &mut Vec<SoundChange>) {
        self.machine.take_sound(changes);
    }

    /// The BASIC program that is put into memory.
    fn basic_program(&self) -> Option<&media::basic::Program> {
        match &self.setup.program.kind {
            Kind::Basic(program) => Some(program),
            _ => None,
        }
    }
}

/// Typing.
impl Session {
    /// Types a text, each key when the machine waits for one; see [`typist::strokes`] for what stands for which key.
    ///
    /// # Errors
    /// What the Atari's keyboard does not have.
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
        let (strokes, unknown) = typist::pasted(text, typist::caps(&self.machine));
        self.typist.push_quick(strokes);
        self.stalled = 0;
        unknown
    }

    /// Whether a pasted text is being typed.
    pub fn is_pasting(&self) -> bool {
        self.typist.is_quick() && !self.typist.is_done()
    }

    /// Whether a pasted text is being typed and the machine takes its keys.
    pub fn takes_paste(&self) -> bool {
        self.is_pasting() && self.stalled < STALLED
    }

    /// Forgets what is left of a pasted text.
    pub fn stop_pasting(&mut self) {
        if self.is_pasting() {
            self.typist.clear();
        }
    }

    /// Whether nothing is left to load or to type.
    pub fn is_idle(&self) -> bool {
        self.to_load.is_none() && self.typist.is_done()
    }

    /// Whether the binary file has ended: it has returned, or left through DOSVEC. The machine goes on.
    pub fn has_ended(&self) -> bool {
        self.machine.program_ended()
    }

    /// Strokes that are still to be typed.
    pub fn untyped(&self) -> usize {
        self.typist.left() + self.later.len()
    }

    /// Whether the machine is waiting for a key: during the last frame the processor looked at the OS's key cell again and
    /// again and found it empty.
    pub fn is_waiting(&self) -> bool {
        self.keyboard.is_waiting()
    }

    /// Whether a BASIC program is on its way into memory and RUN is not yet typed, or a built-in program still prepares its
    /// picture on a dark screen: nothing to watch.
    pub fn is_starting(&self) -> bool {
        let dark = || self.origin() != Origin::User && self.machine.peek(SDMCTL) == 0;
        self.to_load.is_some()
            || self.basic_program().is_some()
                && self.machine_frames < STARTED
                && (!self.typist.is_done() || dark())
    }
}

/// Running.
impl Session {
    /// Runs one frame.
    pub fn run_frame(&mut self) -> Outcome {
        if let Err(error) = self.before_frame() {
            return Outcome::DoesNotFit(error);
        }
        if self.watch || !self.is_idle() {
            let mut looks = Looks::default();
            self.machine.run_frame_with(&mut looks);
            self.keyboard.frame(looks, &self.machine);
        } else {
            self.machine.run_frame();
            self.keyboard = KeyWait::default();
        }
        self.after_frame()
    }

    /// Runs to the end of the frame or until `probe` stops the machine; `run` says how, and what it gives comes with the outcome.
    /// While something is being typed the frame runs without it.
    pub fn run_frame_by<R>(&mut self, run: impl FnOnce(&mut Machine) -> R) -> (Outcome, Option<R>) {
        // The typist needs to see what the program looks at.
        if !self.is_idle() {
            return (self.run_frame(), None);
        }
        if let Err(error) = self.before_frame() {
            return (Outcome::DoesNotFit(error), None);
        }
        let result = run(&mut self.machine);
        self.keyboard = KeyWait::default();
        (self.after_frame(), Some(result))
    }

    /// Runs to the end of the frame or until the probe stops the machine; true when it did not stop.
    pub fn run_frame_with(&mut self, probe: &mut impl Probe) -> (Outcome, bool) {
        let (outcome, ended) = self.run_frame_by(|machine| machine.run_frame_with(probe));
        (outcome, ended.unwrap_or(true))
    }

    /// Lends the machine to a debugger, which steps it in either direction.
    pub fn step_by<R>(&mut self, step: impl FnOnce(&mut Machine) -> R) -> R {
        let mut machine = self.machine.clone();
        let result = step(&mut machine);
        if machine.now() < self.machine.now() {
            self.replace(machine, Why::Back);
        } else {
            self.machine = machine;
        }
        result
    }

    /// Loads what is to be loaded, and presses keys.
    fn before_frame(&mut self) -> Result<(), InjectError> {
        if self.to_load.is_some()
            && self.is_waiting()
            && let Some(program) = self.to_load.take()
        {
            self.machine.load_basic(&program)?;
            if !self.setup.no_run || self.origin() == Origin::Menu {
                let run = typist::strokes("RUN\n").unwrap_or_default();
                self.typist.push(run);
            }
            self.typist.push(std::mem::take(&mut self.later));
        }
        if self.machine.host_request().is_some() && !self.setup.wants_folder() {
            // A state from a machine with a folder: without one, there is no such device.
            let reply = HostReply::status(status::NO_DEVICE);
            self.machine.answer_host(reply);
        }
        let keyboard = Keyboard::of(&self.machine, self.keyboard);
        self.machine.input = self.controls;
        let left = self.typist.left();
        self.typist.frame(keyboard, &mut self.machine.input);
        self.stalled = if self.typist.left() == left {
            self.stalled.saturating_add(1)
        } else {
            0
        };
        Ok(())
    }

    fn after_frame(&mut self) -> Outcome {
        self.frames += 1;
        self.machine_frames += 1;
        self.next_program()
            .map_or(Outcome::Done, |program| Outcome::Next(Box::new(program)))
    }

    /// The program that follows this one: the one that was chosen in the menu just now, or the menu when a built-in game has
    /// ended. Programs of the user ask for nothing, whatever they write into memory.
    fn next_program(&self) -> Option<Program> {
        let wanted = match self.origin() {
            Origin::User => return None,
            Origin::Menu => MENU_CHOSEN,
            Origin::Game { .. } => GAME_OVER,
        };
        // Before the program is in memory there is only noise and what the OS does to it.
        if self.to_load.is_some() || self.machine.peek_word(MARK) != wanted {
            return None;
        }
        if self.origin() != Origin::Menu {
            return built_in::menu().ok();
        }
        let number = usize::from(self.machine.peek(MARK + 2));
        built_in::all().get(number)?.program().ok()
    }

    /// Presses the RESET key.
    pub fn reset(&mut self) {
        self.typist.clear();
        self.machine.reset();
    }

    /// Switches the machine off and on; a BASIC program comes again.
    pub fn cold_start(&mut self) {
        let mut machine = self.machine.clone();
        machine.power_cycle();
        self.replace(machine, Why::PowerCycle);
        self.to_load = self.basic_program().cloned();
    }
}

/// Saved states.
impl Session {
    /// The machine as bytes.
    pub fn save_state(&self) -> Vec<u8> {
        self.machine.save_state()
    }

    /// Loads a saved state; what was still to be loaded and typed is forgotten. When the state cannot be used, nothing changes.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn load_state(&mut self, state: &[u8]) -> Result<(), StateError> {
        let mut machine = self.machine.clone();
        machine.load_state(state)?;
        self.replace(machine, Why::Load);
        Ok(())
    }

    /// Goes back to an earlier moment of this machine, as [`Self::save_state`] gave it.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn go_back(&mut self, state: &[u8]) -> Result<(), StateError> {
        let mut machine = self.machine.clone();
        machine.load_state(state)?;
        self.replace(machine, Why::Back);
        Ok(())
    }
}

/// Media, and what the host is asked for.
impl Session {
    /// Asks for everything to be stored that is not in its file yet. The host calls this once in a while and at the end.
    pub fn flush(&mut self) {
        self.mounts.flush(&mut self.machine, self.setup.printer);
    }

    /// What the host is asked for and has not taken yet. To be called before each frame: a program that opens a file on H: waits.
    pub fn requests(&mut self) -> Vec<Request> {
        if self.setup.wants_folder() {
            self.mounts.folder(&self.machine);
        }
        self.mounts.requests()
    }

    /// Answers a request.
    pub fn answer(&mut self, id: RequestId, answer: Result<Answer, Refused>) {
        if let Some(reply) = self.mounts.answer(id, answer) {
            self.machine.answer_host(reply);
        }
    }

    /// Puts the next disk into D1: and the one that was there last. Gives the name of its file; `None` when there is no other.
    pub fn next_disk(&mut self) -> Option<String> {
        let count = (0..crate::setup::DRIVES)
            .take_while(|&drive| self.mounts.file(drive).is_some())
            .count();
        if count < 2 {
            return None;
        }
        self.flush();
        let disks: Vec<_> = (0..count)
            .map(|drive| (self.machine.eject_disk(drive), self.mounts.eject(drive)))
            .collect();
        for (drive, (disk, file)) in disks.into_iter().enumerate() {
            let drive = (drive + count - 1) % count;
            if let Some(disk) = disk {
                self.machine.insert_disk(drive, disk);
            }
            if let Some(file) = file {
                self.mounts.disk(drive, file);
            }
        }
        self.mounts.file(0).map(|file| file.name.clone())
    }

    /// Puts a disk into D1: in place of the one that is there.
    pub fn insert_disk(&mut self, disk: Mount<Disk>) {
        self.flush();
        self.machine.eject_disk(0);
        self.machine.insert_disk(0, disk.medium);
        self.mounts.disk(0, disk.file);
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
            Outcome::DoesNotFit(error) => panic!("{error}"),
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
}
