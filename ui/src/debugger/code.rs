//! Disassembly with source lines, or the source itself.
use super::text::{Row, close_rows, entry, rows_left};
use super::{Request, Scene, address, address_menu, theme};
use cpu6502::disasm::Instruction;
use debugger::view::{CodeLine, code, code_before};
use debugger::{SourceLine, Sources};
use egui::{Color32, RichText, Ui};
use std::collections::BTreeMap;

/// State of the panel between two passes.
pub struct State {
    /// Shows where the processor is.
    follow: bool,
    address: u16,
    typed: String,
    /// Shows the source where there is any.
    source: bool,
    /// The line in the middle of the source.
    line: Option<SourceLine>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            follow: true,
            address: 0,
            typed: String::new(),
            source: true,
            line: None,
        }
    }
}

impl State {
    /// Shows the code at an address.
    pub fn show(&mut self, address: u16) {
        self.follow = false;
        self.address = address;
        self.source = false;
    }
}

/// The instruction that the processor is in or begins.
fn current(scene: &Scene) -> u16 {
    let cpu = &scene.machine().cpu;
    if cpu.at_instruction_start() {
        cpu.pc
    } else {
        cpu.instruction()
    }
}

/// The panel.
pub fn ui(ui: &mut Ui, state: &mut State, scene: &Scene, requests: &mut Vec<Request>) {
    let colours = theme::colours(ui);
    head(ui, state, scene, requests);
    close_rows(ui);
    let rows = rows_left(ui);
    let debugger = scene.debugger;
    if state.source && !debugger.sources.is_empty() {
        let at = debugger.sources.line_at(current(scene));
        if state.follow {
            state.line = at.or(state.line);
        }
        if let Some(middle) = state.line {
            source(ui, state, middle, at, rows, scene, requests);
            return;
        }
    }
    if state.follow {
        let pc = current(scene);
        let before = code_before(scene.machine(), &debugger.symbols, pc, rows / 3);
        state.address = before.first().copied().unwrap_or(pc);
    }
    let lines = code(scene.machine(), debugger, state.address, rows);
    let mut left = rows;
    for line in &lines {
        let needed = 1 + usize::from(line.source.is_some());
        if left < needed {
            break;
        }
        left -= needed;
        let at = line.instruction.address;
        if let Some((_, text)) = &line.source {
            Row::new(ui)
                .add("        ; ", colours.weak)
                .add(text, colours.accent)
                .show(ui, None);
        }
        let ground = (line.current && !scene.running).then_some(colours.here);
        let response = row(ui, line, scene).show(ui, ground);
        if response.clicked() {
            requests.push(Request::ToggleStop(at));
        }
        if response.double_clicked() {
            // The two clicks have set and removed a breakpoint; the click was meant for the operand's place.
            if let Some(target) = line.instruction.operand_address() {
                state.show(target);
            }
        }
        response.context_menu(|ui| address_menu(ui, at, true, requests));
    }
    scroll(ui, state, scene);
}

/// Scrolls by instructions, three a notch of the wheel.
fn scroll(ui: &Ui, state: &mut State, scene: &Scene) {
    let notches = turned(ui);
    if notches != 0 {
        state.follow = false;
        for _ in 0..notches.unsigned_abs() * 3 {
            state.address = if notches < 0 {
                Instruction::at(state.address, |at| scene.machine().peek(at)).next()
            } else {
                before(state.address, scene)
            };
        }
    }
}

/// The field for an address, and the switches.
fn head(ui: &mut Ui, state: &mut State, scene: &Scene, requests: &mut Vec<Request>) {
    ui.horizontal(|ui| {
        if let Some(typed) = entry(ui, &mut state.typed, "address or name", 130.0) {
            match address(&typed, scene) {
                Some(address) => state.show(address),
                None => requests.push(Request::Say(format!("no such address or name: {typed}"))),
            }
        }
        ui.checkbox(&mut state.follow, "follow PC");
        if !scene.debugger.sources.is_empty() {
            ui.checkbox(&mut state.source, "source");
        }
        ui.label(
            RichText::new("click: breakpoint, right click: more")
                .color(theme::colours(ui).weak)
                .small(),
        );
    });
}

/// The addresses of the code of each line of a file.
fn begins(sources: &Sources, file: usize) -> BTreeMap<u32, Vec<u16>> {
    let mut begins: BTreeMap<u32, Vec<u16>> = BTreeMap::new();
    for address in 0..=0xFFFF {
        if let Some(at) = sources.line_at(address)
            && at.file == file
            && sources.begins_line(address)
        {
            begins.entry(at.line).or_default().push(address);
        }
    }
    begins
}

