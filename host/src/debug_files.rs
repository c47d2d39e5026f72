//! The files for a program that is debugged: names and sources beside it, and the settings of the user for it.
use crate::config;
use crate::failure::Failure;
use crate::files;
use crate::found::Found;
use crate::recovery::{short_hash, slug};
use debugger::{Debuggee, Debugger, Symbols};
use machine::Machine;
use std::path::{Path, PathBuf};

/// Files beside a program that know its names and lines. The first that has lines, and all labels, are read.
const BESIDE: [&str; 6] = ["dbg", "lst", "lab", "lbl", "labels", "sym"];
/// Longest file of this kind that is read.
const MOST: u64 = 16 << 20;

/// Gives a debugger the names of the hardware, of our ROMs where the machine has them, and those in the files beside the program.
/// The result has a sentence for each file beside the program that is not understood.
pub fn names(debugger: &mut Debugger, machine: &Machine, found: &Found) -> Vec<String> {
    names_if(debugger, machine, found, &|_| true)
}

/// Like [`names`], from files that may be read only; the text of a source that may not stays unknown.
pub fn names_if(
    debugger: &mut Debugger,
    machine: &Machine,
    found: &Found,
    may_read: &dyn Fn(&Path) -> bool,
) -> Vec<String> {
    debugger.symbols = Symbols::default();
    debugger.sources = debugger::Sources::default();
    system_names(&mut debugger.symbols, machine);
    let mut wrong = Vec::new();
    let Some(program) = &found.path else {
        return wrong;
    };
    for end in BESIDE {
        let path = program.with_extension(end);
        // A listing may be the program itself.
        if path == *program || !path.is_file() || !may_read(&path) {
            continue;
        }
        let is_listing = end == "lst";
        if let Err(error) = add_if(debugger, &path, is_listing, may_read) {
            wrong.push(error.to_string());
        }
    }
    wrong
}

/// Names of the hardware and of the XL's OS, for programs that are assembled.
pub fn xl_names() -> Symbols {
    let mut symbols = Symbols::default();
    symbols.add_hardware();
    symbols.add_system(roms::labels(roms::os_xl(), None));
    symbols
}

/// Labels of the hardware and of our ROMs.
fn system_names(symbols: &mut Symbols, machine: &Machine) {
    symbols.add_hardware();
    let config = machine.config();
    symbols.add_system(roms::labels(&config.os, None));
    symbols.add_basic(roms::labels(&[], config.basic.as_deref()));
    symbols.show_basic(debugger::basic::is_there(machine));
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
    add_if(debugger, path, may_be_something_else, &|_| true)
}

/// Like [`add`]; the text of a source that may not be read stays unknown.
///
/// # Errors
/// See [`add`].
pub fn add_if(
    debugger: &mut Debugger,
    path: &Path,
    may_be_something_else: bool,
    may_read: &dyn Fn(&Path) -> bool,
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
        if let Some(text) = source_path(&debugger.sources.files()[number].name, path, &[])
            .filter(|path| may_read(path))
            .and_then(|path| std::fs::read(path).ok())
        {
            let text = String::from_utf8_lossy(&text);
            debugger.sources.set_text(number, &text);
        }
    }
    if debugger.sources.lacks_interpreted() {
        add_interpreted(debugger, path, may_read);
    }
    Ok(())
}

/// Extensions of FastBasic's sources.
const FASTBASIC: [&str; 4] = ["fb", "bas", "BAS", "FB"];

/// The source of a FastBasic program is beside its labels, with their name.
fn add_interpreted(debugger: &mut Debugger, labels: &Path, may_read: &dyn Fn(&Path) -> bool) {
    let mut paths = FASTBASIC.iter().map(|end| labels.with_extension(end));
    let found = paths.find(|path| path.is_file() && may_read(path));
    if let Some((path, text)) =
        found.and_then(|path| Some((path.clone(), files::read(&path).ok()?)))
    {
        let name = path.to_string_lossy();
        let text = String::from_utf8_lossy(&text);
        debugger
            .sources
            .set_interpreted(&name, &text, &debugger.symbols);
    }
}

/// Folders above the debug information in which a source is looked for: tools are called from the top of a project.
const ABOVE: usize = 3;

/// The path of a source file: as it was named, from one of the roots on, from the folder of the debug information or one above it on, or in one of
/// these by its last part.
pub fn source_path(name: &str, beside: &Path, roots: &[PathBuf]) -> Option<PathBuf> {
    let name = name.replace('\\', "/");
    let beside = std::path::absolute(beside).unwrap_or_else(|_| beside.to_owned());
    let folders = || {
        let above = beside.ancestors().skip(1).take(1 + ABOVE);
        roots.iter().map(PathBuf::as_path).chain(above)
    };
    let last = name.rsplit('/').next().unwrap_or(&name);
    let whole = folders().map(|folder| folder.join(&name));
    let parts = folders().map(|folder| folder.join(last));
    std::iter::once(PathBuf::from(&name))
        .chain(whole)
        .chain(parts)
        .find(|path| path.is_file())
}

/// The files with what the user has set up for a program: one that belongs to its content, wherever the file is and whatever it is called,
/// and one that belongs to its place, which the next build of the program uses.
fn settings_paths(found: &Found) -> (PathBuf, Option<PathBuf>) {
    let folder = config::debugger();
    let stem = found.content.map_or_else(
        || slug(&found.program.title),
        |content| format!("{:016x}", content.hash),
    );
    let place = found.path.as_deref().map(|path| {
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let hash = short_hash(path.as_os_str().as_encoded_bytes());
        folder.join(format!("at-{hash:08x}.txt"))
    });
    (folder.join(stem + ".txt"), place)
}

/// Settings kept for the program, or for the one that was in its place before.
fn kept(found: &Found) -> Option<String> {
    let (content, place) = settings_paths(found);
    [Some(content), place]
        .into_iter()
        .flatten()
        .find_map(|path| std::fs::read_to_string(path).ok())
}

/// Restores the user's settings for the program; each one that is not understood any more is a sentence of the result.
pub fn restore(debugger: &mut Debugger, debuggee: &mut dyn Debuggee, found: &Found) -> Vec<String> {
    kept(found).map_or(Vec::new(), |text| debugger.restore(debuggee, &text))
}

/// Keeps what the user has set up.
///
/// # Errors
/// When a file cannot be written.
pub fn keep(settings: &str, found: &Found) -> Result<(), Failure> {
    let (content, place) = settings_paths(found);
    for path in [Some(content), place].into_iter().flatten() {
        if settings.is_empty() && !path.exists() {
            continue;
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, error))?;
        }
        files::write(&path, settings.as_bytes())?;
    }
    Ok(())
}
