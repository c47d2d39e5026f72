//! The OS as machine-language programs meet it: vectors, timers, RESET, memory limits, requests of their own.

use machine::{Machine, Model, Tv};
use tests::calls::{Os, Registers};

const BOTH: [Model; 2] = [Model::Xl800, Model::Atari800];
const SETVBV: u16 = 0xE45C;

fn os(model: Model) -> Os {
    Os::new(&tests::config(model, Tv::Ntsc, false))
}

/// Sets a timer (1 to 5) or vertical blank vector (6, 7).
fn setvbv(os: &mut Os, number: u8, value: u16) {
    let [y, x] = value.to_le_bytes();
    os.call(
        SETVBV,
        Registers {
            a: number,
            x,
            y,
            p: 0,
        },
    );
}

#[test]
fn both_vertical_blank_vectors_chain_to_the_os() {
    for model in BOTH {
        let mut os = os(model);
        os.poke(0x4100, &[0xEE, 0x90, 0x06, 0x4C, 0x5F, 0xE4]); // INC $0690; JMP SYSVBV
        os.poke(0x4110, &[0xEE, 0x91, 0x06, 0x4C, 0x62, 0xE4]); // INC $0691; JMP XITVBV
        os.poke(0x0690, &[0, 0]);
        setvbv(&mut os, 6, 0x4100);
        setvbv(&mut os, 7, 0x4110);
        let (clock, before) = (os.peek(0x14), [os.peek(0x0690), os.peek(0x0691)]);
        // A loop of its own that checks its registers: LDA #$5A; LDX #$A5; LDY #$3C; loop: CMP #$5A BNE bad; CPX #$A5 BNE bad; CPY #$3C
        // BEQ loop; bad: RTS
        os.poke(
            0x4000,
            &[
                0xA9, 0x5A, 0xA2, 0xA5, 0xA0, 0x3C, 0xC9, 0x5A, 0xD0, 8, 0xE0, 0xA5, 0xD0, 4, 0xC0,
                0x3C, 0xF0, 0xF4, 0x60,
            ],
        );
        assert!(
            os.try_call(0x4000, Registers::default(), 50).is_none(),
            "the registers of the interrupted program stay"
        );
        let frames = os.peek(0x14).wrapping_sub(clock);
        assert!(frames >= 49);
        assert_eq!(os.peek(0x0690).wrapping_sub(before[0]), frames);
        assert_eq!(os.peek(0x0691).wrapping_sub(before[1]), frames);
    }
}

#[test]
fn a_vertical_blank_routine_may_set_its_own_vector() {
    for model in BOTH {
        let mut os = os(model);
        // First: INC $0690; LDA #7; LDX #$41; LDY #$20; JSR SETVBV; JMP XITVBV. Second: INC $0691; JMP XITVBV.
        os.poke(
            0x4100,
            &[
                0xEE, 0x90, 0x06, 0xA9, 7, 0xA2, 0x41, 0xA0, 0x20, 0x20, 0x5C, 0xE4, 0x4C, 0x62,
                0xE4,
            ],
        );
        os.poke(0x4120, &[0xEE, 0x91, 0x06, 0x4C, 0x62, 0xE4]);
        os.poke(0x0690, &[0, 0]);
        setvbv(&mut os, 7, 0x4100);
        os.run(10);
        assert_eq!(os.peek(0x0690), 1);
        assert!((8..=10).contains(&os.peek(0x0691)));
    }
}

