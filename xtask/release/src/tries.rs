//! Trials of a release: each archive is unpacked, and what is in it runs where this computer can run it. What cannot be tried is said in
//! capitals.
mod arm;
mod mac;
mod retroarch;
mod windows;

use super::{Release, parts::Part, say, tools};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Tries what was made of a part.
///
/// # Errors
/// When something does not do what it should.
pub fn run(release: &Release, part: Part) -> Result<(), String> {
    match part {
        Part::Linux => linux(release).and_then(|()| debian(release)),
        Part::AppImage => appimage(release),
        Part::Headless => {
            headless(release, "linux-x86_64-headless", &[]).and_then(|()| frames(release))
        }
        Part::Arm => arm::window(release),
        Part::ArmHeadless => arm::headless(release),
        Part::Mac => archives_for_macs(release),
        Part::MacWindow => mac::window(release),
        Part::Windows => windows::run(release),
        Part::Retroarch => retroarch::run(release),
        Part::Page => page(release),
        Part::Vscode => vscode(release),
        Part::Wheels => crate::wheels::rehearse(release),
        Part::Crates => crate::crates::rehearse(release),
        Part::Bill | Part::Manifests => Ok(()),
    }
}

/// False, and said in capitals, if a tool is missing.
pub fn can(what: &str, needed: &[&str]) -> bool {
    let missing: Vec<&str> = needed
        .iter()
        .copied()
        .filter(|tool| !tools::have(tool))
        .collect();
    if !missing.is_empty() {
        say(&format!(
            "NOT TRIED: {}: it needs {}",
            what.to_uppercase(),
            missing.join(", ")
        ));
    }
    missing.is_empty()
}

/// Unpacks an archive of this release into an empty folder, and gives the folder in it.
fn unpack(release: &Release, what: &str, ending: &str) -> Result<PathBuf, String> {
    let name = release.name(what);
    let file = release.out.join(format!("{name}{ending}"));
    let folder = release.work.join("try").join(what);
    tools::empty(&folder)?;
    match ending {
        ".tar.gz" => tools::run(
            Command::new("tar")
                .arg("-xzf")
                .arg(file)
                .arg("-C")
                .arg(&folder),
        )?,
        _ => tools::run(
            Command::new("unzip")
                .arg("-q")
                .arg(file)
                .arg("-d")
                .arg(&folder),
        )?,
    }
    Ok(if ending == ".vsix" {
        folder
    } else {
        folder.join(name)
    })
}

/// Runs the program in a terminal's way: it must name its version, compute 42, and draw the picture that every other build draws.
fn program(release: &Release, what: &str, command: &dyn Fn() -> Command) -> Result<(), String> {
    let says = tools::output(command().arg("--version"))?;
    if !says.contains(&release.version) || !says.contains(&release.commit) {
        return Err(format!("{what} --version says {says}"));
    }
    let text =
        tools::output(command().args(["headless", "basic", "--type", "PRINT 6*7\\n", "--text"]))?;
    if !text.contains("42") {
        return Err(format!("{what}: PRINT 6*7 prints {text}"));
    }
    let folder = release.work.join("try");
    let name = format!("{what}.png");
    let mut draw = command();
    draw.args([
        "headless",
        "gammon",
        "--frames",
        "900",
        "--screenshot",
        &name,
    ])
    .current_dir(&folder);
    tools::run(&mut draw)?;
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let picture = read(&folder.join(&name))?;
    let reference = release.picture();
    if !reference.exists() {
        tools::write(&reference, &picture)?;
    }
    if picture != read(&reference)? {
        return Err(format!(
            "{what} draws another picture than the build that was tried first: {name} in {}, and {}",
            folder.display(),
            reference.display()
        ));
    }
    println!(
        "{what}: names its version, prints 42, draws the same {} bytes",
        picture.len()
    );
    Ok(())
}

fn headless(release: &Release, what: &str, before: &[&str]) -> Result<(), String> {
    let folder = unpack(release, what, ".tar.gz")?;
    let path = folder.join("anticlock");
    program(release, what, &|| tools::through(before, &path))
}

