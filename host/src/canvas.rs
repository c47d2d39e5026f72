//! Pixels in the format of windows.

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

    /// Red, green and blue of all pixels.
    pub fn rgb(&self) -> Vec<[u8; 3]> {
        let rgb = |pixel: &u32| {
            let [_, red, green, blue] = pixel.to_be_bytes();
            [red, green, blue]
        };
        self.pixels.iter().map(rgb).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_ends_at_both_colours() {
        assert_eq!(mix(0x12_3456, 0xAB_CDEF, 0), 0x12_3456);
        assert_eq!(mix(0x12_3456, 0xAB_CDEF, 256), 0xAB_CDEF);
        assert_eq!(mix(0, 0xFF_FFFF, 128), 0x7F_7F7F);
    }
}