#[test]
fn setvbv_is_never_caught_halfway() {
    for model in BOTH {
        let mut os = os(model);
        // Two routines whose addresses differ in both bytes, and traps at the two mixtures of them.
        for (routine, counter) in [
            (0x4180u16, 0x90),
            (0x0690 + 0x10, 0x91),
            (0x41A0, 0x92),
            (0x0680, 0x93),
        ] {
            os.poke(routine, &[0xEE, counter, 0x50, 0x4C, 0x62, 0xE4]);
        }
        os.poke(0x5090, &[0; 4]);
        // LDA #7; LDX #$41; LDY #$80; JSR SETVBV; LDA #7; LDX #$06; LDY #$A0; JSR SETVBV; a loop whose length changes; again
        os.poke(
            0x4000,
            &[
                0xA9, 7, 0xA2, 0x41, 0xA0, 0x80, 0x20, 0x5C, 0xE4, 0xA9, 7, 0xA2, 0x06, 0xA0, 0xA0,
                0x20, 0x5C, 0xE4, 0xE6, 0xCB, 0xA4, 0xCB, 0x88, 0xD0, 0xFD, 0x4C, 0x00, 0x40,
            ],
        );
        // Also with a display list that fills all lines to the vertical blank with wide characters.
        let mut list = vec![0x42, 0x00, 0x60];
        list.extend([0x02; 29]);
        list.extend([0x41, 0x00, 0x30]);
        os.poke(0x3000, &list);
        for wide in [false, true] {
            if wide {
                os.poke(0x022F, &[0x23]);
                os.poke(0x0230, &[0x00, 0x30]);
            }
            os.poke(0x5090, &[0; 4]);
            let clock = os.peek(0x14);
            assert!(os.try_call(0x4000, Registers::default(), 240).is_none());
            let frames = os.peek(0x14).wrapping_sub(clock);
            let counts: Vec<u8> = (0x5090..0x5094).map(|a| os.peek(a)).collect();
            assert_eq!((counts[2], counts[3]), (0, 0), "half of each vector");
            // No vertical blank meets SETVBV with interrupts off, which would cost its second stage.
            let served = counts[0] + counts[1];
            assert!(
                frames.abs_diff(served) <= 1,
                "{model:?} {wide} {frames} {counts:?}"
            );
            // Out of the loop, perhaps from within SETVBV: CLI; JMP $0720.
            os.poke(0x4040, &[0x58, 0x4C, 0x20, 0x07]);
            os.machine.cpu.set_pc(0x4040);
        }
    }
}

#[test]
fn timer_1_runs_in_critical_sections_and_the_others_do_not() {
    for model in BOTH {
        let mut os = os(model);
        os.poke(0x4100, &[0xEE, 0x90, 0x06, 0x60]); // INC $0690; RTS
        os.poke(0x0690, &[0]);
        os.poke(0x0226, &[0x00, 0x41]);
        os.poke(0x0228, &[0x03, 0x41]); // timer 2: RTS
        os.poke(0x42, &[1]);
        for timer in 1..=5 {
            setvbv(&mut os, timer, 0x0102);
        }
        os.run(0x0100);
        assert_eq!(os.peek(0x0690), 0);
        os.run(4);
        assert_eq!((os.peek(0x0690), os.word(0x0218)), (1, 0));
        for timer in 1..5 {
            assert_eq!(os.word(0x0218 + timer * 2), 0x0102, "timer {}", timer + 1);
        }
        os.poke(0x42, &[0]);
        os.run(3);
        for flag in [0x022A, 0x022C, 0x022E] {
            assert_eq!(os.peek(flag), 0xFF);
        }
        os.run(0x0104);
        for flag in [0x022A, 0x022C, 0x022E] {
            assert_eq!(os.peek(flag), 0);
        }
        assert_eq!(os.peek(0x0690), 1, "once");
    }
}

#[test]
fn interrupts_off_stop_the_second_stage_like_critic() {
    for model in BOTH {
        let mut os = os(model);
        os.poke(0x02C8, &[0x34]);
        os.poke(0x021C, &[200, 0]);
        os.poke(0x4000, &[0x78, 0x4C, 0x01, 0x40]); // SEI; loop
        let clock = os.peek(0x14);
        assert!(os.try_call(0x4000, Registers::default(), 20).is_none());
        assert!(os.peek(0x14).wrapping_sub(clock) >= 19);
        assert!(os.peek(0x021C) >= 198, "timer 3 stands still");
    }
}

/// AUDCTL 15 kHz, a period of 32 lines in the timer, its bit in POKMSK and IRQEN; 5 x 256 turns of a loop; off again.
fn timer_program(register: u8, bit: u8) -> Vec<u8> {
    vec![
        0xA9, 3, 0x8D, 0x0F, 0xD2, // SKCTL: the disk has left it where it holds timer 4
        0xA9, 1, 0x8D, 0x08, 0xD2, 0xA9, 31, 0x8D, register, 0xD2, 0xA5, 0x10, 0x09, bit, 0x85,
        0x10, 0x8D, 0x0E, 0xD2, 0x8D, 0x09, 0xD2, 0xA2, 0, 0xA0, 0, 0x88, 0xD0, 0xFD, 0xCA, 0xD0,
        0xFA, 0xA5, 0x10, 0x29, !bit, 0x85, 0x10, 0x8D, 0x0E, 0xD2, 0x60,
    ]
}

