//! The timeline of display list interrupts, against programs whose cycles are counted by hand.

mod common;
#[path = "common/program.rs"]
mod program;

use debugger::{BeamPlace, DliTimeline, Kind, Lint, Owner};

/// Sets up a list with interrupts in the lines that `LIST` says, waits for line 30, and then has NOPs run.
fn text(list: &str, handler: &str) -> String {
    format!(
        "START: SEI
        CLD
        LDX #$FF
        TXS
        LDA #lo(LIST)
        STA DLISTL
        LDA #hi(LIST)
        STA DLISTH
        LDA #$22
        STA DMACTL
        LDA #$C0
        STA NMIEN
        LOOP: LDA VCOUNT
        CMP #15
        BNE LOOP
        STA WSYNC
        {}
        JMP LOOP
        NMI: BIT NMIST
        BPL VBI
        {handler}
        VBI: PHA
        PLA
        RTI
        .ORG $F000
        LIST: {list}
        .WORD LIST
        ",
        "NOP\n".repeat(60)
    )
}

/// 24 blank lines, the last (31) with an interrupt; three lines of mode D; JVB.
const ONE: &str = ".BYTE $70,$70,$F0,$4D,$00,$E3,$0D,$0D,$41";
/// Interrupts in lines 23 and 31.
const TWO: &str = ".BYTE $70,$F0,$F0,$4D,$00,$E3,$0D,$0D,$41";

fn timeline(list: &str, handler: &str) -> (DliTimeline, std::collections::HashMap<String, u16>) {
    let (machine, labels) = program::machine(&text(list, handler), 4);
    (DliTimeline::of(&mut machine.into()), labels)
}

const GOOD: &str = "PHA
    LDA #$0E
    STA WSYNC
    STA COLBK
    PLA
    RTI";

/// Stores in the middle of line 31 and again after WSYNC.
const MIDDLE: &str = "PHA
    LDA #$0E
    STA COLBK
    LDA #$34
    STA WSYNC
    STA COLBK
    PLA
    RTI";

#[test]
fn every_cycle_of_an_interrupt_is_where_counting_by_hand_puts_it() {
    let (timeline, labels) = timeline(ONE, MIDDLE);
    assert_eq!(timeline.dlis.len(), 1);
    let dli = &timeline.dlis[0];
    let log = &timeline.log;
    let at = |line, cycle| log.time(line, cycle);
    // STA WSYNC in line 30 lets the processor go in cycle 105, one cycle of the first NOP being done: NOPs begin at 106, 108, 110, 112,
    // 0, 2, 4, 6, 8 and 10. The NMI line falls in cycle 8 of line 31; the first boundary from cycle 10 on is 10.
    assert_eq!(dli.line, 31);
    assert_eq!(dli.request, at(31, 8));
    // The sequence takes cycles 10 to 16.
    assert_eq!(dli.entry, Some(at(31, 17)));
    assert_eq!(dli.vector, labels["NMI"]);
    // BIT NMIST 17-20, BPL not taken 21-22, PHA 23, 24, (refresh 25) 26, LDA # 27, 28, (29) STA COLBK 30, 31, 32, (33) 34.
    let colbk: Vec<_> = dli
        .stores
        .iter()
        .filter(|store| store.event.address == 0xD01A)
        .collect();
    assert_eq!(colbk.len(), 2);
    assert_eq!(
        (colbk[0].event.now, colbk[0].event.data),
        (at(31, 34), 0x0E)
    );
    // A colour acts one colour clock after the first one of the write's cycle: 2 * 34 + 1 = 69; 2 * (69 - 34) = pixel 70.
    assert_eq!(
        colbk[0].effect,
        Some(BeamPlace {
            line: 31,
            clock: 69
        })
    );
    assert_eq!(colbk[0].effect.unwrap().pixel(), Some((70, 23)));
    // LDA # 35, 36, (37) STA WSYNC 38, 39, 40, (41) 42; one cycle of STA COLBK in 43, the rest from 105 on: 105, 106, 107.
    assert_eq!(colbk[1].event.now, at(31, 107));
    assert_eq!(colbk[1].effect.unwrap().clock, 215);
    assert_eq!(colbk[1].before, Some(0x0E));
    // PLA 108-111, RTI 112, 113, line 32: 0, (list 1) 2, 3, 4.
    assert_eq!(dli.end, Some(at(32, 5)));
    // From 31.8 to 32.5: 106 + 5.
    assert_eq!(dli.cycles, 111);
    // Refresh nine times, and the display list's fetch in cycle 1 of line 32.
    assert_eq!(dli.dma, 10);
    // Stopped from 44 to 104, 61 cycles, of which refresh has 45, 49, 53 and 57.
    assert_eq!(dli.stalled, 61 - 4);
    // The processor: one cycle and a half of... NOP in 8 and 9, 7 for the sequence, BIT 4, BPL 2, PHA 3, LDA 2, STA 4, LDA 2, STA 4, STA 4,
    // PLA 4, RTI 6.
    assert_eq!(
        dli.cycles - dli.dma - dli.stalled,
        2 + 7 + 4 + 2 + 3 + 2 + 4 + 2 + 4 + 4 + 4 + 6
    );
    // To the vertical blank interrupt's request in cycle 8 of line 248: 216 lines and 3 cycles.
    assert_eq!(dli.left, Some(216 * 114 + 3));
    let (request, entry, end) = timeline.vbi.unwrap();
    assert_eq!(request, at(248, 8));
    assert!(entry.is_some() && end > entry);
    // The strip of line 31: letters by cycle.
    let strip = log.strip(31);
    assert_eq!(strip.len(), 114);
    let refresh: Vec<usize> = strip.match_indices('R').map(|(cycle, _)| cycle).collect();
    assert_eq!(refresh, [25, 29, 33, 37, 41, 45, 49, 53, 57]);
    let stopped: Vec<usize> = strip.match_indices('w').map(|(cycle, _)| cycle).collect();
    assert_eq!((stopped[0], stopped[stopped.len() - 1]), (44, 104));
}

