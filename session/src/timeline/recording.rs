//! Recordings: a timeline as a file.
//!
//! ```text
//! magic (8)  version (2)  sections ...  CRC-32 of everything before (4)
//! section:   tag (4)  length (4)  stored length (4)  LZ4 block
//!   ROMS     the OS and BASIC images: length and hash, and the bytes of our own
//!   STRT     the machine at the beginning, its ROMs by their number
//!   EVNT     events with the cycles since the one before, in as many sections as there must be
//!   CHCK     a hash of the machine's state a second
//!   TAIL     the length of it all
//! ```
//! Numbers are little-endian. ROM images of others are not in a recording: who plays it must have them.
use super::{Check, Event, Moment, Position};
use machine::{Snapshot, codec, rom_hash};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

const MAGIC: [u8; 8] = *b"ANTIREC\x1A";
const VERSION: u16 = 1;
/// All sections of a file together are not longer than this.
const LONGEST: usize = 256 << 20;
/// A section of events is ended at this length.
const SECTION: usize = 1 << 20;
/// No recording takes a hundred years.
const LATEST: u64 = 1 << 52;

/// Why bytes are no recording that can be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    /// Another kind of file.
    #[error("this is not a recording of Anticlock")]
    Foreign,
    /// The file ends early.
    #[error("the recording is cut off")]
    Truncated,
    /// The check sum is wrong, or the contents make no sense.
    #[error("the recording is damaged")]
    Damaged,
    /// Made by a later release.
    #[error(
        "the recording was made by a newer version of Anticlock (version {0}, this one knows {VERSION})"
    )]
    Newer(u16),
    /// More than fits.
    #[error("the recording is too long: {0} MB unpacked, {max} are the most", max = LONGEST >> 20)]
    TooLong(usize),
    /// A ROM image is needed.
    #[error(
        "the recording was made with another {kind} ROM of {length} bytes (hash {hash:016x}); name that ROM"
    )]
    Rom {
        /// "OS" or "BASIC".
        kind: &'static str,
        /// Its length.
        length: usize,
        /// Its [`rom_hash`].
        hash: u64,
    },
}

/// A machine, everything that was done to it, and hashes of its states.
///
/// ```
/// # let config = machine::Config { model: machine::Model::Xl800, tv: machine::Tv::Ntsc, os: roms::OS_XL.to_vec(),
/// #     basic: Some(roms::BASIC.to_vec()), cartridge: None, seed: 0 };
/// use session::timeline::{Event, Forward, Limits, Recording, Timeline};
///
/// let mut machine = machine::Machine::new(&config)?;
/// let mut timeline = Timeline::new(&machine, Limits::default());
/// machine.run_frame();
/// timeline.apply(&mut machine, Event::Reset)?;
/// machine.run_frame();
/// timeline.frame(&machine);
/// let file = timeline.recording().to_bytes()?;
///
/// let recording = Recording::parse(&file, |_| None)?;
/// let (mut timeline, mut again) = Timeline::play(recording, Limits::default())?;
/// while !timeline.is_live() {
///     assert_eq!(timeline.forward_frame(&mut again, &mut machine::NoProbe), Forward::Done);
/// }
/// assert_eq!(again.state_hash(), machine.state_hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    pub(super) start: Snapshot,
    pub(super) events: Vec<(Moment, Event)>,
    pub(super) checks: Vec<Check>,
    pub(super) newest: Moment,
}

/// A ROM image of a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Rom {
    length: usize,
    hash: u64,
    #[serde(with = "serde_bytes")]
    image: Option<Vec<u8>>,
}

/// Numbers of the OS and BASIC of each machine: the first one, and those that replaced it.
type RomNumbers = Vec<(u32, Option<u32>)>;

impl Recording {
    /// What the machine at the beginning is made of.
    pub fn config(&self) -> &machine::Config {
        self.start.config()
    }

    /// Its length.
    pub fn newest(&self) -> Moment {
        self.newest
    }

    /// Number of events.
    pub fn events(&self) -> usize {
        self.events.len()
    }

