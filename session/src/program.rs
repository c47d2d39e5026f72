//! The program to be played: a built-in one, or a file by its content first and its name second.
use machine::Tv;
use machine::host::{HostReply, HostRequest, status};
use media::atr::{AtrError, Disk};
use media::basic::{Listing, Program as Basic, SaveError, SyntaxError};
use media::cartridge::{Cartridge, CartridgeError};
use media::cas::{CasError, Load, Tape};
use media::sap::{Sap, SapError};
use media::xex::{Xex, XexError};

/// The kind of a program, with its contents.
#[derive(Clone, Debug, Default)]
pub enum Kind {
    /// The READY prompt.
    #[default]
    Prompt,
    /// A tokenised BASIC program.
    Basic(Basic),
    /// A binary load file.
    Binary(Xex),
    /// A disk to boot from.
    Disk(Disk),
    /// A cartridge.
    Cartridge(Cartridge),
    /// A cassette that is booted, or loaded by BASIC.
    Tape(Tape),
    /// A saved state of a machine.
    State(Vec<u8>),
}

/// The origin of a program, which decides the requests that it may make of the session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// The user: a file, or text typed at the READY prompt. It asks for nothing.
    #[default]
    User,
    /// The menu, which says what to start next.
    Menu,
    /// A built-in game, which says when the menu is to come back.
    Game {
        /// It keeps files, in a folder for built-in games when the user names none.
        saves: bool,
    },
}

/// A program, ready to be put into a machine. The default is the READY prompt.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its name for the title of the window.
    pub title: String,
    /// Its kind and contents.
    pub kind: Kind,
    /// It is a program of our own that is played with a joystick.
    pub joystick: bool,
    /// Its origin.
    pub origin: Origin,
    /// The CRC-32 of its file.
    pub content: Option<u32>,
    /// The flaw of its file, or a guess that was made.
    pub remark: Option<String>,
    /// Machine that a tune was made for, if the program is a tune.
    pub tune: Option<Tune>,
    /// The file of a BASIC program that BASIC reads by itself, as H5:.
    pub source: Option<Source>,
}

/// Machine that a tune was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tune {
    /// The television system, which sets its speed.
    pub tv: Tv,
    /// It has a second POKEY.
    pub stereo: bool,
}

/// A file that BASIC reads from H5:, because a program in memory would not be the same: a listing with commands in it, or a program that only
/// runs from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name on H5:.
    name: String,
    /// Its bytes.
    bytes: Vec<u8>,
    /// Command that is typed before the file's name.
    command: &'static str,
    /// It is run by a command of its own.
    run: bool,
}

impl Source {
    /// The device that it is on.
    const DEVICE: &str = "H5:";

    /// A listing that is entered.
    fn listing(title: &str, listing: &Listing) -> Self {
        Self {
            name: Self::name(title, "LST"),
            bytes: listing.text.clone(),
            command: "ENTER",
            run: !listing.starts,
        }
    }

    /// A program as SAVE writes it, which only runs from a file.
    fn saved(title: &str, bytes: &[u8]) -> Self {
        Self {
            name: Self::name(title, "BAS"),
            bytes: bytes.to_vec(),
            command: "RUN",
            run: false,
        }
    }

    /// The name of the file `title` on H5:.
    fn name(title: &str, extension: &str) -> String {
        let stem = title.rsplit_once('.').map_or(title, |(stem, _)| stem);
        let letters = stem.chars().filter(char::is_ascii_alphanumeric);
        let name: String = letters.take(8).collect();
        let name = name.to_ascii_uppercase();
        let letter = name.starts_with(|first: char| first.is_ascii_uppercase());
        let name = if letter { &name } else { "PROGRAM" };
        format!("{name}.{extension}")
    }

    /// Commands that are typed to load it and to run it.
    fn typed(&self, run: bool) -> String {
        let command = match self.command {
            "RUN" if !run => "LOAD",
            command => command,
        };
        let then = if run && self.run { "RUN\\n" } else { "" };
        format!("{command} \"{}{}\"\\n{then}", Self::DEVICE, self.name)
    }

    /// The answer to a request for H5:; `None` for another device.
    pub(crate) fn answer(&self, request: &HostRequest) -> Option<HostReply> {
        let (HostRequest::Open { name, .. }
        | HostRequest::Write { name, .. }
        | HostRequest::Command { name, .. }) = request;
        let device = Self::DEVICE.as_bytes();
        let start = name.get(..device.len())?;
        if !start.eq_ignore_ascii_case(device) {
            return None;
        }
        let rest = name[device.len()..].split(|byte| !byte.is_ascii_graphic());
        let same = rest.take(1).any(|name| name == self.name.as_bytes());
        Some(match request {
            HostRequest::Open { mode: 4, .. } if same => HostReply {
                status: status::OK,
                data: self.bytes.clone(),
            },
            HostRequest::Open { mode: 4, .. } => HostReply::status(status::NOT_FOUND),
            _ => HostReply::status(status::READ_ONLY),
        })
    }
}

