//! What the program says of itself with `--version`: the commit that it was built from, the compiler, the target.
use std::process::Command;

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=ANTICLOCK_COMMIT");
    let variable = |name: &str| std::env::var(name).ok();
    // A build for development is not made anew for each commit.
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
}
