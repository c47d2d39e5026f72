//! Rules of names, modes and commands, in a folder that lives in the test.
use super::*;
use std::collections::BTreeMap;

/// Files by path; folders end with a slash.
#[derive(Default)]
struct Tree {
    files: BTreeMap<String, Vec<u8>>,
    locked: Vec<String>,
    read_only: bool,
}

impl Tree {
    fn of(files: &[(&str, &[u8])]) -> Self {
        let files = files
            .iter()
            .map(|(name, data)| ((*name).to_owned(), data.to_vec()));
        Self {
            files: files.collect(),
            ..Self::default()
        }
    }

    fn ask(&mut self, request: &HostRequest) -> (u8, Vec<u8>) {
        let Some(device) = Device::from(request) else {
            return (status::NO_DEVICE, Vec::new());
        };
        match answer(self, request, device.text) {
            Outcome::Reply(reply) => (reply.status, reply.data),
            Outcome::Change(changes) => {
                for change in changes {
                    self.change(change);
                }
                (status::OK, Vec::new())
            }
        }
    }

    fn change(&mut self, change: Change) {
        match change {
            Change::Write { path, data } => drop(self.files.insert(path.join("/"), data)),
            Change::Rename { path, name } => {
                let data = self.files.remove(&path.join("/")).unwrap();
                let new = [&path[..path.len() - 1], &[name]].concat();
                self.files.insert(new.join("/"), data);
            }
            Change::Remove { path } => drop(self.files.remove(&path.join("/")).unwrap()),
            Change::Lock { path, locked } => {
                self.locked.retain(|known| *known != path.join("/"));
                self.locked.extend(locked.then(|| path.join("/")));
            }
            Change::MakeFolder { path } => {
                drop(self.files.insert(path.join("/") + "/", Vec::new()));
            }
            Change::RemoveFolder { path } => {
                drop(self.files.remove(&(path.join("/") + "/")).unwrap());
            }
        }
    }

    fn open(&mut self, name: &str, mode: u8) -> (u8, Vec<u8>) {
        let name = name.into();
        self.ask(&HostRequest::Open { name, mode })
    }

    fn get(&mut self, name: &str) -> Vec<u8> {
        let (status, data) = self.open(name, 4);
        assert_eq!(status, status::OK, "{name}");
        data
    }

    fn write(&mut self, name: &str, data: &[u8]) -> u8 {
        let (name, data) = (name.into(), data.to_vec());
        self.ask(&HostRequest::Write { name, data }).0
    }

    fn run(&mut self, command: u8, name: &str) -> u8 {
        let name = name.into();
        self.ask(&HostRequest::Command { command, name }).0
    }

    fn names(&self) -> Vec<&str> {
        self.files.keys().map(String::as_str).collect()
    }
}

impl Storage for Tree {
    fn list(&self, path: &Path) -> Vec<Item> {
        let start = path
            .iter()
            .fold(String::new(), |start, name| start + name + "/");
        let item = |(name, data): (&String, &Vec<u8>)| {
            let rest = name.strip_prefix(&start).filter(|rest| !rest.is_empty())?;
            let (name, folder) = match rest.split_once('/') {
                Some((name, "")) => (name, true),
                Some(_) => return None,
                None => (rest, false),
            };
            Some(Item {
                name: name.to_owned(),
                length: data.len() as u64,
                locked: self.locked.contains(&(start.clone() + rest)),
                folder,
            })
        };
        self.files.iter().filter_map(item).collect()
    }

    fn read(&self, path: &Path) -> Option<Vec<u8>> {
        self.files.get(&path.join("/")).cloned()
    }

    fn is_writable(&self) -> bool {
        !self.read_only
    }

    fn has_folders(&self) -> bool {
        true
    }
}

