//! The guarantees of the loader of binary files to a program: all memory, registers, a way back.
use machine::{Config, Model, Tv};
use media::xex::{INITAD, RUNAD, Segment, Xex};
use tests::Atari;

const MODELS: [Model; 4] = [Model::Xl800, Model::Xe130, Model::Atari800, Model::Atari400];
const DOSVEC: u16 = 0x000A;
const RTCLOK: u16 = 0x0014;
const SDMCTL: u16 = 0x022F;
const COLOR4: u16 = 0x02C8;
const CH: u16 = 0x02FC;

fn segment(start: u16, data: &[u8]) -> Segment {
    Segment {
        start,
        data: data.to_vec(),
    }
}

fn file(segments: Vec<Segment>) -> Vec<u8> {
    let flaw = None;
    Xex { segments, flaw }.to_bytes()
}

fn word(address: u16) -> Segment {
    segment(RUNAD, &address.to_le_bytes())
}

fn init(address: u16) -> Segment {
    segment(INITAD, &address.to_le_bytes())
}

/// A machine that has started the file.
fn started(config: &Config, file: &[u8], host: bool) -> Atari {
    let mut atari = Atari::with_xex(config, file);
    if host {
        atari.machine.attach_host(true);
    }
    run_to_start(&mut atari);
    atari
}

fn run_to_start(atari: &mut Atari) {
    for _ in 0..900 {
        atari.run(1);
        if atari.machine.program_started() {
            atari.run(2);
            return;
        }
    }
    panic!("the file was not started:\n{}", atari.text());
}

/// A routine at `at` that fills the ranges (first, last) with low ^ high ^ key of the address.
fn filler(at: u16, ranges: &[(u16, u16)], key: u8) -> Segment {
    let mut code = Vec::new();
    for &(first, last) in ranges {
        let [low, high] = first.to_le_bytes();
        if first >> 8 == last >> 8 {
            // LDY #low; TYA; EOR #; STA page,Y; INY; CPY #; BNE
            let end = (last as u8).wrapping_add(1);
            code.extend([0xA0, low, 0x98, 0x49, high ^ key, 0x99, 0x00, high]);
            code.extend([0xC8, 0xC0, end, 0xD0, 0xF5]);
            continue;
        }
        assert_eq!((low, last as u8), (0, 0xFF), "whole pages");
        // LDX #high; STX store+2; LDY #0; TYA; EOR store+2; EOR #key; STA page,Y; INY; BNE; INX; CPX #; BNE
        let store = at + code.len() as u16 + 14;
        let [sl, sh] = (store + 1).to_le_bytes();
        code.extend([
            0xA2,
            high,
            0x8E,
            sl + 1,
            sh,
            0xA0,
            0,
            0x98,
            0x4D,
            sl + 1,
            sh,
            0x49,
            key,
        ]);
        code.extend([0xEA, 0x99, 0x00, 0x00, 0xC8, 0xD0, 0xF3]);
        code.extend([0xE8, 0xE0, (last >> 8) as u8 + 1, 0xD0, 0xE9]);
    }
    code.push(0x60);
    segment(at, &code)
}

/// Page 0 from $80 and pages 2 to `top`, but the OS's vectors, GINTLK (an XL stops when it is not TRIG3), and the routine's page.
fn ranges(routine: u8, top: u8) -> Vec<(u16, u16)> {
    let mut all = vec![
        (0x0080, 0x00FF),
        (0x022A, 0x0235),
        (0x023A, 0x02DF),
        (0x02E4, 0x02FF),
        (0x0300, 0x03F9),
        (0x03FB, 0x03FF),
    ];
    for (first, last) in [(4, routine - 1), (routine + 1, top)] {
        if first <= last {
            all.push((u16::from(first) << 8, u16::from(last) << 8 | 0xFF));
        }
    }
    all
}

/// Files whose INIT routines overwrite everything: fillers in page $30 and in page 4 in turn, then a RUN routine in page 6.
fn hog(top: u8) -> Vec<u8> {
    let mut segments = Vec::new();
    for round in 0..3u8 {
        segments.push(filler(0x3000, &ranges(0x30, top), 0x11 * round));
        segments.push(init(0x3000));
        segments.push(filler(0x0400, &ranges(0x04, top), 0x55 + round));
        segments.push(init(0x0400));
    }
    // INC $06F0; JMP *
    segments.push(segment(0x0680, &[0xEE, 0xF0, 0x06, 0x4C, 0x83, 0x06]));
    segments.push(word(0x0680));
    file(segments)
}

