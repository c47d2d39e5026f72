//! The Atari: bus, memory banks, PIA, cartridges, serial bus, run loop, save states.
#![no_std]
#![forbid(unsafe_code)]
