//! A machine whose D: and H: are a folder that lives in the test.
use std::collections::BTreeMap;

use machine::Machine;
use machine::host::{HostReply, HostRequest, status};
use session::typist;

use crate::Atari;

const EOL: u8 = 0x9B;
/// Frames that a program may take.
const LONGEST: u32 = 6000;

/// The files of D: and H:, by name.
#[derive(Clone, Debug, Default)]
pub struct Folder(pub BTreeMap<String, Vec<u8>>);

impl Folder {
    /// Answers what the machine asks, if it asks anything.
    pub fn serve(&mut self, machine: &mut Machine) {
        let Some(request) = machine.host_request().cloned() else {
            return;
        };
        let plain = |name: &[u8]| {
            let text = String::from_utf8_lossy(name).into_owned();
            text.split_once(':')
                .map_or(text.clone(), |n| n.1.to_owned())
        };
        let found =
            |found: bool| HostReply::status(if found { status::OK } else { status::NOT_FOUND });
        let reply = match request {
            HostRequest::Open { mode: 6 | 7, .. } => HostReply {
                status: 1,
                data: self
                    .0
                    .keys()
                    .flat_map(|name| [name.as_bytes(), &[EOL]].concat())
                    .collect(),
            },
            HostRequest::Open { name, mode } => match self.0.get(&plain(&name)) {
                Some(data) => HostReply {
                    status: 1,
                    data: data.clone(),
                },
                None => found(mode & 4 == 0),
            },
            HostRequest::Write { name, data } => {
                self.0.insert(plain(&name), data);
                found(true)
            }
            HostRequest::Command { command: 33, name } => {
                found(self.0.remove(&plain(&name)).is_some())
            }
            HostRequest::Command { command: 32, name } => {
                let names = plain(&name);
                let (old, new) = names.split_once(',').unwrap_or((&names, ""));
                let data = self.0.remove(old);
                let renamed = data.is_some();
                self.0.extend(data.map(|data| (new.to_owned(), data)));
                found(renamed)
            }
            HostRequest::Command { .. } => HostReply::status(status::NOT_IMPLEMENTED),
        };
        machine.answer_host(reply);
    }
}

/// A machine with a folder for D: and H:.
#[derive(Clone, Debug)]
pub struct Desk {
    /// The machine and its keyboard.
    pub atari: Atari,
    /// The files.
    pub folder: Folder,
}

impl Desk {
    /// Types a line and RETURN, or without RETURN when the line ends in `{NORET}`.
    ///
    /// # Errors
    /// When a key does not exist or the machine does not take it.
    pub fn type_line(&mut self, line: &str) -> Result<(), String> {
        let (text, end) = line
            .strip_suffix("{NORET}")
            .map_or((line, "\n"), |text| (text, ""));
        let keys = typist::strokes_of_plain(&format!("{text}{end}")).map_err(|e| e.to_string())?;
        if self.atari.press(keys, 6000) {
            Ok(())
        } else {
            Err(format!("no keys are taken:\n{}", self.atari.text()))
        }
    }

    /// Runs until the machine waits for a key, and answers what it asks of the folder.
    ///
    /// # Errors
    /// When it does not come to wait.
    pub fn wait(&mut self) -> Result<(), String> {
        for _ in 0..LONGEST {
            self.folder.serve(&mut self.atari.machine);
            if self.atari.wait_for_key(1) && self.atari.machine.host_request().is_none() {
                return Ok(());
            }
        }
        Err(format!(
            "it does not end (PC {:04X}):\n{}",
            self.atari.machine.cpu.pc,
            self.atari.text()
        ))
    }
}
