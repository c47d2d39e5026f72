//! The programs that come with Anticlock: one manifest of them, and the menu that shows it.
use crate::program::{Kind, Origin, Program, ProgramError, listing};
use media::atr::{Blank, Disk};
use media::basic::Program as Basic;
use media::dos2::{Dos2, Dos2Error, Name};
use std::fmt::Write as _;

/// A disk that is formatted and has no DOS; booted, it says so.
#[must_use]
pub fn blank_disk(kind: Blank) -> Disk {
    let mut disk = Dos2::format(kind).into_disk();
    disk.write_sector(1, roms::BLANK_BOOT);
    disk
}

/// A new disk with our DOS.
#[must_use]
pub fn dos_disk(kind: Blank) -> Disk {
    let mut dos = Dos2::format(kind);
    // An empty disk has room for it.
    let _ = add_dos(&mut dos);
    dos.into_disk()
}

/// Puts our DOS on a disk, in place of the one that it has.
///
/// # Errors
/// When the disk is full or write-protected.
pub fn add_dos(dos: &mut Dos2) -> Result<(), Dos2Error> {
    let command = Name::parse(COMMANDS)?;
    if dos.find(command).is_some_and(|old| old.locked()) {
        dos.lock(command, false)?;
    }
    dos.install(roms::dos())?;
    dos.write(command, roms::dos_commands()).map(drop)
}

/// The file with the command line of our DOS.
const COMMANDS: &str = "COMMAND.SYS";

/// A program that comes with Anticlock.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in the title of the window.
    pub title: &'static str,
    /// Its SAVE file; `None` is the READY prompt.
    pub save_file: Option<&'static [u8]>,
    /// True if it is played with a joystick.
    pub joystick: bool,
    /// Its origin: a game of ours, or BASIC with the user's own program.
    pub origin: Origin,
    /// Its description: 38 characters.
    pub about: &'static str,
    /// Its place in the menu, if it has one.
    pub place: Option<&'static Place>,
}

/// A place of the menu. The pictures are in the order of [`PLACES`] in `roms/menu/icons-*.txt`.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The program's name.
    pub name: &'static str,
    /// The first word of its title, above its picture, where both do not fit below it: 6 characters.
    pub above: &'static str,
    /// The label below its picture: 8 characters.
    pub label: &'static str,
    /// Its description: 38 characters.
    pub description: &'static str,
    /// The number added to the characters of its picture: 128 is the other colour.
    pub colour: u8,
}

/// The places of the menu.
pub const PLACES: [Place; 8] = [
    Place {
        name: "crazy-eights",
        above: "Crazy",
        label: "Eights",
        description: "1 player. Lose your cards; 8s are wild",
        colour: 0,
    },
    Place {
        name: "gammon",
        above: "",
        label: "Gammon",
        description: "0 to 2 players. The race on 24 pegs",
        colour: 0,
    },
    Place {
        name: "go-fish",
        above: "",
        label: "Go  Fish",
        description: "1 player. Ask for cards; collect books",
        colour: 128,
    },
    Place {
        name: "tic-tac-toe",
        above: "Tic-",
        label: "Tac-Toe",
        description: "1 or 2 players. Three in a row",
        colour: 128,
    },
    Place {
        name: "checkers",
        above: "",
        label: "Checkers",
        description: "0 to 2 players. Jump the others off",
        colour: 0,
    },
    Place {
        name: "focal",
        above: "FOCAL",
        label: "Checkers",
        description: "1 player. Checkers on a teletype",
        colour: 128,
    },
    Place {
        name: "hexapawn",
        above: "",
        label: "Hexapawn",
        description: "1 player. A machine that learns",
        colour: 128,
    },
    Place {
        name: "basic",
        above: "",
        label: "BASIC",
        description: "The READY prompt; T: type listings in",
        colour: 128,
    },
];

