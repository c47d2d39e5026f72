//! `cargo xtask fuzz`: the crate `fuzz` for an hour.
use std::path::Path;
use std::process::Command;

/// Minutes where none are asked for.
const MINUTES: &str = "60";

/// Runs the targets; options are those of the program `fuzz`.
pub fn run(options: &[&str]) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    // As the tests build it: another selection of packages has other features.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    done(Command::new(cargo).current_dir(&root).args([
        "build",
        "--locked",
        "--quiet",
        "--workspace",
        "--bin",
        "fuzz",
    ]))?;
    let mut fuzz = Command::new(target.join("debug/fuzz"));
    // A file to run, or the list of the targets, has no time.
    if !matches!(options, ["--run" | "--list", ..]) {
        fuzz.args(["--minutes", MINUTES])
            .arg("--keep")
            .arg(target.join("fuzz"));
    }
    done(fuzz.args(options))
}

fn done(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| error.to_string())?;
    if status.success() {
        Ok(())
    } else {
        Err("fuzzing has failed; what is wrong is named above".to_owned())
    }
}
