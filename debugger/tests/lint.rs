//! Findings on interrupts: programs with a fault, and their twins without it.

mod common;
#[path = "common/interrupts.rs"]
mod interrupts;
#[path = "common/program.rs"]
mod program;

use debugger::{About, DliTimeline, Finding, Lint};
use interrupts::{GOOD, MIDDLE, ONE, TWO, text, timeline};

fn lints(timeline: &DliTimeline) -> Vec<(Option<usize>, Lint)> {
    timeline
        .findings
        .iter()
        .map(|f| (f.about.dli(), f.lint))
        .collect()
}

#[test]
fn a_store_inside_the_line_is_found_with_its_pixel() {
    let (found, _) = timeline(ONE, MIDDLE);
    let now = found.log.time(31, 34);
    assert_eq!(
        lints(&found),
        [(
            Some(0),
            Lint::InsideLine {
                now,
                address: 0xD01A,
                pixel: (70, 23),
                last: 361,
            }
        )]
    );
    // After WSYNC it acts on clock 215, and the playfield's window ends with 208.
    let (good, _) = timeline(ONE, GOOD);
    assert_eq!(lints(&good), []);
    // A store of the present value is not a change.
    let (same, _) = timeline(ONE, &MIDDLE.replace("$34", "$0E"));
    assert_eq!(lints(&same), []);
}

#[test]
fn an_overrun_is_found() {
    // (DEX, BNE) takes 5 cycles: 255 rounds 1,275, more than the 8 lines of 105 cycles to the next interrupt.
    let slow = "PHA
        TXA
        PHA
        LDX #$FF
        WAIT: DEX
        BNE WAIT
        PLA
        TAX
        PLA
        RTI";
    let (found, _) = timeline(TWO, slow);
    let end = found.dlis[0].end.unwrap();
    let request = found.log.time(31, 8);
    assert!(end > request);
    assert!(lints(&found).contains(&(Some(0), Lint::Overrun((end - request) as u32))));
    assert_eq!(found.dlis[0].left, Some(request as i64 - end as i64));
    // 20 rounds are 100 cycles.
    let (good, _) = timeline(TWO, &slow.replace("$FF", "20"));
    assert_eq!(good.dlis.len(), 2);
    assert_eq!(lints(&good), []);
}

#[test]
fn a_handler_that_is_left_without_rti_does_not_run_too_long() {
    let (left, _) = timeline(TWO, "PLA\nPLA\nPLA\nJMP LOOP");
    assert_eq!(left.dlis.len(), 2);
    assert!(
        left.dlis
            .iter()
            .all(|dli| dli.abandoned && dli.end.is_none())
    );
    assert_eq!(lints(&left), []);
    let lines = left.lines(&|_| None);
    assert!(lines[0].contains("left without RTI"), "{lines:?}");
    // One that never ends is under the interrupts that come to it.
    let (hung, _) = timeline(TWO, "HANG: JMP HANG");
    assert!(!hung.dlis[0].abandoned);
    assert!(matches!(
        lints(&hung)[..],
        [(Some(0), Lint::Overrun(_)), ..]
    ));
}

#[test]
fn interrupts_that_all_run_too_long_are_one_line() {
    let finding = |number, lint| Finding {
        about: About::Dli(number),
        lint,
    };
    let found = DliTimeline {
        findings: vec![
            finding(3, Lint::Overrun(4)),
            finding(4, Lint::Overrun(12)),
            finding(5, Lint::Overrun(7)),
            finding(7, Lint::Overrun(1)),
            finding(8, Lint::BlankWait(0)),
        ],
        ..DliTimeline::default()
    };
    let text = found.findings_text(&|_| None);
    assert_eq!(
        text[..2],
        [
            "DLI 3 to 5: still run when the next interrupt is asked for, up to 12 cycles before their ends",
            "DLI 7: still runs when the next interrupt is asked for, 1 cycles before its end",
        ]
    );
    assert_eq!(text.len(), 3);
}

/// The findings on a handler whose program uses A and Y afterwards.
fn kept(handler: &str) -> DliTimeline {
    let program = text(ONE, handler).replace(
        "JMP LOOP\n        NMI",
        "STA $80\nSTY $81\nJMP LOOP\n        NMI",
    );
    let (machine, _) = program::machine(&program, 4);
    DliTimeline::of(&mut machine.into())
}

