//! A session with its host, as a debugger moves it: at the prompt, in an editor, and in the window's debug view.
use crate::failure::Failure;
use crate::found::Found;
use crate::host::Host;
use crate::options::MachineOptions;
use debugger::{Debuggee, Moment, Track, Watch};
use machine::NoProbe;
use session::timeline::{BranchId, Event, EventError};
use session::{Outcome, Session};

/// Frames after which disks are written back.
const SAVED: u64 = 300;

/// Serves a session without a window before each of its frames.
pub fn serve(host: &mut Host, session: &mut Session) {
    if session.frames().is_multiple_of(SAVED) {
        host.save(session);
    } else {
        host.serve(session);
    }
}

/// A session that is debugged, and its host, which is served before each frame.
#[derive(Debug)]
pub struct Hosted<'a> {
    session: &'a mut Session,
    host: &'a mut Host,
    /// For another program that is started from this one; without, the outcome says so.
    options: Option<&'a MachineOptions>,
    outcome: Outcome,
    failed: Option<Failure>,
}

impl<'a> Hosted<'a> {
    /// A session that starts no other program.
    pub fn new(session: &'a mut Session, host: &'a mut Host) -> Self {
        Self {
            session,
            host,
            options: None,
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

    /// The last outcome of a frame that was not the usual one.
    pub fn outcome(self) -> Outcome {
        self.outcome
    }

    /// Ends it; tells notices.
    ///
    /// # Errors
    /// Its last failure, in one sentence.
    pub fn end(self) -> Result<(), Failure> {
        for notice in self.host.notices() {
            crate::failure::tell(notice);
        }
        match (self.failed, self.outcome) {
            (Some(failure), _) => Err(failure),
            (None, Outcome::DoesNotFit(error)) => Err(Failure::input(error.to_string())),
            (None, Outcome::Differs(moment)) => Err(Failure::Expectation(format!(
                "this build runs the recording differently: the machine is another one at cycle {}",
                moment.0
            ))),
            (None, Outcome::Done | Outcome::Next(_)) => Ok(()),
        }
    }
}

impl Debuggee for Hosted<'_> {
    fn track(&self) -> &Track {
        self.session.track()
    }

    fn run(&mut self, until: Moment, watch: Option<&mut Watch<'_>>) -> bool {
        if self.track().at_frame_start() {
            serve(self.host, self.session);
        }
        let (outcome, stopped) = match watch {
            Some(watch) => self.session.run_again_to(until, watch),
            None => self.session.run_again_to(until, &mut NoProbe),
        };
        match (outcome, self.options) {
            (Outcome::Done, _) => {}
            (Outcome::Next(program), Some(options)) => {
                let found = Found::built_in(*program);
                let started = self.host.start(self.session, options, &found);
                self.failed = started.err().or(self.failed.take());
            }
            (outcome, _) => self.outcome = outcome,
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
}
