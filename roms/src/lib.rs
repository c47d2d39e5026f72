//! OS, BASIC, DOS, the boot sector of blank disks, the menu and the games: built images and their symbols, and listings.
//!
//! The images in `roms/images` are built by `cargo run -p xtask -- roms` from the 6502 sources beside them and are committed, so that building
//! the workspace needs no assembler.
#![forbid(unsafe_code)]

/// 16 KiB operating system for the XL and XE, $C000-$FFFF. Its part $D000-$D7FF is the self-test, seen at $5000.
pub const OS_XL: &[u8] = include_bytes!("../images/os-xl.rom");
/// 10 KiB operating system for the 400 and 800, $D800-$FFFF.
pub const OS_800: &[u8] = include_bytes!("../images/os-800.rom");
/// 8 KiB BASIC, $A000-$BFFF.
pub const BASIC: &[u8] = include_bytes!("../images/basic.rom");

/// Boot sector of blank disks, which says that the disk is one.
pub const BLANK_BOOT: &[u8] = include_bytes!("../images/blank.boot");

/// The DOS: its boot sectors (384 bytes), then its file DOS.SYS.
pub const DOS: &[u8] = include_bytes!("../images/dos.sys");
/// The command line of the DOS: its file COMMAND.SYS.
pub const DOS_COMMANDS: &[u8] = include_bytes!("../images/command.sys");

/// The player of SAP files, with the list of its addresses (`media::sap`).
pub const SAP_PLAYER: &[u8] = include_bytes!("../images/sap.bin");

/// The program that checks lines as they are typed in: its SAVE file.
pub const TYPE_IN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/type-in.bas"));

/// The menu's listing.
const MENU: &str = include_str!("../menu/menu.lst");
/// The lines of the menu's tune.
const MENU_TUNE: &str = include_str!("../menu/extra.lst");

pub mod games;
mod supply;

pub use supply::{basic, dos, dos_commands, menu, menu_tune, os_800, os_xl, pack, supply, type_in};

/// Labels of [`OS_XL`].
pub(crate) const OS_XL_SYMBOLS: Symbols = Symbols(include_str!("../images/os-xl.sym"));
/// Labels of [`OS_800`].
pub(crate) const OS_800_SYMBOLS: Symbols = Symbols(include_str!("../images/os-800.sym"));
/// Labels of [`BASIC`].
pub const BASIC_SYMBOLS: Symbols = Symbols(include_str!("../images/basic.sym"));

/// The labels of an image: lines `ADDR NAME`, address in four hexadecimal digits, sorted by address.
#[derive(Clone, Copy, Debug)]
pub struct Symbols(&'static str);

/// The labels of a machine's ROMs, as far as they are ours.
pub fn labels(os: &[u8], basic: Option<&[u8]>) -> impl Iterator<Item = (u16, &'static str)> {
    let os_labels = if os == os_xl() {
        Some(OS_XL_SYMBOLS)
    } else {
        (os == os_800()).then_some(OS_800_SYMBOLS)
    };
    let basic_labels = (basic == Some(crate::basic())).then_some(BASIC_SYMBOLS);
    let all = os_labels.into_iter().chain(basic_labels);
    all.flat_map(Symbols::iter)
}

impl Symbols {
    /// All labels with their addresses, by ascending address.
    pub fn iter(self) -> impl Iterator<Item = (u16, &'static str)> {
        self.0.lines().filter_map(|line| {
            let (address, name) = line.split_once(' ')?;
            Some((u16::from_str_radix(address, 16).ok()?, name))
        })
    }

    /// The address of a label.
    #[must_use]
    pub fn address(self, name: &str) -> Option<u16> {
        self.iter()
            .find_map(|(address, label)| (label == name).then_some(address))
    }

    /// A label of an address (the first one, where it has several).
    #[must_use]
    pub fn name(self, address: u16) -> Option<&'static str> {
        self.iter()
            .find_map(|(at, label)| (at == address).then_some(label))
    }
}

#[cfg(test)]
mod tests {
    use super::{BASIC, OS_800, OS_XL, OS_XL_SYMBOLS, labels};

    #[test]
    fn images_have_the_size_of_their_sockets() {
        assert_eq!(
            (OS_XL.len(), OS_800.len(), BASIC.len()),
            (16384, 10240, 8192)
        );
    }

    #[test]
    fn symbols_are_found_by_name_and_address() {
        assert_eq!(OS_XL_SYMBOLS.address("CIOV"), Some(0xE456));
        assert_eq!(OS_XL_SYMBOLS.name(0xE456), Some("CIOV"));
    }

    #[test]
    fn labels_are_those_of_the_machine() {
        let has = |os: &[u8], basic: Option<&[u8]>, address: u16, name: &str| {
            labels(os, basic).any(|label| label == (address, name))
        };
        assert!(has(OS_XL, None, 0xE456, "CIOV") && has(OS_800, None, 0xE456, "CIOV"));
        assert!(has(OS_XL, None, 0xE480, "PUPDIV") && !has(OS_800, None, 0xE480, "PUPDIV"));
        let of = |os: &[u8], basic: Option<&[u8]>| labels(os, basic).count();
        assert!(of(OS_800, Some(BASIC)) > of(OS_800, None));
        assert_eq!(of(&OS_XL[1..], Some(&BASIC[1..])), 0);
    }
}
