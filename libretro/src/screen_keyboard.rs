//! The keyboard on the screen: the pad of port 1 moves over the Atari's keys and presses them. Its state is part of the core's, so that run-ahead, rewind and netplay
//! repeat it exactly.
use crate::ffi::pad;
use crate::keyboard::Pressed;
use session::keys::{self, CONTROL, SHIFT, code};
use session::typist::Stroke;

/// The rows of keys, each key with its width in units. Every row has [`UNITS`].
const ROWS: [&[(&str, usize)]; 6] = [
    &[
        ("START", 5),
        ("SELECT", 5),
        ("OPTION", 5),
        ("RESET", 5),
        ("HELP", 5),
        ("BREAK", 5),
    ],
    &[
        ("ESC", 3),
        ("1", 2),
        ("2", 2),
        ("3", 2),
        ("4", 2),
        ("5", 2),
        ("6", 2),
        ("7", 2),
        ("8", 2),
        ("9", 2),
        ("0", 2),
        ("<", 2),
        (">", 2),
        ("BS", 3),
    ],
    &[
        ("TAB", 3),
        ("Q", 2),
        ("W", 2),
        ("E", 2),
        ("R", 2),
        ("T", 2),
        ("Y", 2),
        ("U", 2),
        ("I", 2),
        ("O", 2),
        ("P", 2),
        ("-", 2),
        ("=", 2),
        ("RET", 3),
    ],
    &[
        ("CTL", 3),
        ("A", 2),
        ("S", 2),
        ("D", 2),
        ("F", 2),
        ("G", 2),
        ("H", 2),
        ("J", 2),
        ("K", 2),
        ("L", 2),
        (";", 2),
        ("+", 2),
        ("*", 2),
        ("CAP", 3),
    ],
    &[
        ("SHIFT", 5),
        ("Z", 2),
        ("X", 2),
        ("C", 2),
        ("V", 2),
        ("B", 2),
        ("N", 2),
        ("M", 2),
        (",", 2),
        (".", 2),
        ("/", 2),
        ("INV", 5),
    ],
    &[
        ("SPACE", 10),
        ("↑", 2),
        ("↓", 2),
        ("←", 2),
        ("→", 2),
        ("CLR", 4),
        ("INS", 4),
        ("DEL", 4),
    ],
];

/// Width of every row, in units.
const UNITS: usize = 30;
/// Pixels of a unit.
const UNIT: usize = 10;
/// Pixels from a row to the next one.
const PITCH: usize = 13;
/// Pixels between the keyboard and the picture's edge.
const MARGIN: usize = 4;
/// Frames for which a direction is held before it repeats, and between its repetitions.
const REPEAT: (u8, u8) = (16, 4);
/// Buttons that belong to the keyboard while it is shown.
const OWN: u16 = 1 << pad::UP
    | 1 << pad::DOWN
    | 1 << pad::LEFT
    | 1 << pad::RIGHT
    | 1 << pad::A
    | 1 << pad::B
    | 1 << pad::X
    | 1 << pad::L2;

/// Colours, XRGB8888.
const TEXT: u32 = 0x00FF_FFFF;
const CHOSEN: u32 = 0x00FF_D040;
const CHOSEN_TEXT: u32 = 0x0000_0000;
const LATCHED: u32 = 0x0040_70C0;

/// The keyboard on the screen, with its selected key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScreenKeyboard {
    shown: bool,
    /// It is at the upper edge of the picture.
    above: bool,
    row: u8,
    column: u8,
    /// SHIFT and CONTROL stay down until the next key has been pressed.
    shift: bool,
    control: bool,
    /// The selected key is down.
    pressed: bool,
    /// BACK SPACE is down by its own button.
    deletes: bool,
    /// Buttons of the last frame.
    buttons: u16,
    /// Frames until a held direction repeats.
    wait: u8,
}

impl ScreenKeyboard {
    /// Bytes of its state.
    pub const STATE: usize = 8;

    /// Takes the pad's buttons of the next frame: X shows and hides the keyboard, L2 moves it to the other edge of the picture, A presses the selected key, B is BACK SPACE.
    pub fn take(&mut self, buttons: u16) {
        let pushed = buttons & !self.buttons;
        let has = |buttons: u16, button: u32| buttons >> button & 1 != 0;
        self.buttons = buttons;
        if has(pushed, pad::X) {
            self.shown = !self.shown;
            (self.pressed, self.deletes) = (false, false);
            (self.shift, self.control) = (false, false);
        }
        if !self.shown {
            return;
        }
        self.above ^= has(pushed, pad::L2);
        self.deletes = has(buttons, pad::B) && (self.deletes || has(pushed, pad::B));
        if self.pressed {
            if !has(buttons, pad::A) {
                self.release();
            }
            return;
        }
        self.pressed = has(pushed, pad::A);
        if !self.pressed {
            self.turn(buttons, pushed);
        }
    }

