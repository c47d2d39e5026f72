//! Random steps of user, program and host: nothing that a program wrote is ever gone.
use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The cartridge's type: 128K of flash by Atarimax.
const FLASH: u32 = 41;
/// The bank of it that the tests write to, and its place in the ROM.
const BANK: u8 = 6;
const AT: usize = BANK as usize * 0x2000;
/// Files of the media that are there from the beginning.
const TAPE: MediumId = MediumId(2);
const CARTRIDGE: MediumId = MediumId(3);
/// The first sector that a program writes to, so that none is written twice.
const FIRST: usize = 10;

/// A step of a random test.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A program writes its next number to a place.
    Write(Place),
    /// Everything is asked to be stored.
    Flush,
    /// The host answers one of its requests, in any order.
    Answer(usize, Deed),
    /// The host answers everything at once, as a native one does.
    Serve,
    Full(bool),
    KeepState,
    LoadOwn(usize),
    LoadForeign(u8),
    Past,
    GoTo(usize),
    Newest,
    Swap,
    Insert(u8),
    /// Inserts the same file again.
    InsertAgain,
    Eject(usize),
    /// Another program writes to a file.
    HostChange(u32),
    /// `Alt+W`.
    StoreCopy,
    /// `Alt+U`.
    Recover,
    /// Another program in a fresh machine. States with a cartridge as it was before it was written to do not load there.
    Start,
    Run,
}

/// The way in which the host carries out a request.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Done,
    Failed,
    /// It is done, and yet reported as failed.
    Torn,
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        3 => (0..2usize).prop_map(Place::Drive),
        1 => Just(Place::Recorder),
        1 => Just(Place::Cartridge),
    ]
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => Just(Deed::Done),
        2 => Just(Deed::Failed),
        1 => Just(Deed::Torn),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => place().prop_map(Step::Write),
        3 => Just(Step::Flush),
        4 => ((0..8usize), deed()).prop_map(|(which, deed)| Step::Answer(which, deed)),
        2 => Just(Step::Serve),
        1 => any::<bool>().prop_map(Step::Full),
        1 => Just(Step::KeepState),
        1 => (0..4usize).prop_map(Step::LoadOwn),
        1 => (0..3u8).prop_map(Step::LoadForeign),
        2 => Just(Step::Past),
        3 => (0..6usize).prop_map(Step::GoTo),
        1 => Just(Step::Newest),
        1 => Just(Step::Swap),
        1 => (10..90u8).prop_map(Step::Insert),
        1 => Just(Step::InsertAgain),
        1 => (0..2usize).prop_map(Step::Eject),
        1 => (0..2u32).prop_map(Step::HostChange),
        2 => Just(Step::StoreCopy),
        1 => Just(Step::Recover),
        1 => Just(Step::Start),
        3 => Just(Step::Run),
    ];
    proptest::collection::vec(step, 1..60)
}

fn tape(numbers: &[u8]) -> Tape {
    let block = |&number: &u8| media::cas::Block::Data {
        gap: 100,
        baud: 600,
        bytes: vec![0x55, 0x55, 0xFC, number],
    };
    let tape = Tape {
        blocks: numbers.iter().map(block).collect(),
        ..Tape::default()
    };
    Tape::parse(&tape.to_bytes()).unwrap()
}

fn cartridge() -> media::cartridge::Cartridge {
    media::cartridge::Cartridge::from_rom_of_type(&vec![0xFF; 0x2_0000], FLASH).unwrap()
}

/// True if a program has written this number to the medium in a file.
fn has(file: &[u8], number: usize) -> bool {
    if file.starts_with(b"CART") {
        return file[16 + AT + number] == number as u8;
    }
    if file.starts_with(&[0x96, 0x02]) {
        return file[16 + (FIRST + number - 1) * 128] == number as u8;
    }
    let tape = Tape::parse(file).unwrap();
    let with = |block: &media::cas::Block| matches!(block, media::cas::Block::Data { bytes, .. } if bytes[3] == number as u8);
    tape.blocks.iter().any(with)
}

/// The state of a test: host, session, and the numbers that were written.
struct Run {
    host: Host,
    session: Session,
    /// Handed out by the session, and not answered.
    asked: Vec<Request>,
    /// Numbers that programs wrote, and no other program has overwritten in their file.
    written: BTreeSet<usize>,
    /// The last number.
    number: usize,
    next_id: u32,
    /// Markers of the disks in the files.
    markers: BTreeMap<MediumId, u8>,
    states: Vec<Vec<u8>>,
    pasts: Vec<crate::timeline::Moment>,
}

