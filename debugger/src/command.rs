//! The debugger's command language: what a prompt, the view's command line, script files and tests say.
//!
//! A line is a command and its arguments; `help` lists them all. Addresses are labels, numbers (`$D01A`; a bare word of four hexadecimal
//! digits is one, too) or expressions.

use crate::breakpoints::Place;
use crate::expression::{Context, Expression, clip};
use crate::frame_log::Kind;
use crate::search::{Cause, Target, WhenQuery, WriteQuery, origin};
use crate::watch::{Entry, Stop};
use crate::{Debugger, Moment, Step, assemble, basic, view};
use machine::Machine;

/// What came of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Lines of text.
    pub lines: Vec<String>,
    /// The machine was moved in time or changed.
    pub moved: bool,
    /// The user wants to leave.
    pub quit: bool,
}

/// The commands: names, what follows them, what they do.
const COMMANDS: &[(&str, &str, &str)] = &[
    (
        "run r",
        "[FRAMES]",
        "run to a breakpoint, at most so many frames (600)",
    ),
    ("into s", "[N]", "one instruction"),
    ("over n", "[N]", "one instruction, calls as a whole"),
    ("out", "", "to the end of the routine"),
    ("cycle c", "[N]", "one machine cycle"),
    ("line l", "[N]", "to the next scan line"),
    ("frame f", "[N]", "to the next frame"),
    ("list", "[N]", "to the next display list instruction"),
    ("dli", "[N]", "to the next display list interrupt"),
    (
        "routine",
        "[N]",
        "to the routine of the display list interrupt",
    ),
    ("dliend", "[N]", "to the end of the display list interrupt"),
    ("vbi", "[N]", "to the next vertical blank interrupt"),
    ("statement", "[N]", "to the next BASIC statement"),
    ("basicline", "[N]", "to the next BASIC line"),
    ("to", "ADDRESS", "to the instruction at an address"),
    ("beam", "LINE [CYCLE]", "to a place of the beam"),
    ("pixel", "X Y", "to the cycle that draws a pixel"),
    (
        "nth",
        "N",
        "to display list interrupt N of the next frame, from 0",
    ),
    (
        "back b",
        "[STEP]",
        "any step backwards; alone: to the last breakpoint",
    ),
    ("goto", "MOMENT", "to a moment of the recorded time"),
    (
        "when",
        "[last] EXPRESSION",
        "the first (or last) time that it became true",
    ),
    ("who", "ADDRESS[-ADDRESS]", "the last store into an address"),
    (
        "stores",
        "ADDRESS[-ADDRESS]",
        "all recorded stores, the latest first",
    ),
    (
        "origin",
        "ADDRESS",
        "where its byte came from, through copies",
    ),
    ("why", "X Y", "why a pixel is as it is"),
    (
        "dlis",
        "",
        "the display list interrupts of the last frame, and what looks wrong",
    ),
    (
        "map",
        "[LINE]",
        "what happened in the last frame: registers, interrupts; or all of a line",
    ),
    ("strip", "LINE", "whose the 114 cycles of a line were"),
    ("share", "", "whose the cycles of the last frame were"),
    (
        "break",
        "PLACE [if EXPRESSION] [after N] [once] [log]",
        "a breakpoint: ADDRESS, read, write or access ADDRESS[-ADDRESS], beam LINE [CYCLE], dli, vbi, irq, opcode N, cio [LETTER], sio [DEVICE], sector N, basic LINE, stack",
    ),
    ("clear", "NUMBER | all", "remove a breakpoint"),
    ("enable", "NUMBER", "switch a breakpoint on"),
    ("disable", "NUMBER", "switch a breakpoint off"),
    ("breaks", "", "the breakpoints"),
    ("print p", "EXPRESSION", "its value"),
    ("cpu", "", "the processor"),
    ("antic", "", "ANTIC"),
    ("gtia", "", "GTIA"),
    ("pokey", "", "POKEY"),
    ("pia", "", "the PIA"),
    ("dlist", "", "the display list"),
    ("code", "[ADDRESS] [LINES]", "disassembly"),
    ("mem", "ADDRESS [LINES]", "memory"),
    ("find", "BYTES", "where these bytes are in memory"),
    ("poke", "ADDRESS BYTES", "write bytes"),
    ("asm", "ADDRESS INSTRUCTION", "assemble into memory"),
    ("set", "REGISTER VALUE", "load A, X, Y, S, P or PC"),
    ("label", "NAME ADDRESS", "name an address"),
    ("basic", "", "BASIC: line, stack, variables"),
    (
        "whoset",
        "VARIABLE",
        "the last store into a BASIC variable, and its line",
    ),
    ("where", "", "where the machine is"),
    ("branches", "", "futures that were left"),
    ("switch", "BRANCH", "back to one of them"),
    ("help", "[COMMAND]", "this list"),
    ("quit q", "", "leave"),
];

