//! Where the playfield's fetches start and stop (AHRM 4.11, 4.12; Acid800 antic_pfstarttiming, antic_pfstoptiming, antic_hscrolbug).
use crate::rig::Rig;
use antic_gtia::slot;

const DMACTL: u8 = 0;
const HSCROL: u8 = 4;

/// Bytes that a line of `instruction` fetches when a register is written in a cycle of it.
fn bytes(instruction: u8, dmactl: u8, cycle: u8, register: u8, data: u8) -> u16 {
    let mut rig = Rig::new().list(&[0x70, instruction | 0x40, 0x00, 0x40, 0x00, 0x70], dmactl);
    rig.antic(16, cycle, register, data);
    rig.antic(16, 112, DMACTL, 0x20);
    rig.scan(17) - 0x4000
}

#[test]
fn the_start_is_sampled_16_cycles_into_the_line_for_normal_fetches() {
    for mode in [6, 0xA] {
        assert_eq!(bytes(mode, 0x22, 16, DMACTL, 0x21), 16, "mode {mode:X}");
        assert_eq!(bytes(mode, 0x22, 17, DMACTL, 0x21), 18, "mode {mode:X}");
    }
}

#[test]
fn a_later_hscrol_counts_for_the_start_up_to_cycle_16_of_a_normal_fetch() {
    for mode in [0x16, 0x1A] {
        assert_eq!(bytes(mode, 0x21, 16, HSCROL, 8), 20, "mode {mode:X}");
        assert_eq!(bytes(mode, 0x21, 17, HSCROL, 8), 21, "mode {mode:X}");
    }
}

#[test]
fn a_start_moved_earlier_than_the_beam_does_not_come() {
    for cycle in 17..=24 {
        assert_eq!(bytes(6, 0x21, cycle, DMACTL, 0x22), 0, "cycle {cycle}");
    }
    // After the old start only the stop moves.
    assert_eq!(bytes(6, 0x21, 26, DMACTL, 0x22), 18);
    assert_eq!(bytes(6, 0x21, 16, DMACTL, 0x22), 20);
}

#[test]
fn the_stop_is_sampled_near_cycle_88_for_narrow_fetches() {
    for (mode, in_time, late) in [(6, 87, 90), (0xA, 86, 89)] {
        assert_eq!(
            bytes(mode, 0x21, in_time, DMACTL, 0x22),
            18,
            "mode {mode:X}"
        );
        assert_eq!(bytes(mode, 0x21, late, DMACTL, 0x22), 16, "mode {mode:X}");
    }
}

#[test]
fn a_later_hscrol_counts_for_the_stop_up_to_about_cycle_95() {
    for (mode, in_time, late) in [(0x16, 95, 98), (0x1A, 93, 97)] {
        assert_eq!(bytes(mode, 0x21, in_time, HSCROL, 8), 21, "mode {mode:X}");
        assert_eq!(bytes(mode, 0x21, late, HSCROL, 8), 20, "mode {mode:X}");
    }
}

#[test]
fn a_stop_moved_behind_the_beam_leaves_the_wide_stop() {
    // Names every four cycles from 18 on, to the wide stop at 106.
    assert_eq!(bytes(6, 0x22, 93, DMACTL, 0x21), 22);
}

#[test]
fn an_unstopped_clock_fetches_on_through_horizontal_blank() {
    // The stop at 98 misses the fetches' phase: 100 to 112 and 0 to 18, of which 106 to 0 are not bus cycles.
    let list = [0x70, 0x5E, 0x00, 0x40, 0x1E, 0x00, 0x70];
    let mut rig = Rig::new().list(&list, 0x21);
    rig.antic(16, 78, HSCROL, 2);
    rig.antic(16, 108, HSCROL, 0);
    let slots = **rig.machine.bus().video.antic.slots();
    for cycle in [110, 112] {
        assert_eq!(
            slots[cycle] & (slot::BITMAP | slot::VIRTUAL),
            slot::BITMAP | slot::VIRTUAL,
            "cycle {cycle}"
        );
    }
    assert_eq!(rig.scan(17), 0x4000 + 40 + 7);
    assert_eq!(rig.scan(18), 0x4000 + 40 + 17 + 40);
    assert_eq!(rig.scan(19), 0x4000 + 40 + 17 + 40);
}