impl Run {
    fn new() -> Self {
        let mut host = Host::default();
        let disks = vec![host.mount(0, disk(1)), host.mount(1, disk(2))];
        let file = |id: MediumId, name: &str| MediumFile {
            id,
            name: name.to_owned(),
        };
        host.files.insert(TAPE, tape(&[0]).to_bytes());
        host.files.insert(CARTRIDGE, cartridge().to_car().unwrap());
        let setup = Setup {
            disks,
            tape: Some(Mount {
                file: file(TAPE, "tape.cas"),
                medium: tape(&[0]),
            }),
            cartridge: Some(cartridge()),
            cartridge_file: Some(file(CARTRIDGE, "flash.car")),
            ..Setup::default()
        };
        let mut session = Session::new(setup).unwrap();
        session.remember(Limits::default());
        Self {
            host,
            session,
            asked: Vec::new(),
            written: BTreeSet::new(),
            number: 0,
            next_id: 10,
            markers: [(MediumId(0), 1), (MediumId(1), 2)].into(),
            states: Vec::new(),
            pasts: Vec::new(),
        }
    }

    fn collect(&mut self) {
        let asked = self.session.requests();
        self.asked.extend(asked);
    }

    fn answer(&mut self, which: usize, deed: Deed) {
        self.collect();
        if self.asked.is_empty() {
            return;
        }
        let request = self.asked.remove(which % self.asked.len());
        let answer = match deed {
            Deed::Failed => Err(Refused::Failed),
            Deed::Done => self.host.answer(request.ask),
            Deed::Torn => self.host.answer(request.ask).and(Err(Refused::Failed)),
        };
        self.session.answer(request.id, answer);
    }

    fn serve(&mut self) {
        self.session.flush();
        self.collect();
        while !self.asked.is_empty() {
            self.answer(0, Deed::Done);
        }
    }

    fn write(&mut self, place: Place) {
        run(&mut self.session);
        let session = &mut self.session;
        if session.bytes_at(place).is_none() || self.number == 200 {
            return;
        }
        self.number += 1;
        let number = self.number;
        session.program_does(|machine| match place {
            Place::Drive(drive) => {
                let disk = machine.disk_mut(drive).unwrap();
                assert!(disk.write_sector(FIRST + number, &[number as u8]));
            }
            Place::Recorder => {
                let mut longer = machine.tape().unwrap().clone();
                longer.blocks.extend(tape(&[number as u8]).blocks);
                machine.insert_tape(longer);
            }
            Place::Cartridge => {
                let at = 0xA000 + number as u16;
                let unlock = [(2, 0xB555, 0xAA), (1, 0xAAAA, 0x55), (2, 0xB555, 0xA0)];
                for (bank, address, data) in unlock.into_iter().chain([(BANK, at, number as u8)]) {
                    let mut pins = machine.pins();
                    pins.write(0xD500 + u16::from(bank), 0);
                    pins.write(address, data);
                }
            }
        });
        assert!(has(&session.bytes_at(place).unwrap(), number), "{place}");
        self.written.insert(number);
    }

    fn store_copy(&mut self) {
        self.serve();
        let Some(copy) = self.session.copies().into_iter().next() else {
            return;
        };
        let bytes = self.session.bytes_at(copy.place).unwrap();
        let id = MediumId(self.next_id);
        self.next_id += 1;
        self.host.files.insert(id, bytes.clone());
        let name = format!("{}-copy", copy.name);
        self.session
            .attach(copy.id, MediumFile { id, name }, &bytes);
        if self.host.kept.get(&copy.id) == Some(&bytes) {
            self.host.kept.remove(&copy.id);
        }
    }

    /// Another session's copy, which the host has kept.
    fn recover(&mut self) {
        self.number += 1;
        let mut copy = disk(77);
        copy.write_sector(FIRST + self.number, &[self.number as u8]);
        let copy = Disk::parse(&copy.to_bytes()).unwrap();
        let bytes = copy.to_bytes();
        self.written.insert(self.number);
        let of = Some(MediumId(0));
        let id = self.session.insert_copy(0, copy, "disk0.atr".into(), of);
        self.host.kept.insert(id.unwrap(), bytes);
    }

    fn insert(&mut self, marker: u8) {
        let mount = self.host.mount(self.next_id, disk(marker));
        self.markers.insert(MediumId(self.next_id), marker);
        self.next_id += 1;
        self.session.insert_disk(0, mount);
    }

    fn insert_again(&mut self) {
        let id = MediumId(0);
        let there = (0..8).map(|drive| self.session.file_at(Place::Drive(drive)));
        if there.flatten().any(|file| file.id == id) {
            return;
        }
        let medium = Disk::parse(&self.host.files[&id]).unwrap();
        let name = "disk0.atr".to_owned();
        let file = MediumFile { id, name };
        self.session.insert_disk(0, Mount { file, medium });
    }

