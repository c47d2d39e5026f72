//! The workloads in WebAssembly, in Node: built for speed, and for size as the page is.

use super::{FRAMES, ROUNDS, Workload, cpu_time};
use std::path::{Path, PathBuf};
use std::process::Command;

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
    println!(
        "{:<14} {:>10} {:>16} {:>16}   copy: speed  size",
        "frames/s", "native", "for speed", "for size"
    );
    for name in MEASURED {
        match Workload::new(name) {
            Ok(workload) => measure(&root, name, workload, &programs)?,
            Err(message) => eprintln!("{name} is left out: {message}"),
        }
    }
    Ok(())
}

/// Prints a line of the table.
fn measure(
    root: &Path,
    name: &str,
    mut workload: Workload,
    programs: &[PathBuf],
) -> Result<(), String> {
    let Workload::Machine { atari, .. } = &workload else {
        return Err(format!("{name} is no machine"));
    };
    let state = std::env::temp_dir().join(format!("anticlock-{name}-{}", std::process::id()));
    let bytes = atari.machine.save_state();
    std::fs::write(&state, bytes).map_err(|e| format!("{}: {e}", state.display()))?;
    let native = median((0..ROUNDS).map(|_| {
        let start = cpu_time();
        workload.run(FRAMES);
        f64::from(FRAMES) / cpu_time().saturating_sub(start).as_secs_f64()
    }));
    let drawing = if name == "unseen" { "0" } else { "1" };
    let run = programs
        .iter()
        .map(|program| in_node(root, program, &state, drawing));
    let run = run.collect::<Result<Vec<_>, _>>();
    // Of no use any more, whatever has happened.
    let _ = std::fs::remove_file(&state);
    print!("{name:<14} {native:>10.0}");
    let run = run?;
    for (speed, _) in &run {
        print!(" {speed:>9.0} {:>5.2}x", speed / native);
    }
    let copies: Vec<String> = run.iter().map(|(_, copy)| format!("{copy:>6.1}")).collect();
    println!("   {} us", copies.join(" "));
    Ok(())
}

/// Frames a CPU second, and the microseconds of a copy.
fn in_node(root: &Path, program: &Path, state: &Path, drawing: &str) -> Result<(f64, f64), String> {
    let output = Command::new("node")
        .arg(root.join("xtask/wasm/bench.mjs"))
        .args([program, state])
        .args([drawing, &FRAMES.to_string(), &ROUNDS.to_string()])
        .output()
        .map_err(|e| format!("node: {e}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!("node: {}", text.trim()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Result<Vec<f64>, _> = text.lines().map(str::parse).collect();
    match numbers.as_deref() {
        Ok([rounds @ .., copy]) if rounds.len() == ROUNDS => {
            Ok((median(rounds.iter().copied()), *copy))
        }
        _ => Err(format!("node says {text:.200}")),
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
