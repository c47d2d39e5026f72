//! Questions about the past: which store wrote this, where it came from, when something became true.

mod common;
#[path = "common/program.rs"]
mod program;

use debugger::{
    Cause, Debugger, Expression, Limits, Moment, Step, Symbols, Target, WhenQuery, WriteQuery,
    last_write, origin,
};
use debugger::{Track, execute};
use std::collections::HashMap;

/// Counts frames in $80; copies $80 by way of $90 and the stack to $91, and a constant to $92; moves four bytes by a loop.
const TEXT: &str = "START: SEI
    CLD
    LDX #$FF
    TXS
    LDA #$40
    STA NMIEN
    LOOP: JMP LOOP
    NMI: PHA
    INC $80
    FIRST: LDA $80
    TAX
    PUT: STX $90
    LDA $90
    PHA
    LDA #$07
    CONST: STA $92
    PLA
    COPY: STA $91
    LDX #3
    MOVE: LDA TABLE,X
    BLOCK: STA $A0,X
    DEX
    BPL MOVE
    PLA
    RTI
    TABLE: .BYTE $11,$22,$33,$44";

fn recorded(frames: usize) -> (Debugger, Track, HashMap<String, u16>) {
    let (machine, labels) = program::machine(TEXT, 0);
    let mut track = common::tracked(machine);
    let mut debugger = Debugger::default();
    for _ in 0..frames {
        debugger.run_frame(&mut track);
    }
    (debugger, track, labels)
}

#[test]
fn the_last_store_is_found_with_its_instruction() {
    let (_, track, labels) = recorded(20);
    let timeline = track.timeline();
    let now = track.moment();
    let write = last_write(timeline, Target::one(0x91), now).unwrap();
    let detail = write.detail(timeline).unwrap();
    assert_eq!(detail.pc, labels["COPY"]);
    assert_eq!(write.data, track.machine().peek(0x80));
    assert_eq!(detail.before, Some(track.machine().peek(0x80) - 1));
    assert!(
        (248..250).contains(&detail.beam.0),
        "in the vertical blank interrupt"
    );
    // The one before it is a frame earlier.
    let earlier = last_write(timeline, Target::one(0x91), write.at).unwrap();
    assert_eq!(earlier.data, write.data - 1);
    // The interrupt comes after the JMP of three cycles that it falls into.
    assert!((write.at.0 - earlier.at.0).abs_diff(262 * 114) <= 2);
    assert!(last_write(timeline, Target::one(0x4321), now).is_none());
}

#[test]
fn an_edit_is_named_before_the_store_that_it_changed() {
    let (mut debugger, mut track, labels) = recorded(20);
    let mut ask =
        |track: &mut Track, line: &str| execute(&mut debugger, track, line).unwrap().lines;
    let before = ask(&mut track, "who $91");
    assert_eq!(before.len(), 1);
    let now = track.moment().0;
    ask(&mut track, "poke $91 5A");
    let edit = format!("moment {now}: $0091 = $5A, an edit and no store of the program");
    assert_eq!(
        ask(&mut track, "who $91"),
        [edit.clone(), before[0].clone()]
    );
    assert_eq!(ask(&mut track, "origin $91"), [edit]);
    // Not where the edit is no part of the target, and no longer once the program has stored again.
    assert_eq!(ask(&mut track, "who $90").len(), 1);
    ask(&mut track, "frame");
    let after = ask(&mut track, "who $91");
    assert_eq!(after.len(), 1);
    assert_ne!(after, before);
    // A copy of an edited byte comes from the edit.
    ask(&mut track, &format!("to ${:04X}", labels["PUT"] + 2));
    let now = track.moment().0;
    ask(&mut track, "poke $90 33");
    ask(&mut track, "frame");
    let chain = ask(&mut track, "origin $91");
    let edit = format!("moment {now}: $0090 = $33, an edit and no store of the program");
    assert_eq!(chain.last(), Some(&edit), "{chain:?}");
}

#[test]
fn help_names_what_is_no_command() {
    let (mut debugger, mut track, _) = recorded(1);
    let help = execute(&mut debugger, &mut track, "help who").unwrap();
    assert_eq!(help.lines.len(), 1);
    let refused = execute(&mut debugger, &mut track, "help zz").err();
    assert_eq!(
        refused.as_deref(),
        Some("there is no command \"zz\"; help lists them")
    );
}

