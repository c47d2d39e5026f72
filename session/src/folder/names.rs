//! Names of files: as programs give them, and as the Atari sees those of the host.
//!
//! The grammar is that of DOS 2 (eight characters, a point, three more; `*` and `?`), with folders before the name.
use super::Item;

/// The most characters of a name's two parts.
const NAME: usize = 8;
const EXTENSION: usize = 3;
/// Separators of folders: those of SpartaDOS and of hosts.
const SEPARATORS: &[u8] = b">\\/";
/// The characters of an alias after its underscore; no letter that is taken for a digit.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKLMNPQRSTVWXY";

/// A name or pattern of one file: capitals, the parts without the point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pattern {
    name: String,
    extension: String,
}

/// A name as a program gives it, without the device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Name {
    /// The way from the root: folders; `None` is the one above.
    pub folders: Vec<Option<Pattern>>,
    /// The file.
    pub file: Pattern,
}

/// A file or folder of the host with its Atari name.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its name in listings.
    pub name: String,
    /// Its alias, by which it is found as well.
    alias: String,
    pub item: Item,
}

impl Entry {
    /// True if this very name means the file.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.alias == name
    }
}

/// True for characters of names.
fn is_plain(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_'
}

/// Takes one part of a name off, keeps `most` characters of it, and gives them in capitals.
fn part(text: &mut &[u8], most: usize) -> String {
    let is_part = |&c: &u8| is_plain(c) || matches!(c, b'*' | b'?');
    let length = text.iter().position(|c| !is_part(c)).unwrap_or(text.len());
    let (part, rest) = text.split_at(length);
    *text = rest;
    let kept = part.iter().take(most);
    kept.map(|&c| char::from(c.to_ascii_uppercase())).collect()
}

impl Pattern {
    /// Takes a pattern off the beginning of a text; `None` when an extension has no name before it.
    fn take(text: &mut &[u8]) -> Option<Self> {
        let name = part(text, NAME);
        let mut extension = String::new();
        if let Some(rest) = text.strip_prefix(b".") {
            *text = rest;
            extension = part(text, EXTENSION);
            if name.is_empty() {
                return None;
            }
        }
        Some(Self { name, extension })
    }

    pub fn is_empty(&self) -> bool {
        self.name.is_empty()
    }

    /// A listing of no name in particular is one of all files.
    pub fn all_if_empty(&mut self) {
        if self.is_empty() {
            self.name = "*".into();
            self.extension = "*".into();
        }
    }

    pub fn is_wild(&self) -> bool {
        self.name.contains(['*', '?']) || self.extension.contains(['*', '?'])
    }

    /// As the name of a file.
    pub fn text(&self) -> String {
        joined(&self.name, &self.extension)
    }

    /// Keeps the entries that this pattern means, those first that it names exactly.
    pub fn keep_fitting(&self, entries: &mut Vec<Entry>) {
        if self.is_wild() {
            entries.retain(|entry| {
                let (name, extension) = split(&entry.name);
                fits(&self.name, name) && fits(&self.extension, extension)
            });
            return;
        }
        let wanted = self.text();
        entries.retain(|entry| entry.is_called(&wanted));
        entries.sort_by_key(|entry| entry.name != wanted);
        entries.truncate(1);
    }

    /// The name with the old one's characters where it has wildcards.
    pub fn filled_from(&self, old: &str) -> String {
        let (name, extension) = split(old);
        joined(
            &filled(&self.name, name),
            &filled(&self.extension, extension),
        )
    }
}

fn joined(name: &str, extension: &str) -> String {
    if extension.is_empty() {
        name.to_owned()
    } else {
        format!("{name}.{extension}")
    }
}

fn split(name: &str) -> (&str, &str) {
    name.split_once('.').unwrap_or((name, ""))
}

fn filled(pattern: &str, old: &str) -> String {
    let mut out = String::new();
    let mut old = old.chars();
    for c in pattern.chars() {
        let under = old.next();
        match c {
            '*' => {
                out.extend(under);
                out.extend(old);
                break;
            }
            '?' => out.extend(under),
            _ => out.push(c),
        }
    }
    out
}

/// True if a part fits a pattern: `*` is the rest, `?` any character or none.
fn fits(pattern: &str, part: &str) -> bool {
    let mut wanted = pattern.bytes();
    let mut found = part.bytes();
    loop {
        match (wanted.next(), found.next()) {
            (Some(b'*'), _) | (None, None) => return true,
            (Some(b'?'), _) => {}
            (Some(a), Some(b)) if a == b => {}
            _ => return false,
        }
    }
}

impl Name {
    /// Reads a name with its device. It ends at the first character that cannot be in one, as with DOS 2. `None` for an extension without a
    /// name, and for a wildcard in a folder's name.
    pub fn parse(text: &[u8]) -> Option<Self> {
        Self::parse_first(text).map(|(name, _)| name)
    }

