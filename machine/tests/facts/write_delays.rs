//! When writes of GTIA's and ANTIC's registers show in the picture (AHRM 6.8, 6.10; Acid800 gtia_psuedomodee). A cycle `c` begins with
//! colour clock 2c.
use crate::rig::Rig;
use machine::{Model, Tv};

const PRIOR: u8 = 0x1B;
const CONSOL: u16 = 0xD01F;

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
    // Written in 60: from 123 on, the last colour clock of its bit anyway; the next one, of 1, lasts only for 124.
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

#[test]
fn every_colour_register_shows_one_colour_clock_later() {
    // Players side by side and a line of mode 4 with all four playfields.
    let mut rig = Rig::new()
        .gtia_set(&[
            (0x12, 0x12),
            (0x13, 0x24),
            (0x14, 0x36),
            (0x15, 0x48),
            (0x16, 0x5A),
            (0x17, 0x6C),
            (0x18, 0x7E),
            (0x19, 0x82),
            (0x1A, 0x94),
            (8, 3),
            (9, 3),
            (10, 3),
            (11, 3),
            (0x0D, 0xFF),
            (0x0E, 0xFF),
            (0x0F, 0xFF),
            (0x10, 0xFF),
            (0x1B, 1),
        ])
        .list(
            &[0x70, 0x70, 0x70, 0x70, 0x70, 0x70, 0x44, 0x00, 0x40],
            0x22,
        );
    rig.put(0x5000, &[0; 0x400]);
    for (name, glyph) in [(1, 0x55), (2, 0xAA), (3, 0xFF)] {
        rig.put(0x5000 + 8 * name, &[glyph; 8]);
    }
    rig.antic(0, 20, 9, 0x50);
    for register in 0x12..=0x1A {
        let name = match register {
            0x16 => 1,
            0x17 => 2,
            0x18 => 3,
            0x19 => 0x83,
            _ => 0,
        };
        rig.put(0x4000, &[name; 40]);
        for player in 0..4 {
            let here = register == 0x12 + player;
            rig = rig.gtia_set(&[(player, if here { 0x70 } else { 0 })]);
        }
        for cycle in [60, 65] {
            let change = first_change(&rig, |rig| rig.gtia(60, cycle, register, 0xF0));
            let at = 2 * usize::from(cycle) + 1;
            assert_eq!(change, Some(at), "register {register:02X}");
        }
    }
}

#[test]
fn each_priority_bit_and_the_fifth_player_act_two_colour_clocks_later() {
    // A quadruple player and missiles over PF0 in mode E.
    let mut list = vec![0x70; 6];
    list.extend([0x4E, 0x00, 0x40].repeat(8));
    let mut rig = Rig::new()
        .gtia_set(&[
            (0x12, 0x24),
            (0x16, 0x5A),
            (0x19, 0x82),
            (8, 3),
            (0x0D, 0xFF),
            (0, 0x70),
            (0x0C, 0xFF),
            (0x11, 0xFF),
            (4, 0x40),
        ])
        .list(&list, 0x22);
    rig.put(0x4000, &[0x55; 40]);
    // The missile stands elsewhere, or the player does.
    for (player, missile, prior) in [
        (0x70, 0x40, 1),
        (0x70, 0x40, 2),
        (0x70, 0x40, 4),
        (0x70, 0x40, 8),
        (0x40, 0x78, 0x10),
    ] {
        let rig = Rig {
            machine: rig.machine.clone(),
        }
        .gtia_set(&[(0, player), (4, missile)]);
        let change = first_change(&rig, |rig| rig.gtia(60, 60, PRIOR, prior));
        assert_eq!(change, Some(122), "PRIOR {prior:02X}");
    }
}

