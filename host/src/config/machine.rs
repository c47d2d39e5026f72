//! The machine that is kept from one start to the next.
use crate::failure::Failure;
use crate::options::{MachineOptions, Memory};
use crate::packed;
use machine::{Model, Named, Tv};
use serde::{Deserialize, Serialize};
use session::Hardware;
use std::path::{Path, PathBuf};

/// A ROM that can be another one than ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rom {
    /// The operating system.
    Os,
    /// BASIC.
    Basic,
}

impl Rom {
    /// Reads an image.
    ///
    /// # Errors
    /// A file that cannot be read, or whose length no such ROM has.
    pub fn read(self, path: &Path) -> Result<Vec<u8>, Failure> {
        let (fits, wanted): (&[usize], _) = match self {
            Self::Os => (
                &[0x4000, 0x2800],
                "an OS ROM has 16384 bytes (XL, XE) or 10240 (400, 800)",
            ),
            Self::Basic => (&[0x2000], "a BASIC ROM has 8192 bytes"),
        };
        let bytes = packed::open(path)?.bytes;
        if fits.contains(&bytes.len()) {
            Ok(bytes)
        } else {
            Err(Failure::file(
                path,
                format!("{wanted}, this file has {}", bytes.len()),
            ))
        }
    }
}

/// The files of ROMs that were chosen in place of ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RomFiles {
    /// The operating system.
    pub os: Option<PathBuf>,
    /// BASIC.
    pub basic: Option<PathBuf>,
}

/// The machine, where the command line does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MachineConfig {
    /// The model.
    #[serde(with = "by_name", skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// The television system.
    #[serde(with = "by_name", skip_serializing_if = "Option::is_none")]
    pub tv: Option<Tv>,
    /// Size and contents of RAM, in the words of --memory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<Memory>,
    /// Decides what is by chance at power-on; by chance itself when it is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// A second POKEY.
    #[serde(skip_serializing_if = "is_off")]
    pub stereo: bool,
    /// A Covox.
    #[serde(skip_serializing_if = "is_off")]
    pub covox: bool,
    /// An R-Time 8.
    #[serde(skip_serializing_if = "is_off")]
    pub rtime8: bool,
    /// Another OS ROM.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub os: Option<PathBuf>,
    /// Another BASIC ROM.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basic: Option<PathBuf>,
}

/// A choice by its word.
mod by_name {
    use crate::options::names;
    use machine::Named;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "the form that serde asks for")]
    pub fn serialize<T: Named, S: Serializer>(one: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
        one.map(Named::name).serialize(to)
    }

    pub fn deserialize<'de, T: Named, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<T>, D::Error> {
        let word = String::deserialize(from)?;
        let wanted = || D::Error::custom(format!("{word} is not one of {}", names::<T>()));
        T::find(&word).map(Some).ok_or_else(wanted)
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the form that serde asks for"
)]
fn is_off(value: &bool) -> bool {
    !value
}

impl MachineConfig {
    /// Fills in what the options leave open. What does not fit them, or cannot be read, is left out with a sentence.
    pub fn complete(&self, options: &mut MachineOptions) -> Vec<Failure> {
        let mut left_out = Vec::new();
        options.machine = options.machine.or(self.model);
        options.tv = options.tv.or(self.tv);
        options.seed = options.seed.or(self.seed);
        options.stereo |= self.stereo;
        options.covox |= self.covox;
        options.rtime8 |= self.rtime8;
        let model = options.machine;
        if options.os.is_none() {
            options.os = usable(Rom::Os, self.os.as_deref(), model, &mut left_out);
        }
        if options.basic.is_none() {
            options.basic = usable(Rom::Basic, self.basic.as_deref(), model, &mut left_out);
        }
        let fits = |memory: &&Memory| match (memory, model) {
            (Memory::Size(ram), Some(model)) => ram.fits(model),
            _ => true,
        };
        // Later words win: those of the command line.
        let (fitting, other): (Vec<_>, Vec<_>) = self.memory.iter().partition(fits);
        options.memory.splice(0..0, fitting.into_iter().copied());
        for (memory, model) in other.into_iter().zip(model) {
            left_out.push(Failure::input(format!(
                "the {} has no {memory} of memory: it is left out",
                model.name()
            )));
        }
        left_out
    }