#[test]
fn a_program_may_overwrite_all_memory_while_it_loads() {
    for model in MODELS {
        for (tv, host) in [(Tv::Ntsc, false), (Tv::Ntsc, true), (Tv::Pal, false)] {
            let config = tests::config(model, tv, false);
            let atari = started(&config, &hog(0xCF), host);
            let top = if model.is_xl() {
                0xBFFF
            } else {
                model.ram() as u16 - 1
            };
            let own = |a: u16| (0x0400..0x0500).contains(&a) || (0x0680..0x0700).contains(&a);
            for address in (0x80..=0xFF).chain(0x0500..=top).filter(|&a| !own(a)) {
                let [low, high] = address.to_le_bytes();
                assert_eq!(
                    atari.machine.peek(address),
                    low ^ high ^ 0x57,
                    "{model:?} {tv:?} host {host} at ${address:04X}"
                );
            }
            assert_eq!(atari.machine.peek(0x06F0), (0xF0 ^ 0x06 ^ 0x57) + 1);
        }
    }
}

#[test]
fn init_may_leave_the_os_switched_off_and_segments_load_below_it() {
    // SEI; NMIEN = 0; PORTB = $FE, and the way back.
    let off = [
        0x78, 0xA9, 0, 0x8D, 0x0E, 0xD4, 0xA9, 0xFE, 0x8D, 0x01, 0xD3, 0x60,
    ];
    let on = [
        0xA9, 0xFF, 0x8D, 0x01, 0xD3, 0xA9, 0x40, 0x8D, 0x0E, 0xD4, 0x58, 0x60,
    ];
    for model in [Model::Xl800, Model::Xe130] {
        for host in [false, true] {
            let bytes = file(vec![
                segment(0x2000, &off),
                init(0x2000),
                segment(0xC000, &[0xA5; 0x1000]),
                segment(0xD800, &[0x5A; 0x2800]),
                segment(0x2000, &on),
                init(0x2000),
                segment(0x2000, &[0x4C, 0x00, 0x20]),
            ]);
            let mut atari = started(&tests::config(model, Tv::Ntsc, false), &bytes, host);
            let clock = atari.machine.peek(RTCLOK);
            atari.run(5);
            assert_ne!(atari.machine.peek(RTCLOK), clock, "the OS is back");
            let ram = atari.machine.bus().memory.ram();
            assert!(ram[0xC000..0xD000].iter().all(|&b| b == 0xA5));
            assert!(ram[0xD800..].iter().all(|&b| b == 0x5A));
        }
    }
}

#[test]
fn segments_go_to_the_bank_that_init_has_chosen() {
    let bank = |portb: u8| {
        vec![
            segment(0x0600, &[0xA9, portb, 0x8D, 0x01, 0xD3, 0x60]),
            init(0x0600),
        ]
    };
    let mut segments = Vec::new();
    for number in 0..4u8 {
        segments.extend(bank(0xE3 | number << 2));
        segments.push(segment(0x4000, &[number + 1; 0x4000]));
    }
    segments.extend(bank(0xFF));
    segments.push(segment(0x4000, &[0x77; 0x4000]));
    segments.push(segment(0x0600, &[0x4C, 0x00, 0x06]));
    segments.push(word(0x0600));
    let atari = started(
        &tests::config(Model::Xe130, Tv::Ntsc, false),
        &file(segments),
        false,
    );
    let memory = &atari.machine.bus().memory;
    for (number, bank) in (1..).zip(memory.extended().chunks(0x4000)) {
        assert!(bank.iter().all(|&b| b == number), "bank {number}");
    }
    assert!(memory.ram()[0x4000..0x8000].iter().all(|&b| b == 0x77));
}

