//! `anticlock disk`: images of disks, and the files on those of DOS 2.
use crate::cli::{Density, DiskAction};
use crate::tools::say;
use host::failure::Failure;
use host::files;
use host::packed::{self, Wrapping};
use media::atr::{Blank, Disk};
use media::dos2::{Dos2, Entry, Name, Pattern};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

/// End of a line on the Atari.
const EOL: u8 = 0x9B;
/// Tabulator of ATASCII.
const TAB: u8 = 0x7F;

/// Carries out `anticlock disk`.
///
/// # Errors
/// The fault of the image, a name or a file.
pub fn run(action: &DiskAction, out: &mut impl Write) -> Result<(), Failure> {
    match action {
        DiskAction::New {
            name,
            density,
            no_dos,
        } => new(name, *density, *no_dos),
        DiskAction::Info { name } => info(name, out),
        DiskAction::Ls { image, names } => list(image, names, out),
        DiskAction::Get {
            image,
            names,
            to,
            text,
            force,
        } => get(
            image,
            names,
            &Target {
                to: to.as_deref(),
                text: *text,
                force: *force,
            },
            out,
        ),
        DiskAction::Put {
            image,
            files,
            name,
            text,
        } => put(image, files, name.as_deref(), *text),
        DiskAction::Rm { image, names } => remove(image, names),
        DiskAction::Check { image } => check(image, out),
        DiskAction::Dos { image } => {
            let mut image = Image::open(image)?;
            session::add_dos(&mut image.dos).map_err(|error| image.failure(error))?;
            image.store()
        }
    }
}

/// An image with a DOS 2 file system.
struct Image<'a> {
    path: &'a Path,
    dos: Dos2,
    wrapping: Wrapping,
}

impl<'a> Image<'a> {
    fn open(path: &'a Path) -> Result<Self, Failure> {
        let opened = packed::open(path)?;
        let disk = Disk::parse(&opened.bytes).map_err(|error| Failure::file(path, error))?;
        let dos = Dos2::new(disk).map_err(|error| Failure::file(path, error))?;
        Ok(Self {
            path,
            dos,
            wrapping: opened.wrapping,
        })
    }

    fn failure(&self, error: impl std::fmt::Display) -> Failure {
        Failure::file(self.path, error)
    }

    /// Writes the image back, in the form that it had.
    fn store(self) -> Result<(), Failure> {
        if self.wrapping.archived {
            return Err(self.failure("is in an archive, which is only read; unpack it first"));
        }
        files::write(self.path, &self.wrapping.file(&self.dos.disk().to_bytes()))
    }

    /// The files that one of the patterns fits; all without patterns.
    fn matching(&self, patterns: &[String]) -> Result<Vec<Entry>, Failure> {
        let files = self.dos.files();
        if patterns.is_empty() {
            return Ok(files);
        }
        let mut found: Vec<Entry> = Vec::new();
        for text in patterns {
            let pattern = Pattern::parse(text).map_err(|error| self.failure(error))?;
            let before = found.len();
            let fits = |entry: &&Entry| pattern.matches(entry.name);
            for entry in files.iter().filter(fits) {
                if !found.contains(entry) {
                    found.push(*entry);
                }
            }
            if found.len() == before && !files.iter().any(|entry| pattern.matches(entry.name)) {
                let error = media::dos2::Dos2Error::NotFound(text.to_uppercase());
                return Err(self.failure(error));
            }
        }
        Ok(found)
    }
}

fn new(name: &Path, density: Density, no_dos: bool) -> Result<(), Failure> {
    if name.exists() {
        return Err(Failure::file(name, "exists already; nothing was changed"));
    }
    let kind = match density {
        Density::Single => Blank::Single,
        Density::Enhanced => Blank::Enhanced,
        Density::Double => Blank::Double,
    };
    let disk = if no_dos {
        session::blank_disk(kind)
    } else {
        session::dos_disk(kind)
    };
    files::write(name, &disk.to_bytes())
}

fn info(name: &Path, out: &mut impl Write) -> Result<(), Failure> {
    let disk = host::read_disk(name)?;
    let protected = if disk.write_protected() {
        ", write-protected"
    } else {
        ""
    };
    let mut text = format!(
        "{}: {} sectors of {} bytes{protected}",
        name.display(),
        disk.sectors(),
        disk.sector_size(),
    );
    if let Ok(dos) = Dos2::new(disk) {
        let _ = write!(
            text,
            ", DOS 2: {} files, {} sectors free",
            dos.files().len(),
            dos.free()
        );
    }
    text.push('\n');
    say(out, text.as_bytes())
}

