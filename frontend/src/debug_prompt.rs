//! `anticlock debug PROGRAM`: the debugger's commands at a terminal, or from a file.
mod editor;

use crate::cli::Debug;
use crate::debug_files;
use crate::failure::Failure;
use crate::files;
use crate::host::{Found, Host};
use debugger::basic::Basic;
use debugger::{Debugger, Limits, Output, Step, Stop, Timeline, execute};
use editor::Editor;
use machine::Machine;
use session::{Kind, Origin, Outcome, Session};
use std::io::{BufRead, IsTerminal, Write};

/// Frames after which a program that still loads is taken as it is.
const ENOUGH: u64 = 3600;

/// A program that was started for the debugger.
pub struct Started {
    /// With names, sources and what the user had set up.
    pub debugger: Debugger,
    /// At power-on, or before the first line of a BASIC program of the user's; before that there is recorded time to go back to.
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
    let program = &found.program;
    let is_basic = matches!(program.kind, Kind::Basic(_)) && program.origin == Origin::User;
    let to_first_line = is_basic && options.frames.is_none();
    if to_first_line {
        session.remember(Limits::debugger());
    }
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
    let (mut machine, past) = session.into_parts();
    let mut debugger = Debugger::default();
    if let Some(past) = past {
        debugger.history.attach(past, &machine);
        rewind_to_first_line(&mut debugger, &mut machine);
    }
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

/// Goes back to where RUN has found the program's first line and not begun it, so that a breakpoint there is seen; stays where nothing runs.
fn rewind_to_first_line(debugger: &mut Debugger, machine: &mut Machine) {
    let end = debugger.history.moment_of(machine);
    let first = debugger.history.timeline().map(Timeline::oldest);
    let mut there = first.is_some_and(|first| debugger.goto(machine, first));
    while there {
        // RUN itself is a statement of no line.
        let stop = debugger.step(machine, Step::BasicLine);
        let now = debugger.history.moment_of(machine);
        if stop == Stop::Done && Basic::of(machine).is_some_and(|basic| basic.line.is_some()) {
            debugger.step_back(machine, Step::Cycle);
            return;
        }
        there = now < end;
    }
    debugger.goto(machine, end);
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
        let are = if known == 1 { " is" } else { "s are" };
        greeting.push(format!(
            "{known} breakpoint{are} set from the last time; breaks lists them"
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
