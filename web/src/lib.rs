//! The computer in a web page: JavaScript's view of a session and of the debugger.
//!
//! Thin on purpose. Rules of the machine, of media and of the past are the session's; this crate turns them into numbers, texts and
//! byte arrays, which is what crosses into a page cheaply. The page itself is in `site`.
//!
//! The macros of wasm-bindgen expand to `unsafe` code, which is why only this crate lifts the workspace's lint. It has none of its own.
#![allow(unsafe_code)]

#[cfg(feature = "inspect")]
mod assembly;
mod controls;
mod drives;
mod emulator;
mod folder;
#[cfg(feature = "inspect")]
mod inspect;
mod journal;
mod listing;
mod options;
mod past;
mod requests;
#[cfg(not(feature = "inspect"))]
mod rest;
mod screen;
mod shadow;

#[cfg(feature = "inspect")]
pub use assembly::assemble;
pub use emulator::Emulator;
pub use folder::{Change, Folder, Outcome};
#[cfg(feature = "inspect")]
pub use inspect::Inspector;
pub use options::Options;
pub use requests::HostRequest;
#[cfg(not(feature = "inspect"))]
pub use rest::complete;
