//! Signals that ask the program to end: the window or the run ends as if it had been closed.
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Once};

/// Number of the signal that asked the program to end; 0: none did.
static ASKED: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);
static CAUGHT: Once = Once::new();

/// From now on the signals do not end the process, but are told by [`asked`]. A second ^C or SIGTERM ends it at once.
pub fn catch() {
    CAUGHT.call_once(watch);
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
    let signal = ASKED.load(Ordering::Relaxed);
    (signal != 0).then_some(signal as u8)
}

/// A thread takes the signals one after the other.
#[cfg(unix)]
fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use std::time::{Duration, Instant};

    /// `timeout` and shells send a signal to the process and to its group: within this time it is one.
    const ECHO: Duration = Duration::from_millis(200);

    // Where the system refuses, the signals end the process as before.
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT]) else {
        return;
    };
    std::thread::spawn(move || {
        let mut first: Vec<(i32, Instant)> = Vec::new();
        for signal in signals.forever() {
            ASKED.store(signal as usize, Ordering::Relaxed);
            match first.iter().find(|(known, _)| *known == signal) {
                None => first.push((signal, Instant::now())),
                // Terminals that are closed send SIGHUP more than once.
                Some((SIGHUP, _)) => {}
                Some((_, since)) if since.elapsed() < ECHO => {}
                Some(_) => std::process::exit(128 + signal),
            }
        }
    });
}

/// Signals set a flag; the second of a kind ends the process.
#[cfg(not(unix))]
fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM};

    for signal in [SIGTERM, SIGINT] {
        let again = Arc::new(AtomicBool::new(false));
        // First the one that looks at the flag, then the one that sets it.
        let status = 128 + signal;
        let _ =
            signal_hook::flag::register_conditional_shutdown(signal, status, Arc::clone(&again));
        let _ = signal_hook::flag::register(signal, again);
        let _ = signal_hook::flag::register_usize(signal, Arc::clone(&ASKED), signal as usize);
    }
}
