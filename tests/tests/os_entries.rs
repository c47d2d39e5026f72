//! The places inside the OS that programs call although no jump table names them, each with its contract.
//!
//! Addresses and contracts come from public documents of the demo scene, from memory maps, and from what public programs do; the list is in
//! `roms/os/README.md`.
use machine::{Model, Tv};
use tests::calls::{Os, Registers};

const ICCOMZ: u16 = 0x22;
const ICAX1Z: u16 = 0x2A;
const ICAX2Z: u16 = 0x2B;
const ROWCRS: u16 = 0x54;
const DINDEX: u16 = 0x57;
const SAVMSC: u16 = 0x58;
const OLDROW: u16 = 0x5A;
const ADRESS: u16 = 0x64;
const SHFAMT: u16 = 0x6F;
const SDLST: u16 = 0x0230;
const DMASK: u16 = 0x02A0;
const FILFLG: u16 = 0x02B7;
const BOTSCR: u16 = 0x02BF;
const MEMTOP: u16 = 0x02E5;
const ATACHR: u16 = 0x02FB;
const CH: u16 = 0x02FC;
const FILDAT: u16 = 0x02FD;

/// Columns, rows, rows above a text window, pixels in a byte.
const MODES: [(u16, u8, u8, u8); 16] = [
    (40, 24, 24, 1),
    (20, 24, 20, 1),
    (20, 12, 10, 1),
    (40, 24, 20, 4),
    (80, 48, 40, 8),
    (80, 48, 40, 4),
    (160, 96, 80, 8),
    (160, 96, 80, 4),
    (320, 192, 160, 8),
    (80, 192, 192, 2),
    (80, 192, 192, 2),
    (80, 192, 192, 2),
    (40, 24, 20, 1),
    (40, 12, 10, 1),
    (160, 192, 160, 8),
    (160, 192, 160, 4),
];

/// The entries of one OS.
struct Entries {
    model: Model,
    modes: u8,
    screen_open: u16,
    editor_open: u16,
    screen_get: u16,
    screen_put: u16,
    screen_special: u16,
    editor_get: u16,
    editor_put: u16,
    key_get: u16,
}

const XL: Entries = Entries {
    model: Model::Xl800,
    modes: 16,
    screen_open: 0xEF8E,
    editor_open: 0xEF94,
    screen_get: 0xF180,
    screen_put: 0xF1A4,
    screen_special: 0xF9AF,
    editor_get: 0xF24A,
    editor_put: 0xF2B0,
    key_get: 0xF2FD,
};

const OLD: Entries = Entries {
    model: Model::Atari800,
    modes: 12,
    screen_open: 0xF3F6,
    editor_open: 0xF3FC,
    screen_get: 0xF593,
    screen_put: 0xF5B7,
    screen_special: 0xFCFC,
    editor_get: 0xF63E,
    editor_put: 0xF6A4,
    key_get: 0xF6E2,
};

// Only the XL's.
const OPEN_MODE: u16 = 0xEF9C;
const LOCATE: u16 = 0xF18F;
const PLOT: u16 = 0xF1D8;
const CLEAR: u16 = 0xF420;
const PIXEL_ADDRESS: u16 = 0xF5AC;
const DRAW_OR_FILL: u16 = 0xF9BF;
const DRAW: u16 = 0xF9C2;
const DRAW_TO_ROW: u16 = 0xF9C4;
const PLOT_A: u16 = 0xF1DB;
const SCREEN_ADDRESS: u16 = 0xF9A6;
const SUBTRACT: u16 = 0xF57A;
const NEW_KEY: u16 = 0xF2F8;
const RASTER: u16 = 0xED8A;
const SELF_TEST: u16 = 0xC8FC;
const PRINT_LINE: u16 = 0xC642;
const BEEP: u16 = 0xFDFC;

/// The overflow flag. Size-coded programs end a loop with BVC: the entries that they call leave it clear.
const V: u8 = 0x40;

fn os(model: Model) -> Os {
    Os::new(&tests::config(model, Tv::Ntsc, false))
}

