//! OS, BASIC and the games: built images and their symbols.
#![forbid(unsafe_code)]
