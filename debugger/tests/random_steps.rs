//! Random steps in both directions against a plain recording. `STEPS` and `SEED` choose another walk.

mod common;

use debugger::{Debugger, Step};
use machine::Machine;
use std::time::{Duration, Instant};

const STEPS: [Step; 10] = [
    Step::Cycle,
    Step::Instruction,
    Step::Over,
    Step::Line,
    Step::Frame,
    Step::Dli,
    Step::DliRoutine,
    Step::Vbi,
    Step::DisplayList,
    Step::Beam(100, 50),
];

/// The machine at a time, by plain running: with a trigger that changes every seventh frame.
struct Plain {
    copies: Vec<Machine>,
}

impl Plain {
    fn at(&self, now: u64) -> Machine {
        let copy = self
            .copies
            .iter()
            .rev()
            .find(|copy| copy.now() <= now)
            .unwrap();
        let mut machine = copy.clone();
        machine.run_cycles(now - machine.now());
        machine
    }
}

fn number(name: &str, normal: u64) -> u64 {
    std::env::var(name).map_or(normal, |text| text.parse().expect("a number"))
}

#[test]
fn random_steps_lead_to_the_recorded_states() {
    let mut track = common::tracked(common::machine());
    let mut debugger = Debugger::default();
    let mut plain = Plain { copies: Vec::new() };
    for frame in 0..240 {
        track.controls.joystick(0).trigger = frame / 7 % 2 == 1;
        let mut copy = track.machine().clone();
        copy.input = track.controls;
        plain.copies.push(copy);
        debugger.run_frame(&mut track);
    }
    let end = track.machine().now();
    let mut random = number("SEED", 20_261_122);
    let mut next = |limit: u64| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    let mut times: Vec<Duration> = Vec::new();
    for round in 0..number("STEPS", 300) {
        let step = STEPS[next(STEPS.len() as u64) as usize];
        let before = track.machine().now();
        // Not into time that was not recorded: it would continue as it is.
        let back = next(2) == 0 || before + 3 * 262 * 114 > end;
        if back {
            let start = Instant::now();
            let done = debugger.step_back(&mut track, step);
            times.push(start.elapsed());
            assert!(if done {
                track.machine().now() < before
            } else {
                track.machine().now() == before
            });
        } else {
            debugger.step(&mut track, step);
            assert!(track.machine().now() > before);
        }
        if track.machine().now() > end || next(100) == 0 {
            let moment = track.moment_at(next(end)).unwrap();
            track.go_to(moment);
        }
        // The sound is not part of the state, but asking for it brings POKEY up to now; and controls reach the chips when a run begins.
        let mut expected = plain.at(track.machine().now());
        let mut machine = track.machine().clone();
        for machine in [&mut machine, &mut expected] {
            machine.run_cycles(0);
            machine.take_sound(&mut Vec::new());
        }
        assert_eq!(machine.now(), expected.now());
        assert!(
            machine.cpu == expected.cpu && machine.save_state() == expected.save_state(),
            "round {round}: {step:?} {}",
            if back { "back" } else { "forward" }
        );
        assert!(
            machine.frame() == expected.frame(),
            "the picture in round {round}"
        );
    }
    assert_eq!(track.timeline().branches().count(), 0);
    times.sort();
    println!(
        "{} steps back: median {:?}, 95 % {:?}, longest {:?}",
        times.len(),
        times[times.len() / 2],
        times[times.len() * 95 / 100],
        times[times.len() - 1]
    );
}
