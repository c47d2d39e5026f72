//! Trials of a release: each archive is unpacked, and what is in it runs where this computer can run it. What cannot be tried is said in
//! capitals.
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
        Part::Headless => headless(release, "linux-x86_64-headless", &[]),
        Part::Arm => arm(release),
        Part::Windows => windows(release),
        Part::Retroarch => retroarch(release),
        Part::Page => page(release),
        Part::Vscode => vscode(release),
        Part::Bill | Part::Manifests => Ok(()),
    }
}

/// False, and said in capitals, if a tool is missing.
fn can(what: &str, needed: &[&str]) -> bool {
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
    program(release, what, &|| through(before, &path))
}

/// A program, run by another one if `before` names one.
fn through(before: &[&str], path: &Path) -> Command {
    match before {
        [] => Command::new(path),
        [runner, options @ ..] => {
            let mut command = Command::new(runner);
            command.args(options).arg(path);
            command
        }
    }
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
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let status = status.map_err(|error| format!("the window: {error}"))?;
    // The status with which `timeout` says that it had to end the program.
    if status.code() == Some(124) {
        Ok(())
    } else {
        Err(format!("the window did not stay open: {status}"))
    }
}

/// The package: by lintian, and installed in a system of its own that has nothing but what the package asks for.
fn debian(release: &Release) -> Result<(), String> {
    let name = format!("anticlock_{}_amd64.deb", release.version);
    let package = release.out.join(&name);
    if can("the package by lintian", &["lintian"]) {
        let mut lintian = Command::new("lintian");
        lintian.args([
            "--allow-root",
            "--fail-on",
            "error,warning",
            "--tag-display-limit",
            "0",
        ]);
        tools::run(lintian.arg(&package))?;
    }
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
        let suite = tools::output(
            Command::new("sh").args(["-c", ". /etc/os-release; echo $VERSION_CODENAME"]),
        )?;
        tools::run(
            Command::new("debootstrap")
                .args(["--variant=minbase", &suite])
                .arg(&root)
                .args(mirror())
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

/// The mirror that this computer's packages come from: there may be no other.
fn mirror() -> Option<String> {
    let apt = Command::new("apt-get")
        .args([
            "indextargets",
            "--format",
            "$(SITE)",
            "Created-By: Packages",
        ])
        .output()
        .ok()?;
    let text = String::from_utf8(apt.stdout).ok()?;
    text.lines().next().map(str::to_owned)
}

fn arm(release: &Release) -> Result<(), String> {
    if !can("the program for aarch64", &["qemu-aarch64-static"]) {
        return Ok(());
    }
    let before = ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"];
    headless(release, "linux-aarch64-headless", &before)
}

fn windows(release: &Release) -> Result<(), String> {
    let folder = unpack(release, "windows-x86_64", ".zip")?;
    let path = folder.join("anticlock.exe");
    resources(&path, &release.version)?;
    if !can(
        "the program for Windows",
        &["wine", "x86_64-w64-mingw32-gcc"],
    ) {
        return Ok(());
    }
    forward(&folder)?;
    program(release, "windows-x86_64", &|| wine(release, &[], &path))?;
    if can("the window on Windows", &["xvfb-run", "timeout"]) {
        let mut window = wine(release, &["xvfb-run", "-a", "timeout", "20"], &path);
        stays_open(window.args(["gammon", "--mute"]))?;
        println!("windows-x86_64: its window stays open");
    }
    setup(release)
}

/// A program for Windows, run by wine, and that by other programs if `before` names some.
fn wine(release: &Release, before: &[&str], program: &Path) -> Command {
    let mut words = before.iter().chain(&["wine"]);
    let mut wine = Command::new(words.next().unwrap_or(&"wine"));
    wine.args(words)
        .arg(program)
        .env("WINEPREFIX", release.work.join("wine"))
        // Neither .NET nor a browser, which it would ask for in a window.
        .env("WINEDLLOVERRIDES", "mscoree,mshtml=")
        .env("WINEDEBUG", "-all");
    wine
}

/// Installs and removes the program: the files and the place in the Start menu must come and go.
fn setup(release: &Release) -> Result<(), String> {
    let setup = release
        .out
        .join(release.name("windows-x86_64-setup") + ".exe");
    tools::run(wine(release, &[], &setup).arg("/S"))?;
    let user = tools::output(Command::new("id").arg("-un"))?;
    let home = release.work.join("wine/drive_c/users").join(user);
    let folder = home.join("AppData/Local/Programs/Anticlock");
    let entry = home.join("AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Anticlock.lnk");
    let program = folder.join("anticlock.exe");
    for file in [&program, &entry] {
        if !file.exists() {
            return Err(format!("the installer has not made {}", file.display()));
        }
    }
    // Its copy in another folder removes the files, after this one has ended.
    tools::run(wine(release, &[], &folder.join("uninstall.exe")).arg("/S"))?;
    for _ in 0..100 {
        if !folder.exists() && !entry.exists() {
            println!("windows-x86_64-setup: installs and removes the program");
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    Err(format!(
        "the program was not removed from {}",
        folder.display()
    ))
}

/// Resources of the program for Windows: version, icon and manifest.
fn resources(program: &Path, version: &str) -> Result<(), String> {
    let bytes = fs::read(program).map_err(|error| format!("{}: {error}", program.display()))?;
    let wide = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    let icon = include_bytes!("../../../frontend/desktop/anticlock.ico");
    for (what, part) in [
        ("version", wide(&format!("ProductVersion\0{version}\0"))),
        ("manifest", b"longPathAware".to_vec()),
        // The last of its pictures.
        ("icon", icon[icon.len() - 8000..].to_vec()),
    ] {
        if !bytes.windows(part.len()).any(|bytes| bytes == part) {
            return Err(format!("the program for Windows has no {what}"));
        }
    }
    Ok(())
}

/// Wine 8 has no `bcryptprimitives.dll`, which every Windows since 7 has: a library with its one function takes its place, for the trial only.
fn forward(folder: &Path) -> Result<(), String> {
    let source = folder.join("forward.c");
    tools::write(
        &source,
        "int SystemFunction036(void *bytes, unsigned long length);\n\
         __declspec(dllexport) int ProcessPrng(void *bytes, unsigned long long length) { return SystemFunction036(bytes, length); }\n",
    )?;
    let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
    compiler
        .args(["-shared", "-o"])
        .arg(folder.join("bcryptprimitives.dll"))
        .arg(&source)
        .arg("-ladvapi32");
    tools::run(&mut compiler)
}

fn retroarch(release: &Release) -> Result<(), String> {
    let folder = unpack(release, "retroarch-linux-x86_64", ".zip")?;
    unpack(release, "retroarch-windows-x86_64", ".zip")?;
    say("NOT TRIED: THE CORE FOR WINDOWS: unpacked only");
    if !can("the core for RetroArch", &["python3"]) {
        return Ok(());
    }
    let script = "import ctypes, sys\n\
        class Info(ctypes.Structure):\n    _fields_ = [(n, ctypes.c_char_p) for n in ('name', 'version', 'extensions')] + [('full', ctypes.c_bool), ('block', ctypes.c_bool)]\n\
        core, info = ctypes.CDLL(sys.argv[1]), Info()\n\
        core.retro_get_system_info(ctypes.byref(info))\n\
        print(core.retro_api_version(), info.name.decode(), info.version.decode())";
    let says = tools::output(
        Command::new("python3")
            .args(["-c", script])
            .arg(folder.join("anticlock_libretro.so")),
    )?;
    let about = fs::read_to_string(folder.join("anticlock_libretro.info"))
        .map_err(|error| error.to_string())?;
    let dated = about.contains(&format!("display_version = \"{}\"", release.version));
    if !dated || !says.starts_with("1 ") || !says.contains(&release.version) {
        return Err(format!(
            "the core says {says}, and its .info file must name {}",
            release.version
        ));
    }
    println!("retroarch-linux-x86_64: {says}");
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
