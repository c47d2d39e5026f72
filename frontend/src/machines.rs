//! From the options of the command line to a machine.
use crate::cli::MachineOptions;
use crate::failure::Failure;
use crate::files;
use crate::program::{Kind, Origin, Program};
use machine::{Config, Machine, Model, Tv};
use media::atr::Disk;
use media::cartridge::Cartridge;
use std::path::Path;

/// ROM images that are known by their CRC-32.
const KNOWN: &[(u32, &str)] = &[
    (0xC1B3BB02, "400/800 OS revision A (NTSC)"),
    (0x72B3FED4, "400/800 OS revision A (PAL)"),
    (0x0E86D61D, "400/800 OS revision B (NTSC)"),
    (0xC5C11546, "1200XL OS revision 10"),
    (0x1A1D7B1B, "1200XL OS revision 11"),
    (0x643BCC98, "600XL OS revision 1"),
    (0x1F9CD270, "XL OS revision 2"),
    (0x29F133F7, "XE OS revision 3"),
    (0x1EAF4002, "XEGS OS revision 4"),
    (0x4BEC4DE2, "BASIC revision A"),
    (0xF0202FB3, "BASIC revision B"),
    (0x7D684184, "BASIC revision C"),
];

/// The name of a ROM image, when it is one that is known.
pub fn rom_name(image: &[u8]) -> Option<&'static str> {
    if image == roms::OS_XL {
        return Some("Anticlock's own XL OS");
    }
    if image == roms::OS_800 {
        return Some("Anticlock's own 400/800 OS");
    }
    if image == roms::BASIC {
        return Some("Anticlock's own BASIC");
    }
    let crc = crc32fast::hash(image);
    KNOWN
        .iter()
        .find(|(known, _)| *known == crc)
        .map(|(_, name)| *name)
}

/// The configuration for these options and this program.
///
/// # Errors
/// One sentence on a ROM or cartridge file that does not fit.
pub fn config(options: &MachineOptions, program: &Program) -> Result<Config, Failure> {
    let mut tv = options.tv.map_or(Tv::Ntsc, Tv::from);
    let mut asked = options.machine.map(Model::from);
    if let Kind::State(state) = &program.kind {
        let explain =
            |error: machine::StateError| Failure::input(format!("{}: {error}", program.title));
        let info = machine::state_info(state).map_err(explain)?;
        let other = asked.is_some_and(|model| model != info.model)
            || options.tv.is_some_and(|asked| Tv::from(asked) != info.tv);
        if other {
            return Err(Failure::input(format!(
                "{}: the saved state is of another machine; leave --machine and --tv away, it brings its own",
                program.title
            )));
        }
        (tv, asked) = (info.tv, Some(info.model));
    }
    let (model, os) = match &options.os {
        None => {
            let model = asked.unwrap_or(Model::Xl800);
            let own = if model.is_xl() {
                roms::OS_XL
            } else {
                roms::OS_800
            };
            (model, own.to_vec())
        }
        Some(path) => {
            let image = files::read(path)?;
            // The ROM says which machine it is for, unless the person does.
            let model = asked.or(match image.len() {
                0x4000 => Some(Model::Xl800),
                0x2800 => Some(Model::Atari800),
                _ => None,
            });
            let fits = model.is_some_and(|m| image.len() == m.os_size());
            match model {
                Some(model) if fits => (model, image),
                Some(model) => {
                    return Err(Failure::file(
                        path,
                        format!(
                            "the OS ROM of the {} has {} bytes, this file has {}",
                            model.name(),
                            model.os_size(),
                            image.len()
                        ),
                    ));
                }
                None => {
                    return Err(Failure::file(
                        path,
                        format!(
                            "an OS ROM has 16384 bytes (XL, XE) or 10240 (400, 800), this file has {}",
                            image.len()
                        ),
                    ));
                }
            }
        }
    };
    let cartridge = match (&program.kind, &options.cart) {
        (Kind::Cartridge(cartridge), _) => Some(cartridge.clone()),
        (_, Some(path)) => Some(read_cartridge(path)?),
        _ => None,
    };
    // The BASIC of an XL is always in the machine; that of a 400 or 800 is a cartridge.
    let basic = if !model.is_xl() && !basic_wanted(options, program) {
        None
    } else {
        Some(match &options.basic {
            None => roms::BASIC.to_vec(),
            Some(path) => {
                let image = files::read(path)?;
                if image.len() != 0x2000 {
                    return Err(Failure::file(
                        path,
                        format!("a BASIC ROM has 8192 bytes, this file has {}", image.len()),
                    ));
                }
                image
            }
        })
    };
    Ok(Config {
        model,
        tv,
        os,
        basic,
        cartridge,
        seed: options.seed.unwrap_or(0),
    })
}

