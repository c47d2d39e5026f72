//! VCOUNT and WSYNC (AHRM 4.9, 4.10; Acid800 antic_vcount, antic_wsync).
use crate::rig::{NMI_SEEN, Rig};
use machine::{Model, Tv};

const VCOUNT: u8 = 0x0B;
/// STA WSYNC, STA $80, JMP *.
const STORE: [u8; 8] = [0x8D, 0x0A, 0xD4, 0x85, 0x80, 0x4C, 0x05, 0x20];

#[test]
fn vcount_shows_the_next_line_from_cycle_111_on() {
    let mut rig = Rig::new();
    assert_eq!(rig.antic_read(9, 110, VCOUNT), 4);
    assert_eq!(rig.antic_read(9, 111, VCOUNT), 5);
    assert_eq!(rig.antic_read(10, 112, VCOUNT), 5);
    assert_eq!(rig.antic_read(11, 111, VCOUNT), 6);
}

#[test]
fn vcount_reads_83_or_9c_for_one_cycle_at_the_end_of_the_frame() {
    for (tv, line, last, end) in [(Tv::Ntsc, 261, 0x82, 0x83), (Tv::Pal, 311, 0x9B, 0x9C)] {
        let mut rig = Rig::of(Model::Xl800, tv);
        assert_eq!(rig.antic_read(line, 110, VCOUNT), last);
        assert_eq!(rig.antic_read(line, 111, VCOUNT), end);
        assert_eq!(rig.antic_read(line, 112, VCOUNT), 0);
    }
}

#[test]
fn dma_in_cycles_105_and_106_delays_the_release() {
    // Wide text: in its first line the last glyph is fetched in 105, and refresh waits until 106.
    let mut rig = Rig::new().list(&[0x70, 0x42, 0, 0x40, 2], 0x23);
    rig.program(15, 103, &STORE);
    assert_eq!(rig.writes(2 * 114, 0x80), [(16, 108)]);
    // In the following lines only the glyph.
    rig.program(16, 108, &STORE);
    assert_eq!(rig.writes(2 * 114, 0x80), [(17, 107)]);
}

#[test]
fn a_second_wsync_while_the_first_has_not_stopped_the_processor_changes_nothing() {
    let mut rig = Rig::new();
    // STA WSYNC at 63; its successor begins in 64, and is a STA WSYNC whose write comes in 107.
    let twice = [
        0x8D, 0x0A, 0xD4, 0x8D, 0x0A, 0xD4, 0x85, 0x80, 0x4C, 0x08, 0x20,
    ];
    rig.program(40, 60, &twice);
    assert_eq!(rig.writes(3 * 114, 0x80), [(41, 106)]);
}

#[test]
fn random_behind_wsync_has_the_values_of_acid800_antic_wsync() {
    // The nine-bit counter leaves its initial state in 107 of line 40; what follows is LDA RANDOM, STA $80.
    let store = 0x8D;
    let increment = 0xEE;
    for (opcode, line, begin, after, random) in [
        (store, 40, 108, 114, 0x95),
        (store, 41, 108, 228, 0x4B),
        (increment, 42, 109, 343, 0x0D),
        // Writes in 103, in 104, and in both.
        (store, 45, 100, 570, 0x44),
        (store, 47, 101, 912, 0xE2),
        (increment, 50, 99, 1254, 0x34),
    ] {
        let mut rig = Rig::new();
        rig.to(39, 0);
        for (register, data) in [(0x0F, 0), (0x08, 0x80)] {
            rig.machine.pins().write(0xD200 + register, data);
        }
        rig.machine.cpu.a = 3;
        rig.program(40, 104, &[0x8D, 0x0F, 0xD2, 0x4C, 0x03, 0x20]);
        rig.program(
            line,
            begin,
            &[
                opcode, 0x0A, 0xD4, 0xAD, 0x0A, 0xD2, 0x85, 0x80, 0x4C, 0x08, 0x20,
            ],
        );
        let mut copy = Rig {
            machine: rig.machine.clone(),
        };
        rig.machine.run_cycles(3 * 114);
        assert_eq!(rig.machine.peek(0x80), random, "begun in {begin} of {line}");
        // The read is three cycles before the write of STA $80.
        let read = 40 * 114 + 107 + after;
        let write = copy.writes(3 * 114, 0x80)[0];
        assert_eq!(u64::from(write.0) * 114 + u64::from(write.1), read + 3);
    }
}

#[test]
fn dma_in_the_cycle_after_the_write_takes_the_cycle_that_the_stop_leaves() {
    // Narrow text, first line: cycles 28 to 91 are all DMA. The write in 27 is the last cycle of the processor.
    let mut rig = Rig::new().list(&[0x70, 0x42, 0, 0x40, 2], 0x21);
    // STA $D40A from 22: cycles 22, 23, 24, then 25 and 26 are DMA, write in 27.
    rig.program(16, 22, &STORE);
    assert_eq!(
        rig.writes(114, 0x80),
        [(16, 107)],
        "none of its cycles is done"
    );
    // In a later line refresh takes 25, and the cycle after the write in 26 is free.
    rig.program(17, 22, &STORE);
    assert_eq!(rig.writes(114, 0x80), [(17, 106)], "one is done");
}

#[test]
fn a_dli_during_the_stop_waits_for_one_instruction() {
    let mut rig = Rig::new().list(&[0x70, 0xF0], 0x20);
    rig.antic(22, 20, 0x0E, 0x80);
    // The write in 106 of line 22: stopped until 105 of line 23, in which the DLI comes.
    rig.program(22, 103, &STORE);
    let mut copy = Rig {
        machine: rig.machine.clone(),
    };
    assert_eq!(rig.writes(160, 0x80), [(23, 106)]);
    // Seven cycles from 107 on, then the handler's STA $90 in 0, 2 and 3: the list is fetched in 1.
    assert_eq!(copy.writes(160, NMI_SEEN), [(24, 3)]);
}
