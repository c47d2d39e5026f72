//! The views of a debugger: plain data taken from a stopped machine, and the same as lines of text.

mod chips;
mod code;
mod cpu;
mod display_list;
mod memory;
mod picture;

pub use chips::{Antic, ChipRow, Gtia, Pia, Pokey};
pub use code::{CodeLine, code, code_around, code_before};
pub use cpu::{Cpu, Doing};
pub use display_list::{DisplayList, Entry};
pub use memory::{MemoryLine, memory};
pub use picture::Picture;
