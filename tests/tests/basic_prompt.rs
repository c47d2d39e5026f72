//! The READY prompt of BASIC: BREAK, RESET, CONT, BYE, and lines without a number.
use machine::{Model, Tv};
use tests::Atari;
use tests::basic::{atascii, enter, ready, set_file, type_lines};

#[test]
fn break_stops_and_cont_goes_on() {
    let mut atari = ready();
    enter(
        &mut atari,
        &atascii("10 A=A+1:GOTO 10\n20 ? \"NOT HERE\"\n30 ? \"X\"\n"),
    );
    atari.type_text("RUN\n");
    atari.run(30);
    atari.machine.input.break_key = true;
    atari.run(3);
    atari.machine.input.break_key = false;
    assert!(atari.wait_for_key(60), "{}", atari.text());
    assert!(
        atari.text().contains("STOPPED AT LINE 10"),
        "{}",
        atari.text()
    );
    type_lines(&mut atari, "CONT");
    assert!(atari.text().contains("NOT HERE\n  X"), "{}", atari.text());
}

#[test]
fn reset_keeps_the_program() {
    let mut atari = ready();
    enter(&mut atari, &atascii("10 ? \"STILL HERE\"\n"));
    atari.machine.reset();
    atari.run(60);
    assert!(atari.wait_for_key(600), "{}", atari.text());
    type_lines(&mut atari, "RUN");
    assert!(atari.text().contains("STILL HERE"), "{}", atari.text());
}

#[test]
fn break_leaves_input_and_the_prompt() {
    let mut atari = ready();
    enter(&mut atari, &atascii("10 INPUT A\n20 ? \"NO\"\n"));
    atari.type_text("RUN\n");
    let press_break = |atari: &mut Atari| {
        atari.run(20);
        atari.machine.input.break_key = true;
        atari.run(3);
        atari.machine.input.break_key = false;
        assert!(atari.wait_for_key(60), "{}", atari.text());
    };
    press_break(&mut atari);
    assert!(
        atari.text().contains("STOPPED AT LINE 10"),
        "{}",
        atari.text()
    );
    press_break(&mut atari);
    type_lines(&mut atari, "? 6*7");
    assert!(atari.text().contains("\n  42"), "{}", atari.text());
}

#[test]
fn entered_lines_without_a_number_run_at_once_and_quietly() {
    let mut atari = ready();
    set_file(
        &mut atari,
        &atascii("10 ? \"TEN\"\n? \"NOW\"\nX=5\n20 ? X\n"),
    );
    type_lines(&mut atari, "NEW\nENTER \"M:\"");
    assert!(
        atari.text().contains("ENTER \"M:\"\n  NOW\n\n  READY"),
        "{}",
        atari.text()
    );
    type_lines(&mut atari, "GOTO 10");
    assert!(atari.text().contains("TEN\n  5"), "{}", atari.text());
}

#[test]
fn stop_and_end_can_be_continued_from_the_next_line() {
    let mut atari = ready();
    enter(
        &mut atari,
        &atascii("10 STOP :? \"NO\"\n20 ? \"A\":END\n30 ? \"B\"\n"),
    );
    type_lines(&mut atari, "RUN\nCONT\nCONT");
    assert!(
        atari.text().contains("CONT\n  A\n\n  READY\n  CONT\n  B"),
        "{}",
        atari.text()
    );
}

/// BYE, and DOS without a disk: the self-test on the XL, the memo pad on the 800; RESET comes back to the program.
#[test]
fn bye_and_dos_leave_basic_and_reset_comes_back() {
    for (model, command) in [
        (Model::Xl800, "BYE"),
        (Model::Xl800, "DOS"),
        (Model::Atari800, "BYE"),
        (Model::Atari800, "DOS"),
    ] {
        let mut atari = Atari::new(&tests::config(model, Tv::Ntsc, true));
        assert!(atari.wait_for_key(900), "{}", atari.text());
        type_lines(&mut atari, "10 ? \"STILL HERE\"");
        atari.type_text(&format!("{command}\n"));
        atari.run(120);
        let text = atari.text();
        let left = if model.is_xl() {
            !text.contains("READY")
        } else {
            text.contains("MEMO PAD")
        };
        assert!(left, "{model:?} {command}:\n{text}");
        atari.machine.reset();
        atari.run(60);
        assert!(
            atari.wait_for_text("READY", 600),
            "{model:?} {command}:\n{}",
            atari.text()
        );
        type_lines(&mut atari, "RUN");
        assert!(
            atari.text().contains("STILL HERE"),
            "{model:?} {command}:\n{}",
            atari.text()
        );
    }
}
