//! The file system of DOS 2.0S, 2.0D and 2.5, on the sectors of a [`Disk`].
//!
//! Sectors 1 to 3 boot; 360 is the volume table of contents (VTOC), 361 to 368 the directory of 64 entries of 16 bytes, eight in the first
//! 128 bytes of each sector. A file is a chain: the last three bytes of a sector hold the file's number in the directory (6 bits), the next
//! sector (10 bits, 0 at the end) and the number of data bytes. Enhanced density adds sectors 721 to 1023, whose map is in sector 1024 (DOS 2
//! Reference Manual, appendix; DOS 2.5 Owner's Manual; K. Siders, "Atari 8-bit Disk Formats").

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::atr::{Blank, Disk};

mod check;
mod name;
#[cfg(test)]
mod tests;

pub use check::Report;
pub use name::{Name, Pattern};

/// The volume table of contents.
const VTOC: usize = 360;
/// The map of the sectors above 719, in enhanced density.
const VTOC2: usize = 1024;
/// The eight sectors of the directory.
const DIRECTORY: core::ops::RangeInclusive<usize> = 361..=368;
/// Files that a directory holds.
const ENTRIES: usize = 64;
/// Sectors that a link can name: 10 bits.
const LINKABLE: usize = 1024;
/// Bytes of the two maps together, a bit for each of [`LINKABLE`] sectors, 1 = free.
const MAP: usize = LINKABLE / 8;
/// Bytes of the map in the VTOC: sectors 0 to 719.
const MAP_MAIN: usize = 90;
/// The first sector of the second map.
const UPPER: usize = MAP_MAIN * 8;

/// Flag of an entry: open for output.
const OPEN: u8 = 0x01;
/// Flag: made by DOS 2.
const DOS2: u8 = 0x02;
/// Flag of MyDOS: a directory.
const FOLDER: u8 = 0x10;
/// Flag: locked.
const LOCKED: u8 = 0x20;
/// Flag: in use.
const IN_USE: u8 = 0x40;
/// Flag: deleted.
const DELETED: u8 = 0x80;
/// Offset of the flag byte in the boot record that says whether, and how, DOS.SYS is loaded: 0, 1 (128 bytes), 2 (256 bytes).
const BOOT_FLAG: usize = 14;
/// Bytes of the three boot sectors.
const BOOT_BYTES: usize = 384;
/// The name of the file that the boot sectors load.
pub(crate) const DOS_SYS: &str = "DOS.SYS";

/// Reason why a file system refuses a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Dos2Error {
    /// No DOS 2 file system.
    #[error("this is not a disk of DOS 2.0 or 2.5: {0}")]
    NotDos2(String),
    /// The name cannot be a file's.
    #[error(
        "{0:.40} is not a file name of DOS 2: up to eight letters and digits, a point and three more"
    )]
    BadName(String),
    /// No file has that name.
    #[error("there is no file {0} on the disk")]
    NotFound(String),
    /// The file is locked.
    #[error("{0} is locked")]
    Locked(Name),
    /// Another file has the new name.
    #[error("a file {0} exists already")]
    Exists(Name),
    /// Not enough free sectors.
    #[error("the disk is full: {name} needs {needed} sectors and {free} are free")]
    Full {
        /// The file.
        name: Name,
        /// Sectors that it needs.
        needed: usize,
        /// Free sectors, those of the file that it replaces included.
        free: usize,
    },
    /// All 64 entries are used.
    #[error("the directory is full: a disk holds 64 files")]
    DirectoryFull,
    /// The image or the host protects the disk.
    #[error("the disk is write-protected")]
    WriteProtected,
    /// The chain of a file leads nowhere.
    #[error("{name} is damaged: {fault}")]
    Damaged {
        /// The file.
        name: Name,
        /// The fault of its chain.
        fault: String,
    },
    /// A directory of MyDOS.
    #[error("{0} is a folder of MyDOS, not a file")]
    Folder(Name),
}

/// One file in the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Place in the directory, 0 to 63; the sectors of the file carry it.
    pub number: u8,
    /// Its name.
    pub name: Name,
    /// Number of sectors by the directory.
    pub sectors: u16,
    /// First sector.
    pub start: u16,
    flags: u8,
}

