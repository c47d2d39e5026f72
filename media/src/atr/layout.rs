//! The layout of an image: what its header says, and where the boot sectors lie.
use super::HEADER;
use crate::identity::BLOCK;

/// Bytes of each of the first three sectors, whatever the density.
pub(super) const BOOT_SECTOR: usize = BLOCK;
/// The highest sector number that a command frame can hold.
pub(super) const LAST_SECTOR: usize = 0xFFFF;

/// The layout of the three boot sectors of a double-density disk in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) enum Boot {
    /// 128 bytes each, as on all other disks.
    Compact,
    /// 256 bytes each, of which the first 128 are the sector.
    Padded,
    /// 384 bytes together, and 384 unused ones.
    Packed,
    /// As large as all others: 512 bytes.
    Large,
}

/// The sector size that a header gives, if drives have it.
pub(super) fn sector_size(header: &[u8; HEADER]) -> Option<usize> {
    match u16::from_le_bytes([header[4], header[5]]) {
        size @ (128 | 256 | 512) => Some(usize::from(size)),
        _ => None,
    }
}

/// The sector size of that many bytes of sectors: double density from 180K on.
pub(super) fn size_by_length(length: usize) -> usize {
    if length >= 183_936 && length.is_multiple_of(128) {
        256
    } else {
        128
    }
}

/// Bytes of sectors that a header promises for a file that has `length` of them. The file counts where the header says nothing, or where it
/// is wrong about the boot sectors of double density, which have 128 bytes or 256.
pub(super) fn promised(header: &[u8; HEADER], size: usize, length: usize) -> usize {
    let says = paragraphs(header) * 16;
    let other_boot =
        size == 256 && says.abs_diff(length) == Boot::Padded.size() - Boot::Compact.size();
    if says == 0 || other_boot {
        length
    } else {
        says
    }
}

/// 16-byte paragraphs of sectors by the header.
pub(super) fn paragraphs(header: &[u8; HEADER]) -> usize {
    usize::from(u16::from_le_bytes([header[2], header[3]])) | usize::from(header[6]) << 16
}

/// The sector size that is meant.
pub(super) fn known_size(size: usize) -> usize {
    match size {
        128 | 512 => size,
        _ => 256,
    }
}

impl Boot {
    /// The layout in the files that we make.
    pub(super) fn made(size: usize) -> Self {
        if size == 512 {
            Self::Large
        } else {
            Self::Compact
        }
    }

    /// Number and size of the sectors of an image of `length` bytes.
    pub(super) fn of(size: usize, length: usize, body: &[u8]) -> Self {
        if size == 512 {
            return Self::Large;
        }
        if size != 256 || !length.is_multiple_of(256) {
            return Self::Compact;
        }
        let boot = &body[..body.len().min(length).min(768)];
        let packed = boot.len() == 768
            && boot[384..].iter().all(|&b| b == 0)
            && boot[128..256].iter().any(|&b| b != 0);
        if packed { Self::Packed } else { Self::Padded }
    }

    /// From one of the first three sectors to the next.
    pub(super) fn distance(self) -> usize {
        match self {
            Self::Compact | Self::Packed => BOOT_SECTOR,
            Self::Padded => 256,
            Self::Large => 512,
        }
    }

    /// Bytes of all three.
    pub(super) fn size(self) -> usize {
        match self {
            Self::Compact => 3 * BOOT_SECTOR,
            Self::Padded | Self::Packed => 3 * 256,
            Self::Large => 3 * 512,
        }
    }

    /// Sectors in that many bytes.
    pub(super) fn sectors(self, bytes: usize, size: usize) -> usize {
        let sectors = match bytes.checked_sub(self.size()) {
            None => bytes / (self.size() / 3),
            Some(rest) => 3 + rest / size,
        };
        sectors.min(LAST_SECTOR)
    }

    /// Bytes of that many sectors.
    pub(super) fn length(self, sectors: usize, size: usize) -> usize {
        sectors.min(3) * (self.size() / 3) + sectors.saturating_sub(3) * size
    }
}
