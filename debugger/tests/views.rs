//! The contents of the views.

mod common;

use common::{CALL, DLI, LIST, LOOP, SUB, running, tracked};
use debugger::{Breakpoints, Debugger, Step, Symbols, view};

#[test]
fn code_around_the_program_counter_has_labels_marks_and_breakpoints() {
    let (mut debugger, mut track) = (Debugger::default(), tracked(running()));
    debugger.step(&mut track, Step::To(CALL));
    debugger.symbols.add_hardware();
    debugger.symbols.add(LOOP, "LOOP");
    debugger.symbols.add(SUB, "SUB");
    debugger.breakpoints.toggle_pc(CALL + 3);
    let code = view::code_around(
        track.machine(),
        &debugger.symbols,
        &debugger.breakpoints,
        3,
        3,
    );
    let texts: Vec<&str> = code.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "NOP",
            "NOP",
            "INC $80",
            "JSR SUB",
            "LDA COLPM0",
            "CLC",
            "ADC $81"
        ]
        .map(|text| if text == "LDA COLPM0" {
            "LDA GRAFP3"
        } else {
            text
        })
    );
    assert_eq!(code.iter().position(|line| line.current), Some(3));
    assert_eq!(code.iter().position(|line| line.breakpoint), Some(4));
    assert_eq!(code[2].label.as_deref(), Some("LOOP"));
    assert_eq!(code[3].line(), " > E027  20 60 E0             JSR SUB");
}

#[test]
fn the_current_instruction_stays_marked_in_the_middle_of_it() {
    let (mut debugger, mut track) = (Debugger::default(), tracked(running()));
    debugger.step(&mut track, Step::To(CALL));
    let mut cycles = 0;
    while track.machine().cpu.opcode() != 0x20 || !track.machine().cpu.at_instruction_start() {
        debugger.step(&mut track, Step::Cycle);
        if !track.machine().cpu.at_instruction_start() {
            let code = view::code_around(
                track.machine(),
                &Symbols::default(),
                &Breakpoints::default(),
                0,
                0,
            );
            assert!(code[0].current && code[0].instruction.address == CALL);
            assert_eq!(view::Cpu::of(track.machine()).pc, CALL);
            cycles += 1;
        }
    }
    assert!(cycles >= 5);
}

#[test]
fn the_display_list_is_decoded_and_the_current_instruction_marked() {
    let (mut debugger, mut track) = (Debugger::default(), tracked(running()));
    debugger.step(&mut track, Step::Frame);
    let expected = [
        "8 blank",
        "8 blank",
        "8 blank DLI",
        "mode D LMS E300",
        "mode D",
        "mode D",
        "JVB E200",
    ];
    for (line, cycle, current) in [
        (0, 50, None),
        (8, 20, Some(0)),
        (16, 20, Some(1)),
        (31, 100, Some(2)),
        (32, 50, Some(3)),
        (34, 50, Some(4)),
        (38, 50, Some(6)),
        (250, 0, None),
    ] {
        debugger.step(&mut track, Step::Beam(line, cycle));
        let list = view::DisplayList::of(track.machine());
        let texts: Vec<String> = list.entries.iter().map(view::Entry::text).collect();
        assert_eq!(texts, expected, "line {line}");
        assert_eq!(list.current(), current, "line {line}");
        assert_eq!(list.entries[0].address, LIST);
    }
    let list = view::DisplayList::of(track.machine());
    assert_eq!(list.lines()[3], "  E203  4D  mode D LMS E300");
}

#[test]
fn chips_show_what_programs_wrote() {
    let (mut debugger, mut track) = (Debugger::default(), tracked(running()));
    debugger.step(&mut track, Step::DliRoutine);
    let antic = view::Antic::of(track.machine());
    assert_eq!(
        (antic.dmactl, antic.nmien, antic.nmist, antic.line),
        (0x22, 0xC0, 0x9F, 31)
    );
    assert_eq!(antic.instruction, 0xF0);
    debugger.step(&mut track, Step::Out);
    assert_eq!(view::Gtia::of(track.machine()).colours[8], 0x34);
    assert_eq!(view::Gtia::of(track.machine()).triggers[0], 1);
    let cpu = view::Cpu::of(track.machine());
    assert_eq!(cpu.pc, track.machine().cpu.pc);
    for lines in [
        cpu.lines(),
        antic.lines(),
        view::Gtia::of(track.machine()).lines(),
        view::Pokey::of(track.machine()).lines(),
        view::Pia::of(track.machine()).lines(),
    ] {
        assert!(
            lines
                .iter()
                .all(|line| !line.is_empty() && line.is_ascii() && line.len() <= 64),
            "{lines:#?}"
        );
    }
}

#[test]
fn memory_shows_bytes_without_reading_registers() {
    let machine = running();
    let lines = view::memory(&machine, DLI, 2);
    assert_eq!(lines[0].bytes[..3], [0x48, 0xA9, 0x0E]);
    assert!(
        lines[0]
            .line()
            .starts_with("E100  48 A9 0E EA EA EA 8D 1A D0")
    );
    assert_eq!(lines[1].address, DLI + 16);
    let before = machine.clone();
    view::memory(&machine, 0xD000, 0x80);
    view::memory(&machine, 0xFFF8, 2);
    assert!(machine == before);
}

#[test]
fn label_files_of_three_kinds_are_read() {
    let mut symbols = Symbols::default();
    let text =
        "; comment\nE456 CIOV\nal 00E459 .SIOV\nVDSLST = $0200\n\nWARMST = $08\n0000 LINZBS\n";
    assert_eq!(symbols.add_file(text), Ok(5));
    assert_eq!(symbols.name(0xE456), Some("CIOV"));
    assert_eq!(symbols.name(0xE459), Some("SIOV"));
    assert_eq!(symbols.address("VDSLST"), Some(0x0200));
    assert_eq!(symbols.address("WARMST"), Some(8));
    assert_eq!(symbols.name(0), Some("LINZBS"));
    assert_eq!(symbols.nearest(0xE458, 8), Some(("CIOV", 2)));
    assert_eq!(symbols.nearest(0xE4FF, 8), None);
}

#[test]
fn a_bad_label_file_is_refused_with_the_line_and_adds_nothing() {
    let mut symbols = Symbols::default();
    for bad in [
        "E456 CIOV\nnonsense",
        "E456 CIOV\nXYZW NAME",
        "E456 CIOV\n12345 NAME",
        "E456 CIOV\n= $12",
    ] {
        let error = symbols.add_file(bad).expect_err("it is bad");
        assert_eq!(error.line, 2, "{bad}");
        assert!(error.to_string().starts_with("line 2 is not a label"));
        assert!(symbols.is_empty());
    }
}
