//! Raw states: the machine as bytes at places that do not move, for a timeline that keeps only what differs from state to state.
//!
//! ```text
//! lengths (7 x 4): main RAM, extended RAM, processor, picture, HPOS loads, sound and serial bus, rest
//! main RAM  extended RAM  the other parts, each filled up with zeros to a multiple of 512
//! ```
//! All numbers are little-endian and have their full width. Media are not in it (see [`Media`]), nor is the output that has left the machine:
//! frames, sound, printed text. The bytes follow only from the machine's state, not from how a run was cut into pieces.
use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use super::{Parts, RestChunk, StateError, VideoChunk, codec};
use crate::sio::DRIVES;
use crate::{Config, ConfigError, Io, Machine, ProgramPort};
use cpu6502::Cpu;
use media::atr::Disk;
use media::cas::Tape;
use media::pages::Pages;

/// Parts are filled up to a multiple of this, so that one that grows does not move those after it.
const ROOM: usize = 512;
/// Numbers of the head.
const LENGTHS: usize = 7;

/// The last part: also the program port, whether the host folder has a host, PORTB, and whether OPTION is held at power-on. [`More`] of a
/// machine that has it follows, the [`crate::cartridge::Chip`] of its cartridge, and the [`crate::pointer::Pointing`] of one that has had a pointing device.
type Rest = (RestChunk, Option<ProgramPort>, bool, u8, bool);

/// The media in a machine's drives, recorder and program port. A clone shares its bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Media {
    disks: [Option<Arc<Disk>>; DRIVES],
    tape: Option<Arc<Tape>>,
    program: Option<Pages>,
}

/// `new`, or `old` if that is equal.
fn shared<T: Clone + PartialEq>(new: Option<&T>, old: Option<&Arc<T>>) -> Option<Arc<T>> {
    let new = new?;
    Some(match old {
        Some(old) if **old == *new => old.clone(),
        _ => Arc::new(new.clone()),
    })
}

impl Media {
    /// A number that differs for different contents.
    pub fn hash(&self) -> u64 {
        let mut sum = 0;
        for (i, disk) in self.disks.iter().enumerate() {
            if let Some(disk) = disk {
                sum = mix(sum, i as u64 + 1);
                let identity = disk.identity();
                sum = mix(
                    sum,
                    identity.length ^ u64::from(disk.write_protected()) << 63,
                );
                sum = mix(sum, identity.hash);
            }
        }
        if let Some(tape) = &self.tape {
            sum = mix(sum, hash(&tape.to_bytes()));
        }
        if let Some(program) = &self.program {
            for chunk in program.chunks() {
                sum = mix(sum, hash(chunk));
            }
        }
        sum
    }

    /// True if every medium is the very same memory as that of `other`.
    pub fn is_shared_with(&self, other: &Self) -> bool {
        fn same<T>(a: Option<&Arc<T>>, b: Option<&Arc<T>>) -> bool {
            match (a, b) {
                (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                (None, None) => true,
                _ => false,
            }
        }
        let mut disks = self.disks.iter().zip(&other.disks);
        disks.all(|(a, b)| same(a.as_ref(), b.as_ref()))
            && same(self.tape.as_ref(), other.tape.as_ref())
            && self.program == other.program
    }

    /// Bytes of memory that are not shared with `other`.
    pub fn bytes_beside(&self, other: &Self) -> usize {
        let disks = self.disks.iter().zip(&other.disks);
        let disks: usize = disks
            .map(|(a, b)| match (a, b) {
                (Some(a), Some(b)) if Arc::ptr_eq(a, b) => 0,
                (Some(a), b) => size_of::<Disk>() + a.memory_beside(b.as_deref()),
                (None, _) => 0,
            })
            .sum();
        let tape = match (&self.tape, &other.tape) {
            (Some(a), Some(b)) if Arc::ptr_eq(a, b) => 0,
            (Some(a), _) => a.memory(),
            (None, _) => 0,
        };
        let program = self.program.as_ref();
        let program = program.map_or(0, |p| p.memory_beside(other.program.as_ref()));
        disks + tape + program
    }
}

impl Serialize for Media {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let disks: Vec<Option<&Disk>> = self.disks.iter().map(Option::as_deref).collect();
        (disks, self.tape.as_deref(), &self.program).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Media {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        type Stored = (Vec<Option<Disk>>, Option<Tape>, Option<Pages>);
        let (disks, tape, program) = Stored::deserialize(deserializer)?;
        let mut disks = disks.into_iter();
        Ok(Self {
            disks: core::array::from_fn(|_| disks.next().flatten().map(Arc::new)),
            tape: tape.map(Arc::new),
            program,
        })
    }
}

/// A machine as a value: its configuration, its raw state and its media.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    config: Arc<Config>,
    raw: Vec<u8>,
    media: Media,
}

