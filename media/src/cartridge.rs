//! Cartridges: CAR files and plain ROM dumps.
use alloc::vec::Vec;
use alloc::{format, string::String};

/// The wiring of a cartridge's ROM in the address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 2K, 4K or 8K at the end of $A000-$BFFF.
    Standard8,
    /// 16K at $8000-$BFFF.
    Standard16,
    /// 8K at $8000-$9FFF (right slot of the 800).
    Right8,
    /// OSS: 4K fixed at $B000, one of three 4K banks at $A000, chosen by the address of an access to $D5xx.
    /// The file's order of banks: 0, 1, 2 (034M has the wiring 0, 1 and 3, 4; see [`Kind::Oss034M`]), fixed.
    OssM091,
    /// OSS 034M wiring.
    Oss034M,
    /// OSS 043M wiring.
    Oss043M,
    /// Atari XEGS: last 8K fixed at $A000, banks of 8K at $8000 chosen by the data written to $D5xx.
    Xegs,
    /// Switchable XEGS: as [`Kind::Xegs`], and bit 7 of the data written switches the cartridge off.
    SwitchableXegs,
    /// MegaCart: banks of 16K at $8000 chosen by the data written to $D5xx, bit 7 switches it off.
    MegaCart,
    /// Williams: banks of 8K at $A000 chosen by address bits 0-2 of an access to $D5xx, bit 3 switches it off.
    Williams,
    /// Diamond or SpartaDOS X style: banks of 8K at $A000 chosen by the inverted address bits 0-2, bit 3 switches it off;
    /// the base is $D5D0 (Diamond).
    Diamond,
    /// As [`Kind::Diamond`] at $D5E0.
    SpartaDosX,
    /// Express: as [`Kind::Diamond`] at $D570.
    Express,
    /// Atarimax 1 MBit: banks of 8K at $A000 by the address $D500-$D50F; $D510-$D51F switches it off.
    Atarimax128,
    /// Atarimax 8 MBit: banks of 8K at $A000 by the address $D500-$D57F; $D580-$D5FF switches it off. Starts in its last bank.
    Atarimax1024,
    /// Phoenix: 8K at $A000, switched off by any access to $D5xx.
    Phoenix8,
    /// Blizzard: 16K, switched off by any access to $D5xx.
    Blizzard16,
    /// DB: last 8K fixed at $A000, one of four banks of 8K at $8000 chosen by address bits 0-1 of an access to $D5xx.
    Db,
    /// Atrax: banks of 8K at $A000 chosen by the data written to $D5xx, bit 7 switches it off.
    Atrax,
    /// An Atrax cartridge as the chip holds it, its lines in another order.
    AtraxRaw,
    /// XEGS with only banks 8-15: data without bit 3 leave $8000 unconnected.
    XegsHigh,
    /// SpartaDOS X 128K: the second half by accesses to $D5E0-$D5E7, the first by $D5F0-$D5F7.
    SpartaDosX128,
    /// SpartaDOS X 64K and 128K on boards of Atrax, with the lines of the chip in another order.
    AtraxSdx,
    /// OSS with 8K: 4K fixed at $B000.
    Oss8,
    /// Blizzard 4K, seen twice; switched off by any access to $D5xx.
    Blizzard4,
    /// AST: 256 bytes at a time at $D500, the next with each write there, which also takes the first away from $A000.
    Ast,
    /// Turbosoft: banks of 8K at $A000 by address bits 0-3 of an access to $D5xx, bit 4 switches it off.
    Turbosoft,
    /// Ultracart: every access to $D5xx switches to the next 8K, after the last to none, and then to the first.
    Ultracart,
    /// Blizzard 32K: every access to $D5xx switches to the next 8K, after the last to none for good.
    Blizzard32,
    /// aDawliah: every access to $D5xx switches to the next 8K, after the last to the first.
    ADawliah,
    /// 8K at $8000 from the left slot.
    LowBank8,
    /// 4K at $9000, right slot of the 800.
    Right4,
    /// MegaMax: banks of 16K by address bits 0-6 of an access to $D5xx, bit 7 switches it off.
    MegaMax,
    /// Flash MegaCart: banks of 16K by the data written to $D500-$D51F, 255 switches it off. Starts in its last but one.
    FlashMegaCart,
    /// As [`Kind::Atarimax1024`], but starts in its first bank.
    Atarimax1024New,
    /// SIC!: flash banks of 16K chosen by the data written to $D500-$D51F, bits 5 and 6 enable the halves, bit 7 writes.
    Sic,
    /// Ram-Cart of 64K to 4 MB with its switches at "read only" and at the first module: banks of 16K chosen by bits 3 to 5 of the data
    /// written to $D5xx; bit 0 switches $A000 off, bit 1 $8000 on, bit 2 locks the register of those up to 128K.
    RamCart,
    /// Double Ram-Cart, one module of 256K: as [`Kind::RamCart`], and bit 2 is the bank's highest.
    RamCartDouble,
    /// Ram-Cart of 8 to 32 MB: as [`Kind::RamCart`], with bits 2, 6 and 7 as higher ones of the bank, and a module of 1 MB chosen at $D501.
    RamCartModules,
    /// SiDiCar: banks of 8K of battery RAM at $8000 chosen by bits 0 and 1 of the data written to $D5xx, bit 4 switches it on, and data
    /// with bit 7 are ignored.
    SiDiCar,
    /// The!Cart: banks of 8K at $A000 chosen by the words at $D5A0 and $D5A1, switched by bit 0 of $D5A2.
    TheCart,
    /// Bounty Bob Strikes Back: last 8K fixed at $A000; of the first four banks of 4K one at $8000, chosen by an access to $8FF6-$8FF9, of
    /// the next four one at $9000, chosen by an access to $9FF6-$9FF9.
    BountyBob,
}

