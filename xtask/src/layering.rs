//! Checks that each crate depends only on those below it, takes in no file of another one, and that the core stays free of the host.
use std::fs;
use std::path::{Component, Path};

/// Crate, and which crates of the workspace it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("scratch", &[]),
    ("cpu6502", &[]),
    ("antic_gtia", &["scratch"]),
    ("pokey", &["scratch"]),
    ("media", &[]),
    (
        "machine",
        &["cpu6502", "antic_gtia", "pokey", "media", "scratch"],
    ),
    ("roms", &["media"]),
    ("session", &["cpu6502", "machine", "media", "roms"]),
    (
        "debugger",
        &["session", "machine", "media", "cpu6502", "antic_gtia"],
    ),
    ("batch", &["session", "debugger", "machine"]),
    ("python", &[]),
    (
        "python/border",
        &[
            "trial", "host", "batch", "debugger", "session", "machine", "media",
        ],
    ),
    ("web", &["session", "debugger", "machine", "media", "roms"]),
    ("libretro", &["host", "session", "roms", "machine", "media"]),
    ("host", &["media", "machine", "roms", "session", "debugger"]),
    (
        "ui",
        &[
            "cpu6502",
            "antic_gtia",
            "pokey",
            "media",
            "machine",
            "session",
            "debugger",
            "host",
        ],
    ),
    ("dap", &["media", "machine", "session", "debugger", "host"]),
    (
        "trial",
        &["cpu6502", "media", "machine", "session", "debugger", "host"],
    ),
    ("mcp", &["machine", "session", "debugger", "host", "trial"]),
    (
        "frontend",
        &[
            "media", "machine", "roms", "session", "debugger", "host", "ui", "dap", "trial", "mcp",
        ],
    ),
];

/// Crates without the standard library.
const NO_STD: &[&str] = &[
    "scratch",
    "cpu6502",
    "antic_gtia",
    "pokey",
    "media",
    "machine",
];

/// The words that must not occur in the sources of those: the host's clock, threads, files and randomness.
const HOST: &[&str] = &[
    "std::",
    "extern crate std",
    "Instant",
    "SystemTime",
    "thread_local",
    "println!",
];

pub fn run() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut faults = Vec::new();
    for (name, may) in MAY_USE {
        let folder = root.join(name);
        let manifest = read(&folder.join("Cargo.toml"))?;
        for used in used_crates(&manifest) {
            if MAY_USE.iter().any(|(known, _)| *known == used) && !may.contains(&used.as_str()) {
                faults.push(format!("{name} must not depend on {used}"));
            }
        }
        taken_files(&folder, &mut faults)?;
        if NO_STD.contains(name) {
            host_words(name, &folder, &mut faults)?;
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults.join("\n"))
    }
}

/// The files of other crates that a crate takes in with `#[path]`.
fn taken_files(folder: &Path, faults: &mut Vec<String>) -> Result<(), String> {
    let mut files = Vec::new();
    for part in ["src", "tests", "examples"].map(|part| folder.join(part)) {
        if part.is_dir() {
            sources(&part, &mut files)?;
        }
    }
    for file in files {
        let text = read(&file)?;
        let taken = paths(&text).find(|path| leaves(folder, &file, path));
        if let Some(path) = taken {
            faults.push(format!(
                "{}: #[path] takes in a file of another crate: {path}",
                file.display()
            ));
        }
    }
    Ok(())
}

/// The attributes that a crate of the core lacks, and its uses of the host.
fn host_words(name: &str, folder: &Path, faults: &mut Vec<String>) -> Result<(), String> {
    let library = read(&folder.join("src/lib.rs"))?;
    for attribute in ["#![no_std]", "#![forbid(unsafe_code)]"] {
        if !library.contains(attribute) {
            faults.push(format!("{name}/src/lib.rs lacks {attribute}"));
        }
    }
    let mut files = Vec::new();
    sources(&folder.join("src"), &mut files)?;
    for file in files {
        // Tests of the core run on the host and may use it.
        let text = read(&file)?.replace("#[cfg(test)]\nextern crate std;\n", "");
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or("");
        let lines = code.lines().filter(|l| !l.trim_start().starts_with("//"));
        let mut before = "";
        for line in lines {
            let for_tests = std::mem::replace(&mut before, line).contains("#[cfg(test)]");
            if for_tests {
                continue;
            }
            for word in HOST {
                if line.contains(word) && !file.ends_with("tests.rs") {
                    faults.push(format!(
                        "{}: {word} in the core: {}",
                        file.display(),
                        line.trim()
                    ));
                }
            }
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// The names in the tables of ordinary and build dependencies.
fn used_crates(manifest: &str) -> Vec<String> {
    let mut inside = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        let line = line.trim();
        if let Some(table) = line.strip_prefix('[') {
            inside = table.contains("dependencies") && !table.contains("dev-dependencies");
        } else if inside && let Some((name, _)) = line.split_once(['.', '=', ' ']) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The files that a source takes in as modules by `#[path]`.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines.filter_map(|line| line.strip_prefix("#[path = \"")?.strip_suffix("\"]"))
}

/// True if `path`, as `file` names it, is outside of the crate's folder.
fn leaves(folder: &Path, file: &Path, path: &str) -> bool {
    let inside = file.parent().and_then(|at| at.strip_prefix(folder).ok());
    let mut depth = inside.map_or(0, |at| at.components().count());
    Path::new(path).components().any(|part| match part {
        Component::ParentDir => {
            let above = depth.checked_sub(1);
            depth = above.unwrap_or(0);
            above.is_none()
        }
        Component::Normal(_) => {
            depth += 1;
            false
        }
        _ => true,
    })
}

fn sources(folder: &Path, into: &mut Vec<std::path::PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| e.to_string())?.path();
        if path.is_dir() {
            sources(&path, into)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crates_keep_to_their_rooms() {
        run().unwrap();
    }

    #[test]
    fn modules_of_another_crate_are_found() {
        let text =
            "#[path = \"../../pokey/src/pots.rs\"]\nmod pots;\n#[path = \"common/a.rs\"]\nmod a;\n";
        let found: Vec<&str> = paths(text).collect();
        assert_eq!(found, ["../../pokey/src/pots.rs", "common/a.rs"]);
        let leaves = |file, path| leaves(Path::new("/w/gtia"), Path::new(file), path);
        assert!(leaves("/w/gtia/src/lib.rs", found[0]));
        assert!(!leaves("/w/gtia/src/lib.rs", found[1]));
        assert!(!leaves("/w/gtia/tests/a.rs", "../src/b.rs"));
        assert!(leaves("/w/gtia/tests/a.rs", "/w/pokey/src/lib.rs"));
    }

    #[test]
    fn dependencies_are_found_in_every_form() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\nmachine.workspace = true\nmedia = { path = \"..\" }\n\
            [dev-dependencies]\nroms = \"1\"\n";
        assert_eq!(used_crates(manifest), ["machine", "media"]);
    }
}
