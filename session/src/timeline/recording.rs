//! Recordings: a timeline as a file.
//!
//! ```text
//! magic (8)  version (2)  sections ...  CRC-32 of everything before (4)
//! section:   tag (4)  length (4)  stored length (4)  LZ4 block
//!   MACH     a saved state of each machine that occurs, for its configuration
//!   STRT     the machine at the beginning: number in MACH, raw state, media
//!   EVNT     events with the cycles since the one before, in as many sections as there must be
//!   CHCK     a hash of the machine's state a second
//!   TAIL     the length of it all
//! ```
//! Numbers are little-endian. ROM images of others are not in a recording, as they are not in saved states: the player must have
//! them.
use super::{Check, Event, Moment, Position};
use machine::{Config, Machine, Media, MissingRom, Rom, Snapshot, StateError, codec};
use media::cartridge::Cartridge;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::borrow::Cow;
use std::sync::Arc;

const MAGIC: [u8; 8] = *b"ANTIREC\x1A";
/// The mark of a recording whose sections are not packed.
const LOOSE: [u8; 8] = *b"ANTILOO\x1A";
const VERSION: u16 = 1;
/// Memory that the events of a recording of `file` bytes may take beside the unpacked sections ([`codec::most_unpacked`]), so that reading it takes
/// at most 64 MB and eight times the file. A recording of more is written unpacked: an event takes 6 bytes or more in it.
const fn most_events(file: usize) -> usize {
    ((36 << 20) + file.saturating_mul(4)) / size_of::<(Moment, Event)>()
}
/// A section of events is ended at this length.
const SECTION: usize = 1 << 20;
/// Machines in one recording that are made of different parts.
const MACHINES: usize = 1000;
/// No recording takes eighty years.
const LATEST: u64 = 1 << 52;
/// Cycles from one check to the next, and from the last one to the end, are not more than this: a minute. A check is made every second, so
/// a file that claims time without checks was not made by a machine that ran.
const UNCHECKED: u64 = 60 * 60 * FRAME;
/// Cycles of a frame (PAL).
const FRAME: u64 = 312 * 114;
/// A machine begins again no more often than this, and once more in each frame: making one takes as long as running a frame.
const MACHINES_AT_ONCE: u64 = 1000;

/// Reason why bytes are not a recording that can be played.
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
    #[error("the recording unpacks to too much for its length: {0} MB and its events")]
    TooLong(usize),
    /// Its machine cannot be made, perhaps for want of a ROM.
    #[error("the machine of the recording: {0}")]
    Machine(#[from] StateError),
}

/// A machine, everything that was done to it, and hashes of its states.
///
/// ```
/// # let config = machine::Config { model: machine::Model::Xl800, tv: machine::Tv::Ntsc, os: machine::Rom::own(roms::OS_XL),
/// #     basic: Some(machine::Rom::own(roms::BASIC)), cartridge: None, second: None, seed: 0, extras: machine::Extras::default() };
/// use session::timeline::{Event, Forward, Limits, Recording, Timeline};
///
/// let mut machine = machine::Machine::new(&config)?;
/// let mut timeline = Timeline::new(&machine, Limits::default());
/// machine.run_frame();
/// timeline.apply(&mut machine, Event::Reset)?;
/// machine.run_frame();
/// timeline.frame(&machine);
/// let file = timeline.recording().unwrap().to_bytes()?;
///
/// let recording = Recording::parse(&file, &[], &[])?;
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

/// A machine of a recording.
#[derive(Serialize, Deserialize)]
struct StoredMachine {
    /// The configuration of the machine: a number in MACH.
    of: u32,
    #[serde(with = "serde_bytes")]
    raw: Vec<u8>,
    media: Media,
}

/// An event of a recording.
#[derive(Serialize, Deserialize)]
enum StoredEvent {
    Event(Event),
    Replace(StoredMachine),
}

/// The configurations of the machines, each once.
#[derive(Default)]
struct Machines<'a> {
    configs: Vec<&'a Config>,
}

