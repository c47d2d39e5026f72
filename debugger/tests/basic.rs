//! BASIC through its pointers: lines, statements, variables, loops and subroutines, the lines that set variables, and the cost of lines.

use debugger::basic::{Basic, Frame, Value, listing};
use debugger::{Context, Debugger, Limits, Profile, Step, Stop, Track, execute};
use machine::Machine;
use session::{Session, Setup};

const PROGRAM: &str = "10 DIM A$(10),B(2,3),C(4)
20 X=1.5:Y=-200
30 FOR I=1 TO 3 STEP 0.5
40 GOSUB 100
50 NEXT I
60 B(1,2)=7:C(3)=-1
70 IF X>1 THEN A$=\"YES\":Z=Z+1
72 IF X>9 THEN 10
74 IF X>9 THEN Y=1
76 IF X>9 THEN Y=1:Y=2
80 GOTO 20
100 A$=\"SUB\"
110 RETURN
";

/// A program that has been started.
fn started(program: &str) -> Session {
    let setup = Setup::for_file("test.lst", program.as_bytes()).unwrap();
    let mut session = Session::new(setup).unwrap();
    while session.is_starting() || !session.is_idle() {
        session.run_frame();
    }
    session
}

/// The program running, stopped where line 20 begins.
fn running() -> (Debugger, Track) {
    let session = started(PROGRAM);
    let mut track = Track::new(session.machine().clone(), Limits::debugger());
    let mut debugger = Debugger::default();
    execute(&mut debugger, &mut track, "break basic 20 once").unwrap();
    let stop = debugger.run(&mut track, 300 * 262 * 114);
    assert!(matches!(stop, Stop::Breakpoint(1)), "{stop:?}");
    (debugger, track)
}

#[test]
fn an_if_that_leads_to_its_own_line_begins_it_each_time() {
    // The debugger comes when the program is in line 20 already.
    for waits in [
        "20 IF A=0 THEN 20",
        "20 IF A=0 THEN 20:REM",
        "20 IF A THEN 10\n30 GOTO 20",
    ] {
        let mut session = started(&format!("10 A=0\n{waits}\n"));
        for _ in 0..20 {
            session.run_frame();
        }
        let mut track = Track::new(session.machine().clone(), Limits::debugger());
        let mut debugger = Debugger::default();
        execute(&mut debugger, &mut track, "break basic 20").unwrap();
        for _ in 0..3 {
            let stop = debugger.run(&mut track, 10 * 262 * 114);
            assert!(matches!(stop, Stop::Breakpoint(1)), "{waits}: {stop:?}");
            assert_eq!(at(track.machine()), (20, 1));
        }
    }
}

fn at(machine: &Machine) -> (u16, u8) {
    let basic = Basic::of(machine).unwrap();
    (basic.line.unwrap(), basic.statement)
}

#[test]
fn statements_and_lines_in_both_directions() {
    let (mut debugger, mut track) = running();
    assert_eq!(at(track.machine()), (20, 1));
    // NEXT continues after FOR, RETURN after GOSUB: five rounds, for 1, 1.5, 2, 2.5 and 3.
    let round = [(40, 1), (100, 1), (110, 1), (50, 1)];
    let mut wanted = vec![(20, 2), (30, 1)];
    for _ in 0..5 {
        wanted.extend(round);
    }
    wanted.extend([
        (60, 1),
        (60, 2),
        (70, 1),
        (70, 2),
        (70, 3),
        (72, 1),
        (74, 1),
        (76, 1),
        (80, 1),
        (20, 1),
    ]);
    let mut there = Vec::new();
    for wanted in &wanted {
        there.push((track.machine().now(), at(track.machine())));
        assert_eq!(debugger.step(&mut track, Step::Statement), Stop::Done);
        assert_eq!(at(track.machine()), *wanted);
    }
    let mut lines = there.clone();
    for (now, place) in there.into_iter().rev() {
        assert!(debugger.step_back(&mut track, Step::Statement));
        assert_eq!((track.machine().now(), at(track.machine())), (now, place));
    }
    // Steps by lines: where a statement of another line begins.
    lines.dedup_by_key(|(_, (line, _))| *line);
    for (now, (line, _)) in &lines[1..] {
        assert_eq!(debugger.step(&mut track, Step::BasicLine), Stop::Done);
        assert_eq!(
            (track.machine().now(), at(track.machine()).0),
            (*now, *line)
        );
    }
    for (now, (line, _)) in lines[..lines.len() - 1].iter().rev() {
        assert!(debugger.step_back(&mut track, Step::BasicLine));
        assert_eq!(
            (track.machine().now(), at(track.machine()).0),
            (*now, *line)
        );
    }
}

