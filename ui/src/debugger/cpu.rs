//! The processor's registers, and its state.
use super::text::{Fields, Row};
use super::{Before, Register, Request, Scene, theme, value_colour};
use debugger::view::{Cpu, Doing};
use egui::{RichText, Sense, Ui};

/// The flags from bit 7 down: letter and meaning.
const FLAGS: [(&str, &str); 8] = [
    ("N", "negative"),
    ("V", "overflow"),
    ("-", "not a flag: always 1"),
    ("B", "break: only on the stack"),
    ("D", "decimal mode"),
    ("I", "interrupts off"),
    ("Z", "zero"),
    ("C", "carry"),
];

/// The panel.
pub fn ui(
    ui: &mut Ui,
    fields: &mut Fields,
    before: &Before,
    scene: &Scene,
    requests: &mut Vec<Request>,
) {
    let colours = theme::colours(ui);
    let cpu = Cpu::of(scene.machine());
    ui.horizontal_wrapped(|ui| {
        let old = before.old_registers;
        for (name, register, digits, value, changed) in [
            ("PC", Register::Pc, 4, cpu.pc, false),
            ("A", Register::A, 2, u16::from(cpu.a), cpu.a != old[0]),
            ("X", Register::X, 2, u16::from(cpu.x), cpu.x != old[1]),
            ("Y", Register::Y, 2, u16::from(cpu.y), cpu.y != old[2]),
            ("S", Register::S, 2, u16::from(cpu.s), cpu.s != old[3]),
        ] {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.label(RichText::new(name).monospace().color(colours.weak));
            let colour = value_colour(changed && !scene.running, colours);
            if let Some(value) = fields.hexadecimal(ui, name, digits, value, colour) {
                requests.push(Request::Load(register, value));
            }
            ui.add_space(4.0);
        }
        flags(ui, cpu.p, requests);
    });
    let (address, write) = cpu.next;
    let access = if write { "write" } else { "read " };
    let name = scene
        .debugger
        .symbols
        .name(address)
        .map_or(String::new(), |name| format!(" {name}"));
    Row::new(ui)
        .add("next  ", colours.weak)
        .add(&format!("{access} ${address:04X}{name}"), colours.text)
        .add(&format!("  {}", doing(cpu.doing)), colours.weak)
        .show(ui, None);
    let stack: Vec<String> = cpu.stack.iter().map(|byte| format!("{byte:02X}")).collect();
    Row::new(ui)
        .add("stack ", colours.weak)
        .add(&stack.join(" "), colours.text)
        .show(ui, None);
}

/// The flags; a click changes one.
fn flags(ui: &mut Ui, p: u8, requests: &mut Vec<Request>) {
    let colours = theme::colours(ui);
    ui.spacing_mut().item_spacing.x = 1.0;
    for (n, (letter, meaning)) in FLAGS.into_iter().enumerate() {
        let bit = 0x80 >> n;
        let set = p & bit != 0;
        let text = RichText::new(if set {
            letter.to_owned()
        } else {
            letter.to_lowercase()
        })
        .monospace();
        let text = if set {
            text.color(colours.accent).strong()
        } else {
            text.color(colours.weak)
        };
        let label = ui
            .add(egui::Label::new(text).sense(Sense::click()))
            .on_hover_text(meaning);
        if label.clicked() && bit & 0x30 == 0 {
            requests.push(Request::Load(Register::P, u16::from(p ^ bit)));
        }
    }
}

fn doing(doing: Doing) -> String {
    match doing {
        Doing::Instruction => "an instruction begins".to_owned(),
        Doing::Interrupt => "an interrupt begins".to_owned(),
        Doing::Within(opcode) => {
            format!(
                "within {}",
                cpu6502::opcodes::OPCODES[usize::from(opcode)]
                    .operation
                    .mnemonic()
            )
        }
        Doing::Vector(vector) => format!("reads the vector ${vector:04X}"),
        Doing::Jammed => "jammed".to_owned(),
    }
}
