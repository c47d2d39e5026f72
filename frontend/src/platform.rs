//! What differs from one system to the next: signals, locks, permissions, the screen. Tried on Linux; the other branches build, and were
//! run nowhere.
#[cfg(all(feature = "window", target_os = "linux"))]
mod drops;
pub mod lock;
pub mod permissions;
#[cfg(feature = "window")]
pub mod screen;
pub mod signals;
#[cfg(all(feature = "window", target_os = "linux"))]
mod x11;
