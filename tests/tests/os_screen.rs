//! The display handler S: modes and their addresses, characters, pixels, lines, fills.

use machine::{Machine, Model, Tv};
use tests::calls::Os;

const RAMTOP: u16 = 0x6A;

/// Start of the display list full and split, of the screen memory, relative to RAMTOP = $A0; ANTIC mode; rows full and split.
const MODES: [(u16, u16, u16, u8, usize, usize); 16] = [
    (0x9C20, 0x9C20, 0x9C40, 0x2, 24, 24),
    (0x9D60, 0x9D5E, 0x9D80, 0x6, 24, 20),
    (0x9E5C, 0x9E58, 0x9E70, 0x7, 12, 10),
    (0x9E50, 0x9E4E, 0x9E70, 0x8, 24, 20),
    (0x9D48, 0x9D4A, 0x9D80, 0x9, 48, 40),
    (0x9B68, 0x9B6A, 0x9BA0, 0xA, 48, 40),
    (0x9778, 0x9782, 0x97E0, 0xB, 96, 80),
    (0x8F98, 0x8FA2, 0x9060, 0xD, 96, 80),
    (0x8036, 0x8050, 0x8150, 0xF, 192, 160),
    (0x8036, 0x8036, 0x8150, 0xF, 192, 192),
    (0x8036, 0x8036, 0x8150, 0xF, 192, 192),
    (0x8036, 0x8036, 0x8150, 0xF, 192, 192),
    (0x9B80, 0x9B7E, 0x9BA0, 0x4, 24, 20),
    (0x9D6C, 0x9D68, 0x9D80, 0x5, 12, 10),
    (0x8F38, 0x8F52, 0x9060, 0xC, 192, 160),
    (0x8036, 0x8050, 0x8150, 0xE, 192, 160),
];

fn os(model: Model) -> Os {
    let mut os = Os::new(&tests::config(model, Tv::Ntsc, false));
    os.poke(RAMTOP, &[0xA0]);
    os
}

/// The mode lines of the display list (without the three blank ones), each with the address it loads.
fn display_list(os: &Os) -> Vec<(u8, Option<u16>)> {
    let start = os.word(0x0230);
    let mut at = start;
    for _ in 0..3 {
        assert_eq!(os.peek(at), 0x70);
        at += 1;
    }
    let mut lines = Vec::new();
    loop {
        let instruction = os.peek(at);
        at += 1;
        if instruction == 0x41 {
            assert_eq!(os.word(at), start, "the list ends with a jump to itself");
            return lines;
        }
        let address = (instruction & 0x40 != 0).then(|| {
            at += 2;
            os.word(at - 2)
        });
        lines.push((instruction & 0x0F, address));
    }
}

fn modes_lie_where_programs_expect_them(model: Model, count: usize) {
    let mut os = os(model);
    for (mode, &(full, split, screen, antic, rows, split_rows)) in
        MODES.iter().take(count).enumerate()
    {
        for windowed in [false, true] {
            let aux = [0x0C | u8::from(windowed) << 4, mode as u8];
            assert_eq!(os.open(6, "S:", aux), 1);
            let window = windowed && split_rows < rows;
            let list = if window { split } else { full };
            assert_eq!(os.word(0x0230), list, "display list of mode {mode}");
            assert_eq!(os.word(0x58), screen, "screen of mode {mode}");
            assert_eq!(os.word(0x02E5), list - 1, "MEMTOP of mode {mode}");
            assert_eq!(os.peek(0x57), mode as u8, "DINDEX");
            assert_eq!(
                os.peek(0x02BF),
                if window { 4 } else { 24 },
                "BOTSCR of mode {mode}"
            );
            assert_eq!(os.word(0x0294), 0x9F60, "TXTMSC");
            let lines = display_list(&os);
            let rows = if window { split_rows } else { rows };
            assert_eq!(lines[0], (antic, Some(screen)));
            assert_eq!(lines.iter().filter(|l| l.0 == antic).count(), rows);
            if rows >= 160 && antic >= 0xE {
                assert_eq!(
                    lines[94],
                    (antic, Some(0x9000)),
                    "no line crosses a 4K boundary"
                );
            }
            if window {
                assert_eq!(lines[rows], (2, Some(0x9F60)));
                assert_eq!(lines.len(), rows + 4);
            } else {
                assert_eq!(lines.len(), rows);
            }
            os.close(6);
        }
    }
}

#[test]
fn modes_of_the_xl_lie_where_programs_expect_them() {
    modes_lie_where_programs_expect_them(Model::Xl800, 16);
}

