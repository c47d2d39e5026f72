//! The program for Windows.
use super::{can, in_window, program, unpack};
use crate::{Release, tools};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Tries the program, its window and its installer by wine.
///
/// # Errors
/// When something does not do what it should.
pub fn run(release: &Release) -> Result<(), String> {
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
    in_window(release, "windows-x86_64", &folder, "", &|before| {
        wine(release, before, &path)
    })?;
    setup(release)
}

/// A program for Windows, run by wine, and that by other programs if `before` names some.
pub fn wine(release: &Release, before: &[&str], program: &Path) -> Command {
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
    for _ in 0..1200 {
        if !folder.exists() && !entry.exists() {
            println!("windows-x86_64-setup: installs and removes the program");
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    Err(format!(
        "the program was not removed within two minutes from {}",
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
    let icon = include_bytes!("../../../../frontend/desktop/anticlock.ico");
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
pub fn forward(folder: &Path) -> Result<(), String> {
    let source = folder.join("prng.c");
    tools::write(&source, include_str!("../prng.c"))?;
    let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
    compiler
        .args(["-shared", "-o"])
        .arg(folder.join("bcryptprimitives.dll"))
        .arg(&source)
        .arg("-ladvapi32");
    tools::run(&mut compiler)
}
