//! Breakpoints as text.

use super::{Desk, Output, told};
use crate::breakpoints::{Logged, Message, Place};
use crate::expression::{Expression, clip};
use crate::watch::Entry;

impl Desk<'_> {
    pub(super) fn add_breakpoint(&mut self, rest: &str) -> Result<Output, String> {
        self.new_breakpoint(rest)?;
        let set = self.breakpoints().pop();
        told(set.into_iter().chain(self.set_elsewhere(rest)).collect())
    }

    /// A sentence where a breakpoint is not at the line that was named, because that has no code.
    fn set_elsewhere(&self, rest: &str) -> Option<String> {
        let named = rest.split_whitespace().next()?;
        let (found, _) = self.debugger.sources.place(named)?;
        let (_, wanted) = named.rsplit_once(':')?;
        (wanted.parse() != Ok(found.line)).then(|| {
            format!(
                "{} has no code: the breakpoint is at the next line that has, {}",
                clip(named),
                found.line
            )
        })
    }

    /// Sets a breakpoint by the words after `break`; its number.
    pub(super) fn new_breakpoint(&mut self, rest: &str) -> Result<u32, String> {
        let (rest, message) = match split_message(rest) {
            Some((rest, message)) => {
                let message = message
                    .trim_end()
                    .strip_suffix('"')
                    .ok_or("the message needs its second quote")?;
                (rest, Some(message))
            }
            None => (rest, None),
        };
        let (place, condition) = match rest.split_once(" if ") {
            Some((place, condition)) => (place, Some(condition)),
            None => (rest, None),
        };
        // Options may stand before or after the condition.
        let mut options = Options::default();
        let place = options.take(place)?;
        let condition = condition.map(|text| options.take(text)).transpose()?;
        // `write COLBK = $0E`: the value of the access.
        let (place, value) = match place.split_once(" = ") {
            Some((place, value)) => (place.to_owned(), Some(format!("value == ({value})"))),
            None => (place, None),
        };
        let condition = match (value, condition) {
            (Some(value), Some(condition)) => Some(format!("{value} && ({condition})")),
            (value, condition) => value.or(condition),
        };
        let place = self.place(&place)?;
        let names = self.debugger.names_at(self.track(), &place);
        let condition = condition
            .map(|text| Expression::parse_in(&text, &names))
            .transpose()?;
        let message = message
            .map(|text| Message::parse(text, &names))
            .transpose()?;
        if matches!(place, Place::Uninitialised(_)) {
            let track = self.track();
            let power_on = track.moment_at(0);
            if power_on.is_none_or(|power_on| power_on < track.oldest()) {
                return Err(
                    "the recorded time does not reach back to power-on, where memory is uninitialised"
                        .to_owned(),
                );
            }
        }
        let breakpoints = &mut self.debugger.breakpoints;
        let id = breakpoints.add(place);
        breakpoints.change(id, |breakpoint| {
            breakpoint.condition = condition;
            breakpoint.ignore = options.ignore;
            breakpoint.once = options.once;
            breakpoint.log = options.log || message.is_some();
            breakpoint.message = message;
        });
        Ok(id)
    }

    pub(super) fn place(&self, text: &str) -> Result<Place, String> {
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
            ["routine"] => Place::DliRoutine,
            ["vbi"] => Place::Interrupt(Entry::Vbi),
            ["irq"] => Place::Interrupt(Entry::Irq),
            ["reset"] => Place::Interrupt(Entry::Reset),
            ["stack"] => Place::StackWrap,
            ["interpreted", at, .., "by", pointer] => Place::Interpreted {
                at: self.address(at)?,
                pointer: self.address(pointer)?,
            },
            ["brk"] => Place::Opcode(0),
            ["read", ..] => Place::Read(self.range(&words[1..].join(" "))?),
            ["write", ..] => Place::Write(self.range(&words[1..].join(" "))?),
            ["access", ..] => Place::Access(self.range(&words[1..].join(" "))?),
            ["uninitialised" | "uninit"] => Place::Uninitialised(0..=0xFFFF),
            ["uninitialised" | "uninit", ..] => {
                Place::Uninitialised(self.range(&words[1..].join(" "))?)
            }
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
            _ => {
                let address = self.address(text.trim())?;
                self.debugger.sources.breakpoint(address)
            }
        })
    }

    pub(super) fn breakpoints(&self) -> Vec<String> {
        let name = self.name();
        let text = |b: &crate::Breakpoint| {
            let state = if b.enabled { "on " } else { "off" };
            format!("{:2} {state} {}", b.id, b.line_with_hits(&name))
        };
        self.debugger.breakpoints.list().iter().map(text).collect()
    }

    /// The entries of the log since the last time.
    pub(super) fn take_log(&mut self) -> Vec<String> {
        let logged = self.debugger.breakpoints.take_log();
        let line = |hit: &Logged| {
            format!(
                "log {}: line {} cycle {} moment {} ${:04X}  {}",
                hit.id, hit.beam.0, hit.beam.1, hit.at.0, hit.pc, hit.text
            )
        };
        logged.iter().map(line).collect()
    }

    pub(super) fn watch(&mut self, rest: &str) -> Result<Output, String> {
        let expression = self.debugger.parse(self.track(), rest)?;
        self.debugger.watches.push(expression);
        Ok(Output {
            lines: self.watches(),
            ..Output::default()
        })
    }

    pub(super) fn unwatch(&mut self, rest: &str) -> Result<Output, String> {
        let watches = &mut self.debugger.watches;
        if rest == "all" {
            watches.clear();
            return Ok(Output::default());
        }
        let number = rest
            .parse::<usize>()
            .ok()
            .filter(|&number| (1..=watches.len()).contains(&number))
            .ok_or("the number of a watch is wanted; watches shows them")?;
        watches.remove(number - 1);
        Ok(Output::default())
    }

    /// The watched values. C names mean those of the function that runs now.
    pub(super) fn watches(&self) -> Vec<String> {
        let watches = self.debugger.watched(self.track()).into_iter().zip(1..);
        let line =
            |((name, value), n): ((String, String), usize)| format!("{n:2} {name} = {value}");
        watches.map(line).collect()
    }
}

/// A breakpoint and its message, which a quote begins; a quote after an operator begins a text of BASIC.
fn split_message(text: &str) -> Option<(&str, &str)> {
    let mut in_text = false;
    for (at, _) in text.match_indices('"') {
        let before = text[..at].trim_end();
        if in_text {
            in_text = false;
        } else if before.ends_with(['=', '<', '>', '(', '+', '&', '|']) {
            in_text = true;
        } else {
            return Some((&text[..at], &text[at + 1..]));
        }
    }
    None
}

/// Words with which the place of a breakpoint begins, for completion: those of [`Desk::place`].
pub(super) const PLACES: &[&str] = &[
    "read",
    "write",
    "access",
    "uninitialised",
    "beam",
    "dli",
    "vbi",
    "irq",
    "brk",
    "reset",
    "opcode",
    "cio",
    "sio",
    "sector",
    "basic",
    "stack",
];

/// The options after the place of a breakpoint.
#[derive(Default)]
struct Options {
    ignore: u32,
    once: bool,
    log: bool,
}

impl Options {
    /// Takes the options from the end of a text; returns the rest.
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
