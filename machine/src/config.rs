//! The parts of which a machine is made.
pub use media::cartridge::Cartridge;

use crate::named::Named;
use crate::rom::Rom;
use alloc::format;
use alloc::string::String;

/// The computer's model. Their differences are in one table (`Model::row`).
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
    /// 600XL: an 800XL with 16K.
    Xl600,
    /// 1200XL: 64K, no BASIC; its BASIC is a cartridge.
    Xl1200,
    /// 65XE: an 800XL in another case.
    Xe65,
    /// XE Game System with its keyboard plugged in: as a 65XE. Its game ROM is not there.
    Xegs,
}

/// A model's row in the table of models.
#[derive(Clone, Copy, Debug)]
struct Row {
    model: Model,
    /// As on the command line, and as in messages for NTSC and PAL.
    name: &'static str,
    titles: [&'static str; 2],
    /// XL memory management and a 16K OS.
    xl: bool,
    ram: Ram,
    /// BASIC is a ROM inside, else a cartridge.
    basic: bool,
}

const fn row(
    model: Model,
    (name, ntsc, pal): (&'static str, &'static str, &'static str),
    xl: bool,
    ram: Ram,
    basic: bool,
) -> Row {
    Row {
        model,
        name,
        titles: [ntsc, pal],
        xl,
        ram,
        basic,
    }
}

#[rustfmt::skip]
const MODELS: [Row; 8] = [
    row(Model::Atari400, ("400",    "400 (NTSC)",    "400 (PAL)"),    false, Ram::K16,  false),
    row(Model::Atari800, ("800",    "800 (NTSC)",    "800 (PAL)"),    false, Ram::K48,  false),
    row(Model::Xl1200,   ("1200xl", "1200XL (NTSC)", "1200XL (PAL)"), true,  Ram::K64,  false),
    row(Model::Xl600,    ("600xl",  "600XL (NTSC)",  "600XL (PAL)"),  true,  Ram::K16,  true),
    row(Model::Xl800,    ("800xl",  "800XL (NTSC)",  "800XL (PAL)"),  true,  Ram::K64,  true),
    row(Model::Xe65,     ("65xe",   "65XE (NTSC)",   "65XE (PAL)"),   true,  Ram::K64,  true),
    row(Model::Xe130,    ("130xe",  "130XE (NTSC)",  "130XE (PAL)"),  true,  Ram::K128, true),
    row(Model::Xegs,     ("xegs",   "XEGS (NTSC)",   "XEGS (PAL)"),   true,  Ram::K64,  true),
];

/// The size of RAM, and the way in which it is switched (Altirra Hardware Reference Manual 2.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Ram {
    /// 8K, 400 and 800.
    K8,
    /// 16K.
    K16,
    /// 24K, 400 and 800.
    K24,
    /// 32K, 400 and 800.
    K32,
    /// 40K, 400 and 800.
    K40,
    /// 48K.
    K48,
    /// 52K, 400 and 800: RAM at $C000-$CFFF too.
    K52,
    /// 64K, XL and XE, as all that follow.
    K64,
    /// The 130XE's: four banks, by PORTB bits 2 and 3; bit 5 is ANTIC's own switch.
    K128,
    /// Eight banks, by bits 2, 3 and 6.
    K192,
    /// ICD's RAMBO XL: sixteen banks, by bits 2, 3, 5 and 6; the first four are the main RAM.
    K256,
    /// Sixteen banks, by bits 2, 3, 5 and 6.
    K320Rambo,
    /// CompyShop: sixteen banks, by bits 2, 3, 6 and 7; bit 5 is ANTIC's own switch.
    K320Compy,
    /// 32 banks, by bits 1, 2, 3, 5 and 6.
    K576Rambo,
    /// 32 banks, by bits 1, 2, 3, 6 and 7; bit 5 is ANTIC's own switch.
    K576Compy,
    /// 64 banks, by bits 1, 2, 3, 5, 6 and 7.
    K1088,
}

impl Ram {
    /// Name on the command line, K of main RAM from address 0, bits of PORTB that choose a bank of 16K, and whether ANTIC has a switch of
    /// its own.
    const fn row(self) -> (&'static str, usize, &'static [u8], bool) {
        match self {
            Self::K8 => ("8k", 8, &[], false),
            Self::K16 => ("16k", 16, &[], false),
            Self::K24 => ("24k", 24, &[], false),
            Self::K32 => ("32k", 32, &[], false),
            Self::K40 => ("40k", 40, &[], false),
            Self::K48 => ("48k", 48, &[], false),
            Self::K52 => ("52k", 52, &[], false),
            Self::K64 => ("64k", 64, &[], false),
            Self::K128 => ("128k", 64, &[2, 3], true),
            Self::K192 => ("192k", 64, &[2, 3, 6], false),
            Self::K256 => ("256k", 64, &[2, 3, 5, 6], false),
            Self::K320Rambo => ("320k", 64, &[2, 3, 5, 6], false),
            Self::K320Compy => ("320k-compy", 64, &[2, 3, 6, 7], true),
            Self::K576Rambo => ("576k", 64, &[2, 3, 5, 6, 1], false),
            Self::K576Compy => ("576k-compy", 64, &[2, 3, 6, 7, 1], true),
            Self::K1088 => ("1088k", 64, &[2, 3, 5, 6, 7, 1], false),
        }
    }

