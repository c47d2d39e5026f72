//! DRAW and FILL of S: (XIO 17 and 18) against a plain model of the documented algorithm, with random lines in all modes.

use machine::{Model, Tv};
use tests::calls::{Os, Registers};

/// Columns, rows and bits of a cell; 8 bits are a character.
const MODES: [(u16, u8, u8); 16] = [
    (40, 24, 8),
    (20, 24, 8),
    (20, 12, 8),
    (40, 24, 2),
    (80, 48, 1),
    (80, 48, 2),
    (160, 96, 1),
    (160, 96, 2),
    (320, 192, 1),
    (80, 192, 4),
    (80, 192, 4),
    (80, 192, 4),
    (40, 24, 8),
    (40, 12, 8),
    (160, 192, 1),
    (160, 192, 2),
];

const DRAW: u8 = 17;
const FILL: u8 = 18;

fn next(state: &mut u32) -> u32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *state >> 8
}

/// A screen as cells: colours, or screen codes in the character modes.
#[derive(Clone, PartialEq, Eq)]
struct Picture {
    columns: usize,
    rows: usize,
    bits: u8,
    cells: Vec<u8>,
}

impl Picture {
    fn new(mode: usize) -> Self {
        let (columns, rows, bits) = MODES[mode];
        let (columns, rows) = (usize::from(columns), usize::from(rows));
        Self {
            columns,
            rows,
            bits,
            cells: vec![0; columns * rows],
        }
    }

    /// The picture in the screen memory of the machine.
    fn shown(os: &Os, mode: usize) -> Self {
        let mut picture = Self::new(mode);
        let screen = os.word(0x58);
        let per_byte = usize::from(8 / picture.bits);
        for (i, cell) in picture.cells.iter_mut().enumerate() {
            let byte = os.peek(screen + (i / per_byte) as u16);
            let shift = (per_byte - 1 - i % per_byte) as u8 * picture.bits;
            *cell = (byte >> shift) & (0xFF >> (8 - picture.bits));
        }
        picture
    }

    /// The bits of a colour (a character) in a cell.
    fn cell(&self, colour: u8) -> u8 {
        if self.bits == 8 {
            colour & 0x80 | [0x40, 0x00, 0x20, 0x60][usize::from(colour >> 5 & 3)] | colour & 0x1F
        } else {
            colour & (0xFF >> (8 - self.bits))
        }
    }

    /// The documented line: as many steps as the larger delta, both errors begin at half of it, the first point is left out. Filling continues
    /// to the right of each point through cells of 0, around the right edge, once.
    fn line(&mut self, from: (i32, i32), to: (i32, i32), colour: u8, fill: Option<u8>) {
        let colour = self.cell(colour);
        let fill = fill.map(|f| self.cell(f));
        let delta = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
        let steps = delta.0.max(delta.1);
        let mut error = (steps / 2, steps / 2);
        let mut at = from;
        for _ in 0..steps {
            error.0 += delta.0;
            if error.0 >= steps {
                error.0 -= steps;
                at.0 += (to.0 - from.0).signum();
            }
            error.1 += delta.1;
            if error.1 >= steps {
                error.1 -= steps;
                at.1 += (to.1 - from.1).signum();
            }
            let row = at.1 as usize * self.columns;
            let column = at.0 as usize;
            self.cells[row + column] = colour;
            let Some(fill) = fill else { continue };
            for i in (column + 1..self.columns).chain(0..self.columns) {
                if self.cells[row + i] != 0 {
                    break;
                }
                self.cells[row + i] = fill;
            }
        }
        assert_eq!(at, to);
    }
}

struct Line {
    command: u8,
    from: (u16, u8),
    to: (u16, u8),
    colour: u8,
    fill: u8,
}

impl Line {
    fn random(mode: usize, command: u8, state: &mut u32) -> Self {
        let (columns, rows, bits) = MODES[mode];
        let mut point = || {
            (
                (next(state) % u32::from(columns)) as u16,
                (next(state) % u32::from(rows)) as u8,
            )
        };
        let (from, to) = (point(), point());
        let mut colour = || {
            let random = next(state) as u8;
            if bits == 8 { random } else { random & 31 }
        };
        Self {
            command,
            from,
            to,
            colour: colour(),
            fill: colour(),
        }
    }

