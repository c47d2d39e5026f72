//! An owner of machines, in a lock: other threads of Python run meanwhile, and a panic closes it.
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A `ValueError` with this sentence in one line: of a text of several the lines are put together, without those that only mark a column.
pub fn value(error: impl std::fmt::Display) -> PyErr {
    let text = error.to_string();
    let lines = text.split(char::is_control).map(str::trim);
    let parts: Vec<_> = lines.filter(|line| !matches!(*line, "" | "^")).collect();
    PyValueError::new_err(parts.join(" "))
}

/// Does something while other threads of Python run; a panic becomes a `RuntimeError`.
pub fn apart<R: Send>(py: Python<'_>, act: impl FnOnce() -> PyResult<R> + Send) -> PyResult<R> {
    py.detach(|| {
        catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|_| {
            Err(PyRuntimeError::new_err(
                "a fault of Anticlock, please report it",
            ))
        })
    })
}

/// A value that can be closed. All methods may be called from any thread; calls of several threads come one after the other.
#[derive(Debug)]
pub struct Held<T> {
    name: &'static str,
    inner: Mutex<Option<Box<T>>>,
}

impl<T: Send> Held<T> {
    /// `name` is the word for it in messages.
    pub fn new(name: &'static str, inner: T) -> Self {
        Self {
            name,
            inner: Mutex::new(Some(Box::new(inner))),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Box<T>>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with it while other threads of Python run. A panic closes it.
    pub fn with<R: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut T) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        py.detach(|| {
            let mut guard = self.lock();
            let name = self.name;
            let Some(inner) = guard.as_deref_mut() else {
                return Err(value(format!("this {name} is closed")));
            };
            let done = catch_unwind(AssertUnwindSafe(|| act(inner)));
            done.unwrap_or_else(|_| {
                *guard = None;
                Err(PyRuntimeError::new_err(format!(
                    "a fault of Anticlock, please report it; this {name} is closed"
                )))
            })
        })
    }

    /// Lets go of it.
    pub fn close(&self, py: Python<'_>) {
        py.detach(|| *self.lock() = None);
    }

    /// True after [`Self::close`].
    pub fn is_closed(&self, py: Python<'_>) -> bool {
        py.detach(|| self.lock().is_none())
    }
}
