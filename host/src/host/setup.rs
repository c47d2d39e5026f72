//! From options to a session: its files are opened, numbered and locked.
use super::{Host, MediaFile, cartridge, is_tape, name_of, too_many};
use crate::config;
use crate::failure::{Failure, tell};
use crate::files;
use crate::found::{Found, needs_table};
use crate::hostfolder::HostFolder;
use crate::options::MachineOptions;
use crate::packed::{self, Wrapping};
use crate::platform::{lock, permissions};
use crate::recovery::Recovery;
use media::atr::Disk;
use media::cartridge::Cartridge;
use media::cas::Tape;
use session::folder::FOLDERS;
use session::timeline::{Limits, Recording};
use session::{Kind, MediumFile, MediumId, Mount, Program, Session, Setup, SetupError};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

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
    /// When it is not a program, or needs a ROM that the options do not bring.
    pub fn play(options: &MachineOptions, path: &Path) -> Result<(Session, Self), Failure> {
        let host = Self::new(options)?;
        let mut roms = Vec::new();
        for rom in [&options.os, &options.basic].into_iter().flatten() {
            roms.push(machine::Rom::foreign(&packed::open(rom)?.bytes));
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

    pub(super) fn new(options: &MachineOptions) -> Result<Self, Failure> {
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

    pub(super) fn setup(
        &mut self,
        options: &MachineOptions,
        found: &Found,
    ) -> Result<Setup, Failure> {
        let read = |path: &Option<PathBuf>| {
            let opened = path.as_deref().map(packed::open).transpose()?;
            Ok::<_, Failure>(opened.map(|opened| opened.bytes))
        };
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
            model: options.machine,
            tv: options.tv,
            os: read(&options.os)?,
            basic: read(&options.basic)?,
            no_basic: options.no_basic,
            with_basic: options.with_basic,
            needs_table: needs_table()?,
            no_run: options.no_run,
            seed: options.seed.unwrap_or(0),
            fill: options.ram_fill(),
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

    pub(super) fn tape(&mut self, path: &Path) -> Result<Mount<Tape>, Failure> {
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
    pub(super) fn program(&mut self, found: &Found) -> (Program, Option<MediumFile>) {
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
    pub(super) fn cartridge_file(
        &mut self,
        path: &Path,
        cartridge: &Cartridge,
    ) -> Option<MediumFile> {
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
    pub(super) fn disk(&mut self, path: &Path) -> Result<Mount<Disk>, Failure> {
        let opened = packed::open(path)?;
        let mut medium = Disk::parse(&opened.bytes).map_err(|error| Failure::file(path, error))?;
        self.note_flaw(path, medium.flaw());
        let file = self.file(path, opened.wrapping);
        medium.set_write_protected(self.is_protected(file.id));
        Ok(Mount { file, medium })
    }

    /// The user hears what is wrong with a medium that can be used.
    pub(super) fn note_flaw(&mut self, path: &Path, flaw: Option<String>) {
        let note = flaw.map(|flaw| format!("{}: {flaw}", name_of(path)));
        self.notices.extend(note);
    }

    pub(super) fn is_protected(&self, id: MediumId) -> bool {
        let file = self.files.get(id.0 as usize);
        file.is_some_and(|file| file.protected.is_some())
    }

    /// Numbers a file, and locks it. A file that the host or another program does not let us write is write-protected.
    pub(super) fn file(&mut self, path: &Path, wrapping: Wrapping) -> MediumFile {
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
}

/// The sentence for a setup error, with the name of the file or option that it comes from.
pub(super) fn explain(options: &MachineOptions, program: &str, error: &SetupError) -> Failure {
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
