//! Builds the page: WebAssembly, its bindings, the bundle.
use super::{bindings, split};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One of the page's programs.
struct Program {
    /// The folder of its bindings.
    bindings: &'static str,
    /// Its name in the page.
    name: &'static str,
    /// Features of crate `web`.
    features: &'static str,
}

const FIRST: Program = Program {
    bindings: "pkg",
    name: "anticlock.wasm",
    features: "page",
};
const INSIDE: Program = Program {
    bindings: "pkg-inside",
    name: "inside.wasm",
    features: "page,inspect",
};
/// The first program compiled for speed, for links to minutes of play: larger, with the bindings of the first.
const FAST: Program = Program {
    bindings: "pkg-fast",
    name: "fast.wasm",
    features: "page",
};
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
    /// For the sizes of the first load: its program as it is published, the others as for tests.
    Sized,
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
    let published = ("web", Some(SMALL));
    let quick = ("web-quick", None);
    let (first, inside) = match kind {
        Kind::Small => (published, published),
        Kind::Quick => (quick, quick),
        Kind::Sized => (published, quick),
    };
    for (name, bytes) in [
        ("games.bin", roms::games::pack()),
        ("roms.bin", roms::pack()),
    ] {
        write(&dist.join(name), &bytes)?;
    }
    make(root, &dist, &FIRST, first)?;
    make(root, &dist, &INSIDE, inside)?;
    if kind == Kind::Small {
        make(root, &dist, &FAST, ("web-fast", Some(SPEEDY)))?;
        let bindings = |program: &Program| fs::read(site.join(program.bindings).join("web.js"));
        if bindings(&FIRST).ok() != bindings(&FAST).ok() {
            return Err("fast.wasm has other bindings than anticlock.wasm".to_owned());
        }
    } else {
        copy(&dist.join(FIRST.name), &dist.join(FAST.name))?;
    }
    split_first(&site, &dist)?;
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

/// Makes one of the page's programs: by wasm-opt with these options, or as the compiler leaves it.
fn make(
    root: &Path,
    dist: &Path,
    program: &Program,
    (profile, optimisation): (&str, Option<&[&str]>),
) -> Result<(), String> {
    say(&format!("building {}", program.name));
    let site = root.join("web/site");
    let wasm = compile(root, profile, program.features)?;
    let into = site.join(program.bindings);
    bindings::generate(&wasm, &into, optimisation.is_some())?;
    let (made, target) = (into.join("web_bg.wasm"), dist.join(program.name));
    match optimisation {
        Some(options) => optimise(&site, options, &made, &target),
        None => copy(&made, &target),
    }
}

/// Splits the first program: what the menu and the running games call stays, the others are `rest.wasm`.
fn split_first(site: &Path, dist: &Path) -> Result<(), String> {
    say("splitting anticlock.wasm");
    let (first, rest) = (dist.join(FIRST.name), dist.join("rest.wasm"));
    let read = |file: &Path| fs::read(file).map_err(|error| format!("{}: {error}", file.display()));
    let wasm = read(&first)?;
    let folder = site.join(FIRST.bindings);
    let (counting, called) = (folder.join("counting.wasm"), folder.join("called.txt"));
    write(&counting, &split::instrument(&wasm)?)?;
    run(command("node")
        .arg("profile.mjs")
        .arg(&counting)
        .arg(dist)
        .arg(&called)
        .current_dir(site))?;
    let numbers = read(&called)?;
    let numbers = String::from_utf8_lossy(&numbers);
    let kept: HashSet<usize> = numbers
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect();
    let (first_part, other_part) = split::split(&wasm, &kept)?;
    for (part, file) in [(first_part, &first), (other_part, &rest)] {
        write(file, &part)?;
        optimise(site, TIDY, file, file)?;
    }
    Ok(())
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(file, bytes).map_err(|error| format!("{}: {error}", file.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let copied = fs::copy(from, to);
    copied
        .map(|_| ())
        .map_err(|error| format!("{}: {error}", to.display()))
}

fn compile(root: &Path, profile: &str, features: &str) -> Result<PathBuf, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| root.join("target"), PathBuf::from);
    run(cargo(root)
        // Together with a library for Rust, Cargo would leave out the optimisation of all crates as one.
        .args(["rustc", "--quiet", "--locked", "--package", "web"])
        .args(["--crate-type", "cdylib"])
        .args(["--profile", profile, "--target", TARGET])
        .args(["--no-default-features", "--features", features])
        // The flags in `.cargo/config.toml` hold.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS"))?;
    Ok(target.join(TARGET).join(profile).join("web.wasm"))
}

/// Options of wasm-opt for size. Loops and branches rebuilt from a flat form are smaller than the compiler's, after two rounds. Nothing lies in the first
/// kilobyte of memory, where the stack of 4 MB would end, so that constants can be parts of accesses. A function with one
/// caller stays one: brotli finds more that is alike.
const SMALL: &[&str] = &[
    "--flatten",
    "--rereloop",
    "-Oz",
    "--flatten",
    "--rereloop",
    "-Oz",
    "-Oz",
    "--optimize-added-constants-propagate",
    "--low-memory-unused",
    "--one-caller-inline-max-function-size=0",
];
/// Options of wasm-opt for a part: 3 KB of blocks and moves that were written without need are gone.
const TIDY: &[&str] = &["--merge-locals", "--vacuum"];
/// Options of wasm-opt for speed.
const SPEEDY: &[&str] = &["-O3"];

/// Runs the optimiser that the compiler leaves to others: wasm-opt of Binaryen, which npm brings.
fn optimise(site: &Path, options: &[&str], wasm: &Path, into: &Path) -> Result<(), String> {
    run(Command::new("node")
        .arg("node_modules/binaryen/bin/wasm-opt")
        .args(options)
        .args(["--strip-debug", "--strip-producers"])
        .args(FEATURES)
        .arg(wasm)
        .arg("-o")
        .arg(into)
        .current_dir(site))
}
