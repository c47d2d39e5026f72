//! Colours and sizes.
//!
//! A colour means one thing in all panels. Those that mean kinds of things were searched for so that any two of them, and the background,
//! stay apart for eyes without long, middle or short wavelength cones; the test below measures it.
use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Theme, Ui, vec2,
};

/// Advance of Hack's characters, in parts of its size.
const ADVANCE: f32 = 0.602_05;
/// The advance of the monospace font, in pixels at one pixel to a point.
const CELL: f32 = 8.0;

/// The colours of a theme.
#[derive(Debug)]
pub struct Colours {
    /// Between panels.
    pub back: Color32,
    /// The background of a panel.
    pub panel: Color32,
    /// The background of input fields.
    pub well: Color32,
    /// Colour of buttons, and of lines between things.
    pub line: Color32,
    /// Under the mouse.
    pub hover: Color32,
    /// Text.
    pub text: Color32,
    /// Text that explains, and addresses.
    pub weak: Color32,
    /// Headings, and what is chosen.
    pub accent: Color32,
    /// The line where the machine stands.
    pub here: Color32,
    /// A value that is not what it was.
    pub changed: Color32,
    /// Breakpoints.
    pub stop: Color32,
    /// The beam.
    pub beam: Color32,
    /// Owners of the bus: in the order of [`Owner`].
    pub owners: [Color32; 8],
    /// ANTIC, GTIA, POKEY, PIA.
    pub chips: [Color32; 4],
}

/// The owner of the bus, or the processor's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// ANTIC reads names, glyphs or bitmap.
    Playfield,
    /// ANTIC reads its display list.
    DisplayList,
    /// ANTIC reads players and missiles.
    Objects,
    /// Memory is refreshed.
    Refresh,
    /// The processor.
    Cpu,
    /// The processor waits for WSYNC.
    Wsync,
    /// A non-maskable interrupt.
    Nmi,
    /// An interrupt.
    Irq,
}

impl Owner {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Playfield,
        Self::DisplayList,
        Self::Objects,
        Self::Refresh,
        Self::Cpu,
        Self::Wsync,
        Self::Nmi,
        Self::Irq,
    ];

    /// Its colour.
    pub fn colour(self, colours: &Colours) -> Color32 {
        colours.owners[self as usize]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Playfield => "playfield DMA",
            Self::DisplayList => "display list DMA",
            Self::Objects => "player/missile DMA",
            Self::Refresh => "refresh",
            Self::Cpu => "processor",
            Self::Wsync => "halted by WSYNC",
            Self::Nmi => "NMI",
            Self::Irq => "IRQ",
        }
    }
}

const fn rgb(packed: u32) -> Color32 {
    let [_, red, green, blue] = packed.to_be_bytes();
    Color32::from_rgb(red, green, blue)
}

/// The dark theme.
pub static DARK: Colours = Colours {
    back: rgb(0x0F_1217),
    panel: rgb(0x18_1C24),
    well: rgb(0x0F_1217),
    line: rgb(0x2C_333F),
    hover: rgb(0x3A_4454),
    text: rgb(0xDC_E3EA),
    weak: rgb(0x8F_9BA9),
    accent: rgb(0xF2_C14E),
    here: rgb(0x23_4A3A),
    changed: rgb(0xFF_9E80),
    stop: rgb(0xFF_5D52),
    beam: rgb(0xFF_FF40),
    owners: [
        rgb(0x5C_86ED),
        rgb(0xFB_E139),
        rgb(0xC2_370F),
        rgb(0x67_697F),
        rgb(0xD8_F7FE),
        rgb(0x7F_2091),
        rgb(0x1D_E46B),
        rgb(0xF6_99A4),
    ],
    chips: [
        rgb(0x2B_6DFF),
        rgb(0xC9_5511),
        rgb(0x79_FEB6),
        rgb(0xF1_9FEB),
    ],
};

