//! The window.

pub mod canvas;
pub mod fullscreen;
pub mod gamepad;
pub mod keyboard;
pub mod pacer;
pub mod rewind;
pub mod scaler;
