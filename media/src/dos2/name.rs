//! File names of DOS 2.

use super::{Dos2Error, String, ToOwned, ToString, fmt};

/// A file name: eight characters and three, filled with blanks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name([u8; 11]);

/// A file name with `*` and `?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern([u8; 11]);

/// The eleven characters of a text; with `wild`, `?` stands for any character and `*` for all to the end of its part.
fn characters(text: &str, wild: bool) -> Result<[u8; 11], Dos2Error> {
    let bad = || Dos2Error::BadName(text.to_owned());
    let text_part = match text.split_once(':') {
        // The device is not part of the name.
        Some(("D" | "d" | "D1" | "d1", rest)) => rest,
        Some(_) => return Err(bad()),
        None => text,
    };
    let (name, extension) = text_part.split_once('.').unwrap_or((text_part, ""));
    let mut out = [b' '; 11];
    for (part, place) in [(name, 0..8), (extension, 8..11)] {
        let place = &mut out[place];
        let mut at = 0;
        for character in part.chars() {
            if wild && character == '*' {
                place[at..].fill(b'?');
                at = place.len();
                continue;
            }
            let upper = character.to_ascii_uppercase();
            let known = upper.is_ascii_uppercase()
                || upper.is_ascii_digit()
                || matches!(upper, '@' | '_')
                || wild && upper == '?';
            if !known || at == place.len() {
                return Err(bad());
            }
            place[at] = upper as u8;
            at += 1;
        }
    }
    if out[0] == b' ' {
        return Err(bad());
    }
    Ok(out)
}

impl Name {
    /// A name as it is typed, with or without `D:`; small letters become capitals.
    ///
    /// # Errors
    /// [`Dos2Error::BadName`] when a part is too long, or has characters that DOS 2 does not know.
    pub fn parse(text: &str) -> Result<Self, Dos2Error> {
        characters(text, false).map(Self)
    }

    /// A name as the directory holds it.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 11]) -> Self {
        Self(bytes)
    }

    /// The eleven characters of the directory.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 11] {
        &self.0
    }
}

impl Pattern {
    /// A pattern as it is typed.
    ///
    /// # Errors
    /// [`Dos2Error::BadName`], as for [`Name::parse`].
    pub fn parse(text: &str) -> Result<Self, Dos2Error> {
        characters(text, true).map(Self)
    }

    /// True if a name fits.
    #[must_use]
    pub fn matches(&self, name: Name) -> bool {
        let mut pairs = self.0.iter().zip(name.0);
        pairs.all(|(&wanted, found)| wanted == b'?' || wanted == found)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |bytes: &[u8]| -> String {
            let text: String = bytes
                .iter()
                .map(|&byte| {
                    if (0x20..0x7F).contains(&byte) {
                        byte as char
                    } else {
                        '?'
                    }
                })
                .collect();
            text.trim_end().to_string()
        };
        let extension = part(&self.0[8..]);
        let point = if extension.is_empty() { "" } else { "." };
        let text = part(&self.0[..8]) + point + &extension;
        f.pad(&text)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
