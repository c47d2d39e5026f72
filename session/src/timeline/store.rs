//! Keyframes: states of the machine as differences, and the memory that they take.
use super::{Moment, Position};
use machine::{Machine, Media};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The sum of all [`Charge`]s.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger(Arc<AtomicUsize>);

impl Ledger {
    pub(super) fn bytes(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Counts `bytes` until the charge is dropped.
    pub(super) fn charge(&self, bytes: usize) -> Charge {
        self.0.fetch_add(bytes, Ordering::Relaxed);
        Charge {
            ledger: self.clone(),
            bytes: AtomicUsize::new(bytes),
        }
    }
}

/// Bytes that are counted as long as this lives.
#[derive(Debug)]
pub(super) struct Charge {
    ledger: Ledger,
    bytes: AtomicUsize,
}

impl Charge {
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self, bytes: usize) {
        let old = self.bytes.swap(bytes, Ordering::Relaxed);
        self.ledger.0.fetch_add(bytes, Ordering::Relaxed);
        self.ledger.0.fetch_sub(old, Ordering::Relaxed);
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        let bytes = *self.bytes.get_mut();
        self.ledger.0.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// A machine of the configuration that keyframes are restored into, and the state of which keys are differences.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) machine: Machine,
    raw: Vec<u8>,
    _charge: Charge,
}

impl Template {
    pub(super) fn new(machine: &Machine, ledger: &Ledger) -> Arc<Self> {
        let mut raw = Vec::new();
        machine.raw_state(&mut raw);
        let mut machine = machine.clone();
        // Media come with each keyframe.
        for drive in 0..8 {
            machine.eject_disk(drive);
        }
        machine.eject_tape();
        machine.set_drawing(true);
        Arc::new(Self {
            _charge: ledger.charge(machine_bytes(&machine) + raw.len()),
            machine,
            raw,
        })
    }
}

/// The approximate size of a copy of a machine: itself, the pool of its memory, and two frames.
pub(super) fn machine_bytes(machine: &Machine) -> usize {
    let frame = usize::from(machine.config().tv.lines()) * machine::Frame::WIDTH;
    size_of::<Machine>() + (256 << 10) + 2 * frame
}

/// A state of which other states are differences: once a minute.
#[derive(Debug)]
pub(super) struct Key {
    template: Arc<Template>,
    /// The state's length, and its bytes that differ from the template's.
    length: usize,
    packed: Box<[u8]>,
    _charge: Charge,
}

impl Key {
    fn raw(&self) -> Vec<u8> {
        apart(&self.packed, self.length, &self.template.raw)
    }
}

/// Media of one or more keyframes, charged with the media that a later keyframe does not have any more.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) media: Media,
    /// Its hash.
    pub(super) hash: u64,
    charge: Charge,
}

impl Held {
    pub(super) fn new(media: Media, ledger: &Ledger) -> Arc<Self> {
        Arc::new(Self {
            hash: media.hash(),
            media,
            charge: ledger.charge(0),
        })
    }

    /// Counts the media that this has and `later` does not.
    pub(super) fn superseded_by(&self, later: &Self) {
        self.charge.set(self.media.bytes_beside(&later.media));
    }
}

/// A state at a position.
#[derive(Debug)]
pub(super) struct Keyframe {
    pub(super) at: Position,
    /// The first state of a machine's life, whose picture is black anyway.
    pub(super) fresh: bool,
    key: Arc<Key>,
    length: usize,
    packed: Box<[u8]>,
    pub(super) held: Arc<Held>,
    _charge: Charge,
}

impl Keyframe {
    /// The machine, its picture still black.
    pub(super) fn machine(&self) -> Option<Machine> {
        let raw = apart(&self.packed, self.length, &self.key.raw());
        let mut machine = self.key.template.machine.clone();
        machine.load_raw_state(&raw, &self.held.media).ok()?;
        Some(machine)
    }
}

/// The difference between `raw` and `base`.
fn together(raw: &[u8], base: &[u8], buffer: &mut Vec<u8>) -> Box<[u8]> {
    buffer.clear();
    buffer.extend_from_slice(raw);
    exclusive_or(buffer, base);
    lz4_flex::block::compress(buffer).into_boxed_slice()
}

/// Separates the bytes that [`together`] has put together.
fn apart(packed: &[u8], length: usize, base: &[u8]) -> Vec<u8> {
    let mut raw = lz4_flex::block::decompress(packed, length).unwrap_or_default();
    exclusive_or(&mut raw, base);
    raw
}

fn exclusive_or(bytes: &mut [u8], base: &[u8]) {
    for (byte, base) in bytes.iter_mut().zip(base) {
        *byte ^= base;
    }
}

