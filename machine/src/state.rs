//! Save states: the whole machine as bytes.
//!
//! A state is complete by itself, but for ROMs that are not the project's own: of those it holds the hash ([`Rom`]). Not in a state:
//! complete frames, recorded sound, and the host's settings. The line that the beam is drawing is in it.
//!
//! A chunk's version is raised when its layout changes; the layout it had before then gets a frozen struct of its own and a
//! `From` that makes the present one of it, so that older files still load.
use alloc::borrow::Cow;
use alloc::vec::Vec;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::{ByteBuf, Bytes};

use crate::added::Added;
use crate::cartridge::{Chip, Switches};
use crate::config::{Cartridge, Model, Tv};
use crate::host::HostDevice;
use crate::input::Input;
use crate::pointer::Pointing;
use crate::port::{FirstPort, ProgramPort};
use crate::rom::Rom;
use crate::sio::DRIVES;
use crate::{Bus, Io, Machine};
use antic_gtia::{Antic, CYCLES, Gtia};
use cpu6502::Cpu;

pub mod codec;
mod container;
#[cfg(test)]
mod forged;
mod origin;
mod raw;

use container::Chunk;
pub(crate) use container::{crc32, pack};
pub use origin::{MissingRom, RomKind};
use origin::{Origin, Supply};
pub use raw::{Media, Snapshot};

/// Version of every chunk of this release but those below.
const CHUNK: u16 = 1;
/// Version of the chunk of sound and serial bus: from 2 on the disks are in chunks of their own.
const CHUNK_IO: u16 = 2;

const TAG_CPU: [u8; 4] = *b"CPU ";
const TAG_VIDEO: [u8; 4] = *b"VIDE";
const TAG_IO: [u8; 4] = *b"IO  ";
const TAG_MEMORY: [u8; 4] = *b"MEM ";
const TAG_REST: [u8; 4] = *b"REST";
/// The disk in drive `number` from 0.
fn tag_disk(number: usize) -> [u8; 4] {
    [b'D', b'1' + number as u8, b' ', b' ']
}

/// The version that this release writes.
fn newest(tag: [u8; 4]) -> u16 {
    if tag == TAG_IO { CHUNK_IO } else { CHUNK }
}

/// True if this release reads chunks of that name.
fn is_known(tag: [u8; 4]) -> bool {
    let tags = [
        origin::TAG,
        origin::TAG_OS,
        origin::TAG_BASIC,
        TAG_CPU,
        TAG_VIDEO,
        TAG_LOADS,
        TAG_IO,
        TAG_MEMORY,
        TAG_REST,
        TAG_PORT,
        origin::TAG_EXTRAS,
        origin::TAG_CARTRIDGE,
        TAG_MORE,
        TAG_CHIP,
        TAG_POINTING,
    ];
    tags.contains(&tag) || (0..DRIVES).any(|number| tag == tag_disk(number))
}

/// The bytes of a chunk, unless a later release made them.
fn known<'a>(chunk: &'a Chunk, part: &'static str) -> Result<&'a [u8], StateError> {
    let known = newest(chunk.tag);
    if chunk.version > known {
        return Err(StateError::Newer {
            part,
            found: chunk.version,
            known,
        });
    }
    Ok(&chunk.data)
}

/// The chunks of a file.
#[derive(Clone, Copy)]
struct Present<'a>(&'a [Chunk<'a>]);

impl<'a> Present<'a> {
    /// The bytes of a chunk that only some files have; `part` names it in errors.
    fn bytes(self, tag: [u8; 4], part: &'static str) -> Result<Option<&'a [u8]>, StateError> {
        let chunk = self.0.iter().find(|chunk| chunk.tag == tag);
        chunk.map(|chunk| known(chunk, part)).transpose()
    }

    /// The value of a chunk that only some files have.
    fn optional<T: DeserializeOwned>(
        self,
        tag: [u8; 4],
        part: &'static str,
    ) -> Result<Option<T>, StateError> {
        self.bytes(tag, part)?.map(decoded).transpose()
    }

    /// The value of a chunk that every file has.
    fn required<T: DeserializeOwned>(
        self,
        tag: [u8; 4],
        part: &'static str,
    ) -> Result<T, StateError> {
        self.optional(tag, part)?.ok_or(StateError::Damaged)
    }
}

/// The graphics latches that HPOS loads, by object; in the first files, which do not have it, they are GRAF.
const TAG_LOADS: [u8; 4] = *b"LOAD";
/// The program port; the first files have theirs in the machine's chunk.
const TAG_PORT: [u8; 4] = *b"PORT";

/// Second cartridge and added sound hardware; only files of machines that have one of them have it.
const TAG_MORE: [u8; 4] = *b"MORE";
/// The bytes that a program has written to the cartridge, and its further registers; only files of machines with such a cartridge have it.
const TAG_CHIP: [u8; 4] = *b"CHIP";
/// Light pen and mouse; only files of machines that have had one have it.
const TAG_POINTING: [u8; 4] = *b"PNTR";

/// Reason why a state cannot be loaded. The machine continues as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// Another kind of file.
    #[error("this is not a saved state of Anticlock")]
    Foreign,
    /// The file ends early.
    #[error("the saved state is cut off")]
    Truncated,
    /// The check sum is wrong, or the contents make no sense.
    #[error("the saved state is damaged")]
    Damaged,
    /// Made by a later release.
    #[error(
        "the saved state was made by a newer version of Anticlock ({part} version {found}, this one knows {known})"
    )]
    Newer {
        /// The part of the state that is newer.
        part: &'static str,
        /// Its version.
        found: u16,
        /// The latest one known.
        known: u16,
    },
    /// Another computer.
    #[error("the saved state is of an Atari {found}, this is an {present}")]
    Machine {
        /// Model and television system in the file.
        found: &'static str,
        /// Those of the machine.
        present: &'static str,
    },
    /// A ROM is wanted that neither the state nor the machine has.
    #[error("{0}")]
    Rom(MissingRom),
}