    /// [`Self::parse`], and the rest of the text.
    pub fn parse_first(text: &[u8]) -> Option<(Self, &[u8])> {
        let mut text = match text {
            [_, b':', rest @ ..] | [_, b'0'..=b'9', b':', rest @ ..] => rest,
            _ => text,
        };
        let mut folders = Vec::new();
        // From the root, where the way begins in any case.
        if let [first, rest @ ..] = text
            && SEPARATORS.contains(first)
        {
            text = rest;
        }
        loop {
            let up = match text {
                [b'<', rest @ ..] | [b'.', b'.', rest @ ..] => Some(rest),
                _ => None,
            };
            if let Some(rest) = up {
                text = rest;
                folders.push(None);
            } else if let [b'.', rest @ ..] = text
                && rest.first().is_some_and(|c| SEPARATORS.contains(c))
            {
                text = rest;
            } else {
                let file = Pattern::take(&mut text)?;
                match text {
                    [c, rest @ ..] if SEPARATORS.contains(c) && !file.is_empty() => {
                        if file.is_wild() {
                            return None;
                        }
                        folders.push(Some(file));
                        text = rest;
                        continue;
                    }
                    _ => return Some((Self { folders, file }, text)),
                }
            }
            if let [c, rest @ ..] = text
                && SEPARATORS.contains(c)
            {
                text = rest;
            }
        }
    }

    /// The second name of RENAME, after what separates it from the first; its device does not matter.
    pub fn parse_second(text: &[u8]) -> Option<Self> {
        let begins =
            |&c: &u8| is_plain(c) || matches!(c, b'*' | b'?' | b'.') || SEPARATORS.contains(&c);
        let start = text.iter().position(begins)?;
        Self::parse(&text[start..])
    }
}

/// True if a name is one that programs can give: capitals, digits and underscores, up to eight, and perhaps a point and up to three more.
#[must_use]
pub fn is_atari_name(name: &str) -> bool {
    let (first, extension) = split(name);
    let plain = |part: &str| part.bytes().all(|c| is_plain(c) && !c.is_ascii_lowercase());
    (1..=NAME).contains(&first.len())
        && extension.len() <= EXTENSION
        && !name.ends_with('.')
        && plain(first)
        && plain(extension)
}

/// The alias of a host's name: up to three of its characters, an underscore, four that are computed from the whole name, and up to three of
/// its extension. It depends on this name only, so that no other file changes it.
///
/// ```
/// let alias = session::folder::alias("My long game (1983).bas");
/// assert!(alias.starts_with("MYL_") && alias.ends_with(".BAS") && alias.len() == 12);
/// ```
#[must_use]
pub fn alias(name: &str) -> String {
    let (first, extension) = match name.rsplit_once('.') {
        Some((first, extension)) if !first.is_empty() => (first, extension),
        _ => (name, ""),
    };
    let some = |text: &str, most: usize| -> String {
        let plain = text.chars().filter(char::is_ascii_alphanumeric);
        plain.take(most).map(|c| c.to_ascii_uppercase()).collect()
    };
    // FNV-1a; its upper bits fold into the twenty that are kept.
    let hash = name.bytes().fold(0x811C_9DC5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    let hash = hash ^ hash >> 20;
    let digits = (0..4).map(|n| char::from(DIGITS[(hash >> (5 * n) & 31) as usize]));
    let stem: String = some(first, 3).chars().chain(['_']).chain(digits).collect();
    joined(&stem, &some(extension, EXTENSION))
}

/// The entries of a folder by ascending Atari name. A host's name that is an Atari's, in whatever case, is the name; where several are the same
/// name, the one in capitals has it, else the first in order, and the others go by their aliases, as do all other names. Names that begin with a
/// point are hidden.
pub(super) fn entries(mut items: Vec<Item>) -> Vec<Entry> {
    items.retain(|item| !item.name.is_empty() && !item.name.starts_with('.'));
    items.sort_by(|a, b| a.name.cmp(&b.name));
    let mut entries: Vec<Entry> = Vec::with_capacity(items.len());
    for item in items {
        let upper = item.name.to_ascii_uppercase();
        let alias = alias(&item.name);
        // In order of bytes the name in capitals comes first.
        let name = if is_atari_name(&upper) {
            upper
        } else {
            alias.clone()
        };
        entries.push(Entry { name, alias, item });
    }
    let mut taken = std::collections::BTreeSet::new();
    for entry in &mut entries {
        if entry.name != entry.alias && !taken.insert(entry.name.clone()) {
            entry.name.clone_from(&entry.alias);
        }
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    entries
}