/// A cartridge as it is plugged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cartridge {
    /// Its wiring.
    pub kind: Kind,
    /// Its ROM.
    pub rom: Vec<u8>,
}

/// Reason why bytes are not a cartridge that this machine can use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CartridgeError {
    /// No CAR header.
    #[error("not a CAR cartridge image: it does not begin with CART")]
    NotCar,
    /// A cartridge of another machine.
    #[error("this is a cartridge of the Atari 5200 (type {0}), which is another machine")]
    Atari5200(u32),
    /// A plain dump whose size does not say its type, or fits no type; also what was asked for does not fit.
    #[error("{0}")]
    Ambiguous(String),
    /// A known container with unknown contents.
    #[error("cartridge type {0} is not supported")]
    Type(u32),
    /// The size does not fit.
    #[error("{0}")]
    Size(String),
}

/// CAR type number, wiring, size in K, of every cartridge that a machine takes (the format's documentation, cart.txt, has all of them).
const TYPES: &[(u32, Kind, usize)] = &[
    (1, Kind::Standard8, 8),
    (2, Kind::Standard16, 16),
    (3, Kind::Oss034M, 16),
    (5, Kind::Db, 32),
    (8, Kind::Williams, 64),
    (9, Kind::Express, 64),
    (10, Kind::Diamond, 64),
    (11, Kind::SpartaDosX, 64),
    (12, Kind::Xegs, 32),
    (13, Kind::Xegs, 64),
    (14, Kind::Xegs, 128),
    (15, Kind::OssM091, 16),
    (17, Kind::Atrax, 128),
    (18, Kind::BountyBob, 40),
    (21, Kind::Right8, 8),
    (22, Kind::Williams, 32),
    (23, Kind::Xegs, 256),
    (24, Kind::Xegs, 512),
    (25, Kind::Xegs, 1024),
    (26, Kind::MegaCart, 16),
    (27, Kind::MegaCart, 32),
    (28, Kind::MegaCart, 64),
    (29, Kind::MegaCart, 128),
    (30, Kind::MegaCart, 256),
    (31, Kind::MegaCart, 512),
    (32, Kind::MegaCart, 1024),
    (33, Kind::SwitchableXegs, 32),
    (34, Kind::SwitchableXegs, 64),
    (35, Kind::SwitchableXegs, 128),
    (36, Kind::SwitchableXegs, 256),
    (37, Kind::SwitchableXegs, 512),
    (38, Kind::SwitchableXegs, 1024),
    (39, Kind::Phoenix8, 8),
    (40, Kind::Blizzard16, 16),
    (41, Kind::Atarimax128, 128),
    (42, Kind::Atarimax1024, 1024),
    (43, Kind::SpartaDosX128, 128),
    (44, Kind::Oss8, 8),
    (45, Kind::Oss043M, 16),
    (46, Kind::Blizzard4, 4),
    (47, Kind::Ast, 32),
    (48, Kind::AtraxSdx, 64),
    (49, Kind::AtraxSdx, 128),
    (50, Kind::Turbosoft, 64),
    (51, Kind::Turbosoft, 128),
    (52, Kind::Ultracart, 32),
    (53, Kind::LowBank8, 8),
    (54, Kind::Sic, 128),
    (55, Kind::Sic, 256),
    (56, Kind::Sic, 512),
    (57, Kind::Standard8, 2),
    (58, Kind::Standard8, 4),
    (59, Kind::Right4, 4),
    (60, Kind::Blizzard32, 32),
    (61, Kind::MegaMax, 2048),
    (62, Kind::TheCart, 131_072),
    (63, Kind::FlashMegaCart, 4096),
    (64, Kind::MegaCart, 2048),
    (65, Kind::TheCart, 32_768),
    (66, Kind::TheCart, 65_536),
    (67, Kind::XegsHigh, 64),
    (68, Kind::AtraxRaw, 128),
    (69, Kind::ADawliah, 32),
    (70, Kind::ADawliah, 64),
    (75, Kind::Atarimax1024New, 1024),
    (76, Kind::RamCart, 64),
    (77, Kind::RamCart, 128),
    (78, Kind::RamCartDouble, 256),
    (79, Kind::RamCart, 1024),
    (80, Kind::RamCart, 2048),
    (81, Kind::RamCart, 4096),
    (82, Kind::RamCartModules, 8192),
    (83, Kind::RamCartModules, 16384),
    (84, Kind::RamCartModules, 32768),
    (85, Kind::SiDiCar, 32),
];

