//! Disk images: in the ATR format, and in ATX with what that says beside the sectors.
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::atx::{self, AtxError, Surface};
use crate::identity::{self, BLOCK, Identity};
use crate::pages::Pages;

/// The 16-byte header's magic word: the sum of the letters of "NICKATARI".
const MAGIC: u16 = 0x0296;
/// Bytes of the header.
const HEADER: usize = identity::FIRST;
/// Bytes of each of the first three sectors, whatever the density.
const BOOT_SECTOR: usize = BLOCK;
/// The highest sector number that a command frame can hold.
const LAST_SECTOR: usize = 0xFFFF;
/// The longest file: 65,535 sectors of 512 bytes, and a megabyte for whatever follows them.
pub const LONGEST: usize = 33 << 20;

/// A floppy disk: numbered sectors from 1.
///
/// The first three sectors hold 128 bytes even on double-density disks, because the OS boots with 128-byte sectors. On a hard disk
/// with sectors of 512 bytes all have that size.
///
/// It is the image file itself, with a view of its sectors: header, padding and whatever follows the sectors come back from
/// [`Self::to_bytes`] as they were. Copies share what neither has written ([`Pages`]).
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Disk {
    header: [u8; HEADER],
    sector_size: usize,
    sectors: usize,
    boot: Boot,
    /// The file after the header: first the boot sectors as `boot` says, then the rest up to the end of a sector. Sectors after that are zero.
    front: Vec<u8>,
    rest: Pages,
    /// Bytes of both that are in the file.
    stored: usize,
    /// Of an ATX image: the file, whose plain sectors are those above. It is never written.
    surface: Option<Arc<Surface>>,
    /// The host allows no writing.
    locked: bool,
    /// Hash of the file, and as it was when the image was read or [`Self::saved`].
    hash: u64,
    saved_hash: u64,
}

/// The layout of the three boot sectors of a double-density disk in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
enum Boot {
    /// 128 bytes each, as on all other disks.
    Compact,
    /// 256 bytes each, of which the first 128 are the sector.
    Padded,
    /// 384 bytes together, and 384 unused ones.
    Packed,
    /// As large as all others: 512 bytes.
    Large,
}

/// A disk in a saved state.
#[derive(serde::Serialize, serde::Deserialize)]
struct Stored {
    file: Pages,
    boot: Boot,
    locked: bool,
}

impl From<Disk> for Stored {
    fn from(disk: Disk) -> Self {
        Self {
            file: Pages::from(&disk.to_bytes()[..]),
            boot: disk.boot,
            locked: disk.locked,
        }
    }
}

impl TryFrom<Stored> for Disk {
    type Error = AtrError;

    fn try_from(stored: Stored) -> Result<Self, AtrError> {
        let mut disk = Self::parse_as(&stored.file.to_vec(), Some(stored.boot))?;
        disk.locked = stored.locked;
        Ok(disk)
    }
}

impl PartialEq for Disk {
    /// True if file and protection are the same; when either was stored does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && self.header == other.header
            && self.boot == other.boot
            && self.locked == other.locked
            && self.front == other.front
            && self.rest == other.rest
            && self.surface == other.surface
    }
}

impl Eq for Disk {}

