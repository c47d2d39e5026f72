//! Why a pixel is as it is, against numbers worked out by hand. The proof by changing what is named is in `tests/tests/why.rs`.

mod common;

use common::{COLD, FIRST_STORE, LIST, machine_with, os, running};
use debugger::{FrameCause, Layer, Origin, Why, WhyPart};

/// The pixel column of a colour clock.
fn column(clock: usize) -> usize {
    2 * (clock - 34)
}

#[test]
fn a_background_pixel_names_the_store_that_coloured_it() {
    let cause = FrameCause::of_row(running().into(), 23);
    let stores: Vec<_> = cause
        .log
        .events
        .iter()
        .filter(|event| event.address == 0xD01A)
        .copied()
        .collect();
    let (line, cycle) = cause.log.beam(stores[0].now);
    assert_eq!(line, 31);
    // A colour acts in the second colour clock of its write's cycle.
    let first = column(2 * usize::from(cycle) + 1);
    let why = cause.why(first, 23).unwrap();
    assert_eq!(
        (why.layer, why.colour, why.line),
        (Layer::Background, 0x0E, 31)
    );
    assert_eq!(why.now, stores[0].now);
    assert_eq!(why.colours.len(), 1);
    assert_eq!(why.colours[0].number, 8);
    assert_eq!(
        why.colours[0].origin,
        Origin::Store {
            now: stores[0].now,
            pc: FIRST_STORE,
            address: 0xD01A,
            data: 0x0E
        }
    );
    // One pixel before it: the last store of the frame before.
    let why = cause.why(first - 1, 23).unwrap();
    assert_eq!(why.colour, 0x34);
    assert_eq!(
        why.colours[0].origin,
        Origin::Before {
            address: 0xD01A,
            data: 0x34
        }
    );
    assert!(cause.why(first, 24).is_none(), "another row was not traced");
}

#[test]
fn a_bitmap_pixel_names_its_fetch_and_its_instruction() {
    let cause = FrameCause::of_row(running().into(), 25);
    // Row 25 is line 33, the second row of the first line of mode D: the bytes that line 32 fetched. The playfield of normal width begins with
    // colour clock 48, and a byte of mode D lasts four: byte 7 begins with clock 76. Its fetch was in cycle 20 + 2 * 7.
    let why = cause.why(column(76 + 1), 25).unwrap();
    let playfield = why.playfield.as_ref().unwrap();
    assert_eq!(playfield.list.instruction, 0x4D);
    assert_eq!(playfield.list.row, 1);
    assert_eq!(
        playfield.list.fetched,
        Some((LIST + 3, cause.log.time(32, 1)))
    );
    assert_eq!(
        playfield.list.scan_set,
        Some((LIST + 5, cause.log.time(32, 7)))
    );
    assert_eq!(playfield.bytes.len(), 1);
    let byte = &playfield.bytes[0];
    let (now, load) = byte.load.unwrap();
    assert_eq!(
        (now, load.address, load.place),
        (cause.log.time(32, 34), Some(0xE307), 7)
    );
    assert_eq!(byte.bits, 0x30, "the second pair of bits");
    assert_eq!(byte.shown, cause.log.time(33, 34));
    assert!(matches!(
        byte.origin,
        Some(Origin::Before {
            address: 0xE307,
            ..
        })
    ));
    // The ROM is filled with $EA, %11101010: pairs 3 2 2 2, so PF2, PF1, PF1, PF1.
    assert_eq!(load.data, 0xEA);
    assert_eq!(why.layer, Layer::Playfield(1));
    assert_eq!(why.colours[0].number, 5);
    let why = cause.why(column(76), 25).unwrap();
    assert_eq!(why.layer, Layer::Playfield(2));
}

#[test]
fn the_last_glyph_of_a_wide_line_is_what_the_processor_has_on_the_bus() {
    let mut os = os();
    os[usize::from(COLD - 0xC000) + 26] = 0x23;
    os[usize::from(LIST - 0xC000) + 3] = 0x42;
    let mut machine = machine_with(os);
    for _ in 0..3 {
        machine.run_frame();
    }
    let cause = FrameCause::of_row(machine.clone().into(), 26);
    // 48 names from cycle 10 on and each glyph three cycles later: the last would be fetched in cycle 107, but from 106 on the playfield
    // does not take the bus. It is seen from colour clock 2 * 107 + 6 on.
    let now = cause.log.time(34, 107);
    let why = cause.why(column(220), 26).unwrap();
    let byte = why.playfield.as_ref().unwrap().bytes[0];
    assert_eq!(
        (byte.shown, byte.show.text, byte.show.glyph),
        (now, true, None)
    );
    machine.run_cycles(now - machine.now());
    let address = machine.cpu.next_address();
    assert_eq!(byte.passed, Some(address));
    assert_eq!(byte.show.raw, machine.peek(address));
    let says = format!("from the processor's access of ${address:04X} in line 34 cycle 107");
    let lines = texts(&why, &cause);
    assert!(lines.iter().any(|line| line.contains(&says)), "{lines:?}");
    // The one before it was fetched.
    let why = cause.why(column(219), 26).unwrap();
    let byte = why.playfield.as_ref().unwrap().bytes[0];
    assert!(byte.show.glyph.is_some() && byte.passed.is_none());
}

#[test]
fn outside_the_playfield_there_is_no_fetch() {
    let cause = FrameCause::of_row(running().into(), 24);
    let why = cause.why(column(47), 24).unwrap();
    assert_eq!(why.layer, Layer::Background);
    assert!(why.playfield.is_none());
    let why = cause.why(column(48), 24).unwrap();
    assert!(why.playfield.is_some());
}

/// An explanation's lines as text.
fn texts(why: &Why, cause: &FrameCause) -> Vec<String> {
    let lines = why.lines(cause, &|_| None);
    lines.iter().map(ToString::to_string).collect()
}

#[test]
fn the_text_says_it_in_a_few_lines() {
    let cause = FrameCause::of_row(running().into(), 25);
    let why = cause.why(column(77), 25).unwrap();
    let lines = texts(&why, &cause);
    assert_eq!(
        lines[0],
        "pixel 86,25 (line 33 clock 77.0) is $00: playfield 1"
    );
    assert_eq!(lines[1], "  COLPF1 = $00 $00 since before this frame");
    assert_eq!(
        lines[2],
        "  AN code 5: mode D row 1, instruction $4D from $E203 in line 32 cycle 1, $4D since before this frame"
    );
    assert_eq!(
        lines[3],
        "    bitmap $EA from $E307 in line 32 cycle 34, place 7 of the line buffer, bits $30, $EA since before this frame"
    );
    let beams = why.lines(&cause, &|_| None).into_iter().map(|line| {
        let beam = |part| match part {
            WhyPart::Beam { line, cycle } => Some((line, cycle)),
            WhyPart::Text(_) => None,
        };
        line.0.into_iter().find_map(beam)
    });
    let beams: Vec<_> = beams.take(4).collect();
    assert_eq!(beams, [None, None, Some((32, 1)), Some((32, 34))]);
    assert_eq!(
        why.summary(&cause, &|_| None),
        "86,25: $00, playfield 1, COLPF1 $00 since before this frame"
    );
}
