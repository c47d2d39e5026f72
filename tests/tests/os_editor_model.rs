//! The screen editor against a plain model of what it is documented to do: random text and control codes, on the whole screen and in the
//! text window, with random margins.

use machine::{Model, Tv};
use tests::calls::{Os, Registers};

fn next(state: &mut u32) -> u32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *state >> 8
}

/// The text screen, its logical lines, and the cursor.
struct Editor {
    /// Screen codes.
    cells: Vec<[u8; 40]>,
    /// The rows that begin a logical line.
    starts: Vec<bool>,
    row: usize,
    column: usize,
    left: usize,
    right: usize,
    tabs: [bool; 120],
    escape: bool,
    /// The beginning of the line that is read.
    begin: (usize, usize),
}

impl Editor {
    fn new(rows: usize, left: usize, right: usize) -> Self {
        let mut tabs = [false; 120];
        for column in (7..120).step_by(8) {
            tabs[column] = true;
        }
        Self {
            cells: vec![[0; 40]; rows],
            starts: vec![true; rows],
            row: 0,
            column: left,
            left,
            right,
            tabs,
            escape: false,
            begin: (0, left),
        }
    }

    fn rows(&self) -> usize {
        self.cells.len()
    }

    /// The first row of the logical line with `row`.
    fn top(&self, row: usize) -> usize {
        (0..=row).rev().find(|&r| self.starts[r]).unwrap_or(0)
    }

    /// The first row after the logical line with the cursor.
    fn end(&self) -> usize {
        (self.row + 1..self.rows())
            .find(|&r| self.starts[r])
            .unwrap_or(self.rows())
    }

    fn logical_column(&self) -> usize {
        self.column + 40 * (self.row - self.top(self.row))
    }

    fn insert_row(&mut self, row: usize, start: bool) {
        self.cells.insert(row, [0; 40]);
        self.starts.insert(row, start);
        self.cells.pop();
        self.starts.pop();
    }

    fn delete_row(&mut self, row: usize) {
        self.cells.remove(row);
        self.starts.remove(row);
        self.cells.push([0; 40]);
        self.starts.push(true);
    }

    /// The logical line at the top leaves the screen.
    fn scroll(&mut self) {
        loop {
            self.delete_row(0);
            self.row -= 1;
            self.begin.0 = self.begin.0.saturating_sub(1);
            if self.starts[0] {
                return;
            }
        }
    }

    /// The row of the cursor, which may be the one below the screen, becomes the next one of the line above it, if that has less
    /// than three.
    fn extend(&mut self) {
        if self.row == self.rows() {
            self.scroll();
        } else if !self.starts[self.row] {
            return;
        }
        if self.row - self.top(self.row - 1) < 3 {
            self.insert_row(self.row, false);
        }
    }

    fn advance(&mut self) {
        if self.column < self.right {
            self.column += 1;
        } else {
            self.column = self.left;
            self.row += 1;
            self.extend();
        }
    }

    /// The cells from the cursor to the end of the logical line.
    fn rest(&self) -> Vec<(usize, usize)> {
        (self.row..self.end())
            .flat_map(|r| (self.left..=self.right).map(move |c| (r, c)))
            .filter(|&cell| cell >= (self.row, self.column))
            .collect()
    }

    /// A last row of the line that is blank is given back.
    fn shrink(&mut self) {
        let last = self.end() - 1;
        if last != self.row && self.cells[last] == [0; 40] {
            self.delete_row(last);
        }
    }

    fn delete_character(&mut self) {
        let rest = self.rest();
        for pair in rest.windows(2) {
            self.cells[pair[0].0][pair[0].1] = self.cells[pair[1].0][pair[1].1];
        }
        let &(row, column) = rest.last().unwrap();
        self.cells[row][column] = 0;
        self.shrink();
    }

