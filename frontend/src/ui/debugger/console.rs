//! The command line.
use super::text::{Row, close_rows};
use super::{Register, Request, Scene, address, stops, theme};
use debugger::{Step, view};
use egui::{Key, ScrollArea, TextEdit, TextStyle, Ui, WidgetInfo, WidgetType};

/// Lines of output that are kept.
const MOST: usize = 1000;

/// The commands: name, what follows it, what it does.
const COMMANDS: &[(&str, &str, &str)] = &[
    ("run", "", "run on"),
    ("stop", "", "stop here"),
    ("into", "", "one instruction"),
    ("over", "", "one instruction, calls as a whole"),
    ("out", "", "to the end of the routine"),
    ("cycle", "", "one machine cycle"),
    ("line", "", "to the next scan line"),
    ("frame", "", "to the next frame"),
    ("dli", "", "to the next display list interrupt"),
    ("routine", "", "to its routine"),
    ("vbi", "", "to the next vertical blank interrupt"),
    ("to", "ADDRESS", "to the instruction at an address"),
    ("beam", "LINE [CYCLE]", "to a place of the beam"),
    (
        "back",
        "[STEP]",
        "any of these backwards; alone: to the last breakpoint",
    ),
    ("who", "ADDRESS", "back to the last write to an address"),
    (
        "break",
        "PLACE",
        "a breakpoint: ADDRESS, read or write ADDRESS[-ADDRESS], beam LINE CYCLE, dli, vbi, irq",
    ),
    ("clear", "NUMBER", "remove a breakpoint"),
    ("list", "", "the breakpoints"),
    ("watch", "ADDRESS", "watch a place in memory"),
    ("mem", "ADDRESS [LINES]", "memory"),
    ("code", "ADDRESS [LINES]", "disassembly"),
    ("set", "REGISTER VALUE", "load A, X, Y, S, P or PC"),
    ("poke", "ADDRESS BYTES", "write bytes"),
    ("cpu", "", "the processor"),
    ("antic", "", "ANTIC"),
    ("gtia", "", "GTIA"),
    ("pokey", "", "POKEY"),
    ("pia", "", "the PIA"),
    ("help", "", "this list"),
];

/// What the panel remembers.
#[derive(Default)]
pub struct State {
    typed: String,
    lines: Vec<(String, bool)>,
    history: Vec<String>,
    at: usize,
}

/// What a command comes to.
type Answer = Result<(Vec<Request>, Vec<String>), String>;

/// Reads a command.
///
/// # Errors
/// One sentence on what is wrong.
pub fn command(text: &str, scene: &Scene) -> Answer {
    let (name, rest) = text
        .trim()
        .split_once(char::is_whitespace)
        .unwrap_or((text.trim(), ""));
    let rest = rest.trim();
    let place =
        |text: &str| address(text, scene).ok_or_else(|| format!("no such address or name: {text}"));
    let ask = |request: Request| Ok((vec![request], Vec::new()));
    let tell = |lines: Vec<String>| Ok((Vec::new(), lines));
    if let Some(step) = step(text.trim(), scene)? {
        return ask(Request::Step(step));
    }
    let machine = scene.machine;
    let mut words = rest.split_whitespace();
    match name {
        "run" | "g" => ask(Request::Run),
        "stop" => ask(Request::Break),
        "back" if rest.is_empty() => ask(Request::RunBack),
        "back" => match step(rest, scene)? {
            Some(step) => ask(Request::Back(step)),
            None => Err(format!("no step is called {rest}; type help")),
        },
        "who" => ask(Request::BackToWrite(place(rest)?)),
        "break" | "b" => ask(Request::AddStop(stops::parse(rest, scene)?)),
        "clear" => {
            let number = rest.parse().map_err(|_| {
                "clear needs the number of a breakpoint; list shows them".to_owned()
            })?;
            ask(Request::RemoveStop(number))
        }
        "list" => {
            let name = |address| scene.debugger.symbols.name(address).map(str::to_owned);
            let line = |b: &debugger::Breakpoint| {
                format!(
                    "{:2} {} {}",
                    b.id,
                    if b.enabled { "on " } else { "off" },
                    stops::describe(&b.place, name)
                )
            };
            tell(scene.debugger.breakpoints.list().iter().map(line).collect())
        }
        "watch" => ask(Request::Watch(place(rest)?)),
        "mem" | "code" => {
            let at = place(words.next().unwrap_or_default())?;
            let count = words
                .next()
                .map_or(Ok(8), |n| {
                    n.parse::<usize>()
                        .map_err(|_| format!("{n} is not a number of lines"))
                })?
                .min(4096);
            let debugger = scene.debugger;
            let lines = if name == "mem" {
                view::memory(machine, at, count)
                    .iter()
                    .map(view::MemoryLine::line)
                    .collect()
            } else {
                view::code_from(machine, &debugger.symbols, &debugger.breakpoints, at, count)
                    .iter()
                    .map(view::CodeLine::line)
                    .collect()
            };
            tell(lines)
        }
        "set" => {
            let register = match words.next().unwrap_or_default().to_lowercase().as_str() {
                "pc" => Register::Pc,
                "a" => Register::A,
                "x" => Register::X,
                "y" => Register::Y,
                "s" => Register::S,
                "p" => Register::P,
                other => return Err(format!("no register is called {other}")),
            };
            let value = place(words.next().unwrap_or_default())?;
            if register != Register::Pc && value > 0xFF {
                return Err("the register holds a byte".to_owned());
            }
            ask(Request::Load(register, value))
        }
        "poke" => {
            let at = place(words.next().unwrap_or_default())?;
            let bytes: Option<Vec<u8>> = words
                .map(|word| u8::from_str_radix(word.trim_start_matches('$'), 16).ok())
                .collect();
            match bytes {
                Some(bytes) if !bytes.is_empty() => ask(Request::Poke(at, bytes)),
                _ => Err("poke needs an address and bytes in hexadecimal".to_owned()),
            }
        }
        "cpu" => tell(view::Cpu::of(machine).lines()),
        "antic" => tell(view::Antic::of(machine).lines()),
        "gtia" => tell(view::Gtia::of(machine).lines()),
        "pokey" => tell(view::Pokey::of(machine).lines()),
        "pia" => tell(view::Pia::of(machine).lines()),
        "help" | "?" => tell(
            COMMANDS
                .iter()
                .map(|(name, what, text)| format!("{:22} {text}", format!("{name} {what}")))
                .collect(),
        ),
        _ => Err(format!("no command is called {name}; type help")),
    }
}

