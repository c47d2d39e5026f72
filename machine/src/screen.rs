//! The screen as text, read from the memory as the OS and the display list describe it.
use crate::Machine;
use alloc::string::String;
use alloc::vec::Vec;
use antic_gtia::antic::Mode;

const SAVMSC: u16 = 0x58;
const ROWCRS: u16 = 0x54;
const COLCRS: u16 = 0x55;
const DINDEX: u16 = 0x57;
const OLDCHR: u16 = 0x5D;
const OLDADR: u16 = 0x5E;
const CRSINH: u16 = 0x02F0;

pub use media::atascii::glyph;

/// ATASCII of a screen ("internal") code; bit 7 is dropped.
#[must_use]
pub fn atascii(screen_code: u8) -> u8 {
    match screen_code & 0x7F {
        c @ 0..=63 => c + 32,
        c @ 64..=95 => c - 64,
        c => c,
    }
}

/// A text screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextScreen {
    /// Screen codes, row by row; the OS's cursor cell shows the character under it.
    pub rows: Vec<Vec<u8>>,
    /// Cursor row and column (ROWCRS, COLCRS).
    pub cursor: (u8, u16),
}

impl TextScreen {
    /// A row's characters without the blanks at its end.
    #[must_use]
    pub fn row_text(&self, row: usize) -> String {
        let Some(row) = self.rows.get(row) else {
            return String::new();
        };
        let text: String = row.iter().map(|&c| glyph(atascii(c))).collect();
        text.trim_end_matches(' ').into()
    }

    /// All rows, each ended by a line feed; empty rows at the bottom are left out.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines: Vec<String> = (0..self.rows.len()).map(|r| self.row_text(r)).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines.iter().flat_map(|l| [l.as_str(), "\n"]).collect()
    }

    /// Stretches of inverse cells: row, first and last column.
    #[must_use]
    pub fn inverse(&self) -> Vec<(usize, usize, usize)> {
        let mut out = Vec::new();
        for (r, row) in self.rows.iter().enumerate() {
            let mut start = None;
            for c in 0..=row.len() {
                match (row.get(c).is_some_and(|b| b & 0x80 != 0), start) {
                    (true, None) => start = Some(c),
                    (false, Some(first)) => {
                        out.push((r, first, c - 1));
                        start = None;
                    }
                    _ => {}
                }
            }
        }
        out
    }
}

/// The address `step` bytes on, by a counter whose upper bits, outside of `counted`, do not change.
fn within(counted: u16, address: u16, step: u16) -> u16 {
    address & !counted | address.wrapping_add(step) & counted
}

/// # The screen as text
impl Machine {
    /// The 40 x 24 cells of a GRAPHICS 0 screen at SAVMSC.
    pub fn text_screen(&self) -> TextScreen {
        let base = self.peek_word(SAVMSC);
        let cursor = self.cursor_cell();
        let row = |row: u16| {
            let cells = (0..40).map(|column| base.wrapping_add(row * 40 + column));
            cells.map(|cell| self.character(cell, cursor)).collect()
        };
        self.with_cursor((0..24).map(row).collect())
    }

    /// The character rows that the display list shows (modes 2 to 7), from the top of the picture, with the width in DMACTL (normal where it shows no
    /// playfield). Of scrolled lines they are the cells at HSCROL 0. In modes 6 and 7 the two colour bits are dropped.
    pub fn displayed_text(&self) -> TextScreen {
        let cursor = self.cursor_cell();
        let width = match self.bus().video.antic.dmactl() & 3 {
            0 => 2,
            width => u16::from(width),
        };
        let mut rows = Vec::new();
        let mut list = self.display_list();
        let mut screen = 0;
        let mut lines = 0;
        while lines < 240 && rows.len() < 240 {
            let instruction = self.peek(list);
            let mode = Mode::of(instruction);
            list = within(0x03FF, list, 1);
            let operand = u16::from_le_bytes([self.peek(list), self.peek(within(0x03FF, list, 1))]);
            let loads = instruction & 0x40 != 0;
            if mode.is_jump() {
                if loads {
                    break;
                }
                list = operand;
            } else if !mode.is_blank() {
                if loads {
                    screen = operand;
                    list = within(0x03FF, list, 2);
                }
                // Narrow and wide have a fifth less and more; a scrolled line is fetched one step wider, half of it at each side.
                let bytes = |width| 16 / u16::from(mode.ring()) * (3 + width);
                let shown = bytes(width);
                let scrolled = instruction & 0x10 != 0;
                let fetched = bytes((width + u16::from(scrolled)).min(3));
                if mode.is_text() {
                    let mask = if mode.number() >= 6 { 0x3F } else { 0xFF };
                    let left = (fetched - shown) / 2;
                    let cells = (left..left + shown).map(|i| within(0x0FFF, screen, i));
                    rows.push(
                        cells
                            .map(|cell| self.character(cell, cursor) & mask)
                            .collect(),
                    );
                }
                screen = within(0x0FFF, screen, fetched);
            }
            lines += u16::from(mode.last_row(instruction)) + 1;
        }
        self.with_cursor(rows)
    }

    /// Rows with the position of the OS's cursor.
    fn with_cursor(&self, rows: Vec<Vec<u8>>) -> TextScreen {
        TextScreen {
            rows,
            cursor: (self.peek(ROWCRS), self.peek_word(COLCRS)),
        }
    }

    /// The screen code of a cell; of the cursor's the one under it.
    fn character(&self, cell: u16, cursor: Option<u16>) -> u8 {
        self.peek(if cursor == Some(cell) { OLDCHR } else { cell })
    }

    /// The cell the OS has inverted to show the cursor.
    fn cursor_cell(&self) -> Option<u16> {
        (self.peek(DINDEX) == 0 && self.peek(CRSINH) == 0).then(|| self.peek_word(OLDADR))
    }

    /// The display list as the OS hands it to ANTIC in each vertical blank (SDLSTL).
    fn display_list(&self) -> u16 {
        self.peek_word(0x0230)
    }
}