#[test]
fn a_blank_line_clears_the_clock() {
    let list = [0x70, 0x5E, 0x00, 0x40, 0x00, 0x1E, 0x00, 0x70];
    let mut rig = Rig::new().list(&list, 0x21);
    rig.antic(16, 78, HSCROL, 2);
    rig.antic(16, 108, HSCROL, 0);
    // What is left comes only until the instruction is there.
    let after = rig.scan(18);
    assert!(after <= 0x4000 + 40 + 8);
    assert_eq!(rig.scan(19), after + 40);
}

#[test]
fn modes_8_and_9_run_wild_only_behind_lines_scrolled_by_ten_or_more() {
    for (mode, from) in [(0x15, 10), (0x1E, 10), (0x17, 14), (0x1A, 14)] {
        for hscrol in 0..16 {
            let list = [0x70, mode | 0x40, 0x00, 0x40, 0x48, 0x00, 0x50, 0x70];
            let mut rig = Rig::new().list(&list, 0x22);
            rig.antic(0, 20, HSCROL, hscrol);
            let height = [0x15, 0x17].contains(&mode);
            let first = 16
                + if height {
                    16
                } else if mode == 0x1A {
                    4
                } else {
                    1
                };
            let fetched = rig.scan(first + 1) - 0x5000;
            assert_eq!(
                fetched != 10,
                hscrol >= from,
                "mode {mode:X}, HSCROL {hscrol}"
            );
        }
    }
}

#[test]
fn missile_dma_must_be_switched_off_by_cycle_112() {
    for (begin, fetched) in [(107, false), (108, true)] {
        let mut rig = Rig::new().list(&[0x70, 0x70], 0x24);
        // LDA #$20, STA DMACTL: the write in 112 or 113.
        rig.program(20, begin, &[0xA9, 0x20, 0x8D, 0x00, 0xD4, 0x4C, 0x05, 0x20]);
        rig.to(21, 0);
        let special = rig.machine.bus().video.antic.slots()[0] & slot::SPECIAL != 0;
        assert_eq!(special, fetched, "LDA from cycle {begin}");
    }
}

#[test]
fn fetches_in_one_cycle_read_the_and_of_their_addresses() {
    // The unstopped clock fetches in cycles 2 and 4, where players 0 and 2 are fetched.
    let list = [0x70, 0x5E, 0x00, 0x40, 0x1E, 0x00, 0x70];
    let mut rig = Rig::new().gtia_set(&[(0x1D, 2)]).list(&list, 0x39);
    rig.put(0x4000, &[0; 0x800]);
    rig.antic(0, 20, 7, 0x40);
    for player in 0..4 {
        rig.put(0x4411 + 0x100 * player, &[0x10 + player as u8]);
    }
    // 47 fetches in line 16, one in cycle 0 of line 17: $4030 & $4411, then $4031 & $4611.
    rig.put(0x4010, &[0x77, 0x66]);
    rig.antic(16, 78, HSCROL, 2);
    rig.antic(16, 108, HSCROL, 0);
    rig.to(17, 15);
    let gtia = &rig.machine.bus().video.gtia;
    let players: Vec<u8> = (0..4).map(|n| gtia.object(n).2).collect();
    assert_eq!(players, [0x77, 0x11, 0x66, 0x13]);
}

#[test]
fn the_start_is_sampled_8_cycles_into_the_line_for_wide_and_24_for_narrow_fetches() {
    for mode in [6, 0xA] {
        assert_eq!(bytes(mode, 0x23, 8, DMACTL, 0x22), 20, "mode {mode:X}");
        assert_eq!(bytes(mode, 0x23, 9, DMACTL, 0x22), 22, "mode {mode:X}");
        assert_eq!(bytes(mode, 0x21, 24, DMACTL, 0x20), 0, "mode {mode:X}");
        // Switched off later it has no stop: the fetches are counted to the end of the line (reference picture mid_dmactl_off).
        assert_eq!(bytes(mode, 0x21, 25, DMACTL, 0x20), 22, "mode {mode:X}");
    }
}

#[test]
fn the_start_s_deadline_moves_with_half_of_hscrol() {
    for (dmactl, deadline) in [(0x21, 16), (0x22, 8), (0x23, 8)] {
        for hscrol in 0..16u8 {
            let fetched = |cycle| {
                let list = [0x70, 0x56, 0x00, 0x40, 0x00, 0x70];
                let mut rig = Rig::new().list(&list, dmactl);
                rig.antic(0, 20, HSCROL, hscrol);
                rig.antic(16, cycle, DMACTL, 0x20);
                rig.scan(17) - 0x4000
            };
            let at = deadline + hscrol / 2;
            assert_eq!(fetched(at), 0, "{dmactl:02X}, HSCROL {hscrol}");
            assert_ne!(fetched(at + 1), 0, "{dmactl:02X}, HSCROL {hscrol}");
        }
    }
}

