//! The crates that programs of others may want, as packages for crates.io. In the workspace they have short names, most of which are taken there: a copy of them gets the names
//! below, and its libraries keep theirs.
use super::{Archive, Release, tools};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates of the workspace, each after those that it needs.
const CRATES: [&str; 8] = [
    "scratch",
    "cpu6502",
    "antic_gtia",
    "pokey",
    "media",
    "roms",
    "machine",
    "session",
];

/// The name of a crate of the workspace as a package.
fn name(krate: &str) -> String {
    format!("anticlock-{}", krate.replace('_', "-"))
}

/// Packs all of them.
///
/// # Errors
/// When a file cannot be written, or Cargo finds a package incomplete.
pub fn make(release: &Release) -> Result<Vec<Archive>, String> {
    let staged = copy(release)?;
    let mut cargo = cargo(release, &staged);
    tools::run(cargo.args(["package", "--workspace", "--no-verify", "--quiet"]))?;
    let mut archives = Vec::new();
    for krate in CRATES {
        let packed = format!("{}-{}.crate", name(krate), release.version);
        let file = release.out.join(&packed);
        tools::copy(&target(release).join("package").join(&packed), &file)?;
        archives.push(Archive { file, staged: None });
    }
    Ok(archives)
}

/// Does all that publishing does, but for the upload: builds each package from what is packed.
///
/// # Errors
/// When one does not build.
pub fn rehearse(release: &Release) -> Result<(), String> {
    let staged = release.staged("crates");
    let mut cargo = cargo(release, &staged);
    tools::output(cargo.args(["publish", "--workspace", "--dry-run", "--quiet"]))?;
    println!(
        "crates: {} packages build from what is packed",
        CRATES.len()
    );
    Ok(())
}

fn target(release: &Release) -> PathBuf {
    release.target.join("crates")
}

fn cargo(release: &Release, folder: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target(release))
        .env("CARGO_INCREMENTAL", "0");
    cargo
}

/// A workspace of copies under the other names.
fn copy(release: &Release) -> Result<PathBuf, String> {
    let staged = release.stage("crates")?;
    let read = |path: &Path| {
        fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let root = read(&release.root.join("Cargo.toml"))?;
    tools::write(
        &staged.join("Cargo.toml"),
        workspace(&root, &release.version)?,
    )?;
    tools::copy(&release.root.join("Cargo.lock"), &staged.join("Cargo.lock"))?;
    for krate in CRATES {
        let (from, to) = (release.root.join(krate), staged.join(krate));
        tools::copy_folder(&from, &to)?;
        let text = read(&from.join("Cargo.toml"))?;
        tools::write(&to.join("Cargo.toml"), package(krate, &text)?)?;
        tools::write(&to.join("README.md"), readme(krate, &text))?;
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            tools::copy(&release.root.join(licence), &to.join(licence))?;
        }
    }
    Ok(staged)
}

/// The workspace's `Cargo.toml` with these crates only, under their other names and with versions, as dependencies of packages need them.
fn workspace(root: &str, version: &str) -> Result<String, String> {
    let package = root
        .find("[workspace.package]")
        .ok_or("Cargo.toml has no [workspace.package]")?;
    let end = root.find("[profile.").unwrap_or(root.len());
    let mut text = format!("[workspace]\nresolver = \"3\"\nmembers = {CRATES:?}\n\n");
    for line in root[package..end].lines() {
        let krate = line.split_once(" = { path = ").map(|(krate, _)| krate);
        let line = match krate {
            Some(krate) if CRATES.contains(&krate) => format!(
                "{krate} = {{ path = \"{krate}\", package = \"{}\", version = \"={version}\" }}",
                name(krate)
            ),
            // Not among these.
            Some(_) => continue,
            None if line == "publish = false" => continue,
            None => line.to_owned(),
        };
        text.push_str(&line);
        text.push('\n');
    }
    Ok(text)
}

/// A crate's `Cargo.toml` under its other name.
fn package(krate: &str, text: &str) -> Result<String, String> {
    let own = format!("name = \"{krate}\"\n");
    if text.matches(&own).count() != 1 || text.contains("[lib]") {
        return Err(format!("{krate}/Cargo.toml does not name the crate once"));
    }
    let text = text
        .replace(
            &own,
            &format!("name = \"{}\"\nreadme = \"README.md\"\n", name(krate)),
        )
        .replace("publish.workspace = true\n", "");
    Ok(format!(
        "{text}\n[lib]\nname = \"{krate}\"\n\n[package.metadata.docs.rs]\ntargets = [\"x86_64-unknown-linux-gnu\"]\n"
    ))
}

/// The page that crates.io shows.
fn readme(krate: &str, text: &str) -> String {
    let described = text
        .lines()
        .find_map(|line| line.strip_prefix("description = \"")?.strip_suffix('"'))
        .unwrap_or_default();
    format!(
        "# {}\n{described}.\n\nA part of Anticlock, a cycle-exact emulator of the Atari 400, 800, XL and XE with an operating system, a BASIC and games of its own. The library's name is \
         `{krate}`. Its documentation says how it is used; the examples run.\n",
        name(krate)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_have_their_other_names_and_exact_versions() {
        let root = "[workspace]\nmembers = [\"a\"]\n\n[workspace.package]\nversion = \"1.2.3\"\npublish = false\n\n[workspace.dependencies]\nantic_gtia = { path = \"antic_gtia\" }\n\
                    host = { path = \"host\" }\nserde = \"1\"\n\n[profile.release]\nlto = \"fat\"\n";
        let text = workspace(root, "1.2.3").unwrap();
        assert!(text.contains(
            "\nantic_gtia = { path = \"antic_gtia\", package = \"anticlock-antic-gtia\", version = \"=1.2.3\" }\nserde = \"1\"\n"
        ));
        for gone in ["publish", "host", "lto"] {
            assert!(!text.contains(gone), "{gone} in {text}");
        }
        assert!(workspace("[package]", "1").is_err());
        let text = package(
            "pokey",
            "[package]\nname = \"pokey\"\npublish.workspace = true\n",
        )
        .unwrap();
        assert!(
            text.starts_with("[package]\nname = \"anticlock-pokey\"\n")
                && text.contains("[lib]\nname = \"pokey\"\n")
        );
        assert!(package("pokey", "[package]\nname = \"other\"\n").is_err());
    }
}
