//! Hexapawn: the moves of both sides, and the nineteen boards that the computer knows.

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// X, from the top row down.
    Computer,
    /// O, from the bottom row up; begins.
    Player,
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Computer => Self::Player,
            Self::Player => Self::Computer,
        }
    }
}

/// The squares 1 to 9, from the upper left.
pub type Board = [Option<Side>; 9];

/// From and to, 1 to 9.
pub type Move = (usize, usize);

/// The board at the start of a game.
pub const START: Board = {
    let (x, o) = (Some(Side::Computer), Some(Side::Player));
    [x, x, x, None, None, None, o, o, o]
};

/// The moves that the rules allow `side`.
#[must_use]
pub fn moves(board: &Board, side: Side) -> Vec<Move> {
    let mut out = Vec::new();
    for from in 1..=9usize {
        for to in 1..=9usize {
            let (row, column) = ((from - 1) / 3, (from - 1) % 3);
            let (to_row, to_column) = ((to - 1) / 3, (to - 1) % 3);
            let ahead = match side {
                Side::Computer => to_row == row + 1,
                Side::Player => to_row + 1 == row,
            };
            let target = match column.abs_diff(to_column) {
                0 => None,
                1 => Some(side.other()),
                _ => continue,
            };
            if board[from - 1] == Some(side) && ahead && board[to - 1] == target {
                out.push((from, to));
            }
        }
    }
    out
}

/// The board after a move.
#[must_use]
pub fn after(board: &Board, (from, to): Move) -> Board {
    let mut board = *board;
    board[to - 1] = board[from - 1].take();
    board
}

/// The winner on a board on which `side` has just moved.
#[must_use]
pub fn winner(board: &Board, side: Side) -> Option<Side> {
    let far = match side {
        Side::Computer => &board[6..],
        Side::Player => &board[..3],
    };
    let won = far.contains(&Some(side)) || moves(board, side.other()).is_empty();
    won.then_some(side)
}

/// The boards and moves that the computer knows at first, as the magazine printed them (from * 10 + to).
pub const KNOWN: [(&str, &[u8]); 19] = [
    ("XXXO...OO", &[24, 25, 36]),
    ("XXX.O.O.O", &[14, 15, 35, 36]),
    ("X.XXO...O", &[15, 35, 36, 47]),
    (".XXOX...O", &[36, 58, 59]),
    ("X.XOO..O.", &[15, 35, 36]),
    ("XX.O.O..O", &[24, 25, 26]),
    (".XX.XOO..", &[26, 57, 58]),
    (".XXXOOO..", &[26, 35]),
    ("X.XX.O.O.", &[47, 48]),
    (".XX.O...O", &[35, 36]),
    (".XX.O.O..", &[35, 36]),
    ("X.XO....O", &[36]),
    ("..XXXO...", &[47, 58]),
    ("X..OOO...", &[15]),
    (".X.XOO...", &[26, 47]),
    ("X..XXO...", &[47, 58]),
    ("..XXO....", &[35, 36, 47]),
    (".X.OX....", &[24, 58]),
    ("X..XO....", &[15, 47]),
];

/// The square beside it in the mirror.
#[must_use]
pub fn mirrored(square: usize) -> usize {
    square + 2 - 2 * ((square - 1) % 3)
}

/// The number (from 0) of the known board, and whether it is met in the mirror.
#[must_use]
pub fn known(board: &Board) -> Option<(usize, bool)> {
    let letter = |square: usize| match board[square - 1] {
        Some(Side::Computer) => 'X',
        Some(Side::Player) => 'O',
        None => '.',
    };
    let plain: String = (1..=9).map(letter).collect();
    let mirror: String = (1..=9).map(|s| letter(mirrored(s))).collect();
    KNOWN.iter().enumerate().find_map(|(i, (text, _))| {
        if *text == plain {
            Some((i, false))
        } else {
            (*text == mirror).then_some((i, true))
        }
    })
}

