//! Options of the command line that say which machine is made, how its colours look, and what is debugged. A debug adapter gets the same words
//! from its client.
use crate::config::PictureConfig;
use crate::failure::Failure;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser};
use machine::{Model, Named, Ram, RamFill, Tv};
use media::cartridge::TYPE_NUMBERS;
use session::Columns;
use session::picture::Composite;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

/// Which machine.
#[derive(Clone, Debug, Default, Args)]
pub struct MachineOptions {
    /// The model (default: 800xl)
    #[arg(long, value_parser = word::<Model>())]
    pub machine: Option<Model>,
    /// The television system (default: ntsc)
    #[arg(long, value_parser = word::<Tv>())]
    pub tv: Option<Tv>,
    /// Another OS ROM: 16K for XL and XE, 10K for 400 and 800
    #[arg(long, value_name = "FILE")]
    pub os: Option<PathBuf>,
    /// Another BASIC ROM: 8K
    #[arg(long, value_name = "FILE")]
    pub basic: Option<PathBuf>,
    /// Start without BASIC, as with OPTION held down
    #[arg(long)]
    pub no_basic: bool,
    /// Start with BASIC, also for a program that seems not to need it
    #[arg(long, conflicts_with = "no_basic")]
    pub with_basic: bool,
    /// Put a BASIC program into memory and do not RUN it
    #[arg(long)]
    pub no_run: bool,
    /// What RAM and free-running counters hold at power-on (default: 0 headless, chosen by chance in a window)
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// How much RAM there is (400, 800: 8k 16k 24k 32k 40k 48k 52k; XL, XE: 16k 48k 64k 128k 192k 256k 320k 320k-compy 576k 576k-compy
    /// 1088k), and what it holds at power-on (pattern, zero, random); with a comma between the two
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = memory)]
    pub memory: Vec<Memory>,
    /// Another name of --memory. Headless: --ram FILE writes the 65,536 bytes that the processor sees at the end to a file with any other name
    #[arg(long, value_name = "WHAT", value_parser = ram)]
    pub ram: Option<RamOption>,
    /// A second POKEY at $D210: stereo
    #[arg(long)]
    pub stereo: bool,
    /// A Covox: four digital-to-analog converters at $D280, on XL and XE at $D600 too
    #[arg(long)]
    pub covox: bool,
    /// An R-Time 8: a clock for SpartaDOS X, which has one without being asked. Headless runs begin in the year 2000
    #[arg(long)]
    pub rtime8: bool,
    /// In a window: the time at power-on, seconds since the beginning of 2000.
    #[arg(skip)]
    pub time: u64,
    /// Insert a disk image, or all of a list (.m3u), into the next free drive; may be given up to eight times
    #[arg(long, value_name = "FILE")]
    pub disk: Vec<PathBuf>,
    /// Put a cassette image into the program recorder; a file that does not exist is a blank tape with RECORD pressed
    #[arg(long, value_name = "FILE.cas")]
    pub tape: Option<PathBuf>,
    /// Press RECORD: what the Atari saves goes to the end of the tape
    #[arg(long, requires = "tape")]
    pub tape_record: bool,
    /// Append what the machine prints to this file: as text, or as it was sent (ATASCII) where the name ends with .prn
    #[arg(long, value_name = "FILE")]
    pub printer: Option<PathBuf>,
    /// The printer's columns: 40 (820), or 80 (825, 1025)
    #[arg(long, value_name = "N", value_parser = columns, requires = "printer", default_value = "40")]
    pub printer_columns: Columns,
    /// Show this folder to the Atari as H: (and as D: when no disk is in the drive, and as text as H6:); given again, the next ones as H2:
    /// to H4:. Without it BASIC has a folder of its own, and so have built-in games that save something, see `anticlock config`
    #[arg(long, value_name = "FOLDER")]
    pub host: Vec<PathBuf>,
    /// Let programs change the files of that folder
    #[arg(long, requires = "host")]
    pub host_write: bool,
    /// Insert a cartridge
    #[arg(long, value_name = "FILE")]
    pub cart: Option<PathBuf>,
    /// Insert a second cartridge: into the right slot of an 800, or on top of SpartaDOS X
    #[arg(long, value_name = "FILE")]
    pub cart2: Option<PathBuf>,
    /// In a window, unless --exact-media is given.
    #[arg(skip)]
    pub fast_media: bool,
    /// The CAR type of a plain cartridge dump, for sizes that fit several
    #[arg(long, value_name = "N", value_parser = number(TYPE_NUMBERS), allow_negative_numbers = true)]
    pub cart_type: Option<u32>,
}

/// A word of --memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Memory {
    /// The size.
    Size(Ram),
    /// Its contents.
    Fill(RamFill),
}

