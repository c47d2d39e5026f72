//! The core stays in memory once a frontend has opened it: destructors of thread-local values of Rust's standard library run when their thread
//! ends, and would otherwise be gone with a core that was closed before.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = std::env::var("CARGO_CFG_TARGET_OS");
    if target.is_ok_and(|system| matches!(&system[..], "linux" | "android" | "freebsd")) {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
