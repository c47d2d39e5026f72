//! The core stays in memory once a frontend has opened it: destructors of thread-local values of Rust's standard library run when their thread
//! ends, and would otherwise be gone with a core that was closed before. On a Mac it has a name of its own in place of the path at which it
//! was built.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let argument = match &target[..] {
        "linux" | "android" | "freebsd" => "-Wl,-z,nodelete",
        "macos" => "-Wl,-install_name,@rpath/anticlock_libretro.dylib",
        _ => return,
    };
    println!("cargo::rustc-cdylib-link-arg={argument}");
}
