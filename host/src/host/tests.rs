//! Faults of the host's disk at each operation in turn, with real files: nothing that a program wrote is lost.
use super::*;
use crate::files::faults::{self, Fault, Killed};
use media::atr::Blank;
use session::timeline::{Limits, Moment};
use session::{Program, Setup};
use std::panic::AssertUnwindSafe;

/// The drive that the program in the machine writes to: D2:.
const DRIVE: usize = 1;

/// Writes the sectors 1, 2, 3 ... of D2: for ever, each full of its number, which is at $0600.
fn writer() -> Vec<u8> {
    let mut code = vec![0xA9, 0x00, 0x8D, 0x00, 0x06]; // LDA #0, STA $0600
    code.extend([0xEE, 0x00, 0x06, 0xAD, 0x00, 0x06]); // INC $0600, LDA $0600
    code.extend([0xA2, 0x00, 0x9D, 0x00, 0x30, 0xE8, 0x10, 0xFA]); // LDX #0, STA $3000,X, INX, BPL
    let block = [
        (0, 0x31),
        (1, DRIVE as u8 + 1),
        (2, b'W'),
        (3, 0x80),
        (4, 0x00),
        (5, 0x30),
        (6, 0x07),
        (8, 0x80),
        (9, 0x00),
        (11, 0x00),
    ];
    for (offset, value) in block {
        code.extend([0xA9, value, 0x8D, offset, 0x03]); // LDA #value, STA $0300 + offset
    }
    code.extend([0xAD, 0x00, 0x06, 0x8D, 0x0A, 0x03]); // LDA $0600, STA $030A
    code.extend([0x20, 0x59, 0xE4, 0x4C, 0x05, 0x20]); // JSR SIOV, JMP $2005
    let end = 0x2000 + code.len() as u16 - 1;
    let mut file = vec![0xFF, 0xFF, 0x00, 0x20];
    file.extend(end.to_le_bytes());
    file.extend(code);
    file.extend([0xE0, 0x02, 0xE1, 0x02, 0x00, 0x20]);
    file
}

fn blank(marker: u8) -> Disk {
    let mut disk = Disk::blank(Blank::Single);
    disk.write_sector(700, &[marker]);
    Disk::parse(&disk.to_bytes()).unwrap()
}

/// The numbers that the program has written to a disk.
fn numbers(disk: &Disk) -> BTreeSet<u8> {
    let written = |number: &u8| {
        let sector = disk.sector(usize::from(*number));
        sector.is_some_and(|sector| sector[..] == [*number; 128][..])
    };
    (1..=u8::MAX).filter(written).collect()
}

/// A machine in which that program begins, with a blank disk in D2:.
fn began() -> Vec<u8> {
    let mut setup = Setup::for_file("w.xex", &writer()).unwrap();
    setup.fast_drives = true;
    let mut session = Session::new(setup).unwrap();
    while !session.machine().program_started() {
        session.run_frame();
    }
    session.insert_copy(DRIVE, blank(1), "a.atr".to_owned(), None);
    session.save_state()
}

/// An evening with a disk: a session with its host, in a folder of its own.
struct Evening {
    folder: PathBuf,
    session: Session,
    host: Host,
    /// Numbers that the program has written, and no other program has replaced.
    written: BTreeSet<u8>,
    past: Moment,
}

impl Evening {
    fn new(folder: &Path, state: &[u8]) -> Self {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).unwrap();
        for (name, marker) in [("a.atr", 1), ("b.atr", 2)] {
            fs::write(folder.join(name), blank(marker).to_bytes()).unwrap();
        }
        let options = MachineOptions {
            disk: vec![folder.join("a.atr")],
            fast_media: true,
            ..MachineOptions::default()
        };
        let mut host = Host::new(&options).unwrap();
        host.recovery = Recovery::new(folder.join("recovered"));
        let found = Found::built_in(Program {
            kind: Kind::State(state.to_vec()),
            ..Program::default()
        });
        let setup = host.setup(&options, &found).unwrap();
        let mut session = Session::new(setup).unwrap();
        session.remember(Limits::default());
        Self {
            folder: folder.to_owned(),
            session,
            host,
            written: BTreeSet::new(),
            past: Moment::default(),
        }
    }

    /// Runs until the program has written `sectors` sectors more.
    fn run(&mut self, sectors: usize) {
        let mut more = 0;
        for _ in 0..200 {
            self.host.serve(&mut self.session);
            self.session.run_frame();
            let Some(disk) = self.session.machine().disk(DRIVE) else {
                return;
            };
            for number in numbers(disk) {
                more += usize::from(self.written.insert(number));
            }
            if more >= sectors {
                return;
            }
        }
        panic!("the program writes nothing");
    }

    fn mark(&mut self) {
        self.past = self.session.moment();
    }

    fn back(&mut self) {
        assert!(self.session.go_to(self.past));
    }

    fn save(&mut self) {
        self.host.save(&mut self.session);
    }

    fn another_program_writes(&mut self) {
        let path = self.folder.join("a.atr");
        let Ok(bytes) = fs::read(&path) else { return };
        let replaced = numbers(&Disk::parse(&bytes).unwrap());
        fs::write(&path, blank(3).to_bytes()).unwrap();
        // What another program replaces, it has to answer for.
        let stored = self.stored();
        self.written
            .retain(|number| !replaced.contains(number) || stored.contains(number));
    }

    /// Every number in a file.
    fn stored(&self) -> BTreeSet<u8> {
        let mut all = BTreeSet::new();
        for folder in [&self.folder, self.host.recovery.folder()] {
            for item in fs::read_dir(folder).into_iter().flatten().flatten() {
                let bytes = fs::read(item.path()).unwrap_or_default();
                all.extend(Disk::parse(&bytes).map_or_else(|_| BTreeSet::new(), |d| numbers(&d)));
            }
        }
        all
    }

    fn steps() -> Vec<fn(&mut Self)> {
        vec![
            |e| e.run(2),
            Self::save,
            |e| e.run(1),
            Self::mark,
            |e| e.run(2),
            Self::save,
            |e| e.run(1),
            // The past is looked at, and the machine runs on from it.
            Self::back,
            Self::save,
            |e| e.run(1),
            Self::save,
            Self::another_program_writes,
            |e| e.run(1),
            Self::save,
            Self::save,
            Self::mark,
            |e| e.run(1),
            Self::save,
            // Alt+W while the past is looked at.
            Self::back,
            |e| drop(e.host.store_copy(&mut e.session, &e.folder.clone())),
            |e| e.run(1),
            Self::save,
            |e| drop(e.host.store_copy(&mut e.session, &e.folder.clone())),
            |e| e.run(1),
            |e| assert!(e.host.eject_disk(&mut e.session, DRIVE)),
            |e| {
                let path = e.folder.join("b.atr");
                drop(e.host.insert_disk(&mut e.session, DRIVE, &path));
            },
            |e| e.run(1),
            Self::save,
            |e| {
                let menu = Found::built_in(Program::default());
                let options = MachineOptions::default();
                e.host.start(&mut e.session, &options, &menu).unwrap();
            },
        ]
    }
}

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("anticlock-{name}-{}", std::process::id()))
}