/// The step that a text names.
fn step(text: &str, scene: &Scene) -> Result<Option<Step>, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    Ok(Some(match words.as_slice() {
        ["into" | "s"] => Step::Instruction,
        ["over" | "n"] => Step::Over,
        ["out"] => Step::Out,
        ["cycle"] => Step::Cycle,
        ["line"] => Step::Line,
        ["frame"] => Step::Frame,
        ["dli"] => Step::Dli,
        ["routine"] => Step::DliRoutine,
        ["vbi"] => Step::Vbi,
        ["to", place] => Step::To(
            address(place, scene).ok_or_else(|| format!("no such address or name: {place}"))?,
        ),
        ["beam", ..] => match stops::parse(text, scene)? {
            debugger::Place::Beam(line, cycle) => Step::Beam(line, cycle),
            _ => return Ok(None),
        },
        _ => return Ok(None),
    }))
}

/// Commands and names that begin with what is typed.
fn completions(typed: &str, scene: &Scene) -> Vec<String> {
    let word = typed.rsplit(char::is_whitespace).next().unwrap_or_default();
    if word.is_empty() {
        return Vec::new();
    }
    if typed.trim_start() == word {
        return COMMANDS
            .iter()
            .map(|(name, ..)| (*name).to_owned())
            .filter(|name| name.starts_with(word))
            .collect();
    }
    let begin = word.to_uppercase();
    let symbols = &scene.debugger.symbols;
    let mut names: Vec<String> = (0..=0xFFFF)
        .filter_map(|at| symbols.name(at))
        .filter(|name| name.to_uppercase().starts_with(&begin))
        .map(str::to_owned)
        .collect();
    names.sort();
    names
}

/// The panel.
pub fn ui(ui: &mut Ui, state: &mut State, scene: &Scene, requests: &mut Vec<Request>) {
    let colours = theme::colours(ui);
    let line = 24.0;
    ScrollArea::vertical()
        .auto_shrink(false)
        .stick_to_bottom(true)
        .max_height((ui.available_height() - line).max(line))
        .show(ui, |ui| {
            close_rows(ui);
            if state.lines.is_empty() {
                Row::new(ui)
                    .add("type help; Tab completes", colours.weak)
                    .show(ui, None);
            }
            for (text, typed) in &state.lines {
                Row::new(ui)
                    .add(text, if *typed { colours.accent } else { colours.text })
                    .show(ui, None);
            }
        });
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

fn complete(state: &mut State, scene: &Scene) {
    let found = completions(&state.typed, scene);
    let Some(first) = found.first() else {
        return;
    };
    let common = found.iter().fold(first.clone(), |common, name| {
        let same = common
            .chars()
            .zip(name.chars())
            .take_while(|(a, b)| a.eq_ignore_ascii_case(b))
            .count();
        common.chars().take(same).collect()
    });
    let begin = state
        .typed
        .rfind(char::is_whitespace)
        .map_or(0, |at| at + 1);
    if common.len() >= state.typed.len() - begin {
        state.typed.replace_range(begin.., &common);
    }
    if found.len() == 1 {
        state.typed.push(' ');
    } else {
        let shown: Vec<&str> = found.iter().take(40).map(String::as_str).collect();
        state.lines.push((shown.join("  "), false));
    }
}

fn enter(state: &mut State, typed: &str, scene: &Scene, requests: &mut Vec<Request>) {
    state.lines.push((format!("> {typed}"), true));
    state.history.push(typed.to_owned());
    state.at = state.history.len();
    match command(typed, scene) {
        Ok((asked, lines)) => {
            requests.extend(asked);
            state
                .lines
                .extend(lines.into_iter().map(|line| (line, false)));
        }
        Err(sentence) => state.lines.push((sentence, false)),
    }
    let over = state.lines.len().saturating_sub(MOST);
    state.lines.drain(..over);
}
