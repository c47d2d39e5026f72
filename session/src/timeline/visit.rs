//! Machines of other moments, to look around in the past without moving the cursor.
use super::{Keyframe, Keyframes, Machine, Moment, NoProbe, PICTURE, Position, Probe, Timeline};

impl Timeline {
    /// The machine of a moment; `None` before [`Self::oldest`] or after [`Self::newest`].
    pub fn machine_at(&self, moment: Moment) -> Option<Machine> {
        Some(self.visit(moment)?.into_machine())
    }

    /// A machine of its own at a moment, to look around with; `None` before [`Self::oldest`] or after [`Self::newest`].
    pub fn visit(&self, moment: Moment) -> Option<Visit> {
        if moment < self.oldest() || moment > self.newest() {
            return None;
        }
        let mut visit = self.nearest(moment)?;
        visit.forward(self, Position::after(moment), &mut NoProbe);
        // The output on the way was taken at that time.
        visit.machine.take_sound(&mut Vec::new());
        visit.machine.take_printed();
        Some(visit)
    }

    /// A machine before a moment, from which that moment's state and picture are reached.
    pub(super) fn nearest(&self, moment: Moment) -> Option<Visit> {
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
        self.long_pieces_before(before, 0)
    }

    /// [`Self::pieces_before`], beginning with a piece of `cycles` cycles (from a frame to a second): for a search that is resumed.
    pub fn long_pieces_before(
        &self,
        before: Moment,
        cycles: u64,
    ) -> impl Iterator<Item = Piece<'_>> {
        let mut end = Position::after(before);
        let mut size = cycles.clamp(self.frame, self.second);
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
}

/// A piece of recorded time, from a keyframe on.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    keyframe: &'a Keyframe,
    /// Its end: the beginning of the piece that came before.
    end: Position,
}

impl Piece<'_> {
    /// Its first moment.
    pub fn start(&self) -> Moment {
        self.keyframe.at.moment
    }

    /// Its end.
    pub fn end(&self) -> Moment {
        self.end.moment
    }

    /// The machine at its beginning, for a search: it draws no pictures.
    pub fn visit(&self) -> Option<Visit> {
        Some(Visit::of(self.keyframe)?.without_pictures())
    }

    /// Runs a machine from [`Self::visit`] to the end of the piece; true if the probe stopped it.
    pub fn run<P: Probe>(&self, timeline: &Timeline, visit: &mut Visit, probe: &mut P) -> bool {
        visit.forward(timeline, self.end, probe)
    }
}

/// A machine of its own in recorded time: to look around without moving the timeline's cursor.
#[derive(Clone, Debug)]
pub struct Visit {
    pub(super) machine: Machine,
    pub(super) at: Position,
    /// The machine's clock there.
    now: u64,
}

impl Visit {
    pub(super) fn new(at: Position, machine: Machine) -> Self {
        Self {
            at,
            now: machine.now(),
            machine,
        }
    }

    pub(super) fn of(keyframe: &Keyframe) -> Option<Self> {
        Some(Self::new(keyframe.at, keyframe.machine()?))
    }

    /// A machine that runs on from a position, or one of no timeline.
    pub fn begin(at: Position, machine: Machine) -> Self {
        Self::new(at, machine)
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Draws up to the beam position.
    pub fn draw_to_beam(&mut self) {
        self.machine.draw_to_beam();
    }

    /// Its moment, and the number of events that have happened up to there.
    pub fn position(&self) -> Position {
        self.at
    }

    /// Runs on for `cycles` cycles without the recorded events; true if the probe stopped it.
    pub fn run_alone<P: Probe>(&mut self, cycles: u64, probe: &mut P) -> bool {
        let stopped = self.machine.run_cycles_with(cycles, probe);
        self.at.moment = self.moment_at(self.machine.now());
        self.now = self.machine.now();
        stopped
    }

    /// [`Self::run`] without the events at the moment itself.
    pub fn run_up_to<P: Probe>(
        &mut self,
        timeline: &Timeline,
        until: Moment,
        probe: &mut P,
    ) -> bool {
        let events = timeline
            .line
            .events
            .partition_point(|event| event.at < until);
        let events = timeline.forgotten + events as u64;
        let until = Position {
            moment: until,
            events,
        };
        self.forward(timeline, until, probe)
    }

    /// From here on no pictures are drawn, which takes less time.
    #[must_use]
    pub fn without_pictures(mut self) -> Self {
        self.machine.set_drawing(false);
        self
    }

    /// The machine without its place in the timeline.
    pub fn into_machine(self) -> Machine {
        self.machine
    }

    /// Its moment.
    pub fn moment(&self) -> Moment {
        self.at.moment
    }

    /// The moment at which the machine's clock shows `now`, if no life of the machine began in between.
    pub fn moment_at(&self, now: u64) -> Moment {
        Moment((self.at.moment.0 + now).saturating_sub(self.now))
    }

    /// Runs on to a moment, its events included, with the recorded events of the timeline's present branch; true if the probe stopped it.
    pub fn run<P: Probe>(&mut self, timeline: &Timeline, until: Moment, probe: &mut P) -> bool {
        self.forward(timeline, Position::after(until), probe)
    }

    pub(super) fn forward<P: Probe>(
        &mut self,
        timeline: &Timeline,
        until: Position,
        probe: &mut P,
    ) -> bool {
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
