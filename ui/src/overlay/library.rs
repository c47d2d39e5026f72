//! The library's page: titles with their pictures, searched as one types.
use super::super::picture::{Picture, Place};
use super::super::theme;
use super::Wish;
use egui::{
    Context, Event, Id, Key, Label, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo,
    WidgetType, pos2, vec2,
};
use host::failure::plain;
use host::library::{Filter, Library, Portrait, Row, SIZE, Source, Title};
use host::scaler::resize;
use host::when::ago;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// Heights of rows in points.
const HEADING: f32 = 24.0;
const TITLE: f32 = 66.0;
const LINE: f32 = 26.0;
/// The place of a picture in points.
const PICTURE: (f32, f32) = (94.0, 60.0);
/// Pictures that are kept while others are looked at.
const MOST: usize = 150;
/// Characters of a search.
const LONGEST: usize = 60;

const FILTERS: [(Filter, &str, &str); 3] = [
    (Filter::All, "All", "no title has these words"),
    (Filter::Recent, "Recent", "nothing was played yet"),
    (
        Filter::Favourites,
        "Favourites",
        "no favourites yet: Insert, or the star",
    ),
];

/// An act of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Start this title, after a question where something would be lost.
    Play(Source),
    /// Mark it as a favourite, or take the mark away.
    Favour(Source),
    /// Its picture is wanted.
    Show(Source),
    /// Look through the folders again.
    Look,
    /// Add a folder.
    Collect(PathBuf),
    /// Take a folder out, by its number.
    Leave(usize),
}

/// A title's picture.
struct Thumb {
    picture: Picture,
    machine: String,
}

/// The list.
#[derive(Default)]
pub struct State {
    filter: Filter,
    search: String,
    rows: Vec<Row>,
    /// Number of titles in the rows; a recent one has two.
    titles: usize,
    /// The list, filter and search that the rows are of.
    shown: Option<(u64, Filter, String)>,
    /// The row that the keys are at, and its title.
    at: usize,
    chosen: Option<Source>,
    /// The list scrolls there.
    moved: bool,
    /// Pictures that were asked for; `None` until they come.
    thumbs: BTreeMap<Source, Option<Thumb>>,
    /// Pixels per point that the pictures are for.
    scale: f32,
}

impl State {
    /// A picture has come.
    pub fn set_portrait(
        &mut self,
        context: &Context,
        scale: f32,
        source: Source,
        portrait: Option<&Portrait>,
    ) {
        let Some(portrait) = portrait else {
            return;
        };
        let mut picture = Picture::default();
        let to = [PICTURE.0, PICTURE.1].map(|length| (length * scale).floor() as usize);
        let pixels = resize(&portrait.pixels, SIZE, (to[0], to[1]));
        picture.set(context, (to[0], to[1]), pixels.into_iter());
        let machine = portrait.machine.clone();
        self.thumbs.insert(source, Some(Thumb { picture, machine }));
    }

    /// Ends a search; false when there is none.
    pub fn ends_search(&mut self) -> bool {
        !std::mem::take(&mut self.search).is_empty()
    }

    /// Takes the rows of the list as it is now.
    fn refresh(&mut self, library: &Library) {
        let now = (library.version(), self.filter, self.search.clone());
        if self.shown.as_ref() == Some(&now) {
            return;
        }
        let old = self.shown.take();
        let same = old.is_some_and(|old| (old.1, &old.2) == (now.1, &now.2));
        self.rows = library.rows(self.filter, &self.search);
        let titles = self.rows.iter().filter_map(|row| match row {
            Row::Title(number) => Some(number),
            _ => None,
        });
        self.titles = titles.collect::<BTreeSet<_>>().len();
        self.shown = Some(now);
        let is_chosen = |row: &Row| source(library, *row) == self.chosen;
        let stays = same && self.rows.get(self.at).is_some_and(is_chosen);
        if !stays {
            let again = self.rows.iter().position(is_chosen);
            let again = again.filter(|_| same && self.chosen.is_some());
            self.at = again.unwrap_or(if same { self.at } else { 0 });
            self.moved |= !same;
        }
        self.step(0, library);
    }