    /// The file.
    ///
    /// # Errors
    /// When it would be too long to be read again.
    pub fn to_bytes(&self) -> Result<Vec<u8>, RecordingError> {
        let mut roms: Vec<Rom> = Vec::new();
        let mut numbers: RomNumbers = Vec::new();
        let mut number = |image: Vec<u8>| {
            let hash = rom_hash(&image);
            let known = roms.iter().position(|rom| rom.hash == hash);
            let index = known.unwrap_or_else(|| {
                let own = [roms::OS_XL, roms::OS_800, roms::BASIC].contains(&&image[..]);
                roms.push(Rom {
                    length: image.len(),
                    hash,
                    image: own.then_some(image),
                });
                roms.len() - 1
            });
            index as u32
        };
        let mut without_roms = |snapshot: &mut Snapshot| {
            let config = snapshot.config_mut();
            let os = number(std::mem::take(&mut config.os));
            let basic = config.basic.as_mut().map(std::mem::take).map(&mut number);
            numbers.push((os, basic));
        };
        let mut start = self.start.clone();
        without_roms(&mut start);
        let mut events = vec![Vec::new()];
        let mut length = 0;
        let mut before = 0;
        for (at, event) in &self.events {
            let mut event = event.clone();
            if let Event::Replace(snapshot) = &mut event {
                without_roms(snapshot);
            }
            let event = codec::encode(&(at.0 - before, event));
            before = at.0;
            length += event.len();
            if length > SECTION {
                length = event.len();
                events.push(Vec::new());
            }
            if let Some(last) = events.last_mut() {
                last.extend(event);
            }
        }
        let checks: Vec<_> = self
            .checks
            .iter()
            .map(|check| (check.at.moment.0, check.at.events, check.hash))
            .collect();
        let mut writer = Writer::default();
        writer.section(*b"ROMS", &codec::encode(&(&roms, &numbers)));
        writer.section(*b"STRT", &codec::encode(&start));
        for events in &events {
            writer.section(*b"EVNT", events);
        }
        writer.section(*b"CHCK", &codec::encode(&checks));
        writer.section(*b"TAIL", &codec::encode(&self.newest.0));
        writer.finish()
    }

    /// Reads a file. `rom` is asked for the ROM images that are not in it, by their [`rom_hash`].
    ///
    /// # Errors
    /// Why it cannot be played.
    pub fn parse(
        bytes: &[u8],
        mut rom: impl FnMut(u64) -> Option<Vec<u8>>,
    ) -> Result<Self, RecordingError> {
        use RecordingError::Damaged;
        let sections = sections(bytes)?;
        let find = |wanted: &[u8; 4]| {
            let found = sections.iter().find(|(tag, _)| tag == wanted);
            found.map(|(_, data)| &data[..]).ok_or(Damaged)
        };
        let (mut images, numbers): (Vec<Rom>, RomNumbers) = decoded(find(b"ROMS")?)?;
        let mut numbers = numbers.into_iter();
        let mut image = |number: u32, kind: &'static str| {
            let wanted = images.get_mut(number as usize).ok_or(Damaged)?;
            if wanted.image.is_none() {
                let found = rom(wanted.hash).filter(|image| rom_hash(image) == wanted.hash);
                wanted.image = Some(found.ok_or(RecordingError::Rom {
                    kind,
                    length: wanted.length,
                    hash: wanted.hash,
                })?);
            }
            wanted.image.clone().ok_or(Damaged)
        };
        let mut with_roms = |snapshot: &mut Snapshot| {
            let (os, basic) = numbers.next().ok_or(Damaged)?;
            let config = snapshot.config_mut();
            config.os = image(os, "OS")?;
            config.basic = basic.map(|basic| image(basic, "BASIC")).transpose()?;
            Ok(())
        };
        let mut start: Snapshot = decoded(find(b"STRT")?)?;
        with_roms(&mut start)?;
        let newest = Moment(decoded(find(b"TAIL")?)?);
        let mut events = Vec::new();
        let mut moment = 0u64;
        for (_, data) in sections.iter().filter(|(tag, _)| tag == b"EVNT") {
            let mut rest = &data[..];
            while !rest.is_empty() {
                let (since, mut event): (u64, Event) =
                    codec::decode_next(&mut rest).ok_or(Damaged)?;
                moment = moment.saturating_add(since);
                if let Event::Replace(snapshot) = &mut event {
                    with_roms(snapshot)?;
                }
                if !event.is_valid() {
                    return Err(Damaged);
                }
                events.push((Moment(moment), event));
            }
        }
        let checks: Vec<(u64, u64, u64)> = decoded(find(b"CHCK")?)?;
        let checks: Vec<_> = checks
            .into_iter()
            .map(|(moment, events, hash)| Check {
                at: Position {
                    moment: Moment(moment),
                    events,
                },
                hash,
            })
            .collect();
        let ordered = checks.is_sorted_by(|a, b| a.at < b.at);
        let last = checks.last().map_or(0, |check| check.at.moment.0);
        if !ordered || moment.max(last) > newest.0 || newest.0 > LATEST {
            return Err(Damaged);
        }
        Ok(Self {
            start,
            events,
            checks,
            newest,
        })
    }
}

