//! The rules of the games that come with the machine, written independently of their listings: what the screen shows must agree with them after
//! every move.
pub mod checkers;
pub mod crazy_eights;
pub mod gammon;
pub mod go_fish;
pub mod hexapawn;
pub mod tic_tac_toe;

/// Chance for the players in the tests (xorshift): the same seed, the same game.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The chance of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut chance = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            chance.next();
        }
        chance
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end
    }

    /// One of the choices.
    ///
    /// # Panics
    /// When the list is empty.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