/// Reason why bytes are not a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// No bytes at all.
    #[error("the file is empty")]
    Empty,
    /// Neither content nor name say what it is.
    #[error("not a program, disk image, cartridge, BASIC program or listing for an Atari")]
    Unknown,
    /// A disk image.
    #[error("{0}")]
    Disk(#[from] AtrError),
    /// A binary load file.
    #[error("{0}")]
    Binary(#[from] XexError),
    /// A cassette image.
    #[error("{0}")]
    Tape(#[from] CasError),
    /// A cartridge.
    #[error("{0}")]
    Cartridge(#[from] CartridgeError),
    /// A tune.
    #[error("{0}")]
    Tune(#[from] SapError),
    /// A BASIC program as SAVE writes it.
    #[error("{0}")]
    Save(#[from] SaveError),
    /// A listing: the first line that is not BASIC, and the number of further ones.
    #[error("{first}{}", and_more(*more))]
    Listing {
        /// The error in the first line.
        first: String,
        /// Lines with errors after it.
        more: usize,
    },
}

impl ProgramError {
    fn listing(errors: &[SyntaxError]) -> Self {
        Self::Listing {
            first: errors.first().map(ToString::to_string).unwrap_or_default(),
            more: errors.len().saturating_sub(1),
        }
    }
}

/// Text for the number of further lines with errors.
fn and_more(lines: usize) -> String {
    match lines {
        0 => String::new(),
        1 => "\n(and 1 more line with errors)".to_owned(),
        n if n + 1 >= media::basic::MOST_ERRORS => {
            format!("\n(and at least {n} more lines with errors)")
        }
        n => format!("\n(and {n} more lines with errors)"),
    }
}

impl Program {
    /// The program in a file's `bytes`; `name` is the file's name without its folder.
    ///
    /// # Errors
    /// The flaw of the file.
    ///
    /// ```
    /// use session::{Kind, Program};
    /// let program = Program::of_file("hello.lst", b"10 PRINT \"HELLO\"\n").unwrap();
    /// assert!(matches!(program.kind, Kind::Basic(_)));
    /// ```
    pub fn of_file(name: &str, bytes: &[u8]) -> Result<Self, ProgramError> {
        if media::recognise(name, bytes) == media::Kind::Listing {
            let content = Some(machine::codec::crc32(bytes));
            let program = Self::of_listing(name, bytes)?;
            return Ok(Self { content, ..program });
        }
        let mut remark = None;
        let (kind, tune) = if media::recognise(name, bytes) == media::Kind::Sap {
            let sap = Sap::parse(bytes)?;
            let xex = sap.program(roms::SAP_PLAYER)?;
            remark = xex.flaw.as_ref().map(ToString::to_string);
            let tune = Tune {
                tv: if sap.ntsc { Tv::Ntsc } else { Tv::Pal },
                stereo: sap.stereo,
            };
            (Kind::Binary(xex), Some(tune))
        } else {
            (read(name, bytes, &mut remark)?, None)
        };
        let source = match &kind {
            Kind::Basic(program) if !program.is_whole() => Some(Source::saved(name, bytes)),
            _ => None,
        };
        Ok(Self {
            remark,
            title: name.to_owned(),
            origin: Origin::User,
            kind,
            joystick: false,
            content: Some(machine::codec::crc32(bytes)),
            source,
            tune,
        })
    }

    /// The program in a listing. Where it has lines without a number, BASIC enters it by itself and does them.
    ///
    /// # Errors
    /// The first line that is not BASIC, and how many more there are.
    pub fn of_listing(title: &str, bytes: &[u8]) -> Result<Self, ProgramError> {
        let listing = Listing::read(bytes).map_err(|errors| ProgramError::listing(&errors))?;
        Ok(Self {
            title: title.to_owned(),
            source: (listing.direct > 0).then(|| Source::listing(title, &listing)),
            kind: Kind::Basic(listing.program),
            ..Self::default()
        })
    }

    /// The cartridge of CAR type `number` in a plain dump.
    ///
    /// # Errors
    /// When it is not a dump of such a cartridge.
    pub fn of_dump(name: &str, bytes: &[u8], number: u32) -> Result<Self, ProgramError> {
        Ok(Self {
            title: name.to_owned(),
            origin: Origin::User,
            kind: Kind::Cartridge(Cartridge::from_rom_of_type(bytes, number)?),
            joystick: false,
            content: Some(machine::codec::crc32(bytes)),
            remark: None,
            source: None,
            tune: None,
        })
    }

    /// Commands that load a program, and run it if `run`. With a cassette the OS and BASIC beep, and wait for a key.
    pub(crate) fn typed(&self, run: bool) -> Option<String> {
        if let Some(source) = &self.source {
            return Some(source.typed(run));
        }
        let text = match &self.kind {
            Kind::Tape(tape) => match tape.load() {
                Load::Boot => "\\n",
                Load::Cload => "CLOAD\\n\\nRUN\\n",
                Load::Enter => "ENTER \"C:\"\\n\\nRUN\\n",
            },
            _ => return None,
        };
        Some(text.to_owned())
    }

    /// The flaw of the file, though it can be used: one sentence.
    #[must_use]
    pub fn flaw(&self) -> Option<String> {
        self.remark.clone()
    }
}

/// The program in the bytes of a file, and its flaw, though it can be used.
fn read(name: &str, bytes: &[u8], flaw: &mut Option<String>) -> Result<Kind, ProgramError> {
    Ok(match media::recognise(name, bytes) {
        media::Kind::Empty => return Err(ProgramError::Empty),
        media::Kind::Disk => {
            let disk = Disk::parse(&Disk::image(name, bytes))?;
            *flaw = disk.flaw();
            Kind::Disk(disk)
        }
        media::Kind::Binary => {
            let xex = Xex::parse(bytes)?;
            *flaw = xex.flaw.as_ref().map(ToString::to_string);
            Kind::Binary(xex)
        }
        media::Kind::Cartridge => {
            let cartridge = Cartridge::parse_car(bytes)?;
            *flaw = cartridge.flaw(bytes);
            Kind::Cartridge(cartridge)
        }
        media::Kind::Rom => {
            let cartridge = Cartridge::from_rom(bytes)?;
            *flaw = cartridge.flaw(bytes);
            Kind::Cartridge(cartridge)
        }
        media::Kind::State => Kind::State(bytes.to_vec()),
        media::Kind::Save => {
            let program = Basic::parse_save(bytes)?;
            *flaw = program.flaw();
            Kind::Basic(program)
        }
        media::Kind::Listing => Program::of_listing(name, bytes)?.kind,
        media::Kind::Tape => {
            let (tape, cut) = Tape::read(bytes)?;
            *flaw = cut;
            Kind::Tape(tape)
        }
        media::Kind::Sap | media::Kind::Unknown => return Err(ProgramError::Unknown),
    })
}

/// The BASIC program in a listing without commands.
///
/// # Errors
/// The first line that is not BASIC or has no number, and how many more there are.
pub fn listing(bytes: &[u8]) -> Result<Basic, ProgramError> {
    Basic::tokenize(bytes).map_err(|errors| ProgramError::listing(&errors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_count_more_than_the_name() {
        let of = |name: &str, bytes: &[u8]| Program::of_file(name, bytes);
        let xex = [0xFF, 0xFF, 0, 0x20, 0, 0x20, 0x60];
        assert!(matches!(of("x.atr", &xex).unwrap().kind, Kind::Binary(_)));
        assert!(matches!(
            of("x.xex", b"10 PRINT 1\n").unwrap().kind,
            Kind::Basic(_)
        ));
        assert!(matches!(
            of("x", b"10 PRINT 1\x9B20 END\x9B").unwrap().kind,
            Kind::Basic(_)
        ));
        let disk = Disk::with_geometry(720, 128).to_bytes();
        assert!(matches!(of("x.bas", &disk).unwrap().kind, Kind::Disk(_)));
        assert!(matches!(
            of("x.rom", &[0; 0x2000]).unwrap().kind,
            Kind::Cartridge(_)
        ));
        // A ROM may begin with two bytes of $FF.
        assert!(matches!(
            of("x.rom", &[0xFF; 0x2000]).unwrap().kind,
            Kind::Cartridge(_)
        ));
    }

    #[test]
    fn a_program_that_another_basic_saved_is_said_to_be_one() {
        let mut saved = Basic::tokenize(b"10 GRAPHICS 0\n").unwrap().to_save();
        let of = |saved: &[u8]| Program::of_file("x.bas", saved).unwrap().remark;
        assert_eq!(of(&saved), None);
        let place = saved.len() - saved.iter().rev().position(|&byte| byte == 0x2B).unwrap() - 1;
        saved[place] = 0x3B;
        assert!(of(&saved).unwrap().contains("line 10"));
    }

    #[test]
    fn what_is_not_usable_gets_one_sentence() {
        let disk = Disk::with_geometry(720, 128).to_bytes();
        let cases: [(&str, &[u8], &str); 8] = [
            ("x.xex", &[], "the file is empty"),
            ("x.bin", &[0; 100], "a plain cartridge dump has"),
            ("x.xex", &[0xFF, 0xFF, 0, 0x20], "holds no segment"),
            ("x.atr", &disk[..12], "cut off"),
            ("x.car", b"CART\0\0\0\x01", "cut off"),
            ("x.lst", b"10 PRINT )\n", "line 1"),
            ("picture.jpg", &[0x12, 0x34], "not a program"),
            ("x.bas", &[0, 0, 9], "cut off"),
        ];
        for (name, bytes, wanted) in cases {
            let error = Program::of_file(name, bytes).unwrap_err();
            assert!(error.to_string().contains(wanted), "{error}");
        }
    }
}
