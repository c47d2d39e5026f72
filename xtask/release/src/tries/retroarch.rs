//! The core for RetroArch.
use super::{can, colours, unpack, windows};
use crate::{Release, tools};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Tries the core: by its functions, and in RetroArch.
///
/// # Errors
/// When something does not do what it should.
pub fn run(release: &Release) -> Result<(), String> {
    let folder = unpack(release, "retroarch-linux-x86_64", ".zip")?;
    if can("the core for RetroArch", &["python3"]) {
        let script = "import ctypes, sys\n\
            class Info(ctypes.Structure):\n    _fields_ = [(n, ctypes.c_char_p) for n in ('name', 'version', 'extensions')] + [('full', ctypes.c_bool), ('block', ctypes.c_bool)]\n\
            core, info = ctypes.CDLL(sys.argv[1]), Info()\n\
            core.retro_get_system_info(ctypes.byref(info))\n\
            print(core.retro_api_version(), info.name.decode(), info.version.decode())";
        let mut python = Command::new("python3");
        python.args(["-c", script]);
        says(
            release,
            "linux-x86_64",
            python.arg(folder.join("anticlock_libretro.so")),
        )?;
        in_retroarch(release, &folder)?;
    }
    on_windows(release)
}

/// The core's words about itself, and those of the `.info` file beside it, must name this version.
fn says(release: &Release, what: &str, command: &mut Command) -> Result<(), String> {
    let says = tools::output(command)?;
    let path = release
        .staged(&release.name(&format!("retroarch-{what}")))
        .join("anticlock_libretro.info");
    let about =
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let dated = about.contains(&format!("display_version = \"{}\"", release.version));
    if !dated || !says.starts_with("1 ") || !says.contains(&release.version) {
        return Err(format!(
            "the core says {says}, and its .info file must name {}",
            release.version
        ));
    }
    println!("retroarch-{what}: {says}");
    Ok(())
}

/// Opens the core for Windows by wine.
fn on_windows(release: &Release) -> Result<(), String> {
    let folder = unpack(release, "retroarch-windows-x86_64", ".zip")?;
    if !can("the core for Windows", &["wine", "x86_64-w64-mingw32-gcc"]) {
        return Ok(());
    }
    windows::forward(&folder)?;
    let (source, opener) = (folder.join("core.c"), folder.join("core.exe"));
    tools::write(&source, include_str!("../core.c"))?;
    let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
    tools::run(compiler.arg("-o").arg(&opener).arg(&source))?;
    let mut wine = windows::wine(release, &[], &opener);
    wine.current_dir(&folder).arg("anticlock_libretro.dll");
    says(release, "windows-x86_64", &mut wine)
}

/// Runs the core in RetroArch, without content: after ten seconds of it the picture on its screen must be the menu of games.
fn in_retroarch(release: &Release, folder: &Path) -> Result<(), String> {
    if !can(
        "the core in RetroArch",
        &["retroarch", "xvfb-run", "timeout"],
    ) {
        return Ok(());
    }
    let home = release.work.join("try/retroarch-home");
    tools::empty(&home)?;
    let (settings, shot) = (home.join("retroarch.cfg"), home.join("menu.png"));
    tools::write(
        &settings,
        format!(
            "libretro_info_path = \"{}\"\naudio_driver = \"null\"\nvideo_vsync = \"false\"\nconfig_save_on_exit = \"false\"\n",
            folder.display()
        ),
    )?;
    let mut retroarch = Command::new("timeout");
    retroarch
        .args(["120", "xvfb-run", "-a", "retroarch", "--max-frames=600"])
        .arg("--max-frames-ss")
        .arg(format!("--max-frames-ss-path={}", shot.display()))
        .arg("--config")
        .arg(&settings)
        .arg("--libretro")
        .arg(folder.join("anticlock_libretro.so"))
        .env("HOME", &home);
    tools::output(&mut retroarch)?;
    let colours = colours(&shot)?;
    println!("retroarch-linux-x86_64: a picture of {colours} colours in RetroArch");
    if colours < 8 {
        return Err(format!("the menu of games is not in {}", shot.display()));
    }
    Ok(())
}
