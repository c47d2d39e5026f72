//! The two character sets in the OS ROMs.

use roms::{OS_800, OS_XL};

/// A set of 128 glyphs in screen code order.
fn set(rom: &[u8], address: usize) -> Vec<[u8; 8]> {
    let start = address - (0x10000 - rom.len());
    rom[start..start + 1024]
        .chunks(8)
        .map(|glyph| glyph.try_into().unwrap())
        .collect()
}

fn standard() -> Vec<[u8; 8]> {
    set(OS_XL, 0xE000)
}

fn international() -> Vec<[u8; 8]> {
    set(OS_XL, 0xCC00)
}

/// Screen code of an ATASCII code below 128.
fn screen_code(atascii: usize) -> usize {
    match atascii {
        0..=0x1F => atascii + 0x40,
        0x20..=0x5F => atascii - 0x20,
        _ => atascii,
    }
}

#[test]
fn both_systems_have_the_same_standard_set() {
    assert_eq!(standard(), set(OS_800, 0xE000));
}

#[test]
fn every_character_has_its_own_glyph() {
    for glyphs in [standard(), international()] {
        for (code, glyph) in glyphs.iter().enumerate() {
            assert_eq!(*glyph == [0; 8], code == 0, "{code}");
            assert!(!glyphs[..code].contains(glyph), "{code}");
        }
    }
}

#[test]
fn the_sets_differ_in_the_graphics_characters_only() {
    let (standard, international) = (standard(), international());
    for atascii in 0..128 {
        let code = screen_code(atascii);
        let replaced = matches!(atascii, 0..=26 | 96 | 123);
        assert_eq!(standard[code] != international[code], replaced, "{atascii}");
    }
}

/// ATASCII code, and whether the line leaves the cell at the top, bottom, left and right.
const LINES: [(usize, [bool; 4]); 11] = [
    (1, [true, true, false, true]),
    (3, [true, false, true, false]),
    (4, [true, true, true, false]),
    (5, [false, true, true, false]),
    (17, [false, true, false, true]),
    (18, [false, false, true, true]),
    (19, [true, true, true, true]),
    (23, [false, true, true, true]),
    (24, [true, false, true, true]),
    (26, [true, false, false, true]),
    (124, [true, true, false, false]),
];

#[test]
fn lines_meet_at_the_borders_of_the_cells() {
    let glyphs = standard();
    for (atascii, [up, down, left, right]) in LINES {
        let glyph = glyphs[screen_code(atascii)];
        let vertical = |there| if there { 0x18 } else { 0 };
        assert_eq!(glyph[0], vertical(up), "top of {atascii}");
        assert_eq!(glyph[7], vertical(down), "bottom of {atascii}");
        for (row, pixels) in glyph.into_iter().enumerate() {
            let middle = row == 3 || row == 4;
            assert_eq!(pixels & 0x80 != 0, left && middle, "left of {atascii}");
            assert_eq!(pixels & 0x01 != 0, right && middle, "right of {atascii}");
        }
    }
}

#[test]
fn blocks_fill_exactly_their_part_of_the_cell() {
    let glyphs = standard();
    let upper = |row: usize| row < 4;
    let lower = |row: usize| row >= 4;
    let part = |atascii: usize, rows: &dyn Fn(usize) -> bool, pixels: u8| {
        for (row, got) in glyphs[screen_code(atascii)].into_iter().enumerate() {
            assert_eq!(got, if rows(row) { pixels } else { 0 }, "{atascii}");
        }
    };
    part(9, &lower, 0x0F);
    part(11, &upper, 0x0F);
    part(12, &upper, 0xF0);
    part(15, &lower, 0xF0);
    part(21, &lower, 0xFF);
    part(25, &|_| true, 0xF0);
    part(2, &|_| true, 0x03);
    part(22, &|_| true, 0xC0);
    part(13, &|row| row < 2, 0xFF);
    part(14, &|row| row >= 6, 0xFF);
}

#[test]
fn diagonals_and_triangles_run_from_corner_to_corner() {
    let glyphs = standard();
    for (row, pixels) in glyphs[screen_code(8)].into_iter().enumerate() {
        assert_eq!(pixels, 0xFF >> (7 - row));
        assert_eq!(glyphs[screen_code(10)][row], pixels.reverse_bits());
    }
    let rising = glyphs[screen_code(6)];
    for (row, falling) in glyphs[screen_code(7)].into_iter().enumerate() {
        assert_ne!(falling & 0x80 >> row, 0);
        assert_eq!(rising[row], falling.reverse_bits());
    }
}

#[test]
fn pairs_are_mirror_images() {
    let glyphs = standard();
    for (left, right) in [
        (b'(', b')'),
        (b'<', b'>'),
        (b'[', b']'),
        (30, 31),
        (126, 127),
    ] {
        let mirrored = glyphs[screen_code(left.into())].map(u8::reverse_bits);
        assert_eq!(
            mirrored,
            glyphs[screen_code(right.into())],
            "{left} and {right}"
        );
    }
}