/// The numbers of CAR types, those of the Atari 5200 among them.
pub const TYPE_NUMBERS: core::ops::RangeInclusive<u32> = 1..=85;

/// CAR types of the Atari 5200.
const ATARI_5200: [u32; 10] = [4, 6, 7, 16, 19, 20, 71, 72, 73, 74];

/// The mixed lines between a chip and the cartridge port: for each address and data line of the port, the chip's line that it is.
struct Mix {
    address: [u8; 17],
    data: [u8; 8],
}

const ATRAX: Mix = Mix {
    address: [5, 6, 7, 12, 0, 1, 2, 3, 4, 8, 10, 11, 9, 13, 14, 15, 16],
    data: [5, 6, 2, 4, 0, 1, 7, 3],
};
const ATRAX_SDX: Mix = Mix {
    address: [6, 7, 12, 15, 14, 13, 8, 5, 4, 3, 0, 1, 2, 9, 11, 10, 16],
    data: [4, 0, 5, 1, 7, 6, 3, 2],
};

impl Mix {
    fn read(&self, rom: &[u8], address: usize) -> u8 {
        let place: usize = (0..)
            .zip(self.address)
            .map(|(port, chip)| (address >> port & 1) << chip)
            .sum();
        let chip = rom.get(place).copied().unwrap_or(0xFF);
        (0..)
            .zip(self.data)
            .map(|(port, line)| (chip >> line & 1) << port)
            .sum()
    }
}

/// The check sum of CAR files.
fn sum(rom: &[u8]) -> u32 {
    rom.iter().fold(0, |sum, &b| sum.wrapping_add(b.into()))
}

/// The type of a plain dump of 32K and more, if exactly one bank can be the one that the OS starts: it ends with a zero, flags, and the
/// address of its initialization (and of its start, unless it is a diagnostic cartridge) in the cartridge.
fn guess(rom: &[u8]) -> Option<u32> {
    let starts = |end: usize, first: u16| {
        let &[low, high, zero, flags, init_low, init_high] = rom.get(end.checked_sub(6)?..end)?
        else {
            return None;
        };
        let start = u16::from_le_bytes([low, high]);
        let init = u16::from_le_bytes([init_low, init_high]);
        let inside = |address| (first..0xC000).contains(&address);
        let fits =
            zero == 0 && inside(init) && (flags & 0x04 == 0 || inside(start)) && flags & 0x7A == 0;
        fits.then_some(())
    };
    let first = starts(0x2000, 0xA000).is_some();
    let pair = starts(0x4000, 0x8000).is_some();
    let last = starts(rom.len(), 0x8000).is_some();
    Some(match (first, pair, last, rom.len() / 1024) {
        // Its banks of 4K are not what the OS starts, whatever they end with.
        (_, _, true, 40) => 18,
        (false, false, true, 32) => 12,
        (false, false, true, 64) => 13,
        (false, false, true, 128) => 14,
        (false, false, true, 256) => 23,
        (false, false, true, 512) => 24,
        (false, false, true, 1024) => 42,
        (true, false, false, 32) => 22,
        (true, false, false, 64) => 8,
        (true, false, false, 128) => 41,
        (true, false, false, 1024) => 75,
        (false, true, false, 32) => 27,
        (false, true, false, 64) => 28,
        (false, true, false, 128) => 29,
        (false, true, false, 256) => 30,
        (false, true, false, 512) => 31,
        (false, true, false, 2048) => 64,
        _ => return None,
    })
}

