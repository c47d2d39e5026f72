//! The time bar: everything that is recorded, from the oldest moment to the newest, with the present one, other futures and marks. A drag
//! goes there.
use super::super::picture::Picture;
use super::theme::Colours;
use super::{Request, Scene, item, theme};
use debugger::{Moment, Timeline, view};
use egui::{Align2, Painter, Rect, Response, RichText, Sense, Stroke, TextStyle, Ui, pos2, vec2};
use machine::Machine;

/// Pixels of the picture to one of a thumbnail, across and down.
const SMALLER: usize = 4;
/// Width and height of a thumbnail.
const SMALL: (usize, usize) = (
    view::Picture::WIDTH / SMALLER,
    view::Picture::HEIGHT / SMALLER,
);
/// Marks that were made by questions; older ones go.
const ASKED: usize = 16;

/// A moment that is marked.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Its moment.
    pub at: Moment,
    /// Its label: the question, or the number of a bookmark.
    pub what: String,
    /// It was set by the user and stays.
    pub kept: bool,
}

struct Thumbnail {
    at: Moment,
    picture: Picture,
}

/// State of the bar between two passes.
#[derive(Default)]
pub struct State {
    /// Marked moments.
    pub marks: Vec<Mark>,
    thumbnails: Vec<Thumbnail>,
    bookmarks: u32,
    /// The moment at which the context menu was opened.
    chosen: Option<Moment>,
}

impl State {
    /// Marks the moment at which something was asked.
    pub fn asked(&mut self, at: Moment, what: String) {
        self.marks.retain(|mark| mark.kept || mark.at != at);
        let kept = false;
        self.marks.push(Mark { at, what, kept });
        let asked = self.marks.iter().filter(|mark| !mark.kept).count();
        if asked > ASKED
            && let Some(oldest) = self.marks.iter().position(|mark| !mark.kept)
        {
            self.marks.remove(oldest);
        }
    }

    fn bookmark(&mut self, at: Moment) {
        self.bookmarks += 1;
        let what = format!("bookmark {}", self.bookmarks);
        let kept = true;
        self.marks.push(Mark { at, what, kept });
    }
}

/// Moments to places on the bar.
struct Scale {
    from: Moment,
    to: Moment,
    rect: Rect,
}

impl Scale {
    fn x(&self, at: Moment) -> f32 {
        let length = (self.to.0 - self.from.0).max(1) as f64;
        let part = at.0.saturating_sub(self.from.0) as f64 / length;
        self.rect.left() + self.rect.width() * part.min(1.0) as f32
    }

    fn moment(&self, x: f32) -> Moment {
        let part = f64::from(((x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0));
        Moment(self.from.0 + ((self.to.0 - self.from.0) as f64 * part) as u64)
    }
}

/// Cycles of a frame and of a second.
fn lengths(scene: &Scene) -> (u64, f64) {
    let frame = u64::from(scene.machine().bus().video.antic.lines()) * 114;
    (
        frame,
        frame as f64 * scene.machine().config().tv.frame_rate(),
    )
}

/// Minutes and seconds.
fn clock(seconds: f64) -> String {
    let tenths = (seconds.abs() * 10.0).round() as u64;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

/// The bar.
pub fn ui(ui: &mut Ui, state: &mut State, scene: &Scene, requests: &mut Vec<Request>) {
    let colours = theme::colours(ui);
    let timeline = scene.track.timeline();
    if timeline.is_off() {
        ui.label(RichText::new("nothing is recorded yet").color(colours.weak));
        return;
    }
    let span = Span::new(scene);
    let tall = ui.ctx().content_rect().height() > 800.0;
    ui.horizontal(|ui| {
        head(ui, state, scene, &span, requests);
        let height = if tall { 46.0 } else { 22.0 };
        let (rect, response) = ui.allocate_exact_size(
            vec2(ui.available_width() - 6.0, height),
            Sense::click_and_drag(),
        );
        response
            .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Slider, true, "time bar"));
        let scale = Scale {
            from: span.oldest,
            to: span.furthest,
            rect: rect.shrink2(vec2(2.0, 0.0)),
        };
        let line = Rect::from_x_y_ranges(
            scale.x(span.oldest)..=scale.x(span.newest),
            rect.top() + 5.0..=rect.bottom() - 7.0,
        );
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, 2.0, colours.well);
        painter.rect_filled(line, 0.0, colours.line);
        if tall {
            thumbnails(ui, state, timeline, &scale, line, scene);
        }
        paint_times(&painter, &scale, line, timeline, &span, colours);
        paint_marks(&painter, &scale, rect, &state.marks, colours);
        let beam = Stroke::new(2.0, colours.beam);
        painter.vline(scale.x(span.now), rect.y_range(), beam);
        point(ui, state, &response, &scale, line, &span, requests);
        menu(&response, state, timeline, &span, requests);
    });
}

