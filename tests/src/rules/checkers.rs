//! Checkers: forced and multiple jumps, kings, and when a game is over.

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Starts on rows 1 to 3 and moves to higher rows.
    Black,
    /// Starts on rows 6 to 8.
    White,
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

/// A man or a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its side.
    pub side: Side,
    /// True if it is crowned.
    pub king: bool,
}

/// From where to where, as numbers 8 * row + column, 0 being A1.
pub type Step = (usize, usize);

/// Result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The other side cannot move.
    Won(Side),
    /// Neither side has jumped or moved a man for 40 moves of each.
    Draw,
}

/// Moves of both sides together without a jump or a man's step that make a draw.
const QUIET: u32 = 80;

/// The board, 8 * row + column, A1 being 0.
pub type Board = [Option<Piece>; 64];

/// A position in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The pieces on the board.
    pub board: Board,
    /// The side to move.
    pub turn: Side,
    /// The piece that is in the middle of its jumps.
    pub hop: Option<usize>,
    quiet: u32,
}

impl Position {
    /// The beginning of a game.
    #[must_use]
    pub fn start(turn: Side) -> Self {
        let board = std::array::from_fn(|square| {
            let (row, column) = (square / 8, square % 8);
            let side = match row {
                0..3 => Side::Black,
                5..8 => Side::White,
                _ => return None,
            };
            (row + column)
                .is_multiple_of(2)
                .then_some(Piece { side, king: false })
        });
        Self {
            board,
            turn,
            hop: None,
            quiet: 0,
        }
    }

    /// The square `distance` diagonals away.
    fn away(square: usize, rows: isize, columns: isize, distance: isize) -> Option<usize> {
        let row = (square / 8) as isize + rows * distance;
        let column = (square % 8) as isize + columns * distance;
        ((0..8).contains(&row) && (0..8).contains(&column)).then(|| (8 * row + column) as usize)
    }

    /// Steps of the piece on a square, jumps or others, whatever the rest of the board allows.
    fn of_piece(&self, square: usize, jumps: bool, out: &mut Vec<Step>) {
        let Some(piece) = self.board[square] else {
            return;
        };
        for rows in [-1, 1] {
            if !piece.king && (rows == 1) != (piece.side == Side::Black) {
                continue;
            }
            for columns in [-1, 1] {
                let near = Self::away(square, rows, columns, 1);
                let far = Self::away(square, rows, columns, 2);
                match (near, far) {
                    (Some(near), _) if !jumps && self.board[near].is_none() => {
                        out.push((square, near));
                    }
                    (Some(near), Some(far))
                        if jumps
                            && self.board[near].is_some_and(|p| p.side != piece.side)
                            && self.board[far].is_none() =>
                    {
                        out.push((square, far));
                    }
                    _ => {}
                }
            }
        }
    }

