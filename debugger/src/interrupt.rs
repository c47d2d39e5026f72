//! The request to end a step, from another thread.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends a debugger's run, at the end of the present frame. Copies share the request.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks for the end.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Withdraws the request.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// True if the end was asked for.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag that a signal handler sets.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}
