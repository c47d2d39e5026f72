//! Profiles, traces and differences of a program whose cycles are counted by hand.

mod common;
#[path = "common/program.rs"]
mod program;

use debugger::Track;
use debugger::{
    Cost, Debugger, Difference, Entry, Profile, Step, Stop, TraceFilter, calls, execute, trace,
};
use std::collections::HashMap;

/// No DMA at all but refresh; no interrupt but the VBI.
const TEXT: &str = "START: SEI
    CLD
    LDX #$FF
    TXS
    LDA #$40
    STA NMIEN
    LOOP: JSR OUTER
    JMP LOOP
    OUTER: NOP
    JSR INNER
    JSR INNER
    RTS
    INNER: LDY #3
    AGAIN: DEY
    BNE AGAIN
    STY $80
    RTS
    NMI: PHA
    INC $81
    PLA
    RTI";

fn recorded() -> (Debugger, Track, HashMap<String, u16>) {
    let (machine, labels) = program::machine(TEXT, 0);
    let mut track = common::tracked(machine);
    let mut debugger = Debugger::default();
    for (name, &address) in &labels {
        debugger.symbols.add(address, name);
    }
    debugger.step(&mut track, Step::To(labels["LOOP"]));
    (debugger, track, labels)
}

#[test]
fn cycles_of_routines_are_those_of_the_opcode_table() {
    let (mut debugger, mut track, labels) = recorded();
    let begin = track.machine().now();
    // Ten rounds, which the VBI does not interrupt: they are over long before line 248.
    for _ in 0..10 {
        debugger.step(&mut track, Step::Over);
        debugger.step(&mut track, Step::To(labels["LOOP"]));
    }
    let (from, to) = (track.moment_at(begin).unwrap(), track.moment());
    let timeline = track.timeline();
    let profile = Profile::of(timeline, from, to).unwrap();
    let routine = |name: &str| {
        let found = profile
            .routines
            .iter()
            .find(|r| r.address == Some(labels[name]));
        found.unwrap_or_else(|| panic!("{name}")).clone()
    };
    // INNER: LDY 2, three times DEY 2, BNE 3 3 2, STY 3, RTS 6 = 25. OUTER: NOP 2, two JSR 12, RTS 6 = 20. LOOP: JSR 6, JMP 3.
    let (inner, outer) = (routine("INNER"), routine("OUTER"));
    assert_eq!((inner.calls, inner.own.cpu), (20, 20 * 25));
    assert_eq!((outer.calls, outer.own.cpu), (10, 10 * 20));
    assert_eq!(outer.all.cpu, 10 * (20 + 2 * 25));
    let root = profile
        .routines
        .iter()
        .find(|r| r.address.is_none())
        .unwrap();
    assert_eq!(root.own.cpu, 10 * 9);
    assert_eq!(root.all, profile.total);
    assert_eq!(profile.total.total(), track.machine().now() - begin);
    // By instruction: DEY is run three times a call, and no cycle is lost.
    let cycles = |name: &str, offset: u16| profile.code[&(labels[name] + offset)].cpu;
    assert_eq!((cycles("AGAIN", 0), cycles("AGAIN", 1)), (20 * 6, 20 * 8));
    assert_eq!((cycles("OUTER", 0), cycles("OUTER", 7)), (10 * 2, 10 * 6));
    let all: u64 = profile.code.values().map(|cost| cost.total()).sum();
    assert_eq!(all, profile.total.total());
    // Nine cycles of refresh in a line of 114, and nothing else halts.
    let Cost { dma, wsync, .. } = profile.total;
    assert_eq!(wsync, 0);
    let lines = profile.total.total() as f64 / 114.0;
    assert!(
        (dma as f64 - lines * 9.0).abs() < 10.0,
        "{dma} in {lines} lines"
    );
}

#[test]
fn an_interrupt_is_not_of_the_routine_that_it_interrupts() {
    let (mut debugger, mut track, labels) = recorded();
    let begin = track.machine().now();
    for _ in 0..5 {
        debugger.run_frame(&mut track);
    }
    let timeline = track.timeline();
    let from = track.moment_at(begin).unwrap();
    let profile = Profile::of(timeline, from, track.moment()).unwrap();
    let nmi = profile
        .routines
        .iter()
        .find(|r| r.interrupt == Some(Entry::Vbi))
        .unwrap();
    assert_eq!((nmi.address, nmi.calls), (Some(labels["NMI"]), 5));
    // PHA 3, INC 5, PLA 4, RTI 6; the seven cycles of the sequence are the interrupted routine's.
    assert_eq!(nmi.own.cpu, 5 * 18);
    let all: u64 = profile.routines.iter().map(|r| r.own.total()).sum();
    assert_eq!(all, track.machine().now() - begin);
    let root = profile
        .routines
        .iter()
        .find(|r| r.address.is_none())
        .unwrap();
    assert_eq!(root.all.total() + nmi.all.total(), all);
    let lines = profile.lines(|address| debugger.symbols.name(address).map(str::to_owned));
    assert!(
        lines.iter().any(|line| line.starts_with("NMI (Vbi)")),
        "{lines:?}"
    );
}

