//! The screen editor E: control codes, logical lines, line input.

use machine::{Model, Tv};
use tests::calls::{Os, Registers};

const CLEAR: u8 = 0x7D;
const UP: u8 = 0x1C;
const DOWN: u8 = 0x1D;
const LEFT: u8 = 0x1E;
const RIGHT: u8 = 0x1F;
const BACKSPACE: u8 = 0x7E;
const TAB: u8 = 0x7F;
const DELETE_LINE: u8 = 0x9C;
const INSERT_LINE: u8 = 0x9D;
const CLEAR_TAB: u8 = 0x9E;
const SET_TAB: u8 = 0x9F;
const DELETE: u8 = 0xFE;
const INSERT: u8 = 0xFF;

fn os() -> Os {
    let mut os = Os::new(&tests::config(Model::Xl800, Tv::Ntsc, false));
    os.poke(0x02DB, &[255]); // NOCLIK
    os.put(0, CLEAR);
    os
}

/// A row of the screen as ATASCII, the cursor's cell as what is below it, without blanks at the end.
fn row(os: &Os, row: u16) -> String {
    let address = os.word(0x58) + row * 40;
    let cursor = os.word(0x5E);
    let text: String = (address..address + 40)
        .map(|a| {
            let code = if a == cursor {
                os.peek(0x5D)
            } else {
                os.peek(a)
            };
            let ascii = match code & 0x7F {
                c @ 0x00..=0x3F => c + 0x20,
                c @ 0x40..=0x5F => c - 0x40,
                c => c,
            };
            char::from(ascii | code & 0x80)
        })
        .collect();
    text.trim_end().to_owned()
}

fn cursor(os: &Os) -> (u8, u16) {
    (os.peek(0x54), os.word(0x55))
}

fn map(os: &Os) -> [u8; 3] {
    [os.peek(0x02B2), os.peek(0x02B3), os.peek(0x02B4)]
}

#[test]
fn text_past_the_right_margin_continues_the_logical_line_up_to_three_rows() {
    let mut os = os();
    os.print(0, &[b'='; 38]);
    assert_eq!((cursor(&os), map(&os)), ((1, 2), [0xBF, 0xFF, 0xFF]));
    os.print(0, &[b'='; 76]);
    assert_eq!((cursor(&os), map(&os)), ((3, 2), [0x9F, 0xFF, 0xFF]));
    os.print(0, b"X\nY");
    assert_eq!((row(&os, 3).as_str(), row(&os, 4).as_str()), ("  X", "  Y"));
}

/// A right margin beyond the screen is its last column: the text continues in the next row, and at the bottom the screen scrolls.
#[test]
fn a_right_margin_beyond_the_screen_ends_at_its_last_column() {
    for model in [Model::Xl800, Model::Atari800] {
        for margin in [40, 60, 255] {
            let mut os = Os::new(&tests::config(model, Tv::Ntsc, false));
            os.put(0, CLEAR);
            os.poke(0x53, &[margin]);
            os.position(2, 23);
            let text: Vec<u8> = (0..50).map(|i| b'A' + i % 26).collect();
            os.print(0, &text);
            assert_eq!(
                row(&os, 22),
                format!("  {}", String::from_utf8_lossy(&text[..38]))
            );
            assert_eq!(
                row(&os, 23),
                format!("  {}", String::from_utf8_lossy(&text[38..]))
            );
            assert_eq!(cursor(&os), (23, 14));
            // The line is read as it stands.
            os.position(2, 22);
            os.poke(0x2A, &[0x0D]);
            os.poke(0x034A, &[0x0D]);
            let line: Vec<u8> = (0..51).map(|_| os.get(0).1).collect();
            assert_eq!(line, [&text[..], &[0x9B]].concat());
            // And the cursor wraps within the screen.
            os.poke(0x034A, &[0x0C]);
            os.position(2, 10);
            os.print(0, &[LEFT, b'#']);
            assert_eq!(row(&os, 10).chars().nth(39), Some('#'));
            // DOS II+/D has a margin of 69: its banner wraps by a TAB and a RIGHT, and ends before the number that stands there.
            os.position(33, 12);
            os.print(0, b"0010 \x7F");
            os.print(0, &[0x1F]);
            os.print(0, b"DOS");
            assert_eq!(row(&os, 12).trim_end(), format!("  DOS{:28}0010", ""));
        }
    }
}

#[test]
fn extending_a_line_pushes_the_rows_below_down() {
    let mut os = os();
    os.print(0, b"A\nB\nC\n");
    os.position(2, 1);
    os.print(0, &[b'*'; 39]);
    assert_eq!(
        [row(&os, 0), row(&os, 2), row(&os, 3)],
        ["  A", "  *", "  C"]
    );
    assert_eq!(map(&os), [0xDF, 0xFF, 0xFF]);
}

