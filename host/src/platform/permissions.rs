//! The right to write a file, and its properties besides its bytes.
use std::fs::{File, Metadata};
use std::path::Path;

/// True if the user means the file to be written: it has a bit that allows writing, and the system allows it.
#[cfg(unix)]
pub fn may_write(path: &Path, about: &Metadata) -> bool {
    // The superuser may write everything; a file without any such bit must not be written all the same.
    !about.permissions().readonly()
        && rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

/// True if the user means the file to be written.
#[cfg(not(unix))]
pub fn may_write(_: &Path, about: &Metadata) -> bool {
    !about.permissions().readonly()
}

/// True if the file has further names, which would still mean the old file if it were replaced.
#[cfg(unix)]
pub fn has_other_names(about: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(about) > 1
}

/// True if the file has further names.
#[cfg(not(unix))]
pub fn has_other_names(_: &Metadata) -> bool {
    false
}

/// Gives a new file what the one at `path`, which it is to replace, has besides its bytes: mode, and owner and extended attributes as far as
/// the system lets us.
///
/// # Errors
/// When its mode or an attribute cannot be set for want of room.
pub fn copy(to: &File, path: &Path, from: &Metadata) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only the superuser changes a file's owner; its owner may give it to a group of their own.
        let _ = fchown(to, Some(from.uid()), Some(from.gid()));
    }
    to.set_permissions(from.permissions())?;
    copy_attributes(to, path)
}

/// Copies extended attributes, access control lists among them.
#[cfg(target_os = "linux")]
fn copy_attributes(to: &File, path: &Path) -> std::io::Result<()> {
    use rustix::fs::{XattrFlags, fsetxattr, getxattr, listxattr};
    use rustix::io::Errno;
    use std::ffi::CStr;
    // Linux has no longer list of names, and no longer value.
    let mut names = vec![0; 1 << 16];
    // A file system may have none of them.
    let Ok(length) = listxattr(path, &mut names) else {
        return Ok(());
    };
    let mut value = vec![0; 1 << 16];
    for name in names[..length].split_inclusive(|&byte| byte == 0) {
        let Ok(name) = CStr::from_bytes_with_nul(name) else {
            continue;
        };
        let Ok(length) = getxattr(path, name, &mut value) else {
            continue;
        };
        // Some are the system's own, and cannot be set.
        if let Err(error @ (Errno::NOSPC | Errno::DQUOT)) =
            fsetxattr(to, name, &value[..length], XattrFlags::empty())
        {
            return Err(error.into());
        }
    }
    Ok(())
}

/// Nothing is known of extended attributes here.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "the form that Linux asks for")]
fn copy_attributes(_: &File, _: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Identity of a file while it exists: device and inode.
#[cfg(unix)]
pub fn file_id(about: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((about.dev(), about.ino()))
}

/// Identity of a file while it exists.
#[cfg(not(unix))]
pub fn file_id(_: &Metadata) -> Option<(u64, u64)> {
    None
}
