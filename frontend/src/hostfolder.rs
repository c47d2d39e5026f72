//! A folder of the host as the Atari's H: (the device itself is in `machine::host`).
//!
//! Atari names are eight characters, a point and three more. A host file takes part when its name, in capitals, is such a name;
//! links and folders never do, so that no program can leave the folder.
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use machine::host::{HostReply, HostRequest, LONGEST, status};

use crate::failure::Failure;
use crate::files;

/// The end of a line in ATASCII.
const EOL: u8 = 0x9B;

/// The folder.
#[derive(Clone, Debug)]
pub struct HostFolder {
    path: PathBuf,
    /// Whether programs may change it.
    write: bool,
    /// Made when the first file is written.
    on_demand: bool,
}

/// A file of the folder.
struct Entry {
    /// Its Atari name.
    name: String,
    path: PathBuf,
    length: u64,
    locked: bool,
}

impl HostFolder {
    /// The folder at `path`.
    ///
    /// # Errors
    /// When it is no folder.
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

    /// The folder's answer to what the machine's device waits for.
    pub fn answer(&self, request: &HostRequest) -> HostReply {
        match request {
            HostRequest::Open { name, mode } => self.open(name, *mode),
            HostRequest::Write { name, data } => HostReply::status(self.write_file(name, data)),
            HostRequest::Command { command, name } => {
                HostReply::status(self.command(*command, name))
            }
        }
    }

    fn open(&self, name: &[u8], mode: u8) -> HostReply {
        let Some(pattern) = pattern(name) else {
            return HostReply::status(status::NAME);
        };
        if mode & 2 != 0 {
            return HostReply {
                status: status::OK,
                data: self.directory(&pattern),
            };
        }
        let found = self.entries(&pattern).into_iter().next();
        if mode & 8 != 0 {
            if !self.write || found.as_ref().is_some_and(|e| e.locked) {
                return HostReply::status(status::LOCKED);
            }
            // Append makes a new file when there is none, update does not.
            match (&found, mode & 4 != 0) {
                (None, true) => return HostReply::status(status::NOT_FOUND),
                (None, false) if pattern.contains(['*', '?']) => {
                    return HostReply::status(status::NAME);
                }
                _ => {}
            }
        }
        match found {
            None if mode & 8 != 0 => HostReply::status(status::OK),
            None => HostReply::status(status::NOT_FOUND),
            // The device would refuse it; so it is not read in the first place.
            Some(entry) if entry.length > LONGEST as u64 => HostReply::status(status::FATAL),
            Some(entry) => match read_at_most(&entry.path) {
                Ok(data) if mode & 8 == 0 => HostReply {
                    status: status::OK,
                    data: atascii(data),
                },
                Ok(data) => HostReply {
                    status: status::OK,
                    data,
                },
                Err(_) => HostReply::status(status::FATAL),
            },
        }
    }

    fn write_file(&self, name: &[u8], data: &[u8]) -> u8 {
        let Some(pattern) = pattern(name) else {
            return status::NAME;
        };
        if !self.write {
            return status::LOCKED;
        }
        let path = match self.entries(&pattern).into_iter().next() {
            Some(entry) if entry.locked => return status::LOCKED,
            Some(entry) => entry.path,
            None if pattern.contains(['*', '?']) => return status::NAME,
            None => self.path.join(&pattern),
        };
        // A link or folder of that name is not in the list; it must not be written through either.
        if fs::symlink_metadata(&path).is_ok_and(|about| !about.is_file()) {
            return status::LOCKED;
        }
        if self.on_demand && fs::create_dir_all(&self.path).is_err() {
            return status::LOCKED;
        }
        if files::write(&path, data).is_ok() {
            status::OK
        } else {
            status::DISK_FULL
        }
    }

