//! Steps by the lines of a BASIC program, by the depth of its GOSUBs.

use crate::basic::Basic;
use crate::{Debuggee, Debugger, Step, Stop};

/// Lines after which a step over or out gives up.
const LINES: usize = 100_000;

/// The end of a step by BASIC lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BasicStep {
    /// At the next line.
    Into,
    /// At the next line of this subroutine or of one that called it.
    Over,
    /// After the return of this subroutine.
    Out,
}

impl Debugger {
    /// Goes one step by BASIC lines. [`Stop::Limit`]: there is nothing further; back, the machine may then be at the beginning of the recorded time.
    pub fn basic_step(&mut self, debuggee: &mut dyn Debuggee, step: BasicStep, back: bool) -> Stop {
        let depth = |debuggee: &dyn Debuggee| {
            Basic::of(debuggee.track().machine()).map_or(0, |basic| basic.depth())
        };
        let start = depth(debuggee);
        for _ in 0..LINES {
            let stop = if !back {
                self.step(debuggee, Step::BasicLine)
            } else if self.step_back(debuggee, Step::BasicLine) {
                Stop::Done
            } else if self.is_interrupted(debuggee) {
                Stop::Interrupted
            } else {
                Stop::Limit
            };
            let now = depth(debuggee);
            let done = match step {
                BasicStep::Into => true,
                BasicStep::Over => now <= start,
                BasicStep::Out => now < start,
            };
            if stop != Stop::Done || done {
                return stop;
            }
        }
        Stop::Limit
    }
}
