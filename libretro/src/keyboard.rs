//! The frontend's keyboard: numbers of `RETROK_` to the Atari's keys.
use session::keys::{self, CONTROL, SHIFT, code};
use session::typist::Stroke;

/// A key that is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pressed {
    /// A key of the matrix, a console key or BREAK.
    Stroke(Stroke),
    /// RESET.
    Reset,
    /// SHIFT or CONTROL by itself.
    Modifier,
}

/// The keys of a PC that have their own place on the Atari, by their numbers.
fn special(number: u32) -> Option<Pressed> {
    let key = match number {
        8 => code::BACKSPACE,
        9 => code::TAB,
        // Return, and Enter of the number pad.
        13 | 271 => code::RETURN,
        27 => code::ESC,
        // The key left of 1, and left Alt: the Atari key.
        96 | 308 => code::INVERSE,
        127 => code::DELETE,
        273 => code::UP,
        274 => code::DOWN,
        275 => code::RIGHT,
        276 => code::LEFT,
        277 => code::INSERT,
        // Home.
        278 => code::CLEAR,
        // F6, and Help.
        287 | 315 => code::HELP,
        301 => code::CAPS,
        // F2 to F5 are the console keys, as on the Atari from right to left and back.
        283 => return Some(Pressed::Stroke(Stroke::Option)),
        284 => return Some(Pressed::Stroke(Stroke::Select)),
        285 => return Some(Pressed::Stroke(Stroke::Start)),
        286 => return Some(Pressed::Reset),
        // Pause, and Break.
        19 | 318 => return Some(Pressed::Stroke(Stroke::Break)),
        303..=306 => return Some(Pressed::Modifier),
        _ => return None,
    };
    Some(Pressed::Stroke(Stroke::Key(key)))
}

/// The Atari's key for this number, character and modifiers; `None` if it has no such key.
pub fn key(number: u32, character: u32, shift: bool, control: bool) -> Option<Pressed> {
    if let Some(pressed) = special(number) {
        return Some(match pressed {
            Pressed::Stroke(Stroke::Key(key)) => {
                let shift = if shift { SHIFT } else { 0 };
                let control = if control { CONTROL } else { 0 };
                Pressed::Stroke(Stroke::Key(key | shift | control))
            }
            other => other,
        });
    }
    // The character, where the frontend knows the user's layout; the key's character on an American one otherwise.
    let typed = char::from_u32(character).filter(|typed| !control && (' '..='~').contains(typed));
    let typed = typed.or_else(|| {
        let shown = char::from_u32(number).filter(|shown| (' '..='~').contains(shown))?;
        Some(if shift { shifted(shown) } else { shown })
    })?;
    let found = if typed.is_ascii_alphabetic() {
        // A letter is its key, and CAPS decides what the Atari takes it for.
        let key = keys::key_alone(typed.to_ascii_lowercase())?;
        key & !SHIFT | if shift { SHIFT } else { 0 }
    } else {
        keys::of_char(typed)?
    };
    let control = if control { CONTROL } else { 0 };
    Some(Pressed::Stroke(Stroke::Key(found | control)))
}

/// The character with SHIFT on an American keyboard.
fn shifted(shown: char) -> char {
    const PAIRS: &[u8] = b"1!2@3#4$5%6^7&8*9(0)-_=+[{]};:'\",<.>/?\\|";
    let (pairs, _) = PAIRS.as_chunks::<2>();
    let found = pairs.iter().find(|pair| char::from(pair[0]) == shown);
    found.map_or(shown.to_ascii_uppercase(), |pair| char::from(pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(number: u32, character: u32, shift: bool, control: bool) -> Option<u8> {
        match key(number, character, shift, control)? {
            Pressed::Stroke(Stroke::Key(key)) => Some(key),
            _ => None,
        }
    }

    #[test]
    fn keys_are_the_atari_s() {
        let a = u32::from('a');
        assert_eq!(matrix(a, a, false, false), Some(0x3F));
        assert_eq!(matrix(a, 'A'.into(), true, false), Some(0x7F));
        // Control sends a control character, or none.
        assert_eq!(matrix('c'.into(), 3, false, true), Some(0x92));
        assert_eq!(matrix('c'.into(), 0, false, true), Some(0x92));
        // Without characters the layout is American; with them it is the user's.
        assert_eq!(matrix('2'.into(), 0, true, false), keys::of_char('@'));
        assert_eq!(
            matrix('2'.into(), '"'.into(), true, false),
            keys::of_char('"')
        );
        assert_eq!(matrix(13, 13, false, false), Some(0x0C));
        assert_eq!(matrix(273, 0, false, false), Some(0x8E));
        assert_eq!(
            key(284, 0, false, false),
            Some(Pressed::Stroke(Stroke::Select))
        );
        assert_eq!(key(286, 0, false, false), Some(Pressed::Reset));
        assert_eq!(key(9999, 0, false, false), None);
    }

    #[test]
    fn every_printable_key_is_there_or_known_to_be_missing() {
        for number in 32..127u32 {
            let shown = char::from_u32(number).unwrap_or_default();
            let found = matrix(number, 0, false, false);
            let missing = matches!(shown, '{' | '}' | '~');
            assert_eq!(found.is_none(), missing, "{shown}");
        }
    }
}
