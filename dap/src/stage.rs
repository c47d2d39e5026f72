//! The place where a client's program runs: by itself, or in a window that shows it to the user at the same time.

use debugger::{Debugger, Stop};
use host::failure::Failure;
use host::options::DebugOptions;
use host::started::{Started, start};

/// A session that a client debugs, and that may have other faces.
pub trait Stage {
    /// The program and its debugger; none before the first was launched.
    fn started(&mut self) -> Option<&mut Started>;

    /// True if the machine runs between requests.
    fn is_running(&self) -> bool;

    /// Lets the machine run, or stops it.
    fn set_running(&mut self, running: bool);

    /// Starts a program in place of the one that runs.
    ///
    /// # Errors
    /// A file that is not usable; then the program before continues.
    fn launch(&mut self, options: &DebugOptions) -> Result<(), Failure>;

    /// Lets a client debug the program that runs.
    ///
    /// # Errors
    /// A sentence on why it cannot; `None` where nothing runs that was not launched by the client itself.
    fn attach(&mut self) -> Option<Result<(), String>>;
}

/// A program without a window, which runs as fast as it can.
#[derive(Default)]
pub struct Bare {
    /// The program.
    pub started: Option<Started>,
    running: bool,
}

impl Bare {
    /// Runs a frame while the machine runs, or on to a breakpoint in it; how it ended, and whether the machine has moved.
    pub fn run(&mut self) -> Option<(Stop, bool)> {
        let started = self.started.as_mut().filter(|_| self.running)?;
        let before = started.session.moment();
        let (stop, ended) = started.act_all(Debugger::run_frame);
        if let Err(failure) = ended {
            started.remarks.push(failure.to_string());
        }
        Some((stop, started.session.moment() != before))
    }
}

impl Stage for Bare {
    fn started(&mut self) -> Option<&mut Started> {
        self.started.as_mut()
    }

    fn is_running(&self) -> bool {
        self.running && self.started.is_some()
    }

    fn set_running(&mut self, running: bool) {
        self.running = running;
    }

    fn launch(&mut self, options: &DebugOptions) -> Result<(), Failure> {
        if let Some(before) = &mut self.started {
            before.finish()?;
        }
        self.started = Some(start(options)?);
        Ok(())
    }

    fn attach(&mut self) -> Option<Result<(), String>> {
        None
    }
}
