//! A folder for H: and D: that lives in a test, answered by the rules of `session::folder`.
use machine::Machine;
use machine::host::{HostReply, HostRequest, status};
use session::folder::{self, Change, Device, Item, Outcome, Path, Storage};
use std::collections::{BTreeMap, BTreeSet};

/// The folder. It has files only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folder {
    /// The contents of its files, by name.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Those that may not be changed.
    pub locked: BTreeSet<String>,
}

impl Folder {
    /// Answers what the machine's device waits for.
    pub fn serve(&mut self, machine: &mut Machine) {
        if let Some(request) = machine.host_request().cloned() {
            machine.answer_host(self.answer(&request));
        }
    }

    /// The answer to a request; changes are made.
    pub fn answer(&mut self, request: &HostRequest) -> HostReply {
        let Some(device) = Device::from(request).filter(|device| device.folder == 0) else {
            return HostReply::status(status::NO_DEVICE);
        };
        match folder::answer(self, request, device.text) {
            Outcome::Reply(reply) => reply,
            Outcome::Change(changes) => {
                for change in changes {
                    self.change(change);
                }
                HostReply::status(status::OK)
            }
        }
    }

    fn change(&mut self, change: Change) {
        let last = |path: Vec<String>| path.into_iter().next_back().unwrap_or_default();
        match change {
            Change::Write { path, data } => drop(self.files.insert(last(path), data)),
            Change::Remove { path } => drop(self.files.remove(&last(path))),
            Change::Rename { path, name } => {
                if let Some(data) = self.files.remove(&last(path)) {
                    self.files.insert(name, data);
                }
            }
            Change::Lock { path, locked } => {
                let name = last(path);
                self.locked.remove(&name);
                self.locked.extend(locked.then_some(name));
            }
            Change::MakeFolder { .. } | Change::RemoveFolder { .. } => {}
        }
    }
}

impl Storage for Folder {
    fn list(&self, _: &Path) -> Vec<Item> {
        let item = |(name, data): (&String, &Vec<u8>)| Item {
            name: name.clone(),
            length: data.len() as u64,
            locked: self.locked.contains(name),
            folder: false,
        };
        self.files.iter().map(item).collect()
    }

    fn read(&self, path: &Path) -> Option<Vec<u8>> {
        self.files.get(path.last()?).cloned()
    }

    fn is_writable(&self) -> bool {
        true
    }

    fn has_folders(&self) -> bool {
        false
    }
}
