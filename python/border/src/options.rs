//! The options of a machine: the arguments of `Atari`.
use crate::held::value;
use crate::inner::Inner;
use host::hostfolder::HostFolder;
use host::options::names;
use host::packed;
use machine::{Model, Named, Ram, Tv};
use media::atr::Disk;
use media::cartridge::Cartridge;
use media::cas::Tape;
use pyo3::prelude::*;
use session::{Columns, MediumFile, MediumId, Mount, Program, Session, Setup, built_in};
use std::path::PathBuf;

/// The options of a machine.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    /// A built-in program.
    name: Option<String>,
    /// A file.
    path: Option<PathBuf>,
    /// The bytes of a file and its name.
    file: Option<(String, Vec<u8>)>,
    model: Option<String>,
    tv: Option<String>,
    memory: Option<String>,
    seed: u64,
    basic: Option<bool>,
    os: Option<Vec<u8>>,
    basic_rom: Option<Vec<u8>>,
    disks: Vec<(String, Vec<u8>)>,
    tape: Option<(String, Vec<u8>)>,
    cartridge: Option<(String, Vec<u8>)>,
    folders: Vec<PathBuf>,
    write: bool,
    stereo: bool,
    start: bool,
    history: bool,
    sound: f64,
}

/// A choice by its name on the command line.
pub fn choice<T: Named>(what: &str, name: Option<&str>) -> PyResult<Option<T>> {
    let Some(name) = name else { return Ok(None) };
    T::find(name).map(Some).ok_or_else(|| {
        let shown: String = name.chars().take(40).collect();
        let names = names::<T>();
        value(format!(
            "there is no {what} {shown:?}: it is one of {names}"
        ))
    })
}

/// The program that is asked for, and its file for the names beside it.
pub fn program(
    name: Option<String>,
    path: Option<PathBuf>,
    file: Option<(String, Vec<u8>)>,
) -> PyResult<(Program, Option<PathBuf>)> {
    if let Some((name, bytes)) = file {
        let program = Program::of_file(&name, &bytes).map_err(value)?;
        return Ok((program, None));
    }
    if let Some(path) = path {
        let opened = packed::open(&path).map_err(value)?;
        let program = Program::of_file(&opened.name, &opened.bytes);
        let program = program.map_err(|error| value(format!("{}: {error}", path.display())))?;
        return Ok((program, Some(path)));
    }
    let Some(name) = name else {
        return Ok((Program::default(), None));
    };
    let found = built_in::find(&name).map_err(value)?;
    let program = found.ok_or_else(|| value(format!("there is no built-in program {name:?}")))?;
    Ok((program, None))
}

/// A medium without a file of its own.
fn mount<T>(number: u32, name: String, medium: T) -> Mount<T> {
    let id = MediumId(number);
    let file = MediumFile { id, name };
    Mount { file, medium }
}

impl Options {
    /// Switches the machine on.
    pub fn switch_on(self) -> PyResult<Inner> {
        let model: Option<Model> = choice("model", self.model.as_deref())?;
        let tv: Option<Tv> = choice("television system", self.tv.as_deref())?;
        let ram: Option<Ram> = choice("memory", self.memory.as_deref())?;
        let (program, path) = program(self.name, self.path, self.file)?;
        let disks = self.disks.into_iter().zip(1..).map(|((name, bytes), id)| {
            let disk = Disk::parse(&bytes).map_err(|error| value(format!("{name}: {error}")))?;
            Ok(mount(id, name, disk))
        });
        let disks: PyResult<Vec<_>> = disks.collect();
        let tape = self.tape.map(|(name, bytes)| {
            let tape = Tape::parse(&bytes).map_err(|error| value(format!("{name}: {error}")))?;
            Ok::<_, PyErr>(mount(100, name, tape))
        });
        let (mut slot_name, mut cartridge) = (String::new(), None);
        if let Some((name, bytes)) = self.cartridge {
            let parsed = Cartridge::parse(&bytes);
            cartridge = Some(parsed.map_err(|error| value(format!("{name}: {error}")))?);
            slot_name = name;
        }
        let folders = self.folders.iter();
        let folders = folders.map(|path| HostFolder::new(path, self.write).map_err(value));
        let folders: Vec<_> = folders.collect::<PyResult<_>>()?;
        if folders.len() > session::folder::FOLDERS {
            return Err(value("there are at most four folders, H1: to H4:"));
        }
        let setup = Setup {
            program,
            model,
            tv,
            ram,
            seed: self.seed,
            no_basic: self.basic == Some(false),
            with_basic: self.basic == Some(true),
            os: self.os,
            basic: self.basic_rom,
            disks: disks?,
            tape: tape.transpose()?,
            cartridge,
            slot_names: [slot_name, String::new()],
            folder: !folders.is_empty(),
            stereo: self.stereo,
            no_run: !self.start,
            printer: Columns::from_count(40),
            ..Setup::default()
        };
        let session = Session::new(setup).map_err(value)?;
        let mut inner = Inner::new(session, folders, path);
        if self.history {
            inner.remember();
        }
        inner.listen(self.sound)?;
        Ok(inner)
    }
}
