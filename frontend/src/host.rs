//! The host of a session: which file is which medium, and what the session asks for.
use crate::cli::MachineOptions;
use crate::config;
use crate::failure::{Failure, tell};
use crate::files;
use crate::hostfolder::HostFolder;
use media::atr::Disk;
use media::cartridge::Cartridge;
use media::cas::Tape;
use session::{Answer, Ask, MediumFile, MediumId, Mount, Program, Refused, Session, Setup};
use session::{SetupError, built_in};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A program that was asked for, and the file that it is.
#[derive(Clone, Debug)]
pub struct Found {
    /// The program.
    pub program: Program,
    /// Its file; `None` for one that is built in.
    pub path: Option<PathBuf>,
}

impl Found {
    /// The built-in program or file called `name`.
    ///
    /// # Errors
    /// One sentence that says what the name or the file is not.
    pub fn named(name: &OsStr) -> Result<Self, Failure> {
        let path = Path::new(name);
        if let Some(text) = name.to_str() {
            let known = built_in::find(text).map_err(|error| Failure::file(path, error))?;
            if let Some(program) = known {
                let path = None;
                return Ok(Self { program, path });
            }
            if !path.exists() && !text.contains(['/', '\\', '.']) {
                let names: Vec<_> = built_in::all().iter().map(|p| p.name).collect();
                return Err(Failure::input(format!(
                    "there is no program or file called {text}; built-in programs are menu, {}",
                    names.join(", ")
                )));
            }
        }
        Self::file(path)
    }

    /// The program in a file.
    ///
    /// # Errors
    /// One sentence that says what is wrong with the file.
    pub fn file(path: &Path) -> Result<Self, Failure> {
        let bytes = files::read(path)?;
        let program =
            Program::of_file(&name_of(path), &bytes).map_err(|error| Failure::file(path, error))?;
        let path = Some(path.to_owned());
        Ok(Self { program, path })
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

/// The files of a session's media.
#[derive(Debug)]
pub struct Host {
    /// By [`MediumId`].
    paths: Vec<PathBuf>,
    printer: Option<PathBuf>,
    folder: HostFolder,
    /// The tape is a file that does not exist yet.
    blank_tape: bool,
}

impl Host {
    /// A session with the program that was asked for, and the host of its media.
    ///
    /// # Errors
    /// One sentence on what does not fit.
    pub fn switch_on(options: &MachineOptions, found: &Found) -> Result<(Session, Self), Failure> {
        let folder = match &options.host {
            Some(path) => HostFolder::new(path, options.host_write)?,
            // Built-in games that save something have a folder of their own.
            None => HostFolder::on_demand(config::games()),
        };
        let mut host = Self {
            paths: Vec::new(),
            printer: options.printer.clone(),
            folder,
            blank_tape: false,
        };
        let setup = host.setup(options, found)?;
        let session =
            Session::new(setup).map_err(|error| explain(options, &found.shown(), &error))?;
        if let Some(flaw) = found.program.flaw() {
            tell(format_args!("{}: {flaw}", found.shown()));
        }
        Ok((session, host))
    }

    fn setup(&mut self, options: &MachineOptions, found: &Found) -> Result<Setup, Failure> {
        let read = |path: &Option<PathBuf>| path.as_deref().map(files::read).transpose();
        let program_file = found.path.as_deref().map(|path| self.file(path));
        let disks: Result<Vec<_>, Failure> = options
            .disk
            .iter()
            .map(|path| {
                let medium = read_disk(path)?;
                let file = self.file(path);
                Ok(Mount { file, medium })
            })
            .collect();
        Ok(Setup {
            program: found.program.clone(),
            program_file,
            model: options.machine.map(Into::into),
            tv: options.tv.map(Into::into),
            os: read(&options.os)?,
            basic: read(&options.basic)?,
            no_basic: options.no_basic,
            no_run: options.no_run,
            seed: options.seed.unwrap_or(0),
            disks: disks?,
            tape: match &options.tape {
                Some(path) => Some(self.tape(path)?),
                None => None,
            },
            record: self.blank_tape,
            printer: options.printer.is_some(),
            folder: options.host.is_some(),
            cartridge: options.cart.as_deref().map(read_cartridge).transpose()?,
        })
    }

    fn tape(&mut self, path: &Path) -> Result<Mount<Tape>, Failure> {
        self.blank_tape = !path.exists();
        let medium = if self.blank_tape {
            Tape::default()
        } else {
            Tape::parse(&files::read(path)?).map_err(|error| Failure::file(path, error))?
        };
        let file = self.file(path);
        Ok(Mount { file, medium })
    }

    /// Numbers a file.
    fn file(&mut self, path: &Path) -> MediumFile {
        self.paths.push(path.to_owned());
        MediumFile {
            id: MediumId(self.paths.len() as u32 - 1),
            name: name_of(path),
        }
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
        let file = found.path.as_deref().map(|path| self.file(path));
        session
            .start_from(found.program.clone(), file)
            .map_err(|error| explain(options, &found.shown(), &error))?;
        self.serve(session)
    }

    /// Puts a disk into D1: in place of the one that is there.
    ///
    /// # Errors
    /// When it is no disk, or the other one cannot be written back.
    pub fn insert_disk(&mut self, session: &mut Session, path: &Path) -> Result<(), Failure> {
        let medium = read_disk(path)?;
        let file = self.file(path);
        session.insert_disk(Mount { file, medium });
        self.serve(session)
    }

    /// Does what the session asks for.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn serve(&mut self, session: &mut Session) -> Result<(), Failure> {
        let mut failed = None;
        for request in session.requests() {
            let done = match request.ask {
                Ask::Folder(asked) => Ok(Answer::Folder(self.folder.answer(&asked))),
                Ask::Store { medium, bytes } => match self.paths.get(medium.0 as usize) {
                    Some(path) => files::write(path, &bytes).map(|()| Answer::Done),
                    None => Ok(Answer::Done),
                },
                Ask::Print(bytes) => self.print(&bytes).map(|()| Answer::Done),
            };
            let answer = done.map_err(|failure| {
                failed = Some(failure);
                Refused
            });
            session.answer(request.id, answer);
        }
        failed.map_or(Ok(()), Err)
    }

    /// Writes everything that is not in its file yet.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn save(&mut self, session: &mut Session) -> Result<(), Failure> {
        session.flush();
        self.serve(session)
    }

    fn print(&self, bytes: &[u8]) -> Result<(), Failure> {
        let Some(path) = &self.printer else {
            return Ok(());
        };
        let text: Vec<u8> = bytes
            .iter()
            .map(|&b| if b == 0x9B { b'\n' } else { b })
            .collect();
        files::append(path, &text)
    }
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
        SetupError::WithoutBasic => Failure::input("a BASIC program does not run with --no-basic"),
        SetupError::State(_) => Failure::input(format!("{program}: {error}")),
        SetupError::OtherMachine => Failure::input(format!(
            "{program}: {error}; leave --machine and --tv away, it brings its own"
        )),
        SetupError::Drives | SetupError::Config(_) => Failure::input(error.to_string()),
    }
}

fn read_cartridge(path: &Path) -> Result<Cartridge, Failure> {
    Cartridge::parse(&files::read(path)?).map_err(|error| Failure::file(path, error))
}

/// Reads a disk image.
///
/// # Errors
/// One sentence on what is wrong with the file.
pub fn read_disk(path: &Path) -> Result<Disk, Failure> {
    Disk::parse(&files::read(path)?).map_err(|error| Failure::file(path, error))
}
