//! The folder of the host that a program in the machine sees as H: and D:.
//!
//! One implementation for every host: [`answer`] turns a request of the device (`machine::host`) into a reply, or into [`Change`]s that
//! the host carries out and then answers itself. The host brings a [`Storage`]: files on a disk, or a list in a browser.
//!
//! H1: to H4: and D1: to D4: give a file's bytes as they are. H6: to H9: are the same four folders as text ([`text`]). `docs/media.md`
//! has the rules for names, folders and aliases.
mod names;
pub mod text;

use machine::host::{HostReply, HostRequest, LONGEST, status};
use names::{Entry, Name};
pub use names::{alias, is_atari_name};

/// The end of a line in ATASCII.
const EOL: u8 = 0x9B;
/// Folders that the devices can have.
pub const FOLDERS: usize = 4;

/// Names from the folder's root to a file or folder, as the host spells them.
pub type Path = [String];

/// A file or folder of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name, as the host spells it.
    pub name: String,
    /// Bytes of a file.
    pub length: u64,
    /// It may not be changed.
    pub locked: bool,
    /// It is a folder.
    pub folder: bool,
}

/// The files of the host. It only shows them; changes leave as [`Change`]s.
pub trait Storage {
    /// Files and folders in the folder at `path`, in any order. Only files and folders are listed: no links or devices.
    fn list(&self, path: &Path) -> Vec<Item>;

    /// The bytes of a file; `None` when it cannot be read.
    fn read(&self, path: &Path) -> Option<Vec<u8>>;

    /// True if programs may change files.
    fn is_writable(&self) -> bool;

    /// True if there can be folders in the folder.
    fn has_folders(&self) -> bool;
}

/// A change of the host's files. All changes of one request belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Replace the contents of a file, or make it.
    Write {
        /// The file.
        path: Vec<String>,
        /// All of its bytes.
        data: Vec<u8>,
    },
    /// Give a file or folder another name in its folder.
    Rename {
        /// The file.
        path: Vec<String>,
        /// Its new name.
        name: String,
    },
    /// Remove a file.
    Remove {
        /// The file.
        path: Vec<String>,
    },
    /// Forbid changes of a file, or allow them.
    Lock {
        /// The file.
        path: Vec<String>,
        /// Forbid them.
        locked: bool,
    },
    /// Make a folder.
    MakeFolder {
        /// The folder.
        path: Vec<String>,
    },
    /// Remove a folder, which is empty.
    RemoveFolder {
        /// The folder.
        path: Vec<String>,
    },
}

/// Result of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The answer.
    Reply(HostReply),
    /// The host does this first. The answer is [`status::OK`] when all of it was done, else [`failed`].
    Change(Vec<Change>),
}

/// The status of a request whose changes the host could not make.
#[must_use]
pub fn failed(changes: &[Change]) -> u8 {
    match changes {
        [Change::Write { .. } | Change::MakeFolder { .. }, ..] => status::DISK_FULL,
        _ => status::FATAL,
    }
}

/// A device of the handler: its folder, and how it gives the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// Index of the folder, 0 to 3.
    pub folder: usize,
    /// Bytes are converted from and to the host's text.
    pub text: bool,
}

impl Device {
    /// The device that a request is for; `None` for H5:, D5: to D9: and H: with any other number.
    ///
    /// ```
    /// use machine::host::HostRequest;
    /// use session::folder::Device;
    ///
    /// let open = |name: &str| HostRequest::Open { name: name.into(), mode: 4 };
    /// assert_eq!(Device::from(&open("H7:X")), Some(Device { folder: 1, text: true }));
    /// assert_eq!(Device::from(&open("D7:X")), None);
    /// ```
    #[must_use]
    pub fn from(request: &HostRequest) -> Option<Self> {
        let (HostRequest::Open { name, .. }
        | HostRequest::Write { name, .. }
        | HostRequest::Command { name, .. }) = request;
        let unit = request.unit();
        let is_host = name.first().is_none_or(|&c| c.eq_ignore_ascii_case(&b'H'));
        match unit {
            1..=FOLDERS => Some(Self {
                folder: unit - 1,
                text: false,
            }),
            6..=9 if is_host => Some(Self {
                folder: unit - 6,
                text: true,
            }),
            _ => None,
        }
    }
}

fn refuse(status: u8) -> Outcome {
    Outcome::Reply(HostReply::status(status))
}

