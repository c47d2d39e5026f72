//! The Atari's keys: which key, with which of SHIFT and CONTROL, gives which character. The only table of key codes.

/// SHIFT in a KBCODE.
pub const SHIFT: u8 = 0x40;
/// CONTROL in a KBCODE.
pub const CONTROL: u8 = 0x80;

/// Keys without a character, as KBCODE numbers them.
pub mod code {
    use super::{CONTROL, SHIFT};

    /// RETURN.
    pub const RETURN: u8 = 0x0C;
    /// ESC.
    pub const ESC: u8 = 0x1C;
    /// TAB.
    pub const TAB: u8 = 0x2C;
    /// DELETE BACK SPACE.
    pub const BACKSPACE: u8 = 0x34;
    /// CAPS.
    pub const CAPS: u8 = 0x3C;
    /// Inverse video (the Atari logo or the half-filled square).
    pub const INVERSE: u8 = 0x27;
    /// HELP of XL and XE.
    pub const HELP: u8 = 0x11;
    /// The space bar.
    pub const SPACE: u8 = 0x21;
    /// The key `<`.
    pub(crate) const LESS: u8 = 0x36;
    /// The key `>`.
    pub(crate) const GREATER: u8 = 0x37;
    /// CLEAR: SHIFT and `<`.
    pub const CLEAR: u8 = LESS | SHIFT;
    /// INSERT a character: CONTROL and `>`.
    pub const INSERT: u8 = GREATER | CONTROL;
    /// DELETE a character: CONTROL and BACK SPACE.
    pub const DELETE: u8 = BACKSPACE | CONTROL;
    /// Insert a line: SHIFT and `>`.
    pub const INSERT_LINE: u8 = GREATER | SHIFT;
    /// Delete a line: SHIFT and BACK SPACE.
    pub const DELETE_LINE: u8 = BACKSPACE | SHIFT;
    /// Cursor up: CONTROL and `-`.
    pub const UP: u8 = 0x0E | CONTROL;
    /// Cursor down: CONTROL and `=`.
    pub const DOWN: u8 = 0x0F | CONTROL;
    /// Cursor left: CONTROL and `+`.
    pub const LEFT: u8 = 0x06 | CONTROL;
    /// Cursor right: CONTROL and `*`.
    pub const RIGHT: u8 = 0x07 | CONTROL;
}

/// Names for keys in `{braces}` of typed text, in scripts and in the configuration.
const NAMES: &[(&str, u8)] = &[
    ("return", code::RETURN),
    ("esc", code::ESC),
    ("tab", code::TAB),
    ("backspace", code::BACKSPACE),
    ("caps", code::CAPS),
    ("inverse", code::INVERSE),
    ("help", code::HELP),
    ("clear", code::CLEAR),
    ("insert", code::INSERT),
    ("delete", code::DELETE),
    ("insert-line", code::INSERT_LINE),
    ("delete-line", code::DELETE_LINE),
    ("up", code::UP),
    ("down", code::DOWN),
    ("left", code::LEFT),
    ("right", code::RIGHT),
    ("space", code::SPACE),
];

/// Shorter names for the same keys, and for some of their combinations.
const SHORT_NAMES: &[(&str, u8)] = &[
    ("ret", code::RETURN),
    ("bks", code::BACKSPACE),
    ("inv", code::INVERSE),
    ("delch", code::DELETE),
    ("insch", code::INSERT),
    ("delline", code::DELETE_LINE),
    ("insline", code::INSERT_LINE),
    ("settab", code::TAB | SHIFT),
    ("clrtab", code::TAB | CONTROL),
    ("shcaps", code::CAPS | SHIFT),
    ("ctcaps", code::CAPS | CONTROL),
    ("eof", 0x1A | CONTROL),
    ("bell", 0x1E | CONTROL),
];

/// The keys of the letters A to Z.
const LETTERS: [u8; 26] = [
    0x3F, 0x15, 0x12, 0x3A, 0x2A, 0x38, 0x3D, 0x39, 0x0D, 0x01, 0x05, 0x00, 0x25, 0x23, 0x08, 0x0A,
    0x2F, 0x28, 0x3E, 0x2D, 0x0B, 0x10, 0x2E, 0x16, 0x2B, 0x17,
];
/// The keys of the digits 0 to 9.
const DIGITS: [u8; 10] = [0x32, 0x1F, 0x1E, 0x1A, 0x18, 0x1D, 0x1B, 0x33, 0x35, 0x30];

