//! The debug view's side of the loop.
use super::App;
use crate::config::Action;
use crate::failure::Failure;
use crate::ui::debugger::Request;
use crate::window::debug::{DebugView, Kept};

impl App {
    pub(super) fn open_debug_view(&mut self) {
        self.stopped = true;
        if self.debug.is_some() {
            return;
        }
        let kept = self.debug_kept.take().unwrap_or_else(Kept::load);
        match DebugView::open(self.session.machine(), kept) {
            Ok(view) => self.debug = Some(view),
            Err(failed) => {
                let (error, kept) = *failed;
                self.debug_kept = Some(kept);
                self.stopped = false;
                self.say(format!("no debug view: {error}"));
            }
        }
    }

    /// While the debug view is open no key of this window throws away what is being looked at: F5 runs on, as in the view.
    pub(super) fn spare(&mut self, action: Action) -> bool {
        match action {
            Action::Reset => {
                self.stopped = false;
                self.say("running; RESET is off while the debug view is open");
            }
            Action::ColdStart | Action::Menu | Action::LoadState => {
                self.say("off while the debug view is open; Esc closes it");
            }
            _ => return false,
        }
        true
    }

    /// Closes the view and runs on; what was set is kept.
    pub(super) fn close_debug_view(&mut self) {
        if let Some(view) = self.debug.take() {
            self.debug_kept = Some(view.close());
            self.stopped = false;
        }
    }

    /// Shows the debug view and does what it asks for.
    pub(super) fn debug_view(&mut self) -> Result<(), Failure> {
        let Some(view) = &mut self.debug else {
            return Ok(());
        };
        let session = &mut self.session;
        let requests = view
            .turn(session.machine(), &self.palette, !self.stopped)
            .map_err(|error| Failure::input(format!("the debug view cannot be drawn: {error}")))?;
        let mut close = !view.is_open();
        let mut jumped = false;
        for request in requests {
            close |= request == Request::Close;
            let done = session.step_by(|machine| view.perform(machine, &request));
            if let Some(done) = done {
                view.status = done.status;
                self.stopped = done.stopped.unwrap_or(self.stopped);
                jumped |= done.jumped;
            }
        }
        if jumped {
            self.after_jump();
        }
        if close {
            self.close_debug_view();
        }
        Ok(())
    }
}
