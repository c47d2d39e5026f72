//! A machine for a test: its files are copies, so that tests run at the same time and leave nothing.
use crate::fence::Fence;
use crate::file::{File, Variant, folder};
use debugger::{Debuggee, Debugger, Limits, assemble_program};
use host::failure::Failure;
use host::hosted::{Hosted, serve};
use host::options::MachineOptions;
use host::{Found, Host, debug_files};
use session::{Kind, Outcome, Session, built_in};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Bytes of a folder that is copied for H:.
const LARGEST: u64 = 64 << 20;

/// A machine with its program.
pub struct Stage {
    /// The machine.
    pub session: Session,
    host: Host,
    options: MachineOptions,
    /// Names and sources of the program.
    pub debugger: Debugger,
    /// The program's file, where debug information is beside.
    pub program: Option<PathBuf>,
    /// Holds the copies.
    _files: TempDir,
}

impl Stage {
    /// Switches on the machine of a variant with a file's program in it.
    ///
    /// # Errors
    /// A file that is not usable.
    pub(crate) fn new(file: &File, variant: &Variant, fence: &Fence) -> Result<Self, Failure> {
        let mut options = file.options.clone();
        options.machine = variant.model.or(options.machine);
        options.tv = variant.tv.or(options.tv);
        options.seed = variant.seed.or(options.seed);
        Self::load(&program(file), options, &file.labels, fence)
    }

    /// Switches on a machine with a program in it; names and sources come from files within the fence.
    ///
    /// # Errors
    /// A file that is not usable.
    pub fn load(
        name: &OsStr,
        mut options: MachineOptions,
        labels: &[PathBuf],
        fence: &Fence,
    ) -> Result<Self, Failure> {
        let files = tempfile::tempdir().map_err(|error| {
            Failure::input(format!(
                "there is no folder for the machine's files: {error}"
            ))
        })?;
        let copies = Copies {
            folder: files.path(),
        };
        for disk in &mut options.disk {
            *disk = copies.file(disk)?;
        }
        for medium in [&mut options.tape, &mut options.cart, &mut options.cart2]
            .into_iter()
            .flatten()
        {
            *medium = copies.file(medium)?;
        }
        for shown in &mut options.host {
            *shown = copies.folder(shown)?;
        }
        options.host_write = !options.host.is_empty();
        let source = Path::new(name);
        let assembled = match source.extension().and_then(OsStr::to_str) {
            Some("s" | "asm") => Some(copies.assembled(source)?),
            _ => None,
        };
        let name = assembled.as_deref().map_or(name, Path::as_os_str);
        let found = Found::named(name, &options)?;
        let home = matches!(found.program.kind, Kind::Prompt | Kind::Basic(_));
        if options.host.is_empty() && home {
            // Programs of BASIC have a folder of the user's otherwise.
            options.host = vec![copies.empty("home")?];
            options.host_write = true;
        }
        let mut used = found.clone();
        if matches!(
            used.program.kind,
            Kind::Disk(_) | Kind::Tape(_) | Kind::Cartridge(_)
        ) && let Some(path) = &found.path
        {
            used.path = Some(copies.file(path)?);
        }
        let (session, host) = Host::switch_on(&options, &used)?;
        let mut debugger = Debugger::default();
        let may_read = |path: &Path| fence.has(path) || path.starts_with(files.path());
        debug_files::names_if(&mut debugger, session.machine(), &found, &may_read);
        for path in labels {
            debug_files::add_if(&mut debugger, path, false, &may_read)?;
        }
        Ok(Self {
            session,
            host,
            options,
            debugger,
            program: found.path,
            _files: files,
        })
    }

    /// Does something with the debugger, which moves the machine with its host.
    ///
    /// # Errors
    /// When something went wrong in the session meanwhile.
    pub fn act<R>(
        &mut self,
        act: impl FnOnce(&mut Debugger, &mut dyn Debuggee) -> R,
    ) -> Result<R, Failure> {
        let mut hosted = Hosted::new(&mut self.session, &mut self.host).starting(&self.options);
        let result = act(&mut self.debugger, &mut hosted);
        hosted.end().map(|()| result)
    }

