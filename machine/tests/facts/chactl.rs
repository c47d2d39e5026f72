//! CHACTL (AHRM 4.4; Acid800 antic_charcontrol).
use crate::rig::Rig;

const CHACTL: u8 = 1;
const CHBASE: u8 = 9;
/// The rows of every character.
const ROWS: [u8; 8] = [0x81, 0x42, 0x24, 0x18, 0x3C, 0x66, 0xC3, 0x99];

/// A row of text in `mode` whose characters are all `code`.
fn rig(mode: u8, code: u8, chactl: u8) -> Rig {
    let mut rig = Rig::new()
        .gtia_set(&[
            (0x16, 0x16),
            (0x17, 0x2E),
            (0x18, 0x30),
            (0x19, 0x46),
            (0x1A, 0x52),
        ])
        .list(&[0x70, 0x40 | mode, 0x00, 0x40, 0x70], 0x22);
    rig.put(0x4000, &[code; 40]);
    for character in 0..128 {
        rig.put(0x5000 + 8 * character, &ROWS);
    }
    rig.antic(0, 20, CHBASE, 0x50);
    rig.antic(0, 24, CHACTL, chactl);
    rig.machine.run_frame();
    rig.machine.run_frame();
    rig
}

/// The bytes that the first character of a hires mode shows in its rows.
fn rows(mode: u8, code: u8, chactl: u8) -> Vec<u8> {
    let rig = rig(mode, code, chactl);
    let height = if mode == 3 { 10 } else { 8 };
    (16..16 + height)
        .map(|line| {
            let row = &rig.machine.frame().line(line)[28..36];
            row.iter()
                .fold(0, |byte, &pixel| byte << 1 | u8::from(pixel == 0x3E))
        })
        .collect()
}

fn complement(rows: &[u8]) -> Vec<u8> {
    rows.iter().map(|&row| !row).collect()
}

#[test]
fn mode_2_blanks_inverts_and_reflects() {
    let mut reflected = ROWS;
    reflected.reverse();
    assert_eq!(rows(2, 0x21, 0), ROWS);
    assert_eq!(rows(2, 0xA1, 0), ROWS);
    for chactl in [1, 2, 3] {
        assert_eq!(rows(2, 0x21, chactl), ROWS, "only codes with bit 7");
    }
    assert_eq!(rows(2, 0xA1, 1), [0; 8]);
    assert_eq!(rows(2, 0xA1, 2), complement(&ROWS));
    assert_eq!(rows(2, 0xA1, 3), [0xFF; 8]);
    assert_eq!(rows(2, 0x21, 4), reflected);
    assert_eq!(rows(2, 0xA1, 4), reflected);
    assert_eq!(rows(2, 0xA1, 6), complement(&reflected));
}

#[test]
fn mode_3_has_two_blank_rows_below_which_invert_too() {
    let mut all = ROWS.to_vec();
    all.extend([0, 0]);
    assert_eq!(rows(3, 0x41, 0), all);
    assert_eq!(rows(3, 0xC1, 1), [0; 10]);
    assert_eq!(rows(3, 0xC1, 2), complement(&all));
    let mut reflected = ROWS.to_vec();
    reflected.reverse();
    reflected.extend([0, 0]);
    assert_eq!(rows(3, 0x41, 4), reflected);
}

#[test]
fn mode_3_moves_codes_60_to_7f_down_by_two_rows() {
    let r = ROWS;
    let down = [0, 0, r[2], r[3], r[4], r[5], r[6], r[7], r[0], r[1]];
    assert_eq!(rows(3, 0x60, 0), down);
    assert_eq!(rows(3, 0xE0, 0), down);
    assert_eq!(rows(3, 0xE0, 1), [0; 10]);
    assert_eq!(rows(3, 0xE0, 2), complement(&down));
    let reflected = [0, 0, r[5], r[4], r[3], r[2], r[1], r[0], r[7], r[6]];
    assert_eq!(rows(3, 0x60, 4), reflected);
}

