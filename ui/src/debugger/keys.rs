//! The keys of the page.
use super::{Request, Scene};
use debugger::Step;
use egui::{InputState, Key, Modifiers};

/// All keys and their functions.
pub const KEYS: &[(&str, &str)] = &[
    ("F5", "run"),
    ("F8", "break"),
    ("F9", "breakpoint here: set, remove"),
    ("F10", "over"),
    ("F11, I", "into: one instruction"),
    ("Shift+F11", "out"),
    ("C L F", "one cycle, scan line, frame"),
    ("D", "to the next display list interrupt"),
    ("R", "to its routine (VDSLST)"),
    ("V", "to the next vertical blank interrupt"),
    (
        "S, N",
        "to the next source line, also in subroutines or over them",
    ),
    ("Alt+...", "any of these backwards"),
    ("Ctrl + -  0", "larger, smaller, as usual"),
    ("Esc", "close the view; everything set is kept"),
];

/// The requests of the pressed keys. Letters mean nothing while text is `typed`.
pub fn requests(input: &InputState, scene: &Scene, typed: bool) -> Vec<Request> {
    let mut requests = Vec::new();
    for event in &input.events {
        if let egui::Event::Key {
            key,
            pressed: true,
            modifiers,
            ..
        } = event
        {
            requests.extend(request(*key, *modifiers, typed, scene));
        }
    }
    requests
}

fn request(key: Key, modifiers: Modifiers, typed: bool, scene: &Scene) -> Option<Request> {
    if modifiers.ctrl {
        return None;
    }
    let step = match key {
        Key::F5 => {
            return Some(if modifiers.alt {
                Request::RunBack
            } else {
                Request::Run
            });
        }
        Key::F8 => return Some(Request::Break),
        Key::F9 => {
            let cpu = &scene.machine().cpu;
            let pc = if cpu.at_instruction_start() {
                cpu.pc
            } else {
                cpu.instruction()
            };
            return Some(Request::ToggleStop(pc));
        }
        Key::F10 => Step::Over,
        Key::F11 if modifiers.shift => Step::Out,
        Key::F11 => Step::Instruction,
        _ if typed => return None,
        Key::Escape => return Some(Request::Close),
        Key::I => Step::Instruction,
        Key::C => Step::Cycle,
        Key::L => Step::Line,
        Key::F => Step::Frame,
        Key::D => Step::Dli,
        Key::R => Step::DliRoutine,
        Key::V => Step::Vbi,
        Key::S | Key::N if scene.debugger.sources.is_empty() => {
            let sentence =
                "no source lines are known: is there a .dbg or .lst file beside the program?";
            return Some(Request::Say(sentence.to_owned()));
        }
        Key::S => Step::Source,
        Key::N => Step::SourceOver,
        _ => return None,
    };
    Some(if modifiers.alt {
        Request::Back(step)
    } else {
        Request::Step(step)
    })
}
