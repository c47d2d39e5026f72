//! Going back in time.

mod common;

use common::{CALL, DLI, DLI_LINE, FIRST_STORE, LOOP, NMI, SUB, running, tracked};
use debugger::{Debugger, Place, Step, Stop};
use machine::Machine;
use session::timeline::Event;

/// The parts of a machine that must be equal at equal times.
fn image(machine: &Machine) -> (u64, cpu6502::Cpu, Vec<u8>, u64) {
    (
        machine.now(),
        machine.cpu.clone(),
        machine.bus().memory.ram().to_vec(),
        machine.frame().number(),
    )
}

#[test]
fn cycles_and_instructions_go_back_as_they_came() {
    for step in [Step::Cycle, Step::Instruction, Step::Line] {
        let (mut debugger, mut track) = (Debugger::default(), tracked(running()));
        if step == Step::Line {
            debugger.step(&mut track, step);
        } else {
            debugger.step(&mut track, Step::To(LOOP));
        }
        let mut past = vec![image(track.machine())];
        for _ in 0..100 {
            debugger.step(&mut track, step);
            past.push(image(track.machine()));
        }
        while let Some(expected) = past.pop() {
            assert!(
                image(track.machine()) == expected,
                "{step:?}: {} of {}",
                track.machine().now(),
                expected.0
            );
            if !past.is_empty() {
                assert!(debugger.step_back(&mut track, step));
            }
        }
    }
}

#[test]
fn the_past_has_the_controls_of_the_past() {
    let (mut debugger, mut track) = (Debugger::default(), tracked(running()));
    let mut past = Vec::new();
    // The loop adds TRIG0 to a counter.
    for round in 0..45 {
        track.controls.joystick(0).trigger = round % 3 == 0;
        for _ in 0..7 {
            debugger.step(&mut track, Step::Instruction);
        }
        past.push(image(track.machine()));
        if round % 15 == 14 {
            debugger.step(&mut track, Step::Line);
        }
    }
    let last = image(track.machine());
    assert_ne!(last.2[0x81], past[0].2[0x81]);
    for expected in past.iter().rev().step_by(7) {
        assert!(
            track
                .state_at(expected.0)
                .is_some_and(|then| image(&then) == *expected)
        );
    }
    let target = past[20].0;
    while track.machine().now() > target {
        assert!(debugger.step_back(&mut track, Step::Instruction));
    }
    assert!(image(track.machine()) == past[20]);
}

#[test]
fn over_goes_back_over_subroutines_and_out_to_the_call() {
    let (mut debugger, mut track) = (Debugger::default(), tracked(running()));
    debugger.step(&mut track, Step::To(CALL + 3));
    assert!(debugger.step_back(&mut track, Step::Over));
    assert_eq!(track.machine().cpu.pc, CALL);
    debugger.step(&mut track, Step::To(SUB + 1));
    assert!(debugger.step_back(&mut track, Step::Out));
    assert_eq!(track.machine().cpu.pc, CALL);
}

#[test]
fn the_last_dli_and_the_last_breakpoint_are_found_across_frames() {
    let (mut debugger, mut track) = (Debugger::default(), tracked(running()));
    let mut entries = Vec::new();
    for _ in 0..4 {
        debugger.step(&mut track, Step::Dli);
        entries.push(track.machine().now());
    }
    debugger.step(&mut track, Step::Frame);
    for &entry in entries.iter().rev() {
        assert!(debugger.step_back(&mut track, Step::Dli));
        assert_eq!(
            (
                track.machine().now(),
                track.machine().cpu.pc,
                track.machine().beam().line
            ),
            (entry, NMI, DLI_LINE)
        );
    }
    for _ in 0..3 {
        debugger.run_frame(&mut track);
    }
    let id = debugger.breakpoints.add(Place::Beam(50, 3));
    assert!(debugger.run_back(&mut track));
    assert_eq!(
        (track.machine().beam().line, track.machine().beam().cycle),
        (50, 3)
    );
    let there = track.machine().now();
    assert!(debugger.run_back(&mut track));
    assert_eq!(track.machine().now() + 262 * 114, there);
    assert_eq!(debugger.run_frame(&mut track), Stop::Done);
    assert_eq!(debugger.run_frame(&mut track), Stop::Breakpoint(id));
    assert_eq!(track.machine().now(), there);
}

#[test]
fn frames_and_beam_places_are_found_backwards() {
    let (mut debugger, mut track) = (Debugger::default(), tracked(running()));
    for _ in 0..3 {
        debugger.run_frame(&mut track);
    }
    debugger.step(&mut track, Step::Beam(20, 30));
    assert!(debugger.step_back(&mut track, Step::Frame));
    assert_eq!(
        (track.machine().beam().line, track.machine().beam().cycle),
        (0, 0)
    );
    let frame = track.machine().now();
    assert!(debugger.step_back(&mut track, Step::Frame));
    assert_eq!(track.machine().now() + 262 * 114, frame);
    assert!(debugger.step_back(&mut track, Step::Beam(200, 5)));
    assert_eq!(
        (track.machine().beam().line, track.machine().beam().cycle),
        (200, 5)
    );
}

