//! Compiles what is given away, and takes its debug information out into a file of its own.
use super::{Release, tools};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program or library to compile.
pub struct Build {
    pub package: &'static str,
    pub target: &'static str,
    /// File that comes of it.
    pub file: &'static str,
    pub options: &'static [&'static str],
    /// Prefix of the names of the target's GNU tools; empty for this computer's.
    pub tools: &'static str,
}

/// Result of a compilation.
pub struct Compiled {
    /// Without symbols, with the name of the file that has them.
    pub stripped: PathBuf,
    /// The symbols: for `gdb` and `addr2line`.
    pub debug: PathBuf,
}

impl Build {
    /// Compiles with the profile `dist`.
    ///
    /// # Errors
    /// When Cargo or the tools that split the file fail.
    pub fn compile(&self, release: &Release) -> Result<Compiled, String> {
        let mut cargo = release.cargo(self.target)?;
        cargo.args([
            "build",
            "--locked",
            "--profile",
            "dist",
            "--target",
            self.target,
        ]);
        cargo.args(["--package", self.package]).args(self.options);
        if !self.tools.is_empty() {
            let linker = format!("CARGO_TARGET_{}_LINKER", variable(self.target));
            cargo.env(linker, format!("{}gcc", self.tools));
        }
        tools::run(&mut cargo)?;
        let built = release
            .target
            .join(self.target)
            .join("dist")
            .join(self.file);
        self.split(release, &built)
    }

    /// Splits a file into what runs and what a debugger reads.
    fn split(&self, release: &Release, built: &Path) -> Result<Compiled, String> {
        let folder = release
            .work
            .join("compiled")
            .join(format!("{}-{}", self.package, self.target));
        let (stripped, debug) = (
            folder.join(self.file),
            folder.join(format!("{}.debug", self.file)),
        );
        tools::empty(&folder)?;
        let objcopy = || Command::new(format!("{}objcopy", self.tools));
        tools::run(objcopy().arg("--only-keep-debug").arg(built).arg(&debug))?;
        let link = format!("--add-gnu-debuglink={}", debug.display());
        tools::run(
            objcopy()
                .args(["--strip-all", &link])
                .arg(built)
                .arg(&stripped),
        )?;
        let size = |path: &Path| fs::metadata(path).map_or(0, |data| data.len());
        println!(
            "{:>11}  {} for {}, stripped; {} with symbols",
            size(&stripped),
            self.file,
            self.target,
            size(built)
        );
        Ok(Compiled { stripped, debug })
    }
}

impl Release {
    /// Cargo with what makes programs for a target the same in every folder.
    ///
    /// # Errors
    /// When a folder's name has white space: Cargo takes flags beside those of its configuration as one line of words only.
    pub fn cargo(&self, target: &str) -> Result<Command, String> {
        let home = match std::env::var_os("CARGO_HOME") {
            Some(home) => PathBuf::from(home),
            None => {
                PathBuf::from(std::env::var_os("HOME").ok_or("HOME is not set")?).join(".cargo")
            }
        };
        let [home, root] = [&home, &self.root].map(|folder| folder.display().to_string());
        if home.contains(char::is_whitespace) || root.contains(char::is_whitespace) {
            return Err(format!("white space in {root} or {home}"));
        }
        let flags = format!(
            "--remap-path-prefix={home}=/cargo --remap-path-prefix={root}=/anticlock {}",
            small(target)
        );
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .current_dir(&self.root)
            // They would take the place of the flags for a target.
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env(
                format!("CARGO_TARGET_{}_RUSTFLAGS", variable(target)),
                flags,
            )
            .env("CARGO_INCREMENTAL", "0")
            .env("ANTICLOCK_COMMIT", &self.commit)
            .env("SOURCE_DATE_EPOCH", self.epoch.to_string());
        Ok(cargo)
    }
}

/// Flags that make programs for a target smaller.
fn small(target: &str) -> &'static str {
    match target {
        // One copy of functions that are the same: LLD, which the compiler brings for this target, does that.
        "x86_64-unknown-linux-gnu" => "-Clink-arg=-Wl,--icf=all",
        // Its own start-up code relocates it, so that no C library needs to know the short form.
        "x86_64-unknown-linux-musl" => "-Clink-arg=-Wl,-z,pack-relative-relocs",
        _ => "",
    }
}

/// A target in the names of Cargo's variables.
fn variable(target: &str) -> String {
    target.replace('-', "_").to_uppercase()
}
