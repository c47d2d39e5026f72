//! The picture as far as the beam has drawn it, and a part of it enlarged.
use super::super::picture::{Picture, Place as Spot};
use super::events::Frame;
use super::theme::Colours;
use super::{Request, Scene, item, theme, why};
use antic_gtia::gtia::{Outputs, Reading};
use debugger::{FrameCause, Place, Replay, Step, view};
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Color32, Painter, PopupCloseBehavior, Pos2, Rect, RichText, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, WidgetType, pos2, vec2,
};

/// First scan line of the picture.
const TOP: usize = 8;
/// Pixels of the picture before its first one in a line: 34 colour clocks.
const LEFT: usize = 68;
/// Pixels of the screen to a pixel in the magnifier.
const MAGNIFIED: usize = 10;

/// The parts of the picture that are shown. A hidden part is not drawn, as if the program had not drawn it; the machine does not notice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Layers {
    /// Players in bits 0 to 3, missiles in bits 4 to 7.
    hidden: u8,
    no_playfield: bool,
    no_background: bool,
}

impl Layers {
    /// The colours of two pixels; `None` where there is only background, and it is hidden.
    fn pixels(self, outputs: &Outputs) -> Option<[u8; 2]> {
        let mut seen = *outputs;
        seen.objects &= !self.hidden;
        if self.no_playfield {
            seen.window = false;
            seen.code = 0;
            seen.value = 0;
            seen.reading = Reading::Lores;
        }
        seen.resolve();
        let empty = seen.registers == 1 << Outputs::BK && seen.bright == 0 && seen.value == 0;
        if self.no_background && (seen.blank || empty) {
            return None;
        }
        Some(seen.colours_with(&seen.colours))
    }
}

/// State of the picture's panels between two passes.
pub struct State {
    picture: Picture,
    pixels: Vec<u8>,
    drawn: Option<(u64, bool, u32, Layers)>,
    /// The beam in pixels of the picture.
    beam: Option<(i32, usize)>,
    /// The pixel under the mouse.
    hover: Option<(usize, usize)>,
    /// The pixel that was clicked.
    pin: Option<(usize, usize)>,
    /// The pixel that the mouse was over last.
    last: Option<(usize, usize)>,
    /// The pixel under the mouse in the magnifier, and the one in its middle meanwhile.
    magnified: Option<(usize, usize)>,
    middle: Option<(usize, usize)>,
    layers: Layers,
    show_beam: bool,
    grid: bool,
    /// Scan lines that another panel points at.
    pub outline: Option<(u16, u16)>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            picture: Picture::default(),
            pixels: Vec::new(),
            drawn: None,
            beam: None,
            hover: None,
            pin: None,
            last: None,
            magnified: None,
            middle: None,
            layers: Layers::default(),
            show_beam: true,
            grid: false,
            outline: None,
        }
    }
}

impl State {
    /// The pixel that all panels talk about: under the mouse, or clicked.
    pub fn pixel(&self) -> Option<(usize, usize)> {
        self.hover.or(self.magnified).or(self.pin)
    }

    /// The pixel that is explained: one that was clicked stays until another is, else the one that the mouse was over last.
    pub fn explained(&self) -> Option<(usize, usize)> {
        self.pin.or(self.pixel()).or(self.last)
    }

    /// The scan line that all panels talk about.
    pub fn line(&self, scene: &Scene) -> u16 {
        self.pixel()
            .map_or(scene.machine().beam().line, |(_, y)| (y + TOP) as u16)
    }

    /// Draws the whole picture darkened, under something else.
    pub fn paint_dimmed(&mut self, ui: &Ui, rect: Rect, scene: &Scene) {
        self.update(ui, scene);
        if let Some(texture) = self.picture.id() {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter()
                .image(texture, rect, whole, Color32::from_gray(110));
        }
    }

    fn update(&mut self, ui: &Ui, scene: &Scene) {
        let back = theme::colours(ui).panel;
        let back = u32::from_be_bytes([0, back.r(), back.g(), back.b()]);
        let key = Some((scene.machine().now(), scene.running, back, self.layers));
        if self.drawn == key {
            return;
        }
        self.drawn = key;
        let size = (view::Picture::WIDTH, view::Picture::HEIGHT);
        let palette = scene.palette;
        if self.layers != Layers::default() && self.update_layers(ui, scene) {
            return;
        }
        if scene.running {
            self.pixels.clear();
            self.pixels
                .extend_from_slice(scene.machine().frame().pixels());
            self.beam = None;
            let pixels = self.pixels.iter().map(|&index| palette[usize::from(index)]);
            self.picture.set(ui.ctx(), size, pixels);
            return;
        }
        let picture = view::Picture::of(scene.machine());
        let drawn = picture.rows * size.0 + picture.columns;
        // What is left of the frame before is dimmed, once the beam is in the picture.
        let pixels = picture.pixels.iter().enumerate().map(|(n, &index)| {
            let colour = palette[usize::from(index)];
            if n < drawn || drawn == 0 {
                colour
            } else {
                host::canvas::mix(colour, back, 110)
            }
        });
        self.picture.set(ui.ctx(), size, pixels);
        self.pixels.clone_from(&picture.pixels);
        self.beam = picture.beam;
    }