#[test]
fn every_timer_has_its_vector() {
    for model in BOTH {
        for (vector, register, bit) in [(0x0210u16, 0x00, 1), (0x0212, 0x02, 2), (0x0214, 0x06, 4)]
        {
            let mut os = os(model);
            os.poke(0x4100, &[0xEE, 0x90, 0x06, 0x68, 0x40]); // INC $0690; PLA; RTI
            os.poke(0x0690, &[0]);
            os.poke(vector, &[0x00, 0x41]);
            os.poke(0x4000, &timer_program(register, bit));
            os.call(0x4000, Registers::default());
            let count = os.peek(0x0690);
            assert!((60..200).contains(&count), "${vector:04X}: {count}");
            os.run(5);
            assert_eq!(os.peek(0x0690), count, "off again");
        }
    }
}

#[test]
fn a_timer_nobody_serves_does_no_harm() {
    for model in BOTH {
        let mut os = os(model);
        os.poke(0x4000, &timer_program(0, 1));
        let after = os.call(0x4000, Registers::default());
        assert_eq!(after.p & 0x0C, 0);
    }
}

#[test]
fn a_program_may_stand_in_front_of_all_interrupts() {
    for model in BOTH {
        let mut os = os(model);
        // VIMIRQ: INC $0690; JMP (what was there)
        let old = os.word(0x0216).to_le_bytes();
        os.poke(0x0690, &[0]);
        os.poke(0x4100, &[0xEE, 0x90, 0x06, 0x4C, old[0], old[1]]);
        os.poke(0x0216, &[0x00, 0x41]);
        os.machine.input.key = Some(0x3F);
        os.run(3);
        assert_eq!((os.peek(0x0690), os.peek(0x02FC)), (1, 0x3F));
    }
}

#[test]
fn a_program_may_have_the_keyboard_and_break_for_itself() {
    for model in BOTH {
        let mut os = os(model);
        os.poke(0x0690, &[0, 0]);
        // LDA KBCODE; STA $0690; PLA; RTI, and INC $0691; PLA; RTI
        os.poke(0x4100, &[0xAD, 0x09, 0xD2, 0x8D, 0x90, 0x06, 0x68, 0x40]);
        os.poke(0x4110, &[0xEE, 0x91, 0x06, 0x68, 0x40]);
        os.poke(0x0208, &[0x00, 0x41]);
        os.poke(0x0236, &[0x10, 0x41]);
        os.poke(0x02FC, &[0xFF]);
        os.machine.input.key = Some(0x15);
        os.run(3);
        assert_eq!((os.peek(0x0690), os.peek(0x02FC)), (0x15, 0xFF));
        os.machine.input.break_key = true;
        os.run(3);
        assert_eq!((os.peek(0x0691), os.peek(0x11)), (1, 0xFF));
    }
}

#[test]
fn break_can_be_masked() {
    for model in BOTH {
        let mut os = os(model);
        os.poke(0x10, &[0x40]);
        os.poke(0x4000, &[0xA9, 0x40, 0x85, 0x10, 0x8D, 0x0E, 0xD2, 0x60]);
        os.call(0x4000, Registers::default());
        os.machine.input.break_key = true;
        os.run(3);
        os.machine.input.break_key = false;
        assert_eq!(os.peek(0x11), 0xFF);
        assert_eq!(os.open(6, "S:", [28, 3]), 1, "a screen turns it on again");
        assert_eq!(os.peek(0x10) & 0xC0, 0xC0);
        os.machine.input.break_key = true;
        os.run(3);
        assert_eq!(os.peek(0x11), 0);
    }
}

#[test]
fn the_repeat_of_keys_is_the_programs_on_the_xl() {
    let mut os = os(Model::Xl800);
    os.poke(0x02D9, &[20, 2]); // KRPDEL, KEYREP
    os.poke(0x02FC, &[0xFF]);
    os.machine.input.key = Some(0x3F);
    os.run(4);
    let mut times = Vec::new();
    for _ in 0..4 {
        os.poke(0x02FC, &[0xFF]);
        times.push((1..100).find(|_| {
            os.run(1);
            os.peek(0x02FC) == 0x3F
        }));
    }
    assert!((15..=20).contains(&times[0].unwrap()), "{times:?}");
    assert_eq!(times[1..], [Some(2); 3]);
}

