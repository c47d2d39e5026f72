//! Developer chores: build ROMs, check layering, bench.
fn main() {}