/// The machine with which a state was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateInfo {
    /// The computer.
    pub model: Model,
    /// Its television system.
    pub tv: Tv,
    /// The machine's time in cycles.
    pub now: u64,
    /// The ROMs that the state does not carry and that have to be brought to [`Machine::from_state`].
    pub needs: Vec<MissingRom>,
    /// True if the machine had a host-folder device ([`Machine::attach_host`]).
    pub host: bool,
}

/// The hash by which states name their ROMs: FNV-1a, 64 bits.
#[must_use]
pub fn rom_hash(rom: &[u8]) -> u64 {
    rom.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &b| {
        (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[derive(Serialize, Deserialize)]
struct VideoChunk<'a> {
    antic: Cow<'a, Antic>,
    gtia: Cow<'a, Gtia>,
    line_start: u64,
    cycle: u32,
    stopped: bool,
    missile_cycle: u8,
    frame: u64,
}

/// No clock of a machine gets there: eighty years.
const LATEST: u64 = 1 << 52;

impl VideoChunk<'_> {
    fn is_valid(&self, tv: Tv) -> bool {
        self.cycle <= CYCLES as u32
            && self.line_start < LATEST
            && self.frame < LATEST
            && self.antic.is_valid(tv.lines())
            && self.gtia.is_valid()
    }
}

#[derive(Serialize, Deserialize)]
struct MemoryChunk<B> {
    ram: B,
    extended: B,
    portb: u8,
}

#[derive(Serialize, Deserialize)]
struct RestChunk {
    /// The controls as the chips see them, and as they will be when the machine runs on.
    input: Input,
    controls: Input,
    option_until: u64,
    bank: u8,
    cartridge_on: bool,
    program: Option<FirstPort>,
    host: Option<HostDevice>,
}

/// The rare parts of a machine: the switches of both cartridges, and added sound hardware.
type More = ([Switches; 2], Option<Added>);

/// Everything that a state restores.
struct Parts<'a> {
    cpu: Cpu,
    video: VideoChunk<'a>,
    io: Io,
    ram: &'a [u8],
    extended: &'a [u8],
    portb: u8,
    rest: RestChunk,
    program: Option<ProgramPort>,
    more: Option<More>,
    chip: Option<Chip>,
    pointing: Option<Pointing>,
    /// The host-folder device has a host.
    connected: bool,
}

/// Describes the machine with which the state in `bytes` was made.
///
/// # Errors
/// As [`Machine::from_state`], but for missing ROMs.
pub fn state_info(bytes: &[u8]) -> Result<StateInfo, StateError> {
    let (header, chunks) = container::read(bytes, |tag| {
        let tags = [
            origin::TAG,
            origin::TAG_OS,
            origin::TAG_BASIC,
            origin::TAG_EXTRAS,
            origin::TAG_CARTRIDGE,
            TAG_REST,
        ];
        tags.contains(&tag)
    })?;
    let origin = Origin::read(header, &chunks)?;
    let host = match origin.host() {
        Some(host) => host,
        None => Present(&chunks)
            .optional(TAG_REST, "machine")?
            .is_some_and(|rest: RestChunk| rest.host.is_some()),
    };
    Ok(StateInfo {
        model: origin.header.model,
        tv: origin.header.tv,
        now: origin.header.now,
        needs: origin.needs(),
        host,
    })
}