    /// Takes over what was changed from one machine to the next.
    pub fn keep(&mut self, old: &Hardware, new: &Hardware, files: RomFiles) {
        if new.model != old.model {
            self.model = new.model;
        }
        if new.tv != old.tv {
            self.tv = new.tv;
        }
        if new.ram != old.ram {
            self.memory.retain(|word| matches!(word, Memory::Fill(_)));
            self.memory.extend(new.ram.map(Memory::Size));
        }
        if new.fill != old.fill {
            self.memory.retain(|word| matches!(word, Memory::Size(_)));
            self.memory.push(Memory::Fill(new.fill));
        }
        if new.seed != old.seed {
            self.seed = Some(new.seed);
        }
        for (kept, old, new) in [
            (&mut self.stereo, old.stereo, new.stereo),
            (&mut self.covox, old.covox, new.covox),
            (&mut self.rtime8, old.clock, new.clock),
        ] {
            if new != old {
                *kept = new;
            }
        }
        if new.os != old.os {
            self.os = files.os.filter(|_| new.os.is_some());
        }
        if new.basic != old.basic {
            self.basic = files.basic.filter(|_| new.basic.is_some());
        }
    }
}

/// The file of a ROM that was kept, if it can be used in this model.
fn usable(
    rom: Rom,
    path: Option<&Path>,
    model: Option<Model>,
    left_out: &mut Vec<Failure>,
) -> Option<PathBuf> {
    let path = path?;
    let image = match rom.read(path) {
        Ok(image) => image,
        Err(failure) => {
            left_out.push(failure);
            return None;
        }
    };
    if let Some(model) = model.filter(|model| rom == Rom::Os && image.len() != model.os_size()) {
        let why = format!("no OS ROM of the {}: our own is used", model.name());
        left_out.push(Failure::file(path, why));
        return None;
    }
    Some(path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::{Ram, RamFill};

    #[test]
    fn a_machine_that_was_chosen_comes_back_from_the_file() {
        let old = Hardware {
            seed: 5,
            ..Hardware::default()
        };
        let new = Hardware {
            model: Some(Model::Xe130),
            tv: Some(Tv::Pal),
            ram: Some(Ram::K320Rambo),
            fill: RamFill::Zero,
            stereo: true,
            clock: true,
            ..old.clone()
        };
        let mut kept = MachineConfig::default();
        kept.keep(&old, &new, RomFiles::default());
        let text = toml::to_string(&kept).unwrap();
        assert!(text.contains("memory = [\"320k\", \"zero\"]"), "{text}");
        assert!(!text.contains("covox") && !text.contains("seed"), "{text}");
        let kept: MachineConfig = toml::from_str(&text).unwrap();
        let mut options = MachineOptions::default();
        assert!(kept.complete(&mut options).is_empty());
        assert_eq!(options.machine, Some(Model::Xe130));
        assert_eq!(options.ram_size(), Some(Ram::K320Rambo));
        assert_eq!(options.ram_fill(), RamFill::Zero);
        assert!(options.stereo && options.rtime8 && !options.covox);
        assert_eq!(options.seed, None);
        // Back again: nothing is left of it.
        let mut back = kept;
        back.keep(&new, &old, RomFiles::default());
        back.memory.retain(|word| matches!(word, Memory::Size(_)));
        assert_eq!(back, MachineConfig::default());
    }

    #[test]
    fn the_command_line_wins_and_what_does_not_fit_it_is_left_out() {
        let folder = std::env::temp_dir().join(format!("anticlock-roms-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let os = folder.join("os.rom");
        std::fs::write(&os, roms::os_xl()).unwrap();
        let kept = MachineConfig {
            model: Some(Model::Xe130),
            memory: vec![Memory::Size(Ram::K320Rambo)],
            seed: Some(3),
            os: Some(os.clone()),
            basic: Some(folder.join("none.rom")),
            ..MachineConfig::default()
        };
        let mut options = MachineOptions {
            machine: Some(Model::Atari400),
            seed: Some(4),
            memory: vec![Memory::Size(Ram::K48)],
            ..MachineOptions::default()
        };
        let left_out = kept.complete(&mut options);
        let said: Vec<_> = left_out.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 3, "{said:?}");
        assert!(said[0].contains("no OS ROM of the 400"), "{said:?}");
        assert!(said[1].contains("none.rom"), "{said:?}");
        assert!(said[2].contains("no 320k of memory"), "{said:?}");
        assert_eq!((&options.os, &options.basic), (&None, &None));
        assert_eq!(options.seed, Some(4));
        assert_eq!(options.ram_size(), Some(Ram::K48));
        let mut usual = MachineOptions::default();
        assert_eq!(kept.complete(&mut usual).len(), 1);
        assert_eq!(usual.os, Some(os));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