    /// The selected key goes up.
    fn release(&mut self) {
        self.pressed = false;
        match self.label() {
            "SHIFT" => self.shift = !self.shift,
            "CTL" => self.control = !self.control,
            _ => (self.shift, self.control) = (false, false),
        }
    }

    /// Moves to another key when a direction is pushed, and again while it is held.
    fn turn(&mut self, buttons: u16, pushed: u16) {
        const DIRECTIONS: u16 = 1 << pad::UP | 1 << pad::DOWN | 1 << pad::LEFT | 1 << pad::RIGHT;
        if buttons & DIRECTIONS == 0 {
            self.wait = 0;
            return;
        }
        if pushed & DIRECTIONS != 0 {
            self.wait = REPEAT.0;
        } else if self.wait > 1 {
            self.wait -= 1;
            return;
        } else {
            self.wait = REPEAT.1;
        }
        let has = |button: u32| buttons >> button & 1 != 0;
        let keys = ROWS[usize::from(self.row)].len() as u8;
        if has(pad::LEFT) {
            self.column = (self.column + keys - 1) % keys;
        } else if has(pad::RIGHT) {
            self.column = (self.column + 1) % keys;
        } else {
            let rows = ROWS.len() as u8;
            let step = if has(pad::UP) { rows - 1 } else { 1 };
            let (left, width) = span(self.row, self.column);
            self.row = (self.row + step) % rows;
            self.column = at(self.row, left + width / 2);
        }
    }

    fn label(&self) -> &'static str {
        ROWS[usize::from(self.row)][usize::from(self.column)].0
    }

    /// The buttons that the machine gets.
    pub fn rest(&self, buttons: u16) -> u16 {
        if self.shown { buttons & !OWN } else { buttons }
    }

    /// The key that is down; `None` if none is, or only SHIFT or CONTROL.
    pub fn pressed(&self) -> Option<Pressed> {
        let found = if self.deletes {
            Pressed::Stroke(Stroke::Key(code::BACKSPACE))
        } else if self.pressed {
            key(self.label())?
        } else {
            return None;
        };
        Some(match found {
            Pressed::Stroke(Stroke::Key(key)) => {
                let shift = if self.shift { SHIFT } else { 0 };
                let control = if self.control { CONTROL } else { 0 };
                Pressed::Stroke(Stroke::Key(key | shift | control))
            }
            other => other,
        })
    }

    /// True while SHIFT is down.
    pub fn shift(&self) -> bool {
        self.shown && self.shift
    }

    /// Its state in a few bytes.
    pub fn state(&self) -> [u8; Self::STATE] {
        let flags = [
            self.shown,
            self.above,
            self.shift,
            self.control,
            self.pressed,
            self.deletes,
        ];
        let bits = (0..).zip(flags).map(|(bit, flag)| u8::from(flag) << bit);
        let [low, high] = self.buttons.to_le_bytes();
        [
            bits.sum(),
            self.row,
            self.column,
            low,
            high,
            self.wait,
            0,
            0,
        ]
    }

    /// The keyboard of such a state; a key that there is not is the first one.
    pub fn from_state(state: [u8; Self::STATE]) -> Self {
        let [bits, row, column, low, high, wait, ..] = state;
        let flag = |bit: u32| bits >> bit & 1 != 0;
        let keys = ROWS.get(usize::from(row)).map_or(0, |keys| keys.len());
        let (row, column) = if usize::from(column) < keys {
            (row, column)
        } else {
            (0, 0)
        };
        Self {
            shown: flag(0),
            above: flag(1),
            shift: flag(2),
            control: flag(3),
            pressed: flag(4),
            deletes: flag(5),
            row,
            column,
            buttons: u16::from_le_bytes([low, high]),
            wait,
        }
    }

    /// Draws it over a picture of this width.
    pub fn draw(&self, video: &mut [u32], width: usize) {
        if !self.shown {
            return;
        }
        let height = video.len() / width;
        let size = [UNITS * UNIT, ROWS.len() * PITCH];
        let left = (width - size[0]) / 2;
        let top = if self.above {
            MARGIN
        } else {
            height - size[1] - MARGIN
        };
        let mut canvas = Canvas { video, width };
        canvas.dim([left - 2, top - 2], [size[0] + 4, size[1] + 3]);
        for (row, keys) in (0..).zip(ROWS) {
            for (column, (label, _)) in (0..).zip(keys) {
                let (from, units) = span(row, column);
                let corner = [left + from * UNIT, top + usize::from(row) * PITCH];
                let chosen = (row, column) == (self.row, self.column);
                let latched = *label == "SHIFT" && self.shift || *label == "CTL" && self.control;
                let fill = [(chosen, CHOSEN), (latched, LATCHED)];
                if let Some((_, colour)) = fill.into_iter().find(|(is, _)| *is) {
                    canvas.fill(corner, [units * UNIT - 1, PITCH - 1], colour);
                }
                let text = self.shown_as(label);
                let inset = (units * UNIT - 8 * text.chars().count()) / 2;
                let ink = if chosen { CHOSEN_TEXT } else { TEXT };
                canvas.text([corner[0] + inset, corner[1] + 2], &text, ink);
            }
        }
    }

    /// The text on a key: with SHIFT, the character that it types then.
    fn shown_as(&self, label: &str) -> String {
        let mut characters = label.chars();
        let only = characters.next().filter(|_| characters.next().is_none());
        let shifted = only
            .filter(|only| self.shift && !only.is_alphabetic())
            .and_then(keys::of_char)
            .and_then(|key| (' '..='_').find(|typed| keys::of_char(*typed) == Some(key | SHIFT)));
        shifted.map_or_else(|| label.to_owned(), String::from)
    }
}

