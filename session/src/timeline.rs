//! One past for rewind, debugger, replay and recordings: everything that reached a machine from outside, and keyframes of its states.
//!
//! A machine does the same twice when the same is done to it, so any moment is reached by running again from a keyframe before it
//! with the recorded [`Event`]s. A [`Timeline`] keeps a keyframe a second, told as differences (about a kilobyte each); one a frame
//! for the last minute, and whole copies of the last frames, where it is asked to ([`Limits`]).
//!
//! # The cursor
//! The caller owns the machine. The timeline has a *cursor*, the position of that machine: a [`Moment`] and the number of events that
//! have happened. It moves
//! - forward with the machine, whenever the timeline is told of it ([`Timeline::frame`], [`Timeline::apply`]);
//! - to anywhere with [`Timeline::goto`], which puts the machine of that moment in place of the caller's;
//! - forward over what is recorded with [`Timeline::forward`], which applies the recorded events to the machine.
//!
//! Going back destroys nothing. While the cursor is before [`Timeline::newest`], the future is still there, and the machine that
//! does the same again stays on it. As soon as something else happens (another event, or a recorded one is left out), a
//! *branch* begins: the old future is kept under its [`BranchId`], and [`Timeline::switch`] leads back to it.
//!
//! # Moments
//! The machine's own clock begins again with its power, and jumps when a state is loaded; a [`Moment`] counts the cycles that were run since
//! the timeline began. The machine *of* a moment is the one after everything that happened at it. [`Timeline::moment_of`] translates.
mod branches;
mod event;
mod memory;
mod recording;
mod store;
mod stores;
mod visit;

pub use event::{Event, EventError, Register};
pub use recording::{Recording, RecordingError};
pub use visit::{Piece, Visit};

use machine::{Machine, Media, NoProbe, Probe, Snapshot, StateError};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;
use store::{Charge, Keyframe, Keyframes, Ledger, Maker};
use stores::{Noting, Stretches};

/// Cycles of the machine that were run since the timeline began.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Moment(pub u64);

/// A moment and the number of events that happened up to it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Position {
    /// Its moment.
    pub moment: Moment,
    /// Events since the timeline began.
    pub events: u64,
}

impl Position {
    /// After everything that happened at this moment.
    const fn after(moment: Moment) -> Self {
        Self {
            moment,
            events: u64::MAX - 1,
        }
    }
}

/// The name of a branch: a future that was left, or the present one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BranchId(pub u32);

/// A branch, for a list of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its name.
    pub id: BranchId,
    /// The moment at which it leaves the present line; of a branch of a branch, the one at which it leaves that one.
    pub from: Moment,
    /// The last moment of it.
    pub newest: Moment,
    /// The branch that it leaves, if that is not the present line.
    pub of: Option<BranchId>,
}

/// The memory that a timeline may use, and its resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes; beyond them the oldest reachable moment moves up. 0 = nothing is remembered.
    pub bytes: usize,
    /// Keep a keyframe of each frame for this many frames: for single steps back. 0 = only those of seconds.
    pub frames: usize,
    /// Keep copies of the machine of this many last frames: for the fastest steps. Each takes nearly a megabyte.
    pub copies: usize,
    /// Keyframes older than this many seconds thin out to one in eight.
    pub dense: u32,
    /// Note which addresses are stored to: for questions about long ago ([`Timeline::untouched_since`]). About half a kilobyte a second.
    pub stores: bool,
}

impl Default for Limits {
    /// 64 MB, a keyframe a second for an hour.
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            frames: 0,
            copies: 0,
            dense: 3600,
            stores: false,
        }
    }
}

impl Limits {
    /// Nothing is remembered: moments are counted, and only the present one can be reached.
    pub const OFF: Self = Self {
        bytes: 0,
        frames: 0,
        copies: 0,
        dense: 0,
        stores: false,
    };

    /// For a debugger: a keyframe a frame for the last minute, copies of the last ten frames, stores noted.
    #[must_use]
    pub fn debugger() -> Self {
        Self {
            frames: 3600,
            copies: 10,
            stores: true,
            ..Self::default()
        }
    }
}

/// Result of [`Timeline::forward`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Forward {
    /// At the moment it was asked to go to.
    Done,
    /// The probe stopped it.
    Stopped,
    /// The state at this moment is not the recorded one: this machine is another one than the recorded one was.
    Differs(Moment),
}

#[derive(Debug)]
struct Recorded {
    at: Moment,
    event: Event,
    charge: Charge,
}