/// The lines of a file around one of them; `at` is the line that runs.
fn source(
    ui: &mut Ui,
    state: &mut State,
    middle: SourceLine,
    at: Option<SourceLine>,
    rows: usize,
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    let colours = theme::colours(ui);
    let sources = &scene.debugger.sources;
    let name = sources
        .files()
        .get(middle.file)
        .map_or("", |file| &file.name);
    let outside = if at.is_none() && !scene.running {
        format!(
            "   the processor is outside the source, at ${:04X}",
            current(scene)
        )
    } else {
        String::new()
    };
    Row::new(ui)
        .add(name, colours.accent)
        .add(&outside, colours.weak)
        .show(ui, None);
    let begins = begins(sources, middle.file);
    let first = middle.line.saturating_sub(rows as u32 / 3).max(1);
    for line in first..first + rows.saturating_sub(1) as u32 {
        let here = SourceLine { line, ..middle };
        let Some(text) = sources.text(here) else {
            break;
        };
        let addresses = begins.get(&line).map_or(&[][..], Vec::as_slice);
        let runs = at == Some(here) && !scene.running;
        let row = source_row(ui, line, text, addresses, runs, scene);
        let response = row.show(ui, runs.then_some(colours.here));
        if let Some(&address) = addresses.first() {
            if response.clicked() {
                requests.push(Request::ToggleStop(address));
            }
            response.context_menu(|ui| address_menu(ui, address, true, requests));
        }
    }
    let notches = turned(ui);
    if notches != 0 {
        state.follow = false;
        let line = i64::from(middle.line) - i64::from(notches) * 3;
        let last = sources
            .files()
            .get(middle.file)
            .map_or(1, |file| file.text.len());
        let line = line.clamp(1, last.max(1) as i64) as u32;
        state.line = Some(SourceLine { line, ..middle });
    }
}

/// A line of the source with the addresses of its code; `runs` if the processor is in it.
fn source_row(ui: &Ui, line: u32, text: &str, addresses: &[u16], runs: bool, scene: &Scene) -> Row {
    let colours = theme::colours(ui);
    let stops = |address: &u16| scene.debugger.breakpoints.at_pc(*address).is_some();
    let mark = if addresses.iter().any(stops) {
        "\u{25CF}"
    } else {
        " "
    };
    let colour = if addresses.is_empty() {
        colours.weak
    } else {
        colours.text
    };
    Row::new(ui)
        .add(mark, colours.stop)
        .add(if runs { "\u{25B6}" } else { " " }, colours.accent)
        .add(&format!("{line:5} "), colours.weak)
        .add(&text.replace('\t', "    "), colour)
}

/// Notches of the wheel over the panel.
fn turned(ui: &Ui) -> i32 {
    let area = ui.min_rect();
    ui.input(|input| {
        let pointer = input.pointer.hover_pos();
        if pointer.is_some_and(|at| area.contains(at)) {
            wheel(input)
        } else {
            0
        }
    })
}

/// Notches of the wheel, positive upwards.
pub fn wheel(input: &egui::InputState) -> i32 {
    let turned = |event: &egui::Event| match event {
        egui::Event::MouseWheel {
            delta, modifiers, ..
        } if !modifiers.ctrl => delta.y,
        _ => 0.0,
    };
    input.events.iter().map(turned).sum::<f32>().round() as i32
}

/// The instruction before an address: of those that end there, a documented one.
fn before(address: u16, scene: &Scene) -> u16 {
    let ends_here = |distance: &u16| {
        let at = address.wrapping_sub(*distance);
        let instruction = Instruction::at(at, |at| scene.machine().peek(at));
        instruction.next() == address && cpu6502::opcodes::is_documented(instruction.bytes[0])
    };
    address.wrapping_sub([3, 2, 1].into_iter().find(ends_here).unwrap_or(1))
}

fn row(ui: &Ui, line: &CodeLine, scene: &Scene) -> Row {
    let colours = theme::colours(ui);
    let instruction = &line.instruction;
    let bytes: Vec<String> = instruction.bytes[..usize::from(instruction.length())]
        .iter()
        .map(|byte| format!("{byte:02X}"))
        .collect();
    let mark = if line.breakpoint { "\u{25CF}" } else { " " };
    let here = if line.current && !scene.running {
        "\u{25B6}"
    } else {
        " "
    };
    let documented = cpu6502::opcodes::is_documented(instruction.bytes[0]);
    let text_colour: Color32 = if documented {
        colours.text
    } else {
        colours.weak
    };
    let mut label = line.label.clone().unwrap_or_default();
    label.truncate(
        label
            .char_indices()
            .nth(10)
            .map_or(label.len(), |(at, _)| at),
    );
    let mut row = Row::new(ui)
        .add(mark, colours.stop)
        .add(here, colours.accent)
        .add(&format!("{:04X} ", instruction.address), colours.weak)
        .add(&format!("{:8} ", bytes.join(" ")), colours.weak)
        .add(&format!("{label:10} "), colours.accent)
        .add(&line.text, text_colour);
    if line.current
        && !scene.running
        && scene.machine().cpu.at_instruction_start()
        && let Some((at, value)) = line.effective
    {
        row = row.add(&format!("   ${at:04X} = {value:02X}"), colours.changed);
    }
    row
}