/// The value of `--ram`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RamOption {
    /// Words of --memory.
    Words(Vec<Memory>),
    /// A file to write.
    File(PathBuf),
}

impl std::fmt::Display for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Size(ram) => ram.name(),
            Self::Fill(fill) => fill.name(),
        })
    }
}

impl From<Memory> for String {
    fn from(memory: Memory) -> Self {
        memory.to_string()
    }
}

impl TryFrom<String> for Memory {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        memory(&word).map_err(|all| format!("memory is {all}, not {word}"))
    }
}

fn memory(word: &str) -> Result<Memory, String> {
    let size = || Ram::find(word).map(Memory::Size);
    let fill = || RamFill::find(word).map(Memory::Fill);
    size().or_else(fill).ok_or_else(|| {
        let (sizes, fills) = (names::<Ram>(), names::<RamFill>());
        format!("a size ({sizes}) or one of {fills}")
    })
}

/// The words of all choices, with commas between.
pub fn names<T: Named>() -> String {
    let names: Vec<_> = T::ALL.iter().map(|one| one.name()).collect();
    names.join(", ")
}

/// The parser of a choice by its word.
pub fn word<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(|one| {
        let value = PossibleValue::new(one.name()).help(one.about());
        value.aliases(one.alias())
    });
    PossibleValuesParser::new(values.collect::<Vec<_>>())
        .try_map(|word| T::find(&word).ok_or("one of the words above"))
}

/// The parser of a whole number. Its errors, like those of `memory`, say what the option takes: see `bad_value`.
pub fn number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + std::fmt::Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("a whole number from {} to {}", range.start(), range.end()))
    }
}

/// The printer with a number of columns.
///
/// # Errors
/// The numbers that there are.
pub fn columns(text: &str) -> Result<Columns, String> {
    let found = text.parse().ok().and_then(Columns::from_count);
    found.ok_or_else(|| "40 or 80".to_owned())
}

#[expect(clippy::unnecessary_wraps, reason = "the form that clap asks for")]
fn ram(text: &str) -> Result<RamOption, String> {
    let words: Result<Vec<_>, _> = text.split(',').map(memory).collect();
    Ok(words.map_or_else(|_| RamOption::File(text.into()), RamOption::Words))
}

impl MachineOptions {
    /// The words of --memory and --ram.
    fn words(&self) -> impl Iterator<Item = &Memory> {
        let more = match &self.ram {
            Some(RamOption::Words(words)) => &words[..],
            _ => &[],
        };
        self.memory.iter().chain(more)
    }

    /// The size of RAM that was asked for.
    pub(crate) fn ram_size(&self) -> Option<Ram> {
        let sizes = self.words().filter_map(|word| match word {
            Memory::Size(ram) => Some(*ram),
            Memory::Fill(_) => None,
        });
        sizes.last()
    }

    /// Its contents at power-on.
    pub(crate) fn ram_fill(&self) -> RamFill {
        let fills = self.words().filter_map(|word| match word {
            Memory::Fill(fill) => Some(*fill),
            Memory::Size(_) => None,
        });
        fills.last().unwrap_or_default()
    }

    /// The file that the processor's view of memory is to be written to.
    pub fn ram_file(&self) -> Option<&PathBuf> {
        match &self.ram {
            Some(RamOption::File(path)) => Some(path),
            _ => None,
        }
    }
}

/// How the colours look.
#[derive(Clone, Debug, Default, Args)]
pub struct PictureOptions {
    /// Colours from a palette file: 256 times red, green and blue (.act, .pal), or the text form JASC-PAL
    #[arg(long, value_name = "FILE")]
    pub palette: Option<PathBuf>,
    /// What a composite signal adds (default: off)
    #[arg(long, value_parser = word::<Composite>(), value_name = "SIGNAL")]
    pub artifacts: Option<Composite>,
    /// Change a number of the picture: hue, step, saturation, black, white, gamma, artifact-phase, artifact-strength;
    /// `anticlock config` shows what they are
    #[arg(long, value_name = "NAME=NUMBER,...")]
    pub picture: Vec<String>,
}

impl PictureOptions {
    /// The configuration's colours with what the options change.
    ///
    /// # Errors
    /// An option that is not understood.
    pub fn over(&self, config: &PictureConfig) -> Result<PictureConfig, Failure> {
        let mut config = config.clone();
        config.artifacts = self.artifacts.unwrap_or(config.artifacts);
        config.palette = self.palette.clone().or(config.palette);
        for text in &self.picture {
            config
                .set(text)
                .map_err(|error| Failure::input(format!("--picture: {error}")))?;
        }
        Ok(config)
    }
}