/// All built-in programs, in the order of the menu.
///
/// ```
/// let names: Vec<_> = session::built_in::all().iter().map(|program| program.name).collect();
/// assert!(names.contains(&"gammon") && names.contains(&"basic"));
/// ```
pub fn all() -> Vec<BuiltIn> {
    let place = |name: &str| PLACES.iter().find(|place| place.name == name);
    let about = |name: &str| place(name).map_or("", |place| place.description);
    let prompt = BuiltIn {
        name: "basic",
        title: PROMPT,
        save_file: None,
        joystick: false,
        origin: Origin::User,
        about: about("basic"),
        place: place("basic"),
    };
    let type_in = BuiltIn {
        name: "type-in",
        title: TYPE_IN,
        save_file: Some(roms::type_in()),
        about: "READY, and check letters for each line",
        place: None,
        ..prompt
    };
    let games = roms::games::ALL.iter().map(|game| BuiltIn {
        name: game.name,
        title: game.title,
        save_file: Some(game.save_file()),
        joystick: game.joystick,
        origin: Origin::Game {
            saves: has_folder(game.save_file()),
        },
        about: about(game.name),
        place: place(game.name),
    });
    games.chain([prompt, type_in]).collect()
}

/// True if a SAVE file has a text that begins with `H:`: a token, the text's length, the text.
fn has_folder(program: &[u8]) -> bool {
    const TEXT: u8 = 0x0F;
    let begins = |bytes: &[u8]| bytes[0] == TEXT && bytes[1] >= 2 && bytes[2..] == *b"H:";
    program.windows(4).any(begins)
}

/// The number of the program with this title in [`all`].
pub(crate) fn number_of(title: &str) -> Option<u8> {
    let mut titles = roms::games::ALL.iter().map(|game| game.title);
    let number = titles.position(|known| known == title);
    let own = OF_USER.iter().position(|known| *known == title);
    let number = number.or(own.map(|number| roms::games::ALL.len() + number))?;
    u8::try_from(number).ok()
}

/// The title of the READY prompt in the menu.
const PROMPT: &str = "BASIC";
/// The title of the READY prompt at which each line gets its check letters.
const TYPE_IN: &str = "Type it in";
/// The titles of built-in programs in which the user writes a program, in the order of [`all`].
pub(crate) const OF_USER: [&str; 2] = [PROMPT, TYPE_IN];

/// The built-in program of this name, the menu included; `None` for other names.
///
/// # Errors
/// When its file is damaged; a test shows that no file is.
pub fn find(name: &str) -> Result<Option<Program>, ProgramError> {
    let lower = name.to_ascii_lowercase();
    if lower == "menu" {
        return menu().map(Some);
    }
    let known = all().into_iter().find(|known| known.name == lower);
    known.map(|known| known.program()).transpose()
}

impl BuiltIn {
    /// The program, ready to be put into a machine.
    ///
    /// # Errors
    /// When its SAVE file is damaged; a test shows that none is.
    pub fn program(&self) -> Result<Program, ProgramError> {
        let kind = match self.save_file {
            None => Kind::Prompt,
            Some(file) => Kind::Basic(Basic::parse_save(file)?),
        };
        Ok(Program {
            title: self.title.to_owned(),
            kind,
            joystick: self.joystick,
            origin: self.origin,
            ..Program::default()
        })
    }
}

/// Kilobytes of memory from which on the menu has its tune.
const TUNE_FITS: u32 = 24;

/// The menu: a BASIC program that says in memory what was chosen.
///
/// # Errors
/// When its listing is not BASIC; a test shows that it is.
pub fn menu() -> Result<Program, ProgramError> {
    menu_at("")
}

/// The menu with its cursor on the program of a title, which was the last one.
pub(crate) fn menu_at(title: &str) -> Result<Program, ProgramError> {
    let last = all().into_iter().find(|program| program.title == title);
    let is_last = |place: &Place| last.is_some_and(|program| program.name == place.name);
    menu_on(PLACES.iter().position(is_last).unwrap_or(0), "")
}