impl Recorded {
    fn new(at: Moment, event: Event, ledger: &Ledger) -> Self {
        let bytes = size_of::<Self>() + event.bytes();
        Self {
            at,
            event,
            charge: ledger.charge(bytes),
        }
    }
}

/// The hash of the state at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Check {
    at: Position,
    hash: u64,
}

/// A stretch of time: the present line from its beginning, or a branch from where it left another.
#[derive(Debug, Default)]
struct Line {
    events: VecDeque<Recorded>,
    checks: VecDeque<Check>,
    seconds: Keyframes,
    frames: Keyframes,
    stores: Stretches,
    newest: Moment,
}

impl Line {
    fn recharge(&self, at: Position) {
        store::recharge([&self.seconds, &self.frames], at);
    }

    /// Takes out the first or last keyframe of a frame; false if nothing is left.
    fn forget_frame(&mut self, first: bool) -> bool {
        let frames = &mut self.frames.0;
        let gone = if first {
            frames.pop_front()
        } else {
            frames.pop_back()
        };
        let Some(gone) = gone else {
            return false;
        };
        self.recharge(gone.at);
        true
    }
}

/// A branch that is not the present one.
#[derive(Debug)]
struct Kept {
    id: BranchId,
    of: Option<BranchId>,
    from: Position,
    line: Line,
    /// The larger the later it was left.
    left: u64,
}

/// A whole machine.
#[derive(Debug)]
struct Copied {
    at: Position,
    machine: Box<Machine>,
    _charge: Charge,
}

/// See the [module](self).
///
/// ```
/// # let config = machine::Config { model: machine::Model::Xl800, tv: machine::Tv::Ntsc, os: machine::Rom::own(roms::OS_XL),
/// #     basic: Some(machine::Rom::own(roms::BASIC)), cartridge: None, second: None, seed: 0, extras: machine::Extras::default() };
/// use session::timeline::{Event, Limits, Moment, Timeline};
///
/// let mut machine = machine::Machine::new(&config)?;
/// let mut timeline = Timeline::new(&machine, Limits::default());
/// for frame in 0..120 {
///     let mut input = machine.input;
///     input.joysticks[0].trigger = frame % 10 == 0;
///     timeline.apply(&mut machine, Event::Controls(input))?;
///     machine.run_frame();
///     timeline.frame(&machine);
/// }
/// // The machine as it was in the middle of some instruction.
/// let past = timeline.machine_at(Moment(1_000_007)).unwrap();
/// assert_eq!(past.now(), 1_000_007);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Timeline {
    limits: Limits,
    ledger: Ledger,
    /// `None` while nothing is remembered.
    memory: Option<Memory>,
    id: BranchId,
    ids: u32,
    line: Line,
    /// Events that were dropped at the beginning of the line.
    forgotten: u64,
    kept: Vec<Kept>,
    copies: VecDeque<Copied>,
    /// Stores since the last stretch of the line ended.
    noting: Option<Box<Noting>>,
    cursor: Position,
    /// The machine's clock at the cursor.
    now: u64,
    /// The moment at which the next keyframe of a second is due.
    due: Moment,
    frame: u64,
    second: u64,
}

/// The maker of keyframes, and the start of the events.
#[derive(Debug)]
struct Memory {
    maker: Maker,
    start: Start,
}

/// The machine with which the events begin.
#[derive(Debug)]
struct Start {
    at: Position,
    snapshot: Arc<Snapshot>,
    charge: Charge,
}

impl Start {
    fn new(at: Position, snapshot: Snapshot, ledger: &Ledger) -> Self {
        Self {
            at,
            charge: ledger.charge(snapshot.bytes()),
            snapshot: Arc::new(snapshot),
        }
    }

    /// Counts its media that the oldest keyframe does not have.
    fn superseded_by(&self, oldest: &Keyframe) {
        let media = self.snapshot.media().bytes_beside(&oldest.held.media);
        self.charge.set(self.snapshot.bytes() + media);
    }
}

/// Frames of a second, from keyframe to keyframe.
const SECOND: u64 = 60;
/// Seconds that share a key.
const MINUTE: u64 = 60;
/// Old keyframes thin out to one in this many seconds.
const SPARSE: u64 = 8;
/// Cycles after which a picture does not depend on the picture before any more: three frames of the slower television system.
const PICTURE: u64 = 3 * 312 * 114;
/// Branches that are kept.
const BRANCHES: usize = 100;

/// Cycles of a frame.
fn frame_of(machine: &Machine) -> u64 {
    u64::from(machine.config().tv.lines()) * 114
}

