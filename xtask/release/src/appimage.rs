//! The AppImage: one file that runs on any Linux. It is the runtime of AppImage (type 2), which mounts or unpacks what follows it: a file system
//! (SquashFS) with the program and its place in the desktop.
use super::compile::Build;
use super::{Archive, Release, parts, tools};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Names the file of the runtime.
const RUNTIME: &str = "APPIMAGE_RUNTIME";
/// Where the runtime is published.
const URL: &str =
    "https://github.com/AppImage/type2-runtime/releases/download/continuous/runtime-x86_64";

/// Name of the file.
pub fn file(release: &Release) -> PathBuf {
    let name = release.name("linux-x86_64") + ".AppImage";
    release.out.join(name)
}

/// Makes the AppImage of a program.
///
/// # Errors
/// When there is no runtime, or a step fails.
pub fn make(release: &Release, build: &Build) -> Result<Vec<Archive>, String> {
    let runtime = runtime(release)?;
    let compiled = build.compile(release)?;
    let staged = release.stage("AppDir")?;
    let usr = staged.join("usr");
    tools::copy(&compiled.stripped, &usr.join("bin/anticlock"))?;
    parts::share(&[], &compiled.stripped, &usr.join("share"))?;
    release.papers(&usr.join("share/doc/anticlock"))?;
    for (name, to) in [
        ("AppRun", "usr/bin/anticlock"),
        (
            "anticlock.desktop",
            "usr/share/applications/anticlock.desktop",
        ),
        (
            "anticlock.png",
            "usr/share/icons/hicolor/64x64/apps/anticlock.png",
        ),
        (".DirIcon", "anticlock.png"),
    ] {
        symlink(to, staged.join(name)).map_err(|error| format!("{name}: {error}"))?;
    }
    let file = file(release);
    join(release, &runtime, &staged, &file)?;
    // A second time: the bytes must be the same.
    let again = release.work.join("again/AppImage");
    join(release, &runtime, &staged, &again)?;
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    if read(&file)? != read(&again)? {
        return Err("the AppImage has other bytes when it is packed again".to_owned());
    }
    Ok(vec![Archive { file, staged: None }])
}

/// Packs a folder behind the runtime.
fn join(release: &Release, runtime: &Path, staged: &Path, file: &Path) -> Result<(), String> {
    let system = release.work.join("AppImage.squashfs");
    tools::run(
        Command::new("mksquashfs")
            .arg(staged)
            .arg(&system)
            .args([
                "-noappend",
                "-all-root",
                "-no-xattrs",
                "-quiet",
                "-no-progress",
            ])
            // Every runtime reads it; what is denser is known to some only.
            .args(["-comp", "gzip", "-b", "1M"])
            .args(["-all-time", &release.epoch.to_string()])
            .args(["-mkfs-time", &release.epoch.to_string()])
            .env_remove("SOURCE_DATE_EPOCH")
            .stdout(Stdio::null()),
    )?;
    let mut bytes = fs::read(runtime).map_err(|error| format!("{}: {error}", runtime.display()))?;
    bytes.extend(fs::read(&system).map_err(|error| format!("{}: {error}", system.display()))?);
    tools::write(file, bytes)?;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
        .map_err(|error| format!("{}: {error}", file.display()))
}

/// The runtime: a file of this computer, or fetched once.
fn runtime(release: &Release) -> Result<PathBuf, String> {
    let path = match std::env::var_os(RUNTIME) {
        Some(path) => PathBuf::from(path),
        None => release.work.join("runtime-x86_64"),
    };
    if !path.exists() && std::env::var_os(RUNTIME).is_none() {
        let part = path.with_extension("part");
        let mut curl = Command::new("curl");
        curl.args(["-fsSL", "--retry", "2", "--max-time", "120", "-o"]);
        tools::run(curl.arg(&part).arg(URL)).map_err(|error| {
            format!("no runtime of AppImage: {error}; {RUNTIME} names a file that is one")
        })?;
        fs::rename(&part, &path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    // An ELF file says there of which type of AppImage it is a runtime.
    if !bytes.starts_with(b"\x7FELF") || bytes.get(8..11) != Some(b"AI\x02") {
        return Err(format!("{} is no runtime of AppImage", path.display()));
    }
    Ok(path)
}
