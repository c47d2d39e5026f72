//! The display list (AHRM 4.6; Acid800 antic_dlistwrap).
use crate::rig::{LIST, NMI_SEEN, Rig};

const DMACTL: u8 = 0;
const DLISTL: u8 = 2;
const DLISTH: u8 = 3;
const NMIST: u8 = 0x0F;

/// True if a DLI comes in line `line`.
fn dli(rig: &mut Rig, line: u16) -> bool {
    rig.antic(line, 3, NMIST, 0);
    rig.antic_read(line, 10, NMIST) & 0x80 != 0
}

#[test]
fn a_list_of_more_than_240_lines_goes_on_in_the_next_frame() {
    let mut list = [0x70; 32];
    list[31] = 0xF0;
    let mut rig = Rig::new().list(&list, 0x20);
    assert!(!dli(&mut rig, 247));
    for line in 8..30 {
        assert_eq!(dli(&mut rig, line), line == 23, "line {line}");
    }
}

#[test]
fn without_list_dma_the_last_instruction_repeats_and_its_dli_too() {
    let mut rig = Rig::new().list(&[0x70, 0xF0], 0x20);
    rig.antic(20, 50, DMACTL, 0);
    for line in 21..=247 {
        assert_eq!(dli(&mut rig, line), line & 7 == 7, "line {line}");
    }
    // Vertical blank clears bit 6: what is left of $F0 is a blank line of four rows.
    for line in 8..30 {
        assert_eq!(
            dli(&mut rig, line),
            line & 3 == 3,
            "line {line}, next frame"
        );
    }
}

#[test]
fn without_list_dma_no_address_is_loaded() {
    let mut rig = Rig::new().list(&[0x70, 0x4E, 0x00, 0x40, 0x70], 0x22);
    rig.antic(16, 110, DMACTL, 0x02);
    assert_eq!(rig.scan(17), 0x4028);
    assert_eq!(rig.scan(18), 0x4050);
    rig.to(18, 20);
    assert_eq!(rig.machine.bus().video.antic.current_instruction(), 0x4E);
}

#[test]
fn jvb_with_the_dli_bit_interrupts_in_each_line_to_the_vertical_blank() {
    let mut rig = Rig::new().list(&[0x70], 0x20);
    rig.put(LIST + 1, &[0xC1]);
    for line in 14..248 {
        assert_eq!(dli(&mut rig, line), line >= 16, "line {line}");
    }
    assert!(!dli(&mut rig, 249));
}

#[test]
fn a_new_list_address_acts_at_the_next_fetch() {
    let mut rig = Rig::new().list(&[0x70, 0x70, 0x70], 0x20);
    rig.put(0x0500, &[0x10, 0x60]);
    rig.antic(12, 40, DLISTL, 0x00);
    rig.antic(12, 41, DLISTH, 0x05);
    rig.to(15, 100);
    assert_eq!(rig.machine.bus().video.antic.current_instruction(), 0x70);
    rig.to(16, 10);
    assert_eq!(rig.machine.bus().video.antic.current_instruction(), 0x10);
    rig.to(18, 10);
    assert_eq!(rig.machine.bus().video.antic.current_instruction(), 0x60);
}

#[test]
fn list_dma_must_be_enabled_by_cycle_113() {
    for (begin, fetched) in [(108, 1), (109, 0)] {
        let mut rig = Rig::new().list(&[0x70, 0x70], 0x00);
        // LDA #$20, STA DMACTL, JMP *: the write is the sixth cycle.
        rig.program(15, begin, &[0xA9, 0x20, 0x8D, 0x00, 0xD4, 0x4C, 0x05, 0x20]);
        rig.to(16, 5);
        let next = rig.machine.bus().video.antic.display_list();
        assert_eq!(next, LIST + fetched, "LDA from cycle {begin}");
    }
}

#[test]
fn jvb_shows_blank_lines_until_vertical_blank_even_when_dma_goes_off_and_on() {
    let mut rig = Rig::new().list(&[0x70], 0x20);
    rig.antic(30, 40, DMACTL, 0);
    rig.antic(40, 40, DMACTL, 0x20);
    rig.to(200, 10);
    let antic = &rig.machine.bus().video.antic;
    assert_eq!(antic.current_instruction(), 0x41);
    assert_eq!(antic.display_list(), LIST);
    rig.to(8, 10);
    assert_eq!(rig.machine.bus().video.antic.display_list(), LIST + 1);
}