    /// The line by the OS; machine cycles.
    fn by_os(&self, os: &mut Os) -> u64 {
        os.poke(0x5A, &[self.from.1]);
        os.poke(0x5B, &self.from.0.to_le_bytes());
        os.position(self.to.0, self.to.1);
        os.poke(0x02FB, &[self.colour]);
        os.poke(0x02FD, &[self.fill]);
        os.poke(0x0340 + 0x60 + 2, &[self.command]);
        let start = os.machine.now();
        let after = os
            .try_call(
                0xE456,
                Registers {
                    x: 0x60,
                    ..Registers::default()
                },
                3000,
            )
            .expect("the line ends");
        assert_eq!(after.y, 1);
        assert_eq!(os.peek(0x02FB), self.colour, "ATACHR");
        assert_eq!((os.word(0x55), os.peek(0x54)), self.to, "the cursor");
        assert_eq!((os.word(0x5B), os.peek(0x5A)), self.to, "OLDCOL, OLDROW");
        os.machine.now() - start
    }

    fn by_model(&self, picture: &mut Picture) {
        let point = |p: (u16, u8)| (i32::from(p.0), i32::from(p.1));
        let fill = (self.command == FILL).then_some(self.fill);
        picture.line(point(self.from), point(self.to), self.colour, fill);
    }
}

fn os(model: Model) -> Os {
    let mut os = Os::new(&tests::config(model, Tv::Ntsc, false));
    os.poke(0x6A, &[0xA0]);
    os
}

fn agrees_with_the_model(model: Model, modes: usize, aux1: u8) {
    let mut state = 0x0C0_11EE | u32::from(aux1) << 24;
    for mode in 0..modes {
        let mut os = os(model);
        assert_eq!(os.open(6, "S:", [aux1, mode as u8]), 1);
        let mut picture = Picture::shown(&os, mode);
        for i in 0..12 {
            let command = if i % 3 == 2 { FILL } else { DRAW };
            let line = Line::random(mode, command, &mut state);
            line.by_os(&mut os);
            line.by_model(&mut picture);
            let shown = Picture::shown(&os, mode);
            let wrong = (0..picture.cells.len()).find(|&i| shown.cells[i] != picture.cells[i]);
            assert_eq!(
                wrong.map(|i| (i % picture.columns, i / picture.columns)),
                None,
                "{model:?} mode {mode}, line {i}: {} {:?} {:?} colour {} fill {}",
                line.command,
                line.from,
                line.to,
                line.colour,
                line.fill
            );
        }
    }
}

#[test]
fn random_lines_and_fills_agree_with_the_model_in_all_modes() {
    agrees_with_the_model(Model::Xl800, 16, 12);
}

#[test]
fn random_lines_and_fills_agree_with_the_model_above_a_text_window_that_was_not_cleared() {
    agrees_with_the_model(Model::Xl800, 16, 0x30);
}

#[test]
fn random_lines_and_fills_agree_with_the_model_on_an_800() {
    agrees_with_the_model(Model::Atari800, 12, 12);
}

/// The seconds that a FILL down the left edge of an empty screen takes.
fn seconds_to_fill_all(model: Model, aux1: u8, mode: usize, fill: u8) -> f64 {
    let mut os = os(model);
    assert_eq!(os.open(6, "S:", [aux1, mode as u8]), 1);
    let line = Line {
        command: FILL,
        from: (0, 0),
        to: (0, MODES[mode].1 - 1),
        colour: 1,
        fill,
    };
    let mut picture = Picture::shown(&os, mode);
    let cycles = line.by_os(&mut os);
    line.by_model(&mut picture);
    assert!(picture == Picture::shown(&os, mode));
    cycles as f64 / 1_789_772.5
}

#[test]
fn a_whole_screen_is_filled_in_seconds() {
    for model in [Model::Xl800, Model::Atari800] {
        for (mode, limit) in [(7, 3.0), (8, 11.0)] {
            let seconds = seconds_to_fill_all(model, 12, mode, 1);
            assert!(seconds < limit, "{model:?} mode {mode}: {seconds} s");
        }
    }
    let seconds = seconds_to_fill_all(Model::Xl800, 48, 14, 1);
    assert!(seconds < 5.0, "mode 14: {seconds} s");
}

#[test]
fn a_fill_with_the_colour_of_the_empty_screen_ends() {
    for model in [Model::Xl800, Model::Atari800] {
        for (mode, fill) in [(3, 0), (3, 4), (6, 2), (0, 32), (9, 16)] {
            seconds_to_fill_all(model, 12, mode, fill);
        }
        // Even where the line itself has that colour.
        let mut os = os(model);
        os.open(6, "S:", [12, 5]);
        let line = Line {
            command: FILL,
            from: (70, 40),
            to: (3, 2),
            colour: 0,
            fill: 0,
        };
        line.by_os(&mut os);
        assert!(Picture::new(5) == Picture::shown(&os, 5));
    }
}