impl<'a> Machines<'a> {
    fn store(&mut self, snapshot: &'a Snapshot, packed: bool) -> StoredMachine {
        let config = snapshot.config();
        let known = self.configs.iter().position(|known| *known == config);
        let of = known.unwrap_or_else(|| {
            self.configs.push(config);
            self.configs.len() - 1
        });
        StoredMachine {
            of: of as u32,
            raw: if packed {
                snapshot.raw().to_vec()
            } else {
                beside_new(config, snapshot.raw())
            },
            media: snapshot.media().clone(),
        }
    }

    /// Saved states of new machines.
    fn states(&self) -> Vec<Vec<u8>> {
        let states = self.configs.iter().filter_map(|config| {
            let mut machine = Machine::new(config).ok()?;
            // The noise of power-on is not needed, and takes room.
            (0..=0xFFFF).for_each(|address| machine.poke(address, 0));
            Some(machine.save_state())
        });
        states.collect()
    }
}

fn restored(
    configs: &[Arc<Config>],
    stored: StoredMachine,
    loose: bool,
) -> Result<Snapshot, RecordingError> {
    let config = configs.get(stored.of as usize);
    let config = config.ok_or(RecordingError::Damaged)?.clone();
    let raw = if loose {
        beside_new(&config, &stored.raw)
    } else {
        stored.raw
    };
    Ok(Snapshot::with(config, raw, stored.media))
}

/// A raw state by its differences from that of a machine that has just been switched on (exclusive or), and back: the noise of power-on
/// cannot be compressed.
fn beside_new(config: &Config, raw: &[u8]) -> Vec<u8> {
    let mut new = Vec::new();
    if let Ok(machine) = Machine::new(config) {
        machine.raw_state(&mut new);
    }
    let new = new.into_iter().chain(std::iter::repeat(0));
    raw.iter().zip(new).map(|(a, b)| a ^ b).collect()
}