    /// Bytes of main RAM, from address 0.
    #[must_use]
    pub const fn main(self) -> usize {
        self.row().1 * 1024
    }

    /// Banks of 16K that PORTB can choose.
    #[must_use]
    pub const fn banks(self) -> usize {
        let bits = self.row().2.len();
        if bits == 0 { 0 } else { 1 << bits }
    }

    /// Bytes of RAM beside the main RAM.
    #[must_use]
    pub const fn extended(self) -> usize {
        (self.banks() - self.shared_banks()) * 0x4000
    }

    /// The first banks that are the main RAM itself.
    pub(crate) const fn shared_banks(self) -> usize {
        if matches!(self, Self::K256) { 4 } else { 0 }
    }

    /// The bits of PORTB that choose the bank.
    pub(crate) const fn bits(self) -> &'static [u8] {
        self.row().2
    }

    /// True if bit 5 of PORTB is ANTIC's own switch; without one ANTIC sees the processor's bank.
    pub(crate) const fn antic_switch(self) -> bool {
        self.row().3
    }

    /// True if there are machines of that model with this RAM.
    #[must_use]
    pub const fn fits(self, model: Model) -> bool {
        match self {
            Self::K16 | Self::K48 => true,
            Self::K8 | Self::K24 | Self::K32 | Self::K40 | Self::K52 => !model.is_xl(),
            _ => model.is_xl(),
        }
    }
}

impl Named for Ram {
    /// By size.
    const ALL: &'static [Self] = &[
        Self::K8,
        Self::K16,
        Self::K24,
        Self::K32,
        Self::K40,
        Self::K48,
        Self::K52,
        Self::K64,
        Self::K128,
        Self::K192,
        Self::K256,
        Self::K320Rambo,
        Self::K320Compy,
        Self::K576Rambo,
        Self::K576Compy,
        Self::K1088,
    ];

    fn name(self) -> &'static str {
        self.row().0
    }

    /// The number without its K.
    fn alias(self) -> Option<&'static str> {
        self.name().strip_suffix('k')
    }
}

/// The equipment of a machine beside its model and ROMs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Extras {
    /// RAM in place of the model's own.
    pub ram: Option<Ram>,
    /// The contents of RAM at power-on.
    pub fill: RamFill,
    /// A second POKEY at $D210.
    pub stereo: bool,
    /// A Covox: four digital-to-analog converters at $D280, on XL and XE machines at $D600 too.
    pub covox: bool,
    /// START is held down at power-on, and OPTION too where there is a BASIC: the OS boots the cassette.
    pub boots_tape: bool,
    /// An R-Time 8 in the cartridge slot, and its time at power-on: seconds since the beginning of 2000.
    pub clock: Option<u64>,
}

impl Extras {
    /// True if anything is there that has a state of its own.
    pub(crate) fn any(self) -> bool {
        self.stereo || self.covox || self.clock.is_some()
    }
}

impl Default for Extras {
    /// Nothing but noise in RAM, which shows what a program relies on.
    fn default() -> Self {
        Self {
            ram: None,
            fill: RamFill::Random,
            stereo: false,
            covox: false,
            boots_tape: false,
            clock: None,
        }
    }
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
    const fn row(self) -> &'static Row {
        let mut i = 0;
        while i + 1 < MODELS.len() && MODELS[i].model as u8 != self as u8 {
            i += 1;
        }
        &MODELS[i]
    }

    /// XL or XE: ROMs switched by port B, two controller ports, 16K OS.
    #[must_use]
    pub const fn is_xl(self) -> bool {
        self.row().xl
    }

    /// The RAM it was sold with.
    #[must_use]
    pub const fn ram(self) -> Ram {
        self.row().ram
    }

    /// True if BASIC is built in; else it is a cartridge.
    #[must_use]
    pub const fn has_basic(self) -> bool {
        self.row().basic
    }

    /// Bytes of the OS ROM.
    #[must_use]
    pub const fn os_size(self) -> usize {
        if self.is_xl() { 0x4000 } else { 0x2800 }
    }

    /// Name with the television system, for messages.
    #[must_use]
    pub const fn title(self, tv: Tv) -> &'static str {
        self.row().titles[tv as usize]
    }
}

