//! Central input/output, the device table, timers and the jump table.

use machine::{Model, Tv};
use tests::calls::{Os, Registers};

fn os(model: Model) -> Os {
    Os::new(&tests::config(model, Tv::Ntsc, false))
}

/// Puts a handler table at $3000 whose six routines are at $3100, $3110 ..., each storing its number at $30F0, A at $30F1, and
/// returning status 1 and A = $41 + calls so far (counted at $30F2).
fn handler(os: &mut Os) {
    for i in 0..6u16 {
        let entry = 0x3100 + i * 0x10;
        os.poke(0x3000 + i * 2, &(entry - 1).to_le_bytes());
        os.poke(
            entry,
            &[
                0x8D, 0xF1, 0x30, 0xA9, i as u8, 0x8D, 0xF0, 0x30, 0x4C, 0x80, 0x31,
            ],
        );
    }
    // INC $30F2; LDA $30F2; CLC; ADC #$40; LDY #1; RTS
    os.poke(
        0x3180,
        &[
            0xEE, 0xF2, 0x30, 0xAD, 0xF2, 0x30, 0x18, 0x69, 0x40, 0xA0, 0x01, 0x60,
        ],
    );
    os.poke(0x30F0, &[0xFF, 0, 0]);
    os.poke(0x031A + 15, &[b'X', 0x00, 0x30]);
}

#[test]
fn a_program_can_add_a_device() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut os = os(model);
        handler(&mut os);
        assert_eq!(os.open(3, "X2:NAME", [12, 0]), 1);
        assert_eq!(
            (os.peek(0x0370), os.peek(0x0371), os.word(0x0376)),
            (15, 2, 0x312F)
        );
        assert_eq!(os.get(3), (1, 0x42));
        assert_eq!(os.peek(0x30F0), 2);
        assert_eq!(os.put(3, b'!'), 1);
        assert_eq!((os.peek(0x30F0), os.peek(0x30F1)), (3, b'!'));
        assert_eq!(os.cio(3, 13, 0, 0, [0, 0]).0, 1);
        assert_eq!(os.peek(0x30F0), 4);
        assert_eq!(os.cio(3, 99, 0, 0, [0, 0]).0, 1);
        assert_eq!(os.peek(0x30F0), 5);
        assert_eq!(os.close(3), 1);
        assert_eq!((os.peek(0x30F0), os.peek(0x0370)), (1, 0xFF));
        assert_eq!(os.put(3, b'!'), 133);
    }
}

#[test]
fn later_entries_of_the_device_table_win() {
    let mut os = os(Model::Xl800);
    handler(&mut os);
    os.poke(0x031A + 15, b"E");
    assert_eq!(os.open(3, "E:", [8, 0]), 1);
    assert_eq!(os.peek(0x0370), 15);
}

#[test]
fn get_record_ends_at_the_eol_and_drops_what_does_not_fit() {
    let mut os = os(Model::Xl800);
    handler(&mut os);
    os.open(3, "X", [4, 0]);
    os.poke(0x30F2, &[0x9B - 0x40 - 5]); // the fifth byte is an EOL
    assert_eq!(os.cio(3, 5, 0x4000, 20, [4, 0]).0, 1);
    assert_eq!(
        (os.word(0x0378), os.word(0x0374), os.peek(0x4004)),
        (5, 0x4000, 0x9B)
    );
    os.poke(0x30F2, &[0x9B - 0x40 - 5]);
    os.poke(0x4003, &[0]);
    assert_eq!(os.cio(3, 5, 0x4000, 3, [4, 0]).0, 137);
    assert_eq!((os.word(0x0378), os.peek(0x4003)), (3, 0));
    assert_eq!(os.peek(0x30F2), 0x9B - 0x40, "the rest has been read");
}

#[test]
fn get_characters_takes_eols_like_any_byte_and_more_than_a_page() {
    let mut os = os(Model::Xl800);
    handler(&mut os);
    os.open(3, "X", [4, 0]);
    os.poke(0x30F2, &[0]);
    assert_eq!(os.cio(3, 7, 0x4000, 600, [4, 0]).0, 1);
    assert_eq!(os.word(0x0378), 600);
    for i in 0..600u16 {
        assert_eq!(os.peek(0x4000 + i), (0x41 + i) as u8);
    }
}

