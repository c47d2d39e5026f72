//! A program by its name or file, and the user's table of the needs of files.
use crate::config;
use crate::failure::Failure;
use crate::files;
use crate::options::MachineOptions;
use crate::packed;
use media::Identity;
use session::{HostKeys, Needs, Program, ProgramError, built_in};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// A program that was asked for, and the file that it is.
#[derive(Clone, Debug)]
pub struct Found {
    /// The program.
    pub program: Program,
    /// Its file; `None` for one that is built in.
    pub path: Option<PathBuf>,
    /// Length and hash of the file.
    pub content: Option<Identity>,
}

impl Found {
    /// A program that is built in.
    pub fn built_in(program: Program) -> Self {
        Self {
            program,
            path: None,
            content: None,
        }
    }

    /// The built-in program or file called `name`.
    ///
    /// # Errors
    /// One sentence that says what the name or the file is not.
    pub fn named(name: &OsStr, options: &MachineOptions) -> Result<Self, Failure> {
        let path = Path::new(name);
        if let Some(text) = name.to_str() {
            let known = built_in::find(text).map_err(|error| Failure::file(path, error))?;
            if let Some(program) = known {
                return Ok(Self::built_in(program));
            }
            if !path.exists() && !text.contains(['/', '\\', '.']) {
                let names: Vec<_> = built_in::all().iter().map(|p| p.name).collect();
                return Err(Failure::input(format!(
                    "there is no program or file called {text}; built-in programs are menu, {}",
                    names.join(", ")
                )));
            }
        }
        Self::file(path, options.cart_type)
    }

    /// The program in a file. `kind` is the CAR type of a plain dump of a cartridge, when the user has said it.
    ///
    /// # Errors
    /// One sentence that says what is wrong with the file.
    pub fn file(path: &Path, kind: Option<u32>) -> Result<Self, Failure> {
        let opened = packed::open(path)?;
        let bytes = &opened.bytes;
        let failed = |error: ProgramError| Failure::file(path, error);
        let dump = media::recognise(&opened.name, bytes) == media::Kind::Rom;
        let known = cartridge_type(bytes, kind.filter(|_| dump))?;
        let mut program = match known {
            Some(number) if dump => {
                Program::of_dump(&opened.name, bytes, number).map_err(failed)?
            }
            _ => Program::of_file(&opened.name, bytes).map_err(failed)?,
        };
        remember_type(bytes, kind.filter(|_| dump))?;
        program.remark = opened.flaw.or(program.remark);
        Ok(Self {
            program,
            path: Some(path.to_owned()),
            content: Some(Identity::of(bytes)),
        })
    }

    /// The file as messages name it, or the program.
    pub(crate) fn shown(&self) -> String {
        self.path
            .as_deref()
            .map_or_else(|| self.program.title.clone(), |p| p.display().to_string())
    }
}

/// The user's table of the needs of files; empty when the user has no table.
pub(crate) fn needs_table() -> Result<String, Failure> {
    let path = config::needs();
    if !path.exists() {
        return Ok(String::new());
    }
    files::read(&path).map(|text| String::from_utf8_lossy(&text).into_owned())
}

/// The CAR type of a plain dump: as asked for, or as it was asked for before.
pub(crate) fn cartridge_type(bytes: &[u8], asked: Option<u32>) -> Result<Option<u32>, Failure> {
    let needs = Needs::of_content(crc32fast::hash(bytes), &needs_table()?)
        .map_err(|error| Failure::file(&config::needs(), error))?;
    Ok(asked.or(needs.cartridge))
}

/// Notes the type of a plain dump in the user's table, so that it need not be said again.
pub(crate) fn remember_type(bytes: &[u8], asked: Option<u32>) -> Result<(), Failure> {
    let Some(number) = asked else { return Ok(()) };
    if cartridge_type(bytes, None)? == Some(number) {
        return Ok(());
    }
    remember(crc32fast::hash(bytes), &format!("type={number}"))
}

/// Notes in the user's table what arrows and Space are for the file with this CRC-32. False if the table says so already.
///
/// # Errors
/// When the table cannot be read or written.
pub fn remember_keys(content: u32, keys: Option<HostKeys>) -> Result<bool, Failure> {
    let known = Needs::of_content(content, &needs_table()?);
    let known = known.map_err(|error| Failure::file(&config::needs(), error))?;
    if known.keys == keys {
        return Ok(false);
    }
    let name = keys.map_or("auto", HostKeys::name);
    remember(content, &format!("keys={name}"))?;
    Ok(true)
}

/// Adds a word about the file with this CRC-32 to the user's table of needs; later lines win over earlier ones.
///
/// # Errors
/// When the table cannot be read or written.
pub fn remember(content: u32, word: &str) -> Result<(), Failure> {
    let path = config::needs();
    let mut table = needs_table()?;
    if !table.is_empty() && !table.ends_with('\n') {
        table.push('\n');
    }
    for part in [&format!("{content:08x}")[..], " ", word, "\n"] {
        table.push_str(part);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .map_err(|error| Failure::file(folder, format!("cannot be made: {error}")))?;
    }
    files::write(&path, table.as_bytes())
}