impl Timeline {
    /// A timeline that begins with this machine.
    pub fn new(machine: &Machine, limits: Limits) -> Self {
        // A picture that was drawn before is not in a keyframe.
        let fresh = machine.now() == 0;
        let snapshot = (limits.bytes > 0).then(|| Snapshot::of(machine));
        Self::starting(machine, snapshot, limits, fresh)
    }

    fn starting(
        machine: &Machine,
        snapshot: Option<Snapshot>,
        limits: Limits,
        fresh: bool,
    ) -> Self {
        let ledger = Ledger::default();
        let frame = frame_of(machine);
        let memory = snapshot.map(|snapshot| Memory {
            maker: Maker::new(machine, &ledger),
            start: Start::new(Position::default(), snapshot, &ledger),
        });
        let mut timeline = Self {
            limits,
            memory,
            ledger,
            id: BranchId(0),
            ids: 0,
            line: Line::default(),
            forgotten: 0,
            kept: Vec::new(),
            copies: VecDeque::new(),
            noting: None,
            cursor: Position::default(),
            now: machine.now(),
            due: Moment(0),
            frame,
            second: frame * SECOND,
        };
        timeline.keep(machine, fresh);
        timeline
    }

    /// A timeline that has everything before it: the recorded events are its future, and [`Self::forward`] plays them and compares
    /// the machine with the recorded one. After the last of them, or when something else is done to the machine, it continues live.
    ///
    /// # Errors
    /// When the recording's machine cannot be made.
    pub fn play(recording: Recording, limits: Limits) -> Result<(Self, Machine), StateError> {
        let machine = recording.start.machine()?;
        let mut timeline = Self::starting(&machine, Some(recording.start), limits, true);
        let line = &mut timeline.line;
        for (at, event) in recording.events {
            let event = Recorded::new(at, event, &timeline.ledger);
            line.events.push_back(event);
        }
        line.checks = recording.checks.into();
        line.newest = recording.newest;
        Ok((timeline, machine))
    }

    /// Everything that is remembered, to be written to a file: from the beginning, or from the oldest keyframe when the memory did
    /// not suffice. `None` while nothing is remembered.
    pub fn recording(&self) -> Option<Recording> {
        let Memory { start: first, .. } = self.memory.as_ref()?;
        let start = first.at;
        let since = |at: Position| Position {
            moment: Moment(at.moment.0 - start.moment.0),
            events: at.events - start.events,
        };
        let checks = self.line.checks.iter();
        Some(Recording {
            start: Snapshot::clone(&first.snapshot),
            events: self
                .events()
                .map(|(at, event)| (Moment(at.0 - start.moment.0), event.clone()))
                .collect(),
            checks: checks
                .map(|check| Check {
                    at: since(check.at),
                    hash: check.hash,
                })
                .collect(),
            newest: Moment(self.newest().0 - start.moment.0),
        })
    }

    /// True if nothing is remembered.
    pub fn is_off(&self) -> bool {
        self.memory.is_none()
    }

    /// The memory that it may use, and its resolution.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Changes its limits: a debugger that is opened asks for more. A timeline that is off stays so: the events up
    /// to now are not known.
    pub fn set_limits(&mut self, limits: Limits) {
        if !self.is_off() {
            self.limits = limits;
            self.trim();
        }
    }

    /// Bytes of memory that everything recorded takes. Media count as far as the present machine no longer has them.
    pub fn bytes(&self) -> usize {
        let checks: usize = self
            .kept
            .iter()
            .map(|kept| &kept.line)
            .chain([&self.line])
            .map(|line| line.checks.len() * size_of::<Check>())
            .sum();
        self.ledger.bytes() + checks
    }

    /// The position of the caller's machine.
    pub fn cursor(&self) -> Position {
        self.cursor
    }

    /// The oldest moment that can be reached.
    pub fn oldest(&self) -> Moment {
        let first = self.line.seconds.0.front();
        let keyframe = first.map_or(self.cursor.moment, |first| {
            if first.fresh {
                first.at.moment
            } else {
                Moment(first.at.moment.0 + PICTURE)
            }
        });
        // A copy has its picture, and the keyframes that follow lead on from it.
        let copy = self
            .copies
            .front()
            .filter(|copy| first.is_some_and(|first| first.at.moment <= copy.at.moment));
        copy.map_or(keyframe, |copy| keyframe.min(copy.at.moment))
    }

    /// The last recorded moment of the present branch.
    pub fn newest(&self) -> Moment {
        self.line.newest
    }

