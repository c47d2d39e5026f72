//! Binary load files (XEX, COM, EXE, OBJ): segments that say where they belong, and start vectors among them.
use alloc::vec::Vec;

use crate::atr::Disk;

/// RUNAD: where the program starts when everything is loaded.
pub const RUNAD: u16 = 0x02E0;
/// INITAD: a routine called as soon as the segment that sets it is loaded.
pub const INITAD: u16 = 0x02E2;

/// Bytes for one stretch of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Address of the first byte.
    pub start: u16,
    /// The bytes; at least one, and none beyond $FFFF.
    pub data: Vec<u8>,
}

impl Segment {
    /// Address of the last byte.
    #[must_use]
    pub fn end(&self) -> u16 {
        self.start.wrapping_add((self.data.len() - 1) as u16)
    }

    /// Whether it touches the addresses `first` to `last`.
    #[must_use]
    pub fn touches(&self, first: u16, last: u16) -> bool {
        self.start <= last && self.end() >= first
    }
}

/// A binary load file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Xex {
    /// Its segments in the order of loading.
    pub segments: Vec<Segment>,
}

/// Why bytes are not a complete binary load file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum XexError {
    /// The first two bytes are not $FF $FF.
    #[error("not an Atari binary file: it does not begin with $FF $FF")]
    NotBinary,
    /// Nothing after the header.
    #[error("the binary file holds no segment")]
    Empty,
    /// The addresses of a segment are cut off.
    #[error("the binary file is cut off: segment {0} has no complete addresses")]
    Header(usize),
    /// A segment that ends before it begins.
    #[error("the binary file is damaged: segment {number} would load ${start:04X} to ${end:04X}")]
    Backwards {
        /// The segment, from 1.
        number: usize,
        /// First address.
        start: u16,
        /// Last address.
        end: u16,
    },
    /// The bytes of a segment are cut off.
    #[error(
        "the binary file is cut off: segment {number} (${start:04X}-${end:04X}) lacks {missing} bytes"
    )]
    Data {
        /// The segment, from 1.
        number: usize,
        /// First address.
        start: u16,
        /// Last address.
        end: u16,
        /// Bytes that are not there.
        missing: usize,
    },
}

impl Xex {
    /// Reads a binary load file. Zero bytes after the last segment (padding to whole sectors) are ignored.
    ///
    /// # Errors
    /// Says which segment is wrong.
    pub fn parse(bytes: &[u8]) -> Result<Self, XexError> {
        let Some(mut rest) = bytes.strip_prefix(&[0xFF, 0xFF]) else {
            return Err(XexError::NotBinary);
        };
        let mut segments = Vec::new();
        while !rest.is_empty() {
            let number = segments.len() + 1;
            if number > 1 && rest.iter().all(|&b| b == 0) {
                break;
            }
            while let Some(after) = rest.strip_prefix(&[0xFF, 0xFF]) {
                rest = after;
            }
            let Some((header, data)) = rest.split_first_chunk::<4>() else {
                return Err(XexError::Header(number));
            };
            let start = u16::from_le_bytes([header[0], header[1]]);
            let end = u16::from_le_bytes([header[2], header[3]]);
            if end < start {
                return Err(XexError::Backwards { number, start, end });
            }
            let length = usize::from(end - start) + 1;
            let Some((data, after)) = data.split_at_checked(length) else {
                return Err(XexError::Data {
                    number,
                    start,
                    end,
                    missing: length - data.len(),
                });
            };
            segments.push(Segment {
                start,
                data: data.to_vec(),
            });
            rest = after;
        }
        if segments.is_empty() {
            Err(XexError::Empty)
        } else {
            Ok(Self { segments })
        }
    }

