//! Palettes: generated from the way the chips make colour, or read from a file.
use crate::sine::{cos, sin};
use machine::Tv;

/// Red, green, blue, 0 to 255 each.
pub type Rgb = [u8; 3];

/// Brightness 0 to 1, and the two colour differences.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Yuv {
    /// Brightness, 0 black to 1 white.
    pub y: f32,
    /// Blue minus brightness, scaled as in PAL.
    pub u: f32,
    /// Red minus brightness, scaled as in PAL.
    pub v: f32,
}

impl Yuv {
    /// The screen colour of the signal.
    pub fn rgb(self) -> Rgb {
        let Self { y, u, v } = self;
        [y + 1.140 * v, y - 0.395 * u - 0.581 * v, y + 2.032 * u]
            .map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8)
    }

    /// The signal of a screen colour.
    pub fn from_rgb(rgb: Rgb) -> Self {
        let [r, g, b] = rgb.map(|c| f32::from(c) / 255.0);
        let y = 0.299 * r + 0.587 * g + 0.114 * b;
        Self {
            y,
            u: (b - y) / 2.032,
            v: (r - y) / 1.140,
        }
    }
}

/// The positions of the sixteen hues on the colour circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hues {
    /// NTSC: hue 1 at this angle (degrees; the colour burst is at 180), each further hue a delay later. The delay is set by a
    /// potentiometer in the computer, nominally 23 to 26 degrees.
    Delayed {
        /// Angle of hue 1.
        first: f32,
        /// Degrees from one hue to the next.
        step: f32,
    },
    /// PAL: multiples of one delay, chosen for each hue so that both kinds of line agree.
    Alternating {
        /// Angle of hue 1.
        first: f32,
        /// The unit delay in degrees, ideally 22.5.
        delay: f32,
    },
}

/// Unit delays of the PAL hues 1 to 15, counted back from hue 1's angle of 135 degrees (AHRM 6.3, table 14).
const PAL_STEPS: [f32; 15] = [
    0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 8.0, 9.0, 10.0, 12.0, 13.0, 14.0, 15.0, 16.0,
];

/// The parameters of a palette.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// The positions of the hues.
    pub hues: Hues,
    /// Strength of the colours; the signal's colour does not depend on its brightness.
    pub saturation: f32,
    /// Brightness of level 0.
    pub black: f32,
    /// Brightness of level 15.
    pub white: f32,
    /// Exponent of the steps between; 1 = equal steps.
    pub gamma: f32,
}

impl Parameters {
    /// A well-adjusted computer and set.
    pub fn of(tv: Tv) -> Self {
        let hues = match tv {
            Tv::Ntsc => Hues::Delayed {
                first: 176.0,
                step: 25.5,
            },
            Tv::Pal => Hues::Alternating {
                first: 135.0,
                delay: 22.5,
            },
        };
        Self {
            hues,
            saturation: 0.19,
            black: 0.03,
            white: 0.96,
            gamma: 1.0,
        }
    }

    /// The angle of a hue from 1 to 15 in degrees.
    fn angle(&self, hue: usize) -> f32 {
        match self.hues {
            Hues::Delayed { first, step } => first - (hue - 1) as f32 * step,
            Hues::Alternating { first, delay } => first - PAL_STEPS[hue - 1] * delay,
        }
    }
}

/// The signals of the 256 colour numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    colours: Box<[Yuv; 256]>,
}

impl Palette {
    /// The palette of the given parameters.
    pub fn generate(p: &Parameters) -> Self {
        let mut colours = Box::new([Yuv::default(); 256]);
        for (index, colour) in colours.iter_mut().enumerate() {
            let level = (index & 15) as f32 / 15.0;
            colour.y = p.black + level.powf(p.gamma) * (p.white - p.black);
            if index >> 4 != 0 {
                let angle = f64::from(p.angle(index >> 4)).to_radians();
                colour.u = p.saturation * cos(angle) as f32;
                colour.v = p.saturation * sin(angle) as f32;
            }
        }
        Self { colours }
    }

    /// The palette of screen colours.
    pub fn from_rgb(rgb: &[Rgb; 256]) -> Self {
        Self {
            colours: Box::new(rgb.map(Yuv::from_rgb)),
        }
    }

    /// The signal of a colour number.
    pub fn yuv(&self, colour: u8) -> Yuv {
        self.colours[usize::from(colour)]
    }

    /// The screen colours.
    pub fn rgb(&self) -> Box<[Rgb; 256]> {
        Box::new(self.colours.map(Yuv::rgb))
    }
}

/// Reason why a file is not a palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PaletteError {
    /// Neither a binary nor a text palette.
    #[error(
        "{0} bytes are no palette: a .pal or .act file has 768 (or 772) bytes, or begins with JASC-PAL"
    )]
    Size(usize),
    /// A text palette with a broken line.
    #[error("line {0} of the palette is not three numbers from 0 to 255")]
    Line(usize),
    /// A text palette with too few colours.
    #[error("the palette has {0} colours instead of 256")]
    Count(usize),
}

