//! GTIA without ANTIC: players, sizes, priorities, GTIA modes, and that drawing in pieces is drawing at once.
use antic_gtia::{AnBus, COLOUR_CLOCKS, FIRST_VISIBLE, Gtia};

const HPOSP0: u8 = 0x00;
const HPOSM0: u8 = 0x04;
const SIZEP0: u8 = 0x08;
const SIZEM: u8 = 0x0C;
const GRAFP0: u8 = 0x0D;
const GRAFM: u8 = 0x11;
const COLPM0: u8 = 0x12;
const COLPF0: u8 = 0x16;
const COLBK: u8 = 0x1A;
const PRIOR: u8 = 0x1B;

fn empty() -> AnBus {
    AnBus::new(&[0; 228], 48, 208, false)
}

fn write(gtia: &mut Gtia, register: u8, data: u8) {
    gtia.write(register, data, 0, |gtia, to| gtia.sync_to(to, &empty()));
}

/// A chip with nine different colours: $10, $20, $30, $40 for players, $50-$80 for the playfield, $00 for the background.
fn coloured() -> Gtia {
    let mut gtia = Gtia::new(false);
    for n in 0..8 {
        write(&mut gtia, COLPM0 + n, 0x10 * (n + 1));
    }
    gtia
}

/// The colour of each colour clock of a line.
fn line(gtia: &mut Gtia, an: &AnBus) -> Vec<u8> {
    gtia.begin_line();
    gtia.sync_to(COLOUR_CLOCKS, an);
    let mut colours = vec![0; FIRST_VISIBLE];
    colours.extend(gtia.pixels().chunks(2).map(|pair| pair[0]));
    colours
}

struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u8 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 56) as u8
    }
}

/// A line of noise: AN codes, and registers of objects, some of which are parked at 0.
fn noisy(noise: &mut Noise) -> (AnBus, Gtia) {
    let mut codes = [0; 228];
    let hires = noise.next() & 1 != 0;
    for code in &mut codes {
        *code = if hires {
            4 | noise.next() & 3
        } else {
            [0, 4, 5, 6, 7][usize::from(noise.next() % 5)]
        };
    }
    let mut gtia = coloured();
    for register in 0..0x1C {
        let parked = register < SIZEP0 && noise.next() & 3 == 0;
        if !(COLPM0..=COLBK).contains(&register) {
            write(&mut gtia, register, if parked { 0 } else { noise.next() });
        }
    }
    gtia.begin_line();
    (AnBus::new(&codes, 44, 222, hires), gtia)
}

#[test]
fn drawing_in_pieces_is_drawing_at_once() {
    let mut noise = Noise(7);
    for round in 0..6000 {
        let (an, mut whole) = noisy(&mut noise);
        let mut pieces = whole.clone();
        whole.sync_to(COLOUR_CLOCKS, &an);
        let mut at = 0;
        while at < COLOUR_CLOCKS {
            at += usize::from(noise.next() % 23);
            pieces.sync_to(at, &an);
        }
        assert!(whole == pieces, "round {round}");
    }
}

#[test]
fn a_read_of_collisions_draws_no_more_than_it_needs_and_no_less() {
    let mut noise = Noise(11);
    let (mut reads, mut drawn) = (0, 0);
    for round in 0..2000 {
        let (an, mut gtia) = noisy(&mut noise);
        // Most objects are not there, so that there are parts of the line without any.
        for n in 0..4 {
            if noise.next() & 3 != 0 {
                write(&mut gtia, GRAFP0 + n, 0);
            }
        }
        write(&mut gtia, GRAFM, 0);
        let mut cycle = 0;
        while cycle < 114 {
            let register = noise.next() & 15;
            let mut exact = gtia.clone();
            exact.sync_to(2 * cycle + 3, &an);
            if let Some(to) = gtia.read_needs(register, cycle) {
                gtia.sync_to(to, &an);
                drawn += 1;
            }
            let [found, wanted] = [&gtia, &exact].map(|gtia| gtia.read(register, 7, 1));
            assert_eq!(
                found, wanted,
                "round {round} cycle {cycle} register {register:X}"
            );
            reads += 1;
            cycle += 1 + usize::from(noise.next() % 9);
        }
    }
    assert!(
        drawn > reads / 20 && drawn < reads / 2,
        "{drawn} of {reads}"
    );
}

