//! ATASCII as Unicode and back: the text of copied screens and of listings of a host.
use alloc::string::String;

/// Unicode pictures of ATASCII 0 to 31.
const CONTROL: [char; 32] = [
    '♥', '├', '▕', '┘', '┤', '┐', '╱', '╲', '◢', '▗', '◣', '▝', '▘', '▔', '▁', '▖', '♣', '┌', '─',
    '┼', '●', '▄', '▎', '┬', '┴', '▌', '└', '␛', '↑', '↓', '←', '→',
];

/// The Unicode character that looks like ATASCII `code`; bit 7 (inverse) is ignored.
///
/// ```
/// assert_eq!(media::atascii::glyph(0), '♥');
/// assert_eq!(media::atascii::glyph(b'A' | 0x80), 'A');
/// ```
#[must_use]
pub fn glyph(code: u8) -> char {
    match code & 0x7F {
        c @ 0..=31 => CONTROL[usize::from(c)],
        96 => '♦',
        123 => '♠',
        125 => '↰',
        126 => '◀',
        127 => '▶',
        c => char::from(c),
    }
}

/// ATASCII of a character: that of its [`glyph`], of the letter that typography has made something else of, or else its number as a byte.
/// `None` for characters that the Atari does not have.
#[must_use]
pub fn of_char(character: char) -> Option<u8> {
    let plain = match character {
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201C}' | '\u{201D}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        other => other,
    };
    if let Ok(byte) = u8::try_from(u32::from(plain)) {
        return Some(byte);
    }
    (0..128).find(|&code| glyph(code) == plain)
}

/// ATASCII as a text that [`of_char`] makes the same bytes of: lines end with LF, and an inverse character has the number of its byte.
#[must_use]
pub fn to_text(bytes: &[u8]) -> String {
    let text = |&byte: &u8| match byte {
        crate::basic::EOL => '\n',
        0..=0x7F => glyph(byte),
        _ => char::from(byte),
    };
    bytes.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back_from_its_character() {
        for byte in 0..=255 {
            if byte == crate::basic::EOL {
                continue;
            }
            let text = to_text(&[byte]);
            let mut characters = text.chars();
            assert_eq!(characters.next().and_then(of_char), Some(byte), "{byte}");
        }
        assert_eq!(of_char('\u{201D}'), Some(b'"'));
        assert_eq!(of_char('€'), None);
    }
}
