//! Breakpoints: the list, and one more by typing.
use super::text::{Row, entry};
use super::{Request, Scene, theme};
use debugger::{Breakpoint, Place};
use egui::{RichText, Ui};

/// What the panel remembers.
#[derive(Default)]
pub struct State {
    typed: String,
}

/// What a breakpoint has besides its place.
fn options(breakpoint: &Breakpoint) -> String {
    let number = |n: u32, text: String| (n != 0).then_some(text);
    let word = |is: bool, text: &str| is.then(|| text.to_owned());
    let parts = [
        breakpoint
            .condition
            .as_ref()
            .map(|condition| format!("if {condition}")),
        number(breakpoint.ignore, format!("after {}", breakpoint.ignore)),
        word(breakpoint.once, "once"),
        word(breakpoint.log, "log"),
        number(breakpoint.hits, format!("{} hits", breakpoint.hits)),
    ];
    parts
        .into_iter()
        .flatten()
        .fold(String::new(), |all, part| all + "  " + &part)
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
                .add(&breakpoint.place.describe(name), colours.text)
                .add(&options(breakpoint), colours.weak)
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