#[test]
fn a_player_begins_at_hpos_and_its_bits_are_1_2_1_or_4_colour_clocks_wide() {
    for (size, width) in [(0, 1), (1, 2), (2, 1), (3, 4)] {
        let mut gtia = coloured();
        write(&mut gtia, HPOSP0, 0x60);
        write(&mut gtia, SIZEP0, size);
        write(&mut gtia, GRAFP0, 0b1010_0001);
        let colours = line(&mut gtia, &empty());
        for (x, colour) in colours.iter().enumerate().skip(FIRST_VISIBLE) {
            let bit = x.checked_sub(0x60).map_or(8, |d| d / width);
            let lit = bit < 8 && 0b1010_0001_u8 << bit & 0x80 != 0;
            assert_eq!(*colour, if lit { 0x10 } else { 0 }, "size {size} x {x:02X}");
        }
    }
}

#[test]
fn missiles_take_two_bits_each_and_their_players_colours() {
    let mut gtia = coloured();
    write(&mut gtia, GRAFM, 0b01_10_11_10);
    write(&mut gtia, SIZEM, 0b11_00_01_00);
    for n in 0..4 {
        write(&mut gtia, HPOSM0 + n, 0x50 + 0x10 * n);
    }
    let colours = line(&mut gtia, &empty());
    let lit: Vec<usize> = (0..colours.len()).filter(|&x| colours[x] != 0).collect();
    assert_eq!(
        lit,
        [0x50, 0x60, 0x61, 0x62, 0x63, 0x70, 0x84, 0x85, 0x86, 0x87]
    );
    assert_eq!(
        [0x50, 0x60, 0x70, 0x84].map(|x: usize| colours[x]),
        [0x10, 0x20, 0x30, 0x40]
    );
}

#[test]
fn the_fifth_player_shows_pf3() {
    let mut gtia = coloured();
    write(&mut gtia, GRAFM, 0xFF);
    write(&mut gtia, PRIOR, 0x11);
    write(&mut gtia, HPOSM0, 0x50);
    write(&mut gtia, PRIOR, 0x11);
    assert_eq!(line(&mut gtia, &empty())[0x50], 0x80);
}

/// The colour that PRIOR shows where playfield `code` and `players` meet.
fn shown(prior: u8, code: u8, players: u8) -> u8 {
    let mut gtia = coloured();
    for n in 0..4 {
        write(&mut gtia, HPOSP0 + n, 0x60);
        write(
            &mut gtia,
            GRAFP0 + n,
            if players >> n & 1 != 0 { 0x80 } else { 0 },
        );
    }
    write(&mut gtia, PRIOR, prior);
    let mut codes = [0; 228];
    codes[0x60] = code;
    line(&mut gtia, &AnBus::new(&codes, 48, 208, false))[0x60]
}

#[test]
fn priorities_follow_the_four_official_orders() {
    // From the top, as colours of the test's set: players 1-4, playfields 5-8.
    for (prior, order) in [
        (1, [1, 2, 3, 4, 5, 6, 7, 8]),
        (2, [1, 2, 5, 6, 7, 8, 3, 4]),
        (4, [5, 6, 7, 8, 1, 2, 3, 4]),
        (8, [5, 6, 1, 2, 3, 4, 7, 8]),
    ] {
        let place = |n: u8| order.iter().position(|&o| o == n);
        for player in 1..=4u8 {
            for field in 5..=8u8 {
                let winner = if place(player) < place(field) {
                    player
                } else {
                    field
                };
                assert_eq!(
                    shown(prior, field - 1, 1 << (player - 1)) >> 4,
                    winner,
                    "PRIOR {prior}"
                );
            }
        }
    }
}

