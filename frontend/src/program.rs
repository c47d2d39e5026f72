//! What a person asked to play: built-in programs by name, files by content first and name second.
use crate::failure::Failure;
use crate::files;
use media::atr::Disk;
use media::cartridge::Cartridge;
use media::xex::Xex;
use std::path::Path;

/// A program that comes with Colleen.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in the title of the window.
    pub title: &'static str,
    /// Its SAVE file; `None` is the READY prompt.
    pub save_file: Option<&'static [u8]>,
    /// Whether joystick keys are on at the start.
    pub joystick: bool,
}

/// All built-in programs, in the order of the menu.
pub const BUILT_IN: &[BuiltIn] = &[BuiltIn {
    name: "basic",
    title: "BASIC",
    save_file: None,
    joystick: false,
}];

/// What a program is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// The READY prompt.
    Prompt,
    /// A tokenised BASIC program.
    Basic(Vec<u8>),
    /// A binary load file.
    Binary(Xex),
    /// A disk to boot from.
    Disk(Disk),
    /// A cartridge.
    Cartridge(Cartridge),
    /// A saved state of a machine.
    State(Vec<u8>),
}

/// A program, ready to be put into a machine.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name for the title of the window.
    pub title: String,
    /// What it is.
    pub kind: Kind,
    /// Whether joystick keys are on at the start.
    pub joystick: bool,
}

impl Program {
    /// The built-in program or file called `name`.
    ///
    /// # Errors
    /// One sentence that says what the name or the file is not.
    pub fn find(name: &str) -> Result<Self, Failure> {
        let lower = name.to_ascii_lowercase();
        if let Some(known) = BUILT_IN.iter().find(|p| p.name == lower) {
            return Ok(Self::built_in(known));
        }
        let path = Path::new(name);
        if !path.exists() && !name.contains(['/', '\\', '.']) {
            let names: Vec<_> = BUILT_IN.iter().map(|p| p.name).collect();
            return Err(Failure::input(format!(
                "there is no program or file called {name}; built-in programs are {}",
                names.join(", ")
            )));
        }
        Self::of_file(path, &files::read(path)?)
    }

    /// A program that comes with Colleen.
    pub fn built_in(known: &BuiltIn) -> Self {
        Self {
            title: known.title.to_owned(),
            kind: known.save_file.map_or(Kind::Prompt, |file| Kind::Basic(file.to_vec())),
            joystick: known.joystick,
        }
    }

    /// The program in a file's `bytes`.
    ///
    /// # Errors
    /// One sentence that says what is wrong with the file.
    pub fn of_file(path: &Path, bytes: &[u8]) -> Result<Self, Failure> {
        let kind = recognise(path, bytes)?;
        let joystick = matches!(kind, Kind::Binary(_) | Kind::Disk(_) | Kind::Cartridge(_));
        Ok(Self {
            title: path
                .file_name()
                .map_or_else(|| "?".to_owned(), |n| n.to_string_lossy().into_owned()),
            kind,
            joystick,
        })
    }
}

/// What the bytes of a file are.
fn recognise(path: &Path, bytes: &[u8]) -> Result<Kind, Failure> {
    let explain = |problem: &dyn std::fmt::Display| Failure::file(path, problem);
    let extension = path
        .extension()
        .map(|e| e.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    if bytes.is_empty() {
        return Err(explain(&"the file is empty"));
    }
    if bytes.starts_with(&[0x96, 0x02]) {
        return Disk::parse(bytes).map(Kind::Disk).map_err(|e| explain(&e));
    }
    if bytes.starts_with(&[0xFF, 0xFF]) && !matches!(&*extension, "rom" | "bin") {
        return Xex::parse(bytes).map(Kind::Binary).map_err(|e| explain(&e));
    }
    if bytes.starts_with(b"CART") {
        return Cartridge::parse_car(bytes).map(Kind::Cartridge).map_err(|e| explain(&e));
    }
    if bytes.starts_with(machine::STATE_MAGIC) {
        return Ok(Kind::State(bytes.to_vec()));
    }
    if let Ok(program) = media::basic::Program::parse(bytes) {
        let _ = program;
        return Ok(Kind::Basic(bytes.to_vec()));
    }
    if looks_like_listing(bytes) {
        return media::basic::tokenize(bytes).map(Kind::Basic).map_err(|e| explain(&e));
    }
    // The contents say nothing: the name decides, and says what is wrong.
    match &*extension {
        "rom" | "bin" => Cartridge::from_rom(bytes).map(Kind::Cartridge).map_err(|e| explain(&e)),
        "xex" | "com" | "exe" | "obj" => Xex::parse(bytes).map(Kind::Binary).map_err(|e| explain(&e)),
        "atr" => Disk::parse(bytes).map(Kind::Disk).map_err(|e| explain(&e)),
        "car" => Cartridge::parse_car(bytes).map(Kind::Cartridge).map_err(|e| explain(&e)),
        "bas" => media::basic::Program::parse(bytes)
            .map(|_| Kind::Basic(bytes.to_vec()))
            .map_err(|e| explain(&e)),
        "lst" | "txt" => media::basic::tokenize(bytes).map(Kind::Basic).map_err(|e| explain(&e)),
        _ => Err(explain(
            &"not a program, disk image, cartridge, BASIC program or listing for an Atari",
        )),
    }
}

/// Whether it is text that begins with a line number: lines ended by ATASCII EOL, LF or CR.
fn looks_like_listing(bytes: &[u8]) -> bool {
    let ends = |&b: &u8| b == 0x9B || b == b'\n' || b == b'\r';
    bytes
        .split(ends)
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty())
        .is_some_and(|line| {
            let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
            (1..=5).contains(&digits) && line.len() > digits
        })
        && bytes.iter().any(ends)
}