impl Entry {
    /// True if the file may be neither written nor deleted.
    #[must_use]
    pub fn locked(&self) -> bool {
        self.flags & LOCKED != 0
    }

    /// True if the file was being written and was never closed. A DOS does not show it.
    #[must_use]
    pub fn open(&self) -> bool {
        self.flags & IN_USE != 0 && self.flags & OPEN != 0
    }

    /// True if it uses sectors above 719, which DOS 2.0 cannot reach.
    #[must_use]
    pub fn extended(&self) -> bool {
        self.flags & IN_USE == 0
    }

    /// True for a directory of MyDOS.
    #[must_use]
    pub fn folder(&self) -> bool {
        self.flags & FOLDER != 0
    }
}

/// A disk with a DOS 2 file system.
#[derive(Clone, Debug)]
pub struct Dos2 {
    disk: Disk,
}

impl Dos2 {
    /// An empty formatted disk, without boot sectors.
    #[must_use]
    pub fn format(kind: Blank) -> Self {
        let mut dos = Self {
            disk: Disk::blank(kind),
        };
        let mut map = [0xFF; MAP];
        for sector in (0..=3).chain([VTOC]).chain(DIRECTORY).chain([UPPER]) {
            map[sector / 8] &= !(0x80 >> (sector % 8));
        }
        let mut vtoc = vec![0; dos.disk.sector_size()];
        let usable = 707 + if dos.extended() { 303 } else { 0 };
        vtoc[0] = 2;
        vtoc[1..3].copy_from_slice(&u16::to_le_bytes(usable));
        dos.disk.write_sector(VTOC, &vtoc);
        dos.set_map(&map);
        dos
    }

    /// The file system on a disk.
    ///
    /// # Errors
    /// [`Dos2Error::NotDos2`] with the reason.
    pub fn new(disk: Disk) -> Result<Self, Dos2Error> {
        let not = |why: &str| Dos2Error::NotDos2(why.to_owned());
        if !matches!(disk.sector_size(), 128 | 256) {
            return Err(not("its sectors have 512 bytes"));
        }
        if disk.sectors() < UPPER {
            return Err(not("it has fewer than 720 sectors"));
        }
        let dos = Self { disk };
        let vtoc = dos.sector(VTOC);
        match vtoc[0] {
            2 => {}
            0 => return Err(not("it has no table of contents in sector 360")),
            1 => return Err(not("it is one of DOS 1")),
            _ => return Err(not("its table of contents is in the form of another DOS")),
        }
        let usable = u16::from_le_bytes([vtoc[1], vtoc[2]]);
        if dos.disk.sectors() > UPPER && usable > 720 && !dos.extended() {
            return Err(not("it is larger than DOS 2 can use"));
        }
        for entry in dos.all() {
            let start = usize::from(entry.start);
            if !entry.open() && !(1..LINKABLE.min(dos.disk.sectors() + 1)).contains(&start) {
                return Err(not("its directory holds something else than files"));
            }
        }
        Ok(dos)
    }

    /// The disk.
    #[must_use]
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// The disk.
    #[must_use]
    pub fn into_disk(self) -> Disk {
        self.disk
    }

    /// True in enhanced density: 1,040 sectors of 128 bytes, with a second map.
    fn extended(&self) -> bool {
        self.disk.sector_size() == 128 && self.disk.sectors() == 1040
    }

    /// Number of data bytes of a sector.
    fn capacity(&self) -> usize {
        self.disk.sector_size() - 3
    }

    fn sector(&self, number: usize) -> &[u8] {
        self.disk.sector(number).unwrap_or(&[0; 128])
    }

    fn write_sector(&mut self, number: usize, data: &[u8]) -> Result<(), Dos2Error> {
        if self.disk.write_sector(number, data) {
            Ok(())
        } else {
            Err(Dos2Error::WriteProtected)
        }
    }

    // ---- maps of free sectors

    /// Both maps as one: bit 7 of the first byte is sector 0.
    fn map(&self) -> [u8; MAP] {
        let mut map = [0; MAP];
        map[..MAP_MAIN].copy_from_slice(&self.sector(VTOC)[10..100]);
        if self.extended() {
            map[MAP_MAIN..].copy_from_slice(&self.sector(VTOC2)[84..122]);
        }
        map
    }

