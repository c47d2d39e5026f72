//! `anticlock dap`: the debugger as an adapter of the Debug Adapter Protocol, over the standard streams or a port of this computer.
//!
//! Messages are JSON; only what the protocol's specification (microsoft.github.io/debug-adapter-protocol) asks for is read, and unknown
//! fields are left alone. A thread reads messages, so that a running program can be paused.
mod adapter;
mod breakpoints;
mod memory;
mod places;
mod variables;
mod wire;

use crate::cli::Dap;
use crate::failure::Failure;
use adapter::Adapter;
use serde_json::Value;
use std::io::{BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use wire::{Wire, read};

/// Serves one client over the standard streams, or one after the other over a port.
///
/// # Errors
/// A port that cannot be opened, or an output that cannot be written.
pub fn run(options: &Dap) -> Result<(), Failure> {
    let Some(port) = options.port else {
        return serve(std::io::stdin(), std::io::stdout());
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| Failure::input(format!("port {port} cannot be opened: {error}")))?;
    let port = listener.local_addr().map_or(port, |address| address.port());
    crate::failure::tell(format!("debug adapter on 127.0.0.1:{port}"));
    for client in listener.incoming() {
        let Ok(client) = client else {
            continue;
        };
        let Ok(input) = client.try_clone() else {
            continue;
        };
        if let Err(failure) = serve(input, client) {
            crate::failure::tell(failure);
        }
    }
    Ok(())
}

/// Serves one client until it disconnects.
fn serve(input: impl Read + Send + 'static, output: impl Write) -> Result<(), Failure> {
    let (sender, requests) = channel();
    // The thread ends with the input, or when this function has.
    std::thread::spawn(move || {
        let mut input = BufReader::new(input);
        loop {
            let message = read(&mut input);
            let last = !matches!(message, Ok(Some(_)));
            if sender.send(message).is_err() || last {
                break;
            }
        }
    });
    let mut adapter = Adapter::new(Wire::new(output));
    let served = converse(&mut adapter, &requests);
    // However the client leaves, what programs wrote goes to their files.
    let finished = adapter.finish().map_err(Failure::input);
    served.and(finished)
}

fn converse<W: Write>(
    adapter: &mut Adapter<W>,
    requests: &Receiver<std::io::Result<Option<Value>>>,
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
        if adapter
            .handle(&request)
            .map_err(|error| unwritable(&error))?
        {
            return Ok(());
        }
    }
}

fn unwritable(error: &std::io::Error) -> Failure {
    Failure::input(format!("the client cannot be answered: {error}"))
}
