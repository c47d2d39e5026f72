//! The core for RetroArch.
use super::{can, unpack, windows};
use crate::{Release, tools};
use std::collections::BTreeSet;
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

/// Size of the core's frame, which RetroArch stores with `video_gpu_screenshot` off; its own menu has the size of the window.
const PICTURE: (u32, u32) = (336, 224);

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
            "libretro_info_path = \"{}\"\naudio_driver = \"null\"\nvideo_vsync = \"false\"\nvideo_gpu_screenshot = \"false\"\nconfig_save_on_exit = \"false\"\n",
            folder.display()
        ),
    )?;
    let mut retroarch = Command::new("timeout");
    retroarch
        .args(["600", "xvfb-run", "-a", "retroarch", "--max-frames=600"])
        .arg("--max-frames-ss")
        .arg(format!("--max-frames-ss-path={}", shot.display()))
        .arg("--config")
        .arg(&settings)
        .arg("--libretro")
        .arg(folder.join("anticlock_libretro.so"))
        .env("HOME", &home)
        // Without a session bus RetroArch passes D-Bus a null connection, and D-Bus would abort.
        .env("DBUS_FATAL_WARNINGS", "0");
    tools::output(&mut retroarch)?;
    let (size, colours) = seen(&shot)?;
    println!("retroarch-linux-x86_64: a picture of {colours} colours in RetroArch");
    if size != PICTURE || colours < 8 {
        return Err(format!("the menu of games is not in {}", shot.display()));
    }
    Ok(())
}

/// Size of a picture, and how many different colours it has.
fn seen(path: &Path) -> Result<((u32, u32), usize), String> {
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
    let colours: BTreeSet<_> = bytes.chunks_exact(each).collect();
    Ok(((info.width, info.height), colours.len()))
}