/// The knowledge of the computer: the moves that are left for each board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge(pub Vec<Vec<u8>>);

impl Default for Knowledge {
    fn default() -> Self {
        Self(KNOWN.iter().map(|(_, moves)| moves.to_vec()).collect())
    }
}

impl Knowledge {
    /// The moves it may choose from, as they are on this board.
    #[must_use]
    pub fn moves(&self, board: &Board) -> Option<Vec<Move>> {
        let (number, mirror) = known(board)?;
        let turn = |square: u8| {
            let square = usize::from(square);
            if mirror { mirrored(square) } else { square }
        };
        Some(
            self.0[number]
                .iter()
                .map(|code| (turn(code / 10), turn(code % 10)))
                .collect(),
        )
    }

    /// Strikes a move that lost.
    pub fn strike(&mut self, board: &Board, (from, to): Move) {
        if let Some((number, mirror)) = known(board) {
            let turn = |square| if mirror { mirrored(square) } else { square };
            // A symmetrical board has the move and its mirror: only the one that was made goes.
            let code = (10 * turn(from) + turn(to)) as u8;
            self.0[number].retain(|&m| m != code);
        }
    }

    /// True if a player can still win, against every choice that is left.
    #[must_use]
    pub fn can_lose(&self) -> bool {
        self.loses(&START)
    }

    /// True if some play from here, with the player to move, ends with the player's win.
    #[must_use]
    pub fn loses(&self, board: &Board) -> bool {
        moves(board, Side::Player)
            .into_iter()
            .any(|choice| self.answer_can_lose(&after(board, choice)))
    }

    /// True if some answer to this board, on which the player has just moved, loses.
    #[must_use]
    pub fn answer_can_lose(&self, board: &Board) -> bool {
        if winner(board, Side::Player).is_some() {
            return true;
        }
        let answers = self.moves(board).unwrap_or_default();
        answers.is_empty()
            || answers.into_iter().any(|answer| {
                let next = after(board, answer);
                winner(&next, Side::Computer).is_none() && self.loses(&next)
            })
    }

    /// The share of the computer's choices, each as likely as the others, that lose against the player's best play.
    #[must_use]
    pub fn chance_to_beat(&self, board: &Board) -> f64 {
        moves(board, Side::Player)
            .into_iter()
            .map(|choice| self.chance_after(&after(board, choice)))
            .fold(0.0, f64::max)
    }

    /// The share of the computer's choices that lose, when the player has just made the board.
    #[must_use]
    pub fn chance_after(&self, board: &Board) -> f64 {
        if winner(board, Side::Player).is_some() {
            return 1.0;
        }
        let answers = self.moves(board).unwrap_or_default();
        if answers.is_empty() {
            return 1.0;
        }
        let sum: f64 = answers
            .iter()
            .map(|&answer| {
                let next = after(board, answer);
                if winner(&next, Side::Computer).is_some() {
                    0.0
                } else {
                    self.chance_to_beat(&next)
                }
            })
            .sum();
        sum / answers.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::{Knowledge, START, Side, after, known, moves, winner};

    /// Every board that legal play can bring before the computer is one that it knows.
    #[test]
    fn all_boards_that_can_come_are_known() {
        fn look(board: &super::Board, met: &mut std::collections::BTreeSet<usize>) {
            for choice in moves(board, Side::Player) {
                let mine = after(board, choice);
                if winner(&mine, Side::Player).is_some() {
                    continue;
                }
                met.insert(known(&mine).unwrap().0);
                let answers = Knowledge::default().moves(&mine).unwrap();
                for answer in answers {
                    assert!(moves(&mine, Side::Computer).contains(&answer));
                    let next = after(&mine, answer);
                    if winner(&next, Side::Computer).is_none() {
                        look(&next, met);
                    }
                }
            }
        }
        let mut met = std::collections::BTreeSet::new();
        look(&START, &mut met);
        assert_eq!(met.len(), 19);
        assert!(Knowledge::default().can_lose());
    }
}
