//! Workloads of our own that do what demos do: see the sources in `bench/demos`. They are assembled when they are measured.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The address that the programs are linked to.
const START: &str = "0x2000";

/// The binary file of a demo.
///
/// # Errors
/// One sentence when cc65 is missing or the source does not assemble.
pub fn assembled(name: &str) -> Result<Vec<u8>, String> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bench/demos");
    let scratch = std::env::temp_dir().join(format!("bench-{name}-{}", std::process::id()));
    fs::create_dir_all(&scratch)
        .map_err(|e| format!("cannot create {}: {e}", scratch.display()))?;
    let object = scratch.join("demo.o");
    let program = scratch.join("demo.xex");
    let file = tool(
        Command::new("ca65")
            .arg("-I")
            .arg(&sources)
            .arg("-o")
            .arg(&object)
            .arg(sources.join(name).with_extension("s")),
    )
    .and_then(|()| {
        tool(
            Command::new("ld65")
                .args(["-C", "atari-asm-xex.cfg", "-S", START, "-o"])
                .arg(&program)
                .arg(&object),
        )
    })
    .and_then(|()| {
        fs::read(&program).map_err(|e| format!("cannot read {}: {e}", program.display()))
    });
    let _ = fs::remove_dir_all(&scratch);
    file
}

fn tool(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|e| format!("cannot run {name} ({e}); it is part of the package cc65"))?;
    if output.status.success() {
        Ok(())
    } else {
        let text = String::from_utf8_lossy(&output.stderr);
        Err(format!("{name}: {}", text.lines().next().unwrap_or("?")))
    }
}
