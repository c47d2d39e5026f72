//! The adapter over a port of this computer.

use super::access::{Access, Writes};
use super::client::Client;
use super::stage::Stage;
use host::failure::{Failure, tell};
use std::io::{ErrorKind, Read, Result as IoResult};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The variable of the environment with the token; without it the adapter makes one.
const VARIABLE: &str = "ANTICLOCK_DAP_TOKEN";
/// A shorter token could be guessed.
const SHORTEST: usize = 16;
/// Clients that are connected at once; more are turned away.
const CLIENTS: usize = 32;
/// The time that a client may take to show the token.
const PATIENCE: Duration = Duration::from_secs(10);

/// A port of this computer, and the token that its clients bring.
struct Port {
    listener: TcpListener,
    token: String,
    /// One count is the listener's own.
    connected: Arc<()>,
}

impl Port {
    fn open(port: u16) -> Result<Self, Failure> {
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
        Ok(Self {
            listener,
            token,
            connected: Arc::new(()),
        })
    }

    /// The next stream, with what counts it.
    fn accept(&self) -> (TcpStream, Arc<()>) {
        loop {
            let Ok((stream, _)) = self.listener.accept() else {
                continue;
            };
            if Arc::strong_count(&self.connected) > CLIENTS {
                tell("a client was turned away: too many are connected");
                continue;
            }
            return (stream, Arc::clone(&self.connected));
        }
    }

    fn client(&self, stream: &TcpStream, writes: &Writes) -> Result<Client, Failure> {
        client(stream, writes.clone(), Access::closed(&self.token))
    }
}

fn client(stream: &TcpStream, writes: Writes, access: Access) -> Result<Client, Failure> {
    let copy = || {
        stream
            .try_clone()
            .map_err(|error| Failure::input(format!("a client cannot be served: {error}")))
    };
    let input = Timed {
        stream: copy()?,
        access: access.clone(),
        until: Instant::now() + PATIENCE,
    };
    Ok(Client::new(input, copy()?, writes, access))
}

/// Serves all clients that know the token, each in a thread of its own, until the process ends.
///
/// # Errors
/// A port that cannot be opened, or a token that is too short.
pub fn serve(port: u16, writes: &Writes) -> Result<(), Failure> {
    let port = Port::open(port)?;
    loop {
        let (stream, guard) = port.accept();
        let (writes, access) = (writes.clone(), Access::closed(&port.token));
        std::thread::spawn(move || {
            let served = client(&stream, writes, access);
            if let Err(failure) = served.and_then(|client| super::serve(client, None)) {
                tell(failure);
            }
            // The thread that reads has the stream, too.
            drop(stream.shutdown(Shutdown::Both));
            drop(guard);
        });
    }
}

/// The port of a window, at which an editor attaches to the program that runs there.
pub struct Door {
    clients: Receiver<Guest>,
    /// Those that have not shown the token.
    waiting: Vec<Guest>,
}

/// A client that came through a [`Door`]. Its stream ends with it.
pub struct Guest {
    client: Box<Client>,
    stream: TcpStream,
    _counted: Arc<()>,
}

impl Deref for Guest {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl DerefMut for Guest {
    fn deref_mut(&mut self) -> &mut Client {
        &mut self.client
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        // The thread that reads has the stream, too.
        drop(self.stream.shutdown(Shutdown::Both));
    }
}

impl Door {
    /// Opens a port; 0 chooses one. Its number and the token are told on the standard error stream.
    ///
    /// # Errors
    /// A port that cannot be opened, or a token that is too short.
    pub fn open(port: u16) -> Result<Self, Failure> {
        let port = Port::open(port)?;
        let (sender, clients) = channel();
        std::thread::spawn(move || {
            loop {
                let (stream, counted) = port.accept();
                let Ok(client) = port.client(&stream, &Writes::default()) else {
                    continue;
                };
                let guest = Guest {
                    client: Box::new(client),
                    stream,
                    _counted: counted,
                };
                if sender.send(guest).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            clients,
            waiting: Vec::new(),
        })
    }

    /// Answers the clients that have come; returns the first that debugs the program now.
    pub fn guest(&mut self, stage: &mut dyn Stage) -> Option<Guest> {
        self.waiting.extend(self.clients.try_iter());
        let mut at = 0;
        while let Some(guest) = self.waiting.get_mut(at) {
            match guest.turn(stage, false) {
                Ok(None) if guest.debugs() => return Some(self.waiting.remove(at)),
                Ok(None) => at += 1,
                Ok(Some(_)) | Err(_) => drop(self.waiting.remove(at)),
            }
        }
        None
    }
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
                // The client may have shown the token meanwhile; then the limit is off.
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                result => return result,
            }
        }
    }
}
