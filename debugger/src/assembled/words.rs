//! Words of a line of source: names outside of texts, characters and numbers.
use std::borrow::Cow;
use std::ops::Range;

/// True for a label: letters, digits and underscores, and no digit first.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The name of a cheap local label without its sign: `@loop` of ca65, `?loop` of MADS.
pub(super) fn cheap(text: &str) -> Option<&str> {
    text.strip_prefix(['@', '?']).filter(|name| is_name(name))
}

/// A line up to its comment; a semicolon in a text or as a character does not begin one.
pub(super) fn without_comment(line: &str) -> &str {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b';' => return &line[..at],
            b'"' | b'\'' => at = after_quotes(bytes, at),
            _ => at += 1,
        }
    }
    line
}

/// The place after a text in double quotes or a character in single ones, which begins at `at`; after the quote where it begins none.
fn after_quotes(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at + 1..];
    let end = match bytes[at] {
        b'"' => rest.iter().position(|&byte| byte == b'"'),
        _ => (rest.get(1) == Some(&b'\'')).then_some(1),
    };
    end.map_or(at + 1, |end| at + end + 2)
}

fn begins(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'@' | b'?')
}

fn continues(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'@' | b'?' | b'.')
}

/// The end of a name that has begun before `at`.
fn name_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            byte if continues(byte) => at += 1,
            b':' if bytes.get(at + 1) == Some(&b':')
                && bytes.get(at + 2).is_some_and(|&next| begins(next)) =>
            {
                at += 2;
            }
            _ => break,
        }
    }
    at
}

/// The number of colons at `at` that belong to a name: `:value` and `:1` of a macro, `::name`. One that ends a label does not.
fn marks(bytes: &[u8], at: usize) -> Option<usize> {
    let colons = bytes[at..].iter().take_while(|&&byte| byte == b':').count();
    let next = *bytes.get(at + colons)?;
    let is_apart = at == 0 || !continues(bytes[at - 1]);
    let is_mark = (1..=2).contains(&colons) && (begins(next) || next.is_ascii_digit());
    (is_apart && is_mark).then_some(colons)
}

/// The places of the names in a text: `loop`, `@loop`, `work.loop`, `work::loop`, `:value`, `:1`.
fn names(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let colons = marks(bytes, at);
        match bytes[at] {
            b'"' | b'\'' => at = after_quotes(bytes, at),
            // A number, or a word such as `.byte`.
            b'$' | b'.' | b'0'..=b'9' => at = name_end(bytes, at + 1),
            byte if begins(byte) || colons.is_some() => {
                let end = name_end(bytes, at + colons.unwrap_or(1));
                found.push(at..end);
                at = end;
            }
            _ => at += 1,
        }
    }
    found
}

/// A text with other words in the place of some of its names.
pub(super) fn replaced(text: &str, other: impl Fn(&str) -> Option<String>) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    for place in names(text).into_iter().rev() {
        if let Some(other) = other(&text[place.clone()]) {
            out.to_mut().replace_range(place, &other);
        }
    }
    out
}
