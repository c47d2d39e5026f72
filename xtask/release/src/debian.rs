//! The package for Debian and its kin.
use super::{Archive, Release, arm, tools};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Opened while the program runs, so that no tool sees that they are needed. The cursor library only makes cursors nicer, but minifb ends
/// without it.
const OPENED: &str = "libx11-6, libxcursor1";

/// Computers that Debian has packages for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Amd64,
    Arm64,
}

impl Kind {
    /// Debian's name for it.
    const fn name(self) -> &'static str {
        match self {
            Self::Amd64 => "amd64",
            Self::Arm64 => "arm64",
        }
    }
}

/// Makes the package of a program; `share` is what a system keeps beside it.
///
/// # Errors
/// When a file cannot be written or a tool of dpkg fails.
pub fn package(
    release: &Release,
    program: &Path,
    share: &Path,
    kind: Kind,
) -> Result<Archive, String> {
    let name = format!("anticlock_{}_{}", release.version, kind.name());
    let staged = release.stage(&name)?;
    let usr = staged.join("usr");
    tools::copy(program, &usr.join("bin/anticlock"))?;
    tools::copy_folder(share, &usr.join("share"))?;
    // Debian's zsh looks elsewhere than zsh's own default.
    let (site, vendor) = (
        usr.join("share/zsh/site-functions"),
        usr.join("share/zsh/vendor-completions"),
    );
    fs::rename(&site, &vendor).map_err(|error| format!("{}: {error}", site.display()))?;
    let page = usr.join("share/man/man1/anticlock.1");
    tools::run(Command::new("gzip").args(["-9", "-n"]).arg(&page))?;
    papers(release, &usr.join("share/doc/anticlock"))?;
    let kilobytes = tools::output(
        Command::new("du")
            .args(["-sk", "--apparent-size"])
            .arg(&usr),
    )?;
    let kilobytes = kilobytes
        .split_whitespace()
        .next()
        .unwrap_or("0")
        .to_owned();
    let needs = linked(release, program, kind)?;
    tools::write(
        &staged.join("DEBIAN/control"),
        format!(
            "Package: anticlock\nVersion: {}\nArchitecture: {}\nMaintainer: {MAINTAINER}\nInstalled-Size: {kilobytes}\nDepends: {needs}, {OPENED}\n\
             Section: otherosfs\nPriority: optional\nDescription: {DESCRIPTION}",
            release.version,
            kind.name()
        ),
    )?;
    let sums = tools::output(
        Command::new("sh")
            .arg("-c")
            .arg("find usr -type f | LC_ALL=C sort | xargs -d '\\n' md5sum")
            .current_dir(&staged),
    )?;
    tools::write(&staged.join("DEBIAN/md5sums"), sums + "\n")?;
    release.archive(&name, ".deb")
}

/// Writes licences and changes as Debian has them.
fn papers(release: &Release, papers: &Path) -> Result<(), String> {
    tools::write(&papers.join("copyright"), copyright(release)?)?;
    let date = tools::output(
        Command::new("date")
            .args(["-R", "-u", "-d", &format!("@{}", release.epoch)])
            .env("LC_ALL", "C"),
    )?;
    let changes = papers.join("changelog");
    tools::write(
        &changes,
        format!(
            "anticlock ({}) unstable; urgency=medium\n\n  * Version {}; CHANGELOG.md.gz has its changes.\n\n -- {}  {date}\n",
            release.version, release.version, MAINTAINER
        ),
    )?;
    let list = papers.join("CHANGELOG.md");
    tools::copy(&release.root.join("CHANGELOG.md"), &list)?;
    tools::run(
        Command::new("gzip")
            .args(["-9", "-n"])
            .arg(&changes)
            .arg(&list),
    )
}

/// Who publishes the package has an address; until then no address of others is invented.
const MAINTAINER: &str = "The Anticlock developers <anticlock@anticlock.invalid>";

const DESCRIPTION: &str = "Atari 400/800/XL/XE emulator with its own ROMs, games and debugger
 A cycle-exact emulator of the Atari 8-bit computers that needs no ROM files:
 operating system, BASIC, DOS and seven games are its own.
 .
 It plays disks, cassettes, cartridges, binary files, BASIC programs and
 tunes, goes back in time while a key is held, and shows what each line of the
 picture is made of.
";

/// The libraries that the program is linked with, as Debian names their packages.
fn linked(release: &Release, program: &Path, kind: Kind) -> Result<String, String> {
    let folder = release.work.join("shlibdeps");
    tools::empty(&folder)?;
    tools::write(
        &folder.join("debian/control"),
        "Source: anticlock\n\nPackage: anticlock\nArchitecture: any\n",
    )?;
    let mut shlibdeps = Command::new("dpkg-shlibdeps");
    if kind == Kind::Arm64 {
        arm::libraries(release)?.name_to(&mut shlibdeps)?;
    }
    let found = tools::output(shlibdeps.arg("-O").arg(program).current_dir(&folder))?;
    let needs = found.strip_prefix("shlibs:Depends=");
    needs
        .map(str::to_owned)
        .ok_or_else(|| format!("dpkg-shlibdeps says {found}"))
}

/// The licences, in the form that Debian's tools read.
fn copyright(release: &Release) -> Result<String, String> {
    let path = release.root.join("LICENSE-MIT");
    let licence =
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let body = licence.lines().map(|line| {
        if line.is_empty() {
            " .".to_owned()
        } else {
            format!(" {line}")
        }
    });
    Ok(format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Anticlock\n\nFiles: *\n\
         Copyright: 2026 The Anticlock developers\nLicense: Apache-2.0 or Expat\n\nLicense: Expat\n{}\n\nLicense: Apache-2.0\n \
         On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n",
        body.collect::<Vec<_>>().join("\n")
    ))
}