    /// Goes to a row; past headings, which nothing can be done with.
    fn step(&mut self, by: isize, library: &Library) {
        let last = self.rows.len().saturating_sub(1);
        let mut at = self.at.saturating_add_signed(by).min(last);
        let is_heading = |at: usize| matches!(self.rows.get(at), Some(Row::Heading(_)));
        if is_heading(at) {
            // The first row of all is a heading.
            at = if by < 0 && at > 0 { at - 1 } else { at + 1 };
        }
        self.at = at.min(last);
        let row = self.rows.get(self.at);
        self.chosen = row.and_then(|row| source(library, *row));
    }

    fn next_filter(&mut self, by: usize) {
        let now = FILTERS.iter().position(|known| known.0 == self.filter);
        self.filter = FILTERS[(now.unwrap_or(0) + by) % FILTERS.len()].0;
    }

    /// Does what the keys ask for. Gives the row that is chosen.
    fn keys(&mut self, ui: &Ui, library: &Library, wishes: &mut Vec<Wish>) -> Option<Row> {
        let mut chosen = None;
        for event in own_events(ui) {
            self.moved = true;
            let key = match event {
                Event::Text(text) => {
                    let room = LONGEST.saturating_sub(self.search.chars().count());
                    self.search.extend(text.chars().take(room));
                    self.refresh(library);
                    continue;
                }
                Event::Key { key, .. } => key,
                _ => continue,
            };
            let all = self.rows.len() as isize;
            match key {
                Key::ArrowUp => self.step(-1, library),
                Key::ArrowDown => self.step(1, library),
                Key::Home => self.step(-all, library),
                Key::End => self.step(all, library),
                Key::ArrowRight => self.next_filter(1),
                Key::ArrowLeft => self.next_filter(FILTERS.len() - 1),
                Key::Backspace => drop(self.search.pop()),
                Key::Insert => {
                    let favoured = self.chosen.clone().map(Deed::Favour);
                    wishes.extend(favoured.map(Wish::Library));
                }
                _ => chosen = self.rows.get(self.at).copied(),
            }
            self.refresh(library);
        }
        chosen
    }

    /// Drops pictures that are not in sight when there are many.
    fn keep_in_sight(&mut self, seen: &[Source]) {
        if self.thumbs.len() > MOST {
            self.thumbs.retain(|source, _| seen.contains(source));
        }
    }
}

/// The keys that are the list's own.
fn own_events(ui: &Ui) -> Vec<Event> {
    const KEYS: [Key; 9] = [
        Key::ArrowUp,
        Key::ArrowDown,
        Key::ArrowLeft,
        Key::ArrowRight,
        Key::Home,
        Key::End,
        Key::Enter,
        Key::Insert,
        Key::Backspace,
    ];
    if ui.memory(|memory| memory.focused().is_some()) {
        return Vec::new();
    }
    ui.input_mut(|input| super::take_keys(input, &KEYS))
}

/// The title of a row.
fn source(library: &Library, row: Row) -> Option<Source> {
    match row {
        Row::Title(n) => library.title(n).map(|title| title.source.clone()),
        _ => None,
    }
}

fn height(row: Row) -> f32 {
    match row {
        Row::Heading(_) => HEADING,
        Row::Title(_) => TITLE,
        Row::Folder(_) | Row::Add => LINE,
    }
}

