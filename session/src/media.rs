//! Media that belong to files of the host, and what the host is asked to do.
//!
//! The machine holds the media themselves, as they are at its present moment; [`Mounts`] knows which of them belong to which file, and
//! what each file holds. `docs/media.md` has the rules as a table. In short: looking at the past touches no file. When the machine
//! runs on from another moment, a medium stays attached to its file if that moment is one of this session's own, or if the file
//! holds the very same bytes; otherwise the drive holds a *copy*, and the file stays as it is.
use crate::setup::MediumFile;
use machine::Machine;
use machine::host::{HostReply, HostRequest};
use media::Identity;
use media::cas::Tape;

/// The host's number for a file that is in a drive or recorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MediumId(pub u32);

/// A copy: a medium in a drive that no file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CopyId(pub u32);

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
        /// What the file held when it was last read or written. If it holds something else now, the answer is [`Refused::Changed`].
        expected: Identity,
        /// The machine has gone back in time, and the file follows: what it holds now is newer, and worth keeping elsewhere.
        undo: bool,
    },
    /// Keep what a program has written to a copy, so that it can be found again. The same copy is kept anew when it is written again.
    Keep {
        /// The copy.
        copy: CopyId,
        /// The name of the file that it is a copy of, or what it is.
        name: String,
        /// The file that it is a copy of.
        of: Option<MediumId>,
        /// It is a tape, not a disk.
        tape: bool,
        /// All of its bytes.
        bytes: Vec<u8>,
        /// The machine has gone back in time: what was kept of this copy is newer, and worth keeping elsewhere.
        undo: bool,
    },
    /// Something of the folder that the Atari has as H:; the program waits.
    Folder(HostRequest),
    /// Append what was printed: ATASCII, lines ended by $9B.
    Print(Vec<u8>),
}

/// What the host did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// What was asked: stored, kept, or printed.
    Done,
    /// The answer of the folder.
    Folder(HostReply),
}

/// Why the host did not do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It cannot now; it is asked again.
    #[error("the host could not do it")]
    Failed,
    /// The file is not what it was when it was last read or written: another program has changed it. It is left alone from now on.
    #[error("the file was changed by another program")]
    Changed,
}

/// Where a medium is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A drive, from 0.
    Drive(usize),
    /// The program recorder.
    Recorder,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Drive(drive) => write!(f, "D{}:", drive + 1),
            Self::Recorder => f.write_str("C:"),
        }
    }
}

/// All places.
fn places() -> impl Iterator<Item = Place> {
    (0..8).map(Place::Drive).chain([Place::Recorder])
}

/// What a medium of the machine is; `None` when there is none at this place.
fn content(machine: &Machine, place: Place) -> Option<Identity> {
    match place {
        Place::Drive(drive) => Some(machine.disk(drive)?.identity()),
        Place::Recorder => Some(Identity::of(&machine.tape()?.to_bytes())),
    }
}

/// The bytes of a medium as a file.
pub(crate) fn bytes(machine: &Machine, place: Place) -> Option<Vec<u8>> {
    match place {
        Place::Drive(drive) => machine.disk(drive).map(media::atr::Disk::to_bytes),
        Place::Recorder => machine.tape().map(Tape::to_bytes),
    }
}

/// A file that was put into a place.
#[derive(Clone, Debug)]
struct Mounted {
    file: MediumFile,
    /// Where it is now; `None` when something else is there.
    place: Option<Place>,
    /// What the file holds; `None` when another program has changed it.
    base: Option<Identity>,
    /// What was sent to be stored.
    pending: Option<Identity>,
    /// The file is to hold something older than it does.
    undo: bool,
    /// The host allows no writing.
    protected: bool,
}

impl Mounted {
    /// What the file holds once the host has done what it was asked.
    fn latest(&self) -> Option<Identity> {
        self.pending.or(self.base)
    }
}

/// A medium that is no file.
#[derive(Clone, Debug)]
struct Copied {
    id: CopyId,
    place: Option<Place>,
    name: String,
    of: Option<MediumId>,
    /// Worth a word before it is written.
    shown: bool,
    /// What is safe elsewhere: in the saved state that it came from, or kept by the host.
    kept: Option<Identity>,
    pending: Option<Identity>,
    /// What is kept is to become something older than it is.
    undo: bool,
}

