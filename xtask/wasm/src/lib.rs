//! A machine in WebAssembly, for measuring.
//!
//! `bench.mjs` writes a saved state to where [`room`] says, calls [`load`], then [`run`] and [`copy`].
#![expect(
    unsafe_code,
    reason = "a script calls these functions by their names; the page's bindings would be measured, too"
)]

use machine::{Machine, SoundChange};
use session::sound::Synth;
use std::sync::{Mutex, PoisonError};

/// A machine with its sound.
struct Running {
    machine: Machine,
    synth: Synth,
    changes: Vec<SoundChange>,
    samples: Vec<f32>,
}

static STATE: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

/// Makes room for a saved state of `bytes` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    state.clear();
    state.resize(bytes, 0);
    state.as_mut_ptr()
}

/// Makes the machine of the state, with pictures or without; false if it cannot be made.
#[unsafe(no_mangle)]
pub extern "C" fn load(drawing: bool) -> bool {
    let state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    let running = Machine::from_state(&state, &[], &[]).map(|mut machine| {
        machine.set_drawing(drawing);
        Running {
            synth: Synth::new(machine.config().tv.clock(), 44_100.0, machine.now()),
            machine,
            changes: Vec::new(),
            samples: Vec::new(),
        }
    });
    let mut present = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    *present = running.ok();
    present.is_some()
}

/// Runs frames with their sound.
#[unsafe(no_mangle)]
pub extern "C" fn run(frames: u32) {
    let mut present = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(running) = present.as_mut() else {
        return;
    };
    for _ in 0..frames {
        running.machine.run_frame();
        running.machine.take_sound(&mut running.changes);
        let now = running.machine.now();
        running
            .synth
            .render(&running.changes, now, &mut running.samples);
        running.changes.clear();
        running.samples.clear();
    }
}

/// Copies the machine into another, `times` times.
#[unsafe(no_mangle)]
pub extern "C" fn copy(times: u32) {
    let present = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(running) = present.as_ref() {
        let mut other = running.machine.clone();
        for _ in 0..times {
            std::hint::black_box(&mut other).clone_from(&running.machine);
        }
    }
}
