//! The part of a state that describes the machine it was made with: model, ROMs, and devices on its parallel bus.
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};

use super::container::Chunk;
use super::{Present, StateError, codec};
use crate::Machine;
use crate::config::{Cartridge, Config, Extras, Model, Tv};
use crate::rom::Rom;

pub(super) const TAG: [u8; 4] = *b"CONF";
/// The images that the state carries.
pub(super) const TAG_OS: [u8; 4] = *b"ROMO";
pub(super) const TAG_BASIC: [u8; 4] = *b"ROMB";
/// The cartridge as it was plugged in, when a program has written to it: its file is different then.
pub(super) const TAG_CARTRIDGE: [u8; 4] = *b"ROMC";
/// The equipment of the machine beside model and ROMs; only files of machines that are not as they were sold have it.
pub(super) const TAG_EXTRAS: [u8; 4] = *b"XTRA";

/// The header of every file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    pub model: Model,
    pub tv: Tv,
    os: u64,
    basic: Option<u64>,
    cartridge: Option<u64>,
    pub now: u64,
}

/// The chunk that the first files do not have.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Details {
    seed: u64,
    option_held: bool,
    /// True if the machine has a host-folder device.
    host: bool,
    os: Entry,
    basic: Option<Entry>,
    cartridge: Option<Entry>,
}

/// The chunk of machines that are not as they were sold: also the second cartridge and its hash.
type More = (Extras, Option<(u64, Entry)>);

/// A ROM.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Entry {
    size: u32,
    crc32: u32,
    /// The CAR type of a cartridge, 0 for one without a number.
    wiring: u32,
    /// True if the state carries the image.
    carried: bool,
}

impl Entry {
    fn of(rom: &Rom) -> Self {
        Self {
            size: rom.len() as u32,
            crc32: rom.crc32(),
            wiring: 0,
            carried: rom.is_own(),
        }
    }
}

/// The kind of a ROM of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RomKind {
    /// The operating system.
    Os,
    /// The BASIC.
    Basic,
    /// The cartridge.
    Cartridge,
}

impl fmt::Display for RomKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Os => "OS ROM",
            Self::Basic => "BASIC ROM",
            Self::Cartridge => "cartridge",
        })
    }
}

/// A ROM that a state needs and does not carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingRom {
    /// Its kind.
    pub kind: RomKind,
    /// [`super::rom_hash`] of its image.
    pub hash: u64,
    /// Bytes and CRC-32 of its image. States of version 0.1 do not say, and name by their hash even the ROMs that came with the program.
    pub image: Option<(usize, u32)>,
}

impl fmt::Display for MissingRom {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { kind, hash, image } = self;
        match image {
            Some((size, crc)) => write!(
                f,
                "the saved state needs the {kind} of {size} bytes with the CRC-32 {crc:08X} and does not contain it"
            ),
            None => write!(
                f,
                "the saved state was made with another {kind} (hash {hash:016X}) by version 0.1, whose states do not contain their ROMs"
            ),
        }
    }
}

/// The machine that a state was made with.
pub(super) struct Origin<'a> {
    pub header: Header,
    details: Option<Details>,
    more: Option<More>,
    os: Option<&'a [u8]>,
    basic: Option<&'a [u8]>,
    cartridge: Option<&'a [u8]>,
}

/// The sources of the ROMs that a state does not carry.
#[derive(Clone, Copy, Default)]
pub(super) struct Supply<'a> {
    /// The machine that the state is loaded into.
    pub present: Option<&'a Config>,
    pub roms: &'a [Rom],
    pub cartridges: &'a [Cartridge],
}

