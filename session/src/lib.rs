//! A machine in use, without a host: what stands between the bare machine and everything with a face.
//!
//! Nothing in this crate reads a clock, a file, the environment or randomness.
#![forbid(unsafe_code)]
