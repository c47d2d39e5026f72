//! Who may write a file, and what a file has besides its bytes.
use std::fs::{File, Metadata};
use std::path::Path;

/// Whether the user means the file to be written: it has a bit that allows writing, and the system allows it.
#[cfg(unix)]
pub fn may_write(path: &Path, about: &Metadata) -> bool {
    // The superuser may write everything; a file without any such bit is meant to be left alone all the same.
    !about.permissions().readonly()
        && rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

/// Whether the user means the file to be written.
#[cfg(not(unix))]
pub fn may_write(_: &Path, about: &Metadata) -> bool {
    !about.permissions().readonly()
}

/// Whether the file has further names, which would go on meaning the old file if it were replaced.
#[cfg(unix)]
pub fn has_other_names(about: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(about) > 1
}

/// Whether the file has further names.
#[cfg(not(unix))]
pub fn has_other_names(_: &Metadata) -> bool {
    false
}

/// Gives a new file the owner and the mode of the one that it is to replace, as far as the system lets us.
///
/// # Errors
/// When its mode cannot be set.
pub fn copy(to: &File, from: &Metadata) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only the superuser changes a file's owner; its owner may give it to a group of their own.
        let _ = fchown(to, Some(from.uid()), Some(from.gid()));
    }
    to.set_permissions(from.permissions())
}

/// What tells a file from all others while it exists: device and inode.
#[cfg(unix)]
pub fn file_id(about: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((about.dev(), about.ino()))
}

/// What tells a file from all others.
#[cfg(not(unix))]
pub fn file_id(_: &Metadata) -> Option<(u64, u64)> {
    None
}