/// Makes keyframes; holds the state of which the next one is a difference.
#[derive(Debug)]
pub(super) struct Maker {
    ledger: Ledger,
    template: Arc<Template>,
    key: Option<(Moment, Arc<Key>, Vec<u8>)>,
    held: Arc<Held>,
    raw: Vec<u8>,
    buffer: Vec<u8>,
}

impl Maker {
    pub(super) fn new(machine: &Machine, ledger: &Ledger) -> Self {
        Self {
            ledger: ledger.clone(),
            template: Template::new(machine, ledger),
            key: None,
            held: Held::new(Media::default(), ledger),
            raw: Vec::new(),
            buffer: Vec::new(),
        }
    }

    /// The machine's life has begun again: nothing of the state before it is like the one now.
    pub(super) fn begin_anew(&mut self) {
        self.key = None;
    }

    /// The machine may be one of another configuration.
    pub(super) fn adopt(&mut self, machine: &Machine) {
        let (old, new) = (
            self.template.machine.shared_config(),
            machine.shared_config(),
        );
        if !Arc::ptr_eq(&old, &new) && old != new {
            self.key = None;
            self.template = Template::new(machine, &self.ledger);
        }
    }

    /// Takes the state of the machine; returns its hash.
    pub(super) fn look(&mut self, machine: &Machine) -> u64 {
        machine.raw_state(&mut self.raw);
        let media = machine.media(&self.held.media);
        if !media.is_shared_with(&self.held.media) {
            let held = Held::new(media, &self.ledger);
            self.held.superseded_by(&held);
            self.held = held;
        }
        Machine::hash_of(&self.raw, self.held.hash)
    }

    /// The keyframe of the state that was taken last; keys are `apart` cycles from each other.
    pub(super) fn keyframe(&mut self, at: Position, fresh: bool, minute: u64) -> Keyframe {
        let old = self.key.as_ref().filter(|(since, _, raw)| {
            at.moment.0.abs_diff(since.0) < minute && raw.len() == self.raw.len()
        });
        if old.is_none() {
            let packed = together(&self.raw, &self.template.raw, &mut self.buffer);
            let key = Arc::new(Key {
                _charge: self.ledger.charge(size_of::<Key>() + packed.len()),
                template: self.template.clone(),
                length: self.raw.len(),
                packed,
            });
            self.key = Some((at.moment, key, self.raw.clone()));
        }
        let Some((_, key, base)) = &self.key else {
            unreachable!("a key was made just now");
        };
        let packed = together(&self.raw, base, &mut self.buffer);
        Keyframe {
            at,
            fresh,
            key: key.clone(),
            length: self.raw.len(),
            _charge: self.ledger.charge(size_of::<Keyframe>() + packed.len()),
            packed,
            held: self.held.clone(),
        }
    }
}

/// Keyframes in the order of their positions.
#[derive(Debug, Default)]
pub(super) struct Keyframes(pub(super) VecDeque<Keyframe>);

impl Keyframes {
    /// Number of keyframes before or at a position.
    pub(super) fn until(&self, at: Position) -> usize {
        self.0.partition_point(|frame| frame.at <= at)
    }

    /// Number of keyframes whose moment is not later.
    pub(super) fn until_moment(&self, moment: Moment) -> usize {
        self.0.partition_point(|frame| frame.at.moment <= moment)
    }

    /// Puts a keyframe in its place, unless there is one.
    pub(super) fn insert(&mut self, frame: Keyframe) {
        let place = self.until(frame.at);
        if place == 0 || self.0[place - 1].at != frame.at {
            self.0.insert(place, frame);
        }
    }

    /// Puts later ones at the end.
    pub(super) fn append(&mut self, mut later: Self) {
        self.0.append(&mut later.0);
    }

    /// Those after a position.
    pub(super) fn split_off(&mut self, at: Position) -> Self {
        Self(self.0.split_off(self.until(at)))
    }

    /// The last one before a position, and the first one at or after it.
    fn around(&self, at: Position) -> [Option<&Keyframe>; 2] {
        let place = self.0.partition_point(|frame| frame.at < at);
        [
            place.checked_sub(1).and_then(|before| self.0.get(before)),
            self.0.get(place),
        ]
    }
}

/// Counts the media of keyframes again where one was put in or taken out: each counts only media that the next one does not have.
pub(super) fn recharge(lists: [&Keyframes; 2], at: Position) {
    let after = Position {
        events: at.events + 1,
        ..at
    };
    for place in [at, after] {
        let [[a, b], [c, d]] = lists.map(|list| list.around(place));
        let before = a.into_iter().chain(c).max_by_key(|frame| frame.at);
        let next = b.into_iter().chain(d).min_by_key(|frame| frame.at);
        if let (Some(before), Some(next)) = (before, next)
            && !Arc::ptr_eq(&before.held, &next.held)
        {
            before.held.superseded_by(&next.held);
        }
    }
}
