//! Vertical scrolling (AHRM 4.7; Acid800 antic_vscroll, antic_vscroldli).
use crate::rig::{LIST, Rig};

const VSCROL: u8 = 5;
const NMIST: u8 = 0x0F;

/// The heights of the mode lines from line 8 on.
fn heights(rig: &mut Rig, count: usize) -> Vec<u16> {
    let mut starts = Vec::new();
    let mut last = 0;
    for line in 8..248 {
        rig.to(line, 8);
        let next = rig.machine.bus().video.antic.display_list();
        if next != last {
            starts.push(line);
            last = next;
        }
    }
    starts
        .windows(2)
        .map(|two| two[1] - two[0])
        .take(count)
        .collect()
}

fn scrolled(list: &[u8], vscrol: u8) -> Rig {
    let mut rig = Rig::new().list(list, 0x20);
    rig.antic(0, 20, VSCROL, vscrol);
    rig
}

#[test]
fn regions_begin_at_vscrol_and_end_with_it() {
    let mut rig = scrolled(&[0x70, 0x22, 0x02, 0x70, 0x70], 3);
    assert_eq!(heights(&mut rig, 4), [8, 5, 4, 8]);
}

#[test]
fn vscrol_beyond_the_last_row_makes_mode_lines_taller() {
    let mut rig = scrolled(&[0x70, 0x22, 0x02, 0x70, 0x70], 9);
    // Rows 9 to 15 and 0 to 7; 0 to 9.
    assert_eq!(heights(&mut rig, 4), [8, 15, 10, 8]);
    let mut rig = scrolled(&[0x70, 0x2F, 0x0F, 0x70], 13);
    assert_eq!(heights(&mut rig, 3), [8, 4, 14]);
}

#[test]
fn mode_lines_inside_a_region_keep_their_height() {
    let mut rig = scrolled(&[0x70, 0x22, 0x22, 0x24, 0x02, 0x70], 3);
    assert_eq!(heights(&mut rig, 5), [8, 5, 8, 8, 4]);
}

#[test]
fn a_blank_instruction_ends_a_region_and_is_cut_by_vscrol() {
    let mut rig = scrolled(&[0x70, 0x22, 0x70, 0x70], 2);
    assert_eq!(heights(&mut rig, 3), [8, 6, 3]);
    let mut rig = scrolled(&[0x70, 0x22, 0x10, 0x70], 9);
    assert_eq!(heights(&mut rig, 3), [8, 15, 10]);
}

#[test]
fn a_jump_that_ends_a_region_fetches_an_address_in_each_of_its_lines() {
    let mut rig = Rig::new().list(&[0x70, 0x22, 0x01, 0x00, 0x07], 0x20);
    rig.put(0x0700, &[0x40, 0x07]);
    rig.put(0x0740, &[0x70, 0x41, LIST as u8, (LIST >> 8) as u8]);
    rig.antic(0, 20, VSCROL, 1);
    // Rows 1 to 7, then two lines of the jump.
    rig.to(16 + 7, 20);
    assert_eq!(rig.machine.bus().video.antic.display_list(), 0x0700);
    rig.to(16 + 8, 20);
    assert_eq!(rig.machine.bus().video.antic.display_list(), 0x0740);
}

#[test]
fn a_region_goes_on_across_vertical_blank() {
    for (last, row) in [(0x22, 0), (0x02, 12)] {
        let mut list = vec![0x70; 29];
        list.push(last);
        list.extend([0x22, 0x02]);
        let mut rig = scrolled(&list, 12);
        // The mode line at 240 is cut by vertical blank, the list continues with the next instruction.
        rig.to(247, 20);
        assert_eq!(rig.machine.bus().video.antic.current_instruction(), last);
        rig.to(8, 20);
        let antic = &rig.machine.bus().video.antic;
        assert_eq!((antic.current_instruction(), antic.row()), (0x22, row));
    }
}

#[test]
fn the_first_row_is_vscrol_as_written_by_cycle_0() {
    for (cycle, row) in [(0, 5), (1, 3)] {
        let mut rig = scrolled(&[0x70, 0x22, 0x02, 0x70], 3);
        rig.antic(16, cycle, VSCROL, 5);
        rig.to(16, 20);
        assert_eq!(rig.machine.bus().video.antic.row(), row, "cycle {cycle}");
    }
}

#[test]
fn the_last_row_is_vscrol_as_written_by_cycle_108() {
    for (cycle, ended) in [(108, true), (109, false)] {
        let mut rig = scrolled(&[0x70, 0x22, 0x02, 0x70], 0);
        rig.antic(17, 20, VSCROL, 7);
        // Row 3 of the ending line.
        rig.antic(24 + 3, cycle, VSCROL, 3);
        rig.to(24 + 4, 20);
        let row = rig.machine.bus().video.antic.row();
        assert_eq!(row, if ended { 0 } else { 4 }, "cycle {cycle}");
    }
}

