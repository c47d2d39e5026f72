//! `anticlock debug PROGRAM`: the debugger's commands at a terminal, or from a file.
use crate::cli::Debug;
use crate::failure::Failure;
use crate::files;
use crate::host::{Found, Host};
use debugger::{Debugger, execute};
use machine::Machine;
use session::{Outcome, Session};
use std::io::{BufRead, IsTerminal, Write};

/// Frames after which a program that still loads is taken as it is.
const ENOUGH: u64 = 3600;

/// Starts the program and does what the commands say.
///
/// # Errors
/// A file that is not usable, or, with a file of commands, one that is not understood.
pub fn run(options: &Debug, out: &mut impl Write) -> Result<(), Failure> {
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
    add_symbols(&mut debugger, &machine);
    if let Some(path) = &options.labels {
        let text = files::read(path)?;
        debugger
            .symbols
            .add_file(&String::from_utf8_lossy(&text))
            .map_err(|error| Failure::file(path, error))?;
    }
    if let Some(path) = &options.commands {
        let text = files::read(path)?;
        for (number, line) in String::from_utf8_lossy(&text).lines().enumerate() {
            let output = execute(&mut debugger, &mut machine, line)
                .map_err(|error| Failure::file(path, format!("line {}: {error}", number + 1)))?;
            print(out, &output.lines)?;
            if output.quit {
                return Ok(());
            }
        }
        return Ok(());
    }
    prompt(&mut debugger, &mut machine, out)
}

fn prompt(
    debugger: &mut Debugger,
    machine: &mut Machine,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let input = std::io::stdin();
    let terminal = input.is_terminal();
    if terminal {
        print(out, &["help lists the commands, quit leaves".to_owned()])?;
    }
    let mut last = String::new();
    loop {
        if terminal {
            write!(out, "> ")
                .and_then(|()| out.flush())
                .map_err(|error| unwritable(&error))?;
        }
        let mut line = String::new();
        let length = input
            .lock()
            .read_line(&mut line)
            .map_err(|error| Failure::input(format!("the commands cannot be read: {error}")))?;
        if length == 0 {
            return Ok(());
        }
        // RETURN alone steps again, as the last command did.
        if terminal && line.trim().is_empty() {
            line.clone_from(&last);
        }
        match execute(debugger, machine, &line) {
            Ok(output) => {
                print(out, &output.lines)?;
                if output.quit {
                    return Ok(());
                }
                last = if output.moved { line } else { String::new() };
            }
            Err(error) if terminal => print(out, &[error])?,
            Err(error) => return Err(Failure::input(error)),
        }
    }
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

/// The labels of our ROMs, where the machine has them, and of the hardware.
fn add_symbols(debugger: &mut Debugger, machine: &Machine) {
    let symbols = &mut debugger.symbols;
    symbols.add_hardware();
    let config = machine.config();
    if config.os == roms::OS_XL {
        symbols.extend(roms::OS_XL_SYMBOLS.iter());
    } else if config.os == roms::OS_800 {
        symbols.extend(roms::OS_800_SYMBOLS.iter());
    }
    if config.basic.as_deref() == Some(roms::BASIC) {
        symbols.extend(roms::BASIC_SYMBOLS.iter());
    }
}
