//! H: and D: as a DOS has them: calls of CIO compared with a plain model, and the file menu.
use machine::host::status;
use machine::{Machine, Model, Tv};
use media::atr::Blank;
use session::folder::text;
use std::collections::BTreeMap;
use tests::Atari;
use tests::calls::{Os, Registers, idle_disk};
use tests::folder::Folder;
use tests::random::Random;

/// The addresses of names and blocks of bytes.
const NAME: u16 = 0x0600;
const BLOCK: u16 = 0x4000;

/// CIO commands.
const OPEN: u8 = 3;
const GET: u8 = 7;
const PUT: u8 = 11;
const CLOSE: u8 = 12;
const RENAME: u8 = 32;
const DELETE: u8 = 33;
const LOCK: u8 = 35;
const UNLOCK: u8 = 36;
const POINT: u8 = 37;
const NOTE: u8 = 38;

/// A machine that stands still after its boot, with the device and its folder.
struct Desk {
    os: Os,
    folder: Folder,
}

impl Desk {
    fn new(model: Model) -> Self {
        let mut machine = Machine::new(&tests::config(model, Tv::Ntsc, false)).unwrap();
        machine.insert_disk(0, idle_disk());
        machine.attach_host(true);
        for _ in 0..600 {
            machine.run_frame();
            if (0x0720..=0x0723).contains(&machine.cpu.pc) {
                break;
            }
        }
        assert!((0x0720..=0x0723).contains(&machine.cpu.pc), "booted");
        Self {
            os: Os {
                machine,
                by_frames: false,
            },
            folder: Folder::default(),
        }
    }

    /// A call of CIO; the folder answers while it waits.
    fn cio(&mut self, iocb: u8, command: u8, buffer: u16, length: usize, mode: u8) -> u8 {
        let base = 0x0340 + u16::from(iocb) * 16;
        self.os.poke(base + 2, &[command]);
        self.os.poke(base + 4, &buffer.to_le_bytes());
        self.os.poke(base + 8, &(length as u16).to_le_bytes());
        if matches!(command, OPEN | RENAME..) && !matches!(command, POINT | NOTE) {
            self.os.poke(base + 10, &[mode, 0]);
        }
        let registers = Registers {
            x: iocb * 16,
            ..Registers::default()
        };
        let folder = &mut self.folder;
        let after = self
            .os
            .try_call_with(0xE456, registers, 600, |machine| folder.serve(machine));
        after.expect("CIO returns").y
    }

    fn named(&mut self, iocb: u8, command: u8, name: &str, mode: u8) -> u8 {
        self.os.poke(NAME, name.as_bytes());
        self.os.poke(NAME + name.len() as u16, &[0x9B]);
        self.cio(iocb, command, NAME, 0, mode)
    }

    fn put(&mut self, iocb: u8, bytes: &[u8]) -> u8 {
        self.os.poke(BLOCK, bytes);
        self.cio(iocb, PUT, BLOCK, bytes.len(), 0)
    }

    fn get(&mut self, iocb: u8, length: usize) -> (u8, Vec<u8>) {
        let status = self.cio(iocb, GET, BLOCK, length, 0);
        let count = self.os.word(0x0348 + u16::from(iocb) * 16);
        let bytes = (0..count).map(|i| self.os.peek(BLOCK + i));
        (status, bytes.collect())
    }

    fn note(&mut self, iocb: u8) -> (u8, usize) {
        let status = self.cio(iocb, NOTE, NAME, 0, 0);
        let at = 0x034C + u16::from(iocb) * 16;
        let byte = |offset: u16| usize::from(self.os.peek(at + offset));
        (status, byte(2) | byte(0) << 8 | byte(1) << 16)
    }

    fn point(&mut self, iocb: u8, position: usize) -> u8 {
        let at = 0x034C + u16::from(iocb) * 16;
        let byte = |n: usize| (position >> (8 * n)) as u8;
        self.os.poke(at, &[byte(1), byte(2), byte(0)]);
        self.cio(iocb, POINT, NAME, 0, 0)
    }
}

/// A file that is open in the model.
struct File {
    name: usize,
    text: bool,
    mode: u8,
    data: Vec<u8>,
    position: usize,
}

/// The expected contents of the folder and the channels.
#[derive(Default)]
struct Plain {
    files: BTreeMap<usize, Vec<u8>>,
    locked: Vec<usize>,
    channels: [Option<File>; 3],
}

