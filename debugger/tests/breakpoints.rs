//! Each kind of breakpoint, conditions, counts, the log, and the kept settings.

mod common;
#[path = "common/program.rs"]
mod program;

use debugger::Track;
use debugger::{Debugger, Place, Step, Stop, execute};
use std::collections::HashMap;

/// Counts frames in $80 and writes the counter's lower six bits into COLBK by a mirror; reads $0700, which nothing has written.
const TEXT: &str = "START: SEI
    CLD
    LDX #$FF
    TXS
    LDA #$40
    STA NMIEN
    LOOP: LDA $0700
    LDA $80
    JMP LOOP
    NMI: PHA
    INC $80
    LDA $80
    AND #$3F
    PUT: STA $D03A
    PLA
    RTI";

fn machine() -> (Debugger, Track, HashMap<String, u16>) {
    let (machine, labels) = program::machine(TEXT, 0);
    let mut track = common::tracked(machine);
    let mut debugger = Debugger::default();
    debugger.symbols.add_hardware();
    for (name, &address) in &labels {
        debugger.symbols.add(address, name);
    }
    debugger.step(&mut track, Step::To(labels["LOOP"]));
    (debugger, track, labels)
}

fn ask(debugger: &mut Debugger, track: &mut Track, line: &str) -> Vec<String> {
    execute(debugger, track, line)
        .unwrap_or_else(|error| panic!("{line}: {error}"))
        .lines
}

#[test]
fn a_register_is_reached_by_its_mirrors_and_a_value_can_be_named() {
    let (mut debugger, mut track, labels) = machine();
    let start = track.machine().peek(0x80) & 0x3F;
    ask(&mut debugger, &mut track, "break write COLBK");
    assert_eq!(debugger.run(&mut track, 3 * 262 * 114), Stop::Breakpoint(1));
    assert_eq!(track.machine().cpu.instruction(), labels["PUT"]);
    assert_eq!(track.machine().cpu.next_data(), start + 1 & 0x3F);
    // The value eight frames later.
    let wanted = start + 9 & 0x3F;
    ask(&mut debugger, &mut track, "clear all");
    ask(
        &mut debugger,
        &mut track,
        &format!("break write COLBK = {wanted}"),
    );
    let before = track.machine().now();
    // An interrupt waits for the end of an instruction of 3 or 4 cycles.
    let later = |now: u64, frames: u64| (now - before).abs_diff(frames * 262 * 114) < 5;
    assert_eq!(
        debugger.run(&mut track, 20 * 262 * 114),
        Stop::Breakpoint(2)
    );
    assert!(later(track.machine().now(), 8));
    // The same store, backwards: from two frames later.
    for _ in 0..2 {
        debugger.breakpoints.enable(2, false);
        debugger.run_frame(&mut track);
        debugger.breakpoints.enable(2, true);
    }
    assert!(debugger.run_back(&mut track));
    assert_eq!(track.machine().cpu.next_data(), wanted);
    assert!(later(track.machine().now(), 8));
}

#[test]
fn old_and_new_values_and_counts_are_conditions() {
    let (mut debugger, mut track, _) = machine();
    let start = track.machine().peek(0x80);
    // INC writes the old value first, then the new one: the second write changes it.
    ask(
        &mut debugger,
        &mut track,
        "break write $80 if value != old after 4",
    );
    assert_eq!(
        debugger.run(&mut track, 10 * 262 * 114),
        Stop::Breakpoint(1)
    );
    assert_eq!(track.machine().cpu.next_data(), start.wrapping_add(5));
    assert_eq!(track.machine().peek(0x80), start.wrapping_add(4));
    assert_eq!(debugger.breakpoints.list()[0].hits, 5);
    ask(&mut debugger, &mut track, "clear all");
    ask(
        &mut debugger,
        &mut track,
        "break vbi if frame % 4 == 3 && line == 248 once",
    );
    assert_eq!(
        debugger.run(&mut track, 10 * 262 * 114),
        Stop::Breakpoint(2)
    );
    assert_eq!(track.machine().frame().number() % 4, 3);
    assert!(debugger.breakpoints.list().is_empty());
}