/// Reason why bytes are not a disk image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AtrError {
    /// The magic number is missing.
    #[error("not an ATR disk image: it does not begin with $96 $02")]
    NotAtr,
    /// The file ends within its header.
    #[error("the ATR image is cut off within its header")]
    Truncated,
    /// More than any drive can read.
    #[error("the ATR image has {0} bytes; the largest disk has 65535 sectors of 512 bytes")]
    TooLong(usize),
    /// A faulty ATX image.
    #[error(transparent)]
    Atx(#[from] AtxError),
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

    /// A zeroed disk of `sectors` sectors (65,535 at most) of `size` bytes (128, 512, or else 256).
    #[must_use]
    pub fn with_geometry(sectors: usize, size: usize) -> Self {
        let size = known_size(size);
        let sectors = sectors.min(LAST_SECTOR);
        Self::from_sectors(
            size,
            &alloc::vec![0; Boot::made(size).length(sectors, size)],
        )
    }

    /// A disk from the bytes of its sectors, the first three of 128 bytes, the others of `size`. Bytes that make no sector are kept.
    #[must_use]
    pub fn from_sectors(size: usize, bytes: &[u8]) -> Self {
        let paragraphs = bytes.len().div_ceil(16);
        let mut file = alloc::vec![0; HEADER];
        file[..2].copy_from_slice(&MAGIC.to_le_bytes());
        file[2..4].copy_from_slice(&(paragraphs as u16).to_le_bytes());
        file[4..6].copy_from_slice(&(size as u16).to_le_bytes());
        file[6] = (paragraphs >> 16) as u8;
        file.extend_from_slice(bytes);
        file.resize(HEADER + paragraphs * 16, 0);
        Self::of_file(&file, size, paragraphs * 16, Boot::made(size))
    }

    /// The ATR file of a disk in a file without a header (XFD); `None` when it has no length that disks have. Without the first
    /// sixteen bytes [`Self::to_bytes`] of it is the file again.
    #[must_use]
    pub fn atr_of_raw(bytes: &[u8]) -> Option<Vec<u8>> {
        let length = bytes.len();
        if length == 0 || length > LONGEST || !length.is_multiple_of(128) {
            return None;
        }
        let size = size_by_length(length) as u16;
        let paragraphs = bytes.len() / 16;
        let mut file = alloc::vec![0; HEADER];
        file[..2].copy_from_slice(&MAGIC.to_le_bytes());
        file[2..4].copy_from_slice(&(paragraphs as u16).to_le_bytes());
        file[4..6].copy_from_slice(&size.to_le_bytes());
        file[6] = (paragraphs >> 16) as u8;
        file.extend_from_slice(bytes);
        Some(file)
    }

    /// The ATR file of a disk image called `name`: the file itself, or with a header before it where it has none. Files that are not disks
    /// stay as they are.
    #[must_use]
    pub fn image<'a>(name: &str, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        let raw = !bytes.starts_with(&MAGIC.to_le_bytes())
            && !bytes.starts_with(atx::MAGIC)
            && crate::recognise(name, bytes) == crate::Kind::Disk;
        let image = raw.then(|| Self::atr_of_raw(bytes)).flatten();
        image.map_or(Cow::Borrowed(bytes), Cow::Owned)
    }

    /// Reads an ATR or ATX file. Where an ATR's header does not fit its length the length counts, and sectors that are promised and not there are zero; see
    /// [`Self::flaw`].
    ///
    /// # Errors
    /// Says in one sentence why the bytes are not an image.
    pub fn parse(bytes: &[u8]) -> Result<Self, AtrError> {
        Self::parse_as(bytes, None)
    }

    fn parse_as(bytes: &[u8], boot: Option<Boot>) -> Result<Self, AtrError> {
        if bytes.starts_with(atx::MAGIC) {
            return Ok(Self::of_surface(Arc::new(Surface::parse(bytes)?)));
        }
        let Some((header, body)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(if bytes.starts_with(&MAGIC.to_le_bytes()) {
                AtrError::Truncated
            } else {
                AtrError::NotAtr
            });
        };
        if u16::from_le_bytes([header[0], header[1]]) != MAGIC {
            return Err(AtrError::NotAtr);
        }
        if bytes.len() > LONGEST {
            return Err(AtrError::TooLong(bytes.len()));
        }
        let size = sector_size(header).unwrap_or_else(|| size_by_length(body.len()));
        let promised = promised(header, size, body.len());
        let found = Boot::of(size, promised, body);
        let boot = match boot {
            Some(Boot::Compact) if found != Boot::Large => Boot::Compact,
            Some(Boot::Packed)
                if size == 256 && found != Boot::Compact && promised >= found.size() =>
            {
                Boot::Packed
            }
            Some(Boot::Padded) if size == 256 && found != Boot::Compact => Boot::Padded,
            _ => found,
        };
        Ok(Self::of_file(bytes, size, promised, boot))
    }

    /// The disk of an ATX image.
    fn of_surface(surface: Arc<Surface>) -> Self {
        let hash = Identity::of(surface.file()).hash;
        let plain = Self::from_sectors(BOOT_SECTOR, &surface.plain());
        Self {
            hash,
            saved_hash: hash,
            surface: Some(surface),
            ..plain
        }
    }

    /// The disk in a whole file whose header promises that many bytes of sectors.
    fn of_file(bytes: &[u8], size: usize, promised: usize, boot: Boot) -> Self {
        let (header, body) = bytes.split_at(HEADER);
        let (front, rest) = body.split_at(boot.size().min(body.len()));
        let hash = Identity::of(bytes).hash;
        let mut fixed = [0; HEADER];
        fixed.copy_from_slice(header);
        let held = boot.sectors(body.len(), size);
        // A header that counts a part of a sector means one that was cut off; otherwise less than a sector does not count.
        let ends_within = boot.length(boot.sectors(promised, size), size) < promised;
        let partial = boot.length(held, size) < body.len() && body.len() < promised + 16;
        let held = (held + usize::from(ends_within && partial)).min(LAST_SECTOR);
        let mut pages = Pages::from(rest);
        pages.grow(rest.len().next_multiple_of(size));
        Self {
            header: fixed,
            sector_size: size,
            sectors: boot.sectors(promised, size).max(held),
            boot,
            front: padded(front, boot.size()),
            rest: pages,
            stored: body.len(),
            locked: false,
            hash,
            saved_hash: hash,
            surface: None,
        }
    }

    /// The difference between the file and its header, in one sentence.
    #[must_use]
    pub fn flaw(&self) -> Option<String> {
        let (header, size) = (&self.header, self.sector_size);
        let promised = promised(header, size, self.stored);
        let says = paragraphs(header) * 16;
        let stored = self.stored;
        if self.length() > stored {
            return Some(format!(
                "its header says {says} bytes of sectors, the file holds {stored}: the missing sectors are zero"
            ));
        }
        if promised != says || self.boot.sectors(promised, size) < self.sectors {
            return Some(format!(
                "its header says {says} bytes of sectors, the file holds {stored}: all are used"
            ));
        }
        let given = u16::from_le_bytes([header[4], header[5]]);
        let odd = sector_size(header).is_none();
        odd.then(|| {
            format!("its header gives a sector size of {given} bytes; by its length it is {size}")
        })
    }

    /// Bytes of all sectors in a file that has them.
    fn length(&self) -> usize {
        self.boot.length(self.sectors, self.sector_size)
    }

    /// The file after the header.
    fn body(&self) -> Vec<u8> {
        self.to_bytes().split_off(HEADER)
    }

    /// Makes a file that ends before its last sector as long as its sectors are.
    fn complete(&mut self) {
        self.stored = self.length();
        self.rest.grow(self.stored.saturating_sub(self.front.len()));
        // The boot sectors are whole blocks, and so are pages.
        let front = &self.front[..self.front.len().min(self.stored)];
        let rest = self.rest.chunks().flat_map(|page| page.chunks(BLOCK));
        let blocks = front.chunks(BLOCK).chain(rest).enumerate();
        self.hash = blocks.fold(identity::block(0, &self.header), |hash, (i, block)| {
            hash.wrapping_add(identity::block(1 + i, block))
        });
    }

    /// The tracks of an ATX image; nothing of other disks.
    #[must_use]
    pub fn surface(&self) -> Option<&Surface> {
        self.surface.as_deref()
    }

    /// The image as a file: the one that was read, with the sectors that were written since. One that is shorter than its header says
    /// stays so until a program writes to a sector that is not there; then it gets all of them.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        if let Some(surface) = &self.surface {
            return surface.file().to_vec();
        }
        let mut out = Vec::with_capacity(HEADER + self.front.len() + self.rest.len());
        out.extend_from_slice(&self.header);
        out.extend_from_slice(&self.front);
        for chunk in self.rest.chunks() {
            out.extend_from_slice(chunk);
        }
        out.truncate(HEADER + self.stored);
        out
    }

    /// Length and hash of [`Self::to_bytes`], known without making them: they tell whether this is still the disk that is in a
    /// file, or that a copy of the machine has.
    #[must_use]
    pub fn identity(&self) -> Identity {
        let surface = self.surface.as_ref();
        Identity {
            length: surface.map_or(HEADER + self.stored, |surface| surface.file().len()) as u64,
            hash: self.hash,
        }
    }

    /// Bytes of an ordinary sector: 128, 256 or 512.
    #[must_use]
    pub fn sector_size(&self) -> usize {
        self.sector_size
    }

    /// Number of sectors.
    #[must_use]
    pub fn sectors(&self) -> usize {
        self.sectors
    }

    /// Bytes of sector `number`: the first three hold 128, but on a disk with sectors of 512.
    #[must_use]
    pub fn size_of(&self, number: usize) -> usize {
        if number <= 3 && self.boot != Boot::Large {
            BOOT_SECTOR
        } else {
            self.sector_size
        }
    }

    /// The bytes of sector `number` (from 1), or nothing when the disk has no such sector.
    #[must_use]
    pub fn sector(&self, number: usize) -> Option<&[u8]> {
        let place = self.place(number)?;
        let size = self.size_of(number);
        match place.checked_sub(self.front.len()) {
            None => self.front.get(place..place + size),
            Some(place) if place >= self.rest.len() => Some(&NOTHING[..size]),
            Some(place) => self.rest.get(place, size),
        }
    }

    /// Writes sector `number`; `data` is cut or zero-filled to the sector's size. `false` when there is no such
    /// sector or the disk is write-protected.
    pub fn write_sector(&mut self, number: usize, data: &[u8]) -> bool {
        if self.write_protected() {
            return false;
        }
        self.put(number, data)
    }

    fn put(&mut self, number: usize, data: &[u8]) -> bool {
        let (Some(place), Some(old)) = (self.place(number), self.sector(number)) else {
            return false;
        };
        let size = old.len();
        let mut new = [0; 512];
        let new = &mut new[..size];
        let length = data.len().min(size);
        new[..length].copy_from_slice(&data[..length]);
        if old == new {
            return true;
        }
        if place + size > self.stored {
            self.complete();
            return self.put(number, data);
        }
        let blocks = old.chunks(BLOCK).zip(new.chunks(BLOCK)).enumerate();
        self.hash = blocks.fold(self.hash, |hash, (i, (old, new))| {
            let index = 1 + place / BLOCK + i;
            hash.wrapping_sub(identity::block(index, old))
                .wrapping_add(identity::block(index, new))
        });
        match place.checked_sub(self.front.len()) {
            None => self.front[place..place + size].copy_from_slice(new),
            Some(place) => self.rest.write(place, new),
        }
        if number <= 3 && matches!(self.boot, Boot::Padded | Boot::Packed) {
            self.keep_readable();
        }
        true
    }

    /// The unused bytes of the boot sectors tell [`Boot::Padded`] from [`Boot::Packed`]. Should the sectors written make the
    /// file look like the other kind, the unused bytes go: that file can be read in one way only.
    fn keep_readable(&mut self) {
        let old = self.length();
        if old < self.boot.size() || Boot::of(256, old, &self.front) == self.boot {
            return;
        }
        let mut body = Vec::new();
        for number in 1..=3 {
            body.extend_from_slice(self.sector(number).unwrap_or(&[0; BOOT_SECTOR]));
        }
        body.extend_from_slice(self.body().get(self.front.len()..).unwrap_or(&[]));
        self.replace(256, old - self.boot.size() + Boot::Compact.size(), &body);
    }

    /// Another body, of which `wanted` bytes are sectors.
    fn replace(&mut self, size: usize, wanted: usize, body: &[u8]) {
        let mut file = self.header.to_vec();
        let paragraphs = wanted / 16;
        file[2..4].copy_from_slice(&(paragraphs as u16).to_le_bytes());
        file[4..6].copy_from_slice(&(size as u16).to_le_bytes());
        file[6] = (paragraphs >> 16) as u8;
        file.extend_from_slice(body);
        *self = Self {
            locked: self.locked,
            saved_hash: self.saved_hash,
            ..Self::of_file(&file, size, wanted, Boot::made(size))
        };
    }

    /// Formats the disk: `sectors` zeroed sectors (65,535 at most) of `size` bytes (128, 512, or else 256). The rest of the header and what follows the
    /// sectors in the file stay. `false` when the disk is write-protected.
    pub fn format(&mut self, sectors: usize, size: usize) -> bool {
        if self.write_protected() {
            return false;
        }
        if (self.sectors, self.sector_size) == (sectors, size) {
            for number in 1..=sectors {
                self.put(number, &[]);
            }
            return true;
        }
        let size = known_size(size);
        let wanted = Boot::made(size).length(sectors.min(LAST_SECTOR), size);
        let old = self.body();
        let sectors = self.length().max(paragraphs(&self.header) * 16);
        let trailer = old.get(sectors..).unwrap_or(&[]);
        let mut body = alloc::vec![0; wanted];
        body.extend_from_slice(trailer);
        self.replace(size, wanted, &body);
        true
    }

    /// True if writing is refused: by the image or by the host.
    #[must_use]
    pub fn write_protected(&self) -> bool {
        self.locked || self.header[15] & 1 != 0 || self.surface.is_some()
    }

    /// The host's own write protection, beside the image's: no part of the file. A drive refuses to write to the disk and says so in its status.
    pub fn set_write_protected(&mut self, on: bool) {
        self.locked = on;
    }

    /// True if the file would be another one than when the image was read or [`Self::saved`]. A copy remembers its own moment: a
    /// host that goes back in time compares [`Self::identity`] with that of its file.
    #[must_use]
    pub fn changed(&self) -> bool {
        self.hash != self.saved_hash
    }

    /// Notes that the image's file is up to date.
    pub fn saved(&mut self) {
        self.saved_hash = self.hash;
    }

    /// Number of pages of the image that both disks have in the same memory.
    #[must_use]
    pub fn shared_pages(&self, other: &Self) -> usize {
        self.rest.shared_with(&other.rest)
    }

    /// Bytes of memory that this disk needs beside those of another one.
    #[must_use]
    pub fn memory_beside(&self, other: Option<&Self>) -> usize {
        let mine = self.surface.as_ref();
        let shared = other.and_then(|other| other.surface.as_ref());
        let file = match (mine, shared) {
            (Some(mine), Some(other)) if Arc::ptr_eq(mine, other) => 0,
            _ => mine.map_or(0, |surface| surface.file().len()),
        };
        file + self.front.len() + self.rest.memory_beside(other.map(|other| &other.rest))
    }

    /// The place of sector `number` in the file after the header.
    fn place(&self, number: usize) -> Option<usize> {
        match number {
            1..=3 if number <= self.sectors => Some((number - 1) * self.boot.distance()),
            4.. if number <= self.sectors => {
                Some(self.boot.size() + (number - 4) * self.sector_size)
            }
            _ => None,
        }
    }
}

