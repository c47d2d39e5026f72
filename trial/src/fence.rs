//! The folder outside of which nothing is read or written.
use host::failure::Failure;
use std::path::{Path, PathBuf};

/// A folder with everything in it, or everything there is.
#[derive(Clone, Debug, Default)]
pub struct Fence(Option<PathBuf>);

impl Fence {
    /// The fence around a folder.
    ///
    /// # Errors
    /// When it is not a folder.
    pub fn around(folder: &Path) -> Result<Self, Failure> {
        let real = folder
            .canonicalize()
            .map_err(|error| Failure::file(folder, error))?;
        if !real.is_dir() {
            return Err(Failure::file(folder, "this is no folder"));
        }
        Ok(Self(Some(real)))
    }

    /// True if there is one.
    pub fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// True if a path, which need not exist, leads to a place within the folder: through all links.
    pub fn has(&self, path: &Path) -> bool {
        let Some(root) = &self.0 else {
            return true;
        };
        if path.symlink_metadata().is_ok() {
            // A link to nothing would be written through.
            return path.canonicalize().is_ok_and(|real| real.starts_with(root));
        }
        // A file to be made: its folder is there already.
        let folder = match path.parent() {
            Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
            Some(folder) => folder,
            None => return false,
        };
        let plain = path
            .file_name()
            .is_some_and(|name| name != ".." && name != ".");
        plain
            && folder
                .canonicalize()
                .is_ok_and(|real| real.starts_with(root))
    }

    /// Checks that a path is within the folder, and says so in a sentence otherwise.
    ///
    /// # Errors
    /// A path outside of the folder.
    pub fn check(&self, path: &Path) -> Result<(), Failure> {
        if self.has(path) {
            return Ok(());
        }
        Err(Failure::file(
            path,
            "this is outside of the folder, or is not there",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_is_reached_by_dots_or_links() {
        let top = tempfile::tempdir().unwrap();
        let inside = top.path().join("in");
        std::fs::create_dir_all(inside.join("deep")).unwrap();
        std::fs::write(top.path().join("secret"), "x").unwrap();
        std::fs::write(inside.join("a"), "x").unwrap();
        let fence = Fence::around(&inside).unwrap();
        for path in ["a", "new.png", "deep", "deep/new", "deep/../a"] {
            assert!(fence.has(&inside.join(path)), "{path}");
        }
        for path in [
            "../secret",
            "../new",
            "deep/../../secret",
            "/etc/passwd",
            "none/new",
            "..",
            "deep/..",
        ] {
            let reached = fence.has(&inside.join(path));
            assert_eq!(reached, path == "deep/..", "{path}");
        }
        #[cfg(unix)]
        {
            let link =
                |to: &str, name: &str| std::os::unix::fs::symlink(to, inside.join(name)).unwrap();
            link("../secret", "out");
            link("..", "up");
            link("../made", "dangling");
            link("a", "ours");
            for path in ["out", "up/secret", "up/new", "dangling"] {
                assert!(!fence.has(&inside.join(path)), "{path}");
            }
            assert!(fence.has(&inside.join("ours")));
        }
        assert!(Fence::default().has(Path::new("/etc/passwd")));
        assert!(Fence::around(&inside.join("a")).is_err());
    }
}
