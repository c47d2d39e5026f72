//! Who has the bus in each cycle of a scan line.
use super::super::theme::{self, Owner};
use super::{Scene, picture};
use antic_gtia::slot;
use egui::{Rect, RichText, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

/// Machine cycles of a scan line.
const CYCLES: usize = 114;

/// The owner of a cycle by ANTIC's plan of its line.
fn planned(slots: u8, cycle: usize) -> Owner {
    if slots & slot::REFRESH != 0 {
        Owner::Refresh
    } else if slots & (slot::NAME | slot::GLYPH | slot::BITMAP) != 0 {
        Owner::Playfield
    } else if slots & slot::SPECIAL != 0 {
        // Missiles in cycle 0, the instruction in 1, players in 2 to 5, its address in 6 and 7.
        if matches!(cycle, 1 | 6 | 7) {
            Owner::DisplayList
        } else {
            Owner::Objects
        }
    } else {
        Owner::Cpu
    }
}

/// The strip.
pub fn ui(ui: &mut Ui, _picture: &picture::State, scene: &Scene) {
    let colours = theme::colours(ui);
    let beam = scene.machine.beam();
    let slots = &scene.machine.bus.video.antic.slots;
    let owners: Vec<Owner> = (0..CYCLES)
        .map(|cycle| planned(slots[cycle], cycle))
        .collect();
    let count = |owner| owners.iter().filter(|&&o| o == owner).count();
    ui.horizontal_wrapped(|ui| {
        ui.label(format!("line {}", beam.line));
        for owner in [
            Owner::Cpu,
            Owner::Playfield,
            Owner::DisplayList,
            Owner::Objects,
            Owner::Refresh,
        ] {
            let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().rect_filled(rect, 0.0, owner.colour(colours));
            ui.label(
                RichText::new(format!("{} {}", count(owner), owner.name())).color(colours.weak),
            );
        }
    });
    let scale = ui.ctx().pixels_per_point();
    let cell = (ui.available_width() * scale / CYCLES as f32)
        .floor()
        .max(1.0)
        / scale;
    let height = (ui.available_height() - 16.0).clamp(10.0, 28.0);
    let (rect, response) =
        ui.allocate_exact_size(vec2(cell * CYCLES as f32, height), Sense::hover());
    let left = (rect.left() * scale).round() / scale;
    let area = |cycle: usize| {
        Rect::from_min_size(
            pos2(left + cycle as f32 * cell, rect.top()),
            vec2(cell, height),
        )
    };
    for (cycle, owner) in owners.iter().enumerate() {
        let mut area = area(cycle);
        area.max.x -= 1.0 / scale;
        ui.painter().rect_filled(area, 0.0, owner.colour(colours));
    }
    if usize::from(beam.cycle) < CYCLES && !scene.running {
        ui.painter().rect_stroke(
            area(usize::from(beam.cycle)),
            0.0,
            Stroke::new(2.0, colours.beam),
            StrokeKind::Outside,
        );
    }
    let font = egui::TextStyle::Small.resolve(ui.style());
    for cycle in (0..CYCLES).step_by(10) {
        let at = pos2(left + cycle as f32 * cell, rect.bottom() + 1.0);
        ui.painter().text(
            at,
            egui::Align2::LEFT_TOP,
            cycle,
            font.clone(),
            colours.weak,
        );
    }
    if let Some(at) = response.hover_pos() {
        let cycle = (((at.x - left) / cell).max(0.0) as usize).min(CYCLES - 1);
        response.on_hover_text(format!("cycle {cycle}: {}", owners[cycle].name()));
    }
}
