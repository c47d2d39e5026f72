//! The sheet that the menu is: its place over the window, and what is the same on all pages.
use super::{Facts, Overlay, PAGES, Page, Wish};
use crate::theme;
use egui::{Align, Color32, Label, Layout, Pos2, Rect, RichText, Sense, Ui, UiBuilder, vec2};

/// Width of the sheet in points.
const WIDTH: f32 = 480.0;
/// Width of pages that leave as much of the picture as they can.
const NARROW: f32 = 262.0;
/// Points of the picture that are worth being seen.
const LEAST: f32 = 150.0;
/// How dark the picture is beside a page at which the Atari waits, of 255.
const DIM: u8 = 110;

impl Page {
    /// True if the Atari runs on and the picture is seen as it is: its page changes what one sees or hears.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Picture | Self::Sound)
    }

    fn is_narrow(self) -> bool {
        self == Self::Picture
    }

    /// Width of the sheet in a window that has this many points across.
    pub fn sheet(self, window: f32) -> f32 {
        if self.is_narrow() {
            NARROW.min(window)
        } else if window - WIDTH >= LEAST {
            WIDTH
        } else {
            window
        }
    }
}

impl Overlay {
    /// Lays out the sheet with the page on it, at the right edge.
    pub(super) fn sheet(&mut self, ui: &mut Ui, facts: &Facts) {
        let window = ui.max_rect();
        let width = self.page.sheet(window.width());
        let area = Rect::from_min_max(Pos2::new(window.right() - width, window.top()), window.max);
        if !self.page.is_live() {
            let rest = Rect::from_min_max(window.min, Pos2::new(area.left(), window.bottom()));
            ui.painter()
                .rect_filled(rest, 0.0, Color32::from_black_alpha(DIM));
        }
        // One ground for all of it: panels have gaps between them.
        let ground = theme::colours(ui).panel;
        ui.painter().rect_filled(area, 0.0, ground);
        ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
            let frame = egui::Frame::new().inner_margin(6);
            egui::Panel::top("title")
                .frame(frame)
                .show_inside(ui, |ui| self.head(ui, facts));
            if !self.page.is_narrow() {
                egui::Panel::left("pages")
                    .frame(frame)
                    .resizable(false)
                    .exact_size(96.0)
                    .show_inside(ui, |ui| self.list_of_pages(ui));
            }
            egui::CentralPanel::default()
                .frame(frame.inner_margin(8))
                .show_inside(ui, |ui| self.body(ui, facts));
        });
    }

    /// Title, keys, and what is not as usual; on a narrow sheet its neighbours.
    fn head(&mut self, ui: &mut Ui, facts: &Facts) {
        let colours = theme::colours(ui);
        let narrow = self.page.is_narrow();
        ui.horizontal(|ui| {
            if narrow {
                self.neighbours(ui);
            } else {
                ui.label(RichText::new("Anticlock").color(colours.accent).strong());
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                // The keyboard has Esc for it.
                let close = egui::Button::new("\u{D7}").sense(Sense::CLICK);
                if ui.add(close).on_hover_text("Esc or F1").clicked() {
                    self.wishes.push(Wish::Close);
                }
                if narrow {
                    return;
                }
                let keys = "Esc: back   PgUp PgDn: pages   arrows, Enter";
                ui.label(RichText::new(keys).color(colours.weak).small());
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let states = facts.states.iter().map(String::as_str);
                    let all: Vec<_> = [facts.title].into_iter().chain(states).collect();
                    ui.add(Label::new(all.join(", ")).truncate());
                });
            });
        });
    }

    /// The page's name between the ways to the pages before and after it.
    fn neighbours(&mut self, ui: &mut Ui) {
        let name = PAGES.iter().find(|(page, _)| *page == self.page);
        for (text, hint, by) in [("\u{2039}", "PgUp", -1), ("\u{203A}", "PgDn", 1)] {
            // The keyboard has PgUp and PgDn for them.
            let button = egui::Button::new(text)
                .sense(Sense::CLICK)
                .min_size(vec2(24.0, 20.0));
            if ui.add(button).on_hover_text(hint).clicked() {
                self.turn(by);
            }
        }
        let name = name.map_or("", |(_, name)| name);
        ui.label(
            RichText::new(name)
                .color(theme::colours(ui).accent)
                .strong(),
        );
    }

    fn list_of_pages(&mut self, ui: &mut Ui) {
        for (page, name) in PAGES {
            // The keyboard has PgUp and PgDn for them.
            let button = egui::Button::selectable(self.page == page, name)
                .sense(Sense::CLICK)
                .min_size(vec2(88.0, 24.0));
            if ui.add(button).clicked() {
                self.show(page);
            }
        }
    }

    /// Opens the page that is this many after the present one.
    pub(super) fn turn(&mut self, by: i32) {
        let at = PAGES.iter().position(|(page, _)| *page == self.page);
        let next = (at.unwrap_or(0) as i32 + by).rem_euclid(PAGES.len() as i32);
        self.show(PAGES[next as usize].0);
    }
}