    fn insert_character(&mut self) {
        let mut pushed = 0;
        let rest = self.rest();
        for &(row, column) in &rest {
            core::mem::swap(&mut self.cells[row][column], &mut pushed);
        }
        let &(row, column) = rest.last().unwrap();
        if pushed == 0 && self.cells[row][column] == 0 || row + 1 - self.top(row) >= 3 {
            return;
        }
        let cursor = (self.row, self.column);
        self.row = row + 1;
        self.extend();
        let scrolled = row + 1 - self.row;
        self.cells[self.row][self.left] = pushed;
        (self.row, self.column) = (cursor.0 - scrolled, cursor.1);
    }

    fn backspace(&mut self) {
        if self.column > self.left {
            self.column -= 1;
        } else if self.row > 0 && !self.starts[self.row] {
            self.row -= 1;
            self.column = self.right;
        } else {
            return;
        }
        self.cells[self.row][self.column] = 0;
        self.shrink();
    }

    fn put(&mut self, byte: u8) {
        if byte == 0x9B {
            self.escape = false;
            self.row = self.end();
            self.column = self.left;
            if self.row == self.rows() {
                self.scroll();
            }
            return;
        }
        let literal = core::mem::take(&mut self.escape);
        match byte {
            _ if literal => self.print(byte),
            0x1B => self.escape = true,
            0x1C => self.move_to_row(self.row.checked_sub(1).unwrap_or(self.rows() - 1)),
            0x1D => self.move_to_row((self.row + 1) % self.rows()),
            0x1E if self.column == self.left => self.column = self.right,
            0x1E => self.column -= 1,
            0x1F if self.column == self.right => self.column = self.left,
            0x1F => self.column += 1,
            0x7D => {
                let tabs = self.tabs;
                *self = Self::new(self.rows(), self.left, self.right);
                self.tabs = tabs;
            }
            0x7E => self.backspace(),
            0x7F => loop {
                self.advance();
                if self.column == self.left || self.tabs[self.logical_column()] {
                    break;
                }
            },
            0x9C => {
                let (top, end) = (self.top(self.row), self.end());
                for _ in top..end {
                    self.delete_row(top);
                }
                (self.row, self.column) = (top, self.left);
                self.begin = (self.row, self.column);
            }
            0x9D => {
                self.insert_row(self.row, true);
                self.column = self.left;
                self.begin = (self.row, self.column);
            }
            0x9E => self.tabs[self.logical_column()] = false,
            0x9F => self.tabs[self.logical_column()] = true,
            0xFD => {}
            0xFE => self.delete_character(),
            0xFF => self.insert_character(),
            _ => self.print(byte),
        }
    }

    /// The line that is read is the one with the cursor, from its margin on when it is another than before.
    fn move_to_row(&mut self, row: usize) {
        self.row = row;
        let top = self.top(row);
        if top != self.top(self.begin.0) {
            self.begin = (top, self.left);
        }
    }

    /// RETURN: the logical line from where the input began, without the blanks at its end. The cursor goes to the line after it.
    fn read(&mut self) -> Vec<u8> {
        self.escape = false;
        (self.row, self.column) = self.begin;
        let cells = self.rest();
        let codes: Vec<u8> = cells.iter().map(|&(r, c)| self.cells[r][c]).collect();
        let length = codes.iter().rposition(|&c| c != 0).map_or(0, |i| i + 1);
        self.put(0x9B);
        codes[..length]
            .iter()
            .map(|&c| c & 0x80 | [0x20, 0x40, 0x00, 0x60][usize::from(c >> 5 & 3)] | c & 0x1F)
            .collect()
    }

    fn print(&mut self, byte: u8) {
        self.cells[self.row][self.column] =
            byte & 0x80 | [0x40, 0x00, 0x20, 0x60][usize::from(byte >> 5 & 3)] | byte & 0x1F;
        self.advance();
    }
}

/// A byte to print: mostly text and moves, sometimes what changes rows.
fn byte(state: &mut u32) -> u8 {
    const MOVES: [u8; 4] = [0x1C, 0x1D, 0x1E, 0x1F];
    const CODES: [u8; 12] = [
        0x1B, 0x7D, 0x7E, 0x7E, 0x7F, 0x7F, 0x9C, 0x9D, 0x9E, 0x9F, 0xFE, 0xFF,
    ];
    let random = next(state);
    match random % 32 {
        0..=15 => b'A' + (random >> 8 & 15) as u8,
        16..=18 => MOVES[random as usize >> 8 & 3],
        19 | 20 => 0x9B,
        21..=24 => [0xFE, 0xFF, 0xFF, 0x7E][random as usize >> 8 & 3],
        25..=28 => CODES[(random as usize >> 8) % CODES.len()],
        _ => (random >> 8) as u8,
    }
}