/// Names as programs spell them; each row is one file.
const NAMES: [[&str; 3]; 3] = [
    ["A", "a", "A\0X"],
    ["LONGNAME.TXT", "LONGNAMES.TXTX", "longname.txt,"],
    ["B.1", "B.1 ", "b.1"],
];
const UNITS: [(&str, bool); 6] = [
    ("H:", false),
    ("H1:", false),
    ("D:", false),
    ("D1:", false),
    ("H6:", true),
    ("H:>", false),
];

impl Plain {
    fn exists(&self, name: usize) -> u8 {
        if self.files.contains_key(&name) {
            status::OK
        } else {
            status::NOT_FOUND
        }
    }

    fn unlocked(&self, name: usize) -> u8 {
        match self.exists(name) {
            status::OK if self.locked.contains(&name) => status::LOCKED,
            other => other,
        }
    }

    fn open(&mut self, channel: usize, name: usize, text: bool, mode: u8) -> u8 {
        if self.channels[channel].is_some() {
            return 129;
        }
        let found = match (mode, self.unlocked(name)) {
            (4, status::LOCKED) | (8 | 9, status::NOT_FOUND) => status::OK,
            (_, found) => found,
        };
        if found != status::OK {
            return found;
        }
        let mut data = self.files.get(&name).cloned().unwrap_or_default();
        if mode == 8 {
            data.clear();
        }
        if text {
            data = text::to_atascii(&data);
        }
        let position = if mode == 9 { data.len() } else { 0 };
        self.channels[channel] = Some(File {
            name,
            text,
            mode,
            data,
            position,
        });
        status::OK
    }

    fn close(&mut self, channel: usize) -> u8 {
        let Some(file) = self.channels[channel].take() else {
            return status::OK;
        };
        if file.mode & 8 == 0 {
            return status::OK;
        }
        if self.unlocked(file.name) == status::LOCKED {
            return status::LOCKED;
        }
        let data = if file.text {
            text::from_atascii(&file.data)
        } else {
            file.data
        };
        self.files.insert(file.name, data);
        status::OK
    }

    fn put(&mut self, channel: usize, bytes: &[u8]) -> u8 {
        match &mut self.channels[channel] {
            None => status::NOT_OPEN,
            Some(file) if file.mode & 8 == 0 => status::READ_ONLY,
            Some(file) => {
                let end = (file.position + bytes.len()).max(file.data.len());
                file.data.resize(end, 0);
                file.data[file.position..][..bytes.len()].copy_from_slice(bytes);
                file.position += bytes.len();
                status::OK
            }
        }
    }

    fn get(&mut self, channel: usize, length: usize) -> (u8, Vec<u8>) {
        match &mut self.channels[channel] {
            None => (status::NOT_OPEN, Vec::new()),
            Some(file) if file.mode & 4 == 0 => (131, Vec::new()),
            Some(file) => {
                let rest = &file.data[file.position..];
                let bytes = rest[..length.min(rest.len())].to_vec();
                let code = match length.cmp(&rest.len()) {
                    std::cmp::Ordering::Less => status::OK,
                    std::cmp::Ordering::Equal => status::LAST,
                    std::cmp::Ordering::Greater => status::END,
                };
                file.position += bytes.len();
                (code, bytes)
            }
        }
    }

    fn rename(&mut self, old: usize, new: usize) -> u8 {
        match self.unlocked(old) {
            status::OK if old == new => status::OK,
            status::OK if self.files.contains_key(&new) => status::EXISTS,
            status::OK => {
                let data = self.files.remove(&old).unwrap();
                self.files.insert(new, data);
                status::OK
            }
            other => other,
        }
    }
}

