//! Media of a session, and the requests to the host.
use super::Session;
use crate::media::{Answer, Columns, Copy, CopyId, Mount, Place, Refused, Request, RequestId};
use crate::setup::MediumFile;
use crate::timeline::Event;
use machine::host::HostReply;
use media::Identity;
use media::atr::Disk;
use media::cas::Tape;

/// Frames without a byte for the tape after which a program saves another time: leaders between files are shorter than 20 s.
const PAUSE: u64 = 1200;
/// Frames between two flushes: a second.
const FLUSH: u64 = 60;

/// Output to a tape that was not recorded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Missed {
    /// The frame of the last byte; 0: none yet.
    pub last: u64,
    /// The user has not been told.
    pub tell: bool,
}

/// Frames after power-on in which a disk is booted.
const BOOTS: u64 = 1800;
/// Frames from one look at the screen to the next.
const LOOKS: u64 = 15;

/// Notice about the disk that is booted.
#[derive(Clone, Debug, Default)]
pub(super) struct Boot {
    /// It was said since the machine was switched on.
    pub told: bool,
    notice: Option<String>,
}

impl Session {
    /// The reason why the disk in D1: does not boot, and a remedy: one sentence, once after power-on. `None` while there is nothing to say.
    pub fn take_notice(&mut self) -> Option<String> {
        self.boot.notice.take()
    }

    /// Checks if the OS cannot boot the disk in D1:.
    pub(super) fn look_at_boot(&mut self) {
        let frames = self.machine_frames;
        if self.boot.told
            || self.playing
            || frames > BOOTS
            || !(frames == 1 || frames.is_multiple_of(LOOKS))
        {
            return;
        }
        let machine = &self.track.machine;
        let (Some(disk), false) = (machine.disk(0), machine.program_loading()) else {
            return;
        };
        let notice = if frames == 1 {
            let cartridge = machine.config().cartridge.is_some();
            crate::boot::foreseen(disk).filter(|_| !cartridge)
        } else {
            let shown = machine.displayed_text().text().contains("BOOT ERROR");
            shown.then(|| crate::boot::error(disk))
        };
        self.boot.told = notice.is_some();
        self.boot.notice = notice;
    }

    /// True in the frames after which the host calls [`Self::flush`]: every 60th, about one a second.
    pub fn is_flush_due(&self) -> bool {
        self.frames.is_multiple_of(FLUSH)
    }

    /// Asks for everything to be stored that is not in its file yet. The host calls this when it is due, and at the end.
    pub fn flush(&mut self) {
        self.mounts
            .flush(&mut self.track.machine, self.setup.printer);
    }

    /// The requests to the host that it has not taken yet. To be called before each frame: a program that opens a file on H: waits.
    pub fn requests(&mut self) -> Vec<Request> {
        self.answer_source();
        if self.setup.wants_folder() && !self.playing {
            self.mounts.folder(&self.track.machine);
        }
        self.mounts.requests()
    }

    /// Gives a folder of the host to all programs that start from now on, or takes it away.
    pub fn set_folder(&mut self, on: bool) {
        self.setup.folder = on;
    }

    /// Asks for the files that programs have open on H: to be written as they are now: before the run ends, or the machine loses them.
    pub fn store_open_files(&mut self) {
        if self.setup.wants_folder() && !self.playing {
            self.mounts.store_open_files(&self.track.machine);
        }
    }

    /// Answers a request.
    pub fn answer(&mut self, id: RequestId, answer: Result<Answer, Refused>) {
        let before = self.mounts.placement();
        if let Some(reply) = self.mounts.answer(&mut self.track.machine, id, answer) {
            self.answer_folder(reply);
        }
        if self.mounts.placement() != before {
            // The drive continues with a copy of a file that another program has changed.
            self.note_placement();
        }
    }

    /// Answers requests for the program's own file.
    pub(super) fn answer_source(&mut self) {
        if self.playing {
            return;
        }
        let source = self.setup.program.source.as_ref();
        let request = self.track.machine.host_request();
        let reply = source
            .zip(request)
            .and_then(|(source, request)| source.answer(request));
        if let Some(reply) = reply {
            self.answer_folder(reply);
        }
    }

    pub(super) fn answer_folder(&mut self, reply: HostReply) {
        // A reply that comes too late is ignored.
        drop(self.track.apply(Event::HostReply(reply)));
    }

    /// Names of the media with something that is in no file yet, or whose request was not answered.
    pub fn unsaved(&self) -> Vec<String> {
        self.mounts.unsaved(&self.track.machine)
    }

    /// All files that the session may still write to.
    pub fn files(&self) -> impl Iterator<Item = &MediumFile> {
        self.mounts.files()
    }

    /// The file of the medium at a place; `None` for an empty place, or a copy.
    pub fn file_at(&self, place: Place) -> Option<&MediumFile> {
        self.mounts.file(place)
    }

    /// The media in the present machine that belong to no file, also while another moment is looked at.
    pub fn copies(&self) -> Vec<Copy> {
        self.mounts.copies(&self.track.machine)
    }

    /// The bytes of the medium that is at a place in the present machine, as a file holds them: also while another moment is looked at.
    pub fn bytes_at(&self, place: Place) -> Option<Vec<u8>> {
        crate::media::bytes(self.mounts.present(&self.track.machine), place)
    }

    /// The copy was stored in a file, and is that file from now on.
    pub fn attach(&mut self, copy: CopyId, file: MediumFile, stored: &[u8]) {
        self.mounts.attach(copy, file, Identity::of(stored));
        self.note_placement();
    }

    /// Covers the notch of the disk in a drive (0 = D1:), so that nothing is written to it, or uncovers it. A protection by the host or the image
    /// itself stays. False without a disk.
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

