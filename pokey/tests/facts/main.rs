//! POKEY's behaviour as a program sees it through the registers, a test for each fact. Expected values are those of the Acid800
//! tests and of the Altirra Hardware Reference Manual (AHRM), not the chip's own.
mod rig;

mod clocks;
mod keyboard;
mod noise;
mod pots;
mod serial;
mod sound;
mod timers;
mod two_tone;
