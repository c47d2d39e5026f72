//! The look of the picture: the palette, and the effects of a composite signal.
use super::artifacts::{Artifacts, artifact_row, blend_row};
use super::palette::{Hues, Palette, PaletteError, Parameters, Rgb, load_palette};
use machine::{Frame, Named, Tv};
use serde::{Deserialize, Serialize};

/// The effects of a composite signal on the colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Composite {
    /// Nothing: every pixel has its own colour.
    #[default]
    Off,
    /// The effects of the machine's television system.
    On,
    /// Colours from hires patterns.
    Ntsc,
    /// Colours blended with those of the line above.
    Pal,
}

impl Named for Composite {
    const ALL: &'static [Self] = &[Self::Off, Self::On, Self::Ntsc, Self::Pal];

    fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::On => "on",
            Self::Ntsc => "ntsc",
            Self::Pal => "pal",
        }
    }

    fn about(self) -> String {
        let about = match self {
            Self::Off => "Nothing: every pixel has its own colour",
            Self::On => "What the machine's television system adds",
            Self::Ntsc => "Colours from hires patterns",
            Self::Pal => "Colours blended with those of the line above",
        };
        about.to_owned()
    }
}

/// All settings of the picture's colours. `F` is the host's name for a palette file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings<F = String> {
    /// The effects of a composite signal: off, on, ntsc, pal.
    pub artifacts: Composite,
    /// A palette file in place of the generated colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub palette: Option<F>,
    /// All hues turned, in degrees.
    pub hue: f64,
    /// Degrees from one hue to the next of NTSC (the computer's colour adjustment).
    pub step: f64,
    /// Strength of the colours.
    pub saturation: f64,
    /// Brightness of level 0.
    pub black: f64,
    /// Brightness of level 15.
    pub white: f64,
    /// Exponent of the levels between; 1 = equal steps.
    pub gamma: f64,
    /// Hue of NTSC patterns whose even pixels are the bright ones, in degrees.
    pub artifact_phase: f64,
    /// Strength of colours from NTSC patterns.
    pub artifact_strength: f64,
}

impl<F> Default for Settings<F> {
    fn default() -> Self {
        let usual = Parameters::of(Tv::Ntsc);
        let artifacts = Artifacts::default();
        // 0.19 and not what the nearest number of 32 bits is in 64: the numbers have at most four places.
        let wide = |narrow: f32| (f64::from(narrow) * 1e4).round() / 1e4;
        Self {
            artifacts: Composite::Off,
            palette: None,
            hue: 0.0,
            step: match usual.hues {
                Hues::Delayed { step, .. } => wide(step),
                Hues::Alternating { .. } => 0.0,
            },
            saturation: wide(usual.saturation),
            black: wide(usual.black),
            white: wide(usual.white),
            gamma: wide(usual.gamma),
            artifact_phase: wide(artifacts.phase),
            artifact_strength: wide(artifacts.strength),
        }
    }
}

impl<F: Clone> Settings<F> {
    /// The numbers with their names and ranges.
    fn numbers(&mut self) -> [(&'static str, &mut f64, [f64; 2]); 8] {
        [
            ("hue", &mut self.hue, [-360.0, 360.0]),
            ("step", &mut self.step, [10.0, 40.0]),
            ("saturation", &mut self.saturation, [0.0, 1.0]),
            ("black", &mut self.black, [0.0, 1.0]),
            ("white", &mut self.white, [0.0, 1.0]),
            ("gamma", &mut self.gamma, [0.1, 10.0]),
            ("artifact_phase", &mut self.artifact_phase, [-360.0, 360.0]),
            (
                "artifact_strength",
                &mut self.artifact_strength,
                [0.0, 10.0],
            ),
        ]
    }

    /// Says which number is out of its range.
    ///
    /// # Errors
    /// One sentence.
    pub fn check(&self) -> Result<(), String> {
        for (name, value, [least, most]) in self.clone().numbers() {
            if !(least..=most).contains(value) {
                return Err(format!("picture.{name} must be {least} to {most}"));
            }
        }
        Ok(())
    }

    /// Sets numbers from a text `NAME=VALUE`, several with commas between.
    ///
    /// # Errors
    /// The setting that is not understood or out of its range.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        for part in text.split(',') {
            let found = part.split_once('=').and_then(|(name, value)| {
                let name = name.trim().replace('-', "_");
                let value: f64 = value.trim().parse().ok()?;
                let number = self.numbers().into_iter().find(|n| n.0 == name)?;
                *number.1 = value;
                Some(())
            });
            if found.is_none() {
                let names = self.numbers().map(|n| n.0).join(", ");
                return Err(format!(
                    "{part:?} is not NAME=NUMBER with one of the names {names}"
                ));
            }
        }
        self.check()
    }
}

