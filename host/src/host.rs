//! The host of a session: which file is which medium, and what the session asks for.
use crate::config;
use crate::failure::{Failure, tell};
use crate::files;
use crate::hostfolder::HostFolder;
use crate::options::MachineOptions;
use crate::packed::{self, Wrapping};
use crate::platform::lock::{self, Lock};
use crate::platform::permissions;
use crate::recovery::Recovery;
use machine::host::{HostReply, HostRequest, status};
use media::Identity;
use media::atr::Disk;
use media::cartridge::Cartridge;
use media::cas::Tape;
use session::HostKeys;
use session::folder::{Device, FOLDERS};
use session::timeline::{Limits, Recording};
use session::{
    Answer, Ask, Copy, CopyId, Kind, MediumFile, MediumId, Mount, Needs, Origin, Place, Program,
};
use session::{
    Columns, Plugged, Printed, ProgramError, Refused, Session, Setup, SetupError, built_in,
};
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
        let mut program = match known {
            Some(number) if dump => {
                Program::of_dump(&opened.name, bytes, number).map_err(failed)?
            }
            _ => Program::of_file(&opened.name, bytes).map_err(failed)?,
        };
        remember_type(bytes, kind.filter(|_| dump))?;
        program.remark = opened.flaw.or(program.remark);
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
    /// Files that are in a drive, as of the last look.
    mounted: BTreeSet<MediumId>,
    /// Where copies are kept.
    kept: BTreeMap<CopyId, PathBuf>,
    /// Copies of the disks in the drives that an earlier session has left: the number of the disk, its name, the copy's file.
    offers: Vec<(MediumId, String, PathBuf)>,
    recovery: Recovery,
    /// The file of what is printed; `None` while the printer is off.
    printer: Option<PathBuf>,
    /// H1: to H4: as the user has named them; without any, the program has a folder of ours.
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
        if options.host.len() > FOLDERS {
            return Err(too_many());
        }
        let folders: Vec<_> = options
            .host
            .iter()
            .map(|path| HostFolder::new(path, options.host_write))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            files: Vec::new(),
            mounted: BTreeSet::new(),
            kept: BTreeMap::new(),
            offers: Vec::new(),
            recovery: Recovery::new(config::recovered()),
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
            record: self.blank_tape || options.tape_record,
            printer: options.printer.as_ref().map(|_| options.printer_columns),
            folder: !options.host.is_empty(),
            home: true,
            cartridge: plugged,
            cartridge_file,
            second: cartridge(options, options.cart2.as_deref())?,
            slot_names: [&options.cart, &options.cart2]
                .map(|path| path.as_deref().map_or(String::new(), name_of)),
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
            self.note_flaw(path, opened.flaw);
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
        if !machine::wiring(cartridge.kind).is_writable() {
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
        self.note_flaw(path, medium.flaw());
        let file = self.file(path, opened.wrapping);
        medium.set_write_protected(self.is_protected(file.id));
        Ok(Mount { file, medium })
    }

    /// The user hears what is wrong with a medium that can be used.
    fn note_flaw(&mut self, path: &Path, flaw: Option<String>) {
        let note = flaw.map(|flaw| format!("{}: {flaw}", name_of(path)));
        self.notices.extend(note);
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
        if let Some(at) = ours.filter(|at| !self.mounted.contains(&MediumId(*at as u32))) {
            let id = MediumId(at as u32);
            self.files[at].wrapping = wrapping;
            self.mounted.insert(id);
            return MediumFile { id, name };
        }
        let lock = match ours {
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
        self.mounted.insert(id);
        if protected.is_none()
            && let Some(copy) = self.recovery.of(path, &name, self.kept.values())
        {
            let place = if is_tape(&copy) { "C:" } else { "D1:" };
            self.notices.push(format!(
                "{name}: a copy that programs wrote to and that was not stored is kept in {} (Alt+U puts it into {place})",
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

    /// Looks which files are in a drive.
    fn look(&mut self, session: &Session) {
        let mounted = places().filter_map(|place| session.file_at(place));
        self.mounted = mounted.map(|file| file.id).collect();
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
        self.look(session);
        if matches!(session.setup().program.kind, Kind::Disk(_)) {
            let ends = session.file_at(Place::Drive(0)).map(|file| file.id);
            self.mounted.retain(|id| Some(*id) != ends);
        }
        let (program, file) = self.program(found);
        let started = session.start_from(program, file);
        self.serve(session);
        self.release(session);
        started.map_err(|error| explain(options, &found.shown(), &error))
    }

    /// Lets go of the files that the session does not use any more.
    fn release(&mut self, session: &Session) {
        let used: BTreeSet<_> = session.files().map(|file| file.id).collect();
        for (number, file) in self.files.iter_mut().enumerate() {
            if !used.contains(&MediumId(number as u32)) {
                file.lock = None;
            }
        }
        self.offers.retain(|offer| used.contains(&offer.0));
    }

    /// Puts a disk into a drive (0 = D1:) in place of the one that is there.
    ///
    /// # Errors
    /// When it is no disk.
    pub fn insert_disk(
        &mut self,
        session: &mut Session,
        drive: usize,
        path: &Path,
    ) -> Result<(), Failure> {
        self.save(session);
        self.look(session);
        let leaves = session.file_at(Place::Drive(drive)).map(|file| file.id);
        self.mounted.retain(|id| Some(*id) != leaves);
        let disk = self.disk(path)?;
        session.insert_disk(drive, disk);
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

    /// Puts a tape into the recorder in place of the one that is there.
    ///
    /// # Errors
    /// When it is no tape.
    pub fn insert_tape(&mut self, session: &mut Session, path: &Path) -> Result<(), Failure> {
        self.save(session);
        self.look(session);
        let leaves = session.file_at(Place::Recorder).map(|file| file.id);
        self.mounted.retain(|id| Some(*id) != leaves);
        let opened = packed::open(path)?;
        let medium = Tape::parse(&opened.bytes).map_err(|error| Failure::file(path, error))?;
        self.note_flaw(path, opened.flaw);
        let file = self.file(path, opened.wrapping);
        session.insert_tape(Mount { file, medium });
        self.serve(session);
        Ok(())
    }

    /// Takes the tape out of the recorder, after its writes are in their file. False where there is none.
    pub fn eject_tape(&mut self, session: &mut Session) -> bool {
        self.save(session);
        let ejected = session.eject_tape();
        self.serve(session);
        ejected
    }

    /// The cartridge in a file, for a slot (0 or 1).
    ///
    /// # Errors
    /// If it is not a cartridge.
    pub fn plugged(
        &mut self,
        options: &MachineOptions,
        slot: usize,
        path: &Path,
    ) -> Result<Plugged, Failure> {
        let cartridge = cartridge(options, Some(path))?;
        let cartridge = cartridge.ok_or_else(|| Failure::file(path, "is not a cartridge"))?;
        let file = (slot == 0).then(|| self.cartridge_file(path, &cartridge));
        Ok(Plugged {
            cartridge,
            name: name_of(path),
            file: file.flatten(),
        })
    }

    /// Stores what is at a place as a new file, which is in no drive. Gives its name.
    ///
    /// # Errors
    /// When there is nothing, or the file cannot be written.
    pub fn save_copy(
        &self,
        session: &Session,
        place: Place,
        folder: &Path,
    ) -> Result<PathBuf, Failure> {
        let bytes = session.bytes_at(place);
        let bytes = bytes.ok_or_else(|| Failure::input(format!("{place} is empty")))?;
        let copies = session.copies();
        let copy = copies.iter().find(|copy| copy.place == place);
        let name = session.file_at(place).map(|file| &file.name);
        let name = name.or(copy.map(|copy| &copy.name));
        let stem = name.map_or("", |name| &**name);
        let stem = Path::new(stem).file_stem().unwrap_or_default();
        let stem = format!("{}-copy", stem.to_string_lossy());
        write_beside(folder, &stem, place, &bytes)
    }

    /// The file that what is printed goes into.
    pub fn printer(&self) -> Option<&Path> {
        self.printer.as_deref()
    }

    /// Switches the printer on, or off with `None`. One that was off gets a new file in this folder. Gives the file.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn switch_printer(
        &mut self,
        session: &mut Session,
        printer: Option<Columns>,
        folder: &Path,
    ) -> Result<Option<PathBuf>, Failure> {
        self.save(session);
        self.printer = match (printer, self.printer.take()) {
            (Some(_), None) => Some(files::reserve(folder, "printer", "txt")?),
            (Some(_), same) => same,
            (None, _) => None,
        };
        session.set_printer(printer);
        Ok(self.printer.clone())
    }

    /// Puts the copy that an earlier session has left of a disk into D1:, or of a tape into the recorder. Gives its place and name.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn recover(&mut self, session: &mut Session) -> Result<(Place, String), Failure> {
        let Some((of, name, path)) = self.offers.last().cloned() else {
            return Err(Failure::input(
                "no copy of a disk or tape in the drives is kept",
            ));
        };
        self.save(session);
        let (place, copy) = if is_tape(&path) {
            let tape = read_tape(&path)?;
            let copy = session.insert_tape_copy(tape, name.clone(), Some(of));
            (Place::Recorder, copy)
        } else {
            let disk = read_disk(&path)?;
            let copy = session.insert_copy(0, disk, name.clone(), Some(of));
            (Place::Drive(0), copy)
        };
        self.offers.pop();
        if let Some(copy) = copy {
            self.kept.insert(copy, path);
        }
        Ok((place, name))
    }

    /// Stores the first copy in the drives as a file beside the one that it is a copy of: what the present machine has, also while the past
    /// is looked at. Gives the file's name.
    ///
    /// # Errors
    /// When there is no copy, or the file cannot be written.
    pub fn store_copy(&mut self, session: &mut Session, folder: &Path) -> Result<PathBuf, Failure> {
        self.save(session);
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
        let path = write_beside(folder, &stem, copy.place, &bytes)?;
        let file = self.file(&path, Wrapping::default());
        session.attach(copy.id, file, &bytes);
        // What was kept goes when the file is seen to have it. Else it is older, and stays.
        if let Some(kept) = self.kept.get(&copy.id)
            && let (Ok(kept_bytes), Ok(stored)) = (files::read(kept), files::read(&path))
            && kept_bytes == stored
            && files::remove(kept).is_ok()
        {
            self.kept.remove(&copy.id);
        }
        Ok(path)
    }

    /// What the user is to hear of, since it was asked for last.
    pub fn notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Does what the session asks for. What cannot be done is told once, and tried again.
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
    fn folder(&mut self, session: &Session, asked: &HostRequest) -> HostReply {
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
    /// When it is no folder, or there are four.
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

    /// The folders behind H1: to H4:.
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

    fn print(&mut self, printed: &Printed) -> Result<Answer, Refused> {
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

fn too_many() -> Failure {
    Failure::input("there are only H1: to H4:")
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

/// Notes in the user's table what arrows and Space are for the file with this CRC-32. False if the table says so already.
///
/// # Errors
/// When the table cannot be read or written.
pub fn remember_keys(content: u32, keys: Option<HostKeys>) -> Result<bool, Failure> {
    let known = Needs::of_content(content, &needs_table()?);
    let known = known.map_err(|error| Failure::file(&config::needs(), error))?;
    if known.keys == keys {
        return Ok(false);
    }
    let name = keys.map_or("auto", HostKeys::name);
    remember(content, &format!("keys={name}"))?;
    Ok(true)
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

/// Everything that a medium can be put into.
fn places() -> impl Iterator<Item = Place> {
    let others = [Place::Recorder, Place::Cartridge];
    (0..session::DRIVES).map(Place::Drive).chain(others)
}

/// Writes a medium to the first name `STEM-NNN` that is free in a folder.
fn write_beside(folder: &Path, stem: &str, place: Place, bytes: &[u8]) -> Result<PathBuf, Failure> {
    let ending = match place {
        Place::Drive(_) => "atr",
        Place::Recorder => "cas",
        Place::Cartridge => "car",
    };
    let path = files::reserve(folder, stem, ending)?;
    files::write(&path, bytes).inspect_err(|_| {
        let _ = fs::remove_file(&path);
    })?;
    Ok(path)
}

/// True if a kept copy is one of a tape.
fn is_tape(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "cas")
}

/// Reads a cassette image.
fn read_tape(path: &Path) -> Result<Tape, Failure> {
    Tape::parse(&packed::open(path)?.bytes).map_err(|error| Failure::file(path, error))
}

/// Reads a disk image.
///
/// # Errors
/// One sentence on what is wrong with the file.
pub fn read_disk(path: &Path) -> Result<Disk, Failure> {
    Disk::parse(&packed::open(path)?.bytes).map_err(|error| Failure::file(path, error))
}

#[cfg(test)]
mod tests;
