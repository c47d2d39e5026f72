//! The picture of the machine in colours, and its text.
use crate::emulator::Emulator;
use crate::options;
use machine::{Frame, Tv};
use session::picture::{Look, Settings};
use wasm_bindgen::prelude::wasm_bindgen;

/// The colours of a page's screen, and the last picture in them.
#[derive(Debug)]
pub(crate) struct Screen {
    settings: Settings,
    palette: Option<Vec<u8>>,
    look: Look,
    colours: Box<[u32; 256]>,
    rgba: Vec<u32>,
}

impl Screen {
    /// The screen of a machine that is switched off.
    pub(crate) fn new() -> Self {
        let look = usual(Tv::Ntsc);
        Self {
            settings: Settings::default(),
            palette: None,
            colours: Box::new(look.rgb().map(rgba)),
            look,
            rgba: vec![0; Frame::WIDTH * Frame::HEIGHT],
        }
    }

    /// Makes the colours of the settings, and of the palette file where there is one.
    fn see(&mut self, tv: Tv) {
        let look = Look::new(tv, &self.settings, self.palette.as_deref());
        self.look = look.unwrap_or_else(|_| usual(tv));
        *self.colours = self.look.rgb().map(rgba);
    }

    fn draw(&mut self, frame: &Frame) -> *const u32 {
        if self.look.is_plain() {
            for (pixel, &colour) in self.rgba.iter_mut().zip(frame.pixels()) {
                *pixel = self.colours[usize::from(colour)];
            }
        } else {
            let rows = &mut self.rgba;
            self.look.picture(frame, |y, line| {
                let row = &mut rows[y * Frame::WIDTH..][..Frame::WIDTH];
                for (pixel, &colour) in row.iter_mut().zip(line) {
                    *pixel = rgba(colour);
                }
            });
        }
        self.rgba.as_ptr()
    }
}

fn rgba([red, green, blue]: [u8; 3]) -> u32 {
    u32::from_le_bytes([red, green, blue, 0xFF])
}

/// The usual look, which is without a palette file and cannot be wrong.
fn usual(tv: Tv) -> Look {
    let look = Look::new(tv, &Settings::<String>::default(), None);
    look.unwrap_or_else(|_| unreachable!("no palette file"))
}

/// Picture and text.
#[wasm_bindgen]
impl Emulator {
    /// Draws the last complete picture. Gives where it is: 376 x 240 pixels of red, green, blue and opacity.
    pub fn draw(&mut self) -> *const u32 {
        self.screen.draw(self.session.picture())
    }

    /// The colour numbers of the last complete picture.
    pub fn colour_numbers(&self) -> Vec<u8> {
        self.session.picture().pixels().to_vec()
    }

    /// Sets the effects of a composite signal: the values of the option `artifacts`.
    ///
    /// # Errors
    /// One sentence on another value.
    pub fn set_artifacts(&mut self, name: &str) -> Result<(), String> {
        self.options.composite = options::artifacts(name)?;
        self.see();
        Ok(())
    }

    /// The usual colours, for [`Self::set_colours`].
    pub fn usual_colours() -> Vec<f64> {
        let usual = Settings::<String>::default();
        [
            usual.hue,
            usual.saturation,
            usual.black,
            usual.white,
            usual.gamma,
        ]
        .to_vec()
    }

    /// The colours from now on: all hues turned by `hue` degrees; strength; brightness of level 0 and of level 15, 0 to 1; exponent of the
    /// levels between. A palette file goes before them.
    pub fn set_colours(&mut self, hue: f64, saturation: f64, black: f64, white: f64, gamma: f64) {
        self.screen.settings.hue = hue;
        self.screen.settings.saturation = saturation;
        self.screen.settings.black = black;
        self.screen.settings.white = white;
        self.screen.settings.gamma = gamma;
        self.see();
    }

    /// Takes the colours from a palette file, or no longer where it is empty.
    ///
    /// # Errors
    /// One sentence, when it is not a palette; then nothing has changed.
    pub fn set_palette(&mut self, file: &[u8]) -> Result<(), String> {
        let file = (!file.is_empty()).then(|| file.to_vec());
        let tv = self.session.machine().config().tv;
        Look::new(tv, &self.screen.settings, file.as_deref()).map_err(|error| error.to_string())?;
        self.screen.palette = file;
        self.see();
        Ok(())
    }

    /// The text on the screen.
    pub fn text(&self) -> String {
        self.session.text()
    }
}

#[cfg(feature = "inspect")]
impl Emulator {
    /// Draws other colour numbers with this machine's palette.
    pub(crate) fn rgba_of(&self, pixels: &[u8]) -> Vec<u32> {
        let colour = |&number: &u8| self.screen.colours[usize::from(number)];
        pixels.iter().map(colour).collect()
    }
}

impl Emulator {
    /// The colours of the machine that is there now.
    pub(crate) fn see(&mut self) {
        let tv = self.session.machine().config().tv;
        self.screen.settings.artifacts = self.options.composite;
        self.screen.see(tv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colours(emulator: &mut Emulator) -> Vec<u32> {
        emulator.screen.colours.to_vec()
    }

    #[test]
    fn colours_follow_the_settings_and_a_palette_file() {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        emulator.open_built_in("basic", "").unwrap();
        let usual = colours(&mut emulator);
        let [hue, saturation, black, white, gamma] = Emulator::usual_colours()[..] else {
            panic!("five numbers");
        };
        emulator.set_colours(hue + 30.0, saturation, black, white, gamma);
        assert!(colours(&mut emulator) != usual);
        emulator.set_colours(hue, saturation, black, white, gamma);
        assert!(colours(&mut emulator) == usual);

        let file: Vec<u8> = (0..768).map(|n| (n % 251) as u8).collect();
        emulator.set_palette(&file).unwrap();
        assert_eq!(colours(&mut emulator)[1], rgba([3, 4, 5]));
        assert!(emulator.set_palette(&file[..100]).is_err());
        // It stays with the next program.
        emulator.open_built_in("menu", "").unwrap();
        assert_eq!(colours(&mut emulator)[1], rgba([3, 4, 5]));
        emulator.set_palette(&[]).unwrap();
        assert!(colours(&mut emulator) == usual);
    }

    #[test]
    fn artifacts_are_chosen_by_name() {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        emulator.open_built_in("basic", "artifacts=ntsc").unwrap();
        assert!(!emulator.screen.look.is_plain());
        emulator.set_artifacts("off").unwrap();
        assert!(emulator.screen.look.is_plain());
        let error = emulator.set_artifacts("green").unwrap_err();
        assert!(error.contains("it takes off, on, ntsc, pal"), "{error}");
    }
}
