//! Releases: every archive that can be made on this computer, the same bytes each time, with checksums and a list of sizes.
//!
//! A program of its own, because it needs none of the crates that it packs. Times in archives are those of `SOURCE_DATE_EPOCH`, or of the commit. Paths of this computer are kept out of programs, so that the
//! same compiler makes the same bytes in another folder.
mod appimage;
mod arm;
mod bill;
mod bundle;
mod compile;
mod crates;
mod debian;
mod frames;
mod mac;
mod manifests;
mod pack;
mod parts;
mod tools;
mod tries;
mod wheels;

use parts::Part;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str =
    "usage: xtask release [--try] [--only PART,...] [--out FOLDER] [--url URL]; parts: ";

/// Lists of the archives, written beside them.
const LISTS: [&str; 2] = ["SHA256SUMS", "SIZES"];

/// Context of all steps of a release.
pub struct Release {
    /// The workspace.
    root: PathBuf,
    /// Folder of the archives.
    out: PathBuf,
    /// Folder of what is packed, one folder for each archive, and of the trials.
    work: PathBuf,
    /// Cargo's target folder.
    target: PathBuf,
    version: String,
    /// Time of everything in archives, in seconds since 1970.
    epoch: u64,
    /// The commit that the program names as its source.
    commit: String,
    /// Where the archives are to be found, for the manifests of other systems.
    url: Option<String>,
}

