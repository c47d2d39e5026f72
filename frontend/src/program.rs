//! What a person asked to play: built-in programs by name, files by content first and name second.
use crate::failure::Failure;
use crate::files;
use media::atr::Disk;
use media::basic::Program as Basic;
use media::cartridge::Cartridge;
use media::xex::Xex;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A program that comes with Anticlock.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in the title of the window.
    pub title: &'static str,
    /// Its SAVE file; `None` is the READY prompt.
    pub save_file: Option<&'static [u8]>,
    /// Whether joystick keys are on at the start.
    pub joystick: bool,
    /// Whether it keeps files on H:.
    pub saves: bool,
}

/// All built-in programs, in the order of the menu.
pub fn built_in() -> Vec<BuiltIn> {
    let prompt = BuiltIn {
        name: "basic",
        title: "BASIC",
        save_file: None,
        joystick: false,
        saves: false,
    };
    let games = roms::games::ALL.iter().map(|game| BuiltIn {
        name: game.name,
        title: game.title,
        save_file: Some(game.program),
        joystick: game.joystick,
        saves: game.listing.contains("\"H:"),
    });
    games.chain(std::iter::once(prompt)).collect()
}

/// The menu's listing; its lines from 9000 on come from [`PLACES`] and [`built_in`].
const MENU: &str = include_str!("menu/menu.lst");

/// The eight places of the menu: the program's name, the label below its picture (8 characters), the description (38), and
/// what is added to the characters of its picture (128: the other colour). The pictures are in this order in `menu/icons-*.txt`.
const PLACES: [(&str, &str, &str, u8); 8] = [
    (
        "crazy-eights",
        "Crazy 8s",
        "Get rid of your cards: eights are wild",
        0,
    ),
    ("gammon", "Gammon", "The old race around the board", 0),
    ("go-fish", "Go Fish", "Ask for cards and collect books", 128),
    ("tic-tac-toe", "Tic Tac", "Three in a row", 128),
    (
        "checkers",
        "Checkers",
        "Jump the other side off the board",
        0,
    ),
    (
        "focal",
        "FOCAL",
        "Checkers as on the teletype of a PDP-8",
        128,
    ),
    (
        "hexapawn",
        "Hexapawn",
        "A machine that learns as it loses",
        128,
    ),
    ("basic", "BASIC", "The READY prompt: write your own", 128),
];

/// The menu: a BASIC program that says in memory what was chosen, see [`crate::session::Session::chosen_program`].
fn menu() -> Result<Program, Failure> {
    let known = built_in();
    // Without its remarks, to which no line jumps, it fits into the 16K of a 400.
    let mut text: String = MENU
        .lines()
        .filter(|line| !line.contains(" REM "))
        .flat_map(|line| [line, "\n"])
        .collect();
    for (place, (name, label, description, colour)) in PLACES.iter().enumerate() {
        // A number above 99 is a place without a program.
        let number = known.iter().position(|p| p.name == *name).unwrap_or(255);
        let title = known.get(number).map_or("-", |p| p.title);
        let title = title.to_ascii_uppercase();
        let line = 9000 + 10 * place;
        let _ = writeln!(
            text,
            "{line} DATA {number},{label},{colour},{title},{description}"
        );
    }
    Ok(Program {
        title: "Menu".to_owned(),
        path: None,
        kind: Kind::Basic(listing(Path::new("menu"), text.as_bytes())?),
        joystick: false,
        origin: Origin::Menu,
    })
}

/// What a program is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// The READY prompt.
    Prompt,
    /// A tokenised BASIC program.
    Basic(Basic),
    /// A binary load file.
    Binary(Xex),
    /// A disk to boot from.
    Disk(Disk),
    /// A cartridge.
    Cartridge(Cartridge),
    /// A saved state of a machine.
    State(Vec<u8>),
}

/// Where a program comes from, which decides what it may ask of the front end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The person: a file, or what is typed at the READY prompt. It asks for nothing.
    User,
    /// The menu, which says what to start next.
    Menu,
    /// A built-in game, which says when the menu is to come back.
    Game {
        /// It keeps files, in a folder for built-in games when the person names none.
        saves: bool,
    },
}

