//! Looking inside: the debugger's engine for the page's panels.
use crate::emulator::Emulator;
use debugger::{Debugger, Limits, Step, Stop, execute, view};
use wasm_bindgen::prelude::wasm_bindgen;

/// Frames of the past to which single steps go at once.
const FINE: usize = 300;

/// A debugger beside the page's machine, which stands still while it is used.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Inspector {
    debugger: Debugger,
    rgba: Vec<u32>,
}

impl Inspector {
    /// The lines of a command, or one sentence on what is wrong.
    fn execute(&mut self, emulator: &mut Emulator, command: &str) -> String {
        let done = execute(&mut self.debugger, &mut emulator.session, command);
        done.map_or_else(|error| error, |output| output.lines.join("\n"))
    }
}

#[wasm_bindgen]
impl Inspector {
    /// A debugger for the machine, with what its session remembers.
    #[wasm_bindgen(constructor)]
    pub fn new(emulator: &mut Emulator) -> Self {
        let mut debugger = Debugger::default();
        debugger.symbols.add_hardware();
        let config = emulator.session.machine().config();
        let labels = roms::labels(&config.os, config.basic.as_deref());
        debugger.symbols.add_system(labels);
        emulator.session.set_limits(Limits {
            frames: FINE,
            ..Emulator::limits()
        });
        Self {
            debugger,
            rgba: Vec::new(),
        }
    }

    /// Goes one step: `cycle`, `instruction`, `over`, `out`, `line`, `frame`, `dli`, `routine`, `vbi`, `list`. Gives how it ended.
    pub fn step(&mut self, emulator: &mut Emulator, name: &str, back: bool) -> String {
        let Some(step) = Step::named(name) else {
            return "there is no such step".to_owned();
        };
        let (debugger, session) = (&mut self.debugger, &mut emulator.session);
        if back {
            return if debugger.step_back(session, step) {
                format!("back: {}", step.name())
            } else {
                "the recorded time does not reach back so far".to_owned()
            };
        }
        match debugger.step(session, step) {
            Stop::Breakpoint(number) => format!("breakpoint {number}"),
            Stop::Limit => format!("{}: not within ten seconds", step.name()),
            Stop::Interrupted => format!("{}: interrupted", step.name()),
            Stop::Jammed => "the processor is jammed".to_owned(),
            Stop::Done => step.name().to_owned(),
        }
    }

    /// Goes to the cycle in which a pixel of the picture is drawn.
    pub fn to_pixel(&mut self, emulator: &mut Emulator, x: usize, y: usize) {
        let step = Step::to_pixel(x, y);
        let (debugger, session) = (&mut self.debugger, &mut emulator.session);
        if !debugger.step_back(session, step) {
            debugger.step(session, step);
        }
    }

    /// Does a command of the debugger's prompt. Gives its lines, or one sentence on what is wrong.
    pub fn command(&mut self, emulator: &mut Emulator, line: &str) -> String {
        self.execute(emulator, line)
    }

    /// Why a pixel of the picture is as it is.
    pub fn why(&mut self, emulator: &mut Emulator, x: usize, y: usize) -> String {
        self.execute(emulator, &format!("why {x} {y}"))
    }

    /// The processor's registers and what it does.
    pub fn cpu(&self, emulator: &Emulator) -> String {
        view::Cpu::of(emulator.session.machine()).lines().join("\n")
    }

    /// The disassembly around the next instruction; the current line begins with `>`.
    pub fn code(&mut self, emulator: &mut Emulator, lines: usize) -> String {
        let machine = emulator.session.machine();
        let cpu = &machine.cpu;
        let address = if cpu.at_instruction_start() {
            cpu.pc
        } else {
            cpu.instruction()
        };
        self.execute(emulator, &format!("code ${address:04X} {lines}"))
    }

    /// The display list.
    pub fn display_list(&self, emulator: &Emulator) -> String {
        let list = view::DisplayList::of(emulator.session.machine());
        list.lines().join("\n")
    }

    /// The display list interrupts of the last frame, and what looks wrong.
    pub fn interrupts(&mut self, emulator: &mut Emulator) -> String {
        self.execute(emulator, "dlis")
    }

    /// Memory from an address on.
    pub fn memory(&self, emulator: &Emulator, address: u16, lines: usize) -> String {
        let all = view::memory(emulator.session.machine(), address, lines);
        let all: Vec<String> = all.iter().map(view::MemoryLine::line).collect();
        all.join("\n")
    }

    /// The chips' registers.
    pub fn chips(&self, emulator: &Emulator) -> String {
        let machine = emulator.session.machine();
        let mut all = view::Antic::of(machine).lines();
        all.extend(view::Gtia::of(machine).lines());
        all.extend(view::Pokey::of(machine).lines());
        all.extend(view::Pia::of(machine).lines());
        all.join("\n")
    }

    /// Draws the picture as far as the beam has come: this frame above the beam, the last one below. Gives where it is.
    pub fn picture_rgba(&mut self, emulator: &Emulator) -> *const u32 {
        let picture = view::Picture::of(emulator.session.machine());
        self.rgba = emulator.rgba_of(&picture.pixels);
        self.rgba.as_ptr()
    }

    /// Where the beam is: line and cycle.
    pub fn beam(&self, emulator: &Emulator) -> Vec<u16> {
        let beam = emulator.session.machine().beam();
        vec![beam.line, beam.cycle.into()]
    }
}