/// What is at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Occupant {
    File(MediumId),
    Copy(CopyId),
}

/// What was where at a moment of the session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Placement(Vec<(Place, Occupant)>);

/// Whose moment the machine runs on from.
#[derive(Clone, Debug)]
pub(crate) enum Line {
    /// This session's own: undo.
    Own(Placement),
    /// Another session's.
    Foreign,
}

/// A copy, for titles and commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Its number.
    pub id: CopyId,
    /// Where it is.
    pub place: Place,
    /// The name of the file that it is a copy of, or what it is.
    pub name: String,
    /// The file that it is a copy of.
    pub of: Option<MediumId>,
    /// A program has written to it since it came.
    pub written: bool,
    /// It came with a saved state, or because its file was changed by another program: worth a word in the title.
    pub shown: bool,
}

/// A request that was not answered yet.
#[derive(Clone, Debug)]
enum Waiting {
    File(MediumId, Content),
    Copy(CopyId, Content),
    Folder,
    Print(Vec<u8>),
}

/// What was sent to the host.
#[derive(Clone, Debug)]
struct Content {
    identity: Identity,
    bytes: Vec<u8>,
}

/// What a program wrote, is safe nowhere, and is not in the machine any more.
#[derive(Clone, Debug)]
struct Orphan {
    id: CopyId,
    name: String,
    of: Option<MediumId>,
    tape: bool,
    content: Content,
}

/// The files of the media in a machine, and the requests on their way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mounts {
    files: Vec<Mounted>,
    copies: Vec<Copied>,
    orphans: Vec<Orphan>,
    /// The machine is at another moment and has not run on from it.
    looking: Option<Line>,
    /// Printed, and not yet written by the host.
    printed: Vec<u8>,
    waiting: Vec<(RequestId, Waiting)>,
    ready: Vec<Request>,
    last: u64,
    last_copy: u32,
}

/// Putting media in and taking them out.
impl Mounts {
    /// A file goes into a place; what was there is in no place any more.
    pub(crate) fn insert(&mut self, machine: &mut Machine, place: Place, file: MediumFile) {
        self.take_out(place);
        let protected = match place {
            Place::Drive(drive) => machine
                .disk(drive)
                .is_some_and(media::atr::Disk::write_protected),
            Place::Recorder => false,
        };
        self.files.retain(|known| known.file.id != file.id);
        self.files.push(Mounted {
            file,
            place: Some(place),
            base: content(machine, place),
            pending: None,
            undo: false,
            protected,
        });
    }

    /// What is in a place belongs to no file.
    pub(crate) fn insert_copy(
        &mut self,
        machine: &Machine,
        place: Place,
        name: String,
        of: Option<MediumId>,
        shown: bool,
    ) -> Option<CopyId> {
        self.take_out(place);
        let kept = Some(content(machine, place)?);
        self.last_copy += 1;
        let id = CopyId(self.last_copy);
        self.copies.push(Copied {
            id,
            place: Some(place),
            name,
            of,
            shown,
            kept,
            pending: None,
            undo: false,
        });
        Some(id)
    }

    /// Whatever was at a place is there no more.
    pub(crate) fn take_out(&mut self, place: Place) {
        let files = self.files.iter_mut().map(|file| &mut file.place);
        let copies = self.copies.iter_mut().map(|copy| &mut copy.place);
        for at in files.chain(copies) {
            if *at == Some(place) {
                *at = None;
            }
        }
    }

    /// What is in the drives moves on: what was in drive `n` is in `to(n)`.
    pub(crate) fn move_drives(&mut self, to: impl Fn(usize) -> usize) {
        let files = self.files.iter_mut().map(|file| &mut file.place);
        let copies = self.copies.iter_mut().map(|copy| &mut copy.place);
        for at in files.chain(copies) {
            if let Some(Place::Drive(drive)) = at {
                *drive = to(*drive);
            }
        }
    }