#[test]
fn init_may_read_and_write_the_whole_parallel_bus() {
    // LDX #0; LDA $D100,X; STA $D100,X; LDA #0; STA $D100,X; INX; BNE; RTS. $D1FF stays as it was.
    let code = [
        0xA2, 0, 0xBD, 0x00, 0xD1, 0x9D, 0x00, 0xD1, 0xA9, 0, 0x9D, 0x00, 0xD1, 0xE8, 0xD0, 0xF2,
        0x60,
    ];
    for model in MODELS {
        for host in [false, true] {
            let bytes = file(vec![
                segment(0x0600, &code),
                init(0x0600),
                segment(0xD100, &[0; 0x100]),
                segment(0x0680, &[0xA9, 0x5A, 0x8D, 0x00, 0x06, 0x4C, 0x85, 0x06]),
                word(0x0680),
            ]);
            let atari = started(&tests::config(model, Tv::Ntsc, false), &bytes, host);
            assert_eq!(atari.machine.peek(0x0600), 0x5A, "{model:?} host {host}");
        }
    }
}

/// PHP; STA, STX, STY; PLA; STA: what the registers are, to `to`.
fn registers(to: u8) -> Vec<u8> {
    vec![
        0x08,
        0x8D,
        to,
        6,
        0x8E,
        to + 1,
        6,
        0x8C,
        to + 2,
        6,
        0x68,
        0x8D,
        to + 3,
        6,
    ]
}

#[test]
fn run_and_init_are_called_with_carry_and_decimal_clear_and_y_1() {
    for config in MODELS.map(|model| tests::config(model, Tv::Ntsc, false)) {
        let mut routine = registers(0x00);
        // What INIT leaves must not reach RUN: SEC; SED; LDX #$FF; LDY #$FF; RTS
        routine.extend([0x38, 0xF8, 0xA2, 0xFF, 0xA0, 0xFF, 0x60]);
        let mut run = registers(0x10);
        run.push(0x60);
        let bytes = file(vec![
            segment(0x2000, &routine),
            init(0x2000),
            segment(0x2000, &run),
            word(0x2000),
        ]);
        let atari = started(&config, &bytes, false);
        for at in [0x0600, 0x0610] {
            let found = [0, 1, 2, 3].map(|i| atari.machine.peek(at + i));
            assert_eq!(found, [0, 0, 1, 0x30], "{:?}: A, X, Y, flags", config.model);
        }
    }
}

/// Sets the background, counts at $0600 and returns.
const RETURNS: [u8; 9] = [0xA9, 0x94, 0x8D, 0xC8, 0x02, 0xEE, 0x00, 0x06, 0x60];

#[test]
fn a_program_that_returns_leaves_its_picture_and_a_machine_alive() {
    let ways: [&[u8]; 3] = [
        &RETURNS,
        &[
            0xA9, 0x94, 0x8D, 0xC8, 0x02, 0xEE, 0x00, 0x06, 0x6C, 0x0A, 0x00,
        ], // JMP (DOSVEC)
        &[0xA9, 0x94, 0x8D, 0xC8, 0x02, 0xEE, 0x00, 0x06, 0x78, 0x60], // SEI; RTS
    ];
    for model in MODELS {
        for way in ways {
            let bytes = file(vec![
                segment(0x0600, &[0]),
                segment(0x2000, way),
                word(0x2000),
            ]);
            let config = tests::config(model, Tv::Ntsc, false);
            let mut atari = started(&config, &bytes, false);
            atari.run(100);
            let seen = |atari: &Atari| (atari.machine.peek(0x0600), atari.machine.peek(COLOR4));
            assert!(atari.machine.program_ended());
            assert_eq!(
                seen(&atari),
                (1, 0x94),
                "{model:?}: started once, its picture is there"
            );
            let border = atari.machine.frame().pixels()[0];
            assert_eq!(border, 0x94);
            let waits = (0..30_000).any(|_| {
                atari.machine.step_cycle();
                atari.machine.cpu.pc == 0x01FD
            });
            assert!(waits, "{model:?}: a loop at the top of the stack");
            let clock = atari.machine.peek(RTCLOK);
            atari.machine.input.key = Some(0x3F); // A
            atari.run(5);
            atari.machine.input.key = None;
            assert_ne!(atari.machine.peek(RTCLOK), clock);
            assert_eq!(atari.machine.peek(CH), 0x3F);
            // RESET starts it again.
            atari.machine.poke(COLOR4, 0x46);
            atari.machine.reset();
            assert!(!atari.machine.program_ended());
            run_to_start(&mut atari);
            atari.run(10);
            assert!(atari.machine.program_ended());
            assert_eq!(seen(&atari), (1, 0x94), "{model:?} after RESET");
        }
    }
}