/// # Saved states
impl Machine {
    /// The whole machine as bytes, at any cycle.
    pub fn save_state(&self) -> Vec<u8> {
        let bus = &self.bus;
        let video = &bus.video;
        let ram = &bus.memory.ram()[..bus.memory.size().main()];
        let extended = bus.memory.extended();
        let switches = bus.cartridge.switches();
        // Whoever loads a state should not have to catch up for long.
        let io = if bus.io.is_far_behind(self.now()) {
            let mut io = bus.io.clone();
            io.pokey.sync_to(self.now());
            Cow::Owned(io)
        } else {
            Cow::Borrowed(&bus.io)
        };
        let mut antic = video.antic.clone();
        antic.clear_unshown();
        let chunk = Chunk::new;
        let mut chunks = Origin::chunks(self);
        chunks.extend([
            chunk(TAG_CPU, codec::encode(&self.cpu)),
            chunk(
                TAG_VIDEO,
                codec::encode(&VideoChunk {
                    antic: Cow::Owned(antic),
                    gtia: Cow::Borrowed(&video.gtia),
                    line_start: video.line_start,
                    cycle: video.cycle,
                    stopped: video.stopped,
                    missile_cycle: video.missile_cycle,
                    frame: video.frame,
                }),
            ),
            chunk(TAG_LOADS, codec::encode(&video.gtia.loads())),
            chunk(TAG_IO, codec::encode(&io)),
            chunk(
                TAG_MEMORY,
                codec::encode(&MemoryChunk {
                    ram: Bytes::new(ram),
                    extended: Bytes::new(&extended),
                    portb: bus.memory.portb(),
                }),
            ),
            chunk(
                TAG_REST,
                codec::encode(&RestChunk {
                    input: bus.input,
                    controls: self.input,
                    option_until: bus.option_until,
                    bank: switches[0].bank,
                    cartridge_on: switches[0].on,
                    program: None,
                    host: bus.host.clone(),
                }),
            ),
            chunk(TAG_PORT, codec::encode(&bus.program)),
        ]);
        if let Some(more) = self.more() {
            chunks.push(chunk(TAG_MORE, codec::encode(&more)));
        }
        if let Some(chip) = bus.cartridge.chip() {
            chunks.push(chunk(TAG_CHIP, codec::encode(chip)));
        }
        if !bus.pointing.is_new() {
            chunks.push(chunk(TAG_POINTING, codec::encode(&bus.pointing)));
        }
        for number in 0..DRIVES {
            if let Some(disk) = self.disk(number) {
                chunks.push(chunk(tag_disk(number), codec::encode(disk)));
            }
        }
        container::write(&codec::encode(&origin::header(self)), &chunks)
    }

    /// The contents of [`TAG_MORE`], if the machine has any of them.
    fn more(&self) -> Option<More> {
        let bus = &self.bus;
        let slot = bus
            .cartridge
            .cartridge()
            .is_some_and(|c| crate::wiring(c.kind).has_slot());
        let any = bus.added.is_some() || self.config.second.is_some() || slot;
        any.then(|| {
            let added = bus.added.as_ref().map(|added| added.synced(self.now()));
            (bus.cartridge.switches(), added)
        })
    }

    /// Makes this machine the one that was saved, with the ROMs of the state: those it carries, the others must be this machine's. The
    /// picture of the frame that was being drawn is black above the beam's line until the next frame.
    ///
    /// A host folder stays attached if both have one; see [`Self::connect_host`] for what happens when this machine has none.
    ///
    /// # Errors
    /// Says why; the machine is then unchanged.
    pub fn load_state(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        let (header, chunks) = container::read(bytes, is_known)?;
        self.load_chunks(header, &chunks)
    }

    /// The machine of a saved state, whatever its model. `roms` and `cartridges` may hold the images that the state does not carry
    /// ([`StateInfo::needs`]); others are ignored. No host folder is connected ([`Self::connect_host`]).
    ///
    /// # Errors
    /// Says why the machine cannot be made.
    pub fn from_state(
        bytes: &[u8],
        roms: &[Rom],
        cartridges: &[Cartridge],
    ) -> Result<Self, StateError> {
        let (header, chunks) = container::read(bytes, is_known)?;
        let supply = Supply {
            present: None,
            roms,
            cartridges,
        };
        let config = Origin::read(header, &chunks)?.config(supply)?;
        let mut machine = Self::new(&config).map_err(|_| StateError::Damaged)?;
        machine.load_chunks(header, &chunks)?;
        Ok(machine)
    }