#[test]
fn the_list_wraps_in_1k_also_between_the_bytes_of_an_address() {
    for (last, list) in [
        (0x07FE, [0x4E, 0x34, 0x12]),
        (0x07FF, [0x4E, 0x34, 0x12]),
        (0x07FE, [0x01, 0x34, 0x12]),
    ] {
        let mut rig = Rig::new().list(&[], 0x00);
        for (i, byte) in list.into_iter().enumerate() {
            rig.put(0x0400 | (last + i as u16) & 0x3FF, &[byte]);
        }
        rig.antic(0, 10, DLISTL, last as u8);
        rig.antic(0, 11, DLISTH, (last >> 8) as u8);
        rig.antic(0, 12, DMACTL, 0x20);
        rig.to(8, 20);
        let antic = &rig.machine.bus().video.antic;
        if list[0] == 0x01 {
            assert_eq!(antic.display_list(), 0x1234);
        } else {
            assert_eq!(antic.memory_scan(), 0x1234);
            assert_eq!(antic.display_list(), 0x0400 | (last + 3) & 0x3FF);
        }
    }
}

#[test]
fn the_playfield_goes_on_at_the_beginning_of_its_4k() {
    let mut rig = Rig::new()
        .gtia_set(&[(0x16, 0x10), (0x17, 0x20), (0x18, 0x30)])
        .list(&[0x70, 0x4E, 0xF6, 0x4F, 0x70], 0x22);
    rig.put(0x4FF6, &[0x55; 10]);
    rig.put(0x5000, &[0xFF; 30]);
    rig.put(0x4000, &[0xAA; 30]);
    let line = rig.colours(16);
    assert_eq!(line[48..88], [0x10; 40]);
    assert_eq!(line[88..208], [0x20; 120]);
    assert_eq!(rig.scan(17), 0x401E);
}

#[test]
fn a_dli_that_goes_on_without_list_dma_reaches_the_processor_when_it_is_enabled_and_nmires_does_not_end_it()
 {
    let mut rig = Rig::new().list(&[0x70, 0xF0], 0x20);
    rig.antic(20, 50, DMACTL, 0);
    rig.antic(32, 50, NMIST, 0);
    assert!(rig.writes(0, NMI_SEEN).is_empty());
    rig.antic(34, 50, 0x0E, 0x80);
    let lines = |rig: &mut Rig, count: u64| -> Vec<u16> {
        let writes = rig.writes(count * 114, NMI_SEEN);
        writes.into_iter().map(|write| write.0).collect()
    };
    assert_eq!(lines(&mut rig, 20), [39, 47]);
    // Enabled only in the next frame.
    rig.antic(60, 50, 0x0E, 0);
    rig.antic(12, 50, 0x0E, 0x80);
    assert_eq!(lines(&mut rig, 10), [15, 19]);
}

#[test]
fn a_mode_line_cut_off_by_vertical_blank_gives_no_dli() {
    // 29 times 8 lines and 4 more: the last instruction's eight lines begin in line 244.
    let mut list = vec![0x70; 29];
    list.extend([0x30, 0xF0]);
    let mut rig = Rig::new().list(&list, 0x20);
    for line in 240..248 {
        assert!(!dli(&mut rig, line), "line {line}");
    }
}

#[test]
fn list_dma_enabled_in_cycle_0_or_1_fetches_an_address_but_no_instruction() {
    for cycle in [0, 1] {
        let mut rig = Rig::new().list(&[0x70, 0x4E, 0x00, 0x40, 0x34, 0x12, 0x70], 0x22);
        rig.antic(16, 110, DMACTL, 0x02);
        rig.antic(17, cycle, DMACTL, 0x22);
        rig.to(17, 10);
        let antic = &rig.machine.bus().video.antic;
        assert_eq!(antic.current_instruction(), 0x4E, "cycle {cycle}");
        assert_eq!(antic.memory_scan(), 0x1234, "cycle {cycle}");
        assert_eq!(antic.display_list(), LIST + 6, "cycle {cycle}");
    }
}

#[test]
fn vertical_blank_takes_bit_6_of_the_instruction_away() {
    // The same in line 8: the instruction is mode E still, but without an address.
    let mut rig = Rig::new().list(&[0x70, 0x4E, 0x00, 0x40, 0x34, 0x12, 0x70], 0x22);
    rig.antic(16, 110, DMACTL, 0x02);
    rig.antic(8, 0, DMACTL, 0x22);
    rig.to(8, 10);
    let antic = &rig.machine.bus().video.antic;
    assert_eq!(antic.current_instruction(), 0x0E);
    assert_eq!(antic.display_list(), LIST + 4);
}