#[test]
fn a_trace_has_the_instructions_in_order_and_filters_them() {
    let (mut debugger, mut track, labels) = recorded();
    debugger.step(&mut track, Step::Over);
    let timeline = track.timeline();
    let now = track.moment();
    let ran = trace(timeline, now, &TraceFilter::default(), 25);
    let wanted = {
        let inner = [0, 2, 3, 2, 3, 2, 3, 5, 7].map(|n| labels["INNER"] + n);
        let mut all = vec![labels["LOOP"], labels["OUTER"], labels["OUTER"] + 1];
        all.extend(inner);
        all.push(labels["OUTER"] + 4);
        all.extend(inner);
        all.push(labels["OUTER"] + 7);
        all
    };
    let addresses: Vec<u16> = ran.iter().map(|t| t.instruction.address).collect();
    assert_eq!(addresses[addresses.len() - wanted.len()..], wanted);
    assert!(ran.is_sorted_by(|a, b| a.at < b.at));
    let beam = timeline.machine_at(ran[3].at).unwrap().beam();
    assert_eq!(ran[3].beam, (beam.line, beam.cycle));
    let mut ask = |text: &str| execute(&mut debugger, &mut track, text).unwrap().lines;
    let lines = ask("trace 100 in INNER-INNER+3 if y == 1");
    // DEY and BNE with Y = 1 before them: twice each.
    assert_eq!(lines.len(), 2 * 2);
    assert!(lines.iter().all(|line| line.contains("Y=01")), "{lines:?}");
    // A trace across many keyframes is the one of a run by single instructions.
    for _ in 0..30 {
        debugger.run_frame(&mut track);
    }
    let timeline = track.timeline();
    let now = track.moment();
    let ran = trace(timeline, now, &TraceFilter::default(), 50_000);
    assert_eq!(ran.len(), 50_000);
    let mut visit = timeline.visit(ran[0].at).unwrap();
    for traced in ran.iter().step_by(997) {
        visit.run(timeline, traced.at, &mut machine::NoProbe);
        let cpu = &visit.machine().cpu;
        assert!(cpu.at_instruction_start());
        assert_eq!(cpu.pc, traced.instruction.address);
        assert_eq!([cpu.a, cpu.x, cpu.y, cpu.s, cpu.p()], traced.registers);
    }
}

#[test]
fn two_moments_differ_by_what_was_written() {
    let (mut debugger, mut track, labels) = recorded();
    debugger.step(&mut track, Step::Frame);
    debugger.step(&mut track, Step::To(labels["LOOP"]));
    let before = track.machine().clone();
    let moment = track.moment_at(track.machine().now()).unwrap().0;
    debugger.step(&mut track, Step::Frame);
    debugger.step(&mut track, Step::To(labels["LOOP"]));
    let difference = Difference::of(&before, track.machine());
    let outside: Vec<u16> = difference
        .memory
        .iter()
        .map(|c| c.address)
        .filter(|at| at >> 8 != 1)
        .collect();
    assert_eq!(outside, [0x81]);
    let lines = execute(&mut debugger, &mut track, &format!("diff {moment}"))
        .unwrap()
        .lines;
    let value = before.peek(0x81);
    let text = format!(
        "$0081            {value:02X} -> {:02X}",
        value.wrapping_add(1)
    );
    assert!(lines.contains(&text), "{lines:?}");
    assert!(execute(&mut debugger, &mut track, "diff 99999999999").is_err());
}

#[test]
fn calls_are_read_from_the_stack() {
    let (mut debugger, mut track, labels) = recorded();
    debugger.step(&mut track, Step::To(labels["AGAIN"]));
    let calls = calls(track.machine());
    let places: Vec<(u16, u16)> = calls.iter().map(|call| (call.at, call.routine)).collect();
    assert_eq!(
        places,
        [
            (labels["OUTER"] + 1, labels["INNER"]),
            (labels["LOOP"], labels["OUTER"])
        ]
    );
}

#[test]
fn memory_is_searched_for_bytes_and_text() {
    let (mut debugger, mut track, _) = recorded();
    for (n, byte) in b"ANTIC".iter().enumerate() {
        debugger::poke(&mut track, 0x3000 + n as u16, &[*byte]);
        debugger::poke(&mut track, 0x3100 + n as u16, &[byte - 0x20]);
    }
    let mut ask = |text: &str| execute(&mut debugger, &mut track, text).unwrap().lines;
    assert_eq!(ask("find \"ANTIC\""), ["$3000"]);
    assert_eq!(ask("find screen \"ANTIC\""), ["$3100"]);
    assert_eq!(ask("find 41 ?? 54 49 43"), ["$3000"]);
    assert!(execute(&mut debugger, &mut track, "find ??").is_err());
    assert!(execute(&mut debugger, &mut track, "find \"A").is_err());
}

#[test]
fn an_interrupt_is_told_from_the_calls_around_it() {
    let (mut debugger, mut track, labels) = recorded();
    // The VBI comes somewhere in the loop, with calls open or none.
    let handler = labels["NMI"];
    for _ in 0..20 {
        assert_eq!(debugger.step(&mut track, Step::To(handler)), Stop::Done);
        let stack = debugger.call_stack(&track);
        let interrupted = stack.first().unwrap();
        assert_eq!(
            (interrupted.interrupt, interrupted.routine),
            (Some(Entry::Vbi), handler)
        );
        let pc = track
            .machine()
            .peek_word(0x0102 + u16::from(track.machine().cpu.s));
        assert_eq!(interrupted.at, pc);
        assert!(stack[1..].iter().all(|call| call.interrupt.is_none()));
        // Once it has returned, only what it had interrupted is there.
        debugger.step(&mut track, Step::Out);
        let rest = debugger.call_stack(&track);
        assert_eq!(rest, stack[1..], "at ${pc:04X}");
        // Later by a number of cycles that does not divide a frame.
        debugger.run(&mut track, 101);
    }
}
