//! `anticlock dap`: the debugger as an adapter of the Debug Adapter Protocol, over the standard streams or a port of this computer.
//!
//! Messages are JSON; only what the protocol's specification (microsoft.github.io/debug-adapter-protocol) asks for is read, and unknown
//! fields are left alone. A thread reads messages, so that a running program can be paused.
mod access;
mod adapter;
mod breakpoints;
mod c_variables;
mod expressions;
mod jumps;
mod memory;
mod panel;
mod places;
mod port;
mod reasons;
mod sentence;
mod variables;
mod wire;

use access::{Access, Writes};
use adapter::Adapter;
use clap::Args;
use debugger::Interrupt;
use host::failure::Failure;
use host::options::{columns, number};
use serde_json::Value;
use session::Columns;
use std::io::{BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use wire::{Wire, read};

/// Arguments of the debug adapter.
#[derive(Debug, Args)]
pub struct Options {
    /// Listen on this port of 127.0.0.1 in place of the standard streams; 0 chooses one. A client launches with a "token": the one in
    /// ANTICLOCK_DAP_TOKEN, or one that is printed
    #[arg(long, value_name = "N", value_parser = number(0..=u16::MAX), allow_negative_numbers = true)]
    pub port: Option<u16>,
    /// Append what programs print to this file: as text, or as it was sent (ATASCII) where the name ends with .prn
    #[arg(long, value_name = "FILE")]
    pub printer: Option<PathBuf>,
    /// The printer's columns: 40 (820), or 80 (825, 1025)
    #[arg(long, value_name = "N", value_parser = columns, requires = "printer", default_value = "40")]
    pub printer_columns: Columns,
    /// Show this folder to programs as H:; given again, the next ones as H2: to H4:
    #[arg(long, value_name = "FOLDER")]
    pub host: Vec<PathBuf>,
    /// Let programs change the files of that folder
    #[arg(long, requires = "host")]
    pub host_write: bool,
}

/// Serves one client over the standard streams, or all that know the token over a port.
///
/// # Errors
/// A port that cannot be opened, a client that does not keep to the protocol, or an output that cannot be written.
pub fn run(options: &Options) -> Result<(), Failure> {
    let writes = Writes::new(options);
    match options.port {
        Some(port) => port::serve(port, &writes),
        None => serve(std::io::stdin(), std::io::stdout(), writes, &Access::open()),
    }
}

/// Serves one client over any two streams; its programs write nothing.
///
/// # Errors
/// A client that does not keep to the protocol, or an output that cannot be written.
pub fn converse(input: impl Read + Send + 'static, output: impl Write) -> Result<(), Failure> {
    serve(input, output, Writes::default(), &Access::open())
}

/// Serves one client until it disconnects.
fn serve(
    input: impl Read + Send + 'static,
    output: impl Write,
    writes: Writes,
    access: &Access,
) -> Result<(), Failure> {
    let (sender, requests) = channel();
    // The thread ends with the input, or when this function has.
    let interrupt = Interrupt::default();
    let asked = interrupt.clone();
    std::thread::spawn(move || {
        let mut input = BufReader::new(input);
        loop {
            let message = read(&mut input);
            if matches!(&message, Ok(Some(request)) if ends(request)) {
                asked.request();
            }
            let last = !matches!(message, Ok(Some(_)));
            if sender.send(message).is_err() || last {
                break;
            }
        }
    });
    let mut adapter = Adapter::new(Wire::new(output), writes, interrupt.clone());
    let answered = answer(&mut adapter, &requests, access, &interrupt);
    // However the client leaves, what programs wrote goes to their files.
    let finished = adapter.finish().map_err(Failure::input);
    answered.and(finished)
}

/// Answers requests until the client leaves.
fn answer<W: Write>(
    adapter: &mut Adapter<W>,
    requests: &Receiver<std::io::Result<Option<Value>>>,
    access: &Access,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    loop {
        let message = if adapter.is_running() {
            match requests.try_recv() {
                Ok(message) => Some(message),
                Err(TryRecvError::Empty) => {
                    adapter.run_on().map_err(|error| unwritable(&error))?;
                    None
                }
                Err(TryRecvError::Disconnected) => return Ok(()),
            }
        } else {
            match requests.recv() {
                Ok(message) => Some(message),
                Err(_) => return Ok(()),
            }
        };
        let request = match message {
            None => continue,
            Some(Ok(Some(request))) => request,
            Some(Ok(None)) => return Ok(()),
            Some(Err(error)) => {
                return Err(Failure::input(format!(
                    "a message of the debug adapter protocol cannot be read: {error}"
                )));
            }
        };
        if ends(&request) {
            // What it ended has ended.
            interrupt.clear();
        }
        if let Err(sentence) = access.pass(&request) {
            adapter
                .refuse(&request, sentence)
                .map_err(|error| unwritable(&error))?;
            return Err(Failure::input(sentence));
        }
        if adapter
            .handle(&request)
            .map_err(|error| unwritable(&error))?
        {
            return Ok(());
        }
    }
}

/// True if a request ends what another one has begun.
fn ends(request: &Value) -> bool {
    let command = request["command"].as_str();
    matches!(command, Some("pause" | "terminate" | "disconnect"))
}

fn unwritable(error: &std::io::Error) -> Failure {
    Failure::input(format!("the client cannot be answered: {error}"))
}