#[test]
fn variables_loops_and_subroutines() {
    let (mut debugger, mut track) = running();
    execute(&mut debugger, &mut track, "break basic 110 after 2").unwrap();
    debugger.run(&mut track, 100 * 262 * 114);
    let basic = Basic::of(track.machine()).unwrap();
    assert_eq!(basic.line, Some(110));
    // The third round.
    assert_eq!(basic.stack, [Frame::For(30, 0x80 | 5), Frame::Gosub(40)]);
    assert_eq!((basic.loops[0].to, basic.loops[0].step), (3.0, 0.5));
    assert_eq!(basic.depth(), 1);
    let value = |name: &str| {
        let found = basic.variables.iter().find(|v| v.name == name);
        found.unwrap_or_else(|| panic!("{name}")).value.clone()
    };
    assert_eq!(value("X"), Value::Number(1.5));
    assert_eq!(value("Y"), Value::Number(-200.0));
    assert_eq!(value("I"), Value::Number(2.0));
    assert_eq!(value("A$"), Value::String(Some((b"SUB".to_vec(), 10))));
    let Value::Array(Some((numbers, rows, columns))) = value("B(") else {
        panic!("B is an array");
    };
    assert_eq!((numbers.len(), rows, columns), (12, 3, 4));
    assert!(basic.lines()[0].ends_with("RETURN "), "{:?}", basic.lines());
    assert!(
        basic
            .lines()
            .contains(&"FOR I TO 3 STEP 0.5 in line 30".to_owned())
    );
    // LIST's text, although STMCUR is within the program.
    let listed = listing(track.machine());
    assert_eq!(listed.len(), 13);
    assert_eq!(listed[3], (40, "GOSUB 100".to_owned()));
}

#[test]
fn who_set_a_variable_and_when() {
    let (mut debugger, mut track) = running();
    for _ in 0..2 {
        debugger.step(&mut track, Step::BasicLine);
    }
    execute(&mut debugger, &mut track, "break basic 80 once").unwrap();
    debugger.run(&mut track, 100 * 262 * 114);
    let mut ask = |text: &str| execute(&mut debugger, &mut track, text).unwrap().lines[0].clone();
    assert!(ask("whoset A$").starts_with("A$ was set by line 70 statement 2,"));
    assert!(ask("whoset Z").starts_with("Z was set by line 70 statement 3,"));
    assert!(ask("whoset B(1,2)").starts_with("B(1,2) was set by line 60 statement 1,"));
    assert!(ask("whoset C(3)").starts_with("C(3) was set by line 60 statement 2,"));
    assert!(ask("whoset Y").starts_with("Y was set by line 20 statement 2,"));
    assert!(ask("blist 40").contains("40 GOSUB 100"));
    let error = execute(&mut debugger, &mut track, "whoset B(9,9)").unwrap_err();
    assert!(error.contains("no variable"), "{error}");
}

#[test]
fn the_profile_has_every_cycle_once() {
    let (mut debugger, mut track) = running();
    let begin = track.machine().now();
    // One round of the program: from line 20 to line 20.
    execute(&mut debugger, &mut track, "break basic 20 once").unwrap();
    debugger.step(&mut track, Step::Instruction);
    debugger.run(&mut track, 100 * 262 * 114);
    let (from, to) = (
        track.moment_at(begin).unwrap(),
        track.moment_at(track.machine().now()).unwrap(),
    );
    let timeline = track.timeline();
    let profile = Profile::of(timeline, from, to).unwrap();
    let cycles = track.machine().now() - begin;
    assert_eq!(profile.total.total(), cycles);
    let own: u64 = profile.routines.iter().map(|r| r.own.total()).sum();
    assert_eq!(own, cycles);
    let line = |number: u16| {
        let found = profile.lines.iter().find(|line| line.line == number);
        found.unwrap_or_else(|| panic!("{number}")).clone()
    };
    let counts: Vec<u64> = [20, 30, 40, 50, 60, 70, 80, 100, 110]
        .map(|number| line(number).statements)
        .to_vec();
    // The statement with which the time ends begins after it.
    assert_eq!(counts, [2, 1, 5, 5, 2, 3, 1, 5, 5]);
    // GOSUB has with it what lines 100 and 110 took.
    let (gosub, body, back) = (line(40), line(100), line(110));
    assert_eq!(
        gosub.all.total(),
        gosub.own.total() + body.own.total() + back.own.total()
    );
    assert_eq!(body.all, body.own);
    // Interrupts belong to no line.
    let lines: u64 = profile.lines.iter().map(|l| l.own.total()).sum();
    let interrupts: u64 = profile
        .routines
        .iter()
        .filter(|r| r.interrupt.is_some())
        .map(|r| r.all.total())
        .sum();
    assert_eq!(lines + interrupts, cycles);
}