/// One random operation on both; the operation, and an error if the two disagree.
fn step(desk: &mut Desk, plain: &mut Plain, random: &mut Random) -> Result<String, String> {
    let channel = random.below(3);
    let iocb = channel as u8 + 1;
    let name = random.below(NAMES.len());
    let (unit, text) = UNITS[random.below(UNITS.len())];
    let spelled = format!("{unit}{}", NAMES[name][random.below(3)]);
    let (what, found, wanted) = match random.below(12) {
        0..=2 => {
            let mode = [4, 8, 9, 12][random.below(4)];
            // CIO takes AUX1 from the IOCB, also of one that is open.
            let mode = plain.channels[channel]
                .as_ref()
                .map_or(mode, |file| file.mode);
            let found = desk.named(iocb, OPEN, &spelled, mode);
            let wanted = plain.open(channel, name, text, mode);
            (format!("open {iocb} {spelled:?} {mode}"), found, wanted)
        }
        3..=5 => {
            let length = 1 + random.below(300);
            let bytes: Vec<u8> = (0..length).map(|_| random.byte()).collect();
            let found = desk.put(iocb, &bytes);
            (
                format!("put {iocb} {length}"),
                found,
                plain.put(channel, &bytes),
            )
        }
        6..=7 => {
            let length = 1 + random.below(300);
            let (found, bytes) = desk.get(iocb, length);
            let (wanted, expected) = plain.get(channel, length);
            if matches!(wanted, status::OK | status::LAST | status::END) && bytes != expected {
                return Err(format!("get {iocb} {length}: {bytes:?} for {expected:?}"));
            }
            (format!("get {iocb} {length}"), found, wanted)
        }
        8 => {
            let Some(file) = &mut plain.channels[channel] else {
                return Ok(String::new());
            };
            let (found, position) = desk.note(iocb);
            if (found, position) != (status::OK, file.position) {
                return Err(format!("note {iocb}: {found} {position}"));
            }
            file.position = random.below(file.data.len() + 1);
            let position = file.position;
            (
                format!("point {iocb} {position}"),
                desk.point(iocb, position),
                status::OK,
            )
        }
        9 => {
            let found = desk.cio(iocb, CLOSE, NAME, 0, 0);
            (format!("close {iocb}"), found, plain.close(channel))
        }
        10 => {
            let other = random.below(NAMES.len());
            let both = format!("{unit}{},{}", NAMES[name][0], NAMES[other][1]);
            let found = desk.named(5, RENAME, &both, 0);
            (format!("rename {both:?}"), found, plain.rename(name, other))
        }
        _ => {
            let command = [DELETE, LOCK, UNLOCK][random.below(3)];
            let found = desk.named(5, command, &spelled, 0);
            let wanted = match command {
                DELETE => plain.unlocked(name),
                _ => plain.exists(name),
            };
            if wanted == status::OK {
                plain.locked.retain(|locked| *locked != name);
                match command {
                    DELETE => drop(plain.files.remove(&name)),
                    LOCK => plain.locked.push(name),
                    _ => {}
                }
            }
            (format!("command {command} {spelled:?}"), found, wanted)
        }
    };
    if found == wanted {
        Ok(what)
    } else {
        Err(format!("{what}: {found}, and {wanted} is right"))
    }
}

#[test]
fn random_calls_leave_what_a_plain_model_leaves() {
    for (model, seed) in [(Model::Xl800, 1), (Model::Atari800, 2), (Model::Xe130, 3)] {
        let mut desk = Desk::new(model);
        let mut plain = Plain::default();
        let mut random = Random(seed);
        let mut done: Vec<String> = Vec::new();
        for _ in 0..1500 {
            match step(&mut desk, &mut plain, &mut random) {
                Ok(what) => done.push(what),
                Err(what) => panic!(
                    "{model:?}: {:#?}\n{what}",
                    &done[done.len().saturating_sub(30)..]
                ),
            }
            let names = plain.files.iter();
            let files = names.map(|(name, data)| (NAMES[*name][0].to_owned(), data.clone()));
            assert_eq!(desk.folder.files, files.collect(), "{:?}", done.last());
        }
    }
}

#[test]
fn a_file_that_is_full_or_open_for_reading_takes_no_bytes() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut desk = Desk::new(model);
        let most = machine::host::LONGEST;
        desk.folder.files.insert("BIG".into(), vec![7; most - 2]);
        assert_eq!(desk.named(1, OPEN, "H:BIG", 9), status::OK);
        assert_eq!(desk.put(1, &[1, 2]), status::OK);
        assert_eq!(desk.put(1, &[3]), status::DISK_FULL);
        assert_eq!(desk.cio(1, CLOSE, NAME, 0, 0), status::OK);
        let file = &desk.folder.files["BIG"];
        assert_eq!((file.len(), &file[most - 3..]), (most, &[7, 1, 2][..]));
    }
}

/// A disk that is inserted at the prompt changes nothing in what D: is; the next start does.
#[test]
fn d_is_the_folder_until_a_dos_is_booted() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut typist = Typist::new(model);
        let machine = &mut typist.atari.machine;
        assert!(machine.host_is_disk(), "{model:?}");
        machine.insert_disk(0, session::dos_disk(Blank::Single));
        typist.lines("OPEN #1,8,0,\"D:A\":CLOSE #1");
        assert_eq!(typist.folder.files.len(), 1, "{model:?}");
        let machine = &mut typist.atari.machine;
        assert!(machine.host_is_disk(), "{model:?}");
        machine.power_cycle();
        assert!(typist.atari.wait_for_key(1200));
        assert!(!typist.atari.machine.host_is_disk(), "{model:?}");
        let machine = Machine::new(&tests::config(model, Tv::Ntsc, true)).unwrap();
        assert!(!machine.host_is_disk());
    }
}

