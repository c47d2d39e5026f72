//! Media that belong to files of the host, and the requests to the host.
//!
//! The machine holds the media themselves, as they are at its present moment; [`Mounts`] knows which of them belong to which file, and
//! what each file holds. `docs/media.md` has the rules as a table. In short: looking at the past touches no file. When the machine
//! runs on from another moment, a medium stays attached to its file if that moment is one of this session's own, or if the file
//! holds the very same bytes; otherwise the drive holds a *copy*, and the file stays as it is.
pub use self::printer::{Columns, Printed};
use self::printer::{Head, Held};
use crate::setup::MediumFile;
use crate::timeline::Moment;
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

/// A request of the session to the host, which may answer at once, or much later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// To be given back with the answer.
    pub id: RequestId,
    /// The job of the request.
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
        /// The contents of the file when it was last read or written. If it holds something else now, the answer is [`Refused::Changed`].
        expected: Identity,
        /// The machine has gone back in time, and the file with it: its present contents are newer, and worth keeping elsewhere.
        undo: bool,
    },
    /// Keep what a program has written to a copy, so that it can be found again. The same copy is kept again when it is written again.
    Keep {
        /// The copy.
        copy: CopyId,
        /// The name of the file that it is a copy of, or what it is.
        name: String,
        /// The file that it is a copy of.
        of: Option<MediumId>,
        /// It is a tape, not a disk or a cartridge.
        tape: bool,
        /// All of its bytes.
        bytes: Vec<u8>,
        /// The machine has gone back in time: the kept contents of this copy are newer, and worth keeping elsewhere.
        undo: bool,
    },
    /// Something of the folder that the Atari has as H:; the program waits.
    Folder(HostRequest),
    /// Append the printed text.
    Print(Printed),
}

/// Answer of the host to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The request was carried out: stored, kept, or printed.
    Done,
    /// The answer of the folder.
    Folder(HostReply),
}

/// Reason why the host did not carry out a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The host cannot now; it is asked again.
    #[error("the host could not do it")]
    Failed,
    /// The file is not as it was when it was last read or written: another program has changed it. It is not touched from now on.
    #[error("the file was changed by another program")]
    Changed,
}

/// The place of a medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A drive, from 0.
    Drive(usize),
    /// The program recorder.
    Recorder,
    /// The cartridge slot, when a program can write to its cartridge.
    Cartridge,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Drive(drive) => write!(f, "D{}:", drive + 1),
            Self::Recorder => f.write_str("C:"),
            Self::Cartridge => f.write_str("the cartridge"),
        }
    }
}

/// All places.
fn places() -> impl Iterator<Item = Place> {
    (0..8)
        .map(Place::Drive)
        .chain([Place::Recorder, Place::Cartridge])
}

/// The identity of the medium at a place of the machine; `None` if the place is empty.
fn content(machine: &Machine, place: Place) -> Option<Identity> {
    match place {
        Place::Drive(drive) => Some(machine.disk(drive)?.identity()),
        Place::Recorder => Some(Identity::of(&machine.tape()?.to_bytes())),
        Place::Cartridge => machine.cartridge_identity(),
    }
}

/// The bytes of a medium as a file.
pub(crate) fn bytes(machine: &Machine, place: Place) -> Option<Vec<u8>> {
    match place {
        Place::Drive(drive) => machine.disk(drive).map(media::atr::Disk::to_bytes),
        Place::Recorder => machine.tape().map(Tape::to_bytes),
        Place::Cartridge => machine.written_cartridge()?.to_car(),
    }
}

/// A file that was put into a place.
#[derive(Clone, Debug)]
struct Mounted {
    file: MediumFile,
    /// Its place now; `None` when something else is there.
    place: Option<Place>,
    /// The contents of the file; `None` when another program has changed it.
    base: Option<Identity>,
    /// The contents that were sent to be stored.
    pending: Option<Identity>,
    /// True if the file is to hold older contents than it does.
    undo: bool,
    /// The host allows no writing.
    protected: bool,
    /// The user has covered the disk's notch.
    covered: bool,
}

impl Mounted {
    /// The contents of the file once the host has answered.
    fn latest(&self) -> Option<Identity> {
        self.pending.or(self.base)
    }
}

/// A medium that is not a file.
#[derive(Clone, Debug)]
struct Copied {
    id: CopyId,
    place: Option<Place>,
    name: String,
    of: Option<MediumId>,
    /// The user has covered the disk's notch.
    covered: bool,
    /// True if its title says so before it is written.
    shown: bool,
    /// The contents that are safe elsewhere: in the saved state that it came from, or kept by the host.
    kept: Option<Identity>,
    pending: Option<Identity>,
    /// True if the kept contents are to be replaced by older ones.
    undo: bool,
}

