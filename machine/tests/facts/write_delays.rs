//! When writes of GTIA's and ANTIC's registers show in the picture (AHRM 6.8, 6.10; Acid800 gtia_psuedomodee). A cycle `c` begins with
//! colour clock 2c.
use crate::rig::Rig;

const PRIOR: u8 = 0x1B;

/// The first colour clock of line 60 that a write changes.
fn first_change(rig: &Rig, write: impl FnOnce(&mut Rig)) -> Option<usize> {
    let mut written = Rig {
        machine: rig.machine.clone(),
    };
    let mut plain = Rig {
        machine: rig.machine.clone(),
    };
    write(&mut written);
    written.to(61, 10);
    plain.to(61, 10);
    let (a, b) = (written.colours(60), plain.colours(60));
    (0..a.len()).find(|&x| a[x] != b[x])
}

#[test]
fn colour_registers_show_one_colour_clock_later() {
    let rig = Rig::new().gtia_set(&[(0x1A, 0x24)]);
    for cycle in [20, 33, 70, 100] {
        let change = first_change(&rig, |rig| rig.gtia(60, cycle, 0x1A, 0x0E));
        assert_eq!(change, Some(2 * usize::from(cycle) + 1));
    }
}

#[test]
fn priority_bits_act_two_colour_clocks_later() {
    // Two players on one spot: with bit 5 their colours mix; with bit 2 playfield 2 of a hires line covers them.
    let players = [
        (0, 0x60),
        (1, 0x60),
        (8, 3),
        (9, 3),
        (0x0D, 0xFF),
        (0x0E, 0xFF),
        (0x12, 0x12),
        (0x13, 0x24),
        (0x18, 0xC8),
    ];
    let rig = Rig::new().gtia_set(&players);
    for cycle in [50, 55] {
        let change = first_change(&rig, |rig| rig.gtia(60, cycle, PRIOR, 0x20));
        assert_eq!(change, Some(2 * usize::from(cycle) + 2));
    }
}

fn hires_lines() -> Rig {
    let mut list = vec![0x70; 6];
    list.extend([0x4F, 0x00, 0x40]);
    for _ in 0..40 {
        list.extend([0x4F, 0x00, 0x40]);
    }
    let mut rig = Rig::new()
        .gtia_set(&[
            (0x12, 0x90),
            (0x16, 0x12),
            (0x17, 0x2E),
            (0x18, 0x34),
            (0x19, 0x46),
            (0x1A, 0x50),
        ])
        .list(&list, 0x22);
    rig.put(0x4000, &[0x00; 40]);
    rig
}

#[test]
fn gtia_modes_9_and_11_begin_four_colour_clocks_later_and_mode_10_three() {
    let rig = hires_lines();
    for (prior, delay) in [(0x40, 4), (0xC0, 4), (0x80, 3)] {
        for cycle in [50, 61] {
            let change = first_change(&rig, |rig| rig.gtia(60, cycle, PRIOR, prior));
            assert_eq!(
                change,
                Some(2 * usize::from(cycle) + delay),
                "PRIOR {prior:02X}"
            );
        }
    }
}

#[test]
fn hires_can_be_chosen_only_in_horizontal_blank_up_to_cycle_15() {
    for (cycle, hires) in [(15, true), (16, false), (40, false)] {
        let mut rig = hires_lines();
        rig.put(0x4000, &[0b00_01_10_11; 40]);
        rig.gtia(59, 20, PRIOR, 0x80);
        rig.gtia(60, cycle, PRIOR, 0);
        rig.to(61, 10);
        let line = rig.colours(60);
        if hires {
            assert_eq!(line[0x60], 0x34, "write in cycle {cycle}");
            assert_eq!(line[0x63], 0x3E, "write in cycle {cycle}");
        } else {
            assert_eq!(
                line[0x60..0x64],
                [0x12, 0x2E, 0x34, 0x46],
                "write in cycle {cycle}"
            );
        }
    }
}

#[test]
fn hitclr_forgets_what_met_up_to_two_colour_clocks_after_its_cycle_began() {
    for (x, met) in [(2 * 60 + 2, 0), (2 * 60 + 3, 2)] {
        let mut rig = Rig::new().gtia_set(&[(0, x), (1, x), (0x0D, 0x80), (0x0E, 0x80)]);
        rig.gtia(60, 60, 0x1E, 0);
        assert_eq!(rig.gtia_read(61, 0x0C), met, "at {x}");
    }
}

#[test]
fn graf_and_size_act_three_colour_clocks_later() {
    for (register, data) in [(0x0D, 0x7F), (0x0D, 0x00)] {
        for (x, changed) in [(2 * 60 + 2, false), (2 * 60 + 3, true)] {
            let rig = Rig::new().gtia_set(&[(0, x), (0x0D, 0xFF), (0x12, 0x3A)]);
            let change = first_change(&rig, |rig| rig.gtia(60, 60, register, data));
            assert_eq!(change.is_some(), changed, "GRAFP0 {data:02X} at {x}");
        }
    }
    // A quadruple player that becomes a single one shows its next bit earlier.
    let rig = Rig::new().gtia_set(&[(0, 0x70), (8, 3), (0x0D, 0x55), (0x12, 0x3A)]);
    let change = first_change(&rig, |rig| rig.gtia(60, 60, 8, 0)).unwrap();
    // Written in 60: from 123 on, the last colour clock of its bit anyway; the next one, of 1, lasts for 124 alone.
    assert_eq!(change, 125);
}

#[test]
fn hpos_acts_five_colour_clocks_later() {
    for (x, gone) in [(2 * 60 + 4, false), (2 * 60 + 5, true)] {
        let rig = Rig::new().gtia_set(&[(0, x), (0x0D, 0x80), (0x12, 0x3A)]);
        let change = first_change(&rig, |rig| rig.gtia(60, 60, 0, 0));
        assert_eq!(change.is_some(), gone, "player at {x}");
    }
}

#[test]
fn the_playfield_s_window_follows_dmactl_two_colour_clocks_later() {
    let rig = hires_lines();
    for cycle in [50, 61] {
        let change = first_change(&rig, |rig| rig.antic(60, cycle, 0, 0x20));
        assert_eq!(change, Some(2 * usize::from(cycle) + 2));
    }
}

#[test]
fn bit_0_of_hscrol_shifts_the_picture_two_colour_clocks_later() {
    let mut list = vec![0x70; 6];
    for _ in 0..40 {
        list.extend([0x5E, 0x00, 0x40]);
    }
    let mut rig = Rig::new().gtia_set(&[(0x16, 0x12)]).list(&list, 0x22);
    // Single pixels: any shift shows at once, or one colour clock after.
    rig.put(0x4000, &[0b01_00_01_00; 48]);
    for cycle in [50, 61] {
        let change = first_change(&rig, |rig| rig.antic(60, cycle, 4, 1));
        assert_eq!(change, Some(2 * usize::from(cycle) + 2));
    }
}
