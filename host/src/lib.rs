//! The host of a session: files, folders and configuration, the options that choose a machine, and how failures are told.

pub mod basic_check;
pub mod canvas;
pub mod config;
pub mod debug_files;
pub mod failure;
pub mod files;
mod found;
mod host;
pub mod hosted;
pub mod hostfolder;
pub mod library;
pub mod options;
pub mod packed;
pub mod platform;
pub mod playlist;
pub mod recovery;
pub mod scaler;
pub mod screenshot;
pub mod started;
pub mod tube;
pub mod when;

pub use found::{Found, remember, remember_keys};
pub use host::{Host, name_of, read_disk, write_recording};
