//! Names of a C program: `c/frames.c` as cc65 2.19 compiled it (-Oirs), with a runtime of ours. The file's second line was added afterwards; the
//! debug information counts without it.

mod common;

use debugger::{Address, Debugger, Place, Step, Stop, Track, execute};
use session::timeline::{Event, Register};

const DBG: &str = include_str!("c/frames.dbg");
const SOURCE: &str = include_str!("c/frames.c");
const CODE: &[u8] = include_bytes!("c/frames.bin");

/// The program in RAM, about to begin.
fn loaded() -> (Debugger, Track) {
    let mut debugger = Debugger::default();
    debugger
        .sources
        .add_file(DBG, &mut debugger.symbols)
        .unwrap();
    let file = debugger.sources.find("frames.c").unwrap();
    let built: Vec<&str> = SOURCE
        .lines()
        .filter(|line| !line.starts_with("/* Built"))
        .collect();
    debugger.sources.set_text(file, &built.join("\n"));
    let mut track = common::tracked(common::running());
    debugger.step(&mut track, Step::To(common::LOOP));
    debugger::poke(&mut track, 0x2000, CODE);
    let event = Event::LoadRegister {
        register: Register::Pc,
        value: 0x2000,
    };
    track.apply(event).unwrap();
    (debugger, track)
}