/// Follows the program's calls in gdb, from where it prints up to `main`: its tables for unwinding are in the archive of symbols only.
fn frames(release: &Release) -> Result<(), String> {
    if !can("the symbols", &["gdb"]) {
        return Ok(());
    }
    let what = "linux-x86_64-headless";
    let path = unpack(release, what, ".tar.gz")?.join("anticlock");
    let symbols = unpack(release, &format!("{what}-debug"), ".tar.gz")?;
    tools::copy(
        &symbols.join("anticlock.debug"),
        &path.with_extension("debug"),
    )?;
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-nx", "-batch"]);
    for words in [
        "catch syscall write",
        "run headless basic --frames 200 --text",
        "backtrace",
    ] {
        gdb.args(["-ex", words]);
    }
    let calls = tools::output(gdb.arg(&path))?;
    let named = |function: &str| calls.lines().any(|line| line.contains(function));
    if !named("frontend/src/headless.rs") || !named("frontend/src/main.rs") {
        return Err(format!("{what}: gdb follows its calls only to {calls}"));
    }
    println!("{what}: gdb follows its calls up to main");
    Ok(())
}

fn linux(release: &Release) -> Result<(), String> {
    let folder = unpack(release, "linux-x86_64", ".tar.gz")?;
    let path = folder.join("bin/anticlock");
    program(release, "linux-x86_64", &|| Command::new(&path))?;
    in_window(release, "linux-x86_64", &folder, "", &|before| {
        tools::through(before, &path)
    })
}

/// A program for the machine that prints after 512 frames: the clock that the OS counts up in each says so.
const PRINTS: &str = "10 IF PEEK(19)<2 THEN 10\n20 LPRINT 6*7\n";

