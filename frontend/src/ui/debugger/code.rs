//! Disassembly.
use super::text::{Row, close_rows, entry, rows_left};
use super::{Request, Scene, address, address_menu, theme};
use cpu6502::disasm::Instruction;
use cpu6502::opcodes::Mode;
use debugger::view::{CodeLine, code_around, code_from};
use egui::{Color32, RichText, Ui};

/// What the panel remembers.
pub struct State {
    /// Shows where the processor is.
    follow: bool,
    address: u16,
    typed: String,
}

impl Default for State {
    fn default() -> Self {
        Self {
            follow: true,
            address: 0,
            typed: String::new(),
        }
    }
}

impl State {
    /// Shows the code at an address.
    pub fn show(&mut self, address: u16) {
        self.follow = false;
        self.address = address;
    }
}

/// The panel.
pub fn ui(ui: &mut Ui, state: &mut State, scene: &Scene, requests: &mut Vec<Request>) {
    let colours = theme::colours(ui);
    ui.horizontal(|ui| {
        if let Some(typed) = entry(ui, &mut state.typed, "address or name", 130.0) {
            match address(&typed, scene) {
                Some(address) => state.show(address),
                None => requests.push(Request::Say(format!("no such address or name: {typed}"))),
            }
        }
        ui.checkbox(&mut state.follow, "follow PC");
        ui.label(
            RichText::new("click: breakpoint, right click: more")
                .color(colours.weak)
                .small(),
        );
    });
    close_rows(ui);
    let rows = rows_left(ui);
    let debugger = scene.debugger;
    let lines = if state.follow {
        let before = rows / 3;
        code_around(
            scene.machine,
            &debugger.symbols,
            &debugger.breakpoints,
            before,
            rows - before,
        )
    } else {
        code_from(
            scene.machine,
            &debugger.symbols,
            &debugger.breakpoints,
            state.address,
            rows,
        )
    };
    if let Some(first) = lines.first().filter(|_| state.follow) {
        state.address = first.instruction.address;
    }
    for line in lines.iter().take(rows) {
        let at = line.instruction.address;
        let ground = (line.current && !scene.running).then_some(colours.here);
        let response = row(ui, line, scene).show(ui, ground);
        if response.clicked() {
            requests.push(Request::ToggleStop(at));
        }
        if response.double_clicked() {
            // The two clicks have set and removed a breakpoint; the operand's place is what was meant.
            if let Some(target) = line.instruction.operand_address() {
                state.show(target);
            }
        }
        response.context_menu(|ui| address_menu(ui, at, true, requests));
    }
    let area = ui.min_rect();
    let notches = ui.input(|input| {
        let over = input
            .pointer
            .hover_pos()
            .is_some_and(|at| area.contains(at));
        if over { wheel(input) } else { 0 }
    });
    if notches != 0 {
        state.follow = false;
        for _ in 0..notches.unsigned_abs() * 3 {
            state.address = if notches < 0 {
                Instruction::at(state.address, |at| scene.machine.peek(at)).next()
            } else {
                before(state.address, scene)
            };
        }
    }
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
        let instruction = Instruction::at(at, |at| scene.machine.peek(at));
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
        && let Some((at, value)) = effective(*instruction, scene)
    {
        row = row.add(&format!("   ${at:04X} = {value:02X}"), colours.changed);
    }
    row
}

/// Where the instruction at the program counter will read or write, and what is there.
fn effective(instruction: Instruction, scene: &Scene) -> Option<(u16, u8)> {
    let cpu = &scene.machine.cpu;
    if !cpu.at_instruction_start() {
        return None;
    }
    let machine = scene.machine;
    let byte = instruction.bytes[1];
    let word = u16::from_le_bytes([instruction.bytes[1], instruction.bytes[2]]);
    let pointer = |at: u8| {
        u16::from_le_bytes([
            machine.peek(u16::from(at)),
            machine.peek(u16::from(at.wrapping_add(1))),
        ])
    };
    let at = match instruction.opcode().mode {
        Mode::Zp => u16::from(byte),
        Mode::ZpX => u16::from(byte.wrapping_add(cpu.x)),
        Mode::ZpY => u16::from(byte.wrapping_add(cpu.y)),
        Mode::Abs => word,
        Mode::AbsX => word.wrapping_add(u16::from(cpu.x)),
        Mode::AbsY => word.wrapping_add(u16::from(cpu.y)),
        Mode::IndX => pointer(byte.wrapping_add(cpu.x)),
        Mode::IndY => pointer(byte).wrapping_add(u16::from(cpu.y)),
        _ => return None,
    };
    let jumps = ["JMP", "JSR"].contains(&instruction.opcode().operation.mnemonic());
    (!jumps).then(|| (at, machine.peek(at)))
}
