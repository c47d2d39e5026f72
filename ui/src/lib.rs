//! The user interface in windows of minifb: egui, drawn by the CPU.

pub mod banner;
pub mod debugger;
mod fonts;
pub mod input;
pub mod keys;
pub mod mouse;
pub mod overlay;
pub mod picture;
pub mod raster;
pub mod surface;
pub mod theme;

pub use surface::{Outcome, Surface};