/// The keys of all other characters, with SHIFT where the Atari needs it.
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
    ('\n', code::RETURN),
    ('\r', code::RETURN),
    ('\t', code::TAB),
    ('\u{1b}', code::ESC),
    ('\u{8}', code::BACKSPACE),
    ('\u{7f}', code::BACKSPACE),
];

/// The key that types `character`, as KBCODE with SHIFT; `None` when the Atari has no such key.
///
/// Upper-case letters come with SHIFT. While CAPS is on, as it is at power-on, a letter is a capital either way.
///
/// ```
/// use session::keys;
/// assert_eq!(keys::of_char('a'), Some(0x3F));
/// assert_eq!(keys::of_char('A'), Some(0x3F | keys::SHIFT));
/// ```
pub fn of_char(character: char) -> Option<u8> {
    let key = key_alone(character)?;
    Some(if character.is_ascii_uppercase() {
        key | SHIFT
    } else {
        key
    })
}

/// The key that types `character` while CAPS is on, as it is at power-on: a letter of either case is its key without SHIFT.
pub fn key_alone(character: char) -> Option<u8> {
    match character {
        'A'..='Z' | 'a'..='z' => {
            Some(LETTERS[usize::from(character.to_ascii_lowercase() as u8 - b'a')])
        }
        '0'..='9' => Some(DIGITS[usize::from(character as u8 - b'0')]),
        _ => SYMBOLS
            .iter()
            .find(|(known, _)| *known == character)
            .map(|&(_, key)| key),
    }
}

/// The keys that put a graphics character on the screen, after ESC where they would move the cursor or edit otherwise; `None` for a character that is not a graphics
/// character of the Atari.
pub(crate) fn of_graphics(character: char) -> Option<Vec<u8>> {
    let code = (0..128).find(|&code| media::atascii::glyph(code) == character)?;
    let escaped = |key| vec![code::ESC, key];
    Some(match code {
        0 => vec![0x20 | CONTROL],
        1..=26 => vec![LETTERS[usize::from(code) - 1] | CONTROL],
        27 => escaped(code::ESC),
        28 => escaped(code::UP),
        29 => escaped(code::DOWN),
        30 => escaped(code::LEFT),
        31 => escaped(code::RIGHT),
        96 => vec![0x22 | CONTROL],
        123 => vec![0x02 | CONTROL],
        125 => escaped(code::CLEAR),
        126 => escaped(code::BACKSPACE),
        127 => escaped(code::TAB),
        _ => return None,
    })
}

/// True if a KBCODE is a letter's key, with or without SHIFT.
pub(crate) fn is_letter(key: u8) -> bool {
    key & CONTROL == 0 && LETTERS.contains(&(key & !SHIFT))
}

/// The key called `name`: a single character (a letter is its key without SHIFT), a name such as `return` or `clear`, or either after `ctrl-` and `shift-`.
pub fn of_name(name: &str) -> Option<u8> {
    let name = name.trim();
    let lower = name.to_ascii_lowercase();
    if let Some(rest) = lower.strip_prefix("ctrl-").filter(|r| !r.is_empty()) {
        return of_name(rest).map(|key| key | CONTROL);
    }
    if let Some(rest) = lower.strip_prefix("shift-").filter(|r| !r.is_empty()) {
        return of_name(rest).map(|key| key | SHIFT);
    }
    let named = NAMES.iter().chain(SHORT_NAMES);
    if let Some(&(_, key)) = named.into_iter().find(|(known, _)| *known == lower) {
        return Some(key);
    }
    let mut characters = name.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) => key_alone(only),
        _ => None,
    }
}

/// All key names, for messages.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_ascii_character_of_the_atari_can_be_typed() {
        for character in (' '..='_').chain('a'..='z').chain(['|']) {
            assert!(of_char(character).is_some(), "{character:?}");
        }
        assert_eq!(of_char('"'), Some(0x5E));
        assert_eq!(of_char('\n'), Some(0x0C));
        assert_eq!(of_char('{'), None);
        assert_eq!(of_char('\0'), None);
    }

    #[test]
    fn keys_have_names_with_modifiers() {
        assert_eq!(of_name("CTRL-C"), Some(0x92));
        assert_eq!(of_name("ctrl-shift-a"), Some(0xFF));
        assert_eq!(of_name("shift-return"), Some(0x4C));
        assert_eq!(of_name("-"), Some(0x0E));
        assert_eq!(
            (of_name("RET"), of_name("shcaps")),
            (Some(0x0C), Some(0x7C))
        );
        assert_eq!(of_name("nonsense"), None);
    }

    #[test]
    fn no_two_names_are_alike() {
        let mut all: Vec<&str> = NAMES.iter().chain(SHORT_NAMES).map(|n| n.0).collect();
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
