//! The debug view's side of the loop.
use super::{App, Mode};
use crate::config::Action;
use crate::failure::Failure;
use crate::ui::debugger::Request;
use crate::ui::debugger::voices::Double;
use crate::window::debug::{DebugView, Kept};
use machine::{Input, Machine, SoundChange};
use session::timeline::Limits;

impl App {
    pub(super) fn open_debug_view(&mut self) {
        self.mode = Mode::Stopped;
        if self.debug.is_some() {
            return;
        }
        self.session.set_limits(Limits::debugger());
        let kept = self.debug_kept.take().unwrap_or_else(Kept::load);
        match DebugView::open(self.session.machine(), kept) {
            Ok(view) => self.debug = Some(view),
            Err(failed) => {
                let (error, kept) = *failed;
                self.debug_kept = Some(kept);
                self.session.set_limits(Limits::default());
                self.mode = Mode::Running;
                self.say(format!("no debug view: {error}"));
            }
        }
    }

    /// While the debug view is open no key of this window throws away what is being looked at: F5 runs on, as in the view.
    pub(super) fn spare(&mut self, action: Action) -> bool {
        match action {
            Action::Reset => {
                self.mode = Mode::Running;
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
            self.session.set_limits(Limits::default());
            self.mode = Mode::Running;
        }
    }

    /// Whether the debugged machine stands in recorded time and the user touches nothing: then what happened goes on happening.
    pub(super) fn replays(&self) -> bool {
        let timeline = self.session.timeline();
        self.debug.is_some()
            && !self.session.is_playing()
            && timeline.is_some_and(|timeline| !timeline.is_live())
            && self.session.controls == Input::default()
    }

    /// Puts the sound without the voices that the debug view mutes in place of the machine's. `start`: the machine when the frame began.
    pub(super) fn silence_voices(&mut self, start: Option<Machine>, now: u64) {
        let muted = self.debug.as_ref().map_or(0, DebugView::muted);
        let Some(start) = start else {
            if self.double.take().is_some() {
                // All are heard again, from the level on that the machine has now.
                let at = 2 * now;
                let level = self.session.machine().bus().io.pokey.sound_level();
                self.heard.first.push(SoundChange { at, level });
            }
            return;
        };
        let fits = |double: &Double| double.muted() == muted;
        let mut double = self
            .double
            .take()
            .filter(fits)
            .unwrap_or_else(|| Double::new(&start, muted));
        self.heard.first = double.run(start, now);
        self.double = Some(double);
    }

    /// Shows the debug view and does what it asks for.
    pub(super) fn debug_view(&mut self) -> Result<(), Failure> {
        let Some(view) = &mut self.debug else {
            return Ok(());
        };
        let session = &mut self.session;
        let (running, palette) = (self.mode != Mode::Stopped, self.display.palette());
        let oldest = session.oldest().unwrap_or_default();
        let requests = session
            .look_by(|machine, past| view.turn(machine, past, oldest, palette, running))
            .map_err(|error| Failure::input(format!("the debug view cannot be drawn: {error}")))?;
        let mut close = !view.is_open();
        let mut jumped = false;
        for request in requests {
            close |= request == Request::Close;
            let done = session.step_by(|machine, past| view.perform(machine, past, &request));
            if let Some(done) = done {
                view.status = done.status;
                self.mode = match done.stopped {
                    Some(true) => Mode::Stopped,
                    Some(false) => Mode::Running,
                    None => self.mode,
                };
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
        Ok(())
    }
}
