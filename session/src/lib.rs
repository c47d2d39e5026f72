//! A machine in use, without a host: what stands between the bare machine and everything with a face.
//!
//! Nothing in this crate reads a clock, a file, the environment or randomness.
#![forbid(unsafe_code)]

pub mod built_in;
pub mod keys;
mod media;
pub mod picture;
mod program;
pub mod script;
mod session;
mod setup;
pub mod sound;
pub mod timeline;
pub mod typist;

pub use crate::media::{Answer, Ask, MediumId, Mount, Refused, Request, RequestId};
pub use built_in::BuiltIn;
pub use program::{Kind, Origin, Program, ProgramError, listing};
pub use session::{Outcome, Session, Why};
pub use setup::{DRIVES, MediumFile, Setup, SetupError, rom_name};