    /// 13 status, 32 rename, 33 delete, 35 lock, 36 unlock.
    fn command(&self, command: u8, name: &[u8]) -> u8 {
        let (first, second) = match name.iter().position(|&c| c == b',') {
            Some(comma) if command == 32 => (&name[..comma], Some(&name[comma + 1..])),
            _ => (name, None),
        };
        let Some(wanted) = pattern(first) else {
            return status::NAME;
        };
        let entries = self.entries(&wanted);
        let Some(one) = entries.first() else {
            return status::NOT_FOUND;
        };
        if command == 13 {
            return status::OK;
        }
        if !matches!(command, 32 | 33 | 35 | 36) {
            return status::NOT_IMPLEMENTED;
        }
        if !self.write {
            return status::LOCKED;
        }
        if command == 32 {
            let Some(new) = second.and_then(pattern).filter(|n| !n.contains(['*', '?'])) else {
                return status::NAME;
            };
            let path = self.path.join(&new);
            if one.locked || fs::symlink_metadata(&path).is_ok() || !self.entries(&new).is_empty() {
                return status::LOCKED;
            }
            return done(&fs::rename(&one.path, path));
        }
        for entry in &entries {
            let result = if command == 33 {
                if entry.locked {
                    return status::LOCKED;
                }
                fs::remove_file(&entry.path)
            } else {
                fs::metadata(&entry.path).and_then(|about| {
                    let mut permissions = about.permissions();
                    lock(&mut permissions, command == 35);
                    fs::set_permissions(&entry.path, permissions)
                })
            };
            if result.is_err() {
                return status::FATAL;
            }
        }
        status::OK
    }

    /// Files whose Atari names fit the pattern, sorted.
    fn entries(&self, pattern: &str) -> Vec<Entry> {
        let Ok(folder) = fs::read_dir(&self.path) else {
            return Vec::new();
        };
        let mut entries: Vec<Entry> = folder
            .flatten()
            .filter_map(|item| {
                let name = item.file_name().to_str()?.to_ascii_uppercase();
                // `metadata` of an entry does not follow links.
                let about = item.metadata().ok()?;
                (about.is_file() && is_atari_name(&name) && fits(pattern, &name)).then(|| Entry {
                    name,
                    path: item.path(),
                    length: about.len(),
                    locked: about.permissions().readonly(),
                })
            })
            .collect();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        entries.dedup_by(|a, b| a.name == b.name);
        entries
    }

