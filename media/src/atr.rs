//! Disk images in the ATR format.
use alloc::vec::Vec;
use alloc::{format, string::String};

/// The 16-byte header's magic word: the sum of the letters of "NICKATARI".
const MAGIC: u16 = 0x0296;
/// Bytes of the header.
const HEADER: usize = 16;
/// Bytes of each of the first three sectors, whatever the density.
const BOOT_SECTOR: usize = 128;

/// A floppy disk: numbered sectors from 1.
///
/// The first three sectors hold 128 bytes even on double-density disks, because the OS boots with 128-byte sectors.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Disk {
    sector_size: usize,
    #[serde(with = "serde_bytes")]
    data: Vec<u8>,
    write_protected: bool,
    changed: bool,
}

/// Why bytes are not a disk image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AtrError {
    /// The magic number is missing.
    #[error("not an ATR disk image: it does not begin with $96 $02")]
    NotAtr,
    /// The sector size is not one that drives have.
    #[error("the ATR header gives a sector size of {0} bytes; only 128 and 256 are known")]
    SectorSize(u16),
    /// The file ends early.
    #[error("{0}")]
    Truncated(String),
}

/// The sizes of blank disks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blank {
    /// 720 sectors of 128 bytes (810 drive), 90K.
    Single,
    /// 1040 sectors of 128 bytes (1050 drive), 130K.
    Enhanced,
    /// 720 sectors of 256 bytes, 180K.
    Double,
}

impl Disk {
    /// An unformatted (zeroed) disk.
    #[must_use]
    pub fn blank(kind: Blank) -> Self {
        let (sectors, size) = match kind {
            Blank::Single => (720, 128),
            Blank::Enhanced => (1040, 128),
            Blank::Double => (720, 256),
        };
        Self::with_geometry(sectors, size)
    }

    /// A zeroed disk of `sectors` sectors of `size` bytes (128 or 256).
    #[must_use]
    pub fn with_geometry(sectors: usize, size: usize) -> Self {
        let bytes = if size == BOOT_SECTOR {
            sectors * size
        } else {
            sectors.min(3) * BOOT_SECTOR + sectors.saturating_sub(3) * size
        };
        let data = alloc::vec![0; bytes];
        Self {
            sector_size: size,
            data,
            write_protected: false,
            changed: false,
        }
    }

