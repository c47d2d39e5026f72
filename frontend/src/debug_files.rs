//! What belongs to a program that is debugged: names and sources from files beside it, and what the user has set up for it.
use crate::config;
use crate::failure::Failure;
use crate::files;
use crate::host::Found;
use debugger::{Debugger, Symbols};
use machine::Machine;
use std::path::{Path, PathBuf};

/// Files beside a program that know its names and lines. The first that has lines, and all labels, are read.
const BESIDE: [&str; 6] = ["dbg", "lst", "lab", "lbl", "labels", "sym"];
/// Longest file of this kind that is read.
const MOST: u64 = 64 << 20;

/// Gives a debugger the names of the hardware, of our ROMs where the machine has them, and what the files beside the program know.
/// What a file beside the program has and is not understood is a sentence of the result.
pub fn names(debugger: &mut Debugger, machine: &Machine, found: &Found) -> Vec<String> {
    debugger.symbols = Symbols::default();
    debugger.sources = debugger::Sources::default();
    rom_names(&mut debugger.symbols, machine);
    let mut wrong = Vec::new();
    let Some(program) = &found.path else {
        return wrong;
    };
    for end in BESIDE {
        let path = program.with_extension(end);
        // A listing may be the program itself.
        if path == *program || !path.is_file() {
            continue;
        }
        let is_listing = end == "lst";
        if let Err(error) = add(debugger, &path, is_listing) {
            wrong.push(error.to_string());
        }
    }
    wrong
}

/// Labels of the hardware and of our ROMs.
fn rom_names(symbols: &mut Symbols, machine: &Machine) {
    symbols.add_hardware();
    let config = machine.config();
    if config.os == roms::OS_XL {
        symbols.extend(roms::OS_XL_SYMBOLS.iter());
    } else if config.os == roms::OS_800 {
        symbols.extend(roms::OS_800_SYMBOLS.iter());
    }
    if config.basic.as_deref() == Some(roms::BASIC) {
        symbols.extend(roms::BASIC_SYMBOLS.iter());
    }
}

/// Adds labels or debug information from a file, and the text of its sources where their files are found.
///
/// # Errors
/// A file that cannot be read, or the first line that is not understood.
pub fn add(
    debugger: &mut Debugger,
    path: &Path,
    may_be_something_else: bool,
) -> Result<(), Failure> {
    let length = path.metadata().map_or(0, |about| about.len());
    if length > MOST {
        return Err(Failure::file(path, "it is too long for labels"));
    }
    let bytes = files::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    // Of `.lst` files only listings of MADS are meant: BASIC listings have that name, too.
    if may_be_something_else
        && !text
            .lines()
            .take(20)
            .any(|line| line.starts_with("Source: "))
    {
        return Ok(());
    }
    let before = debugger.sources.files().len();
    debugger
        .sources
        .add_file(&text, &mut debugger.symbols)
        .map_err(|error| Failure::file(path, error))?;
    for number in before..debugger.sources.files().len() {
        if let Some(text) = source_path(&debugger.sources.files()[number].name, path)
            .and_then(|path| std::fs::read(path).ok())
        {
            let text = String::from_utf8_lossy(&text);
            debugger.sources.set_text(number, &text);
        }
    }
    Ok(())
}

/// Where a source file is: as it was named, from the folder of the debug information on, or in that folder by its last part.
pub fn source_path(name: &str, beside: &Path) -> Option<PathBuf> {
    let name = name.replace('\\', "/");
    let folder = beside.parent().unwrap_or(Path::new(""));
    let last = name.rsplit('/').next().unwrap_or(&name);
    [PathBuf::from(&name), folder.join(&name), folder.join(last)]
        .into_iter()
        .find(|path| path.is_file())
}

/// The file with what the user has set up for a program: by its name and its path, because its content changes with each build.
pub fn settings_path(found: &Found) -> PathBuf {
    let whole = found
        .path
        .as_deref()
        .map(|path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()));
    let stem = whole.as_deref().and_then(Path::file_stem).map_or_else(
        || found.program.title.clone(),
        |stem| stem.to_string_lossy().into_owned(),
    );
    let stem: String = stem
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || "-_.".contains(c) {
                c
            } else {
                '_'
            }
        })
        .take(60)
        .collect();
    let hash = whole.map_or(0, |path| crc32fast::hash(path.to_string_lossy().as_bytes()));
    config::debugger().join(format!("{stem}-{hash:08x}.txt"))
}

/// Sets up again what the user had set up for the program; what is not understood any more is a sentence of the result.
pub fn restore(debugger: &mut Debugger, machine: &mut Machine, found: &Found) -> Vec<String> {
    match std::fs::read_to_string(settings_path(found)) {
        Ok(text) => debugger.restore(machine, &text),
        Err(_) => Vec::new(),
    }
}

/// Keeps what the user has set up.
///
/// # Errors
/// When the file cannot be written.
pub fn keep(debugger: &Debugger, found: &Found) -> Result<(), Failure> {
    let path = settings_path(found);
    let text = debugger.settings();
    if text.is_empty() && !path.exists() {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, error))?;
    }
    files::write(&path, text.as_bytes())
}
