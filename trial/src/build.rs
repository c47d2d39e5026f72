//! The command that builds a program.
use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A build that takes longer is ended: nothing waits for a tool that asks a question or hangs.
const LIMIT: Duration = Duration::from_secs(300);

/// Bytes of a command's output that are shown.
const SHOWN: u64 = 4000;

/// Runs a command in a folder, by the system's shell, for five minutes at most.
///
/// # Errors
/// A sentence, and the command's output.
pub fn run(command: &str, folder: &Path) -> Result<(), String> {
    run_within(LIMIT, command, folder)
}

fn run_within(limit: Duration, command: &str, folder: &Path) -> Result<(), String> {
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
    let cannot = |error: std::io::Error| format!("the build cannot be started: {error}");
    // A file and no pipe: processes that the command has started may live longer and keep a pipe open.
    let mut output = tempfile::tempfile().map_err(cannot)?;
    let mut builder = Command::new(shell);
    builder
        .arg(option)
        .arg(command)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(output.try_clone().map_err(cannot)?)
        .stderr(output.try_clone().map_err(cannot)?);
    let mut child = builder.spawn().map_err(cannot)?;
    let status = wait(&mut child, limit).map_err(cannot)?;
    if status.is_some_and(|status| status.success()) {
        return Ok(());
    }
    let ended = match status.map(|status| status.code()) {
        None => format!("has not ended within {} s", limit.as_secs()),
        Some(None) => "was ended by a signal".to_owned(),
        Some(Some(code)) => format!("ended with status {code}"),
    };
    let mut printed = Vec::new();
    output.rewind().map_err(cannot)?;
    output
        .take(SHOWN)
        .read_to_end(&mut printed)
        .map_err(cannot)?;
    let printed = String::from_utf8_lossy(&printed);
    Err(format!(
        "the build {ended}: {command}\n{}",
        printed.trim_end()
    ))
}

/// Waits for the end of a command; `None` if it had to be ended.
fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_build_that_hangs_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let command = "echo begun; exec sleep 1000";
        let limit = Duration::from_secs(1);
        let sentence = run_within(limit, command, folder.path()).unwrap_err();
        assert_eq!(
            sentence,
            format!("the build has not ended within 1 s: {command}\nbegun")
        );
    }

    #[test]
    fn a_build_that_fails_says_what_it_has_printed() {
        let sentence = run("echo out && echo err >&2 && exit 3", Path::new("")).unwrap_err();
        assert!(sentence.starts_with("the build ended with status 3: "));
        assert!(
            sentence.contains("out") && sentence.contains("err"),
            "{sentence}"
        );
        run("exit 0", Path::new(".")).unwrap();
    }
}
