//! A machine and its past, with one owner.
use crate::timeline::{BranchId, Event, EventError, Forward, Limits, Moment, Timeline, Visit};
use machine::{Input, Machine, Probe, SoundChange};

/// A machine, everything that has happened to it, and the controls that the user holds.
///
/// The machine is reached by [`Event`]s and by time only: every action on it is in its past, so no caller has to tell the
/// [`Timeline`] afterwards. With [`Limits::OFF`] nothing is remembered; all else is as always.
///
/// ```
/// # let config = machine::Config { model: machine::Model::Xl800, tv: machine::Tv::Ntsc, os: machine::Rom::own(roms::OS_XL),
/// #     basic: Some(machine::Rom::own(roms::BASIC)), cartridge: None, second: None, seed: 0, extras: machine::Extras::default() };
/// use session::timeline::{Event, Limits, Moment};
/// use session::Track;
///
/// let mut track = Track::new(machine::Machine::new(&config)?, Limits::debugger());
/// for _ in 0..10 {
///     track.run(track.frame_end(), &mut machine::NoProbe);
/// }
/// track.apply(Event::Poke { address: 0x600, data: 42 })?;
/// assert!(track.go_to(Moment(100_000)));
/// assert_eq!(track.machine().now(), 100_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Track {
    pub(crate) machine: Machine,
    pub(crate) timeline: Timeline,
    /// The controls that the user holds; in recorded time, those that were held then.
    pub controls: Input,
    /// Moments before this one belong to another program.
    pub(crate) floor: Moment,
}

impl Track {
    /// A track that begins with this machine.
    pub fn new(machine: Machine, limits: Limits) -> Self {
        let mut timeline = Timeline::new(&machine, limits);
        // Where copies are kept, the first moment can be reached with its picture.
        timeline.frame(&machine);
        Self::with(machine, timeline)
    }

    /// A track that has this past, whose cursor is this machine's.
    pub fn with(machine: Machine, timeline: Timeline) -> Self {
        Self {
            controls: machine.input,
            machine,
            timeline,
            floor: Moment::default(),
        }
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Its past.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// The machine and its past, each for itself.
    pub fn into_parts(self) -> (Machine, Timeline) {
        (self.machine, self.timeline)
    }

    /// Changes the limits of the past; see [`Timeline::set_limits`].
    pub fn set_limits(&mut self, limits: Limits) {
        self.timeline.set_limits(limits);
    }

    /// The past begins here, with other limits.
    pub fn remember(&mut self, limits: Limits) {
        self.timeline = Timeline::new(&self.machine, limits);
        self.timeline.frame(&self.machine);
        self.floor = Moment::default();
    }

    /// The moment at which the machine is.
    pub fn moment(&self) -> Moment {
        self.timeline.moment_of(&self.machine)
    }

    /// The oldest moment that can be reached.
    pub fn oldest(&self) -> Moment {
        self.timeline.oldest().max(self.floor)
    }

    /// The end of the frame in which the machine is.
    pub fn frame_end(&self) -> Moment {
        self.timeline.frame_end(&self.machine)
    }

    /// The moment at which the clock of the machine's present life shows `now`.
    pub fn moment_at(&self, now: u64) -> Option<Moment> {
        let since = (self.moment().0 + now).checked_sub(self.machine.now())?;
        Some(Moment(since))
    }

    /// A machine of its own at a recorded moment, to look around with.
    pub fn visit(&self, moment: Moment) -> Option<Visit> {
        if moment == self.moment() {
            return Some(Visit::begin(self.timeline.cursor(), self.machine.clone()));
        }
        self.timeline.visit(moment)
    }

    /// The machine as it was when its clock showed `now`, in its present life.
    pub fn state_at(&self, now: u64) -> Option<Machine> {
        Some(self.visit(self.moment_at(now)?)?.into_machine())
    }

    /// True if the beam is at the beginning of a frame.
    pub fn at_frame_start(&self) -> bool {
        let beam = self.machine.beam();
        (beam.line, beam.cycle) == (0, 0)
    }

    /// Applies an event to the machine. In recorded time a branch begins, and the old future is kept.
    ///
    /// # Errors
    /// When it cannot be done; then nothing has happened.
    pub fn apply(&mut self, event: Event) -> Result<(), EventError> {
        self.timeline.apply(&mut self.machine, event)
    }

    /// Runs on to a moment or until the probe stops the machine; true if it did. Events recorded after the present moment do not happen
    /// again: they become a branch when one of them is left out.
    pub fn run<P: Probe>(&mut self, until: Moment, probe: &mut P) -> bool {
        let cycles = until.0.saturating_sub(self.moment().0);
        self.timeline.catch_up(&self.machine);
        let stopped = match self.timeline.begin_noting(until) {
            Some(mut noting) => {
                let mut both = (&mut noting.stored, probe);
                let stopped = self.machine.run_cycles_with(cycles, &mut both);
                self.timeline.end_noting(noting, self.moment());
                stopped
            }
            None => self.machine.run_cycles_with(cycles, probe),
        };
        if self.at_frame_start() {
            self.timeline.frame(&self.machine);
        } else {
            self.timeline.catch_up(&self.machine);
        }
        stopped
    }

    /// Runs on to a moment or until the probe stops the machine; the recorded events happen again.
    pub fn replay<P: Probe>(&mut self, until: Moment, probe: &mut P) -> Forward {
        self.timeline.catch_up(&self.machine);
        let forward = match self.timeline.begin_noting(until) {
            Some(mut noting) => {
                let mut both = (&mut noting.stored, probe);
                let forward = self.timeline.forward(&mut self.machine, until, &mut both);
                self.timeline.end_noting(noting, self.moment());
                forward
            }
            None => self.timeline.forward(&mut self.machine, until, probe),
        };
        if self.at_frame_start() {
            self.timeline.frame(&self.machine);
        }
        self.controls = self.machine.input;
        forward
    }

    /// Goes to a recorded moment, forwards or backwards; false, and nothing changes, if it cannot be reached. The time after it is kept.
    pub fn go_to(&mut self, moment: Moment) -> bool {
        let reached = moment >= self.floor && self.timeline.goto(&mut self.machine, moment);
        self.controls = self.machine.input;
        reached
    }

    /// Makes another branch the present one, at the moment where it begins; false, and nothing changes, if the branch does not exist.
    pub fn switch(&mut self, id: BranchId) -> bool {
        let branch = self.timeline.branches().find(|branch| branch.id == id);
        let from = branch.map(|branch| branch.from);
        let reachable = from.filter(|from| *from >= self.floor);
        let reached =
            reachable.is_some_and(|from| self.timeline.switch(&mut self.machine, id, from));
        self.controls = self.machine.input;
        reached
    }

    /// Moves the changes of the sound since the last call to the end of `changes`.
    pub fn take_sound(&mut self, changes: &mut Vec<SoundChange>) {
        self.machine.take_sound(changes);
    }

    /// The machine becomes that of a raw state of the same configuration.
    pub(crate) fn load_raw_state(
        &mut self,
        raw: &[u8],
        media: &machine::Media,
    ) -> Result<(), machine::StateError> {
        self.timeline.load_raw_state(&mut self.machine, raw, media)
    }

    /// Puts another machine in place of this one; the time before stays reachable.
    pub fn replace(&mut self, machine: Machine) {
        self.timeline.replace(&mut self.machine, machine);
    }
}