#[test]
fn all_stores_are_found_piece_by_piece() {
    let (_, track, _) = recorded(20);
    let timeline = track.timeline();
    let now = track.moment();
    let mut query = WriteQuery::all(Target::new(0xA0..=0xA3), Moment(0), now);
    let mut seen = 0;
    let mut steps = 0;
    while !query.advance(timeline, 1).done {
        assert!(query.writes().len() >= seen, "what was found stays");
        seen = query.writes().len();
        steps += 1;
    }
    assert!(steps > 3, "in pieces");
    // Four a frame; power-on frames have none before NMIEN, and the last frame's interrupt is over.
    let frames = query.writes().len() / 4;
    assert_eq!(query.writes().len() % 4, 0);
    assert_eq!(frames, usize::from(track.machine().peek(0x92) != 0) * 20);
    assert!(query.writes().is_sorted_by(|a, b| a.at > b.at));
    let values: Vec<u8> = query.writes()[..4].iter().rev().map(|w| w.data).collect();
    assert_eq!(values, [0x44, 0x33, 0x22, 0x11]);
}

#[test]
fn copies_are_followed_to_their_origin() {
    let (_, track, labels) = recorded(10);
    let timeline = track.timeline();
    let now = track.moment();
    // $91 was pulled from the stack, pushed from $90, which came through X from $80, which INC worked out.
    let chain = origin(timeline, 0x91, now, &|| false).unwrap();
    let stores: Vec<u16> = chain.iter().filter_map(|c| Some(c.store()?.pc)).collect();
    assert_eq!(stores[0], labels["COPY"]);
    assert!(
        matches!(chain[0], Cause::Copied { from, .. } if from >> 8 == 1),
        "{chain:?}"
    );
    assert!(
        matches!(chain[1], Cause::Copied { from: 0x90, .. }),
        "{chain:?}"
    );
    assert!(
        matches!(chain[2], Cause::Copied { from: 0x80, .. }),
        "{chain:?}"
    );
    assert!(matches!(chain[3], Cause::Computed { .. }), "{chain:?}");
    assert_eq!(stores[2], labels["PUT"]);
    assert_eq!(chain.len(), 4);
    // A constant of the program.
    let chain = origin(timeline, 0x92, now, &|| false).unwrap();
    assert!(
        matches!(chain[..], [Cause::Immediate { at, .. }] if at == labels["CONST"] - 1),
        "{chain:?}"
    );
    // A block move leads to the table, which is in ROM.
    let chain = origin(timeline, 0xA2, now, &|| false).unwrap();
    assert!(
        matches!(&chain[0], Cause::Copied { by, from } if *from == labels["TABLE"] + 2 && by.pc == labels["BLOCK"])
    );
    assert_eq!(chain[1], Cause::NotStored(labels["TABLE"] + 2));
}

#[test]
fn a_division_by_a_number_that_is_zero_is_refused() {
    let parse = |text: &str| Expression::parse(text, &Symbols::default()).map(|_| ());
    for text in ["1 / 0", "a % 0", "[$80] / (3 - 3)", "1 + 2 / (0 & 5)"] {
        let refused = Err("nothing can be divided by zero".to_owned());
        assert_eq!(parse(text), refused, "{text}");
    }
    // What is zero at some time only is known when the machine runs.
    for text in ["1 / [$80]", "0 / 1", "a % x"] {
        assert_eq!(parse(text), Ok(()), "{text}");
    }
}

#[test]
fn conditions_are_found_first_and_last() {
    let (_, track, _) = recorded(20);
    let timeline = track.timeline();
    let now = track.moment();
    let parse = |text: &str| Expression::parse(text, &Symbols::default()).unwrap();
    let start = track.machine().peek(0x80).wrapping_sub(20);
    let odd = parse(&format!("([$80] - {start}) & 1"));
    let first = WhenQuery::first(odd.clone(), Moment(0), now)
        .finish(timeline)
        .unwrap();
    let last = WhenQuery::last(odd, Moment(0), now)
        .finish(timeline)
        .unwrap();
    // The counter becomes odd in frames 1, 3 ... 19: 18 frames apart.
    let frames = (last.0 - first.0) as f64 / (262.0 * 114.0);
    assert!((frames - 18.0).abs() < 0.01, "{frames}");
    let third = parse(&format!("[$80] == {}", start.wrapping_add(3)));
    let at = WhenQuery::first(third.clone(), Moment(0), now).finish(timeline);
    assert_eq!(at, WhenQuery::last(third, Moment(0), now).finish(timeline));
    assert!(
        WhenQuery::first(parse("a > 300"), Moment(0), now)
            .finish(timeline)
            .is_none()
    );
}

