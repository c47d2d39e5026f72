//! What the colour numbers look like.
use machine::Tv;

/// The colours of the 256 colour numbers as red, green and blue.
///
/// The upper four bits are the hue: an angle on the colour circle from the burst on, 0 being grey. The lower four bits are the
/// brightness; GTIA's least significant bit only counts in its 16-shade mode.
pub fn palette(tv: Tv) -> Box<[[u8; 3]; 256]> {
    // Degrees from one hue to the next: the delay of GTIA's tap at the colour clock's frequency.
    let (first, step): (f32, f32) = match tv {
        Tv::Ntsc => (176.0, 25.5),
        Tv::Pal => (164.0, 23.0),
    };
    let saturation = 0.19;
    let mut out = Box::new([[0; 3]; 256]);
    for (index, colour) in out.iter_mut().enumerate() {
        let (hue, brightness) = (index >> 4, index & 15);
        let y = 0.03 + brightness as f32 / 15.0 * 0.93;
        let (u, v) = if hue == 0 {
            (0.0, 0.0)
        } else {
            let angle = (first - (hue - 1) as f32 * step).to_radians();
            (saturation * angle.cos(), saturation * angle.sin())
        };
        let rgb = [y + 1.140 * v, y - 0.395 * u - 0.581 * v, y + 2.032 * u];
        *colour = rgb.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8);
    }
    out
}
