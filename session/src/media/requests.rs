//! The requests to the host, and its answers.
use machine::host::status;

use super::{
    Answer, Ask, Columns, Content, CopyId, HostReply, Identity, Machine, MediumId, Mounts, Orphan,
    Place, Refused, Request, RequestId, Waiting, bytes, content,
};

impl Mounts {
    pub(super) fn ask(&mut self, ask: Ask, waiting: Waiting) {
        self.last += 1;
        let id = RequestId(self.last);
        self.waiting.push((id, waiting));
        self.ready.push(Request { id, ask });
    }

    /// Asks for everything that is not safe yet: of the present machine, also while another moment is looked at.
    pub(crate) fn flush(&mut self, machine: &mut Machine, printer: Option<Columns>) {
        for orphan in std::mem::take(&mut self.orphans) {
            let ask = Ask::Keep {
                copy: orphan.id,
                name: orphan.name.clone(),
                of: orphan.of,
                tape: orphan.is_tape(),
                bytes: orphan.bytes.clone(),
                undo: false,
            };
            self.ask(ask, Waiting::Gone(orphan));
        }
        self.with_present(machine, |mounts, present| {
            for at in 0..mounts.files.len() {
                mounts.flush_file(present, at);
            }
            for at in 0..mounts.copies.len() {
                mounts.flush_copy(present, at);
            }
            mounts.held.add(present.take_print_records());
            if let Some(columns) = printer {
                for record in mounts.held.take() {
                    mounts.head.print(columns, &record, &mut mounts.printed);
                }
            }
        });
        let waits = |w: &Waiting| matches!(w, Waiting::Print(_));
        if !self.printed.is_empty() && !self.waiting.iter().any(|(_, w)| waits(w)) {
            let printed = std::mem::take(&mut self.printed);
            self.ask(Ask::Print(printed.clone()), Waiting::Print(printed));
        }
    }

    fn flush_file(&mut self, machine: &Machine, at: usize) {
        let known = &mut self.files[at];
        let (Some(place), Some(expected), None) = (known.place, known.base, known.pending) else {
            return;
        };
        let Some(now) = content(machine, place).filter(|now| *now != expected) else {
            known.undo = false;
            return;
        };
        let Some(bytes) = bytes(machine, place) else {
            return;
        };
        known.pending = Some(now);
        let (medium, undo) = (known.file.id, known.undo);
        let sent = Content {
            identity: now,
            bytes: bytes.clone(),
            undo,
        };
        let ask = Ask::Store {
            medium,
            bytes,
            expected,
            undo,
        };
        self.ask(ask, Waiting::File(medium, sent));
    }

    fn flush_copy(&mut self, machine: &Machine, at: usize) {
        let known = &mut self.copies[at];
        let (Some(place), None) = (known.place, known.pending) else {
            return;
        };
        let Some(now) = content(machine, place).filter(|now| Some(*now) != known.kept) else {
            known.undo = false;
            return;
        };
        let Some(bytes) = bytes(machine, place) else {
            return;
        };
        known.pending = Some(now);
        let copy = known.id;
        let sent = Content {
            identity: now,
            bytes: bytes.clone(),
            undo: known.undo,
        };
        let ask = Ask::Keep {
            copy,
            name: known.name.clone(),
            of: known.of,
            tape: place == Place::Recorder,
            bytes,
            undo: known.undo,
        };
        self.ask(ask, Waiting::Copy(copy, sent));
    }

    /// Names of the media with something that is not safe yet.
    pub(crate) fn unsaved(&self, machine: &Machine) -> Vec<String> {
        let present = self.present(machine);
        let safe = |place: Option<Place>, held: Option<Identity>| {
            place.is_none_or(|at| content(present, at) == held)
        };
        let files = self.files.iter();
        let files = files.filter(|m| m.pending.is_some() || !safe(m.place, m.base));
        let copies = self.copies.iter();
        let copies = copies.filter(|c| c.pending.is_some() || !safe(c.place, c.kept));
        let on_the_way = self
            .waiting
            .iter()
            .filter_map(|(_, waiting)| match waiting {
                Waiting::Gone(orphan) => Some(orphan),
                _ => None,
            });
        let orphans = self.orphans.iter().chain(on_the_way);
        let printer = (!self.printed.is_empty()).then(|| "the printer's text".to_owned());
        files
            .map(|m| m.file.name.clone())
            .chain(copies.map(|c| c.name.clone()))
            .chain(orphans.map(|orphan| orphan.name.clone()))
            .chain(self.open_files.failed())
            .chain(printer)
            .collect()
    }