fn with_a(a: u8) -> Registers {
    Registers {
        a,
        x: 0x60,
        y: 0x92,
        p: 0,
    }
}

/// Opens S: on IOCB 6 the official way.
fn opened(model: Model, mode: u8, aux1: u8) -> Os {
    let mut os = os(model);
    assert_eq!(os.open(6, "S:", [aux1, mode]), 1);
    os
}

/// The state after an open: cursor and mode, display list, MEMTOP, shadows, the split, and the memory from MEMTOP to the top of RAM.
fn picture(os: &Os) -> Vec<u8> {
    let mut ranges = vec![
        (ROWCRS, 12),
        (SDLST, 2),
        (0x022F, 1),
        (0x026F, 1),
        (0x0290, 12),
        (BOTSCR, 1),
        (0x02C4, 5),
        (0x02F3, 2),
        (MEMTOP, 2),
    ];
    let top = os.word(MEMTOP).wrapping_add(1);
    ranges.push((top, 0xC000 - top));
    ranges
        .iter()
        .flat_map(|&(at, length)| (0..length).map(move |i| at + i))
        .map(|at| os.peek(at))
        .collect()
}

#[test]
fn the_handler_tables_point_to_the_entries() {
    for entries in [XL, OLD] {
        let os = os(entries.model);
        for (table, address) in [
            (0xE400, entries.editor_open),
            (0xE404, entries.editor_get),
            (0xE406, entries.editor_put),
            (0xE410, entries.screen_open),
            (0xE414, entries.screen_get),
            (0xE416, entries.screen_put),
            (0xE41A, entries.screen_special),
            (0xE424, entries.key_get),
        ] {
            assert_eq!(
                os.word(table) + 1,
                address,
                "${table:04X} {:?}",
                entries.model
            );
        }
    }
}

/// Public intros continue with what it leaves in the registers.
#[test]
fn open_mode_leaves_zero_the_mode_and_one() {
    let mut os = os(Model::Xl800);
    for mode in 0..16 {
        let after = os.call(OPEN_MODE, with_a(mode));
        assert_eq!((after.a, after.x, after.y), (0, mode, 1), "mode {mode}");
    }
}

/// S: and E: open with only ICAX1Z and ICAX2Z set, as programs jump through the tables.
#[test]
fn the_open_entries_open_what_an_iocb_would() {
    for entries in [XL, OLD] {
        for mode in 0..entries.modes {
            for aux1 in [0x0C, 0x1C] {
                let want = picture(&opened(entries.model, mode, aux1));
                let mut os = os(entries.model);
                os.poke(ICAX1Z, &[aux1, mode]);
                assert_eq!(os.call(entries.screen_open, with_a(0x55)).y, 1);
                assert_eq!(picture(&os), want, "mode {mode} {aux1:02X}");
                if mode != 0 {
                    os.poke(ICAX1Z, &[aux1, mode]);
                    assert_eq!(os.call(entries.editor_open, with_a(0x55)).y, 1);
                    assert_eq!(os.peek(DINDEX), 0);
                }
            }
        }
    }
    // A mode that the 400 and 800 do not have.
    let mut os = os(Model::Atari800);
    os.poke(ICAX1Z, &[0x0C, 12]);
    assert_eq!(os.call(OLD.screen_open, with_a(0)).y, 145);
}

