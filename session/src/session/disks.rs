//! Media of a session, and what the host is asked for.
use super::Session;
use crate::media::{Answer, Copy, CopyId, Mount, Place, Refused, Request, RequestId};
use crate::setup::MediumFile;
use crate::timeline::Event;
use machine::host::HostReply;
use media::Identity;
use media::atr::Disk;

impl Session {
    /// Asks for everything to be stored that is not in its file yet. The host calls this once in a while and at the end.
    pub fn flush(&mut self) {
        self.mounts
            .flush(&mut self.track.machine, self.setup.printer);
    }

    /// What the host is asked for and has not taken yet. To be called before each frame: a program that opens a file on H: waits.
    pub fn requests(&mut self) -> Vec<Request> {
        if self.setup.wants_folder() && !self.playing {
            self.mounts.folder(&self.track.machine);
        }
        self.mounts.requests()
    }

    /// Answers a request.
    pub fn answer(&mut self, id: RequestId, answer: Result<Answer, Refused>) {
        if let Some(reply) = self.mounts.answer(&mut self.track.machine, id, answer) {
            self.answer_folder(reply);
        }
    }

    pub(super) fn answer_folder(&mut self, reply: HostReply) {
        // A reply that comes too late is left alone.
        drop(self.track.apply(Event::HostReply(reply)));
    }

    /// Names of the media with something that is in no file yet. Not those whose request was not answered.
    pub fn unsaved(&self) -> Vec<String> {
        self.mounts.unsaved(&self.track.machine)
    }

    /// All files that the session may still write to.
    pub fn files(&self) -> impl Iterator<Item = &MediumFile> {
        self.mounts.files()
    }

    /// The file of the medium at a place; `None` where there is none, or a copy.
    pub fn file_at(&self, place: Place) -> Option<&MediumFile> {
        self.mounts.file(place)
    }

    /// The media in the machine that belong to no file.
    pub fn copies(&self) -> Vec<Copy> {
        self.mounts.copies(&self.track.machine)
    }

    /// The bytes of the medium at a place, as a file holds them.
    pub fn bytes_at(&self, place: Place) -> Option<Vec<u8>> {
        crate::media::bytes(&self.track.machine, place)
    }

    /// The copy was stored in a file, and is that file from now on.
    pub fn attach(&mut self, copy: CopyId, file: MediumFile, stored: &[u8]) {
        self.mounts.attach(copy, file, Identity::of(stored));
        self.note_placement();
    }

    /// Covers the notch of the disk in a drive (0 = D1:), so that nothing is written to it, or uncovers it. What the host or the image
    /// itself forbids stays forbidden. False where there is no disk of a file.
    pub fn protect_disk(&mut self, drive: usize, on: bool) -> bool {
        self.run_on();
        if !self.mounts.cover(&mut self.track.machine, drive, on) {
            return false;
        }
        let protected = self.mounts.is_protected(drive);
        let drive = drive as u8;
        self.note(Event::ProtectDisk { drive, protected });
        true
    }

    /// Puts the next disk into D1: and the one that was there last; `None` when there is no other. Gives its name.
    pub fn next_disk(&mut self) -> Option<String> {
        let count = (0..crate::setup::DRIVES)
            .take_while(|&drive| self.track.machine.disk(drive).is_some())
            .count();
        if count < 2 || self.setup.program_is_boot_disk() {
            return None;
        }
        self.run_on();
        self.flush();
        let disks: Vec<_> = (0..count).map(|drive| self.eject(drive)).collect();
        let next = |drive: usize| (drive + count - 1) % count;
        for (drive, disk) in disks.into_iter().enumerate() {
            if let Some(disk) = disk {
                self.insert(next(drive), disk);
            }
        }
        self.mounts
            .move_drives(|drive| if drive < count { next(drive) } else { drive });
        self.note_placement();
        let first = Place::Drive(0);
        let file = self.mounts.file(first).map(|file| file.name.clone());
        file.or_else(|| self.copies().first().map(|copy| copy.name.clone()))
    }

    /// Puts a disk into D1: in place of the one that is there.
    pub fn insert_disk(&mut self, disk: Mount<Disk>) {
        self.put_into_drive(0, disk.medium);
        self.mounts
            .insert(&mut self.track.machine, Place::Drive(0), disk.file);
        self.note_placement();
    }

    /// Takes the disk out of a drive (0 = D1:); the drive stays on. False where there is none.
    pub fn eject_disk(&mut self, drive: usize) -> bool {
        self.run_on();
        self.flush();
        if self.eject(drive).is_none() {
            return false;
        }
        self.mounts.take_out(Place::Drive(drive));
        self.note_placement();
        true
    }

    /// Puts a disk that is no file into a drive (0 = D1:): what programs write to it is kept as a copy of `of`.
    pub fn insert_copy(
        &mut self,
        drive: usize,
        disk: Disk,
        name: String,
        of: Option<crate::MediumId>,
    ) -> Option<CopyId> {
        self.put_into_drive(drive, disk);
        let place = Place::Drive(drive);
        let copy = self
            .mounts
            .insert_copy(&self.track.machine, place, name, of, true);
        self.note_placement();
        copy
    }

    pub(super) fn put_into_drive(&mut self, drive: usize, disk: Disk) {
        self.run_on();
        self.flush();
        self.eject(drive);
        self.insert(drive, disk);
    }

    pub(super) fn eject(&mut self, drive: usize) -> Option<Disk> {
        let disk = self.track.machine.eject_disk(drive);
        let drive = drive as u8;
        self.note(Event::EjectDisk { drive });
        disk
    }

    pub(super) fn insert(&mut self, drive: usize, disk: Disk) {
        let drive = drive as u8;
        let disk = Box::new(disk);
        // A disk can always be inserted.
        drop(self.track.apply(Event::InsertDisk { drive, disk }));
    }
}