#[test]
fn whether_a_dli_comes_is_decided_with_vscrol_as_written_by_cycle_5() {
    for (cycle, nmist) in [(5, 0), (6, 0x80)] {
        let mut rig = scrolled(&[0x70, 0x22, 0x82, 0x70], 0);
        rig.antic(17, 20, VSCROL, 3);
        rig.antic(24 + 2, 20, NMIST, 0);
        // Row 3 would be the last.
        rig.antic(24 + 3, cycle, VSCROL, 6);
        assert_eq!(
            rig.antic_read(24 + 3, 20, NMIST) & 0x80,
            nmist,
            "cycle {cycle}"
        );
        rig.to(24 + 4, 20);
        assert_eq!(
            rig.machine.bus().video.antic.row(),
            4,
            "the line goes on in any case"
        );
    }
}

#[test]
fn vscrol_changed_before_row_7_repeats_rows_beyond_sixteen() {
    // The beam has passed the ending line's last row twice: the line gets 16 rows more.
    let mut rig = scrolled(&[0x70, 0x22, 0x02, 0x70], 0);
    rig.antic(17, 20, VSCROL, 9);
    rig.antic(24 + 5, 20, VSCROL, 3);
    rig.to(24 + 16, 20);
    assert_eq!(rig.machine.bus().video.antic.row(), 0);
    assert_eq!(rig.machine.bus().video.antic.current_instruction(), 0x02);
    rig.to(24 + 20, 20);
    assert_eq!(rig.machine.bus().video.antic.current_instruction(), 0x70);
}

#[test]
fn the_regions_of_acid800_vscroll_have_heights_5_4_8_15_and_10() {
    // VSCROL is 3 up to the second DLI, then 9.
    let mut rig = scrolled(&[0xA2, 0x82, 0x70, 0xA2, 0x82, 0x70], 3);
    let mut ends = Vec::new();
    for line in 8..60 {
        rig.antic(line, 3, NMIST, 0);
        if rig.antic_read(line, 10, NMIST) & 0x80 != 0 {
            ends.push(line);
            if ends.len() == 2 {
                rig.antic(line, 110, VSCROL, 9);
            }
        }
    }
    // A DLI comes in the last line of each: 5, 4, (8 blank,) 15, 10.
    assert_eq!(ends, [12, 16, 16 + 8 + 15, 16 + 8 + 15 + 10]);
}

#[test]
fn the_scroll_bit_is_carried_over_vertical_blank() {
    // $22 in line 247 and $A2 as first of the next frame: no region begins, though VSCROL is 12; the mode line has its eight rows.
    let mut list = vec![0x70; 29];
    list.extend([0x60, 0x22]);
    list.extend([0xA2, 0x02]);
    let mut rig = scrolled(&list, 12);
    rig.to(247, 20);
    assert_eq!(rig.machine.bus().video.antic.current_instruction(), 0x22);
    let mut ends = Vec::new();
    for line in 8..40 {
        rig.antic(line, 3, NMIST, 0);
        if rig.antic_read(line, 10, NMIST) & 0x80 != 0 {
            ends.push(line);
        }
    }
    assert_eq!(ends, [15]);
}

#[test]
fn scroll_bits_of_blank_lines_and_jumps_do_not_count() {
    // $70 has bit 5 set as a part of its number of lines: the region begins and ends all the same.
    let mut rig = scrolled(&[0x70, 0x24, 0x30, 0x24, 0x04, 0x70], 2);
    assert_eq!(heights(&mut rig, 5), [8, 6, 3, 6, 3]);
    let mut rig = Rig::new().list(&[0x70, 0x31, 0x00, 0x07], 0x20);
    rig.put(
        0x0700,
        &[0x24, 0x04, 0x70, 0x41, LIST as u8, (LIST >> 8) as u8],
    );
    rig.antic(0, 20, VSCROL, 2);
    rig.to(17, 20);
    assert_eq!(
        rig.machine.bus().video.antic.row(),
        2,
        "the jump is no region"
    );
}

#[test]
fn a_jvb_that_ends_a_region_has_the_height_once_and_is_one_line_high_from_then_on() {
    let mut rig = Rig::new().list(&[0x70, 0x24], 0x20);
    rig.put(LIST + 2, &[0xC1, LIST as u8, (LIST >> 8) as u8]);
    rig.antic(0, 20, VSCROL, 3);
    let mut ends = Vec::new();
    for line in 8..32 {
        rig.antic(line, 3, NMIST, 0);
        if rig.antic_read(line, 10, NMIST) & 0x80 != 0 {
            ends.push(line);
        }
    }
    // Rows 3 to 7 of mode 4, then four lines of the jump, then one after the other.
    assert_eq!(ends, (24..32).collect::<Vec<_>>());
}