/// The first unit of a key and its width.
fn span(row: u8, column: u8) -> (usize, usize) {
    let keys = ROWS[usize::from(row)];
    let before = &keys[..usize::from(column)];
    let left = before.iter().map(|(_, units)| units).sum();
    (left, keys[usize::from(column)].1)
}

/// The key at a unit of a row.
fn at(row: u8, unit: usize) -> u8 {
    let keys = ROWS[usize::from(row)].len() as u8;
    let ends = |column: &u8| {
        let (left, width) = span(row, *column);
        unit < left + width
    };
    (0..keys).find(ends).unwrap_or(keys - 1)
}

/// The key with this label; `None` for SHIFT and CONTROL.
fn key(label: &str) -> Option<Pressed> {
    let key = match label {
        "START" => return Some(Pressed::Stroke(Stroke::Start)),
        "SELECT" => return Some(Pressed::Stroke(Stroke::Select)),
        "OPTION" => return Some(Pressed::Stroke(Stroke::Option)),
        "BREAK" => return Some(Pressed::Stroke(Stroke::Break)),
        "RESET" => return Some(Pressed::Reset),
        "HELP" => code::HELP,
        "ESC" => code::ESC,
        "BS" => code::BACKSPACE,
        "TAB" => code::TAB,
        "RET" => code::RETURN,
        "CAP" => code::CAPS,
        "INV" => code::INVERSE,
        "SPACE" => code::SPACE,
        "↑" => code::UP,
        "↓" => code::DOWN,
        "←" => code::LEFT,
        "→" => code::RIGHT,
        "CLR" => code::CLEAR,
        "INS" => code::INSERT,
        "DEL" => code::DELETE,
        _ => keys::key_alone(label.chars().next()?).filter(|_| label.len() == 1)?,
    };
    Some(Pressed::Stroke(Stroke::Key(key)))
}

/// A picture that is drawn on.
struct Canvas<'a> {
    video: &'a mut [u32],
    width: usize,
}

impl Canvas<'_> {
    fn rows(
        &mut self,
        [x, y]: [usize; 2],
        [width, height]: [usize; 2],
    ) -> impl Iterator<Item = &mut [u32]> {
        let rows = self.video.chunks_exact_mut(self.width).skip(y).take(height);
        rows.map(move |row| &mut row[x..x + width])
    }

    fn fill(&mut self, corner: [usize; 2], size: [usize; 2], colour: u32) {
        self.rows(corner, size).for_each(|row| row.fill(colour));
    }

    /// Leaves a quarter of the light.
    fn dim(&mut self, corner: [usize; 2], size: [usize; 2]) {
        for pixel in self.rows(corner, size).flatten() {
            *pixel = *pixel >> 2 & 0x003F_3F3F;
        }
    }

    /// Writes in the letters of our OS.
    fn text(&mut self, [x, y]: [usize; 2], text: &str, colour: u32) {
        for (number, character) in text.chars().enumerate() {
            let glyph = glyph(character);
            for (row, bits) in self.rows([x + 8 * number, y], [8, 8]).zip(glyph) {
                let ink = row
                    .iter_mut()
                    .zip(0..)
                    .filter(|(_, bit)| bits << bit & 0x80 != 0);
                ink.for_each(|(pixel, _)| *pixel = colour);
            }
        }
    }
}

