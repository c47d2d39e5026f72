//! The Atari's keys: which key, with which of SHIFT and CONTROL, gives which character.

/// SHIFT in a KBCODE.
pub const SHIFT: u8 = 0x40;
/// CONTROL in a KBCODE.
pub const CONTROL: u8 = 0x80;

/// Keys without a character, as KBCODE numbers them.
pub mod code {
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
    /// CLEAR: SHIFT and `<`.
    pub const CLEAR: u8 = 0x76;
    /// INSERT a character: CONTROL and `>`.
    pub const INSERT: u8 = 0xB7;
    /// DELETE a character: CONTROL and BACK SPACE.
    pub const DELETE: u8 = 0xB4;
    /// Insert a line: SHIFT and `>`.
    pub const INSERT_LINE: u8 = 0x77;
    /// Delete a line: SHIFT and BACK SPACE.
    pub const DELETE_LINE: u8 = 0x74;
    /// Cursor up: CONTROL and `-`.
    pub const UP: u8 = 0x8E;
    /// Cursor down: CONTROL and `=`.
    pub const DOWN: u8 = 0x8F;
    /// Cursor left: CONTROL and `+`.
    pub const LEFT: u8 = 0x86;
    /// Cursor right: CONTROL and `*`.
    pub const RIGHT: u8 = 0x87;
    /// The space bar.
    pub const SPACE: u8 = 0x21;
}

/// Characters of the bare keys and of the same keys with SHIFT.
const KEYS: &[(u8, char, char)] = &[
    (0x3F, 'a', 'A'),
    (0x15, 'b', 'B'),
    (0x12, 'c', 'C'),
    (0x3A, 'd', 'D'),
    (0x2A, 'e', 'E'),
    (0x38, 'f', 'F'),
    (0x3D, 'g', 'G'),
    (0x39, 'h', 'H'),
    (0x0D, 'i', 'I'),
    (0x01, 'j', 'J'),
    (0x05, 'k', 'K'),
    (0x00, 'l', 'L'),
    (0x25, 'm', 'M'),
    (0x23, 'n', 'N'),
    (0x08, 'o', 'O'),
    (0x0A, 'p', 'P'),
    (0x2F, 'q', 'Q'),
    (0x28, 'r', 'R'),
    (0x3E, 's', 'S'),
    (0x2D, 't', 'T'),
    (0x0B, 'u', 'U'),
    (0x10, 'v', 'V'),
    (0x2E, 'w', 'W'),
    (0x16, 'x', 'X'),
    (0x2B, 'y', 'Y'),
    (0x17, 'z', 'Z'),
    (0x1F, '1', '!'),
    (0x1E, '2', '"'),
    (0x1A, '3', '#'),
    (0x18, '4', '$'),
    (0x1D, '5', '%'),
    (0x1B, '6', '&'),
    (0x33, '7', '\''),
    (0x35, '8', '@'),
    (0x30, '9', '('),
    (0x32, '0', ')'),
    (0x0E, '-', '_'),
    (0x0F, '=', '|'),
    (0x06, '+', '\\'),
    (0x07, '*', '^'),
    (0x02, ';', ':'),
    (0x20, ',', '['),
    (0x22, '.', ']'),
    (0x26, '/', '?'),
    (0x36, '<', '\0'),
    (0x37, '>', '\0'),
    (0x21, ' ', '\0'),
    (0x0C, '\n', '\0'),
    (0x2C, '\t', '\0'),
    (0x1C, '\u{1B}', '\0'),
    (0x34, '\u{8}', '\0'),
];

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

/// The key that types `character`, as KBCODE with SHIFT; `None` when the Atari has no such key.
///
/// Upper-case letters come with SHIFT. While CAPS is on, as it is at power-on, a letter is a capital either way.
pub fn of_char(character: char) -> Option<u8> {
    let character = if character == '\r' { '\n' } else { character };
    if character == '\0' {
        return None;
    }
    KEYS.iter().find_map(|&(key, bare, shifted)| {
        if bare == character {
            Some(key)
        } else if shifted == character {
            Some(key | SHIFT)
        } else {
            None
        }
    })
}

/// The key called `name`: a single character, a name such as `return` or `clear`, or either after `ctrl-` and `shift-`.
pub fn of_name(name: &str) -> Option<u8> {
    let name = name.trim();
    let lower = name.to_ascii_lowercase();
    if let Some(rest) = lower.strip_prefix("ctrl-").filter(|r| !r.is_empty()) {
        return of_name(rest).map(|key| key | CONTROL);
    }
    if let Some(rest) = lower.strip_prefix("shift-").filter(|r| !r.is_empty()) {
        return of_name(rest).map(|key| key | SHIFT);
    }
    if let Some(&(_, key)) = NAMES.iter().find(|(known, _)| *known == lower) {
        return Some(key);
    }
    let mut characters = name.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) => of_char(only),
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
    fn every_key_is_in_the_table_once() {
        for (i, &(key, bare, _)) in KEYS.iter().enumerate() {
            assert!(key < 0x40);
            assert!(
                KEYS[..i].iter().all(|&(other, ..)| other != key),
                "{bare:?}"
            );
        }
    }

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
        assert_eq!(of_name("nonsense"), None);
    }
}