#[test]
fn open_mode_takes_the_mode_in_a() {
    for mode in 0..16 {
        for aux1 in [0x04, 0x0C, 0x14, 0x1C] {
            let want = picture(&opened(Model::Xl800, mode, aux1));
            for (entry, name) in [
                (OPEN_MODE, "open mode"),
                (XL.screen_open + 2, "S: open + 2"),
            ] {
                let mut os = os(Model::Xl800);
                os.poke(ICAX1Z, &[aux1, 0x77]);
                let after = os.call(entry, with_a(mode));
                assert_eq!(after.y, 1, "{name} {mode}");
                assert_eq!(os.peek(ICAX2Z), mode);
                assert_eq!(os.peek(ICAX1Z), aux1);
                assert_eq!(picture(&os), want, "{name} {mode} {aux1:02X}");
            }
        }
        if mode < OLD.modes {
            for aux1 in [0x0C, 0x1C] {
                let want = picture(&opened(OLD.model, mode, aux1));
                let mut os = os(OLD.model);
                os.poke(ICAX1Z, &[aux1, 0x77]);
                assert_eq!(os.call(OLD.screen_open + 2, with_a(mode)).y, 1);
                assert_eq!(picture(&os), want, "the 800's S: open + 2, {mode}");
            }
        }
        // Bit 5: the memory stays.
        let mut os = os(Model::Xl800);
        os.poke(0x9F00, &[0xA5; 16]);
        os.poke(0xBF90, &[0xA5; 16]);
        os.poke(ICAX1Z, &[0x2C]);
        assert_eq!(os.call(OPEN_MODE, with_a(mode)).y, 1);
        assert_eq!(os.peek(0xBF90), 0xA5, "mode {mode}");
    }
}

/// A point of each mode near all four corners and one in the middle.
fn points(mode: usize) -> Vec<(u16, u8)> {
    let (columns, rows, ..) = MODES[mode];
    vec![
        (0, 0),
        (columns - 1, 0),
        (0, rows - 1),
        (columns - 1, rows - 1),
        (columns / 2 + 1, rows / 2),
    ]
}

#[test]
fn plot_and_locate_work_in_all_modes_and_leave_the_cursor() {
    for mode in 0..16u8 {
        for (column, row) in points(mode.into()) {
            if mode == 0 && row == 23 {
                continue; // PUT in the last cell scrolls
            }
            let value = if MODES[usize::from(mode)].3 == 1 {
                0x41
            } else {
                1
            };
            // The official way.
            let mut want = opened(Model::Xl800, mode, 0x0C);
            want.position(column, row);
            assert_eq!(want.put(6, value), 1);
            let mut os = opened(Model::Xl800, mode, 0x0C);
            os.position(column, row);
            os.poke(ATACHR, &[value]);
            os.call(PLOT, with_a(0xEE));
            let memory = |os: &Os| -> Vec<u8> {
                let top = os.word(SAVMSC);
                (top..0xC000).map(|at| os.peek(at)).collect()
            };
            let (mut a, mut b) = (memory(&os), memory(&want));
            if mode == 0 {
                // PUT shows its cursor, one cell on.
                for memory in [&mut a, &mut b] {
                    for cell in memory.iter_mut() {
                        *cell &= 0x7F;
                    }
                }
            }
            assert!(a == b, "mode {mode} at {column}, {row}");
            assert_eq!((os.word(0x55), os.peek(ROWCRS)), (column, row));
            // Back again.
            let after = os.call(LOCATE, with_a(0));
            assert_eq!(after.a, value, "mode {mode}");
            assert_eq!(after.p & 0x82, 0, "N and Z are A's");
            assert_eq!((os.word(0x55), os.peek(ROWCRS)), (column, row));
            os.poke(ATACHR, &[0]);
            os.call(PLOT, with_a(0xEE));
            if MODES[usize::from(mode)].3 != 1 {
                let after = os.call(LOCATE, with_a(0xFF));
                assert_eq!((after.a, after.p & 0x82), (0, 2));
            }
        }
    }
    // An inverse character sets N.
    let mut os = opened(Model::Xl800, 0, 0x0C);
    os.position(7, 9);
    os.poke(ATACHR, &[0xC1]);
    os.call(PLOT, with_a(0));
    let after = os.call(LOCATE, with_a(0));
    assert_eq!((after.a, after.p & 0x82), (0xC1, 0x80));
}

