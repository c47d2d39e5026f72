//! Players and missiles: triggers, sizes and collisions (AHRM 6.5, 6.6; Acid800 gtia_pmretrigger, gtia_pmresize, gtia_pmoverlap,
//! gtia_collision2).
use crate::rig::Rig;

const HPOSP0: u8 = 0x00;
const SIZEP0: u8 = 0x08;
const GRAFP0: u8 = 0x0D;
const P0PL: u8 = 0x0C;
const VDELAY: u8 = 0x1C;

/// The players that player 0 meets (player 1 at $40, player 2 at $B8) when it is moved from `from` to `to` in cycle `cycle`.
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

/// The pixels of a player from colour clock $20 on, by the rule only: (state + 1) & SIZE, a shift when that is 0, and a match of HPOS that
/// makes it 0 and ORs GRAFP to the rest. `matches` says where.
fn by_the_rule(size: u8, graf: u8, matches: &[u8]) -> Vec<bool> {
    let (mut state, mut shift) = (0u8, 0u8);
    (0x20..0xE0u8)
        .map(|x| {
            if matches.contains(&x) {
                if state != 0 {
                    shift <<= 1;
                }
                state = 0;
                shift |= graf;
            }
            let lit = shift & 0x80 != 0;
            state = (state + 1) & size;
            if state == 0 {
                shift <<= 1;
            }
            lit
        })
        .collect()
}

#[test]
fn a_player_moved_into_its_own_image_shows_both_ored() {
    // GRAFP0 $81, from $60, again from $64 to $7F, as in Acid800 gtia_pmoverlap.
    for size in [3, 1, 0, 2] {
        for second in 0x64..=0x7F {
            let mut rig = Rig::new().gtia_set(&[
                (HPOSP0, 0x60),
                (SIZEP0, size),
                (GRAFP0, 0x81),
                (0x12, 0x3A),
            ]);
            rig.gtia(60, 47, HPOSP0, second);
            rig.to(61, 10);
            let line = rig.colours(60);
            let wanted = by_the_rule(size, 0x81, &[0x60, second]);
            for (x, wanted) in (0x22..0xDE).zip(&wanted[2..]) {
                assert_eq!(
                    line[x] == 0x3A,
                    *wanted,
                    "size {size}, second {second:02X}, at {x:02X}"
                );
            }
        }
    }
}

#[test]
fn each_match_of_hpos_shows_the_player_again() {
    let mut rig = Rig::new().gtia_set(&[(HPOSP0, 0x40), (GRAFP0, 0x80), (0x12, 0x3A)]);
    for (cycle, hpos) in [(0x24, 0x60), (0x34, 0x80), (0x44, 0xA0), (0x54, 0xC0)] {
        rig.gtia(60, cycle, HPOSP0, hpos);
    }
    rig.to(61, 10);
    let line = rig.colours(60);
    let lit: Vec<usize> = (34..222).filter(|&x| line[x] == 0x3A).collect();
    assert_eq!(lit, [0x40, 0x60, 0x80, 0xA0, 0xC0]);
}

#[test]
fn objects_that_are_partly_in_horizontal_blank_collide_in_the_part_that_is_seen() {
    // P0 of four colour clocks a bit and P1 of one.
    for (first, graf, second, hit) in [
        (0x1F, 0x80, 0x22, 2),
        (0x1E, 0x80, 0x22, 0),
        (0x02, 0x01, 0x21, 0),
        (0x03, 0x01, 0x22, 2),
        (0xDA, 0x80, 0xDD, 2),
        (0xDB, 0x80, 0xDE, 0),
        (0xDD, 0xC0, 0xDD, 2),
    ] {
        let mut rig = Rig::new().gtia_set(&[
            (HPOSP0, first),
            (0x01, second),
            (SIZEP0, 3),
            (GRAFP0, graf),
            (0x0E, 0x80),
        ]);
        rig.gtia(60, 2, 0x1E, 0);
        assert_eq!(rig.gtia_read(62, P0PL), hit, "{first:02X} {second:02X}");
    }
}

#[test]
fn objects_collide_in_lines_8_to_247() {
    for (line, hit) in [(7, 0), (8, 2), (247, 2), (248, 0)] {
        let mut rig = Rig::new().gtia_set(&[(0, 0x80), (1, 0x80), (0x0D, 0x80), (0x0E, 0x80)]);
        // Cleared after the spot in the line before, read after it in this one.
        rig.gtia(line - 1, 100, 0x1E, 0);
        rig.to(line, 100);
        rig.machine.draw_to_beam();
        assert_eq!(rig.machine.peek(0xD00C), hit, "line {line}");
    }
}