/// A run with its stores noted, and without.
fn both(frames: usize) -> [Track; 2] {
    [true, false].map(|stores| {
        let (machine, _) = program::machine(SELDOM, 0);
        let limits = Limits {
            stores,
            ..Limits::debugger()
        };
        let mut track = Track::new(machine, limits);
        let mut debugger = Debugger::default();
        for frame in 0..frames {
            if frame == 200 {
                debugger::poke(&mut track, 0x98, &[7]);
            }
            debugger.run_frame(&mut track);
        }
        track
    })
}

/// Counts frames in $80, and its carries in $81 and $82; $90 is written once.
const SELDOM: &str = "START: SEI
    CLD
    LDX #$FF
    TXS
    STX $90
    LDA #$40
    STA NMIEN
    LOOP: JMP LOOP
    NMI: INC $80
    BNE END
    INC $81
    END: RTI";

#[test]
fn noted_stores_change_no_answer_and_are_passed_over() {
    let [noted, plain] = both(1200);
    let now = noted.moment();
    assert_eq!(now, plain.moment());
    let steps = |track: &Track, target: u16| {
        let mut query = WriteQuery::last(Target::one(target), now);
        let mut steps = 1;
        while !query.advance(track.timeline(), 1).done {
            steps += 1;
        }
        (query.writes().first().copied(), steps)
    };
    for target in [0x80, 0x81, 0x82, 0x90, 0x1FF, 0x4321, 0xD40E] {
        assert_eq!(
            steps(&noted, target).0,
            steps(&plain, target).0,
            "{target:04X}"
        );
    }
    // An address that was never written, and one that was written once.
    assert!(steps(&plain, 0x4321).1 > 20);
    assert!(steps(&noted, 0x4321).1 <= 8, "{}", steps(&noted, 0x4321).1);
    assert!(steps(&noted, 0x90).1 <= 9, "{}", steps(&noted, 0x90).1);

    let parse = |text: &str| Expression::parse(text, &Symbols::default()).unwrap();
    for text in [
        "[$81] == [$90] + 6",
        "[$81] & 1",
        "[$82] == 1",
        "[$98] == 7",
        "[$90] != 0",
        "w[$81] > 3",
        "[$80] == 3",
        "[[$90]] == 1",
        "[w[$80]] & 1",
        "[$9000] == 0",
        "[$D40B] == 5",
        "a == 77",
    ] {
        let found = |track: &Track| {
            let first = WhenQuery::first(parse(text), Moment(0), now);
            let last = WhenQuery::last(parse(text), Moment(0), now);
            [
                first.finish(track.timeline()),
                last.finish(track.timeline()),
            ]
        };
        assert_eq!(found(&noted), found(&plain), "{text}");
    }
    let steps = |track: &Track, mut query: WhenQuery| {
        let mut steps = 1;
        while !query.advance(track.timeline(), SECOND).done {
            steps += 1;
        }
        steps
    };
    // By an address in memory and in banked memory, too, as what decides is looked up on the way.
    for text in ["[$90] == 1", "[[$90]] == 1", "[$9000] == 1"] {
        for query in [WhenQuery::first, WhenQuery::last] {
            let query = query(parse(text), Moment(0), now);
            assert!(steps(&plain, query.clone()) >= 15);
            let steps = steps(&noted, query);
            assert!(steps <= 5, "{text}: {steps}");
        }
    }
}

/// Cycles of a second.
const SECOND: u64 = 60 * 262 * 114;

