//! Steps in both directions, and the machine's position after them.

use super::table::{Act, Command};
use super::{Desk, Output};
use crate::basic::{Basic, lookup};
use crate::basic_step::BasicStep;
use crate::expression::clip;
use crate::step::{Argument, Kind, Step};
use crate::view;
use crate::watch::Stop;

/// Steps of one command: a step over something takes two milliseconds and more.
const MOST_STEPS: usize = 10_000;

/// Message about steps back that were interrupted.
const INTERRUPTED: &str = "back: interrupted";

impl Desk<'_> {
    /// A step and the number of repetitions.
    pub(super) fn step(&self, kind: &Kind, rest: &str) -> Result<(Step, usize), String> {
        let step = match (kind.step, kind.argument) {
            (_, Argument::Pixel) => {
                let (x, y) = Self::pixel(rest)?;
                Step::to_pixel(x, y)
            }
            (Step::To(_), _) => Step::To(self.address(rest)?),
            (Step::Beam(..), _) => {
                let mut words = rest.split_whitespace();
                let (line, cycle) = self.beam(words.next(), words.next())?;
                Step::Beam(line, cycle)
            }
            (Step::NthDli(_), _) => {
                let number = u16::try_from(Self::count(rest, 0)?)
                    .map_err(|_| format!("\"{}\" is no number of an interrupt", clip(rest)))?;
                Step::NthDli(number)
            }
            (step, Argument::Sources)
                if self.debugger.sources.is_empty() && self.basic_step(step).is_none() =>
            {
                return Err(
                    "no source lines are known: is there a .dbg or .lst file beside the program?"
                        .to_owned(),
                );
            }
            (step, _) => return Ok((step, Self::steps(rest)?)),
        };
        Ok((step, 1))
    }

    /// The number of steps.
    fn steps(rest: &str) -> Result<usize, String> {
        let count = Self::count(rest, 1)?;
        if count > MOST_STEPS {
            return Err(format!("{count} steps are too many: {MOST_STEPS} at most"));
        }
        Ok(count)
    }

    pub(super) fn beam(
        &self,
        line: Option<&str>,
        cycle: Option<&str>,
    ) -> Result<(u16, u8), String> {
        let lines = self.machine().bus().video.antic.lines();
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

    pub(super) fn pixel(rest: &str) -> Result<(usize, usize), String> {
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

    /// Disassembly with source lines, effective addresses and cycles.
    pub(super) fn code_lines(code: &[view::CodeLine]) -> Vec<String> {
        let mut lines = Vec::new();
        for line in code {
            lines.extend(line.source.iter().map(|(_, text)| format!("; {text}")));
            lines.push(line.details());
        }
        lines
    }

    /// The source around the current line, or around `FILE:LINE`.
    pub(super) fn source(&self, rest: &str) -> Result<Output, String> {
        let sources = &self.debugger.sources;
        if sources.is_empty() {
            return Err("no source lines are known".to_owned());
        }
        let current = sources.line_of(self.machine());
        let at = if rest.is_empty() {
            current.ok_or("the processor is not in the program's source")?
        } else {
            let (at, _) = sources
                .place(rest)
                .ok_or_else(|| format!("there is no code at \"{}\"", clip(rest)))?;
            at
        };
        let lines = (at.line.saturating_sub(5).max(1)..=at.line + 5).filter_map(|line| {
            let shown = crate::SourceLine { line, ..at };
            let mark = if current == Some(shown) { '>' } else { ' ' };
            Some(format!("{mark}{line:5} {}", sources.text(shown)?))
        });
        let mut lines: Vec<String> = lines.collect();
        lines.insert(0, sources.name(at));
        Ok(Output {
            lines,
            ..Output::default()
        })
    }

    pub(super) fn here(&self) -> String {
        self.here_since(None)
    }

    /// The position of the machine; of the BASIC statement in which it was already, only the number of its line.
    fn here_since(&self, before: Option<(u16, u8)>) -> String {
        let machine = self.machine();
        let beam = machine.beam();
        let pc = crate::instruction_address(&machine.cpu);
        let code = view::code(machine, self.debugger, pc, 1);
        format!(
            "line {} cycle {} frame {} moment {}: {}{}",
            beam.line,
            beam.cycle,
            machine.frame().number(),
            self.track().moment().0,
            code.first().map_or(String::new(), |line| {
                let mut text = line.line().trim().to_owned();
                if let Some((_, source)) = &line.source {
                    text.push_str("  ; ");
                    text.push_str(source);
                }
                text
            }),
            self.interpreted_place() + &self.basic_place(before)
        )
    }

    /// The line that an interpreter runs, as a comment.
    fn interpreted_place(&self) -> String {
        let sources = &self.debugger.sources;
        let line = sources.interpreted_line(self.machine());
        line.map_or(String::new(), |at| {
            let text = sources.text(at).unwrap_or_default().trim();
            format!("  ; {} {text}", sources.name(at))
        })
    }

    /// The line and statement that BASIC runs.
    fn basic_statement(&self) -> Option<(u16, u8)> {
        let machine = self.machine();
        let basic = lookup::is_there(machine.bus()).then(|| Basic::of(machine));
        let basic = basic.flatten()?;
        Some((basic.line?, basic.statement))
    }

    /// The line that BASIC runs, as a comment.
    fn basic_place(&self, before: Option<(u16, u8)>) -> String {
        let Some((line, statement)) = self.basic_statement() else {
            return String::new();
        };
        if before == Some((line, statement)) {
            return format!("  ; in {line}");
        }
        let text = Basic::of(self.machine()).and_then(|basic| basic.text);
        let text = text.unwrap_or_default();
        format!("  ; {line} {text} (statement {statement})")
    }

    /// The step by BASIC lines that replaces a step by source lines while BASIC runs and the processor is in no source.
    fn basic_step(&self, step: Step) -> Option<BasicStep> {
        let machine = self.machine();
        let in_source = self.debugger.sources.line_of(machine).is_some();
        if in_source || !lookup::is_there(machine.bus()) {
            return None;
        }
        match step {
            Step::Source => Some(BasicStep::Into),
            Step::SourceOver => Some(BasicStep::Over),
            _ => None,
        }
    }

    /// Describes the machine's position after a step; `before`: the BASIC statement in which a step of the processor began.
    pub(super) fn stopped(
        &mut self,
        step: &str,
        stop: Stop,
        before: Option<(u16, u8)>,
    ) -> Vec<String> {
        let mut lines = self.take_log();
        match stop {
            Stop::Done => {}
            Stop::Breakpoint(number) => lines.push(format!("breakpoint {number}")),
            Stop::Limit => lines.push(format!(
                "{step}: not within ten seconds of the machine's time"
            )),
            Stop::Interrupted => lines.push(format!("{step}: interrupted")),
            Stop::Jammed => lines.push("the processor is jammed".to_owned()),
        }
        let before = before.filter(|_| stop == Stop::Done);
        lines.push(self.here_since(before));
        lines.extend(self.watches());
        lines
    }

    /// The statement in which a step of the processor begins; `None` for steps of BASIC, which always show their end.
    fn begun(&self, step: Step) -> Option<(u16, u8)> {
        let is_of_basic = matches!(step, Step::Statement | Step::BasicLine);
        if is_of_basic || self.basic_step(step).is_some() {
            return None;
        }
        self.basic_statement()
    }

    pub(super) fn forwards(&mut self, step: Step, count: usize) -> Output {
        let before = self.begun(step);
        let mut stop = Stop::Done;
        for _ in 0..count {
            stop = match self.basic_step(step) {
                Some(step) => self.debugger.basic_step(self.debuggee, step, false),
                None => self.debugger.step(self.debuggee, step),
            };
            if stop != Stop::Done {
                break;
            }
        }
        Output {
            lines: self.stopped(step.name(), stop, before),
            moved: true,
            quit: false,
        }
    }

    pub(super) fn moved(&self, lines: Vec<String>) -> Output {
        self.moved_since(None, lines)
    }

    fn moved_since(&self, before: Option<(u16, u8)>, lines: Vec<String>) -> Output {
        let mut lines = lines;
        lines.push(self.here_since(before));
        lines.extend(self.watches());
        Output {
            lines,
            moved: true,
            quit: false,
        }
    }

    pub(super) fn back(&mut self, rest: &str) -> Result<Output, String> {
        let no_further = || "the recorded time does not reach back so far".to_owned();
        if rest.is_empty() {
            if !self.debugger.run_back(self.debuggee) {
                if self.debugger.is_interrupted(self.debuggee) {
                    return Err(INTERRUPTED.to_owned());
                }
                return Err("there is no breakpoint in the recorded time".to_owned());
            }
            return Ok(self.moved(Vec::new()));
        }
        let (word, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let Some(Command { act, names, .. }) = Command::named(word) else {
            return Err(format!("there is no step \"{}\"", clip(word)));
        };
        let Act::Step(kind) = act else {
            return Err(format!("{} is no step", names.replace(' ', " or ")));
        };
        let (step, count) = self.step(kind, arguments.trim())?;
        let before = self.begun(step);
        for _ in 0..count {
            let ended = self.debugger.is_interrupted(self.debuggee);
            let went = !ended
                && match self.basic_step(step) {
                    Some(step) => self.debugger.basic_step(self.debuggee, step, true) == Stop::Done,
                    None => self.debugger.step_back(self.debuggee, step),
                };
            if went {
                continue;
            }
            if self.debugger.is_interrupted(self.debuggee) {
                return Ok(self.moved(vec![INTERRUPTED.to_owned()]));
            }
            return Err(no_further());
        }
        Ok(self.moved_since(before, Vec::new()))
    }
}