#[test]
fn a_log_says_what_it_was_told_to_and_does_not_stop() {
    let (mut debugger, mut track, labels) = machine();
    let start = track.machine().peek(0x80);
    ask(
        &mut debugger,
        &mut track,
        "break PUT if a & 1 \"count; {[$80]}, double {a * 2}\"",
    );
    assert_eq!(
        debugger.run(&mut track, 6 * 262 * 114),
        Stop::Limit,
        "a log does not stop"
    );
    let odd: Vec<u8> = (1..=6)
        .map(|n| start.wrapping_add(n))
        .filter(|n| n & 1 == 1)
        .collect();
    let logged: Vec<_> = debugger.breakpoints.log().cloned().collect();
    assert_eq!(logged.len(), odd.len());
    for (hit, count) in logged.iter().zip(&odd) {
        assert_eq!(
            hit.text,
            format!("count; {count}, double {}", (count & 0x3F) * 2)
        );
        assert_eq!((hit.id, hit.pc), (1, labels["PUT"]));
        // The moment is the one that it happened at.
        let there = track.timeline().machine_at(hit.at).unwrap();
        assert_eq!((there.cpu.pc, there.peek(0x80)), (labels["PUT"], *count));
    }
    let lines = ask(&mut debugger, &mut track, "log");
    assert_eq!(lines.len(), odd.len());
    assert!(ask(&mut debugger, &mut track, "log").is_empty());
}

#[test]
fn reads_of_memory_that_nothing_wrote_are_found_in_both_directions() {
    let (mut debugger, mut track, labels) = machine();
    ask(&mut debugger, &mut track, "break uninit $0200-$BFFF");
    // $80 was read by INC, RESET reads the stack: both are outside of the range. $0700 was never written.
    assert_eq!(debugger.run(&mut track, 262 * 114), Stop::Breakpoint(1));
    assert_eq!(track.machine().cpu.next_address(), 0x0700);
    assert_eq!(track.machine().cpu.instruction(), labels["LOOP"]);
    let first = track.machine().now();
    debugger.step(&mut track, Step::Instruction);
    debugger.step(&mut track, Step::Instruction);
    assert!(debugger.run_back(&mut track));
    assert_eq!(track.machine().now(), first);
    // Written from outside, it is initialised.
    ask(&mut debugger, &mut track, "poke $0700 12");
    assert_eq!(debugger.run(&mut track, 3 * 262 * 114), Stop::Limit);
    assert!(
        !debugger.run_back(&mut track),
        "before the first one there is none"
    );
    // ROM is initialised, too.
    ask(&mut debugger, &mut track, "break uninit");
    assert_eq!(debugger.run(&mut track, 3 * 262 * 114), Stop::Limit);
}

#[test]
fn the_stack_interrupts_and_opcodes_stop() {
    let (mut debugger, mut track, labels) = machine();
    for (line, pc) in [
        ("break vbi", labels["NMI"]),
        ("break opcode $40", labels["PUT"] + 4),
        ("break access $80", labels["LOOP"] + 3),
        ("break beam 100 50", 0),
    ] {
        ask(&mut debugger, &mut track, "clear all");
        ask(&mut debugger, &mut track, &format!("{line} once"));
        let stop = debugger.run(&mut track, 2 * 262 * 114);
        assert!(matches!(stop, Stop::Breakpoint(_)), "{line}");
        let at = if track.machine().cpu.at_instruction_start() {
            track.machine().cpu.pc
        } else {
            track.machine().cpu.instruction()
        };
        if pc != 0 {
            assert_eq!(at, pc, "{line}");
        } else {
            assert_eq!(
                (track.machine().beam().line, track.machine().beam().cycle),
                (100, 50)
            );
        }
    }
    // S goes from 0 to $FF by the push of an interrupt.
    ask(&mut debugger, &mut track, "clear all");
    while !track.machine().cpu.at_instruction_start() {
        debugger.step(&mut track, Step::Cycle);
    }
    ask(&mut debugger, &mut track, "set s 1");
    ask(&mut debugger, &mut track, "break stack");
    assert!(matches!(
        debugger.run(&mut track, 2 * 262 * 114),
        Stop::Breakpoint(_)
    ));
    assert!(track.machine().cpu.s > 0xF0);
}

