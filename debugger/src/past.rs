//! The past of a debugger's machine: a [`Timeline`] and what was done to the machine since it was told.

use crate::Sources;
use crate::breakpoints::Breakpoints;
use crate::place_finder::PlaceFinder;
use crate::watch::{Find, Finder, Follow, Follower, Seek};
use machine::{Input, Machine, NoProbe, Probe};
use session::timeline::{Event, Forward, Limits, Moment, Timeline, Visit};
use std::cell::Cell;

/// Recorded time, made when it is first needed, or a session's own.
#[derive(Debug, Default)]
pub struct Past {
    timeline: Option<Timeline>,
    /// The controls that the timeline knows of.
    input: Input,
    /// The machine's clock at a moment of its present life.
    clock: (Moment, u64),
    /// The instruction with which BASIC begins a statement, once a run has shown it.
    pub(crate) dispatch: Cell<Option<u16>>,
}

impl Past {
    /// Takes over a session's timeline, whose cursor is this machine's.
    pub fn attach(&mut self, timeline: Timeline, machine: &Machine) {
        self.clock = (timeline.moment_of(machine), machine.now());
        self.input = machine.input;
        self.timeline = Some(timeline);
    }

    /// Gives the timeline back.
    pub fn detach(&mut self) -> Option<Timeline> {
        self.timeline.take()
    }

    /// The timeline, if anything was recorded.
    pub fn timeline(&self) -> Option<&Timeline> {
        self.timeline.as_ref()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.timeline = None;
    }

    /// To be called while the machine runs, once a frame: records its controls, and keyframes. [`crate::Debugger`] does it for its own
    /// steps.
    pub fn record(&mut self, machine: &mut Machine) {
        self.follow(machine).frame(machine);
    }

    /// To be called after anything else was done to the machine: a disk changed, RESET pressed, memory edited, a state loaded. The time
    /// before stays reachable.
    pub fn record_change(&mut self, machine: &Machine) {
        let mut other = machine.clone();
        self.follow(&mut other).replace(&mut other, machine);
        self.noted(machine);
    }

    /// The clock of the machine at the oldest moment that can be reached in its present life.
    pub fn oldest(&self) -> Option<u64> {
        let oldest = self.timeline.as_ref()?.oldest();
        Some((oldest.0 + self.clock.1).saturating_sub(self.clock.0.0))
    }

    /// The machine as it was when its clock showed `now`, in its present life.
    pub fn state_at(&self, now: u64) -> Option<Machine> {
        self.timeline.as_ref()?.machine_at(self.moment(now)?)
    }

    /// The moment at which the clock of the machine's present life shows `now`.
    pub fn moment(&self, now: u64) -> Option<Moment> {
        let (moment, clock) = self.clock;
        Some(Moment((moment.0 + now).checked_sub(clock)?))
    }

    /// The moment of a machine.
    pub fn moment_of(&self, machine: &Machine) -> Moment {
        self.timeline
            .as_ref()
            .map_or(Moment(0), |timeline| timeline.moment_of(machine))
    }

    fn noted(&mut self, machine: &Machine) {
        if let Some(timeline) = &self.timeline {
            self.clock = (timeline.moment_of(machine), machine.now());
        }
        self.input = machine.input;
    }

    /// The timeline, which knows of everything that was done to the machine up to now.
    pub(crate) fn follow(&mut self, machine: &mut Machine) -> &mut Timeline {
        let timeline = self.timeline.get_or_insert_with(|| {
            let mut timeline = Timeline::new(machine, Limits::debugger());
            timeline.frame(machine);
            self.input = machine.input;
            timeline
        });
        if machine.input != self.input {
            let input = std::mem::replace(&mut machine.input, self.input);
            // Controls can always be set.
            drop(timeline.apply(machine, Event::Controls(input)));
            machine.input = input;
            self.input = input;
        }
        self.clock = (timeline.moment_of(machine), machine.now());
        timeline
    }

    /// Runs the machine on to a moment, with what is recorded.
    pub(crate) fn forward<P: Probe>(
        &mut self,
        machine: &mut Machine,
        until: Moment,
        probe: &mut P,
    ) -> bool {
        let timeline = self.follow(machine);
        let stopped = timeline.forward(machine, until, probe) == Forward::Stopped;
        let beam = machine.beam();
        if (beam.line, beam.cycle) == (0, 0) {
            timeline.frame(machine);
        }
        self.noted(machine);
        stopped
    }

