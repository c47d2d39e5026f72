//! ANTIC and GTIA, and the link between them.
//!
//! [`Antic`] plans every scan line into a table of 114 slots that says what happens in each machine cycle; the machine
//! carries the plan out, hands ANTIC the bytes it fetches and lets the processor run in the free cycles. The fetched
//! bytes become [`AnBus`], the codes on the AN lines for every colour clock of the line. [`Gtia`] turns them into
//! colour indexes, lazily: whatever changes the picture first calls [`Gtia::sync_to`].
#![no_std]
#![forbid(unsafe_code)]

pub mod antic;
pub mod gtia;

pub use antic::{AnBus, Antic, slot};
pub use gtia::Gtia;

/// Machine cycles of a scan line.
pub const CYCLES: usize = 114;
/// Colour clocks of a scan line.
pub const COLOUR_CLOCKS: usize = 228;
/// The first colour clock that is not horizontal blank.
pub const FIRST_VISIBLE: usize = 34;
/// The colour clock after the last one that is not horizontal blank.
pub const END_VISIBLE: usize = 222;
/// Hires pixels of a line of the picture.
pub const WIDTH: usize = 2 * (END_VISIBLE - FIRST_VISIBLE);