fn ask(debugger: &mut Debugger, track: &mut Track, text: &str) -> Vec<String> {
    execute(debugger, track, text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .lines
}

#[test]
fn expressions_know_the_variables() {
    let (mut debugger, mut track) = running();
    ask(&mut debugger, &mut track, "break basic 70 once");
    ask(&mut debugger, &mut track, "run");
    for (text, wanted) in [
        ("X", "1.5"),
        ("X*2+1", "4"),
        ("Y", "-200"),
        ("I", "3.5"),
        ("A$", "\"SUB\""),
        ("A$(2,3)", "\"UB\""),
        ("B(1,2)", "7"),
        // An index is rounded.
        ("B(1,I-1.5)+C(3)", "6"),
        ("C(99)", "0"),
        ("X>1.4 AND A$=\"SUB\"", "1"),
        ("X=1 OR A$<>\"SUB\"", "0"),
        ("NOT X=1", "1"),
        ("A$<\"SUC\"", "1"),
        ("C", "0 0 0 -1 0"),
    ] {
        let shown = debugger.evaluate(&track, text);
        assert_eq!(
            shown.map(|shown| shown.text).as_deref(),
            Ok(wanted),
            "{text}"
        );
    }
    // Small letters are registers.
    let register = i64::from(track.machine().cpu.x);
    for text in ["x", "reg.x"] {
        assert_eq!(debugger.evaluate(&track, text).unwrap().value, register);
    }
    let wrong = debugger.evaluate(&track, "A$(1").unwrap_err();
    assert_eq!(wrong, "\")\" is missing");
    assert!(debugger.evaluate(&track, "NONE").is_err());
}

#[test]
fn conditions_and_watches_know_the_variables() {
    let (mut debugger, mut track) = running();
    let added = ask(
        &mut debugger,
        &mut track,
        "break basic 50 if I=2.5 AND A$=\"SUB\" once \"I is {I}\"",
    );
    assert!(added[0].ends_with("once log \"I is {I}\""), "{added:?}");
    ask(&mut debugger, &mut track, "clear all");
    ask(&mut debugger, &mut track, "watch I+1");
    ask(
        &mut debugger,
        &mut track,
        "break basic 50 if I=2.5 AND A$ = \"SUB\"",
    );
    let lines = ask(&mut debugger, &mut track, "run");
    assert!(lines[0].starts_with("breakpoint"), "{lines:?}");
    assert!(lines[1].ends_with("; 50 NEXT I (statement 1)"), "{lines:?}");
    assert_eq!(lines[2], " 1 I+1 = 3.5");
    // What is set ends the loop.
    ask(&mut debugger, &mut track, "set I 9.25");
    assert_eq!(ask(&mut debugger, &mut track, "print I"), ["9.25"]);
    let lines = ask(&mut debugger, &mut track, "step");
    assert!(
        lines[0].contains("; 60 B(1,2)=7:C(3)=-1 (statement 1)"),
        "{lines:?}"
    );
    // A step of the processor within a statement does not repeat it.
    let lines = ask(&mut debugger, &mut track, "cycle");
    assert!(lines[0].ends_with("  ; in 60"), "{lines:?}");
    let lines = ask(&mut debugger, &mut track, "where");
    assert!(
        lines[0].contains("; 60 B(1,2)=7:C(3)=-1 (statement 1)"),
        "{lines:?}"
    );
    let wrong = execute(&mut debugger, &mut track, "set I many").unwrap_err();
    assert_eq!(wrong, "\"many\" is no number");
}

#[test]
fn a_variable_that_is_not_there_makes_no_condition_true() {
    let (debugger, mut track) = running();
    let is_true = |track: &Track, text: &str| {
        let condition = debugger.parse(track, text).unwrap();
        move |track: &Track| condition.is_true(&Context::of(track.machine()))
    };
    let conditions = ["X<2", "X<>7", "A$<\"Z\"", "C(9)<1"].map(|text| is_true(&track, text));
    let values = conditions.each_ref().map(|is_true| is_true(&track));
    assert_eq!(values, [true, true, true, false]);
    // As before BASIC has made its tables.
    debugger::poke(&mut track, 0x86, &[0, 0]);
    let values = conditions.each_ref().map(|is_true| is_true(&track));
    assert_eq!(values, [false; 4]);
}

#[test]
fn steps_by_source_lines_are_steps_by_lines_of_the_listing() {
    let (mut debugger, mut track) = running();
    for (step, line) in [
        ("step", 30),
        ("step", 40),
        ("step", 100),
        ("step", 110),
        ("step", 50),
    ] {
        ask(&mut debugger, &mut track, step);
        assert_eq!(at(track.machine()).0, line, "{step}");
    }
    for (step, line) in [
        ("next", 40),
        ("next", 50),
        ("back next", 40),
        ("back step", 50),
    ] {
        ask(&mut debugger, &mut track, step);
        assert_eq!(at(track.machine()).0, line, "{step}");
    }
}

#[test]
fn names_in_ram_are_shown_while_basic_is_there() {
    let (mut debugger, mut track) = running();
    debugger
        .symbols
        .add_basic([(0x0088, "STMTAB"), (0xA000, "BASIC")]);
    ask(&mut debugger, &mut track, "where");
    assert_eq!(debugger.symbols.name(0x88), Some("STMTAB"));
    // PORTB takes BASIC's ROM away.
    debugger::poke(&mut track, 0xD301, &[0xFF]);
    ask(&mut debugger, &mut track, "where");
    assert_eq!(debugger.symbols.name(0x88), None);
    assert_eq!(debugger.symbols.name(0xA000), Some("BASIC"));
    assert_eq!(debugger.symbols.address("STMTAB"), Some(0x88));
}