#[test]
fn a_bouncing_key_counts_once() {
    for model in BOTH {
        let mut os = os(model);
        os.machine.input.key = Some(0x3F);
        os.run(2);
        os.poke(0x02FC, &[0xFF]);
        os.machine.input.key = None;
        os.run(1);
        os.machine.input.key = Some(0x3F);
        os.run(1);
        assert_eq!(os.peek(0x02FC), 0xFF, "within the debounce time");
        os.machine.input.key = Some(0x15);
        os.run(2);
        assert_eq!(os.peek(0x02FC), 0x15, "another key is no bounce");
    }
}

#[test]
fn attract_mode_comes_dims_and_goes_with_a_key() {
    for model in BOTH {
        let mut os = os(model);
        os.poke(0x4D, &[0x7F]);
        os.poke(0x14, &[0xF8]);
        os.run(4);
        assert_eq!((os.peek(0x4E), os.peek(0x4F)), (0xFE, 0));
        os.run(10);
        assert_eq!(os.peek(0x4D), 0xFE, "ATRACT stays on");
        assert_eq!((os.peek(0x4E), os.peek(0x4F)), (0xF6, os.peek(0x13)));
        os.machine.input.key = Some(0x3F);
        os.run(3);
        assert_eq!((os.peek(0x4D), os.peek(0x4E), os.peek(0x4F)), (0, 0xFE, 0));
    }
}

#[test]
fn reset_calls_casini_and_dosini_and_enters_dosvec() {
    for model in BOTH {
        let mut os = os(model);
        os.poke(0x4100, &[0xEE, 0x90, 0x06, 0x60]); // CASINI: INC $0690; RTS
        os.poke(0x4110, &[0xEE, 0x91, 0x06, 0x60]); // DOSINI
        os.poke(0x4120, &[0xEE, 0x92, 0x06, 0x4C, 0x23, 0x41]); // DOSVEC: INC $0692; loop
        os.poke(0x0690, &[0, 0, 0]);
        os.poke(0x02, &[0x00, 0x41]);
        os.poke(0x0A, &[0x20, 0x41, 0x10, 0x41]);
        for (boot, want) in [(3, [1, 1, 1]), (2, [2, 1, 2]), (0, [2, 1, 3])] {
            os.poke(0x09, &[boot]);
            os.machine.reset();
            os.run(120);
            let counts = [0x0690, 0x0691, 0x0692].map(|a| os.peek(a));
            assert_eq!(counts, want, "BOOT? = {boot}");
            assert_eq!(os.peek(0x09), boot);
        }
    }
}

#[test]
fn a_program_keeps_itself_over_reset_with_dosini() {
    // The usual way: DOSINI leads to the program, which sets its vectors again and continues without returning.
    for model in BOTH {
        let mut os = os(model);
        os.poke(0x4100, &[0xEE, 0x90, 0x06, 0x4C, 0x03, 0x41]);
        os.poke(0x0690, &[0]);
        os.poke(0x0C, &[0x00, 0x41]);
        os.poke(0x09, &[1]);
        for press in 1..=3 {
            os.machine.reset();
            os.run(120);
            assert_eq!(os.peek(0x0690), press);
            let clock = os.peek(0x14);
            os.run(5);
            assert_eq!(os.peek(0x14), clock.wrapping_add(5), "interrupts run");
        }
    }
}

#[test]
fn ramtop_moved_down_moves_the_screen() {
    for model in BOTH {
        for top in [0xA0u8, 0x80, 0x48, 0x94] {
            let mut os = os(model);
            os.poke(0x6A, &[top]);
            assert_eq!(os.cio(0, 12, 0, 0, [0, 0]).0, 1);
            assert_eq!(os.open(0, "E:", [12, 0]), 1);
            let address = u16::from(top) << 8;
            assert_eq!(os.word(0x58), address - 960);
            assert_eq!(os.word(0x02E5), os.word(0x0230) - 1);
            os.poke(address, &[0x77; 64]);
            for _ in 0..60 {
                os.print(0, b"LINE\n");
            }
            os.print(0, &[0x7D]);
            for i in 0..64 {
                assert_eq!(os.peek(address + i), 0x77, "the reserved memory");
            }
        }
    }
}

