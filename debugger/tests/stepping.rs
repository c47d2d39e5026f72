//! Steps and breakpoints on a whole machine.

mod common;

use common::{
    CALL, DLI, DLI_LINE, FIRST_STORE, LOOP, NMI, SUB, machine, machine_with, os, running, tracked,
};
use debugger::Track;
use debugger::{Debugger, Entry, Place, Step, Stop, view};
use machine::Machine;

fn in_loop() -> (Debugger, Track) {
    let mut debugger = Debugger::default();
    let mut track = tracked(running());
    assert_eq!(debugger.step(&mut track, Step::To(LOOP)), Stop::Done);
    assert_eq!(track.machine().cpu.pc, LOOP);
    (debugger, track)
}

#[test]
fn a_cycle_is_a_machine_cycle() {
    let (mut debugger, mut track) = in_loop();
    for _ in 0..1000 {
        let before = track.machine().now();
        assert_eq!(debugger.step(&mut track, Step::Cycle), Stop::Done);
        assert_eq!(track.machine().now(), before + 1);
    }
}

#[test]
fn instructions_follow_the_program() {
    let (mut debugger, mut track) = in_loop();
    let mut seen = Vec::new();
    for _ in 0..9 {
        assert_eq!(debugger.step(&mut track, Step::Instruction), Stop::Done);
        assert!(track.machine().cpu.at_instruction_start());
        seen.push(track.machine().cpu.pc);
    }
    assert_eq!(
        seen,
        [
            CALL,
            SUB,
            SUB + 1,
            SUB + 2,
            CALL + 3,
            CALL + 6,
            CALL + 7,
            CALL + 9,
            CALL + 11
        ]
    );
}

#[test]
fn over_runs_a_subroutine_to_its_end() {
    let (mut debugger, mut track) = in_loop();
    debugger.step(&mut track, Step::Over);
    assert_eq!(track.machine().cpu.pc, CALL);
    assert_eq!(debugger.step(&mut track, Step::Over), Stop::Done);
    assert_eq!(track.machine().cpu.pc, CALL + 3);
}

#[test]
fn out_ends_behind_the_call() {
    let (mut debugger, mut track) = in_loop();
    for _ in 0..3 {
        debugger.step(&mut track, Step::Instruction);
    }
    assert_eq!(track.machine().cpu.pc, SUB + 1);
    assert_eq!(debugger.step(&mut track, Step::Out), Stop::Done);
    assert_eq!(track.machine().cpu.pc, CALL + 3);
}

#[test]
fn line_and_frame_end_at_cycle_0() {
    let (mut debugger, mut track) = in_loop();
    let line = track.machine().beam().line;
    debugger.step(&mut track, Step::Line);
    assert_eq!(
        (track.machine().beam().line, track.machine().beam().cycle),
        (line + 1, 0)
    );
    debugger.step(&mut track, Step::Line);
    assert_eq!(
        (track.machine().beam().line, track.machine().beam().cycle),
        (line + 2, 0)
    );
    let frame = track.machine().frame().number();
    debugger.step(&mut track, Step::Frame);
    assert_eq!(
        (track.machine().beam().line, track.machine().beam().cycle),
        (0, 0)
    );
    assert_eq!(track.machine().frame().number(), frame + 1);
    debugger.step(&mut track, Step::Beam(100, 50));
    assert_eq!(
        (track.machine().beam().line, track.machine().beam().cycle),
        (100, 50)
    );
}

#[test]
fn dli_stops_at_the_handler_and_at_its_routine_in_the_line_of_the_interrupt() {
    let (mut debugger, mut track) = in_loop();
    for further in [false, true, false] {
        assert_eq!(debugger.step(&mut track, Step::Dli), Stop::Done);
        assert_eq!(track.machine().cpu.pc, NMI);
        assert_eq!(track.machine().beam().line, DLI_LINE);
        assert!(
            (17..=25).contains(&track.machine().beam().cycle),
            "cycle {}",
            track.machine().beam().cycle
        );
        let frame = track.machine().frame().number();
        if further {
            debugger.step(&mut track, Step::Instruction);
        }
        assert_eq!(debugger.step(&mut track, Step::DliRoutine), Stop::Done);
        assert_eq!(track.machine().cpu.pc, DLI);
        assert_eq!(track.machine().beam().line, DLI_LINE);
        assert_eq!(
            track.machine().frame().number(),
            frame,
            "of this very interrupt"
        );
        assert_eq!(debugger.step(&mut track, Step::Vbi), Stop::Done);
        assert_eq!(
            (track.machine().cpu.pc, track.machine().beam().line),
            (NMI, 248)
        );
    }
    // From somewhere else straight to the routine.
    assert_eq!(debugger.step(&mut track, Step::DliRoutine), Stop::Done);
    assert_eq!(
        (track.machine().cpu.pc, track.machine().beam().line),
        (DLI, DLI_LINE)
    );
}

