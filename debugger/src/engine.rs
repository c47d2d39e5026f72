//! [`Debugger`]: what belongs to debugging one machine, and its steps in both directions.

use crate::breakpoints::Breakpoints;
use crate::expression::Expression;
use crate::first_writes::FirstWrites;
use crate::watch::{Find, Follow, Goal, Watch};
use crate::{
    DliTimeline, Entry, Executed, FrameCause, FrameLog, LINE, Moment, Past, Sources, Stop, Symbols,
};
use cpu6502::Cpu;
use machine::{Bus, Machine, NoProbe, Probe};

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
    /// To the first instruction of the handler in display list interrupt number so many of a frame, from 0.
    NthDli(u16),
    /// To the next BASIC statement.
    Statement,
    /// To the next BASIC line.
    BasicLine,
    /// To where the code of a source line begins, also in a subroutine or interrupt.
    Source,
    /// To where the code of a source line begins; subroutines and interrupts run to their ends.
    SourceOver,
}

impl Step {
    /// What it does, in a few words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cycle => "one cycle",
            Self::Instruction => "one instruction",
            Self::Over => "one instruction, calls as a whole",
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
            Self::NthDli(_) => "to the display list interrupt of this number",
            Self::Statement => "to the next BASIC statement",
            Self::BasicLine => "to the next BASIC line",
            Self::Source => "to the next source line",
            Self::SourceOver => "over the source line",
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
    /// Source lines of the program.
    pub sources: Sources,
    /// What was executed, as far as [`Self::learn_executed`] was asked to look.
    pub executed: Executed,
    /// Expressions to be shown whenever the machine stands.
    pub watches: Vec<Expression>,
    /// Labels that the user gave.
    pub(crate) labels: Vec<(String, u16)>,
    /// Whether it runs frame by frame, and what the last frame's probe knew at its end.
    by_frame: bool,
    frame_end: Option<(Moment, Follow)>,
}

/// Frames after which a step that does not end by itself gives up: ten seconds of the machine's time.
const PATIENCE: u64 = 600;