#[test]
fn modes_of_the_800_lie_where_programs_expect_them() {
    modes_lie_where_programs_expect_them(Model::Atari800, 12);
}

#[test]
fn modes_12_to_15_are_bad_modes_on_an_800() {
    let mut os = os(Model::Atari800);
    assert_eq!(os.open(6, "S:", [12, 12]), 145);
}

#[test]
fn a_screen_that_does_not_fit_gives_147_and_mode_0() {
    let mut os = os(Model::Xl800);
    os.poke(0x0E, &0x9000u16.to_le_bytes());
    assert_eq!(os.open(6, "S:", [12, 8]), 147);
    assert_eq!(os.peek(0x57), 0);
    assert_eq!(os.word(0x0230), 0x9C20);
}

#[test]
fn opening_resets_colours_but_not_players_and_margins() {
    let mut os = os(Model::Xl800);
    os.poke(0x02C0, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
    os.poke(0x52, &[5, 30]);
    os.poke(0x026F, &[0x21]);
    assert_eq!(os.open(6, "S:", [12, 11]), 1);
    let colours: Vec<u8> = (0x02C0..=0x02C8).map(|a| os.peek(a)).collect();
    assert_eq!(colours, [1, 2, 3, 4, 0x28, 0xCA, 0x94, 0x46, 0x06]);
    assert_eq!((os.peek(0x52), os.peek(0x53)), (5, 30));
    assert_eq!(os.peek(0x026F), 0xE1);
    assert_eq!(
        (os.peek(0x02F3), os.peek(0x02F4), os.peek(0x022F)),
        (2, 0xE0, 0x22)
    );
}

#[test]
fn aux1_bit_5_keeps_the_picture() {
    let mut os = os(Model::Xl800);
    os.open(6, "S:", [12, 7]);
    os.poke(0x9060, &[0x55]);
    os.close(6);
    os.open(6, "S:", [0x0C | 0x20, 7]);
    assert_eq!(os.peek(0x9060), 0x55);
    os.close(6);
    os.open(6, "S:", [12, 7]);
    assert_eq!(os.peek(0x9060), 0);
}

#[test]
fn pixels_are_put_and_got_in_every_mode() {
    let mut os = os(Model::Xl800);
    for (mode, columns, rows, bits) in [
        (3, 40u16, 24u8, 2),
        (4, 80, 48, 1),
        (5, 80, 48, 2),
        (6, 160, 96, 1),
        (7, 160, 96, 2),
        (8, 320, 192, 1),
        (9, 80, 192, 4),
        (10, 80, 192, 4),
        (11, 80, 192, 4),
        (14, 160, 192, 1),
        (15, 160, 192, 2),
    ] {
        assert_eq!(os.open(6, "S:", [12, mode]), 1);
        let points: Vec<(u16, u8, u8)> = (0..9u16)
            .map(|i| {
                (
                    (columns - 1) * i / 8,
                    (u16::from(rows - 1) * i / 8) as u8,
                    1 + i as u8,
                )
            })
            .collect();
        for &(column, row, colour) in &points {
            os.position(column, row);
            assert_eq!(os.put(6, colour), 1);
            assert_eq!(
                (os.word(0x5B), os.peek(0x5A)),
                (column, row),
                "OLDCOL, OLDROW"
            );
        }
        for &(column, row, colour) in &points {
            os.position(column, row);
            assert_eq!(
                os.get(6),
                (1, colour & ((1u8 << bits) - 1)),
                "mode {mode} at {column},{row}"
            );
        }
        os.position(columns, 0);
        assert_eq!(os.put(6, 1), 141);
        os.position(0, rows);
        assert_eq!(os.get(6).0, 141);
        os.close(6);
    }
}

/// Pixels set (not 0) in mode 7 in the given rows and columns.
fn picture(os: &mut Os, columns: u16, rows: u8) -> Vec<String> {
    (0..rows)
        .map(|row| {
            os.position(0, row);
            (0..columns)
                .map(|_| char::from(b'0' + os.get(6).1))
                .collect()
        })
        .collect()
}

fn line(os: &mut Os, command: u8, from: (u16, u8), to: (u16, u8), colour: u8) {
    os.position(from.0, from.1);
    os.put(6, colour);
    os.position(to.0, to.1);
    os.poke(0x02FB, &[colour]);
    assert_eq!(os.cio(6, command, 0x0600, 0, [12, 0]).0, 1);
    assert_eq!((os.word(0x5B), os.peek(0x5A)), to, "OLDCOL, OLDROW");
}

#[test]
fn lines_step_along_the_larger_delta_from_half_of_it() {
    let mut os = os(Model::Xl800);
    os.open(6, "S:", [12, 7]);
    line(&mut os, 17, (0, 0), (15, 4), 2);
    assert_eq!(
        picture(&mut os, 17, 5),
        [
            "22000000000000000",
            "00222200000000000",
            "00000022220000000",
            "00000000002222000",
            "00000000000000220"
        ]
    );
    os.put(6, 0x7D);
    line(&mut os, 17, (4, 5), (2, 0), 1);
    line(&mut os, 17, (9, 3), (5, 3), 3);
    assert_eq!(
        picture(&mut os, 10, 6),
        [
            "0010000000",
            "0010000000",
            "0001000000",
            "0001033333",
            "0000100000",
            "0000100000"
        ]
    );
}

#[test]
fn a_line_may_be_320_pixels_long() {
    let mut os = os(Model::Xl800);
    os.open(6, "S:", [12, 8]);
    line(&mut os, 17, (319, 0), (0, 191), 1);
    let lit: u32 = (0..7680).map(|i| os.peek(0x8150 + i).count_ones()).sum();
    assert_eq!(lit, 320);
    assert_eq!(
        (0..7680).filter(|i| os.peek(0x8150 + i) != 0).max(),
        Some(7640)
    );
    assert_eq!(
        (os.peek(0x8150 + 39) & 1, os.peek(0x8150 + 191 * 40) & 0x80),
        (1, 0x80)
    );
}

#[test]
fn fill_runs_to_the_right_up_to_the_first_pixel_set() {
    let mut os = os(Model::Xl800);
    os.open(6, "S:", [12, 5]);
    line(&mut os, 17, (8, 5), (8, 1), 1);
    line(&mut os, 17, (8, 1), (2, 1), 1);
    os.position(2, 5);
    os.poke(0x02FD, &[2]);
    assert_eq!(os.cio(6, 18, 0x0600, 0, [12, 0]).0, 1);
    assert_eq!(
        picture(&mut os, 10, 7),
        [
            "0000000000",
            "0011111110",
            "0012222210",
            "0012222210",
            "0012222210",
            "0012222210",
            "0000000000"
        ]
    );
}

#[test]
fn characters_of_mode_2_have_their_colour_in_the_top_bits_and_wrap_at_the_right() {
    let mut os = os(Model::Xl800);
    os.open(6, "S:", [12, 2]);
    os.print(6, b"Ab1");
    assert_eq!(os.put(6, 0xC1), 1);
    let cells: Vec<u8> = (0..4).map(|i| os.peek(0x9E70 + i)).collect();
    assert_eq!(cells, [33, 98, 17, 0xA1]);
    os.position(19, 1);
    os.print(6, b"AB");
    assert_eq!((os.peek(0x54), os.word(0x55)), (2, 1));
    assert_eq!(os.put(6, 0x9B), 1);
    assert_eq!((os.peek(0x54), os.word(0x55)), (3, 0));
}

#[test]
fn s_in_mode_0_draws_control_codes_as_pictures() {
    let mut os = os(Model::Xl800);
    os.open(6, "S:", [12, 0]);
    os.position(2, 3);
    os.print(6, &[0x1C, 0x7E, 0xFD]);
    let cells: Vec<u8> = (0..3).map(|i| os.peek(0x9C40 + 3 * 40 + 2 + i)).collect();
    assert_eq!(cells, [0x5C, 0x7E, 0xFD]);
}

#[test]
fn printing_goes_to_the_text_window_and_leaves_the_main_cursor_alone() {
    let mut os = os(Model::Xl800);
    os.open(6, "S:", [0x0C | 0x10, 7]);
    os.position(10, 20);
    os.print(0, b"HI\n");
    assert_eq!((os.peek(0x54), os.word(0x55), os.peek(0x57)), (20, 10, 7));
    assert_eq!((os.peek(0x0290), os.word(0x0291)), (1, 2));
    assert_eq!((os.peek(0x9F62), os.peek(0x9F63)), (0x28, 0x29));
    assert_eq!(os.peek(0x7B), 0, "SWPFLG");
    os.print(0, b"1\n2\n3\n4\n");
    assert_eq!(os.peek(0x0290), 3);
    assert_eq!(os.peek(0x9F62), 0x12, "the window has scrolled");
}

#[test]
fn printing_in_a_mode_without_window_opens_mode_0_again() {
    let mut os = os(Model::Xl800);
    os.open(6, "S:", [12, 8]);
    os.print(0, b"A");
    assert_eq!((os.peek(0x57), os.word(0x0230)), (0, 0x9C20));
    assert_eq!(os.peek(0x9C42), 0x21);
}

#[test]
fn fine_scrolling_adds_a_line_and_an_interrupt_to_the_list() {
    let mut os = os(Model::Xl800);
    os.poke(0x026E, &[0xFF]);
    for (mode, list) in [
        (0, 0x9C1F),
        (1, 0x9D5D),
        (2, 0x9E57),
        (7, 0x8FA1),
        (8, 0x804F),
    ] {
        os.open(6, "S:", [0x0C | 0x10, mode]);
        assert_eq!(os.word(0x0230), list, "mode {mode}");
        os.close(6);
    }
    os.open(6, "S:", [12, 0]);
    let at = |os: &Os, i: u16| os.peek(0x9C1F + i);
    assert_eq!(
        (
            at(&os, 3),
            at(&os, 6),
            at(&os, 27),
            at(&os, 28),
            at(&os, 29),
            at(&os, 30)
        ),
        (0x62, 0x22, 0x22, 0xA2, 0x02, 0x41)
    );
    for row in 0..30 {
        os.print(0, &[b'A' + row, b'\n']);
    }
    assert_eq!(os.peek(0x9C42), 0x21 + 7);
}

#[test]
fn a_line_begins_at_the_last_character_printed() {
    let mut os = os(Model::Xl800);
    os.open(6, "S:", [12, 0]);
    os.position(10, 5);
    os.print(0, b"AB");
    assert_eq!((os.word(0x5B), os.peek(0x5A)), (11, 5));
    os.position(14, 5);
    os.poke(0x02FB, b"*");
    assert_eq!(os.cio(6, 17, 0x0600, 0, [12, 0]).0, 1);
    let cells: Vec<u8> = (10..15).map(|i| os.peek(0x9C40 + 200 + i)).collect();
    assert_eq!(cells, [0x21, 0x22, 0x0A, 0x0A, 0x0A]);
}

#[test]
fn the_new_screen_is_on_when_the_open_returns() {
    let mut os = os(Model::Xl800);
    for delay in 0..40 {
        os.machine.run_cycles(731 * delay);
        assert_eq!(os.open(6, "S:", [12, (delay % 9) as u8]), 1);
        assert_eq!(os.machine.bus().video.antic.dmactl(), 0x22);
        os.close(6);
    }
    // Without vertical blank interrupts it comes back all the same.
    os.poke(0x4000, &[0xA9, 0x00, 0x8D, 0x0E, 0xD4, 0x60]);
    os.call(0x4000, tests::calls::Registers::default());
    assert_eq!(os.open(6, "S:", [12, 3]), 1);
}

/// The text of a picture is read as ANTIC fetches it: 32, 40 or 48 cells a row by DMACTL, and of a scrolled row the middle of 48.
#[test]
fn displayed_text_has_the_width_of_the_playfield() {
    let mut machine = Machine::new(&tests::config(Model::Xl800, Tv::Ntsc, true)).unwrap();
    (0..200).for_each(|_| machine.run_frame());
    let screen = machine.peek_word(0x58);
    for cell in 0..960 {
        machine.poke(screen + cell, (cell % 250) as u8);
    }
    let cells = |from: usize, count: usize| -> Vec<u8> {
        (from..from + count)
            .map(|cell| (cell % 250) as u8)
            .collect()
    };
    machine.poke(0x02F0, 1);
    for (dmactl, count) in [(0x21, 32), (0x22, 40), (0x23, 48)] {
        machine.poke(0x022F, dmactl);
        (0..2).for_each(|_| machine.run_frame());
        let rows = machine.displayed_text().rows;
        assert_eq!(rows[0], cells(0, count), "{dmactl:02X}");
        assert_eq!(rows[2], cells(2 * count, count), "{dmactl:02X}");
    }
    // The fifth row scrolls: 48 cells are fetched, and the next row begins after them.
    machine.poke(0x022F, 0x22);
    let list = machine.peek_word(0x0230);
    machine.poke(list + 9, 0x12);
    (0..2).for_each(|_| machine.run_frame());
    let rows = machine.displayed_text().rows;
    assert_eq!(rows[4], cells(4 * 40 + 4, 40));
    assert_eq!(rows[5], cells(4 * 40 + 48, 40));
}
