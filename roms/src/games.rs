//! The games that come with the machine: BASIC programs, tokenised from their listings when this crate is built.

/// A game.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// The name by which it is started, also that of its folder below `roms/games`.
    pub name: &'static str,
    /// The title a menu shows.
    pub title: &'static str,
    /// Whether it is played with joysticks (otherwise with the keyboard).
    pub joystick: bool,
    /// The program as BASIC saves it.
    pub program: &'static [u8],
    /// The listing it is made from.
    pub listing: &'static str,
}

macro_rules! game {
    ($name:literal, $title:literal, $joystick:literal) => {
        Game {
            name: $name,
            title: $title,
            joystick: $joystick,
            program: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".bas")),
            listing: include_str!(concat!("../games/", $name, "/", $name, ".lst")),
        }
    };
}

/// All games, in the order of the menu.
pub const ALL: &[Game] = &[
    game!("crazy-eights", "Crazy Eights", false),
    game!("gammon", "Computer Gammon", true),
    game!("go-fish", "Go Fish", false),
    game!("tic-tac-toe", "Tic-Tac-Toe", true),
    game!("checkers", "Checkers", true),
    game!("focal", "FOCAL Checkers", false),
    game!("hexapawn", "Hexapawn", false),
];

/// The game of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Game> {
    ALL.iter().find(|game| game.name == name)
}
