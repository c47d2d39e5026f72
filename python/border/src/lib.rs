//! The Python module `anticlock._anticlock`, on which the package `anticlock` is built: machines and BASIC.
//!
//! Everything that runs a machine lets other threads of Python run meanwhile. A mistake of the caller is an exception with one sentence. A
//! panic is caught at the border: it becomes a `RuntimeError`, and its machine is closed.
#![forbid(unsafe_code)]

mod basic;
mod batch;
mod held;
mod inner;
mod machine;
mod options;
mod tasks;
mod why;

use pyo3::prelude::*;

/// The machine of the package `anticlock`, whose classes use it.
#[pymodule]
pub mod _anticlock {
    #[pymodule_export]
    use crate::basic::{check, detokenize, tokenize};
    #[pymodule_export]
    use crate::batch::{Batch, Saved, Start, controls, tasks};
    #[pymodule_export]
    use crate::machine::{Machine, programs};
    #[pymodule_export]
    use crate::tasks::{Task, all_tasks};
}
