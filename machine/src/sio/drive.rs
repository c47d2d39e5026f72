//! A disk drive: a 1050 with the abilities of a US Doubler, with the mechanical times of an 810.
use crate::config::Tv;
use alloc::vec;
use alloc::vec::Vec;
use media::atr::Disk;
use media::atx::{Sector, Surface, status};

use super::device::{Clock, Device, Outcome, Reply, cycles};

/// A disk turns 288 times a minute: microseconds of a turn.
const TURN: u64 = 208_333;
/// Microseconds of a step from track to track, and for the head to settle.
const STEP: u64 = 5_300;
const SETTLE: u64 = 10_000;
/// Microseconds that a command takes before the controller looks for its sector.
const COMMAND: u64 = 1_500;
/// Microseconds for a sector of single density with its header and gap to pass.
const PASSING: u64 = 11_072;
/// Turns after which a sector that is not there is given up: no source was found for this number.
const TURNS: u64 = 4;
/// Microseconds of a unit of an ATX image.
const UNIT: u64 = 8;
/// Order of the sectors on a track (Altirra Hardware Reference Manual 10.5): single density, enhanced, double.
const ORDER_SD: [u8; 18] = [
    18, 1, 3, 5, 7, 9, 11, 13, 15, 17, 2, 4, 6, 8, 10, 12, 14, 16,
];
const ORDER_ED: [u8; 26] = [
    1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26,
];
const ORDER_DD: [u8; 18] = [
    6, 12, 18, 5, 11, 17, 4, 10, 16, 3, 9, 15, 2, 8, 14, 1, 7, 13,
];

/// One drive.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Drive {
    #[serde(with = "first_states")]
    disk: Option<Disk>,
    on: bool,
    /// Without mechanical times.
    pub(super) fast: bool,
    track: u64,
    /// Status bits of the last operation: 3 write-protected, 2 write failed.
    errors: u8,
    /// Inverted status of the floppy disk controller.
    controller: u8,
    /// Sectors per track and bytes per sector for the next format, as set by the Percom block.
    format: (u16, u16),
}

impl Drive {
    pub(super) fn new() -> Self {
        Self {
            disk: None,
            on: false,
            fast: false,
            track: 0,
            errors: 0,
            controller: 0xFF,
            format: (18, 128),
        }
    }

    /// The drive without its disk.
    pub(super) fn without_disk(&self) -> Self {
        Self {
            disk: None,
            ..*self
        }
    }

    /// Puts a disk in place without what the drive does when a disk is inserted.
    pub(super) fn set_disk(&mut self, disk: Option<Disk>) {
        self.disk = disk;
    }

    /// True if a drive can be in this state.
    pub(super) fn is_valid(&self) -> bool {
        self.track <= 0xFFFF && matches!(self.format, (18, 128 | 256) | (26, 128))
    }

    pub(super) fn is_on(&self) -> bool {
        self.on
    }

    pub(super) fn insert(&mut self, disk: Disk) {
        self.on = true;
        self.format = match disk.sector_size() {
            256 => (18, 256),
            _ if is_enhanced(&disk) => (26, 128),
            _ => (18, 128),
        };
        self.disk = Some(disk);
    }

    pub(super) fn restore(&mut self, disk: Disk) {
        self.disk = Some(disk);
    }

    pub(super) fn eject(&mut self) -> Option<Disk> {
        self.disk.take()
    }

    pub(super) fn disk(&self) -> Option<&Disk> {
        self.disk.as_ref()
    }

    pub(super) fn disk_mut(&mut self) -> Option<&mut Disk> {
        self.disk.as_mut()
    }

    /// The Percom block. A hard disk is one track with all its sectors.
    fn percom(&self) -> [u8; 12] {
        let (tracks, sides, sectors, size) = match &self.disk {
            Some(disk) if is_hard(disk) => (1, 1, disk.sectors() as u16, disk.sector_size() as u16),
            Some(disk) if disk.sectors() == 1440 => (40, 2, self.format.0, self.format.1),
            _ => (40, 1, self.format.0, self.format.1),
        };
        let density = if (sectors, size) == (18, 128) { 0 } else { 4 };
        let [sectors, size] = [sectors, size].map(u16::to_be_bytes);
        let [high, low] = sectors;
        [
            tracks,
            0,
            high,
            low,
            sides - 1,
            density,
            size[0],
            size[1],
            0xFF,
            0,
            0,
            0,
        ]
    }

    fn not_ready(&mut self) -> Reply {
        self.controller = 0x7F;
        Reply::Done {
            data: vec![0; 128],
            ok: false,
            after: 0,
        }
    }

