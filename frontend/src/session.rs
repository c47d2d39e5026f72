//! A machine in use: the machine, what was put into it, and what is being typed.
use crate::cli::MachineOptions;
use crate::config;
use crate::failure::Failure;
use crate::files;
use crate::hostfolder::HostFolder;
use crate::machines;
use crate::program::{self, Kind, Origin, Program};
use crate::typing::{self, Keyboard, Stroke, Typist};
use debugger::{Debugger, Stop};
use machine::{Bus, Input, Machine, Probe};
use std::path::{Path, PathBuf};

/// SHFLOK: $40 while CAPS is on.
const SHFLOK: u16 = 0x02BE;

/// SDMCTL: 0 while the screen is switched off.
const SDMCTL: u16 = 0x022F;

/// CH: the key that the OS holds ready, $FF = none.
const CH: u16 = 0x02FC;

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

/// Counts how often the processor looks at CH.
struct Looks(u32);

impl Probe for Looks {
    fn cycle(&mut self, cpu: &cpu6502::Cpu, _: &Bus) -> bool {
        self.0 += u32::from(cpu.next_address() == CH && !cpu.next_is_write());
        false
    }
}

/// Tells from looks at CH whether a program waits for a key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct KeyWait {
    blocked: bool,
    /// Frames with looks, the longer ago the less they count.
    glances: f32,
}

impl KeyWait {
    /// The keyboard handler's loop looks several hundred times a frame, a BASIC program with PEEK(764) ten times at most.
    const BLOCKED: u32 = 100;
    /// A program that has looked at CH in a few of the last frames, not waiting, polls it: once in half a second is enough.
    const POLLED: f32 = 2.5;

    fn frame(&mut self, looks: u32, ch: u8) {
        self.blocked = looks >= Self::BLOCKED && ch == 0xFF;
        self.glances = if looks >= Self::BLOCKED {
            0.0
        } else {
            self.glances * 0.99 + looks.min(1) as f32
        };
    }

    fn takes_keys(self, ch: u8) -> bool {
        self.blocked || self.glances > Self::POLLED && ch == 0xFF
    }
}

/// A machine in use. Everything but `machine` lives outside of saved states.
#[derive(Debug)]
pub struct Session {
    /// The machine.
    pub machine: Machine,
    /// What a person holds down; the typist's key is added to it.
    pub controls: Input,
    /// The program's name.
    pub title: String,
    /// Frames run since the session began.
    pub frames: u64,
    /// Frames since the machine was switched on.
    machine_frames: u64,
    typist: Typist,
    /// A BASIC program that goes into memory as soon as BASIC waits for a line.
    to_load: Option<media::basic::Program>,
    /// RUN is typed then.
    run: bool,
    /// What is typed once that is done.
    later: Vec<Stroke>,
    keyboard: KeyWait,
    /// The BASIC program, for a cold start.
    basic: Option<media::basic::Program>,
    /// The files of the disks in the drives.
    disks: Vec<Option<PathBuf>>,
    origin: Origin,
    tape: Option<PathBuf>,
    /// The tape as it is in its file.
    tape_written: Option<Vec<u8>>,
    printer: Option<PathBuf>,
    /// The folder that the machine has as H:.
    folder: Option<HostFolder>,
    /// Frames for which nobody has taken a key of a pasted text.
    stalled: u32,
    /// Watch for [`Session::is_waiting`] also when nothing is being typed; costs some speed.
    pub watch: bool,
}

/// The folder that the options name, or else that of built-in games for those that save something.
fn folder(options: &MachineOptions, program: &Program) -> Result<Option<HostFolder>, Failure> {
    match &options.host {
        Some(path) => HostFolder::new(path, options.host_write).map(Some),
        None if program.origin == (Origin::Game { saves: true }) => {
            Ok(Some(HostFolder::on_demand(config::games())))
        }
        None => Ok(None),
    }
}

impl Session {
    /// Switches on a machine with the program in it.
    ///
    /// # Errors
    /// One sentence on what does not fit.
    pub fn new(options: &MachineOptions, program: &Program) -> Result<Self, Failure> {
        let machine = machines::power_on(options, program)?;
        let mut to_load = None;
        match &program.kind {
            Kind::Basic(basic) if !options.no_basic => to_load = Some(basic.clone()),
            Kind::Basic(_) => {
                return Err(Failure::input(
                    "a BASIC program does not run with --no-basic",
                ));
            }
            _ => {}
        }
        let own = match program.kind {
            // The disk of a binary file is not a file.
            Kind::Binary(_) => Some(None),
            Kind::Disk(_) => Some(program.path.clone()),
            _ => None,
        };
        let disks = own
            .into_iter()
            .chain(options.disk.iter().cloned().map(Some))
            .collect();
        Ok(Self {
            basic: to_load.clone(),
            disks,
            origin: program.origin,
            tape: options.tape.clone(),
            tape_written: machine.tape().map(media::cas::Tape::to_bytes),
            printer: options.printer.clone(),
            controls: machine.input,
            machine,
            title: program.title.clone(),
            frames: 0,
            machine_frames: 0,
            folder: folder(options, program)?,
            stalled: 0,
            typist: Typist::default(),
            to_load,
            run: !options.no_run || program.origin == Origin::Menu,
            later: Vec::new(),
            keyboard: KeyWait::default(),
            watch: false,
        })
    }

