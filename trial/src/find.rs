//! The files of tests in a folder.
use host::failure::Failure;
use host::files;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders in folders that are looked into.
const DEEPEST: usize = 8;
/// Files of tests that are run at most.
const MOST: usize = 10_000;
/// Lines of a script in which its program is named.
const HEAD: usize = 20;

/// Files of tests: those that are named, and those in the folders that are named, in the order of their names.
///
/// # Errors
/// A path that is not there, or a folder without tests.
pub fn tests(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = BTreeSet::new();
    for path in paths {
        if !path.is_dir() {
            // Whatever it is, its faults are reported when it is read.
            found.insert(path.clone());
            continue;
        }
        let before = found.len();
        search(path, DEEPEST, &mut found);
        if found.len() == before {
            return Err(Failure::file(
                path,
                "there is no test in this folder: no test.toml, no *.test.toml, and no script with a line \"# program: NAME\"",
            ));
        }
        if found.len() > MOST {
            return Err(Failure::file(
                path,
                format!("these are more than {MOST} files of tests"),
            ));
        }
    }
    Ok(found.into_iter().collect())
}

fn search(folder: &Path, deep: usize, found: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // Links are not followed: they may lead in circles.
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_dir() {
            if deep > 0 && !is_aside(&name) && found.len() <= MOST {
                search(&path, deep - 1, found);
            }
        } else if name == "test.toml" || name.ends_with(".test.toml") || names_program(&path) {
            found.insert(path);
        }
    }
}

/// True for a folder that holds no tests.
pub fn is_aside(name: &str) -> bool {
    name.starts_with('.') || name == "node_modules" || name == "target"
}

/// True for a script by the end of its name.
pub fn is_script(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("txt" | "script"))
}

fn names_program(path: &Path) -> bool {
    is_script(path)
        && path.metadata().is_ok_and(|about| about.len() < 1 << 20)
        && files::read(path).is_ok_and(|text| program(&String::from_utf8_lossy(&text)).is_some())
}

/// The program that a script names in a line `# program: NAME`.
pub fn program(script: &str) -> Option<&str> {
    let mut lines = script.lines().take(HEAD);
    lines.find_map(|line| {
        let rest = line.trim().strip_prefix('#')?.trim_start();
        let name = rest.strip_prefix("program:")?.trim();
        (!name.is_empty()).then_some(name)
    })
}
