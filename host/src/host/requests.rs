//! Requests of a session, and the files that they change.
use super::{Host, name_of, places, too_many};
use crate::config;
use crate::failure::Failure;
use crate::files;
use crate::hostfolder::HostFolder;
use crate::packed;
use machine::host::{HostReply, HostRequest, status};
use media::Identity;
use session::folder::{Device, FOLDERS};
use session::{Answer, Ask, CopyId, MediumId, Origin, Place, Printed, Refused, Session};
use std::fs;
use std::path::{Path, PathBuf};

impl Host {
    /// Carries out the session's requests. One that cannot be carried out is told once, and tried again.
    pub fn serve(&mut self, session: &mut Session) {
        if session.missed_recording() {
            let why = match session.machine().tape() {
                Some(_) => {
                    "RECORD is not pressed (--tape-record, or the cassette deck in the menu)"
                }
                None => "no tape is in the recorder (--tape FILE.cas)",
            };
            self.notices.push(format!(
                "a program saves to C:, and nothing is recorded: {why}"
            ));
        }
        if session.missed_print() {
            self.notices.push(
                "a program prints, and the printer is off: --printer FILE, or the menu's page of drives, puts it on paper"
                    .to_owned(),
            );
        }
        self.notices.extend(session.take_notice());
        for request in session.requests() {
            let answer = match request.ask {
                Ask::Folder(asked) => Ok(Answer::Folder(self.folder(session, &asked))),
                Ask::Store {
                    medium,
                    bytes,
                    expected,
                    undo,
                } => self.store(medium, &bytes, expected, undo),
                Ask::Keep {
                    copy,
                    name,
                    of,
                    tape,
                    bytes,
                    undo,
                } => {
                    let old = self.kept.get(&copy).filter(|_| undo);
                    // What cannot be kept twice is at least kept once.
                    let _ = old.map(|path| self.recovery.keep_undone(path, &name));
                    self.keep(copy, &name, of, tape, &bytes)
                }
                Ask::Print(printed) => self.print(&printed),
            };
            session.answer(request.id, answer);
        }
    }

    /// Answers for H: and D:.
    pub(super) fn folder(&mut self, session: &Session, asked: &HostRequest) -> HostReply {
        let device = Device::from(asked);
        let folders = self.folders(session);
        let found = device.and_then(|device| Some((folders.get(device.folder)?, device)));
        let Some((folder, device)) = found else {
            return HostReply::status(status::NO_DEVICE);
        };
        let missing = folder.path() == config::home() && !folder.path().exists();
        let reply = folder.answer(asked, device.text);
        if missing && folder.path().exists() {
            self.notices.push(format!(
                "files on H: and D: are kept in {}",
                folder.path().display()
            ));
        }
        reply
    }

    /// Shows a folder as the next of H1: to H4:, also to programs that start later. Gives its number.
    ///
    /// # Errors
    /// When it is not a folder, or there are four.
    pub fn share(&mut self, session: &mut Session, path: &Path) -> Result<usize, Failure> {
        if self.folders.len() == FOLDERS {
            return Err(too_many());
        }
        self.folders.push(HostFolder::new(path, true)?);
        session.set_folder(true);
        Ok(self.folders.len())
    }

    /// Takes a folder away that the user has chosen: 0 is H1:. The next ones move up.
    pub fn unshare(&mut self, number: usize) {
        if number < self.folders.len() {
            self.folders.remove(number);
        }
    }

    /// True if the user has chosen folders, not we.
    pub fn has_chosen_folders(&self) -> bool {
        !self.folders.is_empty()
    }

    /// The folders for H1: to H4:.
    pub fn folders(&self, session: &Session) -> Vec<HostFolder> {
        if !self.folders.is_empty() {
            return self.folders.clone();
        }
        let own = match session.setup().program.origin {
            Origin::Game { .. } => config::games(),
            _ => config::home(),
        };
        vec![HostFolder::on_demand(own)]
    }