#[test]
fn settings_come_back_as_they_were() {
    let (mut debugger, mut track, _) = machine();
    for line in [
        "label SHADOW $80",
        "break PUT if a == [SHADOW] after 2 once",
        "break write COLBK = $0E log",
        "break uninit $0600-$06FF",
        "break LOOP \"frame {frame}\"",
        "break basic 100",
        "break cio K",
        "break sio $31",
        "break sector 360",
        "disable 2",
        "watch [SHADOW] * 2",
    ] {
        // The recording begins with power-on here.
        ask(&mut debugger, &mut track, line);
    }
    let text = debugger.settings();
    let (mut other, mut fresh, _) = self::machine();
    assert_eq!(other.restore(&mut fresh, &text), Vec::<String>::new());
    assert_eq!(other.settings(), text);
    let places = |debugger: &Debugger| {
        let list = debugger.breakpoints.list().iter();
        list.map(|b| {
            (
                b.place.clone(),
                b.condition.clone(),
                b.ignore,
                b.once,
                b.log,
                b.enabled,
            )
        })
        .collect::<Vec<_>>()
    };
    assert_eq!(places(&other), places(&debugger));
    assert_eq!(other.breakpoints.list()[5].place, Place::Cio(Some(b'K')));
    // A line that is not understood any more is named, and the others are taken.
    let wrong = other.restore(&mut fresh, "break GONE\nrun 5\nbreak PUT\n");
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    assert_eq!(other.breakpoints.list().len(), 1);
}

#[test]
fn number_n_of_a_frames_interrupts_is_reached_in_both_directions() {
    // The program of the steps has one interrupt a frame, in line 31.
    let mut track = common::tracked(common::running());
    let mut debugger = Debugger::default();
    debugger.step(&mut track, Step::Beam(20, 0));
    let mut there = Vec::new();
    for _ in 0..3 {
        assert_eq!(debugger.step(&mut track, Step::NthDli(0)), Stop::Done);
        assert_eq!(
            (track.machine().cpu.pc, track.machine().beam().line),
            (common::NMI, 31)
        );
        there.push(track.machine().now());
    }
    // An interrupt waits for the end of an instruction of 2 to 6 cycles.
    assert!((there[2] - there[0]).abs_diff(2 * 262 * 114) < 7);
    debugger.step(&mut track, Step::Line);
    while let Some(then) = there.pop() {
        assert!(debugger.step_back(&mut track, Step::NthDli(0)));
        assert_eq!(track.machine().now(), then);
    }
    assert!(!debugger.step_back(&mut track, Step::NthDli(1)));
}

#[test]
fn dummy_reads_of_memory_that_nothing_wrote_do_not_stop() {
    // Stores read the place first, indexed ones an address before it is right, and pulls the byte below.
    let text = "START: LDX #$FF
    TXS
    LDA #0
    STA $82
    LDA #$40
    STA $83
    LDY #$20
    LDX #$F0
    FILL: STA $4000,X
    STA ($82),Y
    STA $90,X
    LDA $80,X
    LDA $3F30,X
    PHA
    PLA
    PHP
    PLP
    JSR SUB
    LDX #1
    INC $4020
    READ: LDA $4000,X
    END: JMP END
    SUB: LDX #$F0
    RTS";
    let (machine, labels) = program::machine(text, 0);
    let mut track = common::tracked(machine);
    let mut debugger = Debugger::default();
    debugger.step(&mut track, Step::To(labels["FILL"]));
    ask(&mut debugger, &mut track, "break uninit $80-$BFFF");
    // $80 + $F0 is $70 in the zero page, below the range.
    assert_eq!(debugger.run(&mut track, 262 * 114), Stop::Breakpoint(1));
    assert_eq!(track.machine().cpu.instruction(), labels["READ"]);
    assert_eq!(track.machine().cpu.next_address(), 0x4001);
}
