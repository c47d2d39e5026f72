//! Wheels of the Python package: maturin packs one for each system, and zig links those for Linux and Macs.
use super::compile::OLDEST_MACOS;
use super::tries::can;
use super::{Archive, Release, arm, mac, say, tools};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The systems. A wheel for Linux runs with the C library of 2014 (manylinux2014) and newer ones, because zig links it.
const TARGETS: [&str; 5] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-gnu",
];

/// Ends of the names of wheels for Macs, in the order of [`mac::PROCESSORS`].
const MACS: [&str; 2] = ["_x86_64.whl", "_arm64.whl"];

/// Makes the wheels of all systems.
///
/// # Errors
/// When one cannot be made, after the others were made.
pub fn make(release: &Release) -> Result<Vec<Archive>, String> {
    let (mut archives, mut failures) = (Vec::new(), Vec::new());
    for target in TARGETS {
        match wheel(release, target) {
            Ok(archive) => archives.push(archive),
            Err(reason) => {
                say(&format!("NO WHEEL FOR {target}: {reason}"));
                failures.push(target);
            }
        }
    }
    if failures.is_empty() {
        Ok(archives)
    } else {
        Err(format!("no wheels for {}", failures.join(", ")))
    }
}

fn wheel(release: &Release, target: &str) -> Result<Archive, String> {
    let made = release.stage(&release.name(&format!("wheel-{target}")))?;
    let mut maturin = release.compiler("maturin", target, "")?;
    maturin.args(["build", "--locked", "--target", target]);
    if !target.contains("windows") {
        maturin.arg("--zig");
    }
    maturin
        .arg("--out")
        .arg(&made)
        .arg("--manifest-path")
        .arg(release.root.join("python/Cargo.toml"))
        .env("CARGO_TARGET_DIR", release.target.join("wheels"))
        .env("MACOSX_DEPLOYMENT_TARGET", OLDEST_MACOS);
    tools::run(&mut maturin)?;
    let made = files(&made)?;
    let made = made.first().ok_or("maturin has made no wheel")?;
    let name = made.file_stem().ok_or("a wheel without a name")?;
    let name = name.to_string_lossy();
    // It is packed again, because zip makes it 3 % smaller than maturin.
    let staged = release.stage(&name)?;
    tools::run(
        Command::new("unzip")
            .arg("-q")
            .arg(made)
            .arg("-d")
            .arg(&staged),
    )?;
    release.archive(&name, ".whl")
}

/// A program in Python that prints the screen of a machine which has computed 6 * 7.
const PROGRAM: &str = "from anticlock import Atari; atari = Atari(); atari.run_until(text='READY'); \
    atari.type('PRINT 6*7\\n'); atari.run(30); print(atari.text)";

/// Runs a machine from the wheels for Linux, here and by qemu, and looks into those for Macs.
///
/// # Errors
/// When it does not do what it should.
pub fn rehearse(release: &Release) -> Result<(), String> {
    say("NOT TRIED: THE WHEELS FOR WINDOWS AND MACS");
    let place = release.work.join("try/wheel");
    tools::empty(&place)?;
    tools::run(Command::new("python3").args(["-m", "venv"]).arg(&place))?;
    on_macs(release, &place)?;
    here(release, &place)?;
    if can("the wheel for aarch64", &[arm::QEMU, "apt-get", "dpkg-deb"]) {
        on_arm(release, &place)?;
    }
    Ok(())
}

/// pip of the trial's environment.
fn pip(place: &Path, words: &[&str]) -> Result<(), String> {
    let mut pip = Command::new(place.join("bin/python"));
    pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
    tools::run(pip.args(words))
}

/// Runs the program by a Python.
fn compute(python: &mut Command, place: &Path, what: &str) -> Result<(), String> {
    let text = tools::output(python.args(["-c", PROGRAM]).current_dir(place))?;
    if !text.contains("42") {
        return Err(format!("the wheel for {what}: PRINT 6*7 prints {text}"));
    }
    println!("the wheel for {what} prints 42");
    Ok(())
}

