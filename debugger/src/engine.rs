//! [`Debugger`]: the tools for debugging one machine, and its steps in both directions.

use crate::basic::{Basic, lookup};
use crate::breakpoints::{Breakpoints, Place};
use crate::expression::{Context, Expression, Names};
use crate::first_writes::FirstWrites;
use crate::interrupt::Interrupt;
use crate::seek::{follow_to, last_begin, last_hit};
use crate::stack::{OpenInterrupts, calls};
use crate::step::{End, Step};
use crate::watch::{Aim, Follow, Watch};
use crate::{
    Address, Debuggee, DliTimeline, Executed, FrameCause, FrameLog, LINE, Moment, Replay, Scope,
    Sources, Stop, Symbols, Type,
};
use cpu6502::Cpu;
use machine::{Bus, Machine, Probe};
use session::Track;
use std::cell::{Cell, RefCell};

/// Bytes after a label up to which an address is named by it.
const FARTHEST: u16 = 0x3FF;

/// The tools for debugging one machine.
#[derive(Debug, Default)]
pub struct Debugger {
    /// The breakpoints.
    pub breakpoints: Breakpoints,
    /// Names of addresses.
    pub symbols: Symbols,
    /// Source lines of the program.
    pub sources: Sources,
    /// The executed instructions, as far as [`Self::learn_executed`] has run.
    pub executed: Executed,
    /// Ends a step that takes long.
    pub interrupt: Interrupt,
    /// Expressions to be shown whenever the machine is stopped.
    pub watches: Vec<Expression>,
    /// Labels that the user gave.
    pub(crate) labels: Vec<(String, u16)>,
    /// True if it runs frame by frame, and the knowledge of the last frame's probe at its end.
    by_frame: bool,
    frame_end: Option<(Moment, Follow)>,
    /// The instruction with which BASIC begins a statement, once a run has shown it.
    dispatch: Cell<Option<u16>>,
    /// The interrupts that had not returned where the stack was asked for last.
    pub(crate) interrupts: RefCell<Option<OpenInterrupts>>,
}

impl Debugger {
    /// Goes one step; a breakpoint on the way ends it earlier. In recorded time, the recorded events happen again.
    pub fn step(&mut self, debuggee: &mut dyn Debuggee, step: Step) -> Stop {
        let machine = debuggee.track().machine();
        let kind = step.kind();
        let (limit, counted) = match kind.end {
            End::Cycles(distance) => match distance(step, machine) {
                Some((ahead, _)) => (ahead, true),
                None => return Stop::Limit,
            },
            End::At(_) | End::AfterPast(_) => {
                let lines = u64::from(machine.bus().video.antic.lines());
                (kind.patience * lines * LINE, false)
            }
        };
        let s = machine.cpu.s;
        self.go(debuggee, Some((step, s)), limit, counted)
    }

    /// Runs to the end of the frame unless a breakpoint comes first.
    pub fn run_frame(&mut self, debuggee: &mut dyn Debuggee) -> Stop {
        self.by_frame = true;
        let stop = self.step(debuggee, Step::Frame);
        self.by_frame = false;
        stop
    }

    /// Runs to a breakpoint, at most for `cycles` machine cycles.
    pub fn run(&mut self, debuggee: &mut dyn Debuggee, cycles: u64) -> Stop {
        self.go(debuggee, None, cycles, false)
    }

    /// Brings the first writes up to date, for breakpoints on uninitialised memory; they are silent where the recording does not reach back to
    /// power-on.
    fn learn_first_writes(&mut self, track: &Track) {
        if self.breakpoints.need_first_writes() {
            let known = self.breakpoints.first_writes.take();
            self.breakpoints.first_writes =
                FirstWrites::up_to(track.timeline(), track.machine(), known);
        }
    }

