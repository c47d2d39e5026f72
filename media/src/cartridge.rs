//! Cartridges: CAR files and plain ROM dumps.
use alloc::vec::Vec;
use alloc::{format, string::String};

/// How a cartridge's ROM appears in the address space.
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
    /// SIC!: flash banks of 16K chosen by the data written to $D500-$D51F, bits 5 and 6 enable the halves.
    Sic,
}

/// A cartridge as it is plugged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cartridge {
    /// Its wiring.
    pub kind: Kind,
    /// Its ROM.
    pub rom: Vec<u8>,
}

/// Why bytes are not a cartridge this machine can use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CartridgeError {
    /// No CAR header.
    #[error("not a CAR cartridge image: it does not begin with CART")]
    NotCar,
    /// A known container with unknown contents.
    #[error("cartridge type {0} is not supported")]
    Type(u32),
    /// The size does not fit.
    #[error("{0}")]
    Size(String),
    /// The check sum in the header is wrong.
    #[error(
        "the cartridge image is damaged: its check sum is ${found:08X}, the header says ${wanted:08X}"
    )]
    Checksum {
        /// The sum of the bytes.
        found: u32,
        /// The sum in the header.
        wanted: u32,
    },
}

/// CAR type number, wiring, size in K.
const TYPES: &[(u32, Kind, usize)] = &[
    (1, Kind::Standard8, 8),
    (2, Kind::Standard16, 16),
    (3, Kind::Oss034M, 16),
    (8, Kind::Williams, 64),
    (9, Kind::Express, 64),
    (10, Kind::Diamond, 64),
    (11, Kind::SpartaDosX, 64),
    (12, Kind::Xegs, 32),
    (13, Kind::Xegs, 64),
    (14, Kind::Xegs, 128),
    (15, Kind::OssM091, 16),
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
    (45, Kind::Oss043M, 16),
    (54, Kind::Sic, 128),
    (55, Kind::Sic, 256),
    (56, Kind::Sic, 512),
    (57, Kind::Standard8, 4),
    (58, Kind::Standard8, 2),
];

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
        let Some(&(_, kind, size)) = TYPES.iter().find(|t| t.0 == number) else {
            return Err(CartridgeError::Type(number));
        };
        let rom = &bytes[16..];
        if rom.len() != size * 1024 {
            return Err(CartridgeError::Size(format!(
                "a cartridge of type {number} holds {size}K, the image has {} bytes of ROM",
                rom.len()
            )));
        }
        let found = rom.iter().fold(0u32, |sum, &b| sum.wrapping_add(b.into()));
        let wanted = word(8);
        if found != wanted {
            return Err(CartridgeError::Checksum { found, wanted });
        }
        Ok(Self {
            kind,
            rom: rom.to_vec(),
        })
    }

    /// A plain dump, known by its size: 2K, 4K, 8K or 16K.
    ///
    /// # Errors
    /// Other sizes do not say how the ROM is wired.
    pub fn from_rom(bytes: &[u8]) -> Result<Self, CartridgeError> {
        let kind = match bytes.len() {
            0x800 | 0x1000 | 0x2000 => Kind::Standard8,
            0x4000 => Kind::Standard16,
            n => {
                return Err(CartridgeError::Size(format!(
                    "a plain cartridge dump has 2, 4, 8 or 16K, this one has {n} bytes; use a CAR file for banked cartridges"
                )));
            }
        };
        Ok(Self {
            kind,
            rom: bytes.to_vec(),
        })
    }

    /// The number of its wiring and size in CAR files, if they have one.
    #[must_use]
    pub fn type_number(&self) -> Option<u32> {
        let fits = |t: &&(u32, Kind, usize)| t.1 == self.kind && t.2 * 1024 == self.rom.len();
        TYPES.iter().find(fits).map(|t| t.0)
    }

    /// The cartridge as a CAR file, when its wiring and size have a type number.
    #[must_use]
    pub fn to_car(&self) -> Option<Vec<u8>> {
        let number = self.type_number()?;
        let sum = self
            .rom
            .iter()
            .fold(0u32, |sum, &b| sum.wrapping_add(b.into()));
        let mut out = b"CART".to_vec();
        out.extend_from_slice(&number.to_be_bytes());
        out.extend_from_slice(&sum.to_be_bytes());
        out.extend_from_slice(&[0; 4]);
        out.extend_from_slice(&self.rom);
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_car_type_survives_a_round_trip_and_no_cut_one_is_accepted() {
        for &(number, kind, size) in TYPES {
            let rom: Vec<u8> = (0..size * 1024).map(|i| (i >> 8) as u8 ^ i as u8).collect();
            let cartridge = Cartridge { kind, rom };
            let car = cartridge.to_car().unwrap();
            assert_eq!(u32::from(car[7]), number);
            assert_eq!(Cartridge::parse_car(&car), Ok(cartridge));
            assert!(Cartridge::parse_car(&car[..car.len() - 1]).is_err());
            assert!(Cartridge::parse_car(&car[..10]).is_err());
            let mut bad = car;
            bad[20] ^= 1;
            assert!(matches!(
                Cartridge::parse_car(&bad),
                Err(CartridgeError::Checksum { .. })
            ));
        }
    }

    #[test]
    fn a_dump_is_known_by_its_size() {
        assert_eq!(
            Cartridge::from_rom(&[0; 0x2000]).unwrap().kind,
            Kind::Standard8
        );
        assert_eq!(
            Cartridge::from_rom(&[0; 0x4000]).unwrap().kind,
            Kind::Standard16
        );
        assert!(Cartridge::from_rom(&[0; 0x3000]).is_err());
    }
}
