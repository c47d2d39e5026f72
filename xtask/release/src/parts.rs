//! What a release is made of.
use super::compile::{Build, Compiled, Tools};
use super::debian::Kind;
use super::{Archive, Release, appimage, arm, bundle, debian, mac, tools};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A group of archives that are made and tried together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Linux,
    AppImage,
    Headless,
    Arm,
    ArmHeadless,
    Mac,
    MacWindow,
    Windows,
    Retroarch,
    Page,
    Vscode,
    Wheels,
    Bill,
    Crates,
    Manifests,
}

const WINDOW: Build = Build {
    package: "frontend",
    product: &["--bin", "anticlock"],
    target: "x86_64-unknown-linux-gnu",
    file: "anticlock",
    options: &[],
    tools: Tools::Gnu(""),
};
const HEADLESS: Build = Build {
    target: "x86_64-unknown-linux-musl",
    options: &["--no-default-features"],
    ..WINDOW
};
const WINDOW_ARM: Build = Build {
    target: "aarch64-unknown-linux-gnu",
    tools: Tools::Gnu("aarch64-linux-gnu-"),
    ..WINDOW
};
const HEADLESS_ARM: Build = Build {
    options: HEADLESS.options,
    ..WINDOW_ARM
};
const WINDOWS: Build = Build {
    target: "x86_64-pc-windows-gnu",
    file: "anticlock.exe",
    tools: Tools::Gnu("x86_64-w64-mingw32-"),
    ..WINDOW
};
/// The core's library of Rust, which its tests use, is left out: with it Cargo does not optimise all packages together.
const CDYLIB: &[&str] = &["--lib", "--crate-type", "cdylib"];
const CORE: Build = Build {
    package: "libretro",
    product: CDYLIB,
    file: "libanticlock_libretro.so",
    ..WINDOW
};
/// Both kinds of Mac, which one file is for.
const HEADLESS_MAC: [Build; 2] = mac::both(HEADLESS, Tools::Zig);
/// Only a Mac has the libraries of a window.
pub const WINDOW_MAC: [Build; 2] = mac::both(WINDOW, Tools::Apple);
const CORE_MAC: [Build; 2] = mac::both(
    Build {
        file: "libanticlock_libretro.dylib",
        ..CORE
    },
    Tools::Zig,
);
const CORE_WINDOWS: Build = Build {
    package: "libretro",
    product: CDYLIB,
    file: "anticlock_libretro.dll",
    ..WINDOWS
};

impl Part {
    /// Parts that can be asked for, in the order in which they are made. The manifests need a URL.
    pub const ALL: [Self; 14] = [
        Self::Linux,
        Self::AppImage,
        Self::Headless,
        Self::Arm,
        Self::ArmHeadless,
        Self::Mac,
        Self::MacWindow,
        Self::Windows,
        Self::Retroarch,
        Self::Page,
        Self::Vscode,
        Self::Wheels,
        Self::Bill,
        Self::Crates,
    ];

