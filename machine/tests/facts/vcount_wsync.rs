//! VCOUNT and WSYNC (AHRM 4.9, 4.10; Acid800 antic_vcount, antic_wsync).
use crate::rig::Rig;
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