/// Cycles between two looks at a long query.
const PIECE: u64 = 60 * 262 * crate::LINE;

/// Does a command.
///
/// # Errors
/// One sentence on what is wrong; then nothing has changed.
pub fn execute(
    debugger: &mut Debugger,
    machine: &mut Machine,
    line: &str,
) -> Result<Output, String> {
    let line = line.split(';').next().unwrap_or("").trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    if word.is_empty() {
        return Ok(Output::default());
    }
    let Some(name) = canonical(word) else {
        return Err(format!(
            "there is no command \"{}\"; help lists them",
            clip(word)
        ));
    };
    let mut desk = Desk { debugger, machine };
    if let Some(step) = desk.step(name, rest)? {
        let (step, count) = step;
        return Ok(desk.forwards(step, count));
    }
    desk.command(name, rest)
}

/// The words that may come next, for a line that is being typed.
pub fn complete(debugger: &Debugger, line: &str) -> Vec<String> {
    let start = line.rfind(|c: char| c.is_whitespace() || "[(+-*/&|=<>!".contains(c));
    let (before, word) = start.map_or(("", line), |at| line.split_at(at + 1));
    if before.trim().is_empty() {
        let names = COMMANDS.iter().flat_map(|(names, ..)| names.split(' '));
        return names
            .filter(|name| name.starts_with(word))
            .map(str::to_owned)
            .collect();
    }
    if word.is_empty() {
        return Vec::new();
    }
    let mut words: Vec<String> = Expression::names()
        .filter(|name| name.starts_with(word))
        .map(str::to_owned)
        .collect();
    words.extend(
        debugger
            .symbols
            .names_from(word)
            .take(200)
            .map(str::to_owned),
    );
    words
}

/// The first name of a command.
fn canonical(word: &str) -> Option<&'static str> {
    COMMANDS
        .iter()
        .find(|(names, ..)| names.split(' ').any(|name| name.eq_ignore_ascii_case(word)))
        .and_then(|(names, ..)| names.split(' ').next())
}

struct Desk<'a> {
    debugger: &'a mut Debugger,
    machine: &'a mut Machine,
}