    /// The part's name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::AppImage => "appimage",
            Self::Headless => "headless",
            Self::Arm => "arm",
            Self::ArmHeadless => "arm-headless",
            Self::Mac => "mac",
            Self::MacWindow => "mac-window",
            Self::Windows => "windows",
            Self::Retroarch => "retroarch",
            Self::Page => "page",
            Self::Vscode => "vscode",
            Self::Wheels => "wheels",
            Self::Bill => "sbom",
            Self::Crates => "crates",
            Self::Manifests => "manifests",
        }
    }

    /// The part of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }

    /// True if this computer's system can make the part, its tools provided.
    pub const fn is_for_this_system(self) -> bool {
        cfg!(target_os = "macos") || !matches!(self, Self::MacWindow)
    }

    /// One line about the part.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Linux => "the program with its window for Linux x86_64, as .tar.gz and .deb",
            Self::Headless => "the program without a window, static, for Linux x86_64",
            Self::AppImage => "the program with its window for Linux x86_64, as one file",
            Self::Arm => "the program with its window for Linux aarch64, as .tar.gz and .deb",
            Self::ArmHeadless => "the program without a window for Linux aarch64",
            Self::Mac => {
                "the program without a window and the core for RetroArch, for both kinds of Mac"
            }
            Self::MacWindow => "the program with its window for both kinds of Mac, as .zip",
            Self::Windows => "the program for Windows x86_64, as .zip and with an installer",
            Self::Retroarch => "the cores for RetroArch on Linux and Windows x86_64",
            Self::Page => "the folder of the page",
            Self::Vscode => "the extension for VS Code",
            Self::Wheels => "the Python package for Linux, Windows and Macs, as wheels",
            Self::Bill => "the packages of others in the program, as CycloneDX",
            Self::Crates => "the machine and its session as packages for crates.io",
            Self::Manifests => "manifests for Arch, Flatpak, Scoop and winget",
        }
    }

    /// Programs that must be there.
    pub const fn tools(self) -> &'static [&'static str] {
        match self {
            Self::Linux => &["objcopy", "tar", "gzip", "dpkg-deb", "dpkg-shlibdeps"],
            Self::Headless => &["objcopy", "tar", "gzip"],
            Self::AppImage => &["mksquashfs"],
            Self::Arm => &[
                "aarch64-linux-gnu-gcc",
                "aarch64-linux-gnu-objcopy",
                arm::QEMU,
                "pkg-config",
                "apt-get",
                "dpkg-deb",
                "dpkg-shlibdeps",
                "tar",
                "gzip",
            ],
            Self::ArmHeadless => &[
                "aarch64-linux-gnu-gcc",
                "aarch64-linux-gnu-objcopy",
                "tar",
                "gzip",
            ],
            Self::Mac => &["cargo-zigbuild", "tar", "gzip", "zip"],
            Self::MacWindow => &["codesign", "zip"],
            Self::Windows => &[
                "x86_64-w64-mingw32-gcc",
                "x86_64-w64-mingw32-objcopy",
                "x86_64-w64-mingw32-windres",
                "zip",
                "makensis",
            ],
            Self::Retroarch => &[
                "objcopy",
                "x86_64-w64-mingw32-gcc",
                "x86_64-w64-mingw32-objcopy",
                "zip",
            ],
            Self::Page | Self::Vscode => &["node", "npm", "zip", "unzip"],
            Self::Wheels => &[
                "maturin",
                "python-zig",
                "x86_64-w64-mingw32-gcc",
                "python3",
                "zip",
                "unzip",
            ],
            Self::Bill | Self::Crates => &[],
            Self::Manifests => &["tar", "gzip"],
        }
    }

    /// Makes the part's archives.
    ///
    /// # Errors
    /// When a step of it fails.
    pub fn make(self, release: &Release) -> Result<Vec<Archive>, String> {
        match self {
            Self::Linux => linux(release, &WINDOW, "linux-x86_64", Kind::Amd64),
            Self::AppImage => appimage::make(release, &WINDOW),
            Self::Headless => headless(release, &HEADLESS, "linux-x86_64-headless"),
            Self::Arm => linux(release, &WINDOW_ARM, "linux-aarch64", Kind::Arm64),
            Self::ArmHeadless => headless(release, &HEADLESS_ARM, "linux-aarch64-headless"),
            Self::Mac => apple(release),
            Self::MacWindow => bundle::make(release),
            Self::Windows => windows(release),
            Self::Retroarch => retroarch(release),
            Self::Page => page(release),
            Self::Vscode => vscode(release),
            Self::Wheels => super::wheels::make(release),
            Self::Bill => super::bill::make(release),
            Self::Crates => super::crates::make(release),
            Self::Manifests => super::manifests::make(release),
        }
    }
}

impl Release {
    /// The name of an archive without its ending.
    pub fn name(&self, what: &str) -> String {
        format!("anticlock-{}-{what}", self.version)
    }

    /// An empty folder for what is packed under this name.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn stage(&self, name: &str) -> Result<std::path::PathBuf, String> {
        let staged = self.staged(name);
        tools::empty(&staged)?;
        Ok(staged)
    }

    /// Puts the licences and pages beside the program.
    ///
    /// # Errors
    /// When one cannot be copied.
    pub fn papers(&self, staged: &Path) -> Result<(), String> {
        for name in ["LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"] {
            tools::copy(&self.root.join(name), &staged.join(name))?;
        }
        tools::copy(&self.root.join("docs/manual.md"), &staged.join("manual.md"))
    }

    /// Puts what RetroArch shows of a core, and the licences, beside the core.
    fn core_papers(&self, staged: &Path) -> Result<(), String> {
        let about = self.root.join("libretro/anticlock_libretro.info");
        tools::copy(&about, &staged.join("anticlock_libretro.info"))?;
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            tools::copy(&self.root.join(licence), &staged.join(licence))?;
        }
        Ok(())
    }

    /// The archive of what a debugger needs for a program.
    fn symbols(&self, compiled: &[&Compiled], what: &str) -> Result<Archive, String> {
        let name = self.name(&format!("{what}-debug"));
        let staged = self.stage(&name)?;
        for debug in compiled.iter().filter_map(|one| one.debug.as_ref()) {
            tools::copy(
                debug,
                &staged.join(debug.file_name().ok_or("a file without a name")?),
            )?;
        }
        self.archive(&name, ".tar.gz")
    }
}

