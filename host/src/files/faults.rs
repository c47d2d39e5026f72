//! Faults of the file system that a test asks for: at the n-th operation of its thread.
use std::cell::Cell;
use std::io::{self, ErrorKind};

/// Fault at an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The disk is full, this once.
    Once,
    /// The disk is full from then on.
    Full,
    /// The process is killed: a panic with [`Killed`], and nothing is written any more.
    Kill,
}

/// The payload of that panic.
#[derive(Debug)]
pub struct Killed;

thread_local! {
    /// Operations until the fault, and which.
    static PLAN: Cell<Option<(usize, Fault)>> = const { Cell::new(None) };
    static HAPPENED: Cell<bool> = const { Cell::new(false) };
}

/// Plans a fault after this many operations; `None`: the disk is as good as new.
pub fn plan(fault: Option<(usize, Fault)>) {
    PLAN.set(fault);
    HAPPENED.set(false);
}

/// True if the fault has come.
pub fn happened() -> bool {
    HAPPENED.get()
}

pub(super) fn step() -> io::Result<()> {
    let Some((left, fault)) = PLAN.get() else {
        return Ok(());
    };
    if left > 0 {
        PLAN.set(Some((left - 1, fault)));
        return Ok(());
    }
    HAPPENED.set(true);
    if fault == Fault::Once {
        PLAN.set(None);
    }
    if fault == Fault::Kill {
        std::panic::panic_any(Killed);
    }
    Err(ErrorKind::StorageFull.into())
}
