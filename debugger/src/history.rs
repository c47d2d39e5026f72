//! The past: copies of the machine, and the controls between them. Any moment in between is reached by running again,
//! because equal machines with equal inputs run equally.

use crate::breakpoints::Breakpoints;
use crate::watch::{Find, Finder};
use machine::{Input, Machine};
use std::collections::VecDeque;

/// Recorded states and inputs.
#[derive(Clone, Debug)]
pub struct History {
    states: VecDeque<Box<Machine>>,
    /// Since when the controls were so, ascending.
    inputs: VecDeque<(u64, Input)>,
    /// Cycles between two states.
    spacing: u64,
    /// States that are kept.
    capacity: usize,
    /// When the last forward step ended on the way of a display list interrupt to its routine.
    pub(crate) dli: Option<u64>,
}

impl Default for History {
    /// Three seconds: a state per frame, 180 of them.
    fn default() -> Self {
        Self::new(crate::LINE * 262, 180)
    }
}

impl History {
    /// Keeps `capacity` states with at least `spacing` machine cycles between them.
    pub fn new(spacing: u64, capacity: usize) -> Self {
        Self {
            states: VecDeque::new(),
            inputs: VecDeque::new(),
            spacing: spacing.max(1),
            capacity: capacity.max(1),
            dli: None,
        }
    }

    /// To be called while the machine runs, once a frame or more often: records its controls, and its state when the
    /// last recorded one is old enough. [`crate::Debugger`] calls it by itself for its own steps.
    pub fn record(&mut self, machine: &Machine) {
        self.record_input(machine);
        let due = self
            .states
            .back()
            .is_none_or(|state| machine.now() >= state.now().saturating_add(self.spacing));
        if due {
            self.push(machine);
        }
    }

    /// To be called after anything else was done to the machine: a disk changed, RESET pressed, memory edited, a state
    /// loaded. The time before stays reachable.
    pub fn record_change(&mut self, machine: &Machine) {
        self.record_input(machine);
        self.push(machine);
    }

    /// The controls change between two runs.
    pub(crate) fn record_input(&mut self, machine: &Machine) {
        let now = machine.now();
        if self.states.back().is_some_and(|state| state.now() > now) {
            // Another life of the machine (power, a loaded state).
            self.clear();
        }
        if self
            .inputs
            .back()
            .is_none_or(|&(_, input)| input != machine.input)
        {
            while self.inputs.back().is_some_and(|&(since, _)| since >= now) {
                self.inputs.pop_back();
            }
            self.inputs.push_back((now, machine.input));
        }
    }

    fn push(&mut self, machine: &Machine) {
        self.states.push_back(Box::new(machine.clone()));
        while self.states.len() > self.capacity {
            self.states.pop_front();
        }
        if let Some(oldest) = self.states.front() {
            let oldest = oldest.now();
            // The last of the old inputs is the one that still holds.
            while self.inputs.len() > 1 && self.inputs[1].0 <= oldest {
                self.inputs.pop_front();
            }
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.states.clear();
        self.inputs.clear();
    }

    /// The machine cycle to which one can go back.
    pub fn oldest(&self) -> Option<u64> {
        self.states.front().map(|state| state.now())
    }

    /// Recorded states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether nothing is recorded.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    pub(crate) fn forget_after(&mut self, now: u64) {
        while self.states.back().is_some_and(|state| state.now() > now) {
            self.states.pop_back();
        }
        while self.inputs.len() > 1 && self.inputs.back().is_some_and(|&(since, _)| since > now) {
            self.inputs.pop_back();
        }
    }

    /// The machine as it was at the beginning of cycle `target`; none if that is not recorded.
    pub fn state_at(&self, target: u64) -> Option<Machine> {
        let state = self
            .states
            .iter()
            .rev()
            .find(|state| state.now() <= target)?;
        let mut machine = Machine::clone(state);
        self.replay(&mut machine, target, &mut machine::NoProbe);
        // What sounded was heard already.
        machine.take_sound(&mut Vec::new());
        Some(machine)
    }

    /// Runs a recorded state to `target` with the controls of that time.
    fn replay<P: machine::Probe>(&self, machine: &mut Machine, target: u64, probe: &mut P) {
        let start = machine.now();
        if let Some(&(_, input)) = self.inputs.iter().rev().find(|&&(since, _)| since <= start) {
            machine.input = input;
        }
        for &(since, input) in self
            .inputs
            .iter()
            .filter(|&&(since, _)| since > start && since < target)
        {
            machine.run_cycles_with(since - machine.now(), probe);
            machine.input = input;
        }
        machine.run_cycles_with(target - machine.now(), probe);
    }

    /// The last moment before `now` of this kind.
    pub(crate) fn last_before(
        &self,
        now: u64,
        breakpoints: &Breakpoints,
        find: Find,
    ) -> Option<u64> {
        let mut end = now;
        // From state to state, the latest first.
        for state in self.states.iter().rev().filter(|state| state.now() < now) {
            let mut machine = Machine::clone(state);
            let mut finder = Finder::new(&machine.cpu, breakpoints, find);
            self.replay(&mut machine, end, &mut finder);
            if finder.found.is_some() {
                return finder.found;
            }
            // A moment at which a state was recorded belongs to the run that led there.
            end = state.now() + 1;
        }
        None
    }
}