/// A program, ready to be put into a machine.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name for the title of the window.
    pub title: String,
    /// The file that it is.
    pub path: Option<PathBuf>,
    /// What it is.
    pub kind: Kind,
    /// Whether joystick keys are on at the start.
    pub joystick: bool,
    /// Where it comes from.
    pub origin: Origin,
}

impl Program {
    /// The built-in program or file called `name`.
    ///
    /// # Errors
    /// One sentence that says what the name or the file is not.
    pub fn find(name: &str) -> Result<Self, Failure> {
        let lower = name.to_ascii_lowercase();
        if lower == "menu" {
            return menu();
        }
        if let Some(known) = built_in().iter().find(|p| p.name == lower) {
            return Self::of_built_in(known);
        }
        let path = Path::new(name);
        if !path.exists() && !name.contains(['/', '\\', '.']) {
            let names: Vec<_> = built_in().iter().map(|p| p.name).collect();
            return Err(Failure::input(format!(
                "there is no program or file called {name}; built-in programs are menu, {}",
                names.join(", ")
            )));
        }
        Self::of_file(path, &files::read(path)?)
    }

    /// A program that comes with Anticlock.
    ///
    /// # Errors
    /// When its SAVE file is damaged; a test shows that none is.
    pub fn of_built_in(known: &BuiltIn) -> Result<Self, Failure> {
        let kind = match known.save_file {
            None => Kind::Prompt,
            Some(file) => Kind::Basic(saved(Path::new(known.name), file)?),
        };
        Ok(Self {
            title: known.title.to_owned(),
            path: None,
            origin: if known.save_file.is_some() {
                Origin::Game { saves: known.saves }
            } else {
                Origin::User
            },
            kind,
            joystick: known.joystick,
        })
    }

    /// The program in a file's `bytes`.
    ///
    /// # Errors
    /// One sentence that says what is wrong with the file.
    pub fn of_file(path: &Path, bytes: &[u8]) -> Result<Self, Failure> {
        let kind = recognise(path, bytes)?;
        let joystick = matches!(kind, Kind::Binary(_) | Kind::Disk(_) | Kind::Cartridge(_));
        Ok(Self {
            title: path
                .file_name()
                .map_or_else(|| "?".to_owned(), |n| n.to_string_lossy().into_owned()),
            path: Some(path.to_owned()),
            origin: Origin::User,
            kind,
            joystick,
        })
    }
}