#[test]
fn what_lies_before_the_record_is_not_reached_and_nothing_changes() {
    let (mut debugger, mut track) = (Debugger::default(), tracked(running()));
    assert!(!debugger.step_back(&mut track, Step::Cycle));
    debugger.step(&mut track, Step::Cycle);
    assert!(debugger.step_back(&mut track, Step::Cycle));
    let before = image(track.machine());
    assert!(!debugger.step_back(&mut track, Step::Cycle));
    assert!(!debugger.step_back(&mut track, Step::Dli));
    assert!(image(track.machine()) == before);
}

#[test]
fn going_back_keeps_the_future_and_a_change_begins_a_branch() {
    let (mut debugger, mut track) = (Debugger::default(), tracked(running()));
    for _ in 0..5 {
        debugger.run_frame(&mut track);
    }
    let end = image(track.machine());
    for _ in 0..3 {
        assert!(debugger.step_back(&mut track, Step::Frame));
    }
    for _ in 0..3 {
        debugger.run_frame(&mut track);
    }
    assert!(image(track.machine()) == end, "the same future");
    let timeline = track.timeline();
    assert_eq!(timeline.branches().count(), 0);
    // Something else is done to the machine: a branch.
    assert!(debugger.step_back(&mut track, Step::Frame));
    let fork = image(track.machine());
    debugger::execute(&mut debugger, &mut track, "poke $81 55").unwrap();
    debugger.run_frame(&mut track);
    assert!(image(track.machine()) != end);
    let timeline = track.timeline();
    assert_eq!(timeline.branches().count(), 1);
    let id = timeline.branches().next().unwrap().id.0;
    debugger::execute(&mut debugger, &mut track, &format!("switch {id}")).unwrap();
    assert!(image(track.machine()) == fork, "where the branch begins");
    debugger.run_frame(&mut track);
    assert!(image(track.machine()) == end, "the old future was kept");
}

#[test]
fn a_change_from_outside_is_a_border_that_time_before_survives() {
    let (mut debugger, mut track) = (Debugger::default(), tracked(running()));
    debugger.run_frame(&mut track);
    let before = image(track.machine());
    debugger.step(&mut track, Step::Instruction);
    let mut other = track.machine().clone();
    other.poke(0x0090, other.peek(0x0090) ^ 0xFF);
    track.replace(other);
    let changed = image(track.machine());
    debugger.step(&mut track, Step::Instruction);
    assert!(debugger.step_back(&mut track, Step::Instruction));
    assert!(image(track.machine()) == changed);
    while track.machine().now() > before.0 {
        assert!(debugger.step_back(&mut track, Step::Cycle));
    }
    assert!(image(track.machine()) == before);
}

#[test]
fn the_time_before_power_off_stays_reachable() {
    let (mut debugger, mut track) = (Debugger::default(), tracked(running()));
    debugger.run_frame(&mut track);
    let before = track.machine().now();
    track.apply(Event::PowerCycle).unwrap();
    debugger.step(&mut track, Step::Cycle);
    debugger.step(&mut track, Step::Cycle);
    assert!(
        debugger.step_back(&mut track, Step::Cycle) && debugger.step_back(&mut track, Step::Cycle)
    );
    assert_eq!(track.machine().now(), 0);
    assert!(debugger.step_back(&mut track, Step::Cycle));
    assert_eq!(track.machine().now(), before - 1);
}

#[test]
fn every_hit_is_found_again_on_the_way_back() {
    let places: [&[Place]; 7] = [
        &[Place::Pc(LOOP)],
        &[Place::Pc(DLI), Place::Pc(FIRST_STORE)],
        &[Place::Read(0xD010..=0xD010)],
        &[Place::Write(0xD01A..=0xD01A)],
        // A mirror of NMIRES and NMIST.
        &[Place::Access(0xD4FF..=0xD4FF)],
        &[Place::Beam(50, 3), Place::Beam(0, 0), Place::Beam(261, 113)],
        &[
            Place::Beam(DLI_LINE, 20),
            Place::Pc(NMI),
            Place::Beam(300, 0),
        ],
    ];
    for places in places {
        // What ran before has nothing to say about places; with a breakpoint that asks for it, it is followed all the same.
        for follows in [false, true] {
            let (mut debugger, mut track) = (Debugger::default(), tracked(running()));
            debugger.step(&mut track, Step::Frame);
            for place in places {
                debugger.breakpoints.add(place.clone());
            }
            if follows {
                debugger.breakpoints.add(Place::StackWrap);
            }
            let end = track.machine().now() + 3 * 262 * 114;
            let mut hits = Vec::new();
            while track.machine().now() < end && hits.len() < 60 {
                let left = end - track.machine().now();
                let stop = debugger.run(&mut track, left);
                if matches!(stop, Stop::Breakpoint(_)) {
                    hits.push(track.machine().now());
                }
            }
            assert!(hits.len() > 2, "{places:?}: {} hits", hits.len());
            if hits.last() == Some(&track.machine().now()) {
                hits.pop();
            }
            for hit in hits.into_iter().rev() {
                assert!(debugger.run_back(&mut track), "{places:?}, {hit}");
                assert_eq!(track.machine().now(), hit, "{places:?}, {follows}");
            }
        }
    }
}
