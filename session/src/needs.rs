//! The needs of a program, found out from three sources: its bytes, a table by its content, and defaults that fit most.
use crate::host_keys::HostKeys;
use crate::program::{Kind, Program};
use machine::{Model, Named, Ram, Tv};
use media::atr::Disk;
use media::xex::{Segment, Xex};
use std::fmt;

/// Our own table; a host may have one of the same form beside it. A line is the CRC-32 of a file, and the needs of the program in it:
/// `basic` or `no-basic`, `ntsc` or `pal`, a model or a size of RAM as on the command line, `stereo`, `type=` and the CAR type of a plain
/// dump of a cartridge, `keys=` and the role of arrows and Space (`type`, `stick`, `sticks`, `auto`); `#` begins a remark.
const TABLE: &str = include_str!("needs.txt");

/// The needs of a program where the user has not said anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Start with BASIC, or without.
    pub basic: Option<bool>,
    /// The model.
    pub model: Option<Model>,
    /// The television system.
    pub tv: Option<Tv>,
    /// The RAM.
    pub ram: Option<Ram>,
    /// A second POKEY.
    pub stereo: bool,
    /// The CAR type of a plain dump.
    pub cartridge: Option<u32>,
    /// Role of the host's arrow keys and space bar; `None`: as the program wants them.
    pub keys: Option<HostKeys>,
    /// The findings, for the user.
    pub found: Vec<Finding>,
}

/// A finding about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The fact.
    pub reason: &'static str,
    /// The choice that follows from it.
    pub choice: Option<Choice>,
}

/// A choice for a program where the user has not chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Start with BASIC, or without.
    Basic(bool),
    /// The model.
    Model(Model),
    /// The television system.
    Tv(Tv),
    /// The RAM.
    Ram(Ram),
    /// A second POKEY.
    Stereo,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason)?;
        match self.choice {
            Some(choice) => write!(f, ": {choice}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Basic(true) => f.write_str("with BASIC"),
            Self::Basic(false) => f.write_str("without BASIC"),
            Self::Model(model) => {
                let name = model.name().to_uppercase();
                let article = if name.starts_with('8') { "an" } else { "a" };
                write!(f, "{article} {name}")
            }
            Self::Tv(Tv::Ntsc) => f.write_str("NTSC"),
            Self::Tv(Tv::Pal) => f.write_str("PAL"),
            Self::Ram(ram) => f.write_str(&ram.name().to_uppercase()),
            Self::Stereo => f.write_str("stereo"),
        }
    }
}

/// A line of a table that is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the table of needs is not understood: {word}")]
pub struct TableError {
    /// From 1.
    pub line: usize,
    /// The word.
    pub word: String,
}

impl Needs {
    /// The needs of `program`; `table` is the user's own table and comes before ours.
    ///
    /// # Errors
    /// A line of the table that is not understood.
    pub fn of(program: &Program, table: &str) -> Result<Self, TableError> {
        let mut needs = match &program.kind {
            Kind::Binary(_) if let Some(tune) = program.tune => Self {
                tv: Some(tune.tv),
                stereo: tune.stereo,
                ..Self::default()
            },
            Kind::Binary(xex) => binary(xex),
            Kind::Disk(disk) => of_disk(disk),
            _ => Self::default(),
        };
        needs.in_tables(program.content, table)?;
        Ok(needs)
    }

    /// The needs that the tables have for a file with this CRC-32.
    ///
    /// # Errors
    /// A line of the table that is not understood.
    pub fn of_content(content: u32, table: &str) -> Result<Self, TableError> {
        let mut needs = Self::default();
        needs.in_tables(Some(content), table)?;
        Ok(needs)
    }

    /// Takes over the choice that follows from a fact.
    fn find(&mut self, reason: &'static str, choice: Choice) {
        match choice {
            Choice::Basic(basic) => self.basic = Some(basic),
            Choice::Model(model) => self.model = Some(model),
            Choice::Tv(tv) => self.tv = Some(tv),
            Choice::Ram(ram) => self.ram = Some(ram),
            Choice::Stereo => self.stereo = true,
        }
        let choice = Some(choice);
        self.found.push(Finding { reason, choice });
    }

    fn in_tables(&mut self, content: Option<u32>, table: &str) -> Result<(), TableError> {
        for text in [TABLE, table] {
            self.look_up(content, text)?;
        }
        Ok(())
    }