fn here(release: &Release, place: &Path) -> Result<(), String> {
    if pip(place, &["install", "--only-binary", ":all:", "numpy"]).is_err() {
        say("NOT TRIED: THE WHEEL FOR THIS COMPUTER: pip cannot fetch NumPy");
        return Ok(());
    }
    let folder = release.out.display().to_string();
    let from = ["--no-index", "--find-links", &folder, "anticlock"];
    pip(place, &[&["install"][..], &from].concat())?;
    let mut python = Command::new(place.join("bin/python"));
    compute(&mut python, place, "this computer")
}

/// The modules in the wheels for Macs: each is for its processor, and has the function by which Python begins.
fn on_macs(release: &Release, place: &Path) -> Result<(), String> {
    for (ending, processor) in MACS.into_iter().zip(mac::PROCESSORS) {
        let wheel = wheel_for(&release.out, &format!("macosx_11_0{ending}"))?;
        let to = place.join(ending);
        unpack(place, &wheel, &to)?;
        let path = to.join("anticlock/_anticlock.abi3.so");
        let module = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let begins = b"_PyInit__anticlock";
        let whole = module.windows(begins.len()).any(|bytes| bytes == begins);
        if !whole || mac::processor(&module) != Some(processor) {
            return Err(format!("{} is no module for its processor", path.display()));
        }
        println!("the wheel for Macs, {ending}: its module is for this processor");
    }
    Ok(())
}

/// Unpacks a wheel.
fn unpack(place: &Path, wheel: &Path, to: &Path) -> Result<(), String> {
    let mut unzip = Command::new(place.join("bin/python"));
    tools::run(unzip.args(["-m", "zipfile", "-e"]).arg(wheel).arg(to))
}

/// The wheel for aarch64, with Debian's Python for it and NumPy's wheel, unpacked.
fn on_arm(release: &Release, place: &Path) -> Result<(), String> {
    let system = match arm::python(release) {
        Ok(system) => system,
        Err(reason) => {
            say(&format!("NOT TRIED: THE WHEEL FOR AARCH64: {reason}"));
            return Ok(());
        }
    };
    let mut before = system.runner();
    before.push(system.root.join("usr/bin/python3").display().to_string());
    let python = || {
        let mut python = Command::new(&before[0]);
        python.args(&before[1..]);
        python.env("PYTHONHOME", system.root.join("usr"));
        python
    };
    let version = "import sys; print('%d.%d' % sys.version_info[:2])";
    let version = tools::output(python().args(["-c", version]))?;
    let (wheels, site) = (place.join("wheels"), place.join("site"));
    let into = wheels.display().to_string();
    let mut words = vec!["download", "--no-deps", "--only-binary", ":all:"];
    words.extend(["--python-version", &version, "--dest", &into, "numpy"]);
    for platform in [
        "manylinux2014_aarch64",
        "manylinux_2_27_aarch64",
        "manylinux_2_28_aarch64",
    ] {
        words.extend(["--platform", platform]);
    }
    if pip(place, &words).is_err() {
        say("NOT TRIED: THE WHEEL FOR AARCH64: pip cannot fetch NumPy");
        return Ok(());
    }
    tools::copy(
        &wheel_for(&release.out, "_aarch64.whl")?,
        &wheels.join("anticlock.whl"),
    )?;
    for wheel in files(&wheels)? {
        unpack(place, &wheel, &site)?;
    }
    compute(python().env("PYTHONPATH", &site), place, "aarch64, by qemu")
}

/// The wheel whose name ends so.
fn wheel_for(folder: &Path, ending: &str) -> Result<PathBuf, String> {
    let mut wheels = files(folder)?.into_iter();
    wheels
        .find(|path| path.to_string_lossy().ends_with(ending))
        .ok_or_else(|| format!("there is no wheel {ending}"))
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(failed)?;
    entries
        .map(|entry| Ok(entry.map_err(failed)?.path()))
        .collect()
}
