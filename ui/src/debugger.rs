//! The debugger's page: panels that dock, and their requests. It shows a machine and changes nothing by itself: every wish leaves as a
//! [`Request`].

mod basic;
mod chips;
mod code;
mod console;
mod cpu;
mod display_list;
mod events;
mod interrupts;
mod keys;
pub mod layout;
mod memory;
pub mod perform;
mod picture;
mod stops;
mod strip;
mod text;
mod time;
mod trace;
pub mod voices;
mod watches;
mod why;

use super::theme::{self, Colours};
use debugger::{Debugger, Moment, Place, Step, Track};
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Align, Layout, RichText, Ui, WidgetText};
use egui_dock::{DockArea, DockState, TabViewer};
pub use keys::KEYS;
use machine::Machine;
pub use session::timeline::Register;

#[cfg(test)]
mod tests;

/// The state that a page shows.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The machine, as it stands or runs, and its past.
    pub track: &'a Track,
    /// Breakpoints and names.
    pub debugger: &'a Debugger,
    /// The screen's colours of the machine's 256.
    pub palette: &'a [u32; 256],
    /// True if the machine runs.
    pub running: bool,
    /// The oldest moment that can be reached.
    pub oldest: Moment,
    /// The last event, in a sentence.
    pub status: &'a str,
}

impl<'a> Scene<'a> {
    /// The machine.
    pub fn machine(&self) -> &'a Machine {
        self.track.machine()
    }
}

/// A request of the user to the machine or the debugger.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Run on.
    Run,
    /// Run backwards to the last breakpoint.
    RunBack,
    /// Stop here.
    Break,
    /// Close the view and run on.
    Close,
    /// Go forwards.
    Step(Step),
    /// Go backwards.
    Back(Step),
    /// Go back to the last write to an address.
    BackToWrite(u16),
    /// Go to a moment of the recorded time.
    GoTo(Moment),
    /// Do a command of the debugger.
    Command(String),
    /// Go back to the last write to an address before a moment.
    WriteBefore(u16, Moment),
    /// Set or remove the breakpoint at an instruction.
    ToggleStop(u16),
    /// Add a breakpoint.
    AddStop(Place),
    /// Remove the breakpoint of this number.
    RemoveStop(u32),
    /// Switch the breakpoint of this number on or off.
    EnableStop(u32, bool),
    /// Load a register of the processor.
    Load(Register, u16),
    /// Write bytes to memory.
    Poke(u16, Vec<u8>),
    /// Say something in the status line.
    Say(String),
    /// Show memory from an address on.
    ShowMemory(u16),
    /// Show the code at an address.
    ShowCode(u16),
    /// Watch an address.
    Watch(u16),
    /// Open or close a panel.
    Toggle(Panel),
    /// The dark or the light theme.
    Theme,
    /// The layout as it comes.
    ResetLayout,
}

/// A panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Panel {
    /// The picture with the beam.
    Picture,
    /// A part of the picture, enlarged.
    Magnifier,
    /// The owner of the bus in each cycle of a line.
    Strip,
    /// The processor's registers.
    Cpu,
    /// Disassembly.
    Code,
    /// The registers of all chips.
    Chips,
    /// Memory.
    Memory,
    /// The display list.
    DisplayList,
    /// The explanation of a pixel.
    Why,
    /// Everything that happens in a frame, by place of the beam.
    Events,
    /// The display list interrupts of a frame.
    Interrupts,
    /// Breakpoints.
    Stops,
    /// Watched places in memory.
    Watches,
    /// The last instructions.
    Trace,
    /// POKEY's voices.
    Voices,
    /// BASIC's line, stack and variables.
    Basic,
    /// The command line.
    Console,
}

impl Panel {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::Picture,
        Self::Magnifier,
        Self::Strip,
        Self::Cpu,
        Self::Code,
        Self::Chips,
        Self::Memory,
        Self::DisplayList,
        Self::Why,
        Self::Events,
        Self::Interrupts,
        Self::Stops,
        Self::Watches,
        Self::Trace,
        Self::Voices,
        Self::Basic,
        Self::Console,
    ];

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Picture => "Picture",
            Self::Magnifier => "Magnifier",
            Self::Strip => "Bus",
            Self::Cpu => "6502",
            Self::Code => "Code",
            Self::Chips => "Chips",
            Self::Memory => "Memory",
            Self::DisplayList => "Display list",
            Self::Why => "Why",
            Self::Events => "Events",
            Self::Interrupts => "DLI",
            Self::Stops => "Breakpoints",
            Self::Watches => "Watches",
            Self::Trace => "Trace",
            Self::Voices => "Voices",
            Self::Basic => "BASIC",
            Self::Console => "Command",
        }
    }
}