/// Reads a palette file: 256 times red, green and blue as bytes (`.act`, `.pal`; an `.act` may have four bytes more), or the text
/// form that begins with `JASC-PAL`.
///
/// # Errors
/// When the file is neither.
pub fn load_palette(file: &[u8]) -> Result<Box<[Rgb; 256]>, PaletteError> {
    let mut palette = Box::new([[0; 3]; 256]);
    if file.starts_with(b"JASC-PAL") {
        let text = String::from_utf8_lossy(file);
        // After the name, a version and the number of colours.
        let lines = text
            .lines()
            .enumerate()
            .skip(3)
            .filter(|(_, l)| !l.trim().is_empty());
        let mut count = 0;
        for (n, line) in lines.take(256) {
            let numbers: Vec<u8> = line
                .split_whitespace()
                .filter_map(|w| w.parse().ok())
                .collect();
            palette[count] = numbers.try_into().map_err(|_| PaletteError::Line(n + 1))?;
            count += 1;
        }
        return if count == 256 {
            Ok(palette)
        } else {
            Err(PaletteError::Count(count))
        };
    }
    if file.len() != 768 && file.len() != 772 {
        return Err(PaletteError::Size(file.len()));
    }
    for (colour, bytes) in palette.iter_mut().zip(file.chunks_exact(3)) {
        colour.copy_from_slice(bytes);
    }
    Ok(palette)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hue_angle(yuv: Yuv) -> f32 {
        yuv.v.atan2(yuv.u).to_degrees().rem_euclid(360.0)
    }

    #[test]
    fn hue_0_is_grey_and_rises_with_the_luminance() {
        for tv in [Tv::Ntsc, Tv::Pal] {
            let rgb = Palette::generate(&Parameters::of(tv)).rgb();
            for level in 0..16 {
                let [r, g, b] = rgb[level];
                assert!(r == g && g == b);
                assert!(level == 0 || r > rgb[level - 1][0]);
            }
        }
    }

    #[test]
    fn pal_hues_1_and_15_are_the_same_and_6_to_7_is_a_wide_step() {
        let palette = Palette::generate(&Parameters::of(Tv::Pal));
        let (one, fifteen) = (palette.yuv(0x18), palette.yuv(0xF8));
        assert!((one.u - fifteen.u).abs() < 1e-5 && (one.v - fifteen.v).abs() < 1e-5);
        let step = hue_angle(palette.yuv(0x68)) - hue_angle(palette.yuv(0x78)).rem_euclid(360.0);
        assert!((step.rem_euclid(360.0) - 45.0).abs() < 0.01);
        // The ideal angles of AHRM 6.3.
        for (hue, angle) in [(2, 112.5), (6, 22.5), (8, 315.0), (10, 270.0), (13, 180.0)] {
            assert!(
                (hue_angle(palette.yuv(hue << 4 | 8)) - angle).abs() < 0.01,
                "hue {hue}"
            );
        }
    }

    #[test]
    fn ntsc_hues_are_evenly_spaced() {
        let palette = Palette::generate(&Parameters::of(Tv::Ntsc));
        for hue in 1..15 {
            let step = hue_angle(palette.yuv(hue << 4)) - hue_angle(palette.yuv((hue + 1) << 4));
            assert!((step.rem_euclid(360.0) - 25.5).abs() < 0.01);
        }
    }

    #[test]
    fn the_colour_does_not_depend_on_the_luminance() {
        let palette = Palette::generate(&Parameters::of(Tv::Ntsc));
        assert!((palette.yuv(0x40).u - palette.yuv(0x4E).u).abs() < 1e-6);
    }

    #[test]
    fn palette_files_are_768_or_772_bytes_or_text() {
        let mut file: Vec<u8> = (0..768).map(|i| i as u8).collect();
        assert_eq!(load_palette(&file).unwrap()[1], [3, 4, 5]);
        file.extend([1, 0, 0, 0]);
        assert_eq!(load_palette(&file).unwrap()[2], [6, 7, 8]);
        assert_eq!(load_palette(&file[..700]), Err(PaletteError::Size(700)));
        let mut text = String::from("JASC-PAL\r\n0100\r\n256\r\n");
        for i in 0..256 {
            text.push_str(&i.to_string());
            text.push_str(" 0 255\r\n");
        }
        assert_eq!(load_palette(text.as_bytes()).unwrap()[7], [7, 0, 255]);
        assert_eq!(
            load_palette(&text.as_bytes()[..40]).unwrap_err(),
            PaletteError::Line(6)
        );
        assert_eq!(
            load_palette(b"JASC-PAL\n0100\n256\n1 2 3\n"),
            Err(PaletteError::Count(1))
        );
    }

    #[test]
    fn screen_colours_survive_the_way_to_the_signal_and_back() {
        for rgb in [[0, 0, 0], [255, 255, 255], [200, 30, 90], [12, 180, 60]] {
            let back = Yuv::from_rgb(rgb).rgb();
            assert!(
                rgb.iter().zip(back).all(|(a, b)| a.abs_diff(b) <= 1),
                "{rgb:?} {back:?}"
            );
        }
    }
}
