//! The program with its window, on a Mac: by Apple's own tools, and run without its window.
use super::{program, unpack};
use crate::bundle::{APPLICATION, PROGRAM, WHAT};
use crate::{Release, tools};
use std::process::Command;

/// The application out of its archive.
///
/// # Errors
/// When a tool finds something wrong, or the program does not do what it should.
pub fn window(release: &Release) -> Result<(), String> {
    let application = unpack(release, WHAT, ".zip")?.join(APPLICATION);
    let path = application.join(PROGRAM);
    let mut lint = Command::new("plutil");
    tools::run(
        lint.arg("-lint")
            .arg(application.join("Contents/Info.plist")),
    )?;
    let mut verify = Command::new("codesign");
    tools::run(verify.args(["--verify", "--strict"]).arg(&application))?;
    let processors = tools::output(Command::new("lipo").arg("-archs").arg(&path))?;
    if processors != "x86_64 arm64" {
        return Err(format!("{WHAT}: the program is for {processors}"));
    }
    program(release, WHAT, &|| Command::new(&path))
}
