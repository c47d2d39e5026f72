//! Typing: text to key codes, and keys at the pace at which the machine takes them.
use crate::{Bus, Machine, Probe};
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use cpu6502::Cpu;

/// SHIFT in a key code.
pub const SHIFT: u8 = 0x40;
/// CONTROL in a key code.
pub const CONTROL: u8 = 0x80;

/// Key codes by name, as the tables of the OS number them.
pub mod keys {
    #![allow(missing_docs)]
    pub const RETURN: u8 = 0x0C;
    pub const ESC: u8 = 0x1C;
    pub const TAB: u8 = 0x2C;
    pub const BACKSPACE: u8 = 0x34;
    pub const INVERSE: u8 = 0x27;
    pub const CAPS: u8 = 0x3C;
    pub const SPACE: u8 = 0x21;
    pub const HELP: u8 = 0x11;
    pub const MINUS: u8 = 0x0E;
    pub const EQUALS: u8 = 0x0F;
    pub const PLUS: u8 = 0x06;
    pub const ASTERISK: u8 = 0x07;
    pub const LESS: u8 = 0x36;
    pub const GREATER: u8 = 0x37;
}

/// Keys that give a letter or digit, in the order A-Z, 0-9.
const LETTERS: [u8; 26] = [
    0x3F, 0x15, 0x12, 0x3A, 0x2A, 0x38, 0x3D, 0x39, 0x0D, 0x01, 0x05, 0x00, 0x25, 0x23, 0x08, 0x0A,
    0x2F, 0x28, 0x3E, 0x2D, 0x0B, 0x10, 0x2E, 0x16, 0x2B, 0x17,
];
const DIGITS: [u8; 10] = [0x32, 0x1F, 0x1E, 0x1A, 0x18, 0x1D, 0x1B, 0x33, 0x35, 0x30];

/// The key for a character that needs no letter key: code with SHIFT where needed.
const SYMBOLS: &[(char, u8)] = &[
    (' ', 0x21),
    ('!', 0x1F | SHIFT),
    ('"', 0x1E | SHIFT),
    ('#', 0x1A | SHIFT),
    ('$', 0x18 | SHIFT),
    ('%', 0x1D | SHIFT),
    ('&', 0x1B | SHIFT),
    ('\'', 0x33 | SHIFT),
    ('@', 0x35 | SHIFT),
    ('(', 0x30 | SHIFT),
    (')', 0x32 | SHIFT),
    ('*', 0x07),
    ('+', 0x06),
    (',', 0x20),
    ('-', 0x0E),
    ('.', 0x22),
    ('/', 0x26),
    (':', 0x02 | SHIFT),
    (';', 0x02),
    ('<', 0x36),
    ('=', 0x0F),
    ('>', 0x37),
    ('?', 0x26 | SHIFT),
    ('[', 0x20 | SHIFT),
    ('\\', 0x06 | SHIFT),
    (']', 0x22 | SHIFT),
    ('^', 0x07 | SHIFT),
    ('_', 0x0E | SHIFT),
    ('|', 0x0F | SHIFT),
    ('\n', 0x0C),
    ('\r', 0x0C),
    ('\t', 0x2C),
    ('\u{1b}', 0x1C),
    ('\u{8}', 0x34),
    ('\u{7f}', 0x34),
];

/// The key that types an ASCII character in upper case mode (as after power-on): letters of either case are the key alone.
#[must_use]
pub fn key_for(c: char) -> Option<u8> {
    match c {
        'A'..='Z' => Some(LETTERS[usize::from(c as u8 - b'A')]),
        'a'..='z' => Some(LETTERS[usize::from(c as u8 - b'a')]),
        '0'..='9' => Some(DIGITS[usize::from(c as u8 - b'0')]),
        _ => SYMBOLS.iter().find(|s| s.0 == c).map(|s| s.1),
    }
}

/// One thing to press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// A key code.
    Key(u8),
    /// The BREAK key.
    Break,
}

/// Why a text cannot be typed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypingError {
    /// A name in braces that is no key.
    #[error("there is no key {{{0}}}")]
    Key(String),
    /// A character that no key types.
    #[error("no key of the Atari types {0:?}")]
    Character(char),
    /// An opening brace without a closing one.
    #[error("a {{ without }} in the text to type")]
    Brace,
}

/// The keys for `text`. Upper and lower case letters are the letter's key alone; names in braces are special keys, with
/// `*n` for a repeat: RET UP DOWN LEFT RIGHT BKS DELCH DELLINE INSCH INSLINE CLEAR TAB SETTAB CLRTAB ESC INV CAPS SHCAPS
/// CTCAPS EOF BELL BREAK HELP CTRL-x SHIFT-x.
///
/// # Errors
/// A character or name without a key.
pub fn keys_for(text: &str) -> Result<Vec<Press>, TypingError> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c != '{' {
            out.push(Press::Key(key_for(c).ok_or(TypingError::Character(c))?));
            continue;
        }
        let (name, after) = rest.split_once('}').ok_or(TypingError::Brace)?;
        rest = after;
        let (name, count) = match name.rsplit_once('*') {
            Some((n, times)) if !n.is_empty() && !n.ends_with('-') => (n, times.parse().ok()),
            _ => (name, Some(1usize)),
        };
        let press = named(name)
            .zip(count)
            .ok_or_else(|| TypingError::Key(name.into()))?;
        out.extend(core::iter::repeat_n(press.0, press.1.min(1000)));
    }
    Ok(out)
}

