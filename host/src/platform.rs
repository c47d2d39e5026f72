//! Differences between systems: signals, locks, permissions. Tried on Linux; the other branches build, and were run nowhere.
pub mod lock;
pub mod permissions;
pub mod signals;