/// A sector that is not in the file.
static NOTHING: [u8; 512] = [0; 512];

/// Lengths of the sectors of a whole floppy disk: single, enhanced and double density, the last with boot sectors of 128 and of 256 bytes.
pub(crate) const FLOPPIES: [usize; 4] = [92_160, 133_120, 183_936, 184_320];

/// The sector size that a header gives, if drives have it.
fn sector_size(header: &[u8; HEADER]) -> Option<usize> {
    match u16::from_le_bytes([header[4], header[5]]) {
        size @ (128 | 256 | 512) => Some(usize::from(size)),
        _ => None,
    }
}

/// The sector size of that many bytes of sectors: double density from 180K on.
fn size_by_length(length: usize) -> usize {
    if length >= 183_936 && length.is_multiple_of(128) {
        256
    } else {
        128
    }
}

/// Bytes of sectors that a header promises for a file that has `length` of them. The file counts where the header says nothing, or where it
/// is wrong about the boot sectors of double density, which have 128 bytes or 256.
fn promised(header: &[u8; HEADER], size: usize, length: usize) -> usize {
    let says = paragraphs(header) * 16;
    let other_boot =
        size == 256 && says.abs_diff(length) == Boot::Padded.size() - Boot::Compact.size();
    if says == 0 || other_boot {
        length
    } else {
        says
    }
}

