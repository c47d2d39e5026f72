//! Pictures of an Atari in egui: whole multiples of their pixels, on whole pixels of the screen.
use egui::{
    Color32, ColorImage, Context, Pos2, Rect, TextureHandle, TextureId, TextureOptions, Ui, Vec2,
    pos2, vec2,
};

/// A picture that changes.
#[derive(Default)]
pub struct Picture {
    texture: Option<TextureHandle>,
    size: (usize, usize),
}

impl Picture {
    /// Shows these pixels from now on, 0x00RRGGBB, line by line.
    pub fn set(
        &mut self,
        context: &Context,
        size: (usize, usize),
        pixels: impl Iterator<Item = u32>,
    ) {
        let pixels: Vec<Color32> = pixels
            .map(|pixel| {
                let [_, red, green, blue] = pixel.to_be_bytes();
                Color32::from_rgb(red, green, blue)
            })
            .collect();
        if pixels.len() != size.0 * size.1 || pixels.is_empty() {
            return;
        }
        let image = ColorImage::new([size.0, size.1], pixels);
        self.size = size;
        if let Some(texture) = &mut self.texture {
            texture.set(image, TextureOptions::NEAREST);
        } else {
            let texture = context.load_texture("picture", image, TextureOptions::NEAREST);
            self.texture = Some(texture);
        }
    }

    /// Its texture.
    pub fn id(&self) -> Option<TextureId> {
        self.texture.as_ref().map(TextureHandle::id)
    }

    /// Width and height.
    pub fn size(&self) -> (usize, usize) {
        self.size
    }

    /// Draws the part `from` of it (in its pixels) at a place.
    pub fn paint(&self, ui: &Ui, place: Place, from: Rect) {
        if let Some(texture) = self.id() {
            let size = vec2(self.size.0 as f32, self.size.1 as f32);
            let uv = Rect::from_min_max(
                (from.min.to_vec2() / size).to_pos2(),
                (from.max.to_vec2() / size).to_pos2(),
            );
            ui.painter().image(texture, place.rect, uv, Color32::WHITE);
        }
    }

    /// The whole of it.
    pub fn whole(&self) -> Rect {
        Rect::from_min_size(Pos2::ZERO, vec2(self.size.0 as f32, self.size.1 as f32))
    }
}

/// The place of a picture on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// In points.
    pub rect: Rect,
    /// Points to a pixel of the picture.
    pub zoom: Vec2,
}

impl Place {
    /// The largest whole multiple of a picture of this size that fits into `available`, at most `most`; `aspect` pixels high for one wide.
    pub fn fit(
        ui: &Ui,
        available: Rect,
        size: (usize, usize),
        aspect: (usize, usize),
        most: usize,
    ) -> Self {
        let scale = ui.ctx().pixels_per_point();
        let (width, height) = (size.0 * aspect.0, size.1 * aspect.1);
        let times = |room: f32, of: usize| (room * scale + 0.01) as usize / of.max(1);
        let times = times(available.width(), width)
            .min(times(available.height(), height))
            .clamp(1, most.max(1));
        let zoom = vec2((times * aspect.0) as f32, (times * aspect.1) as f32) / scale;
        let extent = vec2(size.0 as f32, size.1 as f32) * zoom;
        let free = (available.size() - extent).max(Vec2::ZERO);
        let corner = available.min + vec2(free.x / 2.0, 0.0);
        let whole = |at: f32| (at * scale).round() / scale;
        Self {
            rect: Rect::from_min_size(pos2(whole(corner.x), whole(corner.y)), extent),
            zoom,
        }
    }

    /// The picture's pixel at a position on the screen.
    pub fn pixel(&self, at: Pos2) -> Option<(usize, usize)> {
        let inside = (at - self.rect.min) / self.zoom;
        (self.rect.contains(at) && inside.min_elem() >= 0.0)
            .then_some((inside.x as usize, inside.y as usize))
    }

    /// The upper left corner of a pixel; also of pixels outside.
    pub fn position(&self, x: f32, y: f32) -> Pos2 {
        self.rect.min + vec2(x, y) * self.zoom
    }

    /// The rectangle of pixels on the screen.
    pub fn area(&self, x: f32, y: f32, width: f32, height: f32) -> Rect {
        Rect::from_min_max(self.position(x, y), self.position(x + width, y + height))
    }
}