    /// Draws this frame by layers; false when it is not recorded.
    fn update_layers(&mut self, ui: &Ui, scene: &Scene) -> bool {
        let machine = scene.machine();
        let beam = machine.beam();
        let done = u64::from(beam.line) * 114 + u64::from(beam.cycle);
        let begin = scene.track.moment_at(machine.now() - done);
        let Some(start) = begin.and_then(|begin| Replay::of(scene.track, begin)) else {
            return false;
        };
        let cause = FrameCause::of_frame(start);
        let colours = theme::colours(ui);
        let packed = |c: Color32| u32::from_be_bytes([0, c.r(), c.g(), c.b()]);
        let (light, dark) = (packed(colours.line), packed(colours.well));
        let size = (view::Picture::WIDTH, view::Picture::HEIGHT);
        let mut pixels = Vec::with_capacity(size.0 * size.1);
        self.pixels.clear();
        for y in 0..size.1 {
            for (x, outputs) in cause.row(y).iter().enumerate() {
                // Nothing is there: squares.
                let empty = if (x / 4 + y / 8) % 2 == 0 {
                    light
                } else {
                    dark
                };
                let shown = self.layers.pixels(outputs);
                self.pixels.extend(outputs.pixels);
                pixels.extend(shown.map_or([empty; 2], |pixels| {
                    pixels.map(|index| scene.palette[usize::from(index)])
                }));
            }
            pixels.resize((y + 1) * size.0, 0);
            self.pixels.resize((y + 1) * size.0, 0);
        }
        self.picture.set(ui.ctx(), size, pixels.into_iter());
        self.beam = if scene.running {
            None
        } else {
            view::Picture::of(machine).beam
        };
        true
    }

    /// Holds a pixel, or lets go of it if it is held.
    fn toggle_pin(&mut self, pixel: Option<(usize, usize)>) {
        self.pin = if self.pin == pixel { None } else { pixel };
    }

    fn index(&self, (x, y): (usize, usize)) -> u8 {
        self.pixels
            .get(y * view::Picture::WIDTH + x)
            .copied()
            .unwrap_or(0)
    }
}

/// Line and cycle of the beam at a pixel.
pub fn beam_at((x, y): (usize, usize)) -> (u16, u8) {
    ((y + TOP) as u16, ((x + LEFT) / 4) as u8)
}

/// The picture.
pub fn ui(
    ui: &mut Ui,
    state: &mut State,
    frame: &mut Frame,
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    state.update(ui, scene);
    let outline = state.outline.take();
    head(ui, state, frame, scene);
    let available = ui.available_rect_before_wrap();
    let size = (view::Picture::WIDTH, view::Picture::HEIGHT);
    let spot = Spot::fit(ui, available, size, (1, 1), 6);
    let clip = ui.clip_rect().intersect(available);
    let response = ui.allocate_rect(spot.rect.intersect(clip), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, "the picture"));
    state.picture.paint(ui, spot, state.picture.whole());
    let painter = ui.painter().with_clip_rect(spot.rect.intersect(clip));
    let colours = theme::colours(ui);
    if state.grid {
        paint_grid(&painter, spot, colours);
    }
    if let Some((first, last)) = outline {
        let top = f32::from(first) - TOP as f32;
        let height = f32::from(last) - f32::from(first) + 1.0;
        let area = spot.area(0.0, top, size.0 as f32, height);
        let stroke = Stroke::new(2.0, colours.accent);
        painter.rect_stroke(area, 0.0, stroke, StrokeKind::Outside);
    }
    if let (true, Some((x, y))) = (state.show_beam, state.beam) {
        paint_beam(&painter, spot, pos2(x as f32, y as f32), colours);
    }
    if let Some((x, y)) = state.pin {
        let area = spot.area(x as f32, y as f32, 1.0, 1.0).expand(2.0);
        let stroke = Stroke::new(1.0, colours.accent);
        painter.rect_stroke(area, 0.0, stroke, StrokeKind::Outside);
    }
    state.hover = response.hover_pos().and_then(|at| spot.pixel(at));
    state.last = state.hover.or(state.last);
    if response.clicked() {
        state.toggle_pin(state.hover);
    }
    if response.secondary_clicked() || response.double_clicked() {
        state.pin = state.hover;
    }
    if response.double_clicked()
        && let Some((cause, why)) = why::explain(frame, state, scene)
    {
        requests.extend(why::go_to_colour(&why, cause, scene));
    }
    if let Some(pixel) = state.pin {
        response.context_menu(|ui| pixel_menu(ui, state, frame, pixel, scene, requests));
    }
}

