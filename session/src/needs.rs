//! What a program needs, found out from what it says: from its bytes, from a table by its content, and from defaults that fit most.
use crate::program::{Kind, Program};
use machine::{Model, Ram, Tv};
use media::atr::Disk;
use media::xex::Xex;

/// Our own table; a host may have one of the same form beside it. A line is the CRC-32 of a file, and what the program in it needs:
/// `basic` or `no-basic`, `ntsc` or `pal`, a model or a size of RAM as on the command line, `stereo`, `type=` and the CAR type of a plain
/// dump of a cartridge; `#` begins a remark.
const TABLE: &str = include_str!("needs.txt");

/// What a program needs where the user has not said anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Start with BASIC, or without.
    pub basic: Option<bool>,
    /// The model.
    pub model: Option<Model>,
    /// The television system.
    pub tv: Option<Tv>,
    /// How much RAM.
    pub ram: Option<Ram>,
    /// A second POKEY.
    pub stereo: bool,
    /// The CAR type of a plain dump.
    pub cartridge: Option<u32>,
    /// What was found, for the user.
    pub found: Vec<&'static str>,
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
    /// What `program` needs; `table` is the user's own table and comes before ours.
    ///
    /// # Errors
    /// A line of the table that is not understood.
    pub fn of(program: &Program, table: &str) -> Result<Self, TableError> {
        let mut needs = match &program.kind {
            Kind::Binary(xex) => binary(xex),
            Kind::Disk(disk) => of_disk(disk),
            _ => Self::default(),
        };
        needs.in_tables(program.content, table)?;
        Ok(needs)
    }

    /// What the tables say of a file with this CRC-32.
    ///
    /// # Errors
    /// A line of the table that is not understood.
    pub fn of_content(content: u32, table: &str) -> Result<Self, TableError> {
        let mut needs = Self::default();
        needs.in_tables(Some(content), table)?;
        Ok(needs)
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
                let mut line = Self::default();
                match word {
                    "basic" => line.basic = Some(true),
                    "no-basic" => line.basic = Some(false),
                    "ntsc" => line.tv = Some(Tv::Ntsc),
                    "pal" => line.tv = Some(Tv::Pal),
                    "stereo" => line.stereo = true,
                    _ => {
                        line.model = Model::ALL.into_iter().find(|model| model.name() == word);
                        line.ram = Ram::ALL.into_iter().find(|ram| ram.name() == word);
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
                    if !self.found.contains(&"it is in the table of needs") {
                        self.found.push("it is in the table of needs");
                    }
                }
            }
        }
        Ok(())
    }
}

/// A binary file: whether it chooses a bank of extended RAM by LDA #, STA PORTB, and whether it writes to a second POKEY.
fn binary(xex: &Xex) -> Needs {
    let mut needs = Needs::default();
    let mut second = [false; 8];
    for segment in &xex.segments {
        for code in segment.data.windows(5) {
            if let &[0xA9, portb, 0x8D, 0x01, 0xD3] = code
                && portb & 0x11 == 0x01
                && portb & 0x80 != 0
            {
                needs.model = Some(Model::Xe130);
            }
            if let &[0x8C..=0x8E | 0x99 | 0x9D, low @ 0x10..=0x17, 0xD2, ..] = code {
                second[usize::from(low & 7)] = true;
            }
        }
    }
    if needs.model.is_some() {
        needs
            .found
            .push("it chooses banks of extended RAM: a 130XE");
    }
    if second.iter().filter(|&&used| used).count() >= 4 {
        needs.found.push("it plays on a second POKEY: stereo");
        needs.stereo = true;
    }
    needs
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

/// A disk: without BASIC, unless nothing else can be meant by it.
fn of_disk(disk: &Disk) -> Needs {
    let mut needs = Needs::default();
    let boot = disk.sector(1).unwrap_or_default();
    if boot.iter().all(|&b| b == 0) {
        needs.found.push("the disk has no boot sector: with BASIC");
        needs.basic = Some(true);
        return needs;
    }
    let files = files(disk);
    let named = |name: &[u8; 11]| files.iter().find(|file| file.name == *name);
    let programs = files
        .iter()
        .any(|file| media::basic::is_save(&contents(disk, file)));
    let starter = named(b"AUTORUN SYS").map(|file| contents(disk, file));
    let (basic, found) = if files.is_empty() {
        (false, "a boot disk without files: without BASIC")
    } else if let Some(starter) = starter {
        // It types a command, or names a program.
        let says = |text: &[u8]| {
            starter
                .windows(text.len())
                .any(|part| part.eq_ignore_ascii_case(text))
        };
        if says(b"RUN \"D") || says(b"RUN\"D") || programs && says(b"D:") {
            (true, "AUTORUN.SYS starts a BASIC program: with BASIC")
        } else {
            (false, "AUTORUN.SYS is a program: without BASIC")
        }
    } else if programs {
        (true, "a disk of BASIC programs: with BASIC")
    } else if named(b"DOS     SYS").is_some() && named(b"DUP     SYS").is_none() {
        (true, "a DOS without a menu: with BASIC")
    } else {
        (false, "no BASIC program on the disk: without BASIC")
    };
    needs.basic = Some(basic);
    needs.found.push(found);
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
        assert_eq!(banks.model, Some(Model::Xe130));
        for portb in [0xFF, 0xFE, 0xFD, 0xB2] {
            let needs = of(xex(&[0xA9, portb, 0x8D, 0x01, 0xD3, 0x60]));
            assert_eq!(needs, Needs::default(), "${portb:02X}");
        }
        let stereo: Vec<u8> = (0x10..0x18).flat_map(|low| [0x8D, low, 0xD2]).collect();
        assert!(of(xex(&stereo)).stereo);
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
