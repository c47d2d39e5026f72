//! The host of a session: which file is which medium, and what the session asks for.
use crate::cli::MachineOptions;
use crate::config;
use crate::failure::{Failure, tell};
use crate::files;
use crate::hostfolder::HostFolder;
use crate::packed::{self, Wrapping};
use crate::platform::lock::{self, Lock};
use crate::platform::permissions;
use crate::recovery;
use media::Identity;
use media::atr::Disk;
use media::cartridge::Cartridge;
use media::cas::Tape;
use session::ProgramError;
use session::timeline::{Limits, Recording};
use session::{
    Answer, Ask, Copy, CopyId, Kind, MediumFile, MediumId, Mount, Needs, Place, Program,
};
use session::{Refused, Session, Setup, SetupError, built_in};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// A program that was asked for, and the file that it is.
#[derive(Clone, Debug)]
pub struct Found {
    /// The program.
    pub program: Program,
    /// Its file; `None` for one that is built in.
    pub path: Option<PathBuf>,
    /// Length and hash of the file.
    pub content: Option<Identity>,
}

impl Found {
    /// A program that is built in.
    pub fn built_in(program: Program) -> Self {
        Self {
            program,
            path: None,
            content: None,
        }
    }

    /// The built-in program or file called `name`.
    ///
    /// # Errors
    /// One sentence that says what the name or the file is not.
    pub fn named(name: &OsStr, options: &MachineOptions) -> Result<Self, Failure> {
        let path = Path::new(name);
        if let Some(text) = name.to_str() {
            let known = built_in::find(text).map_err(|error| Failure::file(path, error))?;
            if let Some(program) = known {
                return Ok(Self::built_in(program));
            }
            if !path.exists() && !text.contains(['/', '\\', '.']) {
                let names: Vec<_> = built_in::all().iter().map(|p| p.name).collect();
                return Err(Failure::input(format!(
                    "there is no program or file called {text}; built-in programs are menu, {}",
                    names.join(", ")
                )));
            }
        }
        Self::file(path, options.cart_type)
    }

    /// The program in a file. `kind` is the CAR type of a plain dump of a cartridge, when the user has said it.
    ///
    /// # Errors
    /// One sentence that says what is wrong with the file.
    pub fn file(path: &Path, kind: Option<u32>) -> Result<Self, Failure> {
        let opened = packed::open(path)?;
        let bytes = &opened.bytes;
        let failed = |error: ProgramError| Failure::file(path, error);
        let dump = media::recognise(&opened.name, bytes) == media::Kind::Rom;
        let known = cartridge_type(bytes, kind.filter(|_| dump))?;
        let program = match known {
            Some(number) if dump => {
                Program::of_dump(&opened.name, bytes, number).map_err(failed)?
            }
            _ => Program::of_file(&opened.name, bytes).map_err(failed)?,
        };
        remember_type(bytes, kind.filter(|_| dump))?;
        Ok(Self {
            program,
            path: Some(path.to_owned()),
            content: Some(Identity::of(bytes)),
        })
    }

    /// The file as messages name it, or the program.
    fn shown(&self) -> String {
        self.path
            .as_deref()
            .map_or_else(|| self.program.title.clone(), |p| p.display().to_string())
    }
}

/// A file's name without its folder.
pub fn name_of(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| "?".to_owned(), |n| n.to_string_lossy().into_owned())
}

/// A file that is a medium.
#[derive(Debug)]
struct MediaFile {
    path: PathBuf,
    /// Other programs of ours do not write to it.
    lock: Option<Lock>,
    /// Why it is not written to.
    protected: Option<&'static str>,
    wrapping: Wrapping,
}

/// The files of a session's media.
#[derive(Debug)]
pub struct Host {
    /// By [`MediumId`].
    files: Vec<MediaFile>,
    /// Files that are in a drive, or were in this session.
    in_use: BTreeSet<MediumId>,
    /// Where copies are kept.
    kept: BTreeMap<CopyId, PathBuf>,
    /// Copies of the disks in the drives that an earlier session has left: the number of the disk, its name, the copy's file.
    offers: Vec<(MediumId, String, PathBuf)>,
    printer: Option<PathBuf>,
    /// H1: to H4:.
    folders: Vec<HostFolder>,
    /// The tape is a file that does not exist yet.
    blank_tape: bool,
    /// What the user is to hear of.
    notices: Vec<String>,
    /// What cannot be written and was told; it is not told again.
    complaints: BTreeSet<PathBuf>,
}