/// BASIC at a prompt, with the device as D:.
struct Typist {
    atari: Atari,
    folder: Folder,
}

impl Typist {
    fn new(model: Model) -> Self {
        let mut atari = Atari::new(&tests::config(model, Tv::Ntsc, true));
        atari.machine.attach_host(true);
        assert!(atari.wait_for_key(600), "{}", atari.text());
        Self {
            atari,
            folder: Folder::default(),
        }
    }

    /// Types lines and serves the folder until the machine waits again; the screen then.
    fn lines(&mut self, text: &str) -> String {
        for line in text.split('|') {
            self.atari.type_text(&format!("{line}\n"));
            for _ in 0..600 {
                self.folder.serve(&mut self.atari.machine);
                if self.atari.wait_for_key(1) && self.atari.machine.host_request().is_none() {
                    break;
                }
            }
            self.atari.run(3);
        }
        self.atari.text()
    }

    fn names(&self) -> Vec<&str> {
        self.folder.files.keys().map(String::as_str).collect()
    }
}

#[test]
fn dos_shows_a_file_menu_and_basic_goes_on_behind_it() {
    for model in [Model::Xl800, Model::Atari800, Model::Xe130] {
        let mut typist = Typist::new(model);
        typist.lines("10 PRINT \"STILL\";6*7|SAVE \"D:GAME.BAS\"");
        let menu = typist.lines("DOS");
        assert!(
            menu.contains("A  List") && menu.contains("M  Run at address"),
            "{menu}"
        );
        let list = typist.lines("a|");
        assert!(
            list.contains("  GAME    BAS 001") && list.contains("FREE SECTORS"),
            "{list}"
        );
        typist.lines("C|GAME.BAS|D:TWO.BAS");
        assert_eq!(typist.names(), ["GAME.BAS", "TWO.BAS"]);
        assert_eq!(
            typist.folder.files["GAME.BAS"],
            typist.folder.files["TWO.BAS"]
        );
        typist.lines("E|TWO.BAS,OTHER.BAS|F|OTHER.BAS");
        assert_eq!(typist.names(), ["GAME.BAS", "OTHER.BAS"]);
        let locked = typist.lines("D|H:OTHER.BAS");
        assert!(locked.contains("ERROR 167"), "{locked}");
        typist.lines("G|OTHER.BAS|D|*.BAS");
        assert!(typist.folder.files.is_empty());
        let missing = typist.lines("L|NONE.COM");
        assert!(missing.contains("ERROR 170"), "{missing}");
        let screen = typist.lines("B|RUN");
        assert!(screen.contains("STILL42"), "{model:?}\n{screen}");
    }
}

#[test]
fn the_file_menu_loads_and_runs_binary_files_and_copies_long_ones() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut typist = Typist::new(model);
        // Counts at $0600 in INIT (INC $0600; RTS) and stores 7 at $0601 in RUN; two segments more.
        let mut file = vec![0xFF, 0xFF, 0x00, 0x30, 0x03, 0x30, 0xEE, 0x00, 0x06, 0x60];
        file.extend([0xE2, 0x02, 0xE3, 0x02, 0x00, 0x30]);
        file.extend([0x10, 0x30, 0x15, 0x30, 0xA9, 0x07, 0x8D, 0x01, 0x06, 0x60]);
        file.extend([0xFF, 0xFF, 0x00, 0x40, 0xFF, 0x43]);
        file.extend((0..0x400).map(|n| (n % 251) as u8));
        file.extend([0xE0, 0x02, 0xE1, 0x02, 0x10, 0x30]);
        typist.folder.files.insert("PROG.COM".into(), file.clone());
        typist.lines("POKE 1536,0:POKE 1537,0|DOS|C|PROG.COM|COPY.COM");
        assert_eq!(typist.folder.files["COPY.COM"], file);
        typist.lines("L|COPY.COM");
        let machine = &typist.atari.machine;
        assert_eq!(
            (machine.peek(0x600), machine.peek(0x601)),
            (1, 7),
            "{model:?}"
        );
        assert_eq!(
            (machine.peek(0x4000), machine.peek(0x43FF)),
            (0, (0x3FF % 251) as u8)
        );
        typist.lines("M|3000");
        assert_eq!(typist.atari.machine.peek(0x600), 2);
        // BASIC begins again: the file lay over its program.
        let screen = typist.lines("B|LIST|PRINT 6*7");
        assert!(screen.contains("42"), "{screen}");
    }
}