fn decoded<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, RecordingError> {
    codec::decode(bytes).ok_or(RecordingError::Damaged)
}

struct Writer {
    out: Vec<u8>,
    unpacked: usize,
}

impl Default for Writer {
    fn default() -> Self {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        Self { out, unpacked: 0 }
    }
}

impl Writer {
    fn section(&mut self, tag: [u8; 4], data: &[u8]) {
        let packed = lz4_flex::block::compress(data);
        self.unpacked += data.len();
        self.out.extend_from_slice(&tag);
        for length in [data.len(), packed.len()] {
            self.out.extend_from_slice(&(length as u32).to_le_bytes());
        }
        self.out.extend_from_slice(&packed);
    }

    fn finish(mut self) -> Result<Vec<u8>, RecordingError> {
        if self.unpacked > LONGEST {
            return Err(RecordingError::TooLong(self.unpacked >> 20));
        }
        let sum = codec::crc32(&self.out);
        self.out.extend_from_slice(&sum.to_le_bytes());
        Ok(self.out)
    }
}

type Section = ([u8; 4], Vec<u8>);

/// The sections of a file. Nothing is unpacked before everything was checked.
fn sections(bytes: &[u8]) -> Result<Vec<Section>, RecordingError> {
    use RecordingError::{Damaged, Foreign, Newer, TooLong, Truncated};
    let Some(rest) = bytes.strip_prefix(&MAGIC) else {
        let cut = !bytes.is_empty() && MAGIC.starts_with(bytes);
        return Err(if cut { Truncated } else { Foreign });
    };
    let (version, rest) = rest.split_first_chunk::<2>().ok_or(Truncated)?;
    let version = u16::from_le_bytes(*version);
    if version > VERSION {
        return Err(Newer(version));
    }
    let (mut rest, sum) = rest.split_last_chunk::<4>().ok_or(Truncated)?;
    let mut found = Vec::new();
    let mut unpacked = 0;
    let mut ended = false;
    while !rest.is_empty() {
        let (tag, after) = rest.split_first_chunk::<4>().ok_or(Truncated)?;
        let (length, after) = after.split_first_chunk::<4>().ok_or(Truncated)?;
        let (stored, after) = after.split_first_chunk::<4>().ok_or(Truncated)?;
        let length = u32::from_le_bytes(*length) as usize;
        let stored = u32::from_le_bytes(*stored) as usize;
        let (data, after) = after.split_at_checked(stored).ok_or(Truncated)?;
        rest = after;
        ended = tag == b"TAIL";
        unpacked += length;
        found.push((*tag, length, data));
    }
    if !ended {
        return Err(Truncated);
    }
    let body = &bytes[..bytes.len() - 4];
    if codec::crc32(body) != u32::from_le_bytes(*sum) {
        return Err(Damaged);
    }
    if unpacked > LONGEST {
        return Err(TooLong(unpacked >> 20));
    }
    found
        .into_iter()
        .map(|(tag, length, data)| {
            let data = lz4_flex::block::decompress(data, length).map_err(|_| Damaged)?;
            Ok((tag, data))
        })
        .collect()
}
