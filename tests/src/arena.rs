//! Many games against the Atari in parallel machines: how strong its players are, how long they think, and whether a rule was broken.
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::players::{checkers, crazy_eights, focal, gammon, go_fish, hexapawn, tic_tac_toe};

/// Pictures a second of an NTSC machine: 1,789,772.5 cycles, 262 lines of 114.
const FRAMES: f64 = 59.92;

/// The winner of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    /// The Atari.
    Computer,
    /// The player in the tests.
    Player,
    /// A tie.
    Nobody,
}

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct Record {
    /// The winner, as the screen says it and the rules agree.
    pub winner: Winner,
    /// Frames (NTSC) that the Atari took for each of its moves.
    pub moves: Vec<u32>,
    /// Wrong entries that the player tried and the program refused.
    pub refused: u32,
}

/// A pairing that `xtask strength` plays: one game, one kind of opponent.
#[derive(Clone, Copy, Debug)]
pub struct Pairing {
    /// The game's name, as in `roms::games`.
    pub game: &'static str,
    /// The method of the player in the tests, in a word or two.
    pub opponent: &'static str,
    /// Plays the game of a seed; the error says which rule the program broke or where it stopped.
    pub play: fn(seed: u64) -> Result<Record, String>,
}

/// All pairings.
pub const PAIRINGS: &[Pairing] = &[
    Pairing {
        game: "crazy-eights",
        opponent: "random legal",
        play: crazy_eights::against_random,
    },
    Pairing {
        game: "crazy-eights",
        opponent: "keeps its eights",
        play: crazy_eights::against_sensible,
    },
    Pairing {
        game: "gammon",
        opponent: "random legal",
        play: gammon::against_random,
    },
    Pairing {
        game: "gammon",
        opponent: "greedy (pips)",
        play: gammon::against_greedy,
    },
    Pairing {
        game: "go-fish",
        opponent: "random asker",
        play: go_fish::against_random,
    },
    Pairing {
        game: "go-fish",
        opponent: "greedy asker",
        play: go_fish::against_greedy,
    },
    Pairing {
        game: "tic-tac-toe",
        opponent: "random legal",
        play: tic_tac_toe::against_random,
    },
    Pairing {
        game: "tic-tac-toe",
        opponent: "greedy",
        play: tic_tac_toe::against_greedy,
    },
    Pairing {
        game: "checkers",
        opponent: "random legal",
        play: checkers::against_random,
    },
    Pairing {
        game: "checkers",
        opponent: "greedy",
        play: checkers::against_greedy,
    },
    Pairing {
        game: "focal",
        opponent: "random legal",
        play: focal::against_random,
    },
    Pairing {
        game: "focal",
        opponent: "greedy",
        play: focal::against_greedy,
    },
    Pairing {
        game: "hexapawn",
        opponent: "random legal, untaught",
        play: hexapawn::untaught_against_random,
    },
    Pairing {
        game: "hexapawn",
        opponent: "best, untaught",
        play: hexapawn::untaught_against_best,
    },
    Pairing {
        game: "hexapawn",
        opponent: "random legal, taught",
        play: hexapawn::taught_against_random,
    },
];

/// Result of many games.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Games won by the Atari, by the player, drawn.
    pub won: [u64; 3],
    /// Wrong entries refused, in all games together.
    pub refused: u64,
    /// Frames of every move of the Atari, ascending.
    pub moves: Vec<u32>,
    /// Seeds of the games that broke a rule or did not end, with what happened.
    pub faults: Vec<(u64, String)>,
}

impl Results {
    /// Games that ended by the rules.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.won.iter().sum()
    }

    /// Share of the finished games that the Atari won (a tie is half a win), in percent, with its standard error.
    #[must_use]
    pub fn rate(&self) -> (f64, f64) {
        let games = self.finished().max(1) as f64;
        let share = (self.won[0] as f64 + 0.5 * self.won[2] as f64) / games;
        (
            100.0 * share,
            100.0 * (share * (1.0 - share) / games).sqrt(),
        )
    }

    /// Seconds that the Atari took for a move: median and longest.
    #[must_use]
    pub fn seconds(&self) -> (f64, f64) {
        let seconds = |frames: Option<&u32>| f64::from(frames.copied().unwrap_or(0)) / FRAMES;
        (
            seconds(self.moves.get(self.moves.len() / 2)),
            seconds(self.moves.last()),
        )
    }
}

impl fmt::Display for Results {
    /// The cells of a table's row: played, finished, won, lost, tied, rate, refused entries, faults, seconds a move (median, longest).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rate, error) = self.rate();
        let (median, longest) = self.seconds();
        write!(
            f,
            "{} | {} | {} | {} | {} | {rate:.1} ± {error:.1} | {} | {} | {median:.1} | {longest:.1}",
            self.finished() + self.faults.len() as u64,
            self.finished(),
            self.won[0],
            self.won[1],
            self.won[2],
            self.refused,
            self.faults.len(),
        )
    }
}

/// Plays the games of the seeds 1 to `games`, on all processors.
///
/// # Panics
/// When `play` does.
pub fn play<F>(games: u64, play: F) -> Results
where
    F: Fn(u64) -> Result<Record, String> + Sync,
{
    let next = AtomicU64::new(1);
    let results = Mutex::new(Results::default());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > games {
                        break;
                    }
                    let outcome = play(seed);
                    let mut results = results.lock().unwrap();
                    match outcome {
                        Ok(record) => {
                            results.won[record.winner as usize] += 1;
                            results.refused += u64::from(record.refused);
                            results.moves.extend(record.moves);
                        }
                        Err(fault) => results.faults.push((seed, fault)),
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap();
    results.moves.sort_unstable();
    results.faults.sort();
    results
}

#[cfg(test)]
mod tests {
    use super::{Record, Winner, play};

    #[test]
    fn games_are_counted_once_each() {
        let results = play(100, |seed| match seed % 4 {
            0 => Err("broke a rule".to_owned()),
            1 => Ok(Record {
                winner: Winner::Computer,
                moves: vec![60],
                refused: 1,
            }),
            2 => Ok(Record {
                winner: Winner::Player,
                moves: vec![120],
                refused: 0,
            }),
            _ => Ok(Record {
                winner: Winner::Nobody,
                moves: vec![600],
                refused: 0,
            }),
        });
        assert_eq!((results.won, results.faults.len()), ([25, 25, 25], 25));
        assert_eq!(results.refused, 25);
        let (rate, error) = results.rate();
        assert!((rate - 50.0).abs() < 1e-9 && (error - 5.77).abs() < 0.01);
    }
}
