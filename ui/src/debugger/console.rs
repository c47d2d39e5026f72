//! The command line: the debugger's own commands, and those of the page.
use super::text::{Row, close_rows};
use super::{Request, Scene, address, theme};
use egui::{Key, ScrollArea, TextEdit, TextStyle, Ui, WidgetInfo, WidgetType};

/// Lines of output that are kept.
const MOST: usize = 1000;

/// State of the panel between two passes.
#[derive(Default)]
pub struct State {
    typed: String,
    lines: Vec<(String, bool)>,
    history: Vec<String>,
    at: usize,
}

impl State {
    /// Shows what a command has answered.
    pub fn answer(&mut self, lines: &[String]) {
        self.lines
            .extend(lines.iter().map(|line| (line.clone(), false)));
        let over = self.lines.len().saturating_sub(MOST);
        self.lines.drain(..over);
    }
}

/// The request of a line: running on and stopping belong to the window, watches to the page, all else is the debugger's.
pub fn request(text: &str, scene: &Scene) -> Request {
    let text = text.trim();
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    match (name, rest.trim()) {
        ("run" | "r" | "g", "") => Request::Run,
        ("stop", "") => Request::Break,
        ("quit" | "q", "") => Request::Close,
        ("watch", place) => {
            address(place, scene).map_or_else(|| Request::Command(text.to_owned()), Request::Watch)
        }
        _ => Request::Command(text.to_owned()),
    }
}

/// Words that may come next.
fn completions(typed: &str, scene: &Scene) -> Vec<String> {
    let mut words = debugger::complete(scene.debugger, Some(scene.track), typed);
    if !typed.trim_start().contains(char::is_whitespace) {
        let own = ["stop", "watch"].into_iter();
        words.extend(
            own.filter(|name| name.starts_with(typed.trim_start()))
                .map(str::to_owned),
        );
    }
    words.sort();
    words.dedup();
    words
}

/// The panel.
pub fn ui(ui: &mut Ui, state: &mut State, scene: &Scene, requests: &mut Vec<Request>) {
    output(ui, &state.lines);
    let id = ui.id().with("command");
    // Tab would leave the field.
    if ui.memory(|memory| memory.has_focus(id)) {
        let (tab, up, down) = ui.input_mut(|input| {
            let none = egui::Modifiers::NONE;
            (
                input.consume_key(none, Key::Tab),
                input.consume_key(none, Key::ArrowUp),
                input.consume_key(none, Key::ArrowDown),
            )
        });
        if tab {
            complete(state, scene);
        }
        if up {
            state.at = state.at.saturating_sub(1);
        }
        if down {
            state.at = (state.at + 1).min(state.history.len());
        }
        if up || down {
            state.typed = state.history.get(state.at).cloned().unwrap_or_default();
        }
    }
    let width = ui.available_width() - 12.0;
    let field = TextEdit::singleline(&mut state.typed)
        .id(id)
        .font(TextStyle::Monospace)
        .hint_text("command")
        .lock_focus(true)
        .desired_width(width);
    let response = ui.add(field);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "command"));
    if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        let typed = std::mem::take(&mut state.typed);
        response.request_focus();
        if !typed.trim().is_empty() {
            enter(state, &typed, scene, requests);
        }
    }
}

/// The answers and the lines that were typed.
fn output(ui: &mut Ui, lines: &[(String, bool)]) {
    let colours = theme::colours(ui);
    let line = 24.0;
    ScrollArea::vertical()
        .auto_shrink(false)
        .stick_to_bottom(true)
        .max_height((ui.available_height() - line).max(line))
        .show(ui, |ui| {
            close_rows(ui);
            if lines.is_empty() {
                Row::new(ui)
                    .add(
                        "help lists the commands; Tab completes; the arrows bring back earlier lines",
                        colours.weak,
                    )
                    .wrapped(ui)
                    .show(ui, None);
            }
            for (text, typed) in lines {
                Row::new(ui)
                    .add(text, if *typed { colours.accent } else { colours.text })
                    .wrapped(ui)
                    .show(ui, None);
            }
        });
}

fn complete(state: &mut State, scene: &Scene) {
    let found = completions(&state.typed, scene);
    let Some(first) = found.first() else {
        return;
    };
    let common: String = found.iter().fold(first.clone(), |common, name| {
        let same = common
            .chars()
            .zip(name.chars())
            .take_while(|(a, b)| a.eq_ignore_ascii_case(b))
            .count();
        common.chars().take(same).collect()
    });
    // As the debugger takes words apart.
    let begin = state
        .typed
        .rfind(|c: char| c.is_whitespace() || "[(+-*/&|=<>!".contains(c))
        .map_or(0, |at| at + 1);
    if common.len() >= state.typed.len() - begin {
        state.typed.replace_range(begin.., &common);
    }
    if found.len() == 1 {
        // A line number follows the name of a file.
        if !common.ends_with(':') {
            state.typed.push(' ');
        }
    } else {
        let shown: Vec<&str> = found.iter().take(40).map(String::as_str).collect();
        state.lines.push((shown.join("  "), false));
    }
}

fn enter(state: &mut State, typed: &str, scene: &Scene, requests: &mut Vec<Request>) {
    state.lines.push((format!("> {typed}"), true));
    state.history.push(typed.to_owned());
    state.at = state.history.len();
    let request = request(typed, scene);
    if let Request::Say(sentence) = &request {
        state.lines.push((sentence.clone(), false));
    }
    requests.push(request);
}
