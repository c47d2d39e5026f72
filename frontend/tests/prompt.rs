//! The debugger's prompt at a terminal: settings are there the next time.
#![cfg(target_os = "linux")]
mod common;

use common::{Folder, anticlock, coloured, installed};
use std::io::Write;
use std::process::Stdio;

/// True if `script` is installed and the host can make a pseudo-terminal; says so when it cannot.
fn has_terminal() -> bool {
    if !installed("script") {
        return false;
    }
    let made = std::process::Command::new("script")
        .args(["-qec", "true", "/dev/null"])
        .stdin(Stdio::null())
        .output()
        .is_ok_and(|output| output.status.success());
    if !made {
        eprintln!("skipped: this test needs a pseudo-terminal (is /dev/pts mounted?)");
    }
    made
}

/// The output of a session at a terminal for these commands.
fn session(folder: &Folder, program: &str, commands: &str) -> String {
    let prompt = anticlock(&folder.0).get_program().to_owned();
    let line = format!("{} debug {program}", prompt.to_string_lossy());
    let mut terminal = std::process::Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .envs(
            anticlock(&folder.0)
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = terminal.stdin.take().unwrap();
    input
        .write_all(format!("{commands}\nquit\n").as_bytes())
        .unwrap();
    // Until its end the terminal waits for more.
    drop(input);
    let output = terminal.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn breakpoints_belong_to_a_programs_content_and_to_its_next_build() {
    if !has_terminal() {
        return;
    }
    let folder = Folder::new("prompt");
    let build = |name: &str, colour: u8| {
        let mut program = coloured();
        let at = program.iter().position(|byte| *byte == 0x34).unwrap();
        program[at] = colour;
        folder.file(name, &program);
    };
    let stop = "$2006 if a == 5";
    build("p.xex", 0x34);
    let said = session(&folder, "p.xex", "break $2006 if a == 5");
    assert!(said.contains(stop), "{said}");
    // The same program elsewhere, and the next build in its place.
    build("q.xex", 0x34);
    build("p.xex", 0x36);
    for program in ["q.xex", "p.xex"] {
        let said = session(&folder, program, "breaks");
        assert!(
            said.contains("1 breakpoint is set from the last time"),
            "{said}"
        );
        assert!(said.contains(stop), "{said}");
    }
    // Another program in another place has none, nor has one whose breakpoints were cleared.
    build("r.xex", 0x38);
    assert!(!session(&folder, "r.xex", "breaks").contains(stop));
    session(&folder, "p.xex", "clear all");
    assert!(!session(&folder, "p.xex", "breaks").contains(stop));
    assert!(session(&folder, "q.xex", "breaks").contains(stop));
}
