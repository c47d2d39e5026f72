//! Players and missiles: triggers, sizes and collisions (AHRM 6.5, 6.6; Acid800 gtia_pmretrigger, gtia_pmresize, gtia_pmoverlap,
//! gtia_collision2).
use crate::rig::Rig;

const HPOSP0: u8 = 0x00;
const SIZEP0: u8 = 0x08;
const GRAFP0: u8 = 0x0D;
const P0PL: u8 = 0x0C;

/// What player 0 meets (player 1 at $40, player 2 at $B8) when it is moved from `from` to `to` in that cycle.
fn met(from: u8, to: u8, cycle: u8) -> u8 {
    let marks = [
        (0, from),
        (1, 0x40),
        (2, 0xB8),
        (0x0D, 0x80),
        (0x0E, 0x80),
        (0x0F, 0x80),
    ];
    let mut rig = Rig::new().gtia_set(&marks);
    rig.gtia(60, 0, 0x1E, 0);
    rig.gtia(60, cycle, HPOSP0, to);
    rig.gtia_read(61, P0PL) & 6
}

#[test]
fn hpos_written_in_time_moves_a_player_and_later_shows_it_twice() {
    assert_eq!(met(0x40, 0xB8, 28), 4);
    assert_eq!(met(0x40, 0xB8, 30), 6);
    assert_eq!(met(0x40, 0xB8, 65), 6);
    assert_eq!(met(0x40, 0xB8, 89), 6);
    assert_eq!(met(0x40, 0xB8, 90), 2);
    // For $B9 a write in 90 is in time on some machines only.
    let at_b9 = |cycle| {
        let marks = [(0, 0x40), (2, 0xB9), (0x0D, 0x80), (0x0F, 0x80)];
        let mut rig = Rig::new().gtia_set(&marks);
        rig.gtia(60, 0, 0x1E, 0);
        rig.gtia(60, cycle, HPOSP0, 0xB9);
        rig.gtia_read(61, P0PL) & 4
    };
    assert_eq!(at_b9(89), 4);
    assert_eq!(at_b9(91), 0);
}

/// Positions $61 to $67 of player 0 as bits 7 to 1, when SIZEP0 is written in cycle 47.
fn resized(hpos: u8, from: u8, to: u8) -> u8 {
    let mut rig =
        Rig::new().gtia_set(&[(HPOSP0, hpos), (SIZEP0, from), (GRAFP0, 0xAA), (0x12, 0x3A)]);
    rig.gtia(60, 47, SIZEP0, to);
    rig.to(61, 10);
    let line = rig.colours(60);
    (0x61..0x68).fold(0, |bits, x| bits | u8::from(line[x] == 0x3A) << (0x68 - x))
}

#[test]
fn a_size_changed_in_the_middle_of_a_player_goes_on_from_the_present_state() {
    type Row = (u8, u8, u8, [u8; 16]);
    let table: [Row; 7] = [
        (
            0x48,
            3,
            0,
            [
                0x80, 0x80, 0x40, 0x40, 0x40, 0x40, 0xA0, 0xA0, 0xA0, 0xA0, 0x50, 0x50, 0x50, 0x50,
                0xA8, 0xA8,
            ],
        ),
        (
            0x48,
            3,
            1,
            [
                0x80, 0xC0, 0x60, 0x30, 0x60, 0x30, 0x98, 0xCC, 0x98, 0xCC, 0x66, 0x32, 0x66, 0x32,
                0x98, 0xCC,
            ],
        ),
        (
            0x54,
            1,
            3,
            [
                0xE0, 0xF0, 0x1E, 0x0E, 0xE0, 0xF0, 0x1E, 0x0E, 0xE0, 0xF0, 0x1E, 0x0E, 0xE0, 0xF0,
                0x78, 0x3C,
            ],
        ),
        (
            0x54,
            0,
            1,
            [
                0, 0, 0, 0, 0, 0, 0, 0xC0, 0x30, 0xCC, 0x32, 0xCC, 0x32, 0xCC, 0x66, 0x32,
            ],
        ),
        (
            0x54,
            0,
            3,
            [
                0, 0, 0, 0, 0, 0, 0, 0xF0, 0x0E, 0xF0, 0x0E, 0xF0, 0x0E, 0xF0, 0x78, 0x3C,
            ],
        ),
        (
            0x54,
            1,
            2,
            [
                0xFE, 0x80, 0x00, 0x40, 0xFE, 0xA0, 0x00, 0x50, 0xFE, 0xA8, 0x00, 0x54, 0xFE, 0xAA,
                0x54, 0x2A,
            ],
        ),
        (
            0x54,
            3,
            2,
            [
                0x00, 0x50, 0xA8, 0xFE, 0xFE, 0xA8, 0x54, 0x00, 0x00, 0x54, 0xAA, 0xFE, 0xFE, 0xAA,
                0x54, 0x2A,
            ],
        ),
    ];
    for (first, from, to, wanted) in table {
        let found: Vec<u8> = (0..16).map(|i| resized(first + i, from, to)).collect();
        assert_eq!(found, wanted, "SIZEP0 {from} to {to}: {found:02X?}");
    }
}