impl<'a> Origin<'a> {
    /// The chunks that describe the parts of a machine.
    pub(super) fn chunks(machine: &Machine) -> Vec<Chunk<'_>> {
        let config = machine.config();
        let cartridge = |c: &Cartridge| Entry {
            size: c.rom.len() as u32,
            crc32: super::crc32(&c.rom),
            wiring: c.type_number().unwrap_or(0),
            carried: false,
        };
        let written = config.cartridge.as_ref();
        let written = written.filter(|_| machine.cartridge_is_written());
        let details = Details {
            seed: config.seed,
            option_held: machine.option_held,
            host: machine.bus.host.is_some(),
            os: Entry::of(&config.os),
            basic: config.basic.as_ref().map(Entry::of),
            cartridge: config.cartridge.as_ref().map(|c| Entry {
                carried: written.is_some(),
                ..cartridge(c)
            }),
        };
        let mut chunks = alloc::vec![Chunk::new(TAG, codec::encode(&details))];
        let second = config.second.as_ref();
        if second.is_some() || config.extras != Extras::default() {
            let more: More = (
                config.extras,
                second.map(|c| (super::rom_hash(&c.rom), cartridge(c))),
            );
            chunks.push(Chunk::new(TAG_EXTRAS, codec::encode(&more)));
        }
        let images = [
            (TAG_OS, Some(&config.os)),
            (TAG_BASIC, config.basic.as_ref()),
        ];
        for (tag, rom) in images {
            if let Some(rom) = rom.filter(|rom| rom.is_own()) {
                chunks.push(Chunk::ready(tag, rom, rom.packed()));
            }
        }
        if let Some(cartridge) = written {
            chunks.push(Chunk::new(TAG_CARTRIDGE, cartridge.rom.clone()));
        }
        chunks
    }

    pub(super) fn read(header: &[u8], chunks: &'a [Chunk]) -> Result<Self, StateError> {
        let chunks = Present(chunks);
        Ok(Self {
            header: super::decoded(header)?,
            details: chunks.optional(TAG, "configuration")?,
            more: chunks.optional(TAG_EXTRAS, "configuration")?,
            os: chunks.bytes(TAG_OS, "ROM")?,
            basic: chunks.bytes(TAG_BASIC, "ROM")?,
            cartridge: chunks.bytes(TAG_CARTRIDGE, "ROM")?,
        })
    }

    /// The seed of the machine and whether OPTION is held at power-on, when the state says.
    pub(super) fn power_on(&self) -> Option<(u64, bool)> {
        self.details.as_ref().map(|d| (d.seed, d.option_held))
    }

    pub(super) fn host(&self) -> Option<bool> {
        self.details.as_ref().map(|d| d.host)
    }

    /// The ROMs that the state does not carry.
    pub(super) fn needs(&self) -> Vec<MissingRom> {
        let header = &self.header;
        let details = self.details.as_ref();
        let roms = [
            (RomKind::Os, Some(header.os), details.map(|d| d.os)),
            (RomKind::Basic, header.basic, details.and_then(|d| d.basic)),
            (
                RomKind::Cartridge,
                header.cartridge,
                details.and_then(|d| d.cartridge),
            ),
            (
                RomKind::Cartridge,
                self.more.as_ref().and_then(|m| m.1).map(|m| m.0),
                self.more.as_ref().and_then(|m| m.1).map(|m| m.1),
            ),
        ];
        let missing = roms.into_iter().filter_map(|(kind, hash, entry)| {
            let hash = hash?;
            let image = entry.map(|e| (e.size as usize, e.crc32));
            entry
                .is_none_or(|e| !e.carried)
                .then_some(MissingRom { kind, hash, image })
        });
        missing.collect()
    }

    /// The configuration of a machine that can be in this state.
    pub(super) fn config(&self, supply: Supply) -> Result<Config, StateError> {
        let needs = self.needs();
        let present = supply.present;
        let Header { model, tv, .. } = self.header;
        let choose = |kind, hash, size, carried, present| {
            choose(hash, size, carried, present, supply.roms).ok_or_else(|| {
                // A state carries the images that it names under a hash of its own.
                let rom = needs.iter().find(|rom| rom.kind == kind);
                rom.map_or(StateError::Damaged, |&rom| StateError::Rom(rom))
            })
        };
        let os = choose(
            RomKind::Os,
            self.header.os,
            model.os_size(),
            self.os,
            present.map(|config| &config.os),
        )?;
        let basic = self.header.basic.map(|hash| {
            let present = present.and_then(|config| config.basic.as_ref());
            choose(RomKind::Basic, hash, 0x2000, self.basic, present)
        });
        let carried = self.cartridge.and_then(|rom| {
            let number = self.details.as_ref()?.cartridge?.wiring;
            Cartridge::from_rom_of_type(rom, number).ok()
        });
        let find = |hash: u64, wiring: Option<u32>, present: Option<&Cartridge>| {
            let present = present.into_iter().chain(&carried);
            let fits = |c: &&Cartridge| {
                let number = c.type_number().unwrap_or(0);
                super::rom_hash(&c.rom) == hash && wiring.is_none_or(|wiring| wiring == number)
            };
            let found = present.chain(supply.cartridges).find(fits);
            let missing = || needs.iter().find(|rom| rom.hash == hash);
            found
                .cloned()
                .ok_or_else(|| missing().map_or(StateError::Damaged, |&rom| StateError::Rom(rom)))
        };
        let cartridge = self.header.cartridge.map(|hash| {
            let details = self.details.as_ref().and_then(|d| d.cartridge);
            let present = present.and_then(|config| config.cartridge.as_ref());
            find(hash, details.map(|c| c.wiring), present)
        });
        let second = self
            .more
            .as_ref()
            .and_then(|more| more.1)
            .map(|(hash, entry)| {
                let present = present.and_then(|config| config.second.as_ref());
                find(hash, Some(entry.wiring), present)
            });
        Ok(Config {
            model,
            tv,
            os,
            basic: basic.transpose()?,
            cartridge: cartridge.transpose()?,
            second: second.transpose()?,
            seed: self
                .power_on()
                .map_or(present.map_or(0, |config| config.seed), |on| on.0),
            extras: self
                .more
                .as_ref()
                .map_or_else(Extras::default, |more| more.0),
        })
    }
}

/// The ROM of this hash and size: the present one, one of the supply, or the one that the state carries.
fn choose(
    hash: u64,
    size: usize,
    carried: Option<&[u8]>,
    present: Option<&Rom>,
    supply: &[Rom],
) -> Option<Rom> {
    let fits = |rom: &&Rom| rom.hash() == hash && rom.len() == size;
    let found = present.into_iter().chain(supply).find(fits).cloned();
    found.or_else(|| carried.map(Rom::own).filter(|rom| fits(&rom)))
}

/// The header of a machine's state.
pub(super) fn header(machine: &Machine) -> Header {
    let config = machine.config();
    Header {
        model: config.model,
        tv: config.tv,
        os: config.os.hash(),
        basic: config.basic.as_ref().map(Rom::hash),
        cartridge: machine.cartridge_hash,
        now: machine.now(),
    }
}
