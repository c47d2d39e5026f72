//! Media that belong to files of the host, and what the host is asked to do.
use crate::setup::MediumFile;
use machine::Machine;
use machine::host::{HostReply, HostRequest};
use media::cas::Tape;

/// The host's number for a file that is in a drive or recorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MediumId(pub u32);

/// A medium with the file that it is written back to.
#[derive(Clone, Debug)]
pub struct Mount<T> {
    /// The file.
    pub file: MediumFile,
    /// The medium.
    pub medium: T,
}

/// Names a request in [`crate::Session::answer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(u64);

/// What the session wants of the host. It may answer at once, or much later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// To be given back with the answer.
    pub id: RequestId,
    /// What is wanted.
    pub ask: Ask,
}

/// See [`Request`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Replace the contents of a medium's file. Until this is answered the session counts the medium as unsaved.
    Store {
        /// The file.
        medium: MediumId,
        /// All of its bytes.
        bytes: Vec<u8>,
    },
    /// Something of the folder that the Atari has as H:; the program waits.
    Folder(HostRequest),
    /// Append what was printed: ATASCII, lines ended by $9B.
    Print(Vec<u8>),
}

/// What the host did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// What was asked: stored, or printed.
    Done,
    /// The answer of the folder.
    Folder(HostReply),
}

/// The host could not do it now; it is asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the host could not do it")]
pub struct Refused;

/// Where a medium is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Drive(usize),
    Recorder,
}

/// A request that was not answered yet.
#[derive(Clone, Debug)]
enum Waiting {
    Disk(MediumId),
    Tape(Vec<u8>),
    Folder,
    Print(Vec<u8>),
}

/// The files of the media in a machine, and the requests on their way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mounts {
    media: Vec<(Place, MediumFile)>,
    /// Disks whose last store failed.
    failed: Vec<MediumId>,
    /// The tape as it is in its file.
    tape_stored: Vec<u8>,
    /// Printed, and not yet written by the host.
    printed: Vec<u8>,
    waiting: Vec<(RequestId, Waiting)>,
    ready: Vec<Request>,
    last: u64,
}

impl Mounts {
    pub(crate) fn disk(&mut self, drive: usize, file: MediumFile) {
        self.eject(drive);
        self.media.push((Place::Drive(drive), file));
    }

    pub(crate) fn tape(&mut self, file: MediumFile, tape: &Tape) {
        self.tape_stored = tape.to_bytes();
        self.media.push((Place::Recorder, file));
    }

    /// The file of the disk in a drive.
    pub(crate) fn file(&self, drive: usize) -> Option<&MediumFile> {
        self.at(Place::Drive(drive))
    }

    /// The file of the tape in the recorder.
    pub(crate) fn tape_file(&self) -> Option<&MediumFile> {
        self.at(Place::Recorder)
    }

    fn at(&self, place: Place) -> Option<&MediumFile> {
        let found = self.media.iter().find(|(at, _)| *at == place);
        found.map(|(_, file)| file)
    }

    /// Forgets the file of the disk in a drive.
    pub(crate) fn eject(&mut self, drive: usize) -> Option<MediumFile> {
        let at = self.media.iter().position(|m| m.0 == Place::Drive(drive))?;
        Some(self.media.remove(at).1)
    }

    /// Takes over what was not written when another machine follows.
    pub(crate) fn follow(&mut self, old: Self) {
        self.printed = old.printed;
        self.waiting = old.waiting;
        self.waiting.retain(|(_, w)| !matches!(w, Waiting::Folder));
        self.ready = old.ready;
        self.last = old.last;
    }

    fn ask(&mut self, ask: Ask, waiting: Waiting) {
        self.last += 1;
        let id = RequestId(self.last);
        self.waiting.push((id, waiting));
        self.ready.push(Request { id, ask });
    }

    /// Asks for everything that is not in its file yet.
    pub(crate) fn flush(&mut self, machine: &mut Machine, printer: bool) {
        for (place, file) in self.media.clone() {
            match place {
                Place::Drive(drive) => {
                    let waits = |w: &Waiting| matches!(w, Waiting::Disk(id) if *id == file.id);
                    if self.waiting.iter().any(|(_, w)| waits(w)) {
                        continue;
                    }
                    let failed = self.failed.iter().position(|id| *id == file.id);
                    let Some(disk) = machine.disk_mut(drive) else {
                        continue;
                    };
                    if !disk.changed() && failed.is_none() {
                        continue;
                    }
                    let bytes = disk.to_bytes();
                    disk.saved();
                    failed.map(|at| self.failed.remove(at));
                    let medium = file.id;
                    self.ask(Ask::Store { medium, bytes }, Waiting::Disk(medium));
                }
                Place::Recorder => {
                    let waits = |w: &Waiting| matches!(w, Waiting::Tape(_));
                    let Some(bytes) = machine.tape().map(Tape::to_bytes) else {
                        continue;
                    };
                    if bytes != self.tape_stored && !self.waiting.iter().any(|(_, w)| waits(w)) {
                        let waiting = Waiting::Tape(bytes.clone());
                        let medium = file.id;
                        self.ask(Ask::Store { medium, bytes }, waiting);
                    }
                }
            }
        }
        let printed = machine.take_printed();
        if printer {
            self.printed.extend(printed);
            let waits = |w: &Waiting| matches!(w, Waiting::Print(_));
            if !self.printed.is_empty() && !self.waiting.iter().any(|(_, w)| waits(w)) {
                let bytes = std::mem::take(&mut self.printed);
                self.ask(Ask::Print(bytes.clone()), Waiting::Print(bytes));
            }
        }
    }

    /// Asks for what the machine's folder device waits for.
    pub(crate) fn folder(&mut self, machine: &Machine) {
        let waits = |w: &Waiting| matches!(w, Waiting::Folder);
        if let Some(request) = machine.host_request()
            && !self.waiting.iter().any(|(_, w)| waits(w))
        {
            self.ask(Ask::Folder(request.clone()), Waiting::Folder);
        }
    }

    /// Another moment of the machine: what its folder device asked is not asked any more.
    pub(crate) fn forget_folder(&mut self) {
        let folder = |waiting: &Waiting| matches!(waiting, Waiting::Folder);
        let gone: Vec<RequestId> = self
            .waiting
            .iter()
            .filter(|(_, waiting)| folder(waiting))
            .map(|(id, _)| *id)
            .collect();
        self.waiting.retain(|(id, _)| !gone.contains(id));
        self.ready.retain(|request| !gone.contains(&request.id));
    }

    /// Requests that were not handed out yet.
    pub(crate) fn requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.ready)
    }

    /// Takes an answer. Gives the reply that the machine's folder device waits for.
    pub(crate) fn answer(
        &mut self,
        id: RequestId,
        answer: Result<Answer, Refused>,
    ) -> Option<HostReply> {
        let at = self.waiting.iter().position(|(known, _)| *known == id)?;
        let (_, waiting) = self.waiting.remove(at);
        match (waiting, answer) {
            (Waiting::Folder, Ok(Answer::Folder(reply))) => return Some(reply),
            (Waiting::Folder, _) => {
                return Some(HostReply::status(machine::host::status::FATAL));
            }
            (Waiting::Tape(bytes), Ok(_)) => self.tape_stored = bytes,
            (Waiting::Disk(id), Err(_)) => self.failed.push(id),
            (Waiting::Print(mut bytes), Err(_)) => {
                bytes.append(&mut self.printed);
                self.printed = bytes;
            }
            (Waiting::Disk(_) | Waiting::Print(_), Ok(_)) | (Waiting::Tape(_), Err(_)) => {}
        }
        None
    }
}