    /// The file's bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = alloc::vec![0xFF, 0xFF];
        for segment in &self.segments {
            out.extend_from_slice(&segment.start.to_le_bytes());
            out.extend_from_slice(&segment.end().to_le_bytes());
            out.extend_from_slice(&segment.data);
        }
        out
    }

    /// The run address, when the file has one.
    #[must_use]
    pub fn run_address(&self) -> Option<u16> {
        let byte = |address: u16| {
            let segment = self
                .segments
                .iter()
                .rev()
                .find(|s| s.touches(address, address))?;
            segment
                .data
                .get(usize::from(address - segment.start))
                .copied()
        };
        Some(u16::from_le_bytes([byte(RUNAD)?, byte(RUNAD + 1)?]))
    }

    /// What the machine needs to boot the program.
    #[must_use]
    pub fn boot(&self) -> BootProgram {
        let mut stream = Vec::new();
        let mut record = |start: u16, data: &[u8]| {
            // A length of 0 would end the stream, and a whole 64K has no length of two bytes.
            for (i, part) in data.chunks(0x8000).enumerate() {
                stream.extend_from_slice(&start.wrapping_add((i * 0x8000) as u16).to_le_bytes());
                stream.extend_from_slice(&(part.len() as u16).to_le_bytes());
                stream.extend_from_slice(part);
            }
        };
        let loader = self.loader();
        if self.run_address().is_none() {
            // Without a run address a DOS would come back to its menu. A file with INIT routines has then done its
            // work and we wait for ever (`stop`); one without starts at its first byte.
            let has_init = self.segments.iter().any(|s| s.touches(INITAD, INITAD + 1));
            let first = self.segments.first().map_or(0, |s| s.start);
            if has_init {
                record(0x0100, &[0x4C, 0x00, 0x01]);
                record(RUNAD, &[0x00, 0x01]);
            } else {
                record(RUNAD, &first.to_le_bytes());
            }
        }
        for segment in &self.segments {
            record(segment.start, &segment.data);
        }
        stream.extend_from_slice(&[0, 0, 0, 0]);
        let mut disk = Disk::with_geometry(720, 128);
        disk.write_sector(1, loader);
        disk.saved();
        BootProgram { disk, stream }
    }

    /// The loader at the first origin that the program leaves free.
    fn loader(&self) -> &'static [u8] {
        let free = |first: u16| !self.segments.iter().any(|s| s.touches(first, first + 0x7F));
        LOADERS
            .iter()
            .find(|(origin, _)| free(*origin))
            .unwrap_or(&LOADERS[0])
            .1
    }
}

/// The boot sectors, best place first. $0480-$057F is the parser stack of BASIC, which is not there when a binary file is
/// booted; $0400 is the cassette buffer.
const LOADERS: [(u16, &[u8]); 5] = [
    (0x0480, include_bytes!("../boot/loader-0480.bin")),
    (0x0400, include_bytes!("../boot/loader-0400.bin")),
    (0x0700, include_bytes!("../boot/loader-0700.bin")),
    (0x0600, include_bytes!("../boot/loader-0600.bin")),
    (0xBF00, include_bytes!("../boot/loader-BF00.bin")),
];

/// A binary file made bootable: a disk with one boot sector, and the bytes that its loader takes from the machine's program port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootProgram {
    /// The disk for D1:.
    pub disk: Disk,
    /// Records of address, length and bytes; length 0 ends.
    pub stream: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Xex {
        Xex {
            segments: alloc::vec![
                Segment {
                    start: 0x2000,
                    data: alloc::vec![1, 2, 3]
                },
                Segment {
                    start: RUNAD,
                    data: alloc::vec![0x00, 0x20]
                },
            ],
        }
    }

    #[test]
    fn a_file_survives_a_round_trip() {
        let xex = sample();
        assert_eq!(Xex::parse(&xex.to_bytes()), Ok(xex.clone()));
        assert_eq!(xex.run_address(), Some(0x2000));
        let mut padded = xex.to_bytes();
        padded.resize(padded.len() + 100, 0);
        assert_eq!(Xex::parse(&padded), Ok(xex));
    }

    #[test]
    fn a_cut_file_is_refused_unless_the_cut_is_between_segments() {
        let bytes = sample().to_bytes();
        for length in 0..bytes.len() {
            assert_eq!(
                Xex::parse(&bytes[..length]).is_ok(),
                length == 9,
                "length {length}"
            );
        }
        let message = alloc::format!("{}", Xex::parse(&bytes[..8]).unwrap_err());
        assert_eq!(
            message,
            "the binary file is cut off: segment 1 ($2000-$2002) lacks 1 bytes"
        );
    }

    #[test]
    fn the_loader_avoids_the_program() {
        let mut xex = sample();
        xex.segments[0] = Segment {
            start: 0x0500 - 1,
            data: alloc::vec![0; 2],
        };
        assert_eq!(xex.loader()[2..4], [0x00, 0x04]);
        xex.segments[0] = Segment {
            start: 0x0400,
            data: alloc::vec![0; 0x300],
        };
        assert_eq!(xex.loader()[2..4], [0x00, 0x07]);
    }
}
