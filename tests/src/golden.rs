//! Golden pictures: screens that were looked at and found right.
//!
//! They are indexed PNG files in `tests/golden`, 376 x 240, whose pixel values are GTIA's colour indexes, so that no change of a palette
//! touches them. `BLESS=1 cargo nextest run ...` writes them again: look at every one before committing it.
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::ops::Range;
use std::path::{Path, PathBuf};

use machine::Frame;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn write(path: &Path, pixels: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = BufWriter::new(File::create(path).unwrap());
    let mut encoder = png::Encoder::new(file, Frame::WIDTH as u32, Frame::HEIGHT as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    // Any palette does to look at it: the hue's high bits to red and green, the luminance to all.
    let palette: Vec<u8> = (0..=255u8)
        .flat_map(|index| {
            let grey = (index & 0x0F) * 13;
            let hue = index >> 4;
            [
                grey.saturating_add(if hue & 4 != 0 { 60 } else { 0 }),
                grey.saturating_add(if hue & 8 != 0 { 60 } else { 0 }),
                grey.saturating_add(if hue & 3 != 0 { 20 * (hue & 3) } else { 0 }),
            ]
        })
        .collect();
    encoder.set_palette(palette);
    encoder
        .write_header()
        .unwrap()
        .write_image_data(pixels)
        .unwrap();
}

/// Compares rows of the machine's last picture with those of the golden picture `name`.
///
/// # Panics
/// When they differ: the message says where, and `tests/failed/NAME.png` shows what came.
pub fn check(name: &str, frame: &Frame, rows: Range<usize>) {
    let path = folder().join(format!("golden/{name}.png"));
    if std::env::var_os("BLESS").is_some() {
        write(&path, frame.pixels());
        return;
    }
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().unwrap();
    let mut golden = vec![0; Frame::WIDTH * Frame::HEIGHT];
    reader.next_frame(&mut golden).unwrap();
    for row in rows {
        let range = row * Frame::WIDTH..(row + 1) * Frame::WIDTH;
        let (want, got) = (&golden[range.clone()], &frame.pixels()[range]);
        if let Some(column) = (0..Frame::WIDTH).find(|&c| want[c] != got[c]) {
            let failed = folder().join(format!("failed/{name}.png"));
            write(&failed, frame.pixels());
            panic!(
                "{name}: row {row}, column {column}: ${:02X} instead of ${:02X}; see {}",
                got[column],
                want[column],
                failed.display()
            );
        }
    }
}