/// A number of things: `1 title`, `2 titles`.
fn counted(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// The page. True if a folder is to be chosen.
pub fn ui(
    ui: &mut Ui,
    state: &mut State,
    library: &Library,
    wishes: &mut Vec<Wish>,
    question: &mut Option<(String, Wish)>,
) -> bool {
    let scale = ui.ctx().pixels_per_point();
    if state.scale.to_bits() != scale.to_bits() {
        state.scale = scale;
        state.thumbs.clear();
    }
    state.refresh(library);
    let entered = state.keys(ui, library, wishes);
    head(ui, state, library, wishes);
    state.refresh(library);
    let clicked = list(ui, state, library, wishes);
    match entered.or(clicked) {
        Some(Row::Title(_)) => {
            let source = state.chosen.clone();
            wishes.extend(source.map(|source| Wish::Library(Deed::Play(source))));
        }
        Some(Row::Folder(n)) => {
            let name = library
                .folders()
                .get(n)
                .map(|path| path.display().to_string());
            let name = plain(&name.unwrap_or_default());
            let text = format!("Take {name} out of the library? Its files stay as they are.");
            *question = Some((text, Wish::Library(Deed::Leave(n))));
        }
        Some(Row::Add) => return true,
        Some(Row::Heading(_)) | None => {}
    }
    false
}

/// Search, filters, and how far the look through the folders has come.
fn head(ui: &mut Ui, state: &mut State, library: &Library, wishes: &mut Vec<Wish>) {
    let colours = theme::colours(ui);
    ui.horizontal(|ui| {
        for (filter, name, _) in FILTERS {
            // The keyboard has left and right for them.
            let button = egui::Button::selectable(state.filter == filter, name).sense(Sense::CLICK);
            if ui.add(button).clicked() {
                state.filter = filter;
            }
        }
        let right = egui::Layout::right_to_left(egui::Align::Center);
        ui.with_layout(right, |ui| {
            let again = egui::Button::new("Look again").sense(Sense::CLICK);
            if ui.add_enabled(!library.is_looking(), again).clicked() {
                wishes.push(Wish::Library(Deed::Look));
            }
            let text = if library.is_looking() {
                counted(library.looked(), "file") + " looked at"
            } else {
                counted(state.titles, "title")
            };
            ui.add(Label::new(RichText::new(text).color(colours.weak)).truncate());
        });
    });
    let search = if state.search.is_empty() {
        RichText::new("type to search; Enter: start; Insert: favourite").color(colours.weak)
    } else {
        RichText::new(format!("search: {}_", state.search)).color(colours.accent)
    };
    ui.add(Label::new(search).truncate());
    if let Some(fault) = library.faults().first() {
        let more = library.faults().len() - 1;
        let more = if more > 0 {
            format!(" (and {more} more)")
        } else {
            String::new()
        };
        let text = RichText::new(format!("{fault}{more}"))
            .color(colours.stop)
            .small();
        ui.add(Label::new(text).truncate());
    }
    ui.separator();
}

/// The rows in sight. Gives the one that is clicked.
fn list(ui: &mut Ui, state: &mut State, library: &Library, wishes: &mut Vec<Wish>) -> Option<Row> {
    if state.rows.is_empty() {
        let found = FILTERS.iter().find(|known| known.0 == state.filter);
        let searched = !state.search.is_empty();
        ui.label(found.map_or("", |known| if searched { FILTERS[0].2 } else { known.2 }));
        return None;
    }
    let mut clicked = None;
    let mut seen = Vec::new();
    let area = ScrollArea::vertical().id_salt("library").auto_shrink(false);
    area.show_viewport(ui, |ui, viewport| {
        ui.set_width(ui.available_width());
        ui.set_height(state.rows.iter().map(|row| height(*row)).sum());
        let corner = ui.max_rect().min;
        let width = ui.max_rect().width();
        let mut top = 0.0;
        for at in 0..state.rows.len() {
            let row = state.rows[at];
            let bottom = top + height(row);
            let rect = Rect::from_min_size(corner + vec2(0.0, top), vec2(width, height(row)));
            if state.moved && state.at == at {
                // The heading above the first row comes with it.
                let above = vec2(0.0, if at == 1 { HEADING } else { 0.0 });
                ui.scroll_to_rect(Rect::from_min_max(rect.min - above, rect.max), None);
                state.moved = false;
            }
            if bottom >= viewport.top() && top <= viewport.bottom() {
                seen.extend(source(library, row));
                if show(ui, state, library, (at, rect), wishes) {
                    state.at = at;
                    state.chosen = source(library, row);
                    clicked = Some(row);
                }
            }
            top = bottom;
        }
    });
    state.keep_in_sight(&seen);
    clicked
}

/// Draws a row at its place; true if it is clicked.
fn show(
    ui: &mut Ui,
    state: &mut State,
    library: &Library,
    (at, rect): (usize, Rect),
    wishes: &mut Vec<Wish>,
) -> bool {
    let colours = theme::colours(ui);
    let inner = rect.shrink2(vec2(6.0, 3.0));
    let text = match state.rows[at] {
        Row::Heading(name) => {
            line(
                ui,
                inner,
                RichText::new(name).color(colours.accent).strong(),
            );
            return false;
        }
        Row::Title(n) => library.title(n).map(|title| title.name.clone()),
        Row::Folder(n) => {
            let folder = library.folders().get(n);
            folder.map(|folder| plain(&folder.display().to_string()))
        }
        Row::Add => Some("Add a folder, or drop one onto the window".to_owned()),
    };
    let text = text.unwrap_or_default();
    let response = ui.interact(rect, Id::new(("library", at)), Sense::CLICK);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &text));
    if state.at == at {
        ui.painter()
            .rect_filled(rect.shrink(1.0), 3.0, colours.hover);
        let stroke = egui::Stroke::new(1.0, colours.accent);
        ui.painter()
            .rect_stroke(rect.shrink(1.0), 3.0, stroke, egui::StrokeKind::Inside);
    } else if response.hovered() {
        ui.painter()
            .rect_filled(rect.shrink(1.0), 3.0, colours.line);
    }
    if let Row::Title(n) = state.rows[at]
        && let Some(title) = library.title(n)
    {
        present(ui, state, library, (title, at, inner), wishes);
    } else {
        line(ui, inner, RichText::new(text).color(colours.text));
    }
    response.clicked()
}