    /// The copy becomes a file, which holds `content`.
    pub(crate) fn attach(&mut self, id: CopyId, file: MediumFile, content: Identity) {
        let Some(at) = self.copies.iter().position(|copy| copy.id == id) else {
            return;
        };
        let copy = self.copies.remove(at);
        self.files.push(Mounted {
            file,
            place: copy.place,
            base: Some(content),
            pending: None,
            undo: false,
            protected: false,
        });
    }

    /// The file at a place.
    pub(crate) fn file(&self, place: Place) -> Option<&MediumFile> {
        let mut files = self.files.iter();
        let found = files.find(|known| known.place == Some(place));
        found.map(|known| &known.file)
    }

    /// All files that the session may still write to.
    pub(crate) fn files(&self) -> impl Iterator<Item = &MediumFile> {
        self.files.iter().map(|known| &known.file)
    }

    /// The copies in the machine.
    pub(crate) fn copies(&self, machine: &Machine) -> Vec<Copy> {
        let mut all: Vec<Copy> = self
            .copies
            .iter()
            .filter_map(|copy| {
                let place = copy.place?;
                Some(Copy {
                    id: copy.id,
                    place,
                    name: copy.name.clone(),
                    of: copy.of,
                    written: content(machine, place) != copy.kept,
                    shown: copy.shown,
                })
            })
            .collect();
        all.sort_by_key(|copy| copy.place);
        all
    }

    /// Takes over what was not answered when another machine follows.
    pub(crate) fn follow(&mut self, old: Self) {
        self.printed = old.printed;
        self.waiting = old.waiting;
        self.waiting.retain(|(_, w)| !matches!(w, Waiting::Folder));
        self.ready = old.ready;
        self.orphans = old.orphans;
        self.last = old.last;
        self.last_copy = self.last_copy.max(old.last_copy);
    }
}

/// Other moments.
impl Mounts {
    /// What is where now.
    pub(crate) fn placement(&self) -> Placement {
        let files = self.files.iter();
        let files = files.filter_map(|m| Some((m.place?, Occupant::File(m.file.id))));
        let copies = self.copies.iter();
        let copies = copies.filter_map(|c| Some((c.place?, Occupant::Copy(c.id))));
        Placement(files.chain(copies).collect())
    }

    /// Before the machine becomes that of another moment: what it holds now is asked to be stored, and then its media are only
    /// looked at until [`Self::run_on`].
    pub(crate) fn leave(&mut self, machine: &mut Machine, printer: bool, line: Line) {
        self.flush(machine, printer);
        self.looking = Some(line);
        // What the folder device asked then is not asked any more.
        let folder = |waiting: &Waiting| matches!(waiting, Waiting::Folder);
        let gone = self.waiting.iter().filter(|(_, w)| folder(w));
        let gone: Vec<RequestId> = gone.map(|(id, _)| *id).collect();
        self.waiting.retain(|(id, _)| !gone.contains(id));
        self.ready.retain(|request| !gone.contains(&request.id));
    }

    /// The machine runs on from the moment that it is at.
    pub(crate) fn run_on(&mut self, machine: &mut Machine) -> bool {
        let Some(line) = self.looking.take() else {
            return false;
        };
        // What was on its way to the printer at that moment is on paper, or another session's.
        machine.take_printed();
        let before = self.placement();
        for file in &mut self.files {
            file.place = None;
        }
        for copy in &mut self.copies {
            copy.place = None;
        }
        for place in places() {
            let Some(now) = content(machine, place) else {
                continue;
            };
            let at = |placement: &Placement| {
                let mut all = placement.0.iter();
                all.find(|(at, _)| *at == place).map(|(_, who)| *who)
            };
            let attached = match &line {
                Line::Own(placement) => self.back_in_place(place, at(placement), now),
                Line::Foreign => self.equal_file(place, at(&before), now),
            };
            if !attached {
                let of = match (&line, at(&before)) {
                    (Line::Own(placement), _) => at(placement),
                    (Line::Foreign, before) => before,
                };
                let (name, of) = self.origin(of);
                let name = name.unwrap_or_else(|| format!("{place}"));
                let id = self.insert_copy(machine, place, name, of, true);
                if let (Line::Own(_), Some(copy)) = (&line, self.copies.last_mut())
                    && Some(copy.id) == id
                {
                    // No saved state has it.
                    copy.kept = None;
                }
            }
            self.protect(machine, place);
        }
        true
    }

