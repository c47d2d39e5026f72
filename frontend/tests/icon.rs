//! The icons for Windows and for Macs, which are made of the one for other desktops: `BLESS=1` writes them.
use std::io::Cursor;
use std::path::Path;

/// Sides of the pictures in the file.
const SIDES: [usize; 5] = [16, 24, 32, 48, 64];

/// Side and pixels of a square PNG: red, green, blue, opacity.
fn pixels(file: &[u8]) -> (usize, Vec<[u8; 4]>) {
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.width, info.height);
    assert_eq!(info.color_type, png::ColorType::Rgba);
    (info.width as usize, bytes.as_chunks().0.to_vec())
}

/// The pixels of the icon for other desktops, which is drawn: 64 by 64.
fn drawn() -> Vec<[u8; 4]> {
    let (side, pixels) = pixels(include_bytes!("../desktop/anticlock.png"));
    assert_eq!(side, 64);
    pixels
}

/// The mean of what lies under each pixel of a smaller picture, by area; colours count by their opacity.
fn scaled(pixels: &[[u8; 4]], side: usize) -> Vec<[u8; 4]> {
    let share = |large: usize, small: usize| {
        // In units of which a large pixel has `side` and a small one 64.
        let (from, to) = (large * side, (large + 1) * side);
        to.min((small + 1) * 64)
            .saturating_sub(from.max(small * 64))
    };
    let pixel = |n: usize| {
        let (x, y) = (n % side, n / side);
        let mut sums = [0; 4];
        for (m, &[red, green, blue, opacity]) in pixels.iter().enumerate() {
            let area = share(m % 64, x) * share(m / 64, y);
            let weight = area * usize::from(opacity);
            for (sum, colour) in sums.iter_mut().zip([red, green, blue]) {
                *sum += weight * usize::from(colour);
            }
            sums[3] += weight;
        }
        let [red, green, blue, weight] = sums;
        let colour = |sum: usize| ((sum + weight / 2) / weight.max(1)) as u8;
        let opacity = ((weight + 64 * 64 / 2) / (64 * 64)) as u8;
        [colour(red), colour(green), colour(blue), opacity]
    };
    (0..side * side).map(pixel).collect()
}

/// A picture of an icon file: a bitmap from the bottom up, and a mask that nothing reads beside opacities.
fn bitmap(pixels: &[[u8; 4]], side: usize) -> Vec<u8> {
    let mask = side.div_ceil(32) * 4 * side;
    let mut bytes = Vec::new();
    for value in [40, side as u32, 2 * side as u32] {
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([1, 0, 32, 0]);
    for value in [0, (4 * side * side + mask) as u32, 0, 0, 0, 0] {
        bytes.extend(value.to_le_bytes());
    }
    for row in pixels.chunks(side).rev() {
        bytes.extend(
            row.iter()
                .flat_map(|&[red, green, blue, opacity]| [blue, green, red, opacity]),
        );
    }
    bytes.resize(bytes.len() + mask, 0);
    bytes
}

/// The icon file.
fn icon(source: &[[u8; 4]]) -> Vec<u8> {
    let pictures = SIDES.map(|side| bitmap(&scaled(source, side), side));
    let mut bytes = vec![0, 0, 1, 0, SIDES.len() as u8, 0];
    let mut at = 6 + 16 * SIDES.len();
    for (side, picture) in SIDES.into_iter().zip(&pictures) {
        bytes.extend([side as u8, side as u8, 0, 0, 1, 0, 32, 0]);
        bytes.extend((picture.len() as u32).to_le_bytes());
        bytes.extend((at as u32).to_le_bytes());
        at += picture.len();
    }
    bytes.extend(pictures.concat());
    bytes
}

#[test]
fn the_icon_for_windows_shows_what_the_other_one_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("desktop");
    let source = drawn();
    assert_eq!(scaled(&source, 64), opaque(&source));
    let (path, made) = (folder.join("anticlock.ico"), icon(&source));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    assert!(
        std::fs::read(&path).unwrap() == made,
        "anticlock.ico is not what BLESS=1 writes"
    );
}

/// Types of the pictures in an icon file for Macs, and their sides in pixels: 16, 32, 128, 256 and 512 points, most of them for displays with
/// one pixel and with two to a point.
const FOR_MACS: [(&[u8; 4], usize); 8] = [
    (b"ic11", 32),
    (b"ic12", 64),
    (b"ic07", 128),
    (b"ic13", 256),
    (b"ic08", 256),
    (b"ic14", 512),
    (b"ic09", 512),
    (b"ic10", 1024),
];

/// A picture of an icon for Macs: larger ones by whole numbers.
fn picture(source: &[[u8; 4]], side: usize) -> Vec<[u8; 4]> {
    match side / 64 {
        0 | 1 => scaled(source, side),
        times => (0..side * side)
            .map(|n| source[n / side / times * 64 + n % side / times])
            .collect(),
    }
}

/// A PNG file of a square.
fn png(pixels: &[[u8; 4]], side: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side as u32, side as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(pixels.as_flattened()).unwrap();
    writer.finish().unwrap();
    bytes
}

/// The icon file for Macs: its length, and for each picture its type, its length with these eight bytes, and a PNG file.
fn icon_for_macs(source: &[[u8; 4]]) -> Vec<u8> {
    let entry = |kind: &[u8; 4], bytes: &[u8]| {
        let length = (bytes.len() as u32 + 8).to_be_bytes();
        [kind.as_slice(), &length, bytes].concat()
    };
    let pictures = FOR_MACS.map(|(kind, side)| entry(kind, &png(&picture(source, side), side)));
    entry(b"icns", &pictures.concat())
}

/// The pixels are compared, not the bytes: those depend on what packs a PNG.
#[test]
fn the_icon_for_macs_shows_what_the_other_one_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("desktop");
    let source = drawn();
    let path = folder.join("anticlock.icns");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, icon_for_macs(&source)).unwrap();
    }
    let file = std::fs::read(&path).unwrap();
    let length = |at: usize| u32::from_be_bytes(*file[at + 4..].first_chunk().unwrap()) as usize;
    assert_eq!((&file[..4], length(0)), (b"icns".as_slice(), file.len()));
    let mut at = 8;
    for (kind, side) in FOR_MACS {
        assert_eq!(file[at..at + 4], *kind);
        let end = at + length(at);
        assert!(
            pixels(&file[at + 8..end]) == (side, picture(&source, side)),
            "anticlock.icns is not what BLESS=1 writes: picture of {side} pixels"
        );
        at = end;
    }
    assert_eq!(at, file.len());
}

/// Pixels of the icon, without colours where nothing is seen.
fn opaque(pixels: &[[u8; 4]]) -> Vec<[u8; 4]> {
    let pixel = |&[red, green, blue, opacity]: &[u8; 4]| match opacity {
        0 => [0; 4],
        _ => [red, green, blue, opacity],
    };
    pixels.iter().map(pixel).collect()
}