#[test]
fn put_record_adds_the_missing_eol() {
    let mut os = os(Model::Xl800);
    handler(&mut os);
    os.open(3, "X", [8, 0]);
    os.poke(0x4000, b"AB\x9bCD");
    for (length, calls, last, moved) in [(5, 3, 0x9B, 3), (2, 3, 0x9B, 2), (1, 2, 0x9B, 1)] {
        os.poke(0x30F2, &[0]);
        assert_eq!(os.cio(3, 9, 0x4000, length, [8, 0]).0, 1);
        assert_eq!(
            (os.peek(0x30F2), os.peek(0x30F1), os.word(0x0378)),
            (calls, last, moved)
        );
    }
    os.poke(0x30F2, &[0]);
    assert_eq!(os.cio(3, 11, 0x4000, 5, [8, 0]).0, 1);
    assert_eq!(
        (os.peek(0x30F2), os.peek(0x30F1), os.word(0x0378)),
        (5, b'D', 5)
    );
}

#[test]
fn permissions_follow_the_aux_byte_of_the_moment() {
    let mut os = os(Model::Xl800);
    handler(&mut os);
    os.open(3, "X", [12, 0]);
    assert_eq!(os.cio(3, 7, 0, 0, [8, 0]).0, 131);
    assert_eq!(os.cio(3, 11, 0, 0, [4, 0]).0, 135);
    assert_eq!(os.cio(3, 7, 0, 0, [4, 0]).0, 1);
    assert_eq!(os.cio(3, 3, 0x0600, 0, [4, 0]).0, 129);
}

#[test]
fn the_registers_after_a_call_are_as_documented() {
    let mut os = os(Model::Xl800);
    handler(&mut os);
    os.open(3, "X", [12, 0]);
    let after = os.call(
        0xE456,
        Registers {
            a: 0,
            x: 0x30,
            y: 0,
            p: 0,
        },
    );
    assert_eq!((after.x, after.y), (0x30, 129));
    assert_eq!(after.p & 0x81, 0x81, "N from the status, C set");
    os.poke(0x0372, &[12]);
    let after = os.call(
        0xE456,
        Registers {
            a: 0,
            x: 0x30,
            y: 0,
            p: 0,
        },
    );
    assert_eq!((after.x, after.y, after.p & 0x81), (0x30, 1, 0x01));
}

#[test]
fn setvbv_keeps_nmien_and_the_interrupt_flag() {
    let mut os = os(Model::Xl800);
    os.machine.run_cycles(1000);
    // LDA #$C0 / STA NMIEN; PHP; SEI; LDA #7; LDX #$12; LDY #$34; JSR SETVBV; PHP; PLA; STA $5000; PLP; RTS
    os.poke(
        0x4000,
        &[
            0xA9, 0xC0, 0x8D, 0x0E, 0xD4, 0x08, 0x78, 0xA9, 7, 0xA2, 0x06, 0xA0, 0x80, 0x20, 0x5C,
            0xE4,
        ],
    );
    os.poke(0x4010, &[0x08, 0x68, 0x8D, 0x00, 0x50, 0x28, 0x60]);
    os.poke(0x0680, &[0x4C, 0x62, 0xE4]); // JMP XITVBV
    let after = os.call(0x4000, Registers::default());
    assert_eq!(os.word(0x0224), 0x0680);
    assert_eq!(
        os.peek(0x5000) & 4,
        4,
        "I stays set for a caller that had it set"
    );
    assert_eq!(after.p & 4, 0);
}

#[test]
fn timers_count_frames_and_raise_their_flags() {
    let mut os = os(Model::Xl800);
    let set = |os: &mut Os, timer: u8, frames: u16| {
        let [y, x] = frames.to_le_bytes();
        os.call(
            0xE45C,
            Registers {
                a: timer,
                x,
                y,
                p: 0,
            },
        );
    };
    os.poke(0x022A, &[0x77]);
    os.run(2);
    assert_eq!(os.peek(0x022A), 0x77, "an idle timer leaves its flag alone");
    set(&mut os, 3, 300);
    os.run(2);
    assert_eq!(os.peek(0x022A), 0xFF);
    os.run(296);
    assert_eq!(os.peek(0x022A), 0xFF);
    os.run(4);
    assert_eq!((os.peek(0x022A), os.word(0x021C)), (0, 0));
    // Timer 2 calls through CDTMA2: INC $0690; RTS
    os.poke(0x0680, &[0xEE, 0x90, 0x06, 0x60]);
    os.poke(0x0228, &0x0680u16.to_le_bytes());
    set(&mut os, 2, 5);
    os.run(20);
    assert_eq!(os.peek(0x0690), 1);
}

