//! Programs that BASIC saves and loads, by a device and by tape.
use media::basic::Program;
use tests::basic::{atascii, enter, file, ready, set_file, type_lines};

#[test]
fn save_and_load_give_the_same_program() {
    let listing = atascii(
        "10 DIM A$(10):A$=\"HELLO\"\n20 FOR I=1 TO 3:? A$;I:NEXT I\n30 IF I>2 THEN ? \"X\":GOTO 50\n40 DATA 1,2\n50 END \n",
    );
    let mut atari = ready();
    enter(&mut atari, &listing);
    type_lines(&mut atari, "SAVE \"M:\"");
    let saved = file(&atari);
    let program = Program::parse_save(&saved).unwrap();
    let host = Program::tokenize(&listing).unwrap();
    assert_eq!(program.names, host.names);
    assert_eq!(program.lines, host.lines);
    type_lines(&mut atari, "NEW\nLOAD \"M:\"\nLIST \"M:\"");
    assert_eq!(file(&atari), listing);
    set_file(&mut atari, &saved);
    type_lines(&mut atari, "NEW\nRUN \"M:\"");
    assert!(
        atari.text().contains("HELLO3\nX\n") || atari.text().contains("HELLO3"),
        "{}",
        atari.text()
    );
    // Revision B writes pointers that grew by 16.
    let mut grown = saved.clone();
    for word in grown[2..14].chunks_exact_mut(2) {
        let value = u16::from_le_bytes([word[0], word[1]]) + 16;
        word.copy_from_slice(&value.to_le_bytes());
    }
    set_file(&mut atari, &grown);
    type_lines(&mut atari, "NEW\nLOAD \"M:\"\nLIST \"M:\"");
    assert_eq!(file(&atari), listing);
    set_file(&mut atari, b"JUNK");
    type_lines(&mut atari, "LOAD \"M:\"");
    assert!(atari.text().contains("ERROR-   136"), "{}", atari.text());
    set_file(&mut atari, &[1; 30]);
    type_lines(&mut atari, "LOAD \"M:\"");
    assert!(atari.text().contains("ERROR-   21"), "{}", atari.text());
    // No program in spite of its two zeros: the other words must not decrease, nor lie in the buffer before the names.
    let mut junk = saved.clone();
    junk[8..10].copy_from_slice(&[0xFF, 0xFF]);
    for file in [vec![0; 60], junk] {
        type_lines(&mut atari, "NEW\nPRINT CHR$(125)");
        set_file(&mut atari, &file);
        type_lines(&mut atari, "LOAD \"M:\"");
        assert!(atari.text().contains("ERROR-   21"), "{}", atari.text());
        type_lines(&mut atari, "PRINT 6*7");
        assert!(atari.text().contains("42"), "{}", atari.text());
    }
}

#[test]
fn csave_and_cload_go_through_a_tape() {
    let mut atari = ready();
    enter(
        &mut atari,
        &atascii("10 ? \"FROM TAPE\"\n20 GOTO 30\n30 END \n"),
    );
    atari.machine.insert_tape(media::cas::Tape::default());
    atari.machine.press_record(true);
    // OPEN waits for a key
    type_lines(&mut atari, "CSAVE\n");
    atari.type_text("\n");
    assert!(
        atari.wait_for_text("CSAVE\n\n  READY", 3000),
        "{}",
        atari.text()
    );
    atari.machine.press_record(false);
    atari.machine.rewind_tape();
    type_lines(&mut atari, "NEW\nGRAPHICS 0\nCLOAD");
    atari.type_text("\n");
    assert!(
        atari.wait_for_text("CLOAD\n\n  READY", 3000),
        "{}",
        atari.text()
    );
    type_lines(&mut atari, "RUN");
    assert!(atari.text().contains("FROM TAPE"), "{}", atari.text());
}

/// The end of the program that the head of the file tells lies above the screen.
#[test]
fn a_program_that_is_too_long_is_not_loaded() {
    let mut atari = ready();
    let mut bytes = Vec::new();
    for word in [0u16, 256, 256, 257, 257, 0xA000, 0xA010] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend([0; 40]);
    set_file(&mut atari, &bytes);
    type_lines(&mut atari, "NEW\nLOAD \"M:\"");
    assert!(atari.text().contains("ERROR-   19"), "{}", atari.text());
    type_lines(&mut atari, "? 6*7");
    assert!(atari.text().contains("\n  42"), "{}", atari.text());
}

#[test]
fn a_listing_goes_to_tape_and_is_entered_again() {
    let mut atari = ready();
    let lines = (1..30)
        .map(|i| format!("{} PRINT \"LINE\";{i}:REM ................\n", i * 10))
        .collect::<Vec<_>>()
        .concat();
    enter(&mut atari, &atascii(&lines));
    atari.machine.insert_tape(media::cas::Tape::default());
    atari.machine.press_record(true);
    type_lines(&mut atari, "GRAPHICS 0\nLIST \"C:\"");
    atari.type_text("\n");
    assert!(
        atari.wait_for_text("LIST \"C:\"\n\n  READY", 6000),
        "{}",
        atari.text()
    );
    atari.machine.press_record(false);
    atari.machine.rewind_tape();
    type_lines(&mut atari, "NEW\nGRAPHICS 0\nENTER \"C:\"");
    atari.type_text("\n");
    assert!(
        atari.wait_for_text("ENTER \"C:\"\n\n  READY", 6000),
        "{}",
        atari.text()
    );
    type_lines(&mut atari, "LIST \"M:\"");
    assert_eq!(file(&atari), atascii(&lines));
}