impl Snapshot {
    /// The machine as it is now.
    pub fn of(machine: &Machine) -> Self {
        let mut raw = Vec::new();
        machine.raw_state(&mut raw);
        Self {
            config: machine.config.clone(),
            raw,
            media: machine.media(&Media::default()),
        }
    }

    /// The machine of these parts.
    pub fn with(config: Arc<Config>, raw: Vec<u8>, media: Media) -> Self {
        Self { config, raw, media }
    }

    /// The configuration of the machine.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Its raw state.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Its media.
    pub fn media(&self) -> &Media {
        &self.media
    }

    /// Bytes of memory it takes, but for its media and ROMs.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.raw.len()
    }

    /// The machine; its picture is black until the next frame, and nothing has been heard or printed.
    ///
    /// # Errors
    /// When the bytes came from a file and are not those of a machine.
    pub fn machine(&self) -> Result<Machine, StateError> {
        let damaged = |_: ConfigError| StateError::Damaged;
        let mut machine = Machine::new(&self.config).map_err(damaged)?;
        machine.load_raw_state(&self.raw, &self.media)?;
        Ok(machine)
    }
}

/// # Raw states, for a timeline
impl Machine {
    /// [`Self::config`], to be kept.
    pub fn shared_config(&self) -> Arc<Config> {
        self.config.clone()
    }

    /// Puts the raw state into `into`, whatever was there: the whole machine but for its media and its output.
    ///
    /// ```
    /// # let config = machine::Config { model: machine::Model::Xl800, tv: machine::Tv::Ntsc, os: vec![0; 0x4000].into(),
    /// #     basic: None, cartridge: None, second: None, seed: 0, extras: machine::Extras::default() };
    /// use machine::{Machine, Media};
    ///
    /// let mut machine = Machine::new(&config)?;
    /// let mut raw = Vec::new();
    /// machine.run_frame();
    /// machine.raw_state(&mut raw);
    /// let media = machine.media(&Media::default());
    ///
    /// let mut other = Machine::new(&config)?;
    /// other.load_raw_state(&raw, &media)?;
    /// assert_eq!(other.state_hash(), machine.state_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn raw_state(&self, into: &mut Vec<u8>) {
        into.clear();
        self.append_raw_state(into);
    }

    /// [`Self::raw_state`] appended to `into`; returns its length.
    pub fn append_raw_state(&self, into: &mut Vec<u8>) -> usize {
        let from = into.len();
        let bus = &self.bus;
        let video = &bus.video;
        let ram = &bus.memory.ram()[..bus.memory.size().main()];
        let extended = bus.memory.size().extended();
        let mut antic = video.antic.clone();
        antic.clear_deadlines();
        antic.clear_unshown();
        let mut gtia = video.gtia.clone();
        gtia.sync_to(2 * video.cycle as usize, antic.an());
        let loads = gtia.loads();
        let switches = bus.cartridge.switches();
        let mut rest = codec::encode_fixed(&(
            RestChunk {
                input: bus.input,
                controls: self.input,
                option_until: bus.option_until,
                bank: switches[0].bank,
                cartridge_on: switches[0].on,
                program: None,
                host: bus.host.clone(),
            },
            bus.program.as_ref().map(ProgramPort::without_file),
            self.host_connected(),
            bus.memory.portb(),
            self.option_held,
        ));
        if let Some(more) = self.more() {
            rest.extend(codec::encode_fixed(&more));
        }
        if let Some(chip) = bus.cartridge.chip() {
            rest.extend(codec::encode_fixed(chip));
        }
        if !bus.pointing.is_new() {
            rest.extend(codec::encode_fixed(&bus.pointing));
        }
        let parts = [
            codec::encode_fixed(&self.cpu),
            codec::encode_fixed(&VideoChunk {
                antic: Cow::Owned(antic),
                gtia: Cow::Owned(gtia),
                line_start: video.line_start,
                cycle: video.cycle,
                stopped: video.stopped,
                missile_cycle: video.missile_cycle,
                frame: video.frame,
            }),
            codec::encode_fixed(&loads),
            codec::encode_fixed(&bus.io.without_media(self.now())),
            rest,
        ];
        let lengths = [ram.len(), extended].into_iter();
        for length in lengths.chain(parts.iter().map(Vec::len)) {
            into.extend_from_slice(&(length as u32).to_le_bytes());
        }
        into.extend_from_slice(ram);
        for bank in bus.memory.banks() {
            into.extend_from_slice(bank);
        }
        for part in &parts {
            into.extend_from_slice(part);
            into.resize(
                into.len() + part.len().next_multiple_of(ROOM) - part.len(),
                0,
            );
        }
        into.len() - from
    }

    /// Makes this machine the one of a raw state. It must be one of the same configuration; the picture is black until the next frame.
    ///
    /// # Errors
    /// When the bytes are not a state of such a machine; it is then unchanged.
    pub fn load_raw_state(&mut self, raw: &[u8], media: &Media) -> Result<(), StateError> {
        let (head, mut body) = raw
            .split_at_checked(4 * LENGTHS)
            .ok_or(StateError::Truncated)?;
        let (head, _) = head.as_chunks::<4>();
        let mut parts = [&[][..]; LENGTHS];
        for (i, (part, length)) in parts.iter_mut().zip(head).enumerate() {
            let length = u32::from_le_bytes(*length) as usize;
            let room = if i < 2 {
                length
            } else {
                length.next_multiple_of(ROOM)
            };
            let (taken, rest) = body.split_at_checked(room).ok_or(StateError::Truncated)?;
            *part = &taken[..length];
            body = rest;
        }
        let [ram, extended, cpu, video, loads, io, rest] = parts;
        let cpu: Cpu = decoded(cpu)?;
        let mut video: VideoChunk = decoded(video)?;
        video.gtia.to_mut().set_loads(Some(decoded(loads)?));
        let mut io: Io = decoded(io)?;
        let disks = core::array::from_fn(|i| media.disks[i].as_deref().cloned());
        io.sio.set_media(disks, media.tape.as_deref().cloned());
        let (more, chip);
        let (rest_of, mut tail): (Rest, &[u8]) = decoded_next(rest)?;
        let (rest, mut program, connected, portb, option_held) = rest_of;
        (more, tail) = next_if(self.more().is_some(), tail)?;
        (chip, tail) = next_if(self.bus.cartridge.chip().is_some(), tail)?;
        let (pointing, tail) = next_if(!tail.is_empty(), tail)?;
        if !tail.is_empty() {
            return Err(StateError::Damaged);
        }
        if let (Some(port), Some(file)) = (&mut program, &media.program) {
            port.set_file(file.clone());
        }
        self.install(Parts {
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
        })?;
        self.option_held = option_held;
        Ok(())
    }

    /// The media in the drives, the recorder and the program port; bytes that are equal to those of `old` are shared with it.
    pub fn media(&self, old: &Media) -> Media {
        Media {
            disks: core::array::from_fn(|i| shared(self.disk(i), old.disks[i].as_ref())),
            tape: shared(self.tape(), old.tape.as_ref()),
            program: self.bus.program.as_ref().map(|port| port.file().clone()),
        }
    }

    /// A hash of everything that decides how this machine runs on, media included. Equal machines have equal hashes, however
    /// the run that led there was cut into pieces.
    pub fn state_hash(&self) -> u64 {
        let mut raw = Vec::new();
        self.raw_state(&mut raw);
        Self::hash_of(&raw, self.media(&Media::default()).hash())
    }

    /// [`Self::state_hash`] of a machine whose raw state and hash of media are at hand.
    pub fn hash_of(raw: &[u8], media: u64) -> u64 {
        mix(hash(raw), media)
    }
}