    fn look_up(&mut self, content: Option<u32>, table: &str) -> Result<(), TableError> {
        for (number, line) in table.lines().enumerate() {
            let mut words = line
                .split('#')
                .next()
                .unwrap_or_default()
                .split_whitespace();
            let Some(hash) = words.next() else {
                continue;
            };
            let error = |word: &str| TableError {
                line: number + 1,
                word: word.chars().take(40).collect(),
            };
            let hash = u32::from_str_radix(hash, 16).map_err(|_| error(hash))?;
            for word in words {
                if let Some(keys) = word.strip_prefix("keys=") {
                    let chosen = HostKeys::of_name(keys);
                    if chosen.is_none() && keys != "auto" {
                        return Err(error(word));
                    }
                    if content == Some(hash) {
                        self.keys = chosen;
                    }
                    continue;
                }
                let mut line = Self::default();
                match word {
                    "basic" => line.basic = Some(true),
                    "no-basic" => line.basic = Some(false),
                    "stereo" => line.stereo = true,
                    _ => {
                        line.model = Model::find(word);
                        line.tv = Tv::find(word);
                        line.ram = Ram::find(word);
                        line.cartridge = word.strip_prefix("type=").and_then(|n| n.parse().ok());
                        if line == Self::default() {
                            return Err(error(word));
                        }
                    }
                }
                if content == Some(hash) {
                    self.basic = line.basic.or(self.basic);
                    self.tv = line.tv.or(self.tv);
                    self.model = line.model.or(self.model);
                    self.ram = line.ram.or(self.ram);
                    self.stereo |= line.stereo;
                    self.cartridge = line.cartridge.or(self.cartridge);
                    if !self.found.contains(&IN_TABLE) {
                        self.found.push(IN_TABLE);
                    }
                }
            }
        }
        Ok(())
    }
}

/// The lines of the tables state their choices themselves.
const IN_TABLE: Finding = Finding {
    reason: "it is in the table of needs",
    choice: None,
};

const ASKS_PAL: &str = "it asks whether the machine is a PAL one";

/// An AUTORUN.SYS that only starts a BASIC program is shorter.
const LONGEST_STARTER: usize = 0x800;

/// Code that reads the register PAL ($D014): LDA, LDX, LDY, BIT, CMP.
const READS_PAL: [u8; 5] = [0xAD, 0xAE, 0xAC, 0x2C, 0xCD];

/// Routines of the 400's and 800's OS that programs call at fixed addresses, and that no XL has there: E: and K: get and put, S: get,
/// put and special.
const ENTRIES_800: [u16; 6] = [0xF593, 0xF5B7, 0xF63E, 0xF6A4, 0xF6E2, 0xFCFC];

/// A binary file: the machine that it seems to be made for, from its code and from where it loads.
///
/// Extended RAM disturbs few programs and packed ones do not show that they want it, so the default is a 130XE.
fn binary(xex: &Xex) -> Needs {
    let mut needs = Needs {
        model: Some(Model::Xe130),
        ..Needs::default()
    };
    let mut signs = Signs::default();
    for segment in &xex.segments {
        signs.add(segment);
    }
    // Three bytes come together by chance in a long file, so a long one has to call twice.
    if signs.calls > usize::from(signs.bytes > 0x1000) && !signs.banks {
        let model = Choice::Model(Model::Atari800);
        needs.find("it calls the OS of the 400 and 800", model);
        return needs;
    }
    if signs.banks {
        let model = Choice::Model(Model::Xe130);
        needs.find("it chooses banks of extended RAM", model);
    }
    // Repeated loads to $4000-$7FFF fill banks. The file does not say how many it wants; programs for 320K and 576K run with 1088K.
    if signs.window > 0x14000 {
        let ram = Choice::Ram(Ram::K1088);
        needs.find("it fills more than four banks of extended RAM", ram);
    }
    if signs.pal {
        needs.find(ASKS_PAL, Choice::Tv(Tv::Pal));
    }
    if signs.second.iter().filter(|&&used| used).count() >= 4 {
        needs.find("it plays on a second POKEY", Choice::Stereo);
    }
    needs
}