#[test]
fn a_later_hscrol_counts_for_the_start_up_to_cycle_8_of_a_wide_fetch() {
    for mode in [0x16, 0x1A] {
        assert_eq!(bytes(mode, 0x22, 8, HSCROL, 8), 24, "mode {mode:X}");
        assert_eq!(bytes(mode, 0x22, 9, HSCROL, 8), 25, "mode {mode:X}");
    }
}

#[test]
fn the_stop_is_sampled_near_cycle_96_for_normal_fetches() {
    for (mode, in_time, late) in [(6, 95, 98), (0xA, 94, 97)] {
        assert_eq!(bytes(mode, 0x22, in_time, DMACTL, 0x23), 22, "{mode:X}");
        assert_eq!(bytes(mode, 0x22, late, DMACTL, 0x23), 20, "{mode:X}");
    }
}

#[test]
fn writes_are_safe_again_from_the_cycle_of_the_manual_on() {
    // AHRM 4.12: 88, 96 or 104 by the width of the fetches, and half of HSCROL.
    for instruction in (2..16u8).chain(0x12..0x20) {
        let scrolled = instruction & 0x10 != 0;
        for dmactl in 0x21..=0x23u8 {
            let tier = ((dmactl & 3) + u8::from(scrolled)).min(3);
            let values: &[u8] = if scrolled { &[0, 3, 4, 8, 15] } else { &[0] };
            for &hscrol in values {
                let at = 80 + 8 * tier + hscrol / 2;
                let fetched = |write: Option<(u8, u8)>| {
                    let list = [0x70, 0x40 | instruction, 0x00, 0x40, 0x00, 0x70];
                    let mut rig = Rig::new().list(&list, dmactl);
                    rig.antic(0, 20, HSCROL, hscrol);
                    if let Some((register, data)) = write {
                        rig.antic(16, at, register, data);
                    }
                    rig.scan(40)
                };
                let plain = fetched(None);
                let mut writes = vec![(DMACTL, 0x20), (DMACTL, dmactl ^ 1), (DMACTL, 0x23)];
                if scrolled {
                    writes.extend([0, 2, 4, 8, 14].map(|value| (HSCROL, value)));
                }
                for write in writes {
                    assert_eq!(
                        fetched(Some(write)),
                        plain,
                        "{instruction:02X}, DMACTL {dmactl:02X}, HSCROL {hscrol}, {write:?} in {at}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_text_line_whose_start_is_missed_shows_nothing_of_the_line_before() {
    for mode in [2, 4, 6] {
        let mut rig = Rig::new()
            .gtia_set(&[(0x16, 0x12), (0x17, 0x0E), (0x18, 0x30)])
            .list(&[0x70, 0x40 | mode, 0x00, 0x40, 0x70], 0x22);
        rig.put(0x4000, &[0; 40]);
        rig.put(0x5000, &[0xFF; 8]);
        rig.antic(0, 20, 9, 0x50);
        // Off when line 19 should start, and on after that; off in the middle of line 21 is only a gap.
        rig.antic(19, 12, DMACTL, 0x20);
        rig.antic(19, 40, DMACTL, 0x22);
        rig.antic(21, 40, DMACTL, 0x20);
        rig.antic(21, 60, DMACTL, 0x22);
        rig.to(40, 0);
        rig.machine.run_frame();
        let lit = |line: usize| -> Vec<usize> {
            let row = rig.machine.frame().line(line);
            let border = rig.machine.frame().line(12)[0];
            let dark = if mode == 2 { 0x30 } else { border };
            (48..208)
                .filter(|x| ![dark, border].contains(&row[2 * (x - 34)]))
                .collect()
        };
        let all: Vec<usize> = (48..208).collect();
        assert_eq!(lit(18), all, "mode {mode}");
        assert_eq!(lit(19), [0; 0], "mode {mode}");
        assert_eq!(lit(20), all, "mode {mode}");
        let gap: Vec<usize> = (48..82).chain(122..208).collect();
        let shown = lit(21);
        assert!(
            gap.iter()
                .filter(|x| **x < 82 || **x > 140)
                .all(|x| shown.contains(x))
        );
        assert!(!shown.iter().any(|x| (82..122).contains(x)), "mode {mode}");
    }
}