    /// Media that came into the machine by themselves, as in a recording that is played, belong to no file.
    pub(crate) fn adopt(&mut self, machine: &Machine) {
        let known = self.placement();
        for place in places() {
            if !known.0.iter().any(|(at, _)| *at == place) {
                self.insert_copy(machine, place, format!("{place}"), None, false);
            }
        }
    }

    /// Whether the host allows writing to what is in a drive.
    pub(crate) fn is_protected(&self, drive: usize) -> bool {
        let place = Some(Place::Drive(drive));
        let known = self.files.iter().find(|known| known.place == place);
        known.is_some_and(|known| known.protected)
    }

    /// What was in a place at an earlier moment of this session is there again, if it is still known.
    fn back_in_place(&mut self, place: Place, who: Option<Occupant>, now: Identity) -> bool {
        match who {
            Some(Occupant::File(id)) => {
                let known = self.files.iter_mut().find(|m| m.file.id == id);
                let Some(known) = known.filter(|known| known.base.is_some()) else {
                    return false;
                };
                known.undo |= known.latest() != Some(now);
                known.place = Some(place);
                true
            }
            Some(Occupant::Copy(id)) => {
                let Some(known) = self.copies.iter_mut().find(|c| c.id == id) else {
                    return false;
                };
                known.undo |= known.pending.or(known.kept) != Some(now);
                known.place = Some(place);
                true
            }
            None => false,
        }
    }

    /// A file that holds exactly this, at best the one that was here.
    fn equal_file(&mut self, place: Place, before: Option<Occupant>, now: Identity) -> bool {
        let tape = |at: Option<Occupant>| matches!(at, Some(Occupant::File(_)));
        let here = |m: &Mounted| tape(before) && before == Some(Occupant::File(m.file.id));
        let equal = |m: &Mounted| m.place.is_none() && m.latest() == Some(now);
        let mut found = self.files.iter().position(|m| here(m) && equal(m));
        if found.is_none() {
            found = self.files.iter().position(equal);
        }
        let Some(found) = found else {
            return false;
        };
        self.files[found].place = Some(place);
        true
    }

    /// The name of what was at a place, and its file.
    fn origin(&self, who: Option<Occupant>) -> (Option<String>, Option<MediumId>) {
        match who {
            Some(Occupant::File(id)) => {
                let known = self.files.iter().find(|m| m.file.id == id);
                (known.map(|m| m.file.name.clone()), Some(id))
            }
            Some(Occupant::Copy(id)) => {
                let known = self.copies.iter().find(|c| c.id == id);
                (
                    known.map(|c| c.name.clone()),
                    known.and_then(|copy| copy.of),
                )
            }
            None => (None, None),
        }
    }

    /// The host's write protection is the file's, not that of a saved state. Copies can be written.
    fn protect(&self, machine: &mut Machine, place: Place) {
        let Place::Drive(drive) = place else {
            return;
        };
        let known = self.files.iter().find(|m| m.place == Some(place));
        let protected = known.is_some_and(|known| known.protected);
        if let Some(disk) = machine.disk_mut(drive) {
            disk.set_write_protected(protected);
        }
    }
}

/// Requests and answers.
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
        if refused == Refused::Failed {
            // It is asked again with what the medium holds then: this, and perhaps more.
            if known_undo(&self.files[at], content(machine, place), sent.identity) {
                self.orphan(name, Some(id), sent);
            }
        } else if let Some(copy) = self.insert_copy(machine, place, name, Some(id), true)
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
            tape: !content.bytes.starts_with(&[0x96, 0x02]),
            content,
        });
    }
}

/// Whether what was sent is not before what the medium holds now, but was undone.
fn known_undo(known: &Mounted, now: Option<Identity>, sent: Identity) -> bool {
    known.undo && now != Some(sent)
}

#[cfg(test)]
mod tests;