    fn host_changes(&mut self, id: MediumId) {
        let mut changed = disk(self.markers[&id]);
        self.number += 1;
        changed.write_sector(2, &[self.number as u8]);
        let replaced = self.host.files.insert(id, changed.to_bytes()).unwrap();
        // The test does not hold the session to account for bytes that another program replaces.
        let stored = self.stored();
        self.written.retain(|&number| {
            !has(&replaced, number) || stored.iter().any(|file| has(file, number))
        });
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Write(place) => self.write(place),
            Step::Flush => self.session.flush(),
            Step::Answer(which, deed) => self.answer(which, deed),
            Step::Serve => self.serve_once(),
            Step::Full(full) => self.host.full = full,
            Step::KeepState => self.states.push(self.session.save_state()),
            Step::LoadOwn(n) => {
                if let Some(state) = self.states.get(n) {
                    let _ = self.session.load_state(state);
                }
            }
            Step::LoadForeign(byte) => {
                let mut host = Host::default();
                let disks = vec![host.mount(0, disk(byte)), host.mount(1, disk(2))];
                let setup = Setup {
                    disks,
                    cartridge: Some(cartridge()),
                    ..Setup::default()
                };
                let state = Session::new(setup).unwrap().save_state();
                let _ = self.session.load_state(&state);
            }
            Step::Past => self.pasts.push(self.session.moment()),
            Step::GoTo(n) => {
                if let Some(past) = self.pasts.get(n) {
                    // A moment of a future that was left is not there any more.
                    let _ = self.session.go_to(*past);
                }
            }
            Step::Newest => {
                let newest = self.session.timeline().newest();
                self.session.go_to(newest);
            }
            Step::Swap => drop(self.session.next_disk()),
            Step::Insert(marker) => self.insert(marker),
            Step::InsertAgain => self.insert_again(),
            Step::Eject(drive) => drop(self.session.eject_disk(drive)),
            Step::HostChange(id) => self.host_changes(MediumId(id)),
            Step::StoreCopy => {
                if !self.host.full {
                    self.store_copy();
                }
            }
            Step::Recover => self.recover(),
            Step::Start => self.session.start(Program::default()).unwrap(),
            Step::Run => run(&mut self.session),
        }
    }

    /// Each request is answered once, whether or not the host can do it.
    fn serve_once(&mut self) {
        self.session.flush();
        self.collect();
        for _ in 0..self.asked.len() {
            self.answer(0, Deed::Done);
        }
    }

    /// The files and copies that the host has.
    fn stored(&self) -> Vec<Vec<u8>> {
        let files = self.host.files.values().chain(self.host.kept.values());
        files.chain(&self.host.undone).cloned().collect()
    }

    /// That, the running machine, and the requests that the session still answers for.
    fn somewhere(&self) -> Vec<Vec<u8>> {
        let mut all = self.stored();
        all.extend(places().filter_map(|place| self.session.bytes_at(place)));
        let mounts = self.session.mounts();
        all.extend(mounts.orphans.iter().map(|orphan| orphan.bytes.clone()));
        all.extend(
            mounts
                .waiting
                .iter()
                .filter_map(|(_, waiting)| match waiting {
                    Waiting::File(_, sent) | Waiting::Copy(_, sent) => Some(sent.bytes.clone()),
                    Waiting::Gone(orphan) => Some(orphan.bytes.clone()),
                    Waiting::Folder | Waiting::OpenFile(_) | Waiting::Print(_) => None,
                }),
        );
        all
    }

    fn check(&self, all: &[Vec<u8>], when: &str) -> Result<(), TestCaseError> {
        for &number in &self.written {
            let found = all.iter().any(|file| has(file, number));
            prop_assert!(found, "number {} is gone {}", number, when);
        }
        for (id, marker) in &self.markers {
            prop_assert_eq!(
                sector(&self.host.files[id]),
                *marker,
                "another disk in {:?} {}",
                id,
                when
            );
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Every sector that a program wrote is at any time in a file, a kept copy, a request, or the running machine, and at the end in a file
    /// or a kept copy. No file ever holds another disk.
    #[test]
    fn nothing_that_a_program_wrote_is_gone(steps in steps()) {
        let mut run = Run::new();
        for step in steps {
            let when = format!("after {step:?}");
            run.step(step);
            run.check(&run.somewhere(), &when)?;
        }
        run.host.full = false;
        // A refused store makes a copy, which is kept with the second.
        for _ in 0..4 {
            run.serve();
        }
        prop_assert_eq!(run.session.unsaved(), Vec::<String>::new());
        run.check(&run.stored(), "at the end")?;
    }
}

/// The state's own moment is the one that was left: going there is going to the state, whose disks are no files of this session.
#[test]
fn a_copy_stored_while_a_foreign_state_is_looked_at_gives_no_file_to_its_disks() {
    let mut run = Run::new();
    for step in [
        Step::Swap,
        Step::Write(Place::Drive(0)),
        Step::HostChange(1),
        Step::LoadForeign(0),
        Step::StoreCopy,
        Step::Newest,
        Step::Write(Place::Drive(0)),
    ] {
        run.step(step);
    }
    for _ in 0..4 {
        run.serve();
    }
    run.check(&run.stored(), "at the end").unwrap();
}
