//! The games that come with the machine: BASIC programs, tokenised from their listings when this crate is built.

use crate::supply::{join, split};
use std::sync::OnceLock;

/// A game.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// The name by which it is started, also that of its folder below `roms/games`.
    pub name: &'static str,
    /// The title a menu shows.
    pub title: &'static str,
    /// True if it is played with joysticks (otherwise with the keyboard).
    pub joystick: bool,
    /// The program as BASIC saves it; empty with the feature `supplied` until the program has brought it: see [`Game::save_file`].
    pub program: &'static [u8],
    /// The kilobytes of memory it needs.
    pub needs: u32,
    /// The program for machines with more memory than that.
    pub full: Option<Full>,
}

/// A game with the lines that need more memory.
#[derive(Clone, Copy, Debug)]
pub struct Full {
    /// The kilobytes of memory it needs.
    pub needs: u32,
    /// The program as BASIC saves it; empty with the feature `supplied`.
    pub program: &'static [u8],
}

/// The SAVE files of all games, which our page loads after its first picture, in the order of [`ALL`]; where a game has two,
/// the one for more memory comes second.
static SUPPLIED: OnceLock<Vec<&'static [u8]>> = OnceLock::new();

/// The SAVE files of all games as one file, for [`supply`].
#[must_use]
pub fn pack() -> Vec<u8> {
    join(ALL.iter().flat_map(|game| {
        let full = game.full.map(|full| full.program);
        std::iter::once(game.program).chain(full)
    }))
}

/// Brings the SAVE files of the games into a program with the feature `supplied`. False when the file is damaged.
#[must_use]
pub fn supply(file: Vec<u8>) -> bool {
    let wanted = ALL.iter().map(|game| 1 + usize::from(game.full.is_some()));
    let programs = split(file.leak()).filter(|programs| programs.len() == wanted.sum());
    programs.is_some_and(|programs| SUPPLIED.set(programs).is_ok())
}

/// True if the programs are there: always without the feature `supplied`.
#[must_use]
pub fn are_here() -> bool {
    ALL.iter().all(|game| !game.save_file().is_empty())
}

impl Game {
    /// The program as BASIC saves it; empty with the feature `supplied` before [`supply`].
    #[must_use]
    pub fn save_file(&self) -> &'static [u8] {
        self.supplied(0).unwrap_or(self.program)
    }

    /// The image that [`supply`] has brought: 0 is the program, 1 the one for more memory.
    fn supplied(&self, which: usize) -> Option<&'static [u8]> {
        let before = ALL.iter().take_while(|game| game.name != self.name);
        let before: usize = before
            .map(|game| 1 + usize::from(game.full.is_some()))
            .sum();
        SUPPLIED.get()?.get(before + which).copied()
    }

    /// The program for a machine with `kilobytes` of memory. `None` when it does not fit.
    #[must_use]
    pub fn for_memory(&self, kilobytes: u32) -> Option<&'static [u8]> {
        match self.full {
            Some(full) if kilobytes >= full.needs => Some(self.supplied(1).unwrap_or(full.program)),
            _ => (kilobytes >= self.needs).then(|| self.save_file()),
        }
    }
}

macro_rules! program {
    ($path:expr) => {
        if cfg!(feature = "supplied") {
            &[]
        } else {
            include_bytes!($path)
        }
    };
}

macro_rules! full {
    ($name:literal, $needs:literal) => {
        Some(Full {
            needs: $needs,
            program: program!(concat!(env!("OUT_DIR"), "/", $name, "-full.bas")),
        })
    };
}

macro_rules! game {
    ($name:literal, $title:literal, $joystick:literal, $needs:literal, $full:expr) => {
        Game {
            name: $name,
            title: $title,
            joystick: $joystick,
            program: program!(concat!(env!("OUT_DIR"), "/", $name, ".bas")),
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
        full!("crazy-eights", 32)
    ),
    game!("gammon", "Computer Gammon", true, 24, full!("gammon", 32)),
    game!("go-fish", "Go Fish", false, 32, full!("go-fish", 40)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_gets_the_same_programs_later() {
        assert!(!supply(pack()[..1000].to_vec()));
        assert!(supply(pack()));
        for game in ALL {
            assert!(game.save_file() == game.program, "{}", game.name);
            let plain = game.for_memory(game.needs).unwrap();
            assert!(plain == game.program, "{}", game.name);
            if let Some(full) = game.full {
                let program = game.for_memory(full.needs).unwrap();
                assert!(program == full.program, "{}", game.name);
                assert!(program.as_ptr() != full.program.as_ptr());
            }
        }
    }
}
