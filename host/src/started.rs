//! A program that runs, with its session, its host and its debugger: the common part of all faces of a session.
use crate::debug_files;
use crate::failure::{Failure, tell};
use crate::found::Found;
use crate::host::Host;
use crate::hosted::{Hosted, serve};
use crate::options::{DebugOptions, MachineOptions};
use debugger::basic::Basic;
use debugger::{Debuggee, Debugger, Limits, Output, Step, Stop, execute};
use session::{Kind, Origin, Session, Trouble};

/// Frames after which a program that still loads is taken as it is.
const ENOUGH: u64 = 3600;

/// A program that runs, and its debugger.
pub struct Started {
    /// With names, sources and the user's settings, once [`Self::set_up`] has been called for this program.
    pub debugger: Debugger,
    /// The program's session.
    pub session: Session,
    /// Its host.
    pub host: Host,
    /// Options for the machines of programs that are started from this one.
    pub options: MachineOptions,
    /// The program and its file.
    pub found: Found,
    /// Commands may write pictures to the user's files: at a prompt, not for an editor or another program.
    pub writes_pictures: bool,
    /// Sentences on files beside it that are not understood.
    pub remarks: Vec<String>,
    /// The program that the debugger is set up for.
    known: Option<Found>,
}

impl Started {
    /// A session whose debugger knows nothing of the program yet.
    pub fn new(session: Session, host: Host, options: MachineOptions, found: Found) -> Self {
        Self {
            debugger: Debugger::default(),
            session,
            host,
            options,
            found,
            writes_pictures: false,
            remarks: Vec::new(),
            known: None,
        }
    }

    /// True if the debugger has the names, sources and settings of this program.
    pub fn is_set_up(&self) -> bool {
        self.known.as_ref().is_some_and(|known| {
            (&known.path, known.content) == (&self.found.path, self.found.content)
                && known.program.title == self.found.program.title
        })
    }

    /// Gives the debugger the names, sources and settings of the program that runs now, in place of those of the one before. The result
    /// has a sentence for each thing that is not understood.
    pub fn set_up(&mut self) -> Vec<String> {
        let debugger = &mut self.debugger;
        let mut remarks = debug_files::names(debugger, self.session.machine(), &self.found);
        debugger.breakpoints.clear();
        debugger.watches.clear();
        remarks.extend(debug_files::restore(
            debugger,
            &mut self.session,
            &self.found,
        ));
        self.known = Some(self.found.clone());
        remarks
    }

    /// Keeps breakpoints, watches and labels for the next time, with further commands for them.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn keep_settings(&self, more: &str) -> Result<(), Failure> {
        let keep = |known| debug_files::keep(&(self.debugger.settings() + more), known);
        self.known.as_ref().map_or(Ok(()), keep)
    }

    /// For a step or a command: its result, and the failures of the session meanwhile.
    pub fn act_all<R>(
        &mut self,
        act: impl FnOnce(&mut Debugger, &mut dyn Debuggee) -> R,
    ) -> (R, Result<(), Failure>) {
        let mut hosted = Hosted::new(&mut self.session, &mut self.host)
            .starting(&self.options)
            .writing_pictures(self.writes_pictures);
        let result = act(&mut self.debugger, &mut hosted);
        (result, hosted.end())
    }

    /// For a step or a command.
    ///
    /// # Errors
    /// When something went wrong in the session meanwhile.
    pub fn act<R>(
        &mut self,
        act: impl FnOnce(&mut Debugger, &mut dyn Debuggee) -> R,
    ) -> Result<R, Failure> {
        let (result, ended) = self.act_all(act);
        ended.map(|()| result)
    }

    /// Does a command.
    ///
    /// # Errors
    /// One sentence on what is wrong.
    pub fn execute(&mut self, line: &str) -> Result<Output, String> {
        self.act(|debugger, debuggee| execute(debugger, debuggee, line))
            .map_err(|failure| failure.to_string())?
    }

    /// Ends the session: the output of programs is in its files then.
    ///
    /// # Errors
    /// Names what is in no file.
    pub fn finish(&mut self) -> Result<(), Failure> {
        let finished = self.host.finish(&mut self.session);
        for notice in self.host.notices() {
            tell(notice);
        }
        finished
    }
}

/// Starts a program for its debugger, and reads what is known of it. The machine is at power-on, or before the first line of a BASIC program of
/// the user's; before that there is recorded time to go back to.
///
/// # Errors
/// A file that is not usable.
pub fn start(options: &DebugOptions) -> Result<Started, Failure> {
    let (mut session, mut host, found) = if let Some(path) = &options.play {
        let (session, host) = Host::play(&options.machine, path)?;
        let program = session.setup().program.clone();
        (session, host, Found::built_in(program))
    } else {
        let name = options.program.clone().unwrap_or_default();
        let found = Found::named(&name, &options.machine)?;
        let (session, host) = Host::switch_on(&options.machine, &found)?;
        (session, host, found)
    };
    let program = &found.program;
    let is_basic = matches!(program.kind, Kind::Basic(_)) && program.origin == Origin::User;
    let to_first_line = is_basic && options.frames.is_none();
    if to_first_line {
        session.remember(Limits::debugger());
    }
    let begun = |session: &Session| match options.frames {
        Some(frames) => session.frames() >= frames,
        // BASIC programs are loaded and RUN is typed; the rest begins with power-on.
        None => !session.is_starting() && session.is_idle(),
    };
    while !begun(&session) && session.frames() < options.frames.unwrap_or(ENOUGH) {
        serve(&mut host, &mut session);
        if let Err(trouble @ Trouble::DoesNotFit(_)) = session.run_frame().next() {
            return Err(trouble.into());
        }
    }
    if session.is_playing() {
        session.set_limits(Limits::debugger());
    } else if !to_first_line {
        session.remember(Limits::debugger());
    }
    let mut started = Started::new(session, host, options.machine.clone(), found);
    let machine = started.session.machine();
    started.remarks = debug_files::names(&mut started.debugger, machine, &started.found);
    started.known = Some(started.found.clone());
    if to_first_line {
        started.act(rewind_to_first_line)?;
    }
    for path in &options.labels {
        debug_files::add(&mut started.debugger, path, false)?;
    }
    if !options.fresh && options.commands.is_none() {
        let found = started.found.clone();
        let remarks =
            started.act(|debugger, debuggee| debug_files::restore(debugger, debuggee, &found))?;
        started.remarks.extend(remarks);
    }
    Ok(started)
}

/// Goes back to where RUN has found the program's first line and not begun it, so that a breakpoint there is seen; stays where nothing runs.
fn rewind_to_first_line(debugger: &mut Debugger, debuggee: &mut dyn Debuggee) {
    let end = debuggee.track().moment();
    let mut there = debuggee.go_to(debuggee.track().oldest());
    while there {
        // RUN itself is a statement of no line.
        let stop = debugger.step(debuggee, Step::BasicLine);
        let basic = Basic::of(debuggee.track().machine());
        if stop == Stop::Done && basic.is_some_and(|basic| basic.line.is_some()) {
            debugger.step_back(debuggee, Step::Cycle);
            return;
        }
        there = debuggee.track().moment() < end;
    }
    debuggee.go_to(end);
}
