//! The images as a program gets them: those that are compiled in, or with the feature `supplied` those of a file that loads beside the program, as our
//! page does.
use crate::{BASIC, DOS, DOS_COMMANDS, MENU, MENU_TUNE, OS_800, OS_XL, TYPE_IN};
use std::sync::OnceLock;

/// The parts of the file, in its order.
const PARTS: [&[u8]; 8] = [
    OS_XL,
    OS_800,
    BASIC,
    MENU.as_bytes(),
    MENU_TUNE.as_bytes(),
    DOS,
    DOS_COMMANDS,
    TYPE_IN,
];

static SUPPLIED: OnceLock<[&'static [u8]; PARTS.len()]> = OnceLock::new();

/// Files as one: of each its length (4 bytes, little-endian) and its bytes.
pub(crate) fn join<'a>(files: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut out = Vec::new();
    for file in files {
        out.extend((file.len() as u32).to_le_bytes());
        out.extend(file);
    }
    out
}

/// The files that [`join`] has made one of; `None` when it is cut off.
pub(crate) fn split(mut rest: &[u8]) -> Option<Vec<&[u8]>> {
    let mut files = Vec::new();
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk()?;
        let (file, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        files.push(file);
        rest = after;
    }
    Some(files)
}

/// OS, BASIC, menu, DOS and the checker of typed lines as one file, for [`supply`].
#[must_use]
pub fn pack() -> Vec<u8> {
    join(PARTS)
}

/// Brings OS, BASIC, menu, DOS and the checker of typed lines into a program with the feature `supplied`. False when it is not that file, or has been there before.
#[must_use]
pub fn supply(file: Vec<u8>) -> bool {
    let parts = split(file.leak()).and_then(|parts| parts.try_into().ok());
    parts.is_some_and(|parts| SUPPLIED.set(parts).is_ok())
}

fn part(number: usize) -> &'static [u8] {
    if cfg!(feature = "supplied") {
        SUPPLIED.get().map_or(&[], |parts| parts[number])
    } else {
        PARTS[number]
    }
}

/// [`OS_XL`]; with the feature `supplied` what [`supply`] has brought.
#[must_use]
pub fn os_xl() -> &'static [u8] {
    part(0)
}

/// [`OS_800`], likewise.
#[must_use]
pub fn os_800() -> &'static [u8] {
    part(1)
}

/// [`BASIC`], likewise.
#[must_use]
pub fn basic() -> &'static [u8] {
    part(2)
}

/// The listing of the menu, likewise.
#[must_use]
pub fn menu() -> &'static str {
    std::str::from_utf8(part(3)).unwrap_or_default()
}

/// The lines of the menu's tune, for machines with memory for it.
#[must_use]
pub fn menu_tune() -> &'static str {
    std::str::from_utf8(part(4)).unwrap_or_default()
}

/// [`DOS`], likewise.
#[must_use]
pub fn dos() -> &'static [u8] {
    part(5)
}

/// [`DOS_COMMANDS`], likewise.
#[must_use]
pub fn dos_commands() -> &'static [u8] {
    part(6)
}

/// [`TYPE_IN`], likewise.
#[must_use]
pub fn type_in() -> &'static [u8] {
    part(7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_gets_the_same_images() {
        let damaged = &pack()[1..];
        assert!(!supply(damaged.to_vec()));
        assert!(!supply(join([OS_XL, OS_800])));
        assert!(supply(pack()));
        assert_eq!(SUPPLIED.get(), Some(&PARTS));
        assert_eq!((os_xl(), os_800(), basic()), (OS_XL, OS_800, BASIC));
        assert_eq!((menu(), menu_tune()), (MENU, MENU_TUNE));
    }
}
