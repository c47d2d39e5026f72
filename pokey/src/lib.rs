//! POKEY: timers, interrupts, serial port, keyboard and pot scan, sound levels.
#![no_std]
#![forbid(unsafe_code)]
