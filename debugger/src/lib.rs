//! Probes, breakpoints, DLI and beam views. No window.
#![forbid(unsafe_code)]