fn agrees(model: Model, window: bool, fine: bool, rounds: u32) {
    let mut os = Os::new(&tests::config(model, Tv::Ntsc, false));
    let rows = if window { 4 } else { 24 };
    if fine {
        os.poke(0x026E, &[0xFF]);
    }
    let (memory, row, column) = if window {
        (0x0294, 0x0290, 0x0291)
    } else {
        (0x58, 0x54, 0x55)
    };
    for round in 0..rounds {
        let mut state = 0x0ED1_7000 + round;
        let margins = [(2, 39), (0, 39), (5, 20), (0, 7)][round as usize % 4];
        os.poke(0x52, &[margins.0 as u8, margins.1 as u8]);
        if window {
            os.close(6);
            assert_eq!(os.open(6, "S:", [0x1C, 5]), 1);
        } else {
            os.close(1);
            assert_eq!(os.open(1, "E:", [12, 0]), 1);
        }
        let mut editor = Editor::new(rows, margins.0, margins.1);
        let mut log = Vec::new();
        for _ in 0..250 {
            // A run of the same byte fills lines up.
            let b = byte(&mut state);
            let times = if next(&mut state).is_multiple_of(16) {
                1 + next(&mut state) % 45
            } else {
                1
            };
            for _ in 0..times {
                log.push(b);
                assert_eq!(os.put(0, b), 1);
                editor.put(b);
                let place =
                    format!("{model:?} window {window} round {round} {margins:?}: {log:02X?}");
                let cursor = (usize::from(os.peek(row)), usize::from(os.word(column)));
                assert_eq!(cursor, (editor.row, editor.column), "{place}");
                let screen = os.word(memory);
                for r in 0..rows {
                    let mut shown: Vec<u8> = (0..40)
                        .map(|c| os.peek(screen + (r * 40 + c) as u16))
                        .collect();
                    if r == cursor.0 {
                        shown[cursor.1] ^= 0x80;
                    }
                    assert_eq!(shown, editor.cells[r], "row {r} {place}");
                    let map = os.peek(0x02B2 + r as u16 / 8) << (r % 8) & 0x80 != 0;
                    assert_eq!(map, editor.starts[r], "LOGMAP {r} {place}");
                }
                assert_eq!(
                    usize::from(os.peek(0x63)),
                    editor.logical_column(),
                    "LOGCOL {place}"
                );
            }
            if log.len() > 400 {
                break;
            }
        }
        for (i, &tab) in editor.tabs.iter().enumerate() {
            let map = os.peek(0x02A3 + i as u16 / 8) << (i % 8) & 0x80 != 0;
            assert_eq!(map, tab, "tab {i}");
        }
    }
}

/// The key codes of what [`key`] types.
const KEYS: [(u8, u8); 30] = [
    (b'A', 0x3F),
    (b'B', 0x15),
    (b'C', 0x12),
    (b'D', 0x3A),
    (b'E', 0x2A),
    (b'F', 0x38),
    (b'G', 0x3D),
    (b'H', 0x39),
    (b'I', 0x0D),
    (b'J', 0x01),
    (b'K', 0x05),
    (b'L', 0x00),
    (b'M', 0x25),
    (b'N', 0x23),
    (b'O', 0x08),
    (b'P', 0x0A),
    (b' ', 0x21),
    (0x1B, 0x1C),
    (0x1C, 0x8E),
    (0x1D, 0x8F),
    (0x1E, 0x86),
    (0x1F, 0x87),
    (0x7D, 0xB6),
    (0x7E, 0x34),
    (0x7F, 0x2C),
    (0x9C, 0x74),
    (0x9D, 0x77),
    (0x9E, 0xAC),
    (0xFE, 0xB4),
    (0xFF, 0xB7),
];

