//! The printer's paper, made of the records that the machine's printer receives.
use machine::screen::glyph;

const EOL: u8 = 0x9B;
const ESCAPE: u8 = 0x1B;
const LINE_FEED: u8 = 0x0A;
const FORM_FEED: u8 = 0x0C;
const CARRIAGE_RETURN: u8 = 0x0D;

/// The printers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Columns {
    /// 40 columns (820): each record is a line, and control codes are characters.
    #[default]
    Forty,
    /// 80 columns (825, 1025): lines end with EOL or when they are full, whatever records they come in. The handler's records of 40
    /// characters make one line of 80, as the manuals of BASIC say for LIST and LPRINT. Form feed, line feed and carriage return are
    /// obeyed; an escape sequence (ESC and a code, for typefaces) prints nothing, and neither do other control codes.
    Eighty,
}

impl Columns {
    /// The number of columns: 40 or 80.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::Forty => 40,
            Self::Eighty => 80,
        }
    }

    /// The printer with this number of columns; `None` for a number that no printer has.
    #[must_use]
    pub fn from_count(count: usize) -> Option<Self> {
        [Self::Forty, Self::Eighty]
            .into_iter()
            .find(|columns| columns.count() == count)
    }
}

/// Output of the printer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// The text on the paper, in Unicode: lines end with LF, pages with FF. Graphics characters are those that look like them; inverse
    /// video is printed as usual, because a printer ignores bit 7.
    pub text: String,
    /// The bytes that the printer was sent, in ATASCII.
    pub sent: Vec<u8>,
}

impl Printed {
    pub(super) fn is_empty(&self) -> bool {
        self.sent.is_empty()
    }

    /// Appends later output.
    pub(super) fn append(&mut self, later: Self) {
        self.text.push_str(&later.text);
        self.sent.extend(later.sent);
    }
}

/// The position of the print head.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Head {
    /// Characters in the line so far.
    column: usize,
    /// The next code belongs to an escape sequence.
    escaped: bool,
}

impl Head {
    /// Prints a record.
    pub(super) fn print(&mut self, columns: Columns, record: &[u8], paper: &mut Printed) {
        paper.sent.extend_from_slice(record);
        match columns {
            Columns::Forty => {
                self.end_line(paper);
                let line = record.strip_suffix(&[EOL]).unwrap_or(record);
                paper.text.extend(line.iter().map(|&code| glyph(code)));
                paper.text.push('\n');
            }
            Columns::Eighty => {
                for &code in record {
                    self.take(columns.count(), code, paper);
                }
            }
        }
    }

    /// Ends a line that has been begun.
    fn end_line(&mut self, paper: &mut Printed) {
        if self.column > 0 {
            paper.text.push('\n');
        }
        *self = Self::default();
    }

    fn take(&mut self, width: usize, code: u8, paper: &mut Printed) {
        if std::mem::take(&mut self.escaped) {
            return;
        }
        match code {
            EOL | LINE_FEED => {
                paper.text.push('\n');
                self.column = 0;
            }
            // The paper moves with EOL and LF; text printed over the line is a line of its own.
            CARRIAGE_RETURN => self.end_line(paper),
            FORM_FEED => {
                self.end_line(paper);
                paper.text.push('\u{C}');
            }
            ESCAPE => self.escaped = true,
            0..0x20 => {}
            _ => {
                if self.column == width {
                    paper.text.push('\n');
                    self.column = 0;
                }
                paper.text.push(glyph(code));
                self.column += 1;
            }
        }
    }
}

/// Records that programs sent while the printer was off: they are printed when it is switched on.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    records: Vec<Vec<u8>>,
    /// Bytes of the records.
    length: usize,
    /// The user has not been told of them.
    untold: bool,
}

impl Held {
    /// Bytes that are held at most, about ten pages; records that do not fit are dropped.
    const ROOM: usize = 64 << 10;

    pub(super) fn add(&mut self, records: Vec<Vec<u8>>) {
        self.untold |= self.records.is_empty() && !records.is_empty();
        for record in records {
            if self.length + record.len() <= Self::ROOM {
                self.length += record.len();
                self.records.push(record);
            }
        }
    }

    /// The records, to be printed.
    pub(super) fn take(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(self).records
    }

    /// True once when records are held.
    pub(super) fn tell(&mut self) -> bool {
        std::mem::take(&mut self.untold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(columns: Columns, records: &[&[u8]]) -> String {
        let (mut head, mut paper) = (Head::default(), Printed::default());
        for record in records {
            head.print(columns, record, &mut paper);
        }
        assert_eq!(paper.sent, records.concat());
        paper.text
    }

    #[test]
    fn a_record_is_a_line_of_the_printer_with_40_columns() {
        let full = [b'A'; 40];
        assert_eq!(
            text(Columns::Forty, &[&full, b"B\x9B", b"\x9B", b"C"]),
            format!("{}\nB\n\nC\n", "A".repeat(40))
        );
        // Control codes are characters.
        assert_eq!(text(Columns::Forty, &[b"\x0C\x1B\x9B"]), "▘␛\n");
    }

    #[test]
    fn lines_of_80_columns_are_made_of_records_of_40() {
        let full = [b'A'; 40];
        let forty = "A".repeat(40);
        // LIST: a line of 100 characters.
        assert_eq!(
            text(
                Columns::Eighty,
                &[&full, &full, b"AAAAAAAAAAAAAAAAAAAA\x9B"]
            ),
            format!("{forty}{forty}\n{}\n", "A".repeat(20))
        );
        // A line of exactly 80 is followed by no empty one.
        assert_eq!(
            text(Columns::Eighty, &[&full, &full, b"\x9B", b"B\x9B"]),
            format!("{forty}{forty}\nB\n")
        );
        // LPRINT "X"; on a 400 or 800 fills its record with blanks: the next LPRINT begins in column 41 (User's Handbook to the Atari
        // 400/800, under LPRINT).
        let mut padded = b"X".to_vec();
        padded.resize(40, b' ');
        assert_eq!(
            text(Columns::Eighty, &[&padded, b"Y\x9B"]),
            format!("X{}Y\n", " ".repeat(39))
        );
    }

    #[test]
    fn the_printer_with_80_columns_obeys_its_control_codes() {
        assert_eq!(
            text(Columns::Eighty, &[b"A\x1B\x14B\x0CC\x9B\x0CD\x01\x9B"]),
            "AB\n\x0CC\n\x0CD\n"
        );
        // Bit 7 is ignored.
        assert_eq!(text(Columns::Eighty, &[b"\xC1\xE0\x9B"]), "A♦\n");
        assert_eq!(Columns::from_count(80), Some(Columns::Eighty));
        assert_eq!(Columns::from_count(41), None);
    }
}