/// Opens a window with a program that prints, in a folder of this computer, and waits for what it prints. `path` is the folder's name in front of a file, as the window's system has it.
/// `run` gives the command, run by the words that it is given.
fn in_window(
    release: &Release,
    what: &str,
    folder: &Path,
    path: &str,
    run: &dyn Fn(&[&str]) -> Command,
) -> Result<(), String> {
    if !can(&format!("the window of {what}"), &["xvfb-run", "timeout"]) {
        return Ok(());
    }
    tools::write(&folder.join("prints.bas"), PRINTS)?;
    let script = release.root.join("xtask/release/src/window.sh");
    let [script, paper] = [script, folder.join("paper.txt")].map(|file| file.display().to_string());
    // -ac: a bare system does not have the file with the display's key.
    let mut window = run(&["xvfb-run", "-a", "-s", "-ac", "sh", &script, &paper]);
    let [program, paper] = ["prints.bas", "paper.txt"].map(|name| format!("{path}{name}"));
    window.args([&program, "--printer", &paper, "--mute"]);
    if path.is_empty() {
        window.current_dir(folder);
    }
    // xvfb-run joins what the program and the script say.
    let said = window.output();
    let said = said.map_err(|error| format!("the window of {what}: {error}"))?;
    if !said.status.success() {
        let [out, err] =
            [said.stdout, said.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        return Err(format!("{what}: {} {}", out.trim(), err.trim()));
    }
    println!("{what}: a program in its window prints 42 after 512 frames");
    Ok(())
}

/// The AppImage, unpacked by itself: a computer that makes archives may lack what mounts it.
fn appimage(release: &Release) -> Result<(), String> {
    let file = crate::appimage::file(release);
    let run = |before: &[&str]| {
        let mut command = tools::through(before, &file);
        command.env("APPIMAGE_EXTRACT_AND_RUN", "1");
        command
    };
    program(release, "appimage", &|| run(&[]))?;
    let folder = release.work.join("try");
    in_window(release, "appimage", &folder, "", &run)
}

/// The files for Macs, which nothing runs here: both processors must be in each, and name the version.
fn archives_for_macs(release: &Release) -> Result<(), String> {
    for (what, ending, file) in [
        ("macos-headless", ".tar.gz", "anticlock"),
        ("retroarch-macos", ".zip", "anticlock_libretro.dylib"),
    ] {
        let path = unpack(release, what, ending)?.join(file);
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        for part in crate::mac::parts(&bytes)? {
            let version = release.version.as_bytes();
            if !part.windows(version.len()).any(|bytes| bytes == version) {
                return Err(format!("a part of {} names no version", path.display()));
            }
        }
        println!("{what}: both processors are in {file}");
    }
    say("NOT TRIED: THE PROGRAMS FOR MACS: THEY NEED A MAC");
    Ok(())
}

/// A package by lintian.
fn lint(release: &Release, kind: &str) -> Result<(), String> {
    if !can("the package by lintian", &["lintian"]) {
        return Ok(());
    }
    let name = format!("anticlock_{}_{kind}.deb", release.version);
    let mut lintian = Command::new("lintian");
    lintian.args([
        "--allow-root",
        "--fail-on",
        "error,warning",
        "--tag-display-limit",
        "0",
    ]);
    tools::run(lintian.arg(release.out.join(name)))
}

/// The package: by lintian, and installed in a system of its own that has nothing but what the package asks for.
fn debian(release: &Release) -> Result<(), String> {
    let name = format!("anticlock_{}_amd64.deb", release.version);
    let package = release.out.join(&name);
    lint(release, "amd64")?;
    let superuser = tools::output(Command::new("id").arg("-u"))? == "0";
    if !superuser {
        say("NOT TRIED: THE PACKAGE IN A BARE SYSTEM: it needs to be root");
    }
    if !superuser || !can("the package in a bare system", &["debootstrap", "chroot"]) {
        return Ok(());
    }
    let root = release.work.join("bare");
    if !root.join("complete").exists() {
        tools::empty(&root)?;
        let suite = tools::code_name()?;
        tools::run(
            Command::new("debootstrap")
                .args(["--variant=minbase", &suite])
                .arg(&root)
                .args(tools::mirror())
                .stdout(Stdio::null()),
        )?;
        tools::write(&root.join("complete"), "")?;
    }
    tools::copy(&package, &root.join("tmp").join(&name))?;
    let inside = || {
        let mut command = Command::new("chroot");
        command
            .arg(&root)
            .env("LC_ALL", "C.UTF-8")
            .env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    let count = || tools::output(inside().args(["sh", "-c", "dpkg-query -W -f '.\\n' | wc -l"]));
    tools::output(inside().args(["apt-get", "purge", "-y", "--autoremove", "anticlock"])).ok();
    let before = count()?;
    tools::output(inside().args(["apt-get", "install", "-y", &format!("/tmp/{name}")]))?;
    println!(
        "{name}: packages in a bare system: {before} before, {} with it",
        count()?
    );
    let says = tools::output(inside().args([
        "anticlock",
        "headless",
        "basic",
        "--type",
        "PRINT 6*7\\n",
        "--text",
    ]))?;
    if !says.contains("42") {
        return Err(format!("the installed package: PRINT 6*7 prints {says}"));
    }
    println!("{name}: computes 42 in a bare system");
    let bare = root.display().to_string();
    in_window(release, &name, &root.join("tmp"), "/tmp/", &|before| {
        let chroot = ["chroot", &bare, "env", "-u", "XAUTHORITY"];
        tools::through(&[before, &chroot].concat(), Path::new("anticlock"))
    })
}

/// Opens the page in Chromium, from a server of its own: its machine must run, and that of the page for other pages must compute.
fn page(release: &Release) -> Result<(), String> {
    let folder = unpack(release, "page", ".zip")?;
    if !can("the page", &["chromium", "python3"]) {
        return Ok(());
    }
    let profile = release.work.join("try/page.profile");
    tools::empty(&profile)?;
    let mut python = Command::new("python3");
    let python = python.arg(release.root.join("xtask/release/src/page.py"));
    python.args([&folder, &profile, &release.work.join("try/page.png")]);
    let text = tools::output(python)?;
    if !text.lines().any(|line| line.trim() == "42") {
        return Err(format!("the page: PRINT 6*7 prints {text}"));
    }
    println!("page: runs, and prints 42 in Chromium");
    Ok(())
}

fn vscode(release: &Release) -> Result<(), String> {
    let folder = unpack(release, "vscode", ".vsix")?;
    let path = folder.join("extension/package.json");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let about: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if about["version"] != release.version.as_str() {
        return Err(format!(
            "the extension has version {}, the program {}",
            about["version"], release.version
        ));
    }
    let main = folder
        .join("extension")
        .join(about["main"].as_str().unwrap_or_default());
    if main.is_file() {
        Ok(())
    } else {
        Err("the extension has no program".to_owned())
    }
}