impl Named for Model {
    /// Oldest first.
    const ALL: &'static [Self] = &[
        Self::Atari400,
        Self::Atari800,
        Self::Xl1200,
        Self::Xl600,
        Self::Xl800,
        Self::Xe65,
        Self::Xe130,
        Self::Xegs,
    ];

    fn name(self) -> &'static str {
        self.row().name
    }

    fn alias(self) -> Option<&'static str> {
        match self {
            Self::Xl800 => Some("xl"),
            Self::Xe130 => Some("xe"),
            _ => None,
        }
    }

    fn about(self) -> String {
        let name = self.name().to_ascii_uppercase();
        let basic = if self.is_xl() && !self.has_basic() {
            "; its BASIC is a cartridge"
        } else {
            ""
        };
        format!("{name} with {}{basic}", self.ram().about())
    }
}

impl Named for Tv {
    const ALL: &'static [Self] = &[Self::Ntsc, Self::Pal];

    fn name(self) -> &'static str {
        match self {
            Self::Ntsc => "ntsc",
            Self::Pal => "pal",
        }
    }

    fn about(self) -> String {
        let rate = match self {
            Self::Ntsc => 60,
            Self::Pal => 50,
        };
        format!("{rate} frames a second, {} lines", self.lines())
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

    /// Width of a hires pixel for a height of 1. A square pixel of the television's 4:3 picture lasts 1/(2 x 6.136 MHz) per line of NTSC,
    /// 1/(2 x 7.375 MHz) of PAL; a hires pixel lasts half a colour clock.
    #[must_use]
    pub fn pixel_aspect(self) -> f64 {
        match self {
            Self::Ntsc => 6.136_363 / 7.159_090,
            Self::Pal => 7.375 / 7.093_788,
        }
    }

    /// Frames of a second.
    #[must_use]
    pub fn frame_rate(self) -> f64 {
        self.clock() / (f64::from(self.lines()) * 114.0)
    }
}

/// The contents of RAM at power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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

impl Named for RamFill {
    const ALL: &'static [Self] = &[Self::Pattern, Self::Zero, Self::Random];

    fn name(self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::Zero => "zero",
            Self::Random => "random",
        }
    }

    fn about(self) -> String {
        let about = match self {
            Self::Pattern => "as RAM comes up",
            Self::Zero => "zero",
            Self::Random => "noise",
        };
        about.into()
    }
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
    /// A cartridge in the second slot: the right one of an 800, or the one on top of a SpartaDOS X cartridge.
    pub second: Option<Cartridge>,
    /// Power-on contents of RAM and of free-running counters.
    pub seed: u64,
    /// RAM, sound.
    pub extras: Extras,
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
            second: None,
            seed: 0,
            extras: Extras::default(),
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

    /// With this RAM in place of the model's own.
    #[must_use]
    pub fn with_ram(mut self, ram: Ram) -> Self {
        self.extras.ram = Some(ram);
        self
    }

    /// The RAM it has.
    #[must_use]
    pub fn ram(&self) -> Ram {
        self.extras.ram.unwrap_or(self.model.ram())
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

/// Reason why a machine cannot be made of a configuration.
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
    /// No machine of that model has such RAM.
    #[error("the {model} does not have {ram} of RAM; {}", sizes(*xl))]
    Ram {
        /// The model's name.
        model: &'static str,
        /// The RAM's name.
        ram: &'static str,
        /// True if the model is an XL or XE.
        xl: bool,
    },
    /// Nothing to plug a second cartridge into.
    #[error(
        "only an 800 and a SpartaDOS X cartridge have a second cartridge slot; leave the second cartridge away"
    )]
    SecondSlot,
}

/// The RAM that machines have, for a message.
fn sizes(xl: bool) -> alloc::string::String {
    let model = if xl { Model::Xl800 } else { Model::Atari800 };
    let names: alloc::vec::Vec<&str> = Ram::ALL
        .iter()
        .filter(|ram| ram.fits(model))
        .map(|ram| ram.name())
        .collect();
    alloc::format!("it can have {}", names.join(", "))
}