/// One line of text, cut off at its end.
fn line(ui: &mut Ui, rect: Rect, text: RichText) {
    ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| {
        ui.add(Label::new(text).truncate().selectable(false));
    });
}

/// Draws a title: picture, name, facts, star. The star is not the row's click.
fn present(
    ui: &mut Ui,
    state: &mut State,
    library: &Library,
    (title, at, rect): (&Title, usize, Rect),
    wishes: &mut Vec<Wish>,
) {
    let colours = theme::colours(ui);
    let frame = Rect::from_min_size(rect.min, vec2(PICTURE.0, PICTURE.1));
    ui.painter().rect_filled(frame, 2.0, colours.well);
    let mut machine = None;
    match state.thumbs.get(&title.source) {
        Some(Some(thumb)) => {
            let place = Place::fit(ui, frame, thumb.picture.size(), (1, 1), 4);
            thumb.picture.paint(ui, place, thumb.picture.whole());
            machine = Some(thumb.machine.clone());
        }
        Some(None) => {}
        None => {
            state.thumbs.insert(title.source.clone(), None);
            wishes.push(Wish::Library(Deed::Show(title.source.clone())));
        }
    }
    let mark = library.mark(&title.source);
    let star = Rect::from_min_max(pos2(rect.right() - 26.0, rect.top()), rect.max);
    let response = ui.interact(star, Id::new(("star", at)), Sense::CLICK);
    let hint = format!("favourite: {}", title.name);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &hint));
    let (sign, colour) = if mark.favourite {
        ("\u{2605}", colours.accent)
    } else {
        ("\u{2606}", colours.weak)
    };
    let font = egui::FontId::proportional(18.0);
    ui.painter().text(
        star.center(),
        egui::Align2::CENTER_CENTER,
        sign,
        font,
        colour,
    );
    if response.clicked() {
        wishes.push(Wish::Library(Deed::Favour(title.source.clone())));
    }
    let left = frame.right() + 8.0;
    let mut top = rect.top();
    let played = mark.played.map(|seconds| {
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        format!("played {}", ago(then))
    });
    let size = (title.size > 0).then(|| format!("{} KB", title.size.div_ceil(1024)));
    let within = Some(&title.within).filter(|name| !name.is_empty());
    let within = within.map(|name| format!("in {name}"));
    let facts = [Some(title.kind.to_owned()), size, within]
        .into_iter()
        .flatten();
    let later = [machine, played].into_iter().flatten();
    for text in [
        RichText::new(&title.name).color(colours.text).strong(),
        RichText::new(facts.collect::<Vec<_>>().join(", ")).color(colours.weak),
        RichText::new(later.collect::<Vec<_>>().join(", ")).color(colours.weak),
    ] {
        let place = Rect::from_min_max(pos2(left, top), pos2(star.left(), top + 20.0));
        line(ui, place, text);
        top += 20.0;
    }
}