#[test]
fn the_colour_modes_only_reflect() {
    for (mode, height) in [(4, 8), (5, 16), (6, 8), (7, 16)] {
        let lines = |chactl| -> Vec<Vec<u8>> {
            let rig = rig(mode, 0x81, chactl);
            (16..16 + height)
                .map(|line| rig.machine.frame().line(line).to_vec())
                .collect()
        };
        let plain = lines(0);
        assert!(plain.windows(2).any(|two| two[0] != two[1]));
        for chactl in [1, 2, 3] {
            assert_eq!(lines(chactl), plain, "mode {mode}");
        }
        let mut reflected = lines(4);
        reflected.reverse();
        assert_eq!(reflected, plain, "mode {mode}");
    }
}

#[test]
fn rows_from_8_on_of_a_stretched_mode_2_are_blanked_and_repeated_as_in_mode_3() {
    let mut rig = rig(2, 0x21, 0);
    rig.put(
        0x0600,
        &[0x70, 0x62, 0x00, 0x40, 0x02, 0x70, 0x41, 0x00, 0x06],
    );
    rig.put(0x4028, &[0x21; 40]);
    rig.antic(0, 20, 5, 15);
    rig.machine.run_frame();
    rig.machine.run_frame();
    // Row 15, then 0 to 7; then the ending line with its rows 0 to 15.
    let byte = |line: usize| {
        let row = &rig.machine.frame().line(line)[28..36];
        row.iter()
            .fold(0, |byte, &pixel| byte << 1 | u8::from(pixel == 0x3E))
    };
    assert_eq!(byte(16), ROWS[7]);
    assert_eq!(byte(17), ROWS[0]);
    let ending: Vec<u8> = (25..41).map(byte).collect();
    let r = ROWS;
    assert_eq!(ending[..8], r);
    assert_eq!(ending[8..], [0, 0, r[2], r[3], r[4], r[5], r[6], r[7]]);
}

#[test]
fn modes_4_and_5_show_pairs_of_each_row_and_modes_6_and_7_bits_and_5_and_7_each_row_twice() {
    const PAIRS: [u8; 4] = [0x52, 0x16, 0x2E, 0x30];
    for (mode, code) in [(4, 0x01), (5, 0x01), (4, 0x81), (6, 0x81), (7, 0x81)] {
        let rig = rig(mode, code, 0);
        let twice = usize::from(mode & 1);
        for line in 0..8usize << twice {
            let data = ROWS[line >> twice];
            let row = rig.machine.frame().line(16 + line);
            for i in 0..if mode < 6 { 4 } else { 8 } {
                let wanted = if mode >= 6 {
                    // Code $81 is character 1 in PF2.
                    if data << i & 0x80 != 0 { 0x30 } else { 0x52 }
                } else {
                    match data >> (6 - 2 * i) & 3 {
                        3 if code & 0x80 != 0 => 0x46,
                        n => PAIRS[usize::from(n)],
                    }
                };
                assert_eq!(row[28 + 2 * i], wanted, "mode {mode}, line {line}, {i}");
            }
        }
    }
}

#[test]
fn a_set_chosen_in_the_middle_of_a_line_counts_from_the_fetch_two_cycles_later_on() {
    // Glyphs are fetched in 21, 23, and so on; that of cycle c is shown from colour clock 2c + 6 on.
    let mut rig = rig(2, 0x21, 0);
    rig.put(0x5800, &[0; 0x400]);
    for character in 0..128 {
        rig.put(0x5000 + 8 * character, &[0xFF; 8]);
    }
    for cycle in [40, 41, 62, 63] {
        rig.antic(17, cycle, CHBASE, 0x58);
        rig.antic(18, 5, CHBASE, 0x50);
        rig.to(30, 0);
        rig.machine.run_frame();
        let row = rig.machine.frame().line(17);
        let dark = (48..208).find(|x| row[2 * (x - 34)] != 0x3E).unwrap();
        let fetch = (usize::from(cycle) + 2) | 1;
        assert_eq!(dark, 2 * fetch + 6, "cycle {cycle}");
    }
}