impl Host {
    /// A session with the program that was asked for, and the host of its media.
    ///
    /// # Errors
    /// One sentence on what does not fit.
    pub fn switch_on(options: &MachineOptions, found: &Found) -> Result<(Session, Self), Failure> {
        let mut host = Self::new(options)?;
        let setup = host.setup(options, found)?;
        for line in setup.findings().unwrap_or_default() {
            tell(format_args!("{}: {line}", found.shown()));
        }
        let session =
            Session::new(setup).map_err(|error| explain(options, &found.shown(), &error))?;
        if let Some(flaw) = found.program.flaw() {
            tell(format_args!("{}: {flaw}", found.shown()));
        }
        Ok((session, host))
    }

    /// A session that plays a recording.
    ///
    /// # Errors
    /// When it is none, or needs a ROM that the options do not bring.
    pub fn play(options: &MachineOptions, path: &Path) -> Result<(Session, Self), Failure> {
        let host = Self::new(options)?;
        let mut roms = Vec::new();
        for rom in [&options.os, &options.basic].into_iter().flatten() {
            roms.push(machine::Rom::foreign(&files::read(rom)?));
        }
        let mut cartridges = Vec::new();
        for path in [&options.cart, &options.cart2] {
            cartridges.extend(cartridge(options, path.as_deref())?);
        }
        let explain = |error: &dyn std::fmt::Display| Failure::file(path, error);
        let recording = Recording::parse(&files::read(path)?, &roms, &cartridges)
            .map_err(|error| explain(&error))?;
        let session =
            Session::play(recording, Limits::default()).map_err(|error| explain(&error))?;
        Ok((session, host))
    }

    fn new(options: &MachineOptions) -> Result<Self, Failure> {
        if options.host.len() > 4 {
            return Err(Failure::input("there are only H1: to H4:"));
        }
        let mut folders: Vec<_> = options
            .host
            .iter()
            .map(|path| HostFolder::new(path, options.host_write))
            .collect::<Result<_, _>>()?;
        if folders.is_empty() {
            // Built-in games that save something have a folder of their own.
            folders.push(HostFolder::on_demand(config::games()));
        }
        Ok(Self {
            files: Vec::new(),
            in_use: BTreeSet::new(),
            kept: BTreeMap::new(),
            offers: Vec::new(),
            printer: options.printer.clone(),
            folders,
            blank_tape: false,
            notices: Vec::new(),
            complaints: BTreeSet::new(),
        })
    }

    fn setup(&mut self, options: &MachineOptions, found: &Found) -> Result<Setup, Failure> {
        let read = |path: &Option<PathBuf>| path.as_deref().map(files::read).transpose();
        let (program, program_file) = self.program(found);
        let disks: Result<Vec<_>, Failure> =
            options.disk.iter().map(|path| self.disk(path)).collect();
        let plugged = cartridge(options, options.cart.as_deref())?;
        let cartridge_file = match (&plugged, &options.cart) {
            (Some(cartridge), Some(path)) => self.cartridge_file(path, cartridge),
            _ => None,
        };
        Ok(Setup {
            program,
            program_file,
            model: options.machine.map(Into::into),
            tv: options.tv.map(Into::into),
            os: read(&options.os)?,
            basic: read(&options.basic)?,
            no_basic: options.no_basic,
            with_basic: options.with_basic,
            needs_table: needs_table()?,
            no_run: options.no_run,
            seed: options.seed.unwrap_or(0),
            fill: options.ram_fill().into(),
            ram: options.ram_size(),
            stereo: options.stereo,
            covox: options.covox,
            clock: options.rtime8,
            time: options.time,
            fast_drives: options.fast_media,
            disks: disks?,
            tape: match &options.tape {
                Some(path) => Some(self.tape(path)?),
                None => None,
            },
            record: self.blank_tape,
            printer: options.printer.is_some(),
            folder: !options.host.is_empty(),
            cartridge: plugged,
            cartridge_file,
            second: cartridge(options, options.cart2.as_deref())?,
        })
    }

