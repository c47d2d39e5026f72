//! Reading and writing files, with errors that a user understands, and so that nothing that was there is lost.
use crate::failure::Failure;
use crate::platform::{lock, permissions};
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::{NamedTempFile, TempPath};

/// Larger files are not Atari media; the largest cartridge has 1 MB, the largest ATR 16 MB.
const LARGEST: u64 = 64 << 20;
/// Prefix and suffix of the name of a file that is being written.
const TEMPORARY: (&str, &str) = (".anticlock-", ".tmp");
/// A temporary file of this age was left over by a process that was killed.
const LEFT_OVER: Duration = Duration::from_secs(24 * 3600);

/// Reads a whole file.
///
/// # Errors
/// One sentence with the file's name.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let explain = |error: io::Error| {
        Failure::file(
            path,
            match error.kind() {
                ErrorKind::NotFound => "there is no such file".to_owned(),
                ErrorKind::PermissionDenied => {
                    "this file may not be read (permission denied)".to_owned()
                }
                _ => format!("cannot be read: {error}"),
            },
        )
    };
    let about = fs::metadata(path).map_err(explain)?;
    if about.is_dir() {
        return Err(Failure::file(path, "is a folder, not a file"));
    }
    let mut bytes = Vec::new();
    if about.len() <= LARGEST {
        // The size that devices and pipes report does not limit the read.
        let mut start = File::open(path).map_err(explain)?.take(LARGEST + 1);
        start.read_to_end(&mut bytes).map_err(explain)?;
    }
    if about.len().max(bytes.len() as u64) > LARGEST {
        return Err(Failure::file(
            path,
            "is too large to be anything for an Atari",
        ));
    }
    Ok(bytes)
}

/// An operation on the host's files begins. Tests make it fail.
#[cfg_attr(
    not(test),
    expect(clippy::unnecessary_wraps, reason = "fails in tests")
)]
fn step() -> io::Result<()> {
    #[cfg(test)]
    faults::step()?;
    Ok(())
}

/// Writes a whole file: no reader ever sees half of it, and links, owner, mode and extended attributes stay as they are.
///
/// # Errors
/// One sentence with the file's name.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace(path, bytes)
        .map(drop)
        .map_err(|error| not_written(path, &error))
}

/// Removes a file; a file that is not there any more is not an error.
///
/// # Errors
/// One sentence with the file's name.
pub fn remove(path: &Path) -> Result<(), Failure> {
    match step().and_then(|()| fs::remove_file(path)) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Failure::file(path, format!("cannot be removed: {error}")))
        }
        _ => Ok(()),
    }
}

/// Like [`write()`] for a file that is locked: the file that takes its place is, too.
///
/// # Errors
/// One sentence with the file's name.
pub(crate) fn write_locked(path: &Path, bytes: &[u8]) -> Result<Option<lock::Lock>, Failure> {
    replace(path, bytes).map_err(|error| not_written(path, &error))
}

fn not_written(path: &Path, error: &io::Error) -> Failure {
    Failure::file(path, format!("cannot be written: {error}"))
}

/// The path from the root with all links followed, as the user writes it: without the prefix that Windows puts before it.
///
/// # Errors
/// When there is no such file.
pub fn canonical(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path).map(as_written)
}