/// Result of a request to a folder; `text` as in [`Device::text`].
pub fn answer(storage: &impl Storage, request: &HostRequest, text: bool) -> Outcome {
    let outcome = match request {
        HostRequest::Open { name, mode } => open(storage, name, *mode, text),
        HostRequest::Write { name, data } => write(storage, name, data, text),
        HostRequest::Command { command, name } => run(storage, *command, name),
    };
    outcome.unwrap_or_else(refuse)
}

/// A folder, and the files in it that a name means.
struct Found {
    folder: Vec<String>,
    entries: Vec<Entry>,
}

impl Found {
    fn path(&self, name: &str) -> Vec<String> {
        let mut path = self.folder.clone();
        path.push(name.to_owned());
        path
    }

    fn files(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.item.folder)
    }
}

/// Goes to the folder of a name, and finds what fits the name there.
fn find(storage: &impl Storage, name: &Name) -> Result<Found, u8> {
    let folder = walk(storage, name)?;
    let mut entries = names::entries(storage.list(&folder));
    name.file.keep_fitting(&mut entries);
    Ok(Found { folder, entries })
}

fn walk(storage: &impl Storage, name: &Name) -> Result<Vec<String>, u8> {
    let mut path: Vec<String> = Vec::new();
    for step in &name.folders {
        let Some(wanted) = step else {
            // Up; the root has nothing above it.
            path.pop().ok_or(status::PATH)?;
            continue;
        };
        let mut entries = names::entries(storage.list(&path));
        wanted.keep_fitting(&mut entries);
        let mut folders = entries.into_iter().filter(|entry| entry.item.folder);
        path.push(folders.next().ok_or(status::PATH)?.item.name);
    }
    Ok(path)
}

fn open(storage: &impl Storage, name: &[u8], mode: u8, text: bool) -> Result<Outcome, u8> {
    let directory = mode & 2 != 0;
    let mut name = Name::parse(name).ok_or(status::NAME)?;
    if directory {
        name.file.all_if_empty();
    }
    let found = find(storage, &name)?;
    let reply = |data| {
        Ok(Outcome::Reply(HostReply {
            status: status::OK,
            data,
        }))
    };
    if directory {
        return reply(list(&found.entries));
    }
    let (reads, writes) = (mode & 4 != 0, mode & 8 != 0);
    if !reads && !writes {
        return Err(status::NOT_IMPLEMENTED);
    }
    if name.file.is_empty() {
        return Err(status::NAME);
    }
    if writes && !storage.is_writable() {
        return Err(status::LOCKED);
    }
    let Some(entry) = found.files().next() else {
        return match found.entries.first() {
            // A folder of that name.
            Some(_) => Err(status::LOCKED),
            // Update wants a file that exists; writing and appending make one.
            None if reads => Err(status::NOT_FOUND),
            None if name.file.is_wild() => Err(status::NAME),
            None => Err(status::OK),
        };
    };
    if writes && entry.item.locked {
        return Err(status::LOCKED);
    }
    // The device would refuse it; so it is not read in the first place.
    if entry.item.length > LONGEST as u64 {
        return Err(status::FATAL);
    }
    let path = found.path(&entry.item.name);
    let data = storage.read(&path).ok_or(status::FATAL)?;
    reply(if text { text::to_atascii(&data) } else { data })
}

fn write(storage: &impl Storage, name: &[u8], data: &[u8], text: bool) -> Result<Outcome, u8> {
    let name = Name::parse(name).ok_or(status::NAME)?;
    if name.file.is_empty() {
        return Err(status::NAME);
    }
    if !storage.is_writable() {
        return Err(status::LOCKED);
    }
    let found = find(storage, &name)?;
    let data = if text {
        text::from_atascii(data)
    } else {
        data.to_vec()
    };
    let path = match found.files().next() {
        Some(entry) if entry.item.locked => return Err(status::LOCKED),
        Some(entry) => {
            let path = found.path(&entry.item.name);
            if entry.item.length == data.len() as u64 && storage.read(&path) == Some(data.clone()) {
                return Err(status::OK);
            }
            path
        }
        None if !found.entries.is_empty() => return Err(status::LOCKED),
        None if name.file.is_wild() => return Err(status::NAME),
        None => found.path(&name.file.text()),
    };
    Ok(Outcome::Change(vec![Change::Write { path, data }]))
}

