//! A player of Computer Gammon.