#[test]
fn registers_that_are_not_restored_are_found_if_the_program_uses_them() {
    // A is $0E after it and was VCOUNT, 15, before; Y counts the interrupts.
    let bad = GOOD.replace("PLA", "INY\nTSX\nINX\nTXS");
    let found = kept(&bad);
    let [(Some(0), a), (Some(0), y)] = lints(&found)[..] else {
        panic!("{:?}", found.findings);
    };
    assert_eq!(a, Lint::NotRestored(0, 15, 14));
    assert!(matches!(y, Lint::NotRestored(2, before, after) if after == before + 1));
    assert_eq!(lints(&kept(GOOD)), []);
    // A program that loads them before it uses them does not notice.
    let (unnoticed, _) = timeline(ONE, &bad);
    assert_eq!(lints(&unnoticed), []);
}

#[test]
fn a_handler_that_waits_for_the_wrong_line_is_found() {
    // Entry in cycle 17, BIT and BPL 6 cycles, 8 rounds of 5 and more: past cycle 103 with the nine refresh cycles.
    let late = |rounds: u32| {
        format!(
            "PHA
            TXA
            PHA
            LDX #{rounds}
            WAIT: DEX
            BNE WAIT
            LDA #$0E
            STA WSYNC
            STA COLBK
            PLA
            TAX
            PLA
            RTI"
        )
    };
    // 17 + 6 (BIT, BPL) + 3 + 2 + 3 + 2 = 33 without refresh: 25, 29 and 33 are taken, so LDX ends before cycle 37. n rounds take
    // 5n - 1 cycles, LDA 2, STA 4: with six more refresh cycles the write is in cycle 36 + 5n - 1 + 6 + 6 - 1 = 46 + 5n.
    let wsync = |timeline: &DliTimeline| {
        timeline.dlis[0]
            .stores
            .iter()
            .find(|store| store.event.address == 0xD40A)
            .map(|store| timeline.log.beam(store.event.now))
    };
    let run = |rounds| {
        let program = with_vbi(&text(ONE, &late(rounds)), "LDA #0\nSTA COLBK");
        let (machine, _) = program::machine(&program, 4);
        DliTimeline::of(&mut machine.into())
    };
    let good = run(11);
    assert_eq!(wsync(&good), Some((31, 46 + 55)));
    assert_eq!(lints(&good), []);
    let found = run(12);
    assert_eq!(wsync(&found), Some((31, 106)));
    let now = found.log.time(31, 106);
    assert!(
        lints(&found).contains(&(
            Some(0),
            Lint::TooLate {
                now,
                pixel: (0, 24)
            }
        )),
        "{:?}",
        found.findings
    );
}

#[test]
fn a_vertical_blank_handler_that_is_not_done_before_the_first_interrupt_is_found() {
    // From line 248 to line 31 of the next frame there are 45 lines, some 4,700 cycles; a round of 256 takes 1,280.
    let long = |rounds: u32| {
        text(ONE, GOOD).replace(
            "VBI: PHA\n        PLA\n        RTI",
            &format!(
                "VBI: PHA
                TXA
                PHA
                TYA
                PHA
                LDY #{rounds}
                LDX #0
                V1: DEX
                BNE V1
                DEY
                BNE V1
                PLA
                TAY
                PLA
                TAX
                PLA
                RTI"
            ),
        )
    };
    let run = |rounds| {
        let (machine, _) = program::machine(&long(rounds), 4);
        DliTimeline::of(&mut machine.into())
    };
    let found = run(4);
    assert!(
        lints(&found).contains(&(None, Lint::LongVbi(31))),
        "{:?}",
        found.findings
    );
    let good = run(3);
    assert!(!lints(&good).iter().any(|(dli, _)| dli.is_none()));
}

/// All findings of a program.
fn all(program: &str) -> Vec<Lint> {
    let (machine, _) = program::machine(program, 4);
    let found = DliTimeline::of(&mut machine.into());
    found.findings.iter().map(|finding| finding.lint).collect()
}

/// The vertical blank handler of a program that is [`text`], with another body.
fn with_vbi(program: &str, body: &str) -> String {
    program.replace(
        "VBI: PHA\n        PLA\n        RTI",
        &format!("VBI: PHA\n{body}\nPLA\nRTI"),
    )
}

#[test]
fn a_store_that_changes_no_pixel_of_its_row_is_not_reported() {
    // PF0's colour in the middle of a blank line.
    assert_eq!(all(&text(ONE, &MIDDLE.replace("COLBK", "COLPF0"))), []);
    // Several colours in a line are what a program is after.
    let bars = "PHA
        LDA #$0E
        STA COLBK
        LDA #$34
        STA COLBK
        STA WSYNC
        STA COLBK
        PLA
        RTI";
    assert_eq!(all(&text(ONE, bars)), []);
}

