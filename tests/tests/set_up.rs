//! `.ci/setup.sh` on machines without Rust, or with one that is too old: stubs stand for the tools of such a machine.
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An empty machine: a home, and a folder of the only programs that there are.
struct Bare(PathBuf);

impl Bare {
    fn new(name: &str) -> Self {
        let top =
            std::env::temp_dir().join(format!("anticlock-bare-{name}-{}", std::process::id()));
        fs::create_dir_all(top.join("bin")).unwrap();
        let bare = Self(top);
        for tool in [
            "bash", "sh", "cat", "sed", "sort", "head", "dirname", "chmod", "mkdir",
        ] {
            let found = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(tool));
            let real = found.iter().find(|path| path.exists()).unwrap();
            std::os::unix::fs::symlink(real, bare.0.join("bin").join(tool)).unwrap();
        }
        bare
    }

    fn program(&self, name: &str, script: &str) {
        let path = self.0.join("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The output of `need_cargo`, and true if a toolchain that is new enough is there afterwards.
    fn need_cargo(&self, before: &str) -> (bool, String) {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../.ci/setup.sh");
        let output = Command::new(self.0.join("bin/bash"))
            .args([
                "-euc",
                &format!(". {script}; {before} need_cargo && cargo --version"),
            ])
            .env_clear()
            .env("PATH", self.0.join("bin"))
            .env("HOME", &self.0)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        (output.status.success(), text)
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const NEW: &str = "echo 'cargo 1.99.0 (stub)'";
const OLD: &str = "echo 'cargo 1.63.0 (stub)'";
/// A stand-in for rustup's installer: a script that leaves a toolchain in the home folder.
const INSTALLER: &str = r#"cat <<'END'
mkdir -p "$HOME/.cargo/bin"
printf '#!/bin/sh\necho "cargo 1.99.0 (stub)"\n' >"$HOME/.cargo/bin/cargo"
chmod +x "$HOME/.cargo/bin/cargo"
echo 'PATH="$HOME/.cargo/bin:$PATH"' >"$HOME/.cargo/env"
END"#;

#[test]
fn a_new_toolchain_is_taken_without_a_word() {
    let bare = Bare::new("new");
    bare.program("cargo", NEW);
    assert_eq!(bare.need_cargo(""), (true, "cargo 1.99.0 (stub)\n".into()));
}

#[test]
fn rustup_replaces_a_toolchain_that_is_too_old() {
    let bare = Bare::new("old");
    bare.program("cargo", r#"if [ "${RUSTUP_TOOLCHAIN:-}" = stable ]; then echo 'cargo 1.99.0'; else echo 'cargo 1.63.0'; fi"#);
    bare.program("rustup", r#"[ "$1 $2 $3" = "toolchain install stable" ]"#);
    let (ready, text) = bare.need_cargo("");
    assert!(ready && text.contains("this machine has 1.63.0"), "{text}");
}

#[test]
fn the_distributions_rustup_is_installed_where_there_is_one() {
    let bare = Bare::new("packaged");
    bare.program("id", "echo 0");
    bare.program("env", r#"shift; exec "$@""#);
    bare.program("dpkg-query", "exit 1");
    bare.program("apt-cache", "echo '  Candidate: 1.27'");
    let bin = bare.0.join("bin");
    let bin = bin.display();
    bare.program(
        "apt-get",
        &format!("printf '#!/bin/sh\\nexit 0\\n' >{bin}/rustup; printf '#!/bin/sh\\necho cargo 1.99.0\\n' >{bin}/cargo; chmod +x {bin}/rustup {bin}/cargo"),
    );
    let (ready, text) = bare.need_cargo("");
    assert!(ready && text.contains("rustup"), "{text}");
}

#[test]
fn rustups_own_installer_runs_only_when_that_was_agreed() {
    let bare = Bare::new("installer");
    bare.program("cargo", OLD);
    bare.program("curl", INSTALLER);
    let (ready, text) = bare.need_cargo("");
    assert!(!ready && text.contains("then run this again"), "{text}");
    assert!(!bare.0.join(".cargo").exists());
    let (ready, text) = bare.need_cargo("yes=1;");
    assert!(ready && text.contains("cargo 1.99.0"), "{text}");
}

#[test]
fn with_nothing_to_install_from_one_line_says_what_to_type() {
    let bare = Bare::new("nothing");
    let (ready, text) = bare.need_cargo("CI=true;");
    assert!(!ready && text.contains("install Rust 1."), "{text}");
}