/// Code and addresses in a binary file that tell of a machine.
#[derive(Default)]
struct Signs {
    bytes: usize,
    /// Bytes that are loaded to the window of extended RAM.
    window: usize,
    /// It chooses banks of extended RAM.
    banks: bool,
    /// It reads PAL.
    pal: bool,
    /// Calls of routines that only the 400 and 800 have.
    calls: usize,
    /// Registers of a second POKEY that it stores to.
    second: [bool; 8],
}

impl Signs {
    fn add(&mut self, segment: &Segment) {
        let data = &segment.data;
        self.bytes += data.len();
        if (0x4000..0x8000).contains(&segment.start) {
            self.window += data.len().min(0x8000 - usize::from(segment.start));
        }
        for code in data.windows(5) {
            // LDA #, STA PORTB, and the same with X and Y: a bank, with the OS in place.
            if let &[load, portb, store, 0x01, 0xD3] = code
                && [(0xA9, 0x8D), (0xA2, 0x8E), (0xA0, 0x8C)].contains(&(load, store))
                && portb & 0x11 == 0x01
                && portb & 0x80 != 0
            {
                self.banks = true;
            }
            if let &[0x8C..=0x8E | 0x99 | 0x9D, low @ 0x10..=0x17, 0xD2, ..] = code {
                self.second[usize::from(low & 7)] = true;
            }
        }
        for code in data.windows(3) {
            match code {
                [op, 0x14, 0xD0] => self.pal |= READS_PAL.contains(op),
                &[0x20 | 0x4C, low, high] => {
                    let to = u16::from_le_bytes([low, high]);
                    self.calls += usize::from(ENTRIES_800.contains(&to));
                }
                _ => {}
            }
        }
    }
}

/// A file in the directory of a disk with the format of DOS 2.
struct Entry {
    name: [u8; 11],
    start: usize,
}

/// Files of a disk with the format of DOS 2: sector 361 and the seven after it.
fn files(disk: &Disk) -> Vec<Entry> {
    let mut files = Vec::new();
    for number in 361..369 {
        let Some(sector) = disk.sector(number) else {
            break;
        };
        for entry in sector.get(..128).unwrap_or_default().chunks_exact(16) {
            let &[flags, _, _, low, high, ref name @ ..] = entry else {
                break;
            };
            let named = name.iter().all(|b| (0x20..0x7F).contains(b));
            if flags & 0xC0 == 0x40 && named {
                files.push(Entry {
                    name: name.try_into().unwrap_or([0; 11]),
                    start: usize::from(u16::from_le_bytes([low, high])),
                });
            }
        }
    }
    files
}

/// The bytes of a file that DOS 2 has written, 16K at most.
fn contents(disk: &Disk, file: &Entry) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut number = file.start;
    while bytes.len() < 0x4000
        && number != 0
        && let Some(sector) = disk.sector(number)
        && let Some((data, &[high, low, used])) = sector.split_last_chunk::<3>()
    {
        let used = usize::from(used).min(data.len());
        if used == 0 {
            break;
        }
        bytes.extend_from_slice(&data[..used]);
        number = usize::from(high & 3) << 8 | usize::from(low);
    }
    bytes
}

/// A disk: without BASIC, unless nothing else can be meant by it, and on a 130XE as a binary file.
fn of_disk(disk: &Disk) -> Needs {
    let mut needs = Needs {
        model: Some(Model::Xe130),
        ..Needs::default()
    };
    let boot = disk.sector(1).unwrap_or_default();
    if boot.iter().all(|&b| b == 0) {
        needs.find("the disk has no boot sector", Choice::Basic(true));
        return needs;
    }
    if boot == roms::BLANK_BOOT {
        needs.find("the disk is blank", Choice::Basic(true));
        return needs;
    }
    let files = files(disk);
    let named = |name: &[u8; 11]| files.iter().find(|file| file.name == *name);
    let programs = files
        .iter()
        .any(|file| media::basic::is_save(&contents(disk, file)));
    let starter = named(b"AUTORUN SYS").map(|file| contents(disk, file));
    let (basic, found) = if files.is_empty() {
        (false, "a boot disk without files")
    } else if let Some(starter) = starter {
        // It types a command, or names a program. A long one is a program or a language of its own.
        let says = |text: &[u8]| {
            starter.len() < LONGEST_STARTER
                && starter
                    .windows(text.len())
                    .any(|part| part.eq_ignore_ascii_case(text))
        };
        if says(b"RUN \"D") || says(b"RUN\"D") || programs && says(b"D:") {
            (true, "AUTORUN.SYS starts a BASIC program")
        } else {
            (false, "AUTORUN.SYS is a program")
        }
    } else if programs {
        (true, "a disk of BASIC programs")
    } else if named(b"DOS     SYS").is_some() && named(b"DUP     SYS").is_none() {
        (true, "a DOS without a menu")
    } else {
        (false, "no BASIC program on the disk")
    };
    needs.find(found, Choice::Basic(basic));
    let reads_pal = |number| {
        let sector = disk.sector(number).unwrap_or_default();
        sector.windows(3).any(|code| code == [0xAD, 0x14, 0xD0])
    };
    if !basic && (1..=disk.sectors().min(2880)).any(reads_pal) {
        needs.find(ASKS_PAL, Choice::Tv(Tv::Pal));
    }
    needs
}