    fn tape(&mut self, path: &Path) -> Result<Mount<Tape>, Failure> {
        let mut wrapping = Wrapping::default();
        self.blank_tape = !path.exists() && packed::open(path).is_err();
        let medium = if self.blank_tape {
            Tape::default()
        } else {
            let opened = packed::open(path)?;
            wrapping = opened.wrapping;
            Tape::parse(&opened.bytes).map_err(|error| Failure::file(path, error))?
        };
        let file = self.file(path, wrapping);
        Ok(Mount { file, medium })
    }

    /// A program, and the file of its disk.
    fn program(&mut self, found: &Found) -> (Program, Option<MediumFile>) {
        let mut program = found.program.clone();
        if let (Kind::Tape(_), Some(path)) = (&program.kind, &found.path) {
            let wrapping = packed::open(path).map(|opened| opened.wrapping);
            let file = self.file(path, wrapping.unwrap_or_default());
            return (program, Some(file));
        }
        let file = match (&mut program.kind, &found.path) {
            (Kind::Disk(disk), Some(path)) => {
                let wrapping = packed::open(path).map(|opened| opened.wrapping);
                let file = self.file(path, wrapping.unwrap_or_default());
                disk.set_write_protected(self.is_protected(file.id));
                Some(file)
            }
            (Kind::Cartridge(cartridge), Some(path)) => {
                let cartridge = cartridge.clone();
                self.cartridge_file(path, &cartridge)
            }
            _ => None,
        };
        (program, file)
    }

    /// The file of a cartridge that programs can write to. Of a file that is not as we would write it, a plain dump for one, the slot has
    /// a copy.
    fn cartridge_file(&mut self, path: &Path, cartridge: &Cartridge) -> Option<MediumFile> {
        if !cartridge.kind.is_writable() {
            return None;
        }
        let opened = packed::open(path).ok()?;
        if cartridge.to_car()? != opened.bytes {
            return None;
        }
        let file = self.file(path, opened.wrapping);
        (!self.is_protected(file.id)).then_some(file)
    }

    /// A disk for a drive.
    fn disk(&mut self, path: &Path) -> Result<Mount<Disk>, Failure> {
        let opened = packed::open(path)?;
        let mut medium = Disk::parse(&opened.bytes).map_err(|error| Failure::file(path, error))?;
        let file = self.file(path, opened.wrapping);
        medium.set_write_protected(self.is_protected(file.id));
        Ok(Mount { file, medium })
    }

    fn is_protected(&self, id: MediumId) -> bool {
        let file = self.files.get(id.0 as usize);
        file.is_some_and(|file| file.protected.is_some())
    }

    /// Numbers a file, and locks it. A file that the host or another program does not let us write is write-protected.
    fn file(&mut self, path: &Path, wrapping: Wrapping) -> MediumFile {
        let name = name_of(path);
        let about = fs::metadata(path).ok();
        let id = about.as_ref().and_then(permissions::file_id);
        let same = |other: &MediaFile| {
            let other_id = fs::metadata(&other.path).ok();
            let other_id = other_id.as_ref().and_then(permissions::file_id);
            other.lock.is_some() && id.is_some() && other_id == id
        };
        // A file that was in a drive before, and is to be put there again, is ours already.
        let ours = self.files.iter().position(same);
        let lock = match ours {
            Some(at) if !self.in_use.contains(&MediumId(at as u32)) => {
                Ok(self.files[at].lock.take())
            }
            Some(_) => Err("it is in another drive"),
            None if wrapping.archived => Err("it is in an archive"),
            None => lock::take(path).map_err(|_| "another Anticlock writes to it"),
        };
        let read_only = about
            .as_ref()
            .is_some_and(|about| about.is_file() && !permissions::may_write(path, about));
        let (lock, protected) = match lock {
            Ok(_) if read_only => (None, Some("its file is read-only")),
            Ok(lock) => (lock, None),
            Err(why) => (None, Some(why)),
        };
        if let Some(why) = protected {
            self.notices
                .push(format!("{name} is write-protected: {why}"));
        }
        let id = MediumId(self.files.len() as u32);
        self.in_use.insert(id);
        if protected.is_none()
            && let Some(copy) = recovery::of(path, &name)
        {
            self.notices.push(format!(
                "{name}: a copy that programs wrote to and that was not stored is kept in {} (Alt+U puts it into D1:)",
                copy.display()
            ));
            self.offers.push((id, name.clone(), copy));
        }
        let path = path.to_owned();
        self.files.push(MediaFile {
            path,
            lock,
            protected,
            wrapping,
        });
        MediumFile { id, name }
    }