#[test]
fn screen_put_and_get_move_the_cursor_on() {
    for entries in [XL, OLD] {
        for mode in 1..entries.modes {
            for aux1 in [0x0C, 0x1C] {
                let mut os = opened(entries.model, mode, aux1);
                let (columns, ..) = MODES[usize::from(mode)];
                os.position(columns - 1, 3);
                assert_eq!(os.call(entries.screen_put, with_a(1)).y, 1);
                assert_eq!((os.word(0x55), os.peek(ROWCRS)), (0, 4));
                assert_eq!((os.word(OLDROW + 1), os.peek(OLDROW)), (columns - 1, 3));
                os.position(columns - 1, 3);
                let after = os.call(entries.screen_get, with_a(0));
                assert_eq!((after.a, after.y), (1, 1), "mode {mode}");
                assert_eq!((os.word(0x55), os.peek(ROWCRS)), (0, 4));
                // Outside.
                os.position(columns, 3);
                assert_eq!(os.call(entries.screen_get, with_a(0)).y, 141);
                assert_eq!(os.call(entries.screen_put, with_a(1)).y, 141);
                // $7D clears.
                os.position(5, 5);
                os.call(entries.screen_put, with_a(1));
                assert_eq!(os.call(entries.screen_put, with_a(0x7D)).y, 1);
                let screen = os.word(SAVMSC);
                let top = u16::from(os.peek(0x6A)) << 8;
                assert!((screen..top).all(|at| os.peek(at) == 0));
            }
        }
    }
}

/// A line from `from` to `to` by XIO 17 or 18.
fn line(os: &mut Os, special: u8, from: (u16, u8), to: (u16, u8)) {
    os.poke(OLDROW, &[from.1, from.0 as u8, (from.0 >> 8) as u8]);
    os.position(to.0, to.1);
    let aux = [os.peek(0x03AA), os.peek(0x03AB)];
    assert_eq!(os.cio(6, special, 0, 0, aux).0, 1);
}

#[test]
fn draw_goes_from_the_old_to_the_new_cursor() {
    for mode in 1..16u8 {
        let (columns, rows, ..) = MODES[usize::from(mode)];
        let value = if MODES[usize::from(mode)].3 == 1 {
            0x41
        } else {
            1
        };
        for (from, to) in [
            ((0, 0), (columns - 1, rows - 1)),
            ((columns - 1, 2), (3, rows - 2)),
            ((5, 5), (5, 5)),
        ] {
            let mut want = opened(Model::Xl800, mode, 0x0C);
            want.poke(ATACHR, &[value]);
            line(&mut want, 17, from, to);
            let want = picture(&want);
            for entry in [DRAW, DRAW_TO_ROW, DRAW_OR_FILL, XL.screen_special] {
                let mut os = opened(Model::Xl800, mode, 0x0C);
                os.poke(ATACHR, &[value]);
                os.poke(OLDROW, &[from.1, from.0 as u8, (from.0 >> 8) as u8]);
                os.position(to.0, to.1);
                os.poke(FILFLG, &[0]);
                os.poke(ICCOMZ, &[17]);
                let mut registers = with_a(0x33);
                registers.x = 0;
                if entry == DRAW_TO_ROW {
                    registers.a = to.1;
                    os.poke(ROWCRS, &[from.1]);
                }
                let after = os.call(entry, registers);
                assert_eq!(after.y, 1);
                assert_eq!(after.p & V, 0, "programs branch on V clear");
                assert!(picture(&os) == want, "${entry:04X}, mode {mode}");
            }
        }
    }
}