/// The states of all panels.
#[derive(Default)]
struct Panels {
    picture: picture::State,
    code: code::State,
    chips: chips::State,
    memory: memory::State,
    display_list: display_list::State,
    frame: events::Frame,
    events: events::State,
    interrupts: interrupts::State,
    stops: stops::State,
    watches: watches::State,
    trace: trace::State,
    console: console::State,
    voices: voices::State,
    time: time::State,
    fields: text::Fields,
    before: Before,
}

/// The contents of the machine when it stood still the last time, to mark what is different now.
#[derive(Default)]
struct Before {
    now: u64,
    memory: Vec<u8>,
    registers: [u8; 5],
    /// The memory before that.
    old_memory: Vec<u8>,
    old_registers: [u8; 5],
}

impl Before {
    fn update(&mut self, machine: &Machine) {
        if self.now == machine.now() && !self.memory.is_empty() {
            return;
        }
        self.now = machine.now();
        std::mem::swap(&mut self.memory, &mut self.old_memory);
        self.memory.clear();
        // Chips have panels of their own, and reading them is slower.
        self.memory.extend((0..=0xFFFF).map(|at| {
            if at & 0xF800 == 0xD000 {
                0
            } else {
                machine.peek(at)
            }
        }));
        self.old_registers = self.registers;
        let cpu = &machine.cpu;
        self.registers = [cpu.a, cpu.x, cpu.y, cpu.s, cpu.p()];
    }

    fn changed(&self, address: u16) -> bool {
        let at = usize::from(address);
        self.old_memory
            .get(at)
            .is_some_and(|&old| old != self.memory[at])
    }
}

/// Points from which on a window is large.
const LARGE: f32 = 1300.0;

/// The page.
pub struct View {
    dock: DockState<Panel>,
    panels: Panels,
    /// The size for which the layout was made.
    small: Option<bool>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            dock: layout::default(true),
            panels: Panels::default(),
            small: None,
        }
    }
}

impl View {
    /// With a layout that [`View::layout`] gave; the usual one when it cannot be read.
    pub fn with_layout(text: &str) -> Self {
        let mut view = Self::default();
        if let Some(dock) = layout::read(text) {
            view.dock = dock;
            let plain = |text: String| text.replace('*', "");
            let shown = plain(view.layout());
            let usual = |small: &bool| plain(layout::write(&layout::default(*small))) == shown;
            view.small = Some([true, false].into_iter().find(usual).unwrap_or(false));
        }
        view
    }

    /// The layout as text.
    pub fn layout(&self) -> String {
        layout::write(&self.dock)
    }

    /// Commands that watch again what the panel watches.
    pub fn watch_commands(&self) -> String {
        self.panels.watches.commands()
    }

    /// Watches nothing.
    pub fn forget_watches(&mut self) {
        self.panels.watches.list.clear();
    }

    /// Lays out the page; returns what the user asks for.
    pub fn ui(&mut self, ui: &mut Ui, scene: &Scene) -> Vec<Request> {
        let mut requests = Vec::new();
        self.fit(ui.max_rect().width() < LARGE);
        if !scene.running {
            self.panels.before.update(scene.machine());
        }
        let typing = ui.ctx().text_edit_focused() || self.panels.memory.is_edited();
        requests.extend(ui.input(|input| keys::requests(input, scene, typing)));
        egui::Panel::top("tools").show_inside(ui, |ui| self.toolbar(ui, scene, &mut requests));
        egui::Panel::bottom("status").show_inside(ui, |ui| status(ui, scene));
        egui::Panel::bottom("time").show_inside(ui, |ui| {
            time::ui(ui, &mut self.panels.time, scene, &mut requests);
        });
        let style = dock_style(ui);
        egui::CentralPanel::default()
            .frame(egui::Frame::NONE.fill(theme::colours(ui).back))
            .show_inside(ui, |ui| {
                let mut tabs = Tabs {
                    panels: &mut self.panels,
                    scene,
                    requests: &mut requests,
                };
                DockArea::new(&mut self.dock)
                    .style(style)
                    .show_leaf_collapse_buttons(false)
                    .show_leaf_close_all_buttons(false)
                    .show_inside(ui, &mut tabs);
            });
        self.mark(&requests, scene);
        requests.retain(|request| !self.perform(request));
        requests
    }

