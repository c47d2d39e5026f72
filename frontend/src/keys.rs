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
    let key = machine::typist::key_for(character)?;
    Some(if character.is_ascii_uppercase() {
        key | SHIFT
    } else {
        key
    })
}

/// Whether a KBCODE is a letter's key, with or without SHIFT.
pub fn is_letter(key: u8) -> bool {
    key & CONTROL == 0
        && ('A'..='Z').any(|letter| machine::typist::key_for(letter) == Some(key & !SHIFT))
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
    if let Some(&(_, key)) = NAMES.iter().find(|(known, _)| *known == lower) {
        return Some(key);
    }
    let mut characters = name.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) => of_char(only.to_ascii_lowercase()),
        // Short names: RET BKS DELCH DELLINE INSCH INSLINE SETTAB CLRTAB INV SHCAPS CTCAPS EOF BELL.
        _ => machine::typist::key_named(&name.to_ascii_uppercase()),
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
}
