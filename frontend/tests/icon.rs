//! The icon for Windows, which is made of the one for other desktops: `BLESS=1` writes it.
use std::path::Path;

/// Sides of the pictures in the file.
const SIDES: [usize; 5] = [16, 24, 32, 48, 64];

/// The pixels of a PNG of 64 by 64 pixels: red, green, blue, opacity.
fn pixels(path: &Path) -> Vec<[u8; 4]> {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.width, info.height), (64, 64));
    assert_eq!(info.color_type, png::ColorType::Rgba);
    bytes.as_chunks().0.to_vec()
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
    let source = pixels(&folder.join("anticlock.png"));
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

/// Pixels of the icon, without colours where nothing is seen.
fn opaque(pixels: &[[u8; 4]]) -> Vec<[u8; 4]> {
    let pixel = |&[red, green, blue, opacity]: &[u8; 4]| match opacity {
        0 => [0; 4],
        _ => [red, green, blue, opacity],
    };
    pixels.iter().map(pixel).collect()
}