/// The moments between which the bar reaches.
struct Span {
    oldest: Moment,
    now: Moment,
    newest: Moment,
    /// The newest moment of all futures.
    furthest: Moment,
    /// Cycles of a second.
    second: f64,
}

impl Span {
    fn new(scene: &Scene) -> Self {
        let timeline = scene.track.timeline();
        let now = scene.track.moment();
        let newest = timeline.newest().max(now);
        Self {
            oldest: scene.oldest.max(timeline.oldest()),
            now,
            newest,
            furthest: timeline
                .branches()
                .map(|branch| branch.newest)
                .fold(newest, Moment::max),
            second: lengths(scene).1,
        }
    }
}

/// The present moment, a button that marks it, and the menu of other futures.
fn head(ui: &mut Ui, state: &mut State, scene: &Scene, span: &Span, requests: &mut Vec<Request>) {
    let seconds = |from: Moment, to: Moment| clock((to.0 - from.0) as f64 / span.second);
    let text = if span.newest.0 - span.now.0 < lengths(scene).0 {
        format!("now      {}", seconds(span.oldest, span.now))
    } else {
        let all = seconds(span.oldest, span.newest);
        format!("-{} of {all}", seconds(span.now, span.newest))
    };
    let text = RichText::new(format!("{text:18}")).monospace();
    ui.label(text)
        .on_hover_text("how long before the newest moment, and how much is recorded");
    if ui
        .small_button("mark")
        .on_hover_text("a bookmark at this moment")
        .clicked()
    {
        state.bookmark(span.now);
    }
    let timeline = scene.track.timeline();
    let futures = timeline.branches().count();
    if futures > 0 {
        ui.menu_button(format!("Futures {futures}"), |ui| {
            switches(ui, timeline, span.second, requests);
        })
        .response
        .on_hover_text("what came after a moment that was changed is kept");
    }
}

/// The time after the present moment, and the other futures.
fn paint_times(
    painter: &Painter,
    scale: &Scale,
    line: Rect,
    timeline: &Timeline,
    span: &Span,
    colours: &Colours,
) {
    // What comes after the present moment is there to go to.
    let future = Rect::from_x_y_ranges(scale.x(span.now)..=scale.x(span.newest), line.y_range());
    painter.rect_filled(future, 0.0, colours.well.gamma_multiply(0.6));
    for (n, branch) in timeline.branches().enumerate() {
        let y = scale.rect.bottom() - 5.0 + (n % 3) as f32 * 2.0;
        painter.line_segment(
            [
                pos2(scale.x(branch.from.max(span.oldest)), y),
                pos2(scale.x(branch.newest), y),
            ],
            Stroke::new(1.0, colours.owners[n % 2 * 7]),
        );
    }
}

fn paint_marks(painter: &Painter, scale: &Scale, rect: Rect, marks: &[Mark], colours: &Colours) {
    for mark in marks {
        let x = scale.x(mark.at);
        let colour = if mark.kept {
            colours.accent
        } else {
            colours.changed
        };
        painter.add(egui::Shape::convex_polygon(
            vec![
                pos2(x - 4.0, rect.top()),
                pos2(x + 4.0, rect.top()),
                pos2(x, rect.top() + 6.0),
            ],
            colour,
            Stroke::NONE,
        ));
    }
}

/// The moment under the mouse, or the mark near it: its time is shown, a click or a drag goes there.
fn point(
    ui: &Ui,
    state: &mut State,
    response: &Response,
    scale: &Scale,
    line: Rect,
    span: &Span,
    requests: &mut Vec<Request>,
) {
    let pointer = response.interact_pointer_pos().or(response.hover_pos());
    let Some(x) = pointer.map(|at| at.x) else {
        return;
    };
    let far = |mark: &Mark| (scale.x(mark.at) - x).abs();
    let near = state.marks.iter().filter(|mark| far(mark) < 5.0);
    let near = near.min_by(|a, b| far(a).total_cmp(&far(b)));
    let target = near.map_or(scale.moment(x), |mark| mark.at);
    let target = target.min(span.newest);
    if (response.clicked() || response.dragged()) && target != span.now {
        requests.push(Request::GoTo(target));
    }
    let colour = theme::colours(ui).text;
    let painter = ui.painter().with_clip_rect(response.rect);
    painter.vline(x, line.y_range(), Stroke::new(1.0, colour));
    let what = near.map_or(String::new(), |mark| format!("  {}", mark.what));
    let before = (span.newest.0 - target.0) as f64 / span.second;
    painter.text(
        pos2(x + 4.0, line.top() + 1.0),
        Align2::LEFT_TOP,
        format!("-{}{what}", clock(before)),
        TextStyle::Small.resolve(ui.style()),
        colour,
    );
    if response.secondary_clicked() {
        state.chosen = Some(target);
    }
}