    /// Goes on with another program in a fresh machine.
    ///
    /// # Errors
    /// One sentence on what does not fit; the session goes on as it was.
    pub fn start(
        &mut self,
        session: &mut Session,
        options: &MachineOptions,
        found: &Found,
    ) -> Result<(), Failure> {
        // What is in the drives of the machine that ends is written first: its disk may be the one that comes now.
        self.save(session);
        let ends = session.file_at(Place::Drive(0)).map(|file| file.id);
        let ends = ends.filter(|_| matches!(session.setup().program.kind, Kind::Disk(_)));
        let (program, file) = self.instead_of(ends, |host| host.program(found));
        let started = session.start_from(program, file);
        self.serve(session);
        self.release(session);
        started.map_err(|error| explain(options, &found.shown(), &error))
    }

    /// Takes a file in place of the one that leaves its drive, which may be the same.
    fn instead_of<R>(&mut self, ends: Option<MediumId>, take: impl FnOnce(&mut Self) -> R) -> R {
        if let Some(ends) = ends {
            self.in_use.remove(&ends);
        }
        let taken = take(self);
        if let Some(ends) = ends {
            // Until the session says otherwise: it may refuse.
            self.in_use.insert(ends);
        }
        taken
    }

    /// Lets go of the files that the session does not use any more.
    fn release(&mut self, session: &Session) {
        self.in_use = session.files().map(|file| file.id).collect();
        for (number, file) in self.files.iter_mut().enumerate() {
            if !self.in_use.contains(&MediumId(number as u32)) {
                file.lock = None;
            }
        }
        self.offers.retain(|offer| self.in_use.contains(&offer.0));
    }

    /// Puts a disk into D1: in place of the one that is there.
    ///
    /// # Errors
    /// When it is no disk.
    pub fn insert_disk(&mut self, session: &mut Session, path: &Path) -> Result<(), Failure> {
        self.save(session);
        let ends = session.file_at(Place::Drive(0)).map(|file| file.id);
        let disk = self.instead_of(ends, |host| host.disk(path))?;
        session.insert_disk(disk);
        self.serve(session);
        Ok(())
    }

    /// Takes the disk out of a drive (0 = D1:), after its writes are in their file. False where there is none.
    pub fn eject_disk(&mut self, session: &mut Session, drive: usize) -> bool {
        self.save(session);
        let ejected = session.eject_disk(drive);
        self.serve(session);
        ejected
    }

