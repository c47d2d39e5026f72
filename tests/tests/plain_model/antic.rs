//! The playfield as the manual describes the modes: lines and colour clocks; of cycles only those in which a glyph is fetched and from
//! which on a write acts.
use crate::LINE;
use crate::scene::Scene;

/// The row counter over the instructions of a list (AHRM 4.7).
pub struct Rows {
    pub scrolling: bool,
    pub vscrol: u8,
}

impl Rows {
    /// The rows that an instruction shows.
    pub fn rows(&mut self, instruction: u8) -> Vec<u8> {
        let vscrol = self.vscrol;
        self.rows_by(instruction, vscrol, |_| vscrol)
    }

    /// The rows that an instruction shows when VSCROL is `start` in cycle 0 of the first line, and `end` of the number of lines before in cycle 108
    /// of each line.
    pub fn rows_by(&mut self, instruction: u8, start: u8, end: impl Fn(usize) -> u8) -> Vec<u8> {
        const LAST: [u8; 16] = [0, 0, 7, 9, 7, 15, 7, 15, 7, 3, 3, 1, 0, 1, 0, 0];
        let mode = instruction & 15;
        let scrolling = mode > 1 && instruction & 0x20 != 0;
        let mut last = if mode == 0 {
            instruction >> 4 & 7
        } else {
            LAST[usize::from(mode)]
        };
        let mut row = 0;
        if scrolling && !self.scrolling {
            row = start;
        }
        let ends_region = self.scrolling && !scrolling;
        self.scrolling = scrolling;
        let mut rows = vec![row];
        while rows.len() < 240 {
            if ends_region {
                last = end(rows.len() - 1);
            }
            if row == last {
                break;
            }
            row = (row + 1) & 15;
            rows.push(row);
        }
        rows
    }
}

/// The value of a colour clock of the playfield: background, a playfield register, or a pair of hires pixels.
#[derive(Clone, Copy, PartialEq)]
pub enum Dot {
    Back,
    Field(u8),
    Pair(u8),
}

impl Dot {
    /// The two bits that the GTIA modes see.
    pub fn bits(self) -> u8 {
        match self {
            Self::Back => 0,
            Self::Field(n) | Self::Pair(n) => n,
        }
    }
}

/// ANTIC's output on the AN lines in a line.
#[derive(Clone)]
pub struct Field {
    pub hires: bool,
    /// The output of the shift register, also outside the window.
    pub dots: Vec<Dot>,
    /// From here on the value is unknown: the CPU's bus.
    pub unknown: usize,
    /// The colour clocks from which on the dots come so much later (bit 0 of HSCROL), and the window.
    pub changes: Vec<(usize, usize, (usize, usize))>,
    /// Nothing is fetched in this line: a bitmap's second line or a later one, or no playfield at all.
    pub quiet: bool,
    /// The cycles and bytes of missiles and players (all five, or none), if they are not simply what is in memory.
    pub objects: Option<Vec<(usize, u8)>>,
}

/// The window in which the playfield is shown.
pub fn window(dmactl: u8) -> (usize, usize) {
    [(0, 0), (64, 192), (48, 208), (44, 222)][usize::from(dmactl & 3)]
}

impl Field {
    /// The output at a colour clock, `more` late.
    pub fn dot(&self, x: usize, more: usize) -> Dot {
        let last = self.changes.iter().rfind(|change| change.0 <= x);
        let &(_, late, (from, to)) = last.unwrap_or(&(0, 0, (0, 0)));
        if x >= from && x < to {
            self.dots[x - late - more]
        } else {
            Dot::Back
        }
    }
}

/// A write of one of ANTIC's registers.
#[derive(Clone, Copy, Debug)]
pub struct AnticWrite {
    pub line: usize,
    pub cycle: usize,
    pub register: u8,
    pub data: u8,
}

/// The values of a register over time.
struct History<'a> {
    first: u8,
    register: u8,
    /// Cycles from a write to where it acts.
    delay: usize,
    writes: &'a [AnticWrite],
}

impl History<'_> {
    /// The value that acts in a cycle.
    fn at(&self, line: usize, cycle: usize) -> u8 {
        let acting = self.writes.iter().rfind(|write| {
            write.register == self.register
                && write.line * 114 + write.cycle + self.delay <= line * 114 + cycle
        });
        acting.map_or(self.first, |write| write.data)
    }
}

/// All lines of the display.
pub fn playfield(scene: &Scene) -> Vec<Field> {
    playfield_with(scene, &[])
}