fn as_written(path: PathBuf) -> PathBuf {
    let rest = path.to_str().and_then(|text| text.strip_prefix(r"\\?\"));
    match rest.map(|rest| (rest, rest.strip_prefix(r"UNC\"))) {
        Some((_, Some(share))) => format!(r"\\{share}").into(),
        Some((drive, None)) if drive.as_bytes().get(1) == Some(&b':') => drive.into(),
        _ => path,
    }
}

/// Target of a name: symbolic links stay, and their target is written.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    // A link to a file that does not exist yet.
    let mut path = path.to_owned();
    for _ in 0..40 {
        let Ok(to) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().map_or_else(|| to.clone(), |at| at.join(&to));
    }
    path
}

fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// A temporary file beside `path`, which goes away unless it is renamed.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    step()?;
    let folder = folder_of(path);
    remove_left_over(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    #[cfg(unix)]
    {
        // What any new file may be; the user's mask takes its part away.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map_err(without_path)
}

/// The error without the temporary file's name, which its user never sees.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason.to_owned()),
        None => error,
    }
}

/// Removes temporary files of processes that were killed long ago.
fn remove_left_over(folder: &Path) {
    for item in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = item.file_name();
        let name = name.to_string_lossy();
        let ours = name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1);
        let old = || {
            let written = item.metadata().and_then(|about| about.modified());
            written.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > LEFT_OVER))
        };
        if ours && old() {
            let _ = fs::remove_file(item.path());
        }
    }
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<Option<lock::Lock>> {
    let path = &real(path);
    let about = match fs::metadata(path) {
        Ok(about) => Some(about),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    // Devices and pipes cannot be replaced by renaming.
    if about.as_ref().is_some_and(|about| !about.is_file()) {
        return fs::write(path, bytes).map(|()| None);
    }
    if about
        .as_ref()
        .is_some_and(|about| !permissions::may_write(path, about))
    {
        return Err(ErrorKind::PermissionDenied.into());
    }
    let temporary = temporary(path).and_then(|mut file| {
        step()?;
        file.as_file_mut().write_all(bytes)?;
        step()?;
        file.as_file().sync_all()?;
        Ok(file)
    });
    match (about, temporary) {
        // Further names of the file must still refer to it; the copy is there in case the power fails now.
        (Some(about), copy) if permissions::has_other_names(&about) => {
            let copy = copy?;
            write_in_place(path, bytes)?;
            drop(copy);
            Ok(None)
        }
        // A folder in which nothing may be made, and a file that may be written.
        (Some(_), Err(error)) if error.kind() == ErrorKind::PermissionDenied => {
            write_in_place(path, bytes).map(|()| None)
        }
        (about, temporary) => {
            let temporary = temporary?;
            if let Some(about) = &about {
                permissions::copy(temporary.as_file(), path, about)?;
            }
            step()?;
            // Locked before it is in its place: no other program comes between.
            let lock = lock::of(temporary.as_file().try_clone()?).unwrap_or(None);
            temporary.persist(path).map_err(|error| error.error)?;
            sync_folder(path);
            Ok(lock)
        }
    }
}

/// The new name is on the disk, too.
fn sync_folder(path: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = path;
}

fn write_in_place(path: &Path, bytes: &[u8]) -> io::Result<()> {
    step()?;
    let mut file = File::options().write(true).open(path)?;
    step()?;
    file.write_all(bytes)?;
    step()?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// Adds to the end of a file.
///
/// # Errors
/// One sentence with the file's name.
pub fn append(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let add = || {
        step()?;
        let mut file = File::options().append(true).create(true).open(path)?;
        let before = file.metadata()?.len();
        // Half a text would come twice when it is tried again.
        file.write_all(bytes).inspect_err(|_| {
            let _ = file.set_len(before);
        })
    };
    add().map_err(|error| not_written(path, &error))
}

/// A file that is being written for a long time: under a temporary name, until [`Self::finish`]. Without that nothing is left of it.
#[derive(Debug)]
pub struct Growing {
    file: BufWriter<File>,
    /// `None` for a device.
    temporary: Option<TempPath>,
    path: PathBuf,
    /// The name was reserved with an empty file.
    reserved: bool,
}

impl Growing {
    /// A file of this name; the file with the name stays as it is until the end.
    ///
    /// # Errors
    /// One sentence with the file's name.
    pub fn named(path: &Path) -> Result<Self, Failure> {
        Self::begin(path, false).map_err(|error| not_written(path, &error))
    }

    /// A file of the first name `STEM-NNN.EXTENSION` that is free in a folder.
    ///
    /// # Errors
    /// One sentence with the file's name.
    pub fn free(folder: &Path, stem: &str, extension: &str) -> Result<Self, Failure> {
        let path = reserve(folder, stem, extension)?;
        Self::begin(&path, true).map_err(|error| {
            let _ = fs::remove_file(&path);
            not_written(&path, &error)
        })
    }

    fn begin(path: &Path, reserved: bool) -> io::Result<Self> {
        let real = real(path);
        let about = fs::metadata(&real).ok();
        if about.as_ref().is_some_and(|about| !about.is_file()) {
            let file = File::options().write(true).open(&real)?;
            return Ok(Self {
                file: BufWriter::new(file),
                temporary: None,
                path: path.to_owned(),
                reserved,
            });
        }
        if about.is_some_and(|about| !permissions::may_write(&real, &about)) {
            return Err(ErrorKind::PermissionDenied.into());
        }
        let (file, temporary) = temporary(&real)?.into_parts();
        Ok(Self {
            file: BufWriter::with_capacity(1 << 16, file),
            temporary: Some(temporary),
            path: path.to_owned(),
            reserved,
        })
    }

    /// The name that it will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Ends the file: it has its name now.
    ///
    /// # Errors
    /// One sentence with the file's name.
    pub fn finish(mut self) -> Result<PathBuf, Failure> {
        let path = self.path.clone();
        self.end().map_err(|error| not_written(&path, &error))?;
        Ok(path)
    }

    fn end(&mut self) -> io::Result<()> {
        self.file.flush()?;
        let Some(temporary) = self.temporary.take() else {
            return Ok(());
        };
        let path = real(&self.path);
        let about: Option<Metadata> = fs::metadata(&path).ok();
        if let Some(about) = about {
            permissions::copy(self.file.get_ref(), &path, &about)?;
        }
        self.file.get_ref().sync_all()?;
        temporary.persist(&path).map_err(|error| error.error)?;
        self.reserved = false;
        sync_folder(&path);
        Ok(())
    }
}

impl Drop for Growing {
    fn drop(&mut self) {
        if self.reserved {
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Read for Growing {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.flush()?;
        self.file.get_mut().read(bytes)
    }
}

impl Seek for Growing {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Reserves the first name `STEM-NNN.EXTENSION` that is free in a folder, with an empty file: no other program takes it.
///
/// # Errors
/// One sentence with the folder's name.
pub fn reserve(folder: &Path, stem: &str, extension: &str) -> Result<PathBuf, Failure> {
    for number in 1..10_000 {
        let path = folder.join(format!("{stem}-{number:03}.{extension}"));
        let made = step().and_then(|()| File::options().write(true).create_new(true).open(&path));
        match made {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(not_written(&path, &error)),
        }
    }
    Err(Failure::input(format!(
        "{}: there are 9999 files called {stem} already",
        folder.display()
    )))
}

#[cfg(test)]
pub(crate) mod faults;
#[cfg(test)]
mod tests;
