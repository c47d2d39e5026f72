//! What can go wrong, in one sentence, and the exit status that goes with it.
use std::io::Write;
use std::path::Path;

/// Says a sentence on the standard error stream. That nobody reads it is no error of its own.
pub fn tell(sentence: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "anticlock: {sentence}");
}

/// Why the program ends without having done what it was asked to do.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The command line or a file is not usable: exit status 2.
    #[error("{0}")]
    Input(String),
    /// An expectation of a script was not met: exit status 1.
    #[error("{0}")]
    Expectation(String),
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
        }
    }
}