    /// `wanted` is a step with S at its beginning.
    fn go(
        &mut self,
        debuggee: &mut dyn Debuggee,
        wanted: Option<(Step, u8)>,
        limit: u64,
        counted: bool,
    ) -> Stop {
        self.learn_first_writes(debuggee.track());
        let first_writes = self.breakpoints.first_writes.take();
        let start = debuggee.track().moment();
        let end = Moment(start.0.saturating_add(limit));
        // Nothing can stop a frame of a machine that runs: it needs no probe in each cycle.
        let plain =
            self.by_frame && !self.breakpoints.any_enabled(|_| true) && first_writes.is_none();
        let aim = wanted.map(|(step, s)| Aim {
            step,
            s,
            back: false,
            sources: &self.sources,
        });
        let needs_past = aim.is_some_and(|aim| aim.needs_past()) || self.breakpoints.need_past();
        let track = debuggee.track();
        let mut watch = Watch::new(track.machine(), &self.breakpoints, aim);
        *watch.follow.dispatch() = self.dispatch.get();
        let last_frame = self.frame_end.take().filter(|(end, _)| *end == start);
        if let Some((_, follow)) = last_frame
            && self.by_frame
        {
            // An instruction that begins exactly here has not been seen.
            watch.follow = follow;
        } else if !plain
            && needs_past
            && let Some(follow) = follow_to(track, track.machine(), start, self.dispatch.get())
        {
            watch.follow = follow;
        }
        watch.first_writes = first_writes;
        let stop = self.run_watched(debuggee, (!plain).then_some(&mut watch), end, counted);
        self.dispatch.set(*watch.follow.dispatch());
        let is_there = lookup::is_there(debuggee.track().machine().bus());
        let mut first_writes = watch.first_writes.take();
        let hits = watch.take_hits();
        let clock = debuggee.track().machine().now();
        if let Some(writes) = &mut first_writes {
            writes.known_until(clock);
        }
        let moment = debuggee.track().moment();
        self.frame_end = (self.by_frame && stop == Stop::Done)
            .then_some((moment, watch.follow))
            .filter(|_| !plain);
        self.breakpoints.count(hits, moment, clock);
        self.breakpoints.first_writes = first_writes;
        self.symbols.show_basic(is_there);
        stop
    }

    /// Runs to a stop, at most to `end`, in pieces of a frame, so that keyframes are taken and the host is served.
    fn run_watched(
        &self,
        debuggee: &mut dyn Debuggee,
        mut watch: Option<&mut Watch<'_>>,
        end: Moment,
        counted: bool,
    ) -> Stop {
        let mut at = debuggee.track().moment();
        while at < end {
            if self.is_interrupted(debuggee) {
                return Stop::Interrupted;
            }
            let until = debuggee.track().frame_end().min(end);
            let stopped = debuggee.run(until, watch.as_deref_mut());
            if let Some(watch) = watch.as_deref_mut().filter(|_| stopped) {
                let track = debuggee.track();
                if !watch.asks_frame() || watch.with_frame(self.learn_frame(track), track.machine())
                {
                    return watch.stop();
                }
                at = track.moment();
                continue;
            }
            let before = std::mem::replace(&mut at, debuggee.track().moment());
            if at == before {
                // The session cannot continue.
                return Stop::Limit;
            }
            if debuggee.track().machine().cpu.is_jammed() && !counted {
                return Stop::Jammed;
            }
        }
        if counted { Stop::Done } else { Stop::Limit }
    }

    /// Looks up the frame of the C function at PC; false if the past does not show it.
    fn learn_frame(&self, track: &Track) -> bool {
        let c = &self.sources.c;
        c.depths.take_missing();
        c.depths
            .learn(c, track.timeline(), track.machine(), track.moment())
    }

