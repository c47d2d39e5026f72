//! Disk images: in the ATR format, and in ATX with what that says beside the sectors.
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::atx::{self, AtxError, Surface};
use crate::identity::{self, BLOCK, Identity};
use crate::pages::Pages;
use layout::{
    BOOT_SECTOR, Boot, LAST_SECTOR, known_size, paragraphs, promised, sector_size, size_by_length,
};

mod layout;

/// The 16-byte header's magic word: the sum of the letters of "NICKATARI".
const MAGIC: u16 = 0x0296;
/// Bytes of the header.
const HEADER: usize = identity::FIRST;
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

/// Bytes, and zeros after them.
fn padded(bytes: &[u8], length: usize) -> Vec<u8> {
    let mut out = bytes.to_vec();
    out.resize(length.max(bytes.len()), 0);
    out
}

#[cfg(test)]
mod tests;
