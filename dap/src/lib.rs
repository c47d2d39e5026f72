//! `anticlock dap`: the debugger as an adapter of the Debug Adapter Protocol, over the standard streams or a port of this computer.
//!
//! Messages are JSON; only what the protocol's specification (microsoft.github.io/debug-adapter-protocol) asks for is read, and unknown
//! fields are ignored. A thread reads messages, so that a running program can be paused.
//!
//! A client's program runs on a [`Stage`]: by itself, or in a window in which the user plays at the same time.
mod access;
mod adapter;
mod breakpoints;
mod c_variables;
mod client;
mod expressions;
mod faces;
mod jumps;
mod memory;
mod panel;
mod places;
mod port;
mod program;
mod reasons;
mod stage;
mod variables;
mod wire;

use access::{Access, Writes};
pub use adapter::Left;
use clap::Args;
pub use client::Client;
use host::failure::Failure;
use host::options::{columns, number};
use host::started::Started;
pub use port::{Door, Guest};
use session::Columns;
use stage::Bare;
pub use stage::Stage;
use std::io::{Read, Write};
use std::path::PathBuf;

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

/// Result of showing a program in a window.
pub enum Shown {
    /// The window was opened, and is closed again; whether something failed meanwhile.
    Closed(Box<Client>, Result<(), Failure>),
    /// No window can be opened, and why.
    Refused(Box<Client>, Box<Started>, String),
}

/// Shows a client's program in a window until that is closed or the client leaves.
pub type ShowIn<'a> = &'a dyn Fn(Box<Client>, Box<Started>) -> Shown;

/// Serves one client over the standard streams, or all that know the token over a port. Over the standard streams a program that is launched is
/// shown in a window, where there is one.
///
/// # Errors
/// A port that cannot be opened, a client that does not keep to the protocol, or an output that cannot be written.
pub fn run(options: &Options, window: Option<ShowIn<'_>>) -> Result<(), Failure> {
    let writes = Writes::new(options);
    if let Some(port) = options.port {
        return port::serve(port, &writes);
    }
    let client = Client::new(std::io::stdin(), std::io::stdout(), writes, Access::open());
    serve(client, window)
}

/// Serves one client over any two streams; its programs write nothing, and have no window.
///
/// # Errors
/// A client that does not keep to the protocol, or an output that cannot be written.
pub fn converse(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), Failure> {
    serve(
        Client::new(input, output, Writes::default(), Access::open()),
        None,
    )
}

/// Serves one client until it leaves.
fn serve(client: Client, window: Option<ShowIn<'_>>) -> Result<(), Failure> {
    let (mut client, mut stage) = (Box::new(client), Bare::default());
    let answered = loop {
        match client.turn(&mut stage, true) {
            Ok(None) => client.look_around(&mut stage)?,
            Ok(Some(_)) if !client.has_left() => {}
            Ok(Some(_)) => break Ok(()),
            Err(failure) => break Err(failure),
        }
        if client.takes_window()
            && let Some(show) = window
            && let Some(started) = stage.started.take()
        {
            match show(client, Box::new(started)) {
                Shown::Closed(back, result) => {
                    client = back;
                    if result.is_err() || client.has_left() {
                        break result;
                    }
                }
                Shown::Refused(back, started, why) => {
                    client = back;
                    stage.started = Some(*started);
                    client.say(&format!("running without a window: {why}"))?;
                }
            }
            continue;
        }
        if let Some((stop, moved)) = stage.run() {
            client.ran(&mut stage, stop, moved)?;
        }
    };
    // However the client leaves, the files that programs wrote are stored.
    let finished = stage.started.as_mut().map_or(Ok(()), Started::finish);
    answered.and(finished)
}
