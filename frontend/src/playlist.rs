//! Lists of disks: the first is booted, the others are in the next drives.
use crate::cli::{Cli, Command};
use crate::failure::Failure;
use crate::files;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// True for a list by its name.
pub fn is_list(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("m3u"))
}

/// The files of a list: a name a line, beside the list; lines that begin with # are comments.
///
/// # Errors
/// When it cannot be read, names no file, or more than there are drives.
pub fn read(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let text = files::read(path)?;
    let text = String::from_utf8_lossy(&text);
    let lines = text.trim_start_matches('\u{FEFF}').lines().map(str::trim);
    let folder = path.parent().unwrap_or(Path::new(""));
    let names = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let found: Vec<_> = names.map(|name| folder.join(name)).collect();
    match found.len() {
        0 => Err(Failure::file(path, "this list names no disk")),
        1..=session::DRIVES => Ok(found),
        n => Err(Failure::file(
            path,
            format!("this list names {n} disks, and there are only eight drives"),
        )),
    }
}

/// Puts the disks of lists, and those that follow the program on the command line, where --disk puts them.
///
/// # Errors
/// See [`read`].
pub fn spread(cli: &mut Cli) -> Result<(), Failure> {
    let (program, more, machine) = match &mut cli.command {
        None => (
            &mut cli.play.program,
            std::mem::take(&mut cli.play.more),
            &mut cli.play.machine,
        ),
        Some(Command::Headless(options)) => (
            &mut options.program,
            std::mem::take(&mut options.more),
            &mut options.machine,
        ),
        _ => return Ok(()),
    };
    let mut disks = Vec::new();
    let list = program.as_ref().map(PathBuf::from);
    if let Some(list) = list.filter(|path| is_list(path)) {
        let mut all = read(&list)?.into_iter();
        *program = all.next().map(OsString::from);
        disks.extend(all);
    }
    for path in more.into_iter().chain(std::mem::take(&mut machine.disk)) {
        if is_list(&path) {
            disks.extend(read(&path)?);
        } else {
            disks.push(path);
        }
    }
    machine.disk = disks;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[test]
    fn lists_and_disks_after_the_program_fill_the_drives() {
        let folder = std::env::temp_dir().join(format!("anticlock-m3u-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let list = folder.join("game.m3u");
        std::fs::write(&list, "#EXTM3U\r\na.atr\r\n\r\nb.atr\r\n").unwrap();
        for command in [&["anticlock"][..], &["anticlock", "headless"]] {
            let mut line: Vec<&Path> = command.iter().map(Path::new).collect();
            line.extend([
                &list,
                Path::new("c.atr"),
                Path::new("--disk"),
                Path::new("d.atr"),
            ]);
            let mut cli = Cli::parse_from(line);
            spread(&mut cli).unwrap();
            let (program, machine) = match &cli.command {
                Some(Command::Headless(options)) => (&options.program, &options.machine),
                _ => (&cli.play.program, &cli.play.machine),
            };
            assert_eq!(program.as_deref(), Some(folder.join("a.atr").as_os_str()));
            let disks = [folder.join("b.atr"), "c.atr".into(), "d.atr".into()];
            assert_eq!(machine.disk, disks);
        }
        std::fs::write(&list, "# nothing\n").unwrap();
        let error = read(&list).unwrap_err().to_string();
        assert!(error.ends_with("this list names no disk"), "{error}");
        std::fs::write(&list, "x.atr\n".repeat(9)).unwrap();
        assert!(
            read(&list)
                .unwrap_err()
                .to_string()
                .contains("names 9 disks")
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
