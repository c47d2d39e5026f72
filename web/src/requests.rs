//! The requests of the machine to the page, and the files that it has from there.
use crate::emulator::Emulator;
use crate::folder::{self, Change, Folder};
use crate::journal::Call;
use crate::words::RequestKind;
use machine::host::{HostReply, status};
use session::{Answer, Ask, CopyId, Place, Refused, RequestId};
use std::collections::VecDeque;
use wasm_bindgen::prelude::wasm_bindgen;

/// Something that the page is to do, and to answer with [`crate::Emulator::answer`] when it is done.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug)]
pub struct HostRequest {
    /// Its number, for the answer.
    #[wasm_bindgen(readonly)]
    pub id: u32,
    /// The number of the written disk in this session: a disk that is written again keeps its number.
    #[wasm_bindgen(readonly)]
    pub copy: u32,
    /// The drive (1 is D1:) of a written disk; 0 when it is in none: a tape, or a disk that was taken out.
    #[wasm_bindgen(readonly)]
    pub drive: usize,
    /// Its kind.
    #[wasm_bindgen(readonly)]
    pub kind: RequestKind,
    /// The name of a written disk.
    #[wasm_bindgen(readonly)]
    pub name: String,
    /// True for a written tape.
    #[wasm_bindgen(readonly)]
    pub tape: bool,
    /// The text on the printer's paper.
    #[wasm_bindgen(readonly)]
    pub text: String,
    /// The bytes of a written disk, or what the printer was sent, in ATASCII.
    #[wasm_bindgen(readonly)]
    pub bytes: Vec<u8>,
    /// The changes of H:.
    #[wasm_bindgen(readonly)]
    pub changes: Vec<Change>,
}

/// A request that the page has not answered yet.
#[derive(Debug)]
struct Pending {
    number: u32,
    id: RequestId,
    changes: Vec<Change>,
    folder: bool,
}

/// The files of H: as the page's storage has them, and the requests that are under way.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    folder: Folder,
    pending: Vec<Pending>,
    last: u32,
    queued: VecDeque<HostRequest>,
}

impl Requests {
    /// Drops the requests of a machine whose place another one takes.
    pub(crate) fn clear(&mut self) {
        self.pending.clear();
        self.queued.clear();
    }
}

/// Files and requests.
#[wasm_bindgen]
impl Emulator {
    /// A file of H: that the page has in its storage. False when no Atari name fits.
    pub fn put_file(&mut self, name: &str, bytes: &[u8], locked: bool) -> bool {
        let Some(name) = Folder::name_for(name) else {
            return false;
        };
        self.requests.folder.change(Change {
            name,
            data: Some(bytes.to_vec()),
            locked,
        });
        true
    }

    /// The name under which programs find a file of H:: its own, or its alias.
    pub fn name_in_h(name: &str) -> String {
        if session::folder::is_atari_name(name) {
            name.to_owned()
        } else {
            session::folder::alias(name)
        }
    }

    /// The page has removed a file of H:.
    pub fn remove_file(&mut self, name: &str) {
        self.requests.folder.change(Change {
            name: name.to_owned(),
            data: None,
            locked: false,
        });
    }

    /// Removes all files of H: from the machine's view; the page hands over others.
    pub fn remove_files(&mut self) {
        self.requests.folder = Folder::default();
    }

    /// The next job of the page, if any. To be asked for before each frame until there is nothing more.
    pub fn next_request(&mut self) -> Option<HostRequest> {
        for request in self.session.requests() {
            let mut shown = HostRequest {
                id: 0,
                copy: 0,
                drive: 0,
                kind: RequestKind::Keep,
                name: String::new(),
                tape: false,
                text: String::new(),
                bytes: Vec::new(),
                changes: Vec::new(),
            };
            let mut folder = false;
            match request.ask {
                Ask::Store { bytes, .. } => shown.bytes = bytes,
                Ask::Keep {
                    copy,
                    name,
                    tape,
                    bytes,
                    ..
                } => {
                    shown.copy = copy.0;
                    shown.tape = tape;
                    shown.drive = self.drive_of(copy);
                    shown.name = name;
                    shown.bytes = bytes;
                }
                Ask::Print(printed) => {
                    shown.kind = RequestKind::Print;
                    shown.text = printed.text;
                    shown.bytes = printed.sent;
                }
                Ask::Folder(wanted) => match self.requests.folder.answer(&wanted) {
                    folder::Outcome::Reply(reply) => {
                        self.journal.note(Call::Reply(reply.clone()));
                        self.session.answer(request.id, Ok(Answer::Folder(reply)));
                        continue;
                    }
                    folder::Outcome::Store(changes) => {
                        shown.kind = RequestKind::Folder;
                        shown.changes = changes;
                        folder = true;
                    }
                },
            }
            self.requests.last = self.requests.last.wrapping_add(1);
            shown.id = self.requests.last;
            self.requests.pending.push(Pending {
                number: shown.id,
                id: request.id,
                changes: shown.changes.clone(),
                folder,
            });
            self.requests.queued.push_back(shown);
        }
        self.requests.queued.pop_front()
    }

    /// The page has done what it was asked, or could not.
    pub fn answer(&mut self, number: u32, done: bool) {
        let Some(at) = self
            .requests
            .pending
            .iter()
            .position(|p| p.number == number)
        else {
            return;
        };
        let Pending {
            id,
            changes,
            folder,
            ..
        } = self.requests.pending.remove(at);
        let answer = match (folder, done) {
            (false, true) => Ok(Answer::Done),
            (false, false) => Err(Refused::Failed),
            (true, done) => {
                if done {
                    for change in changes {
                        self.requests.folder.change(change);
                    }
                }
                let code = if done { status::OK } else { status::DISK_FULL };
                let reply = HostReply::status(code);
                self.journal.note(Call::Reply(reply.clone()));
                Ok(Answer::Folder(reply))
            }
        };
        self.session.answer(id, answer);
    }

    /// Asks for everything to be kept that is nowhere yet.
    pub fn flush(&mut self) {
        self.session.flush();
    }
}

impl Emulator {
    /// The drive (1 is D1:) that a copy is in; 0 for none.
    fn drive_of(&self, copy: CopyId) -> usize {
        let copies = self.session.copies();
        let found = copies.iter().find(|known| known.id == copy);
        match found.map(|known| known.place) {
            Some(Place::Drive(drive)) => drive + 1,
            _ => 0,
        }
    }
}