#[test]
fn appmhi_guards_the_program() {
    for model in BOTH {
        let mut os = os(model);
        os.poke(0x0E, &0xA200u16.to_le_bytes());
        assert_eq!(os.open(6, "S:", [28, 8]), 147);
        assert_eq!((os.peek(0x57), os.word(0x58)), (0, 0xC000 - 960));
        os.close(6);
        assert_eq!(os.open(6, "S:", [28, 7]), 1);
        os.close(6);
        os.poke(0x0E, &(os.word(0x02E5) + 1).to_le_bytes());
        assert_eq!(os.open(6, "S:", [28, 7]), 147, "one byte too many");
        os.close(6);
        os.print(0, b"STILL ALIVE\n");
    }
}

#[test]
fn the_ram_under_the_os_takes_a_copy_of_it() {
    let mut os = os(Model::Xl800);
    // SEI; NMIEN = 0; each byte of $C000-$CFFF and $D800-$FFFF read with the ROM in and written with it out; NMIEN = $40; CLI; RTS
    os.poke(
        0x4000,
        &[
            0x78, 0xA9, 0, 0x8D, 0x0E, 0xD4, 0x85, 0xCB, 0xA9, 0xC0, 0x85, 0xCC, 0xA0, 0, 0xAD,
            0x01, 0xD3, 0x09, 1, 0x8D, 0x01, 0xD3, 0xB1, 0xCB, 0xAA, 0xAD, 0x01, 0xD3, 0x29, 0xFE,
            0x8D, 0x01, 0xD3, 0x8A, 0x91, 0xCB, 0xC8, 0xD0, 0xE7, 0xE6, 0xCC, 0xA5, 0xCC, 0xF0, 8,
            0xC9, 0xD0, 0xD0, 0xDD, 0xA9, 0xD8, 0x85, 0xCC, 0xD0, 0xD7, 0xA9, 0x40, 0x8D, 0x0E,
            0xD4, 0x58, 0x60,
        ],
    );
    os.call(0x4000, Registers::default());
    assert_eq!(os.peek(0xD301) & 1, 0, "the ROM is out");
    // Its own character in the set, and a patched entry: both would be impossible in ROM.
    os.poke(0xE000, &[0xAA]);
    assert_eq!(os.peek(0xE000), 0xAA);
    let clock = os.peek(0x14);
    os.run(10);
    assert_eq!(os.peek(0x14), clock.wrapping_add(10));
    os.print(0, b"IN RAM\n");
    assert_eq!(os.open(6, "S:", [28, 8]), 1);
    os.machine.input.key = Some(0x3F);
    os.run(3);
    assert_eq!(os.peek(0x02FC), 0x3F);
    os.machine.input.key = None;
    os.machine.reset();
    os.run(120);
    assert_eq!(os.peek(0xD301) & 1, 1, "RESET brings the ROM back");
    assert_eq!((os.peek(0x08), os.peek(0xE000)), (0xFF, 0));
}

#[test]
fn sectors_go_to_any_buffer() {
    for model in BOTH {
        let mut os = os(model);
        let mut disk = tests::calls::idle_disk();
        let data: Vec<u8> = (0..128).map(|i| (i * 5 + 1) as u8).collect();
        assert!(disk.write_sector(720, &data));
        os.machine.insert_disk(0, disk);
        for buffer in [0x0500u16, 0x40F1, 0x50FF, 0x9380] {
            // What lies around stays.
            os.poke(buffer - 1, &[0x99]);
            os.poke(buffer + 128, &[0x98]);
            os.poke(0x0301, &[1, b'R']);
            os.poke(0x0304, &buffer.to_le_bytes());
            os.poke(0x030A, &720u16.to_le_bytes());
            let after = os.call(0xE453, Registers::default());
            assert_eq!((after.y, after.p & 0x80), (1, 0));
            for (i, &byte) in data.iter().enumerate() {
                assert_eq!(os.peek(buffer + i as u16), byte);
            }
            assert_eq!(
                (os.peek(buffer - 1), os.peek(buffer + 128)),
                (0x99, 0x98),
                "${buffer:04X}"
            );
            assert_eq!((os.word(0x0308), os.peek(0x0300)), (128, 0x31));
        }
    }
}

