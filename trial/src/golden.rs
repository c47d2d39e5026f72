//! Golden pictures: indexed PNG files of 376 by 240 pixels, whose indexes are GTIA's colour numbers.
use host::failure::Failure;
use host::files;
use host::screenshot::png_rgb;
use machine::Frame;
use std::io::Cursor;
use std::path::{Path, PathBuf};

/// Colour of a pixel that differs.
const WRONG: [u8; 3] = [255, 32, 32];

/// Reads the colour numbers of a golden picture.
///
/// # Errors
/// One sentence with the file's name.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = files::read(path)?;
    let wrong = || {
        Failure::file(
            path,
            "this is no golden picture: 376 by 240 pixels with indexed colour, as --bless writes it",
        )
    };
    let mut reader = png::Decoder::new(Cursor::new(bytes))
        .read_info()
        .map_err(|_| wrong())?;
    let info = reader.info();
    let indexed =
        info.color_type == png::ColorType::Indexed && info.bit_depth == png::BitDepth::Eight;
    let size = (info.width as usize, info.height as usize) == (Frame::WIDTH, Frame::HEIGHT);
    if !indexed || !size || info.interlaced {
        return Err(wrong());
    }
    let mut pixels = vec![0; Frame::WIDTH * Frame::HEIGHT];
    reader.next_frame(&mut pixels).map_err(|_| wrong())?;
    Ok(pixels)
}

/// The difference between two pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Pixels.
    pub pixels: usize,
    /// Column and row of the first one.
    pub first: (usize, usize),
    /// Its colour numbers: expected, and as it is.
    pub colours: (u8, u8),
}

/// Compares two pictures; `None` when they are equal.
pub fn compare(golden: &[u8], picture: &[u8]) -> Option<Difference> {
    let differs = |(n, (a, b)): (usize, (&u8, &u8))| (a != b).then_some((n, (*a, *b)));
    let all = || golden.iter().zip(picture).enumerate().filter_map(differs);
    let (n, colours) = all().next()?;
    Some(Difference {
        pixels: all().count(),
        first: (n % Frame::WIDTH, n / Frame::WIDTH),
        colours,
    })
}

/// The name of the difference picture beside a golden one: `title.diff.png` for `title.png`.
pub fn beside(path: &Path) -> PathBuf {
    path.with_extension("diff.png")
}

/// A picture of the differences: different pixels in red, the rest dark.
///
/// # Errors
/// When it cannot be encoded.
pub fn difference(
    golden: &[u8],
    picture: &[u8],
    palette: &[[u8; 3]; 256],
) -> Result<Vec<u8>, Failure> {
    let pixels: Vec<[u8; 3]> = golden
        .iter()
        .zip(picture)
        .map(|(wanted, got)| match palette.get(usize::from(*got)) {
            Some(rgb) if wanted == got => rgb.map(|part| part / 3),
            _ => WRONG,
        })
        .collect();
    png_rgb(Frame::WIDTH, &pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_pixel_that_differs_and_their_number_are_told() {
        let golden = vec![0x94; Frame::WIDTH * Frame::HEIGHT];
        let mut picture = golden.clone();
        assert_eq!(compare(&golden, &picture), None);
        picture[3 * Frame::WIDTH + 5] = 0x34;
        picture[9 * Frame::WIDTH] = 0;
        let difference = Difference {
            pixels: 2,
            first: (5, 3),
            colours: (0x94, 0x34),
        };
        assert_eq!(compare(&golden, &picture), Some(difference));
    }
}