#[test]
fn commands_answer() {
    let (mut debugger, mut track, labels) = recorded(10);
    for (name, &address) in &labels {
        debugger.symbols.add(address, name);
    }
    let mut ask = |line: &str| {
        debugger::execute(&mut debugger, &mut track, line)
            .unwrap_or_else(|error| panic!("{line}: {error}"))
            .lines
    };
    assert!(ask("who $91")[0].ends_with(&format!("by COPY (${:04X})", labels["COPY"])));
    assert!(ask("origin $92")[0].contains("a constant"));
    assert_eq!(
        ask("break COPY if a == [$80] once")[0],
        format!(" 1 on  ${:04X}  COPY if a == [$80] once", labels["COPY"])
    );
    let lines = ask("run");
    assert_eq!(lines[0], "breakpoint 1");
    assert!(lines[1].contains("COPY"));
    assert!(ask("breaks").is_empty(), "once");
    assert_eq!(ask("print 2+3*4")[0], "14 $E");
    assert_eq!(
        ask("print lo(COPY)")[0].split(' ').next().unwrap(),
        format!("{}", labels["COPY"] & 255)
    );
    ask("break write $92 if value == 7 after 2");
    ask("run");
    let hits = ask("breaks");
    assert!(hits[0].ends_with("(3 hits)"), "{hits:?}");
    ask("clear all");
    let here = ask("where");
    ask("cycle 100");
    ask("back cycle 100");
    assert_eq!(ask("where"), here);
    ask("asm $0600 LDA #$0E");
    assert_eq!(ask("mem $0600 1")[0][..12], *"0600  A9 0E ");
    assert!(ask("find A9 0E").contains(&"$0600".to_owned()));
    ask("set a $42");
    assert_eq!(ask("print a")[0], "66 $42 'B'");
    // A chip's register, and an address that is an expression with a minus sign.
    assert_eq!(ask("poke $D01A 34"), ["$D01A = $34"]);
    ask("poke $600 05");
    assert!(
        ask("who [$601-1]+$5FB")[0].ends_with("$0600 = $05, an edit and no store of the program")
    );
    let nothing = "nothing was stored there in the recorded time";
    assert_eq!(ask("who [$601-1]+$5FD"), [nothing]);
    for bad in [
        "nonsense",
        "to",
        "break",
        "mem",
        "why 400 0",
        "poke $D01A 100",
        "goto -1",
        "asm $600 FOO",
        "beam 999",
        "clear 99",
        "print (1",
        "back why",
        "strip",
        "print [[[[",
        "set q 1",
    ] {
        let error = debugger::execute(&mut debugger, &mut track, bad).unwrap_err();
        assert!(
            !error.is_empty() && error.len() < 200 && !error.contains('\n'),
            "{bad}: {error}"
        );
    }
    assert_eq!(track.machine().bus().video.gtia.written(0x1A), 0x34);
    let words = |line: &str| debugger::complete(&debugger, None, line);
    assert_eq!(words("break unin"), ["uninitialised"]);
    assert_eq!(words("back dlie"), ["dliend"]);
    assert_eq!(words("clear "), ["last", "all"]);
    assert_eq!(words("help orig"), ["origin"]);
    let words = debugger::complete(&debugger, None, "to CO");
    assert_eq!(words, ["CONST", "COPY"]);
    assert!(debugger::complete(&debugger, None, "dl").contains(&"dlis".to_owned()));
}

#[test]
fn display_list_steps_and_interrupt_ends() {
    let mut track = common::tracked(common::running());
    let mut debugger = Debugger::default();
    debugger.step(&mut track, Step::Frame);
    let mut lines = Vec::new();
    for _ in 0..7 {
        debugger.step(&mut track, Step::DisplayList);
        lines.push((track.machine().beam().line, track.machine().beam().cycle));
    }
    // The fetch is in cycle 1.
    assert_eq!(
        lines,
        [(8, 2), (16, 2), (24, 2), (32, 2), (34, 2), (36, 2), (38, 2)]
    );
    assert!(debugger.step_back(&mut track, Step::DisplayList));
    assert_eq!(
        (track.machine().beam().line, track.machine().beam().cycle),
        (36, 2)
    );
    debugger.step(&mut track, Step::Dli);
    debugger.step(&mut track, Step::DliEnd);
    let end = track.machine().now();
    assert!(track.machine().cpu.at_instruction_start() && track.machine().cpu.opcode() == 0x40);
    debugger.step(&mut track, Step::Frame);
    assert!(debugger.step_back(&mut track, Step::DliEnd));
    assert_eq!(track.machine().now(), end);
}