    fn set_map(&mut self, map: &[u8; MAP]) {
        let count = |map: &[u8]| map.iter().map(|byte| byte.count_ones() as u16).sum::<u16>();
        let mut vtoc = self.sector(VTOC).to_vec();
        vtoc[3..5].copy_from_slice(&count(&map[..MAP_MAIN]).to_le_bytes());
        vtoc[10..100].copy_from_slice(&map[..MAP_MAIN]);
        self.disk.write_sector(VTOC, &vtoc);
        if self.extended() {
            let mut second = self.sector(VTOC2).to_vec();
            // The first map from its seventh byte on, again; then its own part.
            second[..MAP - 6].copy_from_slice(&map[6..]);
            second[122..124].copy_from_slice(&count(&map[MAP_MAIN..]).to_le_bytes());
            self.disk.write_sector(VTOC2, &second);
        }
    }

    /// Number of free sectors by the maps.
    #[must_use]
    pub fn free(&self) -> usize {
        self.map()
            .iter()
            .map(|byte| byte.count_ones() as usize)
            .sum()
    }

    /// Number of free sectors as the two tables count them.
    fn counted(&self) -> usize {
        let count = |sector: &[u8], at: usize| {
            usize::from(u16::from_le_bytes([sector[at], sector[at + 1]]))
        };
        let upper = if self.extended() {
            count(self.sector(VTOC2), 122)
        } else {
            0
        };
        count(self.sector(VTOC), 3) + upper
    }

    // ---- directory

    fn raw_entry(&self, number: usize) -> &[u8] {
        &self.sector(DIRECTORY.start() + number / 8)[number % 8 * 16..][..16]
    }

    /// All entries in use, with those that were left open.
    fn all(&self) -> Vec<Entry> {
        let mut list = Vec::new();
        for number in 0..ENTRIES {
            let raw = self.raw_entry(number);
            if raw[0] == 0 {
                break;
            }
            let extended = raw[0] & (DELETED | IN_USE | OPEN | DOS2) == OPEN | DOS2;
            if raw[0] & DELETED == 0 && (raw[0] & IN_USE != 0 || extended) {
                let mut name = [0; 11];
                name.copy_from_slice(&raw[5..16]);
                list.push(Entry {
                    number: number as u8,
                    name: Name::from_bytes(name),
                    sectors: u16::from_le_bytes([raw[1], raw[2]]),
                    start: u16::from_le_bytes([raw[3], raw[4]]),
                    flags: raw[0],
                });
            }
        }
        list
    }

    /// The files, in the order of the directory.
    #[must_use]
    pub fn files(&self) -> Vec<Entry> {
        let mut list = self.all();
        list.retain(|entry| !entry.open());
        list
    }

    /// The file of this name.
    #[must_use]
    pub fn find(&self, name: Name) -> Option<Entry> {
        self.files().into_iter().find(|entry| entry.name == name)
    }

    fn existing(&self, name: Name) -> Result<Entry, Dos2Error> {
        self.find(name)
            .ok_or_else(|| Dos2Error::NotFound(name.to_string()))
    }

    fn set_entry(&mut self, entry: Entry) -> Result<(), Dos2Error> {
        let number = usize::from(entry.number);
        let place = DIRECTORY.start() + number / 8;
        let mut sector = self.sector(place).to_vec();
        let raw = &mut sector[number % 8 * 16..][..16];
        raw[0] = entry.flags;
        raw[1..3].copy_from_slice(&entry.sectors.to_le_bytes());
        raw[3..5].copy_from_slice(&entry.start.to_le_bytes());
        raw[5..].copy_from_slice(entry.name.as_bytes());
        self.write_sector(place, &sector)
    }

    /// The first entry that holds no file.
    fn unused(&self) -> Option<u8> {
        let unused = |&number: &usize| {
            let flags = self.raw_entry(number)[0];
            flags == 0 || flags & DELETED != 0
        };
        (0..ENTRIES).find(unused).map(|number| number as u8)
    }

    // ---- files

