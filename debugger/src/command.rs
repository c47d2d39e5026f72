//! The debugger's command language: for a prompt, the view's command line, script files and tests.
//!
//! A line is a command and its arguments; `help` lists them all. Addresses are labels, numbers (`$D01A`; a bare word of four hexadecimal
//! digits is one, too) or expressions.

mod breaks;
mod completion;
mod edit;
mod past;
mod play;
mod settings;
mod steps;
mod table;
mod time;

use crate::expression::clip;
use crate::{Context, Debuggee, Debugger, Type};
pub use completion::complete;
use machine::Machine;
use session::Track;
use table::{Act, Command};

/// Result of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Lines of text.
    pub lines: Vec<String>,
    /// The machine was moved in time or changed.
    pub moved: bool,
    /// The user wants to leave.
    pub quit: bool,
}

/// Carries out a command.
///
/// # Errors
/// One sentence on the fault; then nothing has changed.
pub fn execute(
    debugger: &mut Debugger,
    debuggee: &mut dyn Debuggee,
    line: &str,
) -> Result<Output, String> {
    let whole = line.trim();
    let line = without_comment(whole).trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    if word.is_empty() {
        return Ok(Output::default());
    }
    let Some(command) = Command::named(word) else {
        return Err(no_command(word));
    };
    // A semicolon in a text to type is typed.
    let rest = if command.takes_text() {
        whole
            .split_once(char::is_whitespace)
            .map_or("", |(_, text)| text.trim())
    } else {
        rest
    };
    let mut desk = Desk::new(debugger, debuggee);
    match command.act {
        Act::Step(kind) => {
            let (step, count) = desk.step(kind, rest)?;
            Ok(desk.forwards(step, count))
        }
        Act::Do(act) => act(&mut desk, rest),
    }
}

/// Message about a word that is no command.
fn no_command(word: &str) -> String {
    format!("there is no command \"{}\"; help lists them", clip(word))
}

/// The description of a command in `help`; `None` if there is no such command.
pub fn help_of(command: &str) -> Option<&'static str> {
    Command::named(command).map(|command| command.help)
}

/// The address of a place as the commands name it: a name, an expression, four hexadecimal digits, a line of a source.
///
/// # Errors
/// One sentence, when there is no such place.
pub fn address(
    debugger: &mut Debugger,
    debuggee: &mut dyn Debuggee,
    place: &str,
) -> Result<u16, String> {
    Desk::new(debugger, debuggee).address(place)
}

/// Sets a breakpoint by the words that `break` takes; its number.
///
/// # Errors
/// One sentence on the fault; then there is no new breakpoint.
pub fn add_breakpoint(
    debugger: &mut Debugger,
    debuggee: &mut dyn Debuggee,
    words: &str,
) -> Result<u32, String> {
    Desk::new(debugger, debuggee).new_breakpoint(words)
}

/// A line without the text after a semicolon, but for one in a message.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let end = line.find(|c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    end.map_or(line, |end| &line[..end])
}

/// Debugger and debuggee during a command.
struct Desk<'a> {
    debugger: &'a mut Debugger,
    debuggee: &'a mut dyn Debuggee,
}

/// Lines of an answer.
#[expect(clippy::unnecessary_wraps, reason = "it is what a command gives")]
fn told(lines: Vec<String>) -> Result<Output, String> {
    Ok(Output {
        lines,
        ..Output::default()
    })
}

impl<'a> Desk<'a> {
    fn new(debugger: &'a mut Debugger, debuggee: &'a mut dyn Debuggee) -> Self {
        let basic_is_there = crate::basic::is_there(debuggee.track().machine());
        debugger.symbols.show_basic(basic_is_there);
        Self { debugger, debuggee }
    }
}

impl Desk<'_> {
    fn track(&self) -> &Track {
        self.debuggee.track()
    }

    fn machine(&self) -> &Machine {
        self.track().machine()
    }

    fn name(&self) -> impl Fn(u16) -> Option<String> {
        let symbols = &self.debugger.symbols;
        move |address| symbols.name(address).map(str::to_owned)
    }

    /// Names of places, with source lines where they are known.
    fn place_name(&self) -> impl Fn(u16) -> Option<String> {
        |address| self.debugger.place_name(address)
    }

    /// Four hexadecimal digits are an address even without a sign, unless they are a name.
    fn bare_address(&self, text: &str) -> Option<u16> {
        let digits = text.len() == 4 && text.chars().all(|c| c.is_ascii_hexdigit());
        let is_name = || {
            self.debugger.symbols.address_any_case(text).is_some()
                || self
                    .debugger
                    .scope(self.track(), None)
                    .variable(text)
                    .is_some()
        };
        (digits && !is_name())
            .then(|| u16::from_str_radix(text, 16).ok())
            .flatten()
    }

    fn number(&self, text: &str) -> Result<i64, String> {
        match self.bare_address(text) {
            Some(address) => Ok(address.into()),
            None => Ok(self.debugger.evaluate(self.track(), text)?.value),
        }
    }

    fn address(&self, text: &str) -> Result<u16, String> {
        if text.is_empty() {
            return Err("an address is missing".to_owned());
        }
        if let Some((_, code)) = self.debugger.sources.place(text) {
            return Ok(code[0]);
        }
        if let Some(bytes) = self.variable(text) {
            return Ok(*bytes.start());
        }
        let value = self.number(text)?;
        u16::try_from(value).map_err(|_| format!("{value} is no address"))
    }

    /// The bytes of a variable of the source that holds a number: where an address is wanted, its place is meant. A pointer means the place
    /// that it points to.
    fn variable(&self, text: &str) -> Option<std::ops::RangeInclusive<u16>> {
        let expression = self.debugger.parse(self.track(), text).ok()?;
        match expression.lvalue(&Context::of(self.machine()))? {
            (first, Type::Int { size, .. }) => {
                Some(first..=first.saturating_add(u16::from(size.saturating_sub(1))))
            }
            _ => None,
        }
    }

    fn range(&self, text: &str) -> Result<std::ops::RangeInclusive<u16>, String> {
        // A minus sign in brackets belongs to an expression.
        let mut depth = 0;
        let between = text.char_indices().find(|&(at, c)| {
            depth += i32::from(matches!(c, '[' | '(')) - i32::from(matches!(c, ']' | ')'));
            c == '-' && depth == 0 && at > 0
        });
        let Some((from, to)) = between.map(|(at, _)| (&text[..at], &text[at + 1..])) else {
            return match self.variable(text) {
                Some(bytes) => Ok(bytes),
                None => self.address(text).map(|address| address..=address),
            };
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
}
