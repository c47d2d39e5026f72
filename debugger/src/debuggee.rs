//! The object of debugging: a machine with its past, by itself or in a session with a host.

use crate::watch::Watch;
use machine::NoProbe;
use session::script::Action;
use session::timeline::{BranchId, Event, EventError, Forward, Moment};
use session::{Session, Track};

/// A machine with its past, which moves only in the ways named here: forwards, to a recorded moment, or to another branch.
///
/// A [`Track`] is the plain one. In a [`Session`] typing continues and the rules of media hold; a front end adds its host, which is served
/// before each frame. A step of several frames is run a frame at a time, so that a program which waits for its host continues.
pub trait Debuggee {
    /// The machine and its past.
    fn track(&self) -> &Track;

    /// Runs on to a moment, no further than the end of this frame, with a probe or, at full speed, without; true if the probe stopped the
    /// machine. In recorded time the recorded events happen again.
    fn run(&mut self, until: Moment, watch: Option<&mut Watch<'_>>) -> bool;

    /// Goes to a recorded moment, forwards or backwards; false, and nothing changes, if it cannot be reached.
    fn go_to(&mut self, moment: Moment) -> bool;

    /// Makes another branch the present one, at the moment where it begins; false, and nothing changes, if the branch does not exist.
    fn switch(&mut self, id: BranchId) -> bool;

    /// Applies an event to the machine. In recorded time a branch begins, and the old future is kept.
    ///
    /// # Errors
    /// When it cannot be done; then nothing has happened.
    fn apply(&mut self, event: Event) -> Result<(), EventError>;

    /// Carries out a line of a script: keys are typed, switches move.
    ///
    /// # Errors
    /// One sentence when it cannot be done here; a plain machine has no typist, and no files.
    fn act(&mut self, action: &Action) -> Result<(), String> {
        let _ = action;
        Err("only a machine is here, without its user".to_owned())
    }

    /// True when the user wants the present command to end. A long one asks between its pieces: frames that are run, or stretches of the past
    /// that are searched.
    fn is_interrupted(&self) -> bool {
        false
    }
}

impl Debuggee for Track {
    fn track(&self) -> &Track {
        self
    }

    fn run(&mut self, until: Moment, watch: Option<&mut Watch<'_>>) -> bool {
        let controls = self.controls;
        // Controls can always be held.
        drop(Track::apply(self, Event::Controls(controls)));
        let until = until.min(self.frame_end());
        let forward = match watch {
            Some(watch) => self.replay(until, watch),
            None => self.replay(until, &mut NoProbe),
        };
        forward == Forward::Stopped
    }

    fn go_to(&mut self, moment: Moment) -> bool {
        Track::go_to(self, moment)
    }

    fn switch(&mut self, id: BranchId) -> bool {
        Track::switch(self, id)
    }

    fn apply(&mut self, event: Event) -> Result<(), EventError> {
        Track::apply(self, event)
    }
}

impl Debuggee for Session {
    fn track(&self) -> &Track {
        Session::track(self)
    }

    fn run(&mut self, until: Moment, watch: Option<&mut Watch<'_>>) -> bool {
        let (_, stopped) = match watch {
            Some(watch) => self.run_again_to(until, watch),
            None => self.run_again_to(until, &mut NoProbe),
        };
        stopped
    }

    fn go_to(&mut self, moment: Moment) -> bool {
        self.go_exactly_to(moment)
    }

    fn switch(&mut self, id: BranchId) -> bool {
        Session::switch(self, id)
    }

    fn apply(&mut self, event: Event) -> Result<(), EventError> {
        Session::apply(self, event)
    }

    fn act(&mut self, action: &Action) -> Result<(), String> {
        action.act(self)
    }
}

/// Writes bytes of memory, or a chip's registers as the processor would in the coming cycle.
pub fn poke(debuggee: &mut dyn Debuggee, address: u16, bytes: &[u8]) {
    for (n, &data) in bytes.iter().enumerate() {
        // Memory and registers can always be written.
        drop(debuggee.apply(Event::poke(address.wrapping_add(n as u16), data)));
    }
}