#[test]
fn a_program_that_returns_comes_back_to_basic() {
    for model in MODELS {
        for host in [false, true] {
            let bytes = file(vec![
                segment(0x0600, &[0]),
                segment(0x2000, &RETURNS),
                word(0x2000),
            ]);
            let config = tests::config(model, Tv::Ntsc, true);
            let mut atari = started(&config, &bytes, host);
            atari.expect_text("READY", 300);
            assert!(atari.machine.program_ended());
            assert_eq!(atari.machine.peek(COLOR4), 0x94);
            atari.type_text("PRINT PEEK(1536)*42\n");
            atari.expect_text("  42", 60);
            atari.type_text("10 PRINT \"STILL HERE\"\n");
            atari.machine.reset();
            atari.run(30);
            atari.expect_text("READY", 300);
            assert_eq!(
                atari.machine.peek(0x0600),
                1,
                "{model:?}: it is not started again"
            );
            atari.type_text("RUN\n");
            atari.expect_text("STILL HERE", 60);
            // DOS has nothing to go to.
            atari.type_text("DOS\n");
            atari.run(30);
            atari.expect_text("READY", 300);
            assert_eq!(atari.machine.peek(0x0600), 1);
        }
    }
}

#[test]
fn a_program_that_leaves_through_dosvec_comes_back_to_basic() {
    // INC $0600; fills zero page from $80 and sets a colour; JMP (DOSVEC).
    let code = [
        0xEE, 0x00, 0x06, 0xA2, 0x80, 0xA9, 0x55, 0x95, 0x00, 0xE8, 0xD0, 0xFB, 0x8D, 0xC8, 0x02,
        0x6C, 0x0A, 0x00,
    ];
    for model in MODELS {
        let bytes = file(vec![
            segment(0x0600, &[0]),
            segment(0x2000, &code),
            word(0x2000),
        ]);
        let mut atari = started(&tests::config(model, Tv::Ntsc, true), &bytes, false);
        atari.expect_text("READY", 300);
        assert!(atari.machine.program_ended());
        atari.type_text("10 PRINT \"HERE\";PEEK(1536)\n");
        atari.type_text("RUN\n");
        atari.expect_text("HERE1", 120);
        atari.machine.reset();
        atari.run(60);
        atari.type_text("RUN\n");
        atari.expect_text("HERE1", 300);
        assert_eq!(atari.machine.peek(0x0600), 1, "{model:?}: once");
    }
}

#[test]
fn with_basic_reset_starts_a_program_again_that_has_not_returned() {
    for model in MODELS {
        let bytes = file(vec![
            segment(0x2000, &[0xA9, 0x94, 0x8D, 0xC8, 0x02, 0x4C, 0x05, 0x20]),
            word(0x2000),
        ]);
        let mut atari = started(&tests::config(model, Tv::Ntsc, true), &bytes, false);
        atari.machine.reset();
        run_to_start(&mut atari);
        assert_eq!(atari.machine.peek(COLOR4), 0x94, "{model:?}");
    }
}

#[test]
fn a_warm_start_by_the_program_ends_it_and_a_cold_start_loads_it_again() {
    for model in MODELS {
        let config = tests::config(model, Tv::Ntsc, false);
        // LDA #$5A; STA $0600; JMP WARMSV
        let code = [0xA9, 0x5A, 0x8D, 0x00, 0x06, 0x4C, 0x74, 0xE4];
        let mut atari = started(
            &config,
            &file(vec![segment(0x2000, &code), word(0x2000)]),
            false,
        );
        atari.run(60);
        assert!(atari.machine.program_ended(), "{model:?}");
        atari.machine.poke(0x0600, 0);
        atari.run(60);
        assert_eq!(atari.machine.peek(0x0600), 0, "{model:?}: once");
        atari.machine.cpu.set_pc(0xE477);
        atari.run(600);
        assert_eq!(atari.machine.peek(0x0600), 0x5A, "{model:?}: loaded again");
        assert!(atari.machine.program_ended());
    }
}