#[cfg(test)]
mod tests {
    use super::*;
    use media::xex::Segment;

    fn of(kind: Kind) -> Needs {
        let program = Program {
            kind,
            content: Some(0xC0FF_EE01),
            ..Program::default()
        };
        Needs::of(&program, "").unwrap()
    }

    fn xex(code: &[u8]) -> Kind {
        Kind::Binary(Xex {
            segments: vec![Segment {
                start: 0x2000,
                data: code.to_vec(),
            }],
            flaw: None,
        })
    }

    /// A disk in the format of DOS 2 with these files of one sector each.
    fn dos(files: &[(&[u8; 11], &[u8])]) -> Kind {
        let mut disk = Disk::with_geometry(720, 128);
        disk.write_sector(1, &[0, 3, 0, 7, 0x40, 0x15]);
        let mut directory = [0; 128];
        for (number, (name, data)) in files.iter().enumerate() {
            let start = 10 + number;
            let entry = &mut directory[16 * number..][..16];
            entry[..5].copy_from_slice(&[0x42, 1, 0, start as u8, 0]);
            entry[5..].copy_from_slice(*name);
            let mut sector = [0; 128];
            sector[..data.len()].copy_from_slice(data);
            sector[125] = (number as u8) << 2;
            sector[127] = data.len() as u8;
            disk.write_sector(start, &sector);
        }
        disk.write_sector(361, &directory);
        Kind::Disk(disk)
    }

    #[test]
    fn a_binary_file_that_chooses_a_bank_needs_a_130xe() {
        let banks = of(xex(&[0xA9, 0xE3, 0x8D, 0x01, 0xD3, 0x60]));
        assert_eq!((banks.model, banks.found.len()), (Some(Model::Xe130), 1));
        let banks = of(xex(&[0xA2, 0xEF, 0x8E, 0x01, 0xD3, 0x60]));
        assert_eq!(banks.found.len(), 1, "LDX, STX");
        for portb in [0xFF, 0xFE, 0xFD, 0xB2] {
            let needs = of(xex(&[0xA9, portb, 0x8D, 0x01, 0xD3, 0x60]));
            let usual = Needs {
                model: Some(Model::Xe130),
                ..Needs::default()
            };
            assert_eq!(needs, usual, "${portb:02X}");
        }
        let stereo: Vec<u8> = (0x10..0x18).flat_map(|low| [0x8D, low, 0xD2]).collect();
        assert!(of(xex(&stereo)).stereo);
    }

    #[test]
    fn a_binary_file_that_fills_many_banks_has_them() {
        let file = |banks: usize| {
            let bank = Segment {
                start: 0x4000,
                data: vec![0; 0x4000],
            };
            of(Kind::Binary(Xex {
                segments: vec![bank; banks],
                flaw: None,
            }))
        };
        assert_eq!(file(5).ram, None);
        assert_eq!(file(6).ram, Some(Ram::K1088));
    }

    #[test]
    fn a_program_that_looks_at_pal_gets_a_pal_machine() {
        for code in [[0xAD, 0x14, 0xD0], [0xAE, 0x14, 0xD0], [0x2C, 0x14, 0xD0]] {
            assert_eq!(of(xex(&code)).tv, Some(Tv::Pal));
        }
        assert_eq!(of(xex(&[0x8D, 0x14, 0xD0])).tv, None, "COLPM2");
        assert_eq!(of(xex(&[0xAD, 0x14, 0xD2])).tv, None);
        let starter: &[u8] = &[0xFF, 0xFF, 0, 0x20, 3, 0x20, 0xAD, 0x14, 0xD0, 0x60];
        assert_eq!(of(dos(&[(b"AUTORUN SYS", starter)])).tv, Some(Tv::Pal));
    }

