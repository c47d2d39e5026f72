//! Programs of others, and files.
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// True if a program of this name is on the search path.
pub fn have(name: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(name).is_file()))
}

fn described(command: &Command) -> String {
    let arguments = command.get_args().map(|word| word.to_string_lossy());
    let words = [command.get_program().to_string_lossy()]
        .into_iter()
        .chain(arguments);
    words.take(6).collect::<Vec<_>>().join(" ")
}

/// Runs a command to its end.
///
/// # Errors
/// When it cannot be run or fails.
pub fn run(command: &mut Command) -> Result<(), String> {
    let what = described(command);
    let status = command
        .status()
        .map_err(|error| format!("{what}: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{what}: {status}"))
    }
}

/// The standard output of a command, without white space around it.
///
/// # Errors
/// When it cannot be run, fails, or prints no UTF-8.
pub fn output(command: &mut Command) -> Result<String, String> {
    let what = described(command);
    let output = command
        .output()
        .map_err(|error| format!("{what}: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        // The status with which `timeout` says that it had to end the program.
        if command.get_program() == "timeout" && output.status.code() == Some(124) {
            return Err(format!(
                "{what}: it took too long: the computer may be busy"
            ));
        }
        return Err(format!("{what}: {}: {}", output.status, said.trim()));
    }
    let text = String::from_utf8(output.stdout).map_err(|error| format!("{what}: {error}"))?;
    Ok(text.trim().to_owned())
}

/// The version in the workspace's `Cargo.toml`.
///
/// # Errors
/// When the file cannot be read or has none.
pub fn workspace_version(root: &Path) -> Result<String, String> {
    let path = root.join("Cargo.toml");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let quoted = text
        .lines()
        .find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    quoted
        .map(str::to_owned)
        .ok_or_else(|| format!("{} has no version", path.display()))
}

/// The path from the root folder, for commands that run elsewhere.
///
/// # Errors
/// When there is no such file.
pub fn absolute(path: &Path) -> Result<PathBuf, String> {
    path.canonicalize()
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a file and the folders that it is in.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), String> {
    let folder = path.parent().ok_or("a file without a folder")?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, bytes))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Copies a file, with its permissions, and makes the folders that it is in.
///
/// # Errors
/// When it cannot be copied.
pub fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let folder = to.parent().ok_or("a file without a folder")?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::copy(from, to).map(|_| ()))
        .map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

/// An empty folder; what was in it is deleted.
///
/// # Errors
/// When it cannot be made.
pub fn empty(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Copies all files in a folder into another one.
///
/// # Errors
/// When one cannot be copied.
pub fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    let read = fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))?;
    for entry in read {
        let entry = entry.map_err(|error| format!("{}: {error}", from.display()))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy_folder(&source, &target)?;
        } else {
            copy(&source, &target)?;
        }
    }
    Ok(())
}

/// The mirror that this computer's packages come from: there may be no other.
pub fn mirror() -> Option<String> {
    let apt = Command::new("apt-get")
        .args([
            "indextargets",
            "--format",
            "$(SITE)",
            "Created-By: Packages",
        ])
        .output()
        .ok()?;
    let text = String::from_utf8(apt.stdout).ok()?;
    text.lines().next().map(str::to_owned)
}

/// The name of this computer's release of Debian or its kin.
///
/// # Errors
/// When the system does not say it.
pub fn code_name() -> Result<String, String> {
    output(Command::new("sh").args(["-c", ". /etc/os-release; echo $VERSION_CODENAME"]))
}

/// A program, run by another one if `before` names one.
pub fn through<S: AsRef<OsStr>>(before: &[S], path: &Path) -> Command {
    match before {
        [] => Command::new(path),
        [runner, options @ ..] => {
            let mut command = Command::new(runner);
            command.args(options).arg(path);
            command
        }
    }
}
