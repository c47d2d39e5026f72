//! A session with its host, as a debugger moves it: at the prompt, in an editor, and in the window's debug view.
use crate::failure::Failure;
use crate::found::Found;
use crate::host::Host;
use crate::options::MachineOptions;
use crate::{files, screenshot};
use debugger::{Debuggee, Moment, Track, Watch, view};
use machine::NoProbe;
use session::picture::palette;
use session::script::Action;
use session::timeline::{BranchId, Event, EventError};
use session::{Outcome, Program, Session};
use std::path::Path;

/// Serves a session without a window before each of its frames.
pub fn serve(host: &mut Host, session: &mut Session) {
    if session.is_flush_due() {
        host.save(session);
    } else {
        host.serve(session);
    }
}

/// Serves a session: its requests before each frame, and the output of a frame.
pub trait Attendant {
    /// Before a frame of the session.
    fn serve(&mut self, session: &mut Session);

    /// After a piece of a frame has run.
    fn ran(&mut self, _session: &mut Session) {}

    /// Starts a program that was chosen in the session. `options` are those of [`Hosted::starting`]. A program that is given back becomes the
    /// outcome.
    ///
    /// # Errors
    /// Why it cannot be started.
    fn start(
        &mut self,
        session: &mut Session,
        options: Option<&MachineOptions>,
        program: Box<Program>,
    ) -> Result<Option<Box<Program>>, Failure>;
}

impl Attendant for Host {
    fn serve(&mut self, session: &mut Session) {
        serve(self, session);
    }

    fn start(
        &mut self,
        session: &mut Session,
        options: Option<&MachineOptions>,
        program: Box<Program>,
    ) -> Result<Option<Box<Program>>, Failure> {
        let Some(options) = options else {
            return Ok(Some(program));
        };
        Host::start(self, session, options, &Found::built_in(*program)).map(|()| None)
    }
}

/// A session that is debugged, and its host.
#[derive(Debug)]
pub struct Hosted<'a, A = Host> {
    session: &'a mut Session,
    host: &'a mut A,
    /// For another program that is started from this one; without, the outcome says so.
    options: Option<&'a MachineOptions>,
    writes_pictures: bool,
    is_live: bool,
    outcome: Outcome,
    failed: Option<Failure>,
}

impl<'a, A: Attendant> Hosted<'a, A> {
    /// A session that starts no other program.
    pub fn new(session: &'a mut Session, host: &'a mut A) -> Self {
        Self {
            session,
            host,
            options: None,
            writes_pictures: false,
            is_live: false,
            outcome: Outcome::Done,
            failed: None,
        }
    }

    /// A program that is chosen in the menu is started, with these options.
    #[must_use]
    pub fn starting(mut self, options: &'a MachineOptions) -> Self {
        self.options = Some(options);
        self
    }

    /// Pictures that a command asks for are written to the user's files.
    #[must_use]
    pub fn writing_pictures(mut self, yes: bool) -> Self {
        self.writes_pictures = yes;
        self
    }

    /// In the past, the controls make another future; without this, the recorded events happen again.
    #[must_use]
    pub fn live(mut self) -> Self {
        self.is_live = true;
        self
    }

    /// The last outcome of a frame that was not the usual one.
    pub fn outcome(self) -> Outcome {
        self.outcome
    }

    /// Ends it.
    ///
    /// # Errors
    /// Its last failure, in one sentence.
    pub fn result(self) -> Result<(), Failure> {
        match self.failed {
            Some(failure) => Err(failure),
            None => Ok(self.outcome.next().map(drop)?),
        }
    }
}

impl Hosted<'_> {
    /// Ends it; tells notices.
    ///
    /// # Errors
    /// Its last failure, in one sentence.
    pub fn end(self) -> Result<(), Failure> {
        for notice in self.host.notices() {
            crate::failure::tell(notice);
        }
        self.result()
    }
}

impl<A: Attendant> Debuggee for Hosted<'_, A> {
    fn track(&self) -> &Track {
        self.session.track()
    }

    fn run(&mut self, until: Moment, watch: Option<&mut Watch<'_>>) -> bool {
        if self.track().at_frame_start() {
            self.host.serve(self.session);
        }
        let (outcome, stopped) = match (watch, self.is_live) {
            (Some(watch), false) => self.session.run_again_to(until, watch),
            (Some(watch), true) => self.session.run_to(until, watch),
            (None, false) => self.session.run_again_to(until, &mut NoProbe),
            (None, true) => self.session.run_to(until, &mut NoProbe),
        };
        self.host.ran(self.session);
        match outcome {
            Outcome::Done => {}
            Outcome::Next(program) => match self.host.start(self.session, self.options, program) {
                Ok(None) => {}
                Ok(Some(program)) => self.outcome = Outcome::Next(program),
                Err(failure) => self.failed = Some(failure),
            },
            outcome => self.outcome = outcome,
        }
        stopped
    }

    fn go_to(&mut self, moment: Moment) -> bool {
        self.session.go_exactly_to(moment)
    }

    fn switch(&mut self, id: BranchId) -> bool {
        self.session.switch(id)
    }

    fn apply(&mut self, event: Event) -> Result<(), EventError> {
        self.session.apply(event)
    }

    fn act(&mut self, action: &Action) -> Result<(), String> {
        match action {
            Action::Screenshot(name) if self.writes_pictures => {
                let machine = self.session.machine();
                let picture = view::Picture::of(machine);
                let colours = palette(machine.config().tv);
                screenshot::png(view::Picture::WIDTH, &picture.pixels, &colours)
                    .and_then(|file| files::write(Path::new(name), &file))
                    .map_err(|failure| failure.to_string())
            }
            action => action.act(self.session),
        }
    }
}
