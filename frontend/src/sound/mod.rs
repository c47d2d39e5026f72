//! Sound: POKEY's levels to samples, and samples to the sound card.

mod synth;

pub use synth::{Mixing, Synth};