    /// Runs to the end of the frame.
    ///
    /// # Errors
    /// See [`Self::after_frame`].
    pub fn frame(&mut self) -> Result<(), Failure> {
        self.serve();
        let outcome = self.session.run_frame();
        self.after_frame(outcome).map(drop)
    }

    /// Records the past, for expressions that ask for it.
    pub fn remember(&mut self) {
        self.session.remember(Limits::debugger());
    }

    /// Before a frame.
    pub fn serve(&mut self) {
        serve(&mut self.host, &mut self.session);
        // A test says nothing about its copies.
        self.host.notices();
    }

    /// After a frame: true if another program has begun.
    ///
    /// # Errors
    /// A BASIC program that does not fit into memory, or a program that cannot be started.
    pub fn after_frame(&mut self, outcome: Outcome) -> Result<bool, Failure> {
        match outcome.next()? {
            None => Ok(false),
            Some(program) => {
                let found = Found::built_in(program);
                self.host.start(&mut self.session, &self.options, &found)?;
                Ok(true)
            }
        }
    }
}

/// The program of a file: the name of a built-in one, or a path.
fn program(file: &File) -> OsString {
    let path = folder(&file.path).join(&file.program);
    let known = built_in::find(&file.program).is_ok_and(|found| found.is_some());
    if known && !path.is_file() {
        return file.program.clone().into();
    }
    path.into()
}

/// Copies of files in a folder that goes away.
struct Copies<'a> {
    folder: &'a Path,
}

impl Copies<'_> {
    /// A copy of a file under its name; a file that does not exist stays so.
    fn file(&self, path: &Path) -> Result<PathBuf, Failure> {
        let number = fs::read_dir(self.folder).map_or(0, Iterator::count);
        let folder = self.empty(&number.to_string())?;
        let copy = folder.join(path.file_name().unwrap_or_default());
        if path.exists() {
            let bytes = host::files::read(path)?;
            fs::write(&copy, bytes).map_err(|error| Failure::file(path, error))?;
        }
        Ok(copy)
    }

    /// The program of a source file, with its labels beside it.
    fn assembled(&self, path: &Path) -> Result<PathBuf, Failure> {
        let source = host::files::read(path)?;
        let source = String::from_utf8(source)
            .map_err(|_| Failure::file(path, "this is no text, or not one in UTF-8"))?;
        let program = assemble_program(&source, &debug_files::xl_names())
            .map_err(|error| Failure::file(path, error))?;
        let folder = self.empty("assembled")?;
        let line = |(name, address): &(String, u16)| format!("{name} = ${address:04X}");
        let labels: Vec<String> = program.labels.iter().map(line).collect();
        let labels = labels.join("\n");
        let file = folder.join(path.file_stem().unwrap_or_default());
        let (xex, lab) = (file.with_extension("xex"), file.with_extension("lab"));
        for (file, bytes) in [(&xex, program.xex.as_slice()), (&lab, labels.as_bytes())] {
            fs::write(file, bytes).map_err(|error| Failure::file(file, error))?;
        }
        Ok(xex)
    }

    fn empty(&self, name: &str) -> Result<PathBuf, Failure> {
        let folder = self.folder.join(name);
        fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, error))?;
        Ok(folder)
    }

    /// A copy of the files in a folder, without folders in it and links.
    fn folder(&self, path: &Path) -> Result<PathBuf, Failure> {
        let number = fs::read_dir(self.folder).map_or(0, Iterator::count);
        let folder = self.empty(&number.to_string())?;
        let failed = |error: std::io::Error| Failure::file(path, error);
        let mut left = LARGEST;
        for entry in fs::read_dir(path).map_err(failed)?.flatten() {
            let about = entry.metadata().map_err(failed)?;
            if !about.is_file() {
                continue;
            }
            left = left.checked_sub(about.len()).ok_or_else(|| {
                Failure::file(
                    path,
                    format!("the folder for H: has more than {LARGEST} bytes"),
                )
            })?;
            fs::copy(entry.path(), folder.join(entry.file_name())).map_err(failed)?;
        }
        Ok(folder)
    }
}
