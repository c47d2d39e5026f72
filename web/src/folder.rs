//! The files of H:, as the page keeps them in the browser's storage.
//!
//! The page hands over all files when it starts. Reading is answered from this copy at once; a change is first given to the page, and the
//! program hears of success only after the page has stored it.
use machine::host::{HostReply, HostRequest, LONGEST, status};

/// The end of a line in ATASCII.
const EOL: u8 = 0x9B;
/// Files that the folder holds.
const MOST: usize = 500;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct File {
    data: Vec<u8>,
    locked: bool,
}

/// What a file becomes; without data it is removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub name: String,
    /// What it holds.
    pub data: Option<Vec<u8>>,
    /// Programs may not change it.
    pub locked: bool,
}

/// What a request comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The answer.
    Reply(HostReply),
    /// The page has to store this first.
    Store(Vec<Change>),
}

fn refuse(status: u8) -> Outcome {
    Outcome::Reply(HostReply::status(status))
}

/// The folder: its files by ascending name. It has at most 500 of them, for which a list is small and fast.
#[derive(Clone, Debug, Default)]
pub struct Folder(Vec<(String, File)>);

impl Folder {
    /// Does what the page has stored.
    pub fn change(&mut self, change: Change) {
        let Change { name, data, locked } = change;
        let file = data.map(|data| File { data, locked });
        match (self.place(&name), file) {
            (Ok(at), Some(file)) => self.0[at].1 = file,
            (Ok(at), None) => drop(self.0.remove(at)),
            (Err(at), Some(file)) => self.0.insert(at, (name, file)),
            (Err(_), None) => {}
        }
    }

    /// Where a name is in the list, or where it belongs.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0
            .binary_search_by(|(known, _)| known.as_str().cmp(name))
    }

    /// A name as the folder keeps it, from a name of the host; `None` when no Atari name fits.
    pub fn name_for(text: &str) -> Option<String> {
        let name = text.to_ascii_uppercase();
        is_atari_name(&name).then_some(name)
    }

    /// What a request of the machine comes to.
    pub fn answer(&self, request: &HostRequest) -> Outcome {
        match request {
            HostRequest::Open { name, mode } => self.open(name, *mode),
            HostRequest::Write { name, data } => self.write(name, data),
            HostRequest::Command { command, name } => self.command(*command, name),
        }
    }

    fn matching<'a>(&'a self, wanted: &'a str) -> impl Iterator<Item = (&'a String, &'a File)> {
        let files = self.0.iter().map(|(name, file)| (name, file));
        files.filter(move |(name, _)| fits(wanted, name))
    }

    fn open(&self, name: &[u8], mode: u8) -> Outcome {
        let Some(wanted) = pattern(name) else {
            return refuse(status::NAME);
        };
        if mode & 2 != 0 {
            return Outcome::Reply(HostReply {
                status: status::OK,
                data: self.directory(&wanted),
            });
        }
        let found = self.matching(&wanted).next();
        let writes = mode & 8 != 0;
        match found {
            Some((_, file)) if writes && file.locked => refuse(status::LOCKED),
            Some((_, file)) if file.data.len() > LONGEST => refuse(status::FATAL),
            Some((_, file)) => Outcome::Reply(HostReply {
                status: status::OK,
                data: file.data.clone(),
            }),
            // Update wants a file that exists; writing and appending make one.
            None if !writes || mode & 4 != 0 => refuse(status::NOT_FOUND),
            None if is_wild(&wanted) => refuse(status::NAME),
            None => refuse(status::OK),
        }
    }

    fn write(&self, name: &[u8], data: &[u8]) -> Outcome {
        let Some(wanted) = pattern(name) else {
            return refuse(status::NAME);
        };
        let found = self.matching(&wanted).next();
        let name = match found {
            Some((_, file)) if file.locked => return refuse(status::LOCKED),
            Some((name, _)) => name.clone(),
            None if is_wild(&wanted) => return refuse(status::NAME),
            None if self.0.len() >= MOST => return refuse(status::DISK_FULL),
            None => wanted.clone(),
        };
        Outcome::Store(vec![Change {
            name,
            data: Some(data.to_vec()),
            locked: false,
        }])
    }

    /// 13 status, 32 rename, 33 delete, 35 lock, 36 unlock.
    fn command(&self, command: u8, name: &[u8]) -> Outcome {
        let mut parts = name.splitn(if command == 32 { 2 } else { 1 }, |&c| c == b',');
        let Some(wanted) = parts.next().and_then(pattern) else {
            return refuse(status::NAME);
        };
        let found: Vec<(&String, &File)> = self.matching(&wanted).collect();
        let Some(&(first, file)) = found.first() else {
            return refuse(status::NOT_FOUND);
        };
        let locked = |(_, file): &(&String, &File)| file.locked;
        match command {
            13 => refuse(status::OK),
            32 => {
                let Some(new) = parts.next().and_then(pattern).filter(|n| !is_wild(n)) else {
                    return refuse(status::NAME);
                };
                if file.locked || self.place(&new).is_ok() {
                    return refuse(status::LOCKED);
                }
                let data = Some(file.data.clone());
                Outcome::Store(vec![change(&new, data, false), change(first, None, false)])
            }
            33 if found.iter().any(locked) => refuse(status::LOCKED),
            33 => Outcome::Store(found.iter().map(|(n, _)| change(n, None, false)).collect()),
            35 | 36 => Outcome::Store(
                found
                    .iter()
                    .map(|(name, file)| change(name, Some(file.data.clone()), command == 35))
                    .collect(),
            ),
            _ => refuse(status::NOT_IMPLEMENTED),
        }
    }

    /// A directory as DOS 2 lists it.
    fn directory(&self, wanted: &str) -> Vec<u8> {
        let mut out = Vec::new();
        for (name, file) in self.matching(wanted) {
            let (first, extension) = name.split_once('.').unwrap_or((name, ""));
            let sectors = file.data.len().div_ceil(125).min(999);
            let mark = if file.locked { '*' } else { ' ' };
            let line = format!("{mark} {first:<8}{extension:<3} {sectors:03}");
            out.extend_from_slice(line.as_bytes());
            out.push(EOL);
        }
        out.extend_from_slice(b"999 FREE SECTORS");
        out.push(EOL);
        out
    }
}