impl Desk<'_> {
    fn name(&self) -> impl Fn(u16) -> Option<String> {
        let symbols = &self.debugger.symbols;
        move |address| symbols.name(address).map(str::to_owned)
    }

    fn number(&self, text: &str) -> Result<i64, String> {
        // Four hexadecimal digits are an address even without a sign, unless they are a label or a decimal number is meant.
        if text.len() == 4
            && text.chars().all(|c| c.is_ascii_hexdigit())
            && self.debugger.symbols.address_any_case(text).is_none()
            && let Ok(address) = u16::from_str_radix(text, 16)
        {
            return Ok(address.into());
        }
        let expression = Expression::parse(text, &self.debugger.symbols)?;
        Ok(expression.value(&Context::of(self.machine)))
    }

    fn address(&self, text: &str) -> Result<u16, String> {
        if text.is_empty() {
            return Err("an address is missing".to_owned());
        }
        let value = self.number(text)?;
        u16::try_from(value).map_err(|_| format!("{value} is no address"))
    }

    fn range(&self, text: &str) -> Result<std::ops::RangeInclusive<u16>, String> {
        let Some((from, to)) = text.split_once('-').filter(|(from, _)| !from.is_empty()) else {
            return self.address(text).map(|address| address..=address);
        };
        let (from, to) = (self.address(from.trim())?, self.address(to.trim())?);
        if from > to {
            return Err(format!("{} ends before it begins", clip(text)));
        }
        Ok(from..=to)
    }

    fn count(text: &str, normal: usize) -> Result<usize, String> {
        if text.is_empty() {
            return Ok(normal);
        }
        text.parse()
            .map_err(|_| format!("\"{}\" is no number", clip(text)))
    }

    /// A step and how often.
    fn step(&self, name: &str, rest: &str) -> Result<Option<(Step, usize)>, String> {
        let mut words = rest.split_whitespace();
        let step = match name {
            "into" => Step::Instruction,
            "over" => Step::Over,
            "out" => Step::Out,
            "cycle" => Step::Cycle,
            "line" => Step::Line,
            "frame" => Step::Frame,
            "list" => Step::DisplayList,
            "dli" => Step::Dli,
            "routine" => Step::DliRoutine,
            "dliend" => Step::DliEnd,
            "vbi" => Step::Vbi,
            "statement" => Step::Statement,
            "basicline" => Step::BasicLine,
            "to" => return Ok(Some((Step::To(self.address(rest)?), 1))),
            "beam" => {
                let (line, cycle) = self.beam(words.next(), words.next())?;
                return Ok(Some((Step::Beam(line, cycle), 1)));
            }
            "pixel" => {
                let (x, y) = Self::pixel(rest)?;
                return Ok(Some((Step::to_pixel(x, y), 1)));
            }
            _ => return Ok(None),
        };
        Ok(Some((step, Self::count(rest, 1)?.min(1_000_000))))
    }

    fn beam(&self, line: Option<&str>, cycle: Option<&str>) -> Result<(u16, u8), String> {
        let lines = self.machine.bus.video.antic.lines();
        let line = line
            .and_then(|word| word.parse().ok())
            .filter(|&line| line < lines);
        let cycle = cycle
            .map_or(Some(0), |word| word.parse().ok())
            .filter(|&cycle| cycle < 114);
        line.zip(cycle).ok_or_else(|| {
            format!(
                "a line from 0 to {} and a cycle from 0 to 113 are wanted",
                lines - 1
            )
        })
    }

    fn pixel(rest: &str) -> Result<(usize, usize), String> {
        let mut words = rest
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|w| !w.is_empty());
        let mut number = |limit: usize| {
            words
                .next()
                .and_then(|word| word.parse().ok())
                .filter(|&n: &usize| n < limit)
        };
        number(376)
            .zip(number(240))
            .ok_or_else(|| "a pixel has a column from 0 to 375 and a row from 0 to 239".to_owned())
    }

    fn here(&self) -> String {
        let machine = &*self.machine;
        let beam = machine.beam();
        let pc = crate::instruction_address(&machine.cpu);
        let code = view::code_from(
            machine,
            &self.debugger.symbols,
            &self.debugger.breakpoints,
            pc,
            1,
        );
        format!(
            "line {} cycle {} frame {} moment {}: {}",
            beam.line,
            beam.cycle,
            machine.frame().number(),
            self.debugger.history.moment_of(machine).0,
            code.first()
                .map_or(String::new(), |line| line.line().trim().to_owned())
        )
    }

    fn stopped(&self, step: &str, stop: Stop) -> Vec<String> {
        let mut lines = Vec::new();
        match stop {
            Stop::Done => {}
            Stop::Breakpoint(number) => lines.push(format!("breakpoint {number}")),
            Stop::Limit => lines.push(format!(
                "{step}: not within ten seconds of the machine's time"
            )),
            Stop::Jammed => lines.push("the processor is jammed".to_owned()),
        }
        lines.push(self.here());
        lines
    }

    fn forwards(&mut self, step: Step, count: usize) -> Output {
        let mut stop = Stop::Done;
        for _ in 0..count {
            stop = self.debugger.step(self.machine, step);
            if stop != Stop::Done {
                break;
            }
        }
        Output {
            lines: self.stopped(step.name(), stop),
            moved: true,
            quit: false,
        }
    }

    fn moved(&self, lines: Vec<String>) -> Output {
        let mut lines = lines;
        lines.push(self.here());
        Output {
            lines,
            moved: true,
            quit: false,
        }
    }

    fn back(&mut self, rest: &str) -> Result<Output, String> {
        let no_further = || "the recorded time does not reach back so far".to_owned();
        if rest.is_empty() {
            if !self.debugger.run_back(self.machine) {
                return Err("there is no breakpoint in the recorded time".to_owned());
            }
            return Ok(self.moved(Vec::new()));
        }
        let (word, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let name = canonical(word).ok_or_else(|| format!("there is no step \"{}\"", clip(word)))?;
        let (step, count) = self
            .step(name, arguments.trim())?
            .ok_or_else(|| format!("{name} is no step"))?;
        for _ in 0..count {
            if !self.debugger.step_back(self.machine, step) {
                return Err(no_further());
            }
        }
        Ok(self.moved(Vec::new()))
    }

    fn command(&mut self, name: &str, rest: &str) -> Result<Output, String> {
        let tell = |lines: Vec<String>| {
            Ok(Output {
                lines,
                ..Output::default()
            })
        };
        let (first, others) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let others = others.trim();
        match name {
            "run" => {
                let frames = Self::count(rest, 600)?.min(1_000_000) as u64;
                let frame = u64::from(self.machine.bus.video.antic.lines()) * crate::LINE;
                let stop = self.debugger.run(self.machine, frames * frame);
                let mut lines = self.stopped("run", stop);
                if stop == Stop::Limit {
                    lines[0] = format!("{frames} frames have run");
                }
                Ok(Output {
                    lines,
                    moved: true,
                    quit: false,
                })
            }
            "back" => self.back(rest),
            "goto" => {
                let moment = self.number(rest)?;
                let moment = u64::try_from(moment).map_err(|_| format!("{moment} is no moment"))?;
                if !self.debugger.goto(self.machine, Moment(moment)) {
                    return Err("that moment is not recorded".to_owned());
                }
                Ok(self.moved(Vec::new()))
            }
            "nth" => {
                let number = Self::count(rest, 0)?;
                self.debugger.step(self.machine, Step::Frame);
                Ok(self.forwards(Step::Dli, number + 1))
            }
            "when" => self.when(rest),
            "who" => self.who(rest),
            "stores" => self.stores(rest),
            "origin" => self.origin(rest),
            "why" => self.why(rest),
            "dlis" => {
                let timeline = self
                    .debugger
                    .dli_timeline(self.machine)
                    .ok_or("the last frame is not recorded")?;
                tell(timeline.lines(&self.name()))
            }
            "map" | "strip" | "share" => self.map(name, rest),
            "break" => self.add_breakpoint(rest),
            "clear" if rest == "all" => {
                self.debugger.breakpoints.clear();
                tell(Vec::new())
            }
            "clear" | "enable" | "disable" => {
                let number = rest.parse().map_err(|_| {
                    "the number of a breakpoint is wanted; breaks shows them".to_owned()
                })?;
                let breakpoints = &mut self.debugger.breakpoints;
                let done = match name {
                    "clear" => breakpoints.remove(number),
                    _ => breakpoints.enable(number, name == "enable"),
                };
                if done {
                    tell(Vec::new())
                } else {
                    Err(format!("there is no breakpoint {number}"))
                }
            }
            "breaks" => tell(self.breakpoints()),
            "print" => {
                let value = self.number(rest)?;
                let character = match value {
                    0x20..=0x7E => format!(" '{}'", value as u8 as char),
                    _ => String::new(),
                };
                tell(vec![format!("{value} ${value:X}{character}")])
            }
            "cpu" => tell(view::Cpu::of(self.machine).lines()),
            "antic" => tell(view::Antic::of(self.machine).lines()),
            "gtia" => tell(view::Gtia::of(self.machine).lines()),
            "pokey" => tell(view::Pokey::of(self.machine).lines()),
            "pia" => tell(view::Pia::of(self.machine).lines()),
            "dlist" => tell(view::DisplayList::of(self.machine).lines()),
            "code" => {
                let address = match first {
                    "" => crate::instruction_address(&self.machine.cpu),
                    first => self.address(first)?,
                };
                let count = Self::count(others, 12)?.min(4096);
                let Debugger {
                    symbols,
                    breakpoints,
                    ..
                } = &*self.debugger;
                let lines = view::code_from(self.machine, symbols, breakpoints, address, count);
                tell(lines.iter().map(view::CodeLine::line).collect())
            }
            "mem" => {
                let count = Self::count(others, 8)?.min(4096);
                let lines = view::memory(self.machine, self.address(first)?, count);
                tell(lines.iter().map(view::MemoryLine::line).collect())
            }
            "find" => {
                let bytes = Self::bytes(rest)?;
                let at = |address: u16| {
                    bytes
                        .iter()
                        .enumerate()
                        .all(|(n, &byte)| self.machine.peek(address.wrapping_add(n as u16)) == byte)
                };
                let found =
                    (0..=0xFFFFu16).filter(|&address| !crate::is_chip(address) && at(address));
                tell(
                    found
                        .take(64)
                        .map(|address| format!("${address:04X}"))
                        .collect(),
                )
            }
            "poke" => {
                let address = self.address(first)?;
                let bytes = Self::bytes(others)?;
                self.write(address, &bytes)
            }
            "asm" => {
                let address = self.address(first)?;
                let bytes = assemble(others, address, &self.debugger.symbols)?;
                self.write(address, &bytes)
            }
            "set" => self.set(first, others),
            "label" => {
                let address = self.address(others)?;
                self.debugger.symbols.add(address, first);
                tell(Vec::new())
            }
            "basic" => {
                let basic = basic::Basic::of(self.machine).ok_or("BASIC does not run here")?;
                tell(basic.lines())
            }
            "whoset" => self.who_set(rest),
            "where" => tell(vec![self.here()]),
            "branches" => {
                self.debugger.history.follow(self.machine);
                let timeline = self.debugger.history.timeline();
                let lines = timeline.into_iter().flat_map(|timeline| {
                    timeline.branches().map(|branch| {
                        format!(
                            "{} from moment {} to {}",
                            branch.id.0, branch.from.0, branch.newest.0
                        )
                    })
                });
                tell(lines.collect())
            }
            "switch" => {
                let id = rest
                    .parse()
                    .map_err(|_| "the number of a branch is wanted".to_owned())?;
                if !self.debugger.history.switch(self.machine, id) {
                    return Err(format!("there is no branch {id}"));
                }
                Ok(self.moved(Vec::new()))
            }
            "help" => tell(
                COMMANDS
                    .iter()
                    .filter(|(names, ..)| rest.is_empty() || names.split(' ').any(|n| n == rest))
                    .map(|(names, arguments, what)| {
                        format!(
                            "{:<28} {what}",
                            format!("{} {arguments}", names.replace(' ', ", "))
                        )
                    })
                    .collect(),
            ),
            _ => Ok(Output {
                quit: true,
                ..Output::default()
            }),
        }
    }

    fn bytes(text: &str) -> Result<Vec<u8>, String> {
        let byte = |word: &str| {
            u8::from_str_radix(word.trim_start_matches('$'), 16)
                .map_err(|_| format!("\"{}\" is no byte in hexadecimal", clip(word)))
        };
        let bytes: Vec<u8> = text
            .split_whitespace()
            .map(byte)
            .collect::<Result<_, _>>()?;
        if bytes.is_empty() {
            return Err("bytes in hexadecimal are wanted".to_owned());
        }
        Ok(bytes)
    }

    fn write(&mut self, address: u16, bytes: &[u8]) -> Result<Output, String> {
        if bytes.len() > 0x1000 || crate::is_chip(address) {
            return Err("registers of chips are not written by hand".to_owned());
        }
        self.debugger.history.follow(self.machine);
        for (n, &byte) in bytes.iter().enumerate() {
            let at = address.wrapping_add(n as u16);
            self.debugger.history.poke(self.machine, at, byte);
        }
        Ok(Output {
            lines: vec![view::memory(self.machine, address, 1)[0].line()],
            moved: true,
            quit: false,
        })
    }

    fn set(&mut self, register: &str, value: &str) -> Result<Output, String> {
        let register = register.to_ascii_lowercase();
        let value = self.number(value.trim_start_matches('=').trim())?;
        let limit = if register == "pc" { 0xFFFF } else { 0xFF };
        if !(0..=limit).contains(&value) {
            return Err(format!("{value} does not fit into {register}"));
        }
        if !["pc", "a", "x", "y", "s", "p"].contains(&register.as_str()) {
            return Err(format!("there is no register \"{}\"", clip(&register)));
        }
        if !self.machine.cpu.at_instruction_start() && register == "pc" {
            return Err("PC is set between two instructions: step into first".to_owned());
        }
        self.debugger.history.follow(self.machine);
        let cpu = &mut self.machine.cpu;
        match register.as_str() {
            "pc" => cpu.set_pc(value as u16),
            "a" => cpu.a = value as u8,
            "x" => cpu.x = value as u8,
            "y" => cpu.y = value as u8,
            "s" => cpu.s = value as u8,
            _ => cpu.set_p(value as u8),
        }
        self.debugger.history.record_change(self.machine);
        Ok(self.moved(Vec::new()))
    }

    fn add_breakpoint(&mut self, rest: &str) -> Result<Output, String> {
        let (place, condition) = match rest.split_once(" if ") {
            Some((place, condition)) => (place, Some(condition)),
            None => (rest, None),
        };
        // Options may stand before or after the condition.
        let mut options = Options::default();
        let place = options.take(place)?;
        let condition = condition.map(|text| options.take(text)).transpose()?;
        let condition = condition
            .map(|text| Expression::parse(&text, &self.debugger.symbols))
            .transpose()?;
        let place = self.place(&place)?;
        let breakpoints = &mut self.debugger.breakpoints;
        let id = breakpoints.add(place);
        breakpoints.change(id, |breakpoint| {
            breakpoint.condition = condition;
            breakpoint.ignore = options.ignore;
            breakpoint.once = options.once;
            breakpoint.log = options.log;
        });
        Ok(Output {
            lines: self.breakpoints().pop().into_iter().collect(),
            ..Output::default()
        })
    }

    fn place(&self, text: &str) -> Result<Place, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let byte = |word: &str| {
            u8::try_from(self.number(word)?).map_err(|_| format!("\"{}\" is no byte", clip(word)))
        };
        let number = |word: &str| {
            word.parse()
                .map_err(|_| format!("\"{}\" is no number", clip(word)))
        };
        Ok(match words[..] {
            ["dli"] => Place::Interrupt(Entry::Dli),
            ["vbi"] => Place::Interrupt(Entry::Vbi),
            ["irq"] => Place::Interrupt(Entry::Irq),
            ["reset"] => Place::Interrupt(Entry::Reset),
            ["stack"] => Place::StackWrap,
            ["brk"] => Place::Opcode(0),
            ["read", ..] => Place::Read(self.range(&words[1..].join(" "))?),
            ["write", ..] => Place::Write(self.range(&words[1..].join(" "))?),
            ["access", ..] => Place::Access(self.range(&words[1..].join(" "))?),
            ["beam", line] => {
                let (line, cycle) = self.beam(Some(line), None)?;
                Place::Beam(line, cycle)
            }
            ["beam", line, cycle] => {
                let (line, cycle) = self.beam(Some(line), Some(cycle))?;
                Place::Beam(line, cycle)
            }
            ["opcode", word] => Place::Opcode(byte(word)?),
            ["cio"] => Place::Cio(None),
            ["cio", letter] => Place::Cio(letter.bytes().next().map(|b| b.to_ascii_uppercase())),
            ["sio"] => Place::Sio(None),
            ["sio", device] => Place::Sio(Some(byte(device)?)),
            ["sector", sector] => Place::Sector(number(sector)?),
            ["basic", line] => Place::BasicLine(number(line)?),
            [] => {
                return Err(
                    "break needs a place: an address, read, write, beam, dli, vbi ...".to_owned(),
                );
            }
            _ => Place::Pc(self.address(text.trim())?),
        })
    }

    fn breakpoints(&self) -> Vec<String> {
        let name = self.name();
        let text = |b: &crate::Breakpoint| {
            let mut words = vec![format!(
                "{:2} {} {}",
                b.id,
                if b.enabled { "on " } else { "off" },
                b.place.describe(&name)
            )];
            words.extend(
                b.condition
                    .as_ref()
                    .map(|condition| format!("if {condition}")),
            );
            if b.ignore != 0 {
                words.push(format!("after {}", b.ignore));
            }
            if b.once {
                words.push("once".to_owned());
            }
            if b.log {
                words.push("log".to_owned());
            }
            if b.hits != 0 {
                words.push(format!(" ({} hits)", b.hits));
            }
            words.join(" ")
        };
        self.debugger.breakpoints.list().iter().map(text).collect()
    }

    fn when(&mut self, rest: &str) -> Result<Output, String> {
        let (last, text) = match rest.strip_prefix("last ") {
            Some(text) => (true, text),
            None => (false, rest),
        };
        let condition = Expression::parse(text, &self.debugger.symbols)?;
        self.debugger.history.follow(self.machine);
        let now = self.debugger.history.moment_of(self.machine);
        let timeline = self
            .debugger
            .history
            .timeline()
            .ok_or("nothing is recorded")?;
        let mut query = if last {
            WhenQuery::last(condition, Moment(0), now)
        } else {
            WhenQuery::first(condition, Moment(0), now)
        };
        while !query.advance(timeline, PIECE).done {}
        let found = query
            .found()
            .ok_or("it was never true in the recorded time")?;
        let beam = timeline.machine_at(found).map(|machine| machine.beam());
        let beam = beam.map_or(String::new(), |beam| {
            format!(", line {} cycle {}", beam.line, beam.cycle)
        });
        Ok(Output {
            lines: vec![format!("moment {}{beam}", found.0)],
            ..Output::default()
        })
    }

    fn detail(&self, detail: &crate::Detail) -> String {
        let name = self.name();
        let named = |address: u16| {
            name(address).map_or(format!("${address:04X}"), |n| {
                format!("{n} (${address:04X})")
            })
        };
        let before = detail
            .before
            .map_or(String::new(), |before| format!(", before ${before:02X}"));
        format!(
            "moment {} frame {} line {} cycle {}: {} = ${:02X}{before}, by {}",
            detail.write.at.0,
            detail.frame,
            detail.beam.0,
            detail.beam.1,
            named(detail.write.address),
            detail.write.data,
            named(detail.pc)
        )
    }

    fn writes(&mut self, rest: &str, all: bool) -> Result<Vec<crate::Write>, String> {
        let target = Target::new(self.range(rest)?);
        self.debugger.history.follow(self.machine);
        let now = self.debugger.history.moment_of(self.machine);
        let timeline = self
            .debugger
            .history
            .timeline()
            .ok_or("nothing is recorded")?;
        let query = if all {
            WriteQuery::all(target, Moment(0), now)
        } else {
            WriteQuery::last(target, now)
        };
        Ok(query.finish(timeline))
    }

    fn who(&mut self, rest: &str) -> Result<Output, String> {
        let writes = self.writes(rest, false)?;
        let timeline = self.debugger.history.timeline();
        let detail = writes
            .first()
            .zip(timeline)
            .and_then(|(write, timeline)| write.detail(timeline));
        let detail = detail.ok_or("nothing was stored there in the recorded time")?;
        Ok(Output {
            lines: vec![self.detail(&detail)],
            ..Output::default()
        })
    }

    fn stores(&mut self, rest: &str) -> Result<Output, String> {
        let writes = self.writes(rest, true)?;
        let text = |write: &crate::Write| {
            format!(
                "moment {}: ${:04X} = ${:02X}",
                write.at.0, write.address, write.data
            )
        };
        let mut lines = vec![format!("{} stores", writes.len())];
        lines.extend(writes.iter().take(40).map(text));
        Ok(Output {
            lines,
            ..Output::default()
        })
    }

    fn origin(&mut self, rest: &str) -> Result<Output, String> {
        let address = self.address(rest)?;
        self.debugger.history.follow(self.machine);
        let now = self.debugger.history.moment_of(self.machine);
        let timeline = self
            .debugger
            .history
            .timeline()
            .ok_or("nothing is recorded")?;
        let chain = origin(timeline, address, now);
        let text = |cause: &Cause| match cause {
            Cause::Copied { by, from } => format!("{}, copied from ${from:04X}", self.detail(by)),
            Cause::Immediate { by, at } => format!("{}, a constant at ${at:04X}", self.detail(by)),
            Cause::Computed { by, at } => format!("{}, worked out at ${at:04X}", self.detail(by)),
            Cause::NotStored(address) => {
                format!("${address:04X}: nothing stored it in the recorded time")
            }
        };
        Ok(Output {
            lines: chain.iter().map(text).collect(),
            ..Output::default()
        })
    }

    fn why(&mut self, rest: &str) -> Result<Output, String> {
        let (x, y) = Self::pixel(rest)?;
        let cause = self
            .debugger
            .cause_of_row(self.machine, x, y)
            .ok_or("the frame of that pixel is not recorded")?;
        let why = cause.why(x, y).ok_or("that pixel was not drawn")?;
        Ok(Output {
            lines: why.lines(&cause, &self.name()),
            ..Output::default()
        })
    }

    fn map(&mut self, name: &str, rest: &str) -> Result<Output, String> {
        let log = self
            .debugger
            .frame_log(self.machine)
            .ok_or("the last frame is not recorded")?;
        let line = if rest.is_empty() {
            None
        } else {
            Some(self.beam(Some(rest), None)?.0)
        };
        let names = self.name();
        let lines = match (name, line) {
            ("strip", Some(line)) => vec![log.strip(line)],
            ("strip", None) => return Err("strip needs a line".to_owned()),
            ("share", _) => {
                let share = log.share(log.start, log.end());
                let all: u32 = share.iter().sum();
                crate::Owner::ALL
                    .iter()
                    .zip(share)
                    .map(|(owner, cycles)| {
                        let percent = f64::from(cycles) * 100.0 / f64::from(all.max(1));
                        format!("{:<18} {cycles:6} {percent:5.1} %", owner.name())
                    })
                    .collect()
            }
            (_, Some(line)) => log
                .between(log.time(line, 0), log.time(line + 1, 0))
                .iter()
                .map(|event| log.line(event, &names))
                .collect(),
            (_, None) => log
                .events
                .iter()
                .filter(|e| {
                    e.is_register_access()
                        || matches!(
                            e.kind,
                            Kind::Nmi | Kind::Irq | Kind::Entry(_) | Kind::Return
                        )
                })
                .map(|event| log.line(event, &names))
                .collect(),
        };
        Ok(Output {
            lines,
            ..Output::default()
        })
    }

    fn who_set(&mut self, rest: &str) -> Result<Output, String> {
        let (address, length) = basic::Basic::address_of(self.machine, rest)
            .ok_or_else(|| format!("there is no variable \"{}\"", clip(rest)))?;
        let range = Target::new(address..=address.saturating_add(length - 1));
        self.debugger.history.follow(self.machine);
        let now = self.debugger.history.moment_of(self.machine);
        let timeline = self
            .debugger
            .history
            .timeline()
            .ok_or("nothing is recorded")?;
        let write = WriteQuery::last(range, now)
            .finish(timeline)
            .first()
            .copied();
        let found = write.and_then(|write| {
            let machine = timeline.machine_at(write.at)?;
            Some((write.detail(timeline)?, basic::Basic::of(&machine)))
        });
        let (detail, basic) = found.ok_or("nothing has set it in the recorded time")?;
        let line = basic.map_or("outside BASIC".to_owned(), |basic| match basic.line {
            Some(line) => format!("line {line} statement {}", basic.statement),
            None => "an immediate command".to_owned(),
        });
        Ok(Output {
            lines: vec![format!(
                "{rest} was set by {line}, moment {}",
                detail.write.at.0
            )],
            ..Output::default()
        })
    }
}

/// What may follow the place of a breakpoint.
#[derive(Default)]
struct Options {
    ignore: u32,
    once: bool,
    log: bool,
}

impl Options {
    /// Takes the options from the end of a text; what is left.
    fn take(&mut self, text: &str) -> Result<String, String> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        loop {
            match words[..] {
                [.., "once"] => {
                    self.once = true;
                    words.pop();
                }
                [.., "log"] => {
                    self.log = true;
                    words.pop();
                }
                [.., "after", count] => {
                    self.ignore = count
                        .parse()
                        .map_err(|_| format!("\"{}\" is no number", clip(count)))?;
                    words.truncate(words.len() - 2);
                }
                _ => return Ok(words.join(" ")),
            }
        }
    }
}
