//! Builds the page: WebAssembly, its bindings, the bundle.
use super::bindings;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The page's programs: folder of the bindings, name in the page, features of crate `web`.
const PROGRAMS: [(&str, &str, &[&str]); 2] = [
    ("pkg", "anticlock.wasm", &["--features", "page"]),
    ("pkg-inside", "inside.wasm", &["--features", "page,inspect"]),
];
/// The features that browsers have had since 2021. All features of wasm-opt would be more than browsers know.
const FEATURES: [&str; 7] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-multivalue",
];
const TARGET: &str = "wasm32-unknown-unknown";

/// The way in which the page's programs are built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// As it is published.
    Small,
    /// For tests of what it does: without the steps that take minutes and only make it smaller.
    Quick,
}

/// Builds the page and gives its folder.
pub fn build(root: &Path, kind: Kind) -> Result<PathBuf, String> {
    let site = root.join("web/site");
    let dist = root.join("web/dist");
    packages(&site)?;
    target()?;
    if dist.exists() {
        fs::remove_dir_all(&dist).map_err(|error| format!("{}: {error}", dist.display()))?;
    }
    fs::create_dir_all(&dist).map_err(|error| format!("{}: {error}", dist.display()))?;
    for (folder, name, features) in PROGRAMS {
        say(&format!("building {name}"));
        let wasm = compile(root, kind, features)?;
        let into = site.join(folder);
        bindings::generate(&wasm, &into, kind == Kind::Small)?;
        let (made, target) = (into.join("web_bg.wasm"), dist.join(name));
        match kind {
            Kind::Small => optimise(&site, &made, &target)?,
            Kind::Quick => fs::copy(&made, &target)
                .map(|_| ())
                .map_err(|error| format!("{}: {error}", target.display()))?,
        }
    }
    for (name, bytes) in [
        ("games.bin", roms::games::pack()),
        ("roms.bin", roms::pack()),
    ] {
        let file = dist.join(name);
        fs::write(&file, bytes).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    say("bundling the page");
    run(command("node").arg("build.mjs").current_dir(&site))?;
    Ok(dist)
}

/// Runs one of the page's scripts for tests and measurements. `WEB_FACTS` names a program `facts` that is built already; measurements
/// build one with optimisation.
pub fn node(root: &Path, dist: &Path, script: &str, words: &[&str]) -> Result<(), String> {
    let site = root.join("web/site");
    let facts = dist.with_file_name("native.json");
    // Speeds are compared with those of the program as it is used; for tests a quick build will do.
    let timed = script == "report.mjs";
    say("asking the native machine");
    let built = std::env::var_os("WEB_FACTS").filter(|_| !timed);
    let mut native = built.map_or_else(
        || {
            let mut native = cargo(root);
            native.args(["run", "--quiet", "--locked", "--package", "web-build"]);
            native.args(["--no-default-features", "--features", "facts"]);
            if timed {
                native.arg("--release");
            }
            native.args(["--bin", "facts", "--"]);
            native
        },
        Command::new,
    );
    native.arg(&facts);
    if timed {
        native.arg("--speeds");
    }
    run(&mut native)?;
    run(command("node")
        .arg(Path::new("test").join(script))
        .args(words)
        .env("SITE", dist)
        .env("NATIVE", &facts)
        .current_dir(&site))
}

fn cargo(root: &Path) -> Command {
    let name = std::env::var_os("CARGO").unwrap_or_else(|| OsStr::new("cargo").to_owned());
    let mut cargo = Command::new(name);
    cargo.current_dir(root);
    cargo
}

fn say(text: &str) {
    eprintln!("==> {text}");
}

fn command(name: &str) -> Command {
    Command::new(name)
}

fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| {
        format!("{name} cannot be run ({error}); the page needs node 20 and npm, Debian's packages nodejs and npm")
    })?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{name} did not succeed; see above"))
    }
}

/// The page's packages, as the lock file has them.
fn packages(site: &Path) -> Result<(), String> {
    let done = site.join("node_modules/.package-lock.json");
    let age = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).ok();
    if age(&done).is_some_and(|done| age(&site.join("package-lock.json")) <= Some(done)) {
        return Ok(());
    }
    say("fetching the page's packages");
    run(command("npm")
        .args(["ci", "--no-fund", "--no-audit"])
        .current_dir(site))
}

/// The compiler's target, which a fresh toolchain has not.
fn target() -> Result<(), String> {
    let root = Command::new("rustc").args(["--print", "sysroot"]).output();
    let root = root.map_err(|error| format!("rustc cannot be run: {error}"))?;
    let root = PathBuf::from(String::from_utf8_lossy(&root.stdout).trim());
    if root.join("lib/rustlib").join(TARGET).exists() {
        return Ok(());
    }
    say("adding the compiler's target for WebAssembly");
    run(command("rustup").args(["target", "add", TARGET]))
}

fn compile(root: &Path, kind: Kind, features: &[&str]) -> Result<PathBuf, String> {
    let profile = match kind {
        Kind::Small => "web",
        Kind::Quick => "web-quick",
    };
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| root.join("target"), PathBuf::from);
    run(cargo(root)
        // Together with a library for Rust, Cargo would leave out the optimisation of all crates as one.
        .args(["rustc", "--quiet", "--locked", "--package", "web"])
        .args(["--crate-type", "cdylib"])
        .args(["--profile", profile, "--target", TARGET])
        .arg("--no-default-features")
        .args(features)
        // The flags in `.cargo/config.toml` hold.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS"))?;
    Ok(target.join(TARGET).join(profile).join("web.wasm"))
}

/// Runs the optimiser that the compiler leaves to others: wasm-opt of Binaryen, which npm brings.
fn optimise(site: &Path, wasm: &Path, into: &Path) -> Result<(), String> {
    run(Command::new("node")
        .arg("node_modules/binaryen/bin/wasm-opt")
        // Loops and branches rebuilt from a flat form are smaller than the compiler's, after two rounds.
        .args(["--flatten", "--rereloop", "-Oz", "-Oz"])
        // What has one caller stays a function: brotli finds more that is alike.
        .arg("--one-caller-inline-max-function-size=0")
        .args(["--strip-debug", "--strip-producers"])
        .args(FEATURES)
        .arg(wasm)
        .arg("-o")
        .arg(into)
        .current_dir(site))
}
