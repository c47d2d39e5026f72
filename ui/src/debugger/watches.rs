//! Watched places in memory, and expressions.
use super::text::{Row, entry};
use super::{Request, Scene, address, address_menu, theme};
use egui::{RichText, Ui};

/// The kind of a watch.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Memory(u16),
    /// The value of the expression that is the watch's name, with the names of C and BASIC that hold where the machine stands.
    Value,
}

/// A watched place or expression.
#[derive(Clone, Debug)]
pub struct Watch {
    kind: Kind,
    /// As it was typed; empty where only the address is known.
    name: String,
    /// The machine cycle when it was read last, and its value.
    last: Option<(u64, String)>,
    changed: bool,
}

impl Watch {
    /// The value of now; it has changed if the machine has moved and the value was another one.
    fn update(&mut self, scene: &Scene) -> String {
        let now = scene.machine().now();
        let value = match &self.kind {
            Kind::Memory(address) => format!("{:04X}", scene.machine().peek_word(*address)),
            Kind::Value => value_text(&self.name, scene),
        };
        if let Some((then, old)) = &self.last
            && *then != now
        {
            self.changed = *old != value;
        }
        self.last = Some((now, value.clone()));
        value
    }
}

/// State of the panel between two passes.
#[derive(Default)]
pub struct State {
    /// The watches.
    pub list: Vec<Watch>,
    typed: String,
}

impl State {
    /// Watches one more place.
    pub fn add(&mut self, address: u16) {
        let known = |watch: &Watch| matches!(watch.kind, Kind::Memory(at) if at == address);
        if !self.list.iter().any(known) {
            self.push(Kind::Memory(address), String::new());
        }
    }

    fn push(&mut self, kind: Kind, name: String) {
        self.list.push(Watch {
            kind,
            name,
            last: None,
            changed: false,
        });
    }

    /// Commands of the debugger that watch the same.
    pub fn commands(&self) -> String {
        let command = |watch: &Watch| match &watch.kind {
            Kind::Memory(address) => format!("watch [${address:04X}]\n"),
            Kind::Value => format!("watch {}\n", watch.name),
        };
        self.list.iter().map(command).collect()
    }

    /// Watches the typed text: a variable of C or BASIC, an address or a name, else an expression.
    ///
    /// # Errors
    /// The fault of the text.
    fn enter(&mut self, typed: &str, scene: &Scene) -> Result<(), String> {
        let name = typed.trim().to_owned();
        let shown = scene.debugger.evaluate(scene.track, &name);
        let is_variable = shown
            .as_ref()
            .is_ok_and(|shown| shown.of_basic || shown.kind.is_some());
        match address(&name, scene) {
            Some(address) if !is_variable => self.push(Kind::Memory(address), name),
            _ => {
                shown?;
                self.push(Kind::Value, name);
            }
        }
        Ok(())
    }
}

/// The panel.
pub fn ui(ui: &mut Ui, state: &mut State, scene: &Scene, requests: &mut Vec<Request>) {
    let colours = theme::colours(ui);
    let width = ui.available_width() - 12.0;
    let hint = "watch: address, name, or expression as [$80+x] & 15";
    if let Some(typed) = entry(ui, &mut state.typed, hint, width)
        && let Err(sentence) = state.enter(&typed, scene)
    {
        requests.push(Request::Say(sentence));
    }
    let kept = &scene.debugger.watches;
    if state.list.is_empty() && kept.is_empty() {
        ui.label(RichText::new("nothing is watched").color(colours.weak));
    }
    let mut removed = None;
    for (n, watch) in state.list.iter_mut().enumerate() {
        let value = watch.update(scene);
        let colour = super::value_colour(watch.changed && !scene.running, colours);
        ui.horizontal(|ui| {
            if remove(ui) {
                removed = Some(n);
            }
            match watch.kind {
                Kind::Value => {
                    Row::new(ui)
                        .add(&format!("{} = ", watch.name), colours.accent)
                        .add(&value, colour)
                        .show(ui, None);
                }
                Kind::Memory(address) => {
                    memory(ui, watch, address, &value, scene, requests);
                }
            }
        });
    }
    if let Some(n) = removed {
        state.list.remove(n);
    }
    // Those that were set by a command, or the last time.
    for (n, expression) in kept.iter().enumerate() {
        let value = value_text(&expression.to_string(), scene);
        ui.horizontal(|ui| {
            if remove(ui) {
                requests.push(Request::Command(format!("unwatch {}", n + 1)));
            }
            Row::new(ui)
                .add(&format!("{expression} = "), colours.accent)
                .add(&value, colours.text)
                .show(ui, None);
        });
    }
}

/// The button that removes a watch.
fn remove(ui: &mut Ui) -> bool {
    ui.small_button("\u{D7}")
        .on_hover_text("watch no more")
        .clicked()
}

/// The byte and the word at an address.
fn memory(
    ui: &mut Ui,
    watch: &Watch,
    address: u16,
    word: &str,
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    let colours = theme::colours(ui);
    let colour = super::value_colour(watch.changed && !scene.running, colours);
    let name = scene.debugger.symbols.name(address);
    let name = name.unwrap_or(&watch.name);
    let byte = scene.machine().peek(address);
    let response = Row::new(ui)
        .add(&format!("{address:04X} "), colours.weak)
        .add(&format!("{name:8} "), colours.accent)
        .add(&format!("{byte:02X}"), colour)
        .add(&format!(" {byte:3} %{byte:08b}  word {word}"), colours.weak)
        .show(ui, None);
    response.context_menu(|ui| address_menu(ui, address, false, requests));
    if response.double_clicked() {
        requests.push(Request::ShowMemory(address));
    }
}

/// The value of an expression where the machine stands, or why it has none there: a variable of a C function that does not run.
fn value_text(expression: &str, scene: &Scene) -> String {
    let shown = scene.debugger.evaluate(scene.track, expression);
    shown.map_or_else(|sentence| sentence, |shown| shown.text)
}