    /// Goes on with another program in a fresh machine; frames, and what is still to be typed, are carried over.
    ///
    /// # Errors
    /// See [`Self::new`].
    pub fn followed_by(
        mut self,
        options: &MachineOptions,
        program: &Program,
    ) -> Result<Self, Failure> {
        self.save_media()?;
        let mut next = Self::new(options, program)?;
        next.frames = self.frames;
        next.watch = self.watch;
        let strokes = self.typist.rest().chain(self.later).collect();
        next.type_strokes(strokes);
        Ok(next)
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
        let caps = self.machine.peek(SHFLOK) & 0x40 != 0;
        let (strokes, unknown) = typing::pasted(text, caps);
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

    /// Whether a BASIC program is on its way into memory and RUN is not yet typed, or a built-in program still prepares its
    /// picture behind a dark screen: nothing that a person wants to watch.
    pub fn is_starting(&self) -> bool {
        let dark = || self.origin != Origin::User && self.machine.peek(SDMCTL) == 0;
        self.to_load.is_some()
            || self.basic.is_some()
                && self.machine_frames < STARTED
                && (!self.typist.is_done() || dark())
    }

    /// Strokes that are still to be typed.
    pub fn untyped(&self) -> usize {
        self.typist.left() + self.later.len()
    }

    /// Whether the machine is waiting for a key: during the last frame the processor looked at the OS's key cell again and
    /// again and found it empty.
    pub fn is_waiting(&self) -> bool {
        self.keyboard.blocked
    }

    /// Runs one frame.
    ///
    /// # Errors
    /// When a BASIC program does not fit into the machine's memory.
    pub fn run_frame(&mut self) -> Result<(), Failure> {
        self.before_frame()?;
        if self.watch || !self.is_idle() {
            let mut looks = Looks(0);
            self.machine.run_frame_with(&mut looks);
            self.keyboard.frame(looks.0, self.machine.peek(CH));
        } else {
            self.machine.run_frame();
            self.keyboard = KeyWait::default();
        }
        self.frames += 1;
        self.machine_frames += 1;
        Ok(())
    }

    /// Runs to the end of the frame or to a breakpoint.
    ///
    /// # Errors
    /// See [`Self::run_frame`].
    pub fn run_frame_in(&mut self, debugger: &mut Debugger) -> Result<Stop, Failure> {
        // The typist needs to see what the program looks at.
        if !self.is_idle() {
            return self.run_frame().map(|()| Stop::Done);
        }
        self.before_frame()?;
        let stop = debugger.run_frame(&mut self.machine);
        self.keyboard = KeyWait::default();
        self.frames += 1;
        self.machine_frames += 1;
        Ok(stop)
    }

    /// Loads what is to be loaded, and presses keys.
    fn before_frame(&mut self) -> Result<(), Failure> {
        if self.to_load.is_some()
            && self.is_waiting()
            && let Some(program) = self.to_load.take()
        {
            self.machine
                .load_basic(&program)
                .map_err(|error| Failure::input(error.to_string()))?;
            if self.run {
                self.typist.push(typing::strokes("RUN\n")?);
            }
            self.typist.push(std::mem::take(&mut self.later));
        }
        let keyboard = Keyboard {
            waiting: self.keyboard.takes_keys(self.machine.peek(CH)),
            caps: self.machine.peek(SHFLOK) & 0x40 != 0,
        };
        if let Some(folder) = &self.folder {
            folder.serve(&mut self.machine);
        }
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

    /// Loads a saved state; what was still to be loaded and typed is forgotten. When the state cannot be used, nothing changes.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn load_state(&mut self, state: &[u8]) -> Result<(), machine::StateError> {
        self.machine.load_state(state)?;
        self.typist.clear();
        self.later.clear();
        self.to_load = None;
        self.keyboard = KeyWait::default();
        Ok(())
    }

    /// Switches the machine off and on; a BASIC program comes again.
    pub fn cold_start(&mut self) {
        self.typist.clear();
        self.later.clear();
        self.machine.power_cycle();
        self.machine_frames = 0;
        self.to_load.clone_from(&self.basic);
        self.keyboard = KeyWait::default();
    }

    /// Writes disks and tapes that the machine has written to back to their files, and what it has printed.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn save_media(&mut self) -> Result<(), Failure> {
        for (drive, path) in self.disks.iter().enumerate() {
            if let (Some(path), Some(disk)) = (path, self.machine.disk_mut(drive))
                && disk.changed()
            {
                files::write(path, &disk.to_bytes())?;
                disk.saved();
            }
        }
        let printed = self.machine.take_printed();
        if let (Some(path), false) = (&self.printer, printed.is_empty()) {
            let text: Vec<u8> = printed
                .iter()
                .map(|&b| if b == 0x9B { b'\n' } else { b })
                .collect();
            files::append(path, &text)?;
        }
        if let (Some(path), Some(tape)) = (&self.tape, self.machine.tape()) {
            let bytes = tape.to_bytes();
            if self.tape_written.as_ref() != Some(&bytes) {
                files::write(path, &bytes)?;
                self.tape_written = Some(bytes);
            }
        }
        Ok(())
    }

