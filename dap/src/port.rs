//! The adapter over a port of this computer.

use super::access::{Access, Writes};
use host::failure::{Failure, tell};
use std::io::{ErrorKind, Read, Result as IoResult};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The variable of the environment with the token; without it the adapter makes one.
const VARIABLE: &str = "ANTICLOCK_DAP_TOKEN";
/// A shorter token could be guessed.
const SHORTEST: usize = 16;
/// Clients that are connected at once; more are turned away.
const CLIENTS: usize = 32;
/// How long a client may take to show the token.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves all clients that know the token, each in a thread of its own, until the process ends.
///
/// # Errors
/// A port that cannot be opened, or a token that is too short.
pub fn serve(port: u16, writes: &Writes) -> Result<(), Failure> {
    let given = std::env::var(VARIABLE).ok();
    if given.as_ref().is_some_and(|token| token.len() < SHORTEST) {
        return Err(Failure::input(format!(
            "the token in {VARIABLE} is too short: it needs {SHORTEST} characters"
        )));
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| Failure::input(format!("port {port} cannot be opened: {error}")))?;
    let port = listener.local_addr().map_or(port, |address| address.port());
    tell(format!("debug adapter on 127.0.0.1:{port}"));
    let token = given.unwrap_or_else(|| {
        let token = format!("{:032x}", rand::random::<u128>());
        tell(format!("token {token}"));
        token
    });
    // One count is the listener's own.
    let connected = Arc::new(());
    for client in listener.incoming() {
        let Ok(client) = client else {
            continue;
        };
        if Arc::strong_count(&connected) > CLIENTS {
            tell("a client was turned away: too many are connected");
            continue;
        }
        let (writes, access) = (writes.clone(), Access::closed(&token));
        let guard = Arc::clone(&connected);
        std::thread::spawn(move || {
            if let Err(failure) = serve_one(&client, writes, &access) {
                tell(failure);
            }
            // The thread that reads has the stream, too.
            let _ = client.shutdown(Shutdown::Both);
            drop(guard);
        });
    }
    Ok(())
}

fn serve_one(client: &TcpStream, writes: Writes, access: &Access) -> Result<(), Failure> {
    let copy = || {
        client
            .try_clone()
            .map_err(|error| Failure::input(format!("a client cannot be served: {error}")))
    };
    let input = Timed {
        stream: copy()?,
        access: access.clone(),
        until: Instant::now() + PATIENCE,
    };
    super::serve(input, copy()?, writes, access)
}

/// Input of a client, with a deadline until it has shown the token.
struct Timed {
    stream: TcpStream,
    access: Access,
    until: Instant,
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> IoResult<usize> {
        loop {
            let stranger = !self.access.is_open();
            let left = self.until.saturating_duration_since(Instant::now());
            if stranger && left.is_zero() {
                return Err(ErrorKind::TimedOut.into());
            }
            self.stream.set_read_timeout(stranger.then_some(left))?;
            match self.stream.read(buffer) {
                // It may have shown the token meanwhile; then there is no limit.
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                result => return result,
            }
        }
    }
}
