//! Puts the tasks that come with the program into it, without their solutions.
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("../tasks");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut list = String::from("&[\n");
    for task in sorted(&folder).into_iter().filter(|path| path.is_dir()) {
        writeln!(list, "({:?}, &[", name(&task)).unwrap();
        for file in sorted(&task) {
            let files = if file.is_dir() {
                sorted(&file)
            } else {
                vec![file]
            };
            for file in files {
                let name = file.strip_prefix(&task).unwrap().to_str().unwrap();
                // Solutions stay with the sources.
                if name.starts_with("reference.") || name == "wrong.toml" {
                    continue;
                }
                let path = file.to_str().unwrap();
                writeln!(list, "({name:?}, include_bytes!({path:?})),").unwrap();
            }
        }
        list.push_str("]),\n");
    }
    list.push(']');
    let target = Path::new(&env::var("OUT_DIR").unwrap()).join("tasks.rs");
    fs::write(target, list).unwrap();
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}