#[test]
fn fill_is_draw_with_filflg() {
    let scene = || {
        let mut os = opened(Model::Xl800, 7, 0x1C);
        os.poke(ATACHR, &[1]);
        line(&mut os, 17, (100, 5), (100, 60));
        os.poke(FILDAT, &[2]);
        os.poke(OLDROW, &[5, 20, 0]);
        os.position(30, 60);
        os.poke(ATACHR, &[3]);
        os
    };
    let mut want = scene();
    assert_eq!(want.cio(6, 18, 0, 0, [0x1C, 7]).0, 1);
    let want = picture(&want);
    for (entry, x, flag) in [
        (DRAW, 0, 1),
        (DRAW_TO_ROW, 0, 1),
        (DRAW_OR_FILL, 1, 0),
        (XL.screen_special, 0, 0),
    ] {
        let mut os = scene();
        os.poke(FILFLG, &[flag]);
        os.poke(ICCOMZ, &[18]);
        let mut registers = with_a(60);
        registers.x = x;
        assert_eq!(os.call(entry, registers).y, 1);
        assert!(picture(&os) == want, "${entry:04X}");
        assert_ne!(os.peek(FILFLG), 0);
    }
    // The 400 and 800: the same through S: special.
    let mut os = opened(Model::Atari800, 7, 0x1C);
    os.poke(ATACHR, &[1]);
    os.poke(OLDROW, &[0, 0, 0]);
    os.position(50, 50);
    os.poke(ICCOMZ, &[17]);
    assert_eq!(os.call(OLD.screen_special, with_a(0)).y, 1);
    assert_eq!(os.peek(os.word(SAVMSC) + 50 * 40 + 12) & 0x0C, 4);
    os.poke(ICCOMZ, &[19]);
    assert_eq!(os.call(OLD.screen_special, with_a(0)).y, 146);
}

#[test]
fn a_pixel_has_its_address_and_masks() {
    for mode in 0..16u8 {
        for aux1 in [0x0C, 0x1C] {
            let mut os = opened(Model::Xl800, mode, aux1);
            let (columns, _, _, per_byte) = MODES[usize::from(mode)];
            for (column, row) in points(mode.into()) {
                os.position(column, row);
                os.call(PIXEL_ADDRESS, with_a(0));
                let per_row = columns / u16::from(per_byte);
                let at = os.word(SAVMSC) + u16::from(row) * per_row + column / u16::from(per_byte);
                assert_eq!(os.word(ADRESS), at, "mode {mode} at {column}, {row}");
                let bits = 8 / per_byte;
                let shift = bits * (per_byte - 1 - (column % u16::from(per_byte)) as u8);
                let mask = (0xFFu16 >> (8 - bits)) << shift;
                assert_eq!(
                    (os.peek(SHFAMT), os.peek(DMASK)),
                    (shift, mask as u8),
                    "mode {mode}"
                );
            }
        }
    }
}

#[test]
fn clear_zeroes_the_screen_and_homes_the_cursor() {
    for mode in 0..16u8 {
        for aux1 in [0x0C, 0x1C] {
            let mut os = opened(Model::Xl800, mode, aux1);
            let screen = os.word(SAVMSC);
            let list = os.word(SDLST);
            let top = u16::from(os.peek(0x6A)) << 8;
            let before: Vec<u8> = (list..screen).map(|at| os.peek(at)).collect();
            for at in screen..top {
                os.poke(at, &[0x5A]);
            }
            os.position(7, 9);
            os.call(CLEAR, with_a(0x55));
            assert!(
                (screen..top).all(|at| os.peek(at) == 0),
                "mode {mode} {aux1:02X}"
            );
            assert_eq!(
                before,
                (list..screen).map(|at| os.peek(at)).collect::<Vec<_>>()
            );
            let home = if mode == 0 { 2 } else { 0 };
            assert_eq!((os.word(0x55), os.peek(ROWCRS)), (home, 0));
            // Nothing comes back with the next character.
            if mode == 0 {
                os.print(0, b"A");
                assert_eq!(os.peek(screen + 2), 0x21);
                assert!((screen + 4..top).all(|at| os.peek(at) == 0));
            }
        }
    }
}