/// Runs an evening for each operation on a file that it has, with a fault at that one.
fn at_each_operation(name: &str, mut evening: impl FnMut(&Path, usize) -> bool) {
    let folder = folder(name);
    let mut operation = 0;
    while evening(&folder, operation) {
        operation += 1;
    }
    faults::plan(None);
    let _ = fs::remove_dir_all(&folder);
    assert!(operation > 40, "only {operation} operations");
}

#[test]
fn a_disk_that_is_full_at_any_operation_costs_nothing_that_was_written() {
    let state = began();
    for fault in [Fault::Once, Fault::Full] {
        at_each_operation(&format!("full-{fault:?}"), |folder, operation| {
            let mut evening = Evening::new(folder, &state);
            faults::plan(Some((operation, fault)));
            for step in Evening::steps() {
                step(&mut evening);
            }
            let happened = faults::happened();
            faults::plan(None);
            evening.host.finish(&mut evening.session).unwrap();
            let stored = evening.stored();
            let lost: Vec<_> = evening.written.difference(&stored).collect();
            assert!(lost.is_empty(), "{fault:?} at {operation}: {lost:?}");
            happened
        });
    }
}

#[test]
fn a_disk_that_stays_full_is_said_to_have_lost_what_is_in_no_file() {
    let state = began();
    at_each_operation("stays-full", |folder, operation| {
        let mut evening = Evening::new(folder, &state);
        faults::plan(Some((operation, Fault::Full)));
        for step in Evening::steps() {
            step(&mut evening);
        }
        let finished = evening.host.finish(&mut evening.session);
        let stored = evening.stored();
        let lost = evening.written.difference(&stored).count();
        assert!(lost == 0 || finished.is_err(), "{lost} at {operation}");
        faults::happened()
    });
}

#[test]
fn a_process_killed_at_any_operation_has_every_file_that_it_had() {
    std::panic::set_hook(Box::new(|info| {
        if !info.payload().is::<Killed>() {
            eprintln!("{info}");
        }
    }));
    let state = began();
    at_each_operation("killed", |folder, operation| {
        let mut evening = Evening::new(folder, &state);
        faults::plan(Some((operation, Fault::Kill)));
        let mut stored = BTreeSet::new();
        for step in Evening::steps() {
            let ran = std::panic::catch_unwind(AssertUnwindSafe(|| step(&mut evening)));
            if let Err(payload) = ran {
                assert!(payload.is::<Killed>(), "{operation}");
                let lost: Vec<_> = stored.difference(&evening.stored()).copied().collect();
                assert!(lost.is_empty(), "{operation}: {lost:?}");
                return true;
            }
            stored = evening.stored();
            stored.retain(|number| evening.written.contains(number));
        }
        false
    });
}

#[test]
fn a_file_that_was_deleted_is_made_again_by_an_equal_foreign_moment_and_by_no_other() {
    let state = began();
    let folder = folder("deleted-foreign");
    let another = {
        let mut other = Evening::new(&folder, &state);
        other.run(2);
        other.session.save_state()
    };
    for (foreign, is_made) in [(&state, true), (&another, false)] {
        let mut evening = Evening::new(&folder, &state);
        evening.save();
        let file = folder.join("a.atr");
        fs::remove_file(&file).unwrap();
        evening.session.load_state(foreign).unwrap();
        evening.save();
        assert!(!file.exists(), "nothing was written yet");
        evening.run(6);
        evening.save();
        assert_eq!(file.exists(), is_made);
        let written = numbers(evening.session.machine().disk(DRIVE).unwrap());
        assert!(!written.is_empty());
        assert!(written.is_subset(&evening.stored()), "{written:?}");
        evening.host.finish(&mut evening.session).unwrap();
    }
    let _ = fs::remove_dir_all(&folder);
}
