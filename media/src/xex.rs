//! Binary load files (XEX, COM, EXE, OBJ): segments that say where they belong, and start vectors among them.
use alloc::vec::Vec;

use crate::atr::Disk;

/// RUNAD: where the program starts when everything is loaded.
pub const RUNAD: u16 = 0x02E0;
/// INITAD: a routine called as soon as the segment that sets it is loaded.
pub const INITAD: u16 = 0x02E2;

/// Files with more segments are refused: a picture that is sent line by line has some thousand.
pub(crate) const MOST_SEGMENTS: usize = 100_000;

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

    /// True if it touches the addresses `first` to `last`.
    #[must_use]
    pub fn touches(&self, first: u16, last: u16) -> bool {
        self.start <= last && self.end() >= first
    }
}

/// A binary load file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Xex {
    /// Its segments in the order of loading.
    pub segments: Vec<Segment>,
    /// The flaw of the file; it loads as far as it is good.
    pub flaw: Option<XexFlaw>,
}

/// Reason why bytes are not a binary load file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum XexError {
    /// The first two bytes are not $FF $FF.
    #[error("not an Atari binary file: it does not begin with $FF $FF")]
    NotBinary,
    /// Nothing after the header.
    #[error("the binary file holds no segment")]
    Empty,
    /// The first segment ends before it begins.
    #[error("the binary file is damaged: segment 1 would load ${start:04X} to ${end:04X}")]
    Backwards {
        /// First address.
        start: u16,
        /// Last address.
        end: u16,
    },
    /// A file that no loader was made for.
    #[error("the binary file has more than {MOST_SEGMENTS} segments")]
    Segments,
}

/// The flaw of a binary load file that loads nevertheless.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum XexFlaw {
    /// The last segment has fewer bytes than it says.
    #[error(
        "the binary file is cut off: segment {number} (${start:04X}-${end:04X}) lacks {missing} bytes; loaded as far as it goes"
    )]
    Cut {
        /// The segment, from 1.
        number: usize,
        /// First address.
        start: u16,
        /// Last address, as the file says.
        end: u16,
        /// Bytes that are not there.
        missing: usize,
    },
    /// Bytes that are not a segment.
    #[error("the last {bytes} bytes of the binary file are no segment; left out")]
    Trailing {
        /// Number of bytes.
        bytes: usize,
    },
}