fn decoded<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, StateError> {
    codec::decode_fixed(bytes).ok_or(StateError::Damaged)
}

/// The value at the beginning of `bytes`, and the bytes after it.
fn decoded_next<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<(T, &[u8]), StateError> {
    codec::decode_fixed_next(bytes).ok_or(StateError::Damaged)
}

/// [`decoded_next`] of a part that is not there always.
fn next_if<T: serde::de::DeserializeOwned>(
    is_there: bool,
    bytes: &[u8],
) -> Result<(Option<T>, &[u8]), StateError> {
    if !is_there {
        return Ok((None, bytes));
    }
    let (value, rest) = decoded_next(bytes)?;
    Ok((Some(value), rest))
}

/// Odd, with bits spread evenly: the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(a: u64, b: u64) -> u64 {
    let mixed = (a.rotate_left(23) ^ b).wrapping_mul(FACTOR);
    mixed ^ mixed >> 32
}

/// Four lanes of eight bytes, so that their multiplications do not wait for each other.
fn hash(bytes: &[u8]) -> u64 {
    let mut lanes = [1u64, 2, 3, 4];
    let (blocks, rest) = bytes.as_chunks::<32>();
    for block in blocks {
        let (words, _) = block.as_chunks::<8>();
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = mix(*lane, u64::from_le_bytes(*word));
        }
    }
    let mut sum = lanes.into_iter().fold(bytes.len() as u64, mix);
    for &byte in rest {
        sum = mix(sum, byte.into());
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_counts_in_the_hash() {
        let bytes = [0u8; 100];
        let mut seen = alloc::collections::BTreeSet::from([hash(&bytes), hash(&bytes[..99])]);
        for bit in 0..800 {
            let mut other = bytes;
            other[bit / 8] ^= 1 << (bit & 7);
            assert!(seen.insert(hash(&other)), "bit {bit}");
        }
    }
}