#[test]
fn the_editor_and_the_keyboard_are_called_without_an_iocb() {
    for entries in [XL, OLD] {
        let mut os = os(entries.model);
        os.poke(ICAX1Z, &[0x0C, 0]);
        for byte in *b"AB\x9B" {
            let after = os.call(entries.editor_put, with_a(byte));
            assert_eq!((after.a, after.y), (byte, 1));
        }
        let screen = os.word(SAVMSC);
        assert_eq!([os.peek(screen + 2), os.peek(screen + 3)], [0x21, 0x22]);
        assert_eq!(os.peek(ROWCRS), 1);
        // K: waits for a key and gives its ATASCII.
        os.poke(CH, &[0x3F]);
        let after = os.call(entries.key_get, with_a(0));
        assert_eq!((after.a, after.y, os.peek(CH)), (b'A', 1, 0xFF));
        assert!(
            os.clone()
                .try_call(entries.key_get, with_a(0), 30)
                .is_none(),
            "waits"
        );
        // E: a whole line is typed; the first call gives its first character.
        let mut keys = [0x15u8, 0x12, 0x0C].into_iter();
        let mut give = |machine: &mut machine::Machine| {
            if machine.peek(CH) == 0xFF
                && let Some(key) = keys.next()
            {
                machine.poke(CH, key);
            }
        };
        let first = os
            .try_call_with(entries.editor_get, with_a(0), 600, &mut give)
            .unwrap();
        assert_eq!((first.a, first.y), (b'B', 1));
        assert_eq!(os.call(entries.editor_get, with_a(0)).a, b'C');
        assert_eq!(os.call(entries.editor_get, with_a(0)).a, 0x9B);
        // Forced read: the line on the screen, from the cursor.
        os.position(2, 0);
        os.poke(ICAX1Z, &[0x0D]);
        assert_eq!(os.call(entries.editor_get, with_a(0)).a, b'A');
        assert_eq!(os.call(entries.editor_get, with_a(0)).a, b'B');
        assert_eq!(os.call(entries.editor_get, with_a(0)).a, 0x9B);
    }
}

#[test]
fn print_line_goes_through_the_editor() {
    let mut os = os(Model::Xl800);
    let text = b"A LINE THAT IS LONGER THAN THE SCREEN IS WIDE, MUCH LONGER\x9BNOT THIS";
    os.poke(0x4000, text);
    os.call(
        PRINT_LINE,
        Registers {
            a: 0x99,
            x: 0x00,
            y: 0x40,
            p: 0,
        },
    );
    let screen = os.word(SAVMSC);
    let shown: Vec<u8> = (0..120).map(|i| os.peek(screen + i) & 0x7F).collect();
    let code = |byte: u8| byte - 0x20;
    assert_eq!(shown[2], code(b'A'));
    let row = |range: std::ops::Range<usize>| shown[range].to_vec();
    let letters: Vec<u8> = [row(2..40), row(42..80)].concat();
    assert_eq!(
        letters[..58],
        text[..58].iter().map(|&b| code(b)).collect::<Vec<_>>()
    );
    assert!(letters[58..].iter().all(|&cell| cell == 0));
    assert_eq!((os.word(0x55), os.peek(ROWCRS)), (2, 2));
}

#[test]
fn the_tape_beep_beeps_as_often_as_a_says() {
    let frames = |times: u8| {
        let mut os = os(Model::Xl800);
        let start = os.machine.now();
        assert!(os.try_call(BEEP, with_a(times), 600).is_some());
        (os.machine.now() - start) as f64 / 29_868.0
    };
    let (one, two, three) = (frames(1), frames(2), frames(3));
    assert!((20.0..60.0).contains(&one), "{one} frames");
    assert!((two - 2.0 * one).abs() < 3.0, "{one} {two}");
    assert!((three - 3.0 * one).abs() < 3.0, "{one} {three}");
    let mut os = os(Model::Xl800);
    os.poke(0x11, &[0]);
    let after = os.call(BEEP, with_a(5));
    assert_eq!((after.y, os.peek(0x11)), (128, 0xFF), "BREAK ends it");
}