fn ask(debugger: &mut Debugger, track: &mut Track, text: &str) -> Vec<String> {
    execute(debugger, track, text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .lines
}

/// The functions that have not returned, the innermost first, with their numbers among the routines.
fn functions(debugger: &Debugger, track: &Track) -> Vec<(usize, String)> {
    let routines = debugger::calls(track.machine()).len() + 1;
    let function = |n: usize| {
        let scope = debugger.scope(track, Some(n));
        Some((n, scope.function()?.to_owned()))
    };
    (0..routines).filter_map(function).collect()
}

/// The value of a variable in a routine; `None` while it is nowhere.
fn value(debugger: &Debugger, track: &Track, routine: usize, name: &str) -> Option<i64> {
    let scope = debugger.scope(track, Some(routine));
    let variable = scope.variable(name).unwrap_or_else(|| panic!("{name}"));
    match variable.address {
        Address::Nowhere(_) => None,
        _ => Some(
            debugger
                .evaluate_in(track, Some(routine), name)
                .unwrap()
                .value,
        ),
    }
}

/// Checks all parameters, of callers too, against how deep `mix` has called itself; the innermost function and `a` of the innermost `mix`.
fn check(debugger: &Debugger, track: &Track) -> (String, Option<i64>) {
    let running = functions(debugger, track);
    let mixes = running.iter().filter(|(_, name)| name == "mix").count() as i64;
    let mut expected = 2 - mixes;
    let mut a = None;
    for (routine, name) in &running {
        match name.as_str() {
            "mix" => {
                expected += 1;
                let is = value(debugger, track, *routine, "a");
                // It is being pushed while an instruction of the runtime is next; steps by lines do not stop there.
                assert_eq!(is, Some(expected), "{running:?}");
                a = a.or(is);
                assert_eq!(value(debugger, track, *routine, "c"), Some(i64::from(b'C')));
                let seen = debugger
                    .scope(track, running.last().map(|(n, _)| *n))
                    .variable("seen");
                let at = value(debugger, track, *routine, "where").map(|at| at as u16);
                assert_eq!(seen.map(|v| v.address), at.map(Address::Fixed));
            }
            "mark" => assert_eq!(value(debugger, track, *routine, "p"), Some(i64::from(b'C'))),
            _ => {}
        }
    }
    (running[0].1.clone(), a)
}

#[test]
fn values_are_right_at_every_line() {
    let (mut debugger, mut track) = loaded();
    let (mut seen, mut lines) = (Vec::new(), 0);
    loop {
        assert_eq!(debugger.step(&mut track, Step::Source), Stop::Done);
        let at = debugger.sources.line_at(track.machine().cpu.pc).unwrap();
        let name = debugger.sources.name(at);
        if !name.starts_with("frames.c") {
            continue;
        }
        lines += 1;
        let (function, a) = check(&debugger, &track);
        seen.push((name.clone(), function, a));
        match name.as_str() {
            // The end of `mark`: all that it has.
            "frames.c:11" => assert_eq!(value(&debugger, &track, 0, "i"), Some(i64::from(b'C'))),
            // `where` and the result are written after the calls.
            "frames.c:18" => assert_eq!(value(&debugger, &track, 0, "sum"), Some(0)),
            "frames.c:26" | "frames.c:27" => {
                assert_eq!(value(&debugger, &track, 0, "n"), Some(2));
            }
            "frames.c:28" => break,
            _ => {}
        }
    }
    assert_eq!(value(&debugger, &track, 0, "seen"), Some(0));
    let shown = |text: &str| debugger.evaluate(&track, text).unwrap().text;
    assert_eq!(shown("kept"), "{first = 0, tag = 67 'C'}");
    assert_eq!(shown("total"), (100 - 3 * 67).to_string());
    let of_mix = |line: &str, a: i64| {
        let wanted = (line.to_owned(), "mix".to_owned(), Some(a));
        seen.contains(&wanted)
    };
    // Before its first instruction, after it, and after the call of itself.
    for a in 0..=2 {
        for line in ["frames.c:14", "frames.c:15", "frames.c:18", "frames.c:21"] {
            assert!(of_mix(line, a), "{line} with a = {a}: {seen:?}");
        }
    }
    assert!(lines > 30, "{lines}");
}

#[test]
fn a_variable_where_an_address_is_wanted_means_its_place() {
    let (mut debugger, mut track) = loaded();
    ask(&mut debugger, &mut track, "break frames.c:18 if a == 1");
    ask(&mut debugger, &mut track, "run");
    let variable = debugger.scope(&track, None).variable("total").unwrap();
    let Address::Fixed(total) = variable.address else {
        panic!("{variable:?}");
    };
    let high = format!("${:04X}", total + 1);
    // Its value, a small number, is an address in the zero page.
    let zero_page = |track: &Track| (0..=255).map(|at| track.machine().peek(at)).collect();
    let before: Vec<u8> = zero_page(&track);
    let lines = ask(&mut debugger, &mut track, "who total");
    assert!(
        lines[0].contains(&format!(": total+1 ({high}) = ")),
        "{lines:?}"
    );
    let lines = ask(&mut debugger, &mut track, "stores total");
    assert!(lines[1].contains(&format!(": {high} = ")), "{lines:?}");
    ask(&mut debugger, &mut track, "break write total");
    let place = &debugger.breakpoints.list().last().unwrap().place;
    assert_eq!(*place, Place::Write(total..=total + 1));
    ask(&mut debugger, &mut track, "poke total 7 0");
    assert_eq!(debugger.evaluate(&track, "total").unwrap().value, 7);
    assert_eq!(zero_page(&track), before);
    // A pointer is the place that it points to, `&` its own, and an expression its value.
    let seen = debugger.evaluate(&track, "where").unwrap().value as u16;
    for (text, place) in [("where", seen), ("&total", total), ("total+1", 8)] {
        let lines = ask(&mut debugger, &mut track, &format!("mem {text} 1"));
        assert!(
            lines[0].starts_with(&format!("{place:04X}")),
            "{text}: {lines:?}"
        );
    }
}

/// The frame of a function is looked up at the first hit that asks for it.
#[test]
fn messages_and_counts_know_variables_from_the_first_hit() {
    let (mut debugger, mut track) = loaded();
    ask(
        &mut debugger,
        &mut track,
        "break frames.c:18 \"a {a} c {c}\"",
    );
    ask(
        &mut debugger,
        &mut track,
        "break frames.c:18 if a == 1 \"one {sum}\"",
    );
    ask(
        &mut debugger,
        &mut track,
        "break frames.c:18 if a > 0 after 1",
    );
    let lines = ask(&mut debugger, &mut track, "run");
    assert!(lines.contains(&"breakpoint 3".to_owned()), "{lines:?}");
    assert_eq!(ask(&mut debugger, &mut track, "p a")[0], "2");
    let log = lines.iter().filter_map(|line| line.strip_prefix("log "));
    let log: Vec<&str> = log.filter_map(|line| line.split("  ").nth(1)).collect();
    assert_eq!(log, ["a 0 c 67", "a 1 c 67", "one 0", "a 2 c 67"]);
    let hits = debugger
        .breakpoints
        .list()
        .iter()
        .map(|breakpoint| breakpoint.hits);
    assert_eq!(hits.collect::<Vec<_>>(), [3, 1, 2]);
}

#[test]
fn conditions_know_parameters_and_variables() {
    let (mut debugger, mut track) = loaded();
    // In registers before the first instruction, and on the stack.
    ask(&mut debugger, &mut track, "break mix if a == 0");
    ask(
        &mut debugger,
        &mut track,
        "break frames.c:18 if a == 1 && c == 'C'",
    );
    let lines = ask(&mut debugger, &mut track, "run");
    assert_eq!(lines[0], "breakpoint 1");
    let locals = ask(&mut debugger, &mut track, "locals");
    assert_eq!(locals[0..2], ["in mix", "c = 67 'C'"]);
    assert!(locals.contains(&"a = 0".to_owned()), "{locals:?}");
    assert!(
        locals[4].starts_with("sum = (does not exist here"),
        "{locals:?}"
    );
    let stack = ask(&mut debugger, &mut track, "stack");
    let names: Vec<&str> = stack
        .iter()
        .filter_map(|line| line.split(' ').nth(1))
        .map(|name| name.split('+').next().unwrap())
        .collect();
    assert_eq!(names[..4], ["mix", "mix", "mix", "main"]);
    let lines = ask(&mut debugger, &mut track, "run");
    assert_eq!(lines[0], "breakpoint 2");
    assert_eq!(ask(&mut debugger, &mut track, "print a"), ["1"]);
    let accumulator = i64::from(track.machine().cpu.a);
    let shown = debugger.evaluate(&track, "reg.a").unwrap();
    assert_eq!(shown.value, accumulator, "a is the program's");
    assert_eq!(
        debugger.evaluate(&track, "mix").unwrap().value,
        i64::from(debugger.symbols.address("_mix").unwrap())
    );
    // Back to where the innermost call began.
    ask(&mut debugger, &mut track, "back");
    assert_eq!(ask(&mut debugger, &mut track, "print a"), ["0"]);
}

#[test]
fn variables_are_set_and_watched() {
    let (mut debugger, mut track) = loaded();
    ask(&mut debugger, &mut track, "break frames.c:18");
    ask(&mut debugger, &mut track, "run");
    assert_eq!(ask(&mut debugger, &mut track, "watch sum"), [" 1 sum = 0"]);
    ask(&mut debugger, &mut track, "clear all");
    ask(&mut debugger, &mut track, "set sum 1234");
    assert_eq!(ask(&mut debugger, &mut track, "print sum"), ["1234"]);
    assert_eq!(ask(&mut debugger, &mut track, "watches"), [" 1 sum = 1234"]);
    let refused = execute(&mut debugger, &mut track, "set c 256").unwrap_err();
    assert_eq!(refused, "256 does not fit into 1 bytes");
    ask(&mut debugger, &mut track, "set kept.first = -2");
    assert_eq!(ask(&mut debugger, &mut track, "print kept.first"), ["-2"]);
    // It goes up through the callers into main's variable.
    ask(&mut debugger, &mut track, "break frames.c:28");
    ask(&mut debugger, &mut track, "run");
    assert_eq!(ask(&mut debugger, &mut track, "print seen"), ["1234"]);
    assert_eq!(ask(&mut debugger, &mut track, "print kept.first"), ["1234"]);
    let refused = execute(&mut debugger, &mut track, "print sum").unwrap_err();
    assert_eq!(refused, "there is no \"sum\"");
}

#[test]
fn steps_go_by_the_return() {
    let (mut debugger, mut track) = loaded();
    ask(&mut debugger, &mut track, "break main");
    ask(&mut debugger, &mut track, "run");
    let line = |debugger: &Debugger, track: &Track| {
        let at = debugger.sources.line_at(track.machine().cpu.pc).unwrap();
        debugger.sources.name(at)
    };
    debugger.step(&mut track, Step::SourceOver);
    assert_eq!(line(&debugger, &track), "frames.c:26");
    // Three calls of itself inside.
    debugger.step(&mut track, Step::SourceOver);
    assert_eq!(line(&debugger, &track), "frames.c:27");
    assert!(debugger.step_back(&mut track, Step::SourceOver));
    assert_eq!(line(&debugger, &track), "frames.c:26");
    ask(&mut debugger, &mut track, "clear all");
    ask(&mut debugger, &mut track, "break mark");
    ask(&mut debugger, &mut track, "run");
    ask(&mut debugger, &mut track, "clear all");
    for (function, a) in [("mix", Some(2)), ("main", None)] {
        assert_eq!(debugger.step(&mut track, Step::Out), Stop::Done);
        assert_eq!(check(&debugger, &track), (function.to_owned(), a));
    }
    let steps = debugger.scope(&track, None).locals();
    assert_eq!(steps.len(), 2);
}

#[test]
fn names_that_tools_made_are_not_shown() {
    let (mut debugger, _) = loaded();
    let at = debugger.symbols.address("L000B").unwrap();
    assert_eq!(debugger.symbols.name(at), None);
    // Nor from a file of labels.
    let labels = format!("al {at:06X} .L000B\nal 002100 .LOCAL-MACRO_SYMBOL-0002\n");
    debugger
        .sources
        .add_file(&labels, &mut debugger.symbols)
        .unwrap();
    assert_eq!(debugger.symbols.name(at), None);
    assert_eq!(debugger.symbols.name(0x2100), None);
    assert_eq!(
        debugger.symbols.address("LOCAL-MACRO_SYMBOL-0002"),
        Some(0x2100)
    );
}