/// A menu with its tune, if the machine has enough kilobytes for it.
pub(crate) fn menu_with_tune(menu: &Kind, kilobytes: u32) -> Option<Kind> {
    let saved = |kind: &Kind| match kind {
        Kind::Basic(program) => Some(program.to_save()),
        _ => None,
    };
    let plain = saved(menu).filter(|_| kilobytes >= TUNE_FITS)?;
    let is_it = |&place: &usize| {
        menu_on(place, "").is_ok_and(|menu| saved(&menu.kind).as_ref() == Some(&plain))
    };
    let place = (0..PLACES.len()).find(is_it)?;
    menu_on(place, roms::menu_tune()).ok().map(|menu| menu.kind)
}

/// The menu with its cursor on a place, and more lines. Its lines from 9000 on come from [`PLACES`] and [`all`].
fn menu_on(place: usize, more: &str) -> Result<Program, ProgramError> {
    let known = all();
    // Without its remarks, to which no line jumps, it fits into the 16K of a 400.
    let mut text: String = roms::menu()
        .lines()
        .chain(more.lines())
        .filter(|line| !line.contains(" REM "))
        .flat_map(|line| [line, "\n"])
        .collect();
    for (i, place) in PLACES.iter().enumerate() {
        // A number above 99 is a place without a program.
        let number = known
            .iter()
            .position(|p| p.name == place.name)
            .unwrap_or(255);
        let title = known.get(number).map_or("-", |p| p.title);
        let title = title.to_ascii_uppercase();
        let line = 9000 + 10 * i;
        let Place {
            above,
            label,
            description,
            colour,
            ..
        } = place;
        let _ = writeln!(
            text,
            "{line} DATA {number},{label},{colour},{title},{description},{above}"
        );
    }
    let _ = writeln!(text, "335 S={place}");
    // T, wherever the cursor is.
    if let Some(number) = number_of(TYPE_IN) {
        let _ = writeln!(text, "504 IF C=45 THEN N(S)={number}:GOTO 700");
    }
    Ok(Program {
        title: "Menu".to_owned(),
        kind: Kind::Basic(listing(text.as_bytes())?),
        joystick: false,
        origin: Origin::Menu,
        ..Program::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_program_can_be_found_by_its_name() {
        for known in all() {
            let program = find(known.name).unwrap().unwrap();
            assert_eq!(program.title, known.title);
        }
        assert!(matches!(find("BASIC").unwrap().unwrap().kind, Kind::Prompt));
        assert!(find("no-such-game").unwrap().is_none());
    }

    #[test]
    fn the_games_that_name_a_file_of_the_folder_keep_files() {
        for game in roms::games::ALL {
            let known = all().into_iter().find(|known| known.name == game.name);
            let listing = media::basic::Program::parse_save(game.save_file())
                .unwrap()
                .list();
            let saves = listing.windows(3).any(|text| text == b"\"H:");
            assert_eq!(
                known.unwrap().origin,
                Origin::Game { saves },
                "{}",
                game.name
            );
        }
    }

    #[test]
    fn every_built_in_program_has_a_place_in_the_menu() {
        for known in all() {
            // A key of the menu starts it.
            assert_eq!(
                known.place.is_some(),
                known.title != TYPE_IN,
                "{}",
                known.name
            );
            assert!(known.title.len() <= 20);
        }
        for place in PLACES {
            let fits =
                place.label.len() <= 8 && place.above.len() <= 6 && place.description.len() <= 38;
            assert!(fits && !place.description.contains(','), "{}", place.name);
        }
    }

    #[test]
    fn the_menu_comes_back_to_the_last_program_and_has_its_tune_where_it_fits() {
        let list = |kind: &Kind| match kind {
            Kind::Basic(program) => String::from_utf8_lossy(&program.list()).into_owned(),
            _ => String::new(),
        };
        let menu = menu_at("Checkers").unwrap().kind;
        assert!(list(&menu).contains("335 S=4"));
        assert!(menu_with_tune(&menu, 16).is_none());
        let tune = list(&menu_with_tune(&menu, 48).unwrap());
        assert!(tune.contains("335 S=4") && tune.contains("DIM MUSIC$"));
    }
}