/// `LSR VVBLKI+1` turns $C0E2 into $60E2, where a program has put its own routine.
#[test]
fn the_vertical_blank_vectors_have_the_values_that_programs_know() {
    let mut os = os(Model::Xl800);
    assert_eq!([os.word(0x0222), os.word(0x0224)], [0xC0E2, 0xC28A]);
    os.poke(0x60E2, &[0xEE, 0x90, 0x06, 0x4C, 0xE2, 0xC0]); // INC $0690; JMP $C0E2
    os.poke(0x4000, &[0x4E, 0x23, 0x02, 0x60]); // LSR $0223; RTS
    os.poke(0x0690, &[0]);
    let clock = os.peek(0x14);
    os.call(0x4000, with_a(0));
    os.run(10);
    let counted = os.peek(0x0690);
    assert!((9..=11).contains(&counted), "{counted} interrupts");
    assert!(os.peek(0x14).wrapping_sub(clock).abs_diff(counted) <= 1);
    // The deferred one by its value.
    os.poke(0x4000, &[0xEE, 0x91, 0x06, 0x4C, 0x8A, 0xC2]); // INC $0691; JMP $C28A
    os.poke(0x0691, &[0]);
    os.call(
        0xE45C,
        Registers {
            a: 7,
            x: 0x40,
            y: 0,
            p: 0,
        },
    );
    os.run(5);
    assert!((4..=6).contains(&os.peek(0x0691)));
}

/// Programs, and the run-time library of a C compiler, tell the 400 and 800 from the XL by this byte.
#[test]
fn the_old_os_has_its_mark() {
    assert_eq!(os(OLD.model).peek(0xFCD8), 0xA2);
    assert_ne!(os(XL.model).peek(0xFCD8), 0xA2);
}

/// A is the row: a program that draws a chain of points does not write ROWCRS.
#[test]
fn f9c4_draws_to_the_row_in_a() {
    let mut want = opened(Model::Xl800, 8, 0x0C);
    want.poke(ATACHR, &[1]);
    line(&mut want, 17, (0, 0), (100, 80));
    // LDA #8; JSR open mode; ATACHR = 1; COLCRS = 100; LDA #80; JSR $F9C4; RTS
    let mut os = os(Model::Xl800);
    os.poke(
        0x4000,
        &[
            0xA9, 8, 0x20, 0x9C, 0xEF, 0xA9, 1, 0x8D, 0xFB, 0x02, 0xA9, 100, 0x85, 0x55, 0xA9, 80,
            0x20, 0xC4, 0xF9, 0x60,
        ],
    );
    os.poke(ICAX1Z, &[0x0C]);
    os.call(0x4000, with_a(0));
    assert!(picture(&os) == picture(&want));
    assert_eq!((os.peek(ROWCRS), os.word(0x55)), (80, 100));
    assert_eq!((os.peek(OLDROW), os.word(OLDROW + 1)), (80, 100));
    // Programs chain lines, and one stores X to COLOR2 for a dark grey.
    os.position(20, 0);
    let after = os.call(DRAW_TO_ROW, with_a(10));
    assert_eq!((after.x, after.y, after.p & 1), (2, 1, 1));
    line(&mut want, 17, (100, 80), (20, 10));
    assert!(picture(&os) == picture(&want));
}

/// The colour or character in A, at the cursor; ATACHR stays.
#[test]
fn f1db_plots_a() {
    for mode in 0..16u8 {
        for (column, row) in points(mode.into()) {
            let value = if MODES[usize::from(mode)].3 == 1 {
                0x41
            } else {
                1
            };
            let mut want = opened(Model::Xl800, mode, 0x0C);
            want.position(column, row);
            want.poke(ATACHR, &[value]);
            let after = want.call(PLOT, with_a(0));
            assert_eq!(after.p & V, 0, "mode {mode}");
            let mut os = opened(Model::Xl800, mode, 0x0C);
            os.position(column, row);
            os.poke(ATACHR, &[0xEE]);
            let after = os.call(PLOT_A, with_a(value));
            assert_eq!(after.p & V, 0, "mode {mode}");
            assert_eq!(after.p & 1, 0, "C, which a program rotates into an address");
            assert_eq!(os.peek(ATACHR), 0xEE);
            assert!(
                picture(&os) == picture(&want),
                "mode {mode} at {column}, {row}"
            );
            let after = os.call(LOCATE, with_a(0));
            assert_eq!((after.a, after.p & (V | 1)), (value, 1), "mode {mode}");
        }
    }
}