#[test]
fn a_masked_request_of_the_list_is_found() {
    let start = "LDA #$C0\n        STA NMIEN";
    let vector = "LDA #0\nSTA $0200\nLDA #6\nSTA $0201\n";
    let program =
        |nmien: &str| text(ONE, GOOD).replace(start, &format!("{vector}LDA #{nmien}\nSTA NMIEN"));
    assert_eq!(all(&program("$40")), [Lint::Masked(31, 0x40)]);
    assert_eq!(all(&program("$C0")), []);
    // A list without interrupts asks for none.
    assert_eq!(
        all(&program("$40").replace("$70,$70,$F0", "$70,$70,$70")),
        []
    );
}

#[test]
fn a_shadow_register_that_is_stored_instead_of_its_register_is_found() {
    let copies = |handler: &str| with_vbi(&text(ONE, handler), "LDA $02C8\nSTA COLBK");
    let bad = Lint::Shadow {
        shadow: 0x02C8,
        register: 0xD01A,
    };
    assert_eq!(all(&copies(&GOOD.replace("COLBK", "$02C8"))), [bad]);
    assert_eq!(all(&copies(GOOD)), []);
    // Both: the shadow is for the next frame.
    assert_eq!(
        all(&copies(&GOOD.replace("STA COLBK", "STA COLBK\nSTA $02C8"))),
        []
    );
    // Where nothing copies it is a variable like any other.
    assert_eq!(all(&text(ONE, &GOOD.replace("COLBK", "$02C8"))), []);
}

#[test]
fn a_list_over_a_border_of_1k_and_a_screen_over_one_of_4k_are_found() {
    let again = "LDA #lo(LIST)\nSTA DLISTL\nLDA #hi(LIST)\nSTA DLISTH";
    let list = |at: &str| {
        let program = text(ONE, GOOD).replace(".ORG $F000", &format!(".ORG {at}"));
        all(&with_vbi(&program, again))
    };
    let found = list("$F3FC");
    assert!(
        found.contains(&Lint::ListBorder(0xF3FF, 0xF000)),
        "{found:?}"
    );
    assert_eq!(list("$F3F5"), []);
    let screen = |at: &str| all(&text(&ONE.replace("$00,$E3", at), GOOD));
    assert_eq!(screen("$F0,$EF"), [Lint::ScreenBorder(0xEFFF, 0xE000)]);
    // Three lines of 40 bytes that end with $EFFF.
    assert_eq!(screen("$88,$EF"), []);
    // An address in the list takes it over the border.
    let two = text(
        &ONE.replace("$4D,$00,$E3,$0D", "$4D,$D8,$EF,$4D,$00,$E0"),
        GOOD,
    );
    assert_eq!(all(&two), []);
}

#[test]
fn decimal_mode_that_an_interrupt_comes_into_is_found() {
    let program = |handler: &str| text(ONE, handler).replace("CLD", "SED");
    let calculates = GOOD.replace("LDA #$0E", "LDA #$0D\nCLC\nADC #1");
    assert!(matches!(all(&program(&calculates))[..], [Lint::Decimal(_)]));
    assert_eq!(all(&program(&calculates.replace("CLC", "CLC\nCLD"))), []);
    // Its own decimal mode is its own affair.
    assert_eq!(all(&program(&calculates.replace("CLC", "CLC\nSED"))), []);
    assert_eq!(all(&text(ONE, &calculates)), []);
}

#[test]
fn a_vector_that_is_changed_while_an_interrupt_may_come_is_found() {
    let stores = "LDA #0\nSTA $0200\nLDA #6\nSTA $0201\n";
    let program = |vcount: u8| {
        text(ONE, GOOD)
            .replace("CMP #15", &format!("CMP #{vcount}"))
            .replace(
                "JMP LOOP\n        NMI",
                &format!("{stores}JMP LOOP\n        NMI"),
            )
    };
    // Line 20, before the interrupt of line 31; line 252, after it.
    assert!(matches!(all(&program(10))[..], [Lint::Vector(_)]));
    assert_eq!(all(&program(126)), []);
}

#[test]
fn a_vertical_blank_handler_that_waits_for_a_line_is_found() {
    let bad = with_vbi(&text(ONE, GOOD), "STA WSYNC");
    assert!(matches!(all(&bad)[..], [Lint::BlankWait(_)]));
}

#[test]
fn findings_say_whom_they_are_about() {
    for (about, text) in [
        (About::Dli(3), "DLI 3"),
        (About::Vbi, "VBI"),
        (About::List, "display list"),
        (About::Program, "program"),
    ] {
        assert_eq!(about.to_string(), text);
    }
}