#[test]
fn a_critical_section_stops_all_but_the_first_stage() {
    let mut os = os(Model::Xl800);
    os.poke(0x42, &[1]);
    let clock = os.peek(0x14);
    os.poke(0x02C8, &[0x55]);
    os.poke(0x021C, &[9, 0]);
    os.run(5);
    assert_eq!(os.peek(0x14), clock.wrapping_add(5));
    assert_eq!(os.peek(0x021C), 9);
}

#[test]
fn the_known_addresses_hold_what_programs_expect() {
    for model in [Model::Xl800, Model::Atari800] {
        let os = os(model);
        let last = if model.is_xl() { 0xE48C } else { 0xE47D };
        for entry in (0xE450..=last).step_by(3) {
            assert_eq!(os.peek(entry), 0x4C, "JMP at {entry:04X}");
        }
        assert_eq!(os.peek(0xE4C0), 0x60);
        assert_eq!(
            os.peek(os.word(0xE475)),
            0x78,
            "the warm start begins with SEI"
        );
        assert_eq!(os.peek(0xFFF1), 2);
        let names: Vec<u8> = (0..5).map(|i| os.peek(0x031A + i * 3)).collect();
        assert_eq!(names, b"PCESK");
        assert!(!(os.peek(0xD803) == 0x80 && os.peek(0xD80B) == 0x91));
    }
}

#[test]
fn dli_handlers_get_the_registers_untouched_and_at_once() {
    let mut os = os(Model::Xl800);
    // The handler counts at $0690 without saving anything.
    os.poke(0x0680, &[0xEE, 0x90, 0x06, 0x40]);
    os.poke(0x0200, &0x0680u16.to_le_bytes());
    let list = os.word(0x0230);
    let line = os.peek(list + 10);
    os.poke(list + 10, &[line | 0x80]);
    os.poke(0x4000, &[0xA9, 0xC0, 0x8D, 0x0E, 0xD4, 0x60]);
    os.call(0x4000, Registers::default());
    os.run(1);
    let before = os.peek(0x0690);
    os.run(10);
    assert_eq!(os.peek(0x0690), before + 10);
}

#[test]
fn loaded_handlers_are_chained_initialised_and_survive_reset() {
    let mut os = os(Model::Xl800);
    // Two tables at $3000 and $3040 whose init routines count at $3080 and $3081; 100 bytes each.
    for i in 0..2u16 {
        let table = 0x3000 + i * 0x40;
        os.poke(table, &[0x55; 12]);
        os.poke(
            table + 12,
            &[0x4C, (0x90 + i * 4) as u8, 0x30, 0, 100, 0, 0xFF, 0xFF],
        );
        os.poke(0x3090 + i * 4, &[0xEE, 0x80 + i as u8, 0x30, 0x60]);
        os.poke(0x3080 + i, &[0]);
        let after = os.call(
            0xE48C,
            Registers {
                a: 0x30,
                x: 0,
                y: (i * 0x40) as u8,
                p: 0,
            },
        );
        assert_eq!(after.p & 1, 0);
    }
    assert_eq!(
        (os.word(0x03FB), os.word(0x3012), os.word(0x3052)),
        (0x3000, 0x3040, 0)
    );
    assert_eq!((os.peek(0x3080), os.peek(0x3081)), (1, 1));
    let again = os.call(
        0xE48C,
        Registers {
            a: 0x30,
            x: 0,
            y: 0x40,
            p: 0,
        },
    );
    assert_eq!(again.p & 1, 1, "it is in the chain");
    os.machine.reset();
    os.run(100);
    assert_eq!((os.peek(0x3080), os.peek(0x3081)), (2, 2));
    assert_eq!(os.word(0x02E7), 0x0700 + 200, "MEMLO is above both");
    let gone = os.call(
        0xE489,
        Registers {
            a: 0x30,
            x: 0,
            y: 0x00,
            p: 0,
        },
    );
    assert_eq!((gone.p & 1, os.word(0x03FB)), (0, 0x3040));
    let gone = os.call(
        0xE489,
        Registers {
            a: 0x30,
            x: 0,
            y: 0x00,
            p: 0,
        },
    );
    assert_eq!(gone.p & 1, 1);
    os.poke(0x3041, &[0]);
    os.machine.reset();
    os.run(100);
    assert_eq!(
        (os.peek(0x03FC), os.peek(0x3081)),
        (0, 2),
        "a damaged handler is dropped"
    );
}