/// SIOV with a DCB: device, unit, command, direction, buffer, timeout, length, AUX. Returns the status.
fn siov(os: &mut Os, head: [u8; 4], buffer: u16, timeout: u8, length: u16, aux: u16) -> u8 {
    os.poke(0x0300, &head);
    os.poke(0x0304, &buffer.to_le_bytes());
    os.poke(0x0306, &[timeout, 0]);
    os.poke(0x0308, &length.to_le_bytes());
    os.poke(0x030A, &aux.to_le_bytes());
    let after = os.call(0xE459, Registers::default());
    assert_eq!((after.y, after.p >> 7), (os.peek(0x0303), after.y >> 7));
    after.y
}

#[test]
fn programs_may_fill_the_control_block_themselves() {
    for model in BOTH {
        let mut os = os(model);
        os.poke(0x4100, &[0xE7; 128]);
        assert_eq!(siov(&mut os, [0x31, 1, b'P', 0x80], 0x4100, 7, 128, 300), 1);
        assert_eq!(siov(&mut os, [0x31, 1, b'R', 0x40], 0x4300, 7, 128, 300), 1);
        assert_eq!((os.peek(0x4300), os.peek(0x437F)), (0xE7, 0xE7));
        assert_eq!(siov(&mut os, [0x31, 1, b'S', 0x40], 0x4400, 7, 4, 0), 1);
        // A command the drive does not know, a drive that is not there, a sector that is not there.
        assert_eq!(siov(&mut os, [0x31, 1, 0x7E, 0], 0x4400, 7, 0, 0), 139);
        assert_eq!(siov(&mut os, [0x31, 7, b'S', 0x40], 0x4400, 1, 4, 0), 138);
        assert!(siov(&mut os, [0x31, 1, b'R', 0x40], 0x4300, 7, 128, 0) >= 138);
        // Fewer bytes than the drive sends: the checksum cannot be right. More: it never comes.
        assert_eq!(
            siov(&mut os, [0x31, 1, b'R', 0x40], 0x4300, 7, 64, 300),
            143
        );
        assert!(siov(&mut os, [0x31, 1, b'R', 0x40], 0x4300, 2, 256, 300) >= 138);
        assert_eq!(siov(&mut os, [0x31, 1, b'R', 0x40], 0x4300, 7, 128, 300), 1);
        assert_eq!(os.peek(0x42), 0, "CRITIC");
        // A disk without a notch cannot be written; the drive's status says so in its bit 3.
        let mut disk = tests::calls::idle_disk();
        disk.set_write_protected(true);
        os.machine.insert_disk(0, disk);
        assert_eq!(
            siov(&mut os, [0x31, 1, b'W', 0x80], 0x4100, 7, 128, 300),
            144
        );
        assert_eq!(siov(&mut os, [0x31, 1, b'S', 0x40], 0x4400, 7, 4, 0), 1);
        assert_eq!(os.peek(0x4400) & 8, 8);
    }
}

#[test]
fn a_disk_that_the_host_protects_is_neither_written_nor_formatted() {
    for model in BOTH {
        let mut os = os(model);
        let mut disk = tests::calls::idle_disk();
        assert!(disk.write_sector(7, &[0x77; 128]));
        let file = disk.to_bytes();
        os.machine.insert_disk(0, disk);
        os.machine.set_fast_drives(true);
        // The protection comes while the disk is in the drive, as when its file turns out to be read-only.
        os.machine.disk_mut(0).unwrap().set_write_protected(true);
        os.poke(0x4100, &[0xE7; 128]);
        // DSKINV ($E453): the write ends with 144, the status that follows shows bit 3.
        os.poke(0x0301, &[1, b'W']);
        os.poke(0x0304, &0x4100u16.to_le_bytes());
        os.poke(0x030A, &7u16.to_le_bytes());
        assert_eq!(os.call(0xE453, Registers::default()).y, 144);
        os.poke(0x0301, &[1, b'S']);
        assert_eq!(os.call(0xE453, Registers::default()).y, 1);
        assert_eq!(os.peek(0x02EA) & 8, 8, "DVSTAT");
        assert_eq!(
            siov(&mut os, [0x31, 1, b'!', 0x40], 0x4400, 200, 128, 0),
            144
        );
        // Reading works, and the file is what it was.
        assert_eq!(siov(&mut os, [0x31, 1, b'R', 0x40], 0x4300, 7, 128, 7), 1);
        assert_eq!((os.peek(0x4300), os.peek(0x437F)), (0x77, 0x77));
        assert!(os.machine.disk(0).unwrap().to_bytes() == file);
        os.machine.disk_mut(0).unwrap().set_write_protected(false);
        assert_eq!(siov(&mut os, [0x31, 1, b'W', 0x80], 0x4100, 7, 128, 7), 1);
        assert_eq!(
            os.machine.disk(0).unwrap().sector(7),
            Some(&[0xE7; 128][..])
        );
    }
}

