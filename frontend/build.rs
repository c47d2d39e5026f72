//! The program's account of itself: with `--version` the commit that it was built from, the compiler, the target; on Windows to the desktop.
use std::path::Path;
use std::process::Command;

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

/// Puts icon, version and manifest into the program for Windows. The GNU linker takes them as an object, which `windres` makes; it comes
/// with the compiler that links such a program.
fn resources(version: &str, out: &Path) -> Result<(), String> {
    let desktop = Path::new("desktop");
    let numbers = version.split(['-', '+']).next().unwrap_or(version);
    for name in ["anticlock.rc", "anticlock.manifest"] {
        println!("cargo::rerun-if-changed=desktop/{name}");
        let text =
            std::fs::read_to_string(desktop.join(name)).map_err(|error| error.to_string())?;
        let text = text
            .replace("@NUMBERS@", &numbers.replace('.', ","))
            .replace("@VERSION@", version);
        std::fs::write(out.join(name), text).map_err(|error| error.to_string())?;
    }
    println!("cargo::rerun-if-changed=desktop/anticlock.ico");
    std::fs::copy(desktop.join("anticlock.ico"), out.join("anticlock.ico"))
        .map_err(|error| error.to_string())?;
    let made = ["x86_64-w64-mingw32-windres", "windres"]
        .into_iter()
        .any(|windres| {
            let mut command = Command::new(windres);
            command
                .args(["anticlock.rc", "resources.o"])
                .current_dir(out);
            command.status().is_ok_and(|status| status.success())
        });
    if !made {
        return Err("windres does not run".to_owned());
    }
    println!(
        "cargo::rustc-link-arg-bins={}",
        out.join("resources.o").display()
    );
    Ok(())
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=ANTICLOCK_COMMIT");
    let variable = |name: &str| std::env::var(name).ok();
    // A build for development is not made again for each commit.
    let release = variable("PROFILE").is_some_and(|profile| profile == "release");
    let commit = variable("ANTICLOCK_COMMIT").or_else(|| {
        if !release {
            return Some("a working tree".to_owned());
        }
        let log = output("git", &["rev-parse", "--git-path", "logs/HEAD"])?;
        println!("cargo::rerun-if-changed={log}");
        let commit = output("git", &["describe", "--always", "--dirty"])?;
        Some(format!("commit {commit}"))
    });
    let rustc = variable("RUSTC").and_then(|rustc| output(&rustc, &["--version"]));
    for (name, value) in [
        ("ANTICLOCK_COMMIT", commit),
        ("ANTICLOCK_RUSTC", rustc),
        ("ANTICLOCK_TARGET", variable("TARGET")),
    ] {
        let value = value.unwrap_or_else(|| "unknown".to_owned());
        println!("cargo::rustc-env={name}={value}");
    }
    let target = (
        variable("CARGO_CFG_TARGET_OS"),
        variable("CARGO_CFG_TARGET_ENV"),
    );
    if let (Some("windows"), Some("gnu")) = (target.0.as_deref(), target.1.as_deref()) {
        let (version, out) = (variable("CARGO_PKG_VERSION"), variable("OUT_DIR"));
        let (version, out) = (version.unwrap_or_default(), out.unwrap_or_default());
        if let Err(reason) = resources(&version, Path::new(&out)) {
            println!("cargo::warning=the program has no icon, version and manifest: {reason}");
        }
    }
}