impl Cartridge {
    /// Reads a CAR file or a plain dump, whichever it is.
    ///
    /// # Errors
    /// As [`Self::parse_car`] and [`Self::from_rom`].
    pub fn parse(bytes: &[u8]) -> Result<Self, CartridgeError> {
        if bytes.starts_with(b"CART") {
            Self::parse_car(bytes)
        } else {
            Self::from_rom(bytes)
        }
    }

    /// Reads a CAR file: "CART", type, check sum (big-endian), four unused bytes, ROM.
    ///
    /// # Errors
    /// Says in one sentence what is wrong.
    pub fn parse_car(bytes: &[u8]) -> Result<Self, CartridgeError> {
        if !bytes.starts_with(b"CART") {
            return Err(CartridgeError::NotCar);
        }
        let Some(header) = bytes.first_chunk::<16>() else {
            return Err(CartridgeError::Size(
                "the CAR image is cut off within its header".into(),
            ));
        };
        let word =
            |i: usize| u32::from_be_bytes([header[i], header[i + 1], header[i + 2], header[i + 3]]);
        let number = word(4);
        if ATARI_5200.contains(&number) {
            return Err(CartridgeError::Atari5200(number));
        }
        let Some(&(_, kind, size)) = TYPES.iter().find(|t| t.0 == number) else {
            return Err(CartridgeError::Type(number));
        };
        let rom = &bytes[16..];
        let Some(rom) = rom.get(..size * 1024) else {
            return Err(CartridgeError::Size(format!(
                "a cartridge of type {number} holds {size}K, the image has {} bytes of ROM",
                rom.len()
            )));
        };
        Ok(Self {
            kind,
            rom: rom.to_vec(),
        })
    }

    /// The flaw of a CAR file that [`Self::parse_car`] takes nevertheless, as other programs do, or the way in which a plain dump was
    /// taken: one sentence.
    #[must_use]
    pub fn flaw(&self, bytes: &[u8]) -> Option<String> {
        let Some(header) = bytes.first_chunk::<16>().filter(|h| h.starts_with(b"CART")) else {
            let usual = bytes.len() <= 0x4000;
            let number = self.type_number().filter(|_| !usual)?;
            return Some(format!(
                "a plain dump, taken as CAR type {number} ({:?}); --cart-type says another",
                self.kind
            ));
        };
        if bytes.len() > 16 + self.rom.len() {
            let more = bytes.len() - 16 - self.rom.len();
            return Some(format!(
                "the cartridge image has {more} bytes too many, which are left out"
            ));
        }
        let found = sum(&self.rom);
        let wanted = u32::from_be_bytes([header[8], header[9], header[10], header[11]]);
        (found != wanted && wanted != 0).then(|| {
            format!(
                "the sum of the cartridge's bytes is ${found:08X}, its header says ${wanted:08X}"
            )
        })
    }

    /// A plain dump: 2K, 4K, 8K or 16K are wired in the usual way, larger ones as the bank says that the OS can start.
    ///
    /// # Errors
    /// Others do not say how the ROM is wired; the message says which types there are.
    pub fn from_rom(bytes: &[u8]) -> Result<Self, CartridgeError> {
        let kind = match bytes.len() {
            0x800 | 0x1000 | 0x2000 => Kind::Standard8,
            0x4000 => Kind::Standard16,
            n => {
                if let Some(number) = guess(bytes) {
                    return Self::from_rom_of_type(bytes, number);
                }
                let numbers = Self::types_of_size(n);
                return Err(if numbers.is_empty() {
                    CartridgeError::Size(format!(
                        "a plain cartridge dump has 2, 4, 8, 16, 32 or 64K and so on, this one has {n} bytes"
                    ))
                } else {
                    let names: Vec<String> = numbers
                        .iter()
                        .map(|&(number, kind)| format!("{number} {kind:?}"))
                        .collect();
                    CartridgeError::Ambiguous(format!(
                        "a cartridge of {}K can be of several types; say which with --cart-type: {}",
                        n / 1024,
                        names.join(", ")
                    ))
                });
            }
        };
        Ok(Self {
            kind,
            rom: bytes.to_vec(),
        })
    }

