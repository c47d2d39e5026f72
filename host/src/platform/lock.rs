//! Locks on files that a session writes to, so that two programs do not write to the same one.
use std::fs::File;
use std::path::Path;

/// A lock; dropping it ends it.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Another program has the file.
#[derive(Debug, PartialEq, Eq)]
pub struct Busy;

/// Locks a file, by its inode: whoever replaces the file by another locks that one before (see [`of`]). Where the system has no locks,
/// or the file cannot be opened, there is nothing to be had, and no lock.
///
/// # Errors
/// When another program has locked it.
pub fn take(path: &Path) -> Result<Option<Lock>, Busy> {
    let Ok(file) = File::open(path) else {
        return Ok(None);
    };
    of(file)
}

/// Locks a file that is open.
///
/// # Errors
/// When another program has locked it.
#[cfg(unix)]
pub fn of(file: File) -> Result<Option<Lock>, Busy> {
    use rustix::fs::{FlockOperation, flock};
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(Lock { _file: file })),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(Busy),
        Err(_) => Ok(None),
    }
}

/// Locks a file that is open.
///
/// # Errors
/// Never here: an open handle without sharing would keep the file from being replaced.
#[cfg(not(unix))]
pub fn of(file: File) -> Result<Option<Lock>, Busy> {
    Ok(Some(Lock { _file: file }))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_locked_once_until_the_lock_goes() {
        let path = std::env::temp_dir().join(format!("anticlock-lock-{}", std::process::id()));
        std::fs::write(&path, "x").unwrap();
        let first = take(&path).unwrap();
        assert!(first.is_some());
        assert_eq!(take(&path).unwrap_err(), Busy);
        drop(first);
        assert!(take(&path).unwrap().is_some());
        std::fs::remove_file(&path).unwrap();
        assert!(take(&path).unwrap().is_none());
    }
}
