//! The harness of the whole-machine tests.
#![forbid(unsafe_code)]
