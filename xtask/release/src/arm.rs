//! Debian's arm64 packages, for the window and the Python package on aarch64: in a folder of their own, without any change to this computer's packages.
use super::{Release, tools};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The libraries that the program is linked with and those that it opens while it runs; apt adds what these need.
const PACKAGES: [&str; 5] = [
    "libasound2-dev",
    "libudev-dev",
    "libgcc-s1",
    "libx11-6",
    "libxcursor1",
];

/// Python, and what NumPy's wheel needs beside it.
const PYTHON: [&str; 2] = ["python3", "libstdc++6"];

/// Where a system of this kind has its libraries.
const FOLDER: &str = "usr/lib/aarch64-linux-gnu";

/// Runs programs for aarch64.
pub const QEMU: &str = "qemu-aarch64-static";

/// The libraries, unpacked.
pub struct Libraries {
    /// A folder that is laid out as a system's root.
    pub root: PathBuf,
    /// Every package with its control files, in a folder of its own.
    packages: PathBuf,
}

/// The libraries for the window.
///
/// # Errors
/// When apt does not find them, or dpkg does not unpack them.
pub fn libraries(release: &Release) -> Result<Libraries, String> {
    unpacked(&release.work.join("arm64"), &PACKAGES)
}

/// A Python and its libraries.
///
/// # Errors
/// When apt does not find them, or dpkg does not unpack them.
pub fn python(release: &Release) -> Result<Libraries, String> {
    unpacked(&release.work.join("arm64-python"), &PYTHON)
}

/// Fetches packages by apt, once for a folder.
fn unpacked(folder: &Path, packages: &[&str]) -> Result<Libraries, String> {
    let libraries = Libraries {
        root: folder.join("root"),
        packages: folder.join("debian"),
    };
    let complete = folder.join("complete");
    if !complete.exists() {
        tools::empty(folder)?;
        for archive in fetch(folder, packages)? {
            let name = archive.file_name().unwrap_or_default().to_string_lossy();
            let name = name.split('_').next().unwrap_or_default();
            for (option, to) in [
                ("-x", &libraries.root),
                ("-R", &libraries.packages.join(name)),
            ] {
                tools::write(&to.join("..").join(".folder"), "")?;
                tools::run(Command::new("dpkg-deb").arg(option).arg(&archive).arg(to))?;
            }
        }
        tools::write(&complete, "")?;
    }
    Ok(libraries)
}

/// The archives of the packages, from this computer's mirror, by an apt that has its lists and its idea of what is installed (nothing) in a
/// folder.
fn fetch(folder: &Path, packages: &[&str]) -> Result<Vec<PathBuf>, String> {
    let apt = folder.join("apt");
    for path in [
        "sources/arm64.list",
        "lists/partial/.folder",
        "cache/archives/partial/.folder",
        "status",
    ] {
        tools::write(&apt.join(path), "")?;
    }
    let mirror = tools::mirror().ok_or("apt names no mirror")?;
    // Ubuntu has the packages of other computers than PCs elsewhere.
    let mirror = if mirror.contains("ubuntu.com") {
        "http://ports.ubuntu.com/ubuntu-ports"
    } else {
        &mirror
    };
    tools::write(
        &apt.join("sources/arm64.list"),
        format!("deb {mirror} {} main\n", tools::code_name()?),
    )?;
    let settings = apt.join("apt.conf");
    let place = apt.display();
    tools::write(
        &settings,
        format!(
            "APT::Architecture \"arm64\";\nAPT::Architectures \"arm64\";\nAcquire::Languages \"none\";\nDir::Etc::SourceList \"/dev/null\";\n\
             Dir::Etc::SourceParts \"{place}/sources\";\nDir::State::Lists \"{place}/lists\";\nDir::Cache \"{place}/cache\";\n\
             Dir::State::status \"{place}/status\";\n"
        ),
    )?;
    for words in [
        &["update"][..],
        &[
            "install",
            "-y",
            "--no-install-recommends",
            "--download-only",
        ],
    ] {
        let wanted: &[&str] = if words.len() == 1 { &[] } else { packages };
        tools::run(
            Command::new("apt-get")
                .arg("-qq")
                .args(words)
                .args(wanted)
                .env("APT_CONFIG", &settings)
                .stdout(Stdio::null()),
        )?;
    }
    let archives = apt.join("cache/archives");
    let failed = |error| format!("{}: {error}", archives.display());
    let mut found = Vec::new();
    for file in fs::read_dir(&archives).map_err(failed)? {
        let path = file.map_err(failed)?.path();
        if path.extension().is_some_and(|ending| ending == "deb") {
            found.push(path);
        }
    }
    Ok(found)
}

impl Libraries {
    /// Has packages of others find the libraries when they are built.
    pub fn pass_to(&self, cargo: &mut Command) {
        let target = "aarch64_unknown_linux_gnu";
        cargo
            .env(format!("PKG_CONFIG_ALLOW_CROSS_{target}"), "1")
            .env(format!("PKG_CONFIG_SYSROOT_DIR_{target}"), &self.root)
            .env(
                format!("PKG_CONFIG_LIBDIR_{target}"),
                self.root.join(FOLDER).join("pkgconfig"),
            );
    }

    /// The command that runs a program linked with the libraries.
    pub fn runner(&self) -> Vec<String> {
        vec![
            QEMU.to_owned(),
            "-L".to_owned(),
            self.root.display().to_string(),
        ]
    }

    /// Has `dpkg-shlibdeps` find the packages that a program needs.
    ///
    /// # Errors
    /// When the packages cannot be listed.
    pub fn name_to(&self, shlibdeps: &mut Command) -> Result<(), String> {
        let failed = |error| format!("{}: {error}", self.packages.display());
        shlibdeps.env("DEB_HOST_ARCH", "arm64");
        for package in fs::read_dir(&self.packages).map_err(failed)? {
            let package = package.map_err(failed)?.path();
            if package.join("DEBIAN/symbols").exists() {
                let mut option = std::ffi::OsString::from("-S");
                option.push(package);
                shlibdeps.arg(option);
            }
        }
        Ok(())
    }
}