    /// The four status bytes.
    fn status(&self) -> [u8; 4] {
        let density = match &self.disk {
            Some(disk) if disk.sector_size() != 128 => 0x20,
            Some(disk) if is_enhanced(disk) => 0x80,
            _ => 0,
        };
        let protected = if self.disk.as_ref().is_some_and(Disk::write_protected) {
            0x08
        } else {
            0
        };
        let controller = if self.disk.is_none() {
            self.controller & 0x7F
        } else {
            self.controller
        };
        [
            0x10 | density | protected | self.errors,
            controller,
            0xE0,
            0,
        ]
    }

    fn format(&mut self, (per_track, size): (u16, u16), tv: Tv) -> Reply {
        let bytes = usize::from(size);
        let mut data = vec![0xFF; bytes];
        let Some(disk) = &mut self.disk else {
            return self.not_ready();
        };
        // A hard disk keeps its size, and so does a disk with two sides.
        let (sectors, bytes) = match disk.sectors() {
            _ if is_hard(disk) => (disk.sectors(), disk.sector_size()),
            1440 => (1440, bytes),
            _ => (usize::from(per_track) * 40, bytes),
        };
        if !disk.format(sectors, bytes) {
            self.errors = 0x0C;
            self.controller = 0xBF;
            data.fill(0);
            return Reply::Done {
                data,
                ok: false,
                after: 0,
            };
        }
        self.errors = 0;
        self.controller = 0xFF;
        self.track = 0;
        // Forty tracks in, writing, and out again, verifying: a turn each.
        let after = if self.fast {
            0
        } else {
            cycles(80 * (TURN + STEP), tv)
        };
        Reply::Done {
            data,
            ok: true,
            after,
        }
    }

    /// Moves the head and waits for the sector to pass: cycles from `now`.
    fn reach(&mut self, sector: usize, now: u64, tv: Tv) -> u64 {
        let Some(disk) = &self.disk else { return 0 };
        let index = sector as u64 - 1;
        let (order, spacing): (&[u8], u64) = match disk.sector_size() {
            _ if is_enhanced(disk) => (&ORDER_ED, 7_680),
            256 => (&ORDER_DD, 10_976),
            _ => (&ORDER_SD, PASSING),
        };
        let track = index / order.len() as u64;
        let ready = self.seek(track, now, tv);
        if self.fast || track >= 40 {
            return 0;
        }
        let number = (index % order.len() as u64) as u8 + 1;
        let slot = order.iter().position(|&s| s == number).unwrap_or(0) as u64;
        // The sector is read when its end has passed.
        ready + until_passes(slot * spacing, ready, tv) + cycles(spacing, tv) - now
    }

    /// Moves the head to a track; returns when the controller looks for a sector there.
    fn seek(&mut self, track: u64, now: u64, tv: Tv) -> u64 {
        let steps = track.abs_diff(self.track);
        self.track = track;
        let seek = if steps == 0 { 0 } else { steps * STEP + SETTLE };
        now + cycles(COMMAND + seek, tv)
    }

    /// Reads a sector of a disk of which more is known than its bytes: of several with one number the next to pass the head.
    fn read_surface(&mut self, sector: usize, Clock { now, tv }: Clock) -> Option<Reply> {
        let surface = self.disk.as_ref()?.surface()?;
        if sector == 0 || sector > surface.sectors() {
            return Some(Reply::Refused);
        }
        let track = (sector - 1) / surface.per_track();
        let ready = self.seek(track as u64, now, tv);
        let surface = self.disk.as_ref()?.surface()?;
        let place = |copy: &Sector| u64::from(copy.position) * UNIT;
        let next = surface
            .copies(sector)
            .min_by_key(|copy| until_passes(place(copy), ready, tv));
        let (data, found, end) = match next {
            Some(copy) if copy.status & status::NOT_FOUND == 0 => {
                let end = until_passes(place(copy), ready, tv) + cycles(PASSING, tv);
                (read_copy(surface, copy, ready), copy.status, end)
            }
            _ => (vec![0; 128], status::NOT_FOUND, cycles(TURNS * TURN, tv)),
        };
        self.errors = 0;
        self.controller = !found;
        Some(Reply::Done {
            data,
            ok: found == 0,
            // Protections measure it, so the drive is never fast here.
            after: ready + end - now,
        })
    }
}

/// Cycles from `now` until a place on the track, in microseconds from the index hole, passes the head.
fn until_passes(place: u64, now: u64, tv: Tv) -> u64 {
    let turn = cycles(TURN, tv);
    (cycles(place, tv) % turn + turn - now % turn) % turn
}