    /// Type numbers and wirings of that many bytes.
    #[must_use]
    pub(crate) fn types_of_size(bytes: usize) -> Vec<(u32, Kind)> {
        let fits = |t: &&(u32, Kind, usize)| t.2 * 1024 == bytes;
        TYPES.iter().filter(fits).map(|t| (t.0, t.1)).collect()
    }

    /// A plain dump of the CAR type `number`.
    ///
    /// # Errors
    /// When that type does not exist, or it has another size.
    pub fn from_rom_of_type(bytes: &[u8], number: u32) -> Result<Self, CartridgeError> {
        if ATARI_5200.contains(&number) {
            return Err(CartridgeError::Atari5200(number));
        }
        let Some(&(_, kind, size)) = TYPES.iter().find(|t| t.0 == number) else {
            return Err(CartridgeError::Type(number));
        };
        if bytes.len() != size * 1024 {
            return Err(CartridgeError::Size(format!(
                "a cartridge of type {number} holds {size}K, the image has {} bytes",
                bytes.len()
            )));
        }
        Ok(Self {
            kind,
            rom: bytes.to_vec(),
        })
    }

    /// The 8K at `number` as the port shows them: the chip's lines may be mixed.
    #[must_use]
    pub fn bank(&self, number: usize) -> Vec<u8> {
        let banks = (self.rom.len() / 0x2000).max(1);
        let start = number % banks * 0x2000;
        let mix = match self.kind {
            Kind::AtraxRaw => &ATRAX,
            Kind::AtraxSdx => &ATRAX_SDX,
            _ => {
                let end = self.rom.len().min(start + 0x2000);
                return self.rom[start.min(end)..end].to_vec();
            }
        };
        (start..start + 0x2000)
            .map(|address| mix.read(&self.rom, address))
            .collect()
    }

    /// The number of its wiring and size in CAR files, if they have one.
    #[must_use]
    pub fn type_number(&self) -> Option<u32> {
        let fits = |t: &&(u32, Kind, usize)| t.1 == self.kind && t.2 * 1024 == self.rom.len();
        TYPES.iter().find(fits).map(|t| t.0)
    }

    /// The first bytes of a CAR file: type, and the sum of the bytes that follow.
    #[must_use]
    pub fn car_header(number: u32, sum: u32) -> [u8; 16] {
        let mut header = *b"CART............";
        header[4..8].copy_from_slice(&number.to_be_bytes());
        header[8..12].copy_from_slice(&sum.to_be_bytes());
        header[12..].fill(0);
        header
    }

    /// The cartridge as a CAR file, when its wiring and size have a type number.
    #[must_use]
    pub fn to_car(&self) -> Option<Vec<u8>> {
        let mut out = Self::car_header(self.type_number()?, sum(&self.rom)).to_vec();
        out.extend_from_slice(&self.rom);
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn every_number_is_of_one_type() {
        let mut all: Vec<u32> = TYPES.iter().map(|t| t.0).chain(ATARI_5200).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(TYPE_NUMBERS));
    }

    #[test]
    fn every_car_type_survives_a_round_trip_and_no_cut_one_is_accepted() {
        for &(number, kind, size) in TYPES {
            if size > 4096 {
                continue;
            }
            let rom: Vec<u8> = (0..size * 1024).map(|i| (i >> 8) as u8 ^ i as u8).collect();
            let cartridge = Cartridge { kind, rom };
            let car = cartridge.to_car().unwrap();
            assert_eq!(u32::from(car[7]), number);
            assert_eq!(Cartridge::parse_car(&car).as_ref(), Ok(&cartridge));
            assert!(Cartridge::parse_car(&car[..car.len() - 1]).is_err());
            assert!(Cartridge::parse_car(&car[..10]).is_err());
            assert_eq!(cartridge.flaw(&car), None);
        }
    }

