//! The page of saved states, and of the moments that are remembered.
use super::super::picture::{Picture, Place};
use super::super::theme;
use super::{Facts, Wish, pages};
use egui::{
    Context, Label, Rect, RichText, ScrollArea, Sense, TextEdit, Ui, Vec2, WidgetInfo, WidgetType,
    vec2,
};
use session::timeline::Moment;

/// Size of a slot's picture in points.
const LARGE: Vec2 = vec2(192.0, 124.0);
/// Size of a picture of the film strip in points.
const SMALL: Vec2 = vec2(98.0, 64.0);
/// Characters of a name.
pub const LONGEST: usize = 40;

/// A slot of saved states.
pub struct Slot {
    /// When it was saved, in words; `None` when it is empty.
    pub saved: Option<String>,
    /// The user's name for it.
    pub name: String,
    picture: Picture,
}

/// A saved state.
pub struct Saved {
    /// When it was saved, in words.
    pub when: String,
    /// The user's name for it.
    pub name: String,
    /// Width and height of its picture.
    pub size: (usize, usize),
    /// Its picture, 0x00RRGGBB.
    pub pixels: Vec<u32>,
}

impl Slot {
    /// A slot that holds this.
    pub fn new(context: &Context, slot: Option<Saved>) -> Self {
        let mut picture = Picture::default();
        let mut name = String::new();
        let saved = slot.map(|slot| {
            picture.set(context, slot.size, slot.pixels.into_iter());
            name = slot.name;
            slot.when
        });
        Self {
            saved,
            name,
            picture,
        }
    }
}

/// A remembered moment, on the film strip.
pub struct Still {
    /// The moment.
    pub moment: Moment,
    /// How long ago it was, or the slot that it was saved in.
    pub label: String,
    /// A state was saved there.
    pub marked: bool,
    picture: Picture,
}

impl Still {
    /// Without its picture, which comes later.
    pub fn new(moment: Moment, label: String, marked: bool) -> Self {
        Self {
            moment,
            label,
            marked,
            picture: Picture::default(),
        }
    }

    /// Its picture has come.
    pub fn set(&mut self, context: &Context, size: (usize, usize), pixels: Vec<u32>) {
        self.picture.set(context, size, pixels.into_iter());
    }
}

/// The page.
pub fn ui(
    ui: &mut Ui,
    facts: &Facts,
    (slots, strip): (&mut [Slot], &[Still]),
    wishes: &mut Vec<Wish>,
    question: &mut Option<(String, Wish)>,
) {
    pages::heading(ui, "Back in time");
    film(ui, strip, wishes);
    pages::heading(ui, "Saved states");
    for (n, slot) in slots.iter_mut().enumerate() {
        let number = n as u8;
        ui.horizontal_top(|ui| {
            let (frame, response) = picture(ui, &slot.picture, LARGE, number == facts.slot);
            response.widget_info(|| {
                WidgetInfo::labeled(
                    WidgetType::Button,
                    slot.saved.is_some(),
                    format!("slot {n}"),
                )
            });
            if response.clicked() && slot.saved.is_some() {
                wishes.push(Wish::Load(number));
            }
            ui.vertical(|ui| {
                ui.set_width(ui.available_width().max(120.0));
                ui.set_min_height(frame.height());
                about(ui, (number, slot), wishes, question);
            });
        });
        ui.add_space(4.0);
    }
}

/// The moments that are remembered, the present at the right.
fn film(ui: &mut Ui, strip: &[Still], wishes: &mut Vec<Wish>) {
    let colours = theme::colours(ui);
    if strip.is_empty() {
        ui.label(RichText::new("nothing is remembered yet").color(colours.weak));
        return;
    }
    let area = ScrollArea::horizontal()
        .id_salt("film")
        .stick_to_right(true);
    area.show(ui, |ui| {
        ui.horizontal_top(|ui| {
            for still in strip {
                ui.vertical(|ui| {
                    ui.set_width(SMALL.x);
                    let (_, response) = picture(ui, &still.picture, SMALL, still.marked);
                    let hint = format!("back: {}", still.label);
                    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &hint));
                    if response.has_focus() {
                        response.scroll_to_me(None);
                    }
                    if response.clicked() {
                        wishes.push(Wish::Back(still.moment));
                    }
                    let colour = if still.marked {
                        colours.accent
                    } else {
                        colours.weak
                    };
                    let text = RichText::new(&still.label).color(colour).small();
                    ui.add(Label::new(text).truncate());
                });
            }
        });
    });
    ui.add_space(4.0);
}

/// A picture that can be clicked, in a frame where it is marked.
fn picture(ui: &mut Ui, picture: &Picture, size: Vec2, marked: bool) -> (Rect, egui::Response) {
    let colours = theme::colours(ui);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    ui.painter().rect_filled(rect, 2.0, colours.well);
    if picture.id().is_some() {
        let place = Place::fit(ui, rect.shrink(2.0), picture.size(), (1, 1), 4);
        picture.paint(ui, place, picture.whole());
    }
    let stroke = if response.has_focus() || response.hovered() {
        Some(colours.text)
    } else {
        marked.then_some(colours.accent)
    };
    if let Some(colour) = stroke {
        let stroke = egui::Stroke::new(2.0, colour);
        ui.painter()
            .rect_stroke(rect, 2.0, stroke, egui::StrokeKind::Inside);
    }
    (rect, response)
}

/// Name and time of a slot, and what can be done with it.
fn about(
    ui: &mut Ui,
    (number, slot): (u8, &mut Slot),
    wishes: &mut Vec<Wish>,
    question: &mut Option<(String, Wish)>,
) {
    let when = slot.saved.as_deref().unwrap_or("empty");
    ui.label(RichText::new(format!("{number}  {when}")));
    let full = slot.saved.is_some();
    if full {
        let field = TextEdit::singleline(&mut slot.name)
            .id_salt(("name", number))
            .char_limit(LONGEST)
            .hint_text("name")
            .desired_width(f32::INFINITY);
        if ui.add(field).changed() {
            wishes.push(Wish::NameState(number, slot.name.clone()));
        }
    }
    ui.horizontal_wrapped(|ui| {
        if ui.button("Save").clicked() {
            if full {
                let text = format!("Replace what is in slot {number}?");
                *question = Some((text, Wish::Save(number)));
            } else {
                wishes.push(Wish::Save(number));
            }
        }
        if ui.add_enabled(full, egui::Button::new("Load")).clicked() {
            wishes.push(Wish::Load(number));
        }
        if ui.add_enabled(full, egui::Button::new("Delete")).clicked() {
            let text = format!("Delete what is in slot {number}? It cannot be brought back.");
            *question = Some((text, Wish::DeleteState(number)));
        }
    });
}