/// Whether the machine starts with BASIC.
fn basic_wanted(options: &MachineOptions, program: &Program) -> bool {
    let usual = match program.kind {
        Kind::Prompt | Kind::Basic(_) | Kind::Disk(_) | Kind::State(_) => true,
        Kind::Binary(_) => options.basic.is_some(),
        Kind::Cartridge(_) => false,
    };
    usual && !options.no_basic
}

fn read_cartridge(path: &Path) -> Result<Cartridge, Failure> {
    let bytes = files::read(path)?;
    if bytes.starts_with(b"CART") {
        Cartridge::parse_car(&bytes)
    } else {
        Cartridge::from_rom(&bytes)
    }
    .map_err(|error| Failure::file(path, error))
}

/// Reads a disk image.
///
/// # Errors
/// One sentence on what is wrong with the file.
pub fn read_disk(path: &Path) -> Result<Disk, Failure> {
    Disk::parse(&files::read(path)?).map_err(|error| Failure::file(path, error))
}

/// A machine with the program's media in it, just switched on.
///
/// # Errors
/// One sentence on what does not fit.
pub fn power_on(options: &MachineOptions, program: &Program) -> Result<Machine, Failure> {
    let config = config(options, program)?;
    let explain = |error: machine::ConfigError| Failure::input(error.to_string());
    let mut machine = Machine::new(&config).map_err(explain)?;
    // A cartridge switches the BASIC of an XL off by itself; OPTION means something else to it.
    let cartridge = config.cartridge.is_some();
    if config.model.is_xl() && !cartridge && !basic_wanted(options, program) {
        machine.hold_option();
    }
    if options.host.is_some() {
        let disk = matches!(program.kind, Kind::Disk(_)) || !options.disk.is_empty();
        machine.attach_host(!disk);
    } else if program.origin == (Origin::Game { saves: true }) {
        machine.attach_host(false);
    }
    let mut drive = 0;
    match &program.kind {
        Kind::Binary(xex) => {
            machine.insert_program(xex.boot());
            drive = 1;
        }
        Kind::Disk(disk) => {
            machine.insert_disk(0, disk.clone());
            drive = 1;
        }
        _ => {}
    }
    if let Kind::State(state) = &program.kind {
        let explain =
            |error: machine::StateError| Failure::input(format!("{}: {error}", program.title));
        machine.load_state(state).map_err(explain)?;
        return Ok(machine);
    }
    if let Some(path) = &options.tape {
        let tape = if path.exists() {
            Some(
                media::cas::Tape::parse(&files::read(path)?)
                    .map_err(|error| Failure::file(path, error))?,
            )
        } else {
            None
        };
        let blank = tape.is_none();
        machine.insert_tape(tape.unwrap_or_default());
        machine.press_record(blank);
    }
    for path in &options.disk {
        if drive == 4 {
            return Err(Failure::input("there are only four disk drives"));
        }
        machine.insert_disk(drive, read_disk(path)?);
        drive += 1;
    }
    Ok(machine)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt() -> Program {
        Program::find("basic").unwrap()
    }

    #[test]
    fn the_machine_is_an_800xl_with_basic_unless_told_otherwise() {
        let config = config(&MachineOptions::default(), &prompt()).unwrap();
        assert_eq!(config.model, Model::Xl800);
        assert_eq!(config.tv, Tv::Ntsc);
        assert!(config.basic.is_some());
        assert_eq!(rom_name(&config.os), Some("Anticlock's own XL OS"));
    }

    #[test]
    fn an_os_rom_chooses_the_machine_and_a_wrong_size_is_named() {
        let path = std::env::temp_dir().join(format!("anticlock-os-{}", std::process::id()));
        let options = MachineOptions {
            os: Some(path.clone()),
            ..MachineOptions::default()
        };
        std::fs::write(&path, vec![0; 0x2800]).unwrap();
        assert_eq!(config(&options, &prompt()).unwrap().model, Model::Atari800);
        std::fs::write(&path, vec![0; 0x3000]).unwrap();
        let error = config(&options, &prompt()).unwrap_err();
        assert!(
            error.to_string().ends_with("this file has 12288"),
            "{error}"
        );
        std::fs::remove_file(&path).unwrap();
        assert_eq!(config(&options, &prompt()).unwrap_err().status(), 2);
    }
}