/// An archive that was made: its file, and the folder that it was packed from.
pub struct Archive {
    file: PathBuf,
    /// `None` where another tool than ours packs it.
    staged: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("release: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Makes what the options say; fails if a part could not be made or did not pass its trial, after the others were made.
fn run(options: &[&str]) -> Result<(), String> {
    let usage = || format!("{USAGE}{}", Part::ALL.map(Part::name).join(","));
    let (mut out, mut url, mut trial) = (None, None, false);
    let mut chosen = Part::ALL.to_vec();
    chosen.retain(|part| part.is_for_this_system());
    let mut options = options.iter();
    while let Some(&option) = options.next() {
        match option {
            "--try" => trial = true,
            "--only" => {
                let names = options.next().ok_or_else(usage)?.split(',');
                let parts = names.map(|name| Part::named(name).ok_or_else(usage));
                chosen = parts.collect::<Result<_, _>>()?;
            }
            "--out" => out = Some(PathBuf::from(options.next().ok_or_else(usage)?)),
            "--url" => url = Some((*options.next().ok_or_else(usage)?).to_owned()),
            _ => return Err(usage()),
        }
    }
    if url.is_some() {
        chosen.push(Part::Manifests);
    }
    let release = Release::new(out, url)?;
    if trial {
        tools::empty(&release.work.join("try"))?;
        // The sources may have changed since the last run.
        if release.commit.ends_with("dirty") {
            fs::remove_file(release.picture()).ok();
        }
    }
    let (mut made, mut failures) = (false, Vec::new());
    for part in chosen {
        say(&format!("{}: {}", part.name(), part.what()));
        match release.part(part, trial) {
            Ok(()) => made = true,
            Err(reason) => {
                say(&format!(
                    "NOT MADE, OR NOT RIGHT: {}: {reason}",
                    part.name()
                ));
                failures.push(part.name());
            }
        }
    }
    if made {
        release.list()?;
    }
    if failures.is_empty() {
        Ok(())
    } else {
        Err(format!("not made, or not right: {}", failures.join(", ")))
    }
}

/// Tells which step runs.
fn say(text: &str) {
    eprintln!("==> {text}");
}

impl Release {
    fn new(out: Option<PathBuf>, url: Option<String>) -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .ok_or("the crate is not in its workspace")?
            .to_owned();
        let version = tools::workspace_version(&root)?;
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root.join("target"), |folder| root.join(folder));
        let git = |arguments: &[&str]| {
            tools::output(Command::new("git").args(arguments).current_dir(&root))
        };
        let epoch = match std::env::var("SOURCE_DATE_EPOCH") {
            Ok(text) => text,
            Err(_) => git(&["log", "-1", "--format=%ct"])?,
        };
        let epoch = epoch
            .parse()
            .map_err(|_| format!("SOURCE_DATE_EPOCH is not a number of seconds: {epoch}"))?;
        let commit = match std::env::var("ANTICLOCK_COMMIT") {
            Ok(text) => text,
            Err(_) => format!("commit {}", git(&["describe", "--always", "--dirty"])?),
        };
        let out = out.unwrap_or_else(|| target.join(format!("anticlock-{version}")));
        let work = target.join("release-work");
        for folder in [&out, &work] {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        Ok(Self {
            out: tools::absolute(&out)?,
            work: tools::absolute(&work)?,
            root,
            target,
            version,
            epoch,
            commit,
            url,
        })
    }

    /// The picture that each build of this commit draws, also in a later run.
    fn picture(&self) -> PathBuf {
        let commit = self.commit.replace(|one: char| !one.is_alphanumeric(), "-");
        self.work.join(format!("picture-{commit}.png"))
    }

    /// Makes the archives of a part; with `trial` it packs each twice and runs what it can of them.
    fn part(&self, part: Part, trial: bool) -> Result<(), String> {
        if !part.is_for_this_system() {
            return Err("only a Mac can make it, with Apple's linker and libraries".to_owned());
        }
        let missing: Vec<&str> = part
            .tools()
            .iter()
            .copied()
            .filter(|tool| !tools::have(tool))
            .collect();
        if !missing.is_empty() {
            return Err(format!("needs {}", missing.join(", ")));
        }
        let archives = part.make(self)?;
        if trial {
            for archive in &archives {
                self.pack_again(archive)?;
            }
            tries::run(self, part)?;
        }
        Ok(())
    }

    /// Packs an archive a second time: the bytes must be the same.
    fn pack_again(&self, archive: &Archive) -> Result<(), String> {
        let Some(staged) = &archive.staged else {
            return Ok(());
        };
        let name = archive
            .file
            .file_name()
            .ok_or("an archive without a name")?;
        let again = self.work.join("again").join(name);
        pack::pack(self, staged, &again)?;
        let read =
            |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
        if read(&archive.file)? != read(&again)? {
            return Err(format!(
                "{} has other bytes when it is packed again",
                name.display()
            ));
        }
        Ok(())
    }

    /// Writes `SHA256SUMS` and `SIZES` of all archives in the folder, also of those that an earlier run made, and prints the sizes.
    fn list(&self) -> Result<(), String> {
        let names = self.archives()?;
        let mut sum = if tools::have("sha256sum") {
            Command::new("sha256sum")
        } else {
            // As Macs have it.
            let mut sum = Command::new("shasum");
            sum.args(["-a", "256"]);
            sum
        };
        let sums = tools::output(sum.args(&names).current_dir(&self.out))?;
        let size = |name: &String| {
            let data = fs::metadata(self.out.join(name));
            let bytes = data.map_err(|error| format!("{name}: {error}"))?.len();
            Ok(format!("{bytes:>11}  {name}\n"))
        };
        let sizes: String = names.iter().map(size).collect::<Result<_, String>>()?;
        print!("{sizes}");
        for (name, text) in LISTS.into_iter().zip([sums + "\n", sizes]) {
            let path = self.out.join(name);
            fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        println!("the archives are in {}", self.out.display());
        Ok(())
    }

    /// Names of the archives in the folder, sorted.
    fn archives(&self) -> Result<Vec<String>, String> {
        let failed = |error| format!("{}: {error}", self.out.display());
        let files = fs::read_dir(&self.out).map_err(failed)?;
        let names = files.map(|file| Ok(file.map_err(failed)?.file_name()));
        let names = names.collect::<Result<Vec<_>, String>>()?;
        let mut names: Vec<String> = names
            .into_iter()
            .filter_map(|name| name.into_string().ok())
            .filter(|name| !LISTS.contains(&name.as_str()))
            .collect();
        names.sort_unstable();
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_tell_of_the_archives_of_all_runs() {
        let out = std::env::temp_dir().join(format!("anticlock-release-{}", std::process::id()));
        tools::empty(&out).unwrap();
        let release = Release::new(Some(out.clone()), None).unwrap();
        for (name, listed) in [("b.zip", "b.zip"), ("a.zip", "a.zip b.zip")] {
            fs::write(out.join(name), name).unwrap();
            release.list().unwrap();
            for list in LISTS {
                let text = fs::read_to_string(out.join(list)).unwrap();
                let names = text.lines().map(|line| line.split_whitespace().nth(1));
                let names: Vec<&str> = names.map(Option::unwrap).collect();
                assert_eq!(names.join(" "), listed, "{list}");
            }
        }
        fs::remove_dir_all(&out).unwrap();
    }

    #[cfg(not(target_os = "macos"))]
    #[test]
    fn the_window_for_macs_is_refused_elsewhere() {
        let out = std::env::temp_dir().join(format!("anticlock-no-mac-{}", std::process::id()));
        let release = Release::new(Some(out.clone()), None).unwrap();
        let error = release.part(Part::MacWindow, false).unwrap_err();
        assert!(error.starts_with("only a Mac can make it"), "{error}");
        assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
        fs::remove_dir_all(&out).unwrap();
    }

    /// Every file that names the version names the workspace's.
    #[test]
    fn the_version_is_one_number_everywhere() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .unwrap();
        let version = tools::workspace_version(root).unwrap();
        for (file, line) in [
            ("python/Cargo.toml", format!("version = \"{version}\"")),
            (
                "editors/vscode/package.json",
                format!("  \"version\": \"{version}\","),
            ),
            (
                "editors/vscode/package-lock.json",
                format!("  \"version\": \"{version}\","),
            ),
            (
                "libretro/anticlock_libretro.info",
                format!("display_version = \"{version}\""),
            ),
            ("CHANGELOG.md", format!("## {version}")),
        ] {
            let text = fs::read_to_string(root.join(file)).unwrap();
            let named = text.lines().find(|named| **named == line);
            assert!(named.is_some(), "{file} has no line {line}");
        }
    }
}