/// The playfield with writes, in the order of time: of CHACTL, HSCROL (bit 0 only), VSCROL, CHBASE, and DMACTL (off and on again in quiet
/// lines while the playfield runs, bit 4 anywhere).
pub fn playfield_with(scene: &Scene, writes: &[AnticWrite]) -> Vec<Field> {
    let history = |register, first, delay| History {
        first,
        register,
        delay,
        writes,
    };
    // AHRM 4.4: CHBASE two cycles later; CHACTL one by the reference picture mid_chactl_mode2.
    let chbase = history(9, scene.chbase, 2);
    let chactl = history(1, scene.chactl, 1);
    let hscrol = history(4, scene.hscrol, 1);
    let vscrol = history(5, scene.vscrol, 0);
    let blank = Field {
        hires: false,
        dots: vec![Dot::Back; LINE],
        unknown: LINE,
        changes: Vec::new(),
        quiet: true,
        objects: None,
    };
    let mut fields = vec![blank; 248];
    let mut rows = Rows {
        scrolling: false,
        vscrol: scene.vscrol,
    };
    let mut at = usize::from(scene.list);
    let mut scan = 0u16;
    let mut line = 8;
    let mut buffer = [0u8; 48];
    while line < 248 {
        let instruction = scene.memory[at];
        at += 1;
        let mode = instruction & 15;
        if mode == 1 {
            break;
        }
        if mode != 0 && instruction & 0x40 != 0 {
            scan = u16::from_le_bytes([scene.memory[at], scene.memory[at + 1]]);
            at += 2;
        }
        let scrolled = mode != 0 && instruction & 0x10 != 0;
        let width = match (scene.dmactl & 3, scrolled) {
            (0, _) => 0,
            (w, true) => 3.min(w + 1),
            (w, false) => w,
        };
        let left = [0, 64, 48, 32][usize::from(width)]
            + usize::from(if scrolled { scene.hscrol & 0xE } else { 0 });
        let bytes = if mode == 0 {
            0
        } else {
            [0, 128, 160, 192][usize::from(width)] / colour_clocks(mode)
        };
        for place in buffer.iter_mut().take(bytes) {
            *place = *scene.memory.get(usize::from(scan)).unwrap_or(&0);
            scan = scan & 0xF000 | (scan + 1) & 0x0FFF;
        }
        let hires = matches!(mode, 2 | 3 | 15);
        let here = line;
        let end = |lines: usize| vscrol.at(here + lines, 108) & 15;
        let shown = rows.rows_by(instruction, vscrol.at(line, 0) & 15, end);
        for (n, row) in shown.into_iter().enumerate() {
            if line >= 248 {
                break;
            }
            let empty = if hires { Dot::Pair(0) } else { Dot::Back };
            let mut dots = vec![empty; LINE + 64];
            for (i, &byte) in buffer[..bytes].iter().enumerate() {
                let each = colour_clocks(mode);
                let x = left + i * each;
                let text = Text {
                    chbase: chbase.at(line, (x - 6) / 2),
                    chactl: chactl.at(line, (x - 6) / 2),
                };
                show(scene, &text, mode, row, byte, &mut dots[x..][..each]);
            }
            dots.truncate(LINE);
            let garbage = width == 3 && bytes != 0;
            let late = |line, cycle| usize::from(u8::from(scrolled) & hscrol.at(line, cycle));
            let mut changes = vec![(0, late(line, 0), window(scene.dmactl))];
            for write in writes.iter().filter(|write| write.line == line) {
                let &(_, later, open) = changes.last().unwrap_or(&(0, 0, (0, 0)));
                // Both act two colour clocks after the write's cycle began (reference pictures mid_hscrol_modeE, mid_dmactl_modeE).
                let x = 2 * write.cycle + 2;
                match write.register {
                    0 => changes.push((x, later, window(write.data))),
                    4 => changes.push((x, late(line, write.cycle + 1), open)),
                    _ => {}
                }
            }
            fields[line] = Field {
                hires,
                dots,
                unknown: if garbage { 218 } else { LINE },
                changes,
                quiet: mode == 0 || mode >= 8 && n != 0,
                objects: None,
            };
            line += 1;
        }
    }
    fields
}

/// The registers that act on a glyph while it is fetched.
struct Text {
    chbase: u8,
    chactl: u8,
}

/// The width of a byte in colour clocks.
fn colour_clocks(mode: u8) -> usize {
    match mode {
        2..=5 | 13..=15 => 4,
        6 | 7 | 10..=12 => 8,
        _ => 16,
    }
}

/// Shows a byte of the line buffer.
fn show(scene: &Scene, text: &Text, mode: u8, row: u8, byte: u8, dots: &mut [Dot]) {
    let data = if mode < 8 {
        glyph(scene, text, mode, row, byte)
    } else {
        byte
    };
    let wide = dots.len();
    for (i, dot) in dots.iter_mut().enumerate() {
        let bit = |i: usize| data >> (7 - i) & 1;
        let pair = |i: usize| data >> (6 - 2 * i) & 3;
        let four = |pair: u8, three: u8| match pair {
            0 => Dot::Back,
            3 => Dot::Field(three),
            n => Dot::Field(n - 1),
        };
        *dot = match mode {
            2 | 3 | 15 => Dot::Pair(pair(i)),
            4 | 5 => four(pair(i), 2 + (byte >> 7)),
            6 | 7 if bit(i) != 0 => Dot::Field(byte >> 6),
            9 | 11 | 12 if bit(i * 8 / wide) != 0 => Dot::Field(0),
            8 | 10 | 13 | 14 => four(pair(i * 4 / wide), 2),
            _ => Dot::Back,
        };
    }
}

/// A row of a character.
fn glyph(scene: &Scene, text: &Text, mode: u8, row: u8, name: u8) -> u8 {
    let double = mode == 5 || mode == 7;
    let row = if double { row / 2 } else { row };
    let (set, code) = if mode < 6 {
        (text.chbase & 0xFC, name & 0x7F)
    } else {
        (text.chbase & 0xFE, name & 0x3F)
    };
    let reflected = if text.chactl & 4 != 0 { 7 } else { 0 };
    let address = usize::from(set) * 256 + usize::from(code) * 8 + usize::from(row & 7 ^ reflected);
    let mut data = scene.memory[address];
    if mode < 4 {
        let low = code >= 0x60;
        let blank = match row {
            0 | 1 => mode == 3 && low,
            // The last rows of mode 3 show the first ones of such a character.
            8 | 9 => !low,
            _ => false,
        };
        if blank {
            data = 0;
        }
        if name & 0x80 != 0 {
            if text.chactl & 1 != 0 {
                data = 0;
            }
            if text.chactl & 2 != 0 {
                data ^= 0xFF;
            }
        }
    }
    data
}
