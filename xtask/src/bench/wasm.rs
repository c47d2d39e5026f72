//! The workloads in WebAssembly, in Node and in Chromium: built for speed, and for size as the page is.

use super::{FRAMES, ROUNDS, Workload, cpu_time};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a program in Node.
const NODE: &str = "bench.mjs";
/// Runs a program in Chromium.
const CHROMIUM: &str = "chromium.mjs";

const TARGET: &str = "wasm32-unknown-unknown";
/// Profiles of Cargo.
const BUILDS: [&str; 2] = ["release", "web"];
/// All of [`super::WORKLOADS`] that have a machine, and READY without pictures.
const MEASURED: &[&str] = &[
    "ready",
    "unseen",
    "basic",
    "stress",
    "acid800",
    "crazy-eights",
    "gammon",
    "digi",
    "texture",
    "scroller",
    "scrolled",
    "shaded",
    "midline",
    "rainbow",
    "rotozoom",
    "multicolour",
];

/// Builds the machine for WebAssembly and measures it beside the native one.
///
/// # Errors
/// When Node is missing, or something cannot be built or run.
pub fn run() -> Result<(), String> {
    if Command::new("node").arg("--version").output().is_err() {
        return Err("bench --wasm runs WebAssembly in Node, and there is no `node`".to_owned());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut programs = Vec::new();
    for profile in BUILDS {
        programs.push(build(&root, profile)?);
    }
    let mut scripts = vec![NODE];
    if root.join("web/site/node_modules/playwright-core").exists() {
        scripts.push(CHROMIUM);
    } else {
        eprintln!("Chromium is left out: it needs `npm ci` in web/site");
    }
    println!(
        "frames a second: native; for speed and for size, with microseconds of a copy in Node, or frames a second with the processor slowed four times in Chromium"
    );
    for name in MEASURED {
        match Workload::new(name) {
            Ok(workload) => measure(&root, name, workload, &programs, &scripts)?,
            Err(message) => eprintln!("{name} is left out: {message}"),
        }
    }
    Ok(())
}

/// Prints the lines of a workload.
fn measure(
    root: &Path,
    name: &str,
    mut workload: Workload,
    programs: &[PathBuf],
    scripts: &[&str],
) -> Result<(), String> {
    let Workload::Machine { atari, .. } = &workload else {
        return Err(format!("{name} is no machine"));
    };
    let state = std::env::temp_dir().join(format!("anticlock-state-{}", std::process::id()));
    let bytes = atari.machine.save_state();
    std::fs::write(&state, bytes).map_err(|e| format!("{}: {e}", state.display()))?;
    let native = median((0..ROUNDS).map(|_| {
        let start = cpu_time();
        workload.run(FRAMES);
        f64::from(FRAMES) / cpu_time().saturating_sub(start).as_secs_f64()
    }));
    let drawing = if name == "unseen" { "0" } else { "1" };
    println!("{name:<14} {native:>10.0}");
    let printed = scripts.iter().try_for_each(|script| {
        print!("  {script:<14}");
        for program in programs {
            let (speed, last) = run_script(root, script, program, &state, drawing)?;
            print!(" {speed:>9.0} {:>5.2}x {last:>8.1}", speed / native);
        }
        println!();
        Ok(())
    });
    // Of no use any more, whatever has happened.
    let _ = std::fs::remove_file(&state);
    printed
}

/// Frames a CPU second of a program, and the last number that the script prints.
fn run_script(
    root: &Path,
    script: &str,
    program: &Path,
    state: &Path,
    drawing: &str,
) -> Result<(f64, f64), String> {
    let output = Command::new("node")
        .arg(root.join("xtask/wasm").join(script))
        .args([program, state])
        .args([drawing, &FRAMES.to_string(), &ROUNDS.to_string()])
        .output()
        .map_err(|e| format!("node: {e}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{script}: {}", text.trim()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Result<Vec<f64>, _> = text.lines().map(str::parse).collect();
    match numbers.as_deref() {
        Ok([rounds @ .., last]) if rounds.len() == ROUNDS => {
            Ok((median(rounds.iter().copied()), *last))
        }
        _ => Err(format!("{script} says {text:.200}")),
    }
}

/// The median without the first.
fn median(rounds: impl Iterator<Item = f64>) -> f64 {
    let mut rounds: Vec<f64> = rounds.skip(1).collect();
    rounds.sort_by(f64::total_cmp);
    rounds.get(rounds.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Builds the machine as WebAssembly.
fn build(root: &Path, profile: &str) -> Result<PathBuf, String> {
    eprintln!("building for {TARGET}, profile {profile}");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--locked", "--package", "wasm-bench"])
        .args(["--profile", profile, "--target", TARGET])
        // The flags in `.cargo/config.toml` hold, as for the page.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .current_dir(root)
        .status()
        .map_err(|e| format!("cargo: {e}"))?;
    if !status.success() {
        return Err(format!(
            "no WebAssembly; is the target there? rustup target add {TARGET}"
        ));
    }
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join(TARGET).join(profile).join("wasm_bench.wasm"))
}
