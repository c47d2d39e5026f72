//! Screen, mouse, dropped files, keys and console, which differ from one system to the next. Linux (X11) and Windows have all of them; a Mac has
//! the files that are opened in its Finder; elsewhere the window does without.
pub mod console;
pub mod events;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(any(windows, test))]
mod modifiers;
#[cfg(not(any(target_os = "linux", windows)))]
#[cfg_attr(
    target_os = "macos",
    expect(dead_code, reason = "a Mac has some of it")
)]
mod none;
pub mod pointer;
pub mod screen;
#[cfg(windows)]
mod windows;
#[cfg(target_os = "linux")]
mod x11;

#[cfg(target_os = "macos")]
use macos as system;
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
use none as system;
#[cfg(windows)]
use windows as system;
#[cfg(target_os = "linux")]
use x11 as system;
