//! A TrueType font of the symbols that the window shows and the fonts for text do not have: suits of cards, stars, ESC.
use std::f32::consts::TAU;

/// Units of the em, and how far each character advances: as the monospace font has it.
const EM: u16 = 2048;
const ADVANCE: u16 = 1233;
/// Height above the line, and below it, of the tallest and lowest characters.
const ASCENT: i16 = 1901;
const DESCENT: i16 = -483;
/// Centre of the characters.
const CENTRE: (i16, i16) = (616, 700);

/// A point of an outline; false for the control point of a quadratic curve.
type Point = (i16, i16, bool);
/// A closed outline. What is to the right of its direction is filled.
type Outline = Vec<Point>;

/// Bits of an outline's flags: the point is on the curve.
const ON_CURVE: u8 = 1;

/// The characters in ascending order.
fn characters() -> [(u16, Vec<Outline>); 8] {
    [
        // ⏵, of menus within menus
        (
            0x23F5,
            vec![corners(&[(250, 1250), (1000, 700), (250, 150)])],
        ),
        // ␛, as the Atari's character set draws it
        (0x241B, escape()),
        // ★
        (0x2605, vec![star(560.0)]),
        // ☆
        (0x2606, vec![star(560.0), reversed(star(380.0))]),
        // ♠
        (0x2660, vec![SPADE.to_vec()]),
        // ♣
        (0x2663, club()),
        // ♥
        (0x2665, vec![HEART.to_vec()]),
        // ♦
        (
            0x2666,
            vec![corners(&[(616, 1300), (1010, 700), (616, 100), (222, 700)])],
        ),
    ]
}

const HEART: [Point; 12] = [
    (616, 130, true),
    (130, 560, false),
    (110, 900, true),
    (110, 1240, false),
    (370, 1240, true),
    (590, 1240, false),
    (616, 1010, true),
    (642, 1240, false),
    (862, 1240, true),
    (1122, 1240, false),
    (1122, 900, true),
    (1102, 560, false),
];

const SPADE: [Point; 16] = [
    (616, 1330, true),
    (1110, 900, false),
    (1122, 600, true),
    (1122, 330, false),
    (870, 330, true),
    (690, 330, false),
    (660, 480, true),
    (680, 200, false),
    (780, 120, true),
    (452, 120, true),
    (552, 200, false),
    (572, 480, true),
    (542, 330, false),
    (362, 330, true),
    (110, 330, false),
    (110, 600, true),
];

fn escape() -> Vec<Outline> {
    vec![
        corners(&[
            (100, 1400),
            (560, 1400),
            (560, 1290),
            (220, 1290),
            (220, 1135),
            (500, 1135),
            (500, 1025),
            (220, 1025),
            (220, 870),
            (560, 870),
            (560, 760),
            (100, 760),
        ]),
        corners(&[
            (650, 740),
            (1130, 740),
            (1130, 630),
            (770, 630),
            (770, 210),
            (1130, 210),
            (1130, 100),
            (650, 100),
        ]),
    ]
}

fn club() -> Vec<Outline> {
    let stem = [
        (556, 900),
        (676, 900),
        (660, 400),
        (780, 120),
        (452, 120),
        (572, 400),
    ];
    vec![
        circle(616, 1050, 255.0),
        circle(345, 590, 255.0),
        circle(887, 590, 255.0),
        corners(&stem),
    ]
}

/// An outline of straight lines.
fn corners(points: &[(i16, i16)]) -> Outline {
    points.iter().map(|&(x, y)| (x, y, true)).collect()
}

/// A point at a distance from `(x, y)`, `turn` of a full turn clockwise from the top.
fn at((x, y): (i16, i16), distance: f32, turn: f32) -> (i16, i16) {
    let (sin, cos) = (turn * TAU).sin_cos();
    (
        x + (sin * distance).round() as i16,
        y + (cos * distance).round() as i16,
    )
}

/// A star with five points at this distance from the centre.
fn star(outer: f32) -> Outline {
    let inner = outer * 0.382;
    let point = |n: u8| {
        let distance = if n.is_multiple_of(2) { outer } else { inner };
        at(CENTRE, distance, f32::from(n) / 10.0)
    };
    corners(&(0..10).map(point).collect::<Vec<_>>())
}

fn circle(x: i16, y: i16, radius: f32) -> Outline {
    // Eight curves; a control point is where the tangents at both ends meet.
    let control = radius / (TAU / 16.0).cos();
    let point = |n: u8| {
        let on = n.is_multiple_of(2);
        let distance = if on { radius } else { control };
        let (x, y) = at((x, y), distance, f32::from(n) / 16.0);
        (x, y, on)
    };
    (0..16).map(point).collect()
}

/// A hole.
fn reversed(mut outline: Outline) -> Outline {
    outline.reverse();
    outline
}