    /// Puts the next disk into D1: and the one that was there last; `None` if only one drive has a disk. Returns its name.
    pub fn next_disk(&mut self) -> Option<String> {
        let count = (0..crate::setup::DRIVES)
            .take_while(|&drive| self.track.machine.disk(drive).is_some())
            .count();
        if count < 2 {
            return None;
        }
        self.move_disks(|drive| {
            if drive < count {
                (drive + count - 1) % count
            } else {
                drive
            }
        });
        let first = Place::Drive(0);
        let file = self.mounts.file(first).map(|file| file.name.clone());
        file.or_else(|| self.copies().first().map(|copy| copy.name.clone()))
    }

    /// Changes the disks of two drives (0 = D1:).
    pub fn swap_disks(&mut self, first: usize, second: usize) {
        self.move_disks(|drive| match drive {
            _ if drive == first => second,
            _ if drive == second => first,
            _ => drive,
        });
    }

    /// Moves the disk of each drive `n` into drive `to(n)`.
    fn move_disks(&mut self, to: impl Fn(usize) -> usize) {
        self.run_on();
        self.flush();
        let moves: Vec<_> = (0..crate::setup::DRIVES)
            .filter(|&drive| to(drive) != drive)
            .collect();
        let disks: Vec<_> = moves.iter().map(|&drive| self.eject(drive)).collect();
        for (&drive, disk) in moves.iter().zip(disks) {
            if let Some(disk) = disk {
                self.insert(to(drive), disk);
            }
        }
        self.mounts.move_drives(to);
        self.note_placement();
    }

    /// Puts a disk into a drive (0 = D1:) in place of the one that is there.
    pub fn insert_disk(&mut self, drive: usize, disk: Mount<Disk>) {
        self.put_into_drive(drive, disk.medium);
        self.mounts
            .insert(&mut self.track.machine, Place::Drive(drive), disk.file);
        self.note_placement();
    }

    /// Takes the disk out of a drive (0 = D1:); the drive stays on. False without a disk.
    pub fn eject_disk(&mut self, drive: usize) -> bool {
        self.run_on();
        self.flush();
        self.mounts
            .part_with(&self.track.machine, Place::Drive(drive));
        if self.eject(drive).is_none() {
            return false;
        }
        self.mounts.take_out(Place::Drive(drive));
        self.note_placement();
        true
    }

    /// Puts a disk that is not a file into a drive (0 = D1:): the bytes that programs write are kept as a copy of `of`.
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
        self.mounts
            .part_with(&self.track.machine, Place::Drive(drive));
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

/// The printer, and the program recorder.
impl Session {
    /// Switches the printer on, whose paper comes as [`crate::Ask::Print`], or off with `None`. The output of programs while it is off is held, up to
    /// 64 KB, until it is switched on.
    pub fn set_printer(&mut self, printer: Option<Columns>) {
        self.flush();
        self.setup.printer = printer;
    }

    /// True once when a program has printed while the printer is off, until it has been on again.
    pub fn missed_print(&mut self) -> bool {
        self.mounts.tell_unprinted()
    }

    /// Puts a tape into the recorder in place of the one that is there: wound to its beginning, with PLAY pressed.
    pub fn insert_tape(&mut self, tape: Mount<Tape>) {
        self.put_into_recorder(tape.medium);
        self.mounts
            .insert(&mut self.track.machine, Place::Recorder, tape.file);
        self.note_placement();
    }

    /// Puts a tape that is not a file into the recorder: the bytes that programs record are kept as a copy of `of`.
    pub fn insert_tape_copy(
        &mut self,
        tape: Tape,
        name: String,
        of: Option<crate::MediumId>,
    ) -> Option<CopyId> {
        self.put_into_recorder(tape);
        let place = Place::Recorder;
        let copy = self
            .mounts
            .insert_copy(&self.track.machine, place, name, of, true);
        self.note_placement();
        copy
    }

    /// Takes the tape out of the recorder. False without a tape.
    pub fn eject_tape(&mut self) -> bool {
        self.run_on();
        self.flush();
        self.mounts.part_with(&self.track.machine, Place::Recorder);
        if self.track.machine.tape().is_none() {
            return false;
        }
        self.handle(Event::EjectTape);
        self.mounts.take_out(Place::Recorder);
        self.note_placement();
        true
    }

    /// Winds the tape to the beginning of a block, from 0; of one that the tape does not have, to its end.
    pub fn wind_tape(&mut self, block: usize) {
        self.run_on();
        self.handle(Event::WindTape(u32::try_from(block).unwrap_or(u32::MAX)));
    }

    /// Presses RECORD together with PLAY, or only PLAY.
    pub fn press_record(&mut self, pressed: bool) {
        self.run_on();
        self.handle(Event::PressRecord(pressed));
    }

    /// True once for each time that a program has begun to save to the recorder and nothing is recorded: RECORD is not pressed, or no tape is
    /// in it.
    pub fn missed_recording(&mut self) -> bool {
        std::mem::take(&mut self.missed.tell)
    }

    pub(super) fn look_at_recorder(&mut self) {
        if self.track.machine.take_unrecorded() {
            let again = self.frames.saturating_sub(self.missed.last) < PAUSE;
            self.missed.tell |= !again || self.missed.last == 0;
            self.missed.last = self.frames;
        }
    }

    fn put_into_recorder(&mut self, tape: Tape) {
        self.run_on();
        self.flush();
        self.mounts.part_with(&self.track.machine, Place::Recorder);
        self.handle(Event::InsertTape(Box::new(tape)));
    }

    /// Applies an event to the recorder that can always be applied.
    fn handle(&mut self, event: Event) {
        drop(self.track.apply(event));
    }
}
