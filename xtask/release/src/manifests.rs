//! Texts for other systems' packagers: the templates in `packaging`, filled in with versions and checksums.
use super::{Archive, Release, tools};
use std::fs;
use std::process::Command;

const TEMPLATES: [&str; 6] = [
    "PKGBUILD",
    "org.anticlock.Anticlock.yml",
    "scoop.json",
    "winget/Anticlock.Anticlock.yaml",
    "winget/Anticlock.Anticlock.installer.yaml",
    "winget/Anticlock.Anticlock.locale.en-US.yaml",
];

/// Fills the templates in for archives that are to be found below a URL.
///
/// # Errors
/// When no URL was given, or the archives for Linux and Windows have not been made.
pub fn make(release: &Release) -> Result<Vec<Archive>, String> {
    let url = release.url.as_deref().ok_or("needs --url")?;
    let sum = |name: &str| {
        let path = release.out.join(release.name(name));
        let line = tools::output(Command::new("sha256sum").arg(path))?;
        let sum = line.split_whitespace().next().map(str::to_owned);
        sum.ok_or_else(|| format!("sha256sum says nothing of {name}"))
    };
    let (linux, windows) = (sum("linux-x86_64.tar.gz")?, sum("windows-x86_64.zip")?);
    let name = release.name("manifests");
    let staged = release.stage(&name)?;
    for template in TEMPLATES {
        let path = release.root.join("packaging").join(template);
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let text = text
            .replace("@VERSION@", &release.version)
            .replace("@URL@", url.trim_end_matches('/'))
            .replace("@LINUX@", &linux)
            .replace("@WINDOWS@", &windows);
        tools::write(&staged.join(template), text)?;
    }
    Ok(vec![release.archive(&name, ".tar.gz")?])
}