impl Xex {
    /// Reads a binary load file. $FF $FF may stand before every segment. Zero bytes after the last segment (padding to whole sectors)
    /// are ignored; of a file that is cut off or has other bytes there, the good part is taken, see [`Xex::flaw`].
    ///
    /// # Errors
    /// When no part is good.
    pub fn parse(bytes: &[u8]) -> Result<Self, XexError> {
        let Some(mut rest) = bytes.strip_prefix(&[0xFF, 0xFF]) else {
            return Err(XexError::NotBinary);
        };
        // From here on there are only zeros.
        let end = bytes.iter().rposition(|&b| b != 0);
        let zeros = end.map_or(0, |last| bytes.len() - 1 - last);
        let mut segments: Vec<(u16, &[u8])> = Vec::new();
        let mut flaw = None;
        while !rest.is_empty() {
            let number = segments.len() + 1;
            if number > 1 && rest.len() <= zeros {
                break;
            }
            if number > MOST_SEGMENTS {
                return Err(XexError::Segments);
            }
            let trailing = Some(XexFlaw::Trailing { bytes: rest.len() });
            while let Some(after) = rest.strip_prefix(&[0xFF, 0xFF]) {
                rest = after;
            }
            let Some((header, data)) = rest.split_first_chunk::<4>() else {
                flaw = trailing;
                break;
            };
            let start = u16::from_le_bytes([header[0], header[1]]);
            let end = u16::from_le_bytes([header[2], header[3]]);
            if end < start && number == 1 {
                return Err(XexError::Backwards { start, end });
            }
            if end < start || data.is_empty() {
                flaw = trailing;
                break;
            }
            let length = usize::from(end - start) + 1;
            let present = length.min(data.len());
            if present < length {
                flaw = Some(XexFlaw::Cut {
                    number,
                    start,
                    end,
                    missing: length - present,
                });
            }
            let (data, after) = data.split_at(present);
            segments.push((start, data));
            rest = after;
        }
        if segments.is_empty() {
            return Err(XexError::Empty);
        }
        let owned = segments.into_iter().map(|(start, data)| Segment {
            start,
            data: data.to_vec(),
        });
        Ok(Self {
            segments: owned.collect(),
            flaw,
        })
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

    /// The stream and the disk with which a machine boots the program.
    #[must_use]
    pub fn boot(&self) -> BootProgram {
        let mut stream = Vec::new();
        let mut record = |start: u16, data: &[u8]| {
            // A length of 0 would end the stream, and a whole 64K has no length of two bytes.
            for (i, part) in data.chunks(0xFFFF).enumerate() {
                stream.extend_from_slice(&start.wrapping_sub(i as u16).to_le_bytes());
                stream.extend_from_slice(&(part.len() as u16).to_le_bytes());
                stream.extend_from_slice(part);
            }
        };
        if self.run_address().is_none() {
            // A file with INIT routines has done its work in them, and ends. One without starts at its first byte.
            let has_init = self.segments.iter().any(|s| s.touches(INITAD, INITAD + 1));
            let first = self.segments.first().map_or(0, |s| s.start);
            let run = if has_init { RETURN } else { first };
            record(RUNAD, &run.to_le_bytes());
        }
        for segment in &self.segments {
            record(segment.start, &segment.data);
        }
        stream.extend_from_slice(&[0, 0, 0, 0]);
        let mut disk = Disk::with_geometry(720, 128);
        disk.write_sector(1, &boot_sector());
        disk.saved();
        BootProgram { disk, stream }
    }
}

const IMAGE: &[u8; 206] = include_bytes!("../boot/loader.bin");

/// The loader, seen at $D100 by the processor of a machine with a program in its port.
pub const LOADER: &[u8] = IMAGE.split_at(0xC0).0;
/// The sector that the OS boots, so that it calls the loader.
const BOOT_SECTOR: &[u8] = IMAGE.split_at(0xC0).1;

/// The sector that the OS boots for a file in the program port.
pub fn boot_sector() -> [u8; 128] {
    let mut sector = [0; 128];
    sector[..BOOT_SECTOR.len()].copy_from_slice(BOOT_SECTOR);
    sector
}

/// An RTS in the loader.
const RETURN: u16 = 0xD100;

/// A binary file made bootable: a disk with one boot sector, and the bytes that its loader takes from the machine's program port.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct BootProgram {
    /// The disk for D1:.
    pub disk: Disk,
    /// Records of address, length and bytes; length 0 ends.
    #[serde(with = "serde_bytes")]
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
            flaw: None,
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
    fn a_cut_file_loads_as_far_as_it_goes() {
        let bytes = sample().to_bytes();
        for length in 0..bytes.len() {
            let parsed = Xex::parse(&bytes[..length]);
            match length {
                0..=1 => assert_eq!(parsed, Err(XexError::NotBinary)),
                2..=6 => assert_eq!(parsed, Err(XexError::Empty)),
                _ => {
                    let xex = parsed.unwrap();
                    let data: Vec<u8> = xex.segments.iter().flat_map(|s| s.data.clone()).collect();
                    let there = (length - 6).min(3) + length.saturating_sub(13);
                    assert_eq!(data, [1, 2, 3, 0x00, 0x20][..there], "length {length}");
                    assert_eq!(xex.flaw.is_none(), length == 9, "length {length}");
                }
            }
        }
        let text = |bytes: &[u8]| alloc::format!("{}", Xex::parse(bytes).unwrap().flaw.unwrap());
        assert_eq!(
            text(&bytes[..8]),
            "the binary file is cut off: segment 1 ($2000-$2002) lacks 1 bytes; loaded as far as it goes"
        );
        let mut more = bytes;
        more.extend([0x1A; 3]);
        assert_eq!(
            text(&more),
            "the last 3 bytes of the binary file are no segment; left out"
        );
        more.extend([0x19, 7, 8]);
        assert_eq!(Xex::parse(&more).unwrap().segments, sample().segments);
    }

    #[test]
    fn the_header_may_stand_before_every_segment() {
        let bytes = [
            0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x20, 0x00, 0x20, 7, 0xFF, 0xFF, 0x01, 0x20, 0x01, 0x20,
            8,
        ];
        let xex = Xex::parse(&bytes).unwrap();
        assert_eq!((xex.segments.len(), &xex.flaw), (2, &None));
    }
}
