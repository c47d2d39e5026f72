//! The debugger: breakpoints, stepping forwards and backwards, and views of the machine as plain data and text. It has
//! no window; whatever shows it calls it.
//!
//! [`Debugger`] stands beside the [`Machine`] and never inside: nothing it does changes what a program sees. Views only
//! peek. Stepping runs the machine's own loop with a [`machine::Probe`] that looks on before every cycle.
//!
//! ```no_run
//! # fn show(mut machine: machine::Machine) {
//! use debugger::{Debugger, Step, Stop, view};
//! let mut debugger = Debugger::default();
//! debugger.symbols.add_hardware();
//! // Up to the first instruction of the next display list interrupt, then through it cycle by cycle.
//! if debugger.step(&mut machine, Step::Dli) == Stop::Done {
//!     debugger.step(&mut machine, Step::Cycle);
//!     println!("{}", view::Cpu::of(&machine).lines().join("\n"));
//! }
//! # }
//! ```
#![forbid(unsafe_code)]

mod assembler;
pub mod basic;
mod breakpoints;
mod cause;
mod command;
mod dli;
mod expression;
mod frame_log;
mod past;
mod search;
mod symbols;
pub mod view;
mod watch;

pub use assembler::assemble;
pub use breakpoints::{Breakpoint, Breakpoints, Place};
pub use cause::{Colour, Fetched, FrameCause, Layer, Object, Origin, Playfield, Why};
pub use command::{Output, complete, execute};
pub use dli::{Dli, DliTimeline, Finding, Lint};
pub use expression::{Context, Expression};
pub use frame_log::{
    Event, FrameLog, Kind, ListLine, Owner, Place as BeamPlace, Recorder, Registers, effect_delay,
    is_chip,
};
pub use past::Past;
pub use search::{
    Cause, Detail, Progress, Target, WhenQuery, Write, WriteQuery, last_write, origin,
};
pub use session::timeline::{Limits, Moment, Timeline};
pub use symbols::{SymbolError, Symbols};
pub use watch::{Entry, Stop};

use machine::Machine;
use watch::{Find, Goal, Watch};

/// Cycles of a scan line.
const LINE: u64 = 114;

/// The instruction that a processor is in, or the next one between two.
pub(crate) fn instruction_address(cpu: &cpu6502::Cpu) -> u16 {
    if cpu.at_instruction_start() {
        cpu.pc
    } else {
        cpu.instruction()
    }
}

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One machine cycle, whether the processor runs in it or not.
    Cycle,
    /// To the next instruction or interrupt sequence; an interrupt sequence counts as an instruction.
    Instruction,
    /// Like [`Step::Instruction`], but subroutines and interrupts run to their ends.
    Over,
    /// Until the subroutine or interrupt handler has returned. Backwards: to the call.
    Out,
    /// To cycle 0 of the next scan line.
    Line,
    /// To cycle 0 of line 0.
    Frame,
    /// To the first instruction of the NMI handler in the next display list interrupt.
    Dli,
    /// To the first instruction of the routine that VDSLST (`$0200`) points to, in the next display list interrupt, or in the one that
    /// has just begun.
    DliRoutine,
    /// To the first instruction of the NMI handler in the next vertical blank interrupt.
    Vbi,
    /// To the instruction at this address.
    To(u16),
    /// To this line and cycle.
    Beam(u16, u8),
    /// To the cycle after the next fetch of a display list instruction.
    DisplayList,
    /// To the end of the display list interrupt that runs, or of the next one.
    DliEnd,
    /// To the next BASIC statement.
    Statement,
    /// To the next BASIC line.
    BasicLine,
}

impl Step {
    /// What it does, in a few words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cycle => "one cycle",
            Self::Instruction => "one instruction",
            Self::Over => "over the call",
            Self::Out => "out of the routine",
            Self::Line => "one scan line",
            Self::Frame => "one frame",
            Self::Dli => "to the display list interrupt",
            Self::DliRoutine => "to the routine of the display list interrupt",
            Self::Vbi => "to the vertical blank interrupt",
            Self::To(_) => "to the address",
            Self::Beam(..) => "to the beam's place",
            Self::DisplayList => "to the next display list instruction",
            Self::DliEnd => "to the end of the display list interrupt",
            Self::Statement => "to the next BASIC statement",
            Self::BasicLine => "to the next BASIC line",
        }
    }

    /// To the cycle in which a pixel of the picture is drawn.
    #[must_use]
    pub fn to_pixel(x: usize, y: usize) -> Self {
        let clock = antic_gtia::FIRST_VISIBLE + x / 2;
        Self::Beam((y + 8) as u16, (clock / 2) as u8)
    }
}

