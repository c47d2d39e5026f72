//! The window.

mod app;
pub mod clipboard;
pub mod debug;
pub mod gamepad;
pub mod keyboard;
pub mod pacer;
#[cfg(test)]
mod typing_tests;

pub use app::{run, show};