/// What the bytes of a file are.
fn recognise(path: &Path, bytes: &[u8]) -> Result<Kind, Failure> {
    let explain = |problem: &dyn std::fmt::Display| Failure::file(path, problem);
    let extension = path
        .extension()
        .map(|e| e.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    if bytes.is_empty() {
        return Err(explain(&"the file is empty"));
    }
    if bytes.starts_with(&[0x96, 0x02]) {
        return Disk::parse(bytes).map(Kind::Disk).map_err(|e| explain(&e));
    }
    if bytes.starts_with(&[0xFF, 0xFF]) && !matches!(&*extension, "rom" | "bin") {
        return Xex::parse(bytes).map(Kind::Binary).map_err(|e| explain(&e));
    }
    if bytes.starts_with(b"CART") {
        return Cartridge::parse_car(bytes)
            .map(Kind::Cartridge)
            .map_err(|e| explain(&e));
    }
    if !matches!(
        machine::state_info(bytes),
        Err(machine::StateError::Foreign)
    ) {
        return Ok(Kind::State(bytes.to_vec()));
    }
    if media::basic::is_save(bytes) {
        return saved(path, bytes).map(Kind::Basic);
    }
    if looks_like_listing(bytes) {
        return listing(path, bytes).map(Kind::Basic);
    }
    // The contents say nothing: the name decides, and says what is wrong.
    match &*extension {
        "rom" | "bin" => Cartridge::from_rom(bytes)
            .map(Kind::Cartridge)
            .map_err(|e| explain(&e)),
        "xex" | "com" | "exe" | "obj" => {
            Xex::parse(bytes).map(Kind::Binary).map_err(|e| explain(&e))
        }
        "atr" => Disk::parse(bytes).map(Kind::Disk).map_err(|e| explain(&e)),
        "car" => Cartridge::parse_car(bytes)
            .map(Kind::Cartridge)
            .map_err(|e| explain(&e)),
        "bas" => saved(path, bytes).map(Kind::Basic),
        "lst" | "txt" => listing(path, bytes).map(Kind::Basic),
        _ => Err(explain(
            &"not a program, disk image, cartridge, BASIC program or listing for an Atari",
        )),
    }
}

/// The BASIC program in a SAVE file.
///
/// # Errors
/// What is wrong with the file.
pub fn saved(path: &Path, bytes: &[u8]) -> Result<Basic, Failure> {
    Basic::parse_save(bytes).map_err(|error| Failure::file(path, error))
}

/// The BASIC program in a listing.
///
/// # Errors
/// The first line that is no BASIC, and how many more there are.
pub fn listing(path: &Path, bytes: &[u8]) -> Result<Basic, Failure> {
    Basic::tokenize(bytes).map_err(|errors| {
        let first = errors.first().map(ToString::to_string).unwrap_or_default();
        let more = match errors.len() {
            0 | 1 => String::new(),
            n => format!("\n(and {} more lines with errors)", n - 1),
        };
        Failure::file(path, format!("{first}{more}"))
    })
}

/// Whether it is text that begins with a line number: lines ended by ATASCII EOL, LF or CR.
fn looks_like_listing(bytes: &[u8]) -> bool {
    let ends = |&b: &u8| b == 0x9B || b == b'\n' || b == b'\r';
    bytes
        .split(ends)
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty())
        .is_some_and(|line| {
            let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
            (1..=5).contains(&digits) && line.len() > digits
        })
        && bytes.iter().any(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_program_can_be_found_by_its_name() {
        for known in built_in() {
            let program = Program::find(known.name).unwrap();
            assert_eq!(program.title, known.title);
        }
        assert!(matches!(Program::find("BASIC").unwrap().kind, Kind::Prompt));
        let error = Program::find("no-such-game").unwrap_err();
        assert!(error.to_string().contains("built-in programs are menu, "));
    }

    #[test]
    fn every_built_in_program_has_a_place_in_the_menu() {
        for known in built_in() {
            assert!(PLACES.iter().any(|place| place.0 == known.name));
            assert!(known.title.len() <= 20);
        }
        for (name, label, description, _) in PLACES {
            let fits = label.len() <= 8 && description.len() <= 38 && !description.contains(',');
            assert!(fits, "{name}");
        }
    }

    #[test]
    fn contents_count_more_than_the_name() {
        let of = |name: &str, bytes: &[u8]| Program::of_file(Path::new(name), bytes);
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
    fn what_is_not_usable_gets_one_sentence_and_status_2() {
        let disk = Disk::with_geometry(720, 128).to_bytes();
        let cases: [(&str, &[u8], &str); 8] = [
            ("x.xex", &[], "the file is empty"),
            ("x.bin", &[0; 100], "a plain cartridge dump has"),
            ("x.xex", &[0xFF, 0xFF, 0, 0x20], "cut off"),
            ("x.atr", &disk[..5000], "cut off"),
            ("x.car", b"CART\0\0\0\x01", "cut off"),
            ("x.lst", b"10 PRINT )\n", "line 1"),
            ("picture.jpg", &[0x12, 0x34], "not a program"),
            ("x.bas", &[0, 0, 9], "cut off"),
        ];
        for (name, bytes, wanted) in cases {
            let error = Program::of_file(Path::new(name), bytes).unwrap_err();
            assert_eq!(error.status(), 2);
            assert!(
                error.to_string().starts_with(&format!("{name}: ")),
                "{error}"
            );
            assert!(error.to_string().contains(wanted), "{error}");
        }
    }
}
