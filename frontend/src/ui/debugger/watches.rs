//! Watched places in memory.
use super::text::{Row, entry};
use super::{Request, Scene, address, address_menu, theme};
use egui::{RichText, Ui};

/// A watched place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Its address.
    pub address: u16,
    /// As it was typed.
    pub name: String,
    last: Option<(u64, u16)>,
    changed: bool,
}

/// What the panel remembers.
#[derive(Default)]
pub struct State {
    /// The watched places.
    pub list: Vec<Watch>,
    typed: String,
}

impl State {
    /// Watches one more place.
    pub fn add(&mut self, address: u16) {
        self.add_named(address, String::new());
    }

    fn add_named(&mut self, address: u16, name: String) {
        if !self.list.iter().any(|watch| watch.address == address) {
            self.list.push(Watch {
                address,
                name,
                last: None,
                changed: false,
            });
        }
    }
}

/// The panel.
pub fn ui(ui: &mut Ui, state: &mut State, scene: &Scene, requests: &mut Vec<Request>) {
    let colours = theme::colours(ui);
    let width = ui.available_width() - 12.0;
    if let Some(typed) = entry(ui, &mut state.typed, "watch: address or name", width) {
        match address(&typed, scene) {
            Some(address) => state.add_named(address, typed.trim().to_owned()),
            None => requests.push(Request::Say(format!("no such address or name: {typed}"))),
        }
    }
    if state.list.is_empty() {
        ui.label(RichText::new("nothing is watched").color(colours.weak));
    }
    let mut removed = None;
    for (n, watch) in state.list.iter_mut().enumerate() {
        let word = scene.machine.peek_word(watch.address);
        let now = scene.machine.now();
        if let Some((then, old)) = watch.last
            && then != now
        {
            watch.changed = old != word;
        }
        watch.last = Some((now, word));
        let byte = word as u8;
        let name = scene
            .debugger
            .symbols
            .name(watch.address)
            .unwrap_or(&watch.name);
        ui.horizontal(|ui| {
            if ui
                .small_button("\u{D7}")
                .on_hover_text("watch no more")
                .clicked()
            {
                removed = Some(n);
            }
            let value = super::value_colour(watch.changed && !scene.running, colours);
            let response = Row::new(ui)
                .add(&format!("{:04X} ", watch.address), colours.weak)
                .add(&format!("{name:8} "), colours.accent)
                .add(&format!("{byte:02X}"), value)
                .add(
                    &format!(" {byte:3} %{byte:08b}  word {word:04X}"),
                    colours.weak,
                )
                .show(ui, None);
            response.context_menu(|ui| address_menu(ui, watch.address, false, requests));
            if response.double_clicked() {
                requests.push(Request::ShowMemory(watch.address));
            }
        });
    }
    if let Some(n) = removed {
        state.list.remove(n);
    }
}