    /// True if the cursor is at the end of everything recorded: nothing is left to be replayed.
    pub fn is_live(&self) -> bool {
        self.cursor.moment >= self.line.newest && self.next_event().is_none()
    }

    /// The moment at which the caller's machine is: also when it has run on since the timeline was told.
    pub fn moment_of(&self, machine: &Machine) -> Moment {
        Moment(self.cursor.moment.0 + machine.now().saturating_sub(self.now))
    }

    /// The events of the present branch, as far as they are remembered, with their moments.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = (Moment, &Event)> {
        self.line.events.iter().map(|e| (e.at, &e.event))
    }

    /// The events of the present branch that happen to a machine at this position, with their moments.
    pub fn events_after(&self, at: Position) -> impl Iterator<Item = (Moment, &Event)> {
        let first = at.events.saturating_sub(self.forgotten) as usize;
        let events = self.line.events.iter().skip(first);
        events.map(|e| (e.at, &e.event))
    }

    fn event(&self, number: u64) -> Option<&Recorded> {
        let index = number.checked_sub(self.forgotten)?;
        self.line.events.get(usize::try_from(index).ok()?)
    }

    fn next_event(&self) -> Option<&Recorded> {
        self.event(self.cursor.events)
    }

    /// To be called after each frame, or whenever the machine has run a while: takes a keyframe when one is due.
    pub fn frame(&mut self, machine: &Machine) {
        self.catch_up(machine);
        if self.is_off() {
            return;
        }
        if self.limits.copies > 0 {
            self.copy(machine);
        }
        if self.cursor.moment >= self.due || self.limits.frames > 0 {
            self.keep(machine, false);
        }
    }

    /// Applies an event to the machine, and records it. Controls that are already so are not recorded.
    ///
    /// # Errors
    /// When it cannot be done; then nothing has happened.
    pub fn apply(&mut self, machine: &mut Machine, event: Event) -> Result<(), EventError> {
        self.catch_up(machine);
        if event == Event::Controls(machine.input) {
            return Ok(());
        }
        event.apply(machine)?;
        self.happened(machine, event);
        Ok(())
    }

    /// Records an event that the caller has just applied to the machine: it must not have run since.
    pub(crate) fn record(&mut self, machine: &Machine, event: Event) {
        // After a power cycle the machine's clock says nothing about the time before.
        if !event.begins_anew() {
            self.catch_up(machine);
        }
        self.happened(machine, event);
    }

    /// Puts another machine in place of the caller's, and records that. It may be one of another configuration.
    pub fn replace(&mut self, machine: &mut Machine, other: Machine) {
        if self.is_off() {
            self.catch_up(machine);
            *machine = other;
            self.note_position(machine);
            return;
        }
        let event = Event::Replace(Box::new(Snapshot::of(&other)));
        // A snapshot of a machine makes one.
        drop(self.apply(machine, event));
    }

    /// The machine becomes that of a raw state of the same configuration, in its place while nothing is remembered.
    ///
    /// # Errors
    /// When the bytes are not a state of such a machine; nothing changes then.
    pub(crate) fn load_raw_state(
        &mut self,
        machine: &mut Machine,
        raw: &[u8],
        media: &Media,
    ) -> Result<(), StateError> {
        if self.is_off() {
            self.catch_up(machine);
            machine.load_raw_state(raw, media)?;
            self.note_position(machine);
            return Ok(());
        }
        let mut other = machine.clone();
        other.load_raw_state(raw, media)?;
        self.replace(machine, other);
        Ok(())
    }

    /// Records an event that has just been applied to the machine.
    fn happened(&mut self, machine: &Machine, event: Event) {
        if self.is_off() {
            return self.note_position(machine);
        }
        let begins_anew = event.begins_anew();
        let same = self
            .next_event()
            .is_some_and(|next| next.at == self.cursor.moment && next.event == event);
        if !same {
            if !self.is_live() {
                self.fork(self.cursor);
            }
            let event = Recorded::new(self.cursor.moment, event, &self.ledger);
            self.line.events.push_back(event);
        }
        self.happened_again(machine, begins_anew);
    }

    /// The cursor goes over an event that was applied to the machine.
    fn happened_again(&mut self, machine: &Machine, begins_anew: bool) {
        self.cursor.events += 1;
        self.note_position(machine);
        if begins_anew {
            self.begin_anew(machine);
        }
    }

    /// Notes the state of the caller's machine at the cursor.
    fn note_position(&mut self, machine: &Machine) {
        self.now = machine.now();
        self.frame = frame_of(machine);
        self.second = self.frame * SECOND;
        if let Some(memory) = &mut self.memory {
            memory.maker.adopt(machine);
        }
    }

    fn begin_anew(&mut self, machine: &Machine) {
        if let Some(memory) = &mut self.memory {
            memory.maker.begin_anew();
        }
        self.keep(machine, true);
    }

    /// Moves the cursor to the position of the machine.
    pub(crate) fn catch_up(&mut self, machine: &Machine) {
        let Some(run) = machine.now().checked_sub(self.now) else {
            if self.is_off() {
                return self.note_position(machine);
            }
            // The machine was replaced without an event.
            let event = Event::Replace(Box::new(Snapshot::of(machine)));
            self.happened(machine, event);
            return;
        };
        let moment = Moment(self.cursor.moment.0 + run);
        if let Some(next) = self.next_event()
            && next.at < moment
        {
            // The recorded events did not happen now.
            let at = Position {
                moment: next.at,
                events: self.cursor.events,
            };
            self.fork(at);
        }
        self.cursor.moment = moment;
        self.now = machine.now();
        self.line.newest = self.line.newest.max(moment);
    }

    /// The end of the frame in which the caller's machine is.
    pub fn frame_end(&self, machine: &Machine) -> Moment {
        let beam = machine.beam();
        let done = u64::from(beam.line) * 114 + u64::from(beam.cycle);
        Moment(self.moment_of(machine).0 + frame_of(machine) - done)
    }

    /// Puts the machine of another moment in place of the caller's; false, and nothing happens, when it cannot be reached. The time
    /// after the moment is still there.
    pub fn goto(&mut self, machine: &mut Machine, moment: Moment) -> bool {
        self.catch_up(machine);
        let Some(visit) = self.visit(moment) else {
            return false;
        };
        self.keep_noted();
        self.cursor = visit.at;
        *machine = visit.machine;
        self.note_position(machine);
        if self.copies.len() < self.limits.copies {
            self.copy(machine);
        }
        self.find_due();
        true
    }

    /// Runs the caller's machine on to a moment and applies the recorded events. Beyond [`Self::newest`] nothing more happens to it.
    /// The text that it prints again up to there is dropped.
    pub fn forward<P: Probe>(
        &mut self,
        machine: &mut Machine,
        until: Moment,
        probe: &mut P,
    ) -> Forward {
        self.catch_up(machine);
        loop {
            let check = self.line.checks.partition_point(|c| c.at < self.cursor);
            let check = self.line.checks.get(check).copied();
            if let Some(check) = check
                && check.at == self.cursor
                && let Some(memory) = &mut self.memory
                && memory.maker.look(machine) != check.hash
            {
                // Each difference is reported once.
                self.line.checks.retain(|c| c.at < check.at);
                return Forward::Differs(check.at.moment);
            }
            let next = self.next_event().map(|next| next.at);
            if next == Some(self.cursor.moment) {
                let number = self.cursor.events;
                let Some(event) = self.event(number).map(|e| e.event.clone()) else {
                    return Forward::Done;
                };
                drop(event.apply(machine));
                self.happened_again(machine, event.begins_anew());
                continue;
            }
            if self.cursor.moment >= until {
                return Forward::Done;
            }
            let later = self.line.checks.partition_point(|c| c.at <= self.cursor);
            let check = self.line.checks.get(later).map(|c| c.at.moment);
            if let Some(missed) = check.filter(|check| *check <= self.cursor.moment) {
                // It wants events that do not happen at this moment.
                self.line.checks.truncate(later);
                return Forward::Differs(missed);
            }
            let newest = self.line.newest;
            let again = (self.cursor.moment < newest).then_some(newest);
            let stops = [next, check, again].into_iter().flatten();
            let stop = stops.fold(until, Moment::min);
            let cycles = stop.0.saturating_sub(self.cursor.moment.0);
            let before = self.cursor;
            let stopped = machine.run_cycles_with(cycles, probe);
            if again.is_some() {
                machine.take_printed();
            }
            self.catch_up(machine);
            if stopped {
                return Forward::Stopped;
            }
            if self.cursor == before {
                // A machine whose clock stands.
                return Forward::Differs(before.moment);
            }
        }
    }

    /// [`Self::forward`] to the end of the frame, with what [`Self::frame`] does then.
    pub fn forward_frame<P: Probe>(&mut self, machine: &mut Machine, probe: &mut P) -> Forward {
        let end = self.frame_end(machine);
        let result = self.forward(machine, end, probe);
        self.frame(machine);
        result
    }
}
