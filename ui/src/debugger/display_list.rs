//! The display list as text; the line under the mouse is outlined on the picture.
use super::text::{Row, close_rows};
use super::{Request, Scene, item, picture, theme};
use debugger::{Place, view};
use egui::{RichText, ScrollArea, Ui};

/// Scan lines of a mode line by mode; 0 for those that are blank lines and jumps.
const HEIGHTS: [u16; 16] = [0, 0, 8, 10, 8, 16, 8, 16, 8, 4, 4, 2, 1, 2, 1, 1];
/// The first scan line that ANTIC fetches instructions for.
const FIRST: u16 = 8;

/// State of the panel between two passes.
#[derive(Default)]
pub struct State {
    shown: Option<usize>,
}

/// Scan lines that an instruction lasts, without vertical scrolling.
fn height(instruction: u8) -> u16 {
    match instruction & 15 {
        0 => u16::from(instruction >> 4 & 7) + 1,
        1 => 1,
        mode => HEIGHTS[usize::from(mode)],
    }
}

/// The panel.
pub fn ui(
    ui: &mut Ui,
    state: &mut State,
    picture: &mut picture::State,
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    let colours = theme::colours(ui);
    let list = view::DisplayList::of(scene.machine());
    let scrolls = list
        .entries
        .iter()
        .any(|entry| entry.instruction & 0x20 != 0 && entry.instruction & 15 >= 2);
    let note = if scrolls {
        "scan lines without vertical scrolling"
    } else {
        "scan lines at the left"
    };
    ui.label(RichText::new(note).color(colours.weak).small());
    close_rows(ui);
    let current = list.current();
    let moved = state.shown != current && !scene.running;
    state.shown = current;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let mut line = FIRST;
        for (n, entry) in list.entries.iter().enumerate() {
            let last = if entry.is_jvb() {
                247.max(line)
            } else {
                line + height(entry.instruction) - 1
            };
            let dli = entry.instruction & 0x80 != 0;
            let here = Some(n) == current && !scene.running;
            let row = Row::new(ui)
                .add(if here { "\u{25B6}" } else { " " }, colours.accent)
                .add(&format!("{line:3} "), colours.weak)
                .add(
                    &format!("{:04X} {:02X} ", entry.address, entry.instruction),
                    colours.weak,
                )
                .add(entry.text().trim_end_matches(" DLI"), colours.text)
                .add(
                    if dli { " DLI" } else { "" },
                    theme::Owner::Nmi.colour(colours),
                );
            let response = row.show(ui, here.then_some(colours.here));
            if here && moved {
                response.scroll_to_me(Some(egui::Align::Center));
            }
            if response.hovered() {
                picture.outline = Some((line, last));
            }
            response.context_menu(|ui| menu(ui, entry, line, requests));
            line = last + 1;
        }
    });
}

/// The context menu of an instruction that begins at a scan line.
fn menu(ui: &mut Ui, entry: &view::Entry, line: u16, requests: &mut Vec<Request>) {
    let mut item = |ui: &mut Ui, text: &str, request| item(ui, text, request, requests);
    item(
        ui,
        "Show the instruction in memory",
        Request::ShowMemory(entry.address),
    );
    if let Some(target) = entry.operand {
        item(ui, "Show what it points to", Request::ShowMemory(target));
    }
    item(
        ui,
        "Run to its first line",
        Request::Step(debugger::Step::Beam(line, 0)),
    );
    item(
        ui,
        "Break at its first line",
        Request::AddStop(Place::Beam(line, 0)),
    );
}
