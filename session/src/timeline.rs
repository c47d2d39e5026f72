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
//! - forward over what is recorded with [`Timeline::forward`], which does to the machine what was done to it then.
//!
//! Going back destroys nothing. While the cursor stands before [`Timeline::newest`], the future is still there, and the machine that
//! does the same again stays on it. As soon as something else happens (another event, or a recorded one is left out), a
//! *branch* begins: what was the future is kept under its [`BranchId`], and [`Timeline::switch`] leads back to it.
//!
//! # Moments
//! The machine's own clock begins anew with its power, and jumps when a state is loaded; a [`Moment`] counts the cycles that were run since
//! the timeline began. The machine *of* a moment is the one after everything that happened at it. [`Timeline::moment_of`] translates.
mod event;
mod recording;
mod store;

pub use event::{Event, EventError};
pub use recording::{Recording, RecordingError};

use machine::{Input, Machine, NoProbe, Probe, Snapshot, StateError};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;
use store::{Charge, Keyframe, Keyframes, Ledger, Maker};

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
    /// When.
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
    /// Where it leaves the present line; a branch of a branch has the moment at which it leaves that one.
    pub from: Moment,
    /// The last moment of it.
    pub newest: Moment,
    /// The branch that it leaves, if that is not the present line.
    pub of: Option<BranchId>,
}

/// What a timeline may use, and how fine it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes; beyond them the oldest reachable moment moves up.
    pub bytes: usize,
    /// Keep a keyframe of each frame for this many frames: for single steps back. 0 = only those of seconds.
    pub frames: usize,
    /// Keep copies of the machine of this many last frames: for the fastest steps. Each takes nearly a megabyte.
    pub copies: usize,
    /// Keyframes older than this many seconds thin out to one in eight.
    pub dense: u32,
}

impl Default for Limits {
    /// 64 MB, a keyframe a second for an hour.
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            frames: 0,
            copies: 0,
            dense: 3600,
        }
    }
}

impl Limits {
    /// For a debugger: a keyframe a frame for the last minute, copies of the last ten frames.
    #[must_use]
    pub fn debugger() -> Self {
        Self {
            frames: 3600,
            copies: 10,
            ..Self::default()
        }
    }
}

/// How [`Timeline::forward`] ended.
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
    newest: Moment,
}

impl Line {
    fn recharge(&self, at: Position) {
        store::recharge([&self.seconds, &self.frames], at);
    }

    /// Takes out the first or last keyframe of a frame; false if there is none.
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
/// #     basic: Some(machine::Rom::own(roms::BASIC)), cartridge: None, seed: 0 };
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
    maker: Maker,
    start: Start,
    id: BranchId,
    ids: u32,
    line: Line,
    /// Events that were forgotten at the beginning of the line.
    forgotten: u64,
    kept: Vec<Kept>,
    copies: VecDeque<Copied>,
    cursor: Position,
    /// The machine's clock at the cursor, and its controls.
    now: u64,
    controls: Input,
    /// When the next keyframe of a second is due.
    due: Moment,
    frame: u64,
    second: u64,
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

    /// Counts its media as far as the oldest keyframe has not the same.
    fn superseded_by(&self, oldest: &Keyframe) {
        let media = self.snapshot.media().bytes_beside(&oldest.held.media);
        self.charge.set(self.snapshot.bytes() + media);
    }
}

