//! The past of a session: going back, recordings, and the owner of the media at a moment.
use super::{Outcome, Session, Why};
use crate::media::{Line, Mounts};
use crate::program::Program;
use crate::setup::Setup;
use crate::timeline::{BranchId, Event, EventError, Forward, Limits, Moment, Recording, Timeline};
use crate::track::Track;
use machine::{Probe, StateError};

impl Session {
    /// Remembers everything from now on, so that [`Self::back`] leads to it and [`Self::recording`] has it.
    pub fn remember(&mut self, limits: Limits) {
        self.track.remember(limits);
        self.starting = Moment::default()..Moment::default();
        self.placements = vec![(Moment::default(), self.mounts.line())];
    }

    /// A session that plays a recording, and continues live at its end.
    ///
    /// # Errors
    /// When the recording's machine cannot be made.
    pub fn play(recording: Recording, limits: Limits) -> Result<Self, StateError> {
        let (timeline, machine) = Timeline::play(recording, limits)?;
        let setup = Setup {
            model: Some(machine.config().model),
            tv: Some(machine.config().tv),
            seed: machine.config().seed,
            program: Program {
                title: "Recording".to_owned(),
                ..Program::default()
            },
            ..Setup::default()
        };
        let mut mounts = Mounts::default();
        mounts.adopt(&machine);
        Ok(Self {
            playing: true,
            placements: vec![(Moment::default(), mounts.line())],
            ..Self::of(setup, Track::with(machine, timeline), mounts)
        })
    }

    /// True if a recording is being played.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// The recorded past.
    pub fn timeline(&self) -> &Timeline {
        self.track.timeline()
    }

    /// Everything that is remembered, for a file.
    pub fn recording(&self) -> Option<Recording> {
        self.timeline().recording()
    }

    /// The present moment: cycles that were run since the past began.
    pub fn moment(&self) -> Moment {
        self.track.moment()
    }

    /// Goes back by `frames` frames, or as far as the past reaches; false when it goes no further. No file changes before the machine runs on
    /// from there.
    pub fn back(&mut self, frames: u64) -> bool {
        self.back_by(frames, 0)
    }

    pub(super) fn back_by(&mut self, frames: u64, cycles: u64) -> bool {
        let now = self.moment();
        let frame = u64::from(self.machine().config().tv.lines()) * 114;
        let wanted = Moment(now.0.saturating_sub(frames * frame + cycles));
        let wanted = if self.starting.contains(&wanted) {
            // The last frame before the cold start.
            Moment(self.starting.start.0.saturating_sub(frame))
        } else {
            wanted
        };
        let moment = wanted.max(self.oldest());
        moment < now && self.go_to(moment)
    }

    /// Goes to a remembered moment; to the end of the program's start for a moment within it. False, and nothing happens, when it cannot
    /// be reached. No file changes before the machine runs on from there.
    pub fn go_to(&mut self, moment: Moment) -> bool {
        let moment = if self.starting.contains(&moment) {
            self.starting.end
        } else {
            moment
        };
        self.go_exactly_to(moment)
    }

    /// [`Self::go_to`] for a debugger, which looks at the program's start, too.
    pub fn go_exactly_to(&mut self, moment: Moment) -> bool {
        let timeline = self.timeline();
        let reachable = self.track.oldest()..=timeline.newest().max(self.moment());
        if timeline.is_off() || !reachable.contains(&moment) {
            return false;
        }
        let (line, looked_at) = (self.line_at(moment), self.mounts.looked_at());
        self.put_aside(line);
        let held = self.track.controls;
        let reached = self.track.go_to(moment);
        self.track.controls = held;
        if !reached {
            self.mounts.stay(looked_at);
        }
        self.became(Why::Back);
        reached
    }

    /// Makes another branch of the past the present one, at the moment where it begins; false, and nothing happens, if the branch does not exist.
    pub fn switch(&mut self, id: BranchId) -> bool {
        let branch = self.timeline().branches().find(|branch| branch.id == id);
        let Some(branch) = branch.filter(|branch| branch.from >= self.track.oldest()) else {
            return false;
        };
        let (line, looked_at) = (self.line_at(branch.from), self.mounts.looked_at());
        self.put_aside(line);
        let held = self.track.controls;
        let reached = self.track.switch(id);
        self.track.controls = held;
        if !reached {
            self.mounts.stay(looked_at);
        }
        self.became(Why::Back);
        reached
    }

    /// Applies an event that a debugger's user wants. In recorded time a branch begins.
    ///
    /// # Errors
    /// When it cannot be done; then nothing has happened.
    pub fn apply(&mut self, event: Event) -> Result<(), EventError> {
        self.track.apply(event)?;
        self.end_playing();
        Ok(())
    }

    /// The owner of the machine's media at a moment.
    pub(super) fn line_at(&self, moment: Moment) -> Line {
        let mut known = self.placements.iter().rev();
        let found = known.find(|(from, _)| *from <= moment);
        found.map_or(Line::Foreign, |(_, line)| line.clone())
    }

    /// Before the machine becomes that of another moment.
    pub(super) fn put_aside(&mut self, line: Line) {
        let from = self.moment();
        self.mounts
            .put_aside(&mut self.track.machine, self.setup.printer, line, from);
    }

    /// The machine runs on from the moment that it is at.
    pub(super) fn run_on(&mut self) {
        if !self.mounts.run_on(&mut self.track.machine) {
            return;
        }
        for drive in 0..8 {
            if self.track.machine.disk(drive).is_some() {
                let protected = self.mounts.is_protected(drive);
                let drive = drive as u8;
                self.note(Event::ProtectDisk { drive, protected });
            }
        }
        self.note_placement();
    }

    /// Notes the places of the media from the present on, also while another moment is looked at.
    pub(super) fn note_placement(&mut self) {
        // The moment of the present machine is that of the loaded one, whose media these are not.
        if self.mounts.has_loaded() {
            return;
        }
        let placement = Line::Own(self.mounts.placement());
        self.note_line(
            placement,
            self.mounts.left().unwrap_or_else(|| self.moment()),
        );
    }

    /// Notes the owner of the machine's media from this moment on.
    pub(super) fn note_line(&mut self, line: Line, now: Moment) {
        self.placements.retain(|(from, _)| *from < now);
        self.placements.push((now, line));
    }

    /// Notes the event that was just applied to the machine.
    pub(super) fn note(&mut self, event: Event) {
        self.track.timeline.record(&self.track.machine, event);
    }

    /// Runs on to a moment of this frame as it is recorded.
    pub(super) fn replay_to(&mut self, until: Moment, probe: &mut impl Probe) -> (Outcome, bool) {
        if self.playing {
            self.mounts.run_on(&mut self.track.machine);
        }
        self.within_frame = false;
        let end = self.track.frame_end();
        let held = self.track.controls;
        let forward = self.track.replay(until.min(end), probe);
        self.track.controls = held;
        if self.mounts.is_looking() {
            self.put_aside(self.line_at(self.moment()));
        }
        if self.moment() >= end {
            self.frames += 1;
            self.machine_frames += 1;
        }
        self.end_playing();
        match forward {
            Forward::Differs(moment) => (Outcome::Differs(moment), false),
            Forward::Done => (Outcome::Done, false),
            Forward::Stopped => (Outcome::Done, true),
        }
    }

    /// At the end of a recording the machine continues live.
    fn end_playing(&mut self) {
        if self.playing && self.timeline().is_live() {
            self.playing = false;
            self.track.controls = self.track.machine.input;
            self.mounts.adopt(&self.track.machine);
            self.note_placement();
        }
    }
}