/// The switches, and the pixel that all panels talk about.
fn head(ui: &mut Ui, state: &mut State, frame: &mut Frame, scene: &Scene) {
    ui.horizontal(|ui| {
        ui.checkbox(&mut state.show_beam, "beam");
        ui.checkbox(&mut state.grid, "grid");
        layers_menu(ui, &mut state.layers);
        let Some((x, y)) = state.pixel() else {
            return;
        };
        let (line, cycle) = beam_at((x, y));
        let index = state.index((x, y));
        let [_, r, g, b] = scene.palette[usize::from(index)].to_be_bytes();
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
        ui.painter().rect(
            rect,
            0.0,
            Color32::from_rgb(r, g, b),
            Stroke::new(1.0, theme::colours(ui).weak),
            StrokeKind::Inside,
        );
        let name = |address: u16| scene.debugger.symbols.name(address).map(str::to_owned);
        let text = match why::explain_at(frame, (x, y), scene) {
            Some((cause, why)) => why.summary(cause, &name),
            None => format!("{x},{y}: ${index:02X}"),
        };
        let text = format!("{line}:{cycle:<3} {text}");
        ui.add(egui::Label::new(RichText::new(text).monospace()).truncate());
    });
}

/// Characters of the normal playfield: 8 colour clocks from clock 48 on, 8 lines.
fn paint_grid(painter: &Painter, spot: Spot, colours: &Colours) {
    let line = Stroke::new(1.0, colours.text.gamma_multiply(0.25));
    for x in (28..=348).step_by(16) {
        painter.vline(spot.position(x as f32, 0.0).x, spot.rect.y_range(), line);
    }
    for y in (0..=240).step_by(8) {
        painter.hline(spot.rect.x_range(), spot.position(0.0, y as f32).y, line);
    }
}

/// A cross at the beam, and its line.
fn paint_beam(painter: &Painter, spot: Spot, beam: Pos2, colours: &Colours) {
    let place = spot.position(beam.x, beam.y);
    let line = Rect::from_min_size(
        pos2(spot.rect.left(), place.y),
        vec2(spot.rect.width(), 1.0),
    );
    painter.rect_filled(line, 0.0, colours.beam.gamma_multiply(0.35));
    for (corner, size) in [
        (vec2(6.0, 1.0), vec2(13.0, 3.0)),
        (vec2(1.0, 6.0), vec2(3.0, 13.0)),
    ] {
        let bar = Rect::from_min_size(place - corner, size);
        painter.rect_filled(bar, 0.0, colours.beam);
    }
}

/// The context menu of a pixel.
fn pixel_menu(
    ui: &mut Ui,
    state: &State,
    frame: &mut Frame,
    pixel: (usize, usize),
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    let (line, cycle) = beam_at(pixel);
    ui.monospace(format!("line {line}, cycle {cycle}"));
    let mut item = |ui: &mut Ui, text: &str, request| item(ui, text, request, requests);
    if let Some((cause, why)) = why::explain(frame, state, scene)
        && let Some(request) = why::go_to_colour(&why, cause, scene)
    {
        item(ui, "Go to the store of its colour (double click)", request);
    }
    item(ui, "Run to here", Request::Step(Step::Beam(line, cycle)));
    item(
        ui,
        "Run back to here",
        Request::Back(Step::Beam(line, cycle)),
    );
    item(
        ui,
        "Break when the beam is here",
        Request::AddStop(Place::Beam(line, cycle)),
    );
}

/// The menu of the parts that are shown.
fn layers_menu(ui: &mut Ui, layers: &mut Layers) {
    let text = RichText::new("layers");
    let text = if *layers == Layers::default() {
        text
    } else {
        text.color(theme::colours(ui).changed)
    };
    // It stays open while boxes are clicked.
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    MenuButton::new(text).config(stays).ui(ui, |ui| {
        let mut playfield = !layers.no_playfield;
        ui.checkbox(&mut playfield, "playfield");
        layers.no_playfield = !playfield;
        let mut background = !layers.no_background;
        ui.checkbox(&mut background, "background");
        layers.no_background = !background;
        egui::Grid::new("objects").show(ui, |ui| {
            for n in 0..4 {
                for (bit, name) in [(n, "player"), (n + 4, "missile")] {
                    let mut shown = layers.hidden >> bit & 1 == 0;
                    if ui.checkbox(&mut shown, format!("{name} {n}")).clicked() {
                        layers.hidden ^= 1 << bit;
                    }
                }
                ui.end_row();
            }
        });
        ui.horizontal(|ui| {
            if ui.button("all").clicked() {
                *layers = Layers::default();
            }
            if ui.button("objects alone").clicked() {
                *layers = Layers {
                    hidden: 0,
                    no_playfield: true,
                    no_background: true,
                };
            }
        });
    });
}