/// Lays out what a system keeps beside the program: manual page, completions, its place in the desktop. The program says all of it, run by
/// another one if `before` names one.
///
/// # Errors
/// When the program does not say what it should, or a file cannot be written.
pub fn share(before: &[String], program: &Path, share: &Path) -> Result<(), String> {
    for (what, path) in [
        ("man", "man/man1/anticlock.1"),
        ("bash", "bash-completion/completions/anticlock"),
        ("zsh", "zsh/site-functions/_anticlock"),
        ("fish", "fish/vendor_completions.d/anticlock.fish"),
        ("desktop", "applications/anticlock.desktop"),
        ("mime", "mime/packages/anticlock.xml"),
        ("metainfo", "metainfo/org.anticlock.Anticlock.metainfo.xml"),
        ("icon", "icons/hicolor/64x64/apps/anticlock.png"),
    ] {
        let made = tools::through(before, program)
            .args(["generate", what])
            .output();
        let made = made.map_err(|error| format!("{}: {error}", program.display()))?;
        if !made.status.success() || made.stdout.is_empty() {
            return Err(format!("anticlock generate {what}: {}", made.status));
        }
        tools::write(&share.join(path), made.stdout)?;
    }
    Ok(())
}

fn linux(release: &Release, build: &Build, what: &str, kind: Kind) -> Result<Vec<Archive>, String> {
    let compiled = build.compile(release)?;
    let name = release.name(what);
    let staged = release.stage(&name)?;
    let beside = staged.join("share");
    tools::copy(&compiled.stripped, &staged.join("bin/anticlock"))?;
    share(&build.runner(release)?, &compiled.stripped, &beside)?;
    release.papers(&staged)?;
    Ok(vec![
        release.archive(&name, ".tar.gz")?,
        debian::package(release, &compiled.stripped, &beside, kind)?,
        release.symbols(&[&compiled], what)?,
    ])
}

fn apple(release: &Release) -> Result<Vec<Archive>, String> {
    let name = release.name("macos-headless");
    let staged = release.stage(&name)?;
    mac::universal(release, &HEADLESS_MAC, &staged.join("anticlock"))?;
    release.papers(&staged)?;
    let core = release.name("retroarch-macos");
    let staged = release.stage(&core)?;
    mac::universal(release, &CORE_MAC, &staged.join("anticlock_libretro.dylib"))?;
    release.core_papers(&staged)?;
    Ok(vec![
        release.archive(&name, ".tar.gz")?,
        release.archive(&core, ".zip")?,
    ])
}

fn headless(release: &Release, build: &Build, what: &str) -> Result<Vec<Archive>, String> {
    let compiled = build.compile(release)?;
    let name = release.name(what);
    let staged = release.stage(&name)?;
    tools::copy(&compiled.stripped, &staged.join("anticlock"))?;
    release.papers(&staged)?;
    Ok(vec![
        release.archive(&name, ".tar.gz")?,
        release.symbols(&[&compiled], what)?,
    ])
}

fn windows(release: &Release) -> Result<Vec<Archive>, String> {
    let compiled = WINDOWS.compile(release)?;
    let name = release.name("windows-x86_64");
    let staged = release.stage(&name)?;
    tools::copy(&compiled.stripped, &staged.join("anticlock.exe"))?;
    release.papers(&staged)?;
    Ok(vec![
        release.archive(&name, ".zip")?,
        installer(release, &staged)?,
        release.symbols(&[&compiled], "windows-x86_64")?,
    ])
}

