//! The line buffer and virtual DMA (AHRM 4.11, 4.12; Acid800 antic_linebuffering, antic_virtdma).
use crate::rig::{PROGRAM, Rig};

const DMACTL: u8 = 0;
const HSCROL: u8 = 4;
const VSCROL: u8 = 5;
/// Colours $10 (PF0) to $40 (PF3) on $00.
const COLOURS: [(u8, u8); 5] = [
    (0x16, 0x10),
    (0x17, 0x2E),
    (0x18, 0x30),
    (0x19, 0x40),
    (0x1A, 0),
];

/// A line of mode E with $E4 as its sixth byte and 0 else, then `list`.
fn rig(list: &[u8]) -> Rig {
    let mut all = vec![0x70, 0x4E, 0x00, 0x40];
    all.extend(list);
    let mut rig = Rig::new().gtia_set(&COLOURS).list(&all, 0x22);
    rig.put(0x4000, &[0; 48]);
    rig.put(0x4005, &[0xE4]);
    rig
}

#[test]
fn a_line_of_mode_e_shows_its_bytes_from_the_playfield_s_start_on() {
    let line = rig(&[0x70]).colours(16);
    assert_eq!(line[0x44..0x48], [0x30, 0x2E, 0x10, 0x00]);
}

#[test]
fn another_mode_replays_the_buffer_when_its_first_line_had_no_playfield() {
    let mut rig = rig(&[0x08, 0x70]);
    rig.antic(16, 110, DMACTL, 0x20);
    rig.antic(18, 5, DMACTL, 0x22);
    rig.antic(18, 110, DMACTL, 0x21);
    rig.to(20, 0);
    rig.machine.run_frame();
    let line = |n: usize| -> Vec<u8> {
        let row = rig.machine.frame().line(n);
        (0..228)
            .map(|x: usize| {
                if x < 34 {
                    0
                } else {
                    *row.get(2 * (x - 34)).unwrap_or(&0)
                }
            })
            .collect()
    };
    assert!(line(17)[48..208].iter().all(|&c| c == 0), "no playfield");
    let pixels = |line: Vec<u8>, from: usize| [0, 4, 8, 12].map(|i| line[from + i]);
    assert_eq!(pixels(line(18), 0x80), [0x30, 0x2E, 0x10, 0x00]);
    assert_eq!(pixels(line(19), 0x90), [0x30, 0x2E, 0x10, 0x00], "narrow");
}

#[test]
fn hires_modes_replay_the_same_bytes_as_pairs_of_pixels() {
    // Mode F of two lines: rows 15 and 0.
    let mut rig = rig(&[0x2F, 0x2F, 0x70]);
    rig.antic(0, 20, VSCROL, 15);
    rig.antic(16, 110, DMACTL, 0x20);
    rig.antic(18, 5, DMACTL, 0x22);
    rig.machine.run_frame();
    let row = rig.machine.frame().line(18);
    let at = 2 * (0x44 - 34);
    assert_eq!(
        row[at..at + 8],
        [0x3E, 0x3E, 0x3E, 0x30, 0x30, 0x3E, 0x30, 0x30]
    );
}

#[test]
fn with_dma_off_in_the_middle_of_a_line_the_counters_go_on() {
    let mut rig = Rig::new()
        .gtia_set(&COLOURS)
        .list(&[0x70, 0x48, 0x00, 0x40, 0x70], 0x22);
    rig.put(0x4000, &[0x55; 10]);
    rig.antic(16, 40, DMACTL, 0x20);
    rig.antic(16, 70, DMACTL, 0x22);
    assert_eq!(rig.scan(17), 0x400A);
    let line = rig.colours(18);
    // The first and the last bytes were fetched as ever.
    assert_eq!(line[48..64], [0x10; 16]);
    assert_eq!(line[192..208], [0x10; 16]);
}

#[test]
fn a_line_without_playfield_leaves_buffer_and_scan_counter_alone() {
    let mut rig = rig(&[0x0E, 0x0E, 0x70]);
    rig.antic(16, 110, DMACTL, 0x20);
    assert_eq!(rig.scan(17), 0x4028);
    assert_eq!(rig.scan(18), 0x4028);
}

