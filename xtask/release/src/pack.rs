//! Archives whose bytes depend on nothing but what is in them.
use super::{Archive, Release, tools};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

impl Release {
    /// Packs a folder under `work/staged` into an archive whose name ends with `ending`.
    ///
    /// # Errors
    /// When the packer fails.
    pub fn archive(&self, name: &str, ending: &str) -> Result<Archive, String> {
        let staged = self.staged(name);
        let file = self.out.join(format!("{name}{ending}"));
        pack(self, &staged, &file)?;
        Ok(Archive {
            file,
            staged: Some(staged),
        })
    }

    /// The folder that an archive of this name is packed from.
    pub fn staged(&self, name: &str) -> std::path::PathBuf {
        self.work.join("staged").join(name)
    }
}

/// Packs a folder into a `.tar.gz`, `.zip`, `.vsix`, `.whl` or `.deb`. In the first two the folder's name is the first part of every path.
///
/// # Errors
/// When the packer fails.
pub fn pack(release: &Release, staged: &Path, archive: &Path) -> Result<(), String> {
    let folder = staged.parent().ok_or("a staged folder without a parent")?;
    let name = staged.file_name().ok_or("a staged folder without a name")?;
    let out = archive.parent().ok_or("an archive without a folder")?;
    fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
    if archive.exists() {
        fs::remove_file(archive).map_err(|error| format!("{}: {error}", archive.display()))?;
    }
    // Modes depend on the user's umask, times on when it was staged.
    tools::run(
        Command::new("chmod")
            .args(["-R", "u=rwX,go=rX"])
            .arg(staged),
    )?;
    set_times(staged, UNIX_EPOCH + Duration::from_secs(release.epoch))
        .map_err(|error| format!("times in {} cannot be set: {error}", staged.display()))?;
    match archive.extension().and_then(|ending| ending.to_str()) {
        Some("gz") => {
            let file = fs::File::create(archive)
                .map_err(|error| format!("{}: {error}", archive.display()))?;
            let mut tar = Command::new("tar");
            tar.args([
                "--sort=name",
                "--owner=0",
                "--group=0",
                "--numeric-owner",
                "--format=ustar",
                "-cf",
                "-",
                "-C",
            ]);
            tar.arg(folder).arg(name).stdout(Stdio::piped());
            let mut tar = tar.spawn().map_err(|error| format!("tar: {error}"))?;
            let made = tar.stdout.take().ok_or("tar has no output")?;
            tools::run(
                Command::new("gzip")
                    .args(["-9", "-n"])
                    .stdin(made)
                    .stdout(file),
            )?;
            let status = tar.wait().map_err(|error| format!("tar: {error}"))?;
            if status.success() {
                Ok(())
            } else {
                Err(format!("tar: {status}"))
            }
        }
        Some("zip") => zip(folder, name.as_ref(), archive),
        Some("vsix" | "whl") => zip(staged, ".".as_ref(), archive),
        Some("deb") => tools::run(
            Command::new("dpkg-deb")
                .args(["--root-owner-group", "-Zxz", "-z9", "--build"])
                .arg(staged)
                .arg(archive)
                .stdout(Stdio::null())
                .env("SOURCE_DATE_EPOCH", release.epoch.to_string()),
        ),
        _ => Err(format!("no packer for {}", archive.display())),
    }
}

/// Sets the times of a folder and of all that is in it, which has no links.
fn set_times(path: &Path, time: SystemTime) -> std::io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            set_times(&entry?.path(), time)?;
        }
    }
    fs::File::open(path)?.set_modified(time)
}

/// Packs all files below `what` in a folder.
fn zip(folder: &Path, what: &Path, archive: &Path) -> Result<(), String> {
    let list = tools::output(
        Command::new("find")
            .arg(what)
            .args(["-type", "f"])
            .current_dir(folder),
    )?;
    let mut files: Vec<&str> = list.lines().collect();
    files.sort_unstable();
    let mut zip = Command::new("zip");
    zip.args(["-q", "-9", "-X", "-nw"]).arg(archive).args(files);
    tools::run(zip.current_dir(folder).env("TZ", "UTC"))
}