/// Bytes, and zeros after them.
fn padded(bytes: &[u8], length: usize) -> Vec<u8> {
    let mut out = bytes.to_vec();
    out.resize(length.max(bytes.len()), 0);
    out
}

/// 16-byte paragraphs of sectors by the header.
fn paragraphs(header: &[u8; HEADER]) -> usize {
    usize::from(u16::from_le_bytes([header[2], header[3]])) | usize::from(header[6]) << 16
}

/// The sector size that is meant.
fn known_size(size: usize) -> usize {
    match size {
        128 | 512 => size,
        _ => 256,
    }
}

impl Boot {
    /// The layout in the files that we make.
    fn made(size: usize) -> Self {
        if size == 512 {
            Self::Large
        } else {
            Self::Compact
        }
    }

    /// Number and size of the sectors of an image of `length` bytes.
    fn of(size: usize, length: usize, body: &[u8]) -> Self {
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
    fn distance(self) -> usize {
        match self {
            Self::Compact | Self::Packed => BOOT_SECTOR,
            Self::Padded => 256,
            Self::Large => 512,
        }
    }

    /// Bytes of all three.
    fn size(self) -> usize {
        match self {
            Self::Compact => 3 * BOOT_SECTOR,
            Self::Padded | Self::Packed => 3 * 256,
            Self::Large => 3 * 512,
        }
    }

    /// Sectors in that many bytes.
    fn sectors(self, bytes: usize, size: usize) -> usize {
        let sectors = match bytes.checked_sub(self.size()) {
            None => bytes / (self.size() / 3),
            Some(rest) => 3 + rest / size,
        };
        sectors.min(LAST_SECTOR)
    }

    /// Bytes of that many sectors.
    fn length(self, sectors: usize, size: usize) -> usize {
        sectors.min(3) * (self.size() / 3) + sectors.saturating_sub(3) * size
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

    /// A double-density image of 5 sectors with padded boot sectors, header bytes 7 to 14 and a trailer.
    fn odd_image(padding: u8) -> Vec<u8> {
        let mut file = alloc::vec![0x96, 0x02, 80, 0, 0, 1, 0];
        file.extend(8..=15);
        file.push(0);
        for sector in 1..=3 {
            file.extend([sector; 128]);
            file.extend([padding; 128]);
        }
        file.extend([4; 256]);
        file.extend([5; 256]);
        file.extend(b"whatever a tool put here");
        file
    }

    #[test]
    fn nothing_of_the_file_is_lost_but_the_sectors_written() {
        let file = odd_image(0xEE);
        let mut disk = Disk::parse(&file).unwrap();
        assert_eq!((disk.sectors(), disk.sector_size()), (5, 256));
        assert_eq!(disk.to_bytes(), file);
        assert!(disk.write_sector(2, &[0xA2; 128]) && disk.write_sector(5, &[0xA5; 256]));
        let mut wanted = file;
        wanted[16 + 256..16 + 384].fill(0xA2);
        wanted[16 + 1024..16 + 1280].fill(0xA5);
        assert_eq!(disk.to_bytes(), wanted);
        assert!(disk.changed() && disk.identity() == Identity::of(&wanted));
    }

    #[test]
    fn a_format_keeps_what_does_not_belong_to_the_sectors() {
        let file = odd_image(0);
        let mut disk = Disk::parse(&file).unwrap();
        assert!(disk.format(5, 256), "the geometry that it has");
        assert_eq!(disk.to_bytes()[16 + 1280..], file[16 + 1280..]);
        assert!(disk.to_bytes()[16..16 + 1280].iter().all(|&b| b == 0));
        assert!(disk.format(720, 128));
        let formatted = disk.to_bytes();
        assert_eq!(formatted[7..15], file[7..15]);
        assert_eq!(formatted[16 + 92_160..], file[16 + 1280..]);
        assert_eq!(Disk::parse(&formatted).unwrap().sectors(), 720);
        disk.set_write_protected(true);
        assert!(!disk.format(720, 128));
    }

    #[test]
    fn boot_sectors_that_would_be_read_in_another_way_lose_their_padding() {
        // Padding only in sector 1: with sectors 2 and 3 zeroed this looks like 384 bytes and 384 unused ones.
        let mut file = odd_image(0);
        file[16 + 128..16 + 256].fill(7);
        let mut disk = Disk::parse(&file).unwrap();
        for sector in 2..=3 {
            assert!(disk.write_sector(sector, &[]));
        }
        let again = Disk::parse(&disk.to_bytes()).unwrap();
        assert_eq!(again.sectors(), 5);
        for sector in 1..=5 {
            assert_eq!(again.sector(sector), disk.sector(sector), "{sector}");
        }
        assert!(disk.to_bytes().ends_with(b"whatever a tool put here"));
        assert_eq!(disk.identity(), Identity::of(&disk.to_bytes()));
    }

    #[test]
    fn protection_by_the_host_is_no_part_of_the_file() {
        let mut disk = Disk::blank(Blank::Single);
        let file = disk.to_bytes();
        disk.set_write_protected(true);
        assert!(disk.write_protected() && !disk.write_sector(4, &[1]));
        assert_eq!(disk.to_bytes(), file);
        let mut flagged = file;
        flagged[15] = 1;
        let mut disk = Disk::parse(&flagged).unwrap();
        disk.set_write_protected(false);
        assert!(disk.write_protected(), "the image's own flag stays");
    }

    #[test]
    fn a_copy_of_the_largest_disk_shares_all_pages_but_those_written() {
        let mut disk = Disk::with_geometry(65_535, 256);
        for number in 4..=65_535 {
            assert!(disk.write_sector(number, &(number as u32).to_le_bytes()));
        }
        let mut copy = disk.clone();
        assert_eq!(copy.shared_pages(&disk), 4_096);
        assert!(copy.write_sector(40_000, b"one page"));
        assert_eq!(copy.shared_pages(&disk), 4_095);
        assert_eq!(disk.sector(40_000).unwrap()[..2], 40_000u16.to_le_bytes());
    }

    #[test]
    fn sectors_of_512_bytes_are_all_alike() {
        let mut disk = Disk::with_geometry(100, 512);
        assert_eq!((disk.sectors(), disk.sector_size()), (100, 512));
        for number in 1..=100 {
            assert_eq!(disk.size_of(number), 512);
            assert!(disk.write_sector(number, &[number as u8; 512]));
        }
        let bytes = disk.to_bytes();
        assert_eq!(bytes.len(), 16 + 100 * 512);
        let again = Disk::parse(&bytes).unwrap();
        assert_eq!(again.sector(1), Some(&[1; 512][..]));
        assert_eq!(again.sector(100), Some(&[100; 512][..]));
        assert_eq!(again.identity(), Identity::of(&bytes));
        assert!(disk.format(50, 512) && disk.sectors() == 50);
    }

    #[test]
    fn a_disk_without_a_header_is_known_by_its_length() {
        for (length, sectors, size) in [
            (92_160, 720, 128),
            (133_120, 1040, 128),
            (183_936, 720, 256),
            (184_320, 720, 256),
            (368_256, 1440, 256),
            (368_640, 1440, 256),
        ] {
            let raw: Vec<u8> = (0..length).map(|i| (i / 128) as u8).collect();
            let mut disk = Disk::parse(&Disk::atr_of_raw(&raw).unwrap()).unwrap();
            assert_eq!((disk.sectors(), disk.sector_size()), (sectors, size));
            assert!(disk.to_bytes()[16..] == raw);
            assert!(disk.write_sector(700, &[0xAA; 256]));
            assert_eq!(disk.to_bytes().len(), 16 + length);
        }
        assert_eq!(Disk::atr_of_raw(&[0; 1000]), None);
    }

    #[test]
    fn an_image_beyond_every_drive_is_refused() {
        let mut file = Disk::blank(Blank::Single).to_bytes();
        file.resize(LONGEST + 1, 0);
        assert_eq!(Disk::parse(&file), Err(AtrError::TooLong(LONGEST + 1)));
    }

    /// A header, and that many bytes that are not zero.
    fn image(says: usize, size: u16, length: usize) -> Vec<u8> {
        let mut file = Disk::with_geometry(1, 128).to_bytes();
        file.truncate(HEADER);
        file[2..4].copy_from_slice(&((says / 16) as u16).to_le_bytes());
        file[4..6].copy_from_slice(&size.to_le_bytes());
        file[6] = (says >> 20) as u8;
        file.extend((0..length).map(|i| (i / 128) as u8 | 0x80));
        file
    }

    #[test]
    fn mkatr_the_length_counts_where_the_header_says_something_else() {
        // What the header says, its sector size, the length; sectors, their size, and where sector 4 lies.
        for (says, size, length, sectors, real, fourth) in [
            (92_160, 128, 133_120, 1040, 128, 384),
            (92_160, 128, 92_160 + 300, 722, 128, 384),
            (92_160, 128, 92_160 + 100, 720, 128, 384),
            (133_120, 128, 92_160, 1040, 128, 384),
            (0, 128, 92_160, 720, 128, 384),
            (0, 256, 184_320, 720, 256, 768),
            (0, 256, 183_936, 720, 256, 384),
            (184_320, 256, 183_936, 720, 256, 384),
            (183_936, 256, 184_320, 720, 256, 768),
            (183_936, 256, 100_096, 720, 256, 384),
            (184_320, 256, 100_000, 720, 256, 768),
            (92_160, 0, 92_160, 720, 128, 384),
            (183_936, 3, 183_936, 720, 256, 384),
            (992, 128, 1000, 8, 128, 384),
            (0, 128, 1000, 8, 128, 384),
            (92_160, 128, 0, 720, 128, 384),
        ] {
            let case = format!("{says} {size} {length}");
            let file = image(says, size, length);
            let disk = Disk::parse(&file).unwrap();
            assert_eq!(
                (disk.sectors(), disk.sector_size()),
                (sectors, real),
                "{case}"
            );
            let wanted = file.get(HEADER + fourth).copied().unwrap_or(0);
            assert_eq!(disk.sector(4).unwrap()[0], wanted, "{case}");
            assert!(disk.sector(sectors).is_some() && disk.sector(sectors + 1).is_none());
            assert!(disk.to_bytes() == file, "{case}");
            let tail = length == 92_160 + 100;
            assert_eq!(disk.flaw().is_none(), tail, "{case}: {:?}", disk.flaw());
        }
        assert_eq!(Disk::blank(Blank::Double).flaw(), None);
        assert_eq!(Disk::parse(&odd_image(1)).unwrap().flaw(), None);
    }

    #[test]
    fn missing_sectors_are_zero_and_come_into_the_file_with_the_first_that_is_written() {
        for length in [0, 1, 127, 128, 383, 384, 5000, 92_159] {
            let file = image(92_160, 128, length);
            let mut disk = Disk::parse(&file).unwrap();
            let held = length / 128;
            let mut partial = file[HEADER + held * 128..].to_vec();
            partial.resize(128, 0);
            assert_eq!(disk.sector(held + 1), Some(&partial[..]), "{length}");
            // Zeros are there already, and a sector that is there makes nothing longer.
            assert!(held >= 719 || disk.write_sector(720, &[]));
            assert!(held == 0 || disk.write_sector(1, &[1; 128]));
            assert_eq!(disk.to_bytes().len(), file.len());
            assert!(disk.write_sector(720, &[7; 128]));
            let whole = disk.to_bytes();
            assert_eq!(whole.len(), HEADER + 92_160);
            assert_eq!(disk.identity(), Identity::of(&whole));
            assert_eq!(disk.flaw(), None);
            let again = Disk::parse(&whole).unwrap();
            for sector in 1..=720 {
                assert_eq!(
                    again.sector(sector),
                    disk.sector(sector),
                    "{length} {sector}"
                );
            }
            assert_eq!(again.sector(720), Some(&[7; 128][..]));
        }
    }

    #[test]
    fn a_small_file_that_promises_much_takes_little_memory() {
        let mut disk = Disk::parse(&image(0xFFFF_0000, 256, 1000)).unwrap();
        assert_eq!(disk.sectors(), 65_535);
        assert!(disk.memory_beside(None) < 10_000);
        assert!(disk.write_sector(65_535, &[1; 256]));
        assert!(disk.memory_beside(None) < 100_000);
        assert_eq!(disk.identity(), Identity::of(&disk.to_bytes()));
    }

    #[test]
    fn of_a_cut_image_only_the_header_is_needed() {
        let bytes = Disk::with_geometry(4, 128).to_bytes();
        for length in 0..bytes.len() {
            let disk = Disk::parse(&bytes[..length]);
            assert_eq!(disk.is_ok(), length >= HEADER, "length {length}");
            if let Ok(disk) = disk {
                assert_eq!(disk.sectors(), 4);
                assert!(disk.flaw().unwrap().contains("are zero"));
            }
        }
    }
}