#[test]
fn a_name_ends_at_the_first_character_that_cannot_be_in_one() {
    for name in [
        "H:GAME.BAS",
        "D:GAME.BAS",
        "H1:game.bas",
        "D1:Game.Bas",
        "H:GAME.BAS\0JUNK",
        "H:GAME.BAS ,X",
        "H:GAME.BAS\u{9b}",
        "H:GAME.BAS.BAK",
        "H:GAME.BASIC",
        "H:GAME.BAS\"",
        "H:>GAME.BAS",
        "H:.>GAME.BAS",
    ] {
        let mut tree = Tree::default();
        assert_eq!(tree.open(name, 8).0, status::OK, "{name:?}");
        assert_eq!(tree.write(name, b"x"), status::OK, "{name:?}");
        assert_eq!(tree.names(), ["GAME.BAS"], "{name:?}");
        assert_eq!(tree.get(name), b"x", "{name:?}");
    }
    let mut tree = Tree::default();
    assert_eq!(tree.write("H:LONGFILENAME.TEXT", b""), status::OK);
    assert_eq!(tree.write("H:12345678", b""), status::OK);
    assert_eq!(tree.names(), ["12345678", "LONGFILE.TEX"]);
    for name in [
        "H:", "H:.TXT", "H:\0", "H: X", "H:*.Q", "H:A?.B", "H:\u{e9}",
    ] {
        assert_eq!(tree.write(name, b""), status::NAME, "{name:?}");
    }
    assert_eq!(tree.names().len(), 2);
}

#[test]
fn bytes_stay_and_text_is_converted_in_every_mode() {
    let all: Vec<u8> = (0..=255).collect();
    for unit in ["H", "H1", "D", "D1"] {
        let mut tree = Tree::default();
        assert_eq!(tree.write(&format!("{unit}:ALL"), &all), status::OK);
        for mode in [4, 9, 12] {
            let found = tree.open(&format!("{unit}:ALL"), mode);
            assert_eq!(found, (status::OK, all.clone()), "{unit} {mode}");
        }
    }
    for mode in [4, 9, 12] {
        let mut tree = Tree::of(&[("T", b"A\tB\nC\r\nD\rE")]);
        assert_eq!(tree.open("H6:T", mode).1, b"A\x7FB\x9BC\x9BD\x9BE");
        assert_eq!(tree.write("H6:T", b"X\x7F\x9B\xC1"), status::OK);
        assert_eq!(tree.files["T"], b"X\t\n\xC1");
    }
    for name in ["H5:T", "D6:T", "D9:T"] {
        assert_eq!(Tree::default().open(name, 4).0, status::NO_DEVICE, "{name}");
    }
}

#[test]
fn wildcards_mean_the_first_file_and_commands_all() {
    let mut tree = Tree::of(&[("B.BAS", b"b"), ("A.BAS", b"a"), ("AB.TXT", b"t")]);
    assert_eq!(tree.get("H:*.BAS"), b"a");
    assert_eq!(tree.get("H:?.?AS"), b"a");
    assert_eq!(tree.get("H:A?*.*"), b"a", "? is a character or none");
    assert_eq!(tree.run(32, "H:*.BAS,*.OLD"), status::OK);
    assert_eq!(tree.names(), ["A.OLD", "AB.TXT", "B.OLD"]);
    assert_eq!(tree.run(32, "H:A.OLD,D:B.OLD"), status::EXISTS);
    assert_eq!(tree.run(32, "H:?.OLD,SAME"), status::EXISTS);
    assert_eq!(tree.run(35, "H:B.OLD"), status::OK);
    assert_eq!(tree.run(33, "H:*.OLD"), status::LOCKED);
    assert_eq!(tree.names().len(), 3, "nothing was deleted");
    assert_eq!(tree.run(32, "H:B.OLD,C"), status::LOCKED);
    assert_eq!(
        (tree.open("H:B.OLD", 12).0, tree.write("H:B.OLD", b"")),
        (167, 167)
    );
    assert_eq!(tree.run(36, "H:*.*"), status::OK);
    assert_eq!(tree.run(33, "H:*.OLD"), status::OK);
    assert_eq!(tree.run(33, "H:*.OLD"), status::NOT_FOUND);
    assert_eq!(tree.run(13, "H:AB.TXT"), status::OK);
    assert_eq!(tree.run(13, "H:NO.TXT"), status::NOT_FOUND);
    assert_eq!(tree.run(254, "H:"), status::NOT_IMPLEMENTED);
    assert_eq!(tree.names(), ["AB.TXT"]);
}

