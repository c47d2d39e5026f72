//! Places of the configuration file and of the user's data.
use crate::failure::Failure;
use std::path::{Path, PathBuf};

/// The name that the program had before; its folders are taken over at the first start, its environment variables still
/// read.
const OLD_NAME: &str = "colleen";

/// The path of the configuration file: `ANTICLOCK_CONFIG` (or `COLLEEN_CONFIG`) when that is set, else in the folder that the
/// system gives to programs.
pub fn path() -> PathBuf {
    let named = ["ANTICLOCK_CONFIG", "COLLEEN_CONFIG"];
    if let Some(path) = named.into_iter().find_map(std::env::var_os) {
        return path.into();
    }
    directories::ProjectDirs::from("", "", "anticlock").map_or_else(
        || PathBuf::from("anticlock.toml"),
        |dirs| dirs.config_dir().join("anticlock.toml"),
    )
}

/// Copies the configuration file, and the folder of saved states and games, of the program's old name to where they are
/// looked for now. Nothing that exists is replaced, and the old files stay.
///
/// # Errors
/// A sentence on what could not be copied.
pub fn take_over() -> Result<(), Failure> {
    let project = |name: &str| directories::ProjectDirs::from("", "", name);
    let (Some(old), Some(new)) = (project(OLD_NAME), project("anticlock")) else {
        return Ok(());
    };
    let old_file = old.config_dir().join(format!("{OLD_NAME}.toml"));
    let new_file = new.config_dir().join("anticlock.toml");
    if old_file.is_file() && !new_file.exists() {
        copy(&old_file, &new_file)?;
    }
    let elsewhere = std::env::var_os("ANTICLOCK_DATA").is_some();
    if !elsewhere && old.data_dir().is_dir() && !new.data_dir().exists() {
        copy(old.data_dir(), new.data_dir())?;
    }
    Ok(())
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::file(to, error);
    if from.is_dir() {
        std::fs::create_dir_all(to).map_err(failed)?;
        let entries = std::fs::read_dir(from).map_err(|error| Failure::file(from, error))?;
        for entry in entries.flatten() {
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::copy(from, to).map(drop).map_err(failed)
}

/// The user's table of the needs of files: beside the configuration file.
pub fn needs() -> PathBuf {
    path().with_file_name("needs.txt")
}

/// The folder of saved states.
pub fn states() -> PathBuf {
    data("states")
}

/// The folder of files that built-in games keep.
pub fn games() -> PathBuf {
    data("games")
}

/// The folder of breakpoints, watches and labels, a file for each program.
pub fn debugger() -> PathBuf {
    data("debugger")
}

/// The folder for output of programs that no file of the user's has.
pub fn recovered() -> PathBuf {
    data("recovered")
}

/// The folder for H: and D: of BASIC.
pub fn home() -> PathBuf {
    data("files")
}

/// The file of what the library keeps of titles.
pub fn library() -> PathBuf {
    data("library.toml")
}

/// The folder of pictures that the library has taken of titles. They can be taken again: it lies in the system's folder of caches.
pub fn portraits() -> PathBuf {
    if std::env::var_os("ANTICLOCK_DATA").is_some_and(|name| !name.is_empty()) {
        return data("cache").join("titles");
    }
    directories::ProjectDirs::from("", "", "anticlock").map_or_else(
        || PathBuf::from("titles"),
        |dirs| dirs.cache_dir().join("titles"),
    )
}

/// The folder of pictures and recordings where the configuration names none: the current one. An application that the Finder of macOS starts is in the
/// root of the file system; there it is the user's folder of pictures, or home.
pub fn pictures() -> PathBuf {
    pictures_from(std::env::current_dir().ok().as_deref())
}

fn pictures_from(current: Option<&Path>) -> PathBuf {
    let in_root = current.is_some_and(|folder| folder.parent().is_none());
    let user = directories::UserDirs::new().filter(|_| in_root);
    user.map_or_else(PathBuf::new, |user| {
        user.picture_dir()
            .filter(|folder| folder.is_dir())
            .unwrap_or(user.home_dir())
            .to_owned()
    })
}

/// A folder among the user's data: in `ANTICLOCK_DATA` when that is set, else in the folder that the system gives to programs.
fn data(name: &str) -> PathBuf {
    if let Some(folder) = std::env::var_os("ANTICLOCK_DATA").filter(|name| !name.is_empty()) {
        return PathBuf::from(folder).join(name);
    }
    directories::ProjectDirs::from("", "", "anticlock")
        .map_or_else(|| PathBuf::from(name), |dirs| dirs.data_dir().join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_go_to_the_current_folder_but_for_the_root() {
        let current = std::env::current_dir().unwrap();
        assert_eq!(pictures_from(Some(&current)), PathBuf::new());
        assert_eq!(pictures_from(None), PathBuf::new());
        let root = current.ancestors().last().unwrap();
        let pictures = pictures_from(Some(root));
        assert!(pictures.is_dir(), "{}", pictures.display());
    }
}