/// The font as a file.
pub fn font() -> Vec<u8> {
    let characters = characters();
    let (mut glyf, mut loca, mut points) = (Vec::new(), vec![0_u32; 2], 0);
    // Glyph 0, for characters that are missing, is empty.
    for (_, outlines) in &characters {
        glyf.extend(glyph(outlines));
        loca.push(glyf.len() as u32);
        points = points.max(outlines.iter().map(Vec::len).sum::<usize>());
    }
    let glyphs = characters.len() as u16 + 1;
    let loca = loca
        .iter()
        .flat_map(|offset| offset.to_be_bytes())
        .collect();
    file(&[
        (b"cmap", cmap(&characters.map(|(code, _)| code))),
        (b"glyf", glyf),
        (b"head", head()),
        (b"hhea", hhea(glyphs)),
        (b"hmtx", words(&[ADVANCE, 0]).repeat(glyphs.into())),
        (b"loca", loca),
        (b"maxp", maxp(glyphs, points as u16)),
    ])
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

fn signed(words: &[i16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// A simple glyph: ends of its outlines, flags, and coordinates as differences in words.
fn glyph(outlines: &[Outline]) -> Vec<u8> {
    let points: Vec<Point> = outlines.concat();
    let coordinates = |of: fn(&Point) -> i16| points.iter().map(of).collect::<Vec<i16>>();
    let axes = [coordinates(|point| point.0), coordinates(|point| point.1)];
    let [x, y] = &axes;
    let least = |axis: &[i16]| axis.iter().copied().min().unwrap_or_default();
    let most = |axis: &[i16]| axis.iter().copied().max().unwrap_or_default();
    let mut bytes = signed(&[outlines.len() as i16, least(x), least(y), most(x), most(y)]);
    let mut end = 0;
    for outline in outlines {
        end += outline.len() as u16;
        bytes.extend(words(&[end - 1]));
    }
    // No instructions.
    bytes.extend([0, 0]);
    bytes.extend(points.iter().map(|point| u8::from(point.2) * ON_CURVE));
    for axis in &axes {
        let mut last = 0;
        for &value in axis {
            bytes.extend((value - last).to_be_bytes());
            last = value;
        }
    }
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// The map from characters to glyphs: format 4, one segment for each character.
fn cmap(codes: &[u16]) -> Vec<u8> {
    let segments = codes.len() as u16 + 1;
    let log = segments.ilog2() as u16;
    let search = 2 << log;
    let (mut ends, mut deltas) = (codes.to_vec(), Vec::new());
    for (glyph, code) in (1..).zip(codes) {
        deltas.push(u16::wrapping_sub(glyph, *code));
    }
    // The last segment has to end at the last character.
    ends.push(0xFFFF);
    deltas.push(1);
    let length = 16 + 8 * segments;
    let table = [
        // One table, for Windows and the Basic Multilingual Plane, 12 bytes on.
        &[0, 1, 3, 1, 0, 12][..],
        &[
            4,
            length,
            0,
            2 * segments,
            search,
            log,
            2 * segments - search,
        ],
        &ends,
        &[0],
        &ends,
        &deltas,
        &vec![0; segments.into()],
    ];
    words(&table.concat())
}

fn head() -> Vec<u8> {
    [
        words(&[1, 0, 1, 0, 0, 0, 0x5F0F, 0x3CF5]),
        // Flags, units, times of making and change.
        words(&[0, EM, 0, 0, 0, 0, 0, 0, 0, 0]),
        signed(&[0, DESCENT, ADVANCE as i16, ASCENT]),
        // Style, least size, direction; offsets in `loca` have four bytes.
        words(&[0, 8, 2, 1, 0]),
    ]
    .concat()
}

fn hhea(glyphs: u16) -> Vec<u8> {
    [
        words(&[1, 0]),
        signed(&[ASCENT, DESCENT, 0]),
        words(&[ADVANCE, 0, 0, ADVANCE, 1, 0, 0, 0, 0, 0, 0, 0, glyphs]),
    ]
    .concat()
}

fn maxp(glyphs: u16, points: u16) -> Vec<u8> {
    let outlines = 4;
    words(&[
        1, 0, glyphs, points, outlines, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
    ])
}

/// The tables, in the order of their names, after a list of where they are.
fn file(tables: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let count = tables.len() as u16;
    let log = count.ilog2() as u16;
    let search = 16 << log;
    let mut list = words(&[1, 0, count, search, log, 16 * count - search]);
    let mut body = Vec::new();
    for (name, table) in tables {
        let start = list_size(count) + body.len();
        list.extend(*name);
        for word in [sum(table), start as u32, table.len() as u32] {
            list.extend(word.to_be_bytes());
        }
        body.extend(table);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    list.extend(body);
    list
}

fn list_size(tables: u16) -> usize {
    12 + 16 * usize::from(tables)
}

/// Sum of a table's words.
fn sum(table: &[u8]) -> u32 {
    let word = |bytes: &[u8]| {
        let mut word = [0; 4];
        word[..bytes.len()].copy_from_slice(bytes);
        u32::from_be_bytes(word)
    };
    table.chunks(4).map(word).fold(0, u32::wrapping_add)
}