#[test]
fn missiles_meet_players_and_playfields_and_never_each_other() {
    // All on one spot of PF0.
    let mut rig = Rig::new()
        .gtia_set(&[(0x0D, 0x80), (0x0F, 0x80), (0x11, 0xAA)])
        .list(&[0x70, 0x4E, 0x00, 0x40, 0x70], 0x22);
    rig.put(0x4000, &[0x55; 40]);
    for register in 0..8 {
        rig = rig.gtia_set(&[(register, 0x80)]);
    }
    rig.gtia(0, 40, 0x1E, 0);
    rig.to(30, 0);
    let found: [u8; 16] = std::array::from_fn(|i| rig.machine.peek(0xD000 + i as u16));
    assert_eq!(
        found,
        [1, 1, 1, 1, 1, 0, 1, 0, 5, 5, 5, 5, 4, 0, 1, 0],
        "players 0 and 2"
    );
}

#[test]
fn mode_10_collides_one_colour_clock_to_the_right() {
    // Mode F with values 0 to 15 from the playfield's start on; PRIOR $80.
    for (x, hit) in [
        (56, 0),
        (57, 1),
        (58, 1),
        (59, 2),
        (61, 4),
        (63, 8),
        (64, 8),
        (65, 0),
    ] {
        let mut rig = Rig::new()
            .gtia_set(&[(HPOSP0, x), (GRAFP0, 0x80), (0x1B, 0x80)])
            .list(&[0x70, 0x4F, 0x00, 0x40, 0x70], 0x22);
        rig.put(0x4000, &[0; 40]);
        rig.put(0x4000, &[0x01, 0x23, 0x45, 0x67, 0x89]);
        rig.gtia(0, 40, 0x1E, 0);
        assert_eq!(rig.gtia_read(30, 0x04), hit, "at {x}");
    }
}

#[test]
fn vdelay_changes_nothing_for_what_the_processor_writes() {
    for line in [60, 61] {
        let mut rig = Rig::new().gtia_set(&[(VDELAY, 0xFF), (HPOSP0, 0x60), (0x12, 0x3A)]);
        rig.gtia(line, 4, GRAFP0, 0x80);
        rig.to(line + 2, 0);
        rig.machine.run_frame();
        assert_eq!(
            rig.machine.frame().line(line.into())[2 * (0x60 - 34)],
            0x3A,
            "line {line}"
        );
    }
}

#[test]
fn missiles_meet_a_player_that_is_moved_into_its_own_image_where_both_are() {
    for (size, places) in [
        (3, [0x60, 0x68, 0x70, 0x78]),
        (3, [0x80, 0x84, 0x90, 0x9C]),
        (1, [0x60, 0x68, 0x6E, 0x76]),
        (0, [0x60, 0x66, 0x67, 0x6B]),
    ] {
        for second in 0x64..=0x7F {
            let mut rig = Rig::new().gtia_set(&[
                (HPOSP0, 0x60),
                (SIZEP0, size),
                (GRAFP0, 0x81),
                (0x11, 0xAA),
            ]);
            for (missile, place) in (4..).zip(places) {
                rig = rig.gtia_set(&[(missile, place)]);
            }
            rig.gtia(60, 10, 0x1E, 0);
            rig.gtia(60, 47, HPOSP0, second);
            rig.to(61, 0);
            let wanted = by_the_rule(size, 0x81, &[0x60, second]);
            for (n, place) in places.into_iter().enumerate() {
                assert_eq!(
                    rig.machine.peek(0xD008 + n as u16),
                    u8::from(wanted[usize::from(place - 0x20)]),
                    "size {size}, second {second:02X}, missile at {place:02X}"
                );
            }
        }
    }
}

#[test]
fn in_mode_10_the_background_as_second_half_of_a_pixel_mutes_the_playfield() {
    // Mode E: %10 is PF1, sent as 01, and %00 the background; 0100 would be PF0, which covers players with PRIOR $84.
    let mut rig = Rig::new()
        .gtia_set(&[
            (HPOSP0, 0x60),
            (GRAFP0, 0xFF),
            (0x12, 0x3A),
            (0x16, 0x12),
            (0x1A, 0x54),
            (0x1B, 0x84),
        ])
        .list(&[0x70, 0x4E, 0x00, 0x40, 0x70], 0x22);
    rig.put(0x4000, &[0b10_00_10_00; 40]);
    rig.gtia(0, 40, 0x1E, 0);
    assert_eq!(rig.gtia_read(30, 0x04), 0);
    let line = rig.colours(16);
    assert_eq!(line[0x50..0x60], [0x54; 16]);
    assert_eq!(line[0x60..0x68], [0x3A; 8]);
    // With PF1 in both halves it is 0101, PF1.
    let mut rig = rig.gtia_set(&[(0x17, 0xC6)]);
    rig.put(0x4000, &[0b10_10_10_10; 40]);
    rig.gtia(0, 40, 0x1E, 0);
    assert_eq!(rig.gtia_read(30, 0x04), 2);
    assert_eq!(rig.colours(16)[0x60..0x68], [0xC6; 8]);
}