    /// The C names that hold at the machine's position, or in one of the routines that have not returned: counted outwards from 0 as
    /// [`Self::call_stack`] has them.
    pub fn scope(&self, track: &Track, routine: Option<usize>) -> Scope<'_> {
        let (c, machine) = (&self.sources.c, track.machine());
        // Interrupts matter only where one has come between: what runs in a function itself needs no look at the last frames.
        let runs_c = c
            .function_at(crate::instruction_address(&machine.cpu))
            .is_some();
        let calls = if c.is_empty() || runs_c && routine.unwrap_or(0) == 0 {
            calls(machine)
        } else {
            self.call_stack(track)
        };
        c.scope(track, &calls, routine)
    }

    /// The names that hold at the machine's position.
    pub fn names(&self, track: &Track) -> Names<'_> {
        self.names_in(track, None)
    }

    fn names_in(&self, track: &Track, routine: Option<usize>) -> Names<'_> {
        Names {
            symbols: &self.symbols,
            c: Some(self.scope(track, routine)),
            basic: lookup::names(track.machine().bus()),
        }
    }

    /// The names that hold where a breakpoint is hit.
    pub fn names_at(&self, track: &Track, place: &Place) -> Names<'_> {
        let address = match place {
            Place::Pc(address) => *address,
            _ => 0,
        };
        Names {
            symbols: &self.symbols,
            c: Some(self.sources.c.scope_at(address)),
            basic: lookup::names(track.machine().bus()),
        }
    }

    /// Reads an expression with the names that hold at the machine's position.
    ///
    /// # Errors
    /// A sentence that names the fault and its place.
    pub fn parse(&self, track: &Track, text: &str) -> Result<Expression, String> {
        Expression::parse_in(text, &self.names(track))
    }

    /// The value of an expression at the machine's position, as a number and as text.
    ///
    /// # Errors
    /// A sentence that names the fault and its place.
    pub fn evaluate(&self, track: &Track, text: &str) -> Result<Shown, String> {
        self.evaluate_in(track, None, text)
    }

    /// The watched expressions, each with its value as text, or one sentence.
    pub fn watched(&self, track: &Track) -> Vec<(String, String)> {
        let shown = |watch: &Expression| {
            let name = watch.to_string();
            let shown = self.evaluate(track, &name);
            (name, shown.map_or_else(|error| error, |shown| shown.text))
        };
        self.watches.iter().map(shown).collect()
    }

    /// [`Self::evaluate`] with the names of a routine as [`Self::scope`] counts them.
    ///
    /// # Errors
    /// A sentence that names the fault and its place.
    pub fn evaluate_in(
        &self,
        track: &Track,
        routine: Option<usize>,
        text: &str,
    ) -> Result<Shown, String> {
        let names = self.names_in(track, routine);
        let machine = track.machine();
        if let Some(text) = basic_array(machine, &names, text.trim()) {
            return Ok(Shown {
                text,
                of_basic: true,
                ..Shown::default()
            });
        }
        let expression = Expression::parse_in(text, &names)?;
        let context = Context::of(machine);
        let value = expression.value(&context);
        if let Some(of_basic) = expression.basic_value(&context) {
            return Ok(Shown {
                value,
                text: of_basic.text(),
                of_basic: true,
                ..Shown::default()
            });
        }
        let scope = names.c.unwrap_or_else(|| self.scope(track, routine));
        if let Some(variable) = scope.variable(text.trim()) {
            let address = match variable.address {
                Address::Fixed(address) => Some(address),
                _ => None,
            };
            return Ok(Shown {
                value,
                address,
                text: scope.text(machine, &variable),
                kind: Some(variable.kind),
                of_basic: false,
            });
        }
        let lvalue = expression.lvalue(&context);
        Ok(Shown {
            value,
            address: lvalue.map(|(address, _)| address),
            text: lvalue.map_or_else(
                || number_text(value),
                |(address, kind)| scope.value(machine, address, kind),
            ),
            kind: lvalue.map(|(_, kind)| kind.clone()),
            of_basic: false,
        })
    }

    /// The routine at an address: a C function or the last label before it, with the distance.
    pub fn routine_name(&self, address: u16) -> String {
        let function = self.sources.c.function_name(address);
        // Code in page 6 is not a part of the OS's buffer at $0400.
        match function.or_else(|| self.symbols.nearest(address, 0x1FF)) {
            Some((name, 0)) => name.to_owned(),
            Some((name, distance)) => format!("{name}+{distance}"),
            None => format!("${address:04X}"),
        }
    }

    /// Goes one step backwards, by running again from a keyframe: the machine becomes that of then. The time after it is still
    /// there to go forward to. False, and nothing changes, if the recorded time does not reach back so far, or the search was interrupted.
    ///
    /// [`Step::Over`] goes back over whole subroutines, [`Step::Out`] to the call of this one.
    pub fn step_back(&mut self, debuggee: &mut dyn Debuggee, step: Step) -> bool {
        let track = debuggee.track();
        let ended = || self.is_interrupted(debuggee);
        let target = match step.kind().end {
            End::Cycles(distance) => distance(step, track.machine())
                .and_then(|(_, back)| track.moment().0.checked_sub(back))
                .map(Moment),
            End::At(_) | End::AfterPast(_) => {
                let aim = Aim {
                    step,
                    s: track.machine().cpu.s,
                    back: true,
                    sources: &self.sources,
                };
                last_begin(track, aim, &self.dispatch, &ended)
            }
        };
        target.is_some_and(|target| debuggee.go_to(target))
    }

    /// True when the user wants the present command to end, see [`Self::interrupt`] and [`Debuggee::is_interrupted`].
    pub fn is_interrupted(&self, debuggee: &dyn Debuggee) -> bool {
        self.interrupt.is_requested() || debuggee.is_interrupted()
    }

    /// Runs backwards to the last breakpoint; false, and nothing changes, if the recorded time has none, or the search was interrupted.
    pub fn run_back(&mut self, debuggee: &mut dyn Debuggee) -> bool {
        self.learn_first_writes(debuggee.track());
        let ended = || self.is_interrupted(debuggee);
        let (breakpoints, dispatch) = (&self.breakpoints, &self.dispatch);
        let track = debuggee.track();
        let c = &self.sources.c;
        let mut target = last_hit(track, breakpoints, dispatch, &ended);
        // A condition on variables of a C function counts as true until the function's frame has been looked up: once for each place.
        while c.depths.take_missing()
            && let Some(moment) = target
            && let Some(machine) = track.timeline().machine_at(moment)
            && c.depths.learn(c, track.timeline(), &machine, moment)
        {
            target = last_hit(track, breakpoints, dispatch, &ended);
        }
        target.is_some_and(|target| debuggee.go_to(target))
    }

    /// The name of a place in memory: where the program's source has it, the label before it and the line, as in
    /// `dli2+13 (main.s:41)`; elsewhere the name of the address itself, if it has one.
    pub fn place_name(&self, address: u16) -> Option<String> {
        // Data of C has lines in a file that only the compiler has seen.
        if let Some(variable) = self.sources.c.variable_at(address) {
            return Some(variable);
        }
        let Some(at) = self.sources.line_at(address) else {
            return self.symbols.name(address).map(str::to_owned);
        };
        let line = self.sources.name(at);
        Some(match self.symbols.nearest_of_program(address, FARTHEST) {
            Some((name, 0)) => format!("{name} ({line})"),
            Some((name, distance)) => format!("{name}+{distance} ({line})"),
            None => line,
        })
    }

    /// The causes of a row of the picture that is on the screen: of this frame where the beam has passed, else of the frame before.
    pub fn cause_of_row(&self, track: &Track, x: usize, y: usize) -> Option<FrameCause> {
        let Step::Beam(line, cycle) = Step::to_pixel(x, y) else {
            return None;
        };
        let frame = Replay::frame_before(track, line, cycle)?;
        Some(FrameCause::of_row(frame, y))
    }

    /// Finds the executed instructions up to now: those of the last two seconds the first time, then those since. 20 ms for a second.
    pub fn learn_executed(&mut self, track: &Track) {
        self.executed.learn(track.timeline(), track.moment());
    }

    /// Progress of the processor in its instruction or interrupt sequence: cycles of the processor that are done, and machine cycles since it began
    /// (with DMA and WSYNC).
    pub fn within_instruction(&self, track: &Track) -> Option<(u8, u64)> {
        if track.machine().cpu.at_instruction_start() {
            return Some((0, 0));
        }
        let (now, timeline) = (track.moment(), track.timeline());
        // The longest instruction waits two lines for WSYNC.
        let from = Moment(now.0.saturating_sub(3 * LINE)).max(timeline.oldest());
        let mut visit = timeline.visit(from)?;
        let mut probe = Began::default();
        visit.run(timeline, now, &mut probe);
        let began = visit.moment_at(probe.began?);
        Some((probe.accesses, now.0 - began.0))
    }

    /// The timeline of the display list interrupts of the last complete frame.
    pub fn dli_timeline(&self, track: &Track) -> Option<DliTimeline> {
        let beam = track.machine().beam();
        let mut frame = Replay::frame_before(track, beam.line, beam.cycle)?;
        Some(DliTimeline::of(&mut frame))
    }

    /// The events of the frame that is on the screen: the last complete one.
    pub fn frame_log(&self, track: &Track) -> Option<FrameLog> {
        let beam = track.machine().beam();
        let mut frame = Replay::frame_before(track, beam.line, beam.cycle)?;
        Some(FrameLog::of(&mut frame))
    }
}

