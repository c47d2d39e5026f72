//! Pictures as PNG files with 8-bit indexed colour: the index of a pixel is GTIA's colour number.
use crate::failure::Failure;

/// Encodes `pixels` (colour numbers, `width` to a line) with `palette` as PNG.
///
/// The file is both exact and viewable: its palette has 256 entries, entry n being what colour n looks like.
///
/// # Errors
/// When `pixels` is not a whole number of lines.
pub fn png(width: usize, pixels: &[u8], palette: &[[u8; 3]; 256]) -> Result<Vec<u8>, Failure> {
    encode(width, pixels.len(), pixels, |encoder| {
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(palette.as_flattened());
    })
}

/// Encodes red, green and blue (`width` pixels to a line) as PNG.
///
/// # Errors
/// When `pixels` is not a whole number of lines.
pub fn png_rgb(width: usize, pixels: &[[u8; 3]]) -> Result<Vec<u8>, Failure> {
    encode(width, pixels.len(), pixels.as_flattened(), |encoder| {
        encoder.set_color(png::ColorType::Rgb);
    })
}

/// Encodes `count` pixels, which are these bytes, `width` of them to a line; `kind` says what a byte is.
pub(crate) fn encode<'a>(
    width: usize,
    count: usize,
    bytes: &[u8],
    kind: impl FnOnce(&mut png::Encoder<'a, &mut Vec<u8>>),
) -> Result<Vec<u8>, Failure> {
    if width == 0 || count == 0 || !count.is_multiple_of(width) {
        return Err(Failure::input("there is no complete picture to write"));
    }
    let explain = |error: png::EncodingError| {
        Failure::input(format!("the picture cannot be encoded: {error}"))
    };
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width as u32, (count / width) as u32);
    encoder.set_depth(png::BitDepth::Eight);
    kind(&mut encoder);
    let mut writer = encoder.write_header().map_err(explain)?;
    writer.write_image_data(bytes).map_err(explain)?;
    writer.finish().map_err(explain)?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_numbers_and_palette_come_back_from_the_file() {
        let mut palette = [[0; 3]; 256];
        for (i, entry) in palette.iter_mut().enumerate() {
            *entry = [i as u8, 255 - i as u8, 7];
        }
        let pixels: Vec<u8> = (0..=255).collect();
        let file = png(16, &pixels, &palette).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file))
            .read_info()
            .unwrap();
        assert_eq!(
            reader.info().palette.as_deref().unwrap(),
            palette.as_flattened()
        );
        let mut back = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut back).unwrap();
        assert_eq!(back, pixels);
        assert!(png(16, &pixels[..17], &palette).is_err());
    }
}
