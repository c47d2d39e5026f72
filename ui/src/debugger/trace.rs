//! The last instructions, found by running the last stretch of time again.
use super::text::{Row, close_rows, row_height};
use super::{Request, Scene, address_menu, theme};
use cpu6502::Cpu;
use cpu6502::disasm::Instruction;
use debugger::Moment;
use egui::{RichText, ScrollArea, Ui};
use machine::{Bus, Probe};

/// Machine cycles that are run again.
const CYCLES: u64 = 3000;
/// Instructions that are shown.
const MOST: usize = 400;

/// An instruction that was run.
struct Done {
    now: u64,
    instruction: Instruction,
    registers: [u8; 5],
}

/// Notes where instructions begin.
#[derive(Default)]
struct Recorder {
    done: Vec<Done>,
    within: bool,
}

impl Probe for Recorder {
    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        let start = cpu.at_instruction_start() && !cpu.at_interrupt_start();
        if start && self.within {
            self.done.push(Done {
                now: bus.now(),
                instruction: Instruction::at(cpu.pc, |at| bus.peek(at)),
                registers: [cpu.a, cpu.x, cpu.y, cpu.s, cpu.p()],
            });
        }
        self.within = !start;
        false
    }
}

/// State of the panel between two passes.
#[derive(Default)]
pub struct State {
    now: Option<u64>,
    done: Vec<Done>,
}

impl State {
    fn update(&mut self, scene: &Scene) {
        let now = scene.machine().now();
        if self.now == Some(now) {
            return;
        }
        self.now = Some(now);
        self.done.clear();
        let (end, timeline) = (scene.track.moment(), scene.track.timeline());
        let begin = Moment(end.0.saturating_sub(CYCLES)).max(scene.track.oldest());
        let Some(mut visit) = scene.track.visit(begin) else {
            return;
        };
        let mut recorder = Recorder::default();
        visit.run(timeline, end, &mut recorder);
        self.done = recorder.done;
        self.done.drain(..self.done.len().saturating_sub(MOST));
    }
}

/// The panel.
pub fn ui(ui: &mut Ui, state: &mut State, scene: &Scene, requests: &mut Vec<Request>) {
    let colours = theme::colours(ui);
    if scene.running {
        ui.label(RichText::new("break to see the last instructions").color(colours.weak));
        return;
    }
    state.update(scene);
    if state.done.is_empty() {
        ui.label(RichText::new("nothing is recorded before this moment").color(colours.weak));
        return;
    }
    close_rows(ui);
    let lines = u64::from(scene.machine().bus().video.antic.lines());
    let beam = scene.machine().beam();
    let frame = scene.machine().now() - u64::from(beam.line) * 114 - u64::from(beam.cycle);
    let height = row_height(ui);
    ScrollArea::vertical()
        .auto_shrink(false)
        .stick_to_bottom(true)
        .show_rows(ui, height, state.done.len(), |ui, range| {
            for done in &state.done[range] {
                let within = (done.now + lines * 114 - frame) % (lines * 114);
                let name = |address| scene.debugger.symbols.name(address);
                let [a, x, y, s, p] = done.registers;
                let address = done.instruction.address;
                let response = Row::new(ui)
                    .add(
                        &format!("{:3}:{:<3} ", within / 114, within % 114),
                        colours.weak,
                    )
                    .add(&format!("{address:04X} "), colours.weak)
                    .add(
                        &format!("{:20}", done.instruction.text(&name).to_string()),
                        colours.text,
                    )
                    .add(
                        &format!("{a:02X} {x:02X} {y:02X} {s:02X} {p:02X}"),
                        colours.weak,
                    )
                    .show(ui, None)
                    .on_hover_text("line:cycle, address, instruction, then A X Y S P before it");
                response.context_menu(|ui| address_menu(ui, address, true, requests));
            }
        });
}
