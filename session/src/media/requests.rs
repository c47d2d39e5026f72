//! What the host is asked, and its answers.
use super::{
    Answer, Ask, Content, Copied, CopyId, HostReply, Identity, Machine, MediumId, Mounts, Orphan,
    Place, Refused, Request, RequestId, Waiting, bytes, content,
};

impl Mounts {
    fn ask(&mut self, ask: Ask, waiting: Waiting) {
        self.last += 1;
        let id = RequestId(self.last);
        self.waiting.push((id, waiting));
        self.ready.push(Request { id, ask });
    }

    /// Asks for everything that is not safe yet. A machine that is only being looked at has nothing of the kind.
    pub(crate) fn flush(&mut self, machine: &mut Machine, printer: bool) {
        for orphan in std::mem::take(&mut self.orphans) {
            let ask = Ask::Keep {
                copy: orphan.id,
                name: orphan.name.clone(),
                of: orphan.of,
                tape: orphan.tape,
                bytes: orphan.content.bytes.clone(),
                undo: false,
            };
            self.copies.retain(|copy| copy.id != orphan.id);
            self.copies.push(Copied {
                id: orphan.id,
                place: None,
                name: orphan.name,
                of: orphan.of,
                shown: false,
                kept: Some(orphan.content.identity),
                pending: None,
                undo: false,
            });
            self.ask(ask, Waiting::Copy(orphan.id, orphan.content));
        }
        if self.looking.is_none() {
            for at in 0..self.files.len() {
                self.flush_file(machine, at);
            }
            for at in 0..self.copies.len() {
                self.flush_copy(machine, at);
            }
            let printed = machine.take_printed();
            if printer {
                self.printed.extend(printed);
            }
        }
        let waits = |w: &Waiting| matches!(w, Waiting::Print(_));
        if !self.printed.is_empty() && !self.waiting.iter().any(|(_, w)| waits(w)) {
            let bytes = std::mem::take(&mut self.printed);
            self.ask(Ask::Print(bytes.clone()), Waiting::Print(bytes));
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
        let safe = |place: Option<Place>, held: Option<Identity>| {
            self.looking.is_some() || place.is_none_or(|at| content(machine, at) == held)
        };
        let files = self.files.iter();
        let files = files.filter(|m| m.base.is_some() && !safe(m.place, m.base));
        let copies = self.copies.iter();
        let copies = copies.filter(|c| !safe(c.place, c.kept));
        let orphans = self.orphans.iter().map(|o| o.name.clone());
        let printer = (!self.printed.is_empty()).then(|| "the printer's text".to_owned());
        files
            .map(|m| m.file.name.clone())
            .chain(copies.map(|c| c.name.clone()))
            .chain(orphans)
            .chain(printer)
            .collect()
    }

    /// Asks for what the machine's folder device waits for.
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
            (Waiting::File(id, sent), answer) => self.stored(machine, id, sent, answer.err()),
            (Waiting::Copy(id, sent), answer) => self.kept(machine, id, sent, answer.is_ok()),
            (Waiting::Print(mut bytes), Err(_)) => {
                bytes.append(&mut self.printed);
                self.printed = bytes;
            }
            (Waiting::Print(_), Ok(_)) => {}
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
        let Some(at) = self.files.iter().position(|m| m.file.id == id) else {
            return;
        };
        let known = &mut self.files[at];
        known.pending = None;
        let (place, name) = (known.place, known.file.name.clone());
        let Some(refused) = refused else {
            known.base = Some(sent.identity);
            // The machine may have gone back since this was sent.
            let there = place.filter(|_| self.looking.is_none());
            known.undo &= there.is_some_and(|at| content(machine, at) != Some(sent.identity));
            return;
        };
        let base = match refused {
            Refused::Failed => None,
            Refused::Changed => known.base.take(),
        };
        let Some(place) = place.filter(|_| self.looking.is_none()) else {
            // The machine is elsewhere by now.
            return self.orphan(name, Some(id), sent);
        };
        // What was sent and then undone is in no drive any more. Anything else is asked again with what the medium holds then: this, and
        // perhaps more.
        if self.files[at].undo && content(machine, place) != Some(sent.identity) {
            self.orphan(name.clone(), Some(id), sent);
        }
        if refused == Refused::Changed
            && let Some(copy) = self.insert_copy(machine, place, name, Some(id), true)
            && let Some(copy) = self.copies.iter_mut().find(|c| c.id == copy)
        {
            // What was written since the file was read is nowhere yet.
            copy.kept = base;
            self.protect(machine, place);
        }
    }

    fn kept(&mut self, machine: &Machine, id: CopyId, sent: Content, done: bool) {
        let looking = self.looking.is_some();
        let Some(copy) = self.copies.iter_mut().find(|copy| copy.id == id) else {
            return;
        };
        copy.pending = None;
        let there = copy.place.filter(|_| !looking);
        let now = there.and_then(|place| content(machine, place));
        if done {
            copy.kept = Some(sent.identity);
            // The machine may have gone back since this was sent.
            copy.undo &= now.is_some_and(|now| now != sent.identity);
            return;
        }
        if now.is_none_or(|now| Some(now) == copy.kept && now != sent.identity) {
            let (name, of) = (copy.name.clone(), copy.of);
            self.orphan(name, of, sent);
        }
    }

    /// What a program wrote is to be kept, although the machine is elsewhere by now.
    fn orphan(&mut self, name: String, of: Option<MediumId>, content: Content) {
        self.last_copy += 1;
        self.orphans.push(Orphan {
            id: CopyId(self.last_copy),
            name,
            of,
            tape: !content.bytes.starts_with(&[0x96, 0x02]) && !content.bytes.starts_with(b"CART"),
            content,
        });
    }
}
