//! Tic-Tac-Toe: the nine squares, lines, and what a position is worth.

/// A mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// The side that begins.
    X,
    /// The other one.
    O,
}

impl Mark {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::X => Self::O,
            Self::O => Self::X,
        }
    }
}

/// The squares, row by row from the upper left.
pub type Board = [Option<Mark>; 9];

const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

/// The mark that has three in a line.
#[must_use]
pub fn winner(board: &Board) -> Option<Mark> {
    LINES
        .iter()
        .find(|line| board[line[0]].is_some() && line.iter().all(|&s| board[s] == board[line[0]]))
        .and_then(|line| board[line[0]])
}

/// The free squares; none when the game is won.
#[must_use]
pub fn moves(board: &Board) -> Vec<usize> {
    if winner(board).is_some() {
        return Vec::new();
    }
    (0..9).filter(|&s| board[s].is_none()).collect()
}

/// The value of the position for `side`, who is to move, with best play of both: 1 won, 0 a tie, -1 lost.
#[must_use]
pub fn value(board: &Board, side: Mark) -> i8 {
    if let Some(mark) = winner(board) {
        return if mark == side { 1 } else { -1 };
    }
    let mut best = None;
    for square in moves(board) {
        let mut after = *board;
        after[square] = Some(side);
        best = best.max(Some(-value(&after, side.other())));
        if best == Some(1) {
            break;
        }
    }
    best.unwrap_or(0)
}

/// The position in the one of its eight turns and mirrors that sorts first.
#[must_use]
pub fn canonical(board: &Board) -> Board {
    let mut best = *board;
    let mut turned = *board;
    for turn in 0..8 {
        // A quarter turn; after four of them a mirror.
        turned = std::array::from_fn(|s| {
            let (row, column) = (s / 3, s % 3);
            turned[if turn == 4 {
                3 * row + 2 - column
            } else {
                3 * (2 - column) + row
            }]
        });
        best = best.min(turned);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::{Mark, canonical, moves, value, winner};

    #[test]
    fn a_perfect_game_is_a_tie_and_an_edge_beside_the_centre_loses() {
        let mut board = [None; 9];
        assert_eq!(value(&board, Mark::X), 0);
        board[4] = Some(Mark::X);
        board[1] = Some(Mark::O);
        assert_eq!(value(&board, Mark::X), 1);
        assert_eq!(moves(&board).len(), 7);
        let mut turned = [None; 9];
        turned[4] = Some(Mark::X);
        turned[3] = Some(Mark::O);
        assert_eq!(canonical(&board), canonical(&turned));
        board[7] = Some(Mark::X);
        assert_eq!(winner(&board), None);
    }
}