#[test]
fn break_ends_a_fill() {
    let mut os = os(Model::Xl800);
    os.open(6, "S:", [12, 8]);
    os.poke(0x5A, &[0, 0, 0]);
    os.position(0, 191);
    os.poke(0x02FB, &[1]);
    os.poke(0x02FD, &[1]);
    os.poke(0x0340 + 0x60 + 2, &[FILL]);
    let registers = Registers {
        x: 0x60,
        ..Registers::default()
    };
    let start = os.machine.now();
    let after = os.try_call_with(0xE456, registers, 600, |machine| {
        if machine.now() > start + 29_868 * 20 {
            machine.poke(0x11, 0);
        }
    });
    // The watcher presses BREAK again and again, so the flag is back only afterwards.
    assert_eq!(after.map(|r| r.y), Some(128));
    assert!(os.machine.now() - start < 29_868 * 30);
}

/// Puts, gets and moves at random: status, byte, cursor, the last point plotted, and the picture.
fn puts_and_gets_agree(model: Model, modes: usize) {
    let mut state = 0x0055_0011;
    for (mode, &(columns, rows, bits)) in MODES.iter().enumerate().take(modes).skip(1) {
        let mut os = os(model);
        let split = mode % 2 == 1;
        assert_eq!(
            os.open(6, "S:", [0x0C | u8::from(split) << 4, mode as u8]),
            1
        );
        let mut picture = Picture::new(mode);
        let (mut column, mut row) = (0u16, 0u8);
        let mut plotted = (0, 0);
        for step in 0..150 {
            if next(&mut state).is_multiple_of(4) {
                // Mostly inside, now and then one past an edge.
                column = (next(&mut state) % (u32::from(columns) + 2)) as u16;
                row = (next(&mut state) % (u32::from(rows) + 2)) as u8;
                if next(&mut state).is_multiple_of(4) {
                    (column, row) = (columns - 2, rows - 1);
                }
                os.position(column, row);
            }
            let inside = column < columns && row < rows;
            let at = usize::from(row) * picture.columns + usize::from(column);
            // Where the cursor goes after the cell.
            let behind = if column + 1 == columns {
                (0, row.wrapping_add(1))
            } else {
                (column + 1, row)
            };
            let what = format!("{model:?} mode {mode}, step {step}, {at}");
            if next(&mut state).is_multiple_of(3) {
                let (status, byte) = os.get(6);
                assert_eq!(status, if inside { 1 } else { 141 }, "{what}");
                if inside {
                    let cell = picture.cells[at];
                    let want = if bits == 8 {
                        cell & 0x80
                            | [0x20, 0x40, 0x00, 0x60][usize::from(cell >> 5 & 3)]
                            | cell & 0x1F
                    } else {
                        cell
                    };
                    assert_eq!(byte, want, "{what}");
                    (column, row) = behind;
                }
            } else {
                let byte = match next(&mut state) % 32 {
                    0 => 0x9B,
                    1 => 0x7D,
                    _ => next(&mut state) as u8,
                };
                let status = os.put(6, byte);
                match byte {
                    0x9B => (column, row) = (0, row.wrapping_add(1)),
                    0x7D => {
                        picture = Picture::new(mode);
                        (column, row) = (0, 0);
                    }
                    _ if !inside => {}
                    _ => {
                        picture.cells[at] = picture.cell(byte);
                        plotted = (column, row);
                        (column, row) = behind;
                    }
                }
                let good = inside || byte == 0x9B || byte == 0x7D;
                assert_eq!(status, if good { 1 } else { 141 }, "{what}");
            }
            assert_eq!((os.word(0x55), os.peek(0x54)), (column, row), "{what}");
            assert_eq!(
                (os.word(0x5B), os.peek(0x5A)),
                plotted,
                "OLDCOL, OLDROW, {what}"
            );
        }
        assert!(
            picture == Picture::shown(&os, mode),
            "{model:?} mode {mode}"
        );
    }
}

#[test]
fn puts_and_gets_agree_with_the_model_in_all_modes() {
    puts_and_gets_agree(Model::Xl800, 16);
    puts_and_gets_agree(Model::Atari800, 12);
}