    /// Puts the machine of another moment in place of this one.
    pub(crate) fn goto(&mut self, machine: &mut Machine, moment: Moment) -> bool {
        let done = self.follow(machine).goto(machine, moment);
        self.noted(machine);
        done
    }

    /// Writes a byte of memory or a chip's register, and records that.
    pub(crate) fn poke(&mut self, machine: &mut Machine, address: u16, data: u8) {
        let event = if crate::is_chip(address) {
            Event::WriteRegister { address, data }
        } else {
            Event::Poke { address, data }
        };
        let timeline = self.follow(machine);
        // Memory and registers can always be written.
        drop(timeline.apply(machine, event));
    }

    /// Makes another branch the present one, at the moment where it begins.
    pub(crate) fn switch(&mut self, machine: &mut Machine, id: u32) -> bool {
        let timeline = self.follow(machine);
        let branch = timeline.branches().find(|branch| branch.id.0 == id);
        let done = branch.is_some_and(|branch| timeline.switch(machine, branch.id, branch.from));
        self.noted(machine);
        done
    }

    /// The last moment before `before` of this kind.
    pub(crate) fn last_before(
        &self,
        before: Moment,
        breakpoints: &Breakpoints,
        sources: &Sources,
        find: Find,
    ) -> Option<Moment> {
        if find == Find::Breakpoint && breakpoints.are_places() {
            let begin = |_: &Visit| PlaceFinder::new(breakpoints);
            return self.last_of(before, begin, |_| ());
        }
        let begin = |visit: &Visit| {
            let mut finder = Finder::new(visit.machine(), breakpoints, sources, find);
            *finder.follow.dispatch() = self.dispatch.get();
            if find.needs_past(breakpoints)
                && let Some(follow) = self.follow_to(visit.machine(), visit.moment())
            {
                finder.follow = follow;
            }
            finder
        };
        self.last_of(before, begin, |finder| {
            self.dispatch.set(*finder.follow.dispatch());
        })
    }

    /// What a probe finds last before `before`; one is begun for each piece of time, and ended after it.
    fn last_of<P: Seek>(
        &self,
        before: Moment,
        begin: impl Fn(&Visit) -> P,
        end: impl Fn(&mut P),
    ) -> Option<Moment> {
        let timeline = self.timeline.as_ref()?;
        let mut first = true;
        for piece in timeline.pieces_before(before) {
            let mut visit = piece.visit()?;
            let mut finder = begin(&visit);
            piece.run(timeline, &mut visit, &mut finder);
            if !first && visit.moment() == piece.end() {
                // What begins where the next piece does is seen by coming from here.
                visit.run(timeline, Moment(piece.end().0 + 1), &mut finder);
            }
            first = false;
            end(&mut finder);
            if let Some(now) = finder.found() {
                let found = visit.moment_at(now);
                return (found >= timeline.oldest()).then_some(found);
            }
        }
        None
    }

    /// The machine at cycle 0 of line 0 of the frame in which the beam last was at a place before a moment.
    pub(crate) fn frame_before(&self, machine: &Machine, line: u16, cycle: u8) -> Option<Machine> {
        let timeline = self.timeline.as_ref()?;
        let beam = machine.beam();
        let frame = u64::from(machine.bus().video.antic.lines()) * crate::LINE;
        let done = u64::from(beam.line) * crate::LINE + u64::from(beam.cycle);
        let wanted = u64::from(line) * crate::LINE + u64::from(cycle);
        let start = self.moment_of(machine).0.checked_sub(done)?;
        let start = if wanted < done {
            start
        } else {
            start.checked_sub(frame)?
        };
        let mut machine = timeline.machine_at(Moment(start))?;
        // A machine that stands still has drawn all that the beam has passed.
        machine.run_cycles_with(0, &mut NoProbe);
        Some(machine)
    }

    /// What the frame before a moment says about it, for a machine at that moment.
    pub(crate) fn follow_to(&self, machine: &Machine, now: Moment) -> Option<Follow> {
        let timeline = self.timeline.as_ref()?;
        let piece = timeline.pieces_before(now).next()?;
        let mut visit = piece.visit()?;
        let mut follower = Follower::new(visit.machine(), self.dispatch.get());
        piece.run(timeline, &mut visit, &mut follower);
        Some(follower.finish(machine))
    }
}
