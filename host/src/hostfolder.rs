//! Files of the host for the Atari's H: and D: (the rules are in `session::folder`, the device in `machine::host`).
//!
//! Only files and folders take part; links never do, so that no program can leave the folder.
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use machine::host::{HostReply, HostRequest, LONGEST, status};
use session::folder::{self, Change, Item, Outcome, Storage};

use crate::failure::Failure;
use crate::files;

/// The folder.
#[derive(Clone, Debug)]
pub struct HostFolder {
    path: PathBuf,
    /// True if programs may change it.
    write: bool,
    /// Made when the first file is written.
    on_demand: bool,
}

impl HostFolder {
    /// The folder at `path`.
    ///
    /// # Errors
    /// When it is not a folder.
    pub fn new(path: &Path, write: bool) -> Result<Self, Failure> {
        match fs::read_dir(path) {
            Ok(_) => Ok(Self {
                path: path.into(),
                write,
                on_demand: false,
            }),
            Err(error) => Err(Failure::file(
                path,
                match error.kind() {
                    ErrorKind::NotFound => "there is no such folder".to_owned(),
                    ErrorKind::NotADirectory => "is not a folder".to_owned(),
                    ErrorKind::PermissionDenied => {
                        "this folder may not be read (permission denied)".to_owned()
                    }
                    _ => format!("cannot be read: {error}"),
                },
            )),
        }
    }

