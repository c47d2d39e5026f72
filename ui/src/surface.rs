//! A picture that egui draws: context, pixels, and when the next pass is due.
use super::raster::Raster;
use super::theme;
use egui::{
    ClippedPrimitive, Context, CursorIcon, Event, FullOutput, OutputCommand, Pos2, RawInput, Rect,
    TexturesDelta, Ui, Vec2, ViewportId,
};
use std::time::{Duration, Instant};

/// The result of a pass.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Pixels that were drawn again; 0: the picture is what it was.
    pub drawn: usize,
    /// Text for the clipboard.
    pub copied: Option<String>,
    /// How the mouse's pointer should look.
    pub cursor: CursorIcon,
}

/// One window's egui.
pub struct Surface {
    /// egui's memory.
    pub context: Context,
    raster: Raster,
    pixels: Vec<u32>,
    size: (usize, usize),
    scale: f32,
    /// Textures of passes that were not drawn.
    textures: TexturesDelta,
    /// The shapes that the last pass of [`Self::run_over`] laid out.
    frame: Vec<ClippedPrimitive>,
    /// When egui wants to be asked again without input.
    due: Option<Instant>,
    began: Instant,
}

impl Surface {
    /// Empty; `dark` or light.
    pub fn new(dark: bool) -> Self {
        let context = Context::default();
        theme::apply(&context, dark, 1.0);
        Self {
            context,
            raster: Raster::default(),
            pixels: Vec::new(),
            size: (0, 0),
            scale: 1.0,
            textures: TexturesDelta::default(),
            frame: Vec::new(),
            due: None,
            began: Instant::now(),
        }
    }

    /// Sets the size in pixels and the pixels per point; true when something has changed.
    pub fn resize(&mut self, size: (usize, usize), scale: f32) -> bool {
        let changed = self.size != size || self.scale.to_bits() != scale.to_bits();
        if changed {
            self.size = size;
            self.scale = scale;
            self.pixels.clear();
            self.pixels.resize(size.0 * size.1, 0);
            self.raster.forget();
            theme::apply(
                &self.context,
                self.context.global_style().visuals.dark_mode,
                scale,
            );
        }
        changed
    }

    /// Light or dark from the next pass on.
    pub fn set_dark(&mut self, dark: bool) {
        theme::apply(&self.context, dark, self.scale);
        self.due = Some(Instant::now());
    }

    /// Pixels per point.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (usize, usize) {
        self.size
    }

    /// The picture, 0x00RRGGBB.
    pub fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    /// True if egui wants a pass although nothing was entered: something moves or blinks.
    pub fn is_due(&self, now: Instant) -> bool {
        self.due.is_some_and(|due| due <= now)
    }

    /// Lets `ui` lay out a page, and draws what has changed.
    pub fn run(&mut self, events: Vec<Event>, focused: bool, ui: impl FnMut(&mut Ui)) -> Outcome {
        let output = self.pass(events, focused, ui);
        let background = theme::of(&self.context).back;
        let frame = self
            .context
            .tessellate(output.shapes, output.pixels_per_point);
        let drawn = self.raster.draw(
            &mut self.pixels,
            self.size,
            u32::from_be_bytes([0, background.r(), background.g(), background.b()]),
            &frame,
            &output.textures_delta,
            output.pixels_per_point,
        );
        Outcome {
            drawn,
            ..outcome(output.platform_output)
        }
    }

    /// Lets `ui` lay out a page, and draws it over `pixels`, which have this surface's size.
    pub(crate) fn run_over(
        &mut self,
        pixels: &mut [u32],
        events: Vec<Event>,
        focused: bool,
        ui: impl FnMut(&mut Ui),
    ) -> Outcome {
        let output = self.pass(events, focused, ui);
        let frame = self
            .context
            .tessellate(output.shapes, output.pixels_per_point);
        let scale = output.pixels_per_point;
        let mut textures = std::mem::take(&mut self.textures);
        textures.append(output.textures_delta);
        self.raster
            .draw_over(pixels, self.size, &frame, &textures, scale);
        self.frame = frame;
        Outcome {
            drawn: pixels.len(),
            ..outcome(output.platform_output)
        }
    }

    /// Lays out a page without drawing it: tables know their columns only after they have been laid out once.
    pub fn settle(&mut self, ui: impl FnMut(&mut Ui)) {
        let output = self.pass(Vec::new(), false, ui);
        self.textures.append(output.textures_delta);
    }

    /// Draws what the last pass of [`Self::run_over`] laid out once more.
    pub(crate) fn repeat_over(&mut self, pixels: &mut [u32]) {
        let textures = TexturesDelta::default();
        self.raster
            .draw_over(pixels, self.size, &self.frame, &textures, self.scale);
    }

    fn pass(&mut self, events: Vec<Event>, focused: bool, ui: impl FnMut(&mut Ui)) -> FullOutput {
        let now = Instant::now();
        let size = Vec2::new(self.size.0 as f32, self.size.1 as f32) / self.scale;
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            time: Some((now - self.began).as_secs_f64()),
            events,
            focused,
            ..RawInput::default()
        };
        if let Some(viewport) = input.viewports.get_mut(&ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(self.scale);
        }
        let output = self.context.run_ui(input, ui);
        let delay = output
            .viewport_output
            .get(&ViewportId::ROOT)
            .map(|viewport| viewport.repaint_delay);
        self.due = delay
            .filter(|&delay| delay < Duration::from_hours(1))
            .map(|delay| now + delay);
        output
    }
}

fn outcome(output: egui::PlatformOutput) -> Outcome {
    let copied = output
        .commands
        .into_iter()
        .find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text),
            _ => None,
        });
    Outcome {
        drawn: 0,
        copied,
        cursor: output.cursor_icon,
    }
}

impl std::fmt::Debug for Surface {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Surface")
            .field("size", &self.size)
            .field("scale", &self.scale)
            .finish_non_exhaustive()
    }
}

/// Pixels per point that suit what lies over the Atari's picture: where there is room for more than one, it has at least 700 by 500 points.
pub(crate) fn scale_over((width, height): (usize, usize)) -> f32 {
    let fits = |scale: &&f32| width as f32 / **scale >= 700.0 && height as f32 / **scale >= 500.0;
    [4.0, 3.0, 2.5, 2.0, 1.5, 1.25]
        .iter()
        .find(fits)
        .copied()
        .unwrap_or(1.0)
}

/// Pixels per point that suit a window: more where it has many.
pub fn scale_for((width, height): (usize, usize)) -> f32 {
    match (width, height) {
        (3200.., 1800..) => 2.0,
        (2400.., 1400..) => 1.5,
        _ => 1.0,
    }
}
