//! Chores that are programs of their own, so that they need none of this one's packages: `web/build` builds, serves, measures and tests the
//! page, `xtask/release` makes the archives of a release.
use std::process::Command;

/// Hands the options over to the program of this package.
pub fn run(package: &str, options: &[&str]) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--locked", "--package", package, "--"])
        .args(options)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .status()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("see above".to_owned())
    }
}