#[test]
fn ciov_refuses_what_is_no_iocb_and_no_command() {
    for model in BOTH {
        let mut os = os(model);
        for x in [0x01, 0x0F, 0x18, 0x80, 0x90, 0xF0, 0xFF] {
            let after = os.call(
                0xE456,
                Registers {
                    a: 1,
                    x,
                    ..Registers::default()
                },
            );
            assert_eq!((after.y, after.x, after.p & 0x81), (134, x, 0x81));
        }
        for command in 0..3 {
            assert_eq!(os.cio(5, command, 0x0600, 0, [0, 0]).0, 132);
        }
        for command in 4..12 {
            assert_eq!(os.cio(5, command, 0x0600, 1, [12, 0]).0, 133, "{command}");
        }
        assert_eq!(os.cio(5, 12, 0x0600, 0, [0, 0]).0, 1);
    }
}

/// A small generator of numbers that look random.
fn next(state: &mut u32) -> u32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *state >> 8
}

#[test]
fn devices_survive_any_command() {
    // Commands with every device (but FILL, which may take minutes), with senseless lengths and positions: each call ends, with a status, and the
    // machine continues.
    for model in BOTH {
        let mut os = os(model);
        os.poke(0x02DB, &[if model.is_xl() { 255 } else { 0 }]);
        let mut state = 4711;
        for round in 0..700 {
            let name = ["E:", "S:", "K:", "P:", "E", "S9"][next(&mut state) as usize % 6];
            let iocb = 1 + next(&mut state) as u8 % 7;
            os.close(iocb);
            let aux = [next(&mut state) as u8 & 0x3D, next(&mut state) as u8 & 0x3F];
            let status = os.open(iocb, name, aux);
            assert!(status == 1 || status >= 128, "{name} {aux:?}");
            for _ in 0..4 {
                let command = [5, 7, 9, 11, 13, 17, 19, 200][next(&mut state) as usize % 8];
                // A record read from pixels ends with an EOL that never comes.
                let command = if name.starts_with('S') && command == 5 {
                    7
                } else {
                    command
                };
                let length = next(&mut state) as u16 % 50;
                os.poke(0x55, &[next(&mut state) as u8, next(&mut state) as u8 & 1]);
                os.poke(0x54, &[next(&mut state) as u8]);
                os.poke(0x4000, &[0x21; 50]);
                os.poke(0x02FC, &[0x0C]); // a RETURN for whoever wants a key
                let keys = name.starts_with(['E', 'K']) && (command == 5 || command == 7);
                let aux0 = if keys { aux[0] | 1 } else { aux[0] };
                let base = 0x0340 + u16::from(iocb) * 16;
                os.poke(base + 2, &[command]);
                os.poke(base + 4, &0x4000u16.to_le_bytes());
                os.poke(base + 8, &length.to_le_bytes());
                os.poke(base + 10, &[aux0, aux[1]]);
                let registers = Registers {
                    a: 0x41,
                    x: iocb * 16,
                    ..Registers::default()
                };
                let after = os.try_call(0xE456, registers, 900);
                let after = after.unwrap_or_else(|| {
                    panic!("round {round}: {name} {aux:?} command {command} length {length}")
                });
                assert!(after.y == 1 || after.y >= 128, "{name} {command}");
                assert_eq!(after.x, iocb * 16);
            }
        }
        os.machine.take_printed();
        assert_eq!(os.open(1, "E:", [12, 0]) & 0x7F, os.peek(0x0353) & 0x7F);
    }
}

