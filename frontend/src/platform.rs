//! Screen, mouse, dropped files, keys and console, which differ from one system to the next. Linux (X11) and Windows have all of them; elsewhere the
//! window does without.
pub mod console;
pub mod events;
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