    /// Whether a disk that was read from a saved state is one.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        matches!(self.sector_size, 128 | 256) && self.data.len() <= 65_535 * 256
    }

    /// Reads an ATR file.
    ///
    /// # Errors
    /// Says in one sentence why the bytes are not a complete image.
    pub fn parse(bytes: &[u8]) -> Result<Self, AtrError> {
        let Some(header) = bytes.first_chunk::<HEADER>() else {
            return Err(if bytes.starts_with(&MAGIC.to_le_bytes()) {
                AtrError::Truncated("the ATR image is cut off within its header".into())
            } else {
                AtrError::NotAtr
            });
        };
        if u16::from_le_bytes([header[0], header[1]]) != MAGIC {
            return Err(AtrError::NotAtr);
        }
        let sector_size = u16::from_le_bytes([header[4], header[5]]);
        if sector_size != 128 && sector_size != 256 {
            return Err(AtrError::SectorSize(sector_size));
        }
        let size = usize::from(sector_size);
        let paragraphs =
            usize::from(u16::from_le_bytes([header[2], header[3]])) | usize::from(header[6]) << 16;
        let wanted = paragraphs * 16;
        let body = &bytes[HEADER..];
        if body.len() < wanted {
            return Err(AtrError::Truncated(format!(
                "the ATR image is cut off: its header promises {wanted} bytes of sectors, the file holds {}",
                body.len()
            )));
        }
        let body = &body[..wanted];
        let mut data = Vec::with_capacity(wanted);
        if size == 256 && wanted.is_multiple_of(256) {
            // Some tools give the three boot sectors 256 bytes each in the file: either padded after each sector, or
            // (the wrong half) as 384 bytes followed by 384 unused ones.
            let boot = &body[..wanted.min(768)];
            let packed = boot.len() == 768
                && boot[384..].iter().all(|&b| b == 0)
                && boot[128..256].iter().any(|&b| b != 0);
            for sector in 0..boot.len() / 256 {
                let start = if packed {
                    sector * BOOT_SECTOR
                } else {
                    sector * 256
                };
                data.extend_from_slice(&boot[start..start + BOOT_SECTOR]);
            }
            data.extend_from_slice(&body[wanted.min(768)..]);
        } else {
            data.extend_from_slice(body);
        }
        Ok(Self {
            sector_size: size,
            data,
            write_protected: header[15] & 1 != 0,
            changed: false,
        })
    }

    /// The image as an ATR file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let paragraphs = self.data.len().div_ceil(16);
        let mut out = Vec::with_capacity(HEADER + paragraphs * 16);
        out.extend_from_slice(&MAGIC.to_le_bytes());
        out.extend_from_slice(&(paragraphs as u16).to_le_bytes());
        out.extend_from_slice(&(self.sector_size as u16).to_le_bytes());
        out.push((paragraphs >> 16) as u8);
        out.resize(HEADER, 0);
        out[15] = u8::from(self.write_protected);
        out.extend_from_slice(&self.data);
        out.resize(HEADER + paragraphs * 16, 0);
        out
    }

    /// Bytes of an ordinary sector: 128 or 256.
    #[must_use]
    pub fn sector_size(&self) -> usize {
        self.sector_size
    }

    /// Number of sectors.
    #[must_use]
    pub fn sectors(&self) -> usize {
        let boot = 3 * BOOT_SECTOR;
        if self.data.len() <= boot {
            self.data.len() / BOOT_SECTOR
        } else {
            3 + (self.data.len() - boot) / self.sector_size
        }
    }

    /// Bytes of sector `number`: the first three hold 128.
    #[must_use]
    pub fn size_of(&self, number: usize) -> usize {
        if number <= 3 {
            BOOT_SECTOR
        } else {
            self.sector_size
        }
    }

    /// The bytes of sector `number` (from 1), or nothing when the disk has no such sector.
    #[must_use]
    pub fn sector(&self, number: usize) -> Option<&[u8]> {
        let (start, size) = self.place(number)?;
        self.data.get(start..start + size)
    }

    /// Writes sector `number`; `data` is cut or zero-filled to the sector's size. `false` when there is no such
    /// sector or the disk is write-protected.
    pub fn write_sector(&mut self, number: usize, data: &[u8]) -> bool {
        if self.write_protected {
            return false;
        }
        let Some((start, size)) = self.place(number) else {
            return false;
        };
        let Some(sector) = self.data.get_mut(start..start + size) else {
            return false;
        };
        for (i, byte) in sector.iter_mut().enumerate() {
            *byte = data.get(i).copied().unwrap_or(0);
        }
        self.changed = true;
        true
    }

    /// Whether writing is refused.
    #[must_use]
    pub fn write_protected(&self) -> bool {
        self.write_protected
    }

    /// Closes or opens the write-protect notch.
    pub fn set_write_protected(&mut self, on: bool) {
        self.write_protected = on;
    }

    /// Whether a sector was written since the image was read or [`Self::saved`].
    #[must_use]
    pub fn changed(&self) -> bool {
        self.changed
    }

    /// Notes that the image's file is up to date.
    pub fn saved(&mut self) {
        self.changed = false;
    }

    fn place(&self, number: usize) -> Option<(usize, usize)> {
        if number == 0 || number > self.sectors() {
            return None;
        }
        Some(if number <= 3 {
            ((number - 1) * BOOT_SECTOR, BOOT_SECTOR)
        } else {
            (
                3 * BOOT_SECTOR + (number - 4) * self.sector_size,
                self.sector_size,
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_disks_have_the_sizes_of_real_ones() {
        for (kind, sectors, file) in [
            (Blank::Single, 720, 92_160),
            (Blank::Enhanced, 1040, 133_120),
            (Blank::Double, 720, 183_936),
        ] {
            let disk = Disk::blank(kind);
            assert_eq!(disk.sectors(), sectors);
            let bytes = disk.to_bytes();
            assert_eq!(bytes.len(), file + 16);
            assert_eq!(Disk::parse(&bytes), Ok(disk));
        }
    }

    #[test]
    fn the_first_three_sectors_hold_128_bytes() {
        let mut disk = Disk::blank(Blank::Double);
        assert!(disk.write_sector(3, &[3; 256]));
        assert!(disk.write_sector(4, &[4; 256]));
        assert_eq!(disk.sector(3), Some(&[3; 128][..]));
        assert_eq!(disk.sector(4), Some(&[4; 256][..]));
        assert_eq!(disk.sector(0), None);
        assert_eq!(disk.sector(721), None);
        assert!(disk.changed());
    }

    #[test]
    fn a_cut_image_is_refused_at_every_length() {
        let bytes = Disk::with_geometry(4, 128).to_bytes();
        for length in 0..bytes.len() {
            assert!(Disk::parse(&bytes[..length]).is_err(), "length {length}");
        }
    }
}