/// The context menu of the moment that was chosen.
fn menu(
    response: &Response,
    state: &mut State,
    timeline: &Timeline,
    span: &Span,
    requests: &mut Vec<Request>,
) {
    let Some(chosen) = state.chosen else {
        return;
    };
    let marked = state.marks.iter().position(|mark| mark.at == chosen);
    response.context_menu(|ui| {
        item(ui, "Go there", Request::GoTo(chosen), requests);
        if ui.button("Bookmark").clicked() {
            state.bookmark(chosen);
            ui.close();
        }
        if let Some(marked) = marked
            && ui.button("Remove the mark").clicked()
        {
            state.marks.remove(marked);
            ui.close();
        }
        switches(ui, timeline, span.second, requests);
    });
}

/// A button for each future that was left.
fn switches(ui: &mut Ui, timeline: &Timeline, second: f64, requests: &mut Vec<Request>) {
    for branch in timeline.branches() {
        let length = branch.newest.0.saturating_sub(branch.from.0) as f64 / second;
        let text = format!(
            "Switch to the other future {} ({} long)",
            branch.id.0,
            clock(length)
        );
        if ui.button(text).clicked() {
            requests.push(Request::Command(format!("switch {}", branch.id.0)));
            ui.close();
        }
    }
}

/// Small pictures along the bar, one a pass: each is a moment run again.
fn thumbnails(
    ui: &Ui,
    state: &mut State,
    timeline: &Timeline,
    scale: &Scale,
    line: Rect,
    scene: &Scene,
) {
    let (width, height) = SMALL;
    let tall = line.height();
    let wide = tall * width as f32 / height as f32;
    let count = (line.width() / (wide + 2.0)) as usize;
    let spacing = line.width() / count.max(1) as f32;
    let apart = scale.moment(scale.rect.left() + spacing).0 - scale.from.0;
    let wanted: Vec<(f32, Moment)> = (0..count)
        .map(|n| {
            let x = line.left() + n as f32 * spacing;
            (x, scale.moment(x + wide / 2.0))
        })
        .collect();
    let close = |a: Moment, b: Moment| a.0.abs_diff(b.0) <= apart / 3;
    state
        .thumbnails
        .retain(|thumbnail| wanted.iter().any(|(_, at)| close(thumbnail.at, *at)));
    let missing = wanted
        .iter()
        .find(|(_, at)| !state.thumbnails.iter().any(|t| close(t.at, *at)));
    // A running machine needs its time.
    if let Some(&(_, at)) = missing
        && !scene.running
        && let Some(machine) = timeline.machine_at(at)
    {
        let picture = small(ui, &machine, scene);
        state.thumbnails.push(Thumbnail { at, picture });
        ui.ctx().request_repaint();
    }
    let painter = ui.painter().with_clip_rect(line);
    for (x, at) in wanted {
        let nearest = state
            .thumbnails
            .iter()
            .filter(|thumbnail| close(thumbnail.at, at))
            .min_by_key(|thumbnail| thumbnail.at.0.abs_diff(at.0));
        if let Some(texture) = nearest.and_then(|thumbnail| thumbnail.picture.id()) {
            let pixel = ui.ctx().pixels_per_point();
            let x = (x * pixel).round() / pixel;
            let area = Rect::from_min_size(pos2(x, line.top()), vec2(wide, tall));
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture, area, whole, egui::Color32::from_gray(200));
        }
    }
}

/// The picture of a machine as a thumbnail.
fn small(ui: &Ui, machine: &Machine, scene: &Scene) -> Picture {
    let (width, height) = SMALL;
    let pixels = machine.frame().pixels();
    let colour = |n: usize| {
        let (x, y) = (n % width * SMALLER, n / width * SMALLER);
        scene.palette[usize::from(pixels[y * view::Picture::WIDTH + x])]
    };
    let mut picture = Picture::default();
    picture.set(ui.ctx(), SMALL, (0..width * height).map(colour));
    picture
}
