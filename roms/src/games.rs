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
    /// The listing it is made from; empty in a page of the web, of which it would be a third.
    pub listing: &'static str,
    /// The kilobytes of memory it needs.
    pub needs: u32,
    /// The program and its listing for machines with more memory than that: how many kilobytes it needs then.
    pub full: Option<Full>,
}

/// A game with the lines that need more memory.
#[derive(Clone, Copy, Debug)]
pub struct Full {
    /// The kilobytes of memory it needs.
    pub needs: u32,
    /// The program as BASIC saves it.
    pub program: &'static [u8],
    /// The listing it is made from; empty in a page of the web.
    pub listing: &'static str,
}

impl Game {
    /// The program and its listing for a machine with so many kilobytes of memory. `None` when it does not fit.
    #[must_use]
    pub fn for_memory(&self, kilobytes: u32) -> Option<(&'static [u8], &'static str)> {
        match self.full {
            Some(full) if kilobytes >= full.needs => Some((full.program, full.listing)),
            _ => (kilobytes >= self.needs).then_some((self.program, self.listing)),
        }
    }
}

macro_rules! listing {
    ($path:expr) => {
        if cfg!(target_arch = "wasm32") {
            ""
        } else {
            include_str!($path)
        }
    };
}

macro_rules! full {
    ($name:literal, $needs:literal) => {
        Some(Full {
            needs: $needs,
            program: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, "-full.bas")),
            listing: listing!(concat!(env!("OUT_DIR"), "/", $name, "-full.lst")),
        })
    };
}

macro_rules! game {
    ($name:literal, $title:literal, $joystick:literal, $needs:literal, $full:expr) => {
        Game {
            name: $name,
            title: $title,
            joystick: $joystick,
            program: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".bas")),
            listing: listing!(concat!("../games/", $name, "/", $name, ".lst")),
            needs: $needs,
            full: $full,
        }
    };
}

/// All games, in the order of the menu.
pub const ALL: &[Game] = &[
    game!(
        "crazy-eights",
        "Crazy Eights",
        false,
        16,
        full!("crazy-eights", 24)
    ),
    game!("gammon", "Computer Gammon", true, 24, full!("gammon", 32)),
    game!("go-fish", "Go Fish", false, 32, None),
    game!("tic-tac-toe", "Tic-Tac-Toe", true, 32, None),
    game!("checkers", "Checkers", true, 40, None),
    game!("focal", "FOCAL Checkers", false, 24, None),
    game!("hexapawn", "Hexapawn", false, 40, None),
];

/// The game of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Game> {
    ALL.iter().find(|game| game.name == name)
}
