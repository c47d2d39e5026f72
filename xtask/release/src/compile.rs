//! Compiles what is given away, and takes its debug information out into a file of its own.
use super::{Release, arm, frames, tools};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program or library to compile.
#[derive(Clone, Copy)]
pub struct Build {
    pub package: &'static str,
    /// The one of the package's programs and libraries, as Cargo's options name it.
    pub product: &'static [&'static str],
    pub target: &'static str,
    /// File that comes of it.
    pub file: &'static str,
    pub options: &'static [&'static str],
    pub tools: Tools,
}

/// Linker of a target, and what splits its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tools {
    /// GNU tools with this prefix to their names; empty for this computer's.
    Gnu(&'static str),
    /// zig, by `cargo zigbuild`: a linker with stubs of a Mac's libraries.
    Zig,
    /// Those of a Mac itself, with all of its libraries.
    Apple,
}

/// The oldest macOS that programs are for: the first on Apple's own processors.
pub const OLDEST_MACOS: &str = "11.0";

/// Result of a compilation.
pub struct Compiled {
    /// Without symbols, with the name of the file that has them.
    pub stripped: PathBuf,
    /// The symbols: for `gdb` and `addr2line`. `None` where no tool of this computer splits them off.
    pub debug: Option<PathBuf>,
}

impl Build {
    /// Compiles with the profile `dist`. The last package is compiled for speed, whatever the profile says of it: its level is the one at which all packages are optimised together.
    ///
    /// # Errors
    /// When Cargo or the tools that split the file fail.
    pub fn compile(&self, release: &Release) -> Result<Compiled, String> {
        let mut cargo = match self.tools {
            Tools::Gnu(_) | Tools::Apple => release.cargo(self.target)?,
            Tools::Zig => release.compiler("cargo-zigbuild", self.target, "")?,
        };
        cargo.args(["rustc", "--locked", "--profile", "dist"]);
        cargo.args(["--target", self.target, "--package", self.package]);
        cargo.args(self.product);
        cargo.args(self.options);
        match self.tools {
            Tools::Gnu("") => {}
            Tools::Gnu(prefix) => {
                let linker = format!("CARGO_TARGET_{}_LINKER", variable(self.target));
                cargo.env(linker, format!("{prefix}gcc"));
            }
            Tools::Zig | Tools::Apple => {
                // Cargo strips, because a signature of the whole file has to follow.
                cargo
                    .env("CARGO_PROFILE_DIST_STRIP", "symbols")
                    .env("MACOSX_DEPLOYMENT_TARGET", OLDEST_MACOS);
            }
        }
        if self.needs_libraries() {
            arm::libraries(release)?.pass_to(&mut cargo);
        }
        tools::run(cargo.args(["--", "-Copt-level=3"]))?;
        let built = release
            .target
            .join(self.target)
            .join("dist")
            .join(self.file);
        match self.tools {
            Tools::Gnu(prefix) => self.split(release, &built, prefix),
            Tools::Zig | Tools::Apple => {
                self.tell(&built, &built);
                Ok(Compiled {
                    stripped: built,
                    debug: None,
                })
            }
        }
    }

    /// The command that runs the program here; empty where it runs by itself.
    ///
    /// # Errors
    /// When the libraries that it needs are not to be had.
    pub fn runner(&self, release: &Release) -> Result<Vec<String>, String> {
        if self.needs_libraries() {
            Ok(arm::libraries(release)?.runner())
        } else {
            Ok(Vec::new())
        }
    }

    /// True if it is linked with libraries of another computer.
    fn needs_libraries(&self) -> bool {
        self.target == "aarch64-unknown-linux-gnu" && self.options.is_empty()
    }

    /// Splits a file into what runs and what a debugger reads.
    fn split(&self, release: &Release, built: &Path, prefix: &str) -> Result<Compiled, String> {
        let folder = release.work.join("compiled").join(format!(
            "{}-{}{}",
            self.package,
            self.target,
            self.options.concat()
        ));
        let (stripped, debug) = (
            folder.join(self.file),
            folder.join(format!("{}.debug", self.file)),
        );
        tools::empty(&folder)?;
        let objcopy = format!("{prefix}objcopy");
        let mut keep = Command::new(&objcopy);
        tools::run(keep.arg("--only-keep-debug").args([built, &debug]))?;
        let mut strip = Command::new(&objcopy);
        // Windows looks at its tables for unwinding by itself.
        if self.target.contains("linux") {
            frames::keep(&objcopy, built, &debug)?;
            for section in frames::SECTIONS {
                strip.args(["--remove-section", section]);
            }
        }
        let link = format!("--add-gnu-debuglink={}", debug.display());
        tools::run(strip.args(["--strip-all", &link]).args([built, &stripped]))?;
        if self.target.contains("linux") {
            frames::protect(built, &stripped)?;
        }
        self.tell(built, &stripped);
        Ok(Compiled {
            stripped,
            debug: Some(debug),
        })
    }

    /// Prints the sizes of a file as it was built, and stripped.
    fn tell(&self, built: &Path, stripped: &Path) {
        let size = |path: &Path| fs::metadata(path).map_or(0, |data| data.len());
        println!(
            "{:>11}  {} for {}, stripped; {} as it was built",
            size(stripped),
            self.file,
            self.target,
            size(built)
        );
    }
}

impl Release {
    /// Cargo with what makes programs for a target the same in every folder.
    ///
    /// # Errors
    /// When a folder's name has white space: Cargo takes flags beside those of its configuration as one line of words only. When the compiler does not say where its linker is.
    pub fn cargo(&self, target: &str) -> Result<Command, String> {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        self.compiler(&cargo, target, &small(target)?)
    }

    /// [`Self::cargo`] by the name of a program that runs it, with flags for the compiler.
    ///
    /// # Errors
    /// See [`Self::cargo`].
    pub fn compiler(&self, program: &str, target: &str, more: &str) -> Result<Command, String> {
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
            "--remap-path-prefix={home}=/cargo --remap-path-prefix={root}=/anticlock {more}"
        );
        let mut command = Command::new(program);
        command
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
        Ok(command)
    }
}

/// Flags that make programs for a target smaller.
///
/// # Errors
/// When the compiler does not say where its linker is.
fn small(target: &str) -> Result<String, String> {
    if !target.contains("linux") {
        return Ok(String::new());
    }
    // One copy of functions that are the same, by the linker that the compiler brings; and no index of the tables for unwinding, which are taken out.
    let [sysroot, host] = ["sysroot", "host-tuple"]
        .map(|what| tools::output(Command::new("rustc").args(["--print", what])));
    let flags = format!(
        "-Clink-arg=-B{}/lib/rustlib/{}/bin/gcc-ld -Clink-arg=-fuse-ld=lld -Clink-arg=-Wl,--icf=all,--no-eh-frame-hdr",
        sysroot?, host?
    );
    Ok(match target {
        // Its own start-up code relocates it, so that no C library needs to know the short form.
        "x86_64-unknown-linux-musl" => flags + " -Clink-arg=-Wl,-z,pack-relative-relocs",
        _ => flags,
    })
}

/// A target in the names of Cargo's variables.
fn variable(target: &str) -> String {
    target.replace('-', "_").to_uppercase()
}