/// Frames of a second, from keyframe to keyframe.
const SECOND: u64 = 60;
/// Seconds that share a key.
const MINUTE: u64 = 60;
/// Old keyframes thin out to one in so many seconds.
const SPARSE: u64 = 8;
/// Cycles after which a picture no longer depends on what it was before: three frames of the slower television system.
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
        Self::starting(machine, Snapshot::of(machine), limits, fresh)
    }

    fn starting(machine: &Machine, snapshot: Snapshot, limits: Limits, fresh: bool) -> Self {
        let ledger = Ledger::default();
        let frame = frame_of(machine);
        let mut timeline = Self {
            limits,
            maker: Maker::new(machine, &ledger),
            start: Start::new(Position::default(), snapshot, &ledger),
            ledger,
            id: BranchId(0),
            ids: 0,
            line: Line::default(),
            forgotten: 0,
            kept: Vec::new(),
            copies: VecDeque::new(),
            cursor: Position::default(),
            now: machine.now(),
            controls: machine.input,
            due: Moment(0),
            frame,
            second: frame * SECOND,
        };
        timeline.keep(machine, fresh);
        timeline
    }

    /// A timeline that has everything before it: the recorded events are its future, and [`Self::forward`] plays them and compares
    /// the machine with the recorded one. After the last of them, or when something else is done to the machine, it goes on live.
    ///
    /// # Errors
    /// When the recording's machine cannot be made.
    pub fn play(recording: Recording, limits: Limits) -> Result<(Self, Machine), StateError> {
        let machine = recording.start.machine()?;
        let mut timeline = Self::starting(&machine, recording.start, limits, true);
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
    /// not suffice.
    pub fn recording(&self) -> Recording {
        let start = self.start.at;
        let since = |at: Position| Position {
            moment: Moment(at.moment.0 - start.moment.0),
            events: at.events - start.events,
        };
        let checks = self.line.checks.iter();
        Recording {
            start: Snapshot::clone(&self.start.snapshot),
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
        }
    }

    /// What it may use, and how fine it is.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Changes what it may use: a debugger that is opened asks for more.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.trim();
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

    /// Whether the cursor is at the end of everything recorded: nothing is left to be replayed.
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

    fn event(&self, number: u64) -> Option<&Recorded> {
        let index = number.checked_sub(self.forgotten)?;
        self.line.events.get(usize::try_from(index).ok()?)
    }

    fn next_event(&self) -> Option<&Recorded> {
        self.event(self.cursor.events)
    }

    /// To be called after each frame, or whenever the machine has run a while: takes a keyframe when one is due.
    pub fn frame(&mut self, machine: &Machine) {
        self.follow(machine);
        if self.limits.copies > 0 {
            self.copy(machine);
        }
        if self.cursor.moment >= self.due || self.limits.frames > 0 {
            self.keep(machine, false);
        }
    }

    /// Does something to the machine, and records it. Controls that are already so are not recorded.
    ///
    /// # Errors
    /// When it cannot be done; then nothing has happened.
    pub fn apply(&mut self, machine: &mut Machine, event: Event) -> Result<(), EventError> {
        self.follow(machine);
        event.apply(machine)?;
        self.record(machine, event);
        Ok(())
    }

    /// Records what the caller has just done to the machine: it must not have run since. Controls that are already so are not recorded.
    pub fn record(&mut self, machine: &Machine, event: Event) {
        // After a power cycle the machine's clock says nothing about the time before.
        if !event.begins_anew() {
            self.follow(machine);
        }
        if event != Event::Controls(self.controls) {
            self.happened(machine, event);
        }
    }

    /// Puts another machine in place of the caller's, and records that. It may be one of another configuration.
    pub fn replace(&mut self, machine: &mut Machine, other: &Machine) {
        let event = Event::Replace(Box::new(Snapshot::of(other)));
        // A snapshot of a machine makes one.
        drop(self.apply(machine, event));
    }

    /// Records an event that has just been done to the machine.
    fn happened(&mut self, machine: &Machine, event: Event) {
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

    /// The cursor goes over an event that was done to the machine.
    fn happened_again(&mut self, machine: &Machine, begins_anew: bool) {
        self.cursor.events += 1;
        self.stand(machine);
        if begins_anew {
            self.begin_anew(machine);
        }
    }

    /// Remembers what the caller's machine looks like at the cursor.
    fn stand(&mut self, machine: &Machine) {
        self.now = machine.now();
        self.controls = machine.input;
        self.frame = frame_of(machine);
        self.second = self.frame * SECOND;
        self.maker.adopt(machine);
    }

    fn begin_anew(&mut self, machine: &Machine) {
        self.maker.begin_anew();
        self.keep(machine, true);
    }

    /// Moves the cursor to where the machine is.
    fn follow(&mut self, machine: &Machine) {
        let Some(run) = machine.now().checked_sub(self.now) else {
            // The machine was replaced without a word.
            let event = Event::Replace(Box::new(Snapshot::of(machine)));
            self.happened(machine, event);
            return;
        };
        let moment = Moment(self.cursor.moment.0 + run);
        if let Some(next) = self.next_event()
            && next.at < moment
        {
            // What happened then did not happen now.
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

    /// Keeps what comes after a position as a branch.
    fn fork(&mut self, at: Position) {
        let tail = self.cut(at);
        let id = self.id;
        self.ids += 1;
        self.id = BranchId(self.ids);
        self.hang(id, at, tail);
        self.trim();
    }

    /// Takes the line apart at a position; gives what comes after it.
    fn cut(&mut self, at: Position) -> Line {
        self.copies.retain(|copy| copy.at <= at);
        let line = &mut self.line;
        let events = at.events.saturating_sub(self.forgotten) as usize;
        let checks = line.checks.partition_point(|check| check.at <= at);
        let newest = line.newest;
        line.newest = at.moment;
        self.due = Moment(0);
        let tail = Line {
            events: line.events.split_off(events.min(line.events.len())),
            checks: line.checks.split_off(checks),
            seconds: line.seconds.split_off(at),
            frames: line.frames.split_off(at),
            newest,
        };
        // The media at the end of the tail are no longer those of a machine that runs.
        if let (Some(end), Some(here)) = (tail.seconds.0.back(), line.seconds.0.back()) {
            end.held.superseded_by(&here.held);
        }
        tail
    }

    /// Keeps a branch of the present line; those that left the line after it are now branches of this one.
    fn hang(&mut self, id: BranchId, from: Position, line: Line) {
        for kept in &mut self.kept {
            if kept.of.is_none() && kept.from > from {
                kept.of = Some(id);
            }
        }
        let left = self.kept.iter().map(|kept| kept.left).max().unwrap_or(0) + 1;
        self.kept.push(Kept {
            id,
            of: None,
            from,
            line,
            left,
        });
    }

    /// Takes a keyframe now, unless there is one.
    fn keep(&mut self, machine: &Machine, fresh: bool) {
        let at = self.cursor;
        let second = fresh || at.moment >= self.due;
        let hash = self.maker.look(machine);
        let frame = self.maker.keyframe(at, fresh, self.second * MINUTE);
        if second {
            self.line.seconds.insert(frame);
            let place = self.line.checks.partition_point(|check| check.at < at);
            if self
                .line
                .checks
                .get(place)
                .is_none_or(|check| check.at != at)
            {
                self.line.checks.insert(place, Check { at, hash });
            }
            self.find_due();
            self.thin_out();
        } else {
            self.line.frames.insert(frame);
        }
        self.line.recharge(at);
        self.trim();
    }

    /// The next keyframe of a second: a second after the one before the cursor, unless there is another soon.
    fn find_due(&mut self) {
        let seconds = &self.line.seconds;
        let mut index = seconds.until(self.cursor);
        let mut due = Moment(0);
        if let Some(last) = index.checked_sub(1) {
            due = Moment(seconds.0[last].at.moment.0 + self.second);
        }
        // The last of those that are a second apart.
        while let Some(next) = seconds.0.get(index)
            && next.at.moment <= due
        {
            due = Moment(next.at.moment.0 + self.second);
            index += 1;
        }
        self.due = due;
    }

    fn copy(&mut self, machine: &Machine) {
        let at = self.cursor;
        let place = self.copies.partition_point(|copy| copy.at <= at);
        if place > 0 && self.copies[place - 1].at == at {
            return;
        }
        self.copies.insert(
            place,
            Copied {
                at,
                machine: Box::new(machine.clone()),
                _charge: self.ledger.charge(store::machine_bytes(machine)),
            },
        );
        while self.copies.len() > self.limits.copies {
            if place * 2 >= self.copies.len() {
                self.copies.pop_front();
            } else {
                self.copies.pop_back();
            }
        }
    }

    /// One keyframe an hour old goes if there is another close to it.
    fn thin_out(&mut self) {
        let old = self
            .cursor
            .moment
            .0
            .saturating_sub(u64::from(self.limits.dense) * self.second);
        let seconds = &mut self.line.seconds;
        let index = seconds.until_moment(Moment(old));
        if index >= 2 {
            let [a, b] = [&seconds.0[index - 2], &seconds.0[index - 1]];
            let close = b.at.moment.0 - a.at.moment.0 < SPARSE * self.second;
            let at = b.at;
            if close && !b.fresh {
                seconds.0.remove(index - 1);
                self.line.recharge(at);
            }
        }
    }

    /// Forgets until everything fits.
    fn trim(&mut self) {
        while self.line.frames.0.len() > self.limits.frames {
            // Those that are farthest from the cursor.
            let before = self.line.frames.until(self.cursor);
            let first = before * 2 >= self.line.frames.0.len();
            self.line.forget_frame(first);
        }
        while self.copies.len() > self.limits.copies {
            self.copies.pop_front();
        }
        while self.kept.len() > BRANCHES {
            self.forget_branch();
        }
        while self.bytes() > self.limits.bytes {
            if !self.kept.is_empty() {
                self.forget_branch();
            } else if self.line.frames.0.len() > 120 {
                self.line.forget_frame(true);
            } else if !self.forget_second() && !self.line.forget_frame(true) {
                break;
            }
        }
    }

    /// Forgets the branch that was left first, and its branches.
    fn forget_branch(&mut self) {
        let Some(oldest) = self.kept.iter().min_by_key(|kept| kept.left) else {
            return;
        };
        let mut gone = vec![oldest.id];
        while let Some(id) = gone.pop() {
            gone.extend(self.kept.iter().filter(|k| k.of == Some(id)).map(|k| k.id));
            self.kept.retain(|kept| kept.id != id);
        }
    }

    /// Forgets the oldest keyframe of a second, and what depends on it; false when it is the last one before the cursor.
    fn forget_second(&mut self) -> bool {
        if self.line.seconds.until(self.cursor) < 2 {
            return false;
        }
        self.line.seconds.0.pop_front();
        let Some(first) = self.line.seconds.0.front() else {
            return false;
        };
        self.start.superseded_by(first);
        let first = first.at;
        while self.line.frames.0.front().is_some_and(|f| f.at < first) {
            self.line.frames.0.pop_front();
        }
        // The events are kept from the start, as long as they and the media of then are not most of it.
        let events: usize = self.line.events.iter().map(|e| e.charge.bytes()).sum();
        if events + self.start.charge.bytes() > self.limits.bytes / 2 {
            self.forget_start();
        }
        true
    }

    /// Events begin with the oldest keyframe.
    fn forget_start(&mut self) {
        let Some(first) = self.line.seconds.0.front() else {
            return;
        };
        let Some(machine) = first.machine() else {
            return;
        };
        let at = first.at;
        let snapshot = Snapshot::of(&machine);
        self.start = Start::new(at, snapshot, &self.ledger);
        while self.forgotten < at.events {
            self.line.events.pop_front();
            self.forgotten += 1;
        }
        while self.line.checks.front().is_some_and(|c| c.at < at) {
            self.line.checks.pop_front();
        }
    }

    /// The machine of a moment; none before [`Self::oldest`] or after [`Self::newest`].
    pub fn machine_at(&self, moment: Moment) -> Option<Machine> {
        Some(self.visit(moment)?.into_machine())
    }

    /// A machine of its own at a moment, to look around with; none before [`Self::oldest`] or after [`Self::newest`].
    pub fn visit(&self, moment: Moment) -> Option<Visit> {
        if moment < self.oldest() || moment > self.newest() {
            return None;
        }
        let mut visit = self.nearest(moment)?;
        visit.forward(self, Position::after(moment), &mut NoProbe);
        // What it has put out on the way was put out then.
        visit.machine.take_sound(&mut Vec::new());
        visit.machine.take_printed();
        Some(visit)
    }

    /// A machine before a moment, from which that moment's state and picture are reached.
    fn nearest(&self, moment: Moment) -> Option<Visit> {
        let copy = self.copies.iter().rfind(|copy| copy.at.moment <= moment);
        let exact = |frames: &Keyframes| {
            let until = frames.until_moment(moment);
            (0..until).rev().find(|&i| {
                let frame = &frames.0[i];
                frame.fresh || frame.at.moment.0 + PICTURE <= moment.0
            })
        };
        let second = exact(&self.line.seconds).map(|i| &self.line.seconds.0[i]);
        let frame = exact(&self.line.frames).map(|i| &self.line.frames.0[i]);
        let keyframe = second.into_iter().chain(frame).max_by_key(|f| f.at);
        match (copy, keyframe) {
            (Some(copy), keyframe) if keyframe.is_none_or(|k| k.at < copy.at) => {
                Some(Visit::new(copy.at, Machine::clone(&copy.machine)))
            }
            (_, keyframe) => Visit::of(keyframe?),
        }
    }

    /// Pieces of the present line from the latest that ends at `before` to the oldest: for searches backwards. They grow from a
    /// frame to a second, so that a search that ends soon is cheap.
    pub fn pieces_before(&self, before: Moment) -> impl Iterator<Item = Piece<'_>> {
        let mut end = Position::after(before);
        let mut size = self.frame;
        std::iter::from_fn(move || {
            let seconds = &self.line.seconds;
            let frames = &self.line.frames;
            let wanted = Moment(end.moment.0.saturating_sub(size));
            let earlier = |frames: &'_ Keyframes| {
                let long = frames.until_moment(wanted);
                let any = frames.0.partition_point(|f| f.at.moment < end.moment);
                any.min(long.max(1)).checked_sub(1)
            };
            // No piece goes across the beginning of a machine's life.
            let fresh = seconds.0.iter().rfind(|f| f.fresh && f.at < end);
            let second = earlier(seconds).map(|i| &seconds.0[i]);
            let frame = earlier(frames).map(|i| &frames.0[i]);
            let keyframe = [second, frame, fresh]
                .into_iter()
                .flatten()
                .max_by_key(|f| f.at)?;
            let piece = Piece { keyframe, end };
            size = (size * 2).min(self.second);
            end = keyframe.at;
            if keyframe.fresh {
                end.events = end.events.saturating_sub(1);
            }
            Some(piece)
        })
    }

    /// Puts the machine of another moment in place of the caller's; false, and nothing happens, when it cannot be reached. What comes
    /// after the moment is still there.
    pub fn goto(&mut self, machine: &mut Machine, moment: Moment) -> bool {
        self.follow(machine);
        let Some(visit) = self.visit(moment) else {
            return false;
        };
        self.cursor = visit.at;
        *machine = visit.machine;
        self.stand(machine);
        if self.copies.len() < self.limits.copies {
            self.copy(machine);
        }
        self.find_due();
        true
    }

    /// Runs the caller's machine on to a moment and does to it what is recorded. Beyond [`Self::newest`] nothing more happens to it.
    /// What it prints again up to there is thrown away.
    pub fn forward<P: Probe>(
        &mut self,
        machine: &mut Machine,
        until: Moment,
        probe: &mut P,
    ) -> Forward {
        self.follow(machine);
        loop {
            let check = self.line.checks.partition_point(|c| c.at < self.cursor);
            let check = self.line.checks.get(check).copied();
            if let Some(check) = check
                && check.at == self.cursor
                && self.maker.look(machine) != check.hash
            {
                // Says so once.
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
            let newest = self.line.newest;
            let again = (self.cursor.moment < newest).then_some(newest);
            let stops = [next, check, again].into_iter().flatten();
            let stop = stops.fold(until, Moment::min);
            let cycles = stop.0.saturating_sub(self.cursor.moment.0);
            let stopped = machine.run_cycles_with(cycles, probe);
            if again.is_some() {
                machine.take_printed();
            }
            self.follow(machine);
            if stopped {
                return Forward::Stopped;
            }
        }
    }

    /// [`Self::forward`] to the end of the frame, with what [`Self::frame`] does then.
    pub fn forward_frame<P: Probe>(&mut self, machine: &mut Machine, probe: &mut P) -> Forward {
        self.follow(machine);
        let beam = machine.beam();
        let done = u64::from(beam.line) * 114 + u64::from(beam.cycle);
        let end = Moment(self.cursor.moment.0 + self.frame - done);
        let result = self.forward(machine, end, probe);
        self.frame(machine);
        result
    }

    /// The branches that are kept beside the present one.
    pub fn branches(&self) -> impl Iterator<Item = Branch> {
        self.kept.iter().map(|kept| Branch {
            id: kept.id,
            from: kept.from.moment,
            newest: kept.line.newest,
            of: kept.of,
        })
    }

    /// The present branch.
    pub fn branch(&self) -> BranchId {
        self.id
    }

    /// Makes another branch the present one, and goes to a moment of it. The one that was present until now is kept. False, and nothing
    /// happens, when there is no such branch or moment.
    pub fn switch(&mut self, machine: &mut Machine, id: BranchId, moment: Moment) -> bool {
        self.follow(machine);
        let was = self.id;
        if !self.turn(id) {
            return false;
        }
        // The cursor may be in the future that was left.
        if let Some(visit) = self.visit(moment) {
            self.cursor = visit.at;
            *machine = visit.machine;
            self.stand(machine);
            self.find_due();
            return true;
        }
        self.turn(was);
        false
    }

    /// Makes another branch the present one.
    fn turn(&mut self, id: BranchId) -> bool {
        if id == self.id {
            return true;
        }
        let Some(of) = self.kept.iter().find(|k| k.id == id).map(|k| k.of) else {
            return false;
        };
        if let Some(of) = of
            && !self.turn(of)
        {
            return false;
        }
        let Some(index) = self.kept.iter().position(|kept| kept.id == id) else {
            return false;
        };
        let kept = self.kept.swap_remove(index);
        let tail = self.cut(kept.from);
        let was = std::mem::replace(&mut self.id, id);
        self.hang(was, kept.from, tail);
        for other in &mut self.kept {
            if other.of == Some(id) {
                other.of = None;
            }
        }
        let mut new = kept.line;
        self.line.events.append(&mut new.events);
        self.line.checks.append(&mut new.checks);
        self.line.seconds.append(new.seconds);
        self.line.frames.append(new.frames);
        self.line.recharge(Position::after(kept.from.moment));
        self.line.newest = new.newest;
        true
    }
}

/// A piece of recorded time, from a keyframe on.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    keyframe: &'a Keyframe,
    /// Where it ends: at the beginning of the one that came before.
    end: Position,
}

impl Piece<'_> {
    /// Its first moment.
    pub fn start(&self) -> Moment {
        self.keyframe.at.moment
    }

    /// Where it ends.
    pub fn end(&self) -> Moment {
        self.end.moment
    }

    /// The machine at its beginning. Its picture is black until three frames have been drawn.
    pub fn visit(&self) -> Option<Visit> {
        Visit::of(self.keyframe)
    }

    /// Runs a machine from [`Self::visit`] to the end of the piece; true if the probe stopped it.
    pub fn run<P: Probe>(&self, timeline: &Timeline, visit: &mut Visit, probe: &mut P) -> bool {
        visit.forward(timeline, self.end, probe)
    }
}

