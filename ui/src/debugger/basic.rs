//! BASIC: the line that runs, FOR and GOSUB, variables.
use super::text::{Row, close_rows};
use super::{Request, Scene, item, theme};
use debugger::basic::{Basic, Frame, Value, Variable};
use debugger::{Place, Step};
use egui::{RichText, ScrollArea, Ui};

/// The panel.
pub fn ui(ui: &mut Ui, scene: &Scene, requests: &mut Vec<Request>) {
    let colours = theme::colours(ui);
    let Some(basic) = Basic::of(scene.machine()) else {
        ui.label(RichText::new("BASIC does not run here").color(colours.weak));
        return;
    };
    head(ui, &basic, requests);
    close_rows(ui);
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for frame in basic.stack.iter().rev() {
            let text = match frame {
                Frame::Gosub(line) => format!("GOSUB in line {line}"),
                Frame::For(line, number) => {
                    let variable = basic.variables.get(usize::from(number & 0x7F));
                    let name = variable.map_or("?", |variable| variable.name.as_str());
                    format!("FOR {name} in line {line}")
                }
            };
            Row::new(ui).add(&text, colours.weak).show(ui, None);
        }
        for variable in &basic.variables {
            let line = variable.line();
            let (name, value) = line.split_at(variable.name.len().min(line.len()));
            let response = Row::new(ui)
                .add(name, colours.accent)
                .add(value, colours.text)
                .show(ui, None)
                .on_hover_text("right click: who set it");
            response.context_menu(|ui| menu(ui, variable, scene, requests));
        }
        if basic.variables.is_empty() {
            ui.label(RichText::new("no variables").color(colours.weak));
        }
    });
}

/// The place of the program, and its steps.
fn head(ui: &mut Ui, basic: &Basic, requests: &mut Vec<Request>) {
    let colours = theme::colours(ui);
    ui.horizontal_wrapped(|ui| {
        let place = match basic.line {
            Some(line) => format!("line {line}, statement {}", basic.statement),
            None => "an immediate command".to_owned(),
        };
        ui.label(RichText::new(place).color(colours.accent));
        for (name, step) in [("statement", Step::Statement), ("line", Step::BasicLine)] {
            if ui.small_button(format!("\u{25C0} {name}")).clicked() {
                requests.push(Request::Back(step));
            }
            if ui.small_button(format!("{name} \u{25B6}")).clicked() {
                requests.push(Request::Step(step));
            }
        }
        if let Some(line) = basic.line
            && ui.small_button("break at this line").clicked()
        {
            requests.push(Request::AddStop(Place::BasicLine(line)));
        }
    });
}

/// The context menu of a variable.
fn menu(ui: &mut Ui, variable: &Variable, scene: &Scene, requests: &mut Vec<Request>) {
    let mut item = |ui: &mut Ui, text: &str, request| item(ui, text, request, requests);
    let command = format!("whoset {}", variable.name);
    item(ui, "Who set this?", Request::Command(command));
    let range = Basic::address_of(scene.machine(), &variable.name);
    if let Some((address, length)) = range.filter(|(_, length)| *length > 0) {
        let last = address.saturating_add(length - 1);
        let set = Request::AddStop(Place::Write(address..=last));
        item(ui, "Break when it is set", set);
        let back = Request::BackToWrite(address);
        item(ui, "Go back to where it was set", back);
        item(ui, "Show in memory", Request::ShowMemory(address));
    }
    if matches!(variable.value, Value::Array(None) | Value::String(None)) {
        ui.label("not dimensioned");
    }
}
