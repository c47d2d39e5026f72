//! Sound: POKEY's levels to samples, and samples to the sound card.

#[cfg(feature = "sound")]
pub mod output;
mod synth;

pub use synth::{Mixing, Synth};
