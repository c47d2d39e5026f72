//! Which kind of file some bytes are: by their content first, and by the file's name where the content says nothing.

use crate::atr::FLOPPIES;

/// First bytes of a saved state of a machine, and of one from before the product had its present name. What follows is the business of the
/// crate `machine`.
pub const STATE_MAGIC: [[u8; 8]; 2] = [*b"ANTICLK\x1A", *b"COLLEEN\x1A"];

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// No bytes at all.
    Empty,
    /// A disk image, [`crate::atr`].
    Disk,
    /// A binary load file, [`crate::xex`].
    Binary,
    /// A cartridge with a CAR header, [`crate::cartridge`].
    Cartridge,
    /// A plain dump of a cartridge or another ROM.
    Rom,
    /// A cassette, [`crate::cas`].
    Tape,
    /// A saved state of a machine.
    State,
    /// A BASIC program as SAVE writes it, [`crate::basic`].
    Save,
    /// A BASIC listing.
    Listing,
    /// A tune, [`crate::sap`].
    Sap,
    /// None of them.
    Unknown,
}

/// The kind of a file, by its bytes. `name` is the file's name; only its extension counts.
///
/// The answer says which parser to ask, not that the file is a good one: a disk image that is cut off is still a disk image, so that its
/// parser can say what is wrong.
///
/// ```
/// use media::{Kind, recognise};
///
/// assert_eq!(recognise("GAME.ATR", b"\xFF\xFF\x00\x20\x00\x20\x60"), Kind::Binary);
/// assert_eq!(recognise("hello.txt", b"10 PRINT \"HELLO\"\n"), Kind::Listing);
/// assert_eq!(recognise("game.rom", &[0xFF; 0x2000]), Kind::Rom);
/// assert_eq!(recognise("letter.txt", b"Dear Sir,\n"), Kind::Listing);
/// assert_eq!(recognise("letter", b"Dear Sir,\n"), Kind::Unknown);
/// ```
#[must_use]
pub fn recognise(name: &str, bytes: &[u8]) -> Kind {
    if bytes.is_empty() {
        return Kind::Empty;
    }
    match by_content(name, bytes).or_else(|| by_name(name)) {
        // A program of another BASIC, or commands before the first line: the message about a listing names the line.
        Some(Kind::Save) if is_text(bytes) => Kind::Listing,
        kind => kind.unwrap_or(Kind::Unknown),
    }
}

/// True if the beginning is text, of the host or of the Atari.
fn is_text(bytes: &[u8]) -> bool {
    let bytes = crate::basic::without_mark(bytes);
    let text = |&b: &u8| matches!(b, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80..);
    !bytes.is_empty() && bytes.iter().take(128).all(text)
}

fn by_content(name: &str, bytes: &[u8]) -> Option<Kind> {
    let state = |magic: &[u8; 8]| {
        // Half of it is enough to say that the file was cut off.
        let length = bytes.len().min(magic.len());
        length >= 4 && magic[..length] == bytes[..length]
    };
    Some(match bytes {
        [0x96, 0x02, ..] | [b'A', b'T', b'8', b'X', ..] => Kind::Disk,
        // A ROM may begin in the same way, and so may a disk without a header.
        [0xFF, 0xFF, ..] if !may_begin_alike(name, bytes.len()) => Kind::Binary,
        [b'C', b'A', b'R', b'T', ..] => Kind::Cartridge,
        [b'F', b'U', b'J', b'I', ..] => Kind::Tape,
        [b'S', b'A', b'P', b'\r' | b'\n', ..] => Kind::Sap,
        _ if STATE_MAGIC.iter().any(state) => Kind::State,
        _ if looks_like_listing(bytes) => Kind::Listing,
        // Longer than any SAVEd program.
        _ if FLOPPIES.contains(&bytes.len()) => Kind::Disk,
        _ if crate::basic::is_save(bytes) => Kind::Save,
        _ => return None,
    })
}

/// True for a ROM or a disk without a header, by the name.
fn may_begin_alike(name: &str, length: usize) -> bool {
    match by_name(name) {
        Some(Kind::Rom) => true,
        Some(Kind::Disk) => FLOPPIES.contains(&length),
        _ => false,
    }
}

/// True if the entry `path` of an archive is for the machine, by its first bytes and its length. A file that a Mac adds is not, nor is a text that
/// comes with a program, whatever its name ends with.
///
/// ```
/// use media::is_for_machine;
///
/// let xex = [0xFF, 0xFF, 0, 0x20, 0, 0x20, 0x60];
/// assert!(is_for_machine("games/GAME.XEX", &xex, 7));
/// assert!(!is_for_machine("__MACOSX/games/._GAME.XEX", &xex, 7));
/// assert!(!is_for_machine("READ.LST", b"1. Put the disk into the drive.\n", 33));
/// ```
#[must_use]
pub fn is_for_machine(path: &str, start: &[u8], length: usize) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name.starts_with('.') || path.split('/').any(|folder| folder == "__MACOSX") {
        return false;
    }
    match recognise(name, start) {
        Kind::Listing => recognise("", start) == Kind::Listing && crate::basic::begins(start),
        Kind::Unknown | Kind::Empty => length > 0 && FLOPPIES.contains(&length),
        _ => true,
    }
}

