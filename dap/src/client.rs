//! A client, its requests and its adapter.

use super::access::{Access, Writes};
use super::adapter::{Adapter, Left};
use super::stage::Stage;
use super::wire::{Wire, read};
use debugger::{Interrupt, Stop};
use host::failure::Failure;
use serde_json::Value;
use std::io::{BufReader, Error, Read, Result as IoResult, Write};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

type Message = IoResult<Option<Value>>;

/// A client that debugs a program, from its first request to its last.
pub struct Client {
    adapter: Adapter<Box<dyn Write + Send>>,
    requests: Receiver<Message>,
    access: Access,
    interrupt: Interrupt,
    left: bool,
}

impl Client {
    /// A client over two streams. A thread reads its requests; it ends with the input, or when the client is dropped.
    pub(super) fn new(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
        writes: Writes,
        access: Access,
    ) -> Self {
        let (sender, requests) = channel();
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
        let wire = Wire::new(Box::new(output) as Box<dyn Write + Send>);
        Self {
            adapter: Adapter::new(wire, writes, interrupt.clone()),
            requests,
            access,
            interrupt,
            left: false,
        }
    }

    /// Answers what the client has asked for since the last turn. With `wait` the next request is waited for where the machine stands. How
    /// the client leaves, when it does.
    ///
    /// # Errors
    /// A client that does not keep to the protocol, or cannot be answered.
    pub fn turn(&mut self, stage: &mut dyn Stage, wait: bool) -> Result<Option<Left>, Failure> {
        let mut message = if wait && !stage.is_running() {
            Some(self.requests.recv().unwrap_or(Ok(None)))
        } else {
            self.next()
        };
        while let Some(received) = message {
            let Some(request) = received.map_err(|error| unreadable(&error))? else {
                self.left = true;
                return Ok(Some(self.adapter.goes()));
            };
            if let Some(left) = self.answer(stage, &request)? {
                return Ok(Some(left));
            }
            if wait {
                // A window that was asked for opens before the next request.
                break;
            }
            message = self.next();
        }
        Ok(None)
    }

    fn next(&self) -> Option<Message> {
        match self.requests.try_recv() {
            Ok(message) => Some(message),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Ok(None)),
        }
    }

    fn answer(&mut self, stage: &mut dyn Stage, request: &Value) -> Result<Option<Left>, Failure> {
        if ends(request) {
            // What it ended has ended.
            self.interrupt.clear();
        }
        if let Err(sentence) = self.access.pass(request) {
            let refused = self.adapter.refuse(request, sentence);
            refused.map_err(|error| unwritable(&error))?;
            return Err(Failure::input(sentence));
        }
        self.left |= request["command"] == "disconnect";
        let left = self.adapter.handle(stage, request);
        left.map_err(|error| unwritable(&error))
    }

    /// True if the client has gone: it asks for nothing any more.
    pub fn has_left(&self) -> bool {
        self.left
    }

    /// True once for each program that was launched and is to have a window.
    pub fn takes_window(&mut self) -> bool {
        self.adapter.takes_window()
    }

    /// True if that window is to have the debug view open.
    pub fn wants_debug_view(&self) -> bool {
        self.adapter.wants_debug_view()
    }

    /// True if the client debugs the program, and the machine is to be run by the debugger.
    pub fn debugs(&self) -> bool {
        self.adapter.debugs()
    }

    /// True if the client has shown that it may be served.
    pub fn is_open(&self) -> bool {
        self.access.is_open()
    }

    /// Tells the client how a frame ended.
    ///
    /// # Errors
    /// A client that cannot be told.
    pub fn ran(&mut self, stage: &mut dyn Stage, stop: Stop, moved: bool) -> Result<(), Failure> {
        let told = self.adapter.ran(stage, stop, moved);
        told.map_err(|error| unwritable(&error))
    }

    /// Tells the client what other faces of the session have done since the last call.
    ///
    /// # Errors
    /// A client that cannot be told.
    pub fn look_around(&mut self, stage: &mut dyn Stage) -> Result<(), Failure> {
        let told = self.adapter.look_around(stage);
        told.map_err(|error| unwritable(&error))
    }

    /// Tells the client that another program runs in the session.
    ///
    /// # Errors
    /// A client that cannot be told.
    pub fn changed_program(&mut self, stage: &mut dyn Stage) -> Result<(), Failure> {
        let told = self.adapter.changed_program(stage);
        told.map_err(|error| unwritable(&error))
    }

    /// Tells the client that its program has ended.
    ///
    /// # Errors
    /// A client that cannot be told.
    pub fn ended(&mut self) -> Result<(), Failure> {
        let told = self.adapter.ended();
        told.map_err(|error| unwritable(&error))
    }

    /// Leaves the program as one that is not debugged.
    pub fn leave(&mut self, stage: &mut dyn Stage) {
        self.adapter.leave(stage);
    }

    /// A line in the client's console.
    ///
    /// # Errors
    /// A client that cannot be told.
    pub fn say(&mut self, text: &str) -> Result<(), Failure> {
        let said = self.adapter.say(text);
        said.map_err(|error| unwritable(&error))
    }
}

/// True if a request ends what another one has begun.
fn ends(request: &Value) -> bool {
    let command = request["command"].as_str();
    matches!(command, Some("pause" | "terminate" | "disconnect"))
}

fn unwritable(error: &Error) -> Failure {
    Failure::input(format!("the client cannot be answered: {error}"))
}

fn unreadable(error: &Error) -> Failure {
    Failure::input(format!(
        "a message of the debug adapter protocol cannot be read: {error}"
    ))
}
