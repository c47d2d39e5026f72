//! What a machine is made of.
pub use media::cartridge::Cartridge;

use crate::rom::Rom;

/// The computer's model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Model {
    /// 800XL: 64K, XL memory management.
    Xl800,
    /// 130XE: 128K, separate banks for processor and ANTIC.
    Xe130,
    /// 800: 48K, 10K OS, four controller ports, two cartridge slots.
    Atari800,
    /// 400: 16K, 10K OS, four controller ports.
    Atari400,
}

/// The television system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Tv {
    /// 262 lines, 1.789773 MHz.
    Ntsc,
    /// 312 lines, 1.773447 MHz.
    Pal,
}

impl Model {
    /// Whether it has the XL memory management: port B of the PIA banks the memory, and the OS has 16K.
    #[must_use]
    pub fn is_xl(self) -> bool {
        matches!(self, Self::Xl800 | Self::Xe130)
    }

    /// Bytes of main RAM, from address 0.
    #[must_use]
    pub fn ram(self) -> usize {
        match self {
            Self::Xl800 | Self::Xe130 => 0x10000,
            Self::Atari800 => 0xC000,
            Self::Atari400 => 0x4000,
        }
    }

    /// Bytes of the OS ROM.
    #[must_use]
    pub fn os_size(self) -> usize {
        if self.is_xl() { 0x4000 } else { 0x2800 }
    }

    /// Short name, as on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Xl800 => "800xl",
            Self::Xe130 => "130xe",
            Self::Atari800 => "800",
            Self::Atari400 => "400",
        }
    }
}

impl Tv {
    /// Scan lines of a frame.
    #[must_use]
    pub fn lines(self) -> u16 {
        match self {
            Self::Ntsc => 262,
            Self::Pal => 312,
        }
    }

    /// Machine cycles of a second: 14.31818 MHz / 8 (NTSC), 14.18758 MHz / 8 (PAL).
    #[must_use]
    pub fn clock(self) -> f64 {
        match self {
            Self::Ntsc => 14_318_181.8 / 8.0,
            Self::Pal => 14_187_576.0 / 8.0,
        }
    }

    /// Frames of a second.
    #[must_use]
    pub fn frame_rate(self) -> f64 {
        self.clock() / (f64::from(self.lines()) * 114.0)
    }
}

/// What RAM holds at power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RamFill {
    /// As dynamic RAM tends to come up: half of the rows read 0 and half read 1, so 128 bytes of $00 and 128 of $FF alternate (the low
    /// address byte is the row). One cell in 8,192, chosen by the seed, has fallen to the other side.
    #[default]
    Pattern,
    /// All zero.
    Zero,
    /// Noise from the seed.
    Random,
}

/// Everything that decides how a machine starts. Equal configurations and equal inputs give equal machines, bit for bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The model.
    pub model: Model,
    /// The television system.
    pub tv: Tv,
    /// The OS ROM: 16K for XL and XE, 10K for the 400 and 800.
    pub os: Rom,
    /// The BASIC ROM, 8K. Without it an XL starts as with OPTION held down, and a 400 or 800 without the BASIC cartridge.
    pub basic: Option<Rom>,
    /// A cartridge in the (left) slot.
    pub cartridge: Option<Cartridge>,
    /// Power-on contents of RAM and of free-running counters.
    pub seed: u64,
}

/// Machines by name: NTSC, without BASIC and cartridge, seed 0. The methods after them change that.
///
/// This crate has no ROM images. The project's own are in the crate `roms`; `session::Setup` puts them together with media.
///
/// ```
/// use machine::{Config, Machine, Rom, Tv};
///
/// let config = Config::atari800(Rom::own(roms::OS_800)).with_basic(Rom::own(roms::BASIC)).pal();
/// assert_eq!(config.tv, Tv::Pal);
/// assert!(Machine::new(&config).is_ok());
/// // An image of another size is refused with a sentence.
/// let error = Machine::new(&Config::xe(Rom::own(roms::OS_800))).unwrap_err();
/// assert_eq!(error.to_string(), "the OS ROM of the 130xe has 16384 bytes, this image has 10240");
/// ```
impl Config {
    /// A machine of this model.
    #[must_use]
    pub fn new(model: Model, os: Rom) -> Self {
        Self {
            model,
            tv: Tv::Ntsc,
            os,
            basic: None,
            cartridge: None,
            seed: 0,
        }
    }

    /// An 800XL. The OS ROM has 16K.
    #[must_use]
    pub fn xl(os: Rom) -> Self {
        Self::new(Model::Xl800, os)
    }

    /// A 130XE. The OS ROM has 16K.
    #[must_use]
    pub fn xe(os: Rom) -> Self {
        Self::new(Model::Xe130, os)
    }

    /// An 800 with 48K. The OS ROM has 10K.
    #[must_use]
    pub fn atari800(os: Rom) -> Self {
        Self::new(Model::Atari800, os)
    }

    /// A 400 with 16K. The OS ROM has 10K.
    #[must_use]
    pub fn atari400(os: Rom) -> Self {
        Self::new(Model::Atari400, os)
    }

    /// With a BASIC ROM.
    #[must_use]
    pub fn with_basic(self, basic: Rom) -> Self {
        Self {
            basic: Some(basic),
            ..self
        }
    }

    /// With a cartridge in the (left) slot.
    #[must_use]
    pub fn with_cartridge(self, cartridge: Cartridge) -> Self {
        Self {
            cartridge: Some(cartridge),
            ..self
        }
    }

    /// With other noise in RAM at power-on.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// With the television system PAL.
    #[must_use]
    pub fn pal(self) -> Self {
        Self {
            tv: Tv::Pal,
            ..self
        }
    }
}

/// Why a configuration makes no machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The OS ROM does not fit the model.
    #[error("the OS ROM of the {model} has {wanted} bytes, this image has {found}")]
    OsSize {
        /// The model's name.
        model: &'static str,
        /// The right size.
        wanted: usize,
        /// The image's size.
        found: usize,
    },
    /// The BASIC ROM has a wrong size.
    #[error("a BASIC ROM has 8192 bytes, this image has {0}")]
    BasicSize(usize),
    /// The cartridge's ROM does not fit its kind.
    #[error("the cartridge's ROM of {0} bytes does not fit its type")]
    CartridgeSize(usize),
}
