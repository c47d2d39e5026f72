//! The program with its window for Macs, as an application that the Finder opens. Apple's linker and `codesign` make it, so only a Mac can.
use super::{Archive, Release, mac, parts::WINDOW_MAC, tools};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The archive's name after the version.
pub const WHAT: &str = "macos";
/// The application, a folder.
pub const APPLICATION: &str = "Anticlock.app";
/// The program in it.
pub const PROGRAM: &str = "Contents/MacOS/anticlock";

/// Compiles the program for both processors, and packs the application with pages and licences beside it.
///
/// # Errors
/// When a step of it fails.
pub fn make(release: &Release) -> Result<Vec<Archive>, String> {
    let program = release.work.join("compiled/macos/anticlock");
    mac::universal(release, &WINDOW_MAC, &program)?;
    let desktop = release.root.join("frontend/desktop");
    let [plist, icon] = ["Info.plist", "anticlock.icns"].map(|name| {
        let path = desktop.join(name);
        fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
    });
    let plist = String::from_utf8(plist?).map_err(|error| format!("Info.plist: {error}"))?;
    let name = release.name(WHAT);
    let staged = release.stage(&name)?;
    let application = staged.join(APPLICATION);
    lay_out(
        &application,
        &program,
        &plist.replace("@VERSION@", &release.version),
        &icon?,
    )?;
    // Without an identity. The linker has signed the program for each processor; this signs what is beside it, too.
    let mut sign = Command::new("codesign");
    tools::run(sign.args(["--force", "--sign", "-"]).arg(&application))?;
    release.papers(&staged)?;
    Ok(vec![release.archive(&name, ".zip")?])
}

/// Lays out the folder of an application.
fn lay_out(folder: &Path, program: &Path, plist: &str, icon: &[u8]) -> Result<(), String> {
    let contents = folder.join("Contents");
    tools::copy(program, &folder.join(PROGRAM))?;
    tools::write(&contents.join("Info.plist"), plist)?;
    // Type and creator: an application of nobody's.
    tools::write(&contents.join("PkgInfo"), "APPL????")?;
    tools::write(&contents.join("Resources/anticlock.icns"), icon)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    const PLIST: &str = include_str!("../../../frontend/desktop/Info.plist");
    const MIME: &str = include_str!("../../../frontend/desktop/anticlock.xml");
    const ENTRY: &str = include_str!("../../../frontend/desktop/anticlock.desktop");

    /// The texts between two marks, in order.
    fn between<'a>(text: &'a str, before: &str, after: &str) -> Vec<&'a str> {
        let parts = text.split(before).skip(1);
        parts
            .map(|part| part.split_once(after).unwrap().0)
            .collect()
    }

    /// The values of a key, one for each time that it is there. A list has its first value.
    fn values<'a>(plist: &'a str, key: &str) -> Vec<&'a str> {
        let key = format!("<key>{key}</key>");
        let parts = plist.split(&key).skip(1);
        parts
            .map(|part| between(part, "<string>", "</string>")[0])
            .collect()
    }

    #[test]
    fn an_application_has_all_that_its_list_names() {
        let folder = std::env::temp_dir().join(format!("anticlock-app-{}", std::process::id()));
        tools::empty(&folder).unwrap();
        let program = folder.join("made-up");
        tools::write(&program, "program").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let application = folder.join(APPLICATION);
        lay_out(&application, &program, PLIST, b"icns").unwrap();
        let contents = application.join("Contents");
        let named = |key| values(PLIST, key)[0];
        let icon = format!("Resources/{}.icns", named("CFBundleIconFile"));
        let program = format!("MacOS/{}", named("CFBundleExecutable"));
        let kind = named("CFBundlePackageType");
        for (name, bytes) in [
            ("Info.plist", PLIST),
            ("PkgInfo", &format!("{kind}????")),
            (&icon, "icns"),
            (&program, "program"),
        ] {
            assert_eq!(fs::read_to_string(contents.join(name)).unwrap(), bytes);
        }
        let mode = fs::metadata(contents.join(&program)).unwrap().permissions();
        assert_eq!(mode.mode() & 0o777, 0o755);
        assert_eq!(contents.join(program), application.join(PROGRAM));
        fs::remove_dir_all(&folder).unwrap();
    }

    /// The types of files are those of the desktop entry, with the names and endings of the table of MIME types.
    #[test]
    fn an_application_opens_what_the_desktop_entry_does() {
        let types = between(ENTRY, "\nMimeType=", "\n")[0].trim_end_matches(';');
        let types: Vec<&str> = types.split(';').collect();
        assert_eq!(between(MIME, "<mime-type type=\"", "\""), types);
        assert_eq!(values(PLIST, "public.mime-type"), types);
        let endings = between(MIME, "<glob pattern=\"*.", "\"");
        assert_eq!(values(PLIST, "public.filename-extension"), endings);
        let names = between(MIME, "<comment>", "</comment>");
        for key in ["CFBundleTypeName", "UTTypeDescription"] {
            assert_eq!(values(PLIST, key), names, "{key}");
        }
        let identifiers: Vec<String> = endings
            .iter()
            .map(|ending| format!("org.anticlock.{ending}"))
            .collect();
        for key in ["LSItemContentTypes", "UTTypeIdentifier"] {
            assert_eq!(values(PLIST, key), identifiers, "{key}");
        }
        // A type of low weight is taken from no other program.
        let ranks: Vec<&str> = between(MIME, "<glob ", "/>")
            .iter()
            .map(|glob| {
                if glob.contains("weight") {
                    "Alternate"
                } else {
                    "Default"
                }
            })
            .collect();
        assert_eq!(values(PLIST, "LSHandlerRank"), ranks);
    }

    #[test]
    fn an_application_asks_for_the_system_that_its_program_is_compiled_for() {
        let oldest = values(PLIST, "LSMinimumSystemVersion");
        assert_eq!(oldest, [crate::compile::OLDEST_MACOS]);
        for key in ["CFBundleVersion", "CFBundleShortVersionString"] {
            assert_eq!(values(PLIST, key), ["@VERSION@"], "{key}");
        }
    }
}