/// The light theme.
pub static LIGHT: Colours = Colours {
    back: rgb(0xD9_DCE1),
    panel: rgb(0xFA_FAF7),
    well: rgb(0xFF_FFFF),
    line: rgb(0xC6_CBD3),
    hover: rgb(0xE3_E7EC),
    text: rgb(0x1A_1F27),
    weak: rgb(0x5D_6773),
    accent: rgb(0x8A_4B00),
    here: rgb(0xC4_E8D2),
    changed: rgb(0xC2_3B00),
    stop: rgb(0xD0_1C1F),
    beam: rgb(0xD4_00C8),
    owners: [
        rgb(0x00_3BE0),
        rgb(0xEF_C404),
        rgb(0xE5_8844),
        rgb(0x92_93BF),
        rgb(0x2F_304B),
        rgb(0x88_179A),
        rgb(0x3D_9E76),
        rgb(0xB5_1E30),
    ],
    chips: [
        rgb(0x0F_235B),
        rgb(0x5B_3111),
        rgb(0x05_C84B),
        rgb(0xCF_43D9),
    ],
};

/// The colours of a context.
pub fn of(context: &Context) -> &'static Colours {
    if context.theme() == Theme::Dark {
        &DARK
    } else {
        &LIGHT
    }
}

/// The colours of a page.
pub fn colours(ui: &Ui) -> &'static Colours {
    of(ui.ctx())
}

/// The size of the monospace font at which its advance is a whole number of pixels.
pub fn monospace(scale: f32) -> f32 {
    (CELL * scale).round() / scale / ADVANCE
}

/// Width of a monospace character in points.
pub fn cell(scale: f32) -> f32 {
    (CELL * scale).round() / scale
}