    /// A directory as DOS 2 lists it.
    fn directory(&self, pattern: &str) -> Vec<u8> {
        let mut out = Vec::new();
        for entry in self.entries(pattern) {
            let (name, extension) = entry.name.split_once('.').unwrap_or((&entry.name, ""));
            let sectors = entry.length.div_ceil(125).min(999);
            let mark = if entry.locked { '*' } else { ' ' };
            out.extend_from_slice(
                format!("{mark} {name:<8}{extension:<3} {sectors:03}").as_bytes(),
            );
            out.push(EOL);
        }
        out.extend_from_slice(b"999 FREE SECTORS");
        out.push(EOL);
        out
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

fn done(result: &std::io::Result<()>) -> u8 {
    if result.is_ok() {
        status::OK
    } else {
        status::FATAL
    }
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

/// The file name or pattern of "H:NAME.EXT" in capitals; nothing when it is not one, as with a path. An empty name is "*.*".
fn pattern(name: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(name).ok()?;
    let text = text.split_once(':').map_or(text, |(_, rest)| rest);
    let text = text.trim_end_matches(' ').to_ascii_uppercase();
    let text = if text.is_empty() {
        "*.*".to_owned()
    } else {
        text
    };
    let wild = text.replace(['*', '?'], "A");
    is_atari_name(&wild).then_some(text)
}

/// Up to eight letters, digits and underscores, and perhaps a point and up to three more.
fn is_atari_name(name: &str) -> bool {
    let (first, extension) = name.split_once('.').unwrap_or((name, ""));
    let plain = |part: &str, longest: usize| {
        part.len() <= longest
            && part
                .bytes()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_')
    };
    !first.is_empty() && plain(first, 8) && plain(extension, 3)
}

/// Whether a name fits a pattern with `*` (the rest of a part) and `?` (any character or none).
fn fits(pattern: &str, name: &str) -> bool {
    let split = |text: &str| -> (Vec<u8>, Vec<u8>) {
        let (first, extension) = text.split_once('.').unwrap_or((text, ""));
        (first.as_bytes().to_vec(), extension.as_bytes().to_vec())
    };
    let part = |pattern: &[u8], name: &[u8]| {
        let mut i = 0;
        loop {
            match (pattern.get(i), name.get(i)) {
                (Some(b'*'), _) | (None, None) => return true,
                (Some(b'?'), _) => {}
                (Some(p), Some(n)) if p == n => {}
                _ => return false,
            }
            i += 1;
        }
    };
    let ((p, pe), (n, ne)) = (split(pattern), split(name));
    part(&p, &n) && part(&pe, &ne)
}

/// A host's text file becomes an Atari's: lines end with $9B. Anything else is left as it is.
fn atascii(data: Vec<u8>) -> Vec<u8> {
    let text = data.contains(&b'\n')
        && !data.contains(&EOL)
        && data
            .iter()
            .all(|&c| (32..127).contains(&c) || matches!(c, b'\n' | b'\r' | b'\t'));
    if !text {
        return data;
    }
    data.into_iter()
        .filter(|&c| c != b'\r')
        .map(|c| if c == b'\n' { EOL } else { c })
        .collect()
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
        let reply = folder.answer(&HostRequest::Open {
            name: name.into(),
            mode,
        });
        (reply.status, reply.data)
    }

    #[test]
    fn a_program_cannot_leave_the_folder() {
        let outer = folder("outer");
        let inner = outer.join("inner");
        fs::create_dir(&inner).unwrap();
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
            "H:A/B",
            "H:\0",
        ] {
            assert_eq!(open(&host, name, 4).0, status::NAME, "{name}");
            assert_eq!(open(&host, name, 8).0, status::NAME, "{name}");
        }
        assert_eq!(open(&host, "H:LINK.TXT", 4).0, status::NOT_FOUND);
        let write = |name: &str| {
            host.answer(&HostRequest::Write {
                name: name.into(),
                data: vec![1],
            })
            .status
        };
        assert_eq!(
            (write("H:../SECRET.TXT"), write("H:LINK.TXT"), write("H:UP")),
            (status::NAME, status::LOCKED, status::LOCKED)
        );
        assert_eq!(fs::read(outer.join("SECRET.TXT")).unwrap(), b"x");
        fs::remove_dir_all(outer).unwrap();
    }

    #[test]
    fn a_folder_is_read_only_unless_writing_is_allowed() {
        let path = folder("readonly");
        fs::write(path.join("a.txt"), "ONE\nTWO\n").unwrap();
        let host = HostFolder::new(&path, false).unwrap();
        assert_eq!(open(&host, "H:A.TXT", 4), (1, b"ONE\x9BTWO\x9B".to_vec()));
        assert_eq!(open(&host, "H1:NEW", 8).0, status::LOCKED);
        for command in [32, 33, 35, 36] {
            let request = HostRequest::Command {
                command,
                name: b"H:A.TXT,B.TXT".to_vec(),
            };
            let reply = host.answer(&request).status;
            assert!(
                reply == status::LOCKED || reply == status::NAME,
                "{command}: {reply}"
            );
        }
        assert_eq!(
            host.answer(&HostRequest::Write {
                name: b"H:X".to_vec(),
                data: vec![]
            })
            .status,
            status::LOCKED
        );
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
        assert_eq!(host.answer(&request).status, status::OK);
        assert_eq!(open(&host, "H:SAVE", 4), (1, vec![1, 2]));
        fs::remove_dir_all(path.parent().unwrap().parent().unwrap()).unwrap();
    }

    #[test]
    fn files_are_written_listed_renamed_locked_and_deleted() {
        let path = folder("write");
        let host = HostFolder::new(&path, true).unwrap();
        let run = |request: HostRequest| host.answer(&request).status;
        assert_eq!(open(&host, "D:GAME.BAS", 8).0, 1);
        assert_eq!(
            run(HostRequest::Write {
                name: b"D:GAME.BAS".to_vec(),
                data: vec![7; 300]
            }),
            1
        );
        fs::write(path.join("a long name that is none.text"), "x").unwrap();
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
