//! The files of H:, as the page keeps them in the browser's storage (the rules are in `session::folder`).
//!
//! The page hands over all files when it starts. Reading is answered from this copy at once; a change is first given to the page, and the
//! program hears of success only after the page has stored it.
use machine::host::{HostReply, HostRequest, status};
use session::folder::{self, Device, Item, Storage};
use wasm_bindgen::prelude::wasm_bindgen;

/// The most files of the folder.
const MOST: usize = 500;
/// The longest name of a file, in bytes.
const LONGEST_NAME: usize = 255;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct File {
    data: Vec<u8>,
    locked: bool,
}

/// A change of a file; without data it is removed.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file.
    #[wasm_bindgen(readonly)]
    pub name: String,
    /// Its new contents.
    #[wasm_bindgen(readonly)]
    pub data: Option<Vec<u8>>,
    /// Programs may not change it.
    #[wasm_bindgen(readonly)]
    pub locked: bool,
}

/// Result of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The answer.
    Reply(HostReply),
    /// The page has to store this first.
    Store(Vec<Change>),
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

    /// The index of a name in the list, or the one at which it belongs.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0
            .binary_search_by(|(known, _)| known.as_str().cmp(name))
    }

    fn file(&self, name: &str) -> Option<&File> {
        self.place(name).ok().map(|at| &self.0[at].1)
    }

    /// A name as the folder keeps it, from a name of the host: an Atari name in capitals, any other as it is. `None` for what can be no
    /// name of a file.
    pub fn name_for(text: &str) -> Option<String> {
        let upper = text.to_ascii_uppercase();
        if folder::is_atari_name(&upper) {
            return Some(upper);
        }
        let fits = !text.is_empty()
            && text.len() <= LONGEST_NAME
            && !text.starts_with('.')
            && !text.contains(|c: char| matches!(c, '/' | '\\') || c.is_control());
        fits.then(|| text.to_owned())
    }

    /// Result of a request of the machine.
    pub fn answer(&self, request: &HostRequest) -> Outcome {
        let refuse = |status| Outcome::Reply(HostReply::status(status));
        // The page has one folder.
        let Some(device) = Device::from(request).filter(|device| device.folder == 0) else {
            return refuse(status::NO_DEVICE);
        };
        let changes = match folder::answer(self, request, device.text) {
            folder::Outcome::Reply(reply) => return Outcome::Reply(reply),
            folder::Outcome::Change(changes) => changes,
        };
        let stored: Option<Vec<_>> = changes.iter().map(|change| self.stored(change)).collect();
        let Some(stored) = stored.map(|stored| stored.concat()) else {
            return refuse(folder::failed(&changes));
        };
        let new = |change: &&Change| change.data.is_some() && self.file(&change.name).is_none();
        let gone = |change: &&Change| change.data.is_none();
        let count = self.0.len() + stored.iter().filter(new).count();
        if count - stored.iter().filter(gone).count() > MOST {
            return refuse(status::DISK_FULL);
        }
        Outcome::Store(stored)
    }

    /// A change as the page stores it; `None` for folders, which the page has none of.
    fn stored(&self, change: &folder::Change) -> Option<Vec<Change>> {
        let of = |path: &folder::Path| Some((path.last()?.clone(), self.file(path.last()?)));
        let one = |name, data, locked| Change { name, data, locked };
        Some(match change {
            folder::Change::Write { path, data } => {
                vec![one(of(path)?.0, Some(data.clone()), false)]
            }
            folder::Change::Remove { path } => vec![one(of(path)?.0, None, false)],
            folder::Change::Rename { path, name } => {
                let (old, file) = of(path)?;
                vec![
                    one(name.clone(), Some(file?.data.clone()), false),
                    one(old, None, false),
                ]
            }
            folder::Change::Lock { path, locked } => {
                let (name, file) = of(path)?;
                vec![one(name, Some(file?.data.clone()), *locked)]
            }
            folder::Change::MakeFolder { .. } | folder::Change::RemoveFolder { .. } => return None,
        })
    }
}

impl Storage for Folder {
    fn list(&self, path: &folder::Path) -> Vec<Item> {
        let item = |(name, file): &(String, File)| Item {
            name: name.clone(),
            length: file.data.len() as u64,
            locked: file.locked,
            folder: false,
        };
        if path.is_empty() {
            self.0.iter().map(item).collect()
        } else {
            Vec::new()
        }
    }

    fn read(&self, path: &folder::Path) -> Option<Vec<u8>> {
        match path {
            [name] => Some(self.file(name)?.data.clone()),
            _ => None,
        }
    }

    fn is_writable(&self) -> bool {
        true
    }

    fn has_folders(&self) -> bool {
        false
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
        for (name, code) in [
            ("H:../X", status::PATH),
            ("H:A>X", status::PATH),
            ("H:.LONG", status::NAME),
            ("H:\u{e9}", status::NAME),
            ("H:*.X", status::NAME),
            ("H2:X", status::NO_DEVICE),
        ] {
            assert_eq!(do_it(&mut folder, &write(name, b"x")), code, "{name}");
        }
        let make = command(42, "H:SUB");
        assert_eq!(do_it(&mut folder, &make), status::NOT_IMPLEMENTED);
    }

    #[test]
    fn files_with_long_names_have_aliases() {
        let mut folder = Folder::default();
        let long = Folder::name_for("My long listing.lst").unwrap();
        assert_eq!(Folder::name_for("x.lst").unwrap(), "X.LST");
        assert_eq!(Folder::name_for("a/b"), None);
        folder.change(Change {
            name: long.clone(),
            data: Some(b"10\n".to_vec()),
            locked: false,
        });
        let alias = folder::alias(&long);
        let text = read(&folder, &format!("H6:{alias}"), 4);
        assert_eq!(text, (status::OK, b"10\x9B".to_vec()));
        let renamed = command(32, &format!("H:{alias},SHORT.LST"));
        assert_eq!(do_it(&mut folder, &renamed), status::OK);
        assert_eq!(read(&folder, "H:SHORT.LST", 4).1, b"10\n");
    }
}