#[test]
fn a_glyph_fetched_in_cycle_106_is_the_byte_on_the_processor_s_bus() {
    for page in [0x01, 0x50, 0xC0, 0xF0] {
        // Mode 7, wide, HSCROL 2: the last glyph comes in cycle 106.
        let mut rig = Rig::new()
            .gtia_set(&COLOURS)
            .list(&[0x70, 0x57, 0x00, 0x40, 0x70], 0x23);
        rig.antic(0, 20, HSCROL, 2);
        rig.put(0x4000, &[0; 24]);
        // LDA $xx00 reads the high byte of its operand in its third cycle.
        rig.program(
            18,
            104,
            &[0xAD, 0x00, page, 0x4C, 0x03, (PROGRAM >> 8) as u8],
        );
        let line = rig.colours(18);
        let wanted = [7, 6, 5, 4].map(|bit| if page >> bit & 1 != 0 { 0x10 } else { 0 });
        assert_eq!(line[218..222], wanted, "page {page:02X}");
    }
}

#[test]
fn a_line_replayed_with_another_hscrol_moves() {
    let mut rig = Rig::new()
        .gtia_set(&COLOURS)
        .list(&[0x70, 0x5D, 0x00, 0x40, 0x70], 0x22);
    rig.put(0x4000, &[0; 48]);
    rig.put(0x4008, &[0xC0]);
    rig.antic(16, 110, HSCROL, 6);
    // Wide fetches begin at colour clock 32; the ninth byte is shown 32 later.
    rig.machine.run_frame();
    let frame = rig.machine.frame();
    let first = |line: usize| frame.line(line).iter().position(|&c| c != 0);
    assert_eq!(first(16), Some(2 * (64 - 34)));
    assert_eq!(first(17), Some(2 * (64 + 6 - 34)));
}

/// The colours at `from`, `from` + 4, and so on, in a line of the last frame.
fn every_four(rig: &Rig, line: usize, from: usize) -> [u8; 4] {
    let row = rig.machine.frame().line(line);
    [0, 4, 8, 12].map(|i| row[2 * (from + i - 34)])
}

#[test]
fn blank_lines_jumps_and_vertical_blank_keep_the_buffer() {
    // Mode 8 before the line of mode E, with playfield from its second row on: the buffer is a frame old.
    let list = [0x70, 0x08, 0x70, 0x4E, 0x00, 0x40, 0x70, 0x01, 0x00, 0x07];
    let mut rig = Rig::new().gtia_set(&COLOURS).list(&list, 0x22);
    rig.put(0x0700, &[0x08, 0x70, 0x41, 0x00, 0x06]);
    rig.put(0x4000, &[0; 48]);
    rig.put(0x4005, &[0xE4]);
    for _ in 0..2 {
        rig.antic(15, 110, DMACTL, 0x20);
        rig.antic(16, 110, DMACTL, 0x22);
        // Line 24 is blank, 32 mode E, 33 to 40 blank, 41 the jump, 42 mode 8.
        rig.antic(41, 110, DMACTL, 0x20);
        rig.antic(42, 110, DMACTL, 0x22);
    }
    rig.to(60, 0);
    rig.machine.run_frame();
    let wanted = [0x30, 0x2E, 0x10, 0x00];
    assert_eq!(every_four(&rig, 43, 0x80), wanted, "jump and blank lines");
    assert_eq!(every_four(&rig, 17, 0x80), wanted, "vertical blank");
}

#[test]
fn with_dma_off_the_buffer_takes_what_is_on_the_processor_s_bus() {
    // Mode D has two rows. The processor reads nothing but NOPs.
    let mut rig = Rig::new()
        .gtia_set(&COLOURS)
        .list(&[0x70, 0x4D, 0x00, 0x40, 0x70], 0x22);
    rig.put(0x4000, &[0x55; 40]);
    rig.program(14, 0, &[0xEA; 250]);
    rig.antic(16, 50, DMACTL, 0x20);
    rig.antic(16, 70, DMACTL, 0x22);
    rig.to(18, 0);
    rig.machine.run_frame();
    let row = rig.machine.frame().line(17);
    let byte = |i: usize| -> [u8; 4] { [0, 1, 2, 3].map(|p| row[2 * (48 + 4 * i + p - 34)]) };
    // Byte i is fetched in 20 + 2i: these are well inside and well outside.
    for i in (0..15).chain(28..40) {
        assert_eq!(byte(i), [0x10; 4], "byte {i}");
    }
    for i in 18..24 {
        assert_eq!(byte(i), [0x30, 0x2E, 0x2E, 0x2E], "byte {i}: $EA");
    }
    assert_eq!(rig.scan(17), 0x4028);
}