    /// All legal steps of the side to move. A jump that continues is several steps.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        let mut out = Vec::new();
        if let Some(square) = self.hop {
            self.of_piece(square, true, &mut out);
            return out;
        }
        for jumps in [true, false] {
            for square in 0..64 {
                if self.board[square].is_some_and(|p| p.side == self.turn) {
                    self.of_piece(square, jumps, &mut out);
                }
            }
            if !out.is_empty() {
                break;
            }
        }
        out
    }

    /// Plays a legal step.
    ///
    /// # Errors
    /// When it is not legal.
    pub fn play(&mut self, step: Step) -> Result<(), String> {
        if !self.steps().contains(&step) {
            return Err(format!("{step:?} is not legal in {self:?}"));
        }
        let (from, to) = step;
        let Some(mut piece) = self.board[from].take() else {
            return Err(format!("no piece on {from}"));
        };
        let jump = from.abs_diff(to) > 9;
        self.quiet = if jump || !piece.king {
            0
        } else {
            self.quiet + 1
        };
        if jump {
            self.board[usize::midpoint(from, to)] = None;
        }
        let crowned = !piece.king && to / 8 == if piece.side == Side::Black { 7 } else { 0 };
        piece.king |= crowned;
        self.board[to] = Some(piece);
        let mut more = Vec::new();
        if jump && !crowned {
            self.of_piece(to, true, &mut more);
        }
        if more.is_empty() {
            self.hop = None;
            self.turn = self.turn.other();
        } else {
            self.hop = Some(to);
        }
        Ok(())
    }

    /// Result of the game, if it is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if self.steps().is_empty() {
            Some(Outcome::Won(self.turn.other()))
        } else if self.quiet >= QUIET {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    /// Pieces of a side, a king counting three halves, in halves.
    #[must_use]
    pub fn material(&self, side: Side) -> i32 {
        let mut sum = 0;
        for piece in self.board.iter().flatten().filter(|p| p.side == side) {
            sum += if piece.king { 3 } else { 2 };
        }
        sum
    }

    /// The gain that the side to move can make at once, in halves of a man.
    fn best_jump(&self) -> i32 {
        let before = self.material(self.turn.other());
        let mut best = 0;
        for step in self.steps() {
            if step.0.abs_diff(step.1) < 10 {
                break;
            }
            let mut after = self.clone();
            let _ = after.play(step);
            let mut won = before - after.material(self.turn.other());
            if after.hop.is_some() {
                won += after.best_jump();
            }
            best = best.max(won);
        }
        best
    }

    /// The gain of a step, less the gain of the other side's best reply.
    #[must_use]
    pub fn gain(&self, step: Step) -> i32 {
        let balance = |p: &Self| p.material(self.turn) - p.material(self.turn.other());
        let mut after = self.clone();
        let _ = after.play(step);
        let reply = after.best_jump();
        balance(&after) - balance(self) + if after.hop.is_some() { reply } else { -reply }
    }
}

/// The name of a square, as A1.
#[must_use]
pub fn name(square: usize) -> String {
    format!(
        "{}{}",
        char::from(b'A' + (square % 8) as u8),
        square / 8 + 1
    )
}

/// The square of a name.
#[must_use]
pub fn square(name: &str) -> Option<usize> {
    let &[column @ b'A'..=b'H', row @ b'1'..=b'8'] = name.as_bytes() else {
        return None;
    };
    Some(usize::from(8 * (row - b'1') + column - b'A'))
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Piece, Position, Side, square};

    fn position(turn: Side, pieces: &[(&str, Side, bool)]) -> Position {
        let mut position = Position::start(turn);
        position.board = [None; 64];
        for &(name, side, king) in pieces {
            position.board[square(name).unwrap()] = Some(Piece { side, king });
        }
        position
    }

    /// Steps from the beginning of the game to a depth, every jump of a chain being one: the published counts of English draughts
    /// (7, 49, 302, 1469, 7361), where chains are one move, agree as long as no chain has two jumps.
    #[test]
    fn the_first_moves_are_as_many_as_published() {
        fn count(position: &Position, depth: u32) -> u32 {
            if depth == 0 {
                return 1;
            }
            position
                .steps()
                .into_iter()
                .map(|step| {
                    let mut after = position.clone();
                    after.play(step).unwrap();
                    // A chain of jumps is one move.
                    count(&after, depth - u32::from(after.hop.is_none()))
                })
                .sum()
        }
        let start = Position::start(Side::Black);
        let counts: Vec<u32> = (1..7).map(|depth| count(&start, depth)).collect();
        assert_eq!(counts, [7, 49, 302, 1469, 7361, 36768]);
    }

    #[test]
    fn a_man_must_jump_and_goes_on_until_it_is_crowned() {
        let mut game = position(
            Side::Black,
            &[
                ("A1", Side::Black, false),
                ("H2", Side::Black, false),
                ("B2", Side::White, false),
                ("D4", Side::White, true),
            ],
        );
        assert_eq!(game.steps(), [(0, 18)]);
        game.play((0, 18)).unwrap();
        assert_eq!((game.turn, game.steps()), (Side::Black, vec![(18, 36)]));
        game.play((18, 36)).unwrap();
        assert_eq!(game.outcome(), Some(Outcome::Won(Side::Black)));
    }
}