/// 13 status, 32 rename, 33 delete, 35 lock, 36 unlock, 42 make a folder, 43 remove a folder.
fn run(storage: &impl Storage, command: u8, text: &[u8]) -> Result<Outcome, u8> {
    let (name, rest) = Name::parse_first(text).ok_or(status::NAME)?;
    if !matches!(command, 13 | 32 | 33 | 35 | 36 | 42 | 43) {
        return Err(status::NOT_IMPLEMENTED);
    }
    if name.file.is_empty() {
        return Err(status::NAME);
    }
    let found = find(storage, &name)?;
    if command == 13 {
        return Err(found
            .entries
            .first()
            .map_or(status::NOT_FOUND, |_| status::OK));
    }
    if !storage.is_writable() {
        return Err(status::LOCKED);
    }
    match command {
        42 | 43 if !storage.has_folders() => Err(status::NOT_IMPLEMENTED),
        42 if name.file.is_wild() => Err(status::NAME),
        42 if !found.entries.is_empty() => Err(status::EXISTS),
        42 => {
            let path = found.path(&name.file.text());
            Ok(Outcome::Change(vec![Change::MakeFolder { path }]))
        }
        43 => remove_folder(storage, &found),
        32 => rename(storage, &found, rest),
        _ => change(&found, command),
    }
}

fn remove_folder(storage: &impl Storage, found: &Found) -> Result<Outcome, u8> {
    let folder = found.entries.iter().find(|entry| entry.item.folder);
    let path = found.path(&folder.ok_or(status::PATH)?.item.name);
    if !storage.list(&path).is_empty() {
        return Err(status::LOCKED);
    }
    Ok(Outcome::Change(vec![Change::RemoveFolder { path }]))
}

/// Deletes, locks or unlocks files: all of them, or none where one is locked against it.
fn change(found: &Found, command: u8) -> Result<Outcome, u8> {
    let change = |entry: &Entry| {
        let path = found.path(&entry.item.name);
        match command {
            33 => Change::Remove { path },
            _ => Change::Lock {
                path,
                locked: command == 35,
            },
        }
    };
    let changes: Vec<_> = found.files().map(change).collect();
    if changes.is_empty() {
        return Err(status::NOT_FOUND);
    }
    if command == 33 && found.files().any(|entry| entry.item.locked) {
        return Err(status::LOCKED);
    }
    Ok(Outcome::Change(changes))
}

/// Renames files, and folders. Wildcards in the new name stand for the characters of the old one.
fn rename(storage: &impl Storage, found: &Found, new: &[u8]) -> Result<Outcome, u8> {
    let new = Name::parse_second(new).ok_or(status::NAME)?;
    if new.file.is_empty() || !new.folders.is_empty() {
        return Err(status::NAME);
    }
    if found.entries.is_empty() {
        return Err(status::NOT_FOUND);
    }
    let taken = names::entries(storage.list(&found.folder));
    let mut changes = Vec::new();
    let mut names = Vec::new();
    let files: Vec<_> = found.files().collect();
    let meant = if files.is_empty() {
        found.entries.iter().collect()
    } else {
        files
    };
    for entry in meant {
        if entry.item.locked {
            return Err(status::LOCKED);
        }
        let name = new.file.filled_from(&entry.name);
        let mut others = taken
            .iter()
            .filter(|other| other.item.name != entry.item.name);
        if others.any(|other| other.is_called(&name)) || names.contains(&name) {
            return Err(status::EXISTS);
        }
        names.push(name.clone());
        let path = found.path(&entry.item.name);
        if entry.item.name != name {
            changes.push(Change::Rename { path, name });
        }
    }
    if changes.is_empty() {
        return Err(status::OK);
    }
    Ok(Outcome::Change(changes))
}

/// A directory as DOS 2 lists it; folders have a colon before their names, as with MyDOS.
fn list(entries: &[Entry]) -> Vec<u8> {
    let mut out = Vec::new();
    for entry in entries {
        let (name, extension) = entry.name.split_once('.').unwrap_or((&entry.name, ""));
        let sectors = entry.item.length.div_ceil(125).clamp(1, 999);
        let locked = if entry.item.locked { '*' } else { ' ' };
        let folder = if entry.item.folder { ':' } else { ' ' };
        let line = format!("{locked}{folder}{name:<8}{extension:<3} {sectors:03}");
        out.extend_from_slice(line.as_bytes());
        out.push(EOL);
    }
    out.extend_from_slice(b"999 FREE SECTORS");
    out.push(EOL);
    out
}

#[cfg(test)]
mod tests;