#[test]
fn scrolling_takes_the_whole_logical_line_at_the_top() {
    let mut os = os();
    os.print(0, &[b'1'; 80]);
    for _ in 0..21 {
        os.print(0, b"\n.");
    }
    assert_eq!(cursor(&os), (23, 3));
    os.print(0, b"\nEND");
    assert_eq!(cursor(&os), (21, 5));
    assert_eq!(
        (row(&os, 0), row(&os, 21), row(&os, 22)),
        ("  .".into(), "  END".into(), String::new())
    );
    assert_eq!(map(&os), [0xFF, 0xFF, 0xFF]);
}

#[test]
fn the_cursor_wraps_within_margins_and_screen() {
    let mut os = os();
    os.print(0, &[UP]);
    assert_eq!(cursor(&os), (23, 2));
    os.print(0, &[DOWN, LEFT]);
    assert_eq!(cursor(&os), (0, 39));
    os.print(0, &[RIGHT]);
    assert_eq!(cursor(&os), (0, 2));
    os.poke(0x52, &[10, 20]);
    os.print(0, &[LEFT]);
    assert_eq!(cursor(&os).1, 20);
    os.print(0, &[RIGHT]);
    assert_eq!(cursor(&os).1, 10);
}

#[test]
fn the_cursor_cell_is_inverse_unless_inhibited() {
    let mut os = os();
    os.print(0, b"A");
    let cell = os.word(0x58) + 3;
    assert_eq!(
        (os.peek(cell), os.peek(0x5D), os.word(0x5E)),
        (0x80, 0, cell)
    );
    os.poke(0x02F0, &[1]);
    os.print(0, &[LEFT]);
    assert_eq!((os.peek(cell), os.peek(cell - 1)), (0, 0x21));
}

#[test]
fn characters_are_inserted_and_deleted_through_the_logical_line() {
    let mut os = os();
    let text: Vec<u8> = (0..60).map(|i| b'A' + i % 26).collect();
    os.print(0, &text);
    os.position(2, 0);
    os.print(0, &[INSERT, INSERT]);
    assert_eq!(
        row(&os, 0),
        format!("    {}", std::str::from_utf8(&text[..36]).unwrap())
    );
    assert_eq!(
        row(&os, 1),
        format!("  {}", std::str::from_utf8(&text[36..]).unwrap())
    );
    os.print(0, &[DELETE; 4]);
    assert_eq!(
        row(&os, 0),
        format!("  {}", std::str::from_utf8(&text[2..40]).unwrap())
    );
    assert_eq!(cursor(&os), (0, 2));
}

#[test]
fn insertion_that_fills_the_line_opens_a_row_and_deletion_gives_it_back() {
    let mut os = os();
    os.print(0, &[b'*'; 37]);
    os.print(0, b"\nNEXT\n");
    os.position(2, 0);
    os.print(0, &[INSERT]);
    assert_eq!((row(&os, 1).as_str(), row(&os, 2).as_str()), ("", "  NEXT"));
    assert_eq!(map(&os), [0xBF, 0xFF, 0xFF]);
    os.print(0, &[INSERT]);
    assert_eq!(row(&os, 1), "  *");
    os.print(0, &[DELETE]);
    assert_eq!(
        (row(&os, 1).as_str(), map(&os)),
        ("  NEXT", [0xFF, 0xFF, 0xFF])
    );
}

#[test]
fn backspace_stops_at_the_start_of_the_logical_line() {
    let mut os = os();
    os.print(0, b"TOP\n");
    os.print(0, &[b'X'; 39]);
    os.print(0, &[BACKSPACE; 3]);
    assert_eq!((cursor(&os), row(&os, 1).len()), ((1, 38), 38));
    os.print(0, &[BACKSPACE; 50]);
    assert_eq!(
        (cursor(&os), row(&os, 0), row(&os, 1)),
        ((1, 2), "  TOP".into(), String::new())
    );
}

#[test]
fn lines_are_inserted_and_deleted() {
    let mut os = os();
    os.print(0, b"A\nB\nC\nD\n");
    os.position(9, 1);
    os.print(0, &[INSERT_LINE]);
    assert_eq!(cursor(&os), (1, 2));
    assert_eq!(
        [row(&os, 0), row(&os, 1), row(&os, 2), row(&os, 4)],
        ["  A", "", "  B", "  D"]
    );
    os.position(9, 2);
    os.print(0, &[DELETE_LINE]);
    assert_eq!([row(&os, 1), row(&os, 2), row(&os, 3)], ["", "  C", "  D"]);
    // All rows of a logical line go at once.
    os.put(0, CLEAR);
    os.print(0, &[b'*'; 90]);
    os.print(0, b"\nEND");
    os.position(5, 1);
    os.print(0, &[DELETE_LINE]);
    assert_eq!((cursor(&os), row(&os, 0).as_str()), ((0, 2), "  END"));
}

