//! The effects of a composite signal: NTSC artifact colours and the blending of lines in a PAL set.
//!
//! A hires pixel lasts half a cycle of the NTSC colour subcarrier. A pattern of single pixels is therefore a signal at the
//! subcarrier's frequency, which the set takes for colour (AHRM 6.4): even and odd patterns give opposite hues, strong as the
//! difference in brightness, and the brightness is the average.
use super::palette::{Palette, Rgb, Yuv};
use crate::sine::{cos, sin};

/// The relation between the computer's signal and the set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Artifacts {
    /// Hue of a pattern whose even pixels are the bright ones, in degrees on the colour circle (the burst is at 180). It depends on the
    /// computer's model.
    pub phase: f32,
    /// Strength of artifact colours; weaker with a stronger colour burst.
    pub strength: f32,
}

impl Default for Artifacts {
    /// An 800XL: purple and green.
    fn default() -> Self {
        Self {
            phase: 60.0,
            strength: 1.0,
        }
    }
}

/// Brightness of the pixel at `x`; outside, that of the edge.
fn brightness(row: &[u8], palette: &Palette, x: isize) -> f32 {
    let last = row.len() as isize - 1;
    row.get(x.clamp(0, last.max(0)) as usize)
        .map_or(0.0, |&colour| palette.yuv(colour).y)
}

/// A row of hires pixels on an NTSC set; `rgb` are the palette's screen colours.
pub(crate) fn artifact_row(
    row: &[u8],
    palette: &Palette,
    rgb: &[Rgb; 256],
    settings: Artifacts,
    out: &mut [Rgb],
) {
    let phase = f64::from(settings.phase).to_radians();
    let (sin, cos) = (sin(phase) as f32, cos(phase) as f32);
    // The part of the brightness at the subcarrier's frequency; positive where even pixels are brighter.
    let carrier = |x: isize| {
        let here = brightness(row, palette, x);
        let around = brightness(row, palette, x - 1).midpoint(brightness(row, palette, x + 1));
        let sign = if x & 1 == 0 { 0.5 } else { -0.5 };
        sign * (here - around)
    };
    for (x, (pixel, &colour)) in out.iter_mut().zip(row).enumerate() {
        // Where nothing changes nearby, there is nothing to add.
        let nearby = row.get(x.saturating_sub(2)..row.len().min(x + 3));
        if nearby.is_some_and(|nearby| nearby.iter().all(|&c| c == colour)) {
            *pixel = rgb[usize::from(colour)];
            continue;
        }
        let x = x as isize;
        let own = palette.yuv(colour);
        let mixed =
            (brightness(row, palette, x - 1) + 2.0 * own.y + brightness(row, palette, x + 1)) / 4.0;
        // The set cannot follow faster than about a cycle of the subcarrier.
        let strength =
            settings.strength * (carrier(x - 1) + 2.0 * carrier(x) + carrier(x + 1)) / 4.0;
        *pixel = Yuv {
            y: mixed,
            u: own.u + strength * cos,
            v: own.v + strength * sin,
        }
        .rgb();
    }
}

/// A row on a PAL set: its delay line averages the colour, not the brightness, with that of the row above. `rgb` are the
/// palette's screen colours.
pub(crate) fn blend_row(
    above: &[u8],
    row: &[u8],
    palette: &Palette,
    rgb: &[Rgb; 256],
    out: &mut [Rgb],
) {
    for ((pixel, &colour), &before) in out.iter_mut().zip(row).zip(above) {
        if colour == before {
            *pixel = rgb[usize::from(colour)];
            continue;
        }
        let own = palette.yuv(colour);
        let other = palette.yuv(before);
        *pixel = Yuv {
            y: own.y,
            u: own.u.midpoint(other.u),
            v: own.v.midpoint(other.v),
        }
        .rgb();
    }
}

#[cfg(test)]
mod tests {
    use super::super::palette::Parameters;
    use super::*;
    use machine::Tv;

    fn palette() -> Palette {
        Palette::generate(&Parameters::of(Tv::Ntsc))
    }

    fn shown(row: &[u8], settings: Artifacts) -> Vec<Yuv> {
        let mut out = vec![[0; 3]; row.len()];
        artifact_row(row, &palette(), &palette().rgb(), settings, &mut out);
        out.into_iter().map(Yuv::from_rgb).collect()
    }

    #[test]
    fn areas_of_one_colour_have_no_artifacts() {
        let palette = palette();
        for colour in [0x00, 0x94, 0x0F, 0xC8] {
            let mut out = [[0; 3]; 32];
            artifact_row(
                &[colour; 32],
                &palette,
                &palette.rgb(),
                Artifacts::default(),
                &mut out,
            );
            assert!(out.iter().all(|&rgb| rgb == palette.yuv(colour).rgb()));
        }
    }

    #[test]
    fn even_and_odd_patterns_have_opposite_hues_and_equal_brightness() {
        let settings = Artifacts {
            phase: 60.0,
            strength: 0.3,
        };
        let even: Vec<u8> = (0..40)
            .map(|x| if x & 1 == 0 { 0x0A } else { 0x04 })
            .collect();
        let odd: Vec<u8> = (0..40)
            .map(|x| if x & 1 == 1 { 0x0A } else { 0x04 })
            .collect();
        let (even, odd) = (shown(&even, settings)[20], shown(&odd, settings)[20]);
        assert!((even.y - odd.y).abs() < 0.01);
        assert!((even.u + odd.u).abs() < 0.01 && (even.v + odd.v).abs() < 0.01);
        assert!(even.u.hypot(even.v) > 0.03);
        assert!((even.v.atan2(even.u).to_degrees() - 60.0).abs() < 5.0);
    }

    #[test]
    fn the_phase_turns_the_hue() {
        let row: Vec<u8> = (0..40)
            .map(|x| if x & 1 == 0 { 0x0A } else { 0x04 })
            .collect();
        for phase in [-120.0_f32, -30.0, 10.0, 150.0] {
            let yuv = shown(
                &row,
                Artifacts {
                    phase,
                    strength: 0.3,
                },
            )[20];
            let turned = yuv.v.atan2(yuv.u).to_degrees() - phase;
            assert!(
                ((turned + 180.0).rem_euclid(360.0) - 180.0).abs() < 5.0,
                "{phase}"
            );
        }
    }

    #[test]
    fn lores_pixels_have_colour_only_at_their_edges() {
        let row: Vec<u8> = (0..40).map(|x| if x < 20 { 0x04 } else { 0x0A }).collect();
        let shown = shown(&row, Artifacts::default());
        for (x, yuv) in shown.iter().enumerate() {
            if !(17..23).contains(&x) {
                assert!(yuv.u.abs() < 0.01 && yuv.v.abs() < 0.01, "{x}");
            }
        }
    }

    #[test]
    fn pal_mixes_hue_of_one_line_with_brightness_of_the_next() {
        // Modes 9 and 11 in turn: the trick for 256 colours.
        let palette = Palette::generate(&Parameters::of(Tv::Pal));
        let mut out = [[0; 3]; 4];
        blend_row(&[0x60; 4], &[0x0C; 4], &palette, &palette.rgb(), &mut out);
        let mixed = Yuv::from_rgb(out[0]);
        assert!((mixed.y - palette.yuv(0x0C).y).abs() < 0.01);
        assert!((mixed.u - palette.yuv(0x60).u / 2.0).abs() < 0.01);
        blend_row(&[0x68; 4], &[0x68; 4], &palette, &palette.rgb(), &mut out);
        assert_eq!(out[0], palette.yuv(0x68).rgb());
    }
}