/// The bytes of a sector as they are read at `now`: weak ones differ each time.
fn read_copy(surface: &Surface, copy: &Sector, now: u64) -> Vec<u8> {
    let mut data = surface
        .bytes(copy)
        .map_or(vec![0; 128], |bytes| bytes.to_vec());
    let mut seed = now;
    let weak = copy.weak_from.map_or(data.len(), usize::from);
    for byte in data.iter_mut().skip(weak) {
        // Knuth's MMIX.
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        *byte = (seed >> 56) as u8;
    }
    data
}

impl Device for Drive {
    fn command(&mut self, command: u8, aux: [u8; 2], clock: Clock) -> Reply {
        let Clock { now, tv } = clock;
        let sector = usize::from(u16::from_le_bytes(aux));
        match command {
            b'S' => Reply::data(self.status().to_vec()),
            b'R' => {
                if let Some(reply) = self.read_surface(sector, clock) {
                    return reply;
                }
                let Some(disk) = &self.disk else {
                    return self.not_ready();
                };
                let Some(data) = disk.sector(sector) else {
                    return Reply::Refused;
                };
                let data = data.to_vec();
                self.errors = 0;
                self.controller = 0xFF;
                let after = self.reach(sector, now, tv);
                Reply::Done {
                    data,
                    ok: true,
                    after,
                }
            }
            b'P' | b'W' => {
                let Some(disk) = &self.disk else {
                    return self.not_ready();
                };
                if disk.sector(sector).is_none() {
                    return Reply::Refused;
                }
                Reply::WantsData {
                    length: disk.size_of(sector),
                }
            }
            b'!' => self.format(self.format, tv),
            0x22 => {
                let reply = self.format((26, 128), tv);
                if self.errors == 0 {
                    self.format = (26, 128);
                }
                reply
            }
            b'?' => Reply::data(vec![10]),
            0x4E => Reply::data(self.percom().to_vec()),
            0x4F => Reply::WantsData { length: 12 },
            _ => Reply::Refused,
        }
    }

    fn write(
        &mut self,
        command: u8,
        aux: [u8; 2],
        data: &[u8],
        Clock { now, tv }: Clock,
    ) -> Outcome {
        if command == 0x4F {
            let sectors = u16::from_be_bytes([data[2], data[3]]);
            let size = u16::from_be_bytes([data[6], data[7]]);
            let known = matches!((sectors, size), (18, 128 | 256) | (26, 128));
            if known {
                self.format = (sectors, size);
            }
            return Outcome {
                ok: known,
                after: 0,
            };
        }
        let sector = usize::from(u16::from_le_bytes(aux));
        // Verifying takes one more turn.
        let verify = if command == b'W' && !self.fast {
            cycles(TURN, tv)
        } else {
            0
        };
        let after = self.reach(sector, now, tv) + verify;
        let ok = self
            .disk
            .as_mut()
            .is_some_and(|disk| disk.write_sector(sector, data));
        self.errors = if ok { 0 } else { 0x0C };
        self.controller = if ok { 0xFF } else { 0xBF };
        Outcome { ok, after }
    }

    fn waits_for(&self, command: u8, aux: [u8; 2], length: usize) -> bool {
        match command {
            0x4F => length == 12,
            _ => aux != [0; 2] && matches!(length, 128 | 256 | 512),
        }
    }
}

/// True if no floppy has that form.
fn is_hard(disk: &Disk) -> bool {
    disk.sector_size() == 512 || !is_enhanced(disk) && !matches!(disk.sectors(), 0..=1040 | 1440)
}

/// True for enhanced density: 40 tracks of 26 sectors, and less than a track that a file has beyond them.
fn is_enhanced(disk: &Disk) -> bool {
    disk.sector_size() == 128 && (1040..1066).contains(&disk.sectors())
}

/// A state has its disks in chunks of their own. In the first files they stood here, as their sectors without the file around them.
mod first_states {
    use alloc::vec::Vec;
    use media::atr::Disk;
    use serde::{Deserialize, Deserializer, Serializer};

    #[derive(Deserialize)]
    struct FirstDisk {
        sector_size: usize,
        #[serde(with = "serde_bytes")]
        data: Vec<u8>,
        write_protected: bool,
        _changed: bool,
    }

    #[expect(clippy::ref_option, reason = "the form that serde asks for")]
    pub(super) fn serialize<S: Serializer>(_: &Option<Disk>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_none()
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Disk>, D::Error> {
        let Some(first) = Option::<FirstDisk>::deserialize(from)? else {
            return Ok(None);
        };
        if !matches!(first.sector_size, 128 | 256) || first.data.len() > 65_535 * 256 {
            return Err(serde::de::Error::custom("no disk"));
        }
        let mut file = Disk::from_sectors(first.sector_size, &first.data).to_bytes();
        file[15] = first.write_protected.into();
        Disk::parse(&file)
            .map(Some)
            .map_err(serde::de::Error::custom)
    }
}