impl Recording {
    /// The configuration of the machine at the beginning.
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
        self.written(true).or_else(|error| match error {
            RecordingError::TooLong(_) => self.written(false),
            error => Err(error),
        })
    }

    /// The recording with nothing packed, and machines by their difference from those just switched on, to be compressed as a whole by something
    /// better than LZ4.
    ///
    /// # Errors
    /// When it would be too long to be read again.
    pub fn to_loose_bytes(&self) -> Result<Vec<u8>, RecordingError> {
        self.written(false)
    }

    fn written(&self, packed: bool) -> Result<Vec<u8>, RecordingError> {
        let mut machines = Machines::default();
        let start = machines.store(&self.start, packed);
        let mut events = vec![Vec::new()];
        let mut length = 0;
        let mut before = 0;
        for (at, event) in &self.events {
            let event = match event {
                Event::Replace(snapshot) => StoredEvent::Replace(machines.store(snapshot, packed)),
                event => StoredEvent::Event(event.clone()),
            };
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
        let mut writer = Writer::new(packed);
        writer.section(*b"MACH", &codec::encode(&machines.states()));
        writer.section(*b"STRT", &codec::encode(&start));
        for events in &events {
            writer.section(*b"EVNT", events);
        }
        writer.section(*b"CHCK", &codec::encode(&checks));
        writer.section(*b"TAIL", &codec::encode(&self.newest.0));
        writer.finish(self.events.len())
    }

    /// The ROMs that have to be brought to [`Self::parse`].
    ///
    /// # Errors
    /// When it is not a recording.
    pub fn needs(bytes: &[u8]) -> Result<Vec<MissingRom>, RecordingError> {
        let sections = sections(bytes)?;
        let found = sections.iter().find(|section| section.tag == *b"MACH");
        let states = found.ok_or(RecordingError::Damaged)?.unpack()?;
        let states: Vec<Vec<u8>> = decoded(&states)?;
        let mut needs = Vec::new();
        for state in &states {
            needs.extend(machine::state_info(state)?.needs);
        }
        Ok(needs)
    }

    /// Reads a file. `roms` and `cartridges` may hold what is not in it ([`Self::needs`]).
    ///
    /// # Errors
    /// Why it cannot be played.
    pub fn parse(
        bytes: &[u8],
        roms: &[Rom],
        cartridges: &[Cartridge],
    ) -> Result<Self, RecordingError> {
        use RecordingError::Damaged;
        let sections = sections(bytes)?;
        let find = |wanted: &[u8; 4]| {
            let found = sections.iter().find(|section| section.tag == *wanted);
            found.ok_or(Damaged)?.unpack()
        };
        // Lengths first: a section that claims too much is not unpacked.
        let newest = Moment(decoded(&find(b"TAIL")?)?);
        let checks: Vec<Check> = decoded::<Vec<(u64, u64, u64)>>(&find(b"CHCK")?)?
            .into_iter()
            .map(|(moment, events, hash)| Check {
                at: Position {
                    moment: Moment(moment),
                    events,
                },
                hash,
            })
            .collect();
        let states: Vec<Vec<u8>> = decoded(&find(b"MACH")?)?;
        if states.len() > MACHINES {
            return Err(Damaged);
        }
        let machines = states
            .iter()
            .map(|state| Ok(Machine::from_state(state, roms, cartridges)?.shared_config()))
            .collect::<Result<Vec<_>, StateError>>()?;
        let loose = bytes.starts_with(&LOOSE);
        let start = restored(&machines, decoded(&find(b"STRT")?)?, loose)?;
        let stored = sections.iter().filter(|section| section.tag == *b"EVNT");
        let events = events(stored, bytes.len(), |stored| {
            restored(&machines, stored, loose)
        })?;
        let moment = events.last().map_or(0, |(moment, _)| moment.0);
        if moment > newest.0 || newest.0 > LATEST || !are_met(&checks, &events, newest) {
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

/// The events of a file of `length` bytes; `machine` makes those that it restores.
fn events<'a>(
    sections: impl Iterator<Item = &'a Section<'a>>,
    length: usize,
    machine: impl Fn(StoredMachine) -> Result<Snapshot, RecordingError>,
) -> Result<Vec<(Moment, Event)>, RecordingError> {
    use RecordingError::Damaged;
    let mut events = Vec::new();
    let mut moment = 0u64;
    let mut fresh = 0;
    for section in sections {
        let data = section.unpack()?;
        let mut rest = &data[..];
        while !rest.is_empty() {
            let (since, event): (u64, StoredEvent) =
                codec::decode_next(&mut rest).ok_or(Damaged)?;
            moment = moment.saturating_add(since);
            let event = match event {
                StoredEvent::Event(event) => event,
                StoredEvent::Replace(stored) => Event::Replace(Box::new(machine(stored)?)),
            };
            fresh += u64::from(event.begins_anew());
            if fresh > MACHINES_AT_ONCE + moment / FRAME {
                return Err(Damaged);
            }
            if events.len() == most_events(length) {
                return Err(RecordingError::TooLong(data.len() >> 20));
            }
            events.push((Moment(moment), event));
        }
    }
    Ok(events)
}

/// True if a machine that runs the events to the end comes by all checks: each has a position that exists, and the next one is near.
fn are_met(checks: &[Check], events: &[(Moment, Event)], newest: Moment) -> bool {
    let mut before = Position::default();
    for (number, check) in checks.iter().enumerate() {
        let Position {
            moment,
            events: done,
        } = check.at;
        // As many events as happened before that moment, and some of those that happened at it.
        let least = events.partition_point(|(at, _)| *at < moment) as u64;
        let most = events.partition_point(|(at, _)| *at <= moment) as u64;
        let ordered = number == 0 || before < check.at;
        let near = moment.0.saturating_sub(before.moment.0) <= UNCHECKED;
        if !ordered || !near || !(least..=most).contains(&done) {
            return false;
        }
        before = check.at;
    }
    before.moment <= newest && newest.0 - before.moment.0 <= UNCHECKED
}

fn decoded<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, RecordingError> {
    codec::decode(bytes).ok_or(RecordingError::Damaged)
}

struct Writer {
    out: Vec<u8>,
    unpacked: usize,
    packed: bool,
}

impl Writer {
    fn new(packed: bool) -> Self {
        let mut out = if packed { MAGIC } else { LOOSE }.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        Self {
            out,
            unpacked: 0,
            packed,
        }
    }

    fn section(&mut self, tag: [u8; 4], data: &[u8]) {
        let packed: Cow<[u8]> = if self.packed {
            lz4_flex::block::compress(data).into()
        } else {
            data.into()
        };
        self.unpacked += data.len();
        self.out.extend_from_slice(&tag);
        for length in [data.len(), packed.len()] {
            self.out.extend_from_slice(&(length as u32).to_le_bytes());
        }
        self.out.extend_from_slice(&packed);
    }

    fn finish(mut self, events: usize) -> Result<Vec<u8>, RecordingError> {
        let length = self.out.len();
        if self.unpacked > codec::most_unpacked(length) || events > most_events(length) {
            return Err(RecordingError::TooLong(self.unpacked >> 20));
        }
        let sum = codec::crc32(&self.out);
        self.out.extend_from_slice(&sum.to_le_bytes());
        Ok(self.out)
    }
}

/// A section of a file, as it is there.
struct Section<'a> {
    tag: [u8; 4],
    /// Unpacked.
    length: usize,
    data: &'a [u8],
    loose: bool,
}

impl<'a> Section<'a> {
    fn unpack(&self) -> Result<Cow<'a, [u8]>, RecordingError> {
        if !self.loose {
            let data = lz4_flex::block::decompress(self.data, self.length);
            return data.map(Cow::from).map_err(|_| RecordingError::Damaged);
        }
        if self.data.len() != self.length {
            return Err(RecordingError::Damaged);
        }
        Ok(self.data.into())
    }
}

