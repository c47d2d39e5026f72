//! The display list (AHRM 4.6; Acid800 antic_dlistwrap).
use crate::rig::{LIST, Rig};

const DMACTL: u8 = 0;
const DLISTL: u8 = 2;
const DLISTH: u8 = 3;
const NMIST: u8 = 0x0F;

/// Whether a DLI comes in that line.
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
    assert_eq!(rig.machine.bus.video.antic.current_instruction(), 0x4E);
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
    assert_eq!(rig.machine.bus.video.antic.current_instruction(), 0x70);
    rig.to(16, 10);
    assert_eq!(rig.machine.bus.video.antic.current_instruction(), 0x10);
    rig.to(18, 10);
    assert_eq!(rig.machine.bus.video.antic.current_instruction(), 0x60);
}

#[test]
fn list_dma_must_be_enabled_by_cycle_113() {
    for (begin, fetched) in [(108, 1), (109, 0)] {
        let mut rig = Rig::new().list(&[0x70, 0x70], 0x00);
        // LDA #$20, STA DMACTL, JMP *: the write is the sixth cycle.
        rig.program(15, begin, &[0xA9, 0x20, 0x8D, 0x00, 0xD4, 0x4C, 0x05, 0x20]);
        rig.to(16, 5);
        let next = rig.machine.bus.video.antic.display_list();
        assert_eq!(next, LIST + fetched, "LDA from cycle {begin}");
    }
}

#[test]
fn jvb_shows_blank_lines_until_vertical_blank_even_when_dma_goes_off_and_on() {
    let mut rig = Rig::new().list(&[0x70], 0x20);
    rig.antic(30, 40, DMACTL, 0);
    rig.antic(40, 40, DMACTL, 0x20);
    rig.to(200, 10);
    let antic = &rig.machine.bus.video.antic;
    assert_eq!(antic.current_instruction(), 0x41);
    assert_eq!(antic.display_list(), LIST);
    rig.to(8, 10);
    assert_eq!(rig.machine.bus.video.antic.display_list(), LIST + 1);
}
