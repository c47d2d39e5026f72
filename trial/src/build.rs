//! The command that builds a program.
use std::path::Path;
use std::process::{Command, Stdio};

/// Bytes of a command's output that are shown.
const SHOWN: usize = 4000;

/// Runs a command in a folder, by the system's shell.
///
/// # Errors
/// A sentence, and what the command has printed.
pub fn run(command: &str, folder: &Path) -> Result<(), String> {
    let (shell, option) = if cfg!(windows) {
        ("cmd", "/C")
    } else {
        ("sh", "-c")
    };
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let output = Command::new(shell)
        .arg(option)
        .arg(command)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("the build cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let mut printed = output.stderr;
    printed.extend(output.stdout);
    printed.truncate(SHOWN);
    let printed = String::from_utf8_lossy(&printed);
    let ended = output.status.code().map_or_else(
        || "was ended by a signal".to_owned(),
        |status| format!("ended with status {status}"),
    );
    Err(format!(
        "the build {ended}: {command}\n{}",
        printed.trim_end()
    ))
}