#[test]
fn priority_0_mixes_and_conflicting_bits_give_black() {
    assert_eq!(shown(0, 4, 1), 0x10 | 0x50, "P0 with PF0");
    assert_eq!(shown(0, 6, 4), 0x30 | 0x70, "P2 with PF2");
    assert_eq!(shown(0, 6, 1), 0x10, "P0 over PF2");
    // AHRM 6.7, table 16.
    assert_eq!(shown(0b0011, 6, 4), 0, "PF23 and P23");
    assert_eq!(shown(0b0101, 4, 1), 0, "PF01 and P01");
    assert_eq!(shown(0b1100, 4, 1), 0x50);
    assert_eq!(shown(0b0110, 6, 1), 0x70);
}

#[test]
fn multicolour_players_mix_in_pairs() {
    assert_eq!(shown(0x21, 0, 0b0011), 0x10 | 0x20);
    assert_eq!(shown(0x21, 0, 0b1100), 0x30 | 0x40);
    assert_eq!(shown(0x01, 0, 0b0011), 0x10);
    assert_eq!(shown(0x21, 0, 0b0101), 0x10, "P0 and P2 do not mix");
}

#[test]
fn gtia_modes_show_luminance_registers_and_hue() {
    let mut codes = [4; 228];
    for (n, pair) in codes[64..96].chunks_exact_mut(2).enumerate() {
        pair[0] = 4 | n as u8 >> 2;
        pair[1] = 4 | n as u8 & 3;
    }
    let an = AnBus::new(&codes, 64, 192, true);
    for (prior, shift) in [(0x40, 0), (0x80, 1), (0xC0, 0)] {
        let mut gtia = coloured();
        write(&mut gtia, COLBK, if prior == 0x40 { 0x90 } else { 0x06 });
        gtia.begin_line();
        write(&mut gtia, PRIOR, prior);
        let colours = line(&mut gtia, &an);
        for n in 0..16usize {
            let colour = match (prior, n) {
                (0x40, n) => 0x90 | n as u8,
                (0xC0, 0) => 0x00,
                (0xC0, n) => 0x06 | (n as u8) << 4,
                (_, 0..=3) => 0x10 * (n as u8 + 1),
                (_, 8..=11) => 0x06,
                (_, n) => 0x50 + 0x10 * (n as u8 & 3),
            };
            for x in [64 + 2 * n + shift, 65 + 2 * n + shift] {
                assert_eq!(colours[x], colour, "PRIOR {prior:02X} value {n} at {x}");
            }
        }
    }
}

#[test]
fn hires_pixels_take_the_luminance_of_pf1_and_collide_as_pf2() {
    let mut codes = [4; 228];
    codes[0x60] = 6;
    let an = AnBus::new(&codes, 48, 208, true);
    let mut gtia = coloured();
    write(&mut gtia, COLPF0 + 1, 0x5E);
    write(&mut gtia, HPOSP0, 0x60);
    write(&mut gtia, HPOSP0 + 1, 0x61);
    write(&mut gtia, GRAFP0, 0x80);
    write(&mut gtia, GRAFP0 + 1, 0x80);
    write(&mut gtia, PRIOR, 1);
    line(&mut gtia, &an);
    let x = 2 * (0x60 - FIRST_VISIBLE);
    assert_eq!(
        gtia.pixels()[x - 1..x + 3],
        [0x70, 0x1E, 0x10, 0x20],
        "hue of the player below"
    );
    assert_eq!(
        [0x04, 0x05].map(|r| gtia.read(r, 7, 1)),
        [4, 0],
        "lit, and dark"
    );
}