#[test]
fn a_file_that_has_done_its_work_in_init_has_ended() {
    let bytes = file(vec![
        segment(0x0600, &[0]),
        segment(0x2000, &RETURNS),
        init(0x2000),
    ]);
    let mut atari = started(&tests::config(Model::Xl800, Tv::Ntsc, false), &bytes, false);
    atari.run(10);
    assert!(atari.machine.program_ended());
    assert_eq!(atari.machine.peek(0x0600), 1);
}

#[test]
fn init_may_set_runad_itself_and_a_segment_may_fill_the_stack_page() {
    // RUNAD = $2000
    let sets = [
        0xA9, 0, 0x8D, 0xE0, 0x02, 0xA9, 0x20, 0x8D, 0xE1, 0x02, 0x60,
    ];
    let bytes = file(vec![
        segment(0x2000, &RETURNS),
        segment(0x0600, &[0]),
        segment(0x2100, &sets),
        init(0x2100),
        segment(0x0100, &[0xEE; 0x100]),
    ]);
    let mut atari = started(&tests::config(Model::Xl800, Tv::Ntsc, false), &bytes, false);
    atari.run(10);
    assert_eq!(atari.machine.peek(0x0600), 1);
    assert!(atari.machine.program_ended());
}

#[test]
fn segments_may_go_to_registers_and_their_shadows() {
    for model in MODELS {
        for tv in [Tv::Ntsc, Tv::Pal] {
            // The picture off while it loads, colours, NMIEN; then LDA #$22; STA SDMCTL; STA $0600; JMP to itself.
            let code = [
                0xA9, 0x22, 0x8D, 0x2F, 0x02, 0x8D, 0x00, 0x06, 0x4C, 0x08, 0x20,
            ];
            let bytes = file(vec![
                segment(SDMCTL, &[0]),
                segment(COLOR4, &[0x34]),
                segment(0xD01A, &[0x56]),
                segment(0xD40E, &[0x40]),
                segment(0x2000, &code),
                word(0x2000),
            ]);
            let mut atari = started(&tests::config(model, tv, false), &bytes, false);
            atari.run(10);
            let seen = [0x0600, SDMCTL, COLOR4].map(|at| atari.machine.peek(at));
            assert_eq!(seen, [0x22, 0x22, 0x34], "{model:?} {tv:?}");
            assert_eq!(atari.machine.frame().pixels()[0], 0x34);
        }
    }
}

#[test]
fn one_segment_may_set_both_vectors_and_every_segment_may_have_a_header() {
    // INIT: INC $0600; RTS. RUN: INC $0601; RTS.
    let code = [0xEE, 0x00, 0x06, 0x60, 0xEE, 0x01, 0x06, 0x60];
    let bytes: Vec<u8> = [
        segment(0x0600, &[0, 0]),
        segment(0x2000, &code),
        segment(RUNAD, &[0x04, 0x20, 0x00, 0x20]),
        segment(0x3000, &[1]),
        init(0x2000),
    ]
    .into_iter()
    .flat_map(|segment| [vec![0xFF, 0xFF], file(vec![segment])].concat())
    .collect();
    for model in MODELS {
        let mut atari = started(&tests::config(model, Tv::Ntsc, false), &bytes, false);
        atari.run(10);
        let calls = [0x0600, 0x0601].map(|at| atari.machine.peek(at));
        assert_eq!(calls, [2, 1], "{model:?}: INIT and RUN");
    }
}

#[test]
fn init_may_leave_all_interrupts_off() {
    // SEI; LDA #0; STA NMIEN; STA IRQEN; RTS
    let off = [0x78, 0xA9, 0, 0x8D, 0x0E, 0xD4, 0x8D, 0x0E, 0xD2, 0x60];
    for model in MODELS {
        let bytes = file(vec![
            segment(0x0600, &[0]),
            segment(0x2100, &off),
            init(0x2100),
            segment(0x2000, &RETURNS),
            segment(0x3000, &[0x77; 0x0F00]),
            word(0x2000),
        ]);
        let mut atari = started(&tests::config(model, Tv::Ntsc, false), &bytes, false);
        atari.run(10);
        let seen = [0x0600, 0x3EFF].map(|at| atari.machine.peek(at));
        assert_eq!(seen, [1, 0x77], "{model:?}");
    }
}