#[test]
fn a_handler_is_entered_in_the_device_table_once() {
    let mut os = os(Model::Xl800);
    let enter = |os: &mut Os, name: u8| {
        os.call(
            0xE486,
            Registers {
                a: 0x30,
                x: name,
                y: 0x12,
                p: 0,
            },
        )
        .p & 0x81
    };
    assert_eq!(enter(&mut os, b'X'), 0);
    assert_eq!((os.peek(0x0329), os.word(0x032A)), (b'X', 0x3012));
    assert_eq!(enter(&mut os, b'X'), 0x01);
    for name in b'0'..b'5' {
        assert_eq!(enter(&mut os, name), 0);
    }
    assert_eq!(enter(&mut os, b'9'), 0x81, "the table is full");
}

#[test]
fn interrupts_reach_their_vectors_with_only_a_on_the_stack() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut os = os(model);
        // Handlers at $0680 and $0688: INC their counter; STX $0692; STY $0693; PLA; RTI
        os.poke(0x0680, &[0xEE, 0x90, 0x06, 0x4C, 0xA0, 0x06]);
        os.poke(0x0688, &[0xEE, 0x91, 0x06, 0x4C, 0xA0, 0x06]);
        os.poke(0x06A0, &[0x8E, 0x92, 0x06, 0x8C, 0x93, 0x06, 0x68, 0x40]);
        os.poke(0x0206, &0x0680u16.to_le_bytes()); // VBREAK
        os.poke(0x0210, &0x0688u16.to_le_bytes()); // VTIMR1
        os.poke(0x0690, &[0, 0]);
        // LDA #$5A; LDX #$11; LDY #$22; BRK, a byte skipped; RTS
        os.poke(
            0x4000,
            &[0xA9, 0x5A, 0xA2, 0x11, 0xA0, 0x22, 0x00, 0xEA, 0x60],
        );
        let after = os.call(0x4000, Registers::default());
        assert_eq!((after.a, after.x, after.y), (0x5A, 0x11, 0x22));
        assert_eq!(
            (os.peek(0x0690), os.peek(0x0692), os.peek(0x0693)),
            (1, 0x11, 0x22)
        );
        // Timer 1 at 15 kHz / 32: AUDCTL = 1, AUDF1 = 31, IRQEN with POKMSK bit 0, STIMER; wait in a loop of X and Y
        os.poke(
            0x4000,
            &[
                0xA9, 1, 0x8D, 0x08, 0xD2, 0xA9, 31, 0x8D, 0x00, 0xD2, 0xA5, 0x10, 0x09, 1, 0x85,
                0x10, 0x8D, 0x0E, 0xD2, 0x8D, 0x09, 0xD2, 0xA2, 0, 0xA0, 0, 0x88, 0xD0, 0xFD, 0xCA,
                0xD0, 0xFA, 0xA5, 0x10, 0x29, 0xFE, 0x85, 0x10, 0x8D, 0x0E, 0xD2, 0x60,
            ],
        );
        os.call(0x4000, Registers::default());
        assert!(
            (60..200).contains(&os.peek(0x0691)),
            "timer 1 came {} times",
            os.peek(0x0691)
        );
        assert_eq!(os.peek(0x0690), 1);
    }
}

fn next(state: &mut u32) -> u32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *state >> 8
}

/// A handler table at $3000 for Y: whose GET gives the bytes from $5000 to the limit at $30F4 and then status 136, and whose PUT collects bytes
/// at $6000; it counts $30F6 down, and status 162 comes with 0.
fn stream(os: &mut Os) {
    os.poke(0x3000, &[0x7F, 0x32, 0x7F, 0x32, 0xFF, 0x31, 0x3F, 0x32]);
    os.poke(
        0x3200,
        &[
            0xAD, 0x11, 0x32, 0xCD, 0xF4, 0x30, 0xD0, 0x08, 0xAD, 0x12, 0x32, 0xCD, 0xF5, 0x30,
            0xF0, 0x0E, 0xAD, 0x00, 0x50, 0xEE, 0x11, 0x32, 0xD0, 0x03, 0xEE, 0x12, 0x32, 0xA0,
            0x01, 0x60, 0xA0, 0x88, 0x60,
        ],
    );
    os.poke(
        0x3240,
        &[
            0x8D, 0x00, 0x60, 0xEE, 0x41, 0x32, 0xD0, 0x03, 0xEE, 0x42, 0x32, 0xCE, 0xF6, 0x30,
            0xF0, 0x03, 0xA0, 0x01, 0x60, 0xA0, 0xA2, 0x60,
        ],
    );
    os.poke(0x3280, &[0xA0, 0x01, 0x60]);
    os.poke(0x031A + 15, &[b'Y', 0x00, 0x30]);
}

