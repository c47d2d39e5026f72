//! Lists of disks: the first is booted, the others are in the next drives.
use crate::failure::Failure;
use crate::files;
use std::path::{Path, PathBuf};

/// True for a list by its name.
pub fn is_list(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("m3u"))
}

/// True if there is no such file in its folder. A name that leads into an archive is looked for when it is opened.
fn is_missing(file: &Path) -> bool {
    let folder = file.parent().unwrap_or(Path::new(""));
    !file.exists() && (folder.as_os_str().is_empty() || folder.is_dir())
}

/// The files of a list: a name a line, beside the list; lines that begin with # are comments.
///
/// # Errors
/// When it cannot be read, names no file, a missing one, or more than there are drives.
pub fn read(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let text = files::read(path)?;
    let text = String::from_utf8_lossy(&text);
    let lines = text.trim_start_matches('\u{FEFF}').lines().map(str::trim);
    let folder = path.parent().unwrap_or(Path::new(""));
    let names = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let found: Vec<_> = names.map(|name| folder.join(name)).collect();
    match found.len() {
        0 => Err(Failure::file(path, "this list names no disk")),
        1..=session::DRIVES => match found.iter().find(|file| is_missing(file)) {
            None => Ok(found),
            Some(file) => {
                let name = file.strip_prefix(folder).unwrap_or(file).display();
                let message = format!("this list names {name}, which is not there");
                Err(Failure::file(path, message))
            }
        },
        n => Err(Failure::file(
            path,
            format!("this list names {n} disks, and there are only eight drives"),
        )),
    }
}
