//! The debug view's side of the loop.
use super::{App, Mode};
use crate::window::debug::{self, DebugView, Kept};
use debugger::Stop;
use host::Found;
use host::config::Action;
use host::failure::Failure;
use host::hosted::Hosted;
use host::started::Started;
use session::Outcome;
use session::timeline::Limits;
use ui::debugger::Request;

/// The debug view.
#[derive(Default)]
pub(super) struct Debugging {
    /// While it is open.
    pub view: Option<DebugView>,
    /// The part that lives on while it is closed.
    kept: Option<Kept>,
}

impl Debugging {
    /// True if the view is open.
    pub fn is_open(&self) -> bool {
        self.view.is_some()
    }

    /// Voices that are not to be heard, one bit each.
    pub fn muted(&self) -> u8 {
        self.view.as_ref().map_or(0, DebugView::muted)
    }

    /// Opens the view as it was left.
    fn open(&mut self, started: &mut Started) -> Result<(), String> {
        let kept = self.kept.take().unwrap_or_else(Kept::load);
        match DebugView::open(started, kept) {
            Ok(view) => self.view = Some(view),
            Err(failed) => {
                let (error, kept) = *failed;
                self.kept = Some(kept);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Closes the view; what was set is kept. False when it was not open.
    fn close(&mut self, started: &Started) -> bool {
        let closed = self.view.take().map(|view| view.close(started));
        let was_open = closed.is_some();
        self.kept = closed.or(self.kept.take());
        was_open
    }
}

impl App {
    pub(super) fn open_debug_view(&mut self) {
        self.mode = Mode::Stopped;
        if self.debugging.is_open() {
            return;
        }
        self.started.session.set_limits(Limits::debugger());
        if let Err(error) = self.debugging.open(&mut self.started) {
            self.limit_past();
            self.mode = Mode::Running;
            self.say(format!("no debug view: {error}"));
        }
    }

    /// While the debug view is open no key of this window throws away what is being looked at: F5 runs on, as in the view.
    pub(super) fn refuses(&mut self, action: Action) -> bool {
        match action {
            Action::Reset => {
                self.mode = Mode::Running;
                self.say("running; RESET is off while the debug view is open");
            }
            Action::ColdStart | Action::Menu | Action::LoadState | Action::OtherTv => {
                self.say("off while the debug view is open; Esc closes it");
            }
            _ => return false,
        }
        true
    }

    /// Closes the view and runs on.
    pub(super) fn close_debug_view(&mut self) {
        if self.debugging.close(&self.started) {
            self.limit_past();
            self.mode = Mode::Running;
        }
    }

    /// True while the machine is run by the debugger, for its view or for an editor.
    pub(super) fn is_debugged(&self) -> bool {
        self.debugging.is_open() || self.editors.debug()
    }

    /// The past takes more memory while the machine is debugged.
    pub(super) fn limit_past(&mut self) {
        let limits = if self.is_debugged() {
            Limits::debugger()
        } else {
            Limits::default()
        };
        self.started.session.set_limits(limits);
    }

    /// The debugger has run a frame, or a part of it.
    pub(super) fn ran(&mut self, stop: Stop) {
        // What has interrupted it says whether the machine stands.
        if !matches!(stop, Stop::Done | Stop::Interrupted) {
            self.mode = Mode::Stopped;
            if let Some(view) = &mut self.debugging.view {
                view.status = debug::outcome(stop);
            }
        }
        self.tell_stop(stop);
    }

    /// Shows the debug view and does what it asks for.
    pub(super) fn debug_view(&mut self) -> Result<(), Failure> {
        let Some(view) = &mut self.debugging.view else {
            return Ok(());
        };
        let (running, palette) = (
            self.mode != Mode::Stopped,
            self.presentation.display.palette(),
        );
        let requests = view
            .turn(&self.started, palette, running)
            .map_err(|error| Failure::input(format!("the debug view cannot be drawn: {error}")))?;
        let mut close = !view.is_open();
        let mut jumped = false;
        let mut next = None;
        for request in requests {
            close |= request == Request::Close;
            let started = &mut self.started;
            let mut hosted =
                Hosted::new(&mut started.session, &mut started.host).writing_pictures(true);
            let done = view.perform(&mut started.debugger, &mut hosted, &request);
            if let Outcome::Next(program) = hosted.outcome() {
                next = Some(*program);
            }
            if let Some(done) = done {
                view.status = done.status;
                match done.stopped {
                    Some(true) => self.mode = Mode::Stopped,
                    Some(false) => self.mode = Mode::Running,
                    None => {}
                }
                jumped |= done.jumped;
                close |= done.close;
            }
        }
        if jumped {
            self.after_jump();
        }
        if close {
            self.close_debug_view();
        }
        if let Some(program) = next {
            self.start(&Found::built_in(program))?;
        }
        Ok(())
    }
}