fn change(name: &str, data: Option<Vec<u8>>, locked: bool) -> Change {
    Change {
        name: name.to_owned(),
        data,
        locked,
    }
}

fn is_wild(pattern: &str) -> bool {
    pattern.contains(['*', '?'])
}

/// The pattern that a program's name is, without the device, in capitals.
fn pattern(name: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(name).ok()?;
    let text = text.split_once(':').map_or(text, |(_, rest)| rest);
    let text = text.trim_end().to_ascii_uppercase();
    if text.is_empty() {
        return Some("*.*".to_owned());
    }
    is_atari_name(&text.replace(['*', '?'], "X")).then_some(text)
}

/// Up to eight letters, digits and underscores, and perhaps a point and up to three more.
fn is_atari_name(name: &str) -> bool {
    let (first, extension) = name.split_once('.').unwrap_or((name, ""));
    let plain = |part: &str| {
        part.bytes()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_')
    };
    (1..=8).contains(&first.len()) && extension.len() <= 3 && plain(first) && plain(extension)
}

/// Whether a name fits a pattern with `*` (the rest of a part) and `?` (any character or none).
fn fits(pattern: &str, name: &str) -> bool {
    let (first, extension) = pattern.split_once('.').unwrap_or((pattern, ""));
    let (name, ending) = name.split_once('.').unwrap_or((name, ""));
    part_fits(first, name) && part_fits(extension, ending)
}

fn part_fits(pattern: &str, part: &str) -> bool {
    let mut wanted = pattern.bytes();
    let mut found = part.bytes();
    loop {
        match (wanted.next(), found.next()) {
            (Some(b'*'), _) | (None, None) => return true,
            (Some(b'?'), _) => {}
            (Some(a), Some(b)) if a == b => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn do_it(folder: &mut Folder, request: &HostRequest) -> u8 {
        match folder.answer(request) {
            Outcome::Reply(reply) => reply.status,
            Outcome::Store(changes) => {
                for change in changes {
                    folder.change(change);
                }
                status::OK
            }
        }
    }

    fn write(name: &str, data: &[u8]) -> HostRequest {
        HostRequest::Write {
            name: name.as_bytes().to_vec(),
            data: data.to_vec(),
        }
    }

    fn command(command: u8, name: &str) -> HostRequest {
        HostRequest::Command {
            command,
            name: name.as_bytes().to_vec(),
        }
    }

    fn read(folder: &Folder, name: &str, mode: u8) -> (u8, Vec<u8>) {
        let name = name.as_bytes().to_vec();
        match folder.answer(&HostRequest::Open { name, mode }) {
            Outcome::Reply(reply) => (reply.status, reply.data),
            Outcome::Store(_) => panic!("opening stores nothing"),
        }
    }

    #[test]
    fn files_are_written_read_renamed_locked_and_deleted() {
        let mut folder = Folder::default();
        assert_eq!(read(&folder, "H:A.BAS", 4).0, status::NOT_FOUND);
        assert_eq!(read(&folder, "H:A.BAS", 8).0, status::OK);
        assert_eq!(do_it(&mut folder, &write("H:A.BAS", b"one")), status::OK);
        assert_eq!(read(&folder, "H1:a.bas", 4), (status::OK, b"one".to_vec()));
        assert_eq!(
            do_it(&mut folder, &command(32, "H:A.BAS,B.BAS")),
            status::OK
        );
        assert_eq!(read(&folder, "H:B.*", 4), (status::OK, b"one".to_vec()));
        assert_eq!(do_it(&mut folder, &command(35, "H:B.BAS")), status::OK);
        assert_eq!(
            do_it(&mut folder, &write("H:B.BAS", b"two")),
            status::LOCKED
        );
        assert_eq!(do_it(&mut folder, &command(33, "H:*.*")), status::LOCKED);
        let list = read(&folder, "H:", 6).1;
        assert_eq!(list, b"* B       BAS 001\x9B999 FREE SECTORS\x9B");
        assert_eq!(do_it(&mut folder, &command(36, "H:B.BAS")), status::OK);
        assert_eq!(do_it(&mut folder, &command(33, "H:*.*")), status::OK);
        assert_eq!(read(&folder, "H:B.BAS", 4).0, status::NOT_FOUND);
    }

    #[test]
    fn bad_names_are_refused() {
        let mut folder = Folder::default();
        for name in ["H:../X", "H:TOOLONGNAME", "H:A.LONG", "H:\u{e9}"] {
            assert_eq!(
                do_it(&mut folder, &write(name, b"x")),
                status::NAME,
                "{name}"
            );
        }
        assert_eq!(do_it(&mut folder, &write("H:*.X", b"x")), status::NAME);
    }
}