/// The eight rows of a character, from the character set at $E000.
fn glyph(character: char) -> &'static [u8] {
    let code = match character {
        '↑' => 0x5C,
        '↓' => 0x5D,
        '←' => 0x5E,
        '→' => 0x5F,
        ' '..='_' => character as usize - 0x20,
        _ => 0,
    };
    // The image begins at $C000.
    let at = 0x2000 + 8 * code;
    roms::os_xl().get(at..at + 8).unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pushes a button and lets it go.
    fn push(keyboard: &mut ScreenKeyboard, button: u32) -> Option<Pressed> {
        keyboard.take(1 << button);
        let pressed = keyboard.pressed();
        keyboard.take(0);
        pressed
    }

    /// Goes to the key with this label.
    fn go(keyboard: &mut ScreenKeyboard, label: &str) {
        for _ in 0..ROWS.len() {
            for _ in 0..ROWS[usize::from(keyboard.row)].len() {
                if keyboard.label() == label {
                    return;
                }
                push(keyboard, pad::RIGHT);
            }
            push(keyboard, pad::DOWN);
        }
        panic!("no key {label} is reached");
    }

    #[test]
    fn every_key_is_reached_and_types_its_own() {
        let mut keyboard = ScreenKeyboard::default();
        push(&mut keyboard, pad::X);
        let mut typed = Vec::new();
        for (label, _) in ROWS.into_iter().flatten() {
            go(&mut keyboard, label);
            let pressed = push(&mut keyboard, pad::A);
            assert_eq!(
                pressed.is_none(),
                ["SHIFT", "CTL"].contains(label),
                "{label}"
            );
            assert!(
                pressed.is_none_or(|key| !typed.contains(&key)),
                "{label} twice"
            );
            typed.extend(pressed);
            (keyboard.shift, keyboard.control) = (false, false);
        }
        for character in ('A'..='Z').chain('0'..='9') {
            let key = keys::key_alone(character)
                .map(Stroke::Key)
                .map(Pressed::Stroke);
            assert!(typed.contains(&key.unwrap()), "{character}");
        }
    }

    #[test]
    fn rows_are_equally_wide_and_labels_fit() {
        for keys in ROWS {
            assert_eq!(keys.iter().map(|(_, units)| units).sum::<usize>(), UNITS);
            for (label, units) in keys {
                assert!(8 * label.chars().count() < units * UNIT, "{label}");
                assert!(
                    label
                        .chars()
                        .all(|shown| glyph(shown).iter().any(|row| *row != 0))
                );
            }
        }
    }

    #[test]
    fn shift_and_control_are_for_the_next_key_only() {
        let mut keyboard = ScreenKeyboard::default();
        push(&mut keyboard, pad::X);
        let stroke = |key: u8| Some(Pressed::Stroke(Stroke::Key(key)));
        go(&mut keyboard, "SHIFT");
        push(&mut keyboard, pad::A);
        assert_eq!(
            (keyboard.shift(), &keyboard.shown_as("2")[..]),
            (true, "\"")
        );
        go(&mut keyboard, "2");
        assert_eq!(push(&mut keyboard, pad::A), stroke(0x1E | SHIFT));
        assert_eq!(push(&mut keyboard, pad::A), stroke(0x1E));
        go(&mut keyboard, "CTL");
        push(&mut keyboard, pad::A);
        go(&mut keyboard, "C");
        assert_eq!(push(&mut keyboard, pad::A), stroke(0x92));
        assert_eq!(push(&mut keyboard, pad::A), stroke(0x12));
        assert_eq!(push(&mut keyboard, pad::B), stroke(code::BACKSPACE));
    }

    #[test]
    fn a_held_direction_repeats_and_a_state_has_all() {
        let mut keyboard = ScreenKeyboard::default();
        push(&mut keyboard, pad::X);
        for _ in 0..=REPEAT.0 + REPEAT.1 {
            let again = ScreenKeyboard::from_state(keyboard.state());
            assert_eq!(again, keyboard);
            keyboard.take(1 << pad::RIGHT);
        }
        assert_eq!(keyboard.column, 3);
        let mut strange = keyboard.state();
        (strange[1], strange[2]) = (5, 200);
        let first = ScreenKeyboard::from_state(strange);
        assert_eq!((first.row, first.column), (0, 0));
    }

    #[test]
    fn its_buttons_are_its_own_while_it_is_shown() {
        let mut keyboard = ScreenKeyboard::default();
        let all = u16::MAX;
        assert_eq!(keyboard.rest(all), all);
        // A button that is down when it opens presses nothing.
        keyboard.take(1 << pad::A);
        keyboard.take(1 << pad::A | 1 << pad::X);
        assert_eq!(keyboard.pressed(), None);
        assert_eq!(keyboard.rest(all), all & !OWN);
        push(&mut keyboard, pad::X);
        push(&mut keyboard, pad::X);
        assert_eq!((keyboard.shown, keyboard.rest(all)), (false, all));
    }
}