/// A machine of its own in recorded time: to look around without moving the timeline's cursor.
#[derive(Clone, Debug)]
pub struct Visit {
    machine: Machine,
    at: Position,
    /// The machine's clock there.
    now: u64,
}

impl Visit {
    fn new(at: Position, machine: Machine) -> Self {
        Self {
            at,
            now: machine.now(),
            machine,
        }
    }

    fn of(keyframe: &Keyframe) -> Option<Self> {
        Some(Self::new(keyframe.at, keyframe.machine()?))
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The machine alone.
    pub fn into_machine(self) -> Machine {
        self.machine
    }

    /// Where it is.
    pub fn moment(&self) -> Moment {
        self.at.moment
    }

    /// The moment at which the machine's clock shows `now`, if nothing began anew in between.
    pub fn moment_at(&self, now: u64) -> Moment {
        Moment((self.at.moment.0 + now).saturating_sub(self.now))
    }

    /// Runs on to the end of what happened at a moment, with the recorded events of the timeline's present branch; true if the probe stopped it.
    pub fn run<P: Probe>(&mut self, timeline: &Timeline, until: Moment, probe: &mut P) -> bool {
        self.forward(timeline, Position::after(until), probe)
    }

    fn forward<P: Probe>(&mut self, timeline: &Timeline, until: Position, probe: &mut P) -> bool {
        loop {
            let next = timeline
                .event(self.at.events)
                .filter(|e| e.at <= until.moment && self.at.events < until.events);
            let stop = next.map_or(until.moment, |e| e.at);
            let cycles = stop.0.saturating_sub(self.at.moment.0);
            let stopped = cycles > 0 && self.machine.run_cycles_with(cycles, probe);
            self.at.moment = self.moment_at(self.machine.now());
            self.now = self.machine.now();
            if stopped {
                return true;
            }
            let Some(next) = next else {
                return false;
            };
            drop(next.event.apply(&mut self.machine));
            self.at.events += 1;
            self.now = self.machine.now();
        }
    }
}
