//! The debugger's command language: what a prompt, the view's command line, script files and tests say.
//!
//! A line is a command and its arguments; `help` lists them all. Addresses are labels, numbers (`$D01A`; a bare word of four hexadecimal
//! digits is one, too) or expressions.

mod breaks;
mod completion;
mod edit;
mod past;
mod settings;
mod steps;
mod table;
mod time;

use crate::expression::{Context, Expression, clip};
use crate::watch::Stop;
use crate::{Debugger, Moment, assemble, basic, view};
pub use completion::complete;
use machine::Machine;
use table::COMMANDS;

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

/// Does a command.
///
/// # Errors
/// One sentence on what is wrong; then nothing has changed.
pub fn execute(
    debugger: &mut Debugger,
    machine: &mut Machine,
    line: &str,
) -> Result<Output, String> {
    let line = without_comment(line).trim();
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

/// A line without what follows a semicolon, but for one in a message.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let end = line.find(|c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    end.map_or(line, |end| &line[..end])
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
        if let Some((_, code)) = self.debugger.sources.place(text) {
            return Ok(code[0]);
        }
        let value = self.number(text)?;
        u16::try_from(value).map_err(|_| format!("{value} is no address"))
    }

    fn range(&self, text: &str) -> Result<std::ops::RangeInclusive<u16>, String> {
        // A minus sign in brackets belongs to an expression.
        let mut depth = 0;
        let between = text.char_indices().find(|&(at, c)| {
            depth += i32::from(matches!(c, '[' | '(')) - i32::from(matches!(c, ']' | ')'));
            c == '-' && depth == 0 && at > 0
        });
        let Some((from, to)) = between.map(|(at, _)| (&text[..at], &text[at + 1..])) else {
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
                let frame = u64::from(self.machine.bus().video.antic.lines()) * crate::LINE;
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
                let breakpoints = &mut self.debugger.breakpoints;
                let last = breakpoints.list().last().map(|b| b.id);
                let number = last
                    .filter(|_| rest == "last")
                    .or_else(|| rest.parse().ok())
                    .ok_or("the number of a breakpoint is wanted; breaks shows them")?;
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
            "log" => tell(self.take_log()),
            "watch" => self.watch(rest),
            "unwatch" => self.unwatch(rest),
            "watches" => tell(self.watches()),
            "settings" => tell(
                self.debugger
                    .settings()
                    .lines()
                    .map(str::to_owned)
                    .collect(),
            ),
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
                self.debugger.learn_executed(self.machine);
                let lines = view::code(self.machine, self.debugger, address, count);
                tell(Self::code_lines(&lines))
            }
            "mem" => {
                let count = Self::count(others, 8)?.min(4096);
                let lines = view::memory(self.machine, self.address(first)?, count);
                tell(lines.iter().map(view::MemoryLine::line).collect())
            }
            "find" => {
                let bytes = Self::pattern(rest)?;
                let at = |address: u16| {
                    bytes.iter().enumerate().all(|(n, byte)| {
                        let here = self.machine.peek(address.wrapping_add(n as u16));
                        byte.is_none_or(|byte| byte == here)
                    })
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
            "source" => self.source(rest),
            "label" => {
                let address = self.address(others)?;
                self.debugger.add_label(first, address);
                tell(Vec::new())
            }
            "basic" => {
                let basic = basic::Basic::of(self.machine).ok_or("BASIC does not run here")?;
                tell(basic.lines())
            }
            "blist" => self.basic_list(rest),
            "profile" => self.profile(rest),
            "basicprofile" => self.basic_profile(rest),
            "trace" => self.trace(rest),
            "diff" => self.difference(rest),
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
}