fn list(image: &Path, names: &[String], out: &mut impl Write) -> Result<(), Failure> {
    let image = Image::open(image)?;
    let mut text = String::new();
    for entry in image.matching(names)? {
        let lock = if entry.locked() { '*' } else { ' ' };
        let size = if entry.folder() {
            "folder".to_owned()
        } else {
            match image.dos.read(entry.name) {
                Ok(bytes) => bytes.len().to_string(),
                Err(_) => "damaged".to_owned(),
            }
        };
        let _ = writeln!(text, "{lock} {:<12} {size:>7}", entry.name);
    }
    let _ = writeln!(text, "{} sectors free", image.dos.free());
    say(out, text.as_bytes())
}

/// The place and form of files that are taken from a disk.
struct Target<'a> {
    to: Option<&'a Path>,
    text: bool,
    force: bool,
}

fn get(
    image: &Path,
    names: &[String],
    target: &Target,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let image = Image::open(image)?;
    let found = image.matching(names)?;
    let to = target.to.unwrap_or(Path::new("."));
    let stream = to == Path::new("-");
    let folder = !stream && to.is_dir();
    if found.len() > 1 && !folder && !stream {
        return Err(Failure::file(to, "several files need a folder"));
    }
    // All of them are read before the first is written.
    let mut files = Vec::new();
    for entry in found {
        let mut bytes = image
            .dos
            .read(entry.name)
            .map_err(|error| image.failure(error))?;
        if target.text {
            to_host(&mut bytes);
        }
        let path = if folder {
            to.join(entry.name.to_string())
        } else {
            to.to_owned()
        };
        if !stream && !target.force && path.exists() {
            return Err(Failure::file(&path, "exists already; --force replaces it"));
        }
        files.push((path, bytes));
    }
    for (path, bytes) in files {
        if stream {
            say(out, &bytes)?;
        } else {
            files::write(&path, &bytes)?;
        }
    }
    Ok(())
}

fn put(image: &Path, files: &[PathBuf], name: Option<&str>, text: bool) -> Result<(), Failure> {
    if name.is_some() && files.len() > 1 {
        return Err(Failure::input("--name is for one file"));
    }
    let mut image = Image::open(image)?;
    for path in files {
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        let name = Name::parse(name.unwrap_or(&own))
            .map_err(|error| Failure::file(path, format!("{error}; --name gives it another")))?;
        let mut bytes = files::read(path)?;
        if text {
            bytes = to_atari(&bytes);
        }
        image
            .dos
            .write(name, &bytes)
            .map_err(|error| image.failure(error))?;
    }
    image.store()
}

fn remove(image: &Path, names: &[String]) -> Result<(), Failure> {
    let mut image = Image::open(image)?;
    for entry in image.matching(names)? {
        image
            .dos
            .delete(entry.name)
            .map_err(|error| image.failure(error))?;
    }
    image.store()
}

fn check(image: &Path, out: &mut impl Write) -> Result<(), Failure> {
    let image = Image::open(image)?;
    let report = image.dos.check();
    if report.is_clean() {
        return say(
            out,
            format!("{}: no errors\n", image.path.display()).as_bytes(),
        );
    }
    let text = report.to_string();
    Err(image.failure(text.trim_end()))
}

/// Text of the Atari to text of the host, byte by byte.
fn to_host(bytes: &mut [u8]) {
    for byte in bytes {
        *byte = match *byte {
            EOL => b'\n',
            TAB => b'\t',
            other => other,
        };
    }
}

/// Text of the host, with any line ends, to text of the Atari.
fn to_atari(bytes: &[u8]) -> Vec<u8> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut out = Vec::with_capacity(bytes.len() + 1);
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' if at > 0 && bytes[at - 1] == b'\r' => {}
            b'\n' | b'\r' => out.push(EOL),
            b'\t' => out.push(TAB),
            other => out.push(other),
        }
    }
    if out.last().is_some_and(|&last| last != EOL) {
        out.push(EOL);
    }
    out
}
