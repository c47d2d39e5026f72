//! `anticlock debug PROGRAM`: the debugger's commands at a terminal, or from a file.
mod editor;

use crate::cli::Debug;
use crate::debug_files;
use crate::failure::Failure;
use crate::files;
use crate::host::{Found, Host};
use debugger::{Debugger, Output, execute};
use editor::Editor;
use machine::Machine;
use session::{Outcome, Session};
use std::io::{BufRead, IsTerminal, Write};

/// Frames after which a program that still loads is taken as it is.
const ENOUGH: u64 = 3600;

/// A program that was started for the debugger.
pub struct Started {
    /// With names, sources and what the user had set up.
    pub debugger: Debugger,
    /// At its first command.
    pub machine: Machine,
    /// What was started.
    pub found: Found,
    /// What was not understood of the files beside it.
    pub remarks: Vec<String>,
}

/// Starts a program, and reads what is known of it.
///
/// # Errors
/// A file that is not usable.
pub fn start(options: &Debug) -> Result<Started, Failure> {
    let found = Found::named(&options.program, &options.machine)?;
    let (mut session, mut host) = Host::switch_on(&options.machine, &found)?;
    let begun = |session: &Session| match options.frames {
        Some(frames) => session.frames() >= frames,
        // BASIC programs are loaded and RUN is typed; the rest begins with power-on.
        None => !session.is_starting() && session.is_idle(),
    };
    while !begun(&session) && session.frames() < options.frames.unwrap_or(ENOUGH) {
        host.serve(&mut session);
        if let Outcome::DoesNotFit(error) = session.run_frame() {
            return Err(Failure::input(error.to_string()));
        }
    }
    // What the program wrote while it started goes to its files; from here on nothing does.
    host.finish(&mut session)?;
    let mut machine = session.machine().clone();
    let mut debugger = Debugger::default();
    let mut remarks = debug_files::names(&mut debugger, &machine, &found);
    for path in &options.labels {
        debug_files::add(&mut debugger, path, false)?;
    }
    if !options.fresh && options.commands.is_none() {
        remarks.extend(debug_files::restore(&mut debugger, &mut machine, &found));
    }
    Ok(Started {
        debugger,
        machine,
        found,
        remarks,
    })
}

/// Starts the program and does what the commands say.
///
/// # Errors
/// A file that is not usable, or, with a file of commands, one that is not understood.
pub fn run(options: &Debug, out: &mut impl Write) -> Result<(), Failure> {
    let mut started = start(options)?;
    for remark in &started.remarks {
        crate::failure::tell(remark);
    }
    let Started {
        debugger, machine, ..
    } = &mut started;
    if let Some(path) = &options.commands {
        let text = files::read(path)?;
        for (number, line) in String::from_utf8_lossy(&text).lines().enumerate() {
            let output = execute(debugger, machine, line)
                .map_err(|error| Failure::file(path, format!("line {}: {error}", number + 1)))?;
            print(out, &output.lines)?;
            if output.quit {
                return Ok(());
            }
        }
        return Ok(());
    }
    if std::io::stdin().is_terminal() {
        terminal(debugger, machine, out)?;
        if !options.fresh {
            debug_files::keep(&started.debugger.settings(), &started.found)?;
        }
        return Ok(());
    }
    for line in std::io::stdin().lock().lines() {
        let line =
            line.map_err(|error| Failure::input(format!("the commands cannot be read: {error}")))?;
        let output = execute(debugger, machine, &line).map_err(Failure::input)?;
        print(out, &output.lines)?;
        if output.quit {
            break;
        }
    }
    Ok(())
}

/// Lines from a person, with history and completion.
fn terminal(
    debugger: &mut Debugger,
    machine: &mut Machine,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut editor = Editor::new()?;
    let known = debugger.breakpoints.list().len();
    let mut greeting = vec!["help lists the commands, Tab completes, quit leaves".to_owned()];
    if known > 0 {
        greeting.push(format!(
            "{known} breakpoints of the last time are set; breaks shows them"
        ));
    }
    print(out, &greeting)?;
    let mut last = String::new();
    while let Some(typed) = editor.line(debugger)? {
        // RETURN alone steps again, as the last command did.
        let line = if typed.trim().is_empty() {
            last.clone()
        } else {
            typed
        };
        match execute(debugger, machine, &line) {
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
