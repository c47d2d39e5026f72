//! The keyboard handler K: and the keyboard interrupts.

use machine::{Model, Tv};
use tests::calls::{Os, Registers};

const CH: u16 = 0x02FC;
const SHFLOK: u16 = 0x02BE;
const INVFLG: u16 = 0x02B6;

fn os(model: Model) -> Os {
    let mut os = Os::new(&tests::config(model, Tv::Ntsc, false));
    os.poke(0x02DB, &[if model.is_xl() { 255 } else { 0 }]); // NOCLIK
    assert_eq!(os.open(2, "K:", [4, 0]), 1);
    os
}

/// The result of a key code: status and character, or `None` when the handler keeps waiting.
fn key(os: &mut Os, code: u8) -> Option<(u8, u8)> {
    os.poke(CH, &[code]);
    os.poke(0x0362, &[7]);
    os.poke(0x0368, &[0, 0]);
    let registers = Registers {
        x: 0x20,
        ..Registers::default()
    };
    let mut trial = os.clone();
    let after = trial.try_call(0xE456, registers, 12)?;
    *os = trial;
    Some((after.y, after.a))
}

/// The keys by code, in lower case; a dot (but the one of the key `.`) = no character. The function keys F1 to F4 move the cursor.
const LOWER: &str = "lj;\u{1c}\u{1d}k+*o.pu\u{9b}i-=v.c\u{1e}\u{1f}bxz4.36\u{1b}521, .n.m/.r.ey\u{7f}twq9.07\u{7e}8<>fhd..gsa";

#[test]
fn every_key_gives_its_character_with_shift_and_control() {
    let mut os = os(Model::Xl800);
    for code in 0..0x40u8 {
        os.poke(SHFLOK, &[0]);
        let want = LOWER.chars().nth(usize::from(code)).unwrap();
        let got = key(&mut os, code);
        match want {
            '.' if code != 0x22 => assert_eq!(got, None, "code {code:02X}"),
            _ => assert_eq!(got, Some((1, want as u8)), "code {code:02X}"),
        }
        os.poke(SHFLOK, &[0]);
        if want.is_ascii_lowercase() {
            assert_eq!(key(&mut os, code | 0x40), Some((1, want as u8 - 0x20)));
            assert_eq!(key(&mut os, code | 0x80), Some((1, want as u8 - 0x60)));
        }
        assert_eq!(
            key(&mut os, code | 0xC0),
            None,
            "SHIFT and CONTROL together"
        );
    }
    for (code, character) in [
        (0x42, 0x3A),
        (0x46, 0x5C),
        (0x47, 0x5E),
        (0x4E, 0x5F),
        (0x4F, 0x7C),
        (0x58, 0x24),
        (0x5A, 0x23),
        (0x5B, 0x26),
        (0x5D, 0x25),
        (0x5E, 0x22),
        (0x5F, 0x21),
        (0x60, 0x5B),
        (0x62, 0x5D),
        (0x66, 0x3F),
        (0x6C, 0x9F),
        (0x70, 0x28),
        (0x72, 0x29),
        (0x73, 0x27),
        (0x74, 0x9C),
        (0x75, 0x40),
        (0x76, 0x7D),
        (0x77, 0x9D),
        (0x82, 0x7B),
        (0x86, 0x1E),
        (0x87, 0x1F),
        (0x8E, 0x1C),
        (0x8F, 0x1D),
        (0x9E, 0xFD),
        (0xA0, 0x00),
        (0xA2, 0x60),
        (0xAC, 0x9E),
        (0xB4, 0xFE),
        (0xB6, 0x7D),
        (0xB7, 0xFF),
    ] {
        assert_eq!(key(&mut os, code), Some((1, character)), "code {code:02X}");
    }
    assert_eq!(
        key(&mut os, 0x9A).map(|k| k.0),
        Some(136),
        "CTRL-3 is the end of the file"
    );
}

#[test]
fn the_locks_act_on_letters_only() {
    let mut os = os(Model::Xl800);
    assert_eq!(os.peek(SHFLOK), 0x40);
    assert_eq!(key(&mut os, 0x3F), Some((1, b'A')));
    assert_eq!(key(&mut os, 0x1F), Some((1, b'1')));
    assert_eq!(key(&mut os, 0x3C), None);
    os.poke(SHFLOK, &[0x80]);
    assert_eq!(key(&mut os, 0x3F), Some((1, 1)));
    assert_eq!(key(&mut os, 0x7F), Some((1, b'A')));
    assert_eq!(key(&mut os, 0x1F), Some((1, b'1')));
}

