//! The rules of Computer Gammon, written apart from the game: which plays a position and a throw allow.
use std::collections::HashSet;

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Moves up from peg 1 to 24, enters from peg 0.
    Blue,
    /// Moves down from peg 24 to 1, enters from peg 25.
    Green,
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Blue => Self::Green,
            Self::Green => Self::Blue,
        }
    }

    /// The peg that is its bar.
    #[must_use]
    pub const fn bar(self) -> usize {
        match self {
            Self::Blue => 0,
            Self::Green => 25,
        }
    }

    const fn sign(self) -> i8 {
        match self {
            Self::Blue => 1,
            Self::Green => -1,
        }
    }
}

/// The places of the tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Pegs 1 to 24, 0 blue's bar and 25 green's; positive blue, negative green.
    pub pegs: [i8; 26],
    /// Tiles that blue and green have borne off.
    pub off: [u8; 2],
}

/// A tile's way: from a peg (or the bar) to a peg, 25 (blue) or 0 (green) being off the board.
pub type Step = (usize, usize);

/// A whole play: its steps in order and what it leads to.
pub type Play = (Vec<Step>, Position);

/// No more tiles than these may stand on a peg.
pub const MOST: i8 = 5;

impl Position {
    /// The set-up.
    #[must_use]
    pub const fn start() -> Self {
        let mut pegs = [0; 26];
        pegs[1] = 2;
        pegs[12] = 5;
        pegs[17] = 3;
        pegs[19] = 5;
        pegs[24] = -2;
        pegs[13] = -5;
        pegs[8] = -3;
        pegs[6] = -5;
        Self { pegs, off: [0; 2] }
    }

    /// Tiles of a side on a peg.
    #[must_use]
    pub const fn tiles(&self, side: Side, peg: usize) -> i8 {
        let count = self.pegs[peg] * side.sign();
        if count > 0 { count } else { 0 }
    }

    /// Pips a side has still to go.
    #[must_use]
    pub fn pips(&self, side: Side) -> i32 {
        (0..26)
            .map(|peg| {
                let way = match side {
                    Side::Blue => 25 - peg,
                    Side::Green => peg,
                };
                i32::from(self.tiles(side, peg)) * way as i32
            })
            .sum()
    }

    /// One tile by one die: the peg it reaches, and the position then. `None` where the rules forbid it.
    #[must_use]
    pub fn step(&self, side: Side, from: usize, die: u8) -> Option<(usize, Self)> {
        let (sign, bar) = (side.sign(), side.bar());
        if self.tiles(side, from) == 0 || (self.tiles(side, bar) > 0 && from != bar) {
            return None;
        }
        let to = from as i32 + i32::from(sign) * i32::from(die);
        let mut next = *self;
        next.pegs[from] -= sign;
        if (1..=24).contains(&to) {
            let to = to as usize;
            match self.pegs[to] * sign {
                -1 => {
                    next.pegs[to] = sign;
                    next.pegs[side.other().bar()] -= sign;
                }
                count if (0..MOST).contains(&count) => next.pegs[to] += sign,
                _ => return None,
            }
            return Some((to, next));
        }
        // Off the board: all tiles must stand on the last six pegs, and where the die is larger than the way no tile may be farther away.
        let way = |peg: usize| match side {
            Side::Blue => 25 - peg,
            Side::Green => peg,
        };
        let behind = |from: usize| (0..26).any(|p| self.tiles(side, p) > 0 && way(p) > from);
        if behind(6) || (way(from) < usize::from(die) && behind(way(from))) {
            return None;
        }
        next.off[side as usize] += 1;
        Some((25 - bar, next))
    }

    /// All plays of a throw that use as many dice as can be used, one for each position they lead to and each order of steps.
    /// Empty when no tile can move.
    #[must_use]
    pub fn plays(&self, side: Side, dice: &[u8]) -> Vec<Play> {
        let mut all = Vec::new();
        let mut seen = HashSet::new();
        self.search(side, dice, &mut Vec::new(), &mut seen, &mut all);
        let most = all.iter().map(|(steps, _)| steps.len()).max().unwrap_or(0);
        all.retain(|(steps, _)| steps.len() == most && most > 0);
        all
    }

    fn search(
        &self,
        side: Side,
        dice: &[u8],
        steps: &mut Vec<Step>,
        seen: &mut HashSet<(Self, Vec<u8>)>,
        all: &mut Vec<Play>,
    ) {
        let mut rest: Vec<u8> = dice.to_vec();
        rest.sort_unstable();
        if !seen.insert((*self, rest.clone())) {
            return;
        }
        all.push((steps.clone(), *self));
        rest.dedup();
        for die in rest {
            let mut left = dice.to_vec();
            if let Some(at) = left.iter().position(|&d| d == die) {
                left.remove(at);
            }
            for from in 0..26 {
                if let Some((to, next)) = self.step(side, from, die) {
                    steps.push((from, to));
                    next.search(side, &left, steps, seen, all);
                    steps.pop();
                }
            }
        }
    }

    /// The positions after taking one tile from peg to peg by a die or by two in either order, without wasting any that can be played, each with
    /// the dice that are left. The four dice of a double are two pairs: with three left, only the first of them is played by itself.
    #[must_use]
    pub fn ways(&self, side: Side, dice: &[u8], from: usize, to: usize) -> Vec<(Self, Vec<u8>)> {
        let most = self.playable(side, dice);
        let at_most = if dice.len().is_multiple_of(2) { 2 } else { 1 };
        let mut found = Vec::new();
        let mut open = vec![(*self, from, dice.to_vec())];
        while let Some((position, at, left)) = open.pop() {
            for i in 0..left.len() {
                let Some((reached, next)) = position.step(side, at, left[i]) else {
                    continue;
                };
                let mut rest = left.clone();
                rest.remove(i);
                let used = dice.len() - rest.len();
                if used > at_most {
                    continue;
                }
                if reached == to && used + next.playable(side, &rest) == most {
                    found.push((next, rest.clone()));
                }
                if (1..25).contains(&reached) {
                    open.push((next, reached, rest));
                }
            }
        }
        found
    }

    /// The most dice of a throw that can be played.
    #[must_use]
    pub fn playable(&self, side: Side, dice: &[u8]) -> usize {
        self.plays(side, dice)
            .first()
            .map_or(0, |(steps, _)| steps.len())
    }

    /// The side that has borne off all its tiles.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        match self.off {
            [15, _] => Some(Side::Blue),
            [_, 15] => Some(Side::Green),
            _ => None,
        }
    }
}