    #[test]
    fn wrong_sums_and_bytes_too_many_are_said_and_do_no_harm() {
        let rom: Vec<u8> = (0..0x2000).map(|i| i as u8).collect();
        let cartridge = Cartridge {
            kind: Kind::Standard8,
            rom,
        };
        let mut car = cartridge.to_car().unwrap();
        car[8..12].fill(0);
        assert_eq!(cartridge.flaw(&car), None, "no sum at all");
        car[11] = 1;
        assert_eq!(Cartridge::parse_car(&car).as_ref(), Ok(&cartridge));
        assert!(
            cartridge
                .flaw(&car)
                .unwrap()
                .contains("header says $00000001")
        );
        car.extend([0; 7]);
        assert_eq!(Cartridge::parse_car(&car).as_ref(), Ok(&cartridge));
        assert!(cartridge.flaw(&car).unwrap().contains("7 bytes too many"));
    }

    #[test]
    fn a_dump_is_wired_as_the_bank_says_that_can_be_started() {
        let with = |size: usize, end: usize| {
            let mut rom = alloc::vec![0xFF; size * 1024];
            rom[end - 6..end].copy_from_slice(&[0x00, 0xA1, 0x00, 0x04, 0x00, 0xA0]);
            rom
        };
        for (size, end, number) in [
            (32, 0x8000, 12),
            (40, 0xA000, 18),
            (64, 0x1_0000, 13),
            (128, 0x2_0000, 14),
            (1024, 0x10_0000, 42),
            (32, 0x2000, 22),
            (128, 0x2000, 41),
            (1024, 0x2000, 75),
            (128, 0x4000, 29),
        ] {
            let rom = with(size, end);
            let cartridge = Cartridge::from_rom(&rom).unwrap();
            assert_eq!(cartridge.type_number(), Some(number), "{size}K");
            assert!(cartridge.flaw(&rom).unwrap().contains("taken as CAR type"));
        }
        let mut two = with(32, 0x8000);
        let half = two[0x7FFA..].to_vec();
        two[0x1FFA..0x2000].copy_from_slice(&half);
        assert!(Cartridge::from_rom(&two).is_err(), "two banks fit");
    }

    #[test]
    fn a_dump_is_known_by_its_size() {
        assert_eq!(
            Cartridge::from_rom(&alloc::vec![0; 0x2000]).unwrap().kind,
            Kind::Standard8
        );
        assert_eq!(
            Cartridge::from_rom(&alloc::vec![0; 0x4000]).unwrap().kind,
            Kind::Standard16
        );
        assert!(Cartridge::from_rom(&[0; 0x3000]).is_err());
        let error = Cartridge::from_rom(&alloc::vec![0; 0x8000])
            .unwrap_err()
            .to_string();
        assert!(error.contains("12 Xegs") && error.contains("52 Ultracart"));
        let asked = Cartridge::from_rom_of_type(&alloc::vec![0; 0x8000], 22).unwrap();
        assert_eq!(asked.type_number(), Some(22));
        assert!(Cartridge::from_rom_of_type(&alloc::vec![0; 0x8000], 8).is_err());
    }

    #[test]
    fn cartridges_of_the_5200_are_refused_by_name() {
        for number in ATARI_5200 {
            let mut car = b"CART".to_vec();
            car.extend(number.to_be_bytes());
            car.extend([0; 8 + 0x2000]);
            let error = Cartridge::parse_car(&car).unwrap_err();
            assert!(error.to_string().contains("Atari 5200"), "{error}");
        }
    }

    #[test]
    fn mixed_lines_are_a_permutation_of_the_chip() {
        for (kind, size) in [
            (Kind::AtraxRaw, 128),
            (Kind::AtraxSdx, 64),
            (Kind::AtraxSdx, 128),
        ] {
            let rom: Vec<u8> = (0..size * 1024usize)
                .map(|i| (i * 167 >> 7) as u8)
                .collect();
            let cartridge = Cartridge { kind, rom };
            let mut seen: Vec<u8> = (0..size / 8).flat_map(|n| cartridge.bank(n)).collect();
            let mix = if kind == Kind::AtraxRaw {
                ATRAX
            } else {
                ATRAX_SDX
            };
            let mut wanted: Vec<u8> = cartridge
                .rom
                .iter()
                .map(|&b| {
                    (0..)
                        .zip(mix.data)
                        .map(|(to, from)| (b >> from & 1) << to)
                        .sum()
                })
                .collect();
            seen.sort_unstable();
            wanted.sort_unstable();
            assert!(seen == wanted, "{kind:?} {size}");
        }
    }
}
