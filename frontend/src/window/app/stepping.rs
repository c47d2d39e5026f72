//! The debug view's side of the loop.
use super::{App, BACK_NO_FURTHER};
use crate::failure::Failure;
use crate::window::debug::{self, Command, DebugView};

impl App {
    pub(super) fn open_debug_view(&mut self) {
        self.stopped = true;
        if self.debug.is_some() {
            return;
        }
        match DebugView::open(self.session.machine()) {
            Ok(view) => self.debug = Some(view),
            Err(error) => {
                self.stopped = false;
                self.say(format!("no debug view: {error}"));
            }
        }
    }

    /// Does what the keys of the debug view ask for, and draws it.
    pub(super) fn debug_view(&mut self) -> Result<(), Failure> {
        let Some(mut view) = self.debug.take() else {
            return Ok(());
        };
        let session = &mut self.session;
        for command in view.commands() {
            // Whatever steps, stops first.
            self.stopped = true;
            match command {
                Command::Run => {
                    self.stopped = false;
                    "running".clone_into(&mut view.status);
                }
                Command::Break => "stopped".clone_into(&mut view.status),
                Command::Close => {
                    self.stopped = false;
                    return Ok(());
                }
                Command::Breakpoint => {
                    let pc = session.machine().cpu.pc;
                    let set = view.debugger.breakpoints.toggle_pc(pc);
                    view.status = format!(
                        "breakpoint at ${pc:04X} {}",
                        if set { "set" } else { "removed" }
                    );
                    view.redraw();
                }
                Command::Step(step) => {
                    let stop = session.step_by(|machine| view.debugger.step(machine, step));
                    view.status = debug::outcome(step, stop);
                }
                Command::Back(step) => {
                    let done = session.step_by(|machine| view.debugger.step_back(machine, step));
                    view.status = if done {
                        format!("back: {}", debug::name(step))
                    } else {
                        BACK_NO_FURTHER.to_owned()
                    };
                }
                Command::RunBack => {
                    let done = session.step_by(|machine| view.debugger.run_back(machine));
                    view.status = if done {
                        "back at a breakpoint".to_owned()
                    } else {
                        BACK_NO_FURTHER.to_owned()
                    };
                }
            }
        }
        if !view.is_open() {
            self.stopped = false;
            return Ok(());
        }
        if self.stopped {
            self.after_jump();
        }
        view.draw(self.session.machine(), &self.palette)
            .map_err(|error| Failure::input(format!("the debug view cannot be drawn: {error}")))?;
        self.debug = Some(view);
        Ok(())
    }
}