    /// Lays the panels out for a small or a large window, unless the user has moved some.
    fn fit(&mut self, small: bool) {
        let fits = self.small == Some(small);
        // Another tab in front is not another layout.
        let plain = |text: String| text.replace('*', "");
        let moved = self
            .small
            .is_some_and(|was| plain(self.layout()) != plain(layout::write(&layout::default(was))));
        if !fits && !moved {
            self.dock = layout::default(small);
            self.small = Some(small);
        }
    }

    /// A question that leads elsewhere marks the moment at which it was asked.
    fn mark(&mut self, requests: &[Request], scene: &Scene) {
        let now = scene.track.moment();
        for request in requests {
            let what = match request {
                Request::BackToWrite(address) | Request::WriteBefore(address, _) => {
                    format!("asked who wrote ${address:04X}")
                }
                Request::RunBack => "ran back from here".to_owned(),
                Request::Command(line) => format!("asked: {line}"),
                _ => continue,
            };
            if !scene.running {
                self.panels.time.asked(now, what);
            }
        }
    }

    /// Shows what a command has answered.
    pub fn answer(&mut self, lines: &[String]) {
        self.panels.console.answer(lines);
    }

    /// Voices that are not to be heard, one bit each.
    pub fn muted(&self) -> u8 {
        self.panels.voices.muted
    }

    /// Carries out requests that concern only the page; false for others.
    fn perform(&mut self, request: &Request) -> bool {
        match request {
            Request::ShowMemory(address) => {
                self.panels.memory.show(*address);
                self.open(Panel::Memory);
            }
            Request::ShowCode(address) => {
                self.panels.code.show(*address);
                self.open(Panel::Code);
            }
            Request::Watch(address) => {
                self.panels.watches.add(*address);
                self.open(Panel::Watches);
            }
            Request::Toggle(panel) => match self.dock.find_tab(panel) {
                Some(path) => drop(self.dock.remove_tab(path)),
                None => self.dock.push_to_focused_leaf(*panel),
            },
            Request::ResetLayout => {
                let small = self.small.unwrap_or(true);
                self.dock = layout::default(small);
            }
            _ => return false,
        }
        true
    }

    fn open(&mut self, panel: Panel) {
        match self.dock.find_tab(&panel) {
            // A tab that was found can be activated.
            Some(path) => drop(self.dock.set_active_tab(path)),
            None => self.dock.push_to_focused_leaf(panel),
        }
    }

    fn toolbar(&mut self, ui: &mut Ui, scene: &Scene, requests: &mut Vec<Request>) {
        ui.horizontal(|ui| {
            let mut button = |ui: &mut Ui, name: &str, key: &str, request: Request| {
                if ui.button(name).on_hover_text(key).clicked() {
                    requests.push(request);
                }
            };
            if scene.running {
                button(ui, "Break", "F8", Request::Break);
            } else {
                button(ui, "Run", "F5", Request::Run);
            }
            ui.separator();
            ui.label(RichText::new("back").color(theme::colours(ui).weak));
            button(
                ui,
                "run",
                "Alt+F5: back to the last breakpoint",
                Request::RunBack,
            );
            for (name, key, step) in STEPS {
                button(ui, name, &format!("Alt+{key}"), Request::Back(*step));
            }
            ui.separator();
            ui.label(RichText::new("forward").color(theme::colours(ui).weak));
            for (name, key, step) in STEPS {
                button(ui, name, key, Request::Step(*step));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let stays =
                    MenuConfig::new().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
                MenuButton::new("Panels").config(stays).ui(ui, |ui| {
                    for panel in Panel::ALL {
                        let mut shown = self.dock.find_tab(&panel).is_some();
                        if ui.checkbox(&mut shown, panel.title()).clicked() {
                            requests.push(Request::Toggle(panel));
                        }
                    }
                    ui.separator();
                    if ui.button("Usual layout").clicked() {
                        requests.push(Request::ResetLayout);
                    }
                    if ui.button("Dark, light").clicked() {
                        requests.push(Request::Theme);
                    }
                });
                ui.menu_button("Keys", |ui| {
                    egui::Grid::new("keys").show(ui, |ui| {
                        for (keys, what) in KEYS {
                            ui.monospace(*keys);
                            ui.label(*what);
                            ui.end_row();
                        }
                    });
                });
            });
        });
    }
}