fn lines_are_read_as_the_model_says(model: Model, window: bool, rounds: u32) {
    let mut os = Os::new(&tests::config(model, Tv::Ntsc, false));
    os.poke(0x52, &[2, 39]);
    os.poke(0x02DB, &[0xFF]); // XL: no click
    let rows = if window { 4 } else { 24 };
    let (row, column) = if window {
        (0x0290, 0x0291)
    } else {
        (0x54, 0x55)
    };
    for round in 0..rounds {
        let mut state = 0x01F1_7000 + round;
        os.close(6);
        assert_eq!(
            os.open(
                6,
                if window { "S:" } else { "E:" },
                if window { [0x1C, 5] } else { [12, 0] }
            ),
            1
        );
        let mut editor = Editor::new(rows, 2, 39);
        for line in 0..8 {
            let printed: Vec<u8> = (0..next(&mut state) % 90)
                .map(|_| byte(&mut state))
                .collect();
            for &b in &printed {
                os.put(0, b);
                editor.put(b);
            }
            let mut typed = Vec::new();
            for _ in 0..next(&mut state) % 12 {
                let b = byte(&mut state);
                if let Some(&key) = KEYS.iter().find(|k| k.0 == b) {
                    let times = if next(&mut state).is_multiple_of(8) {
                        1 + next(&mut state) % 60
                    } else {
                        1
                    };
                    typed.extend((0..times).map(|_| key));
                }
            }
            editor.begin = (editor.row, editor.column);
            // A program may also want the line as it is, without a key.
            let forced = next(&mut state).is_multiple_of(4);
            if forced {
                typed.clear();
            }
            for key in &typed {
                editor.put(key.0);
            }
            let want = editor.read();
            os.poke(0x0342, &[5]);
            os.poke(0x0344, &0x5000u16.to_le_bytes());
            os.poke(0x0348, &255u16.to_le_bytes());
            os.poke(0x034A, &[0x0C | u8::from(forced)]);
            let mut keys = typed.iter().map(|k| k.1).chain([0x0C]);
            let after = os.try_call_with(0xE456, Registers::default(), 3000, |machine| {
                if !forced
                    && machine.peek(0x02FC) == 0xFF
                    && let Some(key) = keys.next()
                {
                    machine.poke(0x02FC, key);
                }
            });
            os.poke(0x034A, &[12]);
            let place = format!(
                "{model:?} window {window} round {round} line {line} forced {forced}: {printed:02X?} {:02X?}",
                typed.iter().map(|k| k.0).collect::<Vec<u8>>()
            );
            assert_eq!(after.expect("RETURN ends the line").y, 1, "{place}");
            let got: Vec<u8> = (0..os.word(0x0348) - 1)
                .map(|i| os.peek(0x5000 + i))
                .collect();
            assert_eq!(got, want, "{place}");
            assert_eq!(
                (usize::from(os.peek(row)), usize::from(os.word(column))),
                (editor.row, editor.column),
                "{place}"
            );
        }
    }
}

#[test]
fn lines_are_read_as_the_model_says_on_the_whole_screen() {
    lines_are_read_as_the_model_says(Model::Xl800, false, 40);
    lines_are_read_as_the_model_says(Model::Atari800, false, 12);
}

#[test]
fn lines_are_read_as_the_model_says_in_the_text_window() {
    lines_are_read_as_the_model_says(Model::Xl800, true, 40);
    lines_are_read_as_the_model_says(Model::Atari800, true, 12);
}

#[test]
fn random_text_agrees_with_the_model_on_the_whole_screen() {
    agrees(Model::Xl800, false, false, 40);
}

#[test]
fn random_text_agrees_with_the_model_in_the_text_window() {
    agrees(Model::Xl800, true, false, 40);
}

#[test]
fn random_text_agrees_with_the_model_on_an_800() {
    agrees(Model::Atari800, false, false, 12);
    agrees(Model::Atari800, true, false, 12);
}

#[test]
fn fine_scrolling_changes_nothing_but_the_time() {
    agrees(Model::Xl800, false, true, 2);
    agrees(Model::Xl800, true, true, 4);
}