/// Runs the handler on a key that gives no character, then on SPACE, and keeps what the first did.
fn silent(os: &mut Os, code: u8) {
    os.poke(CH, &[code]);
    os.poke(0x0362, &[7]);
    os.poke(0x0368, &[0, 0]);
    // The call ends with the second key, which comes while the handler waits.
    let mut machine = os.clone();
    assert!(
        machine
            .try_call(
                0xE456,
                Registers {
                    x: 0x20,
                    ..Registers::default()
                },
                12
            )
            .is_none()
    );
    machine.poke(CH, &[0x21]);
    machine.run(12);
    *os = machine;
}

#[test]
fn caps_toggles_on_the_xl_and_unlocks_on_the_800() {
    for (model, second) in [(Model::Xl800, 0x40), (Model::Atari800, 0)] {
        let mut os = os(model);
        silent(&mut os, 0x3C);
        assert_eq!(os.peek(SHFLOK), 0);
        silent(&mut os, 0x3C);
        assert_eq!(os.peek(SHFLOK), second);
        silent(&mut os, 0xBC);
        assert_eq!(os.peek(SHFLOK), 0x80);
        silent(&mut os, 0x7C);
        assert_eq!(os.peek(SHFLOK), 0x40);
    }
}

#[test]
fn the_inverse_key_inverts_all_but_control_codes() {
    let mut os = os(Model::Xl800);
    silent(&mut os, 0x27);
    assert_eq!(os.peek(INVFLG), 0x80);
    assert_eq!(key(&mut os, 0x3F), Some((1, b'A' | 0x80)));
    assert_eq!(key(&mut os, 0x0C), Some((1, 0x9B)));
    assert_eq!(key(&mut os, 0x34), Some((1, 0x7E)));
    assert_eq!(key(&mut os, 0x8E), Some((1, 0x1C)));
    silent(&mut os, 0x27);
    assert_eq!(os.peek(INVFLG), 0);
}

#[test]
fn a_program_may_bring_its_own_key_table() {
    let mut os = os(Model::Xl800);
    os.poke(0x4000, &[b'?'; 192]);
    os.poke(0x79, &0x4000u16.to_le_bytes());
    assert_eq!(key(&mut os, 0x3F), Some((1, b'?')));
}

#[test]
fn forced_read_gives_an_eol_without_a_key() {
    let mut os = os(Model::Xl800);
    os.poke(0x036A, &[5]);
    assert_eq!(os.get(2), (1, 0x9B));
    assert_eq!(os.peek(CH), 0xFF);
}

#[test]
fn a_key_reaches_ch_and_repeats_after_its_delay() {
    let mut os = os(Model::Xl800);
    os.poke(0x4D, &[0x55]);
    os.machine.input.key = Some(0x3F);
    os.run(3);
    assert_eq!((os.peek(CH), os.peek(0x02F2)), (0x3F, 0x3F));
    assert_eq!(os.peek(0x4D), 0, "ATRACT");
    let mut frames = || {
        os.poke(CH, &[0xFF]);
        (1..600).find(|_| {
            os.run(1);
            os.peek(CH) == 0x3F
        })
    };
    // The key went down within one of the three frames above.
    assert!((45..=48).contains(&frames().unwrap()));
    assert_eq!(frames(), Some(6));
    assert_eq!(frames(), Some(6));
    os.machine.input.key = None;
    os.run(2);
    os.poke(CH, &[0xFF]);
    os.run(60);
    assert_eq!(os.peek(CH), 0xFF);
}

#[test]
fn control_1_stops_output_and_break_frees_it() {
    let mut os = os(Model::Xl800);
    os.machine.input.key = Some(0x9F);
    os.run(2);
    os.machine.input.key = None;
    os.run(6);
    assert_eq!((os.peek(0x02FF), os.peek(CH)), (0xFF, 0xFF));
    os.poke(0x02F0, &[1]);
    os.machine.input.break_key = true;
    os.run(2);
    os.machine.input.break_key = false;
    os.run(1);
    assert_eq!((os.peek(0x02FF), os.peek(0x11), os.peek(0x02F0)), (0, 0, 0));
    assert_eq!(os.get(2).0, 128);
    assert_eq!(os.peek(0x11), 0xFF, "the handler takes the flag back");
}