#[test]
fn gtia_modes_9_and_11_do_not_collide_and_mode_10_does_with_its_playfields() {
    for (prior, hits) in [
        (0x41, [0; 16]),
        (0xC1, [0; 16]),
        (0x81, [0, 0, 0, 0, 1, 2, 4, 8, 0, 0, 0, 0, 1, 2, 4, 8]),
    ] {
        for (value, hit) in hits.into_iter().enumerate() {
            let mut codes = [4; 228];
            codes[0x60] = 4 | value as u8 >> 2;
            codes[0x61] = 4 | value as u8 & 3;
            let mut gtia = coloured();
            write(&mut gtia, HPOSP0, 0x61);
            write(&mut gtia, GRAFP0, 0x80);
            write(&mut gtia, PRIOR, prior);
            line(&mut gtia, &AnBus::new(&codes, 48, 208, true));
            assert_eq!(
                gtia.read(0x04, 7, 1),
                hit,
                "PRIOR {prior:02X} value {value}"
            );
        }
    }
}

#[test]
fn four_players_on_one_spot_meet_each_other_but_never_themselves() {
    let mut gtia = coloured();
    for n in 0..4 {
        write(&mut gtia, HPOSP0 + n, 0x80);
        write(&mut gtia, GRAFP0 + n, 0xFF);
    }
    line(&mut gtia, &empty());
    assert_eq!(
        [0x0C, 0x0D, 0x0E, 0x0F].map(|r| gtia.read(r, 7, 1)),
        [0x0E, 0x0D, 0x0B, 0x07]
    );
    write(&mut gtia, 0x1E, 0);
    assert_eq!(gtia.read(0x0C, 7, 1), 0, "HITCLR");
}

#[test]
fn vdelay_takes_dma_bytes_only_in_odd_lines() {
    let mut gtia = coloured();
    write(&mut gtia, 0x1D, 3);
    write(&mut gtia, 0x1C, 0x11);
    gtia.begin_line();
    gtia.player_byte(0, 0xAA, false, 2, &empty());
    gtia.player_byte(1, 0xAA, false, 3, &empty());
    gtia.missile_byte(0xFF, false, 0, &empty());
    assert_eq!([0, 1, 4, 5].map(|n| gtia.object(n).2), [0, 0xAA, 0, 0xC0]);
    gtia.player_byte(0, 0x55, true, 2, &empty());
    gtia.missile_byte(0xFF, true, 0, &empty());
    assert_eq!([0, 4].map(|n| gtia.object(n).2), [0x55, 0xC0]);
}

#[test]
fn unassigned_registers_read_0f_and_pal_reads_its_system() {
    let (ntsc, pal) = (Gtia::new(false), Gtia::new(true));
    for register in 0x15..0x1F {
        assert_eq!(ntsc.read(register, 7, 1), 0x0F);
    }
    assert_eq!((ntsc.read(0x14, 7, 1), pal.read(0x14, 7, 1)), (0x0F, 0x01));
}

#[test]
fn triggers_latch_while_gractl_says_so() {
    let mut gtia = Gtia::new(false);
    write(&mut gtia, 0x1D, 4);
    gtia.trigger(0, 0);
    gtia.trigger(0, 1);
    assert_eq!((gtia.read(0x10, 7, 1), gtia.read(0x11, 7, 1)), (0, 1));
    write(&mut gtia, 0x1D, 0);
    assert_eq!(gtia.read(0x10, 7, 1), 1);
}

#[test]
fn a_player_in_a_blank_line_shows_nothing_of_the_playfield_above() {
    let mut gtia = coloured();
    write(&mut gtia, COLPM0 + 8, 0x92);
    write(&mut gtia, HPOSP0, 0x60);
    write(&mut gtia, GRAFP0, 0xFF);
    let over_pf0 = line(&mut gtia, &AnBus::new(&[4; 228], 48, 208, false));
    // With PRIOR 0 the colours of P0 and PF0 are mixed.
    assert_eq!(over_pf0[0x60..0x68], [0x10 | 0x50; 8]);
    let mut blank = AnBus::default();
    (blank.from, blank.to, blank.blank) = (48, 208, false);
    write(&mut gtia, 0x1E, 0);
    assert_eq!(line(&mut gtia, &blank)[0x5F..0x69], {
        let mut expected = [0x92; 10];
        expected[1..9].fill(0x10);
        expected
    });
    assert_eq!(gtia.read(4, 7, 1), 0, "P0PF after HITCLR");
}