    #[test]
    fn a_program_that_calls_the_os_of_the_800_gets_an_800() {
        for entry in ENTRIES_800 {
            let [low, high] = entry.to_le_bytes();
            let call = [0x20, low, high, 0x60];
            assert_eq!(of(xex(&call)).model, Some(Model::Atari800));
            let mut long = vec![0; 0x2000];
            long[..4].copy_from_slice(&call);
            assert_eq!(of(xex(&long)).model, Some(Model::Xe130), "by chance");
            long[0x1000..0x1004].copy_from_slice(&call);
            assert_eq!(of(xex(&long)).model, Some(Model::Atari800));
        }
    }

    #[test]
    fn a_language_as_autorun_starts_without_basic() {
        let saved = media::basic::Program::tokenize(b"10 PRINT 1\n")
            .unwrap()
            .to_save();
        let mut language = b"\xFF\xFFD:AUTORUN.BAS\x9B".to_vec();
        language.resize(100, 0);
        let short = of(dos(&[
            (b"AUTORUN SYS", &language),
            (b"GAME    BAS", &saved),
        ]));
        assert_eq!(short.basic, Some(true));
        let Kind::Disk(mut disk) = dos(&[(b"AUTORUN SYS", &language), (b"GAME    BAS", &saved)])
        else {
            unreachable!()
        };
        // The same with 20 more sectors.
        for number in 0..20 {
            let mut sector = disk.sector(10).unwrap().to_vec();
            sector[126] = 100 + number;
            sector[127] = 125;
            let at = if number == 0 {
                10
            } else {
                99 + usize::from(number)
            };
            disk.write_sector(at, &sector);
        }
        assert_eq!(of(Kind::Disk(disk)).basic, Some(false));
    }

    #[test]
    fn a_disk_has_basic_when_it_can_mean_nothing_else() {
        let saved = media::basic::Program::tokenize(b"10 PRINT 1\n")
            .unwrap()
            .to_save();
        let cases: [(Kind, bool); 8] = [
            (Kind::Disk(Disk::with_geometry(720, 128)), true),
            (dos(&[]), false),
            (dos(&[(b"DOS     SYS", b"x")]), true),
            (
                dos(&[(b"DOS     SYS", b"x"), (b"DUP     SYS", b"x")]),
                false,
            ),
            (
                dos(&[(b"DUP     SYS", b"x"), (b"GAME    BAS", &saved)]),
                true,
            ),
            (
                dos(&[(b"AUTORUN SYS", b"\xFF\xFFgame"), (b"GAME    BAS", &saved)]),
                false,
            ),
            (
                dos(&[(b"AUTORUN SYS", b"\xFF\xFFRUN \"D:GAME.BAS\"\x9B")]),
                true,
            ),
            (
                dos(&[
                    (b"AUTORUN SYS", b"\xFF\xFFD:GAME\x9B"),
                    (b"GAME       ", &saved),
                ]),
                true,
            ),
        ];
        for (number, (kind, wanted)) in cases.into_iter().enumerate() {
            let needs = of(kind);
            assert_eq!(needs.basic, Some(wanted), "case {number}");
            assert_eq!(needs.found.len(), 1);
        }
    }

    #[test]
    fn the_table_wins_and_a_bad_line_is_named() {
        let program = Program {
            kind: dos(&[]),
            content: Some(0xC0FF_EE01),
            ..Program::default()
        };
        let table = "# ours\n00000001 400\nc0ffee01 basic pal 800 52k type=12 # a remark\n";
        let needs = Needs::of(&program, table).unwrap();
        assert_eq!(
            (needs.basic, needs.tv, needs.model),
            (Some(true), Some(Tv::Pal), Some(Model::Atari800))
        );
        assert_eq!((needs.ram, needs.cartridge), (Some(Ram::K52), Some(12)));
        let error = Needs::of(&program, "\nc0ffee01 colour\n").unwrap_err();
        assert_eq!((error.line, error.word.as_str()), (2, "colour"));
    }
}