/// GET of CIO by its description: status, bytes for the buffer, the length afterwards, bytes taken from the stream.
fn got(source: &[u8], record: bool, length: usize) -> (u8, Vec<u8>, usize) {
    let mut buffer = Vec::new();
    let mut bytes = source.iter();
    while buffer.len() < length {
        let Some(&byte) = bytes.next() else {
            return (136, buffer, source.len());
        };
        buffer.push(byte);
        if record && byte == 0x9B {
            let used = buffer.len();
            return (1, buffer, used);
        }
    }
    if !record {
        return (1, buffer, length);
    }
    // The rest of the record is lost.
    match source[length..].iter().position(|&b| b == 0x9B) {
        Some(at) => (137, buffer, length + at + 1),
        None => (136, buffer, source.len()),
    }
}

#[test]
fn records_and_characters_of_any_length_agree_with_the_description() {
    let mut state = 0x0C10;
    for model in [Model::Xl800, Model::Atari800] {
        let mut os = os(model);
        stream(&mut os);
        for round in 0..200 {
            os.poke(0x3211, &0x5000u16.to_le_bytes());
            os.poke(0x3241, &0x6000u16.to_le_bytes());
            let limit = next(&mut state) as usize % 600;
            let eols = 1 + next(&mut state) % 100;
            let source: Vec<u8> = (0..limit)
                .map(|_| {
                    if next(&mut state).is_multiple_of(eols) {
                        0x9B
                    } else {
                        (next(&mut state) % 0x9B) as u8
                    }
                })
                .collect();
            os.poke(0x5000, &source);
            os.poke(0x30F4, &(0x5000 + limit as u16).to_le_bytes());
            os.close(2);
            assert_eq!(os.open(2, "Y:", [12, 0]), 1);
            let (command, length) = (
                [5u8, 7, 9, 11][round % 4],
                1 + next(&mut state) as usize % 300,
            );
            let record = command & 2 == 0;
            let what = format!(
                "{model:?} round {round}: command {command}, length {length}, {limit} bytes"
            );
            if command < 9 {
                os.poke(0x4000, &[0xEE; 400]);
                let (status, _) = os.cio(2, command, 0x4000, length as u16, [12, 0]);
                let (want, bytes, used) = got(&source, record, length);
                assert_eq!(status, want, "{what}");
                assert_eq!(usize::from(os.word(0x0368)), bytes.len(), "ICBL, {what}");
                assert_eq!(
                    usize::from(os.word(0x3211)) - 0x5000,
                    used,
                    "bytes taken, {what}"
                );
                let mut buffer = bytes;
                buffer.resize(400, 0xEE);
                let shown: Vec<u8> = (0..400).map(|i| os.peek(0x4000 + i)).collect();
                assert_eq!(shown, buffer, "{what}");
            } else {
                let mut source = source;
                source.resize(400, b'.');
                os.poke(0x5000, &source);
                let mut bytes = source[..length].to_vec();
                if record {
                    match bytes.iter().position(|&b| b == 0x9B) {
                        Some(at) => bytes.truncate(at + 1),
                        None => bytes.push(0x9B),
                    }
                }
                let room = 1 + next(&mut state) as usize % 255;
                os.poke(0x30F6, &[room as u8]);
                let (status, _) = os.cio(2, command, 0x5000, length as u16, [12, 0]);
                let fits = bytes.len() < room;
                assert_eq!(status, if fits { 1 } else { 162 }, "{what}, room {room}");
                let sent = bytes.len().min(room);
                assert_eq!(
                    usize::from(os.word(0x3241)) - 0x6000,
                    sent,
                    "{what}, room {room}"
                );
                let shown: Vec<u8> = (0..sent).map(|i| os.peek(0x6000 + i as u16)).collect();
                assert_eq!(shown, bytes[..sent], "{what}");
                // Without the EOL that CIO adds; the byte that failed is not counted.
                let counted = if fits {
                    bytes.len().min(length)
                } else {
                    room - 1
                };
                assert_eq!(usize::from(os.word(0x0368)), counted, "ICBL, {what}");
            }
            assert_eq!(
                os.word(0x0364),
                if command < 9 { 0x4000 } else { 0x5000 },
                "ICBA, {what}"
            );
        }
    }
}
