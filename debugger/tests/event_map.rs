//! The event map of a frame.

mod common;

use common::{DLI_LINE, FIRST_STORE, LIST, running};
use debugger::{Entry, FrameLog, Kind, Owner, Recorder, Replay};
use machine::Machine;

/// In the loop, at the start of a frame.
fn start() -> Machine {
    let machine = running();
    assert_eq!((machine.beam().line, machine.beam().cycle), (0, 0));
    machine
}

#[test]
fn a_recorded_frame_is_the_plain_one() {
    let mut plain = start();
    let mut replay = Replay::from(start());
    for _ in 0..20 {
        FrameLog::of(&mut replay);
        plain.run_frame();
        assert!(plain == *replay.machine(), "the machines differ");
        assert!(plain.frame() == replay.machine().frame());
    }
    let mut recorded = replay.machine().clone();
    // And in pieces that end anywhere.
    let mut recorder = Recorder::new(&recorded);
    for piece in 1..200 {
        recorded.run_cycles_with(piece, &mut recorder);
        plain.run_cycles(piece);
        assert!(plain == recorded, "after {piece}");
    }
}

#[test]
fn every_cycle_has_one_owner() {
    let log = FrameLog::of(&mut start().into());
    assert_eq!(log.owners.len(), 262 * 114);
    let share = log.share(log.start, log.end());
    assert_eq!(share.iter().sum::<u32>(), 262 * 114);
    // Refresh nine times in each line: mode D takes none of these cycles for itself for good.
    assert_eq!(share[Owner::Refresh as usize], 262 * 9);
    // The list: eight instructions of which one is LMS and one the jump, two address bytes each.
    assert_eq!(share[Owner::List as usize], 7 + 2 + 2);
    // Three lines of mode D, normal width: 40 bytes each.
    assert_eq!(share[Owner::Bitmap as usize], 3 * 40);
    assert_eq!(share[Owner::Objects as usize], 0);
    assert_eq!(share[Owner::Name as usize], 0);
    let dma = log.events.iter().filter(|event| event.is_dma()).count() as u32;
    assert_eq!(dma, 262 * 9 + 11 + 120);
    // The rest are the processor's cycles and those that WSYNC stopped.
    let rest = share[Owner::Cpu as usize] + share[Owner::Stalled as usize];
    assert_eq!(rest, 262 * 114 - dma);
}

#[test]
fn dma_is_where_the_manual_has_it() {
    let log = FrameLog::of(&mut start().into());
    let taken = |line| -> Vec<usize> {
        log.line_owners(line)
            .iter()
            .enumerate()
            .filter_map(|(cycle, owner)| owner.is_dma().then_some(cycle))
            .collect()
    };
    // D, normal, first line, with LMS: as Acid800 antic_dmapattern has it.
    let mut expected = vec![
        1, 6, 7, 20, 22, 24, 25, 26, 28, 29, 30, 32, 33, 34, 36, 37, 38,
    ];
    expected.extend([40, 41, 42, 44, 45, 46, 48, 49, 50, 52, 53, 54, 56, 57, 58]);
    expected.extend((60..=98).step_by(2));
    assert_eq!(taken(32), expected);
    // Its second row: only refresh.
    assert_eq!(taken(33), [25, 29, 33, 37, 41, 45, 49, 53, 57]);
    let bitmap: Vec<_> = log
        .events
        .iter()
        .filter(|event| event.kind == Kind::Bitmap)
        .collect();
    assert_eq!(bitmap[0].address, 0xE300);
    assert_eq!(log.beam(bitmap[0].now), (32, 20));
    assert_eq!(bitmap[119].address, 0xE300 + 119);
    let list: Vec<_> = log
        .events
        .iter()
        .filter(|event| matches!(event.kind, Kind::List | Kind::Operand(_)))
        .map(|event| (event.address - LIST, log.beam(event.now)))
        .collect();
    assert_eq!(
        list,
        [
            (0, (8, 1)),
            (1, (16, 1)),
            (2, (24, 1)),
            (3, (32, 1)),
            (4, (32, 6)),
            (5, (32, 7)),
            (6, (34, 1)),
            (7, (36, 1)),
            (8, (38, 1)),
            (9, (38, 6)),
            (10, (38, 7)),
        ]
    );
    let line = log.list_line(33).unwrap();
    assert_eq!((line.instruction, line.row), (0x4D, 1));
    assert_eq!(line.fetched, Some((LIST + 3, log.time(32, 1))));
    assert_eq!(line.scan_set, Some((LIST + 5, log.time(32, 7))));
    assert_eq!(line.window, (48, 208));
}

#[test]
fn register_accesses_have_place_value_and_instruction() {
    let log = FrameLog::of(&mut start().into());
    let stores: Vec<_> = log
        .events
        .iter()
        .filter(|event| event.kind == Kind::Write && event.address == 0xD01A)
        .collect();
    assert_eq!(stores.len(), 2);
    assert_eq!((stores[0].pc, stores[0].data), (FIRST_STORE, 0x0E));
    assert_eq!(log.beam(stores[0].now).0, DLI_LINE);
    assert!(log.is_visible(stores[0]));
    let (_, cycle) = log.beam(stores[0].now);
    assert_eq!(
        log.effect(stores[0]).unwrap().clock,
        2 * u16::from(cycle) + 1
    );
    // TRIG0 is read once a loop, and NMIST by both interrupts.
    let nmist = log
        .events
        .iter()
        .filter(|event| event.kind == Kind::Read && event.address == 0xD40F);
    assert_eq!(nmist.count(), 2);
    let nmis: Vec<_> = log
        .events
        .iter()
        .filter(|event| event.kind == Kind::Nmi)
        .map(|event| log.beam(event.now))
        .collect();
    assert_eq!(nmis, [(31, 8), (248, 8)]);
    let entries: Vec<_> = log
        .events
        .iter()
        .filter_map(|event| match event.kind {
            Kind::Entry(entry) => Some(entry),
            _ => None,
        })
        .collect();
    assert_eq!(entries, [Entry::Dli, Entry::Vbi]);
    let returns = log.events.iter().filter(|e| e.kind == Kind::Return).count();
    assert_eq!(returns, 2);
}

#[test]
fn times_are_in_order() {
    let log = FrameLog::of(&mut start().into());
    assert!(log.events.is_sorted_by_key(|event| event.now));
    let first = log.between(log.time(31, 0), log.time(32, 0));
    assert!(first.iter().all(|event| log.beam(event.now).0 == 31));
}
