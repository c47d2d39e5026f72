//! The line that is being typed: history, completion by Tab, and the usual keys of a shell.
use debugger::{Debugger, complete};
use host::config;
use host::failure::Failure;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{Config, Context, Helper, Highlighter, Hinter, Validator};
use std::path::PathBuf;

/// Lines of history that are kept.
const HISTORY: usize = 1000;

/// The completer of words.
#[derive(Default, Helper, Hinter, Highlighter, Validator)]
struct Words {
    /// Has the labels of the debugger that is used.
    names: Debugger,
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = &line[..position];
        let is_word = |c: char| c.is_alphanumeric() || "_.@?:".contains(c);
        let start = typed
            .char_indices()
            .rev()
            .find(|(_, c)| !is_word(*c))
            .map_or(0, |(at, c)| at + c.len_utf8());
        Ok((start, complete(&self.names, None, typed)))
    }
}

/// Reads lines from a terminal.
pub struct Editor {
    editor: rustyline::Editor<Words, DefaultHistory>,
    history: PathBuf,
}

impl Editor {
    /// # Errors
    /// A terminal that does not let itself be used.
    pub fn new() -> Result<Self, Failure> {
        let failed =
            |error: ReadlineError| Failure::input(format!("the terminal cannot be used: {error}"));
        let settings = Config::builder()
            .max_history_size(HISTORY)
            .map_err(failed)?
            .auto_add_history(true)
            .build();
        let mut editor = rustyline::Editor::with_config(settings).map_err(failed)?;
        editor.set_helper(Some(Words::default()));
        let history = config::debugger().join("history");
        // The first time the file does not exist.
        let _ = editor.load_history(&history);
        Ok(Self { editor, history })
    }

    /// The next line; none at the end of input. Ctrl+C throws away what was typed.
    ///
    /// # Errors
    /// A terminal that cannot be read.
    pub fn line(&mut self, debugger: &Debugger) -> Result<Option<String>, Failure> {
        if let Some(words) = self.editor.helper_mut() {
            words.names.symbols.clone_from(&debugger.symbols);
        }
        match self.editor.readline("> ") {
            Ok(line) => Ok(Some(line)),
            Err(ReadlineError::Interrupted) => Ok(Some("where".to_owned())),
            Err(ReadlineError::Eof) => Ok(None),
            Err(error) => Err(Failure::input(format!(
                "the commands cannot be read: {error}"
            ))),
        }
    }

    /// Keeps the history for the next time; where that fails, nothing is lost but the history.
    pub fn keep(&mut self) {
        if let Some(folder) = self.history.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = self.editor.save_history(&self.history);
    }
}