impl Copied {
    /// The contents that are safe elsewhere once the host has answered.
    fn latest(&self) -> Option<Identity> {
        self.pending.or(self.kept)
    }
}

/// The medium at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Occupant {
    File(MediumId),
    Copy(CopyId),
}

/// The media and their places at a moment of the session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Placement(Vec<(Place, Occupant)>);

impl Placement {
    fn at(&self, place: Place) -> Option<Occupant> {
        let mut all = self.0.iter();
        all.find(|(at, _)| *at == place).map(|(_, who)| *who)
    }

    fn place(&self, occupant: Occupant) -> Option<Place> {
        let mut all = self.0.iter();
        all.find(|(_, who)| *who == occupant).map(|(at, _)| *at)
    }
}

/// The owner of the moment from which the machine runs on.
#[derive(Clone, Debug, PartialEq)]
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
    /// Its place.
    pub place: Place,
    /// The name of the file that it is a copy of, or what it is.
    pub name: String,
    /// The file that it is a copy of.
    pub of: Option<MediumId>,
    /// A program has written to it since it came.
    pub written: bool,
    /// It came with a saved state, or because its file was changed by another program: its title says so.
    pub shown: bool,
}

/// A request that was not answered yet.
#[derive(Clone, Debug)]
enum Waiting {
    File(MediumId, Content),
    Copy(CopyId, Content),
    /// To store or keep a medium that the session does not have any more.
    Gone(Orphan),
    Folder,
    /// A file of H: that a program has not closed.
    OpenFile(String),
    Print(Printed),
}

/// The content of a medium in a request to the host.
#[derive(Clone, Debug)]
struct Content {
    identity: Identity,
    bytes: Vec<u8>,
    /// The request was sent with the medium's `undo`, and the machine has not gone to another moment since.
    undo: bool,
}

/// Written by a program, in no file yet, and in the machine no more.
#[derive(Clone, Debug)]
struct Orphan {
    id: CopyId,
    name: String,
    of: Option<MediumId>,
    bytes: Vec<u8>,
}

impl Orphan {
    fn is_tape(&self) -> bool {
        !self.bytes.starts_with(&[0x96, 0x02]) && !self.bytes.starts_with(b"CART")
    }
}

/// Another moment is looked at, and the machine has not run on from it.
#[derive(Clone, Debug)]
struct Looking {
    /// The owner of that moment.
    line: Line,
    /// The machine that was left. Its media are stored while the other moment is looked at.
    present: Box<Machine>,
    /// Its moment.
    from: Moment,
    /// A machine that was loaded took its place in recorded time.
    loaded: bool,
}

/// The files of the media in a machine, and the requests on their way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mounts {
    files: Vec<Mounted>,
    copies: Vec<Copied>,
    orphans: Vec<Orphan>,
    open_files: OpenFiles,
    /// The machine is at another moment and has not run on from it.
    looking: Option<Looking>,
    /// Printed, and not yet written by the host.
    printed: Printed,
    /// The position of the printer's head.
    head: Head,
    /// Records that wait for the printer to be switched on.
    held: Held,
    waiting: Vec<(RequestId, Waiting)>,
    ready: Vec<Request>,
    last: u64,
    last_copy: u32,
}

/// Putting media in and taking them out.
impl Mounts {
    /// True once when something was printed while the printer is off.
    pub(crate) fn tell_unprinted(&mut self) -> bool {
        self.held.tell()
    }

    /// Puts a file into a place; the medium that was there is in no place any more. A file that is in another place is a copy there from now on.
    pub(crate) fn insert(&mut self, machine: &mut Machine, place: Place, file: MediumFile) {
        self.take_out(place);
        let other = self.placement().place(Occupant::File(file.id));
        if let Some(other) = other
            && let Some(copy) =
                self.insert_copy(machine, other, file.name.clone(), Some(file.id), true)
            && let Some(copy) = self.copies.iter_mut().find(|known| known.id == copy)
        {
            copy.kept = None;
        }
        let protected = match place {
            Place::Drive(drive) => machine
                .disk(drive)
                .is_some_and(media::atr::Disk::write_protected),
            Place::Recorder | Place::Cartridge => false,
        };
        self.disown(Occupant::File(file.id));
        self.files.retain(|known| known.file.id != file.id);
        self.files.push(Mounted {
            file,
            place: Some(place),
            base: content(machine, place),
            pending: None,
            undo: false,
            protected,
            covered: false,
        });
    }

