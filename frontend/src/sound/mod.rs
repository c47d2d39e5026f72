//! Samples to the sound card.

pub mod output;
