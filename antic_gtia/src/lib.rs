//! ANTIC and GTIA, and the link between them.
#![no_std]
#![forbid(unsafe_code)]