#[test]
fn a_vertical_blank_routine_of_init_plays_while_the_rest_is_loaded() {
    // LDY #<music; LDX #>music; LDA #7; JMP SETVBV; music: INC $0600; JMP XITVBV
    let music = [
        0xA0, 0x09, 0xA2, 0x21, 0xA9, 7, 0x4C, 0x5C, 0xE4, 0xEE, 0x00, 0x06, 0x4C, 0x62, 0xE4,
    ];
    for model in MODELS {
        let bytes = file(vec![
            segment(0x0600, &[0]),
            segment(0x2100, &music),
            init(0x2100),
            segment(0x2200, &[0x77; 0x1C00]),
            // The count at RUN: LDA $0600; STA $0601; JMP to itself.
            segment(
                0x2000,
                &[0xAD, 0x00, 0x06, 0x8D, 0x01, 0x06, 0x4C, 0x06, 0x20],
            ),
            word(0x2000),
        ]);
        let mut atari = started(&tests::config(model, Tv::Ntsc, false), &bytes, false);
        let (count, at_run) = (atari.machine.peek(0x0600), atari.machine.peek(0x0601));
        assert!(at_run > 0, "{model:?}: it has played before RUN");
        atari.run(50);
        assert_eq!(atari.machine.peek(0x0600), count.wrapping_add(50));
    }
}

#[test]
fn init_may_print_and_read_keys_and_wait() {
    // LDX #0; LDA #9; STA ICCOM; LDA #<text; STA ICBAL; LDA #>text; STA ICBAH; LDA #80; STA ICBLL; STX ICBLH; JSR CIOV; STY $0600;
    // wait for CH; then LDA #$FF; STA CH; RTS
    let code = [
        0xA2, 0, 0xA9, 9, 0x8D, 0x42, 0x03, 0xA9, 0x40, 0x8D, 0x44, 0x03, 0xA9, 0x21, 0x8D, 0x45,
        0x03, 0xA9, 80, 0x8D, 0x48, 0x03, 0x8E, 0x49, 0x03, 0x20, 0x56, 0xE4, 0x8C, 0x00, 0x06,
        0xAD, 0xFC, 0x02, 0xC9, 0xFF, 0xF0, 0xF9, 0xA9, 0xFF, 0x8D, 0xFC, 0x02, 0x60,
    ];
    for model in MODELS {
        let bytes = file(vec![
            segment(0x0600, &[0, 0]),
            segment(0x2100, &code),
            segment(0x2140, b"PRESS A KEY\x9B"),
            init(0x2100),
            // INC $0601; JMP to itself.
            segment(0x2000, &[0xEE, 0x01, 0x06, 0x4C, 0x03, 0x20]),
            word(0x2000),
        ]);
        let mut atari = Atari::with_xex(&tests::config(model, Tv::Ntsc, false), &bytes);
        atari.run(600);
        assert!(atari.text().contains("PRESS A KEY"), "{}", atari.text());
        assert!(!atari.machine.program_started());
        atari.machine.input.key = Some(0x3F);
        atari.run(5);
        atari.machine.input.key = None;
        run_to_start(&mut atari);
        let seen = [0x0600, 0x0601].map(|at| atari.machine.peek(at));
        assert_eq!(seen, [1, 1], "{model:?}");
    }
}

#[test]
fn init_may_keep_the_machine_and_a_program_may_catch_reset() {
    // LDX #$FF; TXS; LDA #<again; STA DOSINI; LDA #>again; STA DOSINI+1; LDA #1; STA BOOT?; INC $0600; JMP to itself;
    // again: INC $0601; JMP to itself.
    let code = [
        0xA2, 0xFF, 0x9A, 0xA9, 0x15, 0x85, 0x0C, 0xA9, 0x21, 0x85, 0x0D, 0xA9, 1, 0x85, 0x09,
        0xEE, 0x00, 0x06, 0x4C, 0x12, 0x21, 0xEE, 0x01, 0x06, 0x4C, 0x18, 0x21,
    ];
    for model in MODELS {
        let bytes = file(vec![
            segment(0x0600, &[0, 0]),
            segment(0x2100, &code),
            init(0x2100),
            segment(0x3000, &[1]),
        ]);
        let mut atari = Atari::with_xex(&tests::config(model, Tv::Ntsc, false), &bytes);
        atari.run(600);
        let seen = |atari: &Atari| [0x0600, 0x0601, 0x3000].map(|at| atari.machine.peek(at));
        assert_eq!(seen(&atari)[..2], [1, 0], "{model:?}");
        assert_ne!(seen(&atari)[2], 1, "the rest is not loaded");
        atari.machine.reset();
        atari.run(60);
        assert_eq!(seen(&atari)[1], 1, "{model:?}: RESET calls DOSINI");
    }
}

