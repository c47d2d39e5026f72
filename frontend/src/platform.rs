//! The screen, which differs from one system to the next. Tried on Linux; the other branches build, and were run nowhere.
#[cfg(target_os = "linux")]
mod clicks;
#[cfg(target_os = "linux")]
mod drops;
pub mod pointer;
pub mod screen;
#[cfg(target_os = "linux")]
mod x11;