/// The steps of the tool bar: name, key, step.
const STEPS: &[(&str, &str, Step)] = &[
    ("frame", "F", Step::Frame),
    ("line", "L", Step::Line),
    ("out", "Shift+F11", Step::Out),
    ("over", "F10", Step::Over),
    ("into", "F11", Step::Instruction),
    ("cycle", "C", Step::Cycle),
    ("DLI", "D", Step::Dli),
    ("VBI", "V", Step::Vbi),
];

fn status(ui: &mut Ui, scene: &Scene) {
    let colours = theme::colours(ui);
    ui.horizontal(|ui| {
        let (state, colour) = if scene.running {
            ("running", colours.weak)
        } else {
            ("stopped", colours.accent)
        };
        ui.label(RichText::new(state).color(colour));
        ui.separator();
        ui.label(scene.status);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let machine = scene.machine();
            let beam = machine.beam();
            ui.monospace(format!("line {:3}  cycle {:3}", beam.line, beam.cycle));
        });
    });
}

fn dock_style(ui: &Ui) -> egui_dock::Style {
    let colours = theme::colours(ui);
    let mut style = egui_dock::Style::from_egui(ui.style());
    style.tab_bar.height = 22.0;
    style.tab_bar.bg_fill = colours.back;
    style.tab_bar.hline_color = colours.line;
    style.tab_bar.corner_radius = egui::CornerRadius::ZERO;
    style.tab_bar.show_scroll_bar_on_overflow = false;
    style.buttons.close_tab_color = colours.weak.gamma_multiply(0.5);
    style.buttons.close_tab_active_color = colours.text;
    style.buttons.close_tab_bg_fill = colours.hover;
    style.separator.width = 3.0;
    // How small a panel may become.
    style.separator.extra = 56.0;
    style.separator.color_idle = colours.back;
    style.separator.color_hovered = colours.hover;
    style.separator.color_dragged = colours.accent;
    style.tab.tab_body.inner_margin = egui::Margin::same(4);
    style.tab.tab_body.bg_fill = colours.panel;
    style.tab.tab_body.stroke = egui::Stroke::NONE;
    style.tab.tab_body.corner_radius = egui::CornerRadius::ZERO;
    for tab in [
        &mut style.tab.active,
        &mut style.tab.focused,
        &mut style.tab.active_with_kb_focus,
        &mut style.tab.focused_with_kb_focus,
    ] {
        tab.bg_fill = colours.panel;
        tab.text_color = colours.accent;
        tab.outline_color = colours.line;
        tab.corner_radius = egui::CornerRadius::ZERO;
    }
    for tab in [
        &mut style.tab.inactive,
        &mut style.tab.hovered,
        &mut style.tab.inactive_with_kb_focus,
    ] {
        tab.bg_fill = colours.back;
        tab.text_color = colours.weak;
        tab.outline_color = colours.back;
        tab.corner_radius = egui::CornerRadius::ZERO;
    }
    style.tab.hovered.text_color = colours.text;
    style
}

/// Shows the panels in their tabs.
struct Tabs<'a, 'b> {
    panels: &'a mut Panels,
    scene: &'a Scene<'b>,
    requests: &'a mut Vec<Request>,
}

impl TabViewer for Tabs<'_, '_> {
    type Tab = Panel;

    fn title(&mut self, tab: &mut Panel) -> WidgetText {
        tab.title().into()
    }