/// What belongs to debugging one machine.
#[derive(Debug, Default)]
pub struct Debugger {
    /// Where to stop.
    pub breakpoints: Breakpoints,
    /// Names of addresses.
    pub symbols: Symbols,
    /// What going backwards needs.
    pub history: Past,
    /// When the last forward step ended on the way of a display list interrupt to its routine.
    dli: Option<Moment>,
}

/// Frames after which a step that does not end by itself gives up: ten seconds of the machine's time.
const PATIENCE: u64 = 600;

impl Debugger {
    /// Goes one step; a breakpoint on the way ends it earlier. In recorded time, what happened then happens again.
    pub fn step(&mut self, machine: &mut Machine, step: Step) -> Stop {
        self.history.follow(machine);
        let beam = machine.beam();
        let lines = u64::from(machine.bus.video.antic.lines());
        let cycle = u64::from(beam.cycle);
        let s = machine.cpu.s;
        let patience = PATIENCE * lines * LINE;
        let (goal, limit) = match step {
            Step::Cycle => (Goal::None, 1),
            Step::Line => (Goal::None, LINE - cycle),
            Step::Frame => (Goal::None, (lines - u64::from(beam.line)) * LINE - cycle),
            Step::Instruction => (Goal::Instruction, 2 * lines * LINE),
            Step::Over => (Goal::Over(s), patience),
            Step::Out => (Goal::Out(s), patience),
            Step::Dli => (Goal::Entry(Entry::Dli), patience),
            Step::DliRoutine => (Goal::DliRoutine, patience),
            Step::DliEnd => (Goal::DliEnd(s), patience),
            Step::Vbi => (Goal::Entry(Entry::Vbi), patience),
            Step::To(address) => (Goal::To(address), patience),
            Step::Beam(line, cycle) => (Goal::Beam(line, cycle), lines * LINE),
            Step::DisplayList => (Goal::DisplayList, 2 * lines * LINE),
            Step::Statement => (Goal::Statement, patience),
            Step::BasicLine => (Goal::BasicLine, patience),
        };
        let counted = matches!(step, Step::Cycle | Step::Line | Step::Frame);
        self.go(machine, goal, limit, counted)
    }

    /// Runs to the end of the frame unless a breakpoint comes first.
    pub fn run_frame(&mut self, machine: &mut Machine) -> Stop {
        self.step(machine, Step::Frame)
    }

    /// Runs to a breakpoint, at most so many machine cycles.
    pub fn run(&mut self, machine: &mut Machine, cycles: u64) -> Stop {
        self.history.follow(machine);
        self.go(machine, Goal::None, cycles, false)
    }

    fn go(&mut self, machine: &mut Machine, goal: Goal, limit: u64, counted: bool) -> Stop {
        let start = self.history.moment_of(machine);
        let end = Moment(start.0.saturating_add(limit));
        let mut watch = Watch::new(machine, &self.breakpoints, goal, self.dli == Some(start));
        let mut at = start;
        let mut stop = if counted { Stop::Done } else { Stop::Limit };
        // In pieces of a frame, so that keyframes are taken.
        while at < end {
            let beam = machine.beam();
            let lines = u64::from(machine.bus.video.antic.lines());
            let left = (lines - u64::from(beam.line)) * LINE - u64::from(beam.cycle);
            let until = Moment(at.0 + left).min(end);
            if self.history.forward(machine, until, &mut watch) {
                stop = watch.stop();
                break;
            }
            at = self.history.moment_of(machine);
            if machine.cpu.is_jammed() && !counted {
                stop = Stop::Jammed;
                break;
            }
        }
        let dli = watch.dli();
        let hits = watch.take_hits();
        self.breakpoints.count(&hits);
        self.dli = dli.then(|| self.history.moment_of(machine));
        stop
    }