fn by_name(name: &str) -> Option<Kind> {
    let (_, extension) = name.rsplit_once('.')?;
    let is = |known: &[&str]| known.iter().any(|e| extension.eq_ignore_ascii_case(e));
    Some(match () {
        () if is(&["rom", "bin"]) => Kind::Rom,
        () if is(&["xex", "com", "exe", "obj"]) => Kind::Binary,
        () if is(&["atr", "atx", "xfd"]) => Kind::Disk,
        () if is(&["car"]) => Kind::Cartridge,
        () if is(&["cas"]) => Kind::Tape,
        () if is(&["sap"]) => Kind::Sap,
        () if is(&["bas"]) => Kind::Save,
        () if is(&["lst", "txt"]) => Kind::Listing,
        () => return None,
    })
}

/// True if it is text that begins with a line number: lines ended by ATASCII EOL, LF or CR.
fn looks_like_listing(bytes: &[u8]) -> bool {
    let bytes = crate::basic::without_mark(bytes);
    let ends = |&b: &u8| b == 0x9B || b == b'\n' || b == b'\r';
    let first = bytes
        .split(ends)
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty());
    let numbered = first.is_some_and(|line| {
        let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
        (1..=5).contains(&digits) && line.len() > digits
    });
    numbered && bytes.iter().any(ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atr::{Blank, Disk};
    use crate::basic::Program;
    use crate::cartridge::Cartridge;
    use crate::cas::Tape;
    use alloc::vec::Vec;

    /// A file of each kind that its content tells.
    fn files() -> Vec<(Kind, Vec<u8>)> {
        let listing = b"10 PRINT 1\x9B20 END\x9B".to_vec();
        let save = Program::tokenize(&listing).unwrap().to_save();
        alloc::vec![
            (Kind::Disk, Disk::blank(Blank::Single).to_bytes()),
            (
                Kind::Binary,
                alloc::vec![0xFF, 0xFF, 0, 0x20, 0, 0x20, 0x60]
            ),
            (
                Kind::Cartridge,
                Cartridge::from_rom(&[1; 0x2000]).unwrap().to_car().unwrap()
            ),
            (Kind::Tape, Tape::default().to_bytes()),
            (Kind::Sap, b"SAP\r\nTYPE B\r\n".to_vec()),
            (Kind::State, STATE_MAGIC[0].to_vec()),
            (Kind::State, STATE_MAGIC[1].to_vec()),
            (Kind::Save, save),
            (Kind::Listing, listing),
            (Kind::Listing, b"\n  10 PRINT 1\r\n".to_vec()),
        ]
    }

    #[test]
    fn content_counts_more_than_the_name() {
        for (kind, bytes) in files() {
            for name in [
                "x",
                "x.atr",
                "X.XEX",
                "x.y.cas",
                "x.lst",
                ".bas",
                "x.",
                "",
                "\u{E9}.car",
            ] {
                assert_eq!(recognise(name, &bytes), kind, "{name}");
            }
        }
        assert_eq!(recognise("x.BIN", &[0xFF; 0x2000]), Kind::Rom);
    }

    #[test]
    fn the_name_decides_where_the_content_says_nothing() {
        let noise = [0x12; 100];
        for (name, kind) in [
            ("x.rom", Kind::Rom),
            ("x.com", Kind::Binary),
            ("x.Atr", Kind::Disk),
            ("x.car", Kind::Cartridge),
            ("x.cas", Kind::Tape),
            ("x.sap", Kind::Sap),
            ("x.bas", Kind::Save),
            ("x.txt", Kind::Listing),
            ("x.png", Kind::Unknown),
            ("atr", Kind::Unknown),
        ] {
            assert_eq!(recognise(name, &noise), kind, "{name}");
            assert_eq!(recognise(name, &[]), Kind::Empty);
        }
    }

    #[test]
    fn a_bas_file_of_text_is_a_listing() {
        for text in [
            &b"' FastBasic\nDLI SET d1 = $24 INTO $D01A\n"[..],
            b"\xEF\xBB\xBFPRINT \"A\"\r\n10 END\r\n",
            b"REM \xA0\xA1\x9B",
        ] {
            assert_eq!(recognise("x.BAS", text), Kind::Listing);
            assert_eq!(recognise("x", text), Kind::Unknown);
        }
        assert_eq!(recognise("x.bas", b"PRINT\x00\x01"), Kind::Save);
    }

    #[test]
    fn a_file_that_was_cut_off_is_still_of_its_kind() {
        for (kind, bytes) in files() {
            if matches!(kind, Kind::Save | Kind::Listing) {
                continue;
            }
            for length in 4..bytes.len().min(200) {
                assert_eq!(recognise("x", &bytes[..length]), kind, "{length}");
            }
        }
    }
}