    /// Puts the next disk of the command line into D1:, and the one that was there behind the others. Gives the name of its
    /// file; `None` when there is no other.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn next_disk(&mut self) -> Result<Option<String>, Failure> {
        if self.disks.len() < 2 || self.disks[0].is_none() {
            return Ok(None);
        }
        self.save_media()?;
        let disks: Vec<_> = (0..self.disks.len())
            .map(|drive| self.machine.eject_disk(drive))
            .collect();
        let count = self.disks.len();
        self.disks.rotate_left(1);
        for (drive, disk) in disks.into_iter().enumerate() {
            if let Some(disk) = disk {
                self.machine.insert_disk((drive + count - 1) % count, disk);
            }
        }
        let name = self.disks[0].as_ref().and_then(|path| path.file_name());
        Ok(name.map(|name| name.to_string_lossy().into_owned()))
    }

    /// Puts a disk into D1: in place of the one that is there.
    ///
    /// # Errors
    /// When it is no disk, or the other one cannot be written back.
    pub fn insert_disk(&mut self, path: &Path) -> Result<(), Failure> {
        let disk = machines::read_disk(path)?;
        self.save_media()?;
        self.machine.eject_disk(0);
        self.machine.insert_disk(0, disk);
        if self.disks.is_empty() {
            self.disks.push(None);
        }
        self.disks[0] = Some(path.to_owned());
        Ok(())
    }

    /// The program that follows this one: the one that a person has chosen in the menu just now, or the menu when a built-in
    /// game has ended. Programs of the person ask for nothing, whatever they write into memory.
    ///
    /// # Errors
    /// When there is no such program.
    pub fn next_program(&mut self) -> Result<Option<Program>, Failure> {
        let wanted = match self.origin {
            Origin::User => return Ok(None),
            Origin::Menu => MENU_CHOSEN,
            Origin::Game { .. } => GAME_OVER,
        };
        // Before the program is in memory there is only noise and what the OS does to it.
        if self.to_load.is_some() || self.machine.peek_word(MARK) != wanted {
            return Ok(None);
        }
        if self.origin != Origin::Menu {
            return Program::find("menu").map(Some);
        }
        let number = usize::from(self.machine.peek(MARK + 2));
        let known = program::built_in();
        known.get(number).map(Program::of_built_in).transpose()
    }

    /// Presses the RESET key.
    pub fn reset(&mut self) {
        self.typist.clear();
        self.machine.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDS: &[u8] = b"10 POKE 1538,0:POKE 1536,77:POKE 1537,69:END\n";

    fn after(origin: Origin, frames: u32) -> Option<Program> {
        let program = Program {
            title: "Game".into(),
            path: None,
            kind: Kind::Basic(program::listing(Path::new("game"), ENDS).unwrap()),
            joystick: false,
            origin,
        };
        let mut session = Session::new(&MachineOptions::default(), &program).unwrap();
        (0..frames).find_map(|_| {
            session.run_frame().unwrap();
            session.next_program().unwrap()
        })
    }

    #[test]
    fn a_built_in_game_that_ends_brings_the_menu_back() {
        let next = after(Origin::Game { saves: false }, 600).unwrap();
        assert_eq!((next.title.as_str(), next.origin), ("Menu", Origin::Menu));
    }

    #[test]
    fn a_program_of_the_person_never_brings_the_menu() {
        assert!(after(Origin::User, 600).is_none());
    }
}
