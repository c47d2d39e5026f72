//! Atari media: bytes to typed ATR, ATX, XEX, CAR, CAS, BAS and LST, and back. No files, no machine.
#![forbid(unsafe_code)]
#![no_std]

extern crate alloc;

pub mod atascii;
pub mod atr;
pub mod atx;
pub mod basic;
pub mod cartridge;
pub mod cas;
pub mod dos2;
mod identity;
pub mod pages;
mod recognise;
pub mod sap;
pub mod xex;

pub use identity::Identity;
pub use recognise::{Kind, STATE_MAGIC, is_for_machine, recognise};
