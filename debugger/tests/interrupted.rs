//! Long commands end between two of their pieces when the user wants them to, and leave the machine at a moment of its own.

mod common;

use common::running;
use debugger::{Debuggee, Debugger, Limits, Moment, Place, Step, Track, Watch, execute};
use session::timeline::{BranchId, Event, EventError};
use std::cell::Cell;

/// A machine whose user presses Escape when it has been asked for this many times.
struct Impatient {
    track: Track,
    asked: Cell<u32>,
    patience: u32,
}

impl Debuggee for Impatient {
    fn track(&self) -> &Track {
        &self.track
    }

    fn run(&mut self, until: Moment, watch: Option<&mut Watch<'_>>) -> bool {
        Debuggee::run(&mut self.track, until, watch)
    }

    fn go_to(&mut self, moment: Moment) -> bool {
        self.track.go_to(moment)
    }

    fn switch(&mut self, id: BranchId) -> bool {
        self.track.switch(id)
    }

    fn apply(&mut self, event: Event) -> Result<(), EventError> {
        self.track.apply(event)
    }

    fn is_interrupted(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.asked.get() > self.patience
    }
}

/// Five seconds of a machine whose stores are not noted, so that searches take long, and a breakpoint that nothing reaches.
fn begun() -> (Debugger, Impatient) {
    let limits = Limits {
        stores: false,
        ..Limits::debugger()
    };
    let (mut debugger, mut track) = (Debugger::default(), Track::new(running(), limits));
    for _ in 0..300 {
        debugger.step(&mut track, Step::Frame);
    }
    debugger.breakpoints.add(Place::Write(0x4321..=0x4321));
    let impatient = Impatient {
        track,
        asked: Cell::new(0),
        patience: u32::MAX,
    };
    (debugger, impatient)
}

#[test]
fn escape_ends_what_takes_long_in_both_directions() {
    let (mut debugger, mut machine) = begun();
    for (command, runs) in [
        ("run 300", true),
        ("statement", true),
        ("back", false),
        ("back statement", false),
        ("who $4321", false),
        ("stores $4321", false),
        ("origin $4321", false),
        ("when 1 == 2", false),
        ("when last 1 == 2", false),
    ] {
        let now = machine.track.moment();
        (machine.patience, machine.asked) = (u32::MAX, Cell::new(0));
        let answer = execute(&mut debugger, &mut machine, command);
        let whole = machine.asked.get();
        assert!(whole > 2, "{command}: asked {whole} times, {answer:?}");
        assert!(!format!("{answer:?}").contains("interrupted"), "{command}");
        machine.track.go_to(now);

        (machine.patience, machine.asked) = (1, Cell::new(0));
        let answer = execute(&mut debugger, &mut machine, command);
        assert!(
            format!("{answer:?}").contains("interrupted"),
            "{command}: {answer:?}"
        );
        let asked = machine.asked.get();
        assert!(asked < whole && asked <= 4, "{command}: {asked} of {whole}");
        let moved = machine.track.moment().0 - now.0;
        let frame = 262 * 114;
        assert!(
            if runs { moved <= 2 * frame } else { moved == 0 },
            "{command}"
        );
        machine.track.go_to(now);
    }
    // The prompt's ^C and an editor's pause do the same.
    machine.patience = u32::MAX;
    debugger.interrupt.request();
    let answer = execute(&mut debugger, &mut machine, "back").unwrap_err();
    assert_eq!(answer, "back: interrupted");
}