    /// Puts the copy that an earlier session has left of a disk in the drives into D1:. Gives its name.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn recover(&mut self, session: &mut Session) -> Result<String, Failure> {
        let Some((of, name, path)) = self.offers.pop() else {
            return Err(Failure::input("no copy of a disk in the drives is kept"));
        };
        let disk = read_disk(&path)?;
        self.save(session);
        if let Some(copy) = session.insert_copy(0, disk, name.clone(), Some(of)) {
            self.kept.insert(copy, path);
        }
        Ok(name)
    }

    /// Stores the first copy in the drives as a file beside the one that it is a copy of. Gives the file's name.
    ///
    /// # Errors
    /// When there is no copy, or the file cannot be written.
    pub fn store_copy(&mut self, session: &mut Session, folder: &Path) -> Result<PathBuf, Failure> {
        self.serve(session);
        let copies = session.copies();
        let worth = |copy: &&Copy| copy.written || copy.shown;
        let kept = |copy: &&Copy| self.kept.contains_key(&copy.id);
        let Some(copy) = copies.iter().find(|copy| worth(copy) || kept(copy)) else {
            return Err(Failure::input("no drive holds a copy"));
        };
        let Some(bytes) = session.bytes_at(copy.place) else {
            return Err(Failure::input("no drive holds a copy"));
        };
        let of = copy.of.and_then(|id| self.files.get(id.0 as usize));
        let folder = of.and_then(|of| of.path.parent()).unwrap_or(folder);
        let stem = Path::new(&copy.name).file_stem().unwrap_or_default();
        let stem = format!("{}-copy", stem.to_string_lossy());
        let ending = match copy.place {
            Place::Drive(_) => "atr",
            Place::Recorder => "cas",
            Place::Cartridge => "car",
        };
        let path = files::reserve(folder, &stem, ending)?;
        files::write(&path, &bytes).inspect_err(|_| {
            let _ = fs::remove_file(&path);
        })?;
        let file = self.file(&path, Wrapping::default());
        session.attach(copy.id, file, &bytes);
        if let Some(kept) = self.kept.remove(&copy.id) {
            let _ = fs::remove_file(kept);
        }
        Ok(path)
    }

    /// What the user is to hear of, since it was asked for last.
    pub fn notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Does what the session asks for. What cannot be done is told once, and tried again.
    pub fn serve(&mut self, session: &mut Session) {
        for request in session.requests() {
            let answer = match request.ask {
                Ask::Folder(asked) => {
                    let number = asked.unit().saturating_sub(1);
                    let folder = self.folders.get(number).unwrap_or(&self.folders[0]);
                    Ok(Answer::Folder(folder.answer(&asked)))
                }
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
                    let _ = old.map(|path| recovery::keep_undone(path, &name));
                    self.keep(copy, &name, of, tape, &bytes)
                }
                Ask::Print(bytes) => self.print(&bytes),
            };
            session.answer(request.id, answer);
        }
    }

    fn store(
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
        if undo && let Err(failure) = recovery::keep_undone(&path, &name_of(&path)) {
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

    fn keep(
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
            None => recovery::keep(name, of.as_deref(), tape, bytes),
        };
        match kept {
            Ok(path) => {
                self.kept.insert(copy, path);
                Ok(self.done(&config::recovered()))
            }
            Err(failure) => self.complain(config::recovered(), &failure),
        }
    }

    fn print(&mut self, bytes: &[u8]) -> Result<Answer, Refused> {
        let Some(path) = self.printer.clone() else {
            return Ok(Answer::Done);
        };
        let text: Vec<u8> = bytes
            .iter()
            .map(|&b| if b == 0x9B { b'\n' } else { b })
            .collect();
        match files::append(&path, &text) {
            Ok(()) => Ok(self.done(&path)),
            Err(failure) => self.complain(path, &failure),
        }
    }

    /// Something could be written. Gives the answer.
    fn done(&mut self, path: &Path) -> Answer {
        if self.complaints.remove(path) {
            self.notices
                .push(format!("{}: written now", path.display()));
        }
        Answer::Done
    }

    /// Something could not be written: this is told once.
    fn complain(&mut self, path: PathBuf, failure: &Failure) -> Result<Answer, Refused> {
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
        // A refused store makes a copy, which is kept with the second.
        for _ in 0..3 {
            self.save(session);
        }
        let unsaved = session.unsaved();
        let others = [Place::Recorder, Place::Cartridge];
        let places = (0..8).map(Place::Drive).chain(others);
        let mut lost = unsaved.clone();
        for place in places {
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
            if let Ok(kept) = recovery::keep(&file.name, path, tape, &bytes) {
                self.notices.push(format!(
                    "{} could not be written; what programs wrote is kept in {}",
                    file.name,
                    kept.display()
                ));
                lost.retain(|name| *name != file.name);
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

/// Writes what a session remembers.
///
/// # Errors
/// When it is too long, or the file cannot be written.
pub fn write_recording(session: &Session, path: &Path) -> Result<(), Failure> {
    let Some(recording) = session.recording() else {
        return Ok(());
    };
    let bytes = recording
        .to_bytes()
        .map_err(|error| Failure::file(path, error))?;
    files::write(path, &bytes)
}

/// What does not fit, with the name of the file or option that it comes from.
fn explain(options: &MachineOptions, program: &str, error: &SetupError) -> Failure {
    let file = |path: &Option<PathBuf>| match path {
        Some(path) => Failure::file(path, error),
        None => Failure::input(error.to_string()),
    };
    match error {
        SetupError::Os(_) | SetupError::OsSize { .. } => file(&options.os),
        SetupError::Basic(_) => file(&options.basic),
        SetupError::Needs(_) => Failure::file(&config::needs(), error),
        SetupError::WithoutBasic => Failure::input("a BASIC program does not run with --no-basic"),
        SetupError::State(_) => Failure::input(format!("{program}: {error}")),
        SetupError::OtherMachine => Failure::input(format!(
            "{program}: {error}; leave --machine and --tv away, it brings its own"
        )),
        SetupError::Drives | SetupError::Config(_) | SetupError::Memory { .. } => {
            Failure::input(error.to_string())
        }
    }
}

/// The user's table of what files need; empty when there is none.
fn needs_table() -> Result<String, Failure> {
    let path = config::needs();
    if !path.exists() {
        return Ok(String::new());
    }
    files::read(&path).map(|text| String::from_utf8_lossy(&text).into_owned())
}

/// The CAR type of a plain dump: as asked for, or as it was asked for before.
fn cartridge_type(bytes: &[u8], asked: Option<u32>) -> Result<Option<u32>, Failure> {
    let needs = Needs::of_content(crc32fast::hash(bytes), &needs_table()?)
        .map_err(|error| Failure::file(&config::needs(), error))?;
    Ok(asked.or(needs.cartridge))
}

/// Notes the type of a plain dump in the user's table, so that it need not be said again.
fn remember_type(bytes: &[u8], asked: Option<u32>) -> Result<(), Failure> {
    let Some(number) = asked else { return Ok(()) };
    if cartridge_type(bytes, None)? == Some(number) {
        return Ok(());
    }
    remember(crc32fast::hash(bytes), &format!("type={number}"))
}

/// Adds a word about the file with this CRC-32 to the user's table of needs; later lines win over earlier ones.
///
/// # Errors
/// When the table cannot be read or written.
pub fn remember(content: u32, word: &str) -> Result<(), Failure> {
    let path = config::needs();
    let mut table = needs_table()?;
    if !table.is_empty() && !table.ends_with('\n') {
        table.push('\n');
    }
    for part in [&format!("{content:08x}")[..], " ", word, "\n"] {
        table.push_str(part);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .map_err(|error| Failure::file(folder, format!("cannot be made: {error}")))?;
    }
    files::write(&path, table.as_bytes())
}

/// The cartridge in a file.
fn cartridge(options: &MachineOptions, path: Option<&Path>) -> Result<Option<Cartridge>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let bytes = packed::open(path)?.bytes;
    let asked = options.cart_type.filter(|_| !bytes.starts_with(b"CART"));
    let cartridge = match cartridge_type(&bytes, asked)? {
        Some(number) if !bytes.starts_with(b"CART") => Cartridge::from_rom_of_type(&bytes, number),
        _ => Cartridge::parse(&bytes),
    };
    if cartridge.is_ok() {
        remember_type(&bytes, asked)?;
    }
    cartridge
        .map(Some)
        .map_err(|error| Failure::file(path, error))
}

/// Reads a disk image.
///
/// # Errors
/// One sentence on what is wrong with the file.
pub fn read_disk(path: &Path) -> Result<Disk, Failure> {
    Disk::parse(&packed::open(path)?.bytes).map_err(|error| Failure::file(path, error))
}