    /// Notes that the medium in a place belongs to no file.
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
            covered: false,
            shown,
            kept,
            pending: None,
            undo: false,
        });
        Some(id)
    }

    /// Notes that a place is empty.
    pub(crate) fn take_out(&mut self, place: Place) {
        let files = self.files.iter_mut().map(|file| &mut file.place);
        let copies = self.copies.iter_mut().map(|copy| &mut copy.place);
        for at in files.chain(copies) {
            if *at == Some(place) {
                *at = None;
            }
        }
    }

    /// Moves the media of the drives: the one in drive `n` goes to `to(n)`.
    pub(crate) fn move_drives(&mut self, to: impl Fn(usize) -> usize) {
        let files = self.files.iter_mut().map(|file| &mut file.place);
        let copies = self.copies.iter_mut().map(|copy| &mut copy.place);
        for at in files.chain(copies) {
            if let Some(Place::Drive(drive)) = at {
                *drive = to(*drive);
            }
        }
    }

    /// The copy becomes a file, which holds `content`. Earlier moments still have the copy.
    pub(crate) fn attach(&mut self, id: CopyId, file: MediumFile, content: Identity) {
        self.disown(Occupant::Copy(id));
        let Some(copy) = self.copies.iter_mut().find(|copy| copy.id == id) else {
            return;
        };
        // The kept contents may be gone now.
        (copy.kept, copy.pending) = (None, None);
        let place = copy.place.take();
        self.files.push(Mounted {
            file,
            place,
            base: Some(content),
            pending: None,
            undo: false,
            protected: false,
            covered: false,
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

    /// The copies in the present machine.
    pub(crate) fn copies(&self, machine: &Machine) -> Vec<Copy> {
        let present = self.present(machine);
        let mut all: Vec<Copy> = Vec::new();
        for copy in &self.copies {
            let Some(place) = copy.place else { continue };
            let at = all.partition_point(|before| before.place <= place);
            let shown = Copy {
                id: copy.id,
                place,
                name: copy.name.clone(),
                of: copy.of,
                written: content(present, place) != copy.kept,
                shown: copy.shown,
            };
            all.insert(at, shown);
        }
        all
    }

    /// The present machine, also while another moment is looked at.
    pub(crate) fn present<'a>(&'a self, machine: &'a Machine) -> &'a Machine {
        let looking = self.looking.as_ref();
        looking.map_or(machine, |looking| &looking.present)
    }

    /// Does something with the present machine, also while another moment is looked at.
    fn with_present<R>(
        &mut self,
        machine: &mut Machine,
        act: impl FnOnce(&mut Self, &mut Machine) -> R,
    ) -> R {
        let Some(mut looking) = self.looking.take() else {
            return act(self, machine);
        };
        let result = act(self, &mut looking.present);
        self.looking = Some(looking);
        result
    }

    /// Takes over the unstored contents when a fresh machine follows `before`, whose mounts were `old`.
    pub(crate) fn take_over(&mut self, machine: &mut Machine, mut old: Self, before: &Machine) {
        self.with_present(machine, |mounts, machine| {
            for (place, occupant) in old.placement().0 {
                if !mounts.carry_over(machine, &old, occupant, content(before, place)) {
                    old.rescue(before, place, occupant);
                    old.disown(occupant);
                }
            }
        });
        let elsewhere = |known: &&Mounted| known.place.is_none();
        let gone: Vec<_> = old.files.iter().filter(elsewhere).collect();
        let gone: Vec<_> = gone.iter().map(|m| Occupant::File(m.file.id)).collect();
        let copies = old.copies.iter().map(|copy| Occupant::Copy(copy.id));
        for occupant in gone.into_iter().chain(copies.collect::<Vec<_>>()) {
            old.disown(occupant);
        }
        // No number means two copies: the host has a file for each.
        for copy in &mut self.copies {
            copy.id.0 += old.last_copy;
        }
        self.last_copy += old.last_copy;
        self.printed = old.printed;
        self.head = old.head;
        self.held = old.held;
        self.waiting = old.waiting;
        self.waiting.retain(|(_, w)| !matches!(w, Waiting::Folder));
        self.ready = old.ready;
        self.orphans = old.orphans;
        self.open_files = old.open_files;
        self.last = old.last;
    }

    /// A file that stays in the machine with its medium is as unsaved as it was. False when the medium does not stay.
    fn carry_over(
        &mut self,
        machine: &mut Machine,
        old: &Self,
        occupant: Occupant,
        held: Option<Identity>,
    ) -> bool {
        let Occupant::File(id) = occupant else {
            return false;
        };
        let same = |known: &&Mounted| known.file.id == id;
        let Some(before) = old.files.iter().find(same) else {
            return false;
        };
        let mut files = self.files.iter_mut();
        let Some(now) = files.find(|known| known.file.id == id) else {
            return false;
        };
        let Some(place) = now.place.filter(|place| content(machine, *place) == held) else {
            return false;
        };
        *now = Mounted {
            place: Some(place),
            ..before.clone()
        };
        self.protect(machine, place);
        true
    }
}

mod moments;
mod open_files;
mod printer;
mod requests;

use open_files::OpenFiles;

#[cfg(test)]
mod tests;