/// Sets a context's fonts, and its theme with `scale` pixels to a point.
pub fn apply(context: &Context, dark: bool, scale: f32) {
    let theme = if dark { Theme::Dark } else { Theme::Light };
    let colours = if dark { &DARK } else { &LIGHT };
    context.set_fonts(super::fonts::definitions());
    context.set_theme(theme);
    context.style_mut_of(theme, |style| {
        let mono = monospace(scale);
        style.text_styles = [
            (
                TextStyle::Small,
                FontId::new(11.5, FontFamily::Proportional),
            ),
            (TextStyle::Body, FontId::new(14.0, FontFamily::Proportional)),
            (
                TextStyle::Button,
                FontId::new(14.0, FontFamily::Proportional),
            ),
            (
                TextStyle::Heading,
                FontId::new(18.0, FontFamily::Proportional),
            ),
            (
                TextStyle::Monospace,
                FontId::new(mono, FontFamily::Monospace),
            ),
        ]
        .into();
        style.animation_time = 0.0;
        style.spacing.item_spacing = vec2(6.0, 3.0);
        style.spacing.button_padding = vec2(6.0, 2.0);
        style.spacing.interact_size.y = 20.0;
        style.spacing.menu_margin = Margin::same(4);
        let visuals = &mut style.visuals;
        visuals.override_text_color = None;
        visuals.weak_text_color = Some(colours.weak);
        visuals.panel_fill = colours.panel;
        visuals.window_fill = colours.panel;
        visuals.window_stroke = Stroke::new(1.0, colours.line);
        visuals.extreme_bg_color = colours.well;
        visuals.text_edit_bg_color = Some(colours.well);
        visuals.faint_bg_color = colours.back;
        visuals.code_bg_color = colours.well;
        visuals.hyperlink_color = colours.accent;
        visuals.warn_fg_color = colours.changed;
        visuals.error_fg_color = colours.stop;
        visuals.selection.bg_fill = if dark { rgb(0x2F_5D8C) } else { rgb(0xB8_D6F2) };
        visuals.selection.stroke = Stroke::new(1.0, colours.text);
        // Soft shadows are the dearest triangles of all, and a line says the same.
        visuals.window_shadow = egui::Shadow::NONE;
        visuals.popup_shadow = egui::Shadow::NONE;
        visuals.window_corner_radius = CornerRadius::same(4);
        visuals.menu_corner_radius = CornerRadius::same(4);
        visuals.text_cursor.blink = false;
        let widgets = &mut visuals.widgets;
        for (widget, fill, text) in [
            (&mut widgets.noninteractive, colours.panel, colours.text),
            (&mut widgets.inactive, colours.line, colours.text),
            (&mut widgets.hovered, colours.hover, colours.text),
            (&mut widgets.active, colours.hover, colours.accent),
            (&mut widgets.open, colours.hover, colours.text),
        ] {
            widget.bg_fill = fill;
            widget.weak_bg_fill = fill;
            widget.fg_stroke = Stroke::new(1.0, text);
            widget.bg_stroke = Stroke::NONE;
            widget.corner_radius = CornerRadius::same(3);
            widget.expansion = 0.0;
        }
        widgets.noninteractive.bg_stroke = Stroke::new(1.0, colours.line);
        widgets.hovered.bg_stroke = Stroke::new(1.0, colours.weak);
        widgets.active.bg_stroke = Stroke::new(1.0, colours.accent);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Machado, Oliveira and Fernandes (2009), severity 1, in linear RGB: normal, protanopia, deuteranopia, tritanopia.
    const SIGHTS: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ];

    fn lab(colour: Color32, sight: &[[f64; 3]; 3]) -> [f64; 3] {
        let linear = [colour.r(), colour.g(), colour.b()].map(|c| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        });
        let seen = sight.map(|row| {
            row.iter()
                .zip(linear)
                .map(|(m, c)| m * c)
                .sum::<f64>()
                .clamp(0.0, 1.0)
        });
        let [r, g, b] = seen;
        let part = |t: f64| {
            if t > 0.008_856 {
                t.cbrt()
            } else {
                7.787 * t + 16.0 / 116.0
            }
        };
        let x = part((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
        let y = part(0.2126 * r + 0.7152 * g + 0.0722 * b);
        let z = part((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// The distance of two colours in CIELAB for the eyes that tell them apart worst.
    fn distance(a: Color32, b: Color32) -> f64 {
        let one = |sight| {
            lab(a, sight)
                .iter()
                .zip(lab(b, sight))
                .map(|(a, b)| (a - b).powi(2))
                .sum::<f64>()
                .sqrt()
        };
        SIGHTS.iter().map(one).fold(f64::MAX, f64::min)
    }

    #[test]
    fn colours_of_kinds_stay_apart_for_the_colour_blind() {
        for colours in [&DARK, &LIGHT] {
            for (kinds, least) in [(&colours.owners[..], 27.0), (&colours.chips[..], 40.0)] {
                for (n, &a) in kinds.iter().enumerate() {
                    assert!(distance(a, colours.panel) > least, "{a:?} on the panel");
                    for &b in &kinds[..n] {
                        assert!(distance(a, b) > least, "{a:?} {b:?} {}", distance(a, b));
                    }
                }
            }
        }
    }

    #[test]
    fn text_is_easy_to_read_on_what_it_stands_on() {
        // Contrast as the Web Content Accessibility Guidelines define it; 4.5 is their level AA.
        let light = |colour: Color32| {
            let y = (lab(colour, &SIGHTS[0])[0] + 16.0) / 116.0;
            y.powi(3)
        };
        let contrast = |a, b| {
            let (a, b) = (light(a), light(b));
            (a.max(b) + 0.05) / (a.min(b) + 0.05)
        };
        for c in [&DARK, &LIGHT] {
            for text in [c.text, c.weak, c.accent, c.changed, c.stop] {
                for ground in [c.panel, c.well, c.here] {
                    let least = if ground == c.here { 3.0 } else { 4.5 };
                    assert!(
                        contrast(text, ground) > least,
                        "{text:?} on {ground:?}: {}",
                        contrast(text, ground)
                    );
                }
            }
        }
    }

    #[test]
    fn monospace_characters_are_whole_pixels_wide() {
        for scale in [1.0, 1.25, 1.5, 2.0, 2.5, 3.0] {
            let pixels = monospace(scale) * ADVANCE * scale;
            assert!((pixels - pixels.round()).abs() < 1e-3, "{pixels}");
        }
    }
}