    /// Goes one step backwards, by running again from a keyframe: the machine becomes what it was then. What came after is still
    /// there to go forward to. False, and nothing changes, if the recorded time does not reach back so far.
    ///
    /// [`Step::Over`] goes back over whole subroutines, [`Step::Out`] to the call of this one.
    pub fn step_back(&mut self, machine: &mut Machine, step: Step) -> bool {
        self.history.follow(machine);
        let now = self.history.moment_of(machine);
        let beam = machine.beam();
        let lines = u64::from(machine.bus.video.antic.lines());
        let cycle = u64::from(beam.cycle);
        let back = |cycles: u64| now.0.checked_sub(cycles).map(Moment);
        let target = match step {
            Step::Cycle => back(1),
            Step::Line => back(if cycle == 0 { LINE } else { cycle }),
            Step::Frame => {
                let done = u64::from(beam.line) * LINE + cycle;
                back(if done == 0 { lines * LINE } else { done })
            }
            Step::Beam(line, at) => {
                let done = u64::from(beam.line) * LINE + cycle;
                let wanted = u64::from(line) * LINE + u64::from(at);
                back(if wanted < done {
                    done - wanted
                } else {
                    (done + lines * LINE).saturating_sub(wanted)
                })
            }
            Step::Instruction => self.find(now, Find::Instruction),
            Step::Over => self.find(now, Find::Over(machine.cpu.s)),
            Step::Out => self.find(now, Find::Call(machine.cpu.s)),
            Step::Dli => self.find(now, Find::Entry(Entry::Dli)),
            Step::DliRoutine => self.find(now, Find::DliRoutine),
            Step::DliEnd => self.find(now, Find::DliEnd),
            Step::Vbi => self.find(now, Find::Entry(Entry::Vbi)),
            Step::To(address) => self.find(now, Find::To(address)),
            Step::DisplayList => self.find(now, Find::DisplayList),
            Step::Statement => self.find(now, Find::Statement),
            Step::BasicLine => self.find(now, Find::BasicLine),
        };
        target.is_some_and(|target| self.history.goto(machine, target))
    }

    /// Runs backwards to the last breakpoint; false, and nothing changes, if there is none in the recorded time.
    pub fn run_back(&mut self, machine: &mut Machine) -> bool {
        self.history.follow(machine);
        let now = self.history.moment_of(machine);
        let target = self.find(now, Find::Breakpoint);
        target.is_some_and(|target| self.history.goto(machine, target))
    }

    /// Goes to a moment, forwards or backwards; false, and nothing changes, if it is not recorded.
    pub fn goto(&mut self, machine: &mut Machine, moment: Moment) -> bool {
        self.history.goto(machine, moment)
    }

    fn find(&self, now: Moment, find: Find) -> Option<Moment> {
        self.history.last_before(now, &self.breakpoints, find)
    }

    /// The causes of a row of the picture that is on the screen: of this frame where the beam has passed, else of the frame before.
    pub fn cause_of_row(
        &mut self,
        machine: &mut Machine,
        x: usize,
        y: usize,
    ) -> Option<FrameCause> {
        self.history.follow(machine);
        let Step::Beam(line, cycle) = Step::to_pixel(x, y) else {
            return None;
        };
        let start = self.history.frame_before(machine, line, cycle)?;
        Some(FrameCause::of_row(&start, y))
    }

    /// The timeline of the display list interrupts of the last complete frame.
    pub fn dli_timeline(&mut self, machine: &mut Machine) -> Option<DliTimeline> {
        self.history.follow(machine);
        let beam = machine.beam();
        let mut start = self.history.frame_before(machine, beam.line, beam.cycle)?;
        Some(DliTimeline::of(&mut start))
    }

    /// What happened in the frame that is on the screen: the last complete one.
    pub fn frame_log(&mut self, machine: &mut Machine) -> Option<FrameLog> {
        self.history.follow(machine);
        let beam = machine.beam();
        let mut start = self.history.frame_before(machine, beam.line, beam.cycle)?;
        Some(FrameLog::of(&mut start))
    }
}
