//! Breakpoints: the list, and one more by typing.
use super::text::{Row, entry};
use super::{Request, Scene, theme};
use debugger::Place;
use egui::{RichText, Ui};

/// State of the panel between two passes.
#[derive(Default)]
pub struct State {
    typed: String,
}

/// The number of hits.
fn hits(count: u32) -> String {
    match count {
        0 => String::new(),
        1 => "  1 hit".to_owned(),
        _ => format!("  {count} hits"),
    }
}

/// The panel.
pub fn ui(ui: &mut Ui, state: &mut State, scene: &Scene, requests: &mut Vec<Request>) {
    let colours = theme::colours(ui);
    let width = ui.available_width() - 12.0;
    let hint = "break at: NAME, write D01A, beam 100 20, dli if a == 3 once";
    if let Some(typed) = entry(ui, &mut state.typed, hint, width) {
        requests.push(Request::Command(format!("break {}", typed.trim())));
    }
    let list = scene.debugger.breakpoints.list();
    if list.is_empty() {
        ui.label(
            RichText::new("none: F9, a click on a line of code, or type one").color(colours.weak),
        );
    }
    for breakpoint in list {
        let name = |address| scene.debugger.symbols.name(address).map(str::to_owned);
        ui.horizontal(|ui| {
            let mut enabled = breakpoint.enabled;
            if ui.checkbox(&mut enabled, "").changed() {
                requests.push(Request::EnableStop(breakpoint.id, enabled));
            }
            if ui.small_button("\u{D7}").on_hover_text("remove").clicked() {
                requests.push(Request::RemoveStop(breakpoint.id));
            }
            let colour = if enabled { colours.stop } else { colours.weak };
            let response = Row::new(ui)
                .add(&format!("{:2} ", breakpoint.id), colours.weak)
                .add("\u{25CF} ", colour)
                .add(&breakpoint.line(name), colours.text)
                .add(&hits(breakpoint.hits), colours.weak)
                .wrapped(ui)
                .show(ui, None);
            if response.double_clicked() {
                match &breakpoint.place {
                    Place::Pc(address) => requests.push(Request::ShowCode(*address)),
                    Place::Read(range) | Place::Write(range) => {
                        requests.push(Request::ShowMemory(*range.start()));
                    }
                    _ => {}
                }
            }
        });
    }
}