    /// Asks for the request that the machine's folder device waits for.
    pub(crate) fn folder(&mut self, machine: &Machine) {
        let waits = |w: &Waiting| matches!(w, Waiting::Folder);
        if let Some(request) = machine.host_request()
            && self.looking.is_none()
            && !self.waiting.iter().any(|(_, w)| waits(w))
        {
            self.ask(Ask::Folder(request.clone()), Waiting::Folder);
        }
    }

    /// Requests that were not handed out yet.
    pub(crate) fn requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.ready)
    }

    /// Takes an answer. Gives the reply that the machine's folder device waits for.
    pub(crate) fn answer(
        &mut self,
        machine: &mut Machine,
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
            (Waiting::OpenFile(name), answer) => {
                let done =
                    matches!(&answer, Ok(Answer::Folder(reply)) if reply.status < status::ERROR);
                self.open_files.answered(name, done);
            }
            (Waiting::File(id, sent), answer) => self.with_present(machine, |mounts, present| {
                mounts.stored(present, id, sent, answer.err());
            }),
            (Waiting::Copy(id, sent), answer) => self.with_present(machine, |mounts, present| {
                mounts.kept(present, id, sent, answer.is_ok());
            }),
            (Waiting::Gone(orphan), Err(_)) => self.orphans.push(orphan),
            (Waiting::Print(mut printed), Err(_)) => {
                printed.append(std::mem::take(&mut self.printed));
                self.printed = printed;
            }
            (Waiting::Gone(_) | Waiting::Print(_), Ok(_)) => {}
        }
        None
    }

    fn stored(
        &mut self,
        machine: &mut Machine,
        id: MediumId,
        sent: Content,
        refused: Option<Refused>,
    ) {
        let Some(known) = self.files.iter_mut().find(|m| m.file.id == id) else {
            return;
        };
        known.pending = None;
        let Some(refused) = refused else {
            known.base = Some(sent.identity);
            known.undo &= !sent.undo;
            return;
        };
        if refused == Refused::Changed {
            known.base = None;
        }
        let (place, name, undone) = (
            known.place,
            known.file.name.clone(),
            known.undo && !sent.undo,
        );
        // The next request has the medium's contents then: these, and perhaps more.
        let asked_again = place.is_some_and(|place| {
            let now = content(machine, place);
            now == Some(sent.identity) || now.is_some() && !undone
        });
        if !asked_again {
            self.orphan(name.clone(), Some(id), sent.bytes);
        }
        if refused == Refused::Changed
            && let Some(place) = place
            && let Some(copy) = self.insert_copy(machine, place, name, Some(id), true)
            && let Some(copy) = self.copies.iter_mut().find(|c| c.id == copy)
        {
            // Its contents are nowhere yet.
            copy.kept = None;
            self.protect(machine, place);
        }
    }

    fn kept(&mut self, machine: &Machine, id: CopyId, sent: Content, done: bool) {
        let Some(copy) = self.copies.iter_mut().find(|copy| copy.id == id) else {
            return;
        };
        copy.pending = None;
        if done {
            copy.kept = Some(sent.identity);
            copy.undo &= !sent.undo;
            return;
        }
        let undone = copy.undo && !sent.undo;
        let asked_again = copy.place.is_some_and(|place| {
            let now = content(machine, place);
            now == Some(sent.identity) || now.is_some() && !undone
        });
        if !asked_again {
            let (name, of) = (copy.name.clone(), copy.of);
            self.orphan(name, of, sent.bytes);
        }
    }

    /// Keeps the bytes that a program wrote as a copy of their own: no medium of the machine has them.
    pub(super) fn orphan(&mut self, name: String, of: Option<MediumId>, bytes: Vec<u8>) {
        self.last_copy += 1;
        let id = CopyId(self.last_copy);
        self.orphans.push(Orphan {
            id,
            name,
            of,
            bytes,
        });
    }
}
