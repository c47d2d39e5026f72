//! The owner of the bus in each cycle of a scan line, and the events in it.
use super::super::theme::{self, Owner};
use super::events::{self, Frame};
use super::{Request, Scene, picture};
use debugger::FrameLog;
use egui::{Pos2, Rect, RichText, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

/// Machine cycles of a scan line.
const CYCLES: usize = 114;

/// The panel.
pub fn ui(
    ui: &mut Ui,
    picture: &picture::State,
    frame: &mut Frame,
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    let colours = theme::colours(ui);
    let line = picture.line(scene);
    let Some(timeline) = frame.update(scene) else {
        ui.label(RichText::new("the beginning of this frame is not recorded").color(colours.weak));
        return;
    };
    let log = &timeline.log;
    let owners: Vec<Owner> = log
        .line_owners(line)
        .iter()
        .map(|&owner| events::owner(owner))
        .collect();
    counts(ui, line, &owners);
    let scale = ui.ctx().pixels_per_point();
    let cell = (ui.available_width() * scale / CYCLES as f32)
        .floor()
        .max(1.0)
        / scale;
    let height = (ui.available_height() - 28.0).clamp(10.0, 26.0);
    let (rect, response) =
        ui.allocate_exact_size(vec2(cell * CYCLES as f32, height + 26.0), Sense::click());
    let left = (rect.left() * scale).round() / scale;
    let column = |cycle: usize, top: f32, height: f32| {
        Rect::from_min_size(pos2(left + cycle as f32 * cell, top), vec2(cell, height))
    };
    for (cycle, owner) in owners.iter().enumerate() {
        let mut area = column(cycle, rect.top(), height);
        area.max.x -= 1.0 / scale;
        ui.painter().rect_filled(area, 0.0, owner.colour(colours));
    }
    // Below the cycles the accesses to registers and the interrupts.
    let start = log.time(line, 0);
    for event in log.between(start, start + CYCLES as u64) {
        if let Some(colour) = events::colour(event, colours) {
            let cycle = (event.now - start) as usize;
            let area = column(cycle, rect.top() + height + 2.0, 8.0);
            ui.painter().rect_filled(area, 0.0, colour);
        }
    }
    let below = pos2(left, rect.top() + height + 11.0);
    paint_numbers(ui, below, cell);
    let frame_around = |cycle: u8, colour: egui::Color32| {
        let area = column(usize::from(cycle), rect.top(), height);
        let stroke = Stroke::new(2.0, colour);
        ui.painter()
            .rect_stroke(area, 0.0, stroke, StrokeKind::Outside);
    };
    let beam = scene.machine().beam();
    if !scene.running && beam.line == line {
        frame_around(beam.cycle, colours.beam);
    }
    if let Some((x, _)) = picture.pixel() {
        frame_around(picture::beam_at((x, 0)).1, colours.accent);
    }
    if let Some(at) = response.hover_pos() {
        let cycle = (((at.x - left) / cell).max(0.0) as usize).min(CYCLES - 1);
        let now = start + cycle as u64;
        if response.double_clicked() {
            requests.push(events::go_to(log, now, scene));
        }
        let owner = owners.get(cycle).copied();
        response.on_hover_text(description(log, now, cycle, owner, scene));
    }
}

/// The number of cycles that each owner has.
fn counts(ui: &mut Ui, line: u16, owners: &[Owner]) {
    let colours = theme::colours(ui);
    ui.horizontal_wrapped(|ui| {
        ui.label(format!("line {line}"));
        for owner in &Owner::ALL[..6] {
            let count = owners.iter().filter(|o| *o == owner).count();
            if count == 0 {
                continue;
            }
            let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().rect_filled(rect, 0.0, owner.colour(colours));
            ui.label(RichText::new(format!("{count} {}", owner.name())).color(colours.weak));
        }
    });
}

/// The number of every tenth cycle.
fn paint_numbers(ui: &Ui, first: Pos2, cell: f32) {
    let colour = theme::colours(ui).weak;
    let font = egui::TextStyle::Small.resolve(ui.style());
    for cycle in (0..CYCLES).step_by(10) {
        let at = first + vec2(cycle as f32 * cell, 0.0);
        ui.painter()
            .text(at, egui::Align2::LEFT_TOP, cycle, font.clone(), colour);
    }
}

/// The owner of a cycle, and the events in it.
fn description(
    log: &FrameLog,
    now: u64,
    cycle: usize,
    owner: Option<Owner>,
    scene: &Scene,
) -> String {
    let name = |address: u16| scene.debugger.symbols.name(address).map(str::to_owned);
    let mut text = owner.map_or_else(String::new, |owner| {
        format!("cycle {cycle}: {}", owner.name())
    });
    for event in log.between(now, now + 1) {
        text.push('\n');
        text.push_str(&log.line(event, &name));
    }
    text
}
