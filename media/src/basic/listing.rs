//! The text of a listing: its lines, whatever ends them and however its characters are written.
use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::{EOL, parser};
use crate::atascii;

/// A line of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its ATASCII, without its end: a byte for each character.
    pub text: Cow<'a, [u8]>,
    /// The first character that the Atari does not have, and its column from 0.
    pub foreign: Option<(usize, char)>,
}

/// The form in which the text of a listing is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Lines end with $9B; every other byte is a character.
    Atascii,
    /// A host's text of bytes: lines end with LF, CR LF or $9B.
    Bytes,
    /// Lines end with CR or $9B.
    Cr,
    /// Unicode: lines end with LF or CR LF.
    Unicode,
    /// Unicode with lines that end with CR.
    UnicodeCr,
}

impl Form {
    fn of(text: &[u8]) -> Self {
        if text.last() == Some(&EOL) {
            return Self::Atascii;
        }
        let feeds = text.contains(&b'\n');
        let cr = !feeds && text.contains(&b'\r');
        if !text.is_ascii() && core::str::from_utf8(text).is_ok() {
            return if cr { Self::UnicodeCr } else { Self::Unicode };
        }
        if !text.contains(&EOL) {
            return if cr { Self::Cr } else { Self::Bytes };
        }
        // In ATASCII, LF and CR are characters like others; before a line of a program they are ends.
        if ends(text, EOL) >= ends(text, b'\n') + ends(text, b'\r') {
            Self::Atascii
        } else if cr {
            Self::Cr
        } else {
            Self::Bytes
        }
    }

    fn is_end(self, byte: u8) -> bool {
        match self {
            Self::Atascii => byte == EOL,
            Self::Bytes => byte == b'\n' || byte == EOL,
            Self::Cr => byte == b'\r' || byte == EOL,
            Self::Unicode => byte == b'\n',
            Self::UnicodeCr => byte == b'\r',
        }
    }

    fn line(self, bytes: &[u8]) -> Line<'_> {
        let bytes = match self {
            Self::Bytes | Self::Unicode => bytes.strip_suffix(b"\r").unwrap_or(bytes),
            _ => bytes,
        };
        let unicode = matches!(self, Self::Unicode | Self::UnicodeCr);
        let plain = |&byte: &u8| byte != b'\t' && (!unicode || byte.is_ascii());
        if self == Self::Atascii || bytes.iter().all(plain) {
            return Line {
                text: Cow::Borrowed(bytes),
                foreign: None,
            };
        }
        if unicode && let Ok(text) = core::str::from_utf8(bytes) {
            return converted(text.chars(), atascii::of_char);
        }
        // Of bytes, each is the character.
        converted(bytes.iter().copied().map(char::from), |character| {
            u8::try_from(u32::from(character)).ok()
        })
    }
}

/// Number of bytes `end` that stand before a line with a number, or at the end of the text.
fn ends(text: &[u8], end: u8) -> usize {
    let after = text.split(|&byte| byte == end).skip(1);
    let begins = |rest: &[u8]| {
        let first = rest.iter().find(|&&byte| byte != b' ');
        first.is_none_or(u8::is_ascii_digit)
    };
    after.filter(|rest| begins(rest)).count()
}

/// A host's line as ATASCII. A tab is a blank between words and $7F in a string.
fn converted(
    characters: impl Iterator<Item = char>,
    code: impl Fn(char) -> Option<u8>,
) -> Line<'static> {
    let mut foreign = None;
    let mut quoted = false;
    let mut text = Vec::new();
    for (column, character) in characters.enumerate() {
        let byte = match character {
            '\t' if quoted => Some(0x7F),
            '\t' => Some(b' '),
            '\u{A0}' if !quoted => Some(b' '),
            _ => code(character).filter(|&byte| byte != EOL),
        };
        if byte.is_none() {
            foreign = foreign.or(Some((column, character)));
        }
        quoted ^= byte == Some(b'"');
        text.push(byte.unwrap_or(b'?'));
    }
    Line {
        text: Cow::Owned(text),
        foreign,
    }
}

/// A text without the mark that says that it is Unicode.
#[must_use]
pub(crate) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
}

/// The lines of a listing: ATASCII with lines that end with $9B, or a host's text, as bytes or in Unicode ([`atascii::of_char`]), with
/// lines that end with LF, CR or CR LF.
///
/// ```
/// use media::basic::listing_lines;
///
/// let lines = |text| listing_lines(text).map(|line| line.text.into_owned()).collect::<Vec<_>>();
/// assert_eq!(lines("\u{FEFF}10 ? \"♥\"\r\n20 END".as_bytes()), [&b"10 ? \"\0\""[..], b"20 END"]);
/// assert_eq!(lines(b"10 ? \"\n\"\x9B20 END\x9B"), [&b"10 ? \"\n\""[..], b"20 END"]);
/// ```
pub fn listing_lines(text: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let text = without_mark(text);
    let form = Form::of(text);
    let ends = move |&byte: &u8| form.is_end(byte);
    // No line begins after the end of the last one.
    let text = text
        .split_last()
        .filter(|(last, _)| ends(last))
        .map_or(text, |(_, before)| before);
    let lines = (!text.is_empty()).then(|| text.split(ends));
    lines.into_iter().flatten().map(move |line| form.line(line))
}

/// True if the first line of a text is BASIC: other lines with numbers are not.
pub(crate) fn begins(text: &[u8]) -> bool {
    let mut lines = listing_lines(text).filter(|line| !line.text.trim_ascii().is_empty());
    lines
        .next()
        .is_some_and(|line| parser::is_basic(&line.text))
}
