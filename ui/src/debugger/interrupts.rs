//! A frame's display list interrupts: the times at which each is asked for, begins and ends, its cost, its stores, and the findings.
use super::super::theme::{self, Colours, Owner};
use super::events::{Frame, go_to};
use super::text::{Row, close_rows};
use super::{Request, Scene, address_menu, item};
use debugger::{BeamPlace, Dli, DliTimeline, Owner as BusOwner};
use egui::{Rect, RichText, ScrollArea, Sense, Ui, pos2, vec2};

/// State of the panel between two passes.
#[derive(Default)]
pub struct State {
    /// The number of the interrupt whose stores are shown; others are folded.
    open: Option<usize>,
}

/// The panel.
pub fn ui(
    ui: &mut Ui,
    state: &mut State,
    frame: &mut Frame,
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    let colours = theme::colours(ui);
    let Some(timeline) = frame.update(scene) else {
        ui.label(RichText::new("the beginning of this frame is not recorded").color(colours.weak));
        return;
    };
    let name = |address: u16| scene.debugger.symbols.name(address).map(str::to_owned);
    if timeline.dlis.is_empty() {
        ui.label(RichText::new("this frame has no display list interrupt").color(colours.weak));
    }
    Row::new(ui).add("  n line routine  wait  all  CPU DMA WSYNC  left", colours.weak).show(ui, None).on_hover_text(
        "wait: cycles from the request to the routine's first instruction; left: cycles from RTI to the next interrupt's request",
    );
    close_rows(ui);
    let lint = |number: Option<usize>| {
        timeline
            .findings
            .iter()
            .filter(move |finding| finding.about.dli() == number)
    };
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for dli in &timeline.dlis {
            let open = state.open == Some(dli.number);
            let response = row(ui, dli, scene, open, lint(Some(dli.number)).count())
                .show(ui, running(dli, scene).then_some(colours.here));
            if response.double_clicked() {
                let begin = dli.routine.or(dli.entry).unwrap_or(dli.request);
                requests.push(go_to(&timeline.log, begin, scene));
            } else if response.clicked() {
                state.open = if open { None } else { Some(dli.number) };
            }
            let (vector, begin) = (dli.vector, dli.routine.unwrap_or(dli.request));
            response
                .on_hover_text("click: its stores; double click: go to its first instruction")
                .context_menu(|ui| {
                    let first = go_to(&timeline.log, begin, scene);
                    item(ui, "Go to its first instruction", first, requests);
                    address_menu(ui, vector, true, requests);
                });
            if open {
                bar(ui, dli, timeline, colours);
                stores(ui, dli, timeline, scene, requests);
            }
            for finding in lint(Some(dli.number)).take(if open { 20 } else { 1 }) {
                show_finding(ui, &timeline.text(finding, &name));
            }
        }
        for finding in lint(None) {
            show_finding(ui, &timeline.text(finding, &name));
        }
    });
}

/// A finding, in as many rows as it needs.
fn show_finding(ui: &mut Ui, text: &str) {
    Row::new(ui)
        .add(&format!("! {text}"), theme::colours(ui).changed)
        .wrapped(ui)
        .show(ui, None);
}

/// True if the machine stands in this interrupt.
fn running(dli: &Dli, scene: &Scene) -> bool {
    let now = scene.machine().now();
    !scene.running && now >= dli.request && dli.end.is_some_and(|end| now < end)
}

fn row(ui: &Ui, dli: &Dli, scene: &Scene, open: bool, findings: usize) -> Row {
    let colours = theme::colours(ui);
    let name = scene.debugger.symbols.name(dli.vector);
    let mut routine = name.map_or_else(|| format!("${:04X}", dli.vector), str::to_owned);
    routine.truncate(
        routine
            .char_indices()
            .nth(8)
            .map_or(routine.len(), |(at, _)| at),
    );
    let wait = dli.routine.or(dli.entry).map_or_else(
        || "  -".to_owned(),
        |begin| format!("{:3}", begin - dli.request),
    );
    let left = dli
        .left
        .map_or_else(String::new, |left| format!("{left:6}"));
    let short = dli.left.is_some_and(|left| left < 0);
    Row::new(ui)
        .add(
            if open { "\u{25BC} " } else { "\u{25B6} " },
            Owner::Nmi.colour(colours),
        )
        .add(&format!("{:<2}", dli.number), colours.weak)
        .add(&format!("{:4} ", dli.line), colours.text)
        .add(&format!("{routine:8}"), colours.accent)
        .add(&format!("{wait:>4}"), colours.text)
        .add(&format!("{:6}", dli.cycles), colours.text)
        .add(
            &format!("{:5}", dli.cycles - dli.dma - dli.stalled),
            colours.text,
        )
        .add(&format!("{:4}", dli.dma), colours.weak)
        .add(&format!("{:6}", dli.stalled), colours.weak)
        .add(&left, if short { colours.stop } else { colours.text })
        .add(if findings > 0 { " !" } else { "" }, colours.changed)
}

