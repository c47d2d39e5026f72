//! `--watch`: runs the tests again when a file beside them changes.
use crate::{Options, find, once};
use host::failure::Failure;
use host::platform::signals;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Between two looks at the files. They are asked for their times rather than watched by the system: that works on every system and on
/// folders of the network.
const PAUSE: Duration = Duration::from_millis(300);
/// Files whose times are kept.
const MOST: usize = 20_000;

/// A file's time and length.
type Times = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Runs the tests, and again after each change, until a signal comes.
///
/// # Errors
/// The signal.
pub fn run(options: &Options, out: &mut impl Write) -> Result<(), Failure> {
    signals::catch();
    let mut before = times(options);
    let mut repeated = false;
    loop {
        if let Err(failure) = once(options, out) {
            host::failure::tell(failure);
        }
        // A file that has changed meanwhile may be a person's, or one that the build writes: in the second run in a row it is the build's.
        let after = times(options);
        let changed = before != after;
        before = after;
        if changed && !repeated {
            repeated = true;
            continue;
        }
        repeated = false;
        let _ = writeln!(out, "waiting for a change").and_then(|()| out.flush());
        while times(options) == before {
            if let Some(number) = signals::asked() {
                let complete = true;
                return Err(Failure::Signal { number, complete });
            }
            std::thread::sleep(PAUSE);
        }
        before = times(options);
    }
}

fn times(options: &Options) -> Times {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_default();
    let written = [&options.junit, &options.html, &options.lcov];
    let written: Vec<PathBuf> = written
        .into_iter()
        .flatten()
        .map(|file| whole(file))
        .collect();
    let mut times = Times::new();
    for path in &options.paths {
        let folder = if path.is_dir() {
            path
        } else {
            path.parent().unwrap_or(path)
        };
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        look(folder, 8, &mut times);
    }
    times.retain(|path, _| !written.contains(&whole(path)));
    times
}

fn look(folder: &Path, deep: usize, times: &mut Times) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        if times.len() >= MOST {
            return;
        }
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let Ok(about) = entry.metadata() else {
            continue;
        };
        if about.is_dir() {
            if deep > 0 && !find::is_aside(&name) {
                look(&entry.path(), deep - 1, times);
            }
        } else if !name.ends_with(".diff.png") {
            times.insert(entry.path(), (about.modified().ok(), about.len()));
        }
    }
}