fn lints(timeline: &DliTimeline) -> Vec<(Option<usize>, Lint)> {
    timeline.findings.iter().map(|f| (f.dli, f.lint)).collect()
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
                pixel: (70, 23)
            }
        )]
    );
    // After WSYNC it acts on clock 215, and the playfield's window ends with 208.
    let (good, _) = timeline(ONE, GOOD);
    assert_eq!(lints(&good), []);
    // The same value again is no change.
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
fn registers_that_are_not_restored_are_found() {
    // A is $0E after it and was VCOUNT, 15, before; Y counts the interrupts.
    let (found, _) = timeline(ONE, &GOOD.replace("PLA", "INY\nTSX\nINX\nTXS"));
    let [(Some(0), a), (Some(0), y)] = lints(&found)[..] else {
        panic!("{:?}", found.findings);
    };
    assert_eq!(a, Lint::NotRestored(0, 15, 14));
    assert!(matches!(y, Lint::NotRestored(2, before, after) if after == before + 1));
    let (good, _) = timeline(ONE, GOOD);
    assert_eq!(lints(&good), []);
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
    let (good, _) = timeline(ONE, &late(11));
    assert_eq!(wsync(&good), Some((31, 46 + 55)));
    assert_eq!(lints(&good), []);
    let (found, _) = timeline(ONE, &late(12));
    assert_eq!(wsync(&found), Some((31, 106)));
    assert!(
        lints(&found).contains(&(Some(0), Lint::TooLate(found.log.time(31, 106)))),
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

#[test]
fn the_text_names_places_and_registers() {
    let (timeline, _) = timeline(ONE, MIDDLE);
    let name = |address: u16| (address == 0xD01A).then(|| "COLBK".to_owned());
    let lines = timeline.lines(&name);
    assert!(lines[0].starts_with("DLI 0 line 31 to "), "{}", lines[0]);
    assert!(
        lines[0].ends_with(
            "asked 31.8 handler 31.17 routine - end 32.5, 111 cycles (10 DMA, 57 WSYNC), 24627 left"
        ),
        "{}",
        lines[0]
    );
    assert!(
        lines
            .iter()
            .any(|line| line.contains("write COLBK = $0E") && line.ends_with("from pixel 70,23"))
    );
    assert!(lines.iter().any(|line| line
        == "DLI 0: store to COLBK in line 31 cycle 34 acts inside the line, from pixel 70,23 on"));
}

#[test]
fn cycles_of_stores_are_the_processors() {
    let (timeline, _) = timeline(ONE, GOOD);
    let log = &timeline.log;
    for event in log.events.iter().filter(|event| event.kind == Kind::Write) {
        assert_eq!(log.owner(event.now), Some(Owner::Cpu));
    }
}