#[test]
fn f9a6_leaves_the_screens_address_in_adress_and_its_high_byte_in_a() {
    for mode in 0..16 {
        let mut os = opened(Model::Xl800, mode, 0x0C);
        let mut registers = with_a(0);
        (registers.x, registers.y) = (0x12, 0x34);
        let after = os.call(SCREEN_ADDRESS, registers);
        let screen = os.word(SAVMSC);
        assert_eq!(os.word(ADRESS), screen);
        assert_eq!(
            (after.a, after.x, after.y),
            ((screen >> 8) as u8, 0x12, 0x34)
        );
    }
}

/// A program walks up the screen row by row with it and keeps its counters in X and Y.
#[test]
fn f57a_subtracts_a_from_adress() {
    let mut os = os(Model::Xl800);
    for (adress, a) in [
        (0xBFFFu16, 40u8),
        (0xBF10, 0x20),
        (0x4000, 0),
        (0x4000, 1),
        (0x4080, 0xFF),
        (0x0005, 6),
    ] {
        for p in [0, 1] {
            os.poke(ADRESS, &adress.to_le_bytes());
            let registers = Registers { a, x: 23, y: 40, p };
            let after = os.call(SUBTRACT, registers);
            assert_eq!(
                os.word(ADRESS),
                adress.wrapping_sub(a.into()),
                "{adress:04X} - {a}"
            );
            assert_eq!((after.x, after.y), (23, 40));
        }
    }
}

#[test]
fn f2f8_waits_for_a_new_key() {
    let mut os = os(Model::Xl800);
    os.poke(ICAX1Z, &[0x0C, 0]);
    os.poke(CH, &[0x3F]);
    assert!(
        os.clone().try_call(NEW_KEY, with_a(0), 30).is_none(),
        "the key before is forgotten"
    );
    let start = os.machine.now();
    let mut give = |machine: &mut machine::Machine| {
        if machine.now() > start + 100_000 && machine.peek(CH) == 0xFF {
            machine.poke(CH, 0x15);
        }
    };
    let after = os.try_call_with(NEW_KEY, with_a(0), 60, &mut give).unwrap();
    assert_eq!((after.a, after.y), (b'B', 1));
}

/// An intro of eight bytes stores X to COLBK in a loop of JSR, STX, BVC.
#[test]
fn ed8a_gives_a_number_that_changes_down_the_picture_and_from_frame_to_frame() {
    let mut os = os(Model::Xl800);
    let mut numbers = Vec::new();
    for _ in 0..200 {
        let mut registers = with_a(0x7F);
        registers.p = 0x41;
        let after = os.call(RASTER, registers);
        assert_eq!(after.p & V, 0);
        numbers.push(after.x);
    }
    numbers.sort_unstable();
    numbers.dedup();
    assert!(numbers.len() > 20, "{numbers:?}");
}

#[test]
fn c8fc_is_the_self_test() {
    let mut os = os(Model::Xl800);
    let mut there = false;
    let mut watch =
        |machine: &mut machine::Machine| there |= (0x5000..0x5800).contains(&machine.cpu.pc);
    assert!(
        os.try_call_with(SELF_TEST, with_a(0), 60, &mut watch)
            .is_none()
    );
    assert!(there);
}

/// The state that a program finds after open mode: V clear, the screen cleared.
#[test]
fn open_mode_leaves_v_clear() {
    let mut os = os(Model::Xl800);
    for mode in 0..16 {
        let mut registers = with_a(mode);
        registers.p = V;
        assert_eq!(os.call(OPEN_MODE, registers).p & V, 0, "mode {mode}");
        os.poke(ATACHR, &[1]);
        registers.x = 0;
        assert_eq!(
            os.call(DRAW, registers).p & V,
            0,
            "mode {mode}: nothing to draw"
        );
    }
}