#[test]
fn help_sets_its_flag_only() {
    let mut os = os(Model::Xl800);
    os.machine.input.key = Some(0x51);
    os.run(2);
    os.machine.input.key = None;
    os.run(1);
    assert_eq!((os.peek(0x02DC), os.peek(CH)), (0x51, 0xFF));
}

/// Holds a key for two frames and lets it go for as many as the debouncing needs.
fn press(os: &mut Os, code: u8) {
    os.machine.input.key = Some(code);
    os.run(2);
    os.machine.input.key = None;
    os.run(6);
}

#[test]
fn control_f1_turns_the_keyboard_off_and_on() {
    let mut os = os(Model::Xl800);
    os.poke(CH, &[0xFF]);
    press(&mut os, 0x83);
    assert_eq!((os.peek(0x026D), os.peek(CH)), (0xFF, 0xFF));
    for code in [0x3F, 0x9F, 0x51, 0x84, 0x93] {
        press(&mut os, code);
    }
    assert_eq!(
        (
            os.peek(CH),
            os.peek(0x02FF),
            os.peek(0x02DC),
            os.peek(0x022F)
        ),
        (0xFF, 0, 0, 0x22)
    );
    press(&mut os, 0x83);
    assert_eq!(os.peek(0x026D), 0);
    press(&mut os, 0x3F);
    assert_eq!(os.peek(CH), 0x3F);
}

#[test]
fn control_f2_puts_the_screen_out_until_another_key_comes() {
    let mut os = os(Model::Xl800);
    os.poke(0x022F, &[0x3E]);
    for _ in 0..2 {
        press(&mut os, 0x84);
        assert_eq!((os.peek(0x022F), os.peek(0x02DD)), (0, 0x3E));
    }
    press(&mut os, 0x3F);
    assert_eq!(
        (os.peek(0x022F), os.peek(0x02DD), os.peek(CH)),
        (0x3E, 0, 0x3F)
    );
}

#[test]
fn control_f3_and_f4_switch_click_and_character_set() {
    let mut os = os(Model::Xl800);
    os.poke(0x02DB, &[0]);
    os.poke(CH, &[0xFF]);
    let state = |os: &Os| (os.peek(0x02DB), os.peek(0x02F4), os.peek(0x026B));
    assert_eq!(state(&os), (0, 0xE0, 0xCC));
    press(&mut os, 0x93);
    press(&mut os, 0x94);
    assert_eq!(state(&os), (0xFF, 0xCC, 0xE0));
    press(&mut os, 0x93);
    press(&mut os, 0x94);
    assert_eq!(state(&os), (0, 0xE0, 0xCC));
    os.machine.input.key = Some(0x93);
    os.run(100);
    assert_eq!(
        (os.peek(0x02DB), os.peek(CH)),
        (0xFF, 0xFF),
        "held down they do not repeat"
    );
}

#[test]
fn function_keys_give_what_their_table_says() {
    let mut os = os(Model::Xl800);
    let table = os.word(0x60);
    let values: Vec<u8> = (table..table + 8).map(|a| os.peek(a)).collect();
    assert_eq!(
        values,
        [0x1C, 0x1D, 0x1E, 0x1F, 0x8E, 0x8F, 0x90, 0x91],
        "from the start on"
    );
    os.poke(0x4000, b"abCD!?\x8A\x80");
    os.poke(0x60, &0x4000u16.to_le_bytes());
    for (code, want) in [
        (0x03, b'a'),
        (0x04, b'b'),
        (0x13, b'C'),
        (0x14, b'D'),
        (0x43, b'!'),
        (0x44, b'?'),
    ] {
        assert_eq!(key(&mut os, code), Some((1, want)), "code {code:02X}");
    }
    assert_eq!(key(&mut os, 0x53), None, "a function key as a function key");
    assert_eq!(key(&mut os, 0x54), None);
    // A key table may use the values, too: $89 is the click.
    os.poke(0x5000, &[0x89; 192]);
    os.poke(0x503F, &[0x8B]);
    os.poke(0x5021, b" "); // the key that ends the call of `silent`
    os.poke(0x79, &0x5000u16.to_le_bytes());
    let click = os.peek(0x02DB);
    silent(&mut os, 0x00);
    assert_eq!(os.peek(0x02DB), click ^ 0xFF);
    assert_eq!(key(&mut os, 0x3F), Some((1, b'b')));
}
