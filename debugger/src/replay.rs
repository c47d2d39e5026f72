//! A frame that is run again to be examined, as it ran: with all events in it.

use crate::LINE;
use crate::frame_log::Recorder;
use machine::{Machine, NoProbe, Probe};
use session::Track;
use session::timeline::{Event, Moment, Position, Timeline, Visit};

/// A separate machine that runs again as it is recorded, and beyond that by itself.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    visit: Visit,
    past: Option<&'a Timeline>,
}

impl From<Machine> for Replay<'_> {
    /// A machine without events.
    fn from(machine: Machine) -> Self {
        Self {
            visit: Visit::begin(Position::default(), machine),
            past: None,
        }
    }
}

impl<'a> Replay<'a> {
    /// A replay from a moment on; `None` if it is not recorded, or if the machine's life began again between it and the present.
    pub fn of(track: &'a Track, start: Moment) -> Option<Self> {
        let mut visit = track.visit(start)?;
        let now = track.moment();
        let timeline = track.timeline();
        let mut since = timeline.events_after(visit.position());
        if since.any(|(at, event)| at <= now && event.begins_anew()) {
            return None;
        }
        // A stopped machine has drawn everything that the beam has passed.
        visit.run_alone(0, &mut NoProbe);
        Some(Self {
            visit,
            past: Some(timeline),
        })
    }

    /// From cycle 0 of line 0 of the frame in which the beam was last at a place before the present moment.
    pub(crate) fn frame_before(track: &'a Track, line: u16, cycle: u8) -> Option<Self> {
        let beam = track.machine().beam();
        let frame = u64::from(track.machine().bus().video.antic.lines()) * LINE;
        let done = u64::from(beam.line) * LINE + u64::from(beam.cycle);
        let wanted = u64::from(line) * LINE + u64::from(cycle);
        let start = track.moment().0.checked_sub(done)?;
        let start = if wanted < done {
            start
        } else {
            start.checked_sub(frame)?
        };
        Self::of(track, Moment(start))
    }

    /// The machine as it is now in the replay.
    pub fn machine(&self) -> &Machine {
        self.visit.machine()
    }

    /// Draws up to the beam position.
    pub(crate) fn draw_to_beam(&mut self) {
        self.visit.draw_to_beam();
    }

    /// Runs on; events from outside are recorded with the rest. Ends early where the machine's life begins again.
    pub(crate) fn run(&mut self, cycles: u64, recorder: &mut Recorder) {
        if let Some(timeline) = self.past {
            self.tell_edits(timeline, cycles, recorder);
        }
        self.forward(cycles, recorder);
    }

    /// [`Self::run`] without a recording.
    pub(crate) fn advance(&mut self, cycles: u64) {
        self.forward(cycles, &mut NoProbe);
    }

    fn tell_edits(&self, timeline: &Timeline, cycles: u64, recorder: &mut Recorder) {
        let until = self.reach(timeline, cycles);
        for (at, event) in timeline.events_after(self.visit.position()) {
            if at >= until {
                break;
            }
            let now = self.machine().now() + (at.0 - self.visit.moment().0);
            match *event {
                Event::Poke { address, data } | Event::WriteRegister { address, data } => {
                    recorder.edited(now, address, data);
                }
                _ => {}
            }
        }
    }

    /// The moment that many cycles later, or the power cycle or loaded state before it.
    fn reach(&self, timeline: &Timeline, cycles: u64) -> Moment {
        let until = Moment(self.visit.moment().0 + cycles);
        let mut events = timeline.events_after(self.visit.position());
        let begins = events
            .by_ref()
            .take_while(|(at, _)| *at < until)
            .find(|(_, event)| event.begins_anew());
        begins.map_or(until, |(at, _)| at)
    }

    fn forward<P: Probe>(&mut self, cycles: u64, probe: &mut P) {
        let Some(timeline) = self.past else {
            self.visit.run_alone(cycles, probe);
            return;
        };
        let until = self.reach(timeline, cycles);
        self.visit.run_up_to(timeline, until, probe);
        let newest = timeline.newest();
        if self.visit.moment() < until && self.visit.moment() >= newest {
            self.visit.run_alone(until.0 - self.visit.moment().0, probe);
        }
    }
}