    pub(super) fn store(
        &mut self,
        medium: MediumId,
        bytes: &[u8],
        expected: Identity,
        undo: bool,
    ) -> Result<Answer, Refused> {
        let Some(file) = self.files.get_mut(medium.0 as usize) else {
            return Err(Refused::Changed);
        };
        let path = file.path.clone();
        let regular = fs::metadata(&path).is_ok_and(|about| about.is_file());
        if regular {
            match packed::open(&path).map(|now| now.bytes) {
                Ok(now) if Identity::of(&now) == expected => {}
                // The very bytes are there already: written, and interrupted before we knew.
                Ok(now) if now == bytes => return Ok(Answer::Done),
                Ok(_) => {
                    self.notices.push(format!(
                        "{} was changed by another program; the drive goes on with a copy",
                        name_of(&path)
                    ));
                    return Err(Refused::Changed);
                }
                Err(failure) => return self.complain(path, &failure),
            }
        }
        if regular
            && undo
            && let Err(failure) = self.recovery.keep_undone(&path, &name_of(&path))
        {
            return self.complain(path, &failure);
        }
        match files::write_locked(&path, &file.wrapping.file(bytes)) {
            Ok(lock) => {
                if lock.is_some() {
                    file.lock = lock;
                }
                Ok(self.done(&path))
            }
            Err(failure) => self.complain(path, &failure),
        }
    }

    pub(super) fn keep(
        &mut self,
        copy: CopyId,
        name: &str,
        of: Option<MediumId>,
        tape: bool,
        bytes: &[u8],
    ) -> Result<Answer, Refused> {
        let of = of.and_then(|id| self.files.get(id.0 as usize));
        let of = of.map(|file| file.path.clone());
        let kept = match self.kept.get(&copy) {
            Some(path) => files::write(path, bytes).map(|()| path.clone()),
            None => self.recovery.keep(name, of.as_deref(), tape, bytes),
        };
        match kept {
            Ok(path) => {
                self.kept.insert(copy, path);
                let folder = self.recovery.folder().to_owned();
                Ok(self.done(&folder))
            }
            Err(failure) => self.complain(self.recovery.folder().to_owned(), &failure),
        }
    }

    pub(super) fn print(&mut self, printed: &Printed) -> Result<Answer, Refused> {
        let Some(path) = self.printer.clone() else {
            return Ok(Answer::Done);
        };
        let is_raw = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("prn"));
        let bytes = if is_raw {
            &printed.sent
        } else {
            printed.text.as_bytes()
        };
        match files::append(&path, bytes) {
            Ok(()) => Ok(self.done(&path)),
            Err(failure) => self.complain(path, &failure),
        }
    }

    /// Something could be written. Gives the answer.
    pub(super) fn done(&mut self, path: &Path) -> Answer {
        if self.complaints.remove(path) {
            self.notices
                .push(format!("{}: written now", path.display()));
        }
        Answer::Done
    }

    /// Something could not be written: this is told once.
    pub(super) fn complain(&mut self, path: PathBuf, failure: &Failure) -> Result<Answer, Refused> {
        if self.complaints.insert(path) {
            self.notices
                .push(format!("{failure}; it is kept in memory and tried again"));
        }
        Err(Refused::Failed)
    }

    /// Writes everything that is not in its file yet.
    pub fn save(&mut self, session: &mut Session) {
        session.flush();
        self.serve(session);
    }

    /// At the end: writes what is left, where it belongs or else into the recovery folder.
    ///
    /// # Errors
    /// Names what is in no file.
    pub fn finish(&mut self, session: &mut Session) -> Result<(), Failure> {
        session.store_open_files();
        // A refused store makes a copy, which is kept with the second.
        for _ in 0..3 {
            self.save(session);
        }
        let unsaved = session.unsaved();
        let mut lost = unsaved.clone();
        for place in places() {
            let Some(file) = session.file_at(place) else {
                continue;
            };
            let Some(bytes) = session
                .bytes_at(place)
                .filter(|_| unsaved.contains(&file.name))
            else {
                continue;
            };
            let path = self.files.get(file.id.0 as usize);
            let path = path.map(|file| file.path.as_path());
            let tape = place == Place::Recorder;
            if let Ok(kept) = self.recovery.keep(&file.name, path, tape, &bytes) {
                self.notices.push(format!(
                    "{} could not be written; what programs wrote is kept in {}",
                    file.name,
                    kept.display()
                ));
                if let Some(at) = lost.iter().position(|name| *name == file.name) {
                    lost.remove(at);
                }
            }
        }
        for path in std::mem::take(&mut self.kept).into_values() {
            self.notices.push(format!(
                "what programs wrote to a copy is kept in {}",
                path.display()
            ));
        }
        if lost.is_empty() {
            Ok(())
        } else {
            Err(Failure::input(format!(
                "could not be written, and is lost: {}",
                lost.join(", ")
            )))
        }
    }
}
