//! Trials of a release: each archive is unpacked, and what is in it runs where this computer can run it. What cannot be tried is said in
//! capitals.
mod arm;
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
        Part::Mac => mac(release),
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
    let reference = folder.join("picture.png");
    if !reference.exists() {
        tools::write(&reference, &picture)?;
    }
    if picture != read(&reference)? {
        return Err(format!(
            "{what} draws another picture than the build that was tried first: {}",
            folder.display()
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
    if can("the window on Linux", &["xvfb-run", "timeout"]) {
        stays_open(
            Command::new("xvfb-run")
                .args(["-a", "timeout", "6"])
                .arg(&path)
                .args(["gammon", "--mute"]),
        )?;
        println!("linux-x86_64: its window stays open");
    }
    Ok(())
}

/// Runs a command under `timeout`, which must end it.
fn stays_open(command: &mut Command) -> Result<(), String> {
    let ended = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output();
    let ended = ended.map_err(|error| format!("the window: {error}"))?;
    // The status with which `timeout` says that it had to end the program.
    if ended.status.code() == Some(124) {
        Ok(())
    } else {
        Err(format!(
            "the window did not stay open: {}: {}",
            ended.status,
            String::from_utf8_lossy(&ended.stderr).trim()
        ))
    }
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
    if can("the AppImage's window", &["xvfb-run", "timeout"]) {
        let before = ["xvfb-run", "-a", "timeout", "8"];
        stays_open(run(&before).args(["gammon", "--mute"]))?;
        println!("appimage: its window stays open");
    }
    Ok(())
}

/// The files for Macs, which nothing runs here: both processors must be in each, and name the version.
fn mac(release: &Release) -> Result<(), String> {
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
    if can("the package's window", &["xvfb-run", "timeout"]) {
        let mut window = Command::new("xvfb-run");
        window
            .args(["-a", "-s", "-ac", "timeout", "6", "chroot"])
            .arg(&root)
            .args(["env", "-u", "XAUTHORITY", "anticlock", "--mute"]);
        // -ac: the bare system does not have the file with the display's key.
        stays_open(&mut window)?;
        println!("{name}: computes 42 in a bare system, and its window stays open");
    }
    Ok(())
}

/// Opens the page in Chromium, from a server of its own: its picture must have more colours than an empty page.
fn page(release: &Release) -> Result<(), String> {
    let folder = unpack(release, "page", ".zip")?;
    if !can("the page", &["chromium", "python3"]) {
        return Ok(());
    }
    let serve = "import functools, http.server as h, sys\n\
        s = h.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(h.SimpleHTTPRequestHandler, directory=sys.argv[1]))\n\
        print(s.server_port, flush=True)\ns.serve_forever()";
    let mut server = Command::new("python3");
    let mut server = server
        .args(["-c", serve])
        .arg(&folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let shot = release.work.join("try/page.png");
    let shown = show(&mut server, &shot);
    let ended = server.kill().and_then(|()| server.wait());
    shown?;
    ended.map_err(|error| format!("the page's server: {error}"))?;
    let colours = colours(&shot)?;
    println!("page: a picture of {colours} colours in Chromium");
    if colours < 8 {
        Err(format!("the page is empty: {}", shot.display()))
    } else {
        Ok(())
    }
}

fn show(server: &mut std::process::Child, shot: &Path) -> Result<(), String> {
    let mut port = String::new();
    let out = server
        .stdout
        .take()
        .ok_or("the page's server has no output")?;
    std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut port)
        .map_err(|error| error.to_string())?;
    let profile = shot.with_extension("profile");
    tools::empty(&profile)?;
    let mut chromium = Command::new("timeout");
    chromium.args([
        "120",
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
    ]);
    chromium.args([
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]);
    chromium.args(["--timeout=15000", "--window-size=1200,900"]);
    chromium
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--screenshot={}", shot.display()));
    tools::output(chromium.arg(format!("http://127.0.0.1:{}/", port.trim()))).map(|_| ())
}

/// Different colours in a picture.
fn colours(path: &Path) -> Result<usize, String> {
    let file = fs::File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let failed = |error: png::DecodingError| format!("{}: {error}", path.display());
    let mut reader = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .map_err(failed)?;
    let mut bytes = vec![
        0;
        reader
            .output_buffer_size()
            .ok_or("the picture is too large")?
    ];
    let info = reader.next_frame(&mut bytes).map_err(failed)?;
    let each = info.color_type.samples();
    Ok(bytes
        .chunks_exact(each)
        .collect::<std::collections::BTreeSet<_>>()
        .len())
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