#[test]
fn a_player_locked_up_by_size_2_stays_so_until_its_size_changes() {
    // From 2x in its second clock to size 2: the state counts to 2 and stays; the bit stands for good.
    let mut rig = Rig::new().gtia_set(&[(HPOSP0, 0x54), (SIZEP0, 1), (GRAFP0, 0xAA), (0x12, 0x3A)]);
    rig.gtia(60, 47, SIZEP0, 2);
    // Never reached: a trigger would end it.
    rig.gtia(60, 100, HPOSP0, 240);
    rig.to(63, 10);
    rig.gtia(63, 60, SIZEP0, 0);
    rig.machine.run_frame();
    let frame = rig.machine.frame();
    assert!(frame.line(61).iter().all(|&c| c == 0x3A));
    assert!(frame.line(62).iter().all(|&c| c == 0x3A));
    assert!(!frame.line(64).contains(&0x3A));
}

#[test]
fn a_trigger_ors_into_what_is_left_in_the_shift_register() {
    // $81 at 4x from $60, again from $64: what is left of the first image shifts along.
    let mut rig = Rig::new().gtia_set(&[(HPOSP0, 0x60), (SIZEP0, 3), (GRAFP0, 0x81), (0x12, 0x3A)]);
    rig.gtia(60, 47, HPOSP0, 0x64);
    rig.to(61, 10);
    let line = rig.colours(60);
    let lit: Vec<usize> = (0..228).filter(|&x| line.get(x) == Some(&0x3A)).collect();
    let wanted: Vec<usize> = (0x60..0x68).chain(0x7C..0x84).collect();
    assert_eq!(lit, wanted);
}

#[test]
fn lit_hires_pixels_collide_as_pf2_in_pairs() {
    let mut rig = Rig::new()
        .gtia_set(&[(GRAFP0, 0x80)])
        .list(&[0x70, 0x4F, 0x00, 0x40, 0x70], 0x22);
    rig.put(0x4000, &[0b00_01_10_11; 40]);
    for (i, hit) in [0, 4, 4, 4].into_iter().enumerate() {
        rig = rig.gtia_set(&[(HPOSP0, 0x60 + i as u8)]);
        rig.gtia(0, 40, 0x1E, 0);
        assert_eq!(rig.gtia_read(30, 0x04), hit, "pair {i:02b}");
    }
}

#[test]
fn missiles_take_the_colour_and_size_of_their_own() {
    let mut rig = Rig::new().gtia_set(&[
        (0x04, 0x40),
        (0x05, 0x50),
        (0x06, 0x60),
        (0x07, 0x70),
        (0x0C, 0b11_10_01_00),
        (0x11, 0xFF),
        (0x12, 0x10),
        (0x13, 0x20),
        (0x14, 0x30),
        (0x15, 0x40),
    ]);
    let line = rig.colours(60);
    for (hpos, width, colour) in [
        (0x40, 2, 0x10),
        (0x50, 4, 0x20),
        (0x60, 2, 0x30),
        (0x70, 8, 0x40),
    ] {
        let lit = (hpos..hpos + 16).filter(|&x| line[x] == colour).count();
        assert_eq!(lit, width, "{hpos:02X}");
    }
}