#[test]
fn tab_stops_count_columns_of_the_logical_line() {
    let mut os = os();
    os.print(0, &[TAB]);
    assert_eq!(cursor(&os), (0, 7));
    os.print(0, &[TAB, CLEAR_TAB, b'\n', TAB, TAB]);
    assert_eq!(cursor(&os), (1, 23));
    os.position(11, 2);
    os.print(0, &[SET_TAB, b'\n', TAB, TAB]);
    assert_eq!(cursor(&os), (3, 11));
    assert_eq!((os.peek(0x02A3), os.peek(0x02A4)), (0x01, 0x10));
    os.print(0, &[TAB, TAB, TAB, b'!', TAB]);
    assert_eq!(
        (cursor(&os), os.peek(0x63)),
        ((4, 7), 47),
        "on in the next row"
    );
}

#[test]
fn escape_and_dspflg_show_control_codes() {
    let mut os = os();
    os.print(0, &[0x1B, CLEAR, 0x1B, 0x1B, b'A']);
    assert_eq!(row(&os, 0), "  \u{7D}\u{1B}A");
    os.poke(0x02FE, &[1]);
    os.print(0, &[UP, TAB, b'\n']);
    assert_eq!(row(&os, 0), "  \u{7D}\u{1B}A\u{1C}\u{7F}");
    assert_eq!(cursor(&os), (1, 2), "EOL always acts");
}

#[test]
fn a_cursor_outside_the_screen_gives_141_and_goes_home() {
    let mut os = os();
    os.position(45, 3);
    assert_eq!(os.put(0, b'A'), 141);
    assert_eq!(cursor(&os), (0, 2));
    os.position(2, 24);
    assert_eq!(os.put(0, b'A'), 141);
    assert_eq!(os.put(0, b'A'), 1);
}

#[test]
fn forced_read_takes_the_logical_line_at_the_cursor() {
    let mut os = os();
    os.print(0, b"\nFIRST LINE  \nSECOND\n");
    os.position(2, 1);
    assert_eq!(os.cio(0, 5, 0x4000, 80, [13, 0]).0, 1);
    let got: Vec<u8> = (0..os.word(0x0348)).map(|i| os.peek(0x4000 + i)).collect();
    assert_eq!(got, b"FIRST LINE\x9b");
    assert_eq!(cursor(&os), (2, 2));
    assert_eq!(os.cio(0, 5, 0x4000, 80, [13, 0]).0, 1);
    assert_eq!((os.word(0x0348), os.peek(0x4000)), (7, b'S'));
    assert_eq!(os.cio(0, 5, 0x4000, 80, [13, 0]).0, 1);
    assert_eq!(
        (os.word(0x0348), os.peek(0x4000)),
        (1, 0x9B),
        "an empty line is an EOL alone"
    );
}

#[test]
fn a_long_logical_line_is_read_whole() {
    let mut os = os();
    let text: Vec<u8> = (0..110).map(|i| b'A' + i % 26).collect();
    os.print(0, &text);
    os.position(2, 0);
    assert_eq!(os.cio(0, 5, 0x4000, 200, [13, 0]).0, 1);
    let got: Vec<u8> = (0..110).map(|i| os.peek(0x4000 + i)).collect();
    assert_eq!((os.word(0x0348), got), (111, text));
    assert_eq!(cursor(&os), (3, 2));
}

/// Starts a GET RECORD on the editor and types key codes into it.
fn type_line(os: &mut Os, codes: &[u8]) -> String {
    os.poke(0x0342, &[5]);
    os.poke(0x0344, &0x4000u16.to_le_bytes());
    os.poke(0x0348, &120u16.to_le_bytes());
    os.poke(0x034A, &[12]);
    assert!(os.try_call(0xE456, Registers::default(), 3).is_none());
    for &code in codes {
        os.poke(0x02FC, &[code]);
        os.run(6);
    }
    (0..os.word(0x0348) - 1)
        .map(|i| char::from(os.peek(0x4000 + i)))
        .collect()
}

const RETURN: u8 = 0x0C;
const KEY_A: u8 = 0x3F;
const KEY_B: u8 = 0x15;
const KEY_UP: u8 = 0x8E;
const KEY_DOWN: u8 = 0x8F;