    fn ui(&mut self, ui: &mut Ui, tab: &mut Panel) {
        let (panels, scene, requests) = (&mut *self.panels, self.scene, &mut *self.requests);
        match tab {
            Panel::Picture => {
                picture::ui(ui, &mut panels.picture, &mut panels.frame, scene, requests);
            }
            Panel::Magnifier => {
                picture::magnifier(ui, &mut panels.picture, &mut panels.frame, scene, requests);
            }
            Panel::Strip => strip::ui(ui, &panels.picture, &mut panels.frame, scene, requests),
            Panel::Cpu => cpu::ui(ui, &mut panels.fields, &panels.before, scene, requests),
            Panel::Code => code::ui(ui, &mut panels.code, scene, requests),
            Panel::Chips => chips::ui(ui, &mut panels.chips, scene, requests),
            Panel::Memory => memory::ui(ui, &mut panels.memory, &panels.before, scene, requests),
            Panel::DisplayList => display_list::ui(
                ui,
                &mut panels.display_list,
                &mut panels.picture,
                scene,
                requests,
            ),
            Panel::Why => why::ui(ui, &mut panels.frame, &panels.picture, scene, requests),
            Panel::Events => events::ui(
                ui,
                &mut panels.events,
                &mut panels.frame,
                &mut panels.picture,
                scene,
                requests,
            ),
            Panel::Interrupts => interrupts::ui(
                ui,
                &mut panels.interrupts,
                &mut panels.frame,
                scene,
                requests,
            ),
            Panel::Stops => stops::ui(ui, &mut panels.stops, scene, requests),
            Panel::Watches => watches::ui(ui, &mut panels.watches, scene, requests),
            Panel::Trace => trace::ui(ui, &mut panels.trace, scene, requests),
            Panel::Voices => voices::ui(ui, &mut panels.voices, scene),
            Panel::Basic => basic::ui(ui, scene, requests),
            Panel::Console => console::ui(ui, &mut panels.console, scene, requests),
        }
    }

    fn allowed_in_windows(&self, _tab: &mut Panel) -> bool {
        false
    }

    fn scroll_bars(&self, tab: &Panel) -> [bool; 2] {
        // Panels that fill their room keep to it by themselves.
        let scrolls = matches!(
            tab,
            Panel::Chips | Panel::Stops | Panel::Watches | Panel::Voices | Panel::Cpu
        );
        [false, scrolls]
    }
}

/// A button of a menu, which makes a request.
fn item(ui: &mut Ui, text: &str, request: Request, requests: &mut Vec<Request>) {
    if ui.button(text).clicked() {
        requests.push(request);
        ui.close();
    }
}

/// The menu of the right mouse button for an address.
fn address_menu(ui: &mut Ui, address: u16, code: bool, requests: &mut Vec<Request>) {
    ui.label(RichText::new(format!("${address:04X}")).monospace());
    let mut item = |ui: &mut Ui, text: &str, request| item(ui, text, request, requests);
    if code {
        item(ui, "Run to here", Request::Step(Step::To(address)));
        item(ui, "Run back to here", Request::Back(Step::To(address)));
        item(ui, "Break here", Request::ToggleStop(address));
        item(
            ui,
            "Go on from here (set PC)",
            Request::Load(Register::Pc, address),
        );
        item(ui, "Show in memory", Request::ShowMemory(address));
    } else {
        item(
            ui,
            "Who wrote this: back to the last write",
            Request::BackToWrite(address),
        );
        item(
            ui,
            "Break on write",
            Request::AddStop(Place::Write(address..=address)),
        );
        item(
            ui,
            "Break on read",
            Request::AddStop(Place::Read(address..=address)),
        );
        item(ui, "Watch", Request::Watch(address));
        item(ui, "Show as code", Request::ShowCode(address));
    }
}

/// Reads an address: a name, or digits in hexadecimal with or without `$`.
fn address(text: &str, scene: &Scene) -> Option<u16> {
    let text = text.trim();
    let symbols = &scene.debugger.symbols;
    let named = || {
        symbols
            .address(text)
            .or_else(|| symbols.address(&text.to_uppercase()))
    };
    let digits = text.strip_prefix('$').or(text.strip_prefix("0x"));
    match digits {
        Some(digits) => u16::from_str_radix(digits, 16).ok(),
        None => named().or_else(|| u16::from_str_radix(text, 16).ok()),
    }
}

/// The colour of a register's value that may have changed.
fn value_colour(changed: bool, colours: &Colours) -> egui::Color32 {
    if changed {
        colours.changed
    } else {
        colours.text
    }
}
