//! The past of a session: going back, recordings, and whose media a moment has.
use super::{Outcome, Session, Why};
use crate::media::{Line, Mounts};
use crate::program::Program;
use crate::setup::Setup;
use crate::timeline::{Event, Forward, Limits, Moment, Recording, Timeline};
use machine::{NoProbe, StateError};

impl Session {
    /// From now on what happens is remembered, so that [`Self::back`] leads to it and [`Self::recording`] has it.
    pub fn remember(&mut self, limits: Limits) {
        self.timeline = Some(Timeline::new(&self.machine, limits));
        self.begun = Moment::default();
        self.starting = Moment::default()..Moment::default();
        self.placements = vec![(Moment::default(), self.mounts.line())];
    }

    /// A session that plays a recording, and goes on live at its end.
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
            timeline: Some(timeline),
            playing: true,
            placements: vec![(Moment::default(), mounts.line())],
            ..Self::of(setup, machine, mounts)
        })
    }

    /// Whether a recording is being played.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// What is remembered.
    pub fn timeline(&self) -> Option<&Timeline> {
        self.timeline.as_ref()
    }

    /// Everything that is remembered, for a file.
    pub fn recording(&self) -> Option<Recording> {
        self.timeline.as_ref().map(Timeline::recording)
    }

    /// The present moment of what is remembered.
    pub fn moment(&self) -> Option<Moment> {
        let timeline = self.timeline.as_ref()?;
        Some(timeline.moment_of(&self.machine))
    }

    /// Goes back by so many frames, or as far as it goes; false when it goes no further. No file changes before the machine runs on
    /// from there.
    pub fn back(&mut self, frames: u64) -> bool {
        self.back_by(frames, 0)
    }

    pub(super) fn back_by(&mut self, frames: u64, cycles: u64) -> bool {
        let Some(now) = self.moment() else {
            return false;
        };
        let frame = u64::from(self.machine.config().tv.lines()) * 114;
        let wanted = Moment(now.0.saturating_sub(frames * frame + cycles));
        let Some(oldest) = self.oldest() else {
            return false;
        };
        let wanted = if self.starting.contains(&wanted) {
            // The last frame before the cold start.
            Moment(self.starting.start.0.saturating_sub(frame))
        } else {
            wanted
        };
        let moment = wanted.max(oldest);
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
        let reachable =
            |timeline: &Timeline| (timeline.oldest()..=timeline.newest()).contains(&moment);
        if !self.timeline.as_ref().is_some_and(reachable) {
            return false;
        }
        self.leave(self.line_at(moment));
        let Some(timeline) = &mut self.timeline else {
            return false;
        };
        let mut machine = self.machine.clone();
        let reached = timeline.goto(&mut machine, moment);
        if reached {
            self.replace(machine, Why::Back);
        }
        reached
    }

    /// Whose media the machine had at a moment.
    pub(super) fn line_at(&self, moment: Moment) -> Line {
        let mut known = self.placements.iter().rev();
        let found = known.find(|(from, _)| *from <= moment);
        found.map_or(Line::Foreign, |(_, line)| line.clone())
    }

    /// Before the machine becomes that of another moment.
    pub(super) fn leave(&mut self, line: Line) {
        self.mounts
            .leave(&mut self.machine, self.setup.printer, line);
    }

    /// The machine runs on from the moment that it is at.
    pub(super) fn run_on(&mut self) {
        if !self.mounts.run_on(&mut self.machine) {
            return;
        }
        for drive in 0..8 {
            if self.machine.disk(drive).is_some() {
                let protected = self.mounts.is_protected(drive);
                let drive = drive as u8;
                self.note(Event::ProtectDisk { drive, protected });
            }
        }
        self.note_placement();
    }

    /// Remembers what is where from now on.
    pub(super) fn note_placement(&mut self) {
        self.note_line(self.mounts.line());
    }

    pub(super) fn note_line(&mut self, line: Line) {
        if let Some(now) = self.moment() {
            self.placements.retain(|(from, _)| *from < now);
            self.placements.push((now, line));
        }
    }

    /// Remembers what was done to the machine just now.
    pub(super) fn note(&mut self, event: Event) {
        if let Some(timeline) = &mut self.timeline {
            timeline.record(&self.machine, event);
        }
    }

    /// Runs a frame of the recording.
    pub(super) fn play_frame(&mut self) -> Outcome {
        self.mounts.run_on(&mut self.machine);
        let Some(timeline) = &mut self.timeline else {
            self.playing = false;
            return Outcome::Done;
        };
        let forward = timeline.forward_frame(&mut self.machine, &mut NoProbe);
        self.playing = !timeline.is_live();
        self.frames += 1;
        self.machine_frames += 1;
        if !self.playing {
            self.controls = self.machine.input;
            self.mounts.adopt(&self.machine);
            self.note_placement();
        }
        match forward {
            Forward::Differs(moment) => Outcome::Differs(moment),
            Forward::Done | Forward::Stopped => Outcome::Done,
        }
    }
}