#[test]
fn out_of_a_dli_ends_in_the_interrupted_program() {
    let (mut debugger, mut track) = in_loop();
    debugger.step(&mut track, Step::Dli);
    assert_eq!(debugger.step(&mut track, Step::Out), Stop::Done);
    assert!(
        (LOOP..LOOP + 0x20).contains(&track.machine().cpu.pc)
            || (SUB..SUB + 3).contains(&track.machine().cpu.pc)
    );
    assert_eq!(track.machine().beam().line, DLI_LINE + 1);
}

#[test]
fn each_colour_change_of_a_dli_lands_on_the_picture_where_the_beam_is() {
    let (mut debugger, mut track) = in_loop();
    debugger.step(&mut track, Step::DliRoutine);
    debugger.step(&mut track, Step::To(FIRST_STORE));
    let row = usize::from(DLI_LINE) - 8;
    // The store takes four cycles; the colour is on the screen with the colour clock after its last cycle.
    let before = view::Picture::of(track.machine());
    assert_eq!(
        (before.rows, before.beam.map(|beam| beam.1)),
        (row, Some(row))
    );
    debugger.step(&mut track, Step::Instruction);
    let stored = track.machine().beam().cycle;
    for _ in 0..4 {
        debugger.step(&mut track, Step::Cycle);
    }
    let after = view::Picture::of(track.machine());
    assert!(after.columns > before.columns);
    let change = after
        .row(row)
        .iter()
        .position(|&colour| colour == 0x0E)
        .expect("the new colour is there");
    let colour_clock = 34 + change / 2;
    assert_eq!(colour_clock, 2 * (usize::from(stored) - 1) + 1);
    assert!(
        after.row(row)[..change]
            .iter()
            .all(|&colour| colour == before.row(row)[0])
    );
    // The second one comes after WSYNC: its store ends in cycle 107.
    debugger.step(&mut track, Step::Line);
    let line = view::Picture::of(track.machine());
    assert_eq!((line.rows, line.columns), (row + 1, 0));
    assert_eq!(
        line.row(row)[change..]
            .iter()
            .position(|&colour| colour != 0x0E),
        Some(2 * (2 * 107 + 1 - 34) - change)
    );
}

#[test]
fn views_and_steps_change_nothing_that_the_program_sees() {
    let mut plain = running();
    let (mut debugger, mut stepped) = (Debugger::default(), tracked(running()));
    debugger.breakpoints.add(Place::Read(0x0300..=0x03FF));
    let steps = [
        Step::Cycle,
        Step::Instruction,
        Step::Over,
        Step::Line,
        Step::Dli,
        Step::Cycle,
        Step::Out,
        Step::Beam(7, 99),
    ];
    for round in 0..40 {
        debugger.step(&mut stepped, steps[round % steps.len()]);
        let picture = view::Picture::of(stepped.machine());
        assert_eq!(picture.pixels.len(), 376 * 240);
        view::DisplayList::of(stepped.machine());
        plain.run_cycles(stepped.machine().now() - plain.now());
        assert_eq!(plain.cpu, stepped.machine().cpu);
        assert!(
            plain.bus().memory == stepped.machine().bus().memory
                && plain.frame() == stepped.machine().frame()
        );
        assert_eq!(view::Gtia::of(&plain), view::Gtia::of(stepped.machine()));
        assert_eq!(view::Antic::of(&plain), view::Antic::of(stepped.machine()));
        assert_eq!(view::Pokey::of(&plain), view::Pokey::of(stepped.machine()));
    }
}

