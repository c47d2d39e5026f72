//! `colleen`, the program.
fn main() {}
