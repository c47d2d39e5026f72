//! Disk images in the ATX format (VAPI): with the disk, what a copy protection looks at.
//!
//! A file is a header, then a record for each track, made of chunks: the list of the sectors as they pass the head, their bytes, and
//! what the bytes do not say. Sectors may have one number several times, or bytes that differ with each read. The format is described by the
//! Atari 8-bit Software Preservation Initiative; the status bits are those of the drive's controller, a WD 1771 (Altirra Hardware Reference
//! Manual 10).
use alloc::vec::Vec;
use core::ops::Range;

/// A file begins with this.
pub const MAGIC: &[u8; 4] = b"AT8X";
/// The longest file: several times what a disk holds, so that no file takes much memory or time.
const LONGEST: usize = 4 << 20;
/// Tracks of a disk.
const TRACKS: usize = 40;
/// Bytes of a sector.
const SECTOR: usize = 128;
/// Bytes of a file's header, of a record's or chunk's beginning, and of a sector in its list.
const HEADER: usize = 48;
const RECORD: usize = 32;
const CHUNK: usize = 8;
const ENTRY: usize = 8;
/// Kinds of chunks.
const SECTOR_LIST: u8 = 1;
const WEAK: u8 = 0x10;

/// The bits of a sector's status that the controller reports.
pub mod status {
    /// More bytes came than a sector has.
    pub const LOST_DATA: u8 = 0x04;
    /// The checksum of the bytes is wrong.
    pub const CRC: u8 = 0x08;
    /// There is a header, but no sector after it.
    pub const NOT_FOUND: u8 = 0x10;
    /// All that is reported: these, a data request left unanswered, and the mark of a deleted sector.
    pub const REPORTED: u8 = LOST_DATA | CRC | NOT_FOUND | 0x22;
}

/// Reason why bytes are no such image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AtxError {
    /// The file ends within a header, a record or a chunk that is needed.
    #[error("the ATX image is cut off in its track {0}")]
    Truncated(usize),
    /// The header's density byte.
    #[error("ATX images of single and enhanced density are read, not of density {0}")]
    Density(u8),
    /// More than a disk can hold.
    #[error("the ATX image has {0} bytes; at most 4 MB are read")]
    TooLong(usize),
    /// No track has a sector.
    #[error("the ATX image holds no sectors")]
    Empty,
}

/// A sector as it passes the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sector {
    /// The number in its header, from 1.
    pub number: u8,
    /// The controller's status after a read: bits of [`status`].
    pub status: u8,
    /// Its place on the track in units of 8 microseconds from the index hole: 0 to 26,041.
    pub position: u16,
    /// Its bytes in the file; none if the controller does not find them.
    bytes: Option<Range<usize>>,
    /// Bytes from this one on differ with each read.
    pub weak_from: Option<u16>,
}

/// The tracks of a disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surface {
    file: Vec<u8>,
    tracks: Vec<Vec<Sector>>,
    per_track: usize,
}

impl Surface {
    /// Reads a file.
    ///
    /// # Errors
    /// Says in one sentence why the bytes are not an image.
    pub fn parse(bytes: &[u8]) -> Result<Self, AtxError> {
        if bytes.len() > LONGEST {
            return Err(AtxError::TooLong(bytes.len()));
        }
        let header: &[u8; HEADER] = bytes.first_chunk().ok_or(AtxError::Truncated(0))?;
        let per_track = match header[18] {
            0 => 18,
            1 => 26,
            density => return Err(AtxError::Density(density)),
        };
        let mut surface = Self {
            file: bytes.to_vec(),
            tracks: alloc::vec![Vec::new(); TRACKS],
            per_track,
        };
        let mut at = word(bytes, 28).unwrap_or(HEADER).max(HEADER);
        while let Some(record) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let number = record.get(8).copied().map_or(TRACKS, usize::from);
            let cut = AtxError::Truncated(number.min(TRACKS));
            let length = word(record, 0).ok_or(cut)?;
            if length < CHUNK || length > record.len() {
                return Err(cut);
            }
            let is_track = half(record, 4) == Some(0);
            if let (true, Some(track)) = (is_track, surface.tracks.get_mut(number)) {
                *track = sectors(&record[..length], at).ok_or(cut)?;
            }
            at += length;
        }
        if surface.tracks.iter().all(Vec::is_empty) {
            return Err(AtxError::Empty);
        }
        Ok(surface)
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    /// Sectors of a track that a drive numbers: 18 or 26.
    #[must_use]
    pub fn per_track(&self) -> usize {
        self.per_track
    }

    /// Number of sectors of the disk, as a drive numbers them.
    #[must_use]
    pub fn sectors(&self) -> usize {
        TRACKS * self.per_track
    }

    /// All sectors that carry the number of the disk's sector `number`, from 1, on its track.
    pub fn copies(&self, number: usize) -> impl Iterator<Item = &Sector> {
        let index = number.wrapping_sub(1);
        let on_track = (index % self.per_track) as u8 + 1;
        let track = self.tracks.get(index / self.per_track);
        let all = track.into_iter().flatten();
        all.filter(move |sector| sector.number == on_track)
    }

    /// The bytes of a sector, without those that differ with each read.
    #[must_use]
    pub fn bytes(&self, sector: &Sector) -> Option<&[u8; SECTOR]> {
        self.file.get(sector.bytes.clone()?)?.first_chunk()
    }

    /// The bytes of all sectors in their order: of several with one number, the first that is read without an error, or else the first with bytes.
    #[must_use]
    pub fn plain(&self) -> Vec<u8> {
        let mut all = Vec::with_capacity(self.sectors() * SECTOR);
        for number in 1..=self.sectors() {
            let with_bytes = || self.copies(number).filter(|sector| sector.bytes.is_some());
            let good = with_bytes().find(|sector| sector.status & status::REPORTED == 0);
            let chosen = good.or_else(|| with_bytes().next());
            let bytes = chosen.and_then(|sector| self.bytes(sector));
            all.extend_from_slice(bytes.unwrap_or(&[0; SECTOR]));
        }
        all
    }
}

/// The sectors of a track's record, which begins at `base` in the file.
fn sectors(record: &[u8], base: usize) -> Option<Vec<Sector>> {
    let mut found = Vec::new();
    let mut at = word(record, 20)?.max(RECORD);
    while let Some(length) = word(record, at).filter(|&length| length >= CHUNK) {
        let chunk = record.get(at..at.checked_add(length)?)?;
        match chunk[4] {
            SECTOR_LIST => {
                let (entries, _) = chunk[CHUNK..].as_chunks::<ENTRY>();
                found.extend(entries.iter().map(|&entry| sector(entry, record, base)));
            }
            WEAK => {
                let index = usize::from(chunk[5]);
                if let Some(sector) = found.get_mut(index) {
                    sector.weak_from = half(chunk, 6);
                }
            }
            _ => {}
        }
        at += length;
    }
    Some(found)
}

/// A sector of the list.
fn sector(entry: [u8; ENTRY], record: &[u8], base: usize) -> Sector {
    let [number, status, ..] = entry;
    let start = word(&entry, 4).unwrap_or(0);
    let end = start.saturating_add(SECTOR);
    let there = status & status::NOT_FOUND == 0 && start >= RECORD && end <= record.len();
    let lost = if there { 0 } else { status::NOT_FOUND };
    Sector {
        number,
        status: status & status::REPORTED | lost,
        position: half(&entry, 2).unwrap_or(0),
        bytes: there.then(|| base + start..base + end),
        weak_from: None,
    }
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*four) as usize)
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    let two = bytes.get(at..)?.first_chunk()?;
    Some(u16::from_le_bytes(*two))
}
