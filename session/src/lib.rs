//! A machine in use, without a host: the layer between the bare machine and everything with a face.
//!
//! ```
//! use session::picture::{Look, Settings};
//! use session::sound::Listener;
//! use session::{Session, Setup};
//!
//! let mut session = Session::new(Setup::for_file("hello.lst", b"10 PRINT \"HELLO\"\n")?)?;
//! let mut listener = Listener::new(&session, 44_100.0);
//! session.type_text("PRINT 6*7\\n")?;
//! session.controls().joysticks[0].trigger = true;
//! for _ in 0..400 {
//!     session.run_frame();
//!     let samples: &[f32] = listener.frame(&mut session);
//!     assert!(samples.len() > 700);
//! }
//! assert!(session.text().contains("HELLO") && session.text().contains("42"));
//! let look = Look::new(session.machine().config().tv, &Settings::<String>::default(), None)?;
//! assert_eq!(look.rgb_of(session.picture()).len(), 376 * 240);
//! let state = session.save_state();
//! session.load_state(&state)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Writes of a program to its disks leave as [`Request`]s, which the host answers when it can: see [`Session::requests`]. The past is
//! [`Session::remember`]ed and gone [`Session::back`] to.
//!
//! Nothing in this crate reads a clock, a file, the environment or randomness.
#![forbid(unsafe_code)]

mod boot;
pub mod built_in;
pub mod folder;
mod host_keys;
mod key_queue;
pub mod keys;
mod media;
pub mod mouse;
mod needs;
pub mod picture;
mod program;
pub mod script;
mod session;
mod setup;
mod sine;
pub mod sound;
mod stops;
pub mod timeline;
mod track;
pub mod typist;
pub mod voices;

pub use crate::media::{
    Answer, Ask, Columns, Copy, CopyId, MediumId, Mount, Place, Printed, Refused, Request,
    RequestId,
};
pub use built_in::{BuiltIn, add_dos, blank_disk, dos_disk};
pub use host_keys::HostKeys;
pub use key_queue::KeyQueue;
pub use needs::{Choice, Finding, Needs, TableError};
pub use program::{Kind, Origin, Program, ProgramError, Source, Tune, listing};
pub use session::{Hardware, Outcome, Plugged, Session, SnapshotError, Trouble, Why};
pub use setup::{DRIVES, MediumFile, Setup, SetupError, rom_name};
pub use stops::Stops;
pub use track::Track;