    /// The number in the links of a file. DOS II+/D and MyDOS write 0 into those of all files: of one that begins with it, and not within the first file
    /// of the directory, 0 is expected throughout.
    fn number_in_links(&self, entry: &Entry) -> u8 {
        let start = usize::from(entry.start);
        let link = self.sector(start).get(self.capacity());
        let first = self.all().into_iter().find(|file| file.number == 0);
        let in_first = || {
            first.is_some_and(|first| {
                let sectors = self.chain_of(&first, 0).unwrap_or_default();
                sectors.iter().any(|(sector, _)| *sector == start)
            })
        };
        match link {
            Some(link) if entry.number != 0 && link >> 2 == 0 && !in_first() => 0,
            _ => entry.number,
        }
    }

    /// The sectors of a file in their order, with the number of data bytes in each.
    fn chain(&self, entry: &Entry) -> Result<Vec<(usize, usize)>, String> {
        self.chain_of(entry, self.number_in_links(entry))
    }

    fn chain_of(&self, entry: &Entry, number: u8) -> Result<Vec<(usize, usize)>, String> {
        let last = LINKABLE.min(self.disk.sectors() + 1);
        let end = self.capacity();
        let mut seen = vec![false; LINKABLE];
        let mut list = Vec::new();
        let mut next = usize::from(entry.start);
        while next != 0 {
            if !(1..last).contains(&next) {
                return Err(alloc::format!("it leads to sector {next}"));
            }
            if core::mem::replace(&mut seen[next], true) {
                return Err(alloc::format!("it comes back to sector {next}"));
            }
            let sector = self.sector(next);
            let Some(&[link, low, count]) = sector.get(end..) else {
                return Err(alloc::format!("it leads to the boot sector {next}"));
            };
            if link >> 2 != number {
                return Err(alloc::format!("sector {next} belongs to another file"));
            }
            // In single density bit 7 is a mark of DOS 1.
            let count = usize::from(if end == 125 { count & 0x7F } else { count });
            if count > end {
                return Err(alloc::format!("sector {next} counts {count} bytes"));
            }
            list.push((next, count));
            next = usize::from(link & 3) << 8 | usize::from(low);
        }
        Ok(list)
    }