#[test]
fn with_dma_off_in_the_middle_of_a_replay_the_rest_comes_in_its_place() {
    let mut rig = Rig::new()
        .gtia_set(&COLOURS)
        .list(&[0x70, 0x48, 0x00, 0x40, 0x70], 0x22);
    rig.put(0x4000, &[0xF6, 0, 0, 0, 0, 0, 0, 0, 0, 0x89]);
    rig.antic(18, 60, DMACTL, 0x20);
    rig.antic(18, 80, DMACTL, 0x22);
    rig.machine.run_frame();
    assert_eq!(every_four(&rig, 18, 48), [0x30, 0x30, 0x10, 0x2E]);
    assert_eq!(every_four(&rig, 18, 192), [0x2E, 0x00, 0x2E, 0x10]);
}

#[test]
fn replayed_bytes_collide_as_the_mode_reads_them() {
    // The players stand on the four pairs of $E4, of mode E, and of the same as hires pixels and in mode 8.
    let players = [
        (0, 0x44),
        (1, 0x45),
        (2, 0x46),
        (3, 0x47),
        (0x0D, 0x80),
        (0x0E, 0x80),
        (0x0F, 0x80),
        (0x10, 0x80),
    ];
    for (last, places, hits) in [
        (0x0E, [0x44, 0x45, 0x46, 0x47], [4, 2, 1, 0]),
        (0x08, [0x80, 0x84, 0x88, 0x8C], [4, 2, 1, 0]),
        (0x0F, [0x44, 0x45, 0x46, 0x47], [4, 4, 4, 0]),
    ] {
        let mut rig = rig(&[0x20 | last, last, 0x70]).gtia_set(&players);
        rig = rig.gtia_set(&[
            (0, places[0]),
            (1, places[1]),
            (2, places[2]),
            (3, places[3]),
        ]);
        // The line that replays begins with row 15, so that it has two lines at least.
        rig.antic(0, 20, VSCROL, 15);
        rig.antic(16, 110, DMACTL, 0x20);
        rig.antic(18, 5, DMACTL, 0x22);
        rig.gtia(18, 8, 0x1E, 0);
        rig.to(19, 0);
        let found: [u8; 4] = std::array::from_fn(|n| rig.machine.peek(0xD004 + n as u16));
        assert_eq!(found, hits, "mode {last:X}");
    }
}

#[test]
fn a_glyph_fetched_while_memory_is_refreshed_is_ff() {
    // Wide text: the last refresh of a first line waits until 106, where HSCROL 2 has put the last glyph but one.
    let mut rig = Rig::new()
        .gtia_set(&[(0x17, 0x0E), (0x18, 0x30)])
        .list(&[0x70, 0x52, 0x00, 0x40, 0x70], 0x23);
    rig.antic(0, 20, HSCROL, 2);
    rig.put(0x4000, &[0; 48]);
    // LDA $0000 puts $AD, $00, $00 and $00 on the bus again and again; its phase differs from line to line.
    rig.put(0x0000, &[0]);
    rig.program(14, 0, &[0xAD, 0x00, 0x00].repeat(80));
    rig.machine.run_frame();
    let row = rig.machine.frame().line(16);
    let at = 2 * (218 - 34);
    assert_eq!(row[at..at + 8], [0x3E; 8]);
    assert_ne!(rig.machine.frame().line(17)[at..at + 8], [0x3E; 8]);
}

#[test]
fn missiles_meet_a_glyph_that_came_from_the_processor_s_bus() {
    for page in [0x01, 0x50, 0xC0, 0xF0u8] {
        let mut rig = Rig::new()
            .gtia_set(&[(4, 0xDA), (5, 0xDB), (6, 0xDC), (7, 0xDD), (0x11, 0xAA)])
            .list(&[0x70, 0x57, 0x00, 0x40, 0x70], 0x23);
        rig.antic(0, 20, HSCROL, 2);
        rig.put(0x4000, &[0; 24]);
        rig.gtia(18, 20, 0x1E, 0);
        rig.program(
            18,
            104,
            &[0xAD, 0x00, page, 0x4C, 0x03, (PROGRAM >> 8) as u8],
        );
        rig.to(19, 0);
        let high = (0..4).fold(0, |nibble, n| {
            nibble << 1 | rig.machine.peek(0xD000 + n) & 1
        });
        assert_eq!(high, page >> 4, "page {page:02X}");
    }
}
