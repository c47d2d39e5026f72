//! The programs for aarch64, by qemu.
use super::{can, in_window, lint, program, unpack};
use crate::arm::{self, QEMU};
use crate::{Release, tools};

/// Tries the program without a window.
///
/// # Errors
/// When it does not do what it should.
pub fn headless(release: &Release) -> Result<(), String> {
    if !can("the program for aarch64", &[QEMU]) {
        return Ok(());
    }
    super::headless(
        release,
        "linux-aarch64-headless",
        &[QEMU, "-L", "/usr/aarch64-linux-gnu"],
    )
}

/// Tries the program with its window, and its package.
///
/// # Errors
/// When one does not do what it should.
pub fn window(release: &Release) -> Result<(), String> {
    let folder = unpack(release, "linux-aarch64", ".tar.gz")?;
    lint(release, "arm64")?;
    let path = folder.join("bin/anticlock");
    let before = arm::libraries(release)?.runner();
    let run = || tools::through(&before, &path);
    program(release, "linux-aarch64", &run)?;
    in_window(release, "linux-aarch64", &folder, "", &|words| {
        let runner = before.iter().map(String::as_str);
        let words: Vec<&str> = words.iter().copied().chain(runner).collect();
        tools::through(&words, &path)
    })
}
