//! `anticlock debug PROGRAM`: the debugger's commands at a terminal, or from a file.
mod editor;

use debugger::Output;
use editor::Editor;
use host::failure::Failure;
use host::files;
use host::options::DebugOptions;
use host::platform::signals;
use host::started::{Started, start};
use std::io::{BufRead, IsTerminal, Write};

/// Starts the program and does what the commands say.
///
/// # Errors
/// A file that is not usable, or, with a file of commands, one that is not understood.
pub fn run(options: &DebugOptions, out: &mut impl Write) -> Result<(), Failure> {
    let mut started = start(options)?;
    started.writes_pictures = true;
    for remark in &started.remarks {
        host::failure::tell(remark);
    }
    let done = commands(&mut started, options, out);
    // What programs wrote comes first, however it ends.
    let finished = started.finish();
    done.and(finished)
}

fn commands(
    started: &mut Started,
    options: &DebugOptions,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if let Some(path) = &options.commands {
        let text = files::read(path)?;
        for (number, line) in String::from_utf8_lossy(&text).lines().enumerate() {
            let output = started
                .execute(line)
                .map_err(|error| Failure::file(path, format!("line {}: {error}", number + 1)))?;
            print(out, &output.lines)?;
            if output.quit {
                return Ok(());
            }
        }
        return Ok(());
    }
    if std::io::stdin().is_terminal() {
        terminal(started, out)?;
        if !options.fresh {
            started.keep_settings("")?;
        }
        return Ok(());
    }
    for line in std::io::stdin().lock().lines() {
        let line =
            line.map_err(|error| Failure::input(format!("the commands cannot be read: {error}")))?;
        let output = started.execute(&line).map_err(Failure::input)?;
        print(out, &output.lines)?;
        if output.quit {
            break;
        }
    }
    Ok(())
}

/// Lines from the user, with history and completion.
fn terminal(started: &mut Started, out: &mut impl Write) -> Result<(), Failure> {
    let mut editor = Editor::new()?;
    // ^C ends a command; at the prompt the editor has it.
    signals::interrupt(&started.debugger.interrupt.flag());
    let known = started.debugger.breakpoints.list().len();
    let mut greeting = vec!["help lists the commands, Tab completes, quit leaves".to_owned()];
    if known > 0 {
        let are = if known == 1 { " is" } else { "s are" };
        greeting.push(format!(
            "{known} breakpoint{are} set from the last time; breaks lists them"
        ));
    }
    print(out, &greeting)?;
    let mut last = String::new();
    while let Some(typed) = editor.line(&started.debugger)? {
        // RETURN by itself repeats the last command.
        let line = if typed.trim().is_empty() {
            last.clone()
        } else {
            typed
        };
        started.debugger.interrupt.clear();
        match started.execute(&line) {
            Ok(Output { lines, moved, quit }) => {
                print(out, &lines)?;
                if quit {
                    break;
                }
                last = if moved { line } else { String::new() };
            }
            Err(error) => print(out, &[error])?,
        }
    }
    editor.keep();
    Ok(())
}

fn unwritable(error: &std::io::Error) -> Failure {
    Failure::input(format!("the output cannot be written: {error}"))
}

fn print(out: &mut impl Write, lines: &[String]) -> Result<(), Failure> {
    for line in lines {
        writeln!(out, "{line}").map_err(|error| unwritable(&error))?;
    }
    out.flush().map_err(|error| unwritable(&error))
}