/// The colours of a machine's pictures.
#[derive(Clone, Debug)]
pub struct Look {
    palette: Palette,
    rgb: Box<[Rgb; 256]>,
    artifacts: Artifacts,
    /// The effects of a composite signal at present.
    pub composite: Composite,
    tv: Tv,
}

impl Look {
    /// The colours for a television system; `palette` is the contents of the palette file that the settings name.
    ///
    /// # Errors
    /// When the palette file is not a palette.
    pub fn new<F>(
        tv: Tv,
        config: &Settings<F>,
        palette: Option<&[u8]>,
    ) -> Result<Self, PaletteError> {
        let palette = if let Some(bytes) = palette {
            Palette::from_rgb(&*load_palette(bytes)?)
        } else {
            let mut parameters = Parameters::of(tv);
            match &mut parameters.hues {
                Hues::Delayed { first, step } => {
                    *first += config.hue as f32;
                    *step = config.step as f32;
                }
                Hues::Alternating { first, .. } => *first += config.hue as f32,
            }
            parameters.saturation = config.saturation as f32;
            parameters.black = config.black as f32;
            parameters.white = config.white as f32;
            parameters.gamma = config.gamma as f32;
            Palette::generate(&parameters)
        };
        Ok(Self {
            rgb: palette.rgb(),
            palette,
            artifacts: Artifacts {
                phase: config.artifact_phase as f32,
                strength: config.artifact_strength as f32,
            },
            composite: config.artifacts,
            tv,
        })
    }

    /// The colours of the 256 colour numbers.
    pub fn rgb(&self) -> &[Rgb; 256] {
        &self.rgb
    }

    /// True if a pixel's colour does not depend on its neighbours.
    pub fn is_plain(&self) -> bool {
        self.composite == Composite::Off
    }

    /// The colours of a picture: 376 to a line, 240 lines.
    pub fn rgb_of(&self, frame: &Frame) -> Vec<Rgb> {
        let mut all = Vec::with_capacity(Frame::WIDTH * Frame::HEIGHT);
        self.picture(frame, |_, line| all.extend_from_slice(line));
        all
    }

    /// The colours of a picture, line by line.
    pub fn picture(&self, frame: &Frame, mut line: impl FnMut(usize, &[Rgb])) {
        let mut out = [[0; 3]; Frame::WIDTH];
        let mut above: Option<&[u8]> = None;
        for (y, row) in frame.pixels().chunks_exact(Frame::WIDTH).enumerate() {
            let system = match (self.composite, self.tv) {
                (Composite::Off, _) => None,
                (Composite::Ntsc, _) | (Composite::On, Tv::Ntsc) => Some(Tv::Ntsc),
                (Composite::Pal, _) | (Composite::On, Tv::Pal) => Some(Tv::Pal),
            };
            match system {
                None => {
                    for (pixel, &colour) in out.iter_mut().zip(row) {
                        *pixel = self.rgb[usize::from(colour)];
                    }
                }
                Some(Tv::Ntsc) => {
                    artifact_row(row, &self.palette, &self.rgb, self.artifacts, &mut out);
                }
                Some(Tv::Pal) => blend_row(
                    above.unwrap_or(row),
                    row,
                    &self.palette,
                    &self.rgb,
                    &mut out,
                ),
            }
            above = Some(row);
            line(y, &out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_look_is_the_usual_palette() {
        for tv in [Tv::Ntsc, Tv::Pal] {
            let look = Look::new(tv, &Settings::<String>::default(), None).unwrap();
            assert_eq!(*look.rgb(), *super::super::palette(tv));
            assert!(look.is_plain());
        }
    }

    #[test]
    fn numbers_are_set_by_name_and_mistakes_are_named() {
        let mut config = Settings::<String>::default();
        config.set("hue=-10, artifact-phase=90.5").unwrap();
        assert_eq!((config.hue, config.artifact_phase), (-10.0, 90.5));
        for (text, wanted) in [
            ("tint=1", "one of the names hue, step"),
            ("hue", "one of the names"),
            ("hue=red", "one of the names"),
            ("gamma=0", "picture.gamma must be 0.1 to 10"),
            ("gamma=NaN", "picture.gamma must be 0.1 to 10"),
        ] {
            let error = config.clone().set(text).unwrap_err();
            assert!(error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn every_number_changes_the_colours() {
        for (name, _, _) in Settings::<String>::default().numbers() {
            let text = match name {
                "hue" | "artifact_phase" => format!("{name}=40"),
                "step" => format!("{name}=22"),
                _ => format!("{name}=0.5"),
            };
            let mut config = Settings::<String>::default();
            config.set(&text).unwrap();
            let usual = Look::new(Tv::Ntsc, &Settings::<String>::default(), None).unwrap();
            let look = Look::new(Tv::Ntsc, &config, None).unwrap();
            assert!(
                look.rgb() != usual.rgb() || look.artifacts != usual.artifacts,
                "{name}"
            );
        }
    }
}