    fn load_chunks(&mut self, header: &[u8], chunks: &[Chunk]) -> Result<(), StateError> {
        let origin = Origin::read(header, chunks)?;
        let info = &origin.header;
        if (info.model, info.tv) != (self.bus.model, self.bus.tv) {
            return Err(StateError::Machine {
                found: info.model.title(info.tv),
                present: self.bus.model.title(self.bus.tv),
            });
        }
        let config = origin.config(Supply {
            present: Some(&self.config),
            ..Supply::default()
        })?;
        let made_of = |config: &crate::Config| {
            let parts = (config.os.clone(), config.basic.clone(), config.ram());
            let extras = config.extras;
            (parts, extras.stereo, extras.covox, extras.clock.is_some())
        };
        let same_roms = made_of(&config) == made_of(&self.config)
            && config.cartridge == self.config.cartridge
            && config.second == self.config.second;
        if !same_roms {
            let mut fresh = Self::new(&config).map_err(|_| StateError::Damaged)?;
            if self.host_connected() {
                fresh.attach_host(false);
            }
            fresh.option_held = self.option_held;
            fresh.load_chunks(header, chunks)?;
            *self = fresh;
            return Ok(());
        }
        let chunks = Present(chunks);
        let mut video: VideoChunk = chunks.required(TAG_VIDEO, "picture")?;
        let loads = chunks.optional(TAG_LOADS, "picture")?;
        video.gtia.to_mut().set_loads(loads);
        let mut io: Io = chunks.required(TAG_IO, "sound and disk")?;
        for number in 0..DRIVES {
            if let Some(disk) = chunks.optional(tag_disk(number), "disk")? {
                io.sio.restore_disk(number, disk);
            }
        }
        let memory: MemoryChunk<ByteBuf> = chunks.required(TAG_MEMORY, "memory")?;
        let mut rest: RestChunk = chunks.required(TAG_REST, "machine")?;
        let program = match chunks.optional(TAG_PORT, "program")? {
            Some(program) => program,
            None => rest.program.take().map(ProgramPort::from),
        };
        self.install(Parts {
            cpu: chunks.required(TAG_CPU, "processor")?,
            video,
            io,
            ram: &memory.ram,
            extended: &memory.extended,
            portb: memory.portb,
            rest,
            program,
            more: chunks.optional(TAG_MORE, "added hardware")?,
            chip: chunks.optional(TAG_CHIP, "cartridge")?,
            pointing: chunks.optional(TAG_POINTING, "light pen or mouse")?,
            connected: self.host_connected(),
        })?;
        if let Some((_, option_held)) = origin.power_on() {
            self.option_held = option_held;
        }
        if (config.seed, config.extras) != (self.config.seed, self.config.extras) {
            self.config = config.into();
        }
        Ok(())
    }

    /// Becomes the machine of these parts, if they make one.
    fn install(&mut self, parts: Parts) -> Result<(), StateError> {
        let Parts {
            cpu,
            video,
            io,
            ram,
            extended,
            portb,
            rest,
            program,
            more,
            chip,
            pointing,
            connected,
        } = parts;
        let Self { board, config, .. } = self;
        let bus: &mut Bus = &mut board.bus;
        let now = video.line_start + u64::from(video.cycle);
        let extras = config.extras;
        let (switches, added) = more.unwrap_or_else(|| {
            let first = Switches {
                bank: rest.bank,
                on: rest.cartridge_on,
                through: false,
            };
            ([first, Switches::default()], None)
        });
        if ram.len() != bus.memory.size().main()
            || extended.len() != bus.memory.size().extended()
            || added.is_some() != extras.any()
            || !added
                .as_ref()
                .is_none_or(|added| added.is_valid(extras, now))
            || !video.is_valid(bus.tv)
            || !io.is_valid(bus.tv, video.line_start + u64::from(video.cycle))
            || !cpu.is_valid()
            || chip
                .as_ref()
                .is_some_and(|chip| !bus.cartridge.takes_chip(chip))
            || !rest.host.as_ref().is_none_or(HostDevice::is_valid)
            || !pointing.is_none_or(|pointing| pointing.is_valid(now))
        {
            return Err(StateError::Damaged);
        }

        // Nothing fails from here on.
        bus.memory.load(ram, extended);
        bus.memory.set_portb(portb);
        // A state of a release that did not know the chip has one as at power-on.
        bus.cartridge.set_chip(chip.unwrap_or_default());
        bus.cartridge.set_switches(switches, &mut bus.memory);
        bus.added = added.map(alloc::boxed::Box::new);
        bus.video.antic = video.antic.into_owned();
        bus.video.gtia = video.gtia.into_owned();
        bus.video.line_start = video.line_start;
        bus.video.cycle = video.cycle;
        bus.video.stopped = video.stopped;
        bus.video.missile_cycle = video.missile_cycle;
        bus.video.blacken(video.frame);
        bus.io = io;
        bus.input = rest.input;
        bus.load_pointing(pointing);
        bus.option_until = rest.option_until;
        bus.program = program;
        bus.host = rest.host;
        bus.show_host();
        if let Some(host) = &mut bus.host {
            host.connect(connected);
        }
        self.cpu = cpu;
        self.input = rest.controls;
        Ok(())
    }
}

fn decoded<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StateError> {
    codec::decode(bytes).ok_or(StateError::Damaged)
}
