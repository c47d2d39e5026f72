//! The window.

mod app;
pub mod canvas;
mod clipboard;
pub mod debug;
pub mod fullscreen;
pub mod gamepad;
pub mod help;
pub mod keyboard;
pub mod pacer;
pub mod rewind;
pub mod scaler;

pub use app::run;
