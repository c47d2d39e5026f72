//! Reading and writing files with errors that a person understands.
use crate::failure::Failure;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// Larger files are no Atari media; the largest cartridge has 1 MB, the largest ATR 16 MB.
const LARGEST: u64 = 64 << 20;

/// Reads a whole file.
///
/// # Errors
/// One sentence with the file's name.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let explain = |error: std::io::Error| {
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
        // The size that devices and pipes name is no limit.
        let mut start = fs::File::open(path).map_err(explain)?.take(LARGEST + 1);
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

/// Writes a whole file: under a temporary name beside it first, then renamed, so that nobody ever sees half a file.
///
/// # Errors
/// One sentence with the file's name.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    // Devices and pipes cannot be replaced by renaming.
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return fs::write(path, bytes)
            .map_err(|error| Failure::file(path, format!("cannot be written: {error}")));
    }
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(temporary);
    let result = fs::File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, path));
    result.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        Failure::file(path, format!("cannot be written: {error}"))
    })
}

/// Adds to the end of a file.
///
/// # Errors
/// One sentence with the file's name.
pub fn append(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .and_then(|mut file| file.write_all(bytes))
        .map_err(|error| Failure::file(path, format!("cannot be written: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_device_without_an_end_is_too_large() {
        let error = read(Path::new("/dev/zero")).unwrap_err();
        assert!(error.to_string().contains("too large"), "{error}");
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_stays_behind() {
        let folder = std::env::temp_dir().join(format!("anticlock-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("x.bin");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        let missing = read(&folder.join("none")).unwrap_err();
        assert!(missing.to_string().ends_with("there is no such file"));
        assert_eq!(missing.status(), 2);
        assert!(write(&folder.join("no/such/folder"), b"").is_err());
        assert!(
            read(&folder)
                .unwrap_err()
                .to_string()
                .contains("is a folder")
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}