#[test]
fn a_cut_file_runs_as_far_as_it_goes() {
    let mut bytes = file(vec![
        segment(0x0600, &[0]),
        word(0x2000),
        segment(0x2000, &RETURNS),
    ]);
    let atari = started(&tests::config(Model::Xl800, Tv::Ntsc, false), &bytes, false);
    assert_eq!(atari.machine.peek(COLOR4), 0x94);
    // The segment says that it has 256 bytes.
    let at = bytes.len() - RETURNS.len() - 2;
    bytes[at..at + 2].copy_from_slice(&[0xFF, 0x20]);
    assert!(Xex::parse(&bytes).unwrap().flaw.is_some());
    let atari = started(&tests::config(Model::Xl800, Tv::Ntsc, false), &bytes, false);
    assert_eq!(atari.machine.peek(COLOR4), 0x94);
}

#[test]
fn the_running_program_sees_only_what_is_needed_to_come_back() {
    let bytes = file(vec![segment(0x2000, &[0x4C, 0x00, 0x20]), word(0x2000)]);
    let atari = started(&tests::config(Model::Xl800, Tv::Ntsc, false), &bytes, false);
    let shown = (0xD100..=0xD1FF).filter(|&a| atari.machine.peek(a) != 0xFF);
    assert!(shown.max().is_some_and(|last| last < 0xD150));
    assert_eq!(atari.machine.peek_word(DOSVEC) >> 8, 0xD1);
}

#[test]
fn a_state_saved_while_a_file_loads_goes_on() {
    let config = tests::config(Model::Xl800, Tv::Ntsc, false);
    let mut atari = Atari::with_xex(&config, &hog(0xCF));
    while atari.machine.cpu.pc >> 8 != 0xD1 {
        atari.machine.step_instruction();
    }
    for _ in 0..3 {
        atari.machine.run_cycles(31_237);
        let mut other = Atari::new(&config);
        other
            .machine
            .load_state(&atari.machine.save_state())
            .unwrap();
        other.run(500);
        let mut straight = atari.clone();
        straight.run(500);
        assert!(other.machine.save_state() == straight.machine.save_state());
        assert!(straight.machine.program_started());
    }
}

#[test]
fn a_file_starts_at_once_and_finds_a_cold_start_that_is_done() {
    // LDA COLDST, STA $06F0, LDA BOOT, STA $06F1, TSX, STX $06F2, LDA DOSVEC+1, STA $06F3, JMP to itself
    let code = [
        0xAD, 0x44, 0x02, 0x8D, 0xF0, 0x06, 0xA5, 0x09, 0x8D, 0xF1, 0x06, 0xBA, 0x8E, 0xF2, 0x06,
        0xA5, 0x0B, 0x8D, 0xF3, 0x06, 0x4C, 0x14, 0x20,
    ];
    let bytes = file(vec![segment(0x2000, &code), word(0x2000)]);
    for model in MODELS {
        for (basic, host) in [(false, false), (true, false), (false, true), (true, true)] {
            let mut atari = Atari::with_xex(&tests::config(model, Tv::Pal, basic), &bytes);
            if host {
                atari.machine.attach_host(true);
            }
            let mut frames = 0;
            while !atari.machine.program_started() {
                atari.run(1);
                frames += 1;
                // On a 400 or 800 the host folder is booted before.
                assert!(frames < 45, "{model:?}, BASIC {basic}, host {host}");
            }
            atari.run(2);
            let found = [0x06F0, 0x06F1, 0x06F2, 0x06F3].map(|cell| atari.machine.peek(cell));
            // With BASIC the OS waits for DOSINI to return.
            let (coldst, stack) = if basic { (0xFF, found[2]) } else { (0, 0xFD) };
            let case = format!("{model:?}, BASIC {basic}, host {host}, {frames} frames");
            assert_eq!(found, [coldst, 1, stack, 0xD1], "{case}");
            eprintln!("{case}");
        }
    }
}
