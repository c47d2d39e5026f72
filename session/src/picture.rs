//! The colours of the machine's colour numbers: palettes, NTSC artifact colours, PAL blending. Pure functions; the machine knows nothing of them.
mod artifacts;
mod look;
mod palette;

pub use artifacts::Artifacts;
pub use look::{Composite, Look, Settings};
pub use palette::{Palette, PaletteError, Parameters, Rgb, Yuv, load_palette};

use machine::Tv;

/// The colours of the 256 colour numbers as red, green and blue, by the television system's usual parameters.
///
/// The upper four bits are the hue, 0 being grey; the lower four bits are the brightness. GTIA's least significant bit only
/// counts in its 16-shade mode.
pub fn palette(tv: Tv) -> Box<[[u8; 3]; 256]> {
    Palette::generate(&Parameters::of(tv)).rgb()
}
