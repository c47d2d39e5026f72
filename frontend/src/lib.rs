//! Everything a person touches: window, sound, keys, files, command line. The only crate with input and output.

pub mod cli;
pub mod failure;
pub mod files;
pub mod keys;
pub mod screenshot;
pub mod script;
pub mod typing;
pub mod wav;