/// The sections of a file; its sum is checked. Each is unpacked only while it is read.
fn sections(bytes: &[u8]) -> Result<Vec<Section<'_>>, RecordingError> {
    use RecordingError::{Damaged, Foreign, Newer, TooLong, Truncated};
    let loose = bytes.strip_prefix(&LOOSE);
    let Some(rest) = loose.or_else(|| bytes.strip_prefix(&MAGIC)) else {
        let cut = !bytes.is_empty() && (MAGIC.starts_with(bytes) || LOOSE.starts_with(bytes));
        return Err(if cut { Truncated } else { Foreign });
    };
    let (version, rest) = rest.split_first_chunk::<2>().ok_or(Truncated)?;
    let version = u16::from_le_bytes(*version);
    if version > VERSION {
        return Err(Newer(version));
    }
    let (mut rest, sum) = rest.split_last_chunk::<4>().ok_or(Truncated)?;
    let mut found: Vec<Section> = Vec::new();
    let mut unpacked = 0;
    while !rest.is_empty() {
        let (tag, after) = rest.split_first_chunk::<4>().ok_or(Truncated)?;
        let (length, after) = after.split_first_chunk::<4>().ok_or(Truncated)?;
        let (stored, after) = after.split_first_chunk::<4>().ok_or(Truncated)?;
        let length = u32::from_le_bytes(*length) as usize;
        let stored = u32::from_le_bytes(*stored) as usize;
        let (data, after) = after.split_at_checked(stored).ok_or(Truncated)?;
        rest = after;
        unpacked += length;
        found.push(Section {
            tag: *tag,
            length,
            data,
            loose: loose.is_some(),
        });
    }
    if found.last().is_none_or(|section| section.tag != *b"TAIL") {
        return Err(Truncated);
    }
    let body = &bytes[..bytes.len() - 4];
    if codec::crc32(body) != u32::from_le_bytes(*sum) {
        return Err(Damaged);
    }
    if unpacked > codec::most_unpacked(bytes.len()) {
        return Err(TooLong(unpacked >> 20));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::{Forward, Limits, Timeline};
    use super::*;
    use machine::{Model, NoProbe, Tv};

    /// Half a second of a machine, with an event.
    fn recorded() -> Recording {
        let config = Config {
            model: Model::Xl800,
            tv: Tv::Ntsc,
            os: Rom::own(roms::OS_XL),
            basic: None,
            cartridge: None,
            second: None,
            seed: 0,
            extras: machine::Extras::default(),
        };
        let mut machine = Machine::new(&config).unwrap();
        let mut timeline = Timeline::new(&machine, Limits::default());
        for frame in 0..70 {
            if frame == 20 {
                timeline.apply(&mut machine, Event::Reset).unwrap();
            }
            machine.run_frame();
            timeline.frame(&machine);
        }
        timeline.recording().unwrap()
    }

    fn read_again(recording: &Recording) -> Result<Recording, RecordingError> {
        Recording::parse(&recording.to_bytes().unwrap(), &[], &[])
    }

    /// The case of this name: a check that wants more events than there are stood still for ever.
    #[test]
    fn recording_hang() {
        let good = recorded();
        assert_eq!(read_again(&good).unwrap(), good);
        let last = good.checks.len() - 1;
        for events in [0, 2, u64::MAX] {
            let mut bad = good.clone();
            bad.checks[last].at.events = events;
            assert_eq!(read_again(&bad), Err(RecordingError::Damaged), "{events}");
            // A recording that was not read from a file plays without a delay; a check that would come later is told.
            let newest = bad.newest;
            let (mut timeline, mut machine) = Timeline::play(bad, Limits::default()).unwrap();
            let mut differs = 0;
            for _ in 0..80 {
                let forward = timeline.forward_frame(&mut machine, &mut NoProbe);
                differs += u32::from(matches!(forward, Forward::Differs(_)));
            }
            assert!(timeline.cursor().moment >= newest, "{events}");
            assert_eq!(differs, u32::from(events > 1), "{events}");
        }
    }

    /// The case `freeze-link`: time that no machine ran is not run.
    #[test]
    fn time_without_checks_is_not_believed() {
        for claimed in [1 << 51, UNCHECKED * 2 + FRAME] {
            let mut bad = recorded();
            bad.newest = Moment(claimed);
            assert_eq!(read_again(&bad), Err(RecordingError::Damaged), "{claimed}");
        }
        let mut bad = recorded();
        bad.checks.clear();
        assert!(read_again(&bad).is_ok(), "a second needs no check");
        bad.newest = Moment(UNCHECKED + 1);
        assert_eq!(read_again(&bad), Err(RecordingError::Damaged));
    }

    #[test]
    fn a_machine_does_not_begin_anew_all_the_time() {
        let mut bad = recorded();
        bad.checks.clear();
        let cycles = |count| std::iter::repeat_n((bad.newest, Event::PowerCycle), count);
        let (few, many) = (cycles(900).collect(), cycles(1_200).collect());
        bad.events = few;
        assert!(read_again(&bad).is_ok());
        bad.events = many;
        assert_eq!(read_again(&bad), Err(RecordingError::Damaged));
    }

    /// Events that pack well take much more memory than their file: then the recording is written unpacked, and a packed file that claims them is
    /// refused.
    #[test]
    fn events_take_no_more_memory_than_their_file_allows() {
        let mut long = recorded();
        long.checks.clear();
        let many = most_events(0) + most_events(0) / 2;
        let held = std::iter::repeat_n(
            (long.newest, Event::Controls(machine::Input::default())),
            many,
        );
        long.events = held.collect();
        assert!(matches!(
            long.written(true),
            Err(RecordingError::TooLong(_))
        ));
        assert_eq!(read_again(&long).unwrap().events.len(), many);
        long.events.truncate(1000);
        let few = long.to_bytes().unwrap();
        assert!(few.starts_with(&MAGIC));
    }
}
