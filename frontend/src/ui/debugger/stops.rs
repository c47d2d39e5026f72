//! Breakpoints: the list, and one more by typing.
use super::text::{Row, entry};
use super::{Request, Scene, address, theme};
use debugger::{Entry, Place};
use egui::{RichText, Ui};

/// What the panel remembers.
#[derive(Default)]
pub struct State {
    typed: String,
}

/// A place as text, as it is typed too.
pub fn describe(place: &Place, name: impl Fn(u16) -> Option<String>) -> String {
    place.describe(name)
}

/// The place that a text means: an address or name, `read` or `write` and an address or range, `beam LINE CYCLE`, `dli`, `vbi`, `irq`.
///
/// # Errors
/// One sentence on what is wrong.
pub fn parse(text: &str, scene: &Scene) -> Result<Place, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let one =
        |text: &str| address(text, scene).ok_or_else(|| format!("no such address or name: {text}"));
    let range = |text: &str| match text.split_once('-') {
        Some((from, to)) => {
            let (from, to) = (one(from)?, one(to)?);
            if from <= to {
                Ok(from..=to)
            } else {
                Err(format!("{text} ends before it begins"))
            }
        }
        None => one(text).map(|address| address..=address),
    };
    match words.as_slice() {
        ["dli"] => Ok(Place::Interrupt(Entry::Dli)),
        ["vbi"] => Ok(Place::Interrupt(Entry::Vbi)),
        ["irq"] => Ok(Place::Interrupt(Entry::Irq)),
        ["beam", line, rest @ ..] => {
            let lines = scene.machine.bus.video.antic.lines();
            let line: u16 = line.parse().map_err(|_| format!("{line} is not a scan line"))?;
            let cycle: u8 = rest.first().map_or(Ok(0), |c| c.parse().map_err(|_| format!("{c} is not a cycle")))?;
            if line >= lines || cycle >= 114 {
                return Err(format!("a frame has {lines} lines of 114 cycles, from 0"));
            }
            Ok(Place::Beam(line, cycle))
        }
        ["read" | "r", place] => Ok(Place::Read(range(place)?)),
        ["write" | "w", place] => Ok(Place::Write(range(place)?)),
        [place] => Ok(Place::Pc(one(place)?)),
        _ => Err("a breakpoint is an address, read or write ADDRESS[-ADDRESS], beam LINE CYCLE, dli, vbi or irq".to_owned()),
    }
}

/// The panel.
pub fn ui(ui: &mut Ui, state: &mut State, scene: &Scene, requests: &mut Vec<Request>) {
    let colours = theme::colours(ui);
    let width = ui.available_width() - 12.0;
    if let Some(typed) = entry(
        ui,
        &mut state.typed,
        "break at: address, write D01A, beam 100 20, dli",
        width,
    ) {
        match parse(&typed, scene) {
            Ok(place) => requests.push(Request::AddStop(place)),
            Err(error) => {
                requests.push(Request::Say(error));
                state.typed = typed;
            }
        }
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
                .add(&describe(&breakpoint.place, name), colours.text)
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
