//! Failures, each in one sentence, with the exit status that goes with it.
use std::io::Write;
use std::path::Path;

/// Says a sentence on the standard error stream. A closed stream is not an error.
pub fn tell(sentence: impl std::fmt::Display) {
    let _ = writeln!(
        std::io::stderr(),
        "anticlock: {}",
        plain(&sentence.to_string())
    );
}

/// Characters of the first line of a message, and of each that follows (those show what was read).
const LONGEST: (usize, usize) = (500, 200);
/// Bytes after which a message ends.
const ENOUGH: usize = 1900;

/// A message as a terminal may have it: names of files and lines of text can hold anything, also commands to the terminal.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(4096));
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        if out.len() >= ENOUGH {
            out.push_str("...");
            break;
        }
        let longest = if number == 0 { LONGEST.0 } else { LONGEST.1 };
        let mut characters = line.chars();
        for character in characters.by_ref().take(longest) {
            if out.len() >= ENOUGH {
                out.push_str("...");
                return out;
            }
            if is_command(character) {
                out.extend(character.escape_default());
            } else {
                out.push(character);
            }
        }
        if characters.next().is_some() {
            out.push_str("...");
        }
    }
    out
}

/// Control characters, and those that turn the direction of writing.
fn is_command(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

impl From<session::Trouble> for Failure {
    fn from(trouble: session::Trouble) -> Self {
        match trouble {
            session::Trouble::DoesNotFit(_) => Self::input(trouble.to_string()),
            session::Trouble::Differs(_) => Self::Expectation(trouble.to_string()),
        }
    }
}

/// Reason why the program ends without having done its task.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The command line or a file is not usable: exit status 2.
    #[error("{0}")]
    Input(String),
    /// An expectation of a script was not met: exit status 1.
    #[error("{0}")]
    Expectation(String),
    /// A signal asked the program to end, which it did in order: exit status 128 and the signal's number.
    #[error("ended by signal {number}; {}", if *.complete { "everything was written" } else { "not everything could be written" })]
    Signal {
        /// The signal's number.
        number: u8,
        /// True if all data of programs and all output that the command line asked for are in files.
        complete: bool,
    },
}

impl Failure {
    /// A file or argument that is not usable.
    pub fn input(sentence: impl Into<String>) -> Self {
        Self::Input(sentence.into())
    }

    /// A problem with a named file.
    pub fn file(path: &Path, problem: impl std::fmt::Display) -> Self {
        Self::Input(format!("{}: {problem}", path.display()))
    }

    /// The exit status of the process.
    pub fn status(&self) -> u8 {
        match self {
            Self::Input(_) => 2,
            Self::Expectation(_) => 1,
            Self::Signal { number, .. } => 128 + number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_echoed_commands_the_terminal_or_fills_it() {
        assert_eq!(
            plain("a\u{1B}[2Jb\u{9B}31m\r\nz\u{202E}"),
            "a\\u{1b}[2Jb\\u{9b}31m\\r\nz\\u{202e}"
        );
        assert_eq!(plain("caf\u{e9} \u{2665}"), "caf\u{e9} \u{2665}");
        let long = plain(&format!("{}\n{}", "x".repeat(1 << 20), "y".repeat(1 << 20)));
        assert_eq!(long.len(), 500 + 3 + 1 + 200 + 3);
        for long in [
            "\u{1B}".repeat(1 << 20),
            "x\n".repeat(1 << 20),
            "\n".repeat(1 << 20),
        ] {
            let long = [&long[..], &long].join("\n");
            assert!(plain(&long).len() < 2000);
            assert!(plain(&long.repeat(2).replace('\u{1B}', "\n\u{1B}")).len() < 2000);
        }
    }
}
