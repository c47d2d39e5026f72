//! The commands. A command is a row of [`COMMANDS`], a step a row of [`KINDS`]: names, arguments, functions. Parser, help and
//! completion go by these rows.

use super::{Desk, Output, told};
use crate::expression::clip;
use crate::step::{KINDS, Kind};
use crate::watch::Stop;
use crate::{Moment, assemble, basic, view};

/// The function of a command.
#[derive(Clone, Copy)]
pub(super) enum Act {
    Do(fn(&mut Desk<'_>, &str) -> Result<Output, String>),
    Step(&'static Kind),
}

/// A command.
#[derive(Clone, Copy)]
pub(super) struct Command {
    /// The first name first.
    pub(super) names: &'static str,
    /// The arguments: small letters stand for themselves, brackets mean that it may be left out.
    pub(super) arguments: &'static str,
    pub(super) help: &'static str,
    pub(super) act: Act,
}

impl Command {
    const fn new(
        names: &'static str,
        arguments: &'static str,
        help: &'static str,
        act: fn(&mut Desk<'_>, &str) -> Result<Output, String>,
    ) -> Self {
        Self {
            names,
            arguments,
            help,
            act: Act::Do(act),
        }
    }

    fn of_step(kind: &'static Kind) -> Self {
        Self {
            names: kind.words,
            arguments: kind.argument.text(),
            help: kind.help,
            act: Act::Step(kind),
        }
    }

    /// All, in the order of `help`: running, steps, everything else.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let (run, others) = COMMANDS.split_at(1);
        let steps = KINDS.iter().map(Self::of_step);
        run.iter()
            .copied()
            .chain(steps)
            .chain(others.iter().copied())
    }

    pub(super) fn named(word: &str) -> Option<Self> {
        Self::all().find(|command| command.is(word))
    }

    /// True if the rest of the line is plain text of the user.
    pub(super) fn takes_text(&self) -> bool {
        self.arguments == "TEXT"
    }

    fn is(&self, word: &str) -> bool {
        self.names
            .split(' ')
            .any(|name| name.eq_ignore_ascii_case(word))
    }

    fn line(&self) -> String {
        let names = self.names.replace(' ', ", ");
        format!(
            "{:<28} {}",
            format!("{names} {}", self.arguments),
            self.help
        )
    }
}

/// The first and second part of a command's arguments.
pub(super) fn parts(rest: &str) -> (&str, &str) {
    let (first, others) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    (first, others.trim())
}

/// The commands that are not steps.
#[rustfmt::skip]
#[expect(clippy::redundant_closure_for_method_calls, reason = "a method is of one lifetime of Desk, the commands are of any")]
const COMMANDS: &[Command] = &[
    Command::new("run r continue g", "[FRAMES]", "run to a breakpoint, at most FRAMES (600)", |desk, rest| desk.run(rest)),
    Command::new("back b", "[STEP]", "any step backwards; without one: to the last breakpoint", |desk, rest| desk.back(rest)),
    Command::new("goto", "MOMENT", "to a moment of the recorded time", |desk, rest| desk.go_to(rest)),
    Command::new("when", "[last] EXPRESSION", "the first (or last) time that it became true", |desk, rest| desk.when(rest)),
    Command::new("who", "ADDRESS[-ADDRESS]", "the last store into an address", |desk, rest| desk.who(rest)),
    Command::new("stores", "ADDRESS[-ADDRESS]", "all recorded stores, the latest first", |desk, rest| desk.stores(rest)),
    Command::new("origin", "ADDRESS", "where its byte came from, through copies", |desk, rest| desk.origin(rest)),
    Command::new("why", "X Y", "why a pixel is as it is", |desk, rest| desk.why(rest)),
    Command::new("dlis", "", "the display list interrupts of the last frame, and what looks wrong", |desk, _| desk.dlis()),
    Command::new("map", "[LINE]", "what happened in the last frame: registers, interrupts; or all of a line", |desk, rest| desk.map(rest)),
    Command::new("strip", "LINE", "whose the 114 cycles of a line were", |desk, rest| desk.strip(rest)),
    Command::new("share", "", "whose the cycles of the last frame were", |desk, _| desk.share()),
    Command::new("break", "PLACE [= VALUE] [if EXPRESSION] [after N] [once] [log] [\"TEXT {EXPRESSION}\"]",
        "a breakpoint: ADDRESS, FILE:LINE, read, write or access ADDRESS[-ADDRESS], uninitialised [ADDRESS-ADDRESS], beam LINE [CYCLE], dli, routine, vbi, irq, brk, reset, opcode N, cio [LETTER], sio [DEVICE], sector N, basic LINE, interpreted ADDRESS by POINTER, stack; log counts and does not stop",
        |desk, rest| desk.add_breakpoint(rest)),
    Command::new("log", "", "what breakpoints have logged", |desk, _| told(desk.take_log())),
    Command::new("clear delete", "NUMBER | last | all", "remove a breakpoint", |desk, rest| desk.clear(rest)),
    Command::new("enable", "NUMBER | last", "switch a breakpoint on", |desk, rest| desk.enable(rest, true)),
    Command::new("disable", "NUMBER | last", "switch a breakpoint off", |desk, rest| desk.enable(rest, false)),
    Command::new("breaks bl", "", "the breakpoints", |desk, _| told(desk.breakpoints())),
    Command::new("watch", "EXPRESSION", "show its value wherever the machine stops", |desk, rest| desk.watch(rest)),
    Command::new("unwatch", "WATCH | all", "watch no more", |desk, rest| desk.unwatch(rest)),
    Command::new("watches", "", "the watched values", |desk, _| told(desk.watches())),
    Command::new("settings", "", "breakpoints, watches and labels as commands that set them again",
        |desk, _| told(desk.debugger.settings().lines().map(str::to_owned).collect())),
    Command::new("print p", "EXPRESSION", "its value", |desk, rest| desk.print(rest)),
    Command::new("locals", "", "parameters and variables of the C function that runs", |desk, _| desk.locals()),
    Command::new("stack bt", "", "the calls that have not returned, the latest first", |desk, _| desk.stack()),
    Command::new("cpu registers", "", "the processor", |desk, _| told(view::Cpu::of(desk.machine()).lines())),
    Command::new("antic", "", "ANTIC", |desk, _| told(view::Antic::of(desk.machine()).lines())),
    Command::new("gtia", "", "GTIA", |desk, _| told(view::Gtia::of(desk.machine()).lines())),
    Command::new("pokey", "", "POKEY", |desk, _| told(view::Pokey::of(desk.machine()).lines())),
    Command::new("pia", "", "the PIA", |desk, _| told(view::Pia::of(desk.machine()).lines())),
    Command::new("dlist", "", "the display list", |desk, _| told(view::DisplayList::of(desk.machine()).lines())),
    Command::new("code d u", "[ADDRESS] [LINES]", "disassembly", |desk, rest| desk.code(rest)),
    Command::new("source", "[FILE:LINE]", "the source around the current line, or another one", |desk, rest| desk.source(rest)),
    Command::new("mem m x", "ADDRESS [LINES]", "memory", |desk, rest| desk.memory(rest)),
    Command::new("find", "BYTES | [screen] \"TEXT\"", "where these bytes are in memory; ?? is any byte, screen means screen codes", |desk, rest| desk.find(rest)),
    Command::new("poke", "ADDRESS BYTES", "write bytes", |desk, rest| {
        let (first, others) = parts(rest);
        let address = desk.address(first)?;
        let bytes = Desk::bytes(others)?;
        desk.write(address, &bytes)
    }),
    Command::new("asm", "ADDRESS INSTRUCTION", "assemble into memory", |desk, rest| {
        let (first, others) = parts(rest);
        let address = desk.address(first)?;
        let bytes = assemble(others, address, &desk.debugger.symbols)?;
        desk.write(address, &bytes)
    }),
    Command::new("set", "REGISTER|VARIABLE VALUE", "load A, X, Y, S, P, PC or a variable", |desk, rest| {
        let (first, others) = parts(rest);
        desk.set(first, others)
    }),
    Command::new("type", "TEXT", "type it as the machine runs; \\n is RETURN, {down} a key", |desk, rest| desk.play("type", rest)),
    Command::new("key", "KEY [press | release]", "press a key for three frames, or only press or release it", |desk, rest| desk.play("key", rest)),
    Command::new("joystick", "1-4 DIRECTION [press | release]", "move a joystick for three frames, or only press or release: up, down, left, right, trigger; release alone frees all", |desk, rest| desk.play("joystick", rest)),
    Command::new("paddle", "0-7 POSITION | trigger [press | release]", "turn a paddle to 0 (right) to 228 (left), or press its trigger for three frames", |desk, rest| desk.play("paddle", rest)),
    Command::new("pointer", "DEVICE X Y | away | off | trigger [press | release]", "point a light-pen or light-gun at a pixel and line, or move an st-mouse, amiga-mouse or trak-ball by steps to the right and down", |desk, rest| desk.pointer(rest)),
    Command::new("console", "start | select | option | break | reset [press | release]", "press a key of the console for three frames, or only press or release it", |desk, rest| desk.console(rest)),
    Command::new("text", "", "the text on the screen", |desk, _| desk.text()),
    Command::new("screenshot", "FILE", "write the picture, drawn up to the beam, as a PNG file", |desk, rest| desk.play("screenshot", rest)),
    Command::new("label", "NAME ADDRESS", "name an address", |desk, rest| {
        let (first, others) = parts(rest);
        let address = desk.address(others)?;
        desk.debugger.add_label(first, address);
        told(Vec::new())
    }),
    Command::new("basic", "", "BASIC: line, stack, variables", |desk, _| {
        let basic = basic::Basic::of(desk.machine()).ok_or("BASIC does not run here")?;
        told(basic.lines())
    }),
    Command::new("blist", "[LINE]", "the BASIC program around its current line, or from a line on", |desk, rest| desk.basic_list(rest)),
    Command::new("profile", "[FRAMES]", "cycles by routine of the last frames (60): own, by processor, DMA and WSYNC, and with calls", |desk, rest| desk.profile(rest)),
    Command::new("lineprofile", "[FRAMES]", "cycles by source line of the last frames (60)", |desk, rest| desk.line_profile(rest)),
    Command::new("basicprofile", "[FRAMES]", "cycles by BASIC line of the last frames (60)", |desk, rest| desk.basic_profile(rest)),
    Command::new("trace", "[N] [in ADDRESS-ADDRESS] [if EXPRESSION]", "the last instructions that ran", |desk, rest| desk.trace(rest)),
    Command::new("diff", "MOMENT [MOMENT]", "what differs between two moments, or one and now", |desk, rest| desk.difference(rest)),
    Command::new("whoset", "VARIABLE", "the last store into a BASIC variable, and its line", |desk, rest| desk.who_set(rest)),
    Command::new("where", "", "where the machine is", |desk, _| told(vec![desk.here()])),
    Command::new("branches", "", "futures that were left", |desk, _| desk.branches()),
    Command::new("switch", "BRANCH", "back to one of them", |desk, rest| desk.switch(rest)),
    Command::new("help", "[COMMAND]", "this list", |_, rest| {
        if !rest.is_empty() && Command::named(rest).is_none() {
            return Err(super::no_command(rest));
        }
        let wanted = Command::all().filter(|command| rest.is_empty() || command.is(rest));
        told(wanted.map(|command| command.line()).collect())
    }),
    Command::new("quit q", "", "leave", |_, _| Ok(Output { quit: true, ..Output::default() })),
];

impl Desk<'_> {
    /// Runs to a breakpoint, or for as many frames.
    pub(super) fn run_frames(&mut self, frames: u64) -> Stop {
        let frame = u64::from(self.machine().bus().video.antic.lines()) * crate::LINE;
        self.debugger.run(self.debuggee, frames * frame)
    }

    fn run(&mut self, rest: &str) -> Result<Output, String> {
        let frames = Self::count(rest, 600)?.min(1_000_000) as u64;
        let stop = self.run_frames(frames);
        let mut lines = self.stopped("run", stop, None);
        if stop == Stop::Limit {
            lines[0] = format!("{frames} frames have run");
        }
        Ok(Output {
            lines,
            moved: true,
            quit: false,
        })
    }

    fn go_to(&mut self, rest: &str) -> Result<Output, String> {
        let moment = self.number(rest)?;
        let moment = u64::try_from(moment).map_err(|_| format!("{moment} is no moment"))?;
        if !self.debuggee.go_to(Moment(moment)) {
            return Err("that moment is not recorded".to_owned());
        }
        Ok(self.moved(Vec::new()))
    }

    fn dlis(&self) -> Result<Output, String> {
        let timeline = self.debugger.dli_timeline(self.track());
        let timeline = timeline.ok_or("the last frame is not recorded")?;
        told(timeline.lines(&self.place_name()))
    }

    /// The number of a breakpoint.
    fn breakpoint(&self, rest: &str) -> Result<u32, String> {
        let last = self.debugger.breakpoints.list().last().map(|b| b.id);
        let number = last
            .filter(|_| rest == "last")
            .or_else(|| rest.parse().ok());
        number.ok_or_else(|| "the number of a breakpoint is wanted; breaks shows them".to_owned())
    }

    fn clear(&mut self, rest: &str) -> Result<Output, String> {
        if rest == "all" {
            self.debugger.breakpoints.clear();
            return told(Vec::new());
        }
        let number = self.breakpoint(rest)?;
        if !self.debugger.breakpoints.remove(number) {
            return Err(format!("there is no breakpoint {number}"));
        }
        told(Vec::new())
    }

    fn enable(&mut self, rest: &str, on: bool) -> Result<Output, String> {
        let number = self.breakpoint(rest)?;
        if !self.debugger.breakpoints.enable(number, on) {
            return Err(format!("there is no breakpoint {number}"));
        }
        told(Vec::new())
    }

    fn print(&mut self, rest: &str) -> Result<Output, String> {
        let address = self.bare_address(rest).map(|at| format!("${at:04X}"));
        let text = address.as_deref().unwrap_or(rest);
        told(vec![self.debugger.evaluate(self.track(), text)?.text])
    }

    /// Parameters and variables of the C function that runs.
    fn locals(&self) -> Result<Output, String> {
        let scope = self.debugger.scope(self.track(), None);
        let function = scope.function().ok_or("no C function runs here")?;
        let line = |variable: &crate::CVariable| {
            format!(
                "{} = {}",
                variable.name,
                scope.text(self.machine(), variable)
            )
        };
        let locals = scope.locals();
        let mut lines = vec![format!("in {function}")];
        lines.extend(locals.iter().map(line));
        told(lines)
    }

    /// The calls and interrupts that have not returned, the latest first.
    fn stack(&self) -> Result<Output, String> {
        let pc = crate::instruction_address(&self.machine().cpu);
        let calls = self.debugger.call_stack(self.track());
        let below = calls.iter().map(|call| (call.at, call.interrupt));
        let line = |(at, interrupt): (u16, Option<crate::Entry>)| {
            let source = self.debugger.sources.line_at(at);
            let source = source.map_or(String::new(), |at| {
                format!(" ({})", self.debugger.sources.name(at))
            });
            let interrupted =
                interrupt.map_or(String::new(), |by| format!(", interrupted by {by}"));
            let name = self.debugger.routine_name(at);
            format!("${at:04X} {name}{source}{interrupted}")
        };
        told(std::iter::once((pc, None)).chain(below).map(line).collect())
    }

    fn code(&mut self, rest: &str) -> Result<Output, String> {
        let (first, others) = parts(rest);
        let address = match first {
            "" => crate::instruction_address(&self.machine().cpu),
            first => self.address(first)?,
        };
        let count = Self::count(others, 12)?.min(4096);
        self.debugger.learn_executed(self.debuggee.track());
        let lines = view::code(self.machine(), self.debugger, address, count);
        told(Self::code_lines(&lines))
    }

    fn memory(&mut self, rest: &str) -> Result<Output, String> {
        let (first, others) = parts(rest);
        let count = Self::count(others, 8)?.min(4096);
        let lines = view::memory(self.machine(), self.address(first)?, count);
        told(lines.iter().map(view::MemoryLine::line).collect())
    }

    fn find(&mut self, rest: &str) -> Result<Output, String> {
        let bytes = Self::pattern(rest)?;
        let at = |address: u16| {
            bytes.iter().enumerate().all(|(n, byte)| {
                let here = self.machine().peek(address.wrapping_add(n as u16));
                byte.is_none_or(|byte| byte == here)
            })
        };
        let found = (0..=0xFFFFu16).filter(|&address| !crate::is_chip(address) && at(address));
        let lines = found.take(64).map(|address| format!("${address:04X}"));
        told(lines.collect())
    }

    fn branches(&self) -> Result<Output, String> {
        let branches = self.track().timeline().branches();
        let lines = branches.map(|branch| {
            let (from, newest) = (branch.from.0, branch.newest.0);
            format!("{} from moment {from} to {newest}", branch.id.0)
        });
        told(lines.collect())
    }

    fn switch(&mut self, rest: &str) -> Result<Output, String> {
        let id: u32 = rest
            .parse()
            .map_err(|_| format!("\"{}\" is no number of a branch", clip(rest)))?;
        if !self.debuggee.switch(session::timeline::BranchId(id)) {
            return Err(format!("there is no branch {id}"));
        }
        Ok(self.moved(Vec::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_command_is_given_once() {
        let names: Vec<&str> = Command::all()
            .flat_map(|command| command.names.split(' '))
            .collect();
        for name in &names {
            let same = names.iter().filter(|other| *other == name).count();
            assert_eq!(same, 1, "{name}");
        }
    }
}