#[test]
fn a_prompt_is_not_read_but_is_when_the_cursor_has_left_its_line() {
    let mut os = os();
    os.print(0, b"\nNAME");
    assert_eq!(type_line(&mut os, &[KEY_A, KEY_B, RETURN]), "AB");
    os.print(0, b"NAME");
    assert_eq!(
        type_line(&mut os, &[KEY_A, KEY_UP, KEY_DOWN, RETURN]),
        "NAMEA"
    );
}

/// A small generator of numbers that look random.
fn next(state: &mut u32) -> u32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *state >> 8
}

#[test]
fn any_text_leaves_the_cursor_on_the_screen_and_the_memory_below_alone() {
    let mut os = os();
    let list = os.word(0x0230);
    os.poke(0x1000, &vec![0xA7; usize::from(list - 0x1000)]);
    let mut state = 12345;
    for round in 0..6000 {
        if round % 50 == 0 {
            let left = next(&mut state) as u8 % 30;
            let right = left + next(&mut state) as u8 % (40 - left);
            os.poke(0x52, &[left, right]);
            if round % 100 == 0 {
                os.position(u16::from(left), next(&mut state) as u8 % 24);
            }
        }
        let byte = match next(&mut state) % 4 {
            0 | 1 => b'A' + (next(&mut state) % 26) as u8,
            2 => [
                UP,
                DOWN,
                LEFT,
                RIGHT,
                INSERT,
                DELETE,
                BACKSPACE,
                TAB,
                0x9B,
                INSERT_LINE,
                DELETE_LINE,
                SET_TAB,
                CLEAR_TAB,
            ][(next(&mut state) % 13) as usize],
            _ => next(&mut state) as u8,
        };
        if byte == 0xFD || byte == CLEAR {
            continue; // the bell only takes time
        }
        assert_eq!(os.put(0, byte), 1, "byte {byte} in round {round}");
        let (row, column) = cursor(&os);
        assert!(
            row < 24 && column < 40,
            "byte {byte} in round {round}: {row}, {column}"
        );
        assert!(
            os.peek(0x02B2) & 0x80 != 0 || row > 0,
            "row 0 starts a line"
        );
    }
    for address in 0x1000..list {
        assert_eq!(os.peek(address), 0xA7, "${address:04X}");
    }
}

#[test]
fn senseless_margins_do_not_stop_the_editor() {
    let mut os = os();
    for (left, right) in [(30, 5), (0, 0), (39, 39), (5, 255), (200, 3), (39, 0)] {
        os.position(2, 2);
        os.poke(0x52, &[left, right]);
        for byte in [
            b'A',
            b'B',
            TAB,
            0x9B,
            INSERT,
            DELETE,
            BACKSPACE,
            LEFT,
            RIGHT,
            b'C',
            DELETE_LINE,
            INSERT_LINE,
        ] {
            os.put(0, byte);
        }
    }
    os.poke(0x52, &[2, 39]);
    os.put(0, CLEAR);
    os.print(0, b"FINE");
    assert_eq!(row(&os, 0), "  FINE");
}

#[test]
fn function_keys_move_the_cursor_while_a_line_is_typed() {
    let mut os = os();
    os.poke(0x52, &[4, 30]);
    os.position(10, 5);
    // Up, down, left, right; with SHIFT: home, bottom left, left margin, right margin.
    for (code, at) in [
        (0x03, (4, 10)),
        (0x04, (5, 10)),
        (0x13, (5, 9)),
        (0x14, (5, 10)),
        (0x43, (0, 4)),
        (0x44, (23, 4)),
        (0x54, (23, 30)),
        (0x53, (23, 4)),
    ] {
        type_keys(&mut os, code);
        assert_eq!(cursor(&os), at, "key {code:02X}");
    }
    os.position(10, 0);
    os.print(0, b"ROW");
    // On another logical line the input begins at the margin.
    assert_eq!(
        type_line(&mut os, &[KEY_A, 0x04, KEY_B, 0x53, KEY_A, RETURN]),
        "A         B"
    );
}

/// Types one key into a GET RECORD that is not finished.
fn type_keys(os: &mut Os, code: u8) {
    os.poke(0x0342, &[5]);
    os.poke(0x0344, &0x4000u16.to_le_bytes());
    os.poke(0x0348, &120u16.to_le_bytes());
    os.poke(0x034A, &[12]);
    let mut trial = os.clone();
    assert!(trial.try_call(0xE456, Registers::default(), 3).is_none());
    trial.poke(0x02FC, &[code]);
    trial.run(6);
    for address in [0x54, 0x55, 0x5D, 0x5E, 0x5F, 0x63] {
        let byte = trial.peek(address);
        os.poke(address, &[byte]);
    }
}
