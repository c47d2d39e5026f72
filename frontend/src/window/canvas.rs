//! A picture in the format of the window, with rectangles and text.
use font8x8::UnicodeFonts;

/// Pixels as 0x00RRGGBB.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    /// Pixels to a line.
    pub width: usize,
    /// Lines.
    pub height: usize,
    /// All pixels, line by line.
    pub pixels: Vec<u32>,
}

/// Mixes two colours: `weight` 0 is all `a`, 256 all `b`.
#[inline]
pub fn mix(a: u32, b: u32, weight: u32) -> u32 {
    let rest = 256 - weight;
    let red_blue = ((a & 0xFF_00FF) * rest + (b & 0xFF_00FF) * weight) >> 8 & 0xFF_00FF;
    let green = ((a & 0x00_FF00) * rest + (b & 0x00_FF00) * weight) >> 8 & 0x00_FF00;
    red_blue | green
}

impl Canvas {
    /// Makes it this large and black, unless it has this size already.
    pub fn resize(&mut self, width: usize, height: usize) {
        if (width, height) != (self.width, self.height) {
            self.width = width;
            self.height = height;
            self.pixels.clear();
            self.pixels.resize(width * height, 0);
        }
    }

    /// Fills a rectangle; what lies outside is left out.
    pub fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: u32) {
        self.each(x, y, width, height, |pixel| *pixel = colour);
    }

    /// Mixes a rectangle with a colour, `weight` of 256.
    pub fn shade(
        &mut self,
        x: usize,
        y: usize,
        width: usize,
        height: usize,
        colour: u32,
        weight: u32,
    ) {
        self.each(x, y, width, height, |pixel| {
            *pixel = mix(*pixel, colour, weight);
        });
    }

    fn each(&mut self, x: usize, y: usize, width: usize, height: usize, change: impl Fn(&mut u32)) {
        let right = (x + width).min(self.width);
        for line in y..(y + height).min(self.height) {
            if x < right {
                self.pixels[line * self.width + x..line * self.width + right]
                    .iter_mut()
                    .for_each(&change);
            }
        }
    }

    /// Draws text, eight by eight pixels a character times `scale`; returns where it ends.
    pub fn text(&mut self, x: usize, y: usize, scale: usize, colour: u32, text: &str) -> usize {
        let mut x = x;
        for character in text.chars() {
            let glyph = font8x8::BASIC_FONTS
                .get(character)
                .or_else(|| font8x8::LATIN_FONTS.get(character))
                .or_else(|| font8x8::BLOCK_FONTS.get(character))
                .or_else(|| font8x8::BOX_FONTS.get(character))
                .unwrap_or([0, 0x3C, 0x24, 0x24, 0x24, 0x24, 0x3C, 0]);
            for (row, bits) in glyph.into_iter().enumerate() {
                for column in 0..8 {
                    if bits >> column & 1 != 0 {
                        self.fill(x + column * scale, y + row * scale, scale, scale, colour);
                    }
                }
            }
            x += 8 * scale;
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_outside_is_left_out() {
        let mut canvas = Canvas::default();
        canvas.resize(10, 4);
        canvas.text(6, 2, 3, 0xFF_FFFF, "A\u{2665}z");
        canvas.fill(20, 20, 5, 5, 1);
        canvas.fill(8, 3, 100, 100, 7);
        assert_eq!(canvas.pixels[39], 7);
    }

    #[test]
    fn mixing_ends_at_both_colours() {
        assert_eq!(mix(0x12_3456, 0xAB_CDEF, 0), 0x12_3456);
        assert_eq!(mix(0x12_3456, 0xAB_CDEF, 256), 0xAB_CDEF);
        assert_eq!(mix(0, 0xFF_FFFF, 128), 0x7F_7F7F);
    }
}