impl Debugger {
    /// Goes one step; a breakpoint on the way ends it earlier. In recorded time, what happened then happens again.
    pub fn step(&mut self, machine: &mut Machine, step: Step) -> Stop {
        self.history.follow(machine);
        let beam = machine.beam();
        let lines = u64::from(machine.bus().video.antic.lines());
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
            Step::NthDli(number) => (Goal::NthDli(number), patience),
            Step::Vbi => (Goal::Entry(Entry::Vbi), patience),
            Step::To(address) => (Goal::To(address), patience),
            Step::Beam(line, cycle) => (Goal::Beam(line, cycle), lines * LINE),
            Step::DisplayList => (Goal::DisplayList, 2 * lines * LINE),
            Step::Statement => (Goal::Statement, patience),
            Step::BasicLine => (Goal::BasicLine, patience),
            Step::Source => (Goal::Source(None), patience),
            Step::SourceOver => (Goal::Source(Some(s)), patience),
        };
        let counted = matches!(step, Step::Cycle | Step::Line | Step::Frame);
        self.go(machine, goal, limit, counted)
    }

    /// Runs to the end of the frame unless a breakpoint comes first.
    pub fn run_frame(&mut self, machine: &mut Machine) -> Stop {
        self.by_frame = true;
        let stop = self.step(machine, Step::Frame);
        self.by_frame = false;
        stop
    }

    /// Runs to a breakpoint, at most so many machine cycles.
    pub fn run(&mut self, machine: &mut Machine, cycles: u64) -> Stop {
        self.history.follow(machine);
        self.go(machine, Goal::None, cycles, false)
    }

    /// What breakpoints on uninitialised memory have to know; they are silent where the recording does not reach back to power-on.
    fn learn_first_writes(&mut self, machine: &mut Machine) {
        if self.breakpoints.need_first_writes() {
            let known = self.breakpoints.first_writes.take();
            let timeline = self.history.follow(machine);
            self.breakpoints.first_writes = FirstWrites::up_to(timeline, machine, known);
        }
    }

    fn go(&mut self, machine: &mut Machine, goal: Goal, limit: u64, counted: bool) -> Stop {
        self.learn_first_writes(machine);
        let first_writes = self.breakpoints.first_writes.take();
        let start = self.history.moment_of(machine);
        let end = Moment(start.0.saturating_add(limit));
        // Nothing can stop a frame of a machine that runs: it needs no look at each cycle.
        let plain =
            self.by_frame && !self.breakpoints.any_enabled(|_| true) && first_writes.is_none();
        let mut watch = Watch::new(machine, &self.breakpoints, goal);
        *watch.follow.dispatch() = self.history.dispatch.get();
        let last_frame = self.frame_end.take().filter(|(end, _)| *end == start);
        if let Some((_, follow)) = last_frame
            && self.by_frame
        {
            // An instruction that begins exactly here has not been seen.
            watch.follow = follow;
        } else if !plain
            && (goal.needs_past() || self.breakpoints.need_past())
            && let Some(follow) = self.history.follow_to(machine, start)
        {
            watch.follow = follow;
        }
        watch.sources = Some(&self.sources);
        watch.first_writes = first_writes;
        let mut at = start;
        let mut stop = if counted { Stop::Done } else { Stop::Limit };
        // In pieces of a frame, so that keyframes are taken.
        while at < end {
            let beam = machine.beam();
            let lines = u64::from(machine.bus().video.antic.lines());
            let left = (lines - u64::from(beam.line)) * LINE - u64::from(beam.cycle);
            let until = Moment(at.0 + left).min(end);
            if plain {
                self.history.forward(machine, until, &mut NoProbe);
            } else if self.history.forward(machine, until, &mut watch) {
                stop = watch.stop();
                break;
            }
            at = self.history.moment_of(machine);
            if machine.cpu.is_jammed() && !counted {
                stop = Stop::Jammed;
                break;
            }
        }
        self.history.dispatch.set(*watch.follow.dispatch());
        let mut first_writes = watch.first_writes.take();
        let hits = watch.take_hits();
        let clock = machine.now();
        if let Some(writes) = &mut first_writes {
            writes.known_until(clock);
        }
        let moment = self.history.moment_of(machine);
        self.frame_end = (self.by_frame && stop == Stop::Done)
            .then_some((moment, watch.follow))
            .filter(|_| !plain);
        self.breakpoints.count(hits, moment, clock);
        self.breakpoints.first_writes = first_writes;
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
        let lines = u64::from(machine.bus().video.antic.lines());
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
            Step::NthDli(number) => self.find(now, Find::NthDli(number)),
            Step::Vbi => self.find(now, Find::Entry(Entry::Vbi)),
            Step::To(address) => self.find(now, Find::To(address)),
            Step::DisplayList => self.find(now, Find::DisplayList),
            Step::Statement => self.find(now, Find::Statement),
            Step::BasicLine => self.find(now, Find::BasicLine),
            Step::Source => self.find(now, Find::Source(None)),
            Step::SourceOver => self.find(now, Find::Source(Some(machine.cpu.s))),
        };
        target.is_some_and(|target| self.history.goto(machine, target))
    }

    /// Runs backwards to the last breakpoint; false, and nothing changes, if there is none in the recorded time.
    pub fn run_back(&mut self, machine: &mut Machine) -> bool {
        self.history.follow(machine);
        self.learn_first_writes(machine);
        let now = self.history.moment_of(machine);
        let target = self.find(now, Find::Breakpoint);
        target.is_some_and(|target| self.history.goto(machine, target))
    }

    /// Goes to a moment, forwards or backwards; false, and nothing changes, if it is not recorded.
    pub fn goto(&mut self, machine: &mut Machine, moment: Moment) -> bool {
        self.history.goto(machine, moment)
    }

    /// Writes bytes of memory, or a chip's registers as the processor would in the coming cycle. In recorded time a branch begins, and what
    /// came after is kept.
    pub fn poke(&mut self, machine: &mut Machine, address: u16, bytes: &[u8]) {
        self.history.follow(machine);
        for (n, &byte) in bytes.iter().enumerate() {
            let at = address.wrapping_add(n as u16);
            self.history.poke(machine, at, byte);
        }
    }

    /// Goes back to the store that a query found: the machine stands before the cycle of the write.
    pub fn goto_write(&mut self, machine: &mut Machine, write: &crate::Write) -> bool {
        self.history.goto(machine, write.at)
    }

    fn find(&self, now: Moment, find: Find) -> Option<Moment> {
        self.history
            .last_before(now, &self.breakpoints, &self.sources, find)
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

    /// Finds out what was executed up to now: the last two seconds the first time, then what has run since. 20 ms for a second.
    pub fn learn_executed(&mut self, machine: &mut Machine) {
        let timeline = self.history.follow(machine);
        let now = timeline.moment_of(machine);
        self.executed.learn(timeline, now);
    }

    /// How far the processor is in its instruction or interrupt sequence: cycles of the processor that are done, and machine cycles since
    /// it began (with DMA and WSYNC).
    pub fn within_instruction(&mut self, machine: &mut Machine) -> Option<(u8, u64)> {
        let timeline = self.history.follow(machine);
        let now = timeline.moment_of(machine);
        if machine.cpu.at_instruction_start() {
            return Some((0, 0));
        }
        // The longest instruction waits two lines for WSYNC.
        let from = Moment(now.0.saturating_sub(3 * LINE)).max(timeline.oldest());
        let mut visit = timeline.visit(from)?;
        let mut probe = Began::default();
        visit.run(timeline, now, &mut probe);
        let began = visit.moment_at(probe.began?);
        Some((probe.accesses, now.0 - began.0))
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

/// Notes when the last instruction began, and counts the processor's cycles since then.
#[derive(Default)]
struct Began {
    began: Option<u64>,
    accesses: u8,
}

impl Probe for Began {
    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        if cpu.at_instruction_start() {
            (self.began, self.accesses) = (Some(bus.now()), 0);
        }
        false
    }

    fn read(&mut self, _: u64, _: u16, _: u8) {
        self.accesses = self.accesses.saturating_add(1);
    }

    fn written(&mut self, _: u64, _: u16, _: u8) {
        self.accesses = self.accesses.saturating_add(1);
    }
}
