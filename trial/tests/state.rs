//! Memory, expressions, input and saved states; each with a program that is right and one that is wrong.
mod common;

use common::Place;

/// Adds one to `lives` in each frame until it is `limit`; START makes it $80, the joystick's left $40, a key its code.
fn counting(limit: u8) -> Place {
    Place::assembled(&format!(
        "start: lda $14\nwait: cmp $14\nbeq wait\nlda CONSOL\nand #1\nbne stick\nlda #$80\nsta pressed\n\
         stick: lda PORTA\nand #4\nbne keys\nlda #$40\nsta moved\n\
         keys: lda $02FC\ncmp #$FF\nbeq count\nsta struck\n\
         count: lda lives\ncmp #{limit}\nbcs start\ninc lives\nfull: jmp start\n\
         lives: .byte 00\npressed: .byte 00\nmoved: .byte 00\nstruck: .byte 00"
    ))
}

#[test]
fn memory_and_expressions() {
    let (good, bad) = (counting(9), counting(7));
    for (expected, sentence) in [
        ("{ expect = \"[lives] == 9\" }", "[lives] == 9 is not true"),
        (
            "{ value = \"[lives] * 2\", is = 18 }",
            "[lives] * 2 is 14 $E, not 18",
        ),
        (
            "{ memory = \"lives\", is = [9, 0, 0, 255] }",
            "byte 0 of lives is $07, not $09",
        ),
        (
            "{ wait-until = \"[lives] == 9\", within = 100 }",
            "[lives] == 9 was never true in 100 frames",
        ),
    ] {
        let test = format!("steps = [{{ wait-for = \"start\" }}, {{ wait = 60 }}, {expected}]");
        if !expected.contains("memory") {
            good.passes(&test);
        }
        bad.fails(&test, sentence);
    }
    good.passes(
        "steps = [{ wait-for = \"start\" }, { wait = 60 }, { memory = \"lives\", is = [9, 0] }]",
    );
    good.fails(
        "steps = [{ expect = \"[livs] == 9\" }]",
        "there is no \"livs\"",
    );
}

#[test]
fn what_is_pressed_arrives() {
    let place = counting(9);
    for (step, cell) in [
        ("{ press = \"start\" }", "pressed"),
        ("{ joystick = \"1 left\" }", "moved"),
        ("{ key = \"a\" }", "struck"),
    ] {
        let expected = format!("{{ expect = \"[{cell}] != 0\" }}");
        place.passes(&format!(
            "steps = [{{ wait = 200 }}, {step}, {{ wait = 5 }}, {expected}]"
        ));
        place.fails(
            &format!("steps = [{{ wait = 205 }}, {expected}]"),
            "is not true",
        );
    }
}

#[test]
fn frames_to_a_label() {
    let test = "steps = [{ wait-for = \"start\" }, { wait-until = \"[lives] > 0\" }, { wait-for = \"done\", within = 12 }]";
    let source = |limit: u8| {
        format!(
            "start: lda $14\nwait: cmp $14\nbeq wait\ninc lives\nlda lives\ncmp #{limit}\nbne start\ndone: jmp done\nlives: .byte 00"
        )
    };
    Place::assembled(&source(10)).passes(test);
    Place::assembled(&source(20)).fails(test, "done was not reached in 12 frames");
}

#[test]
fn memory_that_is_to_stay_as_it_was() {
    let test = "steps = [{ wait = 200 }, { remember = \"board, 4\" }, { press = \"start\" }, { wait = 30 }, { same = \"board, 4\" }]";
    let program = |change: &str| {
        Place::assembled(&format!(
            "loop: lda CONSOL\nlsr a\nbcs loop\n{change}\njmp loop\nboard: .byte 01,02,03,04"
        ))
    };
    program("nop").passes(test);
    program("inc $2010")
        .passes("steps = [{ wait = 10 }, { remember = \"board, 4\" }, { same = \"board, 4\" }]");
    let bad = program("lda #9\nsta board");
    bad.fails(test, "byte 0 of board, 4 is $09, not $01");
    bad.fails(
        "steps = [{ wait = 10 }, { same = \"board, 4\" }]",
        "nothing is remembered of board, 4",
    );
    bad.fails(
        "steps = [{ remember = \"board\" }]",
        "\"board\" is no range",
    );
}