#[test]
fn hposm_grafm_and_sizem_act_as_late_as_the_players_registers() {
    for (x, gone) in [(2 * 60 + 4, false), (2 * 60 + 5, true)] {
        for missile in 0..4u8 {
            let rig =
                Rig::new().gtia_set(&[(4 + missile, x), (0x11, 0xAA), (0x12 + missile, 0x3A)]);
            let change = first_change(&rig, |rig| rig.gtia(60, 60, 4 + missile, 0));
            assert_eq!(change.is_some(), gone, "missile {missile} at {x}");
        }
    }
    for (x, changed) in [(2 * 60 + 2, false), (2 * 60 + 3, true)] {
        let rig = Rig::new().gtia_set(&[(4, x), (0x11, 0x02), (0x12, 0x3A)]);
        let change = first_change(&rig, |rig| rig.gtia(60, 60, 0x11, 0));
        assert_eq!(change.is_some(), changed, "GRAFM at {x}");
        // One colour clock instead of four is seen after the trigger, and before it is the same.
        let rig = rig.gtia_set(&[(0x0C, 0xFF)]);
        let change = first_change(&rig, |rig| rig.gtia(60, 60, 0x0C, 0));
        // At 122 the first colour clock is passed: the bit goes after the second.
        let at = if changed { x + 1 } else { x + 2 };
        assert_eq!(change, Some(usize::from(at)), "SIZEM at {x}");
    }
}

#[test]
fn leaving_modes_9_and_11_shows_the_background_for_a_colour_clock_and_then_data_that_are_one_late()
{
    for prior in [0x40, 0xC0] {
        let mut rig = hires_lines();
        // Pseudo mode E: PF0 to PF3 in turn.
        rig.put(0x4000, &[0b00_01_10_11; 40]);
        rig.gtia(59, 20, PRIOR, prior);
        let mut kept = Rig {
            machine: rig.machine.clone(),
        };
        rig.gtia(60, 60, PRIOR, 0);
        rig.to(61, 10);
        kept.to(61, 10);
        let (line, kept) = (rig.colours(60), kept.colours(60));
        assert_eq!(line[48..123], kept[48..123], "PRIOR {prior:02X}");
        assert_eq!(line[123], 0x50, "background");
        let field = |x: usize| [0x12, 0x2E, 0x34, 0x46][x % 4];
        assert_eq!(line[124], field(123));
        for (x, &colour) in line.iter().enumerate().take(208).skip(125) {
            assert_eq!(colour, field(x), "at {x}");
        }
    }
}

#[test]
fn collisions_tell_hires_from_pseudo_mode_e() {
    for (cycle, hit) in [(15, 0x04), (16, 0x0F)] {
        let mut rig = hires_lines().gtia_set(&[(0, 0x60), (8, 1), (0x0D, 0xF0)]);
        rig.put(0x4000, &[0b00_01_10_11; 40]);
        rig.gtia(59, 20, PRIOR, 0x80);
        rig.gtia(60, 2, 0x1E, 0);
        rig.gtia(60, cycle, PRIOR, 0);
        assert_eq!(rig.gtia_read(61, 0x04), hit, "write in cycle {cycle}");
    }
}

#[test]
fn registers_of_gtia_are_in_all_eight_mirrors() {
    for mirror in (0xD000..0xD100).step_by(32) {
        let mut rig = Rig::new();
        rig.machine.pins().write(mirror + 0x1A, 0x5C);
        assert_eq!(rig.machine.bus().video.gtia.written(0x1A), 0x5C);
        assert_eq!(rig.machine.peek(mirror + 0x15), 0x0F);
        assert_eq!(rig.machine.peek(mirror + 0x14), 0x0F);
    }
}

#[test]
fn every_value_of_consol_pulls_its_lines_low_and_reads_back_inverted() {
    // A 400 looks at no console key of its own while it starts.
    for value in 0..=255u8 {
        let mut rig = Rig::of(Model::Atari400, Tv::Ntsc);
        rig.machine.pins().write(CONSOL, value);
        assert_eq!(rig.machine.peek(CONSOL), !value & 0x0F, "{value:02X}");
    }
}

#[test]
fn mode_10_shows_a_change_of_the_playfield_a_colour_clock_later_than_the_others() {
    for (prior, late) in [(0x40, 0), (0x80, 1), (0xC0, 0)] {
        let mut rig = hires_lines().gtia_set(&[(PRIOR, prior), (0x14, 0xC6)]);
        // Values $2: COLPM2 in mode 10, luminance and hue else; the border is value 0.
        rig.put(0x4000, &[0x22; 40]);
        for cycle in [50, 61] {
            let change = first_change(&rig, |rig| rig.antic(60, cycle, 0, 0x20));
            assert_eq!(
                change,
                Some(2 * usize::from(cycle) + 2 + late),
                "PRIOR {prior:02X}"
            );
        }
    }
}