/// Its cycles one after the other, by the owner of the bus; every 114 a new row.
fn bar(ui: &mut Ui, dli: &Dli, timeline: &DliTimeline, colours: &Colours) {
    let log = &timeline.log;
    let end = dli.end.unwrap_or(log.end());
    let (first, _) = log.beam(dli.request);
    let start = log.time(first, 0);
    let rows = ((end - start).div_ceil(114) as usize).clamp(1, 12);
    let scale = ui.ctx().pixels_per_point();
    let cell = (ui.available_width() * scale / 114.0).floor().max(1.0) / scale;
    let height = 9.0;
    ui.add_space(2.0);
    let (rect, response) =
        ui.allocate_exact_size(vec2(cell * 114.0, height * rows as f32), Sense::hover());
    for now in dli.request..end.min(start + rows as u64 * 114) {
        let Some(owner) = log.owner(now) else {
            continue;
        };
        let at = now - start;
        let corner = rect.min + vec2((at % 114) as f32 * cell, (at / 114) as f32 * height);
        let colour = super::events::owner(owner).colour(colours);
        ui.painter().rect_filled(
            Rect::from_min_size(corner, vec2(cell, height - 2.0)),
            0.0,
            colour,
        );
    }
    for store in &dli.stores {
        let at = store.event.now.saturating_sub(start);
        if at / 114 < rows as u64 {
            let corner = rect.min + vec2((at % 114) as f32 * cell, (at / 114) as f32 * height);
            ui.painter().rect_filled(
                Rect::from_min_size(corner, vec2(cell.max(3.0), height - 2.0)),
                0.0,
                colours.changed,
            );
        }
    }
    if let Some(at) = response.hover_pos() {
        let inside = at - rect.min;
        let now = start + (inside.y / height) as u64 * 114 + ((inside.x / cell) as u64).min(113);
        let (line, cycle) = log.beam(now);
        let owner = log.owner(now).map_or("", BusOwner::name);
        response.on_hover_text(format!("line {line} cycle {cycle}: {owner}"));
    }
    ui.add_space(2.0);
}

fn stores(
    ui: &mut Ui,
    dli: &Dli,
    timeline: &DliTimeline,
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    let colours = theme::colours(ui);
    let log = &timeline.log;
    for store in &dli.stores {
        let event = store.event;
        let (line, cycle) = log.beam(event.now);
        let name = scene.debugger.symbols.name(event.address);
        let register = name.map_or_else(|| format!("${:04X}", event.address), str::to_owned);
        let before = store
            .before
            .map_or_else(|| "--".to_owned(), |before| format!("{before:02X}"));
        let effect = store
            .effect
            .and_then(BeamPlace::pixel)
            .map_or_else(String::new, |(x, y)| format!("  from pixel {x},{y}"));
        let is_colour = (0xD012..=0xD01A).contains(&event.address);
        let response = Row::new(ui)
            .add("      ", colours.text)
            .add(&format!("{line:3}:{cycle:<3} "), colours.weak)
            .add(&format!("{register:8}"), colours.text)
            .add(&format!("{before} -> "), colours.weak)
            .add(&format!("{:02X}", event.data), colours.text)
            .add(if is_colour { "    " } else { "" }, colours.text)
            .add(&effect, colours.weak)
            .show(ui, None);
        if is_colour {
            paint_swatch(ui, response.rect, scene.palette[usize::from(event.data)]);
        }
        if response.double_clicked() {
            requests.push(go_to(log, event.now, scene));
        }
        response
            .on_hover_text(format!(
                "by the instruction at ${:04X}; double click goes there",
                event.pc
            ))
            .context_menu(|ui| {
                item(ui, "Go there", go_to(log, event.now, scene), requests);
                address_menu(ui, event.pc, true, requests);
            });
    }
}

/// The colour of a store, in its row.
fn paint_swatch(ui: &Ui, row: Rect, colour: u32) {
    let cell = theme::cell(ui.ctx().pixels_per_point());
    let [_, r, g, b] = colour.to_be_bytes();
    let swatch = Rect::from_min_max(
        pos2(row.left() + 31.0 * cell, row.top() + 3.0),
        pos2(row.left() + 33.5 * cell, row.bottom() - 3.0),
    );
    let colour = egui::Color32::from_rgb(r, g, b);
    ui.painter().rect_filled(swatch, 0.0, colour);
}