#[test]
fn folders_are_gone_through_and_never_left() {
    let mut tree = Tree::of(&[("SUB/", b""), ("SUB/IN.TXT", b"in"), ("OUT.TXT", b"out")]);
    for name in [
        "H:SUB>IN.TXT",
        "H:sub\\in.txt",
        "H:/SUB/IN.TXT",
        "H:SUB>..>SUB>IN.TXT",
    ] {
        assert_eq!(tree.get(name), b"in", "{name}");
    }
    for name in ["H:SUB>..>OUT.TXT", "H:SUB><OUT.TXT", "H:SUB>.>..>OUT.TXT"] {
        assert_eq!(tree.get(name), b"out", "{name}");
    }
    for name in [
        "H:..>OUT.TXT",
        "H:<OUT.TXT",
        "H:SUB>..>..>OUT.TXT",
        "H:NO>OUT.TXT",
        "H:OUT.TXT>X",
    ] {
        assert_eq!(tree.open(name, 4).0, status::PATH, "{name}");
        assert_eq!(tree.write(name, b""), status::PATH, "{name}");
    }
    assert_eq!(tree.write("H:S*>X", b""), status::NAME);
    let list = tree.open("H:", 6).1;
    assert_eq!(
        list,
        b"  OUT     TXT 001\x9B :SUB         001\x9B999 FREE SECTORS\x9B"
    );
    assert_eq!(
        tree.open("H:SUB>", 6).1,
        b"  IN      TXT 001\x9B999 FREE SECTORS\x9B"
    );
    assert_eq!(tree.run(42, "H:SUB>NEW"), status::OK);
    assert_eq!(tree.run(42, "H:SUB>NEW"), status::EXISTS);
    assert_eq!(tree.run(43, "H:SUB"), status::LOCKED, "not empty");
    assert_eq!(tree.run(43, "H:SUB>NEW"), status::OK);
    assert_eq!(tree.names(), ["OUT.TXT", "SUB/", "SUB/IN.TXT"]);
    assert_eq!((tree.open("H:SUB", 8).0, tree.run(33, "H:SUB")), (167, 170));
}

#[test]
fn an_alias_depends_on_its_own_file_only() {
    let long = "My long game (1983).bas";
    let mut tree = Tree::of(&[(long, b"one")]);
    let name = format!("H:{}", alias(long));
    assert_eq!(tree.get(&name), b"one");
    for n in 0..300 {
        tree.files
            .insert(format!("My long game ({n}).bas"), vec![0]);
    }
    assert_eq!(tree.get(&name), b"one");
    let listed = tree.open("H:", 6).1;
    let names: std::collections::BTreeSet<_> = listed.split(|&c| c == EOL).collect();
    assert_eq!(names.len(), 301 + 2, "each has a name of its own");
    assert_eq!(tree.write(&name, b"two"), status::OK);
    assert_eq!(tree.files[long], b"two");
    // A file that others hide by their case keeps its alias.
    let mut tree = Tree::of(&[("game.bas", b"small")]);
    let small = format!("H:{}", alias("game.bas"));
    assert_eq!(
        (tree.get("H:GAME.BAS"), tree.get(&small)),
        (b"small".to_vec(), b"small".to_vec())
    );
    tree.files.insert("GAME.BAS".into(), b"large".to_vec());
    assert_eq!(
        (tree.get("H:GAME.BAS"), tree.get(&small)),
        (b"large".to_vec(), b"small".to_vec())
    );
    assert_eq!(tree.open("H:", 6).1.len(), 2 * 18 + 17, "both are listed");
    assert_eq!(Tree::of(&[(".hidden", b"")]).open("H:", 6).1.len(), 17);
}

#[test]
fn a_folder_that_may_only_be_read_stays_as_it_is() {
    let mut tree = Tree::of(&[("A", b"a")]);
    tree.read_only = true;
    assert_eq!(tree.get("H:A"), b"a");
    assert_eq!(
        (
            tree.open("H:A", 8).0,
            tree.open("H:B", 9).0,
            tree.write("H:B", b"")
        ),
        (167, 167, 167)
    );
    for command in [32, 33, 35, 36, 42, 43] {
        assert_eq!(tree.run(command, "H:A,B"), status::LOCKED);
    }
    assert_eq!(tree.names(), ["A"]);
}

#[test]
fn a_file_that_holds_the_bytes_already_is_not_written() {
    let tree = Tree::of(&[("A", b"a")]);
    let request = HostRequest::Write {
        name: b"H:A".to_vec(),
        data: b"a".to_vec(),
    };
    assert_eq!(answer(&tree, &request, false), refuse(status::OK));
}