/// Arguments of the debugger at a terminal.
#[derive(Debug, Args)]
pub struct DebugOptions {
    /// A built-in program by name, or a file
    #[arg(required_unless_present = "play", conflicts_with = "play")]
    pub program: Option<OsString>,
    /// Play a recording in place of a program
    #[arg(long, value_name = "FILE")]
    pub play: Option<PathBuf>,
    /// Frames to run before the first command (default: none; of a BASIC program, all before its first line; of a built-in game, until its
    /// picture is up)
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    pub frames: Option<u64>,
    /// Do the commands in this file, and leave
    #[arg(long, value_name = "FILE")]
    pub commands: Option<PathBuf>,
    /// Names of addresses or debug information beside what is found by the program's name: cc65 .dbg, MADS .lst or .lab, ld65 labels,
    /// lines ADDRESS NAME or NAME = $ADDRESS; may be given several times
    #[arg(long, value_name = "FILE")]
    pub labels: Vec<PathBuf>,
    /// Neither take up the breakpoints, watches and labels of the last time nor keep them
    #[arg(long)]
    pub fresh: bool,
    /// The machine.
    #[command(flatten)]
    pub machine: MachineOptions,
}

/// The words of [`DebugOptions`] as a command line of their own.
#[derive(Debug, Parser)]
#[command(name = "anticlock debug")]
struct DebugLine {
    #[command(flatten)]
    options: DebugOptions,
}

impl DebugOptions {
    /// Reads the words after `anticlock debug`.
    ///
    /// # Errors
    /// The fault in them, in one line.
    pub fn parse(words: Vec<OsString>) -> Result<Self, Failure> {
        let words = std::iter::once("anticlock debug".into()).chain(words);
        let line = DebugLine::try_parse_from(words).map_err(|error| sentence(&error))?;
        Ok(line.options)
    }
}

/// One sentence for what clap has found wrong on a command line.
pub fn sentence(error: &clap::Error) -> Failure {
    use clap::error::{ContextKind as About, ContextValue, ErrorKind};
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(all)) if !all.is_empty() => Some(all.join(", ")),
        _ => None,
    };
    // The option without the name of its value.
    let bare = |text: String| text.split(' ').next().unwrap_or_default().to_owned();
    let option = || context(About::InvalidArg).map(bare);
    let said = match error.kind() {
        ErrorKind::UnknownArgument => {
            option().map(|word| unknown(&word, context(About::SuggestedArg)))
        }
        ErrorKind::InvalidSubcommand => {
            let similar = context(About::SuggestedSubcommand);
            context(About::InvalidSubcommand).map(|word| match similar {
                Some(similar) => format!("there is no command {word}; there is {similar}"),
                None => format!("there is no command {word}"),
            })
        }
        ErrorKind::InvalidValue => option().map(|option| {
            let value = context(About::InvalidValue).filter(|value| !value.is_empty());
            match (value, context(About::ValidValue)) {
                (Some(value), Some(takes)) => format!("{option} takes {takes}, not {value}"),
                (None, Some(takes)) => format!("{option} needs a value: {takes}"),
                _ => format!("{option} needs a value"),
            }
        }),
        ErrorKind::MissingRequiredArgument => {
            context(About::InvalidArg).map(|names| format!("{names} is missing"))
        }
        ErrorKind::ArgumentConflict => option().map(|option| match context(About::PriorArg) {
            Some(prior) if bare(prior.clone()) == option => format!("{option} is given twice"),
            Some(prior) => format!("{option} does not go together with {prior}"),
            None => format!("{option} does not go together with the others"),
        }),
        ErrorKind::ValueValidation => return bad_value(error).unwrap_or_else(|| first_line(error)),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let text = error.to_string();
            let usage = text.lines().find_map(|line| line.strip_prefix("Usage: "));
            usage.map(|usage| format!("a command is missing: {usage}"))
        }
        _ => None,
    };
    said.map_or_else(|| first_line(error), Failure::input)
}

/// An option or a word that clap does not know.
fn unknown(word: &str, similar: Option<String>) -> String {
    match similar {
        Some(similar) => format!("there is no option {word}; there is {similar}"),
        None if word.starts_with('-') => {
            format!("there is no option {word}; --help lists those that there are")
        }
        None => format!("{word} is one word too many"),
    }
}

/// Clap's own sentence.
fn first_line(error: &clap::Error) -> Failure {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or("");
    Failure::input(line.trim_start_matches("error: "))
}

/// A value that the option's parser does not take; the parser says what it takes.
fn bad_value(error: &clap::Error) -> Option<Failure> {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    use std::error::Error;
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    };
    if error.kind() != ErrorKind::ValueValidation {
        return None;
    }
    // The option with the name of its value.
    let option = context(ContextKind::InvalidArg)?.split(' ').next()?;
    let value = context(ContextKind::InvalidValue)?;
    let takes = error.source()?;
    Some(Failure::input(format!(
        "{option} takes {takes}, not {value}"
    )))
}
