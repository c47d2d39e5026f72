//! The rights of a client: whether it is served at all, and which files its programs may write.

use crate::Options;
use host::failure::Failure;
use host::options::DebugOptions;
use serde_json::Value;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Said to a client that does not bring the token.
const WANTED: &str = "over a port the first request after initialize is launch or attach, with the adapter's token: \"token\": \"...\"";

/// Access of one client. Over a port anything on this computer can connect, also a web page in a browser: before a client has shown the
/// token it may ask for `initialize` and nothing else.
#[derive(Clone, Debug)]
pub struct Access {
    token: Arc<str>,
    open: Arc<AtomicBool>,
}

impl Access {
    /// Access by the standard streams: their owner has started this process.
    pub fn open() -> Self {
        Self {
            token: "".into(),
            open: Arc::new(AtomicBool::new(true)),
        }
    }

    /// For a client that has to bring this token.
    pub fn closed(token: &str) -> Self {
        Self {
            token: token.into(),
            open: Arc::default(),
        }
    }

    /// True if the client has shown the token.
    pub fn is_open(&self) -> bool {
        self.open.load(Ordering::Relaxed)
    }

    /// Lets a request through that this client may make.
    ///
    /// # Errors
    /// A sentence for the client, whose connection then ends.
    pub fn pass(&self, request: &Value) -> Result<(), &'static str> {
        let opens = || {
            matches!(request["command"].as_str(), Some("launch" | "attach"))
                && request["arguments"]["token"]
                    .as_str()
                    .is_some_and(|token| is_same(token.as_bytes(), self.token.as_bytes()))
        };
        if self.is_open() || request["command"] == "initialize" {
            return Ok(());
        }
        if !opens() {
            return Err(WANTED);
        }
        self.open.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// Compares in a time that does not tell how many bytes are right.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let different = a.iter().zip(b).fold(0, |sum, (a, b)| sum | (a ^ b));
    a.len() == b.len() && black_box(different) == 0
}

/// Files that programs may write, from the adapter's own command line.
#[derive(Clone, Debug, Default)]
pub struct Writes {
    printer: Option<PathBuf>,
    columns: session::Columns,
    host: Vec<PathBuf>,
    host_write: bool,
}

impl Writes {
    /// From the adapter's command line.
    pub fn new(options: &Options) -> Self {
        Self {
            printer: options.printer.clone(),
            columns: options.printer_columns,
            host: options.host.clone(),
            host_write: options.host_write,
        }
    }

    /// A launch with what its program may write.
    ///
    /// # Errors
    /// When the client itself names something to write.
    pub fn permit(&self, mut launch: DebugOptions) -> Result<DebugOptions, Failure> {
        let machine = &mut launch.machine;
        let new_tape = machine.tape.as_ref().is_some_and(|tape| !tape.exists());
        let named = [
            ("--printer", machine.printer.is_some()),
            ("--host", !machine.host.is_empty()),
            ("--host-write", machine.host_write),
            ("--tape with a new file", new_tape),
            ("--ram with a file", machine.ram_file().is_some()),
        ];
        if let Some((option, _)) = named.into_iter().find(|(_, named)| *named) {
            return Err(Failure::input(format!(
                "a launch cannot say what is written: {option} belongs on the command line of anticlock dap"
            )));
        }
        machine.printer.clone_from(&self.printer);
        machine.printer_columns = self.columns;
        machine.host.clone_from(&self.host);
        machine.host_write = self.host_write;
        Ok(launch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_but_the_token_opens() {
        let launch = |token: Value| json!({ "command": "launch", "arguments": { "token": token } });
        let access = Access::closed("0123456789abcdef");
        assert!(access.pass(&json!({ "command": "initialize" })).is_ok());
        for wrong in [
            launch(json!("0123456789abcdeX")),
            launch(json!("0123456789abcde")),
            launch(json!("0123456789abcdef0")),
            launch(json!("")),
            launch(json!(null)),
            json!({ "command": "launch" }),
            json!({ "command": "evaluate", "arguments": { "token": "0123456789abcdef" } }),
            json!([]),
        ] {
            assert!(access.pass(&wrong).is_err() && !access.is_open(), "{wrong}");
        }
        assert!(access.pass(&launch(json!("0123456789abcdef"))).is_ok());
        assert!(access.is_open() && access.pass(&json!({ "command": "evaluate" })).is_ok());
    }
}
