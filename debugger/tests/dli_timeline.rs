//! The timeline of display list interrupts, against programs whose cycles are counted by hand.

mod common;
#[path = "common/interrupts.rs"]
mod interrupts;
#[path = "common/program.rs"]
mod program;

use debugger::{BeamPlace, Kind, Owner};
use interrupts::{GOOD, MIDDLE, ONE, timeline};

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
        == "DLI 0: store to COLBK in line 31 cycle 34 acts inside the line: it changes pixels 70,23 to 361,23, and would change others left of them"));
}

#[test]
fn cycles_of_stores_are_the_processors() {
    let (timeline, _) = timeline(ONE, GOOD);
    let log = &timeline.log;
    for event in log.events.iter().filter(|event| event.kind == Kind::Write) {
        assert_eq!(log.owner(event.now), Some(Owner::Cpu));
    }
}