#[test]
fn a_pc_breakpoint_stops_each_time_and_not_twice_at_once() {
    let (mut debugger, mut track) = in_loop();
    let id = debugger.breakpoints.add(Place::Pc(SUB));
    let mut times = Vec::new();
    for _ in 0..5 {
        assert_eq!(debugger.run_frame(&mut track), Stop::Breakpoint(id));
        assert_eq!(track.machine().cpu.pc, SUB);
        times.push(track.machine().now());
    }
    assert!(
        times.windows(2).all(|pair| pair[1] >= pair[0] + 30),
        "one loop apart: {times:?}"
    );
    debugger.breakpoints.enable(id, false);
    assert_eq!(debugger.run_frame(&mut track), Stop::Done);
    debugger.breakpoints.enable(id, true);
    assert_eq!(debugger.run_frame(&mut track), Stop::Breakpoint(id));
    assert!(debugger.breakpoints.remove(id) && !debugger.breakpoints.remove(id));
    assert_eq!(debugger.run_frame(&mut track), Stop::Done);
}

#[test]
fn access_breakpoints_stop_before_the_access() {
    let (mut debugger, mut track) = in_loop();
    let write = debugger.breakpoints.add(Place::Write(0xD01A..=0xD01A));
    let read = debugger.breakpoints.add(Place::Read(0xD40F..=0xD40F));
    let before = |machine: &Machine| view::Gtia::of(machine).colours[8];
    let colour = before(track.machine());
    let mut stops = Vec::new();
    while stops.len() < 4 {
        match debugger.run_frame(&mut track) {
            Stop::Breakpoint(id) => {
                stops.push((
                    id,
                    track.machine().cpu.next_address(),
                    track.machine().cpu.next_is_write(),
                ));
                assert!(
                    stops.len() != 2 || before(track.machine()) == colour,
                    "not yet written"
                );
            }
            stop => assert_eq!(stop, Stop::Done),
        }
    }
    let (r, w) = ((read, 0xD40F, false), (write, 0xD01A, true));
    // The DLI reads NMIST and writes the colour twice, the VBI reads NMIST.
    assert!(stops == [r, w, w, r] || stops == [r, r, w, w], "{stops:?}");
}

#[test]
fn beam_and_interrupt_breakpoints_stop_once_a_frame() {
    let (mut debugger, mut track) = in_loop();
    let beam = debugger.breakpoints.add(Place::Beam(100, 7));
    let dli = debugger.breakpoints.add(Place::Interrupt(Entry::Dli));
    let vbi = debugger.breakpoints.add(Place::Interrupt(Entry::Vbi));
    debugger.step(&mut track, Step::Frame);
    while track.machine().beam().line != 0 {
        debugger.step(&mut track, Step::Frame);
    }
    for _ in 0..3 {
        assert_eq!(debugger.run_frame(&mut track), Stop::Breakpoint(dli));
        assert_eq!(track.machine().cpu.pc, NMI);
        assert_eq!(debugger.run_frame(&mut track), Stop::Breakpoint(beam));
        assert_eq!(
            (track.machine().beam().line, track.machine().beam().cycle),
            (100, 7)
        );
        assert_eq!(debugger.run_frame(&mut track), Stop::Breakpoint(vbi));
        assert_eq!(debugger.run_frame(&mut track), Stop::Done);
    }
}

#[test]
fn a_jam_is_reported_and_cycles_still_pass() {
    let mut os = os();
    os[0x2000] = 0x02;
    let mut track = tracked(machine_with(os));
    let mut debugger = Debugger::default();
    assert_eq!(debugger.step(&mut track, Step::Dli), Stop::Jammed);
    let now = track.machine().now();
    assert_eq!(debugger.step(&mut track, Step::Cycle), Stop::Done);
    assert_eq!(track.machine().now(), now + 1);
}

#[test]
fn a_step_that_never_ends_gives_up() {
    let (mut debugger, mut track) = in_loop();
    assert_eq!(debugger.step(&mut track, Step::To(0x1234)), Stop::Limit);
}

#[test]
fn power_on_can_be_stepped_from_the_first_cycle_of_reset() {
    let mut track = tracked(machine());
    let mut debugger = Debugger::default();
    assert_eq!(track.machine().now(), 0);
    assert_eq!(debugger.step(&mut track, Step::Instruction), Stop::Done);
    assert_eq!(
        (track.machine().now(), track.machine().cpu.pc),
        (7, common::COLD)
    );
}