/// The key code of a key's short name, as [`keys_for`] lists them; BREAK has none.
#[must_use]
pub fn key_named(name: &str) -> Option<u8> {
    match named(name)? {
        Press::Key(code) => Some(code),
        Press::Break => None,
    }
}

fn named(name: &str) -> Option<Press> {
    Some(Press::Key(match name {
        "RET" | "RETURN" => keys::RETURN,
        "UP" => keys::MINUS | CONTROL,
        "DOWN" => keys::EQUALS | CONTROL,
        "LEFT" => keys::PLUS | CONTROL,
        "RIGHT" => keys::ASTERISK | CONTROL,
        "BKS" => keys::BACKSPACE,
        "DELCH" => keys::BACKSPACE | CONTROL,
        "DELLINE" => keys::BACKSPACE | SHIFT,
        "INSCH" => keys::GREATER | CONTROL,
        "INSLINE" => keys::GREATER | SHIFT,
        "CLEAR" => keys::LESS | SHIFT,
        "TAB" => keys::TAB,
        "SETTAB" => keys::TAB | SHIFT,
        "CLRTAB" => keys::TAB | CONTROL,
        "ESC" => keys::ESC,
        "INV" => keys::INVERSE,
        "CAPS" => keys::CAPS,
        "SHCAPS" => keys::CAPS | SHIFT,
        "CTCAPS" => keys::CAPS | CONTROL,
        "EOF" => 0x1A | CONTROL,
        "BELL" => 0x1E | CONTROL,
        "HELP" => keys::HELP,
        "SPACE" => keys::SPACE,
        "BREAK" => return Some(Press::Break),
        _ => {
            let (modifier, key) = name.split_once('-')?;
            let mut chars = key.chars();
            let code = key_for(chars.next()?)?;
            let bits = match modifier {
                "CTRL" => CONTROL,
                "SHIFT" => SHIFT,
                _ => return None,
            };
            if chars.next().is_some() {
                return None;
            }
            code & 0x3F | bits
        }
    }))
}

/// CH: the key the OS holds ready, $FF = none.
const CH: u16 = 0x02FC;
/// KEYDEL: frames until the OS believes the same key again.
const KEYDEL: u16 = 0x02F1;

/// Polls of CH in a frame from which on the machine counts as waiting for a key. The keyboard handler's loop makes several
/// hundred; a BASIC program that looks at PEEK(764) makes ten at most.
const POLLS: u32 = 100;

/// Counts how often the processor looks at CH.
struct Polls(u32);

impl Probe for Polls {
    fn cycle(&mut self, cpu: &Cpu, _: &Bus) -> bool {
        self.0 += u32::from(cpu.next_address() == CH && !cpu.next_is_write());
        false
    }
}

/// Runs one frame and tells whether the machine spent it waiting for a key: the processor read CH ($02FC) over and over,
/// and it was empty.
pub fn frame_waits_for_key(machine: &mut Machine) -> bool {
    let mut polls = Polls(0);
    machine.run_frame_with(&mut polls);
    polls.0 >= POLLS && machine.peek(CH) == 0xFF
}

/// Frames a key is held.
const HOLD: u8 = 2;
/// Frames between keys; a repeat of the same key also waits for KEYDEL.
const GAP: u8 = 1;

/// Presses keys one after another, each when the machine has taken the last one. Call [`Typist::frame`] once a frame.
#[derive(Clone, Debug, Default)]
pub struct Typist {
    queue: VecDeque<Press>,
    down: Option<Press>,
    wait: u8,
}

impl Typist {
    /// Nothing to type.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends keys.
    pub fn push(&mut self, keys: impl IntoIterator<Item = Press>) {
        self.queue.extend(keys);
    }

    /// Whether all keys are pressed and released.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.down.is_none() && self.wait == 0
    }

    /// Forgets what is not yet typed and releases the key.
    pub fn clear(&mut self, machine: &mut Machine) {
        self.queue.clear();
        self.release(machine);
    }

    /// Presses or releases for the coming frame. A key goes down only when the OS has taken the one before (CH is empty).
    pub fn frame(&mut self, machine: &mut Machine) {
        if self.wait > 0 {
            self.wait -= 1;
            if self.wait > 0 || self.down.is_none() {
                return;
            }
            self.release(machine);
            self.wait = GAP;
            return;
        }
        let Some(&press) = self.queue.front() else {
            return;
        };
        if matches!(press, Press::Key(_)) && (machine.peek(CH) != 0xFF || machine.peek(KEYDEL) != 0)
        {
            return;
        }
        self.queue.pop_front();
        self.down = Some(press);
        match press {
            Press::Key(code) => machine.input.key = Some(code),
            Press::Break => machine.input.break_key = true,
        }
        self.wait = HOLD;
    }

    fn release(&mut self, machine: &mut Machine) {
        match self.down.take() {
            Some(Press::Key(_)) => machine.input.key = None,
            Some(Press::Break) => machine.input.break_key = false,
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_braces_are_keys_with_repeats() {
        let keys = keys_for("A{UP*3}{CTRL-*}{SHIFT-1}\n").unwrap();
        assert_eq!(
            keys,
            [0x3F, 0x8E, 0x8E, 0x8E, 0x87, 0x5F, 0x0C].map(Press::Key)
        );
        assert_eq!(keys_for("{NOKEY}"), Err(TypingError::Key("NOKEY".into())));
        assert_eq!(keys_for("{UP"), Err(TypingError::Brace));
        assert_eq!(keys_for("é"), Err(TypingError::Character('é')));
    }
}
