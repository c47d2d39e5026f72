//! Signals that ask the program to end: the window or the run ends as if it had been closed.
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What was asked for; 0 = nothing.
static ASKED: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// The signals, as far as the system has them.
#[cfg(unix)]
const ENDING: [i32; 3] = [
    signal_hook::consts::SIGTERM,
    signal_hook::consts::SIGHUP,
    signal_hook::consts::SIGINT,
];
#[cfg(not(unix))]
const ENDING: [i32; 2] = [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT];

/// From now on the signals do not end the process, but are told by [`asked`]. A second ^C ends it at once.
pub fn catch() {
    let asked = ASKED.get_or_init(Arc::default);
    let again = Arc::new(AtomicBool::new(false));
    let interrupt = signal_hook::consts::SIGINT;
    // First the one that looks at the flag, then the one that sets it.
    let status = 128 + interrupt;
    let _ = signal_hook::flag::register_conditional_shutdown(interrupt, status, Arc::clone(&again));
    let _ = signal_hook::flag::register(interrupt, again);
    for signal in ENDING {
        // Where the system refuses, the signal ends the process as before.
        let _ = signal_hook::flag::register_usize(signal, Arc::clone(asked), signal as usize);
    }
}

/// From now on ^C sets a flag; once more before it is cleared, it ends the process.
pub fn interrupt(flag: &Arc<AtomicBool>) {
    let signal = signal_hook::consts::SIGINT;
    let _ =
        signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(flag));
    let _ = signal_hook::flag::register(signal, Arc::clone(flag));
}

/// The number of the signal that asked the program to end.
pub fn asked() -> Option<u8> {
    let signal = ASKED.get()?.load(Ordering::Relaxed);
    (signal != 0).then_some(signal as u8)
}