    /// A folder that programs may write to, and that comes into being with the first file.
    pub fn on_demand(path: PathBuf) -> Self {
        Self {
            path,
            write: true,
            on_demand: true,
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder's answer to a request of the machine's device, as bytes or as text.
    pub fn answer(&self, request: &HostRequest, text: bool) -> HostReply {
        match folder::answer(self, request, text) {
            Outcome::Reply(reply) => reply,
            Outcome::Change(changes) => {
                let done = changes.iter().try_for_each(|change| self.change(change));
                HostReply::status(match done {
                    Ok(()) => status::OK,
                    Err(Refusal::Link) => status::LOCKED,
                    Err(Refusal::Failed) => folder::failed(&changes),
                })
            }
        }
    }

    fn change(&self, change: &Change) -> Result<(), Refusal> {
        if self.on_demand {
            fs::create_dir_all(&self.path)?;
        }
        match change {
            Change::Write { path, data } => {
                let path = self.inside(path)?;
                // A link of that name is in no listing; it must not be written through either.
                if fs::symlink_metadata(&path).is_ok_and(|about| !about.is_file()) {
                    return Err(Refusal::Link);
                }
                files::write(&path, data).map_err(|_| Refusal::Failed)
            }
            Change::Rename { path, name } => {
                let path = self.inside(path)?;
                let new = path.with_file_name(name);
                // A host that takes small letters for capitals finds the file itself.
                let other = fs::symlink_metadata(&new).is_ok()
                    && fs::canonicalize(&new).ok() != fs::canonicalize(&path).ok();
                if other {
                    return Err(Refusal::Link);
                }
                Ok(fs::rename(&path, new)?)
            }
            Change::Remove { path } => Ok(fs::remove_file(self.inside(path)?)?),
            Change::Lock { path, locked } => {
                let path = self.inside(path)?;
                let mut permissions = fs::symlink_metadata(&path)?.permissions();
                lock(&mut permissions, *locked);
                Ok(fs::set_permissions(&path, permissions)?)
            }
            Change::MakeFolder { path } => Ok(fs::create_dir(self.inside(path)?)?),
            Change::RemoveFolder { path } => Ok(fs::remove_dir(self.inside(path)?)?),
        }
    }

    /// The host's path of a file or folder in the folder; refused where the way to it leads through a link.
    fn inside(&self, path: &folder::Path) -> Result<PathBuf, Refusal> {
        let Some((last, folders)) = path.split_last() else {
            return Ok(self.path.clone());
        };
        let mut at = self.path.clone();
        for name in folders {
            at.push(name);
            if !fs::symlink_metadata(&at)?.is_dir() {
                return Err(Refusal::Link);
            }
        }
        at.push(last);
        Ok(at)
    }
}

/// Reason why a change was not made.
enum Refusal {
    /// A link, or what has the new name already, stands in the way.
    Link,
    /// The host could not do it.
    Failed,
}

impl From<std::io::Error> for Refusal {
    fn from(_: std::io::Error) -> Self {
        Self::Failed
    }
}

impl Storage for HostFolder {
    fn list(&self, path: &folder::Path) -> Vec<Item> {
        let Ok(at) = self.inside(path) else {
            return Vec::new();
        };
        let item = |entry: fs::DirEntry| {
            // `metadata` of an entry does not follow links.
            let about = entry.metadata().ok()?;
            (about.is_file() || about.is_dir()).then_some(Item {
                name: entry.file_name().into_string().ok()?,
                length: if about.is_file() { about.len() } else { 0 },
                locked: about.is_file() && about.permissions().readonly(),
                folder: about.is_dir(),
            })
        };
        let entries = fs::read_dir(at).into_iter().flatten().flatten();
        entries.filter_map(item).collect()
    }

    fn read(&self, path: &folder::Path) -> Option<Vec<u8>> {
        let path = self.inside(path).ok()?;
        let about = fs::symlink_metadata(&path).ok()?;
        about.is_file().then(|| read_at_most(&path).ok())?
    }

    fn is_writable(&self) -> bool {
        self.write
    }

    fn has_folders(&self) -> bool {
        true
    }
}

/// Reads a file that may have grown since it was looked up.
fn read_at_most(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let mut file = fs::File::open(path)?.take(LONGEST as u64 + 1);
    file.read_to_end(&mut bytes)?;
    if bytes.len() > LONGEST {
        return Err(ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

#[cfg(unix)]
fn lock(permissions: &mut fs::Permissions, on: bool) {
    use std::os::unix::fs::PermissionsExt;
    let mode = permissions.mode();
    permissions.set_mode(if on { mode & !0o222 } else { mode | 0o200 });
}

#[cfg(not(unix))]
fn lock(permissions: &mut fs::Permissions, on: bool) {
    permissions.set_readonly(on);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("anticlock-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn open(folder: &HostFolder, name: &str, mode: u8) -> (u8, Vec<u8>) {
        let request = HostRequest::Open {
            name: name.into(),
            mode,
        };
        let reply = folder.answer(&request, false);
        (reply.status, reply.data)
    }

    #[test]
    fn a_program_cannot_leave_the_folder() {
        let outer = folder("outer");
        let inner = outer.join("inner");
        fs::create_dir_all(inner.join("SUB")).unwrap();
        fs::write(outer.join("SECRET.TXT"), "x").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(outer.join("SECRET.TXT"), inner.join("LINK.TXT")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&outer, inner.join("UP")).unwrap();
        let host = HostFolder::new(&inner, true).unwrap();
        for name in [
            "H:../SECRET.TXT",
            "H:..",
            "H:/ETC/PASSWD",
            "H:UP/SECRET.TXT",
            "H:..\\SECRET.TXT",
            "H:<SECRET.TXT",
            "H:SUB>..>..>SECRET.TXT",
            "H:A/B",
        ] {
            for mode in [4, 6, 8, 9, 12] {
                assert_eq!(open(&host, name, mode).0, status::PATH, "{name}");
            }
        }
        assert_eq!(open(&host, "H:LINK.TXT", 4).0, status::NOT_FOUND);
        let write = |name: &str| {
            let request = HostRequest::Write {
                name: name.into(),
                data: vec![1],
            };
            host.answer(&request, false).status
        };
        assert_eq!(
            (write("H:../SECRET.TXT"), write("H:LINK.TXT"), write("H:UP")),
            (status::PATH, status::LOCKED, status::LOCKED)
        );
        assert_eq!(fs::read(outer.join("SECRET.TXT")).unwrap(), b"x");
        fs::remove_dir_all(outer).unwrap();
    }

    #[test]
    fn a_folder_is_read_only_unless_writing_is_allowed() {
        let path = folder("readonly");
        fs::write(path.join("a.txt"), "ONE\nTWO\n").unwrap();
        let host = HostFolder::new(&path, false).unwrap();
        assert_eq!(open(&host, "H:A.TXT", 4), (1, b"ONE\nTWO\n".to_vec()));
        assert_eq!(open(&host, "H1:NEW", 8).0, status::LOCKED);
        for command in [32, 33, 35, 36] {
            let request = HostRequest::Command {
                command,
                name: b"H:A.TXT,B.TXT".to_vec(),
            };
            let reply = host.answer(&request, false).status;
            assert_eq!(reply, status::LOCKED, "{command}");
        }
        let request = HostRequest::Write {
            name: b"H:X".to_vec(),
            data: vec![],
        };
        assert_eq!(host.answer(&request, false).status, status::LOCKED);
        assert_eq!(fs::read_dir(&path).unwrap().count(), 1);
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn a_folder_on_demand_comes_with_the_first_file() {
        let path = folder("demand").join("data").join("games");
        let host = HostFolder::on_demand(path.clone());
        assert_eq!(open(&host, "H:SAVE", 4).0, status::NOT_FOUND);
        assert_eq!(open(&host, "H:*.*", 6).1, b"999 FREE SECTORS\x9B");
        assert_eq!(open(&host, "H:SAVE", 8).0, status::OK);
        assert!(!path.exists());
        let request = HostRequest::Write {
            name: b"H:SAVE".to_vec(),
            data: vec![1, 2],
        };
        assert_eq!(host.answer(&request, false).status, status::OK);
        assert_eq!(open(&host, "H:SAVE", 4), (1, vec![1, 2]));
        fs::remove_dir_all(path.parent().unwrap().parent().unwrap()).unwrap();
    }

    #[test]
    fn files_are_written_listed_renamed_locked_and_deleted() {
        let path = folder("write");
        let host = HostFolder::new(&path, true).unwrap();
        let run = |request: HostRequest| host.answer(&request, false).status;
        assert_eq!(open(&host, "D:GAME.BAS", 8).0, 1);
        assert_eq!(
            run(HostRequest::Write {
                name: b"D:GAME.BAS".to_vec(),
                data: vec![7; 300]
            }),
            1
        );
        let list = open(&host, "H:*.*", 6).1;
        assert_eq!(list, b"  GAME    BAS 003\x9B999 FREE SECTORS\x9B");
        let command = |command, name: &str| {
            run(HostRequest::Command {
                command,
                name: name.into(),
            })
        };
        assert_eq!(command(32, "H:GAME.BAS,G2.BAS"), 1);
        assert_eq!(command(13, "H:G?.B*"), 1);
        assert_eq!(command(35, "H:G2.BAS"), 1);
        assert_eq!(
            (command(33, "H:G2.BAS"), open(&host, "H:G2.BAS", 8).0),
            (status::LOCKED, status::LOCKED)
        );
        assert_eq!(
            (
                command(36, "H:G2.BAS"),
                command(33, "H:*.BAS"),
                command(33, "H:G2.BAS")
            ),
            (1, 1, status::NOT_FOUND)
        );
        fs::remove_dir_all(path).unwrap();
    }
}