#[test]
fn a_saved_state_goes_on_as_the_machine_itself() {
    let test = "steps = [{ wait = 200 }, { save-and-load = 60 }]";
    counting(200).passes(test);
    // What is in files of H: does not go back with the machine.
    let place = Place::basic(
        "10 OPEN #1,4,0,\"H:N\":INPUT #1,N:CLOSE #1\n20 N=N+1:POKE 1536,N\n30 OPEN #1,8,0,\"H:N\":PRINT #1;N:CLOSE #1\n40 GOTO 10\n",
    );
    std::fs::create_dir(place.path("files")).unwrap();
    std::fs::write(place.path("files/N"), b"1\x9B").unwrap();
    place.test(
        "options = [\"--host\", \"files\"]",
        "steps = [{ wait = 400 }, { save-and-load = 60 }]",
    );
    let results = place.run().results;
    let problems = common::sentences(&results);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(
        problems[0]
            .contains("after saving and loading the machine is another one 60 frames later: at $"),
        "{problems:?}"
    );
}

#[test]
fn variables_of_basic() {
    let listing = |lives: &str, name: &str| {
        format!(
            "10 DIM A$(20),B(3),C(2,2)\n20 LIVES={lives}:RIGHT={lives}:A$=\"{name}\":B(2)=7:C(1,2)=0.25\n30 GOTO 30\n"
        )
    };
    let good = Place::basic(&listing("3", "EVE"));
    let bad = Place::basic(&listing("2.5", "ADAM"));
    for (value, is, sentence) in [
        ("LIVES", "3", "LIVES is 2.5, not 3"),
        // The OS has a label of this name.
        ("RIGHT", "3", "RIGHT is 2.5, not 3"),
        ("A$", "\"EVE\"", "A$ is ADAM, not \"EVE\""),
    ] {
        let test = format!("steps = [{{ wait = 300 }}, {{ value = \"{value}\", is = {is} }}]");
        good.passes(&test);
        bad.fails(&test, sentence);
    }
    good.passes(
        "steps = [{ wait = 300 }, { value = \"B(2)\", is = 7 }, { value = \"C(1,2)\", is = 0.25 }]",
    );
    good.fails(
        "steps = [{ wait = 300 }, { value = \"B(2)\", is = 8 }]",
        "B(2) is 7, not 8",
    );
    good.fails(
        "steps = [{ wait = 300 }, { value = \"GHOSTS\", is = 8 }]",
        "there is no \"GHOSTS\"",
    );
    good.passes("steps = [{ wait-until = \"LIVES\" }]");
}

#[test]
fn variables_of_c() {
    if std::process::Command::new("cl65")
        .arg("--version")
        .output()
        .is_err()
    {
        eprintln!("skipped: this test needs cl65");
        return;
    }
    let judge = |limit: u16, step: &str| {
        let place = Place(tempfile::tempdir().unwrap());
        let source = format!(
            "int lives = -1;\nchar grid[4] = {{1, 2, 7, 4}};\nint main(void)\n{{\n    for (;;) {{\n        if (lives < {limit}) ++lives;\n    }}\n    return 0;\n}}\n"
        );
        std::fs::write(place.path("main.c"), source).unwrap();
        let head = "build = \"cl65 -t atari -g -o main.xex -Wl --dbgfile,main.dbg main.c\"";
        let steps = format!("steps = [{{ wait-for = \"main\" }}, {{ wait = 60 }}, {step}]");
        place.test(head, &steps);
        common::sentences(&place.run().results)
    };
    for (step, sentence) in [
        ("{ value = \"lives\", is = 300 }", "lives is 7"),
        (
            "{ expect = \"lives == 300 && grid[2] == 7\" }",
            "lives == 300 && grid[2] == 7 is not true",
        ),
    ] {
        assert_eq!(judge(300, step), Vec::<String>::new());
        let problems = judge(7, step);
        assert!(
            problems.len() == 1 && problems[0].contains(sentence),
            "{problems:?}"
        );
    }
}
