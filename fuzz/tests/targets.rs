//! Two minutes of fuzzing: seven seconds of CPU time for each target. `cargo xtask fuzz` takes an hour.
use std::process::Command;

/// CPU time for each target.
const SECONDS: &str = "7";

fn fuzz() -> Command {
    Command::new(env!("CARGO_BIN_EXE_fuzz"))
}

fn run(target: &str) {
    let keep = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    let output = fuzz()
        .args(["--target", target, "--seconds", SECONDS, "--keep"])
        .arg(&keep)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    print!("{}", String::from_utf8_lossy(&output.stdout));
}

/// A test for each target, by its name.
macro_rules! targets {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            fn $name() {
                run(&stringify!($name).replace('_', "-"));
            }
        )*
    };
}

targets! {
    disk binary cartridge cassette tune saved_basic listing program start state recording link archive script symbols configuration palette dap commands
}

#[test]
fn every_target_has_its_test() {
    let output = fuzz().arg("--list").output().unwrap();
    let list = String::from_utf8(output.stdout).unwrap();
    let tested: Vec<String> = NAMES.iter().map(|name| name.replace('_', "-")).collect();
    assert_eq!(list.lines().collect::<Vec<_>>(), tested);
}
