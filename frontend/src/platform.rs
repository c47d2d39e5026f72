//! Screen, mouse, dropped files, keys and console, which differ from one system to the next. Linux (X11) has all of them, Windows all but the
//! mouse's own events; elsewhere the window does without.
#[cfg(target_os = "linux")]
mod clicks;
pub mod console;
pub mod keys;
#[cfg(any(windows, test))]
mod modifiers;
#[cfg(not(any(target_os = "linux", windows)))]
mod none;
pub mod pointer;
pub mod screen;
#[cfg(windows)]
mod windows;
#[cfg(target_os = "linux")]
mod x11;

#[cfg(not(any(target_os = "linux", windows)))]
use none as system;
#[cfg(windows)]
use windows as system;
#[cfg(target_os = "linux")]
use x11 as system;
