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
mod breakpoints;
mod cause;
mod dli;
mod expression;
mod frame_log;
mod history;
mod symbols;
pub mod view;
mod watch;

pub use assembler::assemble;
pub use breakpoints::{Breakpoint, Breakpoints, Place};
pub use cause::{Colour, Fetched, FrameCause, Layer, Object, Origin, Playfield, Why};
pub use dli::{Dli, DliTimeline, Finding, Lint};
pub use expression::{Context, Expression};
pub use frame_log::{
    Event, FrameLog, Kind, ListLine, Owner, Place as BeamPlace, Recorder, Registers, effect_delay,
    is_chip,
};
pub use history::History;
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
}

/// What belongs to debugging one machine.
#[derive(Clone, Debug, Default)]
pub struct Debugger {
    /// Where to stop.
    pub breakpoints: Breakpoints,
    /// Names of addresses.
    pub symbols: Symbols,
    /// What going backwards needs.
    pub history: History,
}

/// Frames after which a step that does not end by itself gives up: ten seconds of the machine's time.
const PATIENCE: u64 = 600;

impl Debugger {
    /// Goes one step; a breakpoint on the way ends it earlier.
    pub fn step(&mut self, machine: &mut Machine, step: Step) -> Stop {
        self.history.record(machine);
        let beam = machine.beam();
        let lines = u64::from(machine.bus.video.antic.lines());
        let cycle = u64::from(beam.cycle);
        let (goal, limit) = match step {
            Step::Cycle => (Goal::None, 1),
            Step::Line => (Goal::None, LINE - cycle),
            Step::Frame => (Goal::None, (lines - u64::from(beam.line)) * LINE - cycle),
            Step::Instruction => (Goal::Instruction, 2 * lines * LINE),
            Step::Over => (Goal::Over(machine.cpu.s), PATIENCE * lines * LINE),
            Step::Out => (Goal::Out(machine.cpu.s), PATIENCE * lines * LINE),
            Step::Dli => (Goal::Entry(Entry::Dli), PATIENCE * lines * LINE),
            Step::DliRoutine => (Goal::DliRoutine, PATIENCE * lines * LINE),
            Step::Vbi => (Goal::Entry(Entry::Vbi), PATIENCE * lines * LINE),
            Step::To(address) => (Goal::To(address), PATIENCE * lines * LINE),
            Step::Beam(line, cycle) => (Goal::Beam(line, cycle), lines * LINE),
        };
        let counted = matches!(step, Step::Cycle | Step::Line | Step::Frame);
        self.go(machine, goal, limit, counted)
    }

    /// Runs to the end of the frame unless a breakpoint comes first.
    pub fn run_frame(&mut self, machine: &mut Machine) -> Stop {
        self.step(machine, Step::Frame)
    }

    fn go(&mut self, machine: &mut Machine, goal: Goal, limit: u64, counted: bool) -> Stop {
        let end = machine.now().saturating_add(limit);
        let dli = self.history.dli == Some(machine.now());
        let mut watch = Watch::new(machine, &self.breakpoints, goal, dli);
        let stop = Self::run(&mut self.history, machine, &mut watch, end, counted);
        self.history.dli = watch.dli().then(|| machine.now());
        stop
    }

    fn run(
        history: &mut History,
        machine: &mut Machine,
        watch: &mut Watch,
        end: u64,
        counted: bool,
    ) -> Stop {
        // In pieces of a frame, so that the history has something to go back to.
        while machine.now() < end {
            let piece = (end - machine.now()).min(LINE * 312);
            if machine.run_cycles_with(piece, watch) {
                return watch.stop();
            }
            if machine.now() < end {
                history.record(machine);
                if machine.cpu.is_jammed() && !counted {
                    return Stop::Jammed;
                }
            }
        }
        if counted { Stop::Done } else { Stop::Limit }
    }

    /// Goes one step backwards, by running again from a state recorded before: the machine becomes what it was then.
    /// What came after is forgotten. False, and nothing changes, if the recorded time does not reach back so far.
    ///
    /// [`Step::Over`] goes back over whole subroutines, [`Step::Out`] to the call of this one.
    pub fn step_back(&mut self, machine: &mut Machine, step: Step) -> bool {
        self.history.record_input(machine);
        let now = machine.now();
        let beam = machine.beam();
        let lines = u64::from(machine.bus.video.antic.lines());
        let cycle = u64::from(beam.cycle);
        let into_frame = u64::from(beam.line) * LINE + cycle;
        let back = |distance: u64, whole: u64| {
            now.checked_sub(if distance == 0 { whole } else { distance })
        };
        let target = match step {
            Step::Cycle => now.checked_sub(1),
            Step::Line => back(cycle, LINE),
            Step::Frame => back(into_frame, lines * LINE),
            Step::Beam(line, cycle) => {
                let wanted = u64::from(line) * LINE + u64::from(cycle);
                let distance = (into_frame + lines * LINE).wrapping_sub(wanted) % (lines * LINE);
                back(distance, lines * LINE)
            }
            Step::Instruction => self.find(machine, Find::Instruction),
            Step::Over => self.find(machine, Find::Over(machine.cpu.s)),
            Step::Out => self.find(machine, Find::Call(machine.cpu.s)),
            Step::Dli => self.find(machine, Find::Entry(Entry::Dli)),
            Step::DliRoutine => self.find(machine, Find::DliRoutine),
            Step::Vbi => self.find(machine, Find::Entry(Entry::Vbi)),
            Step::To(address) => self.find(machine, Find::To(address)),
        };
        self.return_to(machine, target)
    }

    /// Runs backwards to the last breakpoint; false, and nothing changes, if there is none in the recorded time.
    pub fn run_back(&mut self, machine: &mut Machine) -> bool {
        self.history.record_input(machine);
        let target = self.find(machine, Find::Breakpoint);
        self.return_to(machine, target)
    }

    fn find(&self, machine: &Machine, find: Find) -> Option<u64> {
        self.history
            .last_before(machine.now(), &self.breakpoints, find)
    }

    fn return_to(&mut self, machine: &mut Machine, target: Option<u64>) -> bool {
        let Some(past) = target.and_then(|target| self.history.state_at(target)) else {
            return false;
        };
        *machine = past;
        self.history.forget_after(machine.now());
        true
    }
}