/// An 8K cartridge whose flags are `option`; start and init count at $0680 and $0681, start loops at $A010.
fn rom(size: usize, option: u8) -> Vec<u8> {
    let mut rom = vec![0xFF; size];
    let top = size - 0x2000;
    rom[top..top + 4].copy_from_slice(&[0xEE, 0x81, 0x06, 0x60]);
    rom[top + 0x10..top + 0x16].copy_from_slice(&[0xEE, 0x80, 0x06, 0x4C, 0x13, 0xA0]);
    rom[size - 6..].copy_from_slice(&[0x10, 0xA0, 0x00, option, 0x00, 0xA0]);
    rom
}

#[test]
fn a_cartridge_of_16k_lowers_the_top_of_memory_and_starts() {
    for model in BOTH {
        let mut config = tests::config(model, Tv::Ntsc, false);
        config.cartridge = Some(media::cartridge::Cartridge::from_rom(&rom(0x4000, 4)).unwrap());
        let mut machine = Machine::new(&config).unwrap();
        for _ in 0..120 {
            machine.run_frame();
        }
        assert_eq!((machine.peek(0x0680), machine.peek(0x0681)), (1, 1));
        assert_eq!((machine.peek(0x6A), machine.peek(0x02E4)), (0x80, 0x80));
        assert_eq!(machine.peek_word(0x58), 0x8000 - 960);
        machine.reset();
        for _ in 0..120 {
            machine.run_frame();
        }
        assert_eq!(
            (machine.peek(0x0680), machine.peek(0x0681), machine.peek(8)),
            (2, 2, 0xFF),
            "both are called again on RESET"
        );
    }
}

/// An 8K cartridge in the right slot of an 800, like [`rom`]: start loops at $8010.
fn right(option: u8) -> media::cartridge::Cartridge {
    let mut rom = rom(0x2000, option);
    rom[0x15] = 0x80;
    rom[0x1FFB] = 0x80;
    rom[0x1FFF] = 0x80;
    media::cartridge::Cartridge {
        kind: media::cartridge::Kind::Right8,
        rom,
    }
}

#[test]
fn a_right_cartridge_is_started_and_may_ask_for_the_disk() {
    for (option, basic, booted, loops) in [
        (4u8, false, false, true),
        (5, false, true, true),
        (1, false, true, false),
        // With BASIC in the left slot that one decides, and is started.
        (4, true, true, false),
    ] {
        let mut config = tests::config(Model::Atari800, Tv::Ntsc, basic);
        config.cartridge = Some(right(option));
        let mut machine = Machine::new(&config).unwrap();
        machine.insert_disk(0, tests::calls::idle_disk());
        for _ in 0..240 {
            machine.run_frame();
        }
        let what = format!("option {option} basic {basic}");
        assert_eq!(machine.peek(0x0681), 1, "init, {what}");
        assert_eq!(machine.peek(0x0680), u8::from(loops), "start, {what}");
        assert_eq!(
            (machine.peek(0x06), machine.peek(0x07)),
            (u8::from(basic), 1),
            "{what}"
        );
        assert_eq!(machine.peek(0x09), u8::from(booted), "BOOT?, {what}");
        assert_eq!(
            (machine.peek(0x6A), machine.peek(0x02E4)),
            (0x80, 0x80),
            "{what}"
        );
    }
}

#[test]
fn pixels_past_the_edges_are_refused() {
    for model in BOTH {
        // Mode, columns, rows of the full screen: they count in split mode, too.
        for (mode, columns, rows) in [
            (0u8, 40u16, 24u8),
            (1, 20, 24),
            (2, 20, 12),
            (3, 40, 24),
            (4, 80, 48),
            (5, 80, 48),
            (6, 160, 96),
            (7, 160, 96),
            (8, 320, 192),
            (9, 80, 192),
        ] {
            for split in [0, 0x10] {
                let mut os = os(model);
                assert_eq!(os.open(6, "S:", [0x0C | split, mode]), 1);
                for (column, row, status) in [
                    (columns - 1, 0, 1),
                    (columns, 0, 141),
                    (0, rows, 141),
                    (0, 255, 141),
                    (65535, 0, 141),
                    (0, rows - 1, 1),
                ] {
                    os.position(column, row);
                    assert_eq!(os.get(6).0, status, "mode {mode}: {column}, {row}");
                    os.position(column, row);
                    assert_eq!(os.put(6, 1), status, "mode {mode}: {column}, {row}");
                    os.position(column, row);
                    if status == 141 {
                        assert_eq!(os.cio(6, 17, 0, 0, [12, 0]).0, 141);
                    }
                }
            }
        }
    }
}