    fn whole_chain(&self, entry: &Entry) -> Result<Vec<(usize, usize)>, Dos2Error> {
        if entry.folder() {
            return Err(Dos2Error::Folder(entry.name));
        }
        self.chain(entry).map_err(|fault| Dos2Error::Damaged {
            name: entry.name,
            fault,
        })
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// When the file does not exist or its chain is damaged.
    pub fn read(&self, name: Name) -> Result<Vec<u8>, Dos2Error> {
        let mut bytes = Vec::new();
        for (sector, count) in self.whole_chain(&self.existing(name)?)? {
            bytes.extend_from_slice(&self.sector(sector)[..count]);
        }
        Ok(bytes)
    }

    /// Writes a file; one of the same name is replaced. Gives its entry.
    ///
    /// # Errors
    /// When the file that is there is locked, or the disk, its directory or its protection leave no place. Nothing is changed then.
    pub fn write(&mut self, name: Name, data: &[u8]) -> Result<Entry, Dos2Error> {
        if self.disk.write_protected() {
            return Err(Dos2Error::WriteProtected);
        }
        let mut map = self.map();
        let number = match self.find(name) {
            Some(old) => {
                self.release(&old, &mut map)?;
                old.number
            }
            None => self.unused().ok_or(Dos2Error::DirectoryFull)?,
        };
        let parts: Vec<&[u8]> = if data.is_empty() {
            vec![&[]]
        } else {
            data.chunks(self.capacity()).collect()
        };
        let free: Vec<usize> = (0..LINKABLE)
            .filter(|&sector| map[sector / 8] & 0x80 >> (sector % 8) != 0)
            .collect();
        if free.len() < parts.len() {
            return Err(Dos2Error::Full {
                name,
                needed: parts.len(),
                free: free.len(),
            });
        }
        let chain = &free[..parts.len()];
        for (i, part) in parts.iter().enumerate() {
            let next = chain.get(i + 1).copied().unwrap_or(0);
            let mut sector = vec![0; self.disk.sector_size()];
            sector[..part.len()].copy_from_slice(part);
            let end = self.capacity();
            sector[end] = number << 2 | (next >> 8) as u8;
            sector[end + 1] = next as u8;
            sector[end + 2] = part.len() as u8;
            self.write_sector(chain[i], &sector)?;
            map[chain[i] / 8] &= !(0x80 >> (chain[i] % 8));
        }
        let entry = Entry {
            number,
            name,
            sectors: chain.len() as u16,
            start: chain[0] as u16,
            flags: if chain.iter().any(|&sector| sector >= UPPER) {
                OPEN | DOS2
            } else {
                IN_USE | DOS2
            },
        };
        self.set_entry(entry)?;
        self.set_map(&map);
        if name.to_string() == DOS_SYS {
            self.boot_nothing()?;
        }
        Ok(entry)
    }

    /// Marks the sectors of a file as free in a map.
    fn release(&self, entry: &Entry, map: &mut [u8; MAP]) -> Result<(), Dos2Error> {
        if entry.locked() {
            return Err(Dos2Error::Locked(entry.name));
        }
        for (sector, _) in self.whole_chain(entry)? {
            map[sector / 8] |= 0x80 >> (sector % 8);
        }
        Ok(())
    }

    /// Deletes a file.
    ///
    /// # Errors
    /// When the file does not exist, it is locked, or the disk is write-protected.
    pub fn delete(&mut self, name: Name) -> Result<(), Dos2Error> {
        let entry = self.existing(name)?;
        let mut map = self.map();
        self.release(&entry, &mut map)?;
        self.set_entry(Entry {
            flags: DELETED,
            ..entry
        })?;
        self.set_map(&map);
        if name.to_string() == DOS_SYS {
            self.boot_nothing()?;
        }
        Ok(())
    }

    /// Gives a file another name.
    ///
    /// # Errors
    /// When the file does not exist, it is locked, the new name is taken, or the disk is write-protected.
    pub fn rename(&mut self, from: Name, to: Name) -> Result<(), Dos2Error> {
        let entry = self.existing(from)?;
        if entry.locked() {
            return Err(Dos2Error::Locked(from));
        }
        if from != to && self.find(to).is_some() {
            return Err(Dos2Error::Exists(to));
        }
        self.set_entry(Entry { name: to, ..entry })
    }

    /// Locks or unlocks a file.
    ///
    /// # Errors
    /// When the file does not exist or the disk is write-protected.
    pub fn lock(&mut self, name: Name, on: bool) -> Result<(), Dos2Error> {
        let entry = self.existing(name)?;
        let flags = entry.flags & !LOCKED | if on { LOCKED } else { 0 };
        self.set_entry(Entry { flags, ..entry })
    }

    // ---- boot sectors

    /// Makes the disk bootable: the first 384 bytes of `image` are the boot sectors of a DOS with DOS 2's boot record, the rest is its
    /// DOS.SYS. A DOS.SYS that is there is replaced, locked or not.
    ///
    /// # Errors
    /// When the disk is full or write-protected.
    pub fn install(&mut self, image: &[u8]) -> Result<(), Dos2Error> {
        let (boot, file) = image.split_at(BOOT_BYTES.min(image.len()));
        let name = Name::parse(DOS_SYS)?;
        if self.find(name).is_some_and(|old| old.locked()) {
            self.lock(name, false)?;
        }
        let entry = self.write(name, file)?;
        let mut boot = boot.to_vec();
        boot.resize(BOOT_BYTES, 0);
        let single = self.disk.sector_size() == 128;
        boot[BOOT_FLAG] = if single { 1 } else { 2 };
        boot[BOOT_FLAG + 1..BOOT_FLAG + 3].copy_from_slice(&entry.start.to_le_bytes());
        boot[BOOT_FLAG + 3] = self.capacity() as u8;
        for (i, sector) in boot.chunks(128).enumerate() {
            self.write_sector(1 + i, sector)?;
        }
        Ok(())
    }

    /// The boot sectors no longer load DOS.SYS.
    fn boot_nothing(&mut self) -> Result<(), Dos2Error> {
        let mut boot = self.sector(1).to_vec();
        // Only a boot record of DOS 2 has the flag there: three sectors to $0700.
        if boot[1..4] == [3, 0x00, 0x07] {
            boot[BOOT_FLAG] = 0;
            self.write_sector(1, &boot)?;
        }
        Ok(())
    }
}