/// The installer for Windows, of what its archive was packed from.
fn installer(release: &Release, staged: &Path) -> Result<Archive, String> {
    let file = release
        .out
        .join(release.name("windows-x86_64-setup") + ".exe");
    let icon = release.root.join("frontend/desktop/anticlock.ico");
    let mut nsis = Command::new("makensis");
    nsis.args(["-V2", "-WX", "-INPUTCHARSET", "UTF8"]);
    for (name, value) in [
        ("VERSION", release.version.clone()),
        ("STAGED", staged.display().to_string()),
        ("ICON", icon.display().to_string()),
        ("OUT", file.display().to_string()),
    ] {
        nsis.arg(format!("-D{name}={value}"));
    }
    tools::run(
        nsis.arg(release.root.join("packaging/anticlock.nsi"))
            .env("SOURCE_DATE_EPOCH", release.epoch.to_string()),
    )?;
    Ok(Archive { file, staged: None })
}

fn retroarch(release: &Release) -> Result<Vec<Archive>, String> {
    let mut archives = Vec::new();
    for (build, what) in [(CORE, "linux-x86_64"), (CORE_WINDOWS, "windows-x86_64")] {
        let compiled = build.compile(release)?;
        let name = release.name(&format!("retroarch-{what}"));
        let staged = release.stage(&name)?;
        // RetroArch finds the .info file by the core's name without the "lib" that Cargo gives it.
        let file = build.file.trim_start_matches("lib");
        tools::copy(&compiled.stripped, &staged.join(file))?;
        release.core_papers(&staged)?;
        archives.push(release.archive(&name, ".zip")?);
        archives.push(release.symbols(&[&compiled], &format!("retroarch-{what}"))?);
    }
    Ok(archives)
}

fn page(release: &Release) -> Result<Vec<Archive>, String> {
    let mut cargo = release.cargo("wasm32-unknown-unknown")?;
    cargo.args(["run", "--quiet", "--locked", "--package", "web-build"]);
    tools::run(&mut cargo)?;
    let name = release.name("page");
    let staged = release.stage(&name)?;
    tools::copy_folder(&release.root.join("web/dist"), &staged)?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        tools::copy(&release.root.join(licence), &staged.join(licence))?;
    }
    Ok(vec![release.archive(&name, ".zip")?])
}

/// The extension: `vsce` packs it; what it packed is unpacked and packed again, because it writes the time of day into the archive.
fn vscode(release: &Release) -> Result<Vec<Archive>, String> {
    let extension = release.root.join("editors/vscode");
    let npm = |words: &[&str]| tools::run(Command::new("npm").args(words).current_dir(&extension));
    if !extension.join("node_modules").is_dir() {
        npm(&["ci", "--no-fund", "--no-audit"])?;
    }
    npm(&["run", "--silent", "package"])?;
    let made = extension.join("anticlock.vsix");
    let name = release.name("vscode");
    let staged = release.stage(&name)?;
    tools::run(
        Command::new("unzip")
            .arg("-q")
            .arg(&made)
            .arg("-d")
            .arg(&staged),
    )?;
    fs::remove_file(&made).map_err(|error| format!("{}: {error}", made.display()))?;
    Ok(vec![release.archive(&name, ".vsix")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The package that brings a tool to the computer that makes releases. `None` for what it has anyway.
    fn package(tool: &str) -> Option<&'static str> {
        Some(match tool {
            "objcopy" => "binutils",
            "dpkg-deb" | "dpkg-shlibdeps" => "dpkg-dev",
            "mksquashfs" => "squashfs-tools",
            "aarch64-linux-gnu-gcc" | "aarch64-linux-gnu-objcopy" => "gcc-aarch64-linux-gnu",
            arm::QEMU => "qemu-user-static",
            "pkg-config" => "pkg-config",
            "makensis" => "nsis",
            "python-zig" => "ziglang",
            "cargo-zigbuild" => "cargo-zigbuild",
            "maturin" => "maturin",
            "zip" => "zip",
            "unzip" => "unzip",
            "node" | "npm" => "setup-node",
            "apt-get" | "codesign" | "gzip" | "python3" | "tar" => return None,
            tool if tool.starts_with("x86_64-w64-mingw32-") => "gcc-mingw-w64-x86-64",
            tool => panic!("no package is known for {tool}"),
        })
    }

    #[test]
    fn the_workflow_of_releases_installs_the_tools_of_all_parts() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let workflow = fs::read_to_string(root.join(".github/workflows/release.yml")).unwrap();
        let words: Vec<&str> = workflow.split([' ', '\n', '/', '@']).collect();
        for tool in Part::ALL.iter().flat_map(|part| part.tools()) {
            let Some(package) = package(tool) else {
                continue;
            };
            assert!(words.contains(&package), "{package}, for {tool}");
        }
    }
}