/// The pixels around the mouse, the clicked pixel or the beam.
pub fn magnifier(
    ui: &mut Ui,
    state: &mut State,
    frame: &mut Frame,
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    state.update(ui, scene);
    let colours = theme::colours(ui);
    // It does not move away under the mouse.
    let held = state.magnified.and(state.middle);
    let centre = held.or(state.hover).or(state.pin).or_else(|| {
        state
            .beam
            .map(|(x, y)| (x.clamp(0, view::Picture::WIDTH as i32 - 1) as usize, y))
    });
    let Some(centre) = centre.or(state.last) else {
        ui.label(RichText::new("point at the picture").color(colours.weak));
        return;
    };
    state.middle = Some(centre);
    let (from, spot) = enlarged(ui, centre);
    let (_, response) = ui.allocate_exact_size(spot.rect.size(), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, "the magnifier"));
    let corner = (from.min.x as usize, from.min.y as usize);
    let pointed = response.hover_pos().and_then(|at| spot.pixel(at));
    state.magnified = pointed.map(|(x, y)| (x + corner.0, y + corner.1));
    state.last = state.magnified.or(state.last);
    if response.clicked() {
        state.toggle_pin(state.magnified);
    }
    if response.double_clicked() {
        state.pin = state.magnified;
        if let Some((cause, why)) = why::explain(frame, state, scene) {
            requests.extend(why::go_to_colour(&why, cause, scene));
        }
    }
    let marked = state.magnified.unwrap_or(centre);
    state.picture.paint(ui, spot, from);
    paint_cycles(ui, spot, from, marked);
    let Some(pixel) = state.magnified else {
        return;
    };
    let name = |address: u16| scene.debugger.symbols.name(address).map(str::to_owned);
    let text = why::explain_at(frame, pixel, scene).map_or(String::new(), |(cause, why)| {
        why.summary(cause, &name) + "\n"
    });
    response.on_hover_text_at_pointer(format!(
        "{text}click: hold it; double click: go to the store of its colour\nlines: borders of machine cycles"
    ));
}

/// The part of the picture around a pixel, and its place in the panel.
fn enlarged(ui: &Ui, centre: (usize, usize)) -> (Rect, Spot) {
    let size = (view::Picture::WIDTH as f32, view::Picture::HEIGHT as f32);
    let available = ui.available_rect_before_wrap();
    let scale = ui.ctx().pixels_per_point();
    let zoom = (MAGNIFIED as f32 * scale).round() / scale;
    let columns = (available.width() / zoom).floor().clamp(1.0, size.0);
    let rows = (available.height() / zoom).floor().clamp(1.0, size.1);
    let corner =
        |at: usize, shown: f32, of: f32| (at as f32 - (shown / 2.0).floor()).clamp(0.0, of - shown);
    let from = Rect::from_min_size(
        pos2(
            corner(centre.0, columns, size.0),
            corner(centre.1, rows, size.1),
        ),
        vec2(columns, rows),
    );
    let origin = pos2(
        (available.min.x * scale).round() / scale,
        (available.min.y * scale).round() / scale,
    );
    let spot = Spot {
        rect: Rect::from_min_size(origin, from.size() * zoom),
        zoom: vec2(zoom, zoom),
    };
    (from, spot)
}

/// Lines between machine cycles, which are four pixels each, and a frame around the marked pixel.
fn paint_cycles(ui: &Ui, spot: Spot, from: Rect, marked: (usize, usize)) {
    let colours = theme::colours(ui);
    let painter = ui.painter().with_clip_rect(spot.rect);
    let line = Stroke::new(1.0, colours.text.gamma_multiply(0.3));
    let first = (4 - (from.min.x as usize + LEFT) % 4) % 4;
    for x in (first..from.width() as usize).step_by(4) {
        painter.vline(spot.position(x as f32, 0.0).x, spot.rect.y_range(), line);
    }
    let mark = spot.area(
        marked.0 as f32 - from.min.x,
        marked.1 as f32 - from.min.y,
        1.0,
        1.0,
    );
    let frame = Stroke::new(2.0, colours.accent);
    painter.rect_stroke(mark, 0.0, frame, StrokeKind::Outside);
}
