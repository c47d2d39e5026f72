//! The computer in a web page: JavaScript's view of a session and of the debugger.
//!
//! Thin on purpose. Rules of the machine, of media and of the past are the session's; this crate turns them into structures, words, numbers and byte
//! arrays, whose types the page's compiler knows. The page itself is in `site`.
//!
//! Three things cross without a type of their own. The options of a machine are text, because links and the browser's storage hold them in this form,
//! and its one parser ([`Options`]) says what is wrong with it. Joysticks and console keys are bits, because the page puts together what its
//! keyboard, gamepads and buttons on the screen hold. The panels' longer texts are the debugger's own lines, which are only shown.
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
#[cfg(feature = "inspect")]
mod rows;
mod screen;
mod shadow;
mod words;

#[cfg(feature = "inspect")]
pub use assembly::assemble;
pub use drives::{CartridgeState, DiskState, TapeState};
pub use emulator::{BuiltIn, Emulator, News};
pub use folder::{Change, Folder, Outcome};
#[cfg(feature = "inspect")]
pub use inspect::Inspector;
pub use listing::Mistake;
pub use options::{Choice, Options};
pub use requests::HostRequest;
#[cfg(not(feature = "inspect"))]
pub use rest::complete;
#[cfg(feature = "inspect")]
pub use rows::{
    Beam, BreakpointRow, CodeRow, Explanation, Processor, SourceRow, WatchRow, WrongLine,
};
pub use words::{Density, FileKind, Keys, ProgramKind, RequestKind};