/// The value of an expression.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// As a number: of an array or struct its address.
    pub value: i64,
    /// Its address, if it is a C variable.
    pub address: Option<u16>,
    /// As text.
    pub text: String,
    /// The type of a C variable or a part of one.
    pub kind: Option<Type>,
    /// It asks for variables of BASIC; its text has fractions, and is that of a string or an array.
    pub of_basic: bool,
}

/// All of an array of BASIC that is named without its bracket, where no number has that name.
fn basic_array(machine: &Machine, names: &Names<'_>, name: &str) -> Option<String> {
    let is_known = |name: &str| names.basic.iter().any(|n| n == name);
    let array = format!("{}(", name.trim_end_matches('('));
    if !is_known(&array) || is_known(name) && !name.ends_with('(') {
        return None;
    }
    let basic = Basic::of(machine)?;
    let mut variables = basic.variables.iter();
    let line = variables
        .find(|variable| variable.name.eq_ignore_ascii_case(&array))?
        .line();
    let value = line.split_once(" = ").map(|(_, value)| value.to_owned());
    Some(value.unwrap_or(line))
}

/// Decimal, hexadecimal, and the character where it is one.
fn number_text(value: i64) -> String {
    let character = match value {
        0x20..=0x7E => format!(" '{}'", value as u8 as char),
        _ => String::new(),
    };
    format!("{value} ${value:X}{character}")
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
